//! Ŵ of the active contacts, U_free, and the way from right-hand sides to answers.
//!
//! With K = L D Lᵀ and X = L⁻¹ W, y = L⁻¹ (r, c) only forward substitutions are needed before the contact problem:
//!
//! ```text
//!   Ŵ = Xᵀ D⁻¹ X,       U_free = Wᵀ v + bias + Xᵀ D⁻¹ y + e ∘ U⁻,       (δv, −δP_b) = L⁻ᵀ D⁻¹ (y + X P)
//! ```
//!
//! The types keep the order: [`DelassusMatrix::forward`] gives a [`Forward`], forming Ŵ makes a [`Formed`] of it, solving a
//! [`Forward`] again, with the impulses in y, and only that goes [back](Forward::backward).
//!
//! Half-explicit methods press along the directions F where a stage begins and ask for the law where it ends: then
//! X = L⁻¹ F, Z = L⁻¹ W and Ŵ = Zᵀ D⁻¹ X, which is not symmetric.

pub(super) mod blocks;
mod compliant;
mod constant;
mod dense;
pub(crate) mod free;
mod positions;
mod two_stage;

pub(super) use positions::PositionProblem;
pub use two_stage::Coupling;

use super::pose::Pose;
use super::set::ActiveSet;
use super::solve::Solver;
use crate::{Operator, StepError};
use blocks::Blocks;
use carom_solve::{ContactProblem, Delassus};
use dense::Dense;

/// Numbers in L⁻¹ W of all contacts up to which a system is small.
const SMALL: usize = 1 << 14;

/// How the problem formed last is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    /// Ŵ full, X by lines.
    #[default]
    Dense,
    /// Both by contacts.
    Blocks,
}

/// Ŵ, X, U_free and y, with memory for every form of them.
#[derive(Debug)]
pub(super) struct DelassusMatrix {
    form: Form,
    dense: Dense,
    blocks: Blocks,
    /// Contacts from which on blocks are looked for.
    blocks_from: usize,
    /// L⁻¹ (r, c), then with X P.
    y: Vec<f64>,
    U_free: Vec<f64>,
    constant: constant::Constant,
    compliant: compliant::Compliant,
    two_stage: two_stage::Work,
}

/// y = L⁻¹ (r, c), and what has been added to it.
pub(super) struct Forward<'a> {
    d: &'a mut DelassusMatrix,
    operator: &'a mut Operator,
}

/// Ŵ and U_free are there.
pub(super) struct Formed<'a> {
    forward: Forward<'a>,
    rows: usize,
}

impl DelassusMatrix {
    /// How many rows get their room at once, of all that contacts have: small systems all of them, large ones none, they grow
    /// with their active set.
    pub fn room(operator: &Operator, rows: usize) -> usize {
        if operator.ldl().n() * rows <= SMALL { rows } else { 0 }
    }

    /// With room for so many rows.
    pub fn with_room(operator: &Operator, rows: usize) -> Self {
        let n = operator.ldl().n();
        Self {
            form: Form::Dense,
            dense: Dense::with_room(n, rows),
            blocks: Blocks::default(),
            blocks_from: blocks::MANY,
            y: vec![0.0; n],
            U_free: Vec::with_capacity(rows),
            constant: constant::Constant::default(),
            compliant: compliant::Compliant::default(),
            two_stage: two_stage::Work::default(),
        }
    }

    /// A step begins: nothing is formed.
    pub fn begin(&mut self) {
        crate::poison(&mut self.y);
        crate::poison(&mut self.U_free);
    }

    /// Looks for blocks from so many contacts on.
    pub fn look_for_blocks_from(&mut self, contacts: usize) {
        self.blocks_from = contacts;
    }

    /// y = L⁻¹ (r, c).
    #[inline]
    pub fn forward<'a>(&'a mut self, operator: &'a mut Operator, r: &[f64], c: &[f64]) -> Forward<'a> {
        let ldl = operator.ldl();
        if ldl.is_in_order() {
            self.y.copy_from_slice(r);
        } else {
            for (i, r) in r.iter().chain(c).enumerate() {
                self.y[ldl.place(i)] = *r;
            }
        }
        ldl.forward(&mut self.y);
        Forward { d: self, operator }
    }

