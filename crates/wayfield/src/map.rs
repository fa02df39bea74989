//! The terrain map: what lies where, edited in batches, with a revision.

use std::collections::VecDeque;

use crate::grid::{Cell, CellRect, Grid, GridSize};
use crate::terrain::TerrainId;

/// How many batches of edits a map remembers the place of.
const LOG_LENGTH: usize = 64;

/// The terrain of a map.
///
/// Every batch of edits that changes something raises the revision by one, so that whatever was
/// derived from the map can tell whether it is still current and where it is not
/// ([`TerrainMap::dirty_since`]).
///
/// ```
/// use wayfield::{Cell, GridSize, TerrainId, TerrainMap};
/// let mut map = TerrainMap::new(GridSize::new(8, 8)?, TerrainId(0));
/// let change = map.edit([(Cell::new(3, 3), TerrainId(1)), (Cell::new(4, 3), TerrainId(0))])?;
/// assert_eq!(change.cells, [Cell::new(3, 3)]);
/// assert_eq!(map.revision(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TerrainMap {
    terrain: Grid<TerrainId>,
    revision: u64,
    /// The areas of the latest batches, oldest first; the last one made `revision`.
    log: VecDeque<CellRect>,
}

/// What one batch of edits did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The map's revision after the batch.
    pub revision: u64,
    /// The cells whose terrain is another one now, in the order of the batch, each once.
    pub cells: Vec<Cell>,
}

/// Where a map differs from an earlier revision of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dirty {
    /// Nowhere.
    Nothing,
    /// At most within this rectangle.
    Within(CellRect),
    /// Maybe anywhere: that revision is forgotten, or never was.
    Everything,
}

/// A cell that the map does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell} is outside the map of {} x {}", size.width(), size.height())]
pub struct OutsideMap {
    /// The cell.
    pub cell: Cell,
    /// The size of the map.
    pub size: GridSize,
}

impl TerrainMap {
    /// A map of one terrain.
    pub fn new(size: GridSize, terrain: TerrainId) -> Self {
        Self::from_grid(Grid::new(size, terrain))
    }

    /// A map from a grid of terrains.
    pub fn from_grid(terrain: Grid<TerrainId>) -> Self {
        Self { terrain, revision: 0, log: VecDeque::new() }
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.terrain.size()
    }

    /// The number of batches that changed something.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The terrain of a cell, or `None` where the map has no such cell.
    pub fn terrain(&self, cell: Cell) -> Option<TerrainId> {
        self.terrain.get(cell).copied()
    }

    /// The terrain of all cells.
    pub fn grid(&self) -> &Grid<TerrainId> {
        &self.terrain
    }

    /// Sets the terrain of any number of cells as one batch; a later edit of a cell wins.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit(&mut self, edits: impl IntoIterator<Item = (Cell, TerrainId)>) -> Result<Change, OutsideMap> {
        let edits: Vec<_> = edits.into_iter().collect();
        let size = self.size();
        if let Some(&(cell, _)) = edits.iter().find(|(cell, _)| !size.contains(*cell)) {
            return Err(OutsideMap { cell, size });
        }
        let mut before = Vec::new();
        for (cell, terrain) in edits {
            if let Some(old) = self.terrain.set(cell, terrain)
                && old != terrain
            {
                before.push((cell, old));
            }
        }
        // A cell set twice is recorded twice; a stable sort keeps its first, original terrain first.
        let mut firsts: Vec<_> = before.iter().copied().enumerate().collect();
        firsts.sort_by_key(|&(order, (cell, _))| (cell, order));
        firsts.dedup_by_key(|&mut (_, (cell, _))| cell);
        firsts.retain(|&(_, (cell, old))| self.terrain(cell) != Some(old));
        firsts.sort_by_key(|&(order, _)| order);
        let cells: Vec<_> = firsts.into_iter().map(|(_, (cell, _))| cell).collect();

        let area = cells.iter().map(|&cell| CellRect::new(cell, cell)).reduce(CellRect::union);
        if let Some(area) = area {
            self.revision += 1;
            if self.log.len() == LOG_LENGTH {
                self.log.pop_front();
            }
            self.log.push_back(area);
        }
        Ok(Change { revision: self.revision, cells })
    }

    /// Where this map may differ from what it was at `revision`.
    pub fn dirty_since(&self, revision: u64) -> Dirty {
        let Some(batches) = self.revision.checked_sub(revision) else {
            return Dirty::Everything;
        };
        if batches > self.log.len() as u64 {
            return Dirty::Everything;
        }
        let first = self.log.len() - batches as usize;
        match self.log.range(first..).copied().reduce(CellRect::union) {
            Some(area) => Dirty::Within(area),
            None => Dirty::Nothing,
        }
    }
}
