//! The closest of several goals: one search for all of them.
//!
//! The order of the checks is that of [`find_path`](crate::find_path):
//! 1. A cell outside the map, or no goal at all, is a [`QueryError`]; all that follows is an [`Answer`].
//! 2. Goals that cannot be entered are skipped; [`Reason::GoalBlocked`], if there is no other.
//! 3. The start is a goal: found, one cell, cost 0, no expansion.
//! 4. [`Reason::StartBlocked`], if the start is in a wall and has no legal first step;
//!    [`Reason::Unreachable`], if the components say so of every goal. No expansion either way.
//! 5. The search: found, [`Reason::CapReached`] or [`Reason::CostOverflow`].

use crate::algorithm::Algorithm;
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::Cell;
use crate::query::{Answer, Outcome, QueryError, Reason, path_along};
use crate::search::{Ending, Limits, Order, Search, Stats, Tie};
use crate::target::AnyOf;

/// Up to how many goals the search estimates the way to each of them, and beyond which to the rectangle around them.
///
/// Goals scattered over the map gain from the first, by less the more they are: a search among hundreds is short in any case.
/// Goals in one place gain from the second, which takes the same time for any number and is
/// never worse than no estimate. On maps of 512 x 512 the two balance at 8 to 64 goals.
const FEW_GOALS: usize = 16;

/// A question for the path to whichever goal is closest.
///
/// ```
/// use wayfield::{Cell, ClosestQuery};
/// let query = ClosestQuery::new(Cell::new(0, 0), [Cell::new(9, 4), Cell::new(3, 3)]);
/// assert_eq!(query.max_expansions, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestQuery {
    /// Where the path starts; may be in a wall.
    pub start: Cell,
    /// Where it may end, in any order.
    pub goals: Vec<Cell>,
    /// The cap on expansions.
    pub max_expansions: Option<u64>,
}

impl ClosestQuery {
    /// The plain question: no cap.
    pub fn new(start: Cell, goals: impl IntoIterator<Item = Cell>) -> Self {
        Self { start, goals: goals.into_iter().collect(), max_expansions: None }
    }
}

/// The cheapest path to whichever goal costs least; of equally cheap goals to the one with the lower index.
///
/// One search with memory of its own, however many goals there are: A* that estimates the way to the nearest of up to 16
/// goals, or to the smallest rectangle around more. For many questions keep a [`ClosestSearch`].
/// Time: O(n log n) in the cells expanded, and O(k log k) in the goals.
///
/// ```
/// use wayfield::{find_closest, parse_map, Cell, ClosestQuery, CostGrid};
/// let map = parse_map(b"......\n.####.\n......\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// // One well is nearer as the crow flies, the other on foot.
/// let wells = [Cell::new(3, 2), Cell::new(0, 2)];
/// let answer = find_closest(&grid, &ClosestQuery::new(Cell::new(2, 0), wells))?;
/// assert_eq!(answer.outcome.path().and_then(|path| path.end()), Some(Cell::new(0, 2)));
/// assert_eq!(answer.cost().map(|cost| cost.units()), Some(4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the start or a goal is outside the map, or there is no goal.
pub fn find_closest(grid: &CostGrid, query: &ClosestQuery) -> Result<Answer, QueryError> {
    ClosestSearch::default().find(grid, query)
}

/// Answers questions for the closest goal one after the other, each at once or in slices; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct ClosestSearch {
    search: Search,
    running: Option<Running>,
}

/// A question whose search has begun.
#[derive(Clone, Debug)]
struct Running {
    goals: AnyOf,
    cap: u64,
    revision: u64,
    /// The class and the unit size of the grid.
    kind: u64,
}

impl ClosestSearch {
    /// Answers a question at once.
    ///
    /// # Errors
    /// If the start or a goal is outside the map, or there is no goal.
    pub fn find(&mut self, grid: &CostGrid, query: &ClosestQuery) -> Result<Answer, QueryError> {
        let mut answer = self.begin(grid, query)?;
        loop {
            match answer {
                Some(answer) => return Ok(answer),
                None => answer = self.advance(grid, u64::MAX),
            }
        }
    }

