//! Reading a map that was written: what the searches rely on is checked.

use super::sources::Sources;
use super::{DijkstraMap, Kind};
use crate::field_input::THOUSANDTHS;
use crate::grid::GridSize;
use crate::space::NodeId;

/// What a [`DijkstraMap`] is read from.
#[derive(serde::Deserialize)]
pub(super) struct DijkstraMapData {
    size: GridSize,
    kind: Kind,
    scale: i64,
    values: Vec<i32>,
    sources: Option<Sources>,
    barred: Vec<NodeId>,
    flats: Vec<(NodeId, u32)>,
    inputs: Vec<u64>,
    revision: u64,
}

/// Why what was read is no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoMap {
    /// There is not one value for each cell.
    #[error("a Dijkstra map of {} x {} cells has not {values} values", size.width(), size.height())]
    Values { size: GridSize, values: usize },
    /// The values count in no unit that there is.
    #[error("the values of a Dijkstra map do not count in units of 1/{0}")]
    Scale(i64),
    /// A list of cells is not in order, or has one that is not on the map.
    #[error("the {0} of a Dijkstra map are not in order, or not on it")]
    Cells(&'static str),
}

impl TryFrom<DijkstraMapData> for DijkstraMap {
    type Error = NoMap;

    fn try_from(data: DijkstraMapData) -> Result<Self, NoMap> {
        let DijkstraMapData { size, kind, scale, values, sources, barred, flats, inputs, revision } = data;
        if values.len() != size.cells() {
            return Err(NoMap::Values { size, values: values.len() });
        }
        // A sum may count in finer units than its parts.
        if !(1..=THOUSANDTHS * THOUSANDTHS).contains(&scale) {
            return Err(NoMap::Scale(scale));
        }
        let check = |what, nodes: &mut dyn Iterator<Item = NodeId>| {
            let nodes: Vec<_> = nodes.collect();
            let are_on_map = nodes.iter().all(|&node| (node as usize) < size.cells());
            if are_on_map && nodes.is_sorted() { Ok(()) } else { Err(NoMap::Cells(what)) }
        };
        check("sources", &mut sources.iter().flat_map(|sources| &sources.values).map(|&(node, _)| node))?;
        check("barred cells", &mut barred.iter().copied())?;
        check("flats", &mut flats.iter().map(|&(node, _)| node))?;
        Ok(Self { size, kind, scale, values, sources, barred, flats, inputs, revision })
    }
}
