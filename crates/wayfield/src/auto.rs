//! Which algorithm suits a map: what [`Algorithm::Auto`] stands for.

use crate::algorithm::Algorithm;
use crate::cost_grid::CostGrid;

impl Algorithm {
    /// The algorithm itself, or the one that [`Algorithm::Auto`] stands for on a grid. Time: constant.
    ///
    /// Jump points win near and far, in rooms, mazes and among random obstacles, and with terrain in zones. They lose, by a
    /// quarter, where terrain is strewn cell by cell, so that every other cell is one and costs more than a cell of A*.
    /// Where slopes or fences cost something there are none.
    ///
    /// ```
    /// use wayfield::{parse_map, Algorithm, CostGrid};
    /// let map = parse_map(b"....\n....\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// assert_eq!(Algorithm::Auto.chosen_for(&grid), Algorithm::Jps);
    /// assert_eq!(Algorithm::Dijkstra.chosen_for(&grid), Algorithm::Dijkstra);
    /// # Ok::<(), wayfield::TextError>(())
    /// ```
    pub fn chosen_for(self, grid: &CostGrid) -> Self {
        match self {
            Self::Auto if grid.has_edge_factors() || are_jumps_short(grid) => Self::AStar,
            Self::Auto => Self::Jps,
            other => other,
        }
    }
}

/// Whether jumps would stop so often that cells are quicker gone over one by one.
///
/// A cell counts for each straight direction in which a jump along it could turn, and twice if it is mixed, where all jumps stop, but only a
/// step is taken at a time. The bound is where both took equally long on random walls, rooms and zones.
fn are_jumps_short(grid: &CostGrid) -> bool {
    let (open, stops) = grid.open_cells_and_stops();
    10 * (stops - 2 * grid.mixed_cells()) >= 9 * open
}
