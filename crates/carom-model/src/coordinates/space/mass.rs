//! M_rel = Bᵀ M B by composite bodies: M_ij with i above j needs the subtree of j as one body only.
//!
//! ```text
//!   of the subtree of j: mass m, centre s, inertia J about it.   p = m (velocity of s by j),   L = J a_j
//!   M_ij = (velocity of s by i)·p + a_i·L
//! ```

use super::kinematics::{Frames, halves};
use super::relative::SpaceRelative;
use crate::geometry::space::{M3, V3, matrix_product};
use crate::geometry::{Vector, add, scale, sub};
use carom_dynamics::rotation::cross;

/// Numbers of a composite body: m, s, rows of J.
const COMPOSITE: usize = 13;

const SAME_ORDER: &str = "the pattern was built in the same order";

impl SpaceRelative {
    pub(super) fn mass_room(&self) -> usize {
        COMPOSITE * self.tree.links.len()
    }

    pub(super) fn composite_mass(&self, frames: Frames<'_>, work: &mut [f64], M: &mut [f64]) {
        let composites = work[..self.mass_room()].as_chunks_mut::<COMPOSITE>().0;
        for (k, link) in self.tree.links.iter().enumerate() {
            let (A, r) = (frames.A(k), frames.r(k));
            let transposed: M3 = [0, 1, 2].map(|i| [A[0][i], A[1][i], A[2][i]]);
            let J = matrix_product(&matrix_product(&A, &link.inertia), &transposed);
            let of = &mut composites[k];
            of[0] = link.mass;
            of[1..4].copy_from_slice(&r);
            (0..3).for_each(|i| of[4 + 3 * i..7 + 3 * i].copy_from_slice(&J[i]));
        }
        for k in (0..self.tree.links.len()).rev() {
            let Some(parent) = self.tree.links[k].parent else { continue };
            let of = composites[k];
            let to = &mut composites[parent];
            let (m, m_P) = (of[0], to[0]);
            let share = m / (m_P + m);
            let d = sub(V3::read(&of[1..]), V3::read(&to[1..]));
            // about the common centre: + μ (d·d 1 − d dᵀ)
            let (reduced, d2) = (m_P * share, d.dot(d));
            to[0] += m;
            for i in 0..3 {
                to[1 + i] += share * d[i];
                for j in 0..3 {
                    let own = if i == j { d2 } else { 0.0 };
                    to[4 + 3 * i + j] += of[4 + 3 * i + j] + reduced * (own - d[i] * d[j]);
                }
            }
        }
        let mut out = M.iter_mut();
        for (j, coordinate) in self.tree.coordinates.iter().enumerate() {
            let link = &self.tree.links[coordinate.link];
            if link.is_alone() {
                // as it is, without the round-off of turning it there and back
                let own = |i: usize| i - coordinate.group.start;
                for i in self.above(j) {
                    *out.next().expect(SAME_ORDER) =
                        if coordinate.turns { link.inertia[own(j)][own(i)] } else { link.mass };
                }
                continue;
            }
            let of = &composites[coordinate.link];
            let s = V3::read(&of[1..]);
            let rate = |i: usize| {
                let (c, a) = halves(frames.screw(i));
                (add(c, cross(a, sub(s, frames.r(self.tree.coordinates[i].link)))), a)
            };
            let (velocity, a) = rate(j);
            let p = scale(of[0], velocity);
            let L = [0, 1, 2].map(|i| V3::read(&of[4 + 3 * i..]).dot(a));
            for i in self.above(j) {
                let (velocity, a) = rate(i);
                *out.next().expect(SAME_ORDER) = velocity.dot(p) + a.dot(L);
            }
        }
    }
}
