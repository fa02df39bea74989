//! Paths and goals, drawn with Bevy's gizmos: [`PathGizmosPlugin`].

use bevy::gizmos::GizmoPlugin;
use bevy::prelude::*;

use crate::map::Tilemap;
use crate::request::{FollowPath, OrderState, PathGoal, PathRequest, PathStatus};

/// Draws the way of every unit that has an order, from where it is to its end, and its goal as a cross.
///
/// Bevy's `GizmoPlugin` has to be there, as it is among `DefaultPlugins`, and a renderer for gizmos (Bevy's feature
/// `bevy_gizmos_render`) to show them; without the former nothing is drawn. Lines, layers and whether they are drawn at all are
/// in Bevy's `GizmoConfigStore`, under [`PathGizmos`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_wayfield::{PathGizmos, PathGizmosPlugin, PathfindingPlugin};
/// fn toggle(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
///     if keys.just_pressed(KeyCode::KeyG) {
///         let (config, _) = store.config_mut::<PathGizmos>();
///         config.enabled = !config.enabled;
///     }
/// }
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, PathfindingPlugin::default(), PathGizmosPlugin)).add_systems(Update, toggle);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PathGizmosPlugin;

impl Plugin for PathGizmosPlugin {
    fn build(&self, _: &mut App) {}

    /// Here the order in which plugins were added does not matter any more.
    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<PathGizmos>().add_systems(PostUpdate, draw);
        }
    }
}

/// How ways and goals are drawn, by how their order stands.
#[derive(Clone, Debug, PartialEq, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct PathGizmos {
    /// Of orders that wait for an answer. The way, if there is one, is that of an earlier order.
    pub searching: Color,
    /// Of orders that lead to their goal.
    pub ready: Color,
    /// Of orders whose way ends short of the goal.
    pub partial: Color,
    /// Of orders without a way, and of units in a wall.
    pub failed: Color,
    /// From the middle of a goal's cross to its edge, in cells; 0 draws none.
    pub goal_size: f32,
}

impl Default for PathGizmos {
    fn default() -> Self {
        Self {
            searching: Color::srgb(0.95, 0.85, 0.3),
            ready: Color::srgb(0.35, 0.85, 0.45),
            partial: Color::srgb(0.95, 0.55, 0.2),
            failed: Color::srgb(0.9, 0.25, 0.25),
            goal_size: 0.3,
        }
    }
}

impl PathGizmos {
    /// The colour for a status; `None` where there is no order.
    fn color(&self, status: PathStatus) -> Option<Color> {
        match status {
            PathStatus::Idle | PathStatus::Arrived => None,
            PathStatus::Queued | PathStatus::Searching => Some(self.searching),
            PathStatus::Ready => Some(self.ready),
            PathStatus::Partial(_) => Some(self.partial),
            PathStatus::Failed(_) | PathStatus::Trapped => Some(self.failed),
        }
    }
}

fn draw(
    mut gizmos: Gizmos<PathGizmos>,
    tilemap: Option<Res<Tilemap>>,
    units: Query<(&PathRequest, &OrderState, &PathStatus, &Transform, Option<&FollowPath>)>,
) {
    let Some(tilemap) = tilemap.filter(|_| gizmos.config.enabled) else { return };
    let size = gizmos.config_ext.goal_size * tilemap.cell_size();
    for (request, state, status, at, way) in &units {
        let Some(color) = gizmos.config_ext.color(*status) else { continue };
        let middle = |cell| tilemap.unit_to_world(state.class, cell);
        if let Some(rest) = way.map(FollowPath::remaining).filter(|rest| !rest.is_empty()) {
            let ahead = rest.iter().map(|&cell| middle(cell));
            gizmos.linestrip_2d(std::iter::once(at.translation.truncate()).chain(ahead), color);
        }
        let goal = match request.goal {
            PathGoal::Cell(cell) => Some(middle(cell)),
            PathGoal::World(position) => Some(position),
            PathGoal::Entity(_) => state.chase.target,
        };
        if let Some(goal) = goal.filter(|goal| goal.is_finite() && size > 0.0) {
            gizmos.cross_2d(goal, size, color);
        }
    }
}
