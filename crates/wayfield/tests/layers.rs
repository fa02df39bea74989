//! Larger units, links, slopes, fences and influences on small maps, and what cannot be.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Ground, close, marked};
use wayfield::search::{Ending, Limits};
use wayfield::{
    Algorithm, Cell, CellRect, CornerRule, CostGrid, CostGridError, Direction, Dirty, FenceError, GridSize,
    InfluenceId, InfluenceWeightError, Link, LinkError, LinkId, MovementClass, Outcome, PathQuery, PathSearch,
    PathStep, Reason, ReplanMethod, Replanner, TerrainId, TerrainMap, find_path, parse_map,
};

const PLAIN: TerrainId = TerrainId(1);
const WALL: TerrainId = TerrainId(0);

fn foot() -> MovementClass {
    MovementClass::new("foot").with_cost(PLAIN, 1).unwrap()
}

/// What every algorithm answers, which must promise the cheapest path to be asked for its cost.
#[track_caller]
fn all_find(grid: &CostGrid, start: Cell, goal: Cell, cost: Option<f64>) {
    for algorithm in Algorithm::ALL {
        let answer = find_path(grid, &PathQuery { algorithm, ..PathQuery::new(start, goal) }).unwrap();
        match cost {
            None => assert_eq!(answer.outcome, Outcome::Failed(Reason::Unreachable), "{algorithm}"),
            Some(cost) => {
                let found = answer.cost().unwrap_or_else(|| panic!("{algorithm}: {answer:?}")).units();
                assert!(found >= cost - 1e-6, "{algorithm}: {found}");
                assert!(!algorithm.is_optimal() || close(found, cost), "{algorithm}: {found}, not {cost}");
            }
        }
    }
}

#[test]
fn wider_units_take_the_wider_gap() {
    let rows = [
        "S.....#......",
        "......#......",
        ".............",
        "......#......",
        "......#......",
        "......#......",
        ".............",
        ".............",
        "......#.....G",
    ];
    let text = rows.join("\n");
    let map = parse_map(text.as_bytes()).unwrap();
    let class = map.default_class().with_corner_rule(CornerRule::Never);
    let start = marked(&rows, 'S');
    let grid = |side| CostGrid::for_units(&map.terrain, &class, side).unwrap();
    all_find(&grid(1), start, Cell::new(10, 0), Some(14.0));
    all_find(&grid(2), start, Cell::new(10, 0), Some(22.0));
    all_find(&grid(3), start, Cell::new(10, 0), None);
    let answer = find_path(&grid(2), &PathQuery::new(start, marked(&rows, 'G'))).unwrap();
    assert_eq!(answer.outcome, Outcome::Failed(Reason::GoalBlocked), "it would stand beyond the edge");
}

#[test]
fn a_unit_pays_for_the_dearest_cell_below_it() {
    let ground = Ground::drawn(&["1111", "1191", "1111"], CornerRule::BothFree);
    let mut wide = ground;
    wide.layers.side = 2;
    let grid = wide.grid();
    let cost = |x, y| grid.entering_cost(Cell::new(x, y)).map(|cost| cost.get());
    assert_eq!([cost(0, 0), cost(1, 0), cost(2, 0), cost(3, 0), cost(0, 2)], [Some(1), Some(9), Some(9), None, None]);
}

