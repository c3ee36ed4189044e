//! Sliding in space: friction against the direction of sliding, which turns.
//!
//! ```text
//!   U_T = (U_1, U_2) = a d + b d⊥         d the direction where the step begins, U_n the speed there
//!   λ_T = −μ λ_N e,                       e = U_T/|U_T|                       Coulomb's disk, where |U_T| ≥ U_n/10, a > 0
//!                                         e = √(1−β²) d + β d⊥,  β = b/m      below, m = U_n/10; fading to e = d behind a = 0
//!   −∂(W_T λ_T)/∂v = (μ λ_N/m) (W_T l) (W_T p)ᵀ
//! ```
//!
//! A step that ends where a slide ends has a stage at U_T = 0, where no direction is. What a method takes for it must not be noise, and
//! what it makes of the time behind must be smooth, as −μ s is in the plane: so e leans to d there. Where U_T goes straight to zero, as that
//! of a ball, this is exact. Where it turns on its way, directions are right down to a tenth of U_n, and error estimates see the rest.
//! Where U_T turns by more than a right angle within a step the step is cut, and d renewed ([`Motion::aim`]).
//!
//! Below the speed `slowest` e = d: there a step cannot tell directions apart, and what begins to slide has no U_T yet.
//!
//! The derivative has rank one: l = p = e⊥, m = |U_T| on the disk. Implicit methods have it as one more row around their matrix, with a compliance of its own:
//!
//! ```text
//!   (A + c κ f gᵀ) x = r       ⇔      A x = r + f s,   gᵀ x + s/(c κ) = 0
//! ```
//!
//! d is a vector in space, so nothing depends on t_1 and t_2, which jump where a normal turns past the horizontal.

use super::{Motion, Rows};
use crate::{Configuration, ContactKind, ContactMode, Directions, System};

/// Where a speed has fallen below this part of what it was when the step began, e leans to d.
const NEAR_ZERO: f64 = 0.1;

/// A load that is shifted between contacts moves nothing, if it gives less than this part of what it gives by itself.
const SHIFTS: f64 = 1e-4;

/// A contact that slides in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steered {
    pub contact: usize,
    /// Its normal row among those held, and in `Rows::W`.
    pub held: usize,
    pub w: usize,
    mu: f64,
    /// d, U_n.
    d: [f64; 3],
    speed: f64,
    /// l, p and 1/m at the velocities seen last; 1/m = 0 where e does not turn.
    pub l: [f64; 2],
    pub p: [f64; 2],
    turns: f64,
    /// λ_N seen last.
    lambda_N: f64,
}

impl Steered {
    pub fn new(contact: usize, held: usize, w: usize, mu: f64, d: [f64; 3]) -> Self {
        Self { contact, held, w, mu, d, speed: 0.0, l: [0.0; 2], p: [0.0; 2], turns: 0.0, lambda_N: 0.0 }
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
            let mix = |x: f64, y: f64| [x * d[0] - y * d[1], x * d[1] + y * d[0]];
            let floor = NEAR_ZERO * self.speed;
            if a > 0.0 && speed >= floor {
                e = [U[0] / speed, U[1] / speed];
                self.l = [-e[1], e[0]];
                (self.p, self.turns) = (self.l, 1.0 / speed);
            } else {
                let m = speed.max(floor);
                let fades = if a < 0.0 { (1.0 + a / floor).max(0.0) } else { 1.0 };
                let beta = fades * b / m;
                let cosine = (1.0 - beta * beta).max(0.0).sqrt();
                e = mix(cosine, beta);
                if a >= 0.0 && cosine > NEAR_ZERO {
                    self.l = mix(-beta / cosine, 1.0);
                    (self.p, self.turns) = (mix(0.0, 1.0), 1.0 / m);
                }
            }
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
            steered.speed = speed;
            if speed > self.slowest {
                steered.d = in_space([U[0] / speed, U[1] / speed], basis);
                self.modes[steered.contact] = ContactMode::SlideAlong(steered.d);
            }
        }
    }

    /// The time in which the first of what slides in space stops or turns by 1 rad, with accelerations a at a configuration, where rows were
    /// evaluated last (s): |U_T| over the part of U̇_T that slows it or turns it.
    pub fn turning_time(&mut self, system: &dyn System, at: &Configuration, a: &[f64]) -> f64 {
        let W = &self.to.W;
        let bias = &mut self.bias[..W.rows()];
        system.contact_bias(at, &self.closed, bias);
        let mut least = f64::INFINITY;
        for steered in &self.steered {
            let U = steered.velocity(W, &at.v);
            let speed = U[0].hypot(U[1]);
            if speed > self.slowest {
                let rate = |row: usize| W.velocity(row, a) - W.bias(row) + bias[row];
                let (rate, e) = ([rate(steered.w + 1), rate(steered.w + 2)], [U[0] / speed, U[1] / speed]);
                let slows = (rate[0] * e[0] + rate[1] * e[1]).min(0.0);
                let turns = rate[1] * e[0] - rate[0] * e[1];
                least = least.min(speed / slows.hypot(turns));
            }
        }
        least
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

    /// Where contacts carry more than they need to: a contact whose load can be shifted to its neighbours with another motion, if there is
    /// one. After [`Motion::accelerations`], with its factor.
    ///
    /// ```text
    ///   A x = Fᵀ λ,  G x + E λ = E e_k        λ: the part of e_k that no row feels;  x = 0 unless sliding turns it into a force
    /// ```
    pub fn undecided(&mut self) -> Option<usize> {
        if self.steered.is_empty() || !self.is_redundant() || self.is_dense() {
            return None;
        }
        let (m, n) = (self.rows(), self.nv);
        let (mut c, mut lambda) = (vec![0.0; m], vec![0.0; m]);
        let (zero, mut x) = (vec![0.0; n], vec![0.0; n]);
        let weight = self.weight.clone();
        let size = |x: &[f64]| x.iter().zip(&weight).fold(0.0, |most: f64, (x, w)| most.max((x * w).abs()));
        for k in 0..self.held.len() {
            c.fill(0.0);
            c[self.nc + k] = self.border.E;
            self.solve_once(&zero, &c, &mut x, &mut lambda);
            let alone = size(&self.border.Z[k * self.border_len()..k * self.border_len() + n]);
            if size(&x) > SHIFTS * alone {
                return Some(self.held[k].contact);
            }
        }
        None
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
