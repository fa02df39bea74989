//! Units that keep apart while a game does whatever it likes: nothing panics, nobody walks into a wall, and all comes to rest.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use bevy::prelude::*;
use bevy_wayfield::{
    ClassId, DijkstraMaps, Field, FieldSource, FollowField, Mover, Obstacle, Occupant, PathRequest, PathStatus, SimId,
    SourceGroup, Tilemap,
};
use wayfield::{Cell, CornerRule, Link};

use crate::world::{Dice, Game, PLAIN, WALL, foot, is_free, scattered};

const RULES: [CornerRule; 4] =
    [CornerRule::Never, CornerRule::BothFree, CornerRule::AtLeastOneFree, CornerRule::Always];

fn tilemap(dice: &mut Dice, rule: CornerRule) -> Tilemap {
    let (width, height) = (16 + dice.below(40) as usize, 16 + dice.below(30) as usize);
    let mut map = scattered(dice, width, height);
    for _ in 0..6 {
        let (from, to) = (Cell::new(dice.below(16) as i32, dice.below(16) as i32), Cell::new(8, 8));
        // One from a cell to itself is refused, and missed by nobody.
        let _ = map.add_link(Link::new(from, to, 3));
    }
    let classes = vec![foot(rule), foot(rule), foot(rule)];
    let tilemap = Tilemap::new(map, classes).with_unit_size(ClassId(1), 2).unwrap();
    tilemap.with_unit_size(ClassId(2), 3).unwrap()
}

fn somewhere(game: &Game, dice: &mut Dice) -> Vec2 {
    let cell = dice.cell(game.map());
    let off = Vec2::new(dice.below(100) as f32, dice.below(100) as f32) / 100.0 - 0.5;
    game.map().cell_to_world(cell) + off
}

fn spawn(game: &mut Game, dice: &mut Dice, id: u64) -> Entity {
    let class = ClassId(dice.below(8).saturating_sub(5) as usize);
    let speed = [0.0, 0.5, 3.0, 8.0, 40.0, 1e9][dice.below(6) as usize];
    let offset = Vec2::new(dice.below(9) as f32 - 4.0, dice.below(9) as f32 - 4.0) / 10.0;
    let at = Transform::from_translation(somewhere(game, dice).extend(0.0));
    let mover = Mover { speed, class, offset };
    let occupant = if dice.below(8) == 0 { Occupant::firm() } else { Occupant::default() };
    game.spawn((at, mover, occupant, SimId(id)))
}

fn disturb(game: &mut Game, dice: &mut Dice, units: &mut [Entity], fields: &[bevy_wayfield::FieldId], id: u64) {
    let index = dice.below(units.len() as u32) as usize;
    let unit = units[index];
    let other = units[dice.below(units.len() as u32) as usize];
    let cell = dice.cell(game.map());
    let place = somewhere(game, dice);
    let mut entity = game.app.world_mut().entity_mut(unit);
    match dice.below(16) {
        0 => entity.get_mut::<Transform>().unwrap().translation = place.extend(0.0),
        1 => entity.get_mut::<Transform>().unwrap().translation = Vec3::new(f32::NAN, -1e9, 0.0),
        2 => _ = entity.insert(Occupant::firm()),
        3 => _ = entity.remove::<Occupant>(),
        4 => _ = entity.insert(Occupant::default()),
        5 => _ = entity.insert(FollowField::new(fields[dice.below(3) as usize])),
        6 => _ = entity.remove::<FollowField>(),
        7 => _ = entity.remove::<PathRequest>(),
        8 if dice.below(4) == 0 => _ = entity.insert(Obstacle::new(1, 2, WALL)),
        9 => _ = entity.remove::<Obstacle>(),
        10 => _ = entity.insert(PathRequest::to(other).nearest()),
        11 => {
            // An order is for the kind that the unit was.
            entity.remove::<PathRequest>();
            entity.get_mut::<Mover>().unwrap().class = ClassId(dice.below(4) as usize);
        }
        12 => {
            entity.despawn();
            units[index] = spawn(game, dice, id);
        }
        13 => {
            let cells = (0..3).map(|x| (cell.x + x, cell.y)).filter(|&at| game.map().size().contains(at.into()));
            let cells: Vec<_> = cells.collect();
            let terrain = if dice.below(2) == 0 { WALL } else { PLAIN };
            game.paint(cells, terrain);
        }
        _ => _ = entity.insert(PathRequest::to(cell).nearest().allow_partial()),
    }
}

