//! One movement class on one map: entering costs, legal moves, components.
//!
//! **Only this module decides what a legal move is.** Searches, fields and paths ask it.

mod prepared;
mod reading;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::components::Components;
use crate::cost::{Cost, TerrainCost};
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::hierarchy::Hierarchy;
use crate::jump_stops::{AHEAD, JumpStops};
use crate::jump_table::JumpTable;
use crate::link_table::{LinkEdge, LinkTable};
use crate::links::{LinkError, LinkId};
use crate::map::{Dirty, TerrainMap};
use crate::space::{NodeId, Reversible, Space};
use crate::terrain::{CornerRule, MovementClass};

/// A map as units of one movement class and size see it: what searches and fields run on.
///
/// A unit of n x n cells stands on n x n cells and is named by its top left one: that cell can be entered if all n x n
/// can, and costs as much as the dearest of them. Nothing else differs, so that every algorithm is right for every size.
///
/// Plain flat data, about 5 bytes a cell (21 with slopes, or fences that can be crossed); cheap to share behind an `Arc` as a snapshot.
/// Building it takes time linear in the cells, times n x n; [`CostGrid::refresh`] looks only at what was edited and,
/// where a cell opened or closed, at the pieces of the map around it.
///
/// ```
/// use wayfield::{Cell, CostGrid, GridSize, MovementClass, TerrainId, TerrainMap};
/// let (plain, wall) = (TerrainId(0), TerrainId(1));
/// let mut map = TerrainMap::new(GridSize::new(3, 1)?, plain);
/// let foot = MovementClass::new("foot").with_cost(plain, 1)?;
/// let mut grid = CostGrid::new(&map, &foot);
/// assert!(grid.is_reachable(Cell::new(0, 0), Cell::new(2, 0)));
/// map.edit([(Cell::new(1, 0), wall)])?;
/// grid.refresh(&map, &foot);
/// assert!(!grid.is_reachable(Cell::new(0, 0), Cell::new(2, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostGrid {
    size: GridSize,
    class: Arc<MovementClass>,
    /// The n of units of n x n cells.
    unit_size: u32,
    /// Stands for class and unit size.
    kind: u64,
    /// Whether fences bar the way, as of the revision.
    is_fenced: bool,
    /// Whether there are neither edge factors nor links nor fences: moves and entering costs say all.
    is_plain: bool,
    revision: u64,
    /// Entering cost of each cell, 0 where it is forbidden.
    entering: Vec<u8>,
    /// Legal first steps out of each cell, forbidden ones included, so that a unit in a wall can leave.
    moves: Vec<DirectionSet>,
    components: Components,
    links: LinkTable,
    hierarchy: Option<Hierarchy>,
    jump_table: Option<JumpTable>,
    /// What slopes and fences multiply the cost of the steps out of each cell by; empty if there are none.
    edge_factors: Vec<[u16; 8]>,
    stops: JumpStops,
    /// How many cells have each entering cost.
    cells_by_cost: Vec<u32>,
    /// What to add to an index to get the neighbour's, by direction, modulo 2^32.
    offsets: [u32; 8],
}

/// Units that a map has no room or no way for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CostGridError {
    /// The unit covers no cell, or more than the map has.
    #[error("a unit of {unit_size} x {unit_size} cells does not fit on a map of {} x {}", size.width(), size.height())]
    UnitSize {
        /// Its number of cells along a side.
        unit_size: u32,
        /// The size of the map.
        size: GridSize,
    },
    /// The class has a cost for no terrain.
    #[error("the movement class \"{class}\" may enter no terrain at all")]
    NothingPassable {
        /// The name of the class.
        class: String,
    },
}

impl CostGrid {
    /// The map as units of `class` see it that stand on one cell.
    pub fn new(map: &TerrainMap, class: &MovementClass) -> Self {
        Self::build(map, class, 1)
    }

