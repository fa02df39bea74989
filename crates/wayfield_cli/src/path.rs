//! `wayfield path`: one query.

use std::io::Write;

use serde::Serialize;
use wayfield::{Path, find_path};

use crate::args::PathArgs;
use crate::error::CliError;
use crate::input::read_world;
use crate::output::{json_line, number, outcome_name};

/// The answer, as JSON has it.
#[derive(Debug, Serialize)]
struct PathLine {
    outcome: &'static str,
    reason: Option<&'static str>,
    algorithm: &'static str,
    cost: Option<f64>,
    expanded: u64,
    cells: Vec<[i32; 2]>,
}

/// Answers the query and writes the answer.
pub fn run(args: &PathArgs, out: &mut impl Write) -> Result<(), CliError> {
    let mut world = read_world(&args.map, &args.movement)?;
    world.prepare(&[args.algorithm], args.search.jump_table);
    let grid = world.grid;
    let start = args.from.within("start", grid.size())?;
    let goal = args.to.within("goal", grid.size())?;
    let answer = find_path(&grid, &args.search.query(args.algorithm, start, goal))?;

    let cells = answer.outcome.path().map(Path::cells).unwrap_or_default();
    let line = PathLine {
        outcome: outcome_name(&answer.outcome),
        reason: answer.outcome.reason().map(|reason| reason.name()),
        algorithm: answer.algorithm.name(),
        cost: answer.cost().map(|cost| cost.units()),
        expanded: answer.stats.expanded,
        cells: cells.iter().map(|cell| [cell.x, cell.y]).collect(),
    };
    if args.json {
        json_line(out, &line)?;
    } else {
        write_text(out, &line)?;
    }
    Ok(())
}

fn write_text(out: &mut impl Write, line: &PathLine) -> Result<(), CliError> {
    let cells: Vec<_> = line.cells.iter().map(|[x, y]| format!("{x},{y}")).collect();
    writeln!(out, "outcome    {}", line.outcome)?;
    writeln!(out, "reason     {}", line.reason.unwrap_or("-"))?;
    writeln!(out, "algorithm  {}", line.algorithm)?;
    writeln!(out, "cost       {}", number(line.cost, 6))?;
    writeln!(out, "expanded   {}", line.expanded)?;
    writeln!(out, "cells      {}", if cells.is_empty() { "-".to_owned() } else { cells.join(" ") })?;
    Ok(())
}
