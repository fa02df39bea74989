//! Which ways a jump goes on, and where it stops.
//!
//! Among equally cheap ways round an open rectangle, jump point search walks only the one that turns last: with
//! diagonal steps first, or, in four directions, with vertical steps first. Such a way goes along *rays*, and from
//! any cell of a ray it may turn into a *line*:
//!
//! | corner rule | rays | lines |
//! |---|---|---|
//! | `Never` | vertical | horizontal |
//! | the others | diagonal | straight |
//!
//! What is pruned follows from the 3 x 3 cells around a cell x that is entered from p: the step from x to n is
//! not needed if there is a way from p to n past x, within the nine cells, that is cheaper, or as cheap with the step of
//! its ray first. Where the passable cells among the nine all cost the same, walls alone decide
//! ([`onward`]); where they do not, the cell is *mixed* and every jump stops there.
//!
//! Why nothing is lost: of the cheapest ways to the goal take the one that, read backwards from the goal, has its
//! steps along lines as early as can be. Had one of its steps x to n been pruned for any p that x is reached from
//! at the least cost, the way over p and past x would be cheaper, or as cheap and enter n along a line instead of
//! a ray: there is no such way. So it does not matter which of several equally cheap arrivals a search remembers.

use crate::bit_rows::{BitRows, Stretch};
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::terrain::CornerRule;

/// The directions of lines, which are scanned by words, in the order of their numbers.
pub(crate) const LINES: [Direction; 4] = [Direction::North, Direction::South, Direction::West, Direction::East];

/// Where jumps stop: five bits a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpStops {
    /// Where a jump along a line stops, by its direction: at walls, at mixed cells, and where it could turn.
    /// Columns for north and south, rows for west and east.
    lines: [BitRows; 4],
    /// The mixed cells.
    mixed: BitRows,
    /// How many cells are mixed.
    mixed_cells: usize,
    /// How many bits of `lines` are set: four for each wall and each mixed cell, and one wherever a jump could turn.
    line_stops: usize,
}

impl JumpStops {
    /// Stops everywhere; [`JumpStops::update`] clears those that are none.
    pub fn new(size: GridSize) -> Self {
        let columns = BitRows::new(size.width(), size.height());
        let rows = BitRows::new(size.height(), size.width());
        let lines = [columns.clone(), columns, rows.clone(), rows.clone()];
        Self { lines, mixed: rows, mixed_cells: size.cells(), line_stops: LINES.len() * size.cells() }
    }

    /// Looks at an area of the map anew. Whatever lies within one step of an edit needs it.
    ///
    /// `entering` has the entering costs, 0 for walls, and `moves` the legal steps out of each cell.
    pub fn update(
        &mut self,
        area: CellRect,
        rule: CornerRule,
        size: GridSize,
        entering: &[u8],
        moves: &[DirectionSet],
    ) {
        // By constant rules, so that the compiler knows what each of them asks of a cell.
        match rule {
            CornerRule::Never => self.update_under(CornerRule::Never, area, size, entering, moves),
            CornerRule::Always => self.update_under(CornerRule::Always, area, size, entering, moves),
            CornerRule::AtLeastOneFree => self.update_under(CornerRule::AtLeastOneFree, area, size, entering, moves),
            CornerRule::BothFree => self.update_under(CornerRule::BothFree, area, size, entering, moves),
        }
    }

    #[inline(always)]
    fn update_under(
        &mut self,
        rule: CornerRule,
        area: CellRect,
        size: GridSize,
        entering: &[u8],
        moves: &[DirectionSet],
    ) {
        let Some(area) = area.intersection(size.rect()) else { return };
        for rows in Stretch::between(area.min.y, area.max.y) {
            for columns in Stretch::between(area.min.x, area.max.x) {
                self.update_tile(rule, (rows, columns), size, entering, moves);
            }
        }
    }

    /// Looks anew at cells whose bits lie in one word of each row and of each column.
    #[inline(always)]
    fn update_tile(
        &mut self,
        rule: CornerRule,
        (rows, columns): (Stretch, Stretch),
        size: GridSize,
        entering: &[u8],
        moves: &[DirectionSet],
    ) {
        let mut bits = [[0_u64; 64]; LINES.len()];
        for y in rows.first..=rows.last {
            let row = y as u32 * size.width();
            let open = bits_where(columns, |x| entering[(row + x as u32) as usize] != 0);
            let mixed = unequal_costs(columns, y, size, entering) & open;
            let (before, after) = self.mixed.set_stretch(y, columns, mixed);
            self.mixed_cells = self.mixed_cells - before as usize + after as usize;
            let stops_all = mixed | !open;
            let at_y = (y - rows.lowest) as usize;
            for x in columns.first..=columns.last {
                let at_x = (x - columns.lowest) as usize;
                let stops = stops_all >> at_x & 1 == 1;
                let here = moves[(row + x as u32) as usize];
                for line in LINES {
                    let behind = size.index(Cell::new(x, y).step(line.opposite()));
                    // No jump comes from beyond the border: as if there were no walls.
                    let behind = behind.map_or(DirectionSet::ALL, |behind| moves[behind as usize]);
                    let stops = stops || turns(rule, line, onward(rule, line, here, behind));
                    let (row, at) = along(line, at_x, at_y);
                    bits[line as usize][row] |= u64::from(stops) << at;
                }
            }
        }
        for line in LINES {
            let (rows, stretch) = along(line, columns, rows);
            for row in rows.first..=rows.last {
                let word = bits[line as usize][(row - rows.lowest) as usize];
                let (before, after) = self.lines[line as usize].set_stretch(row, stretch, word);
                self.line_stops = self.line_stops - before as usize + after as usize;
            }
        }
    }

