//! Repaired Dijkstra maps against new ones, and flow fields and drained flats against what they are of, on random maps.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Influence, rounds, whole_step};
use wayfield::{
    Cell, CellRect, CornerRule, CostGrid, DijkstraMap, Direction, FieldError, FleeScale, FlowField, InfluenceId, Link,
    LinkId, MovementClass, PathStep, Repair, Source, TerrainId, TerrainMap,
};

/// A map that is edited, and its grid.
struct World {
    map: TerrainMap,
    class: MovementClass,
    grid: CostGrid,
}

impl World {
    fn new(ground: &Ground) -> Self {
        Self { map: ground.map(), class: ground.class(), grid: ground.grid() }
    }

    /// Edits a cell, a layer or a link.
    fn edit(&mut self, dice: &mut Dice, ground: &Ground) {
        let cell = dice.cell(ground);
        match dice.roll(9) {
            0 if ground.layers.slopes != (1, 1) => {
                self.map.edit_heights([(cell, dice.roll(4) as i16 - 1)]).unwrap();
            }
            1 => {
                if let Some((one, other)) = dice.fence(ground) {
                    self.map.set_fence(one, other, dice.roll(3) > 0).unwrap();
                }
            }
            2 if !self.map.links().is_empty() => {
                let id = LinkId(dice.roll(self.map.links().len() as u64) as u32);
                self.map.set_link_open(id, dice.roll(2) == 0).unwrap();
            }
            3 if !ground.layers.influences.is_empty() => {
                let layer = InfluenceId(dice.roll(ground.layers.influences.len() as u64) as u8);
                self.map.edit_influence(layer, [(cell, dice.roll(9) as u8)]).unwrap();
            }
            4 => {
                let side = dice.roll(4) as i32;
                let area = CellRect::new(cell, Cell::new(cell.x + side, cell.y + side));
                let area = area.intersection(self.map.size().rect()).unwrap();
                let terrain = TerrainId(dice.roll(3) as u8);
                self.map.edit(area.cells().map(|cell| (cell, terrain))).unwrap();
            }
            _ => {
                self.map.edit([(cell, TerrainId(dice.roll(5) as u8))]).unwrap();
            }
        }
    }
}

/// Sources that come, go, and change their values.
fn shuffle(dice: &mut Dice, ground: &Ground, sources: &mut Vec<Source>) {
    match dice.roll(5) {
        0 => sources.push(Source { cell: dice.cell(ground), value: dice.roll(9) as f64 }),
        1 if !sources.is_empty() => {
            sources.swap_remove(dice.roll(sources.len() as u64) as usize);
        }
        2 if !sources.is_empty() => {
            let index = dice.roll(sources.len() as u64) as usize;
            sources[index].value = [0.0, 3.0, -4.0, 0.5][dice.roll(4) as usize];
        }
        _ => {}
    }
}

/// A map of some size, with walls in every fifth place and costs of 1 to 3, with or without layers.
fn large_ground(dice: &mut Dice) -> Ground {
    let layers =
        if dice.roll(2) == 0 { dice.layered_ground().layers } else { Ground::plain(1, 1, 1, CornerRule::Never).layers };
    let mut ground = Ground::plain(40 + dice.roll(40) as i32, 40 + dice.roll(40) as i32, 1, CornerRule::BothFree);
    ground.rule = CornerRule::ALL[dice.roll(4) as usize];
    let (walls, dearest) = (dice.roll(3) * 15, 1 + dice.roll(3));
    for terrain in &mut ground.terrain {
        *terrain = if dice.roll(100) < walls { 0 } else { 1 + dice.roll(dearest) as u8 };
    }
    ground.layers.side = layers.side;
    ground.layers.fence_factor = layers.fence_factor;
    ground.layers.slopes = layers.slopes;
    for Influence { weight, .. } in layers.influences {
        let values = ground.terrain.iter().map(|_| dice.roll(3) as u8).collect();
        ground.layers.influences.push(Influence { weight, values });
    }
    for _ in 0..dice.roll(5) {
        let (from, to) = (dice.cell(&ground), dice.cell(&ground));
        if from != to {
            ground.layers.links.push((from, to, 1 + dice.roll(40) as u32));
        }
    }
    ground
}

