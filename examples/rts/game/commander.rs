//! A script in the player's place: orders, paint, other algorithms.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Algorithm, Cell, TerrainId, TerrainMap};
use bevy_wayfield::{PathfindingSettings, Planner, SimId, Tilemap};
use rand::Rng;

use super::orders::{Order, Orders, to_cell};
use super::terrain::{FOOT, FOREST, SWAMP, WALL, disc};
use super::units::{Dice, Town, UnitKind};

/// The script's soldiers march in this many squads, in turn, at most this many cells at a time.
const SQUADS: u64 = 4;
const MARCH: u32 = 32;

/// A script that orders squads about, paints terrain and switches the algorithm. Runs where nobody plays.
#[derive(Resource, Default)]
pub struct Commander {
    /// What it painted, oldest first: when and where.
    painted: VecDeque<(u64, Vec<Cell>)>,
    /// What was there before anybody painted.
    base: Option<TerrainMap>,
}

pub fn command(
    mut commander: ResMut<Commander>,
    mut settings: ResMut<PathfindingSettings>,
    mut tilemap: ResMut<Tilemap>,
    planner: Res<Planner>,
    mut soldiers: Query<(&SimId, &UnitKind, &mut Orders, &Transform)>,
    town: Res<Town>,
    mut dice: ResMut<Dice>,
) {
    let tick = planner.tick();
    if tick % 75 == 5 {
        let squad = (tick / 75) % SQUADS;
        let is_member = |id: &SimId, kind: &UnitKind| *kind == UnitKind::Soldier && id.0 % SQUADS == squad;
        let mut members: Vec<_> = soldiers.iter_mut().filter(|(id, kind, ..)| is_member(id, kind)).collect();
        members.sort_unstable_by_key(|(id, ..)| **id);
        let leader = members.first().and_then(|(.., at)| tilemap.world_to_cell(at.translation.truncate()));
        if let (Some(leader), Some(grid)) = (leader, tilemap.grid(FOOT)) {
            let goal = town.0.random_near(leader, MARCH, &mut dice.0);
            let order = if tick / 75 % 3 == 2 { Order::AttackMove } else { Order::Move };
            let cell = |at: &Transform| tilemap.world_to_cell(at.translation.truncate()).unwrap_or(goal);
            let members = members.into_iter().map(|(_, _, orders, at)| (cell(at), orders));
            to_cell(grid, members, goal, false, order);
        }
    }
    if tick % 100 == 50 {
        let terrain = [WALL, FOREST, SWAMP][(tick / 100 % 3) as usize];
        let centre = town.0.random(&mut dice.0);
        let radius = dice.0.random_range(1..=3);
        let is_place = |cell: Cell| [town.0.village, town.0.camp].iter().any(|place| place.chebyshev(cell) <= 2);
        let size = tilemap.size();
        let cells: Vec<_> = disc(centre, radius).filter(|&cell| size.contains(cell) && !is_place(cell)).collect();
        commander.base.get_or_insert_with(|| tilemap.terrain().clone());
        paint(&mut tilemap, cells.iter().map(|&cell| (cell, terrain)));
        commander.painted.push_back((tick, cells));
    }
    // What was painted 10 seconds ago is taken back.
    while let Some((_, cells)) = commander.painted.pop_front_if(|(when, _)| *when + 300 <= tick) {
        let base = commander.base.as_ref();
        paint(&mut tilemap, cells.into_iter().filter_map(|cell| Some((cell, base?.terrain(cell)?))));
    }
    if tick % 450 == 449 {
        let next = (tick / 450 + 1) as usize % Algorithm::ALL.len();
        settings.algorithm = Algorithm::ALL[next];
    }
}

/// Paints cells of the map.
pub fn paint(tilemap: &mut Tilemap, edits: impl IntoIterator<Item = (Cell, TerrainId)>) {
    if let Err(outside) = tilemap.edit(edits) {
        warn!("{outside}");
    }
}
