//! A path over a graph.

use crate::graph::{EdgeId, WeightedGraph};
use crate::space::NodeId;

/// The nodes of a way from its start to its end, the edges between them, and what they cost.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PathData"))]
pub struct GraphPath {
    nodes: Vec<NodeId>,
    /// One less than there are nodes.
    edges: Vec<EdgeId>,
    units: i64,
    scale: u32,
}

/// Why a list of nodes is no path on a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphPathError {
    /// There is no node at all.
    #[error("a path has at least one node")]
    Empty,
    /// The graph has no such node.
    #[error("the path starts at node {0}, which the graph does not have")]
    UnknownNode(NodeId),
    /// Between two nodes there is no open edge.
    #[error("step {index} of the path, from {from} to {to}, is no open edge")]
    NoEdge {
        /// The step, from 0.
        index: usize,
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// What was read has not one edge a step, or a scale of 0.
    #[error("{edges} edges between {nodes} nodes are no path")]
    Shape {
        /// How many nodes there are.
        nodes: usize,
        /// How many edges.
        edges: usize,
    },
}

impl GraphPath {
    /// The path along these nodes, by the cheapest open edge of each step.
    ///
    /// # Errors
    /// If there is no node, the graph does not have the first one, or there is no open edge from one to the next.
    pub fn new(nodes: Vec<NodeId>, graph: &WeightedGraph) -> Result<Self, GraphPathError> {
        let first = *nodes.first().ok_or(GraphPathError::Empty)?;
        if !graph.contains(first) {
            return Err(GraphPathError::UnknownNode(first));
        }
        let edges = nodes.windows(2).enumerate().map(|(index, pair)| {
            let (from, to) = (pair[0], pair[1]);
            graph.edge_between(from, to).ok_or(GraphPathError::NoEdge { index, from, to })
        });
        let edges = edges.collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of_edges(nodes, edges, graph))
    }

    /// The path of these nodes and the edges between them; closed edges cost nothing.
    pub(super) fn of_edges(nodes: Vec<NodeId>, edges: Vec<EdgeId>, graph: &WeightedGraph) -> Self {
        let units = edges.iter().filter_map(|&edge| graph.arc(edge)?.weight.units()).map(i64::from).sum();
        Self { nodes, edges, units, scale: graph.scale() }
    }

    /// The nodes, start and end included; never empty.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The edges, one less than there are nodes.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// What it costs, exact as long as it has less than 2^53 units.
    pub fn cost(&self) -> f64 {
        self.units as f64 / f64::from(self.scale)
    }

    /// What it costs in units of the graph: exact.
    pub fn units(&self) -> i64 {
        self.units
    }

    /// What it costs on the graph as it is now; `None` if an edge is closed or gone.
    pub fn cost_on(&self, graph: &WeightedGraph) -> Option<f64> {
        let units = self.edges.iter().map(|&edge| graph.arc(edge)?.weight.units().map(i64::from));
        units.sum::<Option<i64>>().map(|units| units as f64 / f64::from(graph.scale()))
    }
}

/// A path as it is saved.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PathData {
    nodes: Vec<NodeId>,
    edges: Vec<EdgeId>,
    units: i64,
    scale: u32,
}

#[cfg(feature = "serde")]
impl TryFrom<PathData> for GraphPath {
    type Error = GraphPathError;

    fn try_from(PathData { nodes, edges, units, scale }: PathData) -> Result<Self, GraphPathError> {
        if nodes.is_empty() {
            return Err(GraphPathError::Empty);
        }
        if nodes.len() != edges.len() + 1 || scale == 0 {
            return Err(GraphPathError::Shape { nodes: nodes.len(), edges: edges.len() });
        }
        Ok(Self { nodes, edges, units, scale })
    }
}
