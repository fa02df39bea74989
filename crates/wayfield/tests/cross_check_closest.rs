//! The closest of several goals, against naive relaxation on random maps, and its answers case by case.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, marked, whole_step};
use wayfield::{
    Algorithm, Answer, Cell, ClosestQuery, ClosestSearch, CornerRule, Outcome, QueryError, Reason, TerrainId,
    find_closest,
};

/// The cost and the cell of the goal that a query must find.
fn closest(ground: &Ground, query: &ClosestQuery) -> Option<(i64, Cell)> {
    let costs = ground.spread_from(&[(query.start, 0)], whole_step);
    let open = query.goals.iter().filter(|&&goal| ground.is_open(goal));
    let reached = open.filter_map(|&goal| Some((costs[ground.index(goal)]?, ground.index(goal), goal)));
    reached.min().map(|(cost, _, goal)| (cost, goal))
}

/// A start that may be in a wall, and up to 40 goals, some of them in walls, some twice.
fn question(dice: &mut Dice, ground: &Ground) -> ClosestQuery {
    let most = [1, 3, 16, 40][dice.roll(4) as usize];
    let goals = 0..1 + dice.roll(most);
    ClosestQuery::new(dice.cell(ground), goals.map(|_| dice.cell(ground)).collect::<Vec<_>>())
}

#[track_caller]
fn check(ground: &Ground, query: &ClosestQuery, answer: &Answer) {
    let expected = closest(ground, query);
    match &answer.outcome {
        Outcome::Found(path) => {
            let cost = ground.check_path(path, query.start);
            assert_eq!(path.end().map(|end| (cost, end)), expected, "{query:?} on {ground:?}");
            assert_eq!(answer.stats.expanded == 0, path.len() == 1);
        }
        Outcome::Failed(reason) => {
            assert_eq!((expected, answer.stats.expanded), (None, 0), "{query:?} on {ground:?}");
            let can_step = ground.cells().any(|cell| ground.is_legal(query.start, cell));
            let expected = match () {
                () if !query.goals.iter().any(|&goal| ground.is_open(goal)) => Reason::GoalBlocked,
                () if !ground.is_open(query.start) && !can_step => Reason::StartBlocked,
                () => Reason::Unreachable,
            };
            assert_eq!(*reason, expected, "{query:?} on {ground:?}");
        }
        Outcome::Partial(..) => panic!("nobody asked for a part of a path"),
    }
}

#[test]
fn the_cheapest_path_to_any_goal_is_found() {
    let mut dice = Dice::new(91);
    let mut search = ClosestSearch::default();
    for _ in 0..6000 {
        let ground = dice.ground();
        let grid = ground.grid();
        let query = question(&mut dice, &ground);
        let answer = find_closest(&grid, &query).unwrap();
        check(&ground, &query, &answer);

        // The order of the goals, and what was searched for before, change nothing.
        let backwards = ClosestQuery { goals: query.goals.iter().rev().copied().collect(), ..query.clone() };
        assert_eq!(search.find(&grid, &backwards).unwrap(), answer);
    }
}

#[test]
fn slices_change_nothing_and_the_cap_is_exact() {
    let mut dice = Dice::new(92);
    let mut search = ClosestSearch::default();
    for _ in 0..1500 {
        let ground = dice.ground();
        let grid = ground.grid();
        let query = question(&mut dice, &ground);
        let whole = find_closest(&grid, &query).unwrap();
        let mut sliced = search.begin(&grid, &query).unwrap();
        while sliced.is_none() {
            sliced = search.advance(&grid, 1 + dice.roll(4));
        }
        assert_eq!(sliced.as_ref(), Some(&whole));

        let capped = |cap| find_closest(&grid, &ClosestQuery { max_expansions: Some(cap), ..query.clone() }).unwrap();
        let expanded = whole.stats.expanded;
        assert_eq!(capped(expanded), whole);
        if expanded > 0 {
            let short = capped(dice.roll(expanded));
            assert_eq!(short.outcome, Outcome::Failed(Reason::CapReached));
            assert!(short.stats.expanded < expanded);
        }
    }
}

#[test]
fn of_equally_cheap_goals_the_lower_index_is_taken() {
    for rule in CornerRule::ALL {
        let ground = Ground::plain(31, 31, 1, rule);
        let grid = ground.grid();
        let start = Cell::new(15, 15);
        for distance in [1, 2, 9, 15] {
            let goals = [(0, distance), (distance, 0), (-distance, 0), (0, -distance)];
            let goals: Vec<_> = goals.map(|(dx, dy)| Cell::new(15 + dx, 15 + dy)).to_vec();
            for count in 1..=4 {
                let query = ClosestQuery::new(start, goals[..count].to_vec());
                let answer = find_closest(&grid, &query).unwrap();
                let lowest = query.goals.iter().copied().min_by_key(|&goal| ground.index(goal));
                assert_eq!(answer.outcome.path().and_then(|path| path.end()), lowest, "{rule:?} {distance}");
            }
            // As many as are estimated by the rectangle around them: the whole ring.
            let ring = ground.cells().filter(|cell| cell.x.abs_diff(15).max(cell.y.abs_diff(15)) == distance as u32);
            let answer = find_closest(&grid, &ClosestQuery::new(start, ring)).unwrap();
            let north = Cell::new(15, 15 - distance);
            assert_eq!(answer.outcome.path().and_then(|path| path.end()), Some(north), "{rule:?} {distance}");
        }
    }
}

