//! Worked examples with known answers: orders of expansion, counts, paths and fields, cell by cell.

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Ground, Spot, close, marked};
use wayfield::search::{Ending, Limits, NodeState, Order, Search, Step};
use wayfield::space::{Everything, Goal, Space};
use wayfield::{
    Algorithm, Answer, Cell, CornerRule, Cost, CostGrid, DijkstraMap, Heuristic, NodeId, Outcome, Path, PathQuery, Tie,
    Weight, find_path,
};

/// A wall of three cells hangs from the top.
const HANGING_WALL: [&str; 5] = ["S.#..", "..#..", "..#..", ".....", "....G"];

/// A ridge of cost 3 with a cheap way round below.
const RIDGE: [&str; 5] = ["11311", "11311", "13311", "11111", "11111"];

/// Cells written as (row, column).
fn cells(row_column: &[(i32, i32)]) -> Vec<Cell> {
    row_column.iter().map(|&(row, column)| Cell::new(column, row)).collect()
}

/// Steps a search from (0, 0) to its end and lists what it expanded.
fn expansions(grid: &CostGrid, order: Order, goal: &impl Goal) -> (Vec<Cell>, Search) {
    let mut search = Search::default();
    search.begin(order, grid, &[(0, Cost::ZERO)], goal);
    let mut seen = Vec::new();
    loop {
        match search.step(grid, goal) {
            Step::Expanded(node) => seen.push(grid.size().cell(node)),
            Step::Found(node) => {
                seen.push(grid.size().cell(node));
                return (seen, search);
            }
            Step::Exhausted => return (seen, search),
        }
    }
}

/// As `expansions`, on the hanging wall in four directions toward (4, 4); also the path.
fn around_the_wall(algorithm: Algorithm, tie: Tie) -> (Vec<Cell>, Vec<Cell>) {
    let grid = Ground::drawn(&HANGING_WALL, CornerRule::Never).grid();
    let goal = Spot::new(&grid, Cell::new(4, 4), Heuristic::Manhattan);
    let (expanded, search) = expansions(&grid, algorithm.order(Weight::ONE, tie), &goal);
    let mut path: Vec<_> = search.trace(24).map(|node| grid.size().cell(node)).collect();
    path.reverse();

    let answer = ask(&grid, PathQuery { algorithm, tie, ..PathQuery::new(Cell::new(0, 0), Cell::new(4, 4)) });
    assert_eq!(answer.stats, search.stats(), "the front door runs the same search");
    assert_eq!(answer.stats.expanded, expanded.len() as u64);
    assert_eq!(answer.outcome.path().map(Path::cells), Some(&path[..]));
    (expanded, path)
}

fn ask(grid: &CostGrid, query: PathQuery) -> Answer {
    find_path(grid, &query).unwrap_or_else(|error| panic!("{error}"))
}

fn units(answer: &Answer) -> f64 {
    answer.cost().map_or(f64::NAN, |cost| cost.units())
}

#[test]
fn breadth_first_search_expands_in_waves() {
    let (expanded, path) = around_the_wall(Algorithm::Bfs, Tie::HighG);
    let waves = [
        (0, 0),
        (1, 0),
        (0, 1),
        (2, 0),
        (1, 1),
        (3, 0),
        (2, 1),
        (4, 0),
        (3, 1),
        (4, 1),
        (3, 2),
        (4, 2),
        (3, 3),
        (4, 3),
        (2, 3),
        (3, 4),
        (4, 4),
    ];
    assert_eq!(expanded, cells(&waves));
    assert_eq!(path, cells(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4)]));
}

#[test]
fn depth_first_search_follows_the_first_neighbour() {
    let (expanded, path) = around_the_wall(Algorithm::Dfs, Tie::HighG);
    let dive = [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (4, 1),
        (4, 2),
        (3, 2),
        (3, 3),
        (2, 3),
        (1, 3),
        (0, 3),
        (0, 4),
        (1, 4),
        (2, 4),
        (3, 4),
        (4, 4),
    ];
    assert_eq!(expanded, cells(&dive));
    let way = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (3, 2), (3, 3), (3, 4), (4, 4)];
    assert_eq!(path, cells(&way));
}

