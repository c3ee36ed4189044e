//! Rotations in space: unit quaternions p = (w, x, y, z), and increments δ in body axes as their chart.
//!
//! ```text
//!   p ⊕ δ = p ∘ exp(δ/2),     exp(δ/2) = (cos t/2, sin(t/2)/t δ),     t = |δ|          the body turns by t about δ
//!   ω = T(δ) δ',              T  = 1 − (1 − cos t)/t² δ~ + (t − sin t)/t³ δ~²          ω in body axes
//!   δ' = T⁻¹(δ) ω,            T⁻¹ = 1 + ½ δ~ + c δ~²,     c = (1 − (t/2) cot(t/2))/t²
//!   δ'' = T⁻¹ ω' + ½ δ'~ ω + (c'/t) (δ·δ') δ~² ω + c (δ'~ δ~ + δ~ δ'~) ω
//! ```
//!
//! δ~ a = δ × a. T⁻¹ is singular at t = 2π and p ⊕ δ the long way round from π on: a step that turns a body further than
//! [`HALF_TURN`] leaves the chart. Where a closed form loses digits its power series is taken; both agree to round-off at
//! the border.

/// A vector in body axes.
pub type Vector = [f64; 3];
/// (w, x, y, z).
pub type Quaternion = [f64; 4];

/// The longest way in one chart (rad).
pub const HALF_TURN: f64 = std::f64::consts::PI;

/// Below this angle (rad) the series of t − sin t and of c are exact to round-off with the terms written here.
const SERIES: f64 = 0.25;
/// Below this angle (rad) sin(t/2)/t is exact to round-off with two terms.
const SMALL: f64 = 1e-4;

/// a × b.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a·b.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// p ∘ r.
pub fn product(p: Quaternion, r: Quaternion) -> Quaternion {
    [
        p[0] * r[0] - p[1] * r[1] - p[2] * r[2] - p[3] * r[3],
        p[0] * r[1] + p[1] * r[0] + p[2] * r[3] - p[3] * r[2],
        p[0] * r[2] - p[1] * r[3] + p[2] * r[0] + p[3] * r[1],
        p[0] * r[3] + p[1] * r[2] - p[2] * r[1] + p[3] * r[0],
    ]
}

/// p⁻¹ of a unit quaternion.
pub fn conjugate(p: Quaternion) -> Quaternion {
    [p[0], -p[1], -p[2], -p[3]]
}

/// exp(δ/2).
pub fn exp(delta: Vector) -> Quaternion {
    let t = dot(delta, delta).sqrt();
    let s = if t < SMALL { 0.5 - t * t / 48.0 } else { (0.5 * t).sin() / t };
    [(0.5 * t).cos(), s * delta[0], s * delta[1], s * delta[2]]
}

/// The shortest δ with r = ± exp(δ/2).
pub fn log(r: Quaternion) -> Vector {
    let sign = if r[0] < 0.0 { -1.0 } else { 1.0 };
    let s = (r[1] * r[1] + r[2] * r[2] + r[3] * r[3]).sqrt();
    // 2 atan(s/w)/s
    let per = if s < SMALL { 2.0 + s * s / 3.0 } else { 2.0 * s.atan2(sign * r[0]) / s };
    [1, 2, 3].map(|i| sign * per * r[i])
}

/// p ⊕ δ, of unit length again.
pub fn retract(p: Quaternion, delta: Vector) -> Quaternion {
    let r = product(p, exp(delta));
    let length = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]).sqrt();
    r.map(|x| x / length)
}

/// δ with a ⊕ δ = ± b, the short way.
pub fn difference(a: Quaternion, b: Quaternion) -> Vector {
    log(product(conjugate(a), b))
}

/// ω = T(δ) δ'.
pub fn tangent(delta: Vector, rate: Vector) -> Vector {
    let t2 = dot(delta, delta);
    let t = t2.sqrt();
    let (first, second) = if t < SERIES {
        (
            0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 * (1.0 / 40_320.0 - t2 / 3_628_800.0))),
            1.0 / 6.0
                - t2 * (1.0 / 120.0 - t2 * (1.0 / 5_040.0 - t2 * (1.0 / 362_880.0 - t2 / 39_916_800.0))),
        )
    } else {
        let s = (0.5 * t).sin() / t;
        (2.0 * s * s, (t - t.sin()) / (t2 * t))
    };
    let once = cross(delta, rate);
    let twice = cross(delta, once);
    [0, 1, 2].map(|i| rate[i] - first * once[i] + second * twice[i])
}

