//! Stiffness of one pair of teeth along the path of contact.
//!
//! ```text
//!   c(ξ) = c_max [1 − (1−k) τ²],   τ = (ξ − m)/H for |τ| ≤ 1,   m = ½ (ξ_A + ξ_E),   H = ½ (ξ_E − ξ_A),   0 outside
//!   over a stretch w of the path:     c = c_max H/w [G(τ_+) − G(τ_−)],   G = τ − (1−k) τ³/3 held at its ends,   τ_± at ξ ± w/2
//! ```
//!
//! The parabola is that of [Ebrahimi2007] (7.7): c_max in the middle of the path, k c_max at its ends. The stretch is that of a slice of a
//! helical wheel, b tan β_b/N, so the sum over slices is exact for any N and continuous; or the part of the path in which a pair of
//! spur teeth comes in, which leaves the mean stiffness as it is.

use super::geometry::Jet;

/// Shape of c along the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    /// c_max (N/m).
    pub most: f64,
    /// k.
    pub ratio: f64,
}

/// c with first and second derivatives by P (ξ = σ P + f(a) + …) and by the distance a.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    pub c: f64,
    pub c_P: f64,
    pub c_a: f64,
    pub c_PP: f64,
    pub c_Pa: f64,
    pub c_aa: f64,
}

/// Where on the path: ξ, and f, ξ_A, ξ_E with their derivatives by a.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    pub xi: f64,
    pub side: f64,
    pub f: &'a Jet,
    pub ends: &'a [Jet; 2],
}

/// τ with its derivatives.
struct Tau {
    t: f64,
    a: f64,
    Pa: f64,
    aa: f64,
}

impl Parabola {
    /// c over a stretch of the path around ξ; at ξ itself where the stretch is 0.
    pub fn at(&self, spot: &Spot, stretch: f64) -> Stiffness {
        let [begin, end] = spot.ends;
        let m: Jet = std::array::from_fn(|i| 0.5 * (begin[i] + end[i]));
        let H: Jet = std::array::from_fn(|i| 0.5 * (end[i] - begin[i]));
        let tau = |shift: f64| {
            let t = (spot.xi + shift - m[0]) / H[0];
            let a = (spot.f[1] - m[1] - t * H[1]) / H[0];
            let aa = (spot.f[2] - m[2] - t * H[2] - 2.0 * a * H[1]) / H[0];
            Tau { t, a, Pa: -spot.side * H[1] / (H[0] * H[0]), aa }
        };
        let q = 1.0 - self.ratio;
        let by_P = spot.side / H[0];
        if stretch == 0.0 {
            let Tau { t, a, Pa, aa } = tau(0.0);
            if t.abs() > 1.0 {
                return Stiffness::default();
            }
            let slope = -2.0 * q * self.most;
            return Stiffness {
                c: self.most * (1.0 - q * t * t),
                c_P: slope * t * by_P,
                c_a: slope * t * a,
                c_PP: slope * by_P * by_P,
                c_Pa: slope * (by_P * a + t * Pa),
                c_aa: slope * (a * a + t * aa),
            };
        }
        // H G(τ) at both ends of the stretch, and the difference
        let primitive = |shift: f64| {
            let Tau { t, a, aa, .. } = tau(shift);
            let held = t.clamp(-1.0, 1.0);
            let (slope, bend) = if t.abs() <= 1.0 { (1.0 - q * t * t, -2.0 * q * t) } else { (0.0, 0.0) };
            let G = held - q * held * held * held / 3.0;
            Stiffness {
                c: H[0] * G,
                c_P: spot.side * slope,
                c_a: H[1] * G + H[0] * slope * a,
                c_PP: bend / H[0],
                c_Pa: spot.side * bend * a,
                c_aa: H[2] * G + 2.0 * H[1] * slope * a + H[0] * (bend * a * a + slope * aa),
            }
        };
        let (high, low) = (primitive(0.5 * stretch), primitive(-0.5 * stretch));
        high.less(&low).times(self.most / stretch)
    }
}

impl Stiffness {
    /// Times a number.
    pub fn times(&self, by: f64) -> Self {
        let Self { c, c_P, c_a, c_PP, c_Pa, c_aa } = *self;
        Self { c: by * c, c_P: by * c_P, c_a: by * c_a, c_PP: by * c_PP, c_Pa: by * c_Pa, c_aa: by * c_aa }
    }

    fn less(&self, other: &Self) -> Self {
        Self {
            c: self.c - other.c,
            c_P: self.c_P - other.c_P,
            c_a: self.c_a - other.c_a,
            c_PP: self.c_PP - other.c_PP,
            c_Pa: self.c_Pa - other.c_Pa,
            c_aa: self.c_aa - other.c_aa,
        }
    }
}
