//! Many units to one goal: one search from the goal for all of them.

use crate::algorithm::Algorithm;
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::Cell;
use crate::link_bounds::LinkBounds;
use crate::query::{Answer, Outcome, QueryError, Reason, path_along};
use crate::search::{NodeState, Order, Search, Stats, Step, Tie};
use crate::space::{Goal, NodeId, Reverse};
use crate::target::{Target, Toward};

/// Finds the cheapest paths from many starts to one goal, by one search from the goal over reversed steps.
///
/// The search is A* toward one start after the other, and goes on with what it knows: no cell is expanded twice, and for a
/// squad in one place it takes little more than the search for one of them. Each path is a cheapest one, as every optimal
/// algorithm would find it; ties may fall another way. Used again, it uses its memory again.
///
/// Time: O(n log n) in the cells expanded, and O(m) for each start whose way is not known when its turn comes, for m cells
/// on the open list. Memory: 12 bytes a cell.
///
/// ```
/// use wayfield::{parse_map, Cell, CostGrid, GroupSearch};
/// let map = parse_map(b"......\n.####.\n......\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let squad = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(0, 1)];
/// let answers = GroupSearch::default().find(&grid, &squad, Cell::new(5, 2), None)?;
/// let costs: Vec<_> = answers.iter().filter_map(|answer| answer.cost()).map(|cost| cost.units()).collect();
/// assert_eq!(costs, [7.0, 6.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GroupSearch {
    search: Search,
    running: Option<Running>,
}

/// A question whose search has begun.
#[derive(Clone, Debug)]
struct Running {
    /// The start of each unit, and its answer, if that took no search.
    starts: Vec<(NodeId, Option<Outcome>)>,
    /// The nodes whose ways are to be found, in order, each once.
    wanted: Vec<NodeId>,
    /// How many of them are known to be expanded.
    done: usize,
    /// The one that is searched for, and what links save on the way there.
    target: Target,
    bounds: LinkBounds,
    goal: NodeId,
    cap: u64,
    revision: u64,
    /// The class and the unit size of the grid.
    kind: u64,
}

impl Running {
    /// The first node whose way is not known.
    fn next_wanted(&mut self, search: &Search) -> Option<NodeId> {
        while search.state(*self.wanted.get(self.done)?) == NodeState::Closed {
            self.done += 1;
        }
        self.wanted.get(self.done).copied()
    }

    fn look_for(&mut self, node: NodeId, grid: &CostGrid) {
        self.target = self.target.at(node);
        self.bounds = self.target.link_bounds(grid, true);
    }

    fn goal(&self) -> Passing<'_> {
        Passing(Toward { target: self.target, bounds: &self.bounds })
    }
}

/// A target that the search goes past when it is there.
struct Passing<'a>(Toward<'a>);

impl Goal for Passing<'_> {
    fn is_goal(&self, _node: NodeId) -> bool {
        false
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.0.estimate(node)
    }
}

impl GroupSearch {
    /// Answers a question at once: one answer for each start, in their order. For the cap, see [`GroupSearch::begin`].
    ///
    /// # Errors
    /// If a start or the goal is outside the map.
    pub fn find(
        &mut self,
        grid: &CostGrid,
        starts: &[Cell],
        goal: Cell,
        max_expansions: Option<u64>,
    ) -> Result<Vec<Answer>, QueryError> {
        self.begin(grid, starts, goal, max_expansions)?;
        loop {
            if let Some(answers) = self.advance(grid, u64::MAX) {
                return Ok(answers);
            }
        }
    }

    /// Begins a question. Whatever was running is forgotten.
    ///
    /// The cap counts the expansions for all units together. Those whose way is not known by then are answered
    /// [`Reason::CapReached`].
    ///
    /// # Errors
    /// If a start or the goal is outside the map.
    pub fn begin(
        &mut self,
        grid: &CostGrid,
        starts: &[Cell],
        goal: Cell,
        max_expansions: Option<u64>,
    ) -> Result<(), QueryError> {
        self.running = None;
        let size = grid.size();
        let end = size.index(goal).ok_or(QueryError::GoalOutOfBounds { cell: goal, size })?;
        let mut known = Vec::with_capacity(starts.len());
        let mut wanted = Vec::new();
        for &cell in starts {
            let start = size.index(cell).ok_or(QueryError::StartOutOfBounds { cell, size })?;
            let outcome = if !grid.is_passable(goal) {
                Some(Outcome::Failed(Reason::GoalBlocked))
            } else if start == end {
                Some(Outcome::Found(path_along(vec![start], grid)))
            } else if grid.reachable_components(cell).next().is_none() {
                Some(Outcome::Failed(Reason::StartBlocked))
            } else if !grid.is_reachable(cell, goal) {
                Some(Outcome::Failed(Reason::Unreachable))
            } else {
                wanted.extend(entries(grid, start).map(|(node, _)| node));
                None
            };
            known.push((start, outcome));
        }
        wanted.retain(|&node| grid.is_reachable(size.cell(node), goal));
        wanted.sort_unstable();
        wanted.dedup();
        let (cap, revision, kind) = (max_expansions.unwrap_or(u64::MAX), grid.revision(), grid.kind());
        let (target, bounds) = (Target::plain(grid, end), LinkBounds::default());
        let mut running = Running { starts: known, wanted, done: 0, target, bounds, goal: end, cap, revision, kind };
        running.look_for(running.wanted.first().copied().unwrap_or(end), grid);
        self.search.begin(Order::a_star(Tie::HighG), &Reverse(grid), &[(end, Cost::ZERO)], &running.goal());
        self.running = Some(running);
        Ok(())
    }

