//! A map with a question: where from, where to, by which rule; and its form as text.

use std::io::Read;
use std::path::Path;

use wayfield::{
    Cell, CornerRule, CostGrid, GridSize, MapFormat, TerrainMap, TextError, UnknownName, parse_map, write_map,
};

use super::terrain::walker;

/// Files above this size are not read: no map that anybody looks at is larger.
const MAX_FILE: u64 = 16 << 20;

/// A map, and what is asked on it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub title: String,
    pub terrain: TerrainMap,
    pub rule: CornerRule,
    pub start: Cell,
    pub goal: Cell,
    /// Where fields lead to, or come from.
    pub sources: Vec<Cell>,
    /// What units flee from.
    pub threats: Vec<Cell>,
}

/// What is wrong with a scene as text.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    #[error(transparent)]
    Map(#[from] TextError),
    #[error("line {line}: expected \"{word} X,Y\" with whole numbers, found \"{found}\"")]
    Place { line: usize, word: String, found: String },
    #[error("line {line}: {source}")]
    Rule { line: usize, source: UnknownName },
    #[error("line {line}: {cell} is outside the map of {} x {}", size.width(), size.height())]
    Outside { line: usize, cell: Cell, size: GridSize },
    #[error("there is no cell that could be entered")]
    NoWay,
    #[error(transparent)]
    File(#[from] std::io::Error),
    #[error("the file is larger than {} MiB", MAX_FILE >> 20)]
    TooLarge,
}

impl Scene {
    /// A map with the ends of its longest row as start and goal, or what comes nearest to that.
    pub fn new(title: impl Into<String>, terrain: TerrainMap, rule: CornerRule) -> Result<Self, SceneError> {
        let grid = CostGrid::new(&terrain, &walker(rule));
        let cells = || terrain.size().rect().cells().filter(|&cell| grid.is_passable(cell));
        let start = cells().next().ok_or(SceneError::NoWay)?;
        let reached = cells().filter(|&cell| grid.is_reachable(start, cell)).last();
        let goal = reached.unwrap_or(start);
        Ok(Self { title: title.into(), terrain, rule, start, goal, sources: vec![goal], threats: vec![start] })
    }

    /// The map as the walker sees it, ready for every algorithm.
    pub fn grid(&self) -> CostGrid {
        let mut grid = CostGrid::new(&self.terrain, &walker(self.rule));
        grid.build_hierarchy();
        grid
    }

    /// Reads a scene: lines such as `start 3,4`, `goal 9,4`, `source 1,1`, `threat 2,2` and `corners never`, all of which may
    /// be left out, and then a Moving AI map or plain rows.
    pub fn parse(title: impl Into<String>, text: &str) -> Result<Self, SceneError> {
        let mut rest = text;
        let (mut places, mut rule) = (Vec::new(), None);
        let mut line = 1;
        while let Some((first, after)) = rest.split_once('\n') {
            let Some((word, value)) = first.trim().split_once(' ') else { break };
            match word {
                "start" | "goal" | "source" | "threat" => places.push((line, word, cell_of(line, word, value)?)),
                "corners" => {
                    let parsed = value.trim().parse();
                    rule = Some(parsed.map_err(|source| SceneError::Rule { line, source })?);
                }
                _ => break,
            }
            (rest, line) = (after, line + 1);
        }
        let map = parse_map(rest.as_bytes()).map_err(|error| TextError { line: error.line + line - 1, ..error })?;
        let mut scene = Self::new(title, map.terrain, rule.unwrap_or_default())?;
        let size = scene.terrain.size();
        let all = |wanted| places.iter().filter(move |place| place.1 == wanted).map(|place| place.2);
        if let Some(&(line, _, cell)) = places.iter().find(|place| !size.contains(place.2)) {
            return Err(SceneError::Outside { line, cell, size });
        }
        scene.start = all("start").next_back().unwrap_or(scene.start);
        scene.goal = all("goal").next_back().unwrap_or(scene.goal);
        let (sources, threats): (Vec<_>, Vec<_>) = (all("source").collect(), all("threat").collect());
        scene.sources = if sources.is_empty() { vec![scene.goal] } else { sources };
        scene.threats = if threats.is_empty() { vec![scene.start] } else { threats };
        Ok(scene)
    }

    /// Reads a file as [`Scene::parse`] does.
    pub fn open(file: &Path) -> Result<Self, SceneError> {
        let mut bytes = Vec::new();
        std::fs::File::open(file)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(SceneError::TooLarge);
        }
        let title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(title, text),
            // The core says where the bytes are no text.
            Err(_) => Ok(Self::new(title, parse_map(&bytes)?.terrain, CornerRule::default())?),
        }
    }

    /// Writes the scene; [`Scene::parse`] reads it back.
    pub fn text(&self) -> String {
        let mut text = format!("corners {}\n", self.rule.name());
        let ends = [("start", self.start), ("goal", self.goal)];
        let sources = self.sources.iter().map(|&cell| ("source", cell));
        let threats = self.threats.iter().map(|&cell| ("threat", cell));
        for (word, cell) in ends.into_iter().chain(sources).chain(threats) {
            text += &format!("{word} {},{}\n", cell.x, cell.y);
        }
        text + &write_map(&self.terrain, MapFormat::Rows)
    }
}

fn cell_of(line: usize, word: &str, value: &str) -> Result<Cell, SceneError> {
    let numbers =
        value.trim().split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    let wrong = || SceneError::Place { line, word: word.to_owned(), found: value.trim().chars().take(40).collect() };
    numbers.map(|(x, y)| Cell::new(x, y)).ok_or_else(wrong)
}
