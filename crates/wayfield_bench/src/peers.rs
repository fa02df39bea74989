//! Other libraries, asked the same questions.

pub mod bracket;
pub mod grid_pathfinding;
pub mod pathfinding;
