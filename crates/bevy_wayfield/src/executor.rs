//! Where searches run.

use std::sync::Arc;

use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on, futures::check_ready};

/// Where searches and fields are computed.
#[derive(Clone, Debug, Default)]
pub enum Executor {
    /// On Bevy's pool for long computations.
    #[default]
    AsyncCompute,
    /// On a pool of your own. Bevy's pools belong to the whole process; tests want one each.
    Pool(Arc<TaskPool>),
    /// On the thread that runs the schedule, sliced over ticks. For builds without threads.
    Inline,
}

impl Executor {
    /// Starts a computation, or computes it at once if there is no pool.
    pub(crate) fn start<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Job<T> {
        match self {
            Self::AsyncCompute => {
                let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
                Job::Running(pool.spawn(async move { compute() }))
            }
            Self::Pool(pool) => Job::Running(pool.spawn(async move { compute() })),
            Self::Inline => Job::Done(compute()),
        }
    }
}

/// A computation that was started.
pub(crate) enum Job<T> {
    Running(Task<T>),
    Done(T),
}

impl<T> Job<T> {
    /// The result, if it is there; otherwise the job, to be asked again.
    pub fn poll(self) -> Result<T, Self> {
        match self {
            Self::Done(result) => Ok(result),
            Self::Running(mut task) => check_ready(&mut task).ok_or(Self::Running(task)),
        }
    }

    /// The result, waiting for it if need be.
    pub fn wait(self) -> T {
        match self {
            Self::Done(result) => result,
            Self::Running(task) => block_on(task),
        }
    }
}
