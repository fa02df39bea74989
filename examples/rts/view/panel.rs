//! The panel at the side: its tabs, and what of it concerns the whole game.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_wayfield_egui::{Comparison, EditHistory, MapPointer, Palette, PaletteEntry};

use super::tabs::{Changed, Shown};
use crate::args::Args;
use crate::game::maps::Preset;
use crate::game::scenario::Scenario;
use crate::game::scene::{BeginScene, Scene};
use crate::game::terrain::KINDS;
use crate::player::lens::{Lens, LensOptions};
use crate::player::selection::Selection;

/// The width of the panel, in points.
const WIDTH: f32 = 296.0;
/// A window narrower than this begins without the panel.
const NARROW: f32 = 560.0;

/// The colours of the swatches, in the order of the kinds of terrain.
const SWATCHES: [[u8; 3]; 6] =
    [[126, 160, 84], [44, 84, 52], [92, 104, 78], [40, 78, 130], [138, 132, 128], [206, 184, 140]];

/// A tab of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Search,
    Paint,
    Show,
    Unit,
    Game,
}

impl Tab {
    const ALL: [(Self, &str); 5] = [
        (Self::Search, "Search"),
        (Self::Paint, "Paint"),
        (Self::Show, "Show"),
        (Self::Unit, "Unit"),
        (Self::Game, "Game"),
    ];
}

/// What the player asked the panel for, to be done outside egui's pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    New(Preset, u64),
    Trial(Scenario),
    Open(PathBuf),
    Save(PathBuf),
}

/// The state of the panel.
#[derive(Resource)]
pub struct Panel {
    /// `None` until the player chose: then it depends on the window.
    open: Option<bool>,
    width_shown: f32,
    pub tab: Tab,
    /// Of the letters and widgets.
    pub ui_scale: f32,
    pub file: String,
    pub preset: Preset,
    pub seed: u64,
    pub wanted: Option<Wanted>,
    /// How the last wish ended, and whether that was well.
    pub message: Option<(bool, String)>,
}

impl Panel {
    pub fn new(args: &Args) -> Self {
        Self {
            open: None,
            width_shown: WIDTH,
            tab: Tab::Search,
            ui_scale: 1.0,
            file: "scene.ron".to_owned(),
            preset: args.preset,
            seed: args.seed,
            wanted: None,
            message: None,
        }
    }

    /// Shows it, or hides it.
    pub fn toggle(&mut self) {
        self.open = Some(self.width_shown == 0.0);
    }

    /// How much of the window it covers, in points.
    pub fn width_shown(&self) -> f32 {
        self.width_shown
    }
}

pub fn palette() -> Palette {
    let entries =
        KINDS.iter().zip(SWATCHES).zip('1'..).map(|((&(terrain, name, _), [red, green, blue]), key)| PaletteEntry {
            name: name.to_owned(),
            terrain,
            color: egui::Color32::from_rgb(red, green, blue),
            key: Some(key),
        });
    Palette(entries.collect())
}

/// Dark, and as large as the player likes.
pub fn style(mut contexts: EguiContexts, panel: Res<Panel>) -> Result {
    let context = contexts.ctx_mut()?;
    context.set_theme(egui::Theme::Dark);
    if context.zoom_factor() != panel.ui_scale {
        context.set_zoom_factor(panel.ui_scale);
    }
    Ok(())
}

pub fn show(
    mut contexts: EguiContexts,
    mut panel: ResMut<Panel>,
    mut pointer: ResMut<MapPointer>,
    mut options: ResMut<LensOptions>,
    shown: Shown,
    mut changed: Changed,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let room = context.viewport_rect();
    let builder = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(room);
    let mut root = egui::Ui::new(context.clone(), "root".into(), builder);
    let is_open = panel.open.unwrap_or(room.width() >= NARROW);
    let mut width = 0.0;
    if is_open {
        let wanted = WIDTH.min((room.width() - 24.0).max(40.0));
        let side = egui::Panel::right("panel").resizable(false).exact_size(wanted).show(&mut root, |ui| {
            head(ui, &mut panel, &mut changed);
            // Beside the numbers, not over them.
            ui.spacing_mut().scroll = egui::style::ScrollStyle::solid();
            let tab = panel.tab;
            egui::ScrollArea::vertical().id_salt(tab as u8).auto_shrink(false).show(ui, |ui| match tab {
                Tab::Search => super::tabs::search(ui, &shown, &mut changed),
                Tab::Paint => super::tabs::paint(ui, &shown, &mut changed),
                Tab::Show => super::tabs::show(ui, &shown, &mut changed),
                Tab::Unit => super::tabs::unit(ui, &shown, &mut changed),
                Tab::Game => super::tabs::game(ui, &mut panel, &mut options, &mut changed),
            });
        });
        pointer.add_panel(side.response.rect);
        width = side.response.rect.width();
    } else {
        let area = egui::Area::new("open".into()).anchor(egui::Align2::RIGHT_TOP, [-6.0, 6.0]);
        area.show(&context, |ui| {
            if ui.button("☰").on_hover_text("Show the panel").clicked() {
                panel.open = Some(true);
            }
        });
    }
    if panel.width_shown != width {
        panel.width_shown = width;
    }
    let covered = width * context.zoom_factor();
    if options.covered != covered {
        options.covered = covered;
    }
    Ok(())
}

fn head(ui: &mut egui::Ui, panel: &mut Panel, changed: &mut Changed) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.heading("Wayfield");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("×").on_hover_text("Hide the panel (F2)").clicked() {
                panel.open = Some(false);
            }
            if ui.button("Help (F1)").clicked() {
                changed.help.0 = !changed.help.0;
            }
        });
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (tab, name) in Tab::ALL {
            if ui.selectable_label(panel.tab == tab, name).clicked() {
                panel.tab = tab;
            }
        }
    });
    ui.separator();
}

/// Asks the next algorithm of the comparison, while somebody looks.
pub fn compare(panel: Res<Panel>, mut comparison: ResMut<Comparison>) {
    if panel.tab == Tab::Unit && panel.width_shown > 0.0 {
        comparison.step();
    }
}

/// Does what the player asked for; what goes wrong is a message, and the scene stays.
pub fn obey(world: &mut World) {
    let mut panel = world.resource_mut::<Panel>();
    let Some(wanted) = panel.bypass_change_detection().wanted.take() else { return };
    let seed = panel.seed;
    let game = |scene| Some(BeginScene::Game(scene));
    let (done, scene) = match wanted {
        Wanted::New(preset, seed) => ("A new game", Scene::generate(preset, seed).map(game)),
        Wanted::Trial(scenario) => (scenario.title(), Ok(Some(BeginScene::Trial(scenario, seed)))),
        Wanted::Open(file) => ("Opened", Scene::open(&file, seed).map(game)),
        Wanted::Save(file) => ("Saved", Scene::of(world).save(&file).map(|()| None)),
    };
    let message = match &scene {
        Ok(_) => (true, done.to_owned()),
        Err(problem) => (false, problem.to_string()),
    };
    world.resource_mut::<Panel>().message = Some(message);
    if let Ok(Some(scene)) = scene {
        world.write_message(scene);
        world.resource_mut::<EditHistory>().clear();
        world.resource_mut::<Comparison>().clear();
        world.insert_resource(Selection::default());
        world.insert_resource(Lens::default());
    }
}
