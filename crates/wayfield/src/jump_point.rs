//! Jump point search: a space of few nodes over a grid of many cells, on uniform and on weighted terrain.
//!
//! From a node a jump runs on over cells where nothing has to be decided, and only where it stops there is the
//! next node: at the goal, at a cell where a wall opens a way that is not open elsewhere (a *forced neighbour*), or
//! at a mixed cell, where terrain of different costs meets. The cells in between never see the open list.
//!
//! Papers: Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (AAAI 2011) and "Improving Jump
//! Point Search" (ICAPS 2014) for the jumps, the search of whole words of cells, and the nodes within a diagonal
//! that need not be; Carlson, Moghadam, Harabor, Stuckey and Ebtekar, "Optimal Pathfinding on Weighted Grid
//! Maps" (AAAI 2023) for the idea of pruning on weighted terrain.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::grid::Cell;
use crate::jump_stops::{ahead, lines_beside, onward, turns};
use crate::space::{ALL_WAYS, NodeId, Space};
use crate::terrain::CornerRule;

/// The jump points of a grid on the way to one goal: a space for searches in the order of A* or Dijkstra.
///
/// Nodes are the indices of cells, and costs are those of the grid, so that estimates for the grid hold here.
/// The cheapest way costs exactly what it costs on the grid, under every corner rule and on any terrain. Only this
/// goal is certain to be reached: jumps run past all others. For the cells of a way, see [`fill_jumps`].
///
/// A jump along a line costs time O(cells / 64), one along a ray O(cells of the ray x cells / 64).
///
/// ```
/// use wayfield::search::{Ending, Limits, Order, Search};
/// use wayfield::space::{Everything, Goal};
/// use wayfield::{fill_jumps, parse_map, Cell, Cost, CostGrid, JumpSpace, NodeId};
///
/// struct At(NodeId);
/// impl Goal for At {
///     fn is_goal(&self, node: NodeId) -> bool { node == self.0 }
///     fn estimate(&self, _: NodeId) -> Cost { Cost::ZERO }
/// }
/// let map = parse_map(b"........\n..##....\n..##....\n........\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let (space, goal) = (JumpSpace::new(&grid, Cell::new(7, 3)), At(31));
/// let mut search = Search::default();
/// search.begin(Order::DIJKSTRA, &space, &[(0, Cost::ZERO)], &goal);
/// assert_eq!(search.run(&space, &goal, Limits::NONE), Ending::Found(31));
///
/// let mut points: Vec<_> = search.trace(31).map(|node| grid.size().cell(node)).collect();
/// points.reverse();
/// assert!(points.len() < 5);
/// let cells = fill_jumps(&points, grid.corner_rule());
/// assert_eq!((cells.len(), cells[0], cells[8]), (9, Cell::new(0, 0), Cell::new(7, 3)));
/// # Ok::<(), wayfield::TextError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JumpSpace<'a> {
    grid: &'a CostGrid,
    goal: Cell,
}

impl<'a> JumpSpace<'a> {
    /// The jump points of `grid` on the way to `goal`, which must be on the map to be reached.
    pub const fn new(grid: &'a CostGrid, goal: Cell) -> Self {
        Self { grid, goal }
    }

    /// Jumps from a node along a ray, and from each of its cells along the two lines beside it.
    #[inline]
    fn jump_along_ray(
        &self,
        mut node: NodeId,
        ray: Direction,
        lines: (Direction, Direction),
        visit: &mut impl FnMut(NodeId, Cost, u8),
    ) {
        let mut cell = self.grid.size().cell(node);
        let entering = self.grid.entering(self.grid.neighbour(node, ray));
        let (mut straight, mut diagonal) = (0, 0);
        while self.grid.moves(node).contains(ray) {
            let behind = node;
            node = self.grid.neighbour(node, ray);
            cell = cell.step(ray);
            *if ray.is_diagonal() { &mut diagonal } else { &mut straight } += 1;
            let is_mixed = self.grid.stops().is_mixed(cell.x, cell.y);
            let ways = self.onward(ray, node, behind);
            if is_mixed || cell == self.goal || turns(self.grid.corner_rule(), ray, ways) {
                let ways = if is_mixed { ALL_WAYS } else { ways.bits() };
                visit(node, jump_cost(straight, diagonal, entering), ways);
                return;
            }
            for line in [lines.0, lines.1] {
                if let Some((next, steps, ways)) = self.jump_along_line(cell, line) {
                    visit(next, jump_cost(straight + steps, diagonal, entering), ways);
                }
            }
        }
    }

