//! Draws the pictures that the demo uses and writes them to `assets/`.
//!
//! Run it from anywhere with `cargo run --example make_assets`. The pictures are committed, so this is needed only
//! after a change to this program. It is deterministic: the noise is an integer hash, and the geometry uses nothing
//! beyond the four operations and the square root, which every machine rounds alike.
//!
//! * `terrain.png`: tiles of 32x32 pixels in one column, a layer of the array texture each, in the order of [`TILES`].
//! * `units.png`: sprites of 32x32 pixels in one row, in the order of [`SPRITES`]. They are grey with a dark outline,
//!   so that a tint gives them the colour of a team; what they are can be told from the shape alone.

mod noise;
mod picture;
mod sprites;
mod terrain;

use std::error::Error;
use std::path::Path;

use picture::Picture;
use sprites::{Paint, Point, draw};

/// Width and height of a tile and of a sprite, in pixels.
const SIZE: i32 = 32;

/// The layers of `terrain.png` from top to bottom.
const TILES: [fn(&mut Picture); 22] = [
    |t| terrain::plain(t, 0),
    |t| terrain::plain(t, 1),
    |t| terrain::plain(t, 2),
    |t| terrain::forest(t, 0),
    |t| terrain::forest(t, 1),
    |t| terrain::forest(t, 2),
    |t| terrain::swamp(t, 0),
    |t| terrain::swamp(t, 1),
    |t| terrain::swamp(t, 2),
    |t| terrain::water(t, 0),
    |t| terrain::water(t, 1),
    |t| terrain::water(t, 2),
    |t| terrain::wall(t, 0),
    |t| terrain::wall(t, 1),
    |t| terrain::wall(t, 2),
    |t| terrain::road(t, 0),
    |t| terrain::road(t, 1),
    |t| terrain::road(t, 2),
    // The rest serves overlays: a white cell to be tinted, arrows to the north and to the north-east (turning a tile
    // gives the other six directions), and the outline of a cell.
    |t| t.fill([255, 255, 255, 255]),
    |t| draw(t, sprites::arrow_north),
    |t| draw(t, sprites::arrow_north_east),
    |t| draw(t, sprites::cell_outline),
];

/// The sprites of `units.png` from left to right; all that move look to the north.
const SPRITES: [fn(Point) -> Paint; 11] = [
    sprites::soldier,
    sprites::raider,
    sprites::civilian,
    sprites::worker,
    sprites::laden_worker,
    sprites::selection_ring,
    sprites::move_marker,
    sprites::blocked_marker,
    sprites::ore,
    sprites::depot,
    sprites::waypoint,
];

fn main() -> Result<(), Box<dyn Error>> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    std::fs::create_dir_all(&assets)?;

    let mut terrain = Picture::new(SIZE, SIZE * TILES.len() as i32);
    for (layer, draw) in TILES.iter().enumerate() {
        let mut tile = Picture::new(SIZE, SIZE);
        draw(&mut tile);
        terrain.paste(&tile, 0, layer as i32 * SIZE);
    }
    terrain.save(&assets.join("terrain.png"))?;

    let mut units = Picture::new(SIZE * SPRITES.len() as i32, SIZE);
    for (index, paint) in SPRITES.iter().enumerate() {
        let mut picture = Picture::new(SIZE, SIZE);
        draw(&mut picture, *paint);
        units.paste(&picture, index as i32 * SIZE, 0);
    }
    units.save(&assets.join("units.png"))?;
    Ok(())
}
