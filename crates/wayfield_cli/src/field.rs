//! `wayfield field`: the value of every cell, the step that units take on it, or a picture.

mod flow;
mod picture;
mod sum;

use std::io::Write;

use serde::{Deserialize, Serialize};
use wayfield::{Cell, CostGrid, DijkstraMap, Source};

use crate::args::{FieldArgs, FieldKind};
use crate::error::CliError;
use crate::input::{World, read_world};
use crate::output::{json_line, number};

/// The answer, as JSON has it; what `--sum` reads.
#[derive(Debug, Serialize, Deserialize)]
struct FieldLine {
    width: u32,
    height: u32,
    values: Vec<Vec<Option<f64>>>,
}

/// Computes the field and writes it.
pub fn run(args: &FieldArgs, out: &mut impl Write) -> Result<(), CliError> {
    sum::check_inputs(&args.map, &args.sums)?;
    let World { grid, .. } = read_world(&args.map, &args.movement)?;
    let mut field = compute(args, &grid)?;
    if !args.sums.is_empty() {
        field = sum::add(field, &grid, &args.sums)?;
    }
    if let Some(path) = &args.picture.png {
        return picture::draw(&field, &grid, &args.picture, path);
    }
    if args.flow {
        return flow::write(&field, &grid, args.json, out);
    }
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
    let kind = args.kind.kind();
    let has_threats = matches!(kind, FieldKind::Flee(_) | FieldKind::Kite(_));
    let mut sources = Vec::new();
    for source in &args.sources {
        let cell = source.cell.within("source", grid.size())?;
        if let Some(value) = source.value.filter(|_| has_threats) {
            return Err(CliError::ThreatValue { source_cell: cell.to_string(), value });
        }
        sources.push(Source { cell, value: source.value.unwrap_or(0.0) });
    }
    let threats = sources.iter().map(|source| source.cell);
    let field = match (kind, args.limit) {
        (FieldKind::Flee(rule), _) => DijkstraMap::flee(grid, grid, threats, rule),
        (FieldKind::Kite(ring), _) => DijkstraMap::kite(grid, grid, threats, ring),
        (FieldKind::From, None) => DijkstraMap::from(grid, sources),
        (FieldKind::From, Some(limit)) => DijkstraMap::from_within(grid, sources, limit),
        (FieldKind::Toward, None) => DijkstraMap::toward(grid, sources),
        (FieldKind::Toward, Some(limit)) => DijkstraMap::toward_within(grid, sources, limit),
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
