//! Entities that lay terrain over the map for as long as they stand there.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::{
    ClassId, DijkstraMaps, Field, FieldSource, FollowField, Obstacle, PathRequest, PathStatus, Planner, SimId,
    SourceGroup, Tilemap,
};
use wayfield::{Cell, CellRect, CornerRule, Reason, TerrainId};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, TICKS_PER_SECOND, WALL, foot, is_free, plain};

const MUD: TerrainId = TerrainId(5);
const SAND: TerrainId = TerrainId(2);

/// An obstacle whose top left cell is this one.
fn build(game: &mut Game, cell: (i32, i32), obstacle: Obstacle) -> Entity {
    let at = middle(game, cell, obstacle);
    game.spawn((obstacle, at))
}

/// Where an obstacle stands whose top left cell is this one.
fn middle(game: &Game, cell: (i32, i32), obstacle: Obstacle) -> Transform {
    let mut at = game.at(cell);
    at.translation.x += (obstacle.size.x as f32 - 1.0) / 2.0;
    at.translation.y -= (obstacle.size.y as f32 - 1.0) / 2.0;
    at
}

fn set(game: &mut Game, entity: Entity, bundle: impl Bundle) {
    game.app.world_mut().entity_mut(entity).insert(bundle);
}

fn terrain(game: &Game, cell: (i32, i32)) -> TerrainId {
    game.map().terrain().terrain(cell.into()).unwrap()
}

/// The cells that are not plain.
fn marked(game: &Game) -> Vec<(i32, i32)> {
    let cells = game.map().size().rect().cells();
    cells.map(|cell| (cell.x, cell.y)).filter(|&cell| terrain(game, cell) != PLAIN).collect()
}

fn cells(from: (i32, i32), to: (i32, i32)) -> Vec<(i32, i32)> {
    CellRect::new(from.into(), to.into()).cells().map(|cell| (cell.x, cell.y)).collect()
}

#[test]
fn a_house_that_is_a_source_is_come_to_from_all_sides() {
    let mut game = Game::open(30, 20, CornerRule::BothFree);
    let homes = SourceGroup(4);
    let mut maps = game.app.world_mut().resource_mut::<DijkstraMaps>();
    let home = maps.define("home", Field::seek(FOOT).group(homes));
    let at = game.at((15, 10));
    game.spawn((at, Obstacle::new(3, 3, WALL), FieldSource::new(homes)));
    let units: Vec<_> = [(1, 10), (28, 10), (15, 1), (15, 18)].into_iter().map(|cell| game.unit(cell, 8.0)).collect();
    for &unit in &units {
        game.app.world_mut().entity_mut(unit).insert(FollowField::new(home));
    }
    game.ticks(120);
    for unit in units {
        assert_eq!(game.cell(unit).chebyshev(Cell::new(15, 10)), 2, "beside it, on its own side");
    }
    let value = |game: &Game, x| game.app.world().resource::<DijkstraMaps>().value_at(home, Cell::new(x, 10));
    assert_eq!((value(&game, 13), value(&game, 17), value(&game, 10)), (Some(0.0), Some(0.0), Some(3.0)));
}

#[test]
fn a_building_on_the_way_is_walked_around() {
    for ticks in [0, 2] {
        let mut game = Game::open(20, 11, CornerRule::BothFree);
        game.answers_take(ticks);
        let unit = game.unit((0, 5), 4.0);
        let elsewhere = game.unit((0, 10), 4.0);
        game.go(unit, (19, 5));
        game.go(elsewhere, (19, 10));
        game.ticks(10);
        let house = build(&mut game, (8, 3), Obstacle::new(3, 5, WALL));
        game.ticks(u64::from(ticks) + 1);
        assert_eq!(marked(&game), cells((8, 3), (10, 7)));
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
        let way = game.way(unit).unwrap();
        assert!(way.iter().all(|&cell| is_free(game.map(), FOOT, cell)), "{way:?}");
        game.until_told(unit, Kind::Reached, 300);
        game.until_told(elsewhere, Kind::Reached, 300);
        assert_eq!(game.told(elsewhere), [(Kind::Ready, 1), (Kind::Reached, 1)]);
        game.despawn(house);
        game.tick();
        assert_eq!(marked(&game), []);
        assert_eq!(game.stats().replans, 1);
    }
}

