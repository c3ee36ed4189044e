//! A circle on a plane: rims of disks and cylinders, thrust faces, rings.
//!
//! ```text
//!   centre c, axis e, radius r, thickness ρ;  plane through b with normal n
//!   m = n − (n·e) e,     μ = |m| the sine of the lean,     f = c − r m/μ the lowest point
//!   g = n·(f − b) − ρ,   p = f − ρ n,   ν = Ω_B
//!   seen from the plane:  ė = Ω_r×e,   ṁ = −(n·ė) e − (n·e) ė,   ḟ = ċ − r (1 − m̂m̂ᵀ) ṁ/μ
//! ```
//!
//! The lowest point is stationary along the rim, so ġ = n·u there. A circle that lies flat has none: it stands on [`FEET`] points
//! fixed in it. These say nothing wrong at any lean, but a rolling disk would meet them one by one; they are seen only while the
//! disk leans little, together with the lowest point, and a disk that falls flat finds them before it arrives.

use super::mount::z_axis;
use super::{Found, HIDDEN, LEAN, Mount};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, add, dot, norm, scale, sub};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, NEAREST};

/// Points a flat circle stands on. Between them it is carried to cos 45° of its radius before it leans on its lowest point.
pub const FEET: u32 = 4;
/// Sine of the lean below which there is no lowest point: all of the rim is level to this part of its radius.
const FLAT: f64 = 1e-6;

/// Which point of the circle touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Of {
    Lowest,
    /// One of [`FEET`].
    Foot(u32),
}

#[derive(Clone, Debug)]
pub struct Rim {
    /// Around z.
    pub touching: Mount,
    pub circle: f64,
    /// ρ: 0 for a sharp rim.
    pub radius: f64,
    /// Looks to z.
    pub touched: Mount,
    pub of: Of,
    /// Whether there are tangential rows.
    pub rubs: bool,
}

struct Low {
    frame_A: [f64; 12],
    frame_B: [f64; 12],
    e: V3,
    n: V3,
    /// m/μ.
    up: V3,
    lean: f64,
}

impl Rim {
    /// All contacts of a circle on a plane.
    pub fn all(
        touching: &Mount,
        circle: f64,
        radius: f64,
        touched: &Mount,
        rubs: bool,
    ) -> impl Iterator<Item = Self> {
        let with = move |of: Of| Self {
            touching: touching.clone(),
            circle,
            radius,
            touched: touched.clone(),
            of,
            rubs,
        };
        std::iter::once(Of::Lowest).chain((0..FEET).map(Of::Foot)).map(with)
    }

    #[inline]
    fn low(&self, at: &Configuration) -> Low {
        let (frame_A, frame_B) = (self.touching.frame(at), self.touched.frame(at));
        let (e, n) = (z_axis(&frame_A), z_axis(&frame_B));
        // e × (n × e), exact also where the circle is nearly flat
        let m = cross(e, cross(n, e));
        let lean = norm(m);
        let up = if lean > 0.0 { scale(1.0 / lean, m) } else { Space::turn(&frame_A, [1.0, 0.0, 0.0]) };
        Low { frame_A, frame_B, e, n, up, lean }
    }

    /// f.
    #[inline]
    fn foot(&self, low: &Low) -> V3 {
        let arm = match self.of {
            Of::Lowest => scale(-self.circle, low.up),
            Of::Foot(number) => {
                let (sin, cos) = (std::f64::consts::TAU * number as f64 / FEET as f64).sin_cos();
                Space::turn(&low.frame_A, [self.circle * cos, self.circle * sin, 0.0])
            }
        };
        add(Space::origin(&low.frame_A), arm)
    }

    #[inline]
    fn numbered(&self, low: &Low, piece: u32) -> u32 {
        let seen = match self.of {
            Of::Lowest => low.lean >= FLAT,
            Of::Foot(_) => low.lean <= LEAN,
        };
        match piece {
            NEAREST if seen => 0,
            NEAREST => HIDDEN,
            piece => piece,
        }
    }

    pub fn number(&self, at: &Configuration) -> u32 {
        self.numbered(&self.low(at), NEAREST)
    }

    #[inline]
    pub fn gap(&self, at: &Configuration, piece: u32) -> f64 {
        let low = self.low(at);
        match self.numbered(&low, piece) {
            HIDDEN => f64::INFINITY,
            _ => dot(low.n, sub(self.foot(&low), Space::origin(&low.frame_B))) - self.radius,
        }
    }

    #[inline]
    pub fn found(&self, at: &Configuration, piece: u32) -> Found<'_> {
        let low = self.low(at);
        let point = sub(self.foot(&low), scale(self.radius, low.n));
        let seen = self.numbered(&low, piece) != HIDDEN;
        Found::new(at, &self.touching.place, &self.touched.place, low.n, point, self.rubs, seen)
    }

    /// ν and ṗ.
    #[inline]
    pub fn rates(
        &self,
        at: &Configuration,
        point: &ContactPoint<Space>,
        motion: &TouchVelocities<Space>,
    ) -> [V3; 2] {
        let TouchVelocities { v_A, omega_A, omega_B, .. } = *motion;
        let low = self.low(at);
        let Low { e, n, up, lean, .. } = low;
        let foot = self.foot(&low);
        let of_A = add(v_A, cross(omega_A, sub(foot, Space::origin(&point.touching.frame(at)))));
        let mut f_dot = of_A;
        if self.of == Of::Lowest && lean > 0.0 {
            // the point runs along the rim
            let spin = sub(omega_A, omega_B);
            let e_dot = cross(spin, e);
            let m_dot = add(scale(-dot(n, e_dot), e), scale(-dot(n, e), e_dot));
            let up_dot = scale(1.0 / lean, sub(m_dot, scale(dot(up, m_dot), up)));
            f_dot = add(f_dot, scale(-self.circle, sub(up_dot, cross(spin, up))));
        }
        [omega_B, sub(f_dot, scale(self.radius, cross(omega_B, n)))]
    }
}
