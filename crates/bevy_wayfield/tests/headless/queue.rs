//! Many requests at once: groups, priorities that age, and a queue with an end.

use bevy::prelude::*;
use bevy_wayfield::{PathRequest, PathStatus};
use wayfield::{Algorithm, Cell, CornerRule, Heuristic, PathQuery, Reason, TerrainId, find_path};

use crate::world::{Dice, FOOT, Game, Kind, WALL};

/// A map with some walls and dear ground, and free cells near its upper left corner.
fn camp(rule: CornerRule) -> (Game, Vec<Cell>) {
    let mut game = Game::open(48, 48, rule);
    let mut dice = Dice::new(7);
    let marks: Vec<_> = (0..500).map(|_| dice.cell(game.map())).filter(|cell| cell.x > 8 && cell.x < 45).collect();
    let (walls, swamp) = marks.split_at(marks.len() / 2);
    game.paint(walls.iter().map(|cell| (cell.x, cell.y)), WALL);
    game.paint(swamp.iter().map(|cell| (cell.x, cell.y)), TerrainId(5));
    game.tick();
    (game, (0..24).map(|index| Cell::new(index % 6, index / 6)).collect())
}

#[test]
fn units_with_one_goal_share_one_search() {
    for rule in CornerRule::ALL {
        for algorithm in [Algorithm::AStar, Algorithm::Jps, Algorithm::HpaStar, Algorithm::WeightedAStar] {
            let mut expanded = Vec::new();
            for group_searches in [true, false] {
                let (mut game, cells) = camp(rule);
                game.settings().group_searches = group_searches;
                game.settings().algorithm = algorithm;
                let goal = Cell::new(46, 40);
                let units: Vec<_> = cells.iter().map(|&cell| game.unit(cell, 4.0)).collect();
                for &unit in &units {
                    game.go(unit, goal);
                }
                game.tick();
                assert_eq!((game.count(Kind::Ready), game.stats().searches), (24, 24));
                expanded.push(game.stats().expansions);
                for (&unit, &start) in units.iter().zip(&cells) {
                    let said = game.last(unit);
                    let optimum = find_path(game.map().grid(FOOT).unwrap(), &PathQuery::new(start, goal)).unwrap();
                    let (cost, least) = (said.cost.unwrap().units(), optimum.cost().unwrap().units());
                    assert!(cost >= least - 1e-6 && (!group_searches || cost <= least + 1e-6), "{rule:?} {algorithm}");
                    let ran = if group_searches { Algorithm::AStar } else { algorithm };
                    assert_eq!(said.search.map(|search| search.algorithm), Some(ran));
                }
                game.until(2000, |game| game.count(Kind::Reached) == 24);
            }
            assert!(algorithm == Algorithm::Jps || expanded[0] * 2 < expanded[1], "{rule:?} {algorithm}: {expanded:?}");
        }
    }
}

#[test]
fn who_wants_another_search_than_the_cheapest_gets_it() {
    let (mut game, cells) = camp(CornerRule::BothFree);
    let goal = Cell::new(46, 40);
    let units: Vec<_> = cells.iter().map(|&cell| game.unit(cell, 4.0)).collect();
    for &unit in &units {
        game.order(unit, PathRequest::to(goal).algorithm(Algorithm::Bfs));
    }
    game.tick();
    assert!(units.iter().all(|&unit| game.last(unit).search.is_some_and(|search| search.algorithm == Algorithm::Bfs)));
    game.settings().heuristic = Some(Heuristic::Manhattan);
    for &unit in &units {
        game.order(unit, PathRequest::to(goal).algorithm(Algorithm::AStar));
    }
    game.tick();
    // Each has its own expansions: an estimate that is too high is searched with as it was asked for.
    assert!(units.iter().all(|&unit| game.last(unit).search.is_some_and(|search| search.expanded > 0)));
}

