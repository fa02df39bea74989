//! The overlay over the map: a picture of its own, written anew where it has changed.

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_wayfield::wayfield::search::NodeState;
use bevy_wayfield::wayfield::{Cell, Grid};
use bevy_wayfield::{DijkstraMaps, FollowPath, Mover, PathRequest, PathfindingSettings, Planner, Tilemap};
use bevy_wayfield_egui::{LastAnswer, Overlay, OverlayKind, OverlaySource, Question};

use crate::game::life::SharedFields;
use crate::game::terrain::{CELL_SIZE, FOOT, RAIDER};
use crate::game::units::UnitKind;
use crate::player::keys::{Action, Actions};
use crate::player::selection::Selection;

const HEIGHT: f32 = 1.0;
/// How often what changes all the time is shown anew, in seconds.
const REFRESH: f32 = 0.2;

/// The picture over the map.
#[derive(Component)]
pub struct Picture;

/// What the latest search of the unit in question explored.
#[derive(Resource, Default)]
pub struct Explored {
    states: Option<Grid<NodeState>>,
    /// Whose, and which of its searches.
    of: Option<(Entity, LastAnswer)>,
    /// In words, if there is nothing to be seen.
    pub note: Option<&'static str>,
}

/// All overlays, with their names.
pub fn all(fields: &SharedFields) -> [(&'static str, OverlayKind); 14] {
    [
        ("Terrain costs", OverlayKind::Costs(FOOT)),
        ("Terrain costs, raiders", OverlayKind::Costs(RAIDER)),
        ("Explored by the last search", OverlayKind::Explored),
        ("Heat: to the prey", OverlayKind::Heat(fields.chase)),
        ("Heat: away from raiders", OverlayKind::Heat(fields.flee)),
        ("Heat: danger", OverlayKind::Heat(fields.danger)),
        ("Heat: to the ore", OverlayKind::Heat(fields.ore)),
        ("Flow: to the prey", OverlayKind::Flow(fields.chase, RAIDER)),
        ("Flow: away from raiders", OverlayKind::Flow(fields.flee, FOOT)),
        ("Flow: to the ore", OverlayKind::Flow(fields.ore, FOOT)),
        ("Components", OverlayKind::Components(FOOT)),
        ("Clusters and entrances", OverlayKind::Clusters(FOOT)),
        ("Occupancy", OverlayKind::Occupancy),
        ("Clearance", OverlayKind::Clearance(FOOT)),
    ]
}

pub fn spawn(mut commands: Commands) {
    commands.spawn((Picture, Sprite::default(), Visibility::Hidden, Transform::from_xyz(0.0, 0.0, HEIGHT)));
}

/// The key shows one after the other.
pub fn choose(actions: Res<Actions>, fields: Res<SharedFields>, mut overlay: ResMut<Overlay>) {
    if actions.began(Action::NoOverlay) {
        overlay.kind = None;
    } else if actions.began(Action::NextOverlay) {
        let all = all(&fields);
        let next =
            overlay.kind.and_then(|kind| all.iter().position(|(_, other)| *other == kind)).map_or(0, |at| at + 1);
        overlay.kind = all.get(next).map(|(_, kind)| *kind);
    }
}

/// Asks the latest question of the unit in question again, for the cells that it explored.
pub fn explore(
    overlay: Res<Overlay>,
    mut explored: ResMut<Explored>,
    selection: Res<Selection>,
    tilemap: Res<Tilemap>,
    settings: Res<PathfindingSettings>,
    units: Query<(&Transform, &Mover, Option<&PathRequest>, Option<&FollowPath>, &LastAnswer)>,
) {
    if overlay.kind != Some(OverlayKind::Explored) {
        return;
    }
    let unit = selection.inspected.or(selection.units().first().copied());
    let Some((entity, (at, mover, Some(request), way, last))) =
        unit.and_then(|unit| Some((unit, units.get(unit).ok()?)))
    else {
        return;
    };
    if explored.of == Some((entity, *last)) {
        return;
    }
    explored.of = Some((entity, *last));
    let here = tilemap.world_to_cell(at.translation.truncate());
    let start = way.and_then(|way| way.path.start()).or(here);
    let question = start.and_then(|start| Question::of(request, mover.class, start, &settings, &tilemap));
    let answer = question.and_then(|mut question| {
        question.query.algorithm = last.search.algorithm;
        question.explore(&tilemap)
    });
    explored.note = match &answer {
        None => Some("Its order leads to a unit: select one on its way to a place."),
        Some((answer, _)) if answer.algorithm.replan_method().is_some() => {
            Some("Of LPA* and D* Lite there is nothing to see.")
        }
        Some((answer, _)) if answer.stats.expanded == 0 => Some("No cell was expanded."),
        Some(_) => None,
    };
    explored.states = answer.map(|(_, states)| states);
}

/// Shows the overlay, and keeps it up to date.
pub fn show(
    mut overlay: ResMut<Overlay>,
    explored: Res<Explored>,
    tilemap: Res<Tilemap>,
    maps: Res<DijkstraMaps>,
    planner: Res<Planner>,
    units: Query<&Transform, With<UnitKind>>,
    time: Res<Time<Real>>,
    mut images: ResMut<Assets<Image>>,
    picture: Single<(&mut Sprite, &mut Visibility, &mut Transform), (With<Picture>, Without<UnitKind>)>,
    mut shown: Local<Option<(OverlayKind, u64, u64)>>,
    mut since: Local<f32>,
) {
    let (mut sprite, mut visibility, mut transform) = picture.into_inner();
    let Some(kind) = overlay.kind else {
        visibility.set_if_neq(Visibility::Hidden);
        *shown = None;
        return;
    };
    visibility.set_if_neq(Visibility::Visible);
    *since += time.delta_secs();
    let version = match kind {
        OverlayKind::Heat(field) | OverlayKind::Flow(field, _) => maps.version(field),
        OverlayKind::Occupancy => planner.tick(),
        _ => 0,
    };
    let now = (kind, tilemap.revision(), version);
    let is_same =
        *shown == Some(now) && !tilemap.is_added() && !(kind == OverlayKind::Explored && explored.is_changed());
    let is_other_kind = shown.is_none_or(|(other, ..)| other != kind);
    if is_same || *since < REFRESH && !is_other_kind {
        return;
    }
    *shown = Some(now);
    *since = 0.0;
    let cells: Vec<Cell> = match kind {
        OverlayKind::Occupancy => {
            units.iter().filter_map(|at| tilemap.world_to_cell(at.translation.truncate())).collect()
        }
        _ => Vec::new(),
    };
    let source = OverlaySource { tilemap: &tilemap, maps: &maps, explored: explored.states.as_ref(), units: &cells };
    if !overlay.bypass_change_detection().update(&source) && !is_other_kind {
        return;
    }
    let (width, height) = overlay.image().pixel_size();
    let extent = Extent3d { width: width.max(1), height: height.max(1), depth_or_array_layers: 1 };
    if overlay.image().pixels().is_empty() {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    }
    let mut image = Image::new(
        extent,
        TextureDimension::D2,
        overlay.image().pixels().to_vec(),
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::nearest();
    sprite.image = images.add(image);
    let size = tilemap.size();
    sprite.custom_size = Some(Vec2::new(size.width() as f32, size.height() as f32) * CELL_SIZE);
    transform.translation = tilemap.world_bounds().center().extend(HEIGHT);
}
