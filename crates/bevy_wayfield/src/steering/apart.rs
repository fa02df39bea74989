//! The steering of units that keep apart: step by step, each when its place is free, and what to do when it is not.

use bevy::prelude::*;
use wayfield::{Cell, CellRect, Cost, Path, PathStep};

use super::body::{Body, MAX_CELLS_PER_TICK};
use super::{FollowField, Mover};
use crate::crossing::Crossing;
use crate::fields::DijkstraMaps;
use crate::map::{ClassId, Tilemap};
use crate::occupant::Occupant;
use crate::request::{FollowPath, SimId};
use crate::traffic::{Traffic, Walker};

/// For so many seconds a unit goes on trying before it is blocked.
const PATIENCE: f32 = 2.5;

/// How often a unit that waits looks around, in seconds: at first, and once it is blocked.
const LOOKS: f32 = 0.25;
const LOOKS_WHEN_BLOCKED: f32 = 4.0;

/// So many cells of its way a unit shows to others.
const AHEAD: usize = 16;

/// One is overtaken that is slower by this factor.
const SLOWER: f32 = 0.9;

/// What a unit goes by.
pub enum Aim<'a> {
    /// A way; one that leads to another unit ends beside that.
    Way {
        way: &'a mut FollowPath,
        is_chase: bool,
    },
    Field(&'a mut FollowField),
    /// Nothing: it stands.
    None,
}

/// What is next.
enum Next {
    /// A step.
    Cell(Cell),
    /// The link that begins here.
    Link(Cell, Cost),
    /// The way does not go on from here.
    Astray,
    /// It is there, or has nowhere to go.
    Rest,
}

/// The unit, at the beginning of a tick, as others see it.
pub fn walker(
    (id, entity): (Option<SimId>, Entity),
    class: ClassId,
    (mover, occupant): (&Mover, &Occupant),
    here: Cell,
    (way, field): (Option<&FollowPath>, Option<&FollowField>),
) -> Walker {
    let cell = |at: IVec2| Cell::new(at.x, at.y);
    let step = occupant.step.map(|(from, to)| (cell(from), cell(to)));
    // Something may have moved it meanwhile. On a diagonal it is by rounding in a side cell when it is on the corner.
    let step = step.filter(|&(from, to)| CellRect::new(from, to).contains(here));
    let is_on_way = way.is_some() || field.is_some();
    Walker {
        cell: step.map_or(here, |(from, _)| from),
        to: step.map(|(_, to)| to),
        wants: occupant.wants.map(cell).filter(|_| is_on_way),
        waited: occupant.waited,
        speed: mover.speed,
        is_firm: occupant.is_firm,
        field: field.filter(|_| way.is_none()).and_then(|field| field.fields().next()),
        ..Walker::new(entity, id, class)
    }
}

/// The next cells of a unit's way.
pub fn ahead<'a>(way: Option<&'a FollowPath>, wants: &'a Option<Cell>) -> &'a [Cell] {
    match way {
        Some(way) => way.remaining().get(..AHEAD).unwrap_or(way.remaining()),
        None => wants.as_slice(),
    }
}

/// A unit that keeps apart, during one tick.
pub struct Apart<'a, 'b> {
    pub body: &'a mut Body<'b>,
    pub traffic: &'a mut Traffic,
    pub index: usize,
    pub maps: &'a DijkstraMaps,
    pub tilemap: &'a Tilemap,
}

