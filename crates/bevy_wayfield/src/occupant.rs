//! Units that have their cells to themselves: [`Occupant`].

use bevy::prelude::*;

/// A [`Mover`](crate::Mover) that shares its cells with no other one of these: it keeps apart.
///
/// A unit holds the cells that it stands on, and those of the cell that it is about to enter from the moment in which it sets out for it.
/// It enters a cell that somebody else is leaving only as fast as that one leaves it, and not against it. So two units of
/// one cell are never nearer to each other than 0.7 cells, on any terrain, at any speed, under any corner rule.
///
/// Who finds the next cell of its way held
/// * by one that *moves*, waits: a crowd queues before a bridge, and runs round no map for it. It walks round one that is slower if
///   there is room beside it;
/// * by one that *stands*, walks round it, a few cells at most and without a search of the planner; where there is no room, the one that stands makes way, and whoever stands behind it,
///   unless it is [firm](Occupant::firm). Cells that others stand on are dear, not forbidden, to the way round;
/// * by one that wants *its own* cell, settles with that who backs off: whoever is nearer to a place beside the way of the other one, and of two that are as near the one with
///   the greater [`SimId`](crate::SimId), or whoever is in the way of the least.
///
/// Those who come towards each other keep to the right. A cell that falls free goes to whoever has waited longest for it.
///
/// Whose goal is taken ends its order on the free cell nearest to it by way, and is told that the goal is reached. So a group that is sent to one cell comes to
/// rest around it. One that cannot go on, because all of this has failed for 2.5 seconds, is [blocked](Occupant::is_blocked): it keeps
/// its order, stands, and goes on by itself once it can.
///
/// Nothing is planned for several units together: a knot of them at the junctions of one-wide corridors may go on making way for ever.
///
/// Units that come to share a cell, since a game put them there, spread to the free cells around. A wall that is painted over a unit moves it out, whoever stands there.
/// Movers that are no occupants walk through all others, and a unit on a [link](wayfield::Link) holds its beginning.
///
/// Who comes first is decided by the [`SimId`](crate::SimId) alone. The state is in the component: save it with the unit.
///
/// Time: O(n log n) a tick for n occupants; a look around for a way takes place at the beginning of a wait and then four times a second,
/// a look past others who come towards one at each step. The method is priority
/// inheritance (Okumura et al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", 2022) over
/// steps that take time, with a choice of who backs off for corridors.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{Mover, Occupant, PathRequest, PathfindingPlugin, Tilemap};
/// use wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
/// let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1)?;
/// let map = TerrainMap::new(GridSize::new(32, 32)?, TerrainId(0));
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PathfindingPlugin::in_schedule(Update)));
/// app.insert_resource(Tilemap::new(map, vec![foot]));
/// for x in 0..10 {
///     // All to one cell: ten of them come to rest on ten cells.
///     let at = Transform::from_xyz(x as f32 + 0.5, 0.5, 0.0);
///     app.world_mut().spawn((at, Mover::new(4.0), Occupant::default(), PathRequest::to(Cell::new(20, 20))));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub struct Occupant {
    /// Whether it stays where it stands, whoever wants to pass.
    #[serde(default)]
    pub is_firm: bool,
    /// The step that it is in the middle of: from where, and to where.
    #[serde(default)]
    pub(crate) step: Option<(IVec2, IVec2)>,
    /// The cell that it is to enter next; `None` if it is not on a way.
    #[serde(default)]
    pub(crate) wants: Option<IVec2>,
    /// For how many seconds it has not come on.
    #[serde(default)]
    pub(crate) waited: f32,
    #[serde(default)]
    pub(crate) is_blocked: bool,
}

impl Occupant {
    /// One that makes way for nobody: a guard, or somebody at work.
    pub fn firm() -> Self {
        Self { is_firm: true, ..Self::default() }
    }

    /// Whether it is not in the middle of a step.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.step.is_none()
    }

    /// For how many seconds it has been on a way without coming on.
    pub fn waited(&self) -> f32 {
        self.waited
    }

    /// Whether it is on a way and cannot go on, for others stand there who cannot go on either, or do not want to.
    pub fn is_blocked(&self) -> bool {
        self.is_blocked
    }
}
