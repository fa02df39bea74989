//! Weights: whole units inside, numbers outside.

use crate::cost::Cost;
use crate::graph::EdgeId;
use crate::space::NodeId;

/// The most units a weight may have, either way.
pub const MAX_WEIGHT: i32 = i32::MAX;

/// A weight in whole units, or "closed".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weight(i32);

impl Weight {
    /// No way through: below every weight, so that one comparison with zero finds what a search may take.
    pub const CLOSED: Self = Self(i32::MIN);
    pub const ZERO: Self = Self(0);

    /// A weight of so many units; `None` beyond [`MAX_WEIGHT`].
    pub fn from_units(units: i32) -> Option<Self> {
        (units >= -MAX_WEIGHT).then_some(Self(units))
    }

    /// A number, rounded to the nearest unit but never to zero; `None` if it is no number or too large.
    pub fn from_number(number: f64, scale: u32) -> Option<Self> {
        let exact = number * f64::from(scale);
        let whole = if exact.abs() < 1.0 && exact != 0.0 { exact.signum() } else { exact.round() };
        (whole.abs() <= f64::from(MAX_WEIGHT)).then_some(Self(whole as i32))
    }

    /// The units; `None` while it is closed.
    #[inline]
    pub fn units(self) -> Option<i32> {
        (self != Self::CLOSED).then_some(self.0)
    }

    /// The number; `None` while it is closed.
    pub fn number(self, scale: u32) -> Option<f64> {
        self.units().map(|units| f64::from(units) / f64::from(scale))
    }

    /// What a step costs; `None` while it is closed, or if it is negative.
    #[inline]
    pub fn cost(self) -> Option<Cost> {
        u32::try_from(self.0).ok().map(Cost::from_raw)
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0 && self != Self::CLOSED
    }
}

/// One end of an edge: the node at the other end, and the weight. 8 bytes side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub node: NodeId,
    pub weight: Weight,
}

/// What an edge adds to the fingerprint of its graph.
pub(super) fn fingerprint_of(id: EdgeId, from: NodeId, to: NodeId, weight: Weight) -> u64 {
    let ends = u64::from(from) << 32 | u64::from(to);
    let rest = u64::from(id) << 32 | u64::from(weight.0.cast_unsigned());
    mixed(mixed(ends).wrapping_add(rest))
}

/// The finishing steps of SplitMix64 (Steele, Lea and Flood 2014): every bit depends on every other one.
pub(super) const fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_but_never_to_zero() {
        let units = |number| Weight::from_number(number, 1024).and_then(Weight::units);
        assert_eq!([0.0, -0.0, 1.0, 1e-9, -1e-9, 0.0015].map(units), [0, 0, 1024, 1, -1, 2].map(Some));
        assert_eq!(units(f64::from(MAX_WEIGHT) / 1024.0), Some(MAX_WEIGHT));
        assert_eq!(units(f64::from(-MAX_WEIGHT) / 1024.0), Some(-MAX_WEIGHT));
        for number in [2_097_152.0, -2_097_152.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            assert_eq!(units(number), None, "{number}");
        }
        assert_eq!(Weight::from_units(i32::MIN), None);
    }

    #[test]
    fn only_open_weights_that_are_not_negative_are_costs() {
        assert_eq!(Weight(7).cost(), Some(Cost::from_raw(7)));
        assert_eq!((Weight(-7).cost(), Weight::CLOSED.cost()), (None, None));
        assert!(Weight(-7).is_negative() && !Weight::CLOSED.is_negative() && !Weight::ZERO.is_negative());
    }
}
