//! Eigenmodes of a sparse symmetric pair.
//!
//! ```text
//!   K φ = ω² M φ,   φ_jᵀ M φ_k = δ_jk,   φ_jᵀ K φ_k = ω_k² δ_jk,   ω_1 ≤ ω_2 ≤ …       rigid motions left out
//! ```
//!
//! Coordinates that are not coupled (stretching and bending of a straight beam) are solved apart: a spectrum that
//! spans ten decades falls into two of a few. Small parts are solved dense, large ones in a Krylov space. Modes of one
//! frequency are turned in a fixed way, and the first large component of every mode is positive, so that a mode is the
//! same vector whichever way it was found.

use crate::krylov;
use crate::rigid::Elimination;
use crate::statics::{Loose, Statics, product};
use crate::{ElasticError, Symmetric};
use carom_linear::dense::generalised;
use carom_linear::{axpy, dot_8 as dot};

/// Parts up to this size are solved dense.
const SMALL: usize = 160;

/// Values of ω² closer than this, relatively, belong to one frequency.
const SAME: f64 = 1e-9;

/// Rigid motions shorter than this in a part, compared with the whole, do not move it.
const STILL: f64 = 1e-9;

/// Largest residual of a mode that is let through, see [`residual`].
const RESIDUAL_TOLERANCE: f64 = 1e-6;

/// Modes of one pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eigenmodes {
    /// ω² (1/s²), ascending.
    pub omega2: Vec<f64>,
    /// φ, mass-normalised, in the same order.
    pub phi: Vec<Vec<f64>>,
    /// The largest residual of a mode, in the measure of [`residual`].
    pub residual: f64,
}

/// Why there are no modes.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// K has a kernel beyond the rigid motions.
    Loose(Loose),
    /// Anything else.
    Other(ElasticError),
}

/// How far (ω², φ) is from a mode:  ( Σ r_i² / (K_ii + ω² M_ii) )^½ / (2ω²)^½  with r = Kφ − ω²Mφ and φᵀMφ = 1. The
/// square is the energy that the residual would store on its own diagonal springs, compared with that of the mode.
pub fn residual(K: &Symmetric, M: &Symmetric, omega2: f64, phi: &[f64]) -> f64 {
    let mut r = product(K, phi);
    M.add_product(-omega2, phi, &mut r);
    let mut diagonal = vec![0.0; phi.len()];
    for (factor, A) in [(1.0, K), (omega2, M)] {
        A.entries().filter(|e| e.0 == e.1).for_each(|(i, _, a)| diagonal[i] += factor * a);
    }
    let energy: f64 = r.iter().zip(&diagonal).filter(|(r, _)| **r != 0.0).map(|(r, d)| r * r / d).sum();
    (0.5 * energy / omega2).sqrt()
}

/// The `count` slowest modes of K φ = ω² M φ, K positive definite apart from the motions in `rigid`, which are left
/// out. An error if there are fewer.
pub fn slowest(
    K: &Symmetric,
    M: &Symmetric,
    rigid: &[Vec<f64>],
    count: usize,
) -> Result<Eigenmodes, ElasticError> {
    modes(K, M, rigid, count).map_err(|failure| failure.named(|i| format!("coordinate {i}")))
}

impl Failure {
    pub fn named(self, name: impl Fn(usize) -> String) -> ElasticError {
        match self {
            Self::Loose(loose) => loose.named(name),
            Self::Other(error) => error,
        }
    }
}

