//! Line of sight and string pulling against plain geometry.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, close, marked};
use wayfield::{
    Algorithm, Cell, CornerRule, CostGrid, Outcome, Path, PathError, PathQuery, PathSearch, SmoothPath, find_path,
    has_line_of_sight, line_cost, smooth,
};

/// Where the line between two centres is inside a unit square around a centre, from its begin (0) to its end (1), cut
/// to `range`. Plain clipping against the four sides.
fn inside(cell: Cell, from: Cell, to: Cell, range: (f64, f64)) -> f64 {
    let (mut enters, mut leaves) = range;
    for (at, begin, end) in [(cell.x, from.x, to.x), (cell.y, from.y, to.y)] {
        let (at, begin, run) = (f64::from(at), f64::from(begin), f64::from(end - begin));
        if run == 0.0 {
            if at != begin {
                return 0.0;
            }
            continue;
        }
        let sides = [(at - 0.5 - begin) / run, (at + 0.5 - begin) / run];
        enters = enters.max(sides[0].min(sides[1]));
        leaves = leaves.min(sides[0].max(sides[1]));
    }
    (leaves - enters).max(0.0)
}

/// All cells of the box around two cells.
fn box_around(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (left, right) = (from.x.min(to.x), from.x.max(to.x));
    (from.y.min(to.y)..=from.y.max(to.y)).flat_map(move |y| (left..=right).map(move |x| Cell::new(x, y)))
}

/// Whether the line crosses the inside of the cell's square, without a fraction: the corners of the square, in half
/// cells, must not all be on one side of the line. Within the box of the line that is enough.
fn touches(cell: Cell, from: Cell, to: Cell) -> bool {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let side = |(x, y): (i32, i32)| (2 * (cell.x - from.x) + x) * dy - (2 * (cell.y - from.y) + y) * dx;
    let sides = corners.map(side);
    sides.iter().any(|&side| side > 0) && sides.iter().any(|&side| side < 0)
}

/// Line of sight from the definition: each touched cell is open, and each corner that is hit lets lines through.
fn sees(ground: &Ground, from: Cell, to: Cell) -> bool {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    box_around(from, to).all(|cell| {
        let is_free = cell == from || !touches(cell, from, to) || ground.is_open(cell);
        // The corner below and right of the cell, in half cells from the begin of the line.
        let (x, y) = (2 * (cell.x - from.x) + 1, 2 * (cell.y - from.y) + 1);
        let is_hit = dx != 0
            && dy != 0
            && x * dy == y * dx
            && (0..2 * dx.abs()).contains(&(x * dx.signum()))
            && (0..2 * dy.abs()).contains(&(y * dy.signum()));
        let right = Cell::new(cell.x + 1, cell.y);
        let (below, across) = (Cell::new(cell.x, cell.y + 1), Cell::new(cell.x + 1, cell.y + 1));
        let beside = if (dx > 0) == (dy > 0) { [right, below] } else { [cell, across] };
        let free = beside.into_iter().filter(|&side| ground.is_open(side)).count();
        let enough = match ground.rule {
            CornerRule::Never | CornerRule::BothFree => 2,
            CornerRule::Always | CornerRule::AtLeastOneFree => 1,
        };
        is_free && (!is_hit || free >= enough)
    }) && ground.is_open(to)
}

/// The cost of a line from its definition: moved half a step forward, each cell by the length inside it.
fn price(ground: &Ground, from: Cell, to: Cell) -> f64 {
    let long = f64::from((to.x - from.x).abs().max((to.y - from.y).abs()));
    if long == 0.0 {
        return 0.0;
    }
    let length = f64::from(to.x - from.x).hypot(f64::from(to.y - from.y));
    let range = (0.5 / long, 1.0 + 0.5 / long);
    let parts = box_around(from, to).map(|cell| inside(cell, from, to, range) * f64::from(ground.cost(cell)));
    parts.sum::<f64>() * length
}

