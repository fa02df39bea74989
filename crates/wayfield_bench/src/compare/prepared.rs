//! Jump tables: how long they take to build and to repair, and how much sooner searches end.

use std::hint::black_box;
use std::time::Instant;

use wayfield::{Algorithm, Answer, Cell, CostGrid, PathQuery, PathSearch, TerrainId, TerrainMap};
use wayfield_bench::ground::{Dice, Ground};

use super::{Effort, Findings};
use crate::report::{Bound, Detail, Line};
use crate::rounds::{Contestant, Spread, geometric_means, take_turns};

const ONLINE: &str = "jps";
const PREPARED: &str = "jps, prepared";
const BUILD: &str = "build";

/// The cells of the maps that building is promised for: those of 512 x 512.
const CELLS: usize = 1 << 18;
/// How many cells are closed and opened again on a map in a round.
const EDITS: usize = 100;

/// Compares on all maps; building on the largest that are not larger than 512 x 512.
pub fn compare(grounds: &[Ground], effort: Effort, findings: &mut Findings) {
    let (mut ratios, mut builds, mut details) = (Vec::new(), Vec::new(), Vec::new());
    let largest = grounds.iter().map(|ground| ground.grid.size().cells()).filter(|&cells| cells <= CELLS).max();
    for ground in grounds {
        let mut grid = ground.grid.clone();
        grid.build_jump_table();
        check(ground, &grid);
        let (mut plain, mut prepared) = (PathSearch::default(), PathSearch::default());
        let mut built = ground.grid.clone();
        let mut contestants = vec![
            Contestant::new(ONLINE, || ask(&mut plain, &ground.grid, ground)),
            Contestant::new(PREPARED, || ask(&mut prepared, &grid, ground)),
        ];
        if Some(ground.grid.size().cells()) == largest {
            contestants.push(Contestant::new(BUILD, || {
                built.drop_jump_table();
                built.build_jump_table();
            }));
        }
        let times = take_turns(effort.rounds, contestants);
        let ratio = times.ratios(PREPARED, ONLINE);
        details.push(Detail {
            map: ground.name.clone(),
            yardstick: ONLINE,
            ratios: vec![(PREPARED, Spread::of(ratio.clone()))],
            note: String::new(),
        });
        ratios.push(ratio);
        builds.push(times.of(BUILD).iter().map(|time| time * 1e3).collect::<Vec<_>>());
    }
    builds.retain(|times| !times.is_empty());
    let mut edits: Vec<_> = grounds.iter().map(Edits::new).collect();
    let medians = (0..effort.rounds).map(|round| {
        let times = edits.iter_mut().flat_map(|edits| edits.run(round)).collect();
        Spread::of(times).median * 1e6
    });
    let edited = medians.collect();

    let lines = &mut findings.lines;
    let what = format!("jump tables: `jps` with one / without, geometric mean of {} maps", ratios.len());
    let line = Line::new(what, "x", geometric_means(&ratios), Bound::AtMost(0.8));
    lines.push(line.with_goal(Bound::AtMost(0.6)));
    let slowest = builds.into_iter().max_by(|one, other| median(one).total_cmp(&median(other))).unwrap_or_default();
    let what = format!("building one of {} cells, the map where it takes longest", largest.unwrap_or_default());
    lines.push(Line::new(what, "ms", slowest, Bound::AtMost(30.0)));
    let what = "what an edit of one cell takes longer for repairing it: the median";
    lines.push(Line::new(what, "us", edited, Bound::AtMost(50.0)));
    findings.details.extend(details);
}

fn median(values: &[f64]) -> f64 {
    Spread::of(values.to_vec()).median
}

fn query(start: Cell, goal: Cell) -> PathQuery {
    PathQuery { algorithm: Algorithm::Jps, ..PathQuery::new(start, goal) }
}

fn ask(search: &mut PathSearch, grid: &CostGrid, ground: &Ground) {
    for &(start, goal) in &ground.queries {
        _ = black_box(search.find(grid, &query(start, goal)));
    }
}

/// Fails unless answers and stats are the same with the table and without.
fn check(ground: &Ground, prepared: &CostGrid) {
    for &(start, goal) in &ground.queries {
        let [one, other] = [&ground.grid, prepared].map(|grid| answer(grid, start, goal));
        assert!(one.outcome.path().is_some(), "{}, from {start} to {goal}: no way", ground.name);
        assert_eq!(one, other, "{}, from {start} to {goal}", ground.name);
    }
}

fn answer(grid: &CostGrid, start: Cell, goal: Cell) -> Answer {
    match PathSearch::default().find(grid, &query(start, goal)) {
        Ok(answer) => answer,
        Err(error) => panic!("{error}"),
    }
}

/// A map that is edited, and its grid without a table and with one.
struct Edits<'a> {
    ground: &'a Ground,
    map: TerrainMap,
    grids: [CostGrid; 2],
}

impl<'a> Edits<'a> {
    fn new(ground: &'a Ground) -> Self {
        let plain = ground.grid.clone();
        let mut prepared = plain.clone();
        prepared.build_jump_table();
        Self { ground, map: ground.map.clone(), grids: [plain, prepared] }
    }

    /// How much longer the grid with the table took for each edit, in seconds.
    fn run(&mut self, round: usize) -> Vec<f64> {
        let mut dice = Dice(round as u64);
        let mut times = Vec::with_capacity(2 * EDITS);
        let size = self.ground.grid.size();
        while times.len() < 2 * EDITS {
            let cell = Cell::new(dice.roll(size.width().into()) as i32, dice.roll(size.height().into()) as i32);
            if !self.ground.grid.is_passable(cell) {
                continue;
            }
            let was = self.map.terrain(cell).unwrap_or(TerrainId(0));
            for terrain in [TerrainId(0), was] {
                times.push(self.edit(cell, terrain, times.len() / 2 % 2));
                if times.len() == 1 {
                    self.check();
                }
            }
        }
        times
    }

    /// Edits a cell, and lets the two grids catch up one after the other.
    fn edit(&mut self, cell: Cell, terrain: TerrainId, first: usize) -> f64 {
        if let Err(error) = self.map.edit([(cell, terrain)]) {
            panic!("{}: {error}", self.ground.name);
        }
        let mut seconds = [0.0; 2];
        for number in [first, 1 - first] {
            let begun = Instant::now();
            self.grids[number].refresh(&self.map, self.ground.grid.class());
            seconds[number] = begun.elapsed().as_secs_f64();
        }
        seconds[1] - seconds[0]
    }

    /// Fails unless the repaired table is one built anew.
    fn check(&self) {
        let mut anew = CostGrid::new(&self.map, self.ground.grid.class());
        anew.build_jump_table();
        assert!(self.grids[1] == anew, "{}: another table", self.ground.name);
    }
}
