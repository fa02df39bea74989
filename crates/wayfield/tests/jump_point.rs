//! Jump point search against the naive search and against A*: every corner rule, uniform and weighted terrain.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Mover, Spot, marked, whole_cost, whole_step};
use wayfield::search::{Ending, Limits, Order, Search, Stats, Tie};
use wayfield::space::Space;
use wayfield::{Cell, CornerRule, Cost, CostGrid, Heuristic, JumpSpace, NodeId, Path, TerrainId, fill_jumps};

/// What a search found: the jump points and the cells of the way, and what it cost.
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
    let cells = (0..width * height).map(|index| {
        if dice.roll(100) < walls { 0 } else { cost(dice, index % width, index / width) }
    });
    Ground {
        terrain: cells.collect(),
        width: width as i32,
        height: height as i32,
        mover: if costs == Costs::Uniform { Mover::Plain } else { Mover::ALL[dice.roll(4) as usize / 3] },
        rule: CornerRule::Never,
    }
}

/// Compares `maps` random maps under each corner rule with the naive search, by both orders that are optimal.
fn compare(seed: u64, costs: Costs, maps: u32) {
    let mut dice = Dice::new(seed);
    let mut search = Search::default();
    let (mut found, mut missing) = (0, 0);
    for _ in 0..maps {
        let mut ground = random_ground(&mut dice, costs);
        for rule in CornerRule::ALL {
            ground.rule = rule;
            let grid = ground.grid();
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
                let way = jump(&mut search, order, &ground, &grid, (start, goal));
                let expected = optimum[ground.index(goal)];
                assert_eq!(way.map(|way| way.cost), expected, "{start} to {goal} by {order:?} on {ground:?}");
                found += u32::from(expected.is_some());
                missing += u32::from(expected.is_none());
            }
        }
    }
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