    /// Which cells are mixed: a bit for each node.
    pub fn mixed_by_node(&self, size: GridSize) -> Vec<u64> {
        self.mixed.joined(size.width())
    }

    /// How many cells are mixed.
    pub fn mixed_cells(&self) -> usize {
        self.mixed_cells
    }

    /// In how many places, each a cell and one of the four straight directions, a jump stops, walls included.
    pub fn line_stops(&self) -> usize {
        self.line_stops
    }

    /// Makes every jump stop at a cell and look at all that its neighbourhood allows, as at a mixed one.
    pub fn stop_at(&mut self, cell: Cell) {
        self.mixed_cells += usize::from(self.mixed.set(cell.y, cell.x));
        for line in LINES {
            let (row, at) = along(line, cell.x, cell.y);
            self.line_stops += usize::from(self.lines[line as usize].set(row, at));
        }
    }

    /// Whether the passable cells among a passable cell and its neighbours have different costs, or jumps must stop for another reason.
    #[inline]
    pub fn is_mixed(&self, x: i32, y: i32) -> bool {
        self.mixed.get(y, x)
    }

    /// Whether a jump in a straight direction stops at a cell; it does at a wall.
    #[inline]
    pub fn is_stop(&self, line: Direction, x: i32, y: i32) -> bool {
        let (row, at) = along(line, x, y);
        self.lines[line as usize].get(row, at)
    }

    /// How many steps in a straight direction it is to the first stop, the cell itself not counted;
    /// the stop may be a wall or the cell beyond the edge.
    #[inline]
    pub fn steps_to_stop(&self, line: Direction, x: i32, y: i32) -> i32 {
        self.steps_to_stop_of(line, line, x, y)
    }

    /// How many steps it is, against a straight direction, from a cell back to the last stop of jumps in that direction.
    pub fn steps_from_stop(&self, line: Direction, x: i32, y: i32) -> i32 {
        self.steps_to_stop_of(line, line.opposite(), x, y)
    }

    /// How many steps it is one way or the other to the first stop of jumps in a straight direction.
    #[inline]
    fn steps_to_stop_of(&self, line: Direction, way: Direction, x: i32, y: i32) -> i32 {
        let (row, at) = along(line, x, y);
        let bits = &self.lines[line as usize];
        if matches!(way, Direction::North | Direction::West) {
            at - bits.previous(row, at)
        } else {
            bits.next(row, at) - at
        }
    }
}

/// The row of bits that something lies in as seen by a line, and the place in it.
#[inline]
fn along<T>(line: Direction, x: T, y: T) -> (T, T) {
    if matches!(line, Direction::North | Direction::South) { (x, y) } else { (y, x) }
}

/// A word with the bits of the places set that a condition holds for.
#[inline]
fn bits_where(stretch: Stretch, mut holds: impl FnMut(i32) -> bool) -> u64 {
    let places = stretch.first..=stretch.last;
    places.fold(0, |bits, place| bits | u64::from(holds(place)) << (place - stretch.lowest))
}

/// The places of a row where two passable cells among a cell and its neighbours have different costs.
#[inline]
fn unequal_costs(columns: Stretch, y: i32, size: GridSize, entering: &[u8]) -> u64 {
    // By column, from one to the left on: the least and the greatest cost of the three rows. Walls are none of either,
    // as the least is kept less 1, which wraps for their 0.
    let (mut least, mut greatest) = ([u8::MAX; 66], [0_u8; 66]);
    let from = (columns.first - 1).max(0);
    let to = (columns.last + 1).min(size.width() as i32 - 1);
    let first = (from - columns.lowest + 1) as usize;
    for y in (y - 1).max(0)..=(y + 1).min(size.height() as i32 - 1) {
        let row = y as usize * size.width() as usize;
        let costs = &entering[row + from as usize..=row + to as usize];
        for ((least, greatest), &cost) in least[first..].iter_mut().zip(&mut greatest[first..]).zip(costs) {
            *least = (*least).min(cost.wrapping_sub(1));
            *greatest = (*greatest).max(cost);
        }
    }
    bits_where(columns, |x| {
        let at = (x - columns.lowest) as usize;
        let least = least[at].min(least[at + 1]).min(least[at + 2]);
        let greatest = greatest[at].max(greatest[at + 1]).max(greatest[at + 2]);
        least.saturating_add(1) < greatest
    })
}

