//! The open list of [`Order::Bucketed`](crate::search::Order::Bucketed).

use super::bucket_ring::BucketRing;
use crate::cost::Cost;
use crate::space::NodeId;

/// The width of a bucket is 2 to this power, two fifths of a straight step on plain ground: wide enough that buckets are seldom
/// empty, and so narrow that a node of a bucket hardly ever makes another one of it cheaper.
const LEAST_SHIFT: u32 = 10;

/// A node and the cost at which it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub node: NodeId,
    pub cost: Cost,
}

/// Nodes bucket by bucket of their priorities; within a bucket what came last is first, and what comes too late for its own bucket
/// belongs into the current one.
#[derive(Clone, Debug)]
pub(crate) struct BucketStack {
    ring: BucketRing<Reached>,
    /// The memory of [`BucketStack::keep_current`].
    kept: Vec<Reached>,
}

impl Default for BucketStack {
    fn default() -> Self {
        Self { ring: BucketRing::new(LEAST_SHIFT), kept: Vec::new() }
    }
}

impl BucketStack {
    pub fn clear(&mut self) {
        self.ring.clear();
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Makes the bucket of a priority the current one. There must be no entry.
    pub fn start_at(&mut self, priority: u64) {
        self.ring.start_at(priority);
    }

    #[inline(always)]
    pub fn push(&mut self, priority: u64, entry: Reached) {
        self.ring.put_late(priority, entry);
    }

    /// Throws away what is in later buckets, and of the current one all that is not to be kept.
    pub fn keep_current(&mut self, mut keep: impl FnMut(Reached) -> bool) {
        let mut kept = std::mem::take(&mut self.kept);
        self.ring.pop_all(&mut kept);
        self.ring.drain(|_| {});
        kept.drain(..).filter(|&entry| keep(entry)).for_each(|entry| self.ring.put_now(entry));
        self.kept = kept;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Reached> {
        loop {
            let entry = self.ring.pop();
            if entry.is_some() || !self.ring.advance() {
                return entry;
            }
        }
    }

    /// What [`BucketStack::pop`] takes next.
    pub fn peek(&mut self) -> Option<Reached> {
        loop {
            let entry = self.ring.peek();
            if entry.is_some() || !self.ring.advance() {
                return entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_bucket_by_bucket_and_the_last_one_first() {
        let mut seed = 3_u64;
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        for round in 0..200 {
            let mut list = BucketStack::default();
            let mut plain: Vec<(u64, Reached)> = Vec::new();
            let (mut now, mut turn) = (0, 0);
            // The last one reaches beyond the ring: what waited there may come before what was put into the bucket itself.
            let range = [1, 1 << 10, 1 << 18, 1 << 20, 1 << 22][round % 5];
            while turn < 300 || !plain.is_empty() {
                for _ in 0..if turn < 300 { roll(4) } else { 0 } {
                    let priority = (now << LEAST_SHIFT) + roll(range);
                    let entry = Reached { node: plain.len() as NodeId, cost: Cost::from_raw(roll(1 << 20) as u32) };
                    if plain.is_empty() {
                        now = priority >> LEAST_SHIFT;
                        list.start_at(priority);
                    }
                    list.push(priority, entry);
                    plain.push(((priority >> LEAST_SHIFT).max(now), entry));
                }
                turn += 1;
                assert_eq!(list.len(), plain.len());
                let least = plain.iter().map(|&(number, _)| number).min();
                let next = list.peek();
                let place = plain
                    .iter()
                    .rposition(|&(number, entry)| Some(number) == least && (range <= 1 << 20 || Some(entry) == next));
                let expected = place.map(|place| plain.remove(place));
                now = expected.map_or(now, |(number, _)| number);
                assert_eq!(next, expected.map(|(_, entry)| entry), "{range}");
                assert_eq!(list.pop(), next);
            }
        }
    }
}
