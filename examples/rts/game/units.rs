//! Who lives on the map.

use bevy::prelude::*;
use bevy_wayfield::wayfield::Cell;
use bevy_wayfield::{ClassId, FieldSource, Mover, Occupant, SimId, SourceGroup, Tilemap};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::maps::Places;
use super::orders::Orders;
use super::terrain::{FOOT, RAIDER};

/// How far from the middle of their cells units walk at most, in cells, so that they do not look like a chessboard.
const LEEWAY: f32 = 0.1;

/// A kind of unit.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// Goes where the player orders it, and drives raiders away.
    Soldier,
    /// Chases civilians and workers.
    Raider,
    /// Strolls about the village, and flees from raiders.
    Civilian,
    /// Brings ore home, and goes where the player orders it.
    Worker,
}

/// Those whom raiders chase.
pub const PREY: SourceGroup = SourceGroup(1);
/// Those whom civilians flee from.
pub const RAIDERS: SourceGroup = SourceGroup(2);

impl UnitKind {
    pub const ALL: [Self; 4] = [Self::Soldier, Self::Raider, Self::Civilian, Self::Worker];

    /// One of them, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soldier => "soldier",
            Self::Raider => "raider",
            Self::Civilian => "civilian",
            Self::Worker => "worker",
        }
    }

    /// How many there are at first.
    pub fn count(self) -> u64 {
        match self {
            Self::Soldier => 80,
            Self::Raider => 32,
            Self::Civilian => 60,
            Self::Worker => 48,
        }
    }

    /// Cells of cost 1 a second; plain ground costs 2.
    pub fn speed(self) -> f32 {
        match self {
            Self::Soldier => 7.0,
            Self::Raider => 6.5,
            Self::Civilian => 5.5,
            Self::Worker => 6.0,
        }
    }

    pub fn class(self) -> ClassId {
        if self == Self::Raider { RAIDER } else { FOOT }
    }

    /// Whether the player commands it.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Soldier | Self::Worker)
    }

    fn group(self) -> Option<SourceGroup> {
        match self {
            Self::Soldier => None,
            Self::Raider => Some(RAIDERS),
            Self::Civilian | Self::Worker => Some(PREY),
        }
    }

    /// Where it stands at first, and how far around.
    pub fn home(self, places: &Places) -> (Cell, u32) {
        match self {
            Self::Soldier => (places.barracks, 6),
            Self::Raider => (places.camp, 6),
            Self::Civilian => (places.village, 12),
            Self::Worker => (places.village, 5),
        }
    }
}

/// The one source of chance, so that a seed fixes everything.
#[derive(Resource)]
pub struct Dice(pub ChaCha8Rng);

/// Where things are.
#[derive(Resource)]
pub struct Town(pub Places);

/// The name of the unit that comes next, so that names are the same in every run.
#[derive(Resource, Default)]
pub struct Registry(u64);

/// What a scene remembers of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitState {
    pub kind: UnitKind,
    pub cell: Cell,
    /// Cells of cost 1 a second.
    pub speed: f32,
    /// Where in its cells it walks.
    pub offset: (f32, f32),
}

impl UnitState {
    /// A new unit in a cell; no two are quite alike.
    pub fn recruit(kind: UnitKind, cell: Cell, rng: &mut ChaCha8Rng) -> Self {
        let offset = (rng.random_range(-LEEWAY..LEEWAY), rng.random_range(-LEEWAY..LEEWAY));
        Self { kind, cell, speed: kind.speed() * rng.random_range(0.9..1.1), offset }
    }

    pub fn spawn(self, commands: &mut Commands, registry: &mut Registry, tilemap: &Tilemap) -> Entity {
        registry.0 += 1;
        let mut transform = Transform::default();
        place(tilemap, &mut transform, self.cell);
        let mover = Mover { speed: self.speed, class: self.kind.class(), offset: self.offset.into() };
        let mut unit = commands.spawn((self.kind, SimId(registry.0), transform, mover, Occupant::default()));
        if let Some(group) = self.kind.group() {
            unit.insert(FieldSource::new(group));
        }
        if self.kind.is_own() {
            unit.insert(Orders::default());
        }
        unit.id()
    }
}

/// Moves a unit to a cell at once.
pub fn place(tilemap: &Tilemap, transform: &mut Transform, cell: Cell) {
    transform.translation = tilemap.cell_to_world(cell).extend(transform.translation.z);
}
