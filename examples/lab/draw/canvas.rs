//! Pixels, and shapes with smooth edges.

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// A point in pixels; (0, 0) is the top left corner of the top left pixel.
pub type Point = (f32, f32);

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Area {
    pub fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// As much smaller on each side.
    pub fn shrunk(self, by: i32) -> Self {
        Self::new(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)
    }

    /// The square in the middle that is as high as the area.
    pub fn widest_square(self) -> Self {
        let side = self.width.min(self.height);
        Self::new(self.x + (self.width - side) / 2, self.y + (self.height - side) / 2, side, side)
    }

    pub fn centre(self) -> Point {
        (self.x as f32 + self.width as f32 / 2.0, self.y as f32 + self.height as f32 / 2.0)
    }
}

/// A picture without transparency.
pub struct Canvas {
    width: i32,
    height: i32,
    /// Red, green, blue and alpha of each, row by row.
    pixels: Vec<u8>,
}

impl Canvas {
    /// A canvas of one colour; sides are at least 1.
    pub fn new((width, height): (u32, u32), [red, green, blue]: Rgb) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self {
            width: width as i32,
            height: height as i32,
            pixels: [red, green, blue, 255].repeat(width as usize * height as usize),
        }
    }

    pub fn size(&self) -> (u32, u32) {
        (self.width as u32, self.height as u32)
    }

    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// Mixes a colour into a pixel; `share` is from 0, nothing, to 1. Outside nothing happens.
    pub fn mix(&mut self, x: i32, y: i32, color: Rgb, share: f32) {
        if x < 0 || y < 0 || x >= self.width || y >= self.height || share <= 0.0 {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let Some(pixel) = self.pixels.get_mut(at..at + 3) else { return };
        let share = share.min(1.0);
        for (channel, new) in pixel.iter_mut().zip(color) {
            *channel = (f32::from(*channel) + (f32::from(new) - f32::from(*channel)) * share).round() as u8;
        }
    }

    /// Fills an area, so dense.
    pub fn fill(&mut self, area: Area, color: Rgb, density: f32) {
        let (left, right) = (area.x.max(0), (area.x + area.width).min(self.width));
        for y in area.y.max(0)..(area.y + area.height).min(self.height) {
            if density < 1.0 {
                (left..right).for_each(|x| self.mix(x, y, color, density));
                continue;
            }
            let row = y as usize * self.width as usize * 4;
            let (first, last) = (row + left as usize * 4, row + right.max(left) as usize * 4);
            if let Some(pixels) = self.pixels.get_mut(first..last) {
                pixels.chunks_exact_mut(4).for_each(|pixel| pixel[..3].copy_from_slice(&color));
            }
        }
    }

    /// The inner edge of an area.
    pub fn frame(&mut self, area: Area, thickness: i32, color: Rgb) {
        let thickness = thickness.min(area.width / 2).min(area.height / 2).max(1);
        let Area { x, y, width, height } = area;
        self.fill(Area::new(x, y, width, thickness), color, 1.0);
        self.fill(Area::new(x, y + height - thickness, width, thickness), color, 1.0);
        self.fill(Area::new(x, y + thickness, thickness, height - 2 * thickness), color, 1.0);
        self.fill(Area::new(x + width - thickness, y + thickness, thickness, height - 2 * thickness), color, 1.0);
    }

    /// Whatever is within `reach` of the points between two; its edge is round and smooth.
    pub fn line(&mut self, from: Point, to: Point, width: f32, color: Rgb) {
        let reach = width / 2.0;
        let (left, right) = (from.0.min(to.0) - reach, from.0.max(to.0) + reach);
        let (top, bottom) = (from.1.min(to.1) - reach, from.1.max(to.1) + reach);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
        for y in (top.floor() as i32).max(0)..(bottom.ceil() as i32 + 1).min(self.height) {
            for x in (left.floor() as i32).max(0)..(right.ceil() as i32 + 1).min(self.width) {
                let (px, py) = (x as f32 + 0.5 - from.0, y as f32 + 0.5 - from.1);
                let along = ((px * dx + py * dy) / length).clamp(0.0, 1.0);
                let distance = f32::hypot(px - along * dx, py - along * dy);
                self.mix(x, y, color, reach + 0.5 - distance);
            }
        }
    }

    pub fn disc(&mut self, centre: Point, radius: f32, color: Rgb) {
        self.line(centre, centre, 2.0 * radius, color);
    }

    /// The inside of a polygon that bends one way only, its corners clockwise on the screen.
    pub fn polygon(&mut self, corners: &[Point], color: Rgb) {
        let bound = |pick: fn(&Point) -> f32| {
            corners.iter().map(pick).fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((left, right), (top, bottom)) = (bound(|corner| corner.0), bound(|corner| corner.1));
        let next = corners.iter().cycle().skip(1);
        let edges: Vec<_> = corners.iter().zip(next).collect();
        for y in (top.floor() as i32).max(0)..(bottom.ceil() as i32).min(self.height) {
            for x in (left.floor() as i32).max(0)..(right.ceil() as i32).min(self.width) {
                // How far the middle of the pixel is inside of the edge that it is least inside of.
                let inside = edges.iter().map(|(from, to)| {
                    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                    let (px, py) = (x as f32 + 0.5 - from.0, y as f32 + 0.5 - from.1);
                    (dx * py - dy * px) / f32::hypot(dx, dy).max(f32::MIN_POSITIVE)
                });
                self.mix(x, y, color, inside.fold(f32::MAX, f32::min) + 0.5);
            }
        }
    }
}
