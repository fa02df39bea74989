//! The abstract graph of hierarchical pathfinding: a map cut into square clusters, and what it costs to cross them.
//!
//! Cells on either side of a border between two clusters are its *entrances*; the chosen ones are the nodes of the
//! *abstract graph*. Its edges are the steps from one cluster into another, and the cheapest ways between two
//! entrances of a cluster within the cluster. A way over it exists exactly if there is one over the cells; it costs
//! somewhat more. [`HierarchicalSearch`](crate::hierarchical_search::HierarchicalSearch) searches it.
//!
//! After Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding" (Journal of Game Development 2004).
//!
//! # What differs from the paper
//! * Abstract nodes *are* cells, with the same numbers, so that one workspace serves both levels.
//! * Steps may be one-way, cost another thing on the way back, and lead to any cell: nothing is taken to be
//!   symmetric or to end at a neighbour.
//! * Of two entrances only the edge that passes no third one is kept: the others follow from it.
//! * Everything is stored cluster by cluster, and a cluster depends on its own cells and those next to it only. So
//!   after an edit a few clusters are made anew, and the whole equals one that was made afresh.

mod cluster;
mod entrance;

use crate::cost::Cost;
use crate::grid::{Cell, CellRect, GridSize};
use crate::space::{NodeId, Reversible, Space};

use cluster::{Cluster, ClusterBuilder, LocalCells};
use entrance::crossings_into;

/// The side of a cluster, in cells.
// Measured from 8 to 32: smaller clusters have more entrances to search among, larger ones more cells to refine, and
// to make anew after an edit.
pub(crate) const CLUSTER_SIDE: u32 = 16;

/// Clusters, entrances and the abstract graph of a space whose nodes are the cells of a grid.
///
/// Flat data cluster by cluster, 3 to 6 bytes a cell. It belongs to the space that it was made of; after an edit
/// [`Hierarchy::refresh`] catches up.
///
/// ```
/// use wayfield::{parse_map, CostGrid, Hierarchy};
/// let map = parse_map(b"....\n....\n.##.\n....\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let mut hierarchy = Hierarchy::new(&grid, grid.size());
/// assert_eq!(hierarchy.refresh(&grid, grid.size().rect()), 1);
/// assert_eq!(hierarchy, Hierarchy::new(&grid, grid.size()));
/// # Ok::<(), wayfield::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    size: GridSize,
    /// How many clusters lie side by side.
    columns: u32,
    clusters: Vec<Cluster>,
}

impl Hierarchy {
    /// The hierarchy of a space whose nodes are the cells of a grid of this size.
    ///
    /// Time: O(n k) for n cells and k entrances a cluster, times the sweeps that the ways within a cluster take, which
    /// are few. Memory: O(n), and k^2 edges a cluster at most.
    pub fn new(space: &impl Reversible, size: GridSize) -> Self {
        let columns = size.width().div_ceil(CLUSTER_SIDE);
        let count = columns as usize * size.height().div_ceil(CLUSTER_SIDE) as usize;
        let mut hierarchy = Self { size, columns, clusters: vec![Cluster::default(); count] };
        let mut builder = ClusterBuilder::default();
        for cluster in 0..count {
            hierarchy.clusters[cluster].parts = builder.parts(space, &hierarchy, cluster as u32);
        }
        for cluster in 0..count {
            hierarchy.clusters[cluster].crossings = crossings_into(space, &hierarchy, cluster as u32);
        }
        for cluster in 0..count as u32 {
            builder.connect(space, &mut hierarchy, cluster);
        }
        hierarchy
    }

