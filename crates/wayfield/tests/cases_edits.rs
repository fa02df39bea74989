//! Maps that change: what was known before an edit must not be believed after it.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, marked};
use wayfield::{
    Algorithm, Cell, CornerRule, CostGrid, DijkstraMap, GridSize, MovementClass, Outcome, PathError, PathQuery,
    PathSearch, Reason, TerrainId, TerrainMap, find_path,
};

const WALL: TerrainId = TerrainId(0);
const PLAIN: TerrainId = TerrainId(1);

/// A drawing in four directions, as the map, the class and the grid of the plain mover.
fn four(rows: &[&str]) -> (TerrainMap, MovementClass, CostGrid) {
    let ground = Ground::drawn(rows, CornerRule::Never);
    (ground.map(), ground.class(), ground.grid())
}

fn cost(grid: &CostGrid, start: Cell, goal: Cell) -> Result<f64, Reason> {
    match find_path(grid, &PathQuery::new(start, goal)).map(|answer| answer.outcome) {
        Ok(Outcome::Found(path)) => Ok(path.cost().units()),
        Ok(Outcome::Partial(_, reason) | Outcome::Failed(reason)) => Err(reason),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_gap_ahead_closes() {
    let rows = ["...#...", "S.....G", "...#...", "...#...", "...#...", "......."];
    let (mut map, class, mut grid) = four(&rows);
    let (start, goal) = (marked(&rows, 'S'), marked(&rows, 'G'));
    let old = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
    let old_path = old.outcome.path().unwrap();
    assert_eq!((old_path.cost().units(), old.revision), (6.0, 0));
    assert_eq!(old_path.cost_from(2, &grid).unwrap().units(), 4.0);

    map.edit([(Cell::new(3, 1), WALL)]).unwrap();
    grid.refresh(&map, &class);
    let broken = old_path.cost_from(2, &grid);
    assert_eq!(broken, Err(PathError::IllegalStep { index: 0, from: Cell::new(2, 1), to: Cell::new(3, 1) }));
    assert_eq!(old_path.cost_from(3, &grid).unwrap().units(), 3.0, "the rest beyond the gap is as it was");
    assert_eq!(cost(&grid, Cell::new(2, 1), goal), Ok(12.0));
    assert_eq!(find_path(&grid, &PathQuery::new(start, goal)).unwrap().revision, 1);
}

#[test]
fn a_gate_opens() {
    let rows = ["..#..", "S.#.G", "..#.."];
    let (mut map, class, mut grid) = four(&rows);
    let (start, goal) = (marked(&rows, 'S'), marked(&rows, 'G'));
    assert_eq!(cost(&grid, start, goal), Err(Reason::Unreachable));
    map.edit([(Cell::new(2, 1), PLAIN)]).unwrap();
    assert_eq!(cost(&grid, start, goal), Err(Reason::Unreachable), "a grid is a snapshot");
    grid.refresh(&map, &class);
    assert_eq!(cost(&grid, start, goal), Ok(4.0));
    assert_eq!(grid.component(start), grid.component(goal));
}

#[test]
fn a_dearer_rest_of_a_path_is_noticed() {
    let (mut map, class, mut grid) = four(&["S....G"]);
    let path = find_path(&grid, &PathQuery::new(Cell::new(0, 0), Cell::new(5, 0))).unwrap().outcome;
    let path = path.path().unwrap();
    map.edit([(Cell::new(4, 0), TerrainId(7))]).unwrap();
    grid.refresh(&map, &class);
    assert_eq!(path.cost().units(), 5.0, "what it cost when it was made");
    assert_eq!(path.cost_from(0, &grid).unwrap().units(), 11.0);
    assert_eq!(path.cost_from(4, &grid).unwrap().units(), 1.0);
    assert_eq!(path.cost_from(6, &grid), Err(PathError::Empty));
}

#[test]
fn a_search_does_not_mix_two_maps() {
    let (mut map, class, mut grid) = four(&["S.............G"]);
    let query = PathQuery { algorithm: Algorithm::AStar, ..PathQuery::new(Cell::new(0, 0), Cell::new(14, 0)) };
    let mut search = PathSearch::default();
    assert_eq!(search.begin(&grid, &query).unwrap(), None);
    assert_eq!(search.advance(&grid, 5), None);
    map.edit([(Cell::new(9, 0), WALL)]).unwrap();
    grid.refresh(&map, &class);
    let answer = search.advance(&grid, 5).unwrap();
    assert_eq!(answer.outcome, Outcome::Failed(Reason::Cancelled));
    assert_eq!((answer.revision, answer.stats.expanded), (0, 5), "the map it began with");

    let nothing_running = search.advance(&grid, 5).unwrap();
    assert_eq!(nothing_running.outcome, Outcome::Failed(Reason::Cancelled));
    let fresh = search.find(&grid, &query).unwrap();
    assert_eq!((fresh.outcome, fresh.revision), (Outcome::Failed(Reason::Unreachable), 1));
}

#[test]
fn many_questions_whether_there_is_a_way() {
    let size = GridSize::new(512, 512).unwrap();
    let mut dice = Dice::new(31);
    let mut ground = Ground::plain(512, 512, 1, CornerRule::BothFree);
    ground.terrain.fill_with(|| dice.roll(2) as u8);
    let (mut map, class) = (ground.map(), ground.class());
    let mut grid = CostGrid::new(&map, &class);
    for _ in 0..25 {
        let edits: Vec<_> = (0..40).map(|_| (dice.cell(&ground), TerrainId(dice.roll(2) as u8))).collect();
        map.edit(edits.iter().copied()).unwrap();
        for (cell, terrain) in edits {
            let index = ground.index(cell);
            ground.terrain[index] = terrain.0;
        }
        grid.refresh(&map, &class);
    }
    assert_eq!(grid.size(), size);
    let mut reachable = 0;
    for _ in 0..100 {
        let start = dice.cell(&ground);
        let flood = ground.spread_from(&[(start, 0)], |_, _| 1);
        for near in 0..100 {
            let far = dice.cell(&ground);
            let goal = Cell::new((start.x + near % 10 - 5).clamp(0, 511), (start.y + near / 10 - 5).clamp(0, 511));
            for goal in [goal, far] {
                let expected = ground.is_open(goal) && flood[ground.index(goal)].is_some();
                assert_eq!(grid.is_reachable(start, goal), expected);
                reachable += u32::from(expected);
            }
        }
    }
    assert!(reachable > 100, "{reachable}");
}

/// The numbers of a well-known generator, so that the map can be made anywhere.
struct Sequence(u32);

impl Sequence {
    fn next(&mut self, modulus: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % modulus
    }
}

#[test]
fn a_field_after_a_hundred_edits() {
    let mut sequence = Sequence(1);
    let mut ground = Ground::plain(32, 32, 1, CornerRule::Never);
    ground.terrain.fill_with(|| match sequence.next(10) {
        0..3 => 0,
        value => 1 + (value % 4) as u8,
    });
    for _ in 0..800 {
        sequence.next(1);
    }
    let goal = ground.cells().filter(|&cell| ground.is_open(cell)).last().unwrap();
    assert_eq!(goal, Cell::new(31, 31));
    let (mut map, class) = (ground.map(), ground.class());
    let mut grid = CostGrid::new(&map, &class);
    for _ in 0..100 {
        let cell = Cell::new(sequence.next(32) as i32, sequence.next(32) as i32);
        let terrain = TerrainId(sequence.next(6) as u8);
        if cell != goal {
            map.edit([(cell, terrain)]).unwrap();
        }
        grid.refresh(&map, &class);
        assert_eq!(grid, CostGrid::new(&map, &class));
    }
    let field = DijkstraMap::toward(&grid, [goal]).unwrap();
    let values: Vec<f64> = ground.cells().filter_map(|cell| field.value(cell)).collect();
    assert_eq!((values.len(), values.iter().sum::<f64>()), (727, 59_869.0));
}
