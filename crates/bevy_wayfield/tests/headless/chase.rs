//! Orders to go to an entity that moves, or is gone.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::sync::Arc;

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy::tasks::TaskPoolBuilder;
use bevy_wayfield::{
    Executor, FollowPath, Mover, Obstacle, PathGoal, PathRequest, PathStatus, PathfindingSettings, PathfindingSystems,
    PlannerStats, Tilemap,
};
use wayfield::{Cell, CornerRule, Reason, TerrainId};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, TICKS_PER_SECOND, WALL, foot, scattered};

/// Cells in a tick.
const PACE: f32 = 0.125;
const INTERVAL: u64 = 15;

fn speed(pace: f32) -> f32 {
    pace * TICKS_PER_SECOND as f32
}

/// Something to go after in the middle of a cell.
fn target(game: &mut Game, cell: (i32, i32)) -> Entity {
    let at = game.at(cell);
    game.spawn(at)
}

fn chase(game: &mut Game, unit: Entity, target: Entity) {
    game.order(unit, PathRequest::to(target));
}

fn shift(game: &mut Game, entity: Entity, by: Vec2) {
    let mut at = *game.get::<Transform>(entity).unwrap();
    at.translation += by.extend(0.0);
    game.app.world_mut().entity_mut(entity).insert(at);
}

/// The step of a walk around a square of 10 x 10 cells, from its top left corner.
fn around_a_square(tick: u64) -> Vec2 {
    let side = (10.0 / PACE) as u64;
    [Vec2::X, Vec2::NEG_Y, Vec2::NEG_X, Vec2::Y][(tick / side % 4) as usize] * PACE
}

fn count(game: &Game, unit: Entity, kind: Kind) -> usize {
    game.told(unit).iter().filter(|&&(said, _)| said == kind).count()
}

fn gap(game: &Game, one: Entity, other: Entity) -> f32 {
    game.position(one).distance(game.position(other))
}

fn is_beside(game: &Game, one: Entity, other: Entity) -> bool {
    game.cell(one).chebyshev(game.cell(other)) <= 1
}

#[test]
fn a_target_that_stands_still_is_searched_once() {
    for ticks in [0, 3] {
        let mut game = Game::open(40, 9, CornerRule::BothFree);
        game.answers_take(ticks);
        let prey = target(&mut game, (35, 4));
        let unit = game.unit((2, 4), 6.0);
        chase(&mut game, unit, prey);
        game.until_told(unit, Kind::Reached, 400);
        game.ticks(40);
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Reached, 1)]);
        assert_eq!((game.cell(unit), game.status(unit)), (game.cell(prey), PathStatus::Arrived));
        assert_eq!(game.stats().searches, 1);
        // There already, and to itself.
        chase(&mut game, unit, prey);
        game.until(9, |game| count(game, unit, Kind::Reached) == 2);
        chase(&mut game, unit, unit);
        game.until(9, |game| count(game, unit, Kind::Reached) == 3);
    }
}

#[test]
fn small_moves_of_the_target_are_not_followed() {
    let mut game = Game::open(60, 40, CornerRule::BothFree);
    let prey = target(&mut game, (50, 20));
    let unit = game.unit((2, 20), 0.0);
    chase(&mut game, unit, prey);
    game.tick();
    // An eighth of the 48 cells to go.
    for (cell, replans) in [((50, 14), 0), ((50, 13), 1)] {
        game.put(prey, cell);
        game.ticks(2 * INTERVAL);
        assert_eq!((count(&game, unit, Kind::Invalidated), count(&game, unit, Kind::Ready)), (replans, replans + 1));
    }
    // Near by, the distance of the settings.
    game.put(unit, (45, 13));
    game.app.world_mut().entity_mut(unit).insert(Mover::new(4.0));
    game.ticks(2 * INTERVAL);
    assert!(game.way(unit).unwrap().last() == Some(&Cell::new(50, 13)));
    let searches = game.stats().searches;
    game.put(prey, (51, 14));
    game.tick();
    assert_eq!(game.stats().searches, searches);
    // Beside the end of the way is near enough.
    game.until_told(unit, Kind::Reached, 200);
    assert_eq!((game.cell(unit), game.stats().searches), (Cell::new(50, 13), searches));
}

