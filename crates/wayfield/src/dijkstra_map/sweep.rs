//! The sweep: Dijkstra's algorithm without a goal.
//!
//! From a cell that was reached by a step it goes on only where jump point search would
//! ([`canonical_ways`]): every cell beside it that is left out is reached as cheaply past it.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use super::UNREACHED;
use super::open_list::{Buckets, Entry, FROM_NOWHERE, OpenList};
use crate::canonical::canonical_ways;
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::grid::CellRect;
use crate::space::NodeId;

/// A sweep over the values of a map. `TOWARD` says that steps are taken from where they end to where they begin.
pub(super) struct Sweep<'a, const TOWARD: bool> {
    grid: &'a CostGrid,
    /// How much one fixed-point unit of cost counts.
    scale: i64,
    /// No cell gets a value above it.
    limit: i64,
    /// Cells that pass no value on, in order.
    barred: &'a [NodeId],
    values: &'a mut [i32],
    /// The cells where walls alone do not tell which ways are left out, a bit each; empty if no way is left out anywhere.
    mixed: Vec<u64>,
    /// Cells that a way was too dear for; another may have reached them.
    too_far: Vec<NodeId>,
}

impl<'a, const TOWARD: bool> Sweep<'a, TOWARD> {
    /// A sweep that lowers `values`, but to none above `limit`.
    pub fn new(grid: &'a CostGrid, scale: i64, limit: i64, barred: &'a [NodeId], values: &'a mut [i32]) -> Self {
        Self { grid, scale, limit, barred, values, mixed: Vec::new(), too_far: Vec::new() }
    }

    /// Lowers all that can be lowered from `seeds`, cells that have got their values already.
    ///
    /// # Errors
    /// With a cell that can be reached, but only at values too large for one.
    pub fn run(mut self, seeds: &[NodeId]) -> Result<(), NodeId> {
        let grid = self.grid;
        if !grid.has_edge_factors() {
            self.mixed = grid.stops().mixed_by_node(grid.size());
        }
        // There is no way past a barred cell.
        let around = self.barred.iter().flat_map(|&node| CellRect::around(grid.size().cell(node), 1).cells());
        for node in around.filter_map(|cell| grid.size().index(cell)) {
            if let Some(word) = self.mixed.get_mut(node as usize / 64) {
                *word |= 1 << (node % 64);
            }
        }
        let seeds = self.queue(seeds);
        let mut open = Buckets::new(grid, self.scale, seeds);
        while self.step(&mut open).is_some() {}
        self.finish()
    }

    /// As [`Sweep::run`], for what is small: prepares nothing. Returns the nodes in the order in which it came to them,
    /// each that was lowered at least once.
    ///
    /// `None`, with part of it done, if that takes more than `most` steps, or a value is too large for one.
    pub fn run_briefly(mut self, seeds: &[NodeId], most: usize) -> Option<Vec<NodeId>> {
        let mut open = self.queue(seeds);
        let mut nodes = Vec::new();
        while let Some(node) = self.step(&mut open) {
            nodes.push(node);
            if nodes.len() > most {
                return None;
            }
        }
        self.finish().ok()?;
        Some(nodes)
    }

    fn queue(&self, seeds: &[NodeId]) -> BinaryHeap<Least<Entry>> {
        let entry = |&node: &NodeId| Least(Entry { value: self.values[node as usize], node, arrival: FROM_NOWHERE });
        seeds.iter().map(entry).collect()
    }

    fn finish(self) -> Result<(), NodeId> {
        let is_out_of_reach = |node: &NodeId| self.values[*node as usize] == UNREACHED;
        self.too_far.into_iter().find(is_out_of_reach).map_or(Ok(()), Err)
    }

    /// Expands the next cell, unless it has got a still lower value since it was queued, and returns it.
    #[inline]
    fn step(&mut self, open: &mut impl OpenList) -> Option<NodeId> {
        let Entry { value, node, arrival } = open.pop()?;
        if self.values[node as usize] != value || self.barred.binary_search(&node).is_ok() {
            return Some(node);
        }
        let grid = self.grid;
        let ways = self.ways(node, Direction::ALL.get(usize::from(arrival)).copied());
        let unit = |length: Cost| i64::from(length.raw()) * self.scale;
        let (straight, diagonal) = (unit(Cost::STRAIGHT), unit(Cost::DIAGONAL));
        if TOWARD && !grid.has_edge_factors() {
            // All steps into a cell cost the same, but for their length.
            let price = i64::from(grid.entering(node));
            let sums = [i64::from(value) + straight * price, i64::from(value) + diagonal * price];
            for way in self.lower_ways(node, ways, sums) {
                self.offer(open, grid.neighbour(node, way), sums[usize::from(way.is_diagonal())], way as u8);
            }
        } else {
            for way in ways {
                let next = grid.neighbour(node, way);
                let price = if TOWARD { grid.price(next, way.opposite()) } else { grid.price(node, way) };
                let length = if way.is_diagonal() { diagonal } else { straight };
                self.offer(open, next, i64::from(value) + length * i64::from(price), way as u8);
            }
        }
        if !grid.links().is_empty() {
            self.follow_links(open, node, value);
        }
        Some(node)
    }

    #[inline(never)]
    fn follow_links(&mut self, open: &mut impl OpenList, node: NodeId, value: i32) {
        let links = self.grid.links();
        for link in if TOWARD { links.leading_to(node) } else { links.leading_from(node) } {
            let next = if TOWARD { link.from } else { link.to };
            self.offer(open, next, i64::from(value) + i64::from(link.cost.raw()) * self.scale, FROM_NOWHERE);
        }
    }

    /// The ways to go on from a cell.
    #[inline]
    fn ways(&self, node: NodeId, arrival: Option<Direction>) -> DirectionSet {
        match (arrival, self.mixed.get(node as usize / 64)) {
            (Some(arrival), Some(mixed)) => canonical_ways(self.grid, node, arrival, mixed >> (node % 64) & 1 == 1),
            _ => self.grid.moves(node),
        }
    }

    /// The ways among `ways` where a straight or a diagonal step would give a cell a lower value, or perhaps one too large.
    ///
    /// Which they are is as good as random. So all are looked at at once: a branch guessed wrong costs more than a few looks too many.
    #[inline]
    fn lower_ways(&self, node: NodeId, ways: DirectionSet, sums: [i64; 2]) -> DirectionSet {
        if ways.bits().count_ones() <= 1 {
            return ways;
        }
        let lower = Direction::ALL.into_iter().fold(0, |lower, way| {
            // Beyond the edge there is a cell, of another row, or none: `ways` leaves it out.
            let known = self.values.get(self.grid.neighbour(node, way) as usize).map_or(UNREACHED, |&known| known);
            lower | u8::from(sums[usize::from(way.is_diagonal())] < i64::from(known) || known == UNREACHED) << way as u8
        });
        ways.intersection(DirectionSet::from_bits(lower))
    }

    /// Gives a cell a value, if it is lower than the one it has.
    #[inline]
    fn offer(&mut self, open: &mut impl OpenList, node: NodeId, sum: i64, arrival: u8) {
        if sum > self.limit {
            return;
        }
        let known = &mut self.values[node as usize];
        if sum < i64::from(*known) {
            *known = sum as i32;
            open.push(Entry { value: sum as i32, node, arrival });
        } else if *known == UNREACHED {
            self.too_far.push(node);
        }
    }
}
