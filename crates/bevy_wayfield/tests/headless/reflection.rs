//! What inspectors, scenes and files see of the plugin's data.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::any::TypeId;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;

use bevy::ecs::reflect::{ReflectComponent, ReflectResource};
use bevy::prelude::*;
use bevy::reflect::GetTypeRegistration;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_wayfield::{
    ClassId, Delivery, FollowPath, Mover, Obstacle, PathGoal, PathRequest, PathStatus, PathfindingPlugin,
    PathfindingSettings, Planner, SimId, Tilemap,
};
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
use wayfield::{Algorithm, Cell, CornerRule, Heuristic, Reason, TerrainId, Weight};

use crate::world::{Game, WALL};

/// An app whose types have not registered themselves.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(AppTypeRegistry::default())
        .add_plugins(PathfindingPlugin::default());
    app
}

/// The names of the public components and resources in the plugin's sources, each with whether it is a resource.
fn public_types() -> BTreeSet<(String, bool)> {
    let mut found = BTreeSet::new();
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        for item in text.split("#[derive(").skip(1) {
            let derived = item.split(")]").next().unwrap();
            let named = item.lines().find_map(|line| {
                let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "));
                rest.map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default())
            });
            let is = |what: &str| derived.split(',').any(|name| name.trim() == what);
            if let Some(name) = named.filter(|_| is("Component") || is("Resource")) {
                found.insert((name.to_owned(), is("Resource")));
            }
        }
    }
    found
}

#[test]
fn every_public_component_and_resource_is_registered() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let types = public_types();
    assert!(types.len() >= 14, "{types:?}");
    for (name, is_resource) in types {
        let registration = registry.get_with_short_type_path(&name);
        let registration = registration.unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(registration.contains::<ReflectComponent>(), "{name} is not reflected as a component");
        assert_eq!(registration.contains::<ReflectResource>(), is_resource, "{name}");
    }
    for inside in [TypeId::of::<PathGoal>(), TypeId::of::<Algorithm>(), TypeId::of::<Cell>(), TypeId::of::<Reason>()] {
        assert!(registry.contains(inside));
    }
}

/// Writes a value by reflection and reads it back.
fn reflected<T: FromReflect + TypePath + GetTypeRegistration + PartialEq + Debug>(value: &T) {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let written = TypedReflectSerializer::new(value.as_partial_reflect(), &registry);
    let text = serde_json::to_string(&written).unwrap();
    let seed = TypedReflectDeserializer::of::<T>(&registry);
    let read = seed.deserialize(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(T::from_reflect(read.as_ref()).as_ref(), Some(value), "{text}");
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value, "{text}");
}

fn requests() -> [PathRequest; 3] {
    let there = PathRequest::to(Cell::new(4, -2)).class(ClassId(2)).algorithm(Algorithm::HpaStar).nearest();
    [
        there,
        PathRequest::to(Vec2::new(0.25, 1e9)).max_expansions(0).priority(-3),
        PathRequest::to(Cell::new(0, 0)).allow_partial(),
    ]
}

fn mover() -> Mover {
    Mover { offset: Vec2::new(0.125, -0.3), ..Mover::new(3.7).class(ClassId(1)) }
}

/// A unit that is on its way.
fn way() -> FollowPath {
    let mut game = Game::open(12, 9, CornerRule::BothFree);
    let unit = game.unit((1, 1), 4.0);
    game.go(unit, (9, 7));
    game.ticks(9);
    game.get::<FollowPath>(unit).unwrap().clone()
}

#[test]
fn data_comes_back_by_reflection_and_by_serde() {
    for request in requests() {
        round_trip(&request);
        reflected(&request);
    }
    let after = PathRequest::to(Entity::PLACEHOLDER);
    assert_eq!(PathRequest::from_reflect(&after), Some(after));
    for status in [PathStatus::Idle, PathStatus::Partial(Reason::CapReached), PathStatus::Failed(Reason::TargetLost)] {
        round_trip(&status);
        reflected(&status);
    }
    round_trip(&mover());
    reflected(&mover());
    round_trip(&Obstacle::new(3, 2, TerrainId(9)));
    reflected(&Obstacle::new(3, 2, TerrainId(9)));
    round_trip(&SimId(u64::MAX));
    reflected(&SimId(u64::MAX));
    for delivery in [Delivery::AsReady, Delivery::AfterTicks(3)] {
        round_trip(&delivery);
        reflected(&delivery);
    }
}