#[test]
fn greedy_search_expands_nine() {
    let (expanded, path) = around_the_wall(Algorithm::Greedy, Tie::HighG);
    assert_eq!((expanded.len(), path.len()), (9, 9));
}

#[test]
fn a_star_expands_by_its_tie_rule() {
    let (expanded, path) = around_the_wall(Algorithm::AStar, Tie::LowG);
    let order = [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (3, 0),
        (3, 1),
        (4, 0),
        (3, 2),
        (4, 1),
        (3, 3),
        (4, 2),
        (3, 4),
        (4, 3),
        (4, 4),
    ];
    assert_eq!(expanded, cells(&order));
    let way = cells(&[(0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (3, 4), (4, 4)]);
    assert_eq!(path, way);

    let (expanded, path) = around_the_wall(Algorithm::AStar, Tie::HighG);
    assert_eq!((expanded.len(), path), (9, way));
}

#[test]
fn from_both_ends_around_the_wall() {
    let grid = Ground::drawn(&HANGING_WALL, CornerRule::Never).grid();
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_bidirectional()) {
        let answer = ask(&grid, PathQuery { algorithm, ..PathQuery::new(Cell::new(0, 0), Cell::new(4, 4)) });
        assert_eq!((units(&answer), answer.algorithm), (8.0, algorithm));
    }
}

#[test]
fn estimates_across_the_map() {
    let estimate = |heuristic: Heuristic| heuristic.estimate(Cell::new(0, 0), Cell::new(4, 4)).to_units();
    assert_eq!(estimate(Heuristic::Manhattan), 8.0);
    assert_eq!(estimate(Heuristic::Chebyshev), 4.0);
    assert_eq!(estimate(Heuristic::Zero), 0.0);
    assert!((estimate(Heuristic::Euclidean) - 32f64.sqrt()).abs() < 1e-3);
    assert!(close(estimate(Heuristic::Octile), 32f64.sqrt()));
}

