//! Who holds which cells, who waits for whom, and who comes first.

mod detour;
mod push;

use std::ops::Range;

use bevy::prelude::*;
use wayfield::{Cell, CellRect, Direction, DirectionSet, GridSize};

use crate::field::FieldId;
use crate::map::{ClassId, Tilemap};
use crate::request::SimId;

/// No walker has so low a rank.
const LAST: usize = usize::MAX;

/// So many cells of its way a unit will come through soon.
const SOON: usize = 4;

/// For each direction, those that lead against it.
const AGAINST: [DirectionSet; 8] = {
    let mut against = [DirectionSet::EMPTY; 8];
    let mut index = 0;
    while index < 64 {
        let (one, other) = (Direction::ALL[index / 8], Direction::ALL[index % 8]);
        if dot(one.delta(), other.delta()) < 0 {
            against[index / 8] = against[index / 8].with(other);
        }
        index += 1;
    }
    against
};

/// A unit that has its cells to itself, during one tick.
#[derive(Clone, Debug)]
pub struct Walker {
    pub id: Option<SimId>,
    pub entity: Entity,
    pub class: ClassId,
    /// The cell that it stands on, or leaves.
    pub cell: Cell,
    /// The cell that it enters.
    pub to: Option<Cell>,
    /// How far it has come there, from 0 to 1.
    pub progress: f32,
    /// The cell that it is to enter next; `None` if it is not on a way.
    pub wants: Option<Cell>,
    /// The next cells of its way, in [`Traffic::ahead`].
    pub ahead: Range<usize>,
    /// For how many seconds it has not come on.
    pub waited: f32,
    pub speed: f32,
    pub is_firm: bool,
    /// The field that it follows, if that is what it does.
    pub field: Option<FieldId>,
    /// The number of the first unit that it is in the way of, directly or by others; its own if it is in nobody's.
    pub rank: usize,
    /// Whether it goes on only if the game, or others by force, move it or somebody else.
    pub stands: bool,
    /// Whether somebody has made it go.
    pub was_pushed: bool,
    /// The latest push that came to it.
    pub stamp: u32,
}

impl Walker {
    /// A unit that stands in the corner of the map.
    pub fn new(entity: Entity, id: Option<SimId>, class: ClassId) -> Self {
        Self {
            id,
            entity,
            class,
            cell: Cell::new(0, 0),
            to: None,
            progress: 0.0,
            wants: None,
            ahead: 0..0,
            waited: 0.0,
            speed: 0.0,
            is_firm: false,
            field: None,
            rank: LAST,
            stands: false,
            was_pushed: false,
            stamp: 0,
        }
    }
}

impl Walker {
    /// The step that it is in the middle of.
    pub fn step(&self) -> Option<(IVec2, IVec2)> {
        let point = |cell: Cell| IVec2::new(cell.x, cell.y);
        self.to.map(|to| (point(self.cell), point(to)))
    }
}

/// All units that have their cells to themselves, and the cells.
#[derive(Default)]
pub struct Traffic {
    size: Option<GridSize>,
    /// For each cell, 1 and the index of the walker that is there, or will be; 0 for nobody.
    holders: Vec<u32>,
    /// The same for the one that is leaving it.
    leavers: Vec<u32>,
    /// For each cell, 1 and the index of the walker that has waited longest for it.
    waiters: Vec<u32>,
    /// For each cell, where those head for who come through it soon, or to the left of it.
    flow: Vec<DirectionSet>,
    /// The cells that are to be cleared.
    touched: Vec<usize>,
    walkers: Vec<Walker>,
    /// The next cells of the ways of all.
    ahead: Vec<Cell>,
    stamp: u32,
    search: detour::Detours,
}

impl Traffic {
    /// Begins a tick, with nobody there.
    pub fn begin(&mut self, tilemap: &Tilemap) {
        let size = tilemap.size();
        if self.size == Some(size) {
            for index in self.touched.drain(..) {
                self.holders[index] = 0;
                self.leavers[index] = 0;
                self.waiters[index] = 0;
                self.flow[index] = DirectionSet::EMPTY;
            }
        } else {
            self.size = Some(size);
            self.touched.clear();
            self.holders.clear();
            self.leavers.clear();
            self.waiters.clear();
            self.flow.clear();
        }
        self.walkers.clear();
        self.ahead.clear();
    }

    /// Adds a unit, the next cells of its way being these.
    pub fn add(&mut self, mut walker: Walker, ahead: &[Cell]) {
        let first = self.ahead.len();
        self.ahead.extend_from_slice(ahead);
        walker.ahead = first..self.ahead.len();
        self.walkers.push(walker);
    }

