//! Coefficients of the Radau IIA method with three stages, and small matrices.             [Ebrahimi2007] (A.15)–(A.17)

/// Three rows of three.
pub(crate) type Square = [[f64; 3]; 3];

/// Times of the stages.
pub(crate) const C: [f64; 3] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];
/// The tableau, s = √6: (88−7s)/360, (296−169s)/1800, ...; the last row holds the weights.
pub(crate) const A: Square = [
    [0.196_815_477_223_660_4, -0.065_535_425_850_198_39, 0.023_770_974_348_220_15],
    [0.394_424_314_739_087_3, 0.292_073_411_665_228_5, -0.041_548_752_125_997_93],
    [0.376_403_062_700_467_25, 0.512_485_826_188_421_6, 0.111_111_111_111_111_1],
];
/// a b.
pub(crate) fn product(a: &Square, b: &Square) -> Square {
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = (0..3).map(|k| a[i][k] * b[k][j]).sum();
        }
    }
    out
}

/// a⁻¹, by cofactors.
pub(crate) fn inverse(a: &Square) -> Square {
    let minor = |i: usize, j: usize| {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
    };
    let determinant: f64 = (0..3).map(|j| a[0][j] * minor(0, j)).sum();
    let mut out = [[0.0; 3]; 3];
    for (i, row) in out.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = minor(j, i) / determinant;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(3): Σ_j A_ij c_j^{k−1} = c_i^k / k; the inverse is one.
    #[test]
    fn coefficients() {
        for k in 1..=3 {
            for i in 0..3 {
                let sum: f64 = (0..3).map(|j| A[i][j] * C[j].powi(k - 1)).sum();
                assert!((sum - C[i].powi(k) / f64::from(k)).abs() < 1e-15);
            }
        }
        let one = product(&A, &inverse(&A));
        for i in 0..3 {
            for j in 0..3 {
                assert!((one[i][j] - f64::from(u8::from(i == j))).abs() < 1e-13);
            }
        }
    }
}
