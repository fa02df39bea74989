//! A path that is kept up to date: LPA* and D* Lite on a map that is edited.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::{Cell, CellRect, GridSize};
use crate::heuristic::Heuristic;
use crate::incremental::IncrementalSearch;
use crate::link_bounds::LinkBounds;
use crate::map::{Dirty, OutsideMap};
use crate::path::Path;
use crate::search::{Ending, Limits, Stats};
use crate::space::{Goal, NodeId, Reverse, Reversible, Space};
use crate::terrain::CornerRule;

/// From which end a [`Replanner`] searches, and so which end may move at little cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ReplanMethod {
    /// LPA* (Koenig, Likhachev, Furcy 2004): from the start. The goal may move.
    LpaStar,
    /// D* Lite (Koenig, Likhachev 2002): from the goal. The start may move, as that of a unit under way does.
    #[default]
    DStarLite,
}

impl ReplanMethod {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LpaStar, Self::DStarLite];

    /// The name, as for algorithms: `lpa_star` or `d_star_lite`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LpaStar => "lpa_star",
            Self::DStarLite => "d_star_lite",
        }
    }
}

/// One question for a path that stays asked while the map is edited and the unit walks.
///
/// After every change the cost is that of a fresh A*, to the last unit; a small edit takes far fewer expansions.
/// Cells may get dearer, cheaper, closed or open, in batches of any size, also while a run is paused. As for every search, the
/// start may be a forbidden cell: it is left, not entered.
///
/// A grid of another size, class, unit size or revision than the latest one it was told of makes it begin anew:
/// that is never wrong, but no longer cheap.
///
/// Memory: 16 bytes a cell, and 16 more for each cell on the open list.
///
/// ```
/// use wayfield::search::{Ending, Limits};
/// use wayfield::{parse_map, Cell, CostGrid, ReplanMethod, Replanner, TerrainId};
///
/// let mut text = parse_map(b"...#...\n.......\n...#...\n...#...\n.......\n")?;
/// let class = text.default_class();
/// let mut grid = CostGrid::new(&text.terrain, &class);
/// let (plain, wall) = (text.terrain.terrain(Cell::new(0, 0)).unwrap(), text.terrain.terrain(Cell::new(3, 0)).unwrap());
///
/// let mut replanner = Replanner::default();
/// replanner.begin(&grid, ReplanMethod::DStarLite, Cell::new(0, 1), Cell::new(6, 1))?;
/// assert!(matches!(replanner.run(&grid, Limits::NONE), Ending::Found(_)));
/// assert_eq!(replanner.path(&grid).unwrap().cost().units(), 6.0);
///
/// // The unit has walked two cells when the gap closes.
/// replanner.move_start(&grid, Cell::new(2, 1))?;
/// text.terrain.edit([(Cell::new(3, 1), wall)])?;
/// let dirty = grid.refresh(&text.terrain, &class);
/// replanner.refresh(&grid, dirty)?;
/// assert!(matches!(replanner.run(&grid, Limits::NONE), Ending::Found(_)));
/// assert!(replanner.path(&grid).unwrap().cells().contains(&Cell::new(3, 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Replanner {
    search: IncrementalSearch,
    question: Option<Question>,
    /// What links save on the way to where the search spreads to.
    bounds: LinkBounds,
}

/// What is asked, and of what grid.
#[derive(Clone, Copy, Debug)]
struct Question {
    method: ReplanMethod,
    start: Cell,
    goal: Cell,
    size: GridSize,
    corner_rule: CornerRule,
    /// The class and the unit size of the grid.
    kind: u64,
    revision: u64,
    /// The least entering cost that the estimates count with.
    cheapest: u32,
    /// Whether a run has ended at the goal since the latest change.
    found: bool,
}

