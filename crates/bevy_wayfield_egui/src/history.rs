//! Painting that can be taken back.

use std::collections::{BTreeMap, VecDeque};

use bevy::prelude::Resource;
use bevy_wayfield::Tilemap;
use bevy_wayfield::wayfield::{Cell, OutsideMap, TerrainId};

/// Strokes of a brush, to be taken back and done again.
///
/// All that is painted between two calls of [`EditHistory::close`] is one stroke. Undoing writes to the [`Tilemap`] as any
/// edit does, so units find other ways.
///
/// ```
/// use bevy_wayfield::Tilemap;
/// use bevy_wayfield::wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
/// use bevy_wayfield_egui::EditHistory;
/// let (plain, wall) = (TerrainId(0), TerrainId(1));
/// let class = MovementClass::new("foot").with_cost(plain, 1)?;
/// let mut tilemap = Tilemap::new(TerrainMap::new(GridSize::new(8, 8)?, plain), vec![class]);
/// let mut history = EditHistory::default();
/// history.paint(&mut tilemap, (0..8).map(|x| Cell::new(x, 3)), wall)?;
/// history.close();
/// assert_eq!(history.undo(&mut tilemap), 8);
/// assert_eq!(tilemap.ground(Cell::new(5, 3)), Some(plain));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct EditHistory {
    done: VecDeque<Stroke>,
    undone: Vec<Stroke>,
    /// The stroke that is being painted.
    open: Stroke,
}

/// The cells that a stroke changed: what they were before it, and after it.
type Stroke = BTreeMap<Cell, (TerrainId, TerrainId)>;

impl EditHistory {
    /// How many strokes it remembers; of more, the oldest are forgotten.
    pub const CAPACITY: usize = 200;

    /// Paints cells as a part of the stroke that is open, and returns how many of them were of another terrain.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn paint(
        &mut self,
        tilemap: &mut Tilemap,
        cells: impl IntoIterator<Item = Cell>,
        terrain: TerrainId,
    ) -> Result<usize, OutsideMap> {
        let ground = cells.into_iter().map(|cell| (cell, tilemap.ground(cell)));
        let changed: BTreeMap<_, _> = ground.filter(|&(_, ground)| ground != Some(terrain)).collect();
        if changed.is_empty() {
            return Ok(0);
        }
        tilemap.edit(changed.keys().map(|&cell| (cell, terrain)))?;
        self.undone.clear();
        for (&cell, before) in &changed {
            // What a stroke paints twice goes back to what was there at first.
            self.open.entry(cell).or_insert((before.unwrap_or(terrain), terrain)).1 = terrain;
        }
        Ok(changed.len())
    }

    /// Ends the stroke: what is painted from now on is another one.
    pub fn close(&mut self) {
        let mut stroke = std::mem::take(&mut self.open);
        stroke.retain(|_, (before, after)| before != after);
        if stroke.is_empty() {
            return;
        }
        if self.done.len() == Self::CAPACITY {
            self.done.pop_front();
        }
        self.done.push_back(stroke);
    }

    /// Takes the latest stroke back, the open one included, and returns how many cells it had; 0 if there is none.
    pub fn undo(&mut self, tilemap: &mut Tilemap) -> usize {
        self.close();
        let Some(stroke) = self.done.pop_back() else { return 0 };
        write(tilemap, stroke.iter().map(|(&cell, &(before, _))| (cell, before)));
        let cells = stroke.len();
        self.undone.push(stroke);
        cells
    }

    /// Does the latest stroke that was taken back again, and returns how many cells it has; 0 if there is none.
    pub fn redo(&mut self, tilemap: &mut Tilemap) -> usize {
        self.close();
        let Some(stroke) = self.undone.pop() else { return 0 };
        write(tilemap, stroke.iter().map(|(&cell, &(_, after))| (cell, after)));
        let cells = stroke.len();
        self.done.push_back(stroke);
        cells
    }

    /// How many strokes can be taken back, and how many done again.
    pub fn depth(&self) -> (usize, usize) {
        (self.done.len() + usize::from(!self.open.is_empty()), self.undone.len())
    }

    /// Forgets all strokes, as when another map is played.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Writes cells back; those that a smaller map has no more are left out.
