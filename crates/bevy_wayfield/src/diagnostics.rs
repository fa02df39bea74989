//! Live numbers as Bevy [`Diagnostic`]s.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::prelude::*;

use crate::planner::Planner;

/// Requests that wait.
pub const QUEUED: DiagnosticPath = DiagnosticPath::const_new("wayfield/queued");
/// Requests that are being searched.
pub const IN_FLIGHT: DiagnosticPath = DiagnosticPath::const_new("wayfield/in_flight");
/// Expansions of the answers of a tick.
pub const EXPANSIONS: DiagnosticPath = DiagnosticPath::const_new("wayfield/expansions");

pub(crate) fn register(app: &mut App) {
    for path in [QUEUED, IN_FLIGHT, EXPANSIONS] {
        app.register_diagnostic(Diagnostic::new(path));
    }
}

pub(crate) fn measure(planner: Res<Planner>, mut diagnostics: Diagnostics) {
    diagnostics.add_measurement(&QUEUED, || planner.queued() as f64);
    diagnostics.add_measurement(&IN_FLIGHT, || planner.in_flight() as f64);
    diagnostics.add_measurement(&EXPANSIONS, || planner.stats().expansions_last_tick as f64);
}