#[test]
fn settings_come_back_but_for_the_pool() {
    let settings = PathfindingSettings {
        algorithm: Algorithm::WeightedAStar,
        heuristic: Some(Heuristic::Octile),
        weight: Weight::new(1.75).unwrap(),
        max_queued: 7,
        delivery: Delivery::AfterTicks(2),
        executor: bevy_wayfield::Executor::Inline,
        ..default()
    };
    let text = serde_json::to_string(&settings).unwrap();
    assert!(!text.contains("executor"), "{text}");
    let back: PathfindingSettings = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    // What a file does not mention is as usual.
    let back: PathfindingSettings = serde_json::from_str("{\"max_queued\":7}").unwrap();
    assert_eq!((back.max_queued, back.max_expansions), (7, PathfindingSettings::default().max_expansions));
    // An inspector that changes a number leaves the pool alone.
    let mut changed = settings.clone();
    changed.apply(&PathfindingSettings { max_queued: 8, ..default() });
    assert!(matches!(changed.executor, bevy_wayfield::Executor::Inline));
    assert_eq!(changed.max_queued, 8);
}

#[test]
fn bad_values_are_refused() {
    let refuses = |text: &str, wanted: &str| {
        let message = serde_json::from_str::<PathfindingSettings>(text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{text}: {message}");
    };
    refuses("{\"weight\":0.0}", "a weight is a number from 1 to 1000, not 0");
    refuses("{\"weight\":null}", "invalid type: null");
    refuses("{\"algorithm\":\"b_star\"}", "unknown variant `b_star`");
    refuses("{\"max_queued\":-1}", "invalid value: integer `-1`");

    let mover = |text: &str| serde_json::from_str::<Mover>(text);
    assert_eq!(mover("{\"speed\":0}").unwrap(), Mover::new(0.0));
    for (text, wanted) in [
        ("{\"speed\":-1}", "a speed is a number of cells a second from 0 up, not -1"),
        ("{\"speed\":1e60}", "a speed is a number of cells a second from 0 up, not inf"),
        ("{\"speed\":null}", "invalid type: null"),
        ("{\"speed\":1,\"offset\":[1e60,0]}", "an offset is a number of cells along each axis, not [inf, 0]"),
    ] {
        let message = mover(text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{text}: {message}");
    }
    let request = serde_json::to_string(&PathRequest::to(Cell::new(1, 2))).unwrap();
    assert!(serde_json::from_str::<PathRequest>(&request.replace("\"x\":1", "\"x\":1.5")).is_err());
    assert!(
        serde_json::to_string(&PathRequest::to(Entity::PLACEHOLDER)).is_err(),
        "an entity is one in its world only"
    );
    let way = serde_json::to_string(&way()).unwrap();
    let torn = way.replacen("\"x\":2", "\"x\":7", 1);
    assert_ne!(way, torn);
    assert!(serde_json::from_str::<FollowPath>(&torn).unwrap_err().to_string().contains("is not a legal move"));
}

#[test]
fn a_way_that_was_read_in_hears_of_edits() {
    let mut game = Game::open(12, 9, CornerRule::BothFree);
    let unit = game.unit((1, 4), 2.0);
    game.go(unit, (10, 4));
    game.ticks(5);
    let way: FollowPath =
        serde_json::from_str(&serde_json::to_string(game.get::<FollowPath>(unit).unwrap()).unwrap()).unwrap();
    let cells = way.path.cells().to_vec();
    game.app.world_mut().entity_mut(unit).insert(way);
    game.paint([(7, 4)], WALL);
    game.ticks(3);
    assert_ne!(game.way(unit).unwrap(), cells);
}

#[test]
fn the_planner_can_be_looked_into() {
    let mut game = Game::open(12, 9, CornerRule::BothFree);
    let unit = game.unit((1, 1), 4.0);
    game.go(unit, (9, 7));
    game.ticks(4);
    let planner = game.app.world().resource::<Planner>();
    assert_eq!(planner.path::<u64>("tick").unwrap(), &4);
    assert_eq!(planner.path::<u64>("stats.found").unwrap(), &1);
    let copy = game.map().reflect_clone().unwrap();
    assert_eq!(copy.downcast_ref::<Tilemap>().unwrap().size(), game.map().size());
}
