//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::game::maps::Preset;
use crate::game::scenario::Scenario;

/// A small RTS scene: order soldiers about, paint terrain under them, watch raiders chase, civilians flee and workers gather.
#[derive(Parser, Clone, Debug)]
#[command(name = "rts")]
pub struct Args {
    /// A Moving AI `.map` file, plain rows of characters, or a scene that was saved as `.ron`, instead of a generated map.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// The kind of map that is generated.
    #[arg(long, value_enum, default_value_t, conflicts_with = "map")]
    pub preset: Preset,
    /// A set piece with a promise that is kept or not. Without a window it ends with exit code 1 if not.
    #[arg(long, value_enum, conflicts_with_all = ["map", "preset"])]
    pub scenario: Option<Scenario>,
    /// Keys of your own: a RON file like `{"halt": ["X"], "pause": ["Space"]}` with the names that F1 shows.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Fixes the map, the units and, without a window, all that happens.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Runs without a window, and prints a report. So does a machine without a display.
    #[arg(long)]
    pub headless: bool,
    /// How many ticks to run without a window; 30 are a second. [default: 1800, or until a scenario is decided]
    #[arg(long)]
    pub ticks: Option<u64>,
    /// Prints the report as one line of JSON; of a window, when it is closed.
    #[arg(long)]
    pub json: bool,
    /// Lets a script give the soldiers their orders, and paint, also in a window.
    #[arg(long)]
    pub autoplay: bool,
    /// Saves a picture of the window after `--frames` frames, and ends.
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// After how many frames the picture is taken.
    #[arg(long, default_value_t = 240)]
    pub frames: u32,
}

impl Args {
    /// How many ticks a run without a window has.
    pub fn ticks(&self) -> u64 {
        self.ticks.unwrap_or(if self.scenario.is_some() { MOST_TICKS } else { 1800 })
    }
}

/// No scenario takes as long.
const MOST_TICKS: u64 = 30_000;
