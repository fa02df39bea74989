//! A* with a bucket queue and canonical ordering on a grid, written straight down for this one case: the limit of a search
//! cell by cell.

use wayfield::{Cell, CornerRule, Cost, CostGrid, Direction};

use super::first_moves::offsets;

/// Buckets of two fifths of a straight step, and so many that the ring never laps itself where terrain costs up to 9.
const WIDTH_BITS: u32 = 10;
const BUCKETS: usize = 1024;

#[derive(Clone, Copy, Default)]
struct Record {
    cost: u32,
    /// The direction it was reached in, 8 for the start, and above four bits the round.
    mark: u32,
}

const START: u32 = 8;

/// Everything it needs of a grid, flat; its memory is used again.
pub struct BucketedAStar {
    width: u32,
    /// 2^63 divided by the width, and a little more: what a node is multiplied with instead of dividing it.
    reciprocal: u64,
    entering: Vec<u8>,
    /// The legal moves, and whether different costs lie around.
    moves: Vec<[u8; 2]>,
    records: Vec<Record>,
    round: u32,
    buckets: Vec<Vec<(u32, u32)>>,
    filled: [u64; BUCKETS / 64],
    /// By arrival: what is ahead, and what goes on where no wall is behind.
    ahead: [u8; 9],
    natural: [u8; 9],
    /// By arrival, if it is straight: the two sides, and what each opens when there is a wall beside the cell before.
    corners: [[(u8, u8); 2]; 9],
}

/// Nearer directions than this many eighths of a turn are ahead.
fn within(arrival: Direction, turns: i32) -> u8 {
    let angle = |direction: Direction| {
        let (dx, dy) = direction.delta();
        (f64::from(dy).atan2(f64::from(dx)) / std::f64::consts::FRAC_PI_4).round() as i32
    };
    let near = |direction: &&Direction| {
        let apart = (angle(**direction) - angle(arrival)).rem_euclid(8);
        apart.min(8 - apart) <= turns
    };
    Direction::ALL.iter().filter(near).fold(0, |set, &direction| set | 1 << direction as u8)
}

impl BucketedAStar {
    /// A copy of a grid, which must be one of [`CornerRule::BothFree`] without layers.
    pub fn new(grid: &CostGrid) -> Self {
        assert_eq!(grid.corner_rule(), CornerRule::BothFree);
        let size = grid.size();
        let cells = || size.rect().cells();
        let entering = |cell: Cell| grid.entering_cost(cell).map_or(0, |cost| cost.get());
        let moves = |cell| {
            let moves = grid.legal_moves(cell).iter().fold(0, |moves, direction| moves | 1u8 << direction as u8);
            let around = Direction::ALL.map(|direction| cell.step(direction));
            let here = entering(cell);
            let is_mixed = around.iter().map(|&beside| entering(beside)).any(|cost| cost != 0 && cost != here);
            [moves, u8::from(is_mixed)]
        };
        let (mut ahead, mut natural, mut corners) = ([u8::MAX; 9], [u8::MAX; 9], [[(u8::MAX, 0); 2]; 9]);
        for (index, &arrival) in Direction::ALL.iter().enumerate() {
            let is_diagonal = arrival.delta().0 != 0 && arrival.delta().1 != 0;
            ahead[index] = within(arrival, 2);
            natural[index] = within(arrival, if is_diagonal { 1 } else { 0 });
            if !is_diagonal {
                let sides = within(arrival, 2) & !within(arrival, 1);
                for (place, &side) in Direction::ALL.iter().filter(|&&side| sides >> side as u8 & 1 == 1).enumerate() {
                    corners[index][place] = (1 << side as u8, within(side, 1) & within(arrival, 2));
                }
            }
        }
        Self {
            width: size.width(),
            reciprocal: (1 << 63) / u64::from(size.width()) + 1,
            entering: cells().map(entering).collect(),
            moves: cells().map(moves).collect(),
            records: vec![Record::default(); size.cells()],
            round: 0,
            buckets: vec![Vec::new(); BUCKETS],
            filled: [0; BUCKETS / 64],
            ahead,
            natural,
            corners,
        }
    }

