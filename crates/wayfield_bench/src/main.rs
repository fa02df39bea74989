//! `wayfield_bench`: every comparison side by side, in one process, as a table.
//!
//! Who is compared takes turns, round by round, so that a busy moment of the machine is everybody's; ratios are of one round,
//! and the table has their median and spread. Every answer is checked before it is timed.

mod compare;
mod plot;
mod report;
mod rounds;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use wayfield_bench::ground::{self, Ground};
use wayfield_bench::scenarios::read_folder;

use compare::{Effort, Subject};
use report::Report;

/// The folder of the scenarios.
const FOLDER: &str = "WAYFIELD_SCENARIOS";

/// Compares Wayfield with other libraries, and with programs written for one case each.
///
/// The maps are the Moving AI scenarios in the folder that WAYFIELD_SCENARIOS names, or else made by rule.
#[derive(Debug, Parser)]
#[command(name = "wayfield_bench")]
struct Args {
    /// How many times everybody runs
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many questions are asked on a map
    #[arg(long, default_value_t = 40)]
    queries: usize,
    /// One round of few questions on small maps: checks all answers, and times next to nothing
    #[arg(long)]
    quick: bool,
    /// Compare only this
    #[arg(long, value_enum)]
    only: Option<Subject>,
    /// Where to write everything as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where to draw the paths as a picture, in SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wayfield_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let effort = match args.quick {
        true => Effort { rounds: 1, sides: [64, 128] },
        false => Effort { rounds: args.rounds.max(1), sides: [512, 1024] },
    };
    let grounds = grounds(args)?;
    let findings = compare::all(&grounds, effort, args.only);
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let report =
        Report { machine: machine(), date, rounds: effort.rounds, lines: findings.lines, details: findings.details };
    println!(
        "{}, {}, {} rounds\n\n{}\n{}",
        report.machine,
        report.date,
        report.rounds,
        report.table(),
        report.details()
    );
    if let Some(path) = &args.json {
        fs::write(path, serde_json::to_string_pretty(&report)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(path) = &args.plot {
        plot::draw(path, compare::DEFAULT, &report.details).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn grounds(args: &Args) -> Result<Vec<Ground>, Box<dyn Error>> {
    let queries = if args.quick { 4 } else { args.queries.max(1) };
    Ok(match std::env::var_os(FOLDER) {
        Some(folder) if !args.quick => read_folder(&PathBuf::from(folder), queries)?,
        _ => {
            let sides: &[u64] = if args.quick { &[48, 96] } else { &[48, 512] };
            sides.iter().flat_map(|&side| ground::uniform(side, queries)).collect()
        }
    })
}

/// The processor and how many of its cores there are, as far as the system says.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{model}, {cores} cores")
}
