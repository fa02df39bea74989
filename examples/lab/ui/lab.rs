//! The state of the lab: a map, a question, and searches that stand somewhere between their beginning and their end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::Resource;
use bevy_egui::egui::Color32;
use bevy_wayfield::{ClassId, PathfindingSettings, Tilemap};
use bevy_wayfield_egui::{Comparison, EditHistory, Palette, PaletteEntry, Question, TerrainBrush};
use wayfield::{Cell, CostGrid, Grid, PathQuery, ReplanMethod, TerrainId, Tie, find_path};

use crate::args::{Args, ArgsError};
use crate::draw::ground_color;
use crate::model::board::{Board, Pin, Way, WayKind};
use crate::model::field::FieldQuestion;
use crate::model::playback::Playback;
use crate::model::presets::Preset;
use crate::model::repair::Repair;
use crate::model::scene::{Scene, SceneError};
use crate::model::search::{self, References, Shown};
use crate::model::terrain::{KINDS, toggled, walker};
use crate::model::timeline::Timeline;

/// The one who walks in the lab.
pub const WALKER: ClassId = ClassId(0);

/// How often a racer is run for its time: the quickest run counts.
const RUNS: usize = 5;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One search.
    Search,
    /// Two searches side by side.
    Race,
    /// A Dijkstra map.
    Field,
    /// A repair after an edit.
    Edit,
}

impl Mode {
    pub const ALL: [(Self, &str); 4] =
        [(Self::Search, "Search"), (Self::Race, "Race"), (Self::Field, "Field"), (Self::Edit, "Edit")];
}

/// The state of the lab.
#[derive(Resource)]
pub struct Lab {
    pub mode: Mode,
    pub tilemap: Tilemap,
    pub history: EditHistory,
    pub brush: TerrainBrush,
    pub palette: Palette,
    pub title: String,
    pub start: Cell,
    pub goal: Cell,
    pub sources: Vec<Cell>,
    pub threats: Vec<Cell>,
    /// How each of the two racers searches; a single search is the first one.
    pub settings: [PathfindingSettings; 2],
    pub tie: Tie,
    pub method: ReplanMethod,
    pub question: FieldQuestion,
    pub parents: bool,
    /// The cell that the pointer or the keys are on.
    pub cursor: Option<Cell>,
    pub playback: Playback,
    pub preset: Preset,
    pub seed: u64,
    pub comparison: Comparison,
    racers: Vec<Racer>,
    repair: Option<Repair>,
    /// The state before the stroke that is being painted.
    before: Option<Before>,
    references: References,
    /// Counts what is seen anew, so that a picture knows whether it is current.
    version: u64,
}

/// A search, and what a run of it takes.
struct Racer {
    timeline: Timeline,
    expansions: usize,
    time: Duration,
}

/// What an edit is compared with.
struct Before {
    repair: Option<Repair>,
    grid: Option<Arc<CostGrid>>,
    terrain: Grid<TerrainId>,
}

impl Lab {
    /// What the command line asks for, before the first step if it names none.
    pub fn new(args: &Args) -> Result<Self, ArgsError> {
        let scene = args.scene()?;
        let settings = |algorithm| PathfindingSettings {
            algorithm,
            heuristic: args.heuristic,
            weight: args.weight,
            ..PathfindingSettings::default()
        };
        let question = args.field_question()?;
        let method = args.replan_method()?;
        let mode = match (args.against, &question, method) {
            (Some(_), ..) => Mode::Race,
            (_, Some(_), _) => Mode::Field,
            (.., Some(_)) => Mode::Edit,
            _ => Mode::Search,
        };
        let second = args.against.unwrap_or(wayfield::Algorithm::Dijkstra);
        let mut lab = Self {
            mode,
            tilemap: Tilemap::new(scene.terrain.clone(), vec![walker(scene.rule)]),
            history: EditHistory::default(),
            brush: TerrainBrush::default(),
            palette: palette(),
            title: String::new(),
            start: scene.start,
            goal: scene.goal,
            sources: Vec::new(),
            threats: Vec::new(),
            settings: [settings(args.algorithm), settings(second)],
            tie: args.tie.into(),
            method: method.unwrap_or_default(),
            question: question.unwrap_or_default(),
            parents: args.parents,
            cursor: None,
            playback: Playback::default(),
            preset: args.preset,
            seed: args.seed,
            comparison: Comparison::default(),
            racers: Vec::new(),
            repair: None,
            before: None,
            references: References::default(),
            version: 0,
        };
        lab.show(scene);
        if !args.edit.is_empty() {
            lab.begin_stroke();
            let edits: Vec<_> = args.edit.iter().map(|&cell| (cell, toggled(lab.tilemap.ground(cell)))).collect();
            for (cell, terrain) in edits {
                lab.paint([cell], terrain);
            }
            lab.end_stroke();
        }
        lab.seek(args.steps.unwrap_or_default());
        Ok(lab)
    }

