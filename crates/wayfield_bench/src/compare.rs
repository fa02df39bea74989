//! The comparisons, each of which checks all answers before it times any.

mod fields;
mod followers;
mod hierarchy;
mod memory;
mod paths;
mod repair;
mod small;

use wayfield_bench::ground::Ground;

use crate::report::{Bound, Detail, Line};

pub use paths::DEFAULT;

/// What comes of the comparisons.
#[derive(Default)]
pub struct Findings {
    /// The promises.
    pub lines: Vec<Line>,
    /// What is shown beside them.
    pub details: Vec<Detail>,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many times everybody runs.
    pub rounds: usize,
    /// The sides of the maps that are made for fields and clusters, the smaller first.
    pub sides: [u64; 2],
}

/// Compares everything on these maps, and on others made by rule.
pub fn all(grounds: &[Ground], effort: Effort) -> Findings {
    let mut findings = Findings::default();
    let mut progress = |what: &str, compare: &dyn Fn(&mut Findings)| {
        eprintln!("measuring: {what}");
        compare(&mut findings);
    };
    progress("paths", &|findings| paths::compare(grounds, effort, findings));
    progress("small maps", &|findings| small::compare(grounds, effort, findings));
    progress("clusters", &|findings| hierarchy::compare(effort, findings));
    progress("fields", &|findings| fields::compare(grounds, effort, findings));
    progress("repair of fields", &|findings| repair::compare(grounds, effort, findings));
    progress("followers", &|findings| followers::compare(effort, findings));
    progress("memory", &|findings| memory::compare(effort, findings));
    findings.lines.push(Line::new("prepared jump tables: there are none", "x", Vec::new(), Bound::AtMost(0.8)));
    findings
}

/// Whether a map is of a game, and not made to be difficult.
fn is_of_a_game(ground: &Ground) -> bool {
    const MADE: [&str; 6] = ["maze", "random", "32room", "open", "rooms", "noise"];
    !MADE.iter().any(|made| ground.name.starts_with(made))
}
