//! The terrain map: what lies where, edited in batches, with a revision.
//!
//! Beside terrain a map may have [links](Link), two optional layers on the edges between cells, heights and fences, and
//! layers of influence, which a class may add to what the terrain costs.

use std::collections::{BTreeMap, VecDeque};

use crate::direction::Direction;
use crate::grid::{Cell, CellRect, Grid, GridSize};
use crate::links::{Link, LinkError, LinkId};
use crate::terrain::{InfluenceId, MovementClass, TerrainId};

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
///
/// Read back by serde, it is checked to be such a map ([`BrokenMap`]), revision and all: what was derived from the map that
/// was written is current, or not, for the one read back as well.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "MapData"))]
pub struct TerrainMap {
    terrain: Grid<TerrainId>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    links: Vec<Link>,
    /// `None` if the map is flat.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    heights: Option<Grid<i16>>,
    /// On which of its sides a cell has a fence: [`EAST`] and [`SOUTH`]. `None` if there is none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    fences: Option<Grid<u8>>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    influences: BTreeMap<InfluenceId, Grid<u8>>,
    revision: u64,
    /// The latest batches, oldest first; the last one made `revision`.
    log: VecDeque<Batch>,
}

/// What one batch of edits was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Batch {
    area: CellRect,
    /// The layer, if it is one that not all classes mind.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    influence: Option<InfluenceId>,
}

/// A fence between a cell and its eastern neighbour.
const EAST: u8 = 1;
/// A fence between a cell and its southern neighbour.
const SOUTH: u8 = 2;

/// What one batch of edits did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The map's revision after the batch.
    pub revision: u64,
    /// The cells that are different now, in the order of the batch, each once.
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

/// Why there can be no fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenceError {
    /// A cell is outside the map.
    #[error(transparent)]
    Outside(#[from] OutsideMap),
    /// The cells do not share a side.
    #[error("{0} and {1} do not share a side for a fence to stand on")]
    NoSharedSide(Cell, Cell),
}

/// Why what was read is no [`TerrainMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenMap {
    /// The heights, the fences or an influence are those of a map of another size.
    #[error("a layer of {} x {} does not fit the map of {} x {}", layer.width(), layer.height(), size.width(), size.height())]
    LayerSize {
        /// The size of the layer.
        layer: GridSize,
        /// The size of the map.
        size: GridSize,
    },
    /// There is a fence on something else than the two sides that a cell keeps.
    #[error("a cell has fences on its sides number {0}, of 0 to 3")]
    Fence(u8),
    /// A link is out of range.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The revision is one that no map comes to, or is lower than the number of the latest edits.
    #[error("a map of revision {revision} has no {edits} latest edits")]
    Revision {
        /// The revision.
        revision: u64,
        /// How many edits are remembered.
        edits: usize,
    },
    /// A remembered edit is not on the map.
    #[error("an edit from {0} to {1} is not on the map")]
    Edit(Cell, Cell),
}

impl TerrainMap {
    /// A map of one terrain.
    pub fn new(size: GridSize, terrain: TerrainId) -> Self {
        Self::from_grid(Grid::new(size, terrain))
    }

    /// A map from a grid of terrains.
    pub fn from_grid(terrain: Grid<TerrainId>) -> Self {
        Self {
            terrain,
            links: Vec::new(),
            heights: None,
            fences: None,
            influences: BTreeMap::new(),
            revision: 0,
            log: VecDeque::new(),
        }
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
        let cells = change(&mut self.terrain, edits)?;
        Ok(self.commit(cells))
    }

    /// The height of a cell, 0 unless it was set; `None` where the map has no such cell.
    pub fn height(&self, cell: Cell) -> Option<i16> {
        let height = self.heights.as_ref().and_then(|heights| heights.get(cell)).copied();
        self.size().contains(cell).then(|| height.unwrap_or_default())
    }

