//! A way that is kept up to date while the map is edited: LPA* and D* Lite, stepped, against A* from scratch.

use wayfield::bidirectional::Side;
use wayfield::search::{Ending, Limits, NodeState};
use wayfield::space::{Reversible, Space};
use wayfield::{
    Algorithm, Answer, Cell, Cost, CostGrid, NodeId, OutsideMap, Path, PathQuery, ReplanMethod, Replanner, TerrainMap,
    find_path,
};

use super::board::{Board, Mark, Numbers, Pin, WayKind, number};
use super::search::{chain_way, name, way};

/// A replanner, and what it did since the latest edit.
#[derive(Clone, Debug)]
pub struct Repair {
    method: ReplanMethod,
    /// As it was right after the edit.
    edited: Replanner,
    pub replanner: Replanner,
    is_over: bool,
    /// What was expanded since the edit, in order.
    order: Vec<NodeId>,
    changed: Vec<Cell>,
    /// The way before the edit.
    before: Option<Path>,
    /// What A* from scratch says.
    pub fresh: Option<Answer>,
}

impl Repair {
    /// A replanner that knows the way on the map as it is.
    pub fn begin(grid: &CostGrid, method: ReplanMethod, start: Cell, goal: Cell) -> Result<Self, OutsideMap> {
        let mut replanner = Replanner::default();
        replanner.begin(grid, method, start, goal)?;
        replanner.run(grid, Limits::NONE);
        let edited = replanner.clone();
        let mut repair = Self {
            method,
            edited,
            replanner,
            is_over: true,
            order: Vec::new(),
            changed: Vec::new(),
            before: None,
            fresh: None,
        };
        repair.ask_afresh(grid);
        Ok(repair)
    }

    /// Takes an edit in: `grid` as it is now, and the cells that are different.
    pub fn edit(&mut self, old: &CostGrid, grid: &CostGrid, changed: &[Cell]) -> Result<(), OutsideMap> {
        while self.step(old) {}
        self.before = self.replanner.path(old);
        self.replanner.update(grid, changed.iter().copied())?;
        self.edited = self.replanner.clone();
        self.is_over = false;
        self.order.clear();
        self.changed = changed.to_vec();
        self.ask_afresh(grid);
        if self.replanner.next_expansion().is_none() {
            self.step(grid);
        }
        Ok(())
    }

    fn ask_afresh(&mut self, grid: &CostGrid) {
        self.fresh = self.replanner.ends().and_then(|(start, goal)| find_path(grid, &PathQuery::new(start, goal)).ok());
    }

    /// One expansion; false if nothing was left to repair.
    pub fn step(&mut self, grid: &CostGrid) -> bool {
        if self.is_over {
            return false;
        }
        let next = self.replanner.next_expansion();
        let mut ending = self.replanner.run(grid, Limits { slice: 1, ..Limits::NONE });
        let is_made = self.replanner.stats().expanded > self.order.len() as u64;
        self.order.extend(next.filter(|_| is_made));
        if ending == Ending::Paused && self.replanner.next_expansion().is_none() {
            ending = self.replanner.run(grid, Limits::NONE);
        }
        self.is_over = ending != Ending::Paused;
        is_made
    }

    /// Goes to where exactly so many expansions are made since the edit, or to the end if there are fewer.
    pub fn seek(&mut self, grid: &CostGrid, steps: usize) {
        if steps < self.steps() {
            self.replanner = self.edited.clone();
            self.order.clear();
            self.is_over = false;
        }
        while self.steps() < steps && self.step(grid) {}
    }

    /// How many expansions were made since the edit.
    pub fn steps(&self) -> usize {
        self.order.len()
    }

    /// How many there are to make.
    pub fn total(&self, grid: &CostGrid) -> usize {
        let mut whole = self.clone();
        whole.seek(grid, usize::MAX);
        whole.steps()
    }

