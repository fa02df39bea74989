//! What a map is to a unit of n x n cells, wherever it stands: the facts, before any rule about moves.
//!
//! A unit stands on a square of cells and is named by its top left one, its *anchor*.

use std::cmp::Ordering;

use crate::cost::TerrainCost;
use crate::direction::Direction;
use crate::grid::{Cell, CellRect, Grid};
use crate::map::TerrainMap;
use crate::terrain::MovementClass;

/// A unit of one class and size on a map. Everything asked of it takes O(n x n) for n x n cells.
#[derive(Clone, Debug)]
pub(crate) struct Footprint<'a> {
    map: &'a TerrainMap,
    class: &'a MovementClass,
    /// The n, at least 1.
    side: u32,
    /// The layers that the class minds, and their weights.
    influences: Vec<(&'a Grid<u8>, u32)>,
    /// For which anchors it is known whether a fence runs through the unit, and for which it does, row by row.
    looked_at: Option<CellRect>,
    on_fence: Vec<bool>,
}

impl<'a> Footprint<'a> {
    pub fn new(map: &'a TerrainMap, class: &'a MovementClass, side: u32) -> Self {
        let weighted = |(layer, weight)| Some((map.influence_values(layer)?, u32::from(weight)));
        let influences = class.influences().filter_map(weighted).collect();
        Self { map, class, side, influences, looked_at: None, on_fence: Vec::new() }
    }

    /// Looks for fences through the units of an area, and those beside it, once for all questions that follow.
    pub fn look_for_fences(&mut self, area: CellRect) {
        if self.side > 1 && self.is_barred_by_fences() {
            let area = area.grown(2);
            self.on_fence = area.cells().map(|anchor| self.has_fence_within(anchor)).collect();
            self.looked_at = Some(area);
        }
    }

    fn cells(&self, anchor: Cell) -> CellRect {
        let reach = self.side as i32 - 1;
        CellRect::new(anchor, Cell::new(anchor.x + reach, anchor.y + reach))
    }

    /// The entering cost: the dearest of the cells covered. 0 if one is forbidden or outside, or a fence runs between two.
    pub fn entering(&self, anchor: Cell) -> u8 {
        let mut dearest = 0;
        for cell in self.cells(anchor).cells() {
            match self.map.terrain(cell).and_then(|terrain| self.class.cost(terrain)) {
                Some(cost) => dearest = dearest.max(self.influenced(cell, cost)),
                None => return 0,
            }
        }
        if self.stands_on_fence(anchor) { 0 } else { dearest }
    }

    /// What entering a cell costs with the layers that the class minds on top of its terrain.
    fn influenced(&self, cell: Cell, cost: TerrainCost) -> u8 {
        let added =
            self.influences.iter().map(|(values, weight)| weight * u32::from(values.get(cell).copied().unwrap_or(0)));
        let sum = u32::from(cost.get()) + added.sum::<u32>();
        sum.try_into().unwrap_or(u8::MAX)
    }

    /// Whether fences are there and bar the class.
    pub fn is_barred_by_fences(&self) -> bool {
        self.map.has_fences() && self.class.fence_factor().is_none()
    }

    /// Whether a fence that bars the way runs between two of the cells covered.
    fn stands_on_fence(&self, anchor: Cell) -> bool {
        match self.looked_at {
            Some(area) if area.contains(anchor) => {
                let (across, down) = (anchor.x - area.min.x, anchor.y - area.min.y);
                let place = down as usize * (area.max.x - area.min.x + 1) as usize + across as usize;
                self.on_fence.get(place).copied().unwrap_or_default()
            }
            _ => self.side > 1 && self.is_barred_by_fences() && self.has_fence_within(anchor),
        }
    }

    fn has_fence_within(&self, anchor: Cell) -> bool {
        let covered = self.cells(anchor);
        covered.cells().any(|cell| {
            let mut ways = [Direction::East, Direction::South].into_iter();
            ways.any(|way| covered.contains(cell.step(way)) && self.map.is_fenced(cell, way))
        })
    }

    /// Whether a fence bars the step: for a diagonal, on any of the two ways round it.
    pub fn is_barred(&self, anchor: Cell, direction: Direction) -> bool {
        if !self.is_barred_by_fences() {
            return false;
        }
        let bars = |anchor: Cell, way| {
            if self.side == 1 { self.map.is_fenced(anchor, way) } else { self.stands_on_fence(anchor.step(way)) }
        };
        match direction.sides() {
            None => bars(anchor, direction),
            Some((one, other)) => [(one, other), (other, one)]
                .into_iter()
                .any(|(first, second)| bars(anchor, first) || bars(anchor.step(first), second)),
        }
    }

    /// Whether a fence stands at the cell, or between the cells covered: what may make a step illegal without a wall.
    pub fn is_at_fence(&self, anchor: Cell) -> bool {
        let at_side = || Direction::ALL.into_iter().any(|way| self.map.is_fenced(anchor, way));
        self.is_barred_by_fences() && if self.side == 1 { at_side() } else { self.stands_on_fence(anchor) }
    }

    /// Whether slopes or fences are there that multiply the cost of steps.
    pub fn has_edge_factors(&self) -> bool {
        let slopes = self.class.slopes().is_some_and(|(uphill, downhill)| uphill > 1 || downhill > 1);
        let fences = self.class.fence_factor().is_some_and(|factor| factor > 1);
        slopes && self.map.has_heights() || fences && self.map.has_fences()
    }

    /// What slope and fence multiply the entering cost of a step by: the dearest of the cells covered, and for a
    /// diagonal of the two ways round it.
    pub fn edge_factor(&self, anchor: Cell, direction: Direction) -> u16 {
        match direction.sides() {
            None => self.straight_factor(anchor, direction),
            Some((one, other)) => [(one, other), (other, one)]
                .into_iter()
                .map(|(first, second)| {
                    self.straight_factor(anchor, first).max(self.straight_factor(anchor.step(first), second))
                })
                .fold(1, u16::max),
        }
    }

    fn straight_factor(&self, anchor: Cell, direction: Direction) -> u16 {
        let factor = |cell: Cell| self.slope(cell, direction) * self.fence(cell, direction);
        self.cells(anchor).cells().map(factor).fold(1, u16::max)
    }

    /// The slope from one cell to the next; level at the edge of the map.
    fn slope(&self, cell: Cell, direction: Direction) -> u16 {
        let heights = self.map.height(cell).zip(self.map.height(cell.step(direction)));
        let (Some((uphill, downhill)), Some((here, there))) = (self.class.slopes(), heights) else { return 1 };
        match there.cmp(&here) {
            Ordering::Less => downhill.into(),
            Ordering::Equal => 1,
            Ordering::Greater => uphill.into(),
        }
    }

    /// The fence between one cell and the next, if the class can cross it.
    fn fence(&self, cell: Cell, direction: Direction) -> u16 {
        let factor = self.class.fence_factor().filter(|_| self.map.is_fenced(cell, direction));
        factor.map_or(1, u16::from)
    }
}
