//! Larger units, links, slopes and fences in a game.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use bevy::prelude::*;
use bevy_wayfield::{ClassId, DijkstraMaps, Field, FollowField, FollowPath, Mover, PathRequest, PathStatus, Tilemap};
use wayfield::{Algorithm, Cell, CornerRule, InfluenceId, Link, Reason};

use crate::world::{FOOT, Game, Kind, PLAIN, TICKS_PER_SECOND, WALL, foot, plain, terrain};

/// Units of 2 x 2 cells, on the map of [`gaps`].
const CART: ClassId = ClassId(1);

/// A wall with a narrow and a wide gap, for units of one cell and of 2 x 2.
fn gaps(rule: CornerRule) -> Tilemap {
    let rows = [
        ".....#......",
        ".....#......",
        "............",
        ".....#......",
        ".....#......",
        ".....#......",
        "............",
        "............",
        ".....#......",
    ];
    let map = Tilemap::new(terrain(&rows), vec![foot(rule), foot(rule)]).with_layout(Vec2::new(3.0, -9.0), 8.0);
    map.with_unit_size(CART, 2).unwrap()
}

#[test]
fn a_wide_unit_goes_through_the_wide_gap() {
    for rule in CornerRule::ALL {
        for algorithm in Algorithm::ALL {
            let mut game = Game::new(Some(gaps(rule)));
            game.settings().algorithm = algorithm;
            let start = game.map().unit_to_world(CART, Cell::new(1, 1));
            let cart = game.spawn((Transform::from_translation(start.extend(0.0)), Mover::new(20.0)));
            let goal = game.map().unit_to_world(CART, Cell::new(9, 1));
            game.order(cart, PathRequest::to(goal).class(CART));
            game.until_told(cart, Kind::Ready, 5);
            let way = game.way(cart).unwrap();
            assert!(way.contains(&Cell::new(5, 6)), "{rule:?} {algorithm}: {way:?}");
            // After each tick it is checked that it stands on no wall.
            game.until_told(cart, Kind::Reached, 400);
            assert_eq!(game.position(cart), goal);
        }
    }
}

#[test]
fn a_wall_below_a_part_of_a_wide_unit_is_a_wall() {
    let mut game = Game::new(Some(gaps(CornerRule::BothFree)));
    let start = game.map().unit_to_world(CART, Cell::new(1, 1));
    let cart = game.spawn((Transform::from_translation(start.extend(0.0)), Mover::new(8.0).class(CART)));
    // The order is for what the unit is.
    game.order(cart, PathRequest::to(Cell::new(9, 1)));
    game.until_told(cart, Kind::Ready, 5);
    // The second row of its way through the gap.
    game.paint([(5, 7)], WALL);
    game.until_told(cart, Kind::Invalidated, 2);
    game.until_told(cart, Kind::Failed, 5);
    assert_eq!(game.last(cart).reason, Some(Reason::Unreachable));
    assert!(Tilemap::new(plain(3, 3), vec![foot(CornerRule::Never)]).with_unit_size(FOOT, 4).is_err());
}

#[test]
fn a_ferry_takes_its_time_and_closes() {
    let rows = ["...#.....", "...#.....", "...#....."];
    for speed in [2.0, 7.0] {
        let mut game = Game::drawn(&rows, CornerRule::BothFree);
        let ferry = game.map_mut().add_link(Link::new(Cell::new(2, 1), Cell::new(6, 1), 12)).unwrap();
        let unit = game.unit((0, 1), speed);
        game.go(unit, (8, 1));
        game.until_told(unit, Kind::Reached, 2000);
        let expected = (2.0 + 12.0 + 2.0) / f64::from(speed) * TICKS_PER_SECOND;
        assert!((game.now() as f64 - expected).abs() <= 2.0, "{} ticks at {speed}, not {expected}", game.now());

        // It closes while the unit waits for it.
        let late = game.unit((0, 1), speed);
        game.go(late, (8, 1));
        game.until(400, |game| game.get::<FollowPath>(late).is_some_and(|way| way.on_link > 0.5));
        game.map_mut().set_link_open(ferry, false).unwrap();
        game.until_told(late, Kind::Failed, 5);
        assert_eq!((game.cell(late), game.last(late).reason), (Cell::new(2, 1), Some(Reason::Unreachable)));
        // And opens again.
        game.map_mut().set_link_open(ferry, true).unwrap();
        game.until_told(late, Kind::Reached, 2000);
    }
}

#[test]
fn an_edit_far_away_does_not_make_the_ferry_begin_anew() {
    let rows = ["...#............", "...#............", "...#............"];
    let mut game = Game::drawn(&rows, CornerRule::BothFree);
    game.map_mut().add_link(Link::new(Cell::new(2, 1), Cell::new(6, 1), 12)).unwrap();
    let unit = game.unit((2, 1), 4.0);
    game.go(unit, (15, 1));
    // Three seconds for the ferry; every second something changes on the way beyond it.
    while game.told(unit).last().is_none_or(|&(kind, _)| kind != Kind::Reached) {
        let wall = 10 + (game.now() / 30 % 3) as i32;
        game.paint((10..13).map(|x| (x, 1)), PLAIN);
        game.paint([(wall, 1)], WALL);
        game.ticks(10);
        assert!(game.now() < 40 * TICKS_PER_SECOND as u64, "it never gets across");
    }
    assert!(game.count(Kind::Invalidated) > 2);
    assert!(game.now() < 8 * TICKS_PER_SECOND as u64, "{} ticks", game.now());
}

