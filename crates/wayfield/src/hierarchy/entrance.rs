//! Which of the steps from cluster to cluster become crossings of the abstract graph.
//!
//! Straight steps over a border that can stand in for each other, because their ends reach each other within their
//! clusters, are an *entrance*: of each one a few are chosen. A diagonal step is left out if it can be walked around
//! in two straight ones. All others are kept.

use super::Hierarchy;
use crate::cost::Cost;
use crate::direction::Direction;
use crate::grid::Cell;
use crate::space::{NodeId, Reversible};

/// Up to this width an entrance has one crossing, in its middle.
const NARROW: usize = 5;
/// A wider one has one crossing at either end, and one more for each of as many cells beyond the first two.
const STRETCH: usize = 4;

/// A chosen step into a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossing {
    pub to: NodeId,
    pub from: NodeId,
    pub cost: Cost,
}

/// Two cells on either side of a border, and the steps between them.
#[derive(Clone, Copy)]
struct Pair {
    /// Pairs with the same key can stand in for each other: the parts of the clusters, and the legal directions.
    key: (u8, u8, bool, bool),
    /// Where on the border it is.
    place: usize,
    inside: NodeId,
    outside: NodeId,
    into: Option<Cost>,
    out: Option<Cost>,
}

impl Pair {
    /// What crossing costs, there and back: the same seen from either side.
    fn weight(&self) -> u64 {
        [self.into, self.out].into_iter().flatten().map(|cost| u64::from(cost.raw())).sum()
    }
}

/// The chosen steps into a cluster, in ascending order, once the parts of the clusters are known.
pub(super) fn crossings_into(space: &impl Reversible, hierarchy: &Hierarchy, cluster: u32) -> Vec<Crossing> {
    let (size, rect) = (hierarchy.size, hierarchy.cluster_rect(cluster));
    let mut crossings = Vec::new();
    let mut pairs = Vec::new();
    let corners = [(rect.min.x, rect.min.y), (rect.max.x, rect.min.y), (rect.min.x, rect.max.y)].map(Cell::from);
    let sides = [
        (Direction::North, corners[0], Direction::East),
        (Direction::South, corners[2], Direction::East),
        (Direction::West, corners[0], Direction::South),
        (Direction::East, corners[1], Direction::South),
    ];
    for (outward, first, along) in sides {
        pairs.clear();
        let cells = std::iter::successors(Some(first), |cell| Some(cell.step(along)));
        for (place, cell) in cells.take_while(|&cell| rect.contains(cell)).enumerate() {
            let Some((inside, outside)) = size.index(cell).zip(size.index(cell.step(outward))) else { break };
            let (into, out) = (step(space, outside, inside), step(space, inside, outside));
            let key = (hierarchy.part(inside), hierarchy.part(outside), into.is_some(), out.is_some());
            pairs.push(Pair { key, place, inside, outside, into, out });
        }
        pairs.sort_by_key(|pair| pair.key);
        for entrance in pairs.chunk_by(|one, other| one.key == other.key) {
            choose(entrance, |pair| {
                let crossing = |cost| Crossing { to: pair.inside, from: pair.outside, cost };
                crossings.extend(pair.into.map(crossing));
            });
        }
    }
    for to in rect.cells().filter_map(|cell| size.index(cell)) {
        space.expand_back(to, |from, cost| {
            if hierarchy.cluster_of(from) != cluster && is_kept(space, hierarchy, from, to) {
                crossings.push(Crossing { to, from, cost });
            }
        });
    }
    crossings.sort_unstable();
    crossings.dedup_by_key(|crossing| (crossing.to, crossing.from));
    crossings
}

/// Whether a step between clusters that is no part of an entrance becomes a crossing.
fn is_kept(space: &impl Reversible, hierarchy: &Hierarchy, from: NodeId, to: NodeId) -> bool {
    let size = hierarchy.size;
    let (start, end) = (size.cell(from), size.cell(to));
    let Some(direction) = start.direction_to(end) else { return true };
    let Some((one, other)) = direction.sides() else { return false };
    let leads_round = |side| {
        size.index(start.step(side))
            .is_some_and(|side| step(space, from, side).is_some() && step(space, side, to).is_some())
    };
    !leads_round(one) && !leads_round(other)
}

/// Chooses of the pairs of an entrance: the cheapest of each stretch, of equal ones that which lies best.
fn choose(entrance: &[Pair], mut take: impl FnMut(&Pair)) {
    let (Some(first), Some(last)) = (entrance.first(), entrance.last()) else { return };
    let width = last.place - first.place + 1;
    let stretches = if width <= NARROW { 1 } else { width.div_ceil(STRETCH).max(2) };
    let stretch_of = |pair: &Pair| (pair.place - first.place) * stretches / width;
    for pairs in entrance.chunk_by(|one, other| stretch_of(one) == stretch_of(other)) {
        let (Some(begin), Some(end)) = (pairs.first(), pairs.last()) else { continue };
        let aim = match (begin.place == first.place, end.place == last.place) {
            (true, false) => begin.place,
            (false, true) => end.place,
            _ => (begin.place + end.place) / 2,
        };
        let best = pairs.iter().min_by_key(|pair| (pair.weight(), pair.place.abs_diff(aim), pair.place));
        best.into_iter().for_each(&mut take);
    }
}

/// What the step from one cell to another costs, if it is legal; never out of a wall.
fn step(space: &impl Reversible, from: NodeId, to: NodeId) -> Option<Cost> {
    let mut least = None;
    space.expand_back(to, |previous, cost| {
        if previous == from {
            least = Some(least.map_or(cost, |least| cost.min(least)));
        }
    });
    least
}
