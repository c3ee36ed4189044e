//! Accelerations without multipliers: null space, pseudo-inverse, independent coordinates.       [Haddouni2015] §1.2, §2.2.1
//!
//! The rows are G x = c, forces act along F: M x = r + Fᵀ λ. F = G unless a contact slides, and rows may depend on each other.
//!
//! ```text
//!   null space      G R = 0,  F N = 0,  G x₀ = c:      Nᵀ M R e = Nᵀ (r − M x₀),      x = x₀ + R e
//!                   R, N: the last columns of the Q of Gᵀ, Fᵀ; x₀ the smallest
//!   pseudo-inverse  M = L Lᵀ,  B = G L⁻ᵀ:              x = M⁻¹ r + L⁻ᵀ B⁺ (c − G M⁻¹ r)                  Udwadia and Kalaba
//!                   sliding: B⁺ maps onto the columns of (F L⁻ᵀ)ᵀ instead, Q_F (Q_Gᵀ Q_F)⁻¹ T⁻¹ Zᵀ Πᵀ
//!   partitioned     G = (G_u  G_w) Π:                   the null space with R = (I, −G_w⁻¹ G_u), N = (I, −F_w⁻¹ F_u)
//! ```
//!
//! The source takes M^{−1/2}; any L with M = L Lᵀ gives the same x, and Cholesky's is the cheapest. N is what makes the forms
//! right with friction: the force of a sliding contact does work along R, and none along N.
//!
//! λ comes afterwards from Fᵀ λ = M x − r, the smallest where rows depend on each other, torques measured by the mechanism's
//! length: the same as in the form of index 1. (Where a contact depends on joints, that form measures it otherwise.)
//!
//! Independent coordinates u are chosen by elimination with complete pivots, columns scaled by what counts as one. They are
//! kept until |G_w⁻¹ G_u| has grown beyond [`GROWTH`]; then they are chosen anew, at the beginning of a step.

use super::{Formulation, Rows, add_row};
use crate::motion::Motion;
use crate::{Configuration, StepError, System};
use carom_linear::dense::{Orthogonal, backward, cholesky, forward, lu, lu_solve, positive};
use carom_linear::dot;

/// Dependent coordinates that move so much more than independent ones ask for other independent ones; when they are
/// chosen, complete pivots leave factors around 1.
const GROWTH: f64 = 10.0;
/// Pivots of G smaller than this, relative to the first, belong to rows that depend on those before.
const RANK: f64 = 1e-10;
/// Dependent coordinates that change by less than this, relative to the mechanism, stand.
const STANDS: f64 = 1e-13;
/// Newton iterations for dependent coordinates.
const MOST_ITERATIONS: usize = 25;

/// Which coordinates depend on which.
#[derive(Clone, Debug, Default)]
struct Partition {
    known: bool,
    /// Columns: the dependent ones first, `rank` of them.
    columns: Vec<usize>,
    /// Rows: those that determine them first.
    rows: Vec<usize>,
    rank: usize,
    /// |G_w⁻¹ G_u| when it was chosen.
    growth: f64,
    changes: usize,
    work: Vec<f64>,
}

impl Partition {
    /// Chooses columns and rows by elimination with complete pivots; `G` by rows, scaled.
    fn choose(&mut self, G: impl Fn(usize, usize) -> f64, n: usize, m: usize) {
        for (i, column) in self.columns.iter_mut().enumerate() {
            *column = i;
        }
        for (i, row) in self.rows[..m].iter_mut().enumerate() {
            *row = i;
        }
        let A = &mut self.work[..m * n];
        for i in 0..m {
            for j in 0..n {
                A[i * n + j] = G(i, j);
            }
        }
        (self.rank, self.known) = (m.min(n), true);
        let mut first = 0.0;
        for k in 0..m.min(n) {
            let (mut best, mut at) = (0.0, (k, k));
            for i in k..m {
                for j in k..n {
                    if A[i * n + j].abs() > best {
                        (best, at) = (A[i * n + j].abs(), (i, j));
                    }
                }
            }
            if k == 0 {
                first = best;
            }
            if best <= RANK * first || best == 0.0 {
                self.rank = k;
                break;
            }
            self.rows.swap(k, at.0);
            self.columns.swap(k, at.1);
            for j in 0..n {
                A.swap(k * n + j, at.0 * n + j);
            }
            for i in 0..m {
                A.swap(i * n + k, i * n + at.1);
            }
            for i in k + 1..m {
                let l = A[i * n + k] / A[k * n + k];
                for j in k..n {
                    A[i * n + j] -= l * A[k * n + j];
                }
            }
        }
    }
}

