//! Maps: those that a seed makes, and those of files.

#[path = "../../kit/maze.rs"]
mod maze;
#[path = "../../kit/noise.rs"]
mod noise;

use std::io::Read;
use std::path::Path;

use bevy_wayfield::Tilemap;
use bevy_wayfield::wayfield::{
    Cell, CellRect, CostGrid, Grid, GridSize, Link, MovementClass, PathQuery, TerrainId, TerrainMap, find_path,
    parse_map,
};
use clap::ValueEnum;
use rand::{Rng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use maze::inner_walls;
use noise::Noise;

use super::terrain::{FOOT, FOREST, PLAIN, ROAD, SWAMP, WALL, WATER, disc, of_letter};

const WIDTH: i32 = 160;
const HEIGHT: i32 = 128;
const LONGEST: u32 = WIDTH as u32;

/// Files above this size are not read: no map or scene that anybody plays is larger.
pub const MAX_FILE: u64 = 16 << 20;

/// What went wrong with a map, a scene or a file, in words for the player.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;

/// A kind of map that a seed makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Woods, a river with three bridges, a village and roads.
    #[default]
    River,
    /// Islands that only ferries join.
    Islands,
    /// Corridors without a loop, by recursive division.
    Maze,
    /// The straight way leads through a swamp, the road round it.
    Swamp,
    /// Open ground with a few trees.
    Field,
}

impl Preset {
    pub const ALL: [Self; 5] = [Self::River, Self::Islands, Self::Maze, Self::Swamp, Self::Field];

    /// As the menu calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::River => "River and bridges",
            Self::Islands => "Islands and ferries",
            Self::Maze => "Maze",
            Self::Swamp => "Swamp shortcut",
            Self::Field => "Open field",
        }
    }
}

/// A map without anybody on it.
#[derive(Clone, Debug)]
pub struct Land {
    pub terrain: TerrainMap,
    pub ferries: Vec<Link>,
}

impl Land {
    /// The map that a seed makes.
    pub fn generate(preset: Preset, rng: &mut ChaCha8Rng) -> Result<Self, Problem> {
        let ground = match preset {
            Preset::Islands => WATER,
            Preset::Maze => WALL,
            Preset::River | Preset::Swamp | Preset::Field => PLAIN,
        };
        let mut land =
            Self { terrain: TerrainMap::new(GridSize::new(WIDTH as u64, HEIGHT as u64)?, ground), ferries: Vec::new() };
        match preset {
            Preset::River => land.river(rng)?,
            Preset::Islands => land.islands(rng)?,
            Preset::Maze => land.maze(rng)?,
            Preset::Swamp => land.swamp(rng)?,
            Preset::Field => land.grow(rng, 0.88, 2.0, 0.72)?,
        }
        Ok(land)
    }

