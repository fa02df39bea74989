//! The window: what the player sees. Reads the game, and changes it only through the messages and components that any game
//! code would use.

mod attract;
mod camera;
#[path = "../../kit/display.rs"]
mod display;
mod hud;
mod lines;
mod map;
mod overlay;
mod panel;
mod scenarios;
#[path = "../../kit/screenshot.rs"]
mod screenshot;
mod sprites;
mod tabs;

use bevy::diagnostic::FrameTimeDiagnosticsPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy::winit::WinitSettings;
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};
use bevy_wayfield_egui::WayfieldPanelPlugin;

use crate::args::Args;

pub use display::has_display;

/// Adds the window itself.
pub fn add_window(app: &mut App) {
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
    .insert_resource(ClearColor(Color::srgb(0.06, 0.07, 0.09)));
}

/// Adds everything that is seen in it.
pub fn add(app: &mut App, args: &Args) {
    app.insert_resource(panel::palette())
        .insert_resource(panel::Panel::new(args))
        .init_resource::<hud::Help>()
        .init_resource::<overlay::Explored>()
        .add_systems(Startup, (camera::spawn, sprites::load, overlay::spawn))
        .add_systems(FixedUpdate, sprites::remember.after(bevy_wayfield::PathfindingSystems::Steer))
        .add_systems(
            Update,
            (
                (hud::keys, scenarios::keys),
                camera::follow,
                map::update.before(bevy::sprite_render::update_tilemap_chunk_indices),
                (sprites::dress, sprites::follow, sprites::show_ore, sprites::show_places, sprites::show_rings),
                (sprites::mark, sprites::show_markers),
                (overlay::choose, overlay::explore, overlay::show),
                (lines::ways, lines::ferries, lines::pointer, lines::compared),
                panel::compare,
                panel::obey,
            )
                .chain()
                .after(crate::player::preview::look),
        )
        .add_systems(EguiPrimaryContextPass, (panel::style, panel::show, hud::show, scenarios::show).chain());
    if args.autoplay {
        attract::add(app);
    }
    if let Some(path) = args.screenshot.clone() {
        screenshot::add(app, path, args.frames);
    }
}