#[test]
fn a_repaired_map_is_a_new_map() {
    let mut dice = Dice::new(41);
    let (mut in_place, mut rebuilt, mut unchanged) = (0, 0, 0);
    for round in 0..rounds(150) {
        let ground = match round % 3 {
            0 => dice.layered_ground(),
            _ => large_ground(&mut dice),
        };
        let mut world = World::new(&ground);
        let mut sources: Vec<Source> = (0..1 + dice.roll(3)).map(|_| Source::from(dice.cell(&ground))).collect();
        let limit = [6.0, 15.5][dice.roll(2) as usize];
        let make = |kind: u64, grid: &CostGrid, sources: &[Source]| match kind {
            0 => DijkstraMap::toward(grid, sources.iter().copied()),
            1 => DijkstraMap::from(grid, sources.iter().copied()),
            2 => DijkstraMap::toward_within(grid, sources.iter().copied(), limit),
            _ => DijkstraMap::from_within(grid, sources.iter().copied(), limit),
        };
        let kind = dice.roll(4);
        let mut field = make(kind, &world.grid, &sources).unwrap();
        let mut flow = FlowField::new(&field, &world.grid);
        for _ in 0..40 {
            for _ in 0..dice.roll(4) {
                world.edit(&mut dice, &ground);
            }
            if dice.roll(3) == 0 {
                shuffle(&mut dice, &ground, &mut sources);
            }
            world.grid.refresh(&world.map, &world.class);
            let edited = world.map.areas_since(field.revision());
            let repair = field.repair(&world.grid, edited, sources.iter().copied()).unwrap();
            let fresh = make(kind, &world.grid, &sources).unwrap();
            assert_eq!(field, fresh, "{repair:?}");

            flow.refresh(&field, &world.grid, &repair);
            *match repair {
                Repair { is_rebuilt: true, .. } => &mut rebuilt,
                Repair { cells: 0, .. } => &mut unchanged,
                _ => &mut in_place,
            } += 1;
            assert_eq!(flow, FlowField::new(&fresh, &world.grid), "{repair:?} {ground:?}");
        }
    }
    assert!(in_place > 1000 && rebuilt > 100 && unchanged > 100, "{in_place}, {rebuilt}, {unchanged}");
}

