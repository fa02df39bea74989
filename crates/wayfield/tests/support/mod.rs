//! The naive side of the tests: a map, its rules, and shortest ways written as plainly as they can be.
//!
//! Nothing here asks a `CostGrid`, a `Search` or a `DijkstraMap`: what they say is compared with what this says.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot set itself up must fail")]

use std::collections::VecDeque;
use std::ops::Add;

use wayfield::space::Goal;
use wayfield::{
    Cell, CornerRule, Cost, CostGrid, Grid, GridSize, Heuristic, InfluenceId, Link, MovementClass, NodeId, Path,
    TerrainId, TerrainMap,
};

/// A kind of mover: what terrain number t costs it, 0 where it may not go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Terrain t costs t; terrain 0 is a wall.
    Plain,
    /// Swims through terrain 0, for which it shuns every third terrain.
    Odd,
}

impl Mover {
    pub const ALL: [Self; 2] = [Self::Plain, Self::Odd];

    pub fn price(self, terrain: u8) -> u8 {
        match self {
            Self::Plain => terrain,
            Self::Odd if terrain == 0 => 4,
            Self::Odd if terrain.is_multiple_of(3) => 0,
            Self::Odd => 1 + (u32::from(terrain) * 7 % 13) as u8,
        }
    }
}

/// A map as one mover sees it.
#[derive(Clone, Debug)]
pub struct Ground {
    pub width: i32,
    pub height: i32,
    /// Row by row.
    pub terrain: Vec<u8>,
    pub mover: Mover,
    pub rule: CornerRule,
    pub layers: Layers,
}

/// What a map may have beside terrain, and a mover beside costs.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The n of units of n x n cells, named by their top left cell.
    pub side: i32,
    /// Open links, and what they cost.
    pub links: Vec<(Cell, Cell, u32)>,
    /// Row by row; empty on a flat map.
    pub heights: Vec<i16>,
    /// What going up and down multiplies a cost by.
    pub slopes: (u8, u8),
    /// Pairs of cells side by side.
    pub fences: Vec<(Cell, Cell)>,
    /// What crossing a fence multiplies a cost by; `None` if it cannot be crossed.
    pub fence_factor: Option<u8>,
    /// The layers of influence, by their ids.
    pub influences: Vec<Influence>,
}

/// A layer of influence.
#[derive(Clone, Debug)]
pub struct Influence {
    /// What the mover multiplies its values by; 0 if it does not mind it.
    pub weight: u8,
    /// Row by row.
    pub values: Vec<u8>,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            side: 1,
            links: Vec::new(),
            heights: Vec::new(),
            slopes: (1, 1),
            fences: Vec::new(),
            fence_factor: None,
            influences: Vec::new(),
        }
    }
}

impl Ground {
    /// A map drawn in characters for the plain mover: `#` is a wall, a digit its own cost, all else costs 1.
    pub fn drawn(rows: &[&str], rule: CornerRule) -> Self {
        let terrain = rows.iter().flat_map(|row| row.bytes()).map(|mark| match mark {
            b'#' => 0,
            b'1'..=b'9' => mark - b'0',
            _ => 1,
        });
        let terrain: Vec<u8> = terrain.collect();
        let (width, height) = (rows[0].len() as i32, rows.len() as i32);
        assert_eq!(terrain.len(), rows[0].len() * rows.len(), "ragged drawing");
        Self { width, height, terrain, mover: Mover::Plain, rule, layers: Layers::default() }
    }

