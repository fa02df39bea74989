//! One cluster: its parts, its abstract nodes, and the edges between them.

use super::entrance::Crossing;
use super::{CLUSTER_SIDE, Hierarchy};
use crate::cost::Cost;
use crate::grid::{CellRect, GridSize};
use crate::space::{NodeId, Reversible};

// The parts of a cluster are numbered by a byte.
const _: () = assert!(CLUSTER_SIDE * CLUSTER_SIDE <= 256);

/// What is known of one cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cluster {
    /// For each cell the number of its part: cells of one part reach each other within the cluster.
    pub parts: Vec<u8>,
    /// The chosen steps into this cluster, in their order.
    pub crossings: Vec<Crossing>,
    /// The abstract nodes, in ascending order.
    pub nodes: Vec<NodeId>,
    /// Where the edges of each node end.
    ends: Vec<u32>,
    /// The edges out of each node: those within the cluster, then the steps out of it.
    edges: Vec<(NodeId, Cost)>,
}

impl Cluster {
    /// The edges out of a node; none, if it is no abstract node.
    #[inline]
    pub fn edges(&self, node: NodeId) -> &[(NodeId, Cost)] {
        let Ok(place) = self.nodes.binary_search(&node) else { return &[] };
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[begin as usize..self.ends[place] as usize]
    }
}

/// From how many nodes the ways are found at once.
const LANES: usize = 8;

/// A cost with its highest bit turned over: signed numbers are compared faster, and in the same order.
type Signed = i32;

const fn signed(raw: u32) -> Signed {
    (raw ^ 1 << 31) as i32
}

/// Not reached: [`Cost::MAX`].
const UNREACHED: Signed = signed(u32::MAX);

/// What is needed again and again while clusters are made.
#[derive(Default)]
pub(super) struct ClusterBuilder {
    /// Where the steps out of each cell end; the cells of the cluster are numbered row by row.
    ends: Vec<u32>,
    /// The steps within the cluster.
    steps: Vec<(u32, Cost)>,
    /// The steps out of the cluster that were chosen, in ascending order.
    exits: Vec<(NodeId, NodeId, Cost)>,
    /// What the ways from [`LANES`] nodes to each cell cost.
    ways: Vec<[Signed; LANES]>,
    /// Which cells are reached more cheaply than the steps out of them know.
    improved: Vec<bool>,
    /// What the way from each node to each node costs, row by row.
    costs: Vec<u32>,
}

impl ClusterBuilder {
    /// Numbers the parts of a cluster in the order of their first cells.
    pub fn parts(&mut self, space: &impl Reversible, hierarchy: &Hierarchy, cluster: u32) -> Vec<u8> {
        self.read_steps(space, hierarchy, cluster);
        let mut parts: Vec<Option<u8>> = vec![None; self.ends.len()];
        let mut pending = Vec::new();
        let mut count = 0;
        for first in 0..parts.len() as u32 {
            if parts[first as usize].is_some() {
                continue;
            }
            parts[first as usize] = Some(count as u8);
            pending.push(first);
            while let Some(cell) = pending.pop() {
                for &(next, _) in self.steps_out_of(cell) {
                    if parts[next as usize].is_none() && self.steps_out_of(next).iter().any(|&(back, _)| back == cell) {
                        parts[next as usize] = Some(count as u8);
                        pending.push(next);
                    }
                }
            }
            count += 1;
        }
        parts.into_iter().flatten().collect()
    }

