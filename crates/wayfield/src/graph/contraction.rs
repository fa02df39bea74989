//! How a contraction hierarchy is built: node by node, the least important first.

use std::collections::BTreeSet;

use crate::cost::Cost;
use crate::graph::NonNegative;
use crate::graph::hierarchy::{ContractionHierarchy, HierarchyError, NO_MIDDLE, Place, Rows};
use crate::graph::weight::mixed;
use crate::search::{Order, Search, Step};
use crate::space::{Everything, NodeId, Space};

/// How many nodes a search for a way round may expand.
// Measured from 15 to 120 on grids and road networks: fewer leave shortcuts behind that nobody needs, which later searches pay for.
const WITNESS_CAP: u64 = 100;

/// How many edges it may look at, where nodes have very many.
const WITNESS_EDGES: usize = 10_000;

/// Up to how many pairs of neighbours the shortcuts of a node are counted before it is its turn. For more they are taken to be one a pair: then a hub
/// of many roads is not looked at before those who live at the roads are gone.
const COUNTED_PAIRS: usize = 4096;

/// An edge of what is left of the graph, kept at both of its ends.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The node at the other end.
    node: NodeId,
    cost: Cost,
    /// The node it leads through, if it is a shortcut.
    middle: NodeId,
    /// How many edges of the graph it stands for.
    hops: u32,
}

/// A shortcut that contracting a node takes.
#[derive(Clone, Copy, Debug)]
struct Shortcut {
    from: NodeId,
    to: NodeId,
    cost: Cost,
    hops: u32,
}

/// What is left of the graph, without one more node: where ways round that node are looked for.
struct Without<'a> {
    out: &'a [Vec<Link>],
    node: NodeId,
}

impl Space for Without<'_> {
    fn len(&self) -> usize {
        self.out.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        let links = self.out.get(node as usize).map(Vec::as_slice).unwrap_or_default();
        for link in links.iter().filter(|link| link.node != self.node) {
            visit(link.node, link.cost);
        }
    }
}

/// The hierarchy of a graph.
pub(super) fn contract(graph: NonNegative) -> Result<ContractionHierarchy, HierarchyError> {
    let mut contraction = Contraction::new(graph);
    let nodes = contraction.out.len() as NodeId;
    // Nodes that look alike go in an order that leaves the last of them scattered, not side by side.
    let key = |contraction: &Contraction, node: NodeId| (contraction.priority(node), mixed(node.into()), node);
    let mut order = BTreeSet::new();
    for node in 0..nodes {
        if contraction.pairs(node) <= COUNTED_PAIRS {
            contraction.find_shortcuts(node)?;
            order.insert(key(&contraction, node));
        } else {
            order.insert((1000 * contraction.pairs(node) as u64, mixed(node.into()), node));
        }
    }
    let mut contracted = Vec::with_capacity(nodes as usize);
    while let Some((_, _, node)) = order.pop_first() {
        contraction.find_shortcuts(node)?;
        let current = key(&contraction, node);
        if order.first().is_some_and(|next| *next < current) {
            order.insert(current);
        } else {
            contraction.contract(node);
            contracted.push(node);
        }
    }
    contracted.reverse();
    Ok(contraction.into_hierarchy(contracted, graph.graph().fingerprint()))
}

struct Contraction {
    /// The edges out of each node, to those that are left; once it is contracted, to those that were left then.
    out: Vec<Vec<Link>>,
    into: Vec<Vec<Link>>,
    /// How many contractions lie below each node, one on top of the other.
    depth: Vec<u32>,
    search: Search,
    /// The shortcuts of the node that was asked for last.
    shortcuts: Vec<Shortcut>,
}

impl Contraction {
    fn new(space: NonNegative) -> Self {
        let nodes = space.len();
        let mut contraction = Self {
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            depth: vec![0; nodes],
            search: Search::default(),
            shortcuts: Vec::new(),
        };
        for from in 0..nodes as NodeId {
            space.expand(from, None, |to, cost| {
                if from != to {
                    contraction.link(from, Link { node: to, cost, middle: NO_MIDDLE, hops: 1 });
                }
            });
        }
        contraction
    }

    /// Puts an edge in, unless there is one that costs no more.
    fn link(&mut self, from: NodeId, link: Link) {
        let back = Link { node: from, ..link };
        improve(&mut self.out[from as usize], link);
        improve(&mut self.into[link.node as usize], back);
    }

