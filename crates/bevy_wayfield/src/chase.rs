//! Orders to go to an entity, which may move on or be gone.

use bevy::prelude::*;
use wayfield::{Cell, CostGrid, Path, Reason};

use crate::crossing::Crossing;
use crate::delivery::MAX_WAY_BACK;
use crate::map::{ClassId, Tilemap};
use crate::planner::Planner;
use crate::request::{FollowPath, OrderState, PathFailed, PathGoal, PathRequest, PathStatus, SearchInfo, SimId};
use crate::settings::{PathfindingSettings, SearchChoice};

/// A way that ends so many cells from its target has come to it.
const BESIDE: u32 = 1;

/// The target may have moved by one cell for every so many that are still to go.
const CELLS_TO_GO: usize = 8;

/// So near a target is approached without a search, where nothing stands between.
const NEAR: u32 = 8;

/// What is known of the entity that an order leads to.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Chase {
    /// Where it stood when the tick began; `None` before the first look.
    pub target: Option<Vec2>,
    /// The cell that the latest search led to; `None` outside the map.
    pub aim: Option<Cell>,
    /// The tick in which that search began.
    pub begun: u64,
}

/// The cell where an order leads at the moment; `None` outside the map.
pub(crate) fn goal_cell(request: &PathRequest, state: &OrderState, tilemap: &Tilemap) -> Option<Cell> {
    match request.goal {
        PathGoal::Entity(_) => tilemap.world_to_unit(state.class, state.chase.target?),
        goal => goal.cell(tilemap, state.class),
    }
}

/// Looks where the targets of all orders are, and ends the orders whose target is gone.
pub(crate) fn look_for_targets(
    mut orders: Query<(Entity, &SimId, &PathRequest, &mut OrderState)>,
    targets: Query<&Transform>,
    mut commands: Commands,
) {
    let mut lost = Vec::new();
    for (entity, id, request, mut state) in &mut orders {
        let PathGoal::Entity(target) = request.goal else { continue };
        match targets.get(target) {
            Ok(at) => state.chase.target = Some(at.translation.truncate()),
            Err(_) => lost.push((*id, entity, state.order)),
        }
    }
    if lost.is_empty() {
        return;
    }
    lost.sort_unstable();
    commands.queue(move |world: &mut World| {
        for (_, entity, order) in lost {
            lose_target(world, entity, order);
        }
    });
}

/// Ends the order of a unit whose target is gone, and tells the game.
fn lose_target(world: &mut World, entity: Entity, order: u32) {
    let reason = Reason::TargetLost;
    let revision = world.get_resource::<Tilemap>().map_or(0, Tilemap::revision);
    // What the game did when it was told of another unit's loss may have changed this one's order.
    let Some(request) = world.get::<PathRequest>(entity) else { return };
    let algorithm = SearchChoice::of(request, world.resource::<PathfindingSettings>()).algorithm;
    let Some(mut state) = world.get_mut::<OrderState>(entity).filter(|state| state.order == order) else { return };
    state.stands = false;
    world.entity_mut(entity).remove::<(PathRequest, FollowPath)>();
    // An observer of the removal may have despawned it, or given it another order.
    let Ok(mut unit) = world.get_entity_mut(entity) else { return };
    let is_idle = !unit.contains::<PathRequest>();
    let status = unit.get_mut::<PathStatus>().filter(|status| is_idle && **status != PathStatus::Trapped);
    if let Some(mut status) = status {
        *status = PathStatus::Failed(reason);
    }
    let mut planner = world.resource_mut::<Planner>();
    planner.stats.lost += 1;
    *planner.stats.failed.entry(reason).or_default() += 1;
    let search = SearchInfo { algorithm, expanded: 0, revision };
    world.trigger(PathFailed { entity, order, reason, search });
}

/// Whether an order leads to an entity whose place may not be looked up anew yet.
pub(crate) fn rests(request: &PathRequest, chase: &Chase, settings: &PathfindingSettings, planner: &Planner) -> bool {
    // A search that is asked for now begins in the tick that is about to be counted.
    let next = planner.tick() + 1;
    matches!(request.goal, PathGoal::Entity(_)) && next < chase.begun + u64::from(settings.chase_interval)
}