    /// Makes nodes and edges of a cluster, once all crossings are known.
    pub fn connect(&mut self, space: &impl Reversible, hierarchy: &mut Hierarchy, cluster: u32) {
        self.read_steps(space, hierarchy, cluster);
        let cells = hierarchy.local_cells(cluster);
        let crossings = &hierarchy.clusters[cluster as usize].crossings;
        let heads = crossings.iter().map(|crossing| crossing.to);
        let mut nodes: Vec<_> = heads.chain(self.exits.iter().map(|&(from, ..)| from)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.find_ways(&nodes.iter().filter_map(|&node| cells.number(node)).collect::<Vec<_>>());

        let (mut edges, mut ends) = (Vec::new(), Vec::with_capacity(nodes.len()));
        let mut exits = self.exits.iter().peekable();
        for (from, &source) in nodes.iter().enumerate() {
            let within = nodes.iter().enumerate().filter(|&(to, _)| self.is_edge(nodes.len(), from, to));
            edges.extend(within.map(|(to, &node)| (node, Cost::from_raw(self.costs[from * nodes.len() + to]))));
            while let Some(&(_, to, cost)) = exits.next_if(|&&(from, ..)| from == source) {
                edges.push((to, cost));
            }
            ends.push(edges.len() as u32);
        }
        nodes.shrink_to_fit();
        edges.shrink_to_fit();
        let built = &mut hierarchy.clusters[cluster as usize];
        (built.nodes, built.ends, built.edges) = (nodes, ends, edges);
    }

    /// Reads the steps of the cluster's cells: those that stay within, and those that were chosen as crossings.
    fn read_steps(&mut self, space: &impl Reversible, hierarchy: &Hierarchy, cluster: u32) {
        let Self { ends, steps, exits, .. } = self;
        ends.clear();
        steps.clear();
        exits.clear();
        let cells = hierarchy.local_cells(cluster);
        for (node, row) in cells.nodes() {
            space.expand(node, None, |next, cost| {
                if let Some(next) = cells.number_near(next, row) {
                    steps.push((next, cost));
                } else if let Some(cost) = hierarchy.crossing(node, next) {
                    exits.push((node, next, cost));
                }
            });
            ends.push(steps.len() as u32);
        }
        exits.sort_unstable();
        exits.dedup();
    }

    fn steps_out_of(&self, cell: u32) -> &[(u32, Cost)] {
        let begin = cell.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.steps[begin as usize..self.ends[cell as usize] as usize]
    }

    /// What the cheapest way within the cluster costs from each of these cells to each other one.
    ///
    /// Bellman and Ford's algorithm for several sources at once, in Yen's order (1970), forward and backward by
    /// turns: with costs like these a handful of sweeps settle all, several times as fast as a search from each source.
    fn find_ways(&mut self, nodes: &[u32]) {
        self.costs.clear();
        for sources in nodes.chunks(LANES) {
            self.ways.clear();
            self.ways.resize(self.ends.len(), [UNREACHED; LANES]);
            self.improved.clear();
            self.improved.resize(self.ends.len(), false);
            for (lane, &source) in sources.iter().enumerate() {
                self.ways[source as usize][lane] = signed(0);
                self.improved[source as usize] = true;
            }
            while self.improved.contains(&true) {
                (0..self.ends.len() as u32).for_each(|cell| self.relax(cell));
                (0..self.ends.len() as u32).rev().for_each(|cell| self.relax(cell));
            }
            for lane in 0..sources.len() {
                let costs = nodes.iter().map(|&node| self.ways[node as usize][lane] as u32 ^ 1 << 31);
                self.costs.extend(costs);
            }
        }
    }

    /// Takes the steps out of a cell, if it was improved.
    #[inline]
    fn relax(&mut self, cell: u32) {
        if !std::mem::take(&mut self.improved[cell as usize]) {
            return;
        }
        let from = self.ways[cell as usize];
        let begin = cell.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        for &(next, cost) in &self.steps[begin as usize..self.ends[cell as usize] as usize] {
            let to = &mut self.ways[next as usize];
            let mut is_better = false;
            for lane in 0..LANES {
                let way = from[lane].wrapping_add(cost.raw() as i32);
                // A sum that wraps around is no cost.
                let is_less = (way < to[lane]) & (way >= from[lane]);
                to[lane] = if is_less { way } else { to[lane] };
                is_better |= is_less;
            }
            self.improved[next as usize] |= is_better;
        }
    }

    /// Whether there is a way between two of `count` nodes, and none as cheap over a third one that is between.
    fn is_edge(&self, count: usize, from: usize, to: usize) -> bool {
        let row = &self.costs[from * count..][..count];
        let whole = row[to];
        let is_between = |(middle, &part): (usize, &u32)| {
            // A node that costs nothing to get to, or away from, is not between.
            0 < part && part < whole && self.costs[middle * count + to] == whole - part
        };
        from != to && whole != u32::MAX && !row.iter().enumerate().any(is_between)
    }
}

/// The cells of a cluster, numbered row by row.
#[derive(Clone, Copy)]
pub(super) struct LocalCells {
    first: NodeId,
    width: u32,
    columns: u32,
    rows: u32,
}

impl LocalCells {
    pub fn new(size: GridSize, rect: CellRect) -> Self {
        Self {
            first: size.index(rect.min).unwrap_or_default(),
            width: size.width(),
            columns: (rect.max.x - rect.min.x + 1) as u32,
            rows: (rect.max.y - rect.min.y + 1) as u32,
        }
    }

    /// The nodes in the order of their numbers, each with its row.
    pub fn nodes(self) -> impl Iterator<Item = (NodeId, u32)> {
        let row_of =
            move |row| (self.first + row * self.width..).take(self.columns as usize).map(move |node| (node, row));
        (0..self.rows).flat_map(row_of)
    }

    /// The number of a node; `None` outside the cluster.
    #[inline]
    pub fn number(self, node: NodeId) -> Option<u32> {
        let offset = node.wrapping_sub(self.first);
        let (row, column) = (offset / self.width, offset % self.width);
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }

    /// As [`LocalCells::number`], but faster for a node of the same row or one beside it.
    #[inline]
    pub fn number_near(self, node: NodeId, row: u32) -> Option<u32> {
        let beside = [row.wrapping_sub(1), row, row + 1].into_iter().find_map(|row| {
            let column = node.wrapping_sub(self.first.wrapping_add(row.wrapping_mul(self.width)));
            (row < self.rows && column < self.columns).then(|| row * self.columns + column)
        });
        beside.or_else(|| self.number(node))
    }
}