    /// All are there: finds out who holds what, and who comes first.
    pub fn settle(&mut self, tilemap: &Tilemap) {
        if self.walkers.is_empty() {
            return;
        }
        // Not before somebody needs them.
        self.holders.resize(tilemap.size().cells(), 0);
        self.leavers.resize(tilemap.size().cells(), 0);
        self.waiters.resize(tilemap.size().cells(), 0);
        self.flow.resize(tilemap.size().cells(), DirectionSet::EMPTY);
        self.walkers.sort_unstable_by_key(|walker| (walker.id, walker.entity));
        // What was promised to those under way comes first.
        for index in 0..self.walkers.len() {
            if let Some(to) = self.walkers[index].to {
                self.hold(index, to, tilemap);
            }
        }
        for index in 0..self.walkers.len() {
            let Walker { cell, to, .. } = self.walkers[index];
            self.hold(index, cell, tilemap);
            if let Some(to) = to {
                self.leave(index, cell, to, tilemap);
            }
        }
        self.mark_flow();
        self.line_up(tilemap);
        self.rank(tilemap);
        self.find_standing(tilemap);
    }

    pub fn len(&self) -> usize {
        self.walkers.len()
    }

    /// Those who were made to go in this tick after it had been their turn.
    pub fn pushed(&self) -> impl Iterator<Item = &Walker> {
        self.walkers.iter().filter(|walker| walker.was_pushed)
    }

    pub fn walker(&self, index: usize) -> &Walker {
        &self.walkers[index]
    }

    pub fn walker_mut(&mut self, index: usize) -> &mut Walker {
        &mut self.walkers[index]
    }

    /// The next cells of a unit's way.
    fn ahead_of(&self, index: usize) -> &[Cell] {
        &self.ahead[self.walkers[index].ahead.clone()]
    }

    /// The cells that a unit covers with its top left one there.
    fn body(&self, index: usize, cell: Cell, tilemap: &Tilemap) -> CellRect {
        body(self.walkers[index].class, cell, tilemap)
    }

    fn at(&self, list: &[u32], cell: Cell) -> Option<usize> {
        let index = self.size?.index(cell)?;
        (*list.get(index as usize)? as usize).checked_sub(1)
    }

    /// Who is in a cell, or will be.
    pub fn holder(&self, cell: Cell) -> Option<usize> {
        self.at(&self.holders, cell)
    }

    /// Who is leaving a cell.
    pub fn leaver(&self, cell: Cell) -> Option<usize> {
        self.at(&self.leavers, cell)
    }

    /// Lets a unit hold those cells of a place that nobody holds.
    fn hold(&mut self, index: usize, cell: Cell, tilemap: &Tilemap) {
        let Some(size) = self.size else { return };
        for cell in self.body(index, cell, tilemap).cells() {
            if let Some(at) = size.index(cell).map(|at| at as usize)
                && self.holders[at] == 0
            {
                self.holders[at] = index as u32 + 1;
                self.touched.push(at);
            }
        }
    }

    /// Lets a unit leave a place for another one.
    fn leave(&mut self, index: usize, cell: Cell, to: Cell, tilemap: &Tilemap) {
        let Some(size) = self.size else { return };
        let there = self.body(index, to, tilemap);
        for cell in self.body(index, cell, tilemap).cells().filter(|&cell| !there.contains(cell)) {
            if let Some(at) = size.index(cell).map(|at| at as usize)
                && self.leavers[at] == 0
            {
                self.leavers[at] = index as u32 + 1;
                self.touched.push(at);
            }
        }
    }

    /// Takes all that a unit has in a place away from it, but for what it has in another one, too.
    fn let_go(&mut self, index: usize, cell: Cell, but: Option<Cell>, tilemap: &Tilemap) {
        let Some(size) = self.size else { return };
        let but = but.map(|but| self.body(index, but, tilemap));
        for cell in self.body(index, cell, tilemap).cells() {
            if but.is_some_and(|but| but.contains(cell)) {
                continue;
            }
            let Some(at) = size.index(cell).map(|at| at as usize) else { continue };
            for list in [&mut self.holders, &mut self.leavers] {
                if list[at] == index as u32 + 1 {
                    list[at] = 0;
                }
            }
        }
    }

    /// Whether a unit holds the cells that it stands on, and shares them with nobody.
    pub fn is_at_home(&self, index: usize, tilemap: &Tilemap) -> bool {
        self.body(index, self.walkers[index].cell, tilemap).cells().all(|cell| self.holder(cell) == Some(index))
    }

