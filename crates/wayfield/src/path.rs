//! A path over a grid, and what it costs.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::cost::{Cost, PathCost};
use crate::cost_grid::CostGrid;
use crate::direction::Direction;
use crate::grid::Cell;
use crate::links::LinkId;

/// The cells of a way, from its start to its end, each a neighbour of the one before or at the end of a link that
/// begins there, with the exact cost.
///
/// Read back by serde, it is checked to be such a list; what its steps cost, only a grid can say ([`Path::cost_from`]).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PathData"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(opaque, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct Path {
    cells: Vec<Cell>,
    /// The steps that are links, by the index of the cell that they begin in, in order.
    #[cfg_attr(feature = "serde", serde(default))]
    links: Vec<(u32, LinkId)>,
    cost: PathCost,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// To the neighbour in this direction.
    Walk(Direction),
    /// Along this link.
    Link(LinkId),
}

/// Why a list of cells is no path on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There is no cell at all.
    #[error("a path has at least one cell")]
    Empty,
    /// The first cell is outside the map.
    #[error("the path starts outside the map, at {0}")]
    Outside(Cell),
    /// The links that were read are not in order, or one is at no step of the path.
    #[error("the links of the path are out of place, the last one at step {0}")]
    MisplacedLink(u32),
    /// A step is none of the legal moves, nor an open link.
    #[error("step {index} of the path, from {from} to {to}, is not a legal move")]
    IllegalStep {
        /// Index of the cell stepped out of.
        index: usize,
        /// The cell stepped out of.
        from: Cell,
        /// The cell stepped into.
        to: Cell,
    },
}

impl Path {
    /// A path of these cells, checked against the grid. Where a link leads to the next cell for less than a
    /// step does, or there is no such step, it is taken.
    ///
    /// # Errors
    /// If the list is empty or a step is not legal. A forbidden first cell is legal: it may be left.
    pub fn new(cells: Vec<Cell>, grid: &CostGrid) -> Result<Self, PathError> {
        let (cost, links) = walk(&cells, grid)?;
        Ok(Self { cells, links, cost })
    }

    /// The path along cells that a search has just walked: where nothing but cells costs something, that is only added up.
    #[expect(clippy::expect_used, reason = "a search takes only legal moves, from a start inside the map")]
    pub(crate) fn walked(cells: Vec<Cell>, grid: &CostGrid) -> Self {
        if !grid.is_plain() {
            return Self::new(cells, grid).expect("a search takes only legal moves");
        }
        let mut cost = PathCost::default();
        for pair in cells.windows(2) {
            let price = grid.size().index(pair[1]).map_or(0, |node| u64::from(grid.entering(node)));
            let is_straight = pair[0].x == pair[1].x || pair[0].y == pair[1].y;
            *if is_straight { &mut cost.straight } else { &mut cost.diagonal } += price;
        }
        debug_assert_eq!(walk(&cells, grid).map(|(cost, _)| cost), Ok(cost));
        Self { cells, links: Vec::new(), cost }
    }

    /// The cells, start and end included; never empty.
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// The cells, start and end included; never empty.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Always false: a path has at least one cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The first cell.
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// The last cell.
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// The steps, one less than there are cells.
    ///
    /// ```
    /// use wayfield::{Cell, CostGrid, Direction, GridSize, Link, MovementClass, Path, PathStep, TerrainId, TerrainMap};
    /// let mut map = TerrainMap::new(GridSize::new(9, 1)?, TerrainId(0));
    /// let ferry = map.add_link(Link::new(Cell::new(1, 0), Cell::new(7, 0), 3))?;
    /// let grid = CostGrid::new(&map, &MovementClass::new("foot").with_cost(TerrainId(0), 1)?);
    /// let path = Path::new([0, 1, 7].map(|x| Cell::new(x, 0)).to_vec(), &grid)?;
    /// assert!(path.steps().eq([PathStep::Walk(Direction::East), PathStep::Link(ferry)]));
    /// assert_eq!(path.cost().units(), 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self) -> impl Iterator<Item = PathStep> {
        let mut links = self.links.iter().peekable();
        (0..).zip(self.cells.windows(2)).filter_map(move |(index, pair)| match links.next_if(|&&(at, _)| at == index) {
            Some(&(_, link)) => Some(PathStep::Link(link)),
            None => pair[0].direction_to(pair[1]).map(PathStep::Walk),
        })
    }

    /// The link that leads on from cell number `index`, if the step there is one.
    pub fn link_at(&self, index: usize) -> Option<LinkId> {
        let place = self.links.binary_search_by_key(&index, |&(at, _)| at as usize).ok()?;
        self.links.get(place).map(|&(_, link)| link)
    }

    /// The exact cost on the grid the path was made on.
    pub fn cost(&self) -> PathCost {
        self.cost
    }

    /// What the rest of the path, from cell number `from` on, costs on a grid as it is now.
    ///
    /// # Errors
    /// If a step of the rest is not legal there.
    pub fn cost_from(&self, from: usize, grid: &CostGrid) -> Result<PathCost, PathError> {
        walk(self.cells.get(from..).unwrap_or_default(), grid).map(|(cost, _)| cost)
    }
}

