//! The front door: ask for a path by algorithm, get a typed answer.
//!
//! The order of the checks is fixed:
//! 1. A cell outside the map is a [`QueryError`]; all that follows is an [`Answer`].
//! 2. [`Reason::GoalBlocked`], if the goal cannot be entered. The start is not asked: a unit in a wall may leave.
//! 3. Start equals goal: found, one cell, cost 0, no expansion.
//! 4. [`Reason::StartBlocked`], if the start is in a wall and has no legal first step;
//!    [`Reason::Unreachable`], if the components say so. No expansion either way.
//! 5. The search: found, [`Reason::CapReached`] or [`Reason::CostOverflow`].
//!
//! [`PathQuery::allow_partial`] and [`PathQuery::nearest`] turn a failure into a path that ends as near as possible.
//! Where that is looked for although the goal is out of reach, there is no single goal to jump to or to search back
//! from: instead of a bidirectional algorithm, jump points, HPA*, LPA* or D* Lite the
//! [sibling from the start only](Algorithm::from_the_start_only) runs, and the answer says so. LPA* and D* Lite never
//! search for a partial path; HPA* that gives up ends where its way, or its search near the start, has come nearest to the goal.

mod way;

use std::fmt;

use crate::algorithm::{Algorithm, Weight};
use crate::bidirectional::{BidirectionalSearch, Side};
use crate::canonical::CanonicalSpace;
use crate::cost::{Cost, PathCost};
use crate::cost_grid::CostGrid;
use crate::grid::{Cell, GridSize};
use crate::heuristic::Heuristic;
use crate::hierarchical_search::HierarchicalSearch;
use crate::jump_point::JumpSpace;
use crate::link_bounds::LinkBounds;
use crate::nearest::nearest_cell;
use crate::path::Path;
use crate::replan::{ReplanMethod, Replanner};
use crate::search::{Ending, Limits, Order, Search, Stats, Tie};
use crate::space::NodeId;
use crate::target::{Target, Toward};
use way::without_loops;

/// A question for a path.
///
/// ```
/// use wayfield::{Algorithm, Cell, PathQuery};
/// let query = PathQuery { algorithm: Algorithm::Dijkstra, ..PathQuery::new(Cell::new(0, 0), Cell::new(9, 4)) };
/// assert_eq!(query.max_expansions, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathQuery {
    /// Where the path starts; may be in a wall.
    pub start: Cell,
    /// Where it is to end.
    pub goal: Cell,
    /// How to search.
    pub algorithm: Algorithm,
    /// The estimate of the informed algorithms; `None` takes the best admissible one of the corner rule.
    pub heuristic: Option<Heuristic>,
    /// The weight of the estimate in weighted A*.
    pub weight: Weight,
    /// Which of equally promising nodes A* of either kind and weighted A* expand first.
    pub tie: Tie,
    /// The cap on expansions.
    pub max_expansions: Option<u64>,
    /// Whether to answer a failed search with the way to the expanded cell that is nearest to the goal.
    pub allow_partial: bool,
    /// Whether to go to the reachable cell nearest to a goal that is blocked or unreachable.
    pub nearest: bool,
}

impl PathQuery {
    /// The plain question: whichever algorithm suits it, no cap, the goal or nothing.
    pub const fn new(start: Cell, goal: Cell) -> Self {
        Self {
            start,
            goal,
            algorithm: Algorithm::Auto,
            heuristic: None,
            weight: Weight::DEFAULT,
            tie: Tie::HighG,
            max_expansions: None,
            allow_partial: false,
            nearest: false,
        }
    }

    /// What the search estimates the way from a cell to the goal to cost, links left out: the h of its priorities.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, PathQuery};
    /// let map = parse_map(b"2222\n2222\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(3, 0));
    /// assert_eq!(query.estimate(&grid, query.start).to_units(), 6.0);
    /// # Ok::<(), wayfield::TextError>(())
    /// ```
    pub fn estimate(&self, grid: &CostGrid, cell: Cell) -> Cost {
        self.heuristic_on(grid).estimate(cell, self.goal).saturating_mul(grid.cheapest_cost())
    }

    /// The heuristic of the search on a grid: its own, or the best admissible one of the grid's corner rule.
    pub fn heuristic_on(&self, grid: &CostGrid) -> Heuristic {
        self.heuristic.unwrap_or(Heuristic::of_rule(grid.corner_rule()))
    }
}

