//! The choice of algorithm, and the names of all choices.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::heuristic::Heuristic;
use crate::replan::ReplanMethod;
use crate::search::{Order, Tie, UNIT_WEIGHT};
use crate::terrain::CornerRule;

/// How a path is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Algorithm {
    /// Whichever optimal algorithm suits map and class best: jump points, or A* where jumps would stop at every
    /// other cell. The answer says which one ran. A* runs in [`Order::Bucketed`] then, whatever the [`Tie`]: where there are
    /// several cheapest paths it may find another one than A* asked for by its name.
    #[default]
    Auto,
    /// Breadth-first search: fewest steps, whatever they cost.
    Bfs,
    /// Depth-first search: some path.
    Dfs,
    /// Dijkstra's algorithm (1959): the cheapest path, in all directions at once.
    Dijkstra,
    /// Greedy best-first search: few expansions, no promise about the cost.
    Greedy,
    /// A* (Hart, Nilsson, Raphael 1968): the cheapest path, toward the goal.
    AStar,
    /// Weighted A* (Pohl 1970): at most `weight` times the cheapest cost, with fewer expansions.
    WeightedAStar,
    /// Breadth-first search from both ends: fewest steps, whatever they cost.
    BidirectionalBfs,
    /// Dijkstra's algorithm from both ends (Nicholson 1966): the cheapest path.
    BidirectionalDijkstra,
    /// A* from both ends (Pohl 1971): the cheapest path.
    BidirectionalAStar,
    /// A* over jump points (Harabor and Grastien 2011), on weighted terrain, too: the cheapest path, with few expansions.
    Jps,
    /// HPA* (Botea, Müller and Schaeffer 2004): a path that seldom costs much more than the cheapest one (on game maps
    /// 1 % at most on average, more where dear terrain is strewn cell by cell), with few expansions on large maps. The grid must have its [hierarchy](crate::CostGrid::build_hierarchy) built; otherwise A* runs.
    HpaStar,
    /// LPA* (Koenig, Likhachev and Furcy 2004): the cheapest path. Pays where a path is kept up to date: see [`Replanner`](crate::Replanner).
    LpaStar,
    /// D* Lite (Koenig and Likhachev 2002): the cheapest path, searched from the goal. Pays as LPA* does.
    DStarLite,
}

/// What an algorithm promises of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// The cheapest path, given an admissible heuristic.
    pub optimal: bool,
    /// The costs of terrain count. Without it a path costs what it costs.
    pub weighted: bool,
    /// Ways over [links](crate::Link) are found.
    pub links: bool,
    /// Paths are legal for units of [n x n cells](crate::CostGrid::for_units).
    pub sizes: bool,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 14] = [
        Self::Auto,
        Self::Bfs,
        Self::Dfs,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::BidirectionalBfs,
        Self::BidirectionalDijkstra,
        Self::BidirectionalAStar,
        Self::Jps,
        Self::HpaStar,
        Self::LpaStar,
        Self::DStarLite,
    ];

    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bfs => "bfs",
            Self::Dfs => "dfs",
            Self::Dijkstra => "dijkstra",
            Self::Greedy => "greedy",
            Self::AStar => "a_star",
            Self::WeightedAStar => "weighted_a_star",
            Self::BidirectionalBfs => "bidirectional_bfs",
            Self::BidirectionalDijkstra => "bidirectional_dijkstra",
            Self::BidirectionalAStar => "bidirectional_a_star",
            Self::Jps => "jps",
            Self::HpaStar => "hpa_star",
            Self::LpaStar => "lpa_star",
            Self::DStarLite => "d_star_lite",
        }
    }

    /// Whether it promises the cheapest path, given an admissible heuristic.
    pub const fn is_optimal(self) -> bool {
        matches!(
            self,
            Self::Auto
                | Self::Dijkstra
                | Self::AStar
                | Self::BidirectionalDijkstra
                | Self::BidirectionalAStar
                | Self::Jps
                | Self::LpaStar
                | Self::DStarLite
        )
    }

    /// What it promises of its paths.
    pub const fn promises(self) -> Promises {
        let blind = matches!(self, Self::Bfs | Self::Dfs | Self::Greedy | Self::BidirectionalBfs);
        Promises { optimal: self.is_optimal(), weighted: !blind, links: true, sizes: true }
    }

    /// Whether the heuristic makes a difference to it. LPA* and D* Lite always take the best admissible one.
    pub const fn uses_heuristic(self) -> bool {
        matches!(
            self,
            Self::Auto
                | Self::Greedy
                | Self::AStar
                | Self::WeightedAStar
                | Self::BidirectionalAStar
                | Self::Jps
                | Self::HpaStar
        )
    }

    /// Whether it searches from the goal, too.
    pub const fn is_bidirectional(self) -> bool {
        matches!(self, Self::BidirectionalBfs | Self::BidirectionalDijkstra | Self::BidirectionalAStar)
    }

    /// The method of the replanner that it is, if it is one.
    pub const fn replan_method(self) -> Option<ReplanMethod> {
        match self {
            Self::LpaStar => Some(ReplanMethod::LpaStar),
            Self::DStarLite => Some(ReplanMethod::DStarLite),
            _ => None,
        }
    }

    /// Its sibling that searches cell by cell from the start only: what runs where there is no single goal.
    #[must_use]
    pub const fn from_the_start_only(self) -> Self {
        match self {
            Self::BidirectionalBfs => Self::Bfs,
            Self::BidirectionalDijkstra => Self::Dijkstra,
            Self::Auto | Self::BidirectionalAStar | Self::Jps | Self::HpaStar | Self::LpaStar | Self::DStarLite => {
                Self::AStar
            }
            other => other,
        }
    }

    /// The order in which the engine expands nodes for it; of a bidirectional one, on each side. LPA* and D* Lite have
    /// an engine and an order of their own, which on the first search is about that of A*.
    pub const fn order(self, weight: Weight, tie: Tie) -> Order {
        match self {
            Self::Bfs | Self::BidirectionalBfs => Order::Fifo,
            Self::Dfs => Order::Lifo,
            Self::Dijkstra | Self::BidirectionalDijkstra => Order::DIJKSTRA,
            Self::Greedy => Order::GREEDY,
            Self::Auto
            | Self::AStar
            | Self::BidirectionalAStar
            | Self::Jps
            | Self::HpaStar
            | Self::LpaStar
            | Self::DStarLite => Order::a_star(tie),
            Self::WeightedAStar => Order::BestFirst { g_weight: UNIT_WEIGHT, h_weight: weight.0, tie, reopen: false },
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is none of the choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} \"{name}\"; known are {known}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
}

