//! The flags of `wayfield field`.

use std::error::Error;
use std::num::NonZeroU16;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use wayfield::{FleeRule, FleeScale};

use super::{CellArg, MovementArgs, NoCell};
use crate::input::Input;

/// What the help ends with.
pub const NOTES: &str = "\
With --sum a cell has a value where all fields have one. A sum may be flat, and may have hollows, where units stop: --flow
leads across what is flat to where it goes on down, if it does. Of the threats that a file's field fled from, whose cells
are not entered, a sum knows nothing.

Of --flow, text has an arrow for the first of the best steps of a cell, * where that is a link, . where a unit stays, - where
there is no value, and # where units cannot stand. JSON has all best steps, first ones first, also out of walls.

A picture goes from dark blue, the lowest value, by green to yellow, the highest; lines run between cells on either side of a
multiple of N. Cells that units cannot stand on are nearly black, others without a value grey.

Examples:
  wayfield field arena.map --source 1,11
  wayfield field arena.map --source 1,11 --source 40,30=-5 --json
  wayfield field arena.map --source 1,11 --from --limit 6
  printf '.......\\n' | wayfield field - --source 3,0 --flee 1.2
  wayfield field arena.map --source 40,30 --saturating --json > danger.json
  wayfield field arena.map --source 1,11 --sum danger.json:0.5 --flow
  wayfield field arena.map --source 1,11 --kite 4:6 --png kite.png";

/// The flags of `wayfield field`.
#[derive(Debug, Args)]
pub struct FieldArgs {
    /// The map; - is standard input
    #[arg(value_name = "MAP", value_parser = PathBufValueParser::new().map(Input::from))]
    pub map: Input,
    /// A cell that the values count from, and what it begins with instead of 0; may be repeated
    #[arg(long = "source", value_name = "X,Y[=VALUE]", required = true, allow_hyphen_values = true)]
    pub sources: Vec<SourceArg>,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Only cells whose value is at most COST get one: a movement range with --from, else who comes in time
    #[arg(
        long,
        value_name = "COST",
        allow_hyphen_values = true,
        value_parser = distance,
        conflicts_with_all = ["flee", "saturating", "kite"],
    )]
    pub limit: Option<f64>,
    /// Add WEIGHT times the field in FILE, which wayfield field --json has written for a map of this size; - is
    /// standard input; may be repeated
    #[arg(long = "sum", value_name = "FILE:WEIGHT", allow_hyphen_values = true)]
    pub sums: Vec<SumArg>,
    #[command(flatten)]
    pub movement: MovementArgs,
    /// Print the step that a unit takes on each cell instead of the values
    #[arg(long, conflicts_with = "from")]
    pub flow: bool,
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What the values mean: the cost of the way from each cell to its nearest source, unless something else is said.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct KindArgs {
    /// Give the cost from the nearest source to the cell, instead of from the cell to its nearest source
    #[arg(long)]
    pub from: bool,
    /// Flee from the sources: their distances times -K, rescanned so that the ways out show; K from 0.001 to 1000
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = flee_scale)]
    flee: Option<FleeScale>,
    /// The same, but the distance d counts K*R*d/(R+d): what is far away matters little; R from 1 to 65535, 3:50 if they
    /// are not given
    #[arg(
        long,
        value_name = "K:R",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "3:50",
        allow_hyphen_values = true,
    )]
    saturating: Option<SaturatingArg>,
    /// Go to where the nearest source is at least MIN and at most MAX away, out of what is nearer first
    #[arg(long, value_name = "MIN:MAX", allow_hyphen_values = true)]
    kite: Option<RingArg>,
}

/// What the values mean.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// The cost of the way from each cell to its nearest source.
    Toward,
    /// The cost of the way from the nearest source to each cell.
    From,
    /// Away from the sources.
    Flee(FleeRule),
    /// At a distance from the sources.
    Kite(RangeInclusive<f64>),
}

impl KindArgs {
    /// What the flags say.
    pub fn kind(&self) -> FieldKind {
        match self {
            Self { from: true, .. } => FieldKind::From,
            Self { flee: Some(scale), .. } => FieldKind::Flee((*scale).into()),
            Self { saturating: Some(SaturatingArg { scale, reach }), .. } => {
                FieldKind::Flee(FleeRule::Saturating { scale: *scale, reach: *reach })
            }
            Self { kite: Some(RingArg(ring)), .. } => FieldKind::Kite(ring.clone()),
            _ => FieldKind::Toward,
        }
    }
}

