//! Deformation under a load, rigid motions put aside.
//!
//! ```text
//!   x = K⁺ f :   K x = f − M R Rᵀ f,   Rᵀ M x = 0          R: rigid motions that the supports leave, RᵀMR = 1
//! ```
//!
//! Without rigid motions this is K⁻¹. With them, the load is balanced by the inertia of the rigid motion it causes, the
//! body is supported at as many coordinates as it has rigid motions, where nothing is left to support, and the rigid
//! part of the answer is taken away.

use crate::{ElasticError, Symmetric};
use carom_linear::sparse::Skyline;
use carom_linear::{axpy, dot_8 as dot};

/// Rigid motions that are shorter than this, compared with what they were before others were taken out of them, add
/// nothing new.
const DEPENDENT: f64 = 1e-7;

/// Factored K with its rigid motions.
#[derive(Clone, Debug)]
pub(crate) struct Statics {
    factor: Skyline,
    supported: Vec<usize>,
    /// R and M R.
    pub rigid: Vec<Vec<f64>>,
    momentum: Vec<Vec<f64>>,
}

/// What a factorisation that fails says: the coordinate that can move freely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose(pub usize);

impl Statics {
    /// `rigid` spans the kernel of K; fails with a coordinate of what moves freely beside it.
    pub fn new(K: &Symmetric, M: &Symmetric, rigid: &[Vec<f64>]) -> Result<Self, Loose> {
        let rigid = orthonormal(M, rigid);
        let supported = supports(K, &rigid);
        let factor = Skyline::factor(&[(1.0, K)], &supported);
        if let Some(i) = factor.not_positive() {
            return Err(Loose(i));
        }
        let momentum = rigid.iter().map(|r| product(M, r)).collect();
        Ok(Self { factor, supported, rigid, momentum })
    }

    /// f ← K⁺ f; `scratch` has n numbers.
    pub fn apply(&self, f: &mut [f64], scratch: &mut [f64]) {
        for (r, p) in self.rigid.iter().zip(&self.momentum) {
            axpy(-dot(r, f), p, f);
        }
        self.supported.iter().for_each(|&i| f[i] = 0.0);
        self.factor.solve(f, scratch);
        self.remove_rigid(f);
    }

    /// x ← x − R Rᵀ M x.
    pub fn remove_rigid(&self, x: &mut [f64]) {
        for (r, p) in self.rigid.iter().zip(&self.momentum) {
            axpy(-dot(p, x), r, x);
        }
    }
}

impl Loose {
    /// The error, the coordinate being called by its name.
    pub fn named(self, name: impl Fn(usize) -> String) -> ElasticError {
        ElasticError::other(
            format!("the body can still move without being deformed, at {} for one", name(self.0)),
            "choose a reference condition that holds it and make sure that its elements hang together",
        )
    }
}

/// A x.
pub(crate) fn product(A: &Symmetric, x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    A.add_product(1.0, x, &mut out);
    out
}

/// Vectors of the same span with xᵀMx = 1, each orthogonal to the others; what depends on others is left out.
pub(crate) fn orthonormal(M: &Symmetric, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut done: Vec<Vec<f64>> = Vec::new();
    for v in vectors {
        let before = M.form(v, v).max(0.0).sqrt();
        let mut v = v.clone();
        // twice is enough
        for _ in 0..2 {
            for u in &done {
                axpy(-M.form(u, &v), u, &mut v);
            }
        }
        let norm = M.form(&v, &v).max(0.0).sqrt();
        if norm > DEPENDENT * before {
            v.iter_mut().for_each(|x| *x /= norm);
            done.push(v);
        }
    }
    done
}

/// As many coordinates as there are rigid motions, such that holding them leaves none: the largest of a motion, in the
/// measure √K_ii, then the largest of what the others do while it stays.
fn supports(K: &Symmetric, rigid: &[Vec<f64>]) -> Vec<usize> {
    let mut scale = vec![0.0; K.n()];
    K.entries().filter(|e| e.0 == e.1).for_each(|(i, _, a)| scale[i] = a.abs().sqrt());
    let mut left = rigid.to_vec();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let size = |motion: &[f64], i: usize| (scale[i] * motion[i]).abs();
        let mut best = (0, 0);
        for (m, motion) in left.iter().enumerate() {
            for i in 0..motion.len() {
                if size(motion, i) > size(&left[best.0], best.1) {
                    best = (m, i);
                }
            }
        }
        let (m, i) = best;
        let pivot = left.remove(m);
        for motion in &mut left {
            let factor = motion[i] / pivot[i];
            axpy(-factor, &pivot, motion);
            motion[i] = 0.0;
        }
        chosen.push(i);
    }
    chosen
}
