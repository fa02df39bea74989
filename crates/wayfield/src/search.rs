//! The one best-first engine: begin, step, run.
//!
//! A [`Search`] is plain data. It borrows the space only during a call, so it can be paused, sliced
//! over frames, moved to a task, kept in a component and drawn. [`Search::run`] is a loop over
//! [`Search::step`]; what differs between breadth-first search, Dijkstra's algorithm, A* and the
//! rest is the [`Order`], which is data.
//!
//! Rules of the engine:
//! * A node is a goal when it is *expanded*, not when it is first seen.
//! * Entries of the open list that a cheaper way has overtaken are skipped and are no expansions.
//! * Equal priorities are ordered by the tie rule and then by the lower node, so that any run gives the same answer;
//!   in [`Order::Bucketed`], priorities that are nearly equal by what came last.
//! * A way whose cost cannot be represented is not taken, and remembered: see [`Ending::CostOverflow`].

mod bucketed;

use crate::cost::Cost;
use crate::space::{Goal, NodeId, Space};
pub use crate::workspace::NodeState;
use crate::workspace::{Entry, Workspace};

/// One in [`Order::BestFirst`]'s weights: they count in 1/1024ths.
pub const UNIT_WEIGHT: u32 = 1024;

/// In which order a search expands nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// First seen, first expanded: breadth-first search. A node's parent is the one that saw it first.
    Fifo,
    /// Last seen, first expanded: depth-first search. Nodes are marked when seen; the first neighbour is expanded first.
    Lifo,
    /// Least priority `g_weight * g + h_weight * h` first, where g is the cost so far and h the estimate of the rest.
    BestFirst {
        /// Weight of the cost so far, in 1/1024ths. With 0 (greedy) a node's first parent is final.
        g_weight: u32,
        /// Weight of the estimate, in 1/1024ths. With 0 (Dijkstra) estimates are never asked for.
        h_weight: u32,
        /// Which of two nodes of equal priority comes first.
        tie: Tie,
        /// Whether a node is expanded again when a cheaper way to it turns up. With a consistent
        /// estimate and equal weights that never happens; with more weight on the estimate
        /// the bound on the cost holds without it.
        reopen: bool,
    },
    /// A* that takes priorities roughly: least `g + h` first, but only to within two fifths of a straight step on plain
    /// ground; of what is so nearly equal, what came last is first, which leads toward the goal.
    ///
    /// The cheapest path all the same, if the estimate never overestimates: a node that was expanded too early is expanded again,
    /// and a goal is the answer once nothing that is left can lead to a cheaper one. Nothing is put in order, so that it is
    /// about twice as fast as [`Order::a_star`], but which of several cheapest paths it finds, and with how many
    /// expansions, follows from no rule that is simpler than the program. A cap may end the search when a goal was expanded
    /// already, but is not known to be the cheapest way yet.
    Bucketed,
}

/// Which of two nodes of equal priority is expanded first; what is still equal goes by the lower node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Tie {
    /// The one with the lower cost so far.
    LowG,
    /// The one with the higher cost so far, which is nearer to the goal: fewer expansions.
    HighG,
}

impl Order {
    /// Dijkstra's algorithm: cheapest node first.
    pub const DIJKSTRA: Self = Self::BestFirst { g_weight: UNIT_WEIGHT, h_weight: 0, tie: Tie::LowG, reopen: false };
    /// Greedy best-first search: the node that looks nearest to the goal first.
    pub const GREEDY: Self = Self::BestFirst { g_weight: 0, h_weight: UNIT_WEIGHT, tie: Tie::HighG, reopen: false };

    /// A* with this tie rule.
    pub const fn a_star(tie: Tie) -> Self {
        Self::BestFirst { g_weight: UNIT_WEIGHT, h_weight: UNIT_WEIGHT, tie, reopen: true }
    }
}

/// How far a call of [`Search::run`] may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many expansions the whole search may make; the search ends there.
    pub cap: u64,
    /// How many expansions this call may make; the search pauses there.
    pub slice: u64,
}

