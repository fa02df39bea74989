//! The panel at the side, the numbers at the top, and the help.

use bevy::diagnostic::{DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_wayfield::wayfield::FleeScale;
use bevy_wayfield::{DijkstraMaps, PathfindingSettings, Planner, Tilemap};
use bevy_wayfield_egui::{
    MapPointer, Palette, PaletteEntry, PanelHistory, TerrainBrush, brush_controls, corner_rule_choice, fields_list,
    live_numbers, search_controls,
};

use crate::life::{Chronicle, SharedFields};
use crate::terrain::{FOOT, FOREST, PLAIN, ROAD, SWAMP, WALL, WATER};
use crate::units::UnitKind;
use crate::view::input::{SPEEDS, Selection};
use crate::view::sprites::team_color;

/// The width of the panel, in pixels.
pub const PANEL_WIDTH: f32 = 290.0;

/// Whether the help is shown.
#[derive(Resource, Default)]
pub struct Help(pub bool);

const KEYS: [(&str, &str); 15] = [
    ("Left click, drag", "select soldiers (Shift adds)"),
    ("Right click", "send them there"),
    ("1 to 6", "paint a terrain; right button paints plain"),
    ("Esc", "stop painting, then clear the selection"),
    ("Ctrl A", "select all soldiers"),
    ("H", "halt"),
    ("W A S D, arrows", "move the view; so does a middle drag"),
    ("Wheel", "zoom at the cursor"),
    ("Home", "go to the selection"),
    ("Backspace", "show the whole map"),
    ("Space, P", "pause; orders and painting go on"),
    (".", "one tick, while paused"),
    ("[ ]", "slower, faster"),
    ("T", "next algorithm"),
    ("F1", "show or hide this"),
];

pub fn palette() -> Palette {
    let entry = |name: &str, terrain, key, color: [u8; 3]| PaletteEntry {
        name: name.to_owned(),
        terrain,
        color: egui::Color32::from_rgb(color[0], color[1], color[2]),
        key: Some(key),
    };
    Palette(vec![
        entry("Plain", PLAIN, '1', [126, 160, 84]),
        entry("Forest", FOREST, '2', [44, 84, 52]),
        entry("Swamp", SWAMP, '3', [92, 104, 78]),
        entry("Water", WATER, '4', [40, 78, 130]),
        entry("Rock", WALL, '5', [138, 132, 128]),
        entry("Road", ROAD, '6', [206, 184, 140]),
    ])
}

pub fn style(mut contexts: EguiContexts) -> Result {
    let context = contexts.ctx_mut()?;
    context.set_theme(egui::Theme::Dark);
    Ok(())
}

/// What the panel shows of the game.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Shown<'w, 's> {
    planner: Res<'w, Planner>,
    history: Res<'w, PanelHistory>,
    palette: Res<'w, Palette>,
    chronicle: Res<'w, Chronicle>,
    fields: Res<'w, SharedFields>,
    selection: Res<'w, Selection>,
    diagnostics: Res<'w, DiagnosticsStore>,
    units: Query<'w, 's, &'static UnitKind>,
}

/// What the panel changes.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Changed<'w> {
    settings: ResMut<'w, PathfindingSettings>,
    tilemap: ResMut<'w, Tilemap>,
    maps: ResMut<'w, DijkstraMaps>,
    brush: ResMut<'w, TerrainBrush>,
    clock: ResMut<'w, Time<Virtual>>,
    help: ResMut<'w, Help>,
    pointer: ResMut<'w, MapPointer>,
}

pub fn show(mut contexts: EguiContexts, shown: Shown, mut changed: Changed) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let builder = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(context.viewport_rect());
    let mut root = egui::Ui::new(context.clone(), "root".into(), builder);
    let panel = egui::Panel::right("panel").resizable(false).exact_size(PANEL_WIDTH).show(&mut root, |ui| {
        // Beside the numbers, not over them.
        ui.spacing_mut().scroll = egui::style::ScrollStyle::solid();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| side(ui, &shown, &mut changed));
    });
    changed.pointer.add_panel(panel.response.rect);
    let map_width = context.viewport_rect().width() - panel.response.rect.width();
    top(&context, &shown, &changed, map_width);
    help(&context, &mut changed.help);
    Ok(())
}

