//! Maps of where to be with regard to threats: away from them, or at a distance.

use std::ops::RangeInclusive;

use super::fraction::{Fraction, rounded_quotient};
use super::sources::range_limit;
use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, FleeRule};
use crate::grid::Cell;
use crate::space::NodeId;

/// How much farther than the farthest reachable cell a refuge counts as being from every threat.
const REFUGE_MARGIN: i64 = Cost::STRAIGHT.raw() as i64;

impl DijkstraMap {
    /// Where to run from `threats`: how far away they are, turned upside down and rescanned so that fleers find the ways out.
    ///
    /// The rule is a [`FleeScale`](crate::FleeScale), or another [`FleeRule`]. Threats move as `threat_grid` lets them,
    /// fleers as `grid` does. Cells of a fleer's component that no threat can reach are the best refuge; where no threat can
    /// come at all no cell has a value, and units stand. A threat's own cell is not entered. Time: linear in the cells, most often.
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
        rule: impl Into<FleeRule>,
    ) -> Result<Self, FieldError> {
        let threats: Vec<_> = threats.into_iter().collect();
        let distance = Self::from_threats(threat_grid, grid, &threats)?;
        let size = grid.size();
        let cells = || (0..).zip(size.rect().cells());

        let mut threatened = Vec::new();
        let mut farthest = 0;
        for ((_, cell), &raw) in cells().zip(&distance.values) {
            if raw == UNREACHED {
                continue;
            }
            let Some(component) = grid.component(cell) else { continue };
            if threatened.get(component as usize) != Some(&true) {
                for label in grid.links().reach(component).into_iter().chain([component]) {
                    let label = label as usize;
                    threatened.resize(threatened.len().max(label + 1), false);
                    threatened[label] = true;
                }
            }
            farthest = farthest.max(i64::from(raw));
        }
        let refuge = farthest + REFUGE_MARGIN;
        let (safety, scale) = safety(rule.into(), refuge);

        let mut map = Self { scale, ..Self::empty(grid, Kind::Toward) };
        let is_threatened = |component: u32| threatened.get(component as usize) == Some(&true);
        for (((_, cell), &raw), value) in cells().zip(&distance.values).zip(&mut map.values) {
            if grid.component(cell).is_some_and(is_threatened) {
                let away = if raw == UNREACHED { refuge } else { i64::from(raw) };
                *value = i32::try_from(-safety(away)).map_err(|_| FieldError::CostOverflow(cell))?;
            }
        }
        map.bar(&threats);
        let seeds = map.lowest_around(grid);
        map.sweep(grid, &seeds)?;
        Ok(map)
    }

    /// Where to stand to keep a distance from `threats`: toward the nearest cell from which it is within `ring`, in terrain
    /// units of the threats' ways, both ends included. What archers want.
    ///
    /// Threats move as `threat_grid` lets them, units as `grid` does. Cells nearer than the ring lead out of it, and no unit goes
    /// through them if there is another way, however long; their values are larger than all others. A threat's own cell is not
    /// entered. If no cell is in the ring, none has a value. Time: linear in the cells, most often.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap};
    /// let map = parse_map(b".........\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let kite = DijkstraMap::kite(&grid, &grid, [Cell::new(0, 0)], 4.0..=5.0)?;
    /// let end = |x| kite.trace(&grid, Cell::new(x, 0)).unwrap().end();
    /// assert_eq!((end(1), end(8)), (Some(Cell::new(4, 0)), Some(Cell::new(5, 0))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`DijkstraMap::flee`], and if an end of the ring is negative, infinite or no number.
    pub fn kite(
        threat_grid: &CostGrid,
        grid: &CostGrid,
        threats: impl IntoIterator<Item = Cell>,
        ring: RangeInclusive<f64>,
    ) -> Result<Self, FieldError> {
        range_limit(*ring.start())?;
        range_limit(*ring.end())?;
        let threats: Vec<_> = threats.into_iter().collect();
        let distance = Self::from_threats(threat_grid, grid, &threats)?;
        let away = |node: NodeId| distance.value(grid.size().cell(node));
        let nodes = || (0..grid.size().cells() as NodeId).filter(|&node| grid.is_open(node));

        let mut map = Self::empty(grid, Kind::Toward);
        map.bar(&threats);
        let threats = map.barred.clone();
        // Whoever is farther away than the ring comes to it without passing the cells that are too near.
        let near: Vec<_> = nodes().filter(|&node| away(node).is_some_and(|away| away < *ring.start())).collect();
        map.barred.extend(&near);
        map.barred.sort_unstable();
        let is_in_ring = |&node: &NodeId| away(node).is_some_and(|away| ring.contains(&away));
        let seeds: Vec<_> = nodes().filter(is_in_ring).filter(|node| threats.binary_search(node).is_err()).collect();
        seeds.iter().for_each(|&node| map.values[node as usize] = 0);
        map.sweep(grid, &seeds)?;

        map.barred = threats;
        let outside = nodes().filter(|node| near.binary_search(node).is_err()).filter_map(|node| map.raw(node));
        let penalty = i64::from(outside.max().unwrap_or_default()) + i64::from(Cost::STRAIGHT.raw());
        let mut seeds = Vec::new();
        for node in near {
            if let Some(value) = map.raw(node) {
                let value = i32::try_from(i64::from(value) + penalty).ok().filter(|&value| value != UNREACHED);
                map.values[node as usize] = value.ok_or(FieldError::CostOverflow(grid.size().cell(node)))?;
                seeds.push(node);
            }
        }
        map.sweep(grid, &seeds)?;
        Ok(map)
    }

    /// How far the threats have to each cell.
    fn from_threats(threat_grid: &CostGrid, grid: &CostGrid, threats: &[Cell]) -> Result<Self, FieldError> {
        if threat_grid.size() != grid.size() {
            return Err(FieldError::SizeMismatch);
        }
        Self::from(threat_grid, threats.iter().copied())
    }

    /// Keeps units from entering these cells.
    fn bar(&mut self, cells: &[Cell]) {
        self.barred = cells.iter().filter_map(|&cell| self.size.index(cell)).collect();
        self.barred.sort_unstable();
        self.barred.dedup();
    }
}

/// How good it is to be so far away, for distances up to `farthest`, and in which units: this many to one of a distance.
fn safety(rule: FleeRule, farthest: i64) -> (impl Fn(i64) -> i64, i64) {
    let Fraction { numerator, denominator } = Fraction::of_thousandths(rule.scale().thousandths());
    let reach = match rule {
        FleeRule::Linear(_) => None,
        FleeRule::Saturating { reach, .. } => Some(i64::from(reach.get()) * i64::from(Cost::STRAIGHT.raw())),
    };
    // Exact in finer units where they fit, else rounded to the nearest unit.
    let is_exact = reach.is_none() && farthest.saturating_mul(numerator) < i64::from(UNREACHED);
    let safety = move |away: i64| match reach {
        None if is_exact => away * numerator,
        None => rounded_quotient(away * numerator, denominator),
        Some(reach) => rounded_quotient(rounded_quotient(reach * away, reach + away) * numerator, denominator),
    };
    (safety, if is_exact { denominator } else { 1 })
}
