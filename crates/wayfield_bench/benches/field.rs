//! Dijkstra maps: every cell's way to a source, and what follows from it, against other libraries and a plain sweep.
//!
//! Every answer that is timed is compared with the others first. `cargo bench -p wayfield_bench --bench field -- --test` only compares.
#![expect(clippy::unwrap_used, reason = "a bench that cannot set itself up must fail")]

mod timing;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wayfield::{Cell, Cost, CostGrid, DijkstraMap, FleeScale, FlowField, TerrainId};
use wayfield_bench::ground::{self, Ground};
use wayfield_bench::limits::PlainSweep;
use wayfield_bench::peers::{bracket, pathfinding};

fn field(grid: &CostGrid, goal: Cell) -> DijkstraMap {
    DijkstraMap::toward(grid, [goal]).unwrap()
}

/// Whether costs differ: `bracket-pathfinding` takes seconds for those.
fn is_weighted(ground: &Ground) -> bool {
    ground.grid.mixed_cells() > 0
}

fn compare(ground: &Ground, goal: Cell, plain: &PlainSweep) {
    let field = field(&ground.grid, goal);
    let swept = plain.toward(ground.node(goal));
    let cells = || ground.grid.size().rect().cells();
    for (cell, &value) in cells().zip(&swept) {
        let value = Some(value).filter(|&value| value != PlainSweep::UNREACHED);
        assert_eq!(field.value(cell), value.map(|value| Cost::from_raw(value).to_units()), "{cell}");
    }
    let mut reached = 1;
    for (node, cost) in pathfinding::toward(&ground.grid, ground.node(goal)) {
        let cell = ground.grid.size().cell(node);
        assert_eq!(field.value(cell), Some(Cost::from_raw(cost).to_units()), "{cell}");
        reached += 1;
    }
    assert_eq!(cells().filter(|&cell| field.value(cell).is_some()).count(), reached);
    if !is_weighted(ground) {
        for (cell, value) in cells().zip(bracket::dijkstra_map(&ground.grid, ground.node(goal))) {
            match field.value(cell) {
                // It says 2 of the source itself, since that is what the way there and back costs.
                Some(0.0) => {}
                Some(own) => assert!((own - f64::from(value)).abs() < 0.01 + own * 1e-4, "{cell}: {own}, {value}"),
                None => assert_eq!(value, f32::MAX),
            }
        }
    }
}

fn fields(criterion: &mut Criterion) {
    for ground in &ground::all(&[512, 1024]) {
        let goal = ground.queries[0].1;
        let plain = PlainSweep::new(&ground.grid);
        compare(ground, goal, &plain);
        let mut group = criterion.benchmark_group(&ground.name);
        group.bench_function("toward", |bencher| bencher.iter(|| black_box(field(&ground.grid, goal))));
        group.bench_function("plain sweep", |bencher| {
            bencher.iter(|| black_box(plain.toward(ground.node(goal))));
        });
        group.bench_function("dijkstra_all of pathfinding", |bencher| {
            bencher.iter(|| black_box(pathfinding::toward(&ground.grid, ground.node(goal)).count()));
        });
        if !is_weighted(ground) {
            group.bench_function("DijkstraMap of bracket-pathfinding", |bencher| {
                bencher.iter(|| black_box(bracket::dijkstra_map(&ground.grid, ground.node(goal))));
            });
        }
        let map = field(&ground.grid, goal);
        group.bench_function("flow field", |bencher| {
            bencher.iter(|| black_box(FlowField::new(&map, &ground.grid)));
        });
        group.bench_function("flee", |bencher| {
            let flee = || DijkstraMap::flee(&ground.grid, &ground.grid, [goal], FleeScale::default());
            bencher.iter(|| black_box(flee().unwrap()));
        });
        group.finish();
    }
}

/// One cell far from the source closes and opens again.
fn repairs(criterion: &mut Criterion) {
    for ground in &ground::all(&[512]) {
        let (cell, goal) = ground.queries[1];
        let (mut map, class) = (ground.map.clone(), ground.grid.class().clone());
        let (wall, was) = (TerrainId(0), map.terrain(cell).unwrap());
        let mut grid = ground.grid.clone();
        let mut map_of_grid = field(&grid, goal);
        let mut edit = |terrain, grid: &mut CostGrid, field: &mut DijkstraMap| {
            map.edit([(cell, terrain)]).unwrap();
            grid.refresh(&map, &class);
            field.repair(grid, map.areas_since(field.revision()), [goal]).unwrap()
        };
        for terrain in [wall, was] {
            let repair = edit(terrain, &mut grid, &mut map_of_grid);
            assert!(!repair.is_rebuilt && map_of_grid == field(&grid, goal));
        }
        criterion.benchmark_group(&ground.name).bench_function("refresh and repair twice", |bencher| {
            bencher.iter(|| [wall, was].map(|terrain| edit(terrain, &mut grid, &mut map_of_grid).cells));
        });
    }
}

/// What 100,000 units ask every tick.
fn followers(criterion: &mut Criterion) {
    let ground = &ground::all(&[1024])[1];
    let map = field(&ground.grid, ground.queries[0].1);
    let flow = FlowField::new(&map, &ground.grid);
    let cells: Vec<_> = ground.grid.size().rect().cells().collect();
    // In no order that a cache would like.
    let units: Vec<_> = (0..100_000).map(|unit| cells[unit * 7919 % cells.len()]).collect();
    for &cell in &units {
        assert_eq!(flow.next_step(cell), map.next_step(&ground.grid, cell));
    }
    criterion.bench_function("100,000 values and directions", |bencher| {
        bencher.iter(|| {
            let answers = units.iter().map(|&cell| (map.value(cell), flow.direction(cell)));
            answers.filter(|(value, direction)| value.is_some() && direction.is_some()).count()
        });
    });
}

criterion_group! {
    name = benches;
    config = timing::brief();
    targets = fields, repairs, followers
}
criterion_main!(benches);