#[test]
fn a_slower_target_is_caught_and_rarely_searched() {
    for (start, ticks) in [((2, 2), 0), ((25, 25), 0), ((2, 25), 2), ((14, 14), 4)] {
        for open in [true, false] {
            let mut game = Game::open(30, 30, CornerRule::BothFree);
            if !open {
                game.paint((10..17).flat_map(|x| [(x, 11), (x, 15)]), WALL);
            }
            game.answers_take(ticks);
            let prey = target(&mut game, (8, 8));
            let unit = game.unit(start, speed(1.2 * PACE));
            chase(&mut game, unit, prey);
            let mut caught = None;
            let mut begun = Vec::new();
            for tick in 0..500 {
                shift(&mut game, prey, around_a_square(tick));
                let before = game.planner().in_flight() as u64 + game.stats().searches;
                game.tick();
                if game.planner().in_flight() as u64 + game.stats().searches > before {
                    begun.push(tick);
                }
                if caught.is_none() && count(&game, unit, Kind::Reached) > 0 {
                    assert!(is_beside(&game, unit, prey));
                    caught = Some(tick);
                }
            }
            assert!(caught.is_some(), "{start:?}, {ticks}, {open}: {} apart", gap(&game, unit, prey));
            assert!(begun.windows(2).all(|pair| pair[1] - pair[0] >= INTERVAL), "{begun:?}");
            assert_eq!(begun.len(), 1 + count(&game, unit, Kind::Invalidated));
            let told = game.told(unit);
            assert!(told.windows(2).all(|pair| pair[0].0 != pair[1].0), "{told:?}");
            assert_eq!((count(&game, unit, Kind::Reached), told.last()), (1, Some(&(Kind::Reached, 1))));
        }
    }
}

#[test]
fn of_a_target_as_fast_as_the_unit_the_gap_hardly_grows() {
    type Step = fn(u64) -> Vec2;
    let walks: [(Step, (i32, i32)); 3] = [
        (|_| Vec2::X * PACE, (10, 15)),
        (around_a_square, (10, 10)),
        // There and back.
        (|tick| if tick / 60 % 2 == 0 { Vec2::X * PACE } else { Vec2::NEG_X * PACE }, (10, 15)),
    ];
    for (walk, from) in walks {
        for interval in [0, 1, 4, 15, 40] {
            let mut game = Game::open(120, 30, CornerRule::BothFree);
            game.settings().chase_interval = interval;
            let prey = target(&mut game, from);
            let unit = game.unit((2, 15), speed(PACE));
            chase(&mut game, unit, prey);
            let first = gap(&game, unit, prey);
            let mut searches = 0;
            for tick in 0..600 {
                shift(&mut game, prey, walk(tick));
                game.tick();
                if count(&game, unit, Kind::Reached) > 0 {
                    break;
                }
                searches = game.stats().searches;
                // The target's place is one tick and its cell up to a cell away from what was searched.
                let most = first + PACE * (interval as f32 + 2.0) + 1.0;
                assert!(gap(&game, unit, prey) <= most, "{interval}: {} after {tick}", gap(&game, unit, prey));
            }
            assert!(searches > 1 && searches <= 1 + 600 / u64::from(interval.max(1)), "{interval}: {searches}");
        }
    }
}

#[test]
fn a_target_near_by_is_approached_without_a_search() {
    // How far it moves, how high the wall between is, and whether the unit goes straight on.
    for (cells, wall, goes_on) in [(8, 0, true), (9, 0, false), (5, 1, false), (5, 5, false)] {
        let mut game = Game::open(40, 9, CornerRule::BothFree);
        game.settings().chase_interval = 1000;
        let prey = target(&mut game, (10, 4));
        let unit = game.unit((2, 4), 6.0);
        chase(&mut game, unit, prey);
        game.until(100, |game| game.cell(unit) == Cell::new(9, 4));
        game.paint((0..wall).map(|y| (12, 4 + y - wall / 2)), WALL);
        game.put(prey, (10 + cells, 4));
        game.ticks(100);
        let told = [(Kind::Ready, 1), (Kind::Reached, 1)];
        assert_eq!((game.told(unit), game.stats().searches), (told[..1 + usize::from(goes_on)].to_vec(), 1));
        if !goes_on {
            assert_eq!((game.cell(unit), game.status(unit)), (Cell::new(10, 4), PathStatus::Ready));
            game.settings().chase_interval = 15;
            game.until_told(unit, Kind::Reached, 200);
            assert_eq!(game.stats().searches, 2);
        }
        assert_eq!(game.cell(unit), game.cell(prey));
    }
}

