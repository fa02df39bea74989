//! Overlays: what searches and fields know of every cell, as pictures with a legend. The game puts the picture over its map.

use bevy::prelude::Resource;
use bevy_egui::egui::{Color32, CornerRadius, Sense, Stroke, StrokeKind, Ui, vec2};
use bevy_wayfield::wayfield::search::NodeState;
use bevy_wayfield::wayfield::{Cell, CostGrid, DijkstraMap, Direction, Grid, GridSize, PathStep};
use bevy_wayfield::{ClassId, DijkstraMaps, FieldId, Tilemap};

/// What an overlay shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayKind {
    /// What entering each cell costs a class.
    Costs(ClassId),
    /// The cells that a search expanded, and those on its open list.
    Explored,
    /// The values of a field, with lines of equal value.
    Heat(FieldId),
    /// Where units go that roll down a field, for a class.
    Flow(FieldId, ClassId),
    /// The cells that reach each other on foot.
    Components(ClassId),
    /// The clusters of the hierarchy and the entrances between them.
    Clusters(ClassId),
    /// How many units stand in each cell.
    Occupancy,
    /// How far the nearest cell is that a class may not enter: how large a unit may be.
    Clearance(ClassId),
}

/// Where an overlay takes its numbers from.
#[derive(Clone, Copy)]
pub struct OverlaySource<'a> {
    /// The map.
    pub tilemap: &'a Tilemap,
    /// The fields.
    pub maps: &'a DijkstraMaps,
    /// For [`OverlayKind::Explored`]: the states of [`Question::explore`](crate::Question::explore).
    pub explored: Option<&'a Grid<NodeState>>,
    /// For [`OverlayKind::Occupancy`]: where units stand.
    pub units: &'a [Cell],
}

/// An overlay: what it shows, its picture and its legend.
#[derive(Resource, Clone, Debug, Default)]
pub struct Overlay {
    /// What it shows; `None` for nothing.
    pub kind: Option<OverlayKind>,
    image: CellImage,
    legend: Vec<(Color32, String)>,
}

impl Overlay {
    /// Paints the picture anew where its numbers have changed; returns whether that is anywhere.
    ///
    /// Linear in the number of cells: call it when something has changed, or a few times a second.
    pub fn update(&mut self, source: &OverlaySource) -> bool {
        let Some(kind) = self.kind else { return false };
        let size = source.tilemap.size();
        let (looks, legend) = look(kind, source);
        self.legend = legend;
        self.image.paint(size, matches!(kind, OverlayKind::Flow(..)), &looks)
    }

    /// The picture.
    pub fn image(&self) -> &CellImage {
        &self.image
    }
}

/// Shows what the colours mean.
pub fn legend(ui: &mut Ui, overlay: &Overlay) {
    for (color, text) in &overlay.legend {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 14.0), Sense::hover());
            let frame = Stroke::new(1.0, ui.visuals().text_color());
            ui.painter().rect(rect, CornerRadius::ZERO, color.to_opaque(), frame, StrokeKind::Inside);
            ui.label(text);
        });
    }
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Look {
    fill: Color32,
    /// Whether there is a line at its right side, and at its lower one.
    lines: (bool, bool),
    arrow: Option<Direction>,
}

/// A picture of a map, some pixels a cell, row by row from the top left.
#[derive(Clone, Debug, Default)]
pub struct CellImage {
    size: Option<GridSize>,
    scale: u32,
    looks: Vec<Look>,
    pixels: Vec<u8>,
}

/// Pixels along a side of a cell: enough for a line between two, and for an arrow.
const PLAIN_SCALE: u32 = 4;
const ARROW_SCALE: u32 = 8;
/// The widest picture that every graphics card takes.
const WIDEST: u32 = 8192;
const LINE: Color32 = Color32::from_rgba_premultiplied(16, 16, 16, 190);
const ARROW: Color32 = Color32::WHITE;

