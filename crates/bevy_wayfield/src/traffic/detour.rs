//! Short ways round others: searches in a window around a unit, by the rules and costs of its grid.

use wayfield::search::{Ending, Limits, Order, Search};
use wayfield::space::{Everything, Goal, Space};
use wayfield::{Cell, CellRect, Cost, CostGrid, Heuristic, NodeId, Tie};

use super::Traffic;
use crate::map::Tilemap;

/// How far a unit looks around, in cells.
const RADIUS: i32 = 10;

/// So many times dearer is a step to where somebody stands, and to where somebody moves.
const STANDING: u32 = 8;
const MOVING: u32 = 2;
/// And so is one against those who come along there.
const AGAINST: u32 = 3;

/// The memory of the searches.
#[derive(Default)]
pub struct Detours {
    search: Search,
    from_end: Search,
}

/// What others are to a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// As if they were not there.
    Ignored,
    /// In the way at a price.
    Dear,
    /// Those who stand are walls.
    Walls,
}

/// The cells around a unit.
struct Window<'a> {
    traffic: &'a Traffic,
    grid: &'a CostGrid,
    area: CellRect,
    /// Who looks.
    index: usize,
    others: Others,
    /// Whom it must not walk through at all.
    not_through: Option<usize>,
}

impl Window<'_> {
    fn node(&self, cell: Cell) -> Option<NodeId> {
        let columns = self.area.max.x - self.area.min.x + 1;
        let is_inside = self.area.contains(cell);
        is_inside.then(|| ((cell.y - self.area.min.y) * columns + cell.x - self.area.min.x) as NodeId)
    }

    fn cell(&self, node: NodeId) -> Cell {
        let columns = self.area.max.x - self.area.min.x + 1;
        let node = node as i32;
        Cell::new(self.area.min.x + node % columns, self.area.min.y + node / columns)
    }

    /// How many times dearer a step to a cell is than if nobody were there; `None` if it cannot be made.
    fn factor(&self, cell: Cell) -> Option<u32> {
        if self.others == Others::Ignored {
            return Some(1);
        }
        if self.grid.unit_size() == 1 {
            // The usual case, and the inner loop of the searches.
            return self.factor_of(self.traffic.holder(cell));
        }
        let holders = self.grid.footprint(cell).cells().map(|cell| self.traffic.holder(cell));
        holders.map(|other| self.factor_of(other)).try_fold(1, |most, factor| Some(most.max(factor?)))
    }

    /// How many times dearer a cell is for who holds it.
    fn factor_of(&self, holder: Option<usize>) -> Option<u32> {
        let Some(other) = holder.filter(|&other| other != self.index) else { return Some(1) };
        if self.not_through == Some(other) {
            return None;
        }
        match (self.others, self.traffic.walkers[other].stands) {
            (Others::Walls, true) => None,
            (Others::Dear, true) => Some(STANDING),
            _ => Some(MOVING),
        }
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.grid.footprint(cell).cells().all(|cell| self.traffic.holder(cell).is_none_or(|other| other == self.index))
    }
}

impl Space for Window<'_> {
    fn len(&self) -> usize {
        let (width, height) = (self.area.max.x - self.area.min.x + 1, self.area.max.y - self.area.min.y + 1);
        (width * height) as usize
    }

    fn expand(&self, node: NodeId, _: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        let cell = self.cell(node);
        for direction in self.grid.legal_moves(cell) {
            let next = cell.step(direction);
            let (Some(node), Some(cost)) = (self.node(next), self.grid.step_cost(cell, direction)) else { continue };
            if let Some(factor) = self.factor(next) {
                let is_against = self.others == Others::Dear && self.traffic.is_against(next, direction);
                let factor = if is_against { factor.max(AGAINST) } else { factor };
                visit(node, cost.saturating_mul(factor));
            }
        }
    }
}

/// A cell to go to.
struct ToCell<'a> {
    window: &'a Window<'a>,
    cell: Cell,
}

impl Goal for ToCell<'_> {
    fn is_goal(&self, node: NodeId) -> bool {
        self.window.cell(node) == self.cell
    }

    fn estimate(&self, node: NodeId) -> Cost {
        let distance = Heuristic::of_rule(self.window.grid.corner_rule()).estimate(self.window.cell(node), self.cell);
        distance.saturating_mul(self.window.grid.cheapest_cost())
    }
}

/// Any cell of a kind.
struct Any<F>(F);

impl<F: Fn(NodeId) -> bool> Goal for Any<F> {
    fn is_goal(&self, node: NodeId) -> bool {
        (self.0)(node)
    }

    fn estimate(&self, _: NodeId) -> Cost {
        Cost::ZERO
    }
}

impl Traffic {
    /// The window around a place, for a unit.
    fn window<'a>(&'a self, index: usize, tilemap: &'a Tilemap, others: Others) -> Option<Window<'a>> {
        let walker = &self.walkers[index];
        let grid: &CostGrid = tilemap.grid(walker.class)?;
        let area = CellRect::around(walker.cell, RADIUS).intersection(grid.size().rect())?;
        Some(Window { traffic: self, grid, area, index, others, not_through: None })
    }

