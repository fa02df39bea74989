//! Workers that gather: one at a source, to the nearest one by way, home, and out again.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use bevy::prelude::*;
use bevy_wayfield::{
    Deposited, DijkstraMaps, Field, FieldId, FieldSource, Gather, GatherStage, Gathered, Mover, PathRequest, SimId,
    SourceGroup,
};
use wayfield::{Cell, CornerRule};

use crate::world::{FOOT, Game, PLAIN, TICKS_PER_SECOND, WALL};

/// Who gathered and deposited, and when.
#[derive(Resource, Default)]
struct Book {
    gathered: Vec<(Entity, Cell)>,
    deposited: Vec<(Entity, u64)>,
    tick: u64,
}

fn define(game: &mut Game, name: &str, field: Field) -> FieldId {
    game.app.world_mut().resource_mut::<DijkstraMaps>().define(name, field)
}

/// Ore and a depot, with books kept.
fn fields(game: &mut Game, ore: &[(i32, i32)], depot: (i32, i32)) -> (FieldId, FieldId) {
    let world = game.app.world_mut();
    world.init_resource::<Book>();
    world.add_observer(|event: On<Gathered>, mut book: ResMut<Book>| book.gathered.push((event.entity, event.cell)));
    world.add_observer(|event: On<Deposited>, mut book: ResMut<Book>| {
        let tick = book.tick;
        book.deposited.push((event.entity, tick));
    });
    game.app.add_systems(FixedFirst, |mut book: ResMut<Book>| book.tick += 1);
    let ore = define(game, "ore", Field::seek(FOOT).cells(ore.iter().map(|&cell| Cell::from(cell))));
    let depot = define(game, "depot", Field::seek(FOOT).cells([Cell::from(depot)]));
    (ore, depot)
}

fn worker(game: &mut Game, cell: (i32, i32), id: u64, gather: Gather) -> Entity {
    let at = game.at(cell);
    // One cell a tick.
    game.spawn((at, Mover::new(TICKS_PER_SECOND as f32), SimId(id), gather))
}

fn stage(game: &Game, worker: Entity) -> GatherStage {
    game.app.world().get::<Gather>(worker).unwrap().stage()
}

fn book(game: &Game) -> &Book {
    game.app.world().resource()
}

#[test]
fn a_loop_takes_what_arithmetic_says() {
    let mut game = Game::drawn(&["D.........", "..........", ".........O"], CornerRule::Never);
    let (ore, depot) = fields(&mut game, &[(9, 2)], (0, 0));
    game.ticks(2);
    let worker = worker(&mut game, (0, 0), 1, Gather::new(ore, depot).digging(20).unloading(10));
    game.ticks(600);
    let ticks: Vec<_> = book(&game).deposited.iter().map(|&(_, tick)| tick).collect();
    let cycles: Vec<_> = ticks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // 11 cells out, 20 to dig, 11 back, 10 to unload; and a tick each for the answer to the order, for the start of the digging,
    // and for that of the unloading.
    assert!(cycles.len() >= 9, "{ticks:?}");
    assert!(cycles.iter().all(|&cycle| cycle == cycles[0]), "{cycles:?}");
    assert!((52..=56).contains(&cycles[0]), "{cycles:?}");
    assert!(book(&game).gathered.iter().all(|&(entity, cell)| entity == worker && cell == Cell::new(9, 2)));
}

#[test]
fn each_source_has_one_worker() {
    let mut game = Game::open(30, 10, CornerRule::BothFree);
    let sources = [(20, 2), (20, 3), (20, 4), (28, 9), (25, 0)];
    let (ore, depot) = fields(&mut game, &sources, (1, 1));
    game.ticks(2);
    let gather = Gather::new(ore, depot).digging(15).unloading(2);
    let workers: Vec<_> = (0..8).map(|id| worker(&mut game, (2 + id as i32 % 4, 3), id, gather.clone())).collect();
    for _ in 0..600 {
        game.tick();
        let mut claims: Vec<_> =
            workers.iter().filter_map(|&worker| game.app.world().get::<Gather>(worker).unwrap().claim()).collect();
        let all = claims.len();
        claims.sort_unstable();
        claims.dedup();
        assert_eq!(claims.len(), all, "two workers claim one source");
    }
    assert!(book(&game).deposited.len() > 30, "{}", book(&game).deposited.len());
    for worker in workers {
        assert!(book(&game).deposited.iter().any(|&(entity, _)| entity == worker), "{worker} has brought nothing");
    }
    for source in sources {
        assert!(book(&game).gathered.iter().any(|&(_, cell)| cell == Cell::from(source)), "nobody came to {source:?}");
    }
}