#[test]
fn lines_touch_and_cost_what_geometry_says() {
    let mut dice = Dice::new(51);
    let (mut seen, mut hidden) = (0, 0);
    for _ in 0..3000 {
        let mut ground = dice.ground();
        if dice.roll(3) > 0 {
            // Fewer walls, so that long lines are seen too.
            ground.terrain.iter_mut().for_each(|terrain| *terrain += u8::from(*terrain == 0 && dice.roll(5) > 0));
        }
        let grid = ground.grid();
        for _ in 0..12 {
            let (from, to) = (dice.cell(&ground), dice.cell(&ground));
            let expected = if from == to { true } else { sees(&ground, from, to) };
            assert_eq!(has_line_of_sight(&grid, from, to), expected, "{from} to {to} on {ground:?}");
            if ground.is_open(from) && ground.is_open(to) {
                assert_eq!(has_line_of_sight(&grid, to, from), expected, "there and back");
            }
            match line_cost(&grid, from, to) {
                Some(cost) => {
                    seen += 1;
                    let real = price(&ground, from, to);
                    assert!(close(cost.units(), real), "{from} to {to}: {} is not {real}", cost.units());
                }
                None => hidden += 1,
            }
        }
    }
    assert!(seen > 5000 && hidden > 5000, "{seen} seen, {hidden} hidden");
}

#[test]
fn a_line_touches_more_than_points_on_it_can_show() {
    let mut dice = Dice::new(52);
    for _ in 0..300 {
        let ground = Ground { rule: CornerRule::BothFree, ..dice.ground() };
        let grid = ground.grid();
        for _ in 0..10 {
            let (from, to) = (dice.cell(&ground), dice.cell(&ground));
            if !has_line_of_sight(&grid, from, to) {
                continue;
            }
            for sample in 0..=2000 {
                let along = |begin: i32, end: i32| {
                    (f64::from(begin) + f64::from(end - begin) * f64::from(sample) / 2000.0 + 0.5).floor() as i32
                };
                let cell = Cell::new(along(from.x, to.x), along(from.y, to.y));
                assert!(cell == from || ground.is_open(cell), "{from} to {to} crosses {cell} on {ground:?}");
            }
        }
    }
}

#[test]
fn a_line_as_steps_costs_what_the_steps_cost() {
    let mut dice = Dice::new(53);
    for _ in 0..1500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let start = dice.cell(&ground);
        let (dx, dy) = (dice.roll(3) as i32 - 1, dice.roll(3) as i32 - 1);
        let mut cells = vec![start];
        for length in 1..24 {
            cells.push(Cell::new(start.x + dx * length, start.y + dy * length));
            let Ok(path) = Path::new(cells.clone(), &grid) else { break };
            let end = cells[cells.len() - 1];
            let Some(cost) = line_cost(&grid, start, end) else {
                assert_eq!(ground.rule, CornerRule::Always, "only a step may squeeze between two walls");
                break;
            };
            assert_eq!((cost.steps, cost.slanted), (path.cost(), 0));
            assert_eq!(smooth(&grid, &path).unwrap().waypoints, [start, end], "a straight line has two points");
        }
    }
}

/// Fails unless a smoothed path keeps all its promises.
#[track_caller]
fn check(ground: &Ground, grid: &CostGrid, path: &Path, smoothed: &SmoothPath) {
    let points = &smoothed.waypoints;
    assert_eq!((points.first().copied(), points.last().copied()), (path.start(), path.end()));
    let mut rest = path.cells().iter();
    assert!(points.iter().all(|point| rest.any(|cell| cell == point)), "waypoints are cells of the path, in order");
    let mut total = 0.0;
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let squeezes = ground.rule == CornerRule::Always && ground.is_legal(from, to);
        assert!(sees(ground, from, to) || squeezes, "{from} to {to} on {ground:?}");
        total += price(ground, from, to);
    }
    let cost = smoothed.cost.units();
    assert!(close(cost, total), "{cost} is not {total} on {ground:?}");
    assert!(cost <= path.cost().units() * (1.0 + 1e-12), "{cost} is dearer than {:?} on {ground:?}", path.cost());
    for three in points.windows(3) {
        let price = |from, to| price(ground, from, to);
        let apart = price(three[0], three[1]) + price(three[1], three[2]);
        let can_go = sees(ground, three[0], three[2]) && price(three[0], three[2]) < apart - 1e-6;
        assert!(!can_go, "{} need not be there on {ground:?}", three[1]);
    }
    assert_eq!(smooth(grid, path).as_ref(), Ok(smoothed), "the same again");
}

