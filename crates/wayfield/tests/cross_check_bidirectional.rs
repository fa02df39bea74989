//! Searches from both ends: against naive ones on random graphs and maps, and step by step.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Spot, whole_cost, whole_step};
use wayfield::bidirectional::{BidirectionalSearch, Side};
use wayfield::search::{Ending, Limits, NodeState, Order, Step};
use wayfield::space::{Everything, Goal, Reversible, Space};
use wayfield::{
    Algorithm, Cell, CornerRule, Cost, CostGrid, Heuristic, NodeId, Outcome, PathQuery, PathSearch, Reason, Tie,
    find_path,
};

const ORDERS: [Order; 4] = [Order::Fifo, Order::DIJKSTRA, Order::a_star(Tie::LowG), Order::a_star(Tie::HighG)];

fn both_ends() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_bidirectional())
}

/// Nodes with directed edges. Without `way_back_in` no reversed step leads to node 0, as to a start in a wall.
#[derive(Debug)]
struct Graph {
    nodes: usize,
    edges: Vec<(NodeId, NodeId, u32)>,
    way_back_in: bool,
}

impl Space for Graph {
    fn len(&self) -> usize {
        self.nodes
    }

    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for &(_, to, cost) in self.edges.iter().filter(|&&(from, ..)| from == node) {
            visit(to, Cost::from_raw(cost));
        }
    }
}

impl Reversible for Graph {
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let into = self.edges.iter().filter(|&&(from, to, _)| to == node && (from != 0 || self.way_back_in));
        for &(from, _, cost) in into {
            visit(from, Cost::from_raw(cost));
        }
    }
}

impl Graph {
    fn random(dice: &mut Dice) -> Self {
        let nodes = 2 + dice.roll(14);
        let dearest = [1, 4, 50][dice.roll(3) as usize];
        let edge =
            |dice: &mut Dice| (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId, dice.roll(dearest + 1) as u32);
        let count = dice.roll(nodes * 4);
        let edges = (0..count).map(|_| edge(dice)).collect();
        Self { nodes: nodes as usize, edges, way_back_in: dice.roll(3) > 0 }
    }

    /// The cost of the cheapest way to each node, by relaxing until nothing changes; to a source if `back`.
    fn relaxed(&self, source: NodeId, back: bool, price: impl Fn(u32) -> u32) -> Vec<Option<u32>> {
        let mut costs = vec![None; self.nodes];
        costs[source as usize] = Some(0);
        for _ in 0..self.nodes {
            for &(from, to, cost) in &self.edges {
                let (from, to) = if back { (to, from) } else { (from, to) };
                let known: Option<u32> = costs[to as usize];
                if let Some(sum) = costs[from as usize].map(|sum: u32| sum + price(cost))
                    && known.is_none_or(|known| sum < known)
                {
                    costs[to as usize] = Some(sum);
                }
            }
        }
        costs
    }

    /// The cost of a path that must be one: each step by its cheapest edge.
    fn cost_along(&self, path: &[NodeId]) -> u32 {
        let step = |pair: &[NodeId]| {
            let edges = self.edges.iter().filter(|&&(from, to, _)| [from, to] == pair);
            edges.map(|&(.., cost)| cost).min().unwrap_or_else(|| panic!("{pair:?} is no edge of {self:?}"))
        };
        path.windows(2).map(step).sum()
    }
}

/// Estimates that are given node by node.
struct Estimates(Vec<u32>);

impl Goal for Estimates {
    fn is_goal(&self, _node: NodeId) -> bool {
        false
    }

    fn estimate(&self, node: NodeId) -> Cost {
        Cost::from_raw(self.0[node as usize])
    }
}

