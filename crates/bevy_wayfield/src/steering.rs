//! A simple steering: from cell centre to cell centre, never into a wall.
//!
//! Optional and replaceable: a game that moves its units itself reads [`FollowPath`] and asks [`DijkstraMaps`]
//! for directions, and gives its units no [`Mover`].

use bevy::prelude::*;
use wayfield::{Cell, CornerRule, Cost, CostGrid, DijkstraMap, Heuristic, PathStep, Reason, nearest_cell};

use crate::delivery::{finish, search_again};
use crate::field::FieldId;
use crate::fields::DijkstraMaps;
use crate::map::{ClassId, Tilemap};
use crate::obstacle::Obstacle;
use crate::request::{FollowPath, OrderState, PathRequest, PathStatus, SimId};

/// How far from the middle of its cell a unit may walk, in cells.
const MAX_OFFSET: f32 = 0.4;

/// How many cells a unit may enter in one tick.
const MAX_CELLS_PER_TICK: usize = 16;

/// How far around a trapped unit a free cell is looked for. In the middle of a larger wall it waits.
const ESCAPE_RADIUS: u32 = 32;

/// A unit that the plugin's own steering moves along its [`FollowPath`] or [`FollowField`].
///
/// Read by serde, a speed below 0 or that is no number is refused, and so is an offset of that kind.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
#[serde(try_from = "MoverData")]
#[require(PathStatus, OrderState)]
pub struct Mover {
    /// Cells of cost 1 a second. A step lasts its length times the entering cost, and the slope, divided by this.
    pub speed: f32,
    /// The kind of mover, for following fields and for leaving walls.
    pub class: ClassId,
    /// Where in its cells the unit walks, from the middle, in cells; so that units on one way do not hide each
    /// other. Used under the corner rules that keep units off corners, and at most 0.4.
    pub offset: Vec2,
}

/// A speed or an offset that no unit can have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MoverError {
    /// The speed.
    #[error("a speed is a number of cells a second from 0 up, not {0}")]
    Speed(f32),
    /// The offset.
    #[error("an offset is a number of cells along each axis, not {0}")]
    Offset(Vec2),
}

/// What a [`Mover`] is read from.
#[derive(serde::Deserialize)]
struct MoverData {
    speed: f32,
    #[serde(default)]
    class: ClassId,
    #[serde(default)]
    offset: Vec2,
}

impl TryFrom<MoverData> for Mover {
    type Error = MoverError;

    fn try_from(MoverData { speed, class, offset }: MoverData) -> Result<Self, MoverError> {
        if !(speed.is_finite() && speed >= 0.0) {
            return Err(MoverError::Speed(speed));
        }
        if !offset.is_finite() {
            return Err(MoverError::Offset(offset));
        }
        Ok(Self { speed, class, offset })
    }
}

impl Mover {
    /// This unit, of this kind.
    #[must_use]
    pub fn class(mut self, class: ClassId) -> Self {
        self.class = class;
        self
    }

    /// A unit of the first movement class with this speed, in the middle of its cells.
    pub fn new(speed: f32) -> Self {
        Self { speed, class: ClassId::default(), offset: Vec2::ZERO }
    }
}

/// Lets a unit roll downhill on a field of [`DijkstraMaps`], or on several by weights of its own. A unit with a [`FollowPath`]
/// follows that first. Its [`PathStatus`] is about orders: a unit that only follows a field stays [`PathStatus::Idle`].
///
/// ```
/// use bevy_wayfield::{ClassId, DijkstraMaps, Field, FollowField};
/// let mut maps = DijkstraMaps::default();
/// let gold = maps.define("gold", Field::seek(ClassId(0)));
/// let danger = maps.define("danger", Field::seek(ClassId(0)));
/// // This one is greedy, and a little afraid.
/// let thief = FollowField::weighted([(gold, 1.0), (danger, -0.3)]);
/// assert_eq!(thief.fields().collect::<Vec<_>>(), [gold, danger]);
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub struct FollowField {
    /// The fields and their weights.
    terms: Vec<(FieldId, f64)>,
    /// The cell that is being entered, and the one it is entered from.
    step: Option<(IVec2, IVec2)>,
    /// For how many seconds the unit has been on the link that it takes, if it takes one.
    on_link: f32,
}

impl FollowField {
    /// Follows this field.
    pub fn new(field: FieldId) -> Self {
        Self::weighted([(field, 1.0)])
    }

    /// Follows the sum of these fields, each times a weight of this unit's own, downhill. In flats and hollows of it the unit
    /// stops; [`Field::sum`](crate::Field::sum), which units share, leads across flats.
    pub fn weighted(terms: impl IntoIterator<Item = (FieldId, f64)>) -> Self {
        Self { terms: terms.into_iter().collect(), step: None, on_link: 0.0 }
    }

