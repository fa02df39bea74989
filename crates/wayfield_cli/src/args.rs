//! The flags. What can be checked without the map is checked while they are read, and named by clap.

mod field;

use std::error::Error;
use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use wayfield::graph::GraphAlgorithm;
use wayfield::{Algorithm, Cell, CornerRule, GridSize, Heuristic, Link, PathQuery, UnknownName, Weight};

use crate::costs::Costs;
use crate::error::Outside;
use crate::input::Input;

pub use field::{FieldArgs, FieldKind, PictureArgs, SumArg};

/// Paths, scenarios and Dijkstra maps over Moving AI maps and plain text maps, and paths over DIMACS graphs.
///
/// A map is a Moving AI file (type octile, height, width, map) or plain rows of characters. Cells are X,Y from the
/// top left, from 0. `.`, `G` and `S` cost 1, digits 1 to 9 their own value, all else is blocked; --costs changes that.
/// A step costs what the cell entered costs, times sqrt 2 on a diagonal.
///
/// Exit codes: 0 for an answer, "no path" included; 2 for bad input, with a message on standard error.
#[derive(Debug, Parser)]
#[command(name = "wayfield", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find one path: outcome, reason, cost, expansions and cells
    #[command(after_help = PATH_EXAMPLES)]
    Path(PathArgs),
    /// Run a scenario file: lengths against the listed ones, expansions and times
    #[command(after_help = SCEN_NOTES)]
    Scen(ScenArgs),
    /// Compute a Dijkstra map: a value for every cell
    #[command(after_help = field::NOTES)]
    Field(FieldArgs),
    /// Find one path over a graph of a DIMACS file: outcome, reason, cost, expansions and nodes
    #[command(after_help = GRAPH_EXAMPLES)]
    Graph(GraphArgs),
    /// List the algorithms and what each promises
    #[command(after_help = PROMISES)]
    Algorithms(AlgorithmsArgs),
}

const PROMISES: &str = "\
optimal   the cheapest path, given a heuristic that never overestimates
weighted  the costs of terrain count; without it a path costs what it costs
links     ways over links are found where walking is dearer or impossible
sizes     the path is legal for units of n x n cells";

const PATH_EXAMPLES: &str = "\
Examples:
  wayfield path arena.map --from 1,11 --to 40,30
  wayfield path arena.map --from 1,11 --to 40,30 --algorithm weighted_a_star --weight 2 --json
  printf '..T\\n.#.\\n' | wayfield path - --from 0,0 --to 2,1 --costs T=3 --corners one
  wayfield path arena.map --from 1,11 --to 40,30 --size 2 --link 3,11:38,30=5";

const SCEN_NOTES: &str = "\
A query whose goal is not reached counts as failed, also with a partial path, and is in no ratio. A mismatch is a path
found that is longer or shorter than listed, by more than 1e-4 of the length or half of the last decimal that the file
prints, whichever is larger. Of algorithms that do not promise the cheapest path, mismatches are counted all the same.

Examples:
  wayfield scen arena.map arena.map.scen
  wayfield scen arena.map arena.map.scen --algorithm all --limit 100
  wayfield scen arena.map arena.map.scen --algorithm dijkstra --each --json
  wayfield scen arena.map arena.map.scen --edit-every 10 --seed 7";

const GRAPH_EXAMPLES: &str = "\
A graph is a text of lines \"p sp NODES EDGES\", \"a FROM TO WEIGHT\" and comments \"c ..\"; its coordinates are lines
\"p aux sp co NODES\" and \"v NODE X Y\". Nodes count from 1. Without coordinates a_star runs as dijkstra.

Examples:
  wayfield graph roads.gr --from 1 --to 264346
  wayfield graph roads.gr --coordinates roads.co --from 1 --to 264346 --algorithm contraction_hierarchy --json
  printf 'p sp 3 2\\na 1 2 5\\na 2 3 -2\\n' | wayfield graph - --from 1 --to 3 --algorithm bellman_ford";

