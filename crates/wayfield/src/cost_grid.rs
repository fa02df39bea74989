//! One movement class on one map: entering costs, legal moves, components.
//!
//! **Only this module decides what a legal move is.** Searches, fields and paths ask it.

use crate::components::Components;
use crate::cost::{Cost, TerrainCost};
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::jump_stops::JumpStops;
use crate::map::{Dirty, TerrainMap};
use crate::space::{NodeId, Reversible, Space};
use crate::terrain::{CornerRule, MovementClass};

/// A map as one movement class sees it: what searches and fields run on.
///
/// Plain flat data, about 5 bytes a cell; cheap to share behind an `Arc` as a snapshot.
/// Building it takes time linear in the cells; [`CostGrid::refresh`] looks only at what was edited and,
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
    corner_rule: CornerRule,
    revision: u64,
    /// Entering cost of each cell, 0 where it is forbidden.
    entering: Vec<u8>,
    /// Legal first steps out of each cell, forbidden ones included, so that a unit in a wall can leave.
    moves: Vec<DirectionSet>,
    components: Components,
    stops: JumpStops,
    /// How many cells have each entering cost.
    cells_by_cost: Vec<u32>,
    /// What to add to an index to get the neighbour's, by direction, modulo 2^32.
    offsets: [u32; 8],
}

impl CostGrid {
    /// The map as `class` sees it.
    pub fn new(map: &TerrainMap, class: &MovementClass) -> Self {
        let size = map.size();
        let cells = size.cells();
        let mut cells_by_cost = vec![0; 256];
        cells_by_cost[0] = cells as u32;
        let mut grid = Self {
            size,
            corner_rule: class.corner_rule(),
            revision: map.revision(),
            entering: vec![0; cells],
            moves: vec![DirectionSet::EMPTY; cells],
            components: Components::new(size),
            stops: JumpStops::new(size),
            cells_by_cost,
            offsets: Direction::ALL.map(|direction| {
                let (dx, dy) = direction.delta();
                (dx as u32).wrapping_add((dy as u32).wrapping_mul(size.width()))
            }),
        };
        grid.read_terrain(map, class, size.rect());
        grid.components.update(size.rect(), &grid.entering, &grid.moves);
        grid
    }

