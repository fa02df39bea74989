//! Cells, rectangles of cells, and values on a rectangular grid.

use std::fmt;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::direction::Direction;

/// A cell of a map. (0, 0) is the top left one, x grows right, y grows down.
///
/// Any pair of numbers is a `Cell`; whether a map has it is the map's to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

impl Cell {
    /// The cell in column `x` of row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The cell one step away; at the end of the numbers, this one.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    /// The direction of the one step that leads to another cell, or `None` if it is not a neighbour.
    pub const fn direction_to(self, other: Self) -> Option<Direction> {
        match (other.x.checked_sub(self.x), other.y.checked_sub(self.y)) {
            (Some(dx), Some(dy)) => Direction::from_delta(dx, dy),
            _ => None,
        }
    }

    /// The larger of the two coordinate differences: steps of a king.
    pub fn chebyshev(self, other: Self) -> u32 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

/// Width and height of a map, and the one place that turns cells into indices and back.
///
/// ```
/// use wayfield::{Cell, GridSize};
/// let size = GridSize::new(4, 3)?;
/// assert_eq!(size.index(Cell::new(1, 2)), Some(9));
/// assert_eq!(size.cell(9), Cell::new(1, 2));
/// assert_eq!(size.index(Cell::new(-1, 0)), None);
/// # Ok::<(), wayfield::GridSizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SizeData"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(opaque, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct GridSize {
    width: u32,
    height: u32,
    /// 2^63 divided by the width, rounded up: searches ask for the cell of every node they see, and a multiplication takes a fraction of
    /// the time of a division. Exact, since width times index stays far below 2^63.
    #[cfg_attr(feature = "serde", serde(skip))]
    reciprocal: u64,
}

impl fmt::Debug for GridSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GridSize").field("width", &self.width).field("height", &self.height).finish()
    }
}

/// A map without cells, or with more than a map may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridSizeError {
    /// Width or height is 0.
    #[error("a map of {width} x {height} has no cells")]
    Empty {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
    },
    /// The values of a grid do not fill whole rows, or not as many as its size says.
    #[error("{values} values do not fill the rows of a grid {width} wide")]
    ValueCount {
        /// The width.
        width: u64,
        /// The number of values.
        values: u64,
    },
    /// A side is longer than [`GridSize::MAX_SIDE`].
    #[error("a map of {width} x {height} is too large: a side has at most {max} cells", max = GridSize::MAX_SIDE)]
    TooLarge {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
    },
}

impl GridSize {
    /// The longest side a map may have.
    pub const MAX_SIDE: u32 = 32_768;

    /// A size of `width` x `height` cells.
    ///
    /// # Errors
    /// If a side is 0 or longer than [`Self::MAX_SIDE`].
    pub const fn new(width: u64, height: u64) -> Result<Self, GridSizeError> {
        if width == 0 || height == 0 {
            return Err(GridSizeError::Empty { width, height });
        }
        if width > Self::MAX_SIDE as u64 || height > Self::MAX_SIDE as u64 {
            return Err(GridSizeError::TooLarge { width, height });
        }
        Ok(Self { width: width as u32, height: height as u32, reciprocal: (1_u64 << 63).div_ceil(width) })
    }

    /// Number of columns.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Number of cells; fits a `u32`.
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the map has this cell.
    pub const fn contains(self, cell: Cell) -> bool {
        // A negative coordinate becomes a huge one.
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// The index of a cell, `y * width + x`, or `None` where the map has no such cell.
    #[inline]
    pub const fn index(self, cell: Cell) -> Option<u32> {
        if self.contains(cell) { Some(cell.y as u32 * self.width + cell.x as u32) } else { None }
    }

    /// The cell with this index.
    #[inline]
    pub const fn cell(self, index: u32) -> Cell {
        let y = ((index as u128 * self.reciprocal as u128) >> 63) as u32;
        Cell { x: (index - y * self.width) as i32, y: y as i32 }
    }

    /// The rectangle of all cells.
    pub const fn rect(self) -> CellRect {
        CellRect { min: Cell::new(0, 0), max: Cell::new(self.width as i32 - 1, self.height as i32 - 1) }
    }
}

/// A rectangle of cells; both corners belong to it.
///
/// ```
/// use wayfield::{Cell, CellRect};
/// let rect = CellRect::around(Cell::new(5, 5), 1);
/// assert_eq!(rect.cells().count(), 9);
/// assert!(rect.contains(Cell::new(6, 4)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct CellRect {
    /// The top left cell.
    pub min: Cell,
    /// The bottom right cell.
    pub max: Cell,
}

