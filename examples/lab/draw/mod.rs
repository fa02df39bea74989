//! Pictures of boards: the one renderer, for files and for the window alike.

mod canvas;
mod cells;
mod colors;
mod figure;
mod lettering;
mod ways;

use std::io;
use std::path::Path;

pub use colors::ground_color;
pub use figure::{Figure, Placed, draw};

/// Writes a picture as a PNG file, without the rows at the bottom that have nothing on them.
pub fn save(figure: &Figure, file: &Path) -> io::Result<()> {
    let (width, height) = (figure.size.0, figure.used);
    let mut encoder = png::Encoder::new(io::BufWriter::new(std::fs::File::create(file)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let bytes = width as usize * height as usize * 4;
    let used = figure.pixels.get(..bytes).unwrap_or(&figure.pixels);
    let rgb: Vec<u8> = used.chunks_exact(4).flat_map(|pixel| pixel.iter().take(3).copied()).collect();
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&rgb).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
