//! Requests on their way through a task.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bevy::prelude::*;
use wayfield::{Answer, Cell, CostGrid, GroupSearch, PathQuery, PathSearch, Reason};

use crate::executor::Job;
use crate::map::ClassId;
use crate::request::SimId;
use crate::settings::SearchChoice;

/// How many expansions a search makes before it looks whether it was cancelled.
pub(crate) const SLICE: u64 = 1024;

/// Memory of searches that none uses at the moment. There are as many as searches ever ran at once: a batch takes
/// one when it begins to run, not when it is queued.
#[derive(Clone, Default)]
pub(crate) struct Workspaces(Arc<Mutex<Vec<Memory>>>);

/// Memory of searches for one unit, and for many.
#[derive(Default)]
struct Memory {
    path: PathSearch,
    group: GroupSearch,
}

impl Workspaces {
    fn take(&self) -> Memory {
        self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default()
    }

    fn put_back(&self, search: Memory) {
        if let Ok(mut spare) = self.0.lock() {
            spare.push(search);
        }
    }
}

/// Requests that are searched one after the other by one task.
pub(crate) struct Batch {
    /// The tick to deliver the answers in; `None` delivers them when they are there.
    pub due: Option<u64>,
    pub state: BatchState,
    pub asked: usize,
}

/// A batch on a pool, or in slices on this thread.
pub(crate) enum BatchState {
    Job(Job<Vec<Reply>>),
    Sliced(Box<BatchRun>),
}

/// What an answer has to be told of its request.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Asked {
    #[serde(skip, default = "nobody")]
    pub entity: Entity,
    /// Its name.
    pub id: SimId,
    pub order: u32,
    pub class: ClassId,
    pub choice: SearchChoice,
    pub cap: u64,
    /// The expansions set aside for it, until it is known how many it took.
    pub reserved: u64,
    /// Where the unit stands; `None` outside the map.
    pub start: Option<Cell>,
    /// The revision of the [`Tilemap`](crate::Tilemap) it is asked of.
    pub revision: u64,
    /// The tick since which it has waited.
    pub asked_at: u64,
    /// The first unit of the group that it was searched with, and the number of its order.
    pub group: Option<(SimId, u32)>,
    /// The expansions of the group, if they are charged to this one.
    pub shared: u64,
    /// Set when nobody wants the answer any more.
    #[serde(with = "flag")]
    pub cancel: Arc<AtomicBool>,
}

impl Asked {
    /// Whether nobody wants the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// No entity of any world.
pub(crate) const fn nobody() -> Entity {
    Entity::PLACEHOLDER
}

/// Serializes a flag that is shared by its value.
mod flag {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(flag: &Arc<AtomicBool>, serializer: S) -> Result<S::Ok, S::Error> {
        flag.load(Ordering::Relaxed).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<AtomicBool>, D::Error> {
        bool::deserialize(deserializer).map(|flag| Arc::new(flag.into()))
    }
}

/// One request as a task sees it: plain data and a snapshot of the map.
pub(crate) struct Ask {
    pub asked: Asked,
    /// The question, or why there is none.
    pub question: Result<(Arc<CostGrid>, PathQuery), Reason>,
}

impl Ask {
    /// The goal, if a search for all units on the way there would do: if a cheapest path is wanted, and there is one.
    pub fn shared_goal(&self) -> Option<Cell> {
        let (grid, query) = self.question.as_ref().ok()?;
        let may_share = self.asked.choice.wants_cheapest(grid.corner_rule()) && query.start != query.goal;
        (may_share && grid.is_reachable(query.start, query.goal)).then_some(query.goal)
    }
}

/// What is searched in one go.
pub(crate) enum Work {
    One(Ask),
    /// Requests for one goal on one grid.
    Group(Vec<Ask>),
}

impl Work {
    /// The number of requests.
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Group(asks) => asks.len(),
        }
    }

    /// Whether nobody wants the answer any more.
    fn is_cancelled(&self) -> bool {
        let is_cancelled = |ask: &Ask| ask.asked.is_cancelled();
        match self {
            Self::One(ask) => is_cancelled(ask),
            Self::Group(asks) => asks.iter().all(is_cancelled),
        }
    }

