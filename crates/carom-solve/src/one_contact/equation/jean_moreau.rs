//! The equation of Jean and Moreau.                                                                 [JeanMoreau1987]
//!
//! ```text
//!   z = P − V,      F_N = P_N − max(0, z_N),      F_T = P_T − proj of z_T onto the disk of radius μ max(0, P_N)
//! ```
//!
//! Alart and Curnier's with the radius from P_N itself: the rows of friction do not know the normal velocity. With t the
//! direction of z_T, a contact that slides has
//!
//! ```text
//!   F_T = P_T − μ P_N t,      ∂F_T/∂P = (−μ t, 1 − κ (1 − t tᵀ)),      ∂F_T/∂V_T = κ (1 − t tᵀ),      κ = μ P_N / |z_T|
//! ```

use super::alart_curnier::difference;
use super::{AlartCurnier, Equation, Linear, ROWS};
use crate::Law;

/// See the head of the file.
#[derive(Debug, Default)]
pub(crate) struct JeanMoreau;

impl Equation for JeanMoreau {
    fn value(law: &Law, P: &[f64], V: &[f64]) -> [f64; ROWS] {
        let Some(friction) = coulomb(law) else { return AlartCurnier::value(law, P, V) };
        let mut z: [f64; ROWS] = difference(P, V);
        let (radius, norm) = (friction * P[0].max(0.0), length(&z));
        z[0] = z[0].max(0.0);
        if norm > radius {
            z[1..].iter_mut().for_each(|z| *z *= radius / norm);
        }
        difference(P, &z[..P.len()])
    }

    fn linear(law: &Law, P: &[f64], V: &[f64]) -> Linear {
        let Some(friction) = coulomb(law) else { return AlartCurnier::linear(law, P, V) };
        let z: [f64; ROWS] = difference(P, V);
        let (radius, norm) = (friction * P[0].max(0.0), length(&z));
        let mut linear = Linear { F: Self::value(law, P, V), ..Linear::default() };
        // −∂/∂V of the projections; by P they have the opposite sign
        let F_V = &mut linear.F_V;
        F_V[0][0] = if z[0] > 0.0 { 1.0 } else { 0.0 };
        let slides = norm >= radius;
        let t = if norm > 0.0 { z.map(|z| z / norm) } else { [0.0; ROWS] };
        for i in 1..P.len() {
            for j in 1..P.len() {
                let one = if i == j { 1.0 } else { 0.0 };
                F_V[i][j] = match slides {
                    true if radius > 0.0 => radius / norm * (one - t[i] * t[j]),
                    true => 0.0,
                    false => one,
                };
            }
        }
        linear.F_P = linear.F_V.map(|row| row.map(|J| -J));
        (0..P.len()).for_each(|i| linear.F_P[i][i] += 1.0);
        if slides && radius > 0.0 {
            (1..P.len()).for_each(|i| linear.F_P[i][0] = -friction * t[i]);
        }
        linear
    }
}

/// μ of the one disk, if the law has it; two are left to Alart and Curnier.
fn coulomb(law: &Law) -> Option<f64> {
    (law.disk_rows()[0] > 0).then(|| law.friction())
}

/// |z_T|.
fn length(z: &[f64; ROWS]) -> f64 {
    z[1..].iter().map(|z| z * z).sum::<f64>().sqrt()
}
