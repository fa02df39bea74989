//! Maps and scenario files, from files or standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use wayfield::{CostGrid, GridSize, Scenario, TextError, parse_map, parse_scenarios};

use crate::args::MovementArgs;
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

/// The map as the class of the flags sees it.
pub fn read_grid(input: &Input, movement: &MovementArgs) -> Result<CostGrid, CliError> {
    let map = parse_map(&read(input)?).map_err(|error| at(input, error))?;
    let mut class = map.default_class().with_corner_rule(movement.corners);
    if let Some(costs) = &movement.costs {
        costs.apply(&mut class);
    }
    Ok(CostGrid::new(&map.terrain, &class))
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

fn read(input: &Input) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = match input {
        Input::Standard => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        Input::File(path) => File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)),
    };
    match read {
        Err(source) => Err(CliError::Read { input: input.clone(), source }),
        Ok(length) if length as u64 > MAX_BYTES => Err(CliError::TooLarge { input: input.clone(), limit: MAX_BYTES }),
        Ok(_) => Ok(bytes),
    }
}

fn at(input: &Input, source: TextError) -> CliError {
    CliError::Text { input: input.clone(), source }
}
