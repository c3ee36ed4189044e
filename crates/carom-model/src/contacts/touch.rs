//! Two places that touch in a point.
//!
//! ```text
//!   p_A, p_B          the contact point p seen from the two places
//!   u = (ẋ_A + Ω_A×p_A) − (ẋ_B + Ω_B×p_B)                  touching minus touched, x their places
//!   U = (n·u, t·u, …)                                      rows of W along the normal and the tangents
//!   U̇ bias = d·(u̇ bias) + (ν×d)·u                          for each of these directions d, that turn with ν
//!   u̇ bias = (bias of ẍ_A) + (bias of Ω̇_A)×p_A + Ω_A×(ṗ − ẋ_A) − …_B
//! ```
//!
//! Only ν and ṗ depend on the shapes. A shape says how the normal turns; in space its tangents turn about it besides, as
//! [`Geometry::basis_spin`] knows.

use crate::geometry::{Geometry, Plane, Vector, add, dot, scale, sub};
use crate::place::Place;
use carom_dynamics::{Configuration, Directions};

/// Where two places touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint<'a, S: Geometry = Plane> {
    pub touching: &'a Place<S>,
    pub touched: &'a Place<S>,
    /// From the touched body to the touching one.
    pub n: S::V,
    pub p_A: S::V,
    pub p_B: S::V,
    /// Whether there are tangential rows.
    pub rubs: bool,
}

/// Velocities of the two places.
pub struct TouchVelocities<S: Geometry = Plane> {
    pub v_A: S::V,
    pub omega_A: S::W,
    pub v_B: S::V,
    pub omega_B: S::W,
}

impl<S: Geometry> ContactPoint<'_, S> {
    #[inline]
    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        self.direction(at, self.n, W);
        if self.rubs {
            S::tangents(self.n).as_ref().iter().for_each(|&t| self.direction(at, t, W));
        }
    }

    #[inline]
    fn direction(&self, at: &Configuration, d: S::V, W: &mut Directions) {
        W.begin_row(0.0);
        self.touching.row(at, d, self.p_A, S::W::ZERO, |column, value| W.push(column, value));
        self.touched.row(at, scale(-1.0, d), self.p_B, S::W::ZERO, |column, value| W.push(column, value));
    }

    #[inline]
    pub fn motion(&self, at: &Configuration) -> TouchVelocities<S> {
        TouchVelocities {
            v_A: self.touching.velocity(at),
            omega_A: self.touching.omega(at),
            v_B: self.touched.velocity(at),
            omega_B: self.touched.omega(at),
        }
    }

    /// u.
    #[inline]
    pub fn relative(&self, motion: &TouchVelocities<S>) -> S::V {
        let of_A = add(motion.v_A, S::swing(motion.omega_A, self.p_A));
        sub(of_A, add(motion.v_B, S::swing(motion.omega_B, self.p_B)))
    }

    /// The rows turn with ν, the contact point moves with ṗ.
    #[inline]
    pub fn bias(
        &self,
        at: &Configuration,
        motion: &TouchVelocities<S>,
        nu: S::W,
        p_dot: S::V,
        bias: &mut [f64],
    ) {
        let u = self.relative(motion);
        let of = |place: &Place<S>, v: S::V, omega: S::W, p: S::V| {
            let bias = add(place.bias(at), S::swing(omega, sub(p_dot, v)));
            match place.spin_bias(at) {
                Some(spin_bias) => add(bias, S::swing(spin_bias, p)),
                None => bias,
            }
        };
        let of_A = of(self.touching, motion.v_A, motion.omega_A, self.p_A);
        let u_bias = sub(of_A, of(self.touched, motion.v_B, motion.omega_B, self.p_B));
        let nu = S::basis_spin(self.n, nu);
        let along = |d: S::V| S::along_swing(u, nu, d) + dot(d, u_bias);
        bias[0] = along(self.n);
        if self.rubs {
            for (bias, &t) in bias[1..].iter_mut().zip(S::tangents(self.n).as_ref()) {
                *bias = along(t);
            }
        }
    }
}
