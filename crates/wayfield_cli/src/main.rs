//! `wayfield`: paths, scenarios and Dijkstra maps over Moving AI maps and plain text maps.
//!
//! ```text
//! args ── flags, checked while they are read; costs: the list of --costs
//!   │
//! input ─ MAP and SCEN, a file or standard input ──► CostGrid, queries
//!   │
//!   ├── path ──── one query
//!   ├── scen ──── a scenario file: lengths against the listed ones, and times; repair: the same after edits
//!   ├── field ─── the value of every cell; sum: fields read and added, flow: steps, picture: a PNG
//!   ├── graph ─── one query over a road network, from DIMACS files
//!   └── algorithms  what there is, and what it promises
//!         │
//!       output ── JSON lines or text, to any writer
//! ```
//!
//! Exit codes: 0 for an answer, "no path" included; 2 for bad input, with a message on standard error and nothing
//! on standard output; 1 if the answer cannot be written. A reader that hangs up early is no error.

mod algorithms;
mod args;
mod costs;
mod error;
mod field;
mod graph;
mod input;
mod output;
mod path;
mod repair;
mod scen;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::error::CliError;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli.command, &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told that standard error is closed.
            let _ = writeln!(io::stderr(), "error: {}", printable(&error.to_string()));
            error.exit_code()
        }
    }
}

fn run(command: &Command, out: &mut impl Write) -> Result<(), CliError> {
    match command {
        Command::Path(args) => path::run(args, out)?,
        Command::Scen(args) => scen::run(args, out)?,
        Command::Field(args) => field::run(args, out)?,
        Command::Graph(args) => graph::run(args, out)?,
        Command::Algorithms(args) => algorithms::run(args, out)?,
    }
    Ok(out.flush()?)
}

/// The message without control characters: it may quote a file that is no text, and would steer the terminal.
fn printable(message: &str) -> String {
    message.replace(char::is_control, "\u{fffd}")
}
