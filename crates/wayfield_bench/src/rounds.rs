//! Taking turns: everything that is compared runs in every round, so that a busy moment of the machine is everybody's.

use std::time::Instant;

/// A round of whoever is quicker than this, in seconds, is repeated until it takes as long.
const ROUND: f64 = 0.02;

/// Who takes part in a comparison: a name, and what there is to do in a round.
pub struct Contestant<'a> {
    /// The name.
    pub name: &'static str,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Contestant<'a> {
    /// Who does this in a round.
    pub fn new(name: &'static str, run: impl FnMut() + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// What everybody took, in seconds, round by round.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<(&'static str, Vec<f64>)>);

/// A number that was measured several times.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Spread {
    /// The one in the middle.
    pub median: f64,
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Spread {
    /// Of these, of which there must be one.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |place: usize| values.get(place).copied().unwrap_or(f64::NAN);
        Self { median: at(values.len() / 2), low: at(0), high: at(values.len().wrapping_sub(1)) }
    }
}

/// Lets everybody run `rounds` times, each round in another order.
pub fn take_turns(rounds: usize, mut contestants: Vec<Contestant>) -> Times {
    let time = |contestant: &mut Contestant, times: usize| {
        let begun = Instant::now();
        for _ in 0..times {
            (contestant.run)();
        }
        begun.elapsed().as_secs_f64() / times as f64
    };
    // The first run is a warming up, and says how often the others are repeated.
    let often = |seconds: f64| ((ROUND / seconds).ceil() as usize).clamp(1, 10_000);
    let often: Vec<_> = contestants.iter_mut().map(|contestant| often(time(contestant, 1))).collect();
    let mut times = Times(contestants.iter().map(|contestant| (contestant.name, Vec::new())).collect());
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let number = (round + turn) % contestants.len();
            let seconds = time(&mut contestants[number], often[number]);
            times.0[number].1.push(seconds);
        }
    }
    times
}

impl Times {
    /// What somebody took, round by round; empty for who did not take part.
    pub fn of(&self, name: &str) -> &[f64] {
        self.0.iter().find(|(known, _)| *known == name).map_or(&[], |(_, times)| times)
    }

    /// How many times as long `slow` took as `fast`, round by round.
    pub fn ratios(&self, slow: &str, fast: &str) -> Vec<f64> {
        self.of(slow).iter().zip(self.of(fast)).map(|(slow, fast)| slow / fast).collect()
    }
}

/// The geometric mean over several comparisons, round by round.
pub fn geometric_means(ratios: &[Vec<f64>]) -> Vec<f64> {
    let rounds = ratios.iter().map(Vec::len).min().unwrap_or_default();
    let mean = |round: usize| {
        let logs: f64 = ratios.iter().map(|ratios| ratios[round].ln()).sum();
        (logs / ratios.len() as f64).exp()
    };
    (0..rounds).map(mean).collect()
}
