//! Reading and writing DIMACS files; nothing that is read may panic, or take more memory than its length is worth.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wayfield::NodeId;
use wayfield::graph::{
    DimacsError, DimacsErrorKind, GraphAlgorithm, GraphBuilder, GraphError, GraphQuery, MAX_WEIGHT, find_path,
    parse_co, parse_gr, write_co, write_gr,
};

/// Fixed, so that every run tries the same.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(8), ..ProptestConfig::default() }
}

/// Texts that are nearly right: lines of graphs and coordinates in any order, with a few stray bytes.
fn nearly_right() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "p sp 3 2\n",
            "p sp 0 0\n",
            "p sp 4294967296 1\n",
            "p sp 4000000000 0\n",
            "p sp 18446744073709551616 1\n",
            "p sp -1 1\n",
            "p aux sp co 3\n",
            "p aux sp co 99999999999999999999\n",
            "a 1 2 7\n",
            "a 3 3 0\n",
            "a 0 1 1\n",
            "a 4 1 1\n",
            "a 2 1 -7\n",
            "a 2 1 2147483647\n",
            "a 2 1 2147483648\n",
            "a 2 1 -2147483648\n",
            "a 1 2\n",
            "a 1 2 3 4\n",
            "v 1 -5 7\n",
            "v 2 1e300 0\n",
            "v 3 NaN 0\n",
            "v 1 0 0\n",
            "c nothing\n",
            "c\n",
            "cab\n",
            "\r\n",
            " ",
            "é",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Reads a text as everything it could be; whatever is read can be searched, written and read again.
