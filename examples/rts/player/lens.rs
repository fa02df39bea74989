//! Looking about: keys, edges of the window, middle drag, wheel. All of it works while the game is paused.

use bevy::input::mouse::{AccumulatedMouseScroll, MouseScrollUnit};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield::Tilemap;
use bevy_wayfield_egui::MapPointer;

use super::keys::{Action, Actions};
use super::selection::Selection;
use crate::game::life::Chronicle;
use crate::game::scenario::Trial;
use crate::game::terrain::CELL_SIZE;
use crate::game::units::{Town, UnitKind};

/// World units a pixel at first: the village, the soldiers before it, and the river.
const START: f32 = 1.5;
const NEAREST: f32 = 0.2;
const FARTHEST: f32 = 16.0;
/// Eight notches of the wheel double the scale or halve it.
const NOTCH: f32 = 1.09;
/// How much of the way to the wanted scale is left after a second of zooming: nearly nothing.
const GLIDE: f32 = 20.0;
/// How near to the edge of the window the cursor moves the view, in pixels.
const EDGE: f32 = 12.0;

/// What part of the world the window shows.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// The world position in the middle of the window.
    pub centre: Vec2,
    /// World units a pixel.
    pub scale: f32,
    /// A zoom on its way: the scale that is wanted, and the cursor that it is about.
    glide: Option<(f32, Vec2)>,
    /// Whether it was set to the scene's village.
    is_set: bool,
}

impl Default for Lens {
    fn default() -> Self {
        Self { centre: Vec2::ZERO, scale: START, glide: None, is_set: false }
    }
}

/// How the view moves.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct LensOptions {
    /// Whether the cursor moves it at the edges of the window.
    pub edge_scroll: bool,
    /// In pixels a second.
    pub speed: f32,
    /// Whether it jumps where it would glide.
    pub reduced_motion: bool,
    /// How much of the window the panel covers at the right, in pixels.
    pub covered: f32,
}

impl Default for LensOptions {
    fn default() -> Self {
        Self { edge_scroll: false, speed: 900.0, reduced_motion: false, covered: 0.0 }
    }
}

impl Lens {
    /// The world position under a pixel of a window of this size.
    pub fn to_world(self, cursor: Vec2, window: Vec2) -> Vec2 {
        self.centre + (cursor - window / 2.0) * Vec2::new(1.0, -1.0) * self.scale
    }

    /// What the window shows of the world.
    pub fn view(self, window: Vec2) -> Rect {
        Rect::from_center_size(self.centre, window * self.scale)
    }

    /// Another scale; what is under the cursor stays there.
    fn rescale(&mut self, scale: f32, cursor: Vec2, window: Vec2) {
        let fixed = self.to_world(cursor, window);
        self.scale = scale;
        self.centre += fixed - self.to_world(cursor, window);
    }

    /// So many notches of the wheel nearer, about the cursor.
    fn notch(&mut self, notches: f32, cursor: Vec2) {
        let from = self.glide.map_or(self.scale, |(wanted, _)| wanted);
        self.glide = Some(((from * NOTCH.powf(-notches)).clamp(NEAREST, FARTHEST), cursor));
    }

    /// Goes on zooming for so many seconds.
    fn glide(&mut self, seconds: f32, at_once: bool, window: Vec2) {
        let Some((wanted, cursor)) = self.glide else { return };
        let share = 1.0 - (-GLIDE * seconds).exp();
        let is_there = at_once || (wanted / self.scale).ln().abs() < 0.002;
        let scale = if is_there { wanted } else { self.scale * (wanted / self.scale).powf(share) };
        self.rescale(scale, cursor, window);
        if is_there {
            self.glide = None;
        }
    }

    /// The whole of `bounds` in what the panel leaves of the window.
    fn show(&mut self, bounds: Rect, window: Vec2, covered: f32) {
        let free = (window - Vec2::new(covered, 0.0)).max(Vec2::splat(32.0));
        self.glide = None;
        self.scale = (bounds.size() / free).max_element().clamp(NEAREST, FARTHEST);
        self.look_at(bounds.center(), covered);
    }

    /// A position in the middle of what the panel leaves of the window.
    pub fn look_at(&mut self, at: Vec2, covered: f32) {
        self.centre = at + Vec2::new(covered / 2.0 * self.scale, 0.0);
    }
}

pub fn pan(
    mut lens: ResMut<Lens>,
    mut options: ResMut<LensOptions>,
    actions: Res<Actions>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut dragged_from: Local<Option<Vec2>>,
    pointer: Res<MapPointer>,
    time: Res<Time<Real>>,
    tilemap: Res<Tilemap>,
    (town, trial): (Res<Town>, Option<Res<Trial>>),
) {
    if !lens.is_set {
        if let Some(trial) = trial {
            // The panel may come up after the scenario has begun.
            lens.is_set = trial.has_begun();
            lens.show(tilemap.world_bounds(), window.size(), options.covered);
        } else {
            lens.is_set = true;
            lens.look_at(tilemap.cell_to_world(town.0.village) + Vec2::new(10.0 * CELL_SIZE, 0.0), 0.0);
        }
    }
    if actions.began(Action::EdgeScroll) {
        options.edge_scroll = !options.edge_scroll;
    }
    let cursor = window.cursor_position();
    let held = |either: [Action; 2]| f32::from(u8::from(either.into_iter().any(|action| actions.is_held(action))));
    let mut way = Vec2::new(
        held([Action::PanRight, Action::LetterRight]) - held([Action::PanLeft, Action::LetterLeft]),
        held([Action::PanUp, Action::LetterUp]) - held([Action::PanDown, Action::LetterDown]),
    );
    if let Some(at) = cursor.filter(|_| options.edge_scroll && window.focused && !pointer.is_over_ui()) {
        let near = |distance: f32| f32::from(u8::from(distance < EDGE));
        let size = window.size();
        way += Vec2::new(near(size.x - at.x) - near(at.x), near(at.y) - near(size.y - at.y));
    }
    let mut by = way.normalize_or_zero() * options.speed * lens.scale * time.delta_secs();
    // By where the cursor is, not by how the device moved: the point that was grabbed stays under the cursor.
    let held = pointer.pressed_on_map(MouseButton::Middle);
    let dragged = held.and_then(|origin| Some((origin, cursor?)));
    if let Some((origin, now)) = dragged {
        let moved = now - dragged_from.unwrap_or(origin);
        by += Vec2::new(-moved.x, moved.y) * lens.scale;
    }
    *dragged_from = dragged.map(|(_, now)| now);
    if by != Vec2::ZERO {
        let bounds = tilemap.world_bounds();
        lens.centre = (lens.centre + by).clamp(bounds.min, bounds.max);
    }
}

