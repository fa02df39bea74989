//! Fields in a tick: maps that are there or due are published, and those whose sources or terrain changed are begun.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use bevy::prelude::*;
use wayfield::{Cell, CellRect, CostGrid, DijkstraMap, Dirty, FieldError, FleeRule, FlowField, Repair, Source};

use super::{Computed, DijkstraMaps, Entry, Inputs, Pending, Published};
use crate::field::{Field, FieldId, FieldLost, FieldProblem, FieldReady, FieldSource, Rule, SourceGroup};
use crate::map::{ClassId, Tilemap};
use crate::planner::Planner;
use crate::request::SimId;
use crate::settings::{Delivery, PathfindingSettings};
use crate::steering::{FollowField, Mover};

/// How far from a source that a unit cannot stand on it looks for where it can.
const BESIDE: u32 = 8;

/// How far from an entity units stand that surround it.
const SURROUND: u32 = 16;

/// Who follows a field, and where it is.
type Follower = (Entity, Option<&'static SimId>, &'static FollowField, &'static Transform, Option<&'static Mover>);

/// Where followers stand, and of those on one cell the first one by name.
type Stands = BTreeMap<Cell, (Option<SimId>, Entity)>;

/// Publishes the maps that are there, or due, and begins those whose sources or terrain changed.
pub(crate) fn update_fields(
    tilemap: Option<Res<Tilemap>>,
    settings: Res<PathfindingSettings>,
    planner: Res<Planner>,
    mut maps: ResMut<DijkstraMaps>,
    sources: Query<(&FieldSource, &Transform)>,
    followers: Query<Follower>,
    mut commands: Commands,
) {
    let Some(tilemap) = tilemap else { return };
    let tick = planner.tick();
    if maps.entries.is_empty() && maps.lost.is_empty() {
        maps.bypass_change_detection().tick = tick;
        return;
    }
    let maps = &mut *maps;
    maps.tick = tick;
    maps.lost.drain(..).for_each(|field| commands.trigger(FieldLost { field }));
    maps.note_use(&followers);
    maps.publish(&mut commands);
    let stands = maps.stands(&tilemap, &followers);
    maps.begin(&tilemap, &settings, &sources, &stands);
}

impl DijkstraMaps {
    /// Notes which fields for single goals are followed.
    fn note_use(&mut self, followers: &Query<Follower>) {
        if self.entries.values().all(|entry| entry.used.is_none()) {
            return;
        }
        for field in followers.iter().flat_map(|(_, _, follow, ..)| follow.fields()) {
            if let Some(used) = self.entries.get_mut(&field).and_then(|entry| entry.used.as_mut()) {
                *used = self.tick;
            }
        }
    }

    /// The cells on which the followers stand of fields that surround somebody.
    fn stands(&self, tilemap: &Tilemap, followers: &Query<Follower>) -> BTreeMap<FieldId, Stands> {
        let surround = self.entries.iter().filter(|(_, entry)| entry.field.surround);
        let mut stands: BTreeMap<_, Stands> = surround.map(|(&id, _)| (id, Stands::new())).collect();
        if !stands.is_empty() {
            for (entity, id, follow, at, mover) in followers {
                let class = mover.map(|mover| mover.class).unwrap_or_default();
                for field in follow.fields().filter(|_| follow.is_at_rest()) {
                    let cell = || tilemap.world_to_unit(class, at.translation.truncate());
                    if let Some((stands, cell)) = stands.get_mut(&field).and_then(|stands| Some((stands, cell()?))) {
                        let name = (id.copied(), entity);
                        let first = stands.entry(cell).or_insert(name);
                        *first = name.min(*first);
                    }
                }
            }
        }
        stands
    }

