//! What a contraction hierarchy is: nodes by importance, and edges that lead up.

use crate::cost::Cost;
use crate::graph::contraction::contract;
use crate::graph::{GraphQueryError, WeightedGraph};
use crate::space::{NodeId, Space};

/// A node by its importance: 0 is the most important one. So what searches meet most often lies side by side in memory.
pub(super) type Place = u32;

/// The middle of an edge that is one of the graph itself.
pub(super) const NO_MIDDLE: Place = Place::MAX;

/// Shortcuts that make far ways over large graphs short: the cheapest path is found in some hundred expansions.
///
/// Nodes are *contracted* one after the other, the least important first: a node is taken out, and where the cheapest way between two of its
/// neighbours led through it, a *shortcut* takes its place. The edges and shortcuts that lead to more important nodes are kept. Then a
/// cheapest path climbs from the start, and, seen from its end, from the goal: two small searches that meet at the top.
///
/// After Geisberger, Sanders, Schultes and Delling, "Contraction Hierarchies" (WEA 2008). How a node is chosen, and how ways round it are
/// looked for, is written down at [`ContractionHierarchy::new`].
///
/// It belongs to the graph and the weights that it was made of. It can be saved; what is read back is checked, so that damaged data
/// is refused and no search over it can fail to end.
///
/// Memory: 12 bytes for each edge and shortcut, of which latter road networks have half as many as edges, and 16 a node.
///
/// ```
/// use wayfield::graph::{GraphAlgorithm, GraphBuilder, GraphQuery, GraphSearch};
/// let mut builder = GraphBuilder::new(100);
/// for node in 0..99 {
///     builder.push(node, node + 1, 1.0);
/// }
/// let mut graph = builder.build()?;
/// graph.build_hierarchy()?;
/// let query = GraphQuery { algorithm: GraphAlgorithm::ContractionHierarchy, ..GraphQuery::new(0, 99) };
/// let answer = GraphSearch::default().find(&graph, &query)?;
/// assert_eq!((answer.algorithm, answer.cost()), (GraphAlgorithm::ContractionHierarchy, Some(99.0)));
/// assert_eq!(answer.outcome.path().unwrap().nodes().len(), 100);
/// assert!(answer.stats.expanded < 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::graph::hierarchy_data::HierarchyData"))]
pub struct ContractionHierarchy {
    /// Of the graph it was made of.
    pub(super) fingerprint: u64,
    /// The node at each place.
    pub(super) node_at: Vec<NodeId>,
    /// Edges from each place to more important ones.
    pub(super) up: Rows,
    /// Edges to each place from more important ones.
    pub(super) down: Rows,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(super) place_of: Vec<Place>,
}

/// Edges by the less important of their ends, each row in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rows {
    /// Where the row of each place begins, and the end of the last one.
    pub first: Vec<u32>,
    /// The more important end, and what the edge costs.
    pub arcs: Vec<(Place, Cost)>,
    /// The place that each edge leads through, less important than both its ends, if it is a shortcut.
    pub middles: Vec<Place>,
}

