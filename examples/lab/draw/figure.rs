//! Boards side by side, each with its title, its facts and its legend.

use std::collections::BTreeSet;

use wayfield::{Cell, Direction, GridSize};

use super::canvas::{Area, Canvas, Rgb};
use super::cells::Company;
use super::lettering::{Anchor, Face, Lettering};
use super::{cells, colors, ways};
use crate::model::board::{Board, CellView, Mark};
use crate::model::legend::{Sign, legend};

/// A picture, and where in it the boards are.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Red, green, blue and alpha of each, row by row.
    pub pixels: Vec<u8>,
    pub boards: Vec<Placed>,
    /// How many rows from the top have something on them.
    pub used: u32,
}

/// Where the cells of a board are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    size: GridSize,
    left: i32,
    top: i32,
    /// The side of a cell in pixels, whole unless it is below 1.
    side: f32,
}

impl Placed {
    /// The cell at a point of the picture.
    pub fn cell_at(&self, (x, y): (f32, f32)) -> Option<Cell> {
        let at = |place: f32, first: i32| ((place - first as f32) / self.side).floor() as i32;
        let cell = Cell::new(at(x, self.left), at(y, self.top));
        self.size.contains(cell).then_some(cell)
    }

    /// The pixels of a cell.
    pub fn area(&self, cell: Cell) -> Area {
        let edge = |at: i32| (at as f32 * self.side).round() as i32;
        let (x, y) = (edge(cell.x), edge(cell.y));
        Area::new(self.left + x, self.top + y, edge(cell.x + 1) - x, edge(cell.y + 1) - y)
    }

    fn middle(&self, cell: Cell) -> (f32, f32) {
        let at = |place: i32, first: i32| first as f32 + (place as f32 + 0.5) * self.side;
        (at(cell.x, self.left), at(cell.y, self.top))
    }
}

/// Draws boards side by side, or one above the other, whichever gives them more room.
///
/// `zoom` is how many pixels a point of text has: 1 on a plain screen.
pub fn draw(boards: &[Board], size: (u32, u32), zoom: f32) -> Figure {
    let mut pen = Pen {
        canvas: Canvas::new(size, colors::PAPER),
        letters: Lettering::default(),
        text: if size.0.min(size.1) as f32 > 440.0 * zoom { 13.5 * zoom } else { 11.5 * zoom }.round().max(8.0),
    };
    let least_side = |columns: &[Column]| columns.iter().map(|column| column.place.side).fold(f32::MAX, f32::min);
    let (beside, below) = (pen.columns(boards, false), pen.columns(boards, true));
    let columns = if least_side(&below) > least_side(&beside) { below } else { beside };
    let (mut placed, mut used) = (Vec::new(), 1.0_f32);
    for (board, column) in boards.iter().zip(&columns) {
        used = used.max(pen.column(board, column));
        placed.push(column.place);
    }
    let size = pen.canvas.size();
    Figure { size, pixels: pen.canvas.into_pixels(), boards: placed, used: (used.ceil() as u32).min(size.1) }
}

/// As large as there is room, in whole pixels a cell if that is at least one, in the middle of the width.
fn fit(size: GridSize, area: Area, above: i32, (width, height): (i32, i32), largest: f32) -> Placed {
    let exact = (width as f32 / size.width() as f32).min(height as f32 / size.height() as f32);
    let side = if exact >= 1.0 { exact.min(largest).floor() } else { exact.max(1.0 / 64.0) };
    let spare = width - (side * size.width() as f32) as i32;
    Placed { size, left: area.x + spare.max(0) / 2, top: area.y + above, side }
}

/// A board with what stands above and below it.
struct Column {
    area: Area,
    /// The lines above: text, height and colour of each.
    head: Vec<(String, f32, Rgb)>,
    place: Placed,
    legend: Vec<Vec<LegendEntry>>,
}

/// An entry of the legend: where in its row, what, and what it means.
type LegendEntry = (f32, Sign, String);

struct Pen {
    canvas: Canvas,
    letters: Lettering,
    /// The height of plain text, in pixels.
    text: f32,
}

impl Pen {
    fn line_height(&self) -> f32 {
        (self.text * 1.42).round()
    }

    /// How wide the margin is.
    fn margin(&self) -> i32 {
        (self.text * 0.7) as i32
    }