/// How to draw.
#[derive(Debug, Args)]
pub struct PictureArgs {
    /// Draw the values into the PNG file OUT instead of printing them
    #[arg(long, value_name = "OUT", conflicts_with_all = ["flow", "json"])]
    pub png: Option<PathBuf>,
    /// Pixels along the side of a cell, 1 to 64 [default: up to 32, for a picture of some 512]
    #[arg(long, value_name = "P", requires = "png", allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub pixels: Option<u32>,
    /// Draw lines every N units, 0 for none [default: a round number for some ten lines]
    #[arg(long, value_name = "N", requires = "png", allow_hyphen_values = true, value_parser = distance)]
    pub lines: Option<f64>,
}

/// A source of a field: a cell, and perhaps a value.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceArg {
    /// The cell.
    pub cell: CellArg,
    /// What it begins with, if that is said.
    pub value: Option<f64>,
}

/// A text that is no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSource {
    /// It has no cell.
    #[error("{0}, perhaps followed by =VALUE")]
    Cell(#[from] NoCell),
    /// What follows the equals sign is no finite number.
    #[error("the value of a source is a number")]
    Value,
}

impl FromStr for SourceArg {
    type Err = NoSource;

    fn from_str(text: &str) -> Result<Self, NoSource> {
        let Some((cell, value)) = text.split_once('=') else {
            return Ok(Self { cell: text.parse()?, value: None });
        };
        let value = value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or(NoSource::Value)?;
        Ok(Self { cell: cell.parse()?, value: Some(value) })
    }
}

/// A field to add, as `FILE:WEIGHT`; there may be more colons in the name of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct SumArg {
    /// The file.
    pub input: Input,
    /// What its values are multiplied by; the core says which numbers it takes.
    pub weight: f64,
}

/// A text that does not say what to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a field to add is FILE:WEIGHT, where WEIGHT is a number")]
pub struct NoSum;

impl FromStr for SumArg {
    type Err = NoSum;

    fn from_str(text: &str) -> Result<Self, NoSum> {
        let (file, weight) = text.rsplit_once(':').filter(|(file, _)| !file.is_empty()).ok_or(NoSum)?;
        Ok(Self { input: PathBuf::from(file).into(), weight: weight.parse().map_err(|_| NoSum)? })
    }
}

/// The K and the R of a flee field that saturates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SaturatingArg {
    scale: FleeScale,
    reach: NonZeroU16,
}

/// A text that is not both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number from 0.001 to 1000 and a whole one from 1 to 65535 are needed, K:R")]
struct NotSaturating;

impl FromStr for SaturatingArg {
    type Err = NotSaturating;

    fn from_str(text: &str) -> Result<Self, NotSaturating> {
        let (scale, reach) = text.split_once(':').ok_or(NotSaturating)?;
        let scale = scale.parse().ok().and_then(|scale| FleeScale::new(scale).ok()).ok_or(NotSaturating)?;
        Ok(Self { scale, reach: reach.parse().map_err(|_| NotSaturating)? })
    }
}

/// How near and how far away.
#[derive(Clone, Debug, PartialEq)]
struct RingArg(RangeInclusive<f64>);

/// A text that is no ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two numbers from 0 up are needed, MIN:MAX, the second one not below the first")]
struct NoRing;

impl FromStr for RingArg {
    type Err = NoRing;

    fn from_str(text: &str) -> Result<Self, NoRing> {
        let (min, max) = text.split_once(':').ok_or(NoRing)?;
        let [min, max] = [min, max].map(|end| distance(end).map_err(|_| NoRing));
        Some(min?..=max?).filter(|ring| !ring.is_empty()).map(Self).ok_or(NoRing)
    }
}

/// A text that is no distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number from 0 up is needed")]
struct NoDistance;

fn distance(text: &str) -> Result<f64, NoDistance> {
    text.parse().ok().filter(|distance: &f64| distance.is_finite() && *distance >= 0.0).ok_or(NoDistance)
}

fn flee_scale(text: &str) -> Result<FleeScale, Box<dyn Error + Send + Sync>> {
    Ok(FleeScale::new(text.parse()?)?)
}