impl CellImage {
    /// Its width and height in pixels.
    pub fn pixel_size(&self) -> (u32, u32) {
        self.size.map_or((0, 0), |size| (size.width() * self.scale, size.height() * self.scale))
    }

    /// Its pixels: red, green, blue and alpha of each, not premultiplied.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    fn paint(&mut self, size: GridSize, has_arrows: bool, looks: &[Look]) -> bool {
        let wanted = if has_arrows { ARROW_SCALE } else { PLAIN_SCALE };
        let scale = wanted.min(WIDEST / size.width().max(size.height()).min(WIDEST)).max(1);
        if self.size != Some(size) || self.scale != scale {
            (self.size, self.scale) = (Some(size), scale);
            self.looks = Vec::new();
            self.pixels = vec![0; size.cells() * (scale * scale * 4) as usize];
        }
        let before = std::mem::take(&mut self.looks);
        let mut changed = false;
        for (index, (cell, look)) in size.rect().cells().zip(looks).enumerate() {
            let was = before.get(index).copied().unwrap_or_default();
            if was != *look {
                self.paint_cell(size, cell, *look);
                changed = true;
            }
        }
        self.looks = looks.to_vec();
        changed
    }

    fn paint_cell(&mut self, size: GridSize, cell: Cell, look: Look) {
        let scale = self.scale as usize;
        let row_length = size.width() as usize * scale;
        let (left, top) = (cell.x as usize * scale, cell.y as usize * scale);
        for (y, x) in (0..scale).flat_map(|y| (0..scale).map(move |x| (y, x))) {
            let is_line = look.lines.0 && x + 1 == scale || look.lines.1 && y + 1 == scale;
            let is_arrow = look.arrow.is_some_and(|way| is_on_arrow(way, x, y, scale));
            let color = if is_arrow {
                ARROW
            } else if is_line {
                LINE
            } else {
                look.fill
            };
            let at = ((top + y) * row_length + left + x) * 4;
            if let Some(pixel) = self.pixels.get_mut(at..at + 4) {
                pixel.copy_from_slice(&color.to_srgba_unmultiplied());
            }
        }
    }
}

/// Whether a pixel of a cell is on the arrow in this direction: a shaft through the middle and two barbs at its tip.
fn is_on_arrow(way: Direction, x: usize, y: usize, scale: usize) -> bool {
    if scale < ARROW_SCALE as usize {
        return false;
    }
    let step = Cell::new(0, 0).step(way);
    let length = f32::hypot(step.x as f32, step.y as f32);
    let (dx, dy) = (step.x as f32 / length, step.y as f32 / length);
    let middle = scale as f32 / 2.0;
    let (px, py) = (x as f32 + 0.5 - middle, y as f32 + 0.5 - middle);
    let (along, aside) = (px * dx + py * dy, (px * dy - py * dx).abs());
    let tip = 0.42 * scale as f32;
    let is_shaft = aside < 0.6 && along.abs() < tip;
    let is_barb = along > 0.0 && along < tip && (aside - (tip - along)).abs() < 0.7;
    is_shaft || is_barb
}

fn look(kind: OverlayKind, source: &OverlaySource) -> (Vec<Look>, Vec<(Color32, String)>) {
    let none = |why: &str| (Vec::new(), vec![(Color32::TRANSPARENT, why.to_owned())]);
    let grid = |class| source.tilemap.grid(class).map(|grid| &**grid);
    match kind {
        OverlayKind::Costs(class) => grid(class).map_or_else(|| none("no such class"), costs),
        OverlayKind::Explored => match source.explored {
            Some(states) => explored(states),
            None => none("select a unit with an order"),
        },
        OverlayKind::Heat(field) => source.maps.get(field).map_or_else(|| none("not computed yet"), |map| heat(map)),
        OverlayKind::Flow(field, class) => match (source.maps.get(field), grid(class)) {
            (Some(map), Some(grid)) => flow(map, grid),
            _ => none("not computed yet"),
        },
        OverlayKind::Components(class) => grid(class).map_or_else(|| none("no such class"), components),
        OverlayKind::Clusters(class) => {
            grid(class).and_then(clusters).unwrap_or_else(|| none("no hierarchy: choose HPA* and give an order"))
        }
        OverlayKind::Occupancy => occupancy(source.tilemap.size(), source.units),
        OverlayKind::Clearance(class) => grid(class).map_or_else(|| none("no such class"), clearance),
    }
}

