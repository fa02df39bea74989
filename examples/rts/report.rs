//! The run without a window, and the report of a run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::{DijkstraMaps, FollowPath, PathRequest, PathStatus, PathfindingSettings, Planner, SimId, Tilemap};
use bevy_wayfield_egui::{Comparison, EditHistory};
use serde::Serialize;

use crate::args::Args;
use crate::game::life::Chronicle;
use crate::game::scenario::{Trial, Verdict, percentile};
use crate::game::units::UnitKind;
use crate::player::selection::Selection;

/// What a run did.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<TrialReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<PlayerReport>,
    seed: u64,
    ticks: u64,
    width: u32,
    height: u32,
    units: BTreeMap<UnitKind, usize>,
    orders_given: u64,
    orders_reached: u64,
    partial_ends: u64,
    orders_replaced: u64,
    orders_withdrawn: u64,
    orders_open: u64,
    searches: u64,
    expansions: u64,
    failures: BTreeMap<String, u64>,
    replans: u64,
    stale: u64,
    fields: BTreeMap<String, u64>,
    resources_home: u64,
    robberies: u64,
    raiders_driven_away: u64,
    tick_p50_us: u64,
    tick_p99_us: u64,
    /// Of every unit's name, cell, status and way, and of the map's revision.
    hash: String,
}

/// What the player has done.
#[derive(Debug, Serialize)]
struct PlayerReport {
    selected: usize,
    /// Strokes that can be taken back, and that have been.
    strokes: usize,
    undone: usize,
    /// How often the map has changed.
    map_revision: u64,
    algorithm: &'static str,
    is_inspecting: bool,
    is_comparing: bool,
}

impl PlayerReport {
    /// `None` if nobody plays.
    fn of(world: &World) -> Option<Self> {
        let selection = world.get_resource::<Selection>()?;
        let (strokes, undone) = world.get_resource::<EditHistory>().map(EditHistory::depth)?;
        Some(Self {
            selected: selection.units().len(),
            strokes,
            undone,
            map_revision: world.resource::<Tilemap>().revision(),
            algorithm: world.resource::<PathfindingSettings>().algorithm.name(),
            is_inspecting: selection.inspected.is_some(),
            is_comparing: world.get_resource::<Comparison>().is_some_and(|table| table.chosen_way().is_some()),
        })
    }
}

/// Prints the report when the window is closed.
pub fn add_to_window(app: &mut App, args: Args) {
    app.add_systems(Last, move |world: &mut World| {
        if !world.resource::<Messages<AppExit>>().is_empty()
            && let Ok(text) = serde_json::to_string(&Report::of(world, &args, &[]))
        {
            println!("{text}");
        }
    });
}

/// How a scenario ended.
#[derive(Debug, Serialize)]
struct TrialReport {
    name: &'static str,
    verdict: &'static str,
    line: String,
}

/// Runs the app tick by tick, and prints what happened.
/// Returns false if that was a scenario whose promise was not kept.
pub fn run(mut app: App, args: &Args) -> std::io::Result<bool> {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // The first update only starts the clock.
    app.update();
    let mut times = Vec::new();
    for tick in 1..=args.ticks() {
        let begun = Instant::now();
        app.update();
        times.push(begun.elapsed());
        let trial = app.world().get_resource::<Trial>();
        let is_decided = trial.is_some_and(|trial| trial.verdict != Verdict::Running);
        if is_decided && args.ticks.is_none() {
            break;
        }
        if tick % 300 == 0 {
            let stats = app.world().resource::<Planner>().stats();
            let home = app.world().resource::<Chronicle>().brought_home;
            eprintln!(
                "tick {tick}: {} orders, {} searches, {} replans, {home} loads home",
                stats.orders, stats.searches, stats.replans
            );
        }
    }
    let report = Report::of(app.world_mut(), args, &times);
    let text = if args.json { serde_json::to_string(&report)? } else { report.to_text() };
    use std::io::Write;
    writeln!(std::io::stdout(), "{text}")?;
    Ok(report.scenario.is_none_or(|trial| trial.verdict == Verdict::Passed.name()))
}

