//! Marks at points: circles, squares, triangles, diamonds in turn, so that curves stay apart without colours.

use super::Look;
use crate::shapes::{Pen, Shape};
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
    pen: Pen,
) -> Option<Shape> {
    let radius = match look {
        Look::Line => return None,
        Look::Marked => ON_LINE,
        Look::Marks => ALONE,
    };
    let inside = |p: &[f64; 2]| (0..2).all(|i| (low[i]..=high[i]).contains(&p[i]));
    let runs: Vec<_> = places.flatten().filter(inside).map(|at| outline(at, radius, label)).collect();
    let pen = Pen { width: 1.3, dashes: &[], ..pen };
    (!runs.is_empty()).then(|| Shape::lines(runs, pen))
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

#[cfg(test)]
mod tests {
    use crate::chart::{Axis, Chart, Curve, Look, Panel};

    fn closed_outlines(look: Look) -> usize {
        let curve = Curve::new("a", [[0.0, 1.0], [1.0, 5.0], [2.0, f64::NAN], [3.0, 2.0]]).looking(look);
        let (x, y) = (Axis::linear("x"), Axis::linear("y").between(0.0, 3.0));
        let svg = Chart::new(vec![Panel { title: String::new(), x, y, curves: vec![curve] }]).svg();
        // sixteen sides and a beginning; one outline is that of the legend
        let begun = |path: &str| path.split('M').filter(|run| run.matches('L').count() == 16).count();
        svg.split("<path d=\"").skip(1).map(|path| begun(path.split('"').next().unwrap_or(""))).sum()
    }

    #[test]
    fn marks_stand_where_there_is_a_point_inside_the_frame() {
        assert_eq!([Look::Line, Look::Marked, Look::Marks].map(closed_outlines), [0, 3, 3]);
    }
}
