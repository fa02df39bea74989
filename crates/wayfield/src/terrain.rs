//! Kinds of terrain, and what they cost the kinds of mover.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use crate::cost::TerrainCost;

/// A kind of terrain: an index into the game's own list of terrains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct TerrainId(pub u8);

/// A layer of influence, such as danger: an index into the game's own list of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct InfluenceId(pub u8);

/// When a diagonal step is legal, by the two side cells it passes between.
///
/// The cell stepped into must be passable under every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum CornerRule {
    /// No diagonal steps: four directions.
    Never,
    /// Diagonals are always legal, also between two walls.
    Always,
    /// At least one of the two side cells is passable.
    AtLeastOneFree,
    /// Both side cells are passable: no corner is cut. The usual rule of tile games.
    #[default]
    BothFree,
}

impl CornerRule {
    /// All four rules.
    pub const ALL: [Self; 4] = [Self::Never, Self::Always, Self::AtLeastOneFree, Self::BothFree];

    /// Whether a diagonal between side cells that are passable or not is legal.
    pub const fn allows(self, one: bool, other: bool) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::AtLeastOneFree => one || other,
            Self::BothFree => one && other,
        }
    }

    /// Whether a straight line may pass exactly through a corner, by the two other cells that touch there.
    ///
    /// Never between two walls, under any rule: a line is no step. Without diagonal steps both must be passable.
    pub const fn lets_lines_through(self, one: bool, other: bool) -> bool {
        match self {
            Self::Never | Self::BothFree => one && other,
            Self::Always | Self::AtLeastOneFree => one || other,
        }
    }

    /// The name that the command line and the panel use: `never`, `always`, `one` or `both`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
            Self::AtLeastOneFree => "one",
            Self::BothFree => "both",
        }
    }
}

/// A kind of mover: what each terrain costs it, and its corner rule.
///
/// A terrain that is not mentioned is forbidden.
///
/// ```
/// use wayfield::{CornerRule, MovementClass, TerrainId};
/// let (plain, forest, water) = (TerrainId(0), TerrainId(1), TerrainId(2));
/// let foot = MovementClass::new("foot").with_cost(plain, 1)?.with_cost(forest, 3)?;
/// assert_eq!(foot.cost(forest).map(|cost| cost.get()), Some(3));
/// assert_eq!(foot.cost(water), None);
/// assert_eq!(foot.corner_rule(), CornerRule::BothFree);
/// # Ok::<(), wayfield::MovementClassError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovementClass {
    name: String,
    corner_rule: CornerRule,
    costs: Vec<Option<TerrainCost>>,
    #[cfg_attr(feature = "serde", serde(default))]
    slopes: Option<Slopes>,
    /// What crossing a fence multiplies the entering cost by; `None` where fences bar the way.
    #[cfg_attr(feature = "serde", serde(default))]
    fence_factor: Option<NonZeroU8>,
    /// What a value of a layer is multiplied by to be added to the entering cost.
    #[cfg_attr(feature = "serde", serde(default))]
    influences: BTreeMap<InfluenceId, NonZeroU8>,
}

/// What going up and down multiplies the entering cost by. On the level it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slopes {
    uphill: NonZeroU8,
    downhill: NonZeroU8,
}

/// A factor of a slope or a fence outside 1 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a factor of a slope or a fence is a whole number from 1 to 255, not {0}")]
pub struct EdgeFactorError(pub i64);

impl EdgeFactorError {
    fn check(factor: i64) -> Result<NonZeroU8, Self> {
        u8::try_from(factor).ok().and_then(NonZeroU8::new).ok_or(Self(factor))
    }
}

/// A weight of an influence outside 1 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weight of an influence is a whole number from 1 to 255, not {0}")]
pub struct InfluenceWeightError(pub i64);

/// A cost that a movement class cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("movement class \"{class}\", terrain {}: {source}", terrain.0)]
pub struct MovementClassError {
    /// The name of the class.
    pub class: String,
    /// The terrain.
    pub terrain: TerrainId,
    /// What is wrong with the cost.
    pub source: crate::cost::TerrainCostError,
}