#[test]
fn a_link_is_taken_where_it_pays_and_while_it_is_open() {
    let mut map = TerrainMap::new(GridSize::new(20, 5).unwrap(), PLAIN);
    let (start, goal) = (Cell::new(0, 0), Cell::new(19, 0));
    let link = map.add_link(Link::new(Cell::new(2, 0), Cell::new(18, 0), 4)).unwrap();
    let mut grid = CostGrid::new(&map, &foot());
    all_find(&grid, start, goal, Some(2.0 + 4.0 + 1.0));
    all_find(&grid, goal, start, Some(19.0));
    let path = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
    let path = path.outcome.path().unwrap();
    assert_eq!(path.link_at(2), Some(link));
    assert_eq!(path.steps().filter(|step| matches!(step, PathStep::Link(_))).count(), 1);

    map.set_link_open(link, false).unwrap();
    grid.refresh(&map, &foot());
    all_find(&grid, start, goal, Some(19.0));
    assert!(path.cost_from(0, &grid).is_err(), "a way over a closed link is none");
    assert_eq!(grid.check_link(&map, link), Err(LinkError::Closed(link)));

    map.set_link_open(link, true).unwrap();
    map.edit([(Cell::new(18, 0), WALL)]).unwrap();
    grid.refresh(&map, &foot());
    all_find(&grid, start, Cell::new(17, 0), Some(17.0));
    assert_eq!(grid.check_link(&map, link), Err(LinkError::EndBlocked { id: link, cell: Cell::new(18, 0) }));
}

#[test]
fn links_join_what_walls_part_one_way() {
    let mut map = TerrainMap::new(GridSize::new(9, 1).unwrap(), PLAIN);
    map.edit([3, 6].map(|x| (Cell::new(x, 0), WALL))).unwrap();
    // From the left to the right, and from there to the middle; nothing leads back.
    map.add_link(Link::new(Cell::new(0, 0), Cell::new(8, 0), 1)).unwrap();
    map.add_link(Link::new(Cell::new(7, 0), Cell::new(4, 0), 2)).unwrap();
    let grid = CostGrid::new(&map, &foot());
    all_find(&grid, Cell::new(2, 0), Cell::new(5, 0), Some(2.0 + 1.0 + 1.0 + 2.0 + 1.0));
    all_find(&grid, Cell::new(5, 0), Cell::new(2, 0), None);
    let nearest = PathQuery { nearest: true, ..PathQuery::new(Cell::new(2, 0), Cell::new(6, 0)) };
    let answer = find_path(&grid, &nearest).unwrap();
    assert_eq!(answer.outcome.path().and_then(|path| path.end()), Some(Cell::new(7, 0)));
}

#[test]
fn many_links_are_as_right_as_few() {
    let mut map = TerrainMap::new(GridSize::new(60, 60).unwrap(), PLAIN);
    for number in 0..50 {
        let from = Cell::new(number, (number * 7) % 60);
        let to = Cell::new((number * 11 + 5) % 60, (number * 13 + 9) % 60);
        map.add_link(Link::new(from, to, 1 + number as u32 % 5)).unwrap();
    }
    let grid = CostGrid::new(&map, &foot());
    for (start, goal) in [((0, 0), (59, 59)), ((59, 0), (3, 50)), ((30, 30), (0, 59))] {
        let (start, goal) = (Cell::from(start), Cell::from(goal));
        let dijkstra = PathQuery { algorithm: Algorithm::Dijkstra, ..PathQuery::new(start, goal) };
        let optimum = find_path(&grid, &dijkstra).unwrap().cost().unwrap().units();
        all_find(&grid, start, goal, Some(optimum));
    }
}

#[test]
fn uphill_is_dearer_than_downhill() {
    let mut map = TerrainMap::new(GridSize::new(5, 1).unwrap(), PLAIN);
    map.edit_heights([(Cell::new(2, 0), 1)]).unwrap();
    let class = foot().with_slopes(3, 1).unwrap();
    let grid = CostGrid::new(&map, &class);
    all_find(&grid, Cell::new(0, 0), Cell::new(2, 0), Some(4.0));
    all_find(&grid, Cell::new(2, 0), Cell::new(0, 0), Some(2.0));
    all_find(&CostGrid::new(&map, &foot()), Cell::new(0, 0), Cell::new(2, 0), Some(2.0));
    let jumped = PathQuery { algorithm: Algorithm::Jps, ..PathQuery::new(Cell::new(0, 0), Cell::new(4, 0)) };
    assert_eq!(find_path(&grid, &jumped).unwrap().algorithm, Algorithm::AStar, "it says what ran instead");
}