    fn publish(&mut self, commands: &mut Commands) {
        for (&field, entry) in &mut self.entries {
            let Some(Pending { job, due, class, revision, has_sources }) = entry.pending.take() else { continue };
            let result = match due {
                Some(due) if self.tick >= due => Ok(job.wait()),
                Some(_) => Err(job),
                None => job.poll(),
            };
            match result {
                Ok(Ok((map, flow, repair))) => {
                    *if repair.is_rebuilt { &mut self.stats.rebuilds } else { &mut self.stats.repairs } += 1;
                    self.stats.cells += repair.cells as u64;
                    entry.published = Some(Published { map, flow, class, revision });
                    entry.version += 1;
                    entry.problem = None;
                    match (std::mem::replace(&mut entry.is_ready, has_sources), has_sources) {
                        (false, true) => commands.trigger(FieldReady { field }),
                        (true, false) => commands.trigger(FieldLost { field }),
                        _ => {}
                    }
                }
                Ok(Err(error)) => entry.problem = Some(error.into()),
                Err(job) => entry.pending = Some(Pending { job, due, class, revision, has_sources }),
            }
        }
    }

    fn begin(
        &mut self,
        tilemap: &Tilemap,
        settings: &PathfindingSettings,
        sources: &Query<(&FieldSource, &Transform)>,
        stands: &BTreeMap<FieldId, Stands>,
    ) {
        // A source outside the map, or without a usable value, is no source.
        let sources = sources.iter().filter(|(source, _)| source.value.is_finite());
        let sources = sources.map(|(source, at)| (source.group, at.translation.truncate(), source.value));
        let sources: Vec<_> = sources.filter(|&(_, at, _)| tilemap.world_to_cell(at).is_some()).collect();
        let ids: Vec<_> = self.entries.keys().copied().collect();
        for id in ids {
            if let Some(stands) = stands.get(&id) {
                self.take_places(id, tilemap, &sources, stands);
            }
            self.withdraw(id, tilemap, &sources);
            let Some(entry) = self.entries.get(&id) else { continue };
            let is_rested = entry.begun.is_none() || self.tick >= entry.begun_at.saturating_add(entry.field.interval);
            if entry.pending.is_some() || !is_rested {
                continue;
            }
            let checked = self.check(id, tilemap);
            if let Some(entry) = self.entries.get_mut(&id) {
                // What cannot be computed stays so until it is; all else is known at once.
                let cannot_compute = entry.problem.filter(|problem| matches!(problem, FieldProblem::Compute(_)));
                entry.problem = checked.err().or(cannot_compute);
            }
            // Or a part of a sum has no map yet.
            let (Ok(Some(class)), Some(entry)) = (checked, self.entries.get(&id)) else { continue };
            let Some(inputs) = self.inputs(entry, class, tilemap, &sources) else { continue };
            let Some(computation) = self.computation(entry, class, &inputs, tilemap) else { continue };
            let due = match settings.delivery {
                Delivery::AsReady => None,
                Delivery::AfterTicks(ticks) => Some(self.tick + u64::from(ticks)),
            };
            let has_sources = matches!(entry.field.rule, Rule::Sum { .. }) || inputs.sources().next().is_some();
            let revision = inputs.revision;
            let job = settings.executor.start(move || computation.run());
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.begun = Some(inputs);
                entry.begun_at = self.tick;
                entry.pending = Some(Pending { job, due, class, revision, has_sources });
            }
        }
    }

    /// Finds out who has come near enough to those that a field surrounds to stay.
    fn take_places(&mut self, id: FieldId, tilemap: &Tilemap, entities: &[Standing], stands: &Stands) {
        let Ok(Some(class)) = self.check(id, tilemap) else { return };
        let (Some(grid), Some(entry)) = (tilemap.grid(class), self.entries.get_mut(&id)) else { return };
        let of_groups = entities.iter().filter(|(group, ..)| entry.field.groups.contains(group));
        let cells = of_groups.filter_map(|&(_, at, value)| Some(Source { cell: tilemap.world_to_cell(at)?, value }));
        let is_taken = |cell: &Cell| stands.contains_key(cell);
        let taken = cells.flat_map(|source| places(grid, source, is_taken).1);
        entry.taken = taken.filter_map(|cell| Some((cell, stands.get(&cell)?.1))).collect();
    }

    /// The class that a field is for; `None` if that is not known yet.
    fn check(&self, id: FieldId, tilemap: &Tilemap) -> Result<Option<ClassId>, FieldProblem> {
        let class_of = |class| match tilemap.grid(class) {
            Some(_) => Ok(class),
            None => Err(FieldProblem::UnknownClass(class)),
        };
        let entry = self.entries.get(&id).ok_or(FieldProblem::UnknownField(id))?;
        match &entry.field.rule {
            Rule::Seek { class } => class_of(*class).map(Some),
            Rule::Flee { class, threats, .. } | Rule::Kite { class, threats, .. } => {
                class_of(*threats)?;
                class_of(*class).map(Some)
            }
            Rule::Sum { terms } => {
                self.look_for_cycle(id, terms)?;
                if let Some(&(missing, _)) = terms.iter().find(|(term, _)| !self.entries.contains_key(term)) {
                    return Err(FieldProblem::UnknownField(missing));
                }
                // Of nothing at all it says so itself, whoever it is for.
                let Some((first, _)) = terms.first() else { return Ok(Some(ClassId::default())) };
                Ok(self.published(*first).map(|published| published.class))
            }
        }
    }

    /// Fails if a sum has itself among what it is made of.
    fn look_for_cycle(&self, id: FieldId, terms: &[(FieldId, f64)]) -> Result<(), FieldProblem> {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<_> = terms.iter().map(|&(term, _)| term).collect();
        while let Some(term) = pending.pop() {
            if term == id {
                return Err(FieldProblem::Cycle(id));
            }
            if let Some(Rule::Sum { terms }) = self.entries.get(&term).map(|entry| &entry.field.rule)
                && seen.insert(term)
            {
                pending.extend(terms.iter().map(|&(term, _)| term));
            }
        }
        Ok(())
    }

    /// What a field is to be computed from; `None` if that is what it was begun with, or something is missing.
    fn inputs(&self, entry: &Entry, class: ClassId, tilemap: &Tilemap, entities: &[Standing]) -> Option<Inputs> {
        let is_free = |source: &Source| entry.is_free(source);
        let (fixed, moving) = sources_of(entry, class, tilemap, entities);
        let fixed = in_order(fixed.into_iter().filter(is_free).collect());
        let moving = in_order(moving.into_iter().filter(is_free).collect());
        let versions = match &entry.field.rule {
            Rule::Sum { terms } => {
                terms.iter().map(|&(id, _)| self.get(id).map(|_| self.version(id))).collect::<Option<_>>()?
            }
            Rule::Seek { .. } | Rule::Flee { .. } | Rule::Kite { .. } => Vec::new(),
        };
        let inputs = Inputs { revision: tilemap.revision(), fixed, moving, versions };
        let is_known = entry.begun.as_ref().is_some_and(|begun| begun.are(&inputs, entry.field.hysteresis));
        (!is_known).then_some(inputs)
    }

    /// Finds out which of the cells that workers have claimed are no sources any more.
    fn withdraw(&mut self, id: FieldId, tilemap: &Tilemap, entities: &[Standing]) {
        let checked = self.check(id, tilemap);
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.withdrawn.clear();
        if let (Ok(Some(class)), false) = (checked, entry.claimed.is_empty()) {
            let (fixed, moving) = sources_of(entry, class, tilemap, entities);
            let cells: BTreeSet<_> = fixed.iter().chain(&moving).map(|source| source.cell).collect();
            entry.withdrawn = &entry.claimed - &cells;
        }
    }

    /// The computation of a field for a class; `None` if a class or a field of it does not exist.
    fn computation(&self, entry: &Entry, class: ClassId, inputs: &Inputs, tilemap: &Tilemap) -> Option<Computation> {
        let grid = tilemap.grid(class)?.clone();
        let sources = || inputs.sources().collect();
        let threats =
            |class| Some((tilemap.grid(class)?.clone(), inputs.sources().map(|source| source.cell).collect()));
        let rule = match &entry.field.rule {
            Rule::Seek { .. } => match &entry.published {
                Some(published) => {
                    let Published { map, flow, revision, .. } = published;
                    let edited = match tilemap.changed_since(*revision, map.revision()) {
                        Dirty::Nothing => Vec::new(),
                        Dirty::Within(_) => tilemap.terrain().areas_since(map.revision()),
                        Dirty::Everything => vec![tilemap.size().rect()],
                    };
                    Computing::Repair { map: map.clone(), flow: flow.clone(), edited, sources: sources() }
                }
                None => Computing::Seek { sources: sources(), limit: entry.field.limit },
            },
            &Rule::Flee { threats: of, rule, .. } => {
                let (threats, cells) = threats(of)?;
                Computing::Flee { threats, cells, rule }
            }
            Rule::Kite { threats: of, ring, .. } => {
                let (threats, cells) = threats(*of)?;
                Computing::Kite { threats, cells, ring: ring.clone() }
            }
            Rule::Sum { terms } => {
                let maps = terms.iter().map(|&(id, weight)| Some((self.get(id)?.clone(), weight)));
                Computing::Sum { terms: maps.collect::<Option<_>>()? }
            }
        };
        Some(Computation { grid, rule })
    }
}

