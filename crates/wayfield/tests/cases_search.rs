//! Small maps on which searches of other libraries went wrong, with their right answers.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use std::f64::consts::SQRT_2;

use support::{Ground, close, marked};
use wayfield::{
    Algorithm, Answer, Cell, CornerRule, CostGrid, Heuristic, MovementClass, Outcome, Path, PathQuery, PathSearch,
    Reason, TerrainCost, TerrainId, Tie, Weight, find_path, parse_map,
};

/// A map with a start S and a goal G, and the cheapest cost under each corner rule, in the order of
/// [`CornerRule::ALL`]: never, always, one side free, both sides free.
struct Case {
    name: &'static str,
    rows: &'static [&'static str],
    optimum: [Option<f64>; 4],
}

const CASES: &[Case] = &[
    Case {
        name: "round a bar",
        rows: &["S....", ".###.", "....G"],
        optimum: [Some(6.0), Some(5.414214), Some(5.414214), Some(6.0)],
    },
    Case {
        name: "past a block",
        rows: &["S.......", "..##....", "..##....", ".......G"],
        optimum: [Some(10.0), Some(8.242641), Some(8.242641), Some(8.242641)],
    },
    Case {
        name: "an estimate scaled by the cost of one cell goes wrong",
        rows: &["S213G", "11123"],
        optimum: [Some(7.0), Some(5.828427), Some(5.828427), Some(5.828427)],
    },
    Case {
        name: "one corner blocked",
        rows: &["S#", ".G"],
        optimum: [Some(2.0), Some(SQRT_2), Some(SQRT_2), Some(2.0)],
    },
    Case { name: "both corners blocked", rows: &["S#", "#G"], optimum: [None, Some(SQRT_2), None, None] },
    Case {
        name: "a diagonal wall is a wall",
        rows: &["S.....#", ".....#.", "....#..", "...#...", "..#....", ".#.....", "......G"],
        optimum: [Some(12.0), Some(9.071068), Some(11.414214), Some(12.0)],
    },
    Case {
        name: "dear ground with a cheap row below",
        rows: &["S9999G", "111111", "111111"],
        optimum: [Some(7.0), Some(5.828427), Some(5.828427), Some(5.828427)],
    },
    Case {
        name: "a small maze",
        rows: &["S.#.....", "..#.###.", ".##.#.#.", "....#...", ".####.#.", "......#G"],
        optimum: [Some(16.0), Some(13.656854), Some(13.656854), Some(16.0)],
    },
    Case {
        name: "a dear cell in open ground",
        rows: &[".....", "S.3.G", "....."],
        optimum: [Some(6.0), Some(4.828427), Some(4.828427), Some(4.828427)],
    },
    Case {
        name: "a dear cell with no way round is no wall",
        rows: &["S.9.G"],
        optimum: [Some(12.0), Some(12.0), Some(12.0), Some(12.0)],
    },
    Case {
        name: "a straight line stays straight",
        rows: &["........", "S......G", "........"],
        optimum: [Some(7.0), Some(7.0), Some(7.0), Some(7.0)],
    },
    Case { name: "a sealed goal", rows: &["S......", "..####.", "..#G.#.", "..####.", "......."], optimum: [None; 4] },
];

/// What an algorithm promises about the cost of its path.
enum Promise {
    Optimal,
    Within(f64),
    Some,
}

fn promise(algorithm: Algorithm, weight: Weight) -> Promise {
    match algorithm {
        _ if algorithm.is_optimal() => Promise::Optimal,
        Algorithm::WeightedAStar => Promise::Within(weight.get()),
        Algorithm::HpaStar => Promise::Within(1.25),
        _ => Promise::Some,
    }
}

fn ask(grid: &CostGrid, query: PathQuery) -> Answer {
    find_path(grid, &query).unwrap_or_else(|error| panic!("{error}"))
}

fn found(answer: &Answer) -> &Path {
    match &answer.outcome {
        Outcome::Found(path) => path,
        other => panic!("{other:?}"),
    }
}

