//! Gathering: [`Gather`] sends a worker to the nearest free source of a field, back to a depot, and out again.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use wayfield::{Cell, CellRect};

use crate::field::FieldId;
use crate::fields::DijkstraMaps;
use crate::map::Tilemap;
use crate::occupant::Occupant;
use crate::request::{PathGoal, PathRequest, PathStatus, SimId};
use crate::steering::{FollowField, Mover};

/// How many workers look where their field leads, in a tick; the nearest ones first. The others go on along it meanwhile.
const CHOICES_PER_TICK: usize = 64;

/// A worker, which goes to and fro between the sources of two fields: ore and depots, for example.
///
/// It follows the field of the ore, and as soon as that is up to date it *claims* the source that it leads to, the nearest one by
/// way. From then on that source calls nobody else, and the worker goes there by a
/// [`PathRequest`]; so there is one worker at a source, and who comes too late goes to the next one. What cannot be reached has no value, so that
/// nobody goes there. [`Gathered`] and [`Deposited`] tell the game, which decides when a source is used up and takes it out of the
/// field. A claim ends when the worker leaves the source, is despawned, or fails to get there.
///
/// A worker that is an [`Occupant`] works from a cell beside the source, too, as somebody may stand on it.
///
/// Whose claim it is when several workers come for one source is decided by the way they have to it, then by their [`SimId`]. An order that
/// the game gives a worker comes first; it goes on gathering afterwards.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{ClassId, DijkstraMaps, Field, Gather, Mover, SimId};
/// use wayfield::Cell;
/// fn spawn_worker(mut commands: Commands, mut maps: ResMut<DijkstraMaps>) {
///     let ore = maps.define("ore", Field::seek(ClassId(0)).cells([Cell::new(9, 2), Cell::new(4, 7)]));
///     let depot = maps.define("depot", Field::seek(ClassId(0)).cells([Cell::new(0, 0)]));
///     let worker = (Transform::from_xyz(0.5, 7.5, 0.0), Mover::new(4.0), SimId(1));
///     commands.spawn((worker, Gather::new(ore, depot).digging(20).unloading(10)));
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
#[require(PathStatus)]
pub struct Gather {
    ore: FieldId,
    depot: FieldId,
    digging: u32,
    unloading: u32,
    stage: GatherStage,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
pub enum GatherStage {
    /// Looking for a free source.
    #[default]
    Seeking,
    /// On the way to the one that it has claimed.
    Going(Cell),
    /// At work on it, for so many more ticks.
    Digging(Cell, u32),
    /// On the way to a depot.
    Carrying,
    /// At work there, for so many more ticks.
    Unloading(u32),
}

impl Gather {
    /// A worker that goes to and fro between the sources of these fields, and stays nowhere.
    pub fn new(ore: FieldId, depot: FieldId) -> Self {
        Self { ore, depot, digging: 0, unloading: 0, stage: GatherStage::Seeking }
    }

    /// Stays this many ticks at a source.
    #[must_use]
    pub fn digging(mut self, ticks: u32) -> Self {
        self.digging = ticks;
        self
    }

    /// Stays this many ticks at a depot.
    #[must_use]
    pub fn unloading(mut self, ticks: u32) -> Self {
        self.unloading = ticks;
        self
    }

    /// What it is doing.
    pub fn stage(&self) -> GatherStage {
        self.stage
    }

    /// Lets it look for a source anew, with nothing in its hands.
    pub fn start_over(&mut self) {
        self.stage = GatherStage::Seeking;
    }

    /// The source that is its own for now.
    pub fn claim(&self) -> Option<Cell> {
        match self.stage {
            GatherStage::Going(cell) | GatherStage::Digging(cell, _) => Some(cell),
            GatherStage::Seeking | GatherStage::Carrying | GatherStage::Unloading(_) => None,
        }
    }
}

/// A worker has taken a load from a source.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gathered {
    /// The worker.
    pub entity: Entity,
    /// The field of the source.
    pub field: FieldId,
    /// The source.
    pub cell: Cell,
}

/// A worker has brought a load to a depot.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deposited {
    /// The worker.
    pub entity: Entity,
    /// The field of the depot.
    pub field: FieldId,
    /// The depot.
    pub cell: Cell,
}

/// A worker as [`gather`] sees it.
type Worker = (
    Entity,
    Option<&'static SimId>,
    &'static mut Gather,
    &'static Transform,
    Option<&'static Mover>,
    Option<&'static FollowField>,
    Option<&'static PathRequest>,
    &'static PathStatus,
    Option<&'static Occupant>,
);