impl Replanner {
    /// Asks for the way from `start` to `goal`; whatever was asked before is forgotten.
    ///
    /// # Errors
    /// If start or goal is outside the map; then nothing is asked any more.
    pub fn begin(&mut self, grid: &CostGrid, method: ReplanMethod, start: Cell, goal: Cell) -> Result<(), OutsideMap> {
        self.question = None;
        let size = grid.size();
        let node = |cell| size.index(cell).ok_or(OutsideMap { cell, size });
        let (from, to) = (node(start)?, node(goal)?);
        let question = Question {
            method,
            start,
            goal,
            size,
            corner_rule: grid.corner_rule(),
            kind: grid.kind(),
            revision: grid.revision(),
            cheapest: grid.cheapest_cost(),
            found: false,
        };
        let space = FromStart::new(grid, from);
        self.bounds = question.link_bounds(grid);
        let goal = Estimates { question: &question, bounds: &self.bounds };
        match method {
            ReplanMethod::LpaStar => self.search.begin(&space, from, to, &goal),
            ReplanMethod::DStarLite => self.search.begin(&Reverse(&space), to, from, &goal),
        }
        self.question = Some(question);
        Ok(())
    }

    /// Takes an edit in: `grid` as it is now, and the cells that a [`Change`](crate::Change) names: those whose terrain or
    /// height is another one, those beside a fence that came or went, and the ends of links that did.
    ///
    /// Time: O(k log n) for k cells, times the n x n cells of a unit, and O(l log k) for the l links of the map; no expansion:
    /// [`Replanner::run`] does what is to be done.
    ///
    /// # Errors
    /// If a cell is outside the map, and nothing was taken in; or the map has another size and does not hold start and goal any more.
    pub fn update(&mut self, grid: &CostGrid, changed: impl IntoIterator<Item = Cell>) -> Result<(), OutsideMap> {
        let Some(mut question) = self.question else { return Ok(()) };
        let size = grid.size();
        if size != question.size || grid.kind() != question.kind {
            return self.begin(grid, question.method, question.start, question.goal);
        }
        // Whether a step is legal and what it costs depends on the cells around either end, sides of a
        // diagonal included. So the steps that changed end, and begin, within one cell of a changed one.
        let mut nodes = Vec::new();
        for cell in changed {
            size.index(cell).ok_or(OutsideMap { cell, size })?;
            let around = grid.anchors_over(CellRect::new(cell, cell)).grown(1).intersection(size.rect());
            nodes.extend(around.into_iter().flat_map(CellRect::cells).filter_map(|cell| size.index(cell)));
        }
        nodes.sort_unstable();
        // Whether a link can be taken depends on both its ends.
        let is_near = |node: NodeId| nodes.binary_search(&node).is_ok();
        let ends = grid.links().ends().iter().filter(|&&(from, to)| is_near(from) || is_near(to));
        let ends: Vec<_> = ends.flat_map(|&(from, to)| [from, to]).collect();
        nodes.extend(ends);
        nodes.sort_unstable();
        nodes.dedup();

        question.revision = grid.revision();
        question.found = false;
        let cheapest = std::mem::replace(&mut question.cheapest, grid.cheapest_cost());
        let bounds = std::mem::replace(&mut self.bounds, question.link_bounds(grid));
        if question.cheapest != cheapest || self.bounds != bounds {
            self.search.change_estimates(&Estimates { question: &question, bounds: &self.bounds });
        }
        self.question = Some(question);
        self.look_at(grid, question, nodes);
        Ok(())
    }

    /// As [`Replanner::update`], with what [`CostGrid::refresh`] returned.
    ///
    /// # Errors
    /// If the map has another size and does not hold start and goal any more.
    pub fn refresh(&mut self, grid: &CostGrid, dirty: Dirty) -> Result<(), OutsideMap> {
        let Some(question) = self.question else { return Ok(()) };
        match dirty {
            Dirty::Nothing if question.revision == grid.revision() => Ok(()),
            Dirty::Nothing => self.update(grid, []),
            Dirty::Within(area) => {
                let area = area.intersection(grid.size().rect());
                self.update(grid, area.into_iter().flat_map(CellRect::cells))
            }
            Dirty::Everything => self.begin(grid, question.method, question.start, question.goal),
        }
    }

