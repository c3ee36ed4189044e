//! Static equilibrium of a mechanism with joints, contacts and friction.
//!
//! ```text
//!   h(0,q,0) + Gᵀ λ + W_N λ_N + W_T λ_T = 0
//!   Φ(0,q) = 0,      0 ≤ g_N ⊥ λ_N ≥ 0,      |λ_T| ≤ μ λ_N
//! ```
//!
//! Without friction these are the conditions of a minimum of the potential energy under Φ = 0 and g_N ≥ 0. With friction there
//! are whole ranges of solutions; the one that is found is where the mechanism comes to rest when it *creeps* there from the start, in
//! a viscous medium, with Coulomb's law for each creeping step. A contact that can stick where it is does so.
//!
//! One step, with coordinates scaled by the square root of the diagonal of M, x = D^(1/2) δ, and w the rows of W:
//!
//! ```text
//!   (H + μ 1) x = h + Gᵀ λ + W P,         H = K − ∂(Gᵀ λ + W P)/∂q,       K = −∂h/∂q
//!   Φ + G x = 0                           by the shortest x in the rows of G; the rest in their null space
//!   U_N = g_N + w_N x,   U_T = w_T x      and a law per contact: the problem of carom-solve
//! ```
//!
//! μ is as large as it takes for H + μ to be positive definite and for the step to be short (pseudo-transient continuation), grows where a
//! step leads away and falls to nothing otherwise, so that the end is Newton's method. ∂(Gᵀ λ + W P)/∂q by central differences; the
//! residual, which decides, has no differences in it. Contacts that press are stiffened by ρ w wᵀ, which changes nothing at a solution
//! (U = 0 there) and lets Newton's method see the curvature along them only.
//!
//! Stability: the eigenvalues of H against M on what joints, pressing contacts and sticking friction leave free.

#![allow(non_snake_case)]

use crate::{Complaint, Configuration, ContactKind, Directions, Quantity, System};
use carom_linear::dense::{Cholesky, Matrix, Span, eigen};
use carom_linear::{axpy, dot};
use carom_solve::{ContactProblem, Law, SolveStatus, SquareMatrix, solver};
use serde::Serialize;

/// Residual of the forces at which it counts as balanced, relative to the largest force that acts.
const BALANCED: f64 = 1e-10;
/// Misfit of joints and gaps, relative to the length scale.
const CLOSED: f64 = 1e-10;
/// Longest step: in lengths of the mechanism, and in radians.
const LONGEST: (f64, f64) = (0.1, 0.3);
/// How much longer each step may be when the one before was as long as allowed and led along the forces.
const LONGER: f64 = 1.3;
/// Lengths of the mechanism, or radians, after which a body counts as gone.
const GONE: (f64, f64) = (30.0, 60.0);
/// Steps, refused ones included.
const STEPS: usize = 2000;
/// Coordinates up to which dense matrices are made.
const MOST: usize = 1500;
/// Free coordinates up to which all eigenvalues are computed.
const MOST_MODES: usize = 250;
/// How far a step along curved joints may leave them, relative to the length scale; the next one closes them.
const UNTIDY: f64 = 1e-2;
/// Central differences of G and W: step in lengths of the mechanism or radians.
const DIFFERENCE: f64 = 1e-6;

/// How to look for an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Whether friction may hold; without it all contacts and joints are smooth.
    pub friction: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self { friction: true }
    }
}

/// A mechanism at rest.
#[derive(Clone, Debug, Serialize)]
pub struct Equilibrium {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Reactions of the joints, one for each row of Φ (N, N m).
    pub reactions: Vec<f64>,
    /// Contacts that are closed or that rub.
    pub contacts: Vec<ContactForce>,
    /// Whether friction was allowed to hold.
    pub friction: bool,
    /// What is left of the forces, relative to the largest that acts.
    pub residual: f64,
    /// Largest open joint or penetration, relative to the length scale.
    pub misfit: f64,
    /// Steps of the search.
    pub iterations: usize,
    /// Whether small disturbances stay small.
    pub stability: Balance,
    /// Whether rows of joints depend on each other: their reactions are then one choice among many.
    pub redundant: bool,
}

