//! The terrain, drawn by chunks of Bevy's tilemap; only chunks with a changed cell are drawn anew.

use bevy::asset::RenderAssetUsages;
use bevy::image::{CompressedImageFormats, ImageSampler, ImageType};
use bevy::prelude::*;
use bevy::sprite_render::{AlphaMode2d, TileData, TilemapChunk, TilemapChunkTileData};
use bevy_wayfield::Tilemap;
use bevy_wayfield::wayfield::{Cell, GridSize, TerrainId};

use crate::game::terrain::CELL_SIZE;

/// Cells along a side of a chunk.
const CHUNK: u32 = 32;
/// The tileset has this many tiles, three variants of each terrain first.
const TILES: u32 = 22;
const VARIANTS: u16 = 3;

/// Which chunk of the map this is, counted from the bottom left.
#[derive(Component)]
pub struct Chunk(UVec2);

/// An image that is part of the program, so that it is found wherever the program is started.
pub fn embedded(bytes: &[u8], sampler: ImageSampler) -> Result<Image, BevyError> {
    let kind = ImageType::Extension("png");
    let usage = RenderAssetUsages::RENDER_WORLD;
    Ok(Image::from_buffer(bytes, kind, CompressedImageFormats::NONE, true, sampler, usage)?)
}

/// Shows the map as it is now. Compares before it writes: touching the tiles of a chunk uploads the whole chunk.
pub fn update(
    mut commands: Commands,
    tilemap: Res<Tilemap>,
    mut images: ResMut<Assets<Image>>,
    mut tileset: Local<Option<Handle<Image>>>,
    mut shown: Local<Option<(GridSize, u64)>>,
    mut chunks: Query<(Entity, &Chunk, &mut TilemapChunkTileData)>,
) -> Result {
    let now = (tilemap.size(), tilemap.terrain().revision());
    // A map in the place of another one may have its revision.
    if *shown == Some(now) && !tilemap.is_added() {
        return Ok(());
    }
    let tileset = match &*tileset {
        Some(tileset) => tileset.clone(),
        None => {
            let mut image = embedded(include_bytes!("../../../assets/terrain.png"), ImageSampler::nearest())?;
            image.reinterpret_stacked_2d_as_array(TILES)?;
            tileset.insert(images.add(image)).clone()
        }
    };
    let is_of_size = shown.is_some_and(|(size, _)| size == now.0);
    *shown = Some(now);
    if is_of_size {
        for (_, Chunk(chunk), mut data) in &mut chunks {
            let now = tiles(&tilemap, *chunk);
            let index = |tile: &Option<TileData>| tile.as_ref().map(|tile| tile.tileset_index);
            if !data.iter().map(index).eq(now.iter().map(index)) {
                data.0 = now;
            }
        }
        return Ok(());
    }
    for (entity, ..) in &chunks {
        commands.entity(entity).despawn();
    }
    let size = tilemap.size();
    let columns = size.width().div_ceil(CHUNK);
    for chunk in (0..size.height().div_ceil(CHUNK)).flat_map(|y| (0..columns).map(move |x| UVec2::new(x, y))) {
        let centre = (chunk.as_vec2() + 0.5) * CHUNK as f32 * CELL_SIZE;
        commands.spawn((
            Chunk(chunk),
            TilemapChunk {
                chunk_size: UVec2::splat(CHUNK),
                tile_display_size: UVec2::splat(CELL_SIZE as u32),
                tileset: tileset.clone(),
                alpha_mode: AlphaMode2d::Opaque,
            },
            TilemapChunkTileData(tiles(&tilemap, chunk)),
            Transform::from_translation(centre.extend(0.0)),
        ));
    }
    Ok(())
}

/// The tiles of a chunk, row by row from the bottom.
fn tiles(tilemap: &Tilemap, chunk: UVec2) -> Vec<Option<TileData>> {
    let rows = tilemap.size().height() as i32;
    let from = (chunk * CHUNK).as_ivec2();
    let side = 0..CHUNK as i32;
    side.clone()
        .flat_map(|y| side.clone().map(move |x| from + IVec2::new(x, y)))
        .map(|at| {
            let cell = Cell::new(at.x, rows - 1 - at.y);
            Some(TileData::from_tileset_index(tile(cell, tilemap.terrain().terrain(cell)?)))
        })
        .collect()
}

/// A terrain's tile; its variants are spread so that no pattern shows.
fn tile(cell: Cell, terrain: TerrainId) -> u16 {
    let mixed = (cell.x as u32).wrapping_mul(0x9E37_79B1) ^ (cell.y as u32).wrapping_mul(0x85EB_CA77);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
    let variant = [0, 0, 0, 1, 1, 2][(mixed >> 16) as usize % 6];
    u16::from(terrain.0) * VARIANTS + variant
}
