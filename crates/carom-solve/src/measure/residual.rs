//! The one measure of an answer, whoever found it.
//!
//! With U = Ŵ P + U_free and w_c > 0 the largest diagonal entry of the block of contact c,
//!
//! ```text
//!   F_c   = P_c − proj_K( P_c − (U_c + s_c e_N) / w_c ),   s = μ |U_T| + μ_r |Ω_R|        natural map, de Saxcé shift   [DeSaxce1998]
//!   free  = max_c |U_free,c| / √w_c,      impulse = max_c √w_c |P_c|
//!   res   = max_c √w_c |F_c|  /  max( free, min(impulse, 1000 free) )
//! ```
//!
//! √w |P| and |U| / √w are both square roots of an energy, so the quotient has no unit, even when rows of force and
//! of torque meet in one problem, and scaling mass, length or time changes nothing. The denominator knows P because
//! that is what the rounding of Ŵ P is relative to: for positive semidefinite Ŵ, |Ŵ_ij| ≤ √(w_i w_j), so a P correct to
//! the last bit has a residual of a few n·2⁻⁵³ even when Ŵ is ill-conditioned. It knows P only so far, because where no
//! answer exists P may run away along the null space of Ŵ, and must not thereby look better and better: an impulse beyond
//! 1000 free leaves U uncertain by 2⁻⁵² of it, which counts as the least that F can be.
//! A problem at rest with P = 0 has residual 0; at rest with P ≠ 0, the impulse alone is the measure. Anything not
//! finite has residual ∞.
//!
//! A second disk (rolling resistance) may have another unit than the rows before it: w is then the largest of (N, T), w_R that of R, and with
//! ℓ = √(w / w_R) the rows ℓ Ω_R and M_R / ℓ, with μ_r / ℓ, are measured.
//!
//! A contact that nothing moves (w_c = 0) borrows the largest w of the problem, or 1.

use crate::law::MOST_ROWS;
use crate::{BlockMatrix, ContactProblem, Delassus, Law};
use carom_linear::dot_long;

/// The documented, dimensionless residual of P. Allocates nothing where Ŵ is stored.
pub fn residual(problem: &ContactProblem<'_>, P: &[f64]) -> f64 {
    let W_hat = problem.W_hat;
    match (W_hat.dense(), W_hat.blocks()) {
        (Some(W), _) => measure(problem, P, |i| dot_long(W.row(i), P), |i| W[(i, i)]).residual(),
        (None, Some(W)) => measure_blocks(problem, W, P),
        (None, None) => {
            let mut W_hat_P = vec![0.0; P.len()];
            W_hat.apply(P, &mut W_hat_P);
            residual_from(problem, P, &W_hat_P)
        }
    }
}

/// The same residual when Ŵ P is already known.
pub fn residual_from(problem: &ContactProblem<'_>, P: &[f64], W_hat_P: &[f64]) -> f64 {
    measure(problem, P, |i| W_hat_P[i], |i| problem.W_hat.entry(i, i)).residual()
}

/// The largest impulse against what the free velocity asks for, √w |P| over |U_free| / √w. Thousands and more mean that contacts press against
/// each other: a small residual says less about velocities there by that factor over 10³, and where no answer exists iterations
/// run that way.
pub fn loading(problem: &ContactProblem<'_>, P: &[f64]) -> f64 {
    let Measure { free, impulse, .. } = measure(problem, P, |_| 0.0, |i| problem.W_hat.entry(i, i));
    if impulse > 0.0 { (impulse / free).sqrt() } else { 0.0 }
}

/// Scale w of a contact from the diagonal of its block.
#[inline]
pub(crate) fn block_scale(first: usize, dim: usize, diagonal: impl Fn(usize) -> f64) -> f64 {
    (first..first + dim).map(|i| diagonal(i).abs()).fold(0.0, f64::max)
}

/// w and ℓ of a contact with two disks from the diagonal of its block.
pub(crate) fn two_disk_scale(law: &Law, first: usize, diagonal: impl Fn(usize) -> f64) -> (f64, f64) {
    let [rows, rows_R] = law.disk_rows().map(usize::from);
    let (w, w_R) =
        (block_scale(first, 1 + rows, &diagonal), block_scale(first + 1 + rows, rows_R, &diagonal));
    let length = (w / w_R).sqrt();
    // rows that nothing moves have no unit of their own
    if length > 0.0 && length.is_finite() { (w, length) } else { (w.max(w_R), 1.0) }
}

