//! Dijkstra maps: one computation that any number of units read.
//!
//! A [`DijkstraMap`] holds a value for every cell that can be reached. Units "roll downhill" on it:
//! toward the nearest of many sources ([`DijkstraMap::toward`]), away from threats
//! ([`DijkstraMap::flee`]), to a distance from them ([`DijkstraMap::kite`]) or along a weighted sum of desires
//! ([`DijkstraMap::weighted_sum`]). "Unreachable" is a state of its own that no arithmetic touches. When the terrain or the
//! sources change, [`DijkstraMap::repair`] computes only what depends on them.
//!
//! The idea and the flee map are described in "The Incredible Power of Dijkstra Maps" and
//! "Dijkstra Maps Visualized" on RogueBasin.

#[cfg(feature = "serde")]
mod data;
mod flee;
mod fraction;
mod open_list;
mod repair;
mod roll;
mod rows;
mod sources;
mod sum;
mod sweep;
mod values;

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, Source};
use crate::grid::{Cell, GridSize};
use crate::space::NodeId;

pub use repair::Repair;
use sources::{Limit, Sources, range_limit};

/// Marks a cell without a value. Never takes part in arithmetic: [`DijkstraMap::raw`] is the way to a value.
const UNREACHED: i32 = i32::MAX;

/// What the values of a map mean, and so how one rolls on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "data::DijkstraMapData"))]
pub struct DijkstraMap {
    size: GridSize,
    kind: Kind,
    /// The values count in 1/`scale`ths of a [`Cost`], so that -1.2 times a distance is exact.
    scale: i64,
    values: Vec<i32>,
    /// What the values begin with, where that is all that they come from.
    sources: Option<Sources>,
    /// Threats' cells, in order: they may have a value but are not entered.
    barred: Vec<NodeId>,
    /// The cells of a sum that have no lower neighbour but an equal one from which it goes on down, in order, and in
    /// how many steps.
    flats: Vec<(NodeId, u32)>,
    /// Of a sum, the revisions of its terms.
    inputs: Vec<u64>,
    revision: u64,
}

impl DijkstraMap {
    /// The cost of the way from each cell to its nearest source: what units roll down.
    ///
    /// A source in a wall attracts nobody, since it cannot be entered. Without sources no cell has a value.
    /// Time: linear in the cells, most often.
    ///
    /// # Errors
    /// If a source is outside the map or its value is unusable, or a cell's value cannot be represented.
    pub fn toward<S: Into<Source>>(grid: &CostGrid, sources: impl IntoIterator<Item = S>) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::Toward, &collected(sources), Limit::NONE)
    }

    /// As [`DijkstraMap::toward`], but only cells whose value is at most `limit` have one: who gets there in time.
    ///
    /// `limit` is in terrain units. A unit on any other cell stands, unless it is next to a cell with a value.
    /// Time: linear in the cells with a value, and the allocation of the map.
    ///
    /// # Errors
    /// As for [`DijkstraMap::from_within`].
    pub fn toward_within<S: Into<Source>>(
        grid: &CostGrid,
        sources: impl IntoIterator<Item = S>,
        limit: f64,
    ) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::Toward, &collected(sources), range_limit(limit)?)
    }

    /// The cost of the way from the nearest source to each cell: movement range, danger.
    ///
    /// Differs from [`DijkstraMap::toward`] since a step costs what the cell *entered* costs. A source in a wall counts:
    /// it can be left. Time: linear in the cells, most often.
    ///
    /// # Errors
    /// As for [`DijkstraMap::toward`].
    pub fn from<S: Into<Source>>(grid: &CostGrid, sources: impl IntoIterator<Item = S>) -> Result<Self, FieldError> {
        Self::from_sources(grid, Kind::From, &collected(sources), Limit::NONE)
    }

    /// As [`DijkstraMap::from`], but only cells whose value is at most `limit` have one: a unit's movement range.
    ///
    /// `limit` is in terrain units and compared with [`DijkstraMap::value`]: a diagonal step costs a little more there than
    /// [`f64::consts::SQRT_2`](std::f64::consts::SQRT_2), by 6e-8. A source whose value is above the limit has none.
    /// Time: linear in the cells with a value, and the allocation of the map; the search goes no farther.
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
        Self::from_sources(grid, Kind::From, &collected(sources), range_limit(limit)?)
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// How much memory the values take, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.values.as_slice())
    }

    /// The revision of the map that the values hold for; of a sum, the oldest one.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Of a sum, the revisions of the maps that it was made of, in their order.
    pub fn inputs(&self) -> &[u64] {
        &self.inputs
    }

    /// The value of a cell in terrain units; `None` where it has none, or is outside the map.
    #[inline]
    pub fn value(&self, cell: Cell) -> Option<f64> {
        let raw = self.raw(self.size.index(cell)?)?;
        Some(f64::from(raw) / self.terrain_unit())
    }

    /// The cells that have a value, row by row: what a game highlights.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let nodes = (0..self.size.cells() as NodeId).filter(|&node| self.raw(node).is_some());
        nodes.map(|node| self.size.cell(node))
    }

    fn empty(grid: &CostGrid, kind: Kind) -> Self {
        Self {
            size: grid.size(),
            kind,
            scale: 1,
            values: vec![UNREACHED; grid.size().cells()],
            sources: None,
            barred: Vec::new(),
            flats: Vec::new(),
            inputs: Vec::new(),
            revision: grid.revision(),
        }
    }

    #[inline]
    fn raw(&self, node: NodeId) -> Option<i32> {
        self.values.get(node as usize).copied().filter(|&value| value != UNREACHED)
    }

    /// How much a terrain unit counts.
    #[inline]
    fn terrain_unit(&self) -> f64 {
        f64::from(Cost::STRAIGHT.raw()) * self.scale as f64
    }
}

fn collected<S: Into<Source>>(sources: impl IntoIterator<Item = S>) -> Vec<Source> {
    sources.into_iter().map(Into::into).collect()
}
