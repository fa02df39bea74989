//! A picture of the window, for the curious and for continuous integration.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

/// Saves a picture after so many frames, and ends the app; with an error if it cannot be saved.
pub fn add(app: &mut App, path: PathBuf, frames: u32) {
    app.add_systems(Update, move |mut commands: Commands, mut frame: Local<u32>| {
        *frame += 1;
        if *frame != frames.max(1) {
            return;
        }
        let path = path.clone();
        commands.spawn(Screenshot::primary_window()).observe(
            move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                let picture = captured.image.clone().try_into_dynamic().map_err(|error| error.to_string());
                let saved = picture.and_then(|image| image.to_rgb8().save(&path).map_err(|error| error.to_string()));
                match saved {
                    Ok(()) => exit.write(AppExit::Success),
                    Err(error) => {
                        error!("{}: {error}", path.display());
                        exit.write(AppExit::error())
                    }
                };
            },
        );
    });
}
