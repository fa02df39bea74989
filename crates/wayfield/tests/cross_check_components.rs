//! Components on maps of many chunks, kept up to date through edits, against plain floods and against new grids.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Layers, Mover};
use wayfield::{Cell, CornerRule, CostGrid, TerrainId};

/// Sides below, at and above those of chunks, single rows and columns.
const SIZES: [(i32, i32); 8] = [(1, 131), (97, 1), (33, 65), (64, 64), (31, 70), (95, 34), (71, 97), (129, 40)];

fn noise(dice: &mut Dice, (width, height): (i32, i32), rule: CornerRule) -> Ground {
    let walls = dice.roll(71);
    let terrain = (0..width * height).map(|_| u8::from(dice.roll(100) >= walls)).collect();
    Ground { width, height, terrain, mover: Mover::Plain, rule, layers: Layers::default() }
}

/// Which cells a mover that starts anywhere, even in a wall, can enter or is in.
fn flood(ground: &Ground, start: Cell, seen: &mut [bool]) -> Vec<usize> {
    seen[ground.index(start)] = true;
    let mut reached = vec![ground.index(start)];
    let mut pending = vec![start];
    while let Some(here) = pending.pop() {
        for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let there = Cell::new(here.x + dx, here.y + dy);
            if ground.is_legal(here, there) && !seen[ground.index(there)] {
                seen[ground.index(there)] = true;
                reached.push(ground.index(there));
                pending.push(there);
            }
        }
    }
    reached
}

fn flooded(ground: &Ground) -> Vec<Option<u32>> {
    let mut labels = vec![None; ground.terrain.len()];
    let mut seen = vec![false; ground.terrain.len()];
    let mut label = 0;
    for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
        if !seen[ground.index(cell)] {
            for index in flood(ground, cell, &mut seen) {
                labels[index] = Some(label);
            }
            label += 1;
        }
    }
    labels
}

/// A batch of edits: a cell, several cells, a rectangle or the whole map.
fn batch(dice: &mut Dice, ground: &Ground) -> Vec<(Cell, TerrainId)> {
    let cell = |dice: &mut Dice| (dice.cell(ground), TerrainId(dice.roll(2) as u8));
    match dice.roll(20) {
        0 => {
            let walls = dice.roll(101);
            ground.cells().map(|cell| (cell, TerrainId(u8::from(dice.roll(100) >= walls)))).collect()
        }
        1..=6 => {
            let (from, to, kind) = (dice.cell(ground), dice.cell(ground), dice.roll(3));
            let within = |cell: &Cell| (from.x..=to.x).contains(&cell.x) && (from.y..=to.y).contains(&cell.y);
            let terrain = |dice: &mut Dice| TerrainId(if kind == 2 { dice.roll(2) } else { kind } as u8);
            ground.cells().filter(within).map(|cell| (cell, terrain(dice))).collect()
        }
        7..=9 => (0..dice.roll(12)).map(|_| cell(dice)).collect(),
        _ => vec![cell(dice)],
    }
}

#[test]
fn components_after_edits_are_those_of_a_flood_and_of_a_new_grid() {
    let mut dice = Dice::new(81);
    let (mut edits, mut questions) = (0, 0);
    for (size, rule) in SIZES.into_iter().flat_map(|size| CornerRule::ALL.map(|rule| (size, rule))) {
        let mut ground = noise(&mut dice, size, rule);
        let (mut map, class) = (ground.map(), ground.class());
        let mut grid = CostGrid::new(&map, &class);
        for _ in 0..40 {
            let batch = batch(&mut dice, &ground);
            for &(cell, terrain) in &batch {
                let index = ground.index(cell);
                ground.terrain[index] = terrain.0;
            }
            map.edit(batch).unwrap();
            edits += 1;
            grid.refresh(&map, &class);
            assert_eq!(grid, CostGrid::new(&map, &class), "{rule:?}");
            let labels: Vec<_> = ground.cells().map(|cell| grid.component(cell)).collect();
            assert_eq!(labels, flooded(&ground), "{ground:?}");
            for _ in 0..2 {
                let start = dice.cell(&ground);
                let mut reached = vec![false; ground.terrain.len()];
                flood(&ground, start, &mut reached);
                for _ in 0..5 {
                    let goal = dice.cell(&ground);
                    questions += 1;
                    let expected = ground.is_open(goal) && reached[ground.index(goal)];
                    assert_eq!(grid.is_reachable(start, goal), expected, "{start} to {goal} on {ground:?}");
                }
            }
        }
    }
    assert!(edits >= 1000 && questions >= 10_000);
}

