//! Line of sight and string pulling: a path of many steps becomes a few straight lines.
//!
//! **What a line touches.** A line runs from the centre of one cell to that of another and touches every cell
//! whose inside it crosses (its *super-cover*; Bresenham's line leaves some out). Where it passes exactly through
//! a corner it touches the two cells beside it too, and [`CornerRule::lets_lines_through`] decides.
//! All of that is counted in whole numbers: a line crosses the border between two columns at an odd multiple of
//! `1 / (2 |dx|)` of its length, that between two rows at an odd multiple of `1 / (2 |dy|)`.
//!
//! **What a line costs.** A step costs the entering cost of the cell stepped into: the cell that one stands on is
//! paid for, the cell that one ends on is paid in full. A line costs the same way the integral of the entering cost along it,
//! moved forward by half a step, where a step is one cell along the longer side. So a line along a row,
//! a column or a diagonal costs exactly what its steps cost, lines add up, and a line at any other angle
//! pays for each cell by the length within it. Where slopes or fences cost something there are no lines at any other angle. Links are kept.
//!
//! [`CornerRule::lets_lines_through`]: crate::CornerRule::lets_lines_through

use std::cmp::Ordering;

use crate::cost::PathCost;
use crate::cost_grid::CostGrid;
use crate::grid::Cell;
use crate::links::LinkId;
use crate::path::{Path, PathError, move_cost, step_cost};
use crate::terrain::CornerRule;

/// Fractions of a terrain unit in which slanted lines are counted: 2^40 to the unit.
const FRACTION_BITS: u32 = 40;

/// What a straight line, or several, cost.
///
/// Lines along rows, columns and diagonals are counted exactly; each other line is rounded up, by less than 2^-32
/// of a terrain unit. Costs are compared in these whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineCost {
    /// The lines along rows, columns and diagonals, as steps.
    pub steps: PathCost,
    /// All other lines, in 2^-40ths of a terrain unit.
    pub slanted: u128,
}

impl LineCost {
    /// In terrain units.
    pub fn units(self) -> f64 {
        self.steps.units() + self.slanted as f64 / (1u64 << FRACTION_BITS) as f64
    }

    /// Whether this is at most the other cost, decided in whole numbers; a tie too close to tell counts as dearer.
    fn is_at_most(self, other: Self) -> bool {
        let straight = |cost: PathCost| i128::from(cost.straight) + i128::from(cost.links);
        let straight = straight(self.steps) - straight(other.steps);
        let diagonal = i128::from(self.steps.diagonal) - i128::from(other.steps.diagonal);
        // Sqrt 2 rounded the way that makes the difference larger.
        let root = (2u128 << (2 * FRACTION_BITS)).isqrt() as i128 + i128::from(diagonal > 0);
        let slanted = self.slanted as i128 - other.slanted as i128;
        (straight << FRACTION_BITS).saturating_add(diagonal.saturating_mul(root)).saturating_add(slanted) <= 0
    }

    fn plus(self, other: Self) -> Self {
        Self { steps: self.steps.plus(other.steps), slanted: self.slanted.saturating_add(other.slanted) }
    }
}

/// A path as straight lines from waypoint to waypoint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmoothPath {
    /// Start, turns and end; every one a cell of the path.
    pub waypoints: Vec<Cell>,
    /// The links, each by the index of the waypoint that it leads on from; everything else is a straight line.
    #[cfg_attr(feature = "serde", serde(default))]
    pub links: Vec<(u32, LinkId)>,
    /// What the lines between them cost; at most what the path costs.
    pub cost: LineCost,
}

/// Whether a mover at `from` can go to `to` in a straight line: whether all cells that the line touches are passable.
///
/// As for a step, the cell that one stands on is not asked; between passable cells the answer is the same both ways. A line
/// through a corner obeys the corner rule and never passes between two walls. False if a cell is outside the map.
/// Time: linear in the cells touched.
///
/// ```
/// use wayfield::{has_line_of_sight, parse_map, Cell, CostGrid};
/// let map = parse_map(b"......\n....#.\n......\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// assert!(!has_line_of_sight(&grid, Cell::new(0, 0), Cell::new(5, 2)), "it touches the wall");
/// assert!(has_line_of_sight(&grid, Cell::new(0, 0), Cell::new(3, 2)));
/// # Ok::<(), wayfield::TextError>(())
/// ```
pub fn has_line_of_sight(grid: &CostGrid, from: Cell, to: Cell) -> bool {
    line_cost(grid, from, to).is_some()
}

