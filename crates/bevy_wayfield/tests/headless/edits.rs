//! Terrain painted while units walk and searches run.

use bevy::prelude::*;
use bevy_wayfield::{FollowPath, PathRequest, PathStatus, PathfindingSettings, Planner, SearchInfo, Tilemap};
use wayfield::{Algorithm, Cell, CornerRule, Heuristic, PathQuery, Reason, TerrainId, Weight, find_path};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, WALL};

fn count(game: &Game, unit: Entity, kind: Kind) -> usize {
    game.told(unit).iter().filter(|&&(said, _)| said == kind).count()
}

#[test]
fn a_wall_on_the_way_ahead_is_walked_around() {
    for (stands_at, is_ahead) in [(1, true), (6, false)] {
        let mut game = Game::open(16, 16, CornerRule::Never);
        game.answers_take(1);
        let unit = game.unit((0, 8), 6.0);
        let other = game.unit((0, 12), 6.0);
        let parked = game.unit((4, 7), 6.0);
        game.go(unit, (15, 8));
        game.go(other, (15, 12));
        game.until(60, |game| game.cell(unit) == Cell::new(stands_at, 8));
        let searches = game.stats().searches;
        game.paint([(4, 8)], WALL);
        // Searched in the first tick, answered in the second.
        game.ticks(2);
        assert_eq!(count(&game, unit, Kind::Invalidated), usize::from(is_ahead));
        assert_eq!(game.stats().searches - searches, u64::from(is_ahead));
        assert!(!is_ahead || !game.way(unit).unwrap().contains(&Cell::new(4, 8)));

        let mut cells = vec![];
        while game.status(unit) != PathStatus::Arrived {
            cells.push(game.cell(unit));
            game.tick();
            assert!(cells.len() < 200);
        }
        cells.dedup();
        let steps = stands_at as usize + cells.len() - 1;
        assert_eq!(steps, if is_ahead { 17 } else { 15 }, "{cells:?}");
        assert_eq!(count(&game, unit, Kind::Ready), 1 + usize::from(is_ahead));
        assert_eq!(count(&game, unit, Kind::Reached), 1);
        game.until_told(other, Kind::Reached, 60);
        assert_eq!(game.told(other), [(Kind::Ready, 1), (Kind::Reached, 1)]);
        assert_eq!((game.told(parked), game.status(parked)), (vec![], PathStatus::Idle));
    }
}

#[test]
fn edits_far_away_concern_nobody() {
    let mut game = Game::open(64, 64, CornerRule::BothFree);
    let mut dice = Dice::new(5);
    let units: Vec<_> = (0..200)
        .map(|_| {
            let unit = game.unit((dice.below(64) as i32, dice.below(30) as i32), 1.0);
            let goal = Cell::new(dice.below(64) as i32, dice.below(30) as i32);
            // A quarter of them has a way that a cap cut short: what is far away does not mend it.
            let request = PathRequest::to(goal);
            game.order(unit, if dice.below(4) == 0 { request.max_expansions(6).allow_partial() } else { request });
            unit
        })
        .collect();
    game.ticks(10);
    assert!(game.count(Kind::Partial) > 20 && game.count(Kind::Ready) > 100);
    let stats = game.stats();
    game.paint((0..64).map(|x| (x, 63)), WALL);
    game.ticks(5);
    game.paint((0..64).map(|x| (x, 63)), PLAIN);
    game.ticks(5);
    assert_eq!(game.count(Kind::Invalidated), 0);
    assert_eq!((game.stats().searches, game.stats().expansions), (stats.searches, stats.expansions));
    assert!(units.iter().any(|&unit| game.get::<FollowPath>(unit).is_some()));
}

#[test]
fn an_edit_in_the_tick_of_a_request_is_seen() {
    let mut game = Game::open(9, 3, CornerRule::Never);
    let unit = game.unit((0, 1), 4.0);
    game.go(unit, (8, 1));
    game.paint([(4, 0), (4, 1)], WALL);
    let revision = game.map().revision();
    game.tick();
    assert!(game.map().revision() > revision);
    assert_eq!(game.last(unit).cost.unwrap().units(), 10.0);
    assert_eq!(game.told(unit), [(Kind::Ready, 1)]);
}