#[test]
fn a_request_of_the_same_tick_sees_what_stands_and_what_left() {
    let mut game = Game::open(9, 3, CornerRule::Never);
    let gate = build(&mut game, (4, 0), Obstacle::new(1, 2, WALL));
    let unit = game.unit((0, 1), 1.0);
    game.go(unit, (8, 1));
    game.tick();
    assert_eq!(game.last(unit).cost.unwrap().units(), 10.0);
    game.despawn(gate);
    let other = game.unit((0, 1), 1.0);
    game.go(other, (8, 1));
    game.tick();
    assert_eq!(game.last(other).cost.unwrap().units(), 8.0);
}

#[test]
fn when_the_barrier_goes_those_who_failed_go_on() {
    type Leave = fn(&mut World, Entity);
    let leaves: [Leave; 6] = [
        |world, gate| {
            world.despawn(gate);
        },
        |world, gate| {
            world.entity_mut(gate).remove::<Obstacle>();
        },
        |world, gate| {
            world.entity_mut(gate).remove::<Transform>();
        },
        |world, gate| {
            world.entity_mut(gate).insert(Transform::from_xyz(4.5, 30.0, 0.0));
        },
        |world, gate| {
            world.entity_mut(gate).insert(Obstacle::new(1, 0, WALL));
        },
        |world, gate| {
            world.entity_mut(gate).insert(Obstacle::new(1, 3, MUD));
        },
    ];
    for leave in leaves {
        let mut game = Game::open(9, 3, CornerRule::Never);
        let gate = build(&mut game, (4, 0), Obstacle::new(1, 3, WALL));
        let unit = game.unit((0, 1), 8.0);
        game.go(unit, (8, 1));
        game.ticks(5);
        assert_eq!(game.status(unit), PathStatus::Failed(Reason::Unreachable));
        leave(game.app.world_mut(), gate);
        game.tick();
        assert_eq!(game.told(unit), [(Kind::Failed, 1), (Kind::Ready, 1)]);
        game.until_told(unit, Kind::Reached, 120);
        assert_eq!(game.stats().searches, 2);
    }
}

#[test]
fn of_two_that_overlap_the_later_one_shows_until_it_leaves() {
    for first_leaves in [true, false] {
        let mut game = Game::open(8, 8, CornerRule::Never);
        game.paint([(3, 3)], SAND);
        let first = build(&mut game, (1, 1), Obstacle::new(3, 3, WALL));
        game.tick();
        let second = build(&mut game, (3, 3), Obstacle::new(3, 3, MUD));
        game.tick();
        assert_eq!(terrain(&game, (3, 3)), MUD);
        assert_eq!(game.map().ground(Cell::new(3, 3)), Some(SAND));
        game.despawn(if first_leaves { first } else { second });
        game.tick();
        assert_eq!(terrain(&game, (3, 3)), if first_leaves { MUD } else { WALL });
        assert_eq!(terrain(&game, (2, 2)), if first_leaves { PLAIN } else { WALL });
        game.despawn(if first_leaves { second } else { first });
        game.tick();
        assert_eq!((marked(&game), terrain(&game, (3, 3))), (vec![(3, 3)], SAND));
    }
}

#[test]
fn one_that_changes_is_stamped_anew() {
    let mut game = Game::open(9, 9, CornerRule::Never);
    let low = build(&mut game, (2, 2), Obstacle::new(3, 3, WALL));
    let high = build(&mut game, (2, 2), Obstacle::new(3, 3, MUD));
    game.tick();
    assert_eq!(terrain(&game, (3, 3)), MUD, "in the order of their ids");
    // Larger by one row and column on every side, around the same middle.
    set(&mut game, low, Obstacle::new(5, 5, WALL));
    game.tick();
    assert_eq!((marked(&game), terrain(&game, (3, 3))), (cells((1, 1), (5, 5)), WALL));
    set(&mut game, high, Obstacle::new(3, 3, SAND));
    game.tick();
    assert_eq!(terrain(&game, (3, 3)), SAND);
    let at = middle(&game, (5, 5), Obstacle::new(3, 3, SAND));
    set(&mut game, high, at);
    game.tick();
    assert_eq!((terrain(&game, (3, 3)), terrain(&game, (5, 5)), terrain(&game, (7, 7))), (WALL, SAND, SAND));
    game.despawn(low);
    game.tick();
    assert_eq!(marked(&game), cells((5, 5), (7, 7)));
}

