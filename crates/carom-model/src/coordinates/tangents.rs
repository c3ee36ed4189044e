//! Tangents in relative coordinates, exact, column by column.
//!
//! With B_kj = ∂r_k/∂q_j, and since turnings commute in the plane, coordinate j turns or shifts all that is below it:
//!
//! ```text
//!   D_kj = ∂v_k/∂q_j = z×(v_k − v_p)    turning,     Ω z×a_j   sliding        v_p, ν_p of the pivot, Ω before j
//!   E_kj = ∂ν_k/∂q_j = z×(ν_k − ν_p)    turning,     −Ω² a_j   sliding
//!   ∂ν_k/∂ė_j = 2 D_kj
//!   ∂²r_k/∂q_i∂q_j = z×B_kj  for i above j (or j itself) turning,  0 for i sliding
//! ```
//!
//! so that h_rel = Bᵀ w, w = h − M ν has
//!
//! ```text
//!   K = Bᵀ (K_abs B + C_abs D + M E) − Γ,    C = Bᵀ (C_abs B + 2 M D)
//!   Γ_ij = γ_l  if the upper of i, j turns;   l the lower,   γ_l = Σ_{k below l} w_k·(z×B_kl)
//! ```
//!
//! The columns of the brackets live on the subtree of j and where forces lead from there; Bᵀ is the walk of `force`.
//! The cost is that of the entries, and those of the forces.

use super::kinematics::Frames;
use super::relative::{Column, Relative};
use super::{cut, planar};
use crate::geometry::plane::{V2, add, dot, perp, scale, sub};
use carom_dynamics::{Configuration, System};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where things are, by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Entries of the pattern of every column.
    entries: Vec<Range<usize>>,
    /// Entries of the model's tangents in the order of the links of their columns, then of the own coordinates; where
    /// those of each link, and then of each own coordinate, are.
    order: Vec<usize>,
    of_link: Vec<usize>,
}

impl Relative {
    pub(super) fn tangent_pattern(&mut self) {
        let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
        let n_tree = self.tree.coordinates.len();
        let mut rows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        for j in (0..n_tree).filter(|&j| !self.tree.links[self.tree.coordinates[j].link].is_alone()) {
            for i in self.above(j) {
                rows[j].insert(i);
                rows[i].insert(j);
            }
        }
        let abs = &self.upon.structure().pattern.tangent;
        for &(row, column) in abs {
            for j in self.movers(self.columns[column as usize]) {
                rows[j].extend(self.movers(self.columns[row as usize]));
            }
        }
        let mut columns = Columns::default();
        let mut tangent = Vec::new();
        for (j, rows) in rows.iter().enumerate() {
            let from = tangent.len();
            tangent.extend(rows.iter().map(|&i| (i as u32, j as u32)));
            columns.entries.push(from..tangent.len());
        }
        let key = |entry: &usize| match self.columns[abs[*entry].1 as usize] {
            Column::Link { link, .. } => link,
            Column::Own(i) => links + i - n_tree,
        };
        columns.order = (0..abs.len()).collect();
        columns.order.sort_by_key(key);
        columns.of_link =
            (0..=links + n - n_tree).map(|k| columns.order.partition_point(|entry| key(entry) < k)).collect();
        (self.structure.pattern.tangent, self.tangent_columns) = (tangent, columns);
    }

    /// Room for the tangents beside the forces.
    pub(super) fn tangent_room(&self) -> usize {
        let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
        2 * self.upon.structure().pattern.tangent.len() + n + 3 * links + 2 * n + 6 * links + 5 * links
    }