type Picture = (Vec<Look>, Vec<(Color32, String)>);

fn plain(fill: Color32) -> Look {
    Look { fill, ..Look::default() }
}

/// As dense as lets the terrain show through.
fn veil(color: Color32) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r(), color.g(), color.b(), 165)
}

fn costs(grid: &CostGrid) -> Picture {
    // Costs differ by factors: their logarithms are evenly spread.
    let color = |cost: u8| viridis(f32::from(cost).ln() / f32::from(u8::MAX).ln());
    let cost = |cell| grid.entering_cost(cell).map(|cost| cost.get());
    let closed = Color32::from_black_alpha(150);
    let looks = grid.size().rect().cells().map(|cell| plain(cost(cell).map_or(closed, |cost| veil(color(cost)))));
    let mut seen: Vec<_> = grid.size().rect().cells().filter_map(cost).collect();
    seen.sort_unstable();
    seen.dedup();
    let shown = seen.iter().map(|&cost| (color(cost), format!("costs {cost}")));
    (looks.collect(), shown.take(12).chain([(Color32::BLACK, "closed".to_owned())]).collect())
}

fn explored(states: &Grid<NodeState>) -> Picture {
    let (closed, open) = (Color32::from_rgb(0x56, 0xB4, 0xE9), Color32::from_rgb(0xF0, 0xE4, 0x42));
    let looks = states.values().iter().map(|state| match state {
        NodeState::Unseen => Look::default(),
        NodeState::Open => plain(veil(open)),
        NodeState::Closed => plain(veil(closed)),
    });
    let count = |wanted| states.values().iter().filter(|state| **state == wanted).count();
    let legend = vec![
        (closed, format!("{} closed: expanded", count(NodeState::Closed))),
        (open, format!("{} open: the frontier", count(NodeState::Open))),
    ];
    (looks.collect(), legend)
}

/// The least and the greatest value of a field.
fn span(map: &DijkstraMap) -> Option<(f64, f64)> {
    let values = || map.cells().filter_map(|cell| map.value(cell)).filter(|value| value.is_finite());
    Some((values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?))
}

/// A round number so that about a dozen steps of it make the span: 1, 2 or 5 times a power of ten.
fn iso_step(span: f64) -> f64 {
    let rough = (span / 12.0).max(0.1);
    let magnitude = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * magnitude >= rough).unwrap_or(10.0);
    factor * magnitude
}

fn heat(map: &DijkstraMap) -> Picture {
    let Some((least, greatest)) = span(map) else {
        return (Vec::new(), vec![(Color32::TRANSPARENT, "no cell has a value".to_owned())]);
    };
    let step = iso_step(greatest - least);
    let share = |value: f64| ((value - least) / (greatest - least).max(f64::MIN_POSITIVE)) as f32;
    let band = |cell| map.value(cell).map(|value| (value / step).floor() as i64);
    let looks = map.size().rect().cells().map(|cell| {
        let Some(value) = map.value(cell) else { return Look::default() };
        let differs = |dx, dy| band(Cell::new(cell.x + dx, cell.y + dy)).is_some_and(|other| Some(other) != band(cell));
        Look { fill: veil(viridis(share(value))), lines: (differs(1, 0), differs(0, 1)), arrow: None }
    });
    let marks = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mut legend: Vec<_> =
        marks.iter().map(|&mark| (viridis(mark as f32), format!("{:.1}", least + (greatest - least) * mark))).collect();
    legend.push((LINE, format!("a line every {step}")));
    (looks.collect(), legend)
}

