//! Deterministic pathfinding on weighted tilemaps: single paths and shared Dijkstra maps.
//!
//! Pure functions of plain data: no engine, no clock, no randomness, no IO. The same input gives the same
//! answer, bit for bit, on every machine.
//!
//! # From a map to a path
//!
//! ```text
//! TerrainMap ── what lies where, links, heights, fences, influences; edited in batches
//!     │  + MovementClass: what each terrain costs one kind of mover, and its corner rule; and how large a unit is
//!     ▼
//! CostGrid ──── entering costs, legal moves, components, perhaps a hierarchy or prepared jumps
//!     │
//!     ├── find_path / PathSearch ── PathQuery ──► Answer: Found, Partial or Failed, with cost and expansions
//!     ├── find_closest / ClosestSearch ── ClosestQuery ──► the same Answer, for whichever of many goals is closest
//!     └── DijkstraMap ── many sources, any number of units: chase, flee, kite, gather, movement range
//!             │          repaired where terrain or sources change
//!             └── FlowField ── the best steps of every cell, ready to be read
//! ```
//!
//! ```
//! use wayfield::{find_path, Cell, CostGrid, DijkstraMap, GridSize, MovementClass, PathQuery, TerrainId, TerrainMap};
//!
//! let (plain, forest, wall) = (TerrainId(0), TerrainId(1), TerrainId(2));
//! let mut map = TerrainMap::new(GridSize::new(32, 32)?, plain);
//! map.edit((0..31).map(|y| (Cell::new(16, y), wall)))?;
//! map.edit([(Cell::new(16, 31), forest)])?;
//!
//! let foot = MovementClass::new("foot").with_cost(plain, 1)?.with_cost(forest, 3)?;
//! let grid = CostGrid::new(&map, &foot);
//!
//! let answer = find_path(&grid, &PathQuery::new(Cell::new(2, 2), Cell::new(30, 2)))?;
//! let path = answer.outcome.path().expect("the gap is open");
//! assert!(path.cells().contains(&Cell::new(16, 31)));
//!
//! let rally = DijkstraMap::toward(&grid, [Cell::new(30, 2)])?;
//! let value = rally.value(Cell::new(2, 2)).expect("it can be reached");
//! assert!((value - path.cost().units()).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Algorithms
//!
//! | [`Algorithm`] | order of expansion | promise |
//! |---|---|---|
//! | [`Auto`](Algorithm::Auto) | that of jump points, or of A* where they do not pay; the answer says which | the cheapest path, if the heuristic is admissible |
//! | [`Bfs`](Algorithm::Bfs) | first seen first | fewest steps, whatever they cost |
//! | [`Dfs`](Algorithm::Dfs) | last seen first | some path |
//! | [`Dijkstra`](Algorithm::Dijkstra) | least cost g | the cheapest path |
//! | [`Greedy`](Algorithm::Greedy) | least estimate h | few expansions |
//! | [`AStar`](Algorithm::AStar) | least g + h | the cheapest path, if the heuristic is admissible |
//! | [`WeightedAStar`](Algorithm::WeightedAStar) | least g + w h | at most w times the cheapest cost |
//! | [`BidirectionalBfs`](Algorithm::BidirectionalBfs) | first seen first, from both ends | fewest steps, whatever they cost |
//! | [`BidirectionalDijkstra`](Algorithm::BidirectionalDijkstra) | least g, from both ends | the cheapest path |
//! | [`BidirectionalAStar`](Algorithm::BidirectionalAStar) | least g + h, from both ends | the cheapest path, if the heuristic is admissible |
//! | [`Jps`](Algorithm::Jps) | least g + h, over jump points | the cheapest path, if the heuristic is admissible |
//! | [`HpaStar`](Algorithm::HpaStar) | least g + h, over clusters, then the cells on that way | a path, seldom much dearer than the cheapest one, with few expansions on large maps |
//! | [`LpaStar`](Algorithm::LpaStar), [`DStarLite`](Algorithm::DStarLite) | least key | the cheapest path |
//!
//! All run on one engine, [`search::Search`], which also steps, pauses and resumes; those from both ends on two of it
//! ([`bidirectional`]). All take [links](Link), [slopes](MovementClass::with_slopes), [fences](TerrainMap::set_fence),
//! [influences](MovementClass::with_influence) and [units of n x n cells](CostGrid::for_units) into account; where slopes or fences cost something A* runs in place of jump points, and the answer says so.
//! [`Algorithm::promises`] has what each promises.
//!
//! # While the map is edited, and after the search
//!
//! | name | does | promise |
//! |---|---|---|
//! | [`Replanner`], [`LpaStar`](ReplanMethod::LpaStar) | keeps a path up to date, searching from the start | the cheapest path, with few expansions after a small edit; the goal may move |
//! | [`Replanner`], [`DStarLite`](ReplanMethod::DStarLite) | the same, searching from the goal | the same; the start may move |
//! | [`smooth`] | string pulling: straight lines between fewer cells | never through a wall or a pinched corner, never dearer |
//! | [`has_line_of_sight`] | whether a straight line touches passable cells only | exact, in whole numbers |
//!
//! Waypoints, rooms, roads and the polygons of a navmesh are a [`graph::WeightedGraph`], searched by the same engine: see [`graph`].
//!
//! The replanner has an engine of its own with the same protocol, [`incremental::IncrementalSearch`].