    /// Where boards go that stand side by side, or one above the other. What stands above them is equally high.
    fn columns(&self, boards: &[Board], is_stacked: bool) -> Vec<Column> {
        let (width, height) = self.canvas.size();
        let (width, height, count) = (width as i32, height as i32, boards.len().max(1) as i32);
        let areas = (0..count).map(|number| {
            let area = if is_stacked {
                Area::new(0, height * number / count, width, height / count)
            } else {
                Area::new(width * number / count, 0, width / count, height)
            };
            area.shrunk(self.margin())
        });
        let heads: Vec<_> = areas.zip(boards).map(|(area, board)| (area, self.head(board, area.width))).collect();
        let lines = heads.iter().map(|(_, head)| head.len()).max().unwrap_or_default();
        let above = self.first_line() + lines.saturating_sub(1) as f32 * self.line_height() + self.text * 0.5;
        let columns = boards.iter().zip(heads).map(|(board, (area, head))| {
            let legend = self.legend_rows(board, area.width, area.height);
            let below = legend.len() as f32 * self.line_height() + self.text * 0.6;
            let room = (area.width, (area.height - (above + below) as i32).max(1));
            Column { area, head, place: fit(board.size, area, above as i32, room, 7.0 * self.text), legend }
        });
        columns.collect()
    }

    /// Draws a column; returns how far down it goes.
    fn column(&mut self, board: &Board, column: &Column) -> f32 {
        let Column { area, head, place, legend } = column;
        let line = self.line_height();
        for (number, (text, height, color)) in head.iter().enumerate() {
            let y =
                if number == 0 { self.first_line() / 2.0 } else { self.first_line() + (number as f32 - 0.5) * line };
            let at = (area.x as f32, area.y as f32 + y);
            self.letters.write(&mut self.canvas, at, Anchor::Left, (Face::Sans, *height), text, *color);
        }
        self.board(board, *place);
        let bottom = place.top as f32 + board.size.height() as f32 * place.side + self.text * 0.6;
        for (number, row) in legend.iter().enumerate() {
            let y = bottom + (number as f32 + 0.5) * line;
            for (x, sign, text) in row {
                self.entry((area.x as f32 + x, y), *sign, text);
            }
        }
        bottom + legend.len() as f32 * line + self.margin() as f32
    }

    /// How high the first line is, which may be a title.
    fn first_line(&self) -> f32 {
        self.text * 1.75
    }

    /// The lines over a board: text, height and colour of each.
    fn head(&self, board: &Board, width: i32) -> Vec<(String, f32, Rgb)> {
        let title = self.text * 1.25;
        let fits = |text: &str, height| Lettering::width(Face::Sans, text, height) <= width as f32;
        let title = if fits(&board.title, title) { title } else { self.text };
        let mut lines: Vec<_> = wrapped(std::slice::from_ref(&board.title), " ", |text| fits(text, title))
            .into_iter()
            .map(|line| (line, title, colors::INK))
            .collect();
        let facts = wrapped(&board.facts, "   ", |text| fits(text, self.text));
        lines.extend(facts.into_iter().map(|line| (line, self.text, colors::FAINT_INK)));
        for warning in &board.warnings {
            let words: Vec<_> = format!("! {warning}").split(' ').map(str::to_owned).collect();
            let rows = wrapped(&words, " ", |text| fits(text, self.text));
            lines.extend(rows.into_iter().map(|line| (line, self.text, colors::WARNING)));
        }
        lines
    }

    /// The legend in rows that are no wider than the board's area. Where it would take more than its share of the height,
    /// what is understood without it goes first.
    fn legend_rows(&self, board: &Board, width: i32, height: i32) -> Vec<Vec<LegendEntry>> {
        let mut entries = legend(board);
        let share = if height as f32 > 32.0 * self.text { 0.4 } else { 0.22 };
        loop {
            let rows = self.rows(&entries, width as f32);
            if entries.is_empty() || rows.len() as f32 * self.line_height() <= height as f32 * share {
                return rows;
            }
            entries.remove(0);
        }
    }

    fn rows(&self, entries: &[(Sign, String)], width: f32) -> Vec<Vec<LegendEntry>> {
        let (swatch, gap) = (self.swatch() + self.text * 0.45, self.text * 1.3);
        let mut rows: Vec<Vec<LegendEntry>> = Vec::new();
        let mut x = 0.0;
        for (sign, text) in entries {
            let wide = swatch + Lettering::width(Face::Sans, text, self.text);
            match rows.last_mut().filter(|_| x + wide <= width) {
                Some(row) => row.push((x, *sign, text.clone())),
                None => {
                    x = 0.0;
                    rows.push(vec![(x, *sign, text.clone())]);
                }
            }
            x += wide + gap;
        }
        rows
    }

    fn swatch(&self) -> f32 {
        (self.text * 1.5).round()
    }

