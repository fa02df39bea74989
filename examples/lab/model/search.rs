//! What a search knows of every cell.

use wayfield::bidirectional::Side;
use wayfield::hierarchical_search::Phase;
use wayfield::search::{NodeState, Order, Search, UNIT_WEIGHT};
use wayfield::{Algorithm, Cell, Cost, CostGrid, Direction, NodeId, Outcome, Path, PathQuery, TerrainMap, find_path};

use super::board::{Board, Mark, Numbers, Pin, Way, WayKind, number};
use super::repair;
use super::timeline::Timeline;

/// The ways that every other one is compared with.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// By Dijkstra's algorithm.
    pub cheapest: Option<Path>,
    /// By breadth-first search.
    pub fewest_steps: Option<Path>,
}

impl References {
    pub fn find(grid: &CostGrid, start: Cell, goal: Cell) -> Self {
        let way = |algorithm| {
            let answer = find_path(grid, &PathQuery { algorithm, ..PathQuery::new(start, goal) }).ok()?;
            match answer.outcome {
                Outcome::Found(path) => Some(path),
                Outcome::Partial(..) | Outcome::Failed(_) => None,
            }
        };
        Self { cheapest: way(Algorithm::Dijkstra), fewest_steps: way(Algorithm::Bfs) }
    }

    /// Those that say something that a way of this cost does not, for drawing.
    fn ways(&self, found: Option<&Path>) -> impl Iterator<Item = Way> {
        let units = |path: &Path| path.cost().units();
        let found = found.map(units);
        let cheapest = self.cheapest.iter().map(|path| (WayKind::Cheapest, "cheapest", path));
        let differ = self.cheapest.as_ref().map(units) != self.fewest_steps.as_ref().map(units);
        let fewest = self.fewest_steps.iter().filter(move |_| differ);
        let fewest = fewest.map(|path| (WayKind::FewestSteps, "fewest steps", path));
        let ways = fewest.chain(cheapest).filter(move |(.., path)| Some(units(path)) != found);
        ways.map(|(kind, name, path)| way(kind, name, path))
    }
}

/// What else is to be seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// The cell that the pointer is on: its chain of parents.
    pub hovered: Option<Cell>,
    /// An arrow from every cell to its parent.
    pub parents: bool,
}

/// A path as a way with its steps and its cost in the legend.
pub fn way(kind: WayKind, name: &str, path: &Path) -> Way {
    let (steps, cost) = (path.len() - 1, number(path.cost().units()));
    Way { kind, cells: path.cells().to_vec(), note: format!("{name}: cost {cost}, {steps} steps") }
}

/// What a search is after the steps that were made.
pub fn board(
    terrain: &TerrainMap,
    grid: &CostGrid,
    timeline: &Timeline,
    references: &References,
    shown: Shown,
) -> Board {
    let mut board = Board::of_map(terrain, grid);
    let query = timeline.query();
    let search = timeline.search();
    let algorithm = query.algorithm.chosen_for(grid);
    board.title = title(query, grid);
    board.pins = vec![(Pin::Start, query.start), (Pin::Goal, query.goal)];
    board.current = timeline.order().last().map(|&node| grid.size().cell(node));

    // A question that took no search has left the memory of none.
    let is_searched = timeline.steps() > 0 || timeline.answer().is_none();
    if let Some(replanner) = search.replanner().filter(|_| is_searched) {
        repair::mark(&mut board, replanner, query.algorithm, grid);
    } else if is_searched {
        let back = PathQuery { start: query.goal, goal: query.start, ..*query };
        let order = algorithm.order(query.weight, query.tie);
        mark(&mut board, search.search(), Side::Forward, |cell| query.estimate(grid, cell), order, shown.parents);
        if let Some(backward) = search.backward_search() {
            mark(&mut board, backward, Side::Backward, |cell| back.estimate(grid, cell), order, shown.parents);
        }
    }
    if algorithm == Algorithm::Jps {
        board.nodes = "jump points";
        board.cells.iter_mut().for_each(|cell| cell.is_node = cell.mark != Mark::Unseen);
    }
    if query.algorithm == Algorithm::HpaStar {
        show_hierarchy(&mut board, timeline, grid);
    }
    show_ways(&mut board, timeline, references, shown, grid);
    show_facts(&mut board, timeline, references, grid);
    board
}

