//! Lines over the map: ways, queued orders, ferries, the selection box, the outline of the brush.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield::wayfield::Cell;
use bevy_wayfield::{FollowPath, PathStatus, Tilemap};
use bevy_wayfield_egui::{BrushTool, Comparison, MapPointer, Preview, TerrainBrush};

use crate::game::orders::{Order, Orders};
use crate::game::terrain::CELL_SIZE;
use crate::game::units::UnitKind;
use crate::player::Targeting;
use crate::player::brush::Hand;
use crate::player::lens::Lens;
use crate::player::selection::{DRAG, Selection};

const READY: Color = Color::srgb(0.337, 0.706, 0.914);
const PARTIAL: Color = Color::srgb(0.902, 0.624, 0.0);
const PENDING: Color = Color::srgb(0.62, 0.62, 0.62);
const COMPARED: Color = Color::srgb(0.8, 0.475, 0.655);

/// The ways of the selected units by their state, straight lines to the orders that follow, and the previewed way.
pub fn ways(
    mut gizmos: Gizmos,
    selection: Res<Selection>,
    preview: Res<Preview>,
    tilemap: Res<Tilemap>,
    units: Query<(&Transform, Option<&FollowPath>, &PathStatus, Option<&Orders>), With<UnitKind>>,
    places: Query<&Transform, With<UnitKind>>,
) {
    let centre = |cell: Cell| tilemap.cell_to_world(cell);
    let inspected = selection.inspected.filter(|unit| !selection.contains(*unit));
    for (at, way, status, orders) in units.iter_many(selection.units().iter().copied().chain(inspected)) {
        let at = at.translation.truncate();
        let color = match status {
            PathStatus::Partial(_) | PathStatus::Failed(_) => PARTIAL,
            PathStatus::Queued | PathStatus::Searching => PENDING,
            _ => READY,
        };
        let mut end = at;
        if let Some(way) = way {
            let rest = way.remaining().iter().map(|&cell| centre(cell));
            gizmos.linestrip_2d(std::iter::once(at).chain(rest), color.with_alpha(0.6));
            end = way.remaining().last().map_or(at, |&cell| centre(cell));
        }
        for (index, order) in orders.into_iter().flat_map(Orders::iter).enumerate() {
            let there = match order {
                Order::Chase(other) | Order::Follow(other) => {
                    places.get(other).ok().map(|at| at.translation.truncate())
                }
                other => other.cell().map(centre),
            };
            let Some(there) = there else { continue };
            // Before the first answer there is no way yet, and the order is shown all the same.
            if index > 0 || way.is_none() {
                gizmos.line_2d(end, there, PENDING.with_alpha(0.6));
            }
            if index > 0 {
                gizmos.circle_2d(there, 0.2 * CELL_SIZE, PENDING);
            }
            end = there;
        }
    }
    if let Some(path) = preview.answer().and_then(|answer| answer.outcome.path()) {
        gizmos.linestrip_2d(path.cells().iter().map(|&cell| centre(cell)), Color::WHITE.with_alpha(0.35));
    }
}

/// The way of the row of the comparison that was clicked.
pub fn compared(mut gizmos: Gizmos, comparison: Res<Comparison>, tilemap: Res<Tilemap>) {
    if let Some(way) = comparison.chosen_way() {
        let size = tilemap.size();
        let cells = way.iter().filter(|&&cell| size.contains(cell));
        gizmos.linestrip_2d(cells.map(|&cell| tilemap.cell_to_world(cell)), COMPARED);
    }
}

/// Ferries, as dashes between their landings.
pub fn ferries(mut gizmos: Gizmos, tilemap: Res<Tilemap>) {
    for link in tilemap.terrain().links() {
        let (from, to) = (tilemap.cell_to_world(link.from), tilemap.cell_to_world(link.to));
        let dashes = (from.distance(to) / CELL_SIZE).max(1.0) as u32;
        for dash in 0..dashes {
            let at = |part: f32| from.lerp(to, (dash as f32 + part) / dashes as f32);
            gizmos.line_2d(at(0.0), at(0.5), Color::WHITE.with_alpha(if link.is_open { 0.5 } else { 0.15 }));
        }
    }
}

/// What the pointer is about to do: the cells that the brush covers, the selection box, the cross of a target.
pub fn pointer(
    mut gizmos: Gizmos,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    hand: Res<Hand>,
    targeting: Res<Targeting>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    tilemap: Res<Tilemap>,
) {
    let Some(cursor) = window.cursor_position() else { return };
    let now = lens.to_world(cursor, window.size());
    let under = tilemap.world_to_cell(now).filter(|_| !pointer.is_over_ui());
    if brush.terrain.is_some() {
        let Some(cell) = under else { return };
        let from = hand.stroke().map_or(cell, |stroke| stroke.from);
        let cells = match brush.tool {
            BrushTool::Line | BrushTool::Rectangle => brush.covered(tilemap.terrain(), from, cell),
            BrushTool::Fill | BrushTool::Pick => vec![cell],
            BrushTool::Freehand => brush.cells(cell).collect(),
        };
        outline(&mut gizmos, &tilemap, &cells);
    } else if hand.spawns.is_some() {
        if let Some(cell) = under {
            gizmos.circle_2d(tilemap.cell_to_world(cell), 0.6 * CELL_SIZE, Color::WHITE);
        }
    } else if *targeting != Targeting::Nothing {
        if under.is_some() {
            let reach = 10.0 * lens.scale;
            gizmos.circle_2d(now, reach, PARTIAL);
            gizmos.line_2d(now - Vec2::X * reach * 1.5, now + Vec2::X * reach * 1.5, PARTIAL);
            gizmos.line_2d(now - Vec2::Y * reach * 1.5, now + Vec2::Y * reach * 1.5, PARTIAL);
        }
    } else if let Some(origin) = pointer.pressed_on_map(MouseButton::Left)
        && cursor.distance(origin) >= DRAG
    {
        let from = lens.to_world(origin, window.size());
        gizmos.rect_2d((from + now) / 2.0, (now - from).abs(), Color::WHITE);
    }
}

/// The sides of cells that no other of the cells is behind.
fn outline(gizmos: &mut Gizmos, tilemap: &Tilemap, cells: &[Cell]) {
    let set: std::collections::BTreeSet<_> = cells.iter().copied().collect();
    for &cell in cells {
        let middle = tilemap.cell_to_world(cell);
        for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
            if !set.contains(&Cell::new(cell.x.saturating_add(dx), cell.y.saturating_add(dy))) {
                let out = Vec2::new(dx as f32, -dy as f32) * CELL_SIZE / 2.0;
                let along = out.perp();
                gizmos.line_2d(middle + out - along, middle + out + along, Color::WHITE);
            }
        }
    }
}
