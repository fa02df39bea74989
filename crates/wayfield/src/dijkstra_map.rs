//! Dijkstra maps: one computation that any number of units read.
//!
//! A [`DijkstraMap`] holds a value for every cell that can be reached. Units "roll downhill" on it:
//! toward the nearest of many sources ([`DijkstraMap::toward`]), away from threats
//! ([`DijkstraMap::flee`]) or along a weighted sum of desires ([`DijkstraMap::weighted_sum`]).
//! "Unreachable" is a state of its own that no arithmetic touches.
//!
//! The idea and the flee map are described in "The Incredible Power of Dijkstra Maps" and
//! "Dijkstra Maps Visualized" on RogueBasin.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::Direction;
use crate::field_input::{FieldError, FleeScale, Source, THOUSANDTHS};
use crate::grid::{Cell, GridSize};
use crate::path::{Path, PathStep};
use crate::space::{NodeId, Reverse, Space};

/// Marks a cell without a value. Never takes part in arithmetic: [`DijkstraMap::raw`] is the way to a value.
const UNREACHED: i32 = i32::MAX;

/// How much farther than the farthest reachable cell a refuge counts as being from every threat.
const REFUGE_MARGIN: i64 = Cost::STRAIGHT.raw() as i64;

/// What the values of a map mean, and so how one rolls on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Cost of the way from the cell to its best source, plus the source's value.
    Toward,
    /// Cost of the way from the best source to the cell, plus the source's value.
    From,
    /// A weighted sum, which has slopes but no ways.
    Sum,
}

/// A value for every cell that can be reached; 4 bytes a cell.
///
/// ```
/// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap};
/// let map = parse_map(b".....\n.###.\n.....\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let chase = DijkstraMap::toward(&grid, [Cell::new(4, 0)])?;
/// assert_eq!(chase.value(Cell::new(0, 0)), Some(4.0));
/// assert_eq!(chase.value(Cell::new(1, 1)), None);
/// let way = chase.trace(&grid, Cell::new(0, 1)).unwrap();
/// assert_eq!(way.end(), Some(Cell::new(4, 0)));
/// assert_eq!(way.cost().units(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DijkstraMap {
    size: GridSize,
    kind: Kind,
    /// The values count in 1/`scale`ths of a [`Cost`], so that -1.2 times a distance is exact.
    scale: i64,
    values: Vec<i32>,
    /// Threats' cells, in order: they may have a value but are not entered.
    barred: Vec<NodeId>,
    revision: u64,
}

