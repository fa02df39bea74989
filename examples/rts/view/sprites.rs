//! Units, ore and the depot. The simulation moves units 30 times a second; between its ticks they are drawn in between.

use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::FRAC_PI_2;

use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy_wayfield::{Gather, GatherStage, Tilemap};

use super::map::embedded;
use crate::game::life::{Fleeing, OreNode, Raid};
use crate::game::units::{Town, UnitKind};
use crate::player::command::Marks;
use crate::player::selection::Selection;

const SPRITES: u32 = 11;
const LOADED_WORKER: usize = 4;
const RING: usize = 5;
const MOVE_MARKER: usize = 6;
const BLOCKED_MARKER: usize = 7;
const ORE: usize = 8;
const DEPOT: usize = 9;

const ORE_HEIGHT: f32 = 2.0;
const MARKER_HEIGHT: f32 = 5.0;
const UNIT_HEIGHT: f32 = 10.0;
const RING_HEIGHT: f32 = 9.0;

/// How long an order marker is shown, in seconds.
const MARKER_SECONDS: f32 = 0.9;

#[derive(Resource)]
pub struct Sheet {
    image: Handle<Image>,
    layout: Handle<TextureAtlasLayout>,
}

impl Sheet {
    fn sprite(&self, index: usize, color: Color) -> Sprite {
        let atlas = TextureAtlas { layout: self.layout.clone(), index };
        Sprite { color, ..Sprite::from_atlas_image(self.image.clone(), atlas) }
    }
}

/// Where a unit was at the last tick and the one before.
#[derive(Component)]
pub struct Trail {
    before: Vec2,
    now: Vec2,
}

/// The picture of a unit; an entity of its own, so that the unit's own transform stays the simulation's.
#[derive(Component)]
pub struct PictureOf(Entity);

/// The ring under a selected unit.
#[derive(Component)]
pub struct RingOf(Entity);

/// A short mark where an order leads.
#[derive(Component)]
pub struct OrderMarker {
    seconds: f32,
}

/// Colours of Okabe and Ito, which the colour-blind tell apart, too; shapes differ as well.
pub fn team_color(kind: UnitKind) -> Color {
    match kind {
        UnitKind::Soldier => Color::srgb_u8(0x00, 0x72, 0xB2),
        UnitKind::Raider => Color::srgb_u8(0xD5, 0x5E, 0x00),
        UnitKind::Civilian => Color::srgb_u8(0xF0, 0xE4, 0x42),
        UnitKind::Worker => Color::srgb_u8(0xCC, 0x79, 0xA7),
    }
}

fn picture(kind: UnitKind) -> usize {
    match kind {
        UnitKind::Soldier => 0,
        UnitKind::Raider => 1,
        UnitKind::Civilian => 2,
        UnitKind::Worker => 3,
    }
}

pub fn load(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) -> Result {
    let image = images.add(embedded(include_bytes!("../../../assets/units.png"), ImageSampler::linear())?);
    let layout = layouts.add(TextureAtlasLayout::from_grid(UVec2::splat(32), SPRITES, 1, None, None));
    commands.insert_resource(Sheet { image, layout });
    Ok(())
}

/// A building of a scene.
#[derive(Component)]
pub struct Building;

/// Shows the depot and the camp of each scene that begins.
pub fn show_places(
    mut commands: Commands,
    sheet: Res<Sheet>,
    tilemap: Res<Tilemap>,
    town: Res<Town>,
    old: Query<Entity, With<Building>>,
) {
    if !town.is_changed() {
        return;
    }
    for entity in &old {
        commands.entity(entity).despawn();
    }
    for (place, color) in [(town.0.village, Color::WHITE), (town.0.camp, team_color(UnitKind::Raider))] {
        let at = tilemap.cell_to_world(place).extend(ORE_HEIGHT);
        let transform = Transform::from_translation(at).with_scale(Vec3::splat(1.5));
        commands.spawn((Building, sheet.sprite(DEPOT, color), transform));
    }
}

/// Remembers after each tick where units are.
pub fn remember(mut commands: Commands, mut units: Query<(Entity, &Transform, Option<&mut Trail>), With<UnitKind>>) {
    for (entity, at, trail) in &mut units {
        let now = at.translation.truncate();
        match trail {
            Some(mut trail) => *trail = Trail { before: trail.now, now },
            None => {
                commands.entity(entity).try_insert(Trail { before: now, now });
            }
        }
    }
}

/// Gives every new unit a picture.
pub fn dress(
    mut commands: Commands,
    sheet: Res<Sheet>,
    units: Query<(Entity, &UnitKind, &Transform), Added<UnitKind>>,
) {
    for (entity, kind, at) in &units {
        let height = UNIT_HEIGHT + entity.index_u32() as f32 * 1e-4;
        let at = at.translation.truncate();
        commands.spawn((
            PictureOf(entity),
            sheet.sprite(picture(*kind), team_color(*kind)),
            Transform::from_translation(at.extend(height)),
        ));
    }
}

