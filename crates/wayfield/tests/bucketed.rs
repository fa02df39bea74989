//! Searches that take priorities roughly, and cells in a canonical order, against the naive search.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Layers, Mover, Spot, rounds, whole_step};
use wayfield::search::{Ending, Limits, Order, Search, Stats, Step, Tie};
use wayfield::space::{Everything, Goal, Space};
use wayfield::{CanonicalSpace, Cell, CornerRule, Cost, CostGrid, Heuristic, NodeId, Path};

/// A map of up to 40 x 40 with up to 60 % walls, now and then a long and thin one; costs up to 255 leave buckets far apart.
fn random_ground(dice: &mut Dice) -> Ground {
    let (width, height) = match dice.roll(8) {
        0 => (1 + dice.roll(3), 1 + dice.roll(100)),
        1 => (1 + dice.roll(100), 1 + dice.roll(3)),
        _ => (1 + dice.roll(40), 1 + dice.roll(40)),
    };
    let walls = [0, 5, 20, 35, 60][dice.roll(5) as usize];
    let dearest = [1, 2, 9, 255][dice.roll(4) as usize];
    let cells = (0..width * height).map(|_| if dice.roll(100) < walls { 0 } else { 1 + dice.roll(dearest) as u8 });
    Ground {
        terrain: cells.collect(),
        width: width as i32,
        height: height as i32,
        mover: Mover::ALL[dice.roll(4) as usize / 3],
        rule: CornerRule::ALL[dice.roll(4) as usize],
        layers: Layers::default(),
    }
}

/// A map of any kind, with links, fences and slopes on one in four.
fn any_ground(dice: &mut Dice) -> Ground {
    if dice.roll(4) == 0 { dice.layered_ground() } else { random_ground(dice) }
}

fn node(grid: &CostGrid, cell: Cell) -> NodeId {
    grid.size().index(cell).unwrap()
}

/// Searches, and checks that the way found is one, costs what the search says, and what the cheapest one costs.
fn check(
    search: &mut Search,
    space: &impl Space,
    goal: &impl Goal,
    (ground, grid): (&Ground, &CostGrid),
    (start, end): (Cell, Cell),
    optimum: Option<i64>,
) -> Stats {
    search.begin(Order::Bucketed, space, &[(node(grid, start), Cost::ZERO)], goal);
    let ending = search.run(space, goal, Limits::NONE);
    match optimum {
        None => assert_eq!(ending, Ending::Exhausted, "{start} to {end} on {ground:?}"),
        Some(optimum) => {
            let end = node(grid, end);
            assert_eq!(ending, Ending::Found(end));
            let mut cells: Vec<_> = search.trace(end).map(|node| grid.size().cell(node)).collect();
            cells.reverse();
            let cost = ground.check_path(&Path::new(cells, grid).unwrap(), start);
            assert_eq!(cost, optimum, "{start} to {end:?} on {ground:?}");
            assert_eq!(search.cost_to(end).map(|cost| i64::from(cost.raw())), Some(optimum));
        }
    }
    search.stats()
}

#[test]
fn rough_priorities_find_the_cheapest_way_on_cells_and_in_canonical_order() {
    let mut dice = Dice::new(61);
    let mut search = Search::default();
    let (mut found, mut missing, mut plainly, mut canonically) = (0, 0, 0, 0);
    let (mut improved, mut reopened) = (0, 0);
    for _ in 0..rounds(6000) {
        let ground = any_ground(&mut dice);
        let grid = ground.grid();
        // The start may be a wall: a unit in a wall may leave.
        let ends = (dice.cell(&ground), dice.cell(&ground));
        if ends.0 == ends.1 || !ground.is_open(ends.1) {
            continue;
        }
        let optimum = ground.spread_from(&[(ends.0, 0)], whole_step)[ground.index(ends.1)];
        let heuristic = [Heuristic::of_rule(ground.rule), Heuristic::Zero][usize::from(dice.roll(5) == 0)];
        // Links may save more than estimates of this kind know.
        let heuristic = if ground.layers.links.is_empty() { heuristic } else { Heuristic::Zero };
        let goal = Spot::new(&grid, ends.1, heuristic);
        let plain = check(&mut search, &grid, &goal, (&ground, &grid), ends, optimum);
        *if optimum.is_some() { &mut found } else { &mut missing } += 1;
        (improved, reopened) = (improved + plain.improved, reopened + plain.reopened);
        if let Some(cells) = CanonicalSpace::new(&grid) {
            let canonical = check(&mut search, &cells, &goal, (&ground, &grid), ends, optimum);
            reopened += canonical.reopened;
            (plainly, canonically) =
                (plainly + plain.generated + plain.improved, canonically + canonical.generated + canonical.improved);
        } else {
            let Layers { links, fences, heights, .. } = &ground.layers;
            assert!(!(links.is_empty() && fences.is_empty() && heights.is_empty()), "{ground:?}");
        }
    }
    assert!(found > 2 * rounds(1000) && missing > rounds(300), "{found} found, {missing} not: the maps are one-sided");
    assert!(improved > 0 && reopened > 0, "nothing was expanded too early");
    assert!(canonically < plainly, "{canonically} ways in canonical order, {plainly} else");
}

