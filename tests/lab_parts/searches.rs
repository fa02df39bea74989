//! A search, step by step, against what is known of it and against a rerun.

use wayfield::bidirectional::Side;
use wayfield::search::NodeState;
use wayfield::{Algorithm, Cell, CornerRule, CostGrid, Heuristic, NodeId, PathQuery, PathSearch, Tie, find_path};

use crate::model::board::{Board, Mark, Numbers, WayKind};
use crate::model::legend::{Sign, legend};
use crate::model::playback::Playback;
use crate::model::presets::Preset;
use crate::model::scene::Scene;
use crate::model::search::{self, References, Shown};
use crate::model::timeline::Timeline;

fn scene(preset: Preset) -> (Scene, CostGrid) {
    let scene = preset.scene(1).unwrap();
    let grid = scene.grid();
    (scene, grid)
}

fn query(scene: &Scene, algorithm: Algorithm, tie: Tie) -> PathQuery {
    PathQuery { algorithm, tie, ..PathQuery::new(scene.start, scene.goal) }
}

fn board(scene: &Scene, grid: &CostGrid, timeline: &Timeline) -> Board {
    let references = References::find(grid, scene.start, scene.goal);
    search::board(&scene.terrain, grid, timeline, &references, Shown { parents: true, hovered: None })
}

/// Expanded cells in order, as digits of row and column.
fn cells(table: &str) -> Vec<Cell> {
    let number = |text: &str| text.parse::<i32>().unwrap();
    table.split(' ').map(|pair| Cell::new(number(&pair[1..]), number(&pair[..1]))).collect()
}

#[test]
fn every_step_on_grid_a_is_the_one_of_the_table() {
    let (scene, grid) = scene(Preset::GridA);
    let bfs = "00 10 01 20 11 30 21 40 31 41 32 42 33 43 23 34 44";
    let dfs = "00 10 20 30 40 41 42 32 33 23 13 03 04 14 24 34 44";
    let a_star = "00 01 10 11 20 21 30 31 40 32 41 33 42 34 43 44";
    for (algorithm, table) in [(Algorithm::Bfs, bfs), (Algorithm::Dfs, dfs), (Algorithm::AStar, a_star)] {
        let order = cells(table);
        let mut timeline = Timeline::begin(&grid, query(&scene, algorithm, Tie::LowG)).unwrap();
        for (step, &cell) in (1..).zip(&order) {
            assert!(timeline.step(&grid), "{algorithm} has {} steps", order.len());
            let board = board(&scene, &grid, &timeline);
            assert_eq!(board.current, Some(cell), "{algorithm}, step {step}");
            let closed: Vec<_> = scene
                .terrain
                .size()
                .rect()
                .cells()
                .filter(|&cell| board.cell(cell).unwrap().mark == Mark::Closed(Side::Forward))
                .collect();
            let mut expected = order[..step].to_vec();
            expected.sort_unstable_by_key(|cell| (cell.y, cell.x));
            assert_eq!(closed, expected, "{algorithm}, step {step}");
        }
        assert!(!timeline.step(&grid) && timeline.answer().is_some());
    }
    for (algorithm, expansions) in [(Algorithm::AStar, 9), (Algorithm::Greedy, 9)] {
        let mut timeline = Timeline::begin(&grid, query(&scene, algorithm, Tie::HighG)).unwrap();
        timeline.seek(&grid, usize::MAX);
        assert_eq!(timeline.steps(), expansions);
        assert_eq!(timeline.answer().unwrap().cost().unwrap().units(), 8.0);
    }
}

#[test]
fn dijkstra_settles_grid_b_at_the_costs_of_the_table() {
    let (scene, grid) = scene(Preset::GridB);
    let mut timeline = Timeline::begin(&grid, query(&scene, Algorithm::Dijkstra, Tie::LowG)).unwrap();
    timeline.seek(&grid, usize::MAX);
    let board = board(&scene, &grid, &timeline);
    let costs = [0, 1, 4, 5, 6, 1, 2, 5, 6, 7, 2, 5, 8, 7, 8, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8];
    for (view, cost) in board.cells.iter().zip(costs) {
        assert_eq!(view.numbers, Numbers::Search { g: f64::from(cost), h: None, f: None });
    }
    assert!(board.facts.contains(&"cost 8, 8 steps".to_owned()), "{:?}", board.facts);
}

