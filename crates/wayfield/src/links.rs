//! Links: directed ways between cells that need not be neighbours, such as teleports, ladders and ferries.

use crate::cost::Cost;
use crate::grid::{Cell, GridSize};

/// A link of a map: the place of a [`Link`] in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct LinkId(pub u32);

/// A directed way from one cell to another, at a cost of its own.
///
/// Movers may take it while it is open and both its ends can be entered. The way back is a link of its own. A unit of
/// n x n cells takes it with its top left cell.
///
/// ```
/// use wayfield::{Cell, GridSize, Link, TerrainId, TerrainMap};
/// let mut map = TerrainMap::new(GridSize::new(9, 1)?, TerrainId(0));
/// let ferry = map.add_link(Link::new(Cell::new(1, 0), Cell::new(7, 0), 3))?;
/// map.set_link_open(ferry, false)?;
/// assert!(!map.links()[ferry.0 as usize].is_open);
/// assert!(map.add_link(Link::new(Cell::new(1, 0), Cell::new(1, 0), 3)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct Link {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// What taking it costs, in terrain units, from 1 to [`Link::MAX_COST`]. The cell it ends in costs nothing on top.
    pub cost: u32,
    /// Whether it can be taken.
    pub is_open: bool,
}

impl Link {
    /// The most that a link may cost: what the value of a field can still hold.
    pub const MAX_COST: u32 = 900_000;

    /// An open link.
    pub const fn new(from: Cell, to: Cell, cost: u32) -> Self {
        Self { from, to, cost, is_open: true }
    }

    /// What taking it costs a search.
    pub(crate) const fn search_cost(&self) -> Cost {
        Cost::STRAIGHT.saturating_mul(self.cost)
    }

    /// Checks it against a map of this size.
    pub(crate) fn check(&self, size: GridSize) -> Result<(), LinkError> {
        for cell in [self.from, self.to] {
            if !size.contains(cell) {
                return Err(LinkError::Outside { cell, size });
            }
        }
        if self.from == self.to {
            return Err(LinkError::Loop(self.from));
        }
        if self.cost == 0 || self.cost > Self::MAX_COST {
            return Err(LinkError::Cost(self.cost));
        }
        Ok(())
    }
}

/// What is wrong with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// An end is outside the map.
    #[error("the link's end {cell} is outside the map of {} x {}", size.width(), size.height())]
    Outside {
        /// The end.
        cell: Cell,
        /// The size of the map.
        size: GridSize,
    },
    /// It ends where it begins.
    #[error("the link leads from {0} to itself")]
    Loop(Cell),
    /// It costs nothing or too much.
    #[error("a link costs a whole number from 1 to {max}, not {0}", max = Link::MAX_COST)]
    Cost(u32),
    /// The map has no such link.
    #[error("the map has no link number {}", .0.0)]
    Unknown(LinkId),
    /// It is closed.
    #[error("link number {} is closed", .0.0)]
    Closed(LinkId),
    /// An end cannot be entered by the class and size asked for.
    #[error("link number {} has a blocked end at {cell}", id.0)]
    EndBlocked {
        /// The link.
        id: LinkId,
        /// The blocked end.
        cell: Cell,
    },
}
