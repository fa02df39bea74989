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
/// grid, under every corner rule and on any terrain. Only for searches that know what the cheapest way so far
/// costs: which cells a node leads to depends on where it was reached from.
///
/// ```
/// use wayfield::search::{Ending, Limits, Order, Search};
/// use wayfield::space::Everything;
/// use wayfield::{parse_map, CanonicalSpace, Cost, CostGrid};
/// let map = parse_map(b"....\n....\n....\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let (mut plain, mut canonical) = (Search::default(), Search::default());
/// plain.begin(Order::DIJKSTRA, &grid, &[(0, Cost::ZERO)], &Everything);
/// let cells = CanonicalSpace::new(&grid).ok_or("not a plain grid")?;
/// canonical.begin(Order::DIJKSTRA, &cells, &[(0, Cost::ZERO)], &Everything);
/// assert_eq!(plain.run(&grid, &Everything, Limits::NONE), Ending::Exhausted);
/// assert_eq!(canonical.run(&cells, &Everything, Limits::NONE), Ending::Exhausted);
/// assert!((0..12).all(|node| plain.cost_to(node) == canonical.cost_to(node)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CanonicalSpace<'a> {
    grid: &'a CostGrid,
}

impl<'a> CanonicalSpace<'a> {
    /// The cells of a grid; `None` if it has links, fences or slopes, with which two ways round a rectangle need not cost the same.
    pub fn new(grid: &'a CostGrid) -> Option<Self> {
        grid.is_plain().then_some(Self { grid })
    }

    /// The ways out of a node that was reached from another.
    #[inline(always)]
    fn ways(&self, node: NodeId, parent: Option<NodeId>) -> DirectionSet {
        let grid = self.grid;
        match parent.and_then(|parent| grid.arrival(parent, node)) {
            Some(arrival) => canonical_ways(grid, node, arrival, grid.is_mixed(node)),
            None => grid.moves(node),
        }
    }
}

impl Space for CanonicalSpace<'_> {
    fn len(&self) -> usize {
        self.grid.size().cells()
    }

    #[inline(always)]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for way in self.ways(node, parent) {
            let (next, cost) = self.grid.plain_step(node, way);
            visit(next, cost);
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
