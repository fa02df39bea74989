//! What Wayfield is measured on and against. The command `wayfield_bench` compares, `benches/` has the parts one by one.
//!
//! [`ground`] and [`scenarios`] make the maps and the questions, [`peers`] asks other libraries, and [`limits`] are programs written
//! straight down for one case each, as fast as safe code without a care for anything else gets. [`engine`] is our own below the front
//! door.

pub mod engine;
pub mod ground;
pub mod limits;
pub mod peers;
pub mod roads;
pub mod scenarios;