#[test]
fn questions_that_need_no_search() {
    let rows = ["a.#b", "..##", "#.#c", "#1.#"];
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let grid = ground.grid();
    let [a, b, c] = ['a', 'b', 'c'].map(|mark| marked(&rows, mark));
    let (wall, size) = (Cell::new(2, 0), grid.size());
    let ask = |start, goals: &[Cell]| find_closest(&grid, &ClosestQuery::new(start, goals.iter().copied()));
    let outcome = |start, goals: &[Cell]| {
        let answer = ask(start, goals).unwrap();
        assert_eq!((answer.stats.expanded, answer.algorithm, answer.revision), (0, Algorithm::AStar, 0));
        answer.outcome
    };

    let outside = Cell::new(4, 0);
    assert_eq!(ask(outside, &[]), Err(QueryError::StartOutOfBounds { cell: outside, size }));
    assert_eq!(ask(a, &[b, outside]), Err(QueryError::GoalOutOfBounds { cell: outside, size }));
    assert_eq!(ask(a, &[]), Err(QueryError::NoGoals));
    assert_eq!(outcome(a, &[wall, Cell::new(3, 1)]), Outcome::Failed(Reason::GoalBlocked));
    assert_eq!(outcome(wall, &[wall]), Outcome::Failed(Reason::GoalBlocked), "also for a start in it");
    assert_eq!(outcome(a, &[b, c, wall]), Outcome::Failed(Reason::Unreachable));
    assert_eq!(outcome(Cell::new(0, 3), &[wall, b]), Outcome::Failed(Reason::Unreachable));
    match outcome(a, &[b, a, Cell::new(1, 0)]) {
        Outcome::Found(path) => assert_eq!(path.cells(), [a]),
        other => panic!("{other:?}"),
    }
    // A start in a wall may be left, and a goal in it is skipped.
    let answer = ask(wall, &[wall, a, b]).unwrap();
    assert_eq!(answer.outcome.path().map(|path| path.cells().to_vec()), Some(vec![wall, b]));

    let shut = Ground::drawn(&["##.", "##.", "..."], CornerRule::BothFree);
    let answer = find_closest(&shut.grid(), &ClosestQuery::new(Cell::new(0, 0), [Cell::new(2, 0)])).unwrap();
    assert_eq!((answer.outcome, answer.stats.expanded), (Outcome::Failed(Reason::StartBlocked), 0));
}

#[test]
fn a_question_about_another_map_is_cancelled() {
    let ground = Ground::plain(9, 9, 1, CornerRule::BothFree);
    let (mut map, class) = (ground.map(), ground.class());
    let mut grid = ground.grid();
    let mut search = ClosestSearch::default();
    let cancelled = Outcome::Failed(Reason::Cancelled);
    assert_eq!(search.advance(&grid, 1).unwrap().outcome, cancelled, "nothing was begun");

    let query = ClosestQuery::new(Cell::new(0, 0), [Cell::new(8, 8), Cell::new(8, 0)]);
    assert_eq!(search.begin(&grid, &query), Ok(None));
    assert_eq!(search.advance(&grid, 2), None);
    assert_eq!(search.stats().expanded, 2);
    map.edit([(Cell::new(4, 4), TerrainId(0))]).unwrap();
    grid.refresh(&map, &class);
    let answer = search.advance(&grid, 2).unwrap();
    assert_eq!((answer.outcome, answer.revision), (cancelled.clone(), 0));
    assert_eq!(search.advance(&grid, 2).unwrap().outcome, cancelled, "it is over");
}

#[test]
fn ways_too_dear_to_count() {
    let ground = Ground::plain(8000, 1, 255, CornerRule::BothFree);
    let (grid, start, far) = (ground.grid(), Cell::new(0, 0), Cell::new(7999, 0));
    let answer = find_closest(&grid, &ClosestQuery::new(start, [far])).unwrap();
    assert_eq!(answer.outcome, Outcome::Failed(Reason::CostOverflow));
    let near = Cell::new(3000, 0);
    let answer = find_closest(&grid, &ClosestQuery::new(start, [far, near])).unwrap();
    assert_eq!(answer.outcome.path().and_then(|path| path.end()), Some(near));
}

#[test]
fn links_slopes_fences_and_larger_units_change_nothing() {
    let mut dice = Dice::new(93);
    for round in 0..4000 {
        let mut ground = dice.layered_ground();
        if round % 4 == 0 && ground.terrain.len() > 1 {
            // More links than are looked at one by one.
            for _ in 0..dice.roll(60) {
                let (from, to) = (dice.cell(&ground), dice.cell(&ground));
                if from != to {
                    ground.layers.links.push((from, to, 1 + dice.roll(12) as u32));
                }
            }
        }
        let query = question(&mut dice, &ground);
        check(&ground, &query, &find_closest(&ground.grid(), &query).unwrap());
    }
}
