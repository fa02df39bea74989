//! Prepared jumps along rays: at which cells of a ray there is anything to find.
//!
//! Jump point search looks at every cell of a ray along the two lines beside it, and hardly ever finds anything there.
//! Where it does is the same for every goal, but for the lines that the goal itself lies on: so it is found out once, and
//! kept as a bit for each cell and ray, in rows along the rays. A jump goes from bit to bit.
//!
//! After Harabor and Grastien, "Improving Jump Point Search" (ICAPS 2014), and Rabin, "JPS+: Over 100x Faster than A*" (Game
//! AI Pro 2, 2015). What differs from the papers: they keep how many steps it is to the next cell of interest. An edit in the
//! open changes that for all cells of all rays that cross its row and column; of bits it changes those of the row and column.

use crate::bit_rows::BitRows;
use crate::cost::Cost;
use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};
use crate::jump_stops::{JumpStops, LINES, lines_beside, onward, turns};
use crate::terrain::CornerRule;

/// The rays, in the order of their rows of bits: two in four directions, or else four.
const VERTICAL: [Direction; 2] = [Direction::North, Direction::South];
const DIAGONAL: [Direction; 4] =
    [Direction::NorthWest, Direction::NorthEast, Direction::SouthWest, Direction::SouthEast];

/// Where there is something to find along rays: a bit a cell for each ray.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpTable {
    /// By ray, the cells where a ray ends, where a jump along it stops, or from where a line beside it leads to a stop.
    ///
    /// In vertical rows by x, in diagonal ones by the number of the diagonal.
    rays: Vec<BitRows>,
    /// How many diagonals there are in a direction, but for those that share a row.
    diagonals: i32,
    /// Whether the map is not higher than wide.
    is_wide: bool,
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

impl JumpTable {
    /// Looks at all cells. Time: O(cells x cells / 64) at worst, linear in the cells where lines are short.
    pub fn new(ground: JumpGround) -> Self {
        let (width, height) = (ground.size.width(), ground.size.height());
        let (longer, shorter) = (width.max(height), width.min(height));
        let rays = match ground.rule {
            CornerRule::Never => vec![BitRows::new(width, height); VERTICAL.len()],
            _ => vec![BitRows::new(longer, shorter); DIAGONAL.len()],
        };
        let mut table = Self { rays, diagonals: longer as i32, is_wide: width >= height };
        table.update(ground, ground.size.rect(), rays_of(ground.rule));
        table
    }

    /// Catches up with an edit: `area` holds all cells where jumps may stop now or did, and all whose legal steps or entering
    /// costs may be others. Equal to a new table afterwards.
    ///
    /// Time: that of a new one for the cells of the area, and for those that see it along a line.
    pub fn refresh(&mut self, ground: JumpGround, area: CellRect) {
        let Some(area) = area.intersection(ground.size.rect()) else { return };
        self.update(ground, area, rays_of(ground.rule));
        for line in LINES {
            let is_beside = |ray: Direction| {
                lines_beside(ground.rule, ray).is_some_and(|(one, other)| one == line || other == line)
            };
            for &ray in rays_of(ground.rule).iter().filter(|&&ray| is_beside(ray)) {
                for cell in side_toward(area, line.opposite()).cells() {
                    // Beyond the last stop before it nobody who looks along the line sees the area.
                    let steps = ground.stops.steps_from_stop(line, cell.x, cell.y);
                    let (dx, dy) = line.delta();
                    let seeing = CellRect::new(cell, Cell::new(cell.x - dx * steps, cell.y - dy * steps));
                    self.update(ground, seeing, &[ray]);
                }
            }
        }
    }

    /// How many steps it is along a ray to the next cell where there is something to find; a step must be legal.
    #[inline(always)]
    pub fn steps(&self, ray: Direction, cell: Cell) -> u32 {
        let (row, at) = self.place(ray, cell);
        let bits = &self.rays[number(ray)];
        let (dx, dy) = ray.delta();
        let is_ascending = if self.is_wide {
            dy > 0
        } else if ray.is_diagonal() {
            dx > 0
        } else {
            dy > 0
        };
        let steps = if is_ascending { bits.next(row, at) - at } else { at - bits.previous(row, at) };
        steps as u32
    }

    /// Looks at cells anew, as they are on some of the rays.
    fn update(&mut self, ground: JumpGround, area: CellRect, rays: &[Direction]) {
        for cell in area.intersection(ground.size.rect()).into_iter().flat_map(CellRect::cells) {
            for &ray in rays {
                let (row, at) = self.place(ray, cell);
                self.rays[number(ray)].put(row, at, ground.has_something(ray, cell));
            }
        }
    }

    /// The row of bits of a ray that a cell lies in, and the place in it.
    #[inline(always)]
    fn place(&self, ray: Direction, cell: Cell) -> (i32, i32) {
        let Cell { x, y } = cell;
        if !ray.is_diagonal() {
            return (x, y);
        }
        let (long, short) = if self.is_wide { (x, y) } else { (y, x) };
        // Of two diagonals that share a row, one ends at the edge of the map beside where the other one begins. No
        // jump leads from one into the other: at the edge every ray ends.
        let diagonal = match ray {
            Direction::NorthWest | Direction::SouthEast => long - short,
            _ => long + short,
        };
        let diagonal = if diagonal < 0 { diagonal + self.diagonals } else { diagonal };
        (if diagonal >= self.diagonals { diagonal - self.diagonals } else { diagonal }, short)
    }
}

impl JumpGround<'_> {
    /// Whether there is anything to find at a cell of a ray, whatever the goal.
    fn has_something(&self, ray: Direction, cell: Cell) -> bool {
        let Some(node) = self.size.index(cell) else { return true };
        let (moves, entering) = (self.moves[node as usize], self.entering[node as usize]);
        if !moves.contains(ray) || self.stops.is_mixed(cell.x, cell.y) || stops_ray(self.rule, ray, moves) {
            return true;
        }
        let longest = longest_jump(entering) as i32;
        lines_beside(self.rule, ray).is_some_and(|(one, other)| {
            [one, other].into_iter().any(|line| {
                let steps = self.stops.steps_to_stop(line, cell.x, cell.y).min(longest);
                let (dx, dy) = line.delta();
                let next = self.size.index(Cell::new(cell.x + dx * steps, cell.y + dy * steps));
                next.is_some_and(|next| self.entering[next as usize] != 0)
            })
        })
    }
}

/// Whether walls stop a jump at a cell of a ray from which these steps are legal.
#[inline]
pub(crate) fn stops_ray(rule: CornerRule, ray: Direction, moves: DirectionSet) -> bool {
    // What is beside the cell before it forces no ray to turn.
    turns(rule, ray, onward(rule, ray, moves, DirectionSet::ALL))
}

/// How many steps a jump may have along a ray, and again along a line, for its cost to be representable.
#[inline]
pub(crate) fn longest_jump(entering: u8) -> u32 {
    u32::MAX / 2 / Cost::DIAGONAL.raw() / u32::from(entering.max(1))
}

/// The rays under a corner rule, in the order of their numbers.
fn rays_of(rule: CornerRule) -> &'static [Direction] {
    match rule {
        CornerRule::Never => &VERTICAL,
        _ => &DIAGONAL,
    }
}

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
