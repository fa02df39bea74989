//! A scene: all that a game begins with. A seed makes one, a file has one, and the game that is played can be kept as one.

use std::path::Path;

use bevy::prelude::*;
use bevy_wayfield::wayfield::{Cell, Grid, Link, MapFormat, MovementClass, TerrainId, TerrainMap, write_map};
use bevy_wayfield::{DijkstraMaps, Tilemap};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::TICK_RATE;
use super::commander::Commander;
use super::life::{self, Chronicle, NODES, OreNode};
use super::maps::{Land, Places, Preset, Problem, read_file};
use super::scenario::{self, Scenario, Trial};
use super::terrain::{CELL_SIZE, classes, letter, of_letter};
use super::units::{Dice, Registry, Town, UnitKind, UnitState};

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;
/// More units than anybody would want to watch.
const MOST_UNITS: usize = 20_000;

/// What a game begins with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    version: u32,
    /// What chance goes on from.
    seed: u64,
    /// A row of characters for each row of cells.
    rows: Vec<String>,
    classes: Vec<MovementClass>,
    ferries: Vec<Link>,
    /// Where ore lies, and how many loads.
    ore: Vec<(Cell, u32)>,
    units: Vec<UnitState>,
}

/// Another scene is to begin.
#[derive(Message, Clone, Debug)]
pub enum BeginScene {
    Game(Scene),
    /// The scenario that this seed makes.
    Trial(Scenario, u64),
}

