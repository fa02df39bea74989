//! Fields after edits of one cell.

use std::time::Instant;

use wayfield::{Cell, CostGrid, DijkstraMap, TerrainId, TerrainMap};
use wayfield_bench::ground::{Dice, Ground};

use super::{Effort, Findings, is_of_a_game};
use crate::report::{Bound, Line};
use crate::rounds::Spread;

/// How many cells are closed and opened again on a map in a round.
const EDITS: usize = 200;
/// Every how many edits the field is compared with a new one.
const CHECKED: usize = 50;

/// Times the repairs on all maps that are not small.
pub fn compare(grounds: &[Ground], effort: Effort, findings: &mut Findings) {
    let (mut medians, mut slow, mut worst) = (Vec::new(), Vec::new(), Vec::new());
    let large: Vec<_> = grounds.iter().filter(|ground| ground.grid.size().cells() > 1 << 12).collect();
    for round in 0..effort.rounds {
        let (mut all, mut of_games, mut to_sweep) = (Vec::new(), Vec::new(), 0.0_f64);
        for ground in &large {
            let mut repairs = Repairs::new(ground);
            let times = repairs.run(round);
            // The greatest of hundreds of times is the machine's as often as ours: look at what is beyond one in a hundred.
            to_sweep = to_sweep.max(percentile(&times, 0.99) / repairs.sweep());
            if is_of_a_game(ground) {
                of_games.extend(&times);
            }
            all.extend(times);
        }
        medians.push(percentile(&all, 0.5) * 1e6);
        if !of_games.is_empty() {
            slow.push(percentile(&of_games, 0.99) * 1e6);
        }
        worst.push(to_sweep);
    }
    let lines = &mut findings.lines;
    lines.push(Line::new("repair of a field after an edit of one cell: the median", "us", medians, Bound::AtMost(2.0)));
    lines.push(Line::new("the same on maps of games: one in a hundred is slower", "us", slow, Bound::AtMost(100.0)));
    let what = "the same on the worst map: one in a hundred is slower, in times of a new field";
    lines.push(Line::new(what, "x", worst, Bound::AtMost(1.2)));
}

/// The value that a part of these is not above.
fn percentile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// A field on a map that is edited.
struct Repairs<'a> {
    ground: &'a Ground,
    map: TerrainMap,
    grid: CostGrid,
    goal: Cell,
    field: DijkstraMap,
}

impl<'a> Repairs<'a> {
    fn new(ground: &'a Ground) -> Self {
        let goal = ground.queries[0].1;
        let field = new_field(&ground.grid, goal);
        Self { ground, map: ground.map.clone(), grid: ground.grid.clone(), goal, field }
    }

    /// How long each repair took, in seconds.
    fn run(&mut self, round: usize) -> Vec<f64> {
        let mut dice = Dice(round as u64);
        let mut times = Vec::with_capacity(2 * EDITS);
        let size = self.grid.size();
        while times.len() < 2 * EDITS {
            let cell = Cell::new(dice.roll(size.width().into()) as i32, dice.roll(size.height().into()) as i32);
            if cell == self.goal || self.field.value(cell).is_none() {
                continue;
            }
            let was = self.map.terrain(cell).unwrap_or(TerrainId(0));
            for terrain in [TerrainId(0), was] {
                times.push(self.edit(cell, terrain));
                if times.len().is_multiple_of(CHECKED) {
                    assert!(self.field == new_field(&self.grid, self.goal), "{}: {cell}", self.ground.name);
                }
            }
        }
        times
    }

    fn edit(&mut self, cell: Cell, terrain: TerrainId) -> f64 {
        if let Err(error) = self.map.edit([(cell, terrain)]) {
            panic!("{}: {error}", self.ground.name);
        }
        self.grid.refresh(&self.map, self.ground.grid.class());
        let begun = Instant::now();
        let repair = self.field.repair(&self.grid, self.map.areas_since(self.field.revision()), [self.goal]);
        let seconds = begun.elapsed().as_secs_f64();
        if let Err(error) = repair {
            panic!("{}: {error}", self.ground.name);
        }
        seconds
    }

    /// How long a new field takes, in seconds.
    fn sweep(&self) -> f64 {
        let time = || {
            let begun = Instant::now();
            std::hint::black_box(new_field(&self.grid, self.goal));
            begun.elapsed().as_secs_f64()
        };
        Spread::of((0..3).map(|_| time()).collect()).median
    }
}

fn new_field(grid: &CostGrid, goal: Cell) -> DijkstraMap {
    match DijkstraMap::toward(grid, [goal]) {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    }
}
