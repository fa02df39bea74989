//! What a game says and hears: [`PathRequest`] in, [`PathStatus`], [`FollowPath`] and entity events out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use wayfield::{Algorithm, Cell, Path, PathCost, Reason};

use crate::chase::Chase;
use crate::crossing::Crossing;
use crate::map::{ClassId, Tilemap};
use crate::planner::Planner;
use crate::steering::Mover;

/// An order to go somewhere, given by inserting it on an entity with a [`Transform`].
///
/// It is a *standing order*: it is searched, searched again when terrain changes spoil the way, and ends when
/// the goal is reached, a new order replaces it, or it is removed. Every answer fires one of [`PathReady`],
/// [`PathPartial`] and [`PathFailed`]; the end of the way fires [`GoalReached`] or [`PartialEndReached`], once, after
/// the order was removed, so that an observer may give the next one. To change an order, insert another one.
///
/// An order to go to an entity ([`PathGoal::Entity`]) follows it: the way is searched again once the target has left the
/// neighbourhood of the cell that it leads to, as far and as often as
/// [`chase_distance`](crate::PathfindingSettings::chase_distance) and
/// [`chase_interval`](crate::PathfindingSettings::chase_interval) say. The goal is reached at the end of a way if the target is in
/// its last cell or one of the eight around; else the unit goes straight on if the target is within eight cells and nothing stands
/// between, and waits there for the next way if not. When the target is despawned, disabled or has
/// no `Transform` any more, the order ends with a [`PathFailed`] for [`Reason::TargetLost`], once.
///
/// ```
/// use bevy_wayfield::PathRequest;
/// use wayfield::{Algorithm, Cell};
/// let request = PathRequest::to(Cell::new(40, 7)).algorithm(Algorithm::Dijkstra).max_expansions(5_000).allow_partial();
/// assert_eq!(request.class, None);
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
#[require(PathStatus, OrderState)]
#[component(immutable, on_insert = on_order_given, on_remove = on_order_removed)]
pub struct PathRequest {
    /// Where to.
    pub goal: PathGoal,
    /// The kind of mover; `None` takes that of the unit's [`Mover`] when the order is given, or the first one if it has none.
    pub class: Option<ClassId>,
    /// How to search; `None` takes the one of [`PathfindingSettings`](crate::PathfindingSettings).
    pub algorithm: Option<Algorithm>,
    /// The cap on expansions; `None` takes the one of the settings.
    pub max_expansions: Option<u64>,
    /// Whether to go as near as possible when the search fails or gives up.
    pub allow_partial: bool,
    /// Whether to go to the reachable cell nearest to a blocked or unreachable goal.
    pub nearest: bool,
    /// Requests of higher priority are searched first.
    pub priority: i32,
}

/// Where a [`PathRequest`] leads.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{Mover, PathGoal, PathRequest};
/// use wayfield::Cell;
/// let mut world = World::new();
/// let raider = world.spawn((Transform::from_xyz(3.5, 8.5, 0.0), Mover::new(4.0))).id();
/// let after_it = PathRequest::to(raider);
/// assert_eq!(after_it.goal, PathGoal::Entity(raider));
/// assert_ne!(after_it.goal, PathGoal::from(Cell::new(3, 8)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum PathGoal {
    /// To a cell of the map; for larger units, with their top left cell.
    Cell(Cell),
    /// To a world position, where the middle of the unit comes to be.
    World(Vec2),
    /// To an entity with a [`Transform`], wherever it goes. If it stands where the unit cannot, such as a building inside its
    /// own [`Obstacle`](crate::Obstacle), [`PathRequest::nearest`] leads beside it. Cannot be serialized: an `Entity` is one in
    /// its own world only.
    #[serde(skip)]
    Entity(Entity),
}

impl From<Cell> for PathGoal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

impl From<Vec2> for PathGoal {
    fn from(position: Vec2) -> Self {
        Self::World(position)
    }
}

impl From<Entity> for PathGoal {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl PathGoal {
    /// The cell this is on a map for a class; `None` outside, and for an entity, which may be anywhere.
    pub fn cell(self, tilemap: &Tilemap, class: ClassId) -> Option<Cell> {
        match self {
            Self::Cell(cell) => tilemap.size().contains(cell).then_some(cell),
            Self::World(position) => tilemap.world_to_unit(class, position),
            Self::Entity(_) => None,
        }
    }
}

impl PathRequest {
    /// The plain order: to a cell, a world position or an entity, as the unit's own kind of mover, with the settings' algorithm and cap.
    pub fn to(goal: impl Into<PathGoal>) -> Self {
        Self {
            goal: goal.into(),
            class: None,
            algorithm: None,
            max_expansions: None,
            allow_partial: false,
            nearest: false,
            priority: 0,
        }
    }

