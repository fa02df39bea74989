//! Hierarchical pathfinding: building, catching up with an edit, whole paths, and the first cells of a path, against A*.
//!
//! Every path that is timed is compared with the cheapest one first. `cargo bench -p wayfield_bench --bench hierarchy -- --test` only compares.

mod timing;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wayfield::hierarchical_search::HierarchicalSearch;
use wayfield::search::Search;
use wayfield::{Cell, CellRect, Hierarchy};
use wayfield_bench::engine::{a_star, cost_of, over_clusters};
use wayfield_bench::ground::{self, Ground};

/// How many cells of a path a unit needs to set out.
const FIRST_CELLS: usize = 8;

/// Fails unless all paths are paths, and at most a tenth dearer than the cheapest ones.
fn compare(ground: &Ground, hierarchy: &Hierarchy) {
    let (mut plain, mut search) = (Search::default(), HierarchicalSearch::default());
    assert_eq!(ground.queries.len(), 4);
    for &(start, goal) in &ground.queries {
        let ends = (ground.node(start), ground.node(goal));
        let Some(optimum) = a_star(&mut plain, ground, ends) else { panic!("no way to {goal}") };
        let first = over_clusters(&mut search, ground, hierarchy, ends, FIRST_CELLS).to_vec();
        let way = over_clusters(&mut search, ground, hierarchy, ends, usize::MAX);
        assert_eq!((way.first(), way.last()), (Some(&ends.0), Some(&ends.1)));
        assert!(way.starts_with(&first) && first.len() >= FIRST_CELLS);
        let Some(cost) = cost_of(ground, way) else { panic!("an illegal step to {goal}") };
        let optimum = u64::from(optimum.raw());
        assert!(optimum <= cost && cost * 10 <= optimum * 11, "{cost} for {optimum}");
    }
}

fn hierarchies(criterion: &mut Criterion) {
    for ground in &ground::all(&[256, 512]) {
        let (grid, size) = (&ground.grid, ground.grid.size());
        let mut hierarchy = Hierarchy::new(grid, size);
        compare(ground, &hierarchy);
        let ends = ground.nodes();

        let mut group = criterion.benchmark_group(format!("hierarchy, {}", ground.name));
        group.bench_function("build", |bencher| bencher.iter(|| black_box(Hierarchy::new(grid, size))));
        let edited = CellRect::around(Cell::new(100, 100), 2);
        group.bench_function("catch up with an edit", |bencher| {
            bencher.iter(|| black_box(hierarchy.refresh(grid, edited)));
        });
        assert_eq!(hierarchy, Hierarchy::new(grid, size));
        let mut plain = Search::default();
        group.bench_function("a_star", |bencher| {
            bencher.iter(|| ends.iter().for_each(|&ends| _ = black_box(a_star(&mut plain, ground, ends))));
        });
        let mut search = HierarchicalSearch::default();
        for (name, cells) in [("path", usize::MAX), ("first cells", FIRST_CELLS)] {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for &ends in &ends {
                        black_box(over_clusters(&mut search, ground, &hierarchy, ends, cells));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = timing::brief();
    targets = hierarchies
}
criterion_main!(benches);