/// c and c'/t.
fn inverse_coefficients(t2: f64) -> (f64, f64) {
    let t = t2.sqrt();
    if t < SERIES {
        // B_2k/(2k)! t^(2k−2)
        let c = 1.0 / 12.0
            + t2 * (1.0 / 720.0 + t2 * (1.0 / 30_240.0 + t2 * (1.0 / 1_209_600.0 + t2 / 47_900_160.0)));
        let slope = 1.0 / 360.0 + t2 * (1.0 / 7_560.0 + t2 * (1.0 / 201_600.0 + t2 / 5_987_520.0));
        (c, slope)
    } else {
        let (sin, cos) = (0.5 * t).sin_cos();
        let f = 1.0 - 0.5 * t * cos / sin;
        let f_dot = 0.5 * (0.5 * t / (sin * sin) - cos / sin);
        (f / t2, (t * f_dot - 2.0 * f) / (t2 * t2))
    }
}

/// δ' = T⁻¹(δ) ω.
pub fn rate(delta: Vector, omega: Vector) -> Vector {
    let (c, _) = inverse_coefficients(dot(delta, delta));
    let once = cross(delta, omega);
    let twice = cross(delta, once);
    [0, 1, 2].map(|i| omega[i] + 0.5 * once[i] + c * twice[i])
}

/// (∂T⁻¹/∂δ·η) ω: how δ' changes with δ where ω does not.
pub fn change_of_rate(delta: Vector, eta: Vector, omega: Vector) -> Vector {
    let (c, slope) = inverse_coefficients(dot(delta, delta));
    let (eta_w, delta_w) = (cross(eta, omega), cross(delta, omega));
    let (twice, mixed, other) = (cross(delta, delta_w), cross(eta, delta_w), cross(delta, eta_w));
    let along = slope * dot(delta, eta);
    [0, 1, 2].map(|i| 0.5 * eta_w[i] + along * twice[i] + c * (mixed[i] + other[i]))
}

/// δ'' where ω' is known.
pub fn acceleration(delta: Vector, omega: Vector, omega_dot: Vector) -> Vector {
    let (c, slope) = inverse_coefficients(dot(delta, delta));
    let d = rate(delta, omega);
    let steady = rate(delta, omega_dot);
    let (d_w, delta_w) = (cross(d, omega), cross(delta, omega));
    let (twice, mixed, other) = (cross(delta, delta_w), cross(d, delta_w), cross(delta, d_w));
    let along = slope * dot(delta, d);
    [0, 1, 2].map(|i| steady[i] + 0.5 * d_w[i] + along * twice[i] + c * (mixed[i] + other[i]))
}

/// exp(−δ~/2) a, short of δ³/48.
pub fn from_half_way(delta: Vector, a: Vector) -> Vector {
    let once = cross(delta, a);
    let twice = cross(delta, once);
    [0, 1, 2].map(|i| a[i] - 0.5 * once[i] + 0.125 * twice[i])
}

/// exp(−δ~) a by Cayley's formula (1 + δ~/2)⁻¹ (1 − δ~/2) a: as long as a, short of δ³/12.
pub fn carry_on(delta: Vector, a: Vector) -> Vector {
    let share = 1.0 / (1.0 + 0.25 * dot(delta, delta));
    let once = cross(delta, a);
    let twice = cross(delta, once);
    [0, 1, 2].map(|i| a[i] - share * (once[i] - 0.5 * twice[i]))
}

/// A(p) a: from body axes to those of space.
pub fn turn(p: Quaternion, a: Vector) -> Vector {
    // a + 2 w (u × a) + 2 u × (u × a)
    let u = [p[1], p[2], p[3]];
    let once = cross(u, a);
    let twice = cross(u, once);
    [0, 1, 2].map(|i| a[i] + 2.0 * (p[0] * once[i] + twice[i]))
}

