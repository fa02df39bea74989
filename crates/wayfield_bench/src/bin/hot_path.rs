//! `hot_path NAME [TIMES]`: does one thing, for a profiler or for counting instructions; without a name it lists them.
//!
//! What counts happens in [`counted`]; the rest is getting ready. See `.ci/instructions`.

use std::hint::black_box;
use std::process::ExitCode;

use wayfield::{Algorithm, CostGrid, DijkstraMap, FlowField, PathQuery, PathSearch, TerrainId};
use wayfield_bench::ground::{self, Ground};

/// The side of the maps.
const SIDE: u64 = 256;
const SMALL_SIDE: u64 = 48;
const QUERIES: usize = 8;

/// What there is to do: a name, the map, and what is done on it.
const PATHS: [(&str, &str, Algorithm); 11] = [
    ("auto_noise", "noise", Algorithm::Auto),
    ("auto_terrain", "rooms, noise", Algorithm::Auto),
    ("a_star_rooms", "rooms", Algorithm::AStar),
    ("a_star_noise", "noise", Algorithm::AStar),
    ("a_star_terrain", "rooms, noise", Algorithm::AStar),
    ("jps_open", "open", Algorithm::Jps),
    ("jps_rooms", "rooms", Algorithm::Jps),
    ("jps_noise", "noise", Algorithm::Jps),
    ("jps_zones", "rooms, zones", Algorithm::Jps),
    ("jps_small", "small", Algorithm::Jps),
    ("dijkstra_rooms", "rooms", Algorithm::Dijkstra),
];
const OTHERS: [&str; 6] = ["field_rooms", "field_noise", "field_terrain", "flow_rooms", "grid_rooms", "repair_rooms"];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        PATHS.iter().map(|&(name, ..)| name).chain(OTHERS).for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    let times = arguments.next().and_then(|times| times.parse().ok()).unwrap_or(1);
    if prepare(&name, times) {
        return ExitCode::SUCCESS;
    }
    eprintln!("hot_path: there is no {name}");
    ExitCode::FAILURE
}

/// Everything that is counted, and nothing else.
#[inline(never)]
fn counted(times: usize, mut work: impl FnMut()) {
    for _ in 0..times {
        work();
    }
}

/// Gets ready and does it; false if there is no such thing.
fn prepare(name: &str, times: usize) -> bool {
    if let Some(&(_, map, algorithm)) = PATHS.iter().find(|(known, ..)| *known == name) {
        let ground = ground(map);
        let mut search = PathSearch::default();
        let mut all = || {
            for &(start, goal) in &ground.queries {
                let query = PathQuery { algorithm, ..PathQuery::new(start, goal) };
                let found = search.find(&ground.grid, &query).is_ok_and(|answer| answer.outcome.path().is_some());
                assert!(black_box(found), "no way from {start} to {goal}");
            }
        };
        // Memory is there already in a game.
        all();
        counted(times, all);
        return true;
    }
    let (what, map) = match name {
        "field_terrain" => ("field", "rooms, noise"),
        _ => name.split_once('_').unwrap_or_default(),
    };
    if !OTHERS.contains(&name) {
        return false;
    }
    let ground = ground(map);
    let goal = ground.queries[0].1;
    match what {
        "field" => counted(times, || _ = black_box(DijkstraMap::toward(&ground.grid, [goal]).is_ok())),
        "flow" => match DijkstraMap::toward(&ground.grid, [goal]) {
            Ok(field) => counted(times, || _ = black_box(FlowField::new(&field, &ground.grid))),
            Err(error) => panic!("{error}"),
        },
        "grid" => counted(times, || _ = black_box(CostGrid::new(&ground.map, ground.grid.class()))),
        "repair" => repair(&ground, times),
        _ => return false,
    }
    true
}

fn repair(ground: &Ground, times: usize) {
    let (goal, cell) = (ground.queries[0].1, ground.queries[1].1);
    let (mut map, mut grid) = (ground.map.clone(), ground.grid.clone());
    let mut field = match DijkstraMap::toward(&grid, [goal]) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    };
    counted(times, || {
        for terrain in [0, 1].map(TerrainId) {
            assert!(map.edit([(cell, terrain)]).is_ok());
            grid.refresh(&map, ground.grid.class());
            assert!(field.repair(&grid, map.areas_since(field.revision()), [goal]).is_ok());
        }
    });
}

fn ground(name: &str) -> Ground {
    let (walls, terrain) = name.split_once(", ").unwrap_or((name, ""));
    if walls == "small" {
        let [open, ..] = ground::uniform(SMALL_SIDE, QUERIES);
        return open;
    }
    let all = ground::uniform(SIDE, QUERIES);
    match all.into_iter().find(|ground| ground.name.starts_with(walls)) {
        Some(ground) if terrain == "noise" => ground.with_noise(),
        Some(ground) if terrain == "zones" => ground.with_zones(),
        Some(ground) => ground,
        None => panic!("no map is called {name}"),
    }
}
