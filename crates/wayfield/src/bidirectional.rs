//! Two searches, one from each end, and the rule by which they know that they are done.
//!
//! A [`BidirectionalSearch`] is a [`Search`] from the start over a space and another one from the goal over its
//! [`Reverse`], which know of each other only where their ways cross. Stopping where they first meet would be
//! wrong with costs (Nicholson 1966, Pohl 1971): the cheapest way found across, of cost mu, is the answer only when
//! nothing on the open lists can lead to a cheaper one.
//!
//! # The rules
//! Each way to a node that the other side has seen, too, is a way across, and lowers mu if it is cheaper. Then
//! * *by steps* ([`Order::Fifo`]): the sides take turns a whole wave at a time, and the first way across is the answer;
//! * *by cost* ([`Order::DIJKSTRA`]): mu is the answer once it is at most the sum of the least costs on the two open lists;
//! * *by cost plus estimate* ([`Order::a_star`]): mu is the answer once it is at most the least priority on either list.
//!
//! A node that one side has expanded is not expanded by the other one, and a way of cost g to a node is forgotten, before
//! or after it got onto an open list, if it cannot be a part of anything cheaper than mu: if g plus the estimate of the rest,
//! or g plus the other side's least priority minus that side's estimate of the node, is at least mu (the first two
//! after Kwa 1989, the third after Pijls and Post 2009). So no node is expanded twice, unless costs overflow.
//!
//! # Why the answer is the cheapest path
//! Let P be a cheapest path, d its cost, and the estimates consistent (estimates of 0 are). **While mu > d, what a side has
//! expanded of P it has expanded at its true cost, and the first node of P that it has not expanded is on its open list at
//! its true cost.** At the beginning that is so. It stays so: as long as that first node v is open at its true cost, no later
//! node of P is expanded at a higher one, since v's priority is lower then. Once v is expanded, the next node is reached at
//! its true cost g, and neither it nor v before is forgotten,
//! * because the other side has expanded it: at its true cost, so that mu would be d;
//! * because of g plus the estimate of the rest: that is at most d, less than mu;
//! * because of the other side's least priority: the first node w that side has not expanded is open there, and
//!   seen from there it is no farther than the node in question (which it has not expanded either), so that the least
//!   priority is at most the true cost of the way between that side's end and the node plus that side's estimate of the node.
//!   With g, and without that estimate, it makes at most d, less than mu.
//!
//! So while mu > d there are such a node v in front and such a w in the back, and v comes no later on P than w: otherwise the
//! back would have expanded v, and mu would be d. The least priorities are then at most d each and, without estimates,
//! at most d in sum: less than mu, and no rule stops. Conversely, when a rule stops or a list is empty, mu is d.
//!
//! By steps: once the front has seen all within a steps and the back all within b, and no node is seen by both, every path
//! has more than a + b steps. A way across that the next wave finds has a + b + 1 at most.
//!
//! A start that cannot be entered, only left, is no exception, though no reversed step leads to it. The front goes first, so
//! that the start is expanded and the node after it is known at its true cost before the back moves; the ways cross there at the latest.

use crate::cost::Cost;
use crate::search::{Ending, Limits, NodeState, Order, Search, Stats, Step, Tie, weighed};
use crate::space::{Goal, NodeId, Reverse, Reversible, Space};

/// One of the two searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The one from the start.
    #[default]
    Forward,
    /// The one from the goal, over the reversed space.
    Backward,
}

/// The cheapest way across that is known: to a node of the forward side, and on from a node of the backward side.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    cost: Cost,
    /// Equal to `onward`, or one step before it.
    to: NodeId,
    onward: NodeId,
}

/// A search from both ends that can be paused, resumed, watched and used again.
///
/// The goals say how far it is at least *from* a node: `toward_goal` to the goal, which may also remember the closest
/// node, and `toward_start` to the start, along reversed steps. Where they are consistent (or the order has no use for
/// them) the path is the cheapest one; with [`Order::Fifo`] it is one of fewest steps. With any other order, or
/// estimates that are not consistent, it is a path.
///
/// Time: O(n log n) in the nodes expanded, each once. Memory: 24 bytes a node.
///
/// ```
/// use wayfield::bidirectional::BidirectionalSearch;
/// use wayfield::search::{Ending, Limits, Order};
/// use wayfield::space::Everything;
/// use wayfield::{parse_map, Cost, CostGrid};
/// let map = parse_map(b"1953\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let mut search = BidirectionalSearch::default();
/// search.begin(Order::DIJKSTRA, &grid, (0, 3), &Everything, &Everything);
/// let ending = search.run(&grid, &Everything, &Everything, Limits::NONE);
/// assert!(matches!(ending, Ending::Found(_)));
/// assert_eq!(search.path(), [0, 1, 2, 3]);
/// assert_eq!(search.best_cost().map(Cost::to_units), Some(9.0 + 5.0 + 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BidirectionalSearch {
    order: Option<Order>,
    /// Also the memory of whoever searches in one direction only.
    pub(crate) forward: Search,
    backward: Search,
    best: Option<Crossing>,
    /// Whether a way across was not taken because its cost cannot be represented.
    overflowed: bool,
    turn: Side,
    /// How many expansions the turn has left.
    turn_left: usize,
}