    /// Moves the start, for a unit under way. Cheap for D* Lite; LPA* begins anew.
    ///
    /// # Errors
    /// If the cell is outside the map; then the start stays where it was.
    pub fn move_start(&mut self, grid: &CostGrid, start: Cell) -> Result<(), OutsideMap> {
        let Some(mut question) = self.question else { return Ok(()) };
        let size = grid.size();
        let node = size.index(start).ok_or(OutsideMap { cell: start, size })?;
        if start == question.start {
            return Ok(());
        }
        if question.method == ReplanMethod::LpaStar || !question.is_about(grid) {
            return self.begin(grid, question.method, start, question.goal);
        }
        let old = self.search.target();
        self.search.move_target(node, question.distance(question.start, start));
        question.start = start;
        question.found = false;
        self.question = Some(question);
        self.bounds = question.link_bounds(grid);
        // A forbidden cell has steps out of it only while it is the start.
        self.look_at(grid, question, [old, node]);
        Ok(())
    }

    /// Moves the goal. Cheap for LPA*; D* Lite begins anew.
    ///
    /// # Errors
    /// If the cell is outside the map; then the goal stays where it was.
    pub fn move_goal(&mut self, grid: &CostGrid, goal: Cell) -> Result<(), OutsideMap> {
        let Some(mut question) = self.question else { return Ok(()) };
        let size = grid.size();
        let node = size.index(goal).ok_or(OutsideMap { cell: goal, size })?;
        if goal == question.goal {
            return Ok(());
        }
        if question.method == ReplanMethod::DStarLite || !question.is_about(grid) {
            return self.begin(grid, question.method, question.start, goal);
        }
        self.search.move_target(node, question.distance(question.goal, goal));
        question.goal = goal;
        question.found = false;
        self.question = Some(question);
        self.bounds = question.link_bounds(grid);
        Ok(())
    }

    /// Searches until the cheapest way is known or a limit is reached; after a pause, goes on.
    ///
    /// [`Ending::Exhausted`] means that there is no way; that is known from components, without an expansion.
    /// The cap counts the expansions since the latest beginning, edit or move.
    pub fn run(&mut self, grid: &CostGrid, limits: Limits) -> Ending {
        if let Some(question) = self.question
            && !question.is_about(grid)
            && self.begin(grid, question.method, question.start, question.goal).is_err()
        {
            return Ending::Exhausted;
        }
        let Some(mut question) = self.question else { return Ending::Exhausted };
        if !grid.is_reachable(question.start, question.goal) {
            return Ending::Exhausted;
        }
        let Some(start) = question.size.index(question.start) else { return Ending::Exhausted };
        let space = FromStart::new(grid, start);
        let goal = Estimates { question: &question, bounds: &self.bounds };
        let ending = match question.method {
            ReplanMethod::LpaStar => self.search.run(&space, &goal, limits),
            ReplanMethod::DStarLite => self.search.run(&Reverse(&space), &goal, limits),
        };
        question.found = matches!(ending, Ending::Found(_));
        self.question = Some(question);
        ending
    }

    /// The node that the next expansion of a run is of; `None` if it has none to make, or nothing is asked.
    ///
    /// Of no use after an edit that it was not told of.
    pub fn next_expansion(&mut self) -> Option<NodeId> {
        let question = self.question?;
        self.search.next_expansion(&Estimates { question: &question, bounds: &self.bounds })
    }

    /// The cheapest path, once a run has found it; `None` before, and if the grid is not the one it was found on.
    pub fn path(&self, grid: &CostGrid) -> Option<Path> {
        let question = self.question.filter(|question| question.found && question.is_about(grid))?;
        let space = FromStart::new(grid, question.size.index(question.start)?);
        let cell = |node| question.size.cell(node);
        let cells = match question.method {
            ReplanMethod::LpaStar => {
                let mut cells: Vec<_> = self.search.trace(&space).map(cell).collect();
                cells.reverse();
                cells
            }
            ReplanMethod::DStarLite => self.search.trace(&Reverse(&space)).map(cell).collect(),
        };
        Path::new(cells, grid).ok().filter(|path| path.start() == Some(question.start))
    }