    fn into_asks(self) -> Vec<Ask> {
        match self {
            Self::One(ask) => vec![ask],
            Self::Group(asks) => asks,
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Reply {
    pub asked: Asked,
    pub answer: Result<Answer, Reason>,
}

/// A batch under way.
pub(crate) struct BatchRun {
    works: VecDeque<Work>,
    /// Whether the search of the first one has begun.
    has_begun: bool,
    workspaces: Workspaces,
    memory: Option<Memory>,
    replies: Vec<Reply>,
    search: SearchSlice,
}

/// Searches for a while: the answers, one for each request, if they are there by then, and the expansions made.
type SearchSlice = fn(&mut Memory, &Work, bool, u64) -> (Option<Vec<Result<Answer, Reason>>>, u64);

impl BatchRun {
    pub fn new(works: Vec<Work>, workspaces: Workspaces) -> Self {
        let replies = Vec::with_capacity(works.iter().map(Work::len).sum());
        Self { works: works.into(), has_begun: false, workspaces, memory: None, replies, search: search_slice }
    }

    /// Whether all is answered.
    pub fn is_done(&self) -> bool {
        self.works.is_empty()
    }

    /// Goes on for up to `budget` expansions; returns how many it has made.
    pub fn advance(&mut self, budget: u64) -> u64 {
        let mut spent = 0;
        while let Some(work) = self.works.front().filter(|_| spent < budget) {
            let (answers, made) = if work.is_cancelled() {
                (Some(vec![Err(Reason::Cancelled); work.len()]), 0)
            } else {
                let mut memory = self.memory.take().unwrap_or_else(|| self.workspaces.take());
                let (is_new, slice) = (!self.has_begun, (budget - spent).min(SLICE));
                // The other requests of the batch, and the game, are not to suffer from a bug in one search.
                let search = || (self.search)(&mut memory, work, is_new, slice);
                let searched = catch_unwind(AssertUnwindSafe(search));
                if searched.is_ok() {
                    self.memory = Some(memory);
                }
                searched.unwrap_or_else(|_| (Some(vec![Err(Reason::Panicked); work.len()]), 0))
            };
            spent += made;
            self.has_begun = answers.is_none();
            if let Some(answers) = answers {
                let asks = self.works.pop_front().map(Work::into_asks).unwrap_or_default();
                self.answer(asks, answers);
            }
        }
        spent
    }

    /// Takes the answers in. What a group took is told of its first unit alone.
    fn answer(&mut self, asks: Vec<Ask>, answers: Vec<Result<Answer, Reason>>) {
        let first = asks.first().map(|ask| (ask.asked.id, ask.asked.order)).filter(|_| asks.len() > 1);
        let mut made = 0;
        let mut answered: Vec<_> = asks.into_iter().zip(answers).collect();
        for (ask, answer) in answered.iter_mut().filter(|_| first.is_some()) {
            made += answer.as_mut().map_or(0, |answer| std::mem::take(&mut answer.stats.expanded));
            ask.asked.group = first;
        }
        if let Some((ask, _)) = answered.first_mut() {
            // Who was in a group before keeps what that took.
            ask.asked.shared += made;
        }
        let mut alone = Vec::new();
        for (ask, answer) in answered {
            // A group has one cap for all. Whom it did not suffice for is searched for alone, with its own.
            let gave_up = answer
                .as_ref()
                .is_ok_and(|answer| matches!(answer.outcome.reason(), Some(Reason::CapReached | Reason::CostOverflow)));
            if first.is_some() && gave_up {
                alone.push(Work::One(ask));
            } else {
                self.replies.push(Reply { asked: ask.asked, answer });
            }
        }
        for work in alone.into_iter().rev() {
            self.works.push_front(work);
        }
        if self.is_done()
            && let Some(memory) = self.memory.take()
        {
            self.workspaces.put_back(memory);
        }
    }

    /// Answers all that is left.
    pub fn finish(mut self) -> Vec<Reply> {
        while !self.is_done() {
            self.advance(u64::MAX);
        }
        self.into_replies()
    }

    /// The answers so far.
    pub fn into_replies(self) -> Vec<Reply> {
        self.replies
    }
}

/// Searches for one request, or for a group, for a while.
fn search_slice(
    memory: &mut Memory,
    work: &Work,
    is_new: bool,
    expansions: u64,
) -> (Option<Vec<Result<Answer, Reason>>>, u64) {
    match work {
        Work::One(ask) => {
            let (answer, spent) = search_for_one(&mut memory.path, ask, is_new, expansions);
            (answer.map(|answer| vec![answer]), spent)
        }
        Work::Group(asks) => search_for_group(&mut memory.group, asks, is_new, expansions),
    }
}

fn search_for_one(
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
    let before = search.stats().expanded;
    let answer = search.advance(grid, expansions);
    (answer.map(Ok), search.stats().expanded - before)
}

fn search_for_group(
    search: &mut GroupSearch,
    asks: &[Ask],
    is_new: bool,
    expansions: u64,
) -> (Option<Vec<Result<Answer, Reason>>>, u64) {
    let questions: Vec<_> = asks.iter().filter_map(|ask| ask.question.as_ref().ok()).collect();
    let Some((grid, first)) = questions.first().filter(|_| questions.len() == asks.len()) else {
        return (Some(vec![Err(Reason::Cancelled); asks.len()]), 0);
    };
    if is_new {
        let starts: Vec<_> = questions.iter().map(|(_, query)| query.start).collect();
        let cap = asks.iter().map(|ask| ask.asked.cap).max();
        if search.begin(grid, &starts, first.goal, cap).is_err() {
            return (Some(vec![Err(Reason::OutOfBounds); asks.len()]), 0);
        }
    }
    let before = if is_new { 0 } else { search.stats().expanded };
    let answers = search.advance(grid, expansions);
    (answers.map(|answers| answers.into_iter().map(Ok).collect()), search.stats().expanded - before)
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::{BatchRun, Work, Workspaces, *};
    use crate::settings::{PathfindingSettings, SearchChoice};

    fn ask(number: u64) -> Ask {
        let request = crate::request::PathRequest::to(Cell::new(0, 0));
        let asked = Asked {
            entity: nobody(),
            id: SimId(number),
            order: number as u32,
            class: ClassId(0),
            choice: SearchChoice::of(&request, &PathfindingSettings::default()),
            cap: 10,
            reserved: 0,
            start: None,
            revision: 0,
            asked_at: 0,
            group: None,
            shared: 0,
            cancel: Arc::default(),
        };
        Ask { asked, question: Err(Reason::OutOfBounds) }
    }

    #[test]
    fn a_search_that_panics_fails_alone() {
        let mut run = BatchRun::new((1..=3).map(|number| Work::One(ask(number))).collect(), Workspaces::default());
        run.search = |memory, work, is_new, expansions| {
            if matches!(work, Work::One(ask) if ask.asked.order == 2) {
                panic!("a bug");
            }
            search_slice(memory, work, is_new, expansions)
        };
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let replies = run.finish();
        panic::set_hook(hook);
        let reasons: Vec<_> = replies.into_iter().map(|reply| (reply.asked.order, reply.answer.err())).collect();
        let outside = Some(Reason::OutOfBounds);
        assert_eq!(reasons, [(1, outside), (2, Some(Reason::Panicked)), (3, outside)]);
    }
}
