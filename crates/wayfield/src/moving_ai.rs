//! Maps and scenarios as text: the formats of the Moving AI benchmarks, and plain rows of characters.
//!
//! The formats are those of N. Sturtevant, "Benchmarks for Grid-Based Pathfinding" (2012). A plain map is
//! the rows alone. In both the terrain of a cell is its character: [`TerrainId`] is the ASCII code.

use std::fmt::Write as _;

use crate::grid::{Cell, Grid, GridSize, GridSizeError};
use crate::map::TerrainMap;
use crate::terrain::{MovementClass, TerrainId};

/// More digits than this say nothing about a length.
const MAX_DECIMALS: u32 = 17;

/// A map read from text.
#[derive(Clone, Debug)]
pub struct TextMap {
    /// The map; a cell's terrain is its character.
    pub terrain: TerrainMap,
    /// What it was written in.
    pub format: MapFormat,
}

/// How a map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFormat {
    /// With the header `type octile`, `height`, `width`, `map`.
    MovingAi,
    /// Just the rows.
    Rows,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: TextErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextErrorKind {
    /// The bytes are no text.
    #[error("this is not UTF-8 text")]
    NotUtf8,
    /// There is no map.
    #[error("there are no rows")]
    NoRows,
    /// A header line is missing or another one than expected.
    #[error("expected {expected}, found \"{found}\"")]
    Expected {
        /// What belongs here.
        expected: &'static str,
        /// What is here.
        found: String,
    },
    /// The size is impossible.
    #[error("{0}")]
    Size(#[from] GridSizeError),
    /// A row has another length than the map is wide.
    #[error("this row has {found} cells, the map is {expected} wide")]
    RaggedRow {
        /// The width of the map.
        expected: usize,
        /// The cells in the row.
        found: usize,
    },
    /// There are fewer or more rows than the header says.
    #[error("the header says {expected} rows, there are {found}")]
    RowCount {
        /// The height in the header.
        expected: usize,
        /// The number of rows.
        found: usize,
    },
}

impl TextMap {
    /// The usual costs of the characters: `.`, `G` and `S` cost 1, digits their own value, all else is forbidden.
    pub fn default_class(&self) -> MovementClass {
        let digits = (b'1'..=b'9').map(|digit| (digit, i64::from(digit - b'0')));
        let plain = [b'.', b'G', b'S'].map(|plain| (plain, 1));
        let mut class = MovementClass::new("default");
        for (character, cost) in digits.chain(plain) {
            class.set_cost(TerrainId(character), crate::cost::TerrainCost::try_from(cost).ok());
        }
        class
    }
}

/// Reads a map with a Moving AI header, or of plain rows.
///
/// A character outside ASCII stands for `@`: unknown, and so forbidden. Empty lines at the end do not count.
///
/// ```
/// use wayfield::{parse_map, Cell, TerrainId};
/// let map = parse_map(b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n")?;
/// assert_eq!(map.terrain.terrain(Cell::new(1, 0)), Some(TerrainId(b'@')));
/// let error = parse_map(b"...\n..\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: this row has 2 cells, the map is 3 wide");
/// # Ok::<(), wayfield::TextError>(())
/// ```
///
/// # Errors
/// If the text is not UTF-8, the header is wrong, there is no cell or a side has too many, or the rows do not fit.
pub fn parse_map(text: &[u8]) -> Result<TextMap, TextError> {
    let lines = lines_of(text)?;
    let is_moving_ai =
        lines.first().is_some_and(|line| line.split_once(char::is_whitespace).is_some_and(|(word, _)| word == "type"));
    let (header, format) = if is_moving_ai { (4, MapFormat::MovingAi) } else { (0, MapFormat::Rows) };
    let declared = if is_moving_ai { Some(parse_header(&lines)?) } else { None };

    let rows = lines.get(header..).unwrap_or_default();
    let width = match declared {
        Some(size) => size.width() as usize,
        None => rows.first().map_or(0, |row| row.chars().count()),
    };
    if rows.is_empty() && declared.is_none() {
        return Err(TextError { line: 1, column: 1, kind: TextErrorKind::NoRows });
    }
    if let Some(size) = declared {
        let expected = size.height() as usize;
        if rows.len() != expected {
            let line = header + rows.len().min(expected) + 1;
            let kind = TextErrorKind::RowCount { expected, found: rows.len() };
            return Err(TextError { line, column: 1, kind });
        }
    }
    let mut cells = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let line = header + number + 1;
        let before = cells.len();
        cells.extend(
            row.chars().map(|character| TerrainId(u8::try_from(character).ok().filter(u8::is_ascii).unwrap_or(b'@'))),
        );
        let found = cells.len() - before;
        if found != width {
            let column = found.min(width) + 1;
            return Err(TextError { line, column, kind: TextErrorKind::RaggedRow { expected: width, found } });
        }
    }
    let grid =
        Grid::from_rows(width, cells).map_err(|error| TextError { line: header + 1, column: 1, kind: error.into() })?;
    Ok(TextMap { terrain: TerrainMap::from_grid(grid), format })
}

/// Writes a map; [`parse_map`] reads it back, if every terrain is a printable character other than a space.
pub fn write_map(map: &TerrainMap, format: MapFormat) -> String {
    let size = map.size();
    let mut text = match format {
        MapFormat::MovingAi => format!("type octile\nheight {}\nwidth {}\nmap\n", size.height(), size.width()),
        MapFormat::Rows => String::new(),
    };
    for row in map.grid().values().chunks(size.width() as usize) {
        text.extend(row.iter().map(|terrain| char::from(terrain.0)));
        text.push('\n');
    }
    text
}

