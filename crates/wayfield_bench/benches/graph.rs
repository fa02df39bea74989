//! Paths over road networks: the engine, from one end and from both, and contraction hierarchies, against the `petgraph` and
//! `pathfinding` crates.
//!
//! Every answer that is timed is compared with the others first. `cargo bench -p wayfield_bench --bench graph -- --test` only compares, on small networks;
//! `WAYFIELD_ROADS=300` makes networks of 300 x 300 nodes instead of 1000 x 1000.

mod timing;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pathfinding::prelude::dijkstra as pathfinding_dijkstra;
use petgraph::Graph;
use petgraph::algo::{astar as petgraph_astar, dijkstra as petgraph_dijkstra};
use petgraph::graph::NodeIndex;
use wayfield::NodeId;
use wayfield::graph::{GraphAlgorithm, GraphQuery, GraphSearch, WeightedGraph};
use wayfield_bench::roads::{self, Roads};

/// How long the sides of a network are that is only compared.
const SMALL_SIDE: u32 = 60;
const SIDE: u32 = 1000;

const ALGORITHMS: [GraphAlgorithm; 4] = [
    GraphAlgorithm::Dijkstra,
    GraphAlgorithm::BidirectionalDijkstra,
    GraphAlgorithm::AStar,
    GraphAlgorithm::ContractionHierarchy,
];

/// The cost of the cheapest path.
fn engine(search: &mut GraphSearch, graph: &WeightedGraph, algorithm: GraphAlgorithm, ends: (NodeId, NodeId)) -> u32 {
    let answer = search.find(graph, &GraphQuery { algorithm, ..GraphQuery::new(ends.0, ends.1) });
    match answer.as_ref().map(|answer| (answer.algorithm, answer.cost())) {
        Ok((ran, Some(cost))) if ran == algorithm => cost as u32,
        other => panic!("{algorithm}: {other:?}"),
    }
}

/// The same network as `petgraph` has it.
fn petgraph_of(graph: &WeightedGraph) -> Graph<(), u32> {
    let edges = graph.edges().map(|edge| (edge.from, edge.to, edge.weight.unwrap_or_default() as u32));
    Graph::from_edges(edges)
}

fn by_petgraph(graph: &Graph<(), u32>, (start, goal): (NodeId, NodeId)) -> u32 {
    let goal = NodeIndex::from(goal);
    let costs = petgraph_dijkstra(graph, NodeIndex::from(start), Some(goal), |edge| *edge.weight());
    costs.get(&goal).copied().unwrap_or_default()
}

/// The same with the path, which `dijkstra` does not have.
fn path_by_petgraph(graph: &Graph<(), u32>, (start, goal): (NodeId, NodeId)) -> u32 {
    let goal = NodeIndex::from(goal);
    let found = petgraph_astar(graph, NodeIndex::from(start), |node| node == goal, |edge| *edge.weight(), |_| 0);
    found.map_or(0, |(cost, _)| cost)
}

fn by_pathfinding(graph: &Graph<(), u32>, (start, goal): (NodeId, NodeId)) -> u32 {
    let successors = |&node: &NodeIndex| {
        let edges = graph.edges(node);
        edges.map(|edge| (petgraph::visit::EdgeRef::target(&edge), *edge.weight())).collect::<Vec<_>>()
    };
    let goal = NodeIndex::from(goal);
    let found = pathfinding_dijkstra(&NodeIndex::from(start), successors, |&node| node == goal);
    found.map_or(0, |(_, cost)| cost)
}

/// Fails unless all agree on every query.
fn compare(roads: &Roads, peer: &Graph<(), u32>) {
    let mut search = GraphSearch::default();
    assert_eq!(roads.queries.len(), 4);
    for &ends in &roads.queries {
        let cost = by_petgraph(peer, ends);
        assert!(cost > 0, "from {} to {}", ends.0, ends.1);
        assert_eq!((path_by_petgraph(peer, ends), by_pathfinding(peer, ends)), (cost, cost));
        for algorithm in ALGORITHMS {
            assert_eq!(engine(&mut search, &roads.graph, algorithm, ends), cost, "{algorithm}");
        }
    }
}

fn graphs(criterion: &mut Criterion) {
    let only_compares = std::env::args().any(|argument| argument == "--test");
    let asked_for = std::env::var("WAYFIELD_ROADS").ok().and_then(|side| side.parse().ok());
    let side = asked_for.unwrap_or(if only_compares { SMALL_SIDE } else { SIDE });
    for mut roads in [roads::random_grid(side), roads::classed_roads(side)] {
        if let Err(error) = roads.graph.build_hierarchy() {
            panic!("{}: {error}", roads.name);
        }
        let peer = petgraph_of(&roads.graph);
        compare(&roads, &peer);
        let mut group = criterion.benchmark_group(&roads.name);
        for algorithm in ALGORITHMS {
            let mut search = GraphSearch::default();
            group.bench_function(algorithm.name(), |bencher| {
                bencher.iter(|| {
                    for &ends in &roads.queries {
                        black_box(engine(&mut search, &roads.graph, algorithm, ends));
                    }
                });
            });
        }
        group.bench_function("dijkstra of petgraph, with the path", |bencher| {
            bencher.iter(|| roads.queries.iter().for_each(|&ends| _ = black_box(path_by_petgraph(&peer, ends))));
        });
        group.bench_function("dijkstra of petgraph, costs only", |bencher| {
            bencher.iter(|| roads.queries.iter().for_each(|&ends| _ = black_box(by_petgraph(&peer, ends))));
        });
        group.bench_function("dijkstra of pathfinding", |bencher| {
            bencher.iter(|| roads.queries.iter().for_each(|&ends| _ = black_box(by_pathfinding(&peer, ends))));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = timing::brief();
    targets = graphs
}
criterion_main!(benches);
