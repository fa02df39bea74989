//! The ready-made window: all sections under each other.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_wayfield::{ClassId, DijkstraMaps, PathfindingSettings, Planner, Tilemap};

use crate::brush::{Palette, TerrainBrush};
use crate::brush_controls::brush_controls;
use crate::graphs::PanelHistory;
use crate::layout::{Entry, choice, labelled};
use crate::numbers::{fields_list, live_numbers};
use crate::pointer::MapPointer;
use crate::search::{corner_rule_choice, rule_to_judge_by, search_controls};

const WIDTH: f32 = 280.0;

/// Enough for all sections; a smaller screen makes the window smaller, and it scrolls.
const HEIGHT: f32 = 760.0;

/// The state of the ready-made window.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelWindow {
    /// Whether it is shown.
    pub open: bool,
    /// The movement class whose costs the brush shows.
    pub class: ClassId,
}

impl Default for PanelWindow {
    fn default() -> Self {
        Self { open: true, class: ClassId::default() }
    }
}

/// The key that shows and hides the window.
#[derive(Resource, Clone, Copy)]
pub(crate) struct ToggleKey(pub KeyCode);

pub(crate) fn toggle(
    key: Res<ToggleKey>,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    mut window: ResMut<PanelWindow>,
) {
    if keys.just_pressed(key.0) && !pointer.wants_keyboard() {
        window.open = !window.open;
    }
}

/// What the window shows; a section whose resource is missing is left out.
#[derive(bevy::ecs::system::SystemParam)]
pub(crate) struct Shown<'w> {
    settings: Option<ResMut<'w, PathfindingSettings>>,
    tilemap: Option<ResMut<'w, Tilemap>>,
    planner: Option<Res<'w, Planner>>,
    maps: Option<Res<'w, DijkstraMaps>>,
    brush: ResMut<'w, TerrainBrush>,
    palette: Res<'w, Palette>,
    history: Res<'w, PanelHistory>,
}

pub(crate) fn show_window(mut contexts: EguiContexts, mut window: ResMut<PanelWindow>, mut shown: Shown) {
    let mut state = *window;
    // There is no context before the first camera.
    if let Ok(context) = contexts.ctx_mut()
        && state.open
    {
        let frame = egui::Window::new("Wayfield").open(&mut state.open);
        let frame = frame.default_pos([8.0, 8.0]).default_size([WIDTH, HEIGHT]).resizable([false, true]).vscroll(true);
        frame.show(context, |ui| {
            ui.set_width(WIDTH);
            shown.sections(ui, &mut state.class);
        });
        window.set_if_neq(state);
    }
}

impl Shown<'_> {
    fn sections(&mut self, ui: &mut egui::Ui, class: &mut ClassId) {
        let rule = self.tilemap.as_ref().map(|tilemap| rule_to_judge_by(tilemap)).unwrap_or_default();
        section(ui, "Search", |ui| {
            if let Some(settings) = &mut self.settings
                && search_controls(ui, settings.bypass_change_detection(), rule)
            {
                settings.set_changed();
            }
            if let Some(tilemap) = &mut self.tilemap
                && let Some(rule) = corner_rule_choice(ui, tilemap)
            {
                tilemap.set_corner_rule(rule);
            }
        });
        if let Some(tilemap) = &self.tilemap
            && !self.palette.0.is_empty()
        {
            section(ui, "Terrain brush", |ui| {
                choose_class(ui, tilemap, class);
                let mut brush = *self.brush;
                brush_controls(ui, &mut brush, &self.palette, tilemap, *class);
                self.brush.set_if_neq(brush);
            });
        }
        if let Some(planner) = &self.planner {
            section(ui, "Numbers", |ui| live_numbers(ui, planner, &self.history));
        }
        if let Some(maps) = &self.maps {
            section(ui, "Fields", |ui| fields_list(ui, maps));
        }
    }
}

fn section(ui: &mut egui::Ui, title: &str, content: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(title).default_open(true).show_unindented(ui, content);
}