/// A question about cells that the map does not have, or about none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The start is outside the map.
    #[error("the start {cell} is outside the map of {} x {}", size.width(), size.height())]
    StartOutOfBounds {
        /// The start.
        cell: Cell,
        /// The size of the map.
        size: GridSize,
    },
    /// The goal is outside the map.
    #[error("the goal {cell} is outside the map of {} x {}", size.width(), size.height())]
    GoalOutOfBounds {
        /// The goal.
        cell: Cell,
        /// The size of the map.
        size: GridSize,
    },
    /// A [`ClosestQuery`](crate::ClosestQuery) has no goal at all.
    #[error("there is no goal to choose the closest of")]
    NoGoals,
}

/// Why there is no path to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Reason {
    /// The goal cannot be entered.
    GoalBlocked,
    /// The start is in a wall and has no legal first step.
    StartBlocked,
    /// There is no way, and that is known for certain.
    Unreachable,
    /// The search gave up at its cap on expansions: there may be a way.
    CapReached,
    /// Every way costs more than can be counted.
    CostOverflow,
    /// The search was broken off.
    Cancelled,
    /// The start or the goal is outside the map. [`find_path`] says so with a [`QueryError`];
    /// this is for front doors that cannot return an error, such as a game plugin's.
    OutOfBounds,
    /// There were too many questions at once. For front doors that queue them.
    QueueFull,
    /// The search panicked, which is a bug. For front doors that go on all the same.
    Panicked,
    /// There is no such movement class. For front doors that know several.
    UnknownClass,
    /// What the goal was is gone. This, too, is for front doors, whose goals may be things that come and go.
    TargetLost,
}

impl Reason {
    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GoalBlocked => "goal_blocked",
            Self::StartBlocked => "start_blocked",
            Self::Unreachable => "unreachable",
            Self::CapReached => "cap_reached",
            Self::CostOverflow => "cost_overflow",
            Self::Cancelled => "cancelled",
            Self::OutOfBounds => "out_of_bounds",
            Self::QueueFull => "queue_full",
            Self::Panicked => "panicked",
            Self::UnknownClass => "unknown_class",
            Self::TargetLost => "target_lost",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a question ended; never one value for two endings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// A path to the goal.
    Found(Path),
    /// A path that ends nearer to the goal, and why it does not reach it.
    Partial(Path, Reason),
    /// No path, and why.
    Failed(Reason),
}

impl Outcome {
    /// The path, whole or partial.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path) | Self::Partial(path, _) => Some(path),
            Self::Failed(_) => None,
        }
    }

    /// Why the goal is not reached.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Found(_) => None,
            Self::Partial(_, reason) | Self::Failed(reason) => Some(*reason),
        }
    }
}

/// The answer to a [`PathQuery`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// The path or the reason.
    pub outcome: Outcome,
    /// The algorithm that really ran.
    pub algorithm: Algorithm,
    /// What the search did.
    pub stats: Stats,
    /// The revision of the map that the answer holds for.
    pub revision: u64,
}

impl Answer {
    /// The exact cost of the path, if there is one.
    pub fn cost(&self) -> Option<PathCost> {
        self.outcome.path().map(Path::cost)
    }
}

/// Answers one question with memory of its own. For many questions keep a [`PathSearch`].
///
/// Time: O(n log n) in the cells expanded. Same input, same answer, bit for bit.
///
/// ```
/// use wayfield::{find_path, parse_map, Cell, CostGrid, Outcome, PathQuery, Reason};
/// let map = parse_map(b"..#..\n.##..\n...9.\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let answer = find_path(&grid, &PathQuery::new(Cell::new(0, 0), Cell::new(4, 0)))?;
/// assert!(matches!(answer.outcome, Outcome::Found(_)));
/// assert!((answer.cost().unwrap().units() - 15.414214).abs() < 1e-6);
/// let answer = find_path(&grid, &PathQuery::new(Cell::new(0, 0), Cell::new(2, 0)))?;
/// assert_eq!(answer.outcome, Outcome::Failed(Reason::GoalBlocked));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If start or goal is outside the map.
pub fn find_path(grid: &CostGrid, query: &PathQuery) -> Result<Answer, QueryError> {
    PathSearch::default().find(grid, query)
}

/// Answers questions one after the other, each at once or in slices; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct PathSearch {
    /// A search in one direction uses its forward side only.
    sides: BidirectionalSearch,
    replanner: Replanner,
    hierarchical: HierarchicalSearch,
    /// What links save on the way to the goal, and back to the start.
    bounds: (LinkBounds, LinkBounds),
    /// What the last search ran on.
    engine: Engine,
    running: Option<Running>,
    /// The jump points of the last way.
    points: Vec<Cell>,
    /// Memory for the cells of the next path.
    spare: Vec<Cell>,
}

