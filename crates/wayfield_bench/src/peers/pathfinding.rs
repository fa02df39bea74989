//! The crate `pathfinding`.

use pathfinding::prelude::{astar, dijkstra_all};
use wayfield::space::Reverse;
use wayfield::{CostGrid, Heuristic, NodeId};

use crate::ground::successors;

/// The cost of the cheapest path in fixed point, and its nodes; `None` if there is no way.
pub fn a_star(grid: &CostGrid, start: NodeId, goal: NodeId) -> Option<(u32, Vec<NodeId>)> {
    let size = grid.size();
    let (target, cheapest) = (size.cell(goal), grid.cheapest_cost());
    let estimate = |&node: &NodeId| Heuristic::Octile.estimate(size.cell(node), target).saturating_mul(cheapest).raw();
    let found = astar(&start, |&node| successors(grid, node), estimate, |&node| node == goal);
    found.map(|(nodes, cost)| (cost, nodes))
}

/// The nodes with a way to the goal, without the goal itself, and what the way costs.
pub fn toward(grid: &CostGrid, goal: NodeId) -> impl Iterator<Item = (NodeId, u32)> {
    let steps = Reverse(grid);
    let reached = dijkstra_all(&goal, |&node| successors(&steps, node));
    reached.into_iter().map(|(node, (_, cost))| (node, cost))
}
