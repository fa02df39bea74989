//! Clusters: how soon a unit can set out, what its way costs, and how long they take to build and to repair.

use std::hint::black_box;

use wayfield::hierarchical_search::HierarchicalSearch;
use wayfield::search::Search;
use wayfield::{CellRect, Hierarchy};
use wayfield_bench::engine::{a_star, cost_of, over_clusters};
use wayfield_bench::ground::{self, Ground};

use super::{Effort, Findings};
use crate::report::{Bound, Line};
use crate::rounds::{Contestant, Times, geometric_means, take_turns};

/// How many cells of a path a unit needs to set out.
const FIRST_CELLS: usize = 8;
const FIRST: &str = "first cells";
const A_STAR: &str = "a_star";
const BUILD: &str = "build";
const EDIT: &str = "edit";

/// Compares on weighted ground: the large maps for ways, the small ones for building.
pub fn compare(effort: Effort, findings: &mut Findings) {
    let [small, large] = effort.sides;
    let weighted = |side| {
        let uniform = ground::uniform(side, 4);
        let zones: Vec<_> = uniform.iter().map(Ground::with_zones).collect();
        zones.into_iter().chain(ground::all(&[side]).into_iter().filter(|ground| ground.name.starts_with("weighted")))
    };
    let mut dearer = Vec::new();
    let ways: Vec<_> = weighted(large).map(|ground| ways(&ground, effort, &mut dearer).ratios(A_STAR, FIRST)).collect();
    let lines = &mut findings.lines;
    let what =
        format!("clusters on weighted {large} x {large}: `a_star` / the first {FIRST_CELLS} cells of `hpa_star`");
    lines.push(Line::new(what, "x", geometric_means(&ways), Bound::AtLeast(5.0)));
    let mean = dearer.iter().sum::<f64>() / dearer.len() as f64;
    lines.push(Line::new("the cost of those ways / the cheapest, on average", "x", vec![mean], Bound::AtMost(1.04)));
    let builds: Vec<_> = weighted(small).map(|ground| building(&ground, effort)).collect();
    let milliseconds = |name| {
        let all: Vec<Vec<f64>> =
            builds.iter().map(|times| times.of(name).iter().map(|time| time * 1e3).collect()).collect();
        geometric_means(&all)
    };
    let what = format!("clusters of {small} x {small}: building them");
    lines.push(Line::new(what, "ms", milliseconds(BUILD), Bound::AtMost(80.0)).with_goal(Bound::AtMost(25.0)));
    lines.push(Line::new("the same after an edit of one cell", "ms", milliseconds(EDIT), Bound::AtMost(0.2)));
}

/// Notes what the ways cost, and times their first cells.
fn ways(ground: &Ground, effort: Effort, dearer: &mut Vec<f64>) -> Times {
    let hierarchy = Hierarchy::new(&ground.grid, ground.grid.size());
    let (mut plain, mut search) = (Search::default(), HierarchicalSearch::default());
    let nodes = ground.nodes();
    for &ends in &nodes {
        let Some(optimum) = a_star(&mut plain, ground, ends) else { panic!("{}: no way", ground.name) };
        let way = over_clusters(&mut search, ground, &hierarchy, ends, usize::MAX);
        assert_eq!((way.first(), way.last()), (Some(&ends.0), Some(&ends.1)), "{}", ground.name);
        let Some(cost) = cost_of(ground, way) else { panic!("{}: an illegal step", ground.name) };
        assert!(cost >= u64::from(optimum.raw()), "{}: cheaper than the cheapest", ground.name);
        dearer.push(cost as f64 / f64::from(optimum.raw()));
    }
    let first = Contestant::new(FIRST, || {
        for &ends in &nodes {
            black_box(over_clusters(&mut search, ground, &hierarchy, ends, FIRST_CELLS));
        }
    });
    let whole =
        Contestant::new(A_STAR, || nodes.iter().for_each(|&ends| _ = black_box(a_star(&mut plain, ground, ends))));
    take_turns(effort.rounds, vec![first, whole])
}

fn building(ground: &Ground, effort: Effort) -> Times {
    let (grid, size) = (&ground.grid, ground.grid.size());
    let mut hierarchy = Hierarchy::new(grid, size);
    let untouched = hierarchy.clone();
    let build = Contestant::new(BUILD, || _ = black_box(Hierarchy::new(grid, size)));
    // One cell, and those around it whose steps depend on it.
    let edited = CellRect::around(ground.queries[0].0, 1);
    let edit = Contestant::new(EDIT, || _ = hierarchy.refresh(grid, edited));
    let times = take_turns(effort.rounds, vec![build, edit]);
    assert_eq!(hierarchy, untouched, "{}: another hierarchy", ground.name);
    times
}
