//! How much of a tick the plugin takes with thousands of units under orders on a map that changes every tick.
//!
//! `cargo run --release -p bevy_wayfield --example planner_load -- --help`
//!
//! Every unit gets a new goal once in ten seconds, a patch of terrain changes in every tick, and ticks come at
//! 30 Hz of real time, as in a game, unless `--after-ticks` says otherwise. What is measured is the time between the beginning of the plugin's first set of systems
//! and the end of its last one, steering apart; searches run beside it on Bevy's task pool.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::wayfield::{Algorithm, Cell, GridSize, MovementClass, TerrainId, TerrainMap, parse_map};
use bevy_wayfield::{
    ClassId, Delivery, Mover, PathRequest, PathStatus, PathfindingPlugin, PathfindingSettings, PathfindingSystems,
    Planner, Tilemap,
};
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

const TICKS_PER_SECOND: u64 = 30;
/// Every how many ticks a unit gets a new goal.
const REORDER: usize = 300;
const PLAIN: TerrainId = TerrainId(b'.');
const SWAMP: TerrainId = TerrainId(b'S');
const WALL: TerrainId = TerrainId(b'@');
const FOOT: ClassId = ClassId(0);

/// What to run.
#[derive(Clone, Debug, Parser)]
struct Args {
    /// How many units
    #[arg(long, default_value_t = 10_000)]
    units: usize,
    /// How long, in seconds of the game; 300 to see whether memory grows from minute to minute
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Answers come this many ticks after they were asked for, and ticks as fast as they can: the same run on any machine.
    /// Otherwise answers come when they are there, and ticks at 30 Hz
    #[arg(long)]
    after_ticks: Option<u32>,
    /// How to search
    #[arg(long, default_value = "jps")]
    algorithm: Algorithm,
    /// A Moving AI map; otherwise a generated one of 512 x 512 cells with walls and gaps
    #[arg(long)]
    map: Option<PathBuf>,
    /// What everything is chosen by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Debug, Serialize)]
struct Report {
    units: usize,
    ticks: usize,
    algorithm: &'static str,
    /// Milliseconds of the plugin's systems in a tick, steering apart.
    plugin_p50_ms: f64,
    plugin_p99_ms: f64,
    plugin_worst_ms: f64,
    steering_p50_ms: f64,
    steering_p99_ms: f64,
    /// Milliseconds of the calibration loop: what to divide by on another machine.
    calibration_ms: f64,
    plugin_p99_ratio: f64,
    /// The longest that a unit was without an answer to its order, in seconds.
    longest_wait_s: f64,
    searches: u64,
    replans: u64,
    stale: u64,
    /// Megabytes of memory in use after each fifth of the time; none where the system does not say.
    memory_mb: Vec<f64>,
}

/// When the plugin's systems begin and end.
#[derive(Resource)]
struct Clock {
    begun: Instant,
    plugin: Vec<f64>,
    steering: Vec<f64>,
}

/// What the game does to its units.
#[derive(Resource)]
struct Orders {
    dice: ChaCha8Rng,
    units: Vec<Entity>,
    /// Cells that all reach each other.
    cells: Vec<Cell>,
    patch: Cell,
    tick: usize,
    /// The tick of the latest order of each unit that has no answer yet.
    asked: Vec<Option<usize>>,
    longest_wait: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let mut dice = ChaCha8Rng::seed_from_u64(args.seed);
    let (terrain, class) = match &args.map {
        Some(path) => {
            let map = parse_map(&std::fs::read(path)?)?;
            let class = map.default_class().with_cost(SWAMP, 5)?;
            (map.terrain, class)
        }
        None => generated(&mut dice)?,
    };
    let tilemap = Tilemap::new(terrain, vec![class]);
    let cells = largest_component(&tilemap);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindingPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(TICKS_PER_SECOND as f64))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(PathfindingSettings {
            algorithm: args.algorithm,
            delivery: args.after_ticks.map_or(Delivery::AsReady, Delivery::AfterTicks),
            ..default()
        })
        .insert_resource(Clock { begun: Instant::now(), plugin: Vec::new(), steering: Vec::new() })
        .add_systems(
            FixedUpdate,
            (
                (give_orders, begin).chain().before(PathfindingSystems::Sync),
                end_plugin.after(PathfindingSystems::Fields).before(PathfindingSystems::Steer),
                end_steering.after(PathfindingSystems::Steer),
            ),
        );
    let patch = cells[dice.random_range(0..cells.len())];
    let spots: Vec<_> = (0..args.units).map(|_| cells[dice.random_range(0..cells.len())]).collect();
    let at = |cell| Transform::from_translation(tilemap.cell_to_world(cell).extend(0.0));
    let units = spots.into_iter().map(|cell| app.world_mut().spawn((at(cell), Mover::new(6.0))).id()).collect();
    app.insert_resource(Orders { dice, units, cells, patch, tick: 0, asked: vec![None; args.units], longest_wait: 0 });
    app.insert_resource(tilemap);
    app.finish();
    app.cleanup();

