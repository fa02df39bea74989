//! When answers come: the same run on any executor, and budgets that are kept.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::{TaskPool, TaskPoolBuilder};
use bevy_wayfield::{
    Delivery, DijkstraMaps, Executor, Field, FieldSource, FollowField, PathRequest, PathStatus, PathfindingSystems,
    Planner, SourceGroup, Tilemap,
};
use wayfield::{Algorithm, Cell, CornerRule, FleeScale, TerrainId};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, WALL, foot, scattered};

fn pool(threads: usize) -> Executor {
    let pool: TaskPool = TaskPoolBuilder::new().num_threads(threads).build();
    Executor::Pool(Arc::new(pool))
}

/// A game of 100 units, its orders and edits from dice, and after every tick a number that says all there is to see.
fn trace(executor: Executor, seed: u64, ticks: u64) -> (Vec<u64>, Game) {
    let mut dice = Dice::new(seed);
    let map = scattered(&mut dice, 48, 48);
    let mut game = Game::new(Some(Tilemap::new(map, vec![foot(CornerRule::BothFree)])));
    game.settings().executor = executor;
    game.settings().searches_per_tick = 5;
    game.settings().expansions_per_tick = 2_000;
    game.settings().batch_size = 3;
    game.answers_take(3);
    let team = SourceGroup(0);
    let mut maps = game.app.world_mut().resource_mut::<DijkstraMaps>();
    let chase = maps.define("chase", Field::seek(FOOT).group(team).every(5));
    let flee = maps.define("flee", Field::flee(FOOT, FOOT, FleeScale::default()).group(team).every(7));
    let units: Vec<_> = (0..100)
        .map(|index| {
            let start = dice.free_cell(game.map());
            let unit = game.unit(start, 2.0 + dice.below(6) as f32);
            let mut unit = game.app.world_mut().entity_mut(unit);
            match index % 5 {
                3 => drop(unit.insert(FollowField::new(chase))),
                4 => drop(unit.insert(FollowField::new(flee))),
                _ if index < 3 => drop(unit.insert(FieldSource::new(team))),
                _ => {}
            }
            unit.id()
        })
        .collect();
    let mut seen = Vec::new();
    let mut said = 0;
    for _ in 0..ticks {
        if dice.below(10) == 0 {
            let cells: Vec<_> = (0..6).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
            let terrain = [WALL, PLAIN, TerrainId(5)][dice.below(3) as usize];
            game.paint(cells, terrain);
        }
        for _ in 0..dice.below(4) {
            let unit = units[dice.below(100) as usize];
            let request = PathRequest::to(dice.cell(game.map())).priority(dice.below(3) as i32);
            match dice.below(8) {
                0 => game.cancel(unit),
                1 => game.order(unit, request.max_expansions(60).allow_partial()),
                2 => game.order(unit, request.nearest()),
                3 => game.order(unit, request.algorithm(Algorithm::Dijkstra)),
                _ => game.order(unit, request),
            }
        }
        if dice.below(12) == 0 {
            // A squad, which shares a search; some of it think better of it while that is in flight.
            let goal = dice.free_cell(game.map());
            let cap = [40, 100_000][dice.below(2) as usize];
            for unit in &units[10..22] {
                game.order(*unit, PathRequest::to(goal).priority(5).max_expansions(cap));
            }
            game.tick();
            for unit in &units[10..10 + dice.below(12) as usize] {
                game.cancel(*unit);
            }
        }
        game.tick();
        let mut hasher = DefaultHasher::new();
        for &unit in &units {
            let at = game.position(unit);
            (at.x.to_bits(), at.y.to_bits(), format!("{:?}", game.status(unit))).hash(&mut hasher);
        }
        for event in &game.log()[said..] {
            let place = units.iter().position(|&unit| unit == event.entity);
            (place, event.tick, event.order, event.cost, event.reason).hash(&mut hasher);
            format!("{:?}", event.kind).hash(&mut hasher);
        }
        said = game.log().len();
        let stats = bevy_wayfield::PlannerStats { waits: 0, expansions_inline: 0, ..game.stats() };
        format!("{stats:?} {} {}", game.planner().queued(), game.planner().in_flight()).hash(&mut hasher);
        let maps = game.app.world().resource::<DijkstraMaps>();
        (maps.version(chase), maps.version(flee)).hash(&mut hasher);
        seen.push(hasher.finish());
    }
    (seen, game)
}

