//! Orders over waypoints.

use bevy::prelude::*;
use bevy_wayfield::wayfield::graph::GraphAlgorithm;
use bevy_wayfield::wayfield::{Cell, CornerRule, Reason};
use bevy_wayfield::{
    PathRequest, RouteEnded, RouteFailed, RouteFound, Tilemap, WaypointGraph, WaypointRequest, WaypointRoute,
};

use crate::world::{Game, PLAIN, WALL};

/// What was said of routes, in order.
#[derive(Resource, Default, Debug, PartialEq)]
struct Heard(Vec<&'static str>);

/// Three rooms side by side, with a door in each wall, and waypoints in the doors and by a longer way round below.
///
/// ```text
/// . . . # . . . # . . .
/// . . . 0 . . . 1 . . .
/// . . . # . . . # . . .
/// 2 . . . . . . . . . 3
/// ```
fn rooms() -> (Game, Entity) {
    let mut game =
        Game::drawn(&["...#...#...", "...........", "...#...#...", "...#...#...", "..........."], CornerRule::BothFree);
    let cells = [Cell::new(3, 1), Cell::new(7, 1), Cell::new(3, 4), Cell::new(7, 4)];
    let roads = [(0, 1, 4.0), (2, 3, 4.0), (0, 2, 20.0), (1, 3, 20.0)];
    let waypoints = WaypointGraph::new(cells, roads).unwrap_or_else(|error| panic!("{error}"));
    game.app.insert_resource(waypoints).init_resource::<Heard>();
    game.app.add_observer(|_: On<RouteFound>, mut heard: ResMut<Heard>| heard.0.push("found"));
    game.app.add_observer(|_: On<RouteFailed>, mut heard: ResMut<Heard>| heard.0.push("failed"));
    game.app.add_observer(|ended: On<RouteEnded>, mut heard: ResMut<Heard>| {
        heard.0.push(if ended.partial.is_none() { "ended" } else { "ended short" });
    });
    let unit = game.unit((1, 0), 8.0);
    (game, unit)
}

fn order(game: &mut Game, unit: Entity, goal: Cell) {
    let order = WaypointRequest::new(PathRequest::to(goal));
    game.app.world_mut().entity_mut(unit).insert(order);
}

fn heard(game: &Game) -> &[&'static str] {
    &game.app.world().resource::<Heard>().0
}

fn route(game: &Game, unit: Entity) -> Option<&WaypointRoute> {
    game.app.world().get::<WaypointRoute>(unit)
}

#[test]
fn a_unit_walks_from_waypoint_to_waypoint_and_to_its_goal() {
    let (mut game, unit) = rooms();
    let goal = Cell::new(9, 0);
    order(&mut game, unit, goal);
    game.ticks(2);
    assert_eq!(route(&game, unit).map(|route| (route.waypoints.as_slice(), route.cost)), Some((&[0, 1][..], 4.0)));
    let mut visited = Vec::new();
    for _ in 0..300 {
        game.ticks(1);
        visited.extend(Some(game.cell(unit)).filter(|cell| visited.last() != Some(cell)));
    }
    let place = |cell| visited.iter().position(|&other| other == cell);
    let (first, second) = (place(Cell::new(3, 1)), place(Cell::new(7, 1)));
    assert!(first.is_some() && first < second && second < place(goal), "{visited:?}");
    assert_eq!(heard(&game), ["found", "ended"]);
    let world = game.app.world();
    assert!(!world.entity(unit).contains::<WaypointRequest>() && route(&game, unit).is_none());
    assert!(world.get::<PathRequest>(unit).is_none());
}

#[test]
fn a_goal_in_sight_needs_no_waypoint() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(2, 4));
    game.ticks(2);
    assert_eq!(route(&game, unit).map(|route| route.waypoints.len()), Some(0));
    game.ticks(200);
    assert_eq!((game.cell(unit), heard(&game)), (Cell::new(2, 4), &["found", "ended"][..]));
}

#[test]
fn closed_roads_change_the_route_under_way_and_opened_ones_give_one() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(2);
    let close = |game: &mut Game, one, other, cost| {
        let mut waypoints = game.app.world_mut().resource_mut::<WaypointGraph>();
        let road = waypoints.graph().edge_between(one, other).or(Some(0));
        assert!(waypoints.update(road.map(|road| (road, cost))).is_ok());
    };
    close(&mut game, 0, 1, None);
    game.ticks(2);
    assert_eq!(route(&game, unit).map(|route| route.waypoints.as_slice()), Some(&[0, 2, 3, 1][..]));
    close(&mut game, 2, 3, None);
    game.ticks(2);
    assert_eq!(route(&game, unit).and_then(|route| route.failed), Some(Reason::Unreachable));
    game.ticks(50);
    assert_eq!(heard(&game), ["found", "found", "failed"], "it is told once");
    close(&mut game, 0, 1, Some(4.0));
    game.ticks(300);
    assert_eq!(game.cell(unit), Cell::new(9, 0));
    assert_eq!(heard(&game), ["found", "found", "failed", "found", "ended"]);
}

