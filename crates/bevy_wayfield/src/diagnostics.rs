//! Live numbers as Bevy [`Diagnostic`]s.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::prelude::*;

use crate::fields::DijkstraMaps;
use crate::planner::Planner;

/// Requests that wait.
pub const QUEUED: DiagnosticPath = DiagnosticPath::const_new("wayfield/queued");
/// Requests that are being searched.
pub const IN_FLIGHT: DiagnosticPath = DiagnosticPath::const_new("wayfield/in_flight");
/// Expansions of the answers of a tick.
pub const EXPANSIONS: DiagnosticPath = DiagnosticPath::const_new("wayfield/expansions");

/// Searches answered in a tick.
pub const SEARCHES: DiagnosticPath = DiagnosticPath::const_new("wayfield/searches");
/// For how many ticks the oldest request in the queue has waited.
pub const OLDEST_WAIT: DiagnosticPath = DiagnosticPath::const_new("wayfield/oldest_wait");
/// How many ticks half of the latest answers took at most.
pub const LATENCY_P50: DiagnosticPath = DiagnosticPath::const_new("wayfield/latency_p50");
/// How many ticks 99 % of the latest answers took at most.
pub const LATENCY_P99: DiagnosticPath = DiagnosticPath::const_new("wayfield/latency_p99");
/// Answers so far that were of no use any more.
pub const STALE: DiagnosticPath = DiagnosticPath::const_new("wayfield/stale");
/// Searches so far that were broken off.
pub const CANCELLED: DiagnosticPath = DiagnosticPath::const_new("wayfield/cancelled");
/// Requests so far that failed, for any reason; [`PlannerStats`](crate::PlannerStats) has them by reason.
pub const FAILED: DiagnosticPath = DiagnosticPath::const_new("wayfield/failed");

/// Fields that there are.
pub const FIELDS: DiagnosticPath = DiagnosticPath::const_new("wayfield/fields");
/// How much memory their maps take.
pub const FIELD_BYTES: DiagnosticPath = DiagnosticPath::const_new("wayfield/field_bytes");
/// Maps so far that were computed as a whole.
pub const FIELD_REBUILDS: DiagnosticPath = DiagnosticPath::const_new("wayfield/field_rebuilds");
/// Maps so far that were repaired.
pub const FIELD_REPAIRS: DiagnosticPath = DiagnosticPath::const_new("wayfield/field_repairs");
/// Cells so far whose value was computed, by either.
pub const FIELD_CELLS: DiagnosticPath = DiagnosticPath::const_new("wayfield/field_cells");

pub(crate) fn register(app: &mut App) {
    let paths =
        [QUEUED, IN_FLIGHT, EXPANSIONS, SEARCHES, OLDEST_WAIT, LATENCY_P50, LATENCY_P99, STALE, CANCELLED, FAILED];
    let of_fields = [FIELDS, FIELD_BYTES, FIELD_REBUILDS, FIELD_REPAIRS, FIELD_CELLS];
    for path in paths.into_iter().chain(of_fields) {
        app.register_diagnostic(Diagnostic::new(path));
    }
}

pub(crate) fn measure(planner: Res<Planner>, maps: Res<DijkstraMaps>, mut diagnostics: Diagnostics) {
    let stats = planner.stats();
    diagnostics.add_measurement(&QUEUED, || planner.queued() as f64);
    diagnostics.add_measurement(&IN_FLIGHT, || planner.in_flight() as f64);
    diagnostics.add_measurement(&EXPANSIONS, || stats.expansions_last_tick as f64);
    diagnostics.add_measurement(&SEARCHES, || stats.searches_last_tick as f64);
    diagnostics.add_measurement(&OLDEST_WAIT, || stats.oldest_wait as f64);
    diagnostics.add_measurement(&STALE, || stats.stale as f64);
    diagnostics.add_measurement(&CANCELLED, || stats.cancelled as f64);
    diagnostics.add_measurement(&FAILED, || stats.failed.values().sum::<u64>() as f64);
    let fields = maps.stats();
    diagnostics.add_measurement(&FIELDS, || maps.len() as f64);
    diagnostics.add_measurement(&FIELD_BYTES, || maps.bytes() as f64);
    diagnostics.add_measurement(&FIELD_REBUILDS, || fields.rebuilds as f64);
    diagnostics.add_measurement(&FIELD_REPAIRS, || fields.repairs as f64);
    diagnostics.add_measurement(&FIELD_CELLS, || fields.cells as f64);
    for (path, percent) in [(&LATENCY_P50, 50), (&LATENCY_P99, 99)] {
        diagnostics.add_measurement(path, || planner.latency(percent).unwrap_or_default() as f64);
    }
}
