//! `wayfield scen`: a scenario file against its listed lengths, with times.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;
use wayfield::{Algorithm, Answer, CostGrid, Outcome, PathSearch, Scenario};

use crate::args::ScenArgs;
use crate::error::{CliError, Misfit, Outside};
use crate::input::{Input, Line, World, read_scenarios, read_world};
use crate::output::{json_line, number, outcome_name};
use crate::repair::{RepairCheck, RepairSummary};

/// One query, as JSON has it.
#[derive(Debug, Serialize)]
struct QueryLine {
    /// The place of the query in the file, from 0.
    index: usize,
    outcome: &'static str,
    cost: Option<f64>,
    expanded: u64,
}

/// One algorithm over all queries, as JSON has it.
#[derive(Debug, Serialize)]
struct Summary {
    algorithm: &'static str,
    queries: usize,
    found: usize,
    failed: usize,
    mismatches: usize,
    mean_ratio: Option<f64>,
    worst_ratio: Option<f64>,
    expanded: u64,
    mean_us: Option<f64>,
    p50_us: Option<f64>,
    p99_us: Option<f64>,
    #[serde(flatten)]
    repair: Option<RepairSummary>,
}

/// Runs the queries and writes the summaries.
///
/// All queries are checked before the first answer is written.
pub fn run(args: &ScenArgs, out: &mut impl Write) -> Result<(), CliError> {
    if args.map == Input::Standard && args.scen == Input::Standard {
        return Err(CliError::StandardInputTwice("MAP and SCEN"));
    }
    let mut world = read_world(&args.map, &args.movement)?;
    let lines = read_scenarios(&args.scen)?;
    for line in &lines {
        check(line, &world.grid).map_err(|misfit| {
            let (input, line) = (args.scen.clone(), line.number);
            CliError::Scenario { input, line, misfit }
        })?;
    }
    let scenarios = lines.into_iter().map(|line| line.scenario).take(args.limit.unwrap_or(usize::MAX));
    let scenarios: Vec<_> = scenarios.collect();

    world.prepare(args.algorithm.list(), args.search.jump_table);
    let mut search = PathSearch::default();
    for (number, &algorithm) in args.algorithm.list().iter().enumerate() {
        // Repair does not depend on the algorithm: once will do.
        let mut repair = args.edit_every.filter(|_| number == 0);
        let repair = repair.take().map(|every| RepairCheck::new(&mut world, every.get(), args.seed));
        let tally = run_one(args, &mut world, &scenarios, algorithm, &mut search, repair, out)?;
        let summary = tally.summary(algorithm);
        if args.json {
            json_line(out, &summary)?;
        } else {
            write_summary(out, &summary, number == 0 || args.each)?;
        }
        // Each may take a while.
        out.flush()?;
    }
    Ok(())
}

fn check(line: &Line, grid: &CostGrid) -> Result<(), Misfit> {
    let (size, scenario) = (grid.size(), &line.scenario);
    if scenario.size != size {
        return Err(Misfit::Size { listed: scenario.size, size });
    }
    for (role, cell) in [("start", scenario.start), ("goal", scenario.goal)] {
        if !size.contains(cell) {
            return Err(Outside { role, cell: cell.to_string(), size }.into());
        }
    }
    Ok(())
}

fn run_one(
    args: &ScenArgs,
    world: &mut World,
    scenarios: &[Scenario],
    algorithm: Algorithm,
    search: &mut PathSearch,
    mut repair: Option<RepairCheck>,
    out: &mut impl Write,
) -> Result<Tally, CliError> {
    if args.each && !args.json {
        writeln!(out, "{:>6}  {:<8} {:>12} {:>10}", "index", "outcome", "cost", "expanded")?;
    }
    let mut tally = Tally::default();
    for (index, scenario) in scenarios.iter().enumerate() {
        let query = args.search.query(algorithm, scenario.start, scenario.goal);
        let begun = Instant::now();
        let answer = search.find(&world.grid, &query)?;
        tally.add(scenario, &answer, begun.elapsed().as_secs_f64() * 1e6);
        if args.each {
            let line = QueryLine {
                index,
                outcome: outcome_name(&answer.outcome),
                cost: answer.cost().map(|cost| cost.units()),
                expanded: answer.stats.expanded,
            };
            write_query(out, &line, args.json)?;
        }
        if let Some(repair) = &mut repair {
            repair.after(index, world, &query)?;
        }
    }
    tally.repair = repair.map(|repair| repair.summary().clone());
    Ok(tally)
}

