//! LU with row pivots of small full matrices, by rows and in place.

/// L (unit diagonal) and U in the place of the p × p matrix S. False if a pivot is not larger than `zero`.
pub fn lu(S: &mut [f64], p: usize, pivot: &mut [usize], zero: f64) -> bool {
    for k in 0..p {
        let best =
            (k..p).max_by(|&i, &j| S[i * p + k].abs().total_cmp(&S[j * p + k].abs())).expect("rows are left");
        pivot[k] = best;
        if best != k {
            for j in 0..p {
                S.swap(k * p + j, best * p + j);
            }
        }
        let own = S[k * p + k];
        if own.abs() <= zero || !own.is_finite() || own == 0.0 {
            return false;
        }
        for i in k + 1..p {
            let l = S[i * p + k] / own;
            S[i * p + k] = l;
            for j in k + 1..p {
                S[i * p + j] -= l * S[k * p + j];
            }
        }
    }
    true
}

/// d = S⁻¹ d with the factors of [`lu`].
pub fn lu_solve(S: &[f64], p: usize, pivot: &[usize], d: &mut [f64]) {
    for k in 0..p {
        d.swap(k, pivot[k]);
    }
    for i in 0..p {
        let sum: f64 = (0..i).map(|j| S[i * p + j] * d[j]).sum();
        d[i] -= sum;
    }
    for i in (0..p).rev() {
        let sum: f64 = (i + 1..p).map(|j| S[i * p + j] * d[j]).sum();
        d[i] = (d[i] - sum) / S[i * p + i];
    }
}
