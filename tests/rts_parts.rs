//! The tests that stand beside the parts of the demo. An example has no tests of its own unless it gives up being a program.
#![expect(dead_code, unused_imports, reason = "what only the program uses is not used here")]

#[path = "../examples/rts/args.rs"]
mod args;
#[path = "../examples/rts/game/mod.rs"]
mod game;
#[path = "../examples/rts/player/mod.rs"]
mod player;
#[path = "../examples/rts/report.rs"]
mod report;
#[path = "../examples/rts/view/mod.rs"]
mod view;
