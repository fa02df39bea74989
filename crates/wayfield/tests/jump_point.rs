//! Jump point search against the naive search and against A*: every corner rule, uniform and weighted terrain.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use std::f64::consts::SQRT_2;

use support::{Dice, Ground, Layers, Mover, Spot, marked, rounds, whole_cost, whole_step};
use wayfield::search::{Ending, Limits, Order, Search, Stats, Tie};
use wayfield::space::Space;
use wayfield::{Cell, CornerRule, Cost, CostGrid, Heuristic, JumpSpace, NodeId, Path, TerrainId, fill_jumps};

/// What a search found: the jump points and the cells of the way, and what it cost.
#[derive(Debug, PartialEq)]
struct Way {
    points: Vec<Cell>,
    path: Path,
    cost: i64,
}

fn node(grid: &CostGrid, cell: Cell) -> NodeId {
    grid.size().index(cell).unwrap()
}

fn run(
    search: &mut Search,
    order: Order,
    space: &impl Space,
    grid: &CostGrid,
    (start, goal): (Cell, Cell),
) -> Option<Vec<Cell>> {
    let spot = Spot::new(grid, goal, Heuristic::of_rule(grid.corner_rule()));
    search.begin(order, space, &[(node(grid, start), Cost::ZERO)], &spot);
    let ending = search.run(space, &spot, Limits::NONE);
    if ending == Ending::Exhausted {
        return None;
    }
    assert_eq!(ending, Ending::Found(node(grid, goal)));
    let mut points: Vec<_> = search.trace(node(grid, goal)).map(|node| grid.size().cell(node)).collect();
    points.reverse();
    Some(points)
}

/// Searches by jump points; checks the way and that its cost is what the search says.
fn jump(
    search: &mut Search,
    order: Order,
    ground: &Ground,
    grid: &CostGrid,
    (start, goal): (Cell, Cell),
) -> Option<Way> {
    let space = JumpSpace::new(grid, goal);
    let points = run(search, order, &space, grid, (start, goal))?;
    let path = Path::new(fill_jumps(&points, grid.corner_rule()), grid).unwrap();
    assert_eq!((path.start(), path.end()), (Some(start), Some(goal)));
    let cost = ground.check_path(&path, start);
    assert_eq!(search.cost_to(node(grid, goal)).map(|cost| i64::from(cost.raw())), Some(cost), "{points:?}");
    Some(Way { points, path, cost })
}

/// The same grid with jumps prepared.
fn prepared(grid: &CostGrid) -> CostGrid {
    let mut grid = grid.clone();
    grid.build_jump_table();
    grid
}

/// As [`jump`], and fails unless a search over prepared jumps does exactly the same.
fn jump_twice(
    search: &mut Search,
    order: Order,
    ground: &Ground,
    (grid, prepared): (&CostGrid, &CostGrid),
    ends: (Cell, Cell),
) -> Option<Way> {
    assert!(prepared.has_jump_table() && !grid.has_jump_table());
    let way = jump(search, order, ground, prepared, ends);
    let stats = search.stats();
    assert_eq!(way, jump(search, order, ground, grid, ends), "{ends:?} by {order:?} on {ground:?}");
    assert_eq!(stats, search.stats(), "{ends:?} by {order:?} on {ground:?}");
    way
}

/// The expansions of A* cell by cell, and the cost it finds.
fn plainly(grid: &CostGrid, ends: (Cell, Cell)) -> (Stats, Option<i64>) {
    let mut search = Search::default();
    let found = run(&mut search, Order::a_star(Tie::HighG), grid, grid, ends);
    (search.stats(), found.map(|cells| whole_cost(&Path::new(cells, grid).unwrap())))
}

/// How the costs of a random map are strewn.
#[derive(Clone, Copy, PartialEq)]
enum Costs {
    Uniform,
    /// Every cell its own.
    Noise,
    /// Patches of a few cells.
    Patches,
}

