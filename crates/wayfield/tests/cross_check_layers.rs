//! Larger units, links, slopes, fences and influences: edits, replanning, fields and lines against the naive side.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, close, real_step, rounds, whole_cost, whole_step};
use wayfield::search::{Ending, Limits};
use wayfield::{
    Algorithm, Cell, CornerRule, CostGrid, DijkstraMap, Dirty, InfluenceId, Link, LinkId, Outcome, PathQuery,
    PathSearch, PathStep, ReplanMethod, Replanner, TerrainId, TerrainMap, find_path, line_cost, smooth,
};

/// A map that is edited, the same as the naive side has it, and links that come and go.
struct World {
    ground: Ground,
    map: TerrainMap,
    links: Vec<(Cell, Cell, u32, bool)>,
}

impl World {
    fn new(ground: Ground) -> Self {
        let links = ground.layers.links.iter().map(|&(from, to, cost)| (from, to, cost, true)).collect();
        Self { map: ground.map(), ground, links }
    }

    /// Changes one thing.
    fn edit(&mut self, dice: &mut Dice) {
        let cell = dice.cell(&self.ground);
        match dice.roll(8) {
            0 if !self.links.is_empty() => {
                let number = dice.roll(self.links.len() as u64) as usize;
                let open = &mut self.links[number].3;
                *open = !*open;
                assert!(!self.map.set_link_open(LinkId(number as u32), *open).unwrap().cells.is_empty());
            }
            1 if self.links.len() < 6 => {
                let (to, cost) = (dice.cell(&self.ground), 1 + dice.roll(9) as u32);
                if to != cell {
                    self.links.push((cell, to, cost, true));
                    let id = self.map.add_link(Link::new(cell, to, cost)).unwrap();
                    assert_eq!(id.0 as usize, self.links.len() - 1);
                }
            }
            2 => {
                let height = dice.roll(4) as i16;
                let heights = &mut self.ground.layers.heights;
                heights.resize(self.ground.terrain.len(), 0);
                heights[(cell.y * self.ground.width + cell.x) as usize] = height;
                self.map.edit_heights([(cell, height)]).unwrap();
            }
            3 => {
                let Some((one, other)) = dice.fence(&self.ground) else { return };
                let fences = &mut self.ground.layers.fences;
                let stands = fences.contains(&(one, other));
                fences.retain(|&fence| fence != (one, other));
                if !stands {
                    fences.push((one, other));
                }
                // From either side.
                assert_eq!(self.map.has_fence(other, one), stands);
                self.map.set_fence(other, one, !stands).unwrap();
            }
            4 | 5 if !self.ground.layers.influences.is_empty() => {
                let (number, index) = (dice.roll(self.ground.layers.influences.len() as u64), self.ground.index(cell));
                let value = dice.roll(9) as u8;
                self.ground.layers.influences[number as usize].values[index] = value;
                self.map.edit_influence(InfluenceId(number as u8), [(cell, value)]).unwrap();
            }
            _ => {
                let terrain = if dice.roll(3) == 0 { 0 } else { 1 + dice.roll(9) as u8 };
                let index = self.ground.index(cell);
                self.ground.terrain[index] = terrain;
                self.map.edit([(cell, TerrainId(terrain))]).unwrap();
            }
        }
        let open = self.links.iter().filter(|link| link.3);
        self.ground.layers.links = open.map(|&(from, to, cost, _)| (from, to, cost)).collect();
    }

    fn fresh(&self) -> CostGrid {
        let side = self.ground.layers.side as u32;
        let mut grid = CostGrid::for_units(&self.map, &self.ground.class(), side).unwrap();
        grid.build_hierarchy();
        grid.build_jump_table();
        grid
    }
}

