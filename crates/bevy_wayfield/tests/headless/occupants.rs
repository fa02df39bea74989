//! Units that have their cells to themselves: queues, head-on, making way, arriving, and coming to rest.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use bevy_wayfield::{
    ClassId, Field, FollowField, FollowPath, Gather, Mover, Occupant, PathRequest, PathStatus, PathfindingSave, SimId,
    Tilemap,
};
use wayfield::{Cell, CornerRule};

use crate::world::{Dice, FOOT, Game, Kind, PLAIN, TICKS_PER_SECOND, WALL, foot, plain, scattered, terrain};

/// One cell a tick.
const CELL_A_TICK: f32 = TICKS_PER_SECOND as f32;

/// The crowd of a test, and the rules that hold for it after every tick.
struct Crowd {
    game: Game,
    units: Vec<Entity>,
}

impl Crowd {
    fn new(game: Game) -> Self {
        Self { game, units: Vec::new() }
    }

    fn on(rows: &[&str], rule: CornerRule) -> Self {
        Self::new(Game::drawn(rows, rule))
    }

    fn add(&mut self, cell: impl Into<Cell>, speed: f32) -> Entity {
        let at = self.game.at(cell);
        let id = SimId(self.units.len() as u64);
        let unit = self.game.spawn((at, Mover::new(speed), Occupant::default(), id));
        self.units.push(unit);
        unit
    }

    fn tick(&mut self) {
        self.game.tick();
        let places: Vec<_> = self.units.iter().map(|&unit| self.game.position(unit)).collect();
        for (index, one) in places.iter().enumerate() {
            for (other_index, other) in places.iter().enumerate().skip(index + 1) {
                let apart = one.distance(*other);
                assert!(
                    apart > 0.69,
                    "tick {}: units {index} and {other_index} are {apart} apart, at {one} and {other}",
                    self.game.now()
                );
            }
        }
    }

    fn ticks(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.tick());
    }

    /// Ticks until something holds; returns how many ticks that took.
    fn until(&mut self, limit: u64, holds: impl Fn(&Self) -> bool) -> u64 {
        for ticks in 0..limit {
            if holds(self) {
                return ticks;
            }
            self.tick();
        }
        let cells: Vec<_> = self.units.iter().map(|&unit| (self.game.cell(unit), self.game.status(unit))).collect();
        assert!(holds(self), "not after {limit} ticks: {cells:?}");
        limit
    }

    fn has_arrived(&self, unit: Entity) -> bool {
        self.game.status(unit) == PathStatus::Arrived
    }

    fn all_have_arrived(&self) -> bool {
        self.units.iter().all(|&unit| self.has_arrived(unit))
    }

    fn cells(&self) -> Vec<Cell> {
        self.units.iter().map(|&unit| self.game.cell(unit)).collect()
    }

    fn are_all_at_rest(&mut self, ticks: u64) -> bool {
        let places = |crowd: &Self| crowd.units.iter().map(|&unit| crowd.game.position(unit)).collect::<Vec<_>>();
        let before = places(self);
        let searches = self.game.stats().searches;
        self.ticks(ticks);
        before == places(self) && searches == self.game.stats().searches
    }

    fn is_blocked(&self, unit: Entity) -> bool {
        self.game.get::<Occupant>(unit).unwrap().is_blocked()
    }
}

#[test]
fn head_on_in_a_corridor_with_a_bay_both_get_through() {
    for bay in 2..=8 {
        let mut bays = ["#"; 11];
        bays[bay] = ".";
        let crowd = |swapped: bool| {
            let bays = bays.concat();
            let mut crowd = Crowd::on(&["###########", "#.........#", &bays, "###########"], CornerRule::Never);
            let (one, other) = if swapped { ((9, 1), (1, 1)) } else { ((1, 1), (9, 1)) };
            let units = [crowd.add(one, CELL_A_TICK), crowd.add(other, CELL_A_TICK)];
            crowd.game.go(units[0], other);
            crowd.game.go(units[1], one);
            crowd
        };
        for swapped in [false, true] {
            let took = crowd(swapped).until(60, Crowd::all_have_arrived);
            assert!(took <= 34, "with the bay at {bay} it took {took} ticks");
        }
    }
}

