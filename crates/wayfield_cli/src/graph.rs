//! `wayfield graph`: one path over a road network.

use std::io::Write;

use serde::Serialize;
use wayfield::NodeId;
use wayfield::graph::{
    GraphAlgorithm, GraphAnswer, GraphOutcome, GraphPath, GraphQuery, GraphQueryError, WeightedGraph, find_path,
    parse_co, parse_gr,
};

use crate::args::{GraphArgs, NodeArg};
use crate::error::{CliError, GraphRefusal};
use crate::input::{Input, read};
use crate::output::{json_line, number};

/// The answer, as JSON has it; nodes count from 1, as in the file.
#[derive(Debug, Serialize)]
struct GraphLine {
    outcome: &'static str,
    reason: Option<&'static str>,
    algorithm: &'static str,
    cost: Option<f64>,
    expanded: u64,
    nodes: Vec<u64>,
}

/// Answers the query and writes the answer.
pub fn run(args: &GraphArgs, out: &mut impl Write) -> Result<(), CliError> {
    let mut graph = read_graph(args)?;
    let (start, goal) = (node(args.from, "start", &graph)?, node(args.to, "goal", &graph)?);
    if args.algorithm == GraphAlgorithm::ContractionHierarchy {
        // A negative weight is refused below, with the edge that has it.
        match graph.build_hierarchy() {
            Err(error) if graph.non_negative().is_ok() => return Err(CliError::Hierarchy(error)),
            _ => {}
        }
    }
    let query = GraphQuery {
        algorithm: args.algorithm,
        weight: args.weight,
        max_expansions: args.cap,
        allow_partial: args.partial,
        ..GraphQuery::new(start, goal)
    };
    let answer = find_path(&graph, &query)
        .map_err(|error| CliError::Graph { input: args.file.clone(), source: refusal(error) })?;
    let line = line_of(&answer);
    if args.json {
        json_line(out, &line)?;
    } else {
        write_text(out, &line)?;
    }
    Ok(())
}

fn read_graph(args: &GraphArgs) -> Result<WeightedGraph, CliError> {
    if args.file == Input::Standard && args.coordinates == Some(Input::Standard) {
        return Err(CliError::StandardInputTwice("FILE and --coordinates"));
    }
    let at = |input: &Input| {
        let input = input.clone();
        move |source| CliError::Dimacs { input, source }
    };
    let mut graph = parse_gr(&read(&args.file)?).map_err(at(&args.file))?;
    if let Some(input) = &args.coordinates {
        let places = parse_co(&read(input)?).map_err(at(input))?;
        graph.set_positions(places).map_err(|source| CliError::Coordinates { input: input.clone(), source })?;
    }
    Ok(graph)
}

/// The node that a flag names, if the graph has it.
fn node(NodeArg(number): NodeArg, role: &'static str, graph: &WeightedGraph) -> Result<NodeId, CliError> {
    let node = number.checked_sub(1).and_then(|node| NodeId::try_from(node).ok());
    let nodes = graph.len();
    node.filter(|&node| graph.contains(node)).ok_or(CliError::OutsideGraph { role, node: number, nodes })
}

/// The number that a node has in the file.
fn listed(node: NodeId) -> u64 {
    u64::from(node) + 1
}

fn refusal(error: GraphQueryError) -> GraphRefusal {
    match error {
        GraphQueryError::NegativeEdge(edge) => GraphRefusal::NegativeEdge {
            from: listed(edge.from),
            to: listed(edge.to),
            weight: edge.weight.unwrap_or_default(),
        },
        GraphQueryError::FreeEdge(edge) => GraphRefusal::FreeEdge { from: listed(edge.from), to: listed(edge.to) },
        GraphQueryError::NegativeCycle(cycle) => {
            let round = cycle.nodes.iter().chain(cycle.nodes.first());
            let names: Vec<_> = round.map(|&node| listed(node).to_string()).collect();
            GraphRefusal::NegativeCycle { cost: cycle.cost, nodes: names.join(" -> ") }
        }
        other => GraphRefusal::Other(other),
    }
}

fn line_of(answer: &GraphAnswer) -> GraphLine {
    let nodes = answer.outcome.path().map(GraphPath::nodes).unwrap_or_default();
    GraphLine {
        outcome: match answer.outcome {
            GraphOutcome::Found(_) => "found",
            GraphOutcome::Partial(..) => "partial",
            GraphOutcome::Failed(_) => "failed",
        },
        reason: answer.outcome.reason().map(|reason| reason.name()),
        algorithm: answer.algorithm.name(),
        cost: answer.cost(),
        expanded: answer.stats.expanded,
        nodes: nodes.iter().map(|&node| listed(node)).collect(),
    }
}

fn write_text(out: &mut impl Write, line: &GraphLine) -> Result<(), CliError> {
    let nodes: Vec<_> = line.nodes.iter().map(u64::to_string).collect();
    writeln!(out, "outcome    {}", line.outcome)?;
    writeln!(out, "reason     {}", line.reason.unwrap_or("-"))?;
    writeln!(out, "algorithm  {}", line.algorithm)?;
    writeln!(out, "cost       {}", number(line.cost, 6))?;
    writeln!(out, "expanded   {}", line.expanded)?;
    writeln!(out, "nodes      {}", if nodes.is_empty() { "-".to_owned() } else { nodes.join(" ") })?;
    Ok(())
}
