//! From the answers to the units: ways delivered, ways that terrain changes spoil, orders that end.

use std::collections::BTreeSet;

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use wayfield::{Answer, Cell, CellRect, CostGrid, Dirty, Heuristic, Outcome, Path, Reason};

use crate::batch::Reply;
use crate::chase::{go_straight_on, goal_cell, has_moved_on, is_the_end, rests};
use crate::crossing::{Crossing, Place};
use crate::map::{ClassId, MapChanges, Tilemap};
use crate::planner::{Planner, cap_of, take_replies};
use crate::request::{
    FollowPath, GoalReached, OrderState, PartialEndReached, PathFailed, PathInvalidated, PathPartial, PathReady,
    PathRequest, PathStatus, SearchInfo, SimId, enqueue,
};
use crate::settings::{PathfindingSettings, SearchChoice};

/// Delivers the answers that are there, or due.
pub(crate) fn collect(world: &mut World) {
    let (refused, replies) = world.resource_scope(|world, mut planner: Mut<Planner>| {
        let refused = std::mem::take(&mut planner.refused);
        (refused, take_replies(&mut planner, world.resource::<PathfindingSettings>()))
    });
    let replies = charged(replies);
    let refused = refused.into_iter().map(|asked| Reply { asked, answer: Err(Reason::QueueFull) });
    for reply in refused.chain(replies) {
        deliver(world, reply);
    }
}

/// Has what a group took charged to the first of it that still wants its answer. Of searches for one that was cancelled
/// nothing counts, but a group is searched for the others all the same.
fn charged(mut replies: Vec<Reply>) -> Vec<Reply> {
    let is_cancelled = |reply: &Reply| reply.asked.is_cancelled();
    for index in 0..replies.len() {
        let Some((reply, later)) = replies.get_mut(index..).and_then(<[Reply]>::split_first_mut) else { continue };
        let Some(group) = reply.asked.group.filter(|_| is_cancelled(reply)) else { continue };
        let shared = std::mem::take(&mut reply.asked.shared);
        if let Some(heir) = later.iter_mut().find(|other| other.asked.group == Some(group) && !is_cancelled(other)) {
            heir.asked.shared += shared;
        }
    }
    replies
}

/// What becomes of an answer.
enum Verdict {
    /// It is given to the unit; `again` if terrain or settings changed meanwhile so that there may be a better one.
    Give { result: Result<FollowPath, Reason>, again: bool },
    /// It is no use any more: search again.
    SearchAgain,
}

