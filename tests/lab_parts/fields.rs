//! Dijkstra maps on boards.

use wayfield::{Cell, DijkstraMap};

use crate::model::board::{Numbers, Pin};
use crate::model::field::{FieldKind, FieldQuestion};
use crate::model::presets::Preset;

#[test]
fn every_value_and_every_arrow_is_the_core_s() {
    let scene = Preset::Noise.scene(2).unwrap();
    let grid = scene.grid();
    let (sources, threats) = ([scene.goal, Cell::new(2, 2)], [scene.start]);
    for kind in FieldKind::ALL {
        let question = FieldQuestion { kind, ..FieldQuestion::default() };
        let map = question.compute(&grid, &sources, &threats).unwrap();
        let board = question.board(&scene.terrain, &grid, &sources, &threats).unwrap();
        assert!(board.is_field && map.cells().count() > 10, "{kind:?}");
        for (cell, view) in grid.size().rect().cells().zip(&board.cells) {
            assert_eq!(view.numbers, map.value(cell).map_or(Numbers::None, Numbers::Value), "{kind:?} {cell}");
            assert!(view.heat.is_none_or(|heat| (0.0..=1.0).contains(&heat)));
            let arrow = map.value(cell).and_then(|_| map.downhill(&grid, cell));
            assert_eq!(view.arrow, arrow, "{kind:?} {cell}");
        }
        if kind == FieldKind::Sum {
            assert_eq!(board.title, "1 x sources - 0.5 x threats");
        }
        let pins = |wanted| board.pins.iter().filter(|(pin, _)| *pin == wanted).count();
        assert_eq!(pins(Pin::Source), if kind.has_sources() { 2 } else { 0 });
        assert_eq!(pins(Pin::Threat), usize::from(kind.has_threats()));
    }
}

#[test]
fn a_range_ends_where_the_points_do() {
    let scene = Preset::Swamp.scene(1).unwrap();
    let grid = scene.grid();
    let all = DijkstraMap::from(&grid, [scene.start]).unwrap();
    for points in [0.0, 3.0, 7.5, 40.0] {
        let question = FieldQuestion { kind: FieldKind::Range, points, ..FieldQuestion::default() };
        let board = question.board(&scene.terrain, &grid, &[scene.start], &[]).unwrap();
        let within = grid.size().rect().cells().filter(|&cell| all.value(cell).is_some_and(|value| value <= points));
        let shown = grid.size().rect().cells().filter(|&cell| board.cell(cell).unwrap().heat.is_some());
        assert!(shown.eq(within), "{points}");
    }
}

#[test]
fn the_rescan_leads_out_of_corners() {
    let scene = Preset::Maze.scene(1).unwrap();
    let grid = scene.grid();
    let stuck = |kind| {
        let question = FieldQuestion { kind, scale: 1.2, ..FieldQuestion::default() };
        let board = question.board(&scene.terrain, &grid, &[], &[scene.start]).unwrap();
        board.cells.iter().filter(|cell| cell.heat.is_some() && cell.arrow.is_none()).count()
    };
    let (before, after) = (stuck(FieldKind::Upturned), stuck(FieldKind::Flee));
    assert!(after < before, "{after} cells after the rescan, {before} before");
}

#[test]
fn bad_numbers_are_errors_and_no_source_is_no_value() {
    let scene = Preset::GridA.scene(1).unwrap();
    let grid = scene.grid();
    let flee = FieldQuestion { kind: FieldKind::Flee, scale: f64::NAN, ..FieldQuestion::default() };
    assert!(flee.compute(&grid, &[], &[scene.start]).is_err());
    let range = FieldQuestion { kind: FieldKind::Range, points: -1.0, ..FieldQuestion::default() };
    assert!(range.compute(&grid, &[scene.start], &[]).is_err());
    let board = FieldQuestion::default().board(&scene.terrain, &grid, &[], &[]).unwrap();
    assert!(board.cells.iter().all(|cell| cell.heat.is_none()) && board.span.is_none());
}
