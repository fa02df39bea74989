//! Orders that lead over waypoints: [`WaypointGraph`] and [`WaypointRequest`] in, [`WaypointRoute`] and events out.
//!
//! A level designer knows roads, doors and patrol points that no search needs to find out. A route over them is planned on the graph,
//! and walked leg by leg with the [`PathRequest`]s of the plugin, so that terrain, obstacles and edits count on each leg as ever.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use wayfield::graph::{
    EdgeId, GraphAlgorithm, GraphBuilder, GraphError, GraphOutcome, GraphQuery, GraphQueryError, GraphSearch,
    WeightedGraph,
};
use wayfield::{Cell, CostGrid, NodeId, Reason, has_line_of_sight};

use crate::map::Tilemap;
use crate::request::{GoalReached, PartialEndReached, PathGoal, PathRequest, SimId};
use crate::steering::Mover;

/// Waypoints on the cells of the [`Tilemap`], and roads between them.
///
/// Roads may be one way, change their costs and be closed at any time: routes under way are planned anew then.
///
/// ```
/// use bevy_wayfield::WaypointGraph;
/// use wayfield::Cell;
/// let gates = [Cell::new(2, 2), Cell::new(30, 2), Cell::new(30, 20)];
/// let mut waypoints = WaypointGraph::new(gates, [(0, 1, 28.0), (1, 2, 18.0)])?;
/// let road = waypoints.graph().edge_between(0, 1).ok_or("no road")?;
/// waypoints.update([(road, None)])?; // one way of it is closed
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Resource, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(opaque, Resource, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WaypointData")]
pub struct WaypointGraph {
    graph: WeightedGraph,
    cells: Vec<Cell>,
}

impl WaypointGraph {
    /// Waypoints at these cells, numbered from 0, and roads that lead both ways at the same cost.
    ///
    /// # Errors
    /// If a road leads to no waypoint, or its cost is no number or too large.
    pub fn new(
        cells: impl IntoIterator<Item = Cell>,
        roads: impl IntoIterator<Item = (NodeId, NodeId, f64)>,
    ) -> Result<Self, GraphError> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        let builder = GraphBuilder::new(cells.len());
        let roads = roads.into_iter().fold(builder, |builder, (one, other, cost)| builder.two_way(one, other, cost));
        Self::from_graph(cells, roads.build()?)
    }

    /// Waypoints at these cells, with the edges of a graph for roads.
    ///
    /// # Errors
    /// If there are more or fewer cells than nodes.
    pub fn from_graph(cells: impl IntoIterator<Item = Cell>, mut graph: WeightedGraph) -> Result<Self, GraphError> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        graph.set_positions(cells.iter().map(|cell| [f64::from(cell.x), f64::from(cell.y)]))?;
        Ok(Self { graph, cells })
    }

    /// The roads.
    pub fn graph(&self) -> &WeightedGraph {
        &self.graph
    }

    /// Where a waypoint is.
    pub fn cell(&self, waypoint: NodeId) -> Option<Cell> {
        self.cells.get(waypoint as usize).copied()
    }

    /// Gives roads other costs, or closes them, as [`WeightedGraph::update`].
    ///
    /// # Errors
    /// If there is no such road, or a cost is no number or too large; then nothing is changed.
    pub fn update(
        &mut self,
        changes: impl IntoIterator<Item = (EdgeId, Option<f64>)>,
    ) -> Result<Vec<EdgeId>, GraphError> {
        self.graph.update(changes)
    }

    /// The nearest waypoint that can be seen from a cell; if none can, the nearest one that can be reached.
    pub fn nearest(&self, grid: &CostGrid, cell: Cell) -> Option<NodeId> {
        let distance = |other: Cell| {
            let (dx, dy) = (i64::from(other.x) - i64::from(cell.x), i64::from(other.y) - i64::from(cell.y));
            dx * dx + dy * dy
        };
        let mut near: Vec<_> = (0..).zip(&self.cells).map(|(node, &at)| (distance(at), node, at)).collect();
        near.sort_unstable();
        let seen = near.iter().find(|&&(_, _, at)| sees(grid, cell, at));
        let reached = || near.iter().find(|&&(_, _, at)| at == cell || grid.is_reachable(cell, at));
        seen.or_else(reached).map(|&(_, node, _)| node)
    }
}