/// A(p)ᵀ a: from axes of space to those of the body.
pub fn turn_back(p: Quaternion, a: Vector) -> Vector {
    turn(conjugate(p), a)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: [Vector; 3] = [[0.6, -0.48, 0.64], [0.0, 0.0, 1.0], [-0.36, 0.8, 0.48]];
    const ANGLES: [f64; 8] = [0.0, 1e-9, 0.99e-4, 1.01e-4, 0.2499, 0.2501, 1.3, 3.0];

    fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
    }

    /// exp(δ~) by its power series, on a vector: independent of every closed form.
    fn turned(delta: Vector, a: Vector) -> Vector {
        let (mut sum, mut term) = (a, a);
        for k in 1..60 {
            term = cross(delta, term).map(|x| x / f64::from(k));
            sum = [0, 1, 2].map(|i| sum[i] + term[i]);
        }
        sum
    }

    /// T(δ) = Σ (−δ~)^k/(k+1)!, on a vector.
    fn tangent_by_series(delta: Vector, a: Vector) -> Vector {
        let (mut sum, mut term) = (a, a);
        for k in 1..60 {
            term = cross(delta, term).map(|x| -x / f64::from(k + 1));
            sum = [0, 1, 2].map(|i| sum[i] + term[i]);
        }
        sum
    }

    #[test]
    fn quaternions_turn_as_the_exponential_series_does() {
        for axis in AXES {
            for t in ANGLES {
                let delta = axis.map(|x| t * x);
                let a = [0.3, -0.7, 0.2];
                assert!(near(&turn(exp(delta), a), &turned(delta, a), 4e-15), "{t}");
                assert!(near(&turn_back(exp(delta), turned(delta, a)), &a, 4e-15), "{t}");
                assert!(near(&log(exp(delta)), &delta, 1e-14), "{t}");
                let minus = exp(delta).map(|x| -x);
                assert!(near(&log(minus), &delta, 1e-14), "the sign does not matter, {t}");
            }
        }
    }

    #[test]
    fn tangents_are_those_of_the_series() {
        for axis in AXES {
            for t in ANGLES {
                let delta = axis.map(|x| t * x);
                let a = [0.3, -0.7, 0.2];
                assert!(near(&tangent(delta, a), &tangent_by_series(delta, a), 1e-14), "{t}");
                assert!(near(&rate(delta, tangent(delta, a)), &a, 2e-14), "{t}");
            }
        }
    }

    /// Vectors fixed in space, seen from the body that turns.
    #[test]
    fn what_stays_in_space_turns_back_in_the_body() {
        let a = [0.3, -0.7, 0.2];
        for axis in AXES {
            for t in [0.0, 1e-3, 0.1, 0.3] {
                let delta = axis.map(|x| t * x);
                let half = delta.map(|x| 0.5 * x);
                assert!(
                    near(&from_half_way(delta, a), &turn_back(exp(half), a), t * t * t / 48.0 + 1e-15),
                    "{t}"
                );
                assert!(
                    near(&carry_on(delta, a), &turn_back(exp(delta), a), t * t * t / 12.0 + 1e-15),
                    "{t}"
                );
            }
            let far = carry_on(axis.map(|x| 100.0 * x), a);
            assert!((dot(far, far) - dot(a, a)).abs() < 1e-13, "never longer, however far");
        }
    }

    /// ω = 2 p⁻¹ p' along a path δ(s), and δ'' along a motion, both by differences.
    #[test]
    fn rates_are_those_of_a_motion() {
        let h = 1e-5;
        for t in [1e-6, 0.1, 0.2499, 0.2501, 2.5] {
            let delta = AXES[0].map(|x| t * x);
            let d = [0.4, 0.9, -0.3];
            let at = |s: f64| exp([0, 1, 2].map(|i| delta[i] + s * d[i]));
            let moved = difference(at(-h), at(h)).map(|x| x / (2.0 * h));
            assert!(near(&moved, &tangent(delta, d), 1e-9), "{t}");
            let (omega, omega_dot) = (tangent(delta, d), [0.7, -0.2, 0.5]);
            let later = |s: f64| {
                let place = [0, 1, 2].map(|i| delta[i] + s * d[i]);
                rate(place, [0, 1, 2].map(|i| omega[i] + s * omega_dot[i]))
            };
            let (plus, minus) = (later(h), later(-h));
            let second = [0, 1, 2].map(|i| (plus[i] - minus[i]) / (2.0 * h));
            assert!(near(&second, &acceleration(delta, omega, omega_dot), 1e-9), "{t}");
        }
    }
}
