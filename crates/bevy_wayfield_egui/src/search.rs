//! How ways are searched: the controls of [`PathfindingSettings`] and of the corner rule.

use bevy_egui::egui::{Slider, SliderClamping, Ui};
use bevy_wayfield::wayfield::{Algorithm, CornerRule, Heuristic, Weight};
use bevy_wayfield::{PathfindingSettings, Tilemap};

use crate::layout::{Entry, choice, grouped, labelled, warning, wide_slider};

/// The largest weight that the slider offers; a game may set a larger one.
const MAX_WEIGHT: f64 = 10.0;

/// The largest cap that the slider offers; a game may set a larger one.
const MAX_CAP: f64 = 1_000_000.0;

/// From here on a cap is shown as none at all.
const UNLIMITED: f64 = 1e12;

/// Chooses the algorithm, the heuristic, the weight and the cap on expansions; returns whether one was changed.
///
/// `rule` is the corner rule of the movers in question: it decides what "auto" means and whether a heuristic is
/// admissible. Where a choice gives up the promise of the cheapest way, a line says so. Only what the user changes
/// is written, and a number that is none never is.
///
/// Call it with `settings.bypass_change_detection()` and mark the change when it returns `true`, if anything in the
/// game waits for changes of the settings; the planner itself compares values.
pub fn search_controls(ui: &mut Ui, settings: &mut PathfindingSettings, rule: CornerRule) -> bool {
    let mut changed = false;
    let algorithms = Algorithm::ALL.map(|value| {
        let (name, help) = describe(value);
        Entry { value, name: name.to_owned(), help }
    });
    let help = "How ways are searched. Units keep their old way until the new answer is there.";
    labelled(ui, "Algorithm", help, |ui| {
        if let Some(algorithm) = choice(ui, "algorithm", Some(settings.algorithm), &algorithms, "") {
            settings.algorithm = algorithm;
            changed = true;
        }
    });

    ui.weak(describe(settings.algorithm).1);

    labelled(ui, "Heuristic", "The estimate of the way that is left.", |ui| {
        let uses_it = settings.algorithm.uses_heuristic();
        let list =
            ui.add_enabled_ui(uses_it, |ui| choice(ui, "heuristic", Some(settings.heuristic), &heuristics(rule), ""));
        list.response.on_disabled_hover_text("This algorithm makes no estimate.");
        if let Some(heuristic) = list.inner {
            settings.heuristic = heuristic;
            changed = true;
        }
    });

    labelled(ui, "Weight", "How much the estimate counts: more is faster, and less exact.", |ui| {
        let is_weighted = settings.algorithm == Algorithm::WeightedAStar;
        let mut weight = settings.weight.get();
        let slider = Slider::new(&mut weight, 1.0..=MAX_WEIGHT).fixed_decimals(2);
        let slider = slider.clamping(SliderClamping::Edits);
        let response = ui.add_enabled_ui(is_weighted, |ui| wide_slider(ui, slider)).inner;
        let is_moved = response.changed();
        response.on_disabled_hover_text("Only weighted A* has a weight.");
        if is_moved && let Some(weight) = weight_of(weight).filter(|&weight| weight != settings.weight) {
            settings.weight = weight;
            changed = true;
        }
    });

    let help = "How many cells a search may expand before it gives up.";
    labelled(ui, "Cap", help, |ui| {
        let mut cap = settings.max_expansions as f64;
        let slider = Slider::new(&mut cap, 1.0..=MAX_CAP).logarithmic(true).integer();
        let slider = slider
            .clamping(SliderClamping::Edits)
            .custom_formatter(|cap, _| if cap < UNLIMITED { grouped(cap as u64) } else { "unlimited".to_owned() });
        let response = wide_slider(ui, slider).on_hover_text(help);
        if response.changed()
            && let Some(cap) = cap_of(cap).filter(|&cap| cap != settings.max_expansions)
        {
            settings.max_expansions = cap;
            changed = true;
        }
    });

    if let Some(text) = lost_promise(settings, rule) {
        warning(ui, &text);
    }
    changed
}

