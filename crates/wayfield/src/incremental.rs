//! Incremental search: after an edit only what it affects is searched again.
//!
//! [`IncrementalSearch`] is the engine of LPA* (Koenig, Likhachev, Furcy, "Lifelong Planning A*", Artificial
//! Intelligence 155, 2004) and D* Lite (Koenig, Likhachev, "D* Lite", AAAI 2002). Both are the same search:
//! it spreads from a fixed *root* toward a *target* that may move. LPA* spreads from the start over the space
//! itself, D* Lite from the goal over its [`Reverse`](crate::space::Reverse), so that the start may move.
//!
//! A node has two numbers: `g`, what the way from the root costs as far as the node was told, and `rhs`, what
//! the `g` of the nodes one step before it say. A node whose two numbers differ is *inconsistent*; those and no
//! others are on the open list. An edit changes the `rhs` of the nodes beside it, and the search goes on from there.
//!
//! The protocol is that of [`Search`](crate::search::Search): begin, step, run, over plain data that borrows
//! the space only during a call. In between one may [update](IncrementalSearch::update) nodes and
//! [move the target](IncrementalSearch::move_target), also when the search has not come to its end.
//!
//! Rules of the engine:
//! * The order is the pair (min(g, rhs) + estimate, min(g, rhs)), then the lower node.
//! * The search is over when nothing on the open list comes before the target. The target itself need not be
//!   expanded, so a change that does not matter costs no expansion at all.
//! * A way that costs [`Cost::MAX`] or more counts as none: see [`Ending::CostOverflow`].

use crate::cost::Cost;
use crate::search::{Ending, Limits, NodeState, Stats, Step};
use crate::space::{Goal, NodeId, Reversible};
use crate::workspace::Entry;

/// The `g` and `rhs` of a node that no way leads to.
const NO_WAY: u32 = u32::MAX;

/// The slot of a node that is not on the open list.
const NOWHERE: u32 = u32::MAX;

/// One node: 16 bytes side by side. With its entry on the open list a node never takes more than 32.
#[derive(Clone, Copy, Debug)]
struct Node {
    g: u32,
    rhs: u32,
    /// Where the node's one entry is in the heap.
    slot: u32,
    /// The generation of the search that wrote this record; any other means "unseen".
    stamp: u32,
}

const UNSEEN: Node = Node { g: NO_WAY, rhs: NO_WAY, slot: NOWHERE, stamp: 0 };

/// A search from a root to a target that outlives changes of the space and moves of the target.
///
/// `space` and `goal` must be the same in all calls, but for what [`IncrementalSearch::update`] and
/// [`IncrementalSearch::move_target`] are told. Of the goal only [`Goal::estimate`] is asked, which must be
/// consistent. All steps must cost something.
///
/// Time: a run expands each node at most twice; O(log n) for each change on the open list of n nodes. Memory: 16 bytes a node, and 16
/// for each node on the open list, where a node has one entry at most.
///
/// ```
/// use wayfield::incremental::IncrementalSearch;
/// use wayfield::search::{Ending, Limits};
/// use wayfield::space::{Goal, Reversible, Space};
/// use wayfield::{Cost, NodeId};
///
/// /// The numbers 0..10; from each one may go to the next. Some steps cost more.
/// struct Line([u32; 10]);
/// impl Space for Line {
///     fn len(&self) -> usize { 10 }
///     fn expand(&self, node: NodeId, _: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
///         if node < 9 { visit(node + 1, Cost::from_raw(self.0[node as usize])) }
///     }
/// }
/// impl Reversible for Line {
///     fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
///         if node > 0 { visit(node - 1, Cost::from_raw(self.0[node as usize - 1])) }
///     }
/// }
/// struct Anywhere;
/// impl Goal for Anywhere {
///     fn is_goal(&self, _: NodeId) -> bool { false }
///     fn estimate(&self, _: NodeId) -> Cost { Cost::ZERO }
/// }
/// let mut line = Line([1; 10]);
/// let mut search = IncrementalSearch::default();
/// search.begin(&line, 0, 9, &Anywhere);
/// assert_eq!(search.run(&line, &Anywhere, Limits::NONE), Ending::Found(9));
/// assert_eq!(search.stats().expanded, 9);
///
/// line.0[7] = 5; // the step from 7 to 8
/// search.update(&line, &Anywhere, [8]);
/// assert_eq!(search.run(&line, &Anywhere, Limits::NONE), Ending::Found(9));
/// assert_eq!(search.cost(), Some(Cost::from_raw(13)));
/// assert_eq!(search.stats().expanded, 2, "8 alone, once to forget and once to learn");
/// ```
#[derive(Clone, Debug, Default)]
pub struct IncrementalSearch {
    nodes: Vec<Node>,
    /// Never 0 after `begin`, so that a zeroed stamp is unseen.
    generation: u32,
    /// A binary heap of the inconsistent nodes, each once; `Node::slot` points back.
    open: Vec<Entry>,
    root: NodeId,
    target: NodeId,
    /// The k_m of D* Lite: what all estimates together may have fallen by since the oldest entry was made.
    shift: u64,
    stats: Stats,
}