    /// Begins with another scene.
    pub fn show(&mut self, scene: Scene) {
        self.tilemap = Tilemap::new(scene.terrain, vec![walker(scene.rule)]);
        self.tilemap.build_hierarchy(WALKER);
        (self.title, self.start, self.goal) = (scene.title, scene.start, scene.goal);
        (self.sources, self.threats) = (scene.sources, scene.threats);
        self.history.clear();
        self.before = None;
        self.cursor = None;
        self.playback.is_playing = false;
        self.begin();
    }

    /// Begins with a scene that comes with the lab.
    pub fn show_preset(&mut self, preset: Preset) -> Result<(), SceneError> {
        self.preset = preset;
        let scene = preset.scene(self.seed)?;
        self.show(scene);
        Ok(())
    }

    /// The scene as it is now.
    pub fn scene(&self) -> Scene {
        Scene {
            title: self.title.clone(),
            terrain: self.tilemap.terrain().clone(),
            rule: self.grid().map(|grid| grid.corner_rule()).unwrap_or_default(),
            start: self.start,
            goal: self.goal,
            sources: self.sources.clone(),
            threats: self.threats.clone(),
        }
    }

    /// The map as the walker sees it.
    pub fn grid(&self) -> Option<Arc<CostGrid>> {
        self.tilemap.grid(WALKER).cloned()
    }

    /// Asks everything anew, at the first step.
    pub fn begin(&mut self) {
        self.repair = None;
        self.racers.clear();
        self.ask();
    }

    /// Asks everything anew, and goes to where it was: after the map or the question has changed a little.
    pub fn ask(&mut self) {
        self.version += 1;
        self.tilemap.sync();
        let Some(grid) = self.grid() else { return };
        let (steps, was_over) = (self.steps(), self.is_over());
        self.references = References::find(&grid, self.start, self.goal);
        let (racers, runs) = match self.mode {
            Mode::Search => (1, 1),
            Mode::Race => (2, RUNS),
            Mode::Field | Mode::Edit => (0, 0),
        };
        self.racers = (0..racers).filter_map(|racer| Racer::begin(&grid, self.query(racer), runs)).collect();
        if self.mode == Mode::Edit {
            self.ask_for_repair(&grid);
        } else {
            self.repair = None;
            self.seek(if was_over { usize::MAX } else { steps });
        }
        if self.comparison.question().is_some() {
            self.compare();
        }
    }

    /// Lets the repair see what has changed since the beginning of the stroke; without one, and after any other change,
    /// it begins anew.
    fn ask_for_repair(&mut self, grid: &CostGrid) {
        let terrain = self.tilemap.terrain().grid();
        if let Some(Before { repair: Some(repair), grid: Some(old), terrain: before }) = &self.before {
            let cells = grid.size().rect().cells().zip(before.values().iter().zip(terrain.values()));
            let changed: Vec<_> = cells.filter(|(_, (old, new))| old != new).map(|(cell, _)| cell).collect();
            let mut repair = repair.clone();
            if repair.edit(old, grid, &changed).is_ok() {
                self.repair = Some(repair);
                return;
            }
        }
        self.repair = Repair::begin(grid, self.method, self.start, self.goal).ok();
    }

    /// Asks all algorithms the question of the first racer.
    pub fn compare(&mut self) {
        self.comparison.begin(Question { class: WALKER, query: self.query(0) }, &self.tilemap);
    }

