//! The parts of the lab: what it shows is what the core does.
#![expect(dead_code, unused_imports, reason = "what only the program uses is not used here")]
#![expect(clippy::unwrap_used, reason = "a test stops where something is wrong")]

#[path = "../examples/lab/args.rs"]
mod args;
#[path = "../examples/lab/draw/mod.rs"]
mod draw;
#[path = "../examples/lab/model/mod.rs"]
mod model;
#[path = "../examples/lab/picture.rs"]
mod picture;
#[path = "../examples/lab/ui/mod.rs"]
mod ui;

#[path = "lab_parts/controls.rs"]
mod controls;
#[path = "lab_parts/fields.rs"]
mod fields;
#[path = "lab_parts/pictures.rs"]
mod pictures;
#[path = "lab_parts/repairs.rs"]
mod repairs;
#[path = "lab_parts/scenes.rs"]
mod scenes;
#[path = "lab_parts/searches.rs"]
mod searches;
