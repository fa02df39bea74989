//! What the signs on a board mean: exactly those that are on it.

use wayfield::TerrainId;
use wayfield::bidirectional::Side;

use super::board::{Board, Mark, WayKind, number};
use super::terrain::{KINDS, WALL};

/// A sign that stands on a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    Terrain {
        terrain: TerrainId,
        cost: Option<u8>,
    },
    Mark(Mark),
    Current,
    Node,
    Way(WayKind),
    Edited,
    Cluster,
    /// A value of a field, from 0 for the least to 1 for the greatest.
    Heat(f32),
    Iso,
    Arrow,
}

/// The signs of a board and what they mean.
pub fn legend(board: &Board) -> Vec<(Sign, String)> {
    let mut entries = Vec::new();
    for (terrain, name, _) in KINDS {
        // Below the colours of a field no ground is to be seen.
        let shown = board.cells.iter().find(|cell| cell.terrain == terrain && cell.heat.is_none());
        if let Some(cell) = shown {
            let name = name.to_lowercase();
            let name = cell.cost.map_or_else(|| name.clone(), |cost| format!("{name}: {cost}"));
            entries.push((Sign::Terrain { terrain, cost: cell.cost }, name));
        }
    }
    let has_wall = board.cells.iter().any(|cell| cell.terrain == WALL);
    if !has_wall && board.cells.iter().any(|cell| cell.cost.is_none()) {
        entries.push((Sign::Terrain { terrain: WALL, cost: None }, "closed to all".to_owned()));
    }
    let mut others: Vec<_> =
        board.cells.iter().filter(|cell| KINDS.iter().all(|kind| kind.0 != cell.terrain)).collect();
    others.sort_by_key(|cell| cell.cost);
    others.dedup_by_key(|cell| cell.cost);
    entries.extend(others.into_iter().filter_map(|cell| {
        let cost = cell.cost.filter(|&cost| cost > 1)?;
        Some((Sign::Terrain { terrain: cell.terrain, cost: Some(cost) }, format!("ground: {cost}")))
    }));
    for (mark, text) in [
        (Mark::Closed(Side::Forward), "closed: expanded"),
        (Mark::Open(Side::Forward), "open: the frontier"),
        (Mark::Closed(Side::Backward), "closed, from the goal"),
        (Mark::Open(Side::Backward), "open, from the goal"),
        (Mark::Met, "seen from both ends"),
        (Mark::Repaired, "expanded since the edit"),
        (Mark::Cheaper, "open: got cheaper, g > rhs"),
        (Mark::Dearer, "open: got dearer, g < rhs"),
    ] {
        if board.count(mark) > 0 {
            entries.push((Sign::Mark(mark), text.to_owned()));
        }
    }
    if board.current.is_some() {
        entries.push((Sign::Current, "expanded last".to_owned()));
    }
    if board.cells.iter().any(|cell| cell.is_node) {
        entries.push((Sign::Node, board.nodes.to_owned()));
    }
    if board.clusters.len() > 1 {
        entries.push((Sign::Cluster, "clusters".to_owned()));
    }
    if !board.edited.is_empty() {
        entries.push((Sign::Edited, "edited".to_owned()));
    }
    entries.extend(board.ways.iter().map(|way| (Sign::Way(way.kind), way.note.clone())));
    if let Some((least, most, step)) = board.span {
        let marks = [0.0, 0.5, 1.0];
        entries.extend(marks.map(|at| (Sign::Heat(at as f32), number(least + (most - least) * at))));
        if board.cells.iter().any(|cell| cell.iso != (false, false)) {
            entries.push((Sign::Iso, format!("a line every {}", number(step))));
        }
        if board.cells.iter().any(|cell| cell.arrow.is_some()) {
            entries.push((Sign::Arrow, "the next step".to_owned()));
        }
    }
    entries
}
