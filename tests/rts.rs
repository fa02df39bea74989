//! The demo without a window, as a user starts it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The demo, which `cargo test` builds beside this test.
fn demo() -> Command {
    let mut folder = std::env::current_exe().unwrap_or_default();
    folder.pop();
    folder.pop();
    let demo = folder.join("examples").join(format!("rts{}", std::env::consts::EXE_SUFFIX));
    assert!(demo.exists(), "{} is not built: run `cargo test`, or `cargo build --example rts`", demo.display());
    Command::new(demo)
}

fn run(arguments: &[&str]) -> Output {
    demo().args(arguments).output().unwrap_or_else(|error| panic!("the demo does not start: {error}"))
}

/// The last line of standard output, as JSON.
fn report(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {last}"))
}

fn count(report: &Value, key: &str) -> u64 {
    report[key].as_u64().unwrap_or_else(|| panic!("the report has no number {key}: {report}"))
}

fn map_file(name: &str, text: &[u8]) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    file
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let game = ["--headless", "--ticks", "450", "--seed", "3", "--json"];
    let (first, second) = (report(&run(&game)), report(&run(&game)));
    assert_eq!(first["hash"], second["hash"]);
    assert_eq!(first["searches"], second["searches"]);
    let other = report(&run(&["--headless", "--ticks", "450", "--seed", "4", "--json"]));
    assert_ne!(first["hash"], other["hash"]);
}

#[test]
fn a_minute_is_full_of_life() {
    let report = report(&run(&["--headless", "--ticks", "1800", "--seed", "1", "--json"]));
    assert_eq!(count(&report, "ticks"), 1800);
    assert!(count(&report, "width") >= 128 && count(&report, "height") >= 128);
    let units = report["units"].as_object().unwrap();
    assert_eq!(units.len(), 4, "four kinds: {units:?}");
    assert!(units.values().filter_map(Value::as_u64).sum::<u64>() >= 200);
    for key in ["orders_given", "orders_reached", "searches", "expansions", "replans", "resources_home", "tick_p99_us"]
    {
        assert!(count(&report, key) > 0, "{key}: {report}");
    }
    assert!(count(&report, "robberies") + count(&report, "raiders_driven_away") > 0, "{report}");
}

#[test]
fn without_a_display_it_runs_headless_and_says_so() {
    let mut demo = demo();
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        demo.env_remove(name);
    }
    if cfg!(all(unix, not(target_os = "macos"))) {
        let output = demo.args(["--ticks", "30", "--json"]).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("no display"));
        assert_eq!(count(&report(&output), "ticks"), 30);
    }
}

#[test]
fn it_plays_on_a_map_of_ones_own() {
    let mut rows = vec![b'.'; 40 * 41];
    rows.iter_mut().skip(40).step_by(41).for_each(|end| *end = b'\n');
    let file = map_file("meadow.map", &rows);
    let report = report(&run(&["--headless", "--ticks", "300", "--json", "--map", &file.to_string_lossy()]));
    assert_eq!((count(&report, "width"), count(&report, "height")), (40, 40));
    assert!(count(&report, "resources_home") > 0, "{report}");
}

#[test]
fn a_bad_map_is_an_error_with_its_place() {
    for (name, text, place) in [
        ("ragged.map", &b"...\n..\n"[..], "line 2, column 3"),
        ("header.map", b"type octile\nheight 2\nwidth x\nmap\n..\n..\n", "line 3, column 1"),
        ("bytes.map", b"..\n.\xff\n", "line 2, column 2"),
        ("walls.map", b"@@\n@@\n", "no cell that a unit could stand on"),
    ] {
        let file = map_file(name, text);
        let output = run(&["--headless", "--map", &file.to_string_lossy()]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(place) && message.contains(name), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn scenarios_keep_their_promises() {
    for scenario in ["bridge-queue", "head-on", "maze", "swamp-shortcut", "economy", "flee-arena", "closing-gate"] {
        let report = report(&run(&["--headless", "--scenario", scenario, "--json"]));
        assert_eq!(report["scenario"]["verdict"], "passed", "{scenario}: {}", report["scenario"]);
    }
}

#[test]
fn the_swarm_arrives_and_the_same_seed_gives_the_same_run() {
    // How long its ticks take is another machine's affair.
    let swarm = || run(&["--headless", "--scenario", "swarm", "--ticks", "2400", "--json"]);
    let reports = [swarm(), swarm()].map(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let report: Value = text.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap();
        report
    });
    assert_eq!(reports[0]["hash"], reports[1]["hash"]);
    assert_eq!(count(&reports[0], "ticks"), 2400);
    assert_eq!(reports[0]["units"]["soldier"], 2000);
    assert!(count(&reports[0], "replans") > 500, "somebody paints: {}", reports[0]);
}

#[test]
fn an_undecided_scenario_is_no_success() {
    let output = run(&["--headless", "--scenario", "maze", "--ticks", "60", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"running\""));
    assert_eq!(run(&["--headless", "--scenario", "bridge"]).status.code(), Some(2));
}