fn write(tilemap: &mut Tilemap, cells: impl Iterator<Item = (Cell, TerrainId)>) {
    let size = tilemap.size();
    let inside: Vec<_> = cells.filter(|&(cell, _)| size.contains(cell)).collect();
    let written = tilemap.edit(inside);
    debug_assert!(written.is_ok(), "all cells are inside");
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{GridSize, MovementClass, TerrainMap};

    use super::*;

    const PLAIN: TerrainId = TerrainId(0);
    const WOOD: TerrainId = TerrainId(1);
    const WALL: TerrainId = TerrainId(2);

    fn tilemap() -> Tilemap {
        let class = MovementClass::new("foot").with_cost(PLAIN, 1).unwrap();
        Tilemap::new(TerrainMap::new(GridSize::new(64, 8).unwrap(), PLAIN), vec![class])
    }

    fn row(cells: std::ops::Range<i32>) -> impl Iterator<Item = Cell> {
        cells.map(|x| Cell::new(x, 2))
    }

    #[test]
    fn a_stroke_is_one_step_however_often_it_comes_along() {
        let (mut map, mut history) = (tilemap(), EditHistory::default());
        history.paint(&mut map, row(5..8), WOOD).unwrap();
        history.close();
        let before = map.terrain().grid().clone();
        // 40 cells, ten of them twice; three were wood, and the first two end as what they were.
        assert_eq!(history.paint(&mut map, row(0..30), WALL), Ok(30));
        assert_eq!(history.paint(&mut map, row(20..40), WALL), Ok(10));
        assert_eq!(history.paint(&mut map, row(0..2), PLAIN), Ok(2));
        history.close();
        let after = map.terrain().grid().clone();
        assert_eq!(history.undo(&mut map), 38);
        assert_eq!(map.terrain().grid(), &before);
        assert_eq!(history.redo(&mut map), 38);
        assert_eq!(map.terrain().grid(), &after);
        assert_eq!((history.undo(&mut map), history.undo(&mut map), history.undo(&mut map)), (38, 3, 0));
    }

    #[test]
    fn an_open_stroke_can_be_taken_back_and_nothing_is_no_stroke() {
        let (mut map, mut history) = (tilemap(), EditHistory::default());
        history.paint(&mut map, row(0..4), PLAIN).unwrap();
        history.close();
        assert_eq!(history.depth(), (0, 0));
        history.paint(&mut map, row(0..4), WALL).unwrap();
        assert_eq!(history.depth(), (1, 0));
        assert_eq!(history.undo(&mut map), 4);
        assert_eq!(history.depth(), (0, 1));
        history.paint(&mut map, row(0..1), WALL).unwrap();
        assert_eq!(history.redo(&mut map), 0, "what was taken back is forgotten after another stroke");
    }

    #[test]
    fn the_oldest_strokes_are_forgotten_and_outside_nothing_happens() {
        let (mut map, mut history) = (tilemap(), EditHistory::default());
        for round in 0..250 {
            let terrain = if round / 60 % 2 == 0 { WALL } else { WOOD };
            history.paint(&mut map, row(round % 60..round % 60 + 1), terrain).unwrap();
            history.close();
        }
        assert_eq!(history.depth(), (200, 0));
        assert!(history.paint(&mut map, row(60..70), WALL).is_err());
        assert_eq!(history.depth(), (200, 0));
        // A smaller map in its place: what it has no cell for stays away.
        map.replace(TerrainMap::new(GridSize::new(4, 4).unwrap(), PLAIN));
        while history.undo(&mut map) > 0 {}
    }
}
