//! Ways over the cells, and pins.

use wayfield::Cell;

use super::canvas::{Area, Canvas, Point};
use super::colors;
use super::lettering::{Anchor, Face, Lettering};
use crate::model::board::{Pin, Way, WayKind};

const WHITE: [u8; 3] = [0xFF, 0xFF, 0xFF];

/// Draws a way with a white rim over cells of a side, beside text of a height; `middle` is where the middle of a cell is.
pub fn way(canvas: &mut Canvas, way: &Way, (side, text): (f32, f32), is_alone: bool, middle: impl Fn(Cell) -> Point) {
    // Side by side where they share cells.
    let aside = match way.kind {
        _ if is_alone => 0.0,
        WayKind::Cheapest | WayKind::Compared => 0.25 * side,
        WayKind::FewestSteps | WayKind::Before => -0.25 * side,
        WayKind::Coarse | WayKind::Chain | WayKind::SoFar | WayKind::Found => 0.0,
    };
    let points: Vec<Point> = way.cells.iter().map(|&cell| middle(cell)).map(|(x, y)| (x + aside, y + aside)).collect();
    let (color, is_dashed) = colors::way(way.kind);
    let width = match way.kind {
        WayKind::Found => (side * 0.17).clamp(0.15 * text, 0.6 * text),
        _ => (side * 0.12).clamp(0.12 * text, 0.42 * text),
    };
    let rim = (width * 0.5).clamp(1.0, 0.3 * text);
    let pieces = if is_dashed { dashes(&points, (side * 0.42).max(5.0)) } else { pairs(&points) };
    for &(from, to) in &pieces {
        canvas.line(from, to, width + rim, WHITE);
    }
    for &(from, to) in &pieces {
        canvas.line(from, to, width, color);
    }
}

/// A sample of a way for the legend.
pub fn sample(canvas: &mut Canvas, kind: WayKind, area: Area, text: f32) {
    let (color, is_dashed) = colors::way(kind);
    let (_, y) = area.centre();
    let ends = [(area.x as f32 + 2.0, y), ((area.x + area.width) as f32 - 2.0, y)];
    let pieces = if is_dashed { dashes(&ends, area.width as f32 * 0.22) } else { pairs(&ends) };
    let width = text * if kind == WayKind::Found { 0.3 } else { 0.22 };
    pieces.iter().for_each(|&(from, to)| canvas.line(from, to, width, color));
}

fn pairs(points: &[Point]) -> Vec<(Point, Point)> {
    points.iter().copied().zip(points.iter().copied().skip(1)).collect()
}

/// Cuts a line of points into dashes with gaps as long.
fn dashes(points: &[Point], dash: f32) -> Vec<(Point, Point)> {
    let mut pieces = Vec::new();
    let mut start = 0.0;
    for (from, to) in pairs(points) {
        let length = f32::hypot(to.0 - from.0, to.1 - from.1);
        let at = |along: f32| {
            let share = ((along - start) / length.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        };
        // Dashes and gaps have numbers; the even ones are dashes.
        let (first, last) = ((start / dash) as u32, ((start + length) / dash) as u32);
        let drawn = (first..=last).filter(|number| number % 2 == 0);
        pieces.extend(drawn.map(|number| (at(number as f32 * dash), at((number + 1) as f32 * dash))));
        start += length;
    }
    pieces
}

/// Draws a pin: a disc for the start, a square for the goal, with its letter where there is room.
pub fn pin(canvas: &mut Canvas, letters: &mut Lettering, pin: Pin, area: Area) {
    let (color, letter) = colors::pin(pin);
    let side = area.width.min(area.height) as f32;
    let (x, y) = area.centre();
    let reach = (side * 0.36).max(2.0);
    match pin {
        Pin::Goal => {
            let inner = Area::new((x - reach) as i32, (y - reach) as i32, (2.0 * reach) as i32, (2.0 * reach) as i32);
            canvas.fill(inner.shrunk(-2), WHITE, 1.0);
            canvas.fill(inner, color, 1.0);
        }
        Pin::Start | Pin::Source | Pin::Threat => {
            canvas.disc((x, y), reach + 2.0, WHITE);
            canvas.disc((x, y), reach, color);
        }
    }
    if side >= 14.0 {
        letters.write(canvas, (x, y), Anchor::Middle, (Face::Mono, (side * 0.6).floor()), letter, WHITE);
    }
}