    /// A Moving AI file, or plain rows of characters.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        Self::parse(&read_file(file)?)
    }

    /// The same from the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let text = parse_map(bytes)?;
        let size = text.terrain.size();
        let terrain = text.terrain.grid().values().iter().map(|letter| of_letter(char::from(letter.0)));
        let terrain = Grid::from_rows(size.width() as usize, terrain.collect())?;
        Ok(Self { terrain: TerrainMap::from_grid(terrain), ferries: Vec::new() })
    }

    /// Sets these cells; those outside the map are left out.
    fn fill(&mut self, cells: impl IntoIterator<Item = Cell>, terrain: TerrainId) -> Result<(), Problem> {
        let size = self.terrain.size();
        self.terrain.edit(cells.into_iter().filter(|&cell| size.contains(cell)).map(|cell| (cell, terrain)))?;
        Ok(())
    }

    /// Rocks, swamps and woods where noise is above these values.
    fn grow(&mut self, rng: &mut ChaCha8Rng, rocky: f32, wet: f32, woody: f32) -> Result<(), Problem> {
        let (woods, swamps, rocks) =
            (Noise::new(rng, LONGEST, 9), Noise::new(rng, LONGEST, 13), Noise::new(rng, LONGEST, 6));
        self.terrain.edit(self.terrain.size().rect().cells().map(|cell| {
            let terrain = match cell {
                cell if rocks.at(cell) > rocky => WALL,
                cell if swamps.at(cell) > wet => SWAMP,
                cell if woods.at(cell) > woody => FOREST,
                _ => PLAIN,
            };
            (cell, terrain)
        }))?;
        Ok(())
    }

    /// Open ground with houses in rows and lanes between.
    fn settle(&mut self, village: Cell) -> Result<(), Problem> {
        self.fill(disc(village, 13), PLAIN)?;
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let corner = Cell::new(village.x - 9 + column * 5, village.y - 9 + row * 5);
            let is_plaza = (1..=2).contains(&row) && (1..=2).contains(&column);
            if !is_plaza {
                self.fill((0..6).map(|n| Cell::new(corner.x + n % 3, corner.y + n / 3)), WALL)?;
            }
        }
        Ok(())
    }

    /// A road where a traveller would go: along a cheapest path, two cells wide so that a diagonal is no row of stepping
    /// stones.
    fn pave(&mut self, from: Cell, to: Cell) -> Result<(), Problem> {
        let surveyor = MovementClass::new("surveyor")
            .with_cost(ROAD, 1)?
            .with_cost(PLAIN, 2)?
            .with_cost(FOREST, 4)?
            .with_cost(SWAMP, 9)?;
        let answer = find_path(&CostGrid::new(&self.terrain, &surveyor), &PathQuery::new(from, to))?;
        let way = answer.outcome.path().map(|path| path.cells().to_vec()).unwrap_or_default();
        let road = way.into_iter().flat_map(|cell| [cell, Cell::new(cell.x + 1, cell.y)]);
        let is_ground = |cell: &Cell| self.terrain.terrain(*cell).is_some_and(|kind| kind != WATER && kind != WALL);
        let road: Vec<_> = road.filter(is_ground).collect();
        self.fill(road, ROAD)
    }

    /// The river winds from the top to the bottom, 5 cells wide.
    fn river(&mut self, rng: &mut ChaCha8Rng) -> Result<(), Problem> {
        self.grow(rng, 0.80, 0.68, 0.60)?;
        let bend = Noise::new(rng, LONGEST, 24);
        let river = |y: i32| WIDTH / 2 + ((bend.at(Cell::new(0, y)) - 0.5) * 40.0) as i32;
        self.fill(
            (0..HEIGHT).flat_map(|y| (-2..3).map(move |dx| (dx, y))).map(|(dx, y)| Cell::new(river(y) + dx, y)),
            WATER,
        )?;
        let village = Cell::new(26, HEIGHT / 2);
        let camp = Cell::new(WIDTH - 18, HEIGHT / 3);
        self.fill(disc(camp, 7), PLAIN)?;
        self.settle(village)?;
        let mut crossings = Vec::new();
        for third in 0..3 {
            let y = HEIGHT * (2 * third + 1) / 6 + rng.random_range(-6..=6);
            let bridge = (-4..=4).flat_map(|dx| [(dx, y), (dx, y + 1)]);
            self.fill(bridge.map(|(dx, row)| Cell::new(river(y) + dx, row)), ROAD)?;
            crossings.push((Cell::new(river(y) - 5, y), Cell::new(river(y) + 5, y)));
        }
        for (from, to) in crossings.into_iter().flat_map(|(west, east)| [(village, west), (camp, east)]) {
            self.fill(disc(to, 1), ROAD)?;
            self.pave(from, to)?;
        }
        Ok(())
    }

    /// Islands with woods on them, and ferries between neighbours.
    fn islands(&mut self, rng: &mut ChaCha8Rng) -> Result<(), Problem> {
        const CENTRES: [(i32, i32, i32); 6] =
            [(30, 64, 24), (78, 30, 19), (80, 96, 20), (126, 44, 22), (134, 102, 15), (36, 112, 11)];
        let (shore, woods) = (Noise::new(rng, LONGEST, 7), Noise::new(rng, LONGEST, 6));
        for (x, y, radius) in CENTRES {
            let centre = Cell::new(x, y);
            let reach = |cell: Cell| (((cell.x - x).pow(2) + (cell.y - y).pow(2)) as f32).sqrt();
            let cells: Vec<_> = disc(centre, radius)
                .filter(|&cell| cell.x > 0 && cell.y > 0 && cell.x < WIDTH - 1 && cell.y < HEIGHT - 1)
                .filter(|&cell| reach(cell) < radius as f32 * (0.72 + 0.4 * shore.at(cell)))
                .collect();
            let wooded: Vec<_> = cells.iter().copied().filter(|&cell| woods.at(cell) > 0.62).collect();
            self.fill(cells, PLAIN)?;
            self.fill(wooded, FOREST)?;
            self.fill(disc(centre, 4), PLAIN)?;
        }
        for (one, other) in [(0, 1), (0, 2), (1, 3), (2, 4), (3, 4), (0, 5), (1, 2)] {
            let ((ax, ay, _), (bx, by, _)) = (CENTRES[one], CENTRES[other]);
            let (from, to) = (self.dock((ax, ay), (bx, by)), self.dock((bx, by), (ax, ay)));
            // A ferry is three times as fast as a walk.
            let cost = 2 * from.chebyshev(to) / 3 + 4;
            self.fill([from, to], ROAD)?;
            self.ferries.extend([Link::new(from, to, cost), Link::new(to, from, cost)]);
        }
        for &ferry in &self.ferries {
            self.terrain.add_link(ferry)?;
        }
        Ok(())
    }

    /// The last cell of an island on the straight line from its centre to another one's.
    fn dock(&self, (x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Cell {
        let steps = (to_x - x).abs().max((to_y - y).abs()).max(1);
        let at = |step: i32| Cell::new(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps);
        let is_land = |&cell: &Cell| self.terrain.terrain(cell).is_some_and(|kind| kind != WATER);
        (0..steps / 2).map(at).take_while(is_land).last().unwrap_or(Cell::new(x, y))
    }

    /// Corridors three cells wide with walls of one between them, and a clearing at each end.
    fn maze(&mut self, rng: &mut ChaCha8Rng) -> Result<(), Problem> {
        const PITCH: i32 = 4;
        let (columns, rows) = ((WIDTH - 1) / PITCH, (HEIGHT - 1) / PITCH);
        let inside = CellRect::new(Cell::new(1, 1), Cell::new(columns * PITCH - 1, rows * PITCH - 1));
        self.fill(inside.cells(), PLAIN)?;
        self.fill(inner_walls((columns, rows), PITCH, rng), WALL)?;
        self.fill(disc(Cell::new(26, HEIGHT / 2), 7), PLAIN)?;
        self.fill(disc(Cell::new(WIDTH - 18, HEIGHT / 3), 6), PLAIN)
    }

    /// Rocks bar the way between west and east but for a swamp in the middle, and a road far in the north.
    fn swamp(&mut self, rng: &mut ChaCha8Rng) -> Result<(), Problem> {
        self.grow(rng, 0.86, 2.0, 0.66)?;
        let shore = Noise::new(rng, LONGEST, 8);
        let bar = |cell: Cell| (cell.x - WIDTH / 2).abs() < 22 + ((shore.at(cell) - 0.5) * 12.0) as i32;
        let cells: Vec<_> = self.terrain.size().rect().cells().filter(|&cell| bar(cell)).collect();
        let (north, middle): (Vec<_>, Vec<_>) = cells.into_iter().partition(|cell| cell.y < HEIGHT / 4);
        self.fill(north.into_iter().filter(|cell| cell.y >= 12), WALL)?;
        self.fill(middle, SWAMP)?;
        let village = Cell::new(26, HEIGHT / 2);
        let camp = Cell::new(WIDTH - 18, HEIGHT / 2);
        self.fill(disc(camp, 7), PLAIN)?;
        self.settle(village)?;
        let (west, east) = (Cell::new(WIDTH / 2 - 30, 6), Cell::new(WIDTH / 2 + 30, 6));
        self.fill((west.x..=east.x).flat_map(|x| (5..=7).map(move |y| Cell::new(x, y))), ROAD)?;
        self.pave(village, west)?;
        self.pave(camp, east)
    }
}

/// The bytes of a file that is not too large.
pub fn read_file(file: &Path) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("the file is larger than {} MiB", MAX_FILE >> 20).into());
    }
    Ok(bytes)
}