impl Scene {
    /// The scene that a seed makes on a kind of map.
    pub fn generate(preset: Preset, seed: u64) -> Result<Self, Problem> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let land = Land::generate(preset, &mut rng)?;
        Self::people(land, seed, rng)
    }

    /// The scene that a seed makes on the map of a file, or the scene of a file if its name ends with `.ron`.
    pub fn open(file: &Path, seed: u64) -> Result<Self, Problem> {
        let read = || {
            if file.extension().is_some_and(|end| end.eq_ignore_ascii_case("ron")) {
                Self::parse(&read_file(file)?)
            } else {
                Self::people(Land::read(file)?, seed, ChaCha8Rng::seed_from_u64(seed))
            }
        };
        read().map_err(|problem| format!("{}: {problem}", file.display()).into())
    }

    /// A scene from the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        // The message of a bad file has the line and the column.
        let scene: Self = ron::de::from_bytes(bytes)?;
        if scene.version != VERSION {
            return Err(format!("this is a scene of version {}, not {VERSION}", scene.version).into());
        }
        scene.check()?;
        Ok(scene)
    }

    /// Puts the usual people on a map.
    fn people(land: Land, seed: u64, mut rng: ChaCha8Rng) -> Result<Self, Problem> {
        let mut scene = Self {
            version: VERSION,
            seed,
            rows: rows_of(&land.terrain),
            classes: classes()?,
            ferries: land.ferries,
            ore: Vec::new(),
            units: Vec::new(),
        };
        let (_, places) = scene.check()?;
        for kind in UnitKind::ALL {
            let (centre, radius) = kind.home(&places);
            for _ in 0..kind.count() {
                let cell = places.random_near(centre, radius, &mut rng);
                scene.units.push(UnitState::recruit(kind, cell, &mut rng));
            }
        }
        for _ in 0..NODES {
            let OreNode { cell, loads } = life::new_node(&places, &mut rng);
            scene.ore.push((cell, loads));
        }
        Ok(scene)
    }

    /// These people on this map.
    pub fn staged(
        terrain: &TerrainMap,
        seed: u64,
        units: Vec<UnitState>,
        ore: Vec<(Cell, u32)>,
    ) -> Result<Self, Problem> {
        let (rows, classes, ferries) = (rows_of(terrain), classes()?, terrain.links().to_vec());
        let scene = Self { version: VERSION, seed, rows, classes, ferries, ore, units };
        scene.check()?;
        Ok(scene)
    }

    /// The map of the scene and its places, if there is nothing wrong with it.
    fn check(&self) -> Result<(Tilemap, Places), Problem> {
        let width = self.rows.first().map_or(0, |row| row.chars().count());
        for (index, row) in self.rows.iter().enumerate() {
            let found = row.chars().count();
            if found != width {
                return Err(format!("row {} has {found} cells, the first one has {width}", index + 1).into());
            }
        }
        let cells: Vec<_> = self.rows.iter().flat_map(|row| row.chars().map(of_letter)).collect();
        let mut terrain = TerrainMap::from_grid(Grid::from_rows(width, cells)?);
        for (index, &ferry) in self.ferries.iter().enumerate() {
            terrain.add_link(ferry).map_err(|error| format!("ferry {}: {error}", index + 1))?;
        }
        if self.classes.len() != classes()?.len() {
            return Err(format!("{} movement classes, not {}", self.classes.len(), classes()?.len()).into());
        }
        if self.units.len() > MOST_UNITS {
            return Err(format!("{} units are more than {MOST_UNITS}", self.units.len()).into());
        }
        let size = terrain.size();
        for (index, unit) in self.units.iter().enumerate() {
            if !size.contains(unit.cell) || !unit.speed.is_finite() || unit.speed < 0.0 {
                return Err(format!(
                    "unit {}: {} at {} with speed {}",
                    index + 1,
                    unit.kind.name(),
                    unit.cell,
                    unit.speed
                )
                .into());
            }
        }
        if let Some((cell, _)) = self.ore.iter().find(|(cell, _)| !size.contains(*cell)) {
            return Err(format!("ore at {cell}, outside the map").into());
        }
        let tilemap = Tilemap::new(terrain, self.classes.clone()).with_layout(Vec2::ZERO, CELL_SIZE);
        let places = Places::find(&tilemap).ok_or("the map has no cell that a unit could stand on")?;
        Ok((tilemap, places))
    }

    /// Lets a world begin with this scene, whatever it was at before. One that is not sound leaves the world as it is.
    pub fn begin(&self, world: &mut World) {
        let (tilemap, places) = match self.check() {
            Ok(checked) => checked,
            Err(problem) => {
                error!("{problem}");
                return;
            }
        };
        let old = world.query_filtered::<Entity, Or<(With<UnitKind>, With<OreNode>)>>().iter(world).collect::<Vec<_>>();
        for entity in old {
            world.despawn(entity);
        }
        let mut registry = Registry::default();
        let mut commands = world.commands();
        for unit in &self.units {
            unit.spawn(&mut commands, &mut registry, &tilemap);
        }
        for &(cell, loads) in &self.ore {
            commands.spawn(OreNode { cell, loads });
        }
        world.flush();
        world.insert_resource(registry);
        world.insert_resource(tilemap);
        world.insert_resource(Town(places));
        world.insert_resource(Dice(ChaCha8Rng::seed_from_u64(self.seed)));
        world.insert_resource(Chronicle::default());
        world.insert_resource(Commander::default());
        world.insert_resource(Time::<Fixed>::from_hz(TICK_RATE));
        world.remove_resource::<Trial>();
        // The fields of the old scene lead over the old map.
        world.insert_resource(DijkstraMaps::default());
        if let Err(problem) = world.run_system_cached(life::settle) {
            error!("{problem}");
        }
    }

    /// The scene as it is in a world now; what units are in the middle of is not part of it.
    pub fn of(world: &mut World) -> Self {
        let mut units = world.query::<(&UnitKind, &bevy_wayfield::SimId, &bevy_wayfield::Mover, &Transform)>();
        let mut ore = world.query::<&OreNode>();
        let tilemap = world.resource::<Tilemap>();
        let state = |(kind, id, mover, at): (&UnitKind, &bevy_wayfield::SimId, &bevy_wayfield::Mover, &Transform)| {
            let cell = tilemap.world_to_cell(at.translation.truncate())?;
            Some((*id, UnitState { kind: *kind, cell, speed: mover.speed, offset: mover.offset.into() }))
        };
        let mut units: Vec<_> = units.iter(world).filter_map(state).collect();
        units.sort_unstable_by_key(|(id, _)| *id);
        let mut ore: Vec<_> = ore.iter(world).map(|node| (node.cell, node.loads)).collect();
        ore.sort_unstable();
        Self {
            version: VERSION,
            seed: units.len() as u64,
            rows: rows_of(tilemap.terrain()),
            classes: tilemap.classes().to_vec(),
            ferries: tilemap.terrain().links().to_vec(),
            ore,
            units: units.into_iter().map(|(_, unit)| unit).collect(),
        }
    }

    /// Writes the scene if the name of the file ends with `.ron`, else its map alone as rows of characters.
    pub fn save(&self, file: &Path) -> Result<(), Problem> {
        let is_scene = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("ron"));
        let text = if is_scene {
            let style = ron::ser::PrettyConfig::new().depth_limit(2);
            ron::ser::to_string_pretty(self, style)?
        } else {
            self.rows.iter().map(|row| format!("{row}\n")).collect()
        };
        std::fs::write(file, text).map_err(|problem| format!("{}: {problem}", file.display()).into())
    }
}