/// The cost that all algorithms agree on that promise the cheapest path.
fn optimum(ground: &Ground, start: Cell, goal: Cell) -> f64 {
    let grid = ground.grid();
    let optimal = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_optimal());
    let costs = optimal.map(|algorithm| {
        let answer = ask(&grid, PathQuery { algorithm, ..PathQuery::new(start, goal) });
        ground.check_path(found(&answer), start);
        found(&answer).cost().units()
    });
    let costs: Vec<_> = costs.collect();
    assert!(costs.len() >= 4 && costs.iter().all(|&cost| cost == costs[0]), "{costs:?}");
    costs[0]
}

#[test]
fn every_algorithm_keeps_its_promise_on_every_case() {
    for case in CASES {
        for (rule, optimum) in CornerRule::ALL.into_iter().zip(case.optimum) {
            let ground = Ground::drawn(case.rows, rule);
            let mut grid = ground.grid();
            grid.build_hierarchy();
            let (start, goal) = (marked(case.rows, 'S'), marked(case.rows, 'G'));
            for algorithm in Algorithm::ALL {
                for weight in [1.0, 1.5, 3.0].map(|weight| Weight::new(weight).unwrap()) {
                    let name = format!("{}: {algorithm} {} under {rule:?}", case.name, weight.get());
                    let answer = ask(&grid, PathQuery { algorithm, weight, ..PathQuery::new(start, goal) });
                    let Some(optimum) = optimum else {
                        assert_eq!(answer.outcome, Outcome::Failed(Reason::Unreachable), "{name}");
                        assert_eq!(answer.stats.expanded, 0, "{name}");
                        continue;
                    };
                    let path = found(&answer);
                    ground.check_path(path, start);
                    assert_eq!(path.end(), Some(goal), "{name}");
                    let cost = path.cost().units();
                    assert!(cost > optimum - 1e-6, "{name}: {cost} is below the optimum");
                    match promise(algorithm, weight) {
                        Promise::Optimal => assert!((cost - optimum).abs() < 1e-6, "{name}: {cost}"),
                        Promise::Within(factor) => assert!(cost < optimum * factor + 1e-6, "{name}: {cost}"),
                        Promise::Some => {}
                    }
                }
            }
        }
    }
}

#[test]
fn asking_again_answers_the_same() {
    let rows = ["S....", ".###.", "....G"];
    let grid = Ground::drawn(&rows, CornerRule::Never).grid();
    let before = grid.clone();
    let there = PathQuery::new(marked(&rows, 'S'), marked(&rows, 'G'));
    let back = PathQuery::new(there.goal, there.start);
    let first = [ask(&grid, there), ask(&grid, back)];
    assert_eq!(found(&first[0]).cost().units(), 6.0);
    let mut search = PathSearch::default();
    let batches = std::iter::repeat_n(there, 100).chain(std::iter::repeat_n(back, 100));
    for query in batches.chain([there, back].into_iter().cycle().take(200)) {
        let answer = search.find(&grid, &query).unwrap();
        assert_eq!(answer, first[usize::from(query == back)]);
    }
    assert_eq!(grid, before);
}

#[test]
fn a_start_that_is_the_goal_is_an_arrival() {
    for rule in CornerRule::ALL {
        let grid = Ground::drawn(&["S.."], rule).grid();
        for algorithm in Algorithm::ALL {
            for cap in [None, Some(0)] {
                let start = Cell::new(0, 0);
                let query = PathQuery { algorithm, max_expansions: cap, ..PathQuery::new(start, start) };
                let answer = ask(&grid, query);
                assert_eq!(found(&answer).cells(), [start]);
                assert_eq!((found(&answer).cost().units(), answer.stats.expanded), (0.0, 0));
            }
        }
    }
    // Even so the goal must be a place to be.
    let wall = Ground::drawn(&["#.."], CornerRule::Never).grid();
    let answer = ask(&wall, PathQuery::new(Cell::new(0, 0), Cell::new(0, 0)));
    assert_eq!(answer.outcome, Outcome::Failed(Reason::GoalBlocked));
}

