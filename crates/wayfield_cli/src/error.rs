//! What can go wrong, each with the flag, file, line or cell that it is about.

use std::io;
use std::process::ExitCode;

use thiserror::Error;
use wayfield::{CostGridError, FieldError, GridSize, LinkError, OutsideMap, QueryError, TextError};

use crate::input::Input;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum CliError {
    /// A file cannot be opened or read.
    #[error("cannot read {input}: {source}")]
    Read {
        /// The file.
        input: Input,
        /// What the system says.
        source: io::Error,
    },
    /// A file is larger than the largest map.
    #[error("{input} is too large: more than {limit} bytes")]
    TooLarge {
        /// The file.
        input: Input,
        /// The bytes that are read at most.
        limit: u64,
    },
    /// A file is no map, or no scenario file.
    #[error("{input}: {source}")]
    Text {
        /// The file.
        input: Input,
        /// What is wrong, and where.
        source: TextError,
    },
    /// Two files are to be read from standard input.
    #[error("MAP and SCEN are both -: only one of them can be standard input")]
    StandardInputTwice,
    /// A cell of a flag is outside the map.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// A query of a scenario file does not fit the map.
    #[error("{input}: line {line}: {misfit}")]
    Scenario {
        /// The scenario file.
        input: Input,
        /// The line, from 1.
        line: usize,
        /// What does not fit.
        misfit: Misfit,
    },
    /// A threat has a value.
    #[error("--source {source_cell}={value}: with --flee a source is a threat and has no value")]
    ThreatValue {
        /// The cell of the threat.
        source_cell: String,
        /// Its value.
        value: f64,
    },
    /// Such a unit does not fit on the map.
    #[error("--size: {0}")]
    UnitSize(CostGridError),
    /// The mover may go nowhere.
    #[error("--costs: {0}")]
    NothingPassable(CostGridError),
    /// A link cannot be.
    #[error("--link {text}: {source}")]
    Link {
        /// The link as it was given.
        text: String,
        /// What is wrong with it.
        source: LinkError,
    },
    /// The core refuses a query.
    #[error(transparent)]
    PathQuery(#[from] QueryError),
    /// The core refuses an edit.
    #[error(transparent)]
    Edit(#[from] OutsideMap),
    /// The core refuses a field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Standard output takes no more.
    #[error("cannot write the answer: {0}")]
    Write(#[from] io::Error),
}

/// A cell that the map does not have.
#[derive(Debug, Error)]
#[error("the {role} {cell} is outside the map of {} x {}", size.width(), size.height())]
pub struct Outside {
    /// What the cell is for: start, goal or source.
    pub role: &'static str,
    /// The cell as it was given: its numbers may be larger than any map.
    pub cell: String,
    /// The size of the map.
    pub size: GridSize,
}

/// Why a query of a scenario file does not fit the map.
#[derive(Debug, Error)]
pub enum Misfit {
    /// It is for a map of another size.
    #[error(
        "the query is for a map of {} x {}, the map is {} x {}",
        listed.width(), listed.height(), size.width(), size.height()
    )]
    Size {
        /// The size in the scenario file.
        listed: GridSize,
        /// The size of the map.
        size: GridSize,
    },
    /// Its start or goal is outside the map.
    #[error(transparent)]
    Outside(#[from] Outside),
}

impl CliError {
    /// Whether the reader of the answer has gone, as `head` does: it has what it wants.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// 2 for bad input, 1 if the answer cannot be written.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Write(_) => ExitCode::FAILURE,
            _ => ExitCode::from(2),
        }
    }
}
