//! The obstacles on a map as they are saved. What is stamped where follows from the order of the stamps.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use wayfield::{Cell, CellRect, GridSize, TerrainId};

use super::{Covered, Stamps, Standing};
use crate::batch::nobody;
use crate::request::SimId;
use crate::save::{RestoreError, SaveError, checked};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedStamps {
    standing: Vec<SavedStamp>,
    count: u64,
    ground: Vec<(Cell, TerrainId)>,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedStamp {
    /// `None` if the obstacle is gone, and has only not been lifted yet.
    id: Option<SimId>,
    area: CellRect,
    terrain: TerrainId,
    number: u64,
}

impl SavedStamps {
    pub fn of(stamps: &Stamps, name: impl Fn(Entity) -> Result<Option<SimId>, SaveError>) -> Result<Self, SaveError> {
        let save = |&(Standing { entity, area, terrain, .. }, number): &_| {
            Ok(SavedStamp { id: name(entity)?, area, terrain, number })
        };
        Ok(Self {
            standing: stamps.standing.iter().map(save).collect::<Result<_, _>>()?,
            count: stamps.count,
            ground: stamps.covered.iter().map(|(&cell, covered)| (cell, covered.ground)).collect(),
        })
    }

    /// The obstacles on a map of this size.
    pub fn restore(
        self,
        size: GridSize,
        find: impl Fn(SimId) -> Result<Entity, RestoreError>,
    ) -> Result<Stamps, RestoreError> {
        let count = checked("number of stamps", self.count)?;
        let mut covered = BTreeMap::new();
        for (cell, ground) in self.ground {
            covered.insert(cell, Covered { ground, layers: Vec::new() });
        }
        let mut stamps: Vec<_> = self.standing.iter().collect();
        stamps.sort_unstable_by_key(|stamp| stamp.number);
        let mut numbers = BTreeSet::new();
        for &&SavedStamp { area, terrain, number, .. } in &stamps {
            if number > count || !numbers.insert(number) {
                return Err(RestoreError::Number { what: "number of a stamp", number });
            }
            for cell in [area.min, area.max] {
                if !size.contains(cell) {
                    return Err(RestoreError::Outside { what: "an obstacle", cell, size });
                }
            }
            for cell in area.cells() {
                let below = covered.get_mut(&cell).ok_or(RestoreError::NoGround(cell))?;
                below.layers.push((number, terrain));
            }
        }
        if let Some((&cell, _)) = covered.iter().find(|(_, covered)| covered.layers.is_empty()) {
            return Err(RestoreError::NotCovered(cell));
        }
        let restore = |SavedStamp { id, area, terrain, number }| {
            let entity = id.map_or(Ok(nobody()), &find)?;
            Ok((Standing { id, entity, area, terrain }, number))
        };
        let standing = self.standing.into_iter().map(restore).collect::<Result<_, RestoreError>>()?;
        Ok(Stamps { standing, count, covered })
    }
}