#[test]
fn canonical_order_reaches_every_cell_at_its_cost() {
    let mut dice = Dice::new(62);
    let mut search = Search::default();
    let orders = [Order::DIJKSTRA, Order::a_star(Tie::HighG), Order::a_star(Tie::LowG), Order::Bucketed];
    for round in 0..rounds(2000) {
        let ground = random_ground(&mut dice);
        let grid = ground.grid();
        let cells = CanonicalSpace::new(&grid).unwrap();
        let start = dice.cell(&ground);
        search.begin(orders[round % 4], &cells, &[(node(&grid, start), Cost::ZERO)], &Everything);
        assert_eq!(search.run(&cells, &Everything, Limits::NONE), Ending::Exhausted);
        for (index, &optimum) in ground.spread_from(&[(start, 0)], whole_step).iter().enumerate() {
            let cost = search.cost_to(index as NodeId).map(|cost| i64::from(cost.raw()));
            assert_eq!(cost, optimum, "cell {index} from {start} on {ground:?}");
        }
    }
}

#[test]
fn a_run_is_its_steps_and_its_slices_and_a_cap_is_exact() {
    let mut dice = Dice::new(63);
    for _ in 0..rounds(1000) {
        let ground = random_ground(&mut dice);
        let grid = ground.grid();
        let cells = CanonicalSpace::new(&grid).unwrap();
        let goal = Spot::new(&grid, dice.cell(&ground), Heuristic::of_rule(ground.rule));
        let source = [(node(&grid, dice.cell(&ground)), Cost::ZERO)];
        let begin = || {
            let mut search = Search::default();
            search.begin(Order::Bucketed, &cells, &source, &goal);
            search
        };
        let mut run = begin();
        let ending = run.run(&cells, &goal, Limits::NONE);

        let mut stepped = begin();
        let last = loop {
            match stepped.step(&cells, &goal) {
                Step::Expanded(_) => {}
                Step::Found(node) => break Ending::Found(node),
                Step::Exhausted => break Ending::Exhausted,
            }
        };
        let mut sliced = begin();
        let sliced_ending = loop {
            match sliced.run(&cells, &goal, Limits { cap: u64::MAX, slice: 1 + dice.roll(7) }) {
                Ending::Paused => {}
                ending => break ending,
            }
        };
        for (other, last) in [(&stepped, last), (&sliced, sliced_ending)] {
            assert_eq!((last, other.stats()), (ending, run.stats()));
            for node in 0..grid.size().cells() as NodeId {
                assert_eq!((other.state(node), other.parent(node)), (run.state(node), run.parent(node)));
                assert_eq!(other.cost_to(node), run.cost_to(node));
            }
        }

        let all = run.stats().expanded;
        assert_eq!(begin().run(&cells, &goal, Limits { cap: all, slice: u64::MAX }), ending);
        let cap = dice.roll(all.max(1));
        let mut capped = begin();
        assert_eq!(capped.run(&cells, &goal, Limits { cap, slice: u64::MAX }), Ending::CapReached);
        assert_eq!(capped.stats().expanded, cap);
    }
}