    /// Searches with the memory that is kept for it.
    fn with_search<T>(&mut self, look: impl FnOnce(&Self, &mut Detours) -> T) -> T {
        let mut search = std::mem::take(&mut self.search);
        let found = look(self, &mut search);
        self.search = search;
        found
    }

    /// A way round whoever is in the way, from where the unit stands to as far along the rest of its way as the unit looks: its cells, the first one the
    /// unit's own, and how many cells of `rest` it takes the place of.
    pub fn way_round(&mut self, index: usize, rest: &[Cell], tilemap: &Tilemap) -> Option<(Vec<Cell>, usize)> {
        self.with_search(|traffic, search| {
            let window = traffic.window(index, tilemap, Others::Dear)?;
            let seen = rest.iter().take_while(|&&cell| window.area.contains(cell)).count();
            // To join it where somebody stands helps nobody, unless it ends there.
            let last = (0..seen).rev().find(|&at| at + 1 == rest.len() || window.factor(rest[at]) != Some(STANDING))?;
            let cells = window.walk(&mut search.search, *rest.get(last)?)?;
            Some((cells, last + 1))
        })
    }

    /// A free cell near the end of a way that a unit can get to without anybody moving: the way there, from where it stands.
    pub fn place_near(&mut self, index: usize, end: Cell, tilemap: &Tilemap) -> Option<Vec<Cell>> {
        self.with_search(|traffic, search| {
            let from_end = traffic.window(index, tilemap, Others::Ignored)?;
            let window = traffic.window(index, tilemap, Others::Walls)?;
            let source = window.node(end)?;
            let here = window.node(traffic.walkers[index].cell)?;
            let Detours { search, from_end: by_way } = search;
            by_way.begin(Order::DIJKSTRA, &from_end, &[(source, Cost::ZERO)], &Everything);
            by_way.run(&from_end, &Everything, Limits::NONE);
            search.begin(Order::DIJKSTRA, &window, &[(here, Cost::ZERO)], &Everything);
            search.run(&window, &Everything, Limits::NONE);
            let free = (0..window.len() as NodeId).filter(|&node| window.is_free(window.cell(node)));
            // Not all around the crowd for a place that is hardly any nearer.
            let effort = |node| Some(by_way.cost_to(node)?.raw().saturating_add(search.cost_to(node)?.raw() / 4));
            let (_, place) = free.filter_map(|node| Some((effort(node)?, node))).min()?;
            Some(window.trace(search, place))
        })
    }

    /// The first step to the nearest free cell, of a unit that has none.
    pub fn way_apart(&mut self, index: usize, tilemap: &Tilemap) -> Option<Cell> {
        self.with_search(|traffic, search| {
            let window = traffic.window(index, tilemap, Others::Dear)?;
            let here = window.node(traffic.walkers[index].cell)?;
            let goal = Any(|node| window.is_free(window.cell(node)));
            search.search.begin(Order::DIJKSTRA, &window, &[(here, Cost::ZERO)], &goal);
            match search.search.run(&window, &goal, Limits::NONE) {
                Ending::Found(place) => window.trace(&search.search, place).get(1).copied(),
                _ => None,
            }
        })
    }

    /// How many steps a unit is from a free cell that is not on another one's way, without passing that one.
    pub(super) fn refuge(&mut self, index: usize, from: usize, tilemap: &Tilemap) -> Option<usize> {
        if self.walkers[index].is_firm {
            return None;
        }
        self.with_search(|traffic, search| {
            let mut window = traffic.window(index, tilemap, Others::Dear)?;
            window.not_through = Some(from);
            let here = window.node(traffic.walkers[index].cell)?;
            let is_refuge = |node: NodeId| {
                let cell = window.cell(node);
                node != here && window.is_free(cell) && !traffic.is_ahead_of(from, index, cell, tilemap)
            };
            let goal = Any(is_refuge);
            search.search.begin(Order::DIJKSTRA, &window, &[(here, Cost::ZERO)], &goal);
            match search.search.run(&window, &goal, Limits::NONE) {
                Ending::Found(place) => Some(search.search.trace(place).count() - 1),
                _ => None,
            }
        })
    }
}

impl Window<'_> {
    /// The cheapest way from the unit to a cell.
    fn walk(&self, search: &mut Search, to: Cell) -> Option<Vec<Cell>> {
        let here = self.node(self.traffic.walkers[self.index].cell)?;
        let goal = ToCell { window: self, cell: to };
        search.begin(Order::a_star(Tie::HighG), self, &[(here, Cost::ZERO)], &goal);
        match search.run(self, &goal, Limits::NONE) {
            Ending::Found(place) => Some(self.trace(search, place)),
            _ => None,
        }
    }

    /// The cells of a way that was found, from the beginning.
    fn trace(&self, search: &Search, node: NodeId) -> Vec<Cell> {
        let mut cells: Vec<_> = search.trace(node).map(|node| self.cell(node)).collect();
        cells.reverse();
        cells
    }
}
