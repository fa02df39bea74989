//! Small Dijkstra maps with known values: chase, gather, flee, and sums.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Ground, close, marked};
use wayfield::{Cell, CornerRule, CostGrid, DijkstraMap, Direction, FleeScale, Source};

/// A drawing in four directions.
fn four(rows: &[&str]) -> (Ground, CostGrid) {
    let ground = Ground::drawn(rows, CornerRule::Never);
    let grid = ground.grid();
    (ground, grid)
}

fn values(ground: &Ground, field: &DijkstraMap) -> Vec<Option<f64>> {
    ground.cells().map(|cell| field.value(cell)).collect()
}

/// The values of a map of one row.
fn row(field: &DijkstraMap) -> Vec<f64> {
    (0..field.size().width() as i32).filter_map(|x| field.value(Cell::new(x, 0))).collect()
}

fn corridor(length: i32) -> (Ground, CostGrid) {
    let ground = Ground::plain(length, 1, 1, CornerRule::Never);
    let grid = ground.grid();
    (ground, grid)
}

fn at(x: i32) -> Cell {
    Cell::new(x, 0)
}

fn end(field: &DijkstraMap, grid: &CostGrid, cell: Cell) -> Cell {
    field.trace(grid, cell).unwrap_or_else(|| panic!("no way from {cell}")).end().unwrap()
}

#[test]
fn a_sum_does_not_lead_into_a_threat_either() {
    // Treasure behind the threat: the sum falls toward it, but the threat's cell is not entered.
    let grid = Ground::plain(7, 1, 1, CornerRule::Never).grid();
    let threat = Cell::new(3, 0);
    let treasure = DijkstraMap::toward(&grid, [Cell::new(6, 0)]).unwrap();
    let flee = DijkstraMap::flee(&grid, &grid, [threat], FleeScale::default()).unwrap();
    let sum = DijkstraMap::weighted_sum(&[(&treasure, 1.0), (&flee, 0.1)]).unwrap();
    assert!(sum.value(threat) < sum.value(Cell::new(2, 0)));
    assert_eq!(sum.downhill(&grid, Cell::new(2, 0)), None);
    assert_eq!(sum.downhill(&grid, Cell::new(4, 0)), Some(Direction::East));
}

#[test]
fn distance_to_the_nearer_of_two_sources() {
    let rows = [".....", ".s...", ".....", "...s."];
    let (ground, grid) = four(&rows);
    let field = DijkstraMap::toward(&grid, [Cell::new(1, 1), Cell::new(3, 3)]).unwrap();
    let expected = [2, 1, 2, 3, 4, 1, 0, 1, 2, 3, 2, 1, 2, 1, 2, 3, 2, 1, 0, 1].map(|value| Some(f64::from(value)));
    assert_eq!(values(&ground, &field), expected);
}

#[test]
fn walls_and_cut_off_cells_have_no_value() {
    let rows = ["s..##.", "...#..", "..##.."];
    let (ground, grid) = four(&rows);
    let field = DijkstraMap::toward(&grid, [Cell::new(0, 0)]).unwrap();
    let values: Vec<_> = values(&ground, &field).into_iter().flatten().collect();
    assert_eq!(values.len(), 8);
    assert_eq!(values.into_iter().fold(0.0, f64::max), 3.0);
}

#[test]
fn rolling_ends_on_the_source_itself() {
    let ground = Ground::plain(9, 7, 1, CornerRule::BothFree);
    let grid = ground.grid();
    let goal = Cell::new(5, 2);
    let field = DijkstraMap::toward(&grid, [goal]).unwrap();
    assert_eq!(field.value(goal), Some(0.0));
    assert_eq!(field.downhill(&grid, goal), None);
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        assert_eq!(field.value(Cell::new(goal.x + dx, goal.y + dy)), Some(1.0));
    }
    assert!(ground.cells().all(|cell| end(&field, &grid, cell) == goal));
}

/// A passage with a narrow bend in it.
const BENT_PASSAGE: [&str; 9] = [
    "....####....",
    "......##....",
    "S...#..#...G",
    "....##......",
    "....####....",
    "....####....",
    "....####....",
    "....####....",
    "............",
];

#[test]
fn following_a_field_pays_its_value() {
    for rule in CornerRule::ALL {
        let ground = Ground::drawn(&BENT_PASSAGE, rule);
        let grid = ground.grid();
        let goal = marked(&BENT_PASSAGE, 'G');
        let field = DijkstraMap::toward(&grid, [goal]).unwrap();
        let mut longest = 0;
        for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
            let path = field.trace(&grid, cell).unwrap();
            ground.check_path(&path, cell);
            assert_eq!(path.end(), Some(goal));
            assert!(close(path.cost().units(), field.value(cell).unwrap()), "{cell} under {rule:?}");
            let falls = |pair: &[Cell]| field.value(pair[0]) > field.value(pair[1]);
            assert!(path.cells().windows(2).all(falls));
            longest = longest.max(path.len() - 1);
        }
        assert!(rule != CornerRule::Never || longest == 19, "{longest}");
    }
}