fn flow(map: &DijkstraMap, grid: &CostGrid) -> Picture {
    let shade = Color32::from_black_alpha(110);
    let looks = grid.size().rect().cells().map(|cell| match map.next_step(grid, cell) {
        Some(PathStep::Walk(way)) => Look { fill: shade, arrow: Some(way), ..Look::default() },
        Some(PathStep::Link(_)) => plain(veil(Color32::from_rgb(0xCC, 0x79, 0xA7))),
        None if map.value(cell).is_some() => plain(veil(Color32::from_rgb(0xE6, 0x9F, 0x00))),
        None => Look::default(),
    });
    let legend = vec![
        (shade, "an arrow: the next step".to_owned()),
        (Color32::from_rgb(0xE6, 0x9F, 0x00), "nothing is lower: units stay".to_owned()),
        (Color32::from_rgb(0xCC, 0x79, 0xA7), "takes a link".to_owned()),
    ];
    (looks.collect(), legend)
}

/// Okabe and Ito's colours, which the colour-blind tell apart: sky blue, orange, bluish green, yellow, blue, vermilion and
/// reddish purple.
pub const DISTINCT: [[u8; 3]; 7] = [
    [0x56, 0xB4, 0xE9],
    [0xE6, 0x9F, 0x00],
    [0x00, 0x9E, 0x73],
    [0xF0, 0xE4, 0x42],
    [0x00, 0x72, 0xB2],
    [0xD5, 0x5E, 0x00],
    [0xCC, 0x79, 0xA7],
];

fn distinct(index: u32) -> Color32 {
    let [red, green, blue] = DISTINCT[index as usize % DISTINCT.len()];
    Color32::from_rgb(red, green, blue)
}

fn components(grid: &CostGrid) -> Picture {
    let mut counts: std::collections::BTreeMap<u32, usize> = std::collections::BTreeMap::new();
    let looks: Vec<_> = grid
        .size()
        .rect()
        .cells()
        .map(|cell| {
            let Some(label) = grid.component(cell) else { return plain(Color32::from_black_alpha(150)) };
            *counts.entry(label).or_default() += 1;
            plain(veil(distinct(label)))
        })
        .collect();
    let mut largest: Vec<_> = counts.iter().collect();
    largest.sort_by_key(|&(label, count)| (std::cmp::Reverse(*count), *label));
    let mut legend = vec![(Color32::TRANSPARENT, format!("{} components", counts.len()))];
    legend.extend(largest.iter().take(6).map(|&(&label, count)| (distinct(label), format!("{count} cells"))));
    (looks, legend)
}

fn clusters(grid: &CostGrid) -> Option<Picture> {
    let hierarchy = grid.hierarchy()?;
    let size = grid.size();
    let cluster = |cell| size.index(cell).map(|node| hierarchy.cluster_of(node));
    let mut looks: Vec<_> = size
        .rect()
        .cells()
        .map(|cell| {
            let differs =
                |dx, dy| cluster(Cell::new(cell.x + dx, cell.y + dy)).is_some_and(|other| Some(other) != cluster(cell));
            Look { lines: (differs(1, 0), differs(0, 1)), ..Look::default() }
        })
        .collect();
    let entrance = Color32::from_rgb(0xE6, 0x9F, 0x00);
    let mut count = 0;
    for node in (0..hierarchy.clusters() as u32).flat_map(|cluster| hierarchy.nodes(cluster)) {
        if let Some(look) = looks.get_mut(*node as usize) {
            look.fill = veil(entrance);
            count += 1;
        }
    }
    Some((
        looks,
        vec![(LINE, format!("{} clusters", hierarchy.clusters())), (entrance, format!("{count} entrance cells"))],
    ))
}

