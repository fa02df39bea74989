//! The state of the planner, to be saved in the middle of a run: [`PathfindingSave`].

use std::collections::{BTreeMap, BTreeSet};

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use wayfield::{Algorithm, Cell, CostGridError, GridSize};

use crate::batch::nobody;
use crate::crossing::Crossing;
use crate::field::FieldId;
use crate::fields::DijkstraMaps;
use crate::fields::save::SavedFields;
use crate::hash::PathfindingHash;
use crate::map::save::SavedMap;
use crate::map::{ClassId, Tilemap};
use crate::planner::Planner;
use crate::planner::save::{SavedPlanner, owed};
use crate::request::{FollowPath, OrderState, PathGoal, PathRequest, PathStatus, SimId};
use crate::settings::PathfindingSettings;

/// All that the plugin knows in the middle of a run, between two ticks: the [`Tilemap`], the settings, orders, ways, the queue,
/// searches in flight, the [`DijkstraMaps`], the [`PathfindingHash`]. Serialize it as you like.
///
/// Entities are named by their [`SimId`]. What a game gives its entities is the game's to save: `Transform`,
/// [`Mover`](crate::Mover), [`Occupant`](crate::Occupant), [`Obstacle`](crate::Obstacle), [`FieldSource`](crate::FieldSource), [`FollowField`](crate::FollowField), [`Gather`](crate::Gather), and the `SimId` itself, of all that have
/// one. To go on, spawn these, in any order, and then [restore](PathfindingSave::restore) the rest, which puts
/// [`PathRequest`], [`PathStatus`] and [`FollowPath`] on them.
///
/// Under [`Delivery::AfterTicks`](crate::Delivery::AfterTicks) a run that was saved and restored goes on as the one that was not,
/// bit for bit, on any executor, if the game does so. Searches in flight are waited for and saved as
/// their answers, which are given in the tick in which they are due. So they are under
/// [`Delivery::AsReady`](crate::Delivery::AsReady), where they are given in the next tick: earlier, perhaps, than without a save.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{Mover, PathRequest, PathfindingPlugin, PathfindingSave, SimId, Tilemap};
/// use wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
/// let app = || -> App {
///     let mut app = App::new();
///     app.add_plugins((MinimalPlugins, PathfindingPlugin::in_schedule(Update)));
///     app
/// };
/// let unit = (Transform::from_xyz(2.5, 2.5, 0.0), Mover::new(4.0), SimId(7));
/// let mut old = app();
/// let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1)?;
/// old.insert_resource(Tilemap::new(TerrainMap::new(GridSize::new(32, 32)?, TerrainId(0)), vec![foot]));
/// old.world_mut().spawn((unit.clone(), PathRequest::to(Cell::new(30, 30))));
/// old.update();
/// let text = serde_json::to_string(&PathfindingSave::of(old.world_mut())?)?;
///
/// let mut new = app();
/// let unit = new.world_mut().spawn(unit).id();
/// let save: PathfindingSave = serde_json::from_str(&text)?;
/// save.restore(new.world_mut())?;
/// assert_eq!(new.world().get::<PathRequest>(unit), Some(&PathRequest::to(Cell::new(30, 30))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct PathfindingSave {
    version: u32,
    settings: PathfindingSettings,
    map: Option<SavedMap>,
    planner: SavedPlanner,
    fields: SavedFields,
    units: Vec<SavedUnit>,
    hash: Option<PathfindingHash>,
}

/// What saves have in common that can be restored: raised when what is saved changes.
const VERSION: u32 = 1;

/// What the planner put on an entity.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedUnit {
    id: SimId,
    status: PathStatus,
    state: OrderState,
    request: Option<SavedRequest>,
    way: Option<FollowPath>,
}

/// A [`PathRequest`] whose goal may be an entity.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedRequest {
    goal: SavedGoal,
    class: Option<ClassId>,
    algorithm: Option<Algorithm>,
    max_expansions: Option<u64>,
    allow_partial: bool,
    nearest: bool,
    priority: i32,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