/// Shows the corner rule of the map's movement classes; `Some` when the user chose another one, for
/// [`Tilemap::set_corner_rule`].
///
/// It takes the map by shared reference, so that looking at the panel does not count as a change of the map:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_egui::egui;
/// # use bevy_wayfield::Tilemap;
/// fn section(ui: &mut egui::Ui, tilemap: &mut ResMut<Tilemap>) {
///     if let Some(rule) = bevy_wayfield_egui::corner_rule_choice(ui, tilemap) {
///         tilemap.set_corner_rule(rule);
///     }
/// }
/// ```
pub fn corner_rule_choice(ui: &mut Ui, tilemap: &Tilemap) -> Option<CornerRule> {
    let rules = CornerRule::ALL.map(|value| {
        let (name, help) = describe_rule(value);
        Entry { value, name: name.to_owned(), help }
    });
    let mut classes = tilemap.classes().iter().map(|class| class.corner_rule());
    let first = classes.next();
    let present = first.filter(|&first| classes.all(|rule| rule == first));
    let help = "When units may step diagonally past walls.";
    labelled(ui, "Diagonals", help, |ui| choice(ui, "corner rule", present, &rules, "differ by class"))
}

/// The corner rule to judge heuristics by: that of a class with diagonals, if there is one.
pub(crate) fn rule_to_judge_by(tilemap: &Tilemap) -> CornerRule {
    let mut rules = tilemap.classes().iter().map(|class| class.corner_rule());
    let first = rules.next().unwrap_or_default();
    if first == CornerRule::Never { rules.find(|&rule| rule != first).unwrap_or(first) } else { first }
}

fn describe(algorithm: Algorithm) -> (&'static str, &'static str) {
    match algorithm {
        Algorithm::Auto => ("Automatic", "The cheapest way, by whichever algorithm suits the map."),
        Algorithm::Bfs => ("Breadth-first", "The fewest steps, whatever they cost."),
        Algorithm::Dfs => ("Depth-first", "Some way, often a long one; here to compare."),
        Algorithm::Dijkstra => ("Dijkstra", "The cheapest way; searches in all directions at once."),
        Algorithm::Greedy => ("Greedy", "Heads straight for the goal; fast, and easily led astray."),
        Algorithm::AStar => ("A*", "The cheapest way; searches toward the goal."),
        Algorithm::WeightedAStar => {
            ("Weighted A*", "At most `weight` times the cheapest cost, with a fraction of the work.")
        }
        Algorithm::BidirectionalBfs => ("Breadth-first, two ends", "The fewest steps; searches from both ends."),
        Algorithm::BidirectionalDijkstra => ("Dijkstra, two ends", "The cheapest way; searches from both ends."),
        Algorithm::Jps => ("Jump points (JPS)", "The cheapest way, over few jump points."),
        Algorithm::HpaStar => {
            ("Hierarchical (HPA*)", "Seldom much dearer than the cheapest way; far goals with little work.")
        }
        Algorithm::LpaStar => ("LPA*", "The cheapest way; made for maps that change."),
        Algorithm::DStarLite => ("D* Lite", "As LPA*, searched from the goal."),
        Algorithm::BidirectionalAStar => {
            ("A*, two ends", "The cheapest way; searches from both ends toward the other.")
        }
    }
}

fn describe_rule(rule: CornerRule) -> (&'static str, &'static str) {
    match rule {
        CornerRule::Never => ("Never", "Only up, down, left and right."),
        CornerRule::Always => ("Always", "Even between two walls that touch at a corner."),
        CornerRule::AtLeastOneFree => ("One side free", "Past one wall corner, but not between two."),
        CornerRule::BothFree => ("Both sides free", "Never past the corner of a wall."),
    }
}

fn heuristics(rule: CornerRule) -> Vec<Entry<Option<Heuristic>>> {
    let best = Heuristic::of_rule(rule);
    let automatic = Entry {
        value: None,
        name: format!("Auto ({})", best.name()),
        help: "The best estimate that never exceeds the true way under the corner rule.",
    };
    let all = Heuristic::ALL.map(|value| {
        let (name, help) = match value {
            Heuristic::Zero => ("Zero", "No estimate: A* becomes Dijkstra."),
            Heuristic::Manhattan => ("Manhattan", "Columns plus rows: exact without diagonals, too much with them."),
            Heuristic::Euclidean => ("Euclidean", "The straight line."),
            Heuristic::Octile => ("Octile", "Exact for straight and diagonal steps on plain ground."),
            Heuristic::Chebyshev => ("Chebyshev", "The larger of columns and rows."),
        };
        Entry { value: Some(value), name: name.to_owned(), help }
    });
    std::iter::once(automatic).chain(all).collect()
}