    /// The map as units of `class` see it that stand on `unit_size` x `unit_size` cells.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid};
    /// let map = parse_map(b"....\n.#..\n....\n....\n")?;
    /// let wide = CostGrid::for_units(&map.terrain, &map.default_class(), 2)?;
    /// assert!(wide.is_passable(Cell::new(2, 2)) && !wide.is_passable(Cell::new(1, 0)));
    /// assert!(!wide.is_passable(Cell::new(3, 0)), "it would stand beyond the edge");
    /// assert!(CostGrid::for_units(&map.terrain, &map.default_class(), 5).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If such a unit does not fit on the map, or the class may enter no terrain at all.
    pub fn for_units(map: &TerrainMap, class: &MovementClass, unit_size: u32) -> Result<Self, CostGridError> {
        let size = map.size();
        if unit_size == 0 || unit_size > size.width().min(size.height()) {
            return Err(CostGridError::UnitSize { unit_size, size });
        }
        if class.can_enter_nothing() {
            return Err(CostGridError::NothingPassable { class: class.name().to_owned() });
        }
        Ok(Self::build(map, class, unit_size))
    }

    /// The grid of a map and class that may have changed since [`CostGrid::for_units`] made one: what
    /// [`CostGrid::rebuild`] makes of that. If the units do not fit, there is no cell that they can enter.
    ///
    /// # Errors
    /// If the units are of no cells, or of more than any map has.
    pub fn for_units_as_rebuilt(
        map: &TerrainMap,
        class: &MovementClass,
        unit_size: u32,
    ) -> Result<Self, CostGridError> {
        if unit_size == 0 || unit_size > GridSize::MAX_SIDE {
            return Err(CostGridError::UnitSize { unit_size, size: map.size() });
        }
        Ok(Self::build(map, class, unit_size))
    }

    fn build(map: &TerrainMap, class: &MovementClass, unit_size: u32) -> Self {
        let size = map.size();
        let cells = size.cells();
        let mut cells_by_cost = vec![0; 256];
        cells_by_cost[0] = cells as u32;
        let mut grid = Self {
            size,
            class: Arc::new(class.clone()),
            unit_size,
            kind: kind_of(class, unit_size),
            is_fenced: false,
            is_plain: true,
            revision: map.revision(),
            entering: vec![0; cells],
            moves: vec![DirectionSet::EMPTY; cells],
            components: Components::new(size),
            links: LinkTable::default(),
            hierarchy: None,
            jump_table: None,
            edge_factors: Vec::new(),
            stops: JumpStops::new(size),
            cells_by_cost,
            offsets: Direction::ALL.map(|direction| {
                let (dx, dy) = direction.delta();
                (dx as u32).wrapping_add((dy as u32).wrapping_mul(size.width()))
            }),
        };
        grid.read_map(map, size.rect());
        grid
    }

    /// Catches up with the edits of the map this grid was built from.
    ///
    /// Equal to a new grid afterwards, of the same unit size. If `class` is not what it was the grid is built anew.
    /// Returns the cells whose entering cost may have changed, and the ends of links and edges that may have.
    pub fn refresh(&mut self, map: &TerrainMap, class: &MovementClass) -> Dirty {
        let dirty = match map.dirty_for(class, self.revision) {
            _ if map.size() != self.size || *class != *self.class => Dirty::Everything,
            dirty => dirty,
        };
        match dirty {
            Dirty::Nothing => {
                self.revision = map.revision();
                dirty
            }
            Dirty::Everything => {
                self.rebuild(map, class);
                dirty
            }
            Dirty::Within(area) => {
                let area = self.anchors_over(area);
                self.revision = map.revision();
                self.read_map(map, area);
                Dirty::Within(area.intersection(self.size.rect()).unwrap_or(area))
            }
        }
    }

    /// The cells that a unit covers whose top left cell is `anchor`.
    pub fn footprint(&self, anchor: Cell) -> CellRect {
        let more = self.unit_size as i32 - 1;
        CellRect::new(anchor, Cell::new(anchor.x + more, anchor.y + more))
    }

    /// Builds the grid anew, for units of the same size on another map or of another class.
    ///
    /// If they do not fit on the map, there is no cell that they can enter.
    pub fn rebuild(&mut self, map: &TerrainMap, class: &MovementClass) {
        let (has_hierarchy, has_jump_table) = (self.hierarchy.is_some(), self.jump_table.is_some());
        *self = Self::build(map, class, self.unit_size);
        if has_hierarchy {
            self.build_hierarchy();
        }
        if has_jump_table {
            self.build_jump_table();
        }
    }

