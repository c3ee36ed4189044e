//! A symmetric matrix by its diagonals: products without index lists.
//!
//! ```text
//!   out = Σ_d  D_d x,       (D_d)_{i+d,i} = (D_d)_{i,i+d} = m_d[i]
//! ```
//!
//! The matrices of bars and beams have few diagonals, all of them full.

/// The lower diagonals that have entries, main diagonal first.
#[derive(Clone, Debug, Default)]
pub struct Diagonals {
    /// d and m_d.
    diagonals: Vec<(usize, Vec<f64>)>,
}

impl Diagonals {
    /// From entries (row ≥ column) and their values; none if more than half of the room would be zeros.
    pub fn new(n: usize, entries: &[(u32, u32)], values: &[f64]) -> Option<Self> {
        let offset = |&(row, column): &(u32, u32)| (row - column) as usize;
        let offsets: std::collections::BTreeSet<usize> = entries.iter().map(offset).collect();
        if offsets.first() != Some(&0) || offsets.iter().map(|d| n - d).sum::<usize>() > 2 * entries.len() {
            return None;
        }
        let mut diagonals: Vec<_> = offsets.into_iter().map(|d| (d, vec![0.0; n - d])).collect();
        for (entry, value) in entries.iter().zip(values) {
            let (_, m) = diagonals.iter_mut().find(|(d, _)| *d == offset(entry)).expect("listed above");
            m[entry.1 as usize] += value;
        }
        Some(Self { diagonals })
    }

    /// out = M x.
    pub fn mul(&self, x: &[f64], out: &mut [f64]) {
        match &self.diagonals[..] {
            [(_, m), rest @ ..] => {
                for ((out, x), m) in out.iter_mut().zip(x).zip(m) {
                    *out = m * x;
                }
                for (d, m) in rest {
                    for ((out, x), m) in out.iter_mut().zip(&x[*d..]).zip(m) {
                        *out += m * x;
                    }
                    for ((out, x), m) in out[*d..].iter_mut().zip(x).zip(m) {
                        *out += m * x;
                    }
                }
            }
            [] => out.fill(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the product entry by entry.
    #[test]
    fn multiplies() {
        let n = 9;
        let entries: Vec<(u32, u32)> = (0..n).map(|i| (i, i)).chain((3..n).map(|i| (i, i - 3))).collect();
        let values: Vec<f64> = (0..entries.len()).map(|k| (k as f64 * 1.7).sin()).collect();
        let x: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.9).cos()).collect();
        let mut expected = vec![0.0; n as usize];
        for (&(i, j), m) in entries.iter().zip(&values) {
            expected[i as usize] += m * x[j as usize];
            if i != j {
                expected[j as usize] += m * x[i as usize];
            }
        }
        let mut out = vec![f64::NAN; n as usize];
        Diagonals::new(n as usize, &entries, &values).expect("two full diagonals").mul(&x, &mut out);
        for i in 0..n as usize {
            assert!((out[i] - expected[i]).abs() < 1e-15, "row {i}");
        }
    }

    /// A matrix whose entries are all over the place is not kept so.
    #[test]
    fn leaves_scattered_matrices_alone() {
        let entries: Vec<(u32, u32)> = (0..20).map(|i| (i, i)).chain((0..20).map(|i| (19, i))).collect();
        assert!(Diagonals::new(20, &entries, &[1.0; 40]).is_none());
    }
}
