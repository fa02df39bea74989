//! How much is searched, and when answers come: the other controls of [`PathfindingSettings`].

use bevy_egui::egui::{Slider, SliderClamping, Ui};
use bevy_wayfield::{Delivery, PathfindingSettings};

use crate::layout::{Entry, choice, grouped, labelled, wide_slider};

/// The ticks of a delivery that is chosen anew.
const TICKS: u32 = 2;
const MOST_TICKS: u32 = 30;
const MOST_EXPANSIONS: f64 = 2_000_000.0;

/// Chooses the budget of a tick, when answers are delivered, and what is searched again; returns whether one was changed.
pub fn planning_controls(ui: &mut Ui, settings: &mut PathfindingSettings) -> bool {
    let mut changed = false;
    let help = "How many expansions a tick may cost on average. Less, and orders wait longer.";
    labelled(ui, "Budget", help, |ui| {
        let mut budget = settings.expansions_per_tick as f64;
        let slider = Slider::new(&mut budget, 100.0..=MOST_EXPANSIONS).logarithmic(true).integer();
        let slider = slider.clamping(SliderClamping::Edits).custom_formatter(|budget, _| grouped(budget as u64));
        let is_moved = wide_slider(ui, slider).on_hover_text(help).changed();
        let budget = budget.clamp(1.0, MOST_EXPANSIONS) as u64;
        if is_moved && settings.expansions_per_tick != budget {
            settings.expansions_per_tick = budget;
            changed = true;
        }
    });
    let entries = [
        Entry { value: false, name: "As ready".to_owned(), help: "Answers come as soon as they are there." },
        Entry {
            value: true,
            name: "After ticks".to_owned(),
            help: "Answers come after so many ticks, whatever the machine: the same run every time.",
        },
    ];
    labelled(ui, "Delivery", "When answers reach their units.", |ui| {
        let is_fixed = matches!(settings.delivery, Delivery::AfterTicks(_));
        if let Some(fixed) = choice(ui, "delivery", Some(is_fixed), &entries, "") {
            settings.delivery = if fixed { Delivery::AfterTicks(TICKS) } else { Delivery::AsReady };
            changed = true;
        }
    });
    if let Delivery::AfterTicks(ticks) = settings.delivery {
        labelled(ui, "Ticks", "How many ticks after its search began.", |ui| {
            let mut wanted = ticks;
            let slider = Slider::new(&mut wanted, 1..=MOST_TICKS).clamping(SliderClamping::Edits);
            if wide_slider(ui, slider).changed() && wanted != ticks {
                settings.delivery = Delivery::AfterTicks(wanted.clamp(1, MOST_TICKS));
                changed = true;
            }
        });
    }
    let help = "Orders of one tick to one goal are one search, from the goal.";
    changed |= ui.checkbox(&mut settings.group_searches, "Groups share a search").on_hover_text(help).changed();
    let help = "Units also look for another way when an edit may have opened a shorter one.";
    changed |= ui.checkbox(&mut settings.replan_for_openings, "Use new openings").on_hover_text(help).changed();
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Screen;

    #[test]
    fn what_is_chosen_arrives_and_looking_changes_nothing() {
        let mut settings = PathfindingSettings::default();
        let mut screen = Screen::new(270.0);
        for _ in 0..3 {
            screen.frame([], |ui| assert!(!planning_controls(ui, &mut settings)));
        }
        screen.assert_legible();
        for text in ["As ready", "After ticks", "Groups share a search"] {
            screen.click(text, |ui| _ = planning_controls(ui, &mut settings));
        }
        assert_eq!(settings.delivery, Delivery::AfterTicks(TICKS));
        assert!(!settings.group_searches);
        screen.type_over("2", "99", |ui| _ = planning_controls(ui, &mut settings));
        assert_eq!(settings.delivery, Delivery::AfterTicks(MOST_TICKS));
        screen.type_over("200,000", "nan", |ui| _ = planning_controls(ui, &mut settings));
        assert_eq!(settings.expansions_per_tick, 200_000);
        screen.type_over("200,000", "5,000", |ui| _ = planning_controls(ui, &mut settings));
        assert_eq!(settings.expansions_per_tick, 5_000);
    }
}
