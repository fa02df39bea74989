//! HPA* against the naive search and against A*: paths, costs, edits, and the protocol of the search.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

use support::{Dice, Ground, Layers, Mover, Spot, whole_cost, whole_step};
use wayfield::hierarchical_search::HierarchicalSearch;
use wayfield::search::{Ending, Limits, Order, Search, Stats, Step, Tie};
use wayfield::space::{Everything, Goal, Reversible, Space};
use wayfield::{Cell, CellRect, CornerRule, Cost, CostGrid, Dirty, Heuristic, Hierarchy, NodeId, Path, TerrainId};

fn node(grid: &CostGrid, cell: Cell) -> NodeId {
    grid.size().index(cell).unwrap()
}

fn toward(grid: &CostGrid) -> impl Fn(NodeId) -> Spot {
    move |node| Spot::new(grid, grid.size().cell(node), Heuristic::of_rule(grid.corner_rule()))
}

fn begin(search: &mut HierarchicalSearch, grid: &CostGrid, (start, goal): (Cell, Cell)) {
    search.begin(grid, (node(grid, start), node(grid, goal)), toward(grid));
}

fn path(search: &HierarchicalSearch, grid: &CostGrid) -> Path {
    Path::new(search.way().iter().map(|&node| grid.size().cell(node)).collect(), grid).unwrap()
}

fn find(search: &mut HierarchicalSearch, hierarchy: &Hierarchy, grid: &CostGrid, ends: (Cell, Cell)) -> Option<Path> {
    begin(search, grid, ends);
    match search.run(hierarchy, grid, toward(grid), Limits::NONE) {
        Ending::Found(end) => {
            let path = path(search, grid);
            assert_eq!((end, path.start(), path.end()), (node(grid, ends.1), Some(ends.0), Some(ends.1)));
            Some(path)
        }
        ending => {
            assert_eq!(ending, Ending::Exhausted);
            None
        }
    }
}

/// The cheapest cost, and the expansions of A*.
fn a_star(grid: &CostGrid, (start, goal): (Cell, Cell)) -> (Option<i64>, Stats) {
    let mut search = Search::default();
    let goal = toward(grid)(node(grid, goal));
    search.begin(Order::a_star(Tie::HighG), grid, &[(node(grid, start), Cost::ZERO)], &goal);
    let found = search.run(grid, &goal, Limits::NONE);
    let cost = |end| search.cost_to(end).map(|cost| i64::from(cost.raw()));
    (if let Ending::Found(end) = found { cost(end) } else { None }, search.stats())
}

/// A random map of up to `longest` cells a side; costs of 1, 1 to 9 or 1 to 255, each its own or in patches.
fn random_ground(dice: &mut Dice, longest: u64, walls: u64) -> Ground {
    let (width, height) = match dice.roll(8) {
        0 => (1 + dice.roll(2), 1 + dice.roll(2 * longest)),
        1 => (1 + dice.roll(2 * longest), 1 + dice.roll(2)),
        _ => (longest / 3 + dice.roll(longest * 2 / 3 + 1), longest / 3 + dice.roll(longest * 2 / 3 + 1)),
    };
    let walls = dice.roll(walls + 1);
    let dearest = [1, 9, 255][dice.roll(3) as usize];
    let side = [1, 1, 4][dice.roll(3) as usize];
    let patches: Vec<u8> = (0..1000).map(|_| 1 + dice.roll(dearest) as u8).collect();
    let patch = |index: u64| patches[(index / width / side * 41 + index % width / side) as usize % patches.len()];
    let cells = (0..width * height).map(|index| if dice.roll(100) < walls { 0 } else { patch(index) });
    Ground {
        terrain: cells.collect(),
        width: width as i32,
        height: height as i32,
        mover: Mover::ALL[dice.roll(4) as usize / 3],
        rule: CornerRule::ALL[dice.roll(4) as usize],
        layers: Layers::default(),
    }
}

/// Patches of costs from 1 to 9, and some walls.
fn weighted_ground(side: i32) -> Ground {
    let mut dice = Dice::new(5);
    let patches: Vec<u8> = (0..1000).map(|_| 1 + dice.roll(9) as u8).collect();
    let patch = |index: i32| patches[(index / side / 5 * 41 + index % side / 5) as usize % patches.len()];
    let terrain = (0..side * side).map(|index| if dice.roll(10) == 0 { 0 } else { patch(index) }).collect();
    Ground {
        width: side,
        height: side,
        terrain,
        mover: Mover::Plain,
        rule: CornerRule::BothFree,
        layers: Layers::default(),
    }
}

