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
    /// On the thread that runs the schedule, for builds without threads: searches sliced over ticks, fields whole.
    Inline,
}

impl Executor {
    /// Starts a computation, or computes it at once if there is no pool.
    pub(crate) fn start<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Job<T> {
        match self {
            Self::AsyncCompute => {
                let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
                Job::Running(pool.spawn(async move { compute() }), None)
            }
            Self::Pool(pool) => Job::Running(pool.spawn(async move { compute() }), Some(pool.clone())),
            Self::Inline => Job::Done(compute()),
        }
    }
}

/// A computation that was started.
pub(crate) enum Job<T> {
    /// With the pool it runs on, if that is not Bevy's: a pool that goes takes its unfinished tasks with it, and
    /// the settings may name another one at any time.
    Running(Task<T>, Option<Arc<TaskPool>>),
    Done(T),
}

impl<T> Job<T> {
    /// The result, if it is there; otherwise the job, to be asked again.
    pub fn poll(self) -> Result<T, Self> {
        match self {
            Self::Done(result) => Ok(result),
            Self::Running(mut task, pool) => check_ready(&mut task).ok_or(Self::Running(task, pool)),
        }
    }

    /// The result, waiting for it if need be.
    pub fn wait(self) -> T {
        match self {
            Self::Done(result) => result,
            Self::Running(task, _pool) => block_on(task),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    #[test]
    fn a_job_outlives_the_executor_that_started_it() {
        let executor = Executor::Pool(Arc::new(TaskPoolBuilder::new().num_threads(1).build()));
        let jobs: Vec<_> = (0..4)
            .map(|number| {
                executor.start(move || {
                    sleep(Duration::from_millis(20));
                    number
                })
            })
            .collect();
        drop(executor);
        let answers: Vec<_> = jobs.into_iter().map(|job| job.poll().unwrap_or_else(Job::wait)).collect();
        assert_eq!(answers, [0, 1, 2, 3]);
    }
}
