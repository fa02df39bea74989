//! The [`DijkstraMaps`] resource: named fields that any number of units share.

pub(crate) mod save;
pub(crate) mod update;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bevy::prelude::*;
use wayfield::{Cell, DijkstraMap, Direction, FieldError, FleeRule, FleeScale, FlowField, Path, Repair, Source};

use crate::executor::Job;
use crate::field::{Field, FieldId, FieldProblem, Rule};
use crate::map::{ClassId, Tilemap};

/// What a computed field depended on; when it differs, the field is computed again.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Inputs {
    revision: u64,
    /// The cells of the definition and those of entities, in order, each once.
    fixed: Vec<Source>,
    moving: Vec<Source>,
    /// The versions of the fields of a sum.
    versions: Vec<u64>,
}

/// A map that is there for units.
#[derive(Clone)]
struct Published {
    map: Arc<DijkstraMap>,
    flow: Arc<FlowField>,
    /// The kind of mover that the flow field is for.
    class: ClassId,
    /// The revision of the tilemap that it was computed on.
    revision: u64,
}

/// A map that was computed, its flow field, and what that took.
type Computed = Result<(Arc<DijkstraMap>, Arc<FlowField>, Repair), FieldError>;

/// A field that is being computed.
struct Pending {
    job: Job<Computed>,
    due: Option<u64>,
    class: ClassId,
    revision: u64,
    /// Whether it has any source.
    has_sources: bool,
}

struct Entry {
    name: String,
    field: Field,
    /// Cells that are no sources for the time being: the game says so.
    reserved: BTreeSet<Cell>,
    /// The same for those that workers have claimed.
    claimed: BTreeSet<Cell>,
    /// Those of them that are no sources any more at all.
    withdrawn: BTreeSet<Cell>,
    /// Of a field to surround somebody, where its followers stand who have come near enough, one to a cell.
    taken: BTreeMap<Cell, Entity>,
    /// The tick in which it was last asked for or followed, of a field that may make room for another one.
    used: Option<u64>,
    published: Option<Published>,
    /// Counts the maps that were published.
    version: u64,
    /// Whether units were told that it is there.
    is_ready: bool,
    /// What the latest map, published or pending, was begun with; `None` after a change of the definition.
    begun: Option<Inputs>,
    begun_at: u64,
    pending: Option<Pending>,
    problem: Option<FieldProblem>,
}

impl Entry {
    fn new(name: String, field: Field) -> Self {
        Self {
            name,
            field,
            reserved: BTreeSet::new(),
            claimed: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            taken: BTreeMap::new(),
            used: None,
            published: None,
            version: 0,
            is_ready: false,
            begun: None,
            begun_at: 0,
            pending: None,
            problem: None,
        }
    }

    /// Whether a cell that is among the sources is one now.
    fn is_free(&self, source: &Source) -> bool {
        !self.reserved.contains(&source.cell) && !self.claimed.contains(&source.cell)
    }

    /// Begins anew with another definition.
    fn forget(&mut self) {
        self.begun = None;
        self.pending = None;
        self.problem = None;
    }
}

/// How many fields for single goals there may be, unless [`DijkstraMaps::set_capacity`] says otherwise.
const CAPACITY: usize = 64;

/// What the fields have taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
pub struct FieldStats {
    /// Maps that were computed as a whole.
    pub rebuilds: u64,
    /// Maps that were repaired.
    pub repairs: u64,
    /// Cells whose value was computed, by either.
    pub cells: u64,
    /// Fields for single goals that made room for others.
    pub evicted: u64,
}

/// Named fields: computed on tasks when sources or terrain change, or repaired where that is cheaper, and swapped in whole.
///
/// A field that cannot be computed keeps its last map; [`DijkstraMaps::problem`] says why. Beside the fields that a game
/// defines there may be a number of fields for single goals, [`DijkstraMaps::toward`].
/// By reflection its [`FieldStats`] can be read.
#[derive(Resource, Reflect)]
#[reflect(Resource, Default)]
pub struct DijkstraMaps {
    #[reflect(ignore)]
    entries: BTreeMap<FieldId, Entry>,
    #[reflect(ignore)]
    next: u32,
    capacity: usize,
    /// Fields that were removed, to be told.
    #[reflect(ignore)]
    lost: Vec<FieldId>,
    /// The tick of the latest update.
    tick: u64,
    stats: FieldStats,
}

impl Default for DijkstraMaps {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            next: 0,
            capacity: CAPACITY,
            lost: Vec::new(),
            tick: 0,
            stats: FieldStats::default(),
        }
    }
}