/// Rooms with a door or two in each wall.
fn rooms(side: i32) -> Ground {
    let mut dice = Dice::new(6);
    let doors: Vec<i32> = (0..1000).map(|_| 1 + dice.roll(11) as i32).collect();
    let is_open = |index: i32| {
        let (x, y) = (index % side, index / side);
        let door = doors[(y / 13 * 31 + x / 13) as usize % doors.len()];
        match (x % 13, y % 13) {
            (0, 0) => false,
            (0, along) => along == door,
            (along, 0) => along == 12 - door || along == 1,
            _ => true,
        }
    };
    let terrain = (0..side * side).map(|index| u8::from(is_open(index))).collect();
    Ground {
        width: side,
        height: side,
        terrain,
        mover: Mover::Plain,
        rule: CornerRule::BothFree,
        layers: Layers::default(),
    }
}

/// Compares with the naive search on random maps: whether there is a path, its steps, and its cost.
fn compare(seed: u64, maps: u32, longest: u64, walls: u64) {
    let mut dice = Dice::new(seed);
    let mut search = HierarchicalSearch::default();
    let (mut found, mut missing, mut abstractly) = (0, 0, 0);
    for _ in 0..maps {
        let ground = random_ground(&mut dice, longest, walls);
        let grid = ground.grid();
        let hierarchy = Hierarchy::new(&grid, grid.size());
        // The start may be a wall: a unit in a wall may leave.
        let start = dice.cell(&ground);
        let optimum = ground.spread_from(&[(start, 0)], whole_step);
        for _ in 0..8 {
            let goal = dice.cell(&ground);
            if goal == start || !ground.is_open(goal) {
                continue;
            }
            let path = find(&mut search, &hierarchy, &grid, (start, goal));
            let expected = optimum[ground.index(goal)];
            assert_eq!(path.is_some(), expected.is_some(), "{start} to {goal} on {ground:?}");
            if let (Some(path), Some(expected)) = (&path, expected) {
                let cost = ground.check_path(path, start);
                let factor = cost as f64 / expected as f64;
                assert!((1.0..=1.25).contains(&factor), "{factor} from {start} to {goal} on {ground:?}");
            }
            found += u32::from(path.is_some());
            missing += u32::from(path.is_none());
            abstractly += u32::from(!search.waypoints().is_empty());
        }
    }
    println!("{found} found, {missing} not, {abstractly} over the abstract graph");
    assert!(found > maps && missing > maps / 10, "{found} found, {missing} not: the maps are one-sided");
}

#[test]
fn small_maps_have_a_path_exactly_if_the_naive_search_finds_one() {
    compare(1, 1500, 24, 60);
}

#[test]
fn larger_maps_have_a_path_exactly_if_the_naive_search_finds_one() {
    compare(2, 500, 64, 50);
}

/// Near goals are found cell by cell, so that these ask the abstract graph alone: long detours between narrow gaps.
#[test]
fn the_abstract_graph_has_a_path_exactly_if_the_naive_search_finds_one() {
    let mut dice = Dice::new(3);
    let mut search = HierarchicalSearch::default();
    let (mut found, mut missing) = (0, 0);
    for round in 0..240 {
        let (width, height) = (70 + dice.roll(40) as i32, 1 + dice.roll(50) as i32);
        let walls = [30, 38, 40, 42, 46, 55][round % 6];
        let terrain = (0..width * height).map(|_| if dice.roll(100) < walls { 0 } else { 1 + dice.roll(2) as u8 });
        let mut ground = Ground {
            width,
            height,
            terrain: terrain.collect(),
            mover: Mover::Plain,
            rule: CornerRule::Never,
            layers: Layers::default(),
        };
        for rule in CornerRule::ALL {
            ground.rule = rule;
            let grid = ground.grid();
            let hierarchy = Hierarchy::new(&grid, grid.size());
            let start = Cell::new(dice.roll(4) as i32, dice.roll(height as u64) as i32);
            let optimum = ground.spread_from(&[(start, 0)], whole_step);
            for goal in ground.cells().filter(|goal| goal.x > 65 && ground.is_open(*goal)).step_by(29) {
                let path = find(&mut search, &hierarchy, &grid, (start, goal));
                assert_eq!(path.is_some(), optimum[ground.index(goal)].is_some(), "{start} to {goal} on {ground:?}");
                *if path.is_some() { &mut found } else { &mut missing } += 1;
            }
        }
    }
    assert!(found > 1000 && missing > 1000, "{found} found, {missing} not: the maps are one-sided");
}

