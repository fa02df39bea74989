//! The kinds of terrain and of mover, and the map they are on.

use std::path::Path;

use bevy_wayfield::wayfield::{
    Cell, CostGrid, Grid, GridSize, MovementClass, MovementClassError, PathQuery, TerrainId, TerrainMap, find_path,
    parse_map,
};
use bevy_wayfield::{ClassId, Tilemap};
use rand::{Rng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

pub const PLAIN: TerrainId = TerrainId(0);
pub const FOREST: TerrainId = TerrainId(1);
pub const SWAMP: TerrainId = TerrainId(2);
pub const WATER: TerrainId = TerrainId(3);
pub const WALL: TerrainId = TerrainId(4);
pub const ROAD: TerrainId = TerrainId(5);

/// Everybody who goes on foot.
pub const FOOT: ClassId = ClassId(0);
/// Raiders know their way in the woods.
pub const RAIDER: ClassId = ClassId(1);

/// World units a cell; the size of a tile of the tileset.
pub const CELL_SIZE: f32 = 32.0;

const WIDTH: u64 = 160;
const HEIGHT: u64 = 128;

/// Costs count in halves of plain ground, so that a road can be cheaper.
fn classes() -> Result<Vec<MovementClass>, MovementClassError> {
    let class = |name: &str, forest, swamp| {
        MovementClass::new(name)
            .with_cost(ROAD, 1)?
            .with_cost(PLAIN, 2)?
            .with_cost(FOREST, forest)?
            .with_cost(SWAMP, swamp)
    };
    Ok(vec![class("foot", 6, 12)?, class("raider", 4, 8)?])
}

/// Where the scene has its places; all on passable cells that reach each other.
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

/// The map of a file, or a generated one.
pub fn load(file: Option<&Path>, rng: &mut ChaCha8Rng) -> Result<(Tilemap, Places), Box<dyn std::error::Error>> {
    let named = |error: Box<dyn std::error::Error>| match file {
        Some(file) => format!("{}: {error}", file.display()).into(),
        None => error,
    };
    let terrain = file.map_or_else(|| generate(rng), read).map_err(named)?;
    let tilemap = Tilemap::new(terrain, classes()?).with_layout(bevy::math::Vec2::ZERO, CELL_SIZE);
    let places = find_places(&tilemap).ok_or_else(|| named("the map has no cell that a unit could stand on".into()))?;
    Ok((tilemap, places))
}

fn read(file: &Path) -> Result<TerrainMap, Box<dyn std::error::Error>> {
    let text = parse_map(&std::fs::read(file)?)?;
    let size = text.terrain.size();
    let terrain = text.terrain.grid().values().iter().map(|character| match character.0 {
        b'.' | b'G' | b'1' | b'2' => PLAIN,
        b'3'..=b'5' => FOREST,
        b'S' | b'6'..=b'9' => SWAMP,
        b'W' => WATER,
        _ => WALL,
    });
    Ok(TerrainMap::from_grid(Grid::from_rows(size.width() as usize, terrain.collect())?))
}

/// Woods and swamps by noise, a river with three bridges, a walled village in the west, and roads between them.
fn generate(rng: &mut ChaCha8Rng) -> Result<TerrainMap, Box<dyn std::error::Error>> {
    let size = GridSize::new(WIDTH, HEIGHT)?;
    let mut map = TerrainMap::new(size, PLAIN);
    let (woods, wet, rocks) = (Noise::new(rng, 9), Noise::new(rng, 13), Noise::new(rng, 6));
    let (width, height) = (WIDTH as i32, HEIGHT as i32);
    map.edit(size.rect().cells().map(|cell| {
        let terrain = match cell {
            cell if rocks.at(cell) > 0.80 => WALL,
            cell if wet.at(cell) > 0.68 => SWAMP,
            cell if woods.at(cell) > 0.60 => FOREST,
            _ => PLAIN,
        };
        (cell, terrain)
    }))?;

    // The river winds from the top to the bottom, 4 cells wide.
    let bend = Noise::new(rng, 24);
    let river = |y: i32| width / 2 + ((bend.at(Cell::new(0, y)) - 0.5) * 40.0) as i32;
    map.edit(
        (0..height).flat_map(|y| (-2..3).map(move |dx| (dx, y))).map(|(dx, y)| (Cell::new(river(y) + dx, y), WATER)),
    )?;

    let village = Cell::new(26, height / 2);
    let camp = Cell::new(width - 18, height / 3);
    for (centre, radius) in [(village, 13), (camp, 7)] {
        map.edit(disc(centre, radius).map(|cell| (cell, PLAIN)))?;
    }
    // Houses in the village, in rows with lanes between.
    for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
        let corner = Cell::new(village.x - 9 + column * 5, village.y - 9 + row * 5);
        let is_plaza = (1..=2).contains(&row) && (1..=2).contains(&column);
        if !is_plaza {
            map.edit((0..6).map(|n| (Cell::new(corner.x + n % 3, corner.y + n / 3), WALL)))?;
        }
    }

    let mut crossings = Vec::new();
    for third in 0..3 {
        let y = height * (2 * third + 1) / 6 + rng.random_range(-6..=6);
        let bridge = (-4..=4).map(|dx| Cell::new(river(y) + dx, y));
        map.edit(bridge.clone().chain(bridge.map(|cell| Cell::new(cell.x, cell.y + 1))).map(|cell| (cell, ROAD)))?;
        crossings.push((Cell::new(river(y) - 5, y), Cell::new(river(y) + 5, y)));
    }
    // Roads go where a traveller would: along cheapest paths.
    let foot = MovementClass::new("surveyor")
        .with_cost(ROAD, 1)?
        .with_cost(PLAIN, 2)?
        .with_cost(FOREST, 4)?
        .with_cost(SWAMP, 9)?;
    let ends = crossings.into_iter().flat_map(|(west, east)| [(village, west), (camp, east)]);
    for (from, to) in ends {
        map.edit(disc(to, 1).map(|cell| (cell, ROAD)))?;
        let answer = find_path(&CostGrid::new(&map, &foot), &PathQuery::new(from, to))?;
        let way = answer.outcome.path().map(|path| path.cells().to_vec()).unwrap_or_default();
        // Two cells wide, so that a road that goes diagonally does not look like stepping stones.
        let road: Vec<_> = way.into_iter().flat_map(|cell| [cell, Cell::new(cell.x + 1, cell.y)]).collect();
        let is_ground = |cell: &Cell| map.terrain(*cell).is_some_and(|terrain| terrain != WATER && terrain != WALL);
        map.edit(road.into_iter().filter(is_ground).map(|cell| (cell, ROAD)).collect::<Vec<_>>())?;
    }
    Ok(map)
}

