//! What is measured on: maps made by rule, questions across them, and the steps as a peer library wants them.

use std::iter::repeat_with;

use wayfield::space::Space;
use wayfield::{Cell, Cost, CostGrid, Grid, GridSize, MovementClass, NodeId, TerrainCost, TerrainId, TerrainMap};

/// The dearest terrain.
const DEAREST: u8 = 9;

/// How many questions a map made by rule has in the benches.
const FEW: usize = 4;

/// A map to search on, with the cells to search between.
pub struct Ground {
    /// What it is, and its size.
    pub name: String,
    /// The map, whose terrains are numbered by what they cost; 0 is wall.
    pub map: TerrainMap,
    /// The map as units see it that stand on one cell.
    pub grid: CostGrid,
    /// Starts and goals, between which there is a way.
    pub queries: Vec<(Cell, Cell)>,
    /// How long the cheapest ways are, if somebody else has said so, and how far off a right answer may be.
    pub lengths: Vec<(f64, f64)>,
}

/// A small generator of numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to `sides` - 1.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Open ground, rooms, noise, and terrain weighted in patches and cell by cell, at these sizes, with few questions.
pub fn all(sides: &[u64]) -> Vec<Ground> {
    let of_side = |&side| uniform(side, FEW).into_iter().chain([weighted(side), strewn(side)]);
    sides.iter().flat_map(of_side).collect()
}

/// Open ground, rooms and noise: every cell that can be entered costs the same.
pub fn uniform(side: u64, queries: usize) -> [Ground; 3] {
    [open(side, queries), rooms(side, queries), noise(side, queries)]
}

/// Nothing but plain ground.
fn open(side: u64, queries: usize) -> Ground {
    Ground::generated("open", side, queries, |_, _| 1)
}

/// Costs from 1 to 9 cell by cell, and a few walls.
fn strewn(side: u64) -> Ground {
    let mut dice = Dice(6);
    Ground::generated("strewn", side, FEW, |_, _| dice.roll(10) as u8)
}

/// Rooms of 16 x 16 with a door or two in each wall.
fn rooms(side: u64, queries: usize) -> Ground {
    let mut dice = Dice(1);
    let mut doors: Vec<u64> = repeat_with(|| dice.roll(15)).take((side * side) as usize).collect();
    doors[0] = 1;
    let room = |x: u64, y: u64| (y / 16 * side + x / 16) as usize;
    Ground::generated("rooms", side, queries, |x, y| {
        let door = doors[room(x, y)];
        match (x % 16, y % 16) {
            (0, 0) => 0,
            (0, along) => u8::from(along == door + 1),
            (along, 0) => u8::from(along == 15 - door),
            _ => 1,
        }
    })
}

/// One cell in four is a wall.
fn noise(side: u64, queries: usize) -> Ground {
    let mut dice = Dice(2);
    Ground::generated("noise", side, queries, |_, _| u8::from(dice.roll(4) > 0))
}

/// Costs from 1 to 9 in patches, and a few walls.
fn weighted(side: u64) -> Ground {
    let mut dice = Dice(3);
    let patches: Vec<u8> = repeat_with(|| 1 + dice.roll(9) as u8).take((side * side) as usize).collect();
    let mut walls = Dice(4);
    Ground::generated("weighted", side, FEW, |x, y| {
        let patch = patches[(y / 6 * side + x / 6) as usize];
        if walls.roll(10) == 0 { 0 } else { patch }
    })
}

impl Ground {
    /// A map whose entering costs `cost` says, 0 for a wall, and questions on it.
    pub fn new(name: String, size: GridSize, mut cost: impl FnMut(u64, u64) -> u8, queries: Vec<(Cell, Cell)>) -> Self {
        let terrain = |cell: Cell| TerrainId(cost(cell.x as u64, cell.y as u64));
        let cells = size.rect().cells().map(terrain).collect();
        let map = match Grid::from_rows(size.width() as usize, cells) {
            Ok(cells) => TerrainMap::from_grid(cells),
            Err(error) => panic!("{error}"),
        };
        let class = (1..=DEAREST).fold(MovementClass::new("foot"), |mut class, cost| {
            class.set_cost(TerrainId(cost), TerrainCost::try_from(i64::from(cost)).ok());
            class
        });
        let grid = CostGrid::new(&map, &class);
        Self { name, map, grid, queries, lengths: Vec::new() }
    }

    /// A square map, and so many questions between cells that are far apart.
    fn generated(name: &str, side: u64, queries: usize, cost: impl FnMut(u64, u64) -> u8) -> Self {
        let size = match GridSize::new(side, side) {
            Ok(size) => size,
            Err(error) => panic!("{error}"),
        };
        let ground = Self::new(format!("{name} {side}"), size, cost, Vec::new());
        let mut dice = Dice(5);
        let mut cell = || Cell::new(dice.roll(side) as i32, dice.roll(side) as i32);
        let far_apart = |&(start, goal): &(Cell, Cell)| {
            let grid = &ground.grid;
            grid.is_passable(start) && grid.is_reachable(start, goal) && u64::from(start.chebyshev(goal)) > side / 2
        };
        let queries = repeat_with(|| (cell(), cell())).filter(far_apart).take(queries).collect();
        Self { queries, ..ground }
    }

    /// The same walls and questions on ground that costs from 1 to 9, cell by cell.
    pub fn with_noise(&self) -> Self {
        let mut dice = Dice(7);
        self.with_costs("noise", |_, _| 1 + dice.roll(u64::from(DEAREST)) as u8)
    }

    /// The same walls and questions on zones of 40 x 40 cells that cost 1, 2 or 4.
    pub fn with_zones(&self) -> Self {
        let mut dice = Dice(8);
        let zones: Vec<u8> = repeat_with(|| 1 << dice.roll(3)).take(1 << 12).collect();
        self.with_costs("zones", |x, y| zones[(y / 40 * 64 + x / 40) as usize % zones.len()])
    }

    fn with_costs(&self, kind: &str, mut cost: impl FnMut(u64, u64) -> u8) -> Self {
        let costs = |x: u64, y: u64| {
            let cost = cost(x, y);
            if self.grid.is_passable(Cell::new(x as i32, y as i32)) { cost } else { 0 }
        };
        Self::new(format!("{}, {kind}", self.name), self.grid.size(), costs, self.queries.clone())
    }

    /// The node of a cell of the map.
    pub fn node(&self, cell: Cell) -> NodeId {
        match self.grid.size().index(cell) {
            Some(node) => node,
            None => panic!("{cell} is outside"),
        }
    }

    /// The questions by node.
    pub fn nodes(&self) -> Vec<(NodeId, NodeId)> {
        self.queries.iter().map(|&(start, goal)| (self.node(start), self.node(goal))).collect()
    }
}

/// The steps out of a node, as other libraries take them, without any memory of their own.
pub fn successors(space: &impl Space, node: NodeId) -> impl Iterator<Item = (NodeId, u32)> {
    let mut steps = [None; 8];
    let mut places = steps.iter_mut();
    space.expand(node, None, |next, cost: Cost| {
        if let Some(place) = places.next() {
            *place = Some((next, cost.raw()));
        }
    });
    steps.into_iter().flatten()
}
