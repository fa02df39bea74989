//! Everything at once, for long: units come and go, orders, edits, obstacles, links, maps and settings.

use bevy::prelude::*;
use bevy_wayfield::{Delivery, Mover, Obstacle, PathGoal, PathRequest, PathfindingHash, Tilemap};
use wayfield::{Algorithm, Cell, CornerRule, Link, LinkId, TerrainId};

use crate::world::{Dice, Game, Kind, PLAIN, WALL, foot, scattered};

/// What may happen in a tick.
fn happen(game: &mut Game, dice: &mut Dice, units: &mut Vec<Entity>, obstacles: &mut Vec<Entity>, links: &mut u32) {
    let unit = units[dice.below(units.len() as u32) as usize];
    match dice.below(100) {
        0..=39 => {
            let goal: PathGoal = match dice.below(6) {
                0 => units[dice.below(units.len() as u32) as usize].into(),
                1 => Vec2::new(dice.below(70) as f32 - 5.0, dice.below(50) as f32 - 5.0).into(),
                _ => dice.cell(game.map()).into(),
            };
            let request = PathRequest::to(goal).priority(dice.below(4) as i32);
            let request = match dice.below(6) {
                0 => request.nearest(),
                1 => request.allow_partial().max_expansions(u64::from(dice.below(200))),
                2 => request.algorithm(Algorithm::ALL[dice.below(Algorithm::ALL.len() as u32) as usize]),
                _ => request,
            };
            game.order(unit, request);
        }
        40..=44 => game.cancel(unit),
        45..=49 => {
            game.despawn(unit);
            units.retain(|&other| other != unit);
        }
        50..=59 => {
            let at = game.at(dice.cell(game.map()));
            units.push(game.spawn((at, Mover::new(1.0 + dice.below(9) as f32))));
        }
        60..=79 => {
            let cells: Vec<_> = (0..4).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
            game.paint(cells, [WALL, PLAIN, PLAIN, TerrainId(6)][dice.below(4) as usize]);
        }
        80..=84 => {
            let at = game.at(dice.cell(game.map()));
            let (width, height) = (1 + dice.below(4), 1 + dice.below(3));
            obstacles.push(game.spawn((at, Obstacle::new(width, height, WALL))));
        }
        85..=89 => {
            if !obstacles.is_empty() {
                let obstacle = obstacles.swap_remove(dice.below(obstacles.len() as u32) as usize);
                game.despawn(obstacle);
            }
        }
        90..=93 => {
            let (from, to) = (dice.cell(game.map()), dice.cell(game.map()));
            if *links < 8 && game.map_mut().add_link(Link::new(from, to, 1 + dice.below(20))).is_ok() {
                *links += 1;
            }
        }
        94..=96 => {
            if *links > 0 {
                let link = LinkId(dice.below(*links));
                game.map_mut().set_link_open(link, dice.below(2) == 0).ok();
            }
        }
        97 => {
            let (one, two) = (dice.cell(game.map()), dice.below(2) as i32);
            game.map_mut().set_fence(one, Cell::new(one.x + two, one.y + 1 - two), dice.below(3) > 0).ok();
        }
        98 => {
            let algorithm = Algorithm::ALL[dice.below(Algorithm::ALL.len() as u32) as usize];
            let mut settings = game.settings();
            settings.algorithm = algorithm;
            settings.searches_per_tick = 1 + dice.below(20) as usize;
            settings.max_queued = 1 + dice.below(60) as usize;
            settings.replan_for_openings = dice.below(2) == 0;
        }
        _ => {
            let (width, height) = (40 + dice.below(30) as usize, 30 + dice.below(20) as usize);
            let map = scattered(dice, width, height);
            game.map_mut().replace(map);
            *links = 0;
        }
    }
}

/// Runs a game and checks after every tick what must hold; returns its hash at the end.
fn run(seed: u64, ticks: u64, delivery: Delivery) -> u64 {
    let mut dice = Dice::new(seed);
    let map = scattered(&mut dice, 60, 40);
    let rule = CornerRule::ALL[dice.below(4) as usize];
    let mut game = Game::new(Some(Tilemap::new(map, vec![foot(rule)])));
    game.app.init_resource::<PathfindingHash>();
    game.settings().delivery = delivery;
    let mut units = Vec::new();
    for _ in 0..40 {
        let cell = dice.free_cell(game.map());
        units.push(game.unit(cell, 5.0));
    }
    let (mut obstacles, mut links) = (Vec::new(), 0);
    for tick in 0..ticks {
        for _ in 0..dice.below(4) {
            happen(&mut game, &mut dice, &mut units, &mut obstacles, &mut links);
            if units.len() < 20 {
                let cell = dice.free_cell(game.map());
                units.push(game.unit(cell, 3.0));
            }
        }
        // The game checks after every tick that nobody has walked into a wall or off its way.
        game.tick();
        let stats = game.stats();
        let standing = game.app.world_mut().query::<&PathRequest>().iter(game.app.world()).count() as u64;
        let ended = stats.reached + stats.partial_ends + stats.replaced + stats.withdrawn + stats.lost;
        assert_eq!(stats.orders, ended + standing, "after {tick} ticks: {stats:?}");
        let limit = game.settings().max_queued;
        assert!(
            game.planner().queued() <= limit.max(units.len()),
            "{} of {limit} in the queue",
            game.planner().queued()
        );
    }
    // Each order ends once.
    let mut ends: Vec<_> =
        game.log().iter().filter(|said| matches!(said.kind, Kind::Reached | Kind::PartialEnd)).collect();
    let count = ends.len();
    ends.sort_by_key(|said| (said.entity, said.order));
    ends.dedup_by_key(|said| (said.entity, said.order));
    assert_eq!(ends.len(), count, "an order has ended twice");
    assert!(count > ticks as usize / 40, "{count} orders ended");
    game.app.world().resource::<PathfindingHash>().value()
}

#[test]
fn a_long_run_keeps_its_books() {
    for seed in 1..=4 {
        run(seed, 1500, Delivery::AsReady);
    }
}

#[test]
fn a_long_run_is_the_same_again() {
    assert_eq!(run(9, 1000, Delivery::AfterTicks(3)), run(9, 1000, Delivery::AfterTicks(3)));
}
