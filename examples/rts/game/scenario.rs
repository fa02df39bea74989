//! Scenarios: small set pieces, each with a promise that is kept or not, on the screen and for tests alike.

mod stage;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Cell, TerrainId};
use bevy_wayfield::{Mover, Occupant, PathStatus, PathfindingSettings, Planner, SimId, Tilemap};
use clap::ValueEnum;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use self::stage::Stage;
use super::TICK_RATE;
use super::commander::paint;
use super::life::Chronicle;
use super::maps::Problem;
use super::orders::{Order, Orders, to_cell};
use super::terrain::{CELL_SIZE, FOOT, FOREST, PLAIN, SWAMP, WALL, disc};
use super::units::{Dice, Town};

/// The fixed ticks a second of the swarm.
const SWARM_RATE: f64 = 60.0;
/// Two who are nearer than so many cells stand on each other.
const APART: f32 = 0.6;

/// How many searches a tick of it begins, so that a stroke across hundreds of ways is dealt with in several ticks.
const SWARM_SEARCHES: usize = 48;
/// The longest that 99 of 100 ticks of the swarm may take.
const SWARM_TICK: Duration = Duration::from_millis(8);

/// A set piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    /// Thirty cross a bridge of one cell's width; another bridge is far away.
    BridgeQueue,
    /// Two squads meet in a corridor three cells wide.
    HeadOn,
    /// A squad finds its way through a maze.
    Maze,
    /// The straight way leads through a swamp, the road round it.
    SwampShortcut,
    /// Two thousand cross a field while somebody paints.
    Swarm,
    /// Workers bring ore home.
    Economy,
    /// Civilians keep away from a raider who is slower.
    FleeArena,
    /// A gate closes while a column marches through.
    ClosingGate,
}

impl Scenario {
    pub const ALL: [Self; 8] = [
        Self::BridgeQueue,
        Self::HeadOn,
        Self::Maze,
        Self::SwampShortcut,
        Self::Swarm,
        Self::Economy,
        Self::FleeArena,
        Self::ClosingGate,
    ];

    /// As the menu calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::BridgeQueue => "Bridge queue",
            Self::HeadOn => "Head-on",
            Self::Maze => "Maze",
            Self::SwampShortcut => "Swamp shortcut",
            Self::Swarm => "Swarm of 2,000",
            Self::Economy => "Gather economy",
            Self::FleeArena => "Flee arena",
            Self::ClosingGate => "Closing gate",
        }
    }

    /// What is promised.
    pub fn promise(self) -> &'static str {
        match self {
            Self::BridgeQueue => "They queue for the near bridge; nobody runs round the lake.",
            Self::HeadOn => "Both squads get through, and nobody walks through anybody.",
            Self::Maze => "All come out, and each has a place of its own.",
            Self::SwampShortcut => "Nobody wades: the road is longer, and cheaper.",
            Self::Swarm => "They arrive, and 99 of 100 ticks take 8 ms at most.",
            Self::Economy => "They bring home what the way there and back allows.",
            Self::FleeArena => "A raider who is slower catches one of them at most.",
            Self::ClosingGate => "Who is cut off goes round; nobody is walled in.",
        }
    }
}

/// How a scenario stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Running,
    Passed,
    Failed,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }
}

/// The scenario that is played.
#[derive(Resource)]
pub struct Trial {
    pub scenario: Scenario,
    pub verdict: Verdict,
    /// How it stands, in words.
    pub line: String,
    stage: Stage,
    ticks: u64,
    /// Those who did what the scenario is about, and those who did what they should not have.
    good: BTreeSet<SimId>,
    bad: BTreeSet<SimId>,
    /// When the tick began, and how long all of them took.
    begun: Option<Instant>,
    times: Vec<Duration>,
}

impl Trial {
    /// Whether the units are on their way.
    pub fn has_begun(&self) -> bool {
        self.ticks > 5
    }
}