#[test]
fn a_source_more_and_a_source_less() {
    let ground = Ground::drawn(&["......."], CornerRule::Never);
    let grid = ground.grid();
    let values = |map: &DijkstraMap| -> Vec<_> { ground.cells().map(|cell| map.value(cell).unwrap()).collect() };
    let (left, right) = (Cell::new(0, 0), Cell::new(6, 0));
    let mut map = DijkstraMap::toward(&grid, [left]).unwrap();
    assert_eq!(values(&map), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let repair = map.repair(&grid, [], [left, right]).unwrap();
    let areas = vec![CellRect::new(Cell::new(4, 0), right)];
    assert_eq!(repair, Repair { areas, cells: 3, is_rebuilt: false });
    assert_eq!(values(&map), [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0]);
    map.repair(&grid, [], [right]).unwrap();
    assert_eq!(values(&map), [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!(map.repair(&grid, [], [right]), Ok(Repair::default()));
}

#[test]
fn what_cannot_be_repaired_says_so() {
    let ground = Ground::drawn(&["..."], CornerRule::Never);
    let grid = ground.grid();
    let mut map = DijkstraMap::toward(&grid, [Cell::new(0, 0)]).unwrap();
    let before = map.clone();
    let outside = Cell::new(3, 0);
    assert_eq!(map.repair(&grid, [], [outside]), Err(FieldError::OutOfBounds { cell: outside, size: grid.size() }));
    assert_eq!(map, before, "an unusable source changes nothing");
    let source = Source { cell: Cell::new(0, 0), value: f64::NAN };
    assert!(matches!(map.repair(&grid, [], [source]), Err(FieldError::SourceValue { .. })));

    // Another size is another map.
    let other = Ground::drawn(&["....", "...."], CornerRule::Never).grid();
    assert!(map.repair(&other, [], [outside]).unwrap().is_rebuilt);
    assert_eq!(map, DijkstraMap::toward(&other, [outside]).unwrap());
    // None at all: no cell has a value.
    map.repair(&other, [], [] as [Cell; 0]).unwrap();
    assert_eq!(map, DijkstraMap::toward(&other, [] as [Cell; 0]).unwrap());

    let mut flee = DijkstraMap::flee(&grid, &grid, [Cell::new(0, 0)], FleeScale::default()).unwrap();
    assert_eq!(flee.repair(&grid, [], [Cell::new(1, 0)]), Ok(Repair::default()));
}

/// The directions of the best steps, as plainly as it can be said.
fn best_ways(ground: &Ground, field: &DijkstraMap, cell: Cell, costs_count: bool) -> Vec<Direction> {
    let whole = |value: f64| (value * 2378.0 * 1000.0).round() as i64;
    let sum = |direction: Direction| {
        let (dx, dy) = direction.delta();
        let there = Cell::new(cell.x + dx, cell.y + dy);
        let value = ground.is_legal(cell, there).then(|| field.value(there)).flatten()?;
        let step = whole_step(direction.is_diagonal(), ground.price(cell, there)) * 1000;
        Some(whole(value) + if costs_count { step } else { 0 })
    };
    let best = Direction::ALL.into_iter().filter_map(sum).min();
    let goes_down = |best: i64| {
        field.value(cell).is_none_or(|own| if costs_count { best <= whole(own) } else { best < whole(own) })
    };
    match best.filter(|&best| goes_down(best)) {
        Some(best) => Direction::ALL.into_iter().filter(|&direction| sum(direction) == Some(best)).collect(),
        None => Vec::new(),
    }
}

#[test]
fn a_flow_field_has_all_best_steps() {
    let mut dice = Dice::new(42);
    let mut several = 0;
    for _ in 0..rounds(600) {
        let mut ground = dice.layered_ground();
        ground.layers.links.clear();
        let grid = ground.grid();
        let sources: Vec<_> = (0..1 + dice.roll(3)).map(|_| dice.cell(&ground)).collect();
        let toward = DijkstraMap::toward(&grid, sources).unwrap();
        let other = DijkstraMap::toward(&grid, [dice.cell(&ground)]).unwrap();
        let sum = DijkstraMap::weighted_sum(&[(&toward, 1.0), (&other, -0.5)]).unwrap();
        for (field, costs_count) in [(&toward, true), (&sum, false)] {
            let flow = FlowField::new(field, &grid);
            for cell in ground.cells() {
                let ways: Vec<_> = flow.directions(cell).iter().collect();
                assert_eq!(ways, best_ways(&ground, field, cell, costs_count), "{cell} on {ground:?}");
                assert_eq!(flow.direction(cell), field.downhill(&grid, cell));
                several += usize::from(ways.len() > 1);
            }
        }
    }
    assert!(several > 1000, "{several}");
}

#[test]
fn a_flow_field_takes_the_steps_of_its_map() {
    let mut dice = Dice::new(43);
    let mut links = 0;
    for _ in 0..rounds(600) {
        let ground = dice.layered_ground();
        let grid = ground.grid();
        let seek = DijkstraMap::toward(&grid, [dice.cell(&ground), dice.cell(&ground)]).unwrap();
        let flee = DijkstraMap::flee(&grid, &grid, [dice.cell(&ground)], FleeScale::default()).unwrap();
        let mut sum = DijkstraMap::weighted_sum(&[(&seek, 2.0), (&flee, 0.5)]).unwrap();
        sum.drain_flats(&grid);
        for field in [&seek, &flee, &sum] {
            let flow = FlowField::new(field, &grid);
            for cell in ground.cells() {
                assert_eq!(flow.next_step(cell), field.next_step(&grid, cell), "{cell} on {ground:?}");
                links += usize::from(matches!(flow.next_step(cell), Some(PathStep::Link(_))));
            }
        }
        let from = DijkstraMap::from(&grid, [dice.cell(&ground)]).unwrap();
        let flow = FlowField::new(&from, &grid);
        assert!(ground.cells().all(|cell| flow.directions(cell).is_empty()), "not for rolling");
        assert!(flow.directions(Cell::new(-1, 0)).is_empty() && flow.next_step(Cell::new(0, 99)).is_none());
    }
    assert!(links > 300, "{links}");
}

#[test]
fn flats_are_crossed_to_where_they_go_down() {
    // Of equal pull from both ends, all is flat; a third source pulls from the middle of the side arm.
    let rows = ["a.....b", "###.###", "###.###", "###.###"];
    let ground = Ground::drawn(&rows, CornerRule::Never);
    let grid = ground.grid();
    let field = |x: i32, y: i32| DijkstraMap::toward(&grid, [Cell::new(x, y)]).unwrap();
    let (left, right, arm) = (field(0, 0), field(6, 0), field(3, 3));
    let mut flat = DijkstraMap::weighted_sum(&[(&left, 1.0), (&right, 1.0)]).unwrap();
    flat.drain_flats(&grid);
    let stands = |x: i32| flat.next_step(&grid, Cell::new(x, 0)).is_none();
    assert!((0..7).all(stands), "a flat without an end");
    assert_eq!(flat.trace(&grid, Cell::new(3, 3)).unwrap().end(), Some(Cell::new(3, 0)));

    // 9 6 3 0 3 6 9 above, falling along the arm: nothing is flat; capped at 6 by a map of its own the ends would be.
    let mut sum = DijkstraMap::weighted_sum(&[(&left, -1.0), (&right, -1.0), (&arm, 0.0)]).unwrap();
    let above = |sum: &DijkstraMap| -> Vec<_> { (0..7).map(|x| sum.downhill(&grid, Cell::new(x, 0))).collect() };
    let south = Some(Direction::South);
    assert_eq!(above(&sum), [None, None, None, south, None, None, None]);
    sum.drain_flats(&grid);
    let (east, west) = (Some(Direction::East), Some(Direction::West));
    assert_eq!(above(&sum), [east, east, east, south, west, west, west]);
    assert_eq!(sum.trace(&grid, Cell::new(0, 0)).unwrap().end(), Some(Cell::new(3, 3)));
}

#[test]
fn draining_takes_the_shortest_way_and_changes_nothing_else() {
    let mut dice = Dice::new(44);
    let mut crossed = 0;
    for _ in 0..rounds(400) {
        let mut ground = dice.ground();
        ground.terrain.iter_mut().for_each(|terrain| *terrain = (*terrain).min(1));
        ground.rule = [CornerRule::Never, CornerRule::BothFree][dice.roll(2) as usize];
        let grid = ground.grid();
        let parts = [0; 2].map(|_| DijkstraMap::toward(&grid, [dice.cell(&ground)]).unwrap());
        let plain = DijkstraMap::weighted_sum(&[(&parts[0], 1.0), (&parts[1], 1.0)]).unwrap();
        let mut drained = plain.clone();
        drained.drain_flats(&grid);
        for cell in ground.cells() {
            assert_eq!(drained.value(cell), plain.value(cell));
            if let Some(step) = plain.downhill(&grid, cell) {
                assert_eq!(
                    drained.value(next(cell, step)),
                    drained.downhill(&grid, cell).map(|step| drained.value(next(cell, step))).unwrap()
                );
                continue;
            }
            // Over equal cells until one is lower; as many steps as the nearest cell of the flat that goes down is away.
            let own = plain.value(cell);
            let mut front = vec![cell];
            let mut seen = front.clone();
            let mut steps = Some(0);
            while !front.iter().any(|&cell| plain.downhill(&grid, cell).is_some()) {
                let near = front.iter().flat_map(|&cell| grid.legal_moves(cell).iter().map(move |way| next(cell, way)));
                let mut fresh: Vec<_> = near.filter(|near| plain.value(*near) == own && !seen.contains(near)).collect();
                fresh.sort_unstable();
                fresh.dedup();
                steps = steps.map(|steps| steps + 1).filter(|_| !fresh.is_empty());
                if steps.is_none() {
                    break;
                }
                seen.extend(&fresh);
                front = fresh;
            }
            let mut here = cell;
            let mut taken = 0;
            while let Some(way) = drained.downhill(&grid, here).filter(|_| drained.value(here) == own) {
                here = next(here, way);
                taken += 1;
            }
            let expected = steps.filter(|_| own.is_some()).map_or(0, |steps| steps + 1);
            assert_eq!(taken, expected, "{cell} on {ground:?}");
            crossed += usize::from(taken > 1);
        }
    }
    assert!(crossed > 200, "{crossed}");
}

fn next(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(cell.x + dx, cell.y + dy)
}

#[test]
fn areas_are_kept_apart() {
    let mut map = Ground::plain(50, 50, 1, CornerRule::Never).map();
    let corners = [Cell::new(0, 0), Cell::new(49, 49)];
    for corner in corners {
        map.edit([(corner, TerrainId(0))]).unwrap();
    }
    assert_eq!(map.areas_since(0), corners.map(|corner| CellRect::new(corner, corner)));
    assert_eq!(map.areas_since(2), []);
    assert_eq!(map.areas_since(3), [map.size().rect()], "that revision never was");
    map.add_link(Link::new(corners[0], corners[1], 1)).unwrap();
    assert_eq!(map.areas_since(2).len(), 1);
}

#[test]
fn a_sum_knows_the_revisions_it_is_made_of() {
    let ground = Ground::plain(5, 1, 1, CornerRule::Never);
    let mut world = World::new(&ground);
    let old = DijkstraMap::toward(&world.grid, [Cell::new(0, 0)]).unwrap();
    world.map.edit([(Cell::new(4, 0), TerrainId(2))]).unwrap();
    world.grid.refresh(&world.map, &world.class);
    let new = DijkstraMap::toward(&world.grid, [Cell::new(0, 0)]).unwrap();
    let sum = DijkstraMap::weighted_sum(&[(&new, 1.0), (&old, 1.0), (&new, 2.0)]).unwrap();
    assert_eq!((sum.inputs(), sum.revision()), ([1, 0, 1].as_slice(), 0));
    assert!(new.inputs().is_empty());
}
