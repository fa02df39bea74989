//! Maps from sources: the cells that have a value to begin with, and the ways from or to them.

use super::fraction::{Fraction, lcm, thousandths};
use super::sweep::Sweep;
use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, Source, THOUSANDTHS};
use crate::space::NodeId;

/// What a map was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sources {
    /// The sources and their values, as the map counts them, by node, each once.
    pub values: Vec<(NodeId, i32)>,
    /// No cell has a value above it.
    pub limit: Limit,
    /// The finest units that the values of the sources ask for.
    pub finest: i64,
}

/// How large values may be, in terrain units; infinite if as large as can be represented.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Option<f64>", try_from = "Option<f64>"))]
pub(super) struct Limit(f64);

/// Not every format has a way to write what is infinite.
impl From<Limit> for Option<f64> {
    fn from(limit: Limit) -> Self {
        Some(limit.0).filter(|limit| limit.is_finite())
    }
}

impl TryFrom<Option<f64>> for Limit {
    type Error = FieldError;

    fn try_from(limit: Option<f64>) -> Result<Self, FieldError> {
        limit.map_or(Ok(Self::NONE), range_limit)
    }
}

impl PartialEq for Limit {
    fn eq(&self, other: &Self) -> bool {
        self.0.total_cmp(&other.0).is_eq()
    }
}

impl Eq for Limit {}

/// A limit that a range may have.
pub(super) fn range_limit(limit: f64) -> Result<Limit, FieldError> {
    if limit.is_finite() && limit >= 0.0 { Ok(Limit(limit)) } else { Err(FieldError::RangeLimit(limit)) }
}

impl Limit {
    /// For a whole map.
    pub const NONE: Self = Self(f64::INFINITY);

    /// The largest count that is a value within the limit, of `unit` counts in a terrain unit.
    pub fn last_within(self, unit: f64) -> i64 {
        // The product is rounded; what counts is the quotient that users see.
        let nearest = (self.0 * unit).floor() as i64;
        let candidates = [nearest.saturating_add(1), nearest];
        candidates.into_iter().find(|&raw| raw as f64 / unit <= self.0).unwrap_or(nearest - 1)
    }
}

impl Sources {
    /// The value of a node that is a source.
    pub fn value(&self, node: NodeId) -> Option<i32> {
        let place = self.values.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        self.values.get(place).map(|&(_, value)| value)
    }
}

impl DijkstraMap {
    pub(super) fn from_sources(
        grid: &CostGrid,
        kind: Kind,
        sources: &[Source],
        limit: Limit,
    ) -> Result<Self, FieldError> {
        let finest = finest_units(sources);
        match Self::from_sources_in(grid, kind, sources, finest, limit) {
            // Where these units are too fine for the values, the nearest whole ones.
            Err(FieldError::CostOverflow(_) | FieldError::SourceValue { .. }) if finest > 1 => {
                let map = Self::from_sources_in(grid, kind, sources, 1, limit)?;
                Ok(Self { sources: map.sources.map(|sources| Sources { finest, ..sources }), ..map })
            }
            result => result,
        }
    }

    fn from_sources_in(
        grid: &CostGrid,
        kind: Kind,
        sources: &[Source],
        scale: i64,
        limit: Limit,
    ) -> Result<Self, FieldError> {
        let mut map = Self { scale, ..Self::empty(grid, kind) };
        let values = map.count(sources)?;
        map.sources = Some(Sources { values, limit, finest: scale });
        let seeds = map.sources.iter().flat_map(|sources| &sources.values);
        let seeds: Vec<_> = seeds.map(|&(node, _)| (node, map.own(grid, node))).collect();
        for &(node, value) in &seeds {
            map.values[node as usize] = value;
        }
        let seeds: Vec<_> = seeds.iter().filter(|&&(_, value)| value != UNREACHED).map(|&(node, _)| node).collect();
        map.sweep(grid, &seeds)?;
        Ok(map)
    }

    /// The sources by node, with the least of their values, as this map counts.
    pub(super) fn count(&self, sources: &[Source]) -> Result<Vec<(NodeId, i32)>, FieldError> {
        let mut values = Vec::with_capacity(sources.len());
        for &Source { cell, value } in sources {
            let node = self.size.index(cell).ok_or(FieldError::OutOfBounds { cell, size: self.size })?;
            let raw = (value * f64::from(Cost::STRAIGHT.raw()) * self.scale as f64).round();
            if !raw.is_finite() || raw.abs() >= f64::from(UNREACHED) {
                return Err(FieldError::SourceValue { cell, value });
            }
            values.push((node, raw as i32));
        }
        values.sort_unstable();
        values.dedup_by_key(|&mut (node, _)| node);
        Ok(values)
    }

    /// What a node has as a source; [`UNREACHED`] if it is none that counts.
    pub(super) fn own(&self, grid: &CostGrid, node: NodeId) -> i32 {
        let value = self.sources.as_ref().and_then(|sources| sources.value(node));
        // A source in a wall attracts nobody, but can be left.
        let counts =
            |&value: &i32| (self.kind == Kind::From || grid.is_open(node)) && i64::from(value) <= self.last_value();
        value.filter(counts).unwrap_or(UNREACHED)
    }

    /// The largest value that a cell may have.
    pub(super) fn last_value(&self) -> i64 {
        let limit = self.sources.as_ref().map_or(Limit::NONE, |sources| sources.limit);
        limit.last_within(self.terrain_unit())
    }

    /// Lowers the values to those of the cheapest ways from `seeds`, which have theirs.
    pub(super) fn sweep(&mut self, grid: &CostGrid, seeds: &[NodeId]) -> Result<(), FieldError> {
        let limit = self.last_value();
        let Self { size, kind, scale, ref mut values, ref barred, .. } = *self;
        let swept = match kind {
            Kind::From => Sweep::<false>::new(grid, scale, limit, barred, values).run(seeds),
            Kind::Toward | Kind::Sum => Sweep::<true>::new(grid, scale, limit, barred, values).run(seeds),
        };
        swept.map_err(|node| FieldError::CostOverflow(size.cell(node)))
    }
}

/// Units in which the values of sources are whole, if they are thousandths.
pub(super) fn finest_units(sources: &[Source]) -> i64 {
    let fractions = sources.iter().map(|source| Fraction::of_thousandths(thousandths(source.value)));
    fractions.fold(1, |scale, fraction| lcm(scale, fraction.denominator)).min(THOUSANDTHS)
}
