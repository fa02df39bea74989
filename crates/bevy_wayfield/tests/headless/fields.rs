//! Fields that many units share: chase, flee, gather.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::{TaskPool, TaskPoolBuilder};
use bevy_wayfield::{
    DijkstraMaps, Executor, Field, FieldId, FieldProblem, FieldSource, FollowField, Mover, PathStatus, SourceGroup,
};
use wayfield::{Cell, CornerRule, DijkstraMap, FieldError, FleeScale, Source, TerrainId};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, WALL};

const TEAM: SourceGroup = SourceGroup(1);
const OTHERS: SourceGroup = SourceGroup(2);

fn maps(game: &Game) -> &DijkstraMaps {
    game.app.world().resource()
}

fn define(game: &mut Game, name: &str, field: Field) -> FieldId {
    game.app.world_mut().resource_mut::<DijkstraMaps>().define(name, field)
}

fn follower(game: &mut Game, cell: (i32, i32), speed: f32, field: FieldId) -> Entity {
    let at = game.at(cell);
    game.spawn((at, Mover::new(speed), FollowField::new(field)))
}

#[test]
fn a_field_is_the_one_of_the_core() {
    let mut dice = Dice::new(8);
    let mut game = Game::open(20, 20, CornerRule::BothFree);
    let ore = [(3, 4), (17, 2)].map(Cell::from);
    let field = define(&mut game, "ore", Field::seek(FOOT).cells(ore));
    assert!(maps(&game).get(field).is_none());
    for _ in 0..30 {
        let cells: Vec<_> = (0..4).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
        let terrain = if dice.below(3) == 0 { PLAIN } else { WALL };
        game.paint(cells, terrain);
        game.ticks(2);
        let fresh = DijkstraMap::toward(game.map().grid(FOOT).unwrap(), ore).unwrap();
        let grid_of =
            |map: &DijkstraMap| game.map().size().rect().cells().map(|cell| map.value(cell)).collect::<Vec<_>>();
        assert_eq!(grid_of(maps(&game).get(field).unwrap()), grid_of(&fresh));
    }
    let (version, map) = (maps(&game).version(field), maps(&game).get(field).unwrap().clone());
    game.ticks(20);
    assert_eq!(maps(&game).version(field), version, "nothing changed, nothing is computed");
    assert!(Arc::ptr_eq(&map, maps(&game).get(field).unwrap()));
    assert_eq!(maps(&game).id("ore"), Some(field));
    assert_eq!(maps(&game).iter().collect::<Vec<_>>(), [(field, "ore")]);
}

#[test]
fn raiders_chase_a_moving_target_on_one_field() {
    // 15 ticks between two fields and two until one is there are 2.2 cells of the target's way; and a source is a
    // cell, from whose middle the target is up to half a cell away.
    const LAG: f32 = 2.2 + 0.5;
    for (speed, catches) in [(4.0, false), (4.8, true)] {
        let mut game = Game::open(24, 24, CornerRule::BothFree);
        let chase = define(&mut game, "chase", Field::seek(FOOT).group(TEAM).every(15));
        let at = game.at((12, 6));
        let target = game.spawn((at, Mover::new(4.0), FieldSource::new(TEAM)));
        let raiders: Vec<_> = (0..50).map(|n| follower(&mut game, (6, 6 + n % 2), speed, chase)).collect();
        let corners = [(16, 6), (16, 16), (6, 16), (6, 6)];
        let mut leg = 0;
        game.ticks(3);
        let mut contact = false;
        for tick in 0..500 {
            if game.status(target) != PathStatus::Ready {
                game.go(target, corners[leg % 4]);
                leg += 1;
            }
            let before = game.position(raiders[0]);
            game.tick();
            let gap = game.position(raiders[0]).distance(game.position(target));
            assert!(gap <= 6.0 + LAG, "tick {tick}: {gap}");
            contact |= gap < 1.0;
            let stands = game.position(raiders[0]) == before;
            assert!(!stands || gap <= LAG, "tick {tick}: stands {gap} away");
        }
        assert!(contact || !catches);
        let version = maps(&game).version(chase);
        assert!((500 / 16..=504 / 15 + 1).contains(&version), "{version} fields");
        assert_eq!(game.count(Kind::Ready), leg, "raiders search no ways");

        // Without a target they stop where they are.
        game.despawn(target);
        game.ticks(40);
        let here = raiders.iter().map(|&raider| game.position(raider)).collect::<Vec<_>>();
        game.ticks(20);
        assert_eq!(raiders.iter().map(|&raider| game.position(raider)).collect::<Vec<_>>(), here);
    }
}

