//! The visual lab: `cargo run --example lab`.
//!
//! Watch any search of the library think, step by step, on a map that you paint: the searches are those that games run.
//! `--png FILE` draws a figure without a window; `--help` lists the rest.
//!
//! `model` is what is to be seen, `draw` makes the picture, and `ui` is the window around it.

mod args;
mod draw;
mod model;
mod picture;
mod ui;

use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;

use args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(file) = &args.png {
        let (width, height) = (args.size.0, args.size.1);
        // Letters grow with a large picture.
        let zoom = (width as f32 / 1200.0).min(height as f32 / 800.0).max(1.0);
        let drawn = picture::boards(&args).map(|boards| draw::draw(&boards, (width, height), zoom));
        let figure = match drawn {
            Ok(figure) => figure,
            Err(error) => return refuse(&error),
        };
        return match draw::save(&figure, file) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {}: {error}", file.display());
                ExitCode::FAILURE
            }
        };
    }
    if !ui::display::has_display() {
        eprintln!("There is no display: the lab needs one for its window. `--png FILE` draws the figure without.");
        return ExitCode::from(2);
    }
    let lab = match ui::lab::Lab::new(&args) {
        Ok(lab) => lab,
        Err(error) => return refuse(&error),
    };
    match ui::window::run(lab, &args) {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// Bad input: says what is wrong with it.
fn refuse(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}