    fn board(&mut self, board: &Board, place: Placed) {
        for (index, cell) in board.size.rect().cells().enumerate() {
            let area = place.area(cell);
            if let Some(view) = board.cells.get(index).filter(|_| area.width > 0 && area.height > 0) {
                cells::cell(&mut self.canvas, area, view, self.text);
            }
        }
        // On a map that has more cells than there are pixels, what was seen is not to be lost.
        let seen = board.cells.iter().zip(board.size.rect().cells()).filter(|(view, _)| view.mark != Mark::Unseen);
        for (view, cell) in seen.filter(|_| place.side < 2.0) {
            let area = place.area(cell);
            let area = Area { width: area.width.max(2), height: area.height.max(2), ..area };
            self.canvas.fill(area, cells::fill_color(view), 1.0);
        }
        let thick = (place.side / 12.0).round().clamp(1.0, (self.text * 0.22).max(1.0)) as i32;
        for rect in board.clusters.iter().filter(|_| board.clusters.len() > 1) {
            let (first, last) = (place.area(rect.min), place.area(rect.max));
            let (width, height) = (last.x + last.width - first.x, last.y + last.height - first.y);
            let density = if place.side < 4.0 { 0.3 } else { 0.75 };
            self.canvas.fill(Area::new(first.x, first.y, width, thick), colors::CLUSTER, density);
            self.canvas.fill(Area::new(first.x, first.y, thick, height), colors::CLUSTER, density);
        }
        for &cell in &board.edited {
            self.canvas.frame(place.area(cell).shrunk(1), thick.max(2), colors::EDITED);
        }
        for way in &board.ways {
            let is_alone = board.ways.len() == 1;
            ways::way(&mut self.canvas, way, (place.side, self.text), is_alone, |cell| place.middle(cell));
        }
        let below_ways: BTreeSet<Cell> = board.ways.iter().flat_map(|way| way.cells.iter().copied()).collect();
        for (cell, view) in board.size.rect().cells().zip(&board.cells) {
            let pin = board.pins.iter().any(|&(_, at)| at == cell);
            let company = Company { way: below_ways.contains(&cell), pin };
            cells::numbers(&mut self.canvas, &mut self.letters, place.area(cell), view, company, self.text);
        }
        if let Some(cell) = board.current {
            let area = place.area(cell);
            self.canvas.frame(area.shrunk(-2), thick + 2, [0xFF, 0xFF, 0xFF]);
            self.canvas.frame(area.shrunk(-1), thick + 1, colors::CURRENT);
        }
        for &(pin, cell) in &board.pins {
            // It is seen on the largest map, too, and leaves room for numbers where there are three.
            let area = place.area(cell);
            let least = (self.text * 0.5) as i32;
            let area = if area.width < least {
                area.shrunk((area.width - least) / 2)
            } else if cells::has_three_numbers(area.width, self.text) {
                Area::new(area.x, area.y, area.width / 3, area.height / 3)
            } else {
                area
            };
            ways::pin(&mut self.canvas, &mut self.letters, pin, area);
        }
    }

    fn entry(&mut self, (x, y): (f32, f32), sign: Sign, text: &str) {
        let (wide, high) = (self.swatch() as i32, self.text.round() as i32);
        let area = Area::new(x as i32, (y - high as f32 / 2.0) as i32, wide, high);
        let square = area.widest_square();
        let mut plain = CellView::plain(crate::model::terrain::PLAIN, Some(1));
        match sign {
            Sign::Terrain { terrain, cost } => (plain.terrain, plain.cost) = (terrain, cost),
            Sign::Mark(mark) => plain.mark = mark,
            Sign::Heat(heat) => plain.heat = Some(heat),
            Sign::Node => plain.is_node = true,
            Sign::Current | Sign::Way(_) | Sign::Edited | Sign::Cluster | Sign::Iso | Sign::Arrow => {}
        }
        match sign {
            Sign::Terrain { .. } | Sign::Mark(_) | Sign::Heat(_) | Sign::Node => {
                cells::cell(&mut self.canvas, square, &plain, self.text);
                self.canvas.frame(square, 1, colors::FAINT_INK);
            }
            Sign::Current => self.canvas.frame(square, high / 4, colors::CURRENT),
            Sign::Edited => self.canvas.frame(square, high / 6, colors::EDITED),
            Sign::Cluster => self.canvas.frame(area, high / 6, colors::CLUSTER),
            Sign::Way(kind) => ways::sample(&mut self.canvas, kind, area, self.text),
            Sign::Iso => self.canvas.fill(Area::new(area.x, y as i32, wide, high / 6), colors::INK, 0.8),
            Sign::Arrow => {
                cells::arrow(&mut self.canvas, square.centre(), Direction::East, high as f32 * 0.5, colors::INK);
            }
        }
        let at = (x + self.swatch() + self.text * 0.45, y);
        self.letters.write(&mut self.canvas, at, Anchor::Left, (Face::Sans, self.text), text, colors::INK);
    }
}

/// Joins words to lines that fit; a word that does not fit by itself has its own line.
fn wrapped(words: &[String], between: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let longer = lines.last().map(|line| format!("{line}{between}{word}")).filter(|longer| fits(longer));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) => *line = longer,
            _ => lines.push(word.clone()),
        }
    }
    lines
}
