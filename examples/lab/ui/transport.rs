//! Below the picture: play, step, seek, speed, and what is known of the cell under the cursor.

use bevy_egui::egui::{Button, Color32, RichText, Slider, Ui};

use super::keys::toggle_play;
use super::lab::{Lab, Mode};
use super::view::View;
use super::window::{Wish, Wishes};
use crate::model::board::{Board, Mark, Numbers, number};
use crate::model::playback::Playback;
use crate::model::terrain::KINDS;
use wayfield::Cell;
use wayfield::bidirectional::Side;

/// From this width on all controls are in one row.
const ONE_ROW: f32 = 740.0;

pub fn show(ui: &mut Ui, lab: &mut Lab, wishes: &mut Wishes, view: &View) {
    ui.add_space(3.0);
    let is_searched = lab.mode != Mode::Field;
    if ui.available_width() < ONE_ROW {
        ui.horizontal(|ui| {
            ui.add_enabled_ui(is_searched, |ui| buttons(ui, lab));
            windows(ui, wishes);
        });
        ui.add_enabled_ui(is_searched, |ui| seek(ui, lab, 80.0));
        speed(ui, lab);
    } else {
        ui.horizontal(|ui| {
            ui.add_enabled_ui(is_searched, |ui| buttons(ui, lab));
            ui.add_enabled_ui(is_searched, |ui| seek(ui, lab, 150.0));
            speed(ui, lab);
            windows(ui, wishes);
        });
    }
    let cursor = lab.cursor.and_then(|cell| Some((cell, view.boards().first()?)));
    match (&wishes.message, cursor) {
        (_, Some((cell, board))) => ui.label(describe(board, cell)),
        (Some((true, text)), None) => ui.label(text),
        (Some((false, text)), None) => ui.label(RichText::new(text).color(Color32::DARK_RED)),
        (None, None) => ui.weak("Point at a cell, or move the cursor by the arrow keys."),
    };
    ui.add_space(2.0);
}

fn windows(ui: &mut Ui, wishes: &mut Wishes) {
    if ui.button("Panel").on_hover_text("Show or hide the panel (F2)").clicked() {
        wishes.wish(Wish::Panel);
    }
    if ui.button("Help").on_hover_text("All keys (F1)").clicked() {
        wishes.wish(Wish::Help);
    }
}

fn buttons(ui: &mut Ui, lab: &mut Lab) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let (steps, is_over) = (lab.steps(), lab.is_over());
        let mut button = |text: &str, help: &str, is_enabled: bool| {
            ui.add_enabled(is_enabled, Button::new(text).min_size([30.0, 22.0].into())).on_hover_text(help).clicked()
        };
        if button("⏮", "To the beginning (Home)", steps > 0) {
            lab.playback.is_playing = false;
            lab.seek(0);
        }
        if button("◀", "One step back (,)", steps > 0) {
            lab.playback.is_playing = false;
            lab.seek(steps.saturating_sub(1));
        }
        let play = if lab.playback.is_playing { "⏸" } else { "▶" };
        if button(play, "Play or pause (Space)", true) {
            toggle_play(lab);
        }
        if button("▶|", "One step (.)", !is_over) {
            lab.playback.is_playing = false;
            lab.step();
        }
        if button("⏭", "To the end (End)", !is_over) {
            lab.playback.is_playing = false;
            lab.seek(usize::MAX);
        }
    });
}

fn seek(ui: &mut Ui, lab: &mut Lab, width: f32) {
    ui.horizontal(|ui| {
        let (present, total) = (lab.steps(), lab.total());
        let mut wanted = present;
        ui.spacing_mut().slider_width = width;
        ui.label("Step");
        let slider = ui.add(Slider::new(&mut wanted, 0..=total));
        ui.label(format!("of {total}"));
        if slider.changed() && wanted != present {
            lab.playback.is_playing = false;
            lab.seek(wanted);
        }
    });
}

fn speed(ui: &mut Ui, lab: &mut Lab) {
    ui.horizontal(|ui| {
        let mut speed = lab.playback.speed();
        ui.spacing_mut().slider_width = 90.0;
        ui.label("Speed");
        let (least, most) = Playback::SPEEDS;
        let slider = Slider::new(&mut speed, least..=most).logarithmic(true).max_decimals(0).suffix("/s");
        if ui.add(slider).on_hover_text("Steps a second (+ and -)").changed() {
            lab.playback.set_speed(speed);
        }
    });
}

/// What is known of a cell, in words.
pub fn describe(board: &Board, cell: Cell) -> String {
    let Some(view) = board.cell(cell) else { return String::new() };
    let name = KINDS.iter().find(|kind| kind.0 == view.terrain).map_or("ground", |kind| kind.1);
    let cost = view.cost.map_or_else(|| "closed".to_owned(), |cost| format!("cost {cost}"));
    let mut text = format!("{cell}: {}, {cost}", name.to_lowercase());
    text += match view.mark {
        Mark::Unseen => "",
        Mark::Open(Side::Forward) => "; open",
        Mark::Closed(Side::Forward) => "; closed",
        Mark::Open(Side::Backward) => "; open from the goal",
        Mark::Closed(Side::Backward) => "; closed from the goal",
        Mark::Met => "; seen from both ends",
        Mark::Cheaper => "; got cheaper",
        Mark::Dearer => "; got dearer",
        Mark::Repaired => "; expanded since the edit",
    };
    let unknown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), number);
    match view.numbers {
        Numbers::None => {}
        Numbers::Search { g, h: None, f: None } => text += &format!("; g {}", number(g)),
        Numbers::Search { g, h, f } => text += &format!("; g {}, h {}, f {}", number(g), unknown(h), unknown(f)),
        Numbers::Repair { g, rhs } => text += &format!("; g {}, rhs {}", unknown(g), unknown(rhs)),
        Numbers::Value(value) => text += &format!("; {}", number(value)),
    }
    let chain = board.ways.iter().find(|way| way.kind == crate::model::board::WayKind::Chain);
    if let Some(chain) = chain.filter(|chain| chain.cells.first() == Some(&cell)) {
        let cells: Vec<_> = chain.cells.iter().skip(1).take(4).map(|cell| cell.to_string()).collect();
        let more = if chain.cells.len() > 5 { " ..." } else { "" };
        text += &format!("; from {}{more}", cells.join(" from "));
    }
    text
}
