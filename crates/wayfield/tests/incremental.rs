//! LPA* and D* Lite against fresh searches and naive ones, through edits, moves, pauses and caps.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, marked, rounds, whole_cost, whole_step};
use wayfield::search::{Ending, Limits};
use wayfield::space::Space;
use wayfield::{
    Cell, CornerRule, CostGrid, MovementClass, Outcome, OutsideMap, PathQuery, PathSearch, Reason, ReplanMethod,
    Replanner, TerrainId, TerrainMap,
};

/// A map with everything derived from it, kept current.
struct World {
    ground: Ground,
    class: MovementClass,
    map: TerrainMap,
    grid: CostGrid,
}

impl World {
    fn new(ground: Ground) -> Self {
        let (class, map, grid) = (ground.class(), ground.map(), ground.grid());
        Self { ground, class, map, grid }
    }

    /// Edits the map; tells the replanner in one way or the other.
    fn edit(&mut self, replanner: &mut Replanner, edits: &[(Cell, u8)], by_area: bool) {
        for &(cell, terrain) in edits {
            let index = self.ground.index(cell);
            self.ground.terrain[index] = terrain;
        }
        let change = self.map.edit(edits.iter().map(|&(cell, terrain)| (cell, TerrainId(terrain)))).unwrap();
        let dirty = self.grid.refresh(&self.map, &self.class);
        if by_area {
            replanner.refresh(&self.grid, dirty).unwrap();
        } else {
            replanner.update(&self.grid, change.cells).unwrap();
        }
    }
}

/// Terrain for an edit: a wall, the cheapest, or anything up to `dearest`.
fn some_terrain(dice: &mut Dice, dearest: u64) -> u8 {
    match dice.roll(4) {
        0 => 0,
        1 => 1,
        _ => 1 + dice.roll(dearest) as u8,
    }
}

/// A batch of 1 to 20 cells; now and then a rectangle, or as many cells as the map has.
fn some_edits(dice: &mut Dice, ground: &Ground) -> Vec<(Cell, u8)> {
    let dearest = [1, 9, 255][dice.roll(3) as usize];
    match dice.roll(10) {
        0 => {
            let (one, other) = (dice.cell(ground), dice.cell(ground));
            let terrain = some_terrain(dice, dearest);
            ground
                .cells()
                .filter(|cell| (one.x.min(other.x)..=one.x.max(other.x)).contains(&cell.x))
                .filter(|cell| (one.y.min(other.y)..=one.y.max(other.y)).contains(&cell.y))
                .map(|cell| (cell, terrain))
                .collect()
        }
        1 => (0..ground.terrain.len()).map(|_| (dice.cell(ground), some_terrain(dice, dearest))).collect(),
        _ => (0..=dice.roll(20)).map(|_| (dice.cell(ground), some_terrain(dice, dearest))).collect(),
    }
}

/// Fails unless the replanner says, after a whole run, what a fresh A* says; returns whether there is a way.
#[track_caller]
fn assert_as_fresh(replanner: &mut Replanner, world: &World, fresh: &mut PathSearch) -> bool {
    let World { ground, grid, .. } = world;
    let (start, goal) = replanner.ends().unwrap();
    let answer = fresh.find(grid, &PathQuery::new(start, goal)).unwrap();
    let ending = replanner.run(grid, Limits::NONE);
    assert!(replanner.stats().expanded <= 2 * grid.len() as u64, "a node is expanded at most twice");
    assert!(replanner.stats().peak_open <= grid.len(), "a node is on the open list once");
    let Outcome::Found(best) = &answer.outcome else {
        assert_eq!(ending, Ending::Exhausted, "{start} to {goal} on {ground:?}");
        assert_eq!((replanner.path(grid), replanner.cost()), (None, None));
        return false;
    };
    assert!(matches!(ending, Ending::Found(_)), "{ending:?}, {start} to {goal} on {ground:?}");
    let path = replanner.path(grid).unwrap_or_else(|| panic!("no path, {start} to {goal} on {ground:?}"));
    assert_eq!(path.end(), Some(goal));
    let cost = ground.check_path(&path, start);
    assert_eq!(cost, whole_cost(best), "{start} to {goal} on {ground:?}");
    assert_eq!(replanner.cost().map(|cost| i64::from(cost.raw())), Some(cost));
    true
}

