//! From the queue to the tasks: which requests are searched when.

pub(crate) mod save;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use wayfield::{Algorithm, Cell, CostGrid, PathQuery, Reason};

use crate::batch::{Ask, Asked, Batch, BatchRun, BatchState, Reply, SLICE, Work, Workspaces};
use crate::chase::goal_cell;
use crate::executor::Executor;
use crate::map::{ClassId, Tilemap};
use crate::request::{FollowPath, OrderState, PathGoal, PathRequest, PathStatus, SimId};
use crate::settings::{Delivery, PathfindingSettings, SearchChoice};

/// The queue of requests and the searches in flight. By reflection its tick and its [`PlannerStats`] can be read.
#[derive(Resource, Default, Reflect)]
#[reflect(Resource, Default)]
pub struct Planner {
    tick: u64,
    /// Entities whose [`OrderState::queued`] is set, in the order in which they asked; may hold others, too.
    #[reflect(ignore)]
    pub(crate) queue: Vec<Entity>,
    #[reflect(ignore)]
    pub(crate) batches: Vec<Batch>,
    #[reflect(ignore)]
    spare: Workspaces,
    /// Expansions that may still be spent or set aside; below 0 while answers cost more than the budget.
    #[reflect(ignore)]
    credit: i64,
    #[reflect(ignore)]
    sim_ids: u64,
    /// How many ticks the latest answers took, the latest last.
    #[reflect(ignore)]
    latencies: VecDeque<u64>,
    /// A moving average of the expansions of searches that made any.
    #[reflect(ignore)]
    usual: Option<u64>,
    /// Requests for which there was no room in the queue, to be told so in this tick.
    #[reflect(ignore)]
    pub(crate) refused: Vec<Asked>,
    /// With what ways were last searched again.
    #[reflect(ignore)]
    pub(crate) seen: Seen,
    pub(crate) stats: PlannerStats,
}

/// The map and the settings that the units on their way were last looked at with.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Seen {
    pub revision: u64,
    pub settings: Option<PathfindingSettings>,
}

/// Over about how many searches the usual expansions are averaged.
const USUAL_OF: u64 = 16;

/// How many searches may be in flight on this thread: the rest keeps its place in the queue, where the more urgent come first.
const IN_FLIGHT_INLINE: usize = 32;

/// How many of them go on side by side; each has a memory of its own.
const ACTIVE_INLINE: usize = 8;

/// Of how many answers the latency is remembered.
const LATENCIES: usize = 512;

/// What the planner did since the start, and what it is at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
pub struct PlannerStats {
    /// Orders given: as many as were reached, ended short of the goal, lost their target, were replaced or withdrawn, or
    /// still stand.
    pub orders: u64,
    /// Orders that a newer one replaced.
    pub replaced: u64,
    /// Orders that were removed, by the game or with their entity.
    pub withdrawn: u64,
    /// Orders whose goal was reached.
    pub reached: u64,
    /// Orders that ended at the end of a partial way.
    pub partial_ends: u64,
    /// Orders that ended because the entity they led to was gone.
    pub lost: u64,
    /// Searches answered.
    pub searches: u64,
    /// Expansions of these searches.
    pub expansions: u64,
    /// Ways found to the goal.
    pub found: u64,
    /// Ways found that end short of the goal.
    pub partial: u64,
    /// Failures by reason.
    pub failed: BTreeMap<Reason, u64>,
    /// Ways searched again because terrain changed on them, the settings did, their target moved on, or the unit was moved
    /// off them.
    pub replans: u64,
    /// Answers that were of no use any more, since terrain had changed or the unit was elsewhere; their requests were
    /// searched again.
    pub stale: u64,
    /// Searches broken off because their order was removed.
    pub cancelled: u64,
    /// Ticks that waited for a late search.
    pub waits: u64,
    /// Expansions of the answers of the latest tick.
    pub expansions_last_tick: u64,
    /// Expansions that [`Executor::Inline`](crate::Executor::Inline) has made in the latest tick.
    pub expansions_inline: u64,
    /// Searches answered in the latest tick.
    pub searches_last_tick: u64,
    /// For how many ticks the oldest request in the queue has waited.
    pub oldest_wait: u64,
}

