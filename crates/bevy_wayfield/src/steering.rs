//! A simple steering: from cell centre to cell centre, never into a wall.
//!
//! Optional and replaceable: a game that moves its units itself reads [`FollowPath`] and asks [`DijkstraMaps`]
//! for directions, and gives its units no [`Mover`].

mod apart;
mod body;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use wayfield::{Cell, CostGrid, DijkstraMap, PathStep, Reason};

use self::apart::{Aim, Apart};
use self::body::Body;

use crate::delivery::{finish, search_again};
use crate::field::FieldId;
use crate::fields::DijkstraMaps;
use crate::map::{ClassId, Tilemap};
use crate::obstacle::Obstacle;
use crate::occupant::Occupant;
use crate::request::{FollowPath, OrderState, PathGoal, PathRequest, PathStatus, SimId};
use crate::traffic::Traffic;

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

    /// The value of a cell for this unit; `None` where it has none, or a field has no map.
    fn value(&self, maps: &DijkstraMaps, cell: Cell) -> Option<f64> {
        let values = self.terms.iter().map(|&(field, weight)| Some(maps.value_at(field, cell)? * weight));
        values.sum()
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
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Unit {
    entity: Entity,
    mover: &'static Mover,
    transform: &'static mut Transform,
    status: &'static mut PathStatus,
    way: Option<&'static mut FollowPath>,
    field: Option<&'static mut FollowField>,
    request: Option<&'static PathRequest>,
    id: Option<&'static SimId>,
    state: &'static OrderState,
    obstacle: Option<&'static Obstacle>,
    occupant: Option<&'static mut Occupant>,
}

impl UnitItem<'_, '_> {
    fn name(&self) -> (Option<SimId>, Entity) {
        (self.id.copied(), self.entity)
    }

    /// The kind of mover that it is at the moment.
    fn class(&self) -> ClassId {
        if self.request.is_some() { self.state.class } else { self.mover.class }
    }

    fn position(&self) -> Vec2 {
        self.transform.translation.truncate()
    }
}

/// Moves every [`Mover`] by one tick.
pub(crate) fn steer(
    time: Res<Time>,
    tilemap: Option<Res<Tilemap>>,
    maps: Res<DijkstraMaps>,
    mut units: Query<Unit>,
    mut traffic: Local<Traffic>,
    mut commands: Commands,
) {
    let Some(tilemap) = tilemap else { return };
    let mut tick = Tick { tilemap: &tilemap, maps: &maps, seconds: time.delta_secs(), ends: Ends::default() };
    traffic.begin(&tilemap);
    for mut unit in &mut units {
        if unit.occupant.is_some() {
            tick.join(&unit, &mut traffic);
        } else {
            tick.steer(&mut unit, None);
        }
    }
    // Those who keep apart move one after the other, in an order that is the same in every run.
    traffic.settle(&tilemap);
    for index in 0..traffic.len() {
        if let Ok(mut unit) = units.get_mut(traffic.walker(index).entity) {
            tick.steer(&mut unit, Some((&mut traffic, index)));
        }
    }
    for pushed in traffic.pushed() {
        if let Ok(UnitItem { occupant: Some(mut occupant), .. }) = units.get_mut(pushed.entity) {
            occupant.step = pushed.step();
        }
    }
    let mut ends = tick.ends;
    // What follows may call the game's observers: in an order that does not depend on the layout of memory.
    ends.finished.sort_unstable_by_key(|&(id, entity, ..)| (id, entity));
    ends.astray.sort_unstable();
    commands.queue(move |world: &mut World| end_tick(world, ends));
}

/// What a tick leads to.
#[derive(Default)]
struct Ends {
    finished: Vec<(Option<SimId>, Entity, u32, Option<Reason>)>,
    astray: Vec<(Option<SimId>, Entity)>,
}

/// One tick.
struct Tick<'a> {
    tilemap: &'a Tilemap,
    maps: &'a DijkstraMaps,
    seconds: f32,
    ends: Ends,
}