/// Waypoints as they are saved.
#[derive(serde::Deserialize)]
struct WaypointData {
    graph: WeightedGraph,
    cells: Vec<Cell>,
}

impl TryFrom<WaypointData> for WaypointGraph {
    type Error = GraphError;

    fn try_from(WaypointData { graph, cells }: WaypointData) -> Result<Self, GraphError> {
        Self::from_graph(cells, graph)
    }
}

/// An order to go somewhere over the roads of the [`WaypointGraph`], given by inserting it on an entity with a [`Transform`].
///
/// The unit walks to the nearest waypoint that it sees, along the cheapest roads to the waypoint nearest to its goal, and from there to
/// the goal; straight to the goal, if it sees that. Each leg is a [`PathRequest`] like the one given here, to the next waypoint or as near to it as one
/// can stand: so [`GoalReached`] or [`PartialEndReached`] is heard on every leg, and [`RouteEnded`] at the end. A leg that has no way waits for one, as any
/// order does. Another `PathRequest` by the game ends the route.
///
/// ```
/// use bevy_wayfield::{PathRequest, WaypointRequest};
/// use wayfield::Cell;
/// let order = WaypointRequest::new(PathRequest::to(Cell::new(60, 40)).nearest());
/// assert_eq!(order.max_expansions, None);
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
#[component(immutable, on_insert = on_route_asked, on_remove = on_route_withdrawn)]
pub struct WaypointRequest {
    /// The last leg; those before are as it is, but for their goals.
    pub request: PathRequest,
    /// How the roads are searched.
    pub algorithm: GraphAlgorithm,
    /// The cap on the waypoints that are expanded.
    pub max_expansions: Option<u64>,
}

impl WaypointRequest {
    /// As this order, but over waypoints.
    pub fn new(request: PathRequest) -> Self {
        Self { request, algorithm: GraphAlgorithm::default(), max_expansions: None }
    }
}

/// The route that a unit is on: [`WaypointRequest`] is planned, and this says what came of it.
#[derive(Component, Clone, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub struct WaypointRoute {
    /// The waypoints on the way, in order; empty if the unit goes straight to the goal.
    pub waypoints: Vec<NodeId>,
    /// The index of the waypoint to go to next; their number, once only the goal is left.
    pub next: usize,
    /// What the roads cost.
    pub cost: f64,
    /// Why there is no route, if there is none: it is looked for again when a road changes.
    pub failed: Option<Reason>,
    /// Of the graph that the route was planned on.
    fingerprint: u64,
    /// Where the leg leads that is walked now.
    leg: Option<PathGoal>,
}

/// A route was found; its first leg is ordered.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RouteFound {
    /// Whose route.
    pub entity: Entity,
    /// What the roads cost.
    pub cost: f64,
    /// How many waypoints it took to find.
    pub expanded: u64,
}

/// There is no route: a waypoint cannot be reached from the other, or there is none near an end.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteFailed {
    /// Whose order.
    pub entity: Entity,
    /// Why.
    pub reason: Reason,
}

/// The last leg has ended; the order has been removed.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteEnded {
    /// Who is there.
    pub entity: Entity,
    /// Why the way ended short of the goal, if it did.
    pub partial: Option<Reason>,
}

/// A unit with an order, as [`plan_routes`] sees it.
type Unit = (
    Entity,
    Option<&'static SimId>,
    &'static WaypointRequest,
    Option<&'static WaypointRoute>,
    Option<&'static PathRequest>,
    &'static Transform,
    Option<&'static Mover>,
);

