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
use crate::jump_stops::{Corner, ahead, corners, lines_beside, onward, turns};
use crate::space::{NodeId, Space};
use crate::terrain::CornerRule;

/// The jump points of a grid on the way to one goal: a space for searches in the order of A* or Dijkstra.
///
/// Nodes are the indices of cells, and costs are those of the grid, so that estimates for the grid hold here.
/// The cheapest way costs exactly what it costs on the grid, under every corner rule, on any terrain, with links and
/// fences that bar the way; what slopes and fences cost is not seen. Only this
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
/// assert_eq!((cells.len(), cells[0], cells[7]), (8, Cell::new(0, 0), Cell::new(7, 3)));
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
        (mut node, mut cell): (NodeId, Cell),
        ray: Direction,
        lines: (Direction, Direction),
        visit: &mut impl FnMut(NodeId, Cost),
    ) {
        let entering = self.grid.entering(self.grid.neighbour(node, ray));
        let (mut straight, mut diagonal) = (0, 0);
        while self.grid.moves(node).contains(ray) {
            let behind = node;
            node = self.grid.neighbour(node, ray);
            cell = cell.step(ray);
            *if ray.is_diagonal() { &mut diagonal } else { &mut straight } += 1;
            let is_end = cell == self.goal || straight + diagonal == longest_jump(entering);
            if is_end
                || self.grid.stops().is_mixed(cell.x, cell.y)
                || turns(self.grid.corner_rule(), ray, self.onward(ray, node, behind))
            {
                visit(node, jump_cost(straight, diagonal, entering));
                return;
            }
            for line in [lines.0, lines.1] {
                if let Some((next, steps)) = self.jump_along_line(cell, line, entering) {
                    visit(next, jump_cost(straight + steps, diagonal, entering));
                }
            }
        }
    }

    /// The first node in a straight direction, and the steps to it.
    #[inline]
    fn jump_along_line(&self, cell: Cell, line: Direction, entering: u8) -> Option<(NodeId, u32)> {
        let (dx, dy) = line.delta();
        let stop = self.grid.stops().steps_to_stop(line, cell.x, cell.y);
        let to_goal = (self.goal.x - cell.x) * dx + (self.goal.y - cell.y) * dy;
        let on_line = if dx == 0 { self.goal.x == cell.x } else { self.goal.y == cell.y };
        let steps = if on_line && (1..stop).contains(&to_goal) { to_goal } else { stop };
        let steps = steps.min(longest_jump(entering) as i32);
        let end = Cell::new(cell.x + dx * steps, cell.y + dy * steps);
        let next = self.grid.size().index(end).filter(|&next| self.grid.is_open(next))?;
        Some((next, steps as u32))
    }

    #[inline]
    fn onward(&self, arrival: Direction, node: NodeId, behind: NodeId) -> DirectionSet {
        onward(self.grid.corner_rule(), arrival, self.grid.moves(node), self.grid.moves(behind))
    }

    /// The ways that go on from a mixed cell x, entered from p: what [`onward`] is for the others.
    ///
    /// Compares the two steps over x with the other ways round, all of two steps, or of one.
    #[inline]
    fn onward_by_cost(&self, arrival: Direction, x: NodeId, p: NodeId) -> DirectionSet {
        let grid = self.grid;
        let (from_p, from_x) = (grid.moves(p), grid.moves(x));
        let mut ways = ahead(arrival).intersection(from_x);
        let price = |node, step: Cost| u32::from(grid.entering(node)) * step.raw();
        let straight = |node| price(node, Cost::STRAIGHT);
        let diagonal = |node| price(node, Cost::DIAGONAL);
        let [one, other] = corners(arrival);
        // The costs are as good as random, so that a branch on one would cost more than a comparison too many.
        for (Corner { side, past, along }, opposite) in [(one, other.past), (other, one.past)] {
            if arrival.is_diagonal() {
                if from_x.contains(side) {
                    let y = grid.neighbour(x, side);
                    if from_x.contains(past) {
                        let n = grid.neighbour(x, past);
                        ways = ways.without_if(past, straight(y) + straight(n) < diagonal(x) + diagonal(n));
                    }
                    if from_x.contains(along) && grid.moves(y).contains(arrival) {
                        let n = grid.neighbour(x, along);
                        ways = ways.without_if(along, straight(y) + diagonal(n) < diagonal(x) + straight(n));
                    }
                }
                continue;
            }
            if from_p.contains(past) {
                let y = grid.neighbour(x, side);
                ways = ways.without_if(side, diagonal(y) < straight(x) + straight(y));
                if from_x.contains(past) {
                    let n = grid.neighbour(x, past);
                    ways = ways.without_if(past, diagonal(y) + straight(n) <= straight(x) + diagonal(n));
                }
                if from_x.contains(along) && grid.moves(y).contains(opposite) {
                    let n = grid.neighbour(x, along);
                    ways = ways.without_if(along, diagonal(y) + diagonal(n) < straight(x) + straight(n));
                }
            }
            if from_x.contains(side) && from_p.contains(side) && grid.moves(grid.neighbour(p, side)).contains(arrival) {
                let (y, x) = (grid.entering(grid.neighbour(p, side)), grid.entering(x));
                let has_ray_first = lines_beside(grid.corner_rule(), side).is_some();
                ways = ways.without_if(side, y < x || y == x && has_ray_first);
            }
        }
        ways
    }

    /// The ways that go on from a node; all, from a source.
    #[inline]
    fn ways(&self, node: NodeId, cell: Cell, parent: Option<NodeId>) -> DirectionSet {
        let size = self.grid.size();
        let arrival = parent.and_then(|parent| self.last_step(size.cell(parent), cell));
        let behind = arrival.and_then(|arrival| size.index(cell.step(arrival.opposite())));
        match (arrival, behind) {
            (Some(arrival), Some(p)) if self.grid.stops().is_mixed(cell.x, cell.y) => {
                // It may have been reached by a link, which comes from no side.
                let pruned = self.grid.links().leading_to(node).is_empty();
                if pruned { self.onward_by_cost(arrival, node, p) } else { self.grid.moves(node) }
            }
            (Some(arrival), Some(p)) => self.onward(arrival, node, p),
            _ => self.grid.moves(node),
        }
    }

    /// The direction of the last step of a jump.
    #[inline]
    fn last_step(&self, from: Cell, to: Cell) -> Option<Direction> {
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
        let grid = self.grid;
        let cell = grid.size().cell(node);
        for way in self.ways(node, cell, parent) {
            let beside = cell.step(way);
            if grid.stops().is_mixed(beside.x, beside.y) {
                let (next, cost) = grid.step(node, way);
                visit(next, cost);
            } else if let Some(lines) = lines_beside(grid.corner_rule(), way) {
                self.jump_along_ray((node, cell), way, lines, &mut visit);
            } else {
                let entering = grid.entering(grid.neighbour(node, way));
                if let Some((next, steps)) = self.jump_along_line(cell, way, entering) {
                    visit(next, jump_cost(steps, 0, entering));
                }
            }
        }
        for link in grid.links().leading_from(node) {
            visit(link.to, link.cost);
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

/// How many steps a jump may have along a ray, and again along a line, for its cost to be representable.
#[inline]
fn longest_jump(entering: u8) -> u32 {
    u32::MAX / 2 / Cost::DIAGONAL.raw() / u32::from(entering.max(1))
}

/// What the steps of a jump into cells of one cost sum up to.
#[inline]
fn jump_cost(straight: u32, diagonal: u32, entering: u8) -> Cost {
    let length = straight * Cost::STRAIGHT.raw() + diagonal * Cost::DIAGONAL.raw();
    Cost::from_raw(length).saturating_mul(u32::from(entering))
}