#[test]
fn on_an_open_map_it_equals_a_star() {
    let mut dice = Dice::new(4);
    let mut search = HierarchicalSearch::default();
    for rule in CornerRule::ALL {
        for (width, height) in [(1, 90), (90, 1), (100, 70), (128, 128), (17, 33)] {
            let ground = Ground::plain(width, height, 3, rule);
            let grid = ground.grid();
            let hierarchy = Hierarchy::new(&grid, grid.size());
            for _ in 0..20 {
                let ends = (dice.cell(&ground), dice.cell(&ground));
                let path = find(&mut search, &hierarchy, &grid, ends).unwrap();
                let (optimum, stats) = a_star(&grid, ends);
                assert_eq!(Some(whole_cost(&path)), optimum);
                assert_eq!(search.stats().expanded, path.len() as u64);
                assert!(search.stats().expanded <= stats.expanded);
            }
        }
    }
}

/// Costs against A* for far goals: no more than 1.04 times the optimum in the mean, and 1.10 times in 99 of 100.
fn check_quality(name: &str, grid: &CostGrid, ends: impl Iterator<Item = (Cell, Cell)>) {
    let hierarchy = Hierarchy::new(grid, grid.size());
    let mut search = HierarchicalSearch::default();
    let (mut factors, mut expanded, mut by_a_star) = (Vec::new(), 0, 0);
    for ends in ends {
        let (Some(optimum), stats) = a_star(grid, ends) else { panic!("{name}: {ends:?}") };
        if optimum <= 50 * i64::from(Cost::STRAIGHT.raw()) {
            continue;
        }
        let path = find(&mut search, &hierarchy, grid, ends).unwrap();
        factors.push(whole_cost(&path) as f64 / optimum as f64);
        expanded += search.stats().expanded;
        by_a_star += stats.expanded;
    }
    factors.sort_by(f64::total_cmp);
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    let nearly_all = factors[factors.len() * 99 / 100];
    let effort = expanded as f64 / by_a_star as f64;
    println!("{name}: {mean:.4} in the mean, {nearly_all:.4} in 99 of 100, {effort:.3} of the expansions of A*");
    assert!(factors.len() >= 20 && factors[0] >= 1.0, "{name}");
    assert!(mean <= 1.04 && nearly_all <= 1.10, "{name}: {mean} in the mean, {nearly_all} in 99 of 100");
    assert!(effort < 0.75 || grid.size().cells() < 10_000, "{name}: {effort} of the expansions of A*");
}

#[test]
fn paths_are_nearly_cheapest() {
    for (name, ground) in [("weighted", weighted_ground(160)), ("rooms", rooms(320))] {
        let grid = ground.grid();
        let mut dice = Dice::new(7);
        let ends = std::iter::repeat_with(|| (dice.cell(&ground), dice.cell(&ground)));
        let reachable = ends.filter(|&(start, goal)| grid.is_passable(start) && grid.is_reachable(start, goal));
        check_quality(name, &grid, reachable.take(150));
    }
}

#[test]
fn paths_on_benchmark_maps_are_nearly_cheapest() {
    let Some(folder) = std::env::var_os("WAYFIELD_SCENARIOS") else {
        println!("WAYFIELD_SCENARIOS is not set: only maps made by rule are checked");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "map"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let map = wayfield::parse_map(&std::fs::read(&file).unwrap()).unwrap();
        let scenarios = std::fs::read(file.with_extension("map.scen")).unwrap();
        let scenarios = wayfield::parse_scenarios(&scenarios).unwrap();
        let grid = CostGrid::new(&map.terrain, &map.default_class());
        check_quality(
            &file.display().to_string(),
            &grid,
            scenarios.iter().map(|scenario| (scenario.start, scenario.goal)),
        );
    }
}