/// The name of an algorithm, as a textbook has it.
pub fn name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Auto => "Automatic",
        Algorithm::Bfs => "Breadth-first search",
        Algorithm::Dfs => "Depth-first search",
        Algorithm::Dijkstra => "Dijkstra's algorithm",
        Algorithm::Greedy => "Greedy best-first search",
        Algorithm::AStar => "A*",
        Algorithm::WeightedAStar => "Weighted A*",
        Algorithm::BidirectionalBfs => "Bidirectional BFS",
        Algorithm::BidirectionalDijkstra => "Bidirectional Dijkstra",
        Algorithm::BidirectionalAStar => "Bidirectional A*",
        Algorithm::Jps => "Jump point search",
        Algorithm::HpaStar => "HPA*",
        Algorithm::LpaStar => "LPA*",
        Algorithm::DStarLite => "D* Lite",
    }
}

fn title(query: &PathQuery, grid: &CostGrid) -> String {
    let (algorithm, heuristic) = (query.algorithm.chosen_for(grid), query.heuristic_on(grid).name());
    let name = match query.algorithm {
        Algorithm::Auto => format!("Automatic: {}", name(algorithm)),
        _ => name(algorithm).to_owned(),
    };
    match algorithm {
        Algorithm::WeightedAStar => format!("{name}, {heuristic}, w = {}", number(query.weight.get())),
        algorithm if algorithm.uses_heuristic() => format!("{name}, {heuristic}"),
        _ => name,
    }
}

/// Marks what one side has seen. What is marked already is seen from the other end, too.
fn mark(
    board: &mut Board,
    search: &Search,
    side: Side,
    estimate: impl Fn(Cell) -> Cost,
    order: Order,
    has_parents: bool,
) {
    let size = board.size;
    for node in 0..size.cells() as NodeId {
        let state = search.state(node);
        let Some(view) = board.cell_mut(node).filter(|_| state != NodeState::Unseen) else { continue };
        let is_met = view.mark != Mark::Unseen;
        view.mark = match state {
            _ if is_met => Mark::Met,
            NodeState::Open => Mark::Open(side),
            NodeState::Closed | NodeState::Unseen => Mark::Closed(side),
        };
        let cell = size.cell(node);
        let g = search.cost_to(node).unwrap_or_default().to_units();
        let h = estimate(cell).to_units();
        // Seen from both ends, a cell has the numbers of the side from the start.
        if !is_met {
            view.numbers = match order {
                Order::BestFirst { g_weight: 0, h_weight: 1.., .. } => Numbers::Search { g, h: Some(h), f: Some(h) },
                Order::BestFirst { h_weight: h_weight @ 1.., .. } => {
                    let f = g + h * f64::from(h_weight) / f64::from(UNIT_WEIGHT);
                    Numbers::Search { g, h: Some(h), f: Some(f) }
                }
                Order::Bucketed => Numbers::Search { g, h: Some(h), f: Some(g + h) },
                Order::Fifo | Order::Lifo | Order::BestFirst { .. } => Numbers::Search { g, h: None, f: None },
            };
            let parent = search.parent(node).filter(|_| has_parents).map(|parent| size.cell(parent));
            view.arrow = parent.and_then(|parent| toward(cell, parent));
        }
    }
}

/// The direction from one cell to another that may be far away.
fn toward(from: Cell, to: Cell) -> Option<Direction> {
    Direction::from_delta((to.x - from.x).signum(), (to.y - from.y).signum())
}

fn show_hierarchy(board: &mut Board, timeline: &Timeline, grid: &CostGrid) {
    let Some(hierarchy) = grid.hierarchy() else { return };
    board.nodes = "entrances of clusters";
    board.clusters = (0..hierarchy.clusters() as u32).map(|cluster| hierarchy.cluster_rect(cluster)).collect();
    for &node in (0..hierarchy.clusters() as u32).flat_map(|cluster| hierarchy.nodes(cluster)) {
        if let Some(view) = board.cell_mut(node) {
            view.is_node = true;
        }
    }
    let Some(search) = timeline.search().hierarchical_search() else { return };
    if timeline.answer().is_none() {
        board.facts.push(
            match search.phase() {
                Phase::Straight => "straight on",
                Phase::Direct => "cell by cell",
                Phase::Abstract => "over entrances",
                Phase::Refinement => "refining",
                Phase::Over => "over",
            }
            .to_owned(),
        );
    }
    let cells = |nodes: &[NodeId]| nodes.iter().map(|&node| grid.size().cell(node)).collect::<Vec<_>>();
    if search.waypoints().len() > 1 {
        board.ways.push(Way {
            kind: WayKind::Coarse,
            cells: cells(search.waypoints()),
            note: "coarse way over entrances".to_owned(),
        });
    }
    if timeline.answer().is_none() && search.way().len() > 1 {
        board.ways.push(Way {
            kind: WayKind::SoFar,
            cells: cells(search.way()),
            note: format!("final so far: {} cells", search.way().len()),
        });
    }
}

