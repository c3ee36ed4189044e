//! Four coordinates, two rows, and every term that a method may meet: M full and changing, h with t, q and v, Φ with t.
//!
//! ```text
//!   M = diag(2, 3, 2, 1) + S,   S_ii = cos(2 q_i)/5,   S_ij = sin(q_i q_j)/10  (i ≠ j)
//!
//!   h1 = −q1 + v2 v3/3 − sin q3        h2 = −2 q2 + v1²/4 + cos(t)/5
//!   h3 = −q3 q4 − v4 v1/5              h4 = 1 − q1 q4 − v3²/10
//!
//!   Φ1 = q1² + q2² + 0.3 q3 q4 − 1 − sin(t)/5        Φ2 = q3 + q1 q4²/2 − q2³/10 − 1/5
//! ```
//!
//! No mechanism: h does not belong to the energy of M, so that there is no balance to check.

use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, Structure, System,
};

/// The general index-2 problem of four coordinates.
#[derive(Clone, Debug)]
pub struct Generic {
    structure: Structure,
}

/// Constant part of the diagonal of M.
const DIAGONAL: [f64; 4] = [2.0, 3.0, 2.0, 1.0];

/// Where the entries of M stand.
const MASS: [(u32, u32); 10] =
    [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)];

/// Where those of K or C stand.
const TANGENT: [(u32, u32); 11] =
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 2), (2, 3), (3, 0), (3, 2), (3, 3)];

impl Default for Generic {
    fn default() -> Self {
        let row = |name: &str, row| ConstraintInfo {
            name: name.into(),
            rows: row..row + 1,
            quantities: vec![(Quantity::Length, "force")],
        };
        let sizes = Sizes { q: 4, v: 4, constraints: 2, contacts: 0 };
        let jacobian = (0..2).flat_map(|row| (0..4).map(move |column| (row, column))).collect();
        let pattern = Pattern { mass: MASS.into(), tangent: TANGENT.into(), jacobian };
        let channel =
            |(name, unit): (&str, &str), i: usize| Channel::new("point", &format!("{name}{i}"), unit);
        let structure = Structure {
            constraints: vec![row("moving", 0), row("fixed", 1)],
            channels: [("q", "m"), ("v", "m/s")]
                .into_iter()
                .flat_map(|what| (1..5).map(move |i| channel(what, i)))
                .collect(),
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { structure }
    }
}

impl System for Generic {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let q = at.q();
        for (M, &(i, j)) in M.iter_mut().zip(&MASS) {
            let (i, j) = (i as usize, j as usize);
            *M = if i == j { DIAGONAL[i] + (2.0 * q[i]).cos() / 5.0 } else { (q[i] * q[j]).sin() / 10.0 };
        }
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        h[0] = -q[0] + v[1] * v[2] / 3.0 - q[2].sin();
        h[1] = -2.0 * q[1] + v[0] * v[0] / 4.0 + at.t().cos() / 5.0;
        h[2] = -q[2] * q[3] - v[3] * v[0] / 5.0;
        h[3] = 1.0 - q[0] * q[3] - v[2] * v[2] / 10.0;
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        //                     11   12   13            21   22   31   33    34    41    43   44
        K.copy_from_slice(&[1.0, 0.0, q[2].cos(), 0.0, 2.0, 0.0, q[3], q[2], q[3], 0.0, q[0]]);
        let (c12, c13, c21) = (-v[2] / 3.0, -v[1] / 3.0, -v[0] / 2.0);
        let (c31, c34, c43) = (v[3] / 5.0, v[0] / 5.0, v[2] / 5.0);
        C.copy_from_slice(&[0.0, c12, c13, c21, 0.0, c31, 0.0, c34, 0.0, c43, 0.0]);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let q = at.q();
        phi[0] = q[0] * q[0] + q[1] * q[1] + 0.3 * q[2] * q[3] - 1.0 - at.t().sin() / 5.0;
        phi[1] = q[2] + 0.5 * q[0] * q[3] * q[3] - q[1].powi(3) / 10.0 - 0.2;
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let q = at.q();
        G[..4].copy_from_slice(&[2.0 * q[0], 2.0 * q[1], 0.3 * q[3], 0.3 * q[2]]);
        G[4..].copy_from_slice(&[0.5 * q[3] * q[3], -0.3 * q[1] * q[1], 1.0, q[0] * q[3]]);
        phi_t.copy_from_slice(&[-at.t().cos() / 5.0, 0.0]);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        bias[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]) + 0.6 * v[2] * v[3] + at.t().sin() / 5.0;
        bias[1] = 2.0 * q[3] * v[0] * v[3] + q[0] * v[3] * v[3] - 0.6 * q[1] * v[1] * v[1];
    }

    /// ½ vᵀ M v.
    fn energy(&self, at: &Configuration) -> Energy {
        let mut M = [0.0; 10];
        self.mass(at, &mut M);
        let kinetic = MASS.iter().zip(&M).map(|(&(i, j), M)| {
            let twice = if i == j { 0.5 } else { 1.0 };
            twice * M * at.v[i as usize] * at.v[j as usize]
        });
        Energy { kinetic: kinetic.sum(), ..Energy::default() }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..4].copy_from_slice(at.q());
        out[4..].copy_from_slice(&at.v);
    }
}
