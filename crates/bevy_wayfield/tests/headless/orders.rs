//! Orders given, replaced, removed, and what becomes of them when their units die.

use bevy::prelude::*;
use bevy_wayfield::{FollowPath, Mover, PathRequest, PathStatus, PathfindingSystems, Planner, SimId, Tilemap};
use wayfield::{Algorithm, Cell, CornerRule};

use crate::world::{Dice, FOOT, Game, Kind, WALL, foot, is_free, scattered};

#[test]
fn a_newer_order_never_loses_to_an_older_answer() {
    let mut game = Game::open(20, 5, CornerRule::BothFree);
    game.answers_take(3);
    let unit = game.unit((0, 2), 8.0);
    game.go(unit, (19, 2));
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Searching);
    game.go(unit, (0, 4));
    game.go(unit, (0, 0));
    assert_eq!(game.status(unit), PathStatus::Queued);
    game.until(3, |game| game.get::<FollowPath>(unit).is_some());
    // The first order's way moves it meanwhile, and nothing is said of it.
    assert_eq!(game.get::<FollowPath>(unit).unwrap().order, 1);
    assert_eq!(game.told(unit), []);
    assert_eq!(game.planner().in_flight() + game.planner().queued(), 1);
    game.ticks(1);
    assert!(game.position(unit).x > 0.5);

    game.until_told(unit, Kind::Reached, 60);
    assert_eq!(game.cell(unit), Cell::new(0, 0));
    game.ticks(20);
    assert_eq!(game.told(unit), [(Kind::Ready, 3), (Kind::Reached, 3)]);
    assert_eq!((game.stats().orders, game.stats().searches), (3, 2));
}

#[test]
fn the_end_of_an_older_way_is_not_the_end_of_the_order() {
    let mut game = Game::open(20, 1, CornerRule::BothFree);
    game.answers_take(12);
    let unit = game.unit((0, 0), 8.0);
    game.go(unit, (1, 0));
    game.tick();
    game.go(unit, (19, 0));
    game.until(20, |game| game.get::<FollowPath>(unit).is_some());
    // It is at the end of the older way long before the newer one is there.
    game.ticks(8);
    assert_eq!((game.cell(unit), game.told(unit)), (Cell::new(1, 0), vec![]));
    assert!(game.get::<PathRequest>(unit).is_some());
    game.until_told(unit, Kind::Reached, 120);
    assert_eq!((game.cell(unit), game.last(unit).order), (Cell::new(19, 0), 2));
}

#[test]
fn orders_in_every_tick_keep_a_unit_going() {
    for ticks in 0..4 {
        let mut game = Game::open(100, 100, CornerRule::BothFree);
        game.answers_take(ticks);
        let unit = game.unit((2, 2), 6.0);
        let mut moved = 0;
        for tick in 0..300 {
            game.go(unit, (90 + tick % 3, 95));
            let before = game.position(unit);
            game.tick();
            assert!(game.planner().in_flight() <= 1);
            moved += u32::from(game.position(unit) != before);
            let first = u64::from(ticks) + 2;
            assert!(tick < first as i32 || moved > 0, "it starts within two ticks of the answer");
        }
        assert!(moved >= 270, "{moved} of 300 ticks with answers after {ticks}");
        game.until(600, |game| game.status(unit) == PathStatus::Arrived);
        assert_eq!(game.cell(unit), Cell::new(92, 95), "the goal of the last order");
        assert_eq!(game.last(unit).order, 300);
    }
}