    /// What a racer is asked.
    pub fn query(&self, racer: usize) -> PathQuery {
        let settings = self.settings.get(racer).unwrap_or(&self.settings[0]);
        PathQuery {
            algorithm: settings.algorithm,
            heuristic: settings.heuristic,
            weight: settings.weight,
            tie: self.tie,
            max_expansions: Some(settings.max_expansions),
            ..PathQuery::new(self.start, self.goal)
        }
    }

    /// From now on until [`Lab::end_stroke`], all that is painted is one edit.
    pub fn begin_stroke(&mut self) {
        self.end_stroke();
        self.before = Some(Before {
            repair: self.repair.clone(),
            grid: self.grid(),
            terrain: self.tilemap.terrain().grid().clone(),
        });
    }

    /// Paints cells; those outside the map are left out.
    pub fn paint(&mut self, cells: impl IntoIterator<Item = Cell>, terrain: TerrainId) {
        let size = self.tilemap.size();
        let inside: Vec<_> = cells.into_iter().filter(|&cell| size.contains(cell)).collect();
        if self.history.paint(&mut self.tilemap, inside, terrain).is_ok_and(|painted| painted > 0) {
            self.ask();
        }
    }

    /// Ends the edit.
    pub fn end_stroke(&mut self) {
        self.history.close();
        self.before = None;
    }

    /// Takes the latest stroke back, or does it again.
    pub fn undo(&mut self, again: bool) {
        self.begin_stroke();
        let cells = if again { self.history.redo(&mut self.tilemap) } else { self.history.undo(&mut self.tilemap) };
        if cells > 0 {
            self.ask();
        }
        self.before = None;
    }

    /// The pin on a cell; of start and goal, only if they are seen.
    pub fn pin_at(&self, cell: Cell) -> Option<Pin> {
        let is_field = self.mode == Mode::Field;
        let question = &self.question;
        [
            (Pin::Start, !is_field && self.start == cell),
            (Pin::Goal, !is_field && self.goal == cell),
            (Pin::Threat, is_field && question.kind.has_threats() && self.threats.contains(&cell)),
            (Pin::Source, is_field && question.kind.has_sources() && self.sources.contains(&cell)),
        ]
        .into_iter()
        .find(|(_, is_there)| *is_there)
        .map(|(pin, _)| pin)
    }

    /// Moves a pin to another cell of the map.
    pub fn move_pin(&mut self, pin: Pin, from: Cell, to: Cell) {
        if !self.tilemap.size().contains(to) || from == to {
            return;
        }
        let moved = |cells: &mut Vec<Cell>| {
            cells.retain(|&cell| cell != to);
            cells.iter_mut().filter(|cell| **cell == from).for_each(|cell| *cell = to);
        };
        match pin {
            Pin::Start => self.start = to,
            Pin::Goal => self.goal = to,
            Pin::Source => moved(&mut self.sources),
            Pin::Threat => moved(&mut self.threats),
        }
        self.ask();
    }

    /// Puts a source or a threat on a cell, or takes it away.
    pub fn toggle_pin(&mut self, pin: Pin, cell: Cell) {
        let cells = match pin {
            Pin::Source => &mut self.sources,
            Pin::Threat => &mut self.threats,
            Pin::Start | Pin::Goal => return,
        };
        if self.tilemap.size().contains(cell) {
            let before = cells.len();
            cells.retain(|&other| other != cell);
            if cells.len() == before {
                cells.push(cell);
            }
            self.ask();
        }
    }

    /// One step; false if all is over.
    pub fn step(&mut self) -> bool {
        let Some(grid) = self.grid() else { return false };
        let mut stepped = false;
        for racer in &mut self.racers {
            stepped |= racer.timeline.step(&grid);
        }
        if let Some(repair) = &mut self.repair {
            stepped |= repair.step(&grid);
        }
        self.version += u64::from(stepped);
        stepped
    }

    /// Goes to where so many steps are made: of each search, or to its end.
    pub fn seek(&mut self, steps: usize) {
        let Some(grid) = self.grid() else { return };
        for racer in &mut self.racers {
            racer.timeline.seek(&grid, steps);
        }
        if let Some(repair) = &mut self.repair {
            repair.seek(&grid, steps);
        }
        self.version += 1;
    }

