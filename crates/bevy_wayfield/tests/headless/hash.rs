//! The hash of the state: the same for any executor and any order of submission, another for another run.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::TaskPoolBuilder;
use bevy_wayfield::{Executor, Mover, PathRequest, PathfindingHash, SimId, Tilemap};
use wayfield::{Algorithm, Cell, CornerRule, Link, TerrainId};

use crate::world::{Dice, Game, PLAIN, WALL, foot, scattered};

fn pool(threads: usize) -> Executor {
    Executor::Pool(Arc::new(TaskPoolBuilder::new().num_threads(threads).build()))
}

/// The hash after every tick of a game of 60 units with names of their own. `salt` shuffles in which order they are
/// spawned, and in which order the orders of a tick are given: nothing that may be seen.
fn hashes(executor: Executor, salt: u32, seed: u64, ticks: u64) -> Vec<u64> {
    let mut dice = Dice::new(seed);
    let mut map = scattered(&mut dice, 64, 40);
    map.add_link(Link::new(Cell::new(3, 3), Cell::new(60, 36), 9)).ok();
    let mut game = Game::new(Some(Tilemap::new(map, vec![foot(CornerRule::BothFree)])));
    game.app.init_resource::<PathfindingHash>();
    game.settings().executor = executor;
    game.settings().searches_per_tick = 12;
    game.settings().expansions_per_tick = 4_000;
    game.answers_take(2);
    let mut shuffle = Dice::new(u64::from(salt));
    let mut shuffled = |count: usize| {
        let mut places: Vec<_> = (0..count).collect();
        if salt > 0 {
            (1..count).rev().for_each(|last| places.swap(last, shuffle.below(last as u32 + 1) as usize));
        }
        places
    };
    let starts: Vec<_> = (0..60).map(|_| dice.free_cell(game.map())).collect();
    let mut units = vec![Entity::PLACEHOLDER; 60];
    for number in shuffled(60) {
        let at = game.at(starts[number]);
        units[number] = game.spawn((at, Mover::new(3.0 + number as f32 % 4.0), SimId(number as u64)));
    }
    let mut seen = Vec::new();
    for tick in 0..ticks {
        if dice.below(6) == 0 {
            let cells: Vec<_> = (0..5).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
            game.paint(cells, [WALL, PLAIN, TerrainId(4)][dice.below(3) as usize]);
        }
        let mut orders = Vec::new();
        for _ in 0..dice.below(3) {
            let goal = dice.cell(game.map());
            orders.push((dice.below(60) as usize, PathRequest::to(goal).priority(dice.below(3) as i32)));
        }
        if tick % 40 == 7 {
            // A squad, which shares a search; every other time over clusters.
            let goal = dice.free_cell(game.map());
            let algorithm = [Algorithm::AStar, Algorithm::HpaStar][(tick / 40 % 2) as usize];
            let first = dice.below(45) as usize;
            orders.extend((first..first + 12).map(|unit| (unit, PathRequest::to(goal).algorithm(algorithm).nearest())));
        }
        // Of two orders for one unit the later one counts.
        orders.sort_by_key(|&(unit, _)| unit);
        orders.dedup_by_key(|&mut (unit, _)| unit);
        for place in shuffled(orders.len()) {
            let (unit, request) = orders[place].clone();
            game.order(units[unit], request);
        }
        game.tick();
        seen.push(game.app.world().resource::<PathfindingHash>().value());
    }
    assert!(game.stats().reached > 9 && game.stats().replans > 5, "{:?}", game.stats());
    seen
}

#[test]
fn hashes_are_equal_whatever_the_threads_and_the_order_of_submission() {
    let usual = hashes(Executor::Inline, 0, 1, 2000);
    for (executor, salt) in [(pool(1), 1), (pool(2), 2), (pool(8), 3), (Executor::AsyncCompute, 4)] {
        let other = hashes(executor, salt, 1, 2000);
        let first = usual.iter().zip(&other).position(|(one, other)| one != other);
        assert_eq!(first, None, "salt {salt}");
    }
    let mut distinct = usual.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), usual.len(), "it goes on with every tick");
}

#[test]
fn another_run_has_another_hash() {
    assert_ne!(hashes(Executor::Inline, 0, 1, 300).last(), hashes(Executor::Inline, 0, 2, 300).last());
}
