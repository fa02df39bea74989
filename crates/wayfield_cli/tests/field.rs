//! The real binary: fields of all kinds, sums, steps and pictures, against numbers worked out by hand.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod support;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{answer, assert_close, file, refuses, wayfield};
use wayfield::{Cell, CostGrid, DijkstraMap, FleeRule, FleeScale, Source, parse_map};

/// A corridor.
const CORRIDOR: &str = ".......\n";

fn values(arguments: &str, map: &str) -> Value {
    answer(&format!("field - {arguments}"), map)["values"].clone()
}

#[track_caller]
fn assert_row(row: &Value, expected: &[f64]) {
    let row = row.as_array().unwrap();
    assert_eq!(row.len(), expected.len());
    row.iter().zip(expected).for_each(|(value, &expected)| assert_close(value, expected));
}

/// A place for a file that a test lets the binary write.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// The field that the arguments compute, in a file.
fn field_file(name: &str, arguments: &str, map: &str) -> PathBuf {
    file(name, wayfield(&format!("field - {arguments} --json"), map).stdout)
}

#[test]
fn a_limit_ends_what_has_a_value() {
    // Entering the hill costs 3: who is on the left gets on it, and no farther.
    let map = "..3..\n";
    assert_eq!(values("--source 0,0 --from --limit 4", map), json!([[0.0, 1.0, 4.0, null, null]]));
    assert_eq!(values("--source 0,0 --from --limit 3.9", map), json!([[0.0, 1.0, null, null, null]]));
    assert_eq!(values("--source 0,0 --limit 4", map), json!([[0.0, 1.0, 2.0, null, null]]));
    assert_eq!(values("--source 0,0=2 --source 4,0 --limit 1", map), json!([[null, null, null, 1.0, 0.0]]));
    assert_eq!(values("--source 0,0 --limit 0", map), json!([[0.0, null, null, null, null]]));
}

#[test]
fn safety_saturates() {
    // 2 * 4 * d / (4 + d), and from there on what is cheapest by way of it.
    let safety = |d: f64| -2.0 * 4.0 * d / (4.0 + d);
    let row = values("--source 0,0 --saturating=2:4", CORRIDOR);
    let row: Vec<f64> = row[0].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    for (x, value) in row.iter().enumerate() {
        // The threat's own cell is left, but not entered.
        let ends = [x].into_iter().chain(1..7).map(|end| safety(end as f64) + x.abs_diff(end) as f64);
        let least = ends.min_by(f64::total_cmp).unwrap();
        assert!((value - least).abs() < 2e-3, "{x}: {value}, not {least}");
    }
    // Without numbers it is 3 and 50.
    assert_eq!(values("--source 0,0 --saturating", CORRIDOR), values("--source 0,0 --saturating=3:50", CORRIDOR));
    assert_ne!(values("--source 0,0 --saturating", CORRIDOR), values("--source 0,0 --saturating=3:5", CORRIDOR));
    assert_ne!(values("--source 0,0 --saturating", CORRIDOR), values("--source 0,0 --flee 3", CORRIDOR));
}

#[test]
fn a_ring_is_where_the_distance_is_kept() {
    // The ring is 2 to 3 away. What is nearer counts one more than the farthest beyond it, which is 3.
    let row = values("--source 0,0 --kite 2:3", CORRIDOR);
    assert_eq!(row, json!([[2.0 + 4.0, 1.0 + 4.0, 0.0, 0.0, 1.0, 2.0, 3.0]]));
    assert_eq!(values("--source 0,0 --kite 9:9", CORRIDOR), json!([[null, null, null, null, null, null, null]]));
    assert_eq!(wayfield("field - --source 3,0 --kite 2:2 --flow", CORRIDOR).stdout, "→.←←→.←\n");
}

#[test]
fn sources_in_walls_attract_nobody_and_can_be_left() {
    let map = "#..\n";
    assert_eq!(values("--source 0,0", map), json!([[null, null, null]]));
    assert_eq!(values("--source 0,0 --from", map), json!([[0.0, 1.0, 2.0]]));
    assert_eq!(values("--source 0,0 --limit 9", map), json!([[null, null, null]]));
    assert_eq!(wayfield("field - --source 0,0 --flow", map).stdout, "#--\n");
}