impl IncrementalSearch {
    /// Forgets everything and starts a search from `root` to `target`; the only way in.
    pub fn begin(&mut self, space: &impl Reversible, root: NodeId, target: NodeId, goal: &impl Goal) {
        self.open.clear();
        if self.generation == u32::MAX {
            self.nodes.clear();
            self.generation = 0;
        }
        self.generation += 1;
        self.nodes.resize(space.len(), UNSEEN);
        self.root = root;
        self.target = target;
        self.shift = 0;
        self.stats = Stats::default();
        self.set_rhs(root, 0, goal);
    }

    /// Tells the search that steps into these nodes (for D* Lite: out of them) have changed, came or went.
    ///
    /// `space` is the new one. Every node whose steps from the root's side changed must be among them; more do no harm.
    /// The counts of [`IncrementalSearch::stats`] begin anew.
    pub fn update(&mut self, space: &impl Reversible, goal: &impl Goal, nodes: impl IntoIterator<Item = NodeId>) {
        self.stats = Stats::default();
        for node in nodes {
            self.look_back(space, goal, node);
        }
    }

    /// Moves the target. From now on `goal` must estimate the way to the new one.
    ///
    /// `shift` is the most by which an estimate may have fallen: the estimate between the two targets.
    /// The counts of [`IncrementalSearch::stats`] begin anew.
    pub fn move_target(&mut self, target: NodeId, shift: Cost) {
        self.stats = Stats::default();
        self.target = target;
        self.shift = self.shift.saturating_add(u64::from(shift.raw()));
    }

    /// Puts the open list in order anew, for estimates that have changed in any way. Time: linear in the list.
    pub fn change_estimates(&mut self, goal: &impl Goal) {
        self.shift = 0;
        for slot in 0..self.open.len() {
            self.open[slot] = self.entry(self.open[slot].node(), goal);
        }
        for slot in (0..self.open.len() / 2).rev() {
            self.sift_down(slot);
        }
    }

    /// Expands exactly one node, or says that the search is over.
    ///
    /// A node is expanded by making it consistent and telling those one step after it; one that got dearer is first
    /// told that there is no way, and comes back to the list if there is another one.
    pub fn step(&mut self, space: &impl Reversible, goal: &impl Goal) -> Step {
        let Some(node) = self.next_node(goal) else {
            return if self.cost().is_some() { Step::Found(self.target) } else { Step::Exhausted };
        };
        self.stats.expanded += 1;
        let Node { g, rhs, .. } = self.look(node);
        if g > rhs {
            self.set_g(node, rhs, goal);
            space.expand(node, None, |next, step| {
                let offer = sum(rhs, step);
                if offer < self.look(next).rhs {
                    self.set_rhs(next, offer, goal);
                }
            });
        } else {
            self.set_g(node, NO_WAY, goal);
            space.expand(node, None, |next, step| {
                if self.look(next).rhs == sum(g, step) {
                    self.look_back(space, goal, next);
                }
            });
        }
        Step::Expanded(node)
    }

