//! Single paths: the engine, cell by cell and by jump points, against a straight A* written for this case, and against the `pathfinding` crate.
//!
//! Every answer that is timed is compared with the others first. `cargo bench -p wayfield_bench --bench search -- --test` only compares.

mod timing;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wayfield::search::{Ending, Limits, Order, Search};
use wayfield::{Algorithm, Cell, Cost, JumpSpace, NodeId, PathQuery, PathSearch, Tie, Weight, fill_jumps};
use wayfield_bench::engine::toward;
use wayfield_bench::ground::{self, Ground};
use wayfield_bench::limits::StraightAStar;
use wayfield_bench::peers::pathfinding::a_star;

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

/// By jump points, the cells in between included.
fn by_jumps(search: &mut Search, ground: &Ground, (start, goal): (Cell, Cell)) -> Summary {
    let space = JumpSpace::new(&ground.grid, goal);
    let target = toward(ground)(ground.node(goal));
    search.begin(Order::a_star(Tie::HighG), &space, &[(ground.node(start), Cost::ZERO)], &target);
    let Ending::Found(end) = search.run(&space, &target, Limits::NONE) else { panic!("no way to {goal}") };
    let mut points: Vec<_> = search.trace(end).map(|node| ground.grid.size().cell(node)).collect();
    points.reverse();
    let cells = fill_jumps(&points, ground.grid.corner_rule());
    (search.cost_to(end).map_or(0, |cost| cost.raw().into()), cells.len())
}

fn peer(ground: &Ground, start: NodeId, goal: NodeId) -> Summary {
    a_star(&ground.grid, start, goal).map_or((0, 0), |(cost, nodes)| (cost.into(), nodes.len()))
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
        let nodes = ground.nodes();
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
    config = timing::brief();
    targets = paths
}
criterion_main!(benches);
