//! One unit: where it goes, and why that way.

use bevy::prelude::*;
use bevy_egui::egui::{Grid, RichText, Ui};
use bevy_wayfield::wayfield::{Cell, PathCost, Reason};
use bevy_wayfield::{
    DijkstraMaps, FieldId, FollowPath, Occupant, PathFailed, PathGoal, PathPartial, PathReady, PathRequest, PathStatus,
    SearchInfo, Tilemap,
};

use crate::compare::short_name;
use crate::layout::{grouped, number_row};

/// How the latest search for an entity ended. [`WayfieldPanelPlugin`](crate::WayfieldPanelPlugin) keeps it on every entity whose
/// order was answered.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct LastAnswer {
    /// The number of the order.
    pub order: u32,
    /// What the way costs, if there is one.
    pub cost: Option<PathCost>,
    /// Why it does not lead to the goal, if it does not.
    pub reason: Option<Reason>,
    /// How it was found.
    pub search: SearchInfo,
}

pub(crate) fn note_ready(ready: On<PathReady>, mut commands: Commands) {
    let &PathReady { entity, order, cost, search } = ready.event();
    commands.entity(entity).try_insert(LastAnswer { order, cost: Some(cost), reason: None, search });
}

pub(crate) fn note_partial(partial: On<PathPartial>, mut commands: Commands) {
    let &PathPartial { entity, order, reason, cost, search } = partial.event();
    commands.entity(entity).try_insert(LastAnswer { order, cost: Some(cost), reason: Some(reason), search });
}

pub(crate) fn note_failed(failed: On<PathFailed>, mut commands: Commands) {
    let &PathFailed { entity, order, reason, search } = failed.event();
    commands.entity(entity).try_insert(LastAnswer { order, cost: None, reason: Some(reason), search });
}

/// What [`inspector`] shows of a unit.
#[derive(Clone, Debug)]
pub struct UnitView<'a> {
    /// What the game calls it.
    pub name: String,
    /// What it is doing, in the words of the game.
    pub doing: String,
    /// Where it stands.
    pub cell: Option<Cell>,
    /// Its order.
    pub request: Option<&'a PathRequest>,
    /// How that stands.
    pub status: PathStatus,
    /// The way that it is on.
    pub way: Option<&'a FollowPath>,
    /// How its latest search ended.
    pub last: Option<&'a LastAnswer>,
    /// The field that it rolls down.
    pub field: Option<FieldId>,
    /// How it gets on among others, if it keeps apart from them.
    pub occupant: Option<&'a Occupant>,
}

/// Shows why a unit goes where it goes: its order, the search that answered it, the next cell, and the values of its field
/// around it.
pub fn inspector(ui: &mut Ui, unit: &UnitView, tilemap: &Tilemap, maps: &DijkstraMaps) {
    ui.strong(&unit.name);
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.spacing_mut().interact_size.y = 16.0;
    let cell = |cell: Option<Cell>| cell.map_or_else(|| "–".to_owned(), |cell| cell.to_string());
    number_row(ui, "Doing", &unit.doing, "What the game says it does.");
    number_row(ui, "Stands at", &cell(unit.cell), "Column and row, counted from the top left.");
    number_row(ui, "Order", &unit.request.map_or_else(|| "none".to_owned(), describe_goal), "Where it was sent.");
    number_row(ui, "State", &describe(unit.status), "How its order stands, and why.");
    if let Some(occupant) = unit.occupant {
        let others = describe_others(occupant);
        number_row(ui, "Others", &others, "Whether others are in its way. Blocked: they stand, and so does it.");
    }
    if let Some(way) = unit.way {
        number_row(ui, "Next cell", &cell(way.remaining().first().copied()), "The cell that it enters next.");
        number_row(ui, "Cells to go", &grouped(way.remaining().len() as u64), "What is left of its way.");
        number_row(ui, "Way's cost", &format!("{:.1}", way.path.cost().units()), "The cost of the whole way.");
    }
    if let Some(last) = unit.last {
        ui.add_space(4.0);
        ui.weak("Latest search");
        number_row(ui, "Algorithm", short_name(last.search.algorithm), "The algorithm that really ran.");
        let cost = last.cost.map_or_else(|| "–".to_owned(), |cost| format!("{:.1}", cost.units()));
        number_row(ui, "Cost", &cost, "What the way costs, in terrain units.");
        number_row(ui, "Expansions", &grouped(last.search.expanded), "0 if it shared the search of a group.");
        let age = tilemap.revision().saturating_sub(last.search.revision);
        let revision = format!("{}, {age} edits ago", last.search.revision);
        number_row(
            ui,
            "Map revision",
            &revision,
            "The map that it was searched on. Edits away from the way do not matter to it.",
        );
        let reason = last.reason.map_or_else(|| "reached".to_owned(), |reason| reason.name().replace('_', " "));
        number_row(ui, "Ending", &reason, "Why the way does not lead to the goal, if it does not.");
    }
    if let (Some(field), Some(here)) = (unit.field, unit.cell) {
        ui.add_space(4.0);
        let name = maps.iter().find(|&(id, _)| id == field).map_or("", |(_, name)| name);
        ui.weak(format!("Field \"{name}\" around it: it goes to the least value"));
        values_around(ui, maps, field, here);
    }
}