/// The flags of `wayfield path`.
#[derive(Debug, Args)]
pub struct PathArgs {
    /// The map; - is standard input
    #[arg(value_name = "MAP", value_parser = PathBufValueParser::new().map(Input::from))]
    pub map: Input,
    /// Where the path starts; may be a blocked cell
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub from: CellArg,
    /// Where it ends
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub to: CellArg,
    /// How to search
    #[arg(long, value_name = "NAME", default_value = Algorithm::default().name(), value_parser = algorithm())]
    pub algorithm: Algorithm,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub movement: MovementArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The flags of `wayfield scen`.
#[derive(Debug, Args)]
pub struct ScenArgs {
    /// The map; - is standard input
    #[arg(value_name = "MAP", value_parser = PathBufValueParser::new().map(Input::from))]
    pub map: Input,
    /// The scenario file; - is standard input, if MAP is not
    #[arg(value_name = "SCEN", value_parser = PathBufValueParser::new().map(Input::from))]
    pub scen: Input,
    /// How to search; all runs one after the other
    #[arg(
        long,
        value_name = "NAME",
        default_value = Algorithm::default().name(),
        value_parser = algorithm_or_all(),
    )]
    pub algorithm: AlgorithmChoice,
    /// Run only the first N queries
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub limit: Option<usize>,
    /// Print a line for each query, too: its index from 0, outcome, cost and expansions
    #[arg(long)]
    pub each: bool,
    /// After every K-th query change a cell at random, repair the query by lpa_star, d_star_lite and hpa_star, compare
    /// with searches from scratch, and put the cell back
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub edit_every: Option<NonZeroUsize>,
    /// What the edits are chosen by
    #[arg(long, value_name = "S", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub movement: MovementArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// The flags of `wayfield graph`.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// The graph; - is standard input
    #[arg(value_name = "FILE", value_parser = PathBufValueParser::new().map(Input::from))]
    pub file: Input,
    /// The node where the path starts
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub from: NodeArg,
    /// The node where it ends
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub to: NodeArg,
    /// How to search
    #[arg(long, value_name = "NAME", default_value = "a_star", value_parser = graph_algorithm())]
    pub algorithm: GraphAlgorithm,
    /// Where the nodes are, for estimates; - is standard input, if FILE is not
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Input::from))]
    pub coordinates: Option<Input>,
    /// The weight of the estimate, from 1 to 1000; only weighted_a_star has one
    #[arg(long, value_name = "W", default_value = "1.5", allow_hyphen_values = true, value_parser = weight)]
    pub weight: Weight,
    /// Give up after N expansions
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub cap: Option<u64>,
    /// If the goal is not reached, answer with the way to the expanded node nearest to it
    #[arg(long)]
    pub partial: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The number of a node, as files have it: from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeArg(pub u64);

/// A text that is no number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a node is a whole number")]
pub struct NoNode;

impl FromStr for NodeArg {
    type Err = NoNode;

    fn from_str(text: &str) -> Result<Self, NoNode> {
        text.parse().map(Self).map_err(|_| NoNode)
    }
}

/// The flags of `wayfield algorithms`.
#[derive(Debug, Args)]
pub struct AlgorithmsArgs {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// How to search, apart from the algorithm.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The estimate of auto, greedy, a_star, weighted_a_star, bidirectional_a_star, jps and hpa_star [default: the best one for the corner rule]
    #[arg(long, value_name = "NAME", value_parser = heuristic())]
    pub heuristic: Option<Heuristic>,
    /// The weight of the estimate, from 1 to 1000; only weighted_a_star has one
    #[arg(long, value_name = "W", default_value = "1.5", allow_hyphen_values = true, value_parser = weight)]
    pub weight: Weight,
    /// Give up after N expansions
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub cap: Option<u64>,
    /// If the goal is not reached, answer with the way to the expanded cell nearest to it
    #[arg(long)]
    pub partial: bool,
    /// If the goal is blocked or cannot be reached, go to the reachable cell nearest to it
    #[arg(long)]
    pub nearest: bool,
    /// Prepare the jumps of jps, and of auto where it is jps, before the first query: the same answers, sooner
    #[arg(long)]
    pub jump_table: bool,
}

impl SearchArgs {
    /// The query of these flags.
    pub fn query(&self, algorithm: Algorithm, start: Cell, goal: Cell) -> PathQuery {
        PathQuery {
            algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            max_expansions: self.cap,
            allow_partial: self.partial,
            nearest: self.nearest,
            ..PathQuery::new(start, goal)
        }
    }
}

