//! The laws of a contact as equations for Newton's method.
//!
//! ```text
//!   F(P, V) = 0,      V = U / w in the unit of P,      F_P = ∂F/∂P,      F_V = ∂F/∂V      (an element of each)
//! ```
//!
//! All of them have the answers of the laws and nothing else; they differ in what Newton's method sees away from an
//! answer. They are compared in [Acary2018].

mod alart_curnier;
mod fischer_burmeister;
mod jean_moreau;

pub(crate) use alart_curnier::AlartCurnier;
pub(crate) use fischer_burmeister::FischerBurmeister;
pub(crate) use jean_moreau::JeanMoreau;

use crate::Law;
use crate::factor::block_lu::Block;
use std::fmt::Debug;

/// Rows that every contact has room for where none has rolling resistance.
pub(crate) const ROWS: usize = 3;
/// F of one contact and its derivatives; rows that the law does not have are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear<const D: usize = ROWS> {
    pub F: [f64; D],
    pub F_P: Block<D>,
    pub F_V: Block<D>,
}

impl<const D: usize> Default for Linear<D> {
    fn default() -> Self {
        Self { F: [0.0; D], F_P: [[0.0; D]; D], F_V: [[0.0; D]; D] }
    }
}

/// One way to write the laws, in up to D rows.
pub(crate) trait Equation<const D: usize = ROWS>: Debug + Default + Send {
    /// F(P, V).
    fn value(law: &Law, P: &[f64], V: &[f64]) -> [f64; D];
    /// F(P, V) with derivatives.
    fn linear(law: &Law, P: &[f64], V: &[f64]) -> Linear<D>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Laws of up to so many rows.
    fn laws(mu: f64, rows: usize) -> impl Iterator<Item = Law> {
        let laws = [
            Law::bilateral(),
            Law::unilateral(),
            Law::dry(mu),
            Law::planar_coulomb(mu),
            Law::spatial_coulomb(mu),
            Law::planar_coulomb(0.0),
            Law::spatial_coulomb(0.0),
            Law::spatial_rolling(mu, 0.5 * mu),
            Law::spatial_rolling(0.0, mu),
        ];
        laws.into_iter().filter(move |law| law.dim() <= rows)
    }