    /// Steps until the search ends or reaches a limit.
    ///
    /// With a cap of k exactly k nodes may be expanded since the latest beginning, update or move.
    pub fn run(&mut self, space: &impl Reversible, goal: &impl Goal, limits: Limits) -> Ending {
        let pause_at = self.stats.expanded.saturating_add(limits.slice);
        loop {
            if self.next_node(goal).is_some() {
                if self.stats.expanded >= limits.cap {
                    return Ending::CapReached;
                }
                if self.stats.expanded >= pause_at {
                    return Ending::Paused;
                }
            }
            match self.step(space, goal) {
                Step::Expanded(_) => {}
                Step::Found(node) => return Ending::Found(node),
                Step::Exhausted if self.overflows(space) => return Ending::CostOverflow,
                Step::Exhausted => return Ending::Exhausted,
            }
        }
    }

    /// The node that the next step expands; `None` if the search is over.
    pub fn next_expansion(&mut self, goal: &impl Goal) -> Option<NodeId> {
        self.next_node(goal)
    }

    /// What the search did since the latest beginning, update or move.
    ///
    /// `reopened` counts nodes that came back to the open list, `improved` changes of place on it.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Where the search spreads from.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Where it spreads to.
    pub fn target(&self) -> NodeId {
        self.target
    }

    /// What the way between root and target costs; holds once a run has found it.
    pub fn cost(&self) -> Option<Cost> {
        known(self.look(self.target).rhs)
    }

    /// Whether a node has no known way, is on the open list, or is consistent.
    pub fn state(&self, node: NodeId) -> NodeState {
        match self.look(node) {
            Node { slot, .. } if slot != NOWHERE => NodeState::Open,
            Node { g: NO_WAY, .. } => NodeState::Unseen,
            Node { .. } => NodeState::Closed,
        }
    }

    /// The `g` of a node: what the way between the root and it cost when it was last expanded.
    pub fn g(&self, node: NodeId) -> Option<Cost> {
        known(self.look(node).g)
    }

    /// The `rhs` of a node: what the `g` of the nodes one step nearer to the root say.
    pub fn rhs(&self, node: NodeId) -> Option<Cost> {
        known(self.look(node).rhs)
    }

    /// The nodes of the cheapest way, from the target back to the root; holds once a run has found it.
    ///
    /// Of equally cheap ways it takes, at each node, the one that the space lists first.
    pub fn trace(&self, space: &impl Reversible) -> impl Iterator<Item = NodeId> {
        let first = self.cost().map(|cost| (self.target, cost.raw()));
        let nodes = std::iter::successors(first, |&(node, cost)| {
            let mut best = (NO_WAY, NO_WAY, NO_WAY);
            space.expand_back(node, |previous, step| {
                let g = self.look(previous).g;
                let total = sum(g, step);
                // Costs fall along the way, so that it ends, whatever state the search is in.
                if total < best.0 && g < cost {
                    best = (total, previous, g);
                }
            });
            (node != self.root && best.0 != NO_WAY).then_some((best.1, best.2))
        });
        nodes.map(|(node, _)| node)
    }

    /// The node to expand next; `None` if the search is over. Puts entries in their place that a move has outdated.
    fn next_node(&mut self, goal: &impl Goal) -> Option<NodeId> {
        loop {
            let first = *self.open.first()?;
            let Node { g, rhs, .. } = self.look(self.target);
            // An entry for node 0 comes before all others of the same key.
            if rhs != NO_WAY && rhs <= g && first >= self.keyed(self.target, 0, goal) {
                return None;
            }
            let current = self.entry(first.node(), goal);
            if first >= current {
                return Some(first.node());
            }
            self.open[0] = current;
            self.sift_down(0);
        }
    }

    /// Finds out the `rhs` of a node from those one step nearer to the root.
    fn look_back(&mut self, space: &impl Reversible, goal: &impl Goal, node: NodeId) {
        if node == self.root || node as usize >= self.nodes.len() {
            return;
        }
        let mut rhs = NO_WAY;
        space.expand_back(node, |previous, step| rhs = rhs.min(sum(self.look(previous).g, step)));
        self.set_rhs(node, rhs, goal);
    }

