//! The search in [`Order::Bucketed`](super::Order::Bucketed).
//!
//! It is *label-correcting*: a node may be expanded at a cost that is not the least one yet, and then again. So the goal is not
//! the answer when it is expanded, but the *incumbent*; nothing that cannot lead to a cheaper one is kept or put on the open list
//! any more, and when the list is empty the incumbent is proven.

use super::{Search, Step};
use crate::cost::Cost;
use crate::space::{Goal, NodeId, Space};
use crate::workspace::{NodeState, Reached};

impl Search {
    /// Expands the next node. [`Step::Found`] once the incumbent is proven, at its expansion or later.
    #[inline(always)]
    pub(super) fn step_roughly(
        &mut self,
        space: &impl Space,
        goal: &impl Goal,
        mut keep: impl FnMut(NodeId, Cost) -> bool,
    ) -> Step {
        let Some((Reached { node, cost }, parent)) = self.next_roughly() else {
            return self.incumbent.map_or(Step::Exhausted, Step::Found);
        };
        self.note_expansion(goal, node, cost);
        if goal.is_goal(node) {
            return self.take_for_best(node, cost, goal);
        }
        space.expand(node, parent, |next, step| {
            self.reach_roughly(next, cost.saturating_add(step), Some(node), goal, &mut keep);
        });
        self.stats.peak_open = self.stats.peak_open.max(self.workspace.stack.len());
        Step::Expanded(node)
    }

    /// The node that is expanded next. Throws overtaken entries away.
    pub(super) fn peek_roughly(&mut self) -> Option<Reached> {
        loop {
            let reached = self.workspace.stack.peek()?;
            if self.workspace.look(reached.node).1 == reached.cost {
                return Some(reached);
            }
            self.workspace.stack.pop();
        }
    }

    /// Takes the next node off the open list and closes it; its parent, too.
    #[inline(always)]
    pub(super) fn next_roughly(&mut self) -> Option<(Reached, Option<NodeId>)> {
        loop {
            let reached = self.workspace.stack.pop()?;
            // A node is put on the list once at each cost, so that an entry with the least one was not expanded yet.
            if let Some(parent) = self.workspace.close_at(reached) {
                return Some((reached, parent));
            }
        }
    }

    /// Makes a goal that is expanded the incumbent.
    #[inline(never)]
    fn take_for_best(&mut self, node: NodeId, cost: Cost, goal: &impl Goal) -> Step {
        self.incumbent = Some(node);
        self.best_bound = bound(cost);
        // What lies in later buckets has higher priorities than the goal, and so leads to nothing cheaper.
        self.workspace.stack.keep_current(|reached| rough_priority(reached.cost, goal, reached.node) < bound(cost));
        if self.peek_roughly().is_none() { Step::Found(node) } else { Step::Expanded(node) }
    }

    /// Puts a node on the open list, unless it is known at no higher cost, or is not to be kept, or cannot be on a way to a goal cheaper
    /// than the incumbent. [`Cost::MAX`] is a cost that cannot be represented.
    #[inline(always)]
    pub(super) fn reach_roughly(
        &mut self,
        node: NodeId,
        cost: Cost,
        parent: Option<NodeId>,
        goal: &impl Goal,
        keep: &mut impl FnMut(NodeId, Cost) -> bool,
    ) {
        if !self.workspace.is_known_at(Reached { node, cost }) {
            self.improve_roughly(Reached { node, cost }, parent, goal, keep);
        }
    }

    /// As [`Search::reach_roughly`], for a node that is not known at this cost or a lower one.
    #[inline(always)]
    fn improve_roughly(
        &mut self,
        reached: Reached,
        parent: Option<NodeId>,
        goal: &impl Goal,
        keep: &mut impl FnMut(NodeId, Cost) -> bool,
    ) {
        let Reached { node, cost } = reached;
        if cost == Cost::MAX {
            self.overflowed = true;
            return;
        }
        let priority = rough_priority(cost, goal, node);
        if priority >= self.best_bound || !keep(node, cost) {
            return;
        }
        match self.workspace.open_roughly(reached, parent, priority) {
            NodeState::Unseen => self.stats.generated += 1,
            NodeState::Open => self.stats.improved += 1,
            NodeState::Closed => self.stats.reopened += 1,
        }
    }

    /// Makes room for the first nodes.
    pub(super) fn begin_roughly(&mut self, sources: &[(NodeId, Cost)], goal: &impl Goal) {
        let least = sources.iter().map(|&(node, cost)| rough_priority(cost, goal, node)).min();
        self.workspace.stack.start_at(least.unwrap_or_default());
    }
}

/// The priority of a node that is reached at this cost. Wider than a cost, so that no sum is too large.
#[inline]
fn rough_priority(cost: Cost, goal: &impl Goal, node: NodeId) -> u64 {
    bound(cost) + bound(goal.estimate(node))
}

/// The priority of a goal that is reached at this cost.
#[inline]
fn bound(cost: Cost) -> u64 {
    u64::from(cost.raw())
}
