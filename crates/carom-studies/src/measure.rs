//! Errors and orders.
//!
//! ```text
//!   ‖e‖₁ = Σ |f_i − f(t_i)| / Σ |f(t_i)|                                                       [Chen2013] (42)
//! ```
//!
//! The order is the slope of log ‖e‖ over log dt by least squares, over twenty or more step sizes of which none
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

/// Whether two positive numbers are the same but for a factor, either way.
pub fn within(factor: f64, ours: f64, theirs: f64) -> bool {
    (ours / theirs).ln().abs() <= factor.ln()
}

/// `count` step sizes from `largest` down, each `ratio` of the one before.
pub fn steps(largest: f64, ratio: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| largest * ratio.powi(k as i32)).collect()
}

/// A fitted order with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Slope of log y over log x by least squares.
    pub slope: f64,
    /// Standard error of the slope, from the scatter about the line.
    pub error: f64,
}

impl Order {
    /// Fits y ~ x^slope.
    pub fn fit(x: &[f64], y: &[f64]) -> Self {
        let n = x.len() as f64;
        let mean = |z: &[f64]| z.iter().map(|z| z.ln()).sum::<f64>() / n;
        let (mean_x, mean_y) = (mean(x), mean(y));
        let pairs = || x.iter().zip(y).map(|(x, y)| (x.ln() - mean_x, y.ln() - mean_y));
        let spread: f64 = pairs().map(|(x, _)| x * x).sum();
        let slope = pairs().map(|(x, y)| x * y).sum::<f64>() / spread;
        let scatter: f64 = pairs().map(|(x, y)| (y - slope * x).powi(2)).sum();
        Self { slope, error: (scatter / (n - 2.0) / spread).sqrt() }
    }

    /// Whether this is the order of a first-order method: within two standard errors of 1, or within 0.15, which nobody
    /// would see in a published figure; and fitted well enough to tell it from 1/2 and 2.
    pub fn is_one(&self) -> bool {
        self.is(1.0)
    }

    /// Whether the slope is `order`, in the same sense.
    pub fn is(&self, order: f64) -> bool {
        (self.slope - order).abs() < (2.0 * self.error).max(0.15) && self.error < 0.15
    }
}

impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ± {:.2}", self.slope, self.error)
    }
}

/// Geometric mean of y / x: how many times larger y is, over all step sizes.
pub fn times(y: &[f64], x: &[f64]) -> f64 {
    let sum: f64 = y.iter().zip(x).map(|(y, x)| (y / x).ln()).sum();
    (sum / y.len() as f64).exp()
}

/// How many times larger y is than x over the step sizes: the geometric mean, and the factor of its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// Geometric mean of y / x.
    pub mean: f64,
    /// Standard error of its logarithm, from the scatter over the sizes.
    error: f64,
}

impl Ratio {
    /// Of y over x.
    pub fn of(y: &[f64], x: &[f64]) -> Self {
        let n = y.len() as f64;
        let mean = times(y, x);
        let scatter: f64 = y.iter().zip(x).map(|(y, x)| ((y / x).ln() - mean.ln()).powi(2)).sum();
        Self { mean, error: (scatter / (n * (n - 1.0))).sqrt() }
    }

    /// Whether y is larger, by more than two standard errors and by what a figure shows: a tenth.
    pub fn is_larger(&self) -> bool {
        self.mean.ln() > 2.0 * self.error && self.mean > 1.1
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} (times or over {:.2})", self.mean, self.error.exp())
    }
}

/// Smallest and largest.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_beyond_the_scatter() {
        let x = [1.0; 4];
        assert!(Ratio::of(&[1.3, 1.3, 1.3, 1.3], &x).is_larger());
        // the mean is above 1, but so is the scatter; and a difference nobody sees
        assert!(!Ratio::of(&[3.0, 0.4, 2.0, 0.6], &x).is_larger());
        assert!(!Ratio::of(&[1.05, 1.05, 1.06, 1.05], &x).is_larger());
        // ln y = 0, 2: mean 1, standard error 1
        let ratio = Ratio::of(&[1.0, 2f64.exp()], &[1.0, 1.0]);
        assert!((ratio.mean.ln() - 1.0).abs() < 1e-12 && (ratio.error - 1.0).abs() < 1e-12);
    }

    #[test]
    fn order_of_a_power_with_scatter() {
        let x = steps(1.0, 0.7, 12);
        let exact: Vec<f64> = x.iter().map(|x| 3.0 * x.powf(1.5)).collect();
        let order = Order::fit(&x, &exact);
        assert!((order.slope - 1.5).abs() < 1e-12 && order.error < 1e-12 && !order.is_one());
        // a textbook case: y = e^{0,1,1} over x = e^{0,1,2} has slope 1/2 and standard error sqrt(1/12)
        let order = Order::fit(&[1.0, 1f64.exp(), 2f64.exp()], &[1.0, 1f64.exp(), 1f64.exp()]);
        assert!((order.slope - 0.5).abs() < 1e-12 && (order.error - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }
}
