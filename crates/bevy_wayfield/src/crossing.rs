//! Which parts of the map a way crosses: tells at once that an edit elsewhere does not concern it.

use wayfield::{Cell, CellRect, GridSize, Path};

/// Cells along a side of a part.
const SIDE: i32 = 16;

/// Into so many blocks a side the map is cut for a first look.
const BLOCKS: i32 = 8;

/// The parts of the map that a way has cells in. The default one knows nothing of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Crossing {
    /// A bit for each of 8 x 8 blocks of the map. Of most ways that is all that is looked at.
    blocks: u64,
    /// Cells along a side of a block.
    block: i32,
    /// The square parts of a finer grid, row by row, each once.
    parts: Vec<(i32, i32)>,
}

/// An area to look for in the [`Crossing`]s of many ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    area: CellRect,
    /// The blocks that it has cells in, on a map of one size, and the cells along a side of these.
    blocks: u64,
    block: i32,
}

impl Place {
    pub fn new(area: CellRect, size: GridSize) -> Self {
        let block = block_of(size);
        Self { area, blocks: blocks_over(area, block), block }
    }

    /// Whether any of the cells is in it.
    pub fn has_any(&self, cells: &[Cell]) -> bool {
        cells.iter().any(|&cell| self.area.contains(cell))
    }
}

/// Cells along a side of a block, on a map of this size.
fn block_of(size: GridSize) -> i32 {
    (size.width().max(size.height()) as i32 / BLOCKS + 1).max(SIDE)
}

fn blocks_over(area: CellRect, block: i32) -> u64 {
    let ((top, left), (bottom, right)) = (part_of(area.min, block), part_of(area.max, block));
    // What is beyond the edge has no bit.
    let rows = top.max(0)..=bottom.min(BLOCKS - 1);
    let columns = left.max(0)..=right.min(BLOCKS - 1);
    rows.flat_map(|row| columns.clone().map(move |column| bit((row, column)))).fold(0, |blocks, block| blocks | block)
}

impl Crossing {
    pub fn of(path: &Path, size: GridSize) -> Self {
        let block = block_of(size);
        let mut parts: Vec<_> = path.cells().iter().map(|&cell| part_of(cell, SIDE)).collect();
        parts.dedup();
        parts.sort_unstable();
        parts.dedup();
        let blocks = path.cells().iter().fold(0, |blocks, &cell| blocks | bit(part_of(cell, block)));
        Self { blocks, block, parts }
    }

    /// Whether the way may have a cell in a place; if not, it has none.
    pub fn may_touch(&self, place: &Place) -> bool {
        if self.block == 0 {
            return true;
        }
        // The way may be from a map of another size.
        let blocks = if self.block == place.block { place.blocks } else { blocks_over(place.area, self.block) };
        if self.blocks & blocks == 0 {
            return false;
        }
        let ((top, left), (bottom, right)) = (part_of(place.area.min, SIDE), part_of(place.area.max, SIDE));
        (top..=bottom).any(|row| {
            let place = self.parts.partition_point(|&part| part < (row, left));
            self.parts.get(place).is_some_and(|&part| part <= (row, right))
        })
    }
}

fn part_of(cell: Cell, side: i32) -> (i32, i32) {
    (cell.y.div_euclid(side.max(1)), cell.x.div_euclid(side.max(1)))
}

/// The bit of a block; none for one beyond the edge of the map.
fn bit((row, column): (i32, i32)) -> u64 {
    let is_block = |number: i32| (0..BLOCKS).contains(&number);
    if is_block(row) && is_block(column) { 1 << (row * BLOCKS + column) } else { 0 }
}

#[cfg(test)]
mod tests {
    use wayfield::{Cell, CellRect, CostGrid, GridSize, MovementClass, Path, TerrainId, TerrainMap};

    use super::{Crossing, Place};

    #[test]
    fn no_cell_of_the_way_is_missed() -> Result<(), Box<dyn std::error::Error>> {
        for (width, height) in [(1, 90), (300, 200), (64, 64), (17, 500)] {
            let size = GridSize::new(width, height)?;
            let map = TerrainMap::new(size, TerrainId(0));
            let grid = CostGrid::new(&map, &MovementClass::new("foot").with_cost(TerrainId(0), 1)?);
            let reach = width.min(height) as i32;
            let slant = (0..reach).map(|step| Cell::new(step, step));
            let down = (reach..height as i32).map(|y| Cell::new(reach - 1, y));
            let path = Path::new(slant.chain(down).collect(), &grid)?;
            let crossing = Crossing::of(&path, size);
            let mut apart = 0;
            for cell in size.rect().cells().step_by(7) {
                for area in [CellRect::around(cell, 0), CellRect::around(cell, 3), CellRect::around(cell, 40)] {
                    let touches = path.cells().iter().any(|&cell| area.contains(cell));
                    let place = Place::new(area, size);
                    let may_touch = crossing.may_touch(&place);
                    assert!(may_touch || !touches, "{cell} on {width} x {height}");
                    assert_eq!(place.has_any(path.cells()), touches);
                    let elsewhere = Place::new(area, GridSize::new(999, 7)?);
                    assert_eq!(crossing.may_touch(&elsewhere), may_touch, "whatever the map that it is looked for on");
                    apart += u32::from(!may_touch);
                }
            }
            assert!(width == 1 || apart > 100, "it says something: {apart}");
            assert!(
                Crossing::default().may_touch(&Place::new(CellRect::around(Cell::new(0, 0), 0), size)),
                "it may be anywhere"
            );
        }
        Ok(())
    }
}