/// Lets a world begin with a scenario, whatever it was at before.
pub fn begin(world: &mut World, scenario: Scenario, seed: u64) -> Result<(), Problem> {
    let stage = Stage::set(scenario, seed)?;
    stage.scene.begin(world);
    let is_swarm = scenario == Scenario::Swarm;
    if is_swarm {
        world.insert_resource(Time::<Fixed>::from_hz(SWARM_RATE));
    }
    let usual = PathfindingSettings::default().searches_per_tick;
    world.resource_mut::<PathfindingSettings>().searches_per_tick = if is_swarm { SWARM_SEARCHES } else { usual };
    let line = scenario.promise().to_owned();
    let verdict = Verdict::Running;
    let (good, bad) = (BTreeSet::new(), BTreeSet::new());
    world.insert_resource(Trial {
        scenario,
        verdict,
        line,
        stage,
        ticks: 0,
        good,
        bad,
        begun: None,
        times: Vec::new(),
    });
    Ok(())
}

/// Notes when a tick begins.
pub fn begin_tick(mut trial: ResMut<Trial>) {
    trial.begun = Some(Instant::now());
}

/// Notes how long a tick took.
pub fn end_tick(mut trial: ResMut<Trial>) {
    if let Some(begun) = trial.begun.take() {
        trial.times.push(begun.elapsed());
    }
}

/// Plays the part of the scenario's script that is due.
pub fn direct(
    mut trial: ResMut<Trial>,
    mut tilemap: ResMut<Tilemap>,
    mut units: Query<(&SimId, &Transform, &mut Orders)>,
    mut dice: ResMut<Dice>,
    town: Res<Town>,
) {
    trial.ticks += 1;
    if trial.ticks == 2 {
        let mut units: Vec<_> = units.iter_mut().collect();
        units.sort_unstable_by_key(|(id, ..)| **id);
        let grid = tilemap.grid(FOOT).cloned();
        for (ids, goal) in &trial.stage.orders {
            let cell = |at: &Transform| tilemap.world_to_cell(at.translation.truncate()).unwrap_or(*goal);
            let squad = units.extract_if(.., |(id, ..)| ids.contains(&id.0));
            let squad: Vec<_> = squad.map(|(_, at, orders)| (cell(at), orders)).collect();
            if let Some(grid) = &grid {
                to_cell(grid, squad.into_iter(), *goal, false, Order::Move);
            }
        }
    }
    match trial.scenario {
        Scenario::ClosingGate if trial.ticks == trial.stage.gate_closes => {
            let gate = trial.stage.near.clone();
            paint(&mut tilemap, gate.into_iter().map(|cell| (cell, WALL)));
        }
        Scenario::Swarm if trial.ticks.is_multiple_of(10) => scribble(&mut tilemap, &town, &mut dice.0, trial.ticks),
        _ => {}
    }
}

/// A stroke of a large brush now and then: woods come, and go again.
fn scribble(tilemap: &mut Tilemap, town: &Town, dice: &mut ChaCha8Rng, tick: u64) {
    let terrain: TerrainId = if tick.is_multiple_of(20) { FOREST } else { PLAIN };
    let size = tilemap.size();
    let centre = town.0.random(dice);
    let cells: Vec<_> = disc(centre, dice.random_range(2..=4)).filter(|&cell| size.contains(cell)).collect();
    let is_ground = |cell: &Cell| tilemap.terrain().terrain(*cell).is_some_and(|kind| kind != WALL);
    let cells: Vec<_> = cells.into_iter().filter(is_ground).collect();
    paint(tilemap, cells.into_iter().map(|cell| (cell, terrain)));
}

