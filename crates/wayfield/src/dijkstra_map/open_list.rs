//! The open lists of a sweep: buckets for whole maps, a heap for a few cells.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::space::NodeId;

/// The most buckets there are at a time; what belongs farther ahead waits in a heap.
const MOST_BUCKETS: usize = 1024;

/// A cell that was given a value, and by which step; in the order of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub value: i32,
    pub node: NodeId,
    /// The number of the direction that the cell was reached in, or [`FROM_NOWHERE`].
    pub arrival: u8,
}

/// Stands for an arrival from no side: at a source, or at the end of a link.
pub(super) const FROM_NOWHERE: u8 = u8::MAX;

/// Cells to expand. None may come back in an order in which one could still lower an earlier one.
pub(super) trait OpenList {
    fn push(&mut self, entry: Entry);
    fn pop(&mut self) -> Option<Entry>;
}

/// A heap: nothing to prepare.
impl OpenList for BinaryHeap<Least<Entry>> {
    fn push(&mut self, entry: Entry) {
        self.push(Least(entry));
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop().map(|Least(entry)| entry)
    }
}

/// Buckets: constant time.
///
/// A bucket holds the cells whose values lie within a stretch no wider than the cheapest step, so that no cell of a bucket
/// can lower another one: each bucket is final when its turn comes, and the order within it does not matter. (Dial,
/// "Algorithm 360: Shortest-path forest with topological ordering", 1969; with the wider buckets of Denardo and Fox,
/// "Shortest-route methods", 1979.)
pub(super) struct Buckets {
    /// The buckets from that of `number` on, in a ring; a bucket holds 2^`shift` values.
    ring: Vec<Vec<Entry>>,
    shift: u32,
    /// The number of the bucket whose turn it is.
    number: i64,
    /// How many entries the ring holds.
    held: usize,
    /// What was there in the beginning, and what belongs to buckets beyond the ring.
    waiting: BinaryHeap<Least<Entry>>,
    /// What is left of the bucket whose turn it is.
    current: Vec<Entry>,
}

impl Buckets {
    /// For the steps of `grid`, of whose costs a unit counts `scale`.
    pub fn new(grid: &CostGrid, scale: i64, seeds: BinaryHeap<Least<Entry>>) -> Self {
        let cheapest_step = i64::from(grid.cheapest_cost()) * i64::from(Cost::STRAIGHT.raw());
        let links = grid.links().all().iter().map(|link| i64::from(link.cost.raw()));
        let shift = (links.fold(cheapest_step, i64::min).max(1) * scale).ilog2();
        let dearest_step = i64::from(grid.dearest_cost()) * i64::from(Cost::DIAGONAL.raw()) * scale;
        let buckets = (dearest_step >> shift) as usize + 2;
        Self {
            ring: vec![Vec::new(); buckets.next_power_of_two().min(MOST_BUCKETS)],
            shift,
            number: i64::MIN,
            held: 0,
            waiting: seeds,
            current: Vec::new(),
        }
    }

    fn number_of(&self, value: i32) -> i64 {
        i64::from(value >> self.shift)
    }

    fn slot(&self, number: i64) -> usize {
        number as usize & (self.ring.len() - 1)
    }

    /// Makes the bucket with the lowest values the current one, which must be used up. False if there is none.
    fn advance(&mut self) -> bool {
        let next_waiting = self.waiting.peek().map(|Least(entry)| self.number_of(entry.value));
        if self.held > 0 {
            self.number += 1;
            while self.ring[self.slot(self.number)].is_empty() && next_waiting != Some(self.number) {
                self.number += 1;
            }
        } else if let Some(number) = next_waiting {
            self.number = number;
        } else {
            return false;
        }
        // The used up bucket stays in the ring for the room that it has.
        let slot = self.slot(self.number);
        std::mem::swap(&mut self.current, &mut self.ring[slot]);
        self.held -= self.current.len();
        while let Some(&Least(entry)) = self.waiting.peek()
            && self.number_of(entry.value) == self.number
        {
            self.waiting.pop();
            self.current.push(entry);
        }
        true
    }
}

impl OpenList for Buckets {
    #[inline]
    fn push(&mut self, entry: Entry) {
        let number = self.number_of(entry.value);
        if number - self.number < self.ring.len() as i64 {
            self.held += 1;
            let slot = self.slot(number);
            self.ring[slot].push(entry);
        } else {
            self.waiting.push(Least(entry));
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        loop {
            if let Some(entry) = self.current.pop() {
                return Some(entry);
            }
            if !self.advance() {
                return None;
            }
        }
    }
}
