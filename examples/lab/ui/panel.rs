//! The panel: what is asked, what is painted, which scene.

use bevy_egui::egui::{Align, Button, CollapsingHeader, ComboBox, DragValue, Layout, ScrollArea, Slider, TextEdit, Ui};
use bevy_wayfield_egui::{brush_controls, comparison_table, corner_rule_choice, cost_table, search_controls};
use wayfield::{Cell, ReplanMethod, Tie};

use super::lab::{Lab, Mode, WALKER};
use super::window::{Wish, Wishes};
use crate::model::field::{FieldKind, FieldQuestion};
use crate::model::presets::Preset;
use crate::model::scene::Scene;

/// The width of the panel, in points.
pub const WIDTH: f32 = 300.0;

pub fn show(ui: &mut Ui, lab: &mut Lab, wishes: &mut Wishes) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        for (mode, name) in Mode::ALL {
            if ui.selectable_label(lab.mode == mode, name).clicked() && lab.mode != mode {
                lab.mode = mode;
                lab.begin();
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("×").on_hover_text("Hide the panel (F2)").clicked() {
                wishes.wish(Wish::Panel);
            }
        });
    });
    ui.separator();
    // Beside the numbers, not over them.
    ui.spacing_mut().scroll = bevy_egui::egui::style::ScrollStyle::solid();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        match lab.mode {
            Mode::Search => searches(ui, lab, 1),
            Mode::Race => searches(ui, lab, 2),
            Mode::Field => field(ui, lab),
            Mode::Edit => repair(ui, lab),
        }
        section(ui, "Paint", true, |ui| paint(ui, lab));
        section(ui, "Scene", true, |ui| scene(ui, lab, wishes));
        let header = CollapsingHeader::new("All algorithms").open(wishes.opens_comparison.take());
        header.show_unindented(ui, |ui| compare(ui, lab));
        ui.add_space(4.0);
        section(ui, "Costs", false, |ui| costs(ui, lab));
        section(ui, "Scene as text", false, |ui| text(ui, lab, wishes));
    });
}

fn section(ui: &mut Ui, title: &str, is_open: bool, content: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(title).default_open(is_open).show_unindented(ui, content);
    ui.add_space(4.0);
}

fn searches(ui: &mut Ui, lab: &mut Lab, count: usize) {
    let rule = lab.tilemap.grid(WALKER).map(|grid| grid.corner_rule()).unwrap_or_default();
    for racer in 0..count {
        let title = if count == 1 { "Search" } else { ["Left", "Right"][racer] };
        section(ui, title, true, |ui| {
            ui.push_id(racer, |ui| {
                if search_controls(ui, &mut lab.settings[racer], rule) {
                    lab.begin();
                }
            });
        });
    }
    section(ui, "Rules", true, |ui| {
        rules(ui, lab);
        ui.horizontal(|ui| {
            ui.label("Ties");
            for (tie, name, help) in [
                (Tie::HighG, "high g", "Of equally promising cells, the one nearer to the goal comes first."),
                (Tie::LowG, "low g", "Of equally promising cells, the one nearer to the start comes first."),
            ] {
                if ui.selectable_label(lab.tie == tie, name).on_hover_text(help).clicked() && lab.tie != tie {
                    lab.tie = tie;
                    lab.begin();
                }
            }
        });
        let mut parents = lab.parents;
        if ui.checkbox(&mut parents, "Arrows to the parents").changed() {
            lab.show_parents(parents);
        }
    });
}

fn rules(ui: &mut Ui, lab: &mut Lab) {
    if let Some(rule) = corner_rule_choice(ui, &lab.tilemap) {
        lab.tilemap.set_corner_rule(rule);
        lab.begin();
    }
}

fn field(ui: &mut Ui, lab: &mut Lab) {
    section(ui, "Field", true, |ui| {
        let before = lab.question.clone();
        let question = &mut lab.question;
        ComboBox::from_id_salt("kind").width(ui.available_width()).selected_text(question.kind.title()).show_ui(
            ui,
            |ui| {
                for kind in FieldKind::ALL {
                    ui.selectable_value(&mut question.kind, kind, kind.title());
                }
            },
        );
        ui.spacing_mut().slider_width = 120.0;
        match question.kind {
            FieldKind::Toward | FieldKind::From => {}
            FieldKind::Range => {
                let points = 0.0..=FieldQuestion::MOST_POINTS;
                ui.add(Slider::new(&mut question.points, points).step_by(0.5).text("points"));
            }
            FieldKind::Upturned | FieldKind::Flee => {
                let slider =
                    Slider::new(&mut question.scale, 1.0..=FieldQuestion::LARGEST_SCALE).fixed_decimals(1).text("k");
                ui.add(slider)
                    .on_hover_text("How readily units break out past threats instead of cowering in a corner.");
            }
            FieldKind::Sum => {
                let most = FieldQuestion::MOST_WEIGHT;
                ui.add(Slider::new(&mut question.weights.0, -most..=most).fixed_decimals(1).text("sources"));
                ui.add(Slider::new(&mut question.weights.1, -most..=most).fixed_decimals(1).text("threats"));
            }
        }
        let help = match (question.kind.has_sources(), question.kind.has_threats()) {
            (true, true) => "Click: a source. Shift+click: a threat.",
            (_, true) => "Click: a threat, or none.",
            _ => "Click: a source, or none.",
        };
        ui.weak(help);
        if *question != before {
            lab.ask();
        }
        rules(ui, lab);
    });
}

