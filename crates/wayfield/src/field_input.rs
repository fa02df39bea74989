//! What Dijkstra maps are computed from: sources, and the scale of a flee map; and why they cannot be.

use std::num::NonZeroU16;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::grid::{Cell, GridSize};

/// The finest step in which the weights of a sum and the scale of a flee map are kept.
pub(crate) const THOUSANDTHS: i64 = 1000;

/// A cell from which a map is computed, and the value it begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// The cell.
    pub cell: Cell,
    /// Its value in terrain units; less is more attractive.
    pub value: f64,
}

impl From<Cell> for Source {
    fn from(cell: Cell) -> Self {
        Self { cell, value: 0.0 }
    }
}

/// Why a Dijkstra map cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FieldError {
    /// A source or a threat is outside the map.
    #[error("the source {cell} is outside the map of {} x {}", size.width(), size.height())]
    OutOfBounds {
        /// The source.
        cell: Cell,
        /// The size of the map.
        size: GridSize,
    },
    /// A source value is no number, or too large.
    #[error("the value {value} of the source {cell} is not a usable number")]
    SourceValue {
        /// The source.
        cell: Cell,
        /// Its value.
        value: f64,
    },
    /// A value that is given for a cell is no number, or too large.
    #[error("the value {value} of cell {cell} is not a usable number")]
    Value {
        /// The cell.
        cell: Cell,
        /// Its value.
        value: f64,
    },
    /// A weight of a sum is no number, or too large.
    #[error("the weight {0} is not a number within -1000 to 1000")]
    SumWeight(f64),
    /// The limit of a range is negative, infinite or no number.
    #[error("the limit of a range is a number from 0 up, not {0}")]
    RangeLimit(f64),
    /// A flee scale is not positive, too large, or no number.
    #[error("a flee scale is a number above 0, at most 1000, not {0}")]
    FleeScale(f64),
    /// Two grids or maps that are to be combined differ in size, or there is none.
    #[error("the maps to combine differ in size, or there is none")]
    SizeMismatch,
    /// The value of a cell is larger than can be represented.
    #[error("the value of cell {0} is larger than can be represented")]
    CostOverflow(Cell),
}

/// The k of a flee map: how much farther a unit runs than a threat must to catch up. In thousandths; 1.2 by default.
///
/// The larger, the more readily a unit breaks out past a threat instead of cowering in a dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(opaque, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct FleeScale(u32);

impl FleeScale {
    /// A scale, rounded to the nearest thousandth.
    ///
    /// # Errors
    /// If it is not above 0 or above 1000.
    pub fn new(scale: f64) -> Result<Self, FieldError> {
        let thousandths = (scale * THOUSANDTHS as f64).round();
        if (1.0..=1e6).contains(&thousandths) {
            Ok(Self(thousandths as u32))
        } else {
            Err(FieldError::FleeScale(scale))
        }
    }

    /// The number in thousandths.
    pub(crate) fn thousandths(self) -> i64 {
        i64::from(self.0)
    }

    /// The number.
    pub fn get(self) -> f64 {
        f64::from(self.0) / THOUSANDTHS as f64
    }
}

/// How the safety of a cell grows with its distance d from the nearest threat, in terrain units.
///
/// ```
/// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, FleeRule};
/// let map = parse_map(b"..........................\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let flee = DijkstraMap::flee(&grid, &grid, [Cell::new(0, 0)], FleeRule::SATURATING)?;
/// // 3 * 50 * 25 / (50 + 25)
/// assert!((flee.value(Cell::new(25, 0)).unwrap() + 50.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FleeRule {
    /// k d: what is far away pulls as hard as what is near.
    Linear(FleeScale),
    /// k r d / (r + d): steep near the threat and flat far away, where a corner twice as far is hardly better. Values are
    /// rounded to 1/2378 terrain unit.
    Saturating {
        /// The k.
        scale: FleeScale,
        /// The r: at this distance half of the greatest safety is reached, in terrain units.
        reach: NonZeroU16,
    },
}

impl FleeRule {
    /// Saturating, with k = 3 and r = 50: the safety map of the game Brogue. It pulls harder than the distance grows up to 37
    /// steps from a threat.
    pub const SATURATING: Self = Self::Saturating { scale: FleeScale(3000), reach: NonZeroU16::new(50).unwrap() };

    /// The k.
    pub const fn scale(self) -> FleeScale {
        let (Self::Linear(scale) | Self::Saturating { scale, .. }) = self;
        scale
    }

    /// The same with another k.
    #[must_use]
    pub const fn with_scale(self, scale: FleeScale) -> Self {
        match self {
            Self::Linear(_) => Self::Linear(scale),
            Self::Saturating { reach, .. } => Self::Saturating { scale, reach },
        }
    }
}

impl From<FleeScale> for FleeRule {
    fn from(scale: FleeScale) -> Self {
        Self::Linear(scale)
    }
}

impl Default for FleeRule {
    fn default() -> Self {
        Self::Linear(FleeScale::default())
    }
}

impl TryFrom<f64> for FleeScale {
    type Error = FieldError;

    fn try_from(scale: f64) -> Result<Self, FieldError> {
        Self::new(scale)
    }
}

impl From<FleeScale> for f64 {
    fn from(scale: FleeScale) -> Self {
        scale.get()
    }
}

impl Default for FleeScale {
    fn default() -> Self {
        Self(1200)
    }
}