type Leave = fn(&mut World, Entity);
const LEAVES: [Leave; 3] = [
    |world, target| {
        world.despawn(target);
    },
    |world, target| {
        world.entity_mut(target).remove::<Transform>();
    },
    |world, target| {
        world.entity_mut(target).insert(Disabled);
    },
];

#[test]
fn a_target_that_is_gone_ends_the_order_once() {
    for leave in LEAVES {
        // In the frame of the order, while it is searched, on the way, and while it is searched again.
        for ticks in [0, 3] {
            for left_after in [0, 1, 2, 5, 20, 22] {
                let mut game = Game::open(60, 9, CornerRule::BothFree);
                game.answers_take(ticks);
                let prey = target(&mut game, (50, 4));
                let unit = game.unit((0, 4), 3.0);
                chase(&mut game, unit, prey);
                for tick in 0..left_after {
                    if tick == 20 {
                        game.put(prey, (35, 4));
                    }
                    game.tick();
                }
                let said = game.told(unit);
                leave(game.app.world_mut(), prey);
                game.tick();
                let last = game.last(unit);
                assert_eq!((last.kind, last.order, last.reason), (Kind::Failed, 1, Some(Reason::TargetLost)));
                assert_eq!(game.status(unit), PathStatus::Failed(Reason::TargetLost));
                assert!(game.get::<PathRequest>(unit).is_none() && game.get::<FollowPath>(unit).is_none());
                game.ticks(40);
                let told = game.told(unit);
                assert_eq!((&told[..said.len()], told.len()), (&said[..], said.len() + 1), "{told:?}");
                let stats = game.stats();
                assert_eq!((stats.lost, stats.failed.get(&Reason::TargetLost), stats.withdrawn), (1, Some(&1), 0));
                assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 0));
                game.go(unit, (0, 0));
                game.until_told(unit, Kind::Reached, 200);
            }
        }
    }
}

#[test]
fn a_target_may_go_in_the_middle_of_a_tick() {
    use PathfindingSystems::{Collect, Fields, Plan, Steer, Sync};
    #[derive(Resource)]
    struct Doomed(Entity, u64);

    fn kill(doomed: Res<Doomed>, mut commands: Commands, mut ticks: Local<u64>) {
        *ticks += 1;
        if *ticks == doomed.1 {
            commands.entity(doomed.0).try_despawn();
        }
    }
    for (after, before) in [(Sync, Plan), (Plan, Collect), (Collect, Fields), (Fields, Steer)] {
        for tick in 1..6 {
            let mut game = Game::open(20, 9, CornerRule::BothFree);
            game.answers_take(2);
            let prey = target(&mut game, (15, 4));
            game.app.insert_resource(Doomed(prey, tick));
            game.app.add_systems(FixedUpdate, kill.after(after).before(before));
            let unit = game.unit((0, 4), 3.0);
            chase(&mut game, unit, prey);
            game.ticks(20);
            let failed = game.log().iter().filter(|said| said.kind == Kind::Failed).map(|said| said.reason);
            assert_eq!(failed.collect::<Vec<_>>(), [Some(Reason::TargetLost)], "{tick}, before {before:?}");
            assert!(game.get::<PathRequest>(unit).is_none());
        }
    }
}

#[test]
fn an_order_given_in_the_middle_of_a_tick_is_searched_in_the_next() {
    #[derive(Resource)]
    struct Plot(Entity, Entity);

    let mut game = Game::open(20, 9, CornerRule::BothFree);
    let prey = target(&mut game, (15, 4));
    let unit = game.unit((0, 4), 6.0);
    game.app.insert_resource(Plot(unit, prey)).add_systems(
        FixedUpdate,
        (|plot: Res<Plot>, mut commands: Commands, mut is_given: Local<bool>| {
            if !std::mem::replace(&mut *is_given, true) {
                commands.entity(plot.0).insert(PathRequest::to(plot.1));
            }
        })
        .after(PathfindingSystems::Sync)
        .before(PathfindingSystems::Plan),
    );
    game.ticks(2);
    assert_eq!((game.told(unit), game.last(unit).tick), (vec![(Kind::Ready, 1)], 2));
    game.until_told(unit, Kind::Reached, 200);
}