impl Report {
    fn of(world: &mut World, args: &Args, times: &[Duration]) -> Self {
        let ticks = times.len() as u64;
        let microseconds = |percent| percentile(times, percent).as_micros() as u64;
        let (tick_p50_us, tick_p99_us) = (microseconds(50), microseconds(99));
        let hash = format!("{:016x}", state_hash(world));
        let mut units = BTreeMap::new();
        for kind in world.query::<&UnitKind>().iter(world) {
            *units.entry(*kind).or_default() += 1;
        }
        let orders_open = world.query::<&PathRequest>().iter(world).count() as u64;
        let size = world.resource::<Tilemap>().size();
        let stats = world.resource::<Planner>().stats().clone();
        let maps = world.resource::<DijkstraMaps>();
        let fields = maps.iter().map(|(id, name)| (name.to_owned(), maps.version(id))).collect();
        let chronicle = world.resource::<Chronicle>();
        let scenario = world.get_resource::<Trial>().map(|trial| TrialReport {
            name: trial.scenario.title(),
            verdict: trial.verdict.name(),
            line: trial.line.clone(),
        });
        Self {
            scenario,
            player: PlayerReport::of(world),
            seed: args.seed,
            ticks,
            width: size.width(),
            height: size.height(),
            units,
            orders_given: stats.orders,
            orders_reached: stats.reached,
            partial_ends: stats.partial_ends,
            orders_replaced: stats.replaced,
            orders_withdrawn: stats.withdrawn,
            orders_open,
            searches: stats.searches,
            expansions: stats.expansions,
            failures: stats.failed.iter().map(|(reason, count)| (reason.name().to_owned(), *count)).collect(),
            replans: stats.replans,
            stale: stats.stale,
            fields,
            resources_home: chronicle.brought_home,
            robberies: chronicle.robberies,
            raiders_driven_away: chronicle.driven_away,
            tick_p50_us,
            tick_p99_us,
            hash,
        }
    }

    fn to_text(&self) -> String {
        let units: Vec<_> = self.units.iter().map(|(kind, count)| format!("{count} {kind:?}")).collect();
        let failures: Vec<_> = self.failures.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let failures = if failures.is_empty() { "none".to_owned() } else { failures.join(", ") };
        let fields: Vec<_> = self.fields.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let rows = [
            ("map", format!("{} x {}, seed {}", self.width, self.height, self.seed)),
            ("ticks", self.ticks.to_string()),
            ("units", units.join(", ")),
            ("orders given", self.orders_given.to_string()),
            ("orders reached", format!("{} (and {} ended short of the goal)", self.orders_reached, self.partial_ends)),
            (
                "orders ended",
                format!(
                    "{} replaced, {} withdrawn, {} still open",
                    self.orders_replaced, self.orders_withdrawn, self.orders_open
                ),
            ),
            ("searches", format!("{}, {} expansions", self.searches, self.expansions)),
            ("failures", failures),
            ("replans", format!("{} ({} answers came too late)", self.replans, self.stale)),
            ("fields computed", fields.join(", ")),
            ("ore brought home", self.resources_home.to_string()),
            ("robberies", format!("{}, raiders driven away {}", self.robberies, self.raiders_driven_away)),
            ("tick time", format!("p50 {} us, p99 {} us", self.tick_p50_us, self.tick_p99_us)),
            ("hash", self.hash.clone()),
        ];
        let verdict = self
            .scenario
            .iter()
            .map(|trial| ("scenario", format!("{}: {}, {}", trial.name, trial.verdict, trial.line)));
        let rows: Vec<_> = verdict.chain(rows).collect();
        let rows: Vec<_> = rows.iter().map(|(name, value)| format!("{name:<17}{value}")).collect();
        rows.join("\n")
    }
}

/// A hash of the state that does not depend on entity numbers or floating-point positions. FNV-1a, 64 bits.
fn state_hash(world: &mut World) -> u64 {
    let mut units = world.query::<(&SimId, &Transform, &PathStatus, Option<&FollowPath>)>();
    let tilemap = world.resource::<Tilemap>();
    let mut lines: Vec<_> = units
        .iter(world)
        .map(|(id, at, status, way)| {
            let cell = tilemap.world_to_cell(at.translation.truncate());
            let way = way.map(|way| (way.path.cost(), way.next, way.order));
            (*id, format!("{cell:?} {status:?} {way:?}"))
        })
        .collect();
    lines.sort_unstable();
    let text = format!("{lines:?} {} {}", tilemap.revision(), world.resource::<Chronicle>().brought_home);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
