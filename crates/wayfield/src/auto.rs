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
            Self::Auto if grid.has_edge_factors() || grid.is_strewn() => Self::AStar,
            Self::Auto => Self::Jps,
            other => other,
        }
    }
}