#[test]
fn after_any_edit_the_grid_is_that_of_a_new_map_and_a_path_kept_up_is_the_cheapest() {
    let mut dice = Dice::new(301);
    let mut found = 0;
    for round in 0..rounds(500) {
        let mut world = World::new(dice.layered_ground());
        let class = world.ground.class();
        let mut grid = world.fresh();
        let method = ReplanMethod::ALL[round % 2];
        let (mut start, mut goal) = (dice.cell(&world.ground), dice.cell(&world.ground));
        let mut replanner = Replanner::default();
        replanner.begin(&grid, method, start, goal).unwrap();
        for _ in 0..30 {
            for _ in 0..=dice.roll(3) {
                world.edit(&mut dice);
            }
            let dirty = grid.refresh(&world.map, &class);
            assert!(grid == world.fresh(), "an edit is not taken in on {:?}", world.ground);
            replanner.refresh(&grid, dirty).unwrap();
            match dice.roll(4) {
                0 => {
                    start = dice.cell(&world.ground);
                    replanner.move_start(&grid, start).unwrap();
                }
                1 => {
                    goal = dice.cell(&world.ground);
                    replanner.move_goal(&grid, goal).unwrap();
                }
                _ => {}
            }
            let optimum = world.ground.spread_from(&[(start, 0)], whole_step)[world.ground.index(goal)];
            let optimum = optimum.filter(|_| world.ground.is_open(goal));
            let ending = replanner.run(&grid, Limits::NONE);
            assert_eq!(grid.is_reachable(start, goal), optimum.is_some(), "{start} to {goal} on {:?}", world.ground);
            assert_eq!(matches!(ending, Ending::Found(_)), optimum.is_some());
            if let Some(path) = replanner.path(&grid) {
                found += 1;
                world.ground.check_path(&path, start);
                assert_eq!(Some(whole_cost(&path)), optimum, "{method:?} {start} to {goal} on {:?}", world.ground);
            }
        }
    }
    assert!(found > 5000, "{found}");
}

#[test]
fn fields_know_links_and_slopes_and_rolling_pays_what_they_say() {
    let mut dice = Dice::new(302);
    let mut over_links = 0;
    for _ in 0..rounds(1500) {
        let ground = dice.layered_ground();
        let grid = ground.grid();
        let sources: Vec<_> = (0..=dice.roll(3)).map(|_| dice.cell(&ground)).collect();
        let real: Vec<_> = sources.iter().map(|&cell| (cell, 0.0)).collect();
        let toward = DijkstraMap::toward(&grid, sources.iter().copied()).unwrap();
        let from = DijkstraMap::from(&grid, sources.iter().copied()).unwrap();
        let (down, up) = (ground.spread_toward(&real, real_step), ground.spread_from(&real, real_step));
        for cell in ground.cells() {
            for (field, naive) in [(&toward, down[ground.index(cell)]), (&from, up[ground.index(cell)])] {
                let value = field.value(cell);
                assert_eq!(value.is_some(), naive.is_some(), "{cell} on {ground:?}");
                let Some(value) = value else { continue };
                assert!(close(value, naive.unwrap()), "{cell}: {value} on {ground:?}");
                let path = field.trace(&grid, cell).unwrap();
                assert!(close(path.cost().units(), value), "{cell}: {path:?} on {ground:?}");
            }
            if let Some(PathStep::Link(link)) = toward.next_step(&grid, cell) {
                over_links += 1;
                assert_eq!(ground.layers.links[link.0 as usize].0, cell);
                assert_eq!(toward.downhill(&grid, cell), None);
            }
        }
    }
    assert!(over_links > 200, "{over_links}");
}