#[test]
fn who_is_walled_in_or_capped_is_answered_alone() {
    let (mut game, cells) = camp(CornerRule::BothFree);
    let goal = Cell::new(46, 40);
    let prison = [(20, 44), (21, 44), (22, 44), (20, 46), (21, 46), (22, 46), (20, 45), (22, 45)];
    game.paint(prison, WALL);
    game.paint([(21, 45)], TerrainId(1));
    let prisoner = game.unit((21, 45), 4.0);
    let units: Vec<_> = cells.iter().map(|&cell| game.unit(cell, 4.0)).collect();
    for &unit in &units {
        game.order(unit, PathRequest::to(goal).max_expansions(40).allow_partial());
    }
    game.go(prisoner, goal);
    game.tick();
    assert_eq!(game.last(prisoner).reason, Some(Reason::Unreachable));
    let mut expanded = Vec::new();
    for &unit in &units {
        let said = game.last(unit);
        assert_eq!((said.kind, said.reason), (Kind::Partial, Some(Reason::CapReached)));
        expanded.extend(said.search.map(|search| search.expanded));
    }
    // The cap is each one's own; what the group has tried in vain is charged to the first.
    assert_eq!(expanded, [[80].as_slice(), &[40; 23]].concat());
    assert_eq!(game.stats().expansions, 25 * 40);
    // The first to ask is the first to be answered.
    let order: Vec<_> = game.log().iter().map(|said| said.entity).filter(|entity| units.contains(entity)).collect();
    assert_eq!(order, units);
}

#[test]
fn nobody_waits_for_ever() {
    for (ageing, waits) in [(8, true), (0, false)] {
        let mut game = Game::open(20, 20, CornerRule::BothFree);
        game.settings().searches_per_tick = 1;
        game.settings().ageing_ticks = ageing;
        let patient = game.unit((0, 0), 1.0);
        let pushing: Vec<_> = (0..4).map(|y| game.unit((0, 2 + y), 1.0)).collect();
        game.go(patient, (9, 9));
        for tick in 0..200 {
            // There is always somebody of higher priority, asking anew.
            let unit = pushing[tick % 4];
            game.order(unit, PathRequest::to(Cell::new(10 + tick as i32 % 7, 5)).priority(5));
            game.tick();
        }
        let answered = game.log().iter().find(|said| said.entity == patient);
        assert_eq!(answered.is_some(), waits, "ageing {ageing}");
        assert!(answered.is_none_or(|said| said.tick <= 8 * 5 + 10), "{answered:?}");
    }
}

#[test]
fn the_budget_of_a_tick_is_kept_and_a_long_search_holds_nobody_up() {
    let mut game = Game::open(512, 512, CornerRule::BothFree);
    game.settings().expansions_per_tick = 2_000;
    game.settings().group_searches = false;
    game.settings().max_expansions = u64::MAX;
    let far = game.unit((0, 0), 1.0);
    game.order(far, PathRequest::to(Cell::new(511, 511)).algorithm(Algorithm::Dijkstra).priority(9));
    // Dijkstra's algorithm through half of a disk, or less: some 3,000 cells each.
    let near: Vec<_> = (0..500).map(|index| game.unit((511, index), 1.0)).collect();
    for &unit in &near {
        let here = game.cell(unit);
        game.order(unit, PathRequest::to(Cell::new(here.x - 40, here.y)).algorithm(Algorithm::Dijkstra));
    }
    let (mut ticks, mut worst) = (0, 0);
    while game.stats().searches < 501 {
        game.tick();
        ticks += 1;
        worst = worst.max(game.stats().expansions_inline);
        assert!(ticks < 3000);
    }
    assert!(worst <= 2_000, "{worst} expansions in a tick");
    let expected = game.stats().expansions as f64 / 2_000.0;
    assert!((f64::from(ticks) - expected).abs() <= 0.05 * expected, "{ticks} ticks, not {expected}");
    // The first of them is answered as if the long one were just another.
    let first = game.log().iter().find(|said| near.contains(&said.entity)).unwrap();
    assert!(first.tick < 120, "{first:?}");
    assert!(game.log().iter().position(|said| said.entity == far).unwrap() > 20, "and the long one later");
}

