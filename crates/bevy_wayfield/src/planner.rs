//! From the queue to the tasks: which requests are searched when.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec;

use bevy::prelude::*;
use wayfield::{Answer, CostGrid, PathQuery, PathSearch, Reason};

use crate::executor::{Executor, Job};
use crate::map::{ClassId, Tilemap};
use crate::request::{OrderState, PathRequest, PathStatus, SimId};
use crate::settings::{Delivery, PathfindingSettings};

/// How many expansions a search makes before it looks whether it was cancelled.
const SLICE: u64 = 1024;

/// The queue of requests and the searches in flight.
#[derive(Resource, Default)]
pub struct Planner {
    tick: u64,
    /// Entities whose [`OrderState::queued`] is set, in the order in which they asked; may hold others, too.
    pub(crate) queue: Vec<Entity>,
    pub(crate) batches: Vec<Batch>,
    /// Workspaces that no search uses at the moment.
    pub(crate) spare: Vec<PathSearch>,
    /// Expansions that may still be spent; below 0 while answers cost more than the budget.
    credit: i64,
    sim_ids: u64,
    pub(crate) stats: PlannerStats,
}

/// What the planner did since the start, and what it is at.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PlannerStats {
    /// Orders given.
    pub orders: u64,
    /// Orders whose goal was reached.
    pub reached: u64,
    /// Orders that ended at the end of a partial way.
    pub partial_ends: u64,
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
    /// Ways searched again because terrain changed on them, the settings did, or the unit was moved off them.
    pub replans: u64,
    /// Answers that terrain changes had made useless; their requests were searched again.
    pub stale: u64,
    /// Searches broken off because their order was removed.
    pub cancelled: u64,
    /// Ticks that waited for a late search.
    pub waits: u64,
    /// Expansions of the answers of the latest tick.
    pub expansions_last_tick: u64,
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
        SimId(self.sim_ids)
    }

    pub(crate) fn spend(&mut self, expansions: u64) {
        self.stats.expansions += expansions;
        self.stats.expansions_last_tick += expansions;
        self.credit = self.credit.saturating_sub_unsigned(expansions);
    }
}

/// Requests that are searched one after the other by one task.
pub(crate) struct Batch {
    /// The tick to deliver the answers in; `None` delivers them when they are there.
    pub due: Option<u64>,
    pub work: Work,
    asked: usize,
}

/// A batch on a pool, or in slices on this thread.
pub(crate) enum Work {
    Job(Job<BatchRun>),
    Sliced(BatchRun),
}

/// One request as a task sees it: plain data and a snapshot of the map.
struct Ask {
    entity: Entity,
    order: u32,
    class: ClassId,
    /// The revision of the [`Tilemap`] it is asked of.
    revision: u64,
    /// The question, or why there is none.
    question: Result<(Arc<CostGrid>, PathQuery), Reason>,
    cancel: Arc<AtomicBool>,
}

/// The answer to a request.
pub(crate) struct Reply {
    pub entity: Entity,
    pub order: u32,
    pub class: ClassId,
    pub revision: u64,
    pub answer: Result<Answer, Reason>,
    pub cancel: Arc<AtomicBool>,
}

/// A batch under way.
pub(crate) struct BatchRun {
    asks: vec::IntoIter<Ask>,
    /// The request whose search has begun.
    current: Option<Ask>,
    pub search: PathSearch,
    pub replies: Vec<Reply>,
}

impl BatchRun {
    /// Goes on for up to `budget` expansions; returns what is left of it, or `None` once all is answered.
    pub fn advance(&mut self, mut budget: u64) -> Option<u64> {
        loop {
            let begun = self.current.take();
            let is_new = begun.is_none();
            let ask = begun.or_else(|| self.asks.next())?;
            let (answer, spent) = if ask.cancel.load(Ordering::Relaxed) {
                (Some(Err(Reason::Cancelled)), 0)
            } else {
                search_slice(&mut self.search, &ask, is_new, budget.min(SLICE))
            };
            budget -= spent.min(budget);
            match answer {
                Some(answer) => {
                    let Ask { entity, order, class, revision, cancel, .. } = ask;
                    self.replies.push(Reply { entity, order, class, revision, answer, cancel });
                }
                None => self.current = Some(ask),
            }
            if budget == 0 {
                return Some(0);
            }
        }
    }

    fn finish(mut self) -> Self {
        while self.advance(u64::MAX).is_some() {}
        self
    }
}

/// Searches for one request for a while: its answer, if there is one by then, and the expansions made.
fn search_slice(
    search: &mut PathSearch,
    ask: &Ask,
    is_new: bool,
    expansions: u64,
) -> (Option<Result<Answer, Reason>>, u64) {
    let (grid, query) = match &ask.question {
        Ok((grid, query)) => (grid, query),
        Err(reason) => return (Some(Err(*reason)), 0),
    };
    if is_new {
        match search.begin(grid, query) {
            Ok(None) => {}
            Ok(Some(answer)) => return (Some(Ok(answer)), 0),
            Err(_outside) => return (Some(Err(Reason::OutOfBounds)), 0),
        }
    }
    let before = search.search().stats().expanded;
    let answer = search.advance(grid, expansions);
    (answer.map(Ok), search.search().stats().expanded - before)
}

