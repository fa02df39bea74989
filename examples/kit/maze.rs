//! Mazes by recursive division.

use rand::Rng;
use wayfield::Cell;

/// The cells of the walls inside a maze of `(columns, rows)` corridors, which lie `pitch` cells apart: corridors of
/// `pitch - 1` cells and walls of one between them, (0, 0) being the corner of the wall around it all.
///
/// A room is cut in two by a wall with one gap, as long as it is more than a corridor. So one way, and one only, leads from any
/// corridor to any other.
pub fn inner_walls((columns, rows): (i32, i32), pitch: i32, rng: &mut impl Rng) -> Vec<Cell> {
    let mut walls = Vec::new();
    // Rooms that are still to be divided, in corridors: left, top, width, height.
    let mut rooms = vec![(0, 0, columns, rows)];
    while let Some((left, top, width, height)) = rooms.pop() {
        let is_wide = width > height || width == height && rng.random_bool(0.5);
        let (length, across) = if is_wide { (width, height) } else { (height, width) };
        if length < 2 || across < 1 {
            continue;
        }
        let cut = rng.random_range(1..length);
        let gap = rng.random_range(0..across);
        let wall = (0..across * pitch).filter(|&along| along / pitch != gap || along % pitch == 0);
        let (x, y) = (left * pitch, top * pitch);
        walls.extend(wall.map(|along| {
            if is_wide { Cell::new(x + cut * pitch, y + along) } else { Cell::new(x + along, y + cut * pitch) }
        }));
        rooms.extend(if is_wide {
            [(left, top, cut, height), (left + cut, top, width - cut, height)]
        } else {
            [(left, top, width, cut), (left, top + cut, width, height - cut)]
        });
    }
    walls
}
