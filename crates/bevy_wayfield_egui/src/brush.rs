//! The terrain brush: what it paints, how large it is, and which cells a stroke covers.

use std::collections::HashSet;

use bevy::prelude::Resource;
use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontSelection, Rect, Response, Sense, Slider, Stroke, StrokeKind, TextStyle,
    TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};
use bevy_wayfield::wayfield::{Cell, TerrainId};
use bevy_wayfield::{ClassId, Tilemap};

use crate::layout::{labelled, wide_slider};

/// From this size on a brush is round.
const ROUND_FROM: u32 = 4;

const ROW_HEIGHT: f32 = 20.0;
const COST_WIDTH: f32 = 40.0;

/// What a press on the map paints, and how much of it.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainBrush {
    /// The terrain to paint; `None` while the pointer selects units instead.
    pub terrain: Option<TerrainId>,
    /// How many cells it is wide, from 1 to [`TerrainBrush::MAX_SIZE`]; a value outside counts as the nearest one.
    pub size: u32,
}

impl Default for TerrainBrush {
    fn default() -> Self {
        Self { terrain: None, size: 1 }
    }
}

impl TerrainBrush {
    /// The largest size.
    pub const MAX_SIZE: u32 = 15;

    /// The cells under the brush: a square, or from size 4 on a disc. Some may be outside the map.
    ///
    /// An even size reaches one cell further to the right and down.
    pub fn cells(&self, centre: Cell) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size.clamp(1, Self::MAX_SIZE);
        let is_round = size >= ROUND_FROM;
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
    /// let brush = TerrainBrush { terrain: None, size: 1 };
    /// let cells = brush.stroke(Cell::new(0, 0), Cell::new(4, 2));
    /// assert_eq!(cells, [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)].map(Cell::from));
    /// ```
    pub fn stroke(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let mut seen = HashSet::new();
        let covered = line(from, to).flat_map(|centre| self.cells(centre));
        covered.filter(|&cell| seen.insert(cell)).collect()
    }
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

/// Chooses what the brush paints and its size. Each terrain shows what entering it costs `class`, or "–" where the
/// class may not enter.
///
/// The painting itself is the game's: [`MapPointer`](crate::MapPointer) says when, [`TerrainBrush::stroke`] where.
pub fn brush_controls(ui: &mut Ui, brush: &mut TerrainBrush, palette: &Palette, tilemap: &Tilemap, class: ClassId) {
    let class = tilemap.classes().get(class.0);
    let cost_of = |terrain| class.and_then(|class| class.cost(terrain));
    let mover = class.map_or("units", |class| class.name());

    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let row = Row { name: "Select", key: None, color: None, cost: "cost", is_chosen: brush.terrain.is_none() };
        if row.show(ui).on_hover_text("Stop painting: the pointer selects units.").clicked() {
            brush.terrain = None;
        }
        for entry in &palette.0 {
            let cost = cost_of(entry.terrain);
            let (shown, help) = match cost {
                Some(cost) => {
                    (cost.get().to_string(), format!("Paint {}. Entering it costs {mover} {}.", entry.name, cost.get()))
                }
                None => ("–".to_owned(), format!("Paint {}. Closed to {mover}.", entry.name)),
            };
            let row = Row {
                name: &entry.name,
                key: entry.key,
                color: Some(entry.color),
                cost: &shown,
                is_chosen: brush.terrain == Some(entry.terrain),
            };
            if row.show(ui).on_hover_text(help).clicked() {
                brush.terrain = Some(entry.terrain);
            }
        }
    });

    labelled(ui, "Brush size", "How many cells the brush is wide.", |ui| {
        let mut size = brush.size;
        let slider = Slider::new(&mut size, 1..=TerrainBrush::MAX_SIZE);
        if wide_slider(ui, slider).changed() {
            brush.size = size.clamp(1, TerrainBrush::MAX_SIZE);
        }
    });
}

/// A line of the palette.
struct Row<'a> {
    name: &'a str,
    key: Option<char>,
    color: Option<Color32>,
    cost: &'a str,
    is_chosen: bool,
}

