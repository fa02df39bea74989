//! A [`Tilemap`] as it is saved: all but what can be made from the rest.

use std::sync::Arc;

use bevy::prelude::*;
use wayfield::{Cell, CostGrid, MovementClass, TerrainMap};

use super::{MapChanges, Tilemap};
use crate::obstacle::save::SavedStamps;
use crate::request::SimId;
use crate::save::{RestoreError, SaveError, checked};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedMap {
    terrain: TerrainMap,
    stamps: SavedStamps,
    classes: Vec<SavedClass>,
    origin: Vec2,
    cell_size: f32,
    revision: u64,
    rebuilt_at: u64,
    replaced: bool,
    /// Whether the grids had caught up with all edits.
    is_synced: bool,
    /// What changed; `None` if anything may have.
    changes: Option<Vec<Cell>>,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct SavedClass {
    class: MovementClass,
    unit_size: u32,
    has_hierarchy: bool,
}

impl SavedMap {
    pub fn of(tilemap: &Tilemap, name: impl Fn(Entity) -> Result<Option<SimId>, SaveError>) -> Result<Self, SaveError> {
        let Tilemap { terrain, stamps, classes, grids, origin, cell_size, revision, rebuilt_at, replaced, .. } =
            tilemap;
        let classes = classes.iter().zip(grids).map(|(class, grid)| SavedClass {
            class: class.clone(),
            unit_size: grid.unit_size(),
            has_hierarchy: grid.hierarchy().is_some(),
        });
        Ok(Self {
            terrain: terrain.clone(),
            stamps: SavedStamps::of(stamps, name)?,
            classes: classes.collect(),
            origin: *origin,
            cell_size: *cell_size,
            revision: *revision,
            rebuilt_at: *rebuilt_at,
            replaced: *replaced,
            is_synced: !tilemap.needs_sync(),
            // The cells of a map that was replaced may not be on this one.
            changes: (!tilemap.changes.everything && !replaced).then(|| tilemap.changes.cells.clone()),
        })
    }

    pub fn restore(self, find: impl Fn(SimId) -> Result<Entity, RestoreError>) -> Result<Tilemap, RestoreError> {
        let size = self.terrain.size();
        if !(self.origin.is_finite() && self.cell_size.is_finite() && self.cell_size > 0.0) {
            return Err(RestoreError::Layout { origin: self.origin, cell_size: self.cell_size });
        }
        if let Some(&cell) = self.changes.iter().flatten().find(|&&cell| !size.contains(cell)) {
            return Err(RestoreError::Outside { what: "a change", cell, size });
        }
        let mut grids = Vec::with_capacity(self.classes.len());
        for SavedClass { class, unit_size, has_hierarchy } in &self.classes {
            let mut grid = CostGrid::for_units_as_rebuilt(&self.terrain, class, *unit_size)?;
            if *has_hierarchy {
                grid.build_hierarchy();
            }
            grids.push(Arc::new(grid));
        }
        Ok(Tilemap {
            stamps: self.stamps.restore(size, find)?,
            terrain: self.terrain,
            classes: self.classes.into_iter().map(|saved| saved.class).collect(),
            grids,
            origin: self.origin,
            cell_size: self.cell_size,
            revision: checked("revision of the map", self.revision)?,
            rebuilt_at: self.rebuilt_at,
            replaced: self.replaced,
            is_ahead: !self.is_synced && !self.replaced,
            changes: MapChanges {
                everything: self.changes.is_none() && !self.replaced,
                cells: self.changes.unwrap_or_default(),
            },
        })
    }
}