#[test]
fn who_lost_its_target_may_be_given_the_next_one_at_once() {
    let mut game = Game::open(20, 9, CornerRule::BothFree);
    game.react(Kind::Failed, |mut unit| {
        unit.insert(PathRequest::to(Cell::new(9, 8)));
    });
    let prey = target(&mut game, (15, 4));
    let units = [0, 1, 2].map(|y| {
        let unit = game.unit((0, y), 6.0);
        chase(&mut game, unit, prey);
        unit
    });
    game.ticks(5);
    game.despawn(prey);
    for unit in units {
        game.until_told(unit, Kind::Reached, 200);
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Failed, 1), (Kind::Ready, 2), (Kind::Reached, 2)]);
    }
}

#[test]
fn an_order_given_while_the_lost_one_is_removed_stands() {
    let mut game = Game::open(20, 9, CornerRule::BothFree);
    let prey = target(&mut game, (15, 4));
    let unit = game.unit((0, 4), 6.0);
    chase(&mut game, unit, prey);
    game.ticks(5);
    game.app.add_observer(|on: On<Remove, PathRequest>, mut commands: Commands, mut is_given: Local<bool>| {
        if !std::mem::replace(&mut *is_given, true) {
            commands.entity(on.entity).insert(PathRequest::to(Cell::new(9, 8)));
        }
    });
    game.despawn(prey);
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Ready);
    game.until_told(unit, Kind::Reached, 200);
    assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Failed, 1), (Kind::Ready, 2), (Kind::Reached, 2)]);
}

#[test]
fn a_unit_may_go_with_its_target() {
    // The hunted hunts, too; and who is told of a loss dies.
    for reacts in [false, true] {
        let mut game = Game::open(20, 9, CornerRule::BothFree);
        if reacts {
            game.react(Kind::Failed, |mut unit| unit.despawn());
        }
        let chain: Vec<_> = (0..6).map(|x| game.unit((3 * x, 4), 1.0)).collect();
        for pair in chain.windows(2) {
            chase(&mut game, pair[0], pair[1]);
        }
        chase(&mut game, chain[5], chain[0]);
        game.ticks(4);
        game.despawn(chain[3]);
        game.ticks(10);
        let failed = game.log().iter().filter(|said| said.kind == Kind::Failed).count();
        assert_eq!(failed, if reacts { 5 } else { 1 });
    }
}

#[test]
fn a_target_that_leaves_the_map_is_waited_for() {
    for ticks in [0, 2] {
        let mut game = Game::open(30, 9, CornerRule::BothFree);
        game.answers_take(ticks);
        let prey = target(&mut game, (20, 4));
        let unit = game.unit((0, 4), 4.0);
        chase(&mut game, unit, prey);
        game.ticks(20);
        shift(&mut game, prey, Vec2::X * 50.0);
        game.ticks(20);
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Invalidated, 1), (Kind::Failed, 1)]);
        assert_eq!(game.status(unit), PathStatus::Failed(Reason::OutOfBounds));
        game.ticks(60);
        assert_eq!(game.stats().searches, 2, "out there it is not searched");
        shift(&mut game, prey, Vec2::X * -45.0);
        game.ticks(u64::from(ticks) + 1);
        assert_eq!(game.last(unit).kind, Kind::Ready);
        game.until_told(unit, Kind::Reached, 300);
        assert_eq!(game.cell(unit), game.cell(prey));
    }
    // And one that never was on it.
    let mut game = Game::open(30, 9, CornerRule::BothFree);
    let prey = game.spawn(Transform::from_xyz(-9.0, f32::NAN, 0.0));
    let unit = game.unit((0, 4), 4.0);
    chase(&mut game, unit, prey);
    game.ticks(40);
    assert_eq!((game.told(unit), game.last(unit).reason), (vec![(Kind::Failed, 1)], Some(Reason::OutOfBounds)));
    game.put(prey, (4, 4));
    game.until_told(unit, Kind::Reached, 100);
}