impl DijkstraMaps {
    /// Defines a field, or gives the one of this name another definition; until its first map is there it has none.
    pub fn define(&mut self, name: impl Into<String>, field: Field) -> FieldId {
        let name = name.into();
        match self.id(&name) {
            Some(id) => {
                self.redefine(id, field);
                id
            }
            None => self.add(name, field),
        }
    }

    fn add(&mut self, name: String, field: Field) -> FieldId {
        let id = FieldId(self.next);
        self.next += 1;
        self.entries.insert(id, Entry::new(name, field));
        id
    }

    fn redefine(&mut self, id: FieldId, field: Field) {
        if let Some(entry) = self.entries.get_mut(&id)
            && entry.field != field
        {
            entry.field = field;
            entry.forget();
            // What it was computed from means something else.
            entry.published = None;
            entry.is_ready = false;
        }
    }

    /// Removes a field. Units that follow it stand, and sums of it keep their last map.
    pub fn remove(&mut self, id: FieldId) {
        if self.entries.remove(&id).is_some() {
            self.lost.push(id);
        }
    }

    /// A field toward one cell, for movers of this class: the one that is there already, or a new one.
    ///
    /// There are at most [`DijkstraMaps::capacity`] of these. A new one takes the place of the one that was neither asked for nor
    /// followed for the longest time, which is removed. The name of such a field is that of its cell.
    pub fn toward(&mut self, class: ClassId, goal: Cell) -> FieldId {
        let field = Field::seek(class).cells([goal]);
        let tick = self.tick;
        let found = self.entries.iter_mut().find(|(_, entry)| entry.used.is_some() && entry.field == field);
        if let Some((&id, entry)) = found {
            entry.used = Some(tick);
            return id;
        }
        self.make_room(self.capacity.saturating_sub(1));
        let id = self.add(format!("toward {goal} for class {}", class.0), field);
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.used = Some(tick);
        }
        id
    }

    /// How many fields for single goals there may be; at least 1.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Sets how many fields for single goals there may be; at least 1.
    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity.max(1);
        self.make_room(self.capacity);
    }

    /// Removes fields for single goals until there are at most so many.
    fn make_room(&mut self, most: usize) {
        loop {
            let cached = || self.entries.iter().filter_map(|(&id, entry)| Some((entry.used?, id)));
            let Some((_, oldest)) = cached().min().filter(|_| cached().count() > most) else { return };
            self.remove(oldest);
            self.stats.evicted += 1;
        }
    }

    /// Replaces the source cells of a field.
    pub fn set_cells<S: Into<Source>>(&mut self, id: FieldId, cells: impl IntoIterator<Item = S>) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.field.cells = cells.into_iter().map(Into::into).collect();
        }
    }

    /// Sets how a flee field values distance: by a [`FleeScale`], or another [`FleeRule`].
    pub fn set_flee_rule(&mut self, id: FieldId, new: impl Into<FleeRule>) {
        let new = new.into();
        if let Some(entry) = self.entries.get_mut(&id)
            && let Rule::Flee { rule, .. } = &mut entry.field.rule
            && *rule != new
        {
            *rule = new;
            entry.forget();
        }
    }

    /// How a flee field values distance.
    pub fn flee_rule(&self, id: FieldId) -> Option<FleeRule> {
        match self.entries.get(&id)?.field.rule {
            Rule::Flee { rule, .. } => Some(rule),
            Rule::Seek { .. } | Rule::Kite { .. } | Rule::Sum { .. } => None,
        }
    }

    /// The k of a flee field.
    pub fn flee_scale(&self, id: FieldId) -> Option<FleeScale> {
        self.flee_rule(id).map(FleeRule::scale)
    }

    /// Sets the k of a flee field.
    pub fn set_flee_scale(&mut self, id: FieldId, scale: FleeScale) {
        if let Some(rule) = self.flee_rule(id) {
            self.set_flee_rule(id, rule.with_scale(scale));
        }
    }

    /// The definition of a field.
    pub fn field(&self, id: FieldId) -> Option<&Field> {
        self.entries.get(&id).map(|entry| &entry.field)
    }

    /// The field of this name.
    pub fn id(&self, name: &str) -> Option<FieldId> {
        self.entries.iter().find(|(_, entry)| entry.name == name).map(|(&id, _)| id)
    }

    /// All fields, with their names.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &str)> {
        self.entries.iter().map(|(&id, entry)| (id, entry.name.as_str()))
    }

    fn published(&self, id: FieldId) -> Option<&Published> {
        self.entries.get(&id)?.published.as_ref()
    }

    /// The latest map of a field, whole; `None` before the first one.
    pub fn get(&self, id: FieldId) -> Option<&Arc<DijkstraMap>> {
        self.published(id).map(|published| &published.map)
    }

    /// The directions of the latest map of a field, for movers of its class.
    pub fn flow(&self, id: FieldId) -> Option<&Arc<FlowField>> {
        self.published(id).map(|published| &published.flow)
    }

    /// The directions of a field, if they are those of movers of this class.
    pub(crate) fn flow_for(&self, id: FieldId, class: ClassId) -> Option<&FlowField> {
        self.published(id).filter(|published| published.class == class).map(|published| &*published.flow)
    }

    /// Whether a cell is a follower's place around somebody: it stays there, though the cell is no source.
    pub(crate) fn is_place_of(&self, follower: Entity, id: FieldId, cell: Cell) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.taken.get(&cell) == Some(&follower))
    }

    /// How many maps of a field were published.
    pub fn version(&self, id: FieldId) -> u64 {
        self.entries.get(&id).map_or(0, |entry| entry.version)
    }

    /// The value of a cell on a field, in terrain units.
    pub fn value_at(&self, id: FieldId, cell: Cell) -> Option<f64> {
        self.get(id)?.value(cell)
    }

    /// The direction in which a mover of the field's class goes on from a cell; `None` where it stays or takes a link.
    pub fn direction_at(&self, id: FieldId, cell: Cell) -> Option<Direction> {
        self.flow(id)?.direction(cell)
    }

    /// The way that a mover of the field's class takes from a cell, as far as it is known now.
    pub fn trace(&self, tilemap: &Tilemap, id: FieldId, cell: Cell) -> Option<Path> {
        let published = self.published(id)?;
        published.map.trace(tilemap.grid(published.class)?, cell)
    }

    /// Whether a cell is a source of a field's latest map, or of the one that is being computed.
    pub fn is_source(&self, id: FieldId, cell: Cell) -> bool {
        let begun = self.entries.get(&id).and_then(|entry| entry.begun.as_ref());
        begun.is_some_and(|begun| begun.sources().any(|source| source.cell == cell))
    }

    /// Whether a cell that a worker has claimed is no source any more, claimed or not.
    pub(crate) fn is_withdrawn(&self, id: FieldId, cell: Cell) -> bool {
        self.entries.get(&id).is_none_or(|entry| entry.withdrawn.contains(&cell))
    }

    /// Whether the latest map of a field is computed from its sources as they are, but for entities that have moved since.
    pub(crate) fn is_settled(&self, id: FieldId) -> bool {
        self.entries.get(&id).is_some_and(|entry| {
            let is_free = |begun: &Inputs| begun.sources().all(|source| entry.is_free(&source));
            entry.pending.is_none() && entry.begun.as_ref().is_some_and(is_free)
        })
    }

    /// Takes these cells out of the sources of a field, and no others: what is reserved for somebody calls nobody else.
    pub fn set_reserved(&mut self, id: FieldId, cells: BTreeSet<Cell>) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.reserved = cells;
        }
    }

    /// Takes the cells that workers have claimed out of the sources of each field.
    pub(crate) fn set_claims(&mut self, claims: &BTreeMap<FieldId, BTreeSet<Cell>>) {
        let are_known = |(id, entry): (&FieldId, &Entry)| match claims.get(id) {
            Some(claims) => entry.claimed == *claims,
            None => entry.claimed.is_empty(),
        };
        if !self.entries.iter().all(are_known) {
            for (id, entry) in &mut self.entries {
                entry.claimed = claims.get(id).cloned().unwrap_or_default();
            }
        }
    }

    /// Why the latest computation of a field failed, if it did.
    pub fn problem(&self, id: FieldId) -> Option<FieldProblem> {
        self.entries.get(&id)?.problem
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How much memory the latest maps and directions of all fields take.
    pub fn bytes(&self) -> usize {
        let published = self.entries.values().filter_map(|entry| entry.published.as_ref());
        published.map(|published| published.map.bytes() + published.flow.bytes()).sum()
    }

    /// What the fields have taken so far.
    pub fn stats(&self) -> FieldStats {
        self.stats
    }
}

impl Inputs {
    fn sources(&self) -> impl Iterator<Item = Source> {
        self.fixed.iter().chain(&self.moving).copied()
    }
}
