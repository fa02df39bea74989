//! The line of numbers over the map, and the help.

use bevy::diagnostic::{DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

use super::panel::Panel;
use super::sprites::team_color;
use crate::game::life::Chronicle;
use crate::game::scenario::{Trial, Verdict};
use crate::game::units::UnitKind;
use crate::player::brush::Hand;
use crate::player::keys::{Action, Actions, KeyTable};
use crate::player::selection::Selection;
use crate::player::{Targeting, key_of};

/// Whether the help is shown.
#[derive(Resource, Default)]
pub struct Help(pub bool);

pub fn keys(actions: Res<Actions>, mut help: ResMut<Help>, mut panel: ResMut<Panel>, mut exit: MessageWriter<AppExit>) {
    if actions.began(Action::Quit) {
        exit.write(AppExit::Success);
    }
    if actions.began(Action::Help) {
        help.0 = !help.0;
    }
    if actions.began(Action::Panel) {
        panel.toggle();
    }
}

/// What is said over the map.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Said<'w, 's> {
    chronicle: Res<'w, Chronicle>,
    selection: Res<'w, Selection>,
    targeting: Res<'w, Targeting>,
    hand: Res<'w, Hand>,
    diagnostics: Res<'w, DiagnosticsStore>,
    clock: Res<'w, Time<Virtual>>,
    keys: Res<'w, KeyTable>,
    panel: Res<'w, Panel>,
    units: Query<'w, 's, &'static UnitKind>,
    trial: Option<Res<'w, Trial>>,
}

pub fn show(mut contexts: EguiContexts, said: Said, mut help: ResMut<Help>) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let free = context.viewport_rect().width() - said.panel.width_shown();
    egui::Area::new("top".into()).fixed_pos([6.0, 6.0]).interactable(false).show(&context, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width((free - 30.0).max(60.0));
            ui.horizontal_wrapped(|ui| line(ui, &said, free));
        });
    });
    if let Some(trial) = &said.trial {
        let area = egui::Area::new("trial".into()).fixed_pos([6.0, 46.0]).interactable(false);
        area.show(&context, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width((free - 30.0).max(60.0));
                ui.horizontal_wrapped(|ui| verdict(ui, trial));
            });
        });
    }
    controls(&context, &mut help, &said.keys);
    Ok(())
}

fn line(ui: &mut egui::Ui, said: &Said, free: f32) {
    // In a tiny window what is to be done comes before what has been done.
    if free > 420.0 {
        for kind in UnitKind::ALL {
            let [red, green, blue, _] = team_color(kind).to_srgba().to_u8_array();
            let count = said.units.iter().filter(|other| **other == kind).count();
            let text = egui::RichText::new("■").color(egui::Color32::from_rgb(red, green, blue));
            ui.label(text);
            ui.label(format!("{count} {}s", kind.name()));
        }
        ui.separator();
        let Chronicle { brought_home, robberies, driven_away, .. } = &*said.chronicle;
        ui.label(format!("ore home {brought_home}"));
        ui.label(format!("robberies {robberies}"));
        ui.label(format!("driven away {driven_away}"));
        ui.separator();
    }
    match (*said.targeting, said.hand.spawns, said.selection.units().len()) {
        (Targeting::AttackMove, ..) => ui.strong("Attack-move: click where to"),
        (Targeting::Patrol, ..) => ui.strong("Patrol: click where to"),
        (_, Some((kind, count)), _) => ui.strong(format!("Click: {count} {}s", kind.name())),
        (.., 0) => ui.strong("Drag over soldiers, right-click to send"),
        (.., selected) => ui.label(format!("{selected} selected")),
    };
    let fps = said.diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(|fps| fps.smoothed());
    if let Some(fps) = fps {
        ui.label(format!("{fps:.0}\u{a0}fps"));
    }
    let speed = said.clock.relative_speed();
    if speed != 1.0 {
        ui.label(format!("{speed}x"));
    }
    if said.clock.is_paused() {
        ui.strong(format!("PAUSED, orders are taken ({} goes on)", key_of(&said.keys, Action::Pause)));
    }
}

/// How the scenario stands; by sign and by colour.
fn verdict(ui: &mut egui::Ui, trial: &Trial) {
    let (sign, color) = match trial.verdict {
        Verdict::Running => ("…", ui.visuals().text_color()),
        Verdict::Passed => ("✔ PASSED", egui::Color32::from_rgb(0x56, 0xB4, 0xE9)),
        Verdict::Failed => ("✘ FAILED", egui::Color32::from_rgb(0xE6, 0x9F, 0x00)),
    };
    ui.strong(trial.scenario.title());
    ui.colored_label(color, sign);
    ui.label(&trial.line);
}

fn controls(context: &egui::Context, help: &mut ResMut<Help>, keys: &KeyTable) {
    let mut open = help.0;
    let room = context.viewport_rect().size();
    let window = egui::Window::new("Controls").open(&mut open).collapsible(false).resizable(false);
    window.default_pos([12.0, 60.0]).max_width((room.x - 40.0).clamp(120.0, 620.0)).show(context, |ui| {
        egui::ScrollArea::vertical().max_height((room.y - 120.0).max(60.0)).show(ui, |ui| {
            for (section, lines) in keys.help() {
                ui.add_space(4.0);
                ui.weak(section);
                egui::Grid::new(section).num_columns(2).striped(true).min_col_width(110.0).show(ui, |ui| {
                    for (keys, what) in lines {
                        ui.strong(keys);
                        ui.add(egui::Label::new(what).wrap());
                        ui.end_row();
                    }
                });
            }
        });
    });
    // Only a change is written: the pass may run twice a frame.
    if open != help.0 {
        help.0 = open;
    }
}