#[test]
fn a_removed_order_is_forgotten_wherever_it_is() {
    // While it waits, while it is searched, and while the unit walks.
    for removed_after in [0, 1, 2, 5, 12] {
        let mut game = Game::open(30, 3, CornerRule::BothFree);
        game.answers_take(3);
        let unit = game.unit((0, 1), 8.0);
        game.go(unit, (29, 1));
        game.ticks(removed_after);
        let said = game.log().len();
        game.cancel(unit);
        assert_eq!(game.status(unit), PathStatus::Idle);
        assert!(game.get::<FollowPath>(unit).is_none());
        let here = game.position(unit);
        game.ticks(12);
        assert_eq!((game.position(unit), game.log().len()), (here, said), "removed after {removed_after}");
        assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 0));
        assert_eq!(game.stats().cancelled, u64::from((1..=3).contains(&removed_after)));
        game.go(unit, (0, 0));
        game.until_told(unit, Kind::Reached, 120);
        assert_eq!(game.last(unit).order, 2);
    }
}

#[test]
fn an_order_given_in_place_of_a_removed_one_is_searched_once() {
    let mut game = Game::open(30, 3, CornerRule::BothFree);
    game.answers_take(3);
    let unit = game.unit((0, 1), 8.0);
    game.go(unit, (29, 1));
    game.cancel(unit);
    game.go(unit, (5, 1));
    game.tick();
    game.cancel(unit);
    game.go(unit, (0, 2));
    game.until_told(unit, Kind::Reached, 60);
    game.ticks(10);
    assert_eq!(game.told(unit), [(Kind::Ready, 3), (Kind::Reached, 3)]);
    assert_eq!((game.stats().searches, game.stats().cancelled), (1, 1));
}

#[test]
fn more_urgent_orders_go_first_then_those_that_waited() {
    let mut game = Game::open(10, 10, CornerRule::BothFree);
    game.settings().searches_per_tick = 1;
    let units = [0, 5, 1, 5, -1, 0].map(|priority| {
        let unit = game.unit((0, 0), 1.0);
        game.order(unit, PathRequest::to(Cell::new(9, 9)).priority(priority));
        unit
    });
    game.ticks(6);
    let answered: Vec<_> = game.log().iter().map(|said| (said.tick, said.entity)).collect();
    let expected: Vec<_> = (1..).zip([1, 3, 2, 0, 5, 4].map(|index: usize| units[index])).collect();
    assert_eq!(answered, expected);
    let ids: Vec<_> = units.iter().map(|&unit| *game.get::<SimId>(unit).unwrap()).collect();
    assert!(ids.is_sorted(), "numbered in the order in which orders were given: {ids:?}");
}

#[test]
fn removed_orders_cost_the_others_nothing() {
    let answers = |with_removed: bool| {
        let mut game = Game::open(40, 40, CornerRule::BothFree);
        game.settings().expansions_per_tick = 100;
        game.settings().searches_per_tick = 1;
        let mut removed = Vec::new();
        for index in 0..1000 {
            let stays = index % 100 == 7;
            if stays || with_removed {
                let unit = game.unit((1, 1), 1.0);
                game.go(unit, (38, (index / 100) * 3));
                if !stays {
                    removed.push(unit);
                }
            }
        }
        for unit in removed {
            game.cancel(unit);
        }
        game.ticks(60);
        game.log().iter().map(|said| (said.tick, said.kind, said.cost)).collect::<Vec<_>>()
    };
    let alone = answers(false);
    assert_eq!(alone.len(), 10);
    assert_eq!(answers(true), alone);
}

/// Despawns a unit between the start of its search and the answer, or between the answer and the steps.
#[derive(Resource)]
struct Doomed(Entity);

