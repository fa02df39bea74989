//! A Dijkstra map by the plainest fast program there is.

use wayfield::{Cost, CostGrid, NodeId};

/// A sweep over buckets on flat arrays, without pruning, layers or fractions: eight looks at each cell, one bucket for each
/// stretch of values that is as wide as the cheapest step.
pub struct PlainSweep {
    costs: Vec<u32>,
    /// The neighbours that can be stepped to, a bit each: four straight ones, then four diagonal ones.
    moves: Vec<u8>,
    offsets: [isize; 8],
}

impl PlainSweep {
    /// The value of a node that no way leads from.
    pub const UNREACHED: u32 = u32::MAX;

    /// A copy of a grid.
    pub fn new(grid: &CostGrid) -> Self {
        let cells = || grid.size().rect().cells();
        let cost = |cell| grid.entering_cost(cell).map_or(0, |cost| u32::from(cost.get()));
        let moves = |cell| match grid.is_passable(cell) {
            true => grid.legal_moves(cell).iter().fold(0, |moves, direction| moves | 1 << direction as u8),
            false => 0,
        };
        let width = grid.size().width() as isize;
        Self {
            costs: cells().map(cost).collect(),
            moves: cells().map(moves).collect(),
            offsets: [-width, width, -1, 1, -width - 1, -width + 1, width - 1, width + 1],
        }
    }

    /// The cost of the way from each cell to the goal.
    pub fn toward(&self, goal: NodeId) -> Vec<u32> {
        let [straight, diagonal] = [Cost::STRAIGHT.raw(), Cost::DIAGONAL.raw()];
        let dearest = self.costs.iter().max().map_or(1, |&cost| cost);
        let mut buckets = vec![Vec::new(); (diagonal * dearest / straight) as usize + 2];
        let mut values = vec![Self::UNREACHED; self.costs.len()];
        values[goal as usize] = 0;
        buckets[0].push((0, goal));
        let (mut left, mut turn) = (1, 0);
        let count = buckets.len();
        while left > 0 {
            while let Some((value, node)) = buckets[turn % count].pop() {
                left -= 1;
                if values[node as usize] != value {
                    continue;
                }
                let price = self.costs[node as usize];
                let sums = [value + straight * price, value + diagonal * price];
                let mut moves = self.moves[node as usize];
                while moves != 0 {
                    let way = moves.trailing_zeros() as usize;
                    moves &= moves - 1;
                    let next = (node as isize + self.offsets[way]) as usize;
                    let sum = sums[way / 4];
                    if sum < values[next] {
                        values[next] = sum;
                        buckets[(sum / straight) as usize % count].push((sum, next as u32));
                        left += 1;
                    }
                }
            }
            turn += 1;
        }
        values
    }
}
