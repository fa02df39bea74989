//! Catching up with the map: terrain, legal moves, and what follows from them.

use super::CostGrid;
use crate::direction::{Direction, DirectionSet};
use crate::footprint::Footprint;
use crate::grid::{Cell, CellRect};
use crate::link_table::LinkTable;
use crate::map::TerrainMap;
use crate::terrain::CornerRule;

impl CostGrid {
    /// Reads an area of the map anew, where entering costs, edges or the ends of links may have changed.
    pub(super) fn read_map(&mut self, map: &TerrainMap, area: CellRect) {
        let class = self.class.clone();
        let mut footprint = Footprint::new(map, &class, self.unit_size);
        footprint.look_for_fences(area.grown(1));
        let whole = self.size.rect();
        let mut opened_or_closed = false;
        for cell in area.intersection(whole).into_iter().flat_map(CellRect::cells) {
            let Some(index) = self.size.index(cell) else { continue };
            let new = footprint.entering(cell);
            let old = std::mem::replace(&mut self.entering[index as usize], new);
            self.cells_by_cost[usize::from(old)] -= 1;
            self.cells_by_cost[usize::from(new)] += 1;
            opened_or_closed |= (old == 0) != (new == 0);
        }
        let Some(around) = area.grown(1).intersection(whole) else { return };
        let was_fenced = std::mem::replace(&mut self.is_fenced, footprint.is_barred_by_fences());
        if opened_or_closed || was_fenced || self.is_fenced {
            self.find_moves(around, &footprint);
            self.components.update(around, &self.entering, &self.moves);
        }
        if footprint.has_edge_factors() {
            self.edge_factors.resize(self.size.cells(), [1; 8]);
            for cell in around.cells() {
                if let Some(index) = self.size.index(cell) {
                    self.edge_factors[index as usize] = Direction::ALL.map(|way| footprint.edge_factor(cell, way));
                }
            }
        } else {
            self.edge_factors.clear();
        }
        let links = LinkTable::new(map.links(), self.size, |node| self.component(self.size.cell(node)));
        let old_links = std::mem::replace(&mut self.links, links);
        self.is_plain = self.edge_factors.is_empty() && self.links.is_empty() && !self.is_fenced;
        self.read_stops(around, &footprint);
        self.refresh_jump_table(around);
        if let Some(mut hierarchy) = self.hierarchy.take() {
            hierarchy.refresh(self, around);
            let ends: Vec<_> = self.links.changed_ends(&old_links).collect();
            for node in ends {
                let cell = self.size.cell(node);
                hierarchy.refresh(self, CellRect::new(cell, cell));
            }
            self.hierarchy = Some(hierarchy);
        }
    }

    /// Finds out where jumps stop in an area. Beside what terrain decides, that is at the ends of links, and at fences.
    fn read_stops(&mut self, area: CellRect, footprint: &Footprint) {
        self.stops.update(area, self.class.corner_rule(), self.size, &self.entering, &self.moves);
        let ends = self.links.ends().iter().flat_map(|&(from, to)| [from, to]).map(|node| self.size.cell(node));
        let mut stops: Vec<_> = ends.filter(|&cell| area.contains(cell)).collect();
        if footprint.is_barred_by_fences() {
            let is_near = |&cell: &Cell| CellRect::around(cell, 1).cells().any(|cell| footprint.is_at_fence(cell));
            stops.extend(area.cells().filter(is_near));
        }
        // At walls they stop anyway.
        stops.retain(|&cell| self.is_passable(cell));
        for cell in stops {
            self.stops.stop_at(cell);
        }
    }

    /// Finds the legal steps out of the cells of an area.
    fn find_moves(&mut self, area: CellRect, footprint: &Footprint) {
        let legal = &LEGAL_MOVES[self.corner_rule() as usize];
        let is_barred_by_fences = footprint.is_barred_by_fences();
        for y in area.min.y..=area.max.y {
            let is_open = |index| self.entering[index as usize] != 0;
            let open = |x: i32, y: i32| self.size.index(Cell::new(x, y)).is_some_and(is_open);
            // Which of three cells below each other are open: the upper, the middle and the lower one.
            let column = |x| [open(x, y - 1), open(x, y), open(x, y + 1)];
            let (mut left, mut middle) = (column(area.min.x - 1), column(area.min.x));
            for x in area.min.x..=area.max.x {
                let right = column(x + 1);
                // In the order of the directions.
                let near = [middle[0], middle[2], left[1], right[1], left[0], right[0], left[2], right[2]];
                let near = near.into_iter().rev().fold(0, |bits, is_open| bits << 1 | usize::from(is_open));
                let index = y as u32 * self.size.width() + x as u32;
                self.moves[index as usize] = legal[near];
                if is_barred_by_fences {
                    let is_free = |&direction: &Direction| !footprint.is_barred(Cell::new(x, y), direction);
                    let free = legal[near].iter().filter(is_free);
                    self.moves[index as usize] = free.fold(DirectionSet::EMPTY, DirectionSet::with);
                }
                (left, middle) = (middle, right);
            }
        }
    }
}

/// The legal moves by corner rule and by which neighbours can be entered: a bit each, in the order of the directions.
static LEGAL_MOVES: [[DirectionSet; 256]; CornerRule::ALL.len()] = {
    let mut table = [[DirectionSet::EMPTY; 256]; CornerRule::ALL.len()];
    let mut rule = 0;
    while rule < table.len() {
        let mut near = 0;
        while near < 256 {
            table[rule][near] = legal_among(CornerRule::ALL[rule], near);
            near += 1;
        }
        rule += 1;
    }
    table
};

/// The rule itself: the legal moves out of a cell, by which of its neighbours can be entered.
const fn legal_among(rule: CornerRule, near: usize) -> DirectionSet {
    const fn free(near: usize, direction: Direction) -> bool {
        near >> direction as usize & 1 == 1
    }
    let mut legal = DirectionSet::EMPTY;
    let mut index = 0;
    while index < Direction::ALL.len() {
        let direction = Direction::ALL[index];
        let passes = match direction.sides() {
            None => true,
            Some((one, other)) => rule.allows(free(near, one), free(near, other)),
        };
        if passes && free(near, direction) {
            legal = legal.with(direction);
        }
        index += 1;
    }
    legal
}
