//! Hierarchical pathfinding: building, catching up with an edit, whole paths, and the first cells of a path, against A*.
//!
//! Every path that is timed is compared with the cheapest one first. `cargo bench -p wayfield -- --test` only compares.

#[expect(dead_code, reason = "this bench needs only a part of it")]
mod ground;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ground::{Ground, successors};
use wayfield::hierarchical_search::HierarchicalSearch;
use wayfield::search::{Ending, Limits, Order, Search};
use wayfield::space::Goal;
use wayfield::{Cell, CellRect, Cost, Heuristic, Hierarchy, NodeId, Tie};

/// How many cells of a path a unit needs to set out.
const FIRST_CELLS: usize = 8;

/// The cell to find on a map.
struct Target<'a> {
    ground: &'a Ground,
    node: NodeId,
    cell: Cell,
    cheapest: u32,
}

impl Goal for Target<'_> {
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.node
    }

    fn estimate(&self, node: NodeId) -> Cost {
        let cell = self.ground.grid.size().cell(node);
        Heuristic::Octile.estimate(cell, self.cell).saturating_mul(self.cheapest)
    }
}

fn toward<'a>(ground: &'a Ground) -> impl Fn(NodeId) -> Target<'a> {
    let (size, cheapest) = (ground.grid.size(), ground.grid.cheapest_cost());
    move |node| Target { ground, node, cell: size.cell(node), cheapest }
}

/// The cost of a cheapest path.
fn by_a_star(search: &mut Search, ground: &Ground, (start, goal): (NodeId, NodeId)) -> Option<Cost> {
    let target = toward(ground)(goal);
    search.begin(Order::a_star(Tie::HighG), &ground.grid, &[(start, Cost::ZERO)], &target);
    let Ending::Found(end) = search.run(&ground.grid, &target, Limits::NONE) else { return None };
    search.cost_to(end)
}

/// The first cells of a path, or all of them.
fn by_clusters<'a>(
    search: &'a mut HierarchicalSearch,
    ground: &Ground,
    hierarchy: &Hierarchy,
    ends: (NodeId, NodeId),
    cells: usize,
) -> &'a [NodeId] {
    search.begin(&ground.grid, ends, toward(ground));
    search.run_ahead(hierarchy, &ground.grid, toward(ground), Limits::NONE, cells);
    search.way()
}

/// What a way costs, each step of which must be one of the map.
fn cost_of(ground: &Ground, way: &[NodeId]) -> Option<u64> {
    let steps = way.windows(2).map(|pair| {
        let steps = successors(&ground.grid, pair[0]);
        steps.into_iter().find(|&(next, _)| next == pair[1]).map(|(_, cost)| u64::from(cost))
    });
    steps.sum()
}

/// Fails unless all paths are paths, and at most a tenth dearer than the cheapest ones.
fn compare(ground: &Ground, hierarchy: &Hierarchy) {
    let (mut plain, mut search) = (Search::default(), HierarchicalSearch::default());
    assert_eq!(ground.queries.len(), 4);
    for &(start, goal) in &ground.queries {
        let ends = (ground.node(start), ground.node(goal));
        let Some(optimum) = by_a_star(&mut plain, ground, ends) else { panic!("no way to {goal}") };
        let first = by_clusters(&mut search, ground, hierarchy, ends, FIRST_CELLS).to_vec();
        let way = by_clusters(&mut search, ground, hierarchy, ends, usize::MAX);
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
        let ends = ground.queries.iter().map(|&(start, goal)| (ground.node(start), ground.node(goal)));
        let ends: Vec<_> = ends.collect();

        let mut group = criterion.benchmark_group(format!("hierarchy, {}", ground.name));
        group.bench_function("build", |bencher| bencher.iter(|| black_box(Hierarchy::new(grid, size))));
        let edited = CellRect::around(Cell::new(100, 100), 2);
        group.bench_function("catch up with an edit", |bencher| {
            bencher.iter(|| black_box(hierarchy.refresh(grid, edited)));
        });
        assert_eq!(hierarchy, Hierarchy::new(grid, size));
        let mut plain = Search::default();
        group.bench_function("a_star", |bencher| {
            bencher.iter(|| ends.iter().for_each(|&ends| _ = black_box(by_a_star(&mut plain, ground, ends))));
        });
        let mut search = HierarchicalSearch::default();
        for (name, cells) in [("path", usize::MAX), ("first cells", FIRST_CELLS)] {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for &ends in &ends {
                        black_box(by_clusters(&mut search, ground, &hierarchy, ends, cells));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = hierarchies
}
criterion_main!(benches);
