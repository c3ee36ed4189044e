//! Bands around lines: how much room they get, and their outlines cut at the frame.

use super::Curve;

/// A band widens the range of an axis by at most this many times the range of the lines on each side: one wide place does not
/// make a line of everything else.
const ROOM: f64 = 0.5;
/// Bands narrower than this share of the largest value are round-off.
const ROUND_OFF: f64 = 1e-7;

/// What a vertical axis is to show of curves: all points, and of the bands what there is room for.
pub fn heights_of<'a>(curves: impl Iterator<Item = &'a Curve> + Clone) -> impl Iterator<Item = f64> {
    let points = curves.clone().flat_map(|c| &c.points).filter(|p| p[0].is_finite()).map(|p| p[1]);
    let finite = points.clone().filter(|y| y.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    let room = if high > low { ROOM * (high - low) } else { f64::INFINITY };
    // nor is an axis made for round-off
    let least = ROUND_OFF * low.abs().max(high.abs());
    let wide = move |c: &'a Curve| c.edges().filter(move |[a, b]| b[1] - a[1] > 2.0 * least);
    let edges = curves.flat_map(wide).flatten().map(|p| p[1]).filter(|y| y.is_finite());
    points.chain(edges.map(move |y| y.clamp(low - room, high + room)))
}

/// Closed outlines of the pieces of a band inside the frame, from its lower and upper edges; none is a gap.
pub fn outlines(
    edges: impl Iterator<Item = Option<[[f64; 2]; 2]>>,
    frame: [[f64; 2]; 2],
) -> Vec<Vec<[f64; 2]>> {
    let mut outlines = Vec::new();
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for edge in edges.chain([None]) {
        if let Some([low, high]) = edge {
            below.push(low);
            above.push(high);
            continue;
        }
        let mut outline = std::mem::take(&mut below);
        outline.extend(std::mem::take(&mut above).into_iter().rev());
        let inside = clipped(outline, frame);
        if inside.len() > 2 {
            outlines.push(inside);
        }
    }
    outlines
}

/// The part of an outline inside the frame (Sutherland and Hodgman).
fn clipped(mut outline: Vec<[f64; 2]>, [low, high]: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    for axis in 0..2 {
        for (limit, sign) in [(low[axis], 1.0), (high[axis], -1.0)] {
            let depth = |p: [f64; 2]| sign * (p[axis] - limit);
            let mut kept = Vec::with_capacity(outline.len() + 4);
            for (i, &b) in outline.iter().enumerate() {
                let a = outline[(i + outline.len() - 1) % outline.len()];
                if (depth(a) < 0.0) != (depth(b) < 0.0) {
                    let s = depth(a) / (depth(a) - depth(b));
                    let mut cut = [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
                    cut[axis] = limit;
                    kept.push(cut);
                }
                if depth(b) >= 0.0 {
                    kept.push(b);
                }
            }
            outline = kept;
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[[f64; 2]]) -> f64 {
        let next = outline.iter().cycle().skip(1);
        let twice: f64 = outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
        0.5 * twice.abs()
    }

    #[test]
    fn a_band_is_cut_at_the_frame_and_broken_at_gaps() {
        let frame = [[0.0, 0.0], [10.0, 10.0]];
        // from -5 to 5 across, from 8 to 12 up: 5 by 2 are inside
        let wide = [-5.0, 5.0].map(|x| Some([[x, 8.0], [x, 12.0]]));
        let thin = [7.0, 9.0].map(|x| Some([[x, 1.0], [x, 2.0]]));
        let outside = [7.0, 9.0].map(|x| Some([[x, 21.0], [x, 22.0]]));
        let edges = wide.into_iter().chain([None]).chain(thin).chain([None]).chain(outside);
        let found: Vec<f64> = outlines(edges, frame).iter().map(|o| area(o)).collect();
        assert_eq!(found, [10.0, 2.0]);
    }

    #[test]
    fn a_wide_place_does_not_flatten_the_line() {
        let curve = Curve::new("a", [[0.0, 0.0], [1.0, 2.0]]).with_band(vec![0.1, 50.0]);
        let (low, high) = heights_of([&curve].into_iter())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        assert_eq!([low, high], [-1.0, 3.0]);
    }
}
