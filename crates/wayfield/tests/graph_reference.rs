//! Small graphs whose answers are known, and every way a question can end.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use wayfield::graph::{
    AllPairsError, EstimateError, GraphAlgorithm, GraphBuilder, GraphError, GraphOutcome, GraphPath, GraphPathError,
    GraphQuery, GraphQueryError, GraphReplanner, GraphSearch, MAX_PAIRED_NODES, MAX_WEIGHT, NodeEstimates,
    WeightedGraph, bellman_ford, find_path, floyd_warshall, johnson, shortest_paths,
};
use wayfield::search::{Ending, Limits};
use wayfield::{NodeId, Reason};

const CASTLE: NodeId = 0;
const VILLAGE: NodeId = 1;
const RIVER: NodeId = 2;
const FOREST: NodeId = 3;
const CAVE: NodeId = 4;
const PORTAL: NodeId = 5;

/// The country: who leaves the castle may go through the village or along the river.
fn country() -> GraphBuilder {
    GraphBuilder::new(6)
        .edge(CASTLE, VILLAGE, 5.0)
        .edge(CASTLE, RIVER, 3.0)
        .edge(VILLAGE, FOREST, 8.0)
        .edge(RIVER, CAVE, 2.0)
        .edge(CAVE, FOREST, 4.0)
        .edge(RIVER, FOREST, 10.0)
}

fn ask(graph: &WeightedGraph, algorithm: GraphAlgorithm, start: NodeId, goal: NodeId) -> (Option<f64>, Vec<NodeId>) {
    let answer = find_path(graph, &GraphQuery { algorithm, ..GraphQuery::new(start, goal) }).unwrap();
    let nodes = answer.outcome.path().map(|path| path.nodes().to_vec()).unwrap_or_default();
    (answer.cost(), nodes)
}

fn with_hierarchy(mut graph: WeightedGraph) -> WeightedGraph {
    graph.build_hierarchy().unwrap();
    graph
}

#[test]
fn the_country_has_known_distances() {
    let graph = with_hierarchy(country().build().unwrap());
    let known = [(RIVER, 3.0), (VILLAGE, 5.0), (CAVE, 5.0), (FOREST, 9.0)];
    let paths = shortest_paths(&graph, CASTLE).unwrap();
    for (node, cost) in known {
        assert_eq!(paths.cost(node), Some(cost));
        for algorithm in GraphAlgorithm::ALL.into_iter().filter(|algorithm| algorithm.is_optimal()) {
            assert_eq!(ask(&graph, algorithm, CASTLE, node).0, Some(cost), "{algorithm} to {node}");
        }
    }
    assert_eq!(paths.path(&graph, FOREST).unwrap().nodes(), [CASTLE, RIVER, CAVE, FOREST]);
    assert_eq!((paths.source(), paths.cost(CASTLE), paths.cost(PORTAL)), (CASTLE, Some(0.0), None));
    assert_eq!(shortest_paths(&graph, FOREST).unwrap().costs().count(), 1, "the roads are one way");
    for algorithm in GraphAlgorithm::ALL {
        assert_eq!(ask(&graph, algorithm, CASTLE, PORTAL), (None, vec![]), "{algorithm}");
    }
}