#[test]
fn the_blocked_goal_is_noticed_before_the_blocked_start() {
    let grid = Ground::drawn(&["##.", "##.", "..."], CornerRule::Never).grid();
    let outcome = |start, goal| ask(&grid, PathQuery::new(start, goal)).outcome;
    let (boxed_in, wall, open) = (Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 2));
    assert_eq!(outcome(boxed_in, wall), Outcome::Failed(Reason::GoalBlocked));
    assert_eq!(outcome(boxed_in, open), Outcome::Failed(Reason::StartBlocked));
    let left = ask(&grid, PathQuery::new(wall, open));
    assert_eq!(found(&left).cost().units(), 2.0, "a unit in a wall may leave");
}

#[test]
fn a_cap_is_a_reason_of_its_own() {
    let grid = Ground::plain(9, 9, 1, CornerRule::Never).grid();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(8, 8));
    let capped =
        |cap, algorithm| ask(&grid, PathQuery { max_expansions: Some(cap), allow_partial: true, algorithm, ..query });
    // Jump points get across an open map in fewer expansions than any of these caps.
    let jumps = [Algorithm::Auto, Algorithm::Jps];
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !jumps.contains(algorithm)) {
        let answer = capped(10, algorithm);
        assert_eq!(answer.stats.expanded, 10, "{algorithm}");
        let Outcome::Partial(path, Reason::CapReached) = &answer.outcome else { panic!("{answer:?}") };
        let end = path.end().unwrap();
        assert!(end.x + end.y > 0, "{algorithm} has got no nearer");
        assert_eq!(found(&capped(81, algorithm)).end(), Some(query.goal));
        let answer = capped(0, algorithm);
        assert_eq!((answer.outcome, answer.stats.expanded), (Outcome::Failed(Reason::CapReached), 0));
    }
    assert_eq!(found(&capped(81, Algorithm::Dijkstra)).cost().units(), 16.0);
    assert_eq!(capped(0, Algorithm::Jps).outcome, Outcome::Failed(Reason::CapReached));
    let answer = capped(1, Algorithm::Jps);
    assert_eq!((answer.outcome.reason(), answer.stats.expanded), (Some(Reason::CapReached), 1));
}

#[test]
fn gave_up_is_not_no_way() {
    // A wall across the map whose only gap is in a far corner.
    let mut ground = Ground::plain(100, 100, 1, CornerRule::BothFree);
    for x in 0..99 {
        let index = ground.index(Cell::new(x, 50));
        ground.terrain[index] = 0;
    }
    let query = PathQuery {
        max_expansions: Some(500),
        allow_partial: true,
        algorithm: Algorithm::AStar,
        ..PathQuery::new(Cell::new(10, 10), Cell::new(10, 90))
    };
    let answer = ask(&ground.grid(), query);
    assert_eq!(answer.stats.expanded, 500);
    let Outcome::Partial(path, Reason::CapReached) = &answer.outcome else { panic!("{answer:?}") };
    assert_eq!(path.end(), Some(Cell::new(10, 49)), "right before the wall");

    let gap = ground.index(Cell::new(99, 50));
    ground.terrain[gap] = 0;
    let answer = ask(&ground.grid(), PathQuery { allow_partial: false, ..query });
    assert_eq!((answer.outcome, answer.stats.expanded), (Outcome::Failed(Reason::Unreachable), 0));
}

#[test]
fn the_dearest_cost_is_a_cost_and_a_wall_is_none() {
    let cost_over = |terrain: u8| {
        let ground = Ground { terrain: vec![1, 1, terrain, 1, 1], ..Ground::plain(5, 1, 1, CornerRule::Never) };
        ask(&ground.grid(), PathQuery::new(Cell::new(0, 0), Cell::new(4, 0))).cost().map(|cost| cost.units())
    };
    assert_eq!([cost_over(0), cost_over(1), cost_over(255)], [None, Some(4.0), Some(258.0)]);
}

#[test]
fn a_long_dear_corridor_adds_up() {
    let ground = Ground::plain(300, 1, 254, CornerRule::Never);
    assert_eq!(optimum(&ground, Cell::new(0, 0), Cell::new(299, 0)), 75_946.0);
}