#[test]
fn a_diagonal_pays_for_the_dearer_way_round_it() {
    let mut map = TerrainMap::new(GridSize::new(2, 2).unwrap(), PLAIN);
    map.edit_heights([(Cell::new(1, 0), 5)]).unwrap();
    let grid = CostGrid::new(&map, &foot().with_slopes(3, 2).unwrap());
    let cost = grid.step_cost(Cell::new(0, 0), Direction::SouthEast).map(|cost| cost.to_units());
    assert!(cost.is_some_and(|cost| close(cost, 3.0 * 2f64.sqrt()) || (cost - 3.0 * 2f64.sqrt()).abs() < 1e-5));
}

#[test]
fn a_fence_bars_steps_and_the_diagonals_past_it() {
    for rule in CornerRule::ALL {
        let mut map = TerrainMap::new(GridSize::new(3, 2).unwrap(), PLAIN);
        map.set_fence(Cell::new(1, 0), Cell::new(0, 0), true).unwrap();
        let class = foot().with_corner_rule(rule);
        let grid = CostGrid::new(&map, &class);
        let moves = grid.legal_moves(Cell::new(0, 0));
        assert!(!moves.contains(Direction::East) && !moves.contains(Direction::SouthEast), "{rule:?}");
        assert!(!grid.legal_moves(Cell::new(1, 1)).contains(Direction::NorthWest), "{rule:?}");
        all_find(&grid, Cell::new(0, 0), Cell::new(1, 0), Some(3.0));
        all_find(
            &CostGrid::new(&map, &class.with_fence_factor(1).unwrap()),
            Cell::new(0, 0),
            Cell::new(1, 0),
            Some(1.0),
        );
        map.set_fence(Cell::new(0, 0), Cell::new(1, 0), false).unwrap();
        all_find(&CostGrid::new(&map, &foot()), Cell::new(0, 0), Cell::new(1, 0), Some(1.0));
    }
}

#[test]
fn a_fence_costs_each_class_what_it_says() {
    let mut map = TerrainMap::new(GridSize::new(2, 2).unwrap(), PLAIN);
    let (one, other) = (Cell::new(0, 0), Cell::new(1, 0));
    map.set_fence(one, other, true).unwrap();
    for (factor, cost) in [(1, 1.0), (2, 2.0), (4, 3.0), (100, 3.0)] {
        let class = foot().with_corner_rule(CornerRule::Never).with_fence_factor(factor).unwrap();
        all_find(&CostGrid::new(&map, &class), one, other, Some(cost));
    }
    // In a corridor there is no way round.
    let mut corridor = TerrainMap::new(GridSize::new(2, 1).unwrap(), PLAIN);
    corridor.set_fence(one, other, true).unwrap();
    all_find(&CostGrid::new(&corridor, &foot().with_fence_factor(4).unwrap()), one, other, Some(4.0));
    all_find(&CostGrid::new(&corridor, &foot()), one, other, None);
}

#[test]
fn many_links_cost_little_while_nothing_of_them_changes() {
    // 900 rooms of one cell in a ring of one-way links: each reaches all, and an edit elsewhere is no affair of theirs.
    let side = 60;
    let mut map = TerrainMap::new(GridSize::new(side, side).unwrap(), WALL);
    let rooms: Vec<_> = (0..900).map(|room| Cell::new(room % 30 * 2, room / 30 * 2)).collect();
    map.edit(rooms.iter().map(|&room| (room, PLAIN))).unwrap();
    for (index, &room) in rooms.iter().enumerate() {
        map.add_link(Link::new(room, rooms[(index + 1) % rooms.len()], 1)).unwrap();
    }
    let mut grid = CostGrid::new(&map, &foot());
    all_find(&grid, rooms[0], rooms[899], Some(899.0));
    assert!(grid.is_reachable(rooms[899], rooms[450]));
    let cut = map.set_link_open(LinkId(300), false).unwrap();
    assert_eq!(cut.cells.len(), 2);
    grid.refresh(&map, &foot());
    assert!(grid.is_reachable(rooms[301], rooms[300]) && !grid.is_reachable(rooms[300], rooms[301]));
    // Put elsewhere, it joins again what it had cut.
    map.set_link(LinkId(300), Link::new(rooms[300], rooms[400], 7)).unwrap();
    grid.refresh(&map, &foot());
    assert!(grid.is_reachable(rooms[300], rooms[450]) && !grid.is_reachable(rooms[300], rooms[350]));
    assert_eq!(map.set_link(LinkId(900), Link::new(rooms[0], rooms[1], 1)), Err(LinkError::Unknown(LinkId(900))));
}

