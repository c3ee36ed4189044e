//! The global contact problem, before velocities are eliminated, and its reduction to the local one.
//!
//! ```text
//!   M v = f + H P,      U = Hᵀ v + b,      (U, P) satisfy a law per contact
//!   Ŵ = Hᵀ M⁻¹ H,       U_free = Hᵀ M⁻¹ f + b
//! ```
//!
//! M is positive definite, and symmetric but for gyroscopic terms or the rounding of other programs' data. It falls apart into
//! parts that share no entry, one per body or per elastic mesh, and each is factored alone: [`Factored`] applies Ŵ without forming it, [`GlobalProblem::condense`] forms it from pairs of
//! contacts that share a part. Joints are bilateral rows among the laws, or a part of H like any other contact.

use crate::{Delassus, Law, SparseMatrix, SquareMatrix, StoredProblem};
use carom_linear::sparse::{Ldl, Lu};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Entries of M and Mᵀ may differ by this much of the largest one: a part where they differ more is factored as it is.
const SYMMETRY: f64 = 1e-9;

/// M v = f + H P with U = Hᵀ v + b and one law per contact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlobalProblem {
    /// Mass matrix, or whatever stands before v in an implicit step: M + Mᵀ positive definite.
    pub M: SparseMatrix,
    /// Directions of P, a column each.
    pub H: SparseMatrix,
    /// M times the velocity without contacts.
    pub f: Vec<f64>,
    /// What U has besides Hᵀ v: restitution, moving walls.
    pub b: Vec<f64>,
    /// What each contact obeys.
    pub laws: Vec<Law>,
}

/// Why a global problem has no local form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobalError {
    /// Sizes that do not fit.
    #[error("M is {0} × {1}, H {2} × {3}, f has {4} rows, b {5}, the laws together {6}: they do not fit")]
    Sizes(usize, usize, usize, usize, usize, usize, usize),
    /// Some part of M has a pivot that is not positive.
    #[error("M is not positive definite (the part with velocity {0}, counted from 0)")]
    Indefinite(usize),
    /// Ŵ is needed and there is no room for it.
    #[error(
        "about {0} entries of the matrix are too many to be formed, and M has parts that are no bodies: large, or not symmetric"
    )]
    TooFull(usize),
}

/// Ŵ = Hᵀ M⁻¹ H as an operator that is never formed; apply costs one pass over H, the factors of M, and H again.
#[derive(Debug)]
pub struct Factored {
    /// Hᵀ: row i are the velocities that row i of U looks at.
    directions: SparseMatrix,
    H: SparseMatrix,
    parts: Vec<Part>,
    part_of: Places,
    diagonal: Vec<f64>,
    scratch: Mutex<Scratch>,
}

#[derive(Debug, Default)]
struct Scratch {
    momentum: Vec<f64>,
    right: Vec<f64>,
    velocity: Vec<f64>,
    places: Vec<f64>,
}

/// Velocities that M couples, and the factor of their part of M.
#[derive(Debug)]
struct Part {
    velocities: Vec<u32>,
    factor: Factor,
}

#[derive(Debug)]
enum Factor {
    /// One velocity: 1/M.
    Inverse(f64),
    Symmetric(Box<Ldl>),
    Unsymmetric(Box<Lu>),
}

impl Part {
    /// x ← M⁻¹ right, in the numbering of the part.
    fn solve(&self, right: &[f64], x: &mut [f64], places: &mut [f64]) {
        match &self.factor {
            Factor::Inverse(inverse) => x[0] = inverse * right[0],
            Factor::Symmetric(ldl) => ldl.solve(right, x, places),
            Factor::Unsymmetric(lu) => {
                x.copy_from_slice(right);
                lu.solve_with(x, places);
            }
        }
    }

    fn is_symmetric(&self) -> bool {
        !matches!(self.factor, Factor::Unsymmetric(_))
    }
}

impl GlobalProblem {
    /// Number of velocities.
    pub fn velocities(&self) -> usize {
        self.M.rows()
    }

    fn check(&self) -> Result<(), GlobalError> {
        let rows = self.laws.iter().map(Law::dim).sum();
        let n = self.M.rows();
        let fits = self.M.columns() == n
            && (self.H.rows(), self.H.columns()) == (n, rows)
            && (self.f.len(), self.b.len()) == (n, rows);
        if !fits {
            let (h, c) = (self.H.rows(), self.H.columns());
            return Err(GlobalError::Sizes(n, self.M.columns(), h, c, self.f.len(), self.b.len(), rows));
        }
        Ok(())
    }