#[test]
fn downhill_is_step_cost_plus_value() {
    // To the left of u lies a cell of smaller value that is dear to enter.
    let rows = ["####", ".9u1", "G##1", "1111"];
    let (_, grid) = four(&rows);
    let field = DijkstraMap::toward(&grid, [marked(&rows, 'G')]).unwrap();
    let unit = marked(&rows, 'u');
    assert_eq!([(1, 1), (3, 1), (2, 1)].map(|cell| field.value(cell.into())), [Some(2.0), Some(6.0), Some(7.0)]);
    assert_eq!(field.downhill(&grid, unit), Some(Direction::East));
    assert_eq!(field.trace(&grid, unit).unwrap().cost().units(), 7.0);
}

#[test]
fn values_and_steps_follow_the_same_corner_rule() {
    let rows = ["1959G", "15119", "91519", "19111", "S1911"];
    let ground = Ground::drawn(&rows, CornerRule::Always);
    let grid = ground.grid();
    let (start, goal) = (marked(&rows, 'S'), marked(&rows, 'G'));
    let field = DijkstraMap::toward(&grid, [goal]).unwrap();
    let path = field.trace(&grid, start).unwrap();
    assert!((field.value(start).unwrap() - 6.242641).abs() < 1e-6);
    assert!((path.cost().units() - 6.242641).abs() < 1e-6);
}

#[test]
fn toward_and_from_differ_where_costs_do() {
    let ground = Ground { terrain: vec![1, 5], ..Ground::plain(2, 1, 1, CornerRule::Never) };
    let grid = ground.grid();
    let (a, b) = (at(0), at(1));
    assert_eq!(DijkstraMap::toward(&grid, [b]).unwrap().value(a), Some(5.0));
    assert_eq!(DijkstraMap::toward(&grid, [a]).unwrap().value(b), Some(1.0));
    assert_eq!(DijkstraMap::from(&grid, [a]).unwrap().value(b), Some(5.0));
    assert_eq!(DijkstraMap::from(&grid, [b]).unwrap().value(a), Some(1.0));

    let uneven = Ground { terrain: vec![1, 9, 5, 3], ..Ground::plain(4, 1, 1, CornerRule::Never) }.grid();
    assert_eq!(DijkstraMap::toward(&uneven, [at(3)]).unwrap().value(at(0)), Some(17.0));
    assert_eq!(DijkstraMap::from(&uneven, [at(3)]).unwrap().value(at(0)), Some(15.0));
}

#[test]
fn a_long_dear_corridor_has_a_value_at_its_far_end() {
    let dear = Ground::plain(300, 1, 254, CornerRule::Never).grid();
    let field = DijkstraMap::toward(&dear, [at(0)]).unwrap();
    assert_eq!(field.value(at(299)), Some(75_946.0));
    let long = Ground::plain(32_768, 1, 1, CornerRule::Never).grid();
    let field = DijkstraMap::toward(&long, [at(0)]).unwrap();
    assert_eq!(field.value(at(32_767)), Some(32_767.0));
}

#[test]
fn a_dear_passage_is_worth_a_detour() {
    let mut ground = Ground::plain(10, 3, 1, CornerRule::BothFree);
    for x in 3..=6 {
        let index = ground.index(Cell::new(x, 1));
        ground.terrain[index] = 200;
    }
    let grid = ground.grid();
    let field = DijkstraMap::toward(&grid, [Cell::new(9, 1)]).unwrap();
    let path = field.trace(&grid, Cell::new(0, 1)).unwrap();
    assert!(path.cells().iter().all(|cell| cell.y != 1 || !(3..=6).contains(&cell.x)));
}

#[test]
fn a_walled_in_resource_is_skipped() {
    let rows = ["w.###..", "..#a#..", "..###..", "......b"];
    let (_, grid) = four(&rows);
    let worker = marked(&rows, 'w');
    let field = DijkstraMap::toward(&grid, ['a', 'b'].map(|mark| marked(&rows, mark))).unwrap();
    assert_eq!(field.value(worker), Some(9.0));
    assert_eq!(end(&field, &grid, worker), marked(&rows, 'b'));
}