#[test]
fn whatever_a_game_does_nothing_panics_and_nobody_walks_into_a_wall() {
    for seed in 0..24 {
        let mut dice = Dice::new(seed);
        let rule = RULES[seed as usize % 4];
        let mut game = Game::new(Some(tilemap(&mut dice, rule)));
        let group = SourceGroup(3);
        let fields = {
            let mut maps = game.app.world_mut().resource_mut::<DijkstraMaps>();
            [
                maps.define("one", Field::seek(ClassId(0)).group(group)),
                maps.define("two", Field::seek(ClassId(1)).cells([Cell::new(9, 9)])),
                maps.define("three", Field::flee(ClassId(0), ClassId(0), wayfield::FleeScale::default()).group(group)),
            ]
        };
        let mut units: Vec<_> = (0..60).map(|id| spawn(&mut game, &mut dice, id)).collect();
        game.app.world_mut().entity_mut(units[0]).insert(FieldSource::new(group));
        for tick in 0..260 {
            for turn in 0..dice.below(5) {
                disturb(&mut game, &mut dice, &mut units, &fields, 1000 + tick * 10 + u64::from(turn));
            }
            if tick == 180 {
                let other = tilemap(&mut dice, rule);
                game.app.insert_resource(other);
            }
            // What the game has just done to units is its own affair; what the tick does is not.
            let before: Vec<_> = units.iter().map(|&unit| state(&game, unit)).collect();
            game.app.update();
            for (&unit, before) in units.iter().zip(before) {
                let (class, Some(from)) = before else { continue };
                let (_, Some(to)) = state(&game, unit) else { continue };
                if game.map().grid(class).is_some() && is_free(game.map(), class, from) {
                    let is_fine = is_free(game.map(), class, to) || game.get::<Obstacle>(unit).is_some();
                    assert!(is_fine || tick == 180, "seed {seed}, tick {tick}: {unit} went from {from} into {to}");
                }
            }
        }
    }
}

fn state(game: &Game, unit: Entity) -> (ClassId, Option<Cell>) {
    let mover = game.get::<Mover>(unit).unwrap();
    let class = game.get::<PathRequest>(unit).and_then(|request| request.class).unwrap_or(mover.class);
    (class, game.map().world_to_unit(class, game.position(unit)))
}

#[test]
fn a_crowd_that_is_left_alone_comes_to_rest() {
    for seed in 0..16 {
        let mut dice = Dice::new(300 + seed);
        let rule = RULES[seed as usize % 4];
        let mut game = Game::new(Some(Tilemap::new(scattered(&mut dice, 40, 30), vec![foot(rule)])));
        let mut units = Vec::new();
        for id in 0..150_u8 {
            let at = Transform::from_translation(somewhere(&game, &mut dice).extend(0.0));
            let unit = game.spawn((at, Mover::new(3.0 + f32::from(id % 5)), Occupant::default(), SimId(id.into())));
            let goal = dice.cell(game.map());
            game.order(unit, PathRequest::to(goal).nearest().allow_partial());
            units.push(unit);
        }
        for _ in 0..32 * 60 {
            game.app.update();
        }
        let places = |game: &Game| units.iter().map(|&unit| game.position(unit)).collect::<Vec<_>>();
        let (before, searches) = (places(&game), game.stats().searches);
        for _ in 0..200 {
            game.app.update();
        }
        let moved = before.iter().zip(places(&game)).filter(|(before, now)| **before != *now).count();
        assert_eq!((moved, game.stats().searches), (0, searches), "seed {seed}");
        let is_done = |unit: &&Entity| {
            !matches!(game.status(**unit), PathStatus::Ready | PathStatus::Partial(_))
                || game.get::<PathRequest>(**unit).is_none()
        };
        let done = units.iter().filter(is_done).count();
        assert!(done * 100 >= units.len() * 95, "seed {seed}: {done} of {}", units.len());
    }
}
