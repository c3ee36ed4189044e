//! The second phase of an impact by Poisson's law, as a contact problem of its own.           [Haddouni2015] §2.1.2.2
//!
//! ```text
//!   P_N = e P_c,N + P_x,      0 ≤ U_N ⊥ P_x ≥ 0,      −P_T ∈ μ P_N Sgn(U_T)
//! ```
//!
//! P_c is the impulse of the compression. e P_c,N is given, so a contact with friction is a unilateral row P_x and a
//! dry row whose bound follows P_x from pass to pass. P_x is zero unless what other contacts give back drives this one
//! together again.

use super::{ContactStage, Laws, Pose, norm};
use crate::ContactKind;
use crate::stage::set::ActiveSet;
use carom_solve::Law;

impl ContactStage {
    /// Whether an active contact approaches faster than `speed`, and it or another one gives something back. After
    /// [`Self::prepare`].
    pub fn bounces(&self, speed: f64) -> bool {
        let set = &self.set;
        if set.active().iter().all(|&contact| set.contacts.kind(contact).restitution() == 0.0) {
            return false;
        }
        set.normals().any(|(row, _)| self.pose.U_minus[row] < -speed)
    }

    /// Takes the P found for that of the compression and makes the active contacts ready for the decompression;
    /// `out` += W e P_c,N.
    pub fn decompress(&mut self, out: &mut [f64]) {
        let pose = &mut self.pose;
        pose.P_c.clone_from(&pose.P);
        pose.kind = Laws::Decompression;
        pose.given.clear();
        pose.laws.clear();
        for (row, contact) in self.set.each() {
            let kind = self.set.contacts.kind(contact);
            let given = (kind.restitution() * pose.P_c[row]).max(0.0);
            match kind {
                ContactKind::Unilateral { .. } => pose.laws.push(Law::unilateral()),
                ContactKind::Frictional { friction, .. } => {
                    pose.laws.extend([Law::unilateral(), Law::dry(friction * given)]);
                }
                ContactKind::Spatial { .. } => {
                    unreachable!("schemes with Poisson's law refuse contacts in space")
                }
                ContactKind::Dry { .. } => pose.laws.push(Law::dry(0.0)),
            }
            pose.given.push(given);
            pose.given.resize(row + kind.dim(), 0.0);
            let (columns, values) = pose.W.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * given;
            }
        }
        pose.P.fill(0.0);
        pose.shift.fill(0.0);
    }

    /// After the decompression: P of both phases together, and the laws of a single one again; P_b of both phases.
    pub fn recompose(&mut self, P_b: &[f64]) {
        let pose = &mut self.pose;
        for row in 0..pose.P.len() {
            pose.P[row] += pose.P_c[row] + pose.given[row];
        }
        pose.kind = Laws::Contact;
        pose.given.clear();
        pose.laws.clear();
        for &contact in self.set.active() {
            pose.laws.push(match self.set.contacts.kind(contact) {
                ContactKind::Dry { coefficient, rows, .. } => {
                    Law::dry(coefficient * norm(&P_b[rows.clone()]))
                }
                kind => kind.law(),
            });
        }
    }

    /// Whether a bound of friction depends on a reaction that is yet to be found.
    pub fn bounds_depend_on_reactions(&self) -> bool {
        let rubs = |&c: &usize| matches!(self.set.contacts.kind(c), ContactKind::Frictional { .. });
        let decompresses = self.pose.kind == Laws::Decompression;
        self.bounds_depend_on_joints() || (decompresses && self.set.active().iter().any(rubs))
    }
}

impl Pose {
    /// Bounds with the P_x and the joint impulses P_b found so far. An impact takes no time: constant bounds do nothing.
    pub(super) fn update_decompression(&mut self, set: &ActiveSet, P_b: &[f64]) {
        let mut law = 0;
        for (row, contact) in set.each() {
            match set.contacts.kind(contact) {
                ContactKind::Unilateral { .. } | ContactKind::Spatial { .. } => {}
                ContactKind::Frictional { friction, .. } => {
                    self.laws[law + 1] = Law::dry(friction * (self.given[row] + self.P[row]).max(0.0));
                    law += 1;
                }
                ContactKind::Dry { coefficient, rows, .. } => {
                    self.laws[law] = Law::dry(coefficient * norm(&P_b[rows.clone()]));
                }
            }
            law += 1;
        }
    }
}
