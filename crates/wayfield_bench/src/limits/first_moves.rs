//! The way to one goal out of a table that knows the first move from everywhere: no search can be faster.

use wayfield::{CostGrid, DijkstraMap, Direction, FieldError, FlowField, NodeId};

/// Marks the goal, and what cannot reach it.
const NONE: u8 = u8::MAX;

/// The first move from every node to one goal.
pub struct FirstMoves {
    moves: Vec<u8>,
    offsets: [u32; 8],
}

impl FirstMoves {
    /// The table for one goal of a grid.
    ///
    /// # Errors
    /// If a way on the map costs more than can be counted.
    pub fn new(grid: &CostGrid, goal: NodeId) -> Result<Self, FieldError> {
        let size = grid.size();
        let flow = FlowField::new(&DijkstraMap::toward(grid, [size.cell(goal)])?, grid);
        let first = |cell| flow.direction(cell).map_or(NONE, |direction| direction as u8);
        Ok(Self { moves: size.rect().cells().map(first).collect(), offsets: offsets(size.width()) })
    }

    /// Walks from a node to the goal, the nodes of the way into `way`.
    pub fn walk(&self, start: NodeId, way: &mut Vec<NodeId>) {
        way.clear();
        let mut node = start;
        way.push(node);
        while let Some(&offset) = self.offsets.get(self.moves[node as usize] as usize) {
            node = node.wrapping_add(offset);
            way.push(node);
        }
    }
}

/// What to add to a node to get its neighbour, by direction, modulo 2^32.
pub(super) fn offsets(width: u32) -> [u32; 8] {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.delta();
        (dx as u32).wrapping_add((dy as u32).wrapping_mul(width))
    })
}