#[test]
fn random_graphs_are_crossed_by_the_cheapest_way() {
    let mut dice = Dice::new(11);
    let mut search = BidirectionalSearch::default();
    let (mut found, mut lost) = (0, 0);
    for _ in 0..20_000 {
        let graph = Graph::random(&mut dice);
        let goal = dice.roll(graph.nodes as u64) as NodeId;
        let from = graph.relaxed(0, false, |cost| cost);
        let toward = graph.relaxed(goal, true, |cost| cost);
        let steps = graph.relaxed(0, false, |_| 1)[goal as usize];
        // Quarters of the true cost, rounded down, are consistent; without a way any estimate is true.
        let estimates = |true_costs: &[Option<u32>], quarters: u32| {
            Estimates(true_costs.iter().map(|cost| cost.map_or(1_000_000, |cost| cost * quarters / 4)).collect())
        };
        let ahead = estimates(&toward, dice.roll(5) as u32);
        let behind = estimates(&from, dice.roll(5) as u32);
        for order in ORDERS {
            search.begin(order, &graph, (0, goal), &ahead, &behind);
            let ending = search.run(&graph, &ahead, &behind, Limits::NONE);
            let path = search.path();
            let Some(optimum) = from[goal as usize] else {
                lost += 1;
                assert_eq!((ending, path.len()), (Ending::Exhausted, 0), "{order:?} to {goal} on {graph:?}");
                continue;
            };
            found += 1;
            assert!(matches!(ending, Ending::Found(node) if path.contains(&node)), "{order:?} to {goal} on {graph:?}");
            assert_eq!((path.first(), path.last()), (Some(&0), Some(&goal)));
            assert!(search.stats().expanded <= graph.nodes as u64);
            let cost = graph.cost_along(&path);
            if order == Order::Fifo {
                assert_eq!(path.len() as u32 - 1, steps.unwrap(), "to {goal} on {graph:?}");
            } else {
                assert_eq!(search.best_cost().map(Cost::raw), Some(optimum), "{order:?} to {goal} on {graph:?}");
                assert_eq!(cost, optimum);
                assert_eq!(search.stats().reopened, 0);
            }
        }
    }
    assert!(found > 20_000 && lost > 5_000, "{found} found, {lost} not: the graphs are one-sided");
}

#[test]
fn where_they_first_meet_is_not_the_answer() {
    // The sides meet at 1, at 5 + 5; the way through 2 and 3 costs 3 + 3 + 3.
    let edges = vec![(0, 1, 5), (1, 4, 5), (0, 2, 3), (2, 3, 3), (3, 4, 3)];
    let graph = Graph { nodes: 5, edges, way_back_in: true };
    let mut search = BidirectionalSearch::default();
    for (order, path) in ORDERS.into_iter().zip([vec![0, 1, 4], vec![0, 2, 3, 4], vec![0, 2, 3, 4], vec![0, 2, 3, 4]]) {
        search.begin(order, &graph, (0, 4), &Everything, &Everything);
        let mut best = Vec::new();
        while let Step::Expanded(_) = search.step(&graph, &Everything, &Everything) {
            best.extend(search.best_cost().map(Cost::raw));
        }
        assert_eq!(search.path(), path, "{order:?}");
        assert_eq!(best.first(), Some(&10), "{order:?} meets at the dearer way first");
    }
}

/// What a search shows of itself.
fn snapshot(search: &BidirectionalSearch, grid: &CostGrid) -> impl PartialEq + std::fmt::Debug + use<> {
    let nodes = |side| {
        let search = search.side(side);
        let look = |node| (search.state(node), search.cost_to(node), search.parent(node));
        (0..grid.size().cells() as NodeId).map(look).collect::<Vec<_>>()
    };
    (search.stats(), search.path(), nodes(Side::Forward), nodes(Side::Backward))
}

/// A random map with two different passable cells of it that reach each other.
fn crossing(dice: &mut Dice) -> (Ground, CostGrid, Cell, Cell) {
    loop {
        let ground = dice.ground();
        let grid = ground.grid();
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        if start != goal && grid.is_passable(goal) && grid.is_reachable(start, goal) {
            return (ground, grid, start, goal);
        }
    }
}