impl Tick<'_> {
    /// A unit that keeps apart takes its cells.
    fn join(&self, unit: &UnitItem, traffic: &mut Traffic) {
        let (class, Some(occupant)) = (unit.class(), &unit.occupant) else { return };
        let Some(here) = self.tilemap.world_to_unit(class, unit.position()) else { return };
        let (way, field) = (unit.way.as_deref(), unit.field.as_deref());
        let walker = apart::walker(unit.name(), class, (unit.mover, occupant), here, (way, field));
        let wants = walker.wants;
        traffic.add(walker, apart::ahead(way, &wants));
    }

    /// Moves a unit; one that keeps apart within the traffic.
    fn steer(&mut self, unit: &mut UnitItem, traffic: Option<(&mut Traffic, usize)>) {
        let (name, class, at) = (unit.name(), unit.class(), unit.position());
        let Some(grid) = self.tilemap.grid(class) else { return };
        let (tilemap, seconds) = (self.tilemap, self.seconds);
        let mut body =
            Body { entity: unit.entity, tilemap, class, grid, mover: unit.mover, at, seconds, leash: f32::INFINITY };
        let Some(here) = body.cell() else { return };

        let is_parked = unit.obstacle.is_some_and(|obstacle| grid.class().cost(obstacle.terrain).is_none());
        if !grid.is_passable(here) && is_parked {
            // The wall would go with it.
            return;
        }
        let before = unit.way.as_ref().map(|way| (way.next, way.on_link, way.path.len()));
        let mut is_on_course = true;
        if !grid.is_passable(here) {
            unit.status.set_if_neq(PathStatus::Trapped);
            body.leave_wall(here);
            if let (Some((traffic, index)), Some(cell)) = (traffic, body.cell()) {
                traffic.put(index, cell, tilemap);
            }
        } else if let (Some((traffic, index)), Some(occupant)) = (traffic, unit.occupant.as_mut()) {
            let is_chase = unit.request.is_some_and(|request| matches!(request.goal, PathGoal::Entity(_)));
            let aim = match (unit.way.as_mut(), unit.field.as_mut()) {
                (Some(way), _) => Aim::Way { way: way.bypass_change_detection(), is_chase },
                (None, Some(field)) => Aim::Field(field),
                (None, None) => Aim::None,
            };
            let mut apart = Apart { body: &mut body, traffic, index, maps: self.maps, tilemap };
            is_on_course = apart.go(occupant, aim);
        } else if let Some(way) = &mut unit.way {
            is_on_course = body.follow_path(way.bypass_change_detection(), here);
        } else if let Some(field) = &mut unit.field {
            body.follow_field(field, self.maps);
        }
        let is_free = body.cell().is_some_and(|cell| grid.is_passable(cell));
        if let Some(way) = unit.way.as_mut() {
            // A way changes when a cell of it is reached, not in every tick.
            if before != Some((way.next, way.on_link, way.path.len())) {
                way.set_changed();
            }
            if is_free && way.next >= way.path.len() {
                self.ends.finished.push((name.0, name.1, way.order, way.partial));
            }
        }
        if !is_on_course {
            self.ends.astray.push(name);
        }
        if *unit.status == PathStatus::Trapped && is_free {
            *unit.status = if unit.request.is_some() { PathStatus::Queued } else { PathStatus::Idle };
            self.ends.astray.push(name);
        }
        if body.at != unit.position() {
            unit.transform.translation = body.at.extend(unit.transform.translation.z);
        }
    }
}

fn end_tick(world: &mut World, ends: Ends) {
    // Out of a wall, or off its way: whether there is one or not, search from where it is now.
    for (_, entity) in ends.astray {
        search_again(world, entity);
    }
    for (_, entity, order, partial) in ends.finished {
        finish(world, entity, order, partial);
    }
}