impl Apart<'_, '_> {
    /// Moves the unit by one tick; returns false if its way does not go on from where it is.
    pub fn go(&mut self, occupant: &mut Occupant, mut aim: Aim) -> bool {
        let tick = self.body.seconds;
        let (mut has_set_out, mut is_on_course) = (false, true);
        let (mut is_waiting, mut has_evaded) = (false, false);
        for _ in 0..MAX_CELLS_PER_TICK {
            if let Some(to) = self.traffic.walker(self.index).to {
                if !self.go_on(to) {
                    break;
                }
                aim.has_entered(to);
                continue;
            }
            let here = self.traffic.walker(self.index).cell;
            let next = self.next(&mut aim, here);
            self.traffic.walker_mut(self.index).wants = match next {
                Next::Cell(cell) | Next::Link(cell, _) => Some(cell),
                Next::Astray | Next::Rest => None,
            };
            match next {
                Next::Cell(next) => match self.traffic.obstacle(self.index, next, self.tilemap) {
                    None if self.traffic.is_anothers_turn(self.index, next, self.tilemap) => break,
                    None if !has_evaded && self.evades(next, &mut aim) => has_evaded = true,
                    None => {
                        self.set_out(next);
                        aim.forget_link();
                        has_set_out = true;
                    }
                    Some(other) => {
                        is_waiting = true;
                        let has_way = self.wait(next, other, &mut aim, occupant.waited, tick);
                        if !has_way {
                            break;
                        }
                        is_waiting = false;
                    }
                },
                Next::Link(end, cost) => {
                    if self.traffic.obstacle(self.index, end, self.tilemap).is_some() {
                        is_waiting = true;
                        break;
                    }
                    if !aim.take_link(self.body, end, cost) {
                        // That is no wait for others.
                        has_set_out = true;
                        break;
                    }
                    self.traffic.put(self.index, end, self.tilemap);
                    aim.has_entered(end);
                }
                Next::Astray => {
                    let is_back = match &mut aim {
                        Aim::Way { way, .. } => self.find_way(way, |_, _| true),
                        Aim::Field(_) | Aim::None => false,
                    };
                    if !is_back {
                        is_on_course = false;
                        break;
                    }
                }
                Next::Rest => {
                    if !self.spread() {
                        break;
                    }
                }
            }
        }
        let walker = self.traffic.walker(self.index);
        occupant.step = walker.step();
        occupant.wants = walker.wants.map(|cell| IVec2::new(cell.x, cell.y));
        // A step that somebody made it take is none of its way.
        let comes_on = has_set_out || walker.wants.is_none() || walker.to.is_some() && walker.to == walker.wants;
        occupant.waited = if comes_on { 0.0 } else { occupant.waited + tick };
        occupant.is_blocked = occupant.waited >= PATIENCE && (occupant.is_blocked || is_waiting && walker.stands);
        is_on_course
    }

    /// Goes on with a step; returns whether it is done, or given up.
    fn go_on(&mut self, to: Cell) -> bool {
        let from = self.traffic.walker(self.index).cell;
        let here = self.body.cell();
        let is_legal = self.body.grid.legal_step(from, to).is_some();
        let Some(here) = here.filter(|_| is_legal) else {
            // The terrain has changed under its feet.
            self.traffic.put(self.index, here.unwrap_or(from), self.tilemap);
            return true;
        };
        let limit = self.traffic.limit(self.index, self.tilemap);
        let (spot, start) = (self.body.spot(to), self.body.spot(from));
        let way = start.distance(spot);
        let left = |body: &Body| if way > 0.0 { body.at.distance(spot) / way } else { 0.0 };
        self.body.leash = if limit < 1.0 { ((left(self.body) - (1.0 - limit)) * way).max(0.0) } else { f32::INFINITY };
        let is_there = self.body.enter(here, to, from);
        self.body.leash = f32::INFINITY;
        if is_there && limit >= 1.0 {
            self.traffic.put(self.index, to, self.tilemap);
            return true;
        }
        self.traffic.walker_mut(self.index).progress = (1.0 - left(self.body)).clamp(0.0, 1.0);
        false
    }

    fn set_out(&mut self, next: Cell) {
        self.traffic.set_out(self.index, next, self.tilemap);
    }

