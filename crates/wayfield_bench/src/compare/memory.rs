//! How much memory everything takes.

use allocation_counter::measure;
use wayfield::search::Search;
use wayfield::{CostGrid, DijkstraMap, FlowField};
use wayfield_bench::engine::a_star;
use wayfield_bench::ground;

use super::{Effort, Findings};
use crate::report::{Bound, Line};

/// Counts what stays allocated of a workspace, a grid, prepared jumps and a field.
pub fn compare(effort: Effort, findings: &mut Findings) {
    let [side, _] = effort.sides;
    let [_, rooms, _] = ground::uniform(side, 1);
    let cells = rooms.grid.size().cells() as f64;
    let mut line = |what: &str, bytes: f64, most: f64| {
        findings.lines.push(Line::new(
            format!("memory a cell: {what}"),
            "bytes",
            vec![bytes / cells],
            Bound::AtMost(most),
        ));
    };
    let ends = rooms.nodes()[0];
    let (search, bytes) = kept(|| {
        let mut search = Search::default();
        assert!(a_star(&mut search, &rooms, ends).is_some(), "no way");
        search
    });
    assert!(search.stats().expanded > 0);
    line("the workspace of a search after an `a_star` across the map", bytes, 16.0);
    let (grid, bytes) = kept(|| CostGrid::new(&rooms.map, rooms.grid.class()));
    assert_eq!(grid, rooms.grid);
    line("a cost grid with all that jumps and components need", bytes, 4.0);
    let mut prepared = grid.clone();
    let ((), bytes) = kept(|| prepared.build_jump_table());
    line("prepared jumps", bytes, 2.0);
    let (field, bytes) = kept(|| DijkstraMap::toward(&grid, [rooms.queries[0].1]));
    let field = match field {
        Ok(field) => field,
        Err(error) => panic!("{error}"),
    };
    line("a field", bytes, 4.01);
    let (flow, bytes) = kept(|| FlowField::new(&field, &grid));
    assert_eq!(flow.size(), grid.size());
    line("the directions of a field", bytes, 1.01);
}

/// What was made, and how many bytes it has allocated.
fn kept<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let (mut made, mut make) = (None, Some(make));
    let counted = measure(|| made = make.take().map(|make| make()));
    match made {
        Some(made) => (made, counted.bytes_current as f64),
        None => panic!("nothing was made"),
    }
}