    /// Factors M part by part.
    pub fn factor(&self) -> Result<Factored, GlobalError> {
        self.check()?;
        let (parts, part_of) = parts(&self.M)?;
        let directions = self.H.transposed();
        let longest = parts.iter().map(|part| part.velocities.len()).max().unwrap_or(0);
        let scratch = Scratch {
            momentum: vec![0.0; self.velocities()],
            right: vec![0.0; longest],
            velocity: vec![0.0; longest],
            places: vec![0.0; longest],
        };
        let diagonal = vec![0.0; directions.rows()];
        let mut factored = Factored {
            directions,
            H: self.H.clone(),
            parts,
            part_of,
            diagonal,
            scratch: Mutex::new(scratch),
        };
        factored.diagonal = factored.diagonal_entries();
        Ok(factored)
    }

    /// The velocity v = M⁻¹ (f + H P).
    pub fn velocity(&self, factored: &Factored, P: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; self.velocities()];
        self.H.apply(P, &mut v);
        v.iter_mut().zip(&self.f).for_each(|(v, f)| *v += f);
        factored.inverse(&mut v);
        v
    }

    /// U_free = Hᵀ M⁻¹ f + b.
    pub fn free_velocity(&self, factored: &Factored) -> Vec<f64> {
        let mut v = self.f.clone();
        factored.inverse(&mut v);
        let mut U = vec![0.0; self.b.len()];
        factored.directions.apply(&v, &mut U);
        U.iter_mut().zip(&self.b).for_each(|(U, b)| *U += b);
        U
    }

    /// The local problem with Ŵ formed.
    pub fn condense(&self) -> Result<StoredProblem<SparseMatrix>, GlobalError> {
        let factored = self.factor()?;
        let W_hat = factored.form();
        Ok(StoredProblem { W_hat, U_free: self.free_velocity(&factored), laws: self.laws.clone() })
    }
}

/// For each velocity: which part it belongs to, and its place in it.
type Places = Vec<(u32, u32)>;

/// The factor of n velocities that M couples, from their entries of M. None unless it is positive definite.
fn factor(n: usize, (places, values): (Vec<(u32, u32)>, Vec<f64>), rounding: f64) -> Option<Factor> {
    if n == 1 {
        let m: f64 = values.iter().sum();
        return (m > 0.0).then_some(Factor::Inverse(1.0 / m));
    }
    let triplets = || places.iter().zip(&values).map(|(&(i, j), value)| (i, j, *value));
    if SparseMatrix::from_triplets(n, n, triplets().collect()).asymmetry() > rounding {
        let (mut lu, slots) = Lu::new(n, 0, &places);
        slots.iter().zip(&values).for_each(|(slot, value)| lu.add(*slot, *value));
        return lu.factor().then(|| Factor::Unsymmetric(Box::new(lu)));
    }
    let lower = triplets().filter(|(i, j, _)| j <= i);
    let (places, values): (Vec<_>, Vec<_>) = lower.map(|(i, j, value)| ((i, j), value)).unzip();
    let (mut ldl, slots) = Ldl::new(n, 0, &places);
    slots.iter().zip(values).for_each(|(slot, value)| ldl.add(*slot, value));
    ldl.factor().then(|| Factor::Symmetric(Box::new(ldl)))
}

/// The parts of M and their factors.
fn parts(M: &SparseMatrix) -> Result<(Vec<Part>, Places), GlobalError> {
    let n = M.rows();
    let rounding = SYMMETRY * M.largest();
    // Union of velocities that share an entry; every set is named by its smallest member.
    let mut name: Vec<usize> = (0..n).collect();
    fn find(name: &mut [usize], mut i: usize) -> usize {
        while name[i] != i {
            name[i] = name[name[i]];
            i = name[i];
        }
        i
    }
    for (i, j, value) in M.triplets() {
        if value != 0.0 {
            let (a, b) = (find(&mut name, i), find(&mut name, j));
            name[a.max(b)] = a.min(b);
        }
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); n];
    for i in 0..n {
        members[find(&mut name, i)].push(i as u32);
    }
    let mut parts = Vec::new();
    let mut part_of = vec![(0, 0); n];
    for velocities in members.into_iter().filter(|v| !v.is_empty()) {
        for (k, &v) in velocities.iter().enumerate() {
            part_of[v as usize] = (parts.len() as u32, k as u32);
        }
        let indefinite = GlobalError::Indefinite(velocities[0] as usize);
        let local = |v: usize| part_of[v].1;
        // zeros that are stored do not couple
        let entries = velocities.iter().flat_map(|&v| {
            let coupled = M.row(v as usize).filter(|(_, value)| *value != 0.0);
            coupled.map(move |(j, value)| ((local(v as usize), local(j)), value))
        });
        let factor = factor(velocities.len(), entries.unzip(), rounding).ok_or(indefinite)?;
        parts.push(Part { velocities, factor });
    }
    Ok((parts, part_of))
}

