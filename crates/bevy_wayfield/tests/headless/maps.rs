//! Walls over units, and maps that are missing, replaced, or under other rules.

use bevy::prelude::*;
use bevy_wayfield::{ClassId, DijkstraMaps, Field, FollowField, Mover, PathRequest, PathStatus, Tilemap};
use wayfield::{Algorithm, Cell, CellRect, CornerRule, Cost, Heuristic, Reason, TerrainId};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, WALL, foot, is_free, plain, scattered};

fn square(middle: (i32, i32), radius: i32) -> impl Iterator<Item = (i32, i32)> {
    CellRect::around(middle.into(), radius).cells().map(|cell| (cell.x, cell.y))
}

#[test]
fn a_unit_painted_into_a_wall_gets_out_and_goes_on() {
    for rule in CornerRule::ALL {
        for radius in [0, 1, 3, 20] {
            let mut game = Game::open(64, 64, rule);
            let unit = game.unit((20, 30), 8.0);
            game.go(unit, (60, 30));
            game.until(60, |game| game.cell(unit) == Cell::new(24, 30));
            game.paint(square((24, 30), radius), WALL);
            game.tick();
            assert_eq!(game.status(unit), PathStatus::Trapped);
            assert!(game.get::<PathRequest>(unit).is_some(), "the order stands");
            // Once out it never goes in again: every tick checks that.
            game.until(200, |game| is_free(game.map(), FOOT, game.cell(unit)));
            game.until_told(unit, Kind::Reached, 900);
            let told = game.told(unit);
            assert_eq!(told.iter().filter(|&&(kind, _)| kind == Kind::Reached).count(), 1, "{told:?}");
            // Deep in a wall no step is legal.
            let failed = game.log().iter().filter(|said| said.kind == Kind::Failed);
            assert!(failed.clone().all(|said| said.reason == Some(Reason::StartBlocked)), "{told:?}");
            assert!(radius > 0 || failed.count() == 0, "{told:?}");
            assert_eq!((game.cell(unit), game.status(unit)), (Cell::new(60, 30), PathStatus::Arrived));
            for pair in told.windows(2).filter(|pair| pair[1].0 == Kind::Ready) {
                let announced = matches!(pair[0].0, Kind::Invalidated | Kind::Failed);
                assert!(announced, "what is searched again is announced: {told:?}");
            }
        }
    }
}

#[test]
fn an_idle_unit_painted_into_a_wall_gets_out_and_stays() {
    let mut game = Game::open(20, 20, CornerRule::BothFree);
    let unit = game.unit((10, 10), 8.0);
    game.paint(square((10, 10), 2), WALL);
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Trapped);
    game.until(60, |game| game.status(unit) == PathStatus::Idle);
    assert_eq!(game.cell(unit).chebyshev(Cell::new(10, 10)), 3, "the nearest free cell");
    game.ticks(10);
    let here = game.position(unit);
    game.ticks(10);
    assert_eq!((game.position(unit), game.log().len()), (here, 0));
}

#[test]
fn a_wall_without_end_is_sat_out() {
    let mut game = Game::open(80, 80, CornerRule::BothFree);
    let units = [(40, 40), (0, 0), (79, 3)].map(|cell| {
        let unit = game.unit(cell, 8.0);
        game.go(unit, (70, 70));
        unit
    });
    game.ticks(5);
    game.paint(square((40, 40), 39).chain((0..80).flat_map(|n| [(n, 0), (0, n)])), WALL);
    game.paint((0..80).flat_map(|n| [(n, 79), (79, n)]), WALL);
    game.ticks(60);
    for unit in units {
        assert_eq!(game.status(unit), PathStatus::Trapped);
    }
    assert_eq!(game.count(Kind::Reached), 0);
    game.paint(square((40, 40), 39), PLAIN);
    for unit in units {
        game.until_told(unit, Kind::Reached, 600);
        assert_eq!(game.cell(unit), Cell::new(70, 70));
    }
}

