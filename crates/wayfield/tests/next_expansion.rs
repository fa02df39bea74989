//! Whoever watches a search knows beforehand what it expands next.
#![expect(clippy::unwrap_used, reason = "a test stops where something is wrong")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::Dice;
use wayfield::search::{Limits, NodeState};
use wayfield::{Algorithm, Cell, CostGrid, NodeId, PathQuery, PathSearch, ReplanMethod, Replanner, parse_map};

/// The expanded nodes in order, one step at a time, and that looking ahead changes nothing.
fn watched(grid: &CostGrid, query: &PathQuery) -> Vec<NodeId> {
    let mut search = PathSearch::default();
    let mut answer = search.begin(grid, query).unwrap();
    let mut order = Vec::new();
    while answer.is_none() {
        let before = search.stats().expanded;
        let next = search.next_expansion(grid);
        assert_eq!(search.next_expansion(grid), next, "looking twice shows the same");
        answer = search.advance(grid, 1);
        let expanded = search.stats().expanded - before;
        assert_eq!(expanded, u64::from(next.is_some()), "{}: {next:?}", query.algorithm);
        order.extend(next);
    }
    assert_eq!(search.next_expansion(grid), None, "it is over");
    assert_eq!(answer, Some(PathSearch::default().find(grid, query).unwrap()));
    order
}

#[test]
fn a_step_expands_what_was_announced() {
    let mut dice = Dice::new(11);
    for round in 0..60 {
        let (width, height) = if round % 10 == 0 { (90, 70) } else { (9, 7) };
        let rows =
            (0..height).map(|_| (0..width).map(|_| b"...23#"[dice.roll(6) as usize] as char).collect::<String>());
        let text = rows.collect::<Vec<_>>().join("\n");
        let map = parse_map(text.as_bytes()).unwrap();
        let mut grid = CostGrid::new(&map.terrain, &map.default_class());
        grid.build_hierarchy();
        for algorithm in Algorithm::ALL {
            let ends = (Cell::new(0, 0), Cell::new(width - 1, height - 1));
            let query = PathQuery { algorithm, ..PathQuery::new(ends.0, ends.1) };
            let order = watched(&grid, &query);
            let mut search = PathSearch::default();
            let answer = search.find(&grid, &query).unwrap();
            assert_eq!(order.len() as u64, answer.stats.expanded);
            if search.hierarchical_search().is_none() && search.replanner().is_none() {
                let sides = [Some(search.search()), search.backward_search()];
                let closed = |node| sides.iter().flatten().any(|side| side.state(node) == NodeState::Closed);
                assert!(order.iter().all(|&node| closed(node)), "{algorithm}");
            }
        }
    }
}

#[test]
fn after_an_edit_it_is_what_the_replanner_touches() {
    let mut map = parse_map(b".....\n.....\n.....\n").unwrap();
    let class = map.default_class();
    let mut grid = CostGrid::new(&map.terrain, &class);
    for method in ReplanMethod::ALL {
        let mut replanner = Replanner::default();
        assert_eq!(replanner.next_expansion(), None, "nothing is asked");
        replanner.begin(&grid, method, Cell::new(0, 1), Cell::new(4, 1)).unwrap();
        replanner.run(&grid, Limits::NONE);
        assert_eq!(replanner.next_expansion(), None);
        map.terrain.edit([(Cell::new(2, 1), wayfield::TerrainId(b'#'))]).unwrap();
        let dirty = grid.refresh(&map.terrain, &class);
        replanner.refresh(&grid, dirty).unwrap();
        while let Some(next) = replanner.next_expansion() {
            let g = replanner.search().g(next);
            replanner.run(&grid, Limits { slice: 1, ..Limits::NONE });
            assert_ne!(replanner.search().g(next), g, "an expansion changes the g of its node");
        }
        map.terrain.edit([(Cell::new(2, 1), wayfield::TerrainId(b'.'))]).unwrap();
        grid.refresh(&map.terrain, &class);
    }
}

#[test]
fn the_estimate_is_the_h_of_the_priorities() {
    let map = parse_map(b"33333\n33333\n").unwrap();
    let grid = CostGrid::new(&map.terrain, &map.default_class());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 1));
    assert!((query.estimate(&grid, query.start).to_units() - 3.0 * (3.0 + 2f64.sqrt())).abs() < 1e-5);
    let zero = PathQuery { heuristic: Some(wayfield::Heuristic::Zero), ..query };
    assert_eq!(zero.estimate(&grid, query.start).raw(), 0);
}