fn deliver(world: &mut World, reply: Reply) {
    let asked = &reply.asked;
    let mut planner = world.resource_mut::<Planner>();
    if asked.is_cancelled() {
        // How far it came depends on the speed of the machine: nothing of it counts.
        planner.stats.cancelled += 1;
        planner.give_back(asked.reserved);
        return;
    }
    let info = SearchInfo {
        algorithm: reply.answer.as_ref().map_or(asked.choice.algorithm, |answer| answer.algorithm),
        expanded: asked.shared + reply.answer.as_ref().map_or(0, |answer| answer.stats.expanded),
        revision: asked.revision,
    };
    let is_refused = matches!(reply.answer, Err(Reason::QueueFull));
    if !is_refused {
        planner.spend(info.expanded, asked.reserved);
        planner.note_answer(asked.asked_at, info.expanded);
    }
    let (entity, order) = (asked.entity, asked.order);
    let Some(mut state) = world.get_mut::<OrderState>(entity) else { return };
    state.in_flight = None;
    let is_newest = order == state.order;
    let verdict = judge(world, &reply);

    let mut deferred = DeferredWorld::from(&mut *world);
    match verdict {
        Some(Verdict::Give { result, again }) if is_newest => {
            if let (Err(_), Some(mut state)) = (&result, deferred.get_mut::<OrderState>(entity)) {
                state.failed_with = Some((asked.start, asked.cap)).filter(|_| !is_refused);
            }
            give(world, entity, order, result, info);
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

/// Checks an answer against the map and the settings as they are now, and finds where the unit joins the way. `None`
/// without a map.
fn judge(world: &World, reply: &Reply) -> Option<Verdict> {
    let tilemap = world.get_resource::<Tilemap>()?;
    let asked = &reply.asked;
    let order = world.get::<PathRequest>(asked.entity).zip(world.get::<OrderState>(asked.entity));
    let at = world.get::<Transform>(asked.entity);
    let is_outdated = asked.revision != tilemap.revision();
    let is_resettled = order
        .is_some_and(|(request, _)| SearchChoice::of(request, world.resource::<PathfindingSettings>()) != asked.choice);
    // Whether a reason held on an older map only.
    let is_lifted = |reason, may: fn(Order, Option<&Transform>, &Tilemap) -> bool| {
        is_outdated && is_certain(reason) && order.is_some_and(|order| may(order, at, tilemap))
    };
    let (path, partial) = match &reply.answer {
        Ok(Answer { outcome: Outcome::Found(path), .. }) => (path, None),
        Ok(Answer { outcome: Outcome::Partial(path, reason), .. }) => (path, Some(*reason)),
        Err(reason) | Ok(Answer { outcome: Outcome::Failed(reason), .. }) => {
            let is_over = *reason == Reason::Cancelled || is_lifted(*reason, may_be_given_a_way);
            let again = is_resettled && !is_certain(*reason);
            return Some(if is_over { Verdict::SearchAgain } else { Verdict::Give { result: Err(*reason), again } });
        }
    };
    let grid = tilemap.grid(asked.class);
    let here = at.and_then(|at| tilemap.world_to_unit(asked.class, at.translation.truncate()));
    let (Some(grid), Some(here)) = (grid, here) else { return Some(Verdict::SearchAgain) };
    let revision = reply.answer.as_ref().map_or(0, |answer| answer.revision);
    let dirty = if is_outdated { tilemap.changed_since(asked.revision, revision) } else { Dirty::Nothing };
    let crossing = Crossing::of(path, grid.size());
    // Only where something changed the way has to be walked.
    let is_touched = match dirty {
        Dirty::Nothing => false,
        Dirty::Everything => true,
        Dirty::Within(area) => {
            let place = Place::new(grid.anchors_over(area).grown(1), grid.size());
            crossing.may_touch(&place) && place.has_any(path.cells())
        }
    };
    let is_spoiled = is_touched && path.cost_from(0, grid) != Ok(path.cost());
    let old = world.get::<FollowPath>(asked.entity);
    // What opened while the search was in flight.
    let wants_openings = is_outdated && world.resource::<PathfindingSettings>().replan_for_openings;
    let is_opened = |path: &Path, next| match dirty {
        Dirty::Within(area) if wants_openings => may_be_shorter((path, next), here, grid, tilemap, area),
        _ => false,
    };
    Some(match join(path, here, old, grid, !is_touched) {
        Some((joined, next)) => Verdict::Give {
            again: is_spoiled
                || is_resettled
                || is_opened(&joined, next)
                || partial.is_some_and(|reason| is_lifted(reason, may_arrive)),
            result: Ok(FollowPath {
                on_link: time_on_link(old, &joined, next),
                // What was put before it starts elsewhere.
                crossing: if joined.start() == path.start() { crossing } else { Crossing::of(&joined, grid.size()) },
                path: joined,
                next,
                partial,
                order: asked.order,
            }),
        },
        None => Verdict::SearchAgain,
    })
}

/// For how long a unit has waited for the link that its new way goes on with, if that is what it is doing.
fn time_on_link(old: Option<&FollowPath>, path: &Path, next: usize) -> f32 {
    let link = |path: &Path, next: usize| path.link_at(next.checked_sub(1)?);
    let waits = old.filter(|old| link(&old.path, old.next).is_some() && link(&old.path, old.next) == link(path, next));
    waits.map_or(0.0, |old| old.on_link)
}

/// How many cells back along its old way a unit may go to join the new one.
pub(crate) const MAX_WAY_BACK: usize = 64;

/// Where a unit that moved on since the search began joins a way: the way, and the index of the cell to go to next.
///
/// It joins at its own cell, or by one step, or goes back along its old way until one of these is possible. The rest
/// of the way is legal on `grid`, which the caller may know of the whole way already.
fn join(path: &Path, here: Cell, old: Option<&FollowPath>, grid: &CostGrid, is_legal: bool) -> Option<(Path, usize)> {
    let entered = old.map(|old| old.path.cells().get(..old.next).unwrap_or_default()).unwrap_or_default();
    let back = entered.iter().rev().copied().filter(|&cell| cell != here).take(MAX_WAY_BACK);
    let mut walked = Vec::new();
    for cell in std::iter::once(here).chain(back) {
        walked.push(cell);
        let Some(next) = join_at(path, cell, grid) else { continue };
        let rest = path.cells().get(next..).unwrap_or_default();
        if walked.len() == 1 {
            let is_legal = is_legal || path.cost_from(next.saturating_sub(1), grid).is_ok();
            return is_legal.then(|| (path.clone(), next));
        }
        walked.extend(rest);
        return Path::new(walked, grid).ok().map(|path| (path, 1));
    }
    None
}

/// The index in a way of the cell that comes after `cell`, which is on it or one step beside its beginning.
fn join_at(path: &Path, cell: Cell, grid: &CostGrid) -> Option<usize> {
    if let Some(index) = path.cells().iter().position(|&other| other == cell) {
        return Some(index + 1);
    }
    (0..path.len().min(4)).rev().find(|&index| grid.legal_step(cell, path.cells()[index]).is_some())
}

/// Gives an answer to the unit whose newest order it answers, and tells the game.
fn give(world: &mut World, entity: Entity, order: u32, result: Result<FollowPath, Reason>, search: SearchInfo) {
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
                    world.trigger(PathReady { entity, order, cost, search });
                }
                Some(reason) => {
                    planner.stats.partial += 1;
                    world.trigger(PathPartial { entity, order, reason, cost, search });
                }
            }
        }
        Err(reason) => {
            unit.remove::<FollowPath>();
            *world.resource_mut::<Planner>().stats.failed.entry(reason).or_default() += 1;
            world.trigger(PathFailed { entity, order, reason, search });
        }
    }
}