/// The sums over the queries so far.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    mismatches: usize,
    expanded: u64,
    /// Cost over listed length, of the paths found whose listed length is not 0.
    ratios: Vec<f64>,
    /// Microseconds, of all queries.
    times: Vec<f64>,
    repair: Option<RepairSummary>,
}

impl Tally {
    fn add(&mut self, scenario: &Scenario, answer: &Answer, microseconds: f64) {
        self.times.push(microseconds);
        self.expanded += answer.stats.expanded;
        if let Outcome::Found(path) = &answer.outcome {
            let cost = path.cost().units();
            self.found += 1;
            self.mismatches += usize::from((cost - scenario.optimal).abs() > scenario.tolerance());
            if scenario.optimal > 0.0 {
                self.ratios.push(cost / scenario.optimal);
            }
        }
    }

    fn summary(mut self, algorithm: Algorithm) -> Summary {
        self.times.sort_by(f64::total_cmp);
        Summary {
            algorithm: algorithm.name(),
            queries: self.times.len(),
            found: self.found,
            failed: self.times.len() - self.found,
            mismatches: self.mismatches,
            mean_ratio: mean(&self.ratios),
            worst_ratio: self.ratios.iter().copied().max_by(f64::total_cmp),
            expanded: self.expanded,
            mean_us: mean(&self.times),
            p50_us: percentile(&self.times, 50),
            p99_us: percentile(&self.times, 99),
            repair: self.repair,
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The least value that at least `percent` of the sorted values do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

fn write_query(out: &mut impl Write, line: &QueryLine, json: bool) -> io::Result<()> {
    if json {
        return json_line(out, line);
    }
    let cost = number(line.cost, 6);
    writeln!(out, "{:>6}  {:<8} {cost:>12} {:>10}", line.index, line.outcome, line.expanded)
}

fn write_summary(out: &mut impl Write, summary: &Summary, with_titles: bool) -> io::Result<()> {
    let columns = [
        ("queries", 7, summary.queries.to_string()),
        ("found", 7, summary.found.to_string()),
        ("failed", 7, summary.failed.to_string()),
        ("mismatches", 10, summary.mismatches.to_string()),
        ("mean_ratio", 10, number(summary.mean_ratio, 6)),
        ("worst_ratio", 11, number(summary.worst_ratio, 6)),
        ("expanded", 12, summary.expanded.to_string()),
        ("mean_us", 10, number(summary.mean_us, 1)),
        ("p50_us", 10, number(summary.p50_us, 1)),
        ("p99_us", 10, number(summary.p99_us, 1)),
    ];
    if with_titles {
        let titles: Vec<_> = columns.iter().map(|(title, width, _)| format!("{title:>width$}")).collect();
        writeln!(out, "{:<22} {}", "algorithm", titles.join(" "))?;
    }
    let values: Vec<_> = columns.iter().map(|(_, width, value)| format!("{value:>width$}")).collect();
    writeln!(out, "{:<22} {}", summary.algorithm, values.join(" "))?;
    summary.repair.as_ref().map_or(Ok(()), |repair| repair.write_text(out))
}

#[cfg(test)]
mod tests {
    use super::{mean, percentile};

    #[test]
    fn percentiles_are_values_of_the_list() {
        let hundred: Vec<_> = (1..=100).map(f64::from).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 99)), (Some(50.0), Some(99.0)));
        assert_eq!((percentile(&[7.0], 50), percentile(&[7.0], 99)), (Some(7.0), Some(7.0)));
        assert_eq!((percentile(&[], 50), mean(&[])), (None, None));
    }
}
