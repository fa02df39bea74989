//! The [`Tilemap`] resource: the terrain, the movement classes, and where cells lie in the world.

pub(crate) mod save;

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy::prelude::*;
use wayfield::{
    Cell, CellRect, Change, CornerRule, CostGrid, CostGridError, Dirty, FenceError, GridSize, InfluenceId, Link,
    LinkError, LinkId, MovementClass, OutsideMap, TerrainId, TerrainMap,
};

use crate::obstacle::{Stamps, Standing};

/// The number of a movement class: its place in the list that the [`Tilemap`] was made with.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, serde::Serialize, serde::Deserialize,
)]
pub struct ClassId(pub usize);

/// The map that units move on.
///
/// A [`ClassId`] stands for a kind of mover: a movement class, and how many cells its units cover, which is one unless
/// [`Tilemap::with_unit_size`] says otherwise. One class in two sizes is two entries of the list.
///
/// Terrain is edited by [`Tilemap::edit`] at any time. Cost grids catch up in [`PathfindingSystems::Sync`], every
/// frame and before every tick, so a request made in the tick of an edit sees it. Searches run on a snapshot:
/// nobody waits for a lock. Entities may lay terrain over it for as long as they stand there: see
/// [`Obstacle`](crate::Obstacle).
///
/// In the world, y grows up; [`Tilemap::cell_to_world`] and [`Tilemap::world_to_cell`] are the only places that know.
///
/// [`PathfindingSystems::Sync`]: crate::PathfindingSystems::Sync
///
/// ```
/// use bevy::math::Vec2;
/// use bevy_wayfield::Tilemap;
/// use wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
/// let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1)?;
/// let map = TerrainMap::new(GridSize::new(10, 5)?, TerrainId(0));
/// let tilemap = Tilemap::new(map, vec![foot]).with_layout(Vec2::ZERO, 16.0);
/// assert_eq!(tilemap.cell_to_world(Cell::new(0, 0)), Vec2::new(8.0, 72.0));
/// assert_eq!(tilemap.world_to_cell(Vec2::new(8.0, 72.0)), Some(Cell::new(0, 0)));
/// assert_eq!(tilemap.world_to_cell(Vec2::new(-1.0, 0.0)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Resource, Clone, Reflect)]
#[reflect(opaque, Resource, Clone)]
pub struct Tilemap {
    /// With the obstacles.
    terrain: TerrainMap,
    stamps: Stamps,
    classes: Vec<MovementClass>,
    grids: Vec<Arc<CostGrid>>,
    /// The world position of the map's bottom left corner.
    origin: Vec2,
    cell_size: f32,
    revision: u64,
    /// What was found on the map before this revision holds for another map, or for other classes.
    rebuilt_at: u64,
    /// Whether a class, or the map as a whole, was replaced since the last sync.
    replaced: bool,
    /// Whether the grids of a map that was restored have edits that were not counted before it was saved.
    is_ahead: bool,
    /// What changed since the last [`Tilemap::take_changes`].
    changes: MapChanges,
}

/// Where a map changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapChanges {
    /// Everything may be another.
    pub everything: bool,
    /// These cells have another terrain, height, fence or link.
    pub cells: Vec<Cell>,
}

impl MapChanges {
    pub fn is_empty(&self) -> bool {
        !self.everything && self.cells.is_empty()
    }

    /// A rectangle with all changed cells, or `None` if anything may have changed.
    pub fn area(&self) -> Option<CellRect> {
        let area = self.cells.iter().map(|&cell| CellRect::new(cell, cell)).reduce(CellRect::union);
        area.filter(|_| !self.everything)
    }
}

impl Tilemap {
    /// A map and the kinds of mover on it; cells are 1 wide and the map's bottom left corner is at (0, 0).
    pub fn new(terrain: TerrainMap, classes: Vec<MovementClass>) -> Self {
        let grids = classes.iter().map(|class| Arc::new(CostGrid::new(&terrain, class))).collect();
        Self {
            terrain,
            stamps: Stamps::default(),
            classes,
            grids,
            origin: Vec2::ZERO,
            cell_size: 1.0,
            revision: 0,
            rebuilt_at: 0,
            replaced: false,
            is_ahead: false,
            // It may take the place of another map.
            changes: MapChanges { everything: true, cells: Vec::new() },
        }
    }

    /// This map with its bottom left corner at `origin` and cells `cell_size` wide.
    ///
    /// A size that is not a number above 0, or an origin that is no number, is ignored.
    #[must_use]
    pub fn with_layout(mut self, origin: Vec2, cell_size: f32) -> Self {
        if origin.is_finite() {
            self.origin = origin;
        }
        if cell_size.is_finite() && cell_size > 0.0 {
            self.cell_size = cell_size;
        }
        self
    }