#[test]
fn the_opening_map_has_both_ways_on_it() {
    let (scene, grid) = scene(Preset::Swamp);
    assert_eq!((scene.goal.x - scene.start.x, scene.goal.y), (22, scene.start.y));
    let timeline = Timeline::begin(&grid, query(&scene, Algorithm::AStar, Tie::HighG)).unwrap();
    let notes: Vec<_> = board(&scene, &grid, &timeline).ways.into_iter().map(|way| (way.kind, way.note)).collect();
    assert_eq!(
        notes,
        [
            (WayKind::FewestSteps, "fewest steps: cost 37, 22 steps".to_owned()),
            (WayKind::Cheapest, "cheapest: cost 30, 30 steps".to_owned()),
        ]
    );
    // Erasing a row of the band opens a short way at once.
    for away in 0..3 {
        let mut edited = scene.clone();
        let row = (14..=16).map(|x| (Cell::new(x, scene.start.y + away), crate::model::terrain::PLAIN));
        edited.terrain.edit(row).unwrap();
        let best = References::find(&edited.grid(), scene.start, scene.goal).cheapest.unwrap();
        assert_eq!(best.cost().units(), f64::from(22 + 2 * away));
    }
}

#[test]
fn on_one_terrain_dijkstra_spreads_like_breadth_first_search() {
    let (mut scene, _) = scene(Preset::Swamp);
    let all: Vec<_> = scene.terrain.size().rect().cells().map(|cell| (cell, crate::model::terrain::SWAMP)).collect();
    scene.terrain.edit(all).unwrap();
    let grid = scene.grid();
    let seen = |algorithm| {
        let mut timeline = Timeline::begin(&grid, query(&scene, algorithm, Tie::LowG)).unwrap();
        timeline.seek(&grid, 85);
        board(&scene, &grid, &timeline).cells.iter().map(|cell| cell.mark).collect::<Vec<_>>()
    };
    // 85 cells are within 6 steps: both have a diamond.
    assert_eq!(seen(Algorithm::Dijkstra), seen(Algorithm::Bfs));
}

#[test]
fn a_step_back_is_a_rerun_that_stops_earlier() {
    for preset in [Preset::Swamp, Preset::DeadEnd, Preset::Maze, Preset::Noise] {
        let (scene, grid) = scene(preset);
        for algorithm in Algorithm::ALL {
            let query = query(&scene, algorithm, Tie::HighG);
            let mut timeline = Timeline::begin(&grid, query).unwrap();
            timeline.seek(&grid, usize::MAX);
            let (steps, order) = (timeline.steps(), timeline.order().to_vec());
            assert_eq!(timeline.answer(), Some(&find_path(&grid, &query).unwrap()), "{algorithm} on {preset:?}");
            assert_eq!(steps as u64, timeline.answer().unwrap().stats.expanded);
            for target in [steps.saturating_sub(1), steps / 2, 1, 0] {
                timeline.seek(&grid, target + 1);
                assert_eq!(timeline.steps(), steps.min(target + 1), "{algorithm} on {preset:?}");
                timeline.seek(&grid, target);
                let mut again = Timeline::begin(&grid, query).unwrap();
                for _ in 0..target {
                    assert!(again.step(&grid));
                }
                assert_eq!(timeline.order(), &order[..target]);
                assert_eq!(board(&scene, &grid, &timeline), board(&scene, &grid, &again), "{algorithm}, {target}");
                assert_eq!(timeline.search().stats(), again.search().stats());
            }
            assert_eq!(timeline.steps(), 0);
        }
    }
}

