//! What the keys do: all that the mouse can do, too.

use bevy_egui::egui::{Context, Key, Modifiers};
use bevy_wayfield_egui::{BrushTool, TerrainBrush};
use wayfield::{Algorithm, Cell, CornerRule, Direction, Heuristic, ReplanMethod, Tie, Weight};

use super::lab::{Lab, Mode, WALKER};
use super::window::{Wish, Wishes};
use crate::model::board::Pin;
use crate::model::field::FieldKind;
use crate::model::presets::Preset;
use crate::model::terrain::PLAIN;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Play,
    Step,
    Back,
    Begin,
    Finish,
    Faster,
    Slower,
    Mode,
    Algorithm,
    SecondAlgorithm,
    Heuristic,
    Corners,
    Tie,
    Heavier,
    Lighter,
    Method,
    Field,
    More,
    Less,
    Preset,
    Reseed,
    Cursor(Direction),
    Start,
    Goal,
    Source,
    Threat,
    Terrain(usize),
    Larger,
    Smaller,
    Tool,
    Paint,
    Erase,
    Undo,
    Redo,
    Parents,
    Compare,
    Copy,
    Paste,
    Help,
    Panel,
}

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;

/// Keys, what they do, and how the help says it. Of two that could match, the one with more modifiers comes first.
pub const KEYS: [(Modifiers, Key, Action, &str); 49] = [
    (NONE, Key::Space, Action::Play, "play, pause"),
    (NONE, Key::Period, Action::Step, "one step"),
    (NONE, Key::Comma, Action::Back, "one step back"),
    (NONE, Key::Home, Action::Begin, "to the beginning"),
    (NONE, Key::End, Action::Finish, "to the end"),
    (NONE, Key::Plus, Action::Faster, "faster"),
    (NONE, Key::Equals, Action::Faster, "faster"),
    (NONE, Key::Minus, Action::Slower, "slower"),
    (NONE, Key::M, Action::Mode, "search, race, field, edit"),
    (SHIFT, Key::A, Action::SecondAlgorithm, "the next algorithm of the second racer"),
    (NONE, Key::A, Action::Algorithm, "the next algorithm"),
    (NONE, Key::H, Action::Heuristic, "the next heuristic"),
    (NONE, Key::D, Action::Corners, "the next rule for diagonals"),
    (NONE, Key::I, Action::Tie, "the other way to break ties"),
    (SHIFT, Key::W, Action::Lighter, "less weight for the estimate of weighted A*"),
    (NONE, Key::W, Action::Heavier, "more weight for the estimate of weighted A*"),
    (NONE, Key::L, Action::Method, "LPA* or D* Lite repairs"),
    (NONE, Key::F, Action::Field, "the next kind of field"),
    (NONE, Key::OpenBracket, Action::Less, "fewer points, a smaller k, less weight of threats"),
    (NONE, Key::CloseBracket, Action::More, "more points, a larger k, more weight of threats"),
    (NONE, Key::O, Action::Preset, "the next scene"),
    (NONE, Key::N, Action::Reseed, "another scene of this kind, by chance"),
    (NONE, Key::ArrowUp, Action::Cursor(Direction::North), "move the cursor"),
    (NONE, Key::ArrowDown, Action::Cursor(Direction::South), "move the cursor"),
    (NONE, Key::ArrowLeft, Action::Cursor(Direction::West), "move the cursor"),
    (NONE, Key::ArrowRight, Action::Cursor(Direction::East), "move the cursor"),
    (NONE, Key::S, Action::Start, "the start to the cursor"),
    (NONE, Key::G, Action::Goal, "the goal to the cursor"),
    (NONE, Key::X, Action::Source, "a source at the cursor, or none"),
    (NONE, Key::T, Action::Threat, "a threat at the cursor, or none"),
    (NONE, Key::Num1, Action::Terrain(0), "paint plain ground"),
    (NONE, Key::Num2, Action::Terrain(1), "paint forest"),
    (NONE, Key::Num3, Action::Terrain(2), "paint swamp"),
    (NONE, Key::Num4, Action::Terrain(3), "paint walls"),
    (NONE, Key::Num0, Action::Terrain(usize::MAX), "put the brush away"),
    (SHIFT, Key::B, Action::Smaller, "a smaller brush"),
    (NONE, Key::B, Action::Larger, "a larger brush"),
    (Modifiers::COMMAND, Key::C, Action::Copy, "copy the scene as text"),
    (NONE, Key::C, Action::Tool, "the next tool of the brush"),
    (NONE, Key::Enter, Action::Paint, "paint at the cursor"),
    (NONE, Key::Delete, Action::Erase, "erase at the cursor"),
    (Modifiers { shift: true, command: true, ..NONE }, Key::Z, Action::Redo, "do it again"),
    (Modifiers::COMMAND, Key::Z, Action::Undo, "take the latest stroke back"),
    (Modifiers::COMMAND, Key::Y, Action::Redo, "do it again"),
    (NONE, Key::P, Action::Parents, "arrows to the parents, or none"),
    (NONE, Key::Q, Action::Compare, "all algorithms, or none"),
    (Modifiers::COMMAND, Key::V, Action::Paste, "paste a scene"),
    (NONE, Key::F1, Action::Help, "show or hide this"),
    (NONE, Key::F2, Action::Panel, "show or hide the panel"),
];

