//! Searching a contraction hierarchy: up from the start, up from the goal.

use crate::cost::Cost;
use crate::graph::hierarchy::{ContractionHierarchy, Place, Rows};
use crate::search::{Ending, Limits, Order, Search, Stats, Step};
use crate::space::{Everything, NodeId};

/// A search over a [`ContractionHierarchy`] that can be paused, resumed, watched and used again.
///
/// From both ends Dijkstra's algorithm runs over the edges that lead to more important nodes. Wherever both have been, a way across is
/// known; a side is done when the least cost on its open list is no less than that of the cheapest way across. A node that can be
/// reached more cheaply by way of a more important one is on no cheapest path that climbs: it is passed over ("stall on demand"),
/// which is no expansion.
///
/// Memory: 24 bytes a node.
#[derive(Clone, Debug, Default)]
pub struct ContractionSearch {
    forward: Search,
    backward: Search,
    /// The cheapest way across, and where it crosses.
    best: Option<(Cost, Place)>,
    overflowed: bool,
}

impl ContractionSearch {
    /// Forgets the last search and starts one between two nodes; the only way in. Whether both are nodes of the hierarchy.
    pub fn begin(&mut self, hierarchy: &ContractionHierarchy, start: NodeId, goal: NodeId) -> bool {
        let ends = hierarchy.place(start).zip(hierarchy.place(goal));
        let sources = |place: Option<Place>| place.map(|place| (place, Cost::ZERO));
        let (start, goal) = (sources(ends.map(|ends| ends.0)), sources(ends.map(|ends| ends.1)));
        self.forward.begin(Order::DIJKSTRA, &&hierarchy.up, start.as_slice(), &Everything);
        self.backward.begin(Order::DIJKSTRA, &&hierarchy.down, goal.as_slice(), &Everything);
        self.best = None;
        self.overflowed = false;
        ends.is_some()
    }

    /// Expands exactly one node of one side, or finds that the search is over.
    ///
    /// [`Step::Found`] names the most important node of the way.
    pub fn step(&mut self, hierarchy: &ContractionHierarchy) -> Step {
        let Some(is_forward) = self.next_side(hierarchy) else {
            return self.best.map_or(Step::Exhausted, |(_, place)| Step::Found(hierarchy.node(place)));
        };
        let Self { forward, backward, best, overflowed } = self;
        let (here, there, rows) =
            if is_forward { (forward, &*backward, &hierarchy.up) } else { (backward, &*forward, &hierarchy.down) };
        let is_cheaper = |cost: Cost| best.is_none_or(|(least, _)| cost < least);
        let (Step::Expanded(place) | Step::Found(place)) =
            here.step_keeping(&rows, &Everything, |_, cost| is_cheaper(cost))
        else {
            return Step::Exhausted;
        };
        if let Some((cost, rest)) = here.cost_to(place).zip(there.cost_to(place)) {
            match cost.checked_add(rest) {
                Some(total) if is_cheaper(total) => *best = Some((total, place)),
                Some(_) => {}
                None => *overflowed = true,
            }
        }
        Step::Expanded(hierarchy.node(place))
    }

    /// Steps until the search ends or reaches a limit; what is proven after the last expansion of the cap is found.
    pub fn run(&mut self, hierarchy: &ContractionHierarchy, limits: Limits) -> Ending {
        let pause_at = self.stats().expanded.saturating_add(limits.slice);
        loop {
            let expanded = self.stats().expanded;
            if expanded >= limits.cap && self.next_side(hierarchy).is_some() {
                return Ending::CapReached;
            }
            if expanded >= pause_at {
                return Ending::Paused;
            }
            match self.step(hierarchy) {
                Step::Expanded(_) => {}
                Step::Found(node) => return Ending::Found(node),
                Step::Exhausted if self.has_overflowed() => return Ending::CostOverflow,
                Step::Exhausted => return Ending::Exhausted,
            }
        }
    }

    /// What both sides did so far, added up.
    pub fn stats(&self) -> Stats {
        self.forward.stats().plus(self.backward.stats())
    }

    /// The cost of the cheapest way across that was found so far; the answer once the search is over.
    pub fn best_cost(&self) -> Option<Cost> {
        self.best.map(|(cost, _)| cost)
    }

    /// The nodes of the cheapest path found so far, from the start to the goal; `None` if there is none yet.
    pub fn path(&self, hierarchy: &ContractionHierarchy) -> Option<Vec<NodeId>> {
        let (_, top) = self.best?;
        let mut places: Vec<_> = self.forward.trace(top).collect();
        places.reverse();
        places.extend(self.backward.trace(top).skip(1));
        hierarchy.unpacked(&places)
    }

    fn has_overflowed(&self) -> bool {
        self.overflowed || self.forward.has_overflowed() || self.backward.has_overflowed()
    }

    /// Whether the forward side expands next; `None` if the search is over. Passes over nodes that lead nowhere.
    fn next_side(&mut self, hierarchy: &ContractionHierarchy) -> Option<bool> {
        loop {
            let least = self.best.map(|(cost, _)| cost);
            let [front, back] = [&mut self.forward, &mut self.backward].map(|side| {
                let place = side.peek()?.1;
                let cost = side.cost_to(place)?;
                least.is_none_or(|least| cost < least).then_some((cost, place))
            });
            let is_forward = match (front, back) {
                (Some((front, _)), Some((back, _))) => front <= back,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => return None,
            };
            let (side, next, from_above) = if is_forward {
                (&mut self.forward, front, &hierarchy.down)
            } else {
                (&mut self.backward, back, &hierarchy.up)
            };
            if !next.is_some_and(|(cost, place)| is_stalled(side, from_above, cost, place)) {
                return Some(is_forward);
            }
            side.drop_next();
        }
    }
}

/// Whether a more important node that a side has seen leads down to a place more cheaply than the side came there.
fn is_stalled(side: &Search, from_above: &Rows, cost: Cost, place: Place) -> bool {
    let ways = from_above.row(place).iter();
    ways.filter_map(|&(above, step)| side.cost_to(above)?.checked_add(step)).any(|way| way < cost)
}