    /// The first node in a straight direction: itself, the steps to it, and the ways on.
    #[inline]
    fn jump_along_line(&self, cell: Cell, line: Direction) -> Option<(NodeId, u32, u8)> {
        let (dx, dy) = line.delta();
        let stop = self.grid.stops().steps_to_stop(line, cell.x, cell.y);
        let to_goal = (self.goal.x - cell.x) * dx + (self.goal.y - cell.y) * dy;
        let on_line = if dx == 0 { self.goal.x == cell.x } else { self.goal.y == cell.y };
        let steps = if on_line && (1..stop).contains(&to_goal) { to_goal } else { stop };
        let end = Cell::new(cell.x + dx * steps, cell.y + dy * steps);
        let next = self.grid.size().index(end).filter(|&next| self.grid.is_open(next))?;
        let ways = if self.grid.stops().is_mixed(end.x, end.y) {
            ALL_WAYS
        } else {
            self.onward(line, next, self.grid.neighbour(next, line.opposite())).bits()
        };
        Some((next, steps as u32, ways))
    }

    #[inline]
    fn onward(&self, arrival: Direction, node: NodeId, behind: NodeId) -> DirectionSet {
        onward(self.grid.corner_rule(), arrival, self.grid.moves(node), self.grid.moves(behind))
    }

    /// The direction of the last step of a jump.
    #[inline]
    fn arrival(&self, from: Cell, to: Cell) -> Option<Direction> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        match self.grid.corner_rule() {
            CornerRule::Never if dx != 0 => Direction::from_delta(dx.signum(), 0),
            _ if dx.abs() > dy.abs() => Direction::from_delta(dx.signum(), 0),
            _ if dx.abs() < dy.abs() => Direction::from_delta(0, dy.signum()),
            _ => Direction::from_delta(dx.signum(), dy.signum()),
        }
    }
}

impl Space for JumpSpace<'_> {
    fn len(&self) -> usize {
        self.grid.size().cells()
    }

    #[inline]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        self.expand_along(node, parent, ALL_WAYS, |next, cost, _| visit(next, cost));
    }

    #[inline]
    fn expand_along(
        &self,
        node: NodeId,
        parent: Option<NodeId>,
        ways: u8,
        mut visit: impl FnMut(NodeId, Cost, u8),
    ) {
        let size = self.grid.size();
        let cell = size.cell(node);
        let mut ways = DirectionSet::from_bits(ways).intersection(self.grid.moves(node));
        if self.grid.stops().is_mixed(cell.x, cell.y)
            && let Some(arrival) = parent.and_then(|parent| self.arrival(size.cell(parent), cell))
        {
            ways = ways.intersection(ahead(arrival));
        }
        for way in ways {
            match lines_beside(self.grid.corner_rule(), way) {
                Some(lines) => self.jump_along_ray(node, way, lines, &mut visit),
                None => {
                    if let Some((next, steps, ways)) = self.jump_along_line(cell, way) {
                        let entering = self.grid.entering(self.grid.neighbour(node, way));
                        visit(next, jump_cost(steps, 0, entering), ways);
                    }
                }
            }
        }
    }
}

/// The cells of a way over jump points: each jump's diagonal steps first, or its vertical ones in four directions.
///
/// The points are those of a way found in a [`JumpSpace`], the start first. They are not changed.
/// Time and memory: linear in the cells.
///
/// ```
/// use wayfield::{fill_jumps, Cell, CornerRule};
/// let points = [(0, 0), (2, 1), (2, 3)].map(Cell::from);
/// let cells = fill_jumps(&points, CornerRule::BothFree);
/// assert_eq!(cells, [(0, 0), (1, 1), (2, 1), (2, 2), (2, 3)].map(Cell::from));
/// let cells = fill_jumps(&points, CornerRule::Never);
/// assert_eq!(cells, [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (2, 3)].map(Cell::from));
/// ```
pub fn fill_jumps(points: &[Cell], rule: CornerRule) -> Vec<Cell> {
    let mut cells: Vec<_> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (mut cell, end) = (pair[0], pair[1]);
        while cell != end {
            let (dx, dy) = (end.x.cmp(&cell.x) as i32, end.y.cmp(&cell.y) as i32);
            let step = if rule == CornerRule::Never && dy != 0 { (0, dy) } else { (dx, dy) };
            cell = Cell::new(cell.x + step.0, cell.y + step.1);
            cells.push(cell);
        }
    }
    cells
}

/// What so many steps into cells of one cost sum up to; [`Cost::MAX`] if that cannot be represented.
#[inline]
fn jump_cost(straight: u32, diagonal: u32, entering: u8) -> Cost {
    let length = |steps: u32, step: Cost| u64::from(steps) * u64::from(step.raw());
    let sum = (length(straight, Cost::STRAIGHT) + length(diagonal, Cost::DIAGONAL)) * u64::from(entering);
    u32::try_from(sum).map_or(Cost::MAX, Cost::from_raw)
}