const JUNCTION: [&str; 9] = [
    "##########",
    "#........#",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "#####.####",
    "##########",
];

#[test]
fn civilians_run_past_the_dead_end() {
    let mut game = Game::drawn(&JUNCTION, CornerRule::Never);
    let flee = define(&mut game, "flee", Field::flee(FOOT, FOOT, FleeScale::default()).group(OTHERS));
    let threat = game.unit((1, 1), 2.0);
    game.app.world_mut().entity_mut(threat).insert(FieldSource::new(OTHERS));
    let civilian = follower(&mut game, (3, 1), 4.0, flee);
    game.ticks(2);
    let value = |game: &Game, x, y| maps(game).value_at(flee, Cell::new(x, y)).unwrap();
    for ((x, y), tenths) in [((5, 1), -60), ((8, 1), -84), ((4, 1), -50), ((2, 1), -30), ((1, 1), -20), ((5, 7), -120)]
    {
        assert!((value(&game, x, y) * 10.0 - f64::from(tenths)).abs() < 1e-9, "{x},{y}");
    }
    game.ticks(100);
    assert_eq!(game.cell(civilian), Cell::new(5, 7), "the end of the side branch");
    assert_eq!(game.position(civilian), game.map().cell_to_world(Cell::new(5, 7)));

    // The threat comes after it; at a junction free of threats the way to the dead end is the better one.
    game.app.world_mut().entity_mut(civilian).insert(FieldSource::new(TEAM));
    let chase = define(&mut game, "chase", Field::seek(FOOT).group(TEAM));
    game.app.world_mut().entity_mut(threat).insert(FollowField::new(chase));
    game.until(200, |game| game.cell(threat).chebyshev(game.cell(civilian)) <= 1);
}

#[test]
fn fleeing_works_in_all_directions() {
    for direction in wayfield::Direction::ALL {
        let mut game = Game::open(9, 9, CornerRule::BothFree);
        let flee =
            define(&mut game, "flee", Field::flee(FOOT, FOOT, FleeScale::new(1.5).unwrap()).cells([Cell::new(4, 4)]));
        let (dx, dy) = direction.delta();
        let unit = follower(&mut game, (4 + dx, 4 + dy), 8.0, flee);
        game.ticks(60);
        let end = game.cell(unit);
        assert!([0, 8].contains(&end.x) || [0, 8].contains(&end.y), "{direction:?} to {end}");
        assert!(end.chebyshev(Cell::new(4, 4)) == 4);
        if direction.is_diagonal() {
            assert_eq!(end, Cell::new(4 + 4 * dx, 4 + 4 * dy));
        }
    }
}

#[test]
fn without_threats_nobody_flees() {
    let mut game = Game::open(9, 9, CornerRule::BothFree);
    let flee = define(&mut game, "flee", Field::flee(FOOT, FOOT, FleeScale::default()).group(OTHERS));
    let unit = follower(&mut game, (4, 5), 8.0, flee);
    let here = game.position(unit);
    game.ticks(20);
    assert_eq!(game.position(unit), here);
    let at = game.at((4, 4));
    let threat = game.spawn((at, FieldSource::new(OTHERS)));
    game.ticks(20);
    assert_ne!(game.position(unit), here);
    game.despawn(threat);
    game.ticks(20);
    let here = game.position(unit);
    game.ticks(20);
    assert_eq!(game.position(unit), here);
    assert_eq!(maps(&game).value_at(flee, Cell::new(4, 4)), None);
}

#[test]
fn a_room_that_no_threat_can_reach_calls_nobody() {
    let mut game =
        Game::drawn(&["##########", "#t.......#", "##########", "#.########", "##########"], CornerRule::Never);
    let flee = define(&mut game, "flee", Field::flee(FOOT, FOOT, FleeScale::default()).cells([Cell::new(1, 1)]));
    let unit = follower(&mut game, (4, 1), 8.0, flee);
    let safe = follower(&mut game, (1, 3), 8.0, flee);
    game.ticks(60);
    assert_eq!((game.cell(unit), game.cell(safe)), (Cell::new(8, 1), Cell::new(1, 3)));
    assert_eq!(maps(&game).value_at(flee, Cell::new(1, 3)), None);
}

