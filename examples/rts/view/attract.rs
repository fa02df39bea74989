//! The camera of `--autoplay`: it looks at one place after the other, near and far, by itself.

use bevy::prelude::*;
use bevy_wayfield::Tilemap;

use crate::game::terrain::CELL_SIZE;
use crate::game::units::{Town, UnitKind};
use crate::player::lens::{Lens, LensOptions};

/// How long it looks at a place, in seconds.
const LOOK: f32 = 7.0;

/// A place to look at.
enum Sight {
    Village,
    Soldiers,
    Camp,
    Everything,
}

const SIGHTS: [(Sight, f32); 4] =
    [(Sight::Village, 1.2), (Sight::Soldiers, 1.0), (Sight::Camp, 1.6), (Sight::Everything, 5.0)];

pub fn add(app: &mut App) {
    app.add_systems(Update, fly.before(super::camera::follow).after(crate::player::lens::jump));
}

fn fly(
    mut lens: ResMut<Lens>,
    options: Res<LensOptions>,
    town: Res<Town>,
    tilemap: Res<Tilemap>,
    units: Query<(&UnitKind, &Transform)>,
    time: Res<Time<Real>>,
) {
    let seconds = time.elapsed_secs();
    let (sight, scale) = &SIGHTS[(seconds / LOOK) as usize % SIGHTS.len()];
    let to = match sight {
        Sight::Village => tilemap.cell_to_world(town.0.village) + Vec2::new(8.0 * CELL_SIZE, 0.0),
        Sight::Camp => tilemap.cell_to_world(town.0.camp),
        Sight::Everything => tilemap.world_bounds().center(),
        Sight::Soldiers => {
            let soldiers: Vec<_> = units.iter().filter(|(kind, _)| **kind == UnitKind::Soldier).collect();
            let sum: Vec2 = soldiers.iter().map(|(_, at)| at.translation.truncate()).sum();
            if soldiers.is_empty() { tilemap.world_bounds().center() } else { sum / soldiers.len() as f32 }
        }
    };
    let share = if options.reduced_motion { 1.0 } else { 1.0 - (-1.5 * time.delta_secs()).exp() };
    let before = *lens;
    lens.scale = before.scale + (scale - before.scale) * share;
    lens.look_at(to, options.covered);
    lens.centre = before.centre.lerp(lens.centre, share);
}