fn occupancy(size: GridSize, units: &[Cell]) -> Picture {
    let mut counts = vec![0u32; size.cells()];
    for &cell in units {
        if let Some(count) = size.index(cell).and_then(|index| counts.get_mut(index as usize)) {
            *count += 1;
        }
    }
    const MOST: u32 = 4;
    let color = |count: u32| viridis((count.min(MOST) as f32 - 1.0) / (MOST - 1) as f32);
    let looks = counts.iter().map(|&count| if count == 0 { Look::default() } else { plain(veil(color(count))) });
    let words = ["one unit", "two", "three", "four or more"];
    (looks.collect(), (1..=MOST).zip(words).map(|(count, word)| (color(count), word.to_owned())).collect())
}

/// The largest square of passable cells with its top left corner in each cell, by one sweep from the bottom right.
fn clearance(grid: &CostGrid) -> Picture {
    let size = grid.size();
    let mut sides: Grid<u32> = Grid::new(size, 0);
    let cells: Vec<_> = size.rect().cells().collect();
    for &cell in cells.iter().rev() {
        if grid.is_passable(cell) {
            let side = |dx, dy| sides.get(Cell::new(cell.x + dx, cell.y + dy)).copied().unwrap_or(0);
            let side = 1 + side(1, 0).min(side(0, 1)).min(side(1, 1));
            sides.set(cell, side);
        }
    }
    const MOST: u32 = 8;
    let color = |side: u32| viridis((side.min(MOST) as f32 - 1.0) / (MOST - 1) as f32);
    let looks = sides.values().iter().map(|&side| if side == 0 { Look::default() } else { plain(veil(color(side))) });
    let legend = [1, 2, 3, 5, MOST].map(|side| {
        let more = if side == MOST { " and more" } else { "" };
        (color(side), format!("{side} x {side}{more}"))
    });
    (looks.collect(), legend.to_vec())
}