    /// The anchors of the units that cover one of these cells: the area, and n - 1 cells more to the left and above.
    pub fn anchors_over(&self, area: CellRect) -> CellRect {
        let more = self.unit_size as i32 - 1;
        CellRect { min: Cell::new(area.min.x - more, area.min.y - more), max: area.max }
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The class.
    pub fn class(&self) -> &MovementClass {
        &self.class
    }

    /// The n of the units, which stand on n x n cells.
    pub fn unit_size(&self) -> u32 {
        self.unit_size
    }

    /// A number that stands for the class and the unit size: grids with the same differ by map and revision only.
    pub(crate) fn kind(&self) -> u64 {
        self.kind
    }

    /// The corner rule of the class.
    #[inline]
    pub fn corner_rule(&self) -> CornerRule {
        self.class.corner_rule()
    }

    /// The revision of the map that this grid shows.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What entering the cell costs; `None` where it is forbidden or outside the map.
    pub fn entering_cost(&self, cell: Cell) -> Option<TerrainCost> {
        let index = self.size.index(cell)?;
        TerrainCost::try_from(i64::from(self.entering[index as usize])).ok()
    }

    /// Whether the cell can be entered.
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.entering_cost(cell).is_some()
    }

    /// The least entering cost of the map, 1 if nothing can be entered: what makes an estimate admissible.
    pub fn cheapest_cost(&self) -> u32 {
        let cheapest = self.cells_by_cost.iter().skip(1).position(|&cells| cells > 0);
        cheapest.map_or(1, |position| position as u32 + 1)
    }

    /// The greatest entering cost of the map, 1 if nothing can be entered.
    pub(crate) fn dearest_cost(&self) -> u32 {
        self.cells_by_cost.iter().rposition(|&cells| cells > 0).map_or(1, |cost| cost.max(1) as u32)
    }

    /// How many passable cells have a passable neighbour of another cost, or a fence or an end of a link.
    ///
    /// Jumps stop at each of them, so that jump point search is worth it where they are few: where terrain lies in areas,
    /// not strewn cell by cell.
    pub fn mixed_cells(&self) -> usize {
        self.stops.mixed_cells()
    }

    /// Whether terrain of another cost lies beside a cell, or jumps must stop at it for another reason.
    #[inline]
    pub(crate) fn is_mixed(&self, node: NodeId) -> bool {
        let Cell { x, y } = self.size.cell(node);
        self.stops.mixed_cells() > 0 && self.stops.is_mixed(x, y)
    }

    /// How many cells are open, and in how many places, each an open cell and one of the four straight directions, jumps stop.
    pub(crate) fn open_cells_and_stops(&self) -> (usize, usize) {
        let walls = self.cells_by_cost[0] as usize;
        (self.size.cells() - walls, self.stops.line_stops() - 4 * walls)
    }

    /// The legal steps out of a cell. A forbidden cell may be left, too.
    pub fn legal_moves(&self, cell: Cell) -> DirectionSet {
        self.size.index(cell).map_or(DirectionSet::EMPTY, |index| self.moves[index as usize])
    }

    /// The direction of the legal move from one cell to another, if there is one.
    pub fn legal_step(&self, from: Cell, to: Cell) -> Option<Direction> {
        from.direction_to(to).filter(|&direction| self.legal_moves(from).contains(direction))
    }

    /// What the step from `cell` in `direction` costs, or `None` where it is illegal.
    pub fn step_cost(&self, cell: Cell, direction: Direction) -> Option<Cost> {
        let index = self.size.index(cell)?;
        let legal = self.moves[index as usize].contains(direction);
        legal.then(|| self.step(index, direction).1)
    }

    /// What the step from `cell` in `direction` costs, in terrain units for a length of 1: the entering cost times the
    /// slope and the fence. `None` where it is illegal.
    pub fn step_price(&self, cell: Cell, direction: Direction) -> Option<u32> {
        let index = self.size.index(cell)?;
        self.moves[index as usize].contains(direction).then(|| self.price(index, direction))
    }

    /// The component of a passable cell, in constant time: cells with the same number reach each other.
    ///
    /// Components are numbered from 0 in the order of their first cells, so equal maps have equal numbers.
    pub fn component(&self, cell: Cell) -> Option<u32> {
        self.components.of(cell)
    }

    /// Whether there is a way from `from` to `to`, in constant time but for links, of which it looks at the components
    /// that they join. A forbidden start may be left.
    pub fn is_reachable(&self, from: Cell, to: Cell) -> bool {
        let Some(target) = self.component(to) else {
            return false;
        };
        let mut near = self.components_at(from);
        near.any(|component| component == target || self.links.reach(component).binary_search(&target).is_ok())
    }

