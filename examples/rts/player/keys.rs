//! The table of keys: the only place that knows which key does what. The help, the panel and the README show it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use bevy::prelude::*;
use bevy_wayfield_egui::{MapPointer, TerrainBrush};

use super::selection::Selection;
use crate::game::maps::{Problem, read_file};

/// Something that a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    PanLeft,
    PanRight,
    PanUp,
    PanDown,
    LetterLeft,
    LetterRight,
    LetterUp,
    LetterDown,
    ZoomIn,
    ZoomOut,
    GoToSelection,
    GoToEvent,
    WholeMap,
    EdgeScroll,
    SelectAll,
    Cancel,
    AttackMove,
    Patrol,
    Gather,
    Flee,
    Stop,
    Hold,
    Group(u8),
    SetGroup(u8),
    AddGroup(u8),
    Pause,
    Step,
    Slower,
    Faster,
    NextAlgorithm,
    Brush,
    Terrain(u8),
    Smaller,
    Larger,
    Freehand,
    Line,
    Rectangle,
    Fill,
    Pick,
    Shape,
    Undo,
    Redo,
    NextOverlay,
    NoOverlay,
    Scenarios,
    Scenario(u8),
    Help,
    Panel,
    Quit,
}

/// When a key does what the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// While units are selected.
    Selected,
    /// While none are.
    Unselected,
    /// While there is a brush in the hand.
    Painting,
    /// While the scenarios are shown.
    Menu,
}

/// What keys depend on.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    is_selected: bool,
    is_painting: bool,
    is_menu: bool,
}

/// A line of the table.
struct Row {
    action: Action,
    /// As a file of keys calls it.
    name: &'static str,
    keys: &'static [&'static str],
    when: When,
    section: &'static str,
    help: &'static str,
}

macro_rules! table {
    ($($section:literal { $($action:ident $(($digit:literal))?, $name:literal, [$($key:literal),*], $when:ident, $help:literal;)* })*) => {
        &[$($(Row {
            action: Action::$action $(($digit))?,
            name: $name,
            keys: &[$($key),*],
            when: When::$when,
            section: $section,
            help: $help,
        },)*)*]
    };
}

