//! What two wheels do to each other, in four coordinates that say where they are against each other.
//!
//! ```text
//!   x = (Δ_0, P, a, u)     p_i = r_bi φ_i,   Δ_0 = p_1 − p_2,   P = ½ (p_1 + p_2),   a the distance,   u the first wheel along its axis
//!   Δ = Δ_0 − u h tan β_b  modulo p_b: after a jump the next teeth meet, and P is that of the teeth that face
//!   σ = ±1 for both sides  δ = σ Δ − j(a)/2      penetration along the line of action in the transverse plane, g = −δ
//!   pairs k, slices z      ξ = σ (P + z h tan β_b) + f(a) + k p_b,      c > 0 where it lies on the path
//!   relief                 D = δ − ρ(ξ),  ρ = C_a (way into the last length l_a)/l_a
//!
//!   U = ½ cos²β_b Σ c D²                    F_n = cos β_b c (D + τ δ̇) ≥ 0,   τ = 2 ζ √(m_e/c_max)
//!   Q = −∂U/∂x − (F_n cos β_b − cos²β_b c D) ∂δ/∂x − μ φ(v/v_ε) F_n w
//!   v = w·ẋ,  w = (T + ½ ξ (1/r_b1 − 1/r_b2),  ξ (1/r_b1 + 1/r_b2),  σ cos α_w,  0)         sliding of the first on the second
//! ```
//!
//! −∂U/∂x has, beside c D ∂D/∂x, the small part ½ D² ∂c/∂x: with it the energy is a potential while the same pairs are in contact.
//! ξ is the middle of both flanks' places, so exchanging the wheels changes nothing. φ(s) = s (2 − s) below s = 1, 1 above.
//! [Ebrahimi2007] (7.15), (7.16); the potential, both flanks at any distance and the slices are ours.

use super::geometry::{AtDistance, Geometry, Play};
use super::stiffness::{Parabola, Spot, Stiffness};

/// How many coordinates.
pub const X: usize = 4;

/// Force law of the teeth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    pub parabola: Parabola,
    /// τ (s).
    pub damping: f64,
    /// μ and v_ε.
    pub friction: f64,
    pub creep: f64,
    /// C_a and l_a.
    pub relief: f64,
    pub relief_length: f64,
}

/// A pair of wheels with play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mesh {
    pub geometry: Geometry,
    pub play: Play,
}

/// Where two wheels are against each other, and how they move.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// Δ and P of the teeth that face.
    pub delta: f64,
    pub P: f64,
    pub at: AtDistance,
    /// ẋ.
    pub rates: [f64; X],
}

/// A slice: its place along the axis, its part of the width, and the stretch of the path it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    pub z: f64,
    pub share: f64,
    pub stretch: f64,
}

/// Forces in the coordinates x, with K = −∂Q/∂x and C = −∂Q/∂ẋ, and what is told of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub Q: [f64; X],
    pub K: [[f64; X]; X],
    pub C: [[f64; X]; X],
    pub strain: f64,
    /// Power lost.
    pub loss: f64,
    /// Normal forces of both sides, σ = +1 first.
    pub normal: [f64; 2],
}

impl Mesh {
    /// x as it is counted by the model, to the teeth that face.
    pub fn here(&self, x: &[f64; X], distance: f64, rates: [f64; X]) -> Here {
        let geometry = &self.geometry;
        let p_b = geometry.p_b;
        let delta = x[0] - geometry.tan_b * x[3];
        let teeth = (delta / p_b).round();
        Here {
            delta: delta - teeth * p_b,
            P: x[1] + 0.5 * teeth * p_b,
            at: geometry.at(distance, &self.play),
            rates,
        }
    }

    /// g of a side, in the transverse plane; +∞ where the wheels do not reach each other.
    pub fn gap(&self, here: &Here, side: f64) -> f64 {
        if here.at.ends[1][0] <= here.at.ends[0][0] {
            return f64::INFINITY;
        }
        0.5 * here.at.play[0] - side * here.delta
    }

    /// ∂g/∂x.
    pub fn slope(&self, here: &Here, side: f64) -> [f64; X] {
        [-side, 0.0, 0.5 * here.at.play[1], side * self.geometry.tan_b]
    }

    /// ξ of the pair k = 0 in a slice.
    fn first_place(&self, here: &Here, side: f64, z: f64) -> f64 {
        side * (here.P + z * self.geometry.tan_b) + here.at.f[0]
    }

