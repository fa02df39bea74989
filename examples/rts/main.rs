//! A small RTS scene on Wayfield: `cargo run --example rts`.
//!
//! Soldiers go where you order them, raiders chase, civilians flee, workers gather, and the terrain changes under
//! their feet as you paint. `--headless` runs the same simulation without a window; `--help` lists the rest.
//!
//! `terrain`, `units`, `life` and `orders` are the game, `view` shows it and takes the player's input.

mod args;
mod life;
mod orders;
mod report;
mod terrain;
mod units;
mod view;

use std::process::ExitCode;

use bevy::prelude::*;
use bevy_wayfield::{Delivery, PathfindingPlugin, PathfindingSettings, PathfindingSystems};
use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    let headless = args.headless || !view::has_display();
    if headless && !args.headless {
        eprintln!("There is no display: running {} ticks without a window.", args.ticks);
    }
    if headless && args.screenshot.is_some() {
        eprintln!("error: --screenshot needs a window, and so a display");
        return ExitCode::from(2);
    }
    let mut dice = ChaCha8Rng::seed_from_u64(args.seed);
    let (tilemap, places) = match terrain::load(args.map.as_deref(), &mut dice) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };

    let mut app = App::new();
    if headless {
        app.add_plugins(MinimalPlugins);
        // The same seed gives the same run, however many threads there are and however fast they run.
        app.insert_resource(PathfindingSettings { delivery: Delivery::AfterTicks(2), ..default() });
    } else {
        view::add_window(&mut app, &args);
    }
    app.insert_resource(tilemap).insert_resource(units::Town(places)).insert_resource(units::Dice(dice));
    add_game(&mut app, headless || args.autoplay);

    if headless {
        return match report::run(app, &args) {
            Ok(()) => ExitCode::SUCCESS,
            // Whoever reads the report may stop reading.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        };
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// The game itself; the same with and without a window.
fn add_game(app: &mut App, is_commanded: bool) {
    app.add_plugins(PathfindingPlugin::default())
        .insert_resource(Time::<Fixed>::from_hz(30.0))
        .init_resource::<life::Chronicle>()
        .init_resource::<orders::Commander>()
        .add_systems(Startup, (units::spawn, life::define_fields, life::settle).chain())
        .add_systems(
            FixedUpdate,
            (
                orders::command.run_if(move || is_commanded),
                life::raid,
                life::gather,
                life::tend_ore,
                life::stroll_and_flee,
            )
                .chain()
                .before(PathfindingSystems::Sync),
        );
}