/// Plans the routes of new orders, and those of all others anew if a road has changed.
pub(crate) fn plan_routes(
    tilemap: Option<Res<Tilemap>>,
    waypoints: Option<Res<WaypointGraph>>,
    units: Query<Unit>,
    places: Query<&Transform>,
    mut search: Local<GraphSearch>,
    mut commands: Commands,
) {
    let (Some(tilemap), Some(waypoints)) = (tilemap, waypoints) else { return };
    let fingerprint = waypoints.graph.fingerprint();
    let is_current = |route: &WaypointRoute| {
        let only_goal_left = route.failed.is_none() && route.next >= route.waypoints.len();
        route.fingerprint == fingerprint || only_goal_left
    };
    let mut waiting: Vec<_> = units.iter().filter(|unit| !unit.3.is_some_and(is_current)).collect();
    waiting.sort_unstable_by_key(|&(entity, id, ..)| (id.copied(), entity));
    for (entity, _, order, old, request, transform, mover) in waiting {
        let class = order.request.class.or(mover.map(|mover| mover.class)).unwrap_or_default();
        let here = tilemap.world_to_unit(class, transform.translation.truncate());
        let goal = match order.request.goal {
            PathGoal::Entity(target) => {
                let at = places.get(target).ok().map(|transform| transform.translation.truncate());
                at.and_then(|at| tilemap.world_to_unit(class, at)).ok_or(Reason::TargetLost)
            }
            goal => goal.cell(&tilemap, class).ok_or(Reason::OutOfBounds),
        };
        let found = here.ok_or(Reason::OutOfBounds).and_then(|here| {
            let grid = tilemap.grid(class).ok_or(Reason::UnknownClass)?;
            let onward = old.and_then(|old| old.onward(&waypoints, grid, here));
            find_route(&mut search, &waypoints, grid, order, (here, goal?), onward)
        });
        let Ok(mut unit) = commands.get_entity(entity) else { continue };
        match found {
            Ok((nodes, cost, expanded)) => {
                let mut route = WaypointRoute { waypoints: nodes, next: 0, cost, failed: None, fingerprint, leg: None };
                let leg = route.order_leg(order, &waypoints);
                unit.try_insert(route);
                // A leg that is walked already goes on.
                if old.and_then(|old| old.leg) != Some(leg.goal) || request != Some(&leg) {
                    unit.try_insert(leg);
                }
                unit.trigger(|entity| RouteFound { entity, cost, expanded });
            }
            Err(reason) => {
                let (waypoints, failed) = (Vec::new(), Some(reason));
                unit.try_insert(WaypointRoute { waypoints, next: 0, cost: 0.0, failed, fingerprint, leg: None });
                unit.trigger(|entity| RouteFailed { entity, reason });
            }
        }
    }
}

/// Whether one can go straight from a cell to another, and stand there.
fn sees(grid: &CostGrid, from: Cell, to: Cell) -> bool {
    grid.is_passable(to) && (from == to || has_line_of_sight(grid, from, to))
}

/// The waypoints between two cells, what the roads cost, and the expansions that it took; from a waypoint that the unit is
/// under way to, if it is.
fn find_route(
    search: &mut GraphSearch,
    waypoints: &WaypointGraph,
    grid: &CostGrid,
    order: &WaypointRequest,
    (here, goal): (Cell, Cell),
    onward: Option<NodeId>,
) -> Result<(Vec<NodeId>, f64, u64), Reason> {
    if sees(grid, here, goal) {
        return Ok((Vec::new(), 0.0, 0));
    }
    let nearest = |cell| waypoints.nearest(grid, cell).ok_or(Reason::Unreachable);
    let query = GraphQuery {
        algorithm: order.algorithm,
        max_expansions: order.max_expansions,
        ..GraphQuery::new(onward.map_or_else(|| nearest(here), Ok)?, nearest(goal)?)
    };
    let answer = search.find(&waypoints.graph, &query).map_err(|error| match error {
        GraphQueryError::CostOverflow { .. } => Reason::CostOverflow,
        // No road of this graph can be searched this way, and so none leads to the goal.
        _ => Reason::Unreachable,
    })?;
    match answer.outcome {
        GraphOutcome::Found(path) => Ok((path.nodes().to_vec(), path.cost(), answer.stats.expanded)),
        GraphOutcome::Partial(_, reason) | GraphOutcome::Failed(reason) => Err(reason),
    }
}

