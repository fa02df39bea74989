//! What comes out: a line for each promise, and the details beside it.

use std::fmt::Write as _;

use serde::Serialize;

use crate::rounds::Spread;

/// What a number has to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// This much, or more.
    AtLeast(f64),
    /// This much, or less.
    AtMost(f64),
}

impl Bound {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }

    fn limit(self) -> f64 {
        match self {
            Self::AtLeast(limit) | Self::AtMost(limit) => limit,
        }
    }

    fn shown(self) -> String {
        let sign = if matches!(self, Self::AtLeast(_)) { "≥" } else { "≤" };
        format!("{sign} {}", number(self.limit()))
    }
}

/// How a promise fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As good as it is meant to become.
    GoalMet,
    /// As good as it has to be.
    Met,
    /// Not as good as it has to be.
    NotMet,
    /// There is nothing to measure.
    Missing,
}

/// One promise.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// What is promised, and how it was measured.
    pub what: String,
    /// What the number counts: `x`, `ms`, `us`, `bytes`.
    pub unit: &'static str,
    /// The number; none if there is nothing to measure.
    pub measured: Option<Spread>,
    /// What it must be.
    pub floor: Bound,
    /// What it is meant to become.
    pub goal: Option<Bound>,
    /// How that fares, by the median.
    pub verdict: Verdict,
}

impl Line {
    /// A promise and what was measured.
    pub fn new(what: impl Into<String>, unit: &'static str, measured: Vec<f64>, floor: Bound) -> Self {
        let measured = (!measured.is_empty()).then(|| Spread::of(measured));
        let verdict = match measured {
            None => Verdict::Missing,
            Some(spread) if floor.holds(spread.median) => Verdict::Met,
            Some(_) => Verdict::NotMet,
        };
        Self { what: what.into(), unit, measured, floor, goal: None, verdict }
    }

    /// The same, with what it is meant to become.
    pub fn with_goal(self, goal: Bound) -> Self {
        let is_there = self.measured.is_some_and(|spread| self.verdict == Verdict::Met && goal.holds(spread.median));
        Self { goal: Some(goal), verdict: if is_there { Verdict::GoalMet } else { self.verdict }, ..self }
    }
}

/// What was measured on one map beside the promises: how many times as long everybody took as the yardstick.
#[derive(Clone, Debug, Serialize)]
pub struct Detail {
    /// The map.
    pub map: String,
    /// What all others are compared with.
    pub yardstick: &'static str,
    /// Names and ratios.
    pub ratios: Vec<(&'static str, Spread)>,
    /// What else there is to say.
    pub note: String,
}

/// Everything.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Where and on what it was measured.
    pub machine: String,
    /// The day, as year, month and day.
    pub date: String,
    /// How many rounds there were.
    pub rounds: usize,
    /// The promises.
    pub lines: Vec<Line>,
    /// The details.
    pub details: Vec<Detail>,
}

impl Report {
    /// The promises as a table in Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from("| what | median | spread | floor | goal | |\n|---|---|---|---|---|---|\n");
        for Line { what, unit, measured, floor, goal, verdict } in &self.lines {
            let (median, spread) = match measured {
                None => ("-".to_owned(), "-".to_owned()),
                Some(Spread { median, low, high }) => {
                    (format!("{} {unit}", number(*median)), format!("{} to {}", number(*low), number(*high)))
                }
            };
            let goal = goal.map_or_else(String::new, Bound::shown);
            let verdict = match verdict {
                Verdict::GoalMet => "goal met",
                Verdict::Met => "met",
                Verdict::NotMet => "**not met**",
                Verdict::Missing => "**missing**",
            };
            _ = writeln!(text, "| {what} | {median} | {spread} | {} | {goal} | {verdict} |", floor.shown());
        }
        text
    }

    /// The details, a map a line.
    pub fn details(&self) -> String {
        let mut text = String::new();
        for Detail { map, yardstick, ratios, note } in &self.details {
            _ = write!(text, "{map:<24}");
            for (name, Spread { median, low, high }) in ratios {
                _ = write!(text, "  {name} {} ({} to {})", number(*median), number(*low), number(*high));
            }
            _ = writeln!(text, "  times {yardstick}{note}");
        }
        text
    }
}

/// A number with as many digits as say something.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        0.0 => 0,
        small if small < 0.1 => 3,
        small if small < 10.0 => 2,
        medium if medium < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
