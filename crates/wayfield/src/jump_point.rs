//! Jump point search: a space of few nodes over a grid of many cells, on uniform and on weighted terrain.
//!
//! From a node a jump runs on over cells where nothing has to be decided, and only where it stops there is the
//! next node: at the goal, at a cell where a wall opens a way that is not open elsewhere (a *forced neighbour*), or
//! at a mixed cell, where terrain of different costs meets. The cells in between never see the open list, and if jumps are
//! prepared most of them are not looked at either: see [`crate::jump_table`].
//!
//! Papers: Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (AAAI 2011) and "Improving Jump
//! Point Search" (ICAPS 2014) for the jumps, the search of whole words of cells, and the nodes within a diagonal
//! that need not be; Carlson, Moghadam, Harabor, Stuckey and Ebtekar, "Optimal Pathfinding on Weighted Grid
//! Maps" (AAAI 2023) for the idea of pruning on weighted terrain.

use std::hint::black_box;

use crate::canonical::canonical_ways;
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::grid::Cell;
use crate::jump_stops::{AHEAD, Corner, corners, lines_beside};
use crate::jump_table::{JumpTable, longest_jump, stops_ray};
use crate::space::{NodeId, Space};
use crate::terrain::CornerRule;

/// The jump points of a grid on the way to one goal: a space for searches in the order of A* or Dijkstra.
///
/// Nodes are the indices of cells, and costs are those of the grid, so that estimates for the grid hold here.
/// The cheapest way costs exactly what it costs on the grid, under every corner rule, on any terrain, with links and
/// fences that bar the way; what slopes and fences cost is not seen. Only this
/// goal is certain to be reached: jumps run past all others. For the cells of a way, see [`fill_jumps`].
///
/// A jump along a line costs time O(cells / 64), one along a ray O(cells of the ray x cells / 64); if the jumps of the grid
/// are prepared ([`CostGrid::build_jump_table`]), O(cells / 64) for each cell of the ray where there is something to find.
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

    /// Jumps from a node along a ray, and from its cells along the two lines beside it. Of a prepared ray it looks only at those
    /// cells where there is something to find, or that have the goal beside them.
    #[inline(always)]
    fn jump_along_ray(
        &self,
        (rule, prepared): (CornerRule, Option<&JumpTable>),
        (mut node, mut cell): (NodeId, Cell),
        ray: Direction,
        lines: (Direction, Direction),
        visit: &mut impl FnMut(NodeId, Cost),
    ) {
        let (grid, stops) = (self.grid, self.grid.stops());
        let entering = grid.entering(grid.neighbour(node, ray));
        let longest = longest_of(prepared, entering);
        let has_mixed = stops.mixed_cells() > 0;
        let mut prepared = prepared.map(|table| (table, table.place(ray, cell)));
        let (length, mut steps, mut cost) = (step_cost(ray, entering), 0, Cost::ZERO);
        let (dx, dy) = ray.delta();
        let mut legal = grid.moves(node);
        while legal.contains(ray) {
            let more = match prepared {
                None => 1,
                Some((table, ref mut place)) => {
                    let more = table.steps(ray, *place).min(self.steps_to_line_of_goal(ray, cell)).min(longest - steps);
                    *place = table.place_after(ray, *place, more);
                    more
                }
            };
            node = grid.along(node, ray, more);
            cell = Cell::new(cell.x + dx * more as i32, cell.y + dy * more as i32);
            legal = grid.moves(node);
            steps += more;
            cost = cost.saturating_add(length.saturating_mul(more));
            let stops = match prepared {
                None => has_mixed && stops.is_mixed(cell.x, cell.y) || stops_ray(rule, ray, legal),
                Some((table, _)) => table.stops(node, ray),
            };
            if stops || cell == self.goal || steps == longest {
                visit(node, cost);
                return;
            }
            for line in [lines.0, lines.1] {
                if let Some((next, steps)) =
                    self.jump_along_line(prepared.map(|(table, _)| table), (node, cell), line, longest)
                {
                    visit(next, cost.saturating_add(straight_cost(steps, entering)));
                }
            }
        }
    }

    /// How many steps it is along a ray to the first cell from which a line beside it leads to the goal, or to the goal itself;
    /// [`u32::MAX`] if there is none.
    #[inline(always)]
    fn steps_to_line_of_goal(&self, ray: Direction, cell: Cell) -> u32 {
        let (dx, dy) = ray.delta();
        let (across, down) = ((self.goal.x - cell.x) * dx, (self.goal.y - cell.y) * dy);
        let steps = if dx == 0 { down } else { across.min(down) };
        if steps > 0 { steps as u32 } else { u32::MAX }
    }

    /// The first node in a straight direction, at most so many steps away, and the steps to it.
    #[inline(always)]
    fn jump_along_line(
        &self,
        prepared: Option<&JumpTable>,
        (node, cell): (NodeId, Cell),
        line: Direction,
        longest: u32,
    ) -> Option<(NodeId, u32)> {
        let Cell { x, y } = self.goal;
        // The place of the goal along the line, and how far the line goes until the edge of the map.
        let (on_line, to_goal, to_edge) = match line {
            Direction::North => (x == cell.x, cell.y - y, cell.y),
            Direction::South => (x == cell.x, y - cell.y, self.grid.size().height() as i32 - 1 - cell.y),
            Direction::West => (y == cell.y, cell.x - x, cell.x),
            _ => (y == cell.y, x - cell.x, self.grid.size().width() as i32 - 1 - cell.x),
        };
        if let Some(table) = prepared
            && !on_line
        {
            return table.leads_to_something(node, line).then(|| {
                let steps = self.grid.stops().steps_to_stop(line, cell.x, cell.y).min(longest as i32) as u32;
                (self.grid.along(node, line, steps), steps)
            });
        }
        let stop = self.grid.stops().steps_to_stop(line, cell.x, cell.y);
        let steps = if on_line && to_goal >= 1 && to_goal < stop { to_goal } else { stop };
        let steps = steps.min(longest as i32);
        if steps > to_edge {
            return None;
        }
        let next = self.grid.along(node, line, steps as u32);
        self.grid.is_open(next).then_some((next, steps as u32))
    }

    /// The goal, and what the way straight to it costs, one ray and one line long, if no way can be cheaper.
    ///
    /// On ground without obstacles in between that is all there is to find: it is looked at before anything else.
    fn straight_to_goal(&self, (mut node, mut cell): (NodeId, Cell)) -> Option<(NodeId, Cost)> {
        let (grid, stops) = (self.grid, self.grid.stops());
        let entering = grid.cheapest_cost();
        if !grid.links().is_empty() {
            return None;
        }
        let mut cost = Cost::ZERO;
        while cell != self.goal {
            let step = self.first_step(cell)?;
            node = grid.moves(node).contains(step).then(|| grid.neighbour(node, step))?;
            if u32::from(grid.entering(node)) != entering {
                return None;
            }
            cell = cell.step(step);
            cost = cost.checked_add(step_cost(step, grid.entering(node)))?;
            if lines_beside(grid.corner_rule(), step).is_none() {
                // All the rest is a line. Where jumps would stop, it is gone cell by cell.
                let rest = self.goal.chebyshev(cell);
                if rest > 0 && stops.steps_to_stop(step, cell.x, cell.y) > rest as i32 {
                    let cost = cost.checked_add(straight_cost(rest, grid.entering(node)))?;
                    return Some((grid.along(node, step, rest), cost));
                }
            }
        }
        Some((node, cost))
    }

    /// The first step of a way straight to the goal: along a ray as long as there is something to go on a ray.
    #[inline]
    fn first_step(&self, cell: Cell) -> Option<Direction> {
        let (dx, dy) = ((self.goal.x - cell.x).signum(), (self.goal.y - cell.y).signum());
        match self.grid.corner_rule() {
            CornerRule::Never if dy != 0 => Direction::from_delta(0, dy),
            _ => Direction::from_delta(dx, dy),
        }
    }

    /// Jumps from a node in all directions that may pay.
    #[inline(always)]
    fn expand_under(
        &self,
        known: (CornerRule, Option<&JumpTable>),
        (node, cell): (NodeId, Cell),
        parent: Option<NodeId>,
        visit: &mut impl FnMut(NodeId, Cost),
    ) {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        for way in self.ways(node, cell, parent) {
            // Or else the compiler works out ahead, for each of the eight, what the two or three that are taken need.
            let at = black_box((node, cell));
            // By constant directions, so that each has a loop of its own, without a question which way it goes.
            match way {
                North => self.jump_toward(known, at, North, visit),
                South => self.jump_toward(known, at, South, visit),
                West => self.jump_toward(known, at, West, visit),
                East => self.jump_toward(known, at, East, visit),
                NorthWest => self.jump_toward(known, at, NorthWest, visit),
                NorthEast => self.jump_toward(known, at, NorthEast, visit),
                SouthWest => self.jump_toward(known, at, SouthWest, visit),
                SouthEast => self.jump_toward(known, at, SouthEast, visit),
            }
        }
    }

    /// Jumps from a node in one direction, in which a step is legal.
    #[inline(always)]
    fn jump_toward(
        &self,
        (rule, prepared): (CornerRule, Option<&JumpTable>),
        (node, cell): (NodeId, Cell),
        way: Direction,
        visit: &mut impl FnMut(NodeId, Cost),
    ) {
        let (grid, stops) = (self.grid, self.grid.stops());
        let beside = cell.step(way);
        if stops.mixed_cells() > 0 && stops.is_mixed(beside.x, beside.y) {
            let (next, cost) = grid.step(node, way);
            visit(next, cost);
        } else if let Some(lines) = lines_beside(rule, way) {
            self.jump_along_ray((rule, prepared), (node, cell), way, lines, visit);
        } else {
            let entering = grid.entering(grid.neighbour(node, way));
            let longest = longest_of(prepared, entering);
            if let Some((next, steps)) = self.jump_along_line(prepared, (node, cell), way, longest) {
                visit(next, straight_cost(steps, entering));
            }
        }
    }

    /// The ways that go on from a mixed cell x, entered from p: what [`onward`] is for the others.
    ///
    /// Compares the two steps over x with the other ways round, all of two steps, or of one.
    #[inline]
    fn onward_by_cost(&self, arrival: Direction, x: NodeId, p: NodeId) -> DirectionSet {
        let grid = self.grid;
        let (from_p, from_x) = (grid.moves(p), grid.moves(x));
        let mut ways = AHEAD[arrival as usize].intersection(from_x);
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
        let (grid, stops) = (self.grid, self.grid.stops());
        let Some(arrival) = parent.and_then(|parent| self.last_step(grid.size().cell(parent), cell)) else {
            return grid.moves(node);
        };
        if stops.mixed_cells() == 0 || !stops.is_mixed(cell.x, cell.y) {
            return canonical_ways(grid, node, arrival, false);
        }
        // It may have been reached by a link, which comes from no side.
        if !grid.links().leading_to(node).is_empty() {
            return grid.moves(node);
        }
        self.onward_by_cost(arrival, node, grid.neighbour(node, arrival.opposite()))
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
        let cell = self.grid.size().cell(node);
        if parent.is_none()
            && let Some((goal, cost)) = self.straight_to_goal((node, cell))
        {
            visit(goal, cost);
            return;
        }
        // By constant rules, so that the compiler knows what each of them asks of a cell.
        let at = (node, cell);
        match (self.grid.corner_rule(), self.grid.jump_table()) {
            (CornerRule::BothFree, None) => self.expand_under((CornerRule::BothFree, None), at, parent, &mut visit),
            (rule, None) => self.expand_under((rule, None), at, parent, &mut visit),
            (CornerRule::BothFree, Some(table)) => {
                self.expand_under((CornerRule::BothFree, Some(table)), at, parent, &mut visit);
            }
            (rule, Some(table)) => self.expand_under((rule, Some(table)), at, parent, &mut visit),
        }
        for link in self.grid.links().leading_from(node) {
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
        cells.extend(jump(pair[0], pair[1], rule));
    }
    cells
}

