//! Difference quotients of places and markers over a step, from one configuration to another.
//!
//! ```text
//!   Δ(A u) = A' ū Δθ + Ā Δu      exactly, with     ū, Ā means of the two ends,     A' = ΔA/Δθ = sinc(Δθ/2) A(θ̄) z×
//!   Δx_P = ΔR + A' ū Δθ + Ā Σ S_k Δq_k,     Δr = Δx_P + A'(φ) l Δφ,     Δφ = Δθ + Σ s_k Δq_k
//! ```
//!
//! in the notation of `place.rs`. A row of these coefficients times Δq is what the point moved, however far: a joint that
//! is held by them ends where it should, and does no work on the way. Their entries come in the order of [`Place::row`]
//! and [`Place::rows`].

use crate::geometry::plane::{V2, add, dot, scale, sub, to_local, turn};
use crate::place::{Base, Carried, Carrier, Marker, Place};
use carom_dynamics::Configuration;

/// Turns up to this are taken by a series: the quotient of two small differences would lose digits.
const SMALL_TURN: f64 = 0.1;

/// From where to where.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub from: &'a Configuration,
    pub to: &'a Configuration,
}

/// A rotation over a step, as complex numbers: vectors are turned and stretched by multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Ā.
    pub mean: V2,
    /// A'.
    pub rate: V2,
}

impl Turn {
    /// By an angle, between rotations given by cosine and sine.
    pub fn new(angle: f64, from: V2, to: V2) -> Self {
        let mean = scale(0.5, add(from, to));
        let rate = if angle.abs() <= SMALL_TURN {
            // A' = z× Ā tan(Δ/2)/(Δ/2)
            let half = 0.5 * angle;
            let x = half * half;
            let tan = 1.0 + x * (1.0 / 3.0 + x * (2.0 / 15.0 + x * (17.0 / 315.0 + x * 62.0 / 2835.0)));
            [-tan * mean[1], tan * mean[0]]
        } else {
            scale(1.0 / angle, sub(to, from))
        };
        Self { mean, rate }
    }

    /// Ā x.
    pub fn mean_of(&self, x: V2) -> V2 {
        turn(self.mean[0], self.mean[1], x)
    }

    /// A' x.
    pub fn rate_of(&self, x: V2) -> V2 {
        turn(self.rate[0], self.rate[1], x)
    }
}

impl Carried {
    /// How the frame that carries the shapes turns; none where it is the inertial one.
    fn turning_frame(&self, step: Step) -> Option<(Turn, V2)> {
        let Base { q, slot, .. } = self.floating?;
        let (theta, slot) = (q as usize + 2, slot as usize);
        let at = |at: &Configuration| [at.derived()[slot + 2], at.derived()[slot + 3]];
        let angle = step.to.q()[theta] - step.from.q()[theta];
        let mean = |at: &Configuration| self.local(at.q());
        let u = scale(0.5, add(mean(step.from), mean(step.to)));
        Some((Turn::new(angle, at(step.from), at(step.to)), u))
    }
}

impl Place {
    /// How it turns.
    pub fn turn(&self, step: Step) -> Turn {
        let axes = |at: &Configuration| {
            let [_, _, c, s] = self.frame(at);
            [c, s]
        };
        Turn::new(self.angle(step.to) - self.angle(step.from), axes(step.from), axes(step.to))
    }

    /// Entries of d·Δr + `turn` · Δφ for the point held at `local`.
    pub fn secant_row(&self, step: Step, d: V2, local: V2, turn: f64, entry: impl FnMut(usize, f64)) {
        let by_angle = if local == [0.0; 2] { turn } else { dot(d, self.turn(step).rate_of(local)) + turn };
        let carry = |carried: &Carried| match carried.turning_frame(step) {
            Some((turn, u)) => (dot(d, turn.rate_of(u)), to_local(turn.mean[0], turn.mean[1], d)),
            None => (0.0, d),
        };
        self.walk(step.to, d, by_angle, carry, entry);
    }

    /// Entries (row, column, value) of Δr along x and y for the point held at `local`.
    pub fn secant_rows(&self, step: Step, local: V2, mut entry: impl FnMut(usize, usize, f64)) {
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(first) | Carrier::Rigid(first) => {
                let v = first.v as usize;
                entry(0, v, 1.0);
                entry(1, v + 1, 1.0);
                if self.turns() {
                    let [x, y] = if local == [0.0; 2] { local } else { self.turn(step).rate_of(local) };
                    entry(0, v + 2, x);
                    entry(1, v + 2, y);
                }
            }
            Carrier::Shapes(_) => {
                self.secant_row(step, [1.0, 0.0], local, 0.0, |column, value| entry(0, column, value));
                self.secant_row(step, [0.0, 1.0], local, 0.0, |column, value| entry(1, column, value));
            }
        }
    }
}

impl Marker {
    /// Entries of d·Δr.
    pub fn secant_row(&self, step: Step, d: V2, entry: impl FnMut(usize, f64)) {
        self.place.secant_row(step, d, self.local, 0.0, entry);
    }
}