/// Edits a map again and again; compares with a new hierarchy each time. Returns how many clusters were made anew.
fn edit(seed: u64, ground: &Ground, edits: u32, batch: u64) -> Vec<usize> {
    let mut dice = Dice::new(seed);
    let (mut map, class) = (ground.map(), ground.class());
    let mut grid = CostGrid::new(&map, &class);
    let mut hierarchy = Hierarchy::new(&grid, grid.size());
    let mut renewed = Vec::new();
    for _ in 0..edits {
        let at = dice.cell(ground);
        let mut cell = |_| Cell::new(at.x + dice.roll(batch) as i32, at.y + dice.roll(batch) as i32);
        let cells: Vec<_> = (0..batch).map(&mut cell).filter(|&cell| map.size().contains(cell)).collect();
        let paint = |dice: &mut Dice| if dice.roll(3) == 0 { TerrainId(0) } else { TerrainId(1 + dice.roll(9) as u8) };
        map.edit(cells.into_iter().map(|cell| (cell, paint(&mut dice))).collect::<Vec<_>>()).unwrap();
        match grid.refresh(&map, &class) {
            // The steps out of, and into, the cells around are others, too.
            Dirty::Within(area) => renewed.push(hierarchy.refresh(&grid, area.grown(1))),
            dirty => assert_eq!(dirty, Dirty::Nothing),
        }
        assert_eq!(hierarchy, Hierarchy::new(&grid, grid.size()), "{ground:?}");
    }
    renewed
}

#[test]
fn after_edits_it_equals_a_new_one() {
    let mut dice = Dice::new(8);
    for rule in CornerRule::ALL {
        let mut ground = random_ground(&mut dice, 50, 40);
        ground.rule = rule;
        edit(9, &ground, 250, 1);
        edit(10, &ground, 100, 3);
    }
    for (width, height) in [(1, 60), (60, 1), (16, 16), (33, 17)] {
        edit(11, &Ground::plain(width, height, 1, CornerRule::BothFree), 150, 2);
    }
}

#[test]
fn an_edit_touches_only_the_clusters_around() {
    let renewed = edit(12, &weighted_ground(100), 200, 1);
    assert!(renewed.iter().all(|&clusters| clusters <= 9), "{renewed:?}");
    let mean = renewed.iter().sum::<usize>() as f64 / renewed.len() as f64;
    assert!(mean < 3.0, "{mean} clusters an edit");

    let ground = Ground::plain(100, 100, 1, CornerRule::BothFree);
    let grid = ground.grid();
    let mut hierarchy = Hierarchy::new(&grid, grid.size());
    let before = hierarchy.clone();
    assert_eq!(hierarchy.clusters(), 49);
    assert_eq!(hierarchy.refresh(&grid, CellRect::around(Cell::new(24, 24), 1)), 1);
    assert_eq!(hierarchy.refresh(&grid, CellRect::around(Cell::new(16, 16), 1)), 4);
    assert_eq!(hierarchy.refresh(&grid, CellRect::around(Cell::new(-9, 4), 1)), 0);
    assert_eq!(hierarchy, before);
}

#[test]
fn the_first_cells_are_there_long_before_the_last() {
    let ground = weighted_ground(200);
    let grid = ground.grid();
    let hierarchy = Hierarchy::new(&grid, grid.size());
    let mut search = HierarchicalSearch::default();
    let ends = (Cell::new(3, 4), Cell::new(190, 180));
    assert!(ground.is_open(ends.1));
    begin(&mut search, &grid, ends);
    assert_eq!(search.run_ahead(&hierarchy, &grid, toward(&grid), Limits::NONE, 12), Ending::Paused);
    let (first, early) = (search.way().to_vec(), search.stats().expanded);
    assert!(first.len() >= 12 && first.len() < 100, "{first:?}");

    assert!(matches!(search.run(&hierarchy, &grid, toward(&grid), Limits::NONE), Ending::Found(_)));
    assert!(search.way().starts_with(&first), "what is there stays");
    let (all, by_a_star) = (search.stats().expanded, a_star(&grid, ends).1.expanded);
    assert!(early * 2 < all && all * 2 < by_a_star, "{early}, {all}, {by_a_star}");
}