impl MovementClass {
    /// A class that may go nowhere yet, with the rule [`CornerRule::BothFree`].
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            corner_rule: CornerRule::default(),
            costs: Vec::new(),
            slopes: None,
            fence_factor: None,
            influences: BTreeMap::new(),
        }
    }

    /// This class, paying `cost` to enter a cell of `terrain`.
    ///
    /// # Errors
    /// If the cost is not within 1 to 255.
    pub fn with_cost(mut self, terrain: TerrainId, cost: i64) -> Result<Self, MovementClassError> {
        match TerrainCost::try_from(cost) {
            Ok(cost) => {
                self.set_cost(terrain, Some(cost));
                Ok(self)
            }
            Err(source) => Err(MovementClassError { class: self.name, terrain, source }),
        }
    }

    /// This class with another corner rule.
    #[must_use]
    pub fn with_corner_rule(mut self, rule: CornerRule) -> Self {
        self.corner_rule = rule;
        self
    }

    /// This class, paying `uphill` times the entering cost for a step to a higher cell and `downhill` times for one to a
    /// lower cell. A diagonal pays the dearer of the two ways round it. Without this, heights make no difference.
    ///
    /// ```
    /// use wayfield::{Cell, CostGrid, GridSize, Direction, MovementClass, TerrainId, TerrainMap};
    /// let mut map = TerrainMap::new(GridSize::new(2, 1)?, TerrainId(0));
    /// map.edit_heights([(Cell::new(1, 0), 10)])?;
    /// let foot = MovementClass::new("foot").with_cost(TerrainId(0), 2)?.with_slopes(3, 1)?;
    /// let grid = CostGrid::new(&map, &foot);
    /// let cost = |x, direction| grid.step_cost(Cell::new(x, 0), direction).map(|cost| cost.to_units());
    /// assert_eq!((cost(0, Direction::East), cost(1, Direction::West)), (Some(6.0), Some(2.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a factor is not within 1 to 255.
    pub fn with_slopes(mut self, uphill: i64, downhill: i64) -> Result<Self, EdgeFactorError> {
        let (uphill, downhill) = (EdgeFactorError::check(uphill)?, EdgeFactorError::check(downhill)?);
        self.slopes = Some(Slopes { uphill, downhill });
        Ok(self)
    }

    /// This class, which crosses [fences](crate::TerrainMap::set_fence) for `factor` times the entering cost: 1 for a
    /// flyer, more for who climbs. A diagonal pays the dearer of the two ways round it. Without this, fences bar the way.
    ///
    /// # Errors
    /// If the factor is not within 1 to 255.
    pub fn with_fence_factor(mut self, factor: i64) -> Result<Self, EdgeFactorError> {
        self.fence_factor = Some(EdgeFactorError::check(factor)?);
        Ok(self)
    }

    /// This class, paying `weight` times the [value](crate::TerrainMap::edit_influence) of a layer on top of what the
    /// terrain costs, for each layer that it minds; at most 255 in all. That opens no cell and closes none. Without this, a
    /// layer makes no difference.
    ///
    /// ```
    /// use wayfield::{find_path, Cell, CostGrid, GridSize, InfluenceId, MovementClass, PathQuery, TerrainId, TerrainMap};
    /// let (plain, danger) = (TerrainId(0), InfluenceId(0));
    /// let mut map = TerrainMap::new(GridSize::new(9, 7)?, plain);
    /// // An enemy in the middle, and how dangerous it is to be near it.
    /// let enemy = Cell::new(4, 3);
    /// let cells = map.size().rect().cells();
    /// map.edit_influence(danger, cells.map(|cell| (cell, 3_u8.saturating_sub(cell.chebyshev(enemy) as u8))))?;
    ///
    /// let brave = MovementClass::new("brave").with_cost(plain, 1)?;
    /// let careful = brave.clone().with_influence(danger, 2)?;
    /// let nearest = |class| {
    ///     let query = PathQuery::new(Cell::new(0, 3), Cell::new(8, 3));
    ///     let answer = find_path(&CostGrid::new(&map, class), &query).ok()?;
    ///     answer.outcome.path()?.cells().iter().map(|cell| cell.chebyshev(enemy)).min()
    /// };
    /// assert_eq!((nearest(&brave), nearest(&careful)), (Some(0), Some(3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the weight is not within 1 to 255.
    pub fn with_influence(mut self, layer: InfluenceId, weight: i64) -> Result<Self, InfluenceWeightError> {
        let known = u8::try_from(weight).ok().and_then(NonZeroU8::new);
        self.influences.insert(layer, known.ok_or(InfluenceWeightError(weight))?);
        Ok(self)
    }

    /// Sets what entering `terrain` costs; `None` forbids it.
    pub fn set_cost(&mut self, terrain: TerrainId, cost: Option<TerrainCost>) {
        let slot = terrain.0 as usize;
        if self.costs.len() <= slot {
            self.costs.resize(slot + 1, None);
        }
        self.costs[slot] = cost;
    }

    /// Sets the corner rule.
    pub fn set_corner_rule(&mut self, rule: CornerRule) {
        self.corner_rule = rule;
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What entering `terrain` costs, or `None` where it is forbidden.
    pub fn cost(&self, terrain: TerrainId) -> Option<TerrainCost> {
        self.costs.get(terrain.0 as usize).copied().flatten()
    }

    /// Whether there is no terrain that it may enter.
    pub fn can_enter_nothing(&self) -> bool {
        self.costs.iter().all(Option::is_none)
    }

    /// The corner rule.
    pub fn corner_rule(&self) -> CornerRule {
        self.corner_rule
    }

    /// What going up and going down multiplies the entering cost by, if slopes make a difference to it.
    pub fn slopes(&self) -> Option<(u8, u8)> {
        self.slopes.map(|slopes| (slopes.uphill.get(), slopes.downhill.get()))
    }

    /// What crossing a fence multiplies the entering cost by; `None` where fences bar the way.
    pub fn fence_factor(&self) -> Option<u8> {
        self.fence_factor.map(NonZeroU8::get)
    }
    /// What a value of a layer is multiplied by to be added to the entering cost; `None` if the class does not mind it.
    pub fn influence(&self, layer: InfluenceId) -> Option<u8> {
        self.influences.get(&layer).copied().map(NonZeroU8::get)
    }

    /// The layers that the class minds and their weights, in order.
    pub fn influences(&self) -> impl Iterator<Item = (InfluenceId, u8)> {
        self.influences.iter().map(|(&layer, weight)| (layer, weight.get()))
    }
}
