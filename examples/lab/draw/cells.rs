//! One cell: its ground, what a search knows of it, its numbers.

use bevy_wayfield_egui::viridis;
use wayfield::Direction;

use super::canvas::{Area, Canvas, Point, Rgb};
use super::colors::{self, blend, ink_on};
use super::lettering::{Anchor, Face, Lettering};
use crate::model::board::{CellView, Numbers, short_number};
use crate::model::terrain::{FOREST, SWAMP};

/// From this side on a cell has a seam.
const SEAM_FROM: i32 = 8;
/// From this side on grounds have a pattern, and arrows and nodes are drawn.
const PATTERN_FROM: i32 = 11;

/// Whether a cell of this side has one number, beside text of this height.
fn has_number(side: i32, text: f32) -> bool {
    side as f32 >= 1.85 * text
}

/// Whether it has three.
pub fn has_three_numbers(side: i32, text: f32) -> bool {
    side as f32 >= 3.4 * text
}

/// The colour that most of a cell has.
pub fn fill_color(cell: &CellView) -> Rgb {
    let ground = colors::ground(cell);
    if let Some(heat) = cell.heat {
        return heat_color(heat);
    }
    colors::mark(cell.mark).map_or(ground, |(color, density)| blend(ground, color, density))
}

/// The colour of a value of a field.
pub fn heat_color(heat: f32) -> Rgb {
    let color = viridis(heat);
    // Lighter, so that letters and ways stand out.
    blend([color.r(), color.g(), color.b()], [0xFF, 0xFF, 0xFF], 0.12)
}

/// Draws a cell without its numbers; `text` is the height of plain text.
pub fn cell(canvas: &mut Canvas, area: Area, cell: &CellView, text: f32) {
    let side = area.width.min(area.height);
    let seam = i32::from(side >= SEAM_FROM);
    let ground = colors::ground(cell);
    let inner = Area::new(area.x, area.y, area.width - seam, area.height - seam);
    if seam > 0 {
        canvas.fill(area, colors::SEAM, 1.0);
    }
    canvas.fill(inner, ground, 1.0);
    let fill = fill_color(cell);
    if fill != ground {
        // The rim shows what lies below.
        let rim = if cell.heat.is_some() || side < 8 { 0 } else { (side / 11).max(1) };
        canvas.fill(inner.shrunk(rim), fill, 1.0);
    }
    let has_numbers = has_number(side, text) && cell.numbers != Numbers::None;
    if side >= PATTERN_FROM && !has_numbers && cell.cost.is_some() && cell.heat.is_none() {
        pattern(canvas, inner, cell, fill);
    }
    iso_lines(canvas, area, cell);
    if side >= PATTERN_FROM {
        if let Some(way) = cell.arrow {
            // Above the numbers, as small as their number asks for.
            let (down, reach) = match (has_numbers, cell.numbers) {
                (false, _) => (0.5, 0.3),
                (true, Numbers::Value(_)) => (0.36, 0.2),
                (true, _) if has_three_numbers(side, text) => (0.21, 0.13),
                (true, _) => (0.3, 0.17),
            };
            let at = (inner.centre().0, area.y as f32 + side as f32 * down);
            arrow(canvas, at, way, side as f32 * reach, ink_on(fill));
        }
        if cell.is_node {
            node(canvas, inner, side);
        }
    } else if cell.is_node {
        canvas.fill(inner.shrunk(side / 4), colors::NODE, 1.0);
    }
}

/// What else is in a cell beside its numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Company {
    /// A way runs below them: they need a plate of their own.
    pub way: bool,
    /// A pin takes the upper left corner.
    pub pin: bool,
}

/// Writes the numbers of a cell, if it is large enough beside text of this height.
pub fn numbers(
    canvas: &mut Canvas,
    letters: &mut Lettering,
    area: Area,
    cell: &CellView,
    company: Company,
    plain_text: f32,
) {
    let side = area.width.min(area.height);
    if !has_number(side, plain_text) || cell.numbers == Numbers::None {
        return;
    }
    let area = Area::new(area.x, area.y, area.width - 1, area.height - 1);
    let has_three = has_three_numbers(side, plain_text);
    let is_low = cell.arrow.is_some() || company.pin && has_three;
    for Label { at, anchor, height, text, is_pale } in labels(area, has_three, is_low, cell) {
        let fill = fill_color(cell);
        if company.way {
            let wide = Lettering::width(Face::Mono, &text, height);
            let left = match anchor {
                Anchor::Left => at.0,
                Anchor::Middle => at.0 - wide / 2.0,
                Anchor::Right => at.0 - wide,
            };
            let top = at.1 - height * 0.46;
            let plate = Area::new(left as i32 - 2, top as i32, wide as i32 + 5, (height * 0.94) as i32);
            canvas.fill(plate, fill, 1.0);
        }
        let ink = ink_on(fill);
        let color = if is_pale { blend(ink, fill, 0.25) } else { ink };
        letters.write(canvas, at, anchor, (Face::Mono, height), &text, color);
    }
}

/// A number in a cell.
struct Label {
    at: Point,
    anchor: Anchor,
    height: f32,
    text: String,
    /// Not the one that matters most.
    is_pale: bool,
}

