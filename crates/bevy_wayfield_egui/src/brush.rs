//! The terrain brush: what it paints, how large it is, and which cells a stroke covers.

use std::collections::HashSet;

use bevy::prelude::Resource;
use bevy_egui::egui::Color32;
use bevy_wayfield::wayfield::{Cell, CellRect, TerrainId, TerrainMap};

/// What a press on the map paints, and how much of it.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainBrush {
    /// The terrain to paint; `None` while the pointer selects units instead.
    pub terrain: Option<TerrainId>,
    /// How many cells it is wide, from 1 to [`TerrainBrush::MAX_SIZE`]; a value outside counts as the nearest one.
    pub size: u32,
    /// Its outline.
    pub shape: BrushShape,
    /// What a drag of it paints.
    pub tool: BrushTool,
}

/// The outline of a brush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrushShape {
    /// A disc; up to size 3 there is no difference.
    #[default]
    Round,
    /// A square.
    Square,
}

/// What a press and a drag of a brush paint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BrushTool {
    /// Wherever it comes along.
    #[default]
    Freehand,
    /// A straight line from the press to the release.
    Line,
    /// All cells of the rectangle between the press and the release.
    Rectangle,
    /// All cells of one terrain that touch the pressed one by their sides.
    Fill,
    /// Nothing: the terrain of the cell becomes that of the brush.
    Pick,
}

impl BrushTool {
    /// All tools.
    pub const ALL: [Self; 5] = [Self::Freehand, Self::Line, Self::Rectangle, Self::Fill, Self::Pick];
}

impl Default for TerrainBrush {
    fn default() -> Self {
        Self { terrain: None, size: 1, shape: BrushShape::default(), tool: BrushTool::default() }
    }
}

impl TerrainBrush {
    /// The largest size.
    pub const MAX_SIZE: u32 = 15;

    /// The cells under the brush. Some may be outside the map.
    ///
    /// An even size reaches one cell further to the right and down.
    pub fn cells(&self, centre: Cell) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size.clamp(1, Self::MAX_SIZE);
        let is_round = self.shape == BrushShape::Round;
        let size = size as i32;
        let (first, last) = (-(size - 1) / 2, size / 2);
        // Distances from the middle of the brush, in half cells.
        let doubled = move |offset: i32| 2 * offset - (last + first);
        let covers = move |x, y| !is_round || doubled(x) * doubled(x) + doubled(y) * doubled(y) <= size * size;
        let offsets = (first..=last).flat_map(move |y| (first..=last).map(move |x| (x, y)));
        offsets
            .filter(move |&(x, y)| covers(x, y))
            .filter_map(move |(x, y)| Some(Cell::new(centre.x.checked_add(x)?, centre.y.checked_add(y)?)))
    }

    /// The cells that the brush covers on its way from one cell to another, both included, each once: however far
    /// the pointer moved between two frames, the stroke has no gap.
    ///
    /// The way is Bresenham's line (1965); the time is its length times the cells of the brush.
    ///
    /// ```
    /// use bevy_wayfield::wayfield::Cell;
    /// use bevy_wayfield_egui::TerrainBrush;
    /// let brush = TerrainBrush { size: 1, ..TerrainBrush::default() };
    /// let cells = brush.stroke(Cell::new(0, 0), Cell::new(4, 2));
    /// assert_eq!(cells, [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)].map(Cell::from));
    /// ```
    pub fn stroke(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let mut seen = HashSet::new();
        let covered = line(from, to).flat_map(|centre| self.cells(centre));
        covered.filter(|&cell| seen.insert(cell)).collect()
    }

    /// The cells of the map that a drag from one cell to another covers with the brush's tool: all of it at once for a line, a
    /// rectangle and a fill; for freehand, the part between two frames. None for [`BrushTool::Pick`].
    ///
    /// Linear in the number of cells.
    pub fn covered(&self, map: &TerrainMap, from: Cell, to: Cell) -> Vec<Cell> {
        let whole = map.size().rect();
        match self.tool {
            BrushTool::Freehand | BrushTool::Line => {
                self.stroke(from, to).into_iter().filter(|&cell| whole.contains(cell)).collect()
            }
            BrushTool::Rectangle => {
                CellRect::new(from, to).intersection(whole).map(|area| area.cells().collect()).unwrap_or_default()
            }
            BrushTool::Fill => connected(map, to),
            BrushTool::Pick => Vec::new(),
        }
    }
}

