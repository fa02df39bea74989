//! `wayfield graph`, the real binary: answers, their promised keys, and every kind of bad input.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const ALGORITHMS: [&str; 12] = [
    "bfs",
    "dfs",
    "dijkstra",
    "greedy",
    "a_star",
    "weighted_a_star",
    "bidirectional_bfs",
    "bidirectional_dijkstra",
    "bidirectional_a_star",
    "lpa_star",
    "bellman_ford",
    "contraction_hierarchy",
];

/// Castle, village, river, forest and cave; from the cave no road leads back, and to the sixth node none at all.
const COUNTRY: &str = "c a small country\np sp 6 6\na 1 2 5\na 1 3 3\na 2 4 8\na 3 5 2\na 5 4 4\na 3 4 10\n";
const PLACES: &str = "p aux sp co 6\nv 1 0 0\nv 2 0 5\nv 3 3 0\nv 4 8 5\nv 5 5 0\nv 6 9 9\n";

/// Exit code, standard output and standard error.
fn wayfield(arguments: &str, input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfield"));
    command.args(arguments.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A child that has ended before it read all of it is no failure.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn answer(arguments: &str, input: &str) -> Value {
    let (code, stdout, stderr) = wayfield(&format!("{arguments} --json"), input);
    assert_eq!((code, stderr.as_str(), stdout.lines().count()), (Some(0), "", 1), "{arguments}");
    serde_json::from_str(&stdout).unwrap()
}

fn refuses(arguments: &str, input: &str, parts: &[&str]) {
    let (code, stdout, stderr) = wayfield(arguments, input);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{arguments}: no \"{part}\" in: {stderr}");
    }
}

fn places(name: &str, text: &str) -> String {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn every_algorithm_finds_the_forest() {
    let file = places("country.co", PLACES);
    for algorithm in ALGORITHMS {
        for coordinates in [String::new(), format!(" --coordinates {file}")] {
            let line = answer(&format!("graph - --from 1 --to 4 --algorithm {algorithm}{coordinates}"), COUNTRY);
            assert_eq!((&line["outcome"], &line["reason"]), (&json!("found"), &Value::Null), "{algorithm}");
            let nodes = line["nodes"].as_array().unwrap();
            assert_eq!((nodes.first(), nodes.last()), (Some(&json!(1)), Some(&json!(4))));
            assert!(line["expanded"].as_u64().unwrap() > 0);
            if !["bfs", "dfs", "greedy", "bidirectional_bfs"].contains(&algorithm) {
                assert_eq!((&line["cost"], &line["nodes"]), (&json!(9.0), &json!([1, 3, 5, 4])), "{algorithm}");
            }
            if !coordinates.is_empty() {
                assert_eq!(line["algorithm"], algorithm, "with coordinates all are what they are called");
            }
        }
    }
    assert_eq!(answer("graph - --from 1 --to 4", COUNTRY)["algorithm"], "dijkstra");
}

#[test]
fn answers_without_a_path_are_answers() {
    let keys = ["outcome", "reason", "algorithm", "cost", "expanded", "nodes"];
    for arguments in ["--from 1 --to 6", "--from 4 --to 1", "--from 1 --to 4 --cap 1"] {
        let line = answer(&format!("graph - {arguments}"), COUNTRY);
        let object = line.as_object().unwrap();
        assert!(object.len() == keys.len() && keys.iter().all(|key| object.contains_key(*key)));
        assert_eq!((&line["outcome"], &line["cost"], &line["nodes"]), (&json!("failed"), &Value::Null, &json!([])));
        let reason = if arguments.contains("cap") { "cap_reached" } else { "unreachable" };
        assert_eq!(line["reason"], reason);
    }
    let partial =
        answer(&format!("graph - --from 1 --to 6 --partial --coordinates {}", places("partial.co", PLACES)), COUNTRY);
    assert_eq!((&partial["outcome"], &partial["nodes"]), (&json!("partial"), &json!([1, 3, 5, 4])));
    let (code, stdout, _) = wayfield("graph - --from 1 --to 4", COUNTRY);
    let text = "outcome    found\nreason     -\nalgorithm  dijkstra\ncost       9\nexpanded   5\nnodes      1 3 5 4\n";
    assert_eq!((code, stdout.as_str()), (Some(0), text));
}

#[test]
fn negative_weights_are_named_as_in_the_file() {
    let portal = "p sp 3 2\na 1 2 -2\na 2 3 1\n";
    let line = answer("graph - --from 1 --to 3 --algorithm bellman_ford", portal);
    assert_eq!(line["cost"], -1.0);
    for algorithm in ALGORITHMS.into_iter().filter(|&algorithm| algorithm != "bellman_ford") {
        let arguments = format!("graph - --from 1 --to 3 --algorithm {algorithm}");
        refuses(&arguments, portal, &["standard input", "from 1 to 2", "negative weight -2"]);
    }
    let cycle = "p sp 3 3\na 1 2 1\na 2 3 1\na 3 2 -2\n";
    refuses("graph - --from 1 --to 3 --algorithm bellman_ford", cycle, &["costs -1", "2 -> 3 -> 2"]);
    let free = "p sp 2 1\na 1 2 0\n";
    refuses("graph - --from 1 --to 2 --algorithm lpa_star", free, &["from 1 to 2", "weight of 0"]);
}

#[test]
fn bad_input_is_named() {
    refuses("graph - --from 0 --to 4", COUNTRY, &["start 0", "from 1 to 6"]);
    refuses("graph - --from 1 --to 7", COUNTRY, &["goal 7", "from 1 to 6"]);
    refuses("graph - --from 1 --to 4294967296", COUNTRY, &["goal 4294967296"]);
    refuses("graph - --from -1 --to 4", COUNTRY, &["--from", "whole number"]);
    refuses("graph - --from 1 --to x", COUNTRY, &["--to", "whole number"]);
    refuses("graph - --from 1 --to 4 --algorithm jps", COUNTRY, &["jps", "contraction_hierarchy"]);
    refuses("graph - --from 1 --to 4 --weight 0.5", COUNTRY, &["--weight"]);
    refuses("graph absent.gr --from 1 --to 4", "", &["absent.gr"]);
    refuses("graph - --from 1 --to 4", "p sp 6 1\na 1 2 x\n", &["standard input: line 2", "\"x\""]);
    refuses("graph - --from 1 --to 4 --coordinates -", COUNTRY, &["FILE and --coordinates are both -"]);
    refuses("graph - --from 1 --to 1", "p sp 4000000000 1\na 1 2 3\n", &["line 1", "too many"]);
    let few = places("few.co", "p aux sp co 1\nv 1 0 0\n");
    refuses(&format!("graph - --from 1 --to 4 --coordinates {few}"), COUNTRY, &["few.co", "1 positions for 6 nodes"]);
    let odd = places("odd.co", "p aux sp co 1\nv 2 0 0\n");
    refuses(&format!("graph - --from 1 --to 4 --coordinates {odd}"), COUNTRY, &["odd.co: line 2", "node 2"]);
}
