//! What is asked over and over allocates nothing.

#[expect(dead_code, reason = "this test needs only a part of it")]
mod support;

use allocation_counter::measure;
use support::Dice;
use wayfield::{Algorithm, Outcome, PathQuery, PathSearch};

/// Every question is asked once to make room, and then again.
#[test]
fn repeated_questions_allocate_nothing() {
    let mut dice = Dice::new(23);
    let (mut found, mut failed) = (0, 0);
    for algorithm in [Algorithm::Auto, Algorithm::Jps, Algorithm::AStar, Algorithm::Dijkstra, Algorithm::WeightedAStar]
    {
        for _ in 0..100 {
            let ground = dice.ground();
            let grid = ground.grid();
            let queries: Vec<_> = (0..8)
                .map(|_| PathQuery { algorithm, ..PathQuery::new(dice.cell(&ground), dice.cell(&ground)) })
                .collect();
            let mut search = PathSearch::default();
            let mut answers: Vec<_> = queries.iter().map(|query| search.find(&grid, query).unwrap()).collect();
            let counted = measure(|| {
                for (query, answer) in queries.iter().zip(&mut answers) {
                    search.find_into(&grid, query, answer).unwrap();
                }
            });
            assert_eq!(counted.count_total, 0, "{algorithm}: {ground:?}");
            for (query, answer) in queries.iter().zip(&answers) {
                assert_eq!(*answer, search.find(&grid, query).unwrap(), "memory that is used again shows");
                *if matches!(answer.outcome, Outcome::Found(_)) { &mut found } else { &mut failed } += 1;
            }
        }
    }
    assert!(found > 500 && failed > 500, "{found} found, {failed} failed: the maps are one-sided");
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![1, 2, 3]))).count_total, 1);
}