/// All keys. Of two lines with one key the upper one counts, if its time has come.
const TABLE: &[Row] = table! {
    "Scenarios" {
        Scenarios, "scenarios", ["F3"], Always, "show or hide the scenarios";
        Scenario(1), "scenario_1", ["1"], Menu, "begin one, while they are shown";
        Scenario(2), "scenario_2", ["2"], Menu, "begin one, while they are shown";
        Scenario(3), "scenario_3", ["3"], Menu, "begin one, while they are shown";
        Scenario(4), "scenario_4", ["4"], Menu, "begin one, while they are shown";
        Scenario(5), "scenario_5", ["5"], Menu, "begin one, while they are shown";
        Scenario(6), "scenario_6", ["6"], Menu, "begin one, while they are shown";
        Scenario(7), "scenario_7", ["7"], Menu, "begin one, while they are shown";
        Scenario(8), "scenario_8", ["8"], Menu, "begin one, while they are shown";
    }
    "Paint" {
        Brush, "brush", ["B"], Always, "take the brush, or put it away";
        Terrain(0), "terrain_1", ["1"], Painting, "the terrain to paint, while painting";
        Terrain(1), "terrain_2", ["2"], Painting, "the terrain to paint, while painting";
        Terrain(2), "terrain_3", ["3"], Painting, "the terrain to paint, while painting";
        Terrain(3), "terrain_4", ["4"], Painting, "the terrain to paint, while painting";
        Terrain(4), "terrain_5", ["5"], Painting, "the terrain to paint, while painting";
        Terrain(5), "terrain_6", ["6"], Painting, "the terrain to paint, while painting";
        Smaller, "smaller", ["-"], Painting, "a smaller, a larger brush";
        Larger, "larger", ["="], Painting, "a smaller, a larger brush";
        Freehand, "freehand", ["Q"], Painting, "paint freehand, lines, rectangles";
        Line, "line", ["E"], Painting, "paint freehand, lines, rectangles";
        Rectangle, "rectangle", ["R"], Painting, "paint freehand, lines, rectangles";
        Fill, "fill", ["F"], Painting, "fill; pick up a terrain";
        Pick, "pick", ["K"], Painting, "fill; pick up a terrain";
        Shape, "shape", ["C"], Painting, "a round or a square brush";
        Undo, "undo", ["Ctrl+Z"], Always, "take the latest stroke back";
        Redo, "redo", ["Ctrl+Y", "Ctrl+Shift+Z"], Always, "do it again";
    }
    "Units" {
        SelectAll, "select_all", ["Ctrl+A"], Always, "select all soldiers";
        Cancel, "cancel", ["Esc"], Always, "no target, no brush, then no selection";
        AttackMove, "attack_move", ["A"], Selected, "go where you click, and after raiders on the way";
        Patrol, "patrol", ["P"], Selected, "go to and fro between here and where you click";
        Gather, "gather", ["G"], Selected, "workers dig ore";
        Flee, "flee", ["F"], Selected, "keep away from raiders";
        Stop, "stop", ["S"], Selected, "stop";
        Hold, "hold", ["H"], Selected, "stand, whoever comes near";
        Group(1), "group_1", ["1"], Always, "select a group; twice: look at it";
        Group(2), "group_2", ["2"], Always, "select a group; twice: look at it";
        Group(3), "group_3", ["3"], Always, "select a group; twice: look at it";
        Group(4), "group_4", ["4"], Always, "select a group; twice: look at it";
        Group(5), "group_5", ["5"], Always, "select a group; twice: look at it";
        Group(6), "group_6", ["6"], Always, "select a group; twice: look at it";
        Group(7), "group_7", ["7"], Always, "select a group; twice: look at it";
        Group(8), "group_8", ["8"], Always, "select a group; twice: look at it";
        Group(9), "group_9", ["9"], Always, "select a group; twice: look at it";
        Group(0), "group_0", ["0"], Always, "select a group; twice: look at it";
        SetGroup(1), "set_group_1", ["Ctrl+1"], Always, "make the selection a group";
        SetGroup(2), "set_group_2", ["Ctrl+2"], Always, "make the selection a group";
        SetGroup(3), "set_group_3", ["Ctrl+3"], Always, "make the selection a group";
        SetGroup(4), "set_group_4", ["Ctrl+4"], Always, "make the selection a group";
        SetGroup(5), "set_group_5", ["Ctrl+5"], Always, "make the selection a group";
        SetGroup(6), "set_group_6", ["Ctrl+6"], Always, "make the selection a group";
        SetGroup(7), "set_group_7", ["Ctrl+7"], Always, "make the selection a group";
        SetGroup(8), "set_group_8", ["Ctrl+8"], Always, "make the selection a group";
        SetGroup(9), "set_group_9", ["Ctrl+9"], Always, "make the selection a group";
        SetGroup(0), "set_group_0", ["Ctrl+0"], Always, "make the selection a group";
        AddGroup(1), "add_group_1", ["Shift+1"], Always, "add the selection to a group";
        AddGroup(2), "add_group_2", ["Shift+2"], Always, "add the selection to a group";
        AddGroup(3), "add_group_3", ["Shift+3"], Always, "add the selection to a group";
        AddGroup(4), "add_group_4", ["Shift+4"], Always, "add the selection to a group";
        AddGroup(5), "add_group_5", ["Shift+5"], Always, "add the selection to a group";
        AddGroup(6), "add_group_6", ["Shift+6"], Always, "add the selection to a group";
        AddGroup(7), "add_group_7", ["Shift+7"], Always, "add the selection to a group";
        AddGroup(8), "add_group_8", ["Shift+8"], Always, "add the selection to a group";
        AddGroup(9), "add_group_9", ["Shift+9"], Always, "add the selection to a group";
        AddGroup(0), "add_group_0", ["Shift+0"], Always, "add the selection to a group";
    }
    "View" {
        PanLeft, "pan_left", ["Left"], Always, "move the view";
        PanRight, "pan_right", ["Right"], Always, "move the view";
        PanUp, "pan_up", ["Up"], Always, "move the view";
        PanDown, "pan_down", ["Down"], Always, "move the view";
        LetterUp, "letter_up", ["W"], Unselected, "move the view, while nothing is selected";
        LetterLeft, "letter_left", ["A"], Unselected, "move the view, while nothing is selected";
        LetterDown, "letter_down", ["S"], Unselected, "move the view, while nothing is selected";
        LetterRight, "letter_right", ["D"], Unselected, "move the view, while nothing is selected";
        ZoomIn, "zoom_in", ["PageUp"], Always, "zoom";
        ZoomOut, "zoom_out", ["PageDown"], Always, "zoom";
        GoToSelection, "go_to_selection", ["Home"], Always, "go to the selection";
        GoToEvent, "go_to_event", ["Space"], Always, "go to where something has just happened";
        WholeMap, "whole_map", ["Backspace"], Always, "show the whole map";
        EdgeScroll, "edge_scroll", ["F8"], Always, "move the view at the edges of the window, or not";
        NextOverlay, "next_overlay", ["O"], Always, "another overlay";
        NoOverlay, "no_overlay", ["Shift+O"], Always, "no overlay";
    }
    "Time and panel" {
        Pause, "pause", ["Enter", "Pause"], Always, "pause; orders and painting go on";
        Step, "step", ["."], Always, "one tick, while paused";
        Slower, "slower", ["["], Always, "slower, faster: 0.25x to 8x";
        Faster, "faster", ["]"], Always, "slower, faster: 0.25x to 8x";
        NextAlgorithm, "next_algorithm", ["T"], Always, "the next algorithm";
        Help, "help", ["F1"], Always, "show or hide the controls";
        Panel, "panel", ["F2"], Always, "show or hide the panel";
        Quit, "quit", ["Ctrl+Q"], Always, "leave";
    }
};

