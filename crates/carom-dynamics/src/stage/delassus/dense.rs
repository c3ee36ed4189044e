//! Ŵ in full, and X by lines of its places.

use crate::Directions;
use carom_linear::sparse::Ldl;
use carom_solve::SquareMatrix;

/// Ŵ, and L⁻¹ F, L⁻¹ W.
#[derive(Debug, Default)]
pub(super) struct Dense {
    pub W_hat: SquareMatrix,
    /// L⁻¹ F, one line of rows() numbers per place, and which lines are not zero; L⁻¹ W where it differs.
    X: Vec<f64>,
    touched: Vec<bool>,
    Z: Vec<f64>,
    touched_z: Vec<bool>,
}

impl Dense {
    /// With room for rows of n places.
    pub fn with_room(n: usize, rows: usize) -> Self {
        Self {
            W_hat: SquareMatrix::zeros(0),
            X: Vec::with_capacity(n * rows),
            touched: vec![false; n],
            Z: Vec::with_capacity(n * rows),
            touched_z: vec![false; n],
        }
    }

    /// Room for more.
    pub fn reserve(&mut self, numbers: usize) {
        self.X.reserve(numbers);
    }

    /// X, Ŵ and U_free += Zᵀ D⁻¹ y; `F` are the directions of the impulses where they are others than W.
    pub fn build(
        &mut self,
        ldl: &Ldl,
        W: &Directions,
        F: Option<&Directions>,
        y: &[f64],
        U_free: &mut [f64],
    ) {
        let Some(F) = F else {
            return self.build_symmetric(ldl, W, y, U_free);
        };
        let rows = W.rows();
        substitute(ldl, F, rows, &mut self.X, &mut self.touched);
        self.W_hat.resize(rows);
        // Ŵ = Zᵀ D⁻¹ X
        substitute(ldl, W, rows, &mut self.Z, &mut self.touched_z);
        for place in 0..ldl.n() {
            if !self.touched_z[place] {
                continue;
            }
            let x = &self.X[place * rows..(place + 1) * rows];
            let z = &self.Z[place * rows..(place + 1) * rows];
            let d_inv = ldl.d_inv(place);
            let y_d = y[place] * d_inv;
            for i in 0..rows {
                U_free[i] += z[i] * y_d;
                let z_d = z[i] * d_inv;
                for (w, x_j) in self.W_hat.row_mut(i).iter_mut().zip(x) {
                    *w += z_d * x_j;
                }
            }
        }
    }

    /// The same with F = W: Ŵ = Xᵀ D⁻¹ X.
    pub fn build_symmetric(&mut self, ldl: &Ldl, W: &Directions, y: &[f64], U_free: &mut [f64]) {
        let rows = W.rows();
        substitute(ldl, W, rows, &mut self.X, &mut self.touched);
        self.W_hat.resize(rows);
        // lower triangle, then mirrored
        for place in 0..ldl.n() {
            if !self.touched[place] {
                continue;
            }
            let x = &self.X[place * rows..(place + 1) * rows];
            let d_inv = ldl.d_inv(place);
            let y_d = y[place] * d_inv;
            for i in 0..rows {
                U_free[i] += x[i] * y_d;
                let x_d = x[i] * d_inv;
                for (w, x_j) in self.W_hat.row_mut(i)[..=i].iter_mut().zip(x) {
                    *w += x_d * x_j;
                }
            }
        }
        for i in 0..rows {
            for j in 0..i {
                self.W_hat[(j, i)] = self.W_hat[(i, j)];
            }
        }
    }

    /// X of one place, where it is not zero.
    #[inline]
    pub fn line(&self, place: usize) -> Option<&[f64]> {
        let rows = self.W_hat.n();
        self.touched[place].then(|| &self.X[place * rows..(place + 1) * rows])
    }

    /// X of a row at a place.
    pub fn entry_of_X(&self, place: usize, row: usize) -> f64 {
        self.X[place * self.W_hat.n() + row]
    }

    /// y += share · X P.
    #[inline]
    pub fn add_impulses(&self, share: f64, P: &[f64], y: &mut [f64]) {
        for (place, y) in y.iter_mut().enumerate() {
            if let Some(x) = self.line(place) {
                *y += share * x.iter().zip(P).map(|(x, p)| x * p).sum::<f64>();
            }
        }
    }
}

/// X = L⁻¹ F, one line per place; `touched` says which lines are not zero.
pub(super) fn substitute(ldl: &Ldl, F: &Directions, rows: usize, X: &mut Vec<f64>, touched: &mut [bool]) {
    X.clear();
    X.resize(ldl.n() * rows, 0.0);
    touched.fill(false);
    for row in 0..rows {
        let (columns, values) = F.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            let place = ldl.place(column as usize);
            X[place * rows + row] += value;
            touched[place] = true;
        }
    }
    ldl.forward_block(rows, X, touched);
}