/// The cells of one jump, without the one that it begins in.
pub(crate) fn jump(mut cell: Cell, end: Cell, rule: CornerRule) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        if cell == end {
            return None;
        }
        let (dx, dy) = ((end.x - cell.x).signum(), (end.y - cell.y).signum());
        let step = if rule == CornerRule::Never && dy != 0 { (0, dy) } else { (dx, dy) };
        cell = Cell::new(cell.x + step.0, cell.y + step.1);
        Some(cell)
    })
}

/// How many steps a jump over ground of a cost may have.
#[inline(always)]
fn longest_of(prepared: Option<&JumpTable>, entering: u8) -> u32 {
    prepared.map_or_else(|| longest_jump(entering), |table| table.longest_jump(entering))
}

/// What a step into a cell of this cost costs.
#[inline]
fn step_cost(direction: Direction, entering: u8) -> Cost {
    let length = if direction.is_diagonal() { Cost::DIAGONAL } else { Cost::STRAIGHT };
    length.saturating_mul(u32::from(entering))
}

/// What so many straight steps into cells of one cost sum up to.
#[inline]
fn straight_cost(steps: u32, entering: u8) -> Cost {
    Cost::from_raw(steps * Cost::STRAIGHT.raw()).saturating_mul(u32::from(entering))
}
