//! The window: what the player sees, and how the player says what is to happen. Reads the game, and changes it
//! only through the messages and components that any game code would use.

mod camera;
mod display;
mod hud;
mod input;
mod map;
mod screenshot;
mod sprites;

use bevy::diagnostic::FrameTimeDiagnosticsPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy::winit::WinitSettings;
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};
use bevy_wayfield_egui::WayfieldPanelPlugin;

use crate::args::Args;

pub use display::has_display;

/// Adds the window and everything in it.
pub fn add_window(app: &mut App, args: &Args) {
    let quiet = "bevy_render=error,bevy_egui=error,bevy_winit=warn,bevy_app=warn,winit=error,calloop=error";
    let window = Window {
        title: "Wayfield".to_owned(),
        name: Some("wayfield".to_owned()),
        resolution: WindowResolution::new(1280, 800),
        ..default()
    };
    app.add_plugins(
        DefaultPlugins
            .set(ImagePlugin::default_nearest())
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            .set(LogPlugin { filter: format!("{},{quiet}", bevy::log::DEFAULT_FILTER), ..default() }),
    )
    .add_plugins((
        FrameTimeDiagnosticsPlugin::default(),
        EguiPlugin::default(),
        WayfieldPanelPlugin::default().without_window(),
    ))
    .set_error_handler(bevy::ecs::error::warn)
    // The simulation goes on while the player looks at another window.
    .insert_resource(WinitSettings::continuous())
    .insert_resource(ClearColor(Color::srgb(0.06, 0.07, 0.09)))
    .insert_resource(hud::palette())
    .init_resource::<input::Selection>()
    .init_resource::<input::Gesture>()
    .init_resource::<hud::Help>()
    .add_systems(Startup, (camera::spawn, map::spawn, sprites::load))
    .add_systems(FixedUpdate, sprites::remember.after(bevy_wayfield::PathfindingSystems::Steer))
    .add_systems(
        Update,
        (
            (camera::pan, camera::zoom, camera::jump),
            (input::time_keys, input::keys, input::select, input::order, input::paint),
            (sprites::dress, sprites::follow, sprites::show_ore, sprites::show_rings, sprites::show_markers),
            input::draw,
            map::update.before(bevy::sprite_render::update_tilemap_chunk_indices),
        )
            .chain(),
    )
    .add_systems(EguiPrimaryContextPass, (hud::style.run_if(run_once), hud::show).chain());
    if let Some(path) = args.screenshot.clone() {
        screenshot::add(app, path, args.frames);
    }
}
