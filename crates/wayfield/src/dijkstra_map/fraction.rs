//! Whole numbers for the fractions that values, weights and scales are.

use std::ops::{Add, Div, Sub};

use super::UNREACHED;
use crate::field_input::THOUSANDTHS;

/// A reduced fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fraction {
    pub numerator: i64,
    pub denominator: i64,
}

impl Fraction {
    pub fn of_thousandths(thousandths: i64) -> Self {
        let divisor = gcd(thousandths.abs(), THOUSANDTHS);
        Self { numerator: thousandths / divisor, denominator: THOUSANDTHS / divisor }
    }
}

/// A number in thousandths, rounded; 0 for what is no number, and at most what no value can be.
pub(super) fn thousandths(number: f64) -> i64 {
    let largest = f64::from(UNREACHED);
    (number * THOUSANDTHS as f64).round().clamp(-largest, largest) as i64
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least common multiple of two positive numbers, saturating.
pub(super) fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a, b)).saturating_mul(b)
}

/// The nearest whole quotient, halves away from zero; `divisor` is positive.
pub(super) fn rounded_quotient<T>(value: T, divisor: T) -> T
where
    T: Copy + From<i32> + PartialOrd + Add<Output = T> + Sub<Output = T> + Div<Output = T>,
{
    let half = divisor / T::from(2);
    if value < T::from(0) { (value - half) / divisor } else { (value + half) / divisor }
}

/// The value as it is stored, unless it is too large.
pub(super) fn narrow(value: i128) -> Option<i32> {
    i32::try_from(value).ok().filter(|&value| value != UNREACHED)
}
