//! What a request is answered.

use bevy::prelude::*;
use bevy_wayfield::{
    ClassId, FollowPath, Mover, PathGoal, PathRequest, PathStatus, PathfindingSettings, SearchInfo, Tilemap,
};
use wayfield::{
    Algorithm, Cell, CornerRule, MovementClass, Outcome, PathCost, PathQuery, Reason, TerrainId, find_path,
};

use crate::world::{FOOT, Game, Kind, PLAIN, WALL, filled, terrain};

fn straight(cost: u64) -> Option<PathCost> {
    Some(PathCost { straight: cost, ..PathCost::default() })
}

#[test]
fn a_request_becomes_a_way_and_ends_at_the_goal() {
    let mut game = Game::open(10, 3, CornerRule::BothFree);
    let unit = game.unit((0, 1), 4.0);
    game.go(unit, (9, 1));
    assert_eq!(game.status(unit), PathStatus::Queued);
    game.tick();
    assert_eq!(game.told(unit), [(Kind::Ready, 1)]);
    assert_eq!(game.last(unit).cost, straight(9));
    assert_eq!(game.status(unit), PathStatus::Ready);
    assert_eq!(game.way(unit), Some((0..10).map(|x| Cell::new(x, 1)).collect()));
    assert_eq!(game.get::<FollowPath>(unit).map(|way| (way.order, way.partial)), Some((1, None)));

    game.until_told(unit, Kind::Reached, 80);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
    assert_eq!(game.status(unit), PathStatus::Arrived);
    assert_eq!(game.position(unit), game.map().cell_to_world(Cell::new(9, 1)));
    assert!(game.get::<PathRequest>(unit).is_none() && game.get::<FollowPath>(unit).is_none());
    let stats = game.stats();
    assert_eq!((stats.orders, stats.searches, stats.found, stats.reached), (1, 1, 1, 1));
    assert_eq!(stats.expansions, 10);

    let there = game.position(unit);
    game.ticks(40);
    assert_eq!(game.told(unit).len(), 2, "said once");
    assert_eq!((game.status(unit), game.position(unit)), (PathStatus::Arrived, there));
    assert_eq!(game.stats().searches, 1);
}

#[test]
fn the_start_is_the_goal() {
    let mut game = Game::open(3, 1, CornerRule::BothFree);
    let unit = game.unit((0, 0), 4.0);
    // Not in the middle of the cell.
    let here = Vec3::new(0.2, 0.7, 0.0);
    game.app.world_mut().entity_mut(unit).insert(Transform::from_translation(here));
    game.go(unit, (0, 0));
    game.tick();
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
    assert_eq!(game.status(unit), PathStatus::Arrived);
    assert_eq!(game.stats().expansions, 0);
    game.ticks(10);
    assert_eq!(game.position(unit), here.truncate(), "it does not step out and back");
    assert_eq!(game.told(unit).len(), 2);
}

#[test]
fn a_cap_is_exact_and_has_a_reason_of_its_own() {
    for (cap, partial) in [(10, false), (10, true), (0, false), (0, true)] {
        let mut game = Game::open(9, 9, CornerRule::Never);
        let unit = game.unit((0, 0), 4.0);
        let request = PathRequest::to(Cell::new(8, 8)).max_expansions(cap);
        game.order(unit, if partial { request.allow_partial() } else { request });
        game.tick();
        assert_eq!(game.stats().expansions, cap);
        assert_eq!(game.last(unit).reason, Some(Reason::CapReached));
        if !partial || cap == 0 {
            assert_eq!(game.told(unit), [(Kind::Failed, 1)]);
            assert_eq!(game.status(unit), PathStatus::Failed(Reason::CapReached));
            continue;
        }
        assert_eq!(game.told(unit), [(Kind::Partial, 1)]);
        assert_eq!(game.status(unit), PathStatus::Partial(Reason::CapReached));
        let end = *game.way(unit).unwrap().last().unwrap();
        assert!(end.x + end.y > 0, "it ends nearer to the goal than it starts");
        game.until_told(unit, Kind::PartialEnd, 200);
        game.ticks(40);
        assert_eq!(game.cell(unit), end);
        assert_eq!(game.told(unit), [(Kind::Partial, 1), (Kind::PartialEnd, 1)], "the goal was never reached");
        assert_eq!(game.status(unit), PathStatus::Partial(Reason::CapReached));
        assert!(game.get::<PathRequest>(unit).is_none());
    }
    let mut game = Game::open(9, 9, CornerRule::Never);
    let unit = game.unit((0, 0), 4.0);
    game.order(unit, PathRequest::to(Cell::new(8, 8)).max_expansions(81));
    game.tick();
    assert_eq!((game.told(unit), game.last(unit).cost), (vec![(Kind::Ready, 1)], straight(16)));
}