    /// As this kind of mover, whatever the unit's own is.
    #[must_use]
    pub fn class(mut self, class: ClassId) -> Self {
        self.class = Some(class);
        self
    }

    /// Searched this way, whatever the settings say.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// With this cap on expansions, whatever the settings say.
    #[must_use]
    pub fn max_expansions(mut self, cap: u64) -> Self {
        self.max_expansions = Some(cap);
        self
    }

    /// Going as near as possible when the search fails or gives up.
    #[must_use]
    pub fn allow_partial(mut self) -> Self {
        self.allow_partial = true;
        self
    }

    /// Going to the reachable cell nearest to a blocked or unreachable goal.
    #[must_use]
    pub fn nearest(mut self) -> Self {
        self.nearest = true;
        self
    }

    /// With this priority; 0 is the usual one.
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }
}

/// How an entity's order stands.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub enum PathStatus {
    /// No order.
    #[default]
    Idle,
    /// Waiting to be searched.
    Queued,
    /// Being searched.
    Searching,
    /// On a way to the goal.
    Ready,
    /// On a way that ends short of the goal, or at the end of it, and why.
    Partial(Reason),
    /// No way, and why. An order that became impossible waits: it is searched again once the map lets it through. One whose
    /// target was lost has ended.
    Failed(Reason),
    /// In a wall that was painted over it, and not out yet.
    Trapped,
    /// The goal was reached, and there is no new order.
    Arrived,
}

/// The way an entity is on. Steering follows it; a game may read it, or steer by it itself.
#[derive(Component, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub struct FollowPath {
    /// The way.
    pub path: Path,
    /// The index in the path of the cell to go to next; its length once the end is reached.
    pub next: usize,
    /// Why the way ends short of the goal, if it does.
    pub partial: Option<Reason>,
    /// The order it answers; an earlier one than the entity's while a newer one is searched.
    pub order: u32,
    /// For how many seconds the unit has been on the link that it takes, if it takes one.
    pub on_link: f32,
    /// The parts of the map that it crosses. What is read in knows nothing of them, and looks at each edit.
    #[reflect(ignore)]
    #[serde(skip)]
    pub(crate) crossing: Crossing,
}

impl FollowPath {
    /// The cells that are still to be entered.
    pub fn remaining(&self) -> &[Cell] {
        self.path.cells().get(self.next..).unwrap_or_default()
    }
}

/// A name for an entity that is the same in every run. A game may give it; else it comes with the first order, also one
/// that leads to the entity, or [`Obstacle`](crate::Obstacle), in the order in which these are given, from 2^63 up.
///
/// Whatever must not depend on `Entity` numbers is sorted by it.
#[derive(
    Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect, serde::Serialize, serde::Deserialize,
)]
#[reflect(Component)]
pub struct SimId(pub u64);

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The algorithm that ran.
    pub algorithm: Algorithm,
    /// The expansions it made.
    pub expanded: u64,
    /// The [`Tilemap::revision`] that it searched on.
    pub revision: u64,
}

/// A way to the goal was found.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct PathReady {
    /// Whose way.
    pub entity: Entity,
    /// The number of the order: 1 for an entity's first one.
    pub order: u32,
    /// What the way costs.
    pub cost: PathCost,
    /// How it was found.
    pub search: SearchInfo,
}

/// A way that ends short of the goal was found.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct PathPartial {
    /// Whose way.
    pub entity: Entity,
    /// The number of the order.
    pub order: u32,
    /// Why it does not reach the goal.
    pub reason: Reason,
    /// What the way costs.
    pub cost: PathCost,
    /// How it was found.
    pub search: SearchInfo,
}

/// There is no way; or the entity to go to is gone, and the order has been removed.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathFailed {
    /// Whose order.
    pub entity: Entity,
    /// The number of the order.
    pub order: u32,
    /// Why.
    pub reason: Reason,
    /// How it was looked for.
    pub search: SearchInfo,
}

/// An entity's way is searched again: terrain changed on it, the settings did, its target moved on, or the entity was moved off it.
/// The old way is kept until the new one is there.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathInvalidated {
    /// Whose way.
    pub entity: Entity,
    /// The number of the order.
    pub order: u32,
}