/// Where a worker goes, by which field, and how long it is busy there.
struct Place {
    field: FieldId,
    cell: Cell,
    ticks: u64,
}

/// The game's own code: a worker that loads at the first place and unloads at the second; the ticks of its deliveries.
fn deliveries(game: &mut Game, worker: Entity, places: &[Place; 2], ticks: u64) -> Vec<u64> {
    let mut delivered = Vec::new();
    let mut leg = 0;
    let mut busy_until = None;
    for tick in 0..ticks {
        let Place { cell, ticks, .. } = places[leg];
        if busy_until.is_none() && game.position(worker) == game.map().cell_to_world(cell) {
            busy_until = Some(tick + ticks);
        }
        if busy_until == Some(tick) {
            busy_until = None;
            if leg == 1 {
                delivered.push(tick);
            }
            leg = 1 - leg;
            game.app.world_mut().entity_mut(worker).insert(FollowField::new(places[leg].field));
        }
        game.tick();
    }
    delivered
}

#[test]
fn a_worker_brings_home_what_arithmetic_says() {
    let mut game = Game::drawn(&["D.........", "..........", ".........O"], CornerRule::Never);
    let (dock, ore) = (Cell::new(0, 0), Cell::new(9, 2));
    let to_dock = define(&mut game, "dock", Field::seek(FOOT).cells([dock]));
    let to_ore = define(&mut game, "ore", Field::seek(FOOT).cells([ore]));
    game.ticks(2);
    // One cell a tick: a cycle is 11 + 20 + 11 + 10 = 52 ticks.
    let worker = follower(&mut game, (0, 0), crate::world::TICKS_PER_SECOND as f32, to_ore);
    let places = [Place { field: to_ore, cell: ore, ticks: 20 }, Place { field: to_dock, cell: dock, ticks: 10 }];
    let delivered = deliveries(&mut game, worker, &places, 500);
    assert_eq!(delivered, (1..=9).map(|cycle| 52 * cycle).collect::<Vec<_>>());
}

#[test]
fn a_walled_in_ore_is_passed_over() {
    let mut game = Game::drawn(&["w.###..", "..#a#..", "..###..", "......b"], CornerRule::Never);
    let ore = define(&mut game, "ore", Field::seek(FOOT).cells([(3, 1), (6, 3)].map(Cell::from)));
    let worker = follower(&mut game, (0, 0), 8.0, ore);
    game.ticks(4);
    assert_eq!(maps(&game).value_at(ore, Cell::new(0, 0)), Some(9.0));
    game.ticks(60);
    assert_eq!(game.cell(worker), Cell::new(6, 3));
    // A nearer one opens.
    let second = follower(&mut game, (0, 0), 8.0, ore);
    game.paint([(2, 1)], PLAIN);
    game.ticks(40);
    assert_eq!(game.cell(second), Cell::new(3, 1));
}

#[test]
fn a_sum_weighs_its_fields_and_follows_them() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let treasure = define(&mut game, "treasure", Field::seek(FOOT).cells([Cell::new(10, 0)]));
    let danger = define(&mut game, "danger", Field::seek(FOOT).group(OTHERS));
    let desire = define(&mut game, "desire", Field::sum([(treasure, 1.0), (danger, -0.25)]));
    let at = game.at((0, 0));
    let threat = game.spawn((at, FieldSource::new(OTHERS)));
    let unit = follower(&mut game, (5, 0), 8.0, desire);
    game.ticks(4);
    for x in 0..11 {
        let sum = f64::from(10 - x) - 0.25 * f64::from(x);
        assert!((maps(&game).value_at(desire, Cell::new(x, 0)).unwrap() - sum).abs() < 1e-9);
    }
    game.put(threat, (4, 0));
    game.ticks(4);
    assert_eq!(maps(&game).value_at(desire, Cell::new(10, 0)), Some(-1.5), "it follows its parts");
    assert_eq!(maps(&game).value_at(desire, Cell::new(0, 0)), Some(9.0));
    game.ticks(40);
    assert_eq!(game.cell(unit), Cell::new(10, 0));
    // Walls stay walls in a sum.
    game.paint([(7, 0)], WALL);
    game.ticks(4);
    assert_eq!(maps(&game).value_at(desire, Cell::new(7, 0)), None);
    assert_eq!(maps(&game).value_at(desire, Cell::new(2, 0)), None, "no treasure can be reached from there");
}