#[test]
fn head_on_in_a_corridor_without_a_bay_ends_in_peace() {
    let mut crowd = Crowd::on(&["###########", "#.........#", "###########"], CornerRule::Never);
    let (one, other) = (crowd.add((1, 1), 4.0), crowd.add((9, 1), 4.0));
    crowd.game.go(one, (9, 1));
    crowd.game.go(other, (1, 1));
    crowd.until(8 * TICKS_PER_SECOND as u64, |crowd| crowd.is_blocked(one) && crowd.is_blocked(other));
    assert!(crowd.are_all_at_rest(300), "no search, and no move");
    assert!(crowd.is_blocked(one) && crowd.is_blocked(other));
    assert!(crowd.units.iter().all(|&unit| crowd.game.get::<PathRequest>(unit).is_some()), "orders are kept");
    // When the one that blocks the end is ordered away the other one goes on by itself.
    crowd.game.go(one, (2, 1));
    crowd.until(400, |crowd| crowd.has_arrived(one) && crowd.has_arrived(other) || !crowd.is_blocked(other));
}

#[test]
fn everybody_who_is_sent_to_one_cell_finds_a_place_around_it() {
    let rows = [".........", ".........", "....#....", "....#....", "....#....", ".........", "........."];
    let mut crowd = Crowd::on(&rows, CornerRule::Never);
    for x in 0..2 {
        for y in 0..6 {
            let unit = crowd.add((x, y), CELL_A_TICK);
            crowd.game.go(unit, (5, 3));
        }
    }
    crowd.until(20 + 60, Crowd::all_have_arrived);
    let cells: BTreeSet<_> = crowd.cells().into_iter().collect();
    assert_eq!(cells.len(), 12);
    let map = terrain(&rows);
    let grid = wayfield::CostGrid::new(&map, &foot(CornerRule::Never));
    let way = |cell: &Cell| {
        let query = wayfield::PathQuery::new(*cell, Cell::new(5, 3));
        wayfield::find_path(&grid, &query).unwrap().outcome.path().unwrap().cost().units()
    };
    assert!(cells.iter().all(|cell| way(cell) <= 4.0), "{cells:?}");
    assert!(crowd.are_all_at_rest(300));
    assert_eq!(crowd.game.count(Kind::Reached), 12, "each is told so, once");

    let mut crowd = Crowd::new(Game::open(30, 30, CornerRule::BothFree));
    for index in 0..25 {
        let unit = crowd.add((1 + index % 5, 1 + index / 5), 8.0);
        crowd.game.go(unit, (20, 20));
    }
    crowd.until(32 * 10, Crowd::all_have_arrived);
    let cells: BTreeSet<_> = crowd.cells().into_iter().collect();
    assert_eq!(cells.len(), 25);
    assert!(cells.iter().all(|cell| cell.chebyshev(Cell::new(20, 20)) <= 3), "{cells:?}");
    assert!(crowd.are_all_at_rest(300));
}

#[test]
fn who_stands_by_is_not_disturbed() {
    let mut crowd = Crowd::new(Game::open(20, 12, CornerRule::BothFree));
    for index in 0..30 {
        crowd.add((5 + index % 6, 4 + index / 6), 4.0);
    }
    let parked = crowd.cells();
    // Past them, and straight through the middle of them.
    for (start, goal) in [((0, 3), (19, 3)), ((1, 6), (18, 6))] {
        let unit = crowd.add(start, 6.0);
        crowd.game.go(unit, goal);
        crowd.until(32 * 10, |crowd| crowd.has_arrived(unit));
        assert_eq!(crowd.game.cell(unit), goal.into());
    }
    assert_eq!(crowd.cells()[..30], parked[..], "there is room around them");
    assert!(crowd.are_all_at_rest(60));
}