/// A random map with up to 60 % walls; one in eight is long and thin, and one in eight wider or higher than a word or two.
fn random_ground(dice: &mut Dice, costs: Costs) -> Ground {
    let (width, height) = match dice.roll(16) {
        0 => (1 + dice.roll(3), 1 + dice.roll(200)),
        1 => (1 + dice.roll(200), 1 + dice.roll(3)),
        2 => (60 + dice.roll(100), 4 + dice.roll(12)),
        3 => (4 + dice.roll(12), 60 + dice.roll(100)),
        4..=8 => (1 + dice.roll(8), 1 + dice.roll(8)),
        _ => (1 + dice.roll(32), 1 + dice.roll(32)),
    };
    let walls = [0, 3, 10, 20, 30, 40, 60][dice.roll(7) as usize];
    let dearest = [2, 3, 9, 255][dice.roll(4) as usize];
    let plain = [1, 1, 4][dice.roll(3) as usize];
    let side = 2 + dice.roll(12);
    let patches: Vec<u8> = (0..2000).map(|_| 1 + dice.roll(dearest) as u8).collect();
    let cost = |dice: &mut Dice, x: u64, y: u64| match costs {
        Costs::Uniform => plain,
        Costs::Noise => 1 + dice.roll(dearest) as u8,
        Costs::Patches => patches[(y / side * 41 + x / side) as usize % patches.len()],
    };
    let cells = (0..width * height)
        .map(|index| if dice.roll(100) < walls { 0 } else { cost(dice, index % width, index / width) });
    Ground {
        terrain: cells.collect(),
        width: width as i32,
        height: height as i32,
        mover: if costs == Costs::Uniform { Mover::Plain } else { Mover::ALL[dice.roll(4) as usize / 3] },
        rule: CornerRule::Never,
        layers: Layers::default(),
    }
}

/// Compares `maps` random maps under each corner rule with the naive search, by both orders that are optimal.
fn compare(seed: u64, costs: Costs, maps: usize) {
    let mut dice = Dice::new(seed);
    let mut search = Search::default();
    let (mut found, mut missing) = (0, 0);
    for _ in 0..rounds(maps) {
        let mut ground = random_ground(&mut dice, costs);
        for rule in CornerRule::ALL {
            ground.rule = rule;
            let grid = ground.grid();
            let prepared = prepared(&grid);
            // The start may be a wall: a unit in a wall may leave.
            let start = dice.cell(&ground);
            let optimum = ground.spread_from(&[(start, 0)], whole_step);
            for _ in 0..3 {
                let goal = dice.cell(&ground);
                if goal == start || !ground.is_open(goal) {
                    continue;
                }
                let order = [Order::a_star(Tie::HighG), Order::a_star(Tie::LowG), Order::DIJKSTRA];
                let order = order[dice.roll(3) as usize];
                let way = jump_twice(&mut search, order, &ground, (&grid, &prepared), (start, goal));
                let expected = optimum[ground.index(goal)];
                assert_eq!(way.map(|way| way.cost), expected, "{start} to {goal} by {order:?} on {ground:?}");
                found += u32::from(expected.is_some());
                missing += u32::from(expected.is_none());
            }
        }
    }
    let maps = maps as u32;
    assert!(found > 2 * maps && missing > maps / 2, "{found} found, {missing} not: the maps are one-sided");
}

#[test]
fn uniform_terrain_is_searched_optimally() {
    compare(21, Costs::Uniform, 6000);
}

#[test]
fn noise_is_searched_optimally() {
    compare(22, Costs::Noise, 3000);
}

#[test]
fn patches_are_searched_optimally() {
    compare(23, Costs::Patches, 6000);
}

#[test]
fn jump_points_and_the_cells_of_a_path_are_two_things() {
    let rows = ["S.......", "..##....", "..##....", ".......G"];
    let ends = (marked(&rows, 'S'), marked(&rows, 'G'));
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let grid = ground.grid();
    let way = jump(&mut Search::default(), Order::a_star(Tie::HighG), &ground, &grid, ends).unwrap();
    assert!((way.path.cost().units() - 8.242641).abs() < 1e-6);
    assert!(way.points.len() < way.path.len());
    assert!(way.points.iter().all(|point| way.path.cells().contains(point)));
    let again = fill_jumps(&way.points, CornerRule::BothFree);
    assert_eq!(again, way.path.cells(), "filling in changes nothing");
    assert_eq!(fill_jumps(way.path.cells(), CornerRule::BothFree), again, "nor does filling in what is full");
    assert_eq!(fill_jumps(&[], CornerRule::Always), []);
}