    /// The cost in whole fixed-point units, once a run has found the way.
    pub fn cost(&self) -> Option<Cost> {
        self.question.filter(|question| question.found).and_then(|_| self.search.cost())
    }

    /// What was done since the latest beginning, edit or move.
    pub fn stats(&self) -> Stats {
        self.search.stats()
    }

    /// The start and the goal asked for.
    pub fn ends(&self) -> Option<(Cell, Cell)> {
        self.question.map(|question| (question.start, question.goal))
    }

    /// The revision of the map that it was last told of.
    pub fn revision(&self) -> Option<u64> {
        self.question.map(|question| question.revision)
    }

    /// The search itself, for looking at its open list and its g and rhs.
    pub fn search(&self) -> &IncrementalSearch {
        &self.search
    }

    fn look_at(&mut self, grid: &CostGrid, question: Question, nodes: impl IntoIterator<Item = NodeId>) {
        let Some(start) = question.size.index(question.start) else { return };
        let space = FromStart::new(grid, start);
        let goal = Estimates { question: &question, bounds: &self.bounds };
        match question.method {
            ReplanMethod::LpaStar => self.search.update(&space, &goal, nodes),
            ReplanMethod::DStarLite => self.search.update(&Reverse(&space), &goal, nodes),
        }
    }
}

impl Question {
    fn is_about(&self, grid: &CostGrid) -> bool {
        (self.size, self.kind, self.revision) == (grid.size(), grid.kind(), grid.revision())
    }

    /// What the way between two cells costs at least; the same in both directions.
    fn distance(&self, one: Cell, other: Cell) -> Cost {
        Heuristic::of_rule(self.corner_rule).estimate(one, other).saturating_mul(self.cheapest)
    }

    /// What the way between a node and where the search spreads to costs at least, without links.
    #[inline]
    fn plain_estimate(&self, node: NodeId) -> Cost {
        let target = match self.method {
            ReplanMethod::LpaStar => self.goal,
            ReplanMethod::DStarLite => self.start,
        };
        self.distance(self.size.cell(node), target)
    }

    fn link_bounds(&self, grid: &CostGrid) -> LinkBounds {
        if grid.links().is_empty() {
            return LinkBounds::default();
        }
        let reversed = self.method == ReplanMethod::DStarLite;
        LinkBounds::new(grid, reversed, |node| self.plain_estimate(node), |one, other| self.distance(one, other))
    }
}

/// The estimates of a question on a grid whose links save this much.
struct Estimates<'a> {
    question: &'a Question,
    bounds: &'a LinkBounds,
}

impl Goal for Estimates<'_> {
    fn is_goal(&self, _node: NodeId) -> bool {
        false
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        let plain = self.question.plain_estimate(node);
        self.bounds.lower(node, plain, |one, other| self.question.distance(one, other))
    }
}

/// A grid on which the start may be left although it is forbidden, and no other forbidden cell.
struct FromStart<'a> {
    grid: &'a CostGrid,
    start: NodeId,
    is_walled: bool,
}

impl<'a> FromStart<'a> {
    fn new(grid: &'a CostGrid, start: NodeId) -> Self {
        Self { grid, start, is_walled: !grid.is_open(start) }
    }
}

impl Space for FromStart<'_> {
    fn len(&self) -> usize {
        self.grid.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, visit: impl FnMut(NodeId, Cost)) {
        if node == self.start || self.grid.is_open(node) {
            self.grid.expand(node, parent, visit);
        }
    }
}

impl Reversible for FromStart<'_> {
    #[inline]
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.grid.expand_back(node, &mut visit);
        if self.is_walled {
            let steps = self.grid.steps(self.start).filter(|&(next, _)| next == node);
            steps.for_each(|(_, cost)| visit(self.start, cost));
        }
    }
}
