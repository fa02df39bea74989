//! Text, in egui's own fonts.

use std::collections::HashMap;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

use super::canvas::{Canvas, Rgb};

/// A typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// For words.
    Sans,
    /// For numbers in cells: all digits are equally wide.
    Mono,
}

/// Where a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Left,
    /// Its middle.
    Middle,
    /// Its right end.
    Right,
}

#[expect(clippy::expect_used, reason = "the fonts are a part of the program")]
static FACES: LazyLock<[FontRef<'static>; 2]> = LazyLock::new(|| {
    [UBUNTU_LIGHT, HACK_REGULAR].map(|bytes| FontRef::try_from_slice(bytes).expect("egui's fonts are fonts"))
});

/// How dense the pixels of a letter are, from its left end and the base line.
struct Letter {
    pixels: Vec<(i32, i32, f32)>,
}

/// Draws texts, and remembers how letters look.
#[derive(Default)]
pub struct Lettering {
    letters: HashMap<(Face, GlyphId, u32), Letter>,
}

impl Lettering {
    /// How wide a text is at this height, in pixels.
    pub fn width(face: Face, text: &str, height: f32) -> f32 {
        let font = font(face).as_scaled(PxScale::from(height));
        let mut last: Option<GlyphId> = None;
        let advances = text.chars().map(|character| {
            let glyph = font.glyph_id(character);
            let kern = last.replace(glyph).map_or(0.0, |last| font.kern(last, glyph));
            kern + font.h_advance(glyph)
        });
        advances.sum()
    }

    /// Writes a text with the middle of its digits at a height of the canvas. Letters stand on whole pixels.
    pub fn write(
        &mut self,
        canvas: &mut Canvas,
        (x, middle): (f32, f32),
        anchor: Anchor,
        (face, height): (Face, f32),
        text: &str,
        color: Rgb,
    ) {
        let scaled = font(face).as_scaled(PxScale::from(height));
        let left = match anchor {
            Anchor::Left => x,
            Anchor::Middle => x - Self::width(face, text, height) / 2.0,
            Anchor::Right => x - Self::width(face, text, height),
        };
        // Digits are about 0.7 of the ascent high in both faces.
        let base = (middle + 0.35 * scaled.ascent()).round() as i32;
        let (mut at, mut last): (f32, Option<GlyphId>) = (left, None);
        for character in text.chars() {
            let glyph = scaled.glyph_id(character);
            at += last.replace(glyph).map_or(0.0, |last| scaled.kern(last, glyph));
            let letter =
                self.letters.entry((face, glyph, height.to_bits())).or_insert_with(|| Letter::new(face, glyph, height));
            let start = at.round() as i32;
            for &(dx, dy, density) in &letter.pixels {
                canvas.mix(start + dx, base + dy, color, density);
            }
            at += scaled.h_advance(glyph);
        }
    }
}

impl Letter {
    fn new(face: Face, glyph: GlyphId, height: f32) -> Self {
        let mut pixels = Vec::new();
        let placed = glyph.with_scale_and_position(PxScale::from(height), point(0.0, 0.0));
        if let Some(outline) = font(face).outline_glyph(placed) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, density| {
                // Thin strokes look too pale otherwise.
                let density = density.clamp(0.0, 1.0).powf(0.72);
                pixels.push((corner.x as i32 + x as i32, corner.y as i32 + y as i32, density));
            });
        }
        Self { pixels }
    }
}

fn font(face: Face) -> &'static FontRef<'static> {
    let [sans, mono] = &*FACES;
    match face {
        Face::Sans => sans,
        Face::Mono => mono,
    }
}