#[test]
fn the_cap_of_the_settings_serves_requests_without_one() {
    let mut game = Game::open(100, 100, CornerRule::BothFree);
    // The only gap is far off.
    game.paint((0..99).map(|y| (50, y)), WALL);
    game.settings().max_expansions = 500;
    let unit = game.unit((10, 10), 4.0);
    game.order(unit, PathRequest::to(Cell::new(90, 10)).allow_partial());
    game.tick();
    assert_eq!(game.stats().expansions, 500);
    let query = PathQuery {
        max_expansions: Some(500),
        allow_partial: true,
        algorithm: Algorithm::AStar,
        ..PathQuery::new(Cell::new(10, 10), Cell::new(90, 10))
    };
    let answer = find_path(game.map().grid(FOOT).unwrap(), &query).unwrap();
    let Outcome::Partial(path, Reason::CapReached) = answer.outcome else { panic!("{answer:?}") };
    assert_eq!(game.way(unit).unwrap(), path.cells());

    // Walled in for good: known without a search.
    game.paint([(50, 99)], WALL);
    let other = game.unit((10, 20), 4.0);
    game.go(other, (90, 10));
    let expansions = game.stats().expansions;
    game.tick();
    assert_eq!(game.last(other).reason, Some(Reason::Unreachable));
    assert_eq!(game.stats().expansions, expansions);
}

#[test]
fn what_cannot_be_done_is_answered_by_its_reason_and_the_app_runs_on() {
    let rows = [
        "....#...", //
        "....#..#", "....#.#.", "....##..",
    ];
    let mut game = Game::drawn(&rows, CornerRule::BothFree);
    let to = |x, y| PathRequest::to(Cell::new(x, y));
    let cases = [
        (to(7, 0), Reason::Unreachable),
        (to(4, 0), Reason::GoalBlocked),
        (to(8, 0), Reason::OutOfBounds),
        (to(0, -1), Reason::OutOfBounds),
        (to(i32::MAX, i32::MIN), Reason::OutOfBounds),
        (PathRequest::to(Vec2::new(-0.1, 1.0)), Reason::OutOfBounds),
        (PathRequest::to(Vec2::new(f32::NAN, 1.0)), Reason::OutOfBounds),
        (PathRequest::to(Vec2::new(f32::INFINITY, 1.0)), Reason::OutOfBounds),
        (to(3, 3).max_expansions(2), Reason::CapReached),
        (to(3, 3).class(ClassId(7)), Reason::UnknownClass),
    ];
    let units: Vec<_> = cases
        .iter()
        .map(|(request, _)| {
            let unit = game.unit((0, 0), 4.0);
            game.order(unit, request.clone());
            unit
        })
        .collect();
    let nowhere = game.spawn((Transform::from_xyz(f32::NAN, 0.5, 0.0), Mover::new(4.0), to(3, 3)));
    let outside = game.spawn((Transform::from_xyz(-5.0, 0.5, 0.0), Mover::new(4.0), to(3, 3)));
    let fine = game.unit((0, 3), 4.0);
    game.order(fine, PathRequest { goal: PathGoal::World(Vec2::new(3.5, 0.5)), ..to(0, 0) });
    game.tick();
    for (&unit, (request, reason)) in units.iter().zip(&cases) {
        assert_eq!(game.told(unit), [(Kind::Failed, 1)], "{request:?}");
        assert_eq!(game.last(unit).reason, Some(*reason), "{request:?}");
        assert_eq!(game.status(unit), PathStatus::Failed(*reason));
        assert!(game.get::<PathRequest>(unit).is_some(), "the order stands");
    }
    for unit in [nowhere, outside] {
        assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Failed, 1)], Some(Reason::OutOfBounds)));
    }
    let failed = game.stats().failed;
    assert_eq!(failed[&Reason::OutOfBounds], 8);
    assert_eq!((failed[&Reason::GoalBlocked], failed[&Reason::UnknownClass]), (1, 1));
    game.until_told(fine, Kind::Reached, 60);
    assert_eq!(game.cell(fine), Cell::new(3, 3));
    assert_eq!(game.count(Kind::Failed), cases.len() + 2, "each said once");
}

