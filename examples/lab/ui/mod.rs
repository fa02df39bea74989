//! The window: the picture, what the pointer and the keys do to it, and the panel beside it.

#[path = "../../kit/display.rs"]
pub mod display;
mod help;
pub mod keys;
pub mod lab;
mod panel;
#[path = "../../kit/screenshot.rs"]
mod screenshot;
pub mod transport;
pub mod view;
pub mod window;
