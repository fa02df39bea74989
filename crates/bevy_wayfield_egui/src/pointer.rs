//! Whose the pointer is: the panel's, or the map's.

use bevy::input::mouse::MouseButton;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowFocused};
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

/// Whose the pointer is: it belongs to whoever the press began with.
///
/// A press that begins on the panel never reaches the map, wherever it is dragged to; one that begins on the map goes
/// on over the panel until it is released. Asking egui whether it *wants* the pointer does not give that: the answer
/// is a frame old, and for a side panel it is "no" even at the press. So this resource judges every press in
/// `PreUpdate`, by where the pointer is in this frame and what egui showed in the last one.
///
/// Windows, areas and lists are seen by themselves; a side panel, which egui counts as background, says where it is
/// by [`MapPointer::add_panel`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_wayfield_egui::MapPointer;
/// fn select(pointer: Res<MapPointer>, buttons: Res<ButtonInput<MouseButton>>, window: Single<&Window>) {
///     let (Some(from), Some(to)) = (pointer.pressed_on_map(MouseButton::Left), window.cursor_position()) else {
///         return;
///     };
///     if buttons.just_released(MouseButton::Left) {
///         println!("select what is between {from} and {to}");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(select);
/// ```
#[derive(Resource, Debug, Default)]
pub struct MapPointer {
    panels: Vec<egui::Rect>,
    presses: Vec<Press>,
    hovers_ui: bool,
    wants_keyboard: bool,
}

/// A button that is held, or was released in this frame.
#[derive(Debug)]
struct Press {
    button: MouseButton,
    /// Where it went down, if that was on the map.
    origin: Option<Vec2>,
}

impl MapPointer {
    /// Whether the pointer is over something of egui's, or drags something that is: for the wheel, and for whatever
    /// shows what a click would do.
    ///
    /// A press that began on the map may go on all the same; ask [`MapPointer::pressed_on_map`].
    pub fn is_over_ui(&self) -> bool {
        self.hovers_ui || self.presses.iter().any(|press| press.origin.is_none())
    }

    /// Where the button went down, in logical pixels of the window, as long as a press that began on the map lasts:
    /// up to and including the frame in which it is released.
    pub fn pressed_on_map(&self, button: MouseButton) -> Option<Vec2> {
        self.presses.iter().find(|press| press.button == button)?.origin
    }

    /// Whether egui has the keyboard: a text is being edited, a widget has the focus, or a list is open.
    pub fn wants_keyboard(&self) -> bool {
        self.wants_keyboard
    }

    /// Says that a side panel covers this rectangle, in egui's points. To be called wherever the panel is shown, in
    /// every pass; a panel that is not shown any more is forgotten.
    pub fn add_panel(&mut self, rect: egui::Rect) {
        self.panels.push(rect);
    }
}

