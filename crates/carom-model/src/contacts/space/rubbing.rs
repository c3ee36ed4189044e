//! Joints that rub: rows that are always active.
//!
//! ```text
//!   turning:   U = e·(Ω_1 − Ω_2)                  e an axis held by the first body
//!              bias = (Ω_1×e)·(Ω_1 − Ω_2) + e·(bias of Ω̇_1 − bias of Ω̇_2)
//!   sliding:   U = e·u                            e an axis held by the guide, u the velocity of the slider's point against its matter
//! ```

use super::mount::z_axis;
use super::{Found, Mount};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, dot, scale, sub};
use crate::place::{Marker, Place};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, Directions};

/// Dry friction in a hinge.
#[derive(Clone, Debug)]
pub struct Turning {
    pub first: Place<Space>,
    pub second: Place<Space>,
    /// Unit vector in the frame of the first.
    pub axis: V3,
}

/// Dry friction in a guide.
#[derive(Clone, Debug)]
pub struct Sliding {
    pub slider: Marker<Space>,
    /// Along z.
    pub guide: Mount,
}

impl Turning {
    /// e.
    fn inertial_axis(&self, at: &Configuration) -> V3 {
        Space::turn(&self.first.frame(at), self.axis)
    }

    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        W.begin_row(0.0);
        let e = self.inertial_axis(at);
        spin_row(at, &self.first, &self.second, e, W);
    }

    pub fn bias(&self, at: &Configuration) -> f64 {
        let e = self.inertial_axis(at);
        let omega = self.first.omega(at);
        let spin = sub(omega, self.second.omega(at));
        dot(cross(omega, e), spin) + dot(e, spin_bias(at, &self.first, &self.second))
    }
}

/// Entries of e·(Ω_1 − Ω_2).
pub(super) fn spin_row(
    at: &Configuration,
    first: &Place<Space>,
    second: &Place<Space>,
    e: V3,
    W: &mut Directions,
) {
    first.turning_row(at, e, |column, value| W.push(column, value));
    second.turning_row(at, scale(-1.0, e), |column, value| W.push(column, value));
}

/// The part of Ω̇_1 − Ω̇_2 that contains no v'.
pub(super) fn spin_bias(at: &Configuration, first: &Place<Space>, second: &Place<Space>) -> V3 {
    let of = |place: &Place<Space>| place.spin_bias(at).unwrap_or(V3::ZERO);
    sub(of(first), of(second))
}

impl Sliding {
    pub fn found(&self, at: &Configuration) -> Found<'_> {
        let e = z_axis(&self.guide.frame(at));
        Found::new(at, &self.slider.place, &self.guide.place, e, self.slider.at(at).r, false, true)
    }

    /// ν and ṗ.
    pub fn rates(
        &self,
        at: &Configuration,
        _: &ContactPoint<Space>,
        motion: &TouchVelocities<Space>,
    ) -> [V3; 2] {
        [motion.omega_B, self.slider.velocity(at, &self.slider.at(at))]
    }
}