/// The lines that a jump along a ray looks along at every cell; `None` if the direction is not a ray's.
#[inline]
pub(crate) const fn lines_beside(rule: CornerRule, ray: Direction) -> Option<(Direction, Direction)> {
    match (rule, ray) {
        (CornerRule::Never, Direction::North | Direction::South) => Some((Direction::West, Direction::East)),
        _ => ray.sides(),
    }
}

/// The ways that go on from a cell, not mixed, which is entered in direction `arrival`.
///
/// `here` are the legal steps out of the cell, `behind` those out of the cell that it is entered from.
#[inline]
pub(crate) const fn onward(
    rule: CornerRule,
    arrival: Direction,
    here: DirectionSet,
    behind: DirectionSet,
) -> DirectionSet {
    let is_ray = lines_beside(rule, arrival).is_some();
    let mut ways = natural(rule, arrival);
    let corners = corners(arrival);
    let mut index = 0;
    while index < corners.len() {
        let Corner { side, past, .. } = corners[index];
        match rule {
            // A ray is never forced to turn: it may turn anyway, or there is no wall beside it.
            CornerRule::Never | CornerRule::BothFree if is_ray => {}
            // The other way would go through a wall beside p.
            CornerRule::Never | CornerRule::BothFree if !behind.contains(side) => ways = ways.with(side).with(past),
            CornerRule::Never | CornerRule::BothFree => {}
            // The other way would go through a wall beside x.
            CornerRule::Always | CornerRule::AtLeastOneFree if !here.contains(side) => ways = ways.with(past),
            CornerRule::Always | CornerRule::AtLeastOneFree => {}
        }
        index += 1;
    }
    ways.intersection(here)
}

/// Whether walls force ways on a jump that a cell without walls around it would not have.
#[inline]
pub(crate) const fn turns(rule: CornerRule, arrival: Direction, ways: DirectionSet) -> bool {
    ways.intersection(natural(rule, arrival)).bits() != ways.bits()
}

/// The ways out of a cell, mixed or not, that may be part of a cheapest way.
///
/// To all others there is a straight step from the cell behind, which is cheaper than the way round.
#[inline]
const fn ahead(arrival: Direction) -> DirectionSet {
    let (one, other) = arrival.beside();
    let front = DirectionSet::EMPTY.with(arrival).with(one).with(other);
    let [left, right] = corners(arrival);
    if arrival.is_diagonal() { front.with(left.past).with(right.past) } else { front.with(left.side).with(right.side) }
}

/// [`ahead`] by arrival.
pub(crate) static AHEAD: [DirectionSet; Direction::ALL.len()] = {
    let mut table = [DirectionSet::EMPTY; Direction::ALL.len()];
    let mut arrival = 0;
    while arrival < table.len() {
        table[arrival] = ahead(Direction::ALL[arrival]);
        arrival += 1;
    }
    table
};

/// The ways that go on from a cell without walls around it.
#[inline]
const fn natural(rule: CornerRule, arrival: Direction) -> DirectionSet {
    let ways = DirectionSet::EMPTY.with(arrival);
    match lines_beside(rule, arrival) {
        Some((one, other)) => ways.with(one).with(other),
        None => ways,
    }
}

/// A cell beside a cell x that is entered from p, round which another way may lead from p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// Where it lies, as seen from x.
    pub side: Direction,
    /// The diagonal past it, as seen from x.
    pub past: Direction,
    /// The straight direction past it: of the arrival, or the part of the arrival that leads from p to it.
    pub along: Direction,
}

/// The two corners of an arrival.
#[inline]
pub(crate) const fn corners(arrival: Direction) -> [Corner; 2] {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    const fn corner(side: Direction, past: Direction, along: Direction) -> Corner {
        Corner { side, past, along }
    }
    match arrival {
        North => [corner(West, NorthWest, North), corner(East, NorthEast, North)],
        South => [corner(West, SouthWest, South), corner(East, SouthEast, South)],
        West => [corner(North, NorthWest, West), corner(South, SouthWest, West)],
        East => [corner(North, NorthEast, East), corner(South, SouthEast, East)],
        NorthWest => [corner(East, NorthEast, North), corner(South, SouthWest, West)],
        NorthEast => [corner(West, NorthWest, North), corner(South, SouthEast, East)],
        SouthWest => [corner(East, SouthEast, South), corner(North, NorthWest, West)],
        SouthEast => [corner(West, SouthWest, South), corner(North, NorthEast, East)],
    }
}
