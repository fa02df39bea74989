//! Flow fields: the steps of a Dijkstra map, ready to be read.

use crate::cost_grid::CostGrid;
use crate::dijkstra_map::{DijkstraMap, Repair};
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::links::LinkId;
use crate::path::PathStep;
use crate::space::NodeId;

/// The best steps out of every cell of a [`DijkstraMap`]; 1 byte a cell.
///
/// The same answers as [`DijkstraMap::next_step`], but a look at one byte instead of at nine cells: what thousands of
/// units read every tick. It knows all equally good directions; which of them a unit takes may be the game's choice, and the
/// first one is [`FlowField::next_step`]'s. Of a [`DijkstraMap::from`] map, which is not for rolling, it is empty.
///
/// ```
/// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, Direction, FlowField};
/// let map = parse_map(b"...\n.#.\n...\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let chase = DijkstraMap::toward(&grid, [Cell::new(2, 2)])?;
/// let flow = FlowField::new(&chase, &grid);
/// let ways: Vec<_> = flow.directions(Cell::new(0, 0)).iter().collect();
/// assert_eq!(ways, [Direction::South, Direction::East]);
/// assert_eq!(flow.direction(Cell::new(0, 0)), chase.downhill(&grid, Cell::new(0, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "FlowFieldData"))]
pub struct FlowField {
    size: GridSize,
    ways: Vec<DirectionSet>,
    /// Where the best step is a link, in the order of the nodes.
    links: Vec<(NodeId, LinkId)>,
}

impl FlowField {
    /// The best steps on `map` of units that move as `grid` lets them. Empty if the two differ in size.
    ///
    /// Time: linear in the cells, some third of what computing the map takes.
    pub fn new(map: &DijkstraMap, grid: &CostGrid) -> Self {
        let mut flow =
            Self { size: map.size(), ways: vec![DirectionSet::EMPTY; map.size().cells()], links: Vec::new() };
        flow.read(map, grid, flow.size.rect());
        flow
    }

    /// Catches up with a map after [`DijkstraMap::repair`], which has told where it differs.
    ///
    /// Equal to a new flow field afterwards. Time: linear in the cells of the areas, and in the links.
    pub fn refresh(&mut self, map: &DijkstraMap, grid: &CostGrid, repair: &Repair) {
        if map.size() != self.size {
            *self = Self::new(map, grid);
            return;
        }
        let around = repair.areas.iter().filter_map(|area| area.grown(1).intersection(self.size.rect()));
        let links = grid.links().all().iter().map(|link| self.size.cell(link.from));
        let areas: Vec<_> = around.chain(links.map(|cell| CellRect::new(cell, cell))).collect();
        for area in areas {
            self.read(map, grid, area);
        }
    }

    fn read(&mut self, map: &DijkstraMap, grid: &CostGrid, area: CellRect) {
        if !map.can_roll_on(grid) {
            self.ways.fill(DirectionSet::EMPTY);
            self.links.clear();
            return;
        }
        let size = self.size;
        self.links.retain(|&(node, _)| !area.contains(size.cell(node)));
        let known = self.links.len();
        map.visit_downhill(grid, area, |node, ways, link| {
            self.ways[node as usize] = ways;
            self.links.extend(link.map(|link| (node, link)));
        });
        if self.links.len() > known {
            self.links.sort_unstable();
        }
    }

    /// Width and height.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// How much memory the directions take, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.ways.as_slice())
    }

    /// The directions of the best steps out of a cell, all equally good. None where a unit stays, outside, and where a link is better.
    #[inline]
    pub fn directions(&self, cell: Cell) -> DirectionSet {
        self.size.index(cell).map_or(DirectionSet::EMPTY, |node| self.ways[node as usize])
    }

    /// The first of [`FlowField::directions`].
    #[inline]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        self.directions(cell).iter().next()
    }

    /// The step that a unit on a cell takes, as [`DijkstraMap::next_step`] says it.
    #[inline]
    pub fn next_step(&self, cell: Cell) -> Option<PathStep> {
        let node = self.size.index(cell)?;
        let walk = self.ways[node as usize].iter().next().map(PathStep::Walk);
        if walk.is_some() || self.links.is_empty() {
            return walk;
        }
        let place = self.links.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        self.links.get(place).map(|&(_, link)| PathStep::Link(link))
    }
}

/// What a [`FlowField`] is read from.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct FlowFieldData {
    size: GridSize,
    ways: Vec<DirectionSet>,
    links: Vec<(NodeId, LinkId)>,
}

#[cfg(feature = "serde")]
impl TryFrom<FlowFieldData> for FlowField {
    type Error = String;

    fn try_from(FlowFieldData { size, ways, links }: FlowFieldData) -> Result<Self, String> {
        let (width, height) = (size.width(), size.height());
        if ways.len() != size.cells() {
            return Err(format!("a flow field of {width} x {height} cells has not {} directions", ways.len()));
        }
        if !links.is_sorted() || links.iter().any(|&(node, _)| node as usize >= size.cells()) {
            return Err("the links of a flow field are not in order, or not on it".to_owned());
        }
        Ok(Self { size, ways, links })
    }
}
