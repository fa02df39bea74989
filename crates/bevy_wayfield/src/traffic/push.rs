//! Making way: one after the other steps aside for whoever comes first.

use wayfield::{Cell, Direction, Heuristic};

use super::{LAST, Traffic, Walker, dot, heading};
use crate::map::Tilemap;

/// So many units at most move for one.
const MOST: usize = 64;

/// For whom way is made.
struct Push {
    by: usize,
    rank: usize,
    /// How many more may be made to move.
    left: usize,
}

impl Traffic {
    /// Makes a unit that stands in the way of another one step aside, and others for it, where they must. Returns
    /// whether somebody moves.
    pub fn make_way(&mut self, index: usize, by: usize, tilemap: &Tilemap) -> bool {
        self.stamp = self.stamp.wrapping_add(1);
        self.walkers[by].stamp = self.stamp;
        let mut push = Push { by, rank: self.walkers[by].rank, left: MOST };
        self.may_push(index, None) && self.step_aside(index, &mut push, tilemap)
    }

    /// Two that want each other's place settle who backs off; returns whether somebody moves.
    pub fn meet(&mut self, one: usize, other: usize, tilemap: &Tilemap) -> bool {
        let (first, second) =
            if self.walkers[one].rank <= self.walkers[other].rank { (one, other) } else { (other, one) };
        // Steps past each other, where there is room, need no further thought.
        let (of_first, of_second) = match self.refuge(second, first, tilemap) {
            Some(near) if near <= 1 => (None, Some(near)),
            near => (self.refuge(first, second, tilemap), near),
        };
        let first_yields = match (of_first, of_second) {
            (Some(mine), Some(yours)) => mine < yours,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            // Nobody can let the other one pass.
            (None, None) => return false,
        };
        let (yields, goes) = if first_yields { (first, second) } else { (second, first) };
        self.make_way(yields, goes, tilemap) || self.make_way(goes, yields, tilemap)
    }

    /// Whether a unit may be made to move for one of this rank, if for a certain one.
    fn may_push(&self, index: usize, rank: Option<usize>) -> bool {
        let Walker { to, is_firm, rank: own, stamp, .. } = self.walkers[index];
        to.is_none() && !is_firm && stamp != self.stamp && rank.is_none_or(|rank| own > rank || own == LAST)
    }

    fn step_aside(&mut self, index: usize, push: &mut Push, tilemap: &Tilemap) -> bool {
        let Some(left) = push.left.checked_sub(1) else { return false };
        push.left = left;
        self.walkers[index].stamp = self.stamp;
        let Walker { class, cell, wants, .. } = self.walkers[index];
        let Some(grid) = tilemap.grid(class) else { return false };
        let way = heading(self.walkers[push.by].cell, cell);
        let mut places: Vec<_> = grid
            .legal_moves(cell)
            .iter()
            .map(|direction| (direction, cell.step(direction)))
            .map(|(direction, place)| {
                let is_ahead = self.is_ahead_of(push.by, index, place, tilemap);
                let obstacle = self.obstacle(index, place, tilemap);
                let to_go = wants.map_or(0, |wants| Heuristic::Octile.estimate(place, wants).raw());
                ((is_ahead, obstacle.is_some(), to_go, turn(way, direction)), place)
            })
            .collect();
        places.sort_unstable_by_key(|&(order, _)| order);
        for (_, place) in places {
            if let Some(other) = self.obstacle(index, place, tilemap) {
                let gives_way = self.may_push(other, Some(push.rank)) && self.step_aside(other, push, tilemap);
                if !gives_way {
                    continue;
                }
            }
            if self.obstacle(index, place, tilemap).is_none() {
                self.set_out(index, place, tilemap);
                self.walkers[index].was_pushed = true;
            }
            return true;
        }
        false
    }

    /// Whether a unit would stand on the next cells of another one's way in a place.
    pub(super) fn is_ahead_of(&self, by: usize, index: usize, place: Cell, tilemap: &Tilemap) -> bool {
        let there = self.body(index, place, tilemap);
        self.ahead_of(by).iter().any(|&cell| self.body(by, cell, tilemap).intersection(there).is_some())
    }
}

/// The order in which one steps aside for somebody who comes this way: to the right hand, to the left, on, and back.
fn turn(way: (i32, i32), direction: Direction) -> i32 {
    let step = direction.delta();
    // Rows grow downward: this is the right hand of who comes.
    let right = (-way.1, way.0);
    let (aside, on) = (dot(step, right), dot(step, way));
    -(2 * aside.abs() + aside.signum()) * 4 - on
}