#[test]
fn sums_are_worked_out_cell_by_cell() {
    let left = field_file("left.json", "--source 0,0", CORRIDOR);
    let middle = field_file("middle.json", "--source 3,0", CORRIDOR);
    // 3 - 0.5 * 0, 2 - 0.5 * 1 ..
    let arguments = format!("--source 3,0 --sum {}:-0.5", left.display());
    assert_row(&values(&arguments, CORRIDOR)[0], &[3.0, 1.5, 0.0, -1.5, -1.0, -0.5, 0.0]);
    let arguments = format!("--source 6,0 --sum {}:1 --sum {}:2", left.display(), middle.display());
    assert_row(&values(&arguments, CORRIDOR)[0], &[12.0, 10.0, 8.0, 6.0, 8.0, 10.0, 12.0]);
    // A cell without a value in either has none.
    let near = field_file("near.json", "--source 0,0 --limit 2", CORRIDOR);
    let arguments = format!("--source 6,0 --limit 5 --sum {}:1", near.display());
    assert_eq!(values(&arguments, CORRIDOR), json!([[null, 6.0, 6.0, null, null, null, null]]));
    // From standard input, and with a colon in its name.
    let map = file("corridor.map", CORRIDOR);
    let written = std::fs::read(&left).unwrap();
    let odd = file("a:b.json", &written);
    for sum in ["-".to_owned(), odd.display().to_string()] {
        let said = wayfield(&format!("field {} --source 6,0 --sum {sum}:1", map.display()), &written);
        assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("6 6 6 6 6 6 6\n", ""));
    }
}

#[test]
fn sums_of_what_was_written_are_those_of_the_core() {
    let rows: Vec<String> = (0..30)
        .map(|y| {
            (0..40)
                .map(|x| if (x * 7 + y * 13) % 11 == 0 { '#' } else { char::from(b'1' + (x * y % 5) as u8) })
                .collect()
        })
        .collect();
    let map = rows.join("\n");
    let text = parse_map(map.as_bytes()).unwrap();
    let grid = CostGrid::new(&text.terrain, &text.default_class());
    let source = |x, y, value| Source { cell: Cell::new(x, y), value };
    let home = DijkstraMap::toward(&grid, [source(1, 0, 0.125), source(38, 29, 7.5)]).unwrap();
    let threats = || [Cell::new(20, 15)];
    let fear = DijkstraMap::flee(&grid, &grid, threats(), FleeScale::new(1.2).unwrap()).unwrap();
    let safety = DijkstraMap::flee(&grid, &grid, threats(), FleeRule::SATURATING).unwrap();
    let files = [
        field_file("fear.json", "--source 20,15 --flee 1.2", &map),
        field_file("safety.json", "--source 20,15 --saturating", &map),
    ];
    for weights in [[1.0, 0.0], [0.5, -0.333], [-2.0, 0.25], [0.1, 900.0]] {
        let sum = DijkstraMap::weighted_sum(&[(&home, 1.0), (&fear, weights[0]), (&safety, weights[1])]).unwrap();
        let [fear, safety] = [0, 1].map(|term| format!("{}:{}", files[term].display(), weights[term]));
        let arguments = format!("--source 1,0=0.125 --source 38,29=7.5 --sum {fear} --sum {safety}");
        let said = values(&arguments, &map);
        for cell in grid.size().rect().cells() {
            let value = said[cell.y as usize][cell.x as usize].as_f64();
            assert_eq!(value, sum.value(cell), "{cell} of {weights:?}");
        }
    }
}