mod bit_rows;
mod cost;
mod direction;
mod grid;

mod terrain;

mod links;
mod map;

mod components;
mod footprint;
mod jump_stops;
mod jump_table;
mod link_table;

mod cost_grid;

pub mod space;
mod workspace;

pub mod search;

pub mod bidirectional;
pub mod incremental;

mod hierarchy;

pub mod hierarchical_search;

mod algorithm;
mod auto;
mod canonical;
mod dijkstra_map;
mod field_input;
mod flow_field;
mod heuristic;
mod jump_point;
mod link_bounds;
mod moving_ai;
mod nearest;
mod path;
mod replan;
mod smoothing;
mod target;

mod query;

mod closest;
mod group;

pub mod graph;

pub use algorithm::{Algorithm, Promises, UnknownName, Weight, WeightError};
pub use canonical::CanonicalSpace;
pub use closest::{ClosestQuery, ClosestSearch, find_closest};
pub use cost::{Cost, PathCost, TerrainCost, TerrainCostError};
pub use cost_grid::{CostGrid, CostGridError};
pub use dijkstra_map::{DijkstraMap, Repair};
pub use direction::{Direction, DirectionIter, DirectionSet};
pub use field_input::{FieldError, FleeRule, FleeScale, Source};
pub use flow_field::FlowField;
pub use grid::{Cell, CellRect, Grid, GridSize, GridSizeError};
pub use group::GroupSearch;
pub use heuristic::Heuristic;
pub use hierarchy::Hierarchy;
pub use jump_point::{JumpSpace, fill_jumps};
pub use links::{Link, LinkError, LinkId};
pub use map::{BrokenMap, Change, Dirty, FenceError, OutsideMap, TerrainMap};
pub use moving_ai::{
    MapFormat, Scenario, TextError, TextErrorKind, TextMap, parse_map, parse_scenarios, write_map, write_scenarios,
};
pub use nearest::{assign_slots, end_slots, nearest_cell};
pub use path::{Path, PathError, PathStep};
pub use query::{Answer, Outcome, PathQuery, PathSearch, QueryError, Reason, find_path};
pub use replan::{ReplanMethod, Replanner};
pub use search::Tie;
pub use smoothing::{LineCost, SmoothPath, has_line_of_sight, line_cost, smooth};
pub use space::NodeId;
pub use terrain::{
    CornerRule, EdgeFactorError, InfluenceId, InfluenceWeightError, MovementClass, MovementClassError, TerrainId,
};