#[test]
fn pulled_paths_keep_their_links_and_cross_no_fence() {
    let mut dice = Dice::new(303);
    let mut pulled = 0;
    for _ in 0..rounds(4000) {
        let ground = dice.layered_ground();
        let grid = ground.grid();
        let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
        let Ok(answer) = find_path(&grid, &PathQuery::new(start, goal)) else { continue };
        let Outcome::Found(path) = answer.outcome else { continue };
        let smoothed = smooth(&grid, &path).unwrap();
        assert!(smoothed.cost.units() <= path.cost().units() + 1e-9, "{smoothed:?} of {path:?} on {ground:?}");
        assert_eq!(smoothed.waypoints.first(), Some(&start));
        assert_eq!(smoothed.waypoints.last(), Some(&goal));
        let links = smoothed.links.iter().map(|&(_, link)| link);
        let taken = path.steps().filter_map(|step| match step {
            PathStep::Link(link) => Some(link),
            PathStep::Walk(_) => None,
        });
        assert!(links.eq(taken));
        for (index, pair) in smoothed.waypoints.windows(2).enumerate() {
            let link = smoothed.links.iter().find(|&&(at, _)| at as usize == index);
            if let Some(&(_, link)) = link {
                let (from, to, _) = ground.layers.links[link.0 as usize];
                assert_eq!((from, to), (pair[0], pair[1]));
                continue;
            }
            let line = line_cost(&grid, pair[0], pair[1]);
            assert!(line.is_some() || ground.is_legal(pair[0], pair[1]), "{pair:?} on {ground:?}");
            pulled += u32::from(pair[0].chebyshev(pair[1]) > 1);
            if pair[0].chebyshev(pair[1]) == 1 && !ground.is_legal(pair[0], pair[1]) {
                // Without diagonal steps a line may still run through a free corner, but through no fence.
                let beside = [Cell::new(pair[0].x, pair[1].y), Cell::new(pair[1].x, pair[0].y)];
                assert!(beside.iter().all(|&side| ground.is_legal(pair[0], side) && ground.is_legal(side, pair[1])));
            }
        }
    }
    assert!(pulled > 2000, "{pulled}");
}

#[test]
fn far_goals_are_found_over_clusters_links_and_all() {
    let mut dice = Dice::new(305);
    let (mut coarse, mut linked) = (0, 0);
    for round in 0..rounds(150) {
        let (width, height) = (70 + dice.roll(60) as i32, 20 + dice.roll(100) as i32);
        let mut ground = Ground::plain(width, height, 1, CornerRule::ALL[round % 4]);
        let walls = dice.roll(40);
        for terrain in &mut ground.terrain {
            *terrain = if dice.roll(100) < walls { 0 } else { 1 + dice.roll(9) as u8 };
        }
        ground.layers.side = 1 + dice.roll(2) as i32;
        for _ in 0..dice.roll(50) {
            let (from, to) = (dice.cell(&ground), dice.cell(&ground));
            if from != to {
                ground.layers.links.push((from, to, 1 + dice.roll(60) as u32));
            }
        }
        if dice.roll(2) == 0 {
            ground.layers.heights = ground.terrain.iter().map(|_| dice.roll(3) as i16).collect();
            ground.layers.slopes = (3, 1);
        }
        for _ in 0..dice.roll(200) {
            ground.layers.fences.extend(dice.fence(&ground));
        }
        let mut grid = ground.grid();
        grid.build_hierarchy();
        let mut search = PathSearch::default();
        for _ in 0..6 {
            let (start, goal) = (dice.cell(&ground), dice.cell(&ground));
            let query = PathQuery { algorithm: Algorithm::HpaStar, ..PathQuery::new(start, goal) };
            let answer = search.find(&grid, &query).unwrap();
            let optimum = find_path(&grid, &PathQuery::new(start, goal)).unwrap();
            let (Some(path), Some(best)) = (answer.outcome.path(), optimum.outcome.path()) else {
                assert_eq!(answer.outcome, optimum.outcome, "{start} to {goal}");
                continue;
            };
            let cost = ground.check_path(path, start);
            let least = whole_cost(best);
            assert!(cost >= least && cost * 4 <= least * 5, "{cost} for {least}, {start} to {goal} on {ground:?}");
            let mut cells = path.cells().to_vec();
            cells.sort_unstable();
            assert!(cells.windows(2).all(|pair| pair[0] != pair[1]), "it comes by twice");
            let waypoints = search.hierarchical_search().unwrap().waypoints();
            coarse += u32::from(!waypoints.is_empty());
            linked += u32::from(path.steps().any(|step| matches!(step, PathStep::Link(_))));
        }
    }
    assert!(coarse > 100 * rounds(1) as u32 && linked > 100, "{coarse} {linked}");
}

#[test]
fn a_grid_of_another_class_is_built_anew() {
    let ground = Dice::new(304).ground();
    let mut grid = ground.grid();
    let other = ground.class().with_cost(TerrainId(0), 7).unwrap();
    assert_eq!(grid.refresh(&ground.map(), &other), Dirty::Everything);
    assert!(grid == CostGrid::new(&ground.map(), &other));
}