#[test]
fn after_fixed_ticks_the_same_run_is_the_same_on_any_executor() {
    let (expected, game) = trace(Executor::Inline, 42, 600);
    // Something of everything happened.
    for kind in [Kind::Ready, Kind::Partial, Kind::Failed, Kind::Invalidated, Kind::Reached, Kind::PartialEnd] {
        assert!(game.count(kind) > 10, "{kind:?}: {}", game.count(kind));
    }
    assert!(game.stats().cancelled > 0 && game.stats().stale > 0, "{:?}", game.stats());
    for executor in [Executor::AsyncCompute, pool(1), pool(2), pool(8)] {
        let name = format!("{executor:?}");
        let (seen, _) = trace(executor, 42, 600);
        let differs = expected.iter().zip(&seen).position(|(one, other)| one != other);
        assert_eq!(differs, None, "the tick in which {name} differs");
    }
    assert_ne!(trace(Executor::Inline, 43, 20).0, expected[..20], "another seed is another game");
}

#[test]
fn as_soon_as_ready_everybody_is_answered_too() {
    for executor in [Executor::AsyncCompute, pool(1), pool(4), Executor::Inline] {
        let mut dice = Dice::new(6);
        let map = scattered(&mut dice, 40, 40);
        let mut game = Game::new(Some(Tilemap::new(map, vec![foot(CornerRule::BothFree)])));
        game.settings().executor = executor;
        let maps = &mut game.app.world_mut().resource_mut::<DijkstraMaps>();
        let field = maps.define("field", Field::seek(FOOT).cells([Cell::new(0, 0), Cell::new(39, 39)]));
        let units: Vec<_> = (0..80)
            .map(|_| {
                let start = dice.free_cell(game.map());
                let unit = game.unit(start, 12.0);
                let goal = dice.free_cell(game.map());
                game.order(unit, PathRequest::to(goal).nearest());
                unit
            })
            .collect();
        // How long a task takes is the machine's business: wait for the answers, not for a number of ticks.
        let mut patience = 0;
        while game.count(Kind::Ready) + game.count(Kind::Partial) < units.len() {
            game.tick();
            std::thread::sleep(std::time::Duration::from_millis(1));
            patience += 1;
            assert!(patience < 20_000, "{:?}", game.stats());
        }
        assert!(units.iter().all(|&unit| game.told(unit).len() <= 2));
        game.until(600, |game| game.count(Kind::Reached) + game.count(Kind::PartialEnd) == units.len());
        assert!(game.app.world().resource::<DijkstraMaps>().get(field).is_some());
    }
}

#[test]
fn an_answer_comes_neither_early_nor_late() {
    for executor in [Executor::Inline, Executor::AsyncCompute, pool(2)] {
        for ticks in [0, 1, 2, 7] {
            let mut game = Game::open(60, 60, CornerRule::BothFree);
            game.settings().executor = executor.clone();
            game.answers_take(ticks);
            game.ticks(4);
            let unit = game.unit((0, 0), 1.0);
            game.go(unit, (59, 59));
            game.until_told(unit, Kind::Ready, 20);
            assert_eq!(game.last(unit).tick, 5 + u64::from(ticks));
        }
    }
}

#[test]
fn the_settings_may_change_while_searches_are_in_flight() {
    let mut game = Game::open(60, 60, CornerRule::BothFree);
    let executors = [Executor::Inline, pool(1), Executor::AsyncCompute, Executor::Inline, pool(2)];
    let deliveries = [Delivery::AfterTicks(9), Delivery::AsReady, Delivery::AfterTicks(0), Delivery::AfterTicks(2)];
    let mut units = Vec::new();
    for round in 0..40 {
        game.settings().executor = executors[round % 5].clone();
        game.settings().delivery = deliveries[round % 4];
        game.settings().batch_size = round % 3;
        let unit = game.unit((0, 0), 1.0);
        game.go(unit, (59, round as i32));
        units.push(unit);
        game.tick();
    }
    game.settings().delivery = Delivery::AfterTicks(0);
    let mut patience = 0;
    while game.count(Kind::Ready) < units.len() {
        game.tick();
        std::thread::sleep(std::time::Duration::from_millis(1));
        patience += 1;
        assert!(patience < 20_000, "{:?}", game.stats());
    }
    assert!(units.iter().all(|&unit| game.told(unit) == [(Kind::Ready, 1)]));
}