#[test]
fn a_snake_over_many_chunks_is_one_component_until_it_is_cut() {
    // Corridors one cell wide, joined at alternate ends: every chunk has many regions, all of one component.
    let (width, height) = (101, 99);
    let is_wall = |x: i32, y: i32| y % 2 == 1 && x != if y % 4 == 1 { width - 1 } else { 0 };
    for rule in CornerRule::ALL {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| u8::from(!is_wall(x, y))));
        let ground =
            Ground { width, height, terrain: cells.collect(), mover: Mover::Plain, rule, layers: Layers::default() };
        let (mut map, class) = (ground.map(), ground.class());
        let mut grid = CostGrid::new(&map, &class);
        let (first, last) = (Cell::new(0, 0), Cell::new(width - 1, height - 1));
        assert_eq!((grid.component(first), grid.component(last)), (Some(0), Some(0)));
        for x in 1..width - 1 {
            let cut = Cell::new(x, 48);
            map.edit([(cut, TerrainId(0))]).unwrap();
            grid.refresh(&map, &class);
            assert_eq!((grid.component(first), grid.component(last), grid.component(cut)), (Some(0), Some(1), None));
            assert!(!grid.is_reachable(first, last));
            map.edit([(cut, TerrainId(1))]).unwrap();
            grid.refresh(&map, &class);
            assert!(grid.is_reachable(first, last), "{rule:?} {x}");
        }
    }
}

#[test]
fn fences_part_components() {
    let mut dice = Dice::new(82);
    for (size, rule) in [(33, 65), (71, 40)].into_iter().flat_map(|size| CornerRule::ALL.map(|rule| (size, rule))) {
        let ground = noise(&mut dice, size, rule);
        let (mut map, class) = (ground.map(), ground.class());
        let mut grid = CostGrid::new(&map, &class);
        for _ in 0..30 {
            for _ in 0..dice.roll(60) {
                let cell = dice.cell(&ground);
                let beside = if dice.roll(2) == 0 { (cell.x + 1, cell.y) } else { (cell.x, cell.y + 1) }.into();
                if map.size().contains(beside) {
                    map.set_fence(cell, beside, dice.roll(4) > 0).unwrap();
                }
            }
            grid.refresh(&map, &class);
            assert_eq!(grid, CostGrid::new(&map, &class), "{rule:?}");
            // Numbers from the first cell on, by the legal moves.
            let mut labels: Vec<Option<u32>> = vec![None; ground.terrain.len()];
            let mut label = 0;
            for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
                if labels[ground.index(cell)].is_some() {
                    continue;
                }
                labels[ground.index(cell)] = Some(label);
                let mut pending = vec![cell];
                while let Some(here) = pending.pop() {
                    for (dx, dy) in grid.legal_moves(here).into_iter().map(|direction| direction.delta()) {
                        let there = Cell::new(here.x + dx, here.y + dy);
                        if labels[ground.index(there)].is_none() {
                            labels[ground.index(there)] = Some(label);
                            pending.push(there);
                        }
                    }
                }
                label += 1;
            }
            assert!(ground.cells().all(|cell| grid.component(cell) == labels[ground.index(cell)]), "{rule:?}");
        }
    }
}
