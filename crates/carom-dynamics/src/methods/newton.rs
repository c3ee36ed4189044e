//! What the implicit methods share: what the equations of motion lack at a guess, and when an iteration ends.
//!
//! ```text
//!   r = h + Fᵀ λ − M a,            c = −(G a + bias)      at (t, q, v) with a and λ
//!   ( c_m M + c_v C + c_q K ) δa = r + Fᵀ δλ,             G δa = c, or what the method makes of Φ and dΦ/dt
//! ```
//!
//! The matrix knows of directions of sliding that turn with v, and nothing of ∂(Fᵀλ)/∂q, ∂(M a)/∂q and of rows that turn, so the iteration converges linearly: by O(dt²)
//! for the first two, O(dt) for the last. It is factored anew where that is too slow.

use super::Knot;
use crate::convergence::left;
use crate::{Configuration, Drift, Motion, StepError, System};

/// The iteration ends when what it leaves is below this, relative to the velocities.
const TOLERANCE: f64 = 2e-15;
/// A change that stops shrinking below this has met round-off.
const ROUND_OFF: f64 = 1e-9;
/// The same for velocities that follow from positions, in units of ε/dt: residuals of Φ are mixed and added up.
const POSITIONS: f64 = 1e3;
/// Slower than this a change does not shrink at all.
const STALLS: f64 = 0.9;
/// A contraction slower than this asks for a new factorisation.
const SLOW: f64 = 0.2;
/// Times that a change may grow before the iteration counts as divergent.
const MOST_GROWTHS: usize = 4;

/// r = h + Fᵀ λ − M a; forces and rows are evaluated there, and forces act along these rows.
pub(super) fn unbalanced(
    system: &dyn System,
    motion: &mut Motion,
    at: &Configuration,
    a: &[f64],
    lambda: &[f64],
    r: &mut [f64],
) {
    motion.evaluate_forces(system, at);
    motion.evaluate_rows(system, at);
    motion.push_here();
    motion.mul_mass(a, r);
    for (r, h) in r.iter_mut().zip(motion.h()) {
        *r = h - *r;
    }
    motion.add_reactions(lambda, r);
    motion.note_reactions(lambda);
}

/// c = −(G a + bias) with the rows evaluated last, and what keeps them from drifting; `room` has their size.
pub(super) fn unheld(
    system: &dyn System,
    motion: &mut Motion,
    at: &Configuration,
    a: &[f64],
    c: &mut [f64],
    room: &mut [f64],
) {
    motion.along_rows(a, c);
    motion.acceleration_bias(system, at, room);
    add(1.0, room, c);
    if let Drift::Baumgarte { rate } = motion.drift {
        motion.velocities(&at.v, room);
        add(2.0 * rate, room, c);
        motion.positions(system, at, room);
        add(rate * rate, room, c);
    }
    for c in c {
        *c = -*c;
    }
}

/// Factors M + c_v C + c_q K with the tangents at a guess; where they are not positive definite there, as those of a stiff spring
/// that a guess compresses, with those where the step begins. `at` may be left there. False if neither is.
pub(super) fn factor(
    system: &dyn System,
    motion: &mut Motion,
    from: &Knot,
    at: &mut Configuration,
    c_v: f64,
    c_q: f64,
) -> bool {
    if !motion.has_tangents() && !motion.is_steered() {
        return motion.factor();
    }
    motion.evaluate_tangents(system, at);
    if motion.factor_with(1.0, c_v, c_q) {
        return true;
    }
    motion.place(system, from.t, &from.q, &from.v, at);
    motion.evaluate_tangents(system, at);
    motion.factor_with(1.0, c_v, c_q)
}

/// sum += scale · x.
pub(super) fn add(scale: f64, x: &[f64], sum: &mut [f64]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += scale * x;
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing: what is left does not matter.
    Stop,
    /// Iterate.
    Iterate,
    /// Iterate with a new factorisation: this one contracts too slowly.
    Factor,
}

