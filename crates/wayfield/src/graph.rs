//! Weighted graphs: waypoints, rooms, roads and the polygons of a navmesh, searched by the engine that searches maps.
//!
//! ```text
//! GraphBuilder ── nodes, edges, perhaps positions          parse_gr ── the same from a DIMACS file
//!     ▼                                                        ▼
//! WeightedGraph ── compressed rows; weights change in batches, roads close and open
//!     │
//!     ├── GraphSearch ── GraphQuery ──► GraphAnswer: Found, Partial or Failed, with cost and expansions
//!     │       └── ContractionHierarchy, if the graph has one: far ways over large graphs in some hundred expansions
//!     ├── GraphReplanner ── a path kept up to date by LPA* while weights change
//!     ├── ShortestPaths ── from one node to all: shortest_paths, and with negative weights bellman_ford
//!     └── AllPairs ── between all nodes: floyd_warshall, johnson
//! ```
//!
//! # What weights are
//! Inside, a weight is a whole number of *units*, so that the same input gives the same answer bit for bit and sums are
//! exact. [`GraphBuilder::scale`] says how many units make 1.0: 1024 unless told otherwise, 1 for whole numbers such as those
//! of DIMACS files. A weight is rounded to the nearest unit, and one that is not zero never becomes zero. It has at most
//! [`MAX_WEIGHT`] units either way; what searches add up has less than 2^32 - 1 of them, and a path beyond that is the typed answer
//! "cost overflow". What Bellman-Ford, Floyd-Warshall and Johnson add up has 64 bits.
//!
//! Weights may be negative. All searches but [`bellman_ford`], [`floyd_warshall`] and [`johnson`] refuse such a graph with an error
//! that names an edge; those three report a [`NegativeCycle`] with its edges.
//!
//! # Example
//! ```
//! use wayfield::graph::{GraphBuilder, GraphQuery, GraphSearch};
//!
//! let mut graph = GraphBuilder::new(4)
//!     .positions([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]])
//!     .two_way(0, 1, 4.0)
//!     .two_way(1, 2, 3.0)
//!     .two_way(0, 3, 3.0)
//!     .edge(3, 2, 4.5) // one way
//!     .build()?;
//! let mut search = GraphSearch::default();
//! let answer = search.find(&graph, &GraphQuery::new(0, 2))?;
//! assert_eq!(answer.outcome.path().unwrap().nodes(), [0, 1, 2]);
//! assert_eq!(answer.cost(), Some(7.0));
//!
//! let bridge = graph.edge_between(1, 2).unwrap();
//! graph.update([(bridge, None)])?; // closed
//! assert_eq!(search.find(&graph, &GraphQuery::new(0, 2))?.cost(), Some(7.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod all_pairs;
mod bellman_ford;
mod build;
mod contraction;
mod dimacs;
mod goal;
mod hierarchy;
mod hierarchy_data;
mod hierarchy_search;
mod path;
mod query;
mod replan;
mod search;
mod tree;
mod weight;

use std::ops::Range;

use crate::cost::Cost;
use crate::space::{NodeId, Reversible, Space};

pub use all_pairs::{AllPairs, AllPairsError, MAX_PAIRED_NODES, floyd_warshall, johnson};
pub use bellman_ford::{NegativeCycle, bellman_ford};
pub use build::{GraphBuilder, GraphError};
pub use dimacs::{DimacsError, DimacsErrorKind, parse_co, parse_gr, write_co, write_gr};
pub use goal::{EstimateError, NodeEstimates};
pub use hierarchy::{ContractionHierarchy, HierarchyError};
pub use hierarchy_search::ContractionSearch;
pub use path::{GraphPath, GraphPathError};
pub use query::{GraphAlgorithm, GraphAnswer, GraphOutcome, GraphQuery, GraphQueryError};
pub use replan::GraphReplanner;
pub use search::{GraphSearch, find_path};
pub use tree::{ShortestPaths, shortest_paths};
pub use weight::MAX_WEIGHT;

use weight::{Arc, Weight, fingerprint_of};

/// An edge of a graph. Edges are numbered from 0 by the node they leave, then in the order they were given.
pub type EdgeId = u32;

/// An edge, its ends and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its number.
    pub id: EdgeId,
    /// The node it leaves.
    pub from: NodeId,
    /// The node it leads to.
    pub to: NodeId,
    /// What it costs; `None` while it is closed.
    pub weight: Option<f64>,
}