impl Limits {
    /// No limit.
    pub const NONE: Self = Self { cap: u64::MAX, slice: u64::MAX };
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It expanded this node.
    Expanded(NodeId),
    /// It expanded a goal, this one: the search is over.
    Found(NodeId),
    /// Nothing was left to expand: the search is over.
    Exhausted,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At a goal.
    Found(NodeId),
    /// Everything that can be reached was expanded, and no goal was among it.
    Exhausted,
    /// As [`Ending::Exhausted`], but some ways were not taken because their cost cannot be represented.
    CostOverflow,
    /// At the cap on expansions: whether there is a way is not known.
    CapReached,
    /// At the end of this call's slice; call [`Search::run`] again to go on.
    Paused,
}

/// What a search did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Nodes expanded, goals and repeated expansions included, overtaken entries not.
    pub expanded: u64,
    /// Nodes put on the open list for the first time, sources included.
    pub generated: u64,
    /// How often a cheaper way to a node on the open list was found.
    pub improved: u64,
    /// How often a cheaper way to an expanded node was found and the node opened again.
    pub reopened: u64,
    /// The longest the open list has been, overtaken entries included.
    pub peak_open: usize,
}

impl Stats {
    /// What two searches did together; the longest open lists, too, though they need not be of one moment.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            improved: self.improved + other.improved,
            reopened: self.reopened + other.reopened,
            peak_open: self.peak_open + other.peak_open,
        }
    }
}

/// A search that can be paused, resumed, watched and used again.
///
/// `begin` takes constant time after the first use on a space of a size. Memory: 12 bytes a node.
///
/// ```
/// use wayfield::search::{Limits, Order, Ending, Search};
/// use wayfield::space::{Goal, Space};
/// use wayfield::{Cost, NodeId};
///
/// /// The numbers 0..10; from each one may go to the next.
/// struct Line;
/// impl Space for Line {
///     fn len(&self) -> usize { 10 }
///     fn expand(&self, node: NodeId, _: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
///         if node < 9 { visit(node + 1, Cost::STRAIGHT) }
///     }
/// }
/// struct Five;
/// impl Goal for Five {
///     fn is_goal(&self, node: NodeId) -> bool { node == 5 }
///     fn estimate(&self, _: NodeId) -> Cost { Cost::ZERO }
/// }
/// let mut search = Search::default();
/// search.begin(Order::DIJKSTRA, &Line, &[(0, Cost::ZERO)], &Five);
/// assert_eq!(search.run(&Line, &Five, Limits::NONE), Ending::Found(5));
/// assert_eq!(search.trace(5).collect::<Vec<_>>(), [5, 4, 3, 2, 1, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Search {
    order: Option<Order>,
    /// Whether the order is that of Dijkstra's algorithm, which has an open list of its own.
    is_by_cost: bool,
    workspace: Workspace,
    stats: Stats,
    closest: Option<(Cost, Cost, NodeId)>,
    overflowed: bool,
    /// Of a bucketed search, the best goal so far, and the priority that a node must stay below to lead to a better one.
    incumbent: Option<NodeId>,
    best_bound: u64,
}

impl Search {
    /// Forgets the last search and starts one at `sources`, nodes with the cost to begin with.
    ///
    /// The only way in, for running, stepping and tasks alike. `space` and `goal` must be the same in all calls until the next `begin`.
    pub fn begin(&mut self, order: Order, space: &impl Space, sources: &[(NodeId, Cost)], goal: &impl Goal) {
        self.order = Some(order);
        self.is_by_cost = order == Order::DIJKSTRA;
        self.workspace.begin(space.len());
        self.stats = Stats::default();
        self.closest = None;
        self.overflowed = false;
        self.incumbent = None;
        self.best_bound = u64::MAX;
        if order == Order::Bucketed {
            self.begin_roughly(sources, goal);
        }
        for &(node, cost) in sources {
            match order {
                Order::Bucketed => self.reach_roughly(node, cost, None, goal, &mut |_, _| true),
                Order::DIJKSTRA => self.reach::<true>(order, node, cost, None, goal, |_, _| true),
                _ => self.reach::<false>(order, node, cost, None, goal, |_, _| true),
            }
        }
        self.note_open();
    }

