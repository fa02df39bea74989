//! One question through all algorithms: what each pays, and what its way costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::Resource;
use bevy_egui::egui::{Align, Layout, RichText, Ui, vec2};
use bevy_wayfield::Tilemap;
use bevy_wayfield::wayfield::{Algorithm, Answer, Cell, CostGrid, PathSearch, Reason};

use crate::layout::grouped;
use crate::question::Question;

/// A question, asked by every algorithm on the same map, one algorithm a frame.
#[derive(Resource, Default)]
pub struct Comparison {
    question: Option<Question>,
    grid: Option<Arc<CostGrid>>,
    search: PathSearch,
    rows: Vec<Row>,
    chosen: Option<Algorithm>,
}

struct Row {
    answer: Answer,
    asked: Algorithm,
    /// Of the quicker of two runs; the first one may have to fetch the map.
    time: Duration,
}

impl Comparison {
    /// Begins with another question, on the map as it is now.
    pub fn begin(&mut self, question: Question, tilemap: &Tilemap) {
        self.rows.clear();
        self.chosen = None;
        self.question = Some(question);
        self.grid = tilemap.grid(question.class).cloned();
        if let Some(grid) = &mut self.grid
            && grid.hierarchy().is_none()
        {
            // HPA* needs one, and the map that the game plays on need not pay for our curiosity.
            Arc::make_mut(grid).build_hierarchy();
        }
    }

    /// Asks the next algorithm, if one is left; to be called once a frame.
    pub fn step(&mut self) {
        let (Some(question), Some(grid)) = (self.question, &self.grid) else { return };
        let Some(&algorithm) = Algorithm::ALL.get(self.rows.len()) else {
            self.grid = None;
            return;
        };
        let query = question.by(algorithm).query;
        let mut best: Option<(Duration, Answer)> = None;
        for _ in 0..2 {
            let begun = Instant::now();
            let Ok(answer) = self.search.find(grid, &query) else {
                // An end is outside the map, for every algorithm.
                self.grid = None;
                return;
            };
            let time = begun.elapsed();
            if best.as_ref().is_none_or(|(best, _)| time < *best) {
                best = Some((time, answer));
            }
        }
        self.rows.extend(best.map(|(time, answer)| Row { answer, asked: algorithm, time }));
    }

    /// The question that is asked.
    pub fn question(&self) -> Option<Question> {
        self.question
    }

    /// The cells of the way in the row that was clicked.
    pub fn chosen_way(&self) -> Option<&[Cell]> {
        let row = self.rows.iter().find(|row| Some(row.asked) == self.chosen)?;
        Some(row.answer.outcome.path()?.cells())
    }

    /// Forgets the question, as when another map is played.
    pub fn clear(&mut self) {
        self.question = None;
        self.grid = None;
        self.rows.clear();
        self.chosen = None;
    }

    /// The least cost of a way to the goal that an algorithm with that promise has found.
    fn optimum(&self) -> Option<f64> {
        let proven = self.rows.iter().filter(|row| row.asked.is_optimal() && row.answer.outcome.reason().is_none());
        proven.filter_map(|row| row.answer.cost()).map(|cost| cost.units()).min_by(f64::total_cmp)
    }
}

const NAME_WIDTH: f32 = 82.0;
const ROW_HEIGHT: f32 = 18.0;

/// Shows the comparison: cost, how much that is over the cheapest way, expansions, microseconds. A click on a row chooses the way
/// to draw.
pub fn comparison_table(ui: &mut Ui, comparison: &mut Comparison) {
    let Some(question) = comparison.question else {
        ui.weak("Give an order: it is asked here by every algorithm.");
        return;
    };
    ui.weak(format!("From {} to {}", question.query.start, question.query.goal));
    let optimum = comparison.optimum();
    let width = (ui.available_width() - NAME_WIDTH) / 4.0;
    let number = |ui: &mut Ui, text: &str| {
        ui.allocate_ui_with_layout(vec2(width, ROW_HEIGHT), Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.label(RichText::new(text).monospace().size(10.5));
        });
    };
    ui.spacing_mut().item_spacing = vec2(0.0, 1.0);
    let line = |ui: &mut Ui, is_chosen: bool, name: &str, help: &str, numbers: [&str; 4]| {
        ui.horizontal(|ui| {
            let name =
                ui.allocate_ui_with_layout(vec2(NAME_WIDTH, ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(NAME_WIDTH);
                    ui.selectable_label(is_chosen, name).on_hover_text(help)
                });
            for text in numbers {
                number(ui, text);
            }
            name.inner.clicked()
        })
        .inner
    };
    line(ui, false, "", "", ["cost", "over", "exp.", "us"]);
    let mut clicked = None;
    for row in &comparison.rows {
        let cost = row.answer.cost().map(|cost| cost.units());
        let over = cost.zip(optimum).map(|(cost, best)| if best > 0.0 { (cost / best - 1.0) * 100.0 } else { 0.0 });
        let whole = row.answer.outcome.reason().is_none();
        let cost = cost.map_or_else(|| "–".to_owned(), |cost| format!("{cost:.1}"));
        let over = over.filter(|_| whole).map_or_else(|| "–".to_owned(), |over| format!("{:.1}%", over.abs()));
        let (expanded, time) = (grouped(row.answer.stats.expanded), grouped(row.time.as_micros() as u64));
        let help = help_of(row);
        if line(
            ui,
            comparison.chosen == Some(row.asked),
            short_name(row.asked),
            &help,
            [&cost, &over, &expanded, &time],
        ) {
            clicked = Some(row.asked);
        }
    }
    if comparison.rows.len() < Algorithm::ALL.len() && comparison.grid.is_some() {
        ui.weak("searching …");
    }
    if clicked.is_some() {
        comparison.chosen = clicked.filter(|&row| comparison.chosen != Some(row));
    }
}

