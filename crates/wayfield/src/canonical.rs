//! The cells of a grid in a canonical order: of the cheapest ways round an open rectangle only one is walked.
//!
//! Jump point search without the jumps: from a cell that was reached by a step, only those steps go on that jump point
//! search would take ([`onward`]). So a cell is reached about once instead of from all sides, and where walls or terrain are strewn
//! so densely that jumps would be a few cells long, that is all there is to win. (Sturtevant and Rabin, "Canonical Orderings on
//! Grids", IJCAI 2016.)

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::jump_stops::{AHEAD, onward};
use crate::space::{NodeId, Space};
use crate::terrain::CornerRule;

/// A grid whose cells are left in canonical ways only: a space for searches by cost, with or without estimates.
///
/// Nodes are the indices of cells, costs are those of the grid, and the cheapest way to *every* cell costs what it costs on the
/// grid, under every corner rule, on any terrain, with links, fences and slopes. Only for searches that know what the
/// cheapest way so far costs: which cells a node leads to depends on where it was reached from.
///
/// ```
/// use wayfield::search::{Ending, Limits, Order, Search};
/// use wayfield::space::Everything;
/// use wayfield::{parse_map, CanonicalSpace, Cost, CostGrid};
/// let map = parse_map(b"....\n....\n....\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let (mut plain, mut canonical) = (Search::default(), Search::default());
/// plain.begin(Order::DIJKSTRA, &grid, &[(0, Cost::ZERO)], &Everything);
/// canonical.begin(Order::DIJKSTRA, &CanonicalSpace::new(&grid), &[(0, Cost::ZERO)], &Everything);
/// assert_eq!(plain.run(&grid, &Everything, Limits::NONE), Ending::Exhausted);
/// assert_eq!(canonical.run(&CanonicalSpace::new(&grid), &Everything, Limits::NONE), Ending::Exhausted);
/// assert!((0..12).all(|node| plain.cost_to(node) == canonical.cost_to(node)));
/// # Ok::<(), wayfield::TextError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CanonicalSpace<'a> {
    grid: &'a CostGrid,
}

impl<'a> CanonicalSpace<'a> {
    /// The cells of a grid.
    pub const fn new(grid: &'a CostGrid) -> Self {
        Self { grid }
    }

    /// The ways out of a node that was reached from another.
    #[inline(always)]
    fn ways(&self, node: NodeId, parent: Option<NodeId>) -> DirectionSet {
        let grid = self.grid;
        let Some(arrival) = parent.and_then(|parent| grid.arrival(parent, node)) else { return grid.moves(node) };
        if grid.stops().mixed_cells() == 0 {
            return canonical_ways(grid, node, arrival, false);
        }
        let cell = grid.size().cell(node);
        let is_mixed = grid.stops().is_mixed(cell.x, cell.y);
        // It may have been reached by a link, which comes from no side.
        if is_mixed && !grid.is_plain() && !grid.links().leading_to(node).is_empty() {
            return grid.moves(node);
        }
        canonical_ways(grid, node, arrival, is_mixed)
    }
}

impl Space for CanonicalSpace<'_> {
    fn len(&self) -> usize {
        self.grid.size().cells()
    }

    #[inline]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        let grid = self.grid;
        if grid.has_edge_factors() {
            return grid.expand(node, parent, visit);
        }
        for way in self.ways(node, parent) {
            let (next, cost) = grid.plain_step(node, way);
            visit(next, cost);
        }
        if !grid.is_plain() {
            for link in grid.links().leading_from(node) {
                visit(link.to, link.cost);
            }
        }
    }
}

/// The ways that go on from a cell that is entered in direction `arrival`, on a grid without edge factors.
///
/// At a mixed cell walls alone do not tell which ways these are: there all that is ahead goes on.
#[inline]
pub(crate) fn canonical_ways(grid: &CostGrid, node: NodeId, arrival: Direction, is_mixed: bool) -> DirectionSet {
    let here = grid.moves(node);
    if is_mixed {
        return AHEAD[arrival as usize].intersection(here);
    }
    let rule = grid.corner_rule();
    let deciding = if is_decided_behind(rule) { grid.moves(grid.neighbour(node, arrival.opposite())) } else { here };
    ONWARD[rule as usize][arrival as usize][usize::from(deciding.bits())].intersection(here)
}

/// Whether walls beside the cell before decide where a way goes on, or else walls beside the cell itself.
const fn is_decided_behind(rule: CornerRule) -> bool {
    matches!(rule, CornerRule::Never | CornerRule::BothFree)
}

/// [`onward`] by rule, by arrival, and by the legal steps that decide.
static ONWARD: [[[DirectionSet; 256]; Direction::ALL.len()]; CornerRule::ALL.len()] = {
    let mut table = [[[DirectionSet::EMPTY; 256]; Direction::ALL.len()]; CornerRule::ALL.len()];
    let mut place = 0;
    while place < CornerRule::ALL.len() * Direction::ALL.len() * 256 {
        let (rule, arrival, bits) =
            (place / 256 / Direction::ALL.len(), place / 256 % Direction::ALL.len(), place % 256);
        let (all, deciding) = (DirectionSet::from_bits(u8::MAX), DirectionSet::from_bits(bits as u8));
        let (here, behind) = if is_decided_behind(CornerRule::ALL[rule]) { (all, deciding) } else { (deciding, all) };
        table[rule][arrival][bits] = onward(CornerRule::ALL[rule], Direction::ALL[arrival], here, behind);
        place += 1;
    }
    table
};