    /// The first unit that keeps another one from entering a cell now.
    pub fn obstacle(&self, index: usize, next: Cell, tilemap: &Tilemap) -> Option<usize> {
        let from = self.walkers[index].cell;
        let heading = heading(from, next);
        let is_near = from.chebyshev(next) <= 1;
        // One may follow those who leave, unless they come towards one.
        let gives_way = |other: usize, cell: Cell| {
            let Walker { cell: left, to: Some(to), .. } = self.walkers[other] else { return false };
            is_near && !self.body(other, to, tilemap).contains(cell) && dot(heading, self::heading(left, to)) >= 0
        };
        for cell in self.body(index, next, tilemap).cells() {
            let others = [self.holder(cell), self.leaver(cell)];
            let mut others = others.into_iter().flatten().filter(|&other| other != index);
            if let Some(other) = others.find(|&other| !gives_way(other, cell)) {
                return Some(other);
            }
        }
        // Two diagonals may not cross.
        let sides = [Cell::new(from.x, next.y), Cell::new(next.x, from.y)];
        let crosses = |other: usize| {
            let Walker { cell, to: Some(to), .. } = self.walkers[other] else { return false };
            sides == [cell, to] || sides == [to, cell]
        };
        let is_diagonal = is_near && from.x != next.x && from.y != next.y;
        let mut others = sides.into_iter().filter(|_| is_diagonal).filter_map(|side| self.holder(side));
        others.find(|&other| other != index && crosses(other))
    }

    /// Begins a step that nothing is in the way of.
    pub fn set_out(&mut self, index: usize, next: Cell, tilemap: &Tilemap) {
        let cell = self.walkers[index].cell;
        // Whoever leaves these cells keeps none of them.
        let Some(size) = self.size else { return };
        for at in self.body(index, next, tilemap).cells().filter_map(|cell| size.index(cell)) {
            self.holders[at as usize] = index as u32 + 1;
            self.touched.push(at as usize);
        }
        self.leave(index, cell, next, tilemap);
        let walker = &mut self.walkers[index];
        walker.to = Some(next);
        walker.progress = 0.0;
    }

    /// How far a unit may come with its step, from 0 to 1: no farther than those whose place it takes.
    pub fn limit(&self, index: usize, tilemap: &Tilemap) -> f32 {
        let Some(to) = self.walkers[index].to else { return 1.0 };
        let others = self.body(index, to, tilemap).cells().filter_map(|cell| self.leaver(cell));
        others.filter(|&other| other != index).map(|other| self.walkers[other].progress).fold(1.0, f32::min)
    }

    /// Puts a unit on a cell, at rest.
    pub fn put(&mut self, index: usize, cell: Cell, tilemap: &Tilemap) {
        let Walker { cell: before, to, .. } = self.walkers[index];
        for place in [Some(before), to].into_iter().flatten() {
            self.let_go(index, place, Some(cell).filter(|&cell| to == Some(cell)), tilemap);
        }
        let walker = &mut self.walkers[index];
        walker.cell = cell;
        walker.to = None;
        walker.progress = 0.0;
        self.hold(index, cell, tilemap);
    }

    /// Finds out who has waited longest for each cell.
    fn line_up(&mut self, tilemap: &Tilemap) {
        let Some(size) = self.size else { return };
        for index in 0..self.walkers.len() {
            let Walker { to: None, wants: Some(wants), waited, .. } = self.walkers[index] else { continue };
            if waited == 0.0 {
                continue;
            }
            for at in self.body(index, wants, tilemap).cells().filter_map(|cell| size.index(cell)) {
                let first = &mut self.waiters[at as usize];
                if first.checked_sub(1).is_none_or(|other| self.walkers[other as usize].waited < waited) {
                    *first = index as u32 + 1;
                    self.touched.push(at as usize);
                }
            }
        }
    }

    /// Whether somebody has waited longer for a place than a unit, and can enter it now.
    pub fn is_anothers_turn(&self, index: usize, next: Cell, tilemap: &Tilemap) -> bool {
        let waited = self.walkers[index].waited;
        let others = self.body(index, next, tilemap).cells().filter_map(|cell| self.at(&self.waiters, cell));
        others.filter(|&other| other != index).any(|other| {
            let Walker { to: None, wants: Some(wants), waited: for_longer, .. } = self.walkers[other] else {
                return false;
            };
            for_longer > waited && self.obstacle(other, wants, tilemap).is_none()
        })
    }

