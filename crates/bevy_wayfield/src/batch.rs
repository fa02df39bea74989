//! Requests on their way through a task.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::vec;

use bevy::prelude::*;
use wayfield::{Answer, Cell, CostGrid, PathQuery, PathSearch, Reason};

use crate::executor::Job;
use crate::map::ClassId;
use crate::settings::SearchChoice;

/// How many expansions a search makes before it looks whether it was cancelled.
const SLICE: u64 = 1024;

/// Memory of searches that none uses at the moment. There are as many as searches ever ran at once: a batch takes
/// one when it begins to run, not when it is queued.
#[derive(Clone, Default)]
pub(crate) struct Workspaces(Arc<Mutex<Vec<PathSearch>>>);

impl Workspaces {
    fn take(&self) -> PathSearch {
        self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default()
    }

    fn put_back(&self, search: PathSearch) {
        if let Ok(mut spare) = self.0.lock() {
            spare.push(search);
        }
    }
}

/// Requests that are searched one after the other by one task.
pub(crate) struct Batch {
    /// The tick to deliver the answers in; `None` delivers them when they are there.
    pub due: Option<u64>,
    pub work: Work,
    pub asked: usize,
}

/// A batch on a pool, or in slices on this thread.
pub(crate) enum Work {
    Job(Job<Vec<Reply>>),
    Sliced(Box<BatchRun>),
}

/// What an answer has to be told of its request.
pub(crate) struct Asked {
    pub entity: Entity,
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
    /// Set when nobody wants the answer any more.
    pub cancel: Arc<AtomicBool>,
}

/// One request as a task sees it: plain data and a snapshot of the map.
pub(crate) struct Ask {
    pub asked: Asked,
    /// The question, or why there is none.
    pub question: Result<(Arc<CostGrid>, PathQuery), Reason>,
}

/// The answer to a request.
pub(crate) struct Reply {
    pub asked: Asked,
    pub answer: Result<Answer, Reason>,
}

/// A batch under way.
pub(crate) struct BatchRun {
    asks: vec::IntoIter<Ask>,
    /// The request whose search has begun.
    current: Option<Ask>,
    workspaces: Workspaces,
    search: Option<PathSearch>,
    replies: Vec<Reply>,
}

impl BatchRun {
    pub fn new(asks: Vec<Ask>, workspaces: Workspaces) -> Self {
        let replies = Vec::with_capacity(asks.len());
        Self { asks: asks.into_iter(), current: None, workspaces, search: None, replies }
    }

    /// Goes on for up to `budget` expansions; returns what is left of it, or `None` once all is answered.
    pub fn advance(&mut self, mut budget: u64) -> Option<u64> {
        while budget > 0 {
            let begun = self.current.take();
            let is_new = begun.is_none();
            let ask = begun.or_else(|| self.asks.next())?;
            let (answer, spent) = if ask.asked.cancel.load(Ordering::Relaxed) {
                (Some(Err(Reason::Cancelled)), 0)
            } else {
                let search = self.search.get_or_insert_with(|| self.workspaces.take());
                search_slice(search, &ask, is_new, budget.min(SLICE))
            };
            budget -= spent.min(budget);
            match answer {
                Some(answer) => self.replies.push(Reply { asked: ask.asked, answer }),
                None => self.current = Some(ask),
            }
        }
        Some(0)
    }

    /// Answers all that is left.
    pub fn finish(mut self) -> Vec<Reply> {
        while self.advance(u64::MAX).is_some() {}
        self.into_replies()
    }

    /// The answers so far.
    pub fn into_replies(mut self) -> Vec<Reply> {
        if let Some(search) = self.search.take() {
            self.workspaces.put_back(search);
        }
        self.replies
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
    let before = search.stats().expanded;
    let answer = search.advance(grid, expansions);
    (answer.map(Ok), search.stats().expanded - before)
}