#[test]
fn a_unit_may_die_at_any_moment_of_its_order() {
    for moment in 0..8 {
        let mut game = Game::open(20, 3, CornerRule::BothFree);
        game.answers_take(2);
        let survivor = game.unit((0, 0), 8.0);
        let unit = game.unit((0, 1), 8.0);
        game.go(unit, (19, 1));
        game.go(survivor, (6, 0));
        let kill = |doomed: Res<Doomed>, mut commands: Commands| commands.entity(doomed.0).try_despawn();
        match moment {
            0 => game.despawn(unit),
            1..=4 => {
                // 3 is the tick of the answer.
                game.ticks(moment);
                game.despawn(unit);
            }
            _ => {
                game.ticks(2);
                assert!(game.told(unit).is_empty());
                game.app.insert_resource(Doomed(unit));
                use PathfindingSystems::{Collect, Fields, Plan, Steer};
                match moment {
                    5 => game.app.add_systems(FixedUpdate, kill.after(Plan).before(Collect)),
                    6 => game.app.add_systems(FixedUpdate, kill.after(Collect).before(Fields)),
                    _ => game.app.add_systems(FixedUpdate, kill.after(Steer)),
                };
            }
        }
        game.until_told(survivor, Kind::Reached, 60);
        game.ticks(10);
        assert!(!game.is_alive(unit));
        assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 0), "moment {moment}");
        assert!(game.told(unit).iter().all(|&(kind, _)| kind == Kind::Ready), "moment {moment}");
    }
}

#[test]
fn a_unit_may_lose_its_mover_or_its_place() {
    let mut game = Game::open(20, 3, CornerRule::BothFree);
    game.answers_take(2);
    let units = [0, 1, 2].map(|y| {
        let unit = game.unit((0, y), 8.0);
        game.go(unit, (19, y));
        unit
    });
    game.tick();
    let world = game.app.world_mut();
    world.entity_mut(units[0]).remove::<Mover>();
    world.entity_mut(units[1]).remove::<Transform>();
    game.until_told(units[2], Kind::Reached, 120);
    assert_eq!(game.told(units[0]), [(Kind::Ready, 1)]);
    assert_eq!(game.cell(units[0]), Cell::new(0, 0));
    assert_eq!(game.told(units[1]), [(Kind::Failed, 1)]);
}

/// Brings a unit's first order to the event, and returns the unit.
fn bring_about(game: &mut Game, kind: Kind) -> Entity {
    let unit = game.unit((0, 2), 8.0);
    let to = |x| PathRequest::to(Cell::new(x, 2));
    match kind {
        Kind::Ready | Kind::Reached | Kind::Invalidated => game.order(unit, to(9)),
        Kind::Failed => game.order(unit, to(50)),
        Kind::Partial | Kind::PartialEnd => game.order(unit, to(9).max_expansions(5).allow_partial()),
    }
    if kind == Kind::Invalidated {
        game.ticks(4);
        game.paint([(5, 2)], WALL);
    }
    unit
}

const KINDS: [Kind; 6] = [Kind::Ready, Kind::Partial, Kind::Failed, Kind::Invalidated, Kind::Reached, Kind::PartialEnd];

#[test]
fn an_order_given_inside_an_observer_survives() {
    for kind in KINDS {
        for ticks in [0, 2] {
            let mut game = Game::open(12, 5, CornerRule::BothFree);
            game.answers_take(ticks);
            game.react(kind, |mut unit| {
                unit.insert(PathRequest::to(Cell::new(1, 4)));
            });
            let unit = bring_about(&mut game, kind);
            game.until_told(unit, Kind::Reached, 120);
            game.until(120, |game| game.told(unit).contains(&(Kind::Reached, 2)));
            game.ticks(20);
            let told = game.told(unit);
            assert!(told.contains(&(kind, 1)), "{told:?}");
            assert_eq!(told[told.len() - 2..], [(Kind::Ready, 2), (Kind::Reached, 2)], "after {kind:?}: {told:?}");
            assert_eq!((game.cell(unit), game.status(unit)), (Cell::new(1, 4), PathStatus::Arrived));
        }
    }
}

#[test]
fn a_unit_may_die_inside_an_observer() {
    for kind in KINDS {
        let mut game = Game::open(12, 5, CornerRule::BothFree);
        game.react(kind, |mut unit| unit.despawn());
        let unit = bring_about(&mut game, kind);
        game.until(120, |game| !game.is_alive(unit));
        assert_eq!(game.last(unit).kind, kind);
        game.ticks(20);
        assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 0));
        assert_eq!(game.last(unit).kind, kind, "nothing is said of the dead");
    }
}