/// What searches for an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Engine {
    /// One [`Search`] over the cells.
    #[default]
    OneWay,
    /// The same in a canonical order, if the grid has one.
    Canonical,
    /// Two of them.
    BothEnds,
    /// One over the jump points.
    Jumps,
    /// A [`HierarchicalSearch`].
    Hierarchy,
    /// A [`Replanner`].
    Incremental(ReplanMethod),
}

impl Engine {
    fn of(algorithm: Algorithm) -> Self {
        match algorithm.replan_method() {
            Some(method) => Self::Incremental(method),
            None if algorithm.is_bidirectional() => Self::BothEnds,
            None if algorithm == Algorithm::Jps => Self::Jumps,
            None if algorithm == Algorithm::HpaStar => Self::Hierarchy,
            None => Self::OneWay,
        }
    }
}

/// A question whose search has begun.
#[derive(Clone, Copy, Debug)]
struct Running {
    query: PathQuery,
    /// What really runs.
    algorithm: Algorithm,
    target: Target,
    /// What the backward side looks for.
    origin: Target,
    /// Why the goal itself cannot be reached, if another cell is looked for.
    reason: Option<Reason>,
    revision: u64,
    /// The class and the unit size of the grid.
    kind: u64,
}

impl PathSearch {
    /// Answers a question at once.
    ///
    /// # Errors
    /// If start or goal is outside the map.
    pub fn find(&mut self, grid: &CostGrid, query: &PathQuery) -> Result<Answer, QueryError> {
        let mut answer = self.begin(grid, query)?;
        loop {
            match answer {
                Some(answer) => return Ok(answer),
                None => answer = self.advance(grid, u64::MAX),
            }
        }
    }

    /// Answers a question at once, in place of an answer that is no longer needed, whose memory is used again: asked over and
    /// over, A* and jump points allocate nothing.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, PathQuery, PathSearch};
    /// let map = parse_map(b".....\n.###.\n.....\n")?;
    /// let grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let mut search = PathSearch::default();
    /// let mut answer = search.find(&grid, &PathQuery::new(Cell::new(0, 1), Cell::new(4, 1)))?;
    /// search.find_into(&grid, &PathQuery::new(Cell::new(0, 0), Cell::new(4, 0)), &mut answer)?;
    /// assert_eq!(answer.cost().unwrap().units(), 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If start or goal is outside the map; then the old answer has failed as [`Reason::OutOfBounds`].
    pub fn find_into(&mut self, grid: &CostGrid, query: &PathQuery, answer: &mut Answer) -> Result<(), QueryError> {
        let old = std::mem::replace(&mut answer.outcome, Outcome::Failed(Reason::OutOfBounds));
        if let Outcome::Found(path) | Outcome::Partial(path, _) = old {
            self.spare = path.into_cells();
        }
        *answer = self.find(grid, query)?;
        Ok(())
    }

