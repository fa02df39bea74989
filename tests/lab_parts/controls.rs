//! The lab under its keys and its brush, without a window.

use clap::Parser;
use wayfield::{Algorithm, Cell, Direction};

use crate::args::Args;
use crate::model::board::{Pin, WayKind};
use crate::model::terrain::{PLAIN, SWAMP, WALL};
use crate::ui::keys::{Action, KEYS, act};
use crate::ui::lab::{Lab, Mode};
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
