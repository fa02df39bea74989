//! Graphs against the `petgraph` crate and against the plainest of algorithms, on thousands of random graphs.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use petgraph::Graph;
use petgraph::algo::{astar, bellman_ford as peer_bellman_ford, dijkstra, floyd_warshall as peer_floyd_warshall};
use petgraph::graph::NodeIndex;
use support::{Dice, rounds};
use wayfield::NodeId;
use wayfield::graph::{
    AllPairsError, GraphAlgorithm, GraphBuilder, GraphOutcome, GraphPath, GraphQuery, GraphQueryError, GraphReplanner,
    GraphSearch, NegativeCycle, NodeEstimates, WeightedGraph, bellman_ford, floyd_warshall, johnson, shortest_paths,
};
use wayfield::search::{Ending, Limits};

/// Edges of a random graph, with parallel ones and loops; weights are whole numbers from `least` on.
#[derive(Clone, Debug)]
struct Web {
    nodes: u64,
    edges: Vec<(NodeId, NodeId, i64)>,
}

impl Web {
    fn random(dice: &mut Dice, least: i64) -> Self {
        let nodes = 1 + dice.roll(14);
        let range = [1, 3, 30, 2_000_000_000][dice.roll(4) as usize];
        let count = dice.roll(4 * nodes);
        let mut edge = || {
            let weight = least + dice.roll(range) as i64;
            (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId, weight)
        };
        Self { nodes, edges: (0..count).map(|_| edge()).collect() }
    }

    fn builder(&self) -> GraphBuilder {
        let mut builder = GraphBuilder::new(self.nodes as usize).scale(1);
        for &(from, to, weight) in &self.edges {
            builder.push(from, to, weight as f64);
        }
        builder
    }

    fn peer(&self) -> Graph<(), f64> {
        let mut peer = Graph::new();
        (0..self.nodes).for_each(|_| _ = peer.add_node(()));
        peer.extend_with_edges(self.edges.iter().map(|&(from, to, weight)| (from, to, weight as f64)));
        peer
    }

    /// What each node costs from one of them: every edge relaxed until nothing changes, or forever if a cycle is negative.
    fn relaxed(&self, source: NodeId) -> Option<Vec<Option<i64>>> {
        let mut costs = vec![None; self.nodes as usize];
        costs[source as usize] = Some(0);
        for _ in 0..=self.nodes {
            let mut changed = false;
            for &(from, to, weight) in &self.edges {
                let Some(way) = costs[from as usize].map(|cost: i64| cost + weight) else { continue };
                if costs[to as usize].is_none_or(|cost| way < cost) {
                    costs[to as usize] = Some(way);
                    changed = true;
                }
            }
            if !changed {
                return Some(costs);
            }
        }
        None
    }
}

/// Fails unless a path is one of the graph, between these nodes.
fn check_path(graph: &WeightedGraph, path: &GraphPath, start: NodeId, goal: NodeId) {
    assert_eq!((path.nodes().first(), path.nodes().last()), (Some(&start), Some(&goal)));
    assert_eq!(path.edges().len() + 1, path.nodes().len());
    for (pair, &edge) in path.nodes().windows(2).zip(path.edges()) {
        let edge = graph.edge(edge).unwrap();
        assert_eq!((edge.from, edge.to), (pair[0], pair[1]));
        assert!(edge.weight.is_some());
    }
    assert_eq!(path.cost_on(graph), Some(path.cost()));
}

fn check_cycle(graph: &WeightedGraph, cycle: &NegativeCycle) {
    let mut cost = 0.0;
    assert_eq!(cycle.nodes.len(), cycle.edges.len());
    assert_eq!(cycle.nodes.first(), cycle.nodes.iter().min());
    let next = cycle.nodes.iter().cycle().skip(1);
    for ((&node, &next), &edge) in cycle.nodes.iter().zip(next).zip(&cycle.edges) {
        let edge = graph.edge(edge).unwrap();
        assert_eq!((edge.from, edge.to), (node, next));
        cost += edge.weight.unwrap();
    }
    assert!(cost < 0.0 && cost == cycle.cost, "{cost}");
    let mut nodes = cycle.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), cycle.nodes.len(), "no node twice");
}

