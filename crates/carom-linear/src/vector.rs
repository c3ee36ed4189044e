//! Sums over vectors, each in one fixed order.

/// Σ a_i b_i, one after the other: for short rows, and where a sum is compared with a formula.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Σ a_i b_i of long rows: four sums side by side, so that the processor need not wait for one; the order is fixed.
#[inline]
pub fn dot_long(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_rest) = a.as_chunks::<4>();
    let (b_blocks, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// aᵀb in eight partial sums, always in the same order.
pub fn dot_8(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sum = [0.0; 8];
    let (a_8, b_8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_8.remainder().iter().zip(b_8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_8.zip(b_8) {
        for k in 0..8 {
            sum[k] += x[k] * y[k];
        }
    }
    ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + rest
}

/// y += a x.
#[inline]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers: every order gives the same, 1² + … + n² = n (n + 1)(2n + 1)/6.
    #[test]
    fn sums_of_squares() {
        for n in 0..40 {
            let x: Vec<f64> = (1..=n).map(f64::from).collect();
            let exact = f64::from(n * (n + 1) * (2 * n + 1) / 6);
            assert_eq!(dot(&x, &x), exact);
            assert_eq!(dot_long(&x, &x), exact);
        }
    }
}