    /// Begins a question, and answers it if that takes no search. Whatever was running is forgotten.
    ///
    /// # Errors
    /// If start or goal is outside the map.
    pub fn begin(&mut self, grid: &CostGrid, query: &PathQuery) -> Result<Option<Answer>, QueryError> {
        self.running = None;
        let size = grid.size();
        let start = size.index(query.start).ok_or(QueryError::StartOutOfBounds { cell: query.start, size })?;
        let goal = size.index(query.goal).ok_or(QueryError::GoalOutOfBounds { cell: query.goal, size })?;

        let (mut algorithm, mut tie) = (query.algorithm.chosen_for(grid), query.tie);
        let at_once =
            |outcome| Ok(Some(Answer { outcome, algorithm, stats: Stats::default(), revision: grid.revision() }));
        let reason = if !grid.is_passable(query.goal) {
            Some(Reason::GoalBlocked)
        } else if start == goal {
            let mut cells = std::mem::take(&mut self.spare);
            cells.clear();
            cells.push(query.start);
            return at_once(Outcome::Found(Path::walked(cells, grid)));
        } else if grid.reachable_components(query.start).next().is_none() {
            Some(Reason::StartBlocked)
        } else if !grid.is_reachable(query.start, query.goal) {
            Some(Reason::Unreachable)
        } else {
            None
        };

        let mut target = Target::new(grid, query.goal, goal, query.heuristic_on(grid));
        target.remember_closest = query.allow_partial;
        let origin = target.at(start);
        if let Some(reason) = reason {
            if !query.allow_partial && !query.nearest {
                return at_once(Outcome::Failed(reason));
            }
            let mut reachable: Vec<_> = grid.reachable_components(query.start).collect();
            reachable.sort_unstable();
            let is_reachable = |cell| grid.component(cell).is_some_and(|label| reachable.binary_search(&label).is_ok());
            match nearest_cell(size, query.goal, target.distance, is_reachable) {
                None => return at_once(Outcome::Failed(reason)),
                Some((distance, _)) => target.set_ring(distance),
            }
            target.never = (!grid.is_passable(query.start)).then_some(start);
            // Among equally near cells the cheapest comes first, then the one with the lower
            // index: all cells of that cost must be on the open list before one is expanded.
            tie = Tie::LowG;
            algorithm = algorithm.from_the_start_only();
        }
        if query.allow_partial && algorithm.replan_method().is_some() {
            // The replanner does not know the cell nearest to the goal.
            algorithm = algorithm.from_the_start_only();
        }
        if algorithm == Algorithm::Jps && grid.has_edge_factors() {
            // What a jump costs would depend on every cell that it runs over.
            algorithm = algorithm.from_the_start_only();
        }
        if algorithm == Algorithm::HpaStar && grid.hierarchy().is_none() {
            algorithm = algorithm.from_the_start_only();
        }
        // Which of the cells nearest to the goal is the answer takes an exact order.
        let is_rough = query.algorithm == Algorithm::Auto && algorithm == Algorithm::AStar && reason.is_none();
        let order = if is_rough { Order::Bucketed } else { algorithm.order(query.weight, tie) };
        self.engine = if is_rough { Engine::Canonical } else { Engine::of(algorithm) };
        let from_start = [(start, Cost::ZERO)];
        let Self { bounds, sides, hierarchical, .. } = self;
        bounds.0 = target.link_bounds(grid, false);
        match self.engine {
            Engine::BothEnds => bounds.1 = origin.link_bounds(grid, true),
            Engine::Hierarchy => bounds.1 = LinkBounds::of_any_target(grid),
            _ => {}
        }
        let (target, origin) = (Toward { target, bounds: &bounds.0 }, Toward { target: origin, bounds: &bounds.1 });
        match self.engine {
            Engine::OneWay | Engine::Canonical => sides.forward.begin(order, grid, &from_start, &target),
            Engine::BothEnds => sides.begin(order, grid, (start, goal), &target, &origin),
            Engine::Jumps => {
                sides.forward.begin(order, &JumpSpace::new(grid, query.goal), &from_start, &target);
            }
            Engine::Hierarchy => {
                let others = Toward { target: target.target, bounds: &bounds.1 };
                hierarchical.begin(grid, (start, goal), |node| target.or_at(node, others));
            }
            Engine::Incremental(method) => {
                let begun = self.replanner.begin(grid, method, query.start, query.goal);
                debug_assert!(begun.is_ok(), "both ends were looked at above");
            }
        }
        let (target, origin) = (target.target, origin.target);
        self.running = Some(Running {
            query: *query,
            algorithm,
            target,
            origin,
            reason,
            revision: grid.revision(),
            kind: grid.kind(),
        });
        Ok(None)
    }

