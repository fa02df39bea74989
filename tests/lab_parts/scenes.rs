//! Scenes: those that come with the lab, and those of text.

use clap::ValueEnum;
use wayfield::{Cell, CornerRule};

use crate::model::presets::Preset;
use crate::model::scene::{Scene, SceneError};

#[test]
fn every_preset_has_a_way_and_a_seed_fixes_it() {
    for preset in Preset::ALL {
        for seed in 0..5 {
            let (scene, again) = (preset.scene(seed).unwrap(), preset.scene(seed).unwrap());
            assert_eq!(scene.text(), again.text(), "{preset:?}");
            assert!(scene.grid().is_reachable(scene.start, scene.goal), "{preset:?}, seed {seed}");
            assert_ne!(scene.start, scene.goal);
            let differs = scene.text() != preset.scene(seed + 5).unwrap().text();
            assert_eq!(differs, preset.is_random(), "{preset:?}, seed {seed}");
        }
    }
    assert_eq!(Preset::value_variants().len(), Preset::ALL.len());
}

#[test]
fn a_maze_has_one_way_only() {
    let scene = Preset::Maze.scene(9).unwrap();
    let grid = scene.grid();
    let cells: Vec<_> = grid.size().rect().cells().filter(|&cell| grid.is_passable(cell)).collect();
    assert!(cells.iter().all(|&cell| grid.is_reachable(scene.start, cell)));
    // A tree has one edge less than it has nodes.
    let steps: usize = cells.iter().map(|&cell| grid.legal_moves(cell).iter().count()).sum();
    assert_eq!(steps / 2, cells.len() - 1);
}

#[test]
fn text_is_read_back_as_it_was() {
    for preset in Preset::ALL {
        let mut scene = preset.scene(3).unwrap();
        scene.rule = CornerRule::AtLeastOneFree;
        scene.sources.push(scene.start);
        let read = Scene::parse("again", &scene.text()).unwrap();
        assert_eq!(read.terrain.grid(), scene.terrain.grid());
        assert_eq!((read.start, read.goal, read.rule), (scene.start, scene.goal, scene.rule));
        assert_eq!((read.sources, read.threats), (scene.sources, scene.threats));
    }
}

#[test]
fn plain_maps_and_moving_ai_maps_are_scenes_too() {
    let plain = Scene::parse("plain", "#..\n..#\n").unwrap();
    assert_eq!((plain.start, plain.goal, plain.rule), (Cell::new(1, 0), Cell::new(1, 1), CornerRule::BothFree));
    let benchmark = Scene::parse("map", "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n").unwrap();
    assert_eq!(benchmark.goal, Cell::new(2, 1));
}

#[test]
fn bad_text_is_an_error_with_its_line() {
    for (text, message) in [
        ("", "line 1, column 1: there are no rows"),
        ("start 1;2\n...\n", "line 1: expected \"start X,Y\" with whole numbers, found \"1;2\""),
        ("corners never\ngoal 3,0\n...\n", "line 2: 3,0 is outside the map of 3 x 1"),
        ("start 0,0\ngoal 2,0\n...\n..\n", "line 4, column 3: this row has 2 cells, the map is 3 wide"),
        ("corners some\n...\n", "line 1: unknown corner rule \"some\""),
        ("##\n##\n", "there is no cell that could be entered"),
    ] {
        let error = Scene::parse("bad", text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
}
