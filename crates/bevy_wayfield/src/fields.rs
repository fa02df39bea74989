//! The [`DijkstraMaps`] resource: named fields that any number of units share.

use std::sync::Arc;

use bevy::prelude::*;
use wayfield::{Cell, CellRect, CostGrid, DijkstraMap, FieldError, FleeScale, Source};

use crate::executor::Job;
use crate::map::{ClassId, Tilemap};
use crate::planner::Planner;
use crate::settings::{Delivery, PathfindingSettings};

/// The number of a field in [`DijkstraMaps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect)]
pub struct FieldId(usize);

/// The number of a group of entities that fields have as sources; a team, for example. The game chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect)]
pub struct SourceGroup(pub u32);

/// Makes an entity with a [`Transform`] a source of all fields that have its group.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct FieldSource {
    /// Its group.
    pub group: SourceGroup,
    /// The value of its cell in terrain units; less is more attractive.
    pub value: f64,
}

impl FieldSource {
    /// A source of value 0.
    pub fn new(group: SourceGroup) -> Self {
        Self { group, value: 0.0 }
    }
}

/// What a field is computed from.
///
/// ```
/// use bevy_wayfield::{ClassId, DijkstraMaps, Field, SourceGroup};
/// use wayfield::{Cell, FleeScale};
/// const RAIDERS: SourceGroup = SourceGroup(1);
/// let mut maps = DijkstraMaps::default();
/// let ore = maps.define("ore", Field::seek(ClassId(0)).cells([Cell::new(3, 4)]));
/// let flee = maps.define("flee", Field::flee(ClassId(0), ClassId(1), FleeScale::default()).group(RAIDERS));
/// let desire = maps.define("desire", Field::sum([(ore, 1.0), (flee, 0.5)]));
/// assert_eq!(maps.id("flee"), Some(flee));
/// assert!(maps.get(desire).is_none(), "computed in the next tick");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    rule: Rule,
    cells: Vec<Source>,
    groups: Vec<SourceGroup>,
    interval: u64,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    /// Toward the nearest source.
    Seek { class: ClassId },
    /// Away from the sources, which move as `threats`.
    Flee { class: ClassId, threats: ClassId, scale: FleeScale },
    /// Other fields, weighted.
    Sum { terms: Vec<(FieldId, f64)> },
}

impl Field {
    /// Toward the nearest source, for movers of this class.
    pub fn seek(class: ClassId) -> Self {
        Self::of(Rule::Seek { class })
    }

    /// Away from the sources, for movers of `class`, from sources that move as `threats`.
    pub fn flee(class: ClassId, threats: ClassId, scale: FleeScale) -> Self {
        Self::of(Rule::Flee { class, threats, scale })
    }

    /// The weighted sum of other fields.
    pub fn sum(terms: impl IntoIterator<Item = (FieldId, f64)>) -> Self {
        Self::of(Rule::Sum { terms: terms.into_iter().collect() })
    }

    fn of(rule: Rule) -> Self {
        Self { rule, cells: Vec::new(), groups: Vec::new(), interval: 1 }
    }

    /// With these cells as sources; replaces the ones given before.
    #[must_use]
    pub fn cells<S: Into<Source>>(mut self, cells: impl IntoIterator<Item = S>) -> Self {
        self.cells = cells.into_iter().map(Into::into).collect();
        self
    }

    /// With the entities of this group as sources, too.
    #[must_use]
    pub fn group(mut self, group: SourceGroup) -> Self {
        self.groups.push(group);
        self
    }

    /// Computed anew at most once in this many ticks.
    #[must_use]
    pub fn every(mut self, ticks: u64) -> Self {
        self.interval = ticks.max(1);
        self
    }
}

/// What a computed field depended on; when it differs, the field is computed again.
#[derive(Clone, Debug)]
struct Inputs {
    revision: u64,
    sources: Vec<Source>,
    /// The versions of the fields of a sum.
    versions: Vec<u64>,
}

impl Inputs {
    /// Whether nothing differs. A value that is no number is the same as itself here: its error is told once.
    fn is(&self, other: &Self) -> bool {
        let bits = |inputs: &Self| -> Vec<_> {
            inputs.sources.iter().map(|source| (source.cell, source.value.to_bits())).collect()
        };
        self.revision == other.revision && self.versions == other.versions && bits(self) == bits(other)
    }
}

/// A field that is being computed.
struct Pending {
    job: Job<Result<DijkstraMap, FieldError>>,
    due: Option<u64>,
}

struct Entry {
    name: String,
    field: Field,
    map: Option<Arc<DijkstraMap>>,
    /// Counts the maps that were published.
    version: u64,
    /// What the latest map, published or pending, was begun with; `None` after a change of the definition.
    begun: Option<Inputs>,
    begun_at: u64,
    pending: Option<Pending>,
    error: Option<FieldError>,
}

