//! Frames on flexible bodies, carried by shapes.
//!
//! ```text
//!   in the inertial frame:     x_P = u_0 + Σ S_k q_k,              axes exp(θ) A_0,   θ = Σ s_k q_k
//!   on a floating frame R, A:  x_P = R + A (u_0 + Σ S_k q_k),      axes A exp(θ) A_0
//!   then   ρ = x_P − R:        ẋ_P = Ṙ + Ω×ρ + A Σ S_k q̇_k,        bias = Ω×(Ω×ρ) + 2 Ω×(A Σ S_k q̇_k)
//!                              Ω_P = Ω + A T_l(θ) Σ s_k q̇_k,       bias = Ω×(A T_l θ̇) + A (∂T_l/∂θ·θ̇) θ̇
//! ```
//!
//! In the plane exp(θ) adds an angle, T_l = 1, and Ω_P has no bias.

use crate::geometry::{Geometry, Plane, Vector, add, scale, sub};
use carom_dynamics::Configuration;

/// A frame carried by shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried<S: Geometry = Plane> {
    /// None: the inertial frame carries the shapes.
    pub floating: Option<Base>,
    /// u_0.
    pub origin: S::V,
    /// A_0.
    pub held: S::Held,
    pub shapes: Vec<Shape<S>>,
    /// Whether θ changes.
    pub bends: bool,
    /// How much further in q than in v the coordinate of a shape stands.
    pub lead: u32,
}

/// The floating frame: its first coordinate and velocity, and where its derived numbers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub q: u32,
    pub v: u32,
    pub slot: u32,
}

/// What one coordinate does to a carried frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape<S: Geometry = Plane> {
    /// In v.
    pub column: u32,
    /// S_k.
    pub S: S::V,
    /// s_k.
    pub s: S::W,
}

impl<S: Geometry> Carried<S> {
    /// The frame that the shapes are written in.
    #[inline]
    pub(super) fn frame(&self, derived: &[f64]) -> S::Frame {
        match self.floating {
            Some(base) => S::read(&derived[base.slot as usize..base.slot as usize + S::SLOT]),
            None => S::INERTIAL,
        }
    }

    /// The coordinates of the shapes, numbered as their velocities.
    #[inline]
    fn coordinates<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        if S::FLAT { q } else { &q[self.lead as usize..] }
    }

    /// Σ S_k x_k.
    #[inline]
    fn sum(&self, x: &[f64]) -> S::V {
        self.shapes.iter().fold(S::V::ZERO, |sum, shape| add(sum, scale(x[shape.column as usize], shape.S)))
    }

    /// u = u_0 + Σ S_k q_k.
    #[inline]
    pub fn local(&self, q: &[f64]) -> S::V {
        add(self.origin, self.sum(self.coordinates(q)))
    }

    /// Σ s_k x_k.
    #[inline]
    pub(super) fn turning(&self, x: &[f64]) -> S::W {
        self.shapes.iter().fold(S::W::ZERO, |sum, shape| add(sum, scale(x[shape.column as usize], shape.s)))
    }

    /// θ.
    #[inline]
    pub(super) fn theta(&self, q: &[f64]) -> S::W {
        self.turning(self.coordinates(q))
    }

    /// The frame at q, with the numbers of the floating frame already derived.
    pub fn derive(&self, q: &[f64], derived: &[f64]) -> S::Frame {
        let frame = self.frame(derived);
        let r = add(S::origin(&frame), S::turn(&frame, self.local(q)));
        let coordinates = self.floating.map(|base| &q[base.q as usize..]);
        let theta = self.bends.then(|| self.theta(q));
        S::carried(&frame, coordinates, theta, &self.held, r)
    }

    /// Ω and A Σ S_k q̇_k; Ω = 0 where nothing floats.
    #[inline]
    pub(super) fn motion(&self, at: &Configuration) -> (S::W, S::V) {
        let frame = self.frame(at.derived());
        (self.spin(at), S::turn(&frame, self.sum(&at.v)))
    }

    /// Ω; 0 where nothing floats.
    #[inline]
    pub(super) fn spin(&self, at: &Configuration) -> S::W {
        match self.floating {
            Some(base) => {
                let omega = S::W::read(&at.v[base.v as usize + S::V::LEN..]);
                S::turn_spin(|| self.frame(at.derived()), omega)
            }
            None => S::W::ZERO,
        }
    }

    /// A T_l(θ) s.
    #[inline]
    pub(super) fn turned(&self, at: &Configuration, s: S::W) -> S::W {
        S::turn_spin(|| self.frame(at.derived()), S::spin_of_rate(|| self.theta(at.q()), s))
    }

    /// A (∂T_l/∂θ · η) s; never asked where rotations commute.
    pub(super) fn bent(&self, at: &Configuration, eta: S::W, s: S::W) -> S::W {
        S::turn_spin(|| self.frame(at.derived()), S::rate_of_spin(self.theta(at.q()), eta, s))
    }

    /// ρ = x_P − R; zero where nothing floats.
    #[inline]
    pub(super) fn lever(&self, at: &Configuration, slot: u32) -> S::V {
        match self.floating {
            Some(base) => {
                let origin = |slot: u32| S::V::read(&at.derived()[slot as usize..]);
                sub(origin(slot), origin(base.slot))
            }
            None => S::V::ZERO,
        }
    }
}