#[test]
fn it_pauses_and_counts_exactly() {
    let mut dice = Dice::new(13);
    let (mut whole, mut sliced) = (HierarchicalSearch::default(), HierarchicalSearch::default());
    for _ in 0..60 {
        let ground = random_ground(&mut dice, 90, 30);
        let grid = ground.grid();
        let hierarchy = Hierarchy::new(&grid, grid.size());
        let ends = (dice.cell(&ground), dice.cell(&ground));
        if !ground.is_open(ends.1) {
            continue;
        }
        let path = find(&mut whole, &hierarchy, &grid, ends);
        let all = whole.stats().expanded;

        begin(&mut sliced, &grid, ends);
        let slice = 1 + dice.roll(200);
        let ending = loop {
            let before = sliced.stats().expanded;
            match sliced.run(&hierarchy, &grid, toward(&grid), Limits { slice, ..Limits::NONE }) {
                Ending::Paused => assert_eq!(sliced.stats().expanded, before + slice),
                ending => break ending,
            }
        };
        assert_eq!((matches!(ending, Ending::Found(_)), sliced.stats()), (path.is_some(), whole.stats()));
        assert_eq!(sliced.way(), whole.way());

        for cap in [0, 1, all / 2, all.saturating_sub(1), all, all + 1] {
            begin(&mut sliced, &grid, ends);
            let ending = sliced.run(&hierarchy, &grid, toward(&grid), Limits { cap, ..Limits::NONE });
            assert_eq!(ending == Ending::CapReached, cap < all, "{cap} of {all}: {ending:?}");
            assert_eq!(sliced.stats().expanded, cap.min(all));
        }

        begin(&mut sliced, &grid, ends);
        let mut steps = 0;
        let last = loop {
            match sliced.step(&hierarchy, &grid, toward(&grid)) {
                Step::Expanded(_) => steps += 1,
                last => break last,
            }
        };
        assert_eq!((last != Step::Exhausted, sliced.stats()), (path.is_some(), whole.stats()));
        assert_eq!(steps + u64::from(path.is_some()), all);
    }
}

#[test]
fn a_path_too_dear_to_count_is_called_that() {
    for (length, found) in [(7_000, true), (7_200, false)] {
        let mut ground = Ground::plain(length, 1, 255, CornerRule::BothFree);
        // Where some cell is cheap the estimates are, too.
        for cheapest in [255, 1] {
            ground.terrain[100] = cheapest;
            let grid = ground.grid();
            let hierarchy = Hierarchy::new(&grid, grid.size());
            let mut search = HierarchicalSearch::default();
            begin(&mut search, &grid, (Cell::new(0, 0), Cell::new(length - 1, 0)));
            let ending = search.run(&hierarchy, &grid, toward(&grid), Limits::NONE);
            assert_eq!(ending, if found { Ending::Found(length as NodeId - 1) } else { Ending::CostOverflow });
        }
    }
}

#[test]
fn start_and_goal_may_be_one() {
    let grid = Ground::plain(5, 5, 1, CornerRule::BothFree).grid();
    let hierarchy = Hierarchy::new(&grid, grid.size());
    let mut search = HierarchicalSearch::default();
    assert_eq!(search.run(&hierarchy, &grid, toward(&grid), Limits::NONE), Ending::Exhausted, "nothing was begun");
    let cell = Cell::new(2, 2);
    assert_eq!(find(&mut search, &hierarchy, &grid, (cell, cell)).map(|path| path.len()), Some(1));
}

/// A grid with one-way links from any cell to any other; fences close some steps in one direction.
struct Linked<'a> {
    grid: &'a CostGrid,
    links: Vec<(NodeId, NodeId, Cost)>,
    fences: Vec<(NodeId, NodeId)>,
}

impl<'a> Linked<'a> {
    fn new(grid: &'a CostGrid) -> Self {
        Self { grid, links: Vec::new(), fences: Vec::new() }
    }

    fn is_open(&self, node: NodeId) -> bool {
        self.grid.is_passable(self.grid.size().cell(node))
    }

    fn is_fenced(&self, from: NodeId, to: NodeId) -> bool {
        self.fences.contains(&(from, to))
    }
}

impl Space for Linked<'_> {
    fn len(&self) -> usize {
        self.grid.len()
    }

    fn expand(&self, node: NodeId, parent: Option<NodeId>, mut visit: impl FnMut(NodeId, Cost)) {
        self.grid.expand(node, parent, |next, cost| {
            if !self.is_fenced(node, next) {
                visit(next, cost);
            }
        });
        let links = self.links.iter().filter(|&&(from, to, _)| from == node && self.is_open(from) && self.is_open(to));
        links.for_each(|&(_, to, cost)| visit(to, cost));
    }
}

impl Reversible for Linked<'_> {
    fn expand_back(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.grid.expand_back(node, |previous, cost| {
            if !self.is_fenced(previous, node) {
                visit(previous, cost);
            }
        });
        let links = self.links.iter().filter(|&&(from, to, _)| to == node && self.is_open(from) && self.is_open(to));
        links.for_each(|&(from, _, cost)| visit(from, cost));
    }
}

/// The goal of a space whose links may be shorter than any distance: no estimate at all.
struct At(NodeId);

impl Goal for At {
    fn is_goal(&self, node: NodeId) -> bool {
        node == self.0
    }

    fn estimate(&self, _node: NodeId) -> Cost {
        Cost::ZERO
    }
}