/// Arrays of the forms without multipliers, sized once.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// M by rows; L in the form of the pseudo-inverse.
    M: Vec<f64>,
    L: Vec<f64>,
    /// G and F by rows, as they are.
    G: Vec<f64>,
    F: Vec<f64>,
    /// √weight per row.
    scale: Vec<f64>,
    slides: bool,
    rows: Orthogonal,
    forces: Orthogonal,
    /// R and N by columns, the reduced matrix with its pivots.
    R: Vec<f64>,
    N: Vec<f64>,
    reduced: Vec<f64>,
    pivot: Vec<usize>,
    partition: Partition,
    /// G_w (or F_w) by rows, its pivots.
    block: Vec<f64>,
    block_pivot: Vec<usize>,
    x: Vec<f64>,
    y: Vec<f64>,
    e: Vec<f64>,
    c: Vec<f64>,
}

impl Forms {
    /// For n velocities and at most m rows.
    pub fn reserve(&mut self, n: usize, m: usize) {
        self.rows.reserve(n, m);
        self.forces.reserve(n, m);
        for (array, size) in [
            (&mut self.M, n * n),
            (&mut self.L, n * n),
            (&mut self.G, m * n),
            (&mut self.F, m * n),
            (&mut self.scale, m),
            (&mut self.R, n * n),
            (&mut self.N, n * n),
            (&mut self.reduced, n * n),
            (&mut self.partition.work, m * n),
            (&mut self.block, m.min(n) * m.min(n)),
            (&mut self.x, n),
            (&mut self.y, n),
            (&mut self.e, n),
            (&mut self.c, m.max(n)),
        ] {
            array.resize(size, 0.0);
        }
        self.pivot.resize(n, 0);
        self.block_pivot.resize(m.min(n), 0);
        self.partition.columns.resize(n, 0);
        self.partition.rows.resize(m, 0);
    }

    /// The rows changed: nothing chosen for the old ones stands.
    pub fn forget(&mut self) {
        self.partition.known = false;
    }

    /// Factors what `solve` needs. M, G and F are filled. False if something is singular.
    fn factor(&mut self, formulation: Formulation, weight: &[f64], n: usize, m: usize) -> bool {
        match formulation {
            Formulation::PseudoInverse => {
                self.L.copy_from_slice(&self.M);
                if !cholesky(&mut self.L, n, positive) {
                    return false;
                }
                self.decompose(n, m, true);
                let r = self.rows.rank();
                if !self.slides {
                    return true;
                }
                if self.forces.rank() != r {
                    return false;
                }
                // Q_Gᵀ Q_F
                for j in 0..r {
                    self.forces.column(j, &mut self.x);
                    for i in 0..r {
                        self.rows.column(i, &mut self.y);
                        self.reduced[i * r + j] = dot(&self.x, &self.y);
                    }
                }
                lu(&mut self.reduced, r, &mut self.pivot, RANK)
            }
            Formulation::Partitioned => {
                if !self.partition.known {
                    self.choose(weight, n, m);
                }
                let r = self.partition.rank;
                self.decompose(n, m, false);
                if !(self.bases(false, n, r) && (!self.slides || self.bases(true, n, r))) {
                    return false;
                }
                self.reduce(n, n - r)
            }
            _ => {
                self.decompose(n, m, false);
                let r = self.rows.rank();
                if self.slides && self.forces.rank() != r {
                    return false;
                }
                for k in 0..n - r {
                    self.rows.column(r + k, &mut self.R[k * n..(k + 1) * n]);
                    if self.slides {
                        self.forces.column(r + k, &mut self.N[k * n..(k + 1) * n]);
                    }
                }
                self.reduce(n, n - r)
            }
        }
    }

    /// The decompositions of G and F, rows scaled; of G L⁻ᵀ and F L⁻ᵀ on demand.
    fn decompose(&mut self, n: usize, m: usize, weighed: bool) {
        // F is G unless something slides
        let both = if self.slides { 2 } else { 1 };
        for (from, to) in [(&self.G, &mut self.rows), (&self.F, &mut self.forces)].into_iter().take(both) {
            for i in 0..m {
                let row = &mut to.At[i * n..(i + 1) * n];
                for (to, from) in row.iter_mut().zip(&from[i * n..(i + 1) * n]) {
                    *to = from * self.scale[i];
                }
                if weighed {
                    forward(&self.L, n, row);
                }
            }
            to.factor(n, m);
        }
    }

