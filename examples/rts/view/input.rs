//! The player's hands: selecting, ordering, painting, and the keys.

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Algorithm, Cell};
use bevy_wayfield::{FollowPath, PathRequest, PathStatus, PathfindingSettings, Tilemap};
use bevy_wayfield_egui::{MapPointer, Palette, TerrainBrush};

use crate::orders::{self, send};
use crate::terrain::{CELL_SIZE, FOOT};
use crate::units::UnitKind;
use crate::view::hud::Help;
use crate::view::sprites::{Sheet, mark};

/// How far the mouse is drawn before a click becomes a box, in pixels.
const DRAG: f32 = 5.0;
/// How near to a unit a click selects it, in world units.
const CLICK: f32 = 0.7 * CELL_SIZE;
/// The slowest and the fastest that time runs.
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.25..=8.0;

/// The selected soldiers.
#[derive(Resource, Default)]
pub struct Selection(pub Vec<Entity>);

/// What the mouse is in the middle of.
#[derive(Resource, Default)]
pub struct Gesture {
    /// The last cell of the stroke that is being painted.
    stroke: Option<Cell>,
}

/// The cursor, and where it is in the world.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Cursor<'w, 's> {
    window: Single<'w, 's, &'static Window>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera2d>>,
}

impl Cursor<'_, '_> {
    fn world_of(&self, on_screen: Vec2) -> Option<Vec2> {
        let (camera, transform) = *self.camera;
        camera.viewport_to_world_2d(transform, on_screen).ok()
    }

    fn world(&self) -> Option<Vec2> {
        self.world_of(self.window.cursor_position()?)
    }
}

/// Pause, single step, speed.
pub fn time_keys(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    mut clock: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
) {
    if pointer.wants_keyboard() {
        return;
    }
    let pressed = |key| keys.just_pressed(key);
    if pressed(KeyCode::Space) || pressed(KeyCode::KeyP) {
        if clock.is_paused() { clock.unpause() } else { clock.pause() }
    }
    if pressed(KeyCode::Period) && clock.is_paused() {
        let tick = fixed.timestep();
        fixed.accumulate_overstep(tick);
    }
    let faster = i32::from(pressed(KeyCode::BracketRight)) - i32::from(pressed(KeyCode::BracketLeft));
    if faster != 0 {
        let speed = (clock.relative_speed() * 2f32.powi(faster)).clamp(*SPEEDS.start(), *SPEEDS.end());
        clock.set_relative_speed(speed);
    }
}

pub fn keys(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    palette: Res<Palette>,
    mut settings: ResMut<PathfindingSettings>,
    mut brush: ResMut<TerrainBrush>,
    mut selection: ResMut<Selection>,
    mut help: ResMut<Help>,
    units: Query<(Entity, &UnitKind)>,
) {
    if pointer.wants_keyboard() {
        return;
    }
    let pressed = |key| keys.just_pressed(key);
    let with_control = keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]);
    if pressed(KeyCode::F1) {
        help.0 = !help.0;
    }
    if pressed(KeyCode::KeyT) {
        let now = Algorithm::ALL.iter().position(|&algorithm| algorithm == settings.algorithm).unwrap_or_default();
        settings.algorithm = Algorithm::ALL[(now + 1) % Algorithm::ALL.len()];
    }
    if pressed(KeyCode::Escape) {
        // First out of painting, then out of the selection.
        if brush.terrain.take().is_none() {
            selection.0.clear();
        }
    }
    if pressed(KeyCode::KeyA) && with_control {
        selection.0 = units.iter().filter(|(_, kind)| **kind == UnitKind::Soldier).map(|(entity, _)| entity).collect();
    }
    if pressed(KeyCode::KeyH) {
        for &unit in &selection.0 {
            commands.entity(unit).try_remove::<PathRequest>();
        }
    }
    let digits = [KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3, KeyCode::Digit4, KeyCode::Digit5, KeyCode::Digit6];
    for (key, entry) in digits.into_iter().zip(&palette.0) {
        if pressed(key) {
            brush.terrain = Some(entry.terrain);
        }
    }
}

/// A click selects a soldier, a box all in it; with shift they are added.
pub fn select(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    cursor: Cursor,
    mut selection: ResMut<Selection>,
    units: Query<(Entity, &UnitKind, &Transform)>,
) {
    let Some(origin) = pointer.pressed_on_map(MouseButton::Left).filter(|_| brush.terrain.is_none()) else { return };
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let end = cursor.window.cursor_position().unwrap_or(origin);
    let (Some(from), Some(to)) = (cursor.world_of(origin), cursor.world_of(end)) else { return };
    let soldiers = units.iter().filter(|(_, kind, _)| **kind == UnitKind::Soldier);
    let soldiers = soldiers.map(|(entity, _, at)| (entity, at.translation.truncate()));
    let picked: Vec<_> = if origin.distance(end) < DRAG {
        let near = soldiers.map(|(entity, at)| (entity, at.distance(to))).filter(|&(_, distance)| distance < CLICK);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(entity, _)| entity).into_iter().collect()
    } else {
        let area = Rect::from_corners(from, to);
        soldiers.filter(|&(_, at)| area.contains(at)).map(|(entity, _)| entity).collect()
    };
    if !keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        selection.0.clear();
    }
    for unit in picked {
        if !selection.0.contains(&unit) {
            selection.0.push(unit);
        }
    }
}