impl Factored {
    /// Velocities that M couples, part by part.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.parts.iter().map(|part| &part.velocities[..])
    }

    /// v ← M⁻¹ v.
    pub fn inverse(&self, v: &mut [f64]) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.inverse_with(v, &mut scratch);
    }

    fn inverse_with(&self, v: &mut [f64], scratch: &mut Scratch) {
        let Scratch { right, velocity, places, .. } = scratch;
        for part in &self.parts {
            let n = part.velocities.len();
            for (right, &i) in right.iter_mut().zip(&part.velocities) {
                *right = v[i as usize];
            }
            part.solve(&right[..n], &mut velocity[..n], &mut places[..n]);
            for (x, &i) in velocity.iter().zip(&part.velocities) {
                v[i as usize] = *x;
            }
        }
    }

    /// Whether all parts are symmetric.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.parts.iter().all(Part::is_symmetric)
    }

    /// Entries of Ŵ if it were formed, those of two rows that share two parts counted twice.
    pub fn entries_formed(&self) -> usize {
        let (mut rows, mut last) = (vec![0_usize; self.parts.len()], vec![usize::MAX; self.parts.len()]);
        for i in 0..self.directions.rows() {
            for (v, _) in self.directions.row(i) {
                let part = self.part_of[v].0 as usize;
                if std::mem::replace(&mut last[part], i) != i {
                    rows[part] += 1;
                }
            }
        }
        rows.iter().map(|n| n * n).sum()
    }

    /// Ŵ from all pairs of rows that share a part; exactly symmetric where M is.
    pub fn form(&self) -> SparseMatrix {
        let n = self.directions.rows();
        // Rows of U by part, each with its own entries there.
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        for i in 0..n {
            for (v, _) in self.directions.row(i) {
                let list = &mut rows[self.part_of[v].0 as usize];
                if list.last() != Some(&(i as u32)) {
                    list.push(i as u32);
                }
            }
        }
        let mut triplets = Vec::new();
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let Scratch { right, velocity, places, .. } = &mut *scratch;
        for (k, (part, rows)) in self.parts.iter().zip(&rows).enumerate() {
            let m = part.velocities.len();
            let inside = |i: u32| {
                let row = self.directions.row(i as usize);
                row.filter(|(v, _)| self.part_of[*v].0 as usize == k)
                    .map(|(v, h)| (self.part_of[v].1 as usize, h))
            };
            for (at, &j) in rows.iter().enumerate() {
                right[..m].fill(0.0);
                inside(j).for_each(|(v, h)| right[v] = h);
                part.solve(&right[..m], &mut velocity[..m], &mut places[..m]);
                let mirrored = part.is_symmetric();
                for &i in &rows[if mirrored { at } else { 0 }..] {
                    let w: f64 = inside(i).map(|(v, h)| h * velocity[v]).sum();
                    triplets.push((i, j, w));
                    if mirrored && i != j {
                        triplets.push((j, i, w));
                    }
                }
            }
        }
        SparseMatrix::from_triplets(n, n, triplets)
    }

    fn column(&self, j: usize) -> Vec<f64> {
        let mut v = vec![0.0; self.H.rows()];
        self.directions.row(j).for_each(|(i, h)| v[i] = h);
        self.inverse(&mut v);
        v
    }

    fn diagonal_entries(&self) -> Vec<f64> {
        // h M⁻¹ h part by part: only the parts that a row touches.
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let Scratch { right, velocity, places, .. } = &mut *scratch;
        let mut entry = |i: usize| {
            let mut touched: Vec<u32> = self.directions.row(i).map(|(v, _)| self.part_of[v].0).collect();
            touched.sort_unstable();
            touched.dedup();
            let mut sum = 0.0;
            for k in touched {
                let part = &self.parts[k as usize];
                let m = part.velocities.len();
                right[..m].fill(0.0);
                let inside = || self.directions.row(i).filter(|(v, _)| self.part_of[*v].0 == k);
                inside().for_each(|(v, h)| right[self.part_of[v].1 as usize] = h);
                part.solve(&right[..m], &mut velocity[..m], &mut places[..m]);
                sum += inside().map(|(v, h)| h * velocity[self.part_of[v].1 as usize]).sum::<f64>();
            }
            sum
        };
        (0..self.directions.rows()).map(&mut entry).collect()
    }
}

impl Delassus for Factored {
    fn rows(&self) -> usize {
        self.directions.rows()
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut momentum = std::mem::take(&mut scratch.momentum);
        self.H.apply(P, &mut momentum);
        self.inverse_with(&mut momentum, &mut scratch);
        self.directions.apply(&momentum, out);
        scratch.momentum = momentum;
    }
    /// The diagonal is kept; any other entry costs a solve with M.
    fn entry(&self, i: usize, j: usize) -> f64 {
        if i == j {
            return self.diagonal[i];
        }
        let v = self.column(j);
        self.directions.row(i).map(|(k, h)| h * v[k]).sum()
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        None
    }
}