/// An entity with a [`FieldSource`]: its group, where it is, and its value.
type Standing = (SourceGroup, Vec2, f64);

/// The sources of a field, reserved ones and all: the cells of its definition, and those of entities.
fn sources_of(entry: &Entry, class: ClassId, tilemap: &Tilemap, entities: &[Standing]) -> (Vec<Source>, Vec<Source>) {
    let Field { rule, cells, groups, surround, .. } = &entry.field;
    let threats = match rule {
        Rule::Flee { threats, .. } | Rule::Kite { threats, .. } => Some(*threats),
        Rule::Seek { .. } | Rule::Sum { .. } => None,
    };
    let of_groups = entities.iter().filter(|(group, ..)| groups.contains(group));
    let moving = of_groups.flat_map(|&(_, at, value)| {
        // A threat is where it stands as what it is; a target is come to as near as the seeker can.
        let place = match threats {
            Some(threats) => tilemap.world_to_unit(threats, at),
            None => tilemap.world_to_cell(at),
        };
        let Some(cell) = place else { return Vec::new() };
        let source = Source { cell, value };
        match tilemap.grid(class).filter(|_| threats.is_none()) {
            Some(grid) if *surround => places(grid, source, |cell| entry.taken.contains_key(cell)).0,
            Some(grid) => beside(grid, source),
            None => vec![source],
        }
    });
    (cells.clone(), moving.collect())
}