    /// Catches up with an edit, and returns how many clusters were made anew.
    ///
    /// `area` holds every cell out of which, or into which, a step may be another one now, or cost something else;
    /// the ends of a link that came or went far apart are two areas, one after the other.
    /// Equal to a new hierarchy afterwards. Time: that of a new one for the clusters that the area touches.
    pub fn refresh(&mut self, space: &impl Reversible, area: CellRect) -> usize {
        let whole = self.size.rect();
        let Some(area) = area.intersection(whole) else { return 0 };
        let mut builder = ClusterBuilder::default();
        let mut stale: Vec<u32> = self.clusters_of(area).collect();
        // An entrance depends on the steps between the cells beside it, too.
        let mut around: Vec<u32> = self.clusters_of(area.grown(1).intersection(whole).unwrap_or(area)).collect();
        for &cluster in &stale {
            let new = builder.parts(space, self, cluster);
            let rect = self.cluster_rect(cluster);
            let old = std::mem::replace(&mut self.clusters[cluster as usize].parts, new);
            if split_of_border(rect, &old) != split_of_border(rect, &self.clusters[cluster as usize].parts) {
                let place = self.place_of(cluster);
                let beside = self.clusters_of(rect.grown(1).intersection(whole).unwrap_or(rect));
                around.extend(beside.filter(|&other| {
                    let other = self.place_of(other);
                    other.x == place.x || other.y == place.y
                }));
            }
        }
        around.sort_unstable();
        around.dedup();
        for cluster in around {
            let new = crossings_into(space, self, cluster);
            let old = std::mem::replace(&mut self.clusters[cluster as usize].crossings, new);
            let new = &self.clusters[cluster as usize].crossings;
            if old != *new {
                stale.push(cluster);
                let gone = old.iter().filter(|crossing| new.binary_search(crossing).is_err());
                let come = new.iter().filter(|crossing| old.binary_search(crossing).is_err());
                stale.extend(gone.chain(come).map(|crossing| self.cluster_of(crossing.from)));
            }
        }
        stale.sort_unstable();
        stale.dedup();
        for &cluster in &stale {
            builder.connect(space, self, cluster);
        }
        stale.len()
    }

    /// Width and height of the grid.
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// The number of clusters.
    pub fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The number of the cluster that a cell belongs to.
    #[inline]
    pub fn cluster_of(&self, node: NodeId) -> u32 {
        let (x, y) = (node % self.size.width(), node / self.size.width());
        y / CLUSTER_SIDE * self.columns + x / CLUSTER_SIDE
    }

    /// The cells of a cluster.
    pub fn cluster_rect(&self, cluster: u32) -> CellRect {
        let side = CLUSTER_SIDE as i32;
        let place = self.place_of(cluster);
        let min = Cell::new(place.x * side, place.y * side);
        let max = self.size.rect().max;
        CellRect { min, max: Cell::new((min.x + side - 1).min(max.x), (min.y + side - 1).min(max.y)) }
    }

    /// How many clusters lie between two cells: king's steps on the grid of clusters.
    pub fn cluster_distance(&self, one: NodeId, other: NodeId) -> u32 {
        let [one, other] = [one, other].map(|node| self.place_of(self.cluster_of(node)));
        one.chebyshev(other)
    }

    /// The two clusters beside the diagonal step from one cluster to another, if it is one.
    pub(crate) fn beside_diagonal(&self, one: u32, other: u32) -> Option<[u32; 2]> {
        let [one, other] = [one, other].map(|cluster| self.place_of(cluster));
        let is_diagonal = one.x.abs_diff(other.x) == 1 && one.y.abs_diff(other.y) == 1;
        let cluster = |x, y| y as u32 * self.columns + x as u32;
        is_diagonal.then_some([cluster(other.x, one.y), cluster(one.x, other.y)])
    }

    /// The abstract nodes of a cluster, in ascending order.
    pub fn nodes(&self, cluster: u32) -> &[NodeId] {
        self.clusters.get(cluster as usize).map_or(&[], |cluster| &cluster.nodes)
    }

    /// The abstract edges out of a cell and their costs: none, if it is no abstract node.
    #[inline]
    pub fn edges(&self, node: NodeId) -> &[(NodeId, Cost)] {
        let Some(cluster) = self.clusters.get(self.cluster_of(node) as usize) else { return &[] };
        cluster.edges(node)
    }