/// What the mouse does; for the help.
const MOUSE: &[(&str, &str)] = &[
    ("Left click, drag", "select; Shift adds, a double click takes all of a kind on the screen"),
    ("Right click", "go there; on a raider: chase, on ore: gather, on one of yours: follow. Shift queues"),
    ("Wheel", "zoom at the cursor"),
    ("Middle drag", "move the view"),
    ("Painting", "left paints, right erases, Alt picks the terrain up"),
];

/// A key and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    ctrl: bool,
    shift: bool,
    key: KeyCode,
}

/// The names of keys.
const KEYS: &[(&str, KeyCode)] = &[
    ("A", KeyCode::KeyA),
    ("B", KeyCode::KeyB),
    ("C", KeyCode::KeyC),
    ("D", KeyCode::KeyD),
    ("E", KeyCode::KeyE),
    ("F", KeyCode::KeyF),
    ("G", KeyCode::KeyG),
    ("H", KeyCode::KeyH),
    ("I", KeyCode::KeyI),
    ("J", KeyCode::KeyJ),
    ("K", KeyCode::KeyK),
    ("L", KeyCode::KeyL),
    ("M", KeyCode::KeyM),
    ("N", KeyCode::KeyN),
    ("O", KeyCode::KeyO),
    ("P", KeyCode::KeyP),
    ("Q", KeyCode::KeyQ),
    ("R", KeyCode::KeyR),
    ("S", KeyCode::KeyS),
    ("T", KeyCode::KeyT),
    ("U", KeyCode::KeyU),
    ("V", KeyCode::KeyV),
    ("W", KeyCode::KeyW),
    ("X", KeyCode::KeyX),
    ("Y", KeyCode::KeyY),
    ("Z", KeyCode::KeyZ),
    ("0", KeyCode::Digit0),
    ("1", KeyCode::Digit1),
    ("2", KeyCode::Digit2),
    ("3", KeyCode::Digit3),
    ("4", KeyCode::Digit4),
    ("5", KeyCode::Digit5),
    ("6", KeyCode::Digit6),
    ("7", KeyCode::Digit7),
    ("8", KeyCode::Digit8),
    ("9", KeyCode::Digit9),
    ("F1", KeyCode::F1),
    ("F2", KeyCode::F2),
    ("F3", KeyCode::F3),
    ("F4", KeyCode::F4),
    ("F5", KeyCode::F5),
    ("F6", KeyCode::F6),
    ("F7", KeyCode::F7),
    ("F8", KeyCode::F8),
    ("F9", KeyCode::F9),
    ("F10", KeyCode::F10),
    ("F11", KeyCode::F11),
    ("F12", KeyCode::F12),
    ("Left", KeyCode::ArrowLeft),
    ("Right", KeyCode::ArrowRight),
    ("Up", KeyCode::ArrowUp),
    ("Down", KeyCode::ArrowDown),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PageUp", KeyCode::PageUp),
    ("PageDown", KeyCode::PageDown),
    ("Space", KeyCode::Space),
    ("Backspace", KeyCode::Backspace),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Escape),
    ("Tab", KeyCode::Tab),
    ("Insert", KeyCode::Insert),
    ("Delete", KeyCode::Delete),
    ("Pause", KeyCode::Pause),
    (".", KeyCode::Period),
    (",", KeyCode::Comma),
    ("[", KeyCode::BracketLeft),
    ("]", KeyCode::BracketRight),
    ("-", KeyCode::Minus),
    ("=", KeyCode::Equal),
    (";", KeyCode::Semicolon),
    ("'", KeyCode::Quote),
    ("/", KeyCode::Slash),
    ("\\", KeyCode::Backslash),
    ("`", KeyCode::Backquote),
];