/// Where a scene has its places; all on passable cells that reach each other.
#[derive(Clone, Debug)]
pub struct Places {
    /// The depot, in the middle of the village.
    pub village: Cell,
    /// Where raiders rest.
    pub camp: Cell,
    /// Where soldiers stand at first.
    pub barracks: Cell,
    /// All cells that can be reached from the village.
    pub open: Vec<Cell>,
}

impl Places {
    /// Picks the places where most cells reach each other: the village in the west, the camp in the east.
    pub fn find(tilemap: &Tilemap) -> Option<Self> {
        let grid = tilemap.grid(FOOT)?;
        let size = grid.size();
        let mut regions: Vec<Vec<Cell>> = Vec::new();
        for cell in size.rect().cells() {
            if let Some(component) = grid.component(cell) {
                let count = regions.len().max(component as usize + 1);
                regions.resize_with(count, Vec::new);
                regions[component as usize].push(cell);
            }
        }
        // Over ferries, too.
        let open_from = |region: &Vec<Cell>| -> Vec<Cell> {
            let Some(&first) = region.first() else { return Vec::new() };
            let mut reached: Vec<_> = grid.reachable_components(first).collect();
            reached.sort_unstable();
            let cells = reached.iter().filter_map(|&region| regions.get(region as usize));
            cells.flatten().copied().collect()
        };
        // Few maps have more than one large region, and the small ones need no look.
        let mut largest: Vec<_> = regions.iter().collect();
        largest.sort_by_key(|region| std::cmp::Reverse(region.len()));
        // The first one of the largest, whatever the order of the search for it.
        let open = largest.into_iter().take(8).map(open_from).rev().max_by_key(Vec::len)?;
        let (width, height) = (size.width() as i32, size.height() as i32);
        let near = |x: i32, y: i32| open.iter().copied().min_by_key(|cell| cell.chebyshev(Cell::new(x, y)));
        let camp = if width == WIDTH { height / 3 } else { height / 2 };
        Some(Self {
            village: near(26 * width / WIDTH, height / 2)?,
            camp: near(width - 18 * width / WIDTH, camp)?,
            barracks: near(46 * width / WIDTH, height / 2 + height / 12)?,
            open,
        })
    }

