//! The camera shows what the player's lens says.

use bevy::prelude::*;
use bevy_egui::PrimaryEguiContext;

use crate::player::lens::Lens;

pub fn spawn(mut commands: Commands) {
    commands.spawn((
        Camera2d,
        Msaa::Off,
        PrimaryEguiContext,
        Projection::Orthographic(OrthographicProjection::default_2d()),
        Transform::default(),
    ));
}

pub fn follow(lens: Res<Lens>, camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>) {
    let (mut transform, mut projection) = camera.into_inner();
    if let Projection::Orthographic(view) = &mut *projection {
        view.scale = lens.scale;
    }
    transform.translation = lens.centre.extend(transform.translation.z);
}
