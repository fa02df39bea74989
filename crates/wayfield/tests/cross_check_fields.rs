//! Dijkstra maps against naive relaxation, on random maps: values, ways, flight and sums.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Mover, close, real_step, rounds, whole_step};
use wayfield::{
    Cell, CornerRule, CostGrid, DijkstraMap, Direction, FieldError, FleeRule, FleeScale, Grid, GridSize, Source,
};

/// Fixed-point units in a terrain unit.
const UNIT: f64 = 2378.0;

/// Up to five sources, some in walls, some twice, with values that may be negative or broken.
fn sources(dice: &mut Dice, ground: &Ground) -> Vec<Source> {
    let count = dice.roll(5) + u64::from(dice.roll(20) != 0);
    let value = |dice: &mut Dice| match dice.roll(3) {
        0 => 0.0,
        1 => dice.roll(30) as f64 - 15.0,
        _ => (dice.roll(60) as f64 - 30.0) / 2.0,
    };
    (0..count).map(|_| Source { cell: dice.cell(ground), value: value(dice) }).collect()
}

/// A value as it is counted inside.
fn whole(value: f64) -> i64 {
    (value * UNIT).round() as i64
}

fn whole_sources(sources: &[Source]) -> Vec<(Cell, i64)> {
    sources.iter().map(|source| (source.cell, whole(source.value))).collect()
}

fn real_sources(sources: &[Source]) -> Vec<(Cell, f64)> {
    sources.iter().map(|source| (source.cell, source.value)).collect()
}

fn step(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(cell.x + dx, cell.y + dy)
}

/// Rolls from `cell` to where it ends, and fails if that takes too long, goes up, or takes an illegal step.
fn roll(field: &DijkstraMap, grid: &CostGrid, ground: &Ground, cell: Cell) -> Cell {
    let mut here = cell;
    for _ in 0..=ground.terrain.len() {
        let Some(direction) = field.downhill(grid, here) else { return here };
        let there = step(here, direction);
        assert!(ground.is_legal(here, there), "{here} to {there} on {ground:?}");
        let (from, to) = (field.value(here), field.value(there));
        assert!(to.is_some() && from.is_none_or(|from| to < Some(from)), "{from:?} to {to:?} on {ground:?}");
        here = there;
    }
    panic!("rolls for ever from {cell} on {ground:?}");
}

#[test]
fn values_toward_and_from_are_the_cheapest_costs() {
    let mut dice = Dice::new(21);
    for _ in 0..4000 {
        let ground = dice.ground();
        let grid = ground.grid();
        let sources = sources(&mut dice, &ground);
        let toward = DijkstraMap::toward(&grid, sources.iter().copied()).unwrap();
        let from = DijkstraMap::from(&grid, sources.iter().copied()).unwrap();
        let (whole, real) = (whole_sources(&sources), real_sources(&sources));
        let pairs = [
            (&toward, ground.spread_toward(&whole, whole_step), ground.spread_toward(&real, real_step)),
            (&from, ground.spread_from(&whole, whole_step), ground.spread_from(&real, real_step)),
        ];
        for (field, whole, real) in pairs {
            assert_eq!(field.size(), grid.size());
            for cell in ground.cells() {
                let (value, index) = (field.value(cell), ground.index(cell));
                assert_eq!(value, whole[index].map(|whole| whole as f64 / UNIT), "{cell} on {ground:?}");
                if let (Some(value), Some(real)) = (value, real[index]) {
                    assert!((value - real).abs() <= 1e-6 * real.abs().max(1.0), "{value}, {real}");
                }
            }
        }
    }
}