#[test]
fn a_change_elsewhere_turns_nobody_back_and_orders_nothing_anew() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(9, 0));
    game.until(100, |game| route(game, unit).is_some_and(|route| route.next == 1) && game.cell(unit).x > 3);
    let orders = game.stats().orders;
    for cost in [30.0, 31.0, 32.0] {
        let mut waypoints = game.app.world_mut().resource_mut::<WaypointGraph>();
        let road = waypoints.graph().edge_between(2, 0);
        assert!(waypoints.update(road.map(|road| (road, Some(cost)))).is_ok());
        game.ticks(1);
        // The first waypoint, which is nearer, lies behind.
        assert_eq!(route(&game, unit).map(|route| route.waypoints.as_slice()), Some(&[1][..]));
    }
    assert_eq!(game.stats().orders, orders);
    game.ticks(200);
    assert_eq!(heard(&game), ["found", "found", "found", "found", "ended"]);
}

#[test]
fn another_order_or_none_ends_the_route() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(4);
    game.app.world_mut().entity_mut(unit).insert(PathRequest::to(Cell::new(0, 4)));
    game.ticks(200);
    assert!(route(&game, unit).is_none());
    assert_eq!((game.cell(unit), heard(&game)), (Cell::new(0, 4), &["found"][..]));

    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(4);
    game.app.world_mut().entity_mut(unit).remove::<WaypointRequest>();
    game.ticks(1);
    assert!(route(&game, unit).is_none() && game.app.world().get::<PathRequest>(unit).is_none());
    // A newer route takes the place of an older one.
    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(4);
    order(&mut game, unit, Cell::new(1, 1));
    game.ticks(200);
    assert_eq!(game.cell(unit), Cell::new(1, 1));
    // The unit may be gone at any moment.
    order(&mut game, unit, Cell::new(9, 0));
    game.app.world_mut().entity_mut(unit).despawn();
    game.ticks(4);
}

#[test]
fn a_waypoint_that_was_built_over_is_passed_by() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(3);
    let mut tilemap = game.app.world_mut().resource_mut::<Tilemap>();
    assert!(tilemap.edit([(Cell::new(3, 1), WALL), (Cell::new(3, 0), PLAIN)]).is_ok());
    game.ticks(400);
    assert_eq!((game.cell(unit), heard(&game)), (Cell::new(9, 0), &["found", "ended"][..]));
}

#[test]
fn ends_that_cannot_be_fail_with_a_reason() {
    let (mut game, unit) = rooms();
    order(&mut game, unit, Cell::new(99, 0));
    game.ticks(2);
    assert_eq!(route(&game, unit).and_then(|route| route.failed), Some(Reason::OutOfBounds));
    let gone = game.app.world_mut().spawn_empty().id();
    let chase = WaypointRequest {
        algorithm: GraphAlgorithm::Dijkstra,
        max_expansions: Some(1),
        ..WaypointRequest::new(PathRequest::to(gone))
    };
    game.app.world_mut().entity_mut(unit).insert(chase.clone());
    game.ticks(2);
    assert_eq!(route(&game, unit).and_then(|route| route.failed), Some(Reason::TargetLost));
    let at = game.app.world().resource::<Tilemap>().cell_to_world(Cell::new(9, 0)).extend(0.0);
    game.app.world_mut().entity_mut(gone).insert(Transform::from_translation(at));
    game.app.world_mut().entity_mut(unit).insert(chase);
    game.ticks(2);
    assert_eq!(route(&game, unit).and_then(|route| route.failed), Some(Reason::CapReached));
    // Without waypoints there are no routes.
    game.app.world_mut().remove_resource::<WaypointGraph>();
    order(&mut game, unit, Cell::new(9, 0));
    game.ticks(2);
    assert!(route(&game, unit).is_none());
}

#[test]
fn waypoints_come_back_as_they_were_saved() {
    let (game, _) = rooms();
    let waypoints = game.app.world().resource::<WaypointGraph>();
    let text = serde_json::to_string(waypoints).unwrap_or_default();
    assert_eq!(serde_json::from_str::<WaypointGraph>(&text).ok().as_ref(), Some(waypoints));
    // A waypoint without a cell does not get in.
    let broken = text.replace("{\"x\":3,\"y\":1},", "");
    assert_ne!(broken, text);
    assert!(serde_json::from_str::<WaypointGraph>(&broken).is_err());
}
