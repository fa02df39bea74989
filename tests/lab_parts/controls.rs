//! The lab under its keys and its brush, without a window.

use bevy_wayfield_egui::BrushTool;
use clap::Parser;
use wayfield::{Algorithm, Cell, Direction};

use crate::args::Args;
use crate::model::board::{Pin, WayKind};
use crate::model::terrain::{PLAIN, SWAMP, WALL};
use crate::ui::keys::{Action, KEYS, act};
use crate::ui::lab::{Lab, Mode};
use crate::ui::transport::describe;
use crate::ui::view;
use crate::ui::window::Wishes;

fn lab(line: &str) -> Lab {
    Lab::new(&Args::try_parse_from(std::iter::once("lab").chain(line.split_whitespace())).unwrap()).unwrap()
}

fn press(lab: &mut Lab, actions: &[Action]) {
    let mut wishes = Wishes::default();
    actions.iter().for_each(|&action| act(lab, &mut wishes, action));
}

/// The cost of the answer on the first board.
fn fact(lab: &Lab, start: &str) -> String {
    let boards = lab.boards().unwrap();
    let fact = boards[0].facts.iter().find(|fact| fact.starts_with(start));
    fact.unwrap_or_else(|| panic!("no {start:?} among {:?}", boards[0].facts)).clone()
}

#[test]
fn every_key_does_something_and_none_panics_anywhere() {
    for line in
        ["", "--preset grid-a --against jps", "--field sum", "--algorithm lpa_star --edit 10,9", "--preset clusters"]
    {
        for (.., action, _) in KEYS {
            let mut lab = lab(line);
            press(&mut lab, &[action, Action::Step, action, Action::Back, Action::Finish, action, Action::Begin]);
            assert!(lab.boards().is_ok_and(|boards| !boards.is_empty()), "{action:?} after {line:?}");
            lab.play(0.5);
        }
    }
    for (place, (modifiers, key, ..)) in KEYS.iter().enumerate() {
        let same = KEYS.iter().skip(place + 1).find(|other| (other.0, other.1) == (*modifiers, *key));
        assert_eq!(same, None, "one key, two meanings");
    }
}

#[test]
fn a_step_and_a_step_back_end_where_they_began() {
    let mut lab = lab("--against jps --steps 9");
    assert_eq!((lab.mode, lab.steps()), (Mode::Race, 9));
    let before = lab.boards().unwrap();
    press(&mut lab, &[Action::Step, Action::Step, Action::Back, Action::Back]);
    let without_times = |lab: &Lab| lab.boards().unwrap().into_iter().map(|board| board.cells).collect::<Vec<_>>();
    assert_eq!(without_times(&lab), before.into_iter().map(|board| board.cells).collect::<Vec<_>>());
    press(&mut lab, &[Action::Finish]);
    assert!(lab.is_over() && lab.steps() == lab.total());
    // Playing from the end begins anew, and stops by itself at the end.
    press(&mut lab, &[Action::Play]);
    assert!(lab.playback.is_playing && lab.steps() == 0);
    lab.playback.set_speed(5000.0);
    while lab.play(0.2) {}
    lab.play(1.0);
    assert!(!lab.playback.is_playing && lab.is_over());
}

#[test]
fn keys_alone_move_the_ends_and_paint() {
    let mut lab = lab("--preset grid-a");
    press(&mut lab, &[Action::Finish]);
    assert_eq!(fact(&lab, "cost"), "cost 8, 8 steps");
    // To the wall's lowest cell, and a gap there.
    let (down, right) = (Action::Cursor(Direction::South), Action::Cursor(Direction::East));
    press(&mut lab, &[down, down, down, right, right]);
    assert_eq!(lab.cursor, Some(Cell::new(2, 2)));
    press(&mut lab, &[Action::Terrain(0), Action::Paint]);
    assert_eq!(lab.tilemap.ground(Cell::new(2, 2)), Some(PLAIN));
    assert!(lab.is_over(), "the answer is there at once, as it was before");
    press(&mut lab, &[Action::Undo]);
    assert_eq!(lab.tilemap.ground(Cell::new(2, 2)), Some(WALL));
    press(&mut lab, &[Action::Redo, right, Action::Goal]);
    assert_eq!((lab.goal, fact(&lab, "cost")), (Cell::new(3, 2), "cost 5, 5 steps".to_owned()));
    // At the edge the cursor stays.
    press(&mut lab, &[right; 9]);
    assert_eq!(lab.cursor, Some(Cell::new(4, 2)));
}