    /// Nᵀ M R, factored.
    fn reduce(&mut self, n: usize, k: usize) -> bool {
        for j in 0..k {
            multiply(&self.M, n, &self.R[j * n..(j + 1) * n], &mut self.y);
            let N = if self.slides { &self.N } else { &self.R };
            for i in 0..k {
                self.reduced[i * k + j] = dot(&N[i * n..(i + 1) * n], &self.y);
            }
        }
        lu(&mut self.reduced, k, &mut self.pivot, 0.0)
    }

    /// Chooses independent coordinates at the G filled last.
    fn choose(&mut self, weight: &[f64], n: usize, m: usize) {
        let (G, scale) = (&self.G, &self.scale);
        self.partition.choose(|i, j| G[i * n + j] * scale[i] / weight[j], n, m);
        self.partition.growth = if self.block(false, n) { self.growth(weight, n) } else { f64::INFINITY };
    }

    /// Factors G_w, or F_w. False if singular.
    fn block(&mut self, forces: bool, n: usize) -> bool {
        let (r, A) = (self.partition.rank, if forces { &self.F } else { &self.G });
        for (i, row) in self.partition.rows[..r].iter().enumerate() {
            for (j, column) in self.partition.columns[..r].iter().enumerate() {
                self.block[i * r + j] = A[row * n + column];
            }
        }
        lu(&mut self.block, r, &mut self.block_pivot, 0.0)
    }

    /// Column k of G_w⁻¹ G_u (or of F) into `c`.
    fn dependence(&mut self, forces: bool, n: usize, k: usize) {
        let (r, A) = (self.partition.rank, if forces { &self.F } else { &self.G });
        let column = self.partition.columns[r + k];
        for (c, row) in self.c.iter_mut().zip(&self.partition.rows[..r]) {
            *c = A[row * n + column];
        }
        lu_solve(&self.block, r, &self.block_pivot, &mut self.c);
    }

    /// max |G_w⁻¹ G_u| in units of what counts as one; G_w is factored.
    fn growth(&mut self, weight: &[f64], n: usize) -> f64 {
        let r = self.partition.rank;
        let mut most: f64 = 0.0;
        for k in 0..n - r {
            self.dependence(false, n, k);
            let own = weight[self.partition.columns[r + k]];
            for i in 0..r {
                let growth = self.c[i].abs() * weight[self.partition.columns[i]] / own;
                most = if growth.is_nan() { f64::INFINITY } else { most.max(growth) };
            }
        }
        most
    }

    /// R = (I, −G_w⁻¹ G_u) or N of F.
    fn bases(&mut self, forces: bool, n: usize, r: usize) -> bool {
        if !self.block(forces, n) {
            return false;
        }
        for k in 0..n - r {
            self.dependence(forces, n, k);
            let basis = if forces { &mut self.N } else { &mut self.R };
            let basis = &mut basis[k * n..(k + 1) * n];
            basis.fill(0.0);
            basis[self.partition.columns[r + k]] = 1.0;
            for i in 0..r {
                basis[self.partition.columns[i]] = -self.c[i];
            }
        }
        if forces {
            // G_w is what x₀ needs
            return self.block(false, n);
        }
        true
    }

