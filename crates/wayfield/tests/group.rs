//! One search for a whole group against a search for each.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, rounds, whole_cost, whole_step};
use wayfield::{Algorithm, Cell, GroupSearch, Outcome, PathQuery, QueryError, Reason, find_path};

#[test]
fn each_unit_is_answered_as_if_it_had_asked_alone() {
    let mut dice = Dice::new(401);
    let mut group = GroupSearch::default();
    let (mut found, mut walled) = (0, 0);
    for round in 0..rounds(4000) {
        let ground = if round % 2 == 0 { dice.ground() } else { dice.layered_ground() };
        let grid = ground.grid();
        let goal = dice.cell(&ground);
        let starts: Vec<_> = (0..=dice.roll(8)).map(|_| dice.cell(&ground)).collect();
        let answers = group.find(&grid, &starts, goal, None).unwrap();
        assert_eq!(answers.len(), starts.len());
        let total: u64 = answers.iter().map(|answer| answer.stats.expanded).sum();
        assert_eq!(total, group.stats().expanded, "expansions are counted once");
        assert!(total <= ground.terrain.len() as u64);
        for (&start, answer) in starts.iter().zip(&answers) {
            let alone = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
            assert!(alone.stats.expanded > 0 || answer.stats.expanded == 0, "{start} took no search");
            match (&answer.outcome, &alone.outcome) {
                (Outcome::Found(path), Outcome::Found(other)) => {
                    found += 1;
                    walled += u32::from(!ground.is_open(start));
                    ground.check_path(path, start);
                    assert_eq!(path.end(), Some(goal));
                    assert_eq!(whole_cost(path), whole_cost(other), "{start} to {goal} on {ground:?}");
                    let optimum = ground.spread_from(&[(start, 0)], whole_step)[ground.index(goal)];
                    assert_eq!(Some(whole_cost(path)), optimum);
                }
                (one, other) => assert_eq!(one, other, "{start} to {goal} on {ground:?}"),
            }
        }
        // In slices it is the same.
        group.begin(&grid, &starts, goal, None).unwrap();
        let sliced = loop {
            if let Some(answers) = group.advance(&grid, 1 + dice.roll(9)) {
                break answers;
            }
        };
        assert_eq!(sliced, answers);
    }
    assert!(found > 5000 && walled > 100, "{found} {walled}");
}

#[test]
fn a_cap_is_for_all_together_and_nobody_is_told_a_dearer_way() {
    let mut dice = Dice::new(402);
    let mut group = GroupSearch::default();
    let (mut given_up, mut found) = (0, 0);
    for _ in 0..2000 {
        let ground = dice.ground();
        let grid = ground.grid();
        let goal = dice.cell(&ground);
        let starts: Vec<_> = (0..=dice.roll(8)).map(|_| dice.cell(&ground)).collect();
        let cap = dice.roll(ground.terrain.len() as u64 + 1);
        let answers = group.find(&grid, &starts, goal, Some(cap)).unwrap();
        assert!(group.stats().expanded <= cap);
        for (&start, answer) in starts.iter().zip(&answers) {
            match &answer.outcome {
                Outcome::Found(path) => {
                    found += 1;
                    let alone = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
                    assert_eq!(alone.cost().map(|cost| cost.units()), Some(path.cost().units()));
                }
                Outcome::Failed(Reason::CapReached) => {
                    given_up += 1;
                    assert_eq!(group.stats().expanded, cap);
                }
                outcome => assert_eq!(*outcome, find_path(&grid, &PathQuery::new(start, goal)).unwrap().outcome),
            }
        }
    }
    assert!(given_up > 1000 && found > 1000, "{given_up} {found}");
}

#[test]
fn a_squad_in_one_place_takes_little_more_than_one_of_it() {
    let mut dice = Dice::new(403);
    let mut ground = support::Ground::plain(120, 120, 1, wayfield::CornerRule::BothFree);
    for terrain in &mut ground.terrain {
        *terrain = if dice.roll(5) == 0 { 0 } else { 1 };
    }
    let open = |cell: &Cell| ground.is_open(*cell);
    let squad: Vec<_> = ground.cells().filter(|cell| cell.x < 6 && cell.y < 6).filter(open).collect();
    let goal = ground.cells().filter(|cell| cell.x > 110 && cell.y > 110).find(open).unwrap();
    let grid = ground.grid();
    let squad: Vec<_> = squad.into_iter().filter(|&cell| grid.is_reachable(cell, goal)).collect();
    let mut group = GroupSearch::default();
    group.find(&grid, &squad, goal, None).unwrap();
    let alone = |&start: &Cell| {
        let query = PathQuery { algorithm: Algorithm::AStar, ..PathQuery::new(start, goal) };
        find_path(&grid, &query).unwrap().stats.expanded
    };
    let dearest = squad.iter().map(alone).max().unwrap();
    let all: u64 = squad.iter().map(alone).sum();
    let together = group.stats().expanded;
    assert!(
        squad.len() > 20 && together < 2 * dearest && together * 8 < all,
        "{together} for all, {dearest} for one, {all}"
    );
}

#[test]
fn cells_outside_are_an_error() {
    let grid = support::Ground::plain(3, 3, 1, wayfield::CornerRule::Never).grid();
    let (inside, outside, size) = (Cell::new(1, 1), Cell::new(3, 0), grid.size());
    let mut group = GroupSearch::default();
    let start = group.find(&grid, &[inside, outside], inside, None);
    assert_eq!(start, Err(QueryError::StartOutOfBounds { cell: outside, size }));
    assert_eq!(group.find(&grid, &[inside], outside, None), Err(QueryError::GoalOutOfBounds { cell: outside, size }));
    assert_eq!(group.find(&grid, &[], inside, None), Ok(Vec::new()));
}
