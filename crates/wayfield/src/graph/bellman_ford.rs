//! Cheapest paths where weights may be negative, and the cycles that leave none.

use std::collections::VecDeque;
use std::fmt;

use crate::graph::tree::ShortestPaths;
use crate::graph::{EdgeId, GraphQueryError, WeightedGraph};
use crate::space::NodeId;

/// How many nodes of a cycle its message names.
const NAMED_NODES: usize = 12;

/// A way from a node back to it that costs less than nothing: whoever goes round it once more pays less, so that no path is the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct NegativeCycle {
    /// Its nodes in order, from the lowest one; the way leads from the last one back to the first.
    pub nodes: Vec<NodeId>,
    /// Its edges: the first leads from the first node to the second, the last one back to the first node.
    pub edges: Vec<EdgeId>,
    /// What going round it once costs: less than 0.
    pub cost: f64,
}

impl fmt::Display for NegativeCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a cycle of {} edges costs {}, which is less than nothing: ", self.edges.len(), self.cost)?;
        for node in self.nodes.iter().take(NAMED_NODES) {
            write!(f, "{node} -> ")?;
        }
        if self.nodes.len() > NAMED_NODES {
            write!(f, ".. -> ")?;
        }
        write!(f, "{}", self.nodes.first().copied().unwrap_or_default())
    }
}

impl std::error::Error for NegativeCycle {}

/// The cheapest paths from one node to all others, where weights may be negative.
///
/// Bellman's and Ford's algorithm (1958) with a queue, as Moore's (1959): only nodes whose cost has changed are looked at again, and it ends
/// when there are none. Whether the ways found so far run in a circle is looked at every n improvements (Cherkassky and Goldberg 1999),
/// so that a negative cycle is found without going round it n times.
///
/// Time: O(n m) at worst; on most graphs a few times m. Memory: 25 bytes a node.
///
/// ```
/// use wayfield::graph::{bellman_ford, GraphBuilder, GraphQueryError};
/// let graph = GraphBuilder::new(3).edge(0, 1, 2.0).edge(1, 2, -3.0).build()?;
/// assert_eq!(bellman_ford(&graph, 0)?.cost(2), Some(-1.0));
///
/// let graph = GraphBuilder::new(3).edge(0, 1, 2.0).edge(1, 2, -3.0).edge(2, 1, 2.5).build()?;
/// let Err(GraphQueryError::NegativeCycle(cycle)) = bellman_ford(&graph, 0) else { panic!() };
/// assert_eq!((cycle.nodes, cycle.cost), (vec![1, 2], -0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the graph has no such node, or a negative cycle that can be reached from it.
pub fn bellman_ford(graph: &WeightedGraph, source: NodeId) -> Result<ShortestPaths, GraphQueryError> {
    if !graph.contains(source) {
        return Err(GraphQueryError::UnknownStart { node: source, nodes: graph.len() });
    }
    let mut relaxation = Relaxation::new(graph, source);
    relaxation.reach(source, 0, None);
    relaxation.run(graph, u64::MAX)?;
    Ok(relaxation.paths)
}

/// For each node the least cost of any way that ends there, wherever it begins: 0 at most. What Johnson's algorithm reweights by.
pub(super) fn potentials(graph: &WeightedGraph) -> Result<ShortestPaths, NegativeCycle> {
    let mut relaxation = Relaxation::new(graph, 0);
    for node in 0..graph.len() as NodeId {
        relaxation.reach(node, 0, None);
    }
    relaxation.run(graph, u64::MAX)?;
    Ok(relaxation.paths)
}

/// The state of the algorithm: what is known, and what is to be looked at.
pub(super) struct Relaxation {
    pub paths: ShortestPaths,
    /// How many nodes were looked at.
    pub expanded: u64,
    /// How often a cheaper way was found.
    pub improved: u64,
    /// Nodes whose cost has changed since their edges were looked at, each once.
    changed: VecDeque<NodeId>,
    is_waiting: Vec<bool>,
}

impl Relaxation {
    pub fn new(graph: &WeightedGraph, source: NodeId) -> Self {
        Self {
            paths: ShortestPaths::new(graph, source),
            expanded: 0,
            improved: 0,
            changed: VecDeque::new(),
            is_waiting: vec![false; graph.len()],
        }
    }

    /// Notes a way to a node, if it is the cheapest one yet.
    pub fn reach(&mut self, node: NodeId, units: i64, last: Option<EdgeId>) -> bool {
        if self.paths.units(node).is_some_and(|known| known <= units) {
            return false;
        }
        self.paths.set(node, units, last);
        if let Some(waits @ false) = self.is_waiting.get_mut(node as usize) {
            *waits = true;
            self.changed.push_back(node);
        }
        true
    }

    /// Looks at up to `cap` nodes; whether no more are left.
    pub fn run(&mut self, graph: &WeightedGraph, cap: u64) -> Result<bool, NegativeCycle> {
        let mut until_check = graph.len();
        while let Some(node) = self.changed.front().copied() {
            if self.expanded >= cap {
                return Ok(false);
            }
            self.expanded += 1;
            self.changed.pop_front();
            if let Some(waits) = self.is_waiting.get_mut(node as usize) {
                *waits = false;
            }
            let Some(cost) = self.paths.units(node) else { continue };
            for (edge, arc) in graph.row(node).zip(graph.arcs_out(node)) {
                let Some(units) = arc.weight.units() else { continue };
                // A cycle is found long before this could overflow.
                if self.reach(arc.node, cost.saturating_add(units.into()), Some(edge)) {
                    self.improved += 1;
                    until_check = until_check.saturating_sub(1);
                }
            }
            if until_check == 0 {
                until_check = graph.len();
                if let Some(cycle) = self.cycle(graph) {
                    return Err(cycle);
                }
            }
        }
        Ok(true)
    }

    /// A circle among the ways found so far, which costs less than nothing.
    fn cycle(&self, graph: &WeightedGraph) -> Option<NegativeCycle> {
        /// Not looked at yet.
        const NEW: u32 = 0;
        // Each node is marked with the walk that came by first: a walk that meets its own mark has gone round.
        let mut marks = vec![NEW; graph.len()];
        for (walk, first) in (NEW + 1..).zip(0..graph.len() as NodeId) {
            let mut at = Some(first);
            while let Some((node, mark)) = at.and_then(|node| Some((node, marks.get_mut(node as usize)?))) {
                match *mark {
                    NEW => *mark = walk,
                    own if own == walk => return self.round_trip(graph, node),
                    _ => break,
                }
                at = self.paths.last_edge(node).and_then(|edge| graph.edge(edge)).map(|edge| edge.from);
            }
        }
        None
    }

    /// The cycle that a node is on, if the ways found so far go round through it.
    fn round_trip(&self, graph: &WeightedGraph, node: NodeId) -> Option<NegativeCycle> {
        let (mut nodes, mut edges, mut units) = (Vec::new(), Vec::new(), 0);
        let mut at = node;
        loop {
            let edge = graph.edge(self.paths.last_edge(at)?)?;
            units += graph.arc(edge.id).and_then(|arc| arc.weight.units()).map_or(0, i64::from);
            at = edge.from;
            nodes.push(at);
            edges.push(edge.id);
            if at == node {
                break;
            }
        }
        nodes.reverse();
        edges.reverse();
        let lowest = (0..nodes.len()).min_by_key(|&index| nodes[index]).unwrap_or_default();
        nodes.rotate_left(lowest);
        edges.rotate_left(lowest);
        Some(NegativeCycle { nodes, edges, cost: units as f64 / f64::from(graph.scale()) })
    }
}
