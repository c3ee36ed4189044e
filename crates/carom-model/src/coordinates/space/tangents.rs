//! Tangents in relative coordinates in space, exact, column by column.
//!
//! An increment of q along velocity j moves all that is below it as one rigid body, with the screw of j; so it does with what
//! moves against the frame N before the group of j. With v_r, Ω_r and a_r, α_r of link k against N,
//!
//! ```text
//!   v_r = v_k − v_N,       a_r = ν_k − ν_N − 2 Ω_N×v_r        Ω_r = Ω_k − Ω_N,   α_r = α_k − α_N − Ω_N×Ω_r     N at r_k
//!   D = ∂(v, Ω)/∂q_j = (a_j×v_r + Ω_N×B,  a_j×Ω_r)                                            B = B_kj without a_j
//!   E = ∂(ν, α)/∂q_j = (a_j×a_r + 2 Ω_N×(a_j×v_r) + α_N×B + Ω_N×(Ω_N×B),   a_j×α_r + Ω_N×(a_j×Ω_r))
//!   F = ∂(ν, α)/∂e_j = (2 (a_j×v_r + Ω_N×B),  a_j×Ω_r + Ω_N×a_j)  +  of a ball Σ_l (w×a_j)·a_l B_kl
//! ```
//!
//! since Ḃ is D but for Ω_N×a_j in place of a_j×Ω_r, and the axes of a ball turn with w besides. In body axes, which turn with a_j,
//! the second halves of D and E lose a_j×Ω_k and a_j×α_k. So h_rel = Bᵀ w, w = h − M ν has
//!
//! ```text
//!   K = Bᵀ (K_abs B + C_abs D + M E) − Γ,    C = Bᵀ (C_abs B + M F)
//!   Γ_ij = a_j·g_i                   i below j, or of its group              g_l = Σ_{k below l} B_kl×F_k
//!        = a_i·(g_j + a_j×T_j)       i above j                               T_l = Σ_{k below l} T_k
//! ```
//!
//! The columns of the brackets live on the subtree of j and where forces lead from there; Bᵀ is the walk of `force`.

use super::kinematics::{Frames, SIX, add6, dot6, halves, six};
use super::relative::{Column, SpaceRelative, three};
use crate::coordinates::cut;
use crate::geometry::space::{V3, times, transposed_times};
use crate::geometry::{Vector, add, scale, sub};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, System};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where things are, by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Entries of the pattern of every column.
    entries: Vec<Range<usize>>,
    /// Entries of the model's tangents in the order of the links of their columns, and where those of each link are.
    order: Vec<usize>,
    of_link: Vec<usize>,
}

/// Numbers of a subtree: Σ F, Σ T, rows of Σ (r − r_k) Fᵀ.
const SUMS: usize = 15;
/// Numbers of a link that is moved: B and D as the model counts them.
const MOVED: usize = 12;

