//! The [`Planner`] as it is saved: searches in flight are saved as their answers.

use std::collections::VecDeque;
use std::sync::Arc;

use bevy::prelude::*;

use super::{LATENCIES, Planner, PlannerStats, Seen};
use crate::batch::{Asked, Batch, BatchState, Reply, Workspaces, nobody};
use crate::executor::Job;
use crate::request::SimId;
use crate::save::{RestoreError, SaveError, checked};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedPlanner {
    tick: u64,
    /// `None` stands for units that are gone, and count until the queue is looked through.
    queue: Vec<Option<SimId>>,
    batches: Vec<SavedBatch>,
    credit: i64,
    sim_ids: u64,
    latencies: VecDeque<u64>,
    usual: Option<u64>,
    refused: Vec<Asked>,
    seen: Seen,
    stats: PlannerStats,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedBatch {
    due: Option<u64>,
    replies: Vec<Reply>,
}

impl SavedPlanner {
    /// Waits for what is in flight, and saves all.
    pub fn of(
        planner: &mut Planner,
        name: impl Fn(Entity) -> Result<Option<SimId>, SaveError>,
    ) -> Result<Self, SaveError> {
        let queue = planner.queue.iter().map(|&entity| name(entity)).collect::<Result<_, _>>()?;
        let batches = settle(&mut planner.batches);
        let Planner { tick, credit, sim_ids, latencies, usual, refused, seen, stats, .. } = planner;
        Ok(Self {
            tick: *tick,
            queue,
            batches,
            credit: *credit,
            sim_ids: *sim_ids,
            latencies: latencies.clone(),
            usual: *usual,
            refused: refused.iter().map(copy_of).collect(),
            seen: seen.clone(),
            stats: stats.clone(),
        })
    }

    /// The tick that is counted next follows this one.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The planner, and for whom answers are on the way, each with what breaks off their search.
    pub fn restore(self, find: impl Fn(SimId) -> Result<Entity, RestoreError>) -> Result<Planner, RestoreError> {
        let PlannerStats { orders, replaced, withdrawn, reached, partial_ends, lost, searches, .. } = self.stats;
        let PlannerStats { expansions, found, partial, replans, stale, cancelled, waits, .. } = self.stats;
        let failed = self.stats.failed.values().copied();
        for number in [orders, replaced, withdrawn, reached, partial_ends, lost, searches].into_iter().chain(failed) {
            checked("count of the planner", number)?;
        }
        for number in [expansions, found, partial, replans, stale, cancelled, waits] {
            checked("count of the planner", number)?;
        }
        if self.latencies.len() > LATENCIES {
            return Err(RestoreError::Number { what: "number of latencies", number: self.latencies.len() as u64 });
        }
        let aim = |mut asked: Asked| {
            checked("count of expansions", asked.shared)?;
            // Whom nobody wants an answer for may be gone.
            asked.entity = if asked.is_cancelled() { nobody() } else { find(asked.id)? };
            Ok(asked)
        };
        let mut batches = Vec::with_capacity(self.batches.len());
        for SavedBatch { due, replies } in self.batches {
            let aim = |Reply { asked, answer }| {
                checked("count of expansions", answer.as_ref().map_or(0, |answer| answer.stats.expanded))?;
                Ok(Reply { asked: aim(asked)?, answer })
            };
            let replies = replies.into_iter().map(aim).collect::<Result<Vec<_>, RestoreError>>()?;
            let asked = replies.len();
            batches.push(Batch { due, state: BatchState::Job(Job::Done(replies)), asked });
        }
        let queue = self.queue.into_iter().map(|id| id.map_or(Ok(nobody()), &find));
        Ok(Planner {
            tick: checked("tick", self.tick)?,
            queue: queue.collect::<Result<_, _>>()?,
            batches,
            spare: Workspaces::default(),
            credit: self.credit,
            sim_ids: checked("number of names", self.sim_ids)?,
            latencies: self.latencies,
            usual: self.usual.map(|usual| checked("count of expansions", usual)).transpose()?,
            refused: self.refused.into_iter().map(aim).collect::<Result<_, RestoreError>>()?,
            seen: Seen { revision: checked("revision of the map", self.seen.revision)?, ..self.seen },
            stats: self.stats,
        })
    }
}

/// The requests that a planner owes an answer, of which there is one at most for each unit.
pub(crate) fn owed(planner: &Planner) -> impl Iterator<Item = &Asked> {
    let answered = planner.batches.iter().flat_map(|batch| match &batch.state {
        BatchState::Job(Job::Done(replies)) => replies.as_slice(),
        BatchState::Job(Job::Running(..)) | BatchState::Sliced(_) => &[],
    });
    answered.map(|reply| &reply.asked).chain(&planner.refused).filter(|asked| !asked.is_cancelled())
}

/// Waits for the answers of all batches, which stay where they are until they are due.
fn settle(batches: &mut Vec<Batch>) -> Vec<SavedBatch> {
    let mut saved = Vec::with_capacity(batches.len());
    for Batch { due, state, asked } in std::mem::take(batches) {
        let replies = match state {
            BatchState::Job(job) => job.wait(),
            BatchState::Sliced(run) => run.finish(),
        };
        let copies =
            replies.iter().map(|Reply { asked, answer }| Reply { asked: copy_of(asked), answer: answer.clone() });
        saved.push(SavedBatch { due, replies: copies.collect() });
        batches.push(Batch { due, state: BatchState::Job(Job::Done(replies)), asked });
    }
    saved
}

/// A copy that does not hear any more whether it is cancelled.
fn copy_of(asked: &Asked) -> Asked {
    Asked { entity: nobody(), cancel: Arc::new(asked.is_cancelled().into()), ..asked.clone() }
}
