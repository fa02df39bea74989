//! Which cells reach each other, kept up to date by pieces of the map.
//!
//! The map is cut into square *chunks*. A *region* is what a flood that stays within one chunk reaches; regions that touch
//! over a border are joined to components. After an edit only the chunks around it are flooded again; the joins
//! are lists of pairs of regions, so that joining looks at no cell outside those chunks and the chunks next to them.
//!
//! Both steps are the two-pass labelling of Rosenfeld and Pfaltz, "Sequential Operations in Digital Picture Processing",
//! Journal of the ACM 13 (1966): its table of equivalent labels is a disjoint-set forest here.

use crate::direction::{Direction, DirectionSet};
use crate::grid::{Cell, CellRect, GridSize};

/// Cells along a side of a chunk: its regions then fit a `u16`, and its cells a first-level cache.
const SIDE: i32 = 32;

/// The region of a cell that cannot be entered.
const NO_REGION: u16 = u16::MAX;

/// The component of a region that has none yet.
const NO_COMPONENT: u32 = u32::MAX;

/// The components of the passable cells, numbered in the order of their first cells.
///
/// Depends on the map alone, not on how it came about. Memory: 2 bytes a cell, and 8 at most for each join of two regions and
/// 4 for each region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Components {
    size: GridSize,
    chunks_a_row: usize,
    /// The region of each cell, counted within its chunk in the order of their first cells.
    regions: Vec<u16>,
    /// Row by row.
    chunks: Vec<Chunk>,
    /// The component of each region, chunk by chunk.
    components: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// The place of the chunk's first region among those of all chunks.
    first_region: u32,
    /// How many regions have their first cell in the chunk's rows down to each.
    begun: [u16; SIDE as usize],
    /// With regions of the chunks that come earlier, row by row.
    joins: Vec<Join>,
}

/// Two regions with a legal move between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Join {
    region: u16,
    other_region: u16,
    other_chunk: u32,
}

impl Components {
    /// Those of a map without a passable cell.
    pub fn new(size: GridSize) -> Self {
        let chunks_a_row = size.width().div_ceil(SIDE as u32) as usize;
        let rows = size.height().div_ceil(SIDE as u32) as usize;
        let chunk = Chunk { first_region: 0, begun: [0; SIDE as usize], joins: Vec::new() };
        Self {
            size,
            chunks_a_row,
            regions: vec![NO_REGION; size.cells()],
            chunks: vec![chunk; chunks_a_row * rows],
            components: Vec::new(),
        }
    }

    /// The component of a passable cell, in constant time.
    pub fn of(&self, cell: Cell) -> Option<u32> {
        let region = self.regions[self.size.index(cell)? as usize];
        let first = self.chunks[self.chunk_of(cell)].first_region;
        (region != NO_REGION).then(|| self.components[first as usize + usize::from(region)])
    }

    /// Looks at an area of the map anew: all cells that opened or closed or whose moves changed.
    ///
    /// `entering` has the entering costs, 0 for walls, and `moves` the legal steps out of each cell; between passable
    /// cells they must go both ways. Time: linear in the cells of the chunks in the area, and almost linear in the
    /// regions and joins of the map.
    pub fn update(&mut self, area: CellRect, entering: &[u8], moves: &[DirectionSet]) {
        let Some(area) = area.intersection(self.size.rect()) else { return };
        let touched = CellRect::new(chunk_place(area.min), chunk_place(area.max));
        for place in touched.cells() {
            self.find_regions(place, entering, moves);
        }
        // Chunks beside those have joins with their regions, whose numbers may have changed.
        let whole = chunk_place(self.size.rect().max);
        let whole = CellRect::new(Cell::new(0, 0), whole);
        for place in touched.grown(1).intersection(whole).into_iter().flat_map(CellRect::cells) {
            self.find_joins(place, moves);
        }
        self.join_regions();
    }

    /// Finds the regions of a chunk.
    fn find_regions(&mut self, place: Cell, entering: &[u8], moves: &[DirectionSet]) {
        let area = self.area(place);
        let width = self.size.width() as usize;
        // By provisional region: an earlier one that it is the same region as, or itself; and its first row.
        let mut same_as = [0_u32; (SIDE * SIDE) as usize];
        let mut first_row = [0_u8; (SIDE * SIDE) as usize];
        let mut provisional: u16 = 0;
        for y in area.min.y..=area.max.y {
            let start = y as usize * width;
            for x in area.min.x..=area.max.x {
                let node = start + x as usize;
                if entering[node] == 0 {
                    self.regions[node] = NO_REGION;
                    continue;
                }
                let here = moves[node];
                let (left, above) = (x > area.min.x, y > area.min.y);
                let mut region = NO_REGION;
                let mut touch = |is_legal: bool, offset: usize| {
                    if is_legal {
                        let other = self.regions[node - offset];
                        if region == NO_REGION {
                            region = other;
                        } else if region != other {
                            region = unite(&mut same_as, region.into(), other.into()) as u16;
                        }
                    }
                };
                touch(above && here.contains(Direction::North), width);
                touch(left && here.contains(Direction::West), 1);
                touch(above && left && here.contains(Direction::NorthWest), width + 1);
                touch(above && x < area.max.x && here.contains(Direction::NorthEast), width - 1);
                if region == NO_REGION {
                    region = provisional;
                    same_as[usize::from(region)] = region.into();
                    first_row[usize::from(region)] = (y - area.min.y) as u8;
                    provisional += 1;
                }
                self.regions[node] = region;
            }
        }

        let begun = &mut self.chunks[place.y as usize * self.chunks_a_row + place.x as usize].begun;
        *begun = [0; SIDE as usize];
        let mut count = 0;
        for region in 0..usize::from(provisional) {
            // The first cell of a region began the earliest of its provisional numbers, which the others lead to.
            let same = same_as[region] as usize;
            same_as[region] = if same == region {
                begun[usize::from(first_row[region])] += 1;
                count += 1;
                count - 1
            } else {
                same_as[same]
            };
        }
        for row in 1..begun.len() {
            begun[row] += begun[row - 1];
        }
        if count < u32::from(provisional) {
            for y in area.min.y..=area.max.y {
                let start = y as usize * width;
                for region in &mut self.regions[start + area.min.x as usize..=start + area.max.x as usize] {
                    if *region != NO_REGION {
                        *region = same_as[usize::from(*region)] as u16;
                    }
                }
            }
        }
    }

