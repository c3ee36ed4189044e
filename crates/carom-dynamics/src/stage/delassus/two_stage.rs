//! Two stages of a step in one contact problem.
//!
//! Stages 0 and 1 of a method v = v_c + 𝔸 a, δ = δ_c + 𝔸 v, each with its own reactions. With r the residuals of
//! M a = h + Gᵀ λ_b + W λ but for W λ, one iteration finds y = δv, μ = 𝔸 δλ_b and all of λ from
//!
//! ```text
//!   [ Â    ] [ y_0 ]   [ Gᵀ μ_0 ]     [ f_0 ]
//!   [ N  Â ] [ y_1 ] − [ Gᵀ μ_1 ]  =  [ f_1 ],      f = 𝔸 (r + W λ),      G y = c,      law(Wᵀ (v + y) + bias, λ)
//! ```
//!
//! With S the inverse of Â on the joints, y_0 = S f_0 and y_1 = S (f_1 − N y_0), so that
//!
//! ```text
//!   Ŵ_sr = 𝔸_sr W_sᵀ S W_r − [s = 1] 𝔸_0r W_1ᵀ S N S W_r
//! ```
//!
//! which is not symmetric. One matrix is factored, whatever the number of stages. Rows of stage 1, where the step ends,
//! come first ([RezaeiSchindler] (89)), so that what a step tells of its contacts stands where it always does.

use super::{ContactStage, SMALL, bound_by, substitute, symmetric_delassus};
use crate::{Configuration, Directions, State, StepError, System};

/// How two stages hang together.
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// 𝔸, times in s.
    pub A: [[f64; 2]; 2],
    /// N = n_v C + n_q K; both zero where the tangents are not in the matrix.
    pub n_v: f64,
    /// Factor of K in N.
    pub n_q: f64,
}

/// Work arrays.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Part of y that comes from the contacts.
    y: [Vec<f64>; 2],
    /// Part of μ that comes from them.
    mu: [Vec<f64>; 2],
    /// S W, one column of the size of v per row of the problem.
    Z: Vec<f64>,
}

impl ContactStage {
    /// Small systems get the room of two stages at once, as they do for one.
    pub fn make_room_for_pairs(&mut self) {
        let rows: usize = 2 * self.kinds.iter().map(|kind| kind.dim()).sum::<usize>();
        let (n, nv) = (self.operator.ldl().n(), self.operator.nv());
        if n * rows <= SMALL {
            self.W = Directions::with_room(rows, rows * nv);
            self.laws.reserve(2 * self.kinds.len());
            self.X.reserve(n * rows);
            self.U_free.reserve(rows);
            self.P.reserve(rows);
            self.pair.Z.reserve(nv * rows);
        }
    }

    /// Makes the active contacts ready to press with forces at two stages, from a configuration with its velocities on.
    pub fn prepare_pair(&mut self, system: &dyn System, at: &Configuration, state: &State) {
        self.prepare(system, at, false, &state.lambda, 1.0);
        self.laws.extend_from_within(..);
        self.P.extend_from_within(..);
    }

    /// W at both stages.
    pub fn evaluate_directions_pair(&mut self, system: &dyn System, at: &[Configuration; 2]) {
        if self.is_active() {
            self.W.clear();
            for at in at.iter().rev() {
                system.directions(at, &self.active, &mut self.W);
            }
        }
    }

    /// Bounds of the joints that rub, by the forces of the joints at both stages.
    pub fn update_bounds_pair(&mut self, lambda_b: &[Vec<f64>; 2]) {
        if self.is_active() {
            let (last, first) = self.laws.split_at_mut(self.active.len());
            bound_by(last, &self.active, &self.kinds, 1.0, &lambda_b[1]);
            bound_by(first, &self.active, &self.kinds, 1.0, &lambda_b[0]);
        }
    }

