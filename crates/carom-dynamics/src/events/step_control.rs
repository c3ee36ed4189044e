//! The next step from the error of the last ones.                                         [Haddouni2015] (2.120)
//!
//! ```text
//!   dt_{n+1} = dt_n · s (tol/e_n)^{0.7/k} (e_{n−1}/tol)^{0.4/k}            accepted: proportional and integral
//!   dt       = dt_n · s (tol/e_n)^{1/k}                                    rejected
//! ```
//!
//! k is the power of dt in the method's own estimate. The source prints 1/p and no integral part; see its errata. The integral
//! part spares rejected steps where the error changes from step to step.

/// s.
const SAFETY: f64 = 0.9;
/// Largest growth and shrinkage from one step to the next.
const GROWTH: f64 = 5.0;
const SHRINKAGE: f64 = 0.2;
/// Exponents of e_n and e_{n−1}, times k.
const INTEGRAL: f64 = 0.7;
const PROPORTIONAL: f64 = 0.4;
/// Errors below this part of the tolerance count as this: a lucky step does not make the next one ten times longer.
const LEAST: f64 = 1e-4;

/// Remembers the error of the step before.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepControl {
    before: f64,
    rejected: bool,
}

impl Default for StepControl {
    fn default() -> Self {
        Self { before: 1.0, rejected: false }
    }
}

impl StepControl {
    /// Factor on dt after a step with error `ratio` times the tolerance was accepted, `most` at most.
    pub fn accepted(&mut self, ratio: f64, exponent: f64, most: f64) -> f64 {
        let ratio = ratio.max(LEAST);
        let factor = SAFETY * ratio.powf(-INTEGRAL / exponent) * self.before.powf(PROPORTIONAL / exponent);
        self.before = ratio;
        // right after a rejection the step does not grow
        let most = if std::mem::take(&mut self.rejected) { 1.0 } else { GROWTH.min(most) };
        factor.clamp(SHRINKAGE, most)
    }

    /// Factor on dt after a step was rejected.
    pub fn rejected(&mut self, ratio: f64, exponent: f64) -> f64 {
        self.rejected = true;
        (SAFETY * ratio.powf(-1.0 / exponent)).clamp(SHRINKAGE, SAFETY)
    }
}