impl CellRect {
    /// The rectangle with these two opposite corners, in any order.
    pub fn new(a: Cell, b: Cell) -> Self {
        Self { min: Cell::new(a.x.min(b.x), a.y.min(b.y)), max: Cell::new(a.x.max(b.x), a.y.max(b.y)) }
    }

    /// All cells within `radius` king's steps of `centre`.
    pub fn around(centre: Cell, radius: i32) -> Self {
        Self::new(centre, centre).grown(radius)
    }

    /// This rectangle with `by` more cells on every side.
    #[must_use]
    pub fn grown(self, by: i32) -> Self {
        Self {
            min: Cell::new(self.min.x.saturating_sub(by), self.min.y.saturating_sub(by)),
            max: Cell::new(self.max.x.saturating_add(by), self.max.y.saturating_add(by)),
        }
    }

    /// The number of cells.
    pub(crate) const fn area(self) -> usize {
        (self.max.x - self.min.x + 1) as usize * (self.max.y - self.min.y + 1) as usize
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Cell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The cells that belong to both, or `None` if there are none.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let min = Cell::new(self.min.x.max(other.min.x), self.min.y.max(other.min.y));
        let max = Cell::new(self.max.x.min(other.max.x), self.max.y.min(other.max.y));
        (min.x <= max.x && min.y <= max.y).then_some(Self { min, max })
    }

    /// Whether `cell` belongs to the rectangle.
    pub fn contains(self, cell: Cell) -> bool {
        (self.min.x..=self.max.x).contains(&cell.x) && (self.min.y..=self.max.y).contains(&cell.y)
    }

    /// The cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.min.y..=self.max.y).flat_map(move |y| (self.min.x..=self.max.x).map(move |x| Cell::new(x, y)))
    }
}

/// One value a cell.
///
/// ```
/// use wayfield::{Cell, Grid, GridSize};
/// let mut grid = Grid::new(GridSize::new(3, 2)?, 0);
/// grid.set(Cell::new(2, 1), 7);
/// assert_eq!(grid.get(Cell::new(2, 1)), Some(&7));
/// assert_eq!(grid.get(Cell::new(3, 1)), None);
/// # Ok::<(), wayfield::GridSizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "GridData<T>", bound(deserialize = "T: serde::Deserialize<'de>")))]
pub struct Grid<T> {
    size: GridSize,
    values: Vec<T>,
}

impl<T> Grid<T> {
    /// A grid with the same value everywhere.
    pub fn new(size: GridSize, value: T) -> Self
    where
        T: Clone,
    {
        Self { size, values: vec![value; size.cells()] }
    }

    /// A grid of `width` columns from values row by row.
    ///
    /// # Errors
    /// If the number of values is no positive multiple of the width, or a side is too long.
    pub fn from_rows(width: usize, values: Vec<T>) -> Result<Self, GridSizeError> {
        let height = values.len().checked_div(width).unwrap_or(0);
        let size = GridSize::new(width as u64, height as u64)?;
        if values.len() != size.cells() {
            return Err(GridSizeError::ValueCount { width: width as u64, values: values.len() as u64 });
        }
        Ok(Self { size, values })
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The value of a cell, or `None` where the grid has no such cell.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.size.index(cell).and_then(|index| self.values.get(index as usize))
    }

    /// Sets the value of a cell and returns the old one, or `None` where the grid has no such cell.
    pub fn set(&mut self, cell: Cell, value: T) -> Option<T> {
        let slot = self.values.get_mut(self.size.index(cell)? as usize)?;
        Some(std::mem::replace(slot, value))
    }

    /// The values row by row; the index of a cell is [`GridSize::index`].
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// What a [`GridSize`] is read from: not trusted until it is a size that a map may have.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SizeData {
    width: u64,
    height: u64,
}

#[cfg(feature = "serde")]
impl TryFrom<SizeData> for GridSize {
    type Error = GridSizeError;

    fn try_from(data: SizeData) -> Result<Self, GridSizeError> {
        Self::new(data.width, data.height)
    }
}

/// What a [`Grid`] is read from: not trusted until the numbers agree.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct GridData<T> {
    size: GridSize,
    values: Vec<T>,
}

#[cfg(feature = "serde")]
impl<T> TryFrom<GridData<T>> for Grid<T> {
    type Error = GridSizeError;

    fn try_from(data: GridData<T>) -> Result<Self, GridSizeError> {
        let grid = Self::from_rows(data.size.width as usize, data.values)?;
        if grid.size == data.size {
            Ok(grid)
        } else {
            Err(GridSizeError::ValueCount { width: data.size.width.into(), values: grid.values.len() as u64 })
        }
    }
}
