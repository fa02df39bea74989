//! Single paths with all their cells: uniform ground, noise and zones.

use std::hint::black_box;

use wayfield::{Algorithm, Cell, Cost, CostGrid, MovementClass, Path, PathQuery, PathSearch, TerrainId};
use wayfield_bench::ground::Ground;
use wayfield_bench::limits::{BucketedAStar, FirstMoves, StraightAStar};
use wayfield_bench::peers::{grid_pathfinding, pathfinding};

use super::{Effort, Findings};
use crate::report::{Bound, Detail, Line};
use crate::rounds::{Contestant, Spread, Times, geometric_means, take_turns};

/// The name of the algorithm that runs if none is asked for.
pub const DEFAULT: &str = "auto";
const BY_HAND: &str = "a_star by hand";
const BUCKETED: &str = "bucketed a_star by hand";
const WALK: &str = "first-move walk";
const GRID_PATHFINDING: &str = "grid_pathfinding";
const PATHFINDING: &str = "pathfinding";

/// The optimal algorithms that are the quickest on some map or other.
const OPTIMAL: [Algorithm; 3] = [Algorithm::AStar, Algorithm::BidirectionalAStar, Algorithm::Jps];

/// Every how many of the questions is asked on terrain that costs, and of the walk.
const EVERY: usize = 4;

/// What was measured on a map.
struct Result {
    name: String,
    is_random: bool,
    times: Times,
}

/// Compares the paths on uniform maps, and on the same with noise and zones.
pub fn compare(grounds: &[Ground], effort: Effort, findings: &mut Findings) {
    let uniform: Vec<_> = grounds.iter().map(|ground| on_uniform(ground, effort, findings)).collect();
    let large = || grounds.iter().filter(|ground| ground.grid.size().cells() > 1 << 12).map(every_few);
    let noise: Vec<_> = large().map(|ground| on_terrain(&ground.with_noise(), effort, findings)).collect();
    let zones: Vec<_> = large().map(|ground| on_terrain(&ground.with_zones(), effort, findings)).collect();
    let lines = &mut findings.lines;

    let peers = ratios(&uniform, GRID_PATHFINDING, DEFAULT);
    let what = format!("uniform: `grid_pathfinding` / `{DEFAULT}`, geometric mean of {} maps", peers.len());
    lines.push(Line::new(what, "x", geometric_means(&peers), Bound::AtLeast(6.0)).with_goal(Bound::AtLeast(9.0)));
    lines.push(worst("the same, the map where it is least", &uniform, Bound::AtLeast(1.0), |result| {
        result.times.ratios(GRID_PATHFINDING, DEFAULT)
    }));
    let what = "uniform: `pathfinding::astar` / auto, geometric mean";
    let peers = ratios(&uniform, PATHFINDING, DEFAULT);
    lines.push(Line::new(what, "x", geometric_means(&peers), Bound::AtLeast(25.0)));
    let what = "the same on random obstacles, the map where it is least";
    let random = uniform.iter().filter(|result| result.is_random);
    lines.push(worst(what, random, Bound::AtLeast(4.0), |result| result.times.ratios(PATHFINDING, DEFAULT)));
    let what = "engine: `a_star` / the same loop written by hand, geometric mean";
    let engine = ratios(&uniform, Algorithm::AStar.name(), BY_HAND);
    lines.push(Line::new(what, "x", geometric_means(&engine), Bound::AtMost(1.05)));

    for (kind, results, floor) in [("noise", &noise, 4.0), ("zones", &zones, 10.0)] {
        let what = format!("terrain in {kind}: `pathfinding::astar` / auto, geometric mean");
        let peers = ratios(results, PATHFINDING, DEFAULT);
        lines.push(Line::new(what, "x", geometric_means(&peers), Bound::AtLeast(floor)));
    }
    let what = "engine: `auto` / A* with a bucket queue written by hand, terrain in noise, geometric mean";
    lines.push(Line::new(what, "x", geometric_means(&ratios(&noise, DEFAULT, BUCKETED)), Bound::AtMost(1.05)));
    let jumps = |result: &Result| result.times.ratios(Algorithm::Jps.name(), Algorithm::AStar.name());
    let what = "terrain: `jps` / `a_star`, the map where it is most";
    lines.push(worst(what, noise.iter().chain(&zones), Bound::AtMost(1.05), jumps));
    let what = "terrain in zones: `jps` / `a_star`, geometric mean";
    let by_map: Vec<_> = zones.iter().map(jumps).collect();
    let line = Line::new(what, "x", geometric_means(&by_map), Bound::AtMost(0.65));
    lines.push(line.with_goal(Bound::AtMost(0.4)));
    let what = "`auto` / the best optimal algorithm, the map where it is most";
    lines.push(worst(what, uniform.iter().chain(&noise).chain(&zones), Bound::AtMost(1.1), |result| {
        let quickest = |one: &&str, other: &&str| median(&result.times, one).total_cmp(&median(&result.times, other));
        let best = OPTIMAL.map(Algorithm::name).into_iter().min_by(quickest);
        result.times.ratios(DEFAULT, best.unwrap_or(DEFAULT))
    }));
}