#[test]
fn a_wide_unit_at_the_edge_is_in_the_wall_and_gets_out() {
    let map = Tilemap::new(plain(9, 9), vec![foot(CornerRule::BothFree)]).with_unit_size(FOOT, 3).unwrap();
    let mut game = Game::new(Some(map));
    for corner in [(0, 0), (8, 0), (0, 8), (8, 8)] {
        let at = game.at(corner);
        let unit = game.spawn((at, Mover::new(8.0)));
        // A click in the last row is as good as one anywhere.
        let goal = PathRequest::to(game.map().cell_to_world(Cell::new(8 - corner.0, corner.1))).nearest();
        game.order(unit, goal);
        game.until(200, |game| game.count(Kind::Reached) + game.count(Kind::PartialEnd) > 0);
        game.despawn(unit);
    }
}

#[test]
fn rolling_units_take_the_ferry() {
    let mut game = Game::drawn(&["...#.....", "...#.....", "...#....."], CornerRule::BothFree);
    game.map_mut().add_link(Link::new(Cell::new(2, 1), Cell::new(6, 1), 3)).unwrap();
    let field =
        game.app.world_mut().resource_mut::<DijkstraMaps>().define("home", Field::seek(FOOT).cells([Cell::new(8, 1)]));
    let unit = game.unit((0, 1), 6.0);
    game.app.world_mut().entity_mut(unit).insert(FollowField::new(field));
    game.until(400, |game| game.cell(unit) == Cell::new(8, 1));
}

#[test]
fn slopes_are_walked_as_long_as_they_cost() {
    let class = foot(CornerRule::BothFree).with_slopes(3, 2).unwrap();
    let mut map = Tilemap::new(plain(9, 1), vec![class]);
    map.edit_heights([(Cell::new(4, 0), 2)]).unwrap();
    let mut game = Game::new(Some(map));
    let unit = game.unit((0, 0), 4.0);
    game.go(unit, (8, 0));
    game.until_told(unit, Kind::Reached, 400);
    let expected = (6.0 + 3.0 + 2.0) / 4.0 * TICKS_PER_SECOND;
    assert!((game.now() as f64 - expected).abs() <= 1.0, "{} ticks, not {expected}", game.now());
}

#[test]
fn a_fence_that_is_put_up_turns_units_back() {
    let mut game = Game::open(9, 3, CornerRule::BothFree);
    let unit = game.unit((0, 0), 4.0);
    game.go(unit, (8, 0));
    game.until_told(unit, Kind::Ready, 5);
    for y in 0..2 {
        game.map_mut().set_fence(Cell::new(4, y), Cell::new(5, y), true).unwrap();
    }
    game.until_told(unit, Kind::Invalidated, 2);
    game.until_told(unit, Kind::Reached, 400);
    assert_eq!(game.status(unit), PathStatus::Arrived);
    let fence = |y| (Cell::new(4, y), Cell::new(5, y));
    assert!((0..2).all(|y| game.map().terrain().has_fence(fence(y).0, fence(y).1)));
}

#[test]
fn danger_turns_those_who_mind_it() {
    const DANGER: InfluenceId = InfluenceId(3);
    let careful = foot(CornerRule::BothFree).with_influence(DANGER, 2).unwrap();
    for (class, minds) in [(foot(CornerRule::BothFree), false), (careful, true)] {
        let mut game = Game::new(Some(Tilemap::new(plain(9, 5), vec![class])));
        let field = Field::seek(FOOT).cells([Cell::new(8, 2)]);
        let field = game.app.world_mut().resource_mut::<DijkstraMaps>().define("home", field);
        let unit = game.unit((0, 2), 4.0);
        game.go(unit, (8, 2));
        game.until_told(unit, Kind::Ready, 5);
        game.map_mut().edit_influence(DANGER, (0..3).map(|y| (Cell::new(4, y), 20))).unwrap();
        let mut went_through = false;
        while game.status(unit) != PathStatus::Arrived {
            game.tick();
            went_through |= game.cell(unit) == Cell::new(4, 2);
            assert!(game.now() < 400);
        }
        assert_eq!((game.count(Kind::Invalidated) > 0, went_through), (minds, !minds));
        // Fields follow it, too: round by the side lane, one of 41 through the danger saved.
        let value = game.app.world().resource::<DijkstraMaps>().value_at(field, Cell::new(0, 2)).unwrap();
        let round = 6.0 + 2.0 * 2f64.sqrt();
        assert!((value - if minds { round } else { 8.0 }).abs() < 1e-6, "{value}");
    }
}
