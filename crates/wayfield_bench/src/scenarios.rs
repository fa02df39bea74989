//! Maps and questions from a folder of Moving AI files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wayfield::{CostGrid, TextError, parse_map, parse_scenarios};

use crate::ground::Ground;

/// Why a folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file system says no.
    #[error("{path}: {source}")]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// A file is not what its name says.
    #[error("{path}: {source}")]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: TextError,
    },
    /// There is no map with a scenario file beside it.
    #[error("{0}: no *.map with its *.map.scen")]
    Empty(PathBuf),
    /// A scenario is not of the map beside it, or has no answer on it.
    #[error("{path}: the scenario from {start} to {goal} is none of this map")]
    Misfit {
        /// The scenario file.
        path: PathBuf,
        /// Where it starts.
        start: wayfield::Cell,
        /// Where it ends.
        goal: wayfield::Cell,
    },
}

/// All maps of a folder by name, each with up to `queries` of its scenarios, evenly spread over the list and so over all lengths.
///
/// # Errors
/// If a file cannot be read or is wrong, or there is none.
pub fn read_folder(folder: &Path, queries: usize) -> Result<Vec<Ground>, ScenarioError> {
    let unreadable = |path: &Path, source| ScenarioError::Unreadable { path: path.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut maps = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "map") {
            maps.push(path);
        }
    }
    maps.sort();
    let mut grounds = Vec::new();
    for path in maps {
        let scenarios = path.with_extension("map.scen");
        if scenarios.is_file() {
            grounds.push(read(&path, &scenarios, queries)?);
        }
    }
    if grounds.is_empty() { Err(ScenarioError::Empty(folder.to_owned())) } else { Ok(grounds) }
}

fn read(map: &Path, scenarios: &Path, queries: usize) -> Result<Ground, ScenarioError> {
    let read =
        |path: &Path| fs::read(path).map_err(|source| ScenarioError::Unreadable { path: path.to_owned(), source });
    let wrong = |path: &Path, source| ScenarioError::Text { path: path.to_owned(), source };
    let text = parse_map(&read(map)?).map_err(|error| wrong(map, error))?;
    let list = parse_scenarios(&read(scenarios)?).map_err(|error| wrong(scenarios, error))?;
    let grid = CostGrid::new(&text.terrain, &text.default_class());
    let misfit = list.iter().find(|one| one.size != grid.size() || !grid.is_reachable(one.start, one.goal));
    if let Some(one) = misfit {
        return Err(ScenarioError::Misfit { path: scenarios.to_owned(), start: one.start, goal: one.goal });
    }
    let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let width = u64::from(grid.size().width());
    let cost =
        |x: u64, y: u64| grid.entering_cost(grid.size().cell((y * width + x) as u32)).map_or(0, |cost| cost.get());
    let count = queries.min(list.len());
    let chosen: Vec<_> = (0..count).map(|number| &list[number * list.len() / count]).collect();
    let ends = chosen.iter().map(|one| (one.start, one.goal)).collect();
    let lengths = chosen.iter().map(|one| (one.optimal, one.tolerance())).collect();
    Ok(Ground { lengths, ..Ground::new(name, grid.size(), cost, ends) })
}