    /// The components that can be reached from a cell: its own, or those around a forbidden cell, and where links lead from there.
    pub fn reachable_components(&self, from: Cell) -> impl Iterator<Item = u32> {
        self.components_at(from).flat_map(|component| std::iter::once(component).chain(self.links.reach(component)))
    }

    /// The component of a cell, or those around a forbidden cell.
    fn components_at(&self, from: Cell) -> impl Iterator<Item = u32> {
        let own = self.component(from);
        let around = if own.is_none() { self.legal_moves(from) } else { DirectionSet::EMPTY };
        own.into_iter().chain(around.iter().filter_map(move |direction| self.component(from.step(direction))))
    }

    /// The cheapest link from one cell to another that units can take now, and its cost.
    pub fn link_between(&self, from: Cell, to: Cell) -> Option<(LinkId, Cost)> {
        let (from, to) = (self.size.index(from)?, self.size.index(to)?);
        let links = self.links.leading_from(from).iter().filter(|edge| edge.to == to);
        links.min_by_key(|edge| (edge.cost, edge.id)).map(|edge| (edge.id, edge.cost))
    }

    /// Where a link out of a cell leads that units can take now, and its cost.
    pub fn link_end(&self, from: Cell, id: LinkId) -> Option<(Cell, Cost)> {
        let link = self.links.leading_from(self.size.index(from)?).iter().find(|edge| edge.id == id)?;
        Some((self.size.cell(link.to), link.cost))
    }

    /// Checks that units can take a link of the map.
    ///
    /// # Errors
    /// If there is no such link, it is closed, or one of its ends is blocked for units of this class and size.
    pub fn check_link(&self, map: &TerrainMap, id: LinkId) -> Result<(), LinkError> {
        let link = map.links().get(id.0 as usize).ok_or(LinkError::Unknown(id))?;
        if !link.is_open {
            return Err(LinkError::Closed(id));
        }
        match [link.from, link.to].into_iter().find(|&end| !self.is_passable(end)) {
            Some(cell) => Err(LinkError::EndBlocked { id, cell }),
            None => Ok(()),
        }
    }

    /// The legal steps out of a node: neighbour and cost, in the order of the directions.
    ///
    /// Links are not among them.
    #[inline]
    pub(crate) fn steps(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Cost)> {
        self.moves[node as usize].iter().map(move |direction| self.step(node, direction))
    }

    /// The ways out of a node that no straight step from its parent makes useless, if each step between the cells that a
    /// parent and a node have around them is legal wherever both can be entered.
    #[inline]
    fn ahead_of(&self, parent: Option<NodeId>, node: NodeId) -> DirectionSet {
        let arrival = parent.and_then(|parent| self.arrival(parent, node));
        arrival.map_or(DirectionSet::ALL, |arrival| AHEAD[arrival as usize])
    }

    /// Lists the steps and links out of a node on a grid that has edge factors, links or fences.
    #[inline(never)]
    fn expand_layers(&self, node: NodeId, visit: &mut dyn FnMut(NodeId, Cost)) {
        self.steps(node).for_each(|(next, cost)| visit(next, cost));
        for &LinkEdge { to, cost, .. } in self.links.leading_from(node) {
            visit(to, cost);
        }
    }

    /// The steps *into* a passable node out of passable cells: neighbour and the cost of stepping from it here.
    ///
    /// A move between passable cells is legal both ways, since the rule looks at the same two side cells.
    #[inline]
    pub(crate) fn steps_into(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Cost)> {
        let entering = u32::from(self.entering[node as usize]);
        let moves = if entering == 0 { DirectionSet::EMPTY } else { self.moves[node as usize] };
        moves.iter().map(move |direction| {
            let previous = self.neighbour(node, direction);
            let price = entering * self.edge_factor(previous, direction.opposite());
            (previous, step_length(direction).saturating_mul(price))
        })
    }

