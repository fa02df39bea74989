//! The shape that all sections share: labels in one column, controls in the next, numbers at the right edge.

use bevy_egui::egui::{Align, ComboBox, Layout, Response, RichText, Slider, TextStyle, Ui, vec2};

/// How wide the column of labels is.
const LABEL_WIDTH: f32 = 74.0;

/// How wide the number beside a slider is: enough for "1,000,000".
const VALUE_WIDTH: f32 = 78.0;

/// How high a list of choices may be before it scrolls, in points.
const LIST_HEIGHT: f32 = 360.0;

/// A label, with help on hover, and a control that has the rest of the line.
pub fn labelled<R>(ui: &mut Ui, label: &str, help: &str, control: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let size = vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(LABEL_WIDTH);
            ui.label(label).on_hover_text(help);
        });
        control(ui)
    })
    .inner
}

/// One entry of a [`choice`].
pub struct Entry<T> {
    pub value: T,
    pub name: String,
    pub help: &'static str,
}

/// A list to choose from that fills the line; `Some` only when another value than the present one was chosen.
///
/// Without a present value the list shows `otherwise`.
pub fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    id: &str,
    present: Option<T>,
    entries: &[Entry<T>],
    otherwise: &str,
) -> Option<T> {
    let shown = entries.iter().find(|entry| Some(entry.value) == present);
    let mut chosen = None;
    let list = ComboBox::from_id_salt(id)
        .selected_text(shown.map_or(otherwise, |entry| entry.name.as_str()))
        .width(ui.available_width())
        // High enough for all algorithms at once.
        .height(LIST_HEIGHT)
        .truncate()
        .show_ui(ui, |ui| {
            for entry in entries {
                let is_present = Some(entry.value) == present;
                let label = ui.selectable_label(is_present, &entry.name).on_hover_text(entry.help);
                if label.clicked() && !is_present {
                    chosen = Some(entry.value);
                }
            }
        });
    if let Some(entry) = shown {
        list.response.on_hover_text(entry.help);
    }
    chosen
}

/// A slider that fills the line, with its number in a box of fixed width, where only a finite number can be typed.
pub fn wide_slider(ui: &mut Ui, slider: Slider<'_>) -> Response {
    ui.scope(|ui| {
        let room = ui.available_width() - VALUE_WIDTH - ui.spacing().item_spacing.x;
        let style = ui.style_mut();
        style.spacing.slider_width = room.max(20.0);
        style.spacing.interact_size.x = VALUE_WIDTH;
        style.drag_value_text_style = TextStyle::Monospace;
        ui.add(slider.custom_parser(parse))
    })
    .inner
}

/// A name at the left edge and a number at the right one, with help on hover.
pub fn number_row(ui: &mut Ui, name: &str, number: &str, help: &str) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(number).monospace());
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.label(name));
        });
    })
    .response
    .on_hover_text(help);
}

/// A line that warns: by its sign as well as by its colour.
pub fn warning(ui: &mut Ui, text: &str) {
    let colour = ui.visuals().warn_fg_color;
    ui.label(RichText::new(format!("⚠ {text}")).color(colour));
}

/// What a user typed: a finite number, with or without commas between thousands.
fn parse(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '_')).collect();
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A whole number with a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_000_000, "1,000,000")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn only_finite_numbers_are_read() {
        assert_eq!(parse(" 12,345 "), Some(12_345.0));
        for text in ["nan", "NaN", "inf", "-inf", "1e999", "", "x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
