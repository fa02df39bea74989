//! How long all benches are timed.

use std::time::Duration;

use criterion::Criterion;

/// Ten samples in a second: ratios are what is looked for, and the whole of them is to be quick.
pub fn brief() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}