#[test]
fn steps_are_shown() {
    let map = "...\n.#.\n...\n";
    assert_eq!(wayfield("field - --source 2,2 --flow", map).stdout, "↓→↓\n↓#↓\n→→.\n");
    let line = answer("field - --source 2,2 --flow", map);
    assert_eq!((&line["width"], &line["height"], &line["links"]), (&json!(3), &json!(3), &json!([])));
    assert_eq!(line["directions"][0], json!([["S", "E"], ["E"], ["S"]]));
    // Out of the wall, too: straight to where it is nearest.
    assert_eq!(line["directions"][1], json!([["S"], ["SE"], ["S"]]));
    assert_eq!(line["directions"][2], json!([["E"], ["E"], []]));

    let linked = "field - --source 6,0 --link 0,0:5,0 --flow";
    assert_eq!(wayfield(linked, CORRIDOR).stdout, "*←←→→→.\n");
    let line = answer(linked, CORRIDOR);
    assert_eq!(line["links"], json!([{ "from": [0, 0], "to": [5, 0] }]));
    assert_eq!(line["directions"][0][0], json!([]));
}

#[test]
fn steps_on_a_sum_lead_across_flats_that_go_on_down() {
    let left = field_file("the_left.json", "--source 0,0", CORRIDOR);
    let flow = |sources: &str, weight: &str| {
        wayfield(&format!("field - {sources} --sum {}:{weight} --flow", left.display()), CORRIDOR).stdout
    };
    // 3 1 -1 -3 -3 -3 -3, 3 3 3 3 5 7 9 and 3 3 3 3 2 0 -2
    assert_eq!(flow("--source 3,0", "-1"), "→→→....\n");
    assert_eq!(flow("--source 3,0", "1"), "....←←←\n");
    assert_eq!(flow("--source 0,0=3 --source 6,0=4", "-1"), "→→→→→→.\n");
}

/// A picture, as places in its palette, and the palette.
struct Decoded {
    width: usize,
    places: Vec<u8>,
    palette: Vec<u8>,
}

impl Decoded {
    fn read(path: &Path) -> Self {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut places = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut places).unwrap();
        assert_eq!(frame.color_type, png::ColorType::Indexed);
        let palette = reader.info().palette.as_ref().unwrap().to_vec();
        Self { width: frame.width as usize, places, palette }
    }

    fn height(&self) -> usize {
        self.places.len() / self.width
    }

    fn colour(&self, x: usize, y: usize) -> [u8; 3] {
        let place = usize::from(self.places[y * self.width + x]) * 3;
        [self.palette[place], self.palette[place + 1], self.palette[place + 2]]
    }
}

fn picture(name: &str, arguments: &str, map: &str) -> Decoded {
    let path = place(name);
    let said = wayfield(&format!("field - {arguments} --png {}", path.display()), map);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (Some(0), "", ""));
    Decoded::read(&path)
}

#[test]
fn a_picture_has_colours_walls_and_lines() {
    const WALL: [u8; 3] = [20, 20, 24];
    const NO_VALUE: [u8; 3] = [136, 136, 136];
    let map = "...#.\n...#.\n";
    // 0 1 2 and a room that is not reached; the lower row is as far, or a diagonal.
    let drawn = picture("small.png", "--source 0,0 --corners never --lines 2 --pixels 4", map);
    assert_eq!((drawn.width, drawn.height()), (20, 8));
    // Viridis from end to end: 0 is the lowest value, and 3, below and two to the right, the highest.
    assert_eq!((drawn.colour(0, 0), drawn.colour(9, 5)), ([68, 1, 84], [253, 231, 37]));
    assert!((12..16).all(|x| (0..8).all(|y| drawn.colour(x, y) == WALL)));
    assert!((16..20).all(|x| (0..8).all(|y| drawn.colour(x, y) == NO_VALUE)));
    // Only the values 1 and 2 lie on two sides of a line: between the second and the third cell above, and between the first
    // and the second below, and down from the second cell above.
    let is_line = |x, y| [[255; 3], [0; 3]].contains(&drawn.colour(x, y));
    let lines: Vec<_> = (0..8).flat_map(|y| (0..20).map(move |x| (x, y))).filter(|&(x, y)| is_line(x, y)).collect();
    let mut expected: Vec<(usize, usize)> = (0..4).map(|y| (7, y)).collect();
    expected.extend((4..8).map(|y| (3, y)));
    expected.extend((4..7).map(|x| (x, 3)));
    expected.sort_by_key(|&(x, y)| (y, x));
    assert_eq!(lines, expected);
    // Dark cells have bright lines, and there are none at all if that is asked for, or if all is flat.
    assert_eq!(drawn.colour(7, 0), [255; 3]);
    let plain = picture("plain.png", "--source 0,0 --corners never --lines 0 --pixels 4", map);
    let flat = picture("flat.png", "--source 0,0 --source 1,0 --limit 0", map);
    for drawn in [&plain, &flat] {
        assert!(drawn.places.iter().all(|place| !(2..4).contains(place)));
    }
    assert_eq!(flat.colour(0, 0), [68, 1, 84]);
}

