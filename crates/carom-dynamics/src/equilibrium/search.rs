//! The search itself: steps that creep towards rest, then Newton's.

#![allow(non_snake_case)]

use super::finder::{Finder, Point, Rows, coordinate};
use super::{BALANCED, CLOSED, Equilibrium, EquilibriumError};
use crate::{ContactKind, Quantity};
use carom_linear::dense::{Cholesky, Matrix, Span};
use carom_linear::{axpy, dot};
use carom_solve::{ContactProblem, Law, SolveStatus, SquareMatrix, solver};

/// Longest step: in lengths of the mechanism, and in radians.
const LONGEST: (f64, f64) = (0.1, 0.3);
/// How much longer each step may be when the one before was as long as allowed and led along the forces.
const LONGER: f64 = 1.3;
/// Lengths of the mechanism, or radians, after which a body counts as gone.
const GONE: (f64, f64) = (30.0, 60.0);
/// Steps, refused ones included.
const STEPS: usize = 2000;
/// How far a step along curved joints may leave them, relative to the length scale; the next one closes them.
const UNTIDY: f64 = 1e-2;

/// Where the search is, and how it goes on.
struct Walk {
    q: Vec<f64>,
    /// P of every contact.
    P_of: Vec<Rows>,
    /// μ of the next step.
    mu: f64,
    /// Longest step allowed, in units of [`LONGEST`].
    longest: f64,
    /// Largest force that acted so far.
    acted: f64,
    /// Steps refused in a row.
    jams: usize,
}

/// How far a configuration is from rest.
struct Rest {
    /// What is not balanced (N).
    left: f64,
    /// Relative, and whose.
    misfit: f64,
    whose: String,
}

/// The problem of one step in what the joints leave free: (A + μ) z = right + W_Z P, U = offset + W_Zᵀ z.
struct Reduced {
    A: Matrix,
    right: Vec<f64>,
    W_Z: Vec<Vec<f64>>,
    offset: Vec<f64>,
    laws: Vec<Law>,
    /// The shortest x that closes the joints.
    x_Y: Vec<f64>,
    /// Largest entry of H, and the usual size of μ.
    largest: f64,
    usual: f64,
}