    /// This map, on which units of a class stand on `unit_size` x `unit_size` cells.
    ///
    /// The cell of such a unit, in its [`FollowPath`](crate::FollowPath) and as a goal, is the top left one; its `Transform`
    /// is in the middle: see [`Tilemap::unit_to_world`]. A class that does not exist is ignored.
    ///
    /// # Errors
    /// If such a unit does not fit on the map, or the class may enter no terrain at all.
    pub fn with_unit_size(mut self, class: ClassId, unit_size: u32) -> Result<Self, CostGridError> {
        if let (Some(class), Some(grid)) = (self.classes.get(class.0), self.grids.get_mut(class.0)) {
            *grid = Arc::new(CostGrid::for_units(&self.terrain, class, unit_size)?);
        }
        Ok(self)
    }

    /// Sets the terrain of any number of cells as one batch. Below an [`Obstacle`](crate::Obstacle) it changes the ground, which
    /// shows once the obstacle has left; the change that is returned has only what shows at once.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit(&mut self, edits: impl IntoIterator<Item = (Cell, TerrainId)>) -> Result<Change, OutsideMap> {
        let (covered, open): (Vec<_>, Vec<_>) =
            edits.into_iter().partition(|&(cell, _)| self.stamps.ground(cell).is_some());
        let change = self.terrain.edit(open)?;
        for (cell, terrain) in covered {
            self.stamps.set_ground(cell, terrain);
        }
        self.changes.cells.extend(&change.cells);
        Ok(change)
    }

    /// Sets the height of any number of cells as one batch, for classes that mind
    /// [slopes](MovementClass::with_slopes).
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit_heights(&mut self, edits: impl IntoIterator<Item = (Cell, i16)>) -> Result<Change, OutsideMap> {
        let change = self.terrain.edit_heights(edits)?;
        // The slope of a step is that between two cells.
        let whole = self.terrain.size().rect();
        let around = change.cells.iter().filter_map(|&cell| CellRect::around(cell, 1).intersection(whole));
        let around: BTreeSet<_> = around.flat_map(CellRect::cells).collect();
        self.changes.cells.extend(around);
        Ok(change)
    }

    /// Sets the influence of a layer on any number of cells: danger, the tracks of friends, whatever
    /// [a class minds](MovementClass::with_influence). If there is such a class, units whose way crosses the cells look for another one.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit_influence(
        &mut self,
        layer: InfluenceId,
        edits: impl IntoIterator<Item = (Cell, u8)>,
    ) -> Result<Change, OutsideMap> {
        let change = self.terrain.edit_influence(layer, edits)?;
        // Layers may change in every tick: nobody looks for another way for one that nobody minds.
        if self.classes.iter().any(|class| class.influence(layer).is_some()) {
            self.changes.cells.extend(&change.cells);
        }
        Ok(change)
    }

    /// Puts a fence between two cells that share a side, or takes it away.
    ///
    /// # Errors
    /// If a cell is outside the map, or they share no side; then nothing is changed.
    pub fn set_fence(&mut self, one: Cell, other: Cell, stands: bool) -> Result<Change, FenceError> {
        self.edit_fences([(one, other, stands)])
    }

    /// Puts fences between cells that share a side, or takes them away, as one batch.
    ///
    /// # Errors
    /// If a cell is outside the map, or two share no side; then nothing is changed.
    pub fn edit_fences(&mut self, edits: impl IntoIterator<Item = (Cell, Cell, bool)>) -> Result<Change, FenceError> {
        let change = self.terrain.edit_fences(edits)?;
        self.changes.cells.extend(&change.cells);
        Ok(change)
    }

    /// Adds a link: a ferry, a ladder, a teleport. A [`Mover`](crate::Mover) waits at its beginning for as long as it would walk
    /// the link's cost on plain ground, and then is at its end.
    ///
    /// # Errors
    /// If an end is outside the map, both ends are one, or the cost is out of range.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, LinkError> {
        let id = self.terrain.add_link(link)?;
        self.changes.cells.extend([link.from, link.to]);
        Ok(id)
    }

    /// Opens or closes a link. Units on a way over a link that closes look for another one.
    ///
    /// # Errors
    /// If there is no such link.
    pub fn set_link_open(&mut self, id: LinkId, open: bool) -> Result<Change, LinkError> {
        let change = self.terrain.set_link_open(id, open)?;
        self.changes.cells.extend(&change.cells);
        Ok(change)
    }

    /// Puts another link in the place of one.
    ///
    /// # Errors
    /// If there is no such link, or as for [`Tilemap::add_link`]; then nothing is changed.
    pub fn set_link(&mut self, id: LinkId, link: Link) -> Result<Change, LinkError> {
        let change = self.terrain.set_link(id, link)?;
        self.changes.cells.extend(&change.cells);
        Ok(change)
    }

    /// Replaces the terrain as a whole. Units go on under the new map; its size may be another. Obstacles are not part
    /// of `terrain`: they are stamped on it.
    pub fn replace(&mut self, terrain: TerrainMap) {
        self.terrain = terrain;
        self.stamps = Stamps::default();
        self.replaced = true;
    }

    /// Replaces a movement class; one that does not exist is ignored.
    pub fn set_class(&mut self, id: ClassId, class: MovementClass) {
        if let Some(slot) = self.classes.get_mut(id.0)
            && *slot != class
        {
            *slot = class;
            self.replaced = true;
        }
    }

    /// Sets the corner rule of all classes.
    pub fn set_corner_rule(&mut self, rule: CornerRule) {
        for class in &mut self.classes {
            if class.corner_rule() != rule {
                class.set_corner_rule(rule);
                self.replaced = true;
            }
        }
    }

    /// Lets the cost grids catch up with all edits. Runs in [`PathfindingSystems::Sync`](crate::PathfindingSystems::Sync).
    pub fn sync(&mut self) {
        if self.replaced {
            (self.replaced, self.is_ahead) = (false, false);
            self.changes.everything = true;
            for (grid, class) in self.grids.iter_mut().zip(&self.classes) {
                Arc::make_mut(grid).rebuild(&self.terrain, class);
            }
            self.revision += 1;
            return;
        }
        let mut changed = std::mem::take(&mut self.is_ahead);
        for (grid, class) in self.grids.iter_mut().zip(&self.classes) {
            if self.terrain.dirty_since(grid.revision()) != Dirty::Nothing {
                // A search that still runs on the snapshot keeps it; this side then goes on with a copy.
                Arc::make_mut(grid).refresh(&self.terrain, class);
                changed = true;
            }
        }
        self.revision += u64::from(changed);
    }

    /// Shows these obstacles and no others; returns whether that changes a cell.
    pub(crate) fn show_obstacles(&mut self, standing: &[Standing]) -> bool {
        let shown = self.stamps.update(standing, &self.terrain);
        // Obstacles cover cells of the map only.
        let change = self.terrain.edit(shown).unwrap_or_default();
        self.changes.cells.extend(&change.cells);
        !change.cells.is_empty()
    }

    pub(crate) fn needs_sync(&self) -> bool {
        self.replaced || self.is_ahead || self.grids.iter().any(|grid| grid.revision() != self.terrain.revision())
    }

    /// Lets a map that was inserted over another one count on from that one's revision; returns its own.
    pub(crate) fn go_on_from(&mut self, revision: u64) -> u64 {
        if self.changes.everything && self.revision <= revision {
            self.revision = revision + 1;
        }
        if self.changes.everything {
            self.rebuilt_at = self.revision;
        }
        self.revision
    }

    /// Where the grids differ from what they were at a revision of the [terrain](Tilemap::terrain), which was that of the map at
    /// `revision`.
    pub(crate) fn changed_since(&self, revision: u64, of_terrain: u64) -> Dirty {
        if revision < self.rebuilt_at { Dirty::Everything } else { self.terrain.dirty_since(of_terrain) }
    }

    pub(crate) fn take_changes(&mut self) -> MapChanges {
        std::mem::take(&mut self.changes)
    }

    pub(crate) fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Counts the syncs that changed something; answers and fields carry it.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Width and height in cells.
    pub fn size(&self) -> GridSize {
        self.terrain.size()
    }

    /// The terrain that units meet: that of the map, and over it that of the [obstacles](crate::Obstacle).
    pub fn terrain(&self) -> &TerrainMap {
        &self.terrain
    }

    /// The terrain of a cell below all obstacles, or `None` where the map has no such cell.
    pub fn ground(&self, cell: Cell) -> Option<TerrainId> {
        self.stamps.ground(cell).or_else(|| self.terrain.terrain(cell))
    }

    /// The movement classes, by [`ClassId`].
    pub fn classes(&self) -> &[MovementClass] {
        &self.classes
    }

    /// The class of this name.
    pub fn class_id(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|class| class.name() == name).map(ClassId)
    }

    /// What a class can do on the map, as of the last sync; `None` if there is no such class.
    pub fn grid(&self, class: ClassId) -> Option<&Arc<CostGrid>> {
        self.grids.get(class.0)
    }

    /// Builds the hierarchy that [`Algorithm::HpaStar`](wayfield::Algorithm::HpaStar) searches on, for a class, unless it is
    /// there. Edits keep it up to date. The planner does so itself when it first meets a request for that algorithm;
    /// a game that knows it will need it spares itself that frame.
    pub fn build_hierarchy(&mut self, class: ClassId) {
        if let Some(grid) = self.grids.get_mut(class.0)
            && grid.hierarchy().is_none()
        {
            Arc::make_mut(grid).build_hierarchy();
        }
    }

    /// How many cells along a side the units of a class cover; 1 if there is no such class.
    pub fn unit_size(&self, class: ClassId) -> u32 {
        self.grid(class).map_or(1, |grid| grid.unit_size())
    }

    /// How wide a cell is in the world.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// The world position of the centre of a cell, which may be outside the map.
    pub fn cell_to_world(&self, cell: Cell) -> Vec2 {
        let row_from_bottom = self.size().height() as f32 - 1.0 - cell.y as f32;
        self.origin + Vec2::new(cell.x as f32 + 0.5, row_from_bottom + 0.5) * self.cell_size
    }

    /// The cell at a world position, or `None` outside the map.
    pub fn world_to_cell(&self, position: Vec2) -> Option<Cell> {
        self.locate(position).filter(|&cell| self.size().contains(cell))
    }

    /// The cell at a world position, which may be outside the map; `None` for what is no position.
    pub(crate) fn locate(&self, position: Vec2) -> Option<Cell> {
        let local = (position - self.origin) / self.cell_size;
        let last = self.size().height() as i32 - 1;
        let cell = || Cell::new(whole_below(local.x), last.saturating_sub(whole_below(local.y)));
        local.is_finite().then(cell)
    }

    /// The world position of the middle of a unit of this class whose top left cell is `cell`.
    pub fn unit_to_world(&self, class: ClassId, cell: Cell) -> Vec2 {
        self.cell_to_world(cell) + self.middle_of_unit(class)
    }

    /// The top left cell of a unit of this class that stands at a world position, or `None` outside the map. For a
    /// larger one at the left or upper edge that is the cell at the edge, though it does not fit there.
    pub fn world_to_unit(&self, class: ClassId, position: Vec2) -> Option<Cell> {
        let cell = self.world_to_cell(position)?;
        if self.unit_size(class) == 1 {
            return Some(cell);
        }
        let anchor = self.locate(position - self.middle_of_unit(class))?;
        Some(Cell::new(anchor.x.max(0), anchor.y.max(0)))
    }

    /// From the middle of a unit's top left cell to the middle of the unit.
    fn middle_of_unit(&self, class: ClassId) -> Vec2 {
        let half = (self.unit_size(class) - 1) as f32 / 2.0 * self.cell_size;
        Vec2::new(half, -half)
    }

    /// The bottom left and the top right corner of the map in the world.
    pub fn world_bounds(&self) -> Rect {
        let size = Vec2::new(self.size().width() as f32, self.size().height() as f32);
        Rect::from_corners(self.origin, self.origin + size * self.cell_size)
    }
}

