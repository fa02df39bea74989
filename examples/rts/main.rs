//! A small RTS scene on Wayfield: `cargo run --example rts`.
//!
//! Soldiers go where you order them, raiders chase, civilians flee, workers gather, and the terrain changes under
//! their feet as you paint. `--headless` runs the same simulation without a window; `--help` lists the rest.
//!
//! `game` is the game, `player` what keys and mouse do to it, and `view` shows it.

mod args;
mod game;
mod player;
mod report;
mod view;

use std::process::ExitCode;

use bevy::prelude::*;
use bevy_wayfield::{Delivery, PathfindingSettings};
use clap::Parser;

use args::Args;
use game::maps::Problem;
use game::scenario;
use game::scene::Scene;
use player::keys::KeyTable;

fn main() -> ExitCode {
    let args = Args::parse();
    let headless = args.headless || !view::has_display();
    if headless && !args.headless {
        eprintln!("There is no display: running {} ticks without a window.", args.ticks());
    }
    if headless && args.screenshot.is_some() {
        eprintln!("error: --screenshot needs a window, and so a display");
        return ExitCode::from(2);
    }
    let (scene, keys) = match read(&args) {
        Ok(read) => read,
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
        view::add_window(&mut app);
    }
    game::add(&mut app, &scene, headless || args.autoplay);
    if let Some(which) = args.scenario
        && let Err(problem) = scenario::begin(app.world_mut(), which, args.seed)
    {
        eprintln!("error: {problem}");
        return ExitCode::from(2);
    }
    if headless {
        return match report::run(app, &args) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            // Whoever reads the report may stop reading.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        };
    }
    player::add(&mut app, keys);
    view::add(&mut app, &args);
    if args.json {
        report::add_to_window(&mut app, args.clone());
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// What the files say that were named.
fn read(args: &Args) -> Result<(Scene, KeyTable), Problem> {
    let scene = match &args.map {
        Some(file) => Scene::open(file, args.seed)?,
        None => Scene::generate(args.preset, args.seed)?,
    };
    let keys = args.keys.as_deref().map(KeyTable::read).transpose()?;
    Ok((scene, keys.unwrap_or_default()))
}