    /// A random open cell within `radius` of a cell, or anywhere if there is none.
    pub fn random_near(&self, centre: Cell, radius: u32, rng: &mut ChaCha8Rng) -> Cell {
        let near: Vec<_> = self.open.iter().filter(|cell| cell.chebyshev(centre) <= radius).collect();
        near.choose(rng).copied().copied().unwrap_or_else(|| self.random(rng))
    }

    /// A random open cell.
    pub fn random(&self, rng: &mut ChaCha8Rng) -> Cell {
        self.open.choose(rng).copied().unwrap_or(self.village)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::game::terrain::{CELL_SIZE, classes};

    #[test]
    fn every_preset_joins_its_places_and_a_seed_fixes_it() {
        for preset in Preset::ALL {
            for seed in 1..4 {
                let land = Land::generate(preset, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
                let again = Land::generate(preset, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
                assert_eq!(land.terrain.grid(), again.terrain.grid(), "{preset:?}");
                let tilemap =
                    Tilemap::new(land.terrain, classes().unwrap()).with_layout(bevy::math::Vec2::ZERO, CELL_SIZE);
                let places = Places::find(&tilemap).unwrap();
                let grid = tilemap.grid(FOOT).unwrap();
                for place in [places.camp, places.barracks] {
                    assert!(grid.is_reachable(places.village, place), "{preset:?} {seed}: {places:?}");
                }
                assert!(places.village.chebyshev(places.camp) > 60, "{preset:?}");
                assert!(places.open.len() > 2_000, "{preset:?}: {}", places.open.len());
            }
        }
    }

    #[test]
    fn a_maze_has_one_way_between_any_two_corridors() {
        let land = Land::generate(Preset::Maze, &mut ChaCha8Rng::seed_from_u64(5)).unwrap();
        let open = land.terrain.grid().values().iter().filter(|kind| **kind == PLAIN).count();
        let tilemap = Tilemap::new(land.terrain, classes().unwrap());
        assert_eq!(Places::find(&tilemap).unwrap().open.len(), open, "all of it is one region");
    }

    #[test]
    fn a_file_that_is_too_large_is_refused_before_it_is_read() {
        let file = std::env::temp_dir().join("wayfield_too_large.map");
        std::fs::File::create(&file).unwrap().set_len(100 << 20).unwrap();
        let problem = Land::read(&file).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert!(problem.contains("16 MiB"), "{problem}");
    }
}
