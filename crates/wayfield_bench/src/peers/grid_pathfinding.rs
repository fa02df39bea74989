//! The crate `grid_pathfinding`.

use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use wayfield::{Cell, CostGrid};

/// The map as that library has it, with its "improved pruning" off, which is slower.
///
/// It knows one corner rule, that of [`CornerRule::Always`](wayfield::CornerRule::Always): an easier graph than that of `BothFree`.
pub struct Peer(PathingGrid);

impl Peer {
    /// A copy of the walls of a grid.
    pub fn new(grid: &CostGrid) -> Self {
        let size = grid.size();
        let mut peer = PathingGrid::new(size.width() as usize, size.height() as usize, false);
        peer.improved_pruning = false;
        for cell in size.rect().cells().filter(|&cell| !grid.is_passable(cell)) {
            peer.grid.set(cell.x, cell.y, true);
        }
        peer.initialize();
        peer.generate_components();
        Self(peer)
    }

    /// The cells of a path; `None` if there is no way.
    pub fn find(&self, start: Cell, goal: Cell) -> Option<Vec<Point>> {
        self.0.get_path_single_goal(Point::new(start.x, start.y), Point::new(goal.x, goal.y), false)
    }

    /// The same as our own cells.
    pub fn cells(&self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let path = self.find(start, goal)?;
        Some(path.into_iter().map(|point| Cell::new(point.x, point.y)).collect())
    }
}