#[test]
fn fences_that_are_gone_leave_no_trace() {
    let mut map = TerrainMap::new(GridSize::new(40, 40).unwrap(), PLAIN);
    let flyer = foot().with_fence_factor(1).unwrap();
    let walker = foot().with_fence_factor(4).unwrap();
    let jump = PathQuery { algorithm: Algorithm::Jps, ..PathQuery::new(Cell::new(0, 0), Cell::new(39, 17)) };
    let ran = |map: &TerrainMap, class: &MovementClass| find_path(&CostGrid::new(map, class), &jump).unwrap().algorithm;
    let mut grids = [foot(), flyer.clone(), walker.clone()].map(|class| CostGrid::new(&map, &class));
    let fence = [(Cell::new(5, 5), Cell::new(5, 6)), (Cell::new(6, 5), Cell::new(6, 6))];
    let change = map.edit_fences(fence.map(|(one, other)| (one, other, true))).unwrap();
    assert_eq!((change.revision, change.cells.len()), (1, 4));
    assert_eq!(ran(&map, &flyer), Algorithm::Jps, "fences are nothing to it");
    assert_eq!(ran(&map, &foot()), Algorithm::Jps, "to it they are walls");
    assert_eq!(ran(&map, &walker), Algorithm::AStar, "to it they are costs");
    for stands in [true, false] {
        map.edit_fences(fence.map(|(one, other)| (one, other, stands))).unwrap();
        for (grid, class) in grids.iter_mut().zip([foot(), flyer.clone(), walker.clone()]) {
            grid.refresh(&map, &class);
            assert!(*grid == CostGrid::new(&map, &class), "{stands} {class:?}");
        }
    }
    assert_eq!(ran(&map, &walker), Algorithm::Jps);
}

#[test]
fn a_class_pays_for_the_influences_that_it_minds() {
    let (danger, noise) = (InfluenceId(0), InfluenceId(255));
    let mut map = TerrainMap::new(GridSize::new(5, 2).unwrap(), PLAIN);
    map.edit([(Cell::new(4, 0), WALL)]).unwrap();
    map.edit_influence(danger, [3, 2, 100, 0, 255].into_iter().zip(0..).map(|(value, x)| (Cell::new(x, 0), value)))
        .unwrap();
    map.edit_influence(noise, [(Cell::new(0, 0), 7), (Cell::new(3, 0), 1), (Cell::new(3, 0), 5)]).unwrap();
    assert_eq!((map.influence(noise, Cell::new(3, 0)), map.influence(noise, Cell::new(4, 1))), (Some(5), Some(0)));
    assert_eq!(map.influence(InfluenceId(9), Cell::new(0, 0)), Some(0));
    let costs = |class: &MovementClass, side| {
        let grid = CostGrid::for_units(&map, class, side).unwrap();
        [0, 1, 2, 3, 4].map(|x| grid.entering_cost(Cell::new(x, 0)).map_or(0, |cost| cost.get()))
    };
    let careful = foot().with_influence(danger, 2).unwrap();
    assert_eq!(costs(&foot(), 1), [1, 1, 1, 1, 0]);
    assert_eq!(costs(&careful, 1), [1 + 2 * 3, 1 + 2 * 2, 1 + 2 * 100, 1, 0]);
    assert_eq!(costs(&careful, 2), [7, 201, 201, 0, 0], "the dearest cell counts");
    let both = careful.with_influence(noise, 10).unwrap();
    assert_eq!(costs(&both, 1), [1 + 2 * 3 + 10 * 7, 5, 201, 51, 0]);
    // No cost is above 255, and no weight opens a wall or closes a cell.
    let timid = both.with_influence(danger, 255).unwrap();
    assert_eq!(timid.influences().collect::<Vec<_>>(), [(danger, 255), (noise, 10)]);
    assert_eq!(costs(&timid, 1), [255, 255, 255, 51, 0]);
}