    /// Expands exactly one node.
    #[inline]
    pub fn step(&mut self, space: &impl Space, goal: &impl Goal) -> Step {
        self.step_keeping(space, goal, |_, _| true)
    }

    /// As [`Search::step`], but asks `keep` before it puts a node on the open list at a cost: the one hook for a
    /// search that is a part of another.
    #[inline]
    pub(crate) fn step_keeping(
        &mut self,
        space: &impl Space,
        goal: &impl Goal,
        keep: impl FnMut(NodeId, Cost) -> bool,
    ) -> Step {
        match self.order {
            None => Step::Exhausted,
            Some(Order::Bucketed) => self.step_roughly(space, goal, keep),
            Some(_) if self.is_by_cost => self.step_in::<true>(Order::DIJKSTRA, space, goal, keep),
            Some(order) => self.step_in::<false>(order, space, goal, keep),
        }
    }

    /// The body of a step. `BY_COST` says that the order is that of Dijkstra's algorithm: decided once, so that neither kind of
    /// search carries what the other one needs through its loop.
    #[inline]
    fn step_in<const BY_COST: bool>(
        &mut self,
        order: Order,
        space: &impl Space,
        goal: &impl Goal,
        mut keep: impl FnMut(NodeId, Cost) -> bool,
    ) -> Step {
        let Some(node) = self.next_node::<BY_COST>(order) else {
            return Step::Exhausted;
        };
        let (cost, parent) = self.workspace.close(node);
        self.note_expansion(goal, node, cost);
        if goal.is_goal(node) {
            return Step::Found(node);
        }
        let first_new = self.workspace.list.len();
        space.expand(node, parent, |next, step| {
            self.reach::<BY_COST>(order, next, cost.saturating_add(step), Some(node), goal, &mut keep);
        });
        if order == Order::Lifo {
            self.workspace.list[first_new..].reverse();
        }
        self.note_open();
        Step::Expanded(node)
    }

    /// Steps until the search ends or reaches a limit.
    ///
    /// With a cap of k exactly k nodes may be expanded; a goal as the k-th is found.
    pub fn run(&mut self, space: &impl Space, goal: &impl Goal, limits: Limits) -> Ending {
        // What `step` asks each time is asked once, so that each kind of search has a loop of its own.
        match self.order {
            None => Ending::Exhausted,
            Some(Order::Bucketed) => self.run_by(limits, |search| search.step_roughly(space, goal, |_, _| true)),
            Some(order) if self.is_by_cost => {
                self.run_by(limits, |search| search.step_in::<true>(order, space, goal, |_, _| true))
            }
            Some(order) => self.run_by(limits, |search| search.step_in::<false>(order, space, goal, |_, _| true)),
        }
    }

    /// Steps in this way until the search ends or reaches a limit.
    #[inline]
    fn run_by(&mut self, limits: Limits, mut step: impl FnMut(&mut Self) -> Step) -> Ending {
        let pause_at = self.stats.expanded.saturating_add(limits.slice);
        loop {
            if self.stats.expanded >= limits.cap && self.peek().is_some() {
                return Ending::CapReached;
            }
            if self.stats.expanded >= pause_at {
                return Ending::Paused;
            }
            match step(self) {
                Step::Expanded(_) => {}
                Step::Found(node) => return Ending::Found(node),
                Step::Exhausted if self.overflowed => return Ending::CostOverflow,
                Step::Exhausted => return Ending::Exhausted,
            }
        }
    }

    /// What the search did so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Whether a node is unseen, open or closed.
    pub fn state(&self, node: NodeId) -> NodeState {
        self.workspace.look(node).0
    }

    /// The cost of the best way found to a node; final once the node is closed, if the order is an optimal one.
    pub fn cost_to(&self, node: NodeId) -> Option<Cost> {
        match self.workspace.look(node) {
            (NodeState::Unseen, _) => None,
            (NodeState::Open | NodeState::Closed, cost) => Some(cost),
        }
    }

