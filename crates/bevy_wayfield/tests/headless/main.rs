//! The plugin in apps without a window: `MinimalPlugins`, a map, units, and ticks driven by hand.

mod world;

mod answers;
mod chase;
mod delivery;
mod edits;
mod fields;
mod gather;
#[cfg(feature = "gizmos")]
mod gizmos;
mod hash;
mod layers;
mod long_run;
mod maps;
mod obstacles;
mod occupants;
mod occupants_wild;
mod orders;
mod queue;
mod reflection;
mod save;
mod shared_fields;
mod steering;
mod waypoints;
