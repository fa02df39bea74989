//! Pause, single step and speed. Nothing but the game's own time stops.

use bevy::prelude::*;
use bevy_wayfield::PathfindingSettings;
use bevy_wayfield::wayfield::Algorithm;

use super::keys::{Action, Actions};

/// The slowest and the fastest that time runs.
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.25..=8.0;

pub fn keys(
    actions: Res<Actions>,
    mut clock: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
    mut settings: ResMut<PathfindingSettings>,
) {
    for action in actions.iter() {
        match action {
            Action::Pause if clock.is_paused() => clock.unpause(),
            Action::Pause => clock.pause(),
            Action::Step if clock.is_paused() => {
                let tick = fixed.timestep();
                fixed.accumulate_overstep(tick);
            }
            Action::Slower | Action::Faster => {
                let factor = if action == Action::Faster { 2.0 } else { 0.5 };
                let speed = (clock.relative_speed() * factor).clamp(*SPEEDS.start(), *SPEEDS.end());
                clock.set_relative_speed(speed);
            }
            Action::NextAlgorithm => {
                let now = Algorithm::ALL.iter().position(|&algorithm| algorithm == settings.algorithm);
                settings.algorithm = Algorithm::ALL[(now.unwrap_or_default() + 1) % Algorithm::ALL.len()];
            }
            _ => {}
        }
    }
}
