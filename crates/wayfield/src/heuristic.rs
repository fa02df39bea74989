//! Estimates of the way between two cells.

use crate::cost::Cost;
use crate::grid::Cell;
use crate::terrain::CornerRule;

/// An estimate of the length of the way between two cells, as if all terrain were plain.
///
/// A search multiplies it by the map's cheapest entering cost, never by the cost of one cell,
/// so that it stays below the true cost.
///
/// ```
/// use wayfield::{Cell, Heuristic};
/// let (a, b) = (Cell::new(0, 0), Cell::new(4, 2));
/// assert_eq!(Heuristic::Manhattan.estimate(a, b).to_units(), 6.0);
/// assert!((Heuristic::Octile.estimate(a, b).to_units() - 4.828427).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Heuristic {
    /// 0: A* becomes Dijkstra's algorithm.
    Zero,
    /// |dx| + |dy|: exact for four directions, too much for eight.
    Manhattan,
    /// The straight line.
    Euclidean,
    /// Exact for eight directions on plain ground: max + (sqrt 2 - 1) * min.
    Octile,
    /// max(|dx|, |dy|).
    Chebyshev,
}

impl Heuristic {
    /// All five.
    pub const ALL: [Self; 5] = [Self::Zero, Self::Manhattan, Self::Euclidean, Self::Octile, Self::Chebyshev];

    /// The best admissible one under a corner rule; also *the distance of the rule*.
    pub const fn of_rule(rule: CornerRule) -> Self {
        match rule {
            CornerRule::Never => Self::Manhattan,
            CornerRule::Always | CornerRule::AtLeastOneFree | CornerRule::BothFree => Self::Octile,
        }
    }

    /// Whether it never overestimates under a corner rule; if it does, A* may miss the cheapest path.
    pub const fn is_admissible(self, rule: CornerRule) -> bool {
        !matches!(
            (self, rule),
            (Self::Manhattan, CornerRule::Always | CornerRule::AtLeastOneFree | CornerRule::BothFree)
        )
    }

    /// The estimate between two cells on terrain of cost 1. Saturates for cells that no map can hold.
    #[inline]
    pub fn estimate(self, from: Cell, to: Cell) -> Cost {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let (short, long) = (dx.min(dy), dx.max(dy));
        match self {
            Self::Zero => Cost::ZERO,
            Self::Manhattan => Cost::STRAIGHT.saturating_mul(dx.saturating_add(dy)),
            Self::Chebyshev => Cost::STRAIGHT.saturating_mul(long),
            Self::Octile => {
                let diagonal = Cost::DIAGONAL.saturating_mul(short);
                let straight = Cost::STRAIGHT.saturating_mul(long - short);
                diagonal.checked_add(straight).unwrap_or(Cost::MAX)
            }
            Self::Euclidean => {
                // Rounded down, and sqrt 2 is below the ratio of the two step costs: never above octile.
                let square = |d: u32| u128::from(d) * u128::from(d);
                let unit = square(Cost::STRAIGHT.raw());
                let length = ((square(dx) + square(dy)) * unit).isqrt();
                u32::try_from(length).map_or(Cost::MAX, Cost::from_raw)
            }
        }
    }

    /// What the longer and the shorter of the two distances, in columns and in rows, count for, if the estimate is a sum of
    /// them: what [`Heuristic::estimate`] says, for cells that are on a map and so never far enough apart to saturate.
    #[inline]
    pub(crate) const fn weights(self) -> Option<(u32, u32)> {
        let straight = Cost::STRAIGHT.raw();
        match self {
            Self::Zero => Some((0, 0)),
            Self::Manhattan => Some((straight, straight)),
            Self::Chebyshev => Some((straight, 0)),
            Self::Octile => Some((straight, Cost::DIAGONAL.raw() - straight)),
            Self::Euclidean => None,
        }
    }

    /// The name that the command line and the panel use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Manhattan => "manhattan",
            Self::Euclidean => "euclidean",
            Self::Octile => "octile",
            Self::Chebyshev => "chebyshev",
        }
    }
}
