//! The program with a window.

use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::{RequestRedraw, WindowResolution};
use bevy::winit::WinitSettings;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext, egui};

use super::lab::Lab;
use super::view::View;
use super::{help, keys, panel, screenshot, transport, view};
use crate::args::Args;
use crate::model::scene::Scene;

/// A window narrower than this begins without the panel.
const NARROW: f32 = 560.0;

/// What a user wants of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Copy,
    Paste,
    Help,
    Panel,
}

/// What the window shows beside the lab, and what is wanted of it.
#[derive(Resource, Default)]
pub struct Wishes {
    wanted: Vec<Wish>,
    pub has_help: bool,
    /// `None` until the user chose: then it depends on the window.
    panel: Option<bool>,
    is_panel_shown: bool,
    /// Whether the table of all algorithms is to be opened, or closed.
    pub opens_comparison: Option<bool>,
    /// Whether the last wish went well, and what there is to say about it.
    pub message: Option<(bool, String)>,
    /// A scene as text, for those who edit it by hand.
    pub text: String,
}

impl Wishes {
    pub fn wish(&mut self, wish: Wish) {
        self.wanted.push(wish);
    }

    /// Tells the user how something went; nothing if there is nothing to say.
    pub fn say(&mut self, outcome: Result<String, String>) {
        self.message = match outcome {
            Ok(text) => Some((true, text)).filter(|(_, text)| !text.is_empty()),
            Err(text) => Some((false, text)),
        };
    }
}

/// The clipboard of the desktop, from its first use on: what is copied is there as long as the program runs.
#[derive(Default)]
struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    fn open(&mut self) -> Result<&mut arboard::Clipboard, String> {
        if self.0.is_none() {
            self.0 = Some(arboard::Clipboard::new().map_err(|error| error.to_string())?);
        }
        self.0.as_mut().ok_or_else(|| "there is no clipboard".to_owned())
    }
}

/// Opens the window, and returns when it is closed.
pub fn run(lab: Lab, args: &Args) -> AppExit {
    let quiet = "bevy_render=error,bevy_egui=error,bevy_winit=warn,bevy_app=warn,winit=error,calloop=error";
    let window = Window {
        title: "Wayfield lab".to_owned(),
        name: Some("wayfield-lab".to_owned()),
        resolution: WindowResolution::new(1280, 800),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            // Every pixel of the picture is one of the screen.
            .set(ImagePlugin::default_nearest())
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            .set(LogPlugin { filter: format!("{},{quiet}", bevy::log::DEFAULT_FILTER), ..default() }),
    )
    .add_plugins(EguiPlugin::default())
    .set_error_handler(bevy::ecs::error::warn)
    // Whoever looks at a picture that stands still needs no frames.
    .insert_resource(WinitSettings::desktop_app())
    .insert_resource(ClearColor(Color::srgb_u8(0xFB, 0xFA, 0xF7)))
    .insert_resource(lab)
    .init_resource::<Wishes>()
    .init_resource::<View>()
    .insert_non_send(Clipboard::default())
    .add_systems(Startup, |mut commands: Commands| {
        commands.spawn((Camera2d, Msaa::Off, PrimaryEguiContext));
    })
    .add_systems(Update, (play, compare, grant))
    .add_systems(EguiPrimaryContextPass, show);
    if let Some(path) = args.screenshot.clone() {
        app.insert_resource(WinitSettings::continuous());
        screenshot::add(&mut app, path, args.frames);
    }
    app.run()
}

fn play(mut lab: ResMut<Lab>, time: Res<Time<Real>>, mut redraw: MessageWriter<RequestRedraw>) {
    lab.play(time.delta_secs_f64());
    if lab.playback.is_playing {
        redraw.write(RequestRedraw);
    }
}

/// Asks the next algorithm of the comparison.
fn compare(mut lab: ResMut<Lab>) {
    lab.comparison.step();
}

/// Does what is wanted; what goes wrong is a message.
fn grant(
    mut lab: ResMut<Lab>,
    mut wishes: ResMut<Wishes>,
    mut clipboard: NonSendMut<Clipboard>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    if !wishes.wanted.is_empty() {
        redraw.write(RequestRedraw);
    }
    for wish in std::mem::take(&mut wishes.wanted) {
        match wish {
            Wish::Help => wishes.has_help = !wishes.has_help,
            Wish::Panel => wishes.panel = Some(!wishes.is_panel_shown),
            Wish::Copy => {
                wishes.text = lab.scene().text();
                let text = wishes.text.clone();
                let copied = clipboard.open().and_then(|board| board.set_text(text).map_err(|error| error.to_string()));
                wishes.say(copied.map(|()| "Copied".to_owned()));
            }
            Wish::Paste => {
                let text = clipboard.open().and_then(|board| board.get_text().map_err(|error| error.to_string()));
                let scene = text.and_then(|text| Scene::parse("Pasted", &text).map_err(|error| error.to_string()));
                wishes.say(scene.map(|scene| {
                    lab.show(scene);
                    "Pasted".to_owned()
                }));
            }
        }
    }
}

fn show(
    mut contexts: EguiContexts,
    mut lab: ResMut<Lab>,
    mut wishes: ResMut<Wishes>,
    mut view: ResMut<View>,
    mut images: ResMut<Assets<Image>>,
) -> Result {
    view.prepare(&mut contexts, &mut images);
    let context = contexts.ctx_mut()?.clone();
    style(&context);
    let (lab, wishes) = (&mut *lab, &mut *wishes);
    for action in keys::pressed(&context) {
        keys::act(lab, wishes, action);
    }
    let room = context.viewport_rect();
    wishes.is_panel_shown = wishes.panel.unwrap_or(room.width() >= NARROW);
    let builder = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(room);
    let mut root = egui::Ui::new(context.clone(), "root".into(), builder);
    if wishes.is_panel_shown && room.width() < NARROW {
        // There is room for one of them only.
        egui::CentralPanel::default().show(&mut root, |ui| panel::show(ui, lab, wishes));
    } else {
        if wishes.is_panel_shown {
            let side = egui::Panel::right("panel").resizable(false).exact_size(panel::WIDTH);
            side.show(&mut root, |ui| panel::show(ui, lab, wishes));
        }
        let below = egui::Panel::bottom("transport").resizable(false);
        below.show(&mut root, |ui| transport::show(ui, lab, wishes, &view));
        egui::CentralPanel::no_frame().show(&mut root, |ui| view::show(ui, lab, &mut view, &mut images));
    }
    if wishes.has_help {
        help::show(&context, wishes);
    }
    Ok(())
}

/// As light as the picture, with letters that stand out: egui's own are thin and grey.
fn style(context: &egui::Context) {
    context.set_theme(egui::Theme::Light);
    context.style_mut_of(egui::Theme::Light, |style| {
        let ink = egui::Color32::from_rgb(0x1D, 0x1F, 0x24);
        style.visuals.override_text_color = Some(ink);
        style.visuals.weak_text_color = Some(egui::Color32::from_rgb(0x5A, 0x5E, 0x66));
    });
}
