//! Roots of a polynomial in (0, 1) from its Bernstein coefficients.
//!
//! ```text
//!   f(s) = Σ_k c_k B_k(s),   B_k of degree N − 1
//! ```
//!
//! The number of roots is at most the number of changes of sign in c, and equal to it if that is 0 or 1. More changes
//! are split in half (de Casteljau) until there is at most one each. One root is found by Newton's iteration that never
//! leaves its bracket, to the last digit. A double root splits until [`DEPTH`] and is then taken for what it is to
//! rounding: no change of sign.

/// Halvings: below 2⁻⁴⁰ of the interval two roots are one.
const DEPTH: usize = 40;

/// Newton's iteration with a bracket; seven steps are usual, bisection alone would need 53.
const STEPS: usize = 100;

/// Calls `each` with every root in (0, 1) where f changes its sign, in order, and with whether f rises there.
pub(super) fn each<const N: usize>(c: [f64; N], mut each: impl FnMut(f64, bool)) {
    let eval = |s: f64| value(c, s);
    split(c, 0.0, 1.0, 0, &mut |from, to, rises| each(bracketed(from, to, rises, eval), rises));
}

/// f and f'.
fn value<const N: usize>(c: [f64; N], s: f64) -> [f64; 2] {
    let mut b = c;
    for level in 1..N - 1 {
        for i in 0..N - level {
            b[i] += s * (b[i + 1] - b[i]);
        }
    }
    let slope = b[1] - b[0];
    [b[0] + s * slope, (N - 1) as f64 * slope]
}

fn split<const N: usize>(
    c: [f64; N],
    from: f64,
    to: f64,
    depth: usize,
    found: &mut impl FnMut(f64, f64, bool),
) {
    let (mut changes, mut last) = (0, c[0]);
    for &c in &c[1..] {
        if c != 0.0 {
            changes += usize::from(last != 0.0 && (last < 0.0) != (c < 0.0));
            last = c;
        }
    }
    if changes == 0 {
        return;
    }
    let (rises, crosses) = (c[0] < 0.0, (c[0] < 0.0) != (c[N - 1] < 0.0) && c[0] != 0.0 && c[N - 1] != 0.0);
    if depth == DEPTH || (changes == 1 && crosses) {
        if crosses {
            found(from, to, rises);
        }
        return;
    }
    let (mut left, mut right) = (c, c);
    for level in 1..N {
        for i in 0..N - level {
            right[i] = 0.5 * (right[i] + right[i + 1]);
        }
        left[level] = right[0];
    }
    // the root itself may be in the middle: it belongs to the left half, which ends at it
    let middle = 0.5 * (from + to);
    if left[N - 1] == 0.0 {
        left[N - 1] = if left[N - 2] < 0.0 { f64::MIN_POSITIVE } else { -f64::MIN_POSITIVE };
        right[0] = left[N - 1];
    }
    split(left, from, middle, depth + 1, found);
    split(right, middle, to, depth + 1, found);
}

/// The root between two places where f, given with its slope, differs in sign: negative to positive if it is `rising`.
pub(super) fn bracketed(from: f64, to: f64, rising: bool, f: impl Fn(f64) -> [f64; 2]) -> f64 {
    let (mut low, mut high) = (from, to);
    let mut s = 0.5 * (from + to);
    for _ in 0..STEPS {
        let [value, slope] = f(s);
        if value == 0.0 {
            return s;
        }
        if (value < 0.0) == rising {
            low = s
        } else {
            high = s
        }
        let newton = s - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - s).abs() <= f64::EPSILON * (1.0 + s.abs()) {
            return next;
        }
        s = next;
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bernstein coefficients of Π (s − r_i) times k.
    fn quintic(k: f64, roots: [f64; 5]) -> [f64; 6] {
        let mut power = [0.0; 6];
        power[0] = k;
        for (n, r) in roots.into_iter().enumerate() {
            for i in (0..=n + 1).rev() {
                power[i] = if i > 0 { power[i - 1] } else { 0.0 } - r * power[i];
            }
        }
        super::super::spline::bernstein(power)
    }

    fn found(c: [f64; 6]) -> Vec<(f64, bool)> {
        let mut all = Vec::new();
        each(c, |s, rises| all.push((s, rises)));
        all
    }

    #[test]
    fn every_root_once_in_order() {
        for k in [1.0, -3e7, 1e-200] {
            let all = found(quintic(k, [0.1, 0.25, 0.5, 0.75, 0.9]));
            assert_eq!(all.len(), 5, "{all:?}");
            for ((s, rises), (i, r)) in
                all.into_iter().zip([0.1, 0.25, 0.5, 0.75, 0.9].into_iter().enumerate())
            {
                assert!((s - r).abs() < 1e-13, "{s} {r}");
                assert_eq!(rises, (i % 2 == 0) == (k > 0.0));
            }
        }
    }

    #[test]
    fn roots_outside_and_double_roots_are_not_counted() {
        assert!(found(quintic(1.0, [-0.5, -0.1, 1.5, 2.0, 3.0])).is_empty());
        let all = found(quintic(1.0, [0.5, 0.5, 0.3, 2.0, -1.0]));
        assert_eq!(all.len() % 2, 1, "{all:?}");
        assert!(all.iter().any(|(s, _)| (s - 0.3).abs() < 1e-13), "{all:?}");
        // at an end: not inside
        assert!(found(quintic(1.0, [0.0, 1.0, -1.0, 2.0, 3.0])).is_empty());
    }

    #[test]
    fn close_pairs_are_told_apart() {
        let all = found(quintic(1.0, [0.4, 0.4 + 1e-6, 2.0, 3.0, 4.0]));
        assert_eq!(all.len(), 2, "{all:?}");
    }
}