    /// Marks where everybody will be soon, and to the right of it: so that two who come towards each other both keep to the
    /// right.
    fn mark_flow(&mut self) {
        let Some(size) = self.size else { return };
        for walker in &self.walkers {
            let mut from = walker.to.unwrap_or(walker.cell);
            for &cell in self.ahead[walker.ahead.clone()].iter().take(SOON) {
                let Some(direction) = from.direction_to(cell) else { continue };
                let (dx, dy) = direction.delta();
                for place in [cell, Cell::new(cell.x - dy, cell.y + dx)] {
                    if let Some(at) = size.index(place).map(|at| at as usize) {
                        self.flow[at] = self.flow[at].with(direction);
                        self.touched.push(at);
                    }
                }
                from = cell;
            }
        }
    }

    /// Whether somebody will come through a cell, or to the left of it, against one who enters it in this direction.
    fn is_against(&self, cell: Cell, direction: Direction) -> bool {
        let flow = self.size.and_then(|size| size.index(cell)).and_then(|at| self.flow.get(at as usize));
        flow.is_some_and(|flow| !flow.intersection(AGAINST[direction as usize]).is_empty())
    }

    /// Whether somebody comes towards a unit on the next cells of its way.
    pub fn is_met(&self, index: usize) -> bool {
        let mut from = self.walkers[index].cell;
        self.ahead_of(index).iter().take(SOON).any(|&cell| {
            let direction = from.direction_to(cell);
            from = cell;
            direction.is_some_and(|direction| self.is_against(cell, direction))
        })
    }

    /// The unit at rest that another one at rest waits for.
    fn waits_for(&self, index: usize, tilemap: &Tilemap) -> Option<usize> {
        let Walker { to: None, wants: Some(wants), .. } = self.walkers[index] else { return None };
        self.obstacle(index, wants, tilemap)
    }

    /// Each unit is as important as the most important one that waits for it.
    fn rank(&mut self, tilemap: &Tilemap) {
        for (index, walker) in self.walkers.iter_mut().enumerate() {
            walker.rank = if walker.wants.is_some() { index } else { LAST };
        }
        for index in 0..self.walkers.len() {
            let mut behind = index;
            while self.walkers[behind].rank == index
                && let Some(other) = self.waits_for(behind, tilemap)
                && self.walkers[other].wants.is_some()
                && self.walkers[other].rank > index
            {
                self.walkers[other].rank = index;
                behind = other;
            }
        }
    }

    /// Finds out who does not come on by itself: who is on no way, and who waits for such a unit, or in a ring.
    fn find_standing(&mut self, tilemap: &Tilemap) {
        let count = self.walkers.len();
        let mut chain = Vec::new();
        // Unknown, being looked at, moves, stands.
        let mut state = vec![0_u8; count];
        for index in 0..count {
            let mut current = Some(index);
            let stands = loop {
                let Some(at) = current else { break false };
                let walker = &self.walkers[at];
                match state[at] {
                    0 if walker.to.is_some() => break false,
                    0 if walker.wants.is_none() => {
                        state[at] = 3;
                        break true;
                    }
                    0 => {
                        state[at] = 1;
                        chain.push(at);
                        current = self.waits_for(at, tilemap);
                    }
                    // A ring.
                    1 | 3 => break true,
                    _ => break false,
                }
            };
            for at in chain.drain(..) {
                state[at] = if stands { 3 } else { 2 };
            }
        }
        for (walker, state) in self.walkers.iter_mut().zip(state) {
            walker.stands = state == 3;
        }
    }

    /// Whether a unit at rest wants to go where another one is.
    pub fn faces(&self, index: usize, other: usize, tilemap: &Tilemap) -> bool {
        let Walker { to: None, wants: Some(wants), .. } = self.walkers[index] else { return false };
        let there = self.body(index, wants, tilemap);
        self.body(other, self.walkers[other].cell, tilemap).intersection(there).is_some()
    }
}

/// The cells that a unit of a class covers with its top left one there.
fn body(class: ClassId, cell: Cell, tilemap: &Tilemap) -> CellRect {
    tilemap.grid(class).map_or(CellRect::around(cell, 0), |grid| grid.footprint(cell))
}

fn heading(from: Cell, to: Cell) -> (i32, i32) {
    ((to.x - from.x).signum(), (to.y - from.y).signum())
}

const fn dot(one: (i32, i32), other: (i32, i32)) -> i32 {
    one.0 * other.0 + one.1 * other.1
}