    /// The fields that it follows.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> {
        self.terms.iter().map(|&(field, _)| field)
    }

    /// Whether the unit is not in the middle of a step.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.step.is_none() && self.on_link == 0.0
    }

    /// The step of a unit of this class on a cell; `None` where it stays, or a field has no map.
    fn next_step(
        &self,
        follower: Entity,
        maps: &DijkstraMaps,
        class: ClassId,
        grid: &CostGrid,
        here: Cell,
    ) -> Option<PathStep> {
        if let &[(field, weight)] = self.terms.as_slice()
            && weight == 1.0
        {
            if maps.is_place_of(follower, field, here) {
                return None;
            }
            let one_by_one = || maps.get(field)?.next_step(grid, here);
            return match maps.flow_for(field, class).map(|flow| flow.next_step(here)) {
                // The terrain has changed since.
                Some(Some(PathStep::Walk(direction))) if !grid.legal_moves(here).contains(direction) => one_by_one(),
                Some(step) => step,
                None => one_by_one(),
            };
        }
        let terms: Option<Vec<_>> =
            self.terms.iter().map(|&(field, weight)| Some((&**maps.get(field)?, weight))).collect();
        DijkstraMap::blended_step(&terms?, grid, here)
    }
}

/// A unit as [`steer`] sees it.
type Unit = (
    Entity,
    &'static Mover,
    &'static mut Transform,
    &'static mut PathStatus,
    Option<&'static mut FollowPath>,
    Option<&'static mut FollowField>,
    Option<&'static PathRequest>,
    Option<&'static SimId>,
    &'static OrderState,
    Option<&'static Obstacle>,
);

/// Moves every [`Mover`] by one tick.
pub(crate) fn steer(
    time: Res<Time>,
    tilemap: Option<Res<Tilemap>>,
    maps: Res<DijkstraMaps>,
    mut units: Query<Unit>,
    mut commands: Commands,
) {
    let Some(tilemap) = tilemap else { return };
    let seconds = time.delta_secs();
    let mut finished = Vec::new();
    let mut astray = Vec::new();
    for (entity, mover, mut transform, mut status, way, field, request, id, state, obstacle) in &mut units {
        let class = if request.is_some() { state.class } else { mover.class };
        let Some(grid) = tilemap.grid(class) else { continue };
        let at = transform.translation.truncate();
        let mut body = Body { entity, tilemap: &tilemap, class, grid, mover, at, seconds };
        let Some(here) = body.cell() else { continue };

        let is_parked = obstacle.is_some_and(|obstacle| grid.class().cost(obstacle.terrain).is_none());
        if !grid.is_passable(here) && is_parked {
            // The wall would go with it.
            continue;
        }
        if !grid.is_passable(here) {
            status.set_if_neq(PathStatus::Trapped);
            body.leave_wall(here);
        } else if let Some(mut way) = way {
            // A way changes when a cell of it is reached, not in every tick.
            let before = (way.next, way.on_link);
            if !body.follow_path(way.bypass_change_detection(), here) {
                astray.push((id.copied(), entity));
            }
            if (way.next, way.on_link) != before {
                way.set_changed();
            }
            if way.next >= way.path.len() {
                finished.push((id.copied(), entity, way.order, way.partial));
            }
        } else if let Some(mut field) = field {
            body.follow_field(&mut field, &maps);
        }

        let is_free = || body.cell().is_some_and(|cell| grid.is_passable(cell));
        if *status == PathStatus::Trapped && is_free() {
            *status = if request.is_some() { PathStatus::Queued } else { PathStatus::Idle };
            astray.push((id.copied(), entity));
        }
        if body.at != transform.translation.truncate() {
            transform.translation = body.at.extend(transform.translation.z);
        }
    }
    // What follows may call the game's observers: in an order that does not depend on the layout of memory.
    finished.sort_unstable_by_key(|&(id, entity, ..)| (id, entity));
    astray.sort_unstable();
    commands.queue(move |world: &mut World| end_tick(world, finished, astray));
}

fn end_tick(
    world: &mut World,
    finished: Vec<(Option<SimId>, Entity, u32, Option<Reason>)>,
    astray: Vec<(Option<SimId>, Entity)>,
) {
    // Out of a wall, or off its way: whether there is one or not, search from where it is now.
    for (_, entity) in astray {
        search_again(world, entity);
    }
    for (_, entity, order, partial) in finished {
        finish(world, entity, order, partial);
    }
}

/// One unit during one tick.
struct Body<'a> {
    entity: Entity,
    tilemap: &'a Tilemap,
    class: ClassId,
    grid: &'a CostGrid,
    mover: &'a Mover,
    at: Vec2,
    /// What is left of the tick.
    seconds: f32,
}

impl Body<'_> {
    fn cell(&self) -> Option<Cell> {
        self.tilemap.world_to_unit(self.class, self.at)
    }

    /// Where in a cell the unit walks to.
    fn spot(&self, cell: Cell) -> Vec2 {
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
    fn follow_path(&mut self, way: &mut FollowPath, mut here: Cell) -> bool {
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

    fn follow_field(&mut self, follow: &mut FollowField, maps: &DijkstraMaps) {
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
    fn take_link(&mut self, end: Cell, cost: Cost, on_link: &mut f32) -> bool {
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
    fn enter(&mut self, here: Cell, next: Cell, from: Cell) -> bool {
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
        let reach = if self.seconds > 0.0 { speed * self.seconds } else { 0.0 };
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
    fn leave_wall(&mut self, here: Cell) {
        let is_free = |cell| self.grid.is_passable(cell);
        // The look around ends at any cell that is too far, so that a wall without end costs little.
        let ends = |cell: Cell| is_free(cell) || here.chebyshev(cell) > ESCAPE_RADIUS;
        let nearest = nearest_cell(self.grid.size(), here, Heuristic::Octile, ends);
        if let Some((_, cell)) = nearest.filter(|&(_, cell)| is_free(cell)) {
            self.walk(self.spot(cell), 1);
        }
    }
}