    /// x and λ with M x = r + Fᵀ λ, G x = c.
    pub fn solve(
        &mut self,
        formulation: Formulation,
        r: &[f64],
        c: &[f64],
        x: &mut [f64],
        lambda: &mut [f64],
    ) {
        let (n, m) = (r.len(), c.len());
        if formulation == Formulation::PseudoInverse {
            // M⁻¹ r, then y = Lᵀ (x − M⁻¹ r)
            x.copy_from_slice(r);
            forward(&self.L, n, x);
            backward(&self.L, n, x);
            for i in 0..m {
                self.c[i] = self.scale[i] * (c[i] - dot(&self.G[i * n..(i + 1) * n], x));
            }
            self.rows.coordinates(&self.c[..m], &mut self.e);
            let rank = self.rows.rank();
            if self.slides {
                lu_solve(&self.reduced, rank, &self.pivot, &mut self.e);
            }
            let forces = if self.slides { &mut self.forces } else { &mut self.rows };
            forces.along(&self.e, &mut self.y);
            forces.forces(&self.y, lambda);
            backward(&self.L, n, &mut self.y);
            for (x, y) in x.iter_mut().zip(&self.y) {
                *x += y;
            }
        } else {
            // x₀, the reduced equations, x
            let rank = if formulation == Formulation::Partitioned {
                let rank = self.partition.rank;
                for (e, row) in self.e.iter_mut().zip(&self.partition.rows[..rank]) {
                    *e = c[*row];
                }
                lu_solve(&self.block, rank, &self.block_pivot, &mut self.e);
                x.fill(0.0);
                for (e, column) in self.e.iter().zip(&self.partition.columns[..rank]) {
                    x[*column] = *e;
                }
                rank
            } else {
                for i in 0..m {
                    self.c[i] = self.scale[i] * c[i];
                }
                self.rows.coordinates(&self.c[..m], &mut self.e);
                self.rows.along(&self.e, x);
                self.rows.rank()
            };
            let k = n - rank;
            multiply(&self.M, n, x, &mut self.y);
            for i in 0..n {
                self.y[i] = r[i] - self.y[i];
            }
            let N = if self.slides { &self.N } else { &self.R };
            for j in 0..k {
                self.e[j] = dot(&N[j * n..(j + 1) * n], &self.y);
            }
            lu_solve(&self.reduced, k, &self.pivot, &mut self.e);
            for j in 0..k {
                for (x, R) in x.iter_mut().zip(&self.R[j * n..(j + 1) * n]) {
                    *x += self.e[j] * R;
                }
            }
            multiply(&self.M, n, x, &mut self.y);
            for i in 0..n {
                self.y[i] -= r[i];
            }
            let forces = if self.slides { &mut self.forces } else { &mut self.rows };
            forces.forces(&self.y, lambda);
        }
        for (lambda, scale) in lambda.iter_mut().zip(&self.scale[..m]) {
            *lambda *= scale;
        }
    }
}

impl Motion {
    /// Takes another form of the equations of index 1. Those of index 2 and 3 are matters of the method, and mean index 1
    /// here.
    pub fn set_formulation(&mut self, formulation: Formulation) {
        if matches!(
            formulation,
            Formulation::NullSpace | Formulation::PseudoInverse | Formulation::Partitioned
        ) {
            self.forms.reserve(self.nv, self.most_rows());
        }
        if formulation != self.formulation {
            self.forms.forget();
        }
        self.formulation = formulation;
    }

    /// The form that accelerations are found in.
    pub fn formulation(&self) -> Formulation {
        self.formulation
    }

    /// How often independent coordinates were chosen anew because the old ones became bad.
    pub fn repartitions(&self) -> usize {
        self.forms.partition.changes
    }

    /// The velocities whose coordinates are independent, in no particular order; none unless the form has them.
    pub fn independent(&self) -> &[usize] {
        let partition = &self.forms.partition;
        if partition.known { &partition.columns[partition.rank..] } else { &[] }
    }

    /// Whether accelerations are found without multipliers.
    pub(crate) fn is_dense(&self) -> bool {
        let dense = matches!(
            self.formulation,
            Formulation::NullSpace | Formulation::PseudoInverse | Formulation::Partitioned
        );
        dense && self.rows() > 0
    }

    /// M, G and F of the form chosen, filled and factored; forces act where rows are asked.
    pub(super) fn factor_form(&mut self) -> bool {
        let n = self.nv;
        self.factorisations += 1;
        self.fill_rows();
        self.forms.M.fill(0.0);
        for (&(i, j), &m) in self.saddle.mass_at.iter().zip(&self.saddle.M) {
            let (i, j) = (i as usize, j as usize);
            self.forms.M[i * n + j] += m;
            if i != j {
                self.forms.M[j * n + i] += m;
            }
        }
        let m = self.rows();
        self.forms.factor(self.formulation, &self.weight, n, m)
    }