    /// The clusters that have cells in an area of the map.
    fn clusters_of(&self, area: CellRect) -> impl Iterator<Item = u32> + use<> {
        let columns = self.columns;
        let band = |min: i32, max: i32| min as u32 / CLUSTER_SIDE..=max as u32 / CLUSTER_SIDE;
        let across = band(area.min.x, area.max.x);
        band(area.min.y, area.max.y).flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }

    /// Whether the clusters of two cells have a side in common.
    fn are_side_by_side(&self, one: NodeId, other: NodeId) -> bool {
        let [one, other] = [one, other].map(|node| self.place_of(self.cluster_of(node)));
        one.x.abs_diff(other.x) + one.y.abs_diff(other.y) == 1
    }

    /// The place of a cluster among the clusters.
    fn place_of(&self, cluster: u32) -> Cell {
        Cell::new((cluster % self.columns) as i32, (cluster / self.columns) as i32)
    }

    /// The part of its cluster that a cell belongs to.
    fn part(&self, node: NodeId) -> u8 {
        let cluster = self.cluster_of(node);
        let part = || self.clusters.get(cluster as usize)?.parts.get(self.local_cells(cluster).number(node)? as usize);
        part().copied().unwrap_or_default()
    }

    fn local_cells(&self, cluster: u32) -> LocalCells {
        LocalCells::new(self.size, self.cluster_rect(cluster))
    }

    /// The cost of the step from one cell to another of another cluster, if it was chosen as a crossing.
    fn crossing(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        let crossings = &self.clusters.get(self.cluster_of(to) as usize)?.crossings;
        let place = crossings.binary_search_by_key(&(to, from), |crossing| (crossing.to, crossing.from)).ok()?;
        crossings.get(place).map(|crossing| crossing.cost)
    }
}

/// Which of the cells on the border of a cluster belong to one part, by numbers in the order of their first cells.
fn split_of_border(rect: CellRect, parts: &[u8]) -> Vec<u8> {
    let on_border =
        |cell: Cell| [rect.min.x, rect.max.x].contains(&cell.x) || [rect.min.y, rect.max.y].contains(&cell.y);
    let mut numbers = [None; 256];
    let mut count = 0;
    let border = rect.cells().zip(parts).filter(|&(cell, _)| on_border(cell));
    let split = border.map(|(_, &part)| {
        *numbers[usize::from(part)].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    });
    split.collect()
}

/// The abstract graph as a space, with some clusters *unfolded*: there, the cells themselves are the nodes.
///
/// Start and goal lie in unfolded clusters, and so need not be entrances.
pub(crate) struct AbstractSpace<'a, S> {
    pub hierarchy: &'a Hierarchy,
    pub space: &'a S,
    pub unfolded: &'a [u32],
    /// Where all steps are taken, wherever they lead: a start in a wall.
    pub walled: Option<NodeId>,
}

impl<S: Space> Space for AbstractSpace<'_, S> {
    fn len(&self) -> usize {
        self.space.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        if self.walled == Some(node) {
            return self.space.expand(node, parent, visit);
        }
        let cluster = self.hierarchy.cluster_of(node);
        let edges = self.hierarchy.clusters.get(cluster as usize).map_or(&[][..], |cluster| cluster.edges(node));
        if !self.unfolded.contains(&cluster) {
            return edges.iter().for_each(|&(next, cost)| visit(next, cost));
        }
        let is_inside = |next| self.hierarchy.cluster_of(next) == cluster;
        // Its parent may lie in a cluster that is not unfolded, and so have been nowhere near.
        self.space.expand(node, None, |next, cost| {
            if is_inside(next) {
                visit(next, cost);
            }
        });
        edges.iter().filter(|&&(next, _)| !is_inside(next)).for_each(|&(next, cost)| visit(next, cost));
    }
}