#[test]
fn the_nearest_by_way_is_the_nearest() {
    // Six cells away through the wall, and nine along the ground.
    let mut game = Game::drawn(&["w.###..", "..#a#..", "..###..", "......b"], CornerRule::Never);
    let (ore, depot) = fields(&mut game, &[(3, 1), (6, 3)], (0, 3));
    let worker = worker(&mut game, (0, 0), 1, Gather::new(ore, depot).digging(3));
    game.until(60, |game| book(game).deposited.len() == 1);
    assert_eq!(book(&game).gathered, [(worker, Cell::new(6, 3))]);
    // When the wall opens the next choice is another one.
    game.paint([(2, 1)], PLAIN);
    game.until(60, |game| book(game).deposited.len() == 3);
    assert_eq!(book(&game).gathered.last(), Some(&(worker, Cell::new(3, 1))));
}

#[test]
fn a_claim_ends_with_who_has_it() {
    let mut game = Game::open(20, 3, CornerRule::Never);
    let (ore, depot) = fields(&mut game, &[(19, 1)], (0, 1));
    game.ticks(2);
    let gather = Gather::new(ore, depot).digging(5);
    let first = worker(&mut game, (10, 1), 1, gather.clone());
    let second = worker(&mut game, (1, 1), 2, gather);
    game.ticks(4);
    assert_eq!(stage(&game, first), GatherStage::Going(Cell::new(19, 1)));
    assert_eq!(stage(&game, second), GatherStage::Seeking, "there is nothing left for it");
    game.despawn(first);
    game.until(60, |game| book(game).deposited.len() == 1);
    assert_eq!(book(&game).deposited[0].0, second);
}

#[test]
fn a_source_that_is_walled_in_or_taken_away_on_the_way_is_given_up() {
    let mut game = Game::open(20, 3, CornerRule::Never);
    let (ore, depot) = fields(&mut game, &[(19, 1)], (0, 1));
    game.ticks(2);
    let worker = worker(&mut game, (5, 1), 1, Gather::new(ore, depot));
    game.ticks(4);
    assert!(matches!(stage(&game, worker), GatherStage::Going(_)));
    game.paint([(18, 1), (19, 0), (19, 2)], WALL);
    game.ticks(6);
    assert_eq!(stage(&game, worker), GatherStage::Seeking);
    game.paint([(18, 1)], PLAIN);
    game.ticks(3);
    assert!(matches!(stage(&game, worker), GatherStage::Going(_)));
    game.app.world_mut().resource_mut::<DijkstraMaps>().set_cells(ore, [] as [Cell; 0]);
    game.ticks(3);
    assert_eq!(stage(&game, worker), GatherStage::Seeking);
    assert!(!game.app.world().entity(worker).contains::<PathRequest>());
    let here = game.position(worker);
    game.ticks(20);
    assert_eq!(game.position(worker), here, "without any ore it stands");
}

#[test]
fn an_order_of_the_games_comes_first() {
    let mut game = Game::open(20, 5, CornerRule::Never);
    let (ore, depot) = fields(&mut game, &[(19, 1)], (0, 1));
    game.ticks(2);
    let worker = worker(&mut game, (5, 1), 1, Gather::new(ore, depot));
    game.ticks(4);
    game.go(worker, (5, 4));
    game.until(40, |game| game.cell(worker) == Cell::new(5, 4));
    game.until(80, |game| !book(game).deposited.is_empty());
}

#[test]
fn ore_and_depots_may_be_entities() {
    const ORE: SourceGroup = SourceGroup(5);
    const DEPOT: SourceGroup = SourceGroup(6);
    let mut game = Game::open(20, 5, CornerRule::BothFree);
    let _ = fields(&mut game, &[], (0, 0));
    let ore = define(&mut game, "rocks", Field::seek(FOOT).group(ORE));
    let depot = define(&mut game, "houses", Field::seek(FOOT).group(DEPOT));
    let [rock, _] = [((18, 3), ORE), ((1, 1), DEPOT)].map(|(cell, group)| {
        let at = game.at(cell);
        game.spawn((at, FieldSource::new(group)))
    });
    let worker = worker(&mut game, (5, 1), 1, Gather::new(ore, depot).digging(2).unloading(2));
    game.until(120, |game| book(game).deposited.len() == 2);
    assert_eq!(book(&game).gathered, [(worker, Cell::new(18, 3)); 2]);

    // Who is on the way to a rock that goes turns round.
    game.until(120, |game| matches!(stage(game, worker), GatherStage::Going(_)));
    game.despawn(rock);
    game.ticks(3);
    assert_eq!(stage(&game, worker), GatherStage::Seeking);
    assert!(!game.app.world().entity(worker).contains::<PathRequest>());
}
