//! The maps and the people of the scenarios.

use std::ops::Range;

use bevy_wayfield::wayfield::{Cell, CellRect, CostGrid, GridSize, PathQuery, TerrainId, TerrainMap, find_path};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Scenario;
use crate::game::TICK_RATE;
use crate::game::life::{DIGGING, UNLOADING};
use crate::game::maps::{Land, Preset, Problem};
use crate::game::scene::Scene;
use crate::game::terrain::{PLAIN, ROAD, SWAMP, WALL, WATER, classes};
use crate::game::units::{UnitKind, UnitState};

/// What a scenario begins with, and what it is judged by.
pub struct Stage {
    pub scene: Scene,
    /// Who is ordered where; by the number of the unit, from 1.
    pub orders: Vec<(Range<u64>, Cell)>,
    /// The cells of the near way, and of the far one.
    pub near: Vec<Cell>,
    pub far: Vec<Cell>,
    /// The tick in which the gate closes.
    pub gate_closes: u64,
    /// How many loads are to be brought home.
    pub loads: u64,
    /// For how long it may last.
    pub seconds: f64,
}

/// A stage that is being set.
struct Setting {
    terrain: TerrainMap,
    units: Vec<UnitState>,
    ore: Vec<(Cell, u32)>,
    orders: Vec<(Range<u64>, Cell)>,
}

impl Setting {
    fn new(width: u64, height: u64) -> Result<Self, Problem> {
        Ok(Self::on(TerrainMap::new(GridSize::new(width, height)?, PLAIN)))
    }

    fn on(terrain: TerrainMap) -> Self {
        Self { terrain, units: Vec::new(), ore: Vec::new(), orders: Vec::new() }
    }

    fn fill(&mut self, from: (i32, i32), to: (i32, i32), terrain: TerrainId) -> Result<Vec<Cell>, Problem> {
        let area = CellRect::new(from.into(), to.into());
        self.terrain.edit(area.cells().map(|cell| (cell, terrain)))?;
        Ok(area.cells().collect())
    }

    /// A squad in rows, from a cell on; who is on foot there.
    fn squad(&mut self, kind: UnitKind, count: usize, corner: (i32, i32), columns: i32) -> Range<u64> {
        let first = self.units.len() as u64 + 1;
        for index in 0..count as i32 {
            let cell = Cell::new(corner.0 + index % columns, corner.1 + index / columns);
            self.units.push(UnitState { kind, cell, speed: kind.speed(), offset: (0.0, 0.0) });
        }
        first..self.units.len() as u64 + 1
    }

    fn march(&mut self, squad: Range<u64>, to: (i32, i32)) {
        self.orders.push((squad, to.into()));
    }

    fn stage(self, seed: u64, seconds: f64) -> Result<Stage, Problem> {
        let scene = Scene::staged(&self.terrain, seed, self.units, self.ore)?;
        let (near, far) = (Vec::new(), Vec::new());
        Ok(Stage { scene, orders: self.orders, near, far, gate_closes: 0, loads: 0, seconds })
    }
}

impl Stage {
    /// The stage of a scenario; a seed fixes what is left to chance.
    pub fn set(scenario: Scenario, seed: u64) -> Result<Self, Problem> {
        match scenario {
            Scenario::BridgeQueue => Self::bridges(seed),
            Scenario::HeadOn => Self::corridor(seed),
            Scenario::Maze => Self::maze(seed),
            Scenario::SwampShortcut => Self::swamp(seed),
            Scenario::Swarm => Self::swarm(seed),
            Scenario::Economy => Self::economy(seed),
            Scenario::FleeArena => Self::arena(seed),
            Scenario::ClosingGate => Self::gate(seed),
        }
    }

    fn bridges(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(44, 44)?;
        set.fill((19, 0), (24, 43), WATER)?;
        let near = set.fill((19, 10), (24, 10), ROAD)?;
        let far = set.fill((19, 40), (24, 40), ROAD)?;
        let squad = set.squad(UnitKind::Soldier, 30, (6, 7), 6);
        set.march(squad, (34, 10));
        Ok(Self { near, far, ..set.stage(seed, 90.0)? })
    }

