//! The menu of scenarios.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

use super::panel::{Panel, Wanted};
use crate::game::scenario::Scenario;
use crate::player::keys::{Action, Actions, Menu};

pub fn keys(actions: Res<Actions>, mut menu: ResMut<Menu>, mut panel: ResMut<Panel>) {
    for action in actions.iter() {
        match action {
            Action::Scenarios => menu.0 = !menu.0,
            Action::Scenario(number) => {
                let scenario = Scenario::ALL.get(usize::from(number).wrapping_sub(1));
                panel.wanted = scenario.copied().map(Wanted::Trial);
                menu.0 = false;
            }
            _ => {}
        }
    }
}

pub fn show(mut contexts: EguiContexts, mut menu: ResMut<Menu>, mut panel: ResMut<Panel>) -> Result {
    if !menu.0 {
        return Ok(());
    }
    let context = contexts.ctx_mut()?.clone();
    let mut open = true;
    let mut chosen = None;
    let window = egui::Window::new("Scenarios").open(&mut open).collapsible(false).resizable(false);
    let room = context.viewport_rect().size();
    window.default_pos([12.0, 90.0]).max_width((room.x - 40.0).clamp(120.0, 560.0)).show(&context, |ui| {
        egui::ScrollArea::vertical().max_height((room.y - 150.0).max(60.0)).show(ui, |ui| {
            egui::Grid::new("scenarios").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
                for (scenario, number) in Scenario::ALL.into_iter().zip(1..) {
                    if ui.button(format!("{number}  {}", scenario.title())).clicked() {
                        chosen = Some(scenario);
                    }
                    ui.add(egui::Label::new(scenario.promise()).wrap());
                    ui.end_row();
                }
            });
        });
    });
    if let Some(scenario) = chosen {
        panel.wanted = Some(Wanted::Trial(scenario));
    }
    if !open || chosen.is_some() {
        menu.0 = false;
    }
    Ok(())
}
