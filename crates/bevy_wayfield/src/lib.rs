//! Pathfinding for Bevy games: path requests answered by tasks, shared Dijkstra maps, terrain that changes while units move.
//!
//! # What happens in a tick
//!
//! [`PathfindingPlugin`] runs these sets, one after the other, in `FixedUpdate` (or where
//! [`PathfindingPlugin::in_schedule`] says):
//!
//! ```text
//! Sync     Obstacles are stamped on the Tilemap; they and edits reach the cost grids; ways they spoil, or whose
//!          target moved on, are queued again  (grids also once a frame)
//! Plan     PathRequests leave the queue and become tasks
//! Collect  answers become FollowPath and PathStatus; events fire
//! Fields   who Gathers chooses and works; DijkstraMaps whose sources or terrain changed are computed or repaired, and swapped
//!          in whole
//! Steer    every Mover follows its FollowPath or FollowField
//! ```
//!
//! # In a game
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_wayfield::{GoalReached, Mover, PathRequest, PathfindingPlugin, Tilemap};
//! use wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
//!
//! let (plain, forest) = (TerrainId(0), TerrainId(1));
//! let map = TerrainMap::new(GridSize::new(64, 64)?, plain);
//! let foot = MovementClass::new("foot").with_cost(plain, 1)?.with_cost(forest, 3)?;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PathfindingPlugin::default()));
//! app.insert_resource(Tilemap::new(map, vec![foot]).with_layout(Vec2::ZERO, 32.0));
//! app.add_observer(|reached: On<GoalReached>| println!("{} is there", reached.entity));
//! app.add_systems(Startup, |mut commands: Commands, tilemap: Res<Tilemap>| {
//!     let start = tilemap.cell_to_world(Cell::new(2, 2)).extend(0.0);
//!     commands.spawn((Transform::from_translation(start), Mover::new(4.0), PathRequest::to(Cell::new(60, 40))));
//! });
//! app.add_systems(Update, move |mut tilemap: ResMut<Tilemap>| {
//!     // Paint at any time; units whose way is concerned find another one.
//!     let _ = tilemap.edit([(Cell::new(30, 20), forest)]);
//! });
//! app.update();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crossing;
mod hash;
mod map;
mod obstacle;

mod executor;
mod settings;

mod request;

mod batch;
mod chase;
mod delivery;
mod planner;

mod field;
mod fields;
mod gather;

mod occupant;
mod traffic;

mod steering;
mod waypoints;

mod save;

pub mod diagnostics;

#[cfg(feature = "gizmos")]
mod debug;

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

#[cfg(feature = "gizmos")]
pub use debug::{PathGizmos, PathGizmosPlugin};
pub use executor::Executor;
pub use field::{Field, FieldId, FieldLost, FieldProblem, FieldReady, FieldSource, SourceGroup};
pub use fields::{DijkstraMaps, FieldStats};
pub use gather::{Deposited, Gather, GatherStage, Gathered};
pub use hash::PathfindingHash;
pub use map::{ClassId, Tilemap};
pub use obstacle::Obstacle;
pub use occupant::Occupant;
pub use planner::{Planner, PlannerStats};
pub use request::{
    FollowPath, GoalReached, PartialEndReached, PathFailed, PathGoal, PathInvalidated, PathPartial, PathReady,
    PathRequest, PathStatus, SearchInfo, SimId,
};
pub use save::{PathfindingSave, RestoreError, SaveError};
pub use settings::{Delivery, PathfindingSettings};
pub use steering::{FollowField, Mover, MoverError};
pub use wayfield;
pub use waypoints::{RouteEnded, RouteFailed, RouteFound, WaypointGraph, WaypointRequest, WaypointRoute};

/// The stages of a tick, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathfindingSystems {
    /// Obstacles and edits reach the cost grids; ways that they spoil, or whose target moved on, are queued again.
    Sync,
    /// Requests become tasks.
    Plan,
    /// Answers become components and events.
    Collect,
    /// Dijkstra maps are published and begun.
    Fields,
    /// Units move.
    Steer,
    /// [`PathfindingHash`] takes the tick in. A game that steers by itself does so before.
    Hash,
}

/// Adds everything: [`PathfindingSettings`], [`Planner`], [`DijkstraMaps`] and the systems. The game adds a [`Tilemap`].
///
/// Needs no more than `MinimalPlugins`; without a [`Tilemap`] it waits for one.
#[derive(Clone, Copy, Debug)]
pub struct PathfindingPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for PathfindingPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl PathfindingPlugin {
    /// Runs the ticks in this schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for PathfindingPlugin {
    fn build(&self, app: &mut App) {
        use PathfindingSystems::{Collect, Fields, Hash, Plan, Steer, Sync};
        app.init_resource::<PathfindingSettings>()
            .init_resource::<Planner>()
            .init_resource::<DijkstraMaps>()
            // By hand: what registers itself does so in some builds only.
            .register_type::<PathfindingSettings>()
            .register_type::<Planner>()
            .register_type::<DijkstraMaps>()
            .register_type::<Tilemap>()
            .register_type::<PathfindingHash>()
            .register_type::<PathRequest>()
            .register_type::<PathStatus>()
            .register_type::<WaypointGraph>()
            .register_type::<WaypointRequest>()
            .register_type::<WaypointRoute>()
            .register_type::<FollowPath>()
            .register_type::<SimId>()
            .register_type::<Obstacle>()
            .register_type::<Mover>()
            .register_type::<Occupant>()
            .register_type::<FollowField>()
            .register_type::<FieldSource>()
            .register_type::<Gather>()
            .configure_sets(self.schedule, (Sync, Plan, Collect, Fields, Steer, Hash).chain())
            .add_systems(
                self.schedule,
                (
                    (obstacle::stamp_obstacles, map::sync_tilemap, chase::look_for_targets, delivery::invalidate)
                        .chain()
                        .in_set(Sync),
                    waypoints::plan_routes.in_set(Sync).after(delivery::invalidate),
                    planner::plan.in_set(Plan),
                    delivery::collect.in_set(Collect),
                    (gather::gather, fields::update::update_fields, diagnostics::measure).chain().in_set(Fields),
                    steering::steer.in_set(Steer),
                    hash::update_hash.run_if(resource_exists::<PathfindingHash>).in_set(Hash),
                ),
            )
            // Also while the game is paused, so that painting and previews go on.
            .add_systems(
                PostUpdate,
                (obstacle::stamp_obstacles.run_if(obstacle::is_paused), map::sync_tilemap).chain().in_set(Sync),
            );
        app.add_observer(waypoints::on_goal_reached)
            .add_observer(waypoints::on_partial_end)
            .add_observer(waypoints::on_other_order);
        diagnostics::register(app);
    }
}

/// Compiles and runs what the README shows.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