/// All cells that are joined to one, side by side, by cells of its terrain; row by row.
fn connected(map: &TerrainMap, start: Cell) -> Vec<Cell> {
    let size = map.size();
    let (Some(terrain), Some(first)) = (map.terrain(start), size.index(start)) else { return Vec::new() };
    let mut seen = vec![false; size.cells()];
    let mut border = vec![(start, first)];
    while let Some((cell, index)) = border.pop() {
        let index = index as usize;
        if seen.get(index).is_none_or(|&seen| seen) || map.terrain(cell) != Some(terrain) {
            continue;
        }
        seen[index] = true;
        let around = [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(dx, dy)| Cell::new(cell.x + dx, cell.y + dy));
        border.extend(around.into_iter().filter_map(|cell| Some((cell, size.index(cell)?))));
    }
    size.rect().cells().zip(seen).filter(|&(_, seen)| seen).map(|(cell, _)| cell).collect()
}

/// Bresenham's line in all directions: every cell touches the next one, by a side or a corner.
fn line(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let wide = |cell: Cell| (i64::from(cell.x), i64::from(cell.y));
    let ((mut x, mut y), (end_x, end_y)) = (wide(from), wide(to));
    let (dx, dy) = ((end_x - x).abs(), -(end_y - y).abs());
    let (step_x, step_y) = ((end_x - x).signum(), (end_y - y).signum());
    let mut error = dx + dy;
    let mut is_done = false;
    std::iter::from_fn(move || {
        if is_done {
            return None;
        }
        // Between two cells, so within their range.
        let cell = Cell::new(x as i32, y as i32);
        is_done = (x, y) == (end_x, end_y);
        let doubled = 2 * error;
        if doubled >= dy {
            error += dy;
            x += step_x;
        }
        if doubled <= dx {
            error += dx;
            y += step_y;
        }
        Some(cell)
    })
}

/// One kind of terrain that the brush can paint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaletteEntry {
    /// Its name, as the user reads it.
    pub name: String,
    /// What is painted.
    pub terrain: TerrainId,
    /// The colour of its swatch; choose it like the tiles.
    pub color: Color32,
    /// The key that the game chooses it by, shown beside the name.
    pub key: Option<char>,
}

/// The kinds of terrain that the brush can paint, in the order of the panel. The game fills it.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette(pub Vec<PaletteEntry>);

#[cfg(test)]
mod tests {
    use super::*;

    fn brush(size: u32) -> TerrainBrush {
        TerrainBrush { size, ..TerrainBrush::default() }
    }

