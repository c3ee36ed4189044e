//! Two wheels, or a wheel and a rack, with involute teeth: numbers that do not move.
//!
//! ```text
//!   m_t = m_n/cos β      tan α_t = tan α_n/cos β      r = z m_t/2      r_b = r cos α_t      tan β_b = tan β cos α_t
//!   r_a = r + m_n (h_a + x)      r_f = r − m_n (h_f − x)      t = √(r_a² − r_b²)      p_b = π m_t cos α_t
//!   e = (π/2 + 2 x tan α_n)/z + inv α_t                     half the angle of a tooth on the base circle
//!   inv α_v = inv α_t + 2 (x_1 + x_2)/(z_1 + z_2) tan α_n      a_v = (r_b1 + r_b2)/cos α_v         distance without play
//! ```
//!
//! An internal wheel is the second one with z_2 < 0: r_2, r_b2, r_a2, t_2, R = r_b1 + r_b2 and the distance a are then negative.
//! Everything that depends on the distance of the moment is a function of T = tan α_w with its two derivatives:
//!
//! ```text
//!   T = √(a² − R²)/|R|,   T' = a/(R² T),   T'' = (1/R² − T'²)/T          inv α_w = T − atan T,   (inv α_w)' = T/a
//!   play along the line of action     j = 2 R (inv α_w − inv α_0) + j_0            j' = 2 sin α_w
//!   the path from the pitch point     ξ_A = max(−r_b1 T, r_b2 T − t_2),   ξ_E = min(r_b2 T, t_1 − r_b1 T)     (T1 and T2 clip: undercut)
//!   the middle of two mating flanks   ξ = σ P + f + k p_b,   f = ½ [r_b1 e_1 − r_b2 e_2 + p_b/2 − (r_b1 − r_b2) inv α_w]
//! ```
//!
//! P = ½ (r_b1 φ_1 + r_b2 φ_2), σ = +1 for the flanks by which a first wheel that turns positively pushes, −1 for the others;
//! φ_1 is the angle of the middle of a tooth of the first wheel, φ_2 that of a space of the second, each from the line of centres
//! in the sense it runs. Thinner teeth move both flanks alike, so ξ does not know the play.

use super::involute::{inverse_involute, involute, of_tangent};
use std::f64::consts::{FRAC_PI_2, PI};

/// T below which wheels are so near that their base circles touch: they jam long before.
const NEAREST: f64 = 1e-3;

/// One of two wheels, as given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teeth {
    /// Number of teeth, negative inside a ring.
    pub count: i32,
    /// Profile shift x, addendum h_a and dedendum h_f, in normal modules.
    pub shift: f64,
    pub addendum: f64,
    pub dedendum: f64,
}

/// A pair, as given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given {
    /// Normal module (m).
    pub module: f64,
    /// Normal pressure angle (rad).
    pub pressure_angle: f64,
    /// Helix angle of the first wheel (rad), positive right-handed.
    pub helix_angle: f64,
    /// Face width (m).
    pub width: f64,
    pub wheels: [Teeth; 2],
}

/// A pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    pub given: Given,
    /// α_t and tan α_t.
    pub alpha_t: f64,
    /// r, r_b, r_a, r_f of both.
    pub r: [f64; 2],
    pub r_b: [f64; 2],
    pub r_a: [f64; 2],
    pub r_f: [f64; 2],
    /// t of both, with the sign of the teeth.
    pub t: [f64; 2],
    /// e of both.
    pub e: [f64; 2],
    /// p_b.
    pub p_b: f64,
    /// cos β_b, and h tan β_b with h the hand of the first wheel.
    pub cos_b: f64,
    pub tan_b: f64,
    /// inv α_v.
    pub inv_v: f64,
}

/// A function of the distance: value, first and second derivative.
pub type Jet = [f64; 3];

/// What depends on the distance of the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtDistance {
    pub T: Jet,
    /// j.
    pub play: Jet,
    /// f.
    pub f: Jet,
    /// ξ_A and ξ_E.
    pub ends: [Jet; 2],
    /// σ-free part of the sliding direction along the line of centres: cos α_w.
    pub cos_w: Jet,
}

/// Where play is known: its value j_0 along the line of action, transverse, where the involute of the working pressure angle is inv α_0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    pub at: f64,
    pub inv: f64,
}

