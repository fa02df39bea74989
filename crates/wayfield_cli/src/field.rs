//! `wayfield field`: the value of every cell.

use std::io::Write;

use serde::Serialize;
use wayfield::{Cell, CostGrid, DijkstraMap, Source};

use crate::args::FieldArgs;
use crate::error::CliError;
use crate::input::{World, read_world};
use crate::output::{json_line, number};

/// The answer, as JSON has it.
#[derive(Debug, Serialize)]
struct FieldLine {
    width: u32,
    height: u32,
    values: Vec<Vec<Option<f64>>>,
}

/// Computes the field and writes it.
pub fn run(args: &FieldArgs, out: &mut impl Write) -> Result<(), CliError> {
    let World { grid, .. } = read_world(&args.map, &args.movement)?;
    let field = compute(args, &grid)?;

    let (width, height) = (grid.size().width(), grid.size().height());
    let row = |y| (0..width as i32).map(|x| field.value(Cell::new(x, y))).collect();
    let line = FieldLine { width, height, values: (0..height as i32).map(row).collect() };
    if args.json {
        json_line(out, &line)?;
    } else {
        write_text(out, &line)?;
    }
    Ok(())
}

fn compute(args: &FieldArgs, grid: &CostGrid) -> Result<DijkstraMap, CliError> {
    let mut sources = Vec::new();
    for source in &args.sources {
        let cell = source.cell.within("source", grid.size())?;
        if let (Some(_), Some(value)) = (args.flee, source.value) {
            return Err(CliError::ThreatValue { source_cell: cell.to_string(), value });
        }
        sources.push(Source { cell, value: source.value.unwrap_or(0.0) });
    }
    let field = match args.flee {
        Some(scale) => DijkstraMap::flee(grid, grid, sources.iter().map(|source| source.cell), scale),
        None if args.from => DijkstraMap::from(grid, sources),
        None => DijkstraMap::toward(grid, sources),
    };
    Ok(field?)
}

/// A table whose columns are equally wide, `-` where there is no value.
fn write_text(out: &mut impl Write, line: &FieldLine) -> Result<(), CliError> {
    let text = |&value: &Option<f64>| number(value, 3);
    let width = line.values.iter().flatten().map(|value| text(value).len()).max().unwrap_or_default();
    for row in &line.values {
        let row: Vec<_> = row.iter().map(|value| format!("{:>width$}", text(value))).collect();
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(())
}