    /// A map of one terrain for the plain mover.
    pub fn plain(width: i32, height: i32, terrain: u8, rule: CornerRule) -> Self {
        let terrain = vec![terrain; (width * height) as usize];
        Self { width, height, terrain, mover: Mover::Plain, rule, layers: Layers::default() }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    pub fn index(&self, cell: Cell) -> usize {
        (cell.y * self.width + cell.x) as usize
    }

    /// The entering cost, 0 for walls and outside, and where a fence runs through the unit.
    pub fn cost(&self, anchor: Cell) -> u8 {
        let covered = self.covered(anchor);
        let is_split = |&(one, other): &(Cell, Cell)| covered.contains(&one) && covered.contains(&other);
        let prices = covered.iter().map(|&cell| {
            let inside = cell.x >= 0 && cell.y >= 0 && cell.x < self.width && cell.y < self.height;
            if inside { self.cost_of_cell(self.index(cell)) } else { 0 }
        });
        let prices: Vec<_> = prices.collect();
        let is_barred = self.layers.fence_factor.is_none() && self.layers.fences.iter().any(is_split);
        let is_open = !prices.contains(&0) && !is_barred;
        if is_open { prices.into_iter().max().unwrap() } else { 0 }
    }

    /// What a cell costs whoever stands on nothing else.
    fn cost_of_cell(&self, index: usize) -> u8 {
        let influences = self.layers.influences.iter();
        let added: u32 = influences.map(|layer| u32::from(layer.weight) * u32::from(layer.values[index])).sum();
        match self.mover.price(self.terrain[index]) {
            0 => 0,
            price => (u32::from(price) + added).min(255) as u8,
        }
    }

    /// The cells that a unit stands on.
    fn covered(&self, anchor: Cell) -> Vec<Cell> {
        let side = 0..self.layers.side;
        side.clone().flat_map(|y| side.clone().map(move |x| Cell::new(anchor.x + x, anchor.y + y))).collect()
    }

    /// Whether a fence is in the way of a straight step: between two cells, or through a larger unit once it has moved.
    fn is_fenced(&self, from: Cell, to: Cell) -> bool {
        let then = if self.layers.side == 1 { vec![from, to] } else { self.covered(to) };
        let bars = |(one, other): &(Cell, Cell)| then.contains(one) && then.contains(other);
        self.layers.fence_factor.is_none() && self.layers.fences.iter().any(bars)
    }

    /// What a straight step pays for slopes and fences: the dearest of the cells covered.
    fn straight_factor(&self, from: Cell, to: Cell) -> u32 {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let height = |cell: Cell| {
            let inside = cell.x >= 0 && cell.y >= 0 && cell.x < self.width && cell.y < self.height;
            inside.then(|| self.layers.heights.get(self.index(cell)).copied().unwrap_or(0))
        };
        let factors = self.covered(from).into_iter().filter_map(|cell| {
            let next = Cell::new(cell.x + dx, cell.y + dy);
            let (here, there) = (height(cell)?, height(next)?);
            let slope = match there - here {
                0 => 1,
                1.. => u32::from(self.layers.slopes.0),
                _ => u32::from(self.layers.slopes.1),
            };
            let fences = &self.layers.fences;
            let crosses = fences.contains(&(cell, next)) || fences.contains(&(next, cell));
            Some(slope * if crosses { u32::from(self.layers.fence_factor.unwrap_or(1)) } else { 1 })
        });
        factors.max().unwrap_or(1)
    }

    /// What a legal step costs, but for its length.
    pub fn price(&self, from: Cell, to: Cell) -> u32 {
        let around = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let factors = around.map(|side| match side {
            _ if !is_diagonal(from, to) => self.straight_factor(from, to),
            side => self.straight_factor(from, side).max(self.straight_factor(side, to)),
        });
        u32::from(self.cost(to)) * factors[0].max(factors[1])
    }

    /// Whether the cost of a step may be more than that of the cell entered.
    pub fn has_edge_costs(&self) -> bool {
        let Layers { heights, slopes, fences, fence_factor, .. } = &self.layers;
        let has_slopes = *slopes != (1, 1) && heights.iter().any(|&height| height != 0);
        has_slopes || fence_factor.is_some_and(|factor| factor > 1) && !fences.is_empty()
    }

    /// The links that lead on from a cell.
    pub fn links_from(&self, from: Cell) -> impl Iterator<Item = (Cell, u32)> {
        let usable = self
            .layers
            .links
            .iter()
            .filter(move |&&(one, to, _)| one == from && self.is_open(from) && self.is_open(to));
        usable.map(|&(_, to, cost)| (to, cost))
    }

    pub fn is_open(&self, cell: Cell) -> bool {
        self.cost(cell) > 0
    }

    /// Whether one step may lead from `from`, which may be a wall, to `to`.
    pub fn is_legal(&self, from: Cell, to: Cell) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if !self.is_open(to) || dx.abs().max(dy.abs()) != 1 {
            return false;
        }
        let beside = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        if beside
            .iter()
            .any(|&side| (side != from && self.is_fenced(from, side)) || (side != to && self.is_fenced(side, to)))
        {
            return false;
        }
        let free = beside.into_iter().filter(|&side| self.is_open(side)).count();
        dx == 0
            || dy == 0
            || match self.rule {
                CornerRule::Never => false,
                CornerRule::Always => true,
                CornerRule::AtLeastOneFree => free >= 1,
                CornerRule::BothFree => free == 2,
            }
    }

