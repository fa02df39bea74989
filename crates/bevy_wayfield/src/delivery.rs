//! From the answers to the units: ways delivered, ways that terrain changes spoil, orders that end.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use wayfield::{Answer, Cell, CostGrid, Direction, Outcome, Path, Reason};

use crate::map::{MapChanges, Tilemap};
use crate::planner::{Planner, Reply, take_replies};
use crate::request::{
    FollowPath, GoalReached, OrderState, PartialEndReached, PathFailed, PathInvalidated, PathPartial, PathReady,
    PathRequest, PathStatus, SimId, enqueue,
};
use crate::settings::PathfindingSettings;

/// Delivers the answers that are there, or due.
pub(crate) fn collect(world: &mut World) {
    let replies = world.resource_scope(|world, mut planner: Mut<Planner>| {
        take_replies(&mut planner, world.resource::<PathfindingSettings>())
    });
    for reply in replies {
        deliver(world, reply);
    }
}

/// What becomes of an answer.
enum Verdict {
    /// It is given to the unit; `again` if terrain changed meanwhile so that there may be a better one.
    Give { result: Result<FollowPath, Reason>, again: bool },
    /// It is no use any more: search again.
    SearchAgain,
}

fn deliver(world: &mut World, reply: Reply) {
    let mut planner = world.resource_mut::<Planner>();
    if reply.cancel.load(Ordering::Relaxed) {
        // How far it came depends on the speed of the machine: nothing of it counts.
        planner.stats.cancelled += 1;
        return;
    }
    let expanded = reply.answer.as_ref().map_or(0, |answer| answer.stats.expanded);
    planner.spend(expanded);
    planner.stats.searches += 1;
    let entity = reply.entity;
    let Some(mut state) = world.get_mut::<OrderState>(entity) else { return };
    state.in_flight = None;
    let order = state.order;
    let is_newest = order == reply.order;
    let verdict = judge(world, &reply);

    let mut deferred = DeferredWorld::from(&mut *world);
    match verdict {
        Some(Verdict::Give { result, again }) if is_newest => {
            give(world, entity, order, result, expanded);
            if again {
                search_again(world, entity);
            }
        }
        Some(Verdict::Give { result, .. }) => {
            // The newest order is next; until then the older one's way is better than none.
            enqueue(&mut deferred, entity);
            if let Ok(way) = result {
                world.entity_mut(entity).insert(way);
            }
        }
        Some(Verdict::SearchAgain) | None => {
            if let Some(mut planner) = deferred.get_resource_mut::<Planner>() {
                planner.stats.stale += 1;
            }
            enqueue(&mut deferred, entity);
        }
    }
}

/// Checks an answer against the map as it is now, and finds where the unit joins the way. `None` without a map.
fn judge(world: &World, reply: &Reply) -> Option<Verdict> {
    let tilemap = world.get_resource::<Tilemap>()?;
    let grid = tilemap.grid(reply.class);
    let at = world.get::<Transform>(reply.entity);
    let here = at.and_then(|at| tilemap.world_to_cell(at.translation.truncate()));
    let is_outdated = reply.revision != tilemap.revision();
    let opened = |reason| {
        let asked = world.get::<PathRequest>(reply.entity).zip(at);
        is_outdated && asked.is_some_and(|(request, at)| is_opened(reason, request, at, tilemap))
    };
    let (path, partial) = match &reply.answer {
        Ok(Answer { outcome: Outcome::Found(path), .. }) => (path, None),
        Ok(Answer { outcome: Outcome::Partial(path, reason), .. }) => (path, Some(*reason)),
        Err(reason) | Ok(Answer { outcome: Outcome::Failed(reason), .. }) => {
            let is_over = *reason == Reason::Cancelled || is_certain(*reason) && opened(*reason);
            let give = || Verdict::Give { result: Err(*reason), again: opened(*reason) };
            return Some(if is_over { Verdict::SearchAgain } else { give() });
        }
    };
    let (Some(grid), Some(here)) = (grid, here) else { return Some(Verdict::SearchAgain) };
    let is_spoiled = is_outdated && path.cost_from(0, grid) != Ok(path.cost());
    let next = join(path, here, grid).filter(|&next| path.cost_from(next.saturating_sub(1), grid).is_ok());
    Some(match next {
        Some(next) => {
            let way = FollowPath { path: path.clone(), next, partial, order: reply.order };
            let again = is_spoiled || partial.is_some_and(|reason| is_certain(reason) && opened(reason));
            Verdict::Give { result: Ok(way), again }
        }
        None => Verdict::SearchAgain,
    })
}