/// Units on their way over a map, each with a goal.
fn crowd(game: &mut Game, dice: &mut Dice, units: u32) -> Vec<Entity> {
    (0..units)
        .map(|_| {
            let start = dice.free_cell(game.map());
            let unit = game.unit(start, 6.0 + dice.below(6) as f32);
            let goal = dice.free_cell(game.map());
            game.go(unit, goal);
            unit
        })
        .collect()
}

fn all_arrive(game: &mut Game, units: &[Entity], limit: u64) {
    game.until(limit, |game| units.iter().all(|&unit| game.status(unit) == PathStatus::Arrived));
    for &unit in units {
        assert_eq!(game.told(unit).iter().filter(|&&(kind, _)| kind == Kind::Reached).count(), 1);
    }
}

#[test]
fn the_whole_map_is_replaced_under_a_crowd() {
    for (width, height) in [(40, 40), (60, 40), (40, 60), (90, 70)] {
        for by_inserting in [false, true] {
            let mut dice = Dice::new(21);
            let mut game = Game::open(40, 40, CornerRule::BothFree);
            game.answers_take(2);
            let units = crowd(&mut game, &mut dice, 50);
            game.ticks(30);
            // A wall with one gap, so that hardly a way stays as it was; goals keep their cells.
            let mut other = plain(width, height);
            let wall = (0..height as i32).map(|y| (Cell::new(20, y), if y == 5 { PLAIN } else { WALL }));
            other.edit(wall).unwrap();
            let goals = units.iter().filter_map(|&unit| Some(game.get::<PathRequest>(unit)?.goal));
            let goals: Vec<_> = goals.filter_map(|goal| goal.cell(game.map(), ClassId(0))).collect();
            other.edit(goals.into_iter().map(|goal| (goal, PLAIN))).unwrap();
            if by_inserting {
                game.app.insert_resource(Tilemap::new(other, vec![foot(CornerRule::BothFree)]));
            } else {
                game.map_mut().replace(other);
            }
            all_arrive(&mut game, &units, 900);
        }
    }
}

#[test]
fn a_smaller_map_leaves_units_and_goals_outside() {
    let mut game = Game::open(40, 40, CornerRule::BothFree);
    let inside = game.unit((2, 38), 4.0);
    let goal_outside = game.unit((2, 38), 4.0);
    let outside = game.unit((38, 2), 4.0);
    for (unit, goal) in [(inside, (9, 9)), (goal_outside, (30, 9)), (outside, (9, 9))] {
        game.go(unit, goal);
    }
    game.ticks(5);
    // The bottom left corner stays in place, and so do the units.
    let before = game.position(outside);
    game.map_mut().replace(plain(10, 10));
    game.until_told(inside, Kind::Reached, 300);
    assert_eq!(game.cell(inside), Cell::new(9, 9));
    for unit in [goal_outside, outside] {
        assert_eq!(game.status(unit), PathStatus::Failed(Reason::OutOfBounds));
        assert_eq!(game.told(unit).iter().filter(|&&(kind, _)| kind == Kind::Failed).count(), 1);
    }
    assert!((game.position(outside) - before).length() < 0.2);
    // On the larger map they go on.
    game.map_mut().replace(plain(40, 40));
    for unit in [goal_outside, outside] {
        game.until_told(unit, Kind::Reached, 600);
    }
}

#[test]
fn a_map_inserted_over_another_one_renews_the_fields() {
    let mut game = Game::open(12, 3, CornerRule::BothFree);
    let field =
        game.app.world_mut().resource_mut::<DijkstraMaps>().define("ore", Field::seek(FOOT).cells([Cell::new(11, 0)]));
    let at = game.at((0, 0));
    let unit = game.spawn((at, Mover::new(12.0), FollowField::new(field)));
    game.ticks(3);
    let mut other = plain(12, 3);
    other.edit([(Cell::new(6, 0), WALL)]).unwrap();
    game.app.insert_resource(Tilemap::new(other, vec![foot(CornerRule::BothFree)]));
    game.ticks(2);
    let value = game.app.world().resource::<DijkstraMaps>().value_at(field, Cell::new(6, 0));
    assert_eq!(value, None, "a wall has no value");
    game.until(120, |game| game.cell(unit) == Cell::new(11, 0));
}

