//! The details as a picture: a bar for everybody on every map.

use std::path::Path;

use plotters::prelude::*;

use crate::report::Detail;

const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
];
const MAP_WIDTH: u32 = 130;
const HEIGHT: u32 = 560;

/// Draws the maps of one yardstick into an SVG file: how many times as long as it everybody took, on a logarithmic scale.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(path: &Path, yardstick: &str, details: &[Detail]) -> Result<(), Box<dyn std::error::Error>> {
    let maps: Vec<_> = details.iter().filter(|detail| detail.yardstick == yardstick).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in maps.iter().flat_map(|map| &map.ratios) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let all = || maps.iter().flat_map(|map| &map.ratios).map(|(_, spread)| spread.median);
    let (low, high) = (all().fold(0.8, f64::min), all().fold(2.0, f64::max) * 1.2);
    let area = SVGBackend::new(path, (MAP_WIDTH * maps.len().max(3) as u32 + 120, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("Time as a multiple of {yardstick}; lower is faster"), ("sans-serif", 20))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..maps.len() as f64, (low..high).log_scale())?;
    let label = |x: &f64| maps.get(*x as usize).map_or_else(String::new, |map| map.map.clone());
    // Labels stand at the left ends of the maps, where the bars begin.
    chart.configure_mesh().disable_x_mesh().x_labels(maps.len() + 1).x_label_formatter(&label).draw()?;
    let width = 0.9 / names.len().max(1) as f64;
    for (number, &name) in names.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let bars = maps.iter().enumerate().filter_map(|(place, map)| {
            let (_, spread) = map.ratios.iter().find(|(known, _)| *known == name)?;
            let left = place as f64 + 0.05 + width * number as f64;
            Some(Rectangle::new([(left, low), (left + width * 0.9, spread.median)], colour.filled()))
        });
        chart
            .draw_series(bars)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}
