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

mod entrance;

use crate::cost::Cost;
use crate::grid::{Cell, CellRect, GridSize};
use crate::search::{Order, Search, Step};
use crate::space::{Everything, NodeId, Reversible, Space};

use entrance::{Crossing, crossings_into};

/// The side of a cluster, in cells.
pub(crate) const CLUSTER_SIDE: u32 = 16;

/// Clusters, entrances and the abstract graph of a space whose nodes are the cells of a grid.
///
/// Plain flat data, about TODO bytes a cell. It is about the space that it was made of; after an edit
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

/// What is known of one cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cluster {
    /// The chosen steps into this cluster, in their order.
    crossings: Vec<Crossing>,
    /// The abstract nodes, in ascending order.
    nodes: Vec<NodeId>,
    /// Where the edges of each node end.
    ends: Vec<u32>,
    /// The edges out of each node: those within the cluster, then the steps out of it.
    edges: Vec<(NodeId, Cost)>,
}

impl Hierarchy {
    /// The hierarchy of a space whose nodes are the cells of a grid of this size.
    ///
    /// Time: O(n k log s) for n cells, clusters of s cells and k entrances each. Memory: O(n k / side).
    pub fn new(space: &impl Reversible, size: GridSize) -> Self {
        let columns = size.width().div_ceil(CLUSTER_SIDE);
        let count = columns as usize * size.height().div_ceil(CLUSTER_SIDE) as usize;
        let mut hierarchy = Self { size, columns, clusters: vec![Cluster::default(); count] };
        for cluster in 0..count as u32 {
            hierarchy.clusters[cluster as usize].crossings = crossings_into(space, &hierarchy, cluster);
        }
        let mut builder = Builder::default();
        for cluster in 0..count as u32 {
            builder.build(space, &mut hierarchy, cluster);
        }
        hierarchy
    }

    /// Catches up with an edit, and returns how many clusters were made anew.
    ///
    /// `area` holds every cell out of which, or into which, a step may be another one now, or cost something else.
    /// Equal to a new hierarchy afterwards. Time: that of a new one for the clusters that the area touches.
    pub fn refresh(&mut self, space: &impl Reversible, area: CellRect) -> usize {
        let whole = self.size.rect();
        let Some(area) = area.intersection(whole) else { return 0 };
        let mut stale: Vec<u32> = self.clusters_of(area).collect();
        // An entrance depends on the steps between the cells beside it, too.
        let around = area.grown(1).intersection(whole).unwrap_or(area);
        for cluster in self.clusters_of(around) {
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
        let mut builder = Builder::default();
        for &cluster in &stale {
            builder.build(space, self, cluster);
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
        let min = Cell::new((cluster % self.columns) as i32 * side, (cluster / self.columns) as i32 * side);
        let max = self.size.rect().max;
        CellRect { min, max: Cell::new((min.x + side - 1).min(max.x), (min.y + side - 1).min(max.y)) }
    }

    /// How many clusters lie between two cells: king's steps on the grid of clusters.
    pub fn cluster_distance(&self, one: NodeId, other: NodeId) -> u32 {
        let place = |node| {
            let cell = self.size.cell(node);
            Cell::new(cell.x / CLUSTER_SIDE as i32, cell.y / CLUSTER_SIDE as i32)
        };
        place(one).chebyshev(place(other))
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

    /// The cost of the step from one cell to another of another cluster, if it was chosen as a crossing.
    fn crossing(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        let crossings = &self.clusters.get(self.cluster_of(to) as usize)?.crossings;
        let place = crossings.binary_search_by_key(&(to, from), |crossing| (crossing.to, crossing.from)).ok()?;
        crossings.get(place).map(|crossing| crossing.cost)
    }
}

impl Cluster {
    #[inline]
    fn edges(&self, node: NodeId) -> &[(NodeId, Cost)] {
        let Ok(place) = self.nodes.binary_search(&node) else { return &[] };
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[begin as usize..self.ends[place] as usize]
    }
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
        self.space.expand(node, parent, |next, cost| {
            if is_inside(next) {
                visit(next, cost);
            }
        });
        edges.iter().filter(|&&(next, _)| !is_inside(next)).for_each(|&(next, cost)| visit(next, cost));
    }
}

/// The steps within one cluster, between its cells numbered row by row.
#[derive(Default)]
struct LocalSteps {
    /// Where the steps out of each cell end.
    ends: Vec<u32>,
    steps: Vec<(NodeId, Cost)>,
}

impl Space for LocalSteps {
    fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        let begin = node.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        for &(next, cost) in &self.steps[begin as usize..self.ends[node as usize] as usize] {
            visit(next, cost);
        }
    }
}

/// What is needed again and again while clusters are made.
#[derive(Default)]
struct Builder {
    search: Search,
    local: LocalSteps,
    /// The steps out of the cluster that were chosen, in ascending order of their beginnings.
    exits: Vec<(NodeId, NodeId, Cost)>,
    /// Which cells are abstract nodes.
    is_node: Vec<bool>,
}

impl Builder {
    /// Makes nodes and edges of a cluster, once all crossings are known.
    fn build(&mut self, space: &impl Reversible, hierarchy: &mut Hierarchy, cluster: u32) {
        let rect = hierarchy.cluster_rect(cluster);
        self.read_steps(space, hierarchy, cluster, rect);
        let crossings = &hierarchy.clusters[cluster as usize].crossings;
        let heads = crossings.iter().map(|crossing| crossing.to);
        let mut nodes: Vec<_> = heads.chain(self.exits.iter().map(|&(from, ..)| from)).collect();
        nodes.sort_unstable();
        nodes.dedup();

        let (size, columns) = (hierarchy.size, (rect.max.x - rect.min.x + 1) as u32);
        let local = |node: NodeId| {
            let cell = size.cell(node);
            (cell.y - rect.min.y) as u32 * columns + (cell.x - rect.min.x) as u32
        };
        let places: Vec<_> = nodes.iter().map(|&node| local(node)).collect();
        self.is_node.clear();
        self.is_node.resize(self.local.len(), false);
        places.iter().for_each(|&place| self.is_node[place as usize] = true);

        let mut edges = Vec::new();
        let mut ends = Vec::with_capacity(nodes.len());
        let exits = std::mem::take(&mut self.exits);
        let mut left = exits.iter().peekable();
        for (&source, &place) in nodes.iter().zip(&places) {
            self.spread(place, nodes.len());
            for (&node, &other) in nodes.iter().zip(&places) {
                if other != place
                    && let Some(cost) = self.search.cost_to(other)
                    && !self.passes_a_node(other, cost)
                {
                    edges.push((node, cost));
                }
            }
            while let Some(&(_, to, cost)) = left.next_if(|&&(from, ..)| from == source) {
                edges.push((to, cost));
            }
            ends.push(edges.len() as u32);
        }
        self.exits = exits;
        let built = &mut hierarchy.clusters[cluster as usize];
        (built.nodes, built.ends, built.edges) = (nodes, ends, edges);
    }