/// Sources by cell, each cell once, with the least of its values.
fn in_order(mut sources: Vec<Source>) -> Vec<Source> {
    sources.sort_by(|a, b| a.cell.cmp(&b.cell).then(a.value.total_cmp(&b.value)));
    sources.dedup_by_key(|source| source.cell);
    sources
}

impl Inputs {
    /// Whether the others differ by no more than entities that have moved by up to `hysteresis` cells.
    fn are(&self, others: &Self, hysteresis: u32) -> bool {
        // A value that is no number is the same as itself here: its error is told once.
        let is = |one: &Source, other: &Source| one.value.to_bits() == other.value.to_bits();
        let are_equal = |ours: &[Source], theirs: &[Source]| {
            let mut pairs = ours.iter().zip(theirs);
            ours.len() == theirs.len() && pairs.all(|(one, other)| one.cell == other.cell && is(one, other))
        };
        let have_stayed = |ours: &[Source], theirs: &[Source]| {
            let near = |one: &Source, other: &Source| one.cell.chebyshev(other.cell) <= hysteresis && is(one, other);
            ours.iter().all(|one| theirs.iter().any(|other| near(one, other)))
        };
        let is_same_map = self.revision == others.revision && self.versions == others.versions;
        let (ours, theirs) = (&self.moving, &others.moving);
        is_same_map
            && are_equal(&self.fixed, &others.fixed)
            && (are_equal(ours, theirs) || hysteresis > 0 && have_stayed(ours, theirs) && have_stayed(theirs, ours))
    }
}