/// Moves the pictures to their units, and turns them to where these go.
pub fn follow(
    mut commands: Commands,
    mut pictures: Query<(Entity, &PictureOf, &mut Transform, &mut Sprite), Without<UnitKind>>,
    units: Query<(Option<&Trail>, Option<&Gather>, Option<&Raid>, Has<Fleeing>), With<UnitKind>>,
    clock: Res<Time<Fixed>>,
    time: Res<Time<Real>>,
) {
    for (entity, unit, mut transform, mut sprite) in &mut pictures {
        let Ok((trail, work, raid, fleeing)) = units.get(unit.0) else {
            commands.entity(entity).try_despawn();
            continue;
        };
        // Before the first tick there is nothing to follow.
        let Some(trail) = trail else { continue };
        let step = trail.now - trail.before;
        // Whoever is moved to another place at once does not fly there.
        let jumped = step.length() > 2.0 * crate::game::terrain::CELL_SIZE;
        let at = if jumped { trail.now } else { trail.before + step * clock.overstep_fraction() };
        transform.translation = at.extend(transform.translation.z);
        if !jumped && step.length() > 0.01 {
            let heading = Quat::from_rotation_z(step.to_angle() - FRAC_PI_2);
            let turn = 1.0 - (-12.0 * time.delta_secs()).exp();
            transform.rotation = transform.rotation.slerp(heading, turn);
        }
        if let (Some(work), Some(atlas)) = (work, sprite.texture_atlas.as_mut()) {
            let loaded = matches!(work.stage(), GatherStage::Carrying | GatherStage::Unloading(_));
            let index = if loaded { LOADED_WORKER } else { picture(UnitKind::Worker) };
            if atlas.index != index {
                atlas.index = index;
            }
        }
        // The tired and the frightened look different.
        let scale = match (raid, fleeing) {
            (Some(Raid::Resting(_) | Raid::GoingHome), _) => 0.75,
            (_, true) => 1.15,
            _ => 1.0,
        };
        transform.scale = Vec3::splat(scale);
    }
}

/// Shows ore where it lies.
pub fn show_ore(
    mut commands: Commands,
    sheet: Res<Sheet>,
    tilemap: Res<Tilemap>,
    mut nodes: Query<(Entity, Ref<OreNode>, Option<&mut Transform>)>,
) {
    for (entity, node, transform) in &mut nodes {
        let at = tilemap.cell_to_world(node.cell).extend(ORE_HEIGHT);
        match transform {
            Some(mut transform) if node.is_changed() => transform.translation = at,
            Some(_) => {}
            None => {
                let sprite = sheet.sprite(ORE, Color::srgb_u8(0x56, 0xB4, 0xE9));
                commands.entity(entity).try_insert((sprite, Transform::from_translation(at)));
            }
        }
    }
}

/// Shows a ring under every selected unit.
pub fn show_rings(
    mut commands: Commands,
    sheet: Res<Sheet>,
    selection: Res<Selection>,
    mut rings: Query<(Entity, &RingOf, &mut Transform), Without<PictureOf>>,
    pictures: Query<(&PictureOf, &Transform), Without<RingOf>>,
) {
    let places: BTreeMap<Entity, Vec2> = pictures.iter().map(|(of, at)| (of.0, at.translation.truncate())).collect();
    let mut missing: BTreeSet<Entity> = selection.units().iter().copied().chain(selection.inspected).collect();
    for (entity, ring, mut transform) in &mut rings {
        // A ring whose unit is not selected any more goes.
        match places.get(&ring.0).filter(|_| missing.remove(&ring.0)) {
            Some(at) => transform.translation = at.extend(RING_HEIGHT),
            None => commands.entity(entity).try_despawn(),
        }
    }
    for unit in missing {
        if let Some(at) = places.get(&unit) {
            let at = Transform::from_translation(at.extend(RING_HEIGHT));
            commands.spawn((RingOf(unit), sheet.sprite(RING, Color::WHITE), at));
        }
    }
}

/// Marks where orders lead, in the frame in which they are given.
pub fn mark(mut commands: Commands, sheet: Res<Sheet>, mut marks: ResMut<Marks>) {
    if marks.0.is_empty() {
        return;
    }
    for (at, reachable) in marks.0.drain(..) {
        let (index, color) =
            if reachable { (MOVE_MARKER, Color::WHITE) } else { (BLOCKED_MARKER, Color::srgb_u8(0xE6, 0x9F, 0x00)) };
        commands.spawn((
            OrderMarker { seconds: MARKER_SECONDS },
            sheet.sprite(index, color),
            Transform::from_translation(at.extend(MARKER_HEIGHT)),
        ));
    }
}

pub fn show_markers(
    mut commands: Commands,
    mut markers: Query<(Entity, &mut OrderMarker, &mut Transform)>,
    time: Res<Time<Real>>,
) {
    for (entity, mut marker, mut transform) in &mut markers {
        marker.seconds -= time.delta_secs();
        transform.scale = Vec3::splat(0.7 + 0.6 * (marker.seconds / MARKER_SECONDS).max(0.0));
        if marker.seconds <= 0.0 {
            commands.entity(entity).try_despawn();
        }
    }
}