    fn next(&self, aim: &mut Aim, here: Cell) -> Next {
        let grid = self.body.grid;
        match aim {
            Aim::None => Next::Rest,
            Aim::Field(field) => match field.next_step(self.body.entity, self.maps, self.body.class, grid, here) {
                Some(PathStep::Walk(direction)) => Next::Cell(here.step(direction)),
                Some(PathStep::Link(link)) => {
                    grid.link_end(here, link).map_or(Next::Rest, |(end, cost)| Next::Link(end, cost))
                }
                None => Next::Rest,
            },
            Aim::Way { way, .. } => {
                let link = way.next.checked_sub(1).filter(|&before| way.path.link_at(before).is_some());
                let is_entrance = link.and_then(|before| way.path.cells().get(before)) == Some(&here);
                while way.path.cells().get(way.next) == Some(&here) {
                    way.next += 1;
                }
                let Some(&next) = way.path.cells().get(way.next) else { return Next::Rest };
                if is_entrance {
                    return grid.link_between(here, next).map_or(Next::Astray, |(_, cost)| Next::Link(next, cost));
                }
                if grid.legal_step(here, next).is_some() { Next::Cell(next) } else { Next::Astray }
            }
        }
    }

    /// Another unit is in the way: what now? Returns whether there is another step to take.
    fn wait(&mut self, next: Cell, other: usize, aim: &mut Aim, waited: f32, tick: f32) -> bool {
        let period = if waited < PATIENCE { LOOKS } else { LOOKS_WHEN_BLOCKED };
        let looks = |seconds: f32| (seconds / period).floor();
        let is_due = waited == 0.0 || looks(waited) != looks(waited - tick);
        let is_new = waited < 2.0 * LOOKS;
        let stander = self.traffic.walker(other);
        let (stands, is_parked) = (stander.stands, stander.wants.is_none());
        let faces = self.traffic.faces(other, self.index, self.tilemap);
        match aim {
            Aim::Way { way, is_chase } => {
                let is_end = way.next + 1 == way.path.len();
                if is_end && *is_chase {
                    // Beside whom it goes to, or as near as others leave room.
                    way.next = way.path.len();
                    return true;
                }
                if faces && (is_new || is_due) {
                    self.traffic.meet(self.index, other, self.tilemap);
                } else if is_due && (stands || !is_new) {
                    return stands && self.takes_place(way)
                        || self.walk_round(way)
                        || (is_parked || stands && !is_new) && self.push(other, next);
                }
            }
            Aim::Field(field) => {
                if let Some(cell) = self.way_beside(field, next) {
                    self.set_out(cell);
                    return true;
                }
                let shares_field = self.traffic.walker(other).field == self.traffic.walker(self.index).field;
                if faces && (is_new || is_due) {
                    self.traffic.meet(self.index, other, self.tilemap);
                } else if is_parked && is_due && !shares_field {
                    return self.push(other, next);
                }
            }
            Aim::None => {}
        }
        // Whoever steps aside may be followed at once.
        self.traffic.obstacle(self.index, next, self.tilemap).is_none()
    }

    /// Turns to a way round a slower one that is leaving the next cell, or those who come towards it.
    fn evades(&mut self, next: Cell, aim: &mut Aim) -> bool {
        let Aim::Way { way, is_chase: false } = aim else { return false };
        let own = self.traffic.walker(self.index).speed;
        let ahead = self.traffic.leaver(next).map(|other| self.traffic.walker(other).speed);
        let is_slower = ahead.is_some_and(|speed| speed < SLOWER * own);
        (is_slower || self.traffic.is_met(self.index)) && self.walk_round(way)
    }

    /// Makes whoever is in the way step aside.
    fn push(&mut self, other: usize, next: Cell) -> bool {
        self.traffic.make_way(other, self.index, self.tilemap)
            && self.traffic.obstacle(self.index, next, self.tilemap).is_none()
    }

