//! The controls of the brush: the palette with its costs, the tools, the size.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, DragValue, FontSelection, Grid, Rect, Response, Sense, Slider, Stroke, StrokeKind,
    TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};
use bevy_wayfield::wayfield::{MovementClass, TerrainCost};
use bevy_wayfield::{ClassId, Tilemap};

use crate::brush::{BrushShape, BrushTool, Palette, TerrainBrush};
use crate::layout::{Entry, choice, labelled, wide_slider};

const ROW_HEIGHT: f32 = 20.0;
const COST_WIDTH: f32 = 40.0;

/// Chooses what the brush paints and its size. Each terrain shows what entering it costs `class`, or "–" where the
/// class may not enter.
///
/// The painting itself is the game's: [`MapPointer`](crate::MapPointer) says when, [`TerrainBrush::stroke`] where.
pub fn brush_controls(ui: &mut Ui, brush: &mut TerrainBrush, palette: &Palette, tilemap: &Tilemap, class: ClassId) {
    let class = tilemap.classes().get(class.0);
    let cost_of = |terrain| class.and_then(|class| class.cost(terrain));
    let mover = class.map_or("units", |class| class.name());

    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let row = Row { name: "Select", key: None, color: None, cost: "cost", is_chosen: brush.terrain.is_none() };
        if row.show(ui).on_hover_text("Stop painting: the pointer selects units.").clicked() {
            brush.terrain = None;
        }
        for entry in &palette.0 {
            let cost = cost_of(entry.terrain);
            let (shown, help) = match cost {
                Some(cost) => {
                    (cost.get().to_string(), format!("Paint {}. Entering it costs {mover} {}.", entry.name, cost.get()))
                }
                None => ("–".to_owned(), format!("Paint {}. Closed to {mover}.", entry.name)),
            };
            let row = Row {
                name: &entry.name,
                key: entry.key,
                color: Some(entry.color),
                cost: &shown,
                is_chosen: brush.terrain == Some(entry.terrain),
            };
            if row.show(ui).on_hover_text(help).clicked() {
                brush.terrain = Some(entry.terrain);
            }
        }
    });

    labelled(ui, "Tool", "What a drag paints.", |ui| {
        let tools = BrushTool::ALL.map(|value| {
            let (name, help) = describe(value);
            Entry { value, name: name.to_owned(), help }
        });
        if let Some(tool) = choice(ui, "tool", Some(brush.tool), &tools, "") {
            brush.tool = tool;
        }
    });
    labelled(ui, "Shape", "The outline of the brush, from size 4 on.", |ui| {
        for (shape, name) in [(BrushShape::Round, "Round"), (BrushShape::Square, "Square")] {
            if ui.selectable_label(brush.shape == shape, name).clicked() {
                brush.shape = shape;
            }
        }
    });
    labelled(ui, "Brush size", "How many cells the brush is wide.", |ui| {
        let mut size = brush.size;
        let slider = Slider::new(&mut size, 1..=TerrainBrush::MAX_SIZE);
        if wide_slider(ui, slider).changed() {
            brush.size = size.clamp(1, TerrainBrush::MAX_SIZE);
        }
    });
}

/// A line of the palette.
struct Row<'a> {
    name: &'a str,
    key: Option<char>,
    color: Option<Color32>,
    cost: &'a str,
    is_chosen: bool,
}

impl Row<'_> {
    fn show(&self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), self.is_chosen, self.name)
        });
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let look = ui.style().interact_selectable(&response, self.is_chosen);
        let text_color = look.text_color();
        let quiet = if self.is_chosen { text_color } else { ui.visuals().text_color() };
        let inner = rect.shrink2(vec2(6.0, 0.0));

        // The chosen row has a frame as well as another ground.
        if self.is_chosen || response.hovered() || response.has_focus() {
            let frame = if self.is_chosen { Stroke::new(2.0, text_color) } else { look.bg_stroke };
            ui.painter().rect(rect, CornerRadius::same(3), look.weak_bg_fill, frame, StrokeKind::Inside);
        }
        let swatch = Rect::from_center_size(pos2(inner.left() + 7.0, inner.center().y), vec2(14.0, 14.0));
        if let Some(color) = self.color {
            let outline = Stroke::new(1.0, ui.visuals().text_color());
            ui.painter().rect(swatch, CornerRadius::ZERO, color, outline, StrokeKind::Inside);
        } else {
            paint_arrow(ui, swatch, text_color);
        }

        let number = TextStyle::Monospace.resolve(ui.style());
        // Nothing that a frame or a neighbour could hide: each part has its own stretch of the line.
        let cost_color = if self.color.is_some() { text_color } else { quiet };
        ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, self.cost, number.clone(), cost_color);
        let mut name_end = inner.right() - COST_WIDTH;
        if let Some(key) = self.key {
            let at = pos2(name_end, inner.center().y);
            let shown = ui.painter().text(at, Align2::RIGHT_CENTER, format!("[{key}]"), number, quiet);
            name_end = shown.left() - 4.0;
        }
        let name_start = swatch.right() + 6.0;
        let name = WidgetText::from(self.name).into_galley(
            ui,
            Some(TextWrapMode::Truncate),
            (name_end - name_start).max(0.0),
            FontSelection::from(TextStyle::Body),
        );
        let at = pos2(name_start, inner.center().y - name.size().y / 2.0);
        ui.painter().galley(at, name, text_color);
        response
    }
}

