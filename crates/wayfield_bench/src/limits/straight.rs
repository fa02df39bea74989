//! A* on a grid, written straight down for this one case: what the engine must not be much slower than.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfield::{Cell, Cost, CostGrid, Heuristic};

use super::first_moves::offsets;

#[derive(Clone, Copy, Default)]
struct Record {
    cost: u32,
    parent: u32,
    round: u32,
    closed: bool,
}

/// Everything it needs of a grid, flat; its memory is used again.
pub struct StraightAStar {
    width: u32,
    entering: Vec<u8>,
    moves: Vec<u8>,
    records: Vec<Record>,
    round: u32,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl StraightAStar {
    /// A copy of a grid.
    pub fn new(grid: &CostGrid) -> Self {
        let cells = || grid.size().rect().cells();
        let moves = |cell| grid.legal_moves(cell).iter().fold(0, |moves, direction| moves | 1u8 << direction as u8);
        Self {
            width: grid.size().width(),
            entering: cells().map(|cell| grid.entering_cost(cell).map_or(0, |cost| cost.get())).collect(),
            moves: cells().map(moves).collect(),
            records: vec![Record::default(); grid.size().cells()],
            round: 0,
            open: BinaryHeap::new(),
        }
    }

    /// The cost of the cheapest path in fixed point, and its nodes from the goal back.
    pub fn find(&mut self, start: u32, goal: u32) -> Option<(u32, Vec<u32>)> {
        self.round += 1;
        self.open.clear();
        let offsets = offsets(self.width);
        let cell = |node: u32| Cell::new((node % self.width) as i32, (node / self.width) as i32);
        let target = cell(goal);
        let estimate = |node: u32| Heuristic::Octile.estimate(cell(node), target).raw();
        self.records[start as usize] = Record { cost: 0, parent: start, round: self.round, closed: false };
        self.open.push(Reverse((estimate(start), u32::MAX, start)));
        while let Some(Reverse((_, tie, node))) = self.open.pop() {
            let record = &mut self.records[node as usize];
            if record.closed || record.cost != !tie {
                continue;
            }
            record.closed = true;
            let cost = record.cost;
            if node == goal {
                return Some((cost, self.way_back(goal)));
            }
            let mut moves = self.moves[node as usize];
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let next = node.wrapping_add(offsets[direction]);
                let length = if direction < 4 { Cost::STRAIGHT } else { Cost::DIAGONAL };
                let reached = cost + length.raw() * u32::from(self.entering[next as usize]);
                let known = &mut self.records[next as usize];
                if known.round == self.round && known.cost <= reached {
                    continue;
                }
                *known = Record { cost: reached, parent: node, round: self.round, closed: false };
                self.open.push(Reverse((reached + estimate(next), !reached, next)));
            }
        }
        None
    }

    fn way_back(&self, goal: u32) -> Vec<u32> {
        let parent = |&node: &u32| Some(self.records[node as usize].parent).filter(|&parent| parent != node);
        std::iter::successors(Some(goal), parent).collect()
    }
}
