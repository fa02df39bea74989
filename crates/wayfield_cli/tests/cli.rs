//! The real binary: answers, their promised keys, and every kind of bad input.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod support;

use std::io::Read;

use serde_json::{Value, json};
use support::{answer, answers, assert_close, feed, file, refuses, start, wayfield, wayfield_with};

const ALGORITHMS: [&str; 14] = [
    "auto",
    "bfs",
    "dfs",
    "dijkstra",
    "greedy",
    "a_star",
    "weighted_a_star",
    "bidirectional_bfs",
    "bidirectional_dijkstra",
    "bidirectional_a_star",
    "jps",
    "hpa_star",
    "lpa_star",
    "d_star_lite",
];

/// A wall with a way round it on either side.
const WALL: &str = ".....\n.###.\n.....\n";

/// A goal in the middle of a lake.
const LAKE: &str = ".......\n..###..\n..#G#..\n..###..\n.......\n";

/// Checks that a line has exactly these keys, in this order.
fn assert_keys(line: &str, keys: &[&str]) {
    let object: Value = serde_json::from_str(line).unwrap();
    let mut sorted: Vec<_> = keys.iter().copied().map(str::to_owned).collect();
    sorted.sort();
    let mut found: Vec<_> = object.as_object().unwrap().keys().cloned().collect();
    found.sort();
    assert_eq!(found, sorted);
    let places: Vec<_> = keys.iter().map(|key| line.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{line}");
}

#[test]
fn every_algorithm_finds_the_way_round() {
    for algorithm in ALGORITHMS {
        let line = answer(&format!("path - --from 0,1 --to 4,1 --algorithm {algorithm}"), WALL);
        assert_eq!((&line["outcome"], &line["reason"]), (&json!("found"), &Value::Null), "{algorithm}");
        if algorithm == "auto" {
            assert!(line["algorithm"] == "jps" || line["algorithm"] == "a_star", "what really ran");
        } else {
            assert_eq!(line["algorithm"], algorithm);
        }
        let cells = line["cells"].as_array().unwrap();
        assert_eq!((cells.first(), cells.last()), (Some(&json!([0, 1])), Some(&json!([4, 1]))), "{algorithm}");
        // From both ends the last step is not expanded, of jumps only the ends are, and LPA* stops short of its target.
        let least = match algorithm {
            "auto" | "jps" => 2,
            "lpa_star" | "d_star_lite" => cells.len() - 1,
            _ if algorithm.starts_with("bidirectional") => cells.len() - 2,
            _ => cells.len(),
        };
        assert!(line["expanded"].as_u64().unwrap() >= least as u64, "{algorithm}");
        if algorithm != "dfs" {
            assert_eq!(line["cost"], 6.0, "{algorithm}");
        }
    }
}

#[test]
fn keys_of_json_are_as_promised() {
    let path_keys = ["outcome", "reason", "algorithm", "cost", "expanded", "cells"];
    for to in ["4,1", "1,1"] {
        assert_keys(&wayfield(&format!("path - --from 0,1 --to {to} --json"), WALL).stdout, &path_keys);
    }
    assert_keys(&wayfield("field - --source 0,0 --json", WALL).stdout, &["width", "height", "values"]);

    let scen = file("keys.scen", "version 1\n0 m 5 3 0 0 4 0 4\n");
    let said = wayfield(&format!("scen - {} --each --json", scen.display()), WALL);
    let lines: Vec<_> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_keys(lines[0], &["index", "outcome", "cost", "expanded"]);
    assert_keys(
        lines[1],
        &[
            "algorithm",
            "queries",
            "found",
            "failed",
            "mismatches",
            "mean_ratio",
            "worst_ratio",
            "expanded",
            "mean_us",
            "p50_us",
            "p99_us",
        ],
    );
}

#[test]
fn no_path_is_an_answer() {
    let blocked = answer("path - --from 0,0 --to 1,1 --algorithm jps", WALL);
    let expected = json!({
        "outcome": "failed", "reason": "goal_blocked", "algorithm": "jps", "cost": null, "expanded": 0, "cells": [],
    });
    assert_eq!(blocked, expected);
    assert_eq!(answer("path - --from 0,0 --to 2,0", ".#.\n")["reason"], "unreachable");
    assert_eq!(answer("path - --from 1,0 --to 3,0", "###.\n")["reason"], "start_blocked");
    let capped = answer("path - --from 0,1 --to 4,1 --cap 3 --algorithm a_star", WALL);
    assert_eq!((&capped["reason"], &capped["expanded"]), (&json!("cap_reached"), &json!(3)));

    let stay = answer("path - --from 1,0 --to 1,0", WALL);
    assert_eq!((&stay["cost"], &stay["cells"], &stay["expanded"]), (&json!(0.0), &json!([[1, 0]]), &json!(0)));
}

#[test]
fn partial_and_nearest_give_a_way_and_a_reason() {
    let nearest = answer("path - --from 0,0 --to 3,2 --costs G=- --nearest", LAKE);
    assert_eq!((&nearest["outcome"], &nearest["reason"]), (&json!("partial"), &json!("goal_blocked")));
    assert_eq!(nearest["cells"].as_array().unwrap().last(), Some(&json!([1, 2])));
    assert_close(&nearest["cost"], 2.414214);

    let four = answer("path - --from 0,0 --to 3,2 --costs G=- --nearest --corners never", LAKE);
    assert_eq!(four["cells"].as_array().unwrap().last(), Some(&json!([3, 0])));
    assert_eq!(four["cost"], 3.0);

    let sealed = answer("path - --from 0,0 --to 3,2 --nearest", LAKE);
    assert_eq!((&sealed["outcome"], &sealed["reason"]), (&json!("partial"), &json!("unreachable")));

    let capped = answer("path - --from 0,0 --to 6,0 --cap 3 --partial --algorithm a_star", LAKE);
    assert_eq!((&capped["outcome"], &capped["reason"]), (&json!("partial"), &json!("cap_reached")));
    assert_eq!(capped["cells"], json!([[0, 0], [1, 0], [2, 0]]));
}

#[test]
fn corner_rules_heuristics_and_weights_are_used() {
    let corner = ".#\n#.\n";
    for (rule, outcome) in [("never", "failed"), ("one", "failed"), ("both", "failed"), ("always", "found")] {
        let line = answer(&format!("path - --from 0,0 --to 1,1 --corners {rule}"), corner);
        assert_eq!(line["outcome"], outcome, "{rule}");
    }
    assert_eq!(answer("path - --from 0,0 --to 1,1 --corners one", ".#\n..\n")["outcome"], "found");

    let field = "........\n".repeat(8);
    let expanded = |flags: &str| {
        let line = answer(&format!("path - --from 0,0 --to 7,3 {flags}"), &field);
        assert_close(&line["cost"], 4.0 + 3.0 * 2f64.sqrt());
        line["expanded"].as_u64().unwrap()
    };
    assert_eq!(expanded("--algorithm a_star --heuristic zero"), expanded("--algorithm dijkstra --heuristic octile"));
    let octile = expanded("--algorithm a_star --heuristic octile");
    assert_eq!(octile, expanded("--algorithm a_star --weight 9"));
    for heuristic in ["euclidean", "chebyshev", "zero"] {
        assert!(octile < expanded(&format!("--algorithm a_star --heuristic {heuristic}")), "{heuristic}");
    }
    let weighted = |flags: &str| expanded(&format!("--algorithm weighted_a_star --heuristic chebyshev{flags}"));
    assert_eq!(weighted(""), weighted(" --weight 1.5"));
    assert!(weighted(" --weight 1.5") < weighted(" --weight 1"));
}

#[test]
fn costs_are_paid_on_entering() {
    let line = answer("path - --from 0,0 --to 3,0 --costs A=1,B=3", "A95B\n");
    assert_eq!(line["cost"], 17.0);
    let line = answer("path - --from 3,0 --to 0,0 --costs A=1,B=3", "A95B\n");
    assert_eq!((&line["cost"], &line["cells"]), (&json!(15.0), &json!([[3, 0], [2, 0], [1, 0], [0, 0]])));

    let line = answer("path - --from 0,0 --to 5,0", "S9999G\n111111\n111111\n");
    assert_close(&line["cost"], 5.828427);
    let line = answer("path - --from 0,0 --to 4,0 --costs .=2,,=3,==4", "..,=.\n");
    assert_eq!(line["cost"], 2.0 + 3.0 + 4.0 + 2.0);
    assert_eq!(answer("path - --from 0,0 --to 2,0 --costs .=-", "...\n")["reason"], "goal_blocked");
    assert_eq!(answer("path - --from 0,0 --to 2,0 --costs T=255", ".TT\n")["cost"], 510.0);
}

#[test]
fn text_is_aligned_and_complete() {
    let said = wayfield("path - --from 0,1 --to 2,2 --algorithm a_star", WALL);
    let expected = "outcome    found\nreason     -\nalgorithm  a_star\ncost       3\n";
    assert!(said.stdout.starts_with(expected), "{}", said.stdout);
    assert!(said.stdout.ends_with("cells      0,1 0,2 1,2 2,2\n"), "{}", said.stdout);
    let said = wayfield("path - --from 0,0 --to 1,1 --algorithm a_star", WALL);
    let expected =
        "outcome    failed\nreason     goal_blocked\nalgorithm  a_star\ncost       -\nexpanded   0\ncells      -\n";
    assert_eq!(said.stdout, expected);
    let said = wayfield("field - --source 0,0=9", "..#\n...\n");
    assert_eq!(said.stdout, "     9     10      -\n    10 10.414 11.414\n");
}

#[test]
fn fields_know_their_direction() {
    let values = |arguments: &str| answer(&format!("field - {arguments}"), "15\n")["values"].clone();
    assert_eq!(values("--source 1,0"), json!([[5.0, 0.0]]));
    assert_eq!(values("--source 0,0"), json!([[0.0, 1.0]]));
    assert_eq!(values("--source 0,0 --from"), json!([[0.0, 5.0]]));
    assert_eq!(values("--source 0,0 --source 1,0=-2.5"), json!([[0.0, -2.5]]));
    assert_eq!(values("--source 0,0=7 --costs 5=-"), json!([[7.0, null]]));

    let line = answer("field - --source 4,0", WALL);
    assert_eq!((&line["width"], &line["height"]), (&json!(5), &json!(3)));
    assert_eq!(line["values"][1], json!([5.0, null, null, null, 1.0]));
}

#[test]
fn flee_values_are_scaled_and_rescanned() {
    let line = answer("field - --source 3,0 --flee 1.2", ".......\n");
    let values = line["values"][0].as_array().unwrap();
    let expected = [-3.6, -2.6, -1.6, -0.6, -1.6, -2.6, -3.6];
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        assert_close(value, expected);
    }
}

