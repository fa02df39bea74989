//! The game itself; the same with and without a window, and without a player.

pub mod commander;
pub mod life;
pub mod maps;
pub mod orders;
pub mod scenario;
pub mod scene;
pub mod terrain;
pub mod units;

use bevy::prelude::*;
use bevy_wayfield::{PathfindingPlugin, PathfindingSystems};

use scenario::Trial;
use scene::Scene;

/// Ticks a second.
pub const TICK_RATE: f64 = 30.0;

/// Adds the game and begins a scene. `is_commanded` lets a script give the orders.
pub fn add(app: &mut App, scene: &Scene, is_commanded: bool) {
    app.add_plugins(PathfindingPlugin::default())
        .add_message::<scene::BeginScene>()
        .add_systems(
            FixedUpdate,
            (
                commander::command.run_if(move |trial: Option<Res<Trial>>| is_commanded && trial.is_none()),
                scenario::direct.run_if(resource_exists::<Trial>),
                orders::obey,
                life::raid,
                life::tend_ore,
                life::stroll_and_flee,
            )
                .chain()
                .before(PathfindingSystems::Sync),
        )
        .add_systems(FixedFirst, scenario::begin_tick.run_if(resource_exists::<Trial>))
        .add_systems(FixedUpdate, scenario::judge.run_if(resource_exists::<Trial>).after(PathfindingSystems::Hash))
        .add_systems(FixedLast, scenario::end_tick.run_if(resource_exists::<Trial>))
        .add_observer(life::take_load)
        .add_observer(life::store_load)
        // Before the ticks of the frame, so that a tick sees one scene only.
        .add_systems(PreUpdate, scene::begin_asked);
    scene.begin(app.world_mut());
}