/// The point under the cursor stays under the cursor.
pub fn zoom(
    mut lens: ResMut<Lens>,
    options: Res<LensOptions>,
    scroll: Res<AccumulatedMouseScroll>,
    actions: Res<Actions>,
    pointer: Res<MapPointer>,
    window: Single<&Window, With<PrimaryWindow>>,
    time: Res<Time<Real>>,
) {
    let mut notches = match scroll.unit {
        MouseScrollUnit::Line => scroll.delta.y,
        MouseScrollUnit::Pixel => scroll.delta.y / MouseScrollUnit::SCROLL_UNIT_CONVERSION_FACTOR,
    };
    let mut cursor = window.cursor_position().filter(|_| !pointer.is_over_ui());
    let keys = i8::from(actions.began(Action::ZoomIn)) - i8::from(actions.began(Action::ZoomOut));
    if keys != 0 {
        // Twice in, twice the size.
        notches = 4.0 * f32::from(keys);
        cursor = Some((window.size() - Vec2::new(options.covered, 0.0)) / 2.0);
    }
    if let Some(cursor) = cursor.filter(|_| notches != 0.0) {
        lens.notch(notches, cursor);
    }
    lens.glide(time.delta_secs(), options.reduced_motion, window.size());
}

/// Goes to the selection, to the last event, or to where the whole map can be seen.
pub fn jump(
    mut lens: ResMut<Lens>,
    options: Res<LensOptions>,
    actions: Res<Actions>,
    selection: Res<Selection>,
    chronicle: Res<Chronicle>,
    units: Query<&Transform, With<UnitKind>>,
    tilemap: Res<Tilemap>,
    window: Single<&Window, With<PrimaryWindow>>,
) {
    if actions.began(Action::GoToSelection)
        && let Some(middle) = selection.middle(&units)
    {
        lens.look_at(middle, options.covered);
    }
    if let Some(cell) = chronicle.last_event.filter(|_| actions.began(Action::GoToEvent)) {
        lens.look_at(tilemap.cell_to_world(cell), options.covered);
    }
    if actions.began(Action::WholeMap) {
        lens.show(tilemap.world_bounds(), window.size(), options.covered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Vec2 = Vec2::new(1280.0, 800.0);

    /// The pixel that shows a world position.
    fn to_screen(lens: Lens, at: Vec2) -> Vec2 {
        (at - lens.centre) / lens.scale * Vec2::new(1.0, -1.0) + WINDOW / 2.0
    }

    #[test]
    fn the_point_under_the_cursor_stays_and_the_way_back_leads_back() {
        let start = Lens { centre: Vec2::new(700.0, 900.0), ..Lens::default() };
        let mut lens = start;
        let cursor = Vec2::new(200.0, 650.0);
        let fixed = lens.to_world(cursor, WINDOW);
        for notches in [1.0; 10].into_iter().chain([-1.0; 10]) {
            lens.notch(notches, cursor);
            while lens.glide.is_some() {
                lens.glide(0.016, false, WINDOW);
                assert!(to_screen(lens, fixed).distance(cursor) < 1.0, "at every moment");
            }
        }
        assert!((lens.centre - start.centre).length() / lens.scale < 1.0);
        assert!((lens.scale / start.scale - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_notch_takes_several_frames_unless_motion_is_reduced() {
        let mut lens = Lens::default();
        lens.notch(1.0, Vec2::ZERO);
        let mut frames = 0;
        while lens.glide.is_some() {
            lens.glide(0.016, false, WINDOW);
            frames += 1;
        }
        assert!((6..30).contains(&frames), "{frames}");
        lens.notch(3.0, Vec2::ZERO);
        lens.glide(0.016, true, WINDOW);
        assert_eq!(lens.glide, None);
    }

    #[test]
    fn the_whole_map_fits_beside_the_panel_even_in_a_tiny_window() {
        let bounds = Rect::from_corners(Vec2::ZERO, Vec2::new(5120.0, 4096.0));
        let mut lens = Lens::default();
        lens.show(bounds, WINDOW, 290.0);
        let corner = to_screen(lens, Vec2::new(5120.0, 4096.0));
        assert!(corner.x <= 991.0 && corner.y >= -0.5, "{corner}");
        lens.show(bounds, Vec2::new(1.0, 1.0), 290.0);
        assert!(lens.scale.is_finite() && lens.centre.is_finite());
    }
}
