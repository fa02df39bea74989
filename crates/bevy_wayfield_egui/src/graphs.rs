//! What the last ticks and frames were like, as graphs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_egui::egui::{Color32, Ui};
use bevy_wayfield::Planner;
use egui_plot::{Line, Plot};

use crate::layout::{grouped, number_row};

const GRAPH_HEIGHT: f32 = 36.0;
const BLUE: Color32 = Color32::from_rgb(0x56, 0xB4, 0xE9);
const ORANGE: Color32 = Color32::from_rgb(0xE6, 0x9F, 0x00);
const YELLOW: Color32 = Color32::from_rgb(0xF0, 0xE4, 0x42);
const PINK: Color32 = Color32::from_rgb(0xCC, 0x79, 0xA7);

/// What a tick was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sample {
    queued: u64,
    expansions: u64,
    latency: [u64; 2],
}

/// The latest ticks, for the graphs of [`live_numbers`](crate::live_numbers).
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelHistory {
    latest_tick: Option<u64>,
    samples: VecDeque<Sample>,
}

impl PanelHistory {
    /// How many ticks it remembers.
    pub const CAPACITY: usize = 120;

    /// Remembers the planner's latest tick, once. [`WayfieldPanelPlugin`](crate::WayfieldPanelPlugin) calls it after
    /// every tick.
    pub fn record(&mut self, planner: &Planner) {
        let sample = Sample {
            queued: planner.queued() as u64,
            expansions: planner.stats().expansions_last_tick,
            latency: [50, 99].map(|percent| planner.latency(percent).unwrap_or(0)),
        };
        self.push(planner.tick(), sample);
    }

    /// The expansions of the ticks that it remembers, the oldest first.
    pub fn expansions(&self) -> impl ExactSizeIterator<Item = u64> {
        self.samples.iter().map(|sample| sample.expansions)
    }

    fn push(&mut self, tick: u64, sample: Sample) {
        if self.latest_tick.is_some_and(|latest| tick < latest) {
            // The game began anew.
            self.samples.clear();
        } else if self.latest_tick == Some(tick) {
            return;
        }
        self.latest_tick = Some(tick);
        if self.samples.len() == Self::CAPACITY {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }
}

pub(crate) fn record_tick(planner: Option<Res<Planner>>, mut history: ResMut<PanelHistory>) {
    if let Some(planner) = planner {
        history.record(&planner);
    }
}

/// Shows the queue, the expansions and the latency of the latest ticks.
pub(crate) fn tick_graphs(ui: &mut Ui, history: &PanelHistory) {
    let values = |of: fn(&Sample) -> u64| history.samples.iter().map(|sample| of(sample) as f64).collect::<Vec<_>>();
    let peak = |values: &[f64]| grouped(values.iter().copied().fold(0.0, f64::max) as u64);
    let queued = values(|sample| sample.queued);
    number_row(ui, "Queue, peak", &peak(&queued), "Requests that waited, in each of the latest 120 ticks.");
    graph(ui, "queue", vec![(BLUE, queued)]);
    let expansions = values(|sample| sample.expansions);
    number_row(ui, "Expansions, peak", &peak(&expansions), "Expansions in each of the latest 120 ticks.");
    graph(ui, "expansions", vec![(BLUE, expansions)]);
    let latency = [values(|sample| sample.latency[0]), values(|sample| sample.latency[1])];
    let last = latency.each_ref().map(|values| values.last().copied().unwrap_or(0.0));
    let help = "How many ticks half of the answers took at most (blue), and 99 of 100 (orange).";
    number_row(ui, "Latency, ticks", &format!("{} / {}", last[0], last[1]), help);
    let [half, most] = latency;
    graph(ui, "latency", vec![(BLUE, half), (ORANGE, most)]);
}

/// Lines over time, the newest values at the right edge.
fn graph(ui: &mut Ui, id: &str, lines: Vec<(Color32, Vec<f64>)>) {
    let longest = PanelHistory::CAPACITY as f64;
    Plot::new(id)
        .height(GRAPH_HEIGHT)
        .width(ui.available_width())
        .show_axes(false)
        .show_grid(false)
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_x(0.0)
        .include_x(longest)
        .include_y(0.0)
        .include_y(1.0)
        .show(ui, |plot| {
            for (color, values) in lines {
                let first = longest - values.len() as f64 + 1.0;
                let points: Vec<_> =
                    values.into_iter().enumerate().map(|(at, value)| [first + at as f64, value]).collect();
                plot.line(Line::new("", points).color(color).width(1.5));
            }
        });
}

/// What a frame spends its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Search,
    Fields,
    Movement,
}