    /// How many steps were made, by the search that made most.
    pub fn steps(&self) -> usize {
        let racers = self.racers.iter().map(|racer| racer.timeline.steps());
        racers.chain(self.repair.as_ref().map(Repair::steps)).max().unwrap_or_default()
    }

    /// How many steps there are to make.
    pub fn total(&self) -> usize {
        let repair = self.repair.as_ref().zip(self.grid()).map(|(repair, grid)| repair.total(&grid));
        self.racers.iter().map(|racer| racer.expansions).chain(repair).max().unwrap_or_default()
    }

    /// Whether nothing is left to step. Of no search at all, that is not so.
    pub fn is_over(&self) -> bool {
        let mut over = self.racers.iter().map(|racer| racer.timeline.answer().is_some());
        match &self.repair {
            Some(repair) => repair.is_over(),
            None => !self.racers.is_empty() && over.all(|over| over),
        }
    }

    /// Plays for this many seconds; returns whether anything was stepped.
    pub fn play(&mut self, seconds: f64) -> bool {
        let steps = self.playback.steps_after(seconds);
        let stepped = (0..steps).map(|_| self.step()).take_while(|&stepped| stepped).count();
        if stepped < steps {
            self.playback.is_playing = false;
        }
        stepped > 0
    }

    /// Puts the cursor on a cell.
    pub fn point_at(&mut self, cell: Option<Cell>) {
        let cell = cell.filter(|&cell| self.tilemap.size().contains(cell));
        if self.cursor != cell {
            self.cursor = cell;
            self.version += 1;
        }
    }

    /// What is seen has changed.
    pub fn look_again(&mut self) {
        self.version += 1;
    }

    /// Whether arrows lead to parents.
    pub fn show_parents(&mut self, parents: bool) {
        self.parents = parents;
        self.version += 1;
    }

    /// What is seen, and a number that changes with it.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The boards, or why there are none.
    pub fn boards(&self) -> Result<Vec<Board>, String> {
        let Some(grid) = self.grid() else { return Err("there is no map".to_owned()) };
        let terrain = self.tilemap.terrain();
        if self.mode == Mode::Field {
            let boards = self.question.boards(terrain, &grid, &self.sources, &self.threats);
            return boards.map_err(|error| error.to_string());
        }
        if let Some(repair) = &self.repair {
            return Ok(vec![repair.board(terrain, &grid, self.cursor)]);
        }
        let shown = Shown { hovered: self.cursor, parents: self.parents };
        let boards = self.racers.iter().map(|racer| {
            let mut board = search::board(terrain, &grid, &racer.timeline, &self.references, shown);
            if let Some(cells) = self.comparison.chosen_way() {
                let note = "of the row that was clicked".to_owned();
                board.ways.push(Way { kind: WayKind::Compared, cells: cells.to_vec(), note });
            }
            if self.mode == Mode::Race {
                board.facts.push(format!("{} µs", racer.time.as_micros()));
            }
            board
        });
        Ok(boards.collect())
    }
}

impl Racer {
    /// Before the first step, and the quickest of so many runs.
    fn begin(grid: &CostGrid, query: PathQuery, runs: usize) -> Option<Self> {
        let timeline = Timeline::begin(grid, query).ok()?;
        let runs = (0..runs).filter_map(|_| {
            let begun = Instant::now();
            let answer = find_path(grid, &query).ok()?;
            Some((begun.elapsed(), answer.stats.expanded as usize))
        });
        let (time, expansions) = runs.min()?;
        Some(Self { timeline, expansions, time })
    }
}

/// The terrains that can be painted, in the colours of the picture.
fn palette() -> Palette {
    let entries = KINDS.into_iter().zip('1'..).map(|((terrain, name, cost), key)| {
        let [red, green, blue] = ground_color(terrain, cost);
        let color = Color32::from_rgb(red, green, blue);
        PaletteEntry { name: name.to_owned(), terrain, color, key: Some(key) }
    });
    Palette(entries.collect())
}
