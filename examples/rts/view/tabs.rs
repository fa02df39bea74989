//! What the tabs of the panel show.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_wayfield::wayfield::FleeScale;
use bevy_wayfield::{
    DijkstraMaps, FollowField, FollowPath, Gather, Occupant, PathRequest, PathStatus, PathfindingSettings, Planner,
    SimId, Tilemap,
};
use bevy_wayfield_egui::{
    Comparison, EditHistory, FrameSplit, LastAnswer, Overlay, OverlayKind, Palette, PanelHistory, TerrainBrush,
    UnitView, brush_controls, comparison_table, corner_rule_choice, cost_table, fields_list, frame_graph, inspector,
    legend, live_numbers, planning_controls, search_controls,
};

use super::hud::Help;
use super::overlay::{self, Explored};
use super::panel::{Panel, Wanted};
use crate::game::life::{Raid, SharedFields, name_of_work};
use crate::game::maps::Preset;
use crate::game::orders::Orders;
use crate::game::scenario::Scenario;
use crate::game::terrain::FOOT;
use crate::game::units::UnitKind;
use crate::player::brush::Hand;
use crate::player::clock::SPEEDS;
use crate::player::lens::LensOptions;
use crate::player::selection::Selection;

/// A unit, as the inspector looks at it.
type Inspected = (
    &'static UnitKind,
    &'static SimId,
    &'static Transform,
    &'static PathStatus,
    Option<&'static PathRequest>,
    Option<&'static FollowPath>,
    Option<&'static LastAnswer>,
    Option<&'static FollowField>,
    Option<&'static Orders>,
    Option<&'static Gather>,
    Option<&'static Raid>,
    Option<&'static Occupant>,
);

/// What the panel shows of the game.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Shown<'w, 's> {
    planner: Res<'w, Planner>,
    history: Res<'w, PanelHistory>,
    split: Res<'w, FrameSplit>,
    palette: Res<'w, Palette>,
    fields: Res<'w, SharedFields>,
    selection: Res<'w, Selection>,
    explored: Res<'w, Explored>,
    units: Query<'w, 's, Inspected>,
}

/// What the panel changes.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Changed<'w> {
    settings: ResMut<'w, PathfindingSettings>,
    tilemap: ResMut<'w, Tilemap>,
    maps: ResMut<'w, DijkstraMaps>,
    brush: ResMut<'w, TerrainBrush>,
    edits: ResMut<'w, EditHistory>,
    hand: ResMut<'w, Hand>,
    overlay: ResMut<'w, Overlay>,
    comparison: ResMut<'w, Comparison>,
    clock: ResMut<'w, Time<Virtual>>,
    fixed: ResMut<'w, Time<Fixed>>,
    pub help: ResMut<'w, Help>,
}

fn section(ui: &mut egui::Ui, title: &str, add: impl FnOnce(&mut egui::Ui)) {
    ui.add_space(2.0);
    egui::CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(true).show_unindented(ui, add);
}