    /// The cost of the cheapest way from any source to each cell, on top of what the source begins with.
    pub fn spread_from<T: Copy + PartialOrd + Add<Output = T>>(
        &self,
        sources: &[(Cell, T)],
        step: fn(bool, u32) -> T,
    ) -> Vec<Option<T>> {
        let links = |here| self.links_from(here).map(|(there, cost)| (there, step(false, cost))).collect();
        self.spread(sources, links, |here, there| {
            self.is_legal(here, there).then(|| step(is_diagonal(here, there), self.price(here, there)))
        })
    }

    /// The cost of the cheapest way from each open cell to any open source, and what the source ends with on top.
    pub fn spread_toward<T: Copy + PartialOrd + Add<Output = T>>(
        &self,
        sources: &[(Cell, T)],
        step: fn(bool, u32) -> T,
    ) -> Vec<Option<T>> {
        let open: Vec<_> = sources.iter().copied().filter(|&(cell, _)| self.is_open(cell)).collect();
        let links = |here| {
            let into =
                self.layers.links.iter().filter(|&&(from, to, _)| to == here && self.is_open(from) && self.is_open(to));
            into.map(|&(from, _, cost)| (from, step(false, cost))).collect()
        };
        self.spread(&open, links, |here, there| {
            let legal = self.is_open(there) && self.is_legal(there, here);
            legal.then(|| step(is_diagonal(here, there), self.price(there, here)))
        })
    }

    /// Relaxes first come, first served, until nothing gets cheaper: no order of expansion to get wrong.
    fn spread<T: Copy + PartialOrd + Add<Output = T>>(
        &self,
        sources: &[(Cell, T)],
        links: impl Fn(Cell) -> Vec<(Cell, T)>,
        price: impl Fn(Cell, Cell) -> Option<T>,
    ) -> Vec<Option<T>> {
        let mut values: Vec<Option<T>> = vec![None; self.terrain.len()];
        let mut pending = VecDeque::new();
        for &(cell, value) in sources {
            let known = &mut values[self.index(cell)];
            if known.is_none_or(|known| value < known) {
                *known = Some(value);
                pending.push_back(cell);
            }
        }
        while let Some(here) = pending.pop_front() {
            let Some(value) = values[self.index(here)] else { continue };
            let around = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
            let steps = around.into_iter().filter_map(|(dx, dy)| {
                let there = Cell::new(here.x + dx, here.y + dy);
                Some((there, price(here, there)?))
            });
            for (there, step) in links(here).into_iter().chain(steps) {
                let known = &mut values[self.index(there)];
                if known.is_none_or(|known| value + step < known) {
                    *known = Some(value + step);
                    pending.push_back(there);
                }
            }
        }
        values
    }

    pub fn map(&self) -> TerrainMap {
        let terrain = self.terrain.iter().copied().map(TerrainId).collect();
        let mut map = TerrainMap::from_grid(Grid::from_rows(self.width as usize, terrain).unwrap());
        for &(from, to, cost) in &self.layers.links {
            map.add_link(Link::new(from, to, cost)).unwrap();
        }
        if !self.layers.heights.is_empty() {
            map.edit_heights(self.cells().zip(self.layers.heights.iter().copied())).unwrap();
        }
        for &(one, other) in &self.layers.fences {
            map.set_fence(one, other, true).unwrap();
        }
        for (id, layer) in (0..).zip(&self.layers.influences) {
            map.edit_influence(InfluenceId(id), self.cells().zip(layer.values.iter().copied())).unwrap();
        }
        map
    }

