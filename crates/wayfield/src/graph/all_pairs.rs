//! The cheapest paths between all nodes of a small graph.

use crate::cost::Cost;
use crate::graph::bellman_ford::{NegativeCycle, potentials};
use crate::graph::tree::{ShortestPaths, path_by_last_edges};
use crate::graph::{EdgeId, GraphPath, WeightedGraph};
use crate::search::{Ending, Limits, Order, Search};
use crate::space::{Everything, NodeId, Space};

/// The most nodes that a table of all pairs is made for: 12 bytes a pair make 200 MB.
pub const MAX_PAIRED_NODES: usize = 4096;

/// Stands for a pair without a way.
const NO_WAY: i64 = i64::MAX;
/// The last edge of a way that has none.
const NO_EDGE: EdgeId = EdgeId::MAX;

/// What every node costs from every other one, and the cheapest paths. Memory: 12 bytes a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct AllPairs {
    nodes: usize,
    scale: u32,
    /// Row by row, a row for each node that ways begin at.
    units: Vec<i64>,
    /// The last edge of each way.
    last: Vec<EdgeId>,
}

/// Why there is no table of all pairs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AllPairsError {
    /// A way round costs less than nothing.
    #[error(transparent)]
    NegativeCycle(#[from] NegativeCycle),
    /// The table would be too large.
    #[error("{nodes} nodes are too many for a table of all pairs: at most {max}", max = MAX_PAIRED_NODES)]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },
    /// Some ways cost more than Johnson's algorithm can count.
    #[error("some ways from node {source_node} cost more than can be counted")]
    CostOverflow {
        /// Where they begin.
        source_node: NodeId,
    },
}