fn help_of(row: &Row) -> String {
    let ran = match row.answer.algorithm {
        ran if ran == row.asked => String::new(),
        ran if row.asked == Algorithm::Auto => format!(" It chose {}.", short_name(ran)),
        ran => format!(" {} ran in its place.", short_name(ran)),
    };
    let ending = match row.answer.outcome.reason() {
        None => "Click to draw its way.".to_owned(),
        Some(Reason::Unreachable) => "There is no way.".to_owned(),
        Some(reason) => format!("Ended short of the goal: {}.", reason.name().replace('_', " ")),
    };
    format!("{ending}{ran}")
}

/// The name of an algorithm where room is short.
pub(crate) fn short_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Auto => "Automatic",
        Algorithm::Bfs => "BFS",
        Algorithm::Dfs => "DFS",
        Algorithm::Dijkstra => "Dijkstra",
        Algorithm::Greedy => "Greedy",
        Algorithm::AStar => "A*",
        Algorithm::WeightedAStar => "Weighted A*",
        Algorithm::BidirectionalBfs => "BFS, 2 ends",
        Algorithm::BidirectionalDijkstra => "Dijkstra, 2",
        Algorithm::BidirectionalAStar => "A*, 2 ends",
        Algorithm::Jps => "JPS",
        Algorithm::HpaStar => "HPA*",
        Algorithm::LpaStar => "LPA*",
        Algorithm::DStarLite => "D* Lite",
    }
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::ClassId;
    use bevy_wayfield::wayfield::{GridSize, MovementClass, PathQuery, TerrainId, TerrainMap};

    use super::*;
    use crate::screen::Screen;

    fn comparison(goal: Cell) -> Comparison {
        let class = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap().with_cost(TerrainId(1), 9).unwrap();
        let mut map = TerrainMap::new(GridSize::new(60, 60).unwrap(), TerrainId(0));
        map.edit((0..58).map(|y| (Cell::new(30, y), TerrainId(1)))).unwrap();
        let tilemap = Tilemap::new(map, vec![class]);
        let mut comparison = Comparison::default();
        let query = PathQuery { max_expansions: Some(3), ..PathQuery::new(Cell::new(2, 40), goal) };
        comparison.begin(Question { class: ClassId(0), query }, &tilemap);
        (0..20).for_each(|_| comparison.step());
        comparison
    }

    #[test]
    fn every_algorithm_answers_and_the_optimal_ones_agree() {
        let comparison = comparison(Cell::new(57, 41));
        assert_eq!(comparison.rows.len(), Algorithm::ALL.len());
        let optimum = comparison.optimum().unwrap();
        for row in &comparison.rows {
            let cost = row.answer.cost().unwrap().units();
            let ran = if row.asked == Algorithm::Auto { Algorithm::Jps } else { row.asked };
            assert_eq!(row.answer.algorithm, ran, "none of them had to be replaced");
            if row.asked.is_optimal() {
                assert!((cost - optimum).abs() < 1e-9, "{:?}", row.asked);
            }
            assert!(cost >= optimum - 1e-9);
        }
    }

    #[test]
    fn a_click_on_a_row_draws_its_way_and_another_click_none() {
        let mut comparison = comparison(Cell::new(57, 41));
        let mut screen = Screen::new(280.0);
        screen.click("JPS", |ui| comparison_table(ui, &mut comparison));
        screen.assert_legible();
        let way = comparison.chosen_way().unwrap();
        assert_eq!((way.first(), way.last()), (Some(&Cell::new(2, 40)), Some(&Cell::new(57, 41))));
        screen.click("JPS", |ui| comparison_table(ui, &mut comparison));
        assert!(comparison.chosen_way().is_none());
    }

    #[test]
    fn no_question_and_no_way_are_shown_as_such() {
        let mut screen = Screen::new(280.0);
        screen.frame([], |ui| comparison_table(ui, &mut Comparison::default()));
        assert!(screen.shows("Give an order"));
        let mut outside = comparison(Cell::new(99, 99));
        assert!(outside.rows.is_empty() && outside.grid.is_none());
        screen.frame([], |ui| comparison_table(ui, &mut outside));
        screen.assert_legible();
    }
}
