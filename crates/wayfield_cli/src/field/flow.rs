//! `--flow`: the steps that units take.

use std::io::Write;

use serde::Serialize;
use wayfield::{Cell, CostGrid, DijkstraMap, Direction, FlowField, PathStep};

use crate::error::CliError;
use crate::output::json_line;

/// The answer, as JSON has it.
#[derive(Debug, Serialize)]
struct FlowLine {
    width: u32,
    height: u32,
    /// The names of the best steps of each cell, all equally good.
    directions: Vec<Vec<Vec<&'static str>>>,
    /// Where the best step is a link.
    links: Vec<LinkStep>,
}

#[derive(Debug, Serialize)]
struct LinkStep {
    from: [i32; 2],
    to: [i32; 2],
}

/// Writes the steps of units on a field.
pub fn write(field: &DijkstraMap, grid: &CostGrid, json: bool, out: &mut impl Write) -> Result<(), CliError> {
    let flow = FlowField::new(field, grid);
    let (width, height) = (grid.size().width(), grid.size().height());
    let row = |y| (0..width as i32).map(move |x| Cell::new(x, y));
    if json {
        let names = |cell| flow.directions(cell).iter().map(name).collect();
        let directions = (0..height as i32).map(|y| row(y).map(names).collect()).collect();
        let links = grid.size().rect().cells().filter_map(|from| {
            let Some(PathStep::Link(link)) = flow.next_step(from) else { return None };
            let (to, _) = grid.link_end(from, link)?;
            Some(LinkStep { from: [from.x, from.y], to: [to.x, to.y] })
        });
        json_line(out, &FlowLine { width, height, directions, links: links.collect() })?;
        return Ok(());
    }
    for y in 0..height as i32 {
        let line: String = row(y).map(|cell| mark(field, &flow, grid, cell)).collect();
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn mark(field: &DijkstraMap, flow: &FlowField, grid: &CostGrid, cell: Cell) -> char {
    if !grid.is_passable(cell) {
        return '#';
    }
    match flow.next_step(cell) {
        Some(PathStep::Walk(direction)) => arrow(direction),
        Some(PathStep::Link(_)) => '*',
        None if field.value(cell).is_some() => '.',
        None => '-',
    }
}

fn arrow(direction: Direction) -> char {
    match direction {
        Direction::North => '↑',
        Direction::South => '↓',
        Direction::West => '←',
        Direction::East => '→',
        Direction::NorthWest => '↖',
        Direction::NorthEast => '↗',
        Direction::SouthWest => '↙',
        Direction::SouthEast => '↘',
    }
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "N",
        Direction::South => "S",
        Direction::West => "W",
        Direction::East => "E",
        Direction::NorthWest => "NW",
        Direction::NorthEast => "NE",
        Direction::SouthWest => "SW",
        Direction::SouthEast => "SE",
    }
}
