//! An open list for searches by cost alone, whose least cost never falls.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::Cost;
use crate::space::NodeId;

/// Nodes by cost, then by number: the order of Dijkstra's algorithm.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990): costs are sorted by the highest bit in which they differ from the least one, and
/// more finely only as their time comes. An entry moves 32 times at most, a few times in practice, and is compared with hardly any other.
#[derive(Clone, Debug)]
pub(crate) struct RadixHeap {
    /// What costs `least`: the next to be popped.
    front: BinaryHeap<Reverse<NodeId>>,
    /// What costs more: in bucket b the costs whose highest bit that is not that of `least` is bit b, each over its node.
    buckets: [Vec<u64>; 32],
    /// A bit for each bucket that holds something.
    filled: u32,
    least: u32,
    len: usize,
}

impl Default for RadixHeap {
    fn default() -> Self {
        let buckets = std::array::from_fn(|_| Vec::new());
        Self { front: BinaryHeap::new(), buckets, filled: 0, least: 0, len: 0 }
    }
}

impl RadixHeap {
    pub fn clear(&mut self) {
        self.front.clear();
        while self.filled != 0 {
            self.buckets[self.filled.trailing_zeros() as usize].clear();
            self.filled &= self.filled - 1;
        }
        self.least = 0;
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Puts a node in. Its cost must not be less than that of the last one looked at.
    #[inline]
    pub fn push(&mut self, cost: Cost, node: NodeId) {
        self.len += 1;
        self.put(cost.raw(), node);
    }

    /// The cheapest node, of equally cheap ones the lowest, and its cost.
    #[inline]
    pub fn peek(&mut self) -> Option<(Cost, NodeId)> {
        if self.front.is_empty() {
            self.refill();
        }
        self.front.peek().map(|&Reverse(node)| (Cost::from_raw(self.least), node))
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(Cost, NodeId)> {
        let first = self.peek()?;
        self.front.pop();
        self.len -= 1;
        Some(first)
    }

    #[inline]
    fn put(&mut self, cost: u32, node: NodeId) {
        match (cost ^ self.least).checked_ilog2() {
            None => self.front.push(Reverse(node)),
            Some(bit) => {
                self.buckets[bit as usize].push(u64::from(cost) << 32 | u64::from(node));
                self.filled |= 1 << bit;
            }
        }
    }

    /// Moves the least cost on to that of the cheapest node that is left.
    fn refill(&mut self) {
        if self.filled == 0 {
            return;
        }
        let bit = self.filled.trailing_zeros() as usize;
        self.filled &= self.filled - 1;
        let mut bucket = std::mem::take(&mut self.buckets[bit]);
        self.least = bucket.iter().min().map_or(self.least, |&entry| (entry >> 32) as u32);
        for entry in bucket.drain(..) {
            self.put((entry >> 32) as u32, entry as NodeId);
        }
        // The bucket is empty now, and its memory is used again.
        self.buckets[bit] = bucket;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_by_cost_and_then_by_number() {
        let mut heap = RadixHeap::default();
        let mut plain = BinaryHeap::new();
        let mut seed = 7u64;
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % sides) as u32
        };
        for round in 0..200 {
            heap.clear();
            plain.clear();
            let (mut least, range) = (0, [1, 3, 1000, 1 << 24][round % 4]);
            for _ in 0..300 {
                for _ in 0..roll(4) {
                    let (cost, node) = (least + roll(range), roll(50));
                    heap.push(Cost::from_raw(cost), node);
                    plain.push(Reverse((cost, node)));
                }
                assert_eq!(heap.len(), plain.len());
                let expected = plain.peek().map(|&Reverse((cost, node))| (Cost::from_raw(cost), node));
                assert_eq!(heap.peek(), expected);
                if roll(5) > 0 {
                    assert_eq!(heap.pop(), expected);
                    plain.pop();
                }
                least = expected.map_or(least, |(cost, _)| cost.raw());
            }
        }
    }
}