impl BidirectionalSearch {
    /// Forgets the last search and starts one between two nodes, `(start, goal)`.
    ///
    /// The only way in, for running, stepping and tasks alike. `space` and the goals must be the same in all calls until the next `begin`.
    /// [`Order::Bucketed`] is taken for A* in exact order: the proof needs the least priorities of both sides.
    pub fn begin(
        &mut self,
        order: Order,
        space: &impl Reversible,
        (start, goal): (NodeId, NodeId),
        toward_goal: &impl Goal,
        toward_start: &impl Goal,
    ) {
        let order = if order == Order::Bucketed { Order::a_star(Tie::HighG) } else { order };
        self.order = Some(order);
        self.forward.begin(order, space, &[(start, Cost::ZERO)], toward_goal);
        self.backward.begin(order, &Reverse(space), &[(goal, Cost::ZERO)], toward_start);
        self.best = (start == goal).then_some(Crossing { cost: Cost::ZERO, to: start, onward: goal });
        self.overflowed = false;
        (self.turn, self.turn_left) = (Side::Forward, 1);
    }

    /// Expands exactly one node of one side, or finds that the search is over, which is no expansion.
    ///
    /// [`Step::Found`] names a node where the ways of the two sides cross.
    pub fn step(&mut self, space: &impl Reversible, toward_goal: &impl Goal, toward_start: &impl Goal) -> Step {
        let Some((side, there_top)) = self.next_side(toward_goal, toward_start) else {
            return self.best.map_or(Step::Exhausted, |crossing| Step::Found(crossing.to));
        };
        self.turn_left -= 1;
        match side {
            Side::Forward => self.expand(side, there_top, space, toward_goal, toward_start),
            Side::Backward => self.expand(side, there_top, &Reverse(space), toward_start, toward_goal),
        }
    }

    /// Steps until the search ends or reaches a limit.
    ///
    /// With a cap of k exactly k nodes may be expanded, by both sides together; what is proven after the k-th is found.
    pub fn run(
        &mut self,
        space: &impl Reversible,
        toward_goal: &impl Goal,
        toward_start: &impl Goal,
        limits: Limits,
    ) -> Ending {
        let mut expanded = self.stats().expanded;
        let pause_at = expanded.saturating_add(limits.slice);
        loop {
            if expanded >= limits.cap && self.next_side(toward_goal, toward_start).is_some() {
                return Ending::CapReached;
            }
            if expanded >= pause_at {
                return Ending::Paused;
            }
            match self.step(space, toward_goal, toward_start) {
                Step::Expanded(_) => expanded += 1,
                Step::Found(node) => return Ending::Found(node),
                Step::Exhausted if self.has_overflowed() => return Ending::CostOverflow,
                Step::Exhausted => return Ending::Exhausted,
            }
        }
    }

    /// The node that the next step expands, on either side; `None` if the search is over.
    pub fn next_expansion(&mut self, toward_goal: &impl Goal, toward_start: &impl Goal) -> Option<NodeId> {
        let next = match self.next_side(toward_goal, toward_start)?.0 {
            Side::Forward => self.forward.peek(),
            Side::Backward => self.backward.peek(),
        };
        next.map(|(_, node)| node)
    }

    /// What both sides did so far, added up; the longest open lists, too, though they need not be of one moment.
    pub fn stats(&self) -> Stats {
        self.forward.stats().plus(self.backward.stats())
    }

    /// One of the searches, for looking at its open and closed nodes.
    pub fn side(&self, side: Side) -> &Search {
        match side {
            Side::Forward => &self.forward,
            Side::Backward => &self.backward,
        }
    }

    /// Mu, the cost of the cheapest path found so far; the answer once the search is over.
    pub fn best_cost(&self) -> Option<Cost> {
        self.best.map(|crossing| crossing.cost)
    }

    /// The nodes of the cheapest path found so far, from the start to the goal; empty if there is none yet.
    pub fn path(&self) -> Vec<NodeId> {
        let Some(Crossing { to, onward, .. }) = self.best else {
            return Vec::new();
        };
        let mut nodes: Vec<_> = self.forward.trace(to).collect();
        nodes.reverse();
        nodes.extend(self.backward.trace(onward).skip(usize::from(to == onward)));
        nodes
    }