/// Where a unit that moved on since the search began joins a way: the index of the cell to go to next.
fn join(path: &Path, here: Cell, grid: &CostGrid) -> Option<usize> {
    if let Some(index) = path.cells().iter().position(|&cell| cell == here) {
        return Some(index + 1);
    }
    // In the few ticks of a search a unit gets a cell or two away from its start.
    (0..path.len().min(4)).rev().find(|&index| is_legal_step(grid, here, path.cells()[index]))
}

/// Whether one legal move leads from a cell to another.
pub(crate) fn is_legal_step(grid: &CostGrid, from: Cell, to: Cell) -> bool {
    Direction::from_delta(to.x.saturating_sub(from.x), to.y.saturating_sub(from.y))
        .is_some_and(|direction| grid.legal_moves(from).contains(direction))
}

/// Gives an answer to the unit whose newest order it answers, and tells the game.
fn give(world: &mut World, entity: Entity, order: u32, result: Result<FollowPath, Reason>, expanded: u64) {
    let mut unit = world.entity_mut(entity);
    // Set, not inserted: an insertion may call an observer, which may despawn the unit.
    if let Some(mut status) = unit.get_mut::<PathStatus>().filter(|status| **status != PathStatus::Trapped) {
        *status = match &result {
            Ok(FollowPath { partial: None, .. }) => PathStatus::Ready,
            Ok(FollowPath { partial: Some(reason), .. }) => PathStatus::Partial(*reason),
            Err(reason) => PathStatus::Failed(*reason),
        };
    }
    match result {
        Ok(way) => {
            let (cost, partial) = (way.path.cost(), way.partial);
            unit.insert(way);
            let mut planner = world.resource_mut::<Planner>();
            match partial {
                None => {
                    planner.stats.found += 1;
                    world.trigger(PathReady { entity, order, cost, expanded });
                }
                Some(reason) => {
                    planner.stats.partial += 1;
                    world.trigger(PathPartial { entity, order, reason, cost });
                }
            }
        }
        Err(reason) => {
            unit.remove::<FollowPath>();
            *world.resource_mut::<Planner>().stats.failed.entry(reason).or_default() += 1;
            world.trigger(PathFailed { entity, order, reason });
        }
    }
}

/// The settings that ways depend on.
type SearchSettings = (wayfield::Algorithm, Option<wayfield::Heuristic>, wayfield::Weight);

/// Finds the units that a change of the map or the settings concerns, and searches their ways again.
pub(crate) fn invalidate(world: &mut World, mut last: Local<Option<SearchSettings>>, mut last_revision: Local<u64>) {
    let settings = world.resource::<PathfindingSettings>();
    let now = (settings.algorithm, settings.heuristic, settings.weight);
    let resettled = last.replace(now).is_some_and(|before| before != now);
    let Some(mut tilemap) = world.get_resource_mut::<Tilemap>() else { return };
    if !resettled && !tilemap.has_changes() {
        return;
    }
    *last_revision = tilemap.go_on_from(*last_revision);
    let changes = tilemap.take_changes();
    let changed: BTreeSet<Cell> = changes.cells.iter().copied().collect();

    let mut units =
        world.query::<(Entity, &SimId, &PathRequest, &OrderState, &PathStatus, &Transform, Option<&FollowPath>)>();
    let tilemap = world.resource::<Tilemap>();
    let mut concerned = Vec::new();
    for (entity, id, request, state, status, transform, way) in units.iter(world) {
        if state.is_asking() {
            // Its answer will be checked against the map when it comes.
            continue;
        }
        let opened = |reason| is_opened(reason, request, transform, tilemap);
        let is_concerned = match (way, status) {
            (Some(way), _) => {
                resettled && request.algorithm.is_none()
                    || is_spoiled(way, request, tilemap, &changes, &changed)
                    // An edit far off is no reason to leave a way that a cap cut short.
                    || way.partial.is_some_and(|reason| is_certain(reason) && opened(reason))
            }
            (None, PathStatus::Failed(reason)) => opened(*reason),
            _ => false,
        };
        if is_concerned {
            concerned.push((*id, entity));
        }
    }
    concerned.sort_unstable();
    for (_, entity) in concerned {
        search_again(world, entity);
    }
}

