//! Small maps, where what every question costs counts.

use std::hint::black_box;
use std::time::Instant;

use wayfield::{PathQuery, PathSearch};
use wayfield_bench::ground::Ground;

use super::{Effort, Findings};
use crate::report::{Bound, Line};
use crate::rounds::Spread;

/// How often each question is asked in a round.
const TIMES: u32 = 200;

/// The median over the questions on the smallest map, if it is a small one.
pub fn compare(grounds: &[Ground], effort: Effort, findings: &mut Findings) {
    let what = |name: &str| format!("a question on a small map, the median of its questions{name}");
    let small = grounds.iter().filter(|ground| ground.grid.size().cells() <= 1 << 12);
    let Some(ground) = small.min_by_key(|ground| ground.grid.size().cells()) else {
        findings.lines.push(Line::new(what(""), "us", Vec::new(), Bound::AtMost(0.6)));
        return;
    };
    let mut search = PathSearch::default();
    let mut round = || {
        let mut time = |start, goal| {
            let begun = Instant::now();
            for _ in 0..TIMES {
                _ = black_box(search.find(&ground.grid, &PathQuery::new(start, goal)));
            }
            begun.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES)
        };
        Spread::of(ground.queries.iter().map(|&(start, goal)| time(start, goal)).collect()).median
    };
    let rounds = (0..effort.rounds).map(|_| round()).collect();
    findings.lines.push(Line::new(what(&format!(" ({})", ground.name)), "us", rounds, Bound::AtMost(0.6)));
}