/// A contact at rest.
#[derive(Clone, Debug, Serialize)]
pub struct ContactForce {
    /// Its number.
    pub contact: usize,
    /// Its name.
    pub name: String,
    /// g_N (m; rad of a stop of an angle); nothing for a joint that rubs.
    pub gap: Option<f64>,
    /// λ_N (N; N m of a stop of an angle); nothing for a joint that rubs.
    pub force_n: Option<f64>,
    /// λ_T, or what the rubbing joint holds (N, N m); nothing where there is no friction.
    pub force_t: Option<f64>,
    /// The largest it could hold.
    pub bound: Option<f64>,
}

/// Whether an equilibrium is a minimum of the potential energy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// It is; the slowest vibration about it has this frequency (Hz), nothing where all is held.
    Stable {
        /// Hz.
        slowest: Option<f64>,
    },
    /// Some directions need no force: there are other equilibria beside this one.
    Neutral {
        /// Coordinates that can move, such as `ball.angle`, one list for each direction.
        free: Vec<Vec<String>>,
    },
    /// It is not: the mechanism leaves it at the smallest disturbance.
    Unstable {
        /// Coordinates that move first.
        along: Vec<String>,
        /// Rate at which the disturbance grows (1/s).
        growth: f64,
    },
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub enum EquilibriumError {
    /// A body goes away.
    Falls {
        /// The body.
        body: String,
        /// Falls or turns.
        how: &'static str,
        /// What is not balanced.
        force: f64,
        /// N or N m.
        unit: &'static str,
    },
    /// The search did not end.
    NotFound {
        /// Steps made.
        steps: usize,
        /// Where the residual is largest.
        coordinate: String,
        /// Relative.
        residual: f64,
        /// Relative.
        misfit: f64,
    },
    /// A contact or joint problem without answer.
    Jammed {
        /// A contact or joint.
        name: String,
        /// Relative.
        misfit: f64,
    },
    /// Dense matrices would not fit.
    TooLarge {
        /// Coordinates.
        n: usize,
        /// Most.
        most: usize,
    },
}

impl EquilibriumError {
    /// In words.
    pub fn complaint(&self) -> Complaint {
        match self {
            EquilibriumError::Falls { body, how, force, unit } => Complaint::new(format!(
                "there is no equilibrium: `{body}` {how}, nothing holds it against {force:.4e} {unit}"
            ))
            .or("add a joint, a spring or a contact that holds it")
            .about(body),
            EquilibriumError::NotFound { steps, coordinate, residual, misfit } => Complaint::new(format!(
                "no equilibrium was found in {steps} steps: at `{coordinate}` a share of {residual:.1e} of the forces is not \
                 balanced, joints and contacts are off by {misfit:.1e} of the mechanism's size"
            ))
            .or("start nearer to the equilibrium, or find the mechanism's rest by a run with damping"),
            EquilibriumError::Jammed { name, misfit } => Complaint::new(format!(
                "no equilibrium was found: contacts and joints contradict each other at `{name}`, off by {misfit:.1e} of the \
                 mechanism's size"
            ))
            .or("make room for the bodies between them")
            .about(name),
            EquilibriumError::TooLarge { n, most } => Complaint::new(format!(
                "the search for an equilibrium takes up to {most} coordinates, and these are {n}"
            ))
            .or("use fewer elements or modes"),
        }
    }
}

impl std::fmt::Display for EquilibriumError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for EquilibriumError {}

/// Everything at one configuration.
struct Point {
    at: Configuration,
    /// Smooth forces.
    h: Vec<f64>,
    phi: Vec<f64>,
    gaps: Vec<f64>,
    G: Matrix,
    /// Contacts that are asked, their rows of W, and where each begins.
    near: Vec<usize>,
    W: Matrix,
    first: Vec<usize>,
}