impl DijkstraMap {
    /// The cost of the way from each cell to its nearest source: what units roll down.
    ///
    /// A source in a wall attracts nobody, since it cannot be entered. Without sources no cell has a value.
    /// Time: O(n log n) in the cells.
    ///
    /// # Errors
    /// If a source is outside the map or its value is unusable, or a cell's value cannot be represented.
    pub fn toward<S: Into<Source>>(grid: &CostGrid, sources: impl IntoIterator<Item = S>) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::Toward, sources.into_iter().map(Into::into), f64::INFINITY)
    }

    /// As [`DijkstraMap::toward`], but only cells whose value is at most `limit` have one: who gets there in time.
    ///
    /// `limit` is in terrain units. A unit on any other cell stands, unless it is next to a cell with a value.
    /// Time: O(k log k) in the k cells with a value, and the allocation of the map.
    ///
    /// # Errors
    /// As for [`DijkstraMap::from_within`].
    pub fn toward_within<S: Into<Source>>(
        grid: &CostGrid,
        sources: impl IntoIterator<Item = S>,
        limit: f64,
    ) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::Toward, sources.into_iter().map(Into::into), range_limit(limit)?)
    }

    /// The cost of the way from the nearest source to each cell: movement range, danger.
    ///
    /// Differs from [`DijkstraMap::toward`] since a step costs what the cell *entered* costs. A source in a wall counts:
    /// it can be left. Time: O(n log n) in the cells.
    ///
    /// # Errors
    /// As for [`DijkstraMap::toward`].
    pub fn from<S: Into<Source>>(grid: &CostGrid, sources: impl IntoIterator<Item = S>) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::From, sources.into_iter().map(Into::into), f64::INFINITY)
    }

    /// As [`DijkstraMap::from`], but only cells whose value is at most `limit` have one: a unit's movement range.
    ///
    /// `limit` is in terrain units and compared with [`DijkstraMap::value`]: a diagonal step costs a little more there than
    /// [`f64::consts::SQRT_2`](std::f64::consts::SQRT_2), by 6e-8. A source whose value is above the limit has none.
    /// Time: O(k log k) in the k cells with a value, and the allocation of the map; the search goes no farther.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap};
    /// let map = parse_map(b".3...\n.##..\n.....\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// // A unit with 4 movement points: over the hill it gets as far as on the long way round.
    /// let unit = Cell::new(0, 0);
    /// let range = DijkstraMap::from_within(&grid, [unit], 4.0)?;
    /// assert_eq!(range.value(Cell::new(2, 0)), Some(4.0));
    /// assert_eq!(range.value(Cell::new(3, 0)), None);
    /// let cells: Vec<_> = range.cells().map(|cell| (cell.x, cell.y)).collect();
    /// assert_eq!(cells, [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 2), (2, 2)]);
    /// assert_eq!(range.trace(&grid, Cell::new(2, 2)).unwrap().start(), Some(unit));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`DijkstraMap::toward`], and if the limit is negative, infinite or no number. What lies beyond the limit is no error.
    pub fn from_within<S: Into<Source>>(
        grid: &CostGrid,
        sources: impl IntoIterator<Item = S>,
        limit: f64,
    ) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::From, sources.into_iter().map(Into::into), range_limit(limit)?)
    }

    fn from_sources(
        grid: &CostGrid,
        kind: Kind,
        sources: impl Iterator<Item = Source>,
        limit: f64,
    ) -> Result<Self, FieldError> {
        let sources: Vec<_> = sources.collect();
        // Units in which the values of the sources are whole, if they are thousandths.
        let fractions = sources.iter().map(|source| Fraction::of_thousandths(thousandths(source.value)));
        let finest = fractions.fold(1, |scale, fraction| lcm(scale, fraction.denominator));
        match Self::from_sources_in(grid, kind, &sources, finest.min(THOUSANDTHS), limit) {
            // Where these units are too fine for the values, the nearest whole ones.
            Err(FieldError::CostOverflow(_) | FieldError::SourceValue { .. }) if finest > 1 => {
                Self::from_sources_in(grid, kind, &sources, 1, limit)
            }
            result => result,
        }
    }

    fn from_sources_in(
        grid: &CostGrid,
        kind: Kind,
        sources: &[Source],
        scale: i64,
        limit: f64,
    ) -> Result<Self, FieldError> {
        let mut map = Self { scale, ..Self::empty(grid, kind) };
        let limit = map.last_within(limit);
        let mut open = Vec::new();
        for &Source { cell, value } in sources {
            let node = map.size.index(cell).ok_or(FieldError::OutOfBounds { cell, size: map.size })?;
            let raw = (value * f64::from(Cost::STRAIGHT.raw()) * scale as f64).round();
            if !raw.is_finite() || raw.abs() >= f64::from(UNREACHED) {
                return Err(FieldError::SourceValue { cell, value });
            }
            let slot = &mut map.values[node as usize];
            let counts = (kind == Kind::From || grid.is_open(node)) && raw as i64 <= limit;
            if counts && raw < f64::from(*slot) {
                *slot = raw as i32;
                open.push(Least((*slot, node)));
            }
        }
        match kind {
            Kind::From => map.sweep(grid, open.into(), limit)?,
            Kind::Toward | Kind::Sum => map.sweep(&Reverse(grid), open.into(), limit)?,
        }
        Ok(map)
    }

    /// Where to run from `threats`: their distances times -`scale`, rescanned so that fleers find the ways out.
    ///
    /// Threats move as `threat_grid` lets them, fleers as `grid` does. Cells of a fleer's component that no
    /// threat can reach are the best refuge; where no threat can come at all no cell has a value, and units stand.
    /// A threat's own cell is not entered. Time: O(n log n) in the cells.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, FleeScale};
    /// let map = parse_map(b".......\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let flee = DijkstraMap::flee(&grid, &grid, [Cell::new(3, 0)], FleeScale::default())?;
    /// assert_eq!(flee.value(Cell::new(0, 0)), Some(-3.6));
    /// assert_eq!(flee.trace(&grid, Cell::new(2, 0)).unwrap().end(), Some(Cell::new(0, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a threat is outside the map, the grids differ in size, or a value cannot be represented.
    pub fn flee(
        threat_grid: &CostGrid,
        grid: &CostGrid,
        threats: impl IntoIterator<Item = Cell>,
        scale: FleeScale,
    ) -> Result<Self, FieldError> {
        if threat_grid.size() != grid.size() {
            return Err(FieldError::SizeMismatch);
        }
        let size = grid.size();
        let threats: Vec<_> = threats.into_iter().collect();
        let distance = Self::from(threat_grid, threats.iter().copied())?;
        let cells = || (0..size.cells() as NodeId).map(|node| (node, size.cell(node)));

        let mut threatened = Vec::new();
        let mut farthest = 0;
        for (node, cell) in cells() {
            if let (Some(raw), Some(component)) = (distance.raw(node), grid.component(cell)) {
                let label = component as usize;
                if threatened.get(label) != Some(&true) {
                    for label in grid.links().reach(component).into_iter().chain([component]) {
                        let label = label as usize;
                        threatened.resize(threatened.len().max(label + 1), false);
                        threatened[label] = true;
                    }
                }
                farthest = farthest.max(i64::from(raw));
            }
        }
        let refuge = farthest + REFUGE_MARGIN;
        let factor = Fraction::of_thousandths(scale.thousandths());
        // Exact in finer units where they fit, else rounded to the nearest unit.
        let exact = refuge.saturating_mul(factor.numerator) < i64::from(UNREACHED);

        let mut map = Self::empty(grid, Kind::Toward);
        map.scale = if exact { factor.denominator } else { 1 };
        let mut open = Vec::new();
        for (node, cell) in cells() {
            let is_threatened = |component: u32| threatened.get(component as usize) == Some(&true);
            if grid.component(cell).is_some_and(is_threatened) {
                let away = distance.raw(node).map_or(refuge, i64::from) * factor.numerator * map.scale;
                let value = -rounded_div(i128::from(away), i128::from(factor.denominator));
                map.values[node as usize] = narrow(value).ok_or(FieldError::CostOverflow(cell))?;
                open.push(Least((map.values[node as usize], node)));
            }
        }
        map.barred = threats.iter().filter_map(|&threat| size.index(threat)).collect();
        map.barred.sort_unstable();
        map.barred.dedup();
        map.sweep(&Reverse(grid), open.into(), i64::MAX)?;
        Ok(map)
    }

    /// The cell by cell sum of maps times weights, for desires: treasure minus half the danger.
    ///
    /// A cell has a value where all maps have one; threats of a flee map among them are not entered. Weights are rounded to thousandths. A sum may be flat and
    /// may have hollows where units stop; sources with values of their own ([`Source::value`]) have neither.
    ///
    /// # Errors
    /// If there is no map, the sizes differ, a weight is unusable, or a value cannot be represented.
    pub fn weighted_sum(terms: &[(&Self, f64)]) -> Result<Self, FieldError> {
        let (first, _) = terms.first().ok_or(FieldError::SizeMismatch)?;
        let mut parts = Vec::new();
        for &(map, weight) in terms {
            if map.size != first.size {
                return Err(FieldError::SizeMismatch);
            }
            let thousandths = (weight * THOUSANDTHS as f64).round();
            if !(-1e6..=1e6).contains(&thousandths) {
                return Err(FieldError::SumWeight(weight));
            }
            parts.push((map, Fraction::of_thousandths(thousandths as i64)));
        }
        let total = |node: NodeId, scale: i64| -> Option<i128> {
            parts.iter().try_fold(0, |sum, (map, weight)| {
                let value = i128::from(map.raw(node)?) * i128::from(weight.numerator * scale);
                Some(sum + rounded_div(value, i128::from(weight.denominator * map.scale)))
            })
        };
        let nodes = 0..first.size.cells() as NodeId;
        // Exact in finer units where they fit, else rounded to the nearest unit.
        let finest = parts.iter().fold(1, |scale, (map, weight)| lcm(scale, map.scale * weight.denominator));
        let fits = |scale| nodes.clone().all(|node| total(node, scale).is_none_or(|sum| narrow(sum).is_some()));
        let scale = if finest <= THOUSANDTHS && fits(finest) { finest } else { 1 };
        let values = nodes
            .map(|node| match total(node, scale) {
                None => Ok(UNREACHED),
                Some(sum) => narrow(sum).ok_or(FieldError::CostOverflow(first.size.cell(node))),
            })
            .collect::<Result<_, _>>()?;
        let revision = parts.iter().map(|(map, _)| map.revision).min().unwrap_or_default();
        let mut barred: Vec<_> = parts.iter().flat_map(|(map, _)| map.barred.iter().copied()).collect();
        barred.sort_unstable();
        barred.dedup();
        Ok(Self { size: first.size, kind: Kind::Sum, scale, values, barred, revision })
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The revision of the map that the values hold for; of a sum, the oldest one.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The value of a cell in terrain units; `None` where it has none, or is outside the map.
    pub fn value(&self, cell: Cell) -> Option<f64> {
        let raw = self.raw(self.size.index(cell)?)?;
        Some(f64::from(raw) / self.terrain_unit())
    }

    /// The cells that have a value, row by row: what a game highlights.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let nodes = (0..self.size.cells() as NodeId).filter(|&node| self.raw(node).is_some());
        nodes.map(|node| self.size.cell(node))
    }

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
    /// the value, so rolling always ends. A unit in a wall rolls out of it.
    pub fn next_step(&self, grid: &CostGrid, cell: Cell) -> Option<PathStep> {
        self.roll(grid, cell).map(|(step, _)| step)
    }

    /// The step that a unit on `cell` takes, and the node it leads to.
    fn roll(&self, grid: &CostGrid, cell: Cell) -> Option<(PathStep, NodeId)> {
        let node = self.size.index(cell)?;
        if self.kind == Kind::From || grid.size() != self.size {
            return None;
        }
        let walks = grid.legal_moves(cell).into_iter().map(|direction| {
            let (next, cost) = grid.step(node, direction);
            (PathStep::Walk(direction), next, cost)
        });
        let links = grid.links().leading_from(node).iter().map(|link| (PathStep::Link(link.id), link.to, link.cost));
        let mut best: Option<(i64, PathStep, NodeId)> = None;
        for (step, next, cost) in walks.chain(links) {
            let Some(value) = self.raw(next).filter(|_| self.barred.binary_search(&next).is_err()) else {
                continue;
            };
            let cost = if self.kind == Kind::Sum { 0 } else { i64::from(cost.raw()) * self.scale };
            let sum = i64::from(value) + cost;
            if best.is_none_or(|(least, ..)| sum < least) {
                best = Some((sum, step, next));
            }
        }
        let (least, step, next) = best?;
        let own = self.raw(node).map(i64::from);
        let goes_down = own.is_none_or(|own| if self.kind == Kind::Sum { least < own } else { least <= own });
        goes_down.then_some((step, next))
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
        let is_best = |previous: NodeId, cost: Cost| {
            self.raw(previous).is_some_and(|value| i64::from(value) + i64::from(cost.raw()) * self.scale == own)
        };
        let walked = Direction::ALL.into_iter().find(|direction| {
            let previous = cell.step(direction.opposite());
            let step = self.size.index(previous).zip(grid.step_cost(previous, *direction));
            step.is_some_and(|(previous, cost)| is_best(previous, cost))
        });
        let linked = || grid.links().leading_to(node).iter().find(|link| is_best(link.from, link.cost));
        walked
            .map(|direction| cell.step(direction.opposite()))
            .or_else(|| linked().map(|link| self.size.cell(link.from)))
    }

    fn empty(grid: &CostGrid, kind: Kind) -> Self {
        Self {
            size: grid.size(),
            kind,
            scale: 1,
            values: vec![UNREACHED; grid.size().cells()],
            barred: Vec::new(),
            revision: grid.revision(),
        }
    }

    fn raw(&self, node: NodeId) -> Option<i32> {
        self.values.get(node as usize).copied().filter(|&value| value != UNREACHED)
    }

    /// How much a terrain unit counts.
    fn terrain_unit(&self) -> f64 {
        f64::from(Cost::STRAIGHT.raw()) * self.scale as f64
    }

    /// The largest count that is a value of at most `limit` terrain units.
    fn last_within(&self, limit: f64) -> i64 {
        // The product is rounded; what counts is the quotient that users see.
        let nearest = (limit * self.terrain_unit()).floor() as i64;
        let candidates = [nearest.saturating_add(1), nearest];
        candidates.into_iter().find(|&raw| raw as f64 / self.terrain_unit() <= limit).unwrap_or(nearest - 1)
    }

    /// Dijkstra's algorithm without a goal, from any number of cells that already have a value; no cell gets a value
    /// above `limit`.
    fn sweep(
        &mut self,
        space: &impl Space,
        mut open: BinaryHeap<Least<(i32, NodeId)>>,
        limit: i64,
    ) -> Result<(), FieldError> {
        let mut too_far = Vec::new();
        while let Some(Least((value, node))) = open.pop() {
            if self.values[node as usize] != value || self.barred.binary_search(&node).is_ok() {
                continue;
            }
            space.expand(node, None, |next, step| {
                let sum = i64::from(value) + i64::from(step.raw()) * self.scale;
                if sum > limit {
                    return;
                }
                let known = &mut self.values[next as usize];
                if sum < i64::from(*known) {
                    *known = sum as i32;
                    open.push(Least((*known, next)));
                } else if *known == UNREACHED {
                    too_far.push(next);
                }
            });
        }
        // What one way is too dear for, another may have reached.
        let overflow = too_far.into_iter().find(|&node| self.values[node as usize] == UNREACHED);
        overflow.map_or(Ok(()), |node| Err(FieldError::CostOverflow(self.size.cell(node))))
    }
}

/// A limit that a range may have.
fn range_limit(limit: f64) -> Result<f64, FieldError> {
    if limit.is_finite() && limit >= 0.0 { Ok(limit) } else { Err(FieldError::RangeLimit(limit)) }
}

/// A reduced fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    fn of_thousandths(thousandths: i64) -> Self {
        let divisor = gcd(thousandths.abs(), THOUSANDTHS);
        Self { numerator: thousandths / divisor, denominator: THOUSANDTHS / divisor }
    }
}

/// A number in thousandths, rounded; 0 for what is no number, and at most what no value can be.
fn thousandths(number: f64) -> i64 {
    let largest = f64::from(UNREACHED);
    (number * THOUSANDTHS as f64).round().clamp(-largest, largest) as i64
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least common multiple of two positive numbers, saturating.
fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a, b)).saturating_mul(b)
}

/// The nearest whole quotient, halves away from zero; `divisor` is positive.
fn rounded_div(value: i128, divisor: i128) -> i128 {
    (value.abs() + divisor / 2) / divisor * value.signum()
}

/// The value as it is stored, unless it is too large.
fn narrow(value: i128) -> Option<i32> {
    i32::try_from(value).ok().filter(|&value| value != UNREACHED)
}