#[test]
fn corner_rules_decide_the_optimum() {
    let root = 2f64.sqrt();
    let expected = [
        (CornerRule::Never, 8.0),
        (CornerRule::Always, 2.0 + 3.0 * root),
        (CornerRule::AtLeastOneFree, 2.0 + 3.0 * root),
        (CornerRule::BothFree, 4.0 + 2.0 * root),
    ];
    for (rule, optimum) in expected {
        let grid = Ground::drawn(&HANGING_WALL, rule).grid();
        for algorithm in [Algorithm::Dijkstra, Algorithm::AStar] {
            let answer = ask(&grid, PathQuery { algorithm, ..PathQuery::new(Cell::new(0, 0), Cell::new(4, 4)) });
            assert!(close(units(&answer), optimum), "{algorithm} under {rule:?}: {answer:?}");
        }
    }
    // A way along these turning points cuts no corner, and costs the optimum of the strict rule.
    let way = cells(&[(0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (4, 3), (4, 4)]);
    let strict = Ground::drawn(&HANGING_WALL, CornerRule::BothFree).grid();
    let path = Path::new(way, &strict).unwrap();
    assert!(close(path.cost().units(), 4.0 + 2.0 * root));
}

#[test]
fn dijkstra_settles_the_ridge_in_order_of_cost() {
    let ground = Ground::drawn(&RIDGE, CornerRule::Never);
    let grid = ground.grid();
    let expected = [0, 1, 4, 5, 6, 1, 2, 5, 6, 7, 2, 5, 8, 7, 8, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8];

    let field = DijkstraMap::from(&grid, [Cell::new(0, 0)]).unwrap();
    let values: Vec<_> = ground.cells().map(|cell| field.value(cell)).collect();
    assert_eq!(values, expected.map(|cost| Some(f64::from(cost))));

    let (expanded, search) = expansions(&grid, Order::DIJKSTRA, &Everything);
    let mut by_cost: Vec<_> = ground.cells().zip(expected).collect();
    by_cost.sort_by_key(|&(cell, cost)| (cost, cell.y, cell.x));
    assert_eq!(expanded, by_cost.into_iter().map(|(cell, _)| cell).collect::<Vec<_>>());
    assert_eq!(search.stats().expanded, 25);

    let way = cells(&[(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (4, 4)]);
    let corner = Cell::new(4, 4);
    let answer = ask(&grid, PathQuery { algorithm: Algorithm::Dijkstra, ..PathQuery::new(Cell::new(0, 0), corner) });
    assert_eq!(answer.outcome.path().map(Path::cells), Some(&way[..]));
    assert_eq!(units(&answer), 8.0);
    assert_eq!(field.trace(&grid, corner).unwrap().cost().units(), 8.0);

    // The same number of steps along the top is no bargain.
    let top = cells(&[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]);
    assert_eq!(Path::new(top, &grid).unwrap().cost().units(), 10.0);
}

/// A handful of nodes with directed edges and estimates: the smallest space there is.
struct Graph {
    edges: Vec<Vec<(NodeId, u32)>>,
    estimates: Vec<u32>,
    goal: NodeId,
}

impl Graph {
    fn new(estimates: &[u32], goal: NodeId, edges: &[(NodeId, NodeId, u32)]) -> Self {
        let mut graph = Self { edges: vec![Vec::new(); estimates.len()], estimates: estimates.to_vec(), goal };
        for &(from, to, cost) in edges {
            graph.edges[from as usize].push((to, cost));
        }
        graph
    }

    /// The cost of the way found from node 0.
    fn solve(&self, order: Order) -> (Ending, Option<u32>) {
        let mut search = Search::default();
        search.begin(order, self, &[(0, Cost::ZERO)], self);
        let ending = search.run(self, self, Limits::NONE);
        (ending, search.cost_to(self.goal).map(Cost::raw))
    }
}

impl Space for Graph {
    fn len(&self) -> usize {
        self.edges.len()
    }

    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        for &(next, cost) in &self.edges[node as usize] {
            visit(next, Cost::from_raw(cost));
        }
    }
}

impl Goal for Graph {
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.goal
    }

    fn estimate(&self, node: NodeId) -> Cost {
        Cost::from_raw(self.estimates[node as usize])
    }
}

#[test]
fn greedy_walks_into_the_trap() {
    let trap = Graph::new(&[0, 1, 10, 0], 3, &[(0, 1, 2), (1, 3, 100), (0, 2, 10), (2, 3, 10)]);
    assert_eq!(trap.solve(Order::GREEDY), (Ending::Found(3), Some(102)));
    for order in [Order::DIJKSTRA, Order::a_star(Tie::LowG), Order::a_star(Tie::HighG)] {
        assert_eq!(trap.solve(order), (Ending::Found(3), Some(20)));
    }
}

#[test]
fn an_overestimate_may_lose_the_optimum() {
    let edges = [(0, 1, 1), (1, 3, 3), (0, 2, 2), (2, 3, 3)];
    for tie in [Tie::LowG, Tie::HighG] {
        assert_eq!(Graph::new(&[4, 6, 3, 0], 3, &edges).solve(Order::a_star(tie)), (Ending::Found(3), Some(5)));
        assert_eq!(Graph::new(&[4, 3, 3, 0], 3, &edges).solve(Order::a_star(tie)), (Ending::Found(3), Some(4)));
    }
}

