//! Rolling: the steps and ways of units.

use super::{DijkstraMap, Kind};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::grid::Cell;
use crate::link_table::LinkEdge;
use crate::path::{Path, PathStep};
use crate::space::NodeId;

/// The steps out of a node that are equally good, and better than staying.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Downhill {
    pub ways: DirectionSet,
    /// A link, if it is better than any way.
    pub link: Option<LinkEdge>,
}

impl DijkstraMap {
    /// The direction of the step that a unit on `cell` takes; `None` where [`DijkstraMap::next_step`] has none or
    /// says to take a link.
    pub fn downhill(&self, grid: &CostGrid, cell: Cell) -> Option<Direction> {
        match self.next_step(grid, cell)? {
            PathStep::Walk(direction) => Some(direction),
            PathStep::Link(_) => None,
        }
    }

    /// The step that a unit on `cell` takes: the one with the least *step cost plus value of the cell entered*.
    ///
    /// `None` at a source, in a hollow, where no neighbour has a value, and on a [`DijkstraMap::from`] map, which
    /// is not for rolling. On equal terms the direction that comes first is taken, and a link last. Every step lowers
    /// the value, or leads across a flat that was [drained](DijkstraMap::drain_flats) to where it goes on down, so
    /// that rolling always ends. A unit in a wall rolls out of it. A [`FlowField`](crate::FlowField) has the answer ready.
    pub fn next_step(&self, grid: &CostGrid, cell: Cell) -> Option<PathStep> {
        self.roll(grid, cell).map(|(step, _)| step)
    }