impl WaypointRoute {
    /// The waypoint that the unit is under way to, if it sees it, and the road there is still open: nobody turns back on the road
    /// because another one was closed.
    fn onward(&self, waypoints: &WaypointGraph, grid: &CostGrid, here: Cell) -> Option<NodeId> {
        let next = *self.waypoints.get(self.next)?;
        let before = self.next.checked_sub(1).and_then(|before| self.waypoints.get(before));
        let is_open = before.is_none_or(|&before| waypoints.graph.edge_between(before, next).is_some());
        (is_open && waypoints.cell(next).is_some_and(|at| sees(grid, here, at))).then_some(next)
    }

    /// The order for the leg that is next.
    fn order_leg(&mut self, order: &WaypointRequest, waypoints: &WaypointGraph) -> PathRequest {
        let waypoint = self.waypoints.get(self.next).and_then(|&node| waypoints.cell(node));
        let leg = match waypoint {
            Some(cell) => PathRequest { goal: cell.into(), nearest: true, ..order.request.clone() },
            None => order.request.clone(),
        };
        self.leg = Some(leg.goal);
        leg
    }
}

/// A new order: the route of an older one is none of it.
fn on_route_asked(mut world: DeferredWorld, context: HookContext) {
    world.commands().entity(context.entity).try_remove::<WaypointRoute>();
}

/// The order is gone, by hand, for another one, or at its end: so is its route, and the leg that is walked.
fn on_route_withdrawn(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let leg = world.get::<WaypointRoute>(entity).and_then(|route| route.leg);
    let is_leg = leg.is_some() && world.get::<PathRequest>(entity).map(|request| request.goal) == leg;
    let mut commands = world.commands();
    let mut unit = commands.entity(entity);
    unit.try_remove::<WaypointRoute>();
    if is_leg {
        unit.try_remove::<PathRequest>();
    }
}

/// A leg has ended at its goal.
pub(crate) fn on_goal_reached(
    reached: On<GoalReached>,
    waypoints: Option<Res<WaypointGraph>>,
    mut units: Query<(&WaypointRequest, &mut WaypointRoute)>,
    mut commands: Commands,
) {
    end_leg(reached.entity, None, waypoints.as_deref(), &mut units, &mut commands);
}

/// A leg has ended short of its goal: on the way that is near enough.
pub(crate) fn on_partial_end(
    reached: On<PartialEndReached>,
    waypoints: Option<Res<WaypointGraph>>,
    mut units: Query<(&WaypointRequest, &mut WaypointRoute)>,
    mut commands: Commands,
) {
    end_leg(reached.entity, Some(reached.reason), waypoints.as_deref(), &mut units, &mut commands);
}

fn end_leg(
    entity: Entity,
    partial: Option<Reason>,
    waypoints: Option<&WaypointGraph>,
    units: &mut Query<(&WaypointRequest, &mut WaypointRoute)>,
    commands: &mut Commands,
) {
    let (Ok((order, mut route)), Some(waypoints)) = (units.get_mut(entity), waypoints) else { return };
    let Ok(mut unit) = commands.get_entity(entity) else { return };
    if route.next < route.waypoints.len() {
        route.next += 1;
        let leg = route.order_leg(order, waypoints);
        unit.try_insert(leg);
    } else if route.leg.take().is_some() {
        unit.try_remove::<WaypointRequest>();
        unit.trigger(|entity| RouteEnded { entity, partial });
    }
}

/// The game has given another order, which is none of the legs: the route ends.
pub(crate) fn on_other_order(
    given: On<Insert, PathRequest>,
    units: Query<(&PathRequest, &WaypointRoute)>,
    mut commands: Commands,
) {
    if let Ok((request, route)) = units.get(given.entity)
        && route.leg != Some(request.goal)
        && let Ok(mut unit) = commands.get_entity(given.entity)
    {
        unit.try_remove::<WaypointRequest>();
    }
}
