//! The player's orders.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield::wayfield::{Cell, Heuristic, nearest_cell};
use bevy_wayfield::{PathRequest, PathfindingSettings, Tilemap};
use bevy_wayfield_egui::{Comparison, MapPointer, Question, TerrainBrush};

use super::keys::{Action, Actions};
use super::lens::Lens;
use super::selection::{Selection, nearest};
use super::{Targeting, brush::Hand};
use crate::game::life::OreNode;
use crate::game::orders::{Order, Orders, to_cell};
use crate::game::terrain::FOOT;
use crate::game::units::UnitKind;

/// The marks of an order, for whoever draws: where it leads, and whether one can get there.
#[derive(Resource, Default)]
pub struct Marks(pub Vec<(Vec2, bool)>);

/// Orders that need no place.
pub fn keys(
    actions: Res<Actions>,
    selection: Res<Selection>,
    mut targeting: ResMut<Targeting>,
    mut units: Query<&mut Orders>,
) {
    for action in actions.iter() {
        let order = match action {
            Action::AttackMove => {
                *targeting = Targeting::AttackMove;
                continue;
            }
            Action::Patrol => {
                *targeting = Targeting::Patrol;
                continue;
            }
            Action::Stop => None,
            Action::Hold => Some(Order::Hold),
            Action::Flee => Some(Order::Flee),
            Action::Gather => Some(Order::Gather(None)),
            _ => continue,
        };
        *targeting = Targeting::Nothing;
        for &unit in selection.units() {
            let Ok(mut orders) = units.get_mut(unit) else { continue };
            match order {
                Some(order) => orders.give(order, actions.shift),
                None => orders.stop(),
            }
        }
    }
}

/// What lies under the pointer, for an order.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Target<'w, 's> {
    units: Query<'w, 's, (Entity, &'static UnitKind, &'static Transform)>,
    nodes: Query<'w, 's, &'static OreNode>,
}

/// What a right click means for units of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Chase(Entity),
    Follow(Entity),
    Gather(Cell),
    Go,
}

impl Target<'_, '_> {
    fn meaning(&self, at: Vec2, cell: Cell, selection: &Selection) -> Meaning {
        let all = self.units.iter().map(|(entity, _, place)| (entity, place.translation.truncate()));
        let hit = nearest(all.filter(|(entity, _)| !selection.contains(*entity)), at);
        match hit.and_then(|hit| self.units.get(hit).ok()) {
            Some((entity, UnitKind::Raider, _)) => Meaning::Chase(entity),
            Some((entity, ..)) => Meaning::Follow(entity),
            None if self.nodes.iter().any(|node| node.cell.chebyshev(cell) <= 1) => {
                let node = self.nodes.iter().map(|node| node.cell).min_by_key(|node| node.chebyshev(cell));
                Meaning::Gather(node.unwrap_or(cell))
            }
            None => Meaning::Go,
        }
    }
}

/// A right click gives the order that fits what is under it; a left click the one that waits for a place.
pub fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    actions: Res<Actions>,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    hand: Res<Hand>,
    mut targeting: ResMut<Targeting>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    selection: Res<Selection>,
    tilemap: Res<Tilemap>,
    settings: Res<PathfindingSettings>,
    target: Target,
    mut units: Query<(Entity, &UnitKind, &mut Orders)>,
    mut marks: ResMut<Marks>,
    mut comparison: ResMut<Comparison>,
) {
    if brush.terrain.is_some() || hand.spawns.is_some() {
        return;
    }
    let pressed = |button| buttons.just_pressed(button) && pointer.pressed_on_map(button).is_some();
    let (left, right) = (pressed(MouseButton::Left), pressed(MouseButton::Right));
    let aimed = std::mem::take(targeting.bypass_change_detection());
    let is_order = right || left && aimed != Targeting::Nothing;
    if !is_order {
        *targeting.bypass_change_detection() = aimed;
        return;
    }
    targeting.set_changed();
    let Some(at) = window.cursor_position().map(|cursor| lens.to_world(cursor, window.size())) else { return };
    let (Some(cell), Some(grid)) = (tilemap.world_to_cell(at), tilemap.grid(FOOT)) else { return };
    let places: Vec<_> = selection
        .units()
        .iter()
        .filter_map(|&unit| target.units.get(unit).ok())
        .map(|(.., at)| at.translation.truncate())
        .collect();
    let Some(start) = places.first().and_then(|&place| tilemap.world_to_cell(place)) else { return };
    let meaning = if aimed == Targeting::Nothing { target.meaning(at, cell, &selection) } else { Meaning::Go };

    let mut walkers = Vec::new();
    for &unit in selection.units() {
        let Ok((_, &kind, mut orders)) = units.get_mut(unit) else { continue };
        match (meaning, kind) {
            (Meaning::Chase(raider), UnitKind::Soldier) => orders.give(Order::Chase(raider), actions.shift),
            (Meaning::Follow(other), _) => orders.give(Order::Follow(other), actions.shift),
            (Meaning::Gather(node), UnitKind::Worker) => orders.give(Order::Gather(Some(node)), actions.shift),
            _ => walkers.push(unit),
        }
    }
    let mut orders = units.iter_mut().filter(|(entity, ..)| walkers.contains(entity)).collect::<Vec<_>>();
    // In the order of the selection, whatever that of memory is.
    orders.sort_by_key(|(entity, ..)| walkers.iter().position(|unit| unit == entity));
    let place =
        |unit| target.units.get(unit).ok().and_then(|(.., at)| tilemap.world_to_cell(at.translation.truncate()));
    let orders = orders.into_iter().map(|(entity, _, orders)| (place(entity).unwrap_or(cell), orders));
    match aimed {
        Targeting::Nothing => to_cell(grid, orders, cell, actions.shift, Order::Move),
        Targeting::AttackMove => to_cell(grid, orders, cell, actions.shift, Order::AttackMove),
        Targeting::Patrol => to_cell(grid, orders, cell, actions.shift, |to| Order::Patrol { to, back: start }),
    }
    marks.0.extend(mark_of(&tilemap, start, cell));
    let request = PathRequest::to(cell).class(FOOT).nearest().allow_partial();
    if let Some(question) = Question::of(&request, FOOT, start, &settings, &tilemap) {
        comparison.begin(question, &tilemap);
    }
}

/// A mark where an order leads; if one cannot get there, another one where its way will end.
fn mark_of(tilemap: &Tilemap, start: Cell, goal: Cell) -> Vec<(Vec2, bool)> {
    let Some(grid) = tilemap.grid(FOOT) else { return Vec::new() };
    let is_reachable = |cell| grid.is_reachable(start, cell);
    if is_reachable(goal) {
        return vec![(tilemap.cell_to_world(goal), true)];
    }
    let near = nearest_cell(grid.size(), goal, Heuristic::of_rule(grid.corner_rule()), is_reachable);
    let mut marks = vec![(tilemap.cell_to_world(goal), false)];
    marks.extend(near.map(|(_, cell)| (tilemap.cell_to_world(cell), true)));
    marks
}