#[test]
fn the_map_counts_what_changes_it() {
    let mut game = Game::open(9, 3, CornerRule::Never);
    game.tick();
    let first = game.map().revision();
    game.paint([(4, 0)], WALL);
    game.tick();
    assert_eq!(game.map().revision(), first + 1);
    game.paint([(4, 0)], WALL);
    game.ticks(3);
    assert_eq!(game.map().revision(), first + 1, "nothing changed");
    assert!(game.map_mut().edit([(Cell::new(4, 1), WALL), (Cell::new(9, 0), WALL)]).is_err());
    game.ticks(3);
    assert_eq!(game.map().revision(), first + 1, "refused as a whole");
}

#[test]
fn a_gap_closes_in_front_of_a_unit() {
    let rows = ["...#...", "S.....G", "...#...", "...#...", "...#...", "......."];
    for ticks in [0, 1, 3] {
        let mut game = Game::drawn(&rows, CornerRule::Never);
        game.answers_take(ticks);
        let unit = game.unit((0, 1), 3.0);
        game.go(unit, (6, 1));
        game.until(80, |game| game.cell(unit) == Cell::new(2, 1));
        assert_eq!(game.last(unit).cost.unwrap().units(), 6.0);
        game.paint([(3, 1)], WALL);
        game.ticks(u64::from(ticks) + 1);
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
        assert_eq!(game.last(unit).cost.unwrap().units(), 12.0);
        assert!(game.way(unit).unwrap().contains(&Cell::new(3, 5)));
        // No cell of the gap is entered: every tick checks that.
        game.until_told(unit, Kind::Reached, 200);
        assert_eq!((game.cell(unit), game.last(unit).order), (Cell::new(6, 1), 1));
    }
}

#[test]
fn cheaper_and_dearer_ground_on_the_way_is_weighed_again() {
    for (terrain, cost) in [(1, 9.0), (2, 10.0), (9, 13.0)] {
        let mut game = Game::drawn(&["..........", "....3.....", ".........."], CornerRule::Never);
        game.paint([(4, 0), (4, 2), (0, 0), (0, 2)], TerrainId(3));
        let unit = game.unit((0, 1), 2.0);
        game.go(unit, (9, 1));
        game.ticks(3);
        assert_eq!(game.last(unit).cost.unwrap().units(), 11.0);
        game.paint([(4, 1)], TerrainId(terrain));
        game.ticks(2);
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
        assert_eq!(game.last(unit).cost.unwrap().units(), cost);
    }
}

#[test]
fn a_diagonal_is_broken_by_the_cell_beside_it() {
    for rule in [CornerRule::BothFree, CornerRule::AtLeastOneFree, CornerRule::Always] {
        let mut game = Game::open(4, 4, rule);
        let unit = game.unit((0, 0), 1.0);
        game.go(unit, (3, 3));
        game.ticks(3);
        let before = game.way(unit).unwrap();
        game.paint([(2, 1)], WALL);
        game.ticks(3);
        let is_broken = rule == CornerRule::BothFree;
        assert_eq!(count(&game, unit, Kind::Invalidated), usize::from(is_broken), "{rule:?}");
        assert_eq!(game.way(unit).unwrap() != before, is_broken);
        game.until_told(unit, Kind::Reached, 300);
    }
}

#[test]
fn a_walled_in_goal_is_not_searched_until_it_opens() {
    let mut game = Game::open(16, 16, CornerRule::BothFree);
    game.paint((9..=11).flat_map(|x| [(x, 9), (x, 11)]).chain([(9, 10), (11, 10)]), WALL);
    let unit = game.unit((1, 1), 30.0);
    game.go(unit, (10, 10));
    for tick in 0..100 {
        // Elsewhere the map changes all the time.
        game.paint([(tick % 5, 14)], if tick % 2 == 0 { WALL } else { PLAIN });
        game.tick();
    }
    assert_eq!(game.told(unit), [(Kind::Failed, 1)]);
    assert_eq!((game.last(unit).reason, game.last(unit).tick), (Some(Reason::Unreachable), 1));
    assert!(game.stats().searches <= 1);
    let searches = game.stats().searches;
    game.paint([(9, 10)], PLAIN);
    game.tick();
    assert_eq!(game.told(unit), [(Kind::Failed, 1), (Kind::Ready, 1)]);
    assert_eq!(game.stats().searches, searches + 1);
    game.until_told(unit, Kind::Reached, 60);
    assert_eq!(game.stats().searches, searches + 1);
}