#[test]
fn no_more_searches_begin_in_a_tick_than_allowed() {
    let mut game = Game::open(30, 30, CornerRule::BothFree);
    game.settings().searches_per_tick = 7;
    game.answers_take(1);
    let units: Vec<_> = (0..100).map(|_| game.unit((0, 0), 1.0)).collect();
    for &unit in &units {
        game.go(unit, (29, 29));
    }
    for tick in 1..=15 {
        game.tick();
        assert_eq!(game.planner().queued(), 100_usize.saturating_sub(7 * tick));
        assert!(game.planner().in_flight() <= 7);
    }
    game.ticks(1);
    assert_eq!(game.count(Kind::Ready), 100);
    let mut per_tick = std::collections::BTreeMap::new();
    for said in game.log() {
        *per_tick.entry(said.tick).or_insert(0) += 1;
    }
    assert!(per_tick.values().all(|&answers| answers <= 7), "{per_tick:?}");
    let order: Vec<_> = game.log().iter().map(|said| said.entity).collect();
    assert_eq!(order, units, "first come, first served");
}

#[test]
fn no_search_begins_while_answers_have_cost_more_than_the_budget() {
    for (executor, ticks) in [(Executor::Inline, 0), (pool(1), 0), (pool(2), 2), (Executor::Inline, 2)] {
        let mut game = Game::open(60, 60, CornerRule::BothFree);
        let budget = 1_000;
        game.settings().executor = executor;
        game.settings().expansions_per_tick = budget;
        game.settings().searches_per_tick = 2;
        game.answers_take(ticks);
        for y in 0..20 {
            let unit = game.unit((0, y), 1.0);
            game.order(unit, PathRequest::to(Cell::new(59, 59)).algorithm(Algorithm::Dijkstra));
        }
        let mut spent = 0;
        let mut waiting = game.planner().queued();
        while game.count(Kind::Ready) < 20 {
            assert!(game.now() < 200);
            let before = game.stats().expansions;
            game.tick();
            let begun = waiting - game.planner().queued();
            waiting = game.planner().queued();
            // Every tick but the first pays a part of the debt.
            let paid = budget * game.now();
            assert!(begun == 0 || before < paid, "tick {} began {begun} at {before} of {paid}", game.now());
            assert!(begun <= 2);
            spent += game.stats().expansions_last_tick;
        }
        assert_eq!(spent, game.stats().expansions);
        let least = spent / budget;
        assert!(game.now() + 10 >= least && game.now() <= least + 12, "{} ticks for {spent}", game.now());
    }
}

#[test]
fn inline_searches_are_sliced_over_ticks() {
    let mut game = Game::open(100, 100, CornerRule::BothFree);
    game.settings().expansions_per_tick = 700;
    let unit = game.unit((0, 0), 1.0);
    game.order(unit, PathRequest::to(Cell::new(99, 99)).algorithm(Algorithm::Dijkstra));
    let ticks = game.until_told(unit, Kind::Ready, 100);
    assert_eq!(ticks, game.stats().expansions.div_ceil(700));
    assert_eq!(game.status(unit), PathStatus::Ready);
}

#[test]
fn settings_of_zero_stop_the_work_and_nothing_else() {
    type Setting = fn(&mut bevy_wayfield::PathfindingSettings);
    let cases: [(Setting, bool); 4] = [
        (|settings| settings.searches_per_tick = 0, false),
        (|settings| settings.expansions_per_tick = 0, false),
        (|settings| settings.batch_size = 0, true),
        (|settings| settings.max_expansions = 0, false),
    ];
    for (index, (set, answers)) in cases.into_iter().enumerate() {
        for delivery in [Delivery::AsReady, Delivery::AfterTicks(0), Delivery::AfterTicks(2)] {
            let mut game = Game::open(20, 20, CornerRule::BothFree);
            game.settings().delivery = delivery;
            let usual = game.settings().clone();
            set(&mut game.settings());
            let units = [0, 1, 2].map(|y| game.unit((0, y), 8.0));
            for unit in units {
                game.go(unit, (19, 19));
            }
            game.ticks(20);
            assert_eq!(game.count(Kind::Ready), if answers { 3 } else { 0 }, "case {index}");
            *game.settings() = usual;
            for unit in units {
                if !answers {
                    game.go(unit, (19, 19));
                }
                game.until_told(unit, Kind::Reached, 300);
            }
        }
    }
}

