//! Programs for one case each: what the engine must not be much slower than.

mod bucketed;
mod first_moves;
mod straight;
mod sweep;

pub use bucketed::BucketedAStar;
pub use first_moves::FirstMoves;
pub use straight::StraightAStar;
pub use sweep::PlainSweep;