struct Finder<'a> {
    system: &'a dyn System,
    search: Search,
    n: usize,
    length: f64,
    /// D^(-1/2).
    scale: Vec<f64>,
    jacobian: Vec<(u32, u32)>,
    tangent: Vec<(u32, u32)>,
    kinds: Vec<ContactKind>,
}

/// Finds the equilibrium that the mechanism creeps to from q.
pub fn equilibrium(system: &dyn System, q: &[f64], search: Search) -> Result<Equilibrium, EquilibriumError> {
    let n = system.structure().sizes.v;
    if n > MOST {
        return Err(EquilibriumError::TooLarge { n, most: MOST });
    }
    Finder::new(system, q, search).find(q)
}

/// The name of a coordinate from that of its velocity.
fn coordinate(system: &dyn System, i: usize) -> String {
    let name = system.structure().velocities[i].name.clone();
    match name.rsplit_once('.') {
        Some((body, "vx")) => format!("{body}.x"),
        Some((body, "vy")) => format!("{body}.y"),
        Some((body, "omega")) => format!("{body}.angle"),
        _ => name,
    }
}

impl<'a> Finder<'a> {
    fn new(system: &'a dyn System, q: &[f64], search: Search) -> Self {
        let (sizes, pattern) = (system.structure().sizes, &system.structure().pattern);
        let at = Configuration::new(system, 0.0, q, &vec![0.0; sizes.v]);
        let mut M = vec![0.0; pattern.mass.len()];
        system.mass(&at, &mut M);
        let mut scale = vec![1.0; sizes.v];
        for (&(i, j), m) in pattern.mass.iter().zip(&M) {
            if i == j && *m > 0.0 {
                scale[i as usize] = 1.0 / m.sqrt();
            }
        }
        Self {
            system,
            search,
            n: sizes.v,
            length: system.structure().length_scale,
            scale,
            jacobian: pattern.jacobian.clone(),
            tangent: pattern.tangent.clone(),
            kinds: system.structure().contacts.iter().map(|info| info.kind.clone()).collect(),
        }
    }

    /// Rows of a contact that are asked for.
    fn rows(&self, contact: usize) -> usize {
        match self.kinds[contact] {
            ContactKind::Frictional { .. } if self.search.friction => 2,
            _ => 1,
        }
    }

    /// G and W, columns scaled.
    fn directions(&self, at: &Configuration, near: &[usize]) -> (Matrix, Matrix, Vec<usize>) {
        let m = self.system.structure().sizes.constraints;
        let (mut values, mut rates) = (vec![0.0; self.jacobian.len()], vec![0.0; m]);
        self.system.jacobian(at, &mut values, &mut rates);
        let mut G = Matrix::zero(m, self.n);
        for (&(i, j), g) in self.jacobian.iter().zip(&values) {
            G.row_mut(i as usize)[j as usize] += g * self.scale[j as usize];
        }
        let mut pushed = Directions::default();
        self.system.directions(at, near, &mut pushed);
        let all: usize = near.iter().map(|&c| self.rows(c)).sum();
        let mut W = Matrix::zero(all, self.n);
        let (mut from, mut to, mut first) = (0, 0, Vec::new());
        for &contact in near {
            first.push(to);
            for k in 0..self.rows(contact) {
                let (columns, values) = pushed.row(from + k);
                for (&j, w) in columns.iter().zip(values) {
                    W.row_mut(to + k)[j as usize] += w * self.scale[j as usize];
                }
            }
            from += self.kinds[contact].dim();
            to += self.rows(contact);
        }
        (G, W, first)
    }

    /// All that is asked at q; contacts nearer than `reach`.
    fn point(&self, q: &[f64], reach: f64) -> Point {
        let sizes = self.system.structure().sizes;
        let at = Configuration::new(self.system, 0.0, q, &vec![0.0; sizes.v]);
        let (mut h, mut phi, mut gaps) =
            (vec![0.0; sizes.v], vec![0.0; sizes.constraints], vec![0.0; sizes.contacts]);
        self.system.force(&at, &mut h);
        h.iter_mut().zip(&self.scale).for_each(|(h, scale)| *h *= scale);
        self.system.constraints(&at, &mut phi);
        self.system.gaps(&at, &mut gaps);
        let asked = |&c: &usize| match self.kinds[c] {
            ContactKind::Dry { .. } => self.search.friction,
            _ => gaps[c] <= reach,
        };
        let near: Vec<usize> = (0..sizes.contacts).filter(asked).collect();
        let (G, W, first) = self.directions(&at, &near);
        Point { at, h, phi, gaps, G, near, W, first }
    }

