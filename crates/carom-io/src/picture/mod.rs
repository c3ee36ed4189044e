//! Pictures of mechanisms: at one instant, or at several in one drawing. They are laid out as shapes, like charts, and
//! written as SVG or PNG; the frames of an [animation](crate::animation) are drawn by the same hand. What is drawn depends
//! on the scene alone, so a picture changes when the motion does and only then.

mod camera;
mod parts;
mod space;
mod stage;

pub use crate::shapes::Picture;
pub(crate) use camera::Camera;
pub(crate) use parts::Hand;
pub(crate) use space::{Set, View};
pub use stage::{Action, Stage};

use crate::shapes::font::Font;
use crate::shapes::{Anchor, INK, Pen, QUIET, Shape, png, svg};
use crate::write::{number_text, rounded};

/// Height of the strip with words (pixels).
pub(crate) const STRIP: f64 = 26.0;
/// Font size of words in a picture (pixels).
pub(crate) const WORDS: f64 = 12.0;
/// From the edge to the words (pixels).
pub(crate) const EDGE: f64 = 12.0;
/// Longest scale bar, relative to the width of the picture.
const LONGEST_BAR: f64 = 0.2;
/// Points of a trail, at most.
const TRAIL: usize = 400;

impl Picture {
    /// Width and height (pixels).
    pub fn size(&self) -> [f64; 2] {
        self.size
    }

    /// As SVG text.
    pub fn svg(&self) -> String {
        svg::write(self)
    }

    /// As a PNG image; `density` is pixels of the image per pixel of the picture, 2 for print.
    pub fn png(&self, density: f64) -> Vec<u8> {
        png::write(self, density)
    }
}

/// The mechanism at some instants (s): the last one solid and the earlier ones as ghosts, with the trails of the bodies
/// between the first and the last of them, a scale bar and the times.
pub fn poster(stage: &Stage<'_>, instants: &[f64], size: [f64; 2]) -> Picture {
    let [width, height] = size;
    let room = [width, (height - STRIP).max(1.0)];
    if let Some(set) = Set::new(stage) {
        let view = View::new(&set, instants, room);
        let mut shapes = Vec::new();
        set.ground(&view, &mut shapes);
        set.trails(&view, ends(instants), TRAIL, &mut shapes);
        for (i, &t) in instants.iter().enumerate() {
            set.mechanism(&view, &stage.at(t), opacity(i, instants.len()), &mut shapes);
        }
        set.axes(&view, [width - 40.0, height - STRIP - 24.0], &mut shapes);
        // the grid may reach into the strip with the words
        let low = height - STRIP;
        let corners = vec![[0.0, low], [width, low], [width, height], [0.0, height]];
        shapes.push(Shape::area(corners, crate::shapes::Style::fill([0xff; 3], 1.0)));
        shapes.extend(footer(stage, instants, size, view.scale()));
        return Picture { size, shapes };
    }
    let camera = Camera::new(stage, instants, room);
    let mut hand = Hand::new(stage, &camera, [[0.0; 2], room]);
    hand.ground();
    hand.trails(ends(instants), TRAIL);
    for (i, &t) in instants.iter().enumerate() {
        hand.mechanism(&stage.at(t), opacity(i, instants.len()));
    }
    let mut shapes = hand.finished();
    shapes.extend(footer(stage, instants, size, camera.scale()));
    Picture { size, shapes }
}

/// The first and the last of some instants.
fn ends(instants: &[f64]) -> [f64; 2] {
    instants.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], t| [a.min(*t), b.max(*t)])
}

/// How solid the `i`th of some instants is drawn.
fn opacity(i: usize, count: usize) -> f64 {
    if i + 1 == count { 1.0 } else { 0.15 + 0.3 * i as f64 / count as f64 }
}

/// The strip below a poster: the times and a scale bar.
fn footer(stage: &Stage<'_>, instants: &[f64], [width, height]: [f64; 2], scale: f64) -> Vec<Shape> {
    let mut shapes = strip([0.0, height - STRIP], width, stage, scale);
    let (unit, factor) = stage.time_unit();
    let times: Vec<String> = instants.iter().map(|t| number_text(rounded(t / factor, 6))).collect();
    let text = format!("t = {} {unit}", times.join(", "));
    let font = Font::new();
    let size_of_text = WORDS
        .min(WORDS * (width - 3.0 * EDGE - LONGEST_BAR * width - 60.0).max(40.0) / font.width(&text, WORDS));
    if !instants.is_empty() {
        shapes.push(words([EDGE, height - 10.0], Anchor::Start, &text, size_of_text));
    }
    shapes
}

pub(crate) fn words(at: [f64; 2], anchor: Anchor, text: &str, size: f64) -> Shape {
    Shape::Text { at, anchor, text: text.replace('-', "−"), size, color: QUIET, upright: false }
}

/// A bar of round length on the right of a strip whose corner is given.
pub(crate) fn strip([x, y]: [f64; 2], width: f64, stage: &Stage<'_>, scale: f64) -> Vec<Shape> {
    let (unit, factor) = stage.length_unit();
    let longest = LONGEST_BAR * width / scale / factor;
    let power = 10f64.powi(longest.log10().floor() as i32);
    let length = [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|l| *l <= longest).unwrap_or(power);
    let pixels = length * factor * scale;
    let (right, line) = (x + width - EDGE, y + STRIP - 14.0);
    let left = right - pixels;
    let ticks = vec![
        vec![[left, line - 4.0], [left, line + 4.0]],
        vec![[left, line], [right, line]],
        vec![[right, line - 4.0], [right, line + 4.0]],
    ];
    let text = format!("{} {unit}", number_text(rounded(length, 3)));
    vec![Shape::lines(ticks, Pen::new(INK, 1.2)), words([left - 8.0, line + 4.0], Anchor::End, &text, WORDS)]
}
