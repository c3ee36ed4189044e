//! What is told of an equilibrium: the forces of its contacts, and whether small disturbances stay small.

#![allow(non_snake_case)]

use super::finder::{Finder, Point, Rows, coordinate};
use super::{Balance, CLOSED, ContactForce, Equilibrium};
use crate::ContactKind;
use carom_linear::dense::{Cholesky, Matrix, Span, eigen};
use carom_linear::dot;
use carom_solve::Disk;

/// Free coordinates up to which all eigenvalues are computed.
const MOST_MODES: usize = 250;

impl Finder<'_> {
    /// The equilibrium as it is told, with the residual, the misfit and the steps it took.
    pub(super) fn answer(
        &self,
        point: Point,
        lambda: Vec<f64>,
        P_of: &[Rows],
        rows: &Span,
        H: Matrix,
        geometric: f64,
        (residual, misfit, iterations): (f64, f64, usize),
    ) -> Equilibrium {
        let touching = CLOSED.max(1e-9) * self.length;
        let mut contacts = Vec::new();
        let mut held = Vec::new();
        for (k, &contact) in point.near.iter().enumerate() {
            let P_N = P_of[contact][0];
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
            let disks: Vec<Disk> = self.law(contact, &lambda).disks().collect();
            let size = |disk: &Disk| match &P_of[contact][disk.first..disk.first + disk.rows] {
                [P_T] => *P_T,
                P_T => dot(P_T, P_T).sqrt(),
            };
            if P_N > 0.0 {
                held.push(point.first[k]);
                for disk in disks.iter().filter(|disk| size(disk).abs() < disk.mu * P_N * (1.0 - 1e-9)) {
                    held.extend((disk.first..disk.first + disk.rows).map(|row| point.first[k] + row));
                }
            }
            let (force_t, bound) = (disks.first().map(size), disks.first().map(|disk| disk.mu * P_N));
            let arm = self.system.structure().contacts[contact].arm();
            let (gap, force_n) = (Some(point.gaps[contact] / arm), Some(P_N * arm));
            contacts.push(ContactForce { contact, name, gap, force_n, force_t, bound });
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
        // 1/s²: round-off of the forces over the size of the mechanism, of H, and of the differences in it
        let pull = (0..self.n).map(|i| point.h[i].abs() * self.scale[i] / self.unit(i)).fold(0.0, f64::max);
        let least = 1e-12 * C.largest().max(pull) + 1e-7 * geometric;
        let names = |z: &[f64]| {
            let mut z = z.to_vec();
            mass.backward(&mut z);
            let x = rows.Z.transposed_times(&z);
            let shown: Vec<f64> = (0..self.n).map(|i| (x[i] * self.scale[i]).abs() / self.unit(i)).collect();
            let most = shown.iter().fold(0.0, |most: f64, x| most.max(*x));
            let mut order: Vec<usize> = (0..self.n).filter(|&i| shown[i] > 0.3 * most).collect();
            order.sort_by(|&a, &b| shown[b].total_cmp(&shown[a]));
            order.truncate(4);
            order.into_iter().map(|i| coordinate(self.system, i)).collect::<Vec<_>>()
        };
        if free > MOST_MODES {
            return by_factors(&C, least);
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

/// Of many coordinates: signs of the shifted matrix, and the slowest by inverse iteration; without names.
fn by_factors(C: &Matrix, least: f64) -> Balance {
    let free = C.rows;
    let shifted = |by: f64| {
        let mut C = C.clone();
        (0..free).for_each(|i| C.row_mut(i)[i] += by);
        Cholesky::new(&C)
    };
    match (shifted(-least), shifted(least)) {
        (Some(factor), _) => {
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
    }
}
