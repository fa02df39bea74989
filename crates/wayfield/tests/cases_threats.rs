//! Maps of where to be with regard to threats: the saturating flight, and keeping a distance.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use std::num::NonZeroU16;

use support::{Dice, Ground, rounds};
use wayfield::{Cell, CornerRule, CostGrid, DijkstraMap, FieldError, FleeRule, FleeScale};

fn corridor(length: i32) -> CostGrid {
    Ground::plain(length, 1, 1, CornerRule::Never).grid()
}

fn at(x: i32) -> Cell {
    Cell::new(x, 0)
}

#[test]
fn saturating_flight_has_the_known_values() {
    let grid = corridor(152);
    let flee = DijkstraMap::flee(&grid, &grid, [at(0)], FleeRule::SATURATING).unwrap();
    // 3 times the whole part of 50 d / (50 + d), where nothing farther away is better by more than the way there.
    for (distance, value) in [(50, 75.0), (100, 99.0), (150, 111.0)] {
        let exact = -flee.value(at(distance)).unwrap();
        assert_eq!((exact / 3.0 + 1e-3).floor() * 3.0, value, "{exact}");
    }
    // 37 steps away the pull falls below one a step: from there on a unit stays, before that it runs on.
    let end = |x| flee.trace(&grid, at(x)).unwrap().end().unwrap().x;
    assert!((36..=38).contains(&end(5)), "{}", end(5));
    assert_eq!(end(60), 60);
    // A linear one runs to the end.
    let linear = DijkstraMap::flee(&grid, &grid, [at(0)], FleeScale::default()).unwrap();
    assert_eq!(linear.trace(&grid, at(60)).unwrap().end(), Some(at(151)));
}

#[test]
fn saturating_flight_is_its_formula_rescanned() {
    let mut dice = Dice::new(61);
    for _ in 0..rounds(300) {
        let ground = dice.ground();
        let grid = ground.grid();
        let threat = dice.cell(&ground);
        let (scale, reach) = (0.5 + dice.roll(60) as f64 / 10.0, 1 + dice.roll(80) as u16);
        let rule =
            FleeRule::Saturating { scale: FleeScale::new(scale).unwrap(), reach: NonZeroU16::new(reach).unwrap() };
        let flee = DijkstraMap::flee(&grid, &grid, [threat], rule).unwrap();
        let distance = DijkstraMap::from(&grid, [threat]).unwrap();
        let own = |cell: Cell| {
            let away = distance.value(cell)?;
            Some(-scale * f64::from(reach) * away / (f64::from(reach) + away))
        };
        for cell in ground.cells().filter(|&cell| distance.value(cell).is_some() && ground.is_open(cell)) {
            let value = flee.value(cell).unwrap();
            // No higher than its own safety, and no higher than that of any neighbour and the step there.
            assert!(value <= own(cell).unwrap() + 2.0 * scale / 2378.0, "{cell} on {ground:?}");
            let best = flee.trace(&grid, cell).unwrap();
            let end = best.end().unwrap();
            let rest = own(end).unwrap_or(f64::NEG_INFINITY);
            assert!(
                rest.is_infinite() || (value - rest - best.cost().units()).abs() < 1e-2 + scale / 1000.0,
                "{cell} on {ground:?}"
            );
        }
    }
}

#[test]
fn units_take_their_stand_at_the_distance() {
    // The enemy stands behind a wall: what counts is its way, not the line through the wall.
    let rows = ["...........", ".#########.", "e.........."];
    let ground = Ground::drawn(&rows, CornerRule::Never);
    let grid = ground.grid();
    let enemy = Cell::new(0, 2);
    let kite = DijkstraMap::kite(&grid, &grid, [enemy], 4.0..=6.0).unwrap();
    let end = |x, y| kite.trace(&grid, Cell::new(x, y)).unwrap().end().unwrap();
    assert_eq!(end(1, 2), Cell::new(4, 2), "too near: straight out");
    assert_eq!(end(5, 2), Cell::new(5, 2), "in the ring a unit stays");
    assert_eq!(end(10, 2), Cell::new(6, 2), "too far: to its outer edge");
    assert_eq!(end(5, 0), Cell::new(4, 0));
    assert!(kite.value(enemy).is_some());
    // From the far side of the enemy there is a way round that stays away from it.
    let way = kite.trace(&grid, Cell::new(0, 0)).unwrap();
    assert_eq!(way.end(), Some(Cell::new(2, 0)));
}

