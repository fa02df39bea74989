//! The open list of best-first searches with estimates, whose least priority hardly ever falls.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Entry;

/// How many buckets there are.
const BUCKETS: usize = 1024;
const WORDS: usize = BUCKETS / 64;
/// The width of a bucket is at least 2 to this power: priorities count in 1/1024ths, so that is a ninth of a straight step on plain
/// ground. Wider ones have more to put in order, narrower ones are more often empty.
const LEAST_SHIFT: u32 = 18;

/// Entries in their order, exactly that of a binary heap.
///
/// A heap holds only what comes next, the entries of one bucket; the others lie in buckets of equal width in no order, most
/// of them for ever, since a search ends before their turn (buckets: Dial 1969; the two together: the hot queue of
/// Cherkassky, Goldberg and Silverstein 1999).
#[derive(Clone, Debug)]
pub(crate) struct BucketHeap {
    /// The entries of the bucket `current` as it was when its turn came, the least one last.
    sorted: Vec<Entry>,
    /// What has come since then into that bucket, or into one before it.
    late: BinaryHeap<Reverse<Entry>>,
    /// The entries of the next buckets, each at its number modulo [`BUCKETS`].
    buckets: Vec<Vec<Entry>>,
    /// A bit for each bucket that holds something.
    filled: [u64; WORDS],
    /// The entries of later buckets, and the number of the first of those.
    far: Vec<Entry>,
    nearest_far: u64,
    /// The number of a bucket is a priority without so many of its low bits.
    shift: u32,
    current: u64,
    len: usize,
}

impl Default for BucketHeap {
    fn default() -> Self {
        Self {
            sorted: Vec::new(),
            late: BinaryHeap::new(),
            buckets: Vec::new(),
            filled: [0; WORDS],
            far: Vec::new(),
            nearest_far: u64::MAX,
            shift: LEAST_SHIFT,
            current: 0,
            len: 0,
        }
    }
}

impl BucketHeap {
    pub fn clear(&mut self) {
        self.sorted.clear();
        self.late.clear();
        self.far.clear();
        for (word, filled) in self.filled.iter_mut().enumerate() {
            while *filled != 0 {
                self.buckets[word * 64 + filled.trailing_zeros() as usize].clear();
                *filled &= *filled - 1;
            }
        }
        self.nearest_far = u64::MAX;
        self.shift = LEAST_SHIFT;
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, entry: Entry) {
        if self.len == 0 {
            self.current = entry.priority() >> self.shift;
        }
        self.len += 1;
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
        let entry = if is_late { self.late.pop().map(|Reverse(entry)| entry) } else { self.sorted.pop() }?;
        self.len -= 1;
        Some(entry)
    }

    /// Gives every entry another priority, or takes it off. Time: linear in the list.
    pub fn reorder(&mut self, priority: impl Fn(Entry) -> Option<u64>) {
        let mut entries = self.take();
        entries.retain_mut(|entry| {
            priority(*entry).is_some_and(|priority| {
                *entry = Entry::new(priority, entry.tie(), entry.node());
                true
            })
        });
        self.spread(entries);
    }

    #[inline]
    fn put(&mut self, entry: Entry) {
        let number = entry.priority() >> self.shift;
        if number <= self.current {
            self.late.push(Reverse(entry));
        } else if number - self.current < BUCKETS as u64 {
            let place = number as usize % BUCKETS;
            match self.buckets.get_mut(place) {
                Some(bucket) => bucket.push(entry),
                None => self.make_buckets(place, entry),
            }
            self.filled[place / 64] |= 1 << (place % 64);
        } else {
            self.nearest_far = self.nearest_far.min(number);
            self.far.push(entry);
        }
    }

    /// There are no buckets until one is needed: many searches end before that.
    #[cold]
    fn make_buckets(&mut self, place: usize, entry: Entry) {
        self.buckets.resize(BUCKETS, Vec::new());
        self.buckets[place].push(entry);
    }

    /// Goes on to the next bucket that holds something.
    #[inline(never)]
    fn refill(&mut self) {
        match self.next_filled() {
            Some(number) if number < self.nearest_far => {
                self.current = number;
                let place = number as usize % BUCKETS;
                self.filled[place / 64] &= !(1 << (place % 64));
                // Not swapped: every bucket keeps its memory, so that the same search allocates nothing the next time.
                self.sorted.append(&mut self.buckets[place]);
                self.sorted.sort_unstable_by(|one, other| other.cmp(one));
            }
            _ if self.len > 0 => {
                let entries = self.take();
                self.spread(entries);
            }
            _ => {}
        }
    }

    /// The number of the next bucket that holds something.
    #[inline]
    fn next_filled(&self) -> Option<u64> {
        let first = (self.current + 1) as usize % BUCKETS;
        let bits = self.filled[first / 64] >> (first % 64);
        if bits != 0 {
            return Some(self.current + 1 + u64::from(bits.trailing_zeros()));
        }
        // The bits before the first one in its word come last of all, when the words have been gone round.
        (1..=WORDS).find_map(|after| {
            let bits = self.filled[(first / 64 + after) % WORDS];
            let ahead = after * 64 - first % 64 + bits.trailing_zeros() as usize;
            (bits != 0).then_some(self.current + 1 + ahead as u64)
        })
    }

    /// Takes all entries out, in no order.
    fn take(&mut self) -> Vec<Entry> {
        let mut entries = std::mem::take(&mut self.far);
        entries.append(&mut self.sorted);
        entries.extend(self.late.drain().map(|Reverse(entry)| entry));
        for (word, filled) in self.filled.iter_mut().enumerate() {
            while *filled != 0 {
                entries.append(&mut self.buckets[word * 64 + filled.trailing_zeros() as usize]);
                *filled &= *filled - 1;
            }
        }
        self.nearest_far = u64::MAX;
        self.len = 0;
        entries
    }

    /// Puts entries into the empty list, in buckets of such a width that there is a place for all.
    fn spread(&mut self, mut entries: Vec<Entry>) {
        let least = entries.iter().map(|entry| entry.priority()).min().unwrap_or_default();
        let greatest = entries.iter().map(|entry| entry.priority()).max().unwrap_or_default();
        let bits = u64::BITS - (greatest - least).leading_zeros();
        self.shift = LEAST_SHIFT.max(bits.saturating_sub(BUCKETS.ilog2() - 1));
        self.current = least >> self.shift;
        self.len = entries.len();
        for entry in entries.drain(..) {
            self.put(entry);
        }
        // Its memory is used again.
        self.far = entries;
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