    fn rows(size: u32) -> Vec<String> {
        let cells: HashSet<_> = brush(size).cells(Cell::new(0, 0)).collect();
        let reach = -7..=8;
        let row = |y| reach.clone().map(|x| if cells.contains(&Cell::new(x, y)) { '#' } else { ' ' }).collect();
        let rows = reach.clone().map(row).map(|row: String| row.trim().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    #[test]
    fn small_brushes_are_square_and_large_ones_round_unless_they_are_to_be_square() {
        assert_eq!(rows(1), ["#"]);
        assert_eq!(rows(2), ["##", "##"]);
        assert_eq!(rows(3), ["###", "###", "###"]);
        assert_eq!(rows(4), ["##", "####", "####", "##"]);
        assert_eq!(rows(5), ["###", "#####", "#####", "#####", "###"]);
        let square = TerrainBrush { shape: BrushShape::Square, ..brush(5) };
        assert_eq!(square.cells(Cell::new(0, 0)).count(), 25);
    }

    #[test]
    fn every_brush_is_as_wide_as_it_says_and_around_its_centre() {
        for size in 1..=TerrainBrush::MAX_SIZE {
            let cells: Vec<_> = brush(size).cells(Cell::new(10, 20)).collect();
            let (left, right) = (cells.iter().map(|c| c.x).min(), cells.iter().map(|c| c.x).max());
            assert_eq!(right.zip(left).map(|(right, left)| right - left + 1), Some(size as i32));
            assert!(cells.contains(&Cell::new(10, 20)));
            assert_eq!(cells.iter().collect::<HashSet<_>>().len(), cells.len());
            let middle = cells.iter().filter(|cell| cell.y == 20).count();
            assert_eq!(middle, size as usize, "the middle row is full");
        }
    }

    #[test]
    fn odd_sizes_count_as_the_nearest() {
        assert_eq!(brush(0).cells(Cell::new(0, 0)).count(), 1);
        assert!(brush(u32::MAX).cells(Cell::new(0, 0)).eq(brush(15).cells(Cell::new(0, 0))));
        // At the end of the numbers there are fewer cells, and no panic.
        assert!(brush(15).cells(Cell::new(i32::MAX, i32::MIN)).count() > 0);
    }

    #[test]
    fn a_fast_stroke_has_no_gap() {
        let start = Cell::new(3, -4);
        for size in [1, 2, 3, 6, 15] {
            for (x, y) in [(100, 7), (7, 100), (-90, 41), (-41, -90), (60, -60), (0, 50), (-50, 0), (0, 0)] {
                let end = Cell::new(start.x + x, start.y + y);
                let cells = brush(size).stroke(start, end);
                let set: HashSet<_> = cells.iter().copied().collect();
                assert_eq!(set.len(), cells.len(), "each cell once");
                for centre in [start, end] {
                    assert!(brush(size).cells(centre).all(|cell| set.contains(&cell)), "both ends are whole");
                }
                let centres: Vec<_> = line(start, end).collect();
                assert_eq!(centres.len() as i32, x.abs().max(y.abs()) + 1);
                assert_eq!((centres.first(), centres.last()), (Some(&start), Some(&end)));
                assert!(centres.windows(2).all(|pair| pair[0].chebyshev(pair[1]) == 1), "{centres:?}");
                assert!(centres.iter().all(|cell| set.contains(cell)));
                // Never more than half a cell from the straight line.
                let length = x.abs().max(y.abs()).max(1);
                for cell in centres {
                    let off = (cell.x - start.x) * y - (cell.y - start.y) * x;
                    assert!(2 * off.abs() <= length, "{cell}");
                }
            }
        }
    }

    #[test]
    fn tools_cover_what_they_say_and_nothing_outside() {
        use bevy_wayfield::wayfield::GridSize;
        let (plain, wall) = (TerrainId(0), TerrainId(1));
        let mut map = TerrainMap::new(GridSize::new(8, 6).unwrap(), plain);
        map.edit((0..6).map(|y| (Cell::new(3, y), wall))).unwrap();
        let cover = |tool, from: (i32, i32), to: (i32, i32)| {
            let brush = TerrainBrush { tool, ..TerrainBrush::default() };
            brush.covered(&map, from.into(), to.into())
        };
        assert_eq!(cover(BrushTool::Rectangle, (6, 4), (9, 3)).len(), 4, "what is outside is left out");
        assert_eq!(cover(BrushTool::Line, (-2, 0), (2, 0)), [(0, 0), (1, 0), (2, 0)].map(Cell::from));
        assert_eq!(cover(BrushTool::Fill, (0, 0), (1, 1)).len(), 18, "up to the wall");
        assert_eq!(cover(BrushTool::Fill, (0, 0), (3, 2)).len(), 6, "the wall itself");
        for tool in BrushTool::ALL {
            assert!(cover(tool, (-5, -5), (-3, -3)).is_empty(), "{tool:?}");
        }
        assert!(cover(BrushTool::Pick, (0, 0), (7, 5)).is_empty());
    }
}
