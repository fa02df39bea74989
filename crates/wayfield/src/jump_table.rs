//! Prepared jumps: from which cells there is anything to find, along a line or along a ray.
//!
//! Jump point search looks at every cell of a ray along the two lines beside it, and hardly ever finds anything there.
//! Where it does is the same for every goal, but for the lines that the goal itself lies on: so it is found out once. A
//! mark a cell says which lines lead to something, and a bit for each cell and ray, in rows along the rays, where there
//! is something to find on a ray: a jump along it goes from bit to bit.
//!
//! After Harabor and Grastien, "Improving Jump Point Search" (ICAPS 2014), and Rabin, "JPS+: Over 100x Faster than A*" (Game
//! AI Pro 2, 2015). What differs from the papers: they keep how many steps it is to the next cell of interest. An edit in the
//! open changes that for the cells of all rays that cross its row and column; of marks and bits it changes those of the row and
//! the column only.

use crate::bit_rows::BitRows;
use crate::cost::Cost;
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::jump_stops::{JumpStops, LINES, lines_beside, onward, turns};
use crate::space::NodeId;
use crate::terrain::CornerRule;

/// The rays, in the order of their rows of bits: two in four directions, or else four.
const VERTICAL: [Direction; 2] = [Direction::North, Direction::South];
const HORIZONTAL: [Direction; 2] = [Direction::West, Direction::East];
const DIAGONAL: [Direction; 4] =
    [Direction::NorthWest, Direction::NorthEast, Direction::SouthWest, Direction::SouthEast];

/// Where there is something to find, whatever the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpTable {
    marks: Vec<Marks>,
    /// By ray, the cells where the ray ends, where a jump along it stops, or from where a line beside it leads to something.
    ///
    /// In rows by x of vertical rays, and by the number of the diagonal of others.
    rays: Vec<BitRows>,
    /// How many diagonals there are in a direction, but for those that share a row.
    diagonals: i32,
    /// Whether the map is not higher than wide.
    is_wide: bool,
    /// Whether the longest line of the map is no longer than any jump may be.
    has_short_lines: bool,
}

/// What jumps find at a cell: along which lines they get to something, and along which rays they stop here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks(u8);

/// Where the bit of a cell on a ray is: the row, and the place in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    row: i32,
    at: i32,
}

/// A map as jumps see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpGround<'a> {
    /// Which rays there are.
    pub rule: CornerRule,
    /// Width and height.
    pub size: GridSize,
    /// The entering costs, 0 for walls.
    pub entering: &'a [u8],
    /// The legal steps out of each cell.
    pub moves: &'a [DirectionSet],
    /// Where jumps stop.
    pub stops: &'a JumpStops,
}

impl Marks {
    const fn of_line(line: Direction) -> u8 {
        1 << line as u8
    }

    const fn of_ray(ray: Direction) -> u8 {
        1 << (LINES.len() + number(ray))
    }

    #[inline(always)]
    const fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    const fn with(self, mark: u8, is_set: bool) -> Self {
        Self(if is_set { self.0 | mark } else { self.0 & !mark })
    }
}

impl JumpTable {
    /// Looks at all cells. Time: linear in the cells.
    pub fn new(ground: JumpGround) -> Self {
        let (width, height) = (ground.size.width(), ground.size.height());
        let (longer, shorter) = (width.max(height), width.min(height));
        let rays = match ground.rule {
            CornerRule::Never => vec![BitRows::new(width, height); VERTICAL.len()],
            _ => vec![BitRows::new(longer, shorter); DIAGONAL.len()],
        };
        let mut table = Self {
            marks: vec![Marks::default(); ground.size.cells()],
            rays,
            diagonals: longer as i32,
            is_wide: width >= height,
            has_short_lines: longer <= longest_jump(u8::MAX),
        };
        let whole = ground.size.rect();
        for &line in lines_of(ground.rule) {
            for last in side_toward(whole, line).cells() {
                table.mark_up_to(ground, line, last);
            }
        }
        for cell in whole.cells() {
            table.mark_stops(ground, cell);
            table.mark_on_rays(ground, cell);
        }
        table
    }

