//! Columns of the active contacts, kept from step to step where the matrices never change.
//!
//! For the step of the implicit schemes, v = v_c + c_v x + w and δ = δ_c + c_a x + c_w w, with constant M, C and K and
//! without joints, the first row of Newton's iteration can be eliminated exactly:
//!
//! ```text
//!   Â δv = −c_v (M x − h) + F P,       F = W + κ K M⁻¹ W,       κ = c_a − c_v c_w,       w = M⁻¹ W P
//!   Ŵ = Wᵀ Â⁻¹ F = Zᵀ D⁻¹ X,           X = L⁻¹ F,  Z = L⁻¹ W
//! ```
//!
//! from w = 0. X, D⁻¹ Z, M⁻¹ W and Ŵ depend on the factor and on W alone.

use super::Form;
use crate::stage::ContactStage;
use crate::{Directions, Operator, StepError};
use carom_solve::SquareMatrix;
use std::ops::Range;

/// Ends of a column below this, relative to its largest number, are left off: the square of a rounding.
const NOTHING: f64 = f64::EPSILON * f64::EPSILON;

/// Columns one after the other, each with the range outside of which it is zero.
#[derive(Debug, Default)]
struct Columns {
    n: usize,
    value: Vec<f64>,
    range: Vec<Range<usize>>,
}

impl Columns {
    fn clear(&mut self, n: usize) {
        self.n = n;
        self.value.clear();
        self.range.clear();
    }

    /// Room for one more, filled with zeros.
    fn open(&mut self) -> &mut [f64] {
        let from = self.value.len();
        self.value.resize(from + self.n, 0.0);
        &mut self.value[from..]
    }

    /// Finds where the column opened last is not zero.
    fn close(&mut self) {
        let column = &self.value[self.range.len() * self.n..];
        let largest = column.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let counts = |x: &f64| x.abs() > NOTHING * largest;
        let from = column.iter().position(counts).unwrap_or(0);
        let to = column.iter().rposition(counts).map_or(0, |last| last + 1);
        self.range.push(from..to);
    }

    /// The part of column k that is not zero, and where it stands.
    fn column(&self, k: usize) -> (&[f64], Range<usize>) {
        let range = self.range[k].clone();
        let from = k * self.n;
        (&self.value[from + range.start..from + range.end], range)
    }

    /// out += scale · column k.
    fn add(&self, k: usize, scale: f64, out: &mut [f64]) {
        let (column, range) = self.column(k);
        for (out, x) in out[range].iter_mut().zip(column) {
            *out += scale * x;
        }
    }

    /// Column k times x.
    fn times(&self, k: usize, x: &[f64]) -> f64 {
        let (column, range) = self.column(k);
        dot(column, &x[range])
    }
}

/// Σ a_i b_i, four sums at a time: a single one would wait for itself.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// What is kept, and of what.
#[derive(Debug, Default)]
pub(super) struct Constant {
    /// The number of the factorisation, and κ.
    of: Option<(usize, f64)>,
    W: Directions,
    /// X, D⁻¹ Z and M⁻¹ W.
    X: Columns,
    Z: Columns,
    M_inv_W: Columns,
    W_hat: SquareMatrix,
    work: Vec<f64>,
}

impl ContactStage {
    /// Finds δv, w and P in one pass for constant matrices, from w = 0. On entry `dv` = −c_v (M x − h) and `kappa` =
    /// c_a − c_v c_w; the law holds for v + δv, along the directions evaluated last.
    pub fn solve_constant(
        &mut self,
        t: f64,
        v: &[f64],
        kappa: f64,
        dv: &mut [f64],
        w: &mut [f64],
    ) -> Result<(), StepError> {
        let Self { operator, pose, set, delassus, solver, .. } = self;
        delassus.constant.make(operator, pose.W(), kappa);
        let forward = delassus.forward(operator, dv, &[]);
        let d = &mut *forward.d;
        d.form = Form::Dense;
        d.dense.W_hat.copy_from(&d.constant.W_hat);
        d.U_free.clear();
        for row in 0..pose.W().rows() {
            d.U_free.push(pose.asked(row, v) + d.constant.Z.times(row, &d.y));
        }
        d.solve_problem((t, v), (set, pose), solver)?;
        w.fill(0.0);
        for (row, &P) in pose.P.iter().enumerate() {
            d.constant.X.add(row, P, &mut d.y);
            d.constant.M_inv_W.add(row, P, w);
        }
        forward.backward(dv, &mut []);
        Ok(())
    }
}

impl Constant {
    /// Makes the columns of the active contacts, unless they are there.
    fn make(&mut self, operator: &mut Operator, W: &Directions, kappa: f64) {
        let of = Some((operator.factorisations(), kappa));
        if self.of == of && self.W.has_rows_of(W) {
            return;
        }
        self.of = of;
        self.W.copy_from(W);
        let (n, rows) = (operator.nv(), W.rows());
        self.work.resize(n, 0.0);
        for columns in [&mut self.X, &mut self.Z, &mut self.M_inv_W] {
            columns.clear(n);
        }
        for row in 0..rows {
            self.work.fill(0.0);
            let (columns, values) = W.row(row);
            for (&column, &value) in columns.iter().zip(values) {
                self.work[column as usize] += value;
            }
            let ldl = operator.ldl();
            let z = self.Z.open();
            for (i, value) in self.work.iter().enumerate() {
                z[ldl.place(i)] = *value;
            }
            ldl.forward(z);
            operator.solve_mass(&self.work, self.M_inv_W.open());
            self.M_inv_W.close();
            // F = W + κ K M⁻¹ W
            let m = &self.M_inv_W.value[row * n..];
            operator.add_tangents(0.0, kappa, m, &mut self.work);
            let ldl = operator.ldl();
            let x = self.X.open();
            for (i, value) in self.work.iter().enumerate() {
                x[ldl.place(i)] = *value;
            }
            ldl.forward(x);
            self.X.close();
            ldl.divide(&mut self.Z.value[row * n..]);
            self.Z.close();
        }
        self.W_hat.resize(rows);
        for i in 0..rows {
            for j in 0..rows {
                let (x, range) = self.X.column(j);
                let z = &self.Z.value[i * n..(i + 1) * n];
                self.W_hat[(i, j)] = dot(&z[range], x);
            }
        }
    }
}