/// The values of a field in a cell and the eight around, the least of them marked.
fn values_around(ui: &mut Ui, maps: &DijkstraMaps, field: FieldId, here: Cell) {
    let around: Vec<_> = (-1..=1)
        .flat_map(|dy| (-1..=1).map(move |dx| Cell::new(here.x.saturating_add(dx), here.y.saturating_add(dy))))
        .map(|cell| maps.value_at(field, cell))
        .collect();
    let least = around.iter().flatten().copied().min_by(f64::total_cmp);
    Grid::new("field values").num_columns(3).show(ui, |ui| {
        for row in around.chunks(3) {
            for value in row {
                let text = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"));
                let text = RichText::new(text).monospace();
                ui.label(if value.is_some() && *value == least { text.strong().underline() } else { text });
            }
            ui.end_row();
        }
    });
}

fn describe_others(occupant: &Occupant) -> String {
    match occupant.waited() {
        seconds if occupant.is_blocked() => format!("blocked for {seconds:.0} s"),
        0.0 => "out of its way".to_owned(),
        seconds => format!("waits for them, {seconds:.1} s"),
    }
}

fn describe_goal(request: &PathRequest) -> String {
    match request.goal {
        PathGoal::Cell(cell) => cell.to_string(),
        PathGoal::World(at) => format!("{:.0}, {:.0}", at.x, at.y),
        _ => "after a unit".to_owned(),
    }
}

fn describe(status: PathStatus) -> String {
    let because = |word: &str, reason: Reason| format!("{word}: {}", reason.name().replace('_', " "));
    match status {
        PathStatus::Idle => "no order".to_owned(),
        PathStatus::Queued => "waits for a search".to_owned(),
        PathStatus::Searching => "is searched".to_owned(),
        PathStatus::Ready => "on its way".to_owned(),
        PathStatus::Partial(reason) => because("part of the way", reason),
        PathStatus::Failed(reason) => because("no way", reason),
        PathStatus::Trapped => "in a wall".to_owned(),
        PathStatus::Arrived => "arrived".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;
    use bevy_wayfield::wayfield::{Algorithm, GridSize, MovementClass, TerrainId, TerrainMap};
    use bevy_wayfield::{
        ClassId, Delivery, Executor, Field, FollowField, Mover, PathfindingPlugin, PathfindingSettings,
    };

    use super::*;
    use crate::WayfieldPanelPlugin;
    use crate::screen::Screen;

    #[test]
    fn it_says_why_a_unit_goes_where_it_goes() {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            PathfindingPlugin::default(),
            WayfieldPanelPlugin::default().without_window(),
        ));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let delivery = Delivery::AfterTicks(1);
        app.insert_resource(PathfindingSettings { delivery, executor: Executor::Inline, ..default() });
        let foot = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap();
        let tilemap = Tilemap::new(TerrainMap::new(GridSize::new(16, 16).unwrap(), TerrainId(0)), vec![foot]);
        let start = Transform::from_translation(tilemap.cell_to_world(Cell::new(1, 1)).extend(0.0));
        app.insert_resource(tilemap);
        let field = app
            .world_mut()
            .resource_mut::<DijkstraMaps>()
            .define("ore", Field::seek(ClassId(0)).cells([Cell::new(0, 0)]));
        let request = PathRequest::to(Cell::new(9, 1)).algorithm(Algorithm::Dijkstra);
        let mover = (Mover::new(1.0), Occupant::default());
        let unit = app.world_mut().spawn((start, mover, request, FollowField::new(field))).id();
        (0..8).for_each(|_| app.update());
        let world = app.world();
        let last = world.get::<LastAnswer>(unit).unwrap();
        assert_eq!((last.search.algorithm, last.reason), (Algorithm::Dijkstra, None));
        let view = UnitView {
            name: "Soldier 7".to_owned(),
            doing: "move".to_owned(),
            cell: Some(Cell::new(1, 1)),
            request: world.get(unit),
            status: *world.get(unit).unwrap(),
            way: world.get(unit),
            last: Some(last),
            field: Some(field),
            occupant: world.get(unit),
        };
        let mut screen = Screen::new(280.0);
        for _ in 0..2 {
            screen.frame([], |ui| inspector(ui, &view, world.resource(), world.resource()));
        }
        screen.assert_legible();
        for (name, shown) in [
            ("State", "on its way"),
            ("Others", "out of its way"),
            ("Next cell", "2,1"),
            ("Algorithm", "Dijkstra"),
            ("Cost", "8.0"),
            ("Ending", "reached"),
        ] {
            assert_eq!(screen.number_beside(name), shown, "{name}");
        }
        assert!(screen.shows("Field \"ore\"") && screen.shows("0.0") && screen.shows("2.8"));
    }
}