impl AllPairs {
    fn new(graph: &WeightedGraph) -> Result<Self, AllPairsError> {
        let nodes = graph.len();
        if nodes > MAX_PAIRED_NODES {
            return Err(AllPairsError::TooManyNodes { nodes });
        }
        let pairs = nodes * nodes;
        Ok(Self { nodes, scale: graph.scale(), units: vec![NO_WAY; pairs], last: vec![NO_EDGE; pairs] })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// What the way from one node to another costs; `None` if there is none.
    pub fn cost(&self, from: NodeId, to: NodeId) -> Option<f64> {
        self.units(from, to).map(|units| units as f64 / f64::from(self.scale))
    }

    /// The same in units of the graph: exact.
    pub fn units(&self, from: NodeId, to: NodeId) -> Option<i64> {
        self.units.get(self.place(from, to)?).copied().filter(|&units| units != NO_WAY)
    }

    /// The cheapest path from one node to another, of the graph this was made of; `None` if there is none.
    pub fn path(&self, graph: &WeightedGraph, from: NodeId, to: NodeId) -> Option<GraphPath> {
        self.units(from, to)?;
        let last = |node| self.last.get(self.place(from, node)?).copied().filter(|&edge| edge != NO_EDGE);
        path_by_last_edges(graph, from, to, last)
    }

    fn place(&self, from: NodeId, to: NodeId) -> Option<usize> {
        let (from, to) = (from as usize, to as usize);
        (from < self.nodes && to < self.nodes).then_some(from * self.nodes + to)
    }
}

/// The cheapest paths between all nodes, by Floyd's and Warshall's algorithm (1962). Weights may be negative.
///
/// The plainest way, and a good one where there are few nodes and many edges. Time: O(n^3); memory: 12 bytes a pair.
///
/// ```
/// use wayfield::graph::{floyd_warshall, GraphBuilder};
/// let graph = GraphBuilder::new(3).edge(0, 1, 4.0).edge(1, 2, -2.0).edge(0, 2, 3.0).build()?;
/// let pairs = floyd_warshall(&graph)?;
/// assert_eq!((pairs.cost(0, 2), pairs.cost(2, 0)), (Some(2.0), None));
/// assert_eq!(pairs.path(&graph, 0, 2).unwrap().nodes(), [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is a negative cycle anywhere, or more than [`MAX_PAIRED_NODES`] nodes.
pub fn floyd_warshall(graph: &WeightedGraph) -> Result<AllPairs, AllPairsError> {
    let mut pairs = AllPairs::new(graph)?;
    // Without a cycle all ways that follow are short ones, and no sum can overflow.
    potentials(graph)?;
    let nodes = graph.len();
    for (from, row) in pairs.units.chunks_mut(nodes.max(1)).zip(pairs.last.chunks_mut(nodes.max(1))).enumerate() {
        row.0[from] = 0;
        for (edge, arc) in graph.row(from as NodeId).zip(graph.arcs_out(from as NodeId)) {
            let to = arc.node as usize;
            if let Some(units) = arc.weight.units().map(i64::from).filter(|&units| units < row.0[to]) {
                (row.0[to], row.1[to]) = (units, edge);
            }
        }
    }
    let (mut units_by_way, mut last_by_way) = (vec![NO_WAY; nodes], vec![NO_EDGE; nodes]);
    for way in 0..nodes {
        units_by_way.copy_from_slice(&pairs.units[way * nodes..(way + 1) * nodes]);
        last_by_way.copy_from_slice(&pairs.last[way * nodes..(way + 1) * nodes]);
        for (units, last) in pairs.units.chunks_mut(nodes).zip(pairs.last.chunks_mut(nodes)) {
            let there = units[way];
            if there == NO_WAY {
                continue;
            }
            for to in 0..nodes {
                let on = units_by_way[to];
                if on != NO_WAY && there + on < units[to] {
                    (units[to], last[to]) = (there + on, last_by_way[to]);
                }
            }
        }
    }
    Ok(pairs)
}

/// The cheapest paths between all nodes, by Johnson's algorithm (1977): weights are made positive in a way that leaves the cheapest paths
/// the cheapest, then Dijkstra's algorithm runs from every node. Weights may be negative.
///
/// Time: O(n m log n), which on graphs of few edges is far less than [`floyd_warshall`] takes; memory: 12 bytes a pair.
///
/// # Errors
/// If there is a negative cycle anywhere, more than [`MAX_PAIRED_NODES`] nodes, or a way that costs more than 32 bits
/// can count, in the weights that are searched.
pub fn johnson(graph: &WeightedGraph) -> Result<AllPairs, AllPairsError> {
    let mut pairs = AllPairs::new(graph)?;
    let space = Reweighted { graph, potentials: potentials(graph)? };
    let mut search = Search::default();
    for source in 0..graph.len() as NodeId {
        search.begin(Order::DIJKSTRA, &space, &[(source, Cost::ZERO)], &Everything);
        if search.run(&space, &Everything, Limits::NONE) == Ending::CostOverflow {
            return Err(AllPairsError::CostOverflow { source_node: source });
        }
        for node in 0..graph.len() as NodeId {
            let (Some(cost), Some(place)) = (search.cost_to(node), pairs.place(source, node)) else { continue };
            pairs.units[place] = i64::from(cost.raw()) + space.potential(node) - space.potential(source);
            let last = search.parent(node).and_then(|parent| graph.edge_between(parent, node));
            pairs.last[place] = last.unwrap_or(NO_EDGE);
        }
    }
    Ok(pairs)
}

/// A graph whose edges cost what they cost plus the potential of where they begin less that of where they end: 0 or more.
struct Reweighted<'a> {
    graph: &'a WeightedGraph,
    potentials: ShortestPaths,
}

impl Reweighted<'_> {
    fn potential(&self, node: NodeId) -> i64 {
        self.potentials.units(node).unwrap_or_default()
    }
}

impl Space for Reweighted<'_> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for arc in self.graph.arcs_out(node) {
            if let Some(units) = arc.weight.units() {
                let whole = i64::from(units) + self.potential(node) - self.potential(arc.node);
                // What does not fit is a step that no search can take: the answer is then "cost overflow".
                visit(arc.node, u32::try_from(whole).map_or(Cost::MAX, Cost::from_raw));
            }
        }
    }
}
