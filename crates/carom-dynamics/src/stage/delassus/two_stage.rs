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

use super::{DelassusMatrix, Form, SMALL};
use crate::stage::ContactStage;
use crate::{Configuration, Directions, Operator, State, StepError, System};

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
    pub fn make_room_for_two_stages(&mut self) {
        let (contacts, rows) = (self.set.contacts.len(), 2 * self.set.contacts.rows());
        let (n, nv) = (self.operator.ldl().n(), self.operator.nv());
        if n * rows <= SMALL {
            self.pose.reserve_double(contacts, rows, nv);
            self.delassus.dense.reserve(n * rows);
            self.delassus.U_free.reserve(rows);
            self.delassus.two_stage.Z.reserve(nv * rows);
        }
    }

    /// Makes the active contacts ready to press with forces at two stages, from a configuration with its velocities on.
    pub fn prepare_two_stages(&mut self, system: &dyn System, at: &Configuration, state: &State) {
        self.prepare(system, at, false, &state.lambda, 1.0);
        self.pose.double();
    }

    /// W at both stages.
    pub fn evaluate_directions_of_both(&mut self, system: &dyn System, at: &[Configuration; 2]) {
        if self.is_active() {
            self.pose.evaluate_both(system, at, &self.set);
        }
    }

    /// Bounds of the joints that rub, by the forces of the joints at both stages.
    pub fn update_bounds_of_both(&mut self, lambda_b: &[Vec<f64>; 2]) {
        if self.is_active() {
            self.pose.bound_both(&self.set, lambda_b);
        }
    }

    /// Finds y, μ and λ. On entry `y` = r and `mu` = c; the contact law holds for the velocities v + y.
    pub fn solve_two_stages(
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
        let Self { operator, pose, set, delassus, solver, .. } = self;
        delassus.substitute_both(operator, coupling, y, mu);
        if set.is_empty() {
            return Ok(());
        }
        // y holds what it is without contacts
        let W = pose.W();
        let rows = W.rows();
        let half = rows / 2;
        delassus.U_free.clear();
        for row in 0..rows {
            let s = usize::from(row < half);
            let (columns, values) = W.row(row);
            let more: f64 = columns.iter().zip(values).map(|(&c, w)| w * y[s][c as usize]).sum();
            delassus.U_free.push(W.velocity(row, &v[s]) + more);
        }
        delassus.form_both(operator, W, coupling);
        delassus.solve_problem((t, &v[1]), (set, pose), solver)?;
        // what the contacts add
        let mut more = std::mem::take(&mut delassus.two_stage);
        for s in 0..2 {
            more.y[s].clear();
            more.y[s].resize(y[s].len(), 0.0);
            more.mu[s].clear();
            more.mu[s].resize(mu[s].len(), 0.0);
        }
        for (row, &lambda) in pose.P.iter().enumerate() {
            let r = usize::from(row < half);
            let (columns, values) = pose.W().row(row);
            for (&column, &w) in columns.iter().zip(values) {
                more.y[0][column as usize] += A[0][r] * w * lambda;
                more.y[1][column as usize] += A[1][r] * w * lambda;
            }
        }
        delassus.substitute_both(operator, coupling, &mut more.y, &mut more.mu);
        for s in 0..2 {
            add(&more.y[s], &mut y[s]);
            add(&more.mu[s], &mut mu[s]);
        }
        delassus.two_stage = more;
        Ok(())
    }

    /// out += scale · (λ_0 + λ_1), out holding the rows of all contacts.
    pub fn scatter_both(&self, scale: f64, out: &mut [f64]) {
        let half = self.pose.P.len() / 2;
        for (row, place) in self.set.rows() {
            out[place] += scale * (self.pose.P[row] + self.pose.P[half + row]);
        }
    }
}

impl DelassusMatrix {
    /// Ŵ of both stages.
    fn form_both(&mut self, operator: &Operator, W: &Directions, coupling: &Coupling) {
        let A = &coupling.A;
        let rows = W.rows();
        let half = rows / 2;
        let ldl = operator.ldl();
        self.form = Form::Dense;
        self.y.fill(0.0);
        self.dense.build_symmetric(ldl, W, &self.y, &mut self.U_free);
        for row in 0..rows {
            let A_s = A[usize::from(row < half)];
            for (column, w) in self.dense.W_hat.row_mut(row).iter_mut().enumerate() {
                *w *= A_s[usize::from(column < half)];
            }
        }
        if !coupling.is_coupled() {
            return;
        }
        // Z = S W = L⁻ᵀ D⁻¹ X, then − 𝔸_0r Z_1ᵀ N Z_r
        let nv = operator.nv();
        self.two_stage.Z.clear();
        for row in 0..rows {
            for place in 0..ldl.n() {
                self.y[place] = self.dense.entry_of_X(place, row);
            }
            ldl.divide(&mut self.y);
            ldl.backward(&mut self.y);
            self.two_stage.Z.extend((0..nv).map(|i| self.y[ldl.place(i)]));
        }
        for column in 0..rows {
            let NZ = &mut self.y[..nv];
            NZ.fill(0.0);
            let z = &self.two_stage.Z[column * nv..(column + 1) * nv];
            operator.add_tangents(coupling.n_v, coupling.n_q, z, NZ);
            for row in 0..half {
                let z = &self.two_stage.Z[row * nv..(row + 1) * nv];
                let product: f64 = z.iter().zip(NZ.iter()).map(|(z, n)| z * n).sum();
                self.dense.W_hat[(row, column)] -= A[0][usize::from(column < half)] * product;
            }
        }
    }

    /// Both stages without contacts, one after the other.
    fn substitute_both(
        &mut self,
        operator: &mut Operator,
        coupling: &Coupling,
        y: &mut [Vec<f64>; 2],
        mu: &mut [Vec<f64>; 2],
    ) {
        let ([y_0, y_1], [mu_0, mu_1]) = (y, mu);
        self.forward(operator, y_0, mu_0).backward(y_0, mu_0);
        if coupling.is_coupled() {
            operator.add_tangents(-coupling.n_v, -coupling.n_q, y_0, y_1);
        }
        self.forward(operator, y_1, mu_1).backward(y_1, mu_1);
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
