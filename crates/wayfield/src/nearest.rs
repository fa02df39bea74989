//! The cells nearest to a cell: by distance over whatever lies between, and by way.

use crate::cost::Cost;
use crate::cost_grid::CostGrid;
use crate::grid::{Cell, CellRect, GridSize};
use crate::heuristic::Heuristic;
use crate::search::{Order, Search, Step};
use crate::space::Everything;

/// The accepted cell of a map with the least distance to another of its cells, and that distance; ties go to the lower index.
///
/// `distance` is [`Heuristic::Manhattan`], [`Heuristic::Octile`] or another that is at least the king's distance.
/// Looks at squares around the cell, each a cell wider, until no farther cell can be nearer: linear in the cells
/// of the square that the answer lies in.
///
/// ```
/// use wayfield::{nearest_cell, Cell, GridSize, Heuristic};
/// let size = GridSize::new(9, 9)?;
/// let found = nearest_cell(size, Cell::new(4, 4), Heuristic::Octile, |cell| cell.x == 7);
/// assert_eq!(found.map(|(_, cell)| cell), Some(Cell::new(7, 4)));
/// # Ok::<(), wayfield::GridSizeError>(())
/// ```
pub fn nearest_cell(
    size: GridSize,
    to: Cell,
    distance: Heuristic,
    accept: impl Fn(Cell) -> bool,
) -> Option<(Cost, Cell)> {
    let whole = size.rect();
    let mut best: Option<(Cost, u32, Cell)> = None;
    size.index(to)?;
    for radius in 0..=size.width().max(size.height()) as i32 {
        // No cell of this square or a wider one is nearer than this.
        if best.is_some_and(|(nearest, ..)| nearest < Cost::STRAIGHT.saturating_mul(radius as u32)) {
            break;
        }
        let square = CellRect::around(to, radius);
        let rows = [square.min.y, square.max.y].map(|y| (square.min.x, square.max.x, y, y));
        let columns = [square.min.x, square.max.x].map(|x| (x, x, square.min.y, square.max.y));
        for (left, right, top, bottom) in rows.into_iter().chain(columns) {
            let side = CellRect::new(Cell::new(left, top), Cell::new(right, bottom));
            for cell in side.intersection(whole).into_iter().flat_map(CellRect::cells) {
                if let Some(index) = size.index(cell).filter(|_| accept(cell)) {
                    let candidate = (distance.estimate(cell, to), index, cell);
                    best = Some(best.map_or(candidate, |best| best.min(candidate)));
                }
            }
        }
    }
    best.map(|(distance, _, cell)| (distance, cell))
}

/// Ends for a group order: the `count` cells that are the least way from the goal, the nearest first, each once.
///
/// If the goal cannot be entered, or is outside the map, the passable cell nearest to it takes its place. There are fewer cells if fewer
/// can be reached from there. Time: O(count log count), and the search for that nearest cell.
///
/// ```
/// use wayfield::{end_slots, parse_map, Cell, CostGrid};
/// let map = parse_map(b".....\n.....\n.....\n")?;
/// let grid = CostGrid::new(&map.terrain, &map.default_class());
/// let slots = end_slots(&grid, Cell::new(2, 1), 5);
/// assert_eq!(slots[0], Cell::new(2, 1));
/// assert!(slots.iter().all(|slot| slot.x.abs_diff(2) + slot.y.abs_diff(1) <= 1));
/// # Ok::<(), wayfield::TextError>(())
/// ```
pub fn end_slots(grid: &CostGrid, goal: Cell, count: usize) -> Vec<Cell> {
    let size = grid.size();
    let whole = size.rect();
    let goal = Cell::new(goal.x.clamp(whole.min.x, whole.max.x), goal.y.clamp(whole.min.y, whole.max.y));
    let centre = nearest_cell(size, goal, Heuristic::Octile, |cell| grid.is_passable(cell));
    let Some(centre) = centre.and_then(|(_, cell)| size.index(cell)) else { return Vec::new() };
    let mut search = Search::default();
    search.begin(Order::DIJKSTRA, grid, &[(centre, Cost::ZERO)], &Everything);
    std::iter::from_fn(|| match search.step(grid, &Everything) {
        Step::Expanded(node) => Some(size.cell(node)),
        Step::Found(_) | Step::Exhausted => None,
    })
    .take(count)
    .collect()
}