type Judged = (&'static SimId, &'static Transform, &'static PathStatus, &'static Mover, &'static Occupant);

/// Looks how the scenario stands.
pub fn judge(
    mut trial: ResMut<Trial>,
    tilemap: Res<Tilemap>,
    units: Query<Judged>,
    planner: Res<Planner>,
    chronicle: Res<Chronicle>,
) {
    let trial = &mut *trial;
    if trial.verdict != Verdict::Running || trial.ticks < 3 {
        return;
    }
    let mut places = Vec::new();
    let (mut arrived, mut count, mut blocked) = (0, 0, 0);
    for (id, at, status, mover, occupant) in &units {
        let Some(cell) = tilemap.world_to_unit(mover.class, at.translation.truncate()) else { continue };
        let is_in = |cells: &[Cell]| cells.contains(&cell);
        let terrain = tilemap.terrain().terrain(cell);
        let (does_good, does_bad) = match trial.scenario {
            Scenario::BridgeQueue => (is_in(&trial.stage.near), is_in(&trial.stage.far)),
            Scenario::SwampShortcut => (is_in(&trial.stage.far), terrain == Some(SWAMP)),
            Scenario::ClosingGate => (is_in(&trial.stage.far), terrain == Some(WALL) && *status != PathStatus::Trapped),
            _ => (false, terrain == Some(WALL)),
        };
        if does_good {
            trial.good.insert(*id);
        }
        if does_bad {
            trial.bad.insert(*id);
        }
        places.push((cell, *id, at.translation.truncate()));
        count += 1;
        arrived += usize::from(*status == PathStatus::Arrived);
        blocked += usize::from(occupant.is_blocked());
    }
    // Two on one cell are nothing that a scenario allows, but where walls come down on them.
    if trial.scenario != Scenario::ClosingGate {
        places.sort_unstable_by_key(|&(cell, id, _)| (cell, id));
        // On a corner one is by rounding in a cell where another one stands.
        let is_shared =
            |pair: &&[(Cell, SimId, Vec2)]| pair[0].0 == pair[1].0 && pair[0].2.distance(pair[1].2) < APART * CELL_SIZE;
        trial.bad.extend(places.windows(2).filter(is_shared).map(|pair| pair[1].1));
    }
    let rate = if trial.scenario == Scenario::Swarm { SWARM_RATE } else { TICK_RATE };
    let seconds = trial.ticks as f64 / rate;
    let has_time = seconds < trial.stage.seconds;
    let (good, bad) = (trial.good.len(), trial.bad.len());
    let all_there = arrived == count;
    let (line, is_over, is_kept) = match trial.scenario {
        Scenario::BridgeQueue => (
            format!("{good} by the near bridge, {bad} by the far one, {arrived} of {count} there"),
            all_there,
            good >= 25,
        ),
        Scenario::HeadOn | Scenario::Maze => {
            (format!("{arrived} of {count} there, {blocked} blocked"), all_there, bad == 0)
        }
        Scenario::SwampShortcut => {
            (format!("{good} by the road, {bad} through the swamp, {arrived} of {count} there"), all_there, bad == 0)
        }
        Scenario::Swarm => {
            let p99 = percentile(&trial.times, 99);
            let milliseconds = p99.as_secs_f64() * 1e3;
            let line =
                format!("{arrived} of {count} there, {blocked} blocked, 99 % of ticks {milliseconds:.1} ms at most");
            (line, arrived * 100 >= count * 99, p99 <= SWARM_TICK && bad == 0)
        }
        Scenario::Economy => {
            let (home, due) = (chronicle.brought_home, trial.stage.loads);
            (format!("{home} of {due} loads home"), home >= due, true)
        }
        Scenario::FleeArena => {
            let robbed = chronicle.robberies;
            (format!("{robbed} of {} robbed", count - 1), !has_time, robbed <= 1)
        }
        Scenario::ClosingGate => {
            let replans = planner.stats().replans;
            let line = format!("{good} went round, {replans} ways searched again, {arrived} of {count} there");
            (line, all_there, good > 0 && good < count && bad == 0)
        }
    };
    trial.verdict = match (is_over, has_time) {
        (true, _) if is_kept => Verdict::Passed,
        (false, true) => Verdict::Running,
        _ => Verdict::Failed,
    };
    trial.line = format!("{line}, {seconds:.0} s");
}

/// The least time that so many percent of the ticks do not exceed (nearest rank); none for no ticks.
pub fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    let rank = (times.len() * percent).div_ceil(100).max(1) - 1;
    if rank >= sorted.len() {
        return Duration::ZERO;
    }
    *sorted.select_nth_unstable(rank).1
}
