//! Repairs after edits, against searches from scratch.

use wayfield::search::Limits;
use wayfield::{Cell, CostGrid, PathQuery, ReplanMethod, Replanner, find_path};

use crate::model::board::{Mark, WayKind};
use crate::model::presets::Preset;
use crate::model::repair::Repair;
use crate::model::scene::Scene;
use crate::model::terrain::{PLAIN, WALL};

/// An edit of the scene, and what the repair makes of it.
fn edited(scene: &mut Scene, repair: &mut Repair, grid: &CostGrid, cells: &[Cell]) -> CostGrid {
    let toggled = |cell| if scene.terrain.terrain(cell) == Some(WALL) { PLAIN } else { WALL };
    let edits: Vec<_> = cells.iter().map(|&cell| (cell, toggled(cell))).collect();
    let change = scene.terrain.edit(edits).unwrap();
    let new = scene.grid();
    repair.edit(grid, &new, &change.cells).unwrap();
    new
}

#[test]
fn a_repair_ends_at_the_cost_of_a_search_from_scratch() {
    for method in ReplanMethod::ALL {
        let mut scene = Preset::Walls.scene(4).unwrap();
        let mut grid = scene.grid();
        let mut repair = Repair::begin(&grid, method, scene.start, scene.goal).unwrap();
        for round in 0..12 {
            let way = repair.replanner.path(&grid).map(|path| path.cells().to_vec()).unwrap_or_default();
            let Some(&block) = way.get(way.len() / 2 + round % 3) else { break };
            grid = edited(&mut scene, &mut repair, &grid, &[block]);
            assert!(repair.steps() == 0 || repair.is_over());
            repair.seek(&grid, usize::MAX);
            let fresh = find_path(&grid, &PathQuery::new(scene.start, scene.goal)).unwrap();
            assert_eq!(repair.fresh.as_ref(), Some(&fresh));
            let cost = repair.replanner.path(&grid).map(|path| path.cost().units());
            assert_eq!(cost, fresh.cost().map(|cost| cost.units()), "{method:?}, round {round}");
            assert_eq!(repair.steps() as u64, repair.replanner.stats().expanded);
        }
    }
}

#[test]
fn a_step_back_is_a_rerun_from_the_edit() {
    for method in ReplanMethod::ALL {
        let mut scene = Preset::Swamp.scene(1).unwrap();
        let grid = scene.grid();
        let mut repair = Repair::begin(&grid, method, scene.start, scene.goal).unwrap();
        let grid = edited(&mut scene, &mut repair, &grid, &[Cell::new(15, 13), Cell::new(14, 13)]);
        let begun = repair.clone();
        assert!(repair.steps() == 0 && !repair.is_over());
        repair.seek(&grid, usize::MAX);
        let steps = repair.steps();
        assert!(steps > 10 && repair.is_over());
        for target in [steps - 1, steps / 2, 1] {
            repair.seek(&grid, target + 1);
            repair.seek(&grid, target);
            let mut again = begun.clone();
            again.seek(&grid, target);
            assert_eq!(repair.board(&scene.terrain, &grid, None), again.board(&scene.terrain, &grid, None));
            assert!(!repair.is_over());
        }
    }
}

#[test]
fn what_a_board_says_of_a_cell_is_what_the_replanner_says() {
    let mut scene = Preset::Swamp.scene(1).unwrap();
    let grid = scene.grid();
    let mut repair = Repair::begin(&grid, ReplanMethod::LpaStar, scene.start, scene.goal).unwrap();
    let way = repair.replanner.path(&grid).unwrap();
    let block = way.cells()[way.len() / 2];
    let grid = edited(&mut scene, &mut repair, &grid, &[block]);
    let before = repair.board(&scene.terrain, &grid, None);
    assert_eq!(before.edited, [block]);
    assert!(before.count(Mark::Dearer) > 0, "the cells behind the wall got dearer");
    repair.seek(&grid, 5);
    let board = repair.board(&scene.terrain, &grid, None);
    for (node, view) in (0..).zip(&board.cells) {
        let search = repair.replanner.search();
        let (g, rhs) =
            (search.g(node).map_or(u32::MAX, |g| g.raw()), search.rhs(node).map_or(u32::MAX, |rhs| rhs.raw()));
        match view.mark {
            Mark::Cheaper => assert!(g > rhs),
            Mark::Dearer => assert!(g < rhs),
            Mark::Closed(_) => assert!(g == rhs && g != u32::MAX),
            Mark::Repaired => assert_eq!(g, rhs),
            _ => assert_eq!((g, rhs), (u32::MAX, u32::MAX)),
        }
    }
    repair.seek(&grid, usize::MAX);
    let kinds: Vec<_> = repair.board(&scene.terrain, &grid, None).ways.iter().map(|way| way.kind).collect();
    assert_eq!(kinds, [WayKind::Before, WayKind::Found]);
}

#[test]
fn an_edit_that_matters_to_nobody_is_no_work() {
    let mut scene = Preset::Swamp.scene(1).unwrap();
    let grid = scene.grid();
    let mut repair = Repair::begin(&grid, ReplanMethod::LpaStar, scene.start, scene.goal).unwrap();
    let grid = edited(&mut scene, &mut repair, &grid, &[Cell::new(30, 0)]);
    assert!(repair.is_over() && repair.steps() == 0);
    assert!(repair.fresh.as_ref().unwrap().stats.expanded > 0);
    assert!(!repair.step(&grid));
}