/// The largest whole number up to a finite one, which may be out of range: it becomes a coordinate that no map has. Every unit asks
/// for its cell in every tick, and `f32::floor` is a call on processors of which no more is known than that they are.
fn whole_below(number: f32) -> i32 {
    let toward_zero = number as i32;
    toward_zero.saturating_sub(i32::from(toward_zero as f32 > number))
}

/// Lets the grids catch up. Cheap when nothing was edited.
pub(crate) fn sync_tilemap(tilemap: Option<ResMut<Tilemap>>) {
    if let Some(mut tilemap) = tilemap
        && tilemap.needs_sync()
    {
        tilemap.sync();
    }
}

#[cfg(test)]
mod tests {
    use super::whole_below;

    #[test]
    fn whole_numbers_are_rounded_down() {
        let near = [-8_388_609.0, -1.5, -1.0, -0.999_999_94, -0.0, 0.0, f32::MIN_POSITIVE, 0.999_999_94, 1.0, 3.25];
        for number in near.into_iter().chain([-f32::MIN_POSITIVE, 8_388_609.0, 2_147_483_520.0, -2_147_483_648.0]) {
            assert_eq!(whole_below(number), number.floor() as i32, "{number}");
        }
        assert_eq!([whole_below(-1e30), whole_below(1e30)], [i32::MIN, i32::MAX]);
    }
}