    /// Finds what the regions of a chunk are joined to over its upper and its left border.
    fn find_joins(&mut self, place: Cell, moves: &[DirectionSet]) {
        let area = self.area(place);
        let chunk = place.y as usize * self.chunks_a_row + place.x as usize;
        let mut joins = std::mem::take(&mut self.chunks[chunk].joins);
        joins.clear();
        let top = (area.min.x..=area.max.x).map(|x| Cell::new(x, area.min.y));
        let left = (area.min.y..=area.max.y).map(|y| Cell::new(area.min.x, y));
        for cell in top.chain(left) {
            let Some(node) = self.size.index(cell) else { continue };
            let region = self.regions[node as usize];
            if region == NO_REGION {
                continue;
            }
            for direction in moves[node as usize] {
                let beyond = cell.step(direction);
                // Moves over the lower and the right border, and down to the left, are those of a later chunk.
                let is_earlier = beyond.y < area.min.y || beyond.x < area.min.x && beyond.y <= area.max.y;
                let Some(other) = self.size.index(beyond).filter(|_| is_earlier) else { continue };
                let other_region = self.regions[other as usize];
                let join = Join { region, other_region, other_chunk: self.chunk_of(beyond) as u32 };
                if joins.last() != Some(&join) {
                    joins.push(join);
                }
            }
        }
        self.chunks[chunk].joins = joins;
    }

    /// Joins the regions and numbers the components.
    fn join_regions(&mut self) {
        let mut regions = 0;
        for chunk in &mut self.chunks {
            chunk.first_region = regions;
            regions += u32::from(chunk.begun[SIDE as usize - 1]);
        }
        let mut same_as: Vec<u32> = (0..regions).collect();
        for chunk in &self.chunks {
            for join in &chunk.joins {
                let other = self.chunks[join.other_chunk as usize].first_region + u32::from(join.other_region);
                unite(&mut same_as, chunk.first_region + u32::from(join.region), other);
            }
        }
        self.components.clear();
        self.components.resize(regions as usize, NO_COMPONENT);
        let mut components = 0;
        for row_of_chunks in self.chunks.chunks(self.chunks_a_row) {
            for row in 0..SIDE as usize {
                for chunk in row_of_chunks {
                    let before = if row == 0 { 0 } else { chunk.begun[row - 1] };
                    for region in before..chunk.begun[row] {
                        let region = chunk.first_region + u32::from(region);
                        let root = root(&mut same_as, region) as usize;
                        if self.components[root] == NO_COMPONENT {
                            self.components[root] = components;
                            components += 1;
                        }
                        self.components[region as usize] = self.components[root];
                    }
                }
            }
        }
    }

    /// The cells of a chunk.
    fn area(&self, place: Cell) -> CellRect {
        let min = Cell::new(place.x * SIDE, place.y * SIDE);
        let last = self.size.rect().max;
        CellRect::new(min, Cell::new((min.x + SIDE - 1).min(last.x), (min.y + SIDE - 1).min(last.y)))
    }

    /// The index of the chunk that a cell of the map lies in.
    #[inline]
    fn chunk_of(&self, cell: Cell) -> usize {
        let place = chunk_place(cell);
        place.y as usize * self.chunks_a_row + place.x as usize
    }
}

/// The column and the row of the chunk that a cell of the map lies in.
#[inline]
fn chunk_place(cell: Cell) -> Cell {
    Cell::new(cell.x / SIDE, cell.y / SIDE)
}

/// The least of the numbers that one is the same as; what it passes on the way is made to lead there sooner.
#[inline]
fn root(same_as: &mut [u32], mut number: u32) -> u32 {
    while same_as[number as usize] != number {
        let nearer = same_as[same_as[number as usize] as usize];
        same_as[number as usize] = nearer;
        number = nearer;
    }
    number
}

/// Makes two numbers the same, and returns the least one that they are the same as.
#[inline]
fn unite(same_as: &mut [u32], one: u32, other: u32) -> u32 {
    let (one, other) = (root(same_as, one), root(same_as, other));
    let least = one.min(other);
    same_as[one.max(other) as usize] = least;
    least
}