#[test]
fn an_order_that_is_replaced_forgets_its_target() {
    for replaced_after in [0, 1, 2, 10] {
        for to_another in [true, false] {
            let mut game = Game::open(40, 9, CornerRule::BothFree);
            game.answers_take(2);
            let [prey, other] = [(30, 4), (5, 8)].map(|cell| target(&mut game, cell));
            let unit = game.unit((0, 4), 4.0);
            chase(&mut game, unit, prey);
            game.ticks(replaced_after);
            let goal = if to_another { PathGoal::Entity(other) } else { Cell::new(5, 8).into() };
            game.order(unit, PathRequest::to(goal));
            game.despawn(prey);
            game.until(300, |game| game.told(unit).contains(&(Kind::Reached, 2)));
            game.ticks(20);
            assert_eq!((game.cell(unit), count(&game, unit, Kind::Failed)), (Cell::new(5, 8), 0));
            assert_eq!((game.stats().lost, game.stats().replaced), (0, 1));
        }
    }
    // The other way round, and taken back.
    let mut game = Game::open(40, 9, CornerRule::BothFree);
    game.answers_take(2);
    let prey = target(&mut game, (30, 4));
    let unit = game.unit((0, 4), 4.0);
    game.go(unit, (0, 8));
    game.ticks(1);
    chase(&mut game, unit, prey);
    game.ticks(8);
    assert_eq!(game.told(unit), [(Kind::Ready, 2)]);
    game.cancel(unit);
    game.despawn(prey);
    game.ticks(20);
    assert_eq!((game.told(unit), game.status(unit)), (vec![(Kind::Ready, 2)], PathStatus::Idle));
}

#[test]
fn the_nearest_cell_to_a_building_is_the_end() {
    let mut game = Game::open(30, 15, CornerRule::BothFree);
    let at = game.at((20, 7));
    let house = game.spawn((Obstacle::new(3, 3, WALL), at));
    let [near, plain] = [6, 8].map(|y| game.unit((2, y), 6.0));
    game.order(near, PathRequest::to(house).nearest());
    chase(&mut game, plain, house);
    game.until_told(near, Kind::PartialEnd, 300);
    assert_eq!(game.cell(near).chebyshev(Cell::new(20, 7)), 2);
    assert_eq!(game.told(near), [(Kind::Partial, 1), (Kind::PartialEnd, 1)]);
    assert_eq!((game.told(plain), game.last(plain).reason), (vec![(Kind::Failed, 1)], Some(Reason::GoalBlocked)));

    // It rolls away, and the unit after it until it is no obstacle any more.
    let unit = game.unit((2, 12), 6.0);
    game.order(unit, PathRequest::to(house).nearest());
    game.tick();
    for _ in 0..200 {
        shift(&mut game, house, Vec2::new(0.05, 0.0));
        game.tick();
        assert_eq!(count(&game, unit, Kind::Reached), 0);
        if game.get::<PathRequest>(unit).is_none() {
            break;
        }
    }
    assert_eq!(game.last(unit).kind, Kind::PartialEnd);
    assert!(game.cell(unit).chebyshev(game.cell(house)) <= 3, "where it stands, not where it stood");
}

#[test]
fn a_target_that_goes_in_and_out_of_reach_is_not_searched_all_the_time() {
    let mut game = Game::drawn(&["....#..", "S...#..", "....#.."], CornerRule::Never);
    let prey = target(&mut game, (6, 1));
    let unit = game.unit((0, 1), 0.0);
    chase(&mut game, unit, prey);
    for tick in 0..150 {
        game.put(prey, if tick % 2 == 0 { (6, 1) } else { (3, 1) });
        game.tick();
    }
    assert!(game.stats().searches <= 150 / INTERVAL + 1, "{:?}", game.stats());
    assert!(game.count(Kind::Ready) > 0 && game.count(Kind::Failed) > 0);
    // An edit is answered at once all the same.
    game.put(prey, (6, 1));
    game.until(60, |game| game.status(unit) == PathStatus::Failed(Reason::Unreachable));
    game.paint([(4, 1)], PLAIN);
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Ready);
}

#[test]
fn orders_can_still_be_written_down() {
    fn is_data<T: serde::Serialize + serde::de::DeserializeOwned>() {}
    is_data::<PathRequest>();
    is_data::<PathfindingSettings>();
    is_data::<Obstacle>();
    let one = Entity::from_raw_u32(1).unwrap();
    assert_eq!(PathRequest::to(one), PathRequest::to(PathGoal::Entity(one)));
    assert_ne!(PathRequest::to(one), PathRequest::to(Entity::from_raw_u32(2).unwrap()));
}