#[test]
fn painting_opens_a_way_while_one_looks() {
    let mut lab = lab("");
    press(&mut lab, &[Action::Finish]);
    assert_eq!(fact(&lab, "cost"), "cost 30, 30 steps");
    lab.begin_stroke();
    for x in 14..=16 {
        lab.paint([Cell::new(x, 9)], PLAIN);
    }
    lab.end_stroke();
    assert_eq!(fact(&lab, "cost"), "cost 22, 22 steps");
    lab.undo(false);
    assert_eq!(fact(&lab, "cost"), "cost 30, 30 steps");
    lab.paint([Cell::new(-1, 3), Cell::new(99, 99)], SWAMP);
}

#[test]
fn a_stroke_is_one_edit_for_the_repair() {
    let mut lab = lab("");
    lab.mode = Mode::Edit;
    lab.begin();
    assert!(lab.is_over() && lab.steps() == 0);
    let way = lab.boards().unwrap()[0].ways[0].cells.clone();
    let blocks = [way[way.len() / 2], way[way.len() / 2 + 1], way[way.len() / 2 + 2]];
    lab.begin_stroke();
    blocks.iter().for_each(|&block| lab.paint([block], WALL));
    lab.end_stroke();
    assert!(!lab.is_over());
    let mut edited = lab.boards().unwrap()[0].edited.clone();
    let mut expected = blocks.to_vec();
    edited.sort_unstable();
    expected.sort_unstable();
    assert_eq!(edited, expected);
    lab.seek(usize::MAX);
    assert_eq!(lab.steps(), lab.total());
    let kinds: Vec<_> = lab.boards().unwrap()[0].ways.iter().map(|way| way.kind).collect();
    assert_eq!(kinds, [WayKind::Before, WayKind::Found]);
    // Taking it back is an edit, too.
    lab.undo(false);
    lab.seek(usize::MAX);
    assert_eq!(fact(&lab, "cost"), "cost 30");
}

#[test]
fn pins_are_dragged_and_toggled() {
    let mut lab = lab("--field sum");
    let (source, threat) = (lab.sources[0], lab.threats[0]);
    assert_eq!((lab.pin_at(source), lab.pin_at(threat)), (Some(Pin::Source), Some(Pin::Threat)));
    lab.move_pin(Pin::Source, source, Cell::new(1, 1));
    assert_eq!((lab.pin_at(source), lab.sources.as_slice()), (None, [Cell::new(1, 1)].as_slice()));
    lab.toggle_pin(Pin::Source, Cell::new(5, 5));
    lab.move_pin(Pin::Source, Cell::new(5, 5), Cell::new(1, 1));
    assert_eq!(lab.sources, [Cell::new(1, 1)], "two on a cell are one");
    lab.toggle_pin(Pin::Source, Cell::new(1, 1));
    lab.toggle_pin(Pin::Threat, Cell::new(-4, 1));
    assert!(lab.sources.is_empty() && lab.threats == [threat]);
    assert!(lab.boards().is_ok(), "a field without sources has no values, and that is no error");
    lab.mode = Mode::Search;
    assert_eq!(lab.pin_at(lab.start), Some(Pin::Start));
    lab.move_pin(Pin::Start, lab.start, Cell::new(-1, 0));
    assert_eq!(lab.start, threat, "outside the map nothing happens");
}