#[test]
fn a_portal_that_pays_needs_bellman_ford() {
    let graph = country().edge(CASTLE, PORTAL, -2.0).edge(PORTAL, FOREST, 1.0).build().unwrap();
    assert_eq!(bellman_ford(&graph, CASTLE).unwrap().cost(FOREST), Some(-1.0));
    assert_eq!(ask(&graph, GraphAlgorithm::BellmanFord, CASTLE, FOREST), (Some(-1.0), vec![CASTLE, PORTAL, FOREST]));
    let pairs = [floyd_warshall(&graph).unwrap(), johnson(&graph).unwrap()];
    assert!(pairs.iter().all(|pairs| pairs.cost(CASTLE, FOREST) == Some(-1.0)));
    for algorithm in GraphAlgorithm::ALL.into_iter().filter(|&algorithm| algorithm != GraphAlgorithm::BellmanFord) {
        let error = find_path(&graph, &GraphQuery { algorithm, ..GraphQuery::new(CASTLE, FOREST) }).unwrap_err();
        assert_eq!(error.to_string(), "the edge from 0 to 5 has the negative weight -2", "{algorithm}");
    }
    assert!(matches!(shortest_paths(&graph, CASTLE), Err(GraphQueryError::NegativeEdge(edge)) if edge.to == PORTAL));
    let nearest = GraphSearch::default().find_nearest(&graph, CASTLE, &[CAVE], None);
    assert!(matches!(nearest, Err(GraphQueryError::NegativeEdge(_))));
    let error = graph.clone().build_hierarchy().unwrap_err();
    assert_eq!(error.to_string(), "the edge from 0 to 5 has a negative weight");

    // A closed edge may have had any weight.
    let mut closed = graph;
    closed.update([(closed.edge_between(CASTLE, PORTAL).unwrap(), None)]).unwrap();
    assert_eq!(ask(&closed, GraphAlgorithm::Dijkstra, CASTLE, FOREST).0, Some(9.0));
}

#[test]
fn a_negative_cycle_is_reported_with_its_edges() {
    let graph = country().edge(FOREST, RIVER, -6.5).build().unwrap();
    let Err(GraphQueryError::NegativeCycle(cycle)) = bellman_ford(&graph, CASTLE) else { panic!() };
    assert_eq!((cycle.nodes.as_slice(), cycle.cost), (&[RIVER, CAVE, FOREST][..], -0.5));
    let ends = cycle.edges.iter().map(|&edge| graph.edge(edge).map(|edge| (edge.from, edge.to)).unwrap());
    assert_eq!(ends.collect::<Vec<_>>(), [(RIVER, CAVE), (CAVE, FOREST), (FOREST, RIVER)]);
    let text = "a cycle of 3 edges costs -0.5, which is less than nothing: 2 -> 4 -> 3 -> 2";
    assert_eq!(cycle.to_string(), text);
    for error in [floyd_warshall(&graph).unwrap_err(), johnson(&graph).unwrap_err()] {
        assert_eq!(error, AllPairsError::NegativeCycle(cycle.clone()));
    }
    // Nothing leads from the portal to the cycle, and nothing from the castle's own loop matters elsewhere.
    assert_eq!(bellman_ford(&graph, PORTAL).unwrap().costs().count(), 1);
    let looped = GraphBuilder::new(2).edge(0, 0, -1.0).edge(1, 0, 1.0).build().unwrap();
    let Err(GraphQueryError::NegativeCycle(cycle)) = bellman_ford(&looped, 1) else { panic!() };
    assert_eq!((cycle.nodes, cycle.edges, cycle.cost), (vec![0], vec![0], -1.0));
    // Also when the question is for the way to where one is.
    let query = GraphQuery { algorithm: GraphAlgorithm::BellmanFord, ..GraphQuery::new(0, 0) };
    assert!(matches!(find_path(&looped, &query), Err(GraphQueryError::NegativeCycle(_))));
}

#[test]
fn greedy_falls_into_the_trap() {
    let [start, a, b, goal] = [0, 1, 2, 3];
    let builder = GraphBuilder::new(4).edge(start, a, 2.0).edge(a, goal, 100.0).edge(start, b, 10.0);
    let graph = builder.edge(b, goal, 10.0).build().unwrap();
    let estimates = NodeEstimates::new(&graph, [0.0, 1.0, 10.0, 0.0]).unwrap();
    let ask = |algorithm| {
        let query = GraphQuery { algorithm, estimates: Some(estimates.clone()), ..GraphQuery::new(start, goal) };
        find_path(&graph, &query).unwrap()
    };
    assert_eq!(ask(GraphAlgorithm::Greedy).cost(), Some(102.0));
    assert_eq!(ask(GraphAlgorithm::AStar).cost(), Some(20.0));
    assert_eq!(ask(GraphAlgorithm::AStar).algorithm, GraphAlgorithm::AStar);
    // Without estimates there is nothing to be greedy by, and the answer says so.
    let query = GraphQuery { algorithm: GraphAlgorithm::Greedy, ..GraphQuery::new(start, goal) };
    let answer = find_path(&graph, &query).unwrap();
    assert_eq!((answer.algorithm, answer.cost()), (GraphAlgorithm::Dijkstra, Some(20.0)));
}