/// Finds the units that a change of the map or the settings concerns, and the failed ones that may succeed now, and
/// searches their ways again.
pub(crate) fn invalidate(world: &mut World) {
    let mut seen = std::mem::take(&mut world.resource_mut::<Planner>().seen);
    let Some(mut tilemap) = world.get_resource_mut::<Tilemap>() else {
        world.resource_mut::<Planner>().seen = seen;
        return;
    };
    let changes = if tilemap.has_changes() {
        seen.revision = tilemap.go_on_from(seen.revision);
        tilemap.take_changes()
    } else {
        // A look is no change.
        MapChanges::default()
    };
    let changed: BTreeSet<Cell> = changes.cells.iter().copied().collect();
    let area = changes.area();
    let settings = world.resource::<PathfindingSettings>().clone();
    let before = seen.settings.replace(settings.clone()).unwrap_or_else(|| settings.clone());
    world.resource_mut::<Planner>().seen = seen;

    // Looking at each request is worth it only then.
    let are_resettled = (before.algorithm, before.heuristic, before.weight)
        != (settings.algorithm, settings.heuristic, settings.weight);

    let mut units =
        world
            .query::<(Entity, &SimId, &PathRequest, &OrderState, &PathStatus, Option<&Transform>, Option<&FollowPath>)>(
            );
    let tilemap = world.resource::<Tilemap>();
    let planner = world.resource::<Planner>();
    // A diagonal is broken by a cell beside it, so look one cell around.
    let around = |grid: &CostGrid| area.map(|area| Place::new(grid.anchors_over(area).grown(1), grid.size()));
    let places: Vec<_> =
        (0..tilemap.classes().len()).map(|class| tilemap.grid(ClassId(class)).and_then(|grid| around(grid))).collect();
    // Who is disabled may keep a place in the queue for ever.
    let is_disabled = |&entity: &Entity| world.get::<Disabled>(entity).is_some();
    let is_open = planner.queued() < settings.max_queued && planner.queue.iter().all(is_disabled);
    let has_room = planner.queued() == 0 || is_open;
    let mut concerned = Vec::new();
    for (entity, id, request, state, status, at, way) in units.iter(world) {
        if state.is_asking() {
            // Its answer will be checked when it comes.
            continue;
        }
        let order = (request, state);
        let rests = rests(request, &state.chase, &settings, planner);
        let has_moved_on = !rests && has_moved_on(request, state, way, tilemap, &settings);
        let is_concerned = match (way, status) {
            (Some(way), _) => {
                are_resettled && SearchChoice::of(request, &before) != SearchChoice::of(request, &settings)
                    || is_spoiled(
                        way,
                        state.class,
                        tilemap,
                        &changes,
                        places.get(state.class.0).and_then(Option::as_ref),
                        &changed,
                    )
                    || !changes.is_empty() && way.partial.is_some_and(is_certain) && may_arrive(order, at, tilemap)
                    || has_moved_on
                    || settings.replan_for_openings
                        && area.zip(ends(order, at, tilemap)).is_some_and(|(area, (here, _, grid))| {
                            may_be_shorter((&way.path, way.next), here, grid, tilemap, area)
                        })
            }
            // Its target may come and go; the map is another matter.
            (None, PathStatus::Failed(_)) if rests && changes.is_empty() => false,
            // There was no room for it; now there may be.
            (None, PathStatus::Failed(Reason::QueueFull)) => has_room,
            (None, PathStatus::Failed(reason)) if is_certain(*reason) => may_be_given_a_way(order, at, tilemap),
            (None, PathStatus::Failed(_)) => {
                // The search gave up. From another cell, with another cap or on another map it may not.
                let here = at.and_then(|at| tilemap.world_to_unit(state.class, at.translation.truncate()));
                changes.everything
                    || has_moved_on
                    || SearchChoice::of(request, &before) != SearchChoice::of(request, &settings)
                    || state.failed_with.is_some_and(|with| with != (here, cap_of(request, &settings)))
            }
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
    class: ClassId,
    tilemap: &Tilemap,
    changes: &MapChanges,
    place: Option<&Place>,
    changed: &BTreeSet<Cell>,
) -> bool {
    let Some(grid) = tilemap.grid(class) else { return true };
    let rest = way.remaining();
    let near = match place {
        Some(place) => way.crossing.may_touch(place) && place.has_any(rest),
        None => changes.everything,
    };
    if !near {
        return false;
    }
    let crosses = rest.iter().any(|&cell| grid.footprint(cell).cells().any(|covered| changed.contains(&covered)));
    // With a class or the whole map replaced there is no list of cells to look at.
    changes.everything || crosses || way.path.cost_from(way.next.saturating_sub(1), grid).is_err()
}

/// Whether a way over the area may cost less than what is left of a unit's way from cell number `next` on: as the crow flies,
/// over the cheapest ground.
fn may_be_shorter(
    (path, next): (&Path, usize),
    here: Cell,
    grid: &CostGrid,
    tilemap: &Tilemap,
    area: CellRect,
) -> bool {
    let Some(end) = path.end() else { return false };
    let Ok(left) = path.cost_from(next.saturating_sub(1), grid) else { return true };
    let area = grid.anchors_over(area);
    let heuristic = Heuristic::of_rule(grid.corner_rule());
    let to_area = |cell: Cell| {
        let nearest = Cell::new(cell.x.clamp(area.min.x, area.max.x), cell.y.clamp(area.min.y, area.max.y));
        heuristic.estimate(cell, nearest).to_units()
    };
    // A link may lead there by a shorter way than any crow flies, unless it costs more by itself.
    let links = tilemap.terrain().links().iter().filter(|link| link.is_open);
    links.map(|link| link.cost).min().is_some_and(|cost| f64::from(cost) < left.units())
        || (to_area(here) + to_area(end)) * f64::from(grid.cheapest_cost()) < left.units() - 1e-6
}

/// Whether a reason is a fact about the map, and no limit of the search.
fn is_certain(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::GoalBlocked | Reason::StartBlocked | Reason::Unreachable | Reason::OutOfBounds | Reason::UnknownClass
    )
}

/// What a unit was told, and what has become of it.
type Order<'a> = (&'a PathRequest, &'a OrderState);

/// Whether the components say that there is a way to the goal of a request.
fn may_arrive(order: Order, at: Option<&Transform>, tilemap: &Tilemap) -> bool {
    let Some((start, goal, grid)) = ends(order, at, tilemap) else { return false };
    start == goal && grid.is_passable(goal) || grid.is_reachable(start, goal)
}

/// Whether the components say that a request would be given a way, though it may end short of the goal.
fn may_be_given_a_way(order: Order, at: Option<&Transform>, tilemap: &Tilemap) -> bool {
    if !order.0.nearest && !order.0.allow_partial {
        return may_arrive(order, at, tilemap);
    }
    ends(order, at, tilemap).is_some_and(|(start, _, grid)| grid.reachable_components(start).next().is_some())
}

/// Where a request begins and ends, and the grid that it is searched on; `None` if an end is outside the map.
fn ends<'a>(
    (request, state): Order,
    at: Option<&Transform>,
    tilemap: &'a Tilemap,
) -> Option<(Cell, Cell, &'a CostGrid)> {
    let start = tilemap.world_to_unit(state.class, at?.translation.truncate())?;
    Some((start, goal_cell(request, state, tilemap)?, tilemap.grid(state.class)?))
}

/// Ends the order of a unit that came to the end of its way, and tells the game.
pub(crate) fn finish(world: &mut World, entity: Entity, order: u32, partial: Option<Reason>) {
    let is_the_end = is_the_end(world, entity);
    let Ok(mut unit) = world.get_entity_mut(entity) else { return };
    let state = unit.get::<OrderState>();
    let is_older = state.is_none_or(|state| state.order != order);
    // Its goal may be within reach by now: the order goes on when the answer is there.
    let is_open = partial.is_some() && state.is_some_and(OrderState::is_asking);
    if is_older || is_open || !unit.contains::<PathRequest>() {
        unit.remove::<FollowPath>();
        return;
    }
    if !is_the_end {
        go_straight_on(world, entity);
        return;
    }
    if let Some(mut state) = unit.get_mut::<OrderState>() {
        state.stands = false;
    }
    unit.remove::<(PathRequest, FollowPath)>();
    // An observer of the removal may have despawned it.
    let Ok(mut unit) = world.get_entity_mut(entity) else { return };
    // An observer of the removal may also have given it another order.
    if !unit.contains::<PathRequest>() {
        unit.insert(partial.map_or(PathStatus::Arrived, PathStatus::Partial));
    }
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
