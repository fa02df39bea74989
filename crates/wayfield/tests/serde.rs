//! What a game saves it can load, and broken data does not get in.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use wayfield::{
    Algorithm, Answer, Cell, CornerRule, CostGrid, Dirty, FleeScale, Grid, GridSize, Heuristic, InfluenceId, Link,
    MovementClass, PathQuery, TerrainCost, TerrainId, TerrainMap, Tie, Weight, find_path,
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

/// A map with all layers, which was edited.
fn layered() -> TerrainMap {
    let mut map = TerrainMap::new(GridSize::new(6, 4).unwrap(), TerrainId(1));
    map.edit([(Cell::new(2, 2), TerrainId(0))]).unwrap();
    map.edit_heights([(Cell::new(1, 1), -7)]).unwrap();
    map.set_fence(Cell::new(3, 1), Cell::new(3, 2), true).unwrap();
    map.add_link(Link::new(Cell::new(0, 0), Cell::new(5, 3), 4)).unwrap();
    map.edit_influence(InfluenceId(7), [(Cell::new(4, 0), 9)]).unwrap();
    map
}

#[test]
fn a_map_comes_back_with_its_layers_and_its_history() {
    let mut map = layered();
    let text = round_trip(&map);
    let mut back: TerrainMap = serde_json::from_str(&text).unwrap();
    assert_eq!(back.revision(), 5);
    assert_eq!(back.influence(InfluenceId(7), Cell::new(4, 0)), Some(9));
    assert!((0..7).all(|revision| back.dirty_since(revision) == map.dirty_since(revision)));
    // Whoever does not mind the influence has nothing to do after it, after loading either.
    let (class, cell) = (MovementClass::new("foot").with_cost(TerrainId(1), 1).unwrap(), Cell::new(4, 0));
    let mut grid = CostGrid::new(&map, &class);
    map.edit_influence(InfluenceId(7), [(cell, 8)]).unwrap();
    back.edit_influence(InfluenceId(7), [(cell, 8)]).unwrap();
    let mut loaded: TerrainMap = serde_json::from_str(&serde_json::to_string(&back).unwrap()).unwrap();
    assert_eq!(grid.refresh(&loaded, &class), Dirty::Nothing);
    assert_eq!((&loaded, grid.revision()), (&map, 6));
    loaded.edit_influence(InfluenceId(0), [(cell, 1)]).unwrap();
    assert_ne!(loaded, map);
    let edit = [(Cell::new(5, 0), TerrainId(3))];
    assert_eq!(back.edit(edit), map.edit(edit));
    assert_eq!(back, map);
    round_trip(&TerrainMap::new(GridSize::new(3, 1).unwrap(), TerrainId(0)));
}

#[test]
fn a_broken_map_is_refused_with_what_is_wrong() {
    let text = serde_json::to_string(&layered()).unwrap();
    let message = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        serde_json::from_str::<TerrainMap>(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, wanted) in [
        ("\"width\":6,\"height\":4", "\"width\":4,\"height\":6", "a layer of 6 x 4 does not fit the map of 4 x 6"),
        ("\"width\":6,\"height\":4", "\"width\":6,\"height\":5", "24 values do not fill"),
        ("\"cost\":4", "\"cost\":0", "a link costs a whole number"),
        ("\"to\":{\"x\":5", "\"to\":{\"x\":6", "the link's end 6,3 is outside the map of 6 x 4"),
        ("\"revision\":5", "\"revision\":4", "a map of revision 4 has no 5 latest edits"),
        ("\"revision\":5", "\"revision\":18446744073709551615", "a map of revision 18446744073709551615"),
        (
            "\"log\":[{\"area\":{\"min\":{\"x\":2",
            "\"log\":[{\"area\":{\"min\":{\"x\":-2",
            "an edit from -2,2 to 2,2 is not on the map",
        ),
        (
            "\"log\":[{\"area\":{\"min\":{\"x\":2",
            "\"log\":[{\"area\":{\"min\":{\"x\":3",
            "an edit from 3,2 to 2,2 is not on the map",
        ),
    ] {
        let message = message(from, to);
        assert!(message.contains(wanted), "{to}: {message}");
    }
    let mut fence = serde_json::to_value(layered()).unwrap();
    fence["fences"]["values"][0] = 4.into();
    let message = serde_json::from_value::<TerrainMap>(fence).unwrap_err().to_string();
    assert!(message.contains("sides number 4"), "{message}");
    let mut influence = serde_json::to_value(layered()).unwrap();
    influence["influences"]["7"]["size"] = serde_json::json!({ "width": 4, "height": 6 });
    let message = serde_json::from_value::<TerrainMap>(influence).unwrap_err().to_string();
    assert!(message.contains("a layer of 4 x 6 does not fit the map of 6 x 4"), "{message}");
    assert!(is_refused::<TerrainMap>(&text[..text.len() - 9]));
}