/// What going from `from` to `to` in a straight line costs; `None` where there is no line of sight.
///
/// ```
/// use wayfield::{line_cost, parse_map, Cell, CostGrid};
/// let map = parse_map(b"....\n..9.\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let cost = |x, y| line_cost(&grid, Cell::new(0, 0), Cell::new(x, y)).unwrap().units();
/// assert_eq!(cost(3, 0), 3.0);
/// // Half of the length of sqrt 5 goes through the cell above, and half through the dear one.
/// assert!((cost(2, 1) - 5f64.sqrt() * (0.25 + 0.25 + 9.0 * 0.5)).abs() < 1e-9);
/// # Ok::<(), wayfield::TextError>(())
/// ```
pub fn line_cost(grid: &CostGrid, from: Cell, to: Cell) -> Option<LineCost> {
    let size = grid.size();
    if !size.contains(from) || !size.contains(to) {
        return None;
    }
    if grid.has_edge_factors() {
        return line_cost_in_steps(grid, from, to);
    }
    let (across, down) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (dx, dy) = (across.abs(), down.abs());
    let (long, short) = (dx.max(dy), dx.min(dy));
    // Where on the line one is: `whole` is its length. Along a row or column no border is crossed sideways, and
    // any positive number does for the missing side.
    let (rise, run) = (dy.max(1), dx.max(1));
    let whole = 2 * run * rise;
    let (mut next_column, mut next_row) = (rise, run);
    let mut cell = from;
    let mut weight = 0;
    let mut entered = if dx >= dy { next_column } else { next_row };
    let half_a_step = entered;
    while cell != to {
        let beside =
            (Cell::new(cell.x + across.signum() as i32, cell.y), Cell::new(cell.x, cell.y + down.signum() as i32));
        let order = match (dx, dy) {
            (_, 0) => Ordering::Less,
            (0, _) => Ordering::Greater,
            _ => next_column.cmp(&next_row),
        };
        let next = match order {
            Ordering::Less => beside.0,
            Ordering::Greater => beside.1,
            Ordering::Equal => Cell::new(beside.0.x, beside.1.y),
        };
        if !lets_through(grid, cell, next) {
            return None;
        }
        let left = if order == Ordering::Greater { next_row } else { next_column };
        if cell != from {
            weight += entering(grid, cell)? * (left - entered);
        }
        entered = left;
        cell = next;
        if order != Ordering::Greater {
            next_column += 2 * rise;
        }
        if order != Ordering::Less {
            next_row += 2 * run;
        }
    }
    if from != to {
        weight += entering(grid, to)? * (whole + half_a_step - entered);
    }
    Some(priced(long, short, weight, whole))
}

/// As [`line_cost`], where slopes or fences make a step cost more than the cell entered: only lines along rows, columns and diagonals, as steps.
fn line_cost_in_steps(grid: &CostGrid, from: Cell, to: Cell) -> Option<LineCost> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return None;
    }
    let mut cost = LineCost::default();
    let mut cell = from;
    while cell != to {
        let next = Cell::new(cell.x + dx.signum(), cell.y + dy.signum());
        if !lets_through(grid, cell, next) {
            return None;
        }
        cost.steps = cost.steps.plus(step_cost(grid, cell, next)?);
        cell = next;
    }
    Some(cost)
}

/// Whether a line may go on from a cell to a neighbour: between neighbours side by side that is a step, and
/// through a corner the rule of lines decides.
fn lets_through(grid: &CostGrid, from: Cell, to: Cell) -> bool {
    let moves = |from: Cell, to: Cell| grid.legal_step(from, to).is_some();
    let (one, other) = (Cell::new(to.x, from.y), Cell::new(from.x, to.y));
    if from == one || from == other {
        return moves(from, to);
    }
    let rule = grid.corner_rule();
    rule.lets_lines_through(grid.is_passable(one), grid.is_passable(other))
        && if rule == CornerRule::Never {
            [one, other].into_iter().all(|side| moves(from, side) && moves(side, to))
        } else {
            moves(from, to)
        }
}