#[test]
fn a_way_costs_what_the_values_differ_by() {
    let mut dice = Dice::new(22);
    for _ in 0..1500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let sources = sources(&mut dice, &ground);
        let is_source = |cell: Cell, value: f64| {
            sources.iter().any(|source| source.cell == cell && whole(source.value) == whole(value))
        };
        let toward = DijkstraMap::toward(&grid, sources.iter().copied()).unwrap();
        let from = DijkstraMap::from(&grid, sources.iter().copied()).unwrap();
        for cell in ground.cells() {
            let end = roll(&toward, &grid, &ground, cell);
            match (toward.trace(&grid, cell), toward.value(cell)) {
                (Some(path), value) => {
                    assert_eq!(path.end(), Some(end));
                    let paid = ground.check_path(&path, cell);
                    let rest = toward.value(end).unwrap();
                    assert!(is_source(end, rest), "{cell} ends at {end} on {ground:?}");
                    if let Some(value) = value {
                        assert_eq!(paid, whole(value) - whole(rest), "{cell} on {ground:?}");
                        // The rounding of two source values, and that of sqrt 2.
                        assert!((path.cost().units() - (value - rest)).abs() <= 1e-6 * path.cost().units().max(1.0));
                    } else {
                        assert!(!ground.is_open(cell) && path.len() > 1, "only a wall has a way but no value");
                    }
                }
                (None, value) => assert_eq!((value, end), (None, cell)),
            }

            assert_eq!(from.downhill(&grid, cell), None, "a map of ways from the sources is not for rolling");
            let path = from.trace(&grid, cell);
            assert_eq!(path.is_some(), from.value(cell).is_some());
            if let (Some(path), Some(value)) = (path, from.value(cell)) {
                let start = path.start().unwrap();
                let begin = from.value(start).unwrap();
                assert_eq!(path.end(), Some(cell));
                assert!(is_source(start, begin), "{cell} begins at {start} on {ground:?}");
                assert_eq!(ground.check_path(&path, start), whole(value) - whole(begin));
            }
        }
    }
}

#[test]
fn a_step_downhill_is_the_best_step() {
    let mut dice = Dice::new(23);
    for _ in 0..800 {
        let ground = dice.ground();
        let grid = ground.grid();
        let field = DijkstraMap::toward(&grid, sources(&mut dice, &ground)).unwrap();
        for cell in ground.cells() {
            let onward = |&direction: &Direction| {
                let there = step(cell, direction);
                let value = ground.is_legal(cell, there).then(|| field.value(there)).flatten()?;
                Some((whole(value) + whole_step(direction.is_diagonal(), u32::from(ground.cost(there))), direction))
            };
            let best = Direction::ALL.iter().filter_map(onward).min();
            let expected = best.filter(|&(sum, _)| field.value(cell).is_none_or(|own| sum <= whole(own)));
            assert_eq!(field.downhill(&grid, cell), expected.map(|(_, direction)| direction), "{cell} on {ground:?}");
        }
    }
}

/// Two movers on one terrain: the one that is feared and the one that flees.
fn threat_and_fleer(dice: &mut Dice) -> (Ground, Ground) {
    let fleer = dice.ground();
    let threat = match dice.roll(3) {
        0 => fleer.clone(),
        1 => Ground { rule: CornerRule::ALL[dice.roll(4) as usize], ..fleer.clone() },
        _ => Ground { mover: Mover::ALL[dice.roll(2) as usize], ..fleer.clone() },
    };
    (threat, fleer)
}

/// The flee map in thousandths of the inner unit, by relaxing until nothing changes; and the distance of refuges.
fn naive_flee(threat: &Ground, fleer: &Ground, threats: &[Cell], thousandths: i64) -> (Vec<Option<i64>>, i64) {
    let from: Vec<_> = threats.iter().map(|&cell| (cell, 0)).collect();
    let distance = threat.spread_from(&from, whole_step);
    let open: Vec<_> = fleer.cells().filter(|&cell| fleer.is_open(cell)).collect();
    let near = open.iter().filter_map(|&cell| distance[fleer.index(cell)].map(|distance| (cell, distance)));
    let near: Vec<_> = near.collect();
    let refuge = near.iter().map(|&(_, distance)| distance).max().unwrap_or(0) + 2378;
    let seeds: Vec<_> = near.iter().map(|&(cell, _)| (cell, 0)).collect();
    let threatened = fleer.spread_from(&seeds, |_, _| 0);

    let mut values = vec![None; fleer.terrain.len()];
    for &cell in &open {
        let index = fleer.index(cell);
        values[index] = threatened[index].map(|_| -distance[index].unwrap_or(refuge) * thousandths);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &cell in &open {
            for there in Direction::ALL.map(|direction| step(cell, direction)) {
                if !fleer.is_legal(cell, there) || threats.contains(&there) {
                    continue;
                }
                let price = 1000 * whole_step(cell.x != there.x && cell.y != there.y, u32::from(fleer.cost(there)));
                let index = fleer.index(cell);
                if let (Some(own), Some(other)) = (values[index], values[fleer.index(there)])
                    && other + price < own
                {
                    values[index] = Some(other + price);
                    changed = true;
                }
            }
        }
    }
    (values, refuge)
}