#[test]
fn after_every_edit_and_move_it_is_as_a_fresh_search() {
    let mut dice = Dice::new(41);
    let mut fresh = PathSearch::default();
    let mut replanner = Replanner::default();
    let (mut found, mut none, mut from_walls) = (0, 0, 0);
    for round in 0..rounds(4500) {
        let mut world = World::new(dice.ground());
        let (start, goal) = (dice.cell(&world.ground), dice.cell(&world.ground));
        replanner.begin(&world.grid, ReplanMethod::ALL[round % 2], start, goal).unwrap();
        for _ in 0..8 {
            // Not every change waits for the search to end.
            let slice = Limits { cap: u64::MAX, slice: dice.roll(30) };
            let is_whole = dice.roll(3) > 0;
            if is_whole {
                let is_found = assert_as_fresh(&mut replanner, &world, &mut fresh);
                *if is_found { &mut found } else { &mut none } += 1;
                from_walls += u32::from(is_found && !world.ground.is_open(replanner.ends().unwrap().0));
            } else {
                replanner.run(&world.grid, slice);
            }
            for _ in 0..=dice.roll(2) {
                let here = replanner.ends().unwrap();
                let near = |dice: &mut Dice, cell: Cell| Cell::new(cell.x + dice.roll(3) as i32 - 1, cell.y);
                let somewhere = dice.cell(&world.ground);
                match dice.roll(8) {
                    0 => replanner.move_start(&world.grid, somewhere).unwrap(),
                    1 => replanner.move_goal(&world.grid, somewhere).unwrap(),
                    2 => drop(replanner.move_start(&world.grid, near(&mut dice, here.0))),
                    3 => drop(replanner.move_goal(&world.grid, near(&mut dice, here.1))),
                    _ => {
                        let edits = some_edits(&mut dice, &world.ground);
                        world.edit(&mut replanner, &edits, dice.roll(2) == 0);
                    }
                }
            }
        }
    }
    assert!(found > 8000 && none > 3000 && from_walls > 300, "{found} {none} {from_walls}");
}

#[test]
fn after_every_edit_it_is_as_the_naive_search() {
    let mut dice = Dice::new(42);
    let mut replanner = Replanner::default();
    for round in 0..600 {
        let mut world = World::new(dice.ground());
        let (start, goal) = (dice.cell(&world.ground), dice.cell(&world.ground));
        replanner.begin(&world.grid, ReplanMethod::ALL[round % 2], start, goal).unwrap();
        for _ in 0..5 {
            replanner.run(&world.grid, Limits::NONE);
            let naive = world.ground.spread_from(&[(start, 0)], whole_step)[world.ground.index(goal)];
            let naive = naive.filter(|_| world.ground.is_open(goal));
            assert_eq!(replanner.cost().map(|cost| i64::from(cost.raw())), naive, "on {:?}", world.ground);
            let edits = some_edits(&mut dice, &world.ground);
            world.edit(&mut replanner, &edits, false);
        }
    }
}

#[test]
fn a_cap_is_exact_and_can_be_raised() {
    let world = World::new(Ground::plain(30, 30, 1, CornerRule::BothFree));
    let mut replanner = Replanner::default();
    let (start, goal) = (Cell::new(2, 3), Cell::new(27, 20));
    for method in ReplanMethod::ALL {
        replanner.begin(&world.grid, method, start, goal).unwrap();
        replanner.run(&world.grid, Limits::NONE);
        let needed = replanner.stats().expanded;
        replanner.begin(&world.grid, method, start, goal).unwrap();
        for cap in 0..needed {
            assert_eq!(replanner.run(&world.grid, Limits { cap, slice: u64::MAX }), Ending::CapReached);
            assert_eq!(replanner.stats().expanded, cap);
            assert_eq!(replanner.path(&world.grid), None);
        }
        assert!(matches!(replanner.run(&world.grid, Limits { cap: needed, slice: u64::MAX }), Ending::Found(_)));
        assert_eq!(replanner.stats().expanded, needed);
    }
}

/// A 96 x 96 map of walls (a fifth) and costs of 1 to 4.
fn large_world(dice: &mut Dice, rule: CornerRule) -> World {
    let mut ground = Ground::plain(96, 96, 1, rule);
    for terrain in &mut ground.terrain {
        *terrain = if dice.roll(5) == 0 { 0 } else { 1 + dice.roll(4) as u8 };
    }
    for cell in [Cell::new(1, 1), Cell::new(94, 94)] {
        let index = ground.index(cell);
        ground.terrain[index] = 1;
    }
    World::new(ground)
}

/// The expansions that the latest change takes.
fn expanded_at(replanner: &mut Replanner, world: &World) -> u64 {
    replanner.run(&world.grid, Limits::NONE);
    replanner.stats().expanded
}

