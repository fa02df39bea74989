//! What a query looks for: "am I there", and how far it is at least.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::{Cell, CellRect, GridSize};
use crate::heuristic::Heuristic;
use crate::link_bounds::LinkBounds;
use crate::space::{Goal, NodeId};

/// The goal of a query: a cell, or the ring of reachable cells nearest to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub size: GridSize,
    pub goal: Cell,
    pub goal_node: NodeId,
    pub heuristic: Heuristic,
    /// [`Heuristic::weights`] of it on the cheapest ground, if an estimate is nothing more than a sum of them, and never too large.
    rates: Option<(u32, u32)>,
    /// The distance of the corner rule.
    pub distance: Heuristic,
    pub cheapest: u32,
    /// The least distance of a reachable cell, if the goal itself is out of reach.
    pub ring: Option<Cost>,
    /// A start in a wall, where the way cannot end.
    pub never: Option<NodeId>,
    pub remember_closest: bool,
}

impl Target {
    /// A cell, by this estimate.
    pub fn new(grid: &CostGrid, goal: Cell, goal_node: NodeId, heuristic: Heuristic) -> Self {
        let (size, cheapest) = (grid.size(), grid.cheapest_cost());
        let farthest = u64::from(size.width().max(size.height())) * u64::from(cheapest);
        let rates = heuristic.weights().filter(|&(longer, shorter)| {
            u64::from(longer + shorter).checked_mul(farthest).is_some_and(|most| most < u64::from(Cost::MAX.raw()))
        });
        Self {
            size,
            goal,
            goal_node,
            heuristic,
            rates: rates.map(|(longer, shorter)| (longer * cheapest, shorter * cheapest)),
            distance: Heuristic::of_rule(grid.corner_rule()),
            cheapest,
            ring: None,
            never: None,
            remember_closest: false,
        }
    }

    /// A node, by the best admissible estimate.
    pub fn plain(grid: &CostGrid, node: NodeId) -> Self {
        Self::new(grid, grid.size().cell(node), node, Heuristic::of_rule(grid.corner_rule()))
    }

    /// The cells at this distance instead.
    pub fn set_ring(&mut self, ring: Cost) {
        self.ring = Some(ring);
        self.rates = None;
    }

    /// What the way costs at least if it takes no link.
    #[inline(always)]
    fn plain_estimate(&self, node: NodeId) -> Cost {
        let cell = self.size.cell(node);
        match self.rates {
            Some((longer, shorter)) => {
                let (dx, dy) = (cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
                Cost::from_raw(dx.max(dy) * longer + dx.min(dy) * shorter)
            }
            None => self.ring_estimate(cell),
        }
    }

    /// The same, whatever the estimate is.
    #[inline(never)]
    fn ring_estimate(&self, cell: Cell) -> Cost {
        let length = self.heuristic.estimate(cell, self.goal);
        // By the triangle inequality the way to the ring is at least this much shorter.
        let ring = self.ring.unwrap_or_default();
        Cost::from_raw(length.raw().saturating_sub(ring.raw())).saturating_mul(self.cheapest)
    }

    /// What the way between two cells costs at least if it takes no link.
    #[inline]
    fn between(&self, one: Cell, other: Cell) -> Cost {
        self.heuristic.estimate(one, other).saturating_mul(self.cheapest)
    }

    /// This target, but at another node: for a search that is a part of another.
    pub fn at(self, node: NodeId) -> Self {
        let goal = self.size.cell(node);
        Self { goal, goal_node: node, ring: None, never: None, remember_closest: false, ..self }
    }

    pub fn link_bounds(&self, grid: &CostGrid, reversed: bool) -> LinkBounds {
        if grid.links().is_empty() {
            return LinkBounds::default();
        }
        LinkBounds::new(grid, reversed, |node| self.plain_estimate(node), |one, other| self.between(one, other))
    }
}

/// A target on a grid whose links save this much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toward<'a> {
    pub target: Target,
    pub bounds: &'a LinkBounds,
}

impl Toward<'_> {
    /// This one if it is at the node, else what `other` has for there.
    pub fn or_at(self, node: NodeId, other: Self) -> Self {
        if node == self.target.goal_node { self } else { Self { target: other.target.at(node), ..other } }
    }
}

impl Goal for Toward<'_> {
    #[inline]
    fn is_goal(&self, node: NodeId) -> bool {
        let Target { size, goal, goal_node, distance, ring, never, .. } = self.target;
        match ring {
            None => node == goal_node,
            Some(ring) => distance.estimate(size.cell(node), goal) == ring && never != Some(node),
        }
    }

    #[inline(always)]
    fn estimate(&self, node: NodeId) -> Cost {
        let plain = self.target.plain_estimate(node);
        self.bounds.lower(node, plain, |one, other| self.target.between(one, other))
    }

    #[inline]
    fn remaining(&self, node: NodeId) -> Option<Cost> {
        let Target { size, goal, distance, remember_closest, .. } = self.target;
        remember_closest.then(|| distance.estimate(size.cell(node), goal))
    }
}

/// A goal that is any of a number of cells.
#[derive(Clone, Debug)]
pub(crate) struct AnyOf {
    pub size: GridSize,
    /// The goals in order, each once.
    nodes: Vec<NodeId>,
    /// What the way is estimated to: the goals, if they are few, or the rectangle around them.
    targets: Vec<CellRect>,
    heuristic: Heuristic,
    cheapest: u32,
    /// What links save.
    bounds: LinkBounds,
}

impl AnyOf {
    /// The closest of these, of which each is looked at for an estimate if there are at most `few`. `None` without goals.
    pub fn new(grid: &CostGrid, goals: impl IntoIterator<Item = NodeId>, few: usize) -> Option<Self> {
        let size = grid.size();
        let mut nodes: Vec<_> = goals.into_iter().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let cells = nodes.iter().map(|&node| CellRect::around(size.cell(node), 0));
        let around = cells.clone().reduce(CellRect::union)?;
        let targets = if nodes.len() <= few { cells.collect() } else { vec![around] };
        let heuristic = Heuristic::of_rule(grid.corner_rule());
        let bounds = LinkBounds::default();
        let mut goals = Self { size, nodes, targets, heuristic, cheapest: grid.cheapest_cost(), bounds };
        if !grid.links().is_empty() {
            let between = |one, other| goals.between(one, other);
            goals.bounds = LinkBounds::new(grid, false, |node| goals.plain_estimate(node), between);
        }
        Some(goals)
    }

    /// What the way to the nearest goal costs at least if it takes no link.
    #[inline]
    fn plain_estimate(&self, node: NodeId) -> Cost {
        let cell = self.size.cell(node);
        let length = |target: &CellRect| {
            let nearest = Cell::new(cell.x.clamp(target.min.x, target.max.x), cell.y.clamp(target.min.y, target.max.y));
            self.heuristic.estimate(cell, nearest)
        };
        self.targets.iter().map(length).min().unwrap_or_default().saturating_mul(self.cheapest)
    }

    /// What the way between two cells costs at least if it takes no link.
    #[inline]
    fn between(&self, one: Cell, other: Cell) -> Cost {
        self.heuristic.estimate(one, other).saturating_mul(self.cheapest)
    }

    /// The goals in order, each once.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }
}

impl Goal for AnyOf {
    #[inline]
    fn is_goal(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    #[inline]
    fn estimate(&self, node: NodeId) -> Cost {
        self.bounds.lower(node, self.plain_estimate(node), |one, other| self.between(one, other))
    }
}
