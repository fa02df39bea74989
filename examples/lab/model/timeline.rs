//! A search that is stepped, and stepped back.

use wayfield::{Answer, CostGrid, NodeId, PathQuery, PathSearch, QueryError};

/// A question, and the search for its answer after any number of expansions.
///
/// `grid` must be the same in all calls. There is no way back in a search: what was before is a rerun that stops earlier.
#[derive(Clone, Debug)]
pub struct Timeline {
    query: PathQuery,
    search: PathSearch,
    answer: Option<Answer>,
    /// What was expanded, in order.
    order: Vec<NodeId>,
}

impl Timeline {
    /// A search before its first step.
    pub fn begin(grid: &CostGrid, query: PathQuery) -> Result<Self, QueryError> {
        let mut search = PathSearch::default();
        let answer = search.begin(grid, &query)?;
        Ok(Self { query, search, answer, order: Vec::new() })
    }

    /// One expansion; false if the search was over before.
    pub fn step(&mut self, grid: &CostGrid) -> bool {
        if self.answer.is_some() {
            return false;
        }
        self.order.extend(self.search.next_expansion(grid));
        self.answer = self.search.advance(grid, 1);
        if self.answer.is_none() && self.search.next_expansion(grid).is_none() {
            // Nothing is left to expand: the search is over, and that is no step of its own.
            self.answer = self.search.advance(grid, 1);
        }
        true
    }

    /// Goes to where exactly so many expansions are made, or to the end if there are fewer.
    pub fn seek(&mut self, grid: &CostGrid, steps: usize) {
        if steps < self.steps()
            && let Ok(begun) = Self::begin(grid, self.query)
        {
            *self = begun;
        }
        while self.steps() < steps && self.step(grid) {}
    }

    /// How many expansions were made.
    pub fn steps(&self) -> usize {
        self.order.len()
    }

    /// What was expanded, in order.
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// What is asked.
    pub fn query(&self) -> &PathQuery {
        &self.query
    }

    /// The answer, once the search is over.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_ref()
    }

    /// The search itself, to look at.
    pub fn search(&self) -> &PathSearch {
        &self.search
    }
}
