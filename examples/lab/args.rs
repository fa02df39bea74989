//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, ValueEnum};
use wayfield::{Algorithm, Cell, CornerRule, Heuristic, PathQuery, ReplanMethod, Tie, Weight};

use crate::model::field::{FieldKind, FieldQuestion};
use crate::model::presets::Preset;
use crate::model::scene::{Scene, SceneError};

/// The visual lab: watch any search think, step by step.
#[derive(Parser, Clone, Debug)]
#[command(name = "lab")]
pub struct Args {
    /// The scene to begin with.
    #[arg(long, value_enum, default_value_t, conflicts_with = "map")]
    pub preset: Preset,
    /// A Moving AI `.map` file, plain rows of characters, or a scene that the lab wrote, instead.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Fixes the scenes that chance makes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The algorithm.
    #[arg(long, value_name = "NAME", default_value = "a_star")]
    pub algorithm: Algorithm,
    /// A second algorithm beside it, on the same map.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["field", "edit"])]
    pub against: Option<Algorithm>,
    /// The heuristic; the best admissible one if none is named.
    #[arg(long, value_name = "NAME")]
    pub heuristic: Option<Heuristic>,
    /// The weight of weighted A*, at least 1.
    #[arg(long, value_name = "W", value_parser = weight, default_value = "1.5")]
    pub weight: Weight,
    /// Which of equally promising cells comes first: the one with the lower or the higher cost so far.
    #[arg(long, value_enum, default_value_t)]
    pub tie: TieArg,
    /// When diagonal steps are legal: never, always, one or both; as the scene says if none is named.
    #[arg(long, value_name = "RULE")]
    pub corners: Option<CornerRule>,
    /// Where the way starts.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub from: Option<Cell>,
    /// Where it ends.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub to: Option<Cell>,
    /// A Dijkstra map instead of a search.
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "edit")]
    pub field: Option<FieldKind>,
    /// A source of the field, as often as needed; the goal if there is none.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub source: Vec<Cell>,
    /// A threat of the field, as often as needed; the start if there is none.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub threat: Vec<Cell>,
    /// The k of a field for fleeing.
    #[arg(long, value_name = "K", default_value_t = 1.2)]
    pub scale: f64,
    /// The points of a movement range.
    #[arg(long, value_name = "N", default_value_t = 8.0)]
    pub points: f64,
    /// A cell that becomes a wall, or plain ground if it is one, after LPA* or D* Lite have found the way.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub edit: Vec<Cell>,
    /// After how many expansions; the end if none is named, the beginning in a window.
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,
    /// Draws an arrow from every cell to its parent.
    #[arg(long)]
    pub parents: bool,
    /// Draws the figure into a file, without a window.
    #[arg(long, value_name = "FILE", conflicts_with = "screenshot")]
    pub png: Option<PathBuf>,
    /// The size of that figure in pixels.
    #[arg(long, value_name = "WxH", default_value = "960x640")]
    pub size: PictureSize,
    /// Saves a picture of the window after `--frames` frames, and ends.
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// After how many frames the picture is taken.
    #[arg(long, default_value_t = 60)]
    pub frames: u32,
}

/// What cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ArgsError {
    #[error("{}: {error}", file.display())]
    File { file: PathBuf, error: SceneError },
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("--{flag} {cell} is outside the map of {width} x {height}")]
    Outside { flag: &'static str, cell: Cell, width: u32, height: u32 },
    #[error("--edit shows a repair, which lpa_star and d_star_lite make, not {0}")]
    NoRepair(Algorithm),
    #[error("--{flag} {value}: {error}")]
    Number { flag: &'static str, value: f64, error: wayfield::FieldError },
}

impl Args {
    /// The scene, with what the flags change of it.
    pub fn scene(&self) -> Result<Scene, ArgsError> {
        let mut scene = match &self.map {
            Some(file) => Scene::open(file).map_err(|error| ArgsError::File { file: file.clone(), error })?,
            None => self.preset.scene(self.seed)?,
        };
        scene.rule = self.corners.unwrap_or(scene.rule);
        let size = scene.terrain.size();
        let ends = [("from", self.from), ("to", self.to)];
        let named = ends.into_iter().filter_map(|(flag, cell)| Some((flag, cell?)));
        let lists = [("source", &self.source), ("threat", &self.threat), ("edit", &self.edit)];
        let listed = lists.into_iter().flat_map(|(flag, cells)| cells.iter().map(move |&cell| (flag, cell)));
        if let Some((flag, cell)) = named.chain(listed).find(|&(_, cell)| !size.contains(cell)) {
            return Err(ArgsError::Outside { flag, cell, width: size.width(), height: size.height() });
        }
        scene.start = self.from.unwrap_or(scene.start);
        scene.goal = self.to.unwrap_or(scene.goal);
        if self.to.is_some() {
            scene.sources = vec![scene.goal];
        }
        if self.from.is_some() {
            scene.threats = vec![scene.start];
        }
        if !self.source.is_empty() {
            scene.sources.clone_from(&self.source);
        }
        if !self.threat.is_empty() {
            scene.threats.clone_from(&self.threat);
        }
        Ok(scene)
    }

    /// What is asked of an algorithm.
    pub fn query(&self, scene: &Scene, algorithm: Algorithm) -> PathQuery {
        let (heuristic, weight, tie) = (self.heuristic, self.weight, self.tie.into());
        PathQuery { algorithm, heuristic, weight, tie, ..PathQuery::new(scene.start, scene.goal) }
    }

    /// What is asked of a field.
    pub fn field_question(&self) -> Result<Option<FieldQuestion>, ArgsError> {
        use wayfield::FleeScale;
        let Some(kind) = self.field else { return Ok(None) };
        let value = self.scale;
        FleeScale::new(value).map_err(|error| ArgsError::Number { flag: "scale", value, error })?;
        Ok(Some(FieldQuestion { kind, scale: self.scale, points: self.points, ..FieldQuestion::default() }))
    }

    /// How a way is repaired, if an edit is to be shown.
    pub fn replan_method(&self) -> Result<Option<ReplanMethod>, ArgsError> {
        match (self.edit.is_empty(), self.algorithm.replan_method()) {
            (true, _) => Ok(None),
            (false, Some(method)) => Ok(Some(method)),
            (false, None) => Err(ArgsError::NoRepair(self.algorithm)),
        }
    }
}

/// Which of equally promising cells comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TieArg {
    Low,
    #[default]
    High,
}

impl From<TieArg> for Tie {
    fn from(tie: TieArg) -> Self {
        match tie {
            TieArg::Low => Self::LowG,
            TieArg::High => Self::HighG,
        }
    }
}

/// The size of a picture: large enough for some cells and letters, small enough for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSize(pub u32, pub u32);

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        match sides {
            Some((width @ 160..=8192, height @ 160..=8192)) => Ok(Self(width, height)),
            _ => Err("a size is WIDTHxHEIGHT with sides from 160 to 8192 pixels".to_owned()),
        }
    }
}

fn weight(text: &str) -> Result<Weight, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    Weight::new(number).map_err(|error| error.to_string())
}

fn cell(text: &str) -> Result<Cell, String> {
    let numbers = text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    numbers.map(|(x, y)| Cell::new(x, y)).ok_or_else(|| "a cell is X,Y with whole numbers".to_owned())
}