/// How the time of the latest frames was split: searches, fields, movement, and all the rest.
///
/// [`WayfieldPanelPlugin`](crate::WayfieldPanelPlugin) measures it around the sets of a tick. What tasks compute beside the frame
/// is not in it.
#[derive(Resource, Debug, Default)]
pub struct FrameSplit {
    mark: Option<Instant>,
    frame: Option<Instant>,
    parts: [Duration; 3],
    /// Milliseconds: search, fields, movement, the rest.
    frames: VecDeque<[f64; 4]>,
}

impl FrameSplit {
    /// The mean over the frames that it remembers, in milliseconds: searches, fields, movement, the rest.
    pub fn mean(&self) -> [f64; 4] {
        let count = self.frames.len().max(1) as f64;
        std::array::from_fn(|part| self.frames.iter().map(|frame| frame[part]).sum::<f64>() / count)
    }
}

pub(crate) fn begin_parts(mut split: ResMut<FrameSplit>) {
    split.mark = Some(Instant::now());
}

pub(crate) fn end_part(part: Part) -> impl Fn(ResMut<FrameSplit>) {
    move |mut split| {
        let now = Instant::now();
        if let Some(mark) = split.mark.replace(now) {
            split.parts[part as usize] += now - mark;
        }
    }
}

pub(crate) fn end_frame(mut split: ResMut<FrameSplit>) {
    let now = Instant::now();
    let parts = std::mem::take(&mut split.parts);
    let Some(before) = split.frame.replace(now) else { return };
    let rest = (now - before).saturating_sub(parts.iter().sum());
    if split.frames.len() == PanelHistory::CAPACITY {
        split.frames.pop_front();
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let [search, fields, movement] = parts.map(milliseconds);
    split.frames.push_back([search, fields, movement, milliseconds(rest)]);
}

/// Shows what the latest frames spent their time on.
pub fn frame_graph(ui: &mut Ui, split: &FrameSplit) {
    let mean = split.mean();
    let parts = [
        ("Searches, ms", BLUE, "Edits, planning and answers; the searches themselves run beside the frame."),
        ("Fields, ms", ORANGE, "Publishing and beginning Dijkstra maps."),
        ("Movement, ms", YELLOW, "Moving all units."),
        ("Rest, ms", PINK, "The game, the panel, drawing, and waiting for the screen."),
    ];
    for (part, (name, color, help)) in parts.into_iter().enumerate() {
        ui.horizontal(|ui| {
            ui.colored_label(color, "■");
            number_row(ui, name, &format!("{:.2}", mean[part]), help);
        });
    }
    // The rest would flatten the others.
    let lines =
        (0..3).map(|part| (parts_color(part), split.frames.iter().map(|frame| frame[part]).collect())).collect();
    graph(ui, "frame", lines);
}

fn parts_color(part: usize) -> Color32 {
    [BLUE, ORANGE, YELLOW][part % 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Screen;

    fn sample(expansions: u64) -> Sample {
        Sample { expansions, ..Sample::default() }
    }

    #[test]
    fn every_tick_is_remembered_once_and_only_so_many() {
        let mut history = PanelHistory::default();
        history.push(1, sample(5));
        history.push(1, sample(7));
        assert!(history.expansions().eq([5]));
        for tick in 2..=200 {
            history.push(tick, sample(tick));
        }
        assert!(history.expansions().eq(81..=200));
        history.push(1, sample(3));
        assert!(history.expansions().eq([3]), "the game began anew");
    }

    #[test]
    fn graphs_of_nothing_and_of_huge_numbers_are_drawn() {
        let mut history = PanelHistory::default();
        let mut screen = Screen::new(260.0);
        for expansions in [u64::MAX, 9_999_999, 0] {
            (0..200).for_each(|tick| history.push(tick, sample(expansions.saturating_sub(tick))));
            screen.frame([], |ui| tick_graphs(ui, &history));
        }
        screen.assert_legible();
    }

    #[test]
    fn the_parts_of_a_frame_are_in_the_frame() {
        let mut app = App::new();
        app.init_resource::<FrameSplit>();
        let work = || std::thread::sleep(Duration::from_millis(3));
        app.add_systems(
            Update,
            (begin_parts, end_part(Part::Search), work, end_part(Part::Movement), end_frame).chain(),
        );
        (0..4).for_each(|_| app.update());
        let split = app.world().resource::<FrameSplit>();
        let [search, fields, movement, _] = split.mean();
        assert!(movement >= 3.0 && fields == 0.0 && search < movement, "{:?}", split.mean());
        let mut screen = Screen::new(260.0);
        screen.frame([], |ui| frame_graph(ui, split));
        screen.assert_legible();
    }
}