#[test]
fn who_stands_in_the_only_way_makes_way() {
    let mut crowd = Crowd::on(&["#########", "...#.....", "#########"], CornerRule::BothFree);
    let mut open = Crowd::on(&["####.####", ".........", "#########"], CornerRule::BothFree);
    let (unit, parked) = (open.add((0, 1), 4.0), open.add((4, 1), 4.0));
    open.game.go(unit, (8, 1));
    open.until(32 * 6, |crowd| crowd.has_arrived(unit));
    assert_eq!(open.game.cell(parked), Cell::new(4, 0), "into the bay");
    assert!(open.are_all_at_rest(60));
    assert_eq!(open.game.status(parked), PathStatus::Idle);

    // Unless it is to stand firm: then there is no way, and the order stands.
    let (unit, guard) = (crowd.add((4, 1), 4.0), crowd.add((6, 1), 4.0));
    crowd.game.app.world_mut().entity_mut(guard).insert(Occupant::firm());
    crowd.game.go(unit, (8, 1));
    crowd.until(32 * 6, |crowd| crowd.is_blocked(unit));
    assert_eq!(crowd.game.cell(guard), Cell::new(6, 1));
    assert_eq!(crowd.game.status(unit), PathStatus::Ready);
    crowd.game.despawn(guard);
    crowd.units.pop();
    crowd.until(32 * 6, |crowd| crowd.has_arrived(unit));
}

#[test]
fn a_parked_unit_on_the_way_is_walked_round() {
    let mut crowd = Crowd::on(&["........", "........", "........"], CornerRule::BothFree);
    let (unit, parked) = (crowd.add((0, 1), 4.0), crowd.add((3, 1), 4.0));
    crowd.game.go(unit, (7, 1));
    // Seven steps, a little more for the way round, and less than a second of thinking.
    let took = crowd.until(32 * 4, |crowd| crowd.has_arrived(unit));
    assert!(took <= 8 * 9 + 24, "{took}");
    assert_eq!(crowd.game.cell(parked), Cell::new(3, 1));
    assert_eq!(crowd.game.stats().searches, 1, "that takes no search of the planner");
}

#[test]
fn fast_ones_queue_behind_a_slow_one_and_overtake_where_there_is_room() {
    for lanes in 1..=2 {
        let rows: Vec<_> = (0..lanes).map(|_| "............................").collect();
        let mut crowd = Crowd::on(&rows, CornerRule::BothFree);
        let slow = crowd.add((4, 0), 1.5);
        let fast: Vec<_> = (1..4).map(|x| crowd.add((x, 0), 4.5)).collect();
        for (index, &unit) in crowd.units.clone().iter().enumerate() {
            crowd.game.go(unit, (27 - index as i32 / lanes, index as i32 % lanes));
        }
        crowd.ticks(6 * 32);
        let x = |unit| crowd.game.position(unit).x;
        if lanes == 1 {
            let mut line: Vec<_> = crowd.units.iter().map(|&unit| x(unit)).collect();
            line.sort_by(f32::total_cmp);
            assert!(line.windows(2).all(|pair| pair[1] - pair[0] < 2.1), "gaps of at most a cell: {line:?}");
            assert!(fast.iter().all(|&unit| x(unit) < x(slow)));
            assert!(crowd.cells().iter().all(|cell| cell.y == 0));
        } else {
            assert!(fast.iter().all(|&unit| x(unit) > x(slow)), "they have overtaken it: {:?}", crowd.cells());
        }
    }
}

#[test]
fn a_bridge_is_queued_for() {
    // A bridge of one cell's width, and another one far away.
    let rows: Vec<String> = (0..40)
        .map(|y| {
            let bridge = if y == 6 || y == 36 { "....." } else { "#####" };
            format!("............{bridge}............")
        })
        .collect();
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let mut crowd = Crowd::on(&rows, CornerRule::BothFree);
    for index in 0..30 {
        let unit = crowd.add((1 + index % 6, 3 + index / 6), 6.0);
        crowd.game.go(unit, (27 - index % 6, 4 + index / 6));
    }
    let mut crossed: BTreeMap<Entity, bool> = BTreeMap::new();
    for _ in 0..32 * 40 {
        crowd.tick();
        for &unit in &crowd.units {
            let cell = crowd.game.cell(unit);
            if (12..17).contains(&cell.x) {
                crossed.insert(unit, cell.y == 6);
            }
        }
        if crowd.all_have_arrived() {
            break;
        }
    }
    assert!(crowd.all_have_arrived(), "{:?}", crowd.cells());
    assert_eq!(crossed.values().filter(|&&near| near).count(), 30, "nobody runs round the map");
    assert_eq!(crowd.game.stats().replans, 0);
}

