//! Ways as searches leave them behind, and the cells of a path.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::Cell;
use crate::jump_point::jump;
use crate::path::Path;
use crate::space::NodeId;

use super::{Engine, PathSearch, path_along};

impl PathSearch {
    /// The way to as near the goal as the search has come.
    pub(super) fn path_to_closest(&mut self, grid: &CostGrid) -> Option<Path> {
        if self.engine == Engine::Hierarchy {
            let way = without_loops(&self.hierarchical.way_so_far());
            return (!way.is_empty()).then(|| path_along(way, grid));
        }
        self.search().closest().map(|closest| self.path_to(closest, grid))
    }

    /// The way that the search from the start has found to a node.
    pub(super) fn path_to(&mut self, node: NodeId, grid: &CostGrid) -> Path {
        let is_jumping = self.engine == Engine::Jumps;
        let mut points = std::mem::take(if is_jumping { &mut self.points } else { &mut self.spare });
        points.clear();
        points.extend(self.search().trace(node).map(|node| grid.size().cell(node)));
        points.reverse();
        if !is_jumping {
            return Path::walked(points, grid);
        }
        let mut cells = std::mem::take(&mut self.spare);
        fill_cells(&points, grid, &mut cells);
        self.points = points;
        Path::walked(cells, grid)
    }
}

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

/// The cells of a way over jump points and links, in place of what is in `cells`.
pub fn fill_cells(points: &[Cell], grid: &CostGrid, cells: &mut Vec<Cell>) {
    let rule = grid.corner_rule();
    cells.clear();
    cells.extend(points.first());
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let walked = || Path::new(std::iter::once(from).chain(jump(from, to, rule)).collect(), grid);
        let is_cheaper = |link: Cost| walked().map_or(true, |walked| u64::from(link.raw()) < walked.cost().whole());
        let is_link = grid.link_between(from, to).is_some_and(|(_, link)| is_cheaper(link));
        if is_link {
            cells.push(to);
        } else {
            cells.extend(jump(from, to, rule));
        }
    }
}
