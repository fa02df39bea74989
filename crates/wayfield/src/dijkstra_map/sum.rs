//! Weighted sums of maps, and where they are flat.

use super::fraction::{Fraction, gcd, lcm, narrow, rounded_quotient};
use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, THOUSANDTHS};
use crate::space::{NodeId, Reversible};

impl DijkstraMap {
    /// The cell by cell sum of maps times weights, for desires: treasure minus half the danger.
    ///
    /// A cell has a value where all maps have one; threats of a flee map among them are not entered. Weights are rounded to thousandths. A sum may be flat and
    /// may have hollows where units stop; sources with values of their own ([`Source::value`](crate::Source::value)) have neither.
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
                Some(sum + rounded_quotient(value, i128::from(weight.denominator * map.scale)))
            })
        };
        let nodes = 0..first.size.cells() as NodeId;
        // Exact in finer units where they fit, else rounded to the nearest unit.
        let finest = parts.iter().fold(1, |scale, (map, weight)| lcm(scale, map.needed_scale() * weight.denominator));
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
        let inputs = parts.iter().map(|(map, _)| map.revision).collect();
        let (size, kind, sources, flats) = (first.size, Kind::Sum, None, Vec::new());
        Ok(Self { size, kind, scale, values, sources, barred, flats, inputs, revision })
    }

    /// Finds, for units that move as `grid` lets them, the ways across the flats of a sum: from a cell without a lower neighbour
    /// over cells of the same value to the nearest one that has one.
    ///
    /// Without this units stop on every flat; with it only on those that lead nowhere, and in hollows. Other maps have no
    /// flats. Time: linear in the cells. (As rivers are led over flats of elevation models: Barnes, Lehman and Mulla,
    /// "An efficient assignment of drainage direction over flat surfaces", 2014.)
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap};
    /// let map = parse_map(b".......\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let [left, middle] = [0, 3].map(|x| DijkstraMap::toward(&grid, [Cell::new(x, 0)]));
    /// // 3 3 3 3 5 7 9
    /// let mut sum = DijkstraMap::weighted_sum(&[(&left?, 1.0), (&middle?, 1.0)])?;
    /// sum.drain_flats(&grid);
    /// assert_eq!(sum.downhill(&grid, Cell::new(1, 0)), None, "all along that flat there is nothing lower");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drain_flats(&mut self, grid: &CostGrid) {
        self.flats.clear();
        if self.kind != Kind::Sum || grid.size() != self.size {
            return;
        }
        let mut goes_down = Vec::with_capacity(self.size.cells());
        self.visit_downhill(grid, self.size.rect(), |_, ways, link| goes_down.push(!ways.is_empty() || link.is_some()));
        let is_open_flat = |node: NodeId| !goes_down[node as usize] && self.raw(node).is_some();
        let mut steps = vec![0; self.size.cells()];
        let ends = (0..self.size.cells() as NodeId).filter(|&node| goes_down[node as usize] && self.can_enter(node));
        let mut front: Vec<_> = ends.collect();
        let mut flats = Vec::new();
        for across in 1.. {
            let mut next = Vec::new();
            for node in front {
                grid.expand_back(node, |previous, _| {
                    if is_open_flat(previous) && steps[previous as usize] == 0 && self.raw(previous) == self.raw(node) {
                        steps[previous as usize] = across;
                        next.push(previous);
                    }
                });
            }
            if next.is_empty() {
                break;
            }
            flats.extend(next.iter().map(|&node| (node, across)));
            front = next.into_iter().filter(|&node| self.can_enter(node)).collect();
        }
        flats.sort_unstable();
        self.flats = flats;
    }

    /// The scale that the values need to be exact: a sum depends on them only, not on how they came to be.
    fn needed_scale(&self) -> i64 {
        let mut spare = self.scale;
        for &value in self.values.iter().filter(|&&value| value != UNREACHED) {
            if spare == 1 {
                break;
            }
            spare = gcd(spare, i64::from(value).abs());
        }
        self.scale / spare
    }

    /// Whether units may step into a node that has a value.
    fn can_enter(&self, node: NodeId) -> bool {
        self.raw(node).is_some() && self.barred.binary_search(&node).is_err()
    }

    /// In how many steps a unit gets from a cell of a flat to one from which it goes down; 0 elsewhere.
    pub(super) fn steps_across_flat(&self, node: NodeId) -> u32 {
        let place = self.flats.binary_search_by_key(&node, |&(node, _)| node);
        place.ok().and_then(|place| self.flats.get(place)).map_or(0, |&(_, steps)| steps)
    }
}