    fn corridor(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(60, 13)?;
        set.fill((12, 0), (47, 4), WALL)?;
        set.fill((12, 8), (47, 12), WALL)?;
        let west = set.squad(UnitKind::Soldier, 20, (3, 4), 4);
        let east = set.squad(UnitKind::Soldier, 20, (53, 4), 4);
        set.march(west, (54, 6));
        set.march(east, (5, 6));
        set.stage(seed, 120.0)
    }

    fn maze(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::on(Land::generate(Preset::Maze, &mut ChaCha8Rng::seed_from_u64(seed))?.terrain);
        let squad = set.squad(UnitKind::Soldier, 40, (22, 61), 8);
        set.march(squad, (142, 42));
        set.stage(seed, 600.0)
    }

    fn swamp(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(60, 40)?;
        set.fill((16, 0), (43, 39), WALL)?;
        set.fill((16, 16), (43, 23), SWAMP)?;
        let far = set.fill((10, 3), (49, 5), ROAD)?;
        let squad = set.squad(UnitKind::Soldier, 24, (4, 17), 4);
        set.march(squad, (53, 20));
        Ok(Self { far, ..set.stage(seed, 120.0)? })
    }

    fn swarm(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(160, 128)?;
        // Rocks here and there.
        for (x, y) in (0..5).flat_map(|x| (0..4).map(move |y| (36 + 20 * x, 24 + 25 * y))) {
            set.fill((x, y), (x + 3, y + 2), WALL)?;
        }
        let west = set.squad(UnitKind::Soldier, 1000, (2, 14), 10);
        let east = set.squad(UnitKind::Soldier, 1000, (148, 14), 10);
        // Each thousand in ten squads, whose goals are as far apart as they are.
        for (squad, x) in [(west, 152), (east, 7)] {
            for (part, y) in (0..10).zip((19..).step_by(10)) {
                let first = squad.start + part * 100;
                set.march(first..first + 100, (x, y));
            }
        }
        set.stage(seed, 180.0)
    }

    fn economy(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(48, 32)?;
        let workers = 12;
        set.squad(UnitKind::Worker, workers, (6, 8), 4);
        // More than they can carry away.
        let ore = (0..workers as i32).map(|index| (Cell::new(32 + index / 6, 6 + 4 * (index % 6)), 100));
        set.ore = ore.collect();
        let seconds = 90.0;
        // As many rounds as one has time for who is alone, but for one.
        let mut class = classes()?;
        let grid = CostGrid::new(&set.terrain, &class.swap_remove(0));
        let village = Cell::new(26 * 48 / 160, 16);
        let way = |ore: Cell| -> Result<f64, Problem> {
            let answer = find_path(&grid, &PathQuery::new(village, ore))?;
            Ok(answer.outcome.path().map_or(f64::INFINITY, |path| path.cost().units()))
        };
        let mut loads = 0.0;
        for &(cell, _) in &set.ore {
            let pause = f64::from(DIGGING + UNLOADING) / TICK_RATE;
            let round = 2.0 * way(cell)? / f64::from(UnitKind::Worker.speed()) + pause;
            loads += (seconds / round - 1.0).floor();
        }
        Ok(Self { loads: loads as u64, ..set.stage(seed, seconds)? })
    }

    fn arena(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(64, 48)?;
        for (x, y) in [(18, 13), (40, 13), (18, 31), (40, 31)] {
            set.fill((x, y), (x + 5, y + 3), WALL)?;
        }
        set.squad(UnitKind::Civilian, 12, (28, 21), 5);
        set.squad(UnitKind::Raider, 1, (58, 22), 1);
        for raider in set.units.iter_mut().filter(|unit| unit.kind == UnitKind::Raider) {
            raider.speed *= 0.6;
        }
        set.stage(seed, 45.0)
    }

    fn gate(seed: u64) -> Result<Self, Problem> {
        let mut set = Setting::new(60, 44)?;
        set.fill((29, 0), (30, 43), WALL)?;
        let near = set.fill((29, 12), (30, 14), PLAIN)?;
        let far = set.fill((29, 38), (30, 40), PLAIN)?;
        let squad = set.squad(UnitKind::Soldier, 40, (6, 9), 5);
        set.march(squad, (50, 13));
        Ok(Self { near, far, gate_closes: 260, ..set.stage(seed, 120.0)? })
    }
}