/// A press, a way over these cells with the button down, and the release.
fn drag(lab: &mut Lab, cells: &[(i32, i32)], has_shift: bool) {
    let cells: Vec<_> = cells.iter().copied().map(Cell::from).collect();
    let mut state = view::press(lab, cells[0], lab.brush.terrain);
    for &cell in &cells {
        state = view::go_on(lab, state, cell);
    }
    view::release(lab, state, has_shift);
}

#[test]
fn a_drag_is_what_begins_below_the_pointer() {
    let mut lab = lab("");
    drag(&mut lab, &[(4, 9), (5, 8), (26, 9), (2, 2)], false);
    assert_eq!((lab.start, lab.goal), (Cell::new(2, 2), Cell::new(26, 9)), "the start jumps over the goal");
    // Without a brush nothing is painted; with one, wherever the pointer came along.
    drag(&mut lab, &[(6, 6), (9, 9)], false);
    assert_eq!(lab.history.depth(), (0, 0));
    lab.brush.terrain = Some(WALL);
    drag(&mut lab, &[(6, 6), (9, 6), (9, 8)], false);
    let walls = |lab: &Lab| lab.tilemap.terrain().grid().values().iter().filter(|&&terrain| terrain == WALL).count();
    assert_eq!((walls(&lab), lab.history.depth()), (6, (1, 0)));
    for (tool, from, to, count) in [
        (BrushTool::Line, (0, 17), (4, 17), 5),
        (BrushTool::Rectangle, (20, 1), (22, 3), 9),
        (BrushTool::Fill, (15, 3), (15, 3), 39),
    ] {
        lab.brush.tool = tool;
        let before = walls(&lab);
        drag(&mut lab, &[from, to], false);
        assert_eq!(walls(&lab) - before, count, "{tool:?}");
        lab.undo(false);
        assert_eq!(walls(&lab), before, "{tool:?} is one stroke");
    }
    lab.brush.tool = BrushTool::Pick;
    drag(&mut lab, &[(15, 3)], false);
    assert_eq!((lab.brush.terrain, lab.brush.tool), (Some(SWAMP), BrushTool::Freehand));
}

#[test]
fn a_click_on_a_field_puts_a_source_and_with_shift_a_threat() {
    let mut lab = lab("--field sum");
    let (sources, threats) = (lab.sources.len(), lab.threats.len());
    drag(&mut lab, &[(1, 1)], false);
    drag(&mut lab, &[(2, 2)], true);
    assert_eq!((lab.sources.len(), lab.threats.len()), (sources + 1, threats + 1));
    press(&mut lab, &[Action::More, Action::More, Action::Less]);
    assert_eq!(lab.question.weights, (1.0, -0.4));
}

#[test]
fn a_cell_is_told_in_words() {
    let mut lab = lab("--preset grid-b --algorithm dijkstra");
    press(&mut lab, &[Action::Finish]);
    lab.point_at(Some(Cell::new(2, 2)));
    let told = describe(&lab.boards().unwrap()[0], Cell::new(2, 2));
    assert_eq!(told, "2,2: forest, cost 3; closed; g 8; from 2,1 from 1,1 from 1,0 from 0,0");
    lab.point_at(Some(Cell::new(9, 9)));
    assert_eq!(lab.cursor, None);
}

#[test]
fn a_scene_goes_through_text_and_back() {
    let mut first = lab("--preset noise --seed 8 --algorithm jps");
    let text = first.scene().text();
    let scene = crate::model::scene::Scene::parse("again", &text).unwrap();
    first.show_preset(crate::model::presets::Preset::GridA).unwrap();
    assert_ne!(first.scene().text(), text);
    first.show(scene);
    assert_eq!(first.scene().text(), text);
    assert_eq!(first.settings[0].algorithm, Algorithm::Jps, "what was chosen stays chosen");
}