#[test]
fn nobody_comes_too_near_who_need_not() {
    let mut dice = Dice::new(62);
    let (mut stood, mut came) = (0, 0);
    for _ in 0..rounds(400) {
        let ground = dice.ground();
        let grid = ground.grid();
        let threats: Vec<_> = (0..1 + dice.roll(2)).map(|_| dice.cell(&ground)).collect();
        let inner = dice.roll(6) as f64;
        let ring = inner..=inner + 1.0 + dice.roll(4) as f64;
        let kite = DijkstraMap::kite(&grid, &grid, threats.iter().copied(), ring.clone()).unwrap();
        let distance = DijkstraMap::from(&grid, threats.iter().copied()).unwrap();
        let away = |cell: Cell| distance.value(cell);
        for cell in ground.cells().filter(|&cell| ground.is_open(cell)) {
            if away(cell).is_some_and(|away| ring.contains(&away)) && !threats.contains(&cell) {
                assert_eq!(kite.value(cell), Some(0.0));
                assert_eq!(kite.next_step(&grid, cell), None);
                stood += 1;
            }
            let Some(way) = kite.trace(&grid, cell) else { continue };
            let end = way.end().unwrap();
            assert!(away(end).is_some_and(|away| ring.contains(&away)), "{cell} ends at {end} on {ground:?}");
            let is_near = |cell: &Cell| away(*cell).is_some_and(|away| away < inner);
            // Once out, out: a way does not come near again unless there is none other.
            let cells = way.cells();
            let first_out = cells.iter().position(|cell| !is_near(cell)).unwrap();
            let has_way = kite.value(cells[first_out]).unwrap() < kite_penalty(&kite, &ground, is_near);
            assert!(!has_way || !cells[first_out..].iter().any(is_near), "{cell} on {ground:?}");
            assert!(!cells[1..].iter().any(|cell| threats.contains(cell) && *cell != end), "{cell} on {ground:?}");
            came += 1;
        }
    }
    assert!(stood > 1000 && came > 3000, "{stood}, {came}");
}

/// The least value of a cell that is too near: what no cell has that need not come near.
fn kite_penalty(kite: &DijkstraMap, ground: &Ground, is_near: impl Fn(&Cell) -> bool) -> f64 {
    ground.cells().filter(|cell| is_near(cell)).filter_map(|cell| kite.value(cell)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_distance_is_a_number_from_0_up() {
    let grid = corridor(3);
    let kite = |ring| DijkstraMap::kite(&grid, &grid, [at(0)], ring);
    assert!(matches!(kite(-1.0..=2.0), Err(FieldError::RangeLimit(-1.0))));
    assert!(matches!(kite(0.0..=f64::INFINITY), Err(FieldError::RangeLimit(_))));
    assert!(matches!(kite(f64::NAN..=1.0), Err(FieldError::RangeLimit(_))));
    // Nothing lies in it.
    assert_eq!(kite(50.0..=60.0).unwrap().cells().count(), 0);
    let empty = kite(2.0..=1.0).unwrap();
    assert_eq!(empty.cells().count(), 0);
    let outside = DijkstraMap::kite(&grid, &grid, [at(3)], 1.0..=2.0);
    assert!(matches!(outside, Err(FieldError::OutOfBounds { .. })));
    assert_eq!(DijkstraMap::kite(&corridor(4), &grid, [at(0)], 1.0..=2.0), Err(FieldError::SizeMismatch));
    assert_eq!(DijkstraMap::kite(&grid, &grid, [], 1.0..=2.0).unwrap().cells().count(), 0);
}