fn median(times: &Times, name: &str) -> f64 {
    Spread::of(times.of(name).to_vec()).median
}

fn ratios(results: &[Result], slow: &str, fast: &str) -> Vec<Vec<f64>> {
    results.iter().map(|result| result.times.ratios(slow, fast)).collect()
}

/// The line of the map whose ratio is farthest on the wrong side.
fn worst<'a>(
    what: &str,
    results: impl IntoIterator<Item = &'a Result>,
    floor: Bound,
    ratios: impl Fn(&Result) -> Vec<f64>,
) -> Line {
    let badness = |ratios: &[f64]| {
        let median = Spread::of(ratios.to_vec()).median;
        if matches!(floor, Bound::AtLeast(_)) { -median } else { median }
    };
    let all = results.into_iter().map(|result| (&result.name, ratios(result)));
    match all.max_by(|one, other| badness(&one.1).total_cmp(&badness(&other.1))) {
        Some((name, ratios)) => Line::new(format!("{what} ({name})"), "x", ratios, floor),
        None => Line::new(what, "x", Vec::new(), floor),
    }
}

/// The same map with fewer questions.
fn every_few(ground: &Ground) -> Ground {
    let queries = ground.queries.iter().step_by(EVERY).copied().collect();
    let (map, grid) = (ground.map.clone(), ground.grid.clone());
    Ground { name: ground.name.clone(), map, grid, queries, lengths: Vec::new() }
}

fn on_uniform(ground: &Ground, effort: Effort, findings: &mut Findings) -> Result {
    check(ground);
    let peer = grid_pathfinding::Peer::new(&ground.grid);
    check_grid_pathfinding(ground, &peer);
    let nodes = ground.nodes();
    let mut hand = StraightAStar::new(&ground.grid);
    let mut contestants = own(ground);
    contestants.push(Contestant::new(BY_HAND, || {
        nodes.iter().for_each(|&(start, goal)| _ = black_box(hand.find(start, goal)));
    }));
    contestants.push(Contestant::new(GRID_PATHFINDING, || {
        ground.queries.iter().for_each(|&(start, goal)| _ = black_box(peer.find(start, goal)));
    }));
    contestants.push(by_pathfinding(ground));
    let times = take_turns(effort.rounds, contestants);
    note(ground, &times, findings);
    compare_with_walk(&every_few(ground), effort, findings);
    let is_random = ["random", "noise"].iter().any(|kind| ground.name.starts_with(kind));
    Result { name: ground.name.clone(), is_random, times }
}

fn on_terrain(ground: &Ground, effort: Effort, findings: &mut Findings) -> Result {
    check(ground);
    let nodes = ground.nodes();
    let mut hand = BucketedAStar::new(&ground.grid);
    let mut contestants = own(ground);
    contestants.push(Contestant::new(BUCKETED, || {
        nodes.iter().for_each(|&(start, goal)| _ = black_box(hand.find(start, goal)));
    }));
    contestants.push(by_pathfinding(ground));
    let times = take_turns(effort.rounds, contestants);
    note(ground, &times, findings);
    Result { name: ground.name.clone(), is_random: false, times }
}

/// What is left above the walk over a table of first moves.
fn compare_with_walk(ground: &Ground, effort: Effort, findings: &mut Findings) {
    let tables = ground.nodes().into_iter().map(|(start, goal)| match FirstMoves::new(&ground.grid, goal) {
        Ok(table) => (table, start, goal),
        Err(error) => panic!("{}: {error}", ground.name),
    });
    let tables: Vec<_> = tables.collect();
    let mut way = Vec::new();
    for (table, start, goal) in &tables {
        table.walk(*start, &mut way);
        assert_eq!(way.last(), Some(goal), "{}: a walk ends elsewhere", ground.name);
    }
    let mut contestants = own(ground);
    contestants.truncate(1);
    contestants.push(Contestant::new(WALK, || {
        for (table, start, _) in &tables {
            table.walk(*start, &mut way);
            black_box(&way);
        }
    }));
    let times = take_turns(effort.rounds, contestants);
    findings.details.push(Detail {
        map: ground.name.clone(),
        yardstick: WALK,
        ratios: vec![(DEFAULT, Spread::of(times.ratios(DEFAULT, WALK)))],
        note: String::new(),
    });
}

/// The default first, then the others.
fn own(ground: &Ground) -> Vec<Contestant<'_>> {
    let all = std::iter::once((DEFAULT, Algorithm::default())).chain(OPTIMAL.map(|one| (one.name(), one)));
    let contestant = |(name, algorithm)| {
        let mut search = PathSearch::default();
        Contestant::new(name, move || {
            for &(start, goal) in &ground.queries {
                _ = black_box(search.find(&ground.grid, &query(algorithm, start, goal)));
            }
        })
    };
    all.map(contestant).collect()
}

