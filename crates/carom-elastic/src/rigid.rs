//! Rigid motions of the elements, and coordinates that leave them out.
//!
//! ```text
//!   M r = ∫ρ Sᵀe_x,  ∫ρ Sᵀe_y,  ∫ρ Sᵀ(z×u_0)        the nodal coordinates of the three rigid motions
//!   C q = 0   ⇔   q = T y                            y: coordinates that are kept, the others follow from them
//! ```

use crate::statics::product;
use crate::{ElasticError, FiniteElements, Inertia, Symmetric, Unit};
use carom_linear::dense::Matrix;
use carom_linear::sparse::Skyline;
use carom_linear::{axpy, dot_8 as dot};

/// A rigid motion that held coordinates move less than this, a translation moving them by one, is not held.
const HELD: f64 = 1e-9;

/// A condition that is shorter than this after others were taken out of it, compared with what it was, says nothing new.
const DEPENDENT: f64 = 1e-9;

/// The rigid motions that the held coordinates leave, as nodal coordinates.
pub(crate) fn left_by(
    elements: &dyn FiniteElements,
    inertia: &Inertia,
    held: &[usize],
) -> Result<Vec<Vec<f64>>, ElasticError> {
    let n = elements.dofs();
    let mass = Skyline::factor(&[(1.0, &inertia.M)], &[]);
    if let Some(i) = mass.not_positive() {
        return Err(ElasticError::other(
            format!("there is no mass at {}", elements.dof_name(i)),
            "give every part of the body a positive density and extent",
        ));
    }
    let radius = (inertia.second / inertia.mass).sqrt();
    let mut scratch = vec![0.0; n];
    let mut solve = |mut b: Vec<f64>| {
        mass.solve(&mut b, &mut scratch);
        b
    };
    let mut motions = vec![
        solve(inertia.S.iter().map(|s| s[0]).collect()),
        solve(inertia.S.iter().map(|s| s[1]).collect()),
        solve(inertia.across.iter().map(|a| a / radius).collect()),
    ];
    let size = |motion: &[f64], i: usize| match elements.unit(i) {
        Unit::Angle => (radius * motion[i]).abs(),
        _ => motion[i].abs(),
    };
    loop {
        let mut best: Option<(usize, usize)> = None;
        for (m, motion) in motions.iter().enumerate() {
            for &i in held {
                let now = size(motion, i);
                if now > HELD && best.is_none_or(|(m, i)| now > size(&motions[m], i)) {
                    best = Some((m, i));
                }
            }
        }
        let Some((m, i)) = best else { break };
        let pivot = motions.remove(m);
        for motion in &mut motions {
            let factor = motion[i] / pivot[i];
            axpy(-factor, &pivot, motion);
            motion[i] = 0.0;
        }
    }
    for motion in &mut motions {
        held.iter().for_each(|&i| motion[i] = 0.0);
    }
    Ok(motions)
}

/// q = T y: conditions on coordinates, solved for as many of them.
#[derive(Clone, Debug)]
pub(crate) struct Elimination {
    /// Coordinates that are kept, ascending.
    pub kept: Vec<usize>,
    /// (kept coordinate's number, factor) for every coordinate.
    rows: Vec<Vec<(usize, f64)>>,
}

impl Elimination {
    /// Solves the conditions Σ c_i q_i = 0, each for the coordinate that counts most in it when measured in
    /// 1/`scale`. Conditions that follow from others are passed over.
    pub fn new(n: usize, conditions: &[Vec<f64>], scale: &[f64]) -> Self {
        let size = |row: &[f64], i: usize| (row[i] / scale[i]).abs();
        let length = |row: &[f64]| (0..n).map(|i| size(row, i)).fold(0.0, f64::max);
        let mut left: Vec<(f64, Vec<f64>)> =
            conditions.iter().map(|row| (length(row), row.clone())).collect();
        let mut solved: Vec<(usize, Vec<f64>)> = Vec::new();
        while let Some((before, row)) = (!left.is_empty()).then(|| left.remove(0)) {
            let now = length(&row);
            if now.is_nan() || now <= DEPENDENT * before {
                continue;
            }
            let pivot =
                (0..n).find(|&i| size(&row, i) >= (1.0 - 1e-9) * now).expect("the largest is among them");
            let row: Vec<f64> = row.iter().map(|c| c / row[pivot]).collect();
            for other in
                left.iter_mut().map(|(_, other)| other).chain(solved.iter_mut().map(|(_, other)| other))
            {
                let factor = other[pivot];
                axpy(-factor, &row, other);
                other[pivot] = 0.0;
            }
            solved.push((pivot, row));
        }
        let mut number = vec![None; n];
        let kept: Vec<usize> = (0..n).filter(|i| solved.iter().all(|(p, _)| p != i)).collect();
        kept.iter().enumerate().for_each(|(k, &i)| number[i] = Some(k));
        let mut rows: Vec<Vec<(usize, f64)>> =
            number.iter().map(|k| k.iter().map(|&k| (k, 1.0)).collect()).collect();
        for (pivot, row) in &solved {
            rows[*pivot] = kept
                .iter()
                .enumerate()
                .filter(|&(_, &i)| row[i] != 0.0)
                .map(|(k, &i)| (k, -row[i]))
                .collect();
        }
        Self { kept, rows }
    }