#[test]
fn a_gate_opens_for_those_who_wait() {
    let mut game = Game::drawn(&["..#..", "S.#.G", "..#.."], CornerRule::Never);
    let plain = game.unit((0, 1), 4.0);
    let near = game.unit((0, 1), 4.0);
    game.go(plain, (4, 1));
    game.order(near, PathRequest::to(Cell::new(4, 1)).nearest());
    game.ticks(2);
    assert_eq!(game.last(plain).reason, Some(Reason::Unreachable));
    assert_eq!((game.last(near).kind, game.last(near).reason), (Kind::Partial, Some(Reason::Unreachable)));
    game.paint([(2, 1)], PLAIN);
    game.tick();
    assert_eq!(game.last(plain).cost.unwrap().units(), 4.0);
    assert_eq!(game.last(near).kind, Kind::Ready, "it is still under way to the nearest cell");
    for unit in [plain, near] {
        game.until_told(unit, Kind::Reached, 60);
    }
    assert_eq!(game.told(plain), [(Kind::Failed, 1), (Kind::Ready, 1), (Kind::Reached, 1)]);
}

#[test]
fn a_gate_opens_while_the_question_is_in_flight() {
    for nearest in [false, true] {
        let mut game = Game::drawn(&["..#..", "S.#.G", "..#.."], CornerRule::Never);
        game.answers_take(4);
        let unit = game.unit((0, 1), 4.0);
        let request = PathRequest::to(Cell::new(4, 1));
        game.order(unit, if nearest { request.nearest() } else { request });
        game.ticks(2);
        game.paint([(2, 1)], PLAIN);
        game.until_told(unit, Kind::Reached, 80);
        assert_eq!(count(&game, unit, Kind::Failed), 0, "the answer was out of date");
        assert_eq!(game.cell(unit), Cell::new(4, 1));
    }
}

#[test]
fn what_a_cap_decided_is_said_even_while_the_map_changes() {
    let mut game = Game::open(40, 40, CornerRule::Never);
    game.answers_take(2);
    let unit = game.unit((1, 1), 4.0);
    game.order(unit, PathRequest::to(Cell::new(38, 38)).max_expansions(20));
    for tick in 0..30 {
        game.paint([(tick, 39)], WALL);
        game.tick();
    }
    assert!(count(&game, unit, Kind::Failed) > 0);
    assert_eq!(game.last(unit).reason, Some(Reason::CapReached));
    // In the end the map stands still, and so does the search.
    game.ticks(5);
    let searches = game.stats().searches;
    game.ticks(20);
    assert_eq!(game.stats().searches, searches);
    assert_eq!(game.status(unit), PathStatus::Failed(Reason::CapReached));
}

#[test]
fn an_edit_while_the_search_is_in_flight_spoils_no_way() {
    for rule in CornerRule::ALL {
        for painted_after in 1..6 {
            let mut game = Game::open(15, 5, rule);
            game.answers_take(5);
            let unit = game.unit((0, 2), 5.0);
            game.go(unit, (14, 2));
            game.ticks(painted_after);
            assert_eq!(game.told(unit), []);
            game.paint([(7, 1), (7, 2), (7, 3)], WALL);
            game.paint([(3, 2)], TerrainId(5));
            // New ways are checked in the tick in which they are handed over.
            game.until_told(unit, Kind::Reached, 300);
            assert!(game.stats().stale == 1, "{:?}", game.stats());
            let told = game.told(unit);
            assert_eq!(told, [(Kind::Ready, 1), (Kind::Reached, 1)]);
        }
    }
}

#[test]
fn an_edit_that_only_changes_costs_in_flight_gives_the_way_and_asks_again() {
    let mut game = Game::open(15, 5, CornerRule::Never);
    game.answers_take(3);
    let unit = game.unit((0, 2), 2.0);
    game.go(unit, (14, 2));
    game.ticks(2);
    game.paint([(7, 2)], TerrainId(9));
    game.ticks(2);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1)]);
    assert!(game.get::<FollowPath>(unit).is_some());
    game.ticks(4);
    assert_eq!(count(&game, unit, Kind::Ready), 2);
    assert!(!game.way(unit).unwrap().contains(&Cell::new(7, 2)));
}