    /// Begins a question, and answers it if that takes no search. Whatever was running is forgotten.
    ///
    /// # Errors
    /// If the start or a goal is outside the map, or there is no goal.
    pub fn begin(&mut self, grid: &CostGrid, query: &ClosestQuery) -> Result<Option<Answer>, QueryError> {
        self.running = None;
        let size = grid.size();
        let start = size.index(query.start).ok_or(QueryError::StartOutOfBounds { cell: query.start, size })?;
        if let Some(&cell) = query.goals.iter().find(|&&goal| !size.contains(goal)) {
            return Err(QueryError::GoalOutOfBounds { cell, size });
        }
        if query.goals.is_empty() {
            return Err(QueryError::NoGoals);
        }
        let revision = grid.revision();
        let at_once =
            |outcome| Ok(Some(Answer { outcome, algorithm: Algorithm::AStar, stats: Stats::default(), revision }));
        let passable = || query.goals.iter().copied().filter(|&goal| grid.is_passable(goal));
        if passable().next().is_none() {
            return at_once(Outcome::Failed(Reason::GoalBlocked));
        }
        if passable().any(|goal| goal == query.start) {
            return at_once(Outcome::Found(path_along(vec![start], grid)));
        }
        if grid.reachable_components(query.start).next().is_none() {
            return at_once(Outcome::Failed(Reason::StartBlocked));
        }
        let reachable = passable().filter(|&goal| grid.is_reachable(query.start, goal));
        let reachable = reachable.filter_map(|goal| size.index(goal));
        let Some(goals) = AnyOf::new(grid, reachable, FEW_GOALS) else {
            return at_once(Outcome::Failed(Reason::Unreachable));
        };
        // Among equally cheap goals the one with the lower index comes first: all nodes of that
        // cost must be on the open list before a goal is expanded. One goal needs no such care.
        let order = Order::a_star(if goals.nodes().len() == 1 { Tie::HighG } else { Tie::LowG });
        self.search.begin(order, grid, &[(start, Cost::ZERO)], &goals);
        self.running =
            Some(Running { goals, cap: query.max_expansions.unwrap_or(u64::MAX), revision, kind: grid.kind() });
        Ok(None)
    }

    /// Goes on with the question for up to `expansions` expansions; `None` means that it needs more.
    ///
    /// `grid` must be the one the question began with. If it is of another revision, size, class or unit size, or
    /// nothing was begun, the answer is [`Reason::Cancelled`].
    pub fn advance(&mut self, grid: &CostGrid, expansions: u64) -> Option<Answer> {
        let algorithm = Algorithm::AStar;
        let Some(Running { goals, cap, revision, kind }) = &self.running else {
            let outcome = Outcome::Failed(Reason::Cancelled);
            return Some(Answer { outcome, algorithm, stats: Stats::default(), revision: grid.revision() });
        };
        let revision = *revision;
        let outcome = if (revision, *kind, goals.size) != (grid.revision(), grid.kind(), grid.size()) {
            Outcome::Failed(Reason::Cancelled)
        } else {
            match self.search.run(grid, goals, Limits { cap: *cap, slice: expansions }) {
                Ending::Paused => return None,
                Ending::Found(node) => {
                    let mut nodes: Vec<_> = self.search.trace(node).collect();
                    nodes.reverse();
                    Outcome::Found(path_along(nodes, grid))
                }
                Ending::CapReached => Outcome::Failed(Reason::CapReached),
                Ending::CostOverflow => Outcome::Failed(Reason::CostOverflow),
                Ending::Exhausted => Outcome::Failed(Reason::Unreachable),
            }
        };
        self.running = None;
        Some(Answer { outcome, algorithm, stats: self.search.stats(), revision })
    }

    /// What the last search that began did so far.
    pub fn stats(&self) -> Stats {
        self.search.stats()
    }

    /// The search, for looking at its open and closed nodes.
    pub fn search(&self) -> &Search {
        &self.search
    }
}
