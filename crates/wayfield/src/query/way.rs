//! Ways as searches leave them behind, and the cells of a path.

use crate::cost_grid::CostGrid;
use crate::grid::Cell;
use crate::jump_point::fill_jumps;
use crate::path::Path;
use crate::space::NodeId;

/// A way without the parts that lead from a node back to it.
pub fn without_loops(way: &[NodeId]) -> Vec<NodeId> {
    let mut places: Vec<_> = way.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let mut last_visit: Vec<usize> = (0..way.len()).collect();
    for pair in places.windows(2).rev() {
        let ((one, before), (other, after)) = (pair[0], pair[1]);
        if one == other {
            last_visit[before] = last_visit[after];
        }
    }
    let first = (!way.is_empty()).then(|| last_visit[0]);
    let visits = std::iter::successors(first, |&place: &usize| last_visit.get(place + 1).copied());
    visits.map(|place| way[place]).collect()
}

/// The cells of a way over jump points and links.
pub fn cells_of_jumps(points: &[Cell], grid: &CostGrid) -> Vec<Cell> {
    let mut cells: Vec<_> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let jump = fill_jumps(pair, grid.corner_rule());
        let is_link = grid.link_between(pair[0], pair[1]).is_some_and(|(_, link)| {
            let walked = Path::new(jump.clone(), grid).map(|path| path.cost().whole());
            walked.is_err() || walked.is_ok_and(|walked| u64::from(link.raw()) < walked)
        });
        cells.extend_from_slice(if is_link { &pair[1..] } else { &jump[1..] });
    }
    cells
}
