//! The picture in the window, and what the pointer does to it.

use bevy::asset::RenderAssetUsages;
use bevy::prelude::{Assets, Handle, Image, Resource};
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_egui::egui::{
    Align2, Color32, CursorIcon, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind, TextureId, Ui,
    pos2, vec2,
};
use bevy_egui::{EguiContexts, EguiTextureHandle};
use bevy_wayfield_egui::BrushTool;
use wayfield::{Cell, TerrainId};

use super::lab::{Lab, Mode};
use crate::draw::{Placed, draw};
use crate::model::board::{Board, Pin};
use crate::model::terrain::PLAIN;

/// The widest and the highest picture that every graphics card takes.
const LARGEST: u32 = 8192;

/// The picture, as large as there is room in the window.
#[derive(Resource, Default)]
pub struct View {
    image: Handle<Image>,
    texture: Option<TextureId>,
    /// What the picture is of: version, size in pixels, pixels a point.
    shown: Option<(u64, (u32, u32), u32)>,
    boards: Vec<Board>,
    placed: Vec<Placed>,
    problem: Option<String>,
    drag: Option<Drag>,
    /// Where the pointer was when it last moved the cursor: keys move it, too.
    pointer: Option<(f32, f32)>,
}

/// What the pointer is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drag {
    Pin(Pin, Cell),
    /// Painting this, from where it was last, and from where it began.
    Paint {
        terrain: TerrainId,
        last: Cell,
        first: Cell,
    },
    /// Nothing so far: a click puts a pin.
    Click(Cell),
}

impl View {
    /// What is seen.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Gives the picture its place among the textures of egui.
    pub fn prepare(&mut self, contexts: &mut EguiContexts, images: &mut Assets<Image>) {
        if self.texture.is_none() {
            self.image = images.add(Image::default());
            self.texture = Some(contexts.add_image(EguiTextureHandle::Strong(self.image.clone())));
        }
    }
}

/// Shows the picture and obeys the pointer.
pub fn show(ui: &mut Ui, lab: &mut Lab, view: &mut View, images: &mut Assets<Image>) {
    let scale = ui.ctx().pixels_per_point();
    let room = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(room, Sense::click_and_drag());
    // On whole pixels, so that every pixel of the picture is one of the screen.
    let corner = (room.min.to_vec2() * scale).round() / scale;
    let pixels = |points: f32| ((points * scale).floor() as u32).clamp(1, LARGEST);
    let size = (pixels(room.width()), pixels(room.height()));
    point(ui, lab, view, &response, |at| ((at.x - corner.x) * scale, (at.y - corner.y) * scale));
    update(lab, view, images, size, scale);
    if let Some(texture) = view.texture {
        let rect = Rect::from_min_size(corner.to_pos2(), vec2(size.0 as f32, size.1 as f32) / scale);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
    }
    if let Some(problem) = &view.problem {
        let font = FontId::proportional(16.0);
        ui.painter().text(room.center(), Align2::CENTER_CENTER, problem, font, Color32::DARK_RED);
    }
    let Some(cursor) = lab.cursor else { return };
    for placed in &view.placed {
        let area = placed.area(cursor);
        let min = corner + vec2(area.x as f32, area.y as f32) / scale;
        let rect = Rect::from_min_size(min.to_pos2(), vec2(area.width as f32, area.height as f32) / scale);
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(3.0, Color32::WHITE), StrokeKind::Outside);
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.5, Color32::BLACK), StrokeKind::Outside);
    }
}

/// Paints the picture anew if something has changed.
fn update(lab: &Lab, view: &mut View, images: &mut Assets<Image>, size: (u32, u32), scale: f32) {
    let wanted = (lab.version(), size, scale.to_bits());
    if view.shown == Some(wanted) {
        return;
    }
    view.shown = Some(wanted);
    match lab.boards() {
        Ok(boards) => (view.boards, view.problem) = (boards, None),
        Err(problem) => (view.boards, view.problem) = (Vec::new(), Some(problem)),
    }
    let figure = draw(&view.boards, size, scale);
    view.placed = figure.boards;
    if let Some(mut image) = images.get_mut(&view.image) {
        let extent = Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 };
        let usages = RenderAssetUsages::default();
        *image = Image::new(extent, TextureDimension::D2, figure.pixels, TextureFormat::Rgba8UnormSrgb, usages);
    }
}

