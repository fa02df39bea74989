//! `--sum`: fields that were written before, times weights, on top of the one computed.
//!
//! The sum is the core's: values read are counted as whole numbers of its units again, in which the sum of equal values is
//! equal. Sums of the numbers as they are read would differ in their last digits, and so be nowhere flat.

use wayfield::{CostGrid, DijkstraMap, FieldError, Grid};

use super::FieldLine;
use crate::args::SumArg;
use crate::error::{CliError, FieldFileError};
use crate::input::{Input, read_within};

/// The bytes of a value in a file, brackets, blanks and all, with room.
const BYTES_PER_CELL: u64 = 64;
/// The bytes of everything else.
const BYTES_AROUND: u64 = 4096;

/// Checks that standard input is read but once.
pub fn check_inputs(map: &Input, sums: &[SumArg]) -> Result<(), CliError> {
    let readers = sums.iter().map(|sum| &sum.input).chain([map]).filter(|&input| *input == Input::Standard);
    if readers.count() > 1 { Err(CliError::StandardInputTwice("MAP and --sum, or two of --sum,")) } else { Ok(()) }
}

/// The field and the others.
pub fn add(field: DijkstraMap, grid: &CostGrid, sums: &[SumArg]) -> Result<DijkstraMap, CliError> {
    let read = sums.iter().map(|sum| Ok((read_field(&sum.input, grid)?, sum.weight)));
    let others: Vec<_> = read.collect::<Result<_, CliError>>()?;
    let terms = others.iter().map(|(other, weight)| (other, *weight));
    let terms: Vec<_> = [(&field, 1.0)].into_iter().chain(terms).collect();
    let mut sum = DijkstraMap::weighted_sum(&terms).map_err(CliError::Sum)?;
    sum.drain_flats(grid);
    Ok(sum)
}

fn read_field(input: &Input, grid: &CostGrid) -> Result<DijkstraMap, CliError> {
    let size = grid.size();
    let limit = BYTES_AROUND + BYTES_PER_CELL * size.cells() as u64;
    let text = read_within(input, limit)?;
    let broken = |source: FieldFileError| CliError::FieldFile { input: input.clone(), source };
    let line: FieldLine = serde_json::from_slice(&text).map_err(|error| broken(error.into()))?;
    let (width, height) = (size.width(), size.height());
    if (line.width, line.height) != (width, height) {
        return Err(broken(FieldFileError::Size { width: line.width, height: line.height, size }));
    }
    if line.values.len() != height as usize {
        return Err(broken(FieldFileError::Rows { rows: line.values.len(), height }));
    }
    if let Some((row, values)) = line.values.iter().enumerate().find(|(_, values)| values.len() != width as usize) {
        return Err(broken(FieldFileError::Row { row, values: values.len(), width }));
    }
    let values = line.values.into_iter().flatten().collect();
    let misfit = |error: FieldError| broken(error.into());
    let values = Grid::from_rows(width as usize, values).map_err(|_| misfit(FieldError::SizeMismatch))?;
    DijkstraMap::from_values(grid, &values).map_err(misfit)
}
