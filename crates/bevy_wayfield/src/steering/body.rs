//! One unit during one tick: from cell centre to cell centre, never into a wall.

use bevy::prelude::*;
use wayfield::{Cell, CornerRule, Cost, CostGrid, Heuristic, PathStep, nearest_cell};

use super::{FollowField, Mover};
use crate::fields::DijkstraMaps;
use crate::map::{ClassId, Tilemap};
use crate::request::FollowPath;

/// How far from the middle of its cell a unit may walk, in cells.
const MAX_OFFSET: f32 = 0.4;

/// How many cells a unit may enter in one tick.
pub const MAX_CELLS_PER_TICK: usize = 16;

/// How far around a trapped unit a free cell is looked for. In the middle of a larger wall it waits.
const ESCAPE_RADIUS: u32 = 32;

/// One unit during one tick.
pub struct Body<'a> {
    pub entity: Entity,
    pub tilemap: &'a Tilemap,
    pub class: ClassId,
    pub grid: &'a CostGrid,
    pub mover: &'a Mover,
    pub at: Vec2,
    /// What is left of the tick.
    pub seconds: f32,
    /// How far it may walk, for others are in its way; infinite if nobody is.
    pub leash: f32,
}

impl Body<'_> {
    pub fn cell(&self) -> Option<Cell> {
        self.tilemap.world_to_unit(self.class, self.at)
    }

    /// Where in a cell the unit walks to.
    pub fn spot(&self, cell: Cell) -> Vec2 {
        // Beside the middle a diagonal would clip the corner of a side cell, which under these rules may be a wall.
        let offset = match self.grid.corner_rule() {
            CornerRule::Never | CornerRule::BothFree => {
                self.mover.offset.clamp(-Vec2::splat(MAX_OFFSET), Vec2::splat(MAX_OFFSET))
            }
            CornerRule::Always | CornerRule::AtLeastOneFree => Vec2::ZERO,
        };
        self.tilemap.unit_to_world(self.class, cell) + offset * self.tilemap.cell_size()
    }

    /// Returns false if the way does not go on from here: the terrain changed, or something moved the unit.
    pub fn follow_path(&mut self, way: &mut FollowPath, mut here: Cell) -> bool {
        for _ in 0..MAX_CELLS_PER_TICK {
            let Some(&next) = way.path.cells().get(way.next) else { break };
            let link = way.next.checked_sub(1).filter(|&before| way.path.link_at(before).is_some());
            let is_there = match link.and_then(|before| way.path.cells().get(before)) {
                Some(&entrance) if entrance == here => match self.grid.link_between(here, next) {
                    Some((_, cost)) => self.take_link(next, cost, &mut way.on_link),
                    None => return false,
                },
                _ if here != next && self.grid.legal_step(here, next).is_none() => return false,
                _ => {
                    let begun = way.next.checked_sub(1).and_then(|before| way.path.cells().get(before));
                    self.enter(here, next, begun.copied().unwrap_or(here))
                }
            };
            if !is_there {
                break;
            }
            way.next += 1;
            // Its spot is within the cell.
            here = next;
        }
        true
    }

    pub fn follow_field(&mut self, follow: &mut FollowField, maps: &DijkstraMaps) {
        for _ in 0..MAX_CELLS_PER_TICK {
            let Some(here) = self.cell() else { return };
            let begun = follow.step.map(|(next, from)| (Cell::new(next.x, next.y), Cell::new(from.x, from.y)));
            let begun = begun.filter(|&(next, _)| next == here || self.grid.legal_step(here, next).is_some());
            let ahead = || follow.next_step(self.entity, maps, self.class, self.grid, here);
            let (next, from) = match (begun, begun.map_or_else(ahead, |_| None)) {
                (Some(begun), _) => begun,
                (None, Some(PathStep::Walk(direction))) => (here.step(direction), here),
                (None, Some(PathStep::Link(link))) => {
                    follow.step = None;
                    match self.grid.link_end(here, link) {
                        Some((end, cost)) if self.take_link(end, cost, &mut follow.on_link) => continue,
                        _ => return,
                    }
                }
                (None, None) => {
                    follow.step = None;
                    return;
                }
            };
            follow.step = Some((IVec2::new(next.x, next.y), IVec2::new(from.x, from.y)));
            follow.on_link = 0.0;
            if !self.enter(here, next, from) {
                return;
            }
            follow.step = None;
        }
    }

    /// Waits at the beginning of a link of this cost, and goes to its end; returns whether the unit is there.
    pub fn take_link(&mut self, end: Cell, cost: Cost, on_link: &mut f32) -> bool {
        // A unit without speed never gets there: what is left is infinite.
        let left = cost.to_units() as f32 / self.mover.speed.max(0.0) - *on_link;
        if left > self.seconds || left.is_nan() {
            *on_link += self.seconds;
            self.seconds = 0.0;
            return false;
        }
        self.seconds -= left.max(0.0);
        self.at = self.spot(end);
        *on_link = 0.0;
        true
    }

    /// Goes to a cell that is this one or one legal step away, with a step that began in `from`; returns whether it got to the spot there.
    pub fn enter(&mut self, here: Cell, next: Cell, from: Cell) -> bool {
        let level = || self.grid.entering_cost(next).map(|cost| u32::from(cost.get()));
        let step = self.grid.legal_step(from, next).and_then(|way| self.grid.step_price(from, way));
        let Some(price) = step.or_else(level) else { return false };
        let diagonal = here.x != next.x && here.y != next.y;
        let cuts_corners = matches!(self.grid.corner_rule(), CornerRule::Always | CornerRule::AtLeastOneFree);
        if !(diagonal && cuts_corners) {
            return self.walk(self.spot(next), price);
        }
        if !self.is_on_diagonal(here, next) && !self.walk(self.spot(here), price) {
            return false;
        }
        let is_there = self.walk(self.spot(next), price);
        if self.cell().is_some_and(|cell| cell != here && cell != next) {
            // On the corner it is by rounding in a side cell, which may be a wall: a hair further on it is not.
            let corner = self.spot(here).midpoint(self.spot(next));
            self.at = corner.lerp(self.spot(next), 0.01);
        }
        is_there
    }

    /// Whether the unit is on the line between the spots of two cells.
    fn is_on_diagonal(&self, from: Cell, to: Cell) -> bool {
        let (from, to) = (self.spot(from), self.spot(to));
        let off = (self.at - from).perp_dot((to - from).normalize_or_zero()).abs();
        off < 0.01 * self.tilemap.cell_size()
    }

    /// Walks straight to a spot, a cell's way for this price, for what is left of the tick; returns whether it got there.
    fn walk(&mut self, spot: Vec2, price: u32) -> bool {
        let speed = self.mover.speed.max(0.0) * self.tilemap.cell_size() / price as f32;
        let way = spot - self.at;
        let distance = way.length();
        // Rounding may have left less than nothing of the tick; and without end a speed times nothing is no number.
        let reach = if self.seconds > 0.0 { (speed * self.seconds).min(self.leash) } else { 0.0 };
        if distance <= reach {
            self.at = spot;
            // Without speed only a unit that is there already gets there.
            self.seconds -= if speed > 0.0 { distance / speed } else { 0.0 };
            true
        } else {
            self.at += way * (reach / distance);
            self.seconds = 0.0;
            false
        }
    }

    /// Goes out of the wall that was painted over the unit, to the nearest free cell.
    pub fn leave_wall(&mut self, here: Cell) {
        let is_free = |cell| self.grid.is_passable(cell);
        // The look around ends at any cell that is too far, so that a wall without end costs little.
        let ends = |cell: Cell| is_free(cell) || here.chebyshev(cell) > ESCAPE_RADIUS;
        let nearest = nearest_cell(self.grid.size(), here, Heuristic::Octile, ends);
        if let Some((_, cell)) = nearest.filter(|&(_, cell)| is_free(cell)) {
            self.walk(self.spot(cell), 1);
        }
    }
}
