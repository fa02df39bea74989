//! Which algorithm suits a map: what [`Algorithm::Auto`] stands for.

use crate::algorithm::Algorithm;
use crate::cost_grid::CostGrid;

/// From this many of 1024 jumps on that stop where they begin, jump points are so many that cells are as good.
///
/// Measured on game maps, mazes, rooms, random obstacles, and all of them with terrain strewn cell by cell and in zones.
const DENSE: u64 = 256;

/// The algorithm itself, or the one that [`Algorithm::Auto`] stands for on a grid. Time: constant.
pub(crate) fn chosen(algorithm: Algorithm, grid: &CostGrid) -> Algorithm {
    match algorithm {
        Algorithm::Auto if grid.has_edge_factors() || grid.stop_density() >= DENSE => Algorithm::AStar,
        Algorithm::Auto => Algorithm::Jps,
        other => other,
    }
}