#[test]
fn the_way_leads_round_danger_until_it_is_gone() {
    // Straight through the middle, or round it by the lower edge.
    let danger = InfluenceId(3);
    let mut map = TerrainMap::new(GridSize::new(5, 3).unwrap(), PLAIN);
    let careful = foot().with_corner_rule(CornerRule::Never).with_influence(danger, 2).unwrap();
    let mut grid = CostGrid::new(&map, &careful);
    let (start, goal) = (Cell::new(0, 1), Cell::new(4, 1));
    all_find(&grid, start, goal, Some(4.0));
    for (values, cost) in [([5, 5, 0], 6.0), ([5, 1, 1], 6.0), ([5, 1, 9], 6.0), ([9, 4, 3], 12.0), ([0, 0, 0], 4.0)] {
        map.edit_influence(danger, (0..).zip(values).map(|(y, value)| (Cell::new(2, y), value))).unwrap();
        let area = grid.refresh(&map, &careful);
        assert_ne!(area, Dirty::Nothing);
        assert!(grid == CostGrid::new(&map, &careful));
        all_find(&grid, start, goal, Some(cost));
    }
}

#[test]
fn what_a_class_does_not_mind_leaves_its_grid_and_searches_alone() {
    let (danger, noise) = (InfluenceId(0), InfluenceId(1));
    let mut map = TerrainMap::new(GridSize::new(40, 40).unwrap(), PLAIN);
    let careful = foot().with_influence(danger, 3).unwrap();
    let mut grids = [foot(), careful].map(|class| CostGrid::new(&map, &class));
    let mut replanners = [Replanner::default(), Replanner::default()];
    for (replanner, grid) in replanners.iter_mut().zip(&grids) {
        replanner.begin(grid, ReplanMethod::LpaStar, Cell::new(0, 20), Cell::new(39, 20)).unwrap();
        replanner.run(grid, Limits::NONE);
    }
    let middle = Cell::new(20, 20);
    for (layer, minded) in [(noise, [false, false]), (danger, [false, true])] {
        map.edit_influence(layer, [(middle, 200)]).unwrap();
        let area = Dirty::Within(CellRect::new(middle, middle));
        assert_eq!(map.dirty_since(map.revision() - 1), area);
        for ((grid, replanner), minds) in grids.iter_mut().zip(&mut replanners).zip(minded) {
            let class = grid.class().clone();
            let dirty = grid.refresh(&map, &class);
            assert_eq!(dirty, if minds { area } else { Dirty::Nothing });
            assert!(*grid == CostGrid::new(&map, &class));
            let before = replanner.stats().expanded;
            replanner.refresh(grid, dirty).unwrap();
            assert!(matches!(replanner.run(grid, Limits::NONE), Ending::Found(_)));
            let path = replanner.path(grid).unwrap();
            assert_eq!((path.cells().contains(&middle), replanner.stats().expanded > before), (!minds, minds));
        }
    }
    // Beside an edit of terrain only that counts.
    let corner = Cell::new(1, 1);
    map.edit_influence(noise, [(middle, 0)]).unwrap();
    map.edit([(corner, WALL)]).unwrap();
    let [grid, _] = &mut grids;
    assert_eq!(grid.refresh(&map, &foot()), Dirty::Within(CellRect::new(corner, corner)));
    assert_eq!(map.dirty_since(map.revision() - 2), Dirty::Within(CellRect::new(corner, middle)));
}