impl Finder<'_> {
    pub fn find(&self, start: &[f64]) -> Result<Equilibrium, EquilibriumError> {
        let P_of = vec![Rows::default(); self.kinds.len()];
        let mut walk = Walk { q: start.to_vec(), P_of, mu: 0.0, longest: 1.0, acted: 0.0, jams: 0 };
        let mut last = (f64::INFINITY, 0, f64::INFINITY);
        for iteration in 0..STEPS {
            let reach = 2.0 * LONGEST.0 * walk.longest * self.length;
            let point = self.point(&walk.q, reach);
            let P = self.gathered(&point.near, &walk.P_of);
            let rows = Span::new(&point.G);
            // the joints take what they can of the rest
            let lambda = rows.carry(&self.left_to_joints(&point, &P));
            let (H, geometric) = self.stiffness(&point, &lambda, &P);
            let (misfit, whose) = self.misfit(&point);
            let (left, place, acting) = self.balance(&point, &lambda, &P, Some(&H));
            walk.acted = walk.acted.max(acting);
            let residual = if left == 0.0 { 0.0 } else { left / acting };
            let lawful = self.lawful(&point, &lambda, &P, acting);
            if residual <= BALANCED && misfit <= CLOSED && lawful {
                let found = (residual, misfit, iteration);
                return Ok(self.answer(point, lambda, &walk.P_of, &rows, H, geometric, found));
            }
            last = (residual, place, misfit);
            let rest = Rest { left, misfit, whose };
            let reduced = self.reduced(&point, &rows, &H, &lambda, &walk.P_of);
            let (x, P_new) = self.short_step(&rows, &reduced, &P, &mut walk, &rest)?;
            self.go(start, &point, &x, &P_new, reach, &rest, reduced.usual, &mut walk)?;
        }
        let (residual, place, misfit) = last;
        if misfit > 1e-6 {
            let whose = self.misfit(&self.point(&walk.q, 0.0)).1;
            return Err(EquilibriumError::Jammed { name: whose, misfit });
        }
        let coordinate = coordinate(self.system, place);
        Err(EquilibriumError::NotFound { steps: STEPS, coordinate, residual, misfit })
    }

    /// Contacts that press are stiffened along their normals; all is reduced to what the joints leave free.
    fn reduced(&self, point: &Point, rows: &Span, H: &Matrix, lambda: &[f64], P_of: &[Rows]) -> Reduced {
        let largest = H.largest();
        let mut stiffened = H.clone();
        let mut pushed = vec![0.0; self.n];
        let x_Y = rows.reach(&point.phi.iter().map(|phi| -phi).collect::<Vec<_>>());
        for (k, &contact) in point.near.iter().enumerate() {
            if P_of[contact][0] <= 0.0 || matches!(self.kinds[contact], ContactKind::Dry { .. }) {
                continue;
            }
            let w = point.W.row(point.first[k]);
            let rho = 10.0 * largest.max(f64::MIN_POSITIVE) / dot(w, w).max(f64::MIN_POSITIVE);
            for i in 0..self.n {
                let factor = rho * w[i];
                axpy(factor, w, stiffened.row_mut(i));
            }
            axpy(-rho * point.gaps[contact], w, &mut pushed);
        }
        let mut right = point.h.clone();
        axpy(1.0, &pushed, &mut right);
        let bent = stiffened.times(&x_Y);
        axpy(-1.0, &bent, &mut right);
        let right = rows.Z.times(&right);
        let mut offset = point.W.times(&x_Y);
        for (k, &contact) in point.near.iter().enumerate() {
            if !matches!(self.kinds[contact], ContactKind::Dry { .. }) {
                offset[point.first[k]] += point.gaps[contact];
            }
        }
        let force = dot(&right, &right).sqrt();
        Reduced {
            A: stiffened.seen_from(&rows.Z),
            W_Z: (0..point.W.rows).map(|r| rows.Z.times(point.W.row(r))).collect(),
            offset,
            laws: point.near.iter().map(|&c| self.law(c, lambda)).collect(),
            x_Y,
            largest,
            usual: (force / (LONGEST.0 * self.length)).max(1e-6 * largest).max(f64::MIN_POSITIVE),
            right,
        }
    }

    /// x and P of a step no longer than allowed: μ grows until it is.
    fn short_step(
        &self,
        rows: &Span,
        reduced: &Reduced,
        P: &[f64],
        walk: &mut Walk,
        rest: &Rest,
    ) -> Result<(Vec<f64>, Vec<f64>), EquilibriumError> {
        let Reduced { A, usual, largest, x_Y, .. } = reduced;
        walk.mu = walk.mu.max(1e-13 * largest);
        loop {
            let mut damped = A.clone();
            (0..damped.rows).for_each(|i| damped.row_mut(i)[i] += walk.mu);
            let step = Cholesky::new(&damped).and_then(|factor| self.step(&factor, rows, reduced, P));
            match step {
                Some((x, P_new)) => {
                    let size = self.size(&x);
                    if size <= walk.longest {
                        return Ok((x, P_new));
                    }
                    if self.size(x_Y) > 0.5 * walk.longest || walk.mu > 1e12 * usual.max(*largest) {
                        // joints and contacts alone ask for more: go there in parts
                        return Ok((x.iter().map(|x| x * walk.longest / size).collect(), P_new));
                    }
                }
                None if walk.mu > 1e12 * usual.max(*largest) => {
                    return Err(EquilibriumError::Jammed { name: rest.whose.clone(), misfit: rest.misfit });
                }
                None => {}
            }
            walk.mu = (4.0 * walk.mu).max(1e-3 * usual * 1e-3);
        }
    }

    /// Takes the step if it leads along the forces, closes joints or balances more.
    fn go(
        &self,
        start: &[f64],
        point: &Point,
        x: &[f64],
        P_new: &[f64],
        reach: f64,
        rest: &Rest,
        usual: f64,
        walk: &mut Walk,
    ) -> Result<(), EquilibriumError> {
        let delta: Vec<f64> = x.iter().zip(&self.scale).map(|(x, scale)| x * scale).collect();
        let mut moved = vec![0.0; walk.q.len()];
        self.system.retract(&walk.q, &delta, &mut moved);
        let next = self.point(&moved, reach);
        let work: f64 = 0.5 * (dot(&point.h, x) + dot(&next.h, x));
        let (misfit_next, _) = self.misfit(&next);
        let mut of_next = vec![Rows::default(); self.kinds.len()];
        for (k, &contact) in point.near.iter().enumerate() {
            for r in 0..self.rows(contact) {
                of_next[contact][r] = P_new[point.first[k] + r];
            }
        }
        let P_next = self.gathered(&next.near, &of_next);
        let lambda = Span::new(&next.G).carry(&self.left_to_joints(&next, &P_next));
        let (left_next, _, _) = self.balance(&next, &lambda, &P_next, None);
        let small = CLOSED.max(1e-6);
        let closes = rest.misfit > small && misfit_next < rest.misfit;
        let tidy = misfit_next <= rest.misfit.max(UNTIDY);
        let better = left_next <= 0.9 * rest.left || left_next <= BALANCED * walk.acted;
        let finite = moved.iter().all(|q| q.is_finite()) && left_next.is_finite();
        if finite && tidy && (work >= 0.0 || better || closes || walk.jams > 20) {
            let limited = self.size(x) > 0.5 * walk.longest;
            walk.longest = if limited && work > 0.0 { walk.longest * LONGER } else { 1.0 };
            walk.q = moved;
            walk.P_of = of_next;
            walk.mu *= 0.1;
            walk.jams = 0;
            self.still_here(start, &walk.q, point, &lambda)
        } else {
            walk.jams += 1;
            walk.longest = 1.0;
            walk.mu = (10.0 * walk.mu).max(1e-3 * usual);
            Ok(())
        }
    }

    /// z = A⁻¹ (right + W_Z P), U = offset + W_Zᵀ z, and a law per contact.
    fn step(
        &self,
        factor: &Cholesky,
        rows: &Span,
        reduced: &Reduced,
        guess: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let Reduced { x_Y, right, W_Z, offset, laws, .. } = reduced;
        let mut z = right.to_vec();
        factor.solve(&mut z);
        let mut P = guess.to_vec();
        if !W_Z.is_empty() {
            let answers: Vec<Vec<f64>> = W_Z
                .iter()
                .map(|w| {
                    let mut x = w.clone();
                    factor.solve(&mut x);
                    x
                })
                .collect();
            let mut W_hat = SquareMatrix::zeros(W_Z.len());
            for (i, w) in W_Z.iter().enumerate() {
                for (j, answer) in answers.iter().enumerate() {
                    W_hat[(i, j)] = dot(w, answer);
                }
            }
            let U_free: Vec<f64> = W_Z.iter().zip(offset).map(|(w, offset)| offset + dot(w, &z)).collect();
            let problem = ContactProblem { W_hat: &W_hat, U_free: &U_free, laws };
            let solved = ["auto", "lemke", "newton"].into_iter().any(|name| {
                let mut by = solver(name).expect("a solver of that name");
                P.copy_from_slice(guess);
                let report = by.solve(&problem, &mut P);
                report.status == SolveStatus::Converged || report.residual <= 1e-9
            });
            if !solved {
                return None;
            }
            for (P, answer) in P.iter().zip(&answers) {
                axpy(*P, answer, &mut z);
            }
        }
        let mut x = rows.Z.transposed_times(&z);
        axpy(1.0, x_Y, &mut x);
        Some((x, P))
    }

    /// Size of a step: 1 is the longest.
    fn size(&self, x: &[f64]) -> f64 {
        let one = |i: usize| {
            let delta = (x[i] * self.scale[i]).abs();
            match self.system.structure().velocities[i].quantity {
                Quantity::Length => delta / (LONGEST.0 * self.length),
                Quantity::Angle => delta / LONGEST.1,
            }
        };
        (0..self.n).map(one).fold(0.0, f64::max)
    }

    fn still_here(
        &self,
        start: &[f64],
        q: &[f64],
        point: &Point,
        lambda: &[f64],
    ) -> Result<(), EquilibriumError> {
        // a turn in space comes back after half of one: only places tell how far such a body went
        let mut gone = vec![0.0; self.n];
        self.system.difference(start, q, &mut gone);
        let by_joints = point.G.transposed_times(lambda);
        for i in 0..self.n {
            let (far, how, unit) = match self.system.structure().velocities[i].quantity {
                Quantity::Length => (gone[i].abs() / (GONE.0 * self.length), "moves away", "N"),
                Quantity::Angle => (gone[i].abs() / GONE.1, "turns without end", "N m"),
            };
            if far > 1.0 {
                let name = self.system.structure().velocities[i].name.clone();
                let body = name.split('.').next().unwrap_or(&name).to_string();
                // of the whole body: it may slide across its load
                let own = |j: usize| {
                    self.system.structure().velocities[j].name.split('.').next() == Some(&body)
                        && self.system.structure().velocities[j].quantity
                            == self.system.structure().velocities[i].quantity
                };
                let forces =
                    (0..self.n).filter(|&j| own(j)).map(|j| (point.h[j] + by_joints[j]) / self.scale[j]);
                let force = forces.map(|f| f * f).sum::<f64>().sqrt();
                return Err(EquilibriumError::Falls { body, how, force, unit });
            }
        }
        Ok(())
    }
}