fn repair(ui: &mut Ui, lab: &mut Lab) {
    section(ui, "Repair", true, |ui| {
        ui.horizontal(|ui| {
            for (method, name) in ReplanMethod::ALL.into_iter().zip(["LPA*", "D* Lite"]) {
                if ui.selectable_label(lab.method == method, name).clicked() && lab.method != method {
                    lab.method = method;
                    lab.begin();
                }
            }
        });
        ui.weak("Paint on the way: what you paint is one edit, and the steps are those of its repair.");
        rules(ui, lab);
    });
}

fn paint(ui: &mut Ui, lab: &mut Lab) {
    brush_controls(ui, &mut lab.brush, &lab.palette, &lab.tilemap, WALKER);
    let (done, undone) = lab.history.depth();
    ui.horizontal(|ui| {
        if ui.add_enabled(done > 0, Button::new(format!("Undo ({done})"))).clicked() {
            lab.undo(false);
        }
        if ui.add_enabled(undone > 0, Button::new(format!("Redo ({undone})"))).clicked() {
            lab.undo(true);
        }
    });
}

fn scene(ui: &mut Ui, lab: &mut Lab, wishes: &mut Wishes) {
    let mut chosen = None;
    ui.horizontal(|ui| {
        let width = ui.available_width() - 96.0;
        ComboBox::from_id_salt("preset").width(width).selected_text(&lab.title).show_ui(ui, |ui| {
            for preset in Preset::ALL {
                if ui.selectable_label(lab.preset == preset, preset.title()).clicked() {
                    chosen = Some(preset);
                }
            }
        });
        ui.add_enabled_ui(lab.preset.is_random(), |ui| {
            if ui.add(DragValue::new(&mut lab.seed).prefix("seed ")).changed() {
                chosen = Some(lab.preset);
            }
        });
    });
    ui.horizontal(|ui| {
        if ui.button("Copy").on_hover_text("Copy the scene as text (Ctrl+C)").clicked() {
            wishes.wish(Wish::Copy);
        }
        if ui.button("Paste").on_hover_text("Paste a scene, or any map of characters (Ctrl+V)").clicked() {
            wishes.wish(Wish::Paste);
        }
        let Cell { x, y } = lab.start;
        ui.weak(format!("{x},{y} to {},{}", lab.goal.x, lab.goal.y));
    });
    if let Some(preset) = chosen {
        let shown = lab.show_preset(preset);
        wishes.say(shown.map(|()| String::new()).map_err(|error| error.to_string()));
    }
    if let Some((is_good, text)) = &wishes.message {
        let color = if *is_good { ui.visuals().text_color() } else { ui.visuals().error_fg_color };
        ui.colored_label(color, text);
    }
}

fn compare(ui: &mut Ui, lab: &mut Lab) {
    if lab.comparison.question().is_none() {
        if ui.button("Ask them all").on_hover_text("The same question, by every algorithm (Q)").clicked() {
            lab.compare();
        }
        return;
    }
    let before = lab.comparison.chosen_way().map(<[Cell]>::len);
    comparison_table(ui, &mut lab.comparison);
    if lab.comparison.chosen_way().map(<[Cell]>::len) != before {
        lab.look_again();
    }
    ui.weak("Click a row to draw its way.");
    ui.ctx().request_repaint();
}

fn costs(ui: &mut Ui, lab: &mut Lab) {
    ui.weak("Drag a number, or click and type. 0 closes.");
    if let Some((id, class)) = cost_table(ui, &lab.palette, &lab.tilemap) {
        lab.tilemap.set_class(id, class);
        lab.ask();
    }
}

fn text(ui: &mut Ui, lab: &mut Lab, wishes: &mut Wishes) {
    ui.horizontal(|ui| {
        if ui.button("Write").on_hover_text("Write the scene into the box").clicked() {
            wishes.text = lab.scene().text();
        }
        if ui.button("Read").on_hover_text("Read the scene from the box").clicked() {
            let scene = Scene::parse("Text", &wishes.text).map_err(|error| error.to_string());
            wishes.say(scene.map(|scene| {
                lab.show(scene);
                String::new()
            }));
        }
    });
    ScrollArea::both().id_salt("text").max_height(220.0).show(ui, |ui| {
        ui.add(TextEdit::multiline(&mut wishes.text).code_editor().desired_width(f32::INFINITY).desired_rows(8));
    });
}