fn reduced(thousandths: i64) -> (i64, i64) {
    let divisor = (1..=1000).rev().find(|divisor| thousandths % divisor == 0 && 1000 % divisor == 0).unwrap_or(1);
    (thousandths / divisor, 1000 / divisor)
}

#[test]
fn flight_is_scaled_distance_rescanned() {
    let mut dice = Dice::new(24);
    let (mut exact, mut rounded, mut standing) = (0, 0, 0);
    for round in 0..4000 {
        let (threat, fleer) = threat_and_fleer(&mut dice);
        let threats: Vec<_> = (0..dice.roll(4)).map(|_| dice.cell(&fleer)).collect();
        let thousandths = [1200, 1500, 2000, 1237, 1000, 3000][round % 6];
        let scale = FleeScale::new(thousandths as f64 / 1000.0).unwrap();
        let field = DijkstraMap::flee(&threat.grid(), &fleer.grid(), threats.iter().copied(), scale).unwrap();
        let (expected, refuge) = naive_flee(&threat, &fleer, &threats, thousandths);

        let (numerator, denominator) = reduced(thousandths);
        let fits = refuge * numerator < i64::from(i32::MAX);
        for cell in fleer.cells() {
            let Some(expected) = expected[fleer.index(cell)] else {
                standing += 1;
                assert_eq!(field.value(cell), None, "{cell} on {fleer:?}");
                continue;
            };
            let value = field.value(cell).unwrap_or_else(|| panic!("no value at {cell} on {fleer:?}"));
            if fits {
                exact += 1;
                let counted = (value * UNIT * denominator as f64).round() as i64;
                assert_eq!(counted * (1000 / denominator), expected, "{cell} on {fleer:?} from {threats:?}");
                assert!(close(value, expected as f64 / 1000.0 / UNIT));
            } else {
                rounded += 1;
                assert!((value - expected as f64 / 1000.0 / UNIT).abs() <= 0.5 / UNIT + 1e-9 * value.abs());
            }
        }
    }
    assert!(exact > 10_000 && rounded > 1000 && standing > 1000, "{exact}, {rounded}, {standing}: one-sided maps");
}

#[test]
fn nobody_flees_into_a_threat_or_for_ever() {
    let mut dice = Dice::new(25);
    for _ in 0..1500 {
        let (threat, fleer) = threat_and_fleer(&mut dice);
        let threats: Vec<_> = (0..1 + dice.roll(3)).map(|_| dice.cell(&fleer)).collect();
        let grid = fleer.grid();
        let scale = FleeScale::new(0.001 * (1 + dice.roll(4000)) as f64).unwrap();
        let field = DijkstraMap::flee(&threat.grid(), &grid, threats.iter().copied(), scale).unwrap();
        for cell in fleer.cells() {
            roll(&field, &grid, &fleer, cell);
            let Some(path) = field.trace(&grid, cell) else { continue };
            assert!(path.cells()[1..].iter().all(|entered| !threats.contains(entered)), "{path:?} on {fleer:?}");
            fleer.check_path(&path, cell);
        }
    }
}

#[test]
fn a_refuge_beats_every_cell_that_a_threat_can_reach() {
    let mut dice = Dice::new(26);
    let mut refuges = 0;
    for _ in 0..2000 {
        let (threat, fleer) = threat_and_fleer(&mut dice);
        let threats = [dice.cell(&fleer)];
        let field = DijkstraMap::flee(&threat.grid(), &fleer.grid(), threats, FleeScale::default()).unwrap();
        let distance = threat.spread_from(&[(threats[0], 0)], whole_step);
        let valued = fleer.cells().filter_map(|cell| field.value(cell).map(|value| (cell, value)));
        let (safe, near): (Vec<_>, Vec<_>) = valued.partition(|&(cell, _)| distance[fleer.index(cell)].is_none());
        refuges += safe.len();
        let least_near = near.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min);
        for (cell, value) in safe {
            assert!(value < least_near, "{cell}: {value} against {least_near} on {fleer:?}");
        }
    }
    assert!(refuges > 1000, "{refuges}");
}