/// Watches one iteration. Sizes are largest weighed velocities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    t: f64,
    most: usize,
    /// What round-off in positions makes of velocities, 0 where they do not follow from them.
    noise: f64,
    /// Changes below so many times that mean nothing.
    floor: f64,
    /// How much more than their share of ε places and levers are off, far from the origin.
    stretch: f64,
    iterations: usize,
    growths: usize,
    /// The change before, and how it shrank.
    before: f64,
    rate: f64,
    /// The largest seen in this step: what comes to rest has none of its own.
    size: f64,
}

impl Watch {
    /// Of a step from t, with so many iterations at most.
    pub fn new(t: f64, most: usize) -> Self {
        let before = f64::INFINITY;
        Self {
            t,
            most,
            noise: 0.0,
            floor: 0.0,
            stretch: 1.0,
            iterations: 0,
            growths: 0,
            before,
            rate: 0.0,
            size: 0.0,
        }
    }

    /// In steps of size dt: velocities below ε/dt move nothing. Where positions are held, changes below `floor` times that end it.
    /// `grain` is the round-off of places relative to the mechanism.
    pub fn holding_positions(mut self, dt: f64, floor: f64, grain: f64) -> Self {
        self.stretch = (grain / crate::GAP_ROUND_OFF).max(1.0);
        (self.noise, self.floor) = (self.stretch * f64::EPSILON / dt, floor);
        self
    }

    /// Iterations so far.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Takes note of a velocity of size s.
    pub fn see(&mut self, s: f64) {
        self.size = self.size.max(s);
    }

    /// After an iteration that changed the velocities by `change`, and number `velocity` the most.
    pub fn judge(&mut self, change: f64, velocity: usize) -> Result<Next, StepError> {
        self.iterations += 1;
        if !(change.is_finite() && self.size.is_finite()) {
            return Err(StepError::NotFinite { t: self.t, velocity });
        }
        let rate = change / self.before;
        // reactions that follow each other make it shrink by turns fast and slowly
        let slower = rate.max(self.rate);
        (self.before, self.rate) = (change, rate);
        let still_to_come = if slower < 1.0 { left(slower, change) } else { change };
        // on the first pass no rate is known
        let still_to_come = if self.iterations == 1 { change } else { still_to_come };
        let round_off = ROUND_OFF.max(POSITIONS * self.stretch * f64::EPSILON) * self.size;
        let round_off = round_off.max(POSITIONS * self.noise);
        let stalls = self.iterations > 2 && rate > STALLS && change <= round_off;
        if still_to_come <= (TOLERANCE * self.stretch * self.size).max(self.floor * self.noise) || stalls {
            return Ok(Next::Stop);
        }
        if rate > 1.0 && self.iterations > 1 {
            self.growths += 1;
        }
        if self.iterations >= self.most || self.growths > MOST_GROWTHS {
            let change = if self.size > 0.0 { change / self.size } else { change };
            return Err(StepError::Newton { t: self.t, iterations: self.iterations, change, velocity });
        }
        let slow = self.iterations > 1 && rate > SLOW;
        Ok(if slow { Next::Factor } else { Next::Iterate })
    }
}

/// The largest |w x|, and where.
pub(super) fn largest(w: &[f64], x: &[f64]) -> (f64, usize) {
    let mut most = (0.0, 0);
    for (i, (w, x)) in w.iter().zip(x).enumerate() {
        let size = (w * x).abs();
        // NaN counts as the largest
        if size > most.0 || size.is_nan() {
            most = (if size.is_nan() { f64::INFINITY } else { size }, i);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contraction by 1/2 goes on until what is left is small, asks for factorisations; growth is an error.
    #[test]
    fn watch() {
        let mut watch = Watch::new(0.0, 100);
        watch.see(1.0);
        let mut change = 0.1;
        loop {
            match watch.judge(change, 0).unwrap() {
                Next::Stop => break,
                next => assert_eq!(next == Next::Factor, watch.iterations() > 1),
            }
            change *= 0.5;
        }
        assert!((1e-15..=2e-15).contains(&change));
        let mut watch = Watch::new(0.0, 100);
        watch.see(1.0);
        let fails = (0..10).find_map(|k| watch.judge(f64::from(1 << k), 3).err());
        assert!(matches!(fails, Some(StepError::Newton { velocity: 3, .. })));
        assert!(matches!(watch.judge(f64::NAN, 1), Err(StepError::NotFinite { velocity: 1, .. })));
    }
}
