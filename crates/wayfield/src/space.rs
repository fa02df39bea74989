//! What a search needs to know of the world: where it can go, and whether it is there.

use crate::cost::Cost;

/// A node of a space. On a grid it is the index of the cell, `y * width + x`.
pub type NodeId = u32;

/// A set of nodes with costs between them: the "where can I go" of a search.
///
/// A new way of searching a map is a new `Space`, not a new loop. Nodes are the numbers below [`Space::len`].
pub trait Space {
    /// The number of nodes.
    fn len(&self) -> usize;

    /// Whether there is no node at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `visit` with every node that one step leads to and the cost of that step.
    ///
    /// The order must always be the same. `parent` is the node that `node` was reached from.
    fn expand(&self, node: NodeId, parent: Option<NodeId>, visit: impl FnMut(NodeId, Cost));
}

/// A space whose steps can also be listed from their far end.
pub trait Reversible: Space {
    /// Calls `visit` with every node from which one step leads to `node`, and the cost of that step.
    fn expand_back(&self, node: NodeId, visit: impl FnMut(NodeId, Cost));
}

/// A space seen from the back: its steps lead from where they end to where they begin, at the same cost.
///
/// With entering costs the way back costs something else; this is the one place that knows.
#[derive(Clone, Copy, Debug)]
pub struct Reverse<'a, S>(pub &'a S);

impl<S: Reversible> Space for Reverse<'_, S> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, visit: impl FnMut(NodeId, Cost)) {
        self.0.expand_back(node, visit);
    }
}

impl<S: Reversible> Reversible for Reverse<'_, S> {
    #[inline]
    fn expand_back(&self, node: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.0.expand(node, None, visit);
    }
}

/// What a search looks for: the "am I there, and how far is it at least".
pub trait Goal {
    /// Whether the search ends here.
    fn is_goal(&self, node: NodeId) -> bool;

    /// What the way from `node` to the goal costs at least.
    ///
    /// If it never overestimates and never falls by more than a step costs (is *consistent*),
    /// A* finds the cheapest path and expands no node twice.
    fn estimate(&self, node: NodeId) -> Cost;

    /// How far `node` is from the goal, for a search that should remember the closest node it expanded.
    ///
    /// `None`, the default, remembers nothing.
    fn remaining(&self, _node: NodeId) -> Option<Cost> {
        None
    }
}

/// The goal of a search that has none: it ends when everything is expanded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Goal for Everything {
    fn is_goal(&self, _node: NodeId) -> bool {
        false
    }

    fn estimate(&self, _node: NodeId) -> Cost {
        Cost::ZERO
    }
}