#[test]
fn what_changes_no_cell_makes_no_revision() {
    #[derive(Resource, Default)]
    struct Changes(u64);

    let mut game = Game::open(9, 9, CornerRule::Never);
    game.app.init_resource::<Changes>().add_systems(Last, |map: Res<Tilemap>, mut changes: ResMut<Changes>| {
        changes.0 += u64::from(map.is_changed());
    });
    let tank = build(&mut game, (2, 2), Obstacle::new(2, 1, WALL));
    game.ticks(2);
    let (revision, changes) = (game.map().revision(), game.app.world().resource::<Changes>().0);
    let quiet = |game: &Game| (game.map().revision(), game.app.world().resource::<Changes>().0) == (revision, changes);
    for step in 0..8 {
        let mut at = middle(&game, (2, 2), Obstacle::new(2, 1, WALL));
        at.translation.x += 0.06 * step as f32;
        at.rotation = Quat::from_rotation_z(step as f32);
        set(&mut game, tank, at);
        game.tick();
        assert!(quiet(&game), "moved by {step}");
    }
    // The same again, another archetype, one outside, one of nothing, one as the ground is.
    set(&mut game, tank, (Obstacle::new(2, 1, WALL), Name::new("tank")));
    build(&mut game, (20, 2), Obstacle::new(3, 3, WALL));
    build(&mut game, (1, 1), Obstacle::new(0, 3, WALL));
    game.spawn(Obstacle::new(3, 3, WALL));
    game.spawn((Obstacle::new(3, 3, WALL), Transform::from_xyz(f32::NAN, f32::INFINITY, 0.0)));
    game.spawn((Obstacle::new(3, 3, WALL), Transform::from_xyz(f32::MAX, -1e30, 0.0)));
    let carpet = build(&mut game, (5, 5), Obstacle::new(2, 2, PLAIN));
    game.ticks(3);
    assert!(quiet(&game));
    game.despawn(carpet);
    game.ticks(2);
    assert!(quiet(&game));
    assert_eq!(marked(&game), [(2, 2), (3, 2)]);
    // Cells that it keeps are not edited.
    let at = middle(&game, (3, 2), Obstacle::new(2, 1, WALL));
    set(&mut game, tank, at);
    game.tick();
    assert_eq!((game.map().revision(), marked(&game)), (revision + 1, vec![(3, 2), (4, 2)]));
}

#[test]
fn one_over_the_edge_stamps_the_cells_inside() {
    for (corner, size, expected) in [
        ((-2, -1), (4, 3), cells((0, 0), (1, 1))),
        ((6, 7), (9, 9), cells((6, 7), (7, 7))),
        ((-50, -50), (101, 101), cells((0, 0), (7, 7))),
        ((3, -9), (1, 9), vec![]),
    ] {
        let mut game = Game::open(8, 8, CornerRule::Never);
        let house = build(&mut game, corner, Obstacle::new(size.0, size.1, WALL));
        game.tick();
        assert_eq!(marked(&game), expected);
        game.despawn(house);
        game.tick();
        assert_eq!(marked(&game), []);
    }
    let mut game = Game::open(8, 8, CornerRule::Never);
    game.spawn((Obstacle::new(u32::MAX, u32::MAX, WALL), Transform::from_xyz(4.0, 4.0, 0.0)));
    game.tick();
    assert_eq!(marked(&game), cells((0, 0), (7, 7)));
}

#[test]
fn a_gate_lets_one_team_through() {
    let gate = TerrainId(20);
    let red = foot(CornerRule::Never).with_cost(gate, 1).unwrap();
    let mut game = Game::new(Some(Tilemap::new(plain(9, 3), vec![red, foot(CornerRule::Never)])));
    let [friend, foe] = [0, 1].map(|class| {
        let unit = game.unit((0, 1), 4.0);
        game.order(unit, PathRequest::to(Cell::new(8, 1)).class(ClassId(class)));
        unit
    });
    game.ticks(3);
    let shut = build(&mut game, (4, 0), Obstacle::new(1, 3, gate));
    game.ticks(2);
    // Both look again; only one finds a way.
    assert_eq!(game.told(friend), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Ready, 1)]);
    assert_eq!(game.told(foe), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Failed, 1)]);
    game.until_told(friend, Kind::Reached, 200);
    assert_eq!((game.cell(friend), game.status(foe)), (Cell::new(8, 1), PathStatus::Failed(Reason::Unreachable)));
    game.despawn(shut);
    game.until_told(foe, Kind::Reached, 200);
}