    pub(super) fn exact_tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let ([m, n_nu], links, n) = (self.motion_sizes(), self.tree.links.len(), self.structure.sizes.v);
            let nnz = self.upon.structure().pattern.tangent.len();
            let sizes = [
                m,
                n_nu,
                self.upon.structure().sizes.v,
                3 * links,
                nnz,
                nnz,
                n,
                3 * links,
                n,
                n,
                3 * links,
                3 * links,
                5 * links,
            ];
            let [motion, nu, h_abs, wrench, K_abs, C_abs, gamma, sums, y_K, y_C, w_K, w_C, moved] =
                cut(&mut room.work, sizes);
            model.tangents(&room.inner, K_abs, C_abs);
            model.force(&room.inner, h_abs);
            self.bias(frames, &at.v, motion, nu);
            self.wrenches(h_abs, nu, wrench);
            self.virials(frames, wrench, sums, gamma);
            [&mut *y_K, &mut *y_C, &mut *w_K, &mut *w_C].into_iter().for_each(|array| array.fill(0.0));
            let mut walk = Walk { relative: self, frames, K_abs, C_abs, y: [y_K, y_C], w: [w_K, w_C] };
            for (j, coordinate) in self.tree.coordinates.iter().enumerate() {
                walk.tree_column(j, motion, nu, moved);
                // −Γ on the way up and down from j
                for i in self.above(j).filter(|&i| self.tree.coordinates[i].turns) {
                    walk.y[0][i] -= gamma[j];
                }
                if coordinate.turns {
                    let below = self.tree.links[coordinate.link].subtree.clone();
                    let last = self.tree.links[below.end - 1].coordinates.end;
                    (j + 1..last).for_each(|i| walk.y[0][i] -= gamma[i]);
                }
                walk.write(j, K, C);
            }
            for j in self.tree.coordinates.len()..n {
                walk.own_column(j);
                walk.write(j, K, C);
            }
        });
    }

    /// γ of every coordinate: force and virial Σ w·(r − r_k) of the subtrees.
    fn virials(&self, frames: Frames<'_>, wrench: &[f64], sums: &mut [f64], gamma: &mut [f64]) {
        for (k, sums) in sums.chunks_exact_mut(3).enumerate() {
            sums.copy_from_slice(&[wrench[3 * k], wrench[3 * k + 1], 0.0]);
        }
        for (k, link) in self.tree.links.iter().enumerate().rev() {
            let (F, V) = (planar(&sums[3 * k..]), sums[3 * k + 2]);
            for i in link.coordinates.clone() {
                let axis = frames.axis(i);
                gamma[i] = if self.tree.coordinates[i].turns {
                    -V - dot(F, sub(frames.r(k), axis))
                } else {
                    dot(F, perp(axis))
                };
            }
            if let Some(parent) = link.parent {
                sums[3 * parent] += F[0];
                sums[3 * parent + 1] += F[1];
                sums[3 * parent + 2] += V + dot(F, frames.arm(link, k));
            }
        }
    }
}