/// Pulls a path straight: leaves out cells between which a straight line can be seen and is no dearer.
///
/// The ends stay. Every line of the result has a [line of sight](has_line_of_sight) or is a single legal step of the path (a
/// diagonal between two walls under [`CornerRule::Always`] is no line of sight, but a step). The cost is at most
/// that of the path, on any terrain. No waypoint can be left out of the result by itself without making it dearer.
///
/// Time: O(n l) in n cells of the path and l cells of its longest line.
///
/// ```
/// use wayfield::{find_path, parse_map, smooth, Cell, CostGrid, PathQuery};
/// let map = parse_map(b"........\n...##...\n........\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let answer = find_path(&grid, &PathQuery::new(Cell::new(0, 2), Cell::new(7, 1)))?;
/// let path = answer.outcome.path().unwrap();
/// let smoothed = smooth(&grid, path)?;
/// assert_eq!(smoothed.waypoints, [Cell::new(0, 2), Cell::new(5, 2), Cell::new(7, 1)]);
/// assert!(smoothed.cost.units() < path.cost().units());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a step of the path is not legal on this grid.
///
/// [`CornerRule::Always`]: crate::CornerRule::Always
pub fn smooth(grid: &CostGrid, path: &Path) -> Result<SmoothPath, PathError> {
    path.cost_from(0, grid)?;
    let first = path.start().map(|to| Line { to, cost: LineCost::default(), link: None });
    let mut lines: Vec<_> = first.into_iter().collect();
    for (index, pair) in path.cells().windows(2).enumerate() {
        let (steps, link) = move_cost(index, pair[0], pair[1], grid)?;
        let mut last = Line { to: pair[1], cost: LineCost { steps, slanted: 0 }, link };
        // The waypoint before may have become needless, and then the one before that; those at links never are.
        while let [.., from, middle] = lines[..]
            && middle.link.is_none()
            && last.link.is_none()
            && let Some(cost) = line_cost(grid, from.to, last.to)
            && cost.is_at_most(middle.cost.plus(last.cost))
        {
            last.cost = cost;
            lines.truncate(lines.len() - 1);
        }
        lines.push(last);
    }
    Ok(SmoothPath {
        cost: lines.iter().fold(LineCost::default(), |sum, line| sum.plus(line.cost)),
        links: (0..).zip(lines.iter().skip(1)).filter_map(|(before, line)| Some((before, line.link?))).collect(),
        waypoints: lines.into_iter().map(|line| line.to).collect(),
    })
}

/// A waypoint, and what the line or link that leads to it costs.
#[derive(Clone, Copy, Debug)]
struct Line {
    to: Cell,
    cost: LineCost,
    link: Option<LinkId>,
}

fn entering(grid: &CostGrid, cell: Cell) -> Option<i64> {
    grid.entering_cost(cell).map(|cost| i64::from(cost.get()))
}

/// The cost of a line with these sides: its length times the mean entering cost, `weight / whole`.
fn priced(long: i64, short: i64, weight: i64, whole: i64) -> LineCost {
    if short == 0 || short == long {
        // Whole cells: each weighs `whole / long`.
        let steps = (weight * long / whole) as u64;
        let steps = match short {
            0 => PathCost { straight: steps, ..PathCost::default() },
            _ => PathCost { diagonal: steps, ..PathCost::default() },
        };
        return LineCost { steps, slanted: 0 };
    }
    // Sides have at most 2^15 cells: the square is below 2^31 and the weight below 2^40.
    let squared = ((long * long + short * short) as u128) << (2 * FRACTION_BITS);
    let length = squared.isqrt();
    let length = length + u128::from(length * length < squared);
    LineCost { steps: PathCost::default(), slanted: (length * weight as u128).div_ceil(whole as u128) }
}
