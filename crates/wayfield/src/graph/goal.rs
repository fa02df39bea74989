//! What a search over a graph looks for, and how far it is at least.

use std::sync::Arc;

use crate::cost::Cost;
use crate::graph::{Positions, WeightedGraph, distance};
use crate::space::{Goal, NodeId};

/// What the way from each node to the goal costs at least, given node by node.
///
/// A* finds the cheapest path if no estimate is too high, and fewest expansions if they are consistent besides: none more than that of
/// a neighbour and the edge there. LPA* needs consistent ones. A clone shares the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<u32>", into = "Vec<u32>"))]
pub struct NodeEstimates(Arc<[Cost]>);

/// A number that is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("node {node}: an estimate is a number of 0 or more, not {estimate}")]
pub struct EstimateError {
    /// The node.
    pub node: usize,
    /// The number.
    pub estimate: f64,
}

impl NodeEstimates {
    /// Estimates for the nodes of a graph, in order; 0 for nodes beyond the list. They are rounded down to whole units.
    ///
    /// # Errors
    /// If one is negative or not a number.
    pub fn new(graph: &WeightedGraph, estimates: impl IntoIterator<Item = f64>) -> Result<Self, EstimateError> {
        let scale = f64::from(graph.scale());
        let whole = estimates.into_iter().enumerate().map(|(node, estimate)| {
            // What is more than any cost is as good as the largest one.
            let units = (estimate * scale).floor() as u32;
            if estimate >= 0.0 { Ok(Cost::from_raw(units)) } else { Err(EstimateError { node, estimate }) }
        });
        Ok(Self(whole.collect::<Result<_, _>>()?))
    }

    fn of(&self, node: NodeId) -> Cost {
        self.0.get(node as usize).copied().unwrap_or_default()
    }
}

impl From<Vec<u32>> for NodeEstimates {
    fn from(units: Vec<u32>) -> Self {
        Self(units.into_iter().map(Cost::from_raw).collect())
    }
}

impl From<NodeEstimates> for Vec<u32> {
    fn from(estimates: NodeEstimates) -> Self {
        estimates.0.iter().map(|cost| cost.raw()).collect()
    }
}

/// Where estimates come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Estimate<'a> {
    /// None: always 0.
    Zero,
    /// The straight line to a place.
    Straight(&'a Positions, [f64; 2]),
    /// A list.
    PerNode(&'a NodeEstimates),
}

impl<'a> Estimate<'a> {
    /// The straight line to a node, if the graph has positions.
    pub fn straight(graph: &'a WeightedGraph, node: NodeId) -> Self {
        match (&graph.positions, graph.position(node)) {
            (Some(positions), Some(place)) => Self::Straight(positions, place),
            _ => Self::Zero,
        }
    }

    #[inline]
    fn of(&self, node: NodeId) -> Cost {
        match self {
            Self::Zero => Cost::ZERO,
            Self::Straight(positions, goal) => positions.estimate(node, *goal),
            Self::PerNode(estimates) => estimates.of(node),
        }
    }
}

impl Positions {
    /// What the way between a node and a place costs at least.
    ///
    /// Consistent: the rate leaves so much room that the rounding of two distances never makes more than an edge costs, and
    /// weights are whole, so that rounding down keeps it so.
    #[inline]
    fn estimate(&self, node: NodeId, place: [f64; 2]) -> Cost {
        let straight = self.places.get(node as usize).map_or(0.0, |&at| distance(at, place));
        Cost::from_raw((straight * self.rate) as u32)
    }
}

/// One node to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub node: NodeId,
    pub estimate: Estimate<'a>,
    pub remember_closest: bool,
}

impl Goal for Target<'_> {
    #[inline]
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.node
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.estimate.of(node)
    }

    #[inline]
    fn remaining(&self, node: NodeId) -> Option<Cost> {
        self.remember_closest.then(|| self.estimate.of(node))
    }
}

/// Whichever of some nodes, in ascending order, is found first.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyOf<'a>(pub &'a [NodeId]);

impl Goal for AnyOf<'_> {
    fn is_goal(&self, node: NodeId) -> bool {
        self.0.binary_search(&node).is_ok()
    }

    fn estimate(&self, _: NodeId) -> Cost {
        Cost::ZERO
    }
}
