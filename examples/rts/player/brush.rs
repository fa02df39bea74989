//! Painting terrain, and putting units on the map.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield::Tilemap;
use bevy_wayfield::wayfield::{Cell, TerrainId, end_slots};
use bevy_wayfield_egui::{BrushShape, BrushTool, EditHistory, MapPointer, Palette, TerrainBrush};

use super::keys::{Action, Actions};
use super::lens::Lens;
use crate::game::life::{SharedFields, begin_life};
use crate::game::terrain::PLAIN;
use crate::game::units::{Dice, Registry, UnitKind, UnitState};

/// How many units there may be; the brush puts down no more.
const CROWD: usize = 10_000;

/// What the hand holds besides the terrain brush, and the stroke that it is in.
#[derive(Resource, Default, Debug)]
pub struct Hand {
    /// Units to put down: of which kind, and how many a click.
    pub spawns: Option<(UnitKind, usize)>,
    /// The terrain that the brush had when it was put away.
    last_terrain: Option<TerrainId>,
    stroke: Option<Stroke>,
}

/// A stroke that the mouse is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    button: MouseButton,
    /// Where it began.
    pub from: Cell,
    /// Where it is now.
    pub to: Cell,
}

impl Hand {
    /// The stroke, for a picture of what its release will paint.
    pub fn stroke(&self) -> Option<Stroke> {
        self.stroke
    }
}

pub fn keys(
    actions: Res<Actions>,
    palette: Res<Palette>,
    mut brush: ResMut<TerrainBrush>,
    mut hand: ResMut<Hand>,
    mut history: ResMut<EditHistory>,
    mut tilemap: ResMut<Tilemap>,
) {
    for action in actions.iter() {
        match action {
            Action::Brush if brush.terrain.is_some() => hand.last_terrain = brush.terrain.take(),
            Action::Brush => {
                hand.spawns = None;
                brush.terrain = hand.last_terrain.or_else(|| palette.0.first().map(|entry| entry.terrain));
            }
            Action::Terrain(index) => {
                if let Some(entry) = palette.0.get(usize::from(index)) {
                    brush.terrain = Some(entry.terrain);
                }
            }
            Action::Smaller => brush.size = brush.size.saturating_sub(1).max(1),
            Action::Larger => brush.size = (brush.size + 1).min(TerrainBrush::MAX_SIZE),
            Action::Freehand => brush.tool = BrushTool::Freehand,
            Action::Line => brush.tool = BrushTool::Line,
            Action::Rectangle => brush.tool = BrushTool::Rectangle,
            Action::Fill => brush.tool = BrushTool::Fill,
            Action::Pick => brush.tool = BrushTool::Pick,
            Action::Shape => {
                brush.shape = if brush.shape == BrushShape::Round { BrushShape::Square } else { BrushShape::Round };
            }
            Action::Undo => _ = history.undo(&mut tilemap),
            Action::Redo => _ = history.redo(&mut tilemap),
            _ => {}
        }
    }
}

/// The left button paints, the right one erases; a stroke leaves no gaps, however fast.
pub fn paint(
    buttons: Res<ButtonInput<MouseButton>>,
    actions: Res<Actions>,
    pointer: Res<MapPointer>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    mut brush: ResMut<TerrainBrush>,
    mut hand: ResMut<Hand>,
    mut history: ResMut<EditHistory>,
    mut tilemap: ResMut<Tilemap>,
) {
    let held = |button: &MouseButton| {
        let is_down = buttons.pressed(*button) || buttons.just_released(*button);
        is_down && pointer.pressed_on_map(*button).is_some()
    };
    let button = [MouseButton::Left, MouseButton::Right].into_iter().find(held);
    let cursor = window.cursor_position().map(|cursor| lens.to_world(cursor, window.size()));
    let cell = cursor.and_then(|at| tilemap.world_to_cell(at));
    let (Some(terrain), Some(button)) = (brush.terrain, button) else {
        // However it ended, by a release, by another window or by a key: it is over, and can be taken back.
        hand.stroke = None;
        history.close();
        return;
    };
    let terrain = if button == MouseButton::Right { PLAIN } else { terrain };
    let is_new = hand.stroke.is_none_or(|stroke| stroke.button != button);
    if is_new {
        history.close();
        hand.stroke = None;
    }
    // What leaves the map and comes back elsewhere goes on from there.
    let Some(to) = cell else {
        hand.stroke = hand.stroke.filter(|_| brush.tool != BrushTool::Freehand);
        return;
    };
    if actions.alt || brush.tool == BrushTool::Pick {
        if button == MouseButton::Left
            && let Some(under) = tilemap.ground(to).filter(|&under| Some(under) != brush.terrain)
        {
            brush.terrain = Some(under);
        }
        return;
    }
    let before = hand.stroke.unwrap_or(Stroke { button, from: to, to });
    hand.stroke = Some(Stroke { to, ..before });
    let from = match brush.tool {
        BrushTool::Freehand => before.to,
        // The whole of it at the release.
        BrushTool::Line | BrushTool::Rectangle if !buttons.just_released(button) => return,
        BrushTool::Fill if !is_new => return,
        BrushTool::Line | BrushTool::Rectangle | BrushTool::Fill | BrushTool::Pick => before.from,
    };
    let cells = brush.covered(tilemap.terrain(), from, to);
    // Looking first: what is of that terrain already is no edit, and the map has not changed.
    let changes: Vec<_> = cells.into_iter().filter(|&cell| tilemap.ground(cell) != Some(terrain)).collect();
    if !changes.is_empty()
        && let Err(outside) = history.paint(&mut tilemap, changes, terrain)
    {
        warn!("{outside}");
    }
}

/// A click puts units down, each on a cell of its own as far as there are some.
pub fn spawn(
    mut commands: Commands,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<MapPointer>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    mut hand: ResMut<Hand>,
    tilemap: Res<Tilemap>,
    fields: Res<SharedFields>,
    mut dice: ResMut<Dice>,
    mut registry: ResMut<Registry>,
    units: Query<(), With<UnitKind>>,
) {
    let Some((kind, count)) = hand.spawns else { return };
    if buttons.just_pressed(MouseButton::Right) && pointer.pressed_on_map(MouseButton::Right).is_some() {
        hand.spawns = None;
        return;
    }
    if !buttons.just_pressed(MouseButton::Left) || pointer.pressed_on_map(MouseButton::Left).is_none() {
        return;
    }
    let cursor = window.cursor_position().map(|cursor| lens.to_world(cursor, window.size()));
    let (Some(at), Some(grid)) = (cursor.and_then(|at| tilemap.world_to_cell(at)), tilemap.grid(kind.class())) else {
        return;
    };
    let count = count.min(CROWD.saturating_sub(units.iter().count()));
    for cell in end_slots(grid, at, count) {
        let unit = UnitState::recruit(kind, cell, &mut dice.0).spawn(&mut commands, &mut registry, &tilemap);
        begin_life(&mut commands.entity(unit), kind, &fields);
    }
}