#[test]
fn sums_are_sums_cell_by_cell() {
    let mut dice = Dice::new(27);
    let mut checked = 0;
    for _ in 0..1500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let flee = DijkstraMap::flee(&grid, &grid, [dice.cell(&ground)], FleeScale::default()).unwrap();
        let parts = [
            DijkstraMap::toward(&grid, sources(&mut dice, &ground)).unwrap(),
            DijkstraMap::from(&grid, sources(&mut dice, &ground)).unwrap(),
            flee,
        ];
        let weights = [1.0, -0.5, 2.0, 0.25, -1.2, 0.0];
        let terms: Vec<_> =
            (0..1 + dice.roll(3)).map(|_| (&parts[dice.roll(3) as usize], weights[dice.roll(6) as usize])).collect();
        let sum = DijkstraMap::weighted_sum(&terms).unwrap();
        for cell in ground.cells() {
            let values: Option<Vec<f64>> =
                terms.iter().map(|(map, weight)| map.value(cell).map(|value| value * weight)).collect();
            let expected = values.map(|values| values.iter().sum::<f64>());
            assert_eq!(sum.value(cell).is_some(), expected.is_some(), "a value where all maps have one");
            if let (Some(value), Some(expected)) = (sum.value(cell), expected) {
                checked += 1;
                let largest = terms.iter().filter_map(|(map, _)| map.value(cell)).fold(0.0, |a: f64, b| a.max(b.abs()));
                // Small values are counted in fractions fine enough for all these weights.
                let rounding = if ground.terrain.iter().all(|&terrain| terrain < 10) { 0.0 } else { 2.0 / UNIT };
                assert!((value - expected).abs() <= rounding + 1e-9 * largest.max(1.0), "{value}, {expected}");
            }
            roll(&sum, &grid, &ground, cell);
        }
    }
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn values_of_sources_are_kept_to_the_thousandth() {
    let mut dice = Dice::new(33);
    for _ in 0..2000 {
        let ground = Ground { terrain: vec![1; 24], ..Ground::plain(8, 3, 1, CornerRule::BothFree) };
        let grid = ground.grid();
        let mut source = || Source { cell: dice.cell(&ground), value: (dice.roll(60_000) as f64 - 30_000.0) / 1000.0 };
        let sources = [source(), source()];
        let real = ground.spread_toward(&real_sources(&sources), real_step);
        let field = DijkstraMap::toward(&grid, sources).unwrap();
        for cell in ground.cells() {
            let (value, real) = (field.value(cell).unwrap(), real[ground.index(cell)].unwrap());
            assert!((value - real).abs() < 2e-6, "{cell}: {value}, {real}");
        }
    }
    // Where thousandths are too fine for the values, the nearest units are taken.
    let far = Ground::plain(3500, 1, 255, CornerRule::BothFree).grid();
    let source = Source { cell: Cell::new(0, 0), value: 0.001 };
    let value = DijkstraMap::toward(&far, [source]).unwrap().value(Cell::new(3000, 0)).unwrap();
    assert!((value - (0.001 + 765_000.0)).abs() < 1.0 / UNIT, "{value}");
}

#[test]
fn one_source_more_only_lowers_values() {
    let mut dice = Dice::new(28);
    for _ in 0..500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let mut sources = sources(&mut dice, &ground);
        let before = DijkstraMap::toward(&grid, sources.iter().copied()).unwrap();
        let added = Source::from(dice.cell(&ground));
        sources.push(added);
        let after = DijkstraMap::toward(&grid, sources).unwrap();
        let alone = DijkstraMap::toward(&grid, [added]).unwrap();
        for cell in ground.cells() {
            let least = [before.value(cell), alone.value(cell)].into_iter().flatten().reduce(f64::min);
            assert_eq!(after.value(cell), least);
        }
    }
}

#[test]
fn a_way_too_dear_does_not_spoil_a_cheaper_one() {
    // From the left the middle would cost more than can be counted, from the right it does not.
    let grid = Ground { terrain: vec![255, 1, 1], ..Ground::plain(3, 1, 1, CornerRule::BothFree) }.grid();
    let near_the_limit = |x, value| Source { cell: Cell::new(x, 0), value };
    let sources = [near_the_limit(0, 902_900.0), near_the_limit(2, 902_950.0)];
    let field = DijkstraMap::toward(&grid, sources).unwrap();
    assert_eq!(field.value(Cell::new(1, 0)), Some(902_951.0));
    let overflow = Err(FieldError::CostOverflow(Cell::new(1, 0)));
    assert_eq!(DijkstraMap::toward(&grid, [sources[0]]), overflow);
}