#[test]
fn places_and_roads() {
    // Castle 0, village 1, river 2, cave 3, forest 4.
    let roads = [(0, 1, 5), (0, 2, 3), (1, 4, 8), (2, 3, 2), (3, 4, 4), (2, 4, 10)];
    let land = Graph::new(&[0; 5], 4, &roads);
    let mut search = Search::default();
    search.begin(Order::DIJKSTRA, &land, &[(0, Cost::ZERO)], &Everything);
    assert_eq!(search.run(&land, &Everything, Limits::NONE), Ending::Exhausted);
    assert_eq!([1, 2, 3, 4].map(|node| search.cost_to(node).map(Cost::raw)), [Some(5), Some(3), Some(5), Some(9)]);
    assert_eq!(search.trace(4).collect::<Vec<_>>(), [4, 3, 2, 0]);
    assert_eq!(search.stats().improved, 1, "the forest, first seen from the village, then from the cave");
}

/// A start and a goal 22 columns apart, a swamp of cost 6 between them that reaches from the top to three rows below.
fn swamp_band() -> (Ground, Cell, Cell) {
    let mut ground = Ground::plain(32, 18, 1, CornerRule::Never);
    let (start, goal) = (Cell::new(4, 7), Cell::new(26, 7));
    for y in 0..=start.y + 3 {
        for x in 14..=16 {
            let index = ground.index(Cell::new(x, y));
            ground.terrain[index] = 6;
        }
    }
    (ground, start, goal)
}

#[test]
fn dijkstra_goes_round_the_swamp_that_breadth_first_search_wades_through() {
    let (ground, start, goal) = swamp_band();
    let grid = ground.grid();
    let steps_and_cost = |algorithm| {
        let answer = ask(&grid, PathQuery { algorithm, ..PathQuery::new(start, goal) });
        (answer.outcome.path().map(|path| path.len() - 1), units(&answer))
    };
    assert_eq!(steps_and_cost(Algorithm::Bfs), (Some(22), 37.0));
    assert_eq!(steps_and_cost(Algorithm::Dijkstra), (Some(30), 30.0));
    assert_eq!(steps_and_cost(Algorithm::AStar), (Some(30), 30.0));
    assert_eq!(steps_and_cost(Algorithm::BidirectionalBfs).0, Some(22));
    assert_eq!(steps_and_cost(Algorithm::BidirectionalDijkstra), (Some(30), 30.0));
    assert_eq!(steps_and_cost(Algorithm::BidirectionalAStar), (Some(30), 30.0));
}

#[test]
fn a_cleared_row_of_the_swamp_is_taken_at_once() {
    for offset in -3..=3i32 {
        let (mut ground, start, goal) = swamp_band();
        for x in 14..=16 {
            let index = ground.index(Cell::new(x, start.y + offset));
            ground.terrain[index] = 1;
        }
        let answer = ask(&ground.grid(), PathQuery::new(start, goal));
        assert_eq!(units(&answer), f64::from(22 + 2 * offset.abs()), "row {offset}");
    }
}

#[test]
fn swamp_everywhere_makes_dijkstra_expand_a_diamond() {
    let (start, reach) = (Cell::new(10, 9), 5);
    let grid = Ground::plain(21, 19, 6, CornerRule::Never).grid();
    let diamond = |cell: Cell| (cell.x - start.x).abs() + (cell.y - start.y).abs() <= reach;
    let size = grid.size();
    for order in [Order::Fifo, Order::DIJKSTRA] {
        let mut search = Search::default();
        let source = size.index(start).unwrap();
        search.begin(order, &grid, &[(source, Cost::ZERO)], &Everything);
        let cells_within = 2 * reach * (reach + 1) + 1;
        let limits = Limits { cap: cells_within as u64, slice: u64::MAX };
        assert_eq!(search.run(&grid, &Everything, limits), Ending::CapReached);
        for cell in size.rect().cells() {
            let closed = search.state(size.index(cell).unwrap()) == NodeState::Closed;
            assert_eq!(closed, diamond(cell), "{order:?} at {cell}");
        }
    }
}