/// The colour of a value between the least, 0, and the greatest, 1; a number outside counts as the nearest one.
///
/// Viridis, by Smith, van der Walt and Firing: its lightness rises evenly, from dark to light, so that the colour-blind and
/// black and white print keep the order.
pub fn viridis(share: f32) -> Color32 {
    const STOPS: [[u8; 3]; 9] = [
        [0x44, 0x01, 0x54],
        [0x47, 0x2D, 0x7B],
        [0x3B, 0x52, 0x8B],
        [0x2C, 0x72, 0x8E],
        [0x21, 0x91, 0x8C],
        [0x28, 0xAE, 0x80],
        [0x5E, 0xC9, 0x62],
        [0xAD, 0xDC, 0x30],
        [0xFD, 0xE7, 0x25],
    ];
    let at = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32 };
    let below = (at as usize).min(STOPS.len() - 2);
    let mix = |channel: usize| {
        let (from, to) = (f32::from(STOPS[below][channel]), f32::from(STOPS[below + 1][channel]));
        (from + (to - from) * (at - below as f32)).round() as u8
    };
    Color32::from_rgb(mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{MovementClass, TerrainId, TerrainMap};

    use super::*;
    use crate::screen::Screen;

    fn tilemap() -> Tilemap {
        let class = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap().with_cost(TerrainId(1), 6).unwrap();
        let mut map = TerrainMap::new(GridSize::new(20, 12).unwrap(), TerrainId(0));
        map.edit((0..12).map(|y| (Cell::new(9, y), TerrainId(2)))).unwrap();
        map.edit((0..4).map(|x| (Cell::new(x, 3), TerrainId(1)))).unwrap();
        Tilemap::new(map, vec![class])
    }

    fn shown(kind: OverlayKind, tilemap: &Tilemap, units: &[Cell]) -> Overlay {
        let maps = DijkstraMaps::default();
        let mut overlay = Overlay { kind: Some(kind), ..Overlay::default() };
        let source = OverlaySource { tilemap, maps: &maps, explored: None, units };
        assert!(overlay.update(&source), "{kind:?}");
        assert!(!overlay.update(&source), "nothing has changed: {kind:?}");
        let mut screen = Screen::new(280.0);
        screen.frame([], |ui| legend(ui, &overlay));
        screen.assert_legible();
        overlay
    }

    fn alpha(overlay: &Overlay, cell: Cell) -> u8 {
        let (width, _) = overlay.image.pixel_size();
        let scale = overlay.image.scale;
        let at = (cell.y as u32 * scale * width + cell.x as u32 * scale) as usize * 4;
        overlay.image.pixels()[at + 3]
    }

    #[test]
    fn lightness_rises_along_the_ramp() {
        let lightness = |color: Color32| {
            0.2126 * f32::from(color.r()) + 0.7152 * f32::from(color.g()) + 0.0722 * f32::from(color.b())
        };
        let ramp: Vec<_> = (0..=100).map(|step| lightness(viridis(step as f32 / 100.0))).collect();
        assert!(ramp.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(viridis(f32::NAN), viridis(0.0));
    }

    #[test]
    fn iso_lines_are_at_round_numbers() {
        for (span, step) in [(120.0, 10.0), (130.0, 20.0), (7.0, 1.0), (0.0, 0.1), (1e9, 1e8)] {
            assert!((iso_step(span) / step - 1.0).abs() < 1e-9, "{span}: {}", iso_step(span));
        }
    }

    #[test]
    fn cells_with_something_to_show_are_painted() {
        let tilemap = tilemap();
        let class = ClassId(0);
        let costs = shown(OverlayKind::Costs(class), &tilemap, &[]);
        assert_eq!(
            costs.legend.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["costs 1", "costs 6", "closed"]
        );
        let parts = shown(OverlayKind::Components(class), &tilemap, &[]);
        assert!(parts.legend[0].1.starts_with("2 components"));
        let units = [Cell::new(4, 4), Cell::new(4, 4), Cell::new(-1, 0)];
        let occupied = shown(OverlayKind::Occupancy, &tilemap, &units);
        assert!(alpha(&occupied, units[0]) > 0 && alpha(&occupied, Cell::new(5, 4)) == 0);
        let clear = shown(OverlayKind::Clearance(class), &tilemap, &[]);
        assert!(alpha(&clear, Cell::new(8, 0)) > 0 && alpha(&clear, Cell::new(9, 0)) == 0);
    }

    #[test]
    fn only_what_changed_is_painted_anew_and_another_size_begins_anew() {
        let tilemap = tilemap();
        let maps = DijkstraMaps::default();
        let mut overlay = shown(OverlayKind::Occupancy, &tilemap, &[Cell::new(4, 4)]);
        let one = [Cell::new(4, 5)];
        let source = OverlaySource { tilemap: &tilemap, maps: &maps, explored: None, units: &one };
        assert!(overlay.update(&source));
        assert_eq!((alpha(&overlay, Cell::new(4, 4)), alpha(&overlay, one[0]) > 0), (0, true));
        let small =
            Tilemap::new(TerrainMap::new(GridSize::new(3, 3).unwrap(), TerrainId(0)), tilemap.classes().to_vec());
        overlay.update(&OverlaySource { tilemap: &small, ..source });
        assert_eq!(overlay.image.pixel_size(), (12, 12));
    }

    #[test]
    fn a_field_is_shown_as_heat_and_as_arrows() {
        let tilemap = tilemap();
        let grid = tilemap.grid(ClassId(0)).unwrap();
        let map = DijkstraMap::toward(grid, [Cell::new(0, 0)]).unwrap();
        let (looks, _) = heat(&map);
        assert!(looks.iter().any(|look| look.lines.0) && looks.iter().any(|look| look.lines.1));
        let beyond_the_wall = grid.size().index(Cell::new(15, 5)).unwrap() as usize;
        assert_eq!(looks[beyond_the_wall], Look::default(), "no value, no colour");
        let (arrows, _) = flow(&map, grid);
        assert_eq!(arrows[5].arrow, Some(Direction::West));
        let mut image = CellImage::default();
        assert!(image.paint(grid.size(), true, &arrows));
        let white = image.pixels().chunks(4).filter(|pixel| *pixel == [255, 255, 255, 255]).count();
        assert!(white > 500, "arrows are drawn: {white}");
    }
}
