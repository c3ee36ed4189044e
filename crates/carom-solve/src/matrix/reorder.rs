//! A problem with its contacts in another order.
//!
//! Sweeps take contacts one after the other, pivots break ties by their number, factors eliminate in an order of their own: a
//! problem that a solver gives up on is often solved when its contacts are counted differently.

use crate::generate::Seeded;
use crate::{BlockMatrix, ContactProblem, Law, SolverForm, SquareMatrix, StoredProblem};

/// The problem, and where its rows come from.
pub(crate) struct Shuffled {
    form: SolverForm,
    /// The row that each row was.
    rows: Vec<usize>,
}

impl Shuffled {
    /// In the order of this number, the same every time.
    pub fn of(problem: &ContactProblem<'_>, number: u64) -> Self {
        let contacts = problem.laws.len();
        let mut order: Vec<usize> = (0..contacts).collect();
        let mut random = Seeded(number);
        for k in (1..contacts).rev() {
            let other = (random.between(0.0, (k + 1) as f64) as usize).min(k);
            order.swap(k, other);
        }
        let first: Vec<usize> =
            problem.laws.iter().scan(0, |row, law| Some(std::mem::replace(row, *row + law.dim()))).collect();
        let laws: Vec<Law> = order.iter().map(|&c| problem.laws[c]).collect();
        let rows: Vec<usize> =
            order.iter().flat_map(|&c| first[c]..first[c] + problem.laws[c].dim()).collect();
        let U_free = rows.iter().map(|&i| problem.U_free[i]).collect();
        let form = match problem.W_hat.blocks() {
            Some(blocks) => {
                let mut place = vec![0; contacts];
                order.iter().enumerate().for_each(|(k, &c)| place[c] = k);
                let dims: Vec<usize> = laws.iter().map(Law::dim).collect();
                let all = order.iter().enumerate().flat_map(|(k, &c)| {
                    let place = &place;
                    blocks.row(c).map(move |(d, block)| (k, place[d], block))
                });
                let W_hat = BlockMatrix::from_blocks(&dims, all).expect("blocks as they were");
                SolverForm::Blocks(StoredProblem { W_hat, U_free, laws })
            }
            None => {
                let mut W_hat = SquareMatrix::zeros(rows.len());
                for (k, &i) in rows.iter().enumerate() {
                    for (l, &j) in rows.iter().enumerate() {
                        W_hat[(k, l)] = problem.W_hat.entry(i, j);
                    }
                }
                SolverForm::Dense(StoredProblem { W_hat, U_free, laws })
            }
        };
        Self { form, rows }
    }

    /// The problem in its new order.
    pub fn problem(&self) -> ContactProblem<'_> {
        self.form.as_problem()
    }

    /// P of the problem as it was, from one in the new order.
    pub fn put_back(&self, P: &[f64], out: &mut [f64]) {
        self.rows.iter().zip(P).for_each(|(&row, P)| out[row] = *P);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generator;
    use crate::residual;

    /// The same problem, whatever its form: an answer put back measures as it did.
    #[test]
    fn the_same_problem() {
        for name in ["spheres", "chain", "rolling"] {
            let sparse = generator(name).expect("a kind").problem(20).condense().expect("a mechanism");
            let (dense, blocks) = (sparse.dense(), sparse.blocks());
            let n = sparse.U_free.len();
            let P: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).sin()).collect();
            for problem in [dense.as_problem(), blocks.as_problem()] {
                let other = Shuffled::of(&problem, 3);
                assert_ne!(other.rows, (0..n).collect::<Vec<_>>());
                let mut back = vec![0.0; n];
                other.put_back(&P, &mut back);
                let (a, b) = (residual(&other.problem(), &P), residual(&problem, &back));
                assert!((a - b).abs() <= 1e-12 * a, "{name}: {a} was {b}");
            }
        }
    }
}