#[test]
fn smoothing_is_legal_and_never_dearer() {
    let mut dice = Dice::new(54);
    let mut search = PathSearch::default();
    let (mut smoothed_paths, mut cells, mut points, mut before, mut after) = (0, 0, 0, 0.0, 0.0);
    for _ in 0..12_000 {
        let mut ground = dice.ground();
        if dice.roll(2) == 0 {
            ground.terrain.iter_mut().for_each(|terrain| *terrain += u8::from(*terrain == 0 && dice.roll(3) > 0));
        }
        let grid = ground.grid();
        let algorithm = Algorithm::ALL[dice.roll(6) as usize];
        let query = PathQuery { algorithm, ..PathQuery::new(dice.cell(&ground), dice.cell(&ground)) };
        let answer = search.find(&grid, &query).unwrap();
        if let Outcome::Found(path) = &answer.outcome {
            let smoothed = smooth(&grid, path).unwrap();
            check(&ground, &grid, path, &smoothed);
            smoothed_paths += 1;
            cells += path.len();
            points += smoothed.waypoints.len();
            before += path.cost().units();
            after += smoothed.cost.units();
        }
    }
    println!("{smoothed_paths} paths: {cells} cells, {points} waypoints; cost {before} and {after}");
    assert!(smoothed_paths > 3000 && points * 2 < cells && after < before);
}

#[test]
fn on_open_ground_every_path_becomes_one_line() {
    let mut dice = Dice::new(55);
    for _ in 0..300 {
        let rule = CornerRule::ALL[dice.roll(4) as usize];
        let ground = Ground::plain(40, 30, 1 + dice.roll(9) as u8, rule);
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let grid = ground.grid();
        let answer = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
        let smoothed = smooth(&grid, answer.outcome.path().unwrap()).unwrap();
        assert_eq!(smoothed.waypoints.len(), if start == goal { 1 } else { 2 });
        let straight = f64::from(goal.x - start.x).hypot(f64::from(goal.y - start.y));
        assert!(close(smoothed.cost.units(), straight * f64::from(ground.terrain[0])));
    }
}

#[test]
fn a_line_that_grazes_a_wall_is_not_clear() {
    let rows = ["S.....", "....#.", ".....G"];
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let grid = ground.grid();
    let (start, goal) = (marked(&rows, 'S'), marked(&rows, 'G'));
    assert!(!has_line_of_sight(&grid, start, goal));
    let answer = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
    let path = answer.outcome.path().unwrap();
    let smoothed = smooth(&grid, path).unwrap();
    assert!(smoothed.waypoints.len() > 2);
    check(&ground, &grid, path, &smoothed);
}

#[test]
fn a_pillar_hides_what_lies_behind_it() {
    let rows = [".......", ".......", "...#.G.", ".......", "......."];
    for rule in [CornerRule::Never, CornerRule::BothFree] {
        let ground = Ground::drawn(&rows, rule);
        let grid = ground.grid();
        let goal = marked(&rows, 'G');
        let hidden: Vec<_> = ground
            .cells()
            .filter(|&cell| ground.is_open(cell) && !has_line_of_sight(&grid, cell, goal))
            .map(|cell| (cell.x, cell.y))
            .collect();
        assert_eq!(hidden, [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3)]);
    }
}

