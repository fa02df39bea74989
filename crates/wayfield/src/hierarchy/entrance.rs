//! Which of the steps from cluster to cluster become crossings of the abstract graph.
//!
//! Steps over a border that can stand in for each other, because their ends reach each other within their clusters,
//! are an *entrance*: of each one a few are chosen. A diagonal step to a cluster that touches at a corner is left out
//! if there is a way of two straight steps round it, not much dearer. All others are kept.

use super::Hierarchy;
use crate::cost::Cost;
use crate::direction::Direction;
use crate::grid::{Cell, CellRect};
use crate::space::{NodeId, Reversible};

/// Up to this width an entrance has one crossing, in its middle.
const NARROW: usize = 5;
/// A wider one has one crossing in each stretch of up to so many cells, and at least two: at its ends and between.
const STRETCH: usize = 6;

/// How many times as dear a way round a diagonal may be to replace it.
const DETOUR: u32 = 2;

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
    /// Pairs with the same key can stand in for each other: the parts inside and outside, and whether there is a way back.
    key: (u8, u8, bool),
    /// Where on the border it is, in half cells.
    place: usize,
    inside: NodeId,
    outside: NodeId,
    into: Option<Cost>,
    out: Option<Cost>,
}

impl Pair {
    /// Orders two that cross each other, the same seen from either side.
    fn first(&self) -> NodeId {
        self.inside.min(self.outside)
    }

    /// What crossing costs, there and back: the same seen from either side.
    fn weight(&self) -> u64 {
        [self.into, self.out].into_iter().flatten().map(|cost| u64::from(cost.raw())).sum()
    }
}

/// The chosen steps into a cluster, in ascending order, once the parts of the clusters are known.
pub(super) fn crossings_into(space: &impl Reversible, hierarchy: &Hierarchy, cluster: u32) -> Vec<Crossing> {
    let rect = hierarchy.cluster_rect(cluster);
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
        read_border(space, hierarchy, rect, (first, along, outward), &mut pairs);
        pairs.sort_by_key(|pair| (pair.key, pair.place, pair.first()));
        for entrance in pairs.chunk_by(|one, other| one.key == other.key) {
            choose(entrance, |pair| {
                let crossing = |cost| Crossing { to: pair.inside, from: pair.outside, cost };
                crossings.extend(pair.into.map(crossing));
            });
        }
    }
    let cells = hierarchy.local_cells(cluster);
    for (to, row) in cells.nodes() {
        space.expand_back(to, |from, cost| {
            if cells.number_near(from, row).is_none() && is_kept(space, hierarchy, from, to, cost) {
                crossings.push(Crossing { to, from, cost });
            }
        });
    }
    crossings.sort_unstable();
    crossings.dedup_by_key(|crossing| (crossing.to, crossing.from));
    crossings.shrink_to_fit();
    crossings
}

/// Lists the steps over one side into a cluster: straight ones, and diagonals out of the same cluster.
fn read_border(
    space: &impl Reversible,
    hierarchy: &Hierarchy,
    rect: CellRect,
    (first, along, outward): (Cell, Direction, Direction),
    pairs: &mut Vec<Pair>,
) {
    let size = hierarchy.size;
    pairs.clear();
    let inner = std::iter::successors(Some(first), |cell| Some(cell.step(along)));
    let border = inner
        .take_while(|&cell| rect.contains(cell))
        .map_while(|cell| size.index(cell).zip(size.index(cell.step(outward))));
    let border: Vec<_> = border.collect();
    let parts: Vec<_> =
        border.iter().map(|&(inside, outside)| (hierarchy.part(inside), hierarchy.part(outside))).collect();
    for (place, (&(inside, _), &(part, _))) in border.iter().zip(&parts).enumerate() {
        for other in place.saturating_sub(1)..=(place + 1).min(border.len() - 1) {
            let key = (part, parts[other].1, false);
            let outside = border[other].1;
            pairs.push(Pair { key, place: place + other, inside, outside, into: None, out: None });
        }
    }
    // Each place but the first and the last has three pairs: the one of `place` and `other` is number 2 place + other.
    for (place, &(inside, outside)) in border.iter().enumerate() {
        let beside = place.saturating_sub(1)..(place + 2).min(border.len());
        space.expand_back(inside, |from, cost| {
            if let Some(other) = beside.clone().find(|&other| border[other].1 == from) {
                least(&mut pairs[2 * place + other].into, cost);
            }
        });
        space.expand_back(outside, |from, cost| {
            if let Some(other) = beside.clone().find(|&other| border[other].0 == from) {
                least(&mut pairs[2 * other + place].out, cost);
            }
        });
    }
    pairs.retain(|pair| pair.into.is_some());
    pairs.iter_mut().for_each(|pair| pair.key.2 = pair.out.is_some());
}

/// Whether a step between clusters that is no part of an entrance becomes a crossing.
fn is_kept(space: &impl Reversible, hierarchy: &Hierarchy, from: NodeId, to: NodeId, cost: Cost) -> bool {
    let size = hierarchy.size;
    let (start, end) = (size.cell(from), size.cell(to));
    let direction = start.direction_to(end);
    if direction.is_some() && hierarchy.are_side_by_side(from, to) {
        return false;
    }
    let Some((one, other)) = direction.and_then(Direction::sides) else { return true };
    let round = [one, other].into_iter().filter_map(|side| {
        let side = size.index(start.step(side))?;
        step(space, from, side)?.checked_add(step(space, side, to)?)
    });
    round.min().is_none_or(|round| round > cost.saturating_mul(DETOUR))
}

/// Chooses of the pairs of an entrance: the cheapest of each stretch, of equal ones that which lies best.
fn choose(entrance: &[Pair], mut take: impl FnMut(&Pair)) {
    let (Some(first), Some(last)) = (entrance.first(), entrance.last()) else { return };
    let halves = last.place - first.place + 1;
    let width = halves.div_ceil(2);
    let stretches = if width <= NARROW { 1 } else { width.div_ceil(STRETCH).max(2) };
    let stretch_of = |pair: &Pair| (pair.place - first.place) * stretches / halves;
    for pairs in entrance.chunk_by(|one, other| stretch_of(one) == stretch_of(other)) {
        let (Some(begin), Some(end)) = (pairs.first(), pairs.last()) else { continue };
        let aim = match (begin.place == first.place, end.place == last.place) {
            (true, false) => begin.place,
            (false, true) => end.place,
            _ => (begin.place + end.place) / 2,
        };
        let best = pairs.iter().min_by_key(|pair| (pair.weight(), pair.place.abs_diff(aim), pair.place, pair.first()));
        best.into_iter().for_each(&mut take);
    }
}

/// What the step from one cell to another costs, if it is legal; never out of a wall.
fn step(space: &impl Reversible, from: NodeId, to: NodeId) -> Option<Cost> {
    let mut cost = None;
    space.expand_back(to, |previous, step| {
        if previous == from {
            least(&mut cost, step);
        }
    });
    cost
}

fn least(known: &mut Option<Cost>, cost: Cost) {
    *known = Some(known.map_or(cost, |known| known.min(cost)));
}