#[test]
fn every_search_agrees_with_petgraph() {
    let mut dice = Dice::new(61);
    let mut search = GraphSearch::default();
    let (mut found, mut failed, mut overflows) = (0, 0, 0);
    for _ in 0..rounds(1500) {
        let web = Web::random(&mut dice, 0);
        let peer = web.peer();
        let places: Vec<_> = (0..web.nodes).map(|_| [0, 1].map(|_| dice.roll(50) as f64)).collect();
        let builder = if dice.roll(2) == 0 { web.builder() } else { web.builder().positions(places) };
        let mut graph = builder.build().unwrap();
        let has_hierarchy = graph.build_hierarchy().is_ok();
        let start = dice.roll(web.nodes) as NodeId;
        let costs = dijkstra(&peer, NodeIndex::from(start), None, |edge| *edge.weight());
        let goal = dice.roll(web.nodes) as NodeId;
        let optimum = costs.get(&NodeIndex::from(goal)).copied();
        assert_eq!(
            optimum,
            astar(&peer, start.into(), |at| at == goal.into(), |e| *e.weight(), |_| 0.0).map(|way| way.0)
        );
        let fits = optimum.is_none_or(|cost| cost < f64::from(u32::MAX));
        for algorithm in GraphAlgorithm::ALL {
            let query = GraphQuery { algorithm, ..GraphQuery::new(start, goal) };
            let answer = match search.find(&graph, &query) {
                Ok(answer) => answer,
                Err(GraphQueryError::FreeEdge(edge)) => {
                    assert!(algorithm == GraphAlgorithm::LpaStar && edge.weight == Some(0.0));
                    continue;
                }
                Err(error) => panic!("{algorithm}: {error}"),
            };
            match (&answer.outcome, optimum) {
                (GraphOutcome::Found(path), Some(optimum)) => {
                    check_path(&graph, path, start, goal);
                    assert!(path.cost() >= optimum);
                    let bound = if algorithm == GraphAlgorithm::WeightedAStar { 1.5 } else { 1.0 };
                    if algorithm.is_optimal() || algorithm == GraphAlgorithm::WeightedAStar {
                        assert!(path.cost() <= optimum * bound, "{algorithm}: {} for {optimum}, {web:?}", path.cost());
                    }
                    found += 1;
                }
                (GraphOutcome::Failed(reason), _) => {
                    // A search that takes the first way it finds may find one that is too dear.
                    let gives_up = !fits || !algorithm.is_optimal();
                    assert!(optimum.is_none() || reason.name() == "cost_overflow" && gives_up, "{algorithm} {reason}");
                    if optimum.is_some() { overflows += 1 } else { failed += 1 }
                }
                (other, _) => panic!("{algorithm}: {other:?} for {optimum:?}"),
            }
        }
        if has_hierarchy {
            let hierarchy = graph.hierarchy().unwrap();
            assert!(hierarchy.edges() <= web.edges.len());
        }
        if let Ok(paths) = shortest_paths(&graph, start) {
            for node in 0..web.nodes as NodeId {
                assert_eq!(paths.cost(node), costs.get(&NodeIndex::from(node)).copied());
            }
        }
    }
    assert!(found > 5000 && failed > 2000 && overflows > 50, "{found} {failed} {overflows}");
}

