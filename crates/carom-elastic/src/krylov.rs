//! The slow modes of a large sparse pair by a block Krylov space of K⁺M.
//!
//! ```text
//!   V = [v_1 v_2 …],  Vᵀ M V = 1,     K⁺ M v_j = Σ_{i ≤ j+2} h_ij v_i,     H s = θ s,   ω² = 1/θ,   φ = V s
//! ```
//!
//! Lanczos with two start vectors, so that double eigenvalues are found, and full reorthogonalisation. That no mode was
//! jumped over is checked: K − σM has as many negative pivots as there are modes below σ.  [Parlett1998] ch. 13,
//! [GrimesLewisSimon1994]

use crate::Symmetric;
use crate::statics::{Statics, product};
use carom_linear::dense::{Matrix, symmetric};
use carom_linear::sparse::Skyline;
use carom_linear::{axpy, dot_8 as dot};

/// A mode has converged when ‖K⁺Mφ − θφ‖ ≤ this · θ in the norm of M.
const CONVERGED: f64 = 1e-11;

/// Vectors with which K⁺M v_j has more than rounding in common: two before, itself, and those after it.
const RECENT: usize = 6;

/// What a vector keeps of its length when it was orthogonal already.
const KEPT: f64 = 0.7;

/// What a vector must keep of its length to be a new direction.
const EXHAUSTED: f64 = 1e-13;

/// Modes computed beyond those asked for, to have a gap in which to count.
const GUARD: usize = 3;

/// Neighbours with ω² closer than this have no gap between them.
const GAP: f64 = 1e-7;

/// (ω², φ) of the `count` slowest modes, φᵀMφ = 1, rigid motions left out.
pub(crate) fn slowest(K: &Symmetric, M: &Symmetric, statics: &Statics, count: usize) -> Vec<(f64, Vec<f64>)> {
    let free = K.n() - statics.rigid.len();
    let mut space = Space { M, statics, free, V: Vec::new(), MV: Vec::new(), h: Vec::new(), seed: 1 };
    space.add_start();
    space.add_start();
    search(space, K, count)
}

/// The slowest modes, the space beginning with what it has.
fn search(mut space: Space<'_>, K: &Symmetric, count: usize) -> Vec<(f64, Vec<f64>)> {
    let (M, free, rigid) = (space.M, space.free, space.statics.rigid.len());
    let mut wanted = (count + GUARD).min(free);
    let mut size = 2 * wanted + wanted / 4 + 32;
    loop {
        space.grow(size.min(free));
        let (theta, S, residual) = space.ritz();
        let complete = space.h.len() == free;
        let converged = complete || (0..wanted).all(|k| residual[k] <= CONVERGED * theta[k]);
        size = space.h.len() + wanted / 6 + 12;
        if !converged {
            continue;
        }
        if !complete {
            // a place to count: the widest gap behind the last mode asked for
            let w2 = |k: usize| 1.0 / theta[k];
            let (k, gap) = (count..wanted)
                .map(|k| (k, w2(k) / w2(k - 1) - 1.0))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .expect("guard modes wait behind the last one");
            if gap < GAP {
                wanted = (wanted + GUARD).min(free);
                continue;
            }
            let below = below(K, M, 0.5 * (w2(k - 1) + w2(k))).saturating_sub(rigid);
            if below > k {
                // a mode has no part in this space: give it a new direction
                space.add_start();
                continue;
            }
        }
        return (0..count).map(|k| (1.0 / theta[k], space.combine(S.row(k)))).collect();
    }
}

/// Number of eigenvalues ω² of K φ = ω² M φ below the shift, rigid motions counted.
pub(crate) fn below(K: &Symmetric, M: &Symmetric, shift: f64) -> usize {
    Skyline::factor(&[(1.0, K), (-shift, M)], &[]).negatives()
}

struct Space<'a> {
    M: &'a Symmetric,
    statics: &'a Statics,
    /// Number of directions there are.
    free: usize,
    V: Vec<Vec<f64>>,
    MV: Vec<Vec<f64>>,
    /// h[j][i] of the vectors taken so far.
    h: Vec<Vec<f64>>,
    seed: u64,
}