    /// Sets the height of any number of cells as one batch, for classes that mind
    /// [slopes](crate::MovementClass::with_slopes); a later edit of a cell wins.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit_heights(&mut self, edits: impl IntoIterator<Item = (Cell, i16)>) -> Result<Change, OutsideMap> {
        let mut heights = self.heights.take().unwrap_or_else(|| Grid::new(self.size(), 0));
        let cells = change(&mut heights, edits);
        self.heights = Some(heights).filter(|heights| heights.values().iter().any(|&height| height != 0));
        Ok(self.commit(cells?))
    }

    /// Whether the map is not flat.
    pub(crate) fn has_heights(&self) -> bool {
        self.heights.is_some()
    }

    /// Whether a fence stands between two cells that share a side.
    pub fn has_fence(&self, one: Cell, other: Cell) -> bool {
        one.direction_to(other).is_some_and(|direction| self.is_fenced(one, direction))
    }

    /// Puts a fence between two cells that share a side, or takes it away: [`TerrainMap::edit_fences`] for one.
    ///
    /// # Errors
    /// If a cell is outside the map, or they share no side; then nothing is changed.
    pub fn set_fence(&mut self, one: Cell, other: Cell, stands: bool) -> Result<Change, FenceError> {
        self.edit_fences([(one, other, stands)])
    }

    /// Puts fences between cells that share a side, or takes them away, as one batch; a later edit wins. They stand both
    /// ways: whether one bars the way or costs something is up to the [class](crate::MovementClass::with_fence_factor).
    ///
    /// # Errors
    /// If a cell is outside the map, or two share no side; then nothing is changed.
    pub fn edit_fences(&mut self, edits: impl IntoIterator<Item = (Cell, Cell, bool)>) -> Result<Change, FenceError> {
        let size = self.size();
        let mut places = Vec::new();
        for (one, other, stands) in edits {
            for cell in [one, other] {
                if !size.contains(cell) {
                    return Err(OutsideMap { cell, size }.into());
                }
            }
            let place = one.direction_to(other).and_then(|way| fence_place(one, way));
            places.push((place.ok_or(FenceError::NoSharedSide(one, other))?, one, other, stands));
        }
        let mut fences = self.fences.take().unwrap_or_else(|| Grid::new(size, 0));
        let mut cells = Vec::new();
        for ((cell, bit), one, other, stands) in places {
            let sides = fences.get(cell).copied().unwrap_or_default();
            if (sides & bit != 0) != stands {
                fences.set(cell, sides ^ bit);
                cells.extend([one, other]);
            }
        }
        self.fences = Some(fences).filter(|fences| fences.values().iter().any(|&sides| sides != 0));
        cells.sort_unstable();
        cells.dedup();
        Ok(self.commit(cells))
    }

    /// Whether a fence stands on the side of a cell that lies in a direction; never on a diagonal.
    pub(crate) fn is_fenced(&self, cell: Cell, direction: Direction) -> bool {
        let sides = |cell| self.fences.as_ref().and_then(|fences| fences.get(cell)).copied().unwrap_or_default();
        fence_place(cell, direction).is_some_and(|(cell, bit)| sides(cell) & bit != 0)
    }

    /// Whether there is any fence.
    pub(crate) fn has_fences(&self) -> bool {
        self.fences.is_some()
    }

    /// The value of a cell in a layer of influence, 0 unless it was set; `None` where the map has no such cell.
    pub fn influence(&self, layer: InfluenceId, cell: Cell) -> Option<u8> {
        let value = self.influences.get(&layer).and_then(|values| values.get(cell)).copied();
        self.size().contains(cell).then(|| value.unwrap_or_default())
    }

    /// Sets the value of any number of cells in a layer of influence as one batch, for classes that
    /// [mind it](MovementClass::with_influence); a later edit of a cell wins. Grids of other classes have nothing to do after it.
    ///
    /// There may be any number of layers: each takes a byte a cell once it has a value.
    ///
    /// # Errors
    /// If a cell is outside the map; then nothing is changed.
    pub fn edit_influence(
        &mut self,
        layer: InfluenceId,
        edits: impl IntoIterator<Item = (Cell, u8)>,
    ) -> Result<Change, OutsideMap> {
        let mut new = None;
        let size = self.size();
        let values = self.influences.get_mut(&layer).unwrap_or_else(|| new.insert(Grid::new(size, 0)));
        let cells = change(values, edits)?;
        if let Some(values) = new.filter(|_| !cells.is_empty()) {
            self.influences.insert(layer, values);
        }
        Ok(self.commit_batch(cells, Some(layer)))
    }

    /// The values of a layer of influence, if it has any.
    pub(crate) fn influence_values(&self, layer: InfluenceId) -> Option<&Grid<u8>> {
        self.influences.get(&layer)
    }

    /// Adds a link.
    ///
    /// # Errors
    /// If an end is outside the map, both ends are one, or the cost is out of range.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, LinkError> {
        link.check(self.size())?;
        self.links.push(link);
        self.commit(vec![link.from, link.to]);
        Ok(LinkId(self.links.len() as u32 - 1))
    }

    /// Opens or closes a link.
    ///
    /// # Errors
    /// If there is no such link.
    pub fn set_link_open(&mut self, id: LinkId, open: bool) -> Result<Change, LinkError> {
        let link = *self.links.get(id.0 as usize).ok_or(LinkError::Unknown(id))?;
        self.set_link(id, Link { is_open: open, ..link })
    }

    /// Puts another link in the place of one: with another cost or other ends, or for one that is not needed any more.
    ///
    /// # Errors
    /// If there is no such link, or as for [`TerrainMap::add_link`]; then nothing is changed.
    pub fn set_link(&mut self, id: LinkId, link: Link) -> Result<Change, LinkError> {
        let slot = self.links.get_mut(id.0 as usize).ok_or(LinkError::Unknown(id))?;
        link.check(self.terrain.size())?;
        let mut cells = Vec::new();
        if *slot != link {
            cells = vec![slot.from, slot.to, link.from, link.to];
            cells.sort_unstable();
            cells.dedup();
            *slot = link;
        }
        Ok(self.commit(cells))
    }

    /// All links, open or closed; the index of each is its [`LinkId`].
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Makes a revision of what has changed at these cells, if there are any.
    fn commit(&mut self, cells: Vec<Cell>) -> Change {
        self.commit_batch(cells, None)
    }

    /// The same of a layer of influence.
    fn commit_batch(&mut self, cells: Vec<Cell>, influence: Option<InfluenceId>) -> Change {
        let area = cells.iter().map(|&cell| CellRect::new(cell, cell)).reduce(CellRect::union);
        if let Some(area) = area {
            self.revision += 1;
            if self.log.len() == LOG_LENGTH {
                self.log.pop_front();
            }
            self.log.push_back(Batch { area, influence });
        }
        Change { revision: self.revision, cells }
    }

    /// The areas that were edited since `revision`; the whole map if that revision is forgotten, or never was.
    ///
    /// More exact than [`TerrainMap::dirty_since`] where edits lie far apart: an area for each batch.
    pub fn areas_since(&self, revision: u64) -> Vec<CellRect> {
        match self.batches_since(revision) {
            Some(batches) => batches.map(|batch| batch.area).collect(),
            None => vec![self.size().rect()],
        }
    }

    /// Where this map may differ from what it was at `revision`.
    pub fn dirty_since(&self, revision: u64) -> Dirty {
        self.dirty_among(revision, |_| true)
    }

    /// Where this map may differ to a class from what it was at `revision`.
    pub(crate) fn dirty_for(&self, class: &MovementClass, revision: u64) -> Dirty {
        let minds = |layer| class.influence(layer).is_some();
        self.dirty_among(revision, |batch| batch.influence.is_none_or(minds))
    }

    fn dirty_among(&self, revision: u64, counts: impl Fn(&Batch) -> bool) -> Dirty {
        let Some(batches) = self.batches_since(revision) else { return Dirty::Everything };
        let areas = batches.filter(counts).map(|batch| batch.area);
        areas.reduce(CellRect::union).map_or(Dirty::Nothing, Dirty::Within)
    }

    /// The batches since a revision, unless it is forgotten, or never was.
    fn batches_since(&self, revision: u64) -> Option<impl Iterator<Item = Batch>> {
        let batches = usize::try_from(self.revision.checked_sub(revision)?).ok()?;
        let first = self.log.len().checked_sub(batches)?;
        Some(self.log.range(first..).copied())
    }
}

