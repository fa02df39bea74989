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
