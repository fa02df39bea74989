//! Every search against the naive one, on thousands of random maps.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Spot, close, real_step, rounds, whole_step};
use wayfield::search::{Ending, Limits, Search, Step};
use wayfield::{
    Algorithm, Answer, Cell, CornerRule, Cost, CostGrid, DijkstraMap, Direction, FieldError, Heuristic, NodeId,
    Outcome, Path, PathQuery, PathSearch, QueryError, Reason, Tie, Weight, find_path,
};

/// How a question must end, as far as that is known without a search.
fn expected_reason(ground: &Ground, query: &PathQuery, reachable: bool) -> Option<Reason> {
    let start = query.start;
    if !ground.is_open(query.goal) {
        return Some(Reason::GoalBlocked);
    }
    if start == query.goal {
        return None;
    }
    let way_out = Direction::ALL.iter().any(|direction| {
        let (dx, dy) = direction.delta();
        ground.is_legal(start, Cell::new(start.x + dx, start.y + dy))
    });
    match (ground.is_open(start), way_out, reachable) {
        (false, false, _) => Some(Reason::StartBlocked),
        (_, _, false) => Some(Reason::Unreachable),
        _ => None,
    }
}

/// The choices that a question can be asked with: algorithm, heuristic, weight in 1/1024ths, tie.
fn ways_to_ask(dice: &mut Dice) -> Vec<(Algorithm, Option<Heuristic>, u32, Tie)> {
    let mut ways = Vec::new();
    for algorithm in Algorithm::ALL {
        let tie = [Tie::LowG, Tie::HighG][dice.roll(2) as usize];
        // Without extra weight the weighted search must be as good as A*.
        let weight = 1024 + [0, dice.roll(4096) as u32][dice.roll(2) as usize];
        ways.push((algorithm, None, weight, tie));
        if algorithm.uses_heuristic() {
            let heuristic = Heuristic::ALL[dice.roll(5) as usize];
            ways.push((algorithm, Some(heuristic), weight, tie));
        }
    }
    ways
}

/// What one search carries out alone, step by step.
const ONE_WAY: [Algorithm; 6] = [
    Algorithm::Bfs,
    Algorithm::Dfs,
    Algorithm::Dijkstra,
    Algorithm::Greedy,
    Algorithm::AStar,
    Algorithm::WeightedAStar,
];

fn path_of(answer: &Answer) -> &Path {
    answer.outcome.path().unwrap_or_else(|| panic!("{answer:?}"))
}