    /// Reads the steps of the cluster's cells: those that stay within, and those that were chosen as crossings.
    fn read_steps(&mut self, space: &impl Reversible, hierarchy: &Hierarchy, cluster: u32, rect: CellRect) {
        let Self { local: LocalSteps { ends, steps }, exits, .. } = self;
        ends.clear();
        steps.clear();
        exits.clear();
        let (width, size) = (hierarchy.size.width(), hierarchy.size);
        let columns = (rect.max.x - rect.min.x + 1) as u32;
        let rows = (rect.max.y - rect.min.y + 1) as u32;
        let Some(first) = size.index(rect.min) else { return };
        for row in 0..rows {
            let begin = first + row * width;
            for node in begin..begin + columns {
                space.expand(node, None, |next, cost| {
                    // Nearly all steps lead to a row beside, and a division is saved.
                    let beside = [row.wrapping_sub(1), row, row + 1].into_iter().find_map(|row| {
                        let column = next.wrapping_sub(first.wrapping_add(row.wrapping_mul(width)));
                        (row < rows && column < columns).then(|| row * columns + column)
                    });
                    if let Some(beside) = beside {
                        steps.push((beside, cost));
                    } else if hierarchy.cluster_of(next) == cluster {
                        let cell = size.cell(next);
                        steps.push(((cell.y - rect.min.y) as u32 * columns + (cell.x - rect.min.x) as u32, cost));
                    } else if let Some(cost) = hierarchy.crossing(node, next) {
                        exits.push((node, next, cost));
                    }
                });
                ends.push(steps.len() as u32);
            }
        }
        exits.sort_unstable();
        exits.dedup();
    }

    /// Searches from a cell to all `count` nodes of the cluster.
    fn spread(&mut self, source: NodeId, count: usize) {
        self.search.begin(Order::DIJKSTRA, &self.local, &[(source, Cost::ZERO)], &Everything);
        let mut left = count;
        while left > 0
            && let Step::Expanded(node) = self.search.step(&self.local, &Everything)
        {
            left -= usize::from(self.is_node[node as usize]);
        }
    }

    /// Whether the way that was found leads over another node that is really between: then its edges say all.
    fn passes_a_node(&self, node: NodeId, cost: Cost) -> bool {
        self.search.trace(node).skip(1).any(|between| {
            self.is_node[between as usize]
                && self.search.cost_to(between).is_some_and(|way| Cost::ZERO < way && way < cost)
        })
    }
}
