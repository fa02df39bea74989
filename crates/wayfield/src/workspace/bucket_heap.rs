//! The open list of best-first searches with estimates, whose least priority hardly ever falls.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Entry;
use super::bucket_ring::BucketRing;

/// The width of a bucket is at least 2 to this power: priorities count in 1/1024ths, so that is a ninth of a straight step on plain
/// ground. Wider ones have more to put in order, narrower ones are more often empty.
const LEAST_SHIFT: u32 = 18;

/// Entries in their order, exactly that of a binary heap.
///
/// A heap holds only what comes next, the entries of one bucket; the others lie in buckets of equal width in no order, most
/// of them for ever, since a search ends before their turn (the hot queue of Cherkassky, Goldberg and Silverstein 1999).
#[derive(Clone, Debug)]
pub(crate) struct BucketHeap {
    /// The entries of the current bucket as it was when its turn came, the least one last.
    sorted: Vec<Entry>,
    /// What has come since then into that bucket, or into one before it.
    late: BinaryHeap<Reverse<Entry>>,
    /// The later buckets; the current one is empty.
    later: BucketRing<Entry>,
}

impl Default for BucketHeap {
    fn default() -> Self {
        Self { sorted: Vec::new(), late: BinaryHeap::new(), later: BucketRing::new(LEAST_SHIFT) }
    }
}

impl BucketHeap {
    pub fn clear(&mut self) {
        self.sorted.clear();
        self.late.clear();
        self.later.clear();
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.sorted.len() + self.late.len() + self.later.len()
    }

    #[inline]
    pub fn push(&mut self, entry: Entry) {
        if self.len() == 0 {
            self.later.start_at(entry.priority());
        }
        self.put(entry);
    }

    /// The least entry.
    #[inline]
    pub fn peek(&mut self) -> Option<Entry> {
        if self.sorted.is_empty() && self.late.is_empty() {
            self.refill();
        }
        let late = self.late.peek().map(|&Reverse(entry)| entry);
        match (self.sorted.last().copied(), late) {
            (Some(sorted), Some(late)) => Some(sorted.min(late)),
            (sorted, late) => sorted.or(late),
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Entry> {
        if self.sorted.is_empty() && self.late.is_empty() {
            self.refill();
        }
        let is_late = match (self.sorted.last(), self.late.peek()) {
            (Some(sorted), Some(Reverse(late))) => late < sorted,
            (sorted, _) => sorted.is_none(),
        };
        if is_late { self.late.pop().map(|Reverse(entry)| entry) } else { self.sorted.pop() }
    }

    /// Gives every entry another priority, or takes it off. Time: linear in the list.
    pub fn reorder(&mut self, priority: impl Fn(Entry) -> Option<u64>) {
        let mut entries = std::mem::take(&mut self.sorted);
        entries.extend(self.late.drain().map(|Reverse(entry)| entry));
        self.later.drain(|entry| entries.push(entry));
        entries.retain_mut(|entry| {
            priority(*entry).is_some_and(|priority| {
                *entry = Entry::new(priority, entry.tie(), entry.node());
                true
            })
        });
        self.later.start_at(entries.iter().map(|entry| entry.priority()).min().unwrap_or_default());
        entries.drain(..).for_each(|entry| self.put(entry));
        // Its memory is used again.
        self.sorted = entries;
    }

    #[inline]
    fn put(&mut self, entry: Entry) {
        if !self.later.put(entry.priority(), entry) {
            self.late.push(Reverse(entry));
        }
    }

    /// Goes on to the next bucket that holds something.
    #[inline]
    fn refill(&mut self) {
        if self.later.advance() {
            self.later.pop_all(&mut self.sorted);
            self.sorted.sort_unstable_by(|one, other| other.cmp(one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_the_order_of_a_binary_heap() {
        let (mut list, mut plain) = (BucketHeap::default(), BinaryHeap::new());
        let mut seed = 7u64;
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        for round in 0..400 {
            list.clear();
            plain.clear();
            // From "all in one bucket" to "none in the buckets there are", and now and then less than the least.
            let range = [1, 1 << 10, 1 << 18, 1 << 22, 1 << 30, 1 << 45][round % 6];
            let (mut least, back) = (1 << 46, [0, range / 4][round / 6 % 2]);
            for turn in 0..300 {
                for _ in 0..roll(4) {
                    let priority = least + roll(u64::from(u32::MAX)) * (range >> 20).max(1) % range - roll(back + 1);
                    let entry = Entry::new(priority, roll(3) as u32, roll(50) as u32);
                    list.push(entry);
                    plain.push(Reverse(entry));
                }
                assert_eq!(list.len(), plain.len());
                let expected = plain.peek().map(|&Reverse(entry)| entry);
                assert_eq!(list.peek(), expected);
                if roll(5) > 0 {
                    assert_eq!(list.pop(), expected);
                    plain.pop();
                }
                least = expected.map_or(least, Entry::priority);
                if turn % 100 == 99 {
                    let other =
                        |entry: Entry| (!entry.node().is_multiple_of(7)).then_some(entry.priority() ^ 0xFF_FFFF);
                    list.reorder(other);
                    let kept = plain.drain().filter_map(|Reverse(entry)| {
                        Some(Reverse(Entry::new(other(entry)?, entry.tie(), entry.node())))
                    });
                    plain = kept.collect();
                }
            }
        }
    }
}