    /// Largest open joint or penetration, relative, and whose it is.
    fn misfit(&self, point: &Point) -> (f64, String) {
        let mut worst = (0.0, String::new());
        for info in &self.system.structure().constraints {
            for (row, (quantity, _)) in info.rows.clone().zip(&info.quantities) {
                let unit = if *quantity == Quantity::Length { self.length } else { 1.0 };
                let off = point.phi[row].abs() / unit;
                if off.is_nan() || off > worst.0 {
                    worst = (off, info.name.clone());
                }
            }
        }
        for (gap, info) in point.gaps.iter().zip(&self.system.structure().contacts) {
            if gap.is_finite() && -gap / self.length > worst.0 {
                worst = (-gap / self.length, info.name.clone());
            }
        }
        worst
    }

    /// K and −∂(Gᵀλ + W P)/∂q, scaled; and the largest entry of the second.
    fn stiffness(&self, point: &Point, lambda: &[f64], P: &[f64]) -> (Matrix, f64) {
        let (mut K, mut C) = (vec![0.0; self.tangent.len()], vec![0.0; self.tangent.len()]);
        self.system.tangents(&point.at, &mut K, &mut C);
        let mut H = Matrix::zero(self.n, self.n);
        for (&(i, j), k) in self.tangent.iter().zip(&K) {
            let (i, j) = (i as usize, j as usize);
            H.row_mut(i)[j] += k * self.scale[i] * self.scale[j];
        }
        let mut geometric: f64 = 0.0;
        if lambda.iter().chain(P).any(|force| *force != 0.0) {
            let mut at = point.at.clone();
            let mut delta = vec![0.0; self.n];
            for j in 0..self.n {
                let step = DIFFERENCE
                    * match self.system.structure().velocities[j].quantity {
                        Quantity::Length => self.length,
                        Quantity::Angle => 1.0,
                    };
                let mut pull = |way: f64| {
                    delta[j] = way * step;
                    at.retract_to(self.system, 0.0, point.at.q(), &delta);
                    delta[j] = 0.0;
                    let (G, W, _) = self.directions(&at, &point.near);
                    let mut pull = G.transposed_times(lambda);
                    let of_contacts = W.transposed_times(P);
                    axpy(1.0, &of_contacts, &mut pull);
                    pull
                };
                let (ahead, behind) = (pull(1.0), pull(-1.0));
                for i in 0..self.n {
                    let change = -(ahead[i] - behind[i]) / (2.0 * step) * self.scale[j];
                    geometric = geometric.max(change.abs());
                    H.row_mut(i)[j] += change;
                }
            }
        }
        H.symmetrise();
        (H, geometric)
    }

    fn bound(&self, contact: usize, lambda: &[f64], P_N: f64) -> Option<f64> {
        match &self.kinds[contact] {
            ContactKind::Dry { constant, coefficient, rows, .. } => {
                let pressing = dot(&lambda[rows.clone()], &lambda[rows.clone()]).sqrt();
                Some(constant + coefficient * pressing)
            }
            ContactKind::Frictional { friction, .. } | ContactKind::Spatial { friction, .. } => {
                Some(friction * P_N)
            }
            ContactKind::Unilateral { .. } => None,
        }
    }

    fn law(&self, contact: usize, lambda: &[f64]) -> Law {
        match &self.kinds[contact] {
            ContactKind::Dry { .. } => Law::dry(self.bound(contact, lambda, 0.0).unwrap_or(0.0)),
            kind if self.search.friction => kind.law(),
            _ => Law::unilateral(),
        }
    }

