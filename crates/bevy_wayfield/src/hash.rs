//! One number for the state of all units, for lockstep games and replays.

use bevy::prelude::*;

use crate::map::Tilemap;
use crate::request::{OrderState, PathRequest, PathStatus, SimId};
use crate::steering::Mover;

/// A rolling hash over all units with a [`SimId`], after every tick: over the hash before, and the id, cell, order, status,
/// and cost of the way of each, in the order of the ids, and the revision of the map.
///
/// Insert it to have it kept. Under [`Delivery::AfterTicks`](crate::Delivery::AfterTicks) two runs with the same input have the same hash in the same
/// tick, whatever the executor, the number of threads, and the layout of memory; where the hashes differ first, the runs do.
/// It is made of whole numbers only, and is the same on every machine; that the positions of units
/// are needs a game that steers in whole numbers, too.
///
/// Time: O(n log n) for n units.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{PathfindingHash, PathfindingPlugin};
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PathfindingPlugin::default())).init_resource::<PathfindingHash>();
/// app.update();
/// let _now = app.world().resource::<PathfindingHash>().value();
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Resource)]
pub struct PathfindingHash(u64);

/// The offset and the prime of the 64-bit FNV-1a hash (Fowler, Noll and Vo).
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Default for PathfindingHash {
    fn default() -> Self {
        Self(OFFSET)
    }
}

impl PathfindingHash {
    /// The number.
    pub fn value(self) -> u64 {
        self.0
    }

    fn take_in(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    }
}

/// A unit as the hash sees it.
type Unit = (
    &'static SimId,
    &'static PathStatus,
    &'static OrderState,
    Option<&'static Transform>,
    Option<&'static PathRequest>,
    Option<&'static Mover>,
    Option<&'static crate::FollowPath>,
);

/// Takes the tick in.
pub(crate) fn update_hash(mut hash: ResMut<PathfindingHash>, tilemap: Option<Res<Tilemap>>, units: Query<Unit>) {
    let mut sorted: Vec<_> = units.iter().collect();
    sorted.sort_unstable_by_key(|(id, ..)| **id);
    hash.take_in(&tilemap.as_ref().map_or(0, |tilemap| tilemap.revision()).to_le_bytes());
    for (id, status, state, at, request, mover, way) in sorted {
        let own = mover.map(|mover| mover.class).unwrap_or_default();
        let class = if request.is_some() { state.class } else { own };
        let cell = tilemap.as_ref().zip(at).and_then(|(map, at)| map.world_to_unit(class, at.translation.truncate()));
        let (x, y) = cell.map_or((-1, -1), |cell| (cell.x, cell.y));
        let (kind, reason) = match status {
            PathStatus::Idle => (0, None),
            PathStatus::Queued => (1, None),
            PathStatus::Searching => (2, None),
            PathStatus::Ready => (3, None),
            PathStatus::Partial(reason) => (4, Some(reason)),
            PathStatus::Failed(reason) => (5, Some(reason)),
            PathStatus::Trapped => (6, None),
            PathStatus::Arrived => (7, None),
        };
        let cost = way.map(|way| way.path.cost()).unwrap_or_default();
        let numbers =
            [id.0, x as u64, y as u64, u64::from(state.order), kind, cost.straight, cost.diagonal, cost.links];
        numbers.into_iter().for_each(|number| hash.take_in(&number.to_le_bytes()));
        hash.take_in(reason.map_or(&[][..], |reason| reason.name().as_bytes()));
    }
}