    /// Whether a node can be entered.
    #[inline]
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        self.entering[node as usize] != 0
    }

    /// The node a legal step leads to, and what it costs.
    #[inline]
    pub(crate) fn step(&self, node: NodeId, direction: Direction) -> (NodeId, Cost) {
        (self.neighbour(node, direction), step_length(direction).saturating_mul(self.price(node, direction)))
    }

    /// The node a legal step leads to, and what it costs on a grid without edge factors.
    #[inline]
    pub(crate) fn plain_step(&self, node: NodeId, direction: Direction) -> (NodeId, Cost) {
        let next = self.neighbour(node, direction);
        // Even the dearest step is far from what a number can hold.
        (next, Cost::from_raw(step_length(direction).raw() * u32::from(self.entering[next as usize])))
    }

    /// The direction of the step from one node to another, if there is one that no other step could be mistaken for.
    #[inline]
    pub(crate) fn arrival(&self, from: NodeId, to: NodeId) -> Option<Direction> {
        let (step, width) = (to.wrapping_sub(from) as i32, self.size.width() as i32);
        let dy = i32::from(step > 1) - i32::from(step < -1);
        let dx = step.wrapping_sub(dy * width);
        // On a map of one or two columns one step is that of several directions.
        if width < 3 { None } else { Direction::from_delta(dx, dy) }
    }

    /// What a legal step costs, but for its length: the entering cost, the slope and the fence.
    #[inline]
    pub(crate) fn price(&self, node: NodeId, direction: Direction) -> u32 {
        let entering = self.entering[self.neighbour(node, direction) as usize];
        u32::from(entering) * self.edge_factor(node, direction)
    }

    #[inline]
    fn edge_factor(&self, node: NodeId, direction: Direction) -> u32 {
        self.edge_factors.get(node as usize).map_or(1, |factors| u32::from(factors[direction as usize]))
    }

    /// Whether there are neither edge factors nor links nor fences.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether the cost of a step depends on more than the cell entered.
    pub(crate) fn has_edge_factors(&self) -> bool {
        !self.edge_factors.is_empty()
    }

    /// The links that units can take.
    #[inline]
    pub(crate) fn links(&self) -> &LinkTable {
        &self.links
    }

    /// The node one step away, which must be on the map.
    #[inline]
    pub(crate) fn neighbour(&self, node: NodeId, direction: Direction) -> NodeId {
        node.wrapping_add(self.offsets[direction as usize])
    }

    /// The node so many straight steps away, which must be on the map.
    #[inline]
    pub(crate) fn along(&self, node: NodeId, line: Direction, steps: u32) -> NodeId {
        node.wrapping_add(self.offsets[line as usize].wrapping_mul(steps))
    }

    /// Where jumps over this grid stop.
    #[inline]
    pub(crate) fn stops(&self) -> &JumpStops {
        &self.stops
    }

    /// The legal steps out of a node.
    #[inline]
    pub(crate) fn moves(&self, node: NodeId) -> DirectionSet {
        self.moves[node as usize]
    }

    /// The legal steps out of `count` nodes from `first` on, which must be on the map.
    pub(crate) fn moves_of(&self, first: usize, count: usize) -> &[DirectionSet] {
        &self.moves[first..first + count]
    }

    /// The entering costs of `count` nodes from `first` on, which must be on the map; 0 where they are forbidden.
    pub(crate) fn entering_of(&self, first: usize, count: usize) -> &[u8] {
        &self.entering[first..first + count]
    }

    /// The entering cost of a node, 0 where it is forbidden.
    #[inline]
    pub(crate) fn entering(&self, node: NodeId) -> u8 {
        self.entering[node as usize]
    }
}

/// See [`CostGrid::kind`].
fn kind_of(class: &MovementClass, unit_size: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (class, unit_size).hash(&mut hasher);
    hasher.finish()
}

/// What a step costs on terrain of cost 1.
const fn step_length(direction: Direction) -> Cost {
    if direction.is_diagonal() { Cost::DIAGONAL } else { Cost::STRAIGHT }
}

impl Space for CostGrid {
    fn len(&self) -> usize {
        self.size.cells()
    }

    /// Leaves out what a straight step from the parent reaches more cheaply: the parent has been there already.
    #[inline]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        if self.is_plain {
            // What nearly all maps are: kept small, since it is the body of every search's hot loop.
            let ways = self.moves[node as usize].intersection(self.ahead_of(parent, node));
            for direction in ways {
                let (next, cost) = self.plain_step(node, direction);
                visit(next, cost);
            }
        } else {
            self.expand_layers(node, &mut visit);
        }
    }
}

impl Reversible for CostGrid {
    #[inline]
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for (previous, cost) in self.steps_into(node) {
            visit(previous, cost);
        }
        for &LinkEdge { from, cost, .. } in self.links.leading_to(node) {
            visit(from, cost);
        }
    }
}
