//! Extrapolation of the midpoint rule: y' = f(y) over a step to any even order.                     Gragg, Bulirsch, Stoer
//!
//! ```text
//!   d_0 = 0,  d_1 = k f(y),  d_{m+1} = d_{m−1} + 2k f(y + d_m),     k = h/n,  n = 2, 4, 6, ...      d_n = Δ + c_1 k² + c_2 k⁴ + ...
//! ```
//!
//! The increments d_n are extrapolated to k = 0 by Neville's scheme; `columns` of them have order 2 `columns`.

/// y(h) from y(0) = `y`.
pub fn extrapolate<const N: usize>(
    y: &[f64; N],
    h: f64,
    columns: usize,
    f: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let slope = f(y);
    let mut table: Vec<[f64; N]> = Vec::with_capacity(columns);
    for j in 0..columns {
        let n = 2 * (j + 1);
        let k = h / n as f64;
        let (mut before, mut now) = ([0.0; N], slope.map(|s| k * s));
        for _ in 1..n {
            let slope = f(&std::array::from_fn(|i| y[i] + now[i]));
            let next = std::array::from_fn(|i| before[i] + 2.0 * k * slope[i]);
            (before, now) = (now, next);
        }
        table.push(now);
        for m in (0..j).rev() {
            let ratio = (n as f64 / (2 * (m + 1)) as f64).powi(2);
            let finer = table[m + 1];
            for (coarse, fine) in table[m].iter_mut().zip(finer) {
                *coarse = fine + (fine - *coarse) / (ratio - 1.0);
            }
        }
    }
    std::array::from_fn(|i| y[i] + table[0][i])
}

/// Where f changes sign between a and b, to the last bits: regula falsi that halves the weight of an end that stays
/// (Illinois).
pub fn root(
    mut f: impl FnMut(f64) -> f64,
    (mut a, mut f_a): (f64, f64),
    (mut b, mut f_b): (f64, f64),
) -> f64 {
    assert!(f_a * f_b <= 0.0, "a root is looked for between values of one sign: {f_a}, {f_b}");
    for _ in 0..MOST_ITERATIONS {
        if f_b == 0.0 {
            return b;
        }
        let c = b - f_b * (b - a) / (f_b - f_a);
        if !(c > a.min(b) && c < a.max(b)) {
            return c.clamp(a.min(b), a.max(b));
        }
        let f_c = f(c);
        if f_c * f_b <= 0.0 {
            (a, f_a) = (b, f_b);
        } else {
            f_a *= 0.5;
        }
        (b, f_b) = (c, f_c);
    }
    b
}

/// Illinois converges with order 1.44: some ten iterations are usual.
const MOST_ITERATIONS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pendulum_of_small_swing_and_its_order() {
        let f = |y: &[f64; 2]| [y[1], -y[0]];
        let error = |h: f64, columns| (extrapolate(&[1.0, 0.0], h, columns, f)[0] - h.cos()).abs();
        assert!(error(0.5, 8) < 1e-15);
        // local error O(h^(2 columns + 1)), here one more: cos is even
        let order = (error(1.0, 3) / error(0.5, 3)).log2();
        assert!((order - 8.0).abs() < 0.2, "{order}");
    }

    #[test]
    fn roots_to_the_last_bits() {
        let f = |x: f64| x * x * x - 2.0;
        assert!((root(f, (0.0, -2.0), (7.0, f(7.0))) - 2f64.cbrt()).abs() < 1e-15);
        assert_eq!(root(|x| x, (0.0, 0.0), (1.0, 1.0)), 0.0);
    }
}