/// The cell that keeps the fence on the side of a cell in a straight direction, and its bit there.
fn fence_place(cell: Cell, direction: Direction) -> Option<(Cell, u8)> {
    match direction {
        Direction::East => Some((cell, EAST)),
        Direction::South => Some((cell, SOUTH)),
        Direction::West => Some((cell.step(direction), EAST)),
        Direction::North => Some((cell.step(direction), SOUTH)),
        _ => None,
    }
}

/// Sets values of a layer, and returns the cells that are different now, in the order of the edits, each once.
fn change<T: Copy + PartialEq>(
    layer: &mut Grid<T>,
    edits: impl IntoIterator<Item = (Cell, T)>,
) -> Result<Vec<Cell>, OutsideMap> {
    let edits: Vec<_> = edits.into_iter().collect();
    let size = layer.size();
    if let Some(&(cell, _)) = edits.iter().find(|(cell, _)| !size.contains(*cell)) {
        return Err(OutsideMap { cell, size });
    }
    let mut before = Vec::new();
    for (cell, value) in edits {
        if let Some(old) = layer.set(cell, value)
            && old != value
        {
            before.push((cell, old));
        }
    }
    // A cell set twice is recorded twice; a stable sort keeps its first, original value first.
    let mut firsts: Vec<_> = before.into_iter().enumerate().collect();
    firsts.sort_by_key(|&(order, (cell, _))| (cell, order));
    firsts.dedup_by_key(|&mut (_, (cell, _))| cell);
    firsts.retain(|&(_, (cell, old))| layer.get(cell) != Some(&old));
    firsts.sort_by_key(|&(order, _)| order);
    Ok(firsts.into_iter().map(|(_, (cell, _))| cell).collect())
}

