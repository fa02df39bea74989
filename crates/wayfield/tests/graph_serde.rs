//! Graphs and hierarchies that a game saves it can load, and broken data does not get in.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use wayfield::graph::{
    ContractionHierarchy, ContractionSearch, GraphBuilder, GraphPath, GraphQuery, NodeEstimates, WeightedGraph,
};
use wayfield::search::Limits;

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(serde_json::from_str::<T>(&text).ok().as_ref(), Some(value), "{text}");
    text
}

fn is_refused<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_err()
}

/// A ring of roads, one of them closed.
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]
fn ring() -> WeightedGraph {
    let mut builder = GraphBuilder::new(12).scale(8).positions((0..12).map(|node| [f64::from(node), 0.5]));
    (0..12).for_each(|node| builder.push(node, (node + 1) % 12, 1.0 + f64::from(node) / 8.0));
    let mut graph = builder.two_way(0, 6, 3.0).build().unwrap();
    graph.update([(5, None)]).unwrap();
    graph
}

#[test]
fn graphs_and_hierarchies_come_back_as_they_went() {
    let mut graph = ring();
    let text = round_trip(&graph);
    let mut read: WeightedGraph = serde_json::from_str(&text).unwrap();
    assert_eq!(read.fingerprint(), graph.fingerprint());
    graph.build_hierarchy().unwrap();
    let text = round_trip(graph.hierarchy().unwrap());
    read.set_hierarchy(serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(read.hierarchy(), graph.hierarchy());
    round_trip(&GraphPath::new(vec![0, 1, 2], &graph).unwrap());
    let estimates = NodeEstimates::new(&graph, [1.0, 2.5]).ok();
    round_trip(&GraphQuery { estimates, ..GraphQuery::new(0, 1) });
}

#[test]
fn broken_graphs_are_refused() {
    assert!(is_refused::<WeightedGraph>(r#"{"nodes":2,"scale":1,"edges":[[0,2,1]],"positions":null}"#));
    assert!(is_refused::<WeightedGraph>(r#"{"nodes":2,"scale":1,"edges":[[0,1,-2147483648]],"positions":null}"#));
    assert!(is_refused::<WeightedGraph>(r#"{"nodes":2,"scale":0,"edges":[[0,1,1]],"positions":null}"#));
    assert!(is_refused::<WeightedGraph>(r#"{"nodes":4000000000,"scale":1,"edges":[],"positions":null}"#));
    assert!(!is_refused::<WeightedGraph>(r#"{"nodes":2,"scale":1,"edges":[[0,1,null]],"positions":null}"#));
    assert!(is_refused::<GraphPath>(r#"{"nodes":[],"edges":[],"units":0,"scale":1}"#));
    assert!(is_refused::<GraphPath>(r#"{"nodes":[1],"edges":[1],"units":0,"scale":1}"#));
}

/// Every number of a saved hierarchy is replaced by others: what is refused is refused, and over what is not, searches end without a panic,
/// with a path of the graph or none.
#[test]
fn damaged_hierarchies_are_refused_or_harmless() {
    let mut graph = ring();
    graph.build_hierarchy().unwrap();
    let text = serde_json::to_string(graph.hierarchy().unwrap()).unwrap();
    let (fingerprint, rest) = text.split_once("\"node_at\"").unwrap();
    let (mut refused, mut read) = (0, 0);
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    for start in (1..rest.len()).filter(|&at| is_digit(&rest.as_bytes()[at]) && !is_digit(&rest.as_bytes()[at - 1])) {
        let length = rest[start..].bytes().take_while(is_digit).count();
        for number in ["0", "1", "5", "11", "12", "4294967294", "4294967295"] {
            let (before, after) = (&rest[..start], &rest[start + length..]);
            let damaged = format!("{fingerprint}\"node_at\"{before}{number}{after}");
            let Ok(hierarchy) = serde_json::from_str::<ContractionHierarchy>(&damaged) else {
                refused += 1;
                continue;
            };
            read += 1;
            let mut search = ContractionSearch::default();
            for (start, goal) in (0..12).flat_map(|start| (0..12).map(move |goal| (start, goal))) {
                assert!(search.begin(&hierarchy, start, goal));
                search.run(&hierarchy, Limits::NONE);
                let nodes = search.path(&hierarchy);
                assert!(nodes.is_none_or(|nodes| nodes.len() <= 13));
            }
        }
    }
    assert!(refused > 300 && read > 50, "{refused} {read}");
}
