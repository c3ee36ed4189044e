//! Marks at points: circles, squares, triangles, diamonds in turn, so that curves stay apart without colours.

use super::Look;
use super::shape::{Shape, Stroke};
use std::f64::consts::TAU;

/// Radius (pixels) of a mark on a line, and of one that stands alone.
const ON_LINE: f64 = 2.6;
const ALONE: f64 = 4.6;
/// Pens before one comes again: colours times dashes.
const PENS: usize = 28;
/// Corners of the marks in turn, and the turn (rad) of the first corner; sixteen look round.
const FORMS: [(usize, f64); 4] = [(16, 0.0), (4, TAU / 8.0), (3, -TAU / 4.0), (4, 0.0)];

/// Outlines of marks at places inside the frame; none where the look has none.
pub fn outlines(
    places: impl Iterator<Item = Option<[f64; 2]>>,
    [low, high]: [[f64; 2]; 2],
    look: Look,
    label: usize,
    pen: Stroke,
) -> Option<Shape> {
    let radius = match look {
        Look::Line => return None,
        Look::Marked => ON_LINE,
        Look::Marks => ALONE,
    };
    let inside = |p: &[f64; 2]| (0..2).all(|i| (low[i]..=high[i]).contains(&p[i]));
    let runs: Vec<_> = places.flatten().filter(inside).map(|at| outline(at, radius, label)).collect();
    let stroke = Stroke { width: 1.3, dashes: &[], ..pen };
    (!runs.is_empty()).then_some(Shape::Path { runs, stroke })
}

fn outline([x, y]: [f64; 2], radius: f64, label: usize) -> Vec<[f64; 2]> {
    // colours and dashes repeat after 28 curves: the marks then go on by one
    let (corners, from) = FORMS[(label + label / PENS) % FORMS.len()];
    let corner = |k: usize| {
        let angle = from + TAU * (k % corners) as f64 / corners as f64;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    (0..=corners).map(corner).collect()
}
