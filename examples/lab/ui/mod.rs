//! The window: the picture, what the pointer and the keys do to it, and the panel beside it.

#[path = "../../shared/display.rs"]
mod display;
mod help;
mod keys;
mod lab;
mod panel;
#[path = "../../shared/screenshot.rs"]
mod screenshot;
mod transport;
mod view;
mod window;

pub use display::has_display;
pub use keys::{Action, KEYS, act};
pub use lab::{Lab, Mode};
pub use window::{Wishes, run};