#[test]
fn an_order_may_be_removed_inside_an_observer() {
    for kind in KINDS {
        let mut game = Game::open(12, 5, CornerRule::BothFree);
        game.react(kind, |mut unit| {
            unit.remove::<PathRequest>();
        });
        let unit = bring_about(&mut game, kind);
        game.until_told(unit, kind, 120);
        game.ticks(40);
        assert_eq!(game.last(unit).kind, kind);
        assert!(game.get::<FollowPath>(unit).is_none());
        // And the unit is not lost to the planner.
        game.go(unit, (11, 0));
        game.until(120, |game| game.told(unit).contains(&(Kind::Reached, 2)));
        game.ticks(5);
        assert_eq!(game.stats().orders, 2);
    }
}

#[test]
fn units_may_die_inside_the_games_own_observers() {
    /// The app with an observer that kills, and which of two units it kills.
    type Killer = (fn(&mut App) -> &mut App, [bool; 2]);
    let killers: [Killer; 3] = [
        (|app| app.add_observer(kill::<Insert, FollowPath>), [true, true]),
        (|app| app.add_observer(kill::<Remove, FollowPath>), [true, true]),
        (|app| app.add_observer(kill::<Remove, PathRequest>), [true, false]),
    ];
    for (index, (killer, dies)) in killers.into_iter().enumerate() {
        let mut game = Game::open(12, 5, CornerRule::BothFree);
        game.answers_take(1);
        killer(&mut game.app);
        let arrives = game.unit((0, 0), 8.0);
        let fails = game.unit((0, 2), 8.0);
        game.go(arrives, (3, 0));
        game.go(fails, (9, 2));
        game.ticks(6);
        game.paint([(9, 2)], WALL);
        game.ticks(60);
        assert_eq!([arrives, fails].map(|unit| !game.is_alive(unit)), dies, "killer {index}");
        assert_eq!((game.planner().in_flight(), game.planner().queued()), (0, 0));
    }
}

fn kill<E: EntityEvent, C: Component>(on: On<E, C>, mut commands: Commands) {
    commands.entity(on.event_target()).try_despawn();
}

/// A crowd whose observer of an invalidated way kills, stops or redirects its neighbour.
#[test]
fn an_observer_may_meddle_with_other_units() {
    #[derive(Resource)]
    struct Crowd(Vec<Entity>);

    let mut game = Game::open(24, 24, CornerRule::BothFree);
    let crowd: Vec<_> = (0..24).map(|y| game.unit((0, y), 6.0)).collect();
    for (y, &unit) in (0..).zip(&crowd) {
        game.go(unit, (20, y));
    }
    game.app.insert_resource(Crowd(crowd.clone()));
    game.app.add_observer(|on: On<bevy_wayfield::PathInvalidated>, crowd: Res<Crowd>, mut commands: Commands| {
        let next = crowd.0.iter().position(|&unit| unit == on.entity).map_or(0, |index| index + 1);
        let Some(mut other) = crowd.0.get(next).and_then(|&unit| commands.get_entity(unit).ok()) else { return };
        match next % 3 {
            0 => other.despawn(),
            1 => drop(other.remove::<PathRequest>()),
            _ => drop(other.insert(PathRequest::to(Cell::new(0, 0)))),
        }
    });
    game.ticks(4);
    game.paint((0..24).map(|y| (10, y)).filter(|&(_, y)| y != 12), WALL);
    game.ticks(20);
    // Told in turn; whoever a neighbour has despawned, stopped or redirected is not told.
    let told: Vec<_> = game.log().iter().filter(|said| said.kind == Kind::Invalidated).collect();
    assert!(told.iter().all(|said| said.order == 1), "{told:?}");
    assert!((8..24).contains(&told.len()), "{}", told.len());
    for &unit in &crowd {
        if game.is_alive(unit) {
            game.go(unit, (12, 12));
        }
    }
    game.ticks(200);
    for &unit in &crowd {
        assert!(!game.is_alive(unit) || game.cell(unit) == Cell::new(12, 12));
    }
    let alive = crowd.iter().filter(|&&unit| game.is_alive(unit)).count();
    assert!((8..24).contains(&alive), "{alive}");
    assert!(is_free(game.map(), FOOT, Cell::new(12, 12)));
    assert_eq!(game.app.world().resource::<Planner>().in_flight(), 0);
}