#[test]
fn an_opening_is_taken_by_those_it_may_help_if_the_game_wants_that() {
    for wanted in [false, true] {
        let mut game = Game::open(40, 30, CornerRule::BothFree);
        game.paint((0..29).map(|y| (20, y)), WALL);
        game.settings().replan_for_openings = wanted;
        // One that goes round the wall, and one that has nothing to do with it.
        let (round, aside) = (game.unit((15, 5), 2.0), game.unit((0, 0), 2.0));
        game.go(round, (25, 5));
        game.go(aside, (0, 12));
        game.ticks(3);
        let long = game.last(round).cost.unwrap().units();
        game.paint([(20, 6)], PLAIN);
        game.ticks(3);
        assert_eq!(
            (count(&game, round, Kind::Invalidated), count(&game, aside, Kind::Invalidated)),
            (usize::from(wanted), 0)
        );
        let short = game.last(round).cost.unwrap().units();
        assert!(if wanted { short < 15.0 && long > 40.0 } else { short == long }, "{short} after {long}");
        // A cell that is no short cut.
        game.paint([(20, 28)], PLAIN);
        game.ticks(3);
        assert_eq!(count(&game, round, Kind::Invalidated), usize::from(wanted));
    }
}

#[test]
fn what_opens_while_the_search_is_in_flight_is_an_opening_too() {
    let mut game = Game::open(40, 30, CornerRule::BothFree);
    game.paint((0..29).map(|y| (20, y)), WALL);
    game.settings().replan_for_openings = true;
    game.answers_take(3);
    let unit = game.unit((15, 5), 2.0);
    game.go(unit, (25, 5));
    game.ticks(2);
    game.paint([(20, 6)], PLAIN);
    game.ticks(8);
    assert!(game.last(unit).cost.unwrap().units() < 15.0, "{:?}", game.log());
    assert_eq!((count(&game, unit, Kind::Ready), count(&game, unit, Kind::Invalidated)), (2, 1));
}

#[test]
fn a_crowd_is_painted_around_all_the_time() {
    for rule in CornerRule::ALL {
        let mut dice = Dice::new(77 + rule.name().len() as u64);
        let mut game = Game::open(32, 32, rule);
        game.answers_take(3);
        let units: Vec<_> = (0..60)
            .map(|_| {
                let cell = dice.cell(game.map());
                let unit = game.unit(cell, 3.0 + dice.below(9) as f32);
                let goal = dice.cell(game.map());
                game.go(unit, goal);
                unit
            })
            .collect();
        for _ in 0..200 {
            let cells: Vec<_> =
                (0..dice.below(5)).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
            let terrain = [WALL, WALL, PLAIN, PLAIN, TerrainId(4)][dice.below(5) as usize];
            game.paint(cells, terrain);
            game.tick();
        }
        assert!(game.count(Kind::Invalidated) > 20, "{}", game.count(Kind::Invalidated));
        game.paint((0..32).flat_map(|y| (0..32).map(move |x| (x, y))), PLAIN);
        game.until(600, |game| units.iter().all(|&unit| game.told(unit).contains(&(Kind::Reached, 1))));
        for &unit in &units {
            assert_eq!(count(&game, unit, Kind::Reached), 1);
        }
    }
}

#[test]
fn other_settings_search_the_ways_again() {
    let mut game = Game::drawn(&["S9999G", "111111", "111111"], CornerRule::BothFree);
    game.settings().algorithm = Algorithm::Bfs;
    let unit = game.unit((0, 0), 1.0);
    let faithful = game.unit((0, 0), 1.0);
    game.go(unit, (5, 0));
    game.order(faithful, PathRequest::to(Cell::new(5, 0)).algorithm(Algorithm::Bfs));
    game.ticks(2);
    assert_eq!(game.last(unit).cost.unwrap().units(), 37.0);
    game.settings().algorithm = Algorithm::AStar;
    game.ticks(3);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
    assert!(game.last(unit).cost.unwrap().units() < 6.0);
    assert_eq!(game.told(faithful), [(Kind::Ready, 1)]);
}