impl Geometry {
    /// From what is given; numbers are checked elsewhere.
    pub fn new(given: Given) -> Self {
        let Given { module, pressure_angle, helix_angle, wheels, .. } = given;
        let (tan_n, cos) = (pressure_angle.tan(), helix_angle.cos());
        let (m_t, alpha_t) = (module / cos, (tan_n / cos).atan());
        let each = |f: &dyn Fn(&Teeth) -> f64| [f(&wheels[0]), f(&wheels[1])];
        let r = each(&|w| 0.5 * f64::from(w.count) * m_t);
        let r_b = r.map(|r| r * alpha_t.cos());
        let r_a = [0, 1].map(|i| r[i] + module * (wheels[i].addendum + wheels[i].shift));
        let r_f = [0, 1].map(|i| r[i] - module * (wheels[i].dedendum - wheels[i].shift));
        let t = [0, 1].map(|i| (r_a[i] * r_a[i] - r_b[i] * r_b[i]).max(0.0).sqrt().copysign(r[i]));
        let e = each(&|w| (FRAC_PI_2 + 2.0 * w.shift * tan_n) / f64::from(w.count) + involute(alpha_t));
        let shifts = wheels[0].shift + wheels[1].shift;
        let counts = f64::from(wheels[0].count + wheels[1].count);
        let tan_b = helix_angle.tan() * alpha_t.cos();
        Self {
            given,
            alpha_t,
            r,
            r_b,
            r_a,
            r_f,
            t,
            e,
            p_b: PI * m_t * alpha_t.cos(),
            cos_b: 1.0 / (1.0 + tan_b * tan_b).sqrt(),
            tan_b,
            inv_v: involute(alpha_t) + 2.0 * shifts / counts * tan_n,
        }
    }

    /// R.
    pub fn base(&self) -> f64 {
        self.r_b[0] + self.r_b[1]
    }

    /// +1, or −1 where the second wheel is a ring.
    pub fn sign(&self) -> f64 {
        1f64.copysign(self.r[1])
    }

    /// a_v as a length; none where the shifts leave no place for it.
    pub fn tight_distance(&self) -> Option<f64> {
        (self.inv_v >= 0.0).then(|| (self.base() / inverse_involute(self.inv_v).cos()).abs())
    }

    /// T at a distance of centres, a length.
    fn tangent(&self, distance: f64) -> f64 {
        let R = self.base();
        ((distance * distance - R * R).max(0.0).sqrt() / R.abs()).max(NEAREST)
    }

    /// α_w at a distance of centres, a length.
    pub fn working_angle(&self, distance: f64) -> f64 {
        self.tangent(distance).atan()
    }

    /// The play that the shape of the teeth says.
    pub fn geometric_play(&self) -> Play {
        Play { at: 0.0, inv: self.inv_v }
    }

    /// A play along the line of action at a distance.
    pub fn at_mounting(&self, play: f64, distance: f64) -> Play {
        Play { at: play, inv: of_tangent(self.tangent(distance)) }
    }

    /// All that depends on the distance of centres, a length; derivatives by the signed distance a.
    pub fn at(&self, distance: f64, play: &Play) -> AtDistance {
        let (R, sign) = (self.base(), self.sign());
        let [b_1, b_2] = self.r_b;
        let T = self.tangent(distance);
        // the signed distance that belongs to T, which is held where the wheels are too near
        let a = sign * R.abs() * (1.0 + T * T).sqrt();
        let T_a = a / (R * R * T);
        let T_aa = (1.0 / (R * R) - T_a * T_a) / T;
        let inv = [of_tangent(T), T / a, T_a / a - T / (a * a)];
        let along = |constant: f64, slope: f64| [constant + slope * T, slope * T_a, slope * T_aa];
        let play = [2.0 * R * (inv[0] - play.inv) + play.at, 2.0 * R * inv[1], 2.0 * R * inv[2]];
        let half = 0.5 * (b_1 - b_2);
        let constant = 0.5 * (b_1 * self.e[0] - b_2 * self.e[1] + 0.5 * self.p_b);
        let f = [constant - half * inv[0], -half * inv[1], -half * inv[2]];
        let later = |x: Jet, y: Jet| if x[0] >= y[0] { x } else { y };
        let sooner = |x: Jet, y: Jet| if x[0] <= y[0] { x } else { y };
        let begin = later(along(0.0, -b_1), along(-self.t[1], b_2));
        let mut end = along(self.t[0], -b_1);
        if sign > 0.0 {
            end = sooner(along(0.0, b_2), end);
        }
        let cos_w = [R / a, -R / (a * a), 2.0 * R / (a * a * a)];
        AtDistance { T: [T, T_a, T_aa], play, f, ends: [begin, end], cos_w }
    }

    /// ε_α at a distance, as the path is, undercut included; 0 where the wheels do not reach each other.
    pub fn contact_ratio(&self, distance: f64) -> f64 {
        let at = self.at(distance, &self.geometric_play());
        ((at.ends[1][0] - at.ends[0][0]) / self.p_b).max(0.0)
    }

    /// ε_β.
    pub fn overlap(&self) -> f64 {
        self.given.width * self.tan_b.abs() / self.p_b
    }

    /// Thickness of the teeth of a wheel on a circle, in the transverse section; negative where they end in a point below it.
    pub fn thickness(&self, wheel: usize, radius: f64) -> f64 {
        let alpha = (self.r_b[wheel].abs() / radius.abs()).min(1.0).acos();
        2.0 * self.r[wheel].signum() * radius.abs() * (self.e[wheel] - involute(alpha))
    }
}