/// Lets every worker do what is next.
pub(crate) fn gather(
    tilemap: Option<Res<Tilemap>>,
    mut maps: ResMut<DijkstraMaps>,
    mut workers: Query<Worker>,
    mut commands: Commands,
) {
    let Some(tilemap) = tilemap else { return };
    let mut workers: Vec<_> = workers.iter_mut().collect();
    workers.sort_unstable_by_key(|(entity, id, ..)| (id.copied(), *entity));
    let mut seekers: BTreeMap<FieldId, Vec<(f64, usize, Cell)>> = BTreeMap::new();
    for (index, (entity, _, gather, at, mover, follow, request, status, occupant)) in workers.iter_mut().enumerate() {
        let class = mover.map(|mover| mover.class).unwrap_or_default();
        let Some(here) = tilemap.world_to_unit(class, at.translation.truncate()) else { continue };
        let (follow, request, occupant) = (*follow, *request, *occupant);
        let turn = Turn { maps: &maps, here, follow, request, status, entity: *entity, occupant };
        let next = turn.stage_after(gather, &mut commands);
        if next != gather.stage {
            gather.stage = next;
        }
        turn.follow_stage(gather, &mut commands);
        let is_idle = request.is_none();
        if let (GatherStage::Seeking, true, Some(value)) = (next, is_idle, maps.value_at(gather.ore, here)) {
            seekers.entry(gather.ore).or_default().push((value, index, here));
        }
    }

    let mut claims: BTreeMap<FieldId, BTreeSet<Cell>> = BTreeMap::new();
    for (_, _, gather, ..) in &workers {
        claims.entry(gather.ore).or_default().extend(gather.claim());
    }
    for (&field, seekers) in &mut seekers {
        if !maps.is_settled(field) {
            continue;
        }
        let claims = claims.entry(field).or_default();
        seekers.sort_unstable_by(|(value, index, _), (other, other_index, _)| {
            value.total_cmp(other).then(index.cmp(other_index))
        });
        for &(_, index, here) in seekers.iter().take(CHOICES_PER_TICK) {
            let end = maps.trace(&tilemap, field, here).and_then(|way| way.end());
            let Some(cell) = end.filter(|cell| maps.is_source(field, *cell) && !claims.contains(cell)) else {
                continue;
            };
            claims.insert(cell);
            let (entity, _, gather, ..) = &mut workers[index];
            gather.stage = GatherStage::Going(cell);
            commands.entity(*entity).try_insert(PathRequest::to(cell)).try_remove::<FollowField>();
        }
    }
    maps.set_claims(&claims);
}

/// A worker in one tick.
struct Turn<'a> {
    maps: &'a DijkstraMaps,
    here: Cell,
    follow: Option<&'a FollowField>,
    request: Option<&'a PathRequest>,
    status: &'a PathStatus,
    entity: Entity,
    occupant: Option<&'a Occupant>,
}

impl Turn<'_> {
    /// What the worker does from now on.
    fn stage_after(&self, gather: &Gather, commands: &mut Commands) -> GatherStage {
        let (entity, here) = (self.entity, self.here);
        let is_on_its_way = |cell| self.request.is_some_and(|request| request.goal == PathGoal::Cell(cell));
        match gather.stage {
            // An order of the game's comes first.
            stage @ (GatherStage::Seeking | GatherStage::Carrying) if self.request.is_some() => stage,
            GatherStage::Going(cell) if is_on_its_way(cell) => {
                if matches!(self.status, PathStatus::Failed(_)) || self.maps.is_withdrawn(gather.ore, cell) {
                    commands.entity(entity).try_remove::<PathRequest>();
                    return GatherStage::Seeking;
                }
                gather.stage
            }
            stage @ GatherStage::Going(_) if self.request.is_some() => stage,
            GatherStage::Going(cell) if self.is_at(cell) => GatherStage::Digging(cell, gather.digging),
            GatherStage::Going(_) => GatherStage::Seeking,
            GatherStage::Digging(cell, 0) => {
                commands.trigger(Gathered { entity, field: gather.ore, cell });
                GatherStage::Carrying
            }
            GatherStage::Digging(cell, left) => GatherStage::Digging(cell, left - 1),
            GatherStage::Carrying if self.is_at_rest() && self.source_at_hand(gather.depot).is_some() => {
                GatherStage::Unloading(gather.unloading)
            }
            GatherStage::Unloading(0) => {
                let cell = self.source_at_hand(gather.depot).unwrap_or(here);
                commands.trigger(Deposited { entity, field: gather.depot, cell });
                GatherStage::Seeking
            }
            GatherStage::Unloading(left) => GatherStage::Unloading(left - 1),
            stage @ (GatherStage::Seeking | GatherStage::Carrying) => stage,
        }
    }

    /// Whether the worker stands on its spot of the cell.
    fn is_at_rest(&self) -> bool {
        match self.occupant {
            Some(occupant) => occupant.is_at_rest(),
            None => self.follow.is_some_and(FollowField::is_at_rest),
        }
    }

    /// Whether the worker can work on a cell from where it stands.
    fn is_at(&self, cell: Cell) -> bool {
        // Somebody else may stand there whom it cannot walk through.
        let reach = u32::from(self.occupant.is_some());
        self.here.chebyshev(cell) <= reach
    }

    /// The source of a field that the worker can work on from where it stands, its own cell before others.
    fn source_at_hand(&self, field: FieldId) -> Option<Cell> {
        let around = CellRect::around(self.here, 1).cells().filter(|&cell| self.is_at(cell));
        std::iter::once(self.here).chain(around).find(|&cell| self.maps.is_source(field, cell))
    }

    /// Lets the worker follow the field of its stage.
    fn follow_stage(&self, gather: &Gather, commands: &mut Commands) {
        let field = match gather.stage {
            GatherStage::Seeking => gather.ore,
            GatherStage::Carrying => gather.depot,
            GatherStage::Going(_) | GatherStage::Digging(..) | GatherStage::Unloading(_) => return,
        };
        if !self.follow.is_some_and(|follow| follow.fields().eq([field])) {
            commands.entity(self.entity).try_insert(FollowField::new(field));
        }
    }
}
