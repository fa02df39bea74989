//! The text formats of the ninth DIMACS implementation challenge (2006): `.gr` for graphs, `.co` for coordinates.
//!
//! ```text
//! c a comment                     c a comment
//! p sp 3 2                        p aux sp co 3
//! a 1 2 70                        v 1 -73530767 41085396
//! a 2 3 19                        v 2 -73530538 41086098
//! ```
//! Nodes are numbered from 1 there, from 0 everywhere else. Weights are whole numbers; negative ones, which the challenge does not know,
//! are read and written, too.

use std::fmt::Write as _;

use crate::graph::build::assemble;
use crate::graph::weight::{MAX_WEIGHT, Weight};
use crate::graph::{GraphError, WeightedGraph};
use crate::space::NodeId;

/// How much of a line a message quotes.
const QUOTED: usize = 40;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct DimacsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: DimacsErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DimacsErrorKind {
    /// A line is none of those that belong here.
    #[error("expected {expected}, found \"{found}\"")]
    Expected {
        /// What belongs here.
        expected: &'static str,
        /// What is here.
        found: String,
    },
    /// A node is not between 1 and the number of nodes.
    #[error("node {found} is not from 1 to {nodes}")]
    Node {
        /// The number.
        found: u64,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A weight has too many digits.
    #[error("a weight is a whole number from -{max} to {max}, not {found}", max = MAX_WEIGHT)]
    Weight {
        /// What is here.
        found: String,
    },
    /// There are fewer or more edges, or places, than the header says.
    #[error("the header says {expected} lines, there are {found}")]
    Count {
        /// The number in the header.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A node has two places.
    #[error("node {0} has a place already")]
    SecondPlace(NodeId),
    /// What was read is no graph.
    #[error("{0}")]
    Graph(#[from] GraphError),
}

/// Reads a graph; its [scale](crate::graph::GraphBuilder::scale) is 1, and it has no positions.
///
/// Time and memory are linear in the text, whatever its header promises.
///
/// ```
/// use wayfield::graph::{parse_gr, write_gr};
/// let graph = parse_gr(b"c two roads\np sp 3 2\na 1 2 70\na 2 3 19\n")?;
/// assert_eq!(graph.edge(1).unwrap().weight, Some(19.0));
/// assert_eq!(write_gr(&graph), "p sp 3 2\na 1 2 70\na 2 3 19\n");
/// let error = parse_gr(b"p sp 3 1\na 1 4 70\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: node 4 is not from 1 to 3");
/// # Ok::<(), wayfield::graph::DimacsError>(())
/// ```
///
/// # Errors
/// If a line cannot be read, a node or weight is out of range, or there are not as many edges as the header says.
pub fn parse_gr(text: &[u8]) -> Result<WeightedGraph, DimacsError> {
    let mut header = None;
    let mut edges = Vec::new();
    for (number, line) in lines(text) {
        let refused = |kind| DimacsError { line: number, kind };
        match (header, fields(line).as_slice()) {
            (None, [b"p", b"sp", nodes, count]) => {
                let (Some(nodes), Some(count)) = (whole(nodes), whole(count)) else {
                    return Err(refused(expected("two whole numbers, of nodes and edges", line)));
                };
                header = Some((number, nodes, count));
            }
            (Some((_, nodes, _)), [b"a", from, to, weight]) => {
                let node = |field| node_below(nodes, field).unwrap_or(Err(expected("a node", field))).map_err(refused);
                edges.push((node(from)?, node(to)?, parse_weight(weight).map_err(refused)?));
            }
            (None, _) => return Err(refused(expected("the header \"p sp NODES EDGES\"", line))),
            (Some(_), _) => return Err(refused(expected("an edge, \"a FROM TO WEIGHT\"", line))),
        }
    }
    let end = lines_in(text);
    let Some((line, nodes, count)) = header else {
        return Err(DimacsError { line: end, kind: expected("the header \"p sp NODES EDGES\"", b"") });
    };
    if count != edges.len() {
        return Err(DimacsError { line: end, kind: DimacsErrorKind::Count { expected: count, found: edges.len() } });
    }
    assemble(nodes, 1, &edges, None).map_err(|error| DimacsError { line, kind: error.into() })
}

/// Reads the coordinates of nodes: one place for each, in the order of the nodes, for
/// [`WeightedGraph::set_positions`].
///
/// # Errors
/// If a line cannot be read, a node is out of range, or has no place or two.
pub fn parse_co(text: &[u8]) -> Result<Vec<[f64; 2]>, DimacsError> {
    let mut header = None;
    let mut places = Vec::new();
    for (number, line) in lines(text) {
        let refused = |kind| DimacsError { line: number, kind };
        match (header, fields(line).as_slice()) {
            (None, [b"p", b"aux", b"sp", b"co", nodes]) => {
                header = Some(whole(nodes).ok_or_else(|| refused(expected("the number of nodes", line)))?);
            }
            (Some(nodes), [b"v", node, x, y]) => {
                let node = node_below(nodes, node).unwrap_or(Err(expected("a node", node))).map_err(refused)?;
                let (Some(x), Some(y)) = (coordinate(x), coordinate(y)) else {
                    return Err(refused(expected("two coordinates", line)));
                };
                places.push((node, number, [x, y]));
            }
            (None, _) => return Err(refused(expected("the header \"p aux sp co NODES\"", line))),
            (Some(_), _) => return Err(refused(expected("a place, \"v NODE X Y\"", line))),
        }
    }
    let end = lines_in(text);
    let Some(nodes) = header else {
        return Err(DimacsError { line: end, kind: expected("the header \"p aux sp co NODES\"", b"") });
    };
    places.sort_by_key(|&(node, number, _)| (node, number));
    if let Some(pair) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(DimacsError { line: pair[1].1, kind: DimacsErrorKind::SecondPlace(pair[1].0 + 1) });
    }
    if places.len() != nodes {
        let kind = DimacsErrorKind::Count { expected: nodes, found: places.len() };
        return Err(DimacsError { line: end, kind });
    }
    Ok(places.into_iter().map(|(_, _, place)| place).collect())
}

/// Writes a graph that [`parse_gr`] reads back: weights in whole units of the graph, without closed edges.
pub fn write_gr(graph: &WeightedGraph) -> String {
    let mut edges = String::new();
    let mut count = 0;
    for edge in graph.edges() {
        if let Some(units) = graph.arc(edge.id).and_then(|arc| arc.weight.units()) {
            // Writing to a string cannot fail.
            let _ = writeln!(edges, "a {} {} {units}", edge.from + 1, edge.to + 1);
            count += 1;
        }
    }
    format!("p sp {} {count}\n{edges}", graph.len())
}

/// Writes coordinates that [`parse_co`] reads back.
pub fn write_co(positions: &[[f64; 2]]) -> String {
    let mut text = format!("p aux sp co {}\n", positions.len());
    for (node, [x, y]) in (1..).zip(positions) {
        let node: usize = node;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "v {node} {x} {y}");
    }
    text
}

/// The lines that say something, each with its number: no comments, and no empty ones.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let numbered = (1..).zip(text.split(|&byte| byte == b'\n'));
    let trimmed = numbered.map(|(number, line)| (number, line.trim_ascii()));
    trimmed.filter(|(_, line)| !line.is_empty() && fields(line).first() != Some(&&b"c"[..]))
}

