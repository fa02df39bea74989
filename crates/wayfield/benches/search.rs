//! Single paths: the engine, cell by cell and by jump points, against a straight A* written for this case, and against the `pathfinding` crate.
//!
//! Every answer that is timed is compared with the others first. `cargo bench -p wayfield -- --test` only compares.

#[expect(dead_code, reason = "this bench needs only a part of it")]
mod ground;
#[path = "ground/straight.rs"]
mod straight;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ground::{Ground, successors};
use pathfinding::prelude::astar;
use straight::StraightAStar;
use wayfield::search::{Ending, Limits, Order, Search};
use wayfield::space::Goal;
use wayfield::{Algorithm, Cell, Cost, Heuristic, JumpSpace, NodeId, PathQuery, PathSearch, Tie, Weight, fill_jumps};

/// The cost of a path in fixed point, and the number of its cells.
type Summary = (u64, usize);

fn query(algorithm: Algorithm, weight: Weight, (start, goal): (Cell, Cell)) -> PathQuery {
    PathQuery { algorithm, weight, ..PathQuery::new(start, goal) }
}

fn engine(search: &mut PathSearch, ground: &Ground, query: &PathQuery) -> Summary {
    let answer = search.find(&ground.grid, query);
    let Some(path) = answer.as_ref().ok().and_then(|answer| answer.outcome.path()) else { panic!("{answer:?}") };
    let (straight, diagonal) = (u64::from(Cost::STRAIGHT.raw()), u64::from(Cost::DIAGONAL.raw()));
    (path.cost().straight * straight + path.cost().diagonal * diagonal, path.len())
}

fn by_hand(search: &mut StraightAStar, start: NodeId, goal: NodeId) -> Summary {
    search.find(start, goal).map_or((0, 0), |(cost, nodes)| (cost.into(), nodes.len()))
}

/// The cell to jump to, on a map.
struct Target<'a> {
    ground: &'a Ground,
    cell: Cell,
    cheapest: u32,
}

impl Goal for Target<'_> {
    fn is_goal(&self, node: NodeId) -> bool {
        self.ground.grid.size().cell(node) == self.cell
    }

    fn estimate(&self, node: NodeId) -> Cost {
        let cell = self.ground.grid.size().cell(node);
        Heuristic::Octile.estimate(cell, self.cell).saturating_mul(self.cheapest)
    }
}

/// By jump points, the cells in between included.
fn by_jumps(search: &mut Search, ground: &Ground, (start, goal): (Cell, Cell)) -> Summary {
    let space = JumpSpace::new(&ground.grid, goal);
    let target = Target { ground, cell: goal, cheapest: ground.grid.cheapest_cost() };
    search.begin(Order::a_star(Tie::HighG), &space, &[(ground.node(start), Cost::ZERO)], &target);
    let Ending::Found(end) = search.run(&space, &target, Limits::NONE) else { panic!("no way to {goal}") };
    let mut points: Vec<_> = search.trace(end).map(|node| ground.grid.size().cell(node)).collect();
    points.reverse();
    let cells = fill_jumps(&points, ground.grid.corner_rule());
    (search.cost_to(end).map_or(0, |cost| cost.raw().into()), cells.len())
}

fn peer(ground: &Ground, start: NodeId, goal: NodeId) -> Summary {
    let size = ground.grid.size();
    let target = size.cell(goal);
    let estimate = |&node: &NodeId| Heuristic::Octile.estimate(size.cell(node), target).raw();
    let found = astar(&start, |&node| successors(&ground.grid, node), estimate, |&node| node == goal);
    found.map_or((0, 0), |(nodes, cost)| (cost.into(), nodes.len()))
}

/// Fails unless all agree on every query; the weighted search within its bound.
fn compare(ground: &Ground, weight: Weight) {
    let mut search = PathSearch::default();
    let (mut hand, mut jumps) = (StraightAStar::new(&ground.grid), Search::default());
    assert_eq!(ground.queries.len(), 4);
    for &(start, goal) in &ground.queries {
        let nodes = (ground.node(start), ground.node(goal));
        let (optimum, cells) = engine(&mut search, ground, &query(Algorithm::AStar, weight, (start, goal)));
        assert_eq!(by_hand(&mut hand, nodes.0, nodes.1), (optimum, cells), "the same search, to the cell");
        assert_eq!(by_jumps(&mut jumps, ground, (start, goal)).0, optimum);
        assert_eq!(peer(ground, nodes.0, nodes.1).0, optimum);
        assert_eq!(engine(&mut search, ground, &query(Algorithm::Dijkstra, weight, (start, goal))).0, optimum);
        let bent = engine(&mut search, ground, &query(Algorithm::WeightedAStar, weight, (start, goal))).0;
        assert!(bent >= optimum && bent as f64 <= weight.get() * optimum as f64, "{bent} for {optimum}");
    }
}

fn paths(criterion: &mut Criterion) {
    let Ok(weight) = Weight::new(1.5) else { panic!("1.5 is a weight") };
    for ground in &ground::all(&[256, 512]) {
        compare(ground, weight);
        let mut group = criterion.benchmark_group(&ground.name);
        for algorithm in [Algorithm::AStar, Algorithm::WeightedAStar, Algorithm::Dijkstra] {
            let mut search = PathSearch::default();
            group.bench_function(algorithm.name(), |bencher| {
                bencher.iter(|| {
                    for &cells in &ground.queries {
                        black_box(engine(&mut search, ground, &query(algorithm, weight, cells)));
                    }
                });
            });
        }
        let mut jumps = Search::default();
        group.bench_function("jump points", |bencher| {
            bencher.iter(|| {
                for &cells in &ground.queries {
                    black_box(by_jumps(&mut jumps, ground, cells));
                }
            });
        });
        let nodes: Vec<_> =
            ground.queries.iter().map(|&(start, goal)| (ground.node(start), ground.node(goal))).collect();
        let mut hand = StraightAStar::new(&ground.grid);
        group.bench_function("a_star by hand", |bencher| {
            bencher.iter(|| {
                for &(start, goal) in &nodes {
                    black_box(by_hand(&mut hand, start, goal));
                }
            });
        });
        group.bench_function("a_star of pathfinding", |bencher| {
            bencher.iter(|| {
                for &(start, goal) in &nodes {
                    black_box(peer(ground, start, goal));
                }
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = paths
}
criterion_main!(benches);
