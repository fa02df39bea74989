//! The engines themselves, below the front door.

use wayfield::hierarchical_search::HierarchicalSearch;
use wayfield::search::{Ending, Limits, Order, Search};
use wayfield::space::Goal;
use wayfield::{Cell, Cost, Heuristic, Hierarchy, NodeId, Tie};

use crate::ground::{Ground, successors};

/// A node to find on a map.
pub struct Target<'a> {
    ground: &'a Ground,
    node: NodeId,
    cell: Cell,
    cheapest: u32,
}

impl Goal for Target<'_> {
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.node
    }

    fn estimate(&self, node: NodeId) -> Cost {
        let cell = self.ground.grid.size().cell(node);
        Heuristic::Octile.estimate(cell, self.cell).saturating_mul(self.cheapest)
    }
}

/// Makes a target of a node.
pub fn toward<'a>(ground: &'a Ground) -> impl Fn(NodeId) -> Target<'a> {
    let (size, cheapest) = (ground.grid.size(), ground.grid.cheapest_cost());
    move |node| Target { ground, node, cell: size.cell(node), cheapest }
}

/// The cost of a cheapest path, cell by cell; `None` if there is no way.
pub fn a_star(search: &mut Search, ground: &Ground, (start, goal): (NodeId, NodeId)) -> Option<Cost> {
    let target = toward(ground)(goal);
    search.begin(Order::a_star(Tie::HighG), &ground.grid, &[(start, Cost::ZERO)], &target);
    let Ending::Found(end) = search.run(&ground.grid, &target, Limits::NONE) else { return None };
    search.cost_to(end)
}

/// The first cells of a path over clusters, or all of them.
pub fn over_clusters<'a>(
    search: &'a mut HierarchicalSearch,
    ground: &Ground,
    hierarchy: &Hierarchy,
    ends: (NodeId, NodeId),
    cells: usize,
) -> &'a [NodeId] {
    search.begin(&ground.grid, ends, toward(ground));
    search.run_ahead(hierarchy, &ground.grid, toward(ground), Limits::NONE, cells);
    search.way()
}

/// What a way costs; `None` if one of its steps is none of the map.
pub fn cost_of(ground: &Ground, way: &[NodeId]) -> Option<u64> {
    let steps = way.windows(2).map(|pair| {
        let mut steps = successors(&ground.grid, pair[0]);
        steps.find(|&(next, _)| next == pair[1]).map(|(_, cost)| u64::from(cost))
    });
    steps.sum()
}
