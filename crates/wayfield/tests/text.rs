//! Reading and writing maps, scenarios and names; nothing that is read may panic.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wayfield::{
    Algorithm, Cell, CornerRule, Grid, GridSize, GridSizeError, Heuristic, MapFormat, MovementClass, Scenario,
    TerrainCost, TerrainId, TerrainMap, TextError, TextErrorKind, Weight, parse_map, parse_scenarios, write_map,
    write_scenarios,
};

/// Fixed, so that every run tries the same.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() }
}

/// A map of printable characters.
fn maps() -> impl Strategy<Value = TerrainMap> {
    (1..20usize, 1..20usize).prop_flat_map(|(width, height)| {
        proptest::collection::vec(b'!'..=b'~', width * height).prop_map(move |marks| {
            let terrain = marks.into_iter().map(TerrainId).collect();
            TerrainMap::from_grid(Grid::from_rows(width, terrain).unwrap())
        })
    })
}

fn scenarios() -> impl Strategy<Value = Scenario> {
    let size = (1..=2000u64, 1..=2000u64);
    let cell = || (0..2000i32, 0..2000i32);
    (any::<u32>(), "[!-~]{1,20}", size, cell(), cell(), 0..100_000_000u64, 0..=8u32).prop_map(
        |(bucket, map, (width, height), start, goal, length, decimals)| Scenario {
            bucket,
            map,
            size: GridSize::new(width, height).unwrap(),
            start: start.into(),
            goal: goal.into(),
            optimal: length as f64 / 10f64.powi(decimals as i32),
            decimals,
        },
    )
}

/// Texts that are nearly right: pieces of maps and scenarios in any order, with a few stray bytes.
fn nearly_right() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "type octile\n",
            "type",
            "height 3\n",
            "width 4\n",
            "height 99999999999999999999\n",
            "width 32768\n",
            "height 32768\n",
            "height 0\n",
            "width -1\n",
            "map\n",
            "....\n",
            "..@.\n",
            "...\n",
            "\n",
            "\r\n",
            " ",
            "version 1\n",
            "version 1.0\n",
            "0 a.map 4 3 0 0 3 2 4.24264\n",
            "1\tb\t4\t3\t0\t0\t3\t2\tNaN\n",
            "1 c 4 3 0 0 3 2 1e999\n",
            "2 d 0 3 0 0 3 2 5\n",
            "2 e 4 3 -1 2147483648 3 2 5.\n",
            "\u{feff}",
            "é",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Reads a text as everything it could be; whatever is read can be written and read again.
