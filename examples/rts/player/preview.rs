//! The way to where the pointer is, for the first of the selected units.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfield::{PathRequest, PathfindingSettings, Tilemap};
use bevy_wayfield_egui::{MapPointer, Preview, Question, TerrainBrush};

use super::brush::Hand;
use super::lens::Lens;
use super::selection::Selection;
use crate::game::terrain::FOOT;
use crate::game::units::UnitKind;

/// Expansions a frame; a longer search takes several.
const BUDGET: u64 = 4_000;

pub fn look(
    mut preview: ResMut<Preview>,
    selection: Res<Selection>,
    pointer: Res<MapPointer>,
    brush: Res<TerrainBrush>,
    hand: Res<Hand>,
    window: Single<&Window, With<PrimaryWindow>>,
    lens: Res<Lens>,
    settings: Res<PathfindingSettings>,
    tilemap: Res<Tilemap>,
    units: Query<&Transform, With<UnitKind>>,
) {
    let is_free = brush.terrain.is_none() && hand.spawns.is_none() && !pointer.is_over_ui();
    let question = || {
        let cursor = window.cursor_position().filter(|_| is_free)?;
        let goal = tilemap.world_to_cell(lens.to_world(cursor, window.size()))?;
        let at = units.get(*selection.units().first()?).ok()?;
        let start = tilemap.world_to_cell(at.translation.truncate())?;
        let request = PathRequest::to(goal).class(FOOT).nearest().allow_partial();
        Question::of(&request, FOOT, start, &settings, &tilemap)
    };
    match question() {
        Some(question) => _ = preview.look(question, &tilemap, BUDGET),
        None => preview.forget(),
    }
}