#[test]
fn without_a_map_orders_wait_for_one() {
    let mut game = Game::new(None);
    let unit = game.spawn((Transform::from_xyz(0.5, 0.5, 0.0), Mover::new(8.0), PathRequest::to(Cell::new(8, 0))));
    game.ticks(20);
    assert_eq!((game.status(unit), game.log().len()), (PathStatus::Queued, 0));
    game.app.insert_resource(Tilemap::new(plain(9, 1), vec![foot(CornerRule::BothFree)]));
    game.until_told(unit, Kind::Reached, 60);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
}

#[test]
fn a_map_may_be_away_for_a_while() {
    let mut game = Game::open(20, 1, CornerRule::BothFree);
    game.answers_take(3);
    let units = [0, 1].map(|_| game.unit((0, 0), 8.0));
    game.go(units[0], (19, 0));
    game.ticks(8);
    game.go(units[1], (19, 0));
    game.tick();
    let map = game.app.world_mut().remove_resource::<Tilemap>().unwrap();
    game.ticks(10);
    assert_eq!(game.told(units[0]), [(Kind::Ready, 1)]);
    game.app.insert_resource(map);
    for unit in units {
        game.until_told(unit, Kind::Reached, 200);
    }
}

#[test]
fn rules_and_algorithms_are_switched_under_a_crowd() {
    let mut dice = Dice::new(3);
    let map = scattered(&mut dice, 48, 48);
    let mut game = Game::new(Some(Tilemap::new(map, vec![foot(CornerRule::Never)])));
    game.answers_take(2);
    // Goals that can be reached under the strictest rule can be reached under all.
    let mut units = Vec::new();
    while units.len() < 50 {
        let (start, goal) = (dice.free_cell(game.map()), dice.free_cell(game.map()));
        if game.map().grid(FOOT).unwrap().is_reachable(start, goal) {
            let unit = game.unit(start, 5.0 + dice.below(4) as f32);
            game.go(unit, goal);
            units.push(unit);
        }
    }
    let rules = [CornerRule::Always, CornerRule::BothFree, CornerRule::AtLeastOneFree, CornerRule::Never];
    let algorithms =
        [Algorithm::Greedy, Algorithm::Bfs, Algorithm::WeightedAStar, Algorithm::Dijkstra, Algorithm::AStar];
    for round in 0..20 {
        game.map_mut().set_corner_rule(rules[round % rules.len()]);
        game.settings().algorithm = algorithms[round % algorithms.len()];
        game.ticks(9);
    }
    assert!(game.count(Kind::Invalidated) > 100);
    all_arrive(&mut game, &units, 900);
}

#[test]
fn a_class_is_replaced_under_its_units() {
    let mut game = Game::drawn(&["....2....", "....#....", "........."], CornerRule::Never);
    let unit = game.unit((0, 0), 4.0);
    game.go(unit, (8, 0));
    game.ticks(4);
    assert_eq!(game.last(unit).cost.unwrap().units(), 9.0);
    let mut shy = foot(CornerRule::Never);
    shy.set_cost(TerrainId(2), None);
    game.map_mut().set_class(FOOT, shy.clone());
    game.map_mut().set_class(ClassId(9), shy);
    game.tick();
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
    assert!(game.last(unit).cost.unwrap().units() >= 12.0 - 1.0);
    game.until_told(unit, Kind::Reached, 200);
}

#[test]
fn a_class_that_does_not_exist_moves_nobody_and_harms_nobody() {
    let mut game = Game::open(6, 1, CornerRule::BothFree);
    let at = game.at((1, 0));
    let ghost = Mover { class: ClassId(9), ..Mover::new(4.0) };
    let field = Field::seek(ClassId(9)).cells([Cell::new(5, 0)]);
    let field = game.app.world_mut().resource_mut::<DijkstraMaps>().define("ghosts", field);
    let unit = game.spawn((at, ghost, FollowField::new(field), PathRequest::to(Cell::new(5, 0)).class(ClassId(9))));
    let other = game.unit((0, 0), 4.0);
    game.go(other, (5, 0));
    game.until_told(other, Kind::Reached, 80);
    assert_eq!(game.status(unit), PathStatus::Failed(Reason::UnknownClass));
    assert_eq!(game.cell(unit), Cell::new(1, 0));
}

