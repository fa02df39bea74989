//! Sprites: functions from a point to what is painted there. The middle is (0, 0) and y grows to the north.

use crate::SIZE;
use crate::noise::{mix, smooth};
use crate::picture::Picture;

/// Samples along each side of a pixel.
const SAMPLES: i32 = 4;

pub(crate) type Point = (f32, f32);

/// Lightness and opacity, both from 0 to 1.
pub(crate) type Paint = (f32, f32);

const NOTHING: Paint = (0.0, 0.0);
const INK: Paint = (0.07, 1.0);

/// Draws a sprite, averaging several samples for each pixel.
pub(crate) fn draw(picture: &mut Picture, paint: impl Fn(Point) -> Paint) {
    let count = (SAMPLES * SAMPLES) as f32;
    for y in 0..SIZE {
        for x in 0..SIZE {
            let (mut light, mut cover) = (0.0, 0.0);
            for sample in 0..SAMPLES * SAMPLES {
                let at =
                    |pixel: i32, part: i32| pixel as f32 + (part as f32 + 0.5) / SAMPLES as f32 - SIZE as f32 / 2.0;
                let (l, a) = paint((at(x, sample % SAMPLES), -at(y, sample / SAMPLES)));
                light += l * a;
                cover += a;
            }
            // Where nothing is painted it stays black, which leaves no light fringe when the sprite is filtered.
            let grey = if cover > 0.0 { (light / cover * 255.0 + 0.5) as u8 } else { 0 };
            picture.pixels[(y * SIZE + x) as usize] = [grey, grey, grey, (cover / count * 255.0 + 0.5) as u8];
        }
    }
}

/// A body with a dark outline and a soft shadow around it, darker towards the rim; `d` is the distance outside of it.
fn body(d: f32, light: f32) -> Paint {
    if d > 0.0 {
        (0.0, (0.4 - d * 0.22).max(0.0))
    } else if d > -1.6 {
        INK
    } else {
        (light * mix(0.74, 1.0, smooth(((-1.6 - d) / 1.8).clamp(0.0, 1.0))), 1.0)
    }
}

/// Something drawn over what lies below it.
fn over(above: Paint, below: Paint) -> Paint {
    let alpha = above.1 + below.1 * (1.0 - above.1);
    if alpha <= 0.0 {
        return NOTHING;
    }
    ((above.0 * above.1 + below.0 * below.1 * (1.0 - above.1)) / alpha, alpha)
}

fn circle((x, y): Point, (cx, cy): Point, radius: f32) -> f32 {
    ((x - cx) * (x - cx) + (y - cy) * (y - cy)).sqrt() - radius
}

fn rounded_box((x, y): Point, (cx, cy): Point, half: Point, radius: f32) -> f32 {
    let (dx, dy) = ((x - cx).abs() - half.0 + radius, (y - cy).abs() - half.1 + radius);
    let outside = circle((dx.max(0.0), dy.max(0.0)), (0.0, 0.0), 0.0);
    outside + dx.max(dy).min(0.0) - radius
}

/// Distance to a thick line from `a` to `b`.
fn stroke((x, y): Point, a: Point, b: Point, half_width: f32) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let t = (((x - a.0) * dx + (y - a.1) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    circle((x, y), (a.0 + dx * t, a.1 + dy * t), half_width)
}

fn polygon(p: Point, corners: &[Point]) -> f32 {
    let mut nearest = f32::MAX;
    let mut inside = false;
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        nearest = nearest.min(stroke(p, a, b, 0.0));
        if (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0) {
            inside = !inside;
        }
    }
    if inside { -nearest } else { nearest }
}

/// Folds the left half onto the right one.
fn mirrored((x, y): Point) -> Point {
    (x.abs(), y)
}

/// A light line with a dark edge, which shows on any ground.
fn bright(d: f32) -> Paint {
    if d > 1.2 {
        NOTHING
    } else if d > 0.0 {
        (0.05, 0.75)
    } else {
        (1.0, 1.0)
    }
}