#[test]
fn every_search_keeps_its_promise() {
    let mut reused = PathSearch::default();
    let mut dice = Dice::new(1);
    let (mut found, mut failed, mut chosen) = (0, 0, [0, 0]);
    for round in 0..rounds(12_000) {
        let ground = if round % 2 == 0 { dice.ground() } else { dice.layered_ground() };
        let mut grid = ground.grid();
        grid.build_hierarchy();
        let mut prepared = grid.clone();
        prepared.build_jump_table();
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let whole = ground.spread_from(&[(start, 0)], whole_step);
        let real = ground.spread_from(&[(start, 0.0)], real_step);
        let steps = ground.spread_from(&[(start, 0)], |_, _| 1);
        let at = ground.index(goal);
        for (algorithm, heuristic, weight, tie) in ways_to_ask(&mut dice) {
            let weight_number = Weight::new(f64::from(weight) / 1024.0).unwrap();
            let query = PathQuery { algorithm, heuristic, weight: weight_number, tie, ..PathQuery::new(start, goal) };
            let answer = reused.find(&grid, &query).unwrap();
            assert_eq!(find_path(&grid, &query).unwrap(), answer, "used memory shows");
            if matches!(algorithm, Algorithm::Auto | Algorithm::Jps) {
                let query = PathQuery { nearest: round % 3 == 0, allow_partial: round % 5 == 0, ..query };
                let [online, prepared] = [&grid, &prepared].map(|grid| find_path(grid, &query).unwrap());
                assert_eq!(prepared, online, "{query:?} on {ground:?}");
            }
            let at_once = answer.stats.expanded == 0;
            let may_run: &[_] = match algorithm {
                Algorithm::Auto | Algorithm::Jps if ground.has_edge_costs() => &[Algorithm::AStar],
                Algorithm::Auto => &[Algorithm::AStar, Algorithm::Jps],
                _ => &[algorithm],
            };
            assert!(may_run.contains(&answer.algorithm) || at_once && answer.algorithm == algorithm, "{answer:?}");
            if algorithm == Algorithm::Auto {
                let by_name = reused.find(&grid, &PathQuery { algorithm: answer.algorithm, ..query }).unwrap();
                // The A* that was chosen takes another order: it may find another of the cheapest paths.
                if answer.algorithm == Algorithm::Jps || !matches!(answer.outcome, Outcome::Found(_)) {
                    assert_eq!(by_name, answer, "it is what it says it is");
                }
                chosen[usize::from(answer.algorithm == Algorithm::Jps)] += 1;
            }

            if let Some(reason) = expected_reason(&ground, &query, whole[at].is_some()) {
                failed += 1;
                assert_eq!(answer.outcome, Outcome::Failed(reason), "{query:?} on {ground:?}");
                assert_eq!(answer.stats.expanded, 0, "known without a search");
                continue;
            }
            found += 1;
            let optimum = whole[at].unwrap();
            let path = path_of(&answer);
            assert!(matches!(answer.outcome, Outcome::Found(_)));
            assert_eq!(path.end(), Some(goal));
            let cost = ground.check_path(path, start);
            let admissible = heuristic.is_none_or(|heuristic| heuristic.is_admissible(ground.rule));
            assert!(cost >= optimum, "{query:?}: {cost} is less than {optimum} on {ground:?}");
            if admissible {
                // HPA* looks at the way straight ahead first.
                let twice = 1 + u64::from(algorithm == Algorithm::HpaStar);
                assert!(answer.stats.expanded - answer.stats.reopened <= twice * ground.terrain.len() as u64);
                if algorithm != Algorithm::Auto {
                    assert_eq!(answer.stats.reopened, 0, "all estimates are consistent");
                }
                if algorithm.is_optimal() {
                    assert_eq!(cost, optimum, "{query:?} on {ground:?}");
                    assert!(close(path.cost().units(), real[at].unwrap()));
                }
                if algorithm == Algorithm::HpaStar {
                    assert!(cost * 4 <= optimum * 5, "{query:?}: {cost} for {optimum} on {ground:?}");
                }
                if algorithm == Algorithm::WeightedAStar {
                    let bound = i64::from(weight) * optimum;
                    assert!(cost * 1024 <= bound, "{query:?}: {cost} for {optimum} on {ground:?}");
                }
            }
            if matches!(algorithm, Algorithm::Bfs | Algorithm::BidirectionalBfs) {
                assert_eq!(path.len() as i32 - 1, steps[at].unwrap(), "fewest steps");
            }
        }
    }
    assert!(found > 5000 && failed > 5000, "{found} found, {failed} failed: the maps are one-sided");
    assert!(chosen.iter().all(|&times| times > 1000), "{chosen:?}: the choice is one-sided");
}

#[test]
fn an_overestimate_never_invents_a_cheaper_way_but_may_miss_the_cheapest() {
    let mut dice = Dice::new(2);
    let mut missed = 0;
    for _ in 0..1000 {
        let ground = Ground { rule: CornerRule::BothFree, ..dice.ground() };
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let query = PathQuery { heuristic: Some(Heuristic::Manhattan), ..PathQuery::new(start, goal) };
        let answer = find_path(&ground.grid(), &query).unwrap();
        let optimum = ground.spread_from(&[(start, 0)], whole_step)[ground.index(goal)];
        if let (Outcome::Found(path), Some(optimum)) = (&answer.outcome, optimum) {
            let cost = ground.check_path(path, start);
            assert!(cost >= optimum);
            missed += u32::from(cost > optimum);
        }
    }
    assert!(missed > 0, "the maps are too easy to show the trap");
}