/// Follows the presses. Runs in `PreUpdate`, when the buttons are known and before egui has seen them.
pub(crate) fn follow_pointer(
    mut pointer: ResMut<MapPointer>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut focus: MessageReader<WindowFocused>,
    window: Option<Single<(Entity, &Window), With<PrimaryWindow>>>,
    context: Option<Single<&mut EguiContext, With<PrimaryEguiContext>>>,
) {
    let window = window.map(Single::into_inner);
    let context = context.map(|mut context| context.get_mut().clone());
    let is_ours = |at: &WindowFocused| window.is_some_and(|(entity, _)| entity == at.window);
    if focus.read().filter(|at| is_ours(at)).any(|at| !at.focused) {
        // The release may never arrive, and without it the next press would be none.
        pointer.presses.clear();
        buttons.release_all();
    }

    let cursor = window.and_then(|(_, window)| window.cursor_position());
    let physical = window.and_then(|(_, window)| window.physical_cursor_position());
    let is_list_open = context.as_ref().is_some_and(egui::Context::any_popup_open);
    pointer.hovers_ui = context.as_ref().zip(physical).is_some_and(|(context, at)| {
        let at = at / context.pixels_per_point();
        let at = egui::pos2(at.x, at.y);
        let layer = context.layer_id_at(at);
        // A press beside an open list shuts it, and does nothing else.
        is_list_open
            || pointer.panels.iter().any(|panel| panel.contains(at))
            || layer.is_some_and(|layer| layer.order != egui::Order::Background)
    });
    pointer.wants_keyboard = is_list_open || context.is_some_and(|context| context.egui_wants_keyboard_input());

    let pointer = &mut *pointer;
    let has_begun = |button| buttons.just_pressed(button);
    pointer.presses.retain(|&Press { button, .. }| {
        !has_begun(button) && (buttons.pressed(button) || buttons.just_released(button))
    });
    let origin = cursor.filter(|_| !pointer.hovers_ui);
    pointer.presses.extend(buttons.get_just_pressed().map(|&button| Press { button, origin }));
    // The coming pass adds those that are still there.
    pointer.panels.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::window::WindowResolution;

    const LEFT: MouseButton = MouseButton::Left;
    const ON_MAP: Vec2 = Vec2::new(300.0, 100.0);
    const ON_MAP_TOO: Vec2 = Vec2::new(350.0, 150.0);
    const ON_PANEL: Vec2 = Vec2::new(50.0, 100.0);
    const ON_WINDOW: Vec2 = Vec2::new(160.0, 60.0);

    /// An app with a window of 400 x 300, a side panel in its left 100 points and an egui window beside it.
    struct Game {
        app: App,
        window: Entity,
        context: egui::Context,
        zoom: f32,
    }

    impl Game {
        fn new() -> Self {
            let mut app = App::new();
            app.init_resource::<MapPointer>().init_resource::<ButtonInput<MouseButton>>();
            app.add_message::<WindowFocused>().add_systems(PreUpdate, follow_pointer);
            let window = Window { resolution: WindowResolution::new(400, 300), ..default() };
            let window = app.world_mut().spawn((window, PrimaryWindow)).id();
            let mut context = EguiContext::default();
            let egui = context.get_mut().clone();
            app.world_mut().spawn((context, PrimaryEguiContext));
            let mut game = Self { app, window, context: egui, zoom: 1.0 };
            game.show(None);
            game.frame(ON_MAP);
            game
        }

        /// A frame with the pointer here: input first, then the game, then egui's pass.
        fn frame(&mut self, cursor: Vec2) -> &MapPointer {
            let mut window = self.app.world_mut().get_mut::<Window>(self.window).unwrap();
            window.set_cursor_position(Some(cursor));
            self.app.update();
            self.buttons().clear();
            self.show(Some(cursor));
            self.pointer()
        }

        fn show(&mut self, cursor: Option<Vec2>) {
            let at = cursor.map(|at| at / self.zoom).map(|at| egui::pos2(at.x, at.y));
            let size = egui::vec2(400.0, 300.0) / self.zoom;
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
                events: at.map(egui::Event::PointerMoved).into_iter().collect(),
                ..default()
            };
            let mut panel = egui::Rect::NOTHING;
            let output = self.context.run_ui(input, |ui| {
                panel = egui::Panel::left("panel").exact_size(100.0).show(ui, |ui| ui.label("panel")).response.rect;
                let window = egui::Window::new("w").fixed_pos([120.0, 20.0]).fixed_size([100.0, 60.0]);
                window.show(ui.ctx(), |ui| ui.label("window"));
            });
            output.drop_without_applying_deltas();
            self.app.world_mut().resource_mut::<MapPointer>().add_panel(panel);
        }

        fn buttons(&mut self) -> Mut<'_, ButtonInput<MouseButton>> {
            self.app.world_mut().resource_mut()
        }

        fn press(&mut self, cursor: Vec2) -> &MapPointer {
            self.buttons().press(LEFT);
            self.frame(cursor)
        }

        fn release(&mut self, cursor: Vec2) -> &MapPointer {
            self.buttons().release(LEFT);
            self.frame(cursor)
        }

        fn pointer(&self) -> &MapPointer {
            self.app.world().resource()
        }

        fn focus(&mut self, focused: bool) {
            let message = WindowFocused { window: self.window, focused };
            self.app.world_mut().write_message(message);
        }
    }

    #[test]
    fn hovering_tells_the_map_from_panel_and_window() {
        let mut game = Game::new();
        assert!(!game.frame(ON_MAP).is_over_ui());
        assert!(game.frame(ON_PANEL).is_over_ui());
        assert!(game.frame(ON_WINDOW).is_over_ui());
        assert!(!game.frame(ON_MAP).is_over_ui());
    }

    #[test]
    fn a_press_on_the_map_lasts_over_the_panel_until_its_release() {
        let mut game = Game::new();
        assert_eq!(game.press(ON_MAP).pressed_on_map(LEFT), Some(ON_MAP));
        assert_eq!(game.frame(ON_MAP_TOO).pressed_on_map(LEFT), Some(ON_MAP));
        assert_eq!(game.frame(ON_PANEL).pressed_on_map(LEFT), Some(ON_MAP));
        assert_eq!(game.release(ON_PANEL).pressed_on_map(LEFT), Some(ON_MAP), "the frame of the release");
        assert_eq!(game.frame(ON_PANEL).pressed_on_map(LEFT), None);
    }

    #[test]
    fn a_press_on_the_panel_never_reaches_the_map() {
        for start in [ON_PANEL, ON_WINDOW] {
            let mut game = Game::new();
            // The pointer jumps onto the panel in the very frame of the press.
            assert_eq!(game.press(start).pressed_on_map(LEFT), None);
            let pointer = game.frame(ON_MAP);
            assert_eq!(pointer.pressed_on_map(LEFT), None);
            assert!(pointer.is_over_ui(), "the panel still has the pointer");
            assert_eq!(game.release(ON_MAP).pressed_on_map(LEFT), None);
            assert!(!game.frame(ON_MAP).is_over_ui());
        }
    }

    #[test]
    fn buttons_are_told_apart() {
        let mut game = Game::new();
        game.press(ON_PANEL);
        game.buttons().press(MouseButton::Right);
        let pointer = game.frame(ON_MAP);
        assert_eq!(pointer.pressed_on_map(LEFT), None);
        // While the panel drags, a second button is still the map's: it began there.
        assert_eq!(pointer.pressed_on_map(MouseButton::Right), Some(ON_MAP));
    }

    #[test]
    fn a_click_within_one_frame_counts() {
        let mut game = Game::new();
        game.buttons().press(LEFT);
        assert_eq!(game.release(ON_MAP).pressed_on_map(LEFT), Some(ON_MAP));
        assert_eq!(game.frame(ON_MAP).pressed_on_map(LEFT), None);
        // Released and pressed again elsewhere within one frame.
        game.press(ON_MAP);
        game.buttons().release(LEFT);
        assert_eq!(game.press(ON_MAP_TOO).pressed_on_map(LEFT), Some(ON_MAP_TOO));
        assert_eq!(game.frame(ON_MAP).pressed_on_map(LEFT), Some(ON_MAP_TOO));
    }

    #[test]
    fn losing_the_focus_ends_the_press() {
        let mut game = Game::new();
        game.press(ON_MAP);
        game.focus(true);
        assert_eq!(game.frame(ON_MAP).pressed_on_map(LEFT), Some(ON_MAP));
        game.focus(false);
        assert_eq!(game.frame(ON_MAP).pressed_on_map(LEFT), None);
        // The release never came; the next press counts all the same.
        game.focus(true);
        assert_eq!(game.press(ON_MAP_TOO).pressed_on_map(LEFT), Some(ON_MAP_TOO));
    }

    #[test]
    fn a_zoomed_interface_is_where_it_is_seen() {
        let mut game = Game::new();
        game.zoom = 2.0;
        game.context.set_zoom_factor(2.0);
        game.frame(ON_MAP);
        game.frame(ON_MAP);
        // The panel is 100 points wide, so 200 pixels; the window reaches from 240 to beyond 440.
        assert!(game.frame(Vec2::new(190.0, 100.0)).is_over_ui());
        assert!(!game.frame(Vec2::new(220.0, 20.0)).is_over_ui());
    }

    #[test]
    fn a_focused_text_has_the_keyboard() {
        let mut game = Game::new();
        assert!(!game.pointer().wants_keyboard());
        game.context.memory_mut(|memory| memory.request_focus("text".into()));
        assert!(game.frame(ON_MAP).wants_keyboard());
    }

    #[test]
    fn without_window_or_egui_nothing_is_pressed() {
        let mut app = App::new();
        app.init_resource::<MapPointer>().init_resource::<ButtonInput<MouseButton>>();
        app.add_message::<WindowFocused>().add_systems(PreUpdate, follow_pointer);
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(LEFT);
        app.update();
        assert_eq!(app.world().resource::<MapPointer>().pressed_on_map(LEFT), None);
    }
}