/// A field to compute: plain data and snapshots.
struct Computation {
    /// How those move who follow it.
    grid: Arc<CostGrid>,
    rule: Computing,
}

enum Computing {
    Seek { sources: Vec<Source>, limit: Option<f64> },
    Repair { map: Arc<DijkstraMap>, flow: Arc<FlowField>, edited: Vec<CellRect>, sources: Vec<Source> },
    Flee { threats: Arc<CostGrid>, cells: Vec<Cell>, rule: FleeRule },
    Kite { threats: Arc<CostGrid>, cells: Vec<Cell>, ring: RangeInclusive<f64> },
    Sum { terms: Vec<(Arc<DijkstraMap>, f64)> },
}

impl Computation {
    fn run(self) -> Computed {
        let grid = &*self.grid;
        let map = match self.rule {
            Computing::Repair { mut map, mut flow, edited, sources } => {
                let repair = Arc::make_mut(&mut map).repair(grid, edited, sources)?;
                Arc::make_mut(&mut flow).refresh(&map, grid, &repair);
                return Ok((map, flow, repair));
            }
            Computing::Seek { sources, limit: None } => DijkstraMap::toward(grid, sources),
            Computing::Seek { sources, limit: Some(limit) } => DijkstraMap::toward_within(grid, sources, limit),
            Computing::Flee { threats, cells, rule } => DijkstraMap::flee(&threats, grid, cells, rule),
            Computing::Kite { threats, cells, ring } => DijkstraMap::kite(&threats, grid, cells, ring),
            Computing::Sum { terms } => Self::sum(grid, &terms),
        }?;
        let flow = FlowField::new(&map, grid);
        let areas = vec![map.size().rect()];
        let repair = Repair { areas, cells: map.size().cells(), is_rebuilt: true };
        Ok((Arc::new(map), Arc::new(flow), repair))
    }

    fn sum(grid: &CostGrid, terms: &[(Arc<DijkstraMap>, f64)]) -> Result<DijkstraMap, FieldError> {
        let terms: Vec<_> = terms.iter().map(|(map, weight)| (map.as_ref(), *weight)).collect();
        let mut sum = DijkstraMap::weighted_sum(&terms)?;
        sum.drain_flats(grid);
        Ok(sum)
    }
}

/// Where units go that are led to an entity: there, or if they cannot stand there, to the cells around it where they can,
/// all those of the nearest square. A house is come to from all sides, and larger units come as near as they can.
fn beside(grid: &CostGrid, source: Source) -> Vec<Source> {
    let squares = (0..=BESIDE).map(|radius| square(grid, source, radius));
    squares.into_iter().find(|square| !square.is_empty()).unwrap_or_default()
}

/// Where units go that surround an entity: to the cells of the nearest square around it that are not taken; and which of those
/// up to there are.
fn places(grid: &CostGrid, source: Source, is_taken: impl Fn(&Cell) -> bool) -> (Vec<Source>, Vec<Cell>) {
    let mut theirs = Vec::new();
    for radius in 1..=SURROUND {
        let square = square(grid, source, radius);
        let (taken, free): (Vec<_>, Vec<_>) = square.into_iter().partition(|place| is_taken(&place.cell));
        theirs.extend(taken.iter().map(|place| place.cell));
        if !free.is_empty() {
            return (free, theirs);
        }
    }
    (Vec::new(), theirs)
}

/// The cells where units can stand of a square around an entity; that of radius 0 is its own cell.
fn square(grid: &CostGrid, source: Source, radius: u32) -> Vec<Source> {
    let square = CellRect::around(source.cell, radius as i32).cells();
    let edge = square.filter(|cell| cell.chebyshev(source.cell) == radius && grid.is_passable(*cell));
    edge.map(|cell| Source { cell, ..source }).collect()
}