    /// Goes on with the question for up to `expansions` expansions; `None` means that it needs more.
    ///
    /// `grid` must be the one the question began with. If it is of another revision, size, class or unit size, all answers are
    /// [`Reason::Cancelled`]; there are none if nothing was begun. The first answer that took the search has all
    /// its expansions to its name, and the others none.
    pub fn advance(&mut self, grid: &CostGrid, expansions: u64) -> Option<Vec<Answer>> {
        let Some(running) = &mut self.running else { return Some(Vec::new()) };
        let is_same =
            (running.revision, running.kind, running.target.size) == (grid.revision(), grid.kind(), grid.size());
        let pause_at = self.search.stats().expanded.saturating_add(expansions);
        while let Some(node) = running.next_wanted(&self.search).filter(|_| is_same) {
            if node != running.target.goal_node {
                running.look_for(node, grid);
                self.search.change_goal(&running.goal());
            }
            let expanded = self.search.stats().expanded;
            if expanded >= running.cap {
                break;
            }
            if expanded >= pause_at {
                return None;
            }
            if self.search.step(&Reverse(grid), &running.goal()) == Step::Exhausted {
                break;
            }
        }
        let Running { starts, goal, cap, revision, .. } = self.running.take()?;
        let is_over = self.search.stats().expanded < cap;
        let mut left = self.search.stats();
        let answers = starts.into_iter().map(|(start, outcome)| {
            // The first that was searched for has all expansions to its name.
            let stats = if outcome.is_none() { std::mem::take(&mut left) } else { Stats::default() };
            let outcome = match outcome {
                _ if !is_same => Outcome::Failed(Reason::Cancelled),
                Some(outcome) => outcome,
                None => self.outcome(grid, start, goal, is_over),
            };
            Answer { outcome, algorithm: Algorithm::AStar, stats, revision }
        });
        Some(answers.collect())
    }

    /// What the search did so far.
    pub fn stats(&self) -> Stats {
        self.search.stats()
    }

    /// The search from the goal, for looking at its open and closed nodes.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The way of one unit, once the search is over: `is_over` unless it was given up at the cap.
    fn outcome(&self, grid: &CostGrid, start: NodeId, goal: NodeId, is_over: bool) -> Outcome {
        let closed = |node| (self.search.state(node) == NodeState::Closed).then(|| self.search.cost_to(node)).flatten();
        let ways = entries(grid, start).filter_map(|(node, cost)| Some((closed(node)?.checked_add(cost)?, node)));
        // Of a unit in a wall all ways out must be known, or the cheapest one may not be.
        let mut reachable =
            entries(grid, start).filter(|&(node, _)| grid.is_reachable(grid.size().cell(node), grid.size().cell(goal)));
        let is_known = is_over || reachable.all(|(node, _)| closed(node).is_some());
        match ways.min_by_key(|&(cost, _)| cost).filter(|_| is_known) {
            Some((_, entry)) => {
                let out = (entry != start).then_some(start);
                Outcome::Found(path_along(out.into_iter().chain(self.search.trace(entry)).collect(), grid))
            }
            None if !is_over => Outcome::Failed(Reason::CapReached),
            // The components say that there is a way.
            None => Outcome::Failed(Reason::CostOverflow),
        }
    }
}

/// Where the way of a unit enters the passable cells, and what that costs: where it stands, or one step out of a wall.
fn entries(grid: &CostGrid, start: NodeId) -> impl Iterator<Item = (NodeId, Cost)> {
    let is_walled = !grid.is_open(start);
    let own = (!is_walled).then_some((start, Cost::ZERO));
    own.into_iter().chain(grid.steps(start).filter(move |_| is_walled))
}