    /// Whether the cost of a step out of a node that can be reached is more than can be represented.
    fn overflows(&self, space: &impl Reversible) -> bool {
        let mut overflows = false;
        for node in 0..self.nodes.len() as NodeId {
            let g = self.look(node).g;
            if g != NO_WAY {
                space.expand(node, None, |_, step| overflows |= sum(g, step) == NO_WAY);
            }
        }
        overflows
    }

    #[inline]
    fn look(&self, node: NodeId) -> Node {
        let record = self.nodes.get(node as usize).filter(|record| record.stamp == self.generation);
        record.copied().unwrap_or(UNSEEN)
    }

    fn set_g(&mut self, node: NodeId, g: u32, goal: &impl Goal) {
        self.write(Node { g, ..self.look(node) }, node, goal);
    }

    fn set_rhs(&mut self, node: NodeId, rhs: u32, goal: &impl Goal) {
        let old = self.look(node);
        if old.rhs != rhs {
            self.write(Node { rhs, ..old }, node, goal);
        }
    }

    /// Writes a record, and puts the node on the open list if it is inconsistent, or takes it off.
    fn write(&mut self, record: Node, node: NodeId, goal: &impl Goal) {
        let generation = self.generation;
        let Some(slot) = self.nodes.get_mut(node as usize) else { return };
        *slot = Node { stamp: generation, ..record };
        let at = record.slot as usize;
        match (record.g != record.rhs, record.slot == NOWHERE) {
            (false, true) => {}
            (true, true) => {
                let seen = record.stamp == generation;
                *if seen { &mut self.stats.reopened } else { &mut self.stats.generated } += 1;
                self.open.push(self.entry(node, goal));
                self.sift_up(self.open.len() - 1);
                self.stats.peak_open = self.stats.peak_open.max(self.open.len());
            }
            (true, false) => {
                self.stats.improved += 1;
                self.open[at] = self.entry(node, goal);
                self.sift(at);
            }
            (false, false) => {
                self.nodes[node as usize].slot = NOWHERE;
                self.open.swap_remove(at);
                if at < self.open.len() {
                    self.sift(at);
                }
            }
        }
    }

    fn entry(&self, node: NodeId, goal: &impl Goal) -> Entry {
        self.keyed(node, node, goal)
    }

    /// An entry for one node with the key of another.
    fn keyed(&self, of: NodeId, node: NodeId, goal: &impl Goal) -> Entry {
        let Node { g, rhs, .. } = self.look(of);
        let least = g.min(rhs);
        let whole = u64::from(least) + u64::from(goal.estimate(of).raw());
        Entry::new(whole.saturating_add(self.shift), least, node)
    }

    fn sift(&mut self, slot: usize) {
        let slot = self.sift_up(slot);
        self.sift_down(slot);
    }

    fn sift_up(&mut self, mut slot: usize) -> usize {
        let entry = self.open[slot];
        while slot > 0 && entry < self.open[(slot - 1) / 2] {
            self.settle(slot, self.open[(slot - 1) / 2]);
            slot = (slot - 1) / 2;
        }
        self.settle(slot, entry);
        slot
    }

    fn sift_down(&mut self, mut slot: usize) {
        let entry = self.open[slot];
        while let Some(&left) = self.open.get(2 * slot + 1) {
            let (child, least) = match self.open.get(2 * slot + 2) {
                Some(&right) if right < left => (2 * slot + 2, right),
                _ => (2 * slot + 1, left),
            };
            if entry <= least {
                break;
            }
            self.settle(slot, least);
            slot = child;
        }
        self.settle(slot, entry);
    }

    fn settle(&mut self, slot: usize, entry: Entry) {
        self.open[slot] = entry;
        self.nodes[entry.node() as usize].slot = slot as u32;
    }
}

/// The only addition: what cannot be represented is no way.
fn sum(g: u32, step: Cost) -> u32 {
    g.saturating_add(step.raw())
}

fn known(cost: u32) -> Option<Cost> {
    (cost != NO_WAY).then_some(Cost::from_raw(cost))
}