pub fn search(ui: &mut egui::Ui, shown: &Shown, changed: &mut Changed) {
    section(ui, "Search", |ui| {
        let rule = changed.tilemap.classes().first().map(|class| class.corner_rule()).unwrap_or_default();
        search_controls(ui, changed.settings.bypass_change_detection(), rule);
        if let Some(rule) = corner_rule_choice(ui, &changed.tilemap) {
            changed.tilemap.set_corner_rule(rule);
        }
    });
    section(ui, "Planning", |ui| {
        planning_controls(ui, changed.settings.bypass_change_detection());
    });
    section(ui, "Fear", |ui| {
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
    section(ui, "Frames", |ui| frame_graph(ui, &shown.split));
}

pub fn paint(ui: &mut egui::Ui, shown: &Shown, changed: &mut Changed) {
    section(ui, "Terrain", |ui| {
        let mut brush = *changed.brush;
        brush_controls(ui, &mut brush, &shown.palette, &changed.tilemap, FOOT);
        if brush.terrain.is_some() && brush.terrain != changed.brush.terrain {
            changed.hand.spawns = None;
        }
        changed.brush.set_if_neq(brush);
        let (done, undone) = changed.edits.depth();
        ui.horizontal(|ui| {
            if ui.add_enabled(done > 0, egui::Button::new(format!("Undo ({done})"))).clicked() {
                changed.edits.undo(&mut changed.tilemap);
            }
            if ui.add_enabled(undone > 0, egui::Button::new(format!("Redo ({undone})"))).clicked() {
                changed.edits.redo(&mut changed.tilemap);
            }
        });
    });
    section(ui, "Costs", |ui| {
        ui.weak("Drag a number, or click and type. 0 closes.");
        if let Some((id, class)) = cost_table(ui, &shown.palette, &changed.tilemap) {
            changed.tilemap.set_class(id, class);
        }
    });
    section(ui, "Put units down", |ui| {
        let mut spawns = changed.hand.spawns;
        egui::Grid::new("spawns").num_columns(4).show(ui, |ui| {
            for kind in UnitKind::ALL {
                ui.label(kind.name());
                for count in [1, 10, 100] {
                    let is_chosen = spawns == Some((kind, count));
                    if ui.selectable_label(is_chosen, count.to_string()).clicked() {
                        spawns = (!is_chosen).then_some((kind, count));
                    }
                }
                ui.end_row();
            }
        });
        if spawns != changed.hand.spawns {
            changed.hand.spawns = spawns;
            changed.brush.terrain = changed.brush.terrain.filter(|_| spawns.is_none());
        }
    });
}

pub fn show(ui: &mut egui::Ui, shown: &Shown, changed: &mut Changed) {
    section(ui, "Overlay", |ui| {
        let mut kind = changed.overlay.kind;
        ui.selectable_value(&mut kind, None, "None");
        for (name, other) in overlay::all(&shown.fields) {
            ui.selectable_value(&mut kind, Some(other), name);
        }
        if kind != changed.overlay.kind {
            changed.overlay.kind = kind;
        }
    });
    if changed.overlay.kind.is_some() {
        section(ui, "Legend", |ui| {
            legend(ui, &changed.overlay);
            if let (Some(OverlayKind::Explored), Some(note)) = (changed.overlay.kind, shown.explored.note) {
                ui.label(note);
            }
        });
    }
    section(ui, "Shared fields", |ui| fields_list(ui, &changed.maps));
}

pub fn unit(ui: &mut egui::Ui, shown: &Shown, changed: &mut Changed) {
    section(ui, "Inspector", |ui| {
        let unit = shown.selection.inspected.or(shown.selection.units().first().copied());
        let Some((kind, id, at, status, request, way, last, field, orders, work, raid, occupant)) =
            unit.and_then(|unit| shown.units.get(unit).ok())
        else {
            ui.weak("Click a unit, of whatever kind.");
            return;
        };
        let name = kind.name();
        let mut letters = name.chars();
        let title: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let order = orders.and_then(|orders| Some((orders.iter().next()?.name(), orders.iter().len())));
        let doing = match (order, work, raid) {
            (Some((order, 1)), ..) => order.to_owned(),
            (Some((order, count)), ..) => format!("{order}, then {} more", count - 1),
            (None, Some(work), _) => name_of_work(work.stage()).to_owned(),
            (None, _, Some(raid)) => raid.name().to_owned(),
            (None, None, None) => "as it likes".to_owned(),
        };
        let view = UnitView {
            name: format!("{title} {}", id.0),
            doing,
            cell: changed.tilemap.world_to_cell(at.translation.truncate()),
            request,
            status: *status,
            way,
            last,
            field: field.and_then(|follow| follow.fields().next()),
            occupant,
        };
        inspector(ui, &view, &changed.tilemap, &changed.maps);
    });
    section(ui, "Compare the last order", |ui| comparison_table(ui, changed.comparison.bypass_change_detection()));
}

pub fn game(ui: &mut egui::Ui, panel: &mut Panel, options: &mut LensOptions, changed: &mut Changed) {
    section(ui, "Time", |ui| time(ui, changed));
    section(ui, "New game", |ui| {
        for preset in Preset::ALL {
            ui.radio_value(&mut panel.preset, preset, preset.title());
        }
        ui.horizontal(|ui| {
            ui.label("Seed");
            ui.add(egui::DragValue::new(&mut panel.seed).range(0..=999_999));
            if ui.button("Begin").clicked() {
                panel.wanted = Some(Wanted::New(panel.preset, panel.seed));
            }
        });
    });
    section(ui, "Scenarios", |ui| {
        for scenario in Scenario::ALL {
            if ui.button(scenario.title()).on_hover_text(scenario.promise()).clicked() {
                panel.wanted = Some(Wanted::Trial(scenario));
            }
        }
    });
    section(ui, "File", |ui| {
        let help = "A name that ends with .ron is a whole scene; any other one is a map, plain rows or Moving AI.";
        ui.add(egui::TextEdit::singleline(&mut panel.file).desired_width(f32::INFINITY)).on_hover_text(help);
        ui.horizontal(|ui| {
            let file = PathBuf::from(panel.file.trim());
            let has_name = file.file_name().is_some();
            if ui.add_enabled(has_name, egui::Button::new("Save")).clicked() {
                panel.wanted = Some(Wanted::Save(file.clone()));
            }
            if ui.add_enabled(has_name, egui::Button::new("Open")).clicked() {
                panel.wanted = Some(Wanted::Open(file));
            }
        });
        ui.weak(".ron: the scene; else the map");
        if let Some((is_good, message)) = &panel.message {
            let color = if *is_good { ui.visuals().text_color() } else { ui.visuals().warn_fg_color };
            let sign = if *is_good { "" } else { "⚠ " };
            ui.add(egui::Label::new(egui::RichText::new(format!("{sign}{message}")).color(color)).wrap());
        }
    });
    section(ui, "Window", |ui| {
        ui.horizontal(|ui| {
            ui.label("Letters");
            for percent in [75u8, 100, 125, 150, 200] {
                let scale = f32::from(percent) / 100.0;
                if ui.selectable_label(panel.ui_scale == scale, format!("{percent}")).clicked() {
                    panel.ui_scale = scale;
                }
            }
        });
        ui.checkbox(&mut options.edge_scroll, "Move the view at the edges (F8)");
        ui.checkbox(&mut options.reduced_motion, "Jump instead of gliding");
        ui.add(egui::Slider::new(&mut options.speed, 200.0..=3000.0).integer().text("pixels a second"));
    });
}

fn time(ui: &mut egui::Ui, changed: &mut Changed) {
    ui.horizontal(|ui| {
        let paused = changed.clock.is_paused();
        if ui.button(if paused { "Resume" } else { "Pause" }).clicked() {
            if paused { changed.clock.unpause() } else { changed.clock.pause() }
        }
        if ui.add_enabled(paused, egui::Button::new("Step")).clicked() {
            let tick = changed.fixed.timestep();
            changed.fixed.accumulate_overstep(tick);
        }
    });
    let mut speed = changed.clock.relative_speed();
    let slider = egui::Slider::new(&mut speed, SPEEDS).logarithmic(true).suffix("x").text("speed");
    if ui.add(slider).changed() && speed.is_finite() {
        changed.clock.set_relative_speed(speed.clamp(*SPEEDS.start(), *SPEEDS.end()));
    }
}