    /// A force as people read it: N, or N m over the length of the mechanism.
    fn as_force(&self, i: usize, scaled: f64) -> f64 {
        let force = scaled.abs() / self.scale[i];
        match self.system.structure().velocities[i].quantity {
            Quantity::Length => force,
            Quantity::Angle => force / self.length,
        }
    }

    /// What is not balanced at its worst coordinate, and the largest force that acts; all as forces, with the round-off of h allowed for.
    fn balance(&self, point: &Point, lambda: &[f64], P: &[f64], H: Option<&Matrix>) -> (f64, usize, f64) {
        let by_joints = point.G.transposed_times(lambda);
        let by_contacts = point.W.transposed_times(P);
        let (mut worst, mut place, mut acting) = (0.0, 0, 0.0_f64);
        for i in 0..self.n {
            let left = self.as_force(i, point.h[i] + by_joints[i] + by_contacts[i]);
            // h is a sum of large numbers that cancel: K times the places
            let rounding = H.map_or(0.0, |H| {
                let q = point.at.q();
                let sum: f64 = (0..self.n)
                    .map(|j| H.row(i)[j].abs() * q.get(j).map_or(0.0, |q| q.abs()) / self.scale[j])
                    .sum();
                self.as_force(i, 16.0 * f64::EPSILON * sum)
            });
            let left = (left - rounding).max(0.0);
            for force in [point.h[i], by_joints[i], by_contacts[i]] {
                acting = acting.max(self.as_force(i, force));
            }
            if left.is_nan() || left > worst {
                (worst, place) = (left, i);
            }
        }
        (worst, place, acting)
    }

