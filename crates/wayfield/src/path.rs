//! A path over a grid, and what it costs.

use crate::cost::PathCost;
use crate::cost_grid::CostGrid;
use crate::grid::Cell;

/// The cells of a way, from its start to its end, each a neighbour of the one before, with the exact cost.
///
/// Read back by serde, it is checked to be such a list; what its steps cost, only a grid can say ([`Path::cost_from`]).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PathData"))]
pub struct Path {
    cells: Vec<Cell>,
    cost: PathCost,
}

/// Why a list of cells is no path on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There is no cell at all.
    #[error("a path has at least one cell")]
    Empty,
    /// The first cell is outside the map.
    #[error("the path starts outside the map, at {0}")]
    Outside(Cell),
    /// A step is none of the legal moves.
    #[error("step {index} of the path, from {from} to {to}, is not a legal move")]
    IllegalStep {
        /// Index of the cell stepped out of.
        index: usize,
        /// The cell stepped out of.
        from: Cell,
        /// The cell stepped into.
        to: Cell,
    },
}

impl Path {
    /// A path of these cells, checked against the grid.
    ///
    /// # Errors
    /// If the list is empty or a step is not legal. A forbidden first cell is legal: it may be left.
    pub fn new(cells: Vec<Cell>, grid: &CostGrid) -> Result<Self, PathError> {
        let cost = walk(&cells, grid)?;
        Ok(Self { cells, cost })
    }

    /// The cells, start and end included; never empty.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Always false: a path has at least one cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The first cell.
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// The last cell.
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// The exact cost on the grid the path was made on.
    pub fn cost(&self) -> PathCost {
        self.cost
    }

    /// What the rest of the path, from cell number `from` on, costs on a grid as it is now.
    ///
    /// # Errors
    /// If a step of the rest is not legal there.
    pub fn cost_from(&self, from: usize, grid: &CostGrid) -> Result<PathCost, PathError> {
        walk(self.cells.get(from..).unwrap_or_default(), grid)
    }
}

/// Adds up the steps of a way, and checks them.
fn walk(cells: &[Cell], grid: &CostGrid) -> Result<PathCost, PathError> {
    let first = *cells.first().ok_or(PathError::Empty)?;
    if !grid.size().contains(first) {
        return Err(PathError::Outside(first));
    }
    let mut cost = PathCost::default();
    for (index, pair) in cells.windows(2).enumerate() {
        let step = step_cost(index, pair[0], pair[1], grid)?;
        cost.straight += step.straight;
        cost.diagonal += step.diagonal;
    }
    Ok(cost)
}

/// What one step of a way costs, and that it is legal.
pub(crate) fn step_cost(index: usize, from: Cell, to: Cell, grid: &CostGrid) -> Result<PathCost, PathError> {
    let legal = grid.legal_step(from, to).zip(grid.entering_cost(to));
    let (direction, entering) = legal.ok_or(PathError::IllegalStep { index, from, to })?;
    let entering = u64::from(entering.get());
    let (straight, diagonal) = if direction.is_diagonal() { (0, entering) } else { (entering, 0) };
    Ok(PathCost { straight, diagonal })
}

/// What a [`Path`] is read from: not trusted until every cell is a neighbour of the one before.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PathData {
    cells: Vec<Cell>,
    cost: PathCost,
}

#[cfg(feature = "serde")]
impl TryFrom<PathData> for Path {
    type Error = PathError;

    fn try_from(PathData { cells, cost }: PathData) -> Result<Self, PathError> {
        if cells.is_empty() {
            return Err(PathError::Empty);
        }
        match cells.windows(2).position(|pair| pair[0].direction_to(pair[1]).is_none()) {
            Some(index) => Err(PathError::IllegalStep { index, from: cells[index], to: cells[index + 1] }),
            None => Ok(Self { cells, cost }),
        }
    }
}