    /// The step that a unit on `cell` takes by its own weights of several maps: to the least sum, if that is lower than where it is.
    ///
    /// As on a [sum](DijkstraMap::weighted_sum) of the maps, but for one unit, and without one: in flats and hollows units stop.
    /// `None` also if a map has another size than the grid, or no value here. Threats of a flee map among them are not entered.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, Direction, PathStep};
    /// let map = parse_map(b".......\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let [gold, danger] = [0, 6].map(|x| DijkstraMap::toward(&grid, [Cell::new(x, 0)]));
    /// let (gold, danger) = (gold?, danger?);
    /// let step = |courage| DijkstraMap::blended_step(&[(&gold, courage), (&danger, -1.0)], &grid, Cell::new(3, 0));
    /// assert_eq!(step(0.5), Some(PathStep::Walk(Direction::West)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blended_step(terms: &[(&Self, f64)], grid: &CostGrid, cell: Cell) -> Option<PathStep> {
        let node = grid.size().index(cell).filter(|_| terms.iter().all(|(map, _)| map.size == grid.size()))?;
        let sum = |node: NodeId| {
            terms
                .iter()
                .try_fold(0.0, |sum, (map, weight)| Some(sum + weight * f64::from(map.raw(node)?) / map.terrain_unit()))
        };
        let is_barred = |node: NodeId| terms.iter().any(|(map, _)| map.barred.binary_search(&node).is_ok());
        let walks = grid.moves(node).into_iter().map(|way| (PathStep::Walk(way), grid.neighbour(node, way)));
        let links = grid.links().leading_from(node).iter().map(|link| (PathStep::Link(link.id), link.to));
        let mut best = (sum(node).filter(|sum| !sum.is_nan()), None);
        for (step, next) in walks.chain(links).filter(|&(_, next)| !is_barred(next)) {
            // In a wall a unit has no value, and any cell beside it is better.
            if let Some(sum) = sum(next)
                && best.0.map_or(best.1.is_none() && !grid.is_open(node), |least| sum < least)
            {
                best = (Some(sum), Some(step));
            }
        }
        best.1
    }

    /// The step that a unit on `cell` takes, and the node it leads to.
    fn roll(&self, grid: &CostGrid, cell: Cell) -> Option<(PathStep, NodeId)> {
        let node = self.size.index(cell).filter(|_| self.can_roll_on(grid))?;
        let Downhill { ways, link } = self.downhill_from(grid, node);
        let link = link.map(|link| (PathStep::Link(link.id), link.to));
        link.or_else(|| ways.iter().next().map(|way| (PathStep::Walk(way), grid.neighbour(node, way))))
    }

    /// Whether the map has steps for units that move as `grid` lets them.
    pub(crate) fn can_roll_on(&self, grid: &CostGrid) -> bool {
        self.kind != Kind::From && grid.size() == self.size
    }

    /// The best steps out of a node.
    pub(super) fn downhill_from(&self, grid: &CostGrid, node: NodeId) -> Downhill {
        // On equal values, that of a flat's cell which is nearer to its end is the lower one.
        let rank = |next: NodeId, cost: Cost| {
            let value = self.raw(next).filter(|_| self.barred.binary_search(&next).is_err())?;
            let cost = if self.kind == Kind::Sum { 0 } else { i64::from(cost.raw()) * self.scale };
            Some((i64::from(value) + cost, self.steps_across_flat(next)))
        };
        let own = self.raw(node).map(|value| (i64::from(value), self.steps_across_flat(node)));
        let goes_down =
            |rank: (i64, u32)| own.is_none_or(|own| if self.kind == Kind::Sum { rank < own } else { rank <= own });

        let mut best = None;
        let mut downhill = Downhill::default();
        for way in grid.moves(node) {
            let (next, cost) = grid.step(node, way);
            let Some(rank) = rank(next, cost).filter(|&rank| goes_down(rank)) else { continue };
            if best.is_none_or(|best| rank < best) {
                (best, downhill.ways) = (Some(rank), DirectionSet::EMPTY);
            }
            if best == Some(rank) {
                downhill.ways = downhill.ways.with(way);
            }
        }
        for &link in grid.links().leading_from(node) {
            let Some(rank) = rank(link.to, link.cost).filter(|&rank| goes_down(rank)) else { continue };
            if best.is_none_or(|best| rank < best) {
                (best, downhill) = (Some(rank), Downhill { ways: DirectionSet::EMPTY, link: Some(link) });
            }
        }
        downhill
    }

    /// The whole way a unit on `cell` takes; on a [`DijkstraMap::from`] map the way from the source to `cell`.
    ///
    /// Its cost is the cell's value minus the source's. `None` where the cell has no value and no way out of it.
    pub fn trace(&self, grid: &CostGrid, cell: Cell) -> Option<Path> {
        if !self.size.contains(cell) || grid.size() != self.size {
            return None;
        }
        let next = |&cell: &Cell| match self.kind {
            Kind::From => self.predecessor(grid, cell),
            Kind::Toward | Kind::Sum => self.roll(grid, cell).map(|(_, next)| self.size.cell(next)),
        };
        let mut cells: Vec<_> = std::iter::successors(Some(cell), next).take(self.size.cells()).collect();
        if cells.len() == 1 && self.value(cell).is_none() {
            return None;
        }
        if self.kind == Kind::From {
            cells.reverse();
        }
        Path::new(cells, grid).ok()
    }

    /// The cell from which the best way from a source enters `cell`.
    fn predecessor(&self, grid: &CostGrid, cell: Cell) -> Option<Cell> {
        let node = self.size.index(cell)?;
        let own = i64::from(self.raw(node)?);
        let (previous, _) = self.sums_into(grid, node).find(|&(_, sum)| sum == own)?;
        Some(self.size.cell(previous))
    }

    /// The nodes with a value that a step or a link leads from to `node`, with the sum of that value and what it costs:
    /// steps in the order of the directions, then links.
    pub(super) fn sums_into(&self, grid: &CostGrid, node: NodeId) -> impl Iterator<Item = (NodeId, i64)> {
        let cell = self.size.cell(node);
        let steps = Direction::ALL.into_iter().filter_map(move |direction| {
            let previous = self.size.index(cell.step(direction.opposite()))?;
            // Out of a wall, too.
            let is_legal = grid.moves(previous).contains(direction);
            is_legal.then(|| (previous, grid.step(previous, direction).1))
        });
        let links = grid.links().leading_to(node).iter().map(|link| (link.from, link.cost));
        steps.chain(links).filter_map(|(previous, cost)| self.sum(previous, cost).map(|sum| (previous, sum)))
    }

    /// What a node's value and a cost sum up to.
    pub(super) fn sum(&self, node: NodeId, cost: Cost) -> Option<i64> {
        Some(i64::from(self.raw(node)?) + i64::from(cost.raw()) * self.scale)
    }
}
