//! The front door of graphs: ask for a path by algorithm, get a typed answer.
//!
//! The order of the checks is fixed:
//! 1. A node that the graph does not have, and a weight that the algorithm cannot have, is a [`GraphQueryError`].
//! 2. Start equals goal: found, one node, cost 0, no expansion. Bellman-Ford looks for a negative cycle all the same.
//! 3. The search: found, [`Reason::Unreachable`], [`Reason::CapReached`] or [`Reason::CostOverflow`].

use crate::bidirectional::BidirectionalSearch;
use crate::cost::Cost;
use crate::graph::bellman_ford::Relaxation;
use crate::graph::goal::{AnyOf, Estimate, Target};
use crate::graph::hierarchy_search::ContractionSearch;
use crate::graph::{
    GraphAlgorithm, GraphAnswer, GraphOutcome, GraphPath, GraphQuery, GraphQueryError, GraphReplanner, NonNegative,
    WeightedGraph,
};
use crate::query::Reason;
use crate::search::{Ending, Limits, Search, Stats, Tie};
use crate::space::NodeId;

/// Answers one question with memory of its own. For many questions keep a [`GraphSearch`].
///
/// Time: O(n log n) in the nodes expanded. Same input, same answer, bit for bit.
///
/// ```
/// use wayfield::graph::{find_path, GraphBuilder, GraphOutcome, GraphQuery};
/// use wayfield::Reason;
/// let graph = GraphBuilder::new(4).edge(0, 1, 2.0).edge(1, 2, 2.0).edge(0, 2, 5.0).build()?;
/// let answer = find_path(&graph, &GraphQuery::new(0, 2))?;
/// assert_eq!(answer.outcome.path().unwrap().nodes(), [0, 1, 2]);
/// let answer = find_path(&graph, &GraphQuery::new(0, 3))?;
/// assert_eq!(answer.outcome, GraphOutcome::Failed(Reason::Unreachable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the graph does not have start or goal, or has a weight that the algorithm cannot have.
pub fn find_path(graph: &WeightedGraph, query: &GraphQuery) -> Result<GraphAnswer, GraphQueryError> {
    GraphSearch::default().find(graph, query)
}

/// Answers questions one after the other, each at once or in slices; its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct GraphSearch {
    /// A search in one direction uses its forward side only.
    sides: BidirectionalSearch,
    climb: ContractionSearch,
    replanner: GraphReplanner,
    /// What the last search ran on.
    engine: Engine,
    running: Option<Running>,
}

/// What searches for an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Engine {
    /// One [`Search`] over the nodes.
    #[default]
    OneWay,
    /// Two of them.
    BothEnds,
    /// A [`ContractionSearch`].
    Hierarchy,
    /// A [`GraphReplanner`].
    Incremental,
}

impl Engine {
    fn of(algorithm: GraphAlgorithm) -> Self {
        match algorithm {
            GraphAlgorithm::ContractionHierarchy => Self::Hierarchy,
            GraphAlgorithm::LpaStar => Self::Incremental,
            _ if algorithm.engine().is_bidirectional() => Self::BothEnds,
            _ => Self::OneWay,
        }
    }
}

/// A question whose search has begun.
#[derive(Clone, Debug)]
struct Running {
    question: Question,
    /// What really runs.
    algorithm: GraphAlgorithm,
    cap: u64,
    fingerprint: u64,
}

/// What is looked for.
#[derive(Clone, Debug)]
enum Question {
    Path(GraphQuery),
    /// The nearest of these, in ascending order.
    Nearest(Vec<NodeId>),
}

impl GraphSearch {
    /// Answers a question at once.
    ///
    /// # Errors
    /// If the graph does not have start or goal, or has a weight that the algorithm cannot have.
    pub fn find(&mut self, graph: &WeightedGraph, query: &GraphQuery) -> Result<GraphAnswer, GraphQueryError> {
        let answer = self.begin(graph, query)?;
        Ok(self.finish(graph, answer))
    }

    /// The cheapest path to whichever goal costs least; of equally cheap goals to the lowest. One search by Dijkstra's
    /// algorithm, however many goals there are, of up to `max_expansions` expansions.
    ///
    /// ```
    /// use wayfield::graph::{GraphBuilder, GraphSearch};
    /// let graph = GraphBuilder::new(4).two_way(0, 1, 2.0).two_way(1, 2, 2.0).two_way(0, 3, 3.0).build()?;
    /// let answer = GraphSearch::default().find_nearest(&graph, 0, &[2, 3], None)?;
    /// assert_eq!(answer.outcome.path().unwrap().nodes(), [0, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the graph does not have the start or a goal, there is no goal, or a weight is negative.
    pub fn find_nearest(
        &mut self,
        graph: &WeightedGraph,
        start: NodeId,
        goals: &[NodeId],
        max_expansions: Option<u64>,
    ) -> Result<GraphAnswer, GraphQueryError> {
        let answer = self.begin_nearest(graph, start, goals, max_expansions)?;
        Ok(self.finish(graph, answer))
    }

