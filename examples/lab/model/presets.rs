//! The scenes that come with the lab.

#[path = "../../kit/maze.rs"]
mod maze;
#[path = "../../kit/noise.rs"]
mod noise;

use clap::ValueEnum;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use wayfield::{Cell, CellRect, CornerRule, GridSize, TerrainId, TerrainMap, nearest_cell};
use wayfield::{CostGrid, Heuristic};

use super::scene::{Scene, SceneError};
use super::terrain::{FOREST, PLAIN, SWAMP, WALL, walker};
use maze::inner_walls;
use noise::Noise;

/// A scene that comes with the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// The straight way leads through a swamp: fewest steps are not least cost.
    #[default]
    Swamp,
    /// 5 x 5 cells with a wall, small enough for all numbers.
    GridA,
    /// 5 x 5 cells with a wood across the way.
    GridB,
    /// The straight way costs 102, the way round 20.
    Trap,
    /// A dead end that opens toward the start.
    DeadEnd,
    /// Corridors without a loop, by recursive division.
    Maze,
    /// Open ground with random walls.
    Walls,
    /// Woods, swamps and rocks.
    Noise,
    /// Large enough for several clusters of HPA*.
    Clusters,
}

impl Preset {
    pub const ALL: [Self; 9] = [
        Self::Swamp,
        Self::GridA,
        Self::GridB,
        Self::Trap,
        Self::DeadEnd,
        Self::Maze,
        Self::Walls,
        Self::Noise,
        Self::Clusters,
    ];

    /// As the window calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Swamp => "Swamp",
            Self::GridA => "Grid A",
            Self::GridB => "Grid B",
            Self::Trap => "Greedy trap",
            Self::DeadEnd => "Dead end",
            Self::Maze => "Maze",
            Self::Walls => "Random walls",
            Self::Noise => "Woods and swamps",
            Self::Clusters => "Clusters",
        }
    }

    /// Whether another seed makes another scene.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Maze | Self::Walls | Self::Noise | Self::Clusters)
    }

    /// The scene; the same for the same seed.
    pub fn scene(self, seed: u64) -> Result<Scene, SceneError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let title = self.title();
        match self {
            Self::Swamp => {
                let mut scene = Scene::parse(title, &format!("corners never\nstart 4,9\ngoal 26,9\n{}", rows(31, 18)))?;
                // Up to the top edge, and three rows below the row of start and goal.
                paint(&mut scene.terrain, CellRect::new(Cell::new(14, 0), Cell::new(16, 12)).cells(), SWAMP);
                Ok(scene)
            }
            Self::GridA => {
                Scene::parse(title, "corners never\nstart 0,0\ngoal 4,4\n..#..\n..#..\n..#..\n.....\n.....\n")
            }
            Self::GridB => {
                Scene::parse(title, "corners never\nstart 0,0\ngoal 4,4\n..F..\n..F..\n.FF..\n.....\n.....\n")
            }
            Self::Trap => {
                let mut scene = Scene::parse(title, &format!("corners never\nstart 2,2\ngoal 16,2\n{}", rows(19, 8)))?;
                let dear = CellRect::new(Cell::new(4, 0), Cell::new(14, 4)).cells();
                paint(&mut scene.terrain, dear, TerrainId(b'9'));
                Ok(scene)
            }
            Self::DeadEnd => {
                let mut scene = Scene::parse(title, &format!("start 5,9\ngoal 26,9\n{}", rows(31, 19)))?;
                let back = (4..=14).map(|y| Cell::new(19, y));
                let sides = (9..=19).flat_map(|x| [Cell::new(x, 4), Cell::new(x, 14)]);
                paint(&mut scene.terrain, back.chain(sides), WALL);
                Ok(scene)
            }
            Self::Maze => {
                let (columns, rows) = (20, 12);
                let mut terrain = ground(2 * columns + 1, 2 * rows + 1, WALL)?;
                let inside = CellRect::new(Cell::new(1, 1), Cell::new(2 * columns - 1, 2 * rows - 1));
                paint(&mut terrain, inside.cells(), PLAIN);
                paint(&mut terrain, inner_walls((columns, rows), 2, &mut rng), WALL);
                Scene::new(title, terrain, CornerRule::Never)
            }
            Self::Walls => {
                let mut terrain = ground(40, 24, PLAIN)?;
                let cells: Vec<_> = terrain.size().rect().cells().filter(|_| rng.random_bool(0.28)).collect();
                paint(&mut terrain, cells, WALL);
                between(title, terrain, Cell::new(2, 12), Cell::new(37, 12))
            }
            Self::Noise => between(title, wilds(40, 24, 6, &mut rng)?, Cell::new(3, 20), Cell::new(36, 3)),
            Self::Clusters => between(title, wilds(128, 64, 11, &mut rng)?, Cell::new(4, 58), Cell::new(122, 5)),
        }
    }
}