    fn find(&self, start: &[f64]) -> Result<Equilibrium, EquilibriumError> {
        let mut q = start.to_vec();
        let mut mu = 0.0_f64;
        let mut longest = 1.0;
        let mut P_of = vec![[0.0; 2]; self.kinds.len()];
        let mut last = (f64::INFINITY, 0, f64::INFINITY);
        let mut acted = 0.0_f64;
        let mut jams = 0;
        for iteration in 0..STEPS {
            let reach = 2.0 * LONGEST.0 * longest * self.length;
            let point = self.point(&q, reach);
            let mut P: Vec<f64> = point.near.iter().flat_map(|&c| P_of[c][..self.rows(c)].to_vec()).collect();
            let rows = Span::new(&point.G);
            // the joints take what they can of the rest
            let joined = |P: &[f64]| {
                let mut rest = point.W.transposed_times(P);
                axpy(1.0, &point.h, &mut rest);
                rest.iter_mut().for_each(|f| *f = -*f);
                rows.carry(&rest)
            };
            let mut lambda = joined(&P);
            let (H, geometric) = self.stiffness(&point, &lambda, &P);
            let (misfit, whose) = self.misfit(&point);
            let (left, place, acting) = self.balance(&point, &lambda, &P, Some(&H));
            acted = acted.max(acting);
            let residual = if left == 0.0 { 0.0 } else { left / acting };
            let lawful = self.lawful(&point, &lambda, &P, acting);
            if residual <= BALANCED && misfit <= CLOSED && lawful {
                return Ok(
                    self.answer(point, lambda, &P_of, &rows, H, geometric, residual, misfit, iteration)
                );
            }
            last = (residual, place, misfit);

            // contacts that press are stiffened along their normals, and along their tangents where they stick
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
            // reduced to what the joints leave free
            let A = stiffened.seen_from(&rows.Z);
            let mut right = point.h.clone();
            axpy(1.0, &pushed, &mut right);
            let bent = stiffened.times(&x_Y);
            axpy(-1.0, &bent, &mut right);
            let right = rows.Z.times(&right);
            let W_Z: Vec<Vec<f64>> = (0..point.W.rows).map(|r| rows.Z.times(point.W.row(r))).collect();
            let offset: Vec<f64> = {
                let mut offset = point.W.times(&x_Y);
                for (k, &contact) in point.near.iter().enumerate() {
                    if !matches!(self.kinds[contact], ContactKind::Dry { .. }) {
                        offset[point.first[k]] += point.gaps[contact];
                    }
                }
                offset
            };
            let laws: Vec<Law> = point.near.iter().map(|&c| self.law(c, &lambda)).collect();

            let floor = 1e-13 * largest;
            let force = dot(&right, &right).sqrt();
            let usual = (force / (LONGEST.0 * self.length)).max(1e-6 * largest).max(f64::MIN_POSITIVE);
            mu = mu.max(floor);
            let (x, P_new) = loop {
                let mut damped = A.clone();
                (0..damped.rows).for_each(|i| damped.row_mut(i)[i] += mu);
                let step = Cholesky::new(&damped)
                    .and_then(|factor| self.step(&factor, &rows, &x_Y, &right, &W_Z, &offset, &laws, &P));
                match step {
                    Some((x, P_new)) => {
                        let size = self.size(&x);
                        if size <= longest {
                            break (x, P_new);
                        }
                        if self.size(&x_Y) > 0.5 * longest || mu > 1e12 * usual.max(largest) {
                            // joints and contacts alone ask for more: go there in parts
                            break (x.iter().map(|x| x * longest / size).collect(), P_new);
                        }
                    }
                    None if mu > 1e12 * usual.max(largest) => {
                        return Err(EquilibriumError::Jammed { name: whose, misfit });
                    }
                    None => {}
                }
                mu = (4.0 * mu).max(1e-3 * usual * 1e-3);
            };

            // the step itself, and whether it leads along the forces
            let delta: Vec<f64> = x.iter().zip(&self.scale).map(|(x, scale)| x * scale).collect();
            let mut moved = vec![0.0; q.len()];
            self.system.retract(&q, &delta, &mut moved);
            let next = self.point(&moved, reach);
            let work: f64 = 0.5 * (dot(&point.h, &x) + dot(&next.h, &x));
            let (misfit_next, _) = self.misfit(&next);
            let mut of_next = vec![[0.0; 2]; self.kinds.len()];
            for (k, &contact) in point.near.iter().enumerate() {
                for r in 0..self.rows(contact) {
                    of_next[contact][r] = P_new[point.first[k] + r];
                }
            }
            let P_next: Vec<f64> =
                next.near.iter().flat_map(|&c| of_next[c][..self.rows(c)].to_vec()).collect();
            let rest = {
                let mut rest = next.W.transposed_times(&P_next);
                axpy(1.0, &next.h, &mut rest);
                rest.iter_mut().for_each(|f| *f = -*f);
                rest
            };
            lambda = Span::new(&next.G).carry(&rest);
            let (left_next, _, _) = self.balance(&next, &lambda, &P_next, None);
            let small = CLOSED.max(1e-6);
            let closes = misfit > small && misfit_next < misfit;
            let tidy = misfit_next <= misfit.max(UNTIDY);
            let better = left_next <= 0.9 * left || left_next <= BALANCED * acted;
            let finite = moved.iter().all(|q| q.is_finite()) && left_next.is_finite();
            if finite && tidy && (work >= 0.0 || better || closes || jams > 20) {
                let limited = self.size(&x) > 0.5 * longest;
                longest = if limited && work > 0.0 { longest * LONGER } else { 1.0 };
                q = moved;
                P_of = of_next;
                P.clear();
                mu *= 0.1;
                jams = 0;
                self.still_here(start, &q, &point, &lambda)?;
            } else {
                jams += 1;
                longest = 1.0;
                mu = (10.0 * mu).max(1e-3 * usual);
            }
        }
        let (residual, place, misfit) = last;
        if misfit > 1e-6 {
            let whose = self.misfit(&self.point(&q, 0.0)).1;
            return Err(EquilibriumError::Jammed { name: whose, misfit });
        }
        let coordinate = coordinate(self.system, place);
        Err(EquilibriumError::NotFound { steps: STEPS, coordinate, residual, misfit })
    }