/// The cells within `radius` of a cell.
pub fn disc(centre: Cell, radius: i32) -> impl Iterator<Item = Cell> + Clone {
    let side = -radius..=radius;
    let offsets = side.clone().flat_map(move |dy| side.clone().map(move |dx| (dx, dy)));
    offsets
        .filter(move |(dx, dy)| dx * dx + dy * dy <= radius * radius + radius)
        .map(move |(dx, dy)| Cell::new(centre.x + dx, centre.y + dy))
}

/// Picks the places in the largest region: the village in its west, the camp in its east.
fn find_places(tilemap: &Tilemap) -> Option<Places> {
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
    // The first one of the largest, whatever the order of the search for it.
    let open = regions.into_iter().rev().max_by_key(Vec::len)?;
    let (width, height) = (size.width() as i32, size.height() as i32);
    let near = |x: i32, y: i32| open.iter().copied().min_by_key(|cell| cell.chebyshev(Cell::new(x, y)));
    Some(Places {
        village: near(26 * width / WIDTH as i32, height / 2)?,
        camp: near(width - 18 * width / WIDTH as i32, height / 3)?,
        barracks: near(46 * width / WIDTH as i32, height / 2 + height / 12)?,
        open,
    })
}

impl Places {
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

/// Smooth random values from 0 to 1: random points on a lattice, and smooth slopes between.
struct Noise {
    points: Vec<f32>,
    columns: usize,
    spacing: f32,
}

impl Noise {
    fn new(rng: &mut ChaCha8Rng, spacing: u32) -> Self {
        let columns = (WIDTH.max(HEIGHT) as u32 / spacing + 2) as usize;
        Self { points: (0..columns * columns).map(|_| rng.random()).collect(), columns, spacing: spacing as f32 }
    }

    fn at(&self, cell: Cell) -> f32 {
        let (x, y) = (cell.x as f32 / self.spacing, cell.y as f32 / self.spacing);
        let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
        let (column, row) = (x as usize, y as usize);
        let (right, down) = (smooth(x.fract()), smooth(y.fract()));
        let point = |dx, dy| self.points.get((row + dy) * self.columns + column + dx).copied().unwrap_or_default();
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        mix(mix(point(0, 0), point(1, 0), right), mix(point(0, 1), point(1, 1), right), down)
    }
}
