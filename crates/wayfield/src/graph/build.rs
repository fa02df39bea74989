//! How a graph is made, and all that can be wrong with it.

use crate::graph::weight::{Arc, MAX_WEIGHT, Weight, mixed};
use crate::graph::{EdgeId, Positions, WeightedGraph};
use crate::space::NodeId;

/// The most nodes that no edge touches. So a number of nodes without anything to show for it takes no memory.
const MAX_LONE_NODES: usize = 1 << 20;

/// The farthest from 0 that a position may be, so that distances can be squared.
const MAX_COORDINATE: f64 = 1e100;

/// Why there is no such graph.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// A node is numbered by 32 bits, of which the last number stands for "none".
    #[error("{nodes} nodes are too many: at most {max}", max = u32::MAX - 1)]
    TooManyNodes {
        /// How many were asked for.
        nodes: usize,
    },
    /// An edge is numbered by 32 bits.
    #[error("{edges} edges are too many: at most {max}", max = u32::MAX - 1)]
    TooManyEdges {
        /// How many were given.
        edges: usize,
    },
    /// There are far more nodes than edges have ends, and no positions to show for them.
    #[error("{nodes} nodes are too many for {edges} edges: at most {max} may have none", max = MAX_LONE_NODES)]
    TooManyLoneNodes {
        /// How many were asked for.
        nodes: usize,
        /// How many edges there are.
        edges: usize,
    },
    /// An edge begins or ends at no node.
    #[error("edge number {number}, from {from} to {to}: the nodes are those below {nodes}")]
    UnknownNode {
        /// The edge, in the order given, from 0.
        number: usize,
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// A weight is not a number, or too large.
    #[error("the edge from {from} to {to}: a weight is a number of at most {}, not {weight}", f64::from(MAX_WEIGHT) / f64::from(*scale))]
    Weight {
        /// Where the edge begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// The weight.
        weight: f64,
        /// The scale of the graph.
        scale: u32,
    },
    /// There is no edge of this number.
    #[error("there is no edge {edge}: the graph has {edges}")]
    UnknownEdge {
        /// The number.
        edge: EdgeId,
        /// How many edges there are.
        edges: usize,
    },
    /// There are no units in 1.0.
    #[error("the scale is 0: a weight has at least one unit")]
    Scale,
    /// There are more or fewer positions than nodes.
    #[error("{positions} positions for {nodes} nodes")]
    PositionCount {
        /// How many positions there are.
        positions: usize,
        /// How many nodes.
        nodes: usize,
    },
    /// A position is not a number, or too far away.
    #[error("node {node} cannot be at ({}, {})", at[0], at[1])]
    Position {
        /// The node.
        node: usize,
        /// Where it is said to be.
        at: [f64; 2],
    },
}

/// Collects nodes and edges for a [`WeightedGraph`].
///
/// ```
/// use wayfield::graph::{GraphBuilder, GraphError};
/// let graph = GraphBuilder::new(3).edge(0, 1, 2.5).two_way(1, 2, 4.0).build()?;
/// assert_eq!((graph.len(), graph.edge_count()), (3, 3));
/// let error = GraphBuilder::new(3).edge(0, 3, 2.5).build().unwrap_err();
/// assert_eq!(error.to_string(), "edge number 0, from 0 to 3: the nodes are those below 3");
/// # Ok::<(), GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    nodes: usize,
    scale: u32,
    edges: Vec<(NodeId, NodeId, f64)>,
    positions: Option<Vec<[f64; 2]>>,
}

impl GraphBuilder {
    /// How many units make 1.0, unless [`GraphBuilder::scale`] says otherwise.
    pub const DEFAULT_SCALE: u32 = 1024;

    /// A graph of so many nodes, the numbers from 0, without edges yet.
    pub fn new(nodes: usize) -> Self {
        Self { nodes, scale: Self::DEFAULT_SCALE, edges: Vec::new(), positions: None }
    }

    /// How many units of weight make 1.0: finer weights for a shorter range, as the [module](crate::graph) explains.
    /// 1 is right for whole numbers. Paths over weights that are multiples of 1 / `scale` are exact.
    #[must_use]
    pub fn scale(mut self, scale: u32) -> Self {
        self.scale = scale;
        self
    }

    /// Where the nodes are, one position for each: A* estimates by them, and a partial path ends as near as it can.
    ///
    /// Any positions will do, in any unit: an estimate is the straight line times the least weight that an edge has for its length.
    #[must_use]
    pub fn positions(mut self, positions: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.positions = Some(positions.into_iter().collect());
        self
    }

    /// An edge one way.
    #[must_use]
    pub fn edge(mut self, from: NodeId, to: NodeId, weight: f64) -> Self {
        self.push(from, to, weight);
        self
    }

    /// Two edges: one there and one back, at the same weight.
    #[must_use]
    pub fn two_way(mut self, one: NodeId, other: NodeId, weight: f64) -> Self {
        self.push(one, other, weight);
        self.push(other, one, weight);
        self
    }

    /// As [`GraphBuilder::edge`], for loops.
    pub fn push(&mut self, from: NodeId, to: NodeId, weight: f64) {
        self.edges.push((from, to, weight));
    }

    /// The graph. Time and memory: O(n + m).
    ///
    /// # Errors
    /// If an edge begins or ends at no node, a weight or position is no number or too large, or there are too many nodes or edges.
    pub fn build(self) -> Result<WeightedGraph, GraphError> {
        let Self { nodes, scale, edges, positions } = self;
        let whole = edges.into_iter().map(|(from, to, weight)| {
            let refused = GraphError::Weight { from, to, weight, scale };
            Ok((from, to, Weight::from_number(weight, scale).ok_or(refused)?))
        });
        let whole = whole.collect::<Result<Vec<_>, _>>()?;
        assemble(nodes, scale, &whole, positions)
    }
}

