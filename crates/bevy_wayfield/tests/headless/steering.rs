//! How units walk.

use bevy::prelude::*;
use bevy_wayfield::{FollowPath, Mover, PathStatus, Tilemap};
use wayfield::{Cell, CornerRule};

use crate::world::{Dice, FOOT, Game, Kind, TICKS_PER_SECOND, WALL, foot, plain, scattered, terrain};

#[test]
fn a_unit_arrives_when_the_cost_of_its_way_says() {
    let mut dice = Dice::new(12);
    for rule in CornerRule::ALL {
        let mut walked = 0;
        while walked < 25 {
            let map = scattered(&mut dice, 20, 20);
            let mut game =
                Game::new(Some(Tilemap::new(map, vec![foot(rule)]).with_layout(Vec2::new(50.0, -8.0), 12.0)));
            let (start, goal) = (dice.free_cell(game.map()), dice.free_cell(game.map()));
            if start == goal || !game.map().grid(FOOT).unwrap().is_reachable(start, goal) {
                continue;
            }
            let speed = 1.0 + dice.below(70) as f32 / 2.0;
            let unit = game.unit(start, speed);
            game.go(unit, goal);
            game.tick();
            let cost = game.log()[0].cost.unwrap().units();
            let previewed = game.way(unit);
            let mut cells = vec![start];
            // The first tick of the way is the one in which the answer came.
            while game.status(unit) != PathStatus::Arrived {
                cells.push(game.cell(unit));
                game.tick();
            }
            let expected = (cost / f64::from(speed) * TICKS_PER_SECOND).ceil();
            let ticks = game.now() as f64;
            assert!((ticks - expected).abs() <= 1.0, "{rule:?}: {ticks} ticks for {cost} at {speed}, not {expected}");
            // A fast one is not seen on every cell.
            if speed < 20.0 {
                cells.push(goal);
                cells.dedup();
                assert_eq!(Some(cells), previewed, "{rule:?} at {speed}");
            }
            walked += 1;
        }
    }
}

#[test]
fn a_corner_is_passed_and_never_stood_on() {
    // A step of half a diagonal ends on the very point where four cells meet, give or take a rounding.
    let half = TICKS_PER_SECOND as f32 * std::f32::consts::FRAC_1_SQRT_2;
    let speeds = [half, half.next_up(), half.next_down(), half / 2.0, half / 4.0, half / 3.0, half / 8.0];
    let maps = [["S#", "#G"], ["#G", "S#"]];
    for (rows, ends) in maps.into_iter().zip([[(0, 0), (1, 1)], [(0, 1), (1, 0)]]) {
        for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            for speed in speeds {
                for origin in [Vec2::ZERO, Vec2::new(-0.3, 7.7), Vec2::new(1000.1, -333.3)] {
                    let map = Tilemap::new(terrain(&rows), vec![foot(CornerRule::Always)]).with_layout(origin, 1.0);
                    let mut game = Game::new(Some(map));
                    let unit = game.unit(from, speed);
                    game.go(unit, to);
                    for _ in 0..40 {
                        game.tick();
                        assert_ne!(game.status(unit), PathStatus::Trapped, "{from:?} to {to:?} at {speed}");
                    }
                    assert_eq!((game.cell(unit), game.status(unit)), (to.into(), PathStatus::Arrived));
                }
            }
        }
    }
}

#[test]
fn an_offset_keeps_units_apart_and_off_corners() {
    for rule in CornerRule::ALL {
        let mut game = Game::open(12, 12, rule);
        game.paint([(5, 4), (5, 5), (5, 6)], WALL);
        let offsets = [Vec2::new(0.3, 0.2), Vec2::new(-0.3, -0.2), Vec2::splat(9.0), Vec2::splat(f32::NAN)];
        let units = offsets.map(|offset| {
            let at = game.at((1, 5));
            let unit = game.spawn((at, Mover { offset, ..Mover::new(6.0) }));
            game.go(unit, (10, 5));
            unit
        });
        for unit in units {
            game.until_told(unit, Kind::Reached, 200);
            assert_eq!(game.cell(unit), Cell::new(10, 5));
        }
        let [one, other] = [units[0], units[1]].map(|unit| game.position(unit));
        let keeps_off = matches!(rule, CornerRule::Never | CornerRule::BothFree);
        assert_eq!((one - other).length() > 0.5, keeps_off, "{rule:?}");
        assert!(game.position(units[3]).is_finite());
    }
}