#[test]
fn negative_weights_agree_with_petgraph_and_with_plain_relaxation() {
    let mut dice = Dice::new(62);
    let (mut cycles, mut trees) = (0, 0);
    for round in 0..rounds(2000) {
        let web = Web::random(&mut dice, -(round as i64 % 4));
        let (graph, peer) = (web.builder().build().unwrap(), web.peer());
        let source = dice.roll(web.nodes) as NodeId;
        let plain = web.relaxed(source);
        let by_peer = peer_bellman_ford(&peer, source.into());
        assert_eq!(by_peer.is_ok(), plain.is_some());
        match (bellman_ford(&graph, source), plain) {
            (Ok(paths), Some(costs)) => {
                trees += 1;
                for (node, cost) in (0..).zip(costs) {
                    assert_eq!(paths.units(node), cost, "{web:?}");
                    let path = paths.path(&graph, node);
                    assert_eq!(path.as_ref().map(GraphPath::units), cost);
                    path.iter().for_each(|path| check_path(&graph, path, source, node));
                }
            }
            (Err(GraphQueryError::NegativeCycle(cycle)), None) => {
                cycles += 1;
                check_cycle(&graph, &cycle);
            }
            (other, plain) => panic!("{other:?} for {plain:?}"),
        }
        let is_negative_somewhere = (0..web.nodes as NodeId).any(|source| web.relaxed(source).is_none());
        let pairs = [floyd_warshall(&graph), johnson(&graph)];
        // It knows neither loops nor edges side by side.
        let mut ends: Vec<_> = web.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        ends.sort_unstable();
        let is_simple = ends.windows(2).all(|pair| pair[0] != pair[1]) && ends.iter().all(|(from, to)| from != to);
        let by_peer = is_simple.then(|| peer_floyd_warshall(&peer, |edge| *edge.weight() as i64));
        for pairs in pairs {
            match pairs {
                Err(AllPairsError::NegativeCycle(cycle)) => {
                    assert!(is_negative_somewhere && by_peer.as_ref().is_none_or(Result::is_err));
                    check_cycle(&graph, &cycle);
                }
                Err(AllPairsError::CostOverflow { .. }) => assert!(web.edges.iter().any(|edge| edge.2 > 1_000_000)),
                Err(error) => panic!("{error}"),
                Ok(pairs) => {
                    assert!(!is_negative_somewhere);
                    for from in 0..web.nodes as NodeId {
                        let costs = web.relaxed(from).unwrap();
                        for (to, cost) in (0..).zip(costs) {
                            assert_eq!(pairs.units(from, to), cost);
                            if let (Some(cost), Some(Ok(by_peer))) = (cost, &by_peer) {
                                assert_eq!(by_peer[&(from.into(), to.into())], cost);
                            }
                            let path = pairs.path(&graph, from, to);
                            assert_eq!(path.as_ref().map(GraphPath::units), cost);
                            path.iter().for_each(|path| check_path(&graph, path, from, to));
                        }
                    }
                }
            }
        }
    }
    assert!(cycles > 200 && trees > 500, "{cycles} {trees}");
}

#[test]
fn distances_obey_the_triangle_and_turn_round_with_the_graph() {
    let mut dice = Dice::new(63);
    for _ in 0..rounds(300) {
        let web = Web::random(&mut dice, 0);
        let turned =
            Web { edges: web.edges.iter().map(|&(from, to, weight)| (to, from, weight)).collect(), ..web.clone() };
        let (there, back) = (web.builder().build().unwrap(), turned.builder().build().unwrap());
        let (Ok(pairs), Ok(turned)) = (johnson(&there), johnson(&back)) else { continue };
        let nodes = || 0..web.nodes as NodeId;
        for (one, other) in nodes().flat_map(|one| nodes().map(move |other| (one, other))) {
            assert_eq!(pairs.units(one, other), turned.units(other, one));
            for way in nodes() {
                if let (Some(first), Some(second)) = (pairs.units(one, way), pairs.units(way, other)) {
                    assert!(pairs.units(one, other).is_some_and(|direct| direct <= first + second));
                }
            }
        }
    }
}

/// A country with towns at random places; roads cost their length, or more.
fn country(dice: &mut Dice, nodes: u64) -> WeightedGraph {
    let places: Vec<[f64; 2]> = (0..nodes).map(|_| [0, 1].map(|_| dice.roll(1000) as f64 / 8.0)).collect();
    let mut builder = GraphBuilder::new(nodes as usize).positions(places.iter().copied()).two_way(0, 1, 500.0);
    for _ in 0..nodes * 3 {
        let (from, to) = (dice.roll(nodes) as usize, dice.roll(nodes) as usize);
        if from == to {
            continue;
        }
        let (dx, dy) = (places[from][0] - places[to][0], places[from][1] - places[to][1]);
        let detour = 1.0 + dice.roll(50) as f64 / 100.0;
        builder = builder.two_way(from as NodeId, to as NodeId, (dx * dx + dy * dy).sqrt() * detour);
    }
    builder.build().unwrap()
}

