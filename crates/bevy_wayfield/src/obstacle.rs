//! What stands on the terrain and can go away again: [`Obstacle`].

pub(crate) mod save;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use wayfield::{Cell, CellRect, TerrainId, TerrainMap};

use crate::map::Tilemap;
use crate::request::{SimId, ensure_sim_id};

/// Terrain that an entity with a [`Transform`] brings along: a building, a gate, a parked vehicle.
///
/// It lies over the terrain of the [`Tilemap`] on `size` cells around the entity's position, like a unit of that size
/// ([`Tilemap::unit_to_world`]), whatever the rotation and scale; of an obstacle that reaches over the edge of the map only the
/// cells inside count. It is lifted when the entity is despawned or loses the component or its `Transform`, and is stamped
/// anew when it covers other cells or becomes another terrain. [`PathfindingSystems::Sync`] does so at the
/// beginning of every tick, and every frame while the game is paused; units on their way are concerned as by
/// [`Tilemap::edit`]. An obstacle that moves within its cells changes nothing.
///
/// Where several overlap, the one stamped last shows; what lies below ([`Tilemap::ground`]) shows once all have left. Those of one
/// tick, and all of them on a map that is inserted or replaced, are stamped in the order of their [`SimId`]; an obstacle
/// without one is given one, in the order in which obstacles and orders come.
///
/// A gate that lets only one team through is an obstacle of a terrain that only this team's movement class may enter. A unit
/// inside an obstacle that it may not enter is [trapped](crate::PathStatus::Trapped). A [`Mover`](crate::Mover) that is itself an
/// obstacle, and may not enter it, is parked: it stays where it is until it loses the component, whatever its orders.
///
/// [`PathfindingSystems::Sync`]: crate::PathfindingSystems::Sync
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{Obstacle, PathfindingPlugin, Tilemap};
/// use wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
/// let (wall, plain) = (TerrainId(0), TerrainId(1));
/// let foot = MovementClass::new("foot").with_cost(plain, 1)?;
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PathfindingPlugin::in_schedule(Update)));
/// app.insert_resource(Tilemap::new(TerrainMap::new(GridSize::new(8, 8)?, plain), vec![foot]));
/// // Between the cells (3, 4) and (4, 4), two rows and three columns large.
/// let house = app.world_mut().spawn((Obstacle::new(2, 3, wall), Transform::from_xyz(4.0, 3.5, 0.0))).id();
/// app.update();
/// let terrain = |app: &App| app.world().resource::<Tilemap>().terrain().terrain(Cell::new(3, 3));
/// assert_eq!(terrain(&app), Some(wall));
/// app.world_mut().despawn(house);
/// app.update();
/// assert_eq!(terrain(&app), Some(plain));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
#[component(on_add = on_obstacle_added)]
pub struct Obstacle {
    /// How many cells it covers from west to east, and from north to south. With a 0 it covers none.
    pub size: UVec2,
    /// The terrain that it shows there.
    pub terrain: TerrainId,
}

impl Obstacle {
    /// An obstacle of so many columns and rows.
    pub const fn new(width: u32, height: u32, terrain: TerrainId) -> Self {
        Self { size: UVec2::new(width, height), terrain }
    }

    /// The cells that it covers with its middle at a world position; `None` if that is no cell of the map.
    pub fn area(&self, tilemap: &Tilemap, position: Vec2) -> Option<CellRect> {
        if self.size.min_element() == 0 {
            return None;
        }
        // More than any map has.
        let last = self.size.min(UVec2::splat(i32::MAX as u32)).as_ivec2() - IVec2::ONE;
        let middle = last.as_vec2() / 2.0 * tilemap.cell_size();
        let min = tilemap.locate(position + Vec2::new(-middle.x, middle.y))?;
        let max = Cell::new(min.x.saturating_add(last.x), min.y.saturating_add(last.y));
        CellRect::new(min, max).intersection(tilemap.size().rect())
    }
}

fn on_obstacle_added(mut world: DeferredWorld, context: HookContext) {
    ensure_sim_id(&mut world, context.entity);
}

/// An obstacle that covers cells of the map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    id: Option<SimId>,
    entity: Entity,
    area: CellRect,
    terrain: TerrainId,
}

impl Standing {
    /// Whether these are the same obstacle, and it shows the same.
    fn is(&self, other: &Self) -> bool {
        (self.entity, self.area, self.terrain) == (other.entity, other.area, other.terrain)
    }
}

/// The obstacles on a map, and what lies below them.
#[derive(Clone, Default)]
pub(crate) struct Stamps {
    /// The obstacles in the order in which they were last found, each with the number of its stamp.
    standing: Vec<(Standing, u64)>,
    /// How many stamps there ever were.
    count: u64,
    /// The cells below obstacles.
    covered: BTreeMap<Cell, Covered>,
}