impl Planner {
    /// What it did.
    pub fn stats(&self) -> &PlannerStats {
        &self.stats
    }

    /// The number of ticks so far.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// How many requests wait.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// How many requests are being searched.
    pub fn in_flight(&self) -> usize {
        self.batches.iter().map(|batch| batch.asked).sum()
    }

    pub(crate) fn next_sim_id(&mut self) -> SimId {
        self.sim_ids += 1;
        // Out of the way of names that a game gives.
        SimId(1 << 63 | self.sim_ids)
    }

    /// Charges a search that took so many expansions, of which some were set aside.
    pub(crate) fn spend(&mut self, expansions: u64, reserved: u64) {
        self.stats.expansions += expansions;
        self.stats.expansions_last_tick += expansions;
        self.credit = self.credit.saturating_add_unsigned(reserved).saturating_sub_unsigned(expansions);
    }

    /// Takes back what was set aside for a search that nobody wants any more.
    pub(crate) fn give_back(&mut self, reserved: u64) {
        self.credit = self.credit.saturating_add_unsigned(reserved);
    }

    /// How many ticks at most `percent` of the latest 512 answers took from the order, or from the change that made it be searched again;
    /// `None` if there are none.
    pub fn latency(&self, percent: usize) -> Option<u64> {
        let mut sorted: Vec<_> = self.latencies.iter().copied().collect();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent.min(100)).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied()
    }

    /// Notes the answer of a search to what was asked in a tick.
    pub(crate) fn note_answer(&mut self, asked_at: u64, expanded: u64) {
        if expanded > 0 {
            let usual = self.usual.map_or(expanded, |usual| usual - usual / USUAL_OF + expanded / USUAL_OF);
            self.usual = Some(usual);
        }
        self.stats.searches += 1;
        self.stats.searches_last_tick += 1;
        if self.latencies.len() == LATENCIES {
            self.latencies.pop_front();
        }
        self.latencies.push_back(self.tick.saturating_sub(asked_at));
    }

    /// What a search on a map of so many cells is likely to take, by the latest ones; without any, a good part of the map.
    fn usual_expansions(&self, cells: usize) -> u64 {
        self.usual.unwrap_or(cells as u64 / 4)
    }
}

/// Up to how many requests for one goal are searched each on its own.
const FEW: usize = 3;