impl Row<'_> {
    fn show(&self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), self.is_chosen, self.name)
        });
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let look = ui.style().interact_selectable(&response, self.is_chosen);
        let text_color = look.text_color();
        let quiet = if self.is_chosen { text_color } else { ui.visuals().text_color() };
        let inner = rect.shrink2(vec2(6.0, 0.0));

        // The chosen row has a frame as well as another ground.
        if self.is_chosen || response.hovered() || response.has_focus() {
            let frame = if self.is_chosen { Stroke::new(2.0, text_color) } else { look.bg_stroke };
            ui.painter().rect(rect, CornerRadius::same(3), look.weak_bg_fill, frame, StrokeKind::Inside);
        }
        let swatch = Rect::from_center_size(pos2(inner.left() + 7.0, inner.center().y), vec2(14.0, 14.0));
        if let Some(color) = self.color {
            let outline = Stroke::new(1.0, ui.visuals().text_color());
            ui.painter().rect(swatch, CornerRadius::ZERO, color, outline, StrokeKind::Inside);
        } else {
            paint_arrow(ui, swatch, text_color);
        }

        let number = TextStyle::Monospace.resolve(ui.style());
        // Nothing that a frame or a neighbour could hide: each part has its own stretch of the line.
        let cost_color = if self.color.is_some() { text_color } else { quiet };
        ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, self.cost, number.clone(), cost_color);
        let mut name_end = inner.right() - COST_WIDTH;
        if let Some(key) = self.key {
            let at = pos2(name_end, inner.center().y);
            let shown = ui.painter().text(at, Align2::RIGHT_CENTER, format!("[{key}]"), number, quiet);
            name_end = shown.left() - 4.0;
        }
        let name_start = swatch.right() + 6.0;
        let name = WidgetText::from(self.name).into_galley(
            ui,
            Some(TextWrapMode::Truncate),
            (name_end - name_start).max(0.0),
            FontSelection::from(TextStyle::Body),
        );
        let at = pos2(name_start, inner.center().y - name.size().y / 2.0);
        ui.painter().galley(at, name, text_color);
        response
    }
}

/// The arrow of a mouse pointer.
fn paint_arrow(ui: &Ui, rect: Rect, color: Color32) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y) * rect.size();
    let outline = [(0.2, 0.0), (0.2, 0.9), (0.42, 0.68), (0.85, 0.65)].map(|(x, y)| at(x, y));
    let shape = bevy_egui::egui::Shape::convex_polygon(outline.to_vec(), color, Stroke::NONE);
    ui.painter().add(shape);
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{GridSize, MovementClass, TerrainMap};

    use super::*;
    use crate::screen::Screen;

    fn brush(size: u32) -> TerrainBrush {
        TerrainBrush { terrain: None, size }
    }

    fn rows(size: u32) -> Vec<String> {
        let cells: HashSet<_> = brush(size).cells(Cell::new(0, 0)).collect();
        let reach = -7..=8;
        let row = |y| reach.clone().map(|x| if cells.contains(&Cell::new(x, y)) { '#' } else { ' ' }).collect();
        let rows = reach.clone().map(row).map(|row: String| row.trim().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    #[test]
    fn small_brushes_are_square_and_large_ones_round() {
        assert_eq!(rows(1), ["#"]);
        assert_eq!(rows(2), ["##", "##"]);
        assert_eq!(rows(3), ["###", "###", "###"]);
        assert_eq!(rows(4), ["##", "####", "####", "##"]);
        assert_eq!(rows(5), ["###", "#####", "#####", "#####", "###"]);
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

    fn tilemap() -> Tilemap {
        let foot =
            MovementClass::new("foot").with_cost(TerrainId(0), 1).and_then(|foot| foot.with_cost(TerrainId(1), 3));
        Tilemap::new(TerrainMap::new(GridSize::new(4, 4).unwrap(), TerrainId(0)), vec![foot.unwrap()])
    }

    fn palette() -> Palette {
        let entry = |name: &str, terrain, key| PaletteEntry {
            name: name.to_owned(),
            terrain: TerrainId(terrain),
            color: Color32::from_gray(40 * terrain),
            key: Some(key),
        };
        Palette(vec![entry("plain", 0, '1'), entry("forest", 1, '2'), entry("wall", 2, '3')])
    }

    #[test]
    fn a_click_chooses_the_terrain_and_select_stops() {
        let (tilemap, palette) = (tilemap(), palette());
        let mut brush = TerrainBrush::default();
        let mut screen = Screen::new(260.0);
        for (text, terrain) in [("forest", Some(1)), ("wall", Some(2)), ("Select", None)] {
            screen.click(text, |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
            assert_eq!(brush.terrain, terrain.map(TerrainId));
        }
        screen.frame([], |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
        for (name, cost) in [("plain", "1"), ("forest", "3"), ("wall", "–")] {
            assert_eq!(screen.number_beside(name), cost);
        }
        screen.assert_legible();
        // A class that does not exist may enter nothing.
        screen.frame([], |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(9)));
        assert_eq!(screen.number_beside("plain"), "–");
    }

    #[test]
    fn the_size_that_is_typed_is_a_size() {
        let (tilemap, palette) = (tilemap(), palette());
        for (typed, size) in [("7", 7), ("nan", 5), ("inf", 5), ("-2", 1), ("99", 15), ("x", 5)] {
            let mut brush = TerrainBrush { terrain: None, size: 5 };
            let mut screen = Screen::new(260.0);
            screen.type_over("5", typed, |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
            assert_eq!(brush.size, size, "{typed}");
        }
    }
}