/// A right click sends the selected soldiers.
pub fn order(
    mut commands: Commands,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    cursor: Cursor,
    selection: Res<Selection>,
    tilemap: Res<Tilemap>,
    sheet: Res<Sheet>,
) {
    let on_map = pointer.pressed_on_map(MouseButton::Right).is_some();
    if !buttons.just_pressed(MouseButton::Right) || !on_map || brush.terrain.is_some() || selection.0.is_empty() {
        return;
    }
    let Some(at) = cursor.world() else { return };
    let (Some(goal), Some(grid)) = (tilemap.world_to_cell(at), tilemap.grid(FOOT)) else { return };
    mark(&mut commands, &sheet, tilemap.cell_to_world(goal), grid.is_passable(goal));
    send(&mut commands, grid, &selection.0, goal);
}

/// The left button paints, the right one puts plain ground; a stroke leaves no gaps, however fast.
pub fn paint(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<MapPointer>,
    palette: Res<Palette>,
    brush: Res<TerrainBrush>,
    cursor: Cursor,
    mut gesture: ResMut<Gesture>,
    mut tilemap: ResMut<Tilemap>,
) {
    let held = |button| buttons.pressed(button) && pointer.pressed_on_map(button).is_some();
    let terrain = match brush.terrain {
        Some(terrain) if held(MouseButton::Left) => terrain,
        Some(_) if held(MouseButton::Right) => palette.0.first().map_or(crate::terrain::PLAIN, |entry| entry.terrain),
        _ => {
            gesture.stroke = None;
            return;
        }
    };
    let Some(to) = cursor.world().and_then(|at| tilemap.world_to_cell(at)) else {
        // What comes back elsewhere is another stroke.
        gesture.stroke = None;
        return;
    };
    let from = gesture.stroke.replace(to).unwrap_or(to);
    let size = tilemap.size();
    let cells: Vec<_> = brush.stroke(from, to).into_iter().filter(|&cell| size.contains(cell)).collect();
    // Painting what is there already is no edit.
    if cells.iter().any(|&cell| tilemap.terrain().terrain(cell) != Some(terrain)) {
        orders::paint(&mut tilemap, cells.into_iter().map(|cell| (cell, terrain)));
    }
}

/// The selection box, the ways of the selected, and the brush.
pub fn draw(
    mut gizmos: Gizmos,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    cursor: Cursor,
    selection: Res<Selection>,
    tilemap: Res<Tilemap>,
    units: Query<(&Transform, Option<&FollowPath>, &PathStatus)>,
) {
    for (at, way, status) in units.iter_many(&selection.0) {
        let color = match status {
            PathStatus::Partial(_) => Color::srgb_u8(0xE6, 0x9F, 0x00),
            PathStatus::Queued | PathStatus::Searching => Color::srgb_u8(0x99, 0x99, 0x99),
            _ => Color::srgb_u8(0x56, 0xB4, 0xE9),
        };
        if let Some(way) = way {
            let rest = way.remaining().iter().map(|&cell| tilemap.cell_to_world(cell));
            gizmos.linestrip_2d(std::iter::once(at.translation.truncate()).chain(rest), color.with_alpha(0.55));
        }
    }
    let Some(now) = cursor.world() else { return };
    if brush.terrain.is_some() {
        let under = tilemap.world_to_cell(now).filter(|_| !pointer.is_over_ui());
        let cells: Vec<_> = under.into_iter().flat_map(|cell| brush.cells(cell).collect::<Vec<_>>()).collect();
        // The outline of the brush: the sides of its cells that no other of its cells is behind.
        for &cell in &cells {
            let middle = tilemap.cell_to_world(cell);
            for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                if !cells.contains(&Cell::new(cell.x + dx, cell.y + dy)) {
                    let out = Vec2::new(dx as f32, -dy as f32) * CELL_SIZE / 2.0;
                    let along = out.perp();
                    gizmos.line_2d(middle + out - along, middle + out + along, Color::WHITE);
                }
            }
        }
    } else if let Some(origin) = pointer.pressed_on_map(MouseButton::Left)
        && let Some(from) = cursor.world_of(origin)
        && cursor.window.cursor_position().is_some_and(|end| end.distance(origin) >= DRAG)
    {
        gizmos.rect_2d((from + now) / 2.0, (now - from).abs(), Color::WHITE);
    }
}