#[test]
fn a_goal_counts_when_it_is_expanded_not_when_it_is_seen() {
    let graph = Graph::new(&[0; 3], 2, &[(0, 2, 10), (0, 1, 1), (1, 2, 1)]);
    for order in [Order::DIJKSTRA, Order::a_star(Tie::LowG), Order::a_star(Tie::HighG)] {
        assert_eq!(graph.solve(order), (Ending::Found(2), Some(2)));
    }
    let swampy = ["S9G", "111"];
    let grid = Ground::drawn(&swampy, CornerRule::Never).grid();
    let answer = ask(&grid, PathQuery::new(marked(&swampy, 'S'), marked(&swampy, 'G')));
    assert_eq!(answer.outcome.path().map(Path::len), Some(5), "round the 9, beside which the goal is seen first");
}

#[test]
fn a_sum_beyond_the_largest_cost_is_no_cheap_way() {
    // The largest cost that can be represented.
    let most = u32::MAX - 1;
    let graph = Graph::new(&[0, 0, 0], 2, &[(0, 1, most), (1, 2, 5)]);
    assert_eq!(graph.solve(Order::DIJKSTRA), (Ending::CostOverflow, None));
    assert_eq!(graph.solve(Order::a_star(Tie::HighG)), (Ending::CostOverflow, None));
    let with_a_way_round = Graph::new(&[0, 0, 0], 2, &[(0, 1, most), (1, 2, 5), (0, 2, most)]);
    assert_eq!(with_a_way_round.solve(Order::DIJKSTRA), (Ending::Found(2), Some(most)));
    let estimates = Graph::new(&[most, most, 0], 2, &[(0, 1, 7), (1, 2, most - 7)]);
    assert_eq!(estimates.solve(Order::a_star(Tie::LowG)), (Ending::Found(2), Some(most)));
}

#[test]
fn a_diagonal_step_is_longer_than_a_straight_one() {
    let open = Ground::plain(9, 9, 1, CornerRule::BothFree);
    let answer = ask(&open.grid(), PathQuery::new(Cell::new(0, 0), Cell::new(8, 8)));
    assert!(close(units(&answer), 8.0 * 2f64.sqrt()));
    let straight = ask(&open.grid(), PathQuery::new(Cell::new(0, 4), Cell::new(8, 4)));
    assert_eq!(units(&straight), 8.0);
    assert!(straight.outcome.path().unwrap().cells().iter().all(|cell| cell.y == 4), "no zigzag at the same price");
}

#[test]
fn nobody_squeezes_between_two_blocked_corners() {
    for rule in CornerRule::ALL {
        let grid = Ground::drawn(&["S#", "#G"], rule).grid();
        let answer = ask(&grid, PathQuery::new(Cell::new(0, 0), Cell::new(1, 1)));
        assert_eq!(answer.outcome.path().is_some(), rule == CornerRule::Always, "{rule:?}");
    }
}

#[test]
fn the_estimate_is_used() {
    let grid = Ground::plain(40, 40, 1, CornerRule::BothFree).grid();
    let query = PathQuery::new(Cell::new(5, 20), Cell::new(35, 20));
    let expanded = |algorithm, heuristic| ask(&grid, PathQuery { algorithm, heuristic, ..query }).stats.expanded;
    let blind = expanded(Algorithm::Dijkstra, None);
    assert_eq!(expanded(Algorithm::AStar, None), 31, "only the straight line");
    assert!(blind > 1000, "{blind}");
    // Without an estimate A* is Dijkstra's algorithm but for the last ring of equal cost.
    assert!(expanded(Algorithm::AStar, Some(Heuristic::Zero)) > 1000);
}

#[test]
fn stale_entries_are_skipped() {
    // Cells next to the dear middle are seen the long way first.
    let rows = ["1111", "1991", "1991", "1111"];
    let ground = Ground::drawn(&rows, CornerRule::BothFree);
    let (expanded, search) = expansions(&ground.grid(), Order::DIJKSTRA, &Everything);
    let mut once = expanded.clone();
    once.sort_by_key(|cell| (cell.y, cell.x));
    once.dedup();
    assert_eq!((expanded.len(), once.len()), (16, 16));
    assert!(search.stats().improved > 0, "there must have been something to skip");
    assert_eq!(search.stats().generated, 16);
}