fn read_as_anything(text: &[u8]) {
    let last_line = 1 + text.iter().filter(|&&byte| byte == b'\n').count();
    match parse_gr(text) {
        Ok(mut graph) => {
            assert_eq!(parse_gr(write_gr(&graph).as_bytes()).unwrap(), graph);
            if let Ok(places) = parse_co(text) {
                _ = graph.set_positions(places);
            }
            _ = graph.build_hierarchy();
            for algorithm in GraphAlgorithm::ALL {
                _ = find_path(&graph, &GraphQuery { algorithm, ..GraphQuery::new(0, 2) });
            }
        }
        Err(DimacsError { line, .. }) => assert!(line >= 1 && line <= last_line),
    }
    match parse_co(text) {
        Ok(places) => assert_eq!(parse_co(write_co(&places).as_bytes()).unwrap(), places),
        Err(DimacsError { line, .. }) => assert!(line >= 1 && line <= last_line),
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

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn graphs_are_read_as_they_were_written(
        nodes in 1..40u32,
        edges in proptest::collection::vec((any::<u32>(), any::<u32>(), -MAX_WEIGHT..=MAX_WEIGHT), 0..60),
        places in proptest::collection::vec((-1e12..1e12f64, -1e12..1e12f64), 40),
    ) {
        let mut builder = GraphBuilder::new(nodes as usize).scale(1);
        for (from, to, weight) in edges {
            builder.push(from % nodes, to % nodes, weight.into());
        }
        let graph = builder.build().unwrap();
        let text = write_gr(&graph);
        prop_assert_eq!(&parse_gr(text.as_bytes()).unwrap(), &graph);
        let windows = format!("c by hand\r\n\r\n  {}", text.replace('\n', "\r\n").replace(' ', "\t"));
        prop_assert_eq!(&parse_gr(windows.as_bytes()).unwrap(), &graph);
        let places: Vec<_> = places.into_iter().map(|(x, y)| [x, y]).collect();
        prop_assert_eq!(parse_co(write_co(&places).as_bytes()).unwrap(), places);
    }
}

fn gr_error(text: &str) -> (usize, DimacsErrorKind) {
    let DimacsError { line, kind } = parse_gr(text.as_bytes()).unwrap_err();
    (line, kind)
}

#[test]
fn broken_graphs_say_where() {
    let expected = |(line, kind): (usize, DimacsErrorKind)| match kind {
        DimacsErrorKind::Expected { found, .. } => (line, found),
        other => panic!("{other}"),
    };
    assert_eq!(expected(gr_error("")), (1, String::new()));
    assert_eq!(expected(gr_error("c only a comment\n\n")), (1, String::new()));
    assert_eq!(expected(gr_error("c\na 1 2 3\n")), (2, "a 1 2 3".to_owned()));
    assert_eq!(expected(gr_error("p max 3 2\n")), (1, "p max 3 2".to_owned()));
    assert_eq!(expected(gr_error("p sp x 2\n")), (1, "p sp x 2".to_owned()));
    assert_eq!(expected(gr_error("p sp 3 1\n\nc\np sp 3 1\n")), (4, "p sp 3 1".to_owned()));
    assert_eq!(expected(gr_error("p sp 3 1\na 1 2\n")), (2, "a 1 2".to_owned()));
    assert_eq!(expected(gr_error("p sp 3 1\na 1 2 7 7\n")), (2, "a 1 2 7 7".to_owned()));
    assert_eq!(expected(gr_error("p sp 3 1\na 1 x 7\n")), (2, "x".to_owned()));
    assert_eq!(expected(gr_error("p sp 3 1\na 1 2 1.5\n")), (2, "1.5".to_owned()));
    assert_eq!(gr_error("p sp 3 1\na 0 2 7\n"), (2, DimacsErrorKind::Node { found: 0, nodes: 3 }));
    assert_eq!(gr_error("p sp 3 1\na 1 4 7\n"), (2, DimacsErrorKind::Node { found: 4, nodes: 3 }));
    for weight in ["2147483648", "-2147483648", "99999999999999999999"] {
        let kind = DimacsErrorKind::Weight { found: weight.to_owned() };
        assert_eq!(gr_error(&format!("p sp 3 1\na 1 2 {weight}\n")), (2, kind));
    }
    assert_eq!(gr_error("p sp 3 2\na 1 2 7\n"), (2, DimacsErrorKind::Count { expected: 2, found: 1 }));
    assert_eq!(gr_error("p sp 3 0\na 1 2 7\n"), (2, DimacsErrorKind::Count { expected: 0, found: 1 }));
    // A short text promises much, and gets nothing.
    let lone = GraphError::TooManyLoneNodes { nodes: 4_000_000_000, edges: 1 };
    assert_eq!(gr_error("c\np sp 4000000000 1\na 1 2 7\n"), (2, DimacsErrorKind::Graph(lone)));
    let many = GraphError::TooManyNodes { nodes: 18_446_744_073_709_551_615 };
    assert_eq!(gr_error("p sp 18446744073709551615 0\n"), (1, DimacsErrorKind::Graph(many)));
    assert!(matches!(gr_error("p sp 2 4000000000\n"), (1, DimacsErrorKind::Count { .. })));
}

#[test]
fn broken_coordinates_say_where() {
    let error = |text: &str| {
        let DimacsError { line, kind } = parse_co(text.as_bytes()).unwrap_err();
        (line, kind.to_string())
    };
    for (line, part, text) in [
        (1, "header", ""),
        (1, "header", "p sp 3 2\n"),
        (1, "number of nodes", "p aux sp co x\n"),
        (2, "a place", "p aux sp co 2\na 1 2 3\n"),
        (2, "node 3 is not from 1 to 2", "p aux sp co 2\nv 3 0 0\n"),
        (3, "two coordinates", "c\np aux sp co 2\nv 1 0 NaN\n"),
        (2, "two coordinates", "p aux sp co 2\nv 1 inf 0\n"),
        (3, "node 1 has a place already", "p aux sp co 2\nv 1 0 0\nv 1 0 0\n"),
        (2, "2 lines, there are 1", "p aux sp co 2\nv 2 0 0\n"),
        (1, "4000000000 lines, there are 0", "p aux sp co 4000000000\n"),
    ] {
        let (found_line, message) = error(text);
        assert!(found_line == line && message.contains(part), "{text}: line {found_line}, {message}");
    }
    assert_eq!(parse_co(b"p aux sp co 2\nv 2 1.5 -3\nv 1 7 8\n"), Ok(vec![[7.0, 8.0], [1.5, -3.0]]));
}

#[test]
fn closed_edges_are_not_written() {
    let mut graph = parse_gr(b"p sp 2 2\na 1 2 5\na 2 1 6\n").unwrap();
    graph.update([(0, None)]).unwrap();
    assert_eq!(write_gr(&graph), "p sp 2 1\na 2 1 6\n");
    let scaled = GraphBuilder::new(2).scale(10).edge(0, 1, 2.5).build().unwrap();
    assert_eq!(write_gr(&scaled), "p sp 2 1\na 1 2 25\n", "whole units");
    assert!(find_path(&graph, &GraphQuery::new(0, 1 as NodeId)).is_ok_and(|answer| answer.cost().is_none()));
}
