//! What a shared field is: [`Field`], and the sources it is computed from.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use wayfield::{FieldError, FleeRule, Source};

use crate::map::ClassId;

/// The number of a field in [`DijkstraMaps`](crate::DijkstraMaps). It is never given to another one, also after the field was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, serde::Serialize, serde::Deserialize)]
pub struct FieldId(pub(crate) u32);

/// The number of a group of entities that fields have as sources; a team, for example. The game chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, serde::Serialize, serde::Deserialize)]
pub struct SourceGroup(pub u32);

/// Makes an entity with a [`Transform`] a source of all fields that have its group.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect, serde::Serialize, serde::Deserialize)]
#[reflect(Component)]
pub struct FieldSource {
    /// Its group.
    pub group: SourceGroup,
    /// The value of its cell in terrain units; less is more attractive.
    pub value: f64,
}

impl FieldSource {
    /// A source of value 0.
    pub fn new(group: SourceGroup) -> Self {
        Self { group, value: 0.0 }
    }
}

/// What a field is computed from.
///
/// ```
/// use bevy_wayfield::{ClassId, DijkstraMaps, Field, SourceGroup};
/// use wayfield::{Cell, FleeScale};
/// const RAIDERS: SourceGroup = SourceGroup(1);
/// let mut maps = DijkstraMaps::default();
/// let ore = maps.define("ore", Field::seek(ClassId(0)).cells([Cell::new(3, 4)]));
/// let flee = maps.define("flee", Field::flee(ClassId(0), ClassId(1), FleeScale::default()).group(RAIDERS));
/// let desire = maps.define("desire", Field::sum([(ore, 1.0), (flee, 0.5)]));
/// assert_eq!(maps.id("flee"), Some(flee));
/// assert!(maps.get(desire).is_none(), "computed in the next tick");
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Field {
    pub(crate) rule: Rule,
    pub(crate) cells: Vec<Source>,
    pub(crate) groups: Vec<SourceGroup>,
    pub(crate) interval: u64,
    pub(crate) hysteresis: u32,
    pub(crate) limit: Option<f64>,
    pub(crate) surround: bool,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Rule {
    /// Toward the nearest source.
    Seek { class: ClassId },
    /// Away from the sources, which move as `threats`.
    Flee { class: ClassId, threats: ClassId, rule: FleeRule },
    /// To a distance from the sources, which move as `threats`.
    Kite { class: ClassId, threats: ClassId, ring: RangeInclusive<f64> },
    /// Other fields, weighted.
    Sum { terms: Vec<(FieldId, f64)> },
}

impl Field {
    /// Toward the nearest source, for movers of this class.
    pub fn seek(class: ClassId) -> Self {
        Self::of(Rule::Seek { class })
    }

    /// Away from the sources, for movers of `class`, from sources that move as `threats`; by a
    /// [`FleeScale`](wayfield::FleeScale), or another [`FleeRule`].
    pub fn flee(class: ClassId, threats: ClassId, rule: impl Into<FleeRule>) -> Self {
        Self::of(Rule::Flee { class, threats, rule: rule.into() })
    }

    /// To where the way of the sources, which move as `threats`, is within `ring`, in terrain units: what archers want.
    pub fn kite(class: ClassId, threats: ClassId, ring: RangeInclusive<f64>) -> Self {
        Self::of(Rule::Kite { class, threats, ring })
    }

    /// The weighted sum of other fields. Where it is flat it leads to where it goes on down, for movers of the class of the
    /// first one.
    pub fn sum(terms: impl IntoIterator<Item = (FieldId, f64)>) -> Self {
        Self::of(Rule::Sum { terms: terms.into_iter().collect() })
    }

    fn of(rule: Rule) -> Self {
        Self { rule, cells: Vec::new(), groups: Vec::new(), interval: 1, hysteresis: 0, limit: None, surround: false }
    }

    /// With these cells as sources; replaces the ones given before.
    #[must_use]
    pub fn cells<S: Into<Source>>(mut self, cells: impl IntoIterator<Item = S>) -> Self {
        self.cells = cells.into_iter().map(Into::into).collect();
        self
    }

    /// With the entities of this group as sources, too.
    #[must_use]
    pub fn group(mut self, group: SourceGroup) -> Self {
        self.groups.push(group);
        self
    }

    /// Computed anew at most once in this many ticks.
    #[must_use]
    pub fn every(mut self, ticks: u64) -> Self {
        self.interval = ticks.max(1);
        self
    }

    /// Not computed anew for entities that have moved by up to this many cells, along either axis.
    #[must_use]
    pub fn hysteresis(mut self, cells: u32) -> Self {
        self.hysteresis = cells;
        self
    }

    /// Of a field that seeks: to the cells around each entity, one unit to a cell. Who has come to one stays there; when the cells
    /// next to the entity are taken those around them are next, and so on, up to 16 cells away.
    #[must_use]
    pub fn surround(mut self) -> Self {
        self.surround = true;
        self
    }

    /// Of a field that seeks: only up to this value, in terrain units. Who is farther away stands.
    #[must_use]
    pub fn within(mut self, limit: f64) -> Self {
        self.limit = Some(limit);
        self
    }
}

/// Why a field has no new map. It keeps its last one.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FieldProblem {
    /// It cannot be computed from what it is given.
    #[error(transparent)]
    Compute(#[from] FieldError),
    /// The tilemap has no such class.
    #[error("the tilemap has no movement class {}", .0.0)]
    UnknownClass(ClassId),
    /// A field of the sum was never defined, or was removed.
    #[error("there is no field {}", .0.0)]
    UnknownField(FieldId),
    /// The sum has itself among the fields it is made of, or those of which they are.
    #[error("the field {} is a sum of itself", .0.0)]
    Cycle(FieldId),
}

/// A field has sources now, and a map of them: its first, the first of another definition, or the first since [`FieldLost`].
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldReady {
    /// Which field.
    pub field: FieldId,
}

/// A field has lost all its sources, or was removed: who follows it stands.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLost {
    /// Which field.
    pub field: FieldId,
}
