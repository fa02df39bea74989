//! Orders to soldiers: by the player, or by a script.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Algorithm, Cell, CostGrid, TerrainId, TerrainMap, end_slots};
use bevy_wayfield::{PathRequest, PathfindingSettings, Planner, SimId, Tilemap};
use rand::Rng;

use crate::terrain::{FOOT, FOREST, SWAMP, WALL, disc};
use crate::units::{Dice, Town, UnitKind};

/// Sends units to a cell; each gets an end of its own around it.
pub fn send(commands: &mut Commands, grid: &CostGrid, units: &[Entity], goal: Cell) {
    let slots = end_slots(grid, goal, units.len());
    // More units than there is room for share it.
    for (&unit, &slot) in units.iter().zip(slots.iter().cycle()) {
        commands.entity(unit).try_insert(PathRequest::to(slot).class(FOOT).nearest().allow_partial());
    }
}

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
    mut commands: Commands,
    mut commander: ResMut<Commander>,
    mut settings: ResMut<PathfindingSettings>,
    mut tilemap: ResMut<Tilemap>,
    planner: Res<Planner>,
    soldiers: Query<(Entity, &SimId, &UnitKind, &Transform)>,
    town: Res<Town>,
    mut dice: ResMut<Dice>,
) {
    let tick = planner.tick();
    if tick % 75 == 5 {
        let squad = (tick / 75) % SQUADS;
        let soldiers = soldiers.iter().filter(|(_, id, kind, _)| **kind == UnitKind::Soldier && id.0 % SQUADS == squad);
        let mut members: Vec<_> =
            soldiers.map(|(entity, id, _, at)| (*id, entity, at.translation.truncate())).collect();
        members.sort_unstable_by_key(|&(id, ..)| id);
        let leader = members.first().and_then(|&(.., at)| tilemap.world_to_cell(at));
        if let (Some(leader), Some(grid)) = (leader, tilemap.grid(FOOT)) {
            let members: Vec<_> = members.into_iter().map(|(_, entity, _)| entity).collect();
            let goal = town.0.random_near(leader, MARCH, &mut dice.0);
            send(&mut commands, grid, &members, goal);
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