pub(crate) fn soldier(p: Point) -> Paint {
    let shield = polygon(p, &[(0.0, 14.0), (11.5, -5.0), (8.5, -11.5), (0.0, -6.5), (-8.5, -11.5), (-11.5, -5.0)]);
    let chevron = stroke(mirrored(p), (0.0, 4.5), (5.2, -4.0), 1.2);
    if chevron < 0.0 { (0.3, 1.0) } else { body(shield, 1.0) }
}

pub(crate) fn raider(p: Point) -> Paint {
    let spikes = polygon(
        mirrored(p),
        &[
            (-9.0, 15.0),
            (0.0, 15.0),
            (4.2, 5.4),
            (14.0, 9.0),
            (8.0, -1.2),
            (12.0, -14.0),
            (3.0, -8.0),
            (0.0, -11.0),
            (-9.0, -11.0),
        ],
    );
    let eyes = stroke(mirrored(p), (1.9, 0.4), (4.9, 2.4), 1.3);
    if eyes < 0.0 { INK } else { body(spikes, 1.0) }
}

pub(crate) fn civilian(p: Point) -> Paint {
    let head = circle(p, (0.0, 2.6), 5.6);
    if head < -1.2 {
        (1.0, 1.0)
    } else if head < 0.0 {
        (0.2, 1.0)
    } else {
        body(circle(p, (0.0, 0.0), 10.6), 1.0)
    }
}

pub(crate) fn worker(p: Point) -> Paint {
    let torso = rounded_box(p, (0.0, 0.0), (10.8, 10.4), 3.6);
    over(pick_axe(p), body(torso, 1.0))
}

fn pick_axe(p: Point) -> Paint {
    // A handle with a curved head across it, leaning to the right.
    let (x, y) = (p.0 * 0.8 - p.1 * 0.6, p.0 * 0.6 + p.1 * 0.8);
    let handle = stroke((x, y), (0.0, -8.0), (0.0, 5.0), 1.0);
    let arc = circle((x, y), (0.0, -4.6), 9.4).abs() - 1.2 * (1.3 - x.abs() * 0.1);
    let head = if y > 0.4 { arc } else { f32::MAX };
    if handle.min(head) < 0.0 { (0.12, 1.0) } else { NOTHING }
}

pub(crate) fn laden_worker(p: Point) -> Paint {
    let torso = rounded_box(p, (0.0, 1.6), (10.2, 9.0), 3.4);
    let lump = |a: Point, b: Point, c: Point, d: Point, e: Point| polygon(p, &[a, b, c, d, e]);
    let left = lump((-11.5, -9.0), (-9.5, -1.0), (-3.5, 3.0), (0.5, -3.0), (-2.0, -13.0));
    let right = lump((-1.0, -14.5), (-0.5, -2.0), (4.5, 4.5), (11.0, -0.5), (10.0, -11.5));
    let load = left.min(right);
    let shade = if p.0 + p.1 * 0.3 > 4.0 || (right > 0.0 && p.0 > -5.0 + p.1 * 0.2) { 0.78 } else { 1.0 };
    let below = body(torso, 1.0);
    if load > 0.0 {
        below
    } else if left.max(right) > -1.0 && load > -1.5 {
        INK
    } else {
        (shade, 1.0)
    }
}

pub(crate) fn selection_ring(p: Point) -> Paint {
    // Four arcs; the gaps lie on the diagonals.
    let gap = (p.0.abs() - p.1.abs()).abs() - 3.0;
    if gap < 0.0 { NOTHING } else { bright(circle(p, (0.0, 0.0), 13.2).abs() - 1.0) }
}

pub(crate) fn move_marker(p: Point) -> Paint {
    // Four arrow heads that point at a dot in the middle.
    let (x, y) = (p.0.abs(), p.1.abs());
    let q = if x > y { (y, x) } else { (x, y) };
    let head = polygon(q, &[(-5.0, 13.0), (0.0, 6.0), (5.0, 13.0), (0.0, 11.0)]);
    bright(head.min(circle(p, (0.0, 0.0), 2.2)))
}

pub(crate) fn blocked_marker(p: Point) -> Paint {
    let q = (p.0.abs(), p.1.abs());
    let cross = stroke(q, (0.0, 0.0), (6.2, 6.2), 1.7);
    bright(cross.min(circle(p, (0.0, 0.0), 12.6).abs() - 1.2))
}