#[test]
fn one_run_is_many_steps() {
    let mut dice = Dice::new(3);
    for _ in 0..400 {
        let ground = dice.ground();
        let grid = ground.grid();
        let goal = Spot::new(&grid, dice.cell(&ground), Heuristic::of_rule(ground.rule));
        let source = [(grid.size().index(dice.cell(&ground)).unwrap(), Cost::ZERO)];
        for algorithm in ONE_WAY {
            let order = algorithm.order(Weight::new(1.5).unwrap(), Tie::HighG);
            let mut run = Search::default();
            run.begin(order, &grid, &source, &goal);
            let ending = run.run(&grid, &goal, Limits::NONE);

            let mut stepped = Search::default();
            stepped.begin(order, &grid, &source, &goal);
            let last = loop {
                match stepped.step(&grid, &goal) {
                    Step::Expanded(_) => {}
                    Step::Found(node) => break Ending::Found(node),
                    Step::Exhausted => break Ending::Exhausted,
                }
            };
            assert_eq!(ending, last);
            assert_same_state(&run, &stepped, &grid);

            let mut sliced = Search::default();
            sliced.begin(order, &grid, &source, &goal);
            let last = loop {
                let limits = Limits { cap: u64::MAX, slice: 1 + dice.roll(7) };
                match sliced.run(&grid, &goal, limits) {
                    Ending::Paused => {}
                    ending => break ending,
                }
            };
            assert_eq!(ending, last);
            assert_same_state(&run, &sliced, &grid);
        }
    }
}

fn assert_same_state(one: &Search, other: &Search, grid: &CostGrid) {
    assert_eq!(one.stats(), other.stats());
    for node in 0..grid.size().cells() as NodeId {
        assert_eq!(one.state(node), other.state(node));
        assert_eq!(one.cost_to(node), other.cost_to(node));
        assert_eq!(one.parent(node), other.parent(node));
    }
}

#[test]
fn slices_add_up_to_the_whole_answer() {
    let mut dice = Dice::new(4);
    let mut search = PathSearch::default();
    for _ in 0..1000 {
        let ground = dice.ground();
        let grid = ground.grid();
        let query = PathQuery {
            algorithm: Algorithm::ALL[dice.roll(Algorithm::ALL.len() as u64) as usize],
            max_expansions: [None, Some(dice.roll(60))][dice.roll(2) as usize],
            allow_partial: dice.roll(2) == 0,
            nearest: dice.roll(2) == 0,
            ..PathQuery::new(dice.cell(&ground), dice.cell(&ground))
        };
        let mut answer = search.begin(&grid, &query).unwrap();
        let mut calls = 0;
        while answer.is_none() {
            answer = search.advance(&grid, 1 + dice.roll(9));
            calls += 1;
            assert!(calls <= ground.terrain.len() + 1, "{query:?} does not come to an end on {ground:?}");
        }
        assert_eq!(answer, Some(find_path(&grid, &query).unwrap()), "{query:?} on {ground:?}");
    }
}

