//! Many cells' steps at once: row by row, without a branch for each neighbour.

use super::roll::Downhill;
use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::grid::CellRect;
use crate::links::LinkId;
use crate::space::NodeId;

/// The sums of step cost and value of the cells of a row, from one cell to the left of an area to one to its right.
#[derive(Clone, Debug, Default)]
struct Sums {
    straight: Vec<i32>,
    diagonal: Vec<i32>,
}

impl DijkstraMap {
    /// Calls `visit` with every cell of an area, row by row, and the best steps out of it.
    ///
    /// The area must be on the map, and the map must be one to roll on. Time: linear in the cells.
    pub(crate) fn visit_downhill(
        &self,
        grid: &CostGrid,
        area: CellRect,
        mut visit: impl FnMut(NodeId, DirectionSet, Option<LinkId>),
    ) {
        let one_by_one = |node: NodeId| {
            let Downhill { ways, link } = self.downhill_from(grid, node);
            (ways, link.map(|link| link.id))
        };
        let nodes = |y| (area.min.x..=area.max.x).map(move |x| y as u32 * grid.size().width() + x as u32);
        if !self.sums_fit(grid) {
            for node in (area.min.y..=area.max.y).flat_map(nodes) {
                let (ways, link) = one_by_one(node);
                visit(node, ways, link);
            }
            return;
        }
        let has_links = !grid.links().is_empty();
        self.visit_rows(grid, area, |y, best, ways| {
            for ((node, &best), &ways) in nodes(y).zip(best).zip(ways) {
                let own = self.values[node as usize];
                // Between equal values a flat decides.
                let is_flat = !self.flats.is_empty() && (best == own || ways.count_ones() > 1);
                let is_special = is_flat || has_links && !grid.links().leading_from(node).is_empty();
                if is_special {
                    let (ways, link) = one_by_one(node);
                    visit(node, ways, link);
                    continue;
                }
                let goes_down = if self.kind == Kind::Sum { best < own } else { best <= own && best != UNREACHED };
                visit(node, if goes_down { DirectionSet::from_bits(ways) } else { DirectionSet::EMPTY }, None);
            }
        });
    }

    /// The nodes with a value that no step from a node beside them would lower, if costs and values are such that rows
    /// can be looked at as a whole; else all that have a value.
    pub(super) fn lowest_around(&self, grid: &CostGrid) -> Vec<NodeId> {
        let nodes = 0..self.size.cells() as NodeId;
        if !self.sums_fit(grid) {
            return nodes.filter(|&node| self.raw(node).is_some()).collect();
        }
        let mut lowest = Vec::new();
        self.visit_rows(grid, self.size.rect(), |y, best, _| {
            let first = y as usize * best.len();
            for ((node, &best), &own) in (first as NodeId..).zip(best).zip(&self.values[first..]) {
                if own <= best && own != UNREACHED {
                    lowest.push(node);
                }
            }
        });
        // What a link lowers is lowered anyway when its turn comes.
        lowest
    }

    /// Whether no step costs more than what length and cell entered say, and no sum is too large.
    fn sums_fit(&self, grid: &CostGrid) -> bool {
        let step = i64::from(grid.dearest_cost()) * i64::from(Cost::DIAGONAL.raw()) * self.scale;
        let largest = self.values.iter().map(|&value| if value == UNREACHED { i32::MIN } else { value }).max();
        !grid.has_edge_factors() && i64::from(largest.unwrap_or_default()) + step < i64::from(UNREACHED)
    }

    /// Calls `visit` with each row of an area: its number, and for each of its cells the least sum of a step and the
    /// directions of the steps that have it.
    fn visit_rows(&self, grid: &CostGrid, area: CellRect, mut visit: impl FnMut(i32, &[i32], &[u8])) {
        let width = (area.max.x - area.min.x + 1) as usize;
        let mut rows: [Sums; 3] = Default::default();
        let (mut best, mut ways) = (vec![0; width], vec![0; width]);
        for y in area.min.y - 1..=area.max.y + 1 {
            rows.rotate_left(1);
            self.sum_row(grid, area, y, &mut rows[2]);
            let middle = y - 1;
            if middle < area.min.y {
                continue;
            }
            let first = middle as usize * self.size.width() as usize + area.min.x as usize;
            let legal = grid.moves_of(first, width);
            let sums = |way: Direction| {
                let (dx, dy) = way.delta();
                let row = &rows[(1 + dy) as usize];
                let sums = if way.is_diagonal() { &row.diagonal } else { &row.straight };
                &sums[(1 + dx) as usize..][..width]
            };
            best.fill(UNREACHED);
            for way in Direction::ALL {
                let bit = DirectionSet::EMPTY.with(way).bits();
                for ((best, &sum), legal) in best.iter_mut().zip(sums(way)).zip(legal) {
                    // A choice by masks, which compilers do for many cells at once.
                    let legal = i32::from(legal.bits() & bit != 0).wrapping_neg();
                    *best = (*best).min(sum & legal | UNREACHED & !legal);
                }
            }
            ways.fill(0);
            for way in Direction::ALL {
                let bit = DirectionSet::EMPTY.with(way).bits();
                for (((ways, &best), &sum), legal) in ways.iter_mut().zip(&best).zip(sums(way)).zip(legal) {
                    *ways |= u8::from(sum == best).wrapping_neg() & legal.bits() & bit;
                }
            }
            visit(middle, &best, &ways);
        }
    }

    /// Sums up a row of an area, [`UNREACHED`] where there is nothing to step into.
    fn sum_row(&self, grid: &CostGrid, area: CellRect, y: i32, sums: &mut Sums) {
        let width = (area.max.x - area.min.x + 3) as usize;
        sums.straight.clear();
        sums.straight.resize(width, UNREACHED);
        sums.diagonal.clear();
        sums.diagonal.resize(width, UNREACHED);
        if !(0..self.size.height() as i32).contains(&y) {
            return;
        }
        let (from, to) = ((area.min.x - 1).max(0), (area.max.x + 1).min(self.size.width() as i32 - 1));
        let row = y as usize * self.size.width() as usize;
        let (first, last) = (row + from as usize, row + to as usize);
        let skipped = (from - (area.min.x - 1)) as usize;
        // A sum has slopes, but no ways that cost something.
        let scale = if self.kind == Kind::Sum { 0 } else { self.scale as i32 };
        let (straight, diagonal) = (Cost::STRAIGHT.raw() as i32 * scale, Cost::DIAGONAL.raw() as i32 * scale);
        let into = sums.straight[skipped..].iter_mut().zip(&mut sums.diagonal[skipped..]);
        let from = self.values[first..=last].iter().zip(grid.entering_of(first, last - first + 1));
        for ((to_straight, to_diagonal), (&value, &entering)) in into.zip(from) {
            let entering = i32::from(entering);
            let sum = |length: i32| {
                if value == UNREACHED { UNREACHED } else { value.wrapping_add(length.wrapping_mul(entering)) }
            };
            (*to_straight, *to_diagonal) = (sum(straight), sum(diagonal));
        }
        for &node in &self.barred {
            let at = node as usize;
            if (first..=last).contains(&at) {
                (sums.straight[skipped + at - first], sums.diagonal[skipped + at - first]) = (UNREACHED, UNREACHED);
            }
        }
    }
}