pub(crate) fn modes(
    K: &Symmetric,
    M: &Symmetric,
    rigid: &[Vec<f64>],
    count: usize,
) -> Result<Eigenmodes, Failure> {
    let n = K.n();
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for part in parts(K, M) {
        let K_part = K.select(&part);
        let M_part = M.select(&part);
        let rigid_part: Vec<Vec<f64>> = rigid
            .iter()
            .map(|r| (M.form(r, r), part.iter().map(|&i| r[i]).collect::<Vec<_>>()))
            .filter(|(whole, r)| M_part.form(r, r) > STILL * STILL * whole)
            .map(|(_, r)| r)
            .collect();
        let statics =
            Statics::new(&K_part, &M_part, &rigid_part).map_err(|Loose(i)| Failure::Loose(Loose(part[i])))?;
        let free = part.len() - statics.rigid.len();
        let count = count.min(free);
        let dense = part.len() <= SMALL || 3 * count > part.len();
        let solved = if count == 0 {
            Vec::new()
        } else if dense {
            all_dense(&K_part, &M_part, &statics).map_err(Failure::Other)?
        } else {
            krylov::slowest(&K_part, &M_part, &statics, count)
        };
        found.extend(solved.into_iter().take(count).map(|(omega2, phi)| {
            let mut whole = vec![0.0; n];
            part.iter().zip(phi).for_each(|(&i, x)| whole[i] = x);
            (omega2, whole)
        }));
    }
    if found.len() < count {
        return Err(Failure::Other(ElasticError::other(
            format!("{count} modes are asked for, but the body has only {} that deform it", found.len()),
            "ask for at most that many, or refine its mesh",
        )));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(count);
    let (omega2, mut phi): (Vec<f64>, Vec<Vec<f64>>) = found.into_iter().unzip();
    settle(&omega2, &mut phi);
    let worst = omega2.iter().zip(&phi).map(|(&w, phi)| residual(K, M, w, phi)).fold(0.0, f64::max);
    if worst.is_nan() || worst > RESIDUAL_TOLERANCE {
        return Err(Failure::Other(ElasticError::other(
            format!("the eigenmodes could not be computed accurately (residual {worst:.1e})"),
            "the matrices are too badly scaled: look for elements that are far smaller or stiffer than the others, or ask for fewer modes",
        )));
    }
    Ok(Eigenmodes { omega2, phi, residual: worst })
}

/// Number of modes below the angular frequency ω, rigid motions left out.
pub(crate) fn count_below(K: &Symmetric, M: &Symmetric, rigid: usize, omega: f64) -> usize {
    krylov::below(K, M, omega * omega).saturating_sub(rigid)
}

/// Lists of coordinates that are coupled by K or M, each ascending.
fn parts(K: &Symmetric, M: &Symmetric) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..K.n()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for (i, j, a) in K.entries().chain(M.entries()) {
        if a != 0.0 && i != j {
            let (a, b) = (find(&mut root, i), find(&mut root, j));
            root[a.max(b)] = a.min(b);
        }
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut number = vec![usize::MAX; K.n()];
    for i in 0..K.n() {
        let r = find(&mut root, i);
        if number[r] == usize::MAX {
            number[r] = parts.len();
            parts.push(Vec::new());
        }
        parts[number[r]].push(i);
    }
    parts
}

/// All modes, the coordinates that the rigid motions leave being solved dense.
fn all_dense(K: &Symmetric, M: &Symmetric, statics: &Statics) -> Result<Vec<(f64, Vec<f64>)>, ElasticError> {
    let elimination = Elimination::mean(M, &statics.rigid);
    let (K_r, M_r) = (elimination.dense(K), elimination.dense(M));
    let (omega2, phi) = generalised(&K_r, &M_r)?;
    Ok(omega2.iter().enumerate().map(|(k, &w)| (w, elimination.expand(phi.row(k)))).collect())
}

/// Turns modes of one frequency and fixes signs. The first coordinate in which a mode is within a millionth of its
/// largest belongs to the first mode alone, and so on.
pub(crate) fn settle(omega2: &[f64], phi: &mut [Vec<f64>]) {
    let mut from = 0;
    while from < phi.len() {
        let mut to = from + 1;
        while to < phi.len() && omega2[to] - omega2[to - 1] <= SAME * omega2[to] {
            to += 1;
        }
        for lead in from..to.saturating_sub(1) {
            turn(&mut phi[lead..to]);
        }
        from = to;
    }
    for phi in phi {
        let i = first_large(phi.len(), |i| phi[i].abs(), 0.5);
        if phi[i] < 0.0 {
            phi.iter_mut().for_each(|x| *x = -*x);
        }
    }
}

/// First index whose size is at least `share` of the largest.
fn first_large(n: usize, size: impl Fn(usize) -> f64, share: f64) -> usize {
    let largest = (0..n).map(&size).fold(0.0, f64::max);
    (0..n).find(|&i| size(i) >= share * largest).unwrap_or(0)
}

/// Reflects the vectors among each other so that all but the first vanish where together they are largest.
fn turn(phi: &mut [Vec<f64>]) {
    let size = |i: usize| phi.iter().map(|phi| phi[i] * phi[i]).sum::<f64>();
    let i = first_large(phi[0].len(), size, 1.0 - 1e-6);
    let mut v: Vec<f64> = phi.iter().map(|phi| phi[i]).collect();
    let norm = dot(&v, &v).sqrt();
    v[0] += norm.copysign(v[0]);
    let square = dot(&v, &v);
    if square == 0.0 {
        return;
    }
    let mut along = vec![0.0; phi[0].len()];
    for (v, phi) in v.iter().zip(&*phi) {
        axpy(2.0 * v / square, phi, &mut along);
    }
    for (v, phi) in v.iter().zip(phi) {
        axpy(-v, &along, phi);
    }
}