#[test]
fn unusable_numbers_are_refused() {
    let ground = Ground::plain(4, 4, 1, CornerRule::BothFree);
    let (grid, cell) = (ground.grid(), Cell::new(1, 1));
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e7, -1e7] {
        assert!(matches!(DijkstraMap::toward(&grid, [Source { cell, value }]), Err(FieldError::SourceValue { .. })));
    }
    for scale in [0.0, -1.2, f64::NAN, f64::INFINITY, 1000.1, 0.0001] {
        assert!(matches!(FleeScale::new(scale), Err(FieldError::FleeScale(_))), "{scale}");
    }
    let field = DijkstraMap::toward(&grid, [cell]).unwrap();
    for weight in [f64::NAN, f64::INFINITY, -1000.1] {
        assert!(matches!(DijkstraMap::weighted_sum(&[(&field, weight)]), Err(FieldError::SumWeight(_))));
    }
    let other = DijkstraMap::toward(&Ground::plain(4, 5, 1, CornerRule::BothFree).grid(), [cell]).unwrap();
    assert_eq!(DijkstraMap::weighted_sum(&[(&field, 1.0), (&other, 1.0)]), Err(FieldError::SizeMismatch));
    assert_eq!(DijkstraMap::weighted_sum(&[]), Err(FieldError::SizeMismatch));
    let big = Ground::plain(9, 9, 1, CornerRule::BothFree).grid();
    assert_eq!(DijkstraMap::flee(&grid, &big, [cell], FleeScale::default()), Err(FieldError::SizeMismatch));
}

#[test]
fn a_range_is_the_part_of_the_whole_map_within_the_limit() {
    let mut dice = Dice::new(28);
    for round in 0..4000 {
        let ground = if round % 2 == 0 { dice.ground() } else { dice.layered_ground() };
        let grid = ground.grid();
        let sources = sources(&mut dice, &ground);
        let toward = DijkstraMap::toward(&grid, sources.iter().copied()).unwrap();
        let from = DijkstraMap::from(&grid, sources.iter().copied()).unwrap();
        for (whole, is_from) in [(&toward, false), (&from, true)] {
            // Also exactly the value of a cell, and the number just below it.
            let exact = whole.value(dice.cell(&ground)).unwrap_or(0.0).max(0.0);
            let limits =
                [0.0, dice.roll(40) as f64 / 2.0, dice.roll(9_000) as f64 / 7.0, exact, exact.next_down().max(0.0)];
            let limit = limits[round % limits.len()];
            let range = if is_from {
                DijkstraMap::from_within(&grid, sources.iter().copied(), limit).unwrap()
            } else {
                DijkstraMap::toward_within(&grid, sources.iter().copied(), limit).unwrap()
            };
            let expected = |cell: Cell| whole.value(cell).filter(|&value| value <= limit);
            for cell in ground.cells() {
                assert_eq!(range.value(cell), expected(cell), "{cell} within {limit} on {ground:?}");
            }
            let within: Vec<_> = ground.cells().filter(|&cell| expected(cell).is_some()).collect();
            assert_eq!(range.cells().collect::<Vec<_>>(), within);
            if let Some(&cell) = within.last() {
                let (way, whole_way) = (range.trace(&grid, cell).unwrap(), whole.trace(&grid, cell).unwrap());
                assert_eq!(way, whole_way, "{cell} within {limit} on {ground:?}");
            }
        }
    }
}

#[test]
fn what_lies_beyond_a_range_may_cost_too_much_to_count() {
    let ground = Ground::plain(4000, 1, 255, CornerRule::BothFree);
    let grid = ground.grid();
    let start = Cell::new(0, 0);
    assert!(matches!(DijkstraMap::from(&grid, [start]), Err(FieldError::CostOverflow(_))));
    for limit in [0.0, 255.0, 254_999.0, 255_000.0] {
        let range = DijkstraMap::from_within(&grid, [start], limit).unwrap();
        assert_eq!(range.cells().count(), 1 + (limit / 255.0) as usize);
        assert!(DijkstraMap::toward_within(&grid, [start], limit).is_ok());
    }
    assert!(matches!(DijkstraMap::from_within(&grid, [start], 1e6), Err(FieldError::CostOverflow(_))));
    assert!(matches!(DijkstraMap::from_within(&grid, [start], f64::MAX), Err(FieldError::CostOverflow(_))));
}