    /// Catches up with the edits of the map this grid was built from; `class` must be the same, too.
    ///
    /// Equal to a new grid afterwards. Returns where anything may have changed.
    pub fn refresh(&mut self, map: &TerrainMap, class: &MovementClass) -> Dirty {
        let dirty = match map.dirty_since(self.revision) {
            _ if map.size() != self.size || class.corner_rule() != self.corner_rule => Dirty::Everything,
            dirty => dirty,
        };
        match dirty {
            Dirty::Nothing => {}
            Dirty::Everything => *self = Self::new(map, class),
            Dirty::Within(area) => {
                self.revision = map.revision();
                if self.read_terrain(map, class, area) {
                    // Moves change as far as one step from an edit.
                    self.components.update(area.grown(1), &self.entering, &self.moves);
                }
            }
        }
        dirty
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The corner rule of the class.
    pub fn corner_rule(&self) -> CornerRule {
        self.corner_rule
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

    /// How many passable cells have a passable neighbour of another cost.
    ///
    /// Jumps stop at each of them, so that jump point search is worth it where they are few: where terrain lies in areas,
    /// not strewn cell by cell. Time: O(cells / 64).
    pub fn mixed_cells(&self) -> usize {
        self.stops.mixed_cells(self.size)
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

    /// The component of a passable cell, in constant time: cells with the same number reach each other.
    ///
    /// Components are numbered from 0 in the order of their first cells, so equal maps have equal numbers.
    pub fn component(&self, cell: Cell) -> Option<u32> {
        self.components.of(cell)
    }

    /// Whether there is a way from `from` to `to`, in constant time. A forbidden start may be left.
    pub fn is_reachable(&self, from: Cell, to: Cell) -> bool {
        let Some(target) = self.component(to) else {
            return false;
        };
        self.reachable_components(from).any(|component| component == target)
    }

    /// The components that can be reached from a cell: its own, or those around a forbidden cell.
    pub fn reachable_components(&self, from: Cell) -> impl Iterator<Item = u32> {
        let own = self.component(from);
        let around = if own.is_none() { self.legal_moves(from) } else { DirectionSet::EMPTY };
        own.into_iter().chain(around.iter().filter_map(move |direction| self.component(from.step(direction))))
    }

    /// The legal steps out of a node: neighbour and cost, in the order of the directions.
    #[inline]
    pub(crate) fn steps(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Cost)> {
        self.moves[node as usize].iter().map(move |direction| self.step(node, direction))
    }

    /// The steps *into* a passable node out of passable cells: neighbour and the cost of stepping from it here.
    ///
    /// A move between passable cells is legal both ways, since the rule looks at the same two side cells.
    #[inline]
    pub(crate) fn steps_into(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Cost)> {
        let entering = u32::from(self.entering[node as usize]);
        let moves = if entering == 0 { DirectionSet::EMPTY } else { self.moves[node as usize] };
        moves
            .iter()
            .map(move |direction| (self.neighbour(node, direction), step_length(direction).saturating_mul(entering)))
    }

    /// Whether a node can be entered.
    #[inline]
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        self.entering[node as usize] != 0
    }

    /// The node a legal step leads to, and what it costs.
    #[inline]
    pub(crate) fn step(&self, node: NodeId, direction: Direction) -> (NodeId, Cost) {
        let next = self.neighbour(node, direction);
        (next, step_length(direction).saturating_mul(u32::from(self.entering[next as usize])))
    }

    /// The node one step away, which must be on the map.
    #[inline]
    pub(crate) fn neighbour(&self, node: NodeId, direction: Direction) -> NodeId {
        node.wrapping_add(self.offsets[direction as usize])
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

    /// The entering cost of a node, 0 where it is forbidden.
    #[inline]
    pub(crate) fn entering(&self, node: NodeId) -> u8 {
        self.entering[node as usize]
    }

    /// Reads the terrain of an area anew; returns whether a cell opened or closed.
    fn read_terrain(&mut self, map: &TerrainMap, class: &MovementClass, area: CellRect) -> bool {
        let mut opened_or_closed = false;
        let whole = self.size.rect();
        for cell in area.intersection(whole).into_iter().flat_map(CellRect::cells) {
            let Some(index) = self.size.index(cell) else { continue };
            let cost = map.terrain(cell).and_then(|terrain| class.cost(terrain));
            let new = cost.map_or(0, TerrainCost::get);
            let old = std::mem::replace(&mut self.entering[index as usize], new);
            self.cells_by_cost[usize::from(old)] -= 1;
            self.cells_by_cost[usize::from(new)] += 1;
            opened_or_closed |= (old == 0) != (new == 0);
        }
        if opened_or_closed {
            self.find_moves(area.grown(1));
        }
        if let Some(area) = area.grown(1).intersection(whole) {
            self.stops.update(area, self.corner_rule, self.size, &self.entering, &self.moves);
        }
        opened_or_closed
    }

    /// Finds the legal steps out of the cells of an area.
    fn find_moves(&mut self, area: CellRect) {
        let Some(area) = area.intersection(self.size.rect()) else { return };
        let legal = &LEGAL_MOVES[self.corner_rule as usize];
        for y in area.min.y..=area.max.y {
            let is_open = |index| self.entering[index as usize] != 0;
            let open = |x: i32, y: i32| self.size.index(Cell::new(x, y)).is_some_and(is_open);
            // Which of three cells below each other are open: the upper, the middle and the lower one.
            let column = |x| [open(x, y - 1), open(x, y), open(x, y + 1)];
            let (mut left, mut middle) = (column(area.min.x - 1), column(area.min.x));
            for x in area.min.x..=area.max.x {
                let right = column(x + 1);
                // In the order of the directions.
                let near = [middle[0], middle[2], left[1], right[1], left[0], right[0], left[2], right[2]];
                let near = near.into_iter().rev().fold(0, |bits, is_open| bits << 1 | usize::from(is_open));
                let index = y as u32 * self.size.width() + x as u32;
                self.moves[index as usize] = legal[near];
                (left, middle) = (middle, right);
            }
        }
    }
}

/// The legal moves by corner rule and by which neighbours can be entered: a bit each, in the order of the directions.
static LEGAL_MOVES: [[DirectionSet; 256]; CornerRule::ALL.len()] = {
    let mut table = [[DirectionSet::EMPTY; 256]; CornerRule::ALL.len()];
    let mut rule = 0;
    while rule < table.len() {
        let mut near = 0;
        while near < 256 {
            table[rule][near] = legal_among(CornerRule::ALL[rule], near);
            near += 1;
        }
        rule += 1;
    }
    table
};

/// The rule itself: the legal moves out of a cell, by which of its neighbours can be entered.
const fn legal_among(rule: CornerRule, near: usize) -> DirectionSet {
    const fn free(near: usize, direction: Direction) -> bool {
        near >> direction as usize & 1 == 1
    }
    let mut legal = DirectionSet::EMPTY;
    let mut index = 0;
    while index < Direction::ALL.len() {
        let direction = Direction::ALL[index];
        let passes = match direction.sides() {
            None => true,
            Some((one, other)) => rule.allows(free(near, one), free(near, other)),
        };
        if passes && free(near, direction) {
            legal = legal.with(direction);
        }
        index += 1;
    }
    legal
}

/// What a step costs on terrain of cost 1.
const fn step_length(direction: Direction) -> Cost {
    if direction.is_diagonal() { Cost::DIAGONAL } else { Cost::STRAIGHT }
}

impl Space for CostGrid {
    fn len(&self) -> usize {
        self.size.cells()
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for (next, cost) in self.steps(node) {
            visit(next, cost);
        }
    }
}

impl Reversible for CostGrid {
    #[inline]
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for (previous, cost) in self.steps_into(node) {
            visit(previous, cost);
        }
    }
}