fn show_ways(board: &mut Board, timeline: &Timeline, references: &References, shown: Shown, grid: &CostGrid) {
    let found = timeline.answer().and_then(|answer| answer.outcome.path());
    board.ways.extend(references.ways(found));
    if let Some(cell) = shown.hovered {
        board.ways.extend(chain_way(cell, chain(timeline, cell, grid)));
    }
    if let Some(path) = found {
        board.ways.push(way(WayKind::Found, "found", path));
    }
    board.ways.sort_by_key(|way| way.kind);
}

/// The cells from one back to where its side began, parent by parent; of jump points and entrances only those.
///
/// LPA* and D* Lite keep no parents: theirs are the neighbours that are best by the numbers.
pub fn chain(timeline: &Timeline, cell: Cell, grid: &CostGrid) -> Vec<Cell> {
    let search = timeline.search();
    let (Some(node), true) = (grid.size().index(cell), timeline.steps() > 0) else { return Vec::new() };
    if let Some(replanner) = search.replanner() {
        return repair::chain_of(replanner, timeline.query().algorithm, node, grid);
    }
    let sides = [Some(search.search()), search.backward_search()];
    let chains = sides.into_iter().flatten().map(|side| side.trace(node).collect::<Vec<_>>());
    let longest = chains.max_by_key(Vec::len).unwrap_or_default();
    longest.into_iter().map(|node| grid.size().cell(node)).collect()
}

/// The chain of a cell as a way, if it leads anywhere.
pub fn chain_way(cell: Cell, cells: Vec<Cell>) -> Option<Way> {
    let note = format!("how {cell} was reached");
    (cells.len() > 1).then_some(Way { kind: WayKind::Chain, cells, note })
}

fn show_facts(board: &mut Board, timeline: &Timeline, references: &References, grid: &CostGrid) {
    let stats = timeline.search().stats();
    let query = timeline.query();
    let (expanded, improved) = if timeline.steps() > 0 { (stats.expanded, stats.improved) } else { (0, 0) };
    let open = [Mark::Open(Side::Forward), Mark::Open(Side::Backward), Mark::Cheaper, Mark::Dearer];
    let frontier: usize = open.into_iter().map(|mark| board.count(mark)).sum();
    board.facts.insert(0, format!("expanded {expanded}"));
    board.facts.extend([format!("frontier {frontier}"), format!("improved {improved}")]);
    let Some(answer) = timeline.answer() else { return };
    let cost = answer.cost().map(|cost| cost.units());
    board.facts.push(match (&answer.outcome, cost) {
        (Outcome::Found(path), Some(cost)) => format!("cost {}, {} steps", number(cost), path.len() - 1),
        (outcome, _) => outcome.reason().map_or_else(String::new, |reason| reason.name().replace('_', " ")),
    });
    if answer.algorithm != query.algorithm {
        board.warnings.push(format!("{} ran in its place", name(answer.algorithm)));
    }
    let best = references.cheapest.as_ref().map(|path| path.cost().units());
    let heuristic = query.heuristic_on(grid);
    let over = cost.zip(best).map_or(0.0, |(cost, best)| cost - best);
    if query.algorithm.uses_heuristic() && !heuristic.is_admissible(grid.corner_rule()) {
        let name = heuristic.name();
        let result = if over > 1e-6 { "missed the cheapest way" } else { "found the cheapest way all the same" };
        board.warnings.push(format!("{name} overestimates where diagonals are allowed: {result}"));
    }
    if let Some((cost, best)) = cost.zip(best).filter(|_| over > 1e-6) {
        let percent = number((cost / best - 1.0) * 100.0);
        board.warnings.push(format!("cost {} where {} would do: {percent} % too much", number(cost), number(best)));
    }
}