#[test]
fn one_run_is_many_steps_and_no_cell_is_expanded_twice() {
    let mut dice = Dice::new(12);
    for _ in 0..600 {
        let (ground, grid, start, goal) = crossing(&mut dice);
        let [ahead, behind] = [goal, start].map(|cell| Spot::new(&grid, cell, Heuristic::of_rule(ground.rule)));
        let ends = (grid.size().index(start).unwrap(), grid.size().index(goal).unwrap());
        for order in ORDERS {
            let mut run = BidirectionalSearch::default();
            run.begin(order, &grid, ends, &ahead, &behind);
            let ending = run.run(&grid, &ahead, &behind, Limits::NONE);
            let expected = snapshot(&run, &grid);

            let mut stepped = BidirectionalSearch::default();
            stepped.begin(order, &grid, ends, &ahead, &behind);
            let mut expanded = Vec::new();
            let last = loop {
                match stepped.step(&grid, &ahead, &behind) {
                    Step::Expanded(node) => expanded.push(node),
                    Step::Found(node) => break Ending::Found(node),
                    Step::Exhausted => break Ending::Exhausted,
                }
            };
            assert_eq!(last, ending);
            assert_eq!(snapshot(&stepped, &grid), expected);
            assert_eq!(expanded.len() as u64, run.stats().expanded);
            expanded.sort_unstable();
            assert!(expanded.windows(2).all(|pair| pair[0] != pair[1]), "{order:?} on {ground:?}");

            let mut sliced = BidirectionalSearch::default();
            sliced.begin(order, &grid, ends, &ahead, &behind);
            let last = loop {
                let before = sliced.stats().expanded;
                let limits = Limits { cap: u64::MAX, slice: 1 + dice.roll(7) };
                match sliced.run(&grid, &ahead, &behind, limits) {
                    Ending::Paused => assert_eq!(sliced.stats().expanded, before + limits.slice),
                    ending => break ending,
                }
            };
            assert_eq!(last, ending);
            assert_eq!(snapshot(&sliced, &grid), expected);
        }
    }
}

#[test]
fn a_cap_is_exact_on_the_sum_and_the_partial_end_is_of_the_forward_side() {
    let mut dice = Dice::new(13);
    let mut search = PathSearch::default();
    for _ in 0..300 {
        let (ground, grid, start, goal) = crossing(&mut dice);
        let distance = Heuristic::of_rule(ground.rule);
        let [ahead, behind] = [goal, start].map(|cell| Spot::new(&grid, cell, distance));
        let ends = (grid.size().index(start).unwrap(), grid.size().index(goal).unwrap());
        for algorithm in both_ends() {
            let query = PathQuery { algorithm, allow_partial: true, ..PathQuery::new(start, goal) };
            let whole = search.find(&grid, &query).unwrap();
            assert!(matches!(whole.outcome, Outcome::Found(_)));

            let mut stepped = BidirectionalSearch::default();
            stepped.begin(algorithm.order(query.weight, query.tie), &grid, ends, &ahead, &behind);
            let mut closest: Option<(Cost, Option<Cost>, NodeId, Cell)> = None;
            for cap in 0..whole.stats.expanded {
                let capped = search.find(&grid, &PathQuery { max_expansions: Some(cap), ..query }).unwrap();
                assert_eq!(capped.stats.expanded, cap);
                match (closest, &capped.outcome) {
                    (None, outcome) => assert_eq!(*outcome, Outcome::Failed(Reason::CapReached)),
                    (Some((.., cell)), Outcome::Partial(path, Reason::CapReached)) => {
                        assert_eq!(path.end(), Some(cell), "{query:?} capped at {cap} on {ground:?}");
                        ground.check_path(path, start);
                    }
                    (_, outcome) => panic!("{outcome:?}"),
                }
                let Step::Expanded(node) = stepped.step(&grid, &ahead, &behind) else { panic!("too few steps") };
                let forward = stepped.side(Side::Forward);
                if forward.state(node) == NodeState::Closed {
                    let cell = grid.size().cell(node);
                    let candidate = (distance.estimate(cell, goal), forward.cost_to(node), node, cell);
                    closest = Some(closest.map_or(candidate, |best| candidate.min(best)));
                }
            }
            let last = Some(whole.stats.expanded);
            assert_eq!(search.find(&grid, &PathQuery { max_expansions: last, ..query }).unwrap(), whole);
        }
    }
}