#[test]
fn odd_speeds_harm_nobody() {
    for speed in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0, 0.0, f32::MAX, f32::MIN_POSITIVE] {
        let mut game = Game::open(40, 3, CornerRule::BothFree);
        let unit = game.unit((0, 1), speed);
        let other = game.unit((0, 0), 8.0);
        game.go(unit, (39, 2));
        game.go(other, (9, 0));
        game.until_told(other, Kind::Reached, 60);
        let is_fast = speed > 1.0;
        assert_eq!(game.told(unit).contains(&(Kind::Reached, 1)), is_fast, "{speed}");
        assert_eq!(game.cell(unit), if is_fast { Cell::new(39, 2) } else { Cell::new(0, 1) }, "{speed}");
        assert!(game.position(unit).is_finite());
        if !is_fast {
            game.app.world_mut().entity_mut(unit).insert(Mover::new(30.0));
            game.until_told(unit, Kind::Reached, 80);
        }
    }
}

#[test]
fn a_unit_that_is_moved_off_its_way_finds_another() {
    let mut game = Game::open(30, 20, CornerRule::BothFree);
    let unit = game.unit((0, 2), 6.0);
    game.go(unit, (29, 2));
    game.ticks(20);
    game.put(unit, (3, 17));
    game.ticks(2);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
    game.until_told(unit, Kind::Reached, 300);
    assert_eq!((game.cell(unit), game.told(unit).len()), (Cell::new(29, 2), 4));
}

#[test]
fn a_unit_that_is_moved_while_it_is_searched_for_finds_a_way() {
    let mut game = Game::open(30, 20, CornerRule::BothFree);
    game.answers_take(3);
    let unit = game.unit((0, 2), 6.0);
    game.go(unit, (29, 2));
    game.ticks(2);
    game.put(unit, (3, 17));
    game.until_told(unit, Kind::Reached, 400);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
}

#[test]
fn a_unit_that_is_taken_off_the_map_waits_to_be_put_back() {
    let mut game = Game::open(30, 20, CornerRule::BothFree);
    let unit = game.unit((0, 2), 6.0);
    game.go(unit, (29, 2));
    for nowhere in [Vec3::splat(f32::NAN), Vec3::new(-50.0, 0.0, 0.0)] {
        game.ticks(5);
        game.app.world_mut().entity_mut(unit).insert(Transform::from_translation(nowhere));
        game.ticks(5);
        game.put(unit, (4, 2));
    }
    game.until_told(unit, Kind::Reached, 300);
    assert_eq!(game.cell(unit), Cell::new(29, 2));
}

#[test]
fn the_height_of_a_unit_is_the_games() {
    let mut game = Game::new(Some(Tilemap::new(plain(9, 9), vec![foot(CornerRule::BothFree)])));
    let mut at = game.at((0, 0));
    at.translation.z = 3.25;
    let unit = game.spawn((at, Mover::new(8.0)));
    game.go(unit, (8, 8));
    game.until_told(unit, Kind::Reached, 80);
    assert_eq!(game.get::<Transform>(unit).unwrap().translation.z, 3.25);
}

#[test]
fn a_way_without_a_mover_is_the_games_to_walk() {
    let mut game = Game::open(9, 1, CornerRule::BothFree);
    let at = game.at((0, 0));
    let unit = game.spawn(at);
    game.go(unit, (8, 0));
    game.ticks(30);
    assert_eq!((game.cell(unit), game.told(unit)), (Cell::new(0, 0), vec![(Kind::Ready, 1)]));
    assert_eq!(game.get::<FollowPath>(unit).map(|way| way.remaining().len()), Some(8));
    // The game's own steering may be pushed off the way by an edit as well.
    game.paint([(4, 0)], WALL);
    game.ticks(2);
    assert_eq!(game.last(unit).kind, Kind::Failed);
}
