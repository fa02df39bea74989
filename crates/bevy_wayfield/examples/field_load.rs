//! How long units take to read the directions of a shared field, and how long a field takes to follow an edit.
//!
//! `cargo run --release -p bevy_wayfield --example field_load -- --help`
//!
//! A game's own system asks for the direction of every unit from its `Transform`, as one does that moves its units by itself. Every answer
//! of the first tick is compared with the step that the field's map says.

use std::time::Instant;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_wayfield::wayfield::{Cell, GridSize, MovementClass, TerrainId, TerrainMap};
use bevy_wayfield::{ClassId, Delivery, DijkstraMaps, Field, FieldId, PathfindingPlugin, PathfindingSettings, Tilemap};
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PLAIN: TerrainId = TerrainId(0);
const WALL: TerrainId = TerrainId(1);
const FOOT: ClassId = ClassId(0);

/// What to run.
#[derive(Clone, Debug, Parser)]
struct Args {
    /// How many units
    #[arg(long, default_value_t = 100_000)]
    units: usize,
    /// How many cells along a side the map has
    #[arg(long, default_value_t = 1024)]
    side: u64,
    /// How many ticks
    #[arg(long, default_value_t = 200)]
    ticks: usize,
}

/// A unit of the game.
#[derive(Component)]
struct Unit;

/// What the units ask, and how long that takes.
#[derive(Resource)]
struct Readings {
    field: FieldId,
    /// Milliseconds of each tick.
    times: Vec<f64>,
    /// How many units were told to go on, in all ticks.
    going: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let size = GridSize::new(args.side, args.side)?;
    let mut map = TerrainMap::new(size, PLAIN);
    let rocks: Vec<_> = size.rect().cells().filter(|_| dice.random_bool(0.1)).map(|cell| (cell, WALL)).collect();
    map.edit(rocks)?;
    let tilemap = Tilemap::new(map, vec![MovementClass::new("foot").with_cost(PLAIN, 1)?]);
    let side = args.side as f32;
    let units: Vec<_> = (0..args.units)
        .map(|_| (Unit, Transform::from_xyz(dice.random_range(0.0..side), dice.random_range(0.0..side), 0.0)))
        .collect();

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindingPlugin::in_schedule(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(33)))
        .insert_resource(PathfindingSettings { delivery: Delivery::AfterTicks(1), ..default() })
        .insert_resource(tilemap)
        .add_systems(Last, read_directions);
    app.world_mut().spawn_batch(units);
    let centre = Cell::new(args.side as i32 / 2, args.side as i32 / 2);
    let field = app.world_mut().resource_mut::<DijkstraMaps>().define("centre", Field::seek(FOOT).cells([centre]));
    app.insert_resource(Readings { field, times: Vec::new(), going: 0 });
    for _ in 0..4 {
        app.update();
    }
    check(app.world_mut(), field)?;

    app.world_mut().resource_mut::<Readings>().times.clear();
    let mut edits = Vec::new();
    for _ in 0..args.ticks {
        let cell = Cell::new(dice.random_range(0..args.side as i32), dice.random_range(0..args.side as i32));
        let terrain = if dice.random_bool(0.5) { WALL } else { PLAIN };
        let begun = Instant::now();
        app.world_mut().resource_mut::<Tilemap>().edit([(cell, terrain)])?;
        app.update();
        edits.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    let world = app.world();
    let (readings, stats) = (world.resource::<Readings>(), world.resource::<DijkstraMaps>().stats());
    println!("units                {}", args.units);
    println!("directions_p50_ms    {:.3}", median(&readings.times));
    println!("tick_p50_ms          {:.3}", median(&edits));
    println!("repairs              {}", stats.repairs);
    println!("rebuilds             {}", stats.rebuilds);
    println!("cells_a_repair       {:.1}", stats.cells as f64 / (stats.repairs + stats.rebuilds).max(1) as f64);
    println!("going                {}", readings.going);
    Ok(())
}

fn read_directions(
    units: Query<&Transform, With<Unit>>,
    tilemap: Res<Tilemap>,
    maps: Res<DijkstraMaps>,
    mut readings: ResMut<Readings>,
) {
    let begun = Instant::now();
    let Some(flow) = maps.flow(readings.field) else { return };
    let cells = units.iter().filter_map(|at| tilemap.world_to_cell(at.translation.truncate()));
    let going = cells.filter_map(|cell| flow.direction(cell)).count();
    readings.times.push(begun.elapsed().as_secs_f64() * 1e3);
    readings.going += going;
}

/// Compares every unit's direction with that of the map.
fn check(world: &mut World, field: FieldId) -> Result<(), Box<dyn std::error::Error>> {
    let mut units = world.query_filtered::<&Transform, With<Unit>>();
    let (tilemap, maps) = (world.resource::<Tilemap>(), world.resource::<DijkstraMaps>());
    let (map, grid) = maps.get(field).zip(tilemap.grid(FOOT)).ok_or("there is no field yet")?;
    for at in units.iter(world) {
        let cell = tilemap.world_to_cell(at.translation.truncate()).ok_or("a unit is outside")?;
        if maps.direction_at(field, cell) != map.downhill(grid, cell) {
            return Err(format!("the direction of {cell} is wrong").into());
        }
    }
    Ok(())
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