/// The expansions that a fresh A* takes for the same question.
fn expanded_anew(replanner: &Replanner, world: &World, fresh: &mut PathSearch) -> u64 {
    let (start, goal) = replanner.ends().unwrap();
    fresh.find(&world.grid, &PathQuery::new(start, goal)).unwrap().stats.expanded
}

#[test]
fn small_edits_take_few_expansions() {
    let mut dice = Dice::new(45);
    let mut fresh = PathSearch::default();
    for rule in CornerRule::ALL {
        for method in ReplanMethod::ALL {
            for (cells, share) in [(1, 12), (4, 5)] {
                let (mut incremental, mut anew) = (0, 0);
                let mut replanner = Replanner::default();
                let mut world = loop {
                    let world = large_world(&mut dice, rule);
                    replanner.begin(&world.grid, method, Cell::new(1, 1), Cell::new(94, 94)).unwrap();
                    if assert_as_fresh(&mut replanner, &world, &mut fresh) {
                        break world;
                    }
                };
                for _ in 0..60 {
                    let edits: Vec<_> =
                        (0..cells).map(|_| (dice.cell(&world.ground), some_terrain(&mut dice, 4))).collect();
                    world.edit(&mut replanner, &edits, false);
                    incremental += expanded_at(&mut replanner, &world);
                    anew += expanded_anew(&replanner, &world, &mut fresh);
                    assert_as_fresh(&mut replanner, &world, &mut fresh);
                }
                println!("{rule:?}, {method:?}, {cells} cells: {incremental} expansions for {anew}");
                assert!(incremental * share < anew, "{rule:?} {method:?} {cells}: {incremental} of {anew}");
            }
        }
    }
}

#[test]
fn a_walking_unit_that_sees_walls_rise_ahead_of_it_searches_little() {
    let mut dice = Dice::new(46);
    let mut fresh = PathSearch::default();
    let (mut incremental, mut anew, mut rounds) = (0, 0, 0);
    for _ in 0..6 {
        let mut world = large_world(&mut dice, CornerRule::BothFree);
        let (mut unit, goal) = (Cell::new(1, 1), Cell::new(94, 94));
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, ReplanMethod::DStarLite, unit, goal).unwrap();
        while unit != goal && assert_as_fresh(&mut replanner, &world, &mut fresh) {
            rounds += 1;
            let path = replanner.path(&world.grid).unwrap();
            let ahead = path.cells()[1..].iter().copied().nth(3 + dice.roll(6) as usize);
            unit = path.cells()[path.len().min(3) - 1];
            replanner.move_start(&world.grid, unit).unwrap();
            if let Some(ahead) = ahead.filter(|&ahead| ahead != goal) {
                world.edit(&mut replanner, &[(ahead, 0)], false);
            }
            incremental += expanded_at(&mut replanner, &world);
            anew += expanded_anew(&replanner, &world, &mut fresh);
        }
    }
    println!("{rounds} rounds: {incremental} expansions for {anew}");
    assert!(rounds > 100);
    assert!(incremental * 5 < anew, "{incremental} of {anew}");
}

#[test]
fn an_edit_that_does_not_matter_takes_no_expansion() {
    let mut world = World::new(Ground::plain(64, 64, 1, CornerRule::BothFree));
    for method in ReplanMethod::ALL {
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, method, Cell::new(4, 4), Cell::new(12, 4)).unwrap();
        assert!(matches!(replanner.run(&world.grid, Limits::NONE), Ending::Found(_)));
        world.edit(&mut replanner, &[(Cell::new(50, 50), 0), (Cell::new(51, 50), 7)], false);
        assert!(matches!(replanner.run(&world.grid, Limits { cap: 0, slice: 0 }), Ending::Found(_)));
        assert_eq!(replanner.stats().expanded, 0);
        world.edit(&mut replanner, &[(Cell::new(50, 50), 1), (Cell::new(51, 50), 1)], false);
    }
}