/// Takes requests from the queue, in the order of priority, waiting time and [`SimId`], and starts their searches.
pub(crate) fn plan(
    tilemap: Option<Res<Tilemap>>,
    settings: Res<PathfindingSettings>,
    mut planner: ResMut<Planner>,
    mut requests: Query<(&PathRequest, &mut OrderState, &mut PathStatus, Option<&Transform>, &SimId)>,
) {
    let planner = &mut *planner;
    planner.tick += 1;
    planner.stats.expansions_last_tick = 0;
    let budget = i64::try_from(settings.expansions_per_tick).unwrap_or(i64::MAX);
    planner.credit = planner.credit.saturating_add(budget).min(budget);
    let Some(tilemap) = tilemap else { return };

    let mut waiting: Vec<_> = planner
        .queue
        .drain(..)
        .enumerate()
        .filter_map(|(place, entity)| {
            let (request, mut state, _, _, id) = requests.get_mut(entity).ok()?;
            // An entity can be in the queue twice, if its order was removed and a new one given.
            std::mem::take(&mut state.queued).then_some((Reverse(request.priority), place, *id, entity))
        })
        .collect();
    waiting.sort_unstable();

    let room = if planner.credit > 0 { settings.searches_per_tick } else { 0 };
    let mut asks = Vec::new();
    let mut left = Vec::new();
    for (_, place, _, entity) in waiting {
        let Ok((request, mut state, mut status, transform, _)) = requests.get_mut(entity) else { continue };
        if asks.len() == room {
            state.queued = true;
            left.push((place, entity));
            continue;
        }
        if *status == PathStatus::Queued {
            *status = PathStatus::Searching;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        state.in_flight = Some(cancel.clone());
        let question = question(request, transform, &tilemap, &settings);
        let revision = tilemap.revision();
        asks.push(Ask { entity, order: state.order, class: request.class, revision, question, cancel });
    }
    // Who has waited longer stays in front.
    left.sort_unstable();
    planner.queue.extend(left.into_iter().map(|(_, entity)| entity));
    dispatch(planner, &settings, asks);
}

/// What an entity's request asks of the core, or why it cannot be asked.
fn question(
    request: &PathRequest,
    transform: Option<&Transform>,
    tilemap: &Tilemap,
    settings: &PathfindingSettings,
) -> Result<(Arc<CostGrid>, PathQuery), Reason> {
    let start = transform.and_then(|at| tilemap.world_to_cell(at.translation.truncate())).ok_or(Reason::OutOfBounds)?;
    let goal = request.goal.cell(tilemap).ok_or(Reason::OutOfBounds)?;
    // A class that does not exist may go nowhere.
    let grid = tilemap.grid(request.class).ok_or(Reason::GoalBlocked)?;
    let query = PathQuery {
        algorithm: request.algorithm.unwrap_or(settings.algorithm),
        heuristic: settings.heuristic,
        weight: settings.weight,
        max_expansions: Some(request.max_expansions.unwrap_or(settings.max_expansions)),
        allow_partial: request.allow_partial,
        nearest: request.nearest,
        ..PathQuery::new(start, goal)
    };
    Ok((grid.clone(), query))
}

fn dispatch(planner: &mut Planner, settings: &PathfindingSettings, asks: Vec<Ask>) {
    let due = match settings.delivery {
        Delivery::AsReady => None,
        Delivery::AfterTicks(ticks) => Some(planner.tick + u64::from(ticks)),
    };
    let mut asks = asks.into_iter().peekable();
    while asks.peek().is_some() {
        let asks: Vec<_> = asks.by_ref().take(settings.batch_size.max(1)).collect();
        let asked = asks.len();
        let search = planner.spare.pop().unwrap_or_default();
        let run = BatchRun { asks: asks.into_iter(), current: None, search, replies: Vec::with_capacity(asked) };
        let work = match settings.executor {
            Executor::Inline => Work::Sliced(run),
            _ => Work::Job(settings.executor.start(move || run.finish())),
        };
        planner.batches.push(Batch { due, work, asked });
    }
}

/// The answers that are to be delivered in this tick, in the order in which their searches began.
pub(crate) fn take_replies(planner: &mut Planner, settings: &PathfindingSettings) -> Vec<Reply> {
    let mut slices = settings.expansions_per_tick;
    let mut replies = Vec::new();
    let mut waited = false;
    for batch in std::mem::take(&mut planner.batches) {
        let Batch { due, work, asked } = batch;
        let is_due = due.is_some_and(|due| due <= planner.tick);
        let polled = match work {
            Work::Job(job) if is_due => Ok(job.poll().unwrap_or_else(|job| {
                waited = true;
                job.wait()
            })),
            // Delivering early would make the result depend on the speed of the machine.
            Work::Job(job) if due.is_some() => Err(Work::Job(job)),
            Work::Job(job) => job.poll().map_err(Work::Job),
            Work::Sliced(run) if is_due => Ok(run.finish()),
            Work::Sliced(mut run) => {
                let left = run.advance(slices);
                slices = left.unwrap_or(slices);
                if left.is_none() && due.is_none() { Ok(run) } else { Err(Work::Sliced(run)) }
            }
        };
        match polled {
            Ok(run) => {
                replies.extend(run.replies);
                planner.spare.push(run.search);
            }
            Err(work) => planner.batches.push(Batch { due, work, asked }),
        }
    }
    planner.stats.waits += u64::from(waited);
    replies
}
