//! Who lives on the map.

use bevy::prelude::*;
use bevy_wayfield::wayfield::Cell;
use bevy_wayfield::{ClassId, FieldSource, Mover, SimId, SourceGroup, Tilemap};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::terrain::{FOOT, Places, RAIDER};

/// A kind of unit.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// Goes where the player orders it, and drives raiders away.
    Soldier,
    /// Chases civilians and workers.
    Raider,
    /// Strolls about the village, and flees from raiders.
    Civilian,
    /// Brings ore home.
    Worker,
}

/// Those whom raiders chase.
pub const PREY: SourceGroup = SourceGroup(1);
/// Those whom civilians flee from.
pub const RAIDERS: SourceGroup = SourceGroup(2);

impl UnitKind {
    pub const ALL: [Self; 4] = [Self::Soldier, Self::Raider, Self::Civilian, Self::Worker];

    fn count(self) -> u64 {
        match self {
            Self::Soldier => 80,
            Self::Raider => 32,
            Self::Civilian => 60,
            Self::Worker => 48,
        }
    }

    /// Cells of cost 1 a second; plain ground costs 2.
    fn speed(self) -> f32 {
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

    fn group(self) -> Option<SourceGroup> {
        match self {
            Self::Soldier => None,
            Self::Raider => Some(RAIDERS),
            Self::Civilian | Self::Worker => Some(PREY),
        }
    }
}

/// The one source of chance, so that a seed fixes everything.
#[derive(Resource)]
pub struct Dice(pub ChaCha8Rng);

/// Where things are.
#[derive(Resource)]
pub struct Town(pub Places);

/// Moves a unit to a cell at once.
pub fn place(tilemap: &Tilemap, transform: &mut Transform, cell: Cell) {
    transform.translation = tilemap.cell_to_world(cell).extend(transform.translation.z);
}

pub fn spawn(mut commands: Commands, tilemap: Res<Tilemap>, town: Res<Town>, mut dice: ResMut<Dice>) {
    let rng = &mut dice.0;
    let mut id = 0;
    for kind in UnitKind::ALL {
        let (centre, radius) = match kind {
            UnitKind::Soldier => (town.0.barracks, 6),
            UnitKind::Raider => (town.0.camp, 6),
            UnitKind::Civilian => (town.0.village, 12),
            UnitKind::Worker => (town.0.village, 5),
        };
        for _ in 0..kind.count() {
            id += 1;
            let cell = town.0.random_near(centre, radius, rng);
            let offset = Vec2::new(rng.random_range(-0.3..0.3), rng.random_range(-0.3..0.3));
            let speed = kind.speed() * rng.random_range(0.9..1.1);
            let mut transform = Transform::default();
            place(&tilemap, &mut transform, cell);
            let mut unit = commands.spawn((kind, SimId(id), transform, Mover { speed, class: kind.class(), offset }));
            if let Some(group) = kind.group() {
                unit.insert(FieldSource::new(group));
            }
        }
    }
}