#[test]
fn a_stale_entry_left_over_is_no_reason_to_say_the_cap_was_reached() {
    let graph = Graph::new(&[0; 3], 2, &[(0, 2, 10), (0, 1, 1), (1, 2, 1)]);
    for (cap, expected) in [(2, Ending::CapReached), (3, Ending::Exhausted), (4, Ending::Exhausted)] {
        let mut search = Search::default();
        search.begin(Order::DIJKSTRA, &graph, &[(0, Cost::ZERO)], &Everything);
        let ending = search.run(&graph, &Everything, Limits { cap, slice: u64::MAX });
        assert_eq!((ending, search.stats().expanded), (expected, cap.min(3)));
    }
}

#[test]
fn an_inconsistent_estimate_opens_a_node_again() {
    // Node 2 is expanded at cost 3, before the way through 1, which looks far, brings it down to 2.
    let graph = Graph::new(&[0, 11, 0, 0], 3, &[(0, 1, 1), (0, 2, 3), (1, 2, 1), (2, 3, 10)]);
    let mut search = Search::default();
    search.begin(Order::a_star(Tie::HighG), &graph, &[(0, Cost::ZERO)], &graph);
    assert_eq!(search.run(&graph, &graph, Limits::NONE), Ending::Found(3));
    assert_eq!(search.cost_to(3), Some(Cost::from_raw(12)));
    assert_eq!((search.stats().reopened, search.stats().expanded), (1, 5), "the second expansion counts, too");
    assert_eq!(search.trace(3).collect::<Vec<_>>(), [3, 2, 1, 0]);
}

#[test]
fn a_cap_holds_in_a_maze_without_an_exit() {
    let rows = ["S.#.G", ".##..", "...##", "##..."];
    let ground = Ground::drawn(&rows, CornerRule::Never);
    let grid = ground.grid();
    let nowhere = Spot::new(&grid, marked(&rows, 'G'), Heuristic::Manhattan);
    let orders = Algorithm::ALL.map(|algorithm| algorithm.order(Weight::ONE, Tie::HighG));
    let reachable = ground.spread_from(&[(Cell::new(0, 0), 0)], support::whole_step).iter().flatten().count() as u64;
    for order in orders {
        for cap in 0..=reachable + 2 {
            let mut search = Search::default();
            search.begin(order, &grid, &[(0, Cost::ZERO)], &nowhere);
            let ending = search.run(&grid, &nowhere, Limits { cap, slice: u64::MAX });
            let expected = if cap < reachable { Ending::CapReached } else { Ending::Exhausted };
            assert_eq!((ending, search.stats().expanded), (expected, cap.min(reachable)), "{order:?}");
        }
    }
}

#[test]
fn equal_ways_are_equal_to_the_last_bit() {
    // Many sequences of the same diagonal and straight steps: in real numbers their sums differ in the last digit.
    let ground = Ground::plain(24, 17, 3, CornerRule::BothFree);
    let (start, goal) = (Cell::new(0, 0), Cell::new(23, 16));
    let answers =
        Algorithm::ALL.map(|algorithm| ask(&ground.grid(), PathQuery { algorithm, ..PathQuery::new(start, goal) }));
    for answer in answers.iter().filter(|answer| answer.algorithm.is_optimal()) {
        let cost = answer.cost().unwrap();
        assert_eq!((cost.straight, cost.diagonal), (3 * 7, 3 * 16), "{:?}", answer.algorithm);
        assert!(matches!(answer.outcome, Outcome::Found(_)));
    }
    let field = DijkstraMap::toward(&ground.grid(), [goal]).unwrap();
    assert_eq!(field.value(start).unwrap(), f64::from(3 * (7 * 2378 + 16 * 3363)) / 2378.0);
}
