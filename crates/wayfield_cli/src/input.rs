//! Maps and scenario files, from files or standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use wayfield::{
    Algorithm, CostGrid, CostGridError, GridSize, Link, MovementClass, Scenario, TerrainMap, TextError, parse_map,
    parse_scenarios,
};

use crate::args::{LinkArg, MovementArgs};
use crate::error::CliError;

/// The bytes of the largest map, with room for line ends and a header: whatever is larger is not read to its end.
const MAX_BYTES: u64 = GridSize::MAX_SIDE as u64 * (GridSize::MAX_SIDE as u64 + 2) + 1024;

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input, written `-`.
    Standard,
    /// A file.
    File(PathBuf),
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        if path == Path::new("-") { Self::Standard } else { Self::File(path) }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// A map, who moves on it, and how it looks to them.
pub struct World {
    /// The terrain and the links.
    pub map: TerrainMap,
    /// Who moves.
    pub class: MovementClass,
    /// What searches run on.
    pub grid: CostGrid,
}

impl World {
    /// Makes ready what these algorithms need, and the jumps if they are asked for.
    pub fn prepare(&mut self, algorithms: &[Algorithm], has_jump_table: bool) {
        if algorithms.contains(&Algorithm::HpaStar) {
            self.grid.build_hierarchy();
        }
        if has_jump_table {
            self.grid.build_jump_table();
        }
    }
}

/// The map as the class of the flags sees it.
pub fn read_world(input: &Input, movement: &MovementArgs) -> Result<World, CliError> {
    let map = parse_map(&read(input)?).map_err(|error| at(input, error))?;
    let mut class = map.default_class().with_corner_rule(movement.corners);
    if let Some(costs) = &movement.costs {
        costs.apply(&mut class);
    }
    let mut map = map.terrain;
    let mut links = Vec::new();
    for LinkArg { text, from, to, cost } in &movement.links {
        let (from, to) = (from.within("link's start", map.size())?, to.within("link's end", map.size())?);
        let id = map.add_link(Link::new(from, to, *cost));
        links.push((text, id.map_err(|source| CliError::Link { text: text.clone(), source })?));
    }
    let grid = CostGrid::for_units(&map, &class, movement.size).map_err(|error| match error {
        CostGridError::UnitSize { .. } => CliError::UnitSize(error),
        CostGridError::NothingPassable { .. } => CliError::NothingPassable(error),
    })?;
    for (text, id) in links {
        grid.check_link(&map, id).map_err(|source| CliError::Link { text: text.clone(), source })?;
    }
    Ok(World { map, class, grid })
}

/// A query of a scenario file and the line it is on, from 1.
pub struct Line {
    /// The line.
    pub number: usize,
    /// The query.
    pub scenario: Scenario,
}

/// The queries of a scenario file.
pub fn read_scenarios(input: &Input) -> Result<Vec<Line>, CliError> {
    let text = read(input)?;
    let scenarios = parse_scenarios(&text).map_err(|error| at(input, error))?;
    // After the version line each line that is not blank is a query.
    let text = String::from_utf8_lossy(&text);
    let queries = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    Ok(queries.zip(scenarios).map(|((index, _), scenario)| Line { number: index + 1, scenario }).collect())
}

pub fn read(input: &Input) -> Result<Vec<u8>, CliError> {
    read_within(input, MAX_BYTES)
}

/// The bytes of a file that has no more than `limit`.
pub fn read_within(input: &Input, limit: u64) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = match input {
        Input::Standard => io::stdin().lock().take(limit + 1).read_to_end(&mut bytes),
        Input::File(path) => File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)),
    };
    match read {
        Err(source) => Err(CliError::Read { input: input.clone(), source }),
        Ok(length) if length as u64 > limit => Err(CliError::TooLarge { input: input.clone(), limit }),
        Ok(_) => Ok(bytes),
    }
}

fn at(input: &Input, source: TextError) -> CliError {
    CliError::Text { input: input.clone(), source }
}