#[test]
fn a_cap_allows_exactly_its_number_and_ends_at_the_closest_cell() {
    let mut dice = Dice::new(5);
    let mut capped = 0;
    while capped < 3000 {
        let ground = dice.ground();
        let grid = ground.grid();
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let algorithm = ONE_WAY[dice.roll(6) as usize];
        let cap = dice.roll(ground.terrain.len() as u64 + 1);
        let query = PathQuery { algorithm, max_expansions: Some(cap), ..PathQuery::new(start, goal) };
        if start == goal || !grid.is_reachable(start, goal) {
            continue;
        }
        let plain = find_path(&grid, &query).unwrap();
        let partial = find_path(&grid, &PathQuery { allow_partial: true, ..query }).unwrap();
        assert_eq!(plain.stats, partial.stats, "looking for the closest cell changes nothing");

        let distance = Heuristic::of_rule(ground.rule);
        let spot = Spot::new(&grid, goal, distance);
        let mut search = Search::default();
        let source = [(grid.size().index(start).unwrap(), Cost::ZERO)];
        search.begin(algorithm.order(query.weight, query.tie), &grid, &source, &spot);
        let mut expanded = Vec::new();
        let mut found = false;
        while !found && (expanded.len() as u64) < cap {
            let (Step::Expanded(node) | Step::Found(node)) = search.step(&grid, &spot) else { break };
            let cell = grid.size().cell(node);
            found = cell == goal;
            expanded.push((distance.estimate(cell, goal), search.cost_to(node), node, cell));
        }
        assert_eq!(plain.stats.expanded, expanded.len() as u64);
        if found {
            assert_eq!(path_of(&plain).end(), Some(goal), "a goal as the last allowed expansion is found");
            assert_eq!(plain, partial);
            continue;
        }
        capped += 1;
        assert_eq!(plain.outcome, Outcome::Failed(Reason::CapReached));
        assert_eq!(plain.stats.expanded, cap);
        match (expanded.iter().min(), &partial.outcome) {
            (None, outcome) => assert_eq!(*outcome, Outcome::Failed(Reason::CapReached)),
            (Some(&(.., cell)), Outcome::Partial(path, Reason::CapReached)) => {
                assert_eq!(path.end(), Some(cell), "{query:?} on {ground:?}");
                ground.check_path(path, start);
            }
            (_, outcome) => panic!("{outcome:?}"),
        }
    }
}

#[test]
fn the_nearest_cell_is_the_nearest_cell() {
    let mut dice = Dice::new(6);
    let mut cases = 0;
    while cases < rounds(3000) {
        let ground = if cases % 2 == 0 { dice.ground() } else { dice.layered_ground() };
        let grid = ground.grid();
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let whole = ground.spread_from(&[(start, 0)], whole_step);
        let query = PathQuery { nearest: true, ..PathQuery::new(start, goal) };
        let Some(reason) = expected_reason(&ground, &query, whole[ground.index(goal)].is_some()) else { continue };
        cases += 1;
        let distance = |cell| Heuristic::of_rule(ground.rule).estimate(cell, goal);
        let reachable = ground.cells().filter(|&cell| ground.is_open(cell));
        let best = reachable
            .filter_map(|cell| whole[ground.index(cell)].map(|cost| (distance(cell), cost, ground.index(cell), cell)))
            .min();
        for algorithm in Algorithm::ALL {
            for (nearest, allow_partial) in [(true, false), (false, true)] {
                let heuristic = Some(Heuristic::ALL[dice.roll(5) as usize])
                    .filter(|heuristic| heuristic.is_admissible(ground.rule));
                let query = PathQuery { algorithm, heuristic, nearest, allow_partial, ..query };
                let answer = find_path(&grid, &query).unwrap();
                let Some((least, cost, _, cell)) = best else {
                    assert_eq!(answer.outcome, Outcome::Failed(reason), "{query:?} on {ground:?}");
                    continue;
                };
                assert_eq!(answer.outcome.reason(), Some(reason));
                assert!(matches!(answer.outcome, Outcome::Partial(..)));
                let path = path_of(&answer);
                let paid = ground.check_path(path, start);
                let end = path.end().unwrap();
                assert_eq!(distance(end), least, "{query:?} on {ground:?}");
                if algorithm.is_optimal() {
                    assert_eq!((end, paid), (cell, cost), "{query:?} on {ground:?}");
                }
            }
        }
    }
}

