//! What the benches run on: maps made by rule, queries across them, and the steps as a peer library wants them.

use std::iter::repeat_with;

use wayfield::space::Space;
use wayfield::{Cell, Cost, CostGrid, Grid, MovementClass, NodeId, TerrainId, TerrainMap};

/// A map to search on, with the far apart cells to search between.
pub struct Ground {
    pub name: String,
    pub map: TerrainMap,
    pub grid: CostGrid,
    pub queries: Vec<(Cell, Cell)>,
}

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Open ground, rooms, noise, and terrain weighted in patches and cell by cell, at these sizes.
pub fn all(sides: &[u64]) -> Vec<Ground> {
    let of_side = |&side| [open(side), rooms(side), noise(side), weighted(side), strewn(side)];
    sides.iter().flat_map(of_side).collect()
}

/// Nothing but plain ground.
fn open(side: u64) -> Ground {
    Ground::new("open", side, |_, _| 1)
}

/// Costs from 1 to 9 cell by cell, and a few walls.
fn strewn(side: u64) -> Ground {
    let mut dice = Dice(6);
    Ground::new("strewn", side, |_, _| dice.roll(10) as u8)
}

/// Rooms of 16 x 16 with a door or two in each wall.
fn rooms(side: u64) -> Ground {
    let mut dice = Dice(1);
    let mut doors: Vec<u64> = repeat_with(|| dice.roll(15)).take((side * side) as usize).collect();
    doors[0] = 1;
    let room = |x: u64, y: u64| (y / 16 * side + x / 16) as usize;
    Ground::new("rooms", side, |x, y| {
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
fn noise(side: u64) -> Ground {
    let mut dice = Dice(2);
    Ground::new("noise", side, |_, _| u8::from(dice.roll(4) > 0))
}

/// Costs from 1 to 9 in patches, and a few walls.
fn weighted(side: u64) -> Ground {
    let mut dice = Dice(3);
    let patches: Vec<u8> = repeat_with(|| 1 + dice.roll(9) as u8).take((side * side) as usize).collect();
    let mut walls = Dice(4);
    Ground::new("weighted", side, |x, y| {
        let patch = patches[(y / 6 * side + x / 6) as usize];
        if walls.roll(10) == 0 { 0 } else { patch }
    })
}

impl Ground {
    /// A map whose entering costs `cost` says, 0 for a wall.
    fn new(name: &str, side: u64, mut cost: impl FnMut(u64, u64) -> u8) -> Self {
        let cells = (0..side * side).map(|index| TerrainId(cost(index % side, index / side))).collect();
        let map = match Grid::from_rows(side as usize, cells) {
            Ok(cells) => TerrainMap::from_grid(cells),
            Err(error) => panic!("{error}"),
        };
        let class = (1..=9).fold(MovementClass::new("foot"), |mut class, cost| {
            class.set_cost(TerrainId(cost), wayfield::TerrainCost::try_from(i64::from(cost)).ok());
            class
        });
        let grid = CostGrid::new(&map, &class);
        let mut dice = Dice(5);
        let mut cell = || Cell::new(dice.roll(side) as i32, dice.roll(side) as i32);
        let far_apart = |&(start, goal): &(Cell, Cell)| {
            grid.is_passable(start) && grid.is_reachable(start, goal) && u64::from(start.chebyshev(goal)) > side / 2
        };
        let queries = repeat_with(|| (cell(), cell())).filter(far_apart).take(4).collect();
        Self { name: format!("{name} {side}"), map, grid, queries }
    }

    pub fn node(&self, cell: Cell) -> NodeId {
        match self.grid.size().index(cell) {
            Some(node) => node,
            None => panic!("{cell} is outside"),
        }
    }
}

/// The steps out of a node in a list, as other libraries take them.
pub fn successors(space: &impl Space, node: NodeId) -> Vec<(NodeId, u32)> {
    let mut steps = Vec::with_capacity(8);
    space.expand(node, None, |next, cost: Cost| steps.push((next, cost.raw())));
    steps
}