/// The goal was reached; the order has been removed.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalReached {
    /// Who reached it.
    pub entity: Entity,
    /// The number of the order.
    pub order: u32,
}

/// The end of a way that stops short of the goal was reached; the order has been removed.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialEndReached {
    /// Who reached it.
    pub entity: Entity,
    /// The number of the order.
    pub order: u32,
    /// Why the way did not lead to the goal.
    pub reason: Reason,
}

/// What the planner remembers of an entity's orders.
#[derive(Component, Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct OrderState {
    /// How many orders the entity was given.
    pub order: u32,
    /// The kind of mover that the latest one is for.
    pub class: ClassId,
    /// Whether the latest of them still stands.
    pub stands: bool,
    /// Whether it waits in the queue, and since which tick.
    pub queued: bool,
    pub asked_at: u64,
    /// Set to break off the search in flight, of which there is at most one.
    #[serde(skip)]
    pub in_flight: Option<Arc<AtomicBool>>,
    /// Where the unit stood, and the cap, when its order failed: with another one it may succeed.
    pub failed_with: Option<(Option<Cell>, u64)>,
    /// If it leads to an entity: where that is.
    pub chase: Chase,
}

impl OrderState {
    /// Whether an answer will come without asking again.
    pub fn is_asking(&self) -> bool {
        self.queued || self.in_flight.is_some()
    }
}

/// A new order: count it and queue it.
fn on_order_given(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let mut replaces = false;
    let asked = world.get::<PathRequest>(entity).and_then(|request| request.class);
    let class = asked.or_else(|| world.get::<Mover>(entity).map(|mover| mover.class)).unwrap_or_default();
    if let Some(mut state) = world.get_mut::<OrderState>(entity) {
        state.order += 1;
        state.class = class;
        state.failed_with = None;
        state.chase = Chase::default();
        replaces = std::mem::replace(&mut state.stands, true);
    }
    if let Some(mut status) = world.get_mut::<PathStatus>(entity)
        && *status != PathStatus::Trapped
    {
        *status = PathStatus::Queued;
    }
    let Some(mut planner) = world.get_resource_mut::<Planner>() else { return };
    planner.stats.orders += 1;
    planner.stats.replaced += u64::from(replaces);
    ensure_sim_id(&mut world, entity);
    let goal = world.get::<PathRequest>(entity).map(|request| request.goal);
    if let Some(PathGoal::Entity(target)) = goal
        && world.get_entity(target).is_ok()
    {
        ensure_sim_id(&mut world, target);
    }
    enqueue(&mut world, entity);
}

/// Gives an entity the next [`SimId`], unless the game gave it one.
pub(crate) fn ensure_sim_id(world: &mut DeferredWorld, entity: Entity) {
    if world.get::<SimId>(entity).is_none()
        && let Some(mut planner) = world.get_resource_mut::<Planner>()
    {
        let id = planner.next_sim_id();
        world.commands().entity(entity).try_insert(id);
    }
}

/// Puts an entity with an order in the queue, unless it is there or its search is in flight and will put it there.
pub(crate) fn enqueue(world: &mut DeferredWorld, entity: Entity) {
    // An observer may have taken the order away.
    if world.get::<PathRequest>(entity).is_none() {
        return;
    }
    let tick = world.get_resource::<Planner>().map_or(0, Planner::tick);
    let Some(mut state) = world.get_mut::<OrderState>(entity) else { return };
    if state.is_asking() {
        return;
    }
    state.queued = true;
    state.asked_at = tick;
    if let Some(mut planner) = world.get_resource_mut::<Planner>() {
        planner.queue.push(entity);
    }
}

/// The order is gone, by hand or with its entity: break off its search.
fn on_order_removed(mut world: DeferredWorld, context: HookContext) {
    let mut is_withdrawn = false;
    if let Some(mut state) = world.get_mut::<OrderState>(context.entity) {
        is_withdrawn = std::mem::take(&mut state.stands);
        state.queued = false;
        if let Some(cancel) = state.in_flight.take() {
            cancel.store(true, Ordering::Relaxed);
        }
    }
    if let Some(mut status) = world.get_mut::<PathStatus>(context.entity)
        && *status != PathStatus::Trapped
    {
        *status = PathStatus::Idle;
    }
    if let Some(mut planner) = world.get_resource_mut::<Planner>() {
        planner.stats.withdrawn += u64::from(is_withdrawn);
    }
    world.commands().entity(context.entity).try_remove::<FollowPath>();
}