#[test]
fn a_search_does_not_go_on_over_another_kind_of_grid() {
    let map = TerrainMap::new(GridSize::new(40, 40).unwrap(), PLAIN);
    let (narrow, wide) = (CostGrid::new(&map, &foot()), CostGrid::for_units(&map, &foot(), 4).unwrap());
    let other = CostGrid::new(&map, &foot().with_cost(WALL, 9).unwrap());
    let mut built = narrow.clone();
    built.build_hierarchy();
    let mut search = PathSearch::default();
    for algorithm in Algorithm::ALL {
        let query = PathQuery { algorithm, ..PathQuery::new(Cell::new(0, 0), Cell::new(39, 20)) };
        for grid in [&wide, &other] {
            assert_eq!(search.begin(&narrow, &query), Ok(None));
            assert_eq!(search.advance(&narrow, 1), None);
            let answer = search.advance(grid, u64::MAX).unwrap();
            assert_eq!(answer.outcome, Outcome::Failed(Reason::Cancelled), "{algorithm}");
        }
    }
    let query = PathQuery { algorithm: Algorithm::HpaStar, ..PathQuery::new(Cell::new(0, 0), Cell::new(39, 20)) };
    assert_eq!(search.begin(&built, &query), Ok(None));
    assert_eq!(search.advance(&narrow, 9).unwrap().outcome, Outcome::Failed(Reason::Cancelled));
}

#[test]
fn what_cannot_be_is_an_error_that_says_where() {
    let size = GridSize::new(4, 3).unwrap();
    let mut map = TerrainMap::new(size, PLAIN);
    let inside = Cell::new(1, 1);
    let outside = Cell::new(4, 0);
    assert_eq!(map.add_link(Link::new(inside, outside, 1)), Err(LinkError::Outside { cell: outside, size }));
    assert_eq!(map.add_link(Link::new(inside, inside, 1)), Err(LinkError::Loop(inside)));
    assert_eq!(map.add_link(Link::new(inside, Cell::new(0, 0), 0)), Err(LinkError::Cost(0)));
    let dear = Link::MAX_COST + 1;
    assert_eq!(map.add_link(Link::new(inside, Cell::new(0, 0), dear)), Err(LinkError::Cost(dear)));
    assert_eq!(map.set_link_open(LinkId(0), true), Err(LinkError::Unknown(LinkId(0))));
    assert!(matches!(map.set_fence(inside, outside, true), Err(FenceError::Outside(error)) if error.cell == outside));
    let far = Cell::new(3, 1);
    assert_eq!(map.set_fence(inside, far, true), Err(FenceError::NoSharedSide(inside, far)));
    let beside = Cell::new(2, 2);
    assert_eq!(map.set_fence(inside, beside, true), Err(FenceError::NoSharedSide(inside, beside)));
    assert!(map.edit_heights([(inside, 3), (outside, 1)]).is_err());
    assert_eq!((map.height(inside), map.height(outside)), (Some(0), None));
    let danger = InfluenceId(0);
    let error = map.edit_influence(danger, [(inside, 3), (outside, 1)]).unwrap_err();
    assert_eq!(error.cell, outside);
    assert_eq!((map.influence(danger, inside), map.influence(danger, outside)), (Some(0), None));
    assert!(map.edit_influence(danger, [(inside, 0)]).unwrap().cells.is_empty());
    assert_eq!(map.revision(), 0, "nothing was changed");

    assert_eq!(CostGrid::for_units(&map, &foot(), 0), Err(CostGridError::UnitSize { unit_size: 0, size }));
    assert_eq!(CostGrid::for_units(&map, &foot(), 4), Err(CostGridError::UnitSize { unit_size: 4, size }));
    let nobody = MovementClass::new("nobody");
    let error = CostGrid::for_units(&map, &nobody, 1).unwrap_err();
    assert_eq!(error, CostGridError::NothingPassable { class: "nobody".into() });
    assert!(foot().with_slopes(0, 1).is_err() && foot().with_slopes(1, 256).is_err());
    for weight in [0, -1, 256, i64::MAX] {
        assert_eq!(foot().with_influence(danger, weight), Err(InfluenceWeightError(weight)));
    }
    assert!(foot().with_fence_factor(0).is_err() && foot().with_fence_factor(256).is_err());
}