impl Chord {
    /// Reads a text like `Ctrl+Shift+Z`.
    fn parse(text: &str) -> Option<Self> {
        let mut chord = Self { ctrl: false, shift: false, key: KeyCode::Escape };
        let mut rest = text.trim();
        loop {
            if let Some(after) = rest.strip_prefix("Ctrl+") {
                (chord.ctrl, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("Shift+") {
                (chord.shift, rest) = (true, after);
            } else {
                break;
            }
        }
        chord.key = KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest))?.1;
        Some(chord)
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KEYS.iter().find(|(_, key)| *key == self.key).map_or("?", |(name, _)| name);
        write!(f, "{}{}{name}", if self.ctrl { "Ctrl+" } else { "" }, if self.shift { "Shift+" } else { "" })
    }
}

/// Which keys do what; as the table says, unless a file says otherwise.
#[derive(Resource, Clone, Debug)]
pub struct KeyTable {
    /// In the order of the table.
    chords: Vec<Vec<Chord>>,
}

impl Default for KeyTable {
    fn default() -> Self {
        let parse = |row: &Row| row.keys.iter().filter_map(|text| Chord::parse(text)).collect();
        Self { chords: TABLE.iter().map(parse).collect() }
    }
}

impl KeyTable {
    /// The table with the changes of a RON file: names of actions, each with a list of keys.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        let read = || Self::parse(&read_file(file)?);
        read().map_err(|problem| format!("{}: {problem}", file.display()).into())
    }

    fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let changes: BTreeMap<String, Vec<String>> = ron::de::from_bytes(bytes)?;
        let mut table = Self::default();
        for (name, keys) in changes {
            let index = TABLE.iter().position(|row| row.name == name);
            let slot = index
                .and_then(|index| table.chords.get_mut(index))
                .ok_or_else(|| format!("no action is called {name:?}"))?;
            let parse = |text: &String| Chord::parse(text).ok_or_else(|| format!("{name}: no key is called {text:?}"));
            *slot = keys.iter().map(parse).collect::<Result<_, _>>()?;
        }
        Ok(table)
    }

    /// The keys of an action.
    pub fn chords(&self, action: Action) -> &[Chord] {
        let index = TABLE.iter().position(|row| row.action == action);
        index.and_then(|index| self.chords.get(index)).map_or(&[], Vec::as_slice)
    }

    /// What a key does now, with these modifiers. One whose keys name Shift comes before one that does not mind.
    fn action(&self, key: KeyCode, ctrl: bool, shift: bool, moment: Moment) -> Option<Action> {
        let Moment { is_selected, is_painting, is_menu } = moment;
        let is_time = |row: &&Row| match row.when {
            When::Always => true,
            When::Selected => is_selected && !is_painting,
            When::Unselected => !is_selected || is_painting,
            When::Painting => is_painting,
            When::Menu => is_menu,
        };
        let find = |wanted: Chord| {
            let rows = TABLE.iter().zip(&self.chords).filter(|(row, _)| is_time(row));
            rows.into_iter().find(|(_, chords)| chords.contains(&wanted)).map(|(row, _)| row.action)
        };
        let exact = find(Chord { ctrl, shift, key });
        exact.or_else(|| if shift { find(Chord { ctrl, shift: false, key }) } else { None })
    }

    /// The sections of the help: lines of keys and what they do. Lines with one meaning are one.
    pub fn help(&self) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
        let mut sections = vec![("Mouse", MOUSE.iter().map(|&(keys, what)| (keys.to_owned(), what)).collect())];
        for (row, chords) in TABLE.iter().zip(&self.chords) {
            let texts: Vec<_> = chords.iter().map(ToString::to_string).collect();
            let keys = texts.join(", ");
            if sections.last().is_none_or(|(section, _)| *section != row.section) {
                sections.push((row.section, Vec::new()));
            }
            let Some((_, lines)) = sections.last_mut() else { continue };
            match lines.last_mut() {
                Some((before, what)) if *what == row.help => {
                    // The first one and the last one tell enough of a row of digits.
                    let first = before.split(" … ").next().unwrap_or_default().to_owned();
                    let is_digit = keys.ends_with(|last: char| last.is_ascii_digit());
                    *before = if is_digit { format!("{first} … {keys}") } else { format!("{before} {keys}") };
                }
                _ => lines.push((keys, row.help)),
            }
        }
        sections
    }

    /// The same as a table for the README.
    #[cfg(test)]
    fn markdown(&self) -> String {
        let mut text = "| keys | what they do |\n|---|---|\n".to_owned();
        for (section, lines) in self.help() {
            text += &format!("| **{section}** | |\n");
            for (keys, what) in lines {
                text += &format!("| {} | {what} |\n", if section == "Mouse" { keys } else { format!("`{keys}`") });
            }
        }
        text
    }
}

