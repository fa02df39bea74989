//! What the planner and the fields are at: numbers to read, changed by nothing here.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_egui::egui::{self, CornerRadius, Sense, Shape, Stroke, Ui, pos2, vec2};
use bevy_wayfield::{DijkstraMaps, Planner};

use crate::layout::{grouped, number_row, warning};

const GRAPH_HEIGHT: f32 = 40.0;

/// The expansions of the latest ticks, for the graph of [`live_numbers`].
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelHistory {
    latest_tick: Option<u64>,
    expansions: VecDeque<u64>,
}

impl PanelHistory {
    /// How many ticks it remembers.
    pub const CAPACITY: usize = 120;

    /// Remembers the planner's latest tick, once. [`WayfieldPanelPlugin`](crate::WayfieldPanelPlugin) calls it after
    /// every tick.
    pub fn record(&mut self, planner: &Planner) {
        self.push(planner.tick(), planner.stats().expansions_last_tick);
    }

    /// The expansions of the ticks that it remembers, the oldest first.
    pub fn expansions(&self) -> impl ExactSizeIterator<Item = u64> {
        self.expansions.iter().copied()
    }

    fn push(&mut self, tick: u64, expansions: u64) {
        if self.latest_tick.is_some_and(|latest| tick < latest) {
            // The game began anew.
            self.expansions.clear();
        } else if self.latest_tick == Some(tick) {
            return;
        }
        self.latest_tick = Some(tick);
        if self.expansions.len() == Self::CAPACITY {
            self.expansions.pop_front();
        }
        self.expansions.push_back(expansions);
    }
}

pub(crate) fn record_tick(planner: Option<Res<Planner>>, mut history: ResMut<PanelHistory>) {
    if let Some(planner) = planner {
        history.record(&planner);
    }
}

/// Shows what the planner does: its queue, its searches and how they ended, and a graph of the latest ticks.
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
    graph(ui, history);
}

/// The expansions of the latest ticks as a line, the newest at the right edge.
fn graph(ui: &mut Ui, history: &PanelHistory) {
    let peak = history.expansions().max().unwrap_or(0);
    let help = format!("Expansions in each of the latest {} ticks.", PanelHistory::CAPACITY);
    number_row(ui, "Expansions, peak", &grouped(peak), &help);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), GRAPH_HEIGHT), Sense::hover());
    let visuals = ui.visuals();
    let frame = visuals.widgets.noninteractive.bg_stroke;
    let line = Stroke::new(1.5, visuals.hyperlink_color);
    let painter = ui.painter();
    painter.rect(rect, CornerRadius::same(2), visuals.extreme_bg_color, frame, egui::StrokeKind::Inside);

    let inner = rect.shrink(3.0);
    let step = inner.width() / (PanelHistory::CAPACITY - 1) as f32;
    let age_of_first = history.expansions().len().saturating_sub(1) as f32;
    let point = |(index, expansions): (usize, u64)| {
        let height = if peak == 0 { 0.0 } else { (expansions as f64 / peak as f64) as f32 };
        pos2(inner.right() - (age_of_first - index as f32) * step, inner.bottom() - height * inner.height())
    };
    painter.add(Shape::line(history.expansions().enumerate().map(point).collect(), line));
    response.on_hover_text(help);
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
    fn every_tick_is_remembered_once_and_only_so_many() {
        let mut history = PanelHistory::default();
        history.push(1, 5);
        history.push(1, 7);
        assert!(history.expansions().eq([5]));
        for tick in 2..=200 {
            history.push(tick, tick);
        }
        assert!(history.expansions().eq(81..=200));
        history.push(1, 3);
        assert!(history.expansions().eq([3]), "the game began anew");
    }

    #[test]
    fn numbers_stand_at_the_right_edge() {
        let planner = Planner::default();
        for samples in [0, 1, 2, 120] {
            let mut history = PanelHistory::default();
            (0..samples).for_each(|tick| history.push(tick, tick * 1000));
            for width in [260.0, 300.0] {
                let mut screen = Screen::new(width);
                screen.frame([], |ui| live_numbers(ui, &planner, &history));
                screen.assert_legible();
                assert!(!screen.shows("Failed"), "no row for what did not happen");
                let edges = ["Queued", "Expansions last tick", "Orders reached"].map(|name| {
                    assert_eq!(screen.number_beside(name), "0");
                    screen.find("0").right()
                });
                assert!(edges.iter().all(|edge| (edge - edges[0]).abs() < 0.5));
            }
        }
    }

    #[test]
    fn a_graph_of_huge_numbers_is_drawn() {
        let mut history = PanelHistory::default();
        (0..200).for_each(|tick| history.push(tick, u64::MAX - tick));
        Screen::new(260.0).frame([], |ui| graph(ui, &history));
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