/// Chooses the class whose costs are shown, if there is a choice.
fn choose_class(ui: &mut egui::Ui, tilemap: &Tilemap, class: &mut ClassId) {
    let classes = tilemap.classes();
    if classes.len() < 2 {
        return;
    }
    let help = "Show what entering each terrain costs this kind of mover.";
    let entry = |(index, class): (usize, &bevy_wayfield::wayfield::MovementClass)| Entry {
        value: ClassId(index),
        name: class.name().to_owned(),
        help,
    };
    let entries: Vec<_> = classes.iter().enumerate().map(entry).collect();
    labelled(ui, "Costs of", "The kind of mover whose entering costs are shown.", |ui| {
        if let Some(chosen) = choice(ui, "class", Some(*class), &entries, "no class") {
            *class = chosen;
        }
    });
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::SystemState;
    use bevy::time::TimeUpdateStrategy;
    use bevy_wayfield::wayfield::{Cell, CornerRule, GridSize, MovementClass, TerrainId, TerrainMap};
    use bevy_wayfield::{Delivery, Executor, PathRequest, PathfindingPlugin};

    use super::*;
    use crate::WayfieldPanelPlugin;
    use crate::brush::PaletteEntry;
    use crate::screen::Screen;

    fn app() -> App {
        let mut app = App::new();
        let panel = WayfieldPanelPlugin::default().without_window();
        app.add_plugins((MinimalPlugins, PathfindingPlugin::default(), panel));
        app.update();
        app
    }

    fn show(screen: &mut Screen, app: &mut App, text: Option<&str>, class: &mut ClassId) {
        let world = app.world_mut();
        let mut state = SystemState::<Shown>::new(world);
        let mut shown = state.get_mut(world).unwrap();
        match text {
            Some(text) => screen.click(text, |ui| shown.sections(ui, class)),
            None => screen.frame([], |ui| shown.sections(ui, class)),
        }
    }

    #[test]
    fn all_sections_fit_and_looking_changes_nothing() {
        let mut app = app();
        let classes = ["foot", "wheels"].map(MovementClass::new);
        let size = GridSize::new(4, 4).unwrap();
        app.insert_resource(Tilemap::new(TerrainMap::new(size, TerrainId(0)), classes.to_vec()));
        let wall =
            PaletteEntry { name: "wall".to_owned(), terrain: TerrainId(0), color: egui::Color32::DARK_GRAY, key: None };
        app.insert_resource(Palette(vec![wall]));
        app.world_mut().clear_trackers();
        let mut class = ClassId(0);
        let mut screen = Screen::new(296.0);
        for _ in 0..3 {
            show(&mut screen, &mut app, None, &mut class);
        }
        screen.assert_legible();
        for title in ["Search", "Terrain brush", "Numbers", "Fields", "Costs of"] {
            assert!(screen.shows(title), "{title}");
        }
        let world = app.world();
        assert!(!world.resource_ref::<Tilemap>().is_changed());
        assert!(!world.resource_ref::<PathfindingSettings>().is_changed());
        assert!(!world.resource_ref::<TerrainBrush>().is_changed());

        for text in ["foot", "wheels", "Both sides free", "Always", "Automatic", "Dijkstra"] {
            show(&mut screen, &mut app, Some(text), &mut class);
        }
        assert_eq!(class, ClassId(1));
        let world = app.world();
        assert_eq!(world.resource::<Tilemap>().classes()[0].corner_rule(), CornerRule::Always);
        assert!(world.resource_ref::<Tilemap>().is_changed());
        assert!(world.resource_ref::<PathfindingSettings>().is_changed());
    }

    #[test]
    fn without_a_map_the_rest_is_shown() {
        let mut screen = Screen::new(296.0);
        show(&mut screen, &mut app(), None, &mut ClassId(0));
        assert!(screen.shows("Search") && !screen.shows("Terrain brush"));
    }

    #[test]
    fn every_tick_is_recorded_and_failures_are_shown_by_reason() {
        let mut app = App::new();
        let panel = WayfieldPanelPlugin::default().without_window();
        app.add_plugins((MinimalPlugins, PathfindingPlugin::default(), panel));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let delivery = Delivery::AfterTicks(1);
        app.insert_resource(PathfindingSettings { delivery, executor: Executor::Inline, ..default() });
        let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap();
        let size = GridSize::new(8, 8).unwrap();
        let mut tilemap = Tilemap::new(TerrainMap::new(size, TerrainId(0)), vec![foot]);
        tilemap.edit([(Cell::new(7, 7), TerrainId(1))]).unwrap();
        let start = Transform::from_translation(tilemap.cell_to_world(Cell::new(0, 0)).extend(0.0));
        app.insert_resource(tilemap);
        for goal in [(7, 7), (7, 6)] {
            app.world_mut().spawn((start, PathRequest::to(Cell::from(goal))));
        }
        // The first update runs no tick.
        (0..=10).for_each(|_| app.update());
        let world = app.world();
        assert_eq!(world.resource::<Planner>().tick(), 10);
        let history: Vec<_> = world.resource::<PanelHistory>().expansions().collect();
        assert_eq!(history.len(), 10);
        assert_eq!(history.iter().sum::<u64>(), world.resource::<Planner>().stats().expansions);
        let mut screen = Screen::new(260.0);
        screen.frame([], |ui| live_numbers(ui, world.resource::<Planner>(), world.resource::<PanelHistory>()));
        for (name, number) in [("Searches", "2"), ("Found", "1"), ("Failed: goal blocked", "1")] {
            assert_eq!(screen.number_beside(name), number, "{name}");
        }
        screen.assert_legible();
    }

    #[test]
    fn the_key_opens_and_shuts() {
        let mut app = App::new();
        app.init_resource::<MapPointer>().init_resource::<PanelWindow>().insert_resource(ToggleKey(KeyCode::F3));
        app.init_resource::<ButtonInput<KeyCode>>().add_systems(Update, toggle);
        for open in [false, true] {
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::F3);
            app.update();
            assert_eq!(app.world().resource::<PanelWindow>().open, open);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
            app.update();
            assert_eq!(app.world().resource::<PanelWindow>().open, open);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::F3);
        }
    }
}
