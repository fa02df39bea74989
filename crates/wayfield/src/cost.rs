//! Costs: fixed point inside, terrain units outside.
//!
//! A step costs the entering cost of the cell stepped into times the step's length, 1 or sqrt 2.
//! Inside a search that is a whole number of [`Cost`] units, so that the same input gives the same
//! answer bit for bit. The pair 2378 : 3363 is a convergent of 1 : sqrt 2, off by 6e-8: values read
//! straight from a field are right to six decimals, and on real maps the cheapest path in whole
//! numbers is the cheapest path. The price is range: about 1.8 million terrain units, which is
//! 7,082 straight steps over the dearest terrain. A path beyond that is the typed answer
//! "cost overflow", never a wrong number; all additions go through [`Cost::checked_add`]
//! or [`Cost::saturating_add`].

use std::num::NonZeroU8;

/// What a path, a step or an estimate costs, in fixed point.
///
/// ```
/// use wayfield::Cost;
/// assert_eq!(Cost::STRAIGHT.to_units(), 1.0);
/// assert!((Cost::DIAGONAL.to_units() - 2f64.sqrt()).abs() < 1e-7);
/// assert_eq!(Cost::MAX.checked_add(Cost::STRAIGHT), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(u32);

impl Cost {
    /// No cost.
    pub const ZERO: Self = Self(0);
    /// A straight step into a cell of cost 1: one terrain unit.
    pub const STRAIGHT: Self = Self(2378);
    /// A diagonal step into a cell of cost 1: sqrt 2 terrain units.
    pub const DIAGONAL: Self = Self(3363);
    /// More than any cost: stands for what cannot be represented.
    pub const MAX: Self = Self(u32::MAX);

    /// A cost of `raw` fixed-point units.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The fixed-point units.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The sum, or `None` where it cannot be represented; [`Cost::MAX`] stands for "cannot be represented" itself.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(u32::MAX) | None => None,
            Some(sum) => Some(Self(sum)),
        }
    }

    /// The sum, at most [`Cost::MAX`], which stands for "cannot be represented".
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// `factor` times this cost, at most [`Cost::MAX`]. For estimates: saturating keeps them low.
    pub const fn saturating_mul(self, factor: u32) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// In terrain units.
    pub fn to_units(self) -> f64 {
        f64::from(self.0) / f64::from(Self::STRAIGHT.0)
    }
}

/// The exact cost of a path: what its straight steps, its diagonal steps and its links cost, summed apart.
///
/// This is what users are shown; unlike [`Cost`] it has no rounding and no practical limit.
///
/// ```
/// use wayfield::PathCost;
/// let cost = PathCost { straight: 3, diagonal: 2, links: 10 };
/// assert_eq!(cost.units(), 3.0 + 2.0 * 2f64.sqrt() + 10.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct PathCost {
    /// Sum of the entering costs of the straight steps, times their slopes and fences.
    pub straight: u64,
    /// Sum of the entering costs of the diagonal steps, times their slopes and fences.
    pub diagonal: u64,
    /// Sum of the costs of the links.
    #[cfg_attr(feature = "serde", serde(default))]
    pub links: u64,
}

impl PathCost {
    /// In terrain units: `straight + diagonal * sqrt 2 + links`.
    pub fn units(self) -> f64 {
        self.straight as f64 + self.links as f64 + self.diagonal as f64 * std::f64::consts::SQRT_2
    }

    /// In the fixed-point units that searches count in.
    pub(crate) const fn whole(self) -> u64 {
        let straight = (self.straight.saturating_add(self.links)).saturating_mul(Cost::STRAIGHT.0 as u64);
        straight.saturating_add(self.diagonal.saturating_mul(Cost::DIAGONAL.0 as u64))
    }

    /// The sum, at most the largest number in each part.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            straight: self.straight.saturating_add(other.straight),
            diagonal: self.diagonal.saturating_add(other.diagonal),
            links: self.links.saturating_add(other.links),
        }
    }
}

/// What entering a cell of some terrain costs a movement class: a whole number from 1 to 255.
///
/// "Forbidden" is not a cost: it is the absence of one, `None::<TerrainCost>`.
///
/// ```
/// use wayfield::TerrainCost;
/// assert_eq!(TerrainCost::try_from(255).unwrap().get(), 255);
/// assert!(TerrainCost::try_from(0).is_err());
/// assert!(TerrainCost::try_from(-3).is_err());
/// assert!(TerrainCost::try_from(256).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainCost(NonZeroU8);

impl TerrainCost {
    /// The number.
    pub const fn get(self) -> u8 {
        self.0.get()
    }
}

/// A terrain cost outside 1 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a terrain cost is a whole number from 1 to 255, not {0}")]
pub struct TerrainCostError(pub i64);

impl TryFrom<i64> for TerrainCost {
    type Error = TerrainCostError;

    fn try_from(cost: i64) -> Result<Self, Self::Error> {
        u8::try_from(cost).ok().and_then(NonZeroU8::new).map(Self).ok_or(TerrainCostError(cost))
    }
}
