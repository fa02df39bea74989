//! Hierarchical pathfinding, HPA*: a way over the abstract graph first, then cell by cell, as far as it is needed.
//!
//! A [`HierarchicalSearch`] has the protocol of a [`Search`]: `begin`, `step`, `run`, plain data in between. It goes
//! through these stages, and counts the expansions of all:
//! 1. *Straight*: it walks from the start as long as no step loses anything against the estimate. If that ends at the
//!    goal, nothing is cheaper; on an open map it always does.
//! 2. *Direct*: A* cell by cell, if the goal is in a cluster nearby; given up after a while.
//! 3. *Abstract*: A* over the [`Hierarchy`]. In the clusters of start and goal the cells are the nodes, which spares
//!    the insertion of start and goal as nodes of their own.
//! 4. *Refinement*, window by window: A* over the cells of the next few clusters of the abstract way. Two thirds of
//!    what it finds are final; the rest and some clusters more make the next window. So the way is smooth where
//!    two clusters meet, and its first cells are there long before the last ones.
//!
//! The way is of legal steps. It costs at most what the abstract way costs: each window could have taken that.
//! There is one exactly if there is one over the cells.
//!
//! Paper: Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding" (Journal of Game Development 2004).
//! Windows instead of smoothing afterwards are in the spirit of Sturtevant and Buro, "Partial Pathfinding Using Map
//! Abstraction and Refinement" (AAAI 2005).

use crate::cost::Cost;
use crate::hierarchy::{AbstractSpace, CLUSTER_SIDE, Hierarchy};
use crate::search::{Ending, Limits, Order, Search, Stats, Step, Tie};
use crate::space::{Goal, NodeId, Reversible};

/// Up to how many clusters away a goal is tried directly.
const NEAR: u32 = 3;
/// How many expansions that may take: as many as there are cells in the clusters between two such goals. So maps of up to
/// 64 x 64 cells are always searched directly.
const DIRECT_EXPANSIONS: u64 = ((NEAR + 1) * (NEAR + 1) * CLUSTER_SIDE * CLUSTER_SIDE) as u64;
/// How many clusters a window of the refinement leads through.
const WINDOW: usize = 5;

const ORDER: Order = Order::a_star(Tie::HighG);

/// What a [`HierarchicalSearch`] is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing: nothing was asked, or all is done.
    #[default]
    Over,
    /// Walk on from this node.
    Straight(NodeId),
    /// Search cell by cell, up to so many expansions.
    Direct(u64),
    Abstract,
    Refine,
}

/// A stage of a [`HierarchicalSearch`], as the [module](self) tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Walking on as long as no step loses anything.
    Straight,
    /// Searching cell by cell.
    Direct,
    /// Searching the abstract graph.
    Abstract,
    /// Searching the cells of a few clusters on the abstract way.
    Refinement,
    /// Nothing is left to do.
    Over,
}

/// A hierarchical search that can be paused, resumed, watched and used again.
///
/// All calls between one `begin` and the next must be given the same hierarchy, space and estimates. `toward` makes a
/// node a goal, with estimates of the way there: the windows have goals of their own. It is called at every step.
///
/// Time: that of A* over the abstract graph and over the cells of the clusters on the way. Memory: 12 bytes a cell.
///
/// ```
/// use wayfield::hierarchical_search::HierarchicalSearch;
/// use wayfield::search::{Ending, Limits};
/// use wayfield::space::Goal;
/// use wayfield::{parse_map, Cost, CostGrid, Heuristic, Hierarchy, NodeId};
///
/// struct At<'a>(&'a CostGrid, NodeId);
/// impl Goal for At<'_> {
///     fn is_goal(&self, node: NodeId) -> bool { node == self.1 }
///     fn estimate(&self, node: NodeId) -> Cost {
///         Heuristic::Octile.estimate(self.0.size().cell(node), self.0.size().cell(self.1))
///     }
/// }
/// let map = parse_map(b"....\n.##.\n...#\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let hierarchy = Hierarchy::new(&grid, grid.size());
/// let mut search = HierarchicalSearch::default();
/// let toward = |node| At(&grid, node);
/// search.begin(&grid, (3, 10), toward);
/// assert_eq!(search.run(&hierarchy, &grid, toward, Limits::NONE), Ending::Found(10));
/// assert_eq!(search.way(), [3, 2, 1, 0, 4, 8, 9, 10]);
/// # Ok::<(), wayfield::TextError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HierarchicalSearch {
    stage: Stage,
    ending: Option<Ending>,
    start: NodeId,
    goal: NodeId,
    search: Search,
    /// What the searches did that are over.
    past: Stats,
    /// The way as far as it is final, from the start.
    way: Vec<NodeId>,
    /// The way to as near the goal as the stages before the abstract one came.
    nearest: Vec<NodeId>,
    /// What the latest window found beyond that: it is final at the end of the next one.
    rest: Vec<NodeId>,
    /// The abstract way.
    waypoints: Vec<NodeId>,
    /// Which of the waypoints the window leads to.
    target: usize,
    /// A start that nothing leads to: all its steps are taken, whether they are crossings or not.
    walled: Option<NodeId>,
    /// The clusters whose cells are nodes of the abstract graph.
    unfolded: Vec<u32>,
    /// The clusters that the window leads through, in their order.
    window: Vec<u32>,
    /// The clusters that its search may enter, a bit for each.
    corridor: Vec<u64>,
}