/// What a [`TerrainMap`] is read from: not trusted until its parts fit each other.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct MapData {
    terrain: Grid<TerrainId>,
    #[serde(default)]
    links: Vec<Link>,
    #[serde(default)]
    heights: Option<Grid<i16>>,
    #[serde(default)]
    fences: Option<Grid<u8>>,
    #[serde(default)]
    influences: BTreeMap<InfluenceId, Grid<u8>>,
    revision: u64,
    log: VecDeque<Batch>,
}

#[cfg(feature = "serde")]
impl TryFrom<MapData> for TerrainMap {
    type Error = BrokenMap;

    fn try_from(data: MapData) -> Result<Self, BrokenMap> {
        let MapData { terrain, links, heights, fences, influences, revision, log } = data;
        let size = terrain.size();
        let bytes = fences.iter().chain(influences.values()).map(Grid::size);
        let mut layers = heights.as_ref().map(Grid::size).into_iter().chain(bytes);
        if let Some(layer) = layers.find(|&layer| layer != size) {
            return Err(BrokenMap::LayerSize { layer, size });
        }
        let sides = fences.iter().flat_map(|fences| fences.values());
        if let Some(&sides) = sides.into_iter().find(|&&sides| sides > EAST | SOUTH) {
            return Err(BrokenMap::Fence(sides));
        }
        links.iter().try_for_each(|link| link.check(size))?;
        // Half of all numbers are left to count on with.
        if revision > u64::MAX / 2 || log.len() as u64 > revision || log.len() > LOG_LENGTH {
            return Err(BrokenMap::Revision { revision, edits: log.len() });
        }
        let is_edit = |area: &&CellRect| {
            **area == CellRect::new(area.min, area.max) && size.contains(area.min) && size.contains(area.max)
        };
        if let Some(area) = log.iter().map(|batch| &batch.area).find(|area| !is_edit(area)) {
            return Err(BrokenMap::Edit(area.min, area.max));
        }
        let heights = heights.filter(|heights| heights.values().iter().any(|&height| height != 0));
        let fences = fences.filter(|fences| fences.values().iter().any(|&sides| sides != 0));
        Ok(Self { terrain, links, heights, fences, influences, revision, log })
    }
}