#[test]
fn a_way_that_costs_more_than_can_be_counted_is_no_way() {
    let map = Tilemap::new(filled(7_100, 1, TerrainId(255)), vec![crate::world::foot(CornerRule::BothFree)]);
    let mut game = Game::new(Some(map));
    let far = game.unit((0, 0), 4.0);
    game.go(far, (7_099, 0));
    let near = game.unit((7_000, 0), 4.0);
    game.go(near, (7_001, 0));
    game.tick();
    assert_eq!((game.told(far), game.last(far).reason), (vec![(Kind::Failed, 1)], Some(Reason::CostOverflow)));
    assert_eq!((game.told(near), game.last(near).cost), (vec![(Kind::Ready, 1)], straight(255)));
}

#[test]
fn nearest_goes_to_the_shore() {
    let rows = [
        ".......", //
        "..###..", "..#G#..", "..###..", ".......",
    ];
    for (rule, end, units) in [(CornerRule::BothFree, (1, 2), 2.414_214), (CornerRule::Never, (3, 0), 3.0)] {
        let mut game = Game::drawn(&rows, rule);
        game.paint([(3, 2)], WALL);
        let unit = game.unit((0, 0), 6.0);
        let plain = game.unit((0, 0), 6.0);
        game.order(unit, PathRequest::to(Cell::new(3, 2)).nearest());
        game.go(plain, (3, 2));
        game.tick();
        assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Partial, 1)], Some(Reason::GoalBlocked)));
        assert!((game.last(unit).cost.unwrap().units() - units).abs() < 1e-6);
        assert_eq!(game.last(plain).reason, Some(Reason::GoalBlocked));
        game.until_told(unit, Kind::PartialEnd, 60);
        assert_eq!(game.cell(unit), end.into());
        game.ticks(20);
        assert_eq!(game.told(unit), [(Kind::Partial, 1), (Kind::PartialEnd, 1)]);
    }
}

#[test]
fn orders_to_another_island_cost_nothing() {
    let mut game = Game::open(256, 256, CornerRule::BothFree);
    game.paint((0..256).map(|y| (128, y)), WALL);
    let units: Vec<_> = (0..40).map(|n| game.unit((100 + n % 5, 110 + n), 4.0)).collect();
    for round in 1..=3 {
        for &unit in &units {
            game.go(unit, (200, 128));
        }
        game.ticks(30);
        assert_eq!(game.stats().failed[&Reason::Unreachable], 40 * round);
    }
    assert_eq!(game.stats().expansions, 0);
    for &unit in &units {
        game.order(unit, PathRequest::to(Cell::new(200, 128)).nearest());
    }
    game.until(200, |game| game.count(Kind::Partial) == 40);
    for &unit in &units {
        assert_eq!(game.way(unit).unwrap().last(), Some(&Cell::new(127, 128)));
    }
}