fn side(ui: &mut egui::Ui, shown: &Shown, changed: &mut Changed) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.heading("Wayfield");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Help (F1)").clicked() {
                changed.help.0 = !changed.help.0;
            }
        });
    });
    section(ui, "Search", |ui| {
        let rule = changed.tilemap.classes().first().map(|class| class.corner_rule()).unwrap_or_default();
        search_controls(ui, &mut changed.settings, rule);
        if let Some(rule) = corner_rule_choice(ui, &changed.tilemap) {
            changed.tilemap.set_corner_rule(rule);
        }
    });
    section(ui, "Paint terrain", |ui| {
        brush_controls(ui, &mut changed.brush, &shown.palette, &changed.tilemap, FOOT);
    });
    section(ui, "Time and fear", |ui| {
        ui.horizontal(|ui| {
            let paused = changed.clock.is_paused();
            if ui.button(if paused { "Resume" } else { "Pause" }).clicked() {
                if paused { changed.clock.unpause() } else { changed.clock.pause() }
            }
            let mut speed = changed.clock.relative_speed();
            let slider = egui::Slider::new(&mut speed, SPEEDS).logarithmic(true).suffix("x").text("speed");
            if ui.add(slider).changed() && speed.is_finite() {
                changed.clock.set_relative_speed(speed.clamp(*SPEEDS.start(), *SPEEDS.end()));
            }
        });
        let Some(scale) = changed.maps.flee_scale(shown.fields.flee) else { return };
        let mut k = scale.get();
        let slider = egui::Slider::new(&mut k, 1.0..=4.0).fixed_decimals(1).text("flee factor");
        let help = "How readily civilians break out past raiders instead of cowering in a corner.";
        if ui.add(slider).on_hover_text(help).changed()
            && let Ok(scale) = FleeScale::new(k)
        {
            changed.maps.set_flee_scale(shown.fields.flee, scale);
        }
    });
    section(ui, "Numbers", |ui| live_numbers(ui, &shown.planner, &shown.history));
    section(ui, "Shared fields", |ui| fields_list(ui, &changed.maps));
}

fn section(ui: &mut egui::Ui, title: &str, add: impl FnOnce(&mut egui::Ui)) {
    ui.add_space(2.0);
    egui::CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(true).show_unindented(ui, add);
}

/// The line of numbers over the map.
fn top(context: &egui::Context, shown: &Shown, changed: &Changed, width: f32) {
    egui::Area::new("top".into()).fixed_pos([8.0, 8.0]).interactable(false).show(context, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width((width - 40.0).max(60.0));
            ui.horizontal_wrapped(|ui| {
                for kind in UnitKind::ALL {
                    let [red, green, blue, _] = team_color(kind).to_srgba().to_u8_array();
                    let count = shown.units.iter().filter(|other| **other == kind).count();
                    ui.colored_label(egui::Color32::from_rgb(red, green, blue), "■");
                    ui.label(format!("{count} {}", plural(kind)));
                }
                ui.separator();
                ui.label(format!("ore home {}", shown.chronicle.brought_home));
                ui.label(format!("robberies {}", shown.chronicle.robberies));
                ui.label(format!("driven away {}", shown.chronicle.driven_away));
                ui.separator();
                match shown.selection.0.len() {
                    0 => ui.strong("Drag over soldiers, right-click to send"),
                    selected => ui.label(format!("{selected} selected")),
                };
                let fps = shown.diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(|fps| fps.smoothed());
                if let Some(fps) = fps {
                    ui.label(format!("{fps:.0}\u{a0}fps"));
                }
                if changed.clock.is_paused() {
                    ui.strong("PAUSED, orders are taken");
                }
            });
        });
    });
}

fn plural(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::Soldier => "soldiers",
        UnitKind::Raider => "raiders",
        UnitKind::Civilian => "civilians",
        UnitKind::Worker => "workers",
    }
}

fn help(context: &egui::Context, help: &mut Help) {
    let mut open = help.0;
    egui::Window::new("Controls").open(&mut open).collapsible(false).resizable(false).show(context, |ui| {
        egui::Grid::new("keys").num_columns(2).striped(true).show(ui, |ui| {
            for (keys, what) in KEYS {
                ui.strong(keys);
                ui.label(what);
                ui.end_row();
            }
        });
    });
    // Only a change is written: the pass may run twice a frame.
    if open != help.0 {
        help.0 = open;
    }
}
