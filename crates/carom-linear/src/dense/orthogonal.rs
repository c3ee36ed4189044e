//! The complete orthogonal decomposition of rows that may depend on each other.
//!
//! ```text
//!   Aᵀ Π = Q₁ Kᵀ,      K = Z T             A is m × n of rank r, Q₁ n × r and Z m × r orthonormal, T r × r upper
//!   A⁺ = Q₁ T⁻¹ Zᵀ Πᵀ,      (Aᵀ)⁺ = Π Z T⁻ᵀ Q₁ᵀ,      the other n − r columns of Q span the null space of A
//! ```

use crate::{axpy, dot};

/// Rows count as dependent when what is left of them is smaller than this, relative to the largest row.
const RANK: f64 = 1e-10;

/// Complete orthogonal decomposition; see the head of this file.
#[derive(Clone, Debug, Default)]
pub struct Orthogonal {
    n: usize,
    m: usize,
    rank: usize,
    /// Aᵀ by columns: row i of A on entry of `factor`; then reflectors below the diagonal, R above.
    pub At: Vec<f64>,
    tau: Vec<f64>,
    /// Which row of A came where.
    order: Vec<usize>,
    /// The same of K, by columns.
    K: Vec<f64>,
    tau_K: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Orthogonal {
    /// With room for m rows of n entries.
    pub fn reserve(&mut self, n: usize, m: usize) {
        for (array, size) in [
            (&mut self.At, n * m),
            (&mut self.tau, m),
            (&mut self.K, m * m),
            (&mut self.tau_K, m),
            (&mut self.x, n),
            (&mut self.y, m),
        ] {
            array.resize(size, 0.0);
        }
        self.order.resize(m, 0);
    }

    /// Rank of A.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Decomposes the m rows of n entries that `At` begins with.
    pub fn factor(&mut self, n: usize, m: usize) {
        (self.n, self.m) = (n, m);
        for (i, order) in self.order[..m].iter_mut().enumerate() {
            *order = i;
        }
        let mut largest = 0.0;
        self.rank = n.min(m);
        for k in 0..n.min(m) {
            // the longest column of what is left comes next
            let left = |At: &[f64], j: usize| At[j * n + k..(j + 1) * n].iter().map(|a| a * a).sum::<f64>();
            let best = (k..m)
                .max_by(|&i, &j| left(&self.At, i).total_cmp(&left(&self.At, j)))
                .expect("columns are left");
            let size = left(&self.At, best).sqrt();
            if k == 0 {
                largest = size;
            }
            if size <= RANK * largest || size == 0.0 {
                self.rank = k;
                break;
            }
            if best != k {
                self.order.swap(k, best);
                for i in 0..n {
                    self.At.swap(k * n + i, best * n + i);
                }
            }
            self.tau[k] = reflect(&mut self.At[k * n..m * n], n, k, m - k);
        }
        // K = Rᵀ, r columns of m
        let r = self.rank;
        for j in 0..r {
            for i in 0..m {
                self.K[j * m + i] = if i < j { 0.0 } else { self.At[i * n + j] };
            }
        }
        for k in 0..r {
            self.tau_K[k] = reflect(&mut self.K[k * m..r * m], m, k, r - k);
        }
    }

    /// x = Q x.
    fn turn(&self, x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            mirror(&self.At[k * self.n..(k + 1) * self.n], k, self.tau[k], x);
        }
    }

    /// x = Qᵀ x.
    fn turn_back(&self, x: &mut [f64]) {
        for k in 0..self.rank {
            mirror(&self.At[k * self.n..(k + 1) * self.n], k, self.tau[k], x);
        }
    }

    /// Column k of Q: the first `rank` span the rows, the others their null space.
    pub fn column(&self, k: usize, out: &mut [f64]) {
        out.fill(0.0);
        out[k] = 1.0;
        self.turn(out);
    }

    /// T⁻¹ Zᵀ Πᵀ c: coordinates along the first columns of Q.
    pub fn coordinates(&mut self, c: &[f64], out: &mut [f64]) {
        let (m, r) = (self.m, self.rank);
        for i in 0..m {
            self.y[i] = c[self.order[i]];
        }
        for k in 0..r {
            mirror(&self.K[k * m..(k + 1) * m], k, self.tau_K[k], &mut self.y[..m]);
        }
        for i in (0..r).rev() {
            let sum: f64 = (i + 1..r).map(|j| self.K[j * m + i] * out[j]).sum();
            out[i] = (self.y[i] - sum) / self.K[i * m + i];
        }
    }

    /// Q₁ u.
    pub fn along(&self, u: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        x[..self.rank].copy_from_slice(&u[..self.rank]);
        self.turn(x);
    }

    /// λ = (Aᵀ)⁺ s: the smallest λ that fits Aᵀ λ = s best.
    pub fn forces(&mut self, s: &[f64], lambda: &mut [f64]) {
        let (n, m, r) = (self.n, self.m, self.rank);
        let mut x = std::mem::take(&mut self.x);
        x[..n].copy_from_slice(s);
        self.turn_back(&mut x[..n]);
        self.y.fill(0.0);
        for i in 0..r {
            let sum: f64 = (0..i).map(|j| self.K[i * m + j] * self.y[j]).sum();
            self.y[i] = (x[i] - sum) / self.K[i * m + i];
        }
        self.x = x;
        for k in (0..r).rev() {
            mirror(&self.K[k * m..(k + 1) * m], k, self.tau_K[k], &mut self.y[..m]);
        }
        for i in 0..m {
            lambda[self.order[i]] = self.y[i];
        }
    }
}

/// The reflection that takes the first of `columns` columns of length n to the k-th axis, done to all of them; its vector
/// stays below the diagonal, its factor is returned.
fn reflect(a: &mut [f64], n: usize, k: usize, columns: usize) -> f64 {
    let (first, rest) = a.split_at_mut(n);
    let size = first[k..].iter().map(|a| a * a).sum::<f64>().sqrt();
    let beta = -size.copysign(first[k]);
    let tau = (beta - first[k]) / beta;
    let scale = 1.0 / (first[k] - beta);
    for a in &mut first[k + 1..] {
        *a *= scale;
    }
    first[k] = beta;
    for column in rest.chunks_exact_mut(n).take(columns - 1) {
        mirror(first, k, tau, column);
    }
    tau
}

/// x = (I − τ u uᵀ) x, u = (0 …, 1 at k, what stands below).
fn mirror(u: &[f64], k: usize, tau: f64, x: &mut [f64]) {
    let sum = dot(&u[k + 1..], &x[k + 1..]);
    let step = tau * (x[k] + sum);
    x[k] -= step;
    axpy(-step, &u[k + 1..], &mut x[k + 1..]);
}