    /// Where the end of its way is taken, goes to the free place nearest to it; where that is here, the way is over.
    fn takes_place(&mut self, way: &mut FollowPath) -> bool {
        let Some(end) = way.path.end() else { return false };
        let stays = |other: usize| {
            let walker = self.traffic.walker(other);
            walker.wants.is_none_or(|wants| wants == end && walker.ahead.len() == 1)
        };
        let is_taken = self.traffic.holder(end).is_some_and(|other| other != self.index && stays(other));
        if !is_taken {
            return false;
        }
        let Some(cells) = self.traffic.place_near(self.index, end, self.tilemap) else { return false };
        if cells.len() == 1 {
            way.next = way.path.len();
            return true;
        }
        self.turn(way, cells)
    }

    /// Goes round whoever is in the way, if that can begin at once.
    fn walk_round(&mut self, way: &mut FollowPath) -> bool {
        let is_free = |apart: &Self, cell| apart.traffic.obstacle(apart.index, cell, apart.tilemap).is_none();
        let next = way.remaining().first().copied();
        self.find_way(way, |apart, first| Some(first) != next && is_free(apart, first))
    }

    /// Looks for a way round others, or back to the way; takes it if its first step is one to take.
    fn find_way(&mut self, way: &mut FollowPath, takes: impl Fn(&Self, Cell) -> bool) -> bool {
        let found = self.traffic.way_round(self.index, way.remaining(), self.tilemap);
        let Some((mut cells, joined)) = found else { return false };
        if !cells.get(1).is_some_and(|&first| takes(self, first)) {
            return false;
        }
        cells.extend(way.remaining().get(joined..).unwrap_or_default());
        self.turn(way, cells)
    }

    /// Follows these cells from now on, the first one being the unit's own.
    fn turn(&mut self, way: &mut FollowPath, cells: Vec<Cell>) -> bool {
        let Ok(path) = Path::new(cells, self.body.grid) else { return false };
        way.crossing = Crossing::of(&path, self.tilemap.size());
        way.path = path;
        way.next = 1;
        way.on_link = 0.0;
        true
    }

    /// Another free cell downhill, the lowest one.
    fn way_beside(&self, field: &FollowField, next: Cell) -> Option<Cell> {
        let here = self.traffic.walker(self.index).cell;
        let value = |cell| field.value(self.maps, cell);
        let now = value(here)?;
        let cells = self.body.grid.legal_moves(here).iter().map(|direction| here.step(direction));
        let lower = cells.filter_map(|cell| Some((value(cell)?, cell)));
        let lower = lower.filter(|&(value, cell)| value < now && cell != next);
        let free = lower.filter(|&(_, cell)| self.traffic.obstacle(self.index, cell, self.tilemap).is_none());
        free.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, cell)| cell)
    }

    /// Lets a unit that shares its cell with another one go to a free one; returns whether it sets out.
    fn spread(&mut self) -> bool {
        if self.traffic.is_at_home(self.index, self.tilemap) {
            return false;
        }
        let Some(next) = self.traffic.way_apart(self.index, self.tilemap) else { return false };
        if let Some(other) = self.traffic.obstacle(self.index, next, self.tilemap)
            && !self.push(other, next)
        {
            return false;
        }
        self.set_out(next);
        true
    }
}

impl Aim<'_> {
    /// The unit has come to a cell.
    fn has_entered(&mut self, cell: Cell) {
        if let Self::Way { way, .. } = self
            && way.path.cells().get(way.next) == Some(&cell)
        {
            way.next += 1;
        }
    }

    /// Whoever walks waits for no link.
    fn forget_link(&mut self) {
        match self {
            Self::Way { way, .. } => way.on_link = 0.0,
            Self::Field(field) => field.on_link = 0.0,
            Self::None => {}
        }
    }

    fn take_link(&mut self, body: &mut Body, end: Cell, cost: Cost) -> bool {
        match self {
            Self::Way { way, .. } => body.take_link(end, cost, &mut way.on_link),
            Self::Field(field) => body.take_link(end, cost, &mut field.on_link),
            Self::None => false,
        }
    }
}