/// The arrow of a mouse pointer.
fn paint_arrow(ui: &Ui, rect: Rect, color: Color32) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y) * rect.size();
    let outline = [(0.2, 0.0), (0.2, 0.9), (0.42, 0.68), (0.85, 0.65)].map(|(x, y)| at(x, y));
    let shape = bevy_egui::egui::Shape::convex_polygon(outline.to_vec(), color, Stroke::NONE);
    ui.painter().add(shape);
}

fn describe(tool: BrushTool) -> (&'static str, &'static str) {
    match tool {
        BrushTool::Freehand => ("Freehand", "Paints wherever the pointer is dragged."),
        BrushTool::Line => ("Line", "Paints a straight line from press to release."),
        BrushTool::Rectangle => ("Rectangle", "Paints all between press and release."),
        BrushTool::Fill => ("Fill", "Paints all that touches the cell and is of its terrain."),
        BrushTool::Pick => ("Pick", "Takes the terrain of a cell into the brush."),
    }
}

/// What entering each terrain of the palette costs each movement class, as numbers to edit; 0 closes a terrain to a class.
/// Returns the class that the user changed, for [`Tilemap::set_class`].
///
/// A change that would leave a class nothing to enter is not offered.
pub fn cost_table(ui: &mut Ui, palette: &Palette, tilemap: &Tilemap) -> Option<(ClassId, MovementClass)> {
    let mut changed = None;
    Grid::new("costs").num_columns(1 + tilemap.classes().len()).striped(true).show(ui, |ui| {
        ui.label("");
        for class in tilemap.classes() {
            ui.label(class.name());
        }
        ui.end_row();
        for entry in &palette.0 {
            ui.label(&entry.name);
            for (index, class) in tilemap.classes().iter().enumerate() {
                let before = class.cost(entry.terrain).map_or(0, |cost| cost.get());
                let mut cost = before;
                let number = DragValue::new(&mut cost).range(0..=u8::MAX).speed(0.1);
                let number = number.custom_formatter(|cost, _| match cost as u8 {
                    0 => "–".to_owned(),
                    cost => cost.to_string(),
                });
                ui.add(number).on_hover_text("What entering it costs; 0 closes it.");
                if cost != before {
                    let mut class = class.clone();
                    class.set_cost(entry.terrain, TerrainCost::try_from(i64::from(cost)).ok());
                    changed = (!class.can_enter_nothing()).then_some((ClassId(index), class)).or(changed.take());
                }
            }
            ui.end_row();
        }
    });
    changed
}

#[cfg(test)]
mod tests {
    use bevy_wayfield::wayfield::{GridSize, TerrainId, TerrainMap};

    use super::*;
    use crate::brush::PaletteEntry;
    use crate::screen::Screen;

    fn tilemap() -> Tilemap {
        let foot =
            MovementClass::new("foot").with_cost(TerrainId(0), 1).and_then(|foot| foot.with_cost(TerrainId(1), 3));
        Tilemap::new(TerrainMap::new(GridSize::new(4, 4).unwrap(), TerrainId(0)), vec![foot.unwrap()])
    }

    fn palette() -> Palette {
        let entry = |name: &str, terrain, key| PaletteEntry {
            name: name.to_owned(),
            terrain: TerrainId(terrain),
            color: Color32::from_gray(40 * terrain),
            key: Some(key),
        };
        Palette(vec![entry("plain", 0, '1'), entry("forest", 1, '2'), entry("wall", 2, '3')])
    }

    #[test]
    fn a_click_chooses_the_terrain_and_select_stops() {
        let (tilemap, palette) = (tilemap(), palette());
        let mut brush = TerrainBrush::default();
        let mut screen = Screen::new(260.0);
        for (text, terrain) in [("forest", Some(1)), ("wall", Some(2)), ("Select", None)] {
            screen.click(text, |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
            assert_eq!(brush.terrain, terrain.map(TerrainId));
        }
        screen.frame([], |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
        for (name, cost) in [("plain", "1"), ("forest", "3"), ("wall", "–")] {
            assert_eq!(screen.number_beside(name), cost);
        }
        screen.assert_legible();
        // A class that does not exist may enter nothing.
        screen.frame([], |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(9)));
        assert_eq!(screen.number_beside("plain"), "–");
    }

    #[test]
    fn tools_are_chosen_and_costs_are_edited() {
        let (tilemap, palette) = (tilemap(), palette());
        let mut brush = TerrainBrush::default();
        let mut screen = Screen::new(260.0);
        for text in ["Freehand", "Rectangle", "Square"] {
            screen.click(text, |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
        }
        assert_eq!((brush.tool, brush.shape), (BrushTool::Rectangle, BrushShape::Square));
        for (typed, cost) in [("7", Some(7)), ("0", None), ("999", Some(255))] {
            let mut changed = None;
            screen.type_over("3", typed, |ui| changed = cost_table(ui, &palette, &tilemap).or(changed.take()));
            let (id, class) = changed.unwrap();
            assert_eq!((id, class.cost(TerrainId(1)).map(|cost| cost.get())), (ClassId(0), cost));
        }
        screen.assert_legible();
    }

    #[test]
    fn the_size_that_is_typed_is_a_size() {
        let (tilemap, palette) = (tilemap(), palette());
        for (typed, size) in [("7", 7), ("nan", 5), ("inf", 5), ("-2", 1), ("99", 15), ("x", 5)] {
            let mut brush = TerrainBrush { size: 5, ..TerrainBrush::default() };
            let mut screen = Screen::new(260.0);
            screen.type_over("5", typed, |ui| brush_controls(ui, &mut brush, &palette, &tilemap, ClassId(0)));
            assert_eq!(brush.size, size, "{typed}");
        }
    }
}