#[test]
fn estimates_that_are_too_high_cost_the_cheapest_path() {
    let [start, b, c, goal] = [0, 1, 2, 3];
    let builder = GraphBuilder::new(4).edge(start, c, 1.0).edge(c, goal, 3.0).edge(start, b, 2.0);
    let graph = builder.edge(b, goal, 3.0).build().unwrap();
    let cost = |estimate_of_c| {
        let estimates = NodeEstimates::new(&graph, [4.0, 3.0, estimate_of_c, 0.0]).unwrap();
        let query = GraphQuery { estimates: Some(estimates), ..GraphQuery::new(start, goal) };
        find_path(&graph, &query).unwrap().cost()
    };
    assert_eq!((cost(6.0), cost(3.0)), (Some(5.0), Some(4.0)));
}

#[test]
fn every_ending_is_told_apart() {
    let graph = with_hierarchy(country().build().unwrap());
    let mut search = GraphSearch::default();
    for algorithm in GraphAlgorithm::ALL {
        let query = |start, goal| GraphQuery { algorithm, ..GraphQuery::new(start, goal) };
        assert_eq!(search.find(&graph, &query(6, 0)), Err(GraphQueryError::UnknownStart { node: 6, nodes: 6 }));
        let last = NodeId::MAX;
        assert_eq!(search.find(&graph, &query(0, last)), Err(GraphQueryError::UnknownGoal { node: last, nodes: 6 }));
        let here = search.find(&graph, &query(CAVE, CAVE)).unwrap();
        assert_eq!((here.cost(), here.outcome.path().map(|path| path.nodes().len())), (Some(0.0), Some(1)));
        let none = search.find(&graph, &query(FOREST, CASTLE)).unwrap();
        assert_eq!(none.outcome, GraphOutcome::Failed(Reason::Unreachable), "{algorithm}");
        let capped = GraphQuery { max_expansions: Some(0), ..query(CASTLE, FOREST) };
        let capped = search.find(&graph, &capped).unwrap();
        assert_eq!((&capped.outcome, capped.stats.expanded), (&GraphOutcome::Failed(Reason::CapReached), 0));
        // What it took is enough, and one less is not.
        let whole = search.find(&graph, &query(CASTLE, FOREST)).unwrap();
        for (cap, is_found) in [(whole.stats.expanded, true), (whole.stats.expanded - 1, false)] {
            let answer =
                search.find(&graph, &GraphQuery { max_expansions: Some(cap), ..query(CASTLE, FOREST) }).unwrap();
            assert_eq!(matches!(answer.outcome, GraphOutcome::Found(_)), is_found, "{algorithm}, cap {cap}");
        }
    }
    assert_eq!(search.find_nearest(&graph, 0, &[], None), Err(GraphQueryError::NoGoals));
    let unknown = Err(GraphQueryError::UnknownGoal { node: 9, nodes: 6 });
    assert_eq!(search.find_nearest(&graph, 0, &[1, 9], None), unknown);
}

#[test]
fn a_search_on_another_graph_is_broken_off() {
    let mut graph = country().build().unwrap();
    let mut search = GraphSearch::default();
    for algorithm in [GraphAlgorithm::Dijkstra, GraphAlgorithm::LpaStar, GraphAlgorithm::BidirectionalDijkstra] {
        let query = GraphQuery { algorithm, ..GraphQuery::new(CASTLE, FOREST) };
        assert_eq!(search.begin(&graph, &query), Ok(None));
        assert_eq!(search.advance(&graph, 1), None);
        graph.update([(1, Some(graph.edge(1).unwrap().weight.unwrap() + 0.25))]).unwrap();
        let answer = search.advance(&graph, 1).unwrap();
        assert_eq!(answer.outcome, GraphOutcome::Failed(Reason::Cancelled));
        assert_eq!(search.advance(&graph, 1).unwrap().outcome, GraphOutcome::Failed(Reason::Cancelled));
    }
}

