//! The lab without a window, as a user starts it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The lab, which `cargo test` builds beside this test.
fn lab() -> Command {
    let mut folder = std::env::current_exe().unwrap_or_default();
    folder.pop();
    folder.pop();
    let lab = folder.join("examples").join(format!("lab{}", std::env::consts::EXE_SUFFIX));
    assert!(lab.exists(), "{} is not built: run `cargo test`, or `cargo build --example lab`", lab.display());
    Command::new(lab)
}

fn run(arguments: &[&str]) -> Output {
    lab().args(arguments).output().unwrap_or_else(|error| panic!("the lab does not start: {error}"))
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The width, the height and the colours of a figure that was written.
fn figure(name: &str, arguments: &[&str]) -> (u32, u32, Vec<[u8; 3]>) {
    let path = file(name);
    let _ = std::fs::remove_file(&path);
    let output = run(&[arguments, &["--png", &path.to_string_lossy()]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    read(&path)
}

/// The width, the height and the colours of a picture.
fn read(path: &Path) -> (u32, u32, Vec<[u8; 3]>) {
    let opened = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let picture = png::Decoder::new(std::io::BufReader::new(opened)).read_info();
    let mut picture = picture.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = vec![0; picture.output_buffer_size().unwrap_or_default()];
    let frame = picture.next_frame(&mut bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (frame.width, frame.height, bytes.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
}

fn count(pixels: &[[u8; 3]], wanted: [u8; 3]) -> usize {
    pixels.iter().filter(|pixel| **pixel == wanted).count()
}

const PAPER: [u8; 3] = [0xFB, 0xFA, 0xF7];

#[test]
fn figures_of_all_kinds_are_drawn_without_a_window() {
    for (name, arguments) in [
        ("swamp.png", &["--steps", "40"][..]),
        ("grid_a.png", &["--preset", "grid-a", "--algorithm", "bfs", "--size", "400x500"]),
        ("race.png", &["--preset", "dead-end", "--against", "jps", "--size", "1200x600"]),
        ("field.png", &["--preset", "noise", "--field", "flee", "--threat", "9,9", "--scale", "1.4"]),
        ("range.png", &["--field", "range", "--points", "12", "--source", "4,4"]),
        ("repair.png", &["--algorithm", "lpa_star", "--edit", "15,13", "--edit", "15,14", "--steps", "7"]),
        ("clusters.png", &["--preset", "clusters", "--algorithm", "hpa_star", "--size", "3840x2160"]),
        ("small.png", &["--preset", "maze", "--seed", "7", "--size", "320x240"]),
    ] {
        let (width, height, pixels) = figure(name, arguments);
        assert!(width >= 320 && height >= 100 && pixels.len() == (width * height) as usize, "{name}");
        let colors: std::collections::BTreeSet<_> = pixels.iter().collect();
        assert!(colors.len() > 20, "{name} has {} colours", colors.len());
        assert!(count(&pixels, PAPER) < pixels.len() * 3 / 4, "{name} is nearly empty");
    }
}

#[test]
fn the_same_question_is_the_same_file_and_steps_are_seen() {
    let steps = |name, steps| figure(name, &["--preset", "maze", "--seed", "3", "--steps", steps]);
    assert_eq!(steps("one.png", "30"), steps("other.png", "30"));
    assert_ne!(steps("one.png", "30"), steps("other.png", "31"));
}

/// README tells how its figures are made.
#[test]
fn the_figures_of_the_readme_are_what_their_commands_draw() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&readme).unwrap_or_else(|error| panic!("{}: {error}", readme.display()));
    let commands = readme.lines().filter_map(|line| line.strip_prefix("cargo run --example lab -- "));
    let drawn = commands.filter_map(|command| command.split_once(" --png "));
    let mut figures = 0;
    for (arguments, asset) in drawn {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let (width, height, pixels) = figure("readme.png", &arguments);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(asset.trim());
        let (old_width, old_height, old) = read(&path);
        assert_eq!((old_width, old_height), (width, height), "{asset}");
        // Roots and powers need not be the same to the last bit everywhere.
        let differs = |(one, other): &(&[u8; 3], &[u8; 3])| one.iter().zip(*other).any(|(a, b)| a.abs_diff(*b) > 8);
        let different = pixels.iter().zip(&old).filter(differs).count();
        assert!(different * 1000 < pixels.len(), "{asset} has {different} other pixels: draw it anew");
        figures += 1;
    }
    assert_eq!(figures, 2);
}

#[test]
fn bad_arguments_are_errors_that_name_them() {
    let missing = file("there_is_no_such.map");
    let missing = missing.to_string_lossy();
    let ragged = file("lab_ragged.map");
    std::fs::write(&ragged, "start 0,0\n...\n..\n").unwrap_or_else(|error| panic!("{error}"));
    let ragged = ragged.to_string_lossy();
    let picture = file("never.png");
    let picture = picture.to_string_lossy();
    for (arguments, message) in [
        (&["--algorithm", "a-star"][..], "unknown algorithm \"a-star\"; known are auto, bfs"),
        (&["--heuristic", "guess"], "unknown heuristic"),
        (&["--corners", "some"], "unknown corner rule"),
        (&["--preset", "nowhere"], "--preset"),
        (&["--weight", "0.5"], "a weight is a number from 1"),
        (&["--size", "10x10"], "sides from 160 to 8192"),
        (&["--from", "3;4"], "a cell is X,Y"),
        (&["--from", "99,4"], "--from 99,4 is outside the map of 31 x 18"),
        (&["--field", "range", "--source", "1,-1"], "--source 1,-1 is outside"),
        (&["--field", "flee", "--scale", "nan"], "--scale NaN"),
        (&["--field", "range", "--points", "-1"], "-1"),
        (&["--edit", "3,3"], "not a_star"),
        (&["--field", "flee", "--against", "jps"], "cannot be used with"),
        (&["--map", &missing], "there_is_no_such.map"),
        (&["--map", &ragged], "line 3, column 3"),
    ] {
        let output = run(&[arguments, &["--png", &picture]].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(message), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty() && !Path::new(&*picture).exists());
    }
    let output = run(&["--png", "/there/is/no/such/folder/x.png"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn without_a_display_it_says_so() {
    if cfg!(all(unix, not(target_os = "macos"))) {
        let mut lab = lab();
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            lab.env_remove(name);
        }
        let output = lab.output().unwrap_or_else(|error| panic!("{error}"));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(text.contains("no display") && text.contains("--png"), "{text}");
    }
}