/// Takes requests from the queue, in the order of priority, waiting time and [`SimId`], and starts their searches.
pub(crate) fn plan(
    tilemap: Option<ResMut<Tilemap>>,
    settings: Res<PathfindingSettings>,
    mut planner: ResMut<Planner>,
    disabled: Query<(), (With<PathRequest>, With<Disabled>)>,
    mut requests: Query<(&PathRequest, &mut OrderState, &mut PathStatus, Option<&Transform>, &SimId, Has<FollowPath>)>,
) {
    let planner = &mut *planner;
    planner.tick += 1;
    planner.stats.expansions_last_tick = 0;
    planner.stats.searches_last_tick = 0;
    planner.stats.oldest_wait = 0;
    let budget = i64::try_from(settings.expansions_per_tick).unwrap_or(i64::MAX);
    planner.credit = planner.credit.saturating_add(budget).min(budget);
    // What is searched on this thread is paid for slice by slice.
    let is_sliced = matches!(settings.executor, Executor::Inline) && settings.delivery == Delivery::AsReady;
    if is_sliced {
        planner.credit = budget;
    }
    let Some(mut tilemap) = tilemap else { return };

    let queue = std::mem::take(&mut planner.queue);
    // Who is disabled keeps its place until it is not.
    planner.queue.extend(queue.iter().copied().filter(|&entity| disabled.contains(entity)));
    let mut waiting: Vec<_> = queue
        .into_iter()
        .filter_map(|entity| {
            let (request, mut state, _, _, id, _) = requests.get_mut(entity).ok()?;
            // An entity can be in the queue twice, if its order was removed and a new one given.
            let waited = planner.tick.saturating_sub(state.asked_at);
            let priority = i64::from(request.priority) + waited.checked_div(settings.ageing_ticks).unwrap_or(0) as i64;
            std::mem::take(&mut state.queued).then_some((Reverse(priority), state.asked_at, *id, entity))
        })
        .collect();
    waiting.sort_unstable();

    let most = if is_sliced { settings.max_in_flight.min(IN_FLIGHT_INLINE) } else { settings.max_in_flight };
    let room = settings.searches_per_tick.min(most.saturating_sub(planner.in_flight()));
    let usual = planner.usual_expansions(tilemap.size().cells());
    let mut asks = Vec::new();
    let mut shared = BTreeSet::new();
    for (.., entity) in waiting {
        let Ok((request, mut state, mut status, transform, id, has_way)) = requests.get_mut(entity) else { continue };
        let choice = SearchChoice::of(request, &settings);
        let cap = cap_of(request, &settings);
        let goal = goal_cell(request, &state, &tilemap);
        // What joins a group costs next to nothing more.
        let rule = tilemap.grid(state.class).map(|grid| grid.corner_rule());
        let key = goal.filter(|_| settings.group_searches && rule.is_some_and(|rule| choice.wants_cheapest(rule)));
        let key = key.map(|goal| (state.class, goal, cap));
        let joins = key.is_some_and(|key| shared.contains(&key));
        let has_room = asks.len() < room && (is_sliced || joins || planner.credit > 0);
        // An order that was given in the middle of the tick waits until its target is looked for.
        let is_unseen = matches!(request.goal, PathGoal::Entity(_)) && state.chase.target.is_none();
        // Who is on its way already is not sent off it because others ask, too.
        if is_unseen || !has_room && (has_way || planner.queue.len() < settings.max_queued) {
            state.queued = true;
            planner.stats.oldest_wait = planner.stats.oldest_wait.max(planner.tick.saturating_sub(state.asked_at));
            planner.queue.push(entity);
            continue;
        }
        if *status == PathStatus::Queued {
            *status = PathStatus::Searching;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        state.in_flight = Some(cancel.clone());
        let reserved = if has_room && !is_sliced && !joins { usual.min(cap) } else { 0 };
        let asked = Asked {
            entity,
            id: *id,
            order: state.order,
            class: state.class,
            choice,
            cap,
            reserved,
            start: transform.and_then(|at| tilemap.world_to_unit(state.class, at.translation.truncate())),
            revision: tilemap.revision(),
            asked_at: state.asked_at,
            group: None,
            shared: 0,
            cancel,
        };
        if !has_room {
            planner.refused.push(asked);
            continue;
        }
        shared.extend(key);
        planner.credit = planner.credit.saturating_sub_unsigned(reserved);
        if choice.algorithm == Algorithm::HpaStar {
            // Not a change that a game would want to be told of.
            tilemap.bypass_change_detection().build_hierarchy(state.class);
        }
        state.chase.aim = goal;
        state.chase.begun = planner.tick;
        asks.push(Ask { question: question(request, goal, &tilemap, &asked), asked });
    }
    let asks = if settings.group_searches { grouped(asks) } else { asks.into_iter().map(Work::One).collect() };
    dispatch(planner, &settings, asks);
}

/// Puts requests for one goal on one grid and with one cap together, at the place of the first of them, if there are more than a few.
fn grouped(asks: Vec<Ask>) -> Vec<Work> {
    let mut groups: BTreeMap<(ClassId, Cell, u64), Vec<Ask>> = BTreeMap::new();
    let mut places = Vec::new();
    for ask in asks {
        match ask.shared_goal() {
            None => places.push(Err(ask)),
            Some(goal) => {
                let key = (ask.asked.class, goal, ask.asked.cap);
                let group = groups.entry(key).or_default();
                if group.is_empty() {
                    places.push(Ok(key));
                }
                group.push(ask);
            }
        }
    }
    let works = places.into_iter().flat_map(|place| match place {
        Err(ask) => vec![Work::One(ask)],
        Ok(key) => match groups.remove(&key).unwrap_or_default() {
            few if few.len() <= FEW => few.into_iter().map(Work::One).collect(),
            many => vec![Work::Group(many)],
        },
    });
    works.collect()
}

/// The cap on expansions of a request.
pub(crate) fn cap_of(request: &PathRequest, settings: &PathfindingSettings) -> u64 {
    request.max_expansions.unwrap_or(settings.max_expansions)
}

/// What an entity's request asks of the core, or why it cannot be asked.
fn question(
    request: &PathRequest,
    goal: Option<Cell>,
    tilemap: &Tilemap,
    asked: &Asked,
) -> Result<(Arc<CostGrid>, PathQuery), Reason> {
    let start = asked.start.ok_or(Reason::OutOfBounds)?;
    let goal = goal.ok_or(Reason::OutOfBounds)?;
    let grid = tilemap.grid(asked.class).ok_or(Reason::UnknownClass)?;
    let query = PathQuery {
        algorithm: asked.choice.algorithm,
        heuristic: asked.choice.heuristic,
        weight: asked.choice.weight,
        max_expansions: Some(asked.cap),
        allow_partial: request.allow_partial,
        nearest: request.nearest,
        ..PathQuery::new(start, goal)
    };
    Ok((grid.clone(), query))
}

fn dispatch(planner: &mut Planner, settings: &PathfindingSettings, works: Vec<Work>) {
    let due = match settings.delivery {
        Delivery::AsReady => None,
        Delivery::AfterTicks(ticks) => Some(planner.tick + u64::from(ticks)),
    };
    // On this thread each search has its turn.
    let batch_size = if matches!(settings.executor, Executor::Inline) { 1 } else { settings.batch_size.max(1) };
    let mut works = works.into_iter().peekable();
    while works.peek().is_some() {
        let works: Vec<_> = works.by_ref().take(batch_size).collect();
        let asked = works.iter().map(Work::len).sum();
        let run = BatchRun::new(works, planner.spare.clone());
        let state = match settings.executor {
            Executor::Inline => BatchState::Sliced(Box::new(run)),
            _ => BatchState::Job(settings.executor.start(move || run.finish())),
        };
        planner.batches.push(Batch { due, state, asked });
    }
}

/// The answers that are to be delivered in this tick, in the order in which their searches began.
pub(crate) fn take_replies(planner: &mut Planner, settings: &PathfindingSettings) -> Vec<Reply> {
    planner.stats.expansions_inline = run_slices(&mut planner.batches, settings.expansions_per_tick);
    let mut replies = Vec::new();
    let mut waited = false;
    for batch in std::mem::take(&mut planner.batches) {
        let Batch { due, state, asked } = batch;
        let is_due = due.is_some_and(|due| due <= planner.tick);
        let polled = match state {
            BatchState::Job(job) if is_due => Ok(job.poll().unwrap_or_else(|job| {
                waited = true;
                job.wait()
            })),
            // Delivering early would make the result depend on the speed of the machine.
            BatchState::Job(job) if due.is_some() => Err(BatchState::Job(job)),
            BatchState::Job(job) => job.poll().map_err(BatchState::Job),
            BatchState::Sliced(run) if is_due => Ok(run.finish()),
            BatchState::Sliced(run) if run.is_done() && due.is_none() => Ok(run.into_replies()),
            BatchState::Sliced(run) => Err(BatchState::Sliced(run)),
        };
        match polled {
            Ok(answered) => replies.extend(answered),
            Err(state) => planner.batches.push(Batch { due, state, asked }),
        }
    }
    planner.stats.waits += u64::from(waited);
    replies
}

/// The least expansions that a search on this thread makes in its turn.
const LEAST_SLICE: u64 = 64;

/// Lets the searches on this thread go on, each a slice in turn, until the expansions of the tick are spent; returns how many were made.
///
/// The first few go on side by side, so that a long search takes as much of each tick as a short one.
fn run_slices(batches: &mut [Batch], budget: u64) -> u64 {
    let mut spent = 0;
    loop {
        let mut runs: Vec<_> = batches
            .iter_mut()
            .filter_map(|batch| match &mut batch.state {
                BatchState::Sliced(run) if !run.is_done() => Some(run),
                _ => None,
            })
            .take(ACTIVE_INLINE)
            .collect();
        if runs.is_empty() || spent >= budget {
            return spent;
        }
        let slice = (budget / runs.len() as u64).clamp(LEAST_SLICE, SLICE);
        for run in &mut runs {
            if spent < budget {
                spent += run.advance(slice.min(budget - spent));
            }
        }
    }
}
