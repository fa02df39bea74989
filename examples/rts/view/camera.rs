//! Looking about: keys, middle drag, wheel. All of it works while the game is paused.

use bevy::input::mouse::{AccumulatedMouseScroll, MouseScrollUnit};
use bevy::prelude::*;
use bevy_egui::PrimaryEguiContext;
use bevy_wayfield::Tilemap;
use bevy_wayfield_egui::MapPointer;

use crate::terrain::CELL_SIZE;
use crate::units::Town;
use crate::view::hud::PANEL_WIDTH;
use crate::view::input::Selection;

/// World units a second at scale 1.
const PAN_SPEED: f32 = 900.0;
/// World units a pixel at first: the village, the soldiers before it, and the river.
const START: f32 = 1.5;
const NEAREST: f32 = 0.25;
const FARTHEST: f32 = 8.0;
/// Eight notches of the wheel double the scale or halve it.
const NOTCH: f32 = 1.09;

type View<'w, 's> = Single<'w, 's, (&'static mut Transform, &'static mut Projection), With<Camera2d>>;

pub fn spawn(mut commands: Commands, tilemap: Res<Tilemap>, town: Res<Town>) {
    let centre = tilemap.cell_to_world(town.0.village) + Vec2::new(14.0 * CELL_SIZE, 0.0);
    commands.spawn((
        Camera2d,
        Msaa::Off,
        PrimaryEguiContext,
        Projection::Orthographic(OrthographicProjection { scale: START, ..OrthographicProjection::default_2d() }),
        Transform::from_translation(centre.extend(0.0)),
    ));
}

fn scale_of(projection: &Projection) -> f32 {
    if let Projection::Orthographic(view) = projection { view.scale } else { 1.0 }
}

pub fn pan(
    keys: Res<ButtonInput<KeyCode>>,
    window: Single<&Window>,
    mut dragged_from: Local<Option<Vec2>>,
    pointer: Res<MapPointer>,
    time: Res<Time<Real>>,
    tilemap: Res<Tilemap>,
    view: View,
) {
    let (mut transform, projection) = view.into_inner();
    let scale = scale_of(&projection);
    let mut by = Vec2::ZERO;
    if !pointer.wants_keyboard() && !keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        let axis = |minus: [KeyCode; 2], plus: [KeyCode; 2]| {
            f32::from(i8::from(keys.any_pressed(plus)) - i8::from(keys.any_pressed(minus)))
        };
        let right = axis([KeyCode::KeyA, KeyCode::ArrowLeft], [KeyCode::KeyD, KeyCode::ArrowRight]);
        let up = axis([KeyCode::KeyS, KeyCode::ArrowDown], [KeyCode::KeyW, KeyCode::ArrowUp]);
        by += Vec2::new(right, up).normalize_or_zero() * PAN_SPEED * scale * time.delta_secs();
    }
    // By where the cursor is, not by how the device moved: the point that was grabbed stays under the cursor.
    let held = pointer.pressed_on_map(MouseButton::Middle);
    let cursor = held.and_then(|origin| Some((origin, window.cursor_position()?)));
    if let Some((origin, now)) = cursor {
        let moved = now - dragged_from.unwrap_or(origin);
        by += Vec2::new(-moved.x, moved.y) * scale;
    }
    *dragged_from = cursor.map(|(_, now)| now);
    if by != Vec2::ZERO {
        let bounds = tilemap.world_bounds();
        let to = (transform.translation.truncate() + by).clamp(bounds.min, bounds.max);
        transform.translation = to.extend(transform.translation.z);
    }
}

/// The point under the cursor stays under the cursor.
pub fn zoom(scroll: Res<AccumulatedMouseScroll>, pointer: Res<MapPointer>, window: Single<&Window>, view: View) {
    let notches = match scroll.unit {
        MouseScrollUnit::Line => scroll.delta.y,
        MouseScrollUnit::Pixel => scroll.delta.y / MouseScrollUnit::SCROLL_UNIT_CONVERSION_FACTOR,
    };
    let Some(cursor) = window.cursor_position().filter(|_| notches != 0.0 && !pointer.is_over_ui()) else { return };
    let (mut transform, mut projection) = view.into_inner();
    let Projection::Orthographic(view) = &mut *projection else { return };
    let scale = (view.scale * NOTCH.powf(-notches)).clamp(NEAREST, FARTHEST);
    let from_centre = (cursor - window.size() / 2.0) * Vec2::new(1.0, -1.0);
    transform.translation += (from_centre * (view.scale - scale)).extend(0.0);
    view.scale = scale;
}

/// Home goes to the selected units, Backspace shows the whole map.
pub fn jump(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    selection: Res<Selection>,
    units: Query<&Transform, Without<Camera2d>>,
    tilemap: Res<Tilemap>,
    window: Single<&Window>,
    view: View,
) {
    if pointer.wants_keyboard() {
        return;
    }
    let (mut transform, mut projection) = view.into_inner();
    let Projection::Orthographic(view) = &mut *projection else { return };
    if keys.just_pressed(KeyCode::Home) {
        let places: Vec<_> = units.iter_many(&selection.0).map(|at| at.translation.truncate()).collect();
        if !places.is_empty() {
            let middle = places.iter().sum::<Vec2>() / places.len() as f32;
            transform.translation = middle.extend(transform.translation.z);
        }
    }
    if keys.just_pressed(KeyCode::Backspace) {
        let bounds = tilemap.world_bounds();
        let free = (window.size() - Vec2::new(PANEL_WIDTH, 0.0)).max(Vec2::ONE);
        view.scale = (bounds.size() / free).max_element().clamp(NEAREST, FARTHEST);
        let beside_panel = Vec2::new(PANEL_WIDTH / 2.0 * view.scale, 0.0);
        transform.translation = (bounds.center() + beside_panel).extend(transform.translation.z);
    }
}