#[test]
fn an_edit_below_shows_once_the_obstacle_lifts() {
    let mut game = Game::open(8, 8, CornerRule::Never);
    let house = build(&mut game, (2, 2), Obstacle::new(2, 2, WALL));
    game.tick();
    let revision = game.map().revision();
    let change = game.map_mut().edit([(Cell::new(2, 2), MUD), (Cell::new(2, 2), SAND)]).unwrap();
    assert_eq!(change.cells, []);
    game.tick();
    assert_eq!((terrain(&game, (2, 2)), game.map().revision()), (WALL, revision));
    assert_eq!(game.map().ground(Cell::new(2, 2)), Some(SAND));
    assert_eq!((game.map().ground(Cell::new(5, 5)), game.map().ground(Cell::new(8, 0))), (Some(PLAIN), None));
    // Refused as a whole, and half below the obstacle.
    assert!(game.map_mut().edit([(Cell::new(2, 2), MUD), (Cell::new(8, 0), MUD)]).is_err());
    let change = game.map_mut().edit([(Cell::new(3, 3), MUD), (Cell::new(4, 3), MUD)]).unwrap();
    assert_eq!(change.cells, [Cell::new(4, 3)]);
    game.despawn(house);
    game.tick();
    assert_eq!([(2, 2), (3, 3), (4, 3), (3, 2)].map(|cell| terrain(&game, cell)), [SAND, MUD, MUD, PLAIN]);
}

#[test]
fn whatever_map_there_is_is_stamped() {
    let mut game = Game::new(None);
    let at = Transform::from_xyz(2.5, 2.5, 0.0);
    let house = game.spawn((Obstacle::new(3, 3, WALL), at));
    game.ticks(2);
    let map = |size| Tilemap::new(plain(size, size), vec![foot(CornerRule::Never)]);
    game.app.insert_resource(map(8));
    game.tick();
    assert_eq!(marked(&game), cells((1, 4), (3, 6)));
    game.map_mut().replace(plain(8, 8));
    game.tick();
    assert_eq!(marked(&game), cells((1, 4), (3, 6)));
    // The bottom left corner stays where it is.
    game.map_mut().replace(plain(5, 5));
    game.tick();
    assert_eq!(marked(&game), cells((1, 1), (3, 3)));
    game.app.insert_resource(map(8).with_layout(Vec2::ZERO, 0.5));
    game.tick();
    assert_eq!(marked(&game), cells((4, 1), (6, 3)));
    // One that was away while the obstacle moved.
    let away = game.app.world_mut().remove_resource::<Tilemap>().unwrap();
    game.tick();
    game.app.insert_resource(map(6));
    set(&mut game, house, Transform::from_xyz(1.5, 1.5, 0.0));
    game.tick();
    game.app.insert_resource(away);
    game.tick();
    assert_eq!(marked(&game), cells((2, 3), (4, 5)));
    game.despawn(house);
    game.tick();
    assert_eq!(marked(&game), []);
}

#[test]
fn on_a_new_map_all_are_stamped_in_the_order_of_their_ids() {
    for later_first in [true, false] {
        let mut game = Game::open(6, 6, CornerRule::Never);
        let mut houses = [(SimId(7), MUD), (SimId(3), SAND)];
        if later_first {
            houses.reverse();
        }
        let houses = houses
            .map(|(id, terrain)| game.spawn((Obstacle::new(2, 2, terrain), Transform::from_xyz(3.0, 3.0, 0.0), id)));
        game.tick();
        assert_eq!(terrain(&game, (2, 2)), MUD);
        let low = houses[usize::from(!later_first)];
        set(&mut game, low, Transform::from_xyz(3.0, 4.0, 0.0));
        game.tick();
        assert_eq!(terrain(&game, (2, 2)), SAND, "stamped last");
        game.map_mut().replace(plain(6, 6));
        game.tick();
        assert_eq!(terrain(&game, (2, 2)), MUD);
    }
}

