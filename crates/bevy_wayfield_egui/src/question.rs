//! Questions as the planner would ask them, for looking at: a preview, a comparison, the cells that a search explored.

use std::sync::Arc;

use bevy::prelude::Resource;
use bevy_wayfield::wayfield::search::NodeState;
use bevy_wayfield::wayfield::{Algorithm, Answer, Cell, CostGrid, Grid, GridSize, PathQuery, PathSearch};
use bevy_wayfield::{ClassId, PathRequest, PathfindingSettings, Tilemap};

/// A question about a way, and for which class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The kind of mover.
    pub class: ClassId,
    /// What is asked.
    pub query: PathQuery,
}

impl Question {
    /// What the planner asks for an order of a unit of `class` that stands at `start`; `None` if the order leads to an entity or
    /// out of the map.
    ///
    /// ```
    /// use bevy_wayfield::wayfield::{Algorithm, Cell, GridSize, MovementClass, TerrainId, TerrainMap};
    /// use bevy_wayfield::{ClassId, PathRequest, PathfindingSettings, Tilemap};
    /// use bevy_wayfield_egui::Question;
    /// let class = MovementClass::new("foot").with_cost(TerrainId(0), 1)?;
    /// let tilemap = Tilemap::new(TerrainMap::new(GridSize::new(9, 9)?, TerrainId(0)), vec![class]);
    /// let request = PathRequest::to(Cell::new(8, 8)).max_expansions(500);
    /// let question = Question::of(&request, ClassId(0), Cell::new(1, 1), &PathfindingSettings::default(), &tilemap);
    /// let query = question.ok_or("inside")?.query;
    /// assert_eq!((query.algorithm, query.max_expansions), (Algorithm::Auto, Some(500)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        request: &PathRequest,
        class: ClassId,
        start: Cell,
        settings: &PathfindingSettings,
        tilemap: &Tilemap,
    ) -> Option<Self> {
        let class = request.class.unwrap_or(class);
        let goal = request.goal.cell(tilemap, class)?;
        Some(Self {
            class,
            query: PathQuery {
                algorithm: request.algorithm.unwrap_or(settings.algorithm),
                heuristic: settings.heuristic,
                weight: settings.weight,
                max_expansions: Some(request.max_expansions.unwrap_or(settings.max_expansions)),
                allow_partial: request.allow_partial,
                nearest: request.nearest,
                ..PathQuery::new(start, goal)
            },
        })
    }

    /// The same, by another algorithm and without a cap.
    #[must_use]
    pub fn by(mut self, algorithm: Algorithm) -> Self {
        self.query.algorithm = algorithm;
        self.query.max_expansions = None;
        self
    }

    /// Asks it at once, and returns the answer with the state of every cell; `None` if an end is outside the map or there is no
    /// such class.
    ///
    /// Of LPA* and D* Lite no states can be had: all cells are unseen.
    pub fn explore(&self, tilemap: &Tilemap) -> Option<(Answer, Grid<NodeState>)> {
        let grid = tilemap.grid(self.class)?;
        let mut search = PathSearch::default();
        let answer = search.find(grid, &self.query).ok()?;
        let mut states = Grid::new(grid.size(), NodeState::Unseen);
        // A search that had nothing to do has nothing to show, and neither has the replanner.
        if answer.stats.expanded > 0 && answer.algorithm.replan_method().is_none() {
            let sides = [Some(search.search()), search.backward_search()];
            for (index, cell) in grid.size().rect().cells().enumerate() {
                let of_side = |side: &bevy_wayfield::wayfield::search::Search| side.state(index as u32);
                let seen = sides.iter().flatten().map(|side| of_side(side));
                let state = seen.max_by_key(|state| match state {
                    NodeState::Unseen => 0,
                    NodeState::Open => 1,
                    NodeState::Closed => 2,
                });
                states.set(cell, state.unwrap_or(NodeState::Unseen));
            }
        }
        Some((answer, states))
    }
}