/// A row of characters for each row of cells.
fn rows_of(terrain: &TerrainMap) -> Vec<String> {
    let letters = terrain.grid().values().iter().map(|&kind| TerrainId(u8::try_from(letter(kind)).unwrap_or(b'@')));
    let width = terrain.size().width() as usize;
    let grid = Grid::from_rows(width, letters.collect()).unwrap_or_else(|_| Grid::new(terrain.size(), TerrainId(b'@')));
    write_map(&TerrainMap::from_grid(grid), MapFormat::Rows).lines().map(str::to_owned).collect()
}

/// Begins the last scene that was asked for.
pub fn begin_asked(world: &mut World) {
    let asked = world.resource_mut::<Messages<BeginScene>>().drain().last();
    match asked {
        Some(BeginScene::Game(scene)) => scene.begin(world),
        Some(BeginScene::Trial(which, seed)) => {
            if let Err(problem) = scenario::begin(world, which, seed) {
                error!("{problem}");
            }
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_comes_back_from_its_text() {
        let scene = Scene::generate(Preset::Islands, 3).unwrap();
        let text = ron::ser::to_string(&scene).unwrap();
        let back = Scene::parse(text.as_bytes()).unwrap();
        assert_eq!((back.rows, back.units, back.ore), (scene.rows, scene.units, scene.ore));
        assert_eq!(back.ferries, scene.ferries);
    }

    #[test]
    fn what_is_wrong_with_a_scene_is_said() {
        let scene = Scene::generate(Preset::Field, 3).unwrap();
        let spoilt = |spoil: fn(&mut Scene)| {
            let mut scene = scene.clone();
            spoil(&mut scene);
            Scene::parse(ron::ser::to_string(&scene).unwrap().as_bytes()).unwrap_err().to_string()
        };
        for (spoil, word) in [
            ((|scene| scene.version = 9) as fn(&mut Scene), "version 9"),
            (|scene| scene.rows.clear(), "0"),
            (|scene| _ = scene.rows[4].pop(), "row 5 has 159 cells"),
            (|scene| scene.units[0].cell = Cell::new(-1, 4), "unit 1"),
            (|scene| scene.units[1].speed = f32::NAN, "unit 2"),
            (|scene| scene.ore[0].0 = Cell::new(0, 999), "ore at"),
            (|scene| scene.classes.clear(), "movement classes"),
            (|scene| scene.ferries.push(Link::new(Cell::new(0, 0), Cell::new(0, 0), 1)), "ferry 1"),
            (|scene| scene.rows.iter_mut().for_each(|row| *row = "@".repeat(160)), "no cell"),
        ] {
            let problem = spoilt(spoil);
            assert!(problem.contains(word), "{word}: {problem}");
        }
        for bytes in [&b""[..], b"(version: 1", b"\xff\xfe", b"(version: 1, surprise: 2)"] {
            assert!(Scene::parse(bytes).is_err());
        }
        let place = Scene::parse(b"(version: 1,\n  seed: x)").unwrap_err().to_string();
        assert!(place.contains('2'), "it says in which line: {place}");
    }
}
