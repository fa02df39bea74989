//! Smooth noise.

use rand::Rng;
use wayfield::Cell;

/// Smooth random values from 0 to 1: random points on a lattice, and smooth slopes between.
pub struct Noise {
    points: Vec<f32>,
    columns: usize,
    spacing: f32,
}

impl Noise {
    /// Noise for a map whose longer side has `longest` cells, with points `spacing` cells apart.
    pub fn new(rng: &mut impl Rng, longest: u32, spacing: u32) -> Self {
        let columns = (longest / spacing + 2) as usize;
        Self { points: (0..columns * columns).map(|_| rng.random()).collect(), columns, spacing: spacing as f32 }
    }

    /// The value at a cell of that map.
    pub fn at(&self, cell: Cell) -> f32 {
        let (x, y) = (cell.x as f32 / self.spacing, cell.y as f32 / self.spacing);
        let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
        let (column, row) = (x as usize, y as usize);
        let (right, down) = (smooth(x.fract()), smooth(y.fract()));
        let point = |dx, dy| self.points.get((row + dy) * self.columns + column + dx).copied().unwrap_or_default();
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        mix(mix(point(0, 0), point(1, 0), right), mix(point(0, 1), point(1, 1), right), down)
    }
}