#[test]
fn a_map_that_nobody_edits_does_not_look_changed() {
    #[derive(Resource, Default)]
    struct Changes(Vec<u64>);

    let mut game = Game::open(9, 3, CornerRule::Never);
    game.app.init_resource::<Changes>().add_systems(
        Last,
        |map: Res<Tilemap>, planner: Res<Planner>, mut changes: ResMut<Changes>| {
            if map.is_changed() {
                changes.0.push(planner.tick());
            }
        },
    );
    let unit = game.unit((0, 1), 4.0);
    game.go(unit, (8, 1));
    game.ticks(9);
    game.paint([(4, 0)], WALL);
    game.ticks(10);
    let changes = &game.app.world().resource::<Changes>().0;
    assert!(changes.iter().all(|&tick| tick == 1 || tick == 10), "{changes:?}");
    assert!(changes.contains(&10));
}

type Setting = fn(&mut PathfindingSettings);
const TO_BFS: Setting = |settings| settings.algorithm = Algorithm::Bfs;
const TO_WEIGHTED: Setting = |settings| settings.algorithm = Algorithm::WeightedAStar;
const TO_HEURISTIC: Setting = |settings| settings.heuristic = Some(Heuristic::Zero);
const TO_WEIGHT: Setting = |settings| settings.weight = Weight::ONE;

/// What a request is searched by under these settings, from one cell to another.
fn search_by(game: &mut Game, request: &PathRequest, from: Cell, to: Cell) -> Option<SearchInfo> {
    let settings = game.settings().clone();
    let query = PathQuery {
        algorithm: request.algorithm.unwrap_or(settings.algorithm),
        heuristic: settings.heuristic,
        weight: settings.weight,
        ..PathQuery::new(from, to)
    };
    let answer = find_path(game.map().grid(FOOT)?, &query).ok()?;
    let revision = game.map().revision();
    Some(SearchInfo { algorithm: answer.algorithm, expanded: answer.stats.expanded, revision })
}

#[test]
fn settings_switched_at_any_moment_reach_the_ways_that_they_concern() {
    let (plain, goal) = (PathRequest::to(Cell::new(19, 1)), Cell::new(19, 1));
    let naming = |algorithm| PathRequest::to(goal).algorithm(algorithm);
    let cases = [
        (plain.clone(), TO_BFS, true),
        (plain.clone(), TO_WEIGHTED, true),
        (plain.clone(), TO_HEURISTIC, true),
        (plain, TO_WEIGHT, false),
        (naming(Algorithm::AStar), TO_BFS, false),
        (naming(Algorithm::WeightedAStar), TO_BFS, false),
        (naming(Algorithm::WeightedAStar), TO_WEIGHT, true),
        (naming(Algorithm::WeightedAStar), TO_HEURISTIC, true),
        (naming(Algorithm::AStar), TO_WEIGHT, false),
        (naming(Algorithm::Dijkstra), TO_HEURISTIC, false),
    ];
    for (index, (request, switch, again)) in cases.into_iter().enumerate() {
        // Before the search, while it is in flight, on the way, and on the way without a map.
        for (switched_after, has_map) in [(0, true), (1, true), (3, true), (8, true), (8, false)] {
            let mut game = Game::open(20, 9, CornerRule::BothFree);
            game.paint((0..7).map(|y| (10, y)), WALL);
            game.answers_take(4);
            let unit = game.unit((0, 1), 0.5);
            game.order(unit, request.clone());
            let by_old = search_by(&mut game, &request, Cell::new(0, 1), goal).unwrap().algorithm;
            game.ticks(switched_after);
            let map = (!has_map).then(|| game.app.world_mut().remove_resource::<Tilemap>().unwrap());
            game.ticks(u64::from(!has_map));
            switch(&mut game.settings());
            game.ticks(u64::from(!has_map));
            if let Some(map) = map {
                game.app.insert_resource(map);
            }
            game.ticks(12);
            let case = format!("case {index} after {switched_after}, {has_map}");
            let told = game.told(unit);
            if again && switched_after > 0 {
                assert_eq!(told, [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)], "{case}");
                assert_eq!(game.log()[0].search.unwrap().algorithm, by_old, "{case}");
            } else {
                assert_eq!(told, [(Kind::Ready, 1)], "{case}");
            }
            let by_new = search_by(&mut game, &request, Cell::new(0, 1), goal);
            assert_eq!(game.last(unit).search, by_new, "{case}");
            game.ticks(20);
            assert_eq!(game.told(unit), told, "once");
        }
    }
}

