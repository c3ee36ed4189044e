//! What the search asks of the mechanism at one configuration: forces, joints, contacts, stiffness, and how far all that is from
//! rest.

#![allow(non_snake_case)]

use super::Search;
use crate::{Configuration, ContactKind, Directions, Quantity, System};
use carom_linear::dense::Matrix;
use carom_linear::{axpy, dot};
use carom_solve::Law;

/// Central differences of G and W: step in lengths of the mechanism or radians.
const DIFFERENCE: f64 = 1e-6;
/// Most rows of a contact.
const MOST_ROWS: usize = 6;

/// P of one contact, as many of them as it has rows.
pub(super) type Rows = [f64; MOST_ROWS];

/// Everything at one configuration.
pub(super) struct Point {
    pub at: Configuration,
    /// Smooth forces.
    pub h: Vec<f64>,
    pub phi: Vec<f64>,
    pub gaps: Vec<f64>,
    pub G: Matrix,
    /// Contacts that are asked, their rows of W, and where each begins.
    pub near: Vec<usize>,
    pub W: Matrix,
    pub first: Vec<usize>,
}

pub(super) struct Finder<'a> {
    pub system: &'a dyn System,
    pub search: Search,
    pub n: usize,
    pub length: f64,
    /// D^(-1/2).
    pub scale: Vec<f64>,
    pub jacobian: Vec<(u32, u32)>,
    pub tangent: Vec<(u32, u32)>,
    pub kinds: Vec<ContactKind>,
}

/// The name of a coordinate from that of its velocity.
pub(super) fn coordinate(system: &dyn System, i: usize) -> String {
    let name = system.structure().velocities[i].name.clone();
    match name.rsplit_once('.') {
        Some((body, "vx")) => format!("{body}.x"),
        Some((body, "vy")) => format!("{body}.y"),
        Some((body, "vz")) => format!("{body}.z"),
        Some((body, "omega")) => format!("{body}.angle"),
        _ => name,
    }
}

impl<'a> Finder<'a> {
    pub(super) fn new(system: &'a dyn System, q: &[f64], search: Search) -> Self {
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

    /// What a coordinate is compared with: the length of the mechanism, or a radian.
    pub(super) fn unit(&self, i: usize) -> f64 {
        match self.system.structure().velocities[i].quantity {
            Quantity::Length => self.length,
            Quantity::Angle => 1.0,
        }
    }

    /// Rows of a contact that are asked for.
    pub(super) fn rows(&self, contact: usize) -> usize {
        if self.search.friction { self.kinds[contact].dim() } else { 1 }
    }

    /// G and W, columns scaled.
    pub(super) fn directions(&self, at: &Configuration, near: &[usize]) -> (Matrix, Matrix, Vec<usize>) {
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
    pub(super) fn point(&self, q: &[f64], reach: f64) -> Point {
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
    pub(super) fn misfit(&self, point: &Point) -> (f64, String) {
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
    pub(super) fn stiffness(&self, point: &Point, lambda: &[f64], P: &[f64]) -> (Matrix, f64) {
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
                let step = DIFFERENCE * self.unit(j);
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

    /// The largest friction of a contact that is pressed by P_N; of a joint that rubs by the reactions λ.
    pub(super) fn bound(&self, contact: usize, lambda: &[f64], P_N: f64) -> Option<f64> {
        match &self.kinds[contact] {
            ContactKind::Dry { constant, coefficient, rows, .. } => {
                let pressing = dot(&lambda[rows.clone()], &lambda[rows.clone()]).sqrt();
                Some(constant + coefficient * pressing)
            }
            kind => kind.law().disks().next().map(|disk| disk.mu * P_N),
        }
    }

    pub(super) fn law(&self, contact: usize, lambda: &[f64]) -> Law {
        match &self.kinds[contact] {
            ContactKind::Dry { .. } => Law::dry(self.bound(contact, lambda, 0.0).unwrap_or(0.0)),
            kind if self.search.friction => kind.law(),
            _ => Law::unilateral(),
        }
    }

    /// A force as people read it: N, or N m over the length of the mechanism.
    pub(super) fn as_force(&self, i: usize, scaled: f64) -> f64 {
        let force = scaled.abs() / self.scale[i];
        match self.system.structure().velocities[i].quantity {
            Quantity::Length => force,
            Quantity::Angle => force / self.length,
        }
    }

    /// What is not balanced at its worst coordinate, and the largest force that acts; all as forces, with the round-off of h allowed for.
    pub(super) fn balance(
        &self,
        point: &Point,
        lambda: &[f64],
        P: &[f64],
        H: Option<&Matrix>,
    ) -> (f64, usize, f64) {
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

    /// P of the contacts that are near, row after row.
    pub(super) fn gathered(&self, near: &[usize], P_of: &[Rows]) -> Vec<f64> {
        near.iter().flat_map(|&c| P_of[c][..self.rows(c)].to_vec()).collect()
    }

    /// −(h + W P): what is left to the joints.
    pub(super) fn left_to_joints(&self, point: &Point, P: &[f64]) -> Vec<f64> {
        let mut rest = point.W.transposed_times(P);
        axpy(1.0, &point.h, &mut rest);
        rest.iter_mut().for_each(|f| *f = -*f);
        rest
    }

    /// Contacts press and hold no more than they can, to round-off.
    pub(super) fn lawful(&self, point: &Point, lambda: &[f64], P: &[f64], acting: f64) -> bool {
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
}