/// Rows of plain ground.
fn rows(width: usize, height: usize) -> String {
    (".".repeat(width) + "\n").repeat(height)
}

fn ground(width: i32, height: i32, terrain: TerrainId) -> Result<TerrainMap, SceneError> {
    // The sizes here are all sizes that a map may have.
    let size = GridSize::new(width as u64, height as u64).map_err(|_| SceneError::NoWay)?;
    Ok(TerrainMap::new(size, terrain))
}

/// Sets these cells; those outside the map are left out.
fn paint(terrain: &mut TerrainMap, cells: impl IntoIterator<Item = Cell>, kind: TerrainId) {
    let size = terrain.size();
    let inside = cells.into_iter().filter(|&cell| size.contains(cell)).map(|cell| (cell, kind));
    let painted = terrain.edit(inside);
    debug_assert!(painted.is_ok(), "all cells are inside");
}

/// Woods, swamps and rocks where noise is high; bumps are about `spacing` cells wide.
fn wilds(width: i32, height: i32, spacing: u32, rng: &mut ChaCha8Rng) -> Result<TerrainMap, SceneError> {
    let mut terrain = ground(width, height, PLAIN)?;
    let longest = width.max(height) as u32;
    let [woods, swamps, rocks] = [spacing, spacing + 2, spacing - 1].map(|spacing| Noise::new(rng, longest, spacing));
    for (kind, noise, above) in [(FOREST, woods, 0.56), (SWAMP, swamps, 0.66), (WALL, rocks, 0.70)] {
        let cells: Vec<_> = terrain.size().rect().cells().filter(|&cell| noise.at(cell) > above).collect();
        paint(&mut terrain, cells, kind);
    }
    Ok(terrain)
}

/// A map with start and goal at the open cells nearest to these, so that there is a way.
fn between(title: &str, terrain: TerrainMap, start: Cell, goal: Cell) -> Result<Scene, SceneError> {
    let rule = CornerRule::default();
    let grid = CostGrid::new(&terrain, &walker(rule));
    let near = |cell, is_good: &dyn Fn(Cell) -> bool| {
        nearest_cell(terrain.size(), cell, Heuristic::Octile, is_good).map(|(_, cell)| cell).ok_or(SceneError::NoWay)
    };
    // The largest region, so that the start is in no pocket.
    let mut sizes = std::collections::BTreeMap::<u32, usize>::new();
    let labels = terrain.size().rect().cells().filter_map(|cell| grid.component(cell));
    labels.for_each(|label| *sizes.entry(label).or_default() += 1);
    let largest = sizes.into_iter().max_by_key(|&(_, cells)| cells).map(|(label, _)| label);
    let is_open = |cell| largest.is_some() && grid.component(cell) == largest;
    let (start, goal) = (near(start, &is_open)?, near(goal, &is_open)?);
    Ok(Scene { start, goal, sources: vec![goal], threats: vec![start], ..Scene::new(title, terrain, rule)? })
}
