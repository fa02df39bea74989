//! What can go wrong, each with the flag, file, line or cell that it is about.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use thiserror::Error;
use wayfield::graph::{DimacsError, GraphError, GraphQueryError, HierarchyError};
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
    /// A file is larger than what it could hold.
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
    #[error("{0} are both -: only one of them can be standard input")]
    StandardInputTwice(&'static str),
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
    #[error(
        "--source {source_cell}={value}: with --flee, --saturating and --kite a source is a threat and has no value"
    )]
    ThreatValue {
        /// The cell of the threat.
        source_cell: String,
        /// Its value.
        value: f64,
    },
    /// A file is no field of the map.
    #[error("{input}: {source}")]
    FieldFile {
        /// The file.
        input: Input,
        /// What is wrong, and where.
        source: FieldFileError,
    },
    /// The core refuses a sum.
    #[error("--sum: {0}")]
    Sum(FieldError),
    /// A picture would be too large.
    #[error("--pixels {pixels}: the picture would be {width} x {height}, which is more than {most} pixels")]
    PictureSize {
        /// The pixels along the side of a cell.
        pixels: u32,
        /// The width of the picture.
        width: u32,
        /// Its height.
        height: u32,
        /// The pixels of the largest one.
        most: u64,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    WriteFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
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
    /// A file is no graph, or holds no coordinates.
    #[error("{input}: {source}")]
    Dimacs {
        /// The file.
        input: Input,
        /// What is wrong, and where.
        source: DimacsError,
    },
    /// Coordinates do not fit the graph.
    #[error("{input}: {source}")]
    Coordinates {
        /// The file.
        input: Input,
        /// What does not fit.
        source: GraphError,
    },
    /// A node of a flag is none of the graph.
    #[error("the {role} {node} is no node of the graph: they are numbered from 1 to {nodes}")]
    OutsideGraph {
        /// What the node is for: start or goal.
        role: &'static str,
        /// The number that was given.
        node: u64,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A graph cannot be searched.
    #[error("{input}: {source}")]
    Graph {
        /// The file.
        input: Input,
        /// Why not.
        source: GraphRefusal,
    },
    /// There is no contraction hierarchy of a graph.
    #[error("--algorithm contraction_hierarchy: {0}")]
    Hierarchy(HierarchyError),
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

/// Why a file is no field that can be added.
#[derive(Debug, Error)]
pub enum FieldFileError {
    /// It is no JSON of a field; the message has line and column.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is of a map of another size.
    #[error("the field is {width} x {height}, the map is {} x {}", size.width(), size.height())]
    Size {
        /// The width of the field.
        width: u32,
        /// Its height.
        height: u32,
        /// The size of the map.
        size: GridSize,
    },
    /// There are not as many rows as it says.
    #[error("there are {rows} rows of values, not {height}")]
    Rows {
        /// The rows there are.
        rows: usize,
        /// Those there should be.
        height: u32,
    },
    /// A row is not as long as the others.
    #[error("row {row} has {values} values, not {width}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// The values there are.
        values: usize,
        /// Those there should be.
        width: u32,
    },
    /// A value cannot be used.
    #[error(transparent)]
    Value(#[from] FieldError),
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

/// Why a graph cannot be searched; nodes count from 1, as in its file.
#[derive(Debug, Error)]
pub enum GraphRefusal {
    /// A weight is negative.
    #[error("the edge from {from} to {to} has the negative weight {weight}: only bellman_ford can do with that")]
    NegativeEdge {
        /// Where the edge begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// Its weight.
        weight: f64,
    },
    /// A weight is zero.
    #[error("the edge from {from} to {to} has a weight of 0, which lpa_star cannot have")]
    FreeEdge {
        /// Where the edge begins.
        from: u64,
        /// Where it ends.
        to: u64,
    },
    /// A way round costs less than nothing.
    #[error("a cycle costs {cost}, which is less than nothing: {nodes}")]
    NegativeCycle {
        /// What going round once costs.
        cost: f64,
        /// The nodes on it.
        nodes: String,
    },
    /// Anything else.
    #[error(transparent)]
    Other(GraphQueryError),
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
            Self::Write(_) | Self::WriteFile { .. } => ExitCode::FAILURE,
            _ => ExitCode::from(2),
        }
    }
}