#[test]
fn a_start_in_a_wall_is_left_and_met() {
    // The only way out is the start's own first step.
    let corridor = Ground::drawn(&["..#...G"], CornerRule::BothFree);
    let mut dice = Dice::new(14);
    let mut cases =
        vec![(corridor.clone(), Cell::new(2, 0), Cell::new(6, 0)), (corridor, Cell::new(2, 0), Cell::new(0, 0))];
    while cases.len() < 2000 {
        let (ground, grid, start, goal) = crossing(&mut dice);
        if !grid.is_passable(start) {
            cases.push((ground, start, goal));
        }
    }
    for (ground, start, goal) in cases {
        let grid = ground.grid();
        let optimum = ground.spread_from(&[(start, 0)], whole_step)[ground.index(goal)];
        let steps = ground.spread_from(&[(start, 0)], |_, _| 1)[ground.index(goal)];
        for algorithm in both_ends() {
            let answer = find_path(&grid, &PathQuery { algorithm, ..PathQuery::new(start, goal) }).unwrap();
            let Outcome::Found(path) = answer.outcome else { panic!("{answer:?}") };
            let cost = ground.check_path(&path, start);
            match algorithm {
                Algorithm::BidirectionalBfs => assert_eq!(Some(path.len() as i32 - 1), steps),
                _ => assert_eq!(Some(cost), optimum, "{algorithm} from {start} to {goal} on {ground:?}"),
            }
        }
    }
}

#[test]
fn the_back_pays_for_the_cell_that_is_entered() {
    let grid = Ground { terrain: vec![1, 9, 5, 3], ..Ground::plain(4, 1, 1, CornerRule::Never) }.grid();
    for algorithm in both_ends() {
        let cost = |from: i32, to: i32| {
            let query = PathQuery { algorithm, ..PathQuery::new(Cell::new(from, 0), Cell::new(to, 0)) };
            find_path(&grid, &query).unwrap().cost().unwrap().units()
        };
        assert_eq!((cost(0, 3), cost(3, 0)), (17.0, 15.0), "{algorithm}");
    }
    let mut search = BidirectionalSearch::default();
    for (ends, expected) in [((0, 3), 17.0), ((3, 0), 15.0)] {
        search.begin(Order::DIJKSTRA, &grid, ends, &Everything, &Everything);
        search.run(&grid, &Everything, &Everything, Limits::NONE);
        assert_eq!(search.best_cost().map(Cost::to_units), Some(expected));
    }
}

#[test]
fn a_sum_beyond_the_largest_cost_is_no_way_across() {
    // The largest cost that can be represented.
    let most = u32::MAX - 1;
    let mut search = BidirectionalSearch::default();
    let mut solve = |order, edges: &[(NodeId, NodeId, u32)]| {
        let graph = Graph { nodes: 4, edges: edges.to_vec(), way_back_in: true };
        search.begin(order, &graph, (0, 3), &Everything, &Everything);
        let ending = search.run(&graph, &Everything, &Everything, Limits::NONE);
        (ending, search.best_cost().map(Cost::raw))
    };
    let halves = [(0, 1, most - 9), (1, 2, 5), (2, 3, 5)];
    let with_a_way_round = [&halves[..], &[(0, 3, most)]].concat();
    let dear_at_both_ends = [(0, 1, most), (1, 2, 1), (2, 3, most)];
    for order in ORDERS {
        assert_eq!(solve(order, &halves), (Ending::CostOverflow, None), "{order:?}");
        assert_eq!(solve(order, &dear_at_both_ends), (Ending::CostOverflow, None), "{order:?}");
        let (ending, cost) = solve(order, &with_a_way_round);
        assert!(matches!(ending, Ending::Found(_)), "{order:?}");
        assert_eq!(cost, Some(most), "{order:?}");
        let (ending, cost) = solve(order, &[(0, 1, most - 10), (1, 2, 5), (2, 3, 5)]);
        assert!(matches!(ending, Ending::Found(_)), "{order:?}");
        assert_eq!(cost, Some(most), "{order:?}");
        assert_eq!(solve(order, &[(0, 1, 1), (2, 3, 1)]), (Ending::Exhausted, None), "{order:?}");
    }
}