/// The way to where the pointer is, found bit by bit so that no frame waits for it.
///
/// It is searched as the order would be, so the unit that is sent there goes that way.
#[derive(Resource, Default)]
pub struct Preview {
    asked: Option<(Question, u64, GridSize)>,
    grid: Option<Arc<CostGrid>>,
    search: PathSearch,
    answer: Option<Answer>,
}

impl Preview {
    /// Goes on with a question for so many expansions, or begins it if it is another one or the map has changed. Returns the
    /// answer once it is there.
    pub fn look(&mut self, question: Question, tilemap: &Tilemap, expansions: u64) -> Option<&Answer> {
        let asked = (question, tilemap.revision(), tilemap.size());
        if self.asked != Some(asked) {
            self.forget();
            let grid = tilemap.grid(question.class)?;
            self.answer = self.search.begin(grid, &question.query).ok()?;
            self.asked = Some(asked);
            // Of the revision it was begun on, whatever is painted meanwhile.
            self.grid = self.answer.is_none().then(|| grid.clone());
        }
        if let Some(grid) = &self.grid {
            self.answer = self.search.advance(grid, expansions);
            if self.answer.is_some() {
                // The map need not be copied at the next edit on our account.
                self.grid = None;
            }
        }
        self.answer.as_ref()
    }

    /// The answer, if it is there.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_ref()
    }

    /// Shows nothing any more.
    pub fn forget(&mut self) {
        self.asked = None;
        self.grid = None;
        self.answer = None;
    }
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{MovementClass, TerrainId, TerrainMap, find_path};

    use super::*;

    fn tilemap() -> Tilemap {
        let class = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap();
        let mut map = TerrainMap::new(GridSize::new(40, 40).unwrap(), TerrainId(0));
        map.edit((0..39).map(|y| (Cell::new(20, y), TerrainId(1)))).unwrap();
        Tilemap::new(map, vec![class])
    }

    fn question(algorithm: Algorithm) -> Question {
        let query = PathQuery { algorithm, ..PathQuery::new(Cell::new(2, 2), Cell::new(37, 2)) };
        Question { class: ClassId(0), query }
    }

    #[test]
    fn a_preview_in_slices_is_the_answer_and_follows_the_map() {
        let mut tilemap = tilemap();
        let (question, mut preview) = (question(Algorithm::AStar), Preview::default());
        let mut frames = 1;
        while preview.look(question, &tilemap, 16).is_none() {
            frames += 1;
        }
        assert!(frames > 10, "{frames}");
        let whole = find_path(tilemap.grid(ClassId(0)).unwrap(), &question.query).unwrap();
        assert_eq!(preview.answer(), Some(&whole));
        tilemap.edit([(Cell::new(20, 5), TerrainId(0))]).unwrap();
        tilemap.sync();
        let shorter = preview.look(question, &tilemap, u64::MAX).unwrap().cost().unwrap();
        assert!(shorter.units() < whole.cost().unwrap().units());
        let outside = Question { query: PathQuery { goal: Cell::new(99, 0), ..question.query }, ..question };
        assert!(preview.look(outside, &tilemap, 16).is_none());
    }

    #[test]
    fn what_a_search_explored_is_what_it_expanded() {
        let tilemap = tilemap();
        for algorithm in [Algorithm::Dijkstra, Algorithm::AStar, Algorithm::Greedy, Algorithm::Bfs] {
            let (answer, states) = question(algorithm).explore(&tilemap).unwrap();
            let closed = states.values().iter().filter(|state| **state == NodeState::Closed).count() as u64;
            assert_eq!(closed, answer.stats.expanded, "{algorithm:?}");
        }
        let (answer, states) = question(Algorithm::Jps).explore(&tilemap).unwrap();
        let closed = states.values().iter().filter(|state| **state == NodeState::Closed).count();
        assert!(closed as u64 <= answer.stats.expanded && closed > 0 && closed < 100, "jump points only");
        let (_, states) = question(Algorithm::LpaStar).explore(&tilemap).unwrap();
        assert!(states.values().iter().all(|state| *state == NodeState::Unseen));
    }
}
