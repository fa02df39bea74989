//! Pictures of eight-bit colours and how they are written.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(crate) type Rgb = [u8; 3];

pub(crate) struct Picture {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) pixels: Vec<[u8; 4]>,
}

impl Picture {
    pub(crate) fn new(width: i32, height: i32) -> Self {
        Self { width, height, pixels: vec![[0; 4]; (width * height) as usize] }
    }

    pub(crate) fn fill(&mut self, rgba: [u8; 4]) {
        self.pixels.fill(rgba);
    }

    /// Sets a pixel; outside of the picture nothing happens.
    pub(crate) fn set(&mut self, x: i32, y: i32, [r, g, b]: Rgb) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.pixels[(y * self.width + x) as usize] = [r, g, b, 255];
        }
    }

    pub(crate) fn for_each(&mut self, mut colour: impl FnMut(i32, i32) -> Rgb) {
        for y in 0..self.height {
            for x in 0..self.width {
                let rgb = colour(x, y);
                self.set(x, y, rgb);
            }
        }
    }

    /// Stamps a pattern of letters; a letter picks the colour of that position in the palette, `a` first.
    pub(crate) fn stamp(&mut self, left: i32, top: i32, rows: &[&str], palette: &[Rgb]) {
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.bytes().enumerate() {
                if let Some(&rgb) = palette.get(usize::from(letter.wrapping_sub(b'a'))) {
                    self.set(left + x as i32, top + y as i32, rgb);
                }
            }
        }
    }

    pub(crate) fn paste(&mut self, other: &Self, left: i32, top: i32) {
        for y in 0..other.height {
            for x in 0..other.width {
                let from = other.pixels[(y * other.width + x) as usize];
                self.pixels[((top + y) * self.width + left + x) as usize] = from;
            }
        }
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(self.pixels.as_flattened())?;
        Ok(())
    }
}