    /// Catches up with an edit: `area` holds all cells where jumps may stop now or did, and all whose legal steps or entering
    /// costs may be others. Equal to a new table afterwards.
    ///
    /// Time: linear in the cells of the area, and in those that see something else along a line than before.
    pub fn refresh(&mut self, ground: JumpGround, area: CellRect) {
        let Some(area) = area.intersection(ground.size.rect()) else { return };
        for cell in area.cells() {
            let Some(node) = ground.size.index(cell) else { continue };
            for &line in lines_of(ground.rule) {
                let marks = &mut self.marks[node as usize];
                *marks = marks.with(Marks::of_line(line), ground.leads_to_something(line, cell));
            }
            self.mark_stops(ground, cell);
            self.mark_on_rays(ground, cell);
        }
        for &line in lines_of(ground.rule) {
            for cell in side_toward(area, line.opposite()).cells() {
                self.mark_behind(ground, line, cell);
            }
        }
    }

    /// How many steps a jump over ground of a cost may have; [`i32::MAX`] if no line of the map is that long.
    #[inline(always)]
    pub fn longest_jump(&self, entering: u8) -> u32 {
        if self.has_short_lines { i32::MAX as u32 } else { longest_jump(entering) }
    }

    /// Whether a jump along a line gets to something, or to as far as jumps may be.
    #[inline(always)]
    pub fn leads_to_something(&self, node: NodeId, line: Direction) -> bool {
        self.marks[node as usize].has(Marks::of_line(line))
    }

    /// Whether a jump along a ray stops at a node, though the ray may go on.
    #[inline(always)]
    pub fn stops(&self, node: NodeId, ray: Direction) -> bool {
        self.marks[node as usize].has(Marks::of_ray(ray))
    }

    /// How many steps it is along a ray, from a place on it, to the next cell where there is something to find, or the ray ends.
    /// One step must be legal.
    #[inline(always)]
    pub fn steps(&self, ray: Direction, place: Place) -> u32 {
        let (bits, Place { row, at }) = (&self.rays[number(ray)], place);
        let steps = if self.is_ascending(ray) { bits.next(row, at) - at } else { at - bits.previous(row, at) };
        steps as u32
    }

    /// The place so many steps on along a ray.
    #[inline(always)]
    pub fn place_after(&self, ray: Direction, Place { row, at }: Place, steps: u32) -> Place {
        Place { row, at: if self.is_ascending(ray) { at + steps as i32 } else { at - steps as i32 } }
    }

    /// Marks all cells from which a jump along a line may come to the last cell of the line.
    fn mark_up_to(&mut self, ground: JumpGround, line: Direction, last: Cell) {
        let (mark, mut cell, mut is_open) = (Marks::of_line(line), last, false);
        while let Some(node) = ground.size.index(cell) {
            let leads = if self.has_short_lines { is_open } else { ground.leads_to_something(line, cell) };
            let marks = &mut self.marks[node as usize];
            *marks = marks.with(mark, leads);
            if ground.stops.is_stop(line, cell.x, cell.y) {
                is_open = ground.entering[node as usize] != 0;
            }
            cell = cell.step(line.opposite());
        }
    }

