//! Questions for a path over a graph, and their answers.

use std::fmt;
use std::str::FromStr;

use crate::algorithm::{Algorithm, UnknownName, Weight};
use crate::graph::{Edge, GraphPath, NegativeCycle, NodeEstimates};
use crate::query::Reason;
use crate::search::{Stats, Tie};
use crate::space::NodeId;

/// How a path over a graph is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum GraphAlgorithm {
    /// Breadth-first search: fewest edges, whatever they cost.
    Bfs,
    /// Depth-first search: some path.
    Dfs,
    /// Dijkstra's algorithm (1959): the cheapest path, in all directions at once.
    Dijkstra,
    /// Greedy best-first search: few expansions, no promise about the cost.
    Greedy,
    /// A* (Hart, Nilsson, Raphael 1968): the cheapest path, toward the goal.
    #[default]
    AStar,
    /// Weighted A* (Pohl 1970): at most `weight` times the cheapest cost, with fewer expansions.
    WeightedAStar,
    /// Breadth-first search from both ends: fewest edges, whatever they cost.
    BidirectionalBfs,
    /// Dijkstra's algorithm from both ends (Nicholson 1966): the cheapest path.
    BidirectionalDijkstra,
    /// A* from both ends (Pohl 1971): the cheapest path.
    BidirectionalAStar,
    /// LPA* (Koenig, Likhachev and Furcy 2004): the cheapest path. Pays where a path is kept up to date: see
    /// [`GraphReplanner`](crate::graph::GraphReplanner). Weights must not be zero.
    LpaStar,
    /// Bellman's and Ford's algorithm (1958): the cheapest path, also where weights are negative.
    BellmanFord,
    /// A search over the graph's [`ContractionHierarchy`](crate::graph::ContractionHierarchy): the cheapest path, in some
    /// hundred expansions on graphs of any size. The graph must have one
    /// [built](crate::graph::WeightedGraph::build_hierarchy); otherwise Dijkstra's algorithm from both ends runs.
    ContractionHierarchy,
}

impl GraphAlgorithm {
    /// All algorithms.
    pub const ALL: [Self; 12] = [
        Self::Bfs,
        Self::Dfs,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::BidirectionalBfs,
        Self::BidirectionalDijkstra,
        Self::BidirectionalAStar,
        Self::LpaStar,
        Self::BellmanFord,
        Self::ContractionHierarchy,
    ];

    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BellmanFord => "bellman_ford",
            Self::ContractionHierarchy => "contraction_hierarchy",
            _ => self.engine().name(),
        }
    }

    /// Whether it promises the cheapest path, given estimates that are not too high.
    pub const fn is_optimal(self) -> bool {
        match self {
            Self::BellmanFord | Self::ContractionHierarchy => true,
            _ => self.engine().is_optimal(),
        }
    }

    /// Whether estimates make a difference to it.
    pub const fn uses_estimates(self) -> bool {
        matches!(self, Self::LpaStar) || self.engine().uses_heuristic()
    }

    /// Its sibling that needs no estimates.
    #[must_use]
    pub const fn without_estimates(self) -> Self {
        match self {
            Self::Greedy | Self::AStar | Self::WeightedAStar => Self::Dijkstra,
            Self::BidirectionalAStar => Self::BidirectionalDijkstra,
            other => other,
        }
    }

    /// Its sibling that searches from the start only, node by node, and so knows the node nearest to the goal.
    #[must_use]
    pub const fn from_the_start_only(self) -> Self {
        match self {
            Self::BidirectionalBfs => Self::Bfs,
            Self::BidirectionalDijkstra | Self::ContractionHierarchy => Self::Dijkstra,
            Self::BidirectionalAStar | Self::LpaStar => Self::AStar,
            other => other,
        }
    }

    /// The algorithm over maps whose order of expansion it has; of those that have none, Dijkstra's.
    pub(super) const fn engine(self) -> Algorithm {
        match self {
            Self::Bfs => Algorithm::Bfs,
            Self::Dfs => Algorithm::Dfs,
            Self::Dijkstra | Self::BellmanFord | Self::ContractionHierarchy => Algorithm::Dijkstra,
            Self::Greedy => Algorithm::Greedy,
            Self::AStar => Algorithm::AStar,
            Self::WeightedAStar => Algorithm::WeightedAStar,
            Self::BidirectionalBfs => Algorithm::BidirectionalBfs,
            Self::BidirectionalDijkstra => Algorithm::BidirectionalDijkstra,
            Self::BidirectionalAStar => Algorithm::BidirectionalAStar,
            Self::LpaStar => Algorithm::LpaStar,
        }
    }
}