/// One line of a scenario file: a query and the length of its cheapest path.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The group of the query: its length divided by 4, in most files.
    pub bucket: u32,
    /// The name of the map.
    pub map: String,
    /// The size of the map.
    pub size: GridSize,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The length of the cheapest path.
    pub optimal: f64,
    /// The digits that the file prints after the decimal point of its lengths.
    pub decimals: u32,
}

impl Scenario {
    /// How far a right answer may be from the printed length: 1e-4 of it, or half of its last decimal if that is more.
    pub fn tolerance(&self) -> f64 {
        (self.optimal * 1e-4).max(0.5 * 0.1f64.powi(self.decimals as i32))
    }
}

/// Reads a scenario file: `version 1`, then a query a line. Cells are not checked against any map.
///
/// [`Scenario::decimals`] is that of the length with the most in the file: a length of "1" among others with
/// six decimals is exact, not rounded to a whole number.
///
/// # Errors
/// If the text is not UTF-8, the version line is missing, or a line has not nine columns that can be read.
pub fn parse_scenarios(text: &[u8]) -> Result<Vec<Scenario>, TextError> {
    let lines = lines_of(text)?;
    let version = lines.first().copied().unwrap_or_default();
    if !matches!(version.split_whitespace().collect::<Vec<_>>()[..], ["version", "1" | "1.0"]) {
        return Err(expected(1, 1, "the line \"version 1\"", version));
    }
    let queries = lines.iter().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    let mut scenarios = queries.map(|(index, line)| parse_scenario(index + 1, line)).collect::<Result<Vec<_>, _>>()?;
    let decimals = scenarios.iter().map(|scenario| scenario.decimals).max().unwrap_or_default();
    for scenario in &mut scenarios {
        scenario.decimals = decimals;
    }
    Ok(scenarios)
}

/// Writes a scenario file that [`parse_scenarios`] reads back.
pub fn write_scenarios(scenarios: &[Scenario]) -> String {
    let mut text = String::from("version 1\n");
    for scenario in scenarios {
        let Scenario { bucket, map, size, start, goal, optimal, decimals } = scenario;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{bucket}\t{map}\t{}\t{}\t{}\t{}\t{}\t{}\t{optimal:.*}",
            size.width(),
            size.height(),
            start.x,
            start.y,
            goal.x,
            goal.y,
            (*decimals).min(MAX_DECIMALS) as usize,
        );
    }
    text
}

fn parse_scenario(line: usize, text: &str) -> Result<Scenario, TextError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [bucket, map, width, height, start_x, start_y, goal_x, goal_y, optimal] = fields[..] else {
        return Err(expected(line, 1, "nine columns", text));
    };
    let column = |field: &str| 1 + field.as_ptr() as usize - text.as_ptr() as usize;
    let wrong = |what, field: &str| expected(line, column(field), what, field);
    let whole = |what, field: &str| field.parse::<u32>().map_err(|_| wrong(what, field));
    let coordinate = |field: &str| field.parse::<i32>().map_err(|_| wrong("a coordinate", field));
    let length = optimal
        .parse::<f64>()
        .ok()
        .filter(|length| length.is_finite() && *length >= 0.0)
        .ok_or_else(|| wrong("a length", optimal))?;
    let size = GridSize::new(whole("a width", width)?.into(), whole("a height", height)?.into())
        .map_err(|error| TextError { line, column: column(width), kind: error.into() })?;
    Ok(Scenario {
        bucket: whole("a bucket", bucket)?,
        map: map.to_owned(),
        size,
        start: Cell::new(coordinate(start_x)?, coordinate(start_y)?),
        goal: Cell::new(coordinate(goal_x)?, coordinate(goal_y)?),
        optimal: length,
        decimals: optimal.split_once('.').map_or(0, |(_, digits)| digits.len() as u32).min(MAX_DECIMALS),
    })
}

/// Reads `type octile` and, in either order, height and width, and `map`.
fn parse_header(lines: &[&str]) -> Result<GridSize, TextError> {
    let words = |number: usize| -> Vec<&str> {
        lines.get(number - 1).copied().unwrap_or_default().split_whitespace().collect()
    };
    let found = |number: usize| lines.get(number - 1).copied().unwrap_or_default();
    if words(1) != ["type", "octile"] {
        return Err(expected(1, 1, "\"type octile\"", found(1)));
    }
    let (mut width, mut height) = (None, None);
    for line in 2..=3 {
        let wrong = || expected(line, 1, "\"height H\" and \"width W\" with whole numbers", found(line));
        let words = words(line);
        let [key, value] = words[..] else { return Err(wrong()) };
        let value = value.parse::<u64>().map_err(|_| wrong())?;
        match (key, width, height) {
            ("width", None, _) => width = Some(value),
            ("height", _, None) => height = Some(value),
            _ => return Err(wrong()),
        }
    }
    if words(4) != ["map"] {
        return Err(expected(4, 1, "\"map\"", found(4)));
    }
    let size = GridSize::new(width.unwrap_or_default(), height.unwrap_or_default());
    size.map_err(|error| TextError { line: 2, column: 1, kind: error.into() })
}

fn expected(line: usize, column: usize, expected: &'static str, found: &str) -> TextError {
    // A binary file or a row instead of a header would flood the message.
    let found = found.chars().take(40).collect();
    TextError { line, column, kind: TextErrorKind::Expected { expected, found } }
}

/// The lines without line ends, and without empty ones at the end.
fn lines_of(text: &[u8]) -> Result<Vec<&str>, TextError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let good = &text[..error.valid_up_to()];
        let line_start = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        TextError {
            line: 1 + good.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + good.len() - line_start,
            kind: TextErrorKind::NotUtf8,
        }
    })?;
    // A byte order mark is no cell.
    let mut lines: Vec<_> = text.strip_prefix('\u{feff}').unwrap_or(text).lines().collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    Ok(lines)
}