#[test]
fn a_sum_of_what_is_not_there_waits() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let part = define(&mut game, "part", Field::seek(bevy_wayfield::ClassId(5)).cells([Cell::new(1, 0)]));
    let sum = define(&mut game, "sum", Field::sum([(part, 1.0)]));
    let empty = define(&mut game, "empty", Field::sum([]));
    let unit = follower(&mut game, (5, 0), 8.0, sum);
    let here = game.position(unit);
    game.ticks(10);
    assert!([part, sum, empty].iter().all(|&field| maps(&game).get(field).is_none()));
    assert_eq!(maps(&game).problem(empty), Some(FieldProblem::Compute(FieldError::SizeMismatch)));
    assert_eq!(game.position(unit), here);
    define(&mut game, "part", Field::seek(FOOT).cells([Cell::new(1, 0)]));
    game.ticks(40);
    assert_eq!(game.cell(unit), Cell::new(1, 0));
}

#[test]
fn a_source_outside_the_map() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let near = define(&mut game, "near", Field::seek(FOOT).group(TEAM));
    let cells = define(&mut game, "cells", Field::seek(FOOT).cells([Cell::new(2, 0)]));
    let at = game.at((8, 0));
    game.spawn((at, FieldSource::new(TEAM)));
    for position in [Vec3::new(-3.0, 0.5, 0.0), Vec3::new(f32::NAN, 0.5, 0.0), Vec3::splat(1e30)] {
        game.spawn((Transform::from_translation(position), FieldSource::new(TEAM)));
    }
    let unit = follower(&mut game, (4, 0), 8.0, near);
    game.ticks(3);
    // An entity outside is no source ...
    assert_eq!((maps(&game).value_at(near, Cell::new(4, 0)), maps(&game).problem(near)), (Some(4.0), None));
    game.ticks(40);
    assert_eq!(game.cell(unit), Cell::new(8, 0));
    // ... a cell outside is a mistake: the field keeps its map and says so.
    let version = maps(&game).version(cells);
    game.app.world_mut().resource_mut::<DijkstraMaps>().set_cells(cells, [Cell::new(2, 0), Cell::new(11, 0)]);
    game.ticks(3);
    assert!(matches!(
        maps(&game).problem(cells),
        Some(FieldProblem::Compute(FieldError::OutOfBounds { cell: Cell { x: 11, y: 0 }, .. }))
    ));
    assert_eq!((maps(&game).version(cells), maps(&game).value_at(cells, Cell::new(4, 0))), (version, Some(2.0)));
    game.app.world_mut().resource_mut::<DijkstraMaps>().set_cells(cells, [Cell::new(3, 0)]);
    game.ticks(3);
    assert_eq!((maps(&game).problem(cells), maps(&game).value_at(cells, Cell::new(4, 0))), (None, Some(1.0)));
}

#[test]
fn sources_have_values() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let field =
        define(&mut game, "field", Field::seek(FOOT).cells([Source { cell: Cell::new(0, 0), value: 0.0 }]).group(TEAM));
    let at = game.at((10, 0));
    game.spawn((at, FieldSource { group: TEAM, value: -6.0 }));
    let left = follower(&mut game, (1, 0), 8.0, field);
    let right = follower(&mut game, (3, 0), 8.0, field);
    game.ticks(60);
    assert_eq!((game.cell(left), game.cell(right)), (Cell::new(0, 0), Cell::new(10, 0)));
}