#[test]
fn sources_with_values_pull_harder_or_less_hard() {
    let (_, grid) = corridor(7);
    let with = |sources: &[(i32, f64)]| {
        let sources: Vec<_> = sources.iter().map(|&(x, value)| Source { cell: at(x), value }).collect();
        DijkstraMap::toward(&grid, sources).unwrap()
    };
    let field = with(&[(0, 0.0), (6, 3.0)]);
    assert_eq!(row(&field), [0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 3.0]);
    let ends: Vec<_> = (0..7).map(|x| end(&field, &grid, at(x)).x).collect();
    assert_eq!(ends, [0, 0, 0, 0, 0, 6, 6]);

    assert_eq!(row(&with(&[(0, 0.0)])), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(row(&with(&[(0, 0.0), (6, 0.0)])), [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!(row(&with(&[(6, 0.0)])), [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);

    let (_, grid) = corridor(11);
    let sources = [(0, 0.0), (10, -6.0)].map(|(x, value)| Source { cell: at(x), value });
    let field = DijkstraMap::toward(&grid, sources).unwrap();
    assert_eq!([1, 3].map(|x| field.downhill(&grid, at(x))), [Some(Direction::West), Some(Direction::East)]);
    let tie = field.downhill(&grid, at(2));
    assert_eq!(tie, Some(Direction::West), "a tie goes to the direction that comes first");
}

#[test]
fn adding_maps_makes_flats_and_keeps_walls() {
    let (_, grid) = corridor(7);
    let [a, b] = [0, 6].map(|x| DijkstraMap::toward(&grid, [at(x)]).unwrap());
    let flat = DijkstraMap::weighted_sum(&[(&a, 1.0), (&b, 1.0)]).unwrap();
    assert_eq!(row(&flat), [6.0; 7]);
    assert!((0..7).all(|x| flat.downhill(&grid, at(x)).is_none()), "units stop on a flat");
    let tilted = DijkstraMap::weighted_sum(&[(&a, 1.0), (&b, 0.5)]).unwrap();
    assert_eq!(row(&tilted), [3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0]);
    assert_eq!(end(&tilted, &grid, at(5)), at(0));

    let rows = ["t.#", "..p"];
    let (ground, grid) = four(&rows);
    let treasure = DijkstraMap::toward(&grid, [marked(&rows, 't')]).unwrap();
    let player = DijkstraMap::from(&grid, [marked(&rows, 'p')]).unwrap();
    let desire = DijkstraMap::weighted_sum(&[(&treasure, 1.0), (&player, -0.5)]).unwrap();
    let expected = [Some(-1.5), Some(0.0), None, Some(0.0), Some(1.5), Some(3.0)];
    assert_eq!(values(&ground, &desire), expected);
}

/// A corridor with a dead end to the right of a junction and a longer branch downwards.
const JUNCTION: [&str; 9] = [
    "##########",
    "#t.......#",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "##########",
];

fn flee(grid: &CostGrid, threat: Cell, scale: f64) -> DijkstraMap {
    DijkstraMap::flee(grid, grid, [threat], FleeScale::new(scale).unwrap()).unwrap()
}

#[test]
fn flight_passes_the_dead_end_for_the_branch() {
    let (_, grid) = four(&JUNCTION);
    let field = flee(&grid, marked(&JUNCTION, 't'), 1.2);
    let tenths = [
        ((1, 1), -20),
        ((2, 1), -30),
        ((3, 1), -40),
        ((4, 1), -50),
        ((5, 1), -60),
        ((6, 1), -64),
        ((7, 1), -74),
        ((8, 1), -84),
        ((5, 2), -70),
        ((5, 3), -80),
        ((5, 4), -90),
        ((5, 5), -100),
        ((5, 6), -110),
        ((5, 7), -120),
    ];
    for (cell, value) in tenths {
        assert_eq!(field.value(cell.into()), Some(f64::from(value) / 10.0), "{cell:?}");
    }
    assert_eq!(end(&field, &grid, Cell::new(4, 1)), Cell::new(5, 7));
    assert_eq!(end(&field, &grid, Cell::new(6, 1)), Cell::new(8, 1), "too late to turn");
}

#[test]
fn flight_breaks_out_of_a_dead_end_if_the_branch_is_long_enough() {
    // At the tip of a dead end of depth p the way back and down a branch of length b takes p + b steps and gains
    // b - p of distance: it pays if k (b - p) is as much as p + b. In tenths, to be exact where it just pays.
    for tenths in [12, 20, 30] {
        for (depth, branch) in (1..=3).flat_map(|depth| (1..=35).map(move |branch| (depth, branch))) {
            let junction = 5;
            let mut ground = Ground::plain(junction + depth + 1, branch + 1, 0, CornerRule::Never);
            let row = (0..=junction + depth).map(|x| Cell::new(x, 0));
            let column = (0..=branch).map(|y| Cell::new(junction, y));
            for cell in row.chain(column) {
                let index = ground.index(cell);
                ground.terrain[index] = 1;
            }
            let grid = ground.grid();
            let tip = Cell::new(junction + depth, 0);
            let end = end(&flee(&grid, Cell::new(0, 0), f64::from(tenths) / 10.0), &grid, tip);
            let pays = tenths * (branch - depth) >= 10 * (depth + branch);
            let expected = if pays { Cell::new(junction, branch) } else { tip };
            assert_eq!(end, expected, "k {tenths} / 10, depth {depth}, branch {branch}");
        }
    }
}

#[test]
fn a_component_without_a_threat_has_no_value() {
    let rows = ["##########", "#t.......#", "##########", "#.########", "##########"];
    let (ground, grid) = four(&rows);
    let field = flee(&grid, marked(&rows, 't'), 1.2);
    assert_eq!(field.value(Cell::new(1, 3)), None);
    assert_eq!(end(&field, &grid, Cell::new(4, 1)), Cell::new(8, 1));
    // No value is a multiple of a mark for "unreachable".
    assert!(values(&ground, &field).into_iter().flatten().all(|value| (-20.0..=0.0).contains(&value)));
}

#[test]
fn flight_in_a_corridor() {
    let (_, grid) = corridor(7);
    let field = flee(&grid, at(3), 1.2);
    assert_eq!(row(&field), [-3.6, -2.6, -1.6, -0.6, -1.6, -2.6, -3.6]);
    assert_eq!(end(&field, &grid, at(2)), at(0));
    assert_eq!(field.downhill(&grid, at(0)), None, "there it stays");
}

#[test]
fn flight_goes_in_all_directions() {
    let ground = Ground::plain(9, 9, 1, CornerRule::BothFree);
    let grid = ground.grid();
    let centre = Cell::new(4, 4);
    let field = flee(&grid, centre, 1.5);
    for direction in Direction::ALL {
        let (dx, dy) = direction.delta();
        let end = end(&field, &grid, Cell::new(4 + dx, 4 + dy));
        assert_eq!(end.chebyshev(centre), 4, "at the border");
        if direction.is_diagonal() {
            assert_eq!(end, Cell::new(4 + 4 * dx, 4 + 4 * dy), "in its own corner");
        }
    }
    for cell in ground.cells() {
        let quarter_turn = Cell::new(8 - cell.y, cell.x);
        assert_eq!(field.value(cell), field.value(quarter_turn));
    }
    assert!(close(field.value(Cell::new(0, 0)).unwrap(), -1.5 * 4.0 * 2f64.sqrt()));
    assert!(field.value(Cell::new(4, 0)).unwrap() <= -6.0);
}

#[test]
fn corners_of_the_map_are_no_trouble() {
    let ground = Ground::plain(5, 4, 1, CornerRule::Always);
    let grid = ground.grid();
    for corner in [(0, 0), (4, 0), (0, 3), (4, 3)].map(Cell::from) {
        let chase = DijkstraMap::toward(&grid, [corner]).unwrap();
        let away = flee(&grid, corner, 1.2);
        for cell in ground.cells() {
            assert_eq!(end(&chase, &grid, cell), corner);
            assert!(cell == corner || end(&away, &grid, cell) != corner);
        }
        for outside in [(-1, 0), (5, 0), (0, 4), (i32::MAX, i32::MIN)].map(Cell::from) {
            assert_eq!((chase.value(outside), chase.downhill(&grid, outside)), (None, None));
            assert_eq!(chase.trace(&grid, outside), None);
        }
    }
}

#[test]
fn no_sources_no_values() {
    let (ground, grid) = four(&["..#", "..."]);
    let nothing: [Cell; 0] = [];
    let in_a_wall = [Cell::new(2, 0)];
    for field in [
        DijkstraMap::toward(&grid, nothing).unwrap(),
        DijkstraMap::from(&grid, nothing).unwrap(),
        DijkstraMap::toward(&grid, in_a_wall).unwrap(),
        DijkstraMap::flee(&grid, &grid, nothing, FleeScale::default()).unwrap(),
    ] {
        assert!(values(&ground, &field).iter().all(Option::is_none));
        assert!(ground.cells().all(|cell| field.trace(&grid, cell).is_none()));
    }
    let out_of_the_wall = DijkstraMap::from(&grid, in_a_wall).unwrap();
    assert_eq!(out_of_the_wall.value(Cell::new(1, 0)), Some(1.0), "a wall may be left");
}