#[test]
fn scenarios_are_compared_both_ways() {
    let text = "version 1\n\
        0\tm.map\t5\t3\t0\t1\t4\t1\t6.0\n\
        0\tm.map\t5\t3\t0\t0\t4\t0\t4.5\n\
        \n\
        0\tm.map\t5\t3\t0\t0\t4\t0\t3.5\n\
        0\tm.map\t5\t3\t0\t0\t4\t0\t4\n\
        0\tm.map\t5\t3\t2\t2\t2\t2\t0\n\
        0\tm.map\t5\t3\t0\t0\t2\t1\t2\n";
    let scen = file("both_ways.scen", text);
    let lines = answers(&format!("scen - {} --algorithm dijkstra --each", scen.display()), WALL);
    let (summary, each) = lines.split_last().unwrap();
    let counts = ["queries", "found", "failed", "mismatches"].map(|key| summary[key].as_u64().unwrap());
    assert_eq!(counts, [6, 5, 1, 2]);
    assert_close(&summary["worst_ratio"], 4.0 / 3.5);
    assert_close(&summary["mean_ratio"], (1.0 + 4.0 / 4.5 + 4.0 / 3.5 + 1.0) / 4.0);
    assert_eq!(summary["expanded"].as_u64(), each.iter().map(|line| line["expanded"].as_u64()).sum());
    for key in ["mean_us", "p50_us", "p99_us"] {
        assert!(summary[key].as_f64().unwrap() >= 0.0, "{key}");
    }

    let costs: Vec<_> = each.iter().map(|line| line["cost"].clone()).collect();
    assert_eq!(costs, [json!(6.0), json!(4.0), json!(4.0), json!(4.0), json!(0.0), Value::Null]);
    assert_eq!((&each[5]["index"], &each[5]["outcome"]), (&json!(5), &json!("failed")));

    let partial = answers(&format!("scen - {} --nearest --each", scen.display()), WALL);
    assert_eq!((&partial[5]["outcome"], &partial[6]["failed"]), (&json!("partial"), &json!(1)));
    let limited = answer(&format!("scen - {} --limit 2", scen.display()), WALL);
    assert_eq!((&limited["queries"], &limited["mismatches"]), (&json!(2), &json!(1)));
    let none = answer(&format!("scen - {} --limit 0", scen.display()), WALL);
    assert_eq!((&none["queries"], &none["mean_ratio"], &none["p50_us"]), (&json!(0), &Value::Null, &Value::Null));
}