#[test]
fn an_answer_that_comes_late_is_joined_along_the_way_walked_meanwhile() {
    for (ticks, goal) in [(12, (0, 1)), (40, (0, 1)), (100, (2, 0)), (40, (199, 0)), (40, (60, 2))] {
        let mut game = Game::open(200, 3, CornerRule::BothFree);
        let unit = game.unit((50, 1), 8.0);
        game.go(unit, (199, 1));
        game.ticks(30);
        game.answers_take(ticks);
        let from = game.cell(unit);
        game.go(unit, goal);
        game.ticks(u64::from(ticks));
        let walked = game.cell(unit).x - from.x;
        assert!((walked - ticks as i32 / 4).abs() <= 1, "it walks on: {walked} cells");
        assert_eq!(game.told(unit), [(Kind::Ready, 1)]);
        // Its steps are checked when it is given.
        game.tick();
        assert_eq!(game.told(unit), [(Kind::Ready, 1), (Kind::Ready, 2)], "after {ticks} to {goal:?}");
        let way = game.get::<FollowPath>(unit).unwrap();
        assert_eq!((way.path.cells().last(), Some(way.path.cost())), (Some(&goal.into()), game.last(unit).cost));
        game.until_told(unit, Kind::Reached, 1200);
        assert_eq!((game.cell(unit), game.last(unit).order), (goal.into(), 2));
        assert_eq!((game.stats().stale, game.stats().searches), (0, 2));
    }
}

#[test]
fn a_search_in_small_slices_is_joined_as_well() {
    let mut game = Game::open(120, 9, CornerRule::BothFree);
    let unit = game.unit((30, 4), 8.0);
    game.go(unit, (119, 4));
    game.ticks(20);
    game.settings().expansions_per_tick = 20;
    let from = game.cell(unit);
    game.order(unit, PathRequest::to(Cell::new(0, 0)).algorithm(Algorithm::Dijkstra));
    game.until(200, |game| game.told(unit).contains(&(Kind::Ready, 2)));
    assert!(game.cell(unit).x - from.x > 6, "{from} to {}", game.cell(unit));
    game.until_told(unit, Kind::Reached, 400);
    assert_eq!((game.cell(unit), game.stats().stale), (Cell::new(0, 0), 0));
}

#[test]
fn late_answers_are_joined_between_walls() {
    for rule in CornerRule::ALL {
        let mut dice = Dice::new(8);
        let map = scattered(&mut dice, 48, 48);
        let mut game = Game::new(Some(Tilemap::new(map, vec![foot(rule)])));
        let middle = loop {
            let cell = dice.free_cell(game.map());
            if game.map().grid(FOOT).unwrap().legal_moves(cell).iter().count() > 3 {
                break cell;
            }
        };
        let mut units = Vec::new();
        while units.len() < 40 {
            let (start, goal) = (dice.free_cell(game.map()), dice.free_cell(game.map()));
            let grid = game.map().grid(FOOT).unwrap();
            if start.chebyshev(goal) > 30 && [goal, middle].iter().all(|&cell| grid.is_reachable(start, cell)) {
                let unit = game.unit(start, 8.0);
                game.go(unit, goal);
                units.push(unit);
            }
        }
        game.ticks(15);
        game.answers_take(40);
        for &unit in &units {
            game.go(unit, middle);
        }
        game.ticks(41);
        // Steps into walls and around corners are checked in every tick.
        assert_eq!((game.count(Kind::Ready), game.stats().stale), (80, 0), "{rule:?}");
        game.until(900, |game| units.iter().all(|&unit| game.status(unit) == PathStatus::Arrived));
        assert!(units.iter().all(|&unit| game.cell(unit) == middle));
        assert_eq!(game.stats().searches, 80);
    }
}

