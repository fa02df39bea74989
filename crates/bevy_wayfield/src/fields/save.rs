//! The [`DijkstraMaps`] as they are saved: maps that are being computed are saved as what comes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wayfield::{Cell, DijkstraMap, FieldError, FlowField, Repair};

use super::{DijkstraMaps, Entry, FieldStats, Inputs, Pending, Published};
use crate::executor::Job;
use crate::field::{Field, FieldId, FieldProblem};
use crate::map::ClassId;
use crate::save::{RestoreError, checked};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedFields {
    fields: Vec<SavedField>,
    next: u32,
    capacity: usize,
    lost: Vec<FieldId>,
    tick: u64,
    stats: FieldStats,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedField {
    id: FieldId,
    name: String,
    field: Field,
    reserved: BTreeSet<Cell>,
    claimed: BTreeSet<Cell>,
    withdrawn: BTreeSet<Cell>,
    used: Option<u64>,
    published: Option<SavedMap>,
    version: u64,
    is_ready: bool,
    begun: Option<Inputs>,
    begun_at: u64,
    pending: Option<SavedPending>,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedMap {
    map: DijkstraMap,
    flow: FlowField,
    class: ClassId,
    revision: u64,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedPending {
    computed: Result<(DijkstraMap, FlowField, Repair), FieldError>,
    due: Option<u64>,
    class: ClassId,
    revision: u64,
    has_sources: bool,
}

impl SavedFields {
    /// Waits for what is being computed, and saves all.
    pub fn of(maps: &mut DijkstraMaps) -> Self {
        let fields = maps.entries.iter_mut().map(|(&id, entry)| SavedField::of(id, entry)).collect();
        let DijkstraMaps { next, capacity, tick, stats, ref lost, .. } = *maps;
        Self { fields, next, capacity, lost: lost.clone(), tick, stats }
    }

    pub fn restore(self) -> Result<DijkstraMaps, RestoreError> {
        let Self { fields, next, capacity, lost, tick, stats } = self;
        checked("tick of the fields", tick)?;
        let mut entries = BTreeMap::new();
        for field in fields {
            let id = field.id;
            if id.0 >= next || entries.insert(id, field.restore()?).is_some() {
                return Err(RestoreError::Field(id));
            }
        }
        Ok(DijkstraMaps { entries, next, capacity: capacity.max(1), lost, tick, stats })
    }
}

impl SavedField {
    fn of(id: FieldId, entry: &mut Entry) -> Self {
        let pending = entry.pending.take().map(|Pending { job, due, class, revision, has_sources }| {
            let computed = job.wait();
            let plain = |(map, flow, repair): &(Arc<DijkstraMap>, Arc<FlowField>, Repair)| {
                (DijkstraMap::clone(map), FlowField::clone(flow), repair.clone())
            };
            let saved = SavedPending {
                computed: computed.as_ref().map(plain).map_err(|&error| error),
                due,
                class,
                revision,
                has_sources,
            };
            entry.pending = Some(Pending { job: Job::Done(computed), due, class, revision, has_sources });
            saved
        });
        let published = entry.published.as_ref().map(|published| SavedMap {
            map: DijkstraMap::clone(&published.map),
            flow: FlowField::clone(&published.flow),
            class: published.class,
            revision: published.revision,
        });
        // What could not be computed is tried again, to find out again why.
        let has_failed = matches!(entry.problem, Some(FieldProblem::Compute(_))) && pending.is_none();
        Self {
            id,
            name: entry.name.clone(),
            field: entry.field.clone(),
            reserved: entry.reserved.clone(),
            claimed: entry.claimed.clone(),
            withdrawn: entry.withdrawn.clone(),
            used: entry.used,
            published,
            version: entry.version,
            is_ready: entry.is_ready,
            begun: entry.begun.clone().filter(|_| !has_failed),
            begun_at: entry.begun_at,
            pending,
        }
    }

    fn restore(self) -> Result<Entry, RestoreError> {
        let Self { name, field, reserved, claimed, withdrawn, used, version, is_ready, begun, begun_at, .. } = self;
        let published = self.published.map(|saved| Published {
            map: Arc::new(saved.map),
            flow: Arc::new(saved.flow),
            class: saved.class,
            revision: saved.revision,
        });
        let pending = self.pending.map(|saved| Pending {
            job: Job::Done(saved.computed.map(|(map, flow, repair)| (Arc::new(map), Arc::new(flow), repair))),
            due: saved.due,
            class: saved.class,
            revision: saved.revision,
            has_sources: saved.has_sources,
        });
        let revision = published.as_ref().map_or(0, |published| published.revision);
        let counts =
            [("version of a field", version), ("tick of a field", begun_at), ("revision of a field", revision)];
        for (what, number) in counts {
            checked(what, number)?;
        }
        // Both are found anew in the next tick.
        let (problem, taken) = (None, BTreeMap::new());
        Ok(Entry {
            name,
            field,
            reserved,
            claimed,
            withdrawn,
            taken,
            used,
            published,
            version,
            is_ready,
            begun,
            begun_at,
            pending,
            problem,
        })
    }
}
