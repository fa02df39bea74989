//! What is derived from a map, against what is derived plainly: legal moves, components, and catching up with edits.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use std::collections::BTreeMap;

use support::{Dice, Ground, whole_step};
use wayfield::{
    Cell, CellRect, CornerRule, CostGrid, Direction, Dirty, Grid, GridSize, OutsideMap, TerrainId, TerrainMap,
};

fn next(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(cell.x + dx, cell.y + dy)
}

#[test]
fn legal_moves_and_step_costs_are_the_rules() {
    let mut dice = Dice::new(11);
    for _ in 0..1500 {
        let ground = if dice.roll(2) == 0 { dice.ground() } else { dice.layered_ground() };
        let grid = ground.grid();
        let open = ground.cells().map(|cell| ground.cost(cell)).filter(|&cost| cost > 0);
        assert_eq!(grid.cheapest_cost(), open.min().map_or(1, u32::from));
        for cell in ground.cells() {
            assert_eq!(grid.entering_cost(cell).map_or(0, |cost| cost.get()), ground.cost(cell));
            assert_eq!(grid.is_passable(cell), ground.is_open(cell));
            for direction in Direction::ALL {
                let there = next(cell, direction);
                let legal = ground.is_legal(cell, there);
                assert_eq!(grid.legal_moves(cell).contains(direction), legal, "{cell} to {there} on {ground:?}");
                let cost = grid.step_cost(cell, direction).map(|cost| i64::from(cost.raw()));
                assert_eq!(cost, legal.then(|| whole_step(direction.is_diagonal(), ground.price(cell, there))));
            }
        }
    }
}

#[test]
fn moves_between_open_cells_go_both_ways() {
    let mut dice = Dice::new(12);
    for _ in 0..500 {
        let ground = dice.ground();
        let grid = ground.grid();
        for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
            for direction in grid.legal_moves(cell) {
                assert!(grid.legal_moves(next(cell, direction)).contains(direction.opposite()));
            }
        }
    }
}

/// The number of each open cell's component, counted from the first cell on, by flooding.
fn flooded(ground: &Ground) -> Vec<Option<u32>> {
    let mut labels = vec![None; ground.terrain.len()];
    let mut label = 0;
    for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
        if labels[ground.index(cell)].is_none() {
            let reached = ground.spread_from(&[(cell, 0)], |_, _| 1);
            for (slot, _) in labels.iter_mut().zip(reached).filter(|(_, reached)| reached.is_some()) {
                *slot = Some(label);
            }
            label += 1;
        }
    }
    labels
}

#[test]
fn components_are_what_a_flood_reaches() {
    let mut dice = Dice::new(13);
    for _ in 0..1500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let labels: Vec<_> = ground.cells().map(|cell| grid.component(cell)).collect();
        assert_eq!(labels, flooded(&ground), "{ground:?}");
        for _ in 0..3 {
            // Also out of walls, which may be left but not entered.
            let start = dice.cell(&ground);
            let reached = ground.spread_from(&[(start, 0)], |_, _| 1);
            for cell in ground.cells() {
                let expected = ground.is_open(cell) && reached[ground.index(cell)].is_some();
                assert_eq!(grid.is_reachable(start, cell), expected, "{start} to {cell} on {ground:?}");
            }
        }
    }
}

#[test]
fn mixed_cells_are_those_with_another_cost_beside_them() {
    let mut dice = Dice::new(18);
    for round in 0..600 {
        let ground = match round % 20 {
            // More columns or rows than a word has bits.
            0 => Ground {
                terrain: (0..130 * 5).map(|_| dice.roll(4) as u8).collect(),
                ..Ground::plain(130, 5, 1, CornerRule::Never)
            },
            1 => Ground {
                terrain: (0..5 * 127).map(|_| dice.roll(3) as u8).collect(),
                ..Ground::plain(5, 127, 1, CornerRule::Always)
            },
            _ => dice.ground(),
        };
        let is_mixed = |&cell: &Cell| {
            let around = CellRect::around(cell, 1).cells().filter(|&near| ground.is_open(near));
            ground.is_open(cell) && around.map(|near| ground.cost(near)).any(|cost| cost != ground.cost(cell))
        };
        assert_eq!(ground.grid().mixed_cells(), ground.cells().filter(is_mixed).count(), "{ground:?}");
    }
}

/// A batch of edits of up to `most` cells, some twice, some changing nothing.
fn batch(dice: &mut Dice, ground: &Ground, most: u64) -> Vec<(Cell, TerrainId)> {
    let edits = 0..dice.roll(most + 1);
    edits.map(|_| (dice.cell(ground), TerrainId(dice.roll(4) as u8))).collect()
}