/// Nodes and directed edges with weights, in compressed rows.
///
/// Edges may run side by side and from a node to itself. Nodes are the numbers below [`WeightedGraph::len`].
/// Made by a [`GraphBuilder`]; the shape is fixed then, the weights may change.
///
/// Memory: 20 bytes an edge and 8 a node, and 16 more a node with positions.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "build::GraphData", into = "build::GraphData"))]
pub struct WeightedGraph {
    scale: u32,
    /// Where the row of each node begins in `out`; one more for the end of the last one.
    first_out: Vec<u32>,
    /// The edges by the node they leave. Its index is the edge's number.
    out: Vec<Arc>,
    first_in: Vec<u32>,
    /// The edges by the node they lead to, each with the node it leaves.
    into: Vec<Arc>,
    /// Where each edge stands in `into`.
    place_in: Vec<u32>,
    positions: Option<Positions>,
    /// How many open edges have a negative weight, and how many one of zero.
    negative: usize,
    free: usize,
    /// A sum over the edges: equal for equal graphs, and another one, but for bad luck of 2^-64, for others.
    fingerprint: u64,
    hierarchy: Option<ContractionHierarchy>,
}

/// Where the nodes are, and what the straight line is worth.
#[derive(Clone, Debug, PartialEq)]
struct Positions {
    places: Vec<[f64; 2]>,
    /// Units of weight for each unit of distance: so few that no edge ever was cheaper than its straight line.
    rate: f64,
}

impl WeightedGraph {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.first_out.len().saturating_sub(1)
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges, closed ones included; one that leads both ways counts twice.
    pub fn edge_count(&self) -> usize {
        self.out.len()
    }

    /// How many units of weight make 1.0.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Whether there is such a node.
    pub fn contains(&self, node: NodeId) -> bool {
        (node as usize) < self.len()
    }

    /// Where a node is, if the graph has positions.
    pub fn position(&self, node: NodeId) -> Option<[f64; 2]> {
        self.positions.as_ref()?.places.get(node as usize).copied()
    }

    /// Where the nodes are, if the graph has positions.
    pub fn positions(&self) -> Option<&[[f64; 2]]> {
        self.positions.as_ref().map(|positions| positions.places.as_slice())
    }

    /// Puts the nodes somewhere, one position for each: as [`GraphBuilder::positions`].
    ///
    /// # Errors
    /// If there are more or fewer positions than nodes, or one is not a number or too far away.
    pub fn set_positions(&mut self, positions: impl IntoIterator<Item = [f64; 2]>) -> Result<(), GraphError> {
        let places = build::check_positions(self.len(), positions.into_iter().collect())?;
        let mut positions = Positions::new(places);
        for from in 0..self.len() as NodeId {
            for arc in self.arcs_out(from) {
                positions.allow(from, arc.node, arc.weight);
            }
        }
        self.positions = Some(positions);
        Ok(())
    }

