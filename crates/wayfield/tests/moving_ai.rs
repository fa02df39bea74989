//! Maps with scenarios whose cheapest lengths are known: the project's own, and those of a folder of benchmarks.
//!
//! `WAYFIELD_SCENARIOS=folder cargo test -p wayfield --test moving_ai` reads every `NAME.map` with its
//! `NAME.map.scen` there, too.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use std::fs;
use std::path::{Path as FilePath, PathBuf};

use support::{Ground, Layers, Mover, close, real_step};
use wayfield::{
    Algorithm, Cell, CornerRule, CostGrid, DijkstraMap, Outcome, PathQuery, PathSearch, Scenario, TextMap, parse_map,
    parse_scenarios, write_map, write_scenarios,
};

/// Every how many queries the slower checks are made.
const SAMPLE: usize = 16;

fn own_maps() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps")
}

/// The maps of a folder with their scenarios, by name.
fn read(folder: &FilePath) -> Vec<(String, TextMap, Vec<Scenario>)> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut maps: Vec<_> = listed
        .map(|entry| entry.map(|entry| entry.path()))
        .filter_map(|path| path.ok().filter(|path| path.extension().is_some_and(|ending| ending == "map")))
        .collect();
    maps.sort();
    let text = |path: &FilePath| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parsed = maps.into_iter().map(|path| {
        let name = path.display().to_string();
        let map = parse_map(&text(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let scenario_path = path.with_extension("map.scen");
        let scenarios = parse_scenarios(&text(&scenario_path)).unwrap_or_else(|error| panic!("{name}.scen: {error}"));
        assert!(!scenarios.is_empty(), "{name}: no queries");
        (name, map, scenarios)
    });
    parsed.collect()
}

/// Asks every query, and fails unless the answers have the lengths that the file says.
fn check(name: &str, map: &TextMap, scenarios: &[Scenario]) {
    let class = map.default_class().with_corner_rule(CornerRule::BothFree);
    let grid = CostGrid::new(&map.terrain, &class);
    let mut search = PathSearch::default();
    for (number, scenario) in scenarios.iter().enumerate() {
        let Scenario { start, goal, optimal, .. } = *scenario;
        assert_eq!(scenario.size, grid.size(), "{name}, query {number}");
        let agrees = |what: &str, length: f64| {
            let off = (length - optimal).abs();
            assert!(off <= scenario.tolerance(), "{name}, query {number}, {what}: {length} instead of {optimal}");
        };
        let mut length = |algorithm: Algorithm| {
            let answer = search.find(&grid, &PathQuery { algorithm, ..PathQuery::new(start, goal) }).unwrap();
            match answer.outcome {
                Outcome::Found(path) => path.cost().units(),
                other => panic!("{name}, query {number}, {algorithm}: {other:?}"),
            }
        };
        let cheapest = length(Algorithm::AStar);
        agrees("a_star", cheapest);
        if number % SAMPLE == 0 {
            for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_optimal()) {
                let other = length(algorithm);
                agrees(algorithm.name(), other);
                assert!(close(other, cheapest), "{algorithm}");
            }
        }
    }
    for scenario in [scenarios.first(), scenarios.last()].into_iter().flatten() {
        check_field(name, &grid, scenario);
    }
}

/// A field toward the goal and one from the start know the same length.
fn check_field(name: &str, grid: &CostGrid, scenario: &Scenario) {
    let Scenario { start, goal, optimal, .. } = *scenario;
    let toward = DijkstraMap::toward(grid, [goal]).unwrap();
    let from = DijkstraMap::from(grid, [start]).unwrap();
    let path = toward.trace(grid, start).unwrap();
    assert_eq!((path.start(), path.end()), (Some(start), Some(goal)));
    for length in [toward.value(start).unwrap(), from.value(goal).unwrap(), path.cost().units()] {
        assert!((length - optimal).abs() <= scenario.tolerance(), "{name}: {length} instead of {optimal}");
    }
}

#[test]
fn own_maps_have_the_known_lengths() {
    let maps = read(&own_maps());
    assert_eq!(maps.len(), 3);
    for (name, map, scenarios) in &maps {
        check(name, map, scenarios);
    }
}

#[test]
fn the_known_lengths_are_those_of_naive_relaxation() {
    for (name, map, scenarios) in read(&own_maps()) {
        let size = map.terrain.size();
        let price = |mark: u8| match mark {
            b'.' | b'G' | b'S' => 1,
            b'1'..=b'9' => mark - b'0',
            _ => 0,
        };
        let ground = Ground {
            width: size.width() as i32,
            height: size.height() as i32,
            terrain: map.terrain.grid().values().iter().map(|terrain| price(terrain.0)).collect(),
            mover: Mover::Plain,
            rule: CornerRule::BothFree,
            layers: Layers::default(),
        };
        for scenario in &scenarios {
            let lengths = ground.spread_from(&[(scenario.start, 0.0)], real_step);
            let length = lengths[ground.index(scenario.goal)].unwrap();
            assert!((length - scenario.optimal).abs() <= 0.5e-7, "{name}: {length}, not {}", scenario.optimal);
        }
    }
}

#[test]
fn own_files_are_written_as_they_are_read() {
    for (name, map, scenarios) in read(&own_maps()) {
        assert_eq!(write_map(&map.terrain, map.format), fs::read_to_string(&name).unwrap());
        assert_eq!(write_scenarios(&scenarios), fs::read_to_string(format!("{name}.scen")).unwrap());
        assert!(map.terrain.size().contains(Cell::new(20, 20)));
    }
}

#[test]
fn benchmark_maps_have_the_known_lengths() {
    let Some(folder) = std::env::var_os("WAYFIELD_SCENARIOS") else {
        println!("WAYFIELD_SCENARIOS is not set: only the project's own maps are checked");
        return;
    };
    let maps = read(FilePath::new(&folder));
    assert!(!maps.is_empty(), "no maps in {}", folder.display());
    // One map a thread: they have nothing to do with each other.
    std::thread::scope(|scope| {
        for chunk in maps.chunks(maps.len().div_ceil(4)) {
            scope.spawn(move || {
                for (name, map, scenarios) in chunk {
                    check(name, map, scenarios);
                }
            });
        }
    });
}