    let calibration_ms = calibrate();
    let ticks = args.seconds * TICKS_PER_SECOND;
    let mut memory_mb = Vec::new();
    let start = Instant::now();
    for tick in 0..ticks {
        app.update();
        if (tick + 1) % (ticks / 5).max(1) == 0 {
            memory_mb.extend(memory());
        }
        if args.after_ticks.is_none() {
            let due = Duration::from_secs(tick + 1) / TICKS_PER_SECOND as u32;
            std::thread::sleep(due.saturating_sub(start.elapsed()));
        }
    }
    let clock = app.world_mut().remove_resource::<Clock>().ok_or("the clock is gone")?;
    let world = app.world();
    let (orders, stats) = (world.resource::<Orders>(), world.resource::<Planner>().stats());
    let plugin_p99_ms = percentile(&clock.plugin, 99);
    print(
        &args,
        &Report {
            units: args.units,
            ticks: clock.plugin.len(),
            algorithm: args.algorithm.name(),
            plugin_p50_ms: percentile(&clock.plugin, 50),
            plugin_p99_ms,
            plugin_worst_ms: percentile(&clock.plugin, 100),
            steering_p50_ms: percentile(&clock.steering, 50),
            steering_p99_ms: percentile(&clock.steering, 99),
            calibration_ms,
            plugin_p99_ratio: plugin_p99_ms / calibration_ms,
            longest_wait_s: orders.longest_wait as f64 / TICKS_PER_SECOND as f64,
            searches: stats.searches,
            replans: stats.replans,
            stale: stats.stale,
            memory_mb,
        },
    )
}

/// Gives a part of the units new goals, and changes the patch.
fn give_orders(
    mut orders: ResMut<Orders>,
    mut tilemap: ResMut<Tilemap>,
    status: Query<&PathStatus>,
    mut commands: Commands,
) -> Result {
    let Orders { dice, units, cells, patch, tick, asked, longest_wait } = &mut *orders;
    for (index, &unit) in units.iter().enumerate() {
        let waits = matches!(status.get(unit), Ok(PathStatus::Queued | PathStatus::Searching));
        let since = asked[index].filter(|_| waits);
        *longest_wait = since.map_or(*longest_wait, |since| (*longest_wait).max(*tick - since));
        asked[index] = since;
        if index % REORDER == *tick % REORDER {
            let goal = cells[dice.random_range(0..cells.len())];
            commands.entity(unit).insert(PathRequest::to(goal));
            asked[index] = since.or(Some(*tick));
        }
    }
    let terrain = if *tick % 2 == 0 { SWAMP } else { PLAIN };
    let around = (-2..=2).flat_map(|y| (-2..=2).map(move |x| (x, y)));
    let around = around.map(|(x, y)| Cell::new(patch.x + x, patch.y + y));
    let open: Vec<_> = around.filter(|&cell| tilemap.grid(FOOT).is_some_and(|grid| grid.is_passable(cell))).collect();
    tilemap.edit(open.into_iter().map(|cell| (cell, terrain)))?;
    *tick += 1;
    Ok(())
}

fn begin(mut clock: ResMut<Clock>) {
    clock.begun = Instant::now();
}

fn end_plugin(mut clock: ResMut<Clock>) {
    let (now, before) = (Instant::now(), clock.begun);
    clock.plugin.push((now - before).as_secs_f64() * 1e3);
    clock.begun = now;
}

fn end_steering(mut clock: ResMut<Clock>) {
    let before = clock.begun;
    clock.steering.push(before.elapsed().as_secs_f64() * 1e3);
}

/// Rooms of 32 x 32 cells with a gap in each wall, and some rocks.
fn generated(dice: &mut ChaCha8Rng) -> Result<(TerrainMap, MovementClass), Box<dyn std::error::Error>> {
    let size = GridSize::new(512, 512)?;
    let mut map = TerrainMap::new(size, PLAIN);
    let gaps: Vec<i32> = (0..1024).map(|_| dice.random_range(2..28)).collect();
    let is_wall = |cell: &Cell| {
        let (column, row) = (cell.x / 32, cell.y / 32);
        let gap = |index: i32| gaps[index as usize % gaps.len()];
        let across = cell.y % 32 == 0 && !(0..4).contains(&(cell.x % 32 - gap(row * 16 + column)));
        let down = cell.x % 32 == 0 && !(0..4).contains(&(cell.y % 32 - gap(512 + row * 16 + column)));
        across || down
    };
    map.edit(size.rect().cells().filter(is_wall).map(|cell| (cell, WALL)))?;
    let rocks: Vec<_> = size.rect().cells().filter(|_| dice.random_bool(0.05)).map(|cell| (cell, WALL)).collect();
    map.edit(rocks)?;
    Ok((map, MovementClass::new("foot").with_cost(PLAIN, 1)?.with_cost(SWAMP, 5)?))
}

/// The cells of the component with the most cells.
fn largest_component(tilemap: &Tilemap) -> Vec<Cell> {
    let Some(grid) = tilemap.grid(FOOT) else { return Vec::new() };
    let mut labelled: Vec<_> =
        tilemap.size().rect().cells().filter_map(|cell| Some((grid.component(cell)?, cell))).collect();
    labelled.sort_unstable();
    let parts = labelled.chunk_by(|one, other| one.0 == other.0);
    parts.max_by_key(|part| part.len()).unwrap_or_default().iter().map(|&(_, cell)| cell).collect()
}

/// Milliseconds of a fixed piece of work.
fn calibrate() -> f64 {
    let times = (0..9).map(|seed| {
        let begun = Instant::now();
        let mut number: u64 = seed + 1;
        for _ in 0..1_000_000 {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
        }
        std::hint::black_box(number);
        begun.elapsed().as_secs_f64() * 1e3
    });
    percentile(&times.collect::<Vec<_>>(), 50)
}

fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Megabytes of memory in use, where the system has a `/proc`.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

fn print(args: &Args, report: &Report) -> Result<(), Box<dyn std::error::Error>> {
    let value = serde_json::to_value(report)?;
    if args.json {
        println!("{value}");
    } else if let Some(rows) = value.as_object() {
        for (name, value) in rows {
            match value.as_f64() {
                Some(number) if number.fract() != 0.0 => println!("{name:<18} {number:.3}"),
                _ => println!("{name:<18} {value}"),
            }
        }
    }
    Ok(())
}
