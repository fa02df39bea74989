//! `wayfield scen --edit-every`: what repair after an edit says against searches from scratch.
//!
//! One cell changes at random. The query before is repaired by LPA* and D* Lite and answered over the repaired
//! hierarchy, and each answer is compared with that of a fresh A*. Then the cell is put back, and all is compared again.

use std::io::{self, Write};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use wayfield::search::Limits;
use wayfield::{
    Algorithm, Cell, CostGrid, Hierarchy, Outcome, Path, PathQuery, PathSearch, ReplanMethod, Replanner, TerrainId,
};

use crate::error::CliError;
use crate::input::World;
use crate::output::number;

/// What a wall is made of, should the map have none.
const WALL: TerrainId = TerrainId(b'@');

/// What came of all edits so far, as JSON has it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RepairSummary {
    /// Cells that were changed, each of which was put back, too.
    edits: usize,
    /// Repaired paths that cost another thing than a fresh A* finds, or are there where it finds none.
    incremental_mismatches: usize,
    /// The same over the repaired hierarchy, which may cost more, but never less.
    hierarchical_mismatches: usize,
    /// Hierarchies that differ from a new one after an edit.
    hierarchy_differences: usize,
    /// Cost over the repaired hierarchy against the fresh one, at worst.
    hierarchical_worst_ratio: Option<f64>,
    /// Expansions of the fresh searches.
    fresh_expanded: u64,
    /// Expansions of LPA* to repair.
    lpa_star_expanded: u64,
    /// Expansions of D* Lite to repair.
    d_star_lite_expanded: u64,
}

impl RepairSummary {
    /// The lines for people.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "  {} edits, each put back: {} mismatches of repaired paths, {} over the repaired hierarchy, which differed {} times",
            self.edits, self.incremental_mismatches, self.hierarchical_mismatches, self.hierarchy_differences
        )?;
        writeln!(
            out,
            "  expanded: {} afresh, {} by lpa_star, {} by d_star_lite; worst ratio over the hierarchy {}",
            self.fresh_expanded,
            self.lpa_star_expanded,
            self.d_star_lite_expanded,
            number(self.hierarchical_worst_ratio, 6)
        )
    }
}

/// Edits the map now and then, and keeps count of what comes of it.
pub struct RepairCheck {
    every: usize,
    dice: ChaCha8Rng,
    terrains: Vec<TerrainId>,
    replanners: [(ReplanMethod, Replanner); 2],
    search: PathSearch,
    summary: RepairSummary,
}

impl RepairCheck {
    /// A check of every `every`-th query. The same seed makes the same edits.
    pub fn new(world: &mut World, every: usize, seed: u64) -> Self {
        world.grid.build_hierarchy();
        let mut terrains = world.map.grid().values().to_vec();
        terrains.push(WALL);
        terrains.sort_unstable();
        terrains.dedup();
        Self {
            every,
            dice: ChaCha8Rng::seed_from_u64(seed),
            terrains,
            replanners: ReplanMethod::ALL.map(|method| (method, Replanner::default())),
            search: PathSearch::default(),
            summary: RepairSummary::default(),
        }
    }

    /// What came of it so far.
    pub fn summary(&self) -> &RepairSummary {
        &self.summary
    }

    /// Counts a query, the one after `index` others, and checks repair if it is its turn.
    pub fn after(&mut self, index: usize, world: &mut World, query: &PathQuery) -> Result<(), CliError> {
        if !(index + 1).is_multiple_of(self.every) {
            return Ok(());
        }
        let plain = PathQuery { algorithm: Algorithm::AStar, ..PathQuery::new(query.start, query.goal) };
        let before = self.search.find(&world.grid, &plain)?;
        for (method, replanner) in &mut self.replanners {
            replanner.begin(&world.grid, *method, query.start, query.goal)?;
            replanner.run(&world.grid, Limits::NONE);
        }
        let Some((cell, old, new)) = self.choose(world, before.outcome.path()) else { return Ok(()) };
        self.summary.edits += 1;
        for terrain in [new, old] {
            world.map.edit([(cell, terrain)])?;
            self.check(world, &plain)?;
        }
        Ok(())
    }

    /// A cell to change, half of the time one on the path, and its terrain before and after.
    fn choose(&mut self, world: &World, path: Option<&Path>) -> Option<(Cell, TerrainId, TerrainId)> {
        let size = world.grid.size();
        let on_path = path.filter(|_| self.dice.random_bool(0.5)).and_then(|path| path.cells().choose(&mut self.dice));
        let cell = match on_path {
            Some(&cell) => cell,
            None => size.cell(self.dice.random_range(0..size.cells() as u32)),
        };
        let old = world.map.terrain(cell)?;
        let others: Vec<_> = self.terrains.iter().copied().filter(|&terrain| terrain != old).collect();
        others.choose(&mut self.dice).map(|&new| (cell, old, new))
    }

    /// Repairs everything after an edit, and compares it with what is made from scratch.
    fn check(&mut self, world: &mut World, query: &PathQuery) -> Result<(), CliError> {
        let World { map, class, grid, .. } = world;
        let dirty = grid.refresh(map, class);
        let fresh = self.search.find(grid, query)?;
        self.summary.fresh_expanded += fresh.stats.expanded;
        let optimum = cost(&fresh.outcome);
        for (method, replanner) in &mut self.replanners {
            replanner.refresh(grid, dirty)?;
            replanner.run(grid, Limits::NONE);
            let repaired = replanner.path(grid).map(|path| path.cost().units());
            self.summary.incremental_mismatches += usize::from(!are_equal(repaired, optimum));
            let expanded = match method {
                ReplanMethod::LpaStar => &mut self.summary.lpa_star_expanded,
                ReplanMethod::DStarLite => &mut self.summary.d_star_lite_expanded,
            };
            *expanded += replanner.stats().expanded;
        }
        let answer = self.search.find(grid, &PathQuery { algorithm: Algorithm::HpaStar, ..*query })?;
        let ratio = cost(&answer.outcome).zip(optimum).filter(|&(_, least)| least > 0.0);
        let ratio = ratio.map(|(found, least)| found / least);
        let is_right =
            cost(&answer.outcome).is_some() == optimum.is_some() && ratio.is_none_or(|ratio| ratio > 1.0 - 1e-9);
        self.summary.hierarchical_mismatches += usize::from(!is_right);
        self.summary.hierarchical_worst_ratio =
            self.summary.hierarchical_worst_ratio.into_iter().chain(ratio).max_by(f64::total_cmp);
        let is_equal = grid.hierarchy().is_some_and(|repaired| *repaired == new_hierarchy(grid));
        self.summary.hierarchy_differences += usize::from(!is_equal);
        Ok(())
    }
}

fn new_hierarchy(grid: &CostGrid) -> Hierarchy {
    Hierarchy::new(grid, grid.size())
}

fn cost(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Found(path) => Some(path.cost().units()),
        Outcome::Partial(..) | Outcome::Failed(_) => None,
    }
}

/// Whether two costs are the same but for the order in which steps of equal cost were summed.
fn are_equal(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-6 * one.max(1.0),
        (one, other) => one == other,
    }
}