#[test]
fn catching_up_equals_starting_anew() {
    let mut dice = Dice::new(14);
    for round in 0..400 {
        let mut ground = dice.ground();
        let class = ground.class();
        let mut map = ground.map();
        let mut grid = CostGrid::new(&map, &class);
        for _ in 0..6 {
            // More batches than any log remembers, now and then.
            let batches = if round % 10 == 0 { 60 + dice.roll(80) } else { dice.roll(5) };
            let before = map.clone();
            for _ in 0..batches {
                let edits = batch(&mut dice, &ground, 3);
                for &(cell, terrain) in &edits {
                    let index = ground.index(cell);
                    ground.terrain[index] = terrain.0;
                }
                map.edit(edits).unwrap();
            }
            assert_dirty_covers(&before, &map);
            let since = map.dirty_since(grid.revision());
            assert_eq!(grid.refresh(&map, &class), since);
            assert_eq!(grid, CostGrid::new(&map, &class));
            assert_eq!(grid.refresh(&map, &class), Dirty::Nothing);
            assert!(ground.cells().all(|cell| grid.is_passable(cell) == ground.is_open(cell)));
        }
    }
}

fn assert_dirty_covers(before: &TerrainMap, after: &TerrainMap) {
    let dirty = after.dirty_since(before.revision());
    for cell in after.size().rect().cells().filter(|&cell| before.terrain(cell) != after.terrain(cell)) {
        match dirty {
            Dirty::Nothing => panic!("{cell} has changed"),
            Dirty::Within(area) => assert!(area.contains(cell)),
            Dirty::Everything => {}
        }
    }
}

#[test]
fn a_grid_of_another_size_or_an_older_map_starts_anew() {
    let mut dice = Dice::new(15);
    let (one, other) = (dice.ground(), Ground::plain(30, 30, 1, CornerRule::Always));
    let mut grid = one.grid();
    grid.refresh(&other.map(), &other.class());
    assert_eq!(grid, other.grid());

    let mut map = other.map();
    map.edit([(Cell::new(3, 3), TerrainId(0))]).unwrap();
    grid.refresh(&map, &other.class());
    assert_eq!(grid.revision(), 1);
    assert_eq!(grid.refresh(&other.map(), &other.class()), Dirty::Everything, "revision 0 knows of no revision 1");
    assert_eq!(grid, other.grid());
}

#[test]
fn a_batch_reports_what_it_changed() {
    let mut dice = Dice::new(16);
    for _ in 0..3000 {
        let ground = dice.ground();
        let mut map = ground.map();
        let edits = batch(&mut dice, &ground, 8);
        let change = map.edit(edits.iter().copied()).unwrap();

        let mut last: BTreeMap<usize, (Cell, TerrainId)> = BTreeMap::new();
        for &(cell, terrain) in &edits {
            last.insert(ground.index(cell), (cell, terrain));
        }
        for cell in ground.cells() {
            let old = TerrainId(ground.terrain[ground.index(cell)]);
            let new = last.get(&ground.index(cell)).map_or(old, |&(_, terrain)| terrain);
            assert_eq!(map.terrain(cell), Some(new), "the last edit of a cell wins");
            let reported = change.cells.iter().filter(|&&changed| changed == cell).count();
            assert_eq!(reported, usize::from(new != old), "{cell} after {edits:?}");
        }
        let revision = u64::from(!change.cells.is_empty());
        assert_eq!((map.revision(), change.revision), (revision, revision));
    }
}

#[test]
fn a_batch_with_a_cell_outside_changes_nothing() {
    let ground = Ground::plain(4, 3, 1, CornerRule::BothFree);
    let mut map = ground.map();
    for cell in [Cell::new(4, 0), Cell::new(0, 3), Cell::new(-1, 1), Cell::new(i32::MAX, i32::MIN)] {
        let edits = [(Cell::new(1, 1), TerrainId(0)), (cell, TerrainId(0))];
        assert_eq!(map.edit(edits), Err(OutsideMap { cell, size: map.size() }));
        assert_eq!((map.revision(), map.grid()), (0, ground.map().grid()));
    }
}

#[test]
fn a_forgotten_revision_is_dirty_everywhere() {
    let mut map = TerrainMap::new(GridSize::new(9, 9).unwrap(), TerrainId(255));
    for step in 0..200u8 {
        map.edit([(Cell::new(i32::from(step % 9), 4), TerrainId(step))]).unwrap();
        let now = map.revision();
        assert_eq!(map.dirty_since(now), Dirty::Nothing);
        assert_eq!(map.dirty_since(now + 1), Dirty::Everything, "a revision that never was");
        let one_ago = Cell::new(i32::from(step % 9), 4);
        assert_eq!(map.dirty_since(now - 1), Dirty::Within(CellRect::new(one_ago, one_ago)));
    }
    assert_eq!(map.dirty_since(0), Dirty::Everything);
    assert!(matches!(map.dirty_since(map.revision() - 20), Dirty::Within(_)));
}

#[test]
fn a_grid_of_values_is_read_by_rows() {
    let size = GridSize::new(5, 3).unwrap();
    for (index, cell) in (0u32..).zip(size.rect().cells()) {
        assert_eq!((size.index(cell), size.cell(index)), (Some(index), cell));
    }
    assert!(Grid::from_rows(4, vec![0; 15]).is_err());
    assert!(Grid::from_rows(0, vec![0; 15]).is_err());
    assert!(Grid::from_rows(5, Vec::<u8>::new()).is_err());
    assert_eq!(Grid::from_rows(5, vec![0; 15]).unwrap().size(), size);
    assert!(GridSize::new(0, 4).is_err() && GridSize::new(4, u64::MAX).is_err());
}