/// Has a unit's order searched again, unless that is under way, and tells the game if the unit has a way.
pub(crate) fn search_again(world: &mut World, entity: Entity) {
    let Some(state) = world.get::<OrderState>(entity) else { return };
    let order = state.order;
    if state.is_asking() || world.get::<PathRequest>(entity).is_none() {
        return;
    }
    enqueue(&mut DeferredWorld::from(&mut *world), entity);
    if world.get::<FollowPath>(entity).is_some() {
        world.resource_mut::<Planner>().stats.replans += 1;
        world.trigger(PathInvalidated { entity, order });
    }
}

/// Whether the rest of a way is broken, dearer, or crosses changed cells.
fn is_spoiled(
    way: &FollowPath,
    request: &PathRequest,
    tilemap: &Tilemap,
    changes: &MapChanges,
    changed: &BTreeSet<Cell>,
) -> bool {
    let Some(grid) = tilemap.grid(request.class) else { return true };
    let rest = way.remaining();
    // A diagonal is broken by a cell beside it, so look one cell around.
    let near = match changes.area() {
        Some(area) => rest.iter().any(|&cell| area.grown(1).contains(cell)),
        None => changes.everything,
    };
    if !near {
        return false;
    }
    let crosses = rest.iter().any(|cell| changed.contains(cell));
    let from_here = way.next.saturating_sub(1);
    // With a class or the whole map replaced there is no list of cells to look at: compare the cost.
    let dearer = changes.everything && way.path.cost_from(0, grid) != Ok(way.path.cost());
    crosses || dearer || way.path.cost_from(from_here, grid).is_err()
}

/// Whether a reason is a fact about the map, and no limit of the search.
fn is_certain(reason: Reason) -> bool {
    matches!(reason, Reason::GoalBlocked | Reason::StartBlocked | Reason::Unreachable | Reason::OutOfBounds)
}

/// Whether a request that could not be fulfilled for this reason may be on the map as it is now.
fn is_opened(reason: Reason, request: &PathRequest, transform: &Transform, tilemap: &Tilemap) -> bool {
    if !is_certain(reason) {
        // Any change may have made the search shorter.
        return true;
    }
    let start = tilemap.world_to_cell(transform.translation.truncate());
    let (Some(start), Some(goal), Some(grid)) = (start, request.goal.cell(tilemap), tilemap.grid(request.class)) else {
        return false;
    };
    start == goal && grid.is_passable(goal) || grid.is_reachable(start, goal)
}

/// Ends the order of a unit that came to the end of its way, and tells the game.
pub(crate) fn finish(world: &mut World, entity: Entity, order: u32, partial: Option<Reason>) {
    let Ok(mut unit) = world.get_entity_mut(entity) else { return };
    let newest = unit.get::<OrderState>().map(|state| state.order);
    if newest != Some(order) || !unit.contains::<PathRequest>() {
        // The way was an older order's; the newer one is being searched.
        unit.remove::<FollowPath>();
        return;
    }
    unit.remove::<(PathRequest, FollowPath)>();
    // An observer of the removal may have despawned it.
    let Ok(mut unit) = world.get_entity_mut(entity) else { return };
    unit.insert(partial.map_or(PathStatus::Arrived, PathStatus::Partial));
    let mut planner = world.resource_mut::<Planner>();
    match partial {
        None => {
            planner.stats.reached += 1;
            world.trigger(GoalReached { entity, order });
        }
        Some(reason) => {
            planner.stats.partial_ends += 1;
            world.trigger(PartialEndReached { entity, order, reason });
        }
    }
}