/// Why there is no hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum HierarchyError {
    /// The graph cannot be searched by cost.
    #[error("the edge from {from} to {to} has a negative weight")]
    NegativeEdge {
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// A shortcut would cost more than can be counted.
    #[error("the way from {from} to {to} costs more than can be counted")]
    CostOverflow {
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// It was made of another graph, or of other weights.
    #[error("the hierarchy was made of another graph, or of other weights")]
    OtherGraph,
    /// What was read is no hierarchy.
    #[error("the hierarchy is damaged at place {place}: {what}")]
    Damaged {
        /// Where in the order of importance.
        place: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

impl ContractionHierarchy {
    /// The hierarchy of a graph.
    ///
    /// The next node to contract is the one that leaves the fewest edges behind for those it takes away, counted in edges and in what they stand
    /// for, and whose neighbours went least often before. That is found out again when its turn comes, and put off if it has risen.
    /// A way round it is looked for by a search of bounded length: where that is too short, a shortcut too many is kept, which is
    /// never wrong.
    ///
    /// Time: some 40 microseconds a node on road networks; four times that where there is no hierarchy to find, as on a grid of random weights.
    ///
    /// # Errors
    /// If a weight is negative, or a way too long to be counted.
    pub fn new(graph: &WeightedGraph) -> Result<Self, HierarchyError> {
        let space = graph.non_negative().map_err(|error| match error {
            GraphQueryError::NegativeEdge(edge) => HierarchyError::NegativeEdge { from: edge.from, to: edge.to },
            _ => HierarchyError::OtherGraph,
        })?;
        contract(space)
    }

    /// Whether it was made of this graph and these weights.
    pub fn is_of(&self, graph: &WeightedGraph) -> bool {
        self.fingerprint == graph.fingerprint() && self.len() == graph.len()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.node_at.len()
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.node_at.is_empty()
    }

    /// The number of edges of the graph that it keeps: all but loops, closed ones and the dearer of two side by side.
    pub fn edges(&self) -> usize {
        self.up.arcs.len() + self.down.arcs.len() - self.shortcuts()
    }

    /// The number of shortcuts.
    pub fn shortcuts(&self) -> usize {
        let middles = self.up.middles.iter().chain(&self.down.middles);
        middles.filter(|&&middle| middle != NO_MIDDLE).count()
    }

    pub(super) fn node(&self, place: Place) -> NodeId {
        self.node_at.get(place as usize).copied().unwrap_or(NodeId::MAX)
    }

    pub(super) fn place(&self, node: NodeId) -> Option<Place> {
        self.place_of.get(node as usize).copied()
    }

    /// The edge from one place to another, if there is one: what it costs, and where it leads through.
    pub(super) fn edge(&self, from: Place, to: Place) -> Option<(Cost, Place)> {
        if to < from { self.up.edge(from, to) } else { self.down.edge(to, from) }
    }

    /// The nodes along places that edges lead between, with what lies behind the shortcuts.
    ///
    /// `None` if an edge is missing or there would be more nodes than the graph has, which of a hierarchy that was made, not
    /// made up, cannot be.
    pub(super) fn unpacked(&self, places: &[Place]) -> Option<Vec<NodeId>> {
        let mut nodes = vec![self.node(*places.first()?)];
        let mut rest = Vec::new();
        for pair in places.windows(2) {
            rest.push((pair[0], pair[1]));
            while let Some((from, to)) = rest.pop() {
                match self.edge(from, to)? {
                    (_, NO_MIDDLE) if nodes.len() > self.len() => return None,
                    (_, NO_MIDDLE) => nodes.push(self.node(to)),
                    (_, middle) => rest.extend([(middle, to), (from, middle)]),
                }
            }
        }
        Some(nodes)
    }
}

impl Rows {
    /// The edges of a place.
    #[inline]
    pub fn row(&self, place: Place) -> &[(Place, Cost)] {
        let bounds = self.first.get(place as usize).zip(self.first.get(place as usize + 1));
        bounds.and_then(|(&first, &end)| self.arcs.get(first as usize..end as usize)).unwrap_or_default()
    }

    /// The number of the edge between a place and a more important one.
    pub fn find(&self, place: Place, other: Place) -> Option<usize> {
        let at = self.row(place).binary_search_by_key(&other, |&(other, _)| other).ok()?;
        Some(*self.first.get(place as usize)? as usize + at)
    }

    fn edge(&self, place: Place, other: Place) -> Option<(Cost, Place)> {
        let number = self.find(place, other)?;
        Some((self.arcs.get(number)?.1, *self.middles.get(number)?))
    }
}

impl Space for &Rows {
    fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for &(next, cost) in self.row(node) {
            visit(next, cost);
        }
    }
}