#[test]
fn straight_lines_never_overestimate_whatever_the_weights_become() {
    let mut dice = Dice::new(64);
    let (mut by_dijkstra, mut by_a_star) = (0, 0);
    let mut search = GraphSearch::default();
    for _ in 0..rounds(120) {
        let nodes = 2 + dice.roll(60);
        let mut graph = country(&mut dice, nodes);
        for _ in 0..6 {
            let (start, goal) = (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId);
            let mut ask =
                |algorithm| search.find(&graph, &GraphQuery { algorithm, ..GraphQuery::new(start, goal) }).unwrap();
            let plain = ask(GraphAlgorithm::Dijkstra);
            for algorithm in [GraphAlgorithm::AStar, GraphAlgorithm::BidirectionalAStar] {
                let answer = ask(algorithm);
                assert_eq!((answer.algorithm, answer.cost()), (algorithm, plain.cost()));
                assert_eq!(answer.stats.reopened, 0, "the estimate is consistent");
                if algorithm == GraphAlgorithm::AStar {
                    by_dijkstra += plain.stats.expanded;
                    by_a_star += answer.stats.expanded;
                }
            }
            let edge = dice.roll(graph.edge_count() as u64) as u32;
            graph.update([(edge, (dice.roll(4) > 0).then(|| dice.roll(200) as f64 / 16.0))]).unwrap();
        }
    }
    assert!(by_a_star < by_dijkstra, "{by_a_star} {by_dijkstra}");
}

#[test]
fn a_replanner_keeps_up_with_batches_of_changes() {
    let mut dice = Dice::new(65);
    let (mut repaired, mut fresh, mut lost) = (0, 0, 0);
    for round in 0..rounds(150) {
        let nodes = 2 + dice.roll(60);
        let mut graph = country(&mut dice, nodes);
        let (start, goal) = (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId);
        let mut replanner = GraphReplanner::default();
        let estimates = (round % 3 == 0).then(|| NodeEstimates::new(&graph, []).unwrap());
        if let Err(error) = replanner.begin_toward(&graph, start, goal, estimates) {
            assert!(matches!(error, GraphQueryError::FreeEdge(_)), "two towns in one place: {error}");
            continue;
        }
        for _ in 0..8 {
            let limits = Limits { cap: u64::MAX, slice: 1 + dice.roll(40) };
            let ending = loop {
                match replanner.run(&graph, limits) {
                    Ok(Ending::Paused) => {}
                    ending => break ending.unwrap(),
                }
            };
            repaired += replanner.stats().expanded;
            let paths = shortest_paths(&graph, start).unwrap();
            fresh += nodes;
            assert_eq!(replanner.path(&graph).map(|path| path.units()), paths.units(goal));
            match paths.units(goal) {
                Some(_) => assert_eq!(ending, Ending::Found(goal)),
                None => lost += 1,
            }
            if let Some(path) = replanner.path(&graph) {
                check_path(&graph, &path, start, goal);
            }
            // Half of the time something on the way itself happens.
            let on_the_way = paths.path(&graph, goal).and_then(|path| path.edges().first().copied());
            let count = graph.edge_count() as u64;
            let batch = (0..1 + dice.roll(3)).map(|_| {
                let edge = on_the_way.filter(|_| dice.roll(2) == 0).unwrap_or(dice.roll(count) as u32);
                (edge, (dice.roll(4) > 0).then(|| (1 + dice.roll(800)) as f64 / 16.0))
            });
            let batch: Vec<_> = batch.collect();
            let changed = graph.update(batch).unwrap();
            replanner.update(&graph, &changed).unwrap();
            // Also while it is under way.
            if dice.roll(3) == 0 {
                replanner.run(&graph, Limits { cap: u64::MAX, slice: 1 }).unwrap();
                let changed = graph.update([(dice.roll(count) as u32, Some(3.0))]).unwrap();
                replanner.update(&graph, &changed).unwrap();
            }
        }
    }
    assert!(repaired < fresh && lost > 5, "{repaired} of {fresh}, {lost}");
}