#[test]
fn the_tolerance_is_that_of_the_file() {
    // The cheapest cost is 1 + sqrt 2. Two printed decimals allow half a hundredth, in a file that drops zeros, too.
    let map = file("tolerance.map", "...\n...\n");
    for (length, mismatches) in [("2.41", 0), ("2.42", 1), ("2.40", 1), ("2.4", 0), ("2.4\n0 m 3 2 0 0 1 0 1.00", 1)] {
        let text = format!("version 1\n0 m 3 2 0 0 2 1 {length}\n");
        let said = wayfield(&format!("scen {} - --json", map.display()), text);
        let summary: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(summary["mismatches"], mismatches, "{length}");
    }
}

#[test]
fn all_algorithms_give_a_summary_each() {
    let scen = file("all.scen", "version 1\n0 m 5 3 0 1 4 1 6\n");
    let lines = answers(&format!("scen - {} --algorithm all", scen.display()), WALL);
    let names: Vec<_> = lines.iter().map(|line| line["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ALGORITHMS);
    assert!(lines.iter().all(|line| line["found"] == 1));

    let text = wayfield(&format!("scen - {} --algorithm all", scen.display()), WALL).stdout;
    let widths: Vec<_> = text.lines().map(str::len).collect();
    assert_eq!(widths, [widths[0]; 1 + ALGORITHMS.len()], "{text}");
    let each = wayfield(&format!("scen - {} --each", scen.display()), WALL).stdout;
    assert_eq!(each.lines().count(), 4, "{each}");
}

#[test]
fn algorithms_are_listed_with_what_they_promise() {
    let lines = answers("algorithms", "");
    let names: Vec<_> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ALGORITHMS);
    let promise = |name: &str, what: &str| lines.iter().find(|line| line["name"] == name).unwrap()[what] == true;
    for name in ["auto", "dijkstra", "a_star", "bidirectional_a_star", "jps", "lpa_star", "d_star_lite"] {
        assert!(["optimal", "weighted", "links", "sizes"].iter().all(|what| promise(name, what)), "{name}");
    }
    assert!(!promise("hpa_star", "optimal") && promise("hpa_star", "weighted"));
    assert!(!promise("bfs", "optimal") && !promise("bfs", "weighted") && promise("bfs", "sizes"));
    let text = wayfield("algorithms", "").stdout;
    assert_eq!(text.lines().count(), 1 + ALGORITHMS.len(), "{text}");
}

#[test]
fn wide_units_and_links_are_taken_into_account() {
    const GAPS: &str = "S..#..G.\n...#....\n........\n...#....\n........\n........\n...#....\n";
    for algorithm in ALGORITHMS {
        let path =
            |flags: &str| answer(&format!("path - --from 0,0 {flags} --corners never --algorithm {algorithm}"), GAPS);
        let wide = path("--to 6,0 --size 2");
        assert_eq!(wide["outcome"], "found", "{algorithm}");
        assert!(wide["cells"].as_array().unwrap().contains(&json!([3, 4])), "{algorithm}: {wide}");
        assert_eq!(path("--to 6,0 --size 3")["reason"], "goal_blocked");
        assert_eq!(path("--to 5,0 --size 3")["reason"], "unreachable");
        let linked = path("--to 5,0 --size 3 --link 0,4:5,4=2");
        assert_eq!(linked["outcome"], "found", "{algorithm}");
    }
    let path = |flags: &str| answer(&format!("path - --from 0,0 --corners never {flags}"), GAPS);
    assert_close(&path("--to 6,0")["cost"], 10.0);
    assert_close(&path("--to 6,0 --size 2")["cost"], 14.0);
    assert_close(&path("--to 6,0 --link 2,0:4,0=3 --link 0,1:6,1")["cost"], 3.0);
    assert_close(&path("--to 6,0 --link 4,0:2,0")["cost"], 10.0);
}

#[test]
fn repair_after_edits_is_compared_with_searches_from_scratch() {
    let rows: Vec<String> =
        (0..40).map(|y| (0..40).map(|x| if (x * 7 + y * 13) % 11 == 0 { '#' } else { '.' }).collect()).collect();
    let map = file("edited.map", rows.join("\n"));
    let lines: String = (1..30).map(|x| format!("0\tm\t40\t40\t{x}\t0\t{}\t38\t9\n", 38 - x)).collect();
    let file_of_scen = file("edited.scen", format!("version 1\n{lines}"));
    for size in [1, 2] {
        let scen = |seed| {
            let flags = format!("--edit-every 2 --seed {seed} --costs #=5 --size {size} --algorithm jps");
            answer(&format!("scen {} {} {flags}", map.display(), file_of_scen.display()), "")
        };
        let summary = scen(3);
        assert_eq!((&summary["edits"], &summary["queries"]), (&json!(14), &json!(29)));
        for count in ["incremental_mismatches", "hierarchical_mismatches", "hierarchy_differences"] {
            assert_eq!(summary[count], 0, "{count}: {summary}");
        }
        let expanded = |by: &str| summary[format!("{by}_expanded")].as_u64().unwrap();
        assert!(expanded("lpa_star") < expanded("fresh"), "{summary}");
        assert!(summary["hierarchical_worst_ratio"].as_f64().unwrap() >= 1.0 - 1e-9);
        let counts = |summary: &Value| summary["fresh_expanded"].clone();
        assert_eq!(counts(&scen(3)), counts(&summary), "the same seed makes the same edits");
        let flags = format!("--edit-every 2 --costs #=5 --size {size} --algorithm jps --jump-table");
        let prepared = answer(&format!("scen {} {} {flags}", map.display(), file_of_scen.display()), "");
        for count in ["found", "expanded", "mismatches", "mean_ratio"] {
            assert_eq!(prepared[count], summary[count], "{count}: a table changes nothing");
        }
        assert_ne!(counts(&scen(4)), counts(&summary));
    }
}

#[test]
fn bad_maps_are_refused_with_line_and_column() {
    let path = |map: &[u8], parts: &[&str]| {
        refuses("path - --from 0,0 --to 1,0 --json", map, parts);
        refuses("field - --source 0,0", map, parts);
    };
    path(b"...\n..\n", &["standard input: line 2, column 3", "2 cells", "3 wide"]);
    path(b"...\n....\n", &["line 2, column 4"]);
    path(b"", &["no rows"]);
    path(b"\n\n", &["no rows"]);
    path(b"..\n.\xff\n", &["line 2, column 2", "UTF-8"]);
    path(b"type square\nheight 1\nwidth 2\nmap\n..\n", &["line 1", "type octile"]);
    path(b"type octile\nheight 1\nwide 2\nmap\n..\n", &["line 3", "wide 2"]);
    path(b"type octile\nheight -1\nwidth 2\nmap\n..\n", &["line 2"]);
    path(b"type octile\nheight 1\nwidth 2\n..\n", &["line 4"]);
    path(b"type octile\nheight 0\nwidth 0\nmap\n", &["0 x 0", "no cells"]);
    path(b"type octile\nheight 4000000000\nwidth 2\nmap\n..\n", &["2 x 4000000000", "too large"]);
    path(b"type octile\nheight 99999999999999999999\nwidth 2\nmap\n..\n", &["line 2"]);
    path(b"type octile\nheight 30000\nwidth 30000\nmap\n..\n", &["30000 rows"]);
    path(b"type octile\nheight 2\nwidth 2\nmap\n..\n", &["2 rows", "there are 1"]);
    path(b"type octile\nheight 1\nwidth 3\nmap\n..\n", &["line 5, column 3"]);
    path(b"type \x1b[31m\n", &["line 1"]);
    assert!(!wayfield("path - --from 0,0 --to 1,0", "type \x1b[31m\n").stderr.contains('\x1b'));

    refuses("path absent.map --from 0,0 --to 1,0", "", &["absent.map"]);
    refuses(&format!("field {} --source 0,0", env!("CARGO_TARGET_TMPDIR")), "", &[env!("CARGO_TARGET_TMPDIR")]);
    let ragged = file("ragged.map", "..\n.\n");
    refuses(&format!("path {} --from 0,0 --to 1,0", ragged.display()), "", &["ragged.map: line 2, column 2"]);
}

#[test]
fn cells_outside_the_map_are_refused_by_name() {
    let map = ".....\n.....\n.....\n.....\n";
    let outside = "is outside the map of 5 x 4";
    for cell in ["-1,0", "0,-1", "5,0", "0,4", "4294967295,0", "0,-99999999999999999999999999999999999999999"] {
        refuses(&format!("path - --from {cell} --to 1,0"), map, &[&format!("the start {cell} {outside}")]);
        refuses(&format!("path - --from 1,0 --to {cell}"), map, &[&format!("the goal {cell} {outside}")]);
        for flags in ["", " --from", " --flee 1.2"] {
            refuses(&format!("field - --source {cell}{flags}"), map, &[&format!("the source {cell} {outside}")]);
        }
    }
    for cell in ["x,0", "0", "0,", ",", "1,2,3", "1.5,0", "0,0x", "--5,0", "nan,nan"] {
        refuses(&format!("path - --from {cell} --to 1,0"), map, &["--from", "two whole numbers"]);
        refuses(&format!("path - --from 1,0 --to {cell}"), map, &["--to", "two whole numbers"]);
        refuses(&format!("field - --source {cell}"), map, &["--source", "two whole numbers"]);
    }
}

#[test]
fn bad_flags_are_refused_by_name() {
    let path = |flags: &str, parts: &[&str]| refuses(&format!("path - --from 0,0 --to 1,0 {flags}"), WALL, parts);
    for cost in ["0", "-1", "256", "x", "", "1.5", "NaN"] {
        path(&format!("--costs .=1,T={cost}"), &["--costs", &format!("\"T={cost}\""), "1 to 255"]);
    }
    path("--costs .=1,", &["--costs", "entry 2 is empty"]);
    path("--costs .=1,T", &["--costs", "\"T\""]);
    path("--costs .=1,.=2", &["--costs", "\".=2\"", "second"]);
    path("--costs é=2", &["--costs", "\"é=2\"", "ASCII"]);
    for weight in ["0.5", "0", "-1", "NaN", "inf", "1e9", "x", ""] {
        path(&format!("--algorithm weighted_a_star --weight {weight}"), &["--weight"]);
        path(&format!("--weight {weight}"), &["--weight"]);
    }
    path("--algorithm fly", &["--algorithm", "fly", "dijkstra"]);
    path("--algorithm all", &["--algorithm", "all"]);
    path("--heuristic crow", &["--heuristic", "crow", "octile"]);
    path("--corners two", &["--corners", "two", "never"]);
    path("--cap -1", &["--cap"]);
    path("--cap 1.5", &["--cap"]);
    path("--colour", &["--colour"]);
    path("--size 0", &["--size", "0 x 0", "5 x 3"]);
    path("--costs .=-,G=-,S=-,1=-,2=-,3=-,4=-,5=-,6=-,7=-,8=-,9=-", &["--costs", "no terrain"]);
    path("--size 4", &["--size", "4 x 4", "5 x 3"]);
    path("--size -1", &["--size"]);
    for link in ["0,0", "0,0:1", "0,0:x,1", "0,0:1,0=x", "0,0:1,0=-1", "0,0:1,0=1.5", ""] {
        path(&format!("--link {link}"), &["--link"]);
    }
    path("--link 0,0:1,0=0", &["--link 0,0:1,0=0", "1 to 900000"]);
    path("--link 0,0:0,0", &["--link 0,0:0,0", "itself"]);
    path("--link 0,0:5,0", &["link's end", "5,0", "5 x 3"]);
    path("--link 1,1:0,0", &["--link 1,1:0,0", "blocked", "1,1"]);
    refuses("scen - x --edit-every 0", WALL, &["--edit-every"]);
    refuses("path - --from 0,0", WALL, &["--to"]);
    refuses("field -", WALL, &["--source"]);

    for value in ["x", "", "NaN", "inf", "1e400"] {
        refuses(&format!("field - --source 0,0={value}"), WALL, &["--source", &format!("0,0={value}")]);
    }
    refuses("field - --source 0,0=1e30", WALL, &["source 0,0"]);
    for scale in ["0", "-1", "NaN", "inf", "1001", "x"] {
        refuses(&format!("field - --source 0,0 --flee {scale}"), WALL, &["--flee"]);
    }
    refuses("field - --source 0,0=3 --flee 1.2", WALL, &["--source 0,0=3", "--flee"]);
    refuses("field - --source 0,0 --from --flee 1.2", WALL, &["--flee", "--from"]);
}

#[test]
fn bad_scenario_files_are_refused_with_their_line() {
    let map = file("refused.map", WALL);
    let scen = |text: &[u8], parts: &[&str]| {
        refuses(&format!("scen {} - --algorithm all --each --json", map.display()), text, parts);
    };
    scen(b"", &["standard input: line 1", "version 1"]);
    scen(b"version 2\n", &["line 1", "version 2"]);
    scen(b"version 1\n0 m 5 3 0 0 4 0\n", &["line 2", "nine columns"]);
    scen(b"version 1\n0 m 5 3 0 0 4 0 x\n", &["line 2, column 17", "a length"]);
    scen(b"version 1\n0 m 5 3 0 0 4 0 NaN\n", &["line 2", "a length"]);
    scen(b"version 1\n0 m 5 3 0 0 4 0 -4\n", &["line 2", "a length"]);
    scen(b"version 1\n0 m 5 0 0 0 4 0 4\n", &["line 2", "no cells"]);
    scen(b"version 1\n0 m 5 3 0 0 4 0 \xff\n", &["line 2", "UTF-8"]);

    let good = "0 m 5 3 0 0 4 0 4\n";
    let misfit = |line: &str, parts: &[&str]| {
        let text = format!("version 1\n{good}\n \n{line}\n{good}");
        scen(text.as_bytes(), &[&["standard input: line 5: "], parts].concat());
    };
    misfit("0 m 6 3 0 0 4 0 4", &["for a map of 6 x 3, the map is 5 x 3"]);
    misfit("0 m 5 3 5 0 4 0 4", &["the start 5,0 is outside the map of 5 x 3"]);
    misfit("0 m 5 3 0 0 4 -1 4", &["the goal 4,-1 is outside the map of 5 x 3"]);

    refuses("scen - -", "", &["MAP and SCEN", "standard input"]);
    refuses(&format!("scen {} absent.scen", map.display()), "", &["absent.scen"]);
    refuses(&format!("scen {} - --weight 0.5", map.display()), "version 1\n", &["--weight"]);
    refuses(&format!("scen {} - --limit -1", map.display()), "version 1\n", &["--limit"]);
    refuses(&format!("scen {} - --algorithm fly", map.display()), "version 1\n", &["--algorithm", "all"]);
}

#[test]
fn help_and_no_command_are_no_panic() {
    for arguments in ["--help", "path --help", "scen --help", "field --help"] {
        let said = wayfield(arguments, "");
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{arguments}");
        assert!(said.stdout.contains("Usage: wayfield"), "{arguments}");
        assert!(arguments == "--help" || said.stdout.contains("Examples:"), "{arguments}");
    }
    let said = wayfield_with(&[], "");
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("Usage: wayfield"));
}

#[test]
fn a_reader_that_hangs_up_is_no_error() {
    let map = format!("{}\n", ".".repeat(200)).repeat(200);
    let scen = file("hang_up.scen", "version 1\n0 m 200 200 0 0 199 199 281.428\n");
    let scen = format!("scen - {} --each --json", scen.display());
    for arguments in ["field - --source 0,0 --json", "field - --source 0,0", "path - --from 0,0 --to 9,9", &scen] {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let mut child = start(&arguments);
        // It waits for its map, so the reader is gone before it writes.
        drop(child.stdout.take());
        feed(&mut child, map.as_bytes());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