    /// G and F by rows, from the rows evaluated last.
    fn fill_rows(&mut self) {
        let (n, nc, m) = (self.nv, self.nc, self.rows());
        let (forms, Rows { G, W, .. }) = (&mut self.forms, &self.to);
        forms.G[..m * n].fill(0.0);
        for (&(row, column), &g) in self.saddle.jacobian_at.iter().zip(G) {
            forms.G[row as usize * n + column as usize] += g;
        }
        for row in 0..nc {
            forms.scale[row] = self.saddle.weight[row].sqrt();
        }
        for (k, held) in self.held.iter().enumerate() {
            add_row(W, held.w, 1.0, &mut forms.G[(nc + k) * n..(nc + k + 1) * n]);
            forms.scale[nc + k] = 1.0;
        }
        forms.F[..m * n].copy_from_slice(&forms.G[..m * n]);
        forms.slides = false;
        for (k, held) in self.held.iter().enumerate() {
            for (row, slope) in held.friction() {
                add_row(W, row, slope, &mut forms.F[(nc + k) * n..(nc + k + 1) * n]);
                forms.slides = true;
            }
        }
    }

    /// Begins a step in the form with independent coordinates: looks whether those chosen are still good, and chooses anew
    /// if not. Nothing to do in the other forms.
    pub fn part(&mut self, system: &dyn System, at: &Configuration) -> Result<(), StepError> {
        if self.formulation != Formulation::Partitioned || self.rows() == 0 {
            return Ok(());
        }
        let (n, m) = (self.nv, self.rows());
        self.evaluate_rows(system, at);
        self.fill_rows();
        let chosen = self.forms.partition.known;
        let growth = match chosen {
            true if self.forms.block(false, n) => self.forms.growth(&self.weight, n),
            _ => f64::INFINITY,
        };
        if growth > GROWTH.max(2.0 * self.forms.partition.growth) || !chosen {
            self.forms.choose(&self.weight, n, m);
            self.forms.partition.changes += usize::from(chosen);
        }
        match self.forms.partition.growth.is_finite() {
            true => Ok(()),
            false => Err(StepError::Singular { t: at.t() }),
        }
    }

    /// Dependent q from Φ = 0 and dependent v from G v + Φ_t = 0, at q ⊕ delta, where `at` is. Nothing to do in the forms
    /// without independent coordinates. Rows of sticking have no position; they hold the increments instead.
    pub fn settle(
        &mut self,
        system: &dyn System,
        q: &[f64],
        delta: &mut [f64],
        at: &mut Configuration,
    ) -> Result<(), StepError> {
        if self.formulation != Formulation::Partitioned || self.rows() == 0 {
            return Ok(());
        }
        let t = at.t();
        let mut phi = std::mem::take(&mut self.right);
        let mut outcome = Err(StepError::Positions { t, iterations: MOST_ITERATIONS, error: f64::INFINITY });
        for iteration in 0..=MOST_ITERATIONS {
            self.evaluate_rows(system, at);
            self.fill_rows();
            if !self.forms.block(false, self.nv) {
                outcome = Err(StepError::Singular { t });
                break;
            }
            if outcome.is_ok() {
                break;
            }
            self.positions(system, at, &mut phi);
            let change = self.forms.correct(&phi, &self.weight, |column, step| delta[column] -= step);
            at.retract_to(system, t, q, delta);
            if change <= STANDS {
                // once more for G where it is now
                outcome = Ok(());
            } else if !change.is_finite() || iteration == MOST_ITERATIONS {
                outcome = Err(StepError::Positions { t, iterations: iteration + 1, error: change });
                break;
            }
        }
        if outcome.is_ok() {
            self.velocities(&at.v, &mut phi);
            self.forms.correct(&phi, &self.weight, |column, step| at.v[column] -= step);
        }
        self.right = phi;
        outcome
    }
}

impl Forms {
    /// Hands G_w⁻¹ (residual) of every dependent column to `take`; the largest, weighed. G_w is factored.
    fn correct(&mut self, residual: &[f64], weight: &[f64], mut take: impl FnMut(usize, f64)) -> f64 {
        let r = self.partition.rank;
        for (e, row) in self.e.iter_mut().zip(&self.partition.rows[..r]) {
            *e = residual[*row];
        }
        lu_solve(&self.block, r, &self.block_pivot, &mut self.e);
        let mut most: f64 = 0.0;
        for (e, &column) in self.e[..r].iter().zip(&self.partition.columns) {
            take(column, *e);
            let size = (e * weight[column]).abs();
            most = if size.is_nan() { f64::INFINITY } else { most.max(size) };
        }
        most
    }
}

/// out = M x, M by rows.
fn multiply(M: &[f64], n: usize, x: &[f64], out: &mut [f64]) {
    for i in 0..n {
        out[i] = dot(&M[i * n..(i + 1) * n], x);
    }
}
