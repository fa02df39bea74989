//! The kinds of terrain. A terrain is its character in text maps, as the core reads them.

use wayfield::{CornerRule, MovementClass, TerrainCost, TerrainId};

pub const PLAIN: TerrainId = TerrainId(b'.');
pub const FOREST: TerrainId = TerrainId(b'F');
pub const SWAMP: TerrainId = TerrainId(b'S');
pub const WALL: TerrainId = TerrainId(b'#');

/// What the palette offers: terrain, name, and what entering it costs, if it can be entered.
pub const KINDS: [(TerrainId, &str, Option<u8>); 4] =
    [(PLAIN, "Plain", Some(1)), (FOREST, "Forest", Some(3)), (SWAMP, "Swamp", Some(6)), (WALL, "Wall", None)];

/// Who walks in the lab: the palette's costs, `G` as plain ground, digits at their own value.
pub fn walker(rule: CornerRule) -> MovementClass {
    let palette = KINDS.into_iter().filter_map(|(terrain, _, cost)| Some((terrain, cost?)));
    let digits = (1..=9).map(|digit| (TerrainId(b'0' + digit), digit));
    let mut class = MovementClass::new("walker").with_corner_rule(rule);
    for (terrain, cost) in palette.chain(digits).chain([(TerrainId(b'G'), 1)]) {
        class.set_cost(terrain, TerrainCost::try_from(i64::from(cost)).ok());
    }
    class
}

/// A wall where there is none, and plain ground where there is one.
pub fn toggled(terrain: Option<TerrainId>) -> TerrainId {
    if terrain == Some(WALL) { PLAIN } else { WALL }
}