#[test]
fn cells_outside_are_an_error_before_anything_else() {
    let grid = Ground::drawn(&["..#", "..."], CornerRule::BothFree).grid();
    let wall = Cell::new(2, 0);
    let outside = [(-1, 0), (0, -1), (3, 0), (0, 2), (i32::MAX, 0), (i32::MIN, i32::MIN), (5, 0)];
    for cell in outside.map(Cell::from) {
        let size = grid.size();
        let from = find_path(&grid, &PathQuery::new(cell, wall));
        assert_eq!(from, Err(QueryError::StartOutOfBounds { cell, size }));
        let to = find_path(&grid, &PathQuery::new(wall, cell));
        assert_eq!(to, Err(QueryError::GoalOutOfBounds { cell, size }));
        let both = find_path(&grid, &PathQuery::new(cell, cell));
        assert_eq!(both, Err(QueryError::StartOutOfBounds { cell, size }));
        let chase = DijkstraMap::toward(&grid, [cell]);
        assert_eq!(chase, Err(FieldError::OutOfBounds { cell, size }));
        assert_eq!(grid.entering_cost(cell), None);
        assert!(grid.legal_moves(cell).is_empty());
        assert!(!grid.is_reachable(cell, Cell::new(0, 0)) && !grid.is_reachable(Cell::new(0, 0), cell));
    }
}

#[test]
fn a_way_too_dear_to_count_is_said_to_be_so() {
    // 7,082 steps of cost 255 are the most that can be counted.
    let ground = Ground::plain(7084, 1, 255, CornerRule::BothFree);
    let grid = ground.grid();
    let start = Cell::new(0, 0);
    for algorithm in Algorithm::ALL {
        let query = PathQuery { algorithm, ..PathQuery::new(start, Cell::new(7082, 0)) };
        let answer = find_path(&grid, &query).unwrap();
        assert_eq!(path_of(&answer).cost().straight, 7082 * 255, "{algorithm}");
        let too_far = PathQuery { goal: Cell::new(7083, 0), ..query };
        let answer = find_path(&grid, &too_far).unwrap();
        assert_eq!(answer.outcome, Outcome::Failed(Reason::CostOverflow), "{algorithm}");
        let answer = find_path(&grid, &PathQuery { allow_partial: true, ..too_far }).unwrap();
        assert_eq!(answer.outcome.reason(), Some(Reason::CostOverflow));
        let end = path_of(&answer).end().unwrap();
        // A jump that is too dear is not made at all, so that jump points end where it would have begun.
        let jumps = [Algorithm::Auto, Algorithm::Jps].contains(&algorithm);
        assert!(end.x == 7082 || jumps && end.x < 7082, "{algorithm}: {end}");
    }
    // A second row of cost 1 is a way that can be counted.
    let mut two_rows = Ground::plain(7090, 2, 255, CornerRule::BothFree);
    two_rows.terrain[7090..].fill(1);
    let goal = Cell::new(7089, 0);
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_optimal()) {
        let answer = find_path(&two_rows.grid(), &PathQuery { algorithm, ..PathQuery::new(start, goal) }).unwrap();
        let path = path_of(&answer);
        assert_eq!((path.cost().straight, path.cost().diagonal), (7088 + 255, 1), "{algorithm}");
    }
}

#[test]
fn a_field_too_dear_to_count_is_said_to_be_so() {
    // Field values are signed: 3,541 steps of cost 255 are the most.
    let start = [Cell::new(0, 0)];
    let fits = Ground::plain(3542, 1, 255, CornerRule::BothFree).grid();
    let field = DijkstraMap::toward(&fits, start).unwrap();
    assert_eq!(field.value(Cell::new(3541, 0)), Some(3541.0 * 255.0));
    let too_long = Ground::plain(3543, 1, 255, CornerRule::BothFree).grid();
    let far = Cell::new(3542, 0);
    assert_eq!(DijkstraMap::toward(&too_long, start), Err(FieldError::CostOverflow(far)));
    assert_eq!(DijkstraMap::from(&too_long, start), Err(FieldError::CostOverflow(far)));
}