#[test]
fn a_field_may_get_another_definition() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    game.answers_take(3);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(0, 0)]));
    let unit = follower(&mut game, (5, 0), 4.0, field);
    game.ticks(8);
    assert_eq!(maps(&game).value_at(field, Cell::new(5, 0)), Some(5.0));
    // In the middle of a computation, too.
    define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(3, 0)]));
    game.ticks(2);
    let flees = Field::flee(FOOT, FOOT, FleeScale::default()).cells([Cell::new(0, 0)]);
    assert_eq!(define(&mut game, "field", flees.clone()), field);
    game.ticks(9);
    assert_eq!(maps(&game).value_at(field, Cell::new(10, 0)), Some(-12.0));
    game.ticks(60);
    assert_eq!(game.cell(unit), Cell::new(10, 0));
    // The same again changes nothing; another scale does.
    let version = maps(&game).version(field);
    define(&mut game, "field", flees);
    game.ticks(9);
    assert_eq!(maps(&game).version(field), version);
    game.app.world_mut().resource_mut::<DijkstraMaps>().set_flee_rule(field, FleeScale::new(2.0).unwrap());
    game.ticks(9);
    assert_eq!(maps(&game).value_at(field, Cell::new(10, 0)), Some(-20.0));
}

#[test]
fn a_way_is_followed_before_a_field() {
    let mut game = Game::open(11, 3, CornerRule::Never);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(0, 0)]));
    let unit = follower(&mut game, (5, 1), 8.0, field);
    game.go(unit, (10, 2));
    game.until_told(unit, Kind::Reached, 60);
    assert_eq!(game.cell(unit), Cell::new(10, 2));
    game.ticks(80);
    assert_eq!(game.cell(unit), Cell::new(0, 0));
}

#[test]
fn followers_are_walled_in_and_let_out() {
    let mut game = Game::open(15, 15, CornerRule::BothFree);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(14, 7)]));
    let units: Vec<_> = (0..15).map(|y| follower(&mut game, (0, y), 5.0, field)).collect();
    game.ticks(20);
    game.paint((0..15).map(|y| (7, y)), WALL);
    game.ticks(60);
    for &unit in &units {
        assert!(game.cell(unit).x < 7);
    }
    game.paint([(7, 0)], PLAIN);
    game.until(300, |game| units.iter().all(|&unit| game.cell(unit) == Cell::new(14, 7)));
}

#[test]
fn a_field_that_is_never_computed_anew_is_computed_once() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let field = define(&mut game, "field", Field::seek(FOOT).cells([Cell::new(0, 0)]).every(u64::MAX));
    game.ticks(10);
    game.app.world_mut().resource_mut::<DijkstraMaps>().set_cells(field, [Cell::new(9, 0)]);
    game.paint([(5, 0)], WALL);
    game.ticks(40);
    assert_eq!((maps(&game).version(field), maps(&game).value_at(field, Cell::new(7, 0))), (1, Some(7.0)));
}

/// Ticks, and returns the values that a cell had on a field, each once.
fn values_seen(game: &mut Game, field: FieldId, cell: Cell, ticks: u64) -> Vec<Option<f64>> {
    let mut seen = vec![maps(game).value_at(field, cell)];
    for _ in 0..ticks {
        game.tick();
        seen.push(maps(game).value_at(field, cell));
    }
    seen.dedup();
    seen
}

#[test]
fn a_field_that_is_redefined_never_shows_the_old_definition() {
    let [old, new] = [0, 10].map(|x| Field::seek(FOOT).cells([Cell::new(x, 0)]));
    let middle = Cell::new(2, 0);
    for pool in [false, true] {
        // Before anything, while the old one is computed, when it is there, and while it is computed again.
        for redefined_after in [0, 1, 3, 5, 7, 9] {
            let mut game = Game::open(11, 1, CornerRule::Never);
            if pool {
                let pool: TaskPool = TaskPoolBuilder::new().num_threads(2).build();
                game.settings().executor = Executor::Pool(Arc::new(pool));
            }
            game.answers_take(4);
            let field = define(&mut game, "field", old.clone());
            for tick in 0..redefined_after {
                if tick == 7 {
                    game.paint([(0, 0)], TerrainId(2));
                }
                game.tick();
            }
            let version = maps(&game).version(field);
            assert_eq!(version, u64::from(redefined_after >= 5));
            define(&mut game, "field", new.clone());
            let seen = values_seen(&mut game, field, middle, 20);
            assert_eq!(seen, [None, Some(8.0)], "after {redefined_after}");
            assert_eq!(maps(&game).version(field), version + 1);
        }
    }
}