#[test]
fn one_run_is_many_slices() {
    let mut dice = Dice::new(66);
    for _ in 0..rounds(60) {
        let nodes = 2 + dice.roll(60);
        let mut graph = country(&mut dice, nodes);
        graph.build_hierarchy().unwrap();
        let (start, goal) = (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId);
        let (mut whole, mut sliced) = (GraphSearch::default(), GraphSearch::default());
        for algorithm in GraphAlgorithm::ALL {
            let query = GraphQuery { algorithm, ..GraphQuery::new(start, goal) };
            let Ok(answer) = whole.find(&graph, &query) else { continue };
            let mut other = sliced.begin(&graph, &query).unwrap();
            while other.is_none() {
                other = sliced.advance(&graph, 1 + dice.roll(5));
            }
            assert_eq!(Some(answer), other, "{algorithm}");
        }
        let goals: Vec<_> = (0..1 + dice.roll(4)).map(|_| dice.roll(nodes) as NodeId).collect();
        let nearest = whole.find_nearest(&graph, start, &goals, None).unwrap();
        let paths = shortest_paths(&graph, start).unwrap();
        let least = goals.iter().filter_map(|&goal| paths.units(goal)).min();
        assert_eq!(nearest.outcome.path().map(GraphPath::units), least);
    }
}

#[test]
fn hierarchies_answer_every_question_as_dijkstra_does() {
    let mut dice = Dice::new(67);
    let mut search = GraphSearch::default();
    for round in 0..rounds(40) {
        let mut graph = if round % 2 == 0 {
            let nodes = 40 + dice.roll(200);
            country(&mut dice, nodes)
        } else {
            // Free edges and many equally cheap ways.
            let side = 4 + dice.roll(9);
            let mut builder = GraphBuilder::new((side * side) as usize);
            for node in 0..side * side {
                let (x, y) = (node % side, node / side);
                let ways = [(x + 1 < side, node + 1), (y + 1 < side, node + side)];
                for (_, to) in ways.into_iter().filter(|way| way.0) {
                    builder = builder.two_way(node as NodeId, to as NodeId, dice.roll(3) as f64);
                }
            }
            builder.build().unwrap()
        };
        graph.build_hierarchy().unwrap();
        for start in 0..graph.len() as NodeId {
            let paths = shortest_paths(&graph, start).unwrap();
            for goal in (0..graph.len() as NodeId).step_by(7) {
                let algorithm = GraphAlgorithm::ContractionHierarchy;
                let answer = search.find(&graph, &GraphQuery { algorithm, ..GraphQuery::new(start, goal) }).unwrap();
                assert_eq!(answer.outcome.path().map(GraphPath::units), paths.units(goal), "{start} to {goal}");
                answer.outcome.path().into_iter().for_each(|path| check_path(&graph, path, start, goal));
            }
        }
    }
}

#[test]
fn a_hub_of_many_roads_is_contracted_last() {
    let (spokes, hub) = (20_000, 20_000);
    let builder = GraphBuilder::new(spokes as usize + 1);
    let builder = (0..spokes).fold(builder, |builder, spoke| builder.two_way(spoke, hub, 1.0 + f64::from(spoke % 7)));
    let mut graph = builder.build().unwrap();
    graph.build_hierarchy().unwrap();
    assert_eq!(graph.hierarchy().map(|hierarchy| hierarchy.shortcuts()), Some(0));
    let query = GraphQuery { algorithm: GraphAlgorithm::ContractionHierarchy, ..GraphQuery::new(3, 12) };
    let answer = GraphSearch::default().find(&graph, &query).unwrap();
    assert_eq!((answer.cost(), answer.outcome.path().map(GraphPath::nodes)), (Some(10.0), Some(&[3, hub, 12][..])));
}