#[test]
fn a_search_that_gave_up_is_tried_by_another_setting() {
    for switched_after in [2, 8] {
        let mut game = Game::open(30, 30, CornerRule::BothFree);
        game.settings().algorithm = Algorithm::Dijkstra;
        game.answers_take(4);
        let unit = game.unit((0, 0), 0.5);
        let faithful = game.unit((0, 0), 0.5);
        let request = PathRequest::to(Cell::new(29, 29)).max_expansions(100);
        game.order(unit, request.clone());
        game.order(faithful, request.algorithm(Algorithm::Dijkstra));
        game.ticks(switched_after);
        game.settings().algorithm = Algorithm::AStar;
        game.ticks(20);
        assert_eq!(game.told(unit), [(Kind::Failed, 1), (Kind::Ready, 1)]);
        assert_eq!(game.told(faithful), [(Kind::Failed, 1)]);
        assert_eq!(game.stats().searches, 3);
    }
}

#[test]
fn a_goal_that_opens_while_the_unit_comes_to_the_partial_end_is_reached() {
    // The gate is at the end of the partial way, or back where the unit came from.
    let maps = [["....#..", "S...#.G", "....#.."], ["....###", "S....#G", "#####.."]];
    for (rows, gates) in maps.into_iter().zip([vec![(4, 1)], vec![(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)]]) {
        for nearest in [true, false] {
            let mut game = Game::drawn(&rows, CornerRule::Never);
            game.answers_take(12);
            let unit = game.unit((0, 1), 8.0);
            let request = PathRequest::to(Cell::new(6, 1));
            game.order(unit, if nearest { request.nearest() } else { request.allow_partial() });
            game.until_told(unit, Kind::Partial, 20);
            let end = *game.way(unit).unwrap().last().unwrap();
            game.until(40, |game| game.cell(unit).chebyshev(end) == 1);
            game.paint(gates.clone(), PLAIN);
            game.until(12, |game| game.get::<FollowPath>(unit).is_none());
            // It stands at the end and waits for the answer.
            assert_eq!((game.cell(unit), game.told(unit)), (end, vec![(Kind::Partial, 1), (Kind::Invalidated, 1)]));
            assert!(game.get::<PathRequest>(unit).is_some());
            game.until_told(unit, Kind::Reached, 200);
            game.ticks(20);
            let told = [(Kind::Partial, 1), (Kind::Invalidated, 1), (Kind::Ready, 1), (Kind::Reached, 1)];
            assert_eq!((game.told(unit), game.cell(unit)), (told.to_vec(), Cell::new(6, 1)));
            assert!(game.stats().stale <= 1 && game.stats().partial_ends == 0, "{:?}", game.stats());
        }
    }
}

#[test]
fn a_goal_that_opens_and_closes_again_ends_the_order_at_the_partial_end() {
    let mut game = Game::drawn(&["....#..", "S...#.G", "....#.."], CornerRule::Never);
    game.answers_take(12);
    let unit = game.unit((0, 1), 8.0);
    game.order(unit, PathRequest::to(Cell::new(6, 1)).nearest());
    game.until(40, |game| game.cell(unit) == Cell::new(2, 1));
    game.paint([(4, 1)], PLAIN);
    game.until(12, |game| game.get::<FollowPath>(unit).is_none());
    game.paint([(4, 1)], WALL);
    game.ticks(60);
    assert_eq!(game.cell(unit), Cell::new(3, 1));
    let told = [(Kind::Partial, 1), (Kind::Invalidated, 1), (Kind::Partial, 1), (Kind::PartialEnd, 1)];
    assert_eq!(game.told(unit), told);
    assert!(game.get::<PathRequest>(unit).is_none());
}
