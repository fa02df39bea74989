//! Maps of values that come from elsewhere.

use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, THOUSANDTHS};
use crate::grid::Grid;

impl DijkstraMap {
    /// A map of known values, in terrain units: read from a file, or of a game's own making. A term for
    /// [`DijkstraMap::weighted_sum`].
    ///
    /// The values of another map come back exactly. Others do if they are thousandths and not too large, and else are rounded
    /// to the nearest 1/2378 terrain unit. Units roll on it as on a sum; of threats, which are not entered, it knows nothing.
    /// Time: linear in the cells.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, Grid};
    /// let map = parse_map(b"....\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let danger = Grid::from_rows(4, vec![Some(0.0), Some(2.5), None, Some(-1.0)])?;
    /// let danger = DijkstraMap::from_values(&grid, &danger)?;
    /// let home = DijkstraMap::toward(&grid, [Cell::new(0, 0)])?;
    /// let sum = DijkstraMap::weighted_sum(&[(&home, 1.0), (&danger, 2.0)])?;
    /// assert_eq!([0, 1, 2, 3].map(|x| sum.value(Cell::new(x, 0))), [Some(0.0), Some(6.0), None, Some(1.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If grid and values differ in size, or a value is no number or larger than can be represented.
    pub fn from_values(grid: &CostGrid, values: &Grid<Option<f64>>) -> Result<Self, FieldError> {
        if values.size() != grid.size() {
            return Err(FieldError::SizeMismatch);
        }
        let scale = finest_units(values.values());
        let unit = unit(scale);
        let mut map = Self { scale, ..Self::empty(grid, Kind::Sum) };
        for ((cell, value), raw) in grid.size().rect().cells().zip(values.values()).zip(&mut map.values) {
            let Some(value) = *value else { continue };
            let nearest = (value * unit).round();
            if nearest.is_nan() || nearest.abs() >= f64::from(UNREACHED) {
                return Err(FieldError::Value { cell, value });
            }
            *raw = nearest as i32;
        }
        Ok(map)
    }
}

/// How much a terrain unit counts.
fn unit(scale: i64) -> f64 {
    f64::from(Cost::STRAIGHT.raw()) * scale as f64
}

/// Whether a value is what a map in these units would say.
fn is_exact(value: f64, scale: i64) -> bool {
    let raw = (value * unit(scale)).round();
    raw.abs() < f64::from(UNREACHED) && raw / unit(scale) == value
}

/// The coarsest units in which all values are exact; whole ones if there are none.
fn finest_units(values: &[Option<f64>]) -> i64 {
    let known = || values.iter().flatten();
    let finest = known().try_fold(1, |scale, &value| {
        let mut finer = (1..=THOUSANDTHS / scale).map(|times| scale * times);
        finer.find(|&finer| is_exact(value, finer))
    });
    finest.filter(|&finest| known().all(|&value| is_exact(value, finest))).unwrap_or(1)
}
