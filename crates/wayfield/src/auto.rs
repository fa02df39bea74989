//! Which algorithm suits a map: what [`Algorithm::Auto`] stands for.

use crate::algorithm::Algorithm;
use crate::cost_grid::CostGrid;

/// The algorithm itself, or the one that [`Algorithm::Auto`] stands for on a grid. Time: constant.
///
/// Jump points win near and far, in rooms, mazes and among random obstacles, and with terrain in zones. They lose, by a
/// quarter, where terrain is strewn cell by cell, so that every other cell is one and costs more than a cell of A*.
/// Where slopes or fences cost something there are none.
pub(crate) fn chosen(algorithm: Algorithm, grid: &CostGrid) -> Algorithm {
    match algorithm {
        Algorithm::Auto if grid.has_edge_factors() || grid.is_strewn() => Algorithm::AStar,
        Algorithm::Auto => Algorithm::Jps,
        other => other,
    }
}
