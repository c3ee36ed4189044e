//! Methods that share no code with a scheme.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::{Configuration, System};

/// (v', λ) of M v' = h + Gᵀ λ, G v' + bias = 0, dense, by elimination with pivots.
pub fn index_1(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let at = Configuration::new(system, t, q, v);
    let (sizes, pattern) = (system.structure().sizes, &system.structure().pattern);
    let (n, m) = (sizes.v, sizes.constraints);
    let (mut M, mut G) = (vec![0.0; pattern.mass.len()], vec![0.0; pattern.jacobian.len()]);
    let (mut h, mut phi_t, mut bias) = (vec![0.0; n], vec![0.0; m], vec![0.0; m]);
    system.mass(&at, &mut M);
    system.jacobian(&at, &mut G, &mut phi_t);
    system.force(&at, &mut h);
    system.constraint_bias(&at, &mut bias);
    let mut A = vec![vec![0.0; n + m + 1]; n + m];
    for (&(i, j), x) in pattern.mass.iter().zip(&M) {
        A[i as usize][j as usize] = *x;
        A[j as usize][i as usize] = *x;
    }
    for (&(i, j), x) in pattern.jacobian.iter().zip(&G) {
        A[n + i as usize][j as usize] = *x;
        A[j as usize][n + i as usize] = -x;
    }
    for i in 0..n + m {
        A[i][n + m] = if i < n { h[i] } else { -bias[i - n] };
    }
    for k in 0..n + m {
        let pivot = (k..n + m).max_by(|&a, &b| A[a][k].abs().total_cmp(&A[b][k].abs())).expect("a row");
        A.swap(k, pivot);
        for i in (0..n + m).filter(|&i| i != k) {
            let factor = A[i][k] / A[k][k];
            for j in k..=n + m {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    let x: Vec<f64> = (0..n + m).map(|i| A[i][n + m] / A[i][i]).collect();
    (x[..n].to_vec(), x[n..].to_vec())
}

/// q' = v, and p' = p ∘ (0, ω)/2 of quaternions, which are left to keep their length.
pub fn rates(system: &dyn System, q: &[f64], v: &[f64]) -> Vec<f64> {
    let (mut rates, mut of_v) = (Vec::new(), 0);
    for at in &system.structure().rotations {
        rates.extend_from_slice(&v[of_v..at.v]);
        let ([w, x, y, z], [a, b, c]) =
            ([0, 1, 2, 3].map(|i| 0.5 * q[at.q + i]), [0, 1, 2].map(|i| v[at.v + i]));
        rates.extend([
            -x * a - y * b - z * c,
            w * a + y * c - z * b,
            w * b + z * a - x * c,
            w * c + x * b - y * a,
        ]);
        of_v = at.v + 3;
    }
    rates.extend_from_slice(&v[of_v..]);
    rates
}

/// (q, v) at `end` from (q, v) at 0: the modified midpoint rule on that, extrapolated over 2, 4, … 2·`columns` parts
/// of each of `steps` steps. Order 2·`columns`.
pub fn extrapolate(
    system: &dyn System,
    (q, v): (Vec<f64>, Vec<f64>),
    end: f64,
    steps: usize,
    columns: usize,
) -> (Vec<f64>, Vec<f64>) {
    let n = q.len();
    let rate = |t: f64, x: &[f64]| {
        let (q, v) = x.split_at(n);
        [rates(system, q, v), index_1(system, t, q, v).0].concat()
    };
    let all = n + v.len();
    let along = |x: &[f64], h: f64, k: &[f64]| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
    let mut x = [q, v].concat();
    let H = end / steps as f64;
    for step in 0..steps {
        let t = step as f64 * H;
        let first = rate(t, &x);
        let mut table: Vec<Vec<f64>> = Vec::new();
        for k in 0..columns {
            let parts = 2 * (k + 1);
            let h = H / parts as f64;
            // increments over the step, so that rounding is relative to them
            let (mut before, mut now) = (vec![0.0; all], first.iter().map(|k| h * k).collect::<Vec<_>>());
            for part in 1..parts {
                let next = along(&before, 2.0 * h, &rate(t + part as f64 * h, &along(&x, 1.0, &now)));
                before = std::mem::replace(&mut now, next);
            }
            // Aitken-Neville in h²; `table` holds the last row
            let mut row = vec![now];
            for j in 0..k {
                let ratio = ((k + 1) as f64 / (k - j) as f64).powi(2) - 1.0;
                let better = row[j].iter().zip(&table[j]).map(|(new, old)| new + (new - old) / ratio);
                row.push(better.collect());
            }
            table = row;
        }
        x = along(&x, 1.0, &table.pop().expect("a column"));
    }
    (x[..n].to_vec(), x[n..].to_vec())
}

/// Largest |Φ| and |dΦ/dt|.
pub fn drift(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> (f64, f64) {
    let at = Configuration::new(system, t, q, v);
    let (m, pattern) = (system.structure().sizes.constraints, &system.structure().pattern.jacobian);
    let (mut phi, mut G, mut rate) = (vec![0.0; m], vec![0.0; pattern.len()], vec![0.0; m]);
    system.constraints(&at, &mut phi);
    system.jacobian(&at, &mut G, &mut rate);
    for (&(i, j), x) in pattern.iter().zip(&G) {
        rate[i as usize] += x * v[j as usize];
    }
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    (largest(&phi), largest(&rate))
}
