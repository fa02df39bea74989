//! A patrol over waypoints: roads between posts on a map, one of which is closed while the patrol is under way.
//!
//! `cargo run -p bevy_wayfield --example waypoints`

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::wayfield::{Cell, NodeId, parse_map};
use bevy_wayfield::{
    Mover, PathRequest, PathfindingPlugin, RouteEnded, RouteFound, Tilemap, WaypointGraph, WaypointRequest,
    WaypointRoute,
};

/// Two yards, a bridge between them, and a ford in the south.
const MAP: &[u8] = b"\
..........~~~~..........
..........~~~~..........
........................
..........~~~~..........
..........~~~~..........
..........~~~~..........
..........~~~~..........
...........9............
..........~~~~..........
";

/// The posts: two in the yards, two at the ends of the bridge, two at the ends of the ford.
const POSTS: [Cell; 6] =
    [Cell::new(3, 4), Cell::new(20, 4), Cell::new(9, 2), Cell::new(14, 2), Cell::new(9, 7), Cell::new(14, 7)];
const ROADS: [(NodeId, NodeId, f64); 6] =
    [(0, 2, 7.0), (2, 3, 5.0), (3, 1, 7.0), (0, 4, 7.5), (4, 5, 20.0), (5, 1, 7.5)];
const GOAL: Cell = Cell::new(22, 0);

fn main() -> Result {
    let map = parse_map(MAP)?;
    let foot = map.default_class();
    let tilemap = Tilemap::new(map.terrain, vec![foot]);
    let start = tilemap.cell_to_world(Cell::new(1, 8)).extend(0.0);

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindingPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(tilemap)
        .insert_resource(WaypointGraph::new(POSTS, ROADS)?)
        .add_observer(|found: On<RouteFound>, routes: Query<&WaypointRoute>| {
            let waypoints = routes.get(found.entity).map(|route| route.waypoints.as_slice()).unwrap_or_default();
            println!("the way leads over {waypoints:?} and costs {}", found.cost);
        })
        .add_observer(|_: On<RouteEnded>, mut exit: MessageWriter<AppExit>| {
            println!("the patrol is there");
            exit.write(AppExit::Success);
        });
    let order = WaypointRequest::new(PathRequest::to(GOAL));
    let patrol = app.world_mut().spawn((Transform::from_translation(start), Mover::new(6.0), order)).id();

    for tick in 0..2_000 {
        app.update();
        if tick == 60 {
            println!("the bridge is closed");
            let mut waypoints = app.world_mut().resource_mut::<WaypointGraph>();
            let both_ways = [(2, 3), (3, 2)].map(|(from, to)| waypoints.graph().edge_between(from, to));
            waypoints.update(both_ways.into_iter().flatten().map(|road| (road, None)))?;
        }
        if app.should_exit().is_some() {
            return Ok(());
        }
    }
    let at = app.world().get::<Transform>(patrol).map(|transform| transform.translation);
    Err(format!("the patrol never arrived: it is at {at:?}").into())
}
