//! The figure that the command line asks for, without a window.

use wayfield::CostGrid;

use crate::args::{Args, ArgsError};
use crate::model::board::Board;
use crate::model::repair::Repair;
use crate::model::scene::Scene;
use crate::model::search::{self, References, Shown};
use crate::model::terrain::toggled;
use crate::model::timeline::Timeline;

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error(transparent)]
    Args(#[from] ArgsError),
    #[error(transparent)]
    Query(#[from] wayfield::QueryError),
    #[error(transparent)]
    Outside(#[from] wayfield::OutsideMap),
    #[error(transparent)]
    Field(#[from] wayfield::FieldError),
}

/// The boards that the command line asks for.
pub fn boards(args: &Args) -> Result<Vec<Board>, PictureError> {
    let scene = args.scene()?;
    let grid = scene.grid();
    if let Some(question) = args.field_question()? {
        return Ok(question.boards(&scene.terrain, &grid, &scene.sources, &scene.threats)?);
    }
    if let Some(method) = args.replan_method()? {
        let mut repair = Repair::begin(&grid, method, scene.start, scene.goal)?;
        let (edited, grid) = edit(scene, &grid, args, &mut repair)?;
        repair.seek(&grid, args.steps.unwrap_or(usize::MAX));
        return Ok(vec![repair.board(&edited.terrain, &grid, None)]);
    }
    let references = References::find(&grid, scene.start, scene.goal);
    let racers = [Some(args.algorithm), args.against];
    let boards = racers.into_iter().flatten().map(|algorithm| {
        let mut timeline = Timeline::begin(&grid, args.query(&scene, algorithm))?;
        timeline.seek(&grid, args.steps.unwrap_or(usize::MAX));
        let shown = Shown { parents: args.parents, hovered: None };
        Ok(search::board(&scene.terrain, &grid, &timeline, &references, shown))
    });
    boards.collect()
}

/// Makes walls of the cells that the flags name, and ground of walls.
fn edit(mut scene: Scene, old: &CostGrid, args: &Args, repair: &mut Repair) -> Result<(Scene, CostGrid), PictureError> {
    let edits: Vec<_> = args.edit.iter().map(|&cell| (cell, toggled(scene.terrain.terrain(cell)))).collect();
    let change = scene.terrain.edit(edits)?;
    let grid = scene.grid();
    repair.edit(old, &grid, &change.cells)?;
    Ok((scene, grid))
}