    fn size(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// F vanishes at pairs that obey the law, and elsewhere is not small against how far the law is broken.
    fn zero_where_the_law_holds<E: Equation<D>, const D: usize>() {
        let mut seed = 3;
        let (mut least, mut most) = (f64::INFINITY, 0.0);
        for _ in 0..4000 {
            let mu = 0.1 + noise(&mut seed).abs();
            for law in laws(mu, D) {
                let dim = law.dim();
                let mut point = || -> Vec<f64> { (0..dim).map(|_| noise(&mut seed)).collect() };
                // P = A(z), V = P − z obey the law, whatever z
                let z = point();
                let mut P = z.clone();
                law.alart_curnier(&mut P);
                let mut V: Vec<f64> = P.iter().zip(&z).map(|(P, z)| P - z).collect();
                let F = size(&E::value(&law, &P, &V));
                assert!(F < 1e-14, "{law:?}: F = {F:e} at the answer {P:?} {V:?}");
                // near it and far from it
                for distance in [1e-6, 1e-2, 1.0] {
                    let (a, b) = (point(), point());
                    for i in 0..dim {
                        P[i] += distance * a[i];
                        V[i] += distance * b[i];
                    }
                    let (F, broken) = (size(&E::value(&law, &P, &V)), law.residual(&V, &P, 1.0));
                    (least, most) = (f64::min(least, F / broken), f64::max(most, F / broken));
                }
            }
        }
        // Observed 0.13 to 13.9, the extremes with the smallest friction of 0.1, by which Fischer and Burmeister divide.
        assert!(least > 0.05 && most < 30.0, "F over what is broken: {least} to {most}");
    }

    /// The derivatives against differences; kinks are met by no random point.
    fn derivatives<E: Equation<D>, const D: usize>() {
        let (mut seed, step) = (11, 1e-6);
        let (mut worst, mut judged, mut seen) = (0.0_f64, 0, 0);
        for _ in 0..2000 {
            let mu = 0.1 + noise(&mut seed).abs();
            for law in laws(mu, D) {
                let dim = law.dim();
                let mut point = || -> Vec<f64> { (0..dim).map(|_| noise(&mut seed)).collect() };
                let (P, V) = (point(), point());
                let linear = E::linear(&law, &P, &V);
                assert_eq!(linear.F, E::value(&law, &P, &V));
                for (derivative, moves_P) in [(&linear.F_P, true), (&linear.F_V, false)] {
                    for j in 0..dim {
                        let at = |side: f64| {
                            let (mut P, mut V) = (P.clone(), V.clone());
                            *(if moves_P { &mut P[j] } else { &mut V[j] }) += side * step;
                            (E::value(&law, &P, &V), E::linear(&law, &P, &V))
                        };
                        let ((ahead, slope_ahead), (behind, slope_behind)) = (at(1.0), at(-1.0));
                        let slope = |linear: &Linear<D>, i: usize| {
                            if moves_P { linear.F_P[i][j] } else { linear.F_V[i][j] }
                        };
                        for i in 0..dim {
                            seen += 1;
                            // a kink or much curvature in between: no judge
                            if (slope(&slope_ahead, i) - slope(&slope_behind, i)).abs() > 1e-4 {
                                continue;
                            }
                            let difference = (ahead[i] - behind[i]) / (2.0 * step);
                            worst = worst.max((difference - derivative[i][j]).abs());
                            judged += 1;
                        }
                    }
                }
                // rows that are not there
                for (i, j) in (0..D).flat_map(|i| (0..D).map(move |j| (i, j))) {
                    if i >= dim || j >= dim {
                        assert_eq!((linear.F_P[i][j], linear.F_V[i][j]), (0.0, 0.0), "{law:?}");
                    }
                }
            }
        }
        // Rounding over the step is 1e-10, and 1e-9 where it is divided by the smallest friction.
        assert!(worst < 1e-7, "{worst:e}");
        assert!(10 * judged > 9 * seen, "{judged} of {seen}");
    }

    #[test]
    fn alart_curnier() {
        zero_where_the_law_holds::<AlartCurnier, 3>();
        derivatives::<AlartCurnier, 3>();
        zero_where_the_law_holds::<AlartCurnier, 5>();
        derivatives::<AlartCurnier, 5>();
    }

    #[test]
    fn jean_moreau() {
        zero_where_the_law_holds::<JeanMoreau, 3>();
        derivatives::<JeanMoreau, 3>();
    }

    #[test]
    fn fischer_burmeister() {
        zero_where_the_law_holds::<FischerBurmeister, 3>();
        derivatives::<FischerBurmeister, 3>();
    }

    /// Where the root has a kink (x and y on one line of the cone's surface, or zero), the derivative is the limit of those
    /// at smooth points nearby.
    #[test]
    fn fischer_burmeister_at_kinks() {
        let mut seed = 29;
        for trial in 0..500 {
            let mu = 0.1 + noise(&mut seed).abs();
            let (angle, p, u) = (3.2 * noise(&mut seed), noise(&mut seed).abs(), noise(&mut seed).abs());
            let (p, u) = [(p, u), (p, 0.0), (0.0, u), (0.0, 0.0)][trial % 4];
            for law in [Law::planar_coulomb(mu), Law::spatial_coulomb(mu)] {
                let planar = law.dim() == 2;
                let t = if planar { [1.0_f64.copysign(angle), 0.0] } else { [angle.cos(), angle.sin()] };
                // x = p (1, t) and y = u (1, t): y_N is the shift alone
                let P = [p, mu * p * t[0], mu * p * t[1]];
                let V = [0.0, u / mu * t[0], u / mu * t[1]];
                let dim = law.dim();
                let linear = FischerBurmeister::linear(&law, &P[..dim], &V[..dim]);
                assert!(linear.F_P.iter().chain(&linear.F_V).flatten().all(|x| x.is_finite()));
                // truncation and rounding over it are both about 1e-8
                let e = 1e-8;
                let near =
                    FischerBurmeister::linear(&law, &[P[0] + e, P[1], P[2]][..dim], &[e, V[1], V[2]][..dim]);
                let far = |a: &Block, b: &Block| {
                    a.iter().flatten().zip(b.iter().flatten()).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
                };
                let apart = far(&linear.F_P, &near.F_P).max(far(&linear.F_V, &near.F_V));
                let smallest = [p, u].into_iter().filter(|x| *x > 0.0).fold(1.0, f64::min);
                assert!(apart < 1e-6 / smallest / mu, "{law:?} p {p} u {u}: {apart:e}");
            }
        }
    }
}