    pub fn class(&self) -> MovementClass {
        let priced = (0..=u8::MAX).map(|terrain| (TerrainId(terrain), i64::from(self.mover.price(terrain))));
        let (uphill, downhill) = self.layers.slopes;
        let class = MovementClass::new(format!("{:?}", self.mover)).with_corner_rule(self.rule);
        let class = class.with_slopes(i64::from(uphill), i64::from(downhill)).unwrap();
        let class = match self.layers.fence_factor {
            None => class,
            Some(factor) => class.with_fence_factor(i64::from(factor)).unwrap(),
        };
        let minded = (0..).zip(&self.layers.influences).filter(|(_, layer)| layer.weight > 0);
        let class = minded
            .fold(class, |class, (id, layer)| class.with_influence(InfluenceId(id), i64::from(layer.weight)).unwrap());
        priced
            .filter(|&(_, cost)| cost > 0)
            .fold(class, |class, (terrain, cost)| class.with_cost(terrain, cost).expect("prices are costs"))
    }

    pub fn grid(&self) -> CostGrid {
        if self.layers.side == 1 {
            return CostGrid::new(&self.map(), &self.class());
        }
        CostGrid::for_units(&self.map(), &self.class(), self.layers.side as u32).unwrap()
    }

    /// Fails unless the path begins at `start`, takes only legal steps, and costs what it says.
    ///
    /// Returns its cost in whole fixed-point units.
    #[track_caller]
    pub fn check_path(&self, path: &Path, start: Cell) -> i64 {
        assert_eq!(path.start(), Some(start));
        let (mut whole, mut real) = (0, 0.0);
        for pair in path.cells().windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let walk = self.is_legal(from, to).then(|| (is_diagonal(from, to), self.price(from, to)));
            let links = self.links_from(from).filter(|&(end, _)| end == to).map(|(_, cost)| (false, cost));
            let cheapest = walk.into_iter().chain(links).min_by_key(|&(diagonal, price)| whole_step(diagonal, price));
            let (diagonal, price) = cheapest.unwrap_or_else(|| panic!("{from} to {to} on {self:?}"));
            whole += whole_step(diagonal, price);
            real += real_step(diagonal, price);
        }
        assert!(close(path.cost().units(), real), "{} is not {real}", path.cost().units());
        assert_eq!(whole_cost(path), whole);
        whole
    }
}

/// One cell to search for, by way of an estimate.
pub struct Spot {
    size: GridSize,
    cell: Cell,
    heuristic: Heuristic,
    cheapest: u32,
}

impl Spot {
    pub fn new(grid: &CostGrid, cell: Cell, heuristic: Heuristic) -> Self {
        Self { size: grid.size(), cell, heuristic, cheapest: grid.cheapest_cost() }
    }
}

impl Goal for Spot {
    fn is_goal(&self, node: NodeId) -> bool {
        self.size.cell(node) == self.cell
    }

    fn estimate(&self, node: NodeId) -> Cost {
        self.heuristic.estimate(self.size.cell(node), self.cell).saturating_mul(self.cheapest)
    }
}

fn is_diagonal(from: Cell, to: Cell) -> bool {
    from.x != to.x && from.y != to.y
}

/// A step in the whole numbers that searches count in.
pub fn whole_step(diagonal: bool, cost: u32) -> i64 {
    i64::from(cost) * if diagonal { 3363 } else { 2378 }
}

/// A step in real terrain units.
pub fn real_step(diagonal: bool, cost: u32) -> f64 {
    f64::from(cost) * if diagonal { 2f64.sqrt() } else { 1.0 }
}

/// The cost of a path in the whole numbers that searches count in.
pub fn whole_cost(path: &Path) -> i64 {
    (path.cost().straight + path.cost().links) as i64 * 2378 + path.cost().diagonal as i64 * 3363
}

/// Equal but for rounding.
pub fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(1.0)
}