enum SavedGoal {
    /// A cell or a position.
    Place(PathGoal),
    Entity(SimId),
    /// An entity that is no more, which its followers have not been told yet.
    Nobody,
}

/// Why there is nothing to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The [`PathfindingPlugin`](crate::PathfindingPlugin) is not there.
    #[error("the world has no PathfindingPlugin")]
    NoPlugin,
    /// An entity with an order, or that one leads to, or an obstacle, has lost the name that it was given.
    #[error("{0} has no SimId")]
    Unnamed(Entity),
    /// Two entities have one name.
    #[error("two entities have the SimId {}", .0.0)]
    SameName(SimId),
}

/// Why a save cannot be restored. The world is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The [`PathfindingPlugin`](crate::PathfindingPlugin) is not there.
    #[error("the world has no PathfindingPlugin")]
    NoPlugin,
    /// Another version of the plugin made it.
    #[error("the save is of version {0}, not of {VERSION}")]
    Version(u32),
    /// The world lacks an entity.
    #[error("the world has no entity with the SimId {}", .0.0)]
    Missing(SimId),
    /// Two entities of the world have one name.
    #[error("two entities have the SimId {}", .0.0)]
    SameName(SimId),
    /// The save has something twice.
    #[error("the save has the entity with the SimId {} twice", .0.0)]
    Twice(SimId),
    /// A unit on a way is farther than its end.
    #[error("the entity with the SimId {} is at step {next} of a way of {len}", id.0)]
    Step {
        /// Which unit.
        id: SimId,
        /// The index of the cell that it goes to.
        next: usize,
        /// The length of the way.
        len: usize,
    },
    /// A number is larger than it can have become.
    #[error("the {what} cannot be {number}")]
    Number {
        /// Of what.
        what: &'static str,
        /// The number.
        number: u64,
    },
    /// The map is nowhere, or its cells have no size.
    #[error("a map cannot lie at {origin} with cells {cell_size} wide")]
    Layout {
        /// Where its bottom left corner is.
        origin: Vec2,
        /// How wide a cell is.
        cell_size: f32,
    },
    /// Something is not on the map.
    #[error("{what} at {cell} is outside the map of {} x {}", size.width(), size.height())]
    Outside {
        /// What.
        what: &'static str,
        /// Where it is.
        cell: Cell,
        /// The size of the map.
        size: GridSize,
    },
    /// What lies below an obstacle is not known.
    #[error("the ground of cell {0} below an obstacle is missing")]
    NoGround(Cell),
    /// There is no obstacle over a ground that is saved.
    #[error("there is no obstacle over cell {0}, whose ground is saved")]
    NotCovered(Cell),
    /// Two fields have one number, or one that was not given to any yet.
    #[error("the save has the field {} twice, or too early", .0.0)]
    Field(FieldId),
    /// The units of a class have no size.
    #[error(transparent)]
    Grid(#[from] CostGridError),
}

/// More than anything has been counted to in a game; there is room to count on.
const MOST: u64 = 1 << 48;

pub(crate) fn checked(what: &'static str, number: u64) -> Result<u64, RestoreError> {
    if number < MOST { Ok(number) } else { Err(RestoreError::Number { what, number }) }
}

impl PathfindingSave {
    /// The state of a world between two ticks. Waits for the searches in flight; the run is not changed by it.
    ///
    /// # Errors
    /// If entities cannot be told apart by their [`SimId`].
    pub fn of(world: &mut World) -> Result<Self, SaveError> {
        if let Some(twice) = named(world).1 {
            return Err(SaveError::SameName(twice));
        }
        let mut planner = world.remove_resource::<Planner>().ok_or(SaveError::NoPlugin)?;
        let fields = world.get_resource_mut::<DijkstraMaps>().map(|mut maps| SavedFields::of(&mut maps));
        let save = fields.ok_or(SaveError::NoPlugin).and_then(|fields| Self::of_parts(world, &mut planner, fields));
        world.insert_resource(planner);
        save
    }