#[test]
fn a_straight_line_stays_straight_and_is_one_jump() {
    let ground = Ground::plain(150, 3, 1, CornerRule::BothFree);
    let (start, goal) = (Cell::new(2, 1), Cell::new(148, 1));
    let mut search = Search::default();
    for ends in [(start, goal), (goal, start)] {
        let way = jump(&mut search, Order::a_star(Tie::HighG), &ground, &ground.grid(), ends).unwrap();
        assert_eq!(way.points, [ends.0, ends.1]);
        assert!(way.path.cells().iter().all(|cell| cell.y == 1));
        assert_eq!(search.stats().expanded, 2);
    }
}

/// What a drawing costs from `S` to `G` under each of the four rules, `None` for no way at all.
#[track_caller]
fn assert_costs(rows: &[&str], costs: [Option<f64>; 4]) {
    for (rule, expected) in CornerRule::ALL.into_iter().zip(costs) {
        let ground = Ground::drawn(rows, rule);
        let ends = (marked(rows, 'S'), marked(rows, 'G'));
        let way = jump(&mut Search::default(), Order::a_star(Tie::HighG), &ground, &ground.grid(), ends);
        let cost = way.map(|way| way.path.cost().units());
        assert_eq!(cost.is_some(), expected.is_some(), "{rule:?}");
        let off = cost.unwrap_or_default() - expected.unwrap_or_default();
        assert!(off.abs() < 1e-6, "{rule:?}: {cost:?} for {expected:?}");
    }
}

#[test]
fn corners_are_cut_as_the_rule_says() {
    // Never, Always, AtLeastOneFree, BothFree.
    assert_costs(&["S#", ".G"], [Some(2.0), Some(SQRT_2), Some(SQRT_2), Some(2.0)]);
    assert_costs(&["S#", "#G"], [None, Some(SQRT_2), None, None]);
    let wall = ["S.....#", ".....#.", "....#..", "...#...", "..#....", ".#.....", "......G"];
    assert_costs(&wall, [Some(12.0), Some(9.071068), Some(11.414214), Some(12.0)]);
}

#[test]
fn dear_terrain_is_walked_around() {
    let rows = ["S9999G", "111111", "111111"];
    assert_costs(&rows, [Some(7.0), Some(5.828427), Some(5.828427), Some(5.828427)]);
}

#[test]
fn four_directions_have_jumps_of_their_own() {
    let rows = ["S.#.....", "..#.###.", ".##.#.#.", "....#...", ".####.#.", "......#G"];
    let ground = Ground::drawn(&rows, CornerRule::Never);
    let ends = (marked(&rows, 'S'), marked(&rows, 'G'));
    let way = jump(&mut Search::default(), Order::a_star(Tie::HighG), &ground, &ground.grid(), ends).unwrap();
    assert_eq!(way.path.cost().straight, 16);
    assert!(way.points.len() < way.path.len());
}

/// Expansions and entries on the open list of A*, and those of jump point search, for an equal cost.
fn effort(ground: &Ground, ends: (Cell, Cell)) -> (Stats, Stats) {
    let grid = ground.grid();
    let (plain, cost) = plainly(&grid, ends);
    let mut search = Search::default();
    let way = jump(&mut search, Order::a_star(Tie::HighG), ground, &grid, ends);
    assert_eq!(way.map(|way| way.cost), cost);
    (plain, search.stats())
}