#[test]
fn another_flee_scale_takes_the_place_of_a_map_that_is_being_computed() {
    let cell = Cell::new(10, 0);
    let flees = Field::flee(FOOT, FOOT, FleeScale::new(1.0).unwrap()).cells([Cell::new(0, 0)]).every(1_000);
    for set_after in [0, 1, 3, 9] {
        let mut game = Game::open(11, 1, CornerRule::Never);
        game.answers_take(4);
        let field = define(&mut game, "flee", flees.clone());
        game.ticks(set_after);
        let before = maps(&game).value_at(field, cell);
        assert_eq!(before, (set_after == 9).then_some(-10.0));
        game.app.world_mut().resource_mut::<DijkstraMaps>().set_flee_rule(field, FleeScale::new(3.0).unwrap());
        assert_eq!(maps(&game).flee_rule(field), FleeScale::new(3.0).ok().map(Into::into));
        assert_eq!(values_seen(&mut game, field, cell, 12), [before, Some(-30.0)], "after {set_after}");
        // In the middle of the next one, twice: only the last is there to be seen.
        game.paint([(5, 0)], TerrainId(2));
        for scale in [1.0, 2.0] {
            game.app.world_mut().resource_mut::<DijkstraMaps>().set_flee_rule(field, FleeScale::new(scale).unwrap());
            game.ticks(2);
        }
        assert_eq!(values_seen(&mut game, field, cell, 12), [Some(-30.0), Some(-22.0)]);
    }
}

#[test]
fn an_entity_whose_value_is_no_number_is_no_source() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let field = define(&mut game, "field", Field::seek(FOOT).group(TEAM));
    let at = game.at((8, 0));
    game.spawn((at, FieldSource::new(TEAM)));
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let at = game.at((1, 0));
        let odd = game.spawn((at, FieldSource { group: TEAM, value }));
        game.ticks(3);
        assert_eq!((maps(&game).value_at(field, Cell::new(2, 0)), maps(&game).problem(field)), (Some(6.0), None));
        game.app.world_mut().entity_mut(odd).insert(FieldSource::new(TEAM));
        game.ticks(3);
        assert_eq!(maps(&game).value_at(field, Cell::new(2, 0)), Some(1.0));
        game.despawn(odd);
    }
}

#[test]
fn a_cell_whose_value_is_no_number_is_told_once_and_stops_no_other_field() {
    let mut game = Game::open(11, 1, CornerRule::Never);
    let source = |x, value| Source { cell: Cell::new(x, 0), value };
    let odd = define(&mut game, "odd", Field::seek(FOOT).cells([source(0, 1.0)]));
    let fine = define(&mut game, "fine", Field::seek(FOOT).cells([source(0, 1.0)]));
    game.ticks(2);
    let set = |game: &mut Game, field, cells: [Source; 2]| {
        game.app.world_mut().resource_mut::<DijkstraMaps>().set_cells(field, cells);
    };
    set(&mut game, odd, [source(0, 1.0), source(3, f64::NAN)]);
    game.ticks(2);
    let is_told = |game: &Game| matches!(maps(game).problem(odd), Some(FieldProblem::Compute(FieldError::SourceValue { cell, .. })) if cell.x == 3);
    assert!(is_told(&game));
    assert_eq!((maps(&game).version(odd), maps(&game).value_at(odd, Cell::new(5, 0))), (1, Some(6.0)));

    // With the only thread busy, whatever is begun now is not ready before the end of this test.
    let pool: TaskPool = TaskPoolBuilder::new().num_threads(1).build();
    let pool = Arc::new(pool);
    let (release, released) = std::sync::mpsc::channel::<()>();
    pool.spawn(async move { released.recv().is_ok() }).detach();
    game.settings().executor = Executor::Pool(pool.clone());
    game.ticks(5);
    game.settings().executor = Executor::Inline;
    set(&mut game, fine, [source(0, 1.0), source(10, 0.0)]);
    game.ticks(5);
    assert_eq!((maps(&game).value_at(fine, Cell::new(9, 0)), maps(&game).problem(fine)), (Some(1.0), None));
    assert!(is_told(&game));
    set(&mut game, odd, [source(0, 1.0), source(3, 0.0)]);
    game.ticks(2);
    assert_eq!(maps(&game).value_at(odd, Cell::new(5, 0)), Some(2.0), "nothing of it was being computed");
    assert_eq!((maps(&game).version(odd), maps(&game).problem(odd)), (2, None));
    drop(release);
}