#[test]
fn each_class_pays_its_own_costs() {
    let letters = b".fwr";
    let rows = ["...ff...", "..wwff..", "..wwrr..", "rrrrrrrr", "..ww...."];
    let class = |name: &str, costs: [i64; 4]| {
        let class = MovementClass::new(name).with_corner_rule(CornerRule::Never);
        (0..4)
            .filter(|&terrain| costs[terrain] > 0)
            .fold(class, |class, terrain| class.with_cost(TerrainId(terrain as u8), costs[terrain]).unwrap())
    };
    let kinds = [
        class("foot", [1, 2, 0, 1]),
        class("cavalry", [1, 4, 0, 1]),
        class("wagon", [0, 0, 0, 1]),
        class("boat", [0, 0, 1, 0]),
    ];
    let marks = rows.iter().flat_map(|row| row.bytes());
    let marks = marks.map(|mark| TerrainId(letters.iter().position(|&letter| letter == mark).unwrap() as u8));
    let grid = wayfield::Grid::from_rows(8, marks.collect()).unwrap();
    let map = Tilemap::new(wayfield::TerrainMap::from_grid(grid), kinds.to_vec());
    let mut game = Game::new(Some(map));

    let mut ask = |class, from: (i32, i32), to: (i32, i32)| {
        let at = game.at(from);
        let class = ClassId(class);
        let unit = game.spawn((at, PathRequest::to(Cell::from(to)).class(class)));
        game.tick();
        let said = game.last(unit);
        (said.cost, said.reason)
    };
    for _ in 0..2 {
        assert_eq!(ask(0, (0, 0), (7, 0)), (straight(9), None));
        assert_eq!(ask(1, (0, 0), (7, 0)), (straight(13), None));
        assert_eq!(ask(2, (0, 3), (7, 3)), (straight(7), None));
        assert_eq!(ask(1, (0, 3), (7, 3)), (straight(7), None));
        assert_eq!(ask(0, (0, 3), (7, 3)), (straight(7), None));
        assert_eq!(ask(3, (2, 1), (3, 2)), (straight(2), None));
        assert_eq!(ask(2, (0, 0), (7, 0)), (None, Some(Reason::GoalBlocked)));
        assert_eq!(ask(2, (0, 0), (7, 3)), (None, Some(Reason::StartBlocked)));
        assert_eq!(ask(3, (0, 0), (2, 4)), (None, Some(Reason::StartBlocked)));
    }
}

#[test]
fn a_request_may_name_its_algorithm() {
    let mut game = Game::drawn(&["S9999G", "111111", "111111"], CornerRule::BothFree);
    let mut costs = Vec::new();
    for algorithm in [Algorithm::Dijkstra, Algorithm::AStar, Algorithm::Bfs] {
        let at = game.at((0, 0));
        let unit = game.spawn((at, PathRequest::to(Cell::new(5, 0)).algorithm(algorithm)));
        game.tick();
        costs.push(game.last(unit).cost.unwrap().units());
    }
    assert!((costs[0] - 5.828_427).abs() < 1e-6);
    assert_eq!(costs[0], costs[1]);
    assert_eq!(costs[2], 37.0, "fewest steps, whatever they cost");
}

#[test]
fn a_unit_that_is_nowhere_yet_is_not_lost() {
    let mut game = Game::open(6, 1, CornerRule::BothFree);
    let unit = game.spawn(PathRequest::to(Cell::new(5, 0)));
    game.tick();
    assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Failed, 1)], Some(Reason::OutOfBounds)));
    let at = game.at((0, 0));
    game.app.world_mut().entity_mut(unit).insert((at, Mover::new(8.0)));
    game.go(unit, (4, 0));
    game.until_told(unit, Kind::Reached, 40);
    assert_eq!(game.cell(unit), Cell::new(4, 0));
}

#[test]
fn a_drawing_means_what_it_shows() {
    let map = Tilemap::new(terrain(&["#.3"]), vec![crate::world::foot(CornerRule::Never)]);
    let grid = map.grid(FOOT).unwrap();
    let costs = [0, 1, 2].map(|x| grid.entering_cost(Cell::new(x, 0)).map(|cost| cost.get()));
    assert_eq!(costs, [None, Some(PLAIN.0), Some(3)]);
}