    /// The edges out of a node, in the order they were given.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = Edge> {
        self.row(node).filter_map(move |id| self.arc(id).map(|arc| self.edge_of(id, node, arc)))
    }

    /// All edges, by number.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        (0..self.len() as NodeId).flat_map(|node| self.edges_from(node))
    }

    /// An edge, if there is one of this number. Time: O(log n).
    pub fn edge(&self, id: EdgeId) -> Option<Edge> {
        let arc = self.arc(id)?;
        let from = self.first_out.partition_point(|&first| first <= id).saturating_sub(1) as NodeId;
        Some(self.edge_of(id, from, arc))
    }

    /// The cheapest open edge from one node to another; of equally cheap ones the first.
    pub fn edge_between(&self, from: NodeId, to: NodeId) -> Option<EdgeId> {
        let open = self.row(from).filter_map(|id| {
            let arc = self.arc(id).filter(|arc| arc.node == to)?;
            Some((arc.weight.units()?, id))
        });
        open.min().map(|(_, id)| id)
    }

    /// Gives edges other weights, or closes them (`None`), all at once or not at all. Returns those that have
    /// another weight than before, in the order given: what [`GraphReplanner::update`] wants to be told.
    ///
    /// A [`ContractionHierarchy`] is of the old weights then, and not used until they are back or it is built anew.
    /// An estimate by positions never overestimates, whatever the weights: one cheaper than its straight line makes all
    /// estimates lower, for good.
    ///
    /// Time: O(k log n) for k changes.
    ///
    /// # Errors
    /// If there is no such edge, or a weight is no number or too large.
    pub fn update(
        &mut self,
        changes: impl IntoIterator<Item = (EdgeId, Option<f64>)>,
    ) -> Result<Vec<EdgeId>, GraphError> {
        let mut checked = Vec::new();
        for (id, weight) in changes {
            let Some(Edge { from, to, .. }) = self.edge(id) else {
                return Err(GraphError::UnknownEdge { edge: id, edges: self.edge_count() });
            };
            let units = weight.map(|weight| {
                let refused = GraphError::Weight { from, to, weight, scale: self.scale };
                Weight::from_number(weight, self.scale).ok_or(refused)
            });
            checked.push((id, from, units.unwrap_or(Ok(Weight::CLOSED))?));
        }
        let mut changed = Vec::new();
        for (id, from, weight) in checked {
            if self.set_weight(id, from, weight) {
                changed.push(id);
            }
        }
        Ok(changed)
    }

    /// This graph for searches that need weights of zero or more.
    ///
    /// # Errors
    /// If an open edge has a negative weight, with the first such edge. Time: O(1) if there is none.
    pub fn non_negative(&self) -> Result<NonNegative<'_>, GraphQueryError> {
        if self.negative == 0 {
            return Ok(NonNegative(self));
        }
        let first = self.edges().find(|edge| edge.weight.is_some_and(|weight| weight < 0.0));
        first.map_or(Ok(NonNegative(self)), |edge| Err(GraphQueryError::NegativeEdge(edge)))
    }

    /// A number for what the graph is: its edges and their weights. Graphs that are equal have the same one, on any machine.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Builds the [`ContractionHierarchy`] and keeps it: from now on [`GraphAlgorithm::ContractionHierarchy`] is fast.
    ///
    /// # Errors
    /// If a weight is negative, or a way too long to be counted.
    pub fn build_hierarchy(&mut self) -> Result<(), HierarchyError> {
        self.hierarchy = Some(ContractionHierarchy::new(self)?);
        Ok(())
    }

    /// Takes over a hierarchy that was built before, for example read from a file.
    ///
    /// # Errors
    /// If it was made of another graph, or of other weights.
    pub fn set_hierarchy(&mut self, hierarchy: ContractionHierarchy) -> Result<(), HierarchyError> {
        if !hierarchy.is_of(self) {
            return Err(HierarchyError::OtherGraph);
        }
        self.hierarchy = Some(hierarchy);
        Ok(())
    }

    /// The hierarchy, if one was built of the graph as it is now.
    pub fn hierarchy(&self) -> Option<&ContractionHierarchy> {
        self.hierarchy.as_ref().filter(|hierarchy| hierarchy.is_of(self))
    }

    /// An edge whose weight is zero, if there is one.
    fn free_edge(&self) -> Option<Edge> {
        (self.free > 0).then(|| self.edges().find(|edge| edge.weight == Some(0.0))).flatten()
    }

    /// The numbers of the edges out of a node.
    #[inline]
    fn row(&self, node: NodeId) -> Range<EdgeId> {
        let bounds = self.first_out.get(node as usize).zip(self.first_out.get(node as usize + 1));
        bounds.map_or(0..0, |(&first, &end)| first..end)
    }

    /// The edges out of a node, with the nodes they lead to.
    #[inline]
    fn arcs_out(&self, node: NodeId) -> &[Arc] {
        let row = self.row(node);
        self.out.get(row.start as usize..row.end as usize).unwrap_or_default()
    }

    /// The edges into a node, with the nodes they leave.
    #[inline]
    fn arcs_in(&self, node: NodeId) -> &[Arc] {
        let bounds = self.first_in.get(node as usize).zip(self.first_in.get(node as usize + 1));
        bounds.and_then(|(&first, &end)| self.into.get(first as usize..end as usize)).unwrap_or_default()
    }

    fn arc(&self, id: EdgeId) -> Option<Arc> {
        self.out.get(id as usize).copied()
    }

    fn edge_of(&self, id: EdgeId, from: NodeId, arc: Arc) -> Edge {
        Edge { id, from, to: arc.node, weight: arc.weight.number(self.scale) }
    }

    /// Gives an edge a weight; whether it is another one.
    fn set_weight(&mut self, id: EdgeId, from: NodeId, weight: Weight) -> bool {
        let Some(arc) = self.out.get_mut(id as usize) else { return false };
        let (to, old) = (arc.node, std::mem::replace(&mut arc.weight, weight));
        if old == weight {
            return false;
        }
        if let Some(arc) = self.place_in.get(id as usize).and_then(|&place| self.into.get_mut(place as usize)) {
            arc.weight = weight;
        }
        self.uncount(id, from, to, old);
        self.count(id, from, to, weight);
        true
    }

    /// Counts an edge in: in the fingerprint, among the negative and free ones, and in the rate of the straight line.
    fn count(&mut self, id: EdgeId, from: NodeId, to: NodeId, weight: Weight) {
        self.fingerprint = self.fingerprint.wrapping_add(fingerprint_of(id, from, to, weight));
        self.negative += usize::from(weight.is_negative());
        self.free += usize::from(weight == Weight::ZERO);
        if let Some(positions) = &mut self.positions {
            positions.allow(from, to, weight);
        }
    }

    fn uncount(&mut self, id: EdgeId, from: NodeId, to: NodeId, weight: Weight) {
        self.fingerprint = self.fingerprint.wrapping_sub(fingerprint_of(id, from, to, weight));
        self.negative -= usize::from(weight.is_negative());
        self.free -= usize::from(weight == Weight::ZERO);
    }
}

