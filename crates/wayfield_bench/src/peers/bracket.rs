//! The crate `bracket-pathfinding`.

use bracket_pathfinding::prelude::{BaseMap, DijkstraMap, SmallVec};
use wayfield::space::{Reverse, Space};
use wayfield::{CostGrid, NodeId};

/// The steps of a grid, back from where they lead, as `bracket-pathfinding` wants them.
struct Steps<'a>(&'a CostGrid);

impl BaseMap for Steps<'_> {
    fn get_available_exits(&self, index: usize) -> SmallVec<[(usize, f32); 10]> {
        let mut exits = SmallVec::new();
        Reverse(self.0).expand(index as NodeId, None, |next, cost| {
            exits.push((next as usize, cost.to_units() as f32));
        });
        exits
    }
}

/// The map of `bracket-pathfinding`, whose numbers are rounded.
pub fn dijkstra_map(grid: &CostGrid, goal: NodeId) -> Vec<f32> {
    let (width, height) = (grid.size().width(), grid.size().height());
    DijkstraMap::new(width, height, &[goal as usize], &Steps(grid), f32::MAX).map
}
