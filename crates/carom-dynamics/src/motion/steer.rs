//! Sliding in space: friction against the direction of sliding, which turns.
//!
//! ```text
//!   U_T = (U_1, U_2) = a d + b d⊥         d a unit vector of reference, from where the step begins
//!   λ_T = −μ λ_N e,                       e = (|a| d + b d⊥)/|U_T|
//!   −∂(W_T λ_T)/∂v = (μ λ_N/|U_T|) (W_T l) (W_T p)ᵀ,      l = (sgn(a) b d − a d⊥)/|U_T|,  p = (b d − a d⊥)/|U_T|
//! ```
//!
//! While a > 0 this is Coulomb's disk, e = U_T/|U_T|. Behind a = 0 it goes on smoothly where U_T goes straight through zero, as −μ s
//! does in the plane: the event there is then located on a smooth function, and what the method made of the time behind it does no
//! harm. Where U_T turns by more than a right angle within a step the step is cut, and d renewed ([`Motion::aim`]).
//!
//! Below the speed `slowest` e = d: there a step cannot tell the directions apart, and what begins to slide has no U_T yet.
//!
//! The derivative has rank one. Implicit methods have it as one more row around their matrix, with a compliance of its own:
//!
//! ```text
//!   (A + c κ f gᵀ) x = r       ⇔      A x = r + f s,   gᵀ x + s/(c κ) = 0
//! ```
//!
//! d is a vector in space, so nothing depends on t_1 and t_2, which jump where a normal turns past the horizontal.

use super::{Motion, Rows};
use crate::{Configuration, ContactKind, ContactMode, Directions, System};

/// A contact that slides in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steered {
    pub contact: usize,
    /// Its normal row among those held, and in `Rows::W`.
    pub held: usize,
    pub w: usize,
    mu: f64,
    /// d.
    d: [f64; 3],
    /// l, p and 1/|U_T| at the velocities seen last; 1/|U_T| = 0 where e does not turn.
    pub l: [f64; 2],
    pub p: [f64; 2],
    turns: f64,
    /// λ_N seen last.
    lambda_N: f64,
}

impl Steered {
    pub fn new(contact: usize, held: usize, w: usize, mu: f64, d: [f64; 3]) -> Self {
        Self { contact, held, w, mu, d, l: [0.0; 2], p: [0.0; 2], turns: 0.0, lambda_N: 0.0 }
    }

    /// κ: how much friction resists a turn.
    pub fn resists(&self) -> f64 {
        self.mu * self.lambda_N.max(0.0) * self.turns
    }

    /// d in a basis, of length 1.
    fn reference(&self, basis: &[[f64; 3]; 2]) -> [f64; 2] {
        let d = in_basis(self.d, basis);
        let size = d[0].hypot(d[1]);
        if size > 0.0 { [d[0] / size, d[1] / size] } else { [1.0, 0.0] }
    }

    /// U_T in a basis.
    fn velocity(&self, W: &Directions, v: &[f64]) -> [f64; 2] {
        [W.velocity(self.w + 1, v), W.velocity(self.w + 2, v)]
    }

    /// −μ e, and what turns it.
    fn slope(&mut self, W: &Directions, basis: &[[f64; 3]; 2], v: &[f64], slowest: f64) -> [f64; 2] {
        let (d, U) = (self.reference(basis), self.velocity(W, v));
        let speed = U[0].hypot(U[1]);
        self.turns = 0.0;
        let mut e = d;
        if speed > slowest {
            let (a, b) = (U[0] * d[0] + U[1] * d[1], U[1] * d[0] - U[0] * d[1]);
            let mix = |x: f64, y: f64| [(x * d[0] - y * d[1]) / speed, (x * d[1] + y * d[0]) / speed];
            e = if a > 0.0 { [U[0] / speed, U[1] / speed] } else { mix(-a, b) };
            self.p = mix(b, -a);
            self.l = mix(b * a.signum(), -a);
            self.turns = 1.0 / speed;
        }
        [-self.mu * e[0], -self.mu * e[1]]
    }
}

/// The components of a vector along two tangents.
pub(crate) fn in_basis(d: [f64; 3], basis: &[[f64; 3]; 2]) -> [f64; 2] {
    basis.map(|t| t[0] * d[0] + t[1] * d[1] + t[2] * d[2])
}

/// The vector with components along two tangents.
pub(crate) fn in_space(x: [f64; 2], basis: &[[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|i| x[0] * basis[0][i] + x[1] * basis[1][i])
}

impl Motion {
    /// Whether anything slides in space, so that forces act along directions that turn with v.
    pub fn is_steered(&self) -> bool {
        !self.steered.is_empty()
    }

    /// Below this speed (m/s) what slides in space keeps the direction it had where the step began.
    pub fn set_slowest(&mut self, slowest: f64) {
        self.slowest = slowest;
    }

    /// That speed (m/s).
    pub fn slowest(&self) -> f64 {
        self.slowest
    }

    /// d of what slides in space becomes the direction of sliding at a configuration with its velocities, unless it is too slow to have
    /// one. A step begins.
    pub fn aim(&mut self, system: &dyn System, at: &Configuration) {
        if self.steered.is_empty() {
            return;
        }
        self.evaluate_rows(system, at);
        for (steered, basis) in self.steered.iter_mut().zip(&self.to.basis) {
            let U = steered.velocity(&self.to.W, &at.v);
            let speed = U[0].hypot(U[1]);
            if speed > self.slowest {
                steered.d = in_space([U[0] / speed, U[1] / speed], basis);
                self.modes[steered.contact] = ContactMode::SlideAlong(steered.d);
            }
        }
    }

    /// Forces act along directions of sliding at a configuration with its velocities: for what is asked of λ there afterwards.
    pub fn look_at(&mut self, system: &dyn System, at: &Configuration) {
        if self.steered.is_empty() {
            return;
        }
        self.v_forces.copy_from_slice(&at.v);
        self.evaluate_rows(system, at);
        self.push_here();
    }

    /// Directions along which forces act, from velocities and rows where they do.
    pub(super) fn steer(&mut self) {
        let Rows { W, basis, .. } = &self.from;
        // rows of another mode are not those that forces will act along
        if W.rows() != self.closed_rows || basis.len() != self.steered.len() {
            return;
        }
        for (steered, basis) in self.steered.iter_mut().zip(basis) {
            self.held[steered.held].slope = steered.slope(W, basis, &self.v_forces, self.slowest);
        }
    }

    /// Takes note of λ, for how strongly friction resists a turn.
    pub fn note_reactions(&mut self, lambda: &[f64]) {
        for steered in &mut self.steered {
            steered.lambda_N = lambda[self.nc + steered.held];
        }
    }

    /// Tangents of what slides in space, where rows are evaluated.
    pub(super) fn evaluate_basis(&mut self, system: &dyn System, at: &Configuration) {
        self.to.basis.clear();
        for steered in &self.steered {
            system.contact_tangents(at, &[steered.contact], &mut self.to.basis);
        }
    }

    /// What slides in space, in a mode that begins.
    pub(super) fn steer_new(&mut self, contact: usize, held: usize, w: usize, d: [f64; 3]) {
        let ContactKind::Spatial { friction, .. } = self.kinds[contact] else { return };
        self.steered.push(Steered::new(contact, held, w, friction, d));
    }
}