impl SpaceRelative {
    pub(super) fn tangent_pattern(&mut self) {
        let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
        let mut rows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        for j in (0..n).filter(|&j| !self.tree.links[self.tree.coordinates[j].link].is_alone()) {
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
        let key = |entry: &usize| self.columns[abs[*entry].1 as usize].link;
        columns.order = (0..abs.len()).collect();
        columns.order.sort_by_key(key);
        columns.of_link =
            (0..=links).map(|k| columns.order.partition_point(|entry| key(entry) < k)).collect();
        (self.structure.pattern.tangent, self.tangent_columns) = (tangent, columns);
    }

    /// Room for the tangents beside the forces.
    pub(super) fn tangent_room(&self) -> usize {
        let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
        2 * self.upon.structure().pattern.tangent.len() + 5 * n + (SUMS + 2 * SIX + MOVED) * links
    }

    pub(super) fn exact_tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
            let nnz = self.upon.structure().pattern.tangent.len();
            let six = SIX * links;
            let sizes = [
                six,
                six,
                six,
                six,
                six,
                self.upon.structure().sizes.v,
                nnz,
                nnz,
                n,
                n,
                3 * n,
                SUMS * links,
                MOVED * links,
            ];
            let [motion, nu, wrench, w_K, w_C, h_abs, K_abs, C_abs, y_K, y_C, g, sums, moved] =
                cut(&mut room.work, sizes);
            let [motion, nu, wrench, w_K, w_C] =
                [motion, nu, wrench, w_K, w_C].map(|array| array.as_chunks_mut::<SIX>().0);
            let sums = sums.as_chunks_mut::<SUMS>().0;
            let moved = moved.as_chunks_mut::<MOVED>().0;
            let g = g.as_chunks_mut::<3>().0;
            model.tangents(&room.inner, K_abs, C_abs);
            model.force(&room.inner, h_abs);
            self.bias(frames, &at.v, motion, nu);
            self.wrenches(frames, h_abs, nu, wrench);
            self.virials(frames, wrench, sums, g);
            [&mut *y_K, &mut *y_C].into_iter().for_each(|array| array.fill(0.0));
            [&mut *w_K, &mut *w_C].into_iter().for_each(|array| array.fill([0.0; 6]));
            let mut walk =
                Walk { relative: self, frames, K_abs, C_abs, y: [y_K, y_C], w: [w_K, w_C], e: &at.v };
            for (j, coordinate) in self.tree.coordinates.iter().enumerate() {
                walk.column(j, motion, nu, moved);
                // −Γ on the way up and down from j
                let a_j = halves(frames.screw(j)).1;
                let T_j = three(&sums[coordinate.link][3..]);
                let felt = add(g[j], cross(a_j, T_j));
                for i in self.above(j) {
                    walk.y[0][i] -= if coordinate.group.contains(&i) {
                        a_j.dot(g[i])
                    } else {
                        halves(frames.screw(i)).1.dot(felt)
                    };
                }
                if coordinate.turns && !self.tree.links[coordinate.link].is_alone() {
                    let below = self.tree.links[coordinate.link].subtree.clone();
                    let last = self.tree.links[below.end - 1].v.end;
                    (j + 1..last).for_each(|i| walk.y[0][i] -= a_j.dot(g[i]));
                }
                walk.write(j, K, C);
            }
        });
    }

    /// g of every velocity, from the sums over the subtrees.
    fn virials(&self, frames: Frames<'_>, wrench: &[[f64; 6]], sums: &mut [[f64; SUMS]], g: &mut [[f64; 3]]) {
        for (sums, wrench) in sums.iter_mut().zip(wrench) {
            sums.fill(0.0);
            sums[..6].copy_from_slice(wrench);
        }
        for (k, link) in self.tree.links.iter().enumerate().rev() {
            let of = sums[k];
            let F = three(&of);
            let Q = [three(&of[6..]), three(&of[9..]), three(&of[12..])];
            for i in link.v.clone() {
                // c×F + Σ (a×ρ)×F = c×F + Q a − tr(Q) a
                let (c, a) = halves(frames.screw(i));
                let trace = Q[0][0] + Q[1][1] + Q[2][2];
                g[i] = add(cross(c, F), sub(times(&Q, a), scale(trace, a)));
            }
            if let Some(parent) = link.parent {
                let d = frames.arm(link, k);
                let to = &mut sums[parent];
                (0..SUMS).for_each(|n| to[n] += of[n]);
                (0..9).for_each(|n| to[6 + n] += d[n / 3] * F[n % 3]);
            }
        }
    }
}