/// A graph of edges whose weights are in units already.
pub(super) fn assemble(
    nodes: usize,
    scale: u32,
    edges: &[(NodeId, NodeId, Weight)],
    positions: Option<Vec<[f64; 2]>>,
) -> Result<WeightedGraph, GraphError> {
    check_counts(nodes, scale, edges.len(), positions.is_some())?;
    let positions = positions.map(|places| check_positions(nodes, places)).transpose()?;
    let has = |node: NodeId| (node as usize) < nodes;
    if let Some((number, &(from, to, _))) = edges.iter().enumerate().find(|(_, (from, to, _))| !has(*from) || !has(*to))
    {
        return Err(GraphError::UnknownNode { number, from, to, nodes });
    }
    let given = edges.iter().map(|&(from, to, weight)| (from, Arc { node: to, weight }));
    let (first_out, out, _) = rows(nodes, given);
    let row_ends = first_out.windows(2).map(|bounds| bounds[1] - bounds[0]);
    let starts: Vec<NodeId> = (0..).zip(row_ends).flat_map(|(node, length)| (0..length).map(move |_| node)).collect();
    let turned = starts.iter().zip(&out).map(|(&from, arc)| (arc.node, Arc { node: from, weight: arc.weight }));
    let (first_in, into, place_in) = rows(nodes, turned);
    let mut graph = WeightedGraph {
        scale,
        first_out,
        out: Vec::new(),
        first_in,
        into,
        place_in,
        positions: positions.map(Positions::new),
        negative: 0,
        free: 0,
        fingerprint: mixed(nodes as u64) ^ u64::from(scale),
        hierarchy: None,
    };
    for ((id, &from), arc) in (0..).zip(&starts).zip(&out) {
        graph.count(id, from, arc.node, arc.weight);
    }
    graph.out = out;
    Ok(graph)
}

fn check_counts(nodes: usize, scale: u32, edges: usize, has_positions: bool) -> Result<(), GraphError> {
    if scale == 0 {
        return Err(GraphError::Scale);
    }
    if nodes >= u32::MAX as usize {
        return Err(GraphError::TooManyNodes { nodes });
    }
    if edges >= u32::MAX as usize {
        return Err(GraphError::TooManyEdges { edges });
    }
    if !has_positions && nodes.saturating_sub(2 * edges) > MAX_LONE_NODES {
        return Err(GraphError::TooManyLoneNodes { nodes, edges });
    }
    Ok(())
}

/// The positions, if there is a good one for every node. What is nearer to 0 than can be squared is 0.
pub(super) fn check_positions(nodes: usize, mut places: Vec<[f64; 2]>) -> Result<Vec<[f64; 2]>, GraphError> {
    if places.len() != nodes {
        return Err(GraphError::PositionCount { positions: places.len(), nodes });
    }
    for (node, at) in places.iter_mut().enumerate() {
        if !at.iter().all(|coordinate| coordinate.abs() <= MAX_COORDINATE) {
            return Err(GraphError::Position { node, at: *at });
        }
        *at = at.map(|coordinate| if coordinate.abs() < 1.0 / MAX_COORDINATE { 0.0 } else { coordinate });
    }
    Ok(places)
}

/// Sorts edges by one of their ends, keeping the order among equals: where each row begins, the other ends row by row,
/// and where each edge went.
fn rows(nodes: usize, edges: impl Iterator<Item = (NodeId, Arc)> + Clone) -> (Vec<u32>, Vec<Arc>, Vec<u32>) {
    let mut first = vec![0; nodes + 1];
    for (node, _) in edges.clone() {
        first[node as usize + 1] += 1;
    }
    for node in 0..nodes {
        first[node + 1] += first[node];
    }
    let mut next = first.clone();
    let count = first[nodes] as usize;
    let mut arcs = vec![Arc { node: 0, weight: Weight::CLOSED }; count];
    let mut places = Vec::with_capacity(count);
    for (node, arc) in edges {
        let place = &mut next[node as usize];
        arcs[*place as usize] = arc;
        places.push(*place);
        *place += 1;
    }
    (first, arcs, places)
}

/// A graph as it is saved.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct GraphData {
    nodes: usize,
    scale: u32,
    /// From, to, and the units of weight; nothing for a closed edge.
    edges: Vec<(NodeId, NodeId, Option<i32>)>,
    positions: Option<Vec<[f64; 2]>>,
}

#[cfg(feature = "serde")]
impl From<WeightedGraph> for GraphData {
    fn from(graph: WeightedGraph) -> Self {
        let units = graph.edges().zip(&graph.out).map(|(edge, arc)| (edge.from, edge.to, arc.weight.units()));
        let edges = units.collect();
        let (nodes, scale) = (graph.len(), graph.scale);
        Self { nodes, scale, edges, positions: graph.positions.map(|positions| positions.places) }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<GraphData> for WeightedGraph {
    type Error = GraphError;

    fn try_from(data: GraphData) -> Result<Self, GraphError> {
        let GraphData { nodes, scale, edges, positions } = data;
        let whole = edges.into_iter().map(|(from, to, units)| {
            let refused = |units| GraphError::Weight { from, to, weight: f64::from(units) / f64::from(scale), scale };
            let weight = units.map(|units| Weight::from_units(units).ok_or_else(|| refused(units)));
            Ok((from, to, weight.unwrap_or(Ok(Weight::CLOSED))?))
        });
        let whole = whole.collect::<Result<Vec<_>, _>>()?;
        assemble(nodes, scale, &whole, positions)
    }
}
