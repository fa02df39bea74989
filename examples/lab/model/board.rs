//! What is to be seen: every cell of a map, the ways over it, and what the numbers say.

use wayfield::bidirectional::Side;
use wayfield::{Cell, CellRect, CostGrid, Direction, GridSize, NodeId, TerrainId, TerrainMap};

/// What a search or a field knows of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    Unseen,
    /// Seen, and on the open list of a side: the frontier.
    Open(Side),
    /// Expanded by a side.
    Closed(Side),
    /// Seen from both ends.
    Met,
    /// Inconsistent, since it got cheaper: g > rhs.
    Cheaper,
    /// Inconsistent, since it got dearer: g < rhs.
    Dearer,
    /// Expanded since the edit.
    Repaired,
}

/// The numbers of one cell, in terrain units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Numbers {
    #[default]
    None,
    /// Cost so far; estimate of the rest and priority, where they make a difference.
    Search { g: f64, h: Option<f64>, f: Option<f64> },
    /// What it cost when it was last expanded, and what its neighbours say; `None` for no way.
    Repair { g: Option<f64>, rhs: Option<f64> },
    /// The value of a field.
    Value(f64),
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellView {
    pub terrain: TerrainId,
    /// What entering it costs; `None` where nobody may.
    pub cost: Option<u8>,
    pub mark: Mark,
    pub numbers: Numbers,
    /// To the parent, or where units roll.
    pub arrow: Option<Direction>,
    /// The place of its value between the least and the greatest of a field.
    pub heat: Option<f32>,
    /// Whether a line of equal value runs along its right side, and along its lower one.
    pub iso: (bool, bool),
    /// A node of a search that leaves cells out: a jump point, or an entrance of a cluster.
    pub is_node: bool,
}

impl CellView {
    /// A cell that nothing is known of but its terrain.
    pub fn plain(terrain: TerrainId, cost: Option<u8>) -> Self {
        Self {
            terrain,
            cost,
            mark: Mark::Unseen,
            numbers: Numbers::None,
            arrow: None,
            heat: None,
            iso: (false, false),
            is_node: false,
        }
    }
}

/// What a way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WayKind {
    /// The way before an edit.
    Before,
    /// The way of fewest steps, to compare.
    FewestSteps,
    /// The cheapest way, to compare.
    Cheapest,
    /// A coarse way over clusters.
    Coarse,
    /// From the cell that the pointer is on, parent by parent.
    Chain,
    /// The final part of a way that is still searched for.
    SoFar,
    /// What another algorithm has found, to compare.
    Compared,
    /// The answer.
    Found,
}

/// A way over the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    pub kind: WayKind,
    /// Next to each other, or the corners of straight lines.
    pub cells: Vec<Cell>,
    /// What the legend says of it.
    pub note: String,
}

/// A place that the user chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Start,
    Goal,
    Source,
    Threat,
}

/// Everything that is to be seen of one search or field.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub title: String,
    /// Short facts in a row, such as "expanded 12".
    pub facts: Vec<String>,
    /// What the user should mind.
    pub warnings: Vec<String>,
    pub size: GridSize,
    /// Row by row.
    pub cells: Vec<CellView>,
    /// Those in front come last.
    pub ways: Vec<Way>,
    pub pins: Vec<(Pin, Cell)>,
    /// The cell that was expanded last.
    pub current: Option<Cell>,
    /// Cells that an edit changed.
    pub edited: Vec<Cell>,
    pub clusters: Vec<CellRect>,
    /// Whether the nodes are entrances, or jump points.
    pub nodes: &'static str,
    /// Whether values are shown as colours.
    pub is_field: bool,
    /// The least and the greatest value of a field, and how far apart the lines of equal value are.
    pub span: Option<(f64, f64, f64)>,
}

impl Board {
    /// A map that nobody has searched yet.
    pub fn of_map(terrain: &TerrainMap, grid: &CostGrid) -> Self {
        let cells = terrain.size().rect().cells().zip(terrain.grid().values());
        let cells =
            cells.map(|(cell, &terrain)| CellView::plain(terrain, grid.entering_cost(cell).map(|cost| cost.get())));
        Self {
            title: String::new(),
            facts: Vec::new(),
            warnings: Vec::new(),
            size: terrain.size(),
            cells: cells.collect(),
            ways: Vec::new(),
            pins: Vec::new(),
            current: None,
            edited: Vec::new(),
            clusters: Vec::new(),
            nodes: "",
            is_field: false,
            span: None,
        }
    }

    /// The cell with this number.
    pub fn cell_mut(&mut self, node: NodeId) -> Option<&mut CellView> {
        self.cells.get_mut(node as usize)
    }

    /// The cell at a place of the map.
    pub fn cell(&self, cell: Cell) -> Option<&CellView> {
        self.cells.get(self.size.index(cell)? as usize)
    }

    /// How many cells have a mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.cells.iter().filter(|cell| cell.mark == mark).count()
    }
}

/// A number as short as it can be without saying something else: "30", "6.83", "0.5".
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number as short as fits into a cell: one decimal at most.
pub fn short_number(value: f64) -> String {
    number((value * 10.0).round() / 10.0)
}