/// The number of the last line.
fn lines_in(text: &[u8]) -> usize {
    text.trim_ascii_end().iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// The words of a line, up to one more than any line has.
fn fields(line: &[u8]) -> Vec<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).take(6).collect()
}

fn whole(field: &[u8]) -> Option<usize> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn coordinate(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A node of so many, or why it is none; `None` if it is no whole number.
fn node_below(nodes: usize, field: &[u8]) -> Option<Result<NodeId, DimacsErrorKind>> {
    let found = whole(field)? as u64;
    let node = found.checked_sub(1).filter(|&node| node < nodes as u64).and_then(|node| NodeId::try_from(node).ok());
    Some(node.ok_or(DimacsErrorKind::Node { found, nodes }))
}

fn parse_weight(field: &[u8]) -> Result<Weight, DimacsErrorKind> {
    let units = std::str::from_utf8(field).ok().and_then(|text| text.parse::<i32>().ok());
    units.and_then(Weight::from_units).ok_or_else(|| {
        let found = quoted(field);
        let digits = found.strip_prefix('-').unwrap_or(&found);
        match digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() {
            true => DimacsErrorKind::Weight { found },
            false => expected("a whole number as weight", field),
        }
    })
}

fn expected(expected: &'static str, found: &[u8]) -> DimacsErrorKind {
    DimacsErrorKind::Expected { expected, found: quoted(found) }
}

/// The beginning of a text. A binary file would flood the message.
fn quoted(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(QUOTED).collect()
}