#[test]
fn a_unit_that_is_built_over_gets_out_and_goes_on() {
    let mut game = Game::open(30, 30, CornerRule::BothFree);
    let unit = game.unit((5, 15), 6.0);
    game.go(unit, (28, 15));
    game.until(60, |game| game.cell(unit) == Cell::new(9, 15));
    build(&mut game, (7, 13), Obstacle::new(5, 5, WALL));
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Trapped);
    game.until_told(unit, Kind::Reached, 400);
    assert_eq!(game.told(unit).iter().filter(|said| **said == (Kind::Reached, 1)).count(), 1);
}

#[test]
fn a_vehicle_is_an_obstacle_while_it_is_parked() {
    for ordered_before in [true, false] {
        let mut game = Game::open(12, 3, CornerRule::Never);
        let tank = game.unit((4, 1), 6.0);
        set(&mut game, tank, Obstacle::new(1, 3, WALL));
        let unit = game.unit((0, 1), 6.0);
        game.go(unit, (9, 1));
        game.tick();
        let here = (game.position(tank), game.map().revision());
        if ordered_before {
            game.go(tank, (11, 1));
        }
        game.ticks(30);
        assert_eq!(game.status(unit), PathStatus::Failed(Reason::Unreachable));
        assert_eq!((game.position(tank), game.map().revision()), here);
        assert_eq!(game.status(tank), if ordered_before { PathStatus::Ready } else { PathStatus::Idle });
        game.app.world_mut().entity_mut(tank).remove::<Obstacle>();
        if !ordered_before {
            game.go(tank, (11, 1));
        }
        game.tick();
        assert_eq!((game.last(tank).kind, game.last(unit).kind), (Kind::Ready, Kind::Ready));
        assert!(game.position(tank).x > here.0.x);
        game.until_told(tank, Kind::Reached, 200);
        game.until_told(unit, Kind::Reached, 200);
        assert_eq!(game.count(Kind::Invalidated), 0);
    }
}

#[test]
fn a_unit_may_carry_terrain_that_it_can_enter() {
    let mut game = Game::open(20, 5, CornerRule::Never);
    let unit = game.unit((2, 2), 8.0);
    set(&mut game, unit, Obstacle::new(3, 3, MUD));
    game.go(unit, (17, 2));
    game.until_told(unit, Kind::Reached, 600);
    game.tick();
    assert_eq!(marked(&game), cells((16, 1), (18, 3)));
}

#[test]
fn while_the_game_is_paused_obstacles_show_all_the_same() {
    let mut game = Game::open(8, 8, CornerRule::Never);
    game.ticks(2);
    game.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let house = build(&mut game, (2, 2), Obstacle::new(2, 2, WALL));
    game.app.update();
    assert_eq!((game.now(), marked(&game)), (2, cells((2, 2), (3, 3))));
    assert!(!game.map().grid(FOOT).unwrap().is_passable(Cell::new(2, 2)));
    game.despawn(house);
    game.app.update();
    assert_eq!((game.now(), marked(&game)), (2, vec![]));
}

#[test]
fn frames_between_ticks_leave_the_order_of_stamps_alone() {
    for frames in [1, 4] {
        let mut game = Game::open(8, 8, CornerRule::Never);
        let low = build(&mut game, (2, 2), Obstacle::new(2, 2, MUD));
        build(&mut game, (2, 2), Obstacle::new(2, 2, WALL));
        game.tick();
        let tick = std::time::Duration::from_secs_f64(1.0 / TICKS_PER_SECOND);
        game.app.insert_resource(TimeUpdateStrategy::ManualDuration(tick / frames));
        let there = middle(&game, (5, 5), Obstacle::new(2, 2, MUD));
        let here = *game.get::<Transform>(low).unwrap();
        set(&mut game, low, there);
        for frame in 0..frames {
            if frame + 1 == frames {
                set(&mut game, low, here);
            }
            game.app.update();
        }
        assert_eq!(game.app.world().resource::<Planner>().tick(), 2);
        assert_eq!(terrain(&game, (2, 2)), WALL, "{frames} frames");
    }
}

/// An obstacle as the naive version knows it.
struct Known {
    entity: Entity,
    id: u64,
    obstacle: Obstacle,
    /// Its middle, in eighths of a cell.
    at: IVec2,
    /// What it covered when it was last stamped, and as what.
    stamped: Option<(Vec<Cell>, TerrainId)>,
}

