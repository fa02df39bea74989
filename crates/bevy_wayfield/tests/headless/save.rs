//! A run that is saved, loaded in a fresh app, and goes on as if nothing had been.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::sync::Arc;

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use bevy::tasks::TaskPoolBuilder;
use bevy_wayfield::{
    Delivery, DijkstraMaps, Executor, Field, FieldSource, FollowField, Gather, Mover, Obstacle, PathRequest,
    PathStatus, PathfindingHash, PathfindingSave, RestoreError, SaveError, SimId, SourceGroup, Tilemap,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfield::{Algorithm, Cell, CornerRule, FleeScale, Link, LinkId, TerrainId};

use crate::world::{Dice, Game, Kind, PLAIN, WALL, foot, scattered};

/// What a game saves of one of its entities.
#[derive(Serialize, Deserialize)]
struct Thing {
    id: SimId,
    at: [f32; 3],
    mover: Option<Mover>,
    obstacle: Option<Obstacle>,
    source: Option<FieldSource>,
    follow: Option<FollowField>,
    gather: Option<Gather>,
    is_disabled: bool,
}

/// What a game writes to a file.
#[derive(Serialize, Deserialize)]
struct File {
    things: Vec<Thing>,
    paths: PathfindingSave,
}

const UNITS: u64 = 50;

/// A game whose course depends on its dice only.
struct Run {
    game: Game,
    dice: Dice,
    tick: u64,
    /// The next obstacle.
    next: u64,
}

/// Gives a unit one more component.
fn give(game: &mut Game, id: u64, component: impl Component) {
    let world = game.app.world_mut();
    let mut query = world.query::<(Entity, &SimId)>();
    let unit = query.iter(world).find(|(_, other)| other.0 == id).map(|(entity, _)| entity).unwrap();
    world.entity_mut(unit).insert(component);
}

/// What can be seen of a game: its hash, and where everybody is and how.
#[derive(Debug, PartialEq)]
struct Sight {
    hash: u64,
    units: Vec<(SimId, [u32; 3], Option<PathStatus>)>,
}

impl Run {
    fn new(seed: u64, executor: Executor) -> Self {
        let mut dice = Dice::new(seed);
        let mut map = scattered(&mut dice, 60, 40);
        map.edit_heights([(Cell::new(9, 9), 3)]).unwrap();
        map.add_link(Link::new(Cell::new(3, 3), Cell::new(56, 36), 9)).unwrap();
        let tilemap = Tilemap::new(map, vec![foot(CornerRule::BothFree), foot(CornerRule::AtLeastOneFree)]);
        let mut game = Game::new(Some(tilemap.with_layout(Vec2::new(-3.5, 8.0), 2.0)));
        game.app.init_resource::<PathfindingHash>();
        game.settings().executor = executor;
        game.settings().searches_per_tick = 8;
        game.settings().expansions_per_tick = 3_000;
        game.settings().max_queued = 12;
        game.answers_take(4);
        for id in 0..UNITS {
            let at = game.at(dice.free_cell(game.map()));
            let mover = Mover::new(3.0 + id as f32 % 5.0).class(bevy_wayfield::ClassId((id % 2) as usize));
            let unit = game.spawn((at, mover, SimId(id)));
            game.app.world_mut().entity_mut(unit).insert(FieldSource { group: SourceGroup(id as u32 % 3), value: 0.5 });
        }
        let cells: Vec<_> = (0..6).map(|_| dice.free_cell(game.map())).collect();
        let mut maps = game.app.world_mut().resource_mut::<DijkstraMaps>();
        let (class, other) = (bevy_wayfield::ClassId(0), bevy_wayfield::ClassId(1));
        let ore = maps.define("ore", Field::seek(class).cells(cells[..5].iter().copied()));
        let depot = maps.define("depot", Field::seek(class).cells([cells[5]]));
        let chase = maps.define("chase", Field::seek(other).group(SourceGroup(1)).every(5).hysteresis(1));
        let flee = maps.define("flee", Field::flee(class, other, FleeScale::default()).group(SourceGroup(2)).every(3));
        let sum = maps.define("sum", Field::sum([(ore, 1.0), (flee, 0.5)]));
        let near = maps.toward(other, cells[0]);
        for (id, follow) in [(45, chase), (46, flee), (47, sum), (48, near)] {
            give(&mut game, id, FollowField::new(follow));
        }
        give(&mut game, 44, FollowField::weighted([(ore, 1.0), (chase, -0.2)]));
        for id in 36..44 {
            give(&mut game, id, Gather::new(ore, depot).digging(4).unloading(3));
        }
        Self { game, dice, tick: 0, next: 1000 }
    }

    fn find(&mut self, id: u64) -> Option<Entity> {
        let world = self.game.app.world_mut();
        let mut query = world.query_filtered::<(Entity, &SimId), Allow<Disabled>>();
        query.iter(world).find(|(_, other)| other.0 == id).map(|(entity, _)| entity)
    }

    /// What the game and its players do before a tick.
    fn act(&mut self) {
        for _ in 0..self.dice.below(5) {
            self.act_once();
        }
        if self.tick % 40 == 7 {
            let goal = self.dice.free_cell(self.game.map());
            let algorithm = [Algorithm::AStar, Algorithm::HpaStar][(self.tick / 40 % 2) as usize];
            let first = u64::from(self.dice.below(30));
            for id in first..first + 12 {
                self.order(id, PathRequest::to(goal).algorithm(algorithm).nearest());
            }
        }
    }

    fn order(&mut self, id: u64, request: PathRequest) {
        if let Some(unit) = self.find(id) {
            self.game.order(unit, request);
        }
    }

    fn act_once(&mut self) {
        let id = u64::from(self.dice.below(UNITS as u32));
        let cell = self.dice.cell(self.game.map());
        let (kind, number) = (self.dice.below(40), self.dice.below(1000));
        match kind {
            0..=9 => {
                let request = PathRequest::to(cell).priority((number % 3) as i32);
                let request = match number % 7 {
                    0 => request.nearest(),
                    1 => request.allow_partial().max_expansions(u64::from(number % 150)),
                    2 => request.algorithm(Algorithm::ALL[number as usize % Algorithm::ALL.len()]),
                    _ => request,
                };
                self.order(id, request);
            }
            10..=14 => {
                if let Some(target) = self.find(u64::from(number) % UNITS) {
                    self.order(id, PathRequest::to(target));
                }
            }
            15 => {
                if let Some(unit) = self.find(id) {
                    self.game.cancel(unit);
                }
            }
            16 => {
                if let Some(unit) = self.find(id) {
                    self.game.despawn(unit);
                }
            }
            17..=19 => {
                if self.find(id).is_none() {
                    let at = self.game.at(cell);
                    self.game.spawn((at, Mover::new(4.0), SimId(id)));
                }
            }
            20..=26 => {
                let cells: Vec<_> =
                    (0..4).map(|_| self.dice.cell(self.game.map())).map(|cell| (cell.x, cell.y)).collect();
                self.game.paint(cells, [WALL, PLAIN, PLAIN, TerrainId(5)][(number % 4) as usize]);
            }
            27..=29 => {
                let at = self.game.at(cell);
                self.game.spawn((at, Obstacle::new(1 + number % 4, 1 + number % 3, WALL), SimId(self.next)));
                self.next += 1;
            }
            30..=32 => {
                if let Some(obstacle) = self.find(1000 + u64::from(number) % (self.next - 999)) {
                    self.game.despawn(obstacle);
                }
            }
            33 => {
                if let Some(obstacle) = self.find(1000 + u64::from(number) % (self.next - 999)) {
                    self.game.put(obstacle, cell);
                }
            }
            34 if number % 4 == 0 => {
                let cells: Vec<_> = (0..5).map(|_| self.dice.cell(self.game.map())).collect();
                let mut maps = self.game.app.world_mut().resource_mut::<DijkstraMaps>();
                let ore = maps.id("ore").unwrap();
                maps.set_cells(ore, cells);
            }
            34 => drop(self.game.map_mut().set_link_open(LinkId(0), number % 2 == 0)),
            35 => {
                let stands = number % 3 > 0;
                drop(self.game.map_mut().set_fence(cell, Cell::new(cell.x + 1, cell.y), stands));
            }
            36 => self.game.settings().algorithm = Algorithm::ALL[number as usize % Algorithm::ALL.len()],
            37 => self.game.settings().replan_for_openings = number % 2 == 0,
            38 => {
                if let Some(unit) = self.find(id) {
                    let mut unit = self.game.app.world_mut().entity_mut(unit);
                    if unit.contains::<Disabled>() {
                        unit.remove::<Disabled>()
                    } else {
                        unit.insert(Disabled)
                    };
                }
            }
            _ => {
                if number % 4 == 0 {
                    let mut map = scattered(&mut self.dice, 60, 40);
                    map.add_link(Link::new(cell, Cell::new(0, 0), 5)).ok();
                    map.add_link(Link::new(Cell::new(1, 1), Cell::new(0, 0), 5)).unwrap();
                    self.game.map_mut().replace(map);
                }
            }
        }
    }

    fn tick(&mut self) -> Sight {
        self.game.tick();
        self.tick += 1;
        let hash = self.game.app.world().resource::<PathfindingHash>().value();
        let world = self.game.app.world_mut();
        let mut query = world.query_filtered::<(&SimId, &Transform, Option<&PathStatus>), Allow<Disabled>>();
        let units = query.iter(world);
        let mut units: Vec<_> =
            units.map(|(id, at, status)| (*id, at.translation.to_array().map(f32::to_bits), status.copied())).collect();
        units.sort_by_key(|unit| unit.0);
        Sight { hash, units }
    }

    fn save(&mut self) -> String {
        let world = self.game.app.world_mut();
        let paths = PathfindingSave::of(world).unwrap();
        type Parts = (
            &'static SimId,
            &'static Transform,
            Option<&'static Mover>,
            Option<&'static Obstacle>,
            (Option<&'static FieldSource>, Option<&'static FollowField>, Option<&'static Gather>),
            Has<Disabled>,
        );
        let mut query = world.query_filtered::<Parts, Allow<Disabled>>();
        let things = query.iter(world).map(|(id, at, mover, obstacle, (source, follow, gather), is_disabled)| Thing {
            id: *id,
            at: at.translation.to_array(),
            mover: mover.copied(),
            obstacle: obstacle.copied(),
            source: source.copied(),
            follow: follow.cloned(),
            gather: gather.cloned(),
            is_disabled,
        });
        serde_json::to_string(&File { things: things.collect(), paths }).unwrap()
    }

    /// The run of a file in a fresh app, in which everything is spawned in another order.
    fn load(&self, text: &str, executor: Executor) -> Self {
        let mut game = Game::new(None);
        game.settings().executor = executor;
        let mut file: File = serde_json::from_str(text).unwrap();
        file.things.sort_by_key(|thing| thing.id.0.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for thing in file.things {
            let mut entity = game.app.world_mut().spawn((thing.id, Transform::from_translation(thing.at.into())));
            if let Some(mover) = thing.mover {
                entity.insert(mover);
            }
            if let Some(obstacle) = thing.obstacle {
                entity.insert(obstacle);
            }
            if let Some(source) = thing.source {
                entity.insert(source);
            }
            if let Some(follow) = thing.follow {
                entity.insert(follow);
            }
            if let Some(gather) = thing.gather {
                entity.insert(gather);
            }
            if thing.is_disabled {
                entity.insert(Disabled);
            }
        }
        file.paths.restore(game.app.world_mut()).unwrap();
        Self { game, dice: self.dice.clone(), tick: self.tick, next: self.next }
    }
}

fn pool(threads: usize) -> Executor {
    Executor::Pool(Arc::new(TaskPoolBuilder::new().num_threads(threads).build()))
}

#[test]
fn a_restored_run_goes_on_bit_for_bit() {
    for seed in 1..=3 {
        let mut whole = Run::new(seed, Executor::Inline);
        let sights: Vec<_> = (0..500)
            .map(|_| {
                whole.act();
                whole.tick()
            })
            .collect();
        let stats = whole.game.stats();
        let fields = whole.game.app.world().resource::<DijkstraMaps>().stats();
        assert!(fields.rebuilds > 50 && fields.repairs > 50, "{fields:?}");
        assert!(stats.reached > 6 && stats.replans > 20 && stats.lost > 0 && stats.stale > 0, "{stats:?}");
        for executor in [Executor::Inline, pool(1), pool(8)] {
            let mut run = Run::new(seed, executor.clone());
            let mut when = Dice::new(seed + 70);
            let mut in_flight = 0;
            for (tick, sight) in sights.iter().enumerate() {
                // Between a tick and what the game does, or after that.
                for is_late in [false, true] {
                    if is_late {
                        run.act();
                    }
                    if when.below(40) == 0 {
                        in_flight += run.game.planner().in_flight();
                        let text = run.save();
                        let restored = run.load(&text, executor.clone());
                        assert_eq!(restored.game.planner().queued(), run.game.planner().queued());
                        assert_eq!(run.save(), text, "a save changes nothing");
                        run = restored;
                    }
                }
                assert_eq!(&run.tick(), sight, "seed {seed}, after tick {tick}, {executor:?}");
            }
            assert!(in_flight > 20, "{in_flight}");
        }
    }
}

/// A game in the middle of things: an obstacle, a unit on its way, one after it, one that waits for its answer.
fn busy() -> Game {
    let mut game = Game::open(20, 10, CornerRule::BothFree);
    game.app.init_resource::<PathfindingHash>();
    game.answers_take(3);
    let at = |game: &Game, x, y| game.at((x, y));
    let first = game.spawn((at(&game, 1, 1), Mover::new(3.0), SimId(1)));
    let second = game.spawn((at(&game, 1, 8), Mover::new(3.0), SimId(2)));
    let third = game.spawn((at(&game, 5, 8), Mover::new(3.0), SimId(3)));
    game.spawn((at(&game, 10, 5), Obstacle::new(2, 2, WALL), SimId(4)));
    game.go(first, (18, 8));
    game.order(second, PathRequest::to(first));
    game.ticks(8);
    game.go(third, (18, 1));
    game.ticks(2);
    assert_eq!(game.planner().in_flight(), 1);
    game
}

/// The save of a game, as what a file may have been made of.
fn saved(game: &mut Game) -> Value {
    serde_json::to_value(PathfindingSave::of(game.app.world_mut()).unwrap()).unwrap()
}

/// Reads a damaged save, and restores it in the game that it is from: there is an error, and the game is as it was.
fn error_of(game: &mut Game, damaged: Value) -> String {
    let before = saved(game);
    assert_ne!(damaged, before, "it is damaged");
    let read: PathfindingSave = match serde_json::from_str(&damaged.to_string()) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let error = read.restore(game.app.world_mut()).unwrap_err();
    assert_eq!(saved(game), before, "{error}");
    error.to_string()
}

#[test]
fn a_damaged_save_is_refused_and_the_world_is_as_it_was() {
    let mut game = busy();
    let whole = saved(&mut game);
    type Damage = fn(&mut Value);
    let damages: [(Damage, &str); 19] = [
        (|save| save["version"] = 2.into(), "the save is of version 2, not of 1"),
        (|save| save["map"]["terrain"]["terrain"]["size"]["width"] = 10.into(), "200 values do not fill"),
        (|save| save["map"]["terrain"]["revision"] = 0.into(), "a map of revision 0 has no 1 latest edits"),
        (|save| save["map"]["cell_size"] = 0.into(), "a map cannot lie at [0, 0] with cells 0 wide"),
        (|save| save["map"]["classes"][0]["unit_size"] = 0.into(), "unit"),
        (|save| save["map"]["classes"][0]["class"]["costs"][1] = 0.into(), "nonzero"),
        (
            |save| save["map"]["changes"] = serde_json::json!([{"x": 20, "y": 0}]),
            "a change at 20,0 is outside the map of 20 x 10",
        ),
        (|save| save["map"]["stamps"]["standing"][0]["area"]["max"]["x"] = 99.into(), "an obstacle at 99,"),
        (|save| save["map"]["stamps"]["standing"][0]["id"] = 44.into(), "the world has no entity with the SimId 44"),
        (|save| save["map"]["stamps"]["standing"][0]["number"] = 2.into(), "the number of a stamp cannot be 2"),
        (|save| drop(save["map"]["stamps"]["ground"].as_array_mut().unwrap().pop()), "below an obstacle is missing"),
        (|save| save["planner"]["tick"] = u64::MAX.into(), "the tick cannot be 18446744073709551615"),
        (|save| save["planner"]["stats"]["orders"] = u64::MAX.into(), "the count of the planner cannot be"),
        (|save| save["planner"]["queue"] = serde_json::json!([9]), "the world has no entity with the SimId 9"),
        (
            |save| save["planner"]["batches"][0]["replies"][0]["asked"]["id"] = 4.into(),
            "the world has no entity with the SimId 4",
        ),
        (|save| save["units"][1]["id"] = 1.into(), "the save has the entity with the SimId 1 twice"),
        (|save| save["units"][0]["way"]["next"] = 999.into(), "the entity with the SimId 1 is at step 999 of a way of"),
        (|save| save["units"][0]["state"]["asked_at"] = 11.into(), "the tick of a request cannot be 11"),
        (
            |save| save["units"][1]["request"]["goal"] = serde_json::json!({"Entity": 77}),
            "the world has no entity with the SimId 77",
        ),
    ];
    for (number, (damage, wanted)) in damages.into_iter().enumerate() {
        let mut damaged = whole.clone();
        damage(&mut damaged);
        let message = error_of(&mut game, damaged);
        assert!(message.contains(wanted), "{number}: {message}, not {wanted}");
    }
    let text = whole.to_string();
    for length in [0, 1, text.len() / 2, text.len() - 1] {
        assert!(serde_json::from_str::<PathfindingSave>(&text[..length]).is_err());
    }
    // What is whole is restored in the same world, too, any number of times.
    for _ in 0..2 {
        let before = game.app.world().resource::<PathfindingHash>().value();
        let read: PathfindingSave = serde_json::from_str(&text).unwrap();
        read.restore(game.app.world_mut()).unwrap();
        assert_eq!(saved(&mut game), whole);
        game.ticks(20);
        assert_ne!(game.app.world().resource::<PathfindingHash>().value(), before);
    }
}

#[test]
fn names_must_be_there_and_apart() {
    let mut game = busy();
    let save = PathfindingSave::of(game.app.world_mut()).unwrap();
    let twin = game.spawn(SimId(2));
    assert_eq!(PathfindingSave::of(game.app.world_mut()).unwrap_err(), SaveError::SameName(SimId(2)));
    assert_eq!(save.clone().restore(game.app.world_mut()).unwrap_err(), RestoreError::SameName(SimId(2)));
    game.despawn(twin);
    let world = game.app.world_mut();
    let third = world.query::<(Entity, &SimId)>().iter(world).find(|(_, id)| id.0 == 3).unwrap().0;
    game.app.world_mut().entity_mut(third).remove::<SimId>();
    assert_eq!(PathfindingSave::of(game.app.world_mut()).unwrap_err(), SaveError::Unnamed(third));
    let before = format!("{:?}", game.stats());
    assert_eq!(save.clone().restore(game.app.world_mut()).unwrap_err(), RestoreError::Missing(SimId(3)));
    assert_eq!(format!("{:?}", game.stats()), before);
    let mut empty = World::new();
    assert_eq!(PathfindingSave::of(&mut empty).unwrap_err(), SaveError::NoPlugin);
    assert_eq!(save.restore(&mut empty).unwrap_err(), RestoreError::NoPlugin);
}

#[test]
fn what_the_save_does_not_know_is_gone() {
    let mut game = busy();
    let save = PathfindingSave::of(game.app.world_mut()).unwrap();
    let later = game.unit((3, 3), 5.0);
    game.go(later, (15, 3));
    game.ticks(6);
    save.restore(game.app.world_mut()).unwrap();
    assert_eq!((game.status(later), game.way(later)), (PathStatus::Idle, None));
    let orders = game.stats().orders;
    // It hears of new orders like anybody.
    game.go(later, (15, 3));
    assert_eq!(game.stats().orders, orders + 1);
    game.until_told(later, Kind::Reached, 200);
}

#[test]
fn answers_that_come_when_they_are_ready_come_after_a_save_too() {
    for executor in [Executor::Inline, pool(2)] {
        let mut game = Game::open(60, 60, CornerRule::BothFree);
        game.settings().executor = executor;
        game.settings().expansions_per_tick = 40;
        game.settings().delivery = Delivery::AsReady;
        let units: Vec<_> =
            (0..6).map(|number| game.spawn((game.at((1, number)), Mover::new(9.0), SimId(number as u64)))).collect();
        for (number, &unit) in units.iter().enumerate() {
            game.order(unit, PathRequest::to(Cell::new(58, 50 + number as i32)).algorithm(Algorithm::Dijkstra));
        }
        game.ticks(2);
        let text = saved(&mut game).to_string();
        serde_json::from_str::<PathfindingSave>(&text).unwrap().restore(game.app.world_mut()).unwrap();
        for &unit in &units {
            game.until_told(unit, Kind::Reached, 3000);
            assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
        }
    }
}

#[test]
fn a_game_without_a_map_is_saved_without_one() {
    let mut game = Game::new(None);
    game.spawn((Transform::default(), Mover::new(1.0), SimId(5), PathRequest::to(Cell::new(3, 3))));
    game.ticks(3);
    let text = saved(&mut game).to_string();
    let mut other = busy();
    let unit = other.spawn((Transform::default(), Mover::new(1.0), SimId(5)));
    serde_json::from_str::<PathfindingSave>(&text).unwrap().restore(other.app.world_mut()).unwrap();
    assert!(other.app.world().get_resource::<Tilemap>().is_none());
    assert!(other.app.world().get_resource::<PathfindingHash>().is_none());
    assert_eq!((other.status(unit), other.planner().queued(), other.now()), (PathStatus::Queued, 1, 3));
    let (now, then) = (saved(&mut other), serde_json::from_str::<Value>(&text).unwrap());
    assert_eq!((&now["planner"], &now["units"][3]), (&then["planner"], &then["units"][0]));
}