/// The cell of a drawing that has this mark.
#[track_caller]
pub fn marked(rows: &[&str], mark: char) -> Cell {
    let spot = rows.iter().enumerate().find_map(|(y, row)| row.find(mark).map(|x| (x as i32, y as i32)));
    spot.expect("the mark is in the drawing").into()
}

/// How many times a random test does what it usually does so many times: as often as `WAYFIELD_ROUNDS` says, or once.
pub fn rounds(usual: usize) -> usize {
    let times = std::env::var("WAYFIELD_ROUNDS").map_or(1, |times| times.parse().expect("a whole number"));
    usual * times
}

/// A small generator of numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// A number from 0 to `sides` - 1.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    pub fn cell(&mut self, ground: &Ground) -> Cell {
        Cell::new(self.roll(ground.width as u64) as i32, self.roll(ground.height as u64) as i32)
    }

    /// A map of 1 x 1 to 24 x 24, sometimes a single row or column; up to 60 % walls; costs of 1, 1 to 9 or 1 to 255.
    pub fn ground(&mut self) -> Ground {
        let (width, height) = match self.roll(12) {
            0 => (1, 1 + self.roll(24)),
            1 => (1 + self.roll(24), 1),
            2..=6 => (1 + self.roll(9), 1 + self.roll(9)),
            _ => (1 + self.roll(24), 1 + self.roll(24)),
        };
        let walls = self.roll(61);
        let dearest = [1, 9, 9, 255][self.roll(4) as usize];
        let cells = 0..width * height;
        let terrain = cells.map(|_| if self.roll(100) < walls { 0 } else { 1 + self.roll(dearest) as u8 }).collect();
        Ground {
            width: width as i32,
            height: height as i32,
            terrain,
            mover: Mover::ALL[self.roll(4) as usize / 3],
            rule: CornerRule::ALL[self.roll(4) as usize],
            layers: Layers::default(),
        }
    }

    /// As [`Dice::ground`], with fewer walls, and with any of: larger units, links, slopes, fences and influences.
    pub fn layered_ground(&mut self) -> Ground {
        let mut ground = self.ground();
        for terrain in &mut ground.terrain {
            *terrain = (*terrain).max(self.roll(2) as u8);
        }
        if self.roll(3) == 0 {
            ground.layers.side = (1 + self.roll(3) as i32).min(ground.width).min(ground.height);
        }
        if self.roll(2) == 0 {
            let dearest = [1, 6, 40][self.roll(3) as usize];
            for _ in 0..self.roll(6) {
                let (from, to) = (self.cell(&ground), self.cell(&ground));
                if from != to {
                    ground.layers.links.push((from, to, 1 + self.roll(dearest) as u32));
                }
            }
        }
        if self.roll(3) == 0 {
            ground.layers.heights = ground.terrain.iter().map(|_| self.roll(4) as i16 - 1).collect();
            ground.layers.slopes = [(1, 1), (3, 1), (1, 2), (4, 2)][self.roll(4) as usize];
        }
        if self.roll(3) == 0 {
            for _ in 0..self.roll(1 + ground.terrain.len() as u64 / 2) {
                ground.layers.fences.extend(self.fence(&ground));
            }
            ground.layers.fence_factor = [None, None, Some(1), Some(3)][self.roll(4) as usize];
        }
        if self.roll(3) == 0 {
            for _ in 0..=self.roll(2) {
                let (weight, dearest) = ([0, 1, 2, 40][self.roll(4) as usize], [3, 9, 256][self.roll(3) as usize]);
                let values = ground.terrain.iter().map(|_| (self.roll(3) / 2 * self.roll(dearest)) as u8).collect();
                ground.layers.influences.push(Influence { weight, values });
            }
        }
        ground
    }

    /// Two cells side by side, if the first one has a neighbour there.
    pub fn fence(&mut self, ground: &Ground) -> Option<(Cell, Cell)> {
        let one = self.cell(ground);
        let other = [Cell::new(one.x + 1, one.y), Cell::new(one.x, one.y + 1)][self.roll(2) as usize];
        (other.x < ground.width && other.y < ground.height).then_some((one, other))
    }
}