/// Whether the scenarios are shown.
#[derive(Resource, Default)]
pub struct Menu(pub bool);

/// What keys do in this frame.
#[derive(Resource, Debug, Default)]
pub struct Actions {
    begun: Vec<Action>,
    held: Vec<Action>,
    /// Whether Shift is held, which queues and adds.
    pub shift: bool,
    /// Whether Alt is held.
    pub alt: bool,
}

impl Actions {
    /// Whether a key of the action went down in this frame.
    pub fn began(&self, action: Action) -> bool {
        self.begun.contains(&action)
    }

    /// Whether a key of it is held.
    pub fn is_held(&self, action: Action) -> bool {
        self.held.contains(&action)
    }

    /// What went down in this frame.
    pub fn iter(&self) -> impl Iterator<Item = Action> {
        self.begun.iter().copied()
    }
}

/// Reads the keys, unless a text of the panel has them.
pub fn read(
    mut actions: ResMut<Actions>,
    table: Res<KeyTable>,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<MapPointer>,
    selection: Res<Selection>,
    brush: Res<TerrainBrush>,
    menu: Res<Menu>,
) {
    // In a slow frame a chord may be over before it is read.
    let held =
        |pair: [KeyCode; 2]| keys.any_pressed(pair) || keys.any_just_pressed(pair) || keys.any_just_released(pair);
    let ctrl = held([KeyCode::ControlLeft, KeyCode::ControlRight]);
    actions.shift = held([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    actions.alt = held([KeyCode::AltLeft, KeyCode::AltRight]);
    actions.begun.clear();
    actions.held.clear();
    if pointer.wants_keyboard() {
        return;
    }
    let shift = actions.shift;
    let is_selected = !selection.units().is_empty();
    let moment = Moment { is_selected, is_painting: brush.terrain.is_some(), is_menu: menu.0 };
    let of = |key: &KeyCode| table.action(*key, ctrl, shift, moment);
    actions.begun.extend(keys.get_just_pressed().filter_map(of));
    actions.held.extend(keys.get_pressed().filter_map(of));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn does(table: &KeyTable, text: &str, is_selected: bool, is_painting: bool) -> Option<Action> {
        does_when(table, text, Moment { is_selected, is_painting, is_menu: false })
    }

    fn does_when(table: &KeyTable, text: &str, moment: Moment) -> Option<Action> {
        let Chord { ctrl, shift, key } = Chord::parse(text).unwrap();
        table.action(key, ctrl, shift, moment)
    }

    #[test]
    fn all_keys_of_the_table_are_keys_and_no_line_is_out_of_reach() {
        let table = KeyTable::default();
        for (row, chords) in TABLE.iter().zip(&table.chords) {
            assert_eq!(chords.len(), row.keys.len(), "{}", row.name);
            for chord in chords {
                let reached = (0..8).any(|bits| {
                    let moment =
                        Moment { is_selected: bits & 1 != 0, is_painting: bits & 2 != 0, is_menu: bits & 4 != 0 };
                    does_when(&table, &chord.to_string(), moment) == Some(row.action)
                });
                assert!(reached, "{} by {chord}", row.name);
            }
        }
        let mut names: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn letters_and_digits_mean_what_the_hand_holds() {
        let table = KeyTable::default();
        assert_eq!(does(&table, "A", false, false), Some(Action::LetterLeft));
        assert_eq!(does(&table, "A", true, false), Some(Action::AttackMove));
        assert_eq!(does(&table, "Shift+A", true, false), Some(Action::AttackMove), "Shift queues");
        assert_eq!(does(&table, "Ctrl+A", true, false), Some(Action::SelectAll));
        assert_eq!(does(&table, "S", true, true), Some(Action::LetterDown), "no order while painting");
        assert_eq!(does(&table, "3", true, false), Some(Action::Group(3)));
        assert_eq!(does(&table, "Ctrl+3", true, false), Some(Action::SetGroup(3)));
        assert_eq!(does(&table, "Shift+3", false, false), Some(Action::AddGroup(3)));
        assert_eq!(does(&table, "3", true, true), Some(Action::Terrain(2)));
        let menu = Moment { is_painting: true, is_menu: true, ..Moment::default() };
        assert_eq!(does_when(&table, "3", menu), Some(Action::Scenario(3)));
        assert_eq!(does(&table, "Ctrl+Shift+Z", false, false), Some(Action::Redo));
        assert_eq!(does(&table, "Ctrl+T", false, false), None, "Ctrl is never to be ignored");
    }

    #[test]
    fn a_file_changes_keys_and_what_is_wrong_with_it_is_said() {
        let table = KeyTable::parse(br#"{"stop": ["X", "Ctrl+X"], "pause": ["Space"]}"#).unwrap();
        assert_eq!(does(&table, "X", true, false), Some(Action::Stop));
        assert_eq!(does(&table, "S", true, false), None);
        assert!(table.help().iter().any(|(_, lines)| lines.contains(&("X, Ctrl+X".to_owned(), "stop"))));
        for (text, word) in [("{\"dance\": [\"X\"]}", "dance"), ("{\"stop\": [\"Hyper+X\"]}", "Hyper+X"), ("{", "1:2")]
        {
            let problem = KeyTable::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(problem.contains(word), "{problem}");
        }
    }

    #[test]
    fn the_readme_has_the_table() {
        let readme = include_str!("../../../README.md");
        let table = KeyTable::default().markdown();
        assert!(readme.contains(&table), "README.md must have this table:\n{table}");
    }
}