/// Named fields: computed on tasks when sources or terrain change, and swapped in whole.
///
/// A field that cannot be computed keeps its last map; [`DijkstraMaps::error`] says why.
#[derive(Resource, Default)]
pub struct DijkstraMaps {
    entries: Vec<Entry>,
}

impl DijkstraMaps {
    /// Defines a field, or gives the one of this name another definition; until its first map is there it has none.
    pub fn define(&mut self, name: impl Into<String>, field: Field) -> FieldId {
        let name = name.into();
        if let Some(id) = self.id(&name) {
            self.redefine(id, field);
            return id;
        }
        let id = FieldId(self.entries.len());
        self.entries.push(Entry {
            name,
            field,
            map: None,
            version: 0,
            begun: None,
            begun_at: 0,
            pending: None,
            error: None,
        });
        id
    }

    fn redefine(&mut self, id: FieldId, field: Field) {
        if let Some(entry) = self.entries.get_mut(id.0)
            && entry.field != field
        {
            entry.field = field;
            entry.begun = None;
            entry.pending = None;
            // What it was computed from means something else.
            entry.map = None;
        }
    }

    /// Replaces the source cells of a field.
    pub fn set_cells<S: Into<Source>>(&mut self, id: FieldId, cells: impl IntoIterator<Item = S>) {
        if let Some(entry) = self.entries.get_mut(id.0) {
            entry.field.cells = cells.into_iter().map(Into::into).collect();
        }
    }

    /// Sets the scale of a flee field.
    pub fn set_flee_scale(&mut self, id: FieldId, new: FleeScale) {
        if let Some(entry) = self.entries.get_mut(id.0)
            && let Rule::Flee { scale, .. } = &mut entry.field.rule
            && *scale != new
        {
            *scale = new;
            entry.begun = None;
            entry.pending = None;
        }
    }

    /// The scale of a flee field.
    pub fn flee_scale(&self, id: FieldId) -> Option<FleeScale> {
        match self.entries.get(id.0)?.field.rule {
            Rule::Flee { scale, .. } => Some(scale),
            Rule::Seek { .. } | Rule::Sum { .. } => None,
        }
    }

    /// The field of this name.
    pub fn id(&self, name: &str) -> Option<FieldId> {
        self.entries.iter().position(|entry| entry.name == name).map(FieldId)
    }

    /// All fields, with their names.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &str)> {
        self.entries.iter().enumerate().map(|(index, entry)| (FieldId(index), entry.name.as_str()))
    }

    /// The latest map of a field, whole; `None` before the first one.
    pub fn get(&self, id: FieldId) -> Option<&Arc<DijkstraMap>> {
        self.entries.get(id.0)?.map.as_ref()
    }

    /// How many maps of a field were published.
    pub fn version(&self, id: FieldId) -> u64 {
        self.entries.get(id.0).map_or(0, |entry| entry.version)
    }

    /// The value of a cell on a field, in terrain units.
    pub fn value_at(&self, id: FieldId, cell: Cell) -> Option<f64> {
        self.get(id)?.value(cell)
    }

    /// Why the latest computation of a field failed, if it did.
    pub fn error(&self, id: FieldId) -> Option<FieldError> {
        self.entries.get(id.0)?.error
    }

    /// What a field would be computed from now; `None` if something of it is missing.
    fn inputs(&self, field: &Field, tilemap: &Tilemap, entities: &[(SourceGroup, Source)]) -> Option<Inputs> {
        let seeker = match field.rule {
            Rule::Seek { class } => tilemap.grid(class),
            Rule::Flee { .. } | Rule::Sum { .. } => None,
        };
        let of_groups = entities.iter().filter(|(group, _)| field.groups.contains(group)).map(|(_, source)| *source);
        let of_groups = of_groups.flat_map(|source| seeker.map_or(vec![source], |grid| beside(grid, source)));
        let mut sources: Vec<_> = field.cells.iter().copied().chain(of_groups).collect();
        sources.sort_by(|a, b| a.cell.cmp(&b.cell).then(a.value.total_cmp(&b.value)));
        sources.dedup_by_key(|source| source.cell);
        let versions = match &field.rule {
            Rule::Sum { terms } => {
                terms.iter().map(|&(id, _)| self.get(id).map(|_| self.version(id))).collect::<Option<_>>()?
            }
            Rule::Seek { .. } | Rule::Flee { .. } => Vec::new(),
        };
        Some(Inputs { revision: tilemap.revision(), sources, versions })
    }

    /// The computation of a field; `None` if a class or a field of it does not exist.
    fn computation(&self, field: &Field, inputs: &Inputs, tilemap: &Tilemap) -> Option<Computation> {
        let grid = |class| tilemap.grid(class).cloned();
        Some(match &field.rule {
            &Rule::Seek { class } => Computation::Seek(grid(class)?, inputs.sources.clone()),
            &Rule::Flee { class, threats, scale } => {
                let cells = inputs.sources.iter().map(|source| source.cell).collect();
                Computation::Flee { threats: grid(threats)?, fleers: grid(class)?, cells, scale }
            }
            Rule::Sum { terms } => {
                let maps = terms.iter().map(|&(id, weight)| Some((self.get(id)?.clone(), weight)));
                Computation::Sum(maps.collect::<Option<_>>()?)
            }
        })
    }
}