impl Space<'_> {
    /// Takes vectors until `size` are taken.
    fn grow(&mut self, size: usize) {
        let mut scratch = vec![0.0; self.M.n()];
        while self.h.len() < size {
            let j = self.h.len();
            if j == self.V.len() && !self.add_start() {
                break;
            }
            let mut w = self.MV[j].clone();
            self.statics.apply(&mut w, &mut scratch);
            let before = self.M.form(&w, &w).max(0.0).sqrt();
            let mut h = vec![0.0; self.V.len()];
            self.orthogonalise(&mut w, Some(&mut h));
            if let Some(beta) = self.append(w, EXHAUSTED * before) {
                h.push(beta);
            }
            self.h.push(h);
        }
    }

    /// w ← w − V Vᵀ M w, the coefficients added to h. The last vectors take most of it away; then all are gone through
    /// until that takes nothing away that rounding could matter to.
    fn orthogonalise(&self, w: &mut [f64], mut h: Option<&mut [f64]>) {
        let length = |w: &[f64]| self.M.form(w, w).max(0.0).sqrt();
        let mut sweep = |from: usize, w: &mut [f64]| {
            for (i, (v, Mv)) in self.V.iter().zip(&self.MV).enumerate().skip(from) {
                let c = dot(Mv, w);
                axpy(-c, v, w);
                if let Some(h) = h.as_deref_mut() {
                    h[i] += c;
                }
            }
        };
        sweep(self.V.len().saturating_sub(RECENT), w);
        let mut before = length(w);
        for _ in 0..3 {
            self.statics.remove_rigid(w);
            sweep(0, w);
            let after = length(w);
            if after > KEPT * before {
                break;
            }
            before = after;
        }
    }

    /// A new vector, unless it is shorter than `shortest`; returns its length.
    fn append(&mut self, mut w: Vec<f64>, shortest: f64) -> Option<f64> {
        let beta = self.M.form(&w, &w).max(0.0).sqrt();
        if self.V.len() >= self.free || beta.is_nan() || beta <= shortest {
            return None;
        }
        w.iter_mut().for_each(|x| *x /= beta);
        self.MV.push(product(self.M, &w));
        self.V.push(w);
        Some(beta)
    }

    /// A new direction from noise, always the same noise.
    fn add_start(&mut self) -> bool {
        let noise = (0..self.M.n())
            .map(|_| {
                self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (self.seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
            })
            .collect::<Vec<f64>>();
        // one application brings the slow modes forward
        let mut w = product(self.M, &noise);
        self.statics.apply(&mut w, &mut vec![0.0; self.M.n()]);
        let before = self.M.form(&w, &w).max(0.0).sqrt();
        self.orthogonalise(&mut w, None);
        let first = self.append(w, 1e-10 * before).is_some();
        first || {
            let mut w = noise;
            self.orthogonalise(&mut w, None);
            self.append(w, 0.0).is_some()
        }
    }

    /// θ descending, s as rows, ‖K⁺Mφ − θφ‖.
    fn ritz(&self) -> (Vec<f64>, Matrix, Vec<f64>) {
        let p = self.h.len();
        let mut H = Matrix::zero(p, p);
        for (j, h) in self.h.iter().enumerate() {
            // what an earlier vector says of a later one: exact zeros stay zeros
            for i in j..p.min(h.len()) {
                H.set_pair(i, j, h[i]);
            }
        }
        let (mut theta, ascending) = symmetric(H);
        theta.reverse();
        let mut S = Matrix::zero(p, p);
        for k in 0..p {
            S.row_mut(k).copy_from_slice(ascending.row(p - 1 - k));
        }
        let residual = (0..p)
            .map(|k| {
                let s = S.row(k);
                let part = |i: usize| -> f64 {
                    self.h.iter().zip(s).filter_map(|(h, s)| h.get(i).map(|h| h * s)).sum()
                };
                (p..self.V.len()).map(|i| part(i) * part(i)).sum::<f64>().sqrt()
            })
            .collect();
        (theta, S, residual)
    }

    /// V s, of unit length.
    fn combine(&self, s: &[f64]) -> Vec<f64> {
        let mut phi = vec![0.0; self.M.n()];
        for (s, v) in s.iter().zip(&self.V) {
            axpy(*s, v, &mut phi);
        }
        let norm = self.M.form(&phi, &phi).sqrt();
        phi.iter_mut().for_each(|x| *x /= norm);
        phi
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two equal chains that are not coupled, and a search that begins in the first: the second is found because modes
    /// are missing in the count.
    #[test]
    fn a_mode_that_no_start_contains_is_missed_and_found() {
        let n = 120;
        let mut triplets = Vec::new();
        for i in 0..2 * n {
            triplets.push((i, i, 2.0));
            if i % n > 0 {
                triplets.push((i, i - 1, -1.0));
            }
        }
        let K = Symmetric::from_triplets(2 * n, triplets);
        let M = Symmetric::from_triplets(2 * n, (0..2 * n).map(|i| (i, i, 1.0)));
        let statics = Statics::new(&K, &M, &[]).expect("held at both ends");
        let mut space =
            Space { M: &M, statics: &statics, free: 2 * n, V: vec![], MV: vec![], h: vec![], seed: 1 };
        let start = (0..2 * n).map(|i| if i < n { (1.0 + i as f64).sin() } else { 0.0 }).collect();
        space.append(start, 0.0);
        let modes = search(space, &K, 9);
        for (k, (omega2, _)) in modes.iter().enumerate() {
            let angle = std::f64::consts::PI * (k / 2 + 1) as f64 / (n + 1) as f64;
            let exact = 2.0 - 2.0 * angle.cos();
            assert!((omega2 / exact - 1.0).abs() < 1e-10, "{k}: {omega2} {exact}");
        }
    }
}
