//! Repair: after an edit, or when sources come and go, only what depends on them is computed again.
//!
//! In two phases, as dynamic shortest-path algorithms have it (Ramalingam and Reps, "An incremental algorithm for a
//! generalization of the shortest-path problem", 1996). First, in the order of the old values, every cell whose value has
//! lost what it rests on loses it, and so whoever rested on it. What is left can be reached at its value, if not at a lower
//! one. Then the cells that lost theirs, those that were edited and the sources are given the best that is left around
//! them, and a sweep lowers everything from there.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;

use super::sources::{Sources, finest_units};
use super::sweep::Sweep;
use super::{DijkstraMap, Kind, UNREACHED};
use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::field_input::{FieldError, Source};
use crate::grid::CellRect;
use crate::space::{NodeId, Reversible, Space};

/// Beyond this part of the map a new one is made: a sweep goes through a cell much faster than a repair does.
const WORTH_IT: usize = 64;

/// What [`DijkstraMap::repair`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Repair {
    /// Where values may differ now, or the steps that follow from them.
    pub areas: Vec<CellRect>,
    /// How many times a cell lost its value or got a lower one; of a map that was computed anew, its number of cells.
    pub cells: usize,
    /// Whether the map was computed anew, since too much depends on what changed.
    pub is_rebuilt: bool,
}

impl DijkstraMap {
    /// Catches up with edits of the map, and with other sources. Equal to a new map of these sources afterwards.
    ///
    /// `grid` is the grid that the map was computed on, [refreshed](CostGrid::refresh), and `edited` says where the terrain map
    /// was edited since: [`TerrainMap::areas_since`](crate::TerrainMap::areas_since) this map's revision. A limit stays what it
    /// is. Of a flee map, a kite map and a sum, which are not computed from sources alone, nothing is changed.
    ///
    /// Time: O(k log k) for k cells that lose their value or get a lower one, and linear in those of the edited areas. Where
    /// too much depends on the edit the map is computed anew.
    ///
    /// ```
    /// use wayfield::{parse_map, Cell, CostGrid, DijkstraMap, Repair, TerrainId};
    /// let mut map = parse_map(b"......\n......\n......\n")?;
    /// let class = map.default_class();
    /// let mut grid = CostGrid::new(&map.terrain, &class);
    /// let goal = Cell::new(0, 1);
    /// let mut field = DijkstraMap::toward(&grid, [goal])?;
    ///
    /// map.terrain.edit([(Cell::new(5, 0), TerrainId(u8::MAX))])?;
    /// grid.refresh(&map.terrain, &class);
    /// field.repair(&grid, map.terrain.areas_since(field.revision()), [goal])?;
    /// assert_eq!(field, DijkstraMap::toward(&grid, [goal])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for a new map; then no cell of this one has a value.
    pub fn repair<S: Into<Source>>(
        &mut self,
        grid: &CostGrid,
        edited: impl IntoIterator<Item = CellRect>,
        sources: impl IntoIterator<Item = S>,
    ) -> Result<Repair, FieldError> {
        let Some(begun) = &self.sources else { return Ok(Repair::default()) };
        let sources = super::collected(sources);
        let finest = finest_units(&sources);
        let limit = begun.limit;
        if grid.size() == self.size && finest == begun.finest && finest == self.scale {
            let values = self.count(&sources)?;
            let edited: Vec<_> = edited.into_iter().collect();
            if let Some(repair) = self.repair_in_place(grid, &edited, Sources { values, limit, finest }) {
                return Ok(repair);
            }
        }
        match Self::from_sources(grid, self.kind, &sources, limit) {
            Ok(map) => *self = map,
            Err(error) => {
                self.values.fill(UNREACHED);
                return Err(error);
            }
        }
        Ok(Repair { areas: vec![self.size.rect()], cells: self.size.cells(), is_rebuilt: true })
    }