#[test]
fn two_armies_pass_each_other_in_a_corridor() {
    for width in [2, 3, 5] {
        let rows: Vec<String> = (0..width).map(|_| ".".repeat(60)).collect();
        let rows: Vec<_> = rows.iter().map(String::as_str).collect();
        let mut crowd = Crowd::on(&rows, CornerRule::BothFree);
        let army = 20;
        for index in 0..army {
            let (x, y) = (index / width, index % width);
            let unit = crowd.add((x, y), 6.0);
            crowd.game.go(unit, (59 - x, y));
            let unit = crowd.add((59 - x, y), 6.0);
            crowd.game.go(unit, (x, y));
        }
        let took = crowd.until(32 * 120, Crowd::all_have_arrived);
        // 60 cells are 10 seconds' way.
        // The way is 10 seconds long for who is alone. In a corridor for two that is full every unit must find a gap.
        let limit = if width == 2 { 110 } else { 30 };
        assert!(took < 32 * limit, "{width} wide: {took} ticks");
        // Somebody may just have made way for the last one.
        crowd.ticks(32);
        assert!(crowd.are_all_at_rest(100));
    }
}

#[test]
fn four_columns_cross_on_an_open_place() {
    let mut crowd = Crowd::new(Game::open(40, 40, CornerRule::BothFree));
    for index in 0..12 {
        let (along, across) = (index / 4, 18 + index % 4);
        for (start, goal) in [
            ((along, across), (39 - along, across)),
            ((39 - along, across), (along, across)),
            ((across, along), (across, 39 - along)),
            ((across, 39 - along), (across, along)),
        ] {
            let unit = crowd.add(start, 6.0);
            crowd.game.go(unit, goal);
        }
    }
    let took = crowd.until(32 * 60, Crowd::all_have_arrived);
    assert!(took < 32 * 20, "{took}");
    assert!(crowd.are_all_at_rest(100));
}

#[test]
fn a_heap_of_units_spreads() {
    let mut crowd = Crowd::new(Game::open(30, 30, CornerRule::BothFree));
    for index in 0..40 {
        let at = crowd.game.at((15, 15));
        let unit = crowd.game.spawn((at, Mover::new(4.0), Occupant::default(), SimId(index)));
        crowd.units.push(unit);
    }
    crowd.game.ticks(32 * 20);
    let cells: BTreeSet<_> = crowd.cells().into_iter().collect();
    assert_eq!(cells.len(), 40);
    assert!(cells.iter().all(|cell| cell.chebyshev(Cell::new(15, 15)) <= 6));
    assert!(crowd.are_all_at_rest(100));
}

#[test]
fn larger_units_keep_apart_too() {
    let map = plain(40, 20);
    let tilemap = Tilemap::new(map, vec![foot(CornerRule::BothFree), foot(CornerRule::BothFree)]);
    let mut game = Game::new(Some(tilemap.with_unit_size(ClassId(1), 2).unwrap()));
    let mut units = Vec::new();
    for index in 0..24 {
        let class = ClassId(index % 2);
        let (x, y) = (2 + (index as i32 % 4) * 2, 2 + (index as i32 / 4) * 3);
        let at = game.map().unit_to_world(class, Cell::new(x, y)).extend(0.0);
        let mover = Mover::new(5.0).class(class);
        let unit = game.spawn((Transform::from_translation(at), mover, Occupant::default(), SimId(index as u64)));
        game.go(unit, (36 - x, 17 - y));
        units.push((unit, class));
    }
    for _ in 0..32 * 40 {
        game.tick();
        let mut taken = BTreeMap::new();
        for &(unit, class) in &units {
            let anchor = game.map().world_to_unit(class, game.position(unit)).unwrap();
            for cell in game.map().grid(class).unwrap().footprint(anchor).cells() {
                // Where one goes and another comes both touch the cell for a while; nobody stands on anybody.
                taken.entry(cell).or_insert_with(Vec::new).push(game.position(unit));
            }
        }
        let clash =
            taken.values().find(|at| at.iter().any(|one| at.iter().any(|two| one != two && one.distance(*two) < 0.69)));
        assert_eq!(clash, None);
    }
    assert!(
        units.iter().all(|&(unit, _)| game.status(unit) == PathStatus::Arrived),
        "{:?}",
        units.iter().map(|&(unit, _)| (game.cell(unit), game.status(unit))).collect::<Vec<_>>()
    );
}

