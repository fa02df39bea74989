//! The eight directions and sets of them.

/// A step to a neighbouring cell. The order of the variants is the order of every neighbour loop.
///
/// ```
/// use wayfield::Direction;
/// assert_eq!(Direction::NorthEast.delta(), (1, -1));
/// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
/// assert!(Direction::NorthEast.is_diagonal());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Direction {
    /// Up: y - 1.
    North,
    /// Down: y + 1.
    South,
    /// Left: x - 1.
    West,
    /// Right: x + 1.
    East,
    /// Up and left.
    NorthWest,
    /// Up and right.
    NorthEast,
    /// Down and left.
    SouthWest,
    /// Down and right.
    SouthEast,
}

impl Direction {
    /// All eight, in order.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::South,
        Self::West,
        Self::East,
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// The change in (x, y); y grows down.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::East => (1, 0),
            Self::NorthWest => (-1, -1),
            Self::NorthEast => (1, -1),
            Self::SouthWest => (-1, 1),
            Self::SouthEast => (1, 1),
        }
    }

    /// The direction with this change in (x, y), if it is one of the eight.
    #[inline]
    pub const fn from_delta(dx: i32, dy: i32) -> Option<Self> {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        const BY_DELTA: [[Option<Direction>; 3]; 3] = [
            [Some(NorthWest), Some(North), Some(NorthEast)],
            [Some(West), None, Some(East)],
            [Some(SouthWest), Some(South), Some(SouthEast)],
        ];
        // What is less than -1 becomes a huge number.
        let (column, row) = (dx.wrapping_add(1) as u32 as usize, dy.wrapping_add(1) as u32 as usize);
        if column < 3 && row < 3 { BY_DELTA[row][column] } else { None }
    }

    /// Whether both coordinates change.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Self::NorthWest as u8
    }

    /// The way back.
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::East => Self::West,
            Self::NorthWest => Self::SouthEast,
            Self::NorthEast => Self::SouthWest,
            Self::SouthWest => Self::NorthEast,
            Self::SouthEast => Self::NorthWest,
        }
    }

    /// The directions an eighth of a turn away to either side.
    pub const fn beside(self) -> (Self, Self) {
        match self {
            Self::North => (Self::NorthWest, Self::NorthEast),
            Self::South => (Self::SouthWest, Self::SouthEast),
            Self::West => (Self::NorthWest, Self::SouthWest),
            Self::East => (Self::NorthEast, Self::SouthEast),
            Self::NorthWest => (Self::North, Self::West),
            Self::NorthEast => (Self::North, Self::East),
            Self::SouthWest => (Self::South, Self::West),
            Self::SouthEast => (Self::South, Self::East),
        }
    }

    /// For a diagonal, the two straight directions it is made of; their cells are its side cells.
    pub const fn sides(self) -> Option<(Self, Self)> {
        if self.is_diagonal() { Some(self.beside()) } else { None }
    }
}

/// A set of directions in one byte; iterates in the order of [`Direction::ALL`].
///
/// ```
/// use wayfield::{Direction, DirectionSet};
/// let set = DirectionSet::EMPTY.with(Direction::East).with(Direction::North);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Direction::North, Direction::East]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DirectionSet(u8);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: Self = Self(0);
    /// Every direction.
    pub const ALL: Self = Self(u8::MAX);

    /// This set and `direction`.
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << direction as u8)
    }

    /// This set, without `direction` if `leave_out` is true.
    #[must_use]
    pub const fn without_if(self, direction: Direction, leave_out: bool) -> Self {
        Self(self.0 & !((leave_out as u8) << direction as u8))
    }

    /// The set with these bits, the lowest for the first direction.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// A bit for each direction, the lowest for the first one.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The directions that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether `direction` is in the set.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & 1 << direction as u8 != 0
    }

    /// Whether the set has no direction.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The directions in order.
    pub const fn iter(self) -> DirectionIter {
        DirectionIter(self.0)
    }
}

impl IntoIterator for DirectionSet {
    type Item = Direction;
    type IntoIter = DirectionIter;

    fn into_iter(self) -> DirectionIter {
        self.iter()
    }
}

/// Iterates over a [`DirectionSet`] in order.
#[derive(Clone, Debug)]
pub struct DirectionIter(u8);

impl Iterator for DirectionIter {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        // Spelt out, since the compiler sees that this is the number itself, and reads no table in the loop of every search.
        let direction = match self.0.trailing_zeros() {
            0 => Direction::North,
            1 => Direction::South,
            2 => Direction::West,
            3 => Direction::East,
            4 => Direction::NorthWest,
            5 => Direction::NorthEast,
            6 => Direction::SouthWest,
            // A byte that is not empty has at most seven trailing zeros.
            _ => Direction::SouthEast,
        };
        self.0 &= self.0 - 1;
        Some(direction)
    }
}
