//! A contraction hierarchy as it is saved, and the checks it must pass to be one again.

#![cfg(feature = "serde")]

use crate::cost::Cost;
use crate::graph::hierarchy::{ContractionHierarchy, HierarchyError, NO_MIDDLE, Place, Rows};
use crate::space::NodeId;

/// A hierarchy as it is saved.
#[derive(serde::Deserialize)]
pub(super) struct HierarchyData {
    fingerprint: u64,
    node_at: Vec<NodeId>,
    up: Rows,
    down: Rows,
}

/// For each edge of a row the number of edges of the graph that it stands for.
struct Lengths {
    up: Vec<u32>,
    down: Vec<u32>,
}

impl TryFrom<HierarchyData> for ContractionHierarchy {
    type Error = HierarchyError;

    fn try_from(data: HierarchyData) -> Result<Self, HierarchyError> {
        let HierarchyData { fingerprint, node_at, up, down } = data;
        let place_of = inverse(&node_at)?;
        check_rows(&up, node_at.len())?;
        check_rows(&down, node_at.len())?;
        let mut lengths = Lengths { up: vec![0; up.arcs.len()], down: vec![0; down.arcs.len()] };
        // What a shortcut stands for lies at less important places, and so is known already.
        for place in (0..node_at.len()).rev() {
            check_shortcuts(place, (&up, &down), &mut lengths, node_at.len())?;
        }
        Ok(Self { fingerprint, node_at, up, down, place_of })
    }
}

fn damaged(place: usize, what: &'static str) -> HierarchyError {
    HierarchyError::Damaged { place, what }
}

/// The place of each node, if every node has one.
fn inverse(node_at: &[NodeId]) -> Result<Vec<Place>, HierarchyError> {
    let mut place_of = vec![None; node_at.len()];
    for (place, &node) in node_at.iter().enumerate() {
        let number = Place::try_from(place).ok().filter(|&number| number != NO_MIDDLE);
        match (place_of.get_mut(node as usize), number) {
            (Some(known @ None), Some(number)) => *known = Some(number),
            _ => return Err(damaged(place, "the nodes are not each there once")),
        }
    }
    Ok(place_of.into_iter().flatten().collect())
}

fn check_rows(rows: &Rows, nodes: usize) -> Result<(), HierarchyError> {
    let Rows { first, arcs, middles } = rows;
    let is_whole = first.len() == nodes + 1 && first.first() == Some(&0) && middles.len() == arcs.len();
    if !is_whole || first.last().is_none_or(|&end| end as usize != arcs.len()) || !first.is_sorted() {
        return Err(damaged(0, "the rows do not fit"));
    }
    for place in 0..nodes {
        let row = rows.row(place as Place);
        if !row.is_sorted_by(|one, other| one.0 < other.0) {
            return Err(damaged(place, "the row is not in order"));
        }
        if row.iter().any(|&(other, cost)| other as usize >= place || cost == Cost::MAX) {
            return Err(damaged(place, "an edge does not lead up"));
        }
    }
    Ok(())
}

/// Checks that each shortcut at a place costs what the two edges do that it stands for, and that it stands for no more edges than a
/// path can have.
fn check_shortcuts(
    place: usize,
    (up, down): (&Rows, &Rows),
    lengths: &mut Lengths,
    nodes: usize,
) -> Result<(), HierarchyError> {
    for is_up in [true, false] {
        let rows = if is_up { up } else { down };
        let start = rows.first[place] as usize;
        for number in start..rows.first[place + 1] as usize {
            let ((other, cost), middle) = (rows.arcs[number], rows.middles[number]);
            let length = if middle == NO_MIDDLE {
                1
            } else {
                if middle as usize <= place {
                    return Err(damaged(place, "a shortcut does not lead through a less important node"));
                }
                let (from, to) = if is_up { (place as Place, other) } else { (other, place as Place) };
                let (Some(first), Some(second)) = (down.find(middle, from), up.find(middle, to)) else {
                    return Err(damaged(place, "a shortcut stands for edges that are not there"));
                };
                if down.arcs[first].1.checked_add(up.arcs[second].1) != Some(cost) {
                    return Err(damaged(place, "a shortcut has another cost than what it stands for"));
                }
                lengths.down[first].saturating_add(lengths.up[second])
            };
            if length as usize >= nodes {
                return Err(damaged(place, "a shortcut stands for too many edges"));
            }
            *if is_up { &mut lengths.up[number] } else { &mut lengths.down[number] } = length;
        }
    }
    Ok(())
}