/// Gives each unit of a group one of the slots of [`end_slots`] so that their ways hardly cross: who is in front on the way to the
/// slots stays in front, and who is on the left stays on the left.
///
/// The answer has a slot for every unit, in the order of the units. Where there are fewer slots than units, several units share
/// one. Empty if there are no slots. Time: O(n log n).
///
/// ```
/// use wayfield::{assign_slots, Cell};
/// // A column of three, one behind the other, on its way to the right.
/// let units = [Cell::new(0, 5), Cell::new(1, 5), Cell::new(2, 5)];
/// let slots = [Cell::new(21, 5), Cell::new(20, 5), Cell::new(22, 5)];
/// assert_eq!(assign_slots(&units, &slots), [Cell::new(20, 5), Cell::new(21, 5), Cell::new(22, 5)]);
/// ```
pub fn assign_slots(units: &[Cell], slots: &[Cell]) -> Vec<Cell> {
    if slots.is_empty() {
        return Vec::new();
    }
    let slots: Vec<_> = slots.iter().copied().cycle().take(units.len()).collect();
    // Sums instead of means, so that all is whole numbers. A group of a whole map's cells is far from the range.
    let sum =
        |cells: &[Cell]| cells.iter().fold((0, 0), |(x, y), cell| (x + i128::from(cell.x), y + i128::from(cell.y)));
    let (from, to) = (sum(units), sum(&slots));
    let way = if from == to { (1, 0) } else { (to.0 - from.0, to.1 - from.1) };
    let along = |cell: Cell| i128::from(cell.x) * way.0 + i128::from(cell.y) * way.1;
    let across = |cell: Cell| i128::from(cell.y) * way.0 - i128::from(cell.x) * way.1;
    let columns = units.len().isqrt().max(1);
    // In ranks, from the front to the back, and in each rank from the left to the right; who is level in the order of the list.
    let in_ranks = |cells: &[Cell]| {
        let mut order: Vec<_> = (0..cells.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(along(cells[index])));
        for rank in order.chunks_mut(columns) {
            rank.sort_by_key(|&index| across(cells[index]));
        }
        order
    };
    let mut assigned = slots.clone();
    for (unit, slot) in in_ranks(units).into_iter().zip(in_ranks(&slots)) {
        assigned[unit] = slots[slot];
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::assign_slots;
    use crate::grid::Cell;

    /// The cells of a block, row by row.
    fn block(corner: (i32, i32), columns: i32, rows: i32) -> Vec<Cell> {
        (0..columns * rows).map(|index| Cell::new(corner.0 + index % columns, corner.1 + index / columns)).collect()
    }

    #[test]
    fn a_block_keeps_its_shape_whichever_way_it_goes() {
        let units = block((50, 50), 5, 5);
        for goal in [(90, 50), (10, 50), (50, 90), (50, 2), (90, 90), (3, 80)] {
            let mut slots = block(goal, 5, 5);
            let offset = |(unit, slot): (&Cell, &Cell)| (slot.x - unit.x, slot.y - unit.y);
            // Whatever the order of the slots.
            slots.reverse();
            slots.rotate_left(7);
            let assigned = assign_slots(&units, &slots);
            let mut once = assigned.clone();
            once.sort_unstable();
            slots.sort_unstable();
            assert_eq!(once, slots, "each slot once");
            let kept =
                units.iter().zip(&assigned).filter(|&(unit, slot)| offset((unit, slot)) == (goal.0 - 50, goal.1 - 50));
            let diagonal = goal.0 != 50 && goal.1 != 50;
            // On a slant ranks are cut otherwise, but nobody changes from one flank to the other.
            assert!(diagonal || kept.count() == 25, "to {goal:?}: {assigned:?}");
        }
    }

    #[test]
    fn more_units_than_slots_share_them_and_none_is_needed() {
        let units = block((0, 0), 7, 1);
        let slots = [Cell::new(9, 9), Cell::new(10, 9)];
        let assigned = assign_slots(&units, &slots);
        assert_eq!(assigned.len(), 7);
        assert!(assigned.iter().all(|slot| slots.contains(slot)));
        assert!(slots.iter().all(|slot| assigned.contains(slot)));
        assert_eq!(assign_slots(&units, &[]), []);
        assert_eq!(assign_slots(&[], &slots), []);
        assert_eq!(assign_slots(&units[..2], &units[..2]), units[..2], "who is there stays there");
    }
}
