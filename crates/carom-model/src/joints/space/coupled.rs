//! Two joint coordinates in a fixed ratio: gears, rack and wheel, screws.
//!
//! ```text
//!   Φ = z_1 + i z_2 − c          on the branch next to zero
//!
//!   gear    φ_1 + (p/q) φ_2 − c      the same again after 2π/q       p, q whole and without common factor
//!   rack    s − R φ − c              after 2πR
//!   screw   s − (h/2π) φ − c         after the pitch h
//! ```
//!
//! Angles are known up to whole turns, and a whole turn of either changes Φ by a multiple of its period. So the coupling is
//! exact over any number of turns while Φ, which a joint keeps near zero, is within half a period. A ratio of gears that
//! is not that of two whole numbers has no period: such gears come to the same place by different ways, and what they hold is no
//! function of where they are.

use super::coordinate::{Coordinate, nearest};
use carom_dynamics::{Configuration, Quantity};
use std::f64::consts::TAU;

#[derive(Clone, Debug)]
pub struct Coupled {
    pub first: Coordinate,
    pub second: Coordinate,
    /// i.
    pub ratio: f64,
    /// c.
    pub offset: f64,
    /// Of Φ.
    pub period: f64,
}

/// The largest number of teeth of a gear: a fraction below this is told from its neighbours by far more than round-off.
pub const MOST_TEETH: u32 = 10_000;

/// The fraction p/q, q ≤ [`MOST_TEETH`], that a positive ratio is to round-off, by its continued fraction.
pub fn whole_ratio(ratio: f64) -> Option<(u32, u32)> {
    /// A ratio typed with sixteen digits is this near to its fraction.
    const ROUND_OFF: f64 = 1e-13;
    let (mut p, mut q) = ([0_f64, 1.0], [1_f64, 0.0]);
    let mut rest = ratio;
    // the denominators grow at least as Fibonacci's numbers do: the limit is reached before twenty-five terms
    for _ in 0..25 {
        let whole = rest.floor();
        (p, q) = ([p[1], whole * p[1] + p[0]], [q[1], whole * q[1] + q[0]]);
        let most = f64::from(MOST_TEETH);
        if p[1] > most || q[1] > most {
            return None;
        }
        if (p[1] / q[1] - ratio).abs() <= ROUND_OFF * ratio {
            return (p[1] >= 1.0).then_some((p[1] as u32, q[1] as u32));
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

impl Coupled {
    /// φ_1 + i φ_2 − c; none where i is not the ratio of two whole numbers.
    pub fn gear(first: Coordinate, second: Coordinate, ratio: f64, offset: f64) -> Option<Self> {
        let (_, q) = whole_ratio(ratio.abs())?;
        Some(Self { first, second, ratio, offset, period: TAU / f64::from(q) })
    }

    /// s − R φ − c.
    pub fn rack(displacement: Coordinate, angle: Coordinate, radius: f64, offset: f64) -> Self {
        Self { first: displacement, second: angle, ratio: -radius, offset, period: TAU * radius.abs() }
    }

    /// s − (h/2π) φ − c.
    pub fn screw(displacement: Coordinate, angle: Coordinate, pitch: f64, offset: f64) -> Self {
        Self { first: displacement, second: angle, ratio: -pitch / TAU, offset, period: pitch.abs() }
    }

    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        match self.first.quantity() {
            Quantity::Length => &[(Quantity::Length, "force")],
            Quantity::Angle => &[(Quantity::Angle, "torque")],
        }
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        let sum = self.first.value(at) + self.ratio * self.second.value(at);
        phi[0] = nearest(sum - self.offset, self.period);
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        self.first.row(at, |column, value| entry(0, column, value));
        self.second.row(at, |column, value| entry(0, column, self.ratio * value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = self.first.bias(at) + self.ratio * self.second.bias(at);
    }
}