fn point(ui: &Ui, lab: &mut Lab, view: &mut View, response: &Response, to_pixel: impl Fn(Pos2) -> (f32, f32)) {
    let pixel = response.interact_pointer_pos().or(response.hover_pos()).map(&to_pixel);
    let cell = pixel.and_then(|at| view.placed.iter().find_map(|placed| placed.cell_at(at)));
    if view.pointer != pixel {
        view.pointer = pixel;
        lab.point_at(cell);
    }
    let input = |button| ui.input(|input| input.pointer.button_pressed(button));
    let is_pressed = |button| response.contains_pointer() && input(button);
    if let (Some(cell), true) = (cell, is_pressed(PointerButton::Primary)) {
        view.drag = Some(press(lab, cell, lab.brush.terrain));
    } else if let (Some(cell), true) = (cell, is_pressed(PointerButton::Secondary)) {
        view.drag = Some(press(lab, cell, Some(PLAIN)));
    }
    if let (Some(drag), Some(cell)) = (view.drag, cell) {
        view.drag = Some(go_on(lab, drag, cell));
    }
    let is_down = ui.input(|input| input.pointer.primary_down() || input.pointer.secondary_down());
    if let Some(drag) = view.drag.take_if(|_| !is_down) {
        release(lab, drag, ui.input(|input| input.modifiers.shift));
    }
    let over_pin = cell.is_some_and(|cell| lab.pin_at(cell).is_some());
    match view.drag {
        Some(Drag::Pin(..)) => ui.ctx().set_cursor_icon(CursorIcon::Grabbing),
        None if over_pin => ui.ctx().set_cursor_icon(CursorIcon::Grab),
        _ => {}
    }
}

/// A press: takes a pin, begins a stroke, or waits for what becomes of it.
pub fn press(lab: &mut Lab, cell: Cell, terrain: Option<TerrainId>) -> Drag {
    if let Some(pin) = lab.pin_at(cell) {
        return Drag::Pin(pin, cell);
    }
    let Some(terrain) = terrain else { return Drag::Click(cell) };
    if lab.brush.tool == BrushTool::Pick {
        lab.brush.terrain = lab.tilemap.ground(cell);
        lab.brush.tool = BrushTool::Freehand;
        return Drag::Click(cell);
    }
    lab.begin_stroke();
    if lab.brush.tool == BrushTool::Fill {
        let cells = lab.brush.covered(lab.tilemap.terrain(), cell, cell);
        lab.paint(cells, terrain);
    }
    Drag::Paint { terrain, last: cell, first: cell }
}

/// The pointer is somewhere, the button is down.
pub fn go_on(lab: &mut Lab, drag: Drag, cell: Cell) -> Drag {
    match drag {
        Drag::Pin(pin, from) => {
            let is_free = lab.pin_at(cell).is_none();
            if is_free {
                lab.move_pin(pin, from, cell);
            }
            Drag::Pin(pin, if is_free { cell } else { from })
        }
        Drag::Paint { terrain, last, first } => {
            if lab.brush.tool == BrushTool::Freehand {
                let cells = lab.brush.covered(lab.tilemap.terrain(), last, cell);
                lab.paint(cells, terrain);
            }
            Drag::Paint { terrain, last: cell, first }
        }
        Drag::Click(_) => drag,
    }
}

/// The button is let go.
pub fn release(lab: &mut Lab, drag: Drag, has_shift: bool) {
    match drag {
        Drag::Paint { terrain, last, first } => {
            if matches!(lab.brush.tool, BrushTool::Line | BrushTool::Rectangle) {
                let cells = lab.brush.covered(lab.tilemap.terrain(), first, last);
                lab.paint(cells, terrain);
            }
            lab.end_stroke();
        }
        Drag::Click(cell) if lab.mode == Mode::Field && lab.brush.terrain.is_none() => {
            let is_threat = lab.question.kind.has_threats() && (has_shift || !lab.question.kind.has_sources());
            lab.toggle_pin(if is_threat { Pin::Threat } else { Pin::Source }, cell);
        }
        Drag::Click(_) | Drag::Pin(..) => {}
    }
}