#[test]
fn pictures_are_enlarged_and_lines_are_spaced_to_fit() {
    let small = picture("size.png", "--source 0,0", CORRIDOR);
    assert_eq!((small.width, small.height()), (7 * 32, 32));
    let hundred = picture("hundred.png", "--source 0,0", &format!("{}\n", ".".repeat(100)));
    assert_eq!((hundred.width, hundred.height()), (500, 5));
    // 0 to 99 in a row: a line every ten, which is where the tens change.
    let lines: Vec<_> = (0..500).filter(|&x| (2..4).contains(&hundred.places[x])).collect();
    assert_eq!(lines, (1..10).map(|ten| ten * 50 - 1).collect::<Vec<_>>());
    // Dark above bright cells.
    assert_eq!((hundred.colour(lines[0], 0), hundred.colour(lines[8], 0)), ([255; 3], [0; 3]));
    let large = picture("large.png", "--source 0,0", &format!("{}\n", ".".repeat(600)));
    assert_eq!((large.width, large.height()), (600, 1));
    let chosen = picture("chosen.png", "--source 0,0 --pixels 3", CORRIDOR);
    assert_eq!((chosen.width, chosen.height()), (21, 3));

    // The same bytes whenever it is drawn.
    let [once, again] = ["once.png", "again.png"].map(|name| {
        picture(name, "--source 3,0 --flee 1.2", CORRIDOR);
        std::fs::read(place_of(name)).unwrap()
    });
    assert_eq!(once, again);
}

fn place_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let field = |flags: &str, parts: &[&str]| refuses(&format!("field - --source 0,0 {flags}"), CORRIDOR, parts);
    let kinds = ["--from", "--flee 1.2", "--saturating", "--kite 1:2"];
    for (index, one) in kinds.iter().enumerate() {
        for other in &kinds[index + 1..] {
            let names = [one, other].map(|flag| flag.split(' ').next().unwrap());
            field(&format!("{one} {other}"), &["cannot be used with", names[0], names[1]]);
        }
        if *one != "--from" {
            field(&format!("{one} --limit 3"), &["--limit", "cannot be used with"]);
            let value = format!("field - --source 0,0=3 {one}");
            let parts = ["--source 0,0=3", "a threat"];
            if *one == "--saturating" {
                refuses(&format!("{value}=1:2"), CORRIDOR, &parts);
            } else {
                refuses(&value, CORRIDOR, &parts);
            }
        }
    }
    field("--from --flow", &["--flow", "--from"]);
    let out = place("refused.png");
    field(&format!("--png {} --json", out.display()), &["--png", "--json"]);
    field(&format!("--png {} --flow", out.display()), &["--png", "--flow"]);
    for flag in ["--pixels 3", "--lines 3"] {
        field(flag, &["--png"]);
    }
    for limit in ["-1", "NaN", "inf", "x", ""] {
        field(&format!("--limit {limit}"), &["--limit"]);
        field(&format!("--png {} --lines {limit}", out.display()), &["--lines"]);
    }
    for ring in ["", "3", "3:", ":3", "3:2", "-1:2", "NaN:2", "1:inf", "1:x", "1:2:3"] {
        field(&format!("--kite {ring}"), &["--kite"]);
    }
    for numbers in ["3", "3:", ":50", "0:50", "3:0", "3:65536", "NaN:50", "1001:50", "3:1.5", "-1:50"] {
        field(&format!("--saturating={numbers}"), &["--saturating"]);
    }
    for pixels in ["0", "65", "-1", "1.5"] {
        field(&format!("--png {} --pixels {pixels}", out.display()), &["--pixels"]);
    }
    for kind in kinds {
        refuses(&format!("field - --source 9,0 {kind}"), CORRIDOR, &["the source 9,0 is outside"]);
    }
    assert!(!out.exists());
}

