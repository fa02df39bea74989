//! What the lab shows, as plain data: scenes, searches that are stepped, and what every cell is.
//!
//! Nothing here draws, waits or knows a window. The searches are those of the core: a [`Timeline`](timeline::Timeline) asks
//! `PathSearch` for one expansion after the other, a [`Repair`](repair::Repair) the `Replanner`, and a
//! [`Board`](board::Board) is what they say of every cell.

pub mod board;
pub mod field;
pub mod legend;
pub mod playback;
pub mod presets;
pub mod repair;
pub mod scene;
pub mod search;
pub mod terrain;
pub mod timeline;
