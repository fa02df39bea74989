//! Looks at a screenshot of the demo: is there a map, are there units of several teams, is the panel at a side?
//!
//! `cargo run --example check_screenshot -- demo.png` prints what it found. The exit code is 1 with a message that
//! names everything that is missing, and 2 if the picture cannot be read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

/// The smallest picture that counts as a window.
const MIN_SIZE: (usize, usize) = (640, 400);
/// The panel is looked for in this share of the width, at the left and at the right; the rest is the map.
const SIDE_SHARE: f64 = 0.33;

/// Different colours in the map: an empty window has one, a map without tiles a handful.
const MIN_MAP_COLOURS: usize = 24;
/// The largest share of the map that one colour may have.
const MAX_ONE_COLOUR: f64 = 0.9;

/// The colours of the four kinds of unit.
const TEAMS: [(&str, Rgb); 4] = [
    ("soldiers", [0x00, 0x72, 0xB2]),
    ("raiders", [0xD5, 0x5E, 0x00]),
    ("civilians", [0xF0, 0xE4, 0x42]),
    ("workers", [0xCC, 0x79, 0xA7]),
];
/// How far each channel of a pixel may be off to belong to a team.
const TEAM_TOLERANCE: u8 = 10;
/// Pixels that make a team present: a few small units.
const MIN_TEAM_PIXELS: usize = 24;
/// Teams that must be present; the others may be outside the view.
const MIN_TEAMS: usize = 2;

/// The background of egui's dark windows and panels.
const PANEL_BACKGROUND: Rgb = [27, 27, 27];
const PANEL_TOLERANCE: u8 = 2;
/// The share of a side strip that must be panel background.
const MIN_PANEL_SHARE: f64 = 0.06;
/// Text and widgets: light, neutral pixels between those of the background, as a share of the side strip.
const MIN_TEXT_SHARE: f64 = 0.002;
const TEXT_LIGHTNESS: u8 = 110;

type Rgb = [u8; 3];

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: check_screenshot FILE.png");
        return ExitCode::from(2);
    };
    let picture = match Picture::read(&file) {
        Ok(picture) => picture,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    let missing = what_is_missing(&picture);
    for item in &missing {
        eprintln!("{file}: {item}");
    }
    if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn what_is_missing(picture: &Picture) -> Vec<String> {
    let (width, height) = (picture.width, picture.height);
    println!("size {width} x {height}");
    if width < MIN_SIZE.0 || height < MIN_SIZE.1 {
        return vec![format!("a window of at least {} x {}: this is {width} x {height}", MIN_SIZE.0, MIN_SIZE.1)];
    }
    let mut missing = Vec::new();

    let strip = (width as f64 * SIDE_SHARE) as usize;
    let share_in = |from, to, wanted: &dyn Fn(Rgb) -> bool| {
        let hits = picture.columns(from, to).filter(|&colour| wanted(colour)).count();
        hits as f64 / ((to - from) * height) as f64
    };
    let background = |colour| near(colour, PANEL_BACKGROUND, PANEL_TOLERANCE);
    let left = share_in(0, strip, &background);
    let right = share_in(width - strip, width, &background);
    let (panel, map, side, share) = if left > right {
        ((0, strip), (strip, width), "left", left)
    } else {
        ((width - strip, width), (0, width - strip), "right", right)
    };
    let text = share_in(panel.0, panel.1, &light_and_neutral);
    println!("panel: {:.2} % background and {:.2} % text at the {side}", share * 100.0, text * 100.0);
    if share < MIN_PANEL_SHARE {
        missing.push(format!("the panel: no side has {:.1} % of egui's background", MIN_PANEL_SHARE * 100.0));
    } else if text < MIN_TEXT_SHARE {
        missing.push(format!("the panel's text: {side} side has less than {:.2} % of it", MIN_TEXT_SHARE * 100.0));
    }

    let mut colours: BTreeMap<Rgb, usize> = BTreeMap::new();
    for colour in picture.columns(map.0, map.1) {
        *colours.entry(colour).or_default() += 1;
    }
    let most = colours.values().copied().max().unwrap_or(0) as f64 / ((map.1 - map.0) * height) as f64;
    println!("map: {} colours, the commonest has {:.1} %", colours.len(), most * 100.0);
    if colours.len() < MIN_MAP_COLOURS || most > MAX_ONE_COLOUR {
        missing.push(format!(
            "the map: {} colours (at least {MIN_MAP_COLOURS}), one of them on {:.0} % (at most {:.0} %)",
            colours.len(),
            most * 100.0,
            MAX_ONE_COLOUR * 100.0,
        ));
    }

    let mut present = 0;
    for (team, wanted) in TEAMS {
        let pixels: usize =
            colours.iter().filter(|&(&colour, _)| near(colour, wanted, TEAM_TOLERANCE)).map(|(_, count)| count).sum();
        println!("{team}: {pixels} pixels");
        present += usize::from(pixels >= MIN_TEAM_PIXELS);
    }
    if present < MIN_TEAMS {
        missing.push(format!(
            "the units: {present} of {MIN_TEAMS} teams have at least {MIN_TEAM_PIXELS} pixels of their colour"
        ));
    }
    missing
}

fn near(colour: Rgb, wanted: Rgb, tolerance: u8) -> bool {
    colour.iter().zip(wanted).all(|(&channel, wanted)| channel.abs_diff(wanted) <= tolerance)
}

fn light_and_neutral([red, green, blue]: Rgb) -> bool {
    red >= TEXT_LIGHTNESS && red.abs_diff(green) <= 6 && green.abs_diff(blue) <= 6
}

struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Picture {
    fn read(file: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(file)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
        let frame = reader.next_frame(&mut bytes)?;
        let samples = frame.color_type.samples();
        if samples < 3 {
            return Err("the picture is grey: a screenshot has colours".into());
        }
        let pixels = bytes[..frame.buffer_size()].chunks_exact(samples).map(|p| [p[0], p[1], p[2]]).collect();
        Ok(Self { width: frame.width as usize, height: frame.height as usize, pixels })
    }

    /// The pixels of the columns `from..to`.
    fn columns(&self, from: usize, to: usize) -> impl Iterator<Item = Rgb> + '_ {
        self.pixels.chunks_exact(self.width).flat_map(move |row| row[from..to].iter().copied())
    }
}