/// A cell below obstacles.
#[derive(Clone)]
struct Covered {
    ground: TerrainId,
    /// What covers it, by the number of the stamp: the one stamped last is the last, and shows. Never empty.
    layers: Vec<(u64, TerrainId)>,
}

impl Stamps {
    /// The terrain below the obstacles on a cell; `None` if there are none.
    pub fn ground(&self, cell: Cell) -> Option<TerrainId> {
        self.covered.get(&cell).map(|covered| covered.ground)
    }

    /// Changes the ground of a cell below obstacles; returns whether the cell is one.
    pub fn set_ground(&mut self, cell: Cell, terrain: TerrainId) -> bool {
        let covered = self.covered.get_mut(&cell);
        covered.map(|covered| covered.ground = terrain).is_some()
    }

    /// Lifts what does not stand any more and stamps what is new, on a map of this terrain; returns what the cells concerned
    /// show now.
    pub fn update(&mut self, standing: &[Standing], terrain: &TerrainMap) -> BTreeMap<Cell, TerrainId> {
        let mut shown = BTreeMap::new();
        // Usually all or nearly all of them stand where they stood: no need to look those up.
        let same = |(old, new): (&(Standing, u64), &Standing)| old.0.is(new);
        if self.standing.len() == standing.len() && self.standing.iter().zip(standing).all(same) {
            return shown;
        }
        let before = std::mem::take(&mut self.standing);
        let stays = |index: usize| before.get(index).zip(standing.get(index)).is_some_and(same);
        let moved = before.iter().enumerate().filter(|&(index, _)| !stays(index));
        let mut moved: BTreeMap<_, _> = moved.map(|(_, old)| ((old.0.entity, old.1), *old)).collect();
        let mut new = Vec::new();
        for (index, now) in standing.iter().enumerate() {
            let old = before.get(index).filter(|_| stays(index)).copied();
            let old = old.or_else(|| {
                let of_entity = moved.range((now.entity, 0)..=(now.entity, u64::MAX)).find(|(_, old)| old.0.is(now));
                let key = of_entity.map(|(key, _)| *key)?;
                moved.remove(&key)
            });
            if old.is_none() {
                new.push((now.id, now.entity, index));
            }
            self.standing.push((*now, old.map_or(0, |(_, number)| number)));
        }
        for (gone, number) in moved.values() {
            self.lift(gone.area, *number, &mut shown);
        }
        new.sort_unstable();
        for (.., index) in new {
            self.count += 1;
            if let Some((now, number)) = self.standing.get_mut(index) {
                *number = self.count;
                let now = *now;
                self.stamp(now, terrain, &mut shown);
            }
        }
        shown
    }

    fn lift(&mut self, area: CellRect, number: u64, shown: &mut BTreeMap<Cell, TerrainId>) {
        for cell in area.cells() {
            let Entry::Occupied(mut covered) = self.covered.entry(cell) else { continue };
            covered.get_mut().layers.retain(|&(other, _)| other != number);
            let shows = match covered.get().layers.last() {
                Some(&(_, terrain)) => terrain,
                None => covered.remove().ground,
            };
            shown.insert(cell, shows);
        }
    }

    /// Puts an obstacle, as the one stamped last, on top.
    fn stamp(&mut self, obstacle: Standing, terrain: &TerrainMap, shown: &mut BTreeMap<Cell, TerrainId>) {
        for cell in obstacle.area.cells() {
            // Where another one has just been lifted, the map does not show the ground yet.
            let Some(ground) = shown.get(&cell).copied().or_else(|| terrain.terrain(cell)) else { continue };
            let covered = self.covered.entry(cell).or_insert_with(|| Covered { ground, layers: Vec::new() });
            covered.layers.push((self.count, obstacle.terrain));
            shown.insert(cell, obstacle.terrain);
        }
    }
}

/// Brings the map up to date with the obstacles. Nothing is edited while they stand still.
pub(crate) fn stamp_obstacles(
    tilemap: Option<ResMut<Tilemap>>,
    obstacles: Query<(Entity, &Obstacle, &Transform, Option<&SimId>)>,
    mut standing: Local<Vec<Standing>>,
) {
    let Some(mut tilemap) = tilemap else { return };
    standing.clear();
    standing.extend(obstacles.iter().filter_map(|(entity, obstacle, at, id)| {
        let area = obstacle.area(&tilemap, at.translation.truncate())?;
        Some(Standing { id: id.copied(), entity, area, terrain: obstacle.terrain })
    }));
    // A look is no change.
    if tilemap.bypass_change_detection().show_obstacles(&standing) {
        tilemap.set_changed();
    }
}

/// Whether there are no ticks at the moment.
///
/// Between ticks obstacles are left alone: how many frames there are must not decide on the order of stamps.
pub(crate) fn is_paused(time: Option<Res<Time<Virtual>>>) -> bool {
    time.is_none_or(|time| time.effective_speed() == 0.0)
}