/// What a contact with w = 0 uses instead.
#[cold]
pub(crate) fn borrowed_scale(W_hat: &dyn Delassus) -> f64 {
    let largest = (0..W_hat.rows()).map(|i| W_hat.entry(i, i).abs()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// Impulses up to so many times what the free velocity asks for count in the denominator.
const LARGEST_IMPULSE: f64 = 1e3;

/// The parts of the residual, gathered contact by contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// max w |F|².
    worst: f64,
    /// max |U_free|² / w.
    free: f64,
    /// max w |P|².
    impulse: f64,
    /// Some number was not finite.
    broken: bool,
}

impl Measure {
    /// Adds one contact.
    #[inline]
    pub fn add(&mut self, law: &Law, w: f64, rho: f64, U: &[f64], U_free: &[f64], P: &[f64]) {
        let F = law.residual(U, P, rho);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let (worst, free, impulse) = (w * F * F, rho * square(U_free), w * square(P));
        self.broken |= !(worst + free + impulse).is_finite();
        self.worst = self.worst.max(worst);
        self.free = self.free.max(free);
        self.impulse = self.impulse.max(impulse);
    }

    /// Adds one contact with two disks, the rows of the second in lengths of ℓ.
    #[inline(never)]
    fn add_two_disks(&mut self, law: &Law, w: f64, length: f64, U: &[f64], U_free: &[f64], P: &[f64]) {
        let (second, dim) = (1 + usize::from(law.disk_rows()[0]), law.dim());
        let even = |x: &[f64], s: f64| -> [f64; MOST_ROWS] {
            std::array::from_fn(|k| {
                if k >= dim {
                    0.0
                } else if k < second {
                    x[k]
                } else {
                    s * x[k]
                }
            })
        };
        let (U, U_free, P) = (even(U, length), even(U_free, length), even(P, 1.0 / length));
        self.add(&law.with_length(length), w, 1.0 / w, &U[..dim], &U_free[..dim], &P[..dim]);
    }

    /// The quotient.
    #[inline]
    pub fn residual(&self) -> f64 {
        if self.broken {
            return f64::INFINITY;
        }
        let known =
            if self.free > 0.0 { LARGEST_IMPULSE * LARGEST_IMPULSE * self.free } else { f64::INFINITY };
        // a free velocity that is lost in the rounding of Ŵ P has no answer in it
        let lost = if self.impulse > known { f64::EPSILON * f64::EPSILON * self.impulse } else { 0.0 };
        let worst = self.worst.max(lost);
        if worst == 0.0 {
            return 0.0;
        }
        (worst / self.free.max(self.impulse.min(known))).sqrt()
    }
}

fn measure_blocks(problem: &ContactProblem<'_>, W: &BlockMatrix, P: &[f64]) -> f64 {
    let mut measure = Measure::default();
    for (c, law) in problem.laws.iter().enumerate() {
        let (rows, dim) = (W.rows_of(c), law.dim());
        let w = block_scale_of(W, c);
        let mut U = [0.0; MOST_ROWS];
        U[..dim].copy_from_slice(&problem.U_free[rows.clone()]);
        W.add_row_product(c, P, &mut U[..dim]);
        if law.has_two_disks() {
            let (scale, length) = two_disk_scale(law, 0, |i| W.diagonal(c)[i * (dim + 1)]);
            let w = if scale > 0.0 && scale.is_finite() { scale } else { w };
            measure.add_two_disks(law, w, length, &U, &problem.U_free[rows.clone()], &P[rows]);
            continue;
        }
        measure.add(law, w, 1.0 / w, &U[..dim], &problem.U_free[rows.clone()], &P[rows]);
    }
    measure.residual()
}

/// Scale w of a contact from its stored block.
pub(crate) fn block_scale_of(W: &BlockMatrix, contact: usize) -> f64 {
    let (block, dim) = (W.diagonal(contact), W.dim(contact));
    let w = block_scale(0, dim, |i| block[i * (dim + 1)]);
    if w > 0.0 && w.is_finite() { w } else { borrowed_scale(W) }
}

#[inline]
fn measure(
    problem: &ContactProblem<'_>,
    P: &[f64],
    W_hat_P: impl Fn(usize) -> f64,
    diagonal: impl Fn(usize) -> f64,
) -> Measure {
    let mut measure = Measure::default();
    let mut first = 0;
    for law in problem.laws {
        let dim = law.dim();
        let two_disks = law.has_two_disks();
        let (mut w, mut length) = (block_scale(first, dim, &diagonal), 1.0);
        if two_disks {
            (w, length) = two_disk_scale(law, first, &diagonal);
        }
        if w <= 0.0 || !w.is_finite() {
            w = borrowed_scale(problem.W_hat);
        }
        let rows = first..first + dim;
        let mut U = [0.0; MOST_ROWS];
        for (U, i) in U.iter_mut().zip(rows.clone()) {
            *U = W_hat_P(i) + problem.U_free[i];
        }
        first += dim;
        if two_disks {
            measure.add_two_disks(law, w, length, &U, &problem.U_free[rows.clone()], &P[rows]);
            continue;
        }
        measure.add(law, w, 1.0 / w, &U[..dim], &problem.U_free[rows.clone()], &P[rows]);
    }
    measure
}