    fn cell(&self, node: u32) -> (u32, u32) {
        let y = ((u128::from(node) * u128::from(self.reciprocal)) >> 63) as u32;
        (node - y * self.width, y)
    }

    /// The cost of the cheapest path in fixed point, and its nodes from the goal back.
    pub fn find(&mut self, start: u32, goal: u32) -> Option<(u32, Vec<u32>)> {
        self.round += 1 << 4;
        self.filled = [0; BUCKETS / 64];
        self.buckets.iter_mut().for_each(Vec::clear);
        let offsets = offsets(self.width);
        let (goal_x, goal_y) = self.cell(goal);
        let octile = |(x, y): (u32, u32)| {
            let (dx, dy) = (x.abs_diff(goal_x), y.abs_diff(goal_y));
            Cost::STRAIGHT.raw() * dx.max(dy) + (Cost::DIAGONAL.raw() - Cost::STRAIGHT.raw()) * dx.min(dy)
        };
        let least = octile(self.cell(start));
        let mut current = (least >> WIDTH_BITS) as usize;
        let mut best = u32::MAX;
        self.records[start as usize] = Record { cost: 0, mark: self.round | START };
        self.buckets[current % BUCKETS].push((start, 0));
        loop {
            let Some((node, cost)) = self.buckets[current % BUCKETS].pop() else {
                self.filled[current % BUCKETS / 64] &= !(1 << (current % 64));
                let first = (current + 1) % BUCKETS;
                let bits = self.filled[first / 64] >> (first % 64);
                let ahead = if bits != 0 {
                    1 + bits.trailing_zeros() as usize
                } else {
                    let found = (1..=BUCKETS / 64).find_map(|after| {
                        let bits = self.filled[(first / 64 + after) % (BUCKETS / 64)];
                        (bits != 0).then_some(1 + after * 64 - first % 64 + bits.trailing_zeros() as usize)
                    });
                    let Some(ahead) = found else { break };
                    ahead
                };
                current += ahead;
                if current << WIDTH_BITS >= best as usize {
                    break;
                }
                continue;
            };
            let record = self.records[node as usize];
            if record.cost != cost {
                continue;
            }
            if node == goal {
                best = cost;
                continue;
            }
            let arrival = (record.mark & 15) as usize;
            let [legal, is_mixed] = self.moves[node as usize];
            let mut moves = if is_mixed != 0 {
                self.ahead[arrival]
            } else {
                let mut moves = self.natural[arrival];
                if arrival < 4 {
                    let [behind, _] = self.moves[node.wrapping_sub(offsets[arrival]) as usize];
                    for (side, opened) in self.corners[arrival] {
                        if behind & side == 0 {
                            moves |= opened;
                        }
                    }
                }
                moves
            } & legal;
            while moves != 0 {
                let direction = moves.trailing_zeros();
                moves &= moves - 1;
                let next = node.wrapping_add(offsets[direction as usize]);
                let length = if direction < 4 { Cost::STRAIGHT } else { Cost::DIAGONAL };
                let reached = cost + length.raw() * u32::from(self.entering[next as usize]);
                let known = self.records[next as usize];
                if known.mark & !15 == self.round && known.cost <= reached {
                    continue;
                }
                let priority = reached + octile(self.cell(next));
                if priority >= best {
                    continue;
                }
                self.records[next as usize] = Record { cost: reached, mark: self.round | direction };
                let place = ((priority >> WIDTH_BITS) as usize).max(current) % BUCKETS;
                self.buckets[place].push((next, reached));
                self.filled[place / 64] |= 1 << (place % 64);
            }
        }
        (best < u32::MAX).then(|| (best, self.way_back(goal, &offsets)))
    }

    fn way_back(&self, goal: u32, offsets: &[u32; 8]) -> Vec<u32> {
        let parent = |&node: &u32| {
            let arrival = self.records[node as usize].mark & 15;
            (arrival < START).then(|| node.wrapping_sub(offsets[arrival as usize]))
        };
        std::iter::successors(Some(goal), parent).collect()
    }
}
