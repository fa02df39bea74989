//! Fields of all distances to one cell.

use std::hint::black_box;

use wayfield::{Cell, Cost, DijkstraMap};
use wayfield_bench::ground::{self, Ground};
use wayfield_bench::limits::PlainSweep;
use wayfield_bench::peers::{bracket, pathfinding};

use super::{Effort, Findings};
use crate::report::{Bound, Detail, Line};
use crate::rounds::{Contestant, Spread, take_turns};

const OWN: &str = "field";
const SWEEP: &str = "sweep by hand";
const PATHFINDING: &str = "dijkstra_all";
const BRACKET: &str = "bracket";

/// Beyond this many cells `bracket-pathfinding` takes seconds.
const MOST_FOR_BRACKET: usize = 1 << 18;

/// Compares on maps made by rule and on the large ones among `grounds`.
pub fn compare(grounds: &[Ground], effort: Effort, findings: &mut Findings) {
    let made = ground::all(&effort.sides);
    let least = effort.sides[0] as usize * effort.sides[0] as usize / 2;
    let of_games = grounds.iter().filter(|ground| ground.grid.size().cells() >= least);
    let (mut uniform, mut weighted) = (Vec::new(), Vec::new());
    for ground in made.iter().chain(of_games) {
        let is_weighted = ground.grid.mixed_cells() > 0;
        let ratios = on(ground, is_weighted, effort, findings);
        if is_weighted { &mut weighted } else { &mut uniform }.push((&ground.name, ratios));
    }
    for (kind, mut results, floor, goal) in [("uniform", uniform, 8.0, 15.0), ("weighted", weighted, 5.0, 10.0)] {
        results.sort_by(|one, other| median(&one.1).total_cmp(&median(&other.1)));
        let (name, ratios) = results.swap_remove(0);
        let what = format!("field, {kind}: `pathfinding::dijkstra_all` / ours, the map where it is least ({name})");
        findings.lines.push(Line::new(what, "x", ratios, Bound::AtLeast(floor)).with_goal(Bound::AtLeast(goal)));
    }
}

fn median(values: &[f64]) -> f64 {
    Spread::of(values.to_vec()).median
}

fn field(ground: &Ground, goal: Cell) -> DijkstraMap {
    match DijkstraMap::toward(&ground.grid, [goal]) {
        Ok(field) => field,
        Err(error) => panic!("{}: {error}", ground.name),
    }
}

fn on(ground: &Ground, is_weighted: bool, effort: Effort, findings: &mut Findings) -> Vec<f64> {
    let goal = ground.queries[0].1;
    let node = ground.node(goal);
    let plain = PlainSweep::new(&ground.grid);
    check(ground, goal, &plain);
    let mut contestants = vec![
        Contestant::new(OWN, || _ = black_box(field(ground, goal))),
        Contestant::new(SWEEP, || _ = black_box(plain.toward(node))),
        Contestant::new(PATHFINDING, || _ = black_box(pathfinding::toward(&ground.grid, node).count())),
    ];
    if !is_weighted && ground.grid.size().cells() <= MOST_FOR_BRACKET {
        contestants.push(Contestant::new(BRACKET, || _ = black_box(bracket::dijkstra_map(&ground.grid, node))));
    }
    let names: Vec<_> = contestants.iter().map(|contestant| contestant.name).collect();
    let times = take_turns(effort.rounds, contestants);
    let others = names.into_iter().skip(1);
    findings.details.push(Detail {
        map: ground.name.clone(),
        yardstick: OWN,
        ratios: others.map(|name| (name, Spread::of(times.ratios(name, OWN)))).collect(),
        note: String::new(),
    });
    times.ratios(PATHFINDING, OWN)
}

/// Fails unless all agree on every cell.
fn check(ground: &Ground, goal: Cell, plain: &PlainSweep) {
    let field = field(ground, goal);
    let size = ground.grid.size();
    let same = |cell: Cell, cost: u32| {
        assert_eq!(field.value(cell), Some(Cost::from_raw(cost).to_units()), "{}: {cell}", ground.name);
    };
    let mut reached = 0;
    for (cell, &cost) in size.rect().cells().zip(&plain.toward(ground.node(goal))) {
        if cost == PlainSweep::UNREACHED {
            assert_eq!(field.value(cell), None, "{}: {cell}", ground.name);
        } else {
            same(cell, cost);
            reached += 1;
        }
    }
    // The goal itself is not in their list.
    let mut others = 1;
    for (node, cost) in pathfinding::toward(&ground.grid, ground.node(goal)) {
        same(size.cell(node), cost);
        others += 1;
    }
    assert_eq!(reached, others, "{}", ground.name);
}