    /// Marks the cells from which a jump along a line comes by a cell: those behind it, until jumps stop.
    fn mark_behind(&mut self, ground: JumpGround, line: Direction, cell: Cell) {
        let mut behind = cell.step(line.opposite());
        let Some(node) = ground.size.index(behind) else { return };
        let (mark, is_set) = (Marks::of_line(line), ground.leads_to_something(line, behind));
        // They all see the same, unless it is farther away than a jump may be.
        if self.has_short_lines && self.marks[node as usize].has(mark) == is_set {
            return;
        }
        for _ in 0..ground.stops.steps_from_stop(line, cell.x, cell.y) {
            let Some(node) = ground.size.index(behind) else { return };
            let is_set = if self.has_short_lines { is_set } else { ground.leads_to_something(line, behind) };
            let marks = &mut self.marks[node as usize];
            *marks = marks.with(mark, is_set);
            self.mark_on_rays(ground, behind);
            behind = behind.step(line.opposite());
        }
    }

    /// Marks along which rays jumps stop at a cell.
    fn mark_stops(&mut self, ground: JumpGround, cell: Cell) {
        let Some(node) = ground.size.index(cell) else { return };
        let moves = ground.moves[node as usize];
        let is_mixed = ground.stops.is_mixed(cell.x, cell.y);
        let stops = if is_mixed { ALL_RAYS } else { STOPS[ground.rule as usize][usize::from(moves.bits())] };
        let marks = &mut self.marks[node as usize];
        *marks = Marks(marks.0 & ALL_LINES | stops << LINES.len());
    }

    /// Makes the bits of a cell on its rays those that follow from its marks.
    #[inline]
    fn mark_on_rays(&mut self, ground: JumpGround, cell: Cell) {
        let Some(node) = ground.size.index(cell) else { return };
        let (Marks(marks), moves) = (self.marks[node as usize], ground.moves[node as usize]);
        let beside = BESIDE[ground.rule as usize][usize::from(marks & ALL_LINES)];
        let found = beside | marks >> LINES.len();
        // By constant rays, so that the compiler knows where their places are.
        match ground.rule {
            CornerRule::Never => VERTICAL.into_iter().for_each(|ray| self.mark_on_ray(ray, cell, found, moves)),
            _ => DIAGONAL.into_iter().for_each(|ray| self.mark_on_ray(ray, cell, found, moves)),
        }
    }

    /// Makes the bit of a cell on a ray say whether there is something to find, by a bit for each ray, or the ray ends.
    #[inline(always)]
    fn mark_on_ray(&mut self, ray: Direction, cell: Cell, found: u8, moves: DirectionSet) {
        let Place { row, at } = self.place(ray, cell);
        self.rays[number(ray)].put(row, at, found >> number(ray) & 1 == 1 || !moves.contains(ray));
    }

    /// Where the bit of a cell on a ray is.
    #[inline(always)]
    pub fn place(&self, ray: Direction, cell: Cell) -> Place {
        let Cell { x, y } = cell;
        if !ray.is_diagonal() {
            return Place { row: x, at: y };
        }
        let (long, short) = if self.is_wide { (x, y) } else { (y, x) };
        // Of two diagonals that share a row, one ends at the edge of the map where the other one begins. No jump leads from
        // one into the other: at the edge every ray ends.
        let row = match ray {
            Direction::NorthWest | Direction::SouthEast if long < short => long - short + self.diagonals,
            Direction::NorthWest | Direction::SouthEast => long - short,
            _ if long + short >= self.diagonals => long + short - self.diagonals,
            _ => long + short,
        };
        Place { row, at: short }
    }

    /// Whether places ascend along a ray.
    #[inline(always)]
    const fn is_ascending(&self, ray: Direction) -> bool {
        let (dx, dy) = ray.delta();
        if dx == 0 || self.is_wide { dy > 0 } else { dx > 0 }
    }
}

impl JumpGround<'_> {
    /// Whether a jump along a line gets to something else than a wall or the edge, or to as far as jumps may be.
    fn leads_to_something(&self, line: Direction, cell: Cell) -> bool {
        let longest = longest_jump(self.entering(cell.step(line)));
        let steps = self.stops.steps_to_stop(line, cell.x, cell.y);
        self.entering(walked(cell, line, steps.min(longest as i32))) != 0
    }

    fn entering(&self, cell: Cell) -> u8 {
        self.size.index(cell).map_or(0, |node| self.entering[node as usize])
    }
}