#[test]
fn a_gap_that_closes_ahead_of_a_walking_unit_sends_it_round() {
    let rows = ["...#...", "S.....G", "...#...", "...#...", "...#...", "......."];
    for method in ReplanMethod::ALL {
        let mut world = World::new(Ground::drawn(&rows, CornerRule::Never));
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, method, marked(&rows, 'S'), marked(&rows, 'G')).unwrap();
        replanner.run(&world.grid, Limits::NONE);
        assert_eq!(replanner.path(&world.grid).unwrap().cost().units(), 6.0);

        replanner.move_start(&world.grid, Cell::new(2, 1)).unwrap();
        world.edit(&mut replanner, &[(Cell::new(3, 1), 0)], true);
        replanner.run(&world.grid, Limits::NONE);
        let path = replanner.path(&world.grid).unwrap();
        assert_eq!(path.cost().units(), 12.0);
        assert!(path.cells().contains(&Cell::new(3, 5)) && !path.cells().contains(&Cell::new(3, 1)));
    }
}

#[test]
fn a_wall_that_was_the_start_is_a_wall_again() {
    let world = World::new(Ground::drawn(&["....", ".##.", "...."], CornerRule::BothFree));
    let mut replanner = Replanner::default();
    let walls = [Cell::new(1, 1), Cell::new(2, 1)];
    replanner.begin(&world.grid, ReplanMethod::DStarLite, walls[0], Cell::new(3, 2)).unwrap();
    for round in 0..4 {
        assert!(assert_as_fresh(&mut replanner, &world, &mut PathSearch::default()));
        replanner.move_start(&world.grid, walls[(round + 1) % 2]).unwrap();
        let left = world.grid.size().index(walls[round % 2]).unwrap();
        assert_eq!(replanner.search().rhs(left), None);
    }
}

#[test]
fn a_gate_that_opens_makes_the_unreachable_reachable_and_back() {
    let rows = ["..#..", "S.#.G", "..#.."];
    for method in ReplanMethod::ALL {
        let mut world = World::new(Ground::drawn(&rows, CornerRule::Never));
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, method, marked(&rows, 'S'), marked(&rows, 'G')).unwrap();
        for _ in 0..3 {
            assert_eq!(replanner.run(&world.grid, Limits::NONE), Ending::Exhausted);
            assert_eq!((replanner.stats().expanded, replanner.path(&world.grid)), (0, None));
            world.edit(&mut replanner, &[(Cell::new(2, 1), 1)], false);
            assert!(matches!(replanner.run(&world.grid, Limits::NONE), Ending::Found(_)));
            assert_eq!(replanner.path(&world.grid).unwrap().cost().units(), 4.0);
            world.edit(&mut replanner, &[(Cell::new(2, 1), 0)], false);
        }
    }
}

/// The map and the edits of a linear congruential generator, so that others can build the same ones.
#[test]
fn a_hundred_edits_end_where_a_rebuild_does() {
    let mut state: u32 = 1;
    let mut draw = |sides: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % sides
    };
    let mut ground = Ground::plain(32, 32, 1, CornerRule::Never);
    for terrain in &mut ground.terrain {
        let value = draw(10);
        *terrain = if value < 3 { 0 } else { 1 + (value % 4) as u8 };
    }
    for _ in 0..800 {
        draw(1);
    }
    let mut world = World::new(ground);
    let goal = Cell::new(31, 31);
    let first = world.ground.cells().find(|&cell| world.ground.is_open(cell)).unwrap();
    let mut replanners = ReplanMethod::ALL.map(|method| {
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, method, first, goal).unwrap();
        replanner
    });
    let mut fresh = PathSearch::default();
    for _ in 0..100 {
        let (cell, cost) = (Cell::new(draw(32) as i32, draw(32) as i32), draw(6) as u8);
        if cell == goal {
            continue;
        }
        let index = world.ground.index(cell);
        world.ground.terrain[index] = cost;
        let change = world.map.edit([(cell, TerrainId(cost))]).unwrap();
        world.grid.refresh(&world.map, &world.class);
        for replanner in &mut replanners {
            replanner.update(&world.grid, change.cells.iter().copied()).unwrap();
            assert_as_fresh(replanner, &world, &mut fresh);
        }
    }
    // What a unit that walks to each cell in turn is told is the whole field.
    let [_, replanner] = &mut replanners;
    let (mut reached, mut sum) = (0, 0.0);
    for cell in world.ground.cells().filter(|&cell| world.ground.is_open(cell)) {
        replanner.move_start(&world.grid, cell).unwrap();
        if assert_as_fresh(replanner, &world, &mut fresh) {
            reached += 1;
            sum += replanner.path(&world.grid).unwrap().cost().units();
        }
    }
    assert_eq!((reached, sum), (727, 59869.0));
}