fn by_pathfinding(ground: &Ground) -> Contestant<'_> {
    let nodes = ground.nodes();
    Contestant::new(PATHFINDING, move || {
        for &(start, goal) in &nodes {
            black_box(pathfinding::a_star(&ground.grid, start, goal));
        }
    })
}

fn query(algorithm: Algorithm, start: Cell, goal: Cell) -> PathQuery {
    PathQuery { algorithm, ..PathQuery::new(start, goal) }
}

/// Notes how everybody did beside the default, and what that ran.
fn note(ground: &Ground, times: &Times, findings: &mut Findings) {
    let names = OPTIMAL.map(Algorithm::name).into_iter().chain([BY_HAND, BUCKETED, GRID_PATHFINDING, PATHFINDING]);
    let there = names.filter(|name| !times.of(name).is_empty());
    let mut ran: Vec<_> = ground.queries.iter().map(|&(start, goal)| ran(ground, start, goal)).collect();
    ran.sort_unstable();
    ran.dedup();
    findings.details.push(Detail {
        map: ground.name.clone(),
        yardstick: DEFAULT,
        ratios: there.map(|name| (name, Spread::of(times.ratios(name, DEFAULT)))).collect(),
        note: format!(" = {}", ran.join(" or ")),
    });
}

fn ran(ground: &Ground, start: Cell, goal: Cell) -> &'static str {
    let answer = PathSearch::default().find(&ground.grid, &query(Algorithm::default(), start, goal));
    answer.map_or("", |answer| answer.algorithm.name())
}

/// Fails unless all paths on a map cost the same, and what the list says.
fn check(ground: &Ground) {
    let mut search = PathSearch::default();
    let (mut hand, mut bucketed) = (StraightAStar::new(&ground.grid), BucketedAStar::new(&ground.grid));
    let mut lengths = ground.lengths.iter();
    for (&(start, goal), nodes) in ground.queries.iter().zip(ground.nodes()) {
        let whose = format!("{}, from {start} to {goal}", ground.name);
        let Some((optimum, _)) = pathfinding::a_star(&ground.grid, nodes.0, nodes.1) else { panic!("{whose}: no way") };
        let by_hand = hand.find(nodes.0, nodes.1);
        assert_eq!(by_hand.map(|(cost, _)| cost), Some(optimum), "{whose}: {BY_HAND}");
        let by_hand = bucketed.find(nodes.0, nodes.1);
        assert_eq!(by_hand.map(|(cost, _)| cost), Some(optimum), "{whose}: {BUCKETED}");
        let length = lengths.next();
        for algorithm in OPTIMAL.into_iter().chain([Algorithm::default()]) {
            let answer = search.find(&ground.grid, &query(algorithm, start, goal));
            let path = answer.as_ref().ok().and_then(|answer| answer.outcome.path());
            let Some(path) = path else { panic!("{whose}: {algorithm}: {answer:?}") };
            assert_eq!(whole(path), u64::from(optimum), "{whose}: {algorithm}");
            if let Some(&(length, tolerance)) = length {
                let units = path.cost().units();
                assert!((units - length).abs() <= tolerance, "{whose}: {algorithm}: {units}, not {length}");
            }
        }
    }
}

/// Fails unless the paths of that library are paths under its own corner rule, and not much longer than the shortest.
fn check_grid_pathfinding(ground: &Ground, peer: &grid_pathfinding::Peer) {
    let mut class = MovementClass::new("cuts corners").with_corner_rule(wayfield::CornerRule::Always);
    class.set_cost(TerrainId(1), wayfield::TerrainCost::try_from(1).ok());
    let grid = CostGrid::new(&ground.map, &class);
    let mut search = PathSearch::default();
    for &(start, goal) in &ground.queries {
        let whose = format!("{}, from {start} to {goal}: {GRID_PATHFINDING}", ground.name);
        let path = peer.cells(start, goal).map(|cells| Path::new(cells, &grid));
        let Some(Ok(path)) = path else { panic!("{whose}: {path:?}") };
        assert_eq!((path.start(), path.end()), (Some(start), Some(goal)), "{whose}");
        let own = search.find(&grid, &query(Algorithm::AStar, start, goal));
        let optimum = own.ok().and_then(|answer| answer.outcome.path().map(whole));
        let Some(optimum) = optimum else { panic!("{whose}: no way") };
        // It counts in 1/70ths and 1/99ths, and is now and then a little off the shortest.
        assert!(whole(&path) >= optimum && whole(&path) as f64 <= 1.02 * optimum as f64, "{whose}: not the shortest");
    }
}

/// The cost of a path as searches count.
fn whole(path: &Path) -> u64 {
    let (straight, diagonal) = (u64::from(Cost::STRAIGHT.raw()), u64::from(Cost::DIAGONAL.raw()));
    path.cost().straight * straight + path.cost().diagonal * diagonal
}