    /// Places ξ of the pairs that a stretch of the path may hold.
    fn places(&self, here: &Here, side: f64, z: f64, stretch: f64) -> impl Iterator<Item = f64> + use<> {
        let p_b = self.geometry.p_b;
        let first = self.first_place(here, side, z);
        let [begin, end] = [here.at.ends[0][0] - 0.5 * stretch, here.at.ends[1][0] + 0.5 * stretch];
        let reach = begin < end;
        let from = ((begin - first) / p_b).ceil() as i64;
        let to = ((end - first) / p_b).floor() as i64;
        (from..=to).filter(move |_| reach).map(move |k| first + k as f64 * p_b)
    }

    /// The stiffness over a slice of the pair at ξ.
    fn stiffness(&self, here: &Here, parabola: &Parabola, side: f64, xi: f64, slice: &Slice) -> Stiffness {
        let spot = Spot { xi, side, f: &here.at.f, ends: &here.at.ends };
        parabola.at(&spot, slice.stretch).times(slice.share)
    }

    /// w, and ∂w/∂P and ∂w/∂a of its parts.
    pub fn sliding(&self, here: &Here, side: f64, xi: f64) -> [[f64; X]; 3] {
        let [b_1, b_2] = self.geometry.r_b.map(f64::recip);
        let (less, more) = (0.5 * (b_1 - b_2), b_1 + b_2);
        let AtDistance { T, f, cos_w, .. } = &here.at;
        [
            [T[0] + xi * less, xi * more, side * cos_w[0], 0.0],
            [side * less, side * more, 0.0, 0.0],
            [T[1] + f[1] * less, f[1] * more, side * cos_w[1], 0.0],
        ]
    }

    /// All pairs in contact in a slice on both sides: ξ, σ and c.
    pub fn in_contact(
        &self,
        here: &Here,
        parabola: &Parabola,
        slice: &Slice,
        mut each: impl FnMut(f64, f64, f64),
    ) {
        for side in [1.0, -1.0] {
            for xi in self.places(here, side, slice.z, slice.stretch) {
                let c = self.stiffness(here, parabola, side, xi, slice).c;
                if c > 0.0 {
                    each(xi, side, c);
                }
            }
        }
    }

    /// The row by which the pairs of one side slide together: Σ (share of c) sgn ξ w, and its rate.
    pub fn rubbing(&self, here: &Here, parabola: &Parabola, side: f64, slices: &[Slice]) -> [[f64; X]; 2] {
        let (mut sum, mut sum_dot, mut all, mut all_dot) = ([0.0; X], [0.0; X], 0.0, 0.0);
        let [_, P_dot, a_dot, _] = here.rates;
        for slice in slices {
            for xi in self.places(here, side, slice.z, slice.stretch) {
                let c = self.stiffness(here, parabola, side, xi, slice);
                let c_dot = c.c_P * P_dot + c.c_a * a_dot;
                let [w, w_P, w_a] = self.sliding(here, side, xi);
                let sign = if xi < 0.0 { -1.0 } else { 1.0 };
                all += c.c;
                all_dot += c_dot;
                for i in 0..X {
                    let w_dot = w_P[i] * P_dot + w_a[i] * a_dot;
                    sum[i] += sign * c.c * w[i];
                    sum_dot[i] += sign * (c_dot * w[i] + c.c * w_dot);
                }
            }
        }
        if all <= 0.0 {
            return [[0.0; X]; 2];
        }
        let row = sum.map(|s| s / all);
        [row, std::array::from_fn(|i| (sum_dot[i] - row[i] * all_dot) / all)]
    }

    /// Forces of one slice.
    pub fn add(&self, here: &Here, springs: &Springs, slice: &Slice, tangents: bool, sum: &mut Sum) {
        for side in [1.0, -1.0] {
            if side * here.delta - 0.5 * here.at.play[0] > 0.0 {
                self.add_side(here, springs, side, slice, tangents, sum);
            }
        }
    }