#[test]
fn a_crowd_that_follows_a_field_neither_pushes_nor_stands_on_itself() {
    let mut crowd = Crowd::new(Game::open(30, 30, CornerRule::BothFree));
    let hall = crowd
        .game
        .app
        .world_mut()
        .resource_mut::<bevy_wayfield::DijkstraMaps>()
        .define("hall", Field::seek(FOOT).cells([Cell::new(20, 20)]));
    for index in 0..30 {
        let unit = crowd.add((1 + index % 6, 1 + index / 6), 6.0);
        crowd.game.app.world_mut().entity_mut(unit).insert(FollowField::new(hall));
    }
    crowd.ticks(32 * 10);
    let cells = crowd.cells();
    assert!(cells.contains(&Cell::new(20, 20)));
    assert!(cells.iter().all(|cell| cell.chebyshev(Cell::new(20, 20)) <= 5), "{cells:?}");
    assert!(crowd.are_all_at_rest(100));
}

#[test]
fn workers_share_a_depot_without_a_jam() {
    let mut crowd = Crowd::new(Game::open(40, 30, CornerRule::BothFree));
    let (ore, depot) = {
        let mut maps = crowd.game.app.world_mut().resource_mut::<bevy_wayfield::DijkstraMaps>();
        let ore = (0..12).map(|index| Cell::new(30, 2 + 2 * index));
        (
            maps.define("ore", Field::seek(FOOT).cells(ore)),
            maps.define("depot", Field::seek(FOOT).cells([Cell::new(5, 15)])),
        )
    };
    #[derive(Resource, Default)]
    struct Loads(u64);
    crowd.game.app.init_resource::<Loads>();
    crowd.game.app.add_observer(|_: On<bevy_wayfield::Deposited>, mut loads: ResMut<Loads>| loads.0 += 1);
    for index in 0..12 {
        let unit = crowd.add((5 + index % 4, 10 + index / 4), 8.0);
        crowd.game.app.world_mut().entity_mut(unit).insert(Gather::new(ore, depot).digging(20).unloading(10));
    }
    crowd.ticks(32 * 60);
    let loads = crowd.game.app.world().resource::<Loads>().0;
    // A round of some 50 cells takes 7.2 seconds; alone each would make 8.
    assert!(loads >= 12 * 6, "{loads}");
}

#[test]
fn walls_painted_into_a_crowd_trap_nobody_for_ever() {
    let mut crowd = Crowd::new(Game::open(40, 30, CornerRule::BothFree));
    let mut dice = Dice::new(5);
    for index in 0..40 {
        let unit = crowd.add((1 + index % 8, 5 + index / 8), 6.0);
        crowd.game.go(unit, (38 - index % 8, 10 + index / 8));
    }
    for _ in 0..60 {
        let (x, y) = (dice.below(36) as i32 + 2, dice.below(26) as i32 + 2);
        let cells: Vec<_> = (0..3).flat_map(|dx| (0..2).map(move |dy| (x + dx, y + dy))).collect();
        crowd.game.paint(cells.clone(), WALL);
        // Who flees from a wall may come close to others.
        crowd.game.ticks(9);
        crowd.game.paint(cells, PLAIN);
    }
    crowd.game.ticks(32 * 15);
    // Some had arrived when they were walled in.
    let is_done = |unit: &Entity| matches!(crowd.game.status(*unit), PathStatus::Arrived | PathStatus::Idle);
    assert!(crowd.units.iter().all(is_done), "{:?}", crowd.cells());
    let cells: BTreeSet<_> = crowd.cells().into_iter().collect();
    assert_eq!(cells.len(), 40);
}

/// Many units with orders all over a map of walls and dearer ground.
fn throng(seed: u64) -> (Game, Vec<Entity>) {
    let mut dice = Dice::new(seed);
    let map = scattered(&mut dice, 48, 32);
    let class = foot(CornerRule::BothFree);
    let tilemap = Tilemap::new(map, vec![class]);
    let free: Vec<_> =
        tilemap.size().rect().cells().filter(|&cell| tilemap.grid(FOOT).unwrap().is_passable(cell)).collect();
    let mut game = Game::new(Some(tilemap));
    game.answers_take(2);
    let mut taken = BTreeSet::new();
    let mut units = Vec::new();
    for index in 0..150 {
        let cell = free[dice.below(free.len() as u32) as usize];
        if !taken.insert(cell) {
            continue;
        }
        let at = game.at(cell);
        let unit = game.spawn((at, Mover::new(3.0 + (index % 5) as f32), Occupant::default(), SimId(index)));
        units.push(unit);
    }
    (game, units)
}