#[test]
fn open_maps_need_few_expansions() {
    let mut dice = Dice::new(24);
    for rule in CornerRule::ALL {
        let (mut by_cells, mut by_jumps) = (0, 0);
        for walls in [0, 0, 2, 10] {
            let mut ground = Ground::plain(200, 200, 1, rule);
            for cell in &mut ground.terrain {
                *cell = u8::from(dice.roll(100) >= walls);
            }
            ground.terrain[0] = 1;
            ground.terrain[199 * 200 + 150] = 1;
            let (plain, jumps) = effort(&ground, (Cell::new(0, 0), Cell::new(150, 199)));
            assert!(jumps.generated < plain.generated, "{rule:?} {walls}: {jumps:?} for {plain:?}");
            by_cells += plain.expanded;
            by_jumps += jumps.expanded;
        }
        assert!(by_jumps * 2 < by_cells, "{rule:?}: {by_jumps} for {by_cells}");
    }
    // An open map without walls is two jumps.
    for rule in CornerRule::ALL {
        let (_, jumps) = effort(&Ground::plain(200, 200, 7, rule), (Cell::new(3, 4), Cell::new(190, 60)));
        assert_eq!(jumps.expanded, 2, "{rule:?}");
    }
}

#[test]
fn zones_of_one_terrain_are_jumped_over() {
    let mut ground = Ground::plain(200, 200, 1, CornerRule::BothFree);
    for cell in ground.cells() {
        let index = ground.index(cell);
        ground.terrain[index] = [1, 2, 4][((cell.x / 40) * 7 + (cell.y / 40) * 5) as usize % 3];
    }
    let (plain, jumps) = effort(&ground, (Cell::new(0, 0), Cell::new(199, 190)));
    assert!(jumps.expanded * 4 < plain.expanded, "{jumps:?} for {plain:?}");
}

#[test]
fn edits_move_the_jump_points() {
    let mut dice = Dice::new(25);
    let mut search = Search::default();
    let mut changed = 0;
    for round in 0..400 {
        let costs = [Costs::Uniform, Costs::Noise, Costs::Patches][round % 3];
        let mut ground = Ground { rule: CornerRule::ALL[round % 4], ..random_ground(&mut dice, costs) };
        let (mut map, class) = (ground.map(), ground.class());
        let mut grid = prepared(&CostGrid::new(&map, &class));
        for _ in 0..6 {
            let edits: Vec<_> =
                (0..1 + dice.roll(4)).map(|_| (dice.cell(&ground), TerrainId(dice.roll(3) as u8))).collect();
            for &(cell, terrain) in &edits {
                let index = ground.index(cell);
                ground.terrain[index] = terrain.0;
            }
            map.edit(edits).unwrap();
            let before = grid.clone();
            grid.refresh(&map, &class);
            changed += u32::from(grid != before);
            let fresh = CostGrid::new(&map, &class);
            assert_eq!(grid, prepared(&fresh), "a table is not what it would be anew on {ground:?}");
            let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
            if start == goal || !ground.is_open(goal) {
                continue;
            }
            let way = jump_twice(&mut search, Order::a_star(Tie::HighG), &ground, (&fresh, &grid), (start, goal));
            let optimum = ground.spread_from(&[(start, 0)], whole_step)[ground.index(goal)];
            assert_eq!(way.map(|way| way.cost), optimum, "{start} to {goal} on {ground:?}");
        }
    }
    assert!(changed > 1200, "{changed}");
}

#[test]
fn a_table_stays_until_it_is_dropped() {
    let ground = Ground::drawn(&["....", ".#..", "...."], CornerRule::Always);
    let (map, class) = (ground.map(), ground.class());
    let mut grid = CostGrid::new(&map, &class);
    grid.drop_jump_table();
    let plain = grid.clone();
    grid.build_jump_table();
    assert!(grid.has_jump_table() && grid != plain);
    let built = grid.clone();
    grid.build_jump_table();
    grid.rebuild(&map, &class);
    assert!(grid.has_jump_table(), "a new grid has what the old one had");
    assert_eq!(grid, built);
    // Of another class the map is to be seen anew.
    let other = class.clone().with_corner_rule(CornerRule::Never);
    grid.refresh(&map, &other);
    assert_eq!(grid, prepared(&CostGrid::new(&map, &other)));
    grid.refresh(&map, &class);
    grid.drop_jump_table();
    assert_eq!(grid, plain);
}

