//! `--png`: a heat map with iso-lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Encoder, EncodingError};
use wayfield::{Cell, CostGrid, DijkstraMap, GridSize};

use crate::args::PictureArgs;
use crate::error::CliError;

/// What the longer side of a small map is enlarged to, in pixels.
const WANTED_SIDE: u32 = 512;
/// A cell is not enlarged to more than this by itself.
const MOST_PIXELS: u32 = 32;
/// The largest picture: the largest map, a pixel a cell.
const MAX_AREA: u64 = GridSize::MAX_SIDE as u64 * GridSize::MAX_SIDE as u64;
/// About how many lines there are, if nothing is said.
const WANTED_LINES: f64 = 10.0;

/// The places of the palette that are no value.
const WALL: u8 = 0;
const NO_VALUE: u8 = 1;
/// A line over a dark colour and one over a bright one.
const BRIGHT_LINE: u8 = 2;
const DARK_LINE: u8 = 3;
/// The colour of the lowest value; those of higher ones follow.
const LOWEST: u8 = 4;
const HIGHEST: u8 = u8::MAX;
/// The colours from here on are bright.
const BRIGHT: u8 = 150;

/// Draws a field into a file.
pub fn draw(field: &DijkstraMap, grid: &CostGrid, args: &PictureArgs, path: &Path) -> Result<(), CliError> {
    let size = grid.size();
    let fitting = WANTED_SIDE / size.width().max(size.height());
    let pixels = args.pixels.unwrap_or_else(|| fitting.clamp(1, MOST_PIXELS));
    let [width, height] = [size.width(), size.height()].map(|side| side * pixels);
    if u64::from(width) * u64::from(height) > MAX_AREA {
        return Err(CliError::PictureSize { pixels, width, height, most: MAX_AREA });
    }
    let picture = Picture::new(field, grid, args.lines, pixels);
    let write = || -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette());
        let mut png = encoder.write_header().map_err(io_error)?;
        let mut rows = png.stream_writer().map_err(io_error)?;
        for y in 0..height {
            let row: Vec<_> = (0..width).map(|x| picture.pixel(x, y)).collect();
            rows.write_all(&row)?;
        }
        rows.finish().map_err(io_error)?;
        png.finish().map_err(io_error)?;
        file.flush()
    };
    write().map_err(|source| CliError::WriteFile { path: path.to_owned(), source })
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        error => io::Error::other(error),
    }
}

/// Red, green and blue of each place.
fn palette() -> Vec<u8> {
    let named = [[20, 20, 24], [136, 136, 136], [255, 255, 255], [0, 0, 0]];
    let scale = usize::from(HIGHEST - LOWEST);
    let heat = (0..=scale).map(|place| {
        let colour = colorous::VIRIDIS.eval_rational(place, scale + 1);
        [colour.r, colour.g, colour.b]
    });
    named.into_iter().chain(heat).flatten().collect()
}

/// What is drawn.
struct Picture<'a> {
    field: &'a DijkstraMap,
    grid: &'a CostGrid,
    /// The pixels along the side of a cell.
    pixels: u32,
    lowest: f64,
    highest: f64,
    /// How many units lie between two lines; 0 if there are none.
    interval: f64,
}

impl<'a> Picture<'a> {
    fn new(field: &'a DijkstraMap, grid: &'a CostGrid, interval: Option<f64>, pixels: u32) -> Self {
        let values = || field.cells().filter_map(|cell| field.value(cell));
        let lowest = values().min_by(f64::total_cmp).unwrap_or_default();
        let highest = values().max_by(f64::total_cmp).unwrap_or_default();
        let interval = interval.unwrap_or_else(|| round_interval((highest - lowest) / WANTED_LINES));
        Self { field, grid, pixels, lowest, highest, interval }
    }

    /// The place in the palette of a pixel.
    fn pixel(&self, x: u32, y: u32) -> u8 {
        let cell = Cell::new((x / self.pixels) as i32, (y / self.pixels) as i32);
        let Some(value) = self.field.value(cell) else {
            return if self.grid.is_passable(cell) { NO_VALUE } else { WALL };
        };
        let heat = self.heat(value);
        let is_last = |place: u32| place % self.pixels == self.pixels - 1;
        let right = is_last(x).then(|| Cell::new(cell.x + 1, cell.y));
        let below = is_last(y).then(|| Cell::new(cell.x, cell.y + 1));
        let beyond = right.into_iter().chain(below).filter_map(|next| self.field.value(next));
        match beyond.into_iter().any(|next| self.band(next) != self.band(value)) {
            false => heat,
            true if heat >= BRIGHT => DARK_LINE,
            true => BRIGHT_LINE,
        }
    }

    fn heat(&self, value: f64) -> u8 {
        let range = self.highest - self.lowest;
        let share = if range > 0.0 { (value - self.lowest) / range } else { 0.0 };
        LOWEST + (share * f64::from(HIGHEST - LOWEST)).round() as u8
    }

    /// How many lines lie below a value.
    fn band(&self, value: f64) -> i64 {
        // What is on a line but for rounding is above it.
        if self.interval > 0.0 { (value / self.interval + 1e-9).floor() as i64 } else { 0 }
    }
}

/// The least of 1, 2, 5, 10, 20 .. and 0.5, 0.2, 0.1 .. that is not below a number; 0 if that is 0.
fn round_interval(least: f64) -> f64 {
    if least <= 0.0 {
        return 0.0;
    }
    let decade = 10_f64.powi(least.log10().floor() as i32);
    [1.0, 2.0, 5.0].map(|times| times * decade).into_iter().find(|&round| round >= least).unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::round_interval;

    #[test]
    fn intervals_are_round() {
        let intervals = [0.0, 0.07, 0.2, 0.3, 1.0, 1.1, 4.9, 5.1, 99.0, 141.0].map(round_interval);
        let expected: [f64; 10] = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 200.0];
        assert!(intervals.into_iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{intervals:?}");
    }
}