/// One column after the other: wrenches w of the brackets, and y = Bᵀ w, of K and of C.
struct Walk<'a> {
    relative: &'a SpaceRelative,
    frames: Frames<'a>,
    K_abs: &'a [f64],
    C_abs: &'a [f64],
    y: [&'a mut [f64]; 2],
    w: [&'a mut [[f64; 6]]; 2],
    e: &'a [f64],
}

impl Walk<'_> {
    /// The column of velocity j; `moved` takes B and D of the links below it.
    fn column(&mut self, j: usize, motion: &[[f64; 6]], nu: &[[f64; 6]], moved: &mut [[f64; MOVED]]) {
        let (relative, frames) = (self.relative, self.frames);
        let coordinate = &relative.tree.coordinates[j];
        let top = coordinate.link;
        let subtree = relative.tree.links[top].subtree.clone();
        // N at r of the link that j moves first, and what its group does
        let mut N = relative.before(frames, motion, nu, top);
        for group in relative.tree.links[top].groups().take_while(|group| group.end <= coordinate.group.start)
        {
            let (c, w) = SpaceRelative::twist(frames, self.e, group);
            N = N.and(c, w);
        }
        let (_, w) = SpaceRelative::twist(frames, self.e, coordinate.group.clone());
        let a = halves(frames.screw(j)).1;
        // axes of a ball turn with it: about its own centre by w×a
        let turned = if coordinate.group.len() > 1 { cross(w, a) } else { V3::ZERO };
        for k in subtree.clone() {
            let link = &relative.tree.links[k];
            let A = frames.A(k);
            let B = halves(&relative.column(frames, k, j)).0;
            let N = N.at(sub(frames.r(k), frames.r(top)));
            let ((v, omega), (nu, alpha)) = (halves(&motion[k]), halves(&nu[k]));
            let v_r = sub(v, N.v);
            let a_r = sub(sub(nu, N.nu), cross(scale(2.0, N.omega), v_r));
            let omega_r = sub(omega, N.omega);
            let alpha_r = sub(sub(alpha, N.alpha), cross(N.omega, omega_r));
            let swung = cross(N.omega, B);
            let D = add(cross(a, v_r), swung);
            // D_Ω − a×Ω_k = Ω_N×a
            let D_turn = cross(N.omega, a);
            let E = add(
                add(cross(a, a_r), cross(scale(2.0, N.omega), cross(a, v_r))),
                add(cross(N.alpha, B), cross(N.omega, swung)),
            );
            let E_turn = sub(add(cross(a, alpha_r), cross(N.omega, cross(a, omega_r))), cross(a, alpha));
            let mut F = scale(2.0, D);
            let mut F_turn = add(cross(a, omega_r), D_turn);
            if coordinate.group.len() > 1 {
                for i in coordinate.group.clone() {
                    let share = halves(frames.screw(i)).1.dot(turned);
                    let (along, axis) = halves(&relative.column(frames, k, i));
                    F = add(F, scale(share, along));
                    F_turn = add(F_turn, scale(share, axis));
                }
            }
            let inertial = |x: V3| SpaceRelative::inertia_times(link, &A, x);
            add6(&mut self.w[0][k], 1.0, &six(scale(link.mass, E), inertial(E_turn)));
            add6(&mut self.w[1][k], 1.0, &six(scale(link.mass, F), inertial(F_turn)));
            let (spin, D_spin) = (transposed_times(&A, a), transposed_times(&A, D_turn));
            moved[k][..6].copy_from_slice(&six(B, spin));
            moved[k][6..].copy_from_slice(&six(D, D_spin));
        }
        // K_abs B + C_abs D,  C_abs B
        let columns = &relative.tangent_columns;
        for &entry in &columns.order[columns.of_link[subtree.start]..columns.of_link[subtree.end]] {
            let (row, column) = relative.upon.structure().pattern.tangent[entry];
            let Column { link, component } = relative.columns[column as usize];
            let (B, D) = (moved[link][component], moved[link][6 + component]);
            let (k, c) = (self.K_abs[entry], self.C_abs[entry]);
            self.put(row as usize, [k * B + c * D, c * B], &subtree);
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

    /// Adds to an absolute row: as a wrench where the sweep will pass, else felt along the path at once.
    fn put(&mut self, row: usize, values: [f64; 2], swept: &Range<usize>) {
        let relative = self.relative;
        let Column { link, component } = relative.columns[row];
        let mut one = [0.0; 6];
        if component < 3 {
            one[component] = 1.0;
        } else {
            let A = self.frames.A(link);
            (0..3).for_each(|n| one[3 + n] = A[n][component - 3]);
        }
        let subtree = &relative.tree.links[link].subtree;
        if swept.contains(&link) || subtree.contains(&swept.start) {
            (0..2).for_each(|n| add6(&mut self.w[n][link], values[n], &one));
            return;
        }
        for i in relative.tree.path(link) {
            let b = dot6(&relative.column(self.frames, link, i), &one);
            (0..2).for_each(|n| self.y[n][i] += b * values[n]);
        }
    }

    /// What the velocities of a link feel; the rest goes to the parent.
    fn sweep(&mut self, k: usize) {
        let relative = self.relative;
        for n in 0..2 {
            for i in relative.tree.links[k].v.clone() {
                self.y[n][i] += dot6(self.frames.screw(i), &self.w[n][k]);
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
        // of a body that floats alone what is zero but for round-off has no entry
        let link = &self.relative.tree.links[self.relative.tree.coordinates[j].link];
        if link.is_alone() {
            link.v.clone().for_each(|i| (self.y[0][i], self.y[1][i]) = (0.0, 0.0));
        }
    }
}