#[test]
fn after_n_steps_every_cell_is_what_the_core_says_after_a_slice_of_n() {
    let (scene, grid) = scene(Preset::Noise);
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.replan_method().is_none()) {
        let query = query(&scene, algorithm, Tie::HighG);
        let mut timeline = Timeline::begin(&grid, query).unwrap();
        timeline.seek(&grid, 40);
        let mut core = PathSearch::default();
        core.begin(&grid, &query).unwrap();
        let answer = core.advance(&grid, 40);
        assert_eq!(answer.is_some(), timeline.answer().is_some(), "{algorithm}");
        let board = board(&scene, &grid, &timeline);
        for (node, view) in (0..).zip(&board.cells) {
            let forward = core.search().state(node);
            let backward = core.backward_search().map_or(NodeState::Unseen, |side| side.state(node));
            let expected = match (forward, backward) {
                (NodeState::Unseen, NodeState::Unseen) => Mark::Unseen,
                (NodeState::Open, NodeState::Unseen) => Mark::Open(Side::Forward),
                (NodeState::Closed, NodeState::Unseen) => Mark::Closed(Side::Forward),
                (NodeState::Unseen, NodeState::Open) => Mark::Open(Side::Backward),
                (NodeState::Unseen, NodeState::Closed) => Mark::Closed(Side::Backward),
                _ => Mark::Met,
            };
            assert_eq!(view.mark, expected, "{algorithm}, node {node}");
            if let Numbers::Search { g, h: Some(h), f: Some(f) } = view.numbers
                && matches!(algorithm, Algorithm::AStar | Algorithm::Jps)
            {
                assert!((g + h - f).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_chain_leads_back_to_where_the_search_began() {
    let (scene, grid) = scene(Preset::Swamp);
    for algorithm in Algorithm::ALL {
        let mut timeline = Timeline::begin(&grid, query(&scene, algorithm, Tie::HighG)).unwrap();
        timeline.seek(&grid, usize::MAX);
        let end = if algorithm == Algorithm::DStarLite { scene.start } else { scene.goal };
        let chain = search::chain(&timeline, end, &grid);
        let ends = [scene.start, scene.goal];
        let first = chain.first().copied().unwrap();
        assert!(ends.contains(&first) && ends.contains(chain.last().unwrap()), "{algorithm}: {chain:?}");
        assert!(search::chain(&timeline, Cell::new(-1, 0), &grid).is_empty());
    }
}

#[test]
fn an_overestimate_is_warned_of_with_what_it_costs() {
    let mut scene = Preset::Noise.scene(1).unwrap();
    scene.rule = CornerRule::Always;
    let grid = scene.grid();
    let plain = query(&scene, Algorithm::AStar, Tie::HighG);
    let greedy = PathQuery { heuristic: Some(Heuristic::Manhattan), ..plain };
    let warnings = |query| {
        let mut timeline = Timeline::begin(&grid, query).unwrap();
        timeline.seek(&grid, usize::MAX);
        board(&scene, &grid, &timeline).warnings
    };
    assert!(warnings(plain).is_empty());
    let warned = warnings(greedy);
    assert!(warned[0].contains("manhattan overestimates"), "{warned:?}");
    let trap = Preset::Trap.scene(1).unwrap();
    let grid = trap.grid();
    let mut timeline = Timeline::begin(&grid, query(&trap, Algorithm::Greedy, Tie::HighG)).unwrap();
    timeline.seek(&grid, usize::MAX);
    let warned = board(&trap, &grid, &timeline).warnings;
    assert!(warned.iter().any(|line| line.contains("cost 102 where 20 would do")), "{warned:?}");
}

#[test]
fn the_legend_has_exactly_what_is_on_the_board() {
    let (scene, grid) = scene(Preset::Swamp);
    let timeline = |algorithm, steps| {
        let mut timeline = Timeline::begin(&grid, query(&scene, algorithm, Tie::HighG)).unwrap();
        timeline.seek(&grid, steps);
        timeline
    };
    let signs = |timeline: Timeline| {
        legend(&board(&scene, &grid, &timeline)).into_iter().map(|(sign, _)| sign).collect::<Vec<_>>()
    };
    let begun = signs(timeline(Algorithm::AStar, 0));
    assert!(!begun.contains(&Sign::Current) && !begun.contains(&Sign::Mark(Mark::Closed(Side::Forward))));
    let one_way = signs(timeline(Algorithm::AStar, 30));
    assert!(one_way.contains(&Sign::Current) && one_way.contains(&Sign::Mark(Mark::Closed(Side::Forward))));
    assert!(!one_way.contains(&Sign::Mark(Mark::Closed(Side::Backward))));
    assert!(signs(timeline(Algorithm::BidirectionalDijkstra, 30)).contains(&Sign::Mark(Mark::Closed(Side::Backward))));
    assert!(signs(timeline(Algorithm::Jps, 3)).contains(&Sign::Node));
}

#[test]
fn a_far_way_shows_clusters_and_the_coarse_way() {
    let (scene, grid) = scene(Preset::Clusters);
    let mut timeline = Timeline::begin(&grid, query(&scene, Algorithm::HpaStar, Tie::HighG)).unwrap();
    timeline.seek(&grid, usize::MAX);
    let board = board(&scene, &grid, &timeline);
    assert_eq!(board.clusters.len(), 8 * 4);
    let kinds: Vec<_> = board.ways.iter().map(|way| way.kind).collect();
    assert!(kinds.contains(&WayKind::Coarse) && kinds.contains(&WayKind::Found), "{kinds:?}");
    assert!(board.cells.iter().any(|cell| cell.is_node));
}

#[test]
fn playback_counts_steps_by_time() {
    let mut playback = Playback::default();
    assert_eq!(playback.steps_after(10.0), 0, "it stands");
    playback.toggle();
    playback.set_speed(10.0);
    assert_eq!((0..10).map(|_| playback.steps_after(0.05)).sum::<usize>(), 5);
    assert_eq!(playback.steps_after(1e9), 10, "it does not catch up with a long pause");
    for (speed, kept) in [(f64::NAN, 10.0), (0.0, 1.0), (1e300, 5000.0)] {
        playback.set_speed(speed);
        assert_eq!(playback.speed(), kept);
        playback.set_speed(10.0);
    }
    assert_eq!(playback.steps_after(f64::NAN), 0);
}