/// A field to compute: plain data and snapshots.
enum Computation {
    Seek(Arc<CostGrid>, Vec<Source>),
    Flee { threats: Arc<CostGrid>, fleers: Arc<CostGrid>, cells: Vec<Cell>, scale: FleeScale },
    Sum(Vec<(Arc<DijkstraMap>, f64)>),
}

impl Computation {
    fn run(self) -> Result<DijkstraMap, FieldError> {
        match self {
            Self::Seek(grid, sources) => DijkstraMap::toward(&grid, sources),
            Self::Flee { threats, fleers, cells, scale } => DijkstraMap::flee(&threats, &fleers, cells, scale),
            Self::Sum(terms) => {
                let terms: Vec<_> = terms.iter().map(|(map, weight)| (map.as_ref(), *weight)).collect();
                DijkstraMap::weighted_sum(&terms)
            }
        }
    }
}

/// How far from a source that a unit cannot stand on it looks for where it can.
const BESIDE: i32 = 8;

/// Where units go that are led to an entity: there, or if they cannot stand there, to the cells around it where they can,
/// all those of the nearest square. A house is come to from all sides, and larger units come as near as they can.
fn beside(grid: &CostGrid, source: Source) -> Vec<Source> {
    let is_free = |cell: &Cell| grid.is_passable(*cell);
    if is_free(&source.cell) {
        return vec![source];
    }
    for radius in 1..=BESIDE {
        let square = CellRect::around(source.cell, radius).cells();
        let edge = square.filter(|cell| cell.chebyshev(source.cell) == radius as u32);
        let free: Vec<_> = edge.filter(is_free).map(|cell| Source { cell, ..source }).collect();
        if !free.is_empty() {
            return free;
        }
    }
    Vec::new()
}

/// Publishes the maps that are there, or due, and begins those whose sources or terrain changed.
pub(crate) fn update_fields(
    tilemap: Option<Res<Tilemap>>,
    settings: Res<PathfindingSettings>,
    planner: Res<Planner>,
    mut maps: ResMut<DijkstraMaps>,
    sources: Query<(&FieldSource, &Transform)>,
) {
    let Some(tilemap) = tilemap else { return };
    if maps.entries.is_empty() {
        return;
    }
    let tick = planner.tick();
    for entry in &mut maps.entries {
        publish(entry, tick);
    }
    // A source outside the map, or without a usable value, is no source.
    let sources: Vec<_> = sources
        .iter()
        .filter(|(source, _)| source.value.is_finite())
        .filter_map(|(source, at)| {
            let cell = tilemap.world_to_cell(at.translation.truncate())?;
            Some((source.group, Source { cell, value: source.value }))
        })
        .collect();
    for index in 0..maps.entries.len() {
        let entry = &maps.entries[index];
        let rested = entry.begun.is_none() || tick >= entry.begun_at.saturating_add(entry.field.interval);
        if entry.pending.is_some() || !rested {
            continue;
        }
        let Some(inputs) = maps.inputs(&entry.field, &tilemap, &sources) else { continue };
        if entry.begun.as_ref().is_some_and(|begun| begun.is(&inputs)) {
            continue;
        }
        let Some(computation) = maps.computation(&entry.field, &inputs, &tilemap) else { continue };
        let due = match settings.delivery {
            Delivery::AsReady => None,
            Delivery::AfterTicks(ticks) => Some(tick + u64::from(ticks)),
        };
        let entry = &mut maps.entries[index];
        entry.begun = Some(inputs);
        entry.begun_at = tick;
        entry.pending = Some(Pending { job: settings.executor.start(move || computation.run()), due });
    }
}

fn publish(entry: &mut Entry, tick: u64) {
    let Some(Pending { job, due }) = entry.pending.take() else { return };
    let result = match due {
        Some(due) if tick >= due => Ok(job.wait()),
        Some(_) => Err(job),
        None => job.poll(),
    };
    match result {
        Ok(Ok(map)) => {
            entry.map = Some(Arc::new(map));
            entry.version += 1;
            entry.error = None;
        }
        Ok(Err(error)) => entry.error = Some(error),
        Err(job) => entry.pending = Some(Pending { job, due }),
    }
}