    fn add_side(
        &self,
        here: &Here,
        springs: &Springs,
        side: f64,
        slice: &Slice,
        tangents: bool,
        sum: &mut Sum,
    ) {
        let (cos_b, tan_b) = (self.geometry.cos_b, self.geometry.tan_b);
        let kappa = cos_b * cos_b;
        let at = &here.at;
        let delta = side * here.delta - 0.5 * at.play[0];
        let delta_x = [side, 0.0, -0.5 * at.play[1], -side * tan_b];
        let delta_aa = -0.5 * at.play[2];
        let rate = dot(&delta_x, &here.rates);
        // ∂δ̇/∂a at given ẋ
        let rate_a = delta_aa * here.rates[2];
        for xi in self.places(here, side, slice.z, slice.stretch) {
            let Stiffness { c, c_P, c_a, c_PP, c_Pa, c_aa } =
                self.stiffness(here, &springs.parabola, side, xi, slice);
            if c <= 0.0 {
                continue;
            }
            let [relief, relief_P, relief_a, relief_aa] = relief(springs, here, side, xi);
            let D = delta - relief;
            if D <= 0.0 {
                continue;
            }
            let D_x = [delta_x[0], -relief_P, delta_x[2] - relief_a, delta_x[3]];
            let c_x = [0.0, c_P, c_a, 0.0];
            let closing = D + springs.damping * rate;
            let pushes = closing > 0.0;
            let lost = kappa * c * if pushes { springs.damping * rate } else { -D };
            let F_n = if pushes { cos_b * c * closing } else { 0.0 };
            for i in 0..X {
                sum.Q[i] -= kappa * (c * D * D_x[i] + 0.5 * D * D * c_x[i]) + lost * delta_x[i];
            }
            sum.strain += 0.5 * kappa * c * D * D;
            sum.loss += lost * rate;
            sum.normal[usize::from(side < 0.0)] += F_n;
            let [w, w_P, w_a] = self.sliding(here, side, xi);
            let v = dot(&w, &here.rates);
            let (g, g_v) = coulomb(springs, v);
            if springs.friction > 0.0 {
                for i in 0..X {
                    sum.Q[i] -= g * F_n * w[i];
                }
                sum.loss += g * F_n * v;
            }
            if !tangents {
                continue;
            }
            let c_xx = |i: usize, j: usize| match (i, j) {
                (1, 1) => c_PP,
                (1, 2) | (2, 1) => c_Pa,
                (2, 2) => c_aa,
                _ => 0.0,
            };
            for i in 0..X {
                for j in 0..X {
                    let both = f64::from(u8::from(i == 2 && j == 2));
                    // the potential
                    let bend = c_x[i] * D_x[j] + c_x[j] * D_x[i];
                    let D_xx = both * (delta_aa - relief_aa);
                    sum.K[i][j] +=
                        kappa * (c * (D_x[i] * D_x[j] + D * D_xx) + D * bend + 0.5 * D * D * c_xx(i, j));
                    // damping
                    let lost_j = if pushes {
                        let rate_j = if j == 2 { rate_a } else { 0.0 };
                        kappa * springs.damping * (c_x[j] * rate + c * rate_j)
                    } else {
                        -kappa * (c_x[j] * D + c * D_x[j])
                    };
                    sum.K[i][j] += lost_j * delta_x[i] + lost * both * delta_aa;
                    if pushes {
                        sum.C[i][j] += kappa * springs.damping * c * delta_x[i] * delta_x[j];
                    }
                }
            }
            if springs.friction > 0.0 && pushes {
                let v_x = [0.0, dot(&w_P, &here.rates), dot(&w_a, &here.rates), 0.0];
                for i in 0..X {
                    let w_x = [0.0, w_P[i], w_a[i], 0.0];
                    for j in 0..X {
                        let rate_j = if j == 2 { rate_a } else { 0.0 };
                        let F_j = cos_b * (c_x[j] * closing + c * (D_x[j] + springs.damping * rate_j));
                        sum.K[i][j] += w[i] * (g * F_j + F_n * g_v * v_x[j]) + g * F_n * w_x[j];
                        let F_rate = cos_b * c * springs.damping * delta_x[j];
                        sum.C[i][j] += w[i] * (g * F_rate + F_n * g_v * w[j]);
                    }
                }
            }
        }
    }
}

/// ρ with ∂/∂P, ∂/∂a, ∂²/∂a².
fn relief(springs: &Springs, here: &Here, side: f64, xi: f64) -> [f64; 4] {
    if springs.relief == 0.0 {
        return [0.0; 4];
    }
    let slope = springs.relief / springs.relief_length;
    let f = &here.at.f;
    let [begin, end] = &here.at.ends;
    let ways = [
        (springs.relief_length - (xi - begin[0]), -1.0, begin),
        (springs.relief_length - (end[0] - xi), 1.0, end),
    ];
    let mut sum = [0.0; 4];
    for (way, sign, e) in ways {
        if way > 0.0 {
            let own = [way, sign * side, sign * (f[1] - e[1]), sign * (f[2] - e[2])];
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += slope * own);
        }
    }
    sum
}

/// μ φ(|v|/v_ε) sgn v and its slope.
fn coulomb(springs: &Springs, v: f64) -> (f64, f64) {
    let s = v.abs() / springs.creep;
    if s < 1.0 {
        let g = springs.friction * s * (2.0 - s) * v.signum();
        return (g, 2.0 * springs.friction * (1.0 - s) / springs.creep);
    }
    (springs.friction * v.signum(), 0.0)
}

#[inline]
pub(super) fn dot(a: &[f64; X], b: &[f64; X]) -> f64 {
    (0..X).map(|i| a[i] * b[i]).sum()
}