    /// Goes on with the question for up to `expansions` expansions; `None` means that it needs more.
    ///
    /// `grid` must be the one the question began with. If it is of another revision, size, class or unit size, or
    /// nothing was begun, the answer is [`Reason::Cancelled`].
    pub fn advance(&mut self, grid: &CostGrid, expansions: u64) -> Option<Answer> {
        let Some(running) = self.running else {
            return Some(Answer {
                outcome: Outcome::Failed(Reason::Cancelled),
                algorithm: Algorithm::default(),
                stats: Stats::default(),
                revision: grid.revision(),
            });
        };
        let Running { query, algorithm, target, origin, reason, revision, kind } = running;
        let is_same = (revision, kind, target.size) == (grid.revision(), grid.kind(), grid.size());
        let outcome = if !is_same || self.engine == Engine::Hierarchy && grid.hierarchy().is_none() {
            Outcome::Failed(Reason::Cancelled)
        } else {
            let limits = Limits { cap: query.max_expansions.unwrap_or(u64::MAX), slice: expansions };
            let Self { bounds, sides, hierarchical, .. } = self;
            let target = Toward { target, bounds: &bounds.0 };
            let origin = Toward { target: origin, bounds: &bounds.1 };
            let ending = match self.engine {
                Engine::OneWay => sides.forward.run(grid, &target, limits),
                Engine::Canonical => match CanonicalSpace::new(grid) {
                    Some(cells) => sides.forward.run(&cells, &target, limits),
                    None => sides.forward.run(grid, &target, limits),
                },
                Engine::BothEnds => sides.run(grid, &target, &origin, limits),
                Engine::Jumps => sides.forward.run(&JumpSpace::new(grid, query.goal), &target, limits),
                Engine::Hierarchy => match grid.hierarchy() {
                    Some(hierarchy) => {
                        let others = Toward { target: target.target, bounds: &bounds.1 };
                        hierarchical.run(hierarchy, grid, |node| target.or_at(node, others), limits)
                    }
                    // It was there at the beginning: this is another grid.
                    None => Ending::Exhausted,
                },
                Engine::Incremental(_) => self.replanner.run(grid, limits),
            };
            let mut broken_off = |why| {
                let path = if query.allow_partial { self.path_to_closest(grid) } else { None };
                path.map_or(Outcome::Failed(why), |path| Outcome::Partial(path, why))
            };
            match ending {
                Ending::Paused => return None,
                Ending::Found(node) => {
                    let path = match self.engine {
                        Engine::OneWay | Engine::Canonical | Engine::Jumps => Some(self.path_to(node, grid)),
                        Engine::Hierarchy => Some(path_along(without_loops(self.hierarchical.way()), grid)),
                        Engine::BothEnds => Some(path_along(self.sides.path(), grid)),
                        Engine::Incremental(_) => self.replanner.path(grid),
                    };
                    match (path, reason) {
                        (Some(path), None) => Outcome::Found(path),
                        (Some(path), Some(reason)) => Outcome::Partial(path, reason),
                        // The replanner has no path on another grid than it ran on.
                        (None, _) => Outcome::Failed(Reason::Cancelled),
                    }
                }
                Ending::CapReached => broken_off(Reason::CapReached),
                Ending::CostOverflow => broken_off(Reason::CostOverflow),
                Ending::Exhausted => broken_off(Reason::Unreachable),
            }
        };
        self.running = None;
        Some(Answer { outcome, algorithm, stats: self.stats(), revision })
    }

    /// The node that [`PathSearch::advance`] expands next, for whoever watches; `None` once the search is over.
    ///
    /// Changes nothing that shows. Of a bidirectional search it may be on either side.
    pub fn next_expansion(&mut self, grid: &CostGrid) -> Option<NodeId> {
        let Running { target, origin, .. } = self.running?;
        let Self { bounds, sides, hierarchical, .. } = self;
        let target = Toward { target, bounds: &bounds.0 };
        let origin = Toward { target: origin, bounds: &bounds.1 };
        match self.engine {
            Engine::OneWay | Engine::Canonical | Engine::Jumps => sides.forward.peek().map(|(_, node)| node),
            Engine::BothEnds => sides.next_expansion(&target, &origin),
            Engine::Hierarchy => {
                let others = Toward { target: target.target, bounds: &bounds.1 };
                hierarchical.next_expansion(grid.hierarchy()?, grid, |node| target.or_at(node, others))
            }
            Engine::Incremental(_) => self.replanner.next_expansion(),
        }
    }

    /// What the last search that began did so far, on both sides if it has two.
    pub fn stats(&self) -> Stats {
        match self.engine {
            Engine::OneWay | Engine::Canonical | Engine::Jumps => self.search().stats(),
            Engine::BothEnds => self.sides.stats(),
            Engine::Hierarchy => self.hierarchical.stats(),
            Engine::Incremental(_) => self.replanner.stats(),
        }
    }

    /// The search from the start, for looking at its open and closed nodes; not of LPA* and D* Lite.
    pub fn search(&self) -> &Search {
        if self.engine == Engine::Hierarchy { self.hierarchical.search() } else { &self.sides.forward }
    }

    /// The hierarchical search, if the algorithm is HPA*: what it knows of the way so far.
    pub fn hierarchical_search(&self) -> Option<&HierarchicalSearch> {
        (self.engine == Engine::Hierarchy).then_some(&self.hierarchical)
    }

    /// The replanner, if the algorithm is LPA* or D* Lite.
    pub fn replanner(&self) -> Option<&Replanner> {
        matches!(self.engine, Engine::Incremental(_)).then_some(&self.replanner)
    }

    /// The search from the goal, if the algorithm is a bidirectional one.
    pub fn backward_search(&self) -> Option<&Search> {
        (self.engine == Engine::BothEnds).then(|| self.sides.side(Side::Backward))
    }
}

/// The path along nodes that a search has just walked.
pub(crate) fn path_along(nodes: Vec<NodeId>, grid: &CostGrid) -> Path {
    Path::walked(nodes.into_iter().map(|node| grid.size().cell(node)).collect(), grid)
}