#[test]
fn nothing_is_pulled_between_two_walls() {
    let rows = ["S.#..", ".#...", "#.#..", "..#..", "....G"];
    let ground = Ground::drawn(&rows, CornerRule::Always);
    let grid = ground.grid();
    assert!(!has_line_of_sight(&grid, Cell::new(0, 1), Cell::new(1, 2)), "pinched");
    let answer = find_path(&grid, &PathQuery::new(marked(&rows, 'S'), marked(&rows, 'G'))).unwrap();
    let path = answer.outcome.path().unwrap();
    let smoothed = smooth(&grid, path).unwrap();
    check(&ground, &grid, path, &smoothed);
    assert!(path.cells().windows(2).all(|pair| grid.legal_step(pair[0], pair[1]).is_some()));
    assert!(smoothed.waypoints.windows(2).any(|pair| !has_line_of_sight(&grid, pair[0], pair[1])));
}

#[test]
fn a_swamp_is_not_cut_through() {
    let rows = ["S..........", ".66666666..", ".66666666..", ".66666666..", ".66666666.G"];
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let grid = ground.grid();
    let (start, goal) = (marked(&rows, 'S'), marked(&rows, 'G'));
    let path = find_path(&grid, &PathQuery::new(start, goal)).unwrap().outcome.path().unwrap().clone();
    let smoothed = smooth(&grid, &path).unwrap();
    check(&ground, &grid, &path, &smoothed);
    // The line is clear, so a pull that asks for walls alone would take it.
    assert!(has_line_of_sight(&grid, start, goal));
    let direct = line_cost(&grid, start, goal).unwrap().units();
    assert!(direct > 2.0 * path.cost().units(), "{direct}");
    assert!(smoothed.waypoints.len() > 2 && smoothed.cost.units() <= path.cost().units());

    // A blind search that waded through is pulled straight, but never into more swamp than it costs.
    let blind = PathQuery { algorithm: Algorithm::Bfs, ..PathQuery::new(start, goal) };
    let waded = find_path(&grid, &blind).unwrap().outcome.path().unwrap().clone();
    let smoothed = smooth(&grid, &waded).unwrap();
    check(&ground, &grid, &waded, &smoothed);
}

#[test]
fn a_start_in_a_wall_is_left_and_a_broken_path_is_refused() {
    let rows = [".....", ".#...", "....."];
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let grid = ground.grid();
    let wall = Cell::new(1, 1);
    let path = find_path(&grid, &PathQuery::new(wall, Cell::new(4, 1))).unwrap().outcome.path().unwrap().clone();
    assert_eq!(smooth(&grid, &path).unwrap().waypoints, [wall, Cell::new(4, 1)]);
    assert!(has_line_of_sight(&grid, wall, Cell::new(4, 2)) && !has_line_of_sight(&grid, Cell::new(4, 1), wall));
    assert!(!has_line_of_sight(&grid, Cell::new(0, 0), Cell::new(5, 0)), "outside");
    assert!(!has_line_of_sight(&grid, Cell::new(i32::MIN, 0), Cell::new(i32::MAX, 3)), "far outside");

    let closed = Ground::drawn(&[".....", ".#.#.", "....."], CornerRule::BothFree).grid();
    let (from, to) = (Cell::new(2, 1), Cell::new(3, 1));
    assert_eq!(smooth(&closed, &path), Err(PathError::IllegalStep { index: 1, from, to }));
    let tiny = Ground::plain(1, 1, 1, CornerRule::BothFree).grid();
    assert_eq!(smooth(&tiny, &path), Err(PathError::Outside(wall)));
}

#[test]
fn the_longest_line_of_the_largest_maps_can_be_counted() {
    let ground = Ground::plain(32_768, 3, 255, CornerRule::BothFree);
    let grid = ground.grid();
    let (from, to) = (Cell::new(0, 0), Cell::new(32_767, 2));
    let cost = line_cost(&grid, from, to).unwrap().units();
    assert!(close(cost, 255.0 * 32_767f64.hypot(2.0)), "{cost}");
}