#[test]
fn both_ends_expand_less_than_one_on_open_ground() {
    let grid = Ground::plain(129, 129, 1, CornerRule::BothFree).grid();
    let query = PathQuery::new(Cell::new(40, 64), Cell::new(88, 64));
    let expanded = |algorithm| {
        let answer = find_path(&grid, &PathQuery { algorithm, ..query }).unwrap();
        let path = answer.outcome.path().unwrap();
        assert_eq!(path.len(), 49, "{algorithm}");
        if algorithm.is_optimal() {
            assert!(path.cells().iter().all(|cell| cell.y == 64), "{algorithm} has a kink");
            assert_eq!(whole_cost(path), 48 * 2378);
        }
        answer.stats.expanded
    };
    for (both, one) in
        [(Algorithm::BidirectionalBfs, Algorithm::Bfs), (Algorithm::BidirectionalDijkstra, Algorithm::Dijkstra)]
    {
        let (both, one) = (expanded(both), expanded(one));
        assert!(both * 10 < one * 6, "{both} and {one}");
    }
    assert!(expanded(Algorithm::BidirectionalAStar) <= expanded(Algorithm::AStar) + 1);
}

#[test]
fn without_a_goal_to_search_from_the_one_way_sibling_runs() {
    let lake = Ground::drawn(&["S......", "..###..", "..#.#..", "..###..", "......."], CornerRule::BothFree);
    let grid = lake.grid();
    let mut search = PathSearch::default();
    for algorithm in both_ends() {
        let sibling = algorithm.from_the_start_only();
        assert_ne!(sibling, algorithm);
        for goal in [Cell::new(2, 2), Cell::new(3, 2)] {
            let plain = PathQuery { algorithm, ..PathQuery::new(Cell::new(0, 0), goal) };
            let answer = search.find(&grid, &plain).unwrap();
            assert!(matches!(answer.outcome, Outcome::Failed(_)));
            assert_eq!((answer.algorithm, answer.stats.expanded), (algorithm, 0));
            for query in [PathQuery { nearest: true, ..plain }, PathQuery { allow_partial: true, ..plain }] {
                let answer = search.find(&grid, &query).unwrap();
                assert_eq!(answer.algorithm, sibling);
                assert_eq!(answer, find_path(&grid, &PathQuery { algorithm: sibling, ..query }).unwrap());
                assert!(search.backward_search().is_none());
                assert_eq!(search.stats(), answer.stats);
            }
        }
        // A goal that can be reached is searched from both ends, whatever else is allowed.
        let reached = PathQuery {
            algorithm,
            nearest: true,
            allow_partial: true,
            ..PathQuery::new(Cell::new(0, 0), Cell::new(6, 4))
        };
        let answer = search.find(&grid, &reached).unwrap();
        assert_eq!(answer.algorithm, algorithm);
        let back = search.backward_search().unwrap();
        assert_eq!(search.search().stats().expanded + back.stats().expanded, answer.stats.expanded);
        assert!(back.stats().expanded > 0);
    }
}

#[test]
fn a_start_that_is_the_goal_is_met_at_once() {
    let grid = Ground::plain(3, 3, 1, CornerRule::BothFree).grid();
    let mut search = BidirectionalSearch::default();
    assert_eq!(search.step(&grid, &Everything, &Everything), Step::Exhausted, "nothing was begun");
    for order in ORDERS {
        search.begin(order, &grid, (4, 4), &Everything, &Everything);
        let ending = search.run(&grid, &Everything, &Everything, Limits { cap: 0, slice: u64::MAX });
        assert_eq!((ending, search.path(), search.stats().expanded), (Ending::Found(4), vec![4], 0), "{order:?}");
    }
}
