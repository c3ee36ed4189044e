//! When an iteration ends: one judgement for all of them.
//!
//! ```text
//!   ρ = |change| / |change before|,      left ≈ ρ/(1 − ρ) |change|         what is still to come, if it contracts on
//! ```
//!
//! An iteration has converged when what is left is below its tolerance, when the change is round-off, when two changes in a row
//! are below what matters, or when it stalls where the round-off of its matrix is. A contraction that is too slow asks for a new
//! factorisation. What differs between iterations are numbers: a [`Rule`].

use crate::StepError;

/// What counts, relative to the size of the velocities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Error left.
    pub tolerance: f64,
    /// Two changes in a row, or one after it had converged, below this are round-off, which does not contract; 0: not looked at.
    pub twice: f64,
    /// Where it cannot get any better.
    pub stall: Stall,
    /// A contraction slower than this asks for a new factorisation.
    pub slow: f64,
    /// Two parts of the change may shrink at different rates: the slower of two counts for what is left.
    pub slower_of_two: bool,
}

impl Rule {
    /// Ends by its tolerance alone.
    pub const fn to(tolerance: f64, slow: f64) -> Self {
        Self { tolerance, twice: 0.0, stall: Stall::NEVER, slow, slower_of_two: false }
    }
}

/// A change that no longer shrinks and is small is round-off of the matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stall {
    /// From this iteration on,
    pub after: usize,
    /// with a contraction slower than this
    pub rate: f64,
    /// and changes below this.
    pub below: f64,
    /// Whether the change before must be so small too.
    pub both: bool,
}

impl Stall {
    /// Not looked at.
    pub const NEVER: Self = Self { after: usize::MAX, rate: f64::INFINITY, below: 0.0, both: true };
}

/// What an iteration says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// Nothing that matters is left.
    pub settled: bool,
    /// It contracts too slowly.
    pub slow: bool,
    /// How it contracts, and the slower of the last two; 0 after the first iteration, of which nothing is known.
    pub rate: f64,
    pub slower: f64,
}

/// One iteration, judged change by change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convergence {
    pub rule: Rule,
    iterations: usize,
    before: f64,
    rate: f64,
    settled: bool,
}

impl Convergence {
    /// Before the first iteration.
    pub fn new(rule: Rule) -> Self {
        Self { rule, iterations: 0, before: f64::INFINITY, rate: 0.0, settled: false }
    }

    /// Whether a change has been seen since it began anew.
    pub fn has_begun(&self) -> bool {
        self.before.is_finite()
    }

    /// The last change.
    pub fn last_change(&self) -> f64 {
        self.before
    }

    /// The problem is another one now: no contraction is known, iterations count on.
    pub fn begin_anew(&mut self) {
        (self.before, self.settled) = (f64::INFINITY, false);
    }

    /// An iteration that found nothing to judge, but another place to go on from: no contraction is known.
    pub fn skip(&mut self) {
        self.iterations += 1;
        self.before = f64::INFINITY;
    }

    /// After an iteration that changed the velocities, of size `scale`, by `change`; below `still` there is nothing to see.
    #[inline]
    pub fn judge(&mut self, change: f64, scale: f64, still: f64) -> Judged {
        self.iterations += 1;
        let rule = &self.rule;
        let rate = change / self.before;
        let slower = rate.max(self.rate);
        let counts = if rule.slower_of_two { slower } else { rate };
        let known = self.before.is_finite() && counts < 1.0;
        let both = self.before.max(change);
        let stall = rule.stall;
        self.settled = change <= still
            || (known && left(counts, change) <= rule.tolerance * scale)
            || (self.settled && change <= rule.twice * scale)
            || both <= rule.twice * scale
            || (self.iterations >= stall.after
                && rate > stall.rate
                && (if stall.both { both } else { change }) <= stall.below * scale);
        let slow = self.before.is_finite() && rate > rule.slow;
        (self.before, self.rate) = (change, rate);
        Judged { settled: self.settled, slow, rate, slower }
    }
}

/// ρ/(1 − ρ) times the last change.
#[inline]
pub(crate) fn left(rate: f64, change: f64) -> f64 {
    rate / (1.0 - rate) * change
}

/// The error of an iteration that did not converge: which velocity v the last change dv moves the most, in the metric of M.
pub(crate) fn not_converged(t: f64, iterations: usize, M: &[f64], dv: &[f64], v: &[f64]) -> StepError {
    let size = |i: usize| M[i] * dv[i] * dv[i];
    let velocity = (0..v.len()).max_by(|&i, &j| size(i).total_cmp(&size(j))).unwrap_or(0);
    let change = dv[velocity].abs() / v[velocity].abs().max(f64::MIN_POSITIVE);
    StepError::Newton { t, iterations, change, velocity }
}

/// The error of an iteration whose changes or sizes are not finite, if they are not.
pub(crate) fn finite(t: f64, change: f64, scale: f64, v: &[f64]) -> Result<(), StepError> {
    if change.is_finite() && scale.is_finite() {
        return Ok(());
    }
    let velocity = v.iter().position(|v| !v.is_finite()).unwrap_or(0);
    Err(StepError::NotFinite { t, velocity })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contraction by 1/4 ends when a third of the last change is below the tolerance; a stall at round-off ends too, and
    /// above it does not.
    #[test]
    fn what_is_left_decides() {
        let stall = Stall { after: 3, rate: 0.5, below: 1e-8, both: true };
        let mut convergence = Convergence::new(Rule { stall, ..Rule::to(1e-10, 0.1) });
        let mut change = 1.0;
        while !convergence.judge(change, 1.0, 1e-14).settled {
            change *= 0.25;
        }
        assert!(change / 3.0 <= 1e-10 && 4.0 * change / 3.0 > 1e-10);
        for (level, ends) in [(1e-9, true), (1e-7, false)] {
            convergence.begin_anew();
            let settled = (0..20).any(|_| convergence.judge(level, 1.0, 1e-14).settled);
            assert_eq!(settled, ends);
        }
    }
}
