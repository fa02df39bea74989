//! Road networks to search: generated, always the same ones.

use wayfield::NodeId;
use wayfield::graph::{GraphBuilder, WeightedGraph};

use crate::ground::Dice;

/// Every how many roads there is a better one, from lanes to motorways, and what a stretch of it takes at least, and at most besides.
const CLASSES: [(u32, u64, u64); 5] = [(128, 4, 2), (32, 8, 4), (8, 16, 10), (2, 40, 40), (1, 100, 200)];

/// A network, and pairs of nodes to find the way between.
pub struct Roads {
    /// What it is.
    pub name: String,
    /// The network.
    pub graph: WeightedGraph,
    /// Pairs of nodes, the start first.
    pub queries: Vec<(NodeId, NodeId)>,
}

/// A grid of two-way roads with random weights: no road is better than others, which leaves a hierarchy little to find.
pub fn random_grid(side: u32) -> Roads {
    let mut dice = Dice(1);
    grid(format!("random grid of {side} x {side}"), side, |_, _| Some(1 + dice.roll(1000)))
}

/// A grid of two-way roads of five classes, as a country has: few motorways, many lanes, of which some are missing.
pub fn classed_roads(side: u32) -> Roads {
    let mut dice = Dice(2);
    grid(format!("road classes on {side} x {side}"), side, |line, _| {
        let class = CLASSES.iter().find(|(every, ..)| line.is_multiple_of(*every));
        let &(every, least, range) = class.unwrap_or(&CLASSES[4]);
        (every > 2 || dice.roll(8) > 0).then(|| least + dice.roll(range))
    })
}

/// A grid whose stretches of road, each on a line and from a node, have the weights that `weight` says; `None` is no road.
fn grid(name: String, side: u32, mut weight: impl FnMut(u32, u32) -> Option<u64>) -> Roads {
    let node = |x, y| y * side + x;
    let mut builder = GraphBuilder::new((side * side) as usize).scale(1);
    let places = (0..side).flat_map(|y| (0..side).map(move |x| [f64::from(x), f64::from(y)]));
    for y in 0..side {
        for x in 0..side {
            let mut road = |to, weight: Option<u64>| {
                if let Some(weight) = weight {
                    builder.push(node(x, y), to, weight as f64);
                    builder.push(to, node(x, y), weight as f64);
                }
            };
            if x + 1 < side {
                road(node(x + 1, y), weight(y, x));
            }
            if y + 1 < side {
                road(node(x, y + 1), weight(x, y));
            }
        }
    }
    let Ok(graph) = builder.positions(places).build() else { panic!("the roads are a graph") };
    let mut dice = Dice(3);
    let nodes = u64::from(side * side);
    let mut queries = Vec::new();
    while queries.len() < 4 {
        let (from, to) = (dice.roll(nodes) as NodeId, dice.roll(nodes) as NodeId);
        // Missing lanes may cut a few nodes off.
        let is_on_road = |node| graph.edges_from(node).count() > 2;
        if from != to && is_on_road(from) && is_on_road(to) {
            queries.push((from, to));
        }
    }
    Roads { name, graph, queries }
}
