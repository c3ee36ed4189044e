//! The equation of Alart and Curnier.                                                                   [Alart1991]
//!
//! ```text
//!   F = P − A(z),      z = P − V,      A_N = max(0, z_N),      A_T = proj of z_T onto the disk of radius μ A_N
//!   F_P = 1 − A'(z),   F_V = A'(z)
//! ```

use super::{Equation, Linear};
use crate::Law;

/// See the head of the file.
#[derive(Debug, Default)]
pub(crate) struct AlartCurnier;

impl<const D: usize> Equation<D> for AlartCurnier {
    #[inline]
    fn value(law: &Law, P: &[f64], V: &[f64]) -> [f64; D] {
        let mut z: [f64; D] = difference(P, V);
        law.alart_curnier(&mut z[..P.len()]);
        difference(P, &z[..P.len()])
    }

    #[inline]
    fn linear(law: &Law, P: &[f64], V: &[f64]) -> Linear<D> {
        let z: [f64; D] = difference(P, V);
        let F_V: [[f64; D]; D] = law.alart_curnier_jacobian(&z[..P.len()]);
        let mut F_P = F_V.map(|row| row.map(|J| -J));
        (0..P.len()).for_each(|i| F_P[i][i] += 1.0);
        Linear { F: Self::value(law, P, V), F_P, F_V }
    }
}

/// a − b, filled up with zeros.
#[inline]
pub(super) fn difference<const D: usize>(a: &[f64], b: &[f64]) -> [f64; D] {
    let mut c = [0.0; D];
    for ((c, a), b) in c.iter_mut().zip(a).zip(b) {
        *c = a - b;
    }
    c
}
