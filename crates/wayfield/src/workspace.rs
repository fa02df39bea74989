//! The memory of a search: a record a node and the open list, reused from search to search.

mod bucket_heap;
mod bucket_ring;
mod bucket_stack;
mod radix_heap;

use crate::cost::Cost;
use crate::space::NodeId;

use bucket_heap::BucketHeap;
use bucket_stack::BucketStack;
pub(crate) use bucket_stack::Reached;
use radix_heap::RadixHeap;

/// What a search knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// Not seen yet.
    Unseen,
    /// On the open list: the frontier.
    Open,
    /// Expanded.
    Closed,
}

/// Marks a record of a source, which has no parent.
const NO_PARENT: NodeId = NodeId::MAX;

/// One node: 12 bytes side by side, so that a look costs one cache line.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    cost: u32,
    parent: NodeId,
    /// [`Workspace::fresh`] of the search that wrote this record, plus 1 if the node is closed.
    stamp: u32,
}

/// An entry of the best-first open list. The derived order is the order of expansion: the priority,
/// then the tie rule's number, then the lower node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry(
    /// The priority in the upper half, then the tie rule's number, then the node: one comparison for all of them.
    u128,
);

impl Entry {
    #[inline]
    pub fn new(priority: u64, tie: u32, node: NodeId) -> Self {
        Self(u128::from(priority) << 64 | u128::from(tie) << 32 | u128::from(node))
    }

    #[inline]
    pub fn priority(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub fn tie(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub fn node(self) -> NodeId {
        self.0 as NodeId
    }
}

/// Records and open list of one search, forgotten in constant time by starting the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    records: Vec<Record>,
    /// An even number: stamps below it are of earlier searches and mean "unseen".
    fresh: u32,
    /// The open list of searches by priority.
    heap: BucketHeap,
    /// The open list of searches by priority that need it only roughly.
    pub stack: BucketStack,
    /// The open list of searches by cost alone.
    pub by_cost: RadixHeap,
    /// The open list of breadth-first (read from `head`) and depth-first (popped from the end) searches.
    pub list: Vec<NodeId>,
    pub head: usize,
}

impl Workspace {
    /// Forgets everything and makes room for `len` nodes.
    pub fn begin(&mut self, len: usize) {
        self.heap.clear();
        self.stack.clear();
        self.by_cost.clear();
        self.list.clear();
        self.head = 0;
        if self.fresh == u32::MAX - 1 {
            self.records.clear();
            self.fresh = 0;
        }
        self.fresh += 2;
        self.records.resize(len, Record::default());
    }

    /// The record of a node, if this search has seen the node.
    #[inline]
    fn seen(&self, node: NodeId) -> Option<&Record> {
        self.records.get(node as usize).filter(|record| record.stamp >= self.fresh)
    }

    /// The state of a node, and the cost of the best way to it if it was seen.
    #[inline]
    pub fn look(&self, node: NodeId) -> (NodeState, Cost) {
        match self.seen(node) {
            None => (NodeState::Unseen, Cost::MAX),
            Some(record) if record.stamp % 2 == 1 => (NodeState::Closed, Cost::from_raw(record.cost)),
            Some(record) => (NodeState::Open, Cost::from_raw(record.cost)),
        }
    }

    /// Closes an open node whose best way costs this much, and returns its parent; `None` if it costs less by now.
    #[inline(always)]
    pub fn close_at(&mut self, Reached { node, cost }: Reached) -> Option<Option<NodeId>> {
        let record = self.records.get_mut(node as usize)?;
        // What is on the open list was seen by this search.
        if record.cost != cost.raw() {
            return None;
        }
        record.stamp |= 1;
        Some(Some(record.parent).filter(|&parent| parent != NO_PARENT))
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.seen(node).map(|record| record.parent).filter(|&parent| parent != NO_PARENT)
    }

    /// Writes a node as open. A node beyond the length of the space is ignored.
    #[inline]
    pub fn open(&mut self, node: NodeId, cost: Cost, parent: Option<NodeId>) {
        if let Some(record) = self.records.get_mut(node as usize) {
            *record = Record { cost: cost.raw(), parent: parent.unwrap_or(NO_PARENT), stamp: self.fresh };
        }
    }

    /// Closes an open node; returns the cost of the best way to it, and its parent.
    #[inline]
    pub fn close(&mut self, node: NodeId) -> (Cost, Option<NodeId>) {
        let Some(record) = self.records.get_mut(node as usize) else {
            return (Cost::ZERO, None);
        };
        record.stamp |= 1;
        (Cost::from_raw(record.cost), Some(record.parent).filter(|&parent| parent != NO_PARENT))
    }

    /// Whether a node is known at this cost or a lower one, or none of the space.
    #[inline(always)]
    pub fn is_known_at(&self, Reached { node, cost }: Reached) -> bool {
        self.records.get(node as usize).is_none_or(|record| record.stamp >= self.fresh && record.cost <= cost.raw())
    }

    /// Opens a node at a cost and puts it on the rough open list. Returns what it was before. A node beyond the length of the space is
    /// ignored.
    #[inline(always)]
    pub fn open_roughly(&mut self, reached: Reached, parent: Option<NodeId>, priority: u64) -> NodeState {
        let Some(record) = self.records.get_mut(reached.node as usize) else { return NodeState::Closed };
        let (is_seen, is_closed) = (record.stamp >= self.fresh, record.stamp % 2 == 1);
        *record = Record { cost: reached.cost.raw(), parent: parent.unwrap_or(NO_PARENT), stamp: self.fresh };
        self.stack.push(priority, reached);
        match (is_seen, is_closed) {
            (false, _) => NodeState::Unseen,
            (true, false) => NodeState::Open,
            (true, true) => NodeState::Closed,
        }
    }

    #[inline]
    pub fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
    }

    /// Gives every entry of the best-first open list another priority, or takes it off. Time: linear in the list.
    pub fn reorder(&mut self, priority: impl Fn(&Self, Entry) -> Option<u64>) {
        let mut heap = std::mem::take(&mut self.heap);
        heap.reorder(|entry| priority(self, entry));
        self.heap = heap;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Entry> {
        self.heap.pop()
    }

    pub fn peek(&mut self) -> Option<Entry> {
        self.heap.peek()
    }

    /// The number of entries on the open list, stale ones included.
    pub fn open_len(&self) -> usize {
        self.heap.len() + self.stack.len() + self.by_cost.len() + self.list.len() - self.head
    }
}