/// The keys that a button or a slider obeys while it has the focus.
const OF_WIDGETS: [Key; 6] = [Key::Space, Key::Enter, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];

/// What was pressed since the last frame. Nothing while a text is typed.
pub fn pressed(context: &Context) -> Vec<Action> {
    if context.text_edit_focused() {
        return Vec::new();
    }
    let has_focus = context.memory(|memory| memory.focused().is_some());
    let presses = |&(modifiers, key, action, _): &(Modifiers, Key, Action, &str)| {
        let count = context.input_mut(|input| input.count_and_consume_key(modifiers, key));
        std::iter::repeat_n(action, count)
    };
    let keys = KEYS.iter().filter(|(_, key, ..)| !has_focus || !OF_WIDGETS.contains(key));
    keys.flat_map(presses).collect()
}

/// The one after `present`, and after the last one the first.
fn after<T: Copy + PartialEq>(all: &[T], present: T) -> T {
    let place = all.iter().position(|&other| other == present).map_or(0, |place| place + 1);
    all.get(place).or(all.first()).copied().unwrap_or(present)
}

/// Does what a key says to the lab; what it says to the window is a wish.
pub fn act(lab: &mut Lab, wishes: &mut Wishes, action: Action) {
    let size = lab.tilemap.size();
    let cursor = lab.cursor.unwrap_or(lab.start);
    match action {
        Action::Play => toggle_play(lab),
        Action::Step => {
            lab.playback.is_playing = false;
            lab.step();
        }
        Action::Back => {
            lab.playback.is_playing = false;
            lab.seek(lab.steps().saturating_sub(1));
        }
        Action::Begin => lab.seek(0),
        Action::Finish => lab.seek(usize::MAX),
        Action::Faster => lab.playback.set_speed(lab.playback.speed() * 1.5),
        Action::Slower => lab.playback.set_speed(lab.playback.speed() / 1.5),
        Action::Mode => {
            lab.mode = after(&Mode::ALL.map(|(mode, _)| mode), lab.mode);
            lab.begin();
        }
        Action::Algorithm => {
            lab.settings[0].algorithm = after(&Algorithm::ALL, lab.settings[0].algorithm);
            lab.begin();
        }
        Action::SecondAlgorithm => {
            lab.settings[1].algorithm = after(&Algorithm::ALL, lab.settings[1].algorithm);
            lab.begin();
        }
        Action::Heuristic => {
            let all: Vec<_> = std::iter::once(None).chain(Heuristic::ALL.map(Some)).collect();
            let next = after(&all, lab.settings[0].heuristic);
            lab.settings.iter_mut().for_each(|settings| settings.heuristic = next);
            lab.begin();
        }
        Action::Corners => {
            let present = lab.tilemap.grid(WALKER).map(|grid| grid.corner_rule()).unwrap_or_default();
            lab.tilemap.set_corner_rule(after(&CornerRule::ALL, present));
            lab.begin();
        }
        Action::Tie => {
            lab.tie = after(&[Tie::LowG, Tie::HighG], lab.tie);
            lab.begin();
        }
        Action::Heavier | Action::Lighter => {
            let by = if action == Action::Heavier { 0.25 } else { -0.25 };
            for settings in &mut lab.settings {
                settings.weight = Weight::new(settings.weight.get() + by).unwrap_or(settings.weight);
            }
            lab.begin();
        }
        Action::Method => {
            lab.method = after(&ReplanMethod::ALL, lab.method);
            lab.begin();
        }
        Action::More | Action::Less => {
            lab.question.turn(action == Action::More);
            lab.ask();
        }
        Action::Field => {
            lab.question.kind = after(&FieldKind::ALL, lab.question.kind);
            lab.begin();
        }
        Action::Preset => {
            let shown = lab.show_preset(after(&Preset::ALL, lab.preset));
            wishes.say(shown.map(|()| String::new()).map_err(|error| error.to_string()));
        }
        Action::Reseed => {
            lab.seed = lab.seed.wrapping_add(1);
            let shown = lab.show_preset(lab.preset);
            wishes.say(shown.map(|()| String::new()).map_err(|error| error.to_string()));
        }
        Action::Cursor(way) => {
            let next = if lab.cursor.is_some() { cursor.step(way) } else { cursor };
            let inside = |at: i32, length: u32| at.clamp(0, length as i32 - 1);
            lab.point_at(Some(Cell::new(inside(next.x, size.width()), inside(next.y, size.height()))));
        }
        Action::Start => lab.move_pin(Pin::Start, lab.start, cursor),
        Action::Goal => lab.move_pin(Pin::Goal, lab.goal, cursor),
        Action::Source => lab.toggle_pin(Pin::Source, cursor),
        Action::Threat => lab.toggle_pin(Pin::Threat, cursor),
        Action::Terrain(number) => lab.brush.terrain = lab.palette.0.get(number).map(|entry| entry.terrain),
        Action::Larger => lab.brush.size = (lab.brush.size + 1).min(TerrainBrush::MAX_SIZE),
        Action::Smaller => lab.brush.size = lab.brush.size.saturating_sub(1).max(1),
        Action::Tool => lab.brush.tool = after(&BrushTool::ALL, lab.brush.tool),
        Action::Paint | Action::Erase => {
            let terrain = if action == Action::Erase { Some(PLAIN) } else { lab.brush.terrain };
            if let Some(terrain) = terrain {
                lab.begin_stroke();
                lab.paint(lab.brush.cells(cursor).collect::<Vec<_>>(), terrain);
                lab.end_stroke();
            }
        }
        Action::Undo => lab.undo(false),
        Action::Redo => lab.undo(true),
        Action::Parents => lab.show_parents(!lab.parents),
        Action::Compare => {
            let is_shown = lab.comparison.question().is_some();
            if is_shown {
                lab.comparison.clear();
            } else {
                lab.compare();
            }
            wishes.opens_comparison = Some(!is_shown);
            lab.look_again();
        }
        Action::Copy => wishes.wish(Wish::Copy),
        Action::Paste => wishes.wish(Wish::Paste),
        Action::Help => wishes.wish(Wish::Help),
        Action::Panel => wishes.wish(Wish::Panel),
    }
}

/// Plays, or pauses; at the end, from the beginning.
pub fn toggle_play(lab: &mut Lab) {
    if !lab.playback.is_playing && lab.is_over() {
        lab.seek(0);
    }
    lab.playback.toggle();
}