    /// Repairs what can be repaired at less than the price of a new map. `None`, and anything in the values, if that is not so.
    fn repair_in_place(&mut self, grid: &CostGrid, edited: &[CellRect], sources: Sources) -> Option<Repair> {
        let most = self.size.cells() / WORTH_IT + 64;
        let around = |&area: &CellRect| grid.anchors_over(area).grown(1).intersection(self.size.rect());
        let areas: Vec<_> = edited.iter().filter_map(around).collect();
        let before = self.sources.replace(sources)?;
        let mut suspects = self.changed_sources(&before);
        if areas.iter().map(|area| area.area()).sum::<usize>() + suspects.len() > most {
            return None;
        }
        let size = self.size;
        suspects.extend(areas.iter().flat_map(|area| area.cells()).filter_map(|cell| size.index(cell)));
        suspects.sort_unstable();
        suspects.dedup();

        self.revision = grid.revision();
        let lost = self.drop_unfounded(grid, &suspects, most)?;
        let mut seeds = Vec::new();
        for &node in suspects.iter().chain(&lost) {
            let best = self.founded(grid, node)?;
            if best < self.values[node as usize] {
                self.values[node as usize] = best;
                seeds.push(node);
            }
        }
        let lowered = self.sweep_briefly(grid, &seeds, most)?;
        let changed = lost.iter().chain(&lowered).map(|&node| size.cell(node));
        let changed = changed.map(|cell| CellRect::new(cell, cell)).reduce(CellRect::union);
        let areas = changed.into_iter().chain(areas).collect();
        Some(Repair { areas, cells: lost.len() + lowered.len(), is_rebuilt: false })
    }

    /// The nodes that are no source any more, or a new one, or one of another value.
    fn changed_sources(&self, before: &Sources) -> Vec<NodeId> {
        let of = |sources: &Sources| sources.values.clone();
        let now = self.sources.as_ref().map(of).unwrap_or_default();
        let differs = |list: &[(NodeId, i32)], source: &(NodeId, i32)| list.binary_search(source).is_err();
        let gone = before.values.iter().filter(|source| differs(&now, source));
        let come = now.iter().filter(|source| differs(&before.values, source));
        gone.chain(come).map(|&(node, _)| node).collect()
    }

    /// The best value that a node can have for what its neighbours have. `None` if it is too large for one.
    fn founded(&self, grid: &CostGrid, node: NodeId) -> Option<i32> {
        let mut best = i64::from(self.own(grid, node));
        let mut is_too_far = false;
        let mut look_at = |sum: i64| {
            is_too_far |= sum >= i64::from(UNREACHED);
            best = best.min(sum);
        };
        match self.kind {
            _ if !grid.is_open(node) => {}
            Kind::From => self.sums_into(grid, node).for_each(|(_, sum)| look_at(sum)),
            Kind::Toward | Kind::Sum => {
                grid.expand(node, None, |next, cost| self.sum(next, cost).into_iter().for_each(&mut look_at));
            }
        }
        if best > self.last_value() {
            return Some(UNREACHED);
        }
        (best < i64::from(UNREACHED) || !is_too_far).then_some(best as i32)
    }

    /// Takes the values from all nodes whose value is not founded on others any more, beginning with the suspects.
    ///
    /// Returns them. `None` if there are more than `most`, or as for [`DijkstraMap::founded`].
    fn drop_unfounded(&mut self, grid: &CostGrid, suspects: &[NodeId], most: usize) -> Option<Vec<NodeId>> {
        let with_value = |&node: &NodeId| self.raw(node).map(|value| Least((value, node)));
        // In the order of their values: whatever a value may be founded on has been looked at by then.
        let mut open: BinaryHeap<_> = suspects.iter().filter_map(with_value).collect();
        let mut lost = Vec::new();
        while let Some(Least((value, node))) = open.pop() {
            if self.values[node as usize] != value || self.founded(grid, node)? <= value {
                continue;
            }
            self.values[node as usize] = UNREACHED;
            lost.push(node);
            if lost.len() > most {
                return None;
            }
            let rests_on_it = |other: NodeId, cost: Cost| {
                let sum = i64::from(value) + i64::from(cost.raw()) * self.scale;
                if i64::from(self.values[other as usize]) == sum {
                    open.push(Least((self.values[other as usize], other)));
                }
            };
            match self.kind {
                Kind::From => grid.expand(node, None, rests_on_it),
                Kind::Toward | Kind::Sum => grid.expand_back(node, rests_on_it),
            }
        }
        Some(lost)
    }

    /// Lowers what can be lowered from `seeds`; returns the nodes that were, some more than once. `None` if there are
    /// more than `most`, or a value is too large for one.
    fn sweep_briefly(&mut self, grid: &CostGrid, seeds: &[NodeId], most: usize) -> Option<Vec<NodeId>> {
        let limit = self.last_value();
        let Self { kind, scale, ref mut values, ref barred, .. } = *self;
        match kind {
            Kind::From => Sweep::<false>::new(grid, scale, limit, barred, values).run_briefly(seeds, most),
            Kind::Toward | Kind::Sum => Sweep::<true>::new(grid, scale, limit, barred, values).run_briefly(seeds, most),
        }
    }
}