/// Trees on forest, ripples on swamp: what the colour says, once more by shape.
fn pattern(canvas: &mut Canvas, area: Area, cell: &CellView, fill: Rgb) {
    let color = blend(fill, [0x20, 0x2A, 0x18], 0.45);
    let side = area.width as f32;
    let width = (side * 0.07).max(1.0);
    let at = |x: f32, y: f32| (area.x as f32 + x * side, area.y as f32 + y * side);
    if cell.terrain == FOREST {
        for (x, y) in [(0.32, 0.44), (0.66, 0.72)] {
            canvas.line(at(x - 0.13, y + 0.1), at(x, y - 0.14), width, color);
            canvas.line(at(x, y - 0.14), at(x + 0.13, y + 0.1), width, color);
        }
    } else if cell.terrain == SWAMP {
        for y in [0.36, 0.66] {
            for (from, to) in
                [((0.2, y), (0.35, y - 0.09)), ((0.35, y - 0.09), (0.62, y + 0.09)), ((0.62, y + 0.09), (0.8, y))]
            {
                canvas.line(at(from.0, from.1), at(to.0, to.1), width, color);
            }
        }
    }
}

fn iso_lines(canvas: &mut Canvas, area: Area, cell: &CellView) {
    let width = (area.width / 12).clamp(1, 3);
    if cell.iso.0 {
        canvas.fill(Area::new(area.x + area.width - width, area.y, width, area.height), colors::INK, 0.8);
    }
    if cell.iso.1 {
        canvas.fill(Area::new(area.x, area.y + area.height - width, area.width, width), colors::INK, 0.8);
    }
}

/// A shaft through the middle, and a tip.
pub fn arrow(canvas: &mut Canvas, (x, y): Point, way: Direction, reach: f32, color: Rgb) {
    let (dx, dy) = way.delta();
    let length = f32::hypot(dx as f32, dy as f32);
    let (dx, dy) = (dx as f32 / length, dy as f32 / length);
    let at = |along: f32, aside: f32| (x + dx * along - dy * aside, y + dy * along + dx * aside);
    let width = (reach * 0.22).max(1.2);
    canvas.line(at(-reach, 0.0), at(reach * 0.4, 0.0), width, color);
    let (head, half) = (reach * 0.1, reach * 0.6);
    canvas.polygon(&[at(reach, 0.0), at(head, half), at(head, -half)], color);
}

/// A dark diamond in the upper right corner.
fn node(canvas: &mut Canvas, area: Area, side: i32) {
    let reach = (side as f32 * 0.16).clamp(2.5, 7.0);
    let (x, y) = (area.x as f32 + area.width as f32 - reach - 2.0, area.y as f32 + reach + 2.0);
    diamond(canvas, (x, y), reach + 1.0, [0xFF, 0xFF, 0xFF]);
    diamond(canvas, (x, y), reach, colors::NODE);
}

pub fn diamond(canvas: &mut Canvas, (x, y): Point, reach: f32, color: Rgb) {
    canvas.polygon(&[(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], color);
}

/// The numbers of a cell: the one that matters most in the middle, the others below it; all lower, if there is something else
/// at the top.
fn labels(area: Area, has_three: bool, is_low: bool, cell: &CellView) -> Vec<Label> {
    let (x, y) = area.centre();
    let size = area.width.min(area.height) as f32;
    let middle = |text: String, y, height| Label { at: (x, y), anchor: Anchor::Middle, height, text, is_pale: false };
    let unknown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short_number);
    let longer = |one: &String, other: &String| if one.len() > other.len() { one.clone() } else { other.clone() };
    let (main, below) = match cell.numbers {
        Numbers::None => return Vec::new(),
        Numbers::Value(value) => {
            let text = short_number(value);
            // Below the arrow, if there is one.
            let (y, height) = if is_low { (y + size * 0.24, 0.34) } else { (y, 0.42) };
            let height = fitting(&text, size * 0.86, size * height);
            return vec![middle(text, y, height)];
        }
        Numbers::Search { g, h, f } => (f.unwrap_or(g), h.map(|h| (short_number(g), short_number(h)))),
        Numbers::Repair { g, rhs } if !has_three => {
            let (g, rhs) = (unknown(g), unknown(rhs));
            let height = fitting(&longer(&g, &rhs), size * 0.8, size * 0.3);
            return vec![middle(g, y - size * 0.18, height), middle(rhs, y + size * 0.22, height)];
        }
        Numbers::Repair { g, rhs } => {
            (g.unwrap_or(f64::MAX).min(rhs.unwrap_or(f64::MAX)), Some((unknown(g), unknown(rhs))))
        }
    };
    let text = short_number(main);
    match below.filter(|_| has_three) {
        None => {
            let (y, high) = if is_low { (y + size * 0.2, 0.36) } else { (y, 0.42) };
            let height = fitting(&text, size * 0.84, size * high);
            vec![middle(text, y, height)]
        }
        Some((left, right)) => {
            let height = fitting(&longer(&left, &right), size * 0.34, size * 0.24);
            let margin = size * 0.13;
            let (start, end, low) = (area.x as f32 + margin, (area.x + area.width) as f32 - margin, y + size * 0.29);
            let (up, high) = if is_low { (0.0, 0.28) } else { (0.14, 0.34) };
            let main = fitting(&text, size * 0.84, size * high);
            vec![
                middle(text, y - size * up, main),
                Label { at: (start, low), anchor: Anchor::Left, height, text: left, is_pale: true },
                Label { at: (end, low), anchor: Anchor::Right, height, text: right, is_pale: true },
            ]
        }
    }
}

/// The height at which a text is no wider than this, and no higher than that.
fn fitting(text: &str, width: f32, height: f32) -> f32 {
    let wide = Lettering::width(Face::Mono, text, height);
    // In whole pixels, so that few sizes of letters are needed.
    (height * (width / wide.max(1.0)).min(1.0)).floor().max(6.0)
}
