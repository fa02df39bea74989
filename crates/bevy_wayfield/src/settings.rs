//! The settings, which may change at any time.

use bevy::prelude::*;
use wayfield::{Algorithm, CornerRule, Heuristic, Weight};

use crate::executor::Executor;
use crate::request::PathRequest;

/// How requests are searched and answered. May change at any time; units on their way are searched anew
/// when the algorithm, the heuristic or the weight changes, and keep their old way until then.
#[derive(Resource, Clone, Debug, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Resource, Default)]
#[serde(default)]
pub struct PathfindingSettings {
    /// The algorithm of requests that name none.
    pub algorithm: Algorithm,
    /// The heuristic; `None` takes the best admissible one of the corner rule.
    pub heuristic: Option<Heuristic>,
    /// The weight of the estimate in weighted A*.
    pub weight: Weight,
    /// The cap on expansions of requests that name none.
    pub max_expansions: u64,
    /// How many searches may begin in a tick.
    pub searches_per_tick: usize,
    /// How many expansions a tick may cost on average. No search begins while answers have cost more than that.
    pub expansions_per_tick: u64,
    /// How many requests may be in flight at once; the rest waits in the queue. On [`Executor::Inline`] at most 32 are.
    pub max_in_flight: usize,
    /// How many requests may wait in the queue. Of more, those that would be searched last fail with
    /// [`Reason::QueueFull`](wayfield::Reason::QueueFull), and are asked again once the queue is empty. Units that are on
    /// a way keep their place.
    pub max_queued: usize,
    /// After how many ticks in the queue a request counts as one step of priority higher, so that nobody waits for ever;
    /// 0 for never.
    pub ageing_ticks: u64,
    /// Whether requests of one tick for one goal and class with one cap share one search, if there are four or more and the algorithm promises the
    /// cheapest path or one bound to it. Theirs is an A* from the goal, and their answers say so.
    pub group_searches: bool,
    /// Whether units look for another way also when an edit may have opened a shorter one. Otherwise they keep a way that is
    /// still good. A way may be shorter if it is over the changed area as the crow flies; over plain ground that is few units.
    pub replan_for_openings: bool,
    /// How many requests share a task.
    pub batch_size: usize,
    /// For orders to go to an entity: how many ticks after the beginning of a search the next one may begin because the target
    /// moved.
    pub chase_interval: u32,
    /// For orders to go to an entity: by how many cells, along either axis, the target may move away from where the way leads
    /// before it is searched again. With more than 8 times as many cells still to go, it may move by an eighth of these.
    pub chase_distance: u32,
    /// When answers are given.
    pub delivery: Delivery,
    /// Where searches and fields are computed. Neither saved nor reflected: a pool belongs to its process.
    #[reflect(ignore)]
    #[serde(skip)]
    pub executor: Executor,
}

/// When the answers to requests and new fields are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
pub enum Delivery {
    /// As soon as they are there.
    #[default]
    AsReady,
    /// This many ticks after they were begun, in a stable order; a tick waits for what is late.
    /// The same run then gives the same result on any executor and any number of threads.
    AfterTicks(u32),
}

impl Default for PathfindingSettings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            heuristic: None,
            weight: Weight::DEFAULT,
            max_expansions: 100_000,
            searches_per_tick: 256,
            expansions_per_tick: 200_000,
            max_in_flight: 512,
            max_queued: 65_536,
            ageing_ticks: 32,
            group_searches: true,
            replan_for_openings: false,
            batch_size: 16,
            chase_interval: 15,
            chase_distance: 1,
            delivery: Delivery::AsReady,
            executor: Executor::AsyncCompute,
        }
    }
}

/// How a request is searched, as far as it can make a difference to the way.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct SearchChoice {
    pub algorithm: Algorithm,
    pub heuristic: Option<Heuristic>,
    pub weight: Weight,
}

impl SearchChoice {
    /// Whether a cheapest path, however it is found, is as good as what this finds under a corner rule.
    pub fn wants_cheapest(&self, rule: CornerRule) -> bool {
        let is_bound = matches!(self.algorithm, Algorithm::WeightedAStar | Algorithm::HpaStar);
        let is_admissible = self.heuristic.is_none_or(|heuristic| heuristic.is_admissible(rule));
        (self.algorithm.is_optimal() || is_bound) && is_admissible
    }

    pub fn of(request: &PathRequest, settings: &PathfindingSettings) -> Self {
        let algorithm = request.algorithm.unwrap_or(settings.algorithm);
        Self {
            algorithm,
            heuristic: settings.heuristic.filter(|_| algorithm.uses_heuristic()),
            weight: if algorithm == Algorithm::WeightedAStar { settings.weight } else { Weight::ONE },
        }
    }
}