#[test]
fn a_partial_path_ends_where_the_estimate_is_least() {
    let line = GraphBuilder::new(5).positions((0..5).map(|x| [f64::from(x), 0.0]));
    let graph = line.edge(0, 1, 1.0).edge(1, 2, 1.0).edge(2, 3, 1.0).build().unwrap();
    for algorithm in GraphAlgorithm::ALL.into_iter().filter(|&algorithm| algorithm != GraphAlgorithm::BellmanFord) {
        let query = GraphQuery { algorithm, allow_partial: true, ..GraphQuery::new(0, 4) };
        let answer = find_path(&graph, &query).unwrap();
        let GraphOutcome::Partial(path, Reason::Unreachable) = &answer.outcome else { panic!("{answer:?}") };
        assert_eq!(path.nodes(), [0, 1, 2, 3], "{algorithm}");
        let capped = find_path(&graph, &GraphQuery { max_expansions: Some(2), ..query }).unwrap();
        assert_eq!(capped.outcome.reason(), Some(Reason::CapReached));
        assert_eq!(capped.outcome.path().map(GraphPath::nodes), Some(&[0, 1][..]), "{algorithm}");
    }
}

#[test]
fn costs_at_the_limit_are_counted_and_beyond_it_refused() {
    let largest = f64::from(MAX_WEIGHT);
    let long = |edges: u32| {
        let mut builder = GraphBuilder::new(edges as usize + 1).scale(1);
        (0..edges).for_each(|node| builder.push(node, node + 1, largest));
        builder.build().unwrap()
    };
    // Twice the largest weight is 2^32 - 2, the most that a search can count.
    let (fits, too_long) = (long(2), long(3));
    for algorithm in GraphAlgorithm::ALL {
        let ask = |graph: &WeightedGraph, goal| {
            find_path(graph, &GraphQuery { algorithm, ..GraphQuery::new(0, goal) }).unwrap().outcome
        };
        assert_eq!(ask(&fits, 2).path().map(GraphPath::units), Some(2 * i64::from(MAX_WEIGHT)), "{algorithm}");
        match algorithm {
            GraphAlgorithm::BellmanFord => {
                assert_eq!(ask(&too_long, 3).path().map(GraphPath::cost), Some(3.0 * largest));
            }
            // Blind searches do not go where they cannot count, either.
            _ => assert_eq!(ask(&too_long, 3), GraphOutcome::Failed(Reason::CostOverflow), "{algorithm}"),
        }
    }
    assert_eq!(shortest_paths(&too_long, 0), Err(GraphQueryError::CostOverflow { node: 0 }));
    assert_eq!(johnson(&too_long), Err(AllPairsError::CostOverflow { source_node: 0 }));
    assert_eq!(floyd_warshall(&too_long).unwrap().cost(0, 3), Some(3.0 * largest));
    // Contracting the middle of the long way would take a shortcut that cannot be counted, or leave the ends apart.
    let mut both = too_long;
    if both.build_hierarchy().is_ok() {
        let query = GraphQuery { algorithm: GraphAlgorithm::ContractionHierarchy, ..GraphQuery::new(0, 3) };
        let answer = find_path(&both, &query).unwrap();
        assert_eq!(answer.outcome, GraphOutcome::Failed(Reason::CostOverflow));
    }
}