    fn of_parts(world: &mut World, planner: &mut Planner, fields: SavedFields) -> Result<Self, SaveError> {
        let mut units = world.query_filtered::<UnitParts, Allow<Disabled>>();
        let world: &World = world;
        let name = |entity: Entity| match world.get_entity(entity) {
            Ok(entity) => entity.get::<SimId>().copied().map(Some).ok_or(SaveError::Unnamed(entity.id())),
            Err(_) => Ok(None),
        };
        let mut saved = Vec::new();
        for (entity, id, status, state, request, way) in units.iter(world) {
            if id.is_none() && state.order == 0 {
                // Never had an order: there is nothing to know of it.
                continue;
            }
            saved.push(SavedUnit {
                id: *id.ok_or(SaveError::Unnamed(entity))?,
                status: *status,
                state: state.clone(),
                request: request.map(|request| SavedRequest::of(request, name)).transpose()?,
                way: way.cloned(),
            });
        }
        saved.sort_unstable_by_key(|unit| unit.id);
        Ok(Self {
            version: VERSION,
            settings: world.get_resource::<PathfindingSettings>().cloned().unwrap_or_default(),
            map: world.get_resource::<Tilemap>().map(|tilemap| SavedMap::of(tilemap, name)).transpose()?,
            planner: SavedPlanner::of(planner, name)?,
            fields,
            units: saved,
            hash: world.get_resource::<PathfindingHash>().copied(),
        })
    }

    /// Goes on from here in a world with the plugin: its map, settings (but for the executor) and hash become those of the save,
    /// and so does what the planner knows of its entities. Orders and ways that the save does not know are gone. Of what
    /// happens by this, observers hear as of any component that comes and goes; there is no event of the plugin.
    ///
    /// # Errors
    /// If an entity is missing, or the save is damaged; then the world is as it was.
    pub fn restore(self, world: &mut World) -> Result<(), RestoreError> {
        if self.version != VERSION {
            return Err(RestoreError::Version(self.version));
        }
        let settings = world.get_resource::<PathfindingSettings>().ok_or(RestoreError::NoPlugin)?;
        let settings = PathfindingSettings { executor: settings.executor.clone(), ..self.settings };
        let (entities, twice) = named(world);
        if let Some(twice) = twice {
            return Err(RestoreError::SameName(twice));
        }
        let find = |id| entities.get(&id).copied().ok_or(RestoreError::Missing(id));
        let tick = self.planner.tick();
        let tilemap = self.map.map(|map| map.restore(find)).transpose()?;
        let planner = self.planner.restore(find)?;
        let fields = self.fields.restore()?;
        let mut searched = BTreeMap::new();
        for asked in owed(&planner) {
            if searched.insert(asked.id, asked.cancel.clone()).is_some() {
                return Err(RestoreError::Twice(asked.id));
            }
        }
        let mut seen = BTreeSet::new();
        let mut units = Vec::with_capacity(self.units.len());
        for mut unit in self.units {
            if !seen.insert(unit.id) {
                return Err(RestoreError::Twice(unit.id));
            }
            unit.check(tick)?;
            unit.state.in_flight = searched.remove(&unit.id);
            if let (Some(way), Some(tilemap)) = (&mut unit.way, &tilemap) {
                way.crossing = Crossing::of(&way.path, tilemap.size());
            }
            let request = unit.request.map(|request| request.restore(find)).transpose()?;
            units.push((find(unit.id)?, unit.status, unit.state, request, unit.way));
        }
        if let Some((&id, _)) = searched.first_key_value() {
            // An answer for a unit that has no order.
            return Err(RestoreError::Missing(id));
        }

        // Nothing can fail from here on.
        forget(world);
        for (entity, status, state, request, way) in units {
            // An observer may do anything, even despawn it.
            if let (Some(request), Ok(mut unit)) = (request, world.get_entity_mut(entity)) {
                unit.insert(request);
            }
            if let (Some(way), Ok(mut unit)) = (way, world.get_entity_mut(entity)) {
                unit.insert(way);
            }
            if let Ok(mut unit) = world.get_entity_mut(entity) {
                unit.insert((status, state));
            }
        }
        match tilemap {
            Some(tilemap) => world.insert_resource(tilemap),
            None => drop(world.remove_resource::<Tilemap>()),
        }
        match self.hash {
            Some(hash) => world.insert_resource(hash),
            None => drop(world.remove_resource::<PathfindingHash>()),
        }
        world.insert_resource(settings);
        world.insert_resource(fields);
        // The last: orders that were put in place have been counted as new ones.
        world.insert_resource(planner);
        Ok(())
    }
}