#[test]
fn rows_do_not_wrap_round() {
    let ground = Ground::drawn(&["..#..", "..#..", "..#.."], CornerRule::Always);
    let answer = ask(&ground.grid(), PathQuery::new(Cell::new(0, 1), Cell::new(4, 0)));
    assert_eq!(answer.outcome, Outcome::Failed(Reason::Unreachable));
    for (width, height) in [(1, 1), (1, 9), (9, 1)] {
        let ground = Ground::plain(width, height, 1, CornerRule::Always);
        let cost = optimum(&ground, Cell::new(0, 0), Cell::new(width - 1, height - 1));
        assert_eq!(cost, f64::from(width.max(height) - 1));
    }
}

#[test]
fn octile_distances() {
    let octile = |x, y| Heuristic::Octile.estimate(Cell::new(0, 0), Cell::new(x, y)).to_units();
    for (x, y, expected) in [(1, 1, SQRT_2), (4, 2, 4.828427), (0, 5, 5.0), (3, 3, 4.242641), (-2, 4, 4.828427)] {
        assert!((octile(x, y) - expected).abs() < 1e-6, "{x},{y}");
    }
}

#[test]
fn straight_ways_have_no_bend() {
    for (width, height, start, goal) in
        [(8, 3, (0, 1), (7, 1)), (9, 5, (0, 2), (8, 2)), (9, 5, (8, 2), (0, 2)), (21, 11, (0, 5), (20, 5))]
    {
        let grid = Ground::plain(width, height, 1, CornerRule::BothFree).grid();
        let blind = [Algorithm::Bfs, Algorithm::Dfs, Algorithm::BidirectionalBfs];
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !blind.contains(algorithm)) {
            for tie in [Tie::LowG, Tie::HighG] {
                let answer = ask(&grid, PathQuery { algorithm, tie, ..PathQuery::new(start.into(), goal.into()) });
                assert!(found(&answer).cells().iter().all(|cell| cell.y == start.1), "{algorithm}");
            }
        }
    }
}

#[test]
fn the_way_there_and_the_way_back_may_differ() {
    let ground = Ground { terrain: vec![1, 9, 5, 3], ..Ground::plain(4, 1, 1, CornerRule::Never) };
    let (a, b) = (Cell::new(0, 0), Cell::new(3, 0));
    assert_eq!((optimum(&ground, a, b), optimum(&ground, b, a)), (17.0, 15.0));
    // A dearer goal changes the cost of the way, not the way.
    let detour = |goal_cost| {
        let mut ground = Ground::drawn(&["S9.", "..."], CornerRule::Never);
        ground.terrain[2] = goal_cost;
        let answer = ask(&ground.grid(), PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)));
        (found(&answer).cells().to_vec(), found(&answer).cost().units())
    };
    let ((cheap, four), (dear, fifty_three)) = (detour(1), detour(50));
    assert_eq!(cheap, dear);
    assert_eq!((four, fifty_three), (4.0, 53.0));
}

#[test]
fn ways_across_open_and_striped_ground() {
    let open = |width, height| Ground::plain(width, height, 1, CornerRule::BothFree);
    assert_eq!(optimum(&open(64, 36), Cell::new(32, 35), Cell::new(32, 18)), 17.0);
    assert!((optimum(&open(40, 40), Cell::new(1, 1), Cell::new(30, 22)) - 37.698485).abs() < 1e-6);

    // A stripe of cost 100 with one cheap cell at its end.
    let striped = |rule| {
        let mut ground = Ground::plain(21, 21, 1, rule);
        for y in 0..20 {
            let index = ground.index(Cell::new(10, y));
            ground.terrain[index] = 100;
        }
        optimum(&ground, Cell::new(0, 0), Cell::new(20, 0))
    };
    assert_eq!(striped(CornerRule::Never), 60.0);
    assert!((striped(CornerRule::BothFree) - 48.284271).abs() < 1e-6);

    let mut fenced = Ground::plain(11, 7, 1, CornerRule::Never);
    for y in 1..7 {
        let index = fenced.index(Cell::new(5, y));
        fenced.terrain[index] = 9;
    }
    assert_eq!(optimum(&fenced, Cell::new(0, 3), Cell::new(10, 3)), 16.0);

    // Start and goal on dear ground: leave it and come back.
    let mut road = Ground::plain(11, 3, 2, CornerRule::Never);
    road.terrain[..11].fill(1);
    assert_eq!(optimum(&road, Cell::new(0, 1), Cell::new(10, 1)), 13.0);

    let corner = ["S.......", "9###.##.", "9###.##.", "G......."];
    let ground = Ground::drawn(&corner, CornerRule::Never);
    assert_eq!(optimum(&ground, marked(&corner, 'S'), marked(&corner, 'G')), 11.0);

    let gaps = ["S..#..G.", "...#....", "........", "...#....", "........", "........", "...#...."];
    let ground = Ground::drawn(&gaps, CornerRule::Never);
    assert_eq!(optimum(&ground, marked(&gaps, 'S'), marked(&gaps, 'G')), 10.0);
}