#[test]
fn terrain_that_changes_under_a_paused_search_is_never_mixed_with_the_old() {
    let mut fresh = PathSearch::default();
    for method in ReplanMethod::ALL {
        let mut world = World::new(Ground::plain(40, 15, 1, CornerRule::BothFree));
        let mut replanner = Replanner::default();
        let (start, goal) = (Cell::new(2, 7), Cell::new(37, 7));
        replanner.begin(&world.grid, method, start, goal).unwrap();
        let pause = Limits { cap: u64::MAX, slice: 5 };
        for x in [20, 30, 10] {
            assert_eq!(replanner.run(&world.grid, pause), Ending::Paused);
            assert_eq!(replanner.path(&world.grid), None);
            let wall: Vec<_> = (1..15).map(|y| (Cell::new(x, if x == 30 { y } else { y - 1 }), 0)).collect();
            world.edit(&mut replanner, &wall, false);
        }
        assert!(assert_as_fresh(&mut replanner, &world, &mut fresh));
        let path = replanner.path(&world.grid).unwrap();

        // An edit that it was not told of: no path until it has searched again, and then the right one.
        let wall = path.cells()[path.len() / 2];
        let index = world.ground.index(wall);
        world.ground.terrain[index] = 0;
        world.map.edit([(wall, TerrainId(0))]).unwrap();
        world.grid.refresh(&world.map, &world.class);
        assert_eq!(replanner.path(&world.grid), None);
        assert_as_fresh(&mut replanner, &world, &mut fresh);
    }
}

#[test]
fn a_way_that_cannot_be_counted_is_named_and_forgotten_when_it_gets_cheaper() {
    let mut world = World::new(Ground::plain(9000, 1, 255, CornerRule::Never));
    let (start, goal) = (Cell::new(0, 0), Cell::new(8999, 0));
    let cheap: Vec<_> = (1..6000).map(|x| (Cell::new(x, 0), 3)).collect();
    let dear: Vec<_> = cheap.iter().map(|&(cell, _)| (cell, 255)).collect();
    for method in ReplanMethod::ALL {
        let mut replanner = Replanner::default();
        replanner.begin(&world.grid, method, start, goal).unwrap();
        for _ in 0..2 {
            assert_eq!(replanner.run(&world.grid, Limits::NONE), Ending::CostOverflow);
            let answer = wayfield::find_path(&world.grid, &PathQuery::new(start, goal)).unwrap();
            assert_eq!(answer.outcome, Outcome::Failed(Reason::CostOverflow));
            world.edit(&mut replanner, &cheap, false);
            assert!(assert_as_fresh(&mut replanner, &world, &mut PathSearch::default()));
            world.edit(&mut replanner, &dear, true);
        }
    }
}

#[test]
fn what_the_map_does_not_have_is_an_error_and_changes_nothing() {
    let world = World::new(Ground::plain(6, 4, 1, CornerRule::BothFree));
    let mut fresh = PathSearch::default();
    let (inside, outside) = (Cell::new(5, 3), Cell::new(6, 3));
    let error = Err(OutsideMap { cell: outside, size: world.grid.size() });
    for method in ReplanMethod::ALL {
        let mut replanner = Replanner::default();
        assert_eq!(replanner.run(&world.grid, Limits::NONE), Ending::Exhausted, "nothing is asked");
        assert_eq!(replanner.update(&world.grid, [outside]), Ok(()));
        assert_eq!(replanner.begin(&world.grid, method, outside, inside), error);
        assert_eq!(replanner.begin(&world.grid, method, inside, outside), error);
        assert_eq!(replanner.ends(), None);

        replanner.begin(&world.grid, method, Cell::new(0, 0), inside).unwrap();
        assert_eq!(replanner.update(&world.grid, [inside, outside]), error);
        assert_eq!(replanner.move_start(&world.grid, outside), error);
        assert_eq!(replanner.move_goal(&world.grid, outside), error);
        assert_eq!(replanner.ends(), Some((Cell::new(0, 0), inside)));
        assert!(assert_as_fresh(&mut replanner, &world, &mut fresh));

        // Another map altogether.
        let larger = World::new(Ground::plain(9, 9, 2, CornerRule::Never));
        assert_eq!(replanner.path(&larger.grid), None);
        assert!(assert_as_fresh(&mut replanner, &larger, &mut fresh));
        replanner.update(&world.grid, [outside]).unwrap();
        assert!(assert_as_fresh(&mut replanner, &world, &mut fresh));
        let smaller = Ground::plain(3, 3, 1, CornerRule::Never).grid();
        assert!(replanner.update(&smaller, []).is_err());
        assert_eq!(replanner.run(&smaller, Limits::NONE), Ending::Exhausted);
    }
}