#[test]
fn a_full_queue_says_so_and_keeps_the_first() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    game.settings().searches_per_tick = 2;
    game.settings().max_queued = 10;
    let units: Vec<_> = (0..30).map(|index| game.unit((index, 0), 1.0)).collect();
    for (index, &unit) in units.iter().enumerate() {
        // The later, the more urgent.
        game.order(unit, PathRequest::to(Cell::new(index as i32, 30)).priority(index as i32));
    }
    game.tick();
    let is_refused = |game: &Game, unit| game.status(unit) == PathStatus::Failed(Reason::QueueFull);
    assert_eq!(
        units.iter().map(|&unit| is_refused(&game, unit)).collect::<Vec<_>>(),
        [[true; 18].as_slice(), &[false; 12]].concat()
    );
    assert_eq!((game.count(Kind::Failed), game.count(Kind::Ready), game.planner().queued()), (18, 2, 10));
    assert_eq!(game.stats().failed.get(&Reason::QueueFull), Some(&18));
    game.ticks(5);
    assert_eq!((game.count(Kind::Failed), game.count(Kind::Ready)), (18, 12));
    // Who was refused is searched once there is room, a queue full at a time.
    game.ticks(30);
    assert!(units.iter().all(|&unit| matches!(game.last(unit).kind, Kind::Ready)), "{:?}", game.log());
    assert_eq!(game.stats().searches, 30, "a refusal is no search");
}

#[test]
fn who_is_on_its_way_keeps_it_though_the_queue_is_full() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    let units: Vec<_> = (0..30).map(|index| game.unit((index, 0), 1.0)).collect();
    for (index, &unit) in units.iter().enumerate() {
        game.go(unit, (index as i32, 30));
    }
    game.tick();
    game.settings().searches_per_tick = 2;
    game.settings().max_queued = 4;
    game.settings().algorithm = Algorithm::Dijkstra;
    game.ticks(40);
    assert_eq!((game.count(Kind::Failed), game.count(Kind::Invalidated), game.stats().searches), (0, 30, 60));
}

#[test]
fn a_unit_that_was_disabled_in_the_queue_goes_on_when_it_is_not() {
    let mut game = Game::open(20, 20, CornerRule::BothFree);
    let unit = game.unit((0, 0), 8.0);
    game.go(unit, (9, 9));
    game.app.world_mut().entity_mut(unit).insert(bevy::ecs::entity_disabling::Disabled);
    game.ticks(5);
    assert!(game.log().is_empty());
    game.app.world_mut().entity_mut(unit).remove::<bevy::ecs::entity_disabling::Disabled>();
    game.until_told(unit, Kind::Reached, 100);
}

#[test]
fn who_was_refused_does_not_wait_for_one_that_is_disabled() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    game.settings().searches_per_tick = 1;
    game.settings().max_queued = 3;
    let units: Vec<_> = (0..6).map(|index| game.unit((index, 0), 1.0)).collect();
    for (index, &unit) in units.iter().enumerate() {
        game.order(unit, PathRequest::to(Cell::new(index as i32, 30)).priority(-(index as i32)));
    }
    game.tick();
    assert_eq!((game.count(Kind::Failed), game.planner().queued()), (2, 3));
    game.app.world_mut().entity_mut(units[1]).insert(bevy::ecs::entity_disabling::Disabled);
    game.ticks(12);
    assert!(
        [0, 2, 3, 4, 5].into_iter().all(|index| game.status(units[index]) == PathStatus::Ready),
        "{:?}",
        game.log()
    );
    assert_eq!((game.status(units[1]), game.count(Kind::Failed)), (PathStatus::Queued, 2));
}

#[test]
fn a_first_burst_keeps_to_the_budget_about() {
    let mut game = Game::open(300, 300, CornerRule::BothFree);
    game.answers_take(1);
    game.settings().group_searches = false;
    game.settings().expansions_per_tick = 100_000;
    for index in 0..200 {
        let unit = game.unit((index, 0), 1.0);
        game.order(unit, PathRequest::to(Cell::new(299 - index, 299)).algorithm(Algorithm::Dijkstra));
    }
    game.ticks(2);
    let (asked, made) = (game.planner().in_flight(), game.stats().expansions_last_tick);
    assert!(made < 1_000_000, "{made} expansions in the first tick, {asked} in flight");
    // Who comes late and urgent is not made to wait for what the first took.
    let late = game.unit((0, 9), 1.0);
    game.order(late, PathRequest::to(Cell::new(3, 9)).priority(100));
    game.until_told(late, Kind::Ready, 12);
}
