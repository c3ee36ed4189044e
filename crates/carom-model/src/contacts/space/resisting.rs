//! Moments against turning in a contact: rolling and drilling.
//!
//! ```text
//!   Ω = Ω_A − Ω_B                              touching minus touched
//!   rolling    U = (t_1·Ω, t_2·Ω)              |M_R| ≤ r P_N
//!   drilling   U = n·Ω                         |M_D| ≤ r P_N
//!   U̇ bias = d·(bias of Ω̇) + (ν×d)·Ω            for each of these directions d, that turn with ν
//! ```
//!
//! r is a length: the arm at which P_N would make the largest moment.

use super::rubbing::{spin_bias, spin_row};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, dot, sub};
use carom_dynamics::{Configuration, Directions, Resistance};

/// Calls with the directions of the rows.
#[inline]
fn each(n: V3, resists: Resistance, mut row: impl FnMut(V3)) {
    match resists {
        Resistance::None => {}
        Resistance::Rolling(_) => Space::tangents(n).iter().for_each(|&t| row(t)),
        Resistance::Drilling(_) => row(n),
    }
}

/// Rows of W.
#[inline]
pub fn directions(
    point: &ContactPoint<'_, Space>,
    resists: Resistance,
    at: &Configuration,
    W: &mut Directions,
) {
    each(point.n, resists, |d| {
        W.begin_row(0.0);
        spin_row(at, point.touching, point.touched, d, W);
    });
}

/// The part of U̇ that contains no v'; n turns with ν.
#[inline]
pub fn bias(
    point: &ContactPoint<'_, Space>,
    resists: Resistance,
    at: &Configuration,
    motion: &TouchVelocities<Space>,
    nu: V3,
    bias: &mut [f64],
) {
    if resists == Resistance::None {
        return;
    }
    let (spin, spin_bias) =
        (sub(motion.omega_A, motion.omega_B), spin_bias(at, point.touching, point.touched));
    let nu = Space::basis_spin(point.n, nu);
    let mut places = bias.iter_mut();
    each(point.n, resists, |d| {
        let place = places.next().expect("a place for every row");
        *place = Space::along_swing(spin, nu, d) + dot(d, spin_bias);
    });
}