/// Whether the target of an order has gone too far from where the latest search led.
pub(crate) fn has_moved_on(
    request: &PathRequest,
    state: &OrderState,
    way: Option<&FollowPath>,
    tilemap: &Tilemap,
    settings: &PathfindingSettings,
) -> bool {
    if !matches!(request.goal, PathGoal::Entity(_)) {
        return false;
    }
    let allowed = match way.map(|way| way.remaining().len()) {
        Some(0) => BESIDE,
        to_go => settings.chase_distance.max((to_go.unwrap_or_default() / CELLS_TO_GO) as u32),
    };
    match (aim_of(way, &state.chase), goal_cell(request, state, tilemap)) {
        (Some(aim), Some(now)) => aim.chebyshev(now) > allowed,
        (aim, now) => aim != now,
    }
}

/// Where the target was when a way was made for it.
fn aim_of(way: Option<&FollowPath>, chase: &Chase) -> Option<Cell> {
    // A way that ends short of the goal ends somewhere else.
    let whole = way.filter(|way| way.partial.is_none());
    whole.map_or(chase.aim, |way| way.path.cells().last().copied())
}

/// Whether the end of an entity's way is the end of its order. A target that has gone on is to be searched again.
pub(crate) fn is_the_end(world: &World, entity: Entity) -> bool {
    let (Some(request), Some(state)) = (world.get::<PathRequest>(entity), world.get::<OrderState>(entity)) else {
        return true;
    };
    let PathGoal::Entity(target) = request.goal else { return true };
    let aim = aim_of(world.get(entity), &state.chase);
    let now = target_cell(world, state.class, target);
    aim.zip(now).is_some_and(|(aim, now)| aim.chebyshev(now) <= BESIDE)
}

/// Lets a unit at the end of its way, whose target is near and in plain view, go on toward it. A search could tell it no more, and
/// it may have to wait for one longer than it takes the target to get away.
pub(crate) fn go_straight_on(world: &mut World, entity: Entity) {
    let Some((path, next)) = longer_way(world, entity) else { return };
    let crossing = world.get_resource::<Tilemap>().map(|tilemap| Crossing::of(&path, tilemap.size()));
    if let (Some(mut way), Some(crossing)) = (world.get_mut::<FollowPath>(entity), crossing) {
        (way.path, way.next, way.crossing) = (path, next, crossing);
    }
}

/// The end of an entity's way with the cells from there to its target, and the index of the first of these.
fn longer_way(world: &World, entity: Entity) -> Option<(Path, usize)> {
    let request = world.get::<PathRequest>(entity)?;
    let PathGoal::Entity(target) = request.goal else { return None };
    let way = world.get::<FollowPath>(entity).filter(|way| way.partial.is_none())?;
    let class = world.get::<OrderState>(entity)?.class;
    let grid = world.get_resource::<Tilemap>()?.grid(class)?;
    let aim = target_cell(world, class, target)?;
    // What lies behind is kept: a new way may have to be joined from there.
    let cells = way.path.cells();
    let mut cells = cells.get(cells.len().saturating_sub(MAX_WAY_BACK)..)?.to_vec();
    let next = cells.len();
    let mut here = *cells.last()?;
    if here.chebyshev(aim) > NEAR {
        return None;
    }
    while here != aim {
        here = step_toward(here, aim, grid)?;
        cells.push(here);
    }
    Some((Path::new(cells, grid).ok()?, next))
}

/// The cell one legal step nearer to a goal, diagonally if that is possible.
fn step_toward(from: Cell, goal: Cell, grid: &CostGrid) -> Option<Cell> {
    let (dx, dy) = ((goal.x - from.x).signum(), (goal.y - from.y).signum());
    let steps = [(dx, dy), (dx, 0), (0, dy)].map(|(dx, dy)| Cell::new(from.x + dx, from.y + dy));
    steps.into_iter().find(|&to| grid.legal_step(from, to).is_some())
}

/// The cell of an entity, for the unit that goes to it.
fn target_cell(world: &World, class: ClassId, target: Entity) -> Option<Cell> {
    let at = world.get::<Transform>(target)?.translation.truncate();
    world.get_resource::<Tilemap>()?.world_to_unit(class, at)
}