#[test]
fn a_failed_order_wakes_when_the_unit_is_moved_to_where_it_can_be_fulfilled() {
    let rows = ["..#.....", "..#.###.", "..#.###.", "..#.###.", "..#....."];
    let cases = [((-5, 0), Reason::OutOfBounds), ((5, 2), Reason::StartBlocked), ((0, 0), Reason::Unreachable)];
    for (from, reason) in cases {
        for ticks in [0, 3] {
            let mut game = Game::drawn(&rows, CornerRule::BothFree);
            game.answers_take(ticks);
            let at = game.at(from);
            let unit = game.spawn((at, PathRequest::to(Cell::new(7, 0))));
            game.ticks(10);
            assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Failed, 1)], Some(reason)));
            // Elsewhere it is no better off.
            game.put(unit, (1, 4));
            game.ticks(10);
            assert_eq!((game.told(unit), game.stats().searches), (vec![(Kind::Failed, 1)], 1), "{reason:?}");
            game.put(unit, (3, 4));
            game.app.world_mut().entity_mut(unit).insert(Mover::new(8.0));
            game.until_told(unit, Kind::Reached, 100);
            assert_eq!(game.told(unit), [(Kind::Failed, 1), (Kind::Ready, 1), (Kind::Reached, 1)]);
            assert_eq!((game.cell(unit), game.stats().searches), (Cell::new(7, 0), 2));
        }
    }
}

#[test]
fn a_search_that_gave_up_is_tried_again_from_elsewhere_or_with_another_cap_only() {
    for ticks in [0, 4] {
        let mut game = Game::open(40, 40, CornerRule::BothFree);
        game.settings().max_expansions = 20;
        game.answers_take(ticks);
        let raised = game.unit((0, 0), 1.0);
        let own = game.unit((0, 1), 1.0);
        game.go(raised, (39, 20));
        game.order(own, PathRequest::to(Cell::new(39, 20)).max_expansions(20));
        game.ticks(10);
        for unit in [raised, own] {
            assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Failed, 1)], Some(Reason::CapReached)));
        }
        // Time, an edit far away, and a move within the cell change nothing.
        game.paint([(20, 39)], WALL);
        let at = game.position(own).extend(0.0) + Vec3::splat(0.3);
        game.app.world_mut().entity_mut(own).insert(Transform::from_translation(at));
        game.ticks(20);
        assert_eq!(game.stats().searches, 2);
        // Another cell may be as far as the first one.
        game.put(own, (0, 5));
        game.ticks(10);
        assert_eq!((game.told(own), game.stats().searches), (vec![(Kind::Failed, 1), (Kind::Failed, 1)], 3));
        game.put(own, (38, 20));
        game.ticks(10);
        assert_eq!((game.last(own).kind, game.stats().searches), (Kind::Ready, 4));
        assert_eq!(game.told(raised).len(), 1);
        // The cap of the settings is none of a request with its own.
        let other = game.unit((0, 9), 1.0);
        game.order(other, PathRequest::to(Cell::new(39, 20)).max_expansions(20));
        game.ticks(10);
        game.settings().max_expansions = 2_000;
        game.ticks(10);
        assert_eq!(game.told(raised), [(Kind::Failed, 1), (Kind::Ready, 1)]);
        assert_eq!((game.told(other), game.stats().searches), (vec![(Kind::Failed, 1)], 6));
    }
}

#[test]
fn a_cap_raised_and_a_unit_moved_while_the_search_is_in_flight_are_not_missed() {
    for moved in [false, true] {
        let mut game = Game::open(40, 40, CornerRule::BothFree);
        game.settings().max_expansions = 20;
        game.answers_take(5);
        let unit = game.unit((0, 0), 1.0);
        game.go(unit, (39, 20));
        game.ticks(3);
        if moved {
            game.put(unit, (36, 20));
        } else {
            game.settings().max_expansions = 2_000;
        }
        game.ticks(20);
        assert_eq!(game.told(unit), [(Kind::Failed, 1), (Kind::Ready, 1)]);
        assert_eq!(game.stats().searches, 2);
    }
}