    /// Whether the way is known.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn algorithm(&self) -> Algorithm {
        match self.method {
            ReplanMethod::LpaStar => Algorithm::LpaStar,
            ReplanMethod::DStarLite => Algorithm::DStarLite,
        }
    }

    /// What the replanner is after the steps that were made; of the cell that the pointer is on, how it was reached.
    pub fn board(&self, terrain: &TerrainMap, grid: &CostGrid, hovered: Option<Cell>) -> Board {
        let mut board = Board::of_map(terrain, grid);
        board.title = format!("{} after an edit", name(self.algorithm()));
        mark(&mut board, &self.replanner, self.algorithm(), grid);
        for &node in &self.order {
            if let Some(view) = board.cell_mut(node).filter(|view| matches!(view.mark, Mark::Closed(_) | Mark::Unseen))
            {
                view.mark = Mark::Repaired;
            }
        }
        if let Some((start, goal)) = self.replanner.ends() {
            board.pins = vec![(Pin::Start, start), (Pin::Goal, goal)];
        }
        board.current = self.order.last().map(|&node| grid.size().cell(node));
        board.edited.clone_from(&self.changed);
        board.facts.push(format!("expanded {} since the edit", self.steps()));
        if let Some(fresh) = &self.fresh {
            board.facts.push(format!("A* from scratch: {}", fresh.stats.expanded));
        }
        let chain = hovered.and_then(|cell| grid.size().index(cell));
        let chain = chain.map(|node| chain_of(&self.replanner, self.algorithm(), node, grid)).unwrap_or_default();
        board.ways.extend(hovered.and_then(|cell| chain_way(cell, chain)));
        let path = self.replanner.path(grid).filter(|_| self.is_over);
        if let Some(before) = self.before.as_ref().filter(|before| Some(*before) != path.as_ref()) {
            board.ways.push(way(WayKind::Before, "before", before));
        }
        if let Some(path) = &path {
            board.ways.push(way(WayKind::Found, "found", path));
            board.facts.push(format!("cost {}", number(path.cost().units())));
        } else if self.is_over {
            board.facts.push("unreachable".to_owned());
        }
        board
    }
}

/// Marks what a replanner knows of every cell.
pub fn mark(board: &mut Board, replanner: &Replanner, algorithm: Algorithm, grid: &CostGrid) {
    let search = replanner.search();
    let side = if algorithm == Algorithm::DStarLite { Side::Backward } else { Side::Forward };
    for node in 0..grid.len() as NodeId {
        let (g, rhs) = (search.g(node), search.rhs(node));
        let Some(view) = board.cell_mut(node).filter(|_| g.is_some() || rhs.is_some()) else { continue };
        view.mark = match search.state(node) {
            NodeState::Unseen => Mark::Unseen,
            NodeState::Closed => Mark::Closed(side),
            // No way counts as more than any.
            NodeState::Open if g.unwrap_or(Cost::MAX) > rhs.unwrap_or(Cost::MAX) => Mark::Cheaper,
            NodeState::Open => Mark::Dearer,
        };
        view.numbers = Numbers::Repair { g: g.map(Cost::to_units), rhs: rhs.map(Cost::to_units) };
    }
}

/// The cells from one to where the search spreads from, by the neighbours that are best by the numbers.
pub fn chain_of(replanner: &Replanner, algorithm: Algorithm, node: NodeId, grid: &CostGrid) -> Vec<Cell> {
    let search = replanner.search();
    let mut cells = Vec::new();
    let mut at = search.rhs(node).map(|_| node);
    while let Some(node) = at {
        cells.push(grid.size().cell(node));
        let mut best: Option<(Cost, NodeId)> = None;
        let mut look = |next: NodeId, step: Cost| {
            if let Some(total) = search.g(next).and_then(|g| g.checked_add(step)) {
                best = Some(best.map_or((total, next), |best| best.min((total, next))));
            }
        };
        match algorithm {
            Algorithm::DStarLite => grid.expand(node, None, &mut look),
            _ => grid.expand_back(node, &mut look),
        }
        // In the middle of a repair the numbers may lead round in a circle.
        let is_new = |next: &NodeId| !cells.contains(&grid.size().cell(*next));
        at = best.map(|(_, next)| next).filter(|_| node != search.root()).filter(is_new);
    }
    cells
}