/// The cell so many steps away.
const fn walked(cell: Cell, line: Direction, steps: i32) -> Cell {
    let (dx, dy) = line.delta();
    Cell::new(cell.x + dx * steps, cell.y + dy * steps)
}

/// Whether walls stop a jump at a cell of a ray from which these steps are legal.
#[inline]
pub(crate) const fn stops_ray(rule: CornerRule, ray: Direction, moves: DirectionSet) -> bool {
    // What is beside the cell before it forces no ray to turn.
    turns(rule, ray, onward(rule, ray, moves, DirectionSet::ALL))
}

/// How many steps a jump may have along a ray, and again along a line, for its cost to be representable.
#[inline]
pub(crate) fn longest_jump(entering: u8) -> u32 {
    u32::MAX / 2 / Cost::DIAGONAL.raw() / u32::from(entering.max(1))
}

/// The rays under a corner rule, in the order of their numbers.
const fn rays_of(rule: CornerRule) -> &'static [Direction] {
    if matches!(rule, CornerRule::Never) { &VERTICAL } else { &DIAGONAL }
}

/// The directions of lines under a corner rule.
const fn lines_of(rule: CornerRule) -> &'static [Direction] {
    if matches!(rule, CornerRule::Never) { &HORIZONTAL } else { &LINES }
}

/// The marks of all lines.
const ALL_LINES: u8 = (1 << LINES.len()) - 1;
/// A bit for each ray.
const ALL_RAYS: u8 = (1 << DIAGONAL.len()) - 1;

/// Along which rays walls stop jumps at a cell, a bit for each, by rule and by the legal steps out of the cell.
static STOPS: [[u8; 256]; CornerRule::ALL.len()] = {
    let mut table = [[0; 256]; CornerRule::ALL.len()];
    let mut place = 0;
    while place < table.len() * 256 {
        let (rule, bits) = (CornerRule::ALL[place / 256], place % 256);
        let mut rays = rays_of(rule);
        while let [ray, others @ ..] = rays {
            if stops_ray(rule, *ray, DirectionSet::from_bits(bits as u8)) {
                table[rule as usize][bits] |= 1 << number(*ray);
            }
            rays = others;
        }
        place += 1;
    }
    table
};

/// Beside which rays one of the marked lines lies, a bit for each, by rule and by the marks of lines.
static BESIDE: [[u8; 1 << LINES.len()]; CornerRule::ALL.len()] = {
    let mut table = [[0; 1 << LINES.len()]; CornerRule::ALL.len()];
    let mut place = 0;
    while place < table.len() << LINES.len() {
        let (rule, marks) = (CornerRule::ALL[place >> LINES.len()], (place as u8) & ALL_LINES);
        let mut rays = rays_of(rule);
        while let [ray, others @ ..] = rays {
            if let Some((one, other)) = lines_beside(rule, *ray)
                && Marks(marks).has(Marks::of_line(one) | Marks::of_line(other))
            {
                table[rule as usize][marks as usize] |= 1 << number(*ray);
            }
            rays = others;
        }
        place += 1;
    }
    table
};

/// The number of a ray among those of its corner rule.
#[inline(always)]
const fn number(ray: Direction) -> usize {
    ray as usize - if ray.is_diagonal() { DIAGONAL[0] as usize } else { VERTICAL[0] as usize }
}

/// The cells of an area on one of its four sides.
fn side_toward(area: CellRect, side: Direction) -> CellRect {
    let CellRect { min, max } = area;
    let (min, max) = match side {
        Direction::North => (min, Cell::new(max.x, min.y)),
        Direction::South => (Cell::new(min.x, max.y), max),
        Direction::West => (min, Cell::new(min.x, max.y)),
        _ => (Cell::new(max.x, min.y), max),
    };
    CellRect { min, max }
}