    /// The node from which the best way found reaches this one; `None` for a source and what is unseen.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.workspace.parent(node)
    }

    /// The expanded node with the least [`Goal::remaining`]; ties go by the lower cost, then by the lower node.
    pub fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, _, node)| node)
    }

    /// The nodes of the best way found, from `node` back to its source.
    pub fn trace(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let first = (self.state(node) != NodeState::Unseen).then_some(node);
        std::iter::successors(first, |&node| self.parent(node))
    }

    /// Whether a way was not taken because its cost cannot be represented.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// The number of entries on the open list, overtaken ones included.
    pub(crate) fn open_len(&self) -> usize {
        self.workspace.open_len()
    }

    /// The node that is expanded next, and its priority, which is 0 without a best-first order; `None` if nothing is
    /// left. Throws overtaken entries away. Of a bucketed search, whose priorities are rough, 0, too.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<(u64, NodeId)> {
        match self.order? {
            Order::Fifo => self.workspace.list.get(self.workspace.head).map(|&node| (0, node)),
            Order::Lifo => self.workspace.list.last().map(|&node| (0, node)),
            Order::Bucketed => self.peek_roughly().map(|reached| (0, reached.node)),
            Order::DIJKSTRA => loop {
                let (cost, node) = self.workspace.by_cost.peek()?;
                if self.workspace.look(node) == (NodeState::Open, cost) {
                    break Some((weighed(UNIT_WEIGHT, cost), node));
                }
                self.workspace.by_cost.pop();
            },
            Order::BestFirst { tie, .. } => loop {
                let entry = self.workspace.peek()?;
                if !self.is_overtaken(entry, tie) {
                    break Some((entry.priority(), entry.node()));
                }
                self.workspace.pop();
            },
        }
    }

    /// Goes on toward another goal: puts the open list in the order of its estimates.
    ///
    /// What is closed stays so; if the estimates of both goals are consistent, at its true cost. Only of a best-first
    /// search. Time: linear in the open list; nothing is to be done for Dijkstra's algorithm, which knows no estimates.
    pub fn change_goal(&mut self, goal: &impl Goal) {
        let Some(Order::BestFirst { g_weight, h_weight, tie, .. }) = self.order else { return };
        self.workspace.reorder(|workspace, entry| {
            let (state, cost) = workspace.look(entry.node());
            let is_current = (state, cost) == (NodeState::Open, cost_of(entry, tie));
            is_current.then(|| priority(g_weight, cost, h_weight, goal, entry.node()))
        });
    }

    /// Takes the next node off the open list without expanding it, which is no expansion.
    pub(crate) fn drop_next(&mut self) {
        match self.order {
            None => {}
            Some(Order::Bucketed) => _ = self.next_roughly(),
            Some(Order::DIJKSTRA) => _ = self.next_node::<true>(Order::DIJKSTRA),
            Some(order) => _ = self.next_node::<false>(order),
        }
    }

    /// Takes the next node from the open list.
    #[inline]
    fn next_node<const BY_COST: bool>(&mut self, order: Order) -> Option<NodeId> {
        if BY_COST {
            loop {
                let (cost, node) = self.workspace.by_cost.pop()?;
                if self.workspace.look(node) == (NodeState::Open, cost) {
                    return Some(node);
                }
            }
        }
        match order {
            Order::Fifo => {
                let node = self.workspace.list.get(self.workspace.head).copied()?;
                self.workspace.head += 1;
                Some(node)
            }
            Order::Lifo => self.workspace.list.pop(),
            Order::Bucketed => self.next_roughly().map(|(reached, _)| reached.node),
            Order::BestFirst { tie, .. } => loop {
                let entry = self.workspace.pop()?;
                if !self.is_overtaken(entry, tie) {
                    break Some(entry.node());
                }
            },
        }
    }

    /// Whether the node was expanded, or reached more cheaply, since the entry was pushed.
    #[inline]
    fn is_overtaken(&self, entry: Entry, tie: Tie) -> bool {
        self.workspace.look(entry.node()) != (NodeState::Open, cost_of(entry, tie))
    }

    /// Puts a node on the open list, unless it is known at no higher cost or is not to be kept. [`Cost::MAX`] is a cost that cannot
    /// be represented.
    #[inline]
    fn reach<const BY_COST: bool>(
        &mut self,
        order: Order,
        node: NodeId,
        cost: Cost,
        parent: Option<NodeId>,
        goal: &impl Goal,
        keep: impl FnMut(NodeId, Cost) -> bool,
    ) {
        // Most nodes that a step leads to are known at no higher cost: that much is worth having in the loop itself.
        if cost < self.workspace.look(node).1 {
            if BY_COST {
                self.improve::<BY_COST>(order, node, cost, parent, goal, keep);
            } else {
                self.improve_apart(order, node, cost, parent, goal, keep);
            }
        } else if cost == Cost::MAX {
            self.overflowed = true;
        }
    }

    /// As [`Search::improve`], out of the way of the loop: with estimates to make it is long.
    #[inline(never)]
    fn improve_apart(
        &mut self,
        order: Order,
        node: NodeId,
        cost: Cost,
        parent: Option<NodeId>,
        goal: &impl Goal,
        keep: impl FnMut(NodeId, Cost) -> bool,
    ) {
        self.improve::<false>(order, node, cost, parent, goal, keep);
    }

    /// Puts a node on the open list that is new, or known at a higher cost, unless it is not to be kept.
    #[inline]
    fn improve<const BY_COST: bool>(
        &mut self,
        order: Order,
        node: NodeId,
        cost: Cost,
        parent: Option<NodeId>,
        goal: &impl Goal,
        mut keep: impl FnMut(NodeId, Cost) -> bool,
    ) {
        let count = match (self.workspace.look(node).0, order) {
            (NodeState::Unseen, _) => &mut self.stats.generated,
            (NodeState::Open, Order::BestFirst { g_weight: 1.., .. }) => &mut self.stats.improved,
            (NodeState::Closed, Order::BestFirst { reopen: true, .. }) => &mut self.stats.reopened,
            _ => return,
        };
        if !keep(node, cost) {
            return;
        }
        *count += 1;
        self.workspace.open(node, cost, parent);
        if BY_COST {
            return self.workspace.by_cost.push(cost, node);
        }
        match order {
            Order::Fifo | Order::Lifo | Order::Bucketed => self.workspace.list.push(node),
            Order::BestFirst { g_weight, h_weight, tie, .. } => {
                let priority = priority(g_weight, cost, h_weight, goal, node);
                let tie = match tie {
                    Tie::LowG => cost.raw(),
                    Tie::HighG => !cost.raw(),
                };
                self.workspace.push(Entry::new(priority, tie, node));
            }
        }
    }

    /// Counts the expansion of a node, and remembers the node if it is the closest one.
    #[inline]
    fn note_expansion(&mut self, goal: &impl Goal, node: NodeId, cost: Cost) {
        self.stats.expanded += 1;
        if let Some(remaining) = goal.remaining(node) {
            let candidate = (remaining, cost, node);
            self.closest = Some(self.closest.map_or(candidate, |best| best.min(candidate)));
        }
    }

    /// Notes how long the open list is. An expansion only ever makes it longer, so that looking after one is enough.
    #[inline]
    fn note_open(&mut self) {
        self.stats.peak_open = self.stats.peak_open.max(self.workspace.open_len());
    }
}

/// The priority of a node that is reached at this cost.
#[inline]
fn priority(g_weight: u32, cost: Cost, h_weight: u32, goal: &impl Goal, node: NodeId) -> u64 {
    let estimate = if h_weight == 0 { Cost::ZERO } else { goal.estimate(node) };
    weighed(g_weight, cost).saturating_add(weighed(h_weight, estimate))
}

#[inline]
pub(crate) fn weighed(weight: u32, cost: Cost) -> u64 {
    u64::from(weight) * u64::from(cost.raw())
}

/// The cost at which a node was reached when an entry for it was made.
#[inline]
fn cost_of(entry: Entry, tie: Tie) -> Cost {
    Cost::from_raw(match tie {
        Tie::LowG => entry.tie(),
        Tie::HighG => !entry.tie(),
    })
}
