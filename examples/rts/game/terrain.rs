//! The kinds of terrain and of mover.

use bevy_wayfield::ClassId;
use bevy_wayfield::wayfield::{Cell, MovementClass, MovementClassError, TerrainId};

pub const PLAIN: TerrainId = TerrainId(0);
pub const FOREST: TerrainId = TerrainId(1);
pub const SWAMP: TerrainId = TerrainId(2);
pub const WATER: TerrainId = TerrainId(3);
pub const WALL: TerrainId = TerrainId(4);
pub const ROAD: TerrainId = TerrainId(5);

/// Every kind of terrain: its number, its name and its character in text maps, in the order of the palette.
pub const KINDS: [(TerrainId, &str, char); 6] = [
    (PLAIN, "Plain", '.'),
    (FOREST, "Forest", 'f'),
    (SWAMP, "Swamp", 'S'),
    (WATER, "Water", 'W'),
    (WALL, "Rock", '@'),
    (ROAD, "Road", '='),
];

/// Everybody who goes on foot.
pub const FOOT: ClassId = ClassId(0);
/// Raiders know their way in the woods.
pub const RAIDER: ClassId = ClassId(1);

/// World units a cell; the size of a tile of the tileset.
pub const CELL_SIZE: f32 = 32.0;

/// Costs count in halves of plain ground, so that a road can be cheaper.
pub fn classes() -> Result<Vec<MovementClass>, MovementClassError> {
    let class = |name: &str, forest, swamp| {
        MovementClass::new(name)
            .with_cost(ROAD, 1)?
            .with_cost(PLAIN, 2)?
            .with_cost(FOREST, forest)?
            .with_cost(SWAMP, swamp)
    };
    Ok(vec![class("foot", 6, 12)?, class("raider", 4, 8)?])
}

/// The character of a terrain in text maps.
pub fn letter(terrain: TerrainId) -> char {
    KINDS.iter().find(|(kind, ..)| *kind == terrain).map_or('@', |&(.., letter)| letter)
}

/// The terrain of a character; those of Moving AI maps and costs from 1 to 9 are understood, too.
pub fn of_letter(letter: char) -> TerrainId {
    match letter {
        '.' | 'G' | '1' | '2' => PLAIN,
        'f' | '3'..='5' => FOREST,
        'S' | '6'..='9' => SWAMP,
        'W' => WATER,
        '=' => ROAD,
        _ => WALL,
    }
}

/// The cells within `radius` of a cell.
pub fn disc(centre: Cell, radius: i32) -> impl Iterator<Item = Cell> + Clone {
    let side = -radius..=radius;
    let offsets = side.clone().flat_map(move |dy| side.clone().map(move |dx| (dx, dy)));
    offsets
        .filter(move |(dx, dy)| dx * dx + dy * dy <= radius * radius + radius)
        .map(move |(dx, dy)| Cell::new(centre.x + dx, centre.y + dy))
}
