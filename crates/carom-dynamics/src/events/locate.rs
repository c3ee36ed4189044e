//! Where a function changes its sign: a bracketing method.
//!
//! Illinois' variant of the false position: superlinear on smooth functions, never outside the bracket, and on a function
//! that only answers yes or no it falls back to halving.

/// More evaluations than this are never needed for a bracket of length 1.
const MOST_EVALUATIONS: usize = 200;

/// The end of the bracket [a, b] where f ≤ 0, narrowed to `tolerance`; f(a) > 0 ≥ f(b) are given. Errors of f end the search.
pub(super) fn locate<E>(
    (mut a, f_a): (f64, f64),
    (mut b, mut f_b): (f64, f64),
    tolerance: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let (mut weight_a, mut weight_b) = (f_a, f_b);
    let (mut width, mut last) = (b - a, None);
    for evaluation in 0..MOST_EVALUATIONS {
        if b - a <= tolerance || f_b == 0.0 {
            break;
        }
        let secant = b - weight_b * (b - a) / (weight_b - weight_a);
        // every other time the bracket has to be half of what it was
        let slow = evaluation % 2 == 1 && b - a > 0.5 * width;
        if evaluation % 2 == 1 {
            width = b - a;
        }
        // not closer to an end than the tolerance, so that the bracket closes from both sides
        let middle = 0.5 * (a + b);
        let inner = 0.5 * tolerance;
        let x = if slow || !(weight_a.is_finite() && secant.is_finite()) {
            middle
        } else {
            secant.clamp(a + inner, b - inner)
        };
        let f_x = f(x)?;
        // an end that stays twice in a row counts half
        let side = f_x > 0.0;
        let stays = last == Some(side);
        last = Some(side);
        if side {
            (a, weight_a) = (x, f_x);
            weight_b *= if stays { 0.5 } else { 1.0 };
        } else {
            (b, f_b, weight_b) = (x, f_x, f_x);
            weight_a *= if stays { 0.5 } else { 1.0 };
        }
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(a: f64, b: f64, tolerance: f64, f: impl Fn(f64) -> f64) -> (f64, usize) {
        let mut count = 0;
        let found = locate((a, f(a)), (b, f(b)), tolerance, |x| {
            count += 1;
            Ok::<_, ()>(f(x))
        });
        (found.unwrap(), count)
    }

    #[test]
    fn finds_roots_of_smooth_flat_and_jumping_functions() {
        let (x, count) = root(0.0, 1.0, 1e-14, |x| 0.3 - x);
        assert!((x - 0.3).abs() < 1e-14 && count < 10, "{x} {count}");
        let (x, count) = root(0.0, 2.0, 1e-13, |x| 2.0 - x * x);
        assert!((x - 2.0_f64.sqrt()).abs() < 1e-13 && count < 20, "{x} {count}");
        let (x, count) = root(0.0, 1.0, 1e-12, |x| (0.7_f64 - x).powi(3));
        assert!((x - 0.7).abs() < 1e-4 && count < 150, "{x} {count}");
        let (x, count) = root(0.0, 1.0, 1e-12, |x| if x < 0.123 { 1.0 } else { -1.0 });
        assert!((x - 0.123).abs() < 1e-12 && count < 100, "{x} {count}");
        // a gap that is not seen has no number
        let (x, _) = root(0.0, 1.0, 1e-12, |x| if x < 0.5 { f64::INFINITY } else { 0.6 - x });
        assert!((x - 0.6).abs() < 1e-12, "{x}");
    }

    /// The answer is on the far side of the sign change.
    #[test]
    fn ends_where_the_sign_has_changed() {
        for k in 1..50 {
            let z = f64::from(k) / 51.0;
            let (x, _) = root(0.0, 1.0, 1e-10, |x| (z - x) * (1.0 + x * x));
            assert!(x >= z && x - z <= 1e-10, "{z} {x}");
        }
    }
}