    /// The conditions that the mean of every rigid motion is zero:  rᵀ M q = 0.
    pub fn mean(M: &Symmetric, rigid: &[Vec<f64>]) -> Self {
        let conditions: Vec<Vec<f64>> = rigid.iter().map(|r| product(M, r)).collect();
        Self::new(M.n(), &conditions, &root_of_diagonal(M))
    }

    /// Tᵀ A T.
    pub fn dense(&self, A: &Symmetric) -> Matrix {
        let mut out = Matrix::zero(self.kept.len(), self.kept.len());
        let n = out.rows;
        for (i, j, a) in A.entries() {
            for &(k, s) in &self.rows[i] {
                for &(l, t) in &self.rows[j] {
                    out.data[k * n + l] += a * s * t;
                    if i != j {
                        out.data[l * n + k] += a * s * t;
                    }
                }
            }
        }
        out
    }

    /// Tᵀ A T.
    pub fn sparse(&self, A: &Symmetric) -> Symmetric {
        let mut triplets = Vec::new();
        for (i, j, a) in A.entries() {
            for &(k, s) in &self.rows[i] {
                for &(l, t) in &self.rows[j] {
                    if i != j && k == l {
                        triplets.push((k, k, 2.0 * a * s * t));
                    } else if i != j || k >= l {
                        triplets.push((k, l, a * s * t));
                    }
                }
            }
        }
        Symmetric::from_triplets(self.kept.len(), triplets)
    }

    /// T y.
    pub fn expand(&self, y: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().map(|&(k, t)| t * y[k]).sum()).collect()
    }

    /// T by columns.
    pub fn columns(&self) -> Vec<Vec<f64>> {
        let mut columns = vec![vec![0.0; self.rows.len()]; self.kept.len()];
        for (i, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|&(k, t)| columns[k][i] = t);
        }
        columns
    }
}

/// √A_ii.
pub(crate) fn root_of_diagonal(A: &Symmetric) -> Vec<f64> {
    let mut root = vec![0.0; A.n()];
    A.entries().filter(|e| e.0 == e.1).for_each(|(i, _, a)| root[i] = a.abs().sqrt());
    root
}

/// Columns λ, orthonormal, with Bᵀλ = 0 for the given columns of B.
pub(crate) fn complement(m: usize, B: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let largest = B.iter().map(|b| dot(b, b).sqrt()).fold(0.0, f64::max);
    let mut span: Vec<Vec<f64>> = Vec::new();
    // what is left of v outside the span, if it is longer than `least`
    let mut add = |mut v: Vec<f64>, least: f64| {
        for _ in 0..2 {
            for u in &span {
                axpy(-dot(u, &v), u, &mut v);
            }
        }
        let norm = dot(&v, &v).sqrt();
        let new = norm > least;
        if new {
            v.iter_mut().for_each(|x| *x /= norm);
            span.push(v);
        }
        new
    };
    let rank = B.iter().filter(|b| add((*b).clone(), DEPENDENT * largest)).count();
    // unit vectors in turn; those that are far from the span come first
    for least in [0.5, 1e-3, 1e-7] {
        for i in 0..m {
            add((0..m).map(|j| f64::from(u8::from(i == j))).collect(), least);
        }
    }
    span.truncate(m);
    span.split_off(rank)
}