fn read_as_anything(text: &[u8]) {
    match parse_map(text) {
        Ok(map) => {
            let size = map.terrain.size();
            assert!(size.cells() <= text.len(), "as many cells as there are characters");
            assert_eq!(map.terrain.grid().values().len(), size.cells());
        }
        Err(TextError { line, column, .. }) => assert!(line >= 1 && column >= 1),
    }
    match parse_scenarios(text) {
        Ok(scenarios) => assert!(scenarios.iter().all(|scenario| scenario.tolerance().is_finite())),
        Err(TextError { line, column, .. }) => assert!(line >= 1 && column >= 1),
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn maps_are_read_as_they_were_written(map in maps()) {
        for format in [MapFormat::MovingAi, MapFormat::Rows] {
            let text = write_map(&map, format);
            let read = parse_map(text.as_bytes()).unwrap();
            prop_assert_eq!(read.format, format);
            prop_assert_eq!(read.terrain.grid(), map.grid());
            let windows = text.replace('\n', "\r\n");
            let read = parse_map(windows.as_bytes()).unwrap();
            prop_assert_eq!(read.terrain.grid(), map.grid());
        }
    }

    #[test]
    fn scenarios_are_read_as_they_were_written(mut scenarios in proptest::collection::vec(scenarios(), 0..8)) {
        // How finely a file prints is a property of the file, not of a line.
        let decimals = scenarios.iter().map(|scenario| scenario.decimals).max().unwrap_or_default();
        for scenario in &mut scenarios {
            scenario.decimals = decimals;
        }
        let text = write_scenarios(&scenarios);
        prop_assert_eq!(parse_scenarios(text.as_bytes()).unwrap(), scenarios);
    }
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn no_bytes_make_the_readers_panic(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_as_anything(&text);
    }

    #[test]
    fn no_broken_file_makes_the_readers_panic(text in nearly_right()) {
        read_as_anything(&text);
    }
}

fn map_error(text: &str) -> (usize, usize, TextErrorKind) {
    let TextError { line, column, kind } = parse_map(text.as_bytes()).unwrap_err();
    (line, column, kind)
}

#[test]
fn broken_maps_are_told_apart() {
    let ragged = |expected, found| TextErrorKind::RaggedRow { expected, found };
    assert_eq!(map_error(""), (1, 1, TextErrorKind::NoRows));
    assert_eq!(map_error("\n\n"), (1, 1, TextErrorKind::NoRows));
    assert_eq!(map_error("...\n..\n..."), (2, 3, ragged(3, 2)));
    assert_eq!(map_error("...\n....\n"), (2, 4, ragged(3, 4)));
    assert_eq!(map_error("type octile\nheight 1\nwidth 2\nmap\n...\n"), (5, 3, ragged(2, 3)));
    let rows = |expected, found| TextErrorKind::RowCount { expected, found };
    assert_eq!(map_error("type octile\nheight 2\nwidth 2\nmap\n..\n"), (6, 1, rows(2, 1)));
    assert_eq!(map_error("type octile\nheight 1\nwidth 2\nmap\n..\n..\n"), (6, 1, rows(1, 2)));
    // The size is refused before a cell is read.
    let size = |kind| TextErrorKind::Size(kind);
    let empty = GridSizeError::Empty { width: 0, height: 3 };
    assert_eq!(map_error("type octile\nheight 3\nwidth 0\nmap\n"), (2, 1, size(empty)));
    let large = GridSizeError::TooLarge { width: 4_000_000_000, height: 4_000_000_000 };
    assert_eq!(map_error("type octile\nheight 4000000000\nwidth 4000000000\nmap\n"), (2, 1, size(large)));
    let too_wide = ".".repeat(40_000);
    assert!(matches!(map_error(&too_wide), (1, 1, TextErrorKind::Size(GridSizeError::TooLarge { .. }))));
    for (line, text) in [
        (1, "type tile\nheight 1\nwidth 1\nmap\n.\n"),
        (2, "type octile\nheight x\nwidth 1\nmap\n.\n"),
        (3, "type octile\nheight 1\nheight 1\nmap\n.\n"),
        (3, "type octile\nheight 1\nwidth -1\nmap\n.\n"),
        (4, "type octile\nheight 1\nwidth 1\nmaps\n.\n"),
        (2, "type octile\n"),
    ] {
        let (found_line, _, kind) = map_error(text);
        assert!(found_line == line && matches!(kind, TextErrorKind::Expected { .. }), "{text}: {kind}");
    }
    let error = parse_map(b"....\n..\xff.\n").unwrap_err();
    assert_eq!((error.line, error.column, error.kind), (2, 3, TextErrorKind::NotUtf8));
}

#[test]
fn width_and_height_come_in_either_order() {
    let one = parse_map(b"type octile\nheight 2\nwidth 3\nmap\n...\n.T.\n").unwrap();
    let other = parse_map(b"type octile\nwidth 3\nheight 2\nmap\n...\n.T.\n").unwrap();
    assert_eq!(one.terrain.grid(), other.terrain.grid());
    let marked = parse_map("\u{feff}..é\n".as_bytes()).unwrap();
    assert_eq!(marked.terrain.grid().values(), [b'.', b'.', b'@'].map(TerrainId));
}

#[test]
fn default_costs_of_characters() {
    let class = parse_map(b".\n").unwrap().default_class();
    let cost = |mark: u8| class.cost(TerrainId(mark)).map(TerrainCost::get);
    assert_eq!(b".GS159".map(cost), [Some(1), Some(1), Some(1), Some(1), Some(5), Some(9)]);
    assert!(b"@OTW#0 x~".iter().all(|&mark| cost(mark).is_none()));
    assert_eq!(class.corner_rule(), CornerRule::BothFree);
}

#[test]
fn broken_scenarios_say_where() {
    let error = |text: &str| parse_scenarios(text.as_bytes()).unwrap_err();
    assert_eq!(error("").line, 1);
    assert_eq!(error("version 2\n").line, 1);
    assert_eq!(error("version 1\n0 a 4 3 0 0 3 2\n").line, 2);
    for (column, text) in [
        (1, "x a 4 3 0 0 3 2 4.2"),
        (5, "0 a x 3 0 0 3 2 4.2"),
        (9, "0 a 4 3 x 0 3 2 4.2"),
        (17, "0 a 4 3 0 0 3 2 NaN"),
        (17, "0 a 4 3 0 0 3 2 -1"),
        (5, "0 a 0 3 0 0 3 2 4.2"),
    ] {
        let error = error(&format!("version 1\n\n{text}\n"));
        assert_eq!((error.line, error.column), (3, column), "{text}: {error}");
    }
}

#[test]
fn printed_lengths_are_right_to_their_last_digit() {
    let tolerance = |length: &str| {
        let text = format!("version 1.0\n0 a 4 3 0 0 3 2 {length}\n");
        parse_scenarios(text.as_bytes()).unwrap()[0].tolerance()
    };
    let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
    assert!(near(tolerance("4.83"), 0.005));
    assert!(near(tolerance("4.82843"), 4.82843e-4));
    assert!(near(tolerance("4"), 0.5));
    assert!(near(tolerance("446.00"), 0.0446));
}

#[test]
fn names_are_read_as_they_were_written() {
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.name().parse(), Ok(algorithm));
        assert_eq!(algorithm.to_string(), algorithm.name());
    }
    for heuristic in Heuristic::ALL {
        assert_eq!(heuristic.name().parse(), Ok(heuristic));
    }
    for rule in CornerRule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
    }
    let error = "astar".parse::<Algorithm>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown algorithm \"astar\"; known are auto, bfs, dfs, dijkstra, greedy, a_star, weighted_a_star, bidirectional_bfs, \
         bidirectional_dijkstra, bidirectional_a_star, jps, hpa_star, lpa_star, d_star_lite"
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    for cost in [i64::MIN, -1, 0, 256, i64::MAX] {
        assert!(TerrainCost::try_from(cost).is_err());
        let error = MovementClass::new("foot").with_cost(TerrainId(3), cost).unwrap_err();
        let text =
            format!("movement class \"foot\", terrain 3: a terrain cost is a whole number from 1 to 255, not {cost}");
        assert_eq!(error.to_string(), text);
    }
    for cost in 1..=255 {
        assert_eq!(TerrainCost::try_from(cost).map(|cost| i64::from(cost.get())), Ok(cost));
    }
    for weight in [0.0, 0.999, -1.0, 1000.1, f64::NAN, f64::INFINITY] {
        assert!(Weight::new(weight).is_err(), "{weight}");
    }
    assert_eq!(Weight::new(1.0), Ok(Weight::ONE));
    assert_eq!(Cell::from((3, -4)).to_string(), "3,-4");
}
