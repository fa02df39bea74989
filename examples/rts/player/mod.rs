//! The player's hands: what keys and mouse do to the game. Nothing here draws, so all of it runs without a window, too.

pub mod brush;
pub mod clock;
pub mod command;
pub mod keys;
pub mod lens;
pub mod preview;
pub mod selection;

use bevy::prelude::*;
use bevy_wayfield_egui::PanelSystems;

/// What a mouse on the map does.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Targeting {
    /// It selects.
    #[default]
    Nothing,
    /// The next click says where an attack-move leads.
    AttackMove,
    /// The next click says where a patrol leads.
    Patrol,
}

/// Adds the player, with these keys.
pub fn add(app: &mut App, keys: keys::KeyTable) {
    app.insert_resource(keys)
        .init_resource::<keys::Actions>()
        .init_resource::<keys::Menu>()
        .init_resource::<lens::Lens>()
        .init_resource::<lens::LensOptions>()
        .init_resource::<selection::Selection>()
        .init_resource::<selection::Groups>()
        .init_resource::<selection::Clicks>()
        .init_resource::<command::Marks>()
        .init_resource::<brush::Hand>()
        .init_resource::<Targeting>()
        .add_systems(PreUpdate, keys::read.after(PanelSystems::Pointer))
        .add_systems(
            Update,
            (
                selection::prune,
                (lens::pan, lens::zoom, lens::jump),
                (clock::keys, command::keys, brush::keys, selection::keys),
                (command::click, selection::click, brush::paint, brush::spawn),
                preview::look,
            )
                .chain(),
        );
}

/// The letter of an action's key, or whatever it is called; for texts that mention keys.
pub fn key_of(keys: &keys::KeyTable, action: keys::Action) -> String {
    keys.chords(action).first().map_or_else(|| "–".to_owned(), ToString::to_string)
}