#[test]
fn graphs_that_cannot_be_are_refused() {
    let build = |builder: GraphBuilder| builder.build().map(|graph| graph.len());
    assert_eq!(build(GraphBuilder::new(0)), Ok(0));
    let unknown = GraphError::UnknownNode { number: 1, from: 0, to: 2, nodes: 2 };
    assert_eq!(build(GraphBuilder::new(2).edge(0, 1, 1.0).edge(0, 2, 1.0)), Err(unknown));
    assert!(build(GraphBuilder::new(0).edge(0, 0, 1.0)).is_err());
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_097_152.0, -2_097_152.0, f64::MAX] {
        let error = build(GraphBuilder::new(2).edge(1, 0, weight)).unwrap_err();
        assert!(matches!(error, GraphError::Weight { from: 1, to: 0, scale: 1024, .. }), "{error}");
    }
    assert_eq!(build(GraphBuilder::new(2).scale(0)), Err(GraphError::Scale));
    let lone = GraphError::TooManyLoneNodes { nodes: 4_000_000_000, edges: 0 };
    assert_eq!(build(GraphBuilder::new(4_000_000_000)), Err(lone));
    assert_eq!(build(GraphBuilder::new(usize::MAX)), Err(GraphError::TooManyNodes { nodes: usize::MAX }));
    let count = GraphError::PositionCount { positions: 1, nodes: 2 };
    assert_eq!(build(GraphBuilder::new(2).positions([[0.0, 0.0]])), Err(count));
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let error = build(GraphBuilder::new(2).positions([[0.0, 0.0], [0.0, bad]])).unwrap_err();
        assert!(matches!(error, GraphError::Position { node: 1, .. }), "{error}");
    }
    for bad in [-1.0, f64::NAN] {
        let graph = GraphBuilder::new(2).build().unwrap();
        let error = NodeEstimates::new(&graph, [0.0, bad]).unwrap_err();
        assert!(matches!(error, EstimateError { node: 1, .. }));
    }
    let many = GraphBuilder::new(MAX_PAIRED_NODES + 1).build().unwrap();
    let too_many = AllPairsError::TooManyNodes { nodes: MAX_PAIRED_NODES + 1 };
    assert_eq!((floyd_warshall(&many).err(), johnson(&many).err()), (Some(too_many.clone()), Some(too_many)));
}

#[test]
fn a_graph_of_no_nodes_answers_everything() {
    let mut graph = GraphBuilder::new(0).build().unwrap();
    assert!(graph.is_empty() && graph.edges().next().is_none() && graph.edge(0).is_none());
    graph.build_hierarchy().unwrap();
    assert_eq!(graph.hierarchy().map(|hierarchy| hierarchy.len()), Some(0));
    assert!(floyd_warshall(&graph).unwrap().is_empty() && johnson(&graph).unwrap().is_empty());
    let unknown = GraphQueryError::UnknownStart { node: 0, nodes: 0 };
    assert_eq!(bellman_ford(&graph, 0).err(), Some(unknown.clone()));
    assert_eq!(find_path(&graph, &GraphQuery::new(0, 0)).err(), Some(unknown));
}

#[test]
fn changes_of_weights_are_all_or_nothing() {
    let mut graph = country().build().unwrap();
    let before = (graph.fingerprint(), graph.clone());
    let unknown = GraphError::UnknownEdge { edge: 6, edges: 6 };
    assert_eq!(graph.update([(0, Some(1.0)), (6, None)]), Err(unknown));
    assert!(matches!(graph.update([(0, None), (1, Some(f64::NAN))]), Err(GraphError::Weight { .. })));
    assert_eq!((graph.fingerprint(), &graph), (before.0, &before.1), "nothing has changed");
    assert_eq!(graph.update([(0, Some(5.0)), (1, None), (1, Some(2.0))]), Ok(vec![1, 1]), "what is equal is no change");
    assert_ne!(graph.fingerprint(), before.0);
    assert_eq!(graph.update([(1, Some(3.0))]), Ok(vec![1]));
    assert_eq!((graph.fingerprint(), &graph), (before.0, &before.1), "back to where it was");
}

