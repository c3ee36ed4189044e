//! A figure as pixels.

use super::font::Font;
use super::{Anchor, Color, Picture, Shape, Style};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

/// Widest and highest image (pixels).
const MOST: f64 = 16_000.0;

/// The whole picture as a PNG file; `density` is pixels of the image per pixel of the picture.
pub fn write(picture: &Picture, density: f64) -> Vec<u8> {
    encode(&pixels(picture, density))
}

/// Pixels as a PNG file.
pub fn encode(image: &Pixmap) -> Vec<u8> {
    image.encode_png().expect("an image in memory can be encoded")
}

/// The whole picture, on white.
pub fn pixels(picture: &Picture, density: f64) -> Pixmap {
    let [width, height] = picture.size;
    let density = density.clamp(0.1, MOST / width.max(height));
    let pixels = |x: f64| (x * density).round().max(1.0) as u32;
    let mut image = Pixmap::new(pixels(width), pixels(height)).expect("the size is positive and bounded");
    image.fill(tiny_skia::Color::WHITE);
    let font = Font::new();
    let scale = Transform::from_scale(density as f32, density as f32);
    for shape in &picture.shapes {
        match shape {
            Shape::Path { runs, closed, style } => {
                let mut path = PathBuilder::new();
                for run in runs {
                    for (i, p) in run.iter().enumerate() {
                        let (x, y) = (p[0] as f32, p[1] as f32);
                        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
                    }
                    if *closed {
                        path.close();
                    }
                }
                draw(&mut image, path.finish(), style, scale);
            }
            Shape::Circle { center, radius, style } => {
                let path = PathBuilder::from_circle(center[0] as f32, center[1] as f32, *radius as f32);
                draw(&mut image, path, style, scale);
            }
            Shape::Text { at, anchor, text, size, color, upright } => {
                let width = font.width(text, *size);
                let back = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -0.5 * width,
                    Anchor::End => -width,
                };
                let mut outline = Outline(PathBuilder::new());
                font.outline(text, *size, &mut outline);
                // letters have y upwards
                let mut place = scale.pre_translate(at[0] as f32, at[1] as f32);
                if *upright {
                    place = place.pre_rotate(-90.0);
                }
                let place = place.pre_translate(back as f32, 0.0).pre_scale(1.0, -1.0);
                draw(&mut image, outline.0.finish(), &Style::fill(*color, 1.0), place);
            }
        }
    }
    image
}

/// Inside, then rim. What has no extent, or numbers that are none, is no path and leaves no trace.
fn draw(image: &mut Pixmap, path: Option<Path>, style: &Style, place: Transform) {
    let Some(path) = path else { return };
    if let Some((color, opacity)) = style.fill {
        image.fill_path(&path, &paint(color, opacity), FillRule::Winding, place, None);
    }
    if let Some(pen) = style.pen {
        let dashes: Vec<f32> = pen.dashes.iter().map(|d| *d as f32).collect();
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: if dashes.is_empty() { LineCap::Round } else { LineCap::Butt },
            dash: StrokeDash::new(dashes, 0.0),
            line_join: LineJoin::Round,
            ..Default::default()
        };
        image.stroke_path(&path, &paint(pen.color, pen.opacity), &stroke, place, None);
    }
}

fn paint([r, g, b]: Color, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (255.0 * opacity.clamp(0.0, 1.0)).round() as u8);
    paint
}

/// Outlines into a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use crate::chart::{Axis, Chart, Curve, Panel};
    use tiny_skia::Pixmap;

    /// The straight line of the chart is where it should be, and blue; outside the frame there is paper.
    #[test]
    fn pixels_are_where_the_data_are() {
        let panel = Panel {
            title: String::new(),
            x: Axis::linear("x (m)").between(0.0, 1.0),
            y: Axis::linear("y (m)").between(0.0, 1.0),
            curves: vec![Curve::new("line", [[0.0, 0.5], [1.0, 0.5]])],
        };
        let chart = Chart::new(vec![panel]);
        let image = Pixmap::decode_png(&chart.png(2.0)).expect("a PNG file");
        let blue = |x: u32, y: u32| {
            let p = image.pixel(x, y).expect("inside");
            p.blue() > 120 && p.red() < 60
        };
        let (w, h) = (image.width(), image.height());
        assert_eq!(w, 2 * (340 + 24));
        // one run of blue pixels per column of the frame; the legend has another above
        let column: Vec<u32> = (h / 4..h).filter(|&y| blue(w / 2, y)).collect();
        assert!((2..=5).contains(&column.len()), "{column:?}");
        assert_eq!(image.pixel(1, 1).map(|p| (p.red(), p.green(), p.blue())), Some((255, 255, 255)));
        assert_eq!(chart.png(2.0), chart.png(2.0), "same data, same bytes");
    }
}