    /// Finds y, μ and λ. On entry `y` = r and `mu` = c; the contact law holds for the velocities v + y.
    pub fn solve_pair(
        &mut self,
        t: f64,
        coupling: &Coupling,
        v: &[Vec<f64>; 2],
        y: &mut [Vec<f64>; 2],
        mu: &mut [Vec<f64>; 2],
    ) -> Result<(), StepError> {
        let A = &coupling.A;
        let [y_0, y_1] = y;
        for (y_0, y_1) in y_0.iter_mut().zip(y_1.iter_mut()) {
            (*y_0, *y_1) = (A[0][0] * *y_0 + A[0][1] * *y_1, A[1][0] * *y_0 + A[1][1] * *y_1);
        }
        self.substitute_pair(coupling, y, mu);
        if !self.is_active() {
            return Ok(());
        }
        // y holds what it is without contacts
        let rows = self.W.rows();
        let half = rows / 2;
        self.U_free.clear();
        for row in 0..rows {
            let s = usize::from(row < half);
            let (columns, values) = self.W.row(row);
            let more: f64 = columns.iter().zip(values).map(|(&c, w)| w * y[s][c as usize]).sum();
            self.U_free.push(self.W.velocity(row, &v[s]) + more);
        }
        self.build_pair(coupling);
        self.solve_problem(t, &v[1])?;
        // what the contacts add
        let mut more = std::mem::take(&mut self.pair);
        for s in 0..2 {
            more.y[s].clear();
            more.y[s].resize(y[s].len(), 0.0);
            more.mu[s].clear();
            more.mu[s].resize(mu[s].len(), 0.0);
        }
        for (row, &lambda) in self.P.iter().enumerate() {
            let r = usize::from(row < half);
            let (columns, values) = self.W.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                more.y[0][column as usize] += A[0][r] * w * lambda;
                more.y[1][column as usize] += A[1][r] * w * lambda;
            }
        }
        self.substitute_pair(coupling, &mut more.y, &mut more.mu);
        for s in 0..2 {
            add(&more.y[s], &mut y[s]);
            add(&more.mu[s], &mut mu[s]);
        }
        self.pair = more;
        Ok(())
    }

    /// out += scale · (λ_0 + λ_1), out holding the rows of all contacts.
    pub fn scatter_pair(&self, scale: f64, out: &mut [f64]) {
        let half = self.P.len() / 2;
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                out[self.offset[contact] + i] += scale * (self.P[row] + self.P[half + row]);
                row += 1;
            }
        }
    }

    /// Ŵ of both stages.
    fn build_pair(&mut self, coupling: &Coupling) {
        let A = &coupling.A;
        let rows = self.W.rows();
        let half = rows / 2;
        let ldl = self.operator.ldl();
        substitute(ldl, &self.W, rows, &mut self.X, &mut self.touched);
        self.by_blocks = false;
        self.W_hat.resize(rows);
        self.y.fill(0.0);
        symmetric_delassus(ldl, (&self.X, &self.touched), &self.y, &mut self.W_hat, &mut self.U_free);
        for row in 0..rows {
            let A_s = A[usize::from(row < half)];
            for (column, w) in self.W_hat.row_mut(row).iter_mut().enumerate() {
                *w *= A_s[usize::from(column < half)];
            }
        }
        if !coupling.is_coupled() {
            return;
        }
        // Z = S W = L⁻ᵀ D⁻¹ X, then − 𝔸_0r Z_1ᵀ N Z_r
        let nv = self.operator.nv();
        self.pair.Z.clear();
        for row in 0..rows {
            for place in 0..ldl.n() {
                self.y[place] = self.X[place * rows + row];
            }
            ldl.divide(&mut self.y);
            ldl.backward(&mut self.y);
            self.pair.Z.extend((0..nv).map(|i| self.y[ldl.place(i)]));
        }
        for column in 0..rows {
            let NZ = &mut self.y[..nv];
            NZ.fill(0.0);
            let z = &self.pair.Z[column * nv..(column + 1) * nv];
            self.operator.add_tangents(coupling.n_v, coupling.n_q, z, NZ);
            for row in 0..half {
                let z = &self.pair.Z[row * nv..(row + 1) * nv];
                let product: f64 = z.iter().zip(NZ.iter()).map(|(z, n)| z * n).sum();
                self.W_hat[(row, column)] -= A[0][usize::from(column < half)] * product;
            }
        }
    }

    /// Both stages without contacts, one after the other.
    fn substitute_pair(&mut self, coupling: &Coupling, y: &mut [Vec<f64>; 2], mu: &mut [Vec<f64>; 2]) {
        let ([y_0, y_1], [mu_0, mu_1]) = (y, mu);
        self.substitute_forward(y_0, mu_0);
        self.substitute_backward(y_0, mu_0);
        if coupling.is_coupled() {
            self.operator.add_tangents(-coupling.n_v, -coupling.n_q, y_0, y_1);
        }
        self.substitute_forward(y_1, mu_1);
        self.substitute_backward(y_1, mu_1);
    }
}

impl Coupling {
    fn is_coupled(&self) -> bool {
        self.n_v != 0.0 || self.n_q != 0.0
    }
}

/// sum += x.
fn add(x: &[f64], sum: &mut [f64]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += x;
    }
}