#[test]
fn an_answer_says_how_it_came_about() {
    let mut game = Game::open(30, 30, CornerRule::BothFree);
    game.paint((0..29).map(|y| (15, y)), WALL);
    game.settings().algorithm = Algorithm::Greedy;
    game.answers_take(3);
    game.ticks(2);
    let revision = game.map().revision();
    let goal = Cell::new(29, 0);
    let (plain, inside) = (PathRequest::to(goal), PathRequest::to(Cell::new(15, 10)));
    let mut cases = vec![plain.clone()];
    cases.extend(Algorithm::ALL.map(|algorithm| plain.clone().algorithm(algorithm)));
    cases.extend([
        plain.clone().max_expansions(50),
        plain.clone().algorithm(Algorithm::Bfs).max_expansions(50).allow_partial(),
        inside.clone(),
        inside.algorithm(Algorithm::Dijkstra).nearest(),
    ]);
    let units: Vec<_> = cases.iter().map(|request| game.spawn((game.at((0, 0)), request.clone()))).collect();
    let outside = game.spawn((game.at((-1, 0)), plain));
    game.map_mut().build_hierarchy(FOOT);
    game.settings().group_searches = false;
    let queries = cases.iter().map(|request| PathQuery {
        algorithm: request.algorithm.unwrap_or(Algorithm::Greedy),
        max_expansions: request.max_expansions,
        allow_partial: request.allow_partial,
        nearest: request.nearest,
        ..PathQuery::new(Cell::new(0, 0), request.goal.cell(game.map(), FOOT).unwrap())
    });
    let answers: Vec<_> = queries.map(|query| find_path(game.map().grid(FOOT).unwrap(), &query).unwrap()).collect();
    game.tick();
    // The answers are of the map as it was; this edit does them no harm.
    game.paint([(29, 29)], WALL);
    game.ticks(3);
    assert_eq!(game.map().revision(), revision + 1);
    for (unit, answer) in units.into_iter().zip(answers) {
        let told = game.log().iter().find(|said| said.entity == unit).unwrap();
        let kind = match &answer.outcome {
            Outcome::Found(_) => Kind::Ready,
            Outcome::Partial(..) => Kind::Partial,
            Outcome::Failed(_) => Kind::Failed,
        };
        let search = SearchInfo { algorithm: answer.algorithm, expanded: answer.stats.expanded, revision };
        assert_eq!((told.tick, told.kind, told.search), (6, kind, Some(search)));
        assert_eq!(told.cost, answer.cost());
    }
    let search = SearchInfo { algorithm: Algorithm::Greedy, expanded: 0, revision };
    assert_eq!((game.last(outside).kind, game.last(outside).search), (Kind::Failed, Some(search)));
    for kind in [Kind::Ready, Kind::Partial, Kind::Failed] {
        assert!(game.count(kind) > 1, "{kind:?}");
    }
}

#[test]
fn by_default_the_map_decides_on_the_algorithm_and_the_answer_says_which() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    game.settings().algorithm = PathfindingSettings::default().algorithm;
    assert_eq!(game.settings().algorithm, Algorithm::Auto);
    let unit = game.unit((1, 1), 8.0);
    game.go(unit, (38, 30));
    game.until_told(unit, Kind::Ready, 5);
    assert_eq!(game.last(unit).search.unwrap().algorithm, Algorithm::Jps);
    // Terrain that is strewn all over has no use for jump points.
    let strewn = (0..40).flat_map(|y| (0..40).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 0);
    game.paint(strewn, TerrainId(3));
    game.go(unit, (2, 38));
    game.until(10, |game| game.told(unit).contains(&(Kind::Ready, 2)));
    assert_eq!(game.last(unit).search.unwrap().algorithm, Algorithm::AStar);
}