/// A game of hunters after prey that hunts, too, dies and comes back; all there is to see after every tick.
fn trace(executor: Executor, seed: u64, ticks: u64) -> (Vec<String>, Game) {
    let mut dice = Dice::new(seed);
    let map = scattered(&mut dice, 40, 40);
    let mut game = Game::new(Some(Tilemap::new(map, vec![foot(CornerRule::BothFree)])));
    game.settings().executor = executor;
    game.settings().searches_per_tick = 6;
    game.settings().batch_size = 3;
    game.answers_take(3);
    let mut units: Vec<_> = (0..40)
        .map(|_| {
            let cell = dice.free_cell(game.map());
            game.unit(cell, 2.0 + dice.below(6) as f32)
        })
        .collect();
    let mut said = 0;
    let mut seen = Vec::new();
    for _ in 0..ticks {
        let [unit, other] = [0, 1].map(|_| units[dice.below(40) as usize]);
        match dice.below(24) {
            0 => {
                // It takes its order along; another one comes in its place.
                game.despawn(unit);
                let cell = dice.free_cell(game.map());
                let new = game.unit(cell, 2.0 + dice.below(6) as f32);
                units.iter_mut().filter(|one| **one == unit).for_each(|one| *one = new);
            }
            1 => {
                let terrain = [WALL, PLAIN, TerrainId(4)][dice.below(3) as usize];
                let cells: Vec<_> = (0..4).map(|_| dice.cell(game.map())).map(|cell| (cell.x, cell.y)).collect();
                game.paint(cells, terrain);
            }
            2 => game.cancel(unit),
            3 | 4 => game.order(unit, PathRequest::to(dice.cell(game.map())).nearest()),
            5 | 6 => game.order(unit, PathRequest::to(other).nearest()),
            7 => game.order(unit, PathRequest::to(other).max_expansions(90).allow_partial()),
            8 => {
                let at = game.at(dice.cell(game.map()));
                game.app.world_mut().entity_mut(unit).insert((Obstacle::new(2, 1, TerrainId(3)), at));
            }
            9..=12 => chase(&mut game, unit, other),
            _ => {}
        }
        game.tick();
        let mut line = String::new();
        for &unit in &units {
            let at = game.position(unit);
            line += &format!("{} {} {:?};", at.x.to_bits(), at.y.to_bits(), game.status(unit));
        }
        for event in &game.log()[said..] {
            let place = units.iter().position(|&unit| unit == event.entity);
            line += &format!("{place:?} {:?} {} {:?};", event.kind, event.order, event.reason);
        }
        said = game.log().len();
        let stats = PlannerStats { waits: 0, expansions_inline: 0, ..game.stats() };
        seen.push(format!("{line} {stats:?} {}", game.map().revision()));
        let world = game.app.world_mut();
        let standing = world.query::<&PathRequest>().iter(world).count() as u64;
        let ended = stats.reached + stats.partial_ends + stats.lost + stats.replaced + stats.withdrawn;
        assert_eq!(stats.orders, ended + standing, "{stats:?}");
    }
    (seen, game)
}

#[test]
fn a_hunt_is_the_same_on_any_executor() {
    for seed in [3, 4] {
        let (expected, game) = trace(Executor::Inline, seed, 700);
        for kind in [Kind::Ready, Kind::Partial, Kind::Failed, Kind::Invalidated, Kind::Reached, Kind::PartialEnd] {
            assert!(game.count(kind) > 1, "{kind:?}: {}", game.count(kind));
        }
        assert!(game.stats().lost > 10, "{:?}", game.stats());
        for threads in [1, 2, 8] {
            let pool = Executor::Pool(Arc::new(TaskPoolBuilder::new().num_threads(threads).build()));
            let (seen, _) = trace(pool, seed, 700);
            let differs = expected.iter().zip(&seen).position(|(one, other)| one != other);
            assert_eq!(differs, None, "the tick in which {threads} threads differ");
        }
    }
}

#[test]
fn larger_units_go_after_small_ones() {
    let map = Tilemap::new(crate::world::plain(30, 30), vec![foot(CornerRule::BothFree)]);
    let mut game = Game::new(Some(map.with_unit_size(FOOT, 2).unwrap()));
    let prey = target(&mut game, (20, 20));
    let at = game.map().unit_to_world(FOOT, Cell::new(3, 3));
    let unit = game.spawn((Transform::from_translation(at.extend(0.0)), Mover::new(speed(1.5 * PACE))));
    chase(&mut game, unit, prey);
    for tick in 0..400 {
        shift(&mut game, prey, around_a_square(tick) / 2.0);
        game.tick();
        if count(&game, unit, Kind::Reached) > 0 {
            break;
        }
    }
    assert_eq!(count(&game, unit, Kind::Reached), 1);
    assert!(gap(&game, unit, prey) < 2.5, "{}", gap(&game, unit, prey));
}
