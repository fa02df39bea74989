//! Dijkstra maps: what every cell is worth, and where units roll.

use clap::ValueEnum;
use wayfield::{Cell, CostGrid, DijkstraMap, FieldError, FleeScale, PathStep, TerrainMap};

use super::board::{Board, Numbers, Pin, number};

/// What a field is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FieldKind {
    /// The way to the nearest source: units roll down it.
    #[default]
    Toward,
    /// The way from the nearest source.
    From,
    /// As far as a number of points goes.
    Range,
    /// The distance from the threats, turned upside down and scaled: units get stuck in corners.
    Upturned,
    /// The same, rescanned: units find the ways out.
    Flee,
    /// The way to the sources, less a part of the way to the threats.
    Sum,
}

impl FieldKind {
    pub const ALL: [Self; 6] = [Self::Toward, Self::From, Self::Range, Self::Upturned, Self::Flee, Self::Sum];

    /// As the window calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Toward => "Toward the nearest source",
            Self::From => "From the nearest source",
            Self::Range => "Movement range",
            Self::Upturned => "Flee, before the rescan",
            Self::Flee => "Flee, before and after the rescan",
            Self::Sum => "Weighted sum",
        }
    }

    /// Whether sources make a difference to it.
    pub fn has_sources(self) -> bool {
        !matches!(self, Self::Upturned | Self::Flee)
    }

    /// Whether threats do.
    pub fn has_threats(self) -> bool {
        matches!(self, Self::Upturned | Self::Flee | Self::Sum)
    }
}

/// A field that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldQuestion {
    pub kind: FieldKind,
    /// The k of fleeing.
    pub scale: f64,
    /// The points of a movement range, in terrain units.
    pub points: f64,
    /// How much the ways to sources and to threats count in a sum.
    pub weights: (f64, f64),
}

impl Default for FieldQuestion {
    fn default() -> Self {
        Self { kind: FieldKind::default(), scale: 1.2, points: 8.0, weights: (1.0, -0.5) }
    }
}

impl FieldQuestion {
    /// Turns the number that matters to this kind one notch up or down: points, k, or the weight of threats.
    pub fn turn(&mut self, up: bool) {
        let turned = |value: f64, notch: f64, least: f64, most: f64| {
            ((value + if up { notch } else { -notch }).clamp(least, most) * 100.0).round() / 100.0
        };
        match self.kind {
            FieldKind::Toward | FieldKind::From => {}
            FieldKind::Range => self.points = turned(self.points, 0.5, 0.0, Self::MOST_POINTS),
            FieldKind::Upturned | FieldKind::Flee => self.scale = turned(self.scale, 0.1, 1.0, Self::LARGEST_SCALE),
            FieldKind::Sum => self.weights.1 = turned(self.weights.1, 0.1, -Self::MOST_WEIGHT, Self::MOST_WEIGHT),
        }
    }

    /// The most points, the largest k and the most weight that controls offer.
    pub const MOST_POINTS: f64 = 60.0;
    pub const LARGEST_SCALE: f64 = 4.0;
    pub const MOST_WEIGHT: f64 = 2.0;

    /// The values.
    pub fn compute(&self, grid: &CostGrid, sources: &[Cell], threats: &[Cell]) -> Result<DijkstraMap, FieldError> {
        let (sources, threats) = (sources.iter().copied(), threats.iter().copied());
        match self.kind {
            FieldKind::Toward => DijkstraMap::toward(grid, sources),
            FieldKind::From => DijkstraMap::from(grid, sources),
            FieldKind::Range => DijkstraMap::from_within(grid, sources, self.points),
            FieldKind::Upturned => DijkstraMap::weighted_sum(&[(&DijkstraMap::from(grid, threats)?, -self.scale)]),
            FieldKind::Flee => DijkstraMap::flee(grid, grid, threats, FleeScale::new(self.scale)?),
            FieldKind::Sum => {
                let terms = (DijkstraMap::toward(grid, sources)?, DijkstraMap::toward(grid, threats)?);
                DijkstraMap::weighted_sum(&[(&terms.0, self.weights.0), (&terms.1, self.weights.1)])
            }
        }
    }