#[test]
fn nobody_ever_enters_a_forbidden_cell() {
    for rule in CornerRule::ALL {
        for seed in 0..6 {
            let mut dice = Dice::new(1000 + seed);
            let map = scattered(&mut dice, 24, 24);
            let mut game = Game::new(Some(Tilemap::new(map, vec![foot(rule)]).with_layout(Vec2::new(-7.3, 11.9), 3.7)));
            game.settings().delivery = bevy_wayfield::Delivery::AfterTicks(seed as u32 % 3);
            let units: Vec<_> = (0..30)
                .map(|_| {
                    let start = dice.free_cell(game.map());
                    let at = game.at(start);
                    let offset = Vec2::new(dice.below(21) as f32 - 10.0, dice.below(21) as f32 - 10.0) / 20.0;
                    let mover = Mover { offset, ..Mover::new(2.0 + dice.below(90) as f32) };
                    game.spawn((at, mover))
                })
                .collect();
            for _ in 0..250 {
                let unit = units[dice.below(30) as usize];
                let goal = dice.cell(game.map());
                let request = PathRequest::to(goal);
                game.order(unit, if dice.below(2) == 0 { request.nearest() } else { request });
                game.tick();
            }
            assert!(game.count(Kind::Reached) + game.count(Kind::PartialEnd) > 20);
            assert_eq!(game.count(Kind::Invalidated), 0);
        }
    }
}

/// The least distance from a cell to a free one, by looking at all of them.
fn distance_out(map: &Tilemap, from: Cell) -> Option<Cost> {
    let free = map.size().rect().cells().filter(|&cell| is_free(map, FOOT, cell));
    free.map(|cell| Heuristic::Octile.estimate(from, cell)).min()
}

#[test]
fn out_of_a_wall_it_goes_to_the_nearest_free_cell() {
    // A side cell may be nearer than the corner of a smaller square.
    for (corner, side) in [((4, 4), (5, 0)), ((-4, 4), (0, -5)), ((8, 7), (-9, 0)), ((16, -16), (0, 17))] {
        let mut game = Game::open(41, 41, CornerRule::BothFree);
        game.paint(square((20, 20), 20), WALL);
        game.paint([(20 + corner.0, 20 + corner.1), (20 + side.0, 20 + side.1)], PLAIN);
        let unit = game.unit((20, 20), 8.0);
        game.tick();
        assert_eq!(game.status(unit), PathStatus::Trapped);
        game.until(200, |game| game.status(unit) == PathStatus::Idle);
        assert_eq!(game.cell(unit), Cell::new(20 + side.0, 20 + side.1), "not {corner:?}");
    }
    let mut dice = Dice::new(31);
    for _ in 0..40 {
        let mut game = Game::open(33, 33, CornerRule::BothFree);
        game.paint(square((16, 16), 16), WALL);
        let free: Vec<_> = (0..1 + dice.below(6)).map(|_| dice.cell(game.map())).collect();
        game.paint(free.iter().map(|cell| (cell.x, cell.y)), PLAIN);
        let start = dice.cell(game.map());
        let unit = game.unit(start, 8.0);
        game.until(200, |game| is_free(game.map(), FOOT, game.cell(unit)));
        let walked = Heuristic::Octile.estimate(start, game.cell(unit));
        assert_eq!(Some(walked), distance_out(game.map(), start), "{start} to {} of {free:?}", game.cell(unit));
    }
}

#[test]
fn a_wall_too_wide_is_sat_out() {
    for (free, leaves) in [((72, 40), true), ((73, 40), false), ((40, 8), true), ((79, 79), false)] {
        let mut game = Game::open(80, 80, CornerRule::BothFree);
        game.paint((0..80).flat_map(|y| (0..80).map(move |x| (x, y))), WALL);
        game.paint([free], PLAIN);
        let unit = game.unit((40, 40), 16.0);
        game.ticks(80);
        assert_eq!(game.cell(unit), if leaves { free.into() } else { Cell::new(40, 40) });
    }
}
