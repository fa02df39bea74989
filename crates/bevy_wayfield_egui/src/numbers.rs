//! What the planner and the fields are at: numbers to read, changed by nothing here.

use bevy_egui::egui::Ui;
use bevy_wayfield::{DijkstraMaps, Planner};

use crate::graphs::{PanelHistory, tick_graphs};
use crate::layout::{grouped, number_row, warning};

/// Shows what the planner does: its queue, its searches and how they ended, and graphs of the latest ticks.
pub fn live_numbers(ui: &mut Ui, planner: &Planner, history: &PanelHistory) {
    let stats = planner.stats();
    let rows = [
        ("Queued", planner.queued() as u64, "Requests that wait for a search."),
        ("In flight", planner.in_flight() as u64, "Requests that are being searched."),
        ("Expansions last tick", stats.expansions_last_tick, "Cells expanded by the answers of the latest tick."),
        ("Searches", stats.searches, "Searches answered so far."),
        ("Found", stats.found, "Ways found to the goal."),
        ("Partial", stats.partial, "Ways found that end short of the goal."),
        ("Replans", stats.replans, "Searches begun because terrain on a way, or the settings, changed."),
        ("Stale", stats.stale, "Answers that terrain changes had made useless; they were searched again."),
        ("Cancelled", stats.cancelled, "Searches broken off because their order was removed."),
        ("Orders reached", stats.reached, "Orders whose goal was reached."),
    ];
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = 16.0;
        for (name, number, help) in rows {
            number_row(ui, name, &grouped(number), help);
            if name == "Partial" {
                for (reason, &count) in stats.failed.iter().filter(|&(_, &count)| count > 0) {
                    let name = format!("Failed: {}", reason.name().replace('_', " "));
                    number_row(ui, &name, &grouped(count), "Searches that ended without a way, for this reason.");
                }
            }
        }
    });
    ui.add_space(4.0);
    tick_graphs(ui, history);
}

/// Lists the fields: their names, how many maps each published, and what is wrong with them.
pub fn fields_list(ui: &mut Ui, maps: &DijkstraMaps) {
    if maps.iter().next().is_none() {
        ui.weak("none");
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = 16.0;
        for (id, name) in maps.iter() {
            let version = maps.version(id);
            let (shown, help) = match version {
                0 => ("not yet".to_owned(), "No map of this field was computed so far."),
                _ => (format!("{} maps", grouped(version)), "How many maps of this field were published."),
            };
            number_row(ui, name, &shown, help);
            if let Some(error) = maps.problem(id) {
                warning(ui, &error.to_string());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Screen;
    use bevy_wayfield::wayfield::{Cell, Source};
    use bevy_wayfield::{ClassId, Field};

    #[test]
    fn numbers_stand_at_the_right_edge() {
        let planner = Planner::default();
        for width in [260.0, 300.0] {
            let mut screen = Screen::new(width);
            screen.frame([], |ui| live_numbers(ui, &planner, &PanelHistory::default()));
            screen.assert_legible();
            assert!(!screen.shows("Failed"), "no row for what did not happen");
            let edges = ["Queued", "Expansions last tick", "Orders reached"].map(|name| {
                assert_eq!(screen.number_beside(name), "0");
                screen.find("0").right()
            });
            assert!(edges.iter().all(|edge| (edge - edges[0]).abs() < 0.5));
        }
    }

    #[test]
    fn fields_are_listed() {
        let mut maps = DijkstraMaps::default();
        let mut screen = Screen::new(260.0);
        screen.frame([], |ui| fields_list(ui, &maps));
        assert!(screen.shows("none"));
        let source = Source { cell: Cell::new(0, 0), value: f64::NAN };
        maps.define("ore", Field::seek(ClassId(0)).cells([source]));
        screen.frame([], |ui| fields_list(ui, &maps));
        assert_eq!(screen.number_beside("ore"), "not yet");
    }
}
