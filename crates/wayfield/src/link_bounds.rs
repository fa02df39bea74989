//! What links save: estimates that stay low where a link may be a short cut.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::{Cell, GridSize};
use crate::link_table::LinkEdge;
use crate::space::NodeId;

/// Up to this many links an estimate looks at where each one begins.
const MOST_ENTRANCES: usize = 32;

/// What a way that takes a link costs at least, from each node to one target.
///
/// The estimate of a grid with links is the least of the plain estimate and this. If the plain one is consistent without
/// links, that is consistent with them. With many links the bound is one number for all nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkBounds {
    size: Option<GridSize>,
    /// Where links that may pay begin, and what the way costs from there at least; the least first.
    entrances: Vec<(Cell, Cost)>,
    /// What any way over the other links costs at least.
    others: Option<Cost>,
}

impl LinkBounds {
    /// The bounds for the links of `grid`, taken backwards if `reversed`.
    ///
    /// `plain` is the estimate from a node to the target without links, and `between` the one from a cell to another.
    /// Time: O(k x k) for k links, if they are few.
    pub fn new(
        grid: &CostGrid,
        reversed: bool,
        plain: impl Fn(NodeId) -> Cost,
        between: impl Fn(Cell, Cell) -> Cost,
    ) -> Self {
        let links = grid.links().all();
        let ends = |edge: &LinkEdge| if reversed { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let add = |a: Cost, b: Cost| a.checked_add(b).unwrap_or(Cost::MAX);
        // Least for a way whose last link is this one.
        let last = |edge: &LinkEdge| add(edge.cost, plain(ends(edge).1));
        let size = Some(grid.size());
        if links.len() > MOST_ENTRANCES {
            return Self { size, entrances: Vec::new(), others: links.iter().map(last).min() };
        }
        let cell = |node| grid.size().cell(node);
        let mut open: Vec<_> = links.iter().map(|edge| (last(edge), edge)).collect();
        let mut entrances: Vec<(Cell, Cost)> = Vec::new();
        while let Some(place) = (0..open.len()).min_by_key(|&place| (open[place].0, open[place].1.id)) {
            let (cost, edge) = open.swap_remove(place);
            let (from, _) = ends(edge);
            let without = |from: Cell| {
                let onward = entrances.iter().map(|&(entrance, rest)| add(between(from, entrance), rest));
                onward.min().unwrap_or(Cost::MAX)
            };
            // A link that saves nothing from where it begins saves nothing from anywhere.
            if cost < plain(from) && cost < without(cell(from)) {
                entrances.push((cell(from), cost));
            }
            for (known, other) in &mut open {
                let (_, to) = ends(other);
                *known = (*known).min(add(other.cost, add(between(cell(to), cell(from)), cost)));
            }
        }
        Self { size, entrances, others: None }
    }

    /// One bound for all nodes and all targets: a way that takes a link costs at least that link.
    pub fn of_any_target(grid: &CostGrid) -> Self {
        let cheapest = grid.links().all().iter().map(|edge| edge.cost).min();
        Self { size: cheapest.map(|_| grid.size()), entrances: Vec::new(), others: cheapest }
    }

    /// The estimate from a node whose plain estimate this is.
    #[inline]
    pub fn lower(&self, node: NodeId, plain: Cost, between: impl Fn(Cell, Cell) -> Cost) -> Cost {
        let Some(size) = self.size else { return plain };
        let mut least = plain.min(self.others.unwrap_or(Cost::MAX));
        for &(entrance, rest) in &self.entrances {
            if rest >= least {
                break;
            }
            let way = between(size.cell(node), entrance).checked_add(rest).unwrap_or(Cost::MAX);
            least = least.min(way);
        }
        least
    }
}