impl HierarchicalSearch {
    /// Forgets the last search and starts one between two nodes; the goal can be entered.
    pub fn begin<G: Goal>(
        &mut self,
        space: &impl Reversible,
        (start, goal): (NodeId, NodeId),
        toward: impl Fn(NodeId) -> G,
    ) {
        (self.start, self.goal, self.stage, self.ending) = (start, goal, Stage::Straight(start), None);
        self.past = Stats { generated: 1, peak_open: 1, ..Stats::default() };
        self.way.clear();
        self.nearest.clear();
        self.rest.clear();
        self.waypoints.clear();
        self.search.begin(ORDER, space, &[], &toward(goal));
    }

    /// Expands exactly one node, or finds that the search is over, which is no expansion.
    ///
    /// [`Step::Found`] means that the whole way is there.
    pub fn step<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: impl Fn(NodeId) -> G,
    ) -> Step {
        self.settle(hierarchy, space, &toward);
        match self.stage {
            Stage::Over => match self.ending {
                Some(Ending::Found(node)) => Step::Found(node),
                _ => Step::Exhausted,
            },
            Stage::Straight(node) => self.walk_straight(node, hierarchy, space, &toward),
            Stage::Direct(_) => {
                let step = self.search.step(space, &toward(self.goal));
                if let Step::Found(node) = step {
                    self.keep_way_to(node);
                    self.finish(Ending::Found(node));
                }
                step
            }
            Stage::Abstract => {
                let (walled, unfolded) = (self.walled, &self.unfolded[..]);
                let graph = AbstractSpace { hierarchy, space, unfolded, walled };
                let step = self.search.step(&graph, &toward(self.goal));
                if let Step::Found(node) = step {
                    self.waypoints.extend(self.search.trace(node));
                    self.waypoints.reverse();
                    self.way.push(self.start);
                    self.target = 0;
                    self.stage = Stage::Refine;
                    self.begin_window(hierarchy, space, &toward);
                    return Step::Expanded(node);
                }
                step
            }
            Stage::Refine => self.refine(hierarchy, space, &toward),
        }
    }

    /// Steps until the search ends or reaches a limit.
    ///
    /// With a cap of k exactly k nodes may be expanded, in all stages together; what is complete with the k-th is found.
    pub fn run<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: impl Fn(NodeId) -> G,
        limits: Limits,
    ) -> Ending {
        self.run_ahead(hierarchy, space, toward, limits, usize::MAX)
    }

    /// As [`HierarchicalSearch::run`], but pauses as soon as [`HierarchicalSearch::way`] has `cells` cells.
    pub fn run_ahead<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: impl Fn(NodeId) -> G,
        limits: Limits,
        cells: usize,
    ) -> Ending {
        let pause_at = self.expanded().saturating_add(limits.slice);
        loop {
            self.settle(hierarchy, space, &toward);
            if let (Stage::Over, ending) = (self.stage, self.ending) {
                return ending.unwrap_or(Ending::Exhausted);
            }
            let expanded = self.expanded();
            if expanded >= limits.cap {
                return Ending::CapReached;
            }
            if expanded >= pause_at || self.way().len() >= cells {
                return Ending::Paused;
            }
            self.step(hierarchy, space, &toward);
        }
    }

    /// The node that the next step expands; `None` if the search is over.
    ///
    /// May go on to the next stage, which the next step would do.
    pub fn next_expansion<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: impl Fn(NodeId) -> G,
    ) -> Option<NodeId> {
        self.settle(hierarchy, space, &toward);
        match self.stage {
            Stage::Over => None,
            Stage::Straight(node) => Some(node),
            Stage::Direct(_) | Stage::Abstract | Stage::Refine => self.search.peek().map(|(_, node)| node),
        }
    }

    /// The stage that the next step is a part of.
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::Over => Phase::Over,
            Stage::Straight(_) => Phase::Straight,
            Stage::Direct(_) => Phase::Direct,
            Stage::Abstract => Phase::Abstract,
            Stage::Refine => Phase::Refinement,
        }
    }

    /// The way as far as it is final, the start first: it only ever grows, and is complete at the end.
    ///
    /// Empty as long as the goal is searched for straight, directly or over the abstract graph.
    pub fn way(&self) -> &[NodeId] {
        match self.stage {
            Stage::Straight(_) => &[],
            _ => &self.way,
        }
    }

    /// A way of legal steps to as near the goal as the search has come: what is left of one that is broken off.
    ///
    /// Ends at the node with the least [`Goal::remaining`] while the goal is searched for directly, and while the abstract
    /// graph is searched. Empty before the first expansion.
    pub fn way_so_far(&self) -> Vec<NodeId> {
        let mut way = if self.way.is_empty() { self.nearest.clone() } else { self.way.clone() };
        if let (Stage::Direct(_), Some(closest)) = (self.stage, self.search.closest()) {
            let from = self.way.len().saturating_sub(1);
            way.truncate(from);
            way.extend(self.search.trace(closest));
            way[from..].reverse();
        }
        way
    }

    /// The abstract way, once it is found: start, entrances and goal, and the cells in the clusters of start and goal.
    ///
    /// Empty if the way was found straight or directly.
    pub fn waypoints(&self) -> &[NodeId] {
        &self.waypoints
    }

    /// What was done in all stages.
    pub fn stats(&self) -> Stats {
        sum(self.past, self.search.stats())
    }

    fn expanded(&self) -> u64 {
        self.past.expanded + self.search.stats().expanded
    }

    /// The search of the current stage, for looking at its open and closed nodes.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Goes on to a stage that can expand something, if there is one; that takes no expansion.
    #[inline]
    fn settle<G: Goal>(&mut self, hierarchy: &Hierarchy, space: &impl Reversible, toward: &impl Fn(NodeId) -> G) {
        loop {
            let is_stuck = match self.stage {
                Stage::Over | Stage::Straight(_) => return,
                Stage::Direct(until) if self.search.stats().expanded >= until => {
                    return self.begin_abstract(hierarchy, space, toward);
                }
                Stage::Direct(_) | Stage::Abstract | Stage::Refine => self.search.peek().is_none(),
            };
            if !is_stuck {
                return;
            }
            let overflowed = self.search.has_overflowed();
            match self.stage {
                Stage::Direct(_) if overflowed => self.finish(Ending::CostOverflow),
                Stage::Direct(_) => self.finish(Ending::Exhausted),
                Stage::Abstract if !overflowed => self.finish(Ending::Exhausted),
                // The abstract way costs more than the cheapest one, which may still be representable.
                _ => self.begin_direct(u64::MAX, space, toward),
            }
        }
    }

    /// One cell on along the steps that lose nothing against the estimate, that which brings nearest first.
    fn walk_straight<G: Goal>(
        &mut self,
        node: NodeId,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: &impl Fn(NodeId) -> G,
    ) -> Step {
        let goal = toward(self.goal);
        self.past.expanded += 1;
        self.way.push(node);
        if goal.is_goal(node) {
            self.finish(Ending::Found(node));
            return Step::Found(node);
        }
        let left = goal.estimate(node);
        let mut best = None;
        space.expand(node, self.way.len().checked_sub(2).map(|before| self.way[before]), |next, cost| {
            let rest = goal.estimate(next);
            if rest < left && cost.checked_add(rest) == Some(left) {
                best = Some(best.map_or((rest, next), |best| (rest, next).min(best)));
            }
        });
        if let Some((_, next)) = best {
            self.past.generated += 1;
            self.stage = Stage::Straight(next);
        } else {
            std::mem::swap(&mut self.nearest, &mut self.way);
            self.way.clear();
            if hierarchy.cluster_distance(self.start, self.goal) <= NEAR {
                self.begin_direct(DIRECT_EXPANSIONS, space, toward);
            } else {
                self.begin_abstract(hierarchy, space, toward);
            }
        }
        Step::Expanded(node)
    }

    /// Begins to search cell by cell, from where the final way ends.
    fn begin_direct<G: Goal>(&mut self, until: u64, space: &impl Reversible, toward: &impl Fn(NodeId) -> G) {
        self.past = self.stats();
        self.stage = Stage::Direct(until);
        let from = self.way.last().copied().unwrap_or(self.start);
        self.search.begin(ORDER, space, &[(from, Cost::ZERO)], &toward(self.goal));
    }

    fn begin_abstract<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: &impl Fn(NodeId) -> G,
    ) {
        if let Some(closest) = self.search.closest() {
            self.nearest.clear();
            self.nearest.extend(self.search.trace(closest));
            self.nearest.reverse();
        }
        self.past = self.stats();
        self.stage = Stage::Abstract;
        let mut is_walled = true;
        space.expand_back(self.start, |_, _| is_walled = false);
        self.walled = is_walled.then_some(self.start);
        self.unfolded.clear();
        self.unfolded.extend([self.start, self.goal].map(|node| hierarchy.cluster_of(node)));
        if is_walled {
            space.expand(self.start, None, |next, _| self.unfolded.push(hierarchy.cluster_of(next)));
            self.unfolded.sort_unstable();
            self.unfolded.dedup();
        }
        let graph = AbstractSpace { hierarchy, space, unfolded: &self.unfolded, walled: self.walled };
        self.search.begin(ORDER, &graph, &[(self.start, Cost::ZERO)], &toward(self.goal));
    }

    /// Begins the search through the next clusters of the abstract way, from where the final way ends.
    fn begin_window<G: Goal>(&mut self, hierarchy: &Hierarchy, space: &impl Reversible, toward: &impl Fn(NodeId) -> G) {
        self.window.clear();
        // The rest of the last window is a way to go, and is not to be cut off.
        for &node in self.way.last().into_iter().chain(&self.rest) {
            let cluster = hierarchy.cluster_of(node);
            if !self.window.contains(&cluster) {
                self.window.push(cluster);
            }
        }
        for &node in self.waypoints.iter().skip(self.target + 1) {
            let cluster = hierarchy.cluster_of(node);
            if !self.window.contains(&cluster) {
                if self.window.len() >= WINDOW {
                    break;
                }
                self.window.push(cluster);
            }
            self.target += 1;
        }
        self.corridor.clear();
        self.corridor.resize(hierarchy.clusters().div_ceil(64), 0);
        let mut open = |cluster: u32| self.corridor[cluster as usize / 64] |= 1 << (cluster % 64);
        self.window.iter().for_each(|&cluster| open(cluster));
        // There are two ways round a corner.
        let turns = self.window.windows(2).chain(self.window.windows(3));
        turns.filter_map(|turn| hierarchy.beside_diagonal(*turn.first()?, *turn.last()?)).flatten().for_each(open);

        let target = self.waypoints.get(self.target).copied().unwrap_or(self.goal);
        let from = self.way.last().copied().unwrap_or(self.start);
        self.past = self.stats();
        self.search.begin(ORDER, space, &[(from, Cost::ZERO)], &toward(target));
    }

    /// One expansion within the window.
    #[inline]
    fn refine<G: Goal>(
        &mut self,
        hierarchy: &Hierarchy,
        space: &impl Reversible,
        toward: &impl Fn(NodeId) -> G,
    ) -> Step {
        let target = self.waypoints.get(self.target).copied().unwrap_or(self.goal);
        let corridor = &self.corridor[..];
        let keep = |node, _| {
            let cluster = hierarchy.cluster_of(node);
            corridor.get(cluster as usize / 64).is_some_and(|word| word >> (cluster % 64) & 1 == 1)
        };
        let step = self.search.step_keeping(space, &toward(target), keep);
        let Step::Found(node) = step else { return step };
        if node == self.goal {
            self.keep_way_to(node);
            self.finish(Ending::Found(node));
            return Step::Found(node);
        }
        self.rest.clear();
        self.rest.extend(self.search.trace(node));
        self.rest.reverse();
        // With at least one step more the windows come to an end.
        let settled = (self.rest.len() * 2 / 3).max(2).min(self.rest.len());
        self.way.extend(self.rest.drain(..settled).skip(1));
        self.begin_window(hierarchy, space, toward);
        Step::Expanded(node)
    }

    /// Takes the way that the search has found to a node as the end of the whole way.
    fn keep_way_to(&mut self, node: NodeId) {
        let from = self.way.len().saturating_sub(1);
        self.way.truncate(from);
        self.way.extend(self.search.trace(node));
        self.way[from..].reverse();
    }

    fn finish(&mut self, ending: Ending) {
        (self.stage, self.ending) = (Stage::Over, Some(ending));
    }
}

/// What two searches did, one after the other.
fn sum(one: Stats, other: Stats) -> Stats {
    Stats {
        expanded: one.expanded + other.expanded,
        generated: one.generated + other.generated,
        improved: one.improved + other.improved,
        reopened: one.reopened + other.reopened,
        peak_open: one.peak_open.max(other.peak_open),
    }
}