impl UnknownName {
    pub(crate) fn find<T: Copy>(
        what: &'static str,
        name: &str,
        all: &[T],
        name_of: fn(T) -> &'static str,
    ) -> Result<T, Self> {
        all.iter().copied().find(|&choice| name_of(choice) == name).ok_or_else(|| Self {
            what,
            name: name.to_owned(),
            known: all.iter().copied().map(name_of).collect::<Vec<_>>().join(", "),
        })
    }
}

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find("algorithm", name, &Self::ALL, Self::name)
    }
}

impl FromStr for Heuristic {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find("heuristic", name, &Self::ALL, Self::name)
    }
}

impl FromStr for CornerRule {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find("corner rule", name, &Self::ALL, Self::name)
    }
}

/// The weight of the estimate in weighted A*: from 1 to [`Weight::MAX`], kept in 1/1024ths.
///
/// ```
/// use wayfield::Weight;
/// assert_eq!(Weight::new(1.5).unwrap().get(), 1.5);
/// assert!(Weight::new(0.9).is_err());
/// assert!(Weight::new(f64::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(opaque, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct Weight(u32);

/// A weight below 1, above [`Weight::MAX`], or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a weight is a number from 1 to {max}, not {0}", max = Weight::MAX)]
pub struct WeightError(pub f64);

impl Weight {
    /// No extra weight: weighted A* is A*.
    pub const ONE: Self = Self(UNIT_WEIGHT);
    /// The usual one, 1.5: a good deal fewer expansions for a few percent of cost.
    pub const DEFAULT: Self = Self(UNIT_WEIGHT * 3 / 2);
    /// The largest weight.
    pub const MAX: f64 = 1000.0;

    /// A weight, rounded to the nearest 1/1024th.
    ///
    /// # Errors
    /// If it is below 1, above [`Weight::MAX`], or not a number.
    pub fn new(weight: f64) -> Result<Self, WeightError> {
        if (1.0..=Self::MAX).contains(&weight) {
            Ok(Self((weight * f64::from(UNIT_WEIGHT)).round() as u32))
        } else {
            Err(WeightError(weight))
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(UNIT_WEIGHT)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<f64> for Weight {
    type Error = WeightError;

    fn try_from(weight: f64) -> Result<Self, WeightError> {
        Self::new(weight)
    }
}

impl From<Weight> for f64 {
    fn from(weight: Weight) -> Self {
        weight.get()
    }
}