/// A unit as it is saved.
type UnitParts = (
    Entity,
    Option<&'static SimId>,
    &'static PathStatus,
    &'static OrderState,
    Option<&'static PathRequest>,
    Option<&'static FollowPath>,
);

/// All entities with a name, and a name that two of them have.
fn named(world: &mut World) -> (BTreeMap<SimId, Entity>, Option<SimId>) {
    let mut entities = BTreeMap::new();
    let mut twice = None;
    let mut query = world.query_filtered::<(Entity, &SimId), Allow<Disabled>>();
    for (entity, id) in query.iter(world) {
        if entities.insert(*id, entity).is_some() {
            twice = twice.max(Some(*id));
        }
    }
    (entities, twice)
}

/// Takes all orders and ways away.
fn forget(world: &mut World) {
    let mut query = world.query_filtered::<Entity, (With<OrderState>, Allow<Disabled>)>();
    let units: Vec<_> = query.iter(world).collect();
    for entity in units {
        if let Ok(mut unit) = world.get_entity_mut(entity) {
            unit.remove::<(PathRequest, FollowPath)>();
        }
        if let Ok(mut unit) = world.get_entity_mut(entity) {
            unit.insert((PathStatus::default(), OrderState::default()));
        }
    }
}

impl SavedUnit {
    /// Checks what is not checked when it is read.
    fn check(&self, tick: u64) -> Result<(), RestoreError> {
        if let Some(way) = self.way.as_ref().filter(|way| way.next > way.path.len()) {
            return Err(RestoreError::Step { id: self.id, next: way.next, len: way.path.len() });
        }
        if self.state.order > u32::MAX / 2 {
            return Err(RestoreError::Number { what: "number of an order", number: self.state.order.into() });
        }
        for (what, number) in [("tick of a request", self.state.asked_at), ("tick of a search", self.state.chase.begun)]
        {
            if number > tick {
                return Err(RestoreError::Number { what, number });
            }
        }
        Ok(())
    }
}

impl SavedRequest {
    fn of(request: &PathRequest, name: impl Fn(Entity) -> Result<Option<SimId>, SaveError>) -> Result<Self, SaveError> {
        let &PathRequest { goal, class, algorithm, max_expansions, allow_partial, nearest, priority } = request;
        let goal = match goal {
            PathGoal::Entity(target) => name(target)?.map_or(SavedGoal::Nobody, SavedGoal::Entity),
            place => SavedGoal::Place(place),
        };
        Ok(Self { goal, class, algorithm, max_expansions, allow_partial, nearest, priority })
    }

    fn restore(self, find: impl Fn(SimId) -> Result<Entity, RestoreError>) -> Result<PathRequest, RestoreError> {
        let Self { goal, class, algorithm, max_expansions, allow_partial, nearest, priority } = self;
        let goal = match goal {
            SavedGoal::Place(place) => place,
            SavedGoal::Entity(id) => PathGoal::Entity(find(id)?),
            SavedGoal::Nobody => PathGoal::Entity(nobody()),
        };
        Ok(PathRequest { goal, class, algorithm, max_expansions, allow_partial, nearest, priority })
    }
}