/// The cost of the cheapest way to each node.
fn costs_from(space: &Linked<'_>, start: NodeId) -> Vec<Option<Cost>> {
    let mut search = Search::default();
    search.begin(Order::DIJKSTRA, space, &[(start, Cost::ZERO)], &Everything);
    search.run(space, &Everything, Limits::NONE);
    (0..space.len() as NodeId).map(|node| search.cost_to(node)).collect()
}

/// The cost of a way, each step of which must be one of the space.
fn cost_of(space: &Linked<'_>, way: &[NodeId]) -> Cost {
    let mut sum = Cost::ZERO;
    for pair in way.windows(2) {
        let mut step = None;
        space.expand(pair[0], None, |next, cost| {
            if next == pair[1] {
                step = Some(step.map_or(cost, |step: Cost| step.min(cost)));
            }
        });
        sum = sum.checked_add(step.unwrap()).unwrap();
    }
    sum
}

#[test]
fn links_and_fences_are_taken_as_they_are() {
    let mut dice = Dice::new(14);
    let mut search = HierarchicalSearch::default();
    let (mut found, mut missing, mut only_by_link) = (0, 0, 0);
    for _ in 0..150 {
        let mut ground = random_ground(&mut dice, 80, 50);
        ground.mover = Mover::Plain;
        let grid = ground.grid();
        let mut space = Linked::new(&grid);
        for _ in 0..dice.roll(8) {
            let (from, to) = (dice.cell(&ground), dice.cell(&ground));
            let cost = Cost::STRAIGHT.saturating_mul(dice.roll(50) as u32);
            space.links.push((node(&grid, from), node(&grid, to), cost));
            // And one within a cluster, or nearly.
            let beside = Cell::new((from.x - 7).max(0), (from.y - 5).max(0));
            space.links.push((node(&grid, from), node(&grid, beside), Cost::STRAIGHT));
        }
        for _ in 0..dice.roll(400) {
            let from = dice.cell(&ground);
            let to = Cell::new(from.x + dice.roll(3) as i32 - 1, from.y + dice.roll(3) as i32 - 1);
            space.fences.extend(grid.size().index(from).zip(grid.size().index(to)));
        }
        let hierarchy = Hierarchy::new(&space, grid.size());
        let start = node(&grid, dice.cell(&ground));
        let (costs, without) = (costs_from(&space, start), costs_from(&Linked::new(&grid), start));
        for _ in 0..12 {
            let goal = node(&grid, dice.cell(&ground));
            search.begin(&space, (start, goal), At);
            let ending = search.run(&hierarchy, &space, At, Limits::NONE);
            let Some(optimum) = costs[goal as usize] else {
                assert_eq!(ending, Ending::Exhausted);
                missing += 1;
                continue;
            };
            assert_eq!(ending, Ending::Found(goal), "{start} to {goal} on {ground:?}");
            assert_eq!((search.way().first(), search.way().last()), (Some(&start), Some(&goal)));
            assert!(cost_of(&space, search.way()) >= optimum);
            found += 1;
            only_by_link += u32::from(without[goal as usize].is_none());
        }
    }
    assert!(found > 300 && missing > 100 && only_by_link > 20, "{found} found, {missing} not, {only_by_link} by links");
}

#[test]
fn links_come_and_go() {
    let mut dice = Dice::new(15);
    let ground = weighted_ground(70);
    let grid = ground.grid();
    let mut space = Linked::new(&grid);
    let mut hierarchy = Hierarchy::new(&space, grid.size());
    for round in 0..300 {
        let ends = if round % 3 == 2 {
            let gone = space.links.remove(dice.roll(space.links.len() as u64) as usize);
            [gone.0, gone.1]
        } else {
            let ends = [0; 2].map(|_| node(&grid, dice.cell(&ground)));
            space.links.push((ends[0], ends[1], Cost::STRAIGHT.saturating_mul(1 + round)));
            ends
        };
        for end in ends {
            let cell = grid.size().cell(end);
            hierarchy.refresh(&space, CellRect::new(cell, cell));
        }
        assert!(hierarchy == Hierarchy::new(&space, grid.size()), "round {round}");
    }
    let from = node(&grid, Cell::new(2, 2));
    assert!(hierarchy.edges(NodeId::MAX).is_empty() && hierarchy.nodes(u32::MAX).is_empty());
    assert!(hierarchy.cluster_of(from) == 0 && hierarchy.cluster_rect(0).contains(Cell::new(2, 2)));
}