#[test]
fn a_range_has_a_limit_from_0_up() {
    let grid = Ground::plain(3, 3, 1, CornerRule::BothFree).grid();
    for limit in [-1.0, -0.001, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        for result in [
            DijkstraMap::from_within(&grid, [Cell::new(1, 1)], limit),
            DijkstraMap::toward_within(&grid, [Cell::new(1, 1)], limit),
        ] {
            assert!(matches!(result, Err(FieldError::RangeLimit(named)) if named.to_bits() == limit.to_bits()));
        }
    }
    let outside = Cell::new(3, 0);
    let error = DijkstraMap::from_within(&grid, [outside], 1.0);
    assert_eq!(error, Err(FieldError::OutOfBounds { cell: outside, size: grid.size() }));
    let range = DijkstraMap::from_within(&grid, [Cell::new(1, 1)], -0.0).unwrap();
    assert_eq!(range.cells().collect::<Vec<_>>(), [Cell::new(1, 1)]);
    assert_eq!(DijkstraMap::from_within(&grid, Vec::<Cell>::new(), 4.0).unwrap().cells().count(), 0);
}

/// The values of a map, as a game might keep them.
fn values(map: &DijkstraMap) -> Grid<Option<f64>> {
    let values = map.size().rect().cells().map(|cell| map.value(cell)).collect();
    Grid::from_rows(map.size().width() as usize, values).unwrap()
}

#[test]
fn values_that_are_read_back_sum_up_as_those_they_were() {
    let mut dice = Dice::new(46);
    let mut finer = 0;
    for round in 0..rounds(600) {
        let ground = dice.layered_ground();
        let grid = ground.grid();
        let threats = [dice.cell(&ground)];
        let scale = FleeScale::new([1.2, 0.7, 3.0, 1.001][round % 4]).unwrap();
        let mut with_value = || Source { cell: dice.cell(&ground), value: [0.125, -3.0, 0.4][round % 3] };
        let maps = [
            DijkstraMap::toward(&grid, [with_value(), with_value()]),
            DijkstraMap::from(&grid, [with_value()]),
            DijkstraMap::flee(&grid, &grid, threats, scale),
            DijkstraMap::flee(&grid, &grid, threats, FleeRule::SATURATING),
        ];
        let maps: Vec<_> = maps.into_iter().flatten().collect();
        let read: Vec<_> = maps.iter().map(|map| DijkstraMap::from_values(&grid, &values(map)).unwrap()).collect();
        for (map, read) in maps.iter().zip(&read) {
            assert_eq!(values(map), values(read));
            assert_eq!(map.revision(), read.revision());
        }
        let weights = [1.0, -0.333, 0.5, 2.0];
        let sum = |maps: &[DijkstraMap]| {
            let terms: Vec<_> = maps.iter().zip(weights).collect();
            DijkstraMap::weighted_sum(&terms).map(|sum| values(&sum))
        };
        assert_eq!(sum(&maps), sum(&read));
        finer +=
            usize::from(sum(&maps).is_ok_and(|sum| sum.values().iter().flatten().any(|v| (v * UNIT).fract() != 0.0)));
    }
    assert!(finer > 100, "{finer}");
}

#[test]
fn values_of_any_origin_are_thousandths_or_rounded_or_refused() {
    let grid = Ground::plain(3, 1, 1, CornerRule::Never).grid();
    let row = |values: [f64; 3]| Grid::from_rows(3, values.map(Some).to_vec()).unwrap();
    let read = |values: [f64; 3]| DijkstraMap::from_values(&grid, &row(values));
    let exact = [0.001, -12.345, 9.1];
    assert_eq!(values(&read(exact).unwrap()), row(exact));
    // Too large for thousandths, or none.
    for odd in [[0.001, 900_000.0, 1.0], [1.0 / 3.0, 0.125, std::f64::consts::PI]] {
        let known = read(odd).unwrap();
        for (x, value) in (0..).zip(odd) {
            assert!((known.value(Cell::new(x, 0)).unwrap() - value).abs() <= 0.5 / UNIT);
        }
    }
    let cell = Cell::new(1, 0);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e6, -1e300] {
        let error = read([0.0, value, 0.0]).unwrap_err();
        assert!(
            matches!(error, FieldError::Value { cell: named, value: same } if named == cell && same.to_bits() == value.to_bits())
        );
    }
    let other = Grid::new(GridSize::new(1, 3).unwrap(), None);
    assert_eq!(DijkstraMap::from_values(&grid, &other), Err(FieldError::SizeMismatch));
    // Units roll on them as on a sum.
    assert_eq!(read([3.0, 2.5, 2.75]).unwrap().downhill(&grid, Cell::new(0, 0)), Some(Direction::East));
}