/// Why ways may not be the cheapest ones with these settings, if they may not.
fn lost_promise(settings: &PathfindingSettings, rule: CornerRule) -> Option<String> {
    let algorithm = settings.algorithm;
    let weight = settings.weight.get();
    let heuristic = settings.heuristic.unwrap_or(Heuristic::of_rule(rule));
    if algorithm.uses_heuristic() && algorithm != Algorithm::Greedy && !heuristic.is_admissible(rule) {
        let name = heuristic.name();
        return Some(format!("Not always the cheapest way: {name} overestimates where diagonals are allowed."));
    }
    match algorithm {
        Algorithm::WeightedAStar if settings.weight == Weight::ONE => None,
        Algorithm::WeightedAStar => Some(format!("Ways may cost up to {weight:.2} times the cheapest.")),
        _ if algorithm.is_optimal() => None,
        _ => Some(format!("Not always the cheapest way: {} does not promise it.", describe(algorithm).0)),
    }
}

/// The weight for a number that a widget gave; `None` for one that is none.
fn weight_of(number: f64) -> Option<Weight> {
    if number.is_nan() { None } else { Weight::new(number.clamp(1.0, MAX_WEIGHT)).ok() }
}

/// The cap for a number that a widget gave; `None` for one that is none.
fn cap_of(number: f64) -> Option<u64> {
    (!number.is_nan()).then(|| number.clamp(1.0, MAX_CAP).round() as u64)
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{GridSize, MovementClass, TerrainId, TerrainMap};

    use super::*;
    use crate::screen::Screen;

    const RULE: CornerRule = CornerRule::BothFree;

    fn settings(algorithm: Algorithm) -> PathfindingSettings {
        PathfindingSettings { algorithm, ..Default::default() }
    }

    #[test]
    fn no_number_is_ever_out_of_range() {
        for (number, weight, cap) in [
            (f64::NAN, None, None),
            (-f64::NAN, None, None),
            (f64::INFINITY, Some(10.0), Some(1_000_000)),
            (f64::NEG_INFINITY, Some(1.0), Some(1)),
            (0.0, Some(1.0), Some(1)),
            (1e300, Some(10.0), Some(1_000_000)),
            (2.5, Some(2.5), Some(3)),
        ] {
            assert_eq!(weight_of(number).map(Weight::get), weight, "{number}");
            assert_eq!(cap_of(number), cap, "{number}");
        }
    }

    #[test]
    fn lost_promises_are_named() {
        assert_eq!(lost_promise(&settings(Algorithm::AStar), RULE), None);
        assert_eq!(lost_promise(&settings(Algorithm::Dijkstra), RULE), None);
        assert_eq!(lost_promise(&settings(Algorithm::BidirectionalDijkstra), RULE), None);
        let plain = PathfindingSettings { weight: Weight::ONE, ..settings(Algorithm::WeightedAStar) };
        assert_eq!(lost_promise(&plain, RULE), None, "weight 1 is A*");
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_optimal()) {
            assert!(lost_promise(&settings(algorithm), RULE).is_some());
        }
        let weight = Weight::new(1.5).unwrap();
        let weighted = PathfindingSettings { weight, ..settings(Algorithm::WeightedAStar) };
        assert!(lost_promise(&weighted, RULE).unwrap().contains("1.50 times"));
        let manhattan =
            |algorithm| PathfindingSettings { heuristic: Some(Heuristic::Manhattan), ..settings(algorithm) };
        for algorithm in [Algorithm::AStar, Algorithm::BidirectionalAStar] {
            assert!(lost_promise(&manhattan(algorithm), RULE).unwrap().contains("manhattan"));
        }
        assert_eq!(lost_promise(&manhattan(Algorithm::AStar), CornerRule::Never), None);
        assert_eq!(lost_promise(&manhattan(Algorithm::Dijkstra), RULE), None, "it makes no estimate");
    }

    #[test]
    fn an_algorithm_is_chosen_by_two_clicks() {
        let mut settings = settings(Algorithm::AStar);
        let mut changes = 0;
        let mut screen = Screen::new(260.0);
        for text in ["A*", "Greedy"] {
            screen.click(text, |ui| changes += u32::from(search_controls(ui, &mut settings, RULE)));
        }
        assert_eq!(settings.algorithm, Algorithm::Greedy);
        assert_eq!(changes, 1);
        screen.frame([], |ui| _ = search_controls(ui, &mut settings, RULE));
        assert!(screen.shows("⚠ Not always"));
    }

    #[test]
    fn a_heuristic_is_chosen_only_where_it_matters() {
        let mut settings = settings(Algorithm::AStar);
        let mut screen = Screen::new(260.0);
        for text in ["Auto (octile)", "Chebyshev"] {
            screen.click(text, |ui| _ = search_controls(ui, &mut settings, RULE));
        }
        assert_eq!(settings.heuristic, Some(Heuristic::Chebyshev));
        settings.algorithm = Algorithm::Dijkstra;
        screen.click("Chebyshev", |ui| _ = search_controls(ui, &mut settings, RULE));
        assert!(!screen.shows("Manhattan"), "the list stays shut");
    }

    #[test]
    fn typed_nonsense_never_reaches_the_settings() {
        for (typed, weight, cap) in [
            ("nan", 2.0, 5_000),
            ("inf", 2.0, 5_000),
            ("-nan", 2.0, 5_000),
            ("1e999", 2.0, 5_000),
            ("-3", 1.0, 1),
            ("99999999", 10.0, 1_000_000),
        ] {
            let start = Weight::new(2.0).unwrap();
            let mut settings = settings(Algorithm::WeightedAStar);
            (settings.weight, settings.max_expansions) = (start, 5_000);
            let mut screen = Screen::new(260.0);
            screen.type_over("2.00", typed, |ui| _ = search_controls(ui, &mut settings, RULE));
            screen.type_over("5,000", typed, |ui| _ = search_controls(ui, &mut settings, RULE));
            assert_eq!((settings.weight.get(), settings.max_expansions), (weight, cap), "{typed}");
        }
    }

    #[test]
    fn what_is_typed_arrives() {
        let mut settings = settings(Algorithm::WeightedAStar);
        let mut screen = Screen::new(260.0);
        screen.type_over("1.50", "2.5", |ui| _ = search_controls(ui, &mut settings, RULE));
        screen.type_over("100,000", "12,345", |ui| _ = search_controls(ui, &mut settings, RULE));
        assert_eq!((settings.weight.get(), settings.max_expansions), (2.5, 12_345));
    }

    #[test]
    fn values_beyond_the_sliders_are_left_alone() {
        let mut settings = settings(Algorithm::WeightedAStar);
        (settings.weight, settings.max_expansions) = (Weight::new(50.0).unwrap(), u64::MAX);
        let mut screen = Screen::new(260.0);
        for _ in 0..3 {
            screen.frame([], |ui| assert!(!search_controls(ui, &mut settings, RULE)));
        }
        assert_eq!((settings.weight.get(), settings.max_expansions), (50.0, u64::MAX));
        assert!(screen.shows("unlimited"));
    }

    #[test]
    fn the_corner_rule_comes_back_only_when_another_one_is_chosen() {
        let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap();
        let map = || TerrainMap::new(GridSize::new(4, 4).unwrap(), TerrainId(0));
        let tilemap = Tilemap::new(map(), vec![foot.clone()]);
        let mut chosen = Vec::new();
        let mut screen = Screen::new(260.0);
        for text in ["Both sides free", "Never"] {
            screen.click(text, |ui| chosen.extend(corner_rule_choice(ui, &tilemap)));
        }
        assert_eq!(chosen, [CornerRule::Never]);
        let mixed = vec![foot.clone().with_corner_rule(CornerRule::Never), foot];
        let mixed = Tilemap::new(map(), mixed);
        let mut screen = Screen::new(260.0);
        screen.frame([], |ui| assert_eq!(corner_rule_choice(ui, &mixed), None));
        assert!(screen.shows("differ by class"));
        assert_eq!(rule_to_judge_by(&mixed), CornerRule::BothFree);
    }

    #[test]
    fn it_is_legible_at_260_points() {
        let mut settings = settings(Algorithm::WeightedAStar);
        settings.heuristic = Some(Heuristic::Manhattan);
        settings.max_expansions = 1_000_000;
        let mut screen = Screen::new(260.0);
        screen.frame([], |ui| _ = search_controls(ui, &mut settings, RULE));
        screen.frame([], |ui| _ = search_controls(ui, &mut settings, RULE));
        screen.assert_legible();
    }
}
