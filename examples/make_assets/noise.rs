//! Noise from an integer hash, which is the same on every machine.

use crate::SIZE;
use crate::picture::Rgb;

pub(crate) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h =
        (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^ (h >> 15)
}

/// A number from 0 to 1 for a point of the lattice.
pub(crate) fn random(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / 16_777_215.0
}

/// Smooth noise from 0 to 1 that repeats after a tile; `knots` is how many bumps fit along its side.
pub(crate) fn noise(x: f32, y: f32, knots: i32, seed: u32) -> f32 {
    let (u, v) = (x * knots as f32 / SIZE as f32, y * knots as f32 / SIZE as f32);
    let (i, j) = (u.floor(), v.floor());
    let (s, t) = (smooth(u - i), smooth(v - j));
    let knot = |di: i32, dj: i32| random((i as i32 + di).rem_euclid(knots), (j as i32 + dj).rem_euclid(knots), seed);
    mix(mix(knot(0, 0), knot(1, 0), s), mix(knot(0, 1), knot(1, 1), s), t)
}

/// Noise that is the same along the edge for every variant, so that any variant may lie beside any other.
pub(crate) fn variant_noise(x: i32, y: i32, knots: i32, seed: u32, variant: u32) -> f32 {
    let (px, py) = (x as f32, y as f32);
    let shared = noise(px, py, knots, seed);
    let own = noise(px, py, knots, seed + 17 * (variant + 1));
    let edge = x.min(SIZE - 1 - x).min(y).min(SIZE - 1 - y) as f32;
    mix(shared, own, ((edge - 1.0) / 6.0).clamp(0.0, 1.0))
}

pub(crate) fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

pub(crate) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// The colour of the palette for a number from 0 to 1.
pub(crate) fn pick(palette: &[Rgb], t: f32) -> Rgb {
    let last = palette.len() - 1;
    palette[((t * palette.len() as f32).max(0.0) as usize).min(last)]
}
