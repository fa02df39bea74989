//! Colours that the colour-blind tell apart: Okabe and Ito's for what a search does, and grounds of different lightness.

use bevy_wayfield_egui::DISTINCT;
use wayfield::TerrainId;
use wayfield::bidirectional::Side;

use super::canvas::Rgb;
use crate::model::board::{CellView, Mark, Pin, WayKind};
use crate::model::terrain::{FOREST, SWAMP};

const SKY: Rgb = DISTINCT[0];
const ORANGE: Rgb = DISTINCT[1];
const GREEN: Rgb = DISTINCT[2];
const YELLOW: Rgb = DISTINCT[3];
const BLUE: Rgb = DISTINCT[4];
const VERMILION: Rgb = DISTINCT[5];
const PURPLE: Rgb = DISTINCT[6];

pub const PAPER: Rgb = [0xFB, 0xFA, 0xF7];
pub const INK: Rgb = [0x1D, 0x1F, 0x24];
pub const FAINT_INK: Rgb = [0x5A, 0x5E, 0x66];
pub const WARNING: Rgb = [0xA8, 0x3F, 0x00];
/// Between two cells.
pub const SEAM: Rgb = [0xCF, 0xCA, 0xBE];
pub const CLUSTER: Rgb = [0x3A, 0x3F, 0x4A];
pub const CURRENT: Rgb = VERMILION;
pub const NODE: Rgb = [0x3C, 0x1F, 0x4A];
pub const EDITED: Rgb = [0x00, 0x00, 0x00];

const PLAIN_GROUND: Rgb = [0xF1, 0xEE, 0xE5];
const FOREST_GROUND: Rgb = [0xB5, 0xC9, 0x9C];
const SWAMP_GROUND: Rgb = [0xA0, 0x8B, 0x73];
const DEAREST_GROUND: Rgb = [0x7B, 0x6A, 0x58];
const WALL_GROUND: Rgb = [0x3B, 0x40, 0x49];

/// The ground of a cell.
pub fn ground(cell: &CellView) -> Rgb {
    ground_color(cell.terrain, cell.cost)
}

/// The colour of a terrain that costs this much, if it can be entered.
pub fn ground_color(terrain: TerrainId, cost: Option<u8>) -> Rgb {
    match (terrain, cost) {
        (_, None) => WALL_GROUND,
        (FOREST, _) => FOREST_GROUND,
        (SWAMP, _) => SWAMP_GROUND,
        (_, Some(cost)) => blend(PLAIN_GROUND, DEAREST_GROUND, (f32::from(cost) - 1.0) / 8.0),
    }
}

/// The colour of a mark, and how much of the ground it hides.
pub fn mark(mark: Mark) -> Option<(Rgb, f32)> {
    Some(match mark {
        Mark::Unseen => return None,
        Mark::Closed(Side::Forward) => (SKY, 0.78),
        Mark::Open(Side::Forward) => (YELLOW, 0.92),
        Mark::Closed(Side::Backward) => (PURPLE, 0.66),
        Mark::Open(Side::Backward) => (ORANGE, 0.85),
        Mark::Met => (GREEN, 0.75),
        Mark::Repaired => (ORANGE, 0.88),
        Mark::Cheaper => (YELLOW, 0.92),
        Mark::Dearer => (PURPLE, 0.85),
    })
}

/// The colour of a way, and whether it is dashed.
pub fn way(kind: WayKind) -> (Rgb, bool) {
    match kind {
        WayKind::Found => ([0, 0, 0], false),
        WayKind::SoFar => (INK, false),
        WayKind::Cheapest => (BLUE, true),
        WayKind::FewestSteps => (VERMILION, true),
        WayKind::Compared => ([0x00, 0x6B, 0x4E], false),
        WayKind::Coarse => (PURPLE, false),
        WayKind::Chain => ([0x6B, 0x3A, 0x00], false),
        WayKind::Before => ([0x6E, 0x72, 0x7A], true),
    }
}

/// The colour of a pin and its letter.
pub fn pin(pin: Pin) -> (Rgb, &'static str) {
    match pin {
        Pin::Start => ([0x00, 0x4F, 0x7D], "S"),
        Pin::Goal => ([0xA8, 0x3F, 0x00], "G"),
        Pin::Source => ([0x00, 0x6B, 0x4E], "+"),
        Pin::Threat => ([0x8E, 0x2F, 0x68], "!"),
    }
}

/// What is written on this ground: dark or light, whichever stands out.
pub fn ink_on([red, green, blue]: Rgb) -> Rgb {
    let light = 0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue);
    if light > 120.0 { INK } else { [0xFF, 0xFF, 0xFF] }
}

pub fn blend(from: Rgb, to: Rgb, share: f32) -> Rgb {
    let share = share.clamp(0.0, 1.0);
    let mut mixed = from;
    for (channel, to) in mixed.iter_mut().zip(to) {
        *channel = (f32::from(*channel) + (f32::from(to) - f32::from(*channel)) * share).round() as u8;
    }
    mixed
}