#[test]
fn a_field_is_published_when_it_is_due() {
    let mut game = Game::open(4, 4, CornerRule::BothFree);
    let mut maps = game.app.world_mut().resource_mut::<DijkstraMaps>();
    let field = maps.define("field", Field::seek(FOOT).cells([Cell::new(3, 3)]));
    game.settings().executor = pool(1);
    game.answers_take(4);
    game.ticks(4);
    assert!(game.app.world().resource::<DijkstraMaps>().get(field).is_none());
    game.ticks(1);
    assert!(game.app.world().resource::<DijkstraMaps>().get(field).is_some());
}

/// The most requests that were in flight at once, seen between the start of searches and their answers.
#[derive(Resource, Default)]
struct Peak(usize);

#[test]
fn no_more_requests_are_in_flight_than_allowed() {
    let cases = [
        (Executor::Inline, Delivery::AfterTicks(4)),
        (pool(2), Delivery::AfterTicks(3)),
        (Executor::Inline, Delivery::AfterTicks(0)),
        (Executor::Inline, Delivery::AsReady),
    ];
    for (executor, delivery) in cases {
        for (most, batch_size) in [(1, 16), (5, 2), (5, 16)] {
            let mut game = Game::open(40, 40, CornerRule::BothFree);
            game.app.init_resource::<Peak>().add_systems(
                FixedUpdate,
                (|planner: Res<Planner>, mut peak: ResMut<Peak>| peak.0 = peak.0.max(planner.in_flight()))
                    .after(PathfindingSystems::Plan)
                    .before(PathfindingSystems::Collect),
            );
            game.settings().executor = executor.clone();
            game.settings().delivery = delivery;
            game.settings().expansions_per_tick = 150;
            game.settings().max_in_flight = most;
            game.settings().batch_size = batch_size;
            let units: Vec<_> = (0..23).map(|y| game.unit((0, y), 1.0)).collect();
            for &unit in &units {
                game.go(unit, (30, 20));
            }
            for _ in 0..400 {
                game.tick();
                assert!(game.planner().in_flight() <= most);
                assert_eq!(game.planner().in_flight() + game.planner().queued() + game.count(Kind::Ready), 23);
            }
            assert_eq!(game.count(Kind::Ready), 23, "everybody is answered");
            assert_eq!(game.app.world().resource::<Peak>().0, most, "{executor:?} {delivery:?}");
        }
    }
}

#[test]
fn the_bound_on_requests_in_flight_may_change_at_any_time() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    game.answers_take(6);
    game.settings().max_in_flight = 0;
    let units: Vec<_> = (0..20).map(|y| game.unit((0, y), 1.0)).collect();
    for &unit in &units {
        game.go(unit, (39, 20));
    }
    game.ticks(20);
    assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 20));
    assert!(units.iter().all(|&unit| game.status(unit) == PathStatus::Queued));
    assert_eq!(game.log().len(), 0);
    game.settings().max_in_flight = 12;
    game.tick();
    assert_eq!(game.planner().in_flight(), 12);
    // Fewer than there are: none is broken off, and none begins.
    game.settings().max_in_flight = 3;
    for _ in 0..5 {
        game.tick();
        assert_eq!((game.planner().in_flight(), game.planner().queued()), (12, 8));
    }
    game.tick();
    assert_eq!((game.count(Kind::Ready), game.planner().in_flight()), (12, 0));
    for _ in 0..21 {
        game.tick();
        assert!(game.planner().in_flight() <= 3);
    }
    assert_eq!(game.count(Kind::Ready), 20);
}