    /// Begins a question, and answers it if that takes no search, or one that has no slices. Whatever was running is forgotten.
    ///
    /// # Errors
    /// If the graph does not have start or goal, or has a weight that the algorithm cannot have.
    pub fn begin(&mut self, graph: &WeightedGraph, query: &GraphQuery) -> Result<Option<GraphAnswer>, GraphQueryError> {
        self.running = None;
        let (start, goal) = (query.start, query.goal);
        check_node(graph, start, true)?;
        check_node(graph, goal, false)?;
        let cap = query.max_expansions.unwrap_or(u64::MAX);
        if query.algorithm == GraphAlgorithm::BellmanFord {
            return by_bellman_ford(graph, start, goal, cap).map(Some);
        }
        let space = graph.non_negative()?;
        let algorithm = what_runs(graph, query);
        if start == goal {
            let path = GraphPath::of_edges(vec![start], Vec::new(), graph);
            return Ok(Some(answer(graph, GraphOutcome::Found(path), algorithm, Stats::default())));
        }
        let order = algorithm.engine().order(query.weight, query.tie);
        let (target, origin) = targets(graph, query);
        self.engine = Engine::of(algorithm);
        match (self.engine, graph.hierarchy()) {
            (Engine::Hierarchy, Some(hierarchy)) => _ = self.climb.begin(hierarchy, start, goal),
            (Engine::Incremental, _) => self.replanner.begin_toward(graph, start, goal, query.estimates.clone())?,
            (Engine::BothEnds, _) => self.sides.begin(order, &space, (start, goal), &target, &origin),
            _ => self.sides.forward.begin(order, &space, &[(start, Cost::ZERO)], &target),
        }
        self.running =
            Some(Running { question: Question::Path(query.clone()), algorithm, cap, fingerprint: graph.fingerprint() });
        Ok(None)
    }

    /// Begins a question for the nearest of several goals, and answers it if that takes no search: as [`GraphSearch::find_nearest`].
    ///
    /// # Errors
    /// If the graph does not have the start or a goal, there is no goal, or a weight is negative.
    pub fn begin_nearest(
        &mut self,
        graph: &WeightedGraph,
        start: NodeId,
        goals: &[NodeId],
        max_expansions: Option<u64>,
    ) -> Result<Option<GraphAnswer>, GraphQueryError> {
        self.running = None;
        check_node(graph, start, true)?;
        goals.iter().try_for_each(|&goal| check_node(graph, goal, false))?;
        if goals.is_empty() {
            return Err(GraphQueryError::NoGoals);
        }
        let space = graph.non_negative()?;
        let mut goals = goals.to_vec();
        goals.sort_unstable();
        let algorithm = GraphAlgorithm::Dijkstra;
        let order = algorithm.engine().order(Default::default(), Tie::LowG);
        self.engine = Engine::OneWay;
        self.sides.forward.begin(order, &space, &[(start, Cost::ZERO)], &AnyOf(&goals));
        self.running = Some(Running {
            question: Question::Nearest(goals),
            algorithm,
            cap: max_expansions.unwrap_or(u64::MAX),
            fingerprint: graph.fingerprint(),
        });
        Ok(None)
    }

    /// Goes on with the question for up to `expansions` expansions; `None` means that it needs more.
    ///
    /// `graph` must be the one the question began with; if it, or a weight, is another one, or nothing was begun,
    /// the answer is [`Reason::Cancelled`].
    pub fn advance(&mut self, graph: &WeightedGraph, expansions: u64) -> Option<GraphAnswer> {
        let cancelled =
            |algorithm, stats| Some(answer(graph, GraphOutcome::Failed(Reason::Cancelled), algorithm, stats));
        let Some(Running { question, algorithm, cap, fingerprint }) = self.running.take() else {
            return cancelled(GraphAlgorithm::default(), Stats::default());
        };
        let space = match graph.non_negative() {
            Ok(space) if fingerprint == graph.fingerprint() => space,
            _ => return cancelled(algorithm, self.stats()),
        };
        let limits = Limits { cap, slice: expansions };
        let ending = match &question {
            Question::Nearest(goals) => self.sides.forward.run(&space, &AnyOf(goals), limits),
            Question::Path(query) => self.run(space, query, limits),
        };
        let reason = match ending {
            Ending::Paused => {
                self.running = Some(Running { question, algorithm, cap, fingerprint });
                return None;
            }
            Ending::Found(node) => match self.path_to(graph, node) {
                Some(path) => return Some(answer(graph, GraphOutcome::Found(path), algorithm, self.stats())),
                // Only a hierarchy that was made up, not made, leads nowhere.
                None => Reason::Cancelled,
            },
            Ending::CapReached => Reason::CapReached,
            Ending::CostOverflow => Reason::CostOverflow,
            Ending::Exhausted => Reason::Unreachable,
        };
        let closest = self.search().closest().filter(|_| self.engine == Engine::OneWay);
        let outcome = match closest.and_then(|node| self.path_to(graph, node)) {
            Some(path) => GraphOutcome::Partial(path, reason),
            None => GraphOutcome::Failed(reason),
        };
        Some(answer(graph, outcome, algorithm, self.stats()))
    }