/// One column after the other: wrenches w of the brackets, and y = Bᵀ w, of K and of C.
struct Walk<'a> {
    relative: &'a Relative,
    frames: Frames<'a>,
    K_abs: &'a [f64],
    C_abs: &'a [f64],
    y: [&'a mut [f64]; 2],
    w: [&'a mut [f64]; 2],
}

impl Walk<'_> {
    /// The column of a coordinate of the tree; `moved` takes B and D of the links below it.
    fn tree_column(&mut self, j: usize, motion: &[f64], nu: &[f64], moved: &mut [f64]) {
        let (relative, frames) = (self.relative, self.frames);
        let coordinate = relative.tree.coordinates[j];
        let axis = frames.axis(j);
        let top = coordinate.link;
        let subtree = relative.tree.links[top].subtree.clone();
        // the pivot as a point of the link it turns; what slides a floating body does not turn
        let omega = if relative.tree.links[top].joint.is_some() { motion[3 * top + 2] } else { 0.0 };
        let lever = sub(axis, frames.r(top));
        let (v_p, nu_p) = {
            let (v, nu) = (planar(&motion[3 * top..]), planar(&nu[2 * top..]));
            let omega = motion[3 * top + 2];
            (add(v, scale(omega, perp(lever))), sub(nu, scale(omega * omega, lever)))
        };
        for k in subtree.clone() {
            let B = relative.column(frames, k, j);
            let (D, E): (V2, V2) = if coordinate.turns {
                let relative_to = |x: &[f64], p: V2| perp(sub(planar(x), p));
                (relative_to(&motion[3 * k..], v_p), relative_to(&nu[2 * k..], nu_p))
            } else {
                (scale(omega, perp(axis)), scale(-omega * omega, axis))
            };
            moved[5 * k..5 * k + 5].copy_from_slice(&[B[0], B[1], B[2], D[0], D[1]]);
            let mass = relative.tree.links[k].mass;
            for n in 0..2 {
                self.w[0][3 * k + n] += mass * E[n];
                self.w[1][3 * k + n] += 2.0 * mass * D[n];
            }
        }
        // K_abs B + C_abs D,  C_abs B
        let columns = &relative.tangent_columns;
        for &entry in &columns.order[columns.of_link[subtree.start]..columns.of_link[subtree.end]] {
            let (row, column) = relative.upon.structure().pattern.tangent[entry];
            let Column::Link { link, component } = relative.columns[column as usize] else {
                unreachable!("the entries of links come first")
            };
            let B = moved[5 * link + component];
            let D = if component < 2 { moved[5 * link + 3 + component] } else { 0.0 };
            let (k, c) = (self.K_abs[entry], self.C_abs[entry]);
            self.put(row as usize, [k * B + c * D, c * B], Some(&subtree));
        }
        // Bᵀ from the leaves to the ground
        for k in subtree.rev() {
            self.sweep(k);
        }
        let mut above = relative.tree.links[top].parent;
        while let Some(k) = above {
            self.sweep(k);
            above = relative.tree.links[k].parent;
        }
    }

    /// The column of a coordinate of a flexible body.
    fn own_column(&mut self, j: usize) {
        let relative = self.relative;
        let columns = &relative.tangent_columns;
        let place = relative.tree.links.len() + j - relative.tree.coordinates.len();
        for &entry in &columns.order[columns.of_link[place]..columns.of_link[place + 1]] {
            let row = relative.upon.structure().pattern.tangent[entry].0;
            self.put(row as usize, [self.K_abs[entry], self.C_abs[entry]], None);
        }
    }

    /// Adds to an absolute row: as a wrench where the sweep will pass, else felt along the path at once.
    fn put(&mut self, row: usize, values: [f64; 2], swept: Option<&Range<usize>>) {
        let relative = self.relative;
        match relative.columns[row] {
            Column::Own(i) => (0..2).for_each(|n| self.y[n][i] += values[n]),
            Column::Link { link, component } => {
                let subtree = &relative.tree.links[link].subtree;
                if swept.is_some_and(|swept| swept.contains(&link) || subtree.contains(&swept.start)) {
                    (0..2).for_each(|n| self.w[n][3 * link + component] += values[n]);
                    return;
                }
                for i in relative.tree.path(link) {
                    let b = relative.column(self.frames, link, i)[component];
                    (0..2).for_each(|n| self.y[n][i] += b * values[n]);
                }
            }
        }
    }

    /// What the coordinates of a link feel; the rest goes to the parent.
    fn sweep(&mut self, k: usize) {
        let relative = self.relative;
        for n in 0..2 {
            for i in relative.tree.links[k].coordinates.clone() {
                self.y[n][i] += relative.felt(self.frames, &self.w[n][3 * k..], k, i);
            }
            relative.hand_down(self.frames, self.w[n], k);
        }
    }

    /// Writes column j and forgets it.
    fn write(&mut self, j: usize, K: &mut [f64], C: &mut [f64]) {
        for entry in self.relative.tangent_columns.entries[j].clone() {
            let i = self.relative.structure.pattern.tangent[entry].0 as usize;
            K[entry] = std::mem::take(&mut self.y[0][i]);
            C[entry] = std::mem::take(&mut self.y[1][i]);
        }
    }
}