    /// Contacts press and hold no more than they can, to round-off.
    fn lawful(&self, point: &Point, lambda: &[f64], P: &[f64], acting: f64) -> bool {
        point.near.iter().enumerate().all(|(k, &contact)| {
            let P = &P[point.first[k]..];
            match self.kinds[contact] {
                ContactKind::Dry { .. } => {
                    P[0].abs()
                        <= self.bound(contact, lambda, 0.0).unwrap_or(0.0) * (1.0 + 1e-6) + 1e-9 * acting
                }
                _ => P[0] * point.gaps[contact].max(0.0) <= 1e-9 * acting * self.length && P[0] >= 0.0,
            }
        })
    }

    /// z = A⁻¹ (right + W_Z P), U = offset + W_Zᵀ z, and a law per contact.
    #[allow(clippy::too_many_arguments)]
    fn step(
        &self,
        factor: &Cholesky,
        rows: &Span,
        x_Y: &[f64],
        right: &[f64],
        W_Z: &[Vec<f64>],
        offset: &[f64],
        laws: &[Law],
        guess: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
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
        // only coordinates that are places themselves tell how far something went
        if q.len() != self.n {
            return Ok(());
        }
        let by_joints = point.G.transposed_times(lambda);
        for i in 0..self.n {
            let (far, how, unit) = match self.system.structure().velocities[i].quantity {
                Quantity::Length => ((q[i] - start[i]).abs() / (GONE.0 * self.length), "moves away", "N"),
                Quantity::Angle => ((q[i] - start[i]).abs() / GONE.1, "turns without end", "N m"),
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

    #[allow(clippy::too_many_arguments)]
    fn answer(
        &self,
        point: Point,
        lambda: Vec<f64>,
        P_of: &[[f64; 2]],
        rows: &Span,
        H: Matrix,
        geometric: f64,
        residual: f64,
        misfit: f64,
        iterations: usize,
    ) -> Equilibrium {
        let touching = CLOSED.max(1e-9) * self.length;
        let mut contacts = Vec::new();
        let mut held = Vec::new();
        for (k, &contact) in point.near.iter().enumerate() {
            let [P_N, P_T] = P_of[contact];
            let name = self.system.structure().contacts[contact].name.clone();
            let dry = matches!(self.kinds[contact], ContactKind::Dry { .. });
            if dry {
                let bound = self.bound(contact, &lambda, 0.0);
                if bound.is_some_and(|bound| P_N.abs() < bound * (1.0 - 1e-9)) {
                    held.push(point.first[k]);
                }
                let force_t = Some(P_N);
                contacts.push(ContactForce { contact, name, gap: None, force_n: None, force_t, bound });
                continue;
            }
            if P_N <= 0.0 && point.gaps[contact] > touching {
                continue;
            }
            let rubs = self.rows(contact) == 2;
            let bound = self.bound(contact, &lambda, P_N).filter(|_| rubs);
            if P_N > 0.0 {
                held.push(point.first[k]);
                if bound.is_some_and(|bound| P_T.abs() < bound * (1.0 - 1e-9)) {
                    held.push(point.first[k] + 1);
                }
            }
            let arm = self.system.structure().contacts[contact].arm();
            let (gap, force_n) = (Some(point.gaps[contact] / arm), Some(P_N * arm));
            contacts.push(ContactForce { contact, name, gap, force_n, force_t: rubs.then_some(P_T), bound });
        }
        // joints, pressing contacts, and friction that holds
        let mut all = Matrix::zero(point.G.rows + held.len(), self.n);
        (0..point.G.rows).for_each(|i| all.row_mut(i).copy_from_slice(point.G.row(i)));
        held.iter().enumerate().for_each(|(k, &row)| {
            all.row_mut(point.G.rows + k).copy_from_slice(point.W.row(row));
        });
        let stability = self.stability(&point, &Span::new(&all), &H, geometric);
        Equilibrium {
            q: point.at.q().to_vec(),
            reactions: lambda,
            contacts,
            friction: self.search.friction,
            residual,
            misfit,
            iterations,
            stability,
            redundant: rows.chosen.len() < point.G.rows,
        }
    }

    fn stability(&self, point: &Point, rows: &Span, H: &Matrix, geometric: f64) -> Balance {
        let free = rows.Z.rows;
        if free == 0 {
            return Balance::Stable { slowest: None };
        }
        let pattern = &self.system.structure().pattern.mass;
        let mut values = vec![0.0; pattern.len()];
        self.system.mass(&point.at, &mut values);
        let mut M = Matrix::zero(self.n, self.n);
        for (&(i, j), m) in pattern.iter().zip(&values) {
            let (i, j) = (i as usize, j as usize);
            let scaled = m * self.scale[i] * self.scale[j];
            M.row_mut(i)[j] += scaled;
            if i != j {
                M.row_mut(j)[i] += scaled;
            }
        }
        let (A, M) = (H.seen_from(&rows.Z), M.seen_from(&rows.Z));
        let Some(mass) = Cholesky::new(&M) else { return Balance::Stable { slowest: None } };
        // C = L⁻¹ A L⁻ᵀ, row by row twice
        let half = |A: &Matrix| {
            let mut out = Matrix::zero(free, free);
            for j in 0..free {
                let mut column: Vec<f64> = (0..free).map(|i| A.row(i)[j]).collect();
                mass.forward(&mut column);
                out.row_mut(j).copy_from_slice(&column);
            }
            out
        };
        let C = {
            let mut C = half(&half(&A));
            C.symmetrise();
            C
        };
        let least = 1e-12 * C.largest() + 1e-7 * geometric;
        let names = |z: &[f64]| {
            let mut z = z.to_vec();
            mass.backward(&mut z);
            let x = rows.Z.transposed_times(&z);
            let shown: Vec<f64> = (0..self.n)
                .map(|i| {
                    let moved = (x[i] * self.scale[i]).abs();
                    if self.system.structure().velocities[i].quantity == Quantity::Length {
                        moved / self.length
                    } else {
                        moved
                    }
                })
                .collect();
            let most = shown.iter().fold(0.0, |most: f64, x| most.max(*x));
            let mut order: Vec<usize> = (0..self.n).filter(|&i| shown[i] > 0.3 * most).collect();
            order.sort_by(|&a, &b| shown[b].total_cmp(&shown[a]));
            order.truncate(4);
            order.into_iter().map(|i| coordinate(self.system, i)).collect::<Vec<_>>()
        };
        if free > MOST_MODES {
            let shifted = |by: f64| {
                let mut C = C.clone();
                (0..free).for_each(|i| C.row_mut(i)[i] += by);
                Cholesky::new(&C)
            };
            return match (shifted(-least), shifted(least)) {
                (Some(factor), _) => {
                    // inverse iteration
                    let mut z: Vec<f64> = (0..free).map(|i| 1.0 + 0.1 * (i as f64).sin()).collect();
                    let mut value = 0.0;
                    for _ in 0..200 {
                        let size = dot(&z, &z).sqrt();
                        z.iter_mut().for_each(|z| *z /= size);
                        let mut next = z.clone();
                        factor.solve(&mut next);
                        value = least + 1.0 / dot(&z, &next);
                        z = next;
                    }
                    Balance::Stable { slowest: Some(value.max(0.0).sqrt() / std::f64::consts::TAU) }
                }
                (None, Some(_)) => Balance::Neutral { free: Vec::new() },
                (None, None) => Balance::Unstable { along: Vec::new(), growth: f64::NAN },
            };
        }
        let (values, vectors) = eigen(C);
        if values[0] < -least {
            return Balance::Unstable { along: names(vectors.row(0)), growth: (-values[0]).sqrt() };
        }
        let free: Vec<Vec<String>> =
            (0..free).take_while(|&k| values[k] <= least).map(|k| names(vectors.row(k))).collect();
        if free.is_empty() {
            Balance::Stable { slowest: Some(values[0].sqrt() / std::f64::consts::TAU) }
        } else {
            Balance::Neutral { free }
        }
    }
}
