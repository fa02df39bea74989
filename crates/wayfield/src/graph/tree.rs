//! The cheapest paths from one node to all others.

use crate::cost::Cost;
use crate::graph::{EdgeId, GraphPath, GraphQueryError, NonNegative, WeightedGraph};
use crate::search::{Ending, Limits, Order, Search};
use crate::space::{Everything, NodeId};

/// Stands for a node that no way leads to.
const NO_WAY: i64 = i64::MAX;
/// The edge into a node that no edge leads to: the source, and what cannot be reached.
const NO_EDGE: EdgeId = EdgeId::MAX;

/// What all nodes cost from one of them, and the cheapest path to each.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPaths {
    source: NodeId,
    scale: u32,
    units: Vec<i64>,
    /// The last edge of the way to each node.
    last: Vec<EdgeId>,
}

impl ShortestPaths {
    /// Nothing but the source is known.
    pub(super) fn new(graph: &WeightedGraph, source: NodeId) -> Self {
        let nodes = graph.len();
        Self { source, scale: graph.scale(), units: vec![NO_WAY; nodes], last: vec![NO_EDGE; nodes] }
    }

    /// Where the paths begin.
    pub fn source(&self) -> NodeId {
        self.source
    }

    /// What the way to a node costs; `None` if there is none.
    pub fn cost(&self, node: NodeId) -> Option<f64> {
        self.units(node).map(|units| units as f64 / f64::from(self.scale))
    }

    /// The same in units of the graph: exact.
    pub fn units(&self, node: NodeId) -> Option<i64> {
        self.units.get(node as usize).copied().filter(|&units| units != NO_WAY)
    }

    /// The nodes that can be reached and what they cost, in ascending order.
    pub fn costs(&self) -> impl Iterator<Item = (NodeId, f64)> {
        (0..self.units.len() as NodeId).filter_map(|node| Some((node, self.cost(node)?)))
    }

    /// The last edge of the way to a node.
    pub(super) fn last_edge(&self, node: NodeId) -> Option<EdgeId> {
        self.last.get(node as usize).copied().filter(|&edge| edge != NO_EDGE)
    }

    /// The cheapest path to a node, of the graph this was made of; `None` if there is none.
    pub fn path(&self, graph: &WeightedGraph, node: NodeId) -> Option<GraphPath> {
        self.units(node)?;
        path_by_last_edges(graph, self.source, node, |node| self.last_edge(node))
    }

    pub(super) fn set(&mut self, node: NodeId, units: i64, last: Option<EdgeId>) {
        if let (Some(known), Some(edge)) = (self.units.get_mut(node as usize), self.last.get_mut(node as usize)) {
            *known = units;
            *edge = last.unwrap_or(NO_EDGE);
        }
    }
}

/// The path to a node, if the last edge of the way to each node on it is known; `None` if that leads nowhere.
pub(super) fn path_by_last_edges(
    graph: &WeightedGraph,
    source: NodeId,
    node: NodeId,
    last: impl Fn(NodeId) -> Option<EdgeId>,
) -> Option<GraphPath> {
    let (mut nodes, mut edges) = (vec![node], Vec::new());
    let mut at = node;
    while at != source {
        let edge = graph.edge(last(at)?)?;
        // On another graph than the one it was made of, the way might go round in circles.
        if edge.to != at || edges.len() >= graph.len() {
            return None;
        }
        at = edge.from;
        edges.push(edge.id);
        nodes.push(at);
    }
    nodes.reverse();
    edges.reverse();
    Some(GraphPath::of_edges(nodes, edges, graph))
}

/// The cheapest paths from one node to all others, by Dijkstra's algorithm (1959).
///
/// Time: O((n + m) log n). For one goal, or with a cap, ask a [`GraphSearch`](crate::graph::GraphSearch).
///
/// ```
/// use wayfield::graph::{shortest_paths, GraphBuilder};
/// let graph = GraphBuilder::new(4).edge(0, 1, 5.0).edge(0, 2, 1.0).edge(2, 1, 2.5).build()?;
/// let paths = shortest_paths(&graph, 0)?;
/// assert_eq!(paths.costs().collect::<Vec<_>>(), [(0, 0.0), (1, 3.5), (2, 1.0)]);
/// assert_eq!(paths.path(&graph, 1).unwrap().nodes(), [0, 2, 1]);
/// assert_eq!(paths.cost(3), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the graph has no such node or a negative weight, or some ways cost more than can be counted.
pub fn shortest_paths(graph: &WeightedGraph, source: NodeId) -> Result<ShortestPaths, GraphQueryError> {
    if !graph.contains(source) {
        return Err(GraphQueryError::UnknownStart { node: source, nodes: graph.len() });
    }
    let space = graph.non_negative()?;
    let mut search = Search::default();
    search.begin(Order::DIJKSTRA, &space, &[(source, Cost::ZERO)], &Everything);
    match search.run(&space, &Everything, Limits::NONE) {
        Ending::CostOverflow => Err(GraphQueryError::CostOverflow { node: source }),
        _ => Ok(tree_of(&search, space, source)),
    }
}

/// What a search that has ended knows.
fn tree_of(search: &Search, NonNegative(graph): NonNegative, source: NodeId) -> ShortestPaths {
    let mut paths = ShortestPaths::new(graph, source);
    for node in 0..graph.len() as NodeId {
        if let Some(cost) = search.cost_to(node) {
            let last = search.parent(node).and_then(|parent| graph.edge_between(parent, node));
            paths.set(node, cost.raw().into(), last);
        }
    }
    paths
}
