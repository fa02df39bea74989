//! What is drawn of ways and goals, counted in the vertices that a renderer would be given.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::any::TypeId;

use bevy::gizmos::{GizmoHandles, GizmoPlugin};
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::{
    Executor, FollowPath, Mover, PathGizmos, PathGizmosPlugin, PathRequest, PathStatus, PathfindingPlugin,
    PathfindingSettings, Tilemap,
};
use wayfield::{Cell, CornerRule};

use crate::world::{foot, terrain};

/// A game that draws, with the gizmos' plugin added last.
fn app() -> App {
    let mut app = App::new();
    let rows = ["..........", "..........", "......###.", "......#.#.", "......###."];
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), PathfindingPlugin::in_schedule(Update), PathGizmosPlugin))
        .add_plugins((MeshPlugin, GizmoPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(PathfindingSettings { executor: Executor::Inline, ..default() })
        .insert_resource(Tilemap::new(terrain(&rows), vec![foot(CornerRule::BothFree)]));
    app.finish();
    app.cleanup();
    app
}

fn spawn(app: &mut App, cell: Cell, request: PathRequest) -> Entity {
    let at = app.world().resource::<Tilemap>().cell_to_world(cell).extend(0.0);
    app.world_mut().spawn((Transform::from_translation(at), Mover::new(1.0), request)).id()
}

/// The points of all ways, and the ends of the lines of all goals, each with its colour.
fn drawn(app: &App) -> [Vec<(Vec2, LinearRgba)>; 2] {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&TypeId::of::<PathGizmos>()) else { return default() };
    let gizmos = app.world().resource::<Assets<GizmoAsset>>().get(handle).unwrap().buffer().buffer();
    let points = |positions: &[Vec3], colors: &[LinearRgba]| {
        let all = positions.iter().map(|position| position.truncate()).zip(colors.iter().copied());
        // What is no number parts one way from the next.
        all.filter(|(position, _)| position.is_finite()).collect()
    };
    [points(gizmos.strip_positions, gizmos.strip_colors), points(gizmos.list_positions, gizmos.list_colors)]
}

#[test]
fn ways_and_goals_are_drawn_in_the_colour_of_their_order() {
    let mut app = app();
    let goes = spawn(&mut app, Cell::new(0, 0), PathRequest::to(Cell::new(5, 0)));
    app.update();
    let inside = Cell::new(7, 3);
    spawn(&mut app, Cell::new(0, 1), PathRequest::to(inside));
    spawn(&mut app, Cell::new(0, 2), PathRequest::to(inside).nearest());
    spawn(&mut app, Cell::new(0, 3), PathRequest::to(goes));
    app.world_mut().spawn((Transform::from_xyz(0.5, 0.5, 0.0), Mover::new(1.0)));
    app.update();
    app.update();
    let colors = PathGizmos::default();
    let [ways, goals] = drawn(&app);
    let world = app.world_mut();
    let mut units = world.query::<(&PathStatus, Option<&FollowPath>)>();
    let mut points = 0;
    for (status, way) in units.iter(world) {
        let color = match status {
            PathStatus::Ready => colors.ready,
            PathStatus::Partial(_) => colors.partial,
            PathStatus::Failed(_) => colors.failed,
            PathStatus::Idle => continue,
            other => panic!("{other:?}"),
        };
        points += way.map_or(0, |way| way.remaining().len() + 1);
        let own: Vec<_> = goals.iter().filter(|goal| goal.1 == color.to_linear()).collect();
        let units_of_color = if *status == PathStatus::Ready { 2 } else { 1 };
        assert_eq!(own.len(), 4 * units_of_color, "{status:?}: two lines a goal");
    }
    assert!(points > 15);
    assert_eq!(ways.len(), points, "each way from its unit to its end");
    assert_eq!(goals.len(), 4 * 4);
    let middle = app.world().resource::<Tilemap>().cell_to_world(inside);
    let about = goals.iter().filter(|goal| goal.0.distance(middle) < 0.31).count();
    assert_eq!(about, 2 * 4, "two units want to go inside");
}

#[test]
fn they_can_be_turned_off_and_need_no_more_than_is_there() {
    let mut app = app();
    spawn(&mut app, Cell::new(0, 0), PathRequest::to(Cell::new(5, 0)));
    app.update();
    app.update();
    assert!(drawn(&app).iter().all(|points| !points.is_empty()));
    app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<PathGizmos>().1.goal_size = 0.0;
    app.update();
    let [ways, goals] = drawn(&app);
    assert!(!ways.is_empty() && goals.is_empty());
    app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<PathGizmos>().0.enabled = false;
    app.update();
    assert_eq!(drawn(&app), [vec![], vec![]]);
    app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<PathGizmos>().0.enabled = true;
    app.world_mut().remove_resource::<Tilemap>();
    app.update();
    assert_eq!(drawn(&app), [vec![], vec![]]);

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindingPlugin::default(), PathGizmosPlugin));
    app.finish();
    app.cleanup();
    app.update();
}