#[test]
fn no_late_answer_is_joined_through_a_wall_built_behind_the_unit() {
    let mut game = Game::open(200, 9, CornerRule::BothFree);
    let unit = game.unit((50, 4), 8.0);
    game.go(unit, (199, 4));
    game.ticks(30);
    game.answers_take(40);
    game.go(unit, (0, 4));
    game.ticks(20);
    let behind = game.cell(unit).x - 2;
    // It has walked on by there, and the way back leads through it.
    game.paint((1..9).map(|y| (behind, y)), WALL);
    game.until(200, |game| game.told(unit).contains(&(Kind::Ready, 2)));
    assert_eq!(game.stats().stale, 1);
    game.until_told(unit, Kind::Reached, 900);
    assert_eq!((game.cell(unit), game.stats().searches), (Cell::new(0, 4), 3));
}

#[test]
fn orders_are_answered_by_priority_then_waiting_time_then_name() {
    let mut dice = Dice::new(14);
    for _ in 0..10 {
        let mut game = Game::open(10, 10, CornerRule::BothFree);
        game.settings().searches_per_tick = 0;
        // Names, priorities and times without any relation to the order in which the units come to be.
        let mut names: Vec<_> = (1..=24).collect();
        for last in (1..names.len()).rev() {
            names.swap(last, dice.below(last as u32 + 1) as usize);
        }
        let units: Vec<_> = names
            .iter()
            .map(|&name| {
                let unit = game.unit((0, 0), 1.0);
                game.app.world_mut().entity_mut(unit).insert(SimId(name));
                (unit, name, dice.below(3) as i32 - 1, dice.below(4))
            })
            .collect();
        for tick in 0..4 {
            for &(unit, _, priority, _) in units.iter().filter(|(.., asked)| *asked == tick) {
                game.order(unit, PathRequest::to(Cell::new(9, 9)).priority(priority));
            }
            game.tick();
        }
        assert_eq!(game.planner().queued(), 24);
        game.settings().searches_per_tick = 1;
        game.ticks(24);
        let mut expected = units.clone();
        expected.sort_by_key(|&(_, name, priority, asked)| (-priority, asked, name));
        let expected: Vec<_> = (5..).zip(expected.iter().map(|&(unit, ..)| unit)).collect();
        let answered: Vec<_> = game.log().iter().map(|said| (said.tick, said.entity)).collect();
        assert_eq!(answered, expected);
    }
}

#[test]
fn names_that_a_game_gives_stay_clear_of_the_automatic_ones() {
    let mut game = Game::open(10, 10, CornerRule::BothFree);
    let given = [1, 2, 3, 0, (1 << 63) - 1, 7];
    let mut units = Vec::new();
    for name in given {
        let at = game.at((0, 0));
        units.push(game.spawn((at, SimId(name), PathRequest::to(Cell::new(9, 9)))));
        units.push(game.spawn((at, PathRequest::to(Cell::new(9, 9)))));
    }
    let names: Vec<_> = units.iter().map(|&unit| game.get::<SimId>(unit).unwrap().0).collect();
    let (ours, automatic): (Vec<_>, Vec<_>) = names.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(ours, given, "a given name stays");
    assert!(automatic.is_sorted_by(|one, other| one < other), "in the order in which orders are given: {automatic:?}");
    assert!(automatic.iter().all(|name| !given.contains(name) && name >> 63 == 1), "{automatic:?}");
    // Another order does not rename.
    game.go(units[1], (5, 5));
    game.tick();
    assert_eq!(game.get::<SimId>(units[1]).unwrap().0, automatic[0]);
}
