//! Errors and orders.
//!
//! ```text
//!   ‖e‖₁ = Σ |f_i − f(t_i)| / Σ |f(t_i)|                                                       [Chen2013] (42)
//! ```
//!
//! The order is the slope of log ‖e‖ over log dt by least squares, over step sizes at the ratio 0.7, so that no size
//! is a multiple of another: at impacts the error jumps with the phase of the step, and neighbouring sizes say nothing.

/// The relative L¹ error, summed sample by sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct L1 {
    error: f64,
    size: f64,
}

impl L1 {
    /// Adds a sample.
    pub fn add(&mut self, ours: f64, exact: f64) {
        self.error += (ours - exact).abs();
        self.size += exact.abs();
    }

    /// ‖e‖₁.
    pub fn relative(&self) -> f64 {
        self.error / self.size
    }
}

/// `count` step sizes from `largest` down, at the ratio 0.7.
pub fn steps(largest: f64, count: usize) -> Vec<f64> {
    steps_at(largest, 0.7, count)
}

/// `count` step sizes from `largest` down, at another ratio.
pub fn steps_at(largest: f64, ratio: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| largest * ratio.powi(k as i32)).collect()
}

/// Slope of log y over log x by least squares.
pub fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mean_x, mean_y) =
        (x.iter().map(|x| x.ln()).sum::<f64>() / n, y.iter().map(|y| y.ln()).sum::<f64>() / n);
    let top: f64 = x.iter().zip(y).map(|(x, y)| (x.ln() - mean_x) * (y.ln() - mean_y)).sum();
    let bottom: f64 = x.iter().map(|x| (x.ln() - mean_x).powi(2)).sum();
    top / bottom
}

/// Geometric mean of y / x: how many times larger y is, over all step sizes.
pub fn times(y: &[f64], x: &[f64]) -> f64 {
    let sum: f64 = y.iter().zip(x).map(|(y, x)| (y / x).ln()).sum();
    (sum / y.len() as f64).exp()
}

/// Smallest and largest.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
}
