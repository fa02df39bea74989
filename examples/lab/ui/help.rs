//! All keys.

use bevy_egui::egui::{Context, Grid, Modifiers, ScrollArea, Window};

use super::keys::KEYS;
use super::window::Wishes;

pub fn show(context: &Context, wishes: &mut Wishes) {
    let room = context.viewport_rect();
    let window = Window::new("Keys").open(&mut wishes.has_help).resizable(false).collapsible(false);
    let window = window.default_pos([12.0, 12.0]).max_height(room.height() - 60.0).max_width(room.width() - 30.0);
    window.show(context, |ui| {
        ScrollArea::vertical().show(ui, |ui| {
            ui.label("Drag start and goal. The left button paints what the palette says, the right one erases.");
            ui.label("On a field, a click puts a source or takes it away; with Shift, a threat.");
            ui.add_space(6.0);
            Grid::new("keys").num_columns(2).striped(true).show(ui, |ui| {
                let mut rows: Vec<(Vec<String>, &str)> = Vec::new();
                for (modifiers, key, _, help) in KEYS {
                    let name = format!("{}{}", held(modifiers), key.symbol_or_name());
                    match rows.iter_mut().find(|row| row.1 == help) {
                        Some(row) => row.0.push(name),
                        None => rows.push((vec![name], help)),
                    }
                }
                for (keys, help) in rows {
                    ui.strong(keys.join("  "));
                    ui.label(help);
                    ui.end_row();
                }
            });
        });
    });
}

fn held(modifiers: Modifiers) -> String {
    let control = if modifiers.command { "Ctrl+" } else { "" };
    let shift = if modifiers.shift { "Shift+" } else { "" };
    format!("{control}{shift}")
}