/// Adds up the steps of a way, and checks them.
fn walk(cells: &[Cell], grid: &CostGrid) -> Result<(PathCost, Vec<(u32, LinkId)>), PathError> {
    let first = *cells.first().ok_or(PathError::Empty)?;
    if !grid.size().contains(first) {
        return Err(PathError::Outside(first));
    }
    let (mut cost, mut links) = (PathCost::default(), Vec::new());
    for (index, pair) in cells.windows(2).enumerate() {
        let (step, link) = move_cost(index, pair[0], pair[1], grid)?;
        cost = cost.plus(step);
        links.extend(link.map(|link| (index as u32, link)));
    }
    Ok((cost, links))
}

/// What the cheapest move from one cell of a way to the next costs, and which link it is, if it is one.
pub(crate) fn move_cost(
    index: usize,
    from: Cell,
    to: Cell,
    grid: &CostGrid,
) -> Result<(PathCost, Option<LinkId>), PathError> {
    let step = step_cost(grid, from, to);
    match (step, grid.link_between(from, to)) {
        (Some(step), None) => Ok((step, None)),
        (Some(step), Some((_, link))) if step.whole() <= u64::from(link.raw()) => Ok((step, None)),
        (_, Some((id, cost))) => {
            let links = u64::from(cost.raw() / Cost::STRAIGHT.raw());
            Ok((PathCost { links, ..PathCost::default() }, Some(id)))
        }
        (None, None) => Err(PathError::IllegalStep { index, from, to }),
    }
}

/// What one step costs; `None` if it is not legal.
pub(crate) fn step_cost(grid: &CostGrid, from: Cell, to: Cell) -> Option<PathCost> {
    let direction = grid.legal_step(from, to)?;
    let price = u64::from(grid.step_price(from, direction)?);
    let (straight, diagonal) = if direction.is_diagonal() { (0, price) } else { (price, 0) };
    Some(PathCost { straight, diagonal, links: 0 })
}

/// What a [`Path`] is read from: not trusted until every cell is a neighbour of the one before.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PathData {
    cells: Vec<Cell>,
    #[serde(default)]
    links: Vec<(u32, LinkId)>,
    cost: PathCost,
}

#[cfg(feature = "serde")]
impl TryFrom<PathData> for Path {
    type Error = PathError;

    fn try_from(PathData { cells, links, cost }: PathData) -> Result<Self, PathError> {
        if cells.is_empty() {
            return Err(PathError::Empty);
        }
        let in_order = links.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if let Some(&(at, _)) = links.last().filter(|&&(at, _)| !in_order || at as usize + 1 >= cells.len()) {
            return Err(PathError::MisplacedLink(at));
        }
        let is_link = |index| links.binary_search_by_key(&index, |&(at, _)| at as usize).is_ok();
        let mut pairs = cells.windows(2).enumerate();
        if let Some(index) = pairs
            .find_map(|(index, pair)| (pair[0].direction_to(pair[1]).is_none() && !is_link(index)).then_some(index))
        {
            return Err(PathError::IllegalStep { index, from: cells[index], to: cells[index + 1] });
        }
        Ok(Self { cells, links, cost })
    }
}
