//! Conjugate gradients for matrices that are known by their products only.

use crate::dot;

/// Solves A x = b from x = 0 for A positive semidefinite, given by its product, until the residual is `tolerance` times b or
/// so many steps are done. The iterates stay in the range of A, so x is the shortest solution where A is singular.
pub fn conjugate_gradients(
    apply: impl Fn(&[f64]) -> Vec<f64>,
    b: &[f64],
    tolerance: f64,
    most_steps: usize,
) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let mut p = r.clone();
    let mut rr = dot(&r, &r);
    let target = tolerance * tolerance * rr;
    for _ in 0..most_steps {
        if rr <= target {
            break;
        }
        let Ap = apply(&p);
        let alpha = rr / dot(&p, &Ap);
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * Ap[i];
        }
        let next = dot(&r, &r);
        let beta = next / rr;
        rr = next;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = a aᵀ + b bᵀ with a ⊥ b has rank 2: the answer to A x = a has no part outside their span.
    #[test]
    fn the_shortest_solution_of_a_singular_system() {
        let (a, b) = ([1.0, 1.0, 0.0, 0.0], [1.0, -1.0, 2.0, 0.0]);
        let apply = |x: &[f64]| {
            let (along_a, along_b) = (dot(&a, x), dot(&b, x));
            (0..4).map(|i| a[i] * along_a + b[i] * along_b).collect()
        };
        let x = conjugate_gradients(apply, &a, 1e-14, 80);
        // A a = 2 a
        x.iter().zip(a).for_each(|(x, a)| assert!((x - a / 2.0).abs() < 1e-15, "{x}"));
    }
}
