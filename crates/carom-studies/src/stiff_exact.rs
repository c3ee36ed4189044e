//! Exact motion of the three masses of [RezaeiSchindler] (91), from rest, by its modes.
//!
//! ```text
//!   (a)  q = Σ_j φ_j (φ_jᵀ 1) γ/ω_j² (1 − cos ω_j t),     m ω² φ = K φ by cyclic Jacobi rotations
//!   (b)  q3 = 0:  q1 = q2 = m γ/k (1 − cos ω t),  ω² = k/m,     λ = −(m γ + k q2)
//! ```
//!
//! In (b) the weights of the two free masses excite the lower of the two modes alone.

/// The motion at an instant: displacements, velocities, accelerations.
pub type Motion = [[f64; 3]; 3];

/// Masses m on springs k, the last held by a spring k0: model (a).
#[derive(Clone, Debug)]
pub struct Modes {
    /// ω and φ (φᵀ 1) γ/ω².
    modes: [(f64, [f64; 3]); 3],
}

impl Modes {
    pub fn new(k: f64, k0: f64, m: f64, gravity: f64) -> Self {
        let (values, vectors) =
            jacobi([[2.0 * k / m, -k / m, 0.0], [-k / m, 2.0 * k / m, -k / m], [0.0, -k / m, (k + k0) / m]]);
        let mode = |j: usize| {
            let phi = [vectors[0][j], vectors[1][j], vectors[2][j]];
            let share = gravity * phi.iter().sum::<f64>() / values[j];
            (values[j].sqrt(), phi.map(|x| share * x))
        };
        Self { modes: [0, 1, 2].map(mode) }
    }

    /// Highest frequency (Hz).
    pub fn highest(&self) -> f64 {
        self.modes.iter().fold(0.0, |most: f64, (omega, _)| most.max(*omega)) / std::f64::consts::TAU
    }

    pub fn at(&self, t: f64) -> Motion {
        let mut out = [[0.0; 3]; 3];
        for (omega, sag) in &self.modes {
            let (s, c) = (omega * t).sin_cos();
            // 1 − cos without cancellation
            let rise = 2.0 * (0.5 * omega * t).sin().powi(2);
            for i in 0..3 {
                out[0][i] += sag[i] * rise;
                out[1][i] += sag[i] * omega * s;
                out[2][i] += sag[i] * omega * omega * c;
            }
        }
        out
    }
}

/// Model (b): the motion and the force of the joint.
pub fn held(k: f64, m: f64, gravity: f64, t: f64) -> (Motion, f64) {
    let (omega, sag) = ((k / m).sqrt(), m * gravity / k);
    let (s, c) = (omega * t).sin_cos();
    let both = |x: f64| [x, x, 0.0];
    let q = sag * (1.0 - c);
    ([both(q), both(sag * omega * s), both(sag * omega * omega * c)], -(m * gravity + k * q))
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations.
fn jacobi(mut A: [[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut V = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..20 {
        for (p, r) in [(0, 1), (0, 2), (1, 2)] {
            if A[p][r] == 0.0 {
                continue;
            }
            let theta = 0.5 * (A[r][r] - A[p][p]) / A[p][r];
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for row in A.iter_mut().chain(&mut V) {
                (row[p], row[r]) = (c * row[p] - s * row[r], s * row[p] + c * row[r]);
            }
            for j in 0..3 {
                (A[p][j], A[r][j]) = (c * A[p][j] - s * A[r][j], s * A[p][j] + c * A[r][j]);
            }
            (A[p][r], A[r][p]) = (0.0, 0.0);
        }
    }
    ([A[0][0], A[1][1], A[2][2]], V)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// m a + K q = m γ at all times, from rest; and the stiff limit is the joint.
    #[test]
    fn modes_solve_the_equation() {
        let (k, k0, g) = (1.0, 1e7, 9.81);
        let modes = Modes::new(k, k0, 1.0, g);
        for t in [0.0, 1e-3, 0.3, 7.0] {
            let [q, v, a] = modes.at(t);
            let rest = [
                a[0] + k * (2.0 * q[0] - q[1]) - g,
                a[1] + k * (2.0 * q[1] - q[0] - q[2]) - g,
                a[2] + k * (q[2] - q[1]) + k0 * q[2] - g,
            ];
            assert!(rest.iter().all(|r| r.abs() < 1e-8), "{t}: {rest:?}");
            if t == 0.0 {
                assert!(q.iter().chain(&v).all(|x| *x == 0.0));
            }
            let (joint, _) = held(k, 1.0, g, t);
            assert!((q[0] - joint[0][0]).abs() < 1e-4, "{t}: {q:?} {joint:?}");
            // velocity is the derivative of the place
            let (before, after) = (modes.at(t - 1e-7), modes.at(t + 1e-7));
            for i in 0..2 {
                assert!(((after[0][i] - before[0][i]) / 2e-7 - v[i]).abs() < 1e-6, "{t}");
            }
        }
    }
}
