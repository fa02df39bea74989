//! A screen to read and a hand to click with, for tests: egui without a window.

use bevy_egui::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, Ui};

pub struct Screen {
    context: egui::Context,
    width: f32,
    time: f64,
    /// Every text that the last frame showed, and where.
    texts: Vec<(String, Rect)>,
}

impl Screen {
    pub fn new(width: f32) -> Self {
        Self { context: egui::Context::default(), width, time: 0.0, texts: Vec::new() }
    }

    /// Shows a frame after these events.
    pub fn frame(&mut self, events: impl IntoIterator<Item = Event>, show: impl FnMut(&mut Ui)) {
        // Slow enough that two clicks are no double click.
        self.time += 0.5;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, egui::vec2(self.width, 1000.0))),
            time: Some(self.time),
            events: events.into_iter().collect(),
            ..Default::default()
        };
        let mut show = show;
        let output = self.context.run_ui(input, |ui| {
            egui::Frame::side_top_panel(ui.style()).show(ui, |ui| show(ui));
        });
        self.texts.clear();
        for clipped in &output.shapes {
            collect_texts(&clipped.shape, &mut self.texts);
        }
        output.drop_without_applying_deltas();
    }

    /// Clicks on a text that is shown.
    pub fn click(&mut self, text: &str, mut show: impl FnMut(&mut Ui)) {
        self.frame([], &mut show);
        self.frame([], &mut show);
        let at = self.find(text).center();
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frame([Event::PointerMoved(at)], &mut show);
        self.frame([button(true)], &mut show);
        self.frame([button(false)], &mut show);
        self.frame([], &mut show);
    }

    /// Clicks on a number, types another text, and ends with the enter key.
    pub fn type_over(&mut self, number: &str, typed: &str, mut show: impl FnMut(&mut Ui)) {
        self.click(number, &mut show);
        self.frame([Event::Text(typed.to_owned())], &mut show);
        let enter = |pressed| Event::Key {
            key: Key::Enter,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.frame([enter(true), enter(false)], &mut show);
        self.frame([Event::PointerMoved(Pos2::new(1.0, 999.0))], &mut show);
        self.frame([], &mut show);
    }

    /// Whether a text that begins like this is shown.
    pub fn shows(&self, text: &str) -> bool {
        self.texts.iter().any(|(shown, _)| shown.starts_with(text))
    }

    /// The text in the same line as this one, at the far right.
    pub fn number_beside(&self, name: &str) -> &str {
        let line = self.find(name);
        let in_line = |at: &Rect| (at.center().y - line.center().y).abs() < 4.0;
        let texts = self.texts.iter().filter(|(_, at)| in_line(at));
        texts.max_by(|a, b| a.1.right().total_cmp(&b.1.right())).map_or("", |(text, _)| text)
    }

    /// Where a text is shown: this one exactly, the last of several, which is the topmost.
    pub fn find(&self, text: &str) -> Rect {
        let found = self.texts.iter().rev().find(|(shown, _)| shown == text);
        found.unwrap_or_else(|| panic!("no {text:?} among {:?}", self.texts)).1
    }

    /// No text overlaps another one, leaves the screen, or was cut short.
    pub fn assert_legible(&self) {
        assert!(!self.texts.is_empty());
        for (index, (text, at)) in self.texts.iter().enumerate() {
            assert!(at.left() >= 0.0 && at.right() <= self.width, "{text:?} at {at:?} leaves the panel");
            assert!(!text.contains('…'), "{text:?} is cut short");
            for (other, there) in &self.texts[..index] {
                assert!(!at.shrink(1.0).intersects(there.shrink(1.0)), "{text:?} {at:?} overlaps {other:?} {there:?}");
            }
        }
    }
}

fn collect_texts(shape: &Shape, texts: &mut Vec<(String, Rect)>) {
    match shape {
        Shape::Text(text) if !text.galley.text().trim().is_empty() => {
            let rect = text.galley.rect.translate(text.pos.to_vec2());
            let elided = if text.galley.elided { "…" } else { "" };
            texts.push((format!("{}{elided}", text.galley.text()), rect));
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect_texts(shape, texts)),
        _ => {}
    }
}