    fn has_overflowed(&self) -> bool {
        self.overflowed || self.forward.has_overflowed() || self.backward.has_overflowed()
    }

    /// The side that expands next, and the least priority of the other one; `None` if the search is over.
    ///
    /// Throws nodes away that cannot be a part of anything cheaper than the best path found.
    fn next_side(&mut self, toward_goal: &impl Goal, toward_start: &impl Goal) -> Option<(Side, u64)> {
        let order = self.order?;
        loop {
            let (front, back) = (self.forward.peek()?, self.backward.peek()?);
            if self.best.is_some_and(|crossing| is_proven(order, crossing.cost, front.0, back.0)) {
                return None;
            }
            if self.turn_left == 0 {
                self.turn = self.smaller_side();
                self.turn_left = match order {
                    Order::Fifo => self.side(self.turn).open_len(),
                    Order::Lifo | Order::BestFirst { .. } | Order::Bucketed => 1,
                };
            }
            let (here, there, node, there_top) = match self.turn {
                Side::Forward => (&self.forward, &self.backward, front.1, back.0),
                Side::Backward => (&self.backward, &self.forward, back.1, front.0),
            };
            let cost = here.cost_to(node).unwrap_or_default();
            let is_hopeless = |mu| {
                there.state(node) == NodeState::Closed
                    || match self.turn {
                        Side::Forward => is_too_dear(order, mu, node, cost, there_top, toward_goal, toward_start),
                        Side::Backward => is_too_dear(order, mu, node, cost, there_top, toward_start, toward_goal),
                    }
            };
            if !self.best.is_some_and(|crossing| is_hopeless(crossing.cost)) {
                return Some((self.turn, there_top));
            }
            match self.turn {
                Side::Forward => self.forward.drop_next(),
                Side::Backward => self.backward.drop_next(),
            }
        }
    }

    /// The side with the shorter open list (Pohl 1971); then the one that has expanded less; then the forward one.
    fn smaller_side(&self) -> Side {
        let effort = |search: &Search| (search.open_len(), search.stats().expanded);
        if effort(&self.forward) <= effort(&self.backward) { Side::Forward } else { Side::Backward }
    }

    /// Expands the next node of a side; `ahead` is its own goal, `behind` the other side's.
    #[inline]
    fn expand(
        &mut self,
        side: Side,
        there_top: u64,
        space: &impl Space,
        ahead: &impl Goal,
        behind: &impl Goal,
    ) -> Step {
        let (Some(order), Self { forward, backward, best, overflowed, .. }) = (self.order, self) else {
            return Step::Exhausted;
        };
        let (here, there) = match side {
            Side::Forward => (forward, &*backward),
            Side::Backward => (backward, &*forward),
        };
        let Some((_, from)) = here.peek() else {
            return Step::Exhausted;
        };
        let keep = |node, cost: Cost| {
            if let Some(rest) = there.cost_to(node) {
                let Some(total) = cost.checked_add(rest) else {
                    *overflowed = true;
                    return true;
                };
                if best.is_none_or(|best| total < best.cost) {
                    let (to, onward) = match side {
                        Side::Forward => (from, node),
                        Side::Backward => (node, from),
                    };
                    *best = Some(Crossing { cost: total, to, onward });
                }
                if there.state(node) == NodeState::Closed {
                    return false;
                }
            }
            !best.is_some_and(|best| is_too_dear(order, best.cost, node, cost, there_top, ahead, behind))
        };
        let (Step::Expanded(node) | Step::Found(node)) = here.step_keeping(space, ahead, keep) else {
            return Step::Exhausted;
        };
        Step::Expanded(node)
    }
}

/// Whether no path costs less than `mu`, given the least priorities of the two open lists.
fn is_proven(order: Order, mu: Cost, front: u64, back: u64) -> bool {
    match order {
        Order::Fifo | Order::Lifo | Order::Bucketed => true,
        Order::BestFirst { g_weight, h_weight, .. } => {
            let bound = if h_weight == 0 { front.saturating_add(back) } else { front.max(back) };
            bound >= weighed(g_weight, mu)
        }
    }
}

/// Whether a way of this cost to a node can be a part of no path that costs less than `mu`.
#[inline]
fn is_too_dear(
    order: Order,
    mu: Cost,
    node: NodeId,
    cost: Cost,
    there_top: u64,
    ahead: &impl Goal,
    behind: &impl Goal,
) -> bool {
    let Order::BestFirst { g_weight, h_weight, .. } = order else {
        return false;
    };
    let rest = if h_weight == 0 {
        there_top
    } else {
        let beyond = there_top.saturating_sub(weighed(h_weight, behind.estimate(node)));
        beyond.max(weighed(h_weight, ahead.estimate(node)))
    };
    weighed(g_weight, cost).saturating_add(rest) >= weighed(g_weight, mu)
}