#[test]
fn a_jump_too_dear_to_count_is_said_to_be_so() {
    // Along a line, and along a ray, which is vertical in four directions.
    for (width, height, rule) in [(7084, 1, CornerRule::BothFree), (1, 7084, CornerRule::Never)] {
        let ground = Ground::plain(width, height, 255, rule);
        let grid = ground.grid();
        let cell = |node: i32| if width > 1 { Cell::new(node, 0) } else { Cell::new(0, node) };
        let mut search = Search::default();
        let table = prepared(&grid);
        let order = Order::a_star(Tie::HighG);
        let way = jump_twice(&mut search, order, &ground, (&grid, &table), (cell(0), cell(7082))).unwrap();
        assert_eq!(way.path.cost().straight, 7082 * 255);
        for grid in [&grid, &table] {
            let space = JumpSpace::new(grid, cell(7083));
            let far = Spot::new(grid, cell(7083), Heuristic::Zero);
            search.begin(Order::DIJKSTRA, &space, &[(0, Cost::ZERO)], &far);
            assert_eq!(search.run(&space, &far, Limits::NONE), Ending::CostOverflow, "{rule:?}");
        }
    }
}

fn successors(space: &JumpSpace, node: NodeId, parent: Option<NodeId>) -> Vec<(NodeId, Cost)> {
    let mut all = Vec::new();
    space.expand(node, parent, |next, cost| all.push((next, cost)));
    all
}

/// On dear ground a jump may not be as long as the map, so that cells of one line do not all see the same.
#[test]
fn tables_know_how_far_a_jump_may_be() {
    let mut dice = Dice::new(27);
    for (round, rule) in CornerRule::ALL.into_iter().enumerate() {
        let (long, short) = (2600 + dice.roll(100) as i32, 3 + dice.roll(3) as i32);
        let (width, height) = if round % 2 == 0 { (long, short) } else { (short, long) };
        let mut ground = Ground::plain(width, height, 255, rule);
        let (mut map, class) = (ground.map(), ground.class());
        let mut grid = prepared(&CostGrid::new(&map, &class));
        for _ in 0..4 {
            let edit = (dice.cell(&ground), TerrainId(0));
            let index = ground.index(edit.0);
            ground.terrain[index] = 0;
            map.edit([edit]).unwrap();
            grid.refresh(&map, &class);
            let fresh = CostGrid::new(&map, &class);
            assert!(grid == prepared(&fresh), "{edit:?}, {width} x {height}, {rule:?}");
            let goal = dice.cell(&ground);
            let (space, same) = (JumpSpace::new(&fresh, goal), JumpSpace::new(&grid, goal));
            for _ in 0..300 {
                let node = dice.roll(space.len() as u64) as NodeId;
                assert_eq!(successors(&same, node, None), successors(&space, node, None), "{node} to {goal}, {rule:?}");
            }
        }
    }
}

#[test]
fn a_space_can_be_asked_for_any_node() {
    let mut dice = Dice::new(26);
    for _ in 0..200 {
        let ground =
            Ground { rule: CornerRule::ALL[dice.roll(4) as usize], ..random_ground(&mut dice, Costs::Patches) };
        let grid = ground.grid();
        let table = prepared(&grid);
        // A goal outside the map is never in the way.
        let goal = [Cell::new(-1, 0), dice.cell(&ground)][dice.roll(2) as usize];
        let (space, same) = (JumpSpace::new(&grid, goal), JumpSpace::new(&table, goal));
        for node in 0..space.len() as NodeId {
            let mut jumps = 0;
            space.expand(node, Some(0), |next, cost| {
                assert!((next as usize) < space.len() && cost > Cost::ZERO);
                jumps += 1;
            });
            let parent = dice.roll(space.len() as u64) as NodeId;
            space.expand(node, Some(parent), |next, _| assert!((next as usize) < space.len()));
            for parent in [None, Some(0), Some(parent)] {
                assert_eq!(
                    successors(&same, node, parent),
                    successors(&space, node, parent),
                    "to {goal} on {ground:?}"
                );
            }
            let is_stuck = grid.legal_moves(grid.size().cell(node)).is_empty();
            assert!(jumps == 0 || !is_stuck, "a jump begins with a legal move");
        }
    }
}
