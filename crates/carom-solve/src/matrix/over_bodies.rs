//! Ŵ of a global problem over its bodies.

use super::bodies::{Bodies, Touch};
use super::global::{Factored, GlobalError, GlobalProblem};
use crate::{BlockMatrix, SparseMatrix, SquareMatrix, StoredProblem};

/// Most velocities of a body: beyond, it is a mesh, and G would be as full as Ŵ.
const MOST_VELOCITIES: usize = 12;

impl GlobalProblem {
    /// The local problem over bodies, Ŵ not formed. None if some part of M is too large to be a body, or not symmetric.
    pub fn over_bodies(&self) -> Result<Option<StoredProblem<Bodies>>, GlobalError> {
        Ok(self.over_bodies_of(&self.factor()?))
    }

    /// The same when M is factored already.
    pub(crate) fn over_bodies_of(&self, factored: &Factored) -> Option<StoredProblem<Bodies>> {
        let large = factored.parts().any(|velocities| velocities.len() > MOST_VELOCITIES);
        if large || !factored.is_symmetric() {
            return None;
        }
        // where each velocity stands among those of all bodies, and the factors
        let (mut place, mut factors) = (vec![(0, 0); self.velocities()], Vec::new());
        let mut at = 0;
        for velocities in factored.parts() {
            velocities.iter().enumerate().for_each(|(k, &v)| place[v as usize] = (factors.len(), k));
            factors.push(Factor::new(&self.M, velocities, at));
            at += velocities.len() as u32;
        }
        let directions = self.H.transposed();
        let mut bodies = Bodies::default();
        (bodies.first, bodies.start, bodies.velocities) = (vec![0], vec![0], at as usize);
        let mut row = 0;
        for law in &self.laws {
            let rows = row..row + law.dim();
            row = rows.end;
            let mut touched: Vec<usize> =
                rows.clone().flat_map(|i| directions.row(i).map(|(v, _)| place[v].0)).collect();
            touched.sort_unstable();
            touched.dedup();
            for b in touched {
                let factor = &factors[b];
                let len = factor.L.n();
                bodies.touches.push(Touch { at: factor.at, len: len as u32, G: bodies.G.len() });
                for i in rows.clone() {
                    let g = bodies.G.len();
                    bodies.G.resize(g + len, 0.0);
                    let inside = directions.row(i).filter(|(v, _)| place[*v].0 == b);
                    inside.for_each(|(v, h)| bodies.G[g + place[v].1] += h);
                    factor.solve(&mut bodies.G[g..]);
                }
            }
            bodies.first.push(row);
            bodies.start.push(bodies.touches.len());
        }
        let dims: Vec<usize> = self.laws.iter().map(|law| law.dim()).collect();
        let mut blocks = Vec::new();
        for (c, dim) in dims.iter().enumerate() {
            let mut block = vec![0.0; dim * dim];
            bodies.block(c, c, &mut block);
            blocks.push(block);
        }
        bodies.diagonal =
            BlockMatrix::from_blocks(&dims, blocks.iter().enumerate().map(|(c, block)| (c, c, &block[..])))
                .expect("blocks are cut to the laws");
        let U_free = self.free_velocity(factored);
        Some(StoredProblem { W_hat: bodies, U_free, laws: self.laws.clone() })
    }
}

/// M_b = L Lᵀ of one body whose velocities begin at `at`.
struct Factor {
    at: u32,
    L: SquareMatrix,
}

impl Factor {
    /// M_b is positive definite: it has been factored before.
    fn new(M: &SparseMatrix, velocities: &[u32], at: u32) -> Self {
        let n = velocities.len();
        let mut L = SquareMatrix::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| L[(i, k)] * L[(j, k)]).sum();
                let rest = M.entry(velocities[i] as usize, velocities[j] as usize) - known;
                L[(i, j)] = if i == j { rest.sqrt() } else { rest / L[(j, j)] };
            }
        }
        Self { at, L }
    }

    /// x ← L⁻¹ x.
    fn solve(&self, x: &mut [f64]) {
        for i in 0..self.L.n() {
            let known: f64 = (0..i).map(|k| self.L[(i, k)] * x[k]).sum();
            x[i] = (x[i] - known) / self.L[(i, i)];
        }
    }
}
