//! Splines against circles and parabolas, spans against brute force.

use super::*;
use std::f64::consts::{PI, TAU};

fn closed(points: Vec<V2>) -> Knots {
    Knots { points, closed: true, ..Knots::default() }
}

fn open(points: Vec<V2>) -> Knots {
    Knots { points, ..Knots::default() }
}

fn around(n: usize) -> Vec<V2> {
    (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| [a.cos(), a.sin()]).collect()
}

/// Uneven numbers in −1 … 1, the same each time.
fn uneven(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A curvy closed line, walked clockwise.
fn cam() -> Vec<Cubic> {
    let at = |i: usize| -TAU * i as f64 / 24.0;
    let points = (0..24).map(at).map(|a: f64| scale(1.0 + 0.3 * (3.0 * a).cos(), [a.cos(), a.sin()]));
    spans(&closed(points.collect())).unwrap()
}

/// Slope of log error over log h.
fn order(errors: &[(f64, f64)]) -> f64 {
    let n = errors.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = errors.iter().map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let xy: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    xy / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
}

#[test]
fn circle() {
    let sizes = [8, 11, 16, 23, 32, 45, 64, 91, 128];
    let (mut radius, mut bend, mut arc) = (Vec::new(), Vec::new(), Vec::new());
    for n in sizes {
        let worst = |cubics: &[Cubic], error: &dyn Fn(&Cubic, f64) -> f64| {
            let places = (0..=20).map(|i| f64::from(i) / 20.0);
            cubics.iter().flat_map(|c| places.clone().map(|s| error(c, s))).fold(0.0, f64::max)
        };
        let off = |c: &Cubic, s| (norm(c.point(s)) - 1.0).abs();
        let whole = cubics(&closed(around(n)));
        radius.push((1.0 / n as f64, worst(&whole, &off)));
        bend.push((1.0 / n as f64, worst(&whole, &|c, s| (c.curvature(s) - 1.0).abs())));
        // three quarters of it, with free ends
        let part = around(n).into_iter().take(3 * n / 4 + 1).collect();
        arc.push((1.0 / n as f64, worst(&cubics(&open(part)), &off)));
    }
    assert!((order(&radius) - 4.0).abs() < 0.1, "{radius:?}");
    assert!((order(&bend) - 2.0).abs() < 0.1, "{bend:?}");
    assert!((order(&arc) - 4.0).abs() < 0.3, "{arc:?}");
    // 64 points: (2π/64)⁴/384 of a cubic spline through a circle, doubled for the uneven middle of a span
    let at_64 = radius[6].1;
    assert!(at_64 < 2.0 * (TAU / 64.0).powi(4) / 384.0, "{at_64}");
}

#[test]
fn a_uniform_parabola_is_met_to_order_four_and_three_points_give_a_parabola() {
    let errors: Vec<(f64, f64)> = [8, 12, 16, 24, 32, 48, 64]
        .into_iter()
        .map(|n: usize| {
            let points = (0..=n).map(|i| 3.0 * i as f64 / n as f64 - 1.0).map(|x| [x, 0.5 * x * x]);
            let spline = cubics(&open(points.collect()));
            let places = (0..=20).map(|i| f64::from(i) / 20.0);
            let off = spline.iter().flat_map(|c| places.clone().map(|s| c.point(s)));
            (1.0 / n as f64, off.map(|p| (p[1] - 0.5 * p[0] * p[0]).abs()).fold(0.0, f64::max))
        })
        .collect();
    assert!((order(&errors) - 4.0).abs() < 0.3, "{errors:?}");
    // symmetric points: chord length is uniform and the parabola is met exactly
    let spline = cubics(&open(vec![[-1.0, 0.5], [0.0, 0.0], [1.0, 0.5]]));
    for c in &spline {
        for s in [0.1, 0.5, 0.8] {
            let p = c.point(s);
            assert!((p[1] - 0.5 * p[0] * p[0]).abs() < 1e-15, "{p:?}");
        }
    }
}

#[test]
fn twice_continuously_differentiable() {
    let mut random = uneven(3);
    for n in [3, 4, 5, 9, 40] {
        for is_closed in [false, true] {
            let points: Vec<V2> = (0..n)
                .map(|i| {
                    let a = (TAU * f64::from(i) + 0.3 * random()) / f64::from(n);
                    scale(1.0 + 0.2 * random(), [a.cos(), a.sin()])
                })
                .collect();
            let knots = Knots { points: points.clone(), closed: is_closed, directions: [None; 2] };
            let spline = cubics(&knots);
            assert_eq!(spline.len(), points.len() - usize::from(!is_closed));
            let joints = if is_closed { spline.len() } else { spline.len() - 1 };
            for i in 0..joints {
                let (a, b) = (spline[i], spline[(i + 1) % spline.len()]);
                let h = [a, b].map(|c| norm(sub(c.point(1.0), c.point(0.0))));
                assert_eq!(a.point(1.0), b.point(0.0));
                let slopes = [scale(1.0 / h[0], a.slope(1.0)), scale(1.0 / h[1], b.slope(0.0))];
                assert!(norm(sub(slopes[0], slopes[1])) < 1e-13, "{n} {i}: {slopes:?}");
                let bends = [scale(h[0].powi(-2), a.bend(1.0)), scale(h[1].powi(-2), b.bend(0.0))];
                assert!(norm(sub(bends[0], bends[1])) < 1e-11 * (1.0 + norm(bends[0])), "{n} {i}: {bends:?}");
            }
        }
    }
}

#[test]
fn directions_at_the_ends() {
    let d = [[0.0, 2.0], [-1.0, 0.0]];
    let quarter: Vec<V2> = around(32).into_iter().take(9).collect();
    let free = cubics(&open(quarter.clone()));
    let told = cubics(&Knots { points: quarter, closed: false, directions: d.map(Some) });
    let [first, last] = [told[0].tangent(0.0), told[7].tangent(1.0)];
    assert!(norm(sub(first, [0.0, 1.0])) < 1e-15 && norm(sub(last, [-1.0, 0.0])) < 1e-15);
    // told the truth, the curve is closer to the circle at its ends
    let off =
        |c: &Cubic| (1..20).map(|i| (norm(c.point(f64::from(i) / 20.0)) - 1.0).abs()).fold(0.0, f64::max);
    assert!(off(&told[0]) < off(&free[0]), "{} {}", off(&told[0]), off(&free[0]));
    // two points and two directions: the quarter circle of one Hermite cubic, symmetric
    let one = cubics(&Knots { points: vec![[1.0, 0.0], [0.0, 1.0]], closed: false, directions: d.map(Some) });
    let middle = one[0].point(0.5);
    assert!((middle[0] - middle[1]).abs() < 1e-15 && (one[0].tangent(0.5)[0] + 0.5f64.sqrt()).abs() < 1e-15);
}

#[test]
fn spans_turn_one_way_and_by_less_than_a_quarter() {
    let spans = cam();
    assert!(spans.len() > 24);
    for (i, c) in spans.iter().enumerate() {
        let next = spans[(i + 1) % spans.len()];
        assert_eq!(c.point(1.0), next.point(0.0));
        assert!(norm(sub(c.tangent(1.0), next.tangent(0.0))) < 1e-13);
        let bends: Vec<f64> = (0..=50).map(|i| c.curvature(f64::from(i) / 50.0)).collect();
        let most = bends.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
        assert!(
            bends.iter().all(|b| *b > -1e-9 * most) || bends.iter().all(|b| *b < 1e-9 * most),
            "{bends:?}"
        );
        let turned = dot(c.tangent(0.0), c.tangent(1.0));
        assert!(turned > 0.0, "{turned}");
        // extremes of the curvature against brute force
        let brute =
            bends.iter().copied().fold([f64::INFINITY, f64::NEG_INFINITY], |b, x| [b[0].min(x), b[1].max(x)]);
        let exact = c.curvatures();
        assert!(exact[0] <= brute[0] && exact[0] > brute[0] - 0.01 * most, "{exact:?} {brute:?}");
        assert!(exact[1] >= brute[1] && exact[1] < brute[1] + 0.01 * most, "{exact:?} {brute:?}");
    }
    // three points on a circle far apart: one span turns by two thirds of π and is cut
    let coarse = super::spans(&closed(around(3))).unwrap();
    assert!(coarse.len() >= 6);
    // a cusp cannot be followed
    let back = Knots {
        points: vec![[0.0, 0.0], [1.0, 0.0]],
        closed: false,
        directions: [Some([-1.0, 0.0]), Some([-1.0, 0.0])],
    };
    assert_eq!(super::spans(&back), Err(Folded { after: 0 }));
}

#[test]
fn feet_against_brute_force() {
    let mut random = uneven(7);
    let spans = cam();
    let mut answered = 0;
    for _ in 0..1000 {
        let p = [1.8 * random(), 1.8 * random()];
        for c in &spans {
            let n = 200;
            let sample = |i: usize| norm(sub(c.point(i as f64 / n as f64), p));
            let best = (0..=n).map(|i| (sample(i), i)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            match c.foot(p) {
                Some(s) => {
                    answered += 1;
                    let d = sub(p, c.point(s));
                    assert!(norm(d) <= best.0, "{p:?} {s}");
                    // perpendicular to rounding of the two places
                    assert!(dot(d, c.tangent(s)).abs() < 4e-15 * (1.0 + norm(d)), "{p:?} {s}");
                    assert_eq!(c.foot_prolonged(p), s);
                }
                None => assert!(best.1 == 0 || best.1 == n, "{p:?} {best:?}"),
            }
        }
    }
    assert!(answered > 1000, "{answered}");
}

#[test]
fn feet_along_normals_are_found_again() {
    for c in cam() {
        for i in 1..20 {
            let s = f64::from(i) / 20.0;
            // not beyond the centre of curvature, and near enough to be nearest
            for D in [-0.1, -1e-9, 0.0, 1e-12, 0.05] {
                let p = add(c.point(s), scale(D, perp(c.tangent(s))));
                let foot = c.foot(p).expect("inside");
                assert!((foot - s).abs() < 1e-14 / norm(c.slope(s)), "{s} {D}: {foot}");
            }
        }
        // past the end: on the same cubic prolonged, and continuous there
        for (s, near) in [(-0.05, 0.0), (1.04, 1.0)] {
            let p = add(c.point(s), scale(0.02, perp(c.tangent(s))));
            assert!(c.foot(p).is_none());
            assert!((c.foot_prolonged(p) - s).abs() < 1e-13, "{s} {}", c.foot_prolonged(p));
            let p = add(c.point(near), scale(0.02, perp(c.tangent(near))));
            assert!((c.foot_prolonged(p) - near).abs() < 1e-14 / norm(c.slope(near)));
        }
        for p in [[1e6, -3.0], [-1e9, 1e9], [0.0, 0.0]] {
            let s = c.foot_prolonged(p);
            assert!((-0.5..=1.5).contains(&s), "{s}");
        }
    }
}

#[test]
fn extremes_and_boxes_against_brute_force() {
    let spans = cam();
    let mut directions = 0;
    for c in &spans {
        for i in 0..360 {
            let a = PI * f64::from(i) / 180.0 + 0.001;
            let n = [a.cos(), a.sin()];
            if let Some(s) = c.extreme(n) {
                directions += 1;
                assert!(norm(sub(perp(c.tangent(s)), n)) < 1e-14, "{s}");
                assert_eq!(c.extreme_prolonged(n), s);
            } else {
                // the direction is nowhere on it
                let least = (0..=200).map(|i| norm(sub(perp(c.tangent(f64::from(i) / 200.0)), n)));
                assert!(least.fold(f64::INFINITY, f64::min) > 1e-6);
            }
        }
        // past an end, unless the curve turns back there
        for s in [-0.03, 1.04].into_iter().filter(|s| c.curvature(*s) * c.curvature(0.5) > 0.0) {
            let found = c.extreme_prolonged(perp(c.tangent(s)));
            assert!((found - s).abs() < 1e-9, "{s} {found} {c:?}");
        }
        let [low, high] = c.bounds();
        let (mut l, mut h) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for i in 0..=1000 {
            let p = c.point(f64::from(i) / 1000.0);
            for k in 0..2 {
                (l[k], h[k]) = (l[k].min(p[k]), h[k].max(p[k]));
            }
        }
        for k in 0..2 {
            assert!(low[k] <= l[k] + 1e-16 && low[k] > l[k] - 1e-6, "{low:?} {l:?}");
            assert!(high[k] >= h[k] - 1e-16 && high[k] < h[k] + 1e-6, "{high:?} {h:?}");
        }
    }
    // every direction at least once, those of the three dents thrice
    assert!(directions >= 360, "{directions}");
}

#[test]
fn a_straight_spline_is_straight() {
    let line = spans(&open(vec![[0.0, 0.0], [0.1, 0.05], [0.4, 0.2], [1.0, 0.5]])).unwrap();
    assert!(line.iter().all(Cubic::is_straight) && line.len() == 3);
    assert!(!cam().iter().any(Cubic::is_straight));
}