pub(crate) fn ore(p: Point) -> Paint {
    // A crystal is a slim hexagon with a light and a dark facet.
    let crystal = |foot: Point, tip: Point, width: f32| {
        let (dx, dy) = (tip.0 - foot.0, tip.1 - foot.1);
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = (dx / length, dy / length);
        let at = |along: f32, across: f32| (foot.0 + ux * along - uy * across, foot.1 + uy * along + ux * across);
        let d = polygon(
            p,
            &[
                at(length, 0.0),
                at(length - width * 1.5, width),
                at(1.5, width),
                at(0.0, 0.0),
                at(1.5, -width),
                at(length - width * 1.5, -width),
            ],
        );
        let across = (p.1 - foot.1) * ux - (p.0 - foot.0) * uy;
        if d > 0.0 {
            body(d, 1.0)
        } else if d > -1.3 {
            INK
        } else if across > 0.6 {
            (1.0, 1.0)
        } else {
            (0.62, 1.0)
        }
    };
    let back = over(crystal((4.0, -8.0), (8.5, 9.5), 3.6), crystal((-4.5, -8.0), (-10.5, 6.5), 3.4));
    let front = over(crystal((3.5, -12.0), (12.0, -3.5), 3.2), crystal((-1.5, -12.0), (-1.0, 14.0), 4.6));
    over(crystal((-5.0, -12.0), (-12.0, -5.0), 2.9), over(front, back))
}

pub(crate) fn depot(p: Point) -> Paint {
    let outline = rounded_box(p, (0.0, 0.0), (15.0, 14.0), 1.5);
    let roof = rounded_box(p, (0.0, 4.6), (13.5, 8.0), 0.5);
    if outline > 0.0 || outline > -1.6 {
        return body(outline, 1.0);
    }
    if roof < 0.0 {
        // A hipped roof: two long slopes and two ends, a ridge between them, rows of tiles.
        let (x, y) = (p.0, p.1 - 4.6);
        let ridge = stroke((x, y), (-6.0, 0.0), (6.0, 0.0), 0.9);
        let end = x.abs() - 6.0 > y.abs() * 0.95;
        let hip = (x.abs() - 6.0 - y.abs() * 0.95).abs() < 0.7 && x.abs() > 6.0;
        let light = match (end, y > 0.0) {
            (true, _) => 0.76,
            (false, true) => 0.98,
            (false, false) => 0.62,
        };
        let row = if end { x.abs() } else { y.abs() };
        let tiles = if (row + 0.4) % 3.0 < 0.8 { 0.88 } else { 1.0 };
        return if ridge < 0.0 || hip { (1.0, 1.0) } else { (light * tiles, 1.0) };
    }
    // The front wall with a door and two windows.
    let door = rounded_box(p, (0.0, -9.8), (2.9, 3.4), 0.5);
    let window = rounded_box(mirrored(p), (8.4, -8.6), (2.0, 1.6), 0.0);
    if roof < 1.2 {
        (0.2, 1.0)
    } else if door.min(window) < 0.0 {
        (0.12, 1.0)
    } else {
        (0.6, 1.0)
    }
}

pub(crate) fn waypoint(p: Point) -> Paint {
    bright(circle(p, (0.0, 0.0), 4.5))
}

pub(crate) fn arrow_north(p: Point) -> Paint {
    arrow(p)
}

pub(crate) fn arrow_north_east((x, y): Point) -> Paint {
    let half = 0.5_f32.sqrt();
    arrow(((x - y) * half, (x + y) * half))
}

fn arrow(p: Point) -> Paint {
    let head = polygon(p, &[(0.0, 10.5), (6.0, 2.5), (-6.0, 2.5)]);
    bright(head.min(stroke(p, (0.0, -9.0), (0.0, 4.0), 1.3)))
}

pub(crate) fn cell_outline(p: Point) -> Paint {
    let d = p.0.abs().max(p.1.abs());
    if d > 14.0 {
        (1.0, 1.0)
    } else if d > 13.0 {
        (0.0, 0.5)
    } else {
        NOTHING
    }
}