    /// What is to be seen of it: of fleeing, the values before the rescan, too.
    pub fn boards(
        &self,
        terrain: &TerrainMap,
        grid: &CostGrid,
        sources: &[Cell],
        threats: &[Cell],
    ) -> Result<Vec<Board>, FieldError> {
        let kinds = match self.kind {
            FieldKind::Flee => vec![FieldKind::Upturned, FieldKind::Flee],
            kind => vec![kind],
        };
        kinds.into_iter().map(|kind| Self { kind, ..self.clone() }.board(terrain, grid, sources, threats)).collect()
    }

    /// What is to be seen of one field.
    pub fn board(
        &self,
        terrain: &TerrainMap,
        grid: &CostGrid,
        sources: &[Cell],
        threats: &[Cell],
    ) -> Result<Board, FieldError> {
        let map = self.compute(grid, sources, threats)?;
        let mut board = Board::of_map(terrain, grid);
        board.is_field = true;
        board.title = match self.kind {
            FieldKind::Range => format!("Movement range, {} points", number(self.points)),
            FieldKind::Upturned => format!("Before the rescan, k = {}", number(self.scale)),
            FieldKind::Flee => format!("After the rescan, k = {}", number(self.scale)),
            FieldKind::Sum => {
                let (sources, threats) = self.weights;
                let sign = if threats < 0.0 { '-' } else { '+' };
                format!("{} x sources {sign} {} x threats", number(sources), number(threats.abs()))
            }
            FieldKind::Toward | FieldKind::From => self.kind.title().to_owned(),
        };
        let values = || map.cells().filter_map(|cell| map.value(cell));
        let least = values().min_by(f64::total_cmp);
        let span =
            least.zip(values().max_by(f64::total_cmp)).map(|(least, most)| (least, most, iso_step(most - least)));
        board.span = span;
        let cells: Vec<_> = map.size().rect().cells().collect();
        for (view, &cell) in board.cells.iter_mut().zip(&cells) {
            let (Some(value), Some((least, most, step))) = (map.value(cell), span) else { continue };
            view.numbers = Numbers::Value(value);
            view.heat = Some(((value - least) / (most - least).max(f64::MIN_POSITIVE)) as f32);
            let band = |value: f64| (value / step).floor() as i64;
            let differs =
                |dx, dy| map.value(Cell::new(cell.x + dx, cell.y + dy)).is_some_and(|other| band(other) != band(value));
            view.iso = (differs(1, 0), differs(0, 1));
            view.arrow = match map.next_step(grid, cell) {
                Some(PathStep::Walk(way)) => Some(way),
                Some(PathStep::Link(_)) | None => None,
            };
        }
        let pins = |pin, cells: &[Cell], is_used: bool| {
            cells.iter().filter(|_| is_used).map(|&cell| (pin, cell)).collect::<Vec<_>>()
        };
        board.pins = pins(Pin::Source, sources, self.kind.has_sources());
        board.pins.extend(pins(Pin::Threat, threats, self.kind.has_threats()));
        board.facts.push(format!("{} cells", map.cells().count()));
        board.facts.extend(span.map(|(least, most, _)| format!("from {} to {}", number(least), number(most))));
        let stuck = board.cells.iter().filter(|cell| cell.heat.is_some() && cell.arrow.is_none()).count();
        if !matches!(self.kind, FieldKind::From | FieldKind::Range) {
            board.facts.push(format!("units stay on {stuck} cells"));
        }
        Ok(board)
    }
}

/// A round number so that about ten steps of it make the span: 1, 2 or 5 times a power of ten.
fn iso_step(span: f64) -> f64 {
    let rough = (span / 10.0).max(0.1);
    let magnitude = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * magnitude >= rough).unwrap_or(10.0);
    factor * magnitude
}
