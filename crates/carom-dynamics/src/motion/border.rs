//! A few rows around a factored matrix: the contacts that are held.
//!
//! ```text
//!   [ K    f  ] ( x )   ( b )        K Z = f,   S = g Z + E,    K z = b
//!   [ g   −E  ] ( ν ) = ( d )        S ν = g z − d,    x = z − Z ν
//! ```
//!
//! K changes at every stage, the rows at every event: they stay outside, and nothing is analysed anew. S is small and
//! dense, with pivots; where it is singular, contacts carry more than they need to, and E makes it regular.

use carom_linear::dense::{lu, lu_solve};
use carom_linear::sparse::Lu;

/// Pivots of S smaller than this, relative to its largest entry, count as zero.
const SINGULAR: f64 = 1e-12;

#[derive(Clone, Debug, Default)]
pub(super) struct Border {
    /// Rows held.
    p: usize,
    /// Length of a column.
    n: usize,
    /// Columns of Z, one after the other; f on entry of `factor`.
    pub Z: Vec<f64>,
    /// S by rows, factored; which row went where.
    S: Vec<f64>,
    pivot: Vec<usize>,
    /// E, the same for all rows; 0 while S is regular.
    pub E: f64,
    /// Compliances of the last rows, which have their own.
    own: Vec<f64>,
    nu: Vec<f64>,
}

impl Border {
    /// Takes room for p rows around n unknowns.
    pub fn reserve(&mut self, p: usize, n: usize) {
        self.Z.reserve(p * n);
        self.S.reserve(p * p);
        self.nu.reserve(p);
        self.pivot.reserve(p);
    }

    /// Sizes everything for `held` rows and `soft` ones with a compliance of their own around n unknowns.
    pub fn resize(&mut self, held: usize, soft: usize, n: usize) {
        let p = held + soft;
        (self.p, self.n, self.E) = (p, n, 0.0);
        self.own.clear();
        self.own.resize(soft, 1.0);
        for (array, size) in [(&mut self.Z, p * n), (&mut self.S, p * p), (&mut self.nu, p)] {
            array.clear();
            array.resize(size, 0.0);
        }
        self.pivot.clear();
        self.pivot.resize(p, 0);
    }

    /// The compliance of soft row k.
    pub fn soften(&mut self, k: usize, compliance: f64) {
        self.own[k] = compliance;
    }

    /// Column k of f, to be filled.
    pub fn column(&mut self, k: usize) -> &mut [f64] {
        &mut self.Z[k * self.n..(k + 1) * self.n]
    }

    /// Z = K⁻¹ f and S; `row(k, x)` is g_k x. False if S is singular even with E, or not finite.
    pub fn factor(&mut self, lu: &mut Lu, regularisation: f64, row: impl Fn(usize, &[f64]) -> f64) -> bool {
        for k in 0..self.p {
            lu.solve(&mut self.Z[k * self.n..(k + 1) * self.n]);
        }
        self.build(&row);
        if self.E == 0.0 && !self.eliminate() {
            let held = self.p - self.own.len();
            let trace: f64 = {
                self.build(&row);
                (0..held).map(|k| self.S[k * self.p + k].abs()).sum()
            };
            self.E = regularisation * trace / held as f64;
            if !(self.E > 0.0 && self.E.is_finite()) {
                self.E = 0.0;
                return false;
            }
            self.build(&row);
            return self.eliminate();
        }
        self.E == 0.0 || self.eliminate()
    }

    fn build(&mut self, row: &impl Fn(usize, &[f64]) -> f64) {
        let held = self.p - self.own.len();
        for i in 0..self.p {
            for j in 0..self.p {
                let own = match i == j {
                    true if i >= held => self.own[i - held],
                    true => self.E,
                    false => 0.0,
                };
                self.S[i * self.p + j] = own + row(i, &self.Z[j * self.n..(j + 1) * self.n]);
            }
        }
    }

    /// LU with row pivots, in place. False if singular.
    fn eliminate(&mut self) -> bool {
        let (p, held, S) = (self.p, self.p - self.own.len(), &mut self.S);
        // compliances say nothing of the rows that are held
        let entries = S.chunks_exact(p.max(1)).take(held).flat_map(|row| &row[..held]);
        let largest = entries.fold(0.0, |most: f64, s| most.max(s.abs()));
        // with E the smallest pivot is of its size
        let zero = if self.E > 0.0 { 0.0 } else { SINGULAR * largest };
        lu(S, p, &mut self.pivot, zero)
    }

    /// ν from d, which comes with g z − d and leaves with ν.
    pub fn solve(&mut self, d: &mut [f64]) {
        lu_solve(&self.S, self.p, &self.pivot, d);
    }

    /// x −= Z ν.
    pub fn subtract(&self, nu: &[f64], x: &mut [f64]) {
        for (k, nu) in nu.iter().enumerate() {
            for (x, z) in x.iter_mut().zip(&self.Z[k * self.n..(k + 1) * self.n]) {
                *x -= z * nu;
            }
        }
    }
}
