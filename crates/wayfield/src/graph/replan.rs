//! A path over a graph that is kept up to date by LPA* while weights change.

use crate::graph::goal::{Estimate, Target};
use crate::graph::{EdgeId, GraphPath, GraphQueryError, NodeEstimates, NonNegative, WeightedGraph};
use crate::incremental::IncrementalSearch;
use crate::search::{Ending, Limits, Stats};
use crate::space::NodeId;

/// One question for a path that stays asked while weights change: an accident, a closed road, rush hour.
///
/// After every change the cost is that of a fresh search, to the last unit; where a change touches few ways it takes far fewer
/// expansions. Weights may rise, fall, close and open in batches of any size, also while a run is paused.
///
/// A graph that is not the one it was told of last makes it begin anew: that is never wrong, but no longer cheap.
///
/// Memory: 16 bytes a node, and 16 more for each node on the open list.
///
/// ```
/// use wayfield::graph::{GraphBuilder, GraphReplanner};
/// use wayfield::search::{Ending, Limits};
/// let mut graph = GraphBuilder::new(4).edge(0, 1, 2.0).edge(1, 3, 2.0).edge(0, 2, 3.0).edge(2, 3, 3.0).build()?;
/// let mut replanner = GraphReplanner::default();
/// replanner.begin(&graph, 0, 3)?;
/// assert_eq!(replanner.run(&graph, Limits::NONE)?, Ending::Found(3));
/// assert_eq!(replanner.path(&graph).unwrap().nodes(), [0, 1, 3]);
///
/// let bridge = graph.edge_between(1, 3).unwrap();
/// let changed = graph.update([(bridge, Some(9.0))])?;
/// replanner.update(&graph, &changed)?;
/// assert_eq!(replanner.run(&graph, Limits::NONE)?, Ending::Found(3));
/// assert_eq!(replanner.path(&graph).unwrap().cost(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphReplanner {
    search: IncrementalSearch,
    question: Option<Question>,
}

/// What is asked, and of what graph.
#[derive(Clone, Debug)]
struct Question {
    start: NodeId,
    goal: NodeId,
    estimates: Option<NodeEstimates>,
    fingerprint: u64,
    /// What the straight line was worth, if the estimates count with it.
    rate: Option<f64>,
    /// Whether a run has ended at the goal since the latest change.
    found: bool,
}

impl Question {
    fn target<'a>(&'a self, graph: &'a WeightedGraph) -> Target<'a> {
        let straight = || Estimate::straight(graph, self.goal);
        let estimate = self.estimates.as_ref().map_or_else(straight, Estimate::PerNode);
        Target { node: self.goal, estimate, remember_closest: false }
    }
}

impl GraphReplanner {
    /// Asks for the way from `start` to `goal`; whatever was asked before is forgotten.
    ///
    /// # Errors
    /// If the graph does not have start or goal, or has a weight of zero or less; then nothing is asked any more.
    pub fn begin(&mut self, graph: &WeightedGraph, start: NodeId, goal: NodeId) -> Result<(), GraphQueryError> {
        self.begin_toward(graph, start, goal, None)
    }

    /// As [`GraphReplanner::begin`], with estimates of the way to the goal that stay consistent whatever changes.
    ///
    /// # Errors
    /// If the graph does not have start or goal, or has a weight of zero or less; then nothing is asked any more.
    pub fn begin_toward(
        &mut self,
        graph: &WeightedGraph,
        start: NodeId,
        goal: NodeId,
        estimates: Option<NodeEstimates>,
    ) -> Result<(), GraphQueryError> {
        self.question = None;
        let nodes = graph.len();
        if !graph.contains(start) {
            return Err(GraphQueryError::UnknownStart { node: start, nodes });
        }
        if !graph.contains(goal) {
            return Err(GraphQueryError::UnknownGoal { node: goal, nodes });
        }
        let space = positive(graph)?;
        let (fingerprint, rate) = (graph.fingerprint(), rate(graph));
        let question = Question { start, goal, estimates, fingerprint, rate, found: false };
        self.search.begin(&space, start, goal, &question.target(graph));
        self.question = Some(question);
        Ok(())
    }

    /// Takes a change in: the graph as it is now, and the edges whose weights are other ones, which
    /// [`WeightedGraph::update`] returned.
    ///
    /// Time: O(k d log n) for k edges into nodes of d edges; no expansion: [`GraphReplanner::run`] does what is to be done.
    ///
    /// # Errors
    /// If a weight is zero or less now; then nothing is asked any more.
    pub fn update(&mut self, graph: &WeightedGraph, changed: &[EdgeId]) -> Result<(), GraphQueryError> {
        let Some(mut question) = self.question.take() else { return Ok(()) };
        let space = positive(graph)?;
        let rate = rate(graph);
        let is_other_rate = std::mem::replace(&mut question.rate, rate) != rate;
        if is_other_rate && question.estimates.is_none() {
            self.search.change_estimates(&question.target(graph));
        }
        question.fingerprint = graph.fingerprint();
        question.found = false;
        let mut ends: Vec<_> = changed.iter().filter_map(|&edge| Some(graph.arc(edge)?.node)).collect();
        ends.sort_unstable();
        ends.dedup();
        self.search.update(&space, &question.target(graph), ends);
        self.question = Some(question);
        Ok(())
    }

    /// Searches until the path is known or a limit is reached.
    ///
    /// # Errors
    /// If the graph is another one than it was told of last, and cannot be searched.
    pub fn run(&mut self, graph: &WeightedGraph, limits: Limits) -> Result<Ending, GraphQueryError> {
        let space = positive(graph)?;
        match self.question.take() {
            Some(question) if question.fingerprint != graph.fingerprint() => {
                self.begin_toward(graph, question.start, question.goal, question.estimates)?;
            }
            question => self.question = question,
        }
        Ok(self.run_on(space, limits))
    }

    /// Searches on the graph that it was told of last.
    pub(super) fn run_on(&mut self, space: NonNegative, limits: Limits) -> Ending {
        let Some(question) = &mut self.question else { return Ending::Exhausted };
        let ending = self.search.run(&space, &question.target(space.graph()), limits);
        question.found = matches!(ending, Ending::Found(_));
        ending
    }

    /// The cheapest path; `None` unless a run has found it on this very graph.
    pub fn path(&self, graph: &WeightedGraph) -> Option<GraphPath> {
        let question = self.question.as_ref()?;
        let space = graph.non_negative().ok()?;
        if !question.found || question.fingerprint != graph.fingerprint() {
            return None;
        }
        let mut nodes: Vec<_> = self.search.trace(&space).collect();
        nodes.reverse();
        GraphPath::new(nodes, graph).ok()
    }

    /// What the search did since the latest beginning or update.
    pub fn stats(&self) -> Stats {
        self.search.stats()
    }

    /// The search, for looking at its open and consistent nodes.
    pub fn search(&self) -> &IncrementalSearch {
        &self.search
    }
}

/// What the straight line is worth.
fn rate(graph: &WeightedGraph) -> Option<f64> {
    graph.positions.as_ref().map(|positions| positions.rate)
}

/// The graph, if all weights are more than zero: of two nodes that each know a way through the other for nothing, neither
/// would learn that there is none.
fn positive(graph: &WeightedGraph) -> Result<NonNegative<'_>, GraphQueryError> {
    match graph.free_edge() {
        Some(edge) => Err(GraphQueryError::FreeEdge(edge)),
        None => graph.non_negative(),
    }
}