#[test]
fn out_of_a_trap_shaped_like_a_u() {
    for (rule, expected) in [(CornerRule::Never, 38.0), (CornerRule::BothFree, 32.142136)] {
        let mut ground = Ground::plain(25, 21, 1, rule);
        let upright = (2..=18).map(|y| Cell::new(12, y));
        let arms = (4..=12).flat_map(|x| [Cell::new(x, 2), Cell::new(x, 18)]);
        for cell in upright.chain(arms) {
            let index = ground.index(cell);
            ground.terrain[index] = 0;
        }
        let (start, goal) = (Cell::new(6, 10), Cell::new(20, 10));
        assert!((optimum(&ground, start, goal) - expected).abs() < 1e-6);
        assert!(ask(&ground.grid(), PathQuery::new(start, goal)).stats.expanded <= 525);
    }
}

#[test]
fn each_direction_is_there_once() {
    let ground = Ground::plain(7, 7, 1, CornerRule::BothFree);
    let centre = Cell::new(3, 3);
    let within = |rule, radius: u32| {
        let ground = Ground { rule, ..ground.clone() };
        let near = ground.cells().filter(move |cell| (1..=radius).contains(&cell.chebyshev(centre)));
        near.map(|cell| optimum(&ground, centre, cell)).collect::<Vec<_>>()
    };
    let count = |costs: &[f64], cost: f64| costs.iter().filter(|&&other| close(cost, other)).count();
    let costs = within(CornerRule::BothFree, 2);
    assert_eq!([1.0, SQRT_2, 2.0, 1.0 + SQRT_2, 2.0 * SQRT_2].map(|cost| count(&costs, cost)), [4, 4, 4, 8, 4]);
    let costs = within(CornerRule::Never, 2);
    assert_eq!([1.0, 2.0].map(|cost| count(&costs, cost)), [4, 8]);
}

#[test]
fn nearest_goes_to_the_shore() {
    let lake = ["S......", "..###..", "..#G#..", "..###..", "......."];
    let goal = marked(&lake, 'G');
    let island = |rule| {
        let mut ground = Ground::drawn(&lake, rule);
        let index = ground.index(goal);
        ground.terrain[index] = 0;
        let answer = ask(&ground.grid(), PathQuery { nearest: true, ..PathQuery::new(Cell::new(0, 0), goal) });
        let Outcome::Partial(path, Reason::GoalBlocked) = &answer.outcome else { panic!("{answer:?}") };
        (path.end().unwrap(), path.cost().units())
    };
    let (end, cost) = island(CornerRule::BothFree);
    assert_eq!(end, Cell::new(1, 2));
    assert!((cost - 2.414214).abs() < 1e-6);
    assert_eq!(island(CornerRule::Never), (Cell::new(3, 0), 3.0));

    let corridor = Ground::drawn(&["....#"], CornerRule::BothFree).grid();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 0));
    for query in [PathQuery { nearest: true, ..query }, PathQuery { allow_partial: true, ..query }] {
        let answer = ask(&corridor, query);
        let Outcome::Partial(path, Reason::GoalBlocked) = &answer.outcome else { panic!("{answer:?}") };
        assert_eq!((path.end(), path.cost().units()), (Some(Cell::new(3, 0)), 3.0));
    }
    let answer = ask(&corridor, query);
    assert_eq!((answer.outcome, answer.stats.expanded), (Outcome::Failed(Reason::GoalBlocked), 0));
}

