//! What may be built on top of a grid: for searches that find more ready then, and kept up to date from then on.

use super::CostGrid;
use crate::grid::CellRect;
use crate::hierarchy::Hierarchy;
use crate::jump_table::{JumpGround, JumpTable};

impl CostGrid {
    /// Builds what [`Algorithm::HpaStar`](crate::Algorithm::HpaStar) searches, unless it is there. From then on
    /// [`CostGrid::refresh`] keeps it up to date: after an edit only the clusters around it are built anew.
    ///
    /// Time: some 100 times that of a search through as many cells. Memory: 3 to 6 bytes a cell.
    ///
    /// ```
    /// use wayfield::{find_path, parse_map, Algorithm, Cell, CostGrid, PathQuery};
    /// let map = parse_map(b"....\n.##.\n....\n")?;
    /// let mut grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let query = PathQuery { algorithm: Algorithm::HpaStar, ..PathQuery::new(Cell::new(0, 0), Cell::new(3, 2)) };
    /// assert_eq!(find_path(&grid, &query)?.algorithm, Algorithm::AStar);
    /// grid.build_hierarchy();
    /// assert_eq!(find_path(&grid, &query)?.algorithm, Algorithm::HpaStar);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_hierarchy(&mut self) {
        if self.hierarchy.is_none() {
            self.hierarchy = Some(Hierarchy::new(self, self.size));
        }
    }

    /// The clusters and the abstract graph, if they were built.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// Prepares jumps for [`Algorithm::Jps`](crate::Algorithm::Jps) and [`JumpSpace`](crate::JumpSpace), unless they are. From then
    /// on [`CostGrid::refresh`] keeps them up to date: after an edit it looks only at the cells around it, and at those that see
    /// something else along a row or a column now.
    ///
    /// Answers, and what is expanded, are the same without, only sooner: of a diagonal way (a vertical one in four directions)
    /// only those cells are looked at where there is something to find, and only lines that lead to something are followed. That
    /// is worth most where the ground is open, and nothing among obstacles strewn cell by cell. After JPS+ (Harabor and Grastien,
    /// "Improving Jump Point Search", ICAPS 2014; Rabin, "JPS+: Over 100x Faster than A*", Game AI Pro 2, 2015).
    ///
    /// Time: linear in the cells. Memory: 1.6 bytes a cell, 1.3 in four directions; more on maps that are narrower than 64 cells.
    ///
    /// ```
    /// use wayfield::{find_path, parse_map, Algorithm, Cell, CostGrid, PathQuery};
    /// let map = parse_map(b".....\n.###.\n.....\n")?;
    /// let mut grid = CostGrid::new(&map.terrain, &map.default_class());
    /// let query = PathQuery { algorithm: Algorithm::Jps, ..PathQuery::new(Cell::new(0, 1), Cell::new(4, 1)) };
    /// let answer = find_path(&grid, &query)?;
    /// grid.build_jump_table();
    /// assert!(grid.has_jump_table());
    /// assert_eq!(find_path(&grid, &query)?, answer);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_jump_table(&mut self) {
        if self.jump_table.is_none() {
            self.jump_table = Some(JumpTable::new(self.jump_ground()));
        }
    }

    /// Whether jumps are prepared.
    pub fn has_jump_table(&self) -> bool {
        self.jump_table.is_some()
    }

    /// Gives up the prepared jumps, and the memory that they take.
    pub fn drop_jump_table(&mut self) {
        self.jump_table = None;
    }

    /// The prepared jumps, if they were built.
    #[inline]
    pub(crate) fn jump_table(&self) -> Option<&JumpTable> {
        self.jump_table.as_ref()
    }

    /// Repairs the prepared jumps after the stops, steps or costs of an area have changed.
    pub(super) fn refresh_jump_table(&mut self, area: CellRect) {
        if let Some(mut table) = self.jump_table.take() {
            table.refresh(self.jump_ground(), area);
            self.jump_table = Some(table);
        }
    }

    fn jump_ground(&self) -> JumpGround<'_> {
        let Self { size, entering, moves, stops, .. } = self;
        JumpGround { rule: self.corner_rule(), size: *size, entering, moves, stops }
    }
}
