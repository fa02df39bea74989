//! The links that one class and size can take on one map, and which components they join.

use crate::cost::Cost;
use crate::grid::GridSize;
use crate::links::{Link, LinkId};
use crate::space::NodeId;

/// A link that can be taken, between nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub cost: Cost,
    pub id: LinkId,
}

/// The links of a cost grid. A look at a node's links takes O(log k) for k links, and next to nothing for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkTable {
    /// The links that can be taken, by where they begin, then by number.
    outgoing: Vec<LinkEdge>,
    /// The same by where they end.
    incoming: Vec<LinkEdge>,
    /// The ends of all links of the map, open or not.
    ends: Vec<(NodeId, NodeId)>,
    /// The pairs of components that a link leads from and to, in order.
    joined: Vec<(u32, u32)>,
}

impl LinkTable {
    /// The links of a map. `component` tells the component of a node that can be entered.
    ///
    /// Time: O(k log k) for k links.
    pub fn new(links: &[Link], size: GridSize, component: impl Fn(NodeId) -> Option<u32>) -> Self {
        let mut table = Self::default();
        for (number, link) in links.iter().enumerate() {
            let (Some(from), Some(to)) = (size.index(link.from), size.index(link.to)) else { continue };
            table.ends.push((from, to));
            if link.is_open && component(from).is_some() && component(to).is_some() {
                let id = LinkId(number as u32);
                table.outgoing.push(LinkEdge { from, to, cost: link.search_cost(), id });
            }
        }
        table.incoming = table.outgoing.clone();
        table.outgoing.sort_by_key(|edge| (edge.from, edge.id));
        table.incoming.sort_by_key(|edge| (edge.to, edge.id));

        let joined = table.outgoing.iter().filter_map(|edge| component(edge.from).zip(component(edge.to)));
        table.joined = joined.filter(|(from, to)| from != to).collect();
        table.joined.sort_unstable();
        table.joined.dedup();
        table
    }

    /// Whether no link can be taken.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// All links that can be taken, by where they begin.
    pub fn all(&self) -> &[LinkEdge] {
        &self.outgoing
    }

    /// The ends of the links that can be taken now or could be before, but not both.
    pub fn changed_ends<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = NodeId> + 'a {
        let has = |edges: &[LinkEdge], edge: &LinkEdge| {
            let place = edges.binary_search_by_key(&(edge.from, edge.id), |other| (other.from, other.id));
            place.is_ok_and(|place| edges.get(place) == Some(edge))
        };
        let gone = before.outgoing.iter().filter(move |edge| !has(&self.outgoing, edge));
        let come = self.outgoing.iter().filter(move |edge| !has(&before.outgoing, edge));
        gone.chain(come).flat_map(|edge| [edge.from, edge.to])
    }

    /// The links out of a node, in the order of their numbers.
    #[inline]
    pub fn leading_from(&self, node: NodeId) -> &[LinkEdge] {
        if self.outgoing.is_empty() {
            return &[];
        }
        equal_run(&self.outgoing, node, |edge| edge.from)
    }

    /// The links into a node, in the order of their numbers.
    #[inline]
    pub fn leading_to(&self, node: NodeId) -> &[LinkEdge] {
        if self.incoming.is_empty() {
            return &[];
        }
        equal_run(&self.incoming, node, |edge| edge.to)
    }

    /// The ends of all links of the map, whether they can be taken or not.
    pub fn ends(&self) -> &[(NodeId, NodeId)] {
        &self.ends
    }

    /// The components that links lead to from a component, in order, itself not among them.
    ///
    /// Time: O(k log k) for the k pairs of components that links join, and next to nothing for none.
    pub fn reach(&self, component: u32) -> Vec<u32> {
        if self.joined.is_empty() {
            return Vec::new();
        }
        let mut is_taken = vec![false; self.joined.len()];
        let mut reached = Vec::new();
        let mut pending = vec![component];
        while let Some(from) = pending.pop() {
            let first = self.joined.partition_point(|&(other, _)| other < from);
            let pairs = self.joined.iter().zip(&mut is_taken).skip(first).take_while(|((other, _), _)| *other == from);
            for (&(_, to), is_taken) in pairs {
                if !std::mem::replace(is_taken, true) {
                    reached.push(to);
                    pending.push(to);
                }
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached.retain(|&other| other != component);
        reached
    }
}

/// The edges with this key in a list that is sorted by it.
fn equal_run(edges: &[LinkEdge], node: NodeId, key: impl Fn(&LinkEdge) -> NodeId) -> &[LinkEdge] {
    let first = edges.partition_point(|edge| key(edge) < node);
    let rest = &edges[first..];
    &rest[..rest.partition_point(|edge| key(edge) == node)]
}
