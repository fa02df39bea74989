//! The comparisons, each of which checks all answers before it times any.

mod fields;
mod followers;
mod hierarchy;
mod memory;
mod paths;
mod prepared;
mod repair;
mod small;

use clap::ValueEnum;
use wayfield_bench::ground::Ground;

use crate::report::{Detail, Line};

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

/// One of the comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Subject {
    /// Single paths on uniform ground, noise and zones
    Paths,
    /// Questions on a small map
    Small,
    /// HPA* on large maps
    Clusters,
    /// Fields of distances
    Fields,
    /// Fields after edits
    Repair,
    /// Units that read a field
    Followers,
    /// Bytes a cell
    Memory,
    /// Tables of jumps
    Prepared,
}

/// Compares on these maps, and on others made by rule: everything, or one subject.
pub fn all(grounds: &[Ground], effort: Effort, only: Option<Subject>) -> Findings {
    let mut findings = Findings::default();
    for &subject in Subject::value_variants() {
        if only.is_some_and(|only| only != subject) {
            continue;
        }
        eprintln!("measuring: {subject:?}");
        match subject {
            Subject::Paths => paths::compare(grounds, effort, &mut findings),
            Subject::Small => small::compare(grounds, effort, &mut findings),
            Subject::Clusters => hierarchy::compare(effort, &mut findings),
            Subject::Fields => fields::compare(grounds, effort, &mut findings),
            Subject::Repair => repair::compare(grounds, effort, &mut findings),
            Subject::Followers => followers::compare(effort, &mut findings),
            Subject::Memory => memory::compare(effort, &mut findings),
            Subject::Prepared => prepared::compare(grounds, effort, &mut findings),
        }
    }
    findings
}

/// Whether a map is of a game, and not made to be difficult.
fn is_of_a_game(ground: &Ground) -> bool {
    const MADE: [&str; 6] = ["maze", "random", "32room", "open", "rooms", "noise"];
    !MADE.iter().any(|made| ground.name.starts_with(made))
}