    /// What the last search that began did so far, on both sides if it has two. Bellman-Ford has only its answer's.
    pub fn stats(&self) -> Stats {
        match self.engine {
            Engine::OneWay => self.search().stats(),
            Engine::BothEnds => self.sides.stats(),
            Engine::Hierarchy => self.climb.stats(),
            Engine::Incremental => self.replanner.stats(),
        }
    }

    /// The search from the start, for looking at its open and closed nodes; not over a hierarchy, and not of LPA*.
    pub fn search(&self) -> &Search {
        &self.sides.forward
    }

    fn finish(&mut self, graph: &WeightedGraph, mut answer: Option<GraphAnswer>) -> GraphAnswer {
        loop {
            match answer {
                Some(answer) => return answer,
                None => answer = self.advance(graph, u64::MAX),
            }
        }
    }

    fn run(&mut self, space: NonNegative, query: &GraphQuery, limits: Limits) -> Ending {
        let graph = space.graph();
        let (target, origin) = targets(graph, query);
        match self.engine {
            Engine::OneWay => self.sides.forward.run(&space, &target, limits),
            Engine::BothEnds => self.sides.run(&space, &target, &origin, limits),
            Engine::Hierarchy => match graph.hierarchy() {
                Some(hierarchy) => self.climb.run(hierarchy, limits),
                // It was there at the beginning: this is another graph.
                None => Ending::Exhausted,
            },
            Engine::Incremental => self.replanner.run_on(space, limits),
        }
    }

    /// The way that the search has found to a node, at the end of it.
    fn path_to(&self, graph: &WeightedGraph, node: NodeId) -> Option<GraphPath> {
        let nodes = match self.engine {
            Engine::OneWay => {
                let mut nodes: Vec<_> = self.search().trace(node).collect();
                nodes.reverse();
                nodes
            }
            Engine::BothEnds => self.sides.path(),
            Engine::Hierarchy => self.climb.path(graph.hierarchy()?)?,
            Engine::Incremental => return self.replanner.path(graph),
        };
        GraphPath::new(nodes, graph).ok()
    }
}

fn answer(graph: &WeightedGraph, outcome: GraphOutcome, algorithm: GraphAlgorithm, stats: Stats) -> GraphAnswer {
    GraphAnswer { outcome, algorithm, stats, fingerprint: graph.fingerprint() }
}

fn check_node(graph: &WeightedGraph, node: NodeId, is_start: bool) -> Result<(), GraphQueryError> {
    let nodes = graph.len();
    match (graph.contains(node), is_start) {
        (true, _) => Ok(()),
        (false, true) => Err(GraphQueryError::UnknownStart { node, nodes }),
        (false, false) => Err(GraphQueryError::UnknownGoal { node, nodes }),
    }
}

/// The algorithm that runs: the one that was asked for, or its sibling that can do what is wanted.
fn what_runs(graph: &WeightedGraph, query: &GraphQuery) -> GraphAlgorithm {
    let mut algorithm = query.algorithm;
    if query.allow_partial {
        algorithm = algorithm.from_the_start_only();
    }
    if algorithm == GraphAlgorithm::ContractionHierarchy && graph.hierarchy().is_none() {
        algorithm = GraphAlgorithm::BidirectionalDijkstra;
    }
    if query.estimates.is_none() && graph.positions().is_none() {
        algorithm = algorithm.without_estimates();
    }
    algorithm
}

/// What the side from the start looks for, and the one from the goal.
fn targets<'a>(graph: &'a WeightedGraph, query: &'a GraphQuery) -> (Target<'a>, Target<'a>) {
    let straight = |node| Estimate::straight(graph, node);
    let (there, back) = match &query.estimates {
        // They say nothing about the way back to the start.
        Some(estimates) => (Estimate::PerNode(estimates), Estimate::Zero),
        None => (straight(query.goal), straight(query.start)),
    };
    let target = Target { node: query.goal, estimate: there, remember_closest: query.allow_partial };
    (target, Target { node: query.start, estimate: back, remember_closest: false })
}

fn by_bellman_ford(
    graph: &WeightedGraph,
    start: NodeId,
    goal: NodeId,
    cap: u64,
) -> Result<GraphAnswer, GraphQueryError> {
    let mut relaxation = Relaxation::new(graph, start);
    relaxation.reach(start, 0, None);
    let is_done = relaxation.run(graph, cap)?;
    let outcome = match relaxation.paths.path(graph, goal) {
        _ if !is_done => GraphOutcome::Failed(Reason::CapReached),
        Some(path) => GraphOutcome::Found(path),
        None => GraphOutcome::Failed(Reason::Unreachable),
    };
    let Relaxation { expanded, improved, .. } = relaxation;
    let stats = Stats { expanded, improved, ..Stats::default() };
    Ok(answer(graph, outcome, GraphAlgorithm::BellmanFord, stats))
}
