//! What a game saves it can load, and broken data does not get in.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use wayfield::{
    Algorithm, Answer, Cell, CornerRule, CostGrid, FleeScale, Grid, GridSize, Heuristic, InfluenceId, MovementClass,
    PathQuery, TerrainCost, TerrainId, TerrainMap, Tie, Weight, find_path,
};

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(serde_json::from_str::<T>(&text).ok().as_ref(), Some(value), "{text}");
    text
}

fn is_refused<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_err()
}

#[test]
fn data_comes_back_as_it_went() {
    let class = MovementClass::new("foot").with_cost(TerrainId(0), 1).unwrap().with_cost(TerrainId(2), 255).unwrap();
    round_trip(&class.clone().with_corner_rule(CornerRule::AtLeastOneFree));
    let careful = class.clone().with_influence(InfluenceId(9), 4).unwrap().with_influence(InfluenceId(0), 255).unwrap();
    assert!(round_trip(&careful).contains(r#""influences":{"0":255,"9":4}"#));
    let size = GridSize::new(5, 4).unwrap();
    round_trip(&Grid::new(size, TerrainId(7)));
    assert_eq!(round_trip(&FleeScale::default()), "1.2");
    round_trip(&size);
    let query = PathQuery {
        algorithm: Algorithm::WeightedAStar,
        heuristic: Some(Heuristic::Octile),
        weight: Weight::new(1.5).unwrap(),
        tie: Tie::LowG,
        max_expansions: Some(9),
        nearest: true,
        ..PathQuery::new(Cell::new(0, 0), Cell::new(4, 3))
    };
    assert!(round_trip(&query).contains("\"weighted_a_star\""));
    let map = TerrainMap::new(size, TerrainId(0));
    let answer: Answer = find_path(&CostGrid::new(&map, &class), &query).unwrap();
    round_trip(&answer);
}

#[test]
fn broken_data_is_refused() {
    assert!(!is_refused::<TerrainCost>("1") && !is_refused::<Weight>("1.5"));
    assert!(is_refused::<TerrainCost>("0") && is_refused::<TerrainCost>("256") && is_refused::<TerrainCost>("-1"));
    assert!(is_refused::<Weight>("0.5") && is_refused::<Weight>("1e9"));
    let grid = |width: u32, height: u32| {
        format!("{{\"size\":{{\"width\":{width},\"height\":{height}}},\"values\":[1,2,3,4,5,6]}}")
    };
    assert!(!is_refused::<Grid<u8>>(&grid(3, 2)));
    assert!(is_refused::<Grid<u8>>(&grid(2, 2)) && is_refused::<Grid<u8>>(&grid(0, 0)));
    assert!(is_refused::<GridSize>("{\"width\":0,\"height\":1}"));
    assert!(is_refused::<GridSize>("{\"width\":40000,\"height\":1}"));
    assert!(is_refused::<FleeScale>("0") && is_refused::<FleeScale>("1001") && !is_refused::<FleeScale>("1.2"));
}