#[test]
fn a_hierarchy_is_used_only_for_the_weights_it_was_made_of() {
    let mut graph = with_hierarchy(country().build().unwrap());
    let query = GraphQuery { algorithm: GraphAlgorithm::ContractionHierarchy, ..GraphQuery::new(CASTLE, FOREST) };
    let runs = |graph: &WeightedGraph| {
        let answer = find_path(graph, &query).unwrap();
        (answer.algorithm, answer.cost())
    };
    assert_eq!(runs(&graph), (GraphAlgorithm::ContractionHierarchy, Some(9.0)));
    let hierarchy = graph.hierarchy().cloned().unwrap();
    let road = graph.edge_between(RIVER, CAVE).unwrap();
    graph.update([(road, Some(7.0))]).unwrap();
    assert_eq!(runs(&graph), (GraphAlgorithm::BidirectionalDijkstra, Some(13.0)));
    assert!(graph.set_hierarchy(hierarchy.clone()).is_err());
    graph.update([(road, Some(2.0))]).unwrap();
    assert_eq!(runs(&graph), (GraphAlgorithm::ContractionHierarchy, Some(9.0)));
    assert!(graph.set_hierarchy(hierarchy).is_ok());
}

#[test]
fn a_replanner_refuses_what_it_cannot_do_and_begins_anew_if_it_was_not_told() {
    let mut graph = country().build().unwrap();
    let mut replanner = GraphReplanner::default();
    assert!(matches!(replanner.begin(&graph, 9, 0), Err(GraphQueryError::UnknownStart { .. })));
    assert!(matches!(replanner.begin(&graph, 0, 9), Err(GraphQueryError::UnknownGoal { .. })));
    replanner.begin(&graph, CASTLE, FOREST).unwrap();
    assert_eq!(replanner.run(&graph, Limits { cap: 1, slice: u64::MAX }), Ok(Ending::CapReached));
    assert_eq!(replanner.path(&graph), None);
    let road = graph.edge_between(RIVER, CAVE).unwrap();
    graph.update([(road, None)]).unwrap();
    assert_eq!(replanner.run(&graph, Limits::NONE), Ok(Ending::Found(FOREST)));
    assert_eq!(replanner.path(&graph).map(|path| path.cost()), Some(13.0));
    let changed = graph.update([(road, Some(0.0))]).unwrap();
    let error = replanner.update(&graph, &changed).unwrap_err();
    assert_eq!(error.to_string(), "the edge from 2 to 4 has a weight of 0, which lpa_star cannot have");
    assert_eq!(replanner.path(&graph), None);
}

#[test]
fn paths_are_checked_against_their_graph() {
    let mut graph = country().edge(CASTLE, RIVER, 2.5).build().unwrap();
    let path = GraphPath::new(vec![CASTLE, RIVER, CAVE], &graph).unwrap();
    assert_eq!((path.cost(), path.edges().len()), (4.5, 2), "the cheaper of two roads");
    graph.update([(path.edges()[1], Some(3.0))]).unwrap();
    assert_eq!(path.cost_on(&graph), Some(5.5));
    graph.update([(path.edges()[0], None)]).unwrap();
    assert_eq!(path.cost_on(&graph), None);
    let detour = GraphPath::new(vec![CASTLE, RIVER, CAVE], &graph).unwrap();
    assert_eq!(detour.cost(), 6.0);
    assert_eq!(GraphPath::new(vec![], &graph), Err(GraphPathError::Empty));
    assert_eq!(GraphPath::new(vec![7], &graph), Err(GraphPathError::UnknownNode(7)));
    let no_edge = GraphPathError::NoEdge { index: 1, from: RIVER, to: CASTLE };
    assert_eq!(GraphPath::new(vec![CASTLE, RIVER, CASTLE], &graph), Err(no_edge));
}

#[test]
fn names_are_read_as_they_were_written() {
    for algorithm in GraphAlgorithm::ALL {
        assert_eq!(algorithm.name().parse(), Ok(algorithm));
        assert_eq!(algorithm.to_string(), algorithm.name());
    }
    assert!("jps".parse::<GraphAlgorithm>().unwrap_err().to_string().contains("contraction_hierarchy"));
}