impl PartialEq for WeightedGraph {
    /// Whether nodes, edges, weights and positions are the same; what was learnt from them does not count.
    fn eq(&self, other: &Self) -> bool {
        (self.scale, &self.first_out, &self.out) == (other.scale, &other.first_out, &other.out)
            && self.positions() == other.positions()
    }
}

impl Positions {
    /// Rates lower than the exact one by this factor absorb the rounding of distances of less than 2^32 units.
    const MARGIN: f64 = 1.0 - 1.0 / 65_536.0;

    fn new(places: Vec<[f64; 2]>) -> Self {
        Self { places, rate: f64::MAX }
    }

    fn distance(&self, one: NodeId, other: NodeId) -> f64 {
        match (self.places.get(one as usize), self.places.get(other as usize)) {
            (Some(one), Some(other)) => distance(*one, *other),
            _ => 0.0,
        }
    }

    /// Lowers the rate so far that an edge of this weight, if it is open, is no cheaper than its straight line.
    fn allow(&mut self, from: NodeId, to: NodeId, weight: Weight) {
        let (distance, Some(units)) = (self.distance(from, to), weight.units()) else { return };
        if distance > 0.0 {
            self.rate = self.rate.min(f64::from(units).max(0.0) / distance * Self::MARGIN);
        }
    }
}

fn distance([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> f64 {
    let (dx, dy) = (to_x - x, to_y - y);
    (dx * dx + dy * dy).sqrt()
}

/// A graph none of whose open edges has a negative weight: a [`Space`] for any search of the engine.
///
/// ```
/// use wayfield::graph::GraphBuilder;
/// use wayfield::search::{Ending, Limits, Order, Search};
/// use wayfield::space::Everything;
/// use wayfield::Cost;
/// let graph = GraphBuilder::new(3).scale(1).edge(0, 1, 5.0).edge(1, 2, 7.0).build()?;
/// let space = graph.non_negative()?;
/// let mut search = Search::default();
/// search.begin(Order::DIJKSTRA, &space, &[(0, Cost::ZERO)], &Everything);
/// assert_eq!(search.run(&space, &Everything, Limits::NONE), Ending::Exhausted);
/// assert_eq!(search.cost_to(2), Some(Cost::from_raw(12)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NonNegative<'a>(&'a WeightedGraph);

impl<'a> NonNegative<'a> {
    /// The graph.
    pub fn graph(self) -> &'a WeightedGraph {
        self.0
    }
}

impl Space for NonNegative<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, visit: impl FnMut(NodeId, Cost)) {
        visit_open(self.0.arcs_out(node), visit);
    }
}

impl Reversible for NonNegative<'_> {
    #[inline]
    fn expand_back(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        visit_open(self.0.arcs_in(node), visit);
    }
}

#[inline]
fn visit_open(arcs: &[Arc], mut visit: impl FnMut(NodeId, Cost)) {
    for arc in arcs {
        if let Some(cost) = arc.weight.cost() {
            visit(arc.node, cost);
        }
    }
}