    /// Ŵ.
    fn matrix(&self) -> &dyn Delassus {
        match self.form {
            Form::Dense => &self.dense.W_hat,
            Form::Blocks => &self.blocks.W_hat,
        }
    }

    /// P from Ŵ, U_free and the laws; `v` names the culprit where numbers are not finite.
    fn solve_problem(
        &mut self,
        (t, v): (f64, &[f64]),
        (set, pose): (&ActiveSet, &mut Pose),
        solver: &mut Solver,
    ) -> Result<(), StepError> {
        if pose.carries() {
            let mut U_free = std::mem::take(&mut self.U_free);
            match self.form {
                Form::Dense => pose.count_in_carried(&mut U_free, |i, j| self.dense.W_hat[(i, j)]),
                Form::Blocks => pose.count_in_carried(&mut U_free, |i, j| self.blocks.W_hat.entry(i, j)),
            }
            self.U_free = U_free;
        }
        let mut P = std::mem::take(&mut pose.P);
        let problem = ContactProblem { W_hat: self.matrix(), U_free: &self.U_free, laws: pose.laws() };
        let report = solver.solve(t, problem, &mut P);
        pose.P = P;
        if !report.residual.is_finite() {
            let size = |i: &usize| if v[*i].is_finite() { v[*i].abs() } else { f64::INFINITY };
            let velocity = (0..v.len()).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(0);
            return Err(StepError::NotFinite { t, velocity });
        }
        // the contact that moves the most is the one to look at
        let worst = || {
            let size = |row: usize| self.U_free[row].abs();
            let worst = |a: (usize, f64), (row, contact)| {
                if size(row) >= a.1 { (contact, size(row)) } else { a }
            };
            set.contacts.law(set.each().fold((0, 0.0), worst).0)
        };
        super::solve::converged(t, &report, worst)?;
        pose.count_out_carried();
        Ok(())
    }
}

impl<'a> Forward<'a> {
    /// Ŵ and U_free of the problem posed, for velocities v; nothing to form where no contact is active.
    #[inline]
    pub fn form(self, pose: &Pose, set: &ActiveSet, v: &[f64]) -> Formed<'a> {
        let (d, rows) = (&mut *self.d, pose.rows(set));
        if rows > 0 {
            d.U_free.clear();
            d.U_free.extend((0..rows).map(|row| pose.asked(row, v)));
            let (ldl, F) = (self.operator.ldl(), pose.own_directions());
            let many = pose.laws().len() >= d.blocks_from;
            let units = self.operator.units();
            let free = many && F.is_none() && d.blocks.build_free(ldl, units, pose.laws(), pose.W());
            if free || many && d.blocks.build(ldl, pose.laws(), pose.W(), F) {
                d.form = Form::Blocks;
                d.blocks.add_free_velocity(ldl, &d.y, F.is_some(), &mut d.U_free);
            } else {
                d.form = Form::Dense;
                d.dense.build(ldl, pose.W(), F, &d.y, &mut d.U_free);
            }
        }
        Formed { forward: self, rows }
    }

    /// (r, −c) = L⁻ᵀ D⁻¹ y.
    #[inline]
    pub fn backward(self, r: &mut [f64], c: &mut [f64]) {
        let (y, ldl, nv) = (&mut self.d.y, self.operator.ldl(), self.operator.nv());
        ldl.divide_backward(y);
        if ldl.is_in_order() {
            return r.copy_from_slice(y);
        }
        for (i, r) in r.iter_mut().enumerate() {
            *r = y[ldl.place(i)];
        }
        for (i, c) in c.iter_mut().enumerate() {
            *c = -y[ldl.place(nv + i)];
        }
    }
}

impl<'a> Formed<'a> {
    /// Finds P, and y += X P.
    #[inline]
    pub fn solve(
        self,
        at: (f64, &[f64]),
        (set, pose): (&ActiveSet, &mut Pose),
        solver: &mut Solver,
    ) -> Result<Forward<'a>, StepError> {
        let Self { forward, rows } = self;
        if rows > 0 {
            let d = &mut *forward.d;
            d.solve_problem(at, (set, pose), solver)?;
            match d.form {
                Form::Dense => d.dense.add_impulses(1.0, &pose.P, &mut d.y),
                Form::Blocks => d.blocks.add_impulses(&pose.P, &mut d.y),
            }
        }
        Ok(forward)
    }
}