#[test]
fn an_order_to_another_island_costs_nothing() {
    let mut ground = Ground::plain(256, 256, 1, CornerRule::BothFree);
    for y in 0..256 {
        let index = ground.index(Cell::new(128, y));
        ground.terrain[index] = 0;
    }
    let grid = ground.grid();
    let goal = Cell::new(200, 128);
    for unit in 0..100 {
        let query = PathQuery::new(Cell::new(unit % 10 * 12, unit / 10 * 25), goal);
        let answer = ask(&grid, query);
        assert_eq!((answer.outcome, answer.stats.expanded), (Outcome::Failed(Reason::Unreachable), 0));
        let answer = ask(&grid, PathQuery { nearest: true, ..query });
        let Outcome::Partial(path, Reason::Unreachable) = &answer.outcome else { panic!("{answer:?}") };
        assert_eq!(path.end(), Some(Cell::new(127, 128)));
    }
}

/// A class over the characters of a map.
fn class(name: &str, costs: &[(u8, i64)]) -> MovementClass {
    let mut class = MovementClass::new(name).with_corner_rule(CornerRule::Never);
    for &(mark, cost) in costs {
        class.set_cost(TerrainId(mark), TerrainCost::try_from(cost).ok());
    }
    class
}

#[test]
fn each_class_goes_its_own_way() {
    let bay = parse_map(b"S~~~~~G\n.~~~~~.\n.......\n").unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(6, 0));
    let classes = [
        (class("foot", &[(b'.', 1), (b'S', 1), (b'G', 1)]), 10.0),
        (class("boat", &[(b'~', 1), (b'S', 1), (b'G', 1)]), 6.0),
        (class("hover", &[(b'~', 1), (b'.', 1), (b'S', 1), (b'G', 1)]), 6.0),
    ];
    let mut search = PathSearch::default();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for (class, expected) in order.map(|number: usize| &classes[number]) {
            let answer = search.find(&CostGrid::new(&bay.terrain, class), &query).unwrap();
            assert_eq!(found(&answer).cost().units(), *expected, "{}", class.name());
        }
    }
}

#[test]
fn roads_forests_and_water_mean_something_else_to_each() {
    let land = parse_map(b"...ff...\n..wwff..\n..wwrr..\nrrrrrrrr\n..ww....\n").unwrap();
    let outcome = |class: &MovementClass, start: (i32, i32), goal: (i32, i32)| {
        let answer = ask(&CostGrid::new(&land.terrain, class), PathQuery::new(start.into(), goal.into()));
        (answer.cost().map(|cost| cost.units()), answer.outcome.reason())
    };
    let foot = class("foot", &[(b'.', 1), (b'f', 2), (b'r', 1)]);
    let cavalry = class("cavalry", &[(b'.', 1), (b'f', 4), (b'r', 1)]);
    let wagon = class("wagon", &[(b'r', 1)]);
    let boat = class("boat", &[(b'w', 1)]);
    assert_eq!(outcome(&foot, (0, 0), (7, 0)), (Some(9.0), None));
    assert_eq!(outcome(&cavalry, (0, 0), (7, 0)), (Some(13.0), None));
    assert_eq!(outcome(&wagon, (0, 0), (7, 0)), (None, Some(Reason::GoalBlocked)));
    assert_eq!(outcome(&wagon, (0, 0), (7, 3)), (None, Some(Reason::StartBlocked)));
    for class in [&foot, &cavalry, &wagon] {
        assert_eq!(outcome(class, (0, 3), (7, 3)), (Some(7.0), None), "{}", class.name());
    }
    assert_eq!(outcome(&boat, (0, 3), (2, 2)), (None, Some(Reason::StartBlocked)));
}
