//! All keys.

use bevy_egui::egui::{Context, Grid, Modifiers, ScrollArea, Window};

use super::keys::KEYS;
use super::window::Wishes;

pub fn show(context: &Context, wishes: &mut Wishes) {
    let room = context.viewport_rect();
    let size = [410.0_f32.min(room.width() - 24.0), (room.height() - 90.0).max(80.0)];
    let window = Window::new("Keys").open(&mut wishes.has_help).resizable(false).collapsible(false);
    window.default_pos([12.0, 12.0]).fixed_size(size).show(context, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
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