impl Known {
    fn position(&self) -> Vec2 {
        self.at.as_vec2() / 8.0
    }

    /// The cells whose middle is less than half its width and height away from its own.
    fn covers(&self, map: &Tilemap) -> Vec<Cell> {
        let is_covered = |&cell: &Cell| {
            let apart = (map.cell_to_world(cell) - self.position()).abs();
            apart.cmplt(self.obstacle.size.as_vec2() / 2.0).all()
        };
        map.size().rect().cells().filter(is_covered).collect()
    }
}

#[test]
fn at_random_the_map_is_what_stamping_all_of_it_again_would_give() {
    let terrains = [WALL, MUD, SAND, PLAIN];
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let mut game = Game::open(11, 9, CornerRule::Never);
        // The ground, and the obstacles in the order in which they were stamped.
        let mut ground = plain(11, 9);
        let mut known: Vec<Known> = Vec::new();
        let mut ids: Vec<u64> = (0..5000).collect();
        let place = |dice: &mut Dice| IVec2::new(dice.below(60) as i32 * 2 - 15, dice.below(50) as i32 * 2 - 15);
        for tick in 0..1500 {
            for _ in 0..dice.below(4) {
                let some = (!known.is_empty()).then(|| dice.below(known.len() as u32) as usize);
                let kind = terrains[dice.below(4) as usize];
                match (dice.below(8), some) {
                    (0 | 1, _) if known.len() < 12 => {
                        let id = ids.swap_remove(dice.below(ids.len() as u32) as usize);
                        let obstacle = Obstacle::new(dice.below(5), 1 + dice.below(4), kind);
                        let mut new =
                            Known { entity: Entity::PLACEHOLDER, id, obstacle, at: place(&mut dice), stamped: None };
                        let at = Transform::from_translation(new.position().extend(0.0));
                        new.entity = game.spawn((at, obstacle, SimId(id)));
                        known.push(new);
                    }
                    (2 | 3, Some(index)) => {
                        // To anywhere, or a little.
                        let near =
                            known[index].at + IVec2::new(dice.below(3) as i32 * 2 - 2, dice.below(3) as i32 * 2 - 2);
                        known[index].at = if dice.below(2) == 0 { place(&mut dice) } else { near };
                        let at = Transform::from_translation(known[index].position().extend(0.0));
                        set(&mut game, known[index].entity, at);
                    }
                    (4, Some(index)) => {
                        known[index].obstacle = Obstacle::new(1 + dice.below(4), dice.below(5), kind);
                        set(&mut game, known[index].entity, known[index].obstacle);
                    }
                    (5, Some(index)) if dice.below(2) == 0 => game.despawn(known.remove(index).entity),
                    (6, _) if dice.below(10) == 0 => {
                        game.map_mut().replace(ground.clone());
                        known.iter_mut().for_each(|known| known.stamped = None);
                    }
                    _ => {
                        let edits: Vec<_> = (0..3).map(|_| (dice.cell(game.map()), kind)).collect();
                        ground.edit(edits.clone()).unwrap();
                        game.map_mut().edit(edits).unwrap();
                    }
                }
            }
            game.tick();

            let mut new = Vec::new();
            for mut one in std::mem::take(&mut known) {
                let now = Some((one.covers(game.map()), one.obstacle.terrain));
                let stays = one.stamped == now;
                one.stamped = now;
                if stays { known.push(one) } else { new.push(one) }
            }
            new.sort_by_key(|one| one.id);
            known.extend(new);
            let mut shown = ground.clone();
            for (cells, terrain) in known.iter().filter_map(|one| one.stamped.as_ref()) {
                shown.edit(cells.iter().map(|&cell| (cell, *terrain))).unwrap();
            }
            assert_eq!(game.map().terrain().grid(), shown.grid(), "seed {seed}, tick {tick}");
            let below = |cell| game.map().ground(cell);
            assert!(game.map().size().rect().cells().all(|cell| below(cell) == ground.terrain(cell)));
            let grid = game.map().grid(FOOT).unwrap();
            assert!(
                game.map().size().rect().cells().all(|cell| grid.is_passable(cell) == is_free(game.map(), FOOT, cell))
            );
        }
        for one in known {
            game.despawn(one.entity);
        }
        game.tick();
        assert_eq!(game.map().terrain().grid(), ground.grid());
    }
}
