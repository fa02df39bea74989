//! Dijkstra maps: every cell's way to a source, against the `pathfinding` crate.
//!
//! Every answer that is timed is compared with the other first. `cargo bench -p wayfield -- --test` only compares.

mod ground;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ground::{Ground, successors};
use pathfinding::prelude::dijkstra_all;
use wayfield::space::Reverse;
use wayfield::{Cell, Cost, DijkstraMap};

fn field(ground: &Ground, goal: Cell) -> DijkstraMap {
    match DijkstraMap::toward(&ground.grid, [goal]) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    }
}

/// How many cells the peer has a value for, and the values.
fn peer(ground: &Ground, goal: Cell) -> impl Iterator<Item = (Cell, u32)> {
    let steps = Reverse(&ground.grid);
    let reached = dijkstra_all(&ground.node(goal), |&node| successors(&steps, node));
    let size = ground.grid.size();
    reached.into_iter().map(move |(node, (_, cost))| (size.cell(node), cost))
}

fn compare(ground: &Ground, goal: Cell) {
    let field = field(ground, goal);
    let mut reached = 1;
    for (cell, cost) in peer(ground, goal) {
        assert_eq!(field.value(cell), Some(Cost::from_raw(cost).to_units()), "{cell}");
        reached += 1;
    }
    let cells = ground.grid.size().rect().cells();
    assert_eq!(cells.filter(|&cell| field.value(cell).is_some()).count(), reached);
    assert_eq!(field.value(goal), Some(0.0));
}

fn fields(criterion: &mut Criterion) {
    for ground in &ground::all() {
        let goal = ground.queries[0].1;
        compare(ground, goal);
        let mut group = criterion.benchmark_group(&ground.name);
        group.bench_function("toward", |bencher| bencher.iter(|| black_box(field(ground, goal))));
        group.bench_function("dijkstra_all of pathfinding", |bencher| {
            bencher.iter(|| black_box(peer(ground, goal).count()));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = fields
}
criterion_main!(benches);