#[test]
fn a_throng_moves_within_the_rules_and_goes_on_from_a_save_bit_for_bit() {
    for seed in 0..3 {
        let (game, units) = throng(seed);
        let mut crowd = Crowd { units, game };
        let goals = |dice: &mut Dice, game: &Game| loop {
            let cell = Cell::new(dice.below(48) as i32, dice.below(32) as i32);
            if game.map().grid(FOOT).unwrap().is_passable(cell) {
                return cell;
            }
        };
        let mut dice = Dice::new(100 + seed);
        let mut script = Vec::new();
        for tick in 0..700_u64 {
            if tick < 300 {
                let unit = dice.below(crowd.units.len() as u32) as usize;
                script.push((tick, unit, goals(&mut dice, &crowd.game)));
            }
        }
        let orders = |game: &mut Game, units: &[Entity], tick: u64| {
            for &(_, unit, goal) in script.iter().filter(|(when, ..)| *when == tick) {
                game.order(units[unit], PathRequest::to(goal).nearest().allow_partial());
            }
        };
        let mut saved = None;
        for tick in 0..700 {
            if tick == 150 {
                let save = PathfindingSave::of(crowd.game.app.world_mut()).unwrap();
                let units: Vec<_> = crowd
                    .units
                    .iter()
                    .map(|&unit| {
                        (
                            *crowd.game.get::<Transform>(unit).unwrap(),
                            *crowd.game.get::<Mover>(unit).unwrap(),
                            *crowd.game.get::<SimId>(unit).unwrap(),
                            serde_json::to_string(crowd.game.get::<Occupant>(unit).unwrap()).unwrap(),
                        )
                    })
                    .collect();
                saved = Some((serde_json::to_string(&save).unwrap(), units));
            }
            orders(&mut crowd.game, &crowd.units, tick);
            crowd.tick();
        }
        let moved = crowd.units.iter().filter(|&&unit| crowd.has_arrived(unit)).count();
        assert!(moved > 60, "{moved}");

        let (save, units) = saved.unwrap();
        let mut game = Game::new(None);
        // In another order.
        let mut again: Vec<_> = units
            .into_iter()
            .rev()
            .map(|(at, mover, id, occupant)| {
                let occupant: Occupant = serde_json::from_str(&occupant).unwrap();
                game.spawn((at, mover, id, occupant))
            })
            .collect();
        again.reverse();
        let save: PathfindingSave = serde_json::from_str(&save).unwrap();
        save.restore(game.app.world_mut()).unwrap();
        for tick in 150..700 {
            orders(&mut game, &again, tick);
            game.app.update();
        }
        for (&one, &other) in crowd.units.iter().zip(&again) {
            assert_eq!(crowd.game.position(one), game.position(other));
            assert_eq!(crowd.game.status(one), game.status(other));
            assert_eq!(crowd.game.get::<FollowPath>(one), game.get::<FollowPath>(other));
        }
    }
}

#[test]
fn an_order_to_another_unit_ends_beside_it() {
    let mut crowd = Crowd::new(Game::open(30, 20, CornerRule::BothFree));
    let leader = crowd.add((20, 10), 3.0);
    let followers: Vec<_> = (0..8).map(|index| crowd.add((2 + index % 3, 5 + index / 3), 6.0)).collect();
    for &unit in &followers {
        crowd.game.order(unit, PathRequest::to(leader));
    }
    let near = |crowd: &Crowd, unit| crowd.game.cell(unit).chebyshev(crowd.game.cell(leader));
    crowd.until(32 * 20, |crowd| followers.iter().all(|&unit| near(crowd, unit) <= 2));
    let count = followers.iter().filter(|&&unit| crowd.has_arrived(unit)).count();
    assert!(count >= 4, "{count}");
}

#[test]
fn who_is_no_occupant_walks_through_everybody() {
    let mut game = Game::open(20, 5, CornerRule::BothFree);
    let stands = game.at((10, 2));
    game.spawn((stands, Mover::new(4.0), Occupant::default()));
    let ghost = game.unit((2, 2), 4.0);
    game.go(ghost, (18, 2));
    game.until_told(ghost, Kind::Reached, 32 * 5);
}