    /// Finds out which shortcuts contracting a node would take.
    fn find_shortcuts(&mut self, node: NodeId) -> Result<(), HierarchyError> {
        let Self { out, into, search, shortcuts, .. } = self;
        shortcuts.clear();
        let space = Without { out, node };
        let (into, onward) = (&into[node as usize], &out[node as usize]);
        for first in into {
            let from = first.node;
            let targets = || onward.iter().filter(|second| second.node != from);
            let Some(dearest) = targets().map(|second| second.cost).max() else { continue };
            let limit = first.cost.checked_add(dearest).unwrap_or(Cost::MAX);
            look_round(search, &space, from, limit);
            for second in targets() {
                let cost = first.cost.checked_add(second.cost);
                if search.cost_to(second.node).is_some_and(|round| cost.is_none_or(|cost| round <= cost)) {
                    continue;
                }
                let to = second.node;
                let cost = cost.ok_or(HierarchyError::CostOverflow { from, to })?;
                let hops = first.hops.saturating_add(second.hops);
                // So many edges run through a node twice: there is a better way, which the search was too short to find, and the
                // shortcuts for that way stay.
                if (hops as usize) < out.len() {
                    shortcuts.push(Shortcut { from, to, cost, hops });
                }
            }
        }
        Ok(())
    }

    /// How many shortcuts contracting a node could take.
    fn pairs(&self, node: NodeId) -> usize {
        self.into[node as usize].len() * self.out[node as usize].len()
    }

    /// How important the node is whose shortcuts were found last, in thousandths.
    fn priority(&self, node: NodeId) -> u64 {
        let links = || self.out[node as usize].iter().chain(&self.into[node as usize]);
        let (links_gone, hops_gone) = (links().count() as u64, links().map(|link| u64::from(link.hops)).sum::<u64>());
        let hops_come: u64 = self.shortcuts.iter().map(|shortcut| u64::from(shortcut.hops)).sum();
        let share = |come: u64, gone: u64| 1000 * come / gone.max(1);
        1000 * u64::from(self.depth[node as usize])
            + share(self.shortcuts.len() as u64, links_gone)
            + share(hops_come, hops_gone)
    }

    /// Takes out the node whose shortcuts were found last.
    fn contract(&mut self, node: NodeId) {
        let below = self.depth[node as usize] + 1;
        for index in 0..self.into[node as usize].len() {
            let neighbour = self.into[node as usize][index].node as usize;
            self.out[neighbour].retain(|link| link.node != node);
            self.depth[neighbour] = self.depth[neighbour].max(below);
        }
        for index in 0..self.out[node as usize].len() {
            let neighbour = self.out[node as usize][index].node as usize;
            self.into[neighbour].retain(|link| link.node != node);
            self.depth[neighbour] = self.depth[neighbour].max(below);
        }
        for Shortcut { from, to, cost, hops } in std::mem::take(&mut self.shortcuts) {
            self.link(from, Link { node: to, cost, middle: node, hops });
        }
    }

    /// What came of it; `node_at` are the nodes, the most important first.
    fn into_hierarchy(self, node_at: Vec<NodeId>, fingerprint: u64) -> ContractionHierarchy {
        let mut place_of = vec![0; node_at.len()];
        for (place, &node) in (0..).zip(&node_at) {
            place_of[node as usize] = place;
        }
        let rows = |links: Vec<Vec<Link>>| {
            let mut rows = Rows { first: vec![0], ..Rows::default() };
            for &node in &node_at {
                let mut row: Vec<_> = links[node as usize]
                    .iter()
                    .map(|link| {
                        let middle = if link.middle == NO_MIDDLE { NO_MIDDLE } else { place_of[link.middle as usize] };
                        ((place_of[link.node as usize], link.cost), middle)
                    })
                    .collect();
                row.sort_unstable();
                rows.arcs.extend(row.iter().map(|&(arc, _)| arc));
                rows.middles.extend(row.iter().map(|&(_, middle): &(_, Place)| middle));
                rows.first.push(rows.arcs.len() as u32);
            }
            rows
        };
        let (up, down) = (rows(self.out), rows(self.into));
        ContractionHierarchy { fingerprint, node_at, up, down, place_of }
    }
}

/// Puts a link into a list, unless there is one to the same node that costs no more.
fn improve(links: &mut Vec<Link>, link: Link) {
    match links.iter_mut().find(|known| known.node == link.node) {
        None => links.push(link),
        Some(known) if link.cost < known.cost => *known = link,
        Some(_) => {}
    }
}

/// Searches ways from a node that cost no more than `limit`, as far as the cap goes.
fn look_round(search: &mut Search, space: &Without, from: NodeId, limit: Cost) {
    search.begin(Order::DIJKSTRA, space, &[(from, Cost::ZERO)], &Everything);
    let mut looked_at = 0;
    while search.stats().expanded < WITNESS_CAP && looked_at < WITNESS_EDGES {
        let Step::Expanded(node) = search.step_keeping(space, &Everything, |_, cost| cost <= limit) else { break };
        looked_at += space.out.get(node as usize).map_or(0, Vec::len);
    }
}