/// What the mover may do, and what it pays.
#[derive(Debug, Args)]
pub struct MovementArgs {
    /// How many of the two side cells of a diagonal must be free; never: no diagonals, always: none must be
    #[arg(
        long,
        value_name = "RULE",
        default_value = "both",
        value_parser = corner_rule(),
    )]
    pub corners: CornerRule,
    /// Costs of characters, 1 to 255 or - for blocked, as in ".=1,T=3,S=6,W=-"; the first character of each entry
    /// is the terrain, be it a comma or an equals sign
    #[arg(long, value_name = "C=COST,..", allow_hyphen_values = true)]
    pub costs: Option<Costs>,
    /// The unit stands on N x N cells and is named by its top left one; it pays for the dearest of them
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub size: u32,
    /// A way from one cell to another at a cost of its own, 1 if it is not given; one way only; may be repeated
    #[arg(long = "link", value_name = "X,Y:X,Y[=COST]", allow_hyphen_values = true)]
    pub links: Vec<LinkArg>,
}

/// A link as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkArg {
    /// The text itself.
    pub text: String,
    /// Where it begins.
    pub from: CellArg,
    /// Where it ends.
    pub to: CellArg,
    /// What it costs.
    pub cost: u32,
}

/// A text that is no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLink {
    /// It has not two cells.
    #[error("a link is two cells with a colon between them, X,Y:X,Y, perhaps followed by =COST")]
    Cells,
    /// What follows the equals sign is no cost.
    #[error("the cost of a link is a whole number from 1 to {max}", max = Link::MAX_COST)]
    Cost,
}

impl FromStr for LinkArg {
    type Err = NoLink;

    fn from_str(text: &str) -> Result<Self, NoLink> {
        let (cells, cost) = text.split_once('=').map_or((text, None), |(cells, cost)| (cells, Some(cost)));
        let cost = cost.map_or(Ok(1), |cost| cost.parse().map_err(|_| NoLink::Cost))?;
        let (from, to) = cells.split_once(':').ok_or(NoLink::Cells)?;
        let cell = |text: &str| text.parse().map_err(|NoCell| NoLink::Cells);
        Ok(Self { text: text.to_owned(), from: cell(from)?, to: cell(to)?, cost })
    }
}

/// One algorithm or all.
#[derive(Clone, Copy, Debug)]
pub enum AlgorithmChoice {
    /// One.
    One(Algorithm),
    /// One after the other.
    All,
}

impl AlgorithmChoice {
    const ALL: &str = "all";

    /// The algorithms to run.
    pub fn list(&self) -> &[Algorithm] {
        match self {
            Self::One(algorithm) => std::slice::from_ref(algorithm),
            Self::All => &Algorithm::ALL,
        }
    }
}

impl FromStr for AlgorithmChoice {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == Self::ALL { Ok(Self::All) } else { name.parse().map(Self::One) }
    }
}

/// A cell as it was written: whole numbers of any size, so that the map can say that it has no such cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellArg {
    text: String,
    /// `None` if a number is larger than that of any cell.
    cell: Option<Cell>,
}

/// A text that is no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell is two whole numbers, X,Y")]
pub struct NoCell;

impl CellArg {
    /// The cell, if the map has it.
    pub fn within(&self, role: &'static str, size: GridSize) -> Result<Cell, Outside> {
        let cell = self.cell.filter(|&cell| size.contains(cell));
        cell.ok_or_else(|| Outside { role, cell: self.text.clone(), size })
    }
}

impl FromStr for CellArg {
    type Err = NoCell;

    fn from_str(text: &str) -> Result<Self, NoCell> {
        let (x, y) = text.split_once(',').ok_or(NoCell)?;
        let is_whole = |number: &str| {
            let digits = number.strip_prefix('-').unwrap_or(number);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_whole(x) || !is_whole(y) {
            return Err(NoCell);
        }
        let cell = x.parse().ok().zip(y.parse().ok()).map(Cell::from);
        Ok(Self { text: text.to_owned(), cell })
    }
}

/// Reads one of the names, which the help lists.
fn names<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = UnknownName> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    names(Algorithm::ALL.map(Algorithm::name))
}

fn graph_algorithm() -> impl TypedValueParser<Value = GraphAlgorithm> {
    names(GraphAlgorithm::ALL.map(GraphAlgorithm::name))
}

fn algorithm_or_all() -> impl TypedValueParser<Value = AlgorithmChoice> {
    names(Algorithm::ALL.map(Algorithm::name).into_iter().chain([AlgorithmChoice::ALL]))
}

fn heuristic() -> impl TypedValueParser<Value = Heuristic> {
    names(Heuristic::ALL.map(Heuristic::name))
}

fn corner_rule() -> impl TypedValueParser<Value = CornerRule> {
    names(CornerRule::ALL.map(CornerRule::name))
}

fn weight(text: &str) -> Result<Weight, Box<dyn Error + Send + Sync>> {
    Ok(Weight::new(text.parse()?)?)
}