impl fmt::Display for GraphAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for GraphAlgorithm {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find("algorithm", name, &Self::ALL, Self::name)
    }
}

/// A question for a path over a graph.
///
/// ```
/// use wayfield::graph::{GraphAlgorithm, GraphQuery};
/// let query = GraphQuery { algorithm: GraphAlgorithm::BellmanFord, ..GraphQuery::new(0, 9) };
/// assert_eq!(query.max_expansions, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphQuery {
    /// Where the path starts.
    pub start: NodeId,
    /// Where it is to end.
    pub goal: NodeId,
    /// How to search.
    pub algorithm: GraphAlgorithm,
    /// What the way from each node to the goal costs at least; `None` takes the straight line, if the graph has positions. Where there
    /// is neither, the [sibling without estimates](GraphAlgorithm::without_estimates) runs, and the answer says so.
    pub estimates: Option<NodeEstimates>,
    /// The weight of the estimate in weighted A*.
    pub weight: Weight,
    /// Which of equally promising nodes A* of either kind and weighted A* expand first.
    pub tie: Tie,
    /// The cap on expansions.
    pub max_expansions: Option<u64>,
    /// Whether to answer a failed search with the way to the expanded node with the least estimate, then the least cost, then the
    /// lowest number. The [sibling from the start only](GraphAlgorithm::from_the_start_only) runs then; Bellman-Ford never has such a way.
    pub allow_partial: bool,
}

impl GraphQuery {
    /// The plain question: A*, no cap, the goal or nothing.
    pub const fn new(start: NodeId, goal: NodeId) -> Self {
        Self {
            start,
            goal,
            algorithm: GraphAlgorithm::AStar,
            estimates: None,
            weight: Weight::DEFAULT,
            tie: Tie::HighG,
            max_expansions: None,
            allow_partial: false,
        }
    }
}

/// A question that a graph has no answer to.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphQueryError {
    /// The graph does not have the start.
    #[error("the start {node} is no node of the graph, which has {nodes}, from 0")]
    UnknownStart {
        /// The start.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// The graph does not have a goal.
    #[error("the goal {node} is no node of the graph, which has {nodes}, from 0")]
    UnknownGoal {
        /// The goal.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// There is no goal at all to find the nearest of.
    #[error("there is no goal to choose the nearest of")]
    NoGoals,
    /// An edge has a negative weight, and the search needs weights of 0 or more: only Bellman-Ford does not.
    #[error("the edge from {} to {} has the negative weight {}", _0.from, _0.to, _0.weight.unwrap_or_default())]
    NegativeEdge(Edge),
    /// An edge has a weight of zero, and LPA* needs weights of more than that.
    #[error("the edge from {} to {} has a weight of 0, which lpa_star cannot have", _0.from, _0.to)]
    FreeEdge(Edge),
    /// A way round costs less than nothing.
    #[error(transparent)]
    NegativeCycle(#[from] NegativeCycle),
    /// Some ways of a search without a goal cost more than can be counted.
    #[error("some ways from node {node} cost more than can be counted")]
    CostOverflow {
        /// Where they begin.
        node: NodeId,
    },
}

/// How a question ended; never one value for two endings.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GraphOutcome {
    /// A path to the goal.
    Found(GraphPath),
    /// A path that ends nearer to the goal, and why it does not reach it.
    Partial(GraphPath, Reason),
    /// No path, and why.
    Failed(Reason),
}

impl GraphOutcome {
    /// The path, whole or partial.
    pub fn path(&self) -> Option<&GraphPath> {
        match self {
            Self::Found(path) | Self::Partial(path, _) => Some(path),
            Self::Failed(_) => None,
        }
    }

    /// Why the goal is not reached.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Found(_) => None,
            Self::Partial(_, reason) | Self::Failed(reason) => Some(*reason),
        }
    }
}

/// The answer to a [`GraphQuery`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphAnswer {
    /// The path or the reason.
    pub outcome: GraphOutcome,
    /// The algorithm that really ran.
    pub algorithm: GraphAlgorithm,
    /// What the search did.
    pub stats: Stats,
    /// Of the graph that the answer holds for: see [`WeightedGraph::fingerprint`](crate::graph::WeightedGraph::fingerprint).
    pub fingerprint: u64,
}

impl GraphAnswer {
    /// What the path costs, if there is one.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.path().map(GraphPath::cost)
    }
}