#[test]
fn what_cannot_be_added_is_refused_with_file_and_place() {
    let good = field_file("good.json", "--source 0,0", "..\n..\n");
    let sum = |sum: &str, parts: &[&str]| refuses(&format!("field - --source 0,0 --sum {sum}"), "..\n..\n", parts);
    sum("absent.json:1", &["cannot read absent.json"]);
    for weight in ["NaN", "inf", "-inf", "1001", "-1e9"] {
        sum(&format!("{}:{weight}", good.display()), &["--sum", "weight", "-1000 to 1000"]);
    }
    for text in ["x", "", ":1", "good.json", "good.json:", "good.json:x"] {
        sum(text, &["--sum", "FILE:WEIGHT"]);
    }
    let broken = |text: &str, parts: &[&str]| {
        let path = file("broken.json", text);
        sum(&format!("{}:1", path.display()), &[&["broken.json: "], parts].concat());
    };
    broken("", &["line 1"]);
    broken("{\"width\":2,\n\"height\":x}", &["line 2 column 10"]);
    broken("{\"width\":2,\"height\":2}", &["values"]);
    broken("{\"width\":-2,\"height\":2,\"values\":[]}", &["-2", "line 1"]);
    let field = |width: u32, height: u32, values: &str| {
        format!("{{\"width\":{width},\"height\":{height},\"values\":{values}}}")
    };
    broken(&field(3, 2, "[[0,0,0],[0,0,0]]"), &["the field is 3 x 2, the map is 2 x 2"]);
    broken(&field(2, 2, "[[0,0]]"), &["1 rows", "not 2"]);
    broken(&field(2, 2, "[[0,0],[0]]"), &["row 1", "1 values", "not 2"]);
    broken(&field(2, 2, "[[0,0],[0,1e9]]"), &["cell 1,1", "1000000000"]);
    broken(&field(2, 2, "[[0,0],[0,1e999]]"), &["line 1"]);
    broken(&field(2, 2, "[[0,0],[0,NaN]]"), &["line 1"]);
    let long = format!("{}{}", field(2, 2, "[[0,0],[0,0]]"), " ".repeat(10_000));
    sum(&format!("{}:1", file("long.json", &long).display()), &["long.json", "too large"]);
    // What comes out may be too large, too.
    let large = file("large.json", field(2, 2, "[[0,0],[0,9e5]]"));
    sum(&format!("{}:2", large.display()), &["--sum", "cell 1,1"]);
    sum("-:1", &["MAP and --sum", "standard input"]);
    let map = file("two_by_two.map", "..\n..\n");
    refuses(&format!("field {} --source 0,0 --sum -:1 --sum -:1", map.display()), "", &["standard input"]);
}

#[test]
fn a_picture_that_cannot_be_written_or_is_too_large_is_an_error() {
    let out = place("no_such_folder").join("out.png");
    let said = wayfield(&format!("field - --source 0,0 --png {}", out.display()), CORRIDOR);
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
    assert!(said.stderr.contains("cannot write") && said.stderr.contains("out.png"), "{}", said.stderr);
    let huge = place("huge.png");
    let wide = format!("{}\n", ".".repeat(1500)).repeat(1500);
    let arguments = format!("field - --source 0,0 --pixels 64 --png {}", huge.display());
    refuses(&arguments, &wide, &["--pixels 64", "96000 x 96000"]);
    assert!(!huge.exists());
}
