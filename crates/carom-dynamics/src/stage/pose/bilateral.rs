//! Contacts held for a moment as if they were joints.                                     [Ebrahimi2007] (3.11), (3.12)
//!
//! ```text
//!   U_N = 0,  P_N free,      −P_T ∈ μ max(P_N, 0) Sgn(U_T)
//! ```
//!
//! A contact with friction is a bilateral row and a dry row whose bound follows P_N from pass to pass.

use super::{ContactStage, Laws, Pose, norm};
use crate::ContactKind;
use crate::stage::set::ActiveSet;
use carom_solve::Law;

/// Bounds that change by less than this, relatively, stand.
const STANDS: f64 = 1e-12;

impl ContactStage {
    /// After [`Self::prepare`]: the normal rows become joints until [`Self::make_unilateral`].
    pub fn make_bilateral(&mut self) {
        let pose = &mut self.pose;
        pose.kind = Laws::Bilateral;
        pose.laws.clear();
        for (row, contact) in self.set.each() {
            match self.set.contacts.kind(contact) {
                ContactKind::Unilateral { .. } => pose.laws.push(Law::bilateral()),
                ContactKind::Frictional { friction, .. } => {
                    let bound = friction * pose.P[row].max(0.0);
                    pose.laws.extend([Law::bilateral(), Law::dry(bound)]);
                }
                ContactKind::Spatial { .. } => {
                    unreachable!("schemes that hold contacts refuse those in space")
                }
                kind @ ContactKind::Dry { .. } => pose.laws.push(kind.law()),
            }
        }
    }

    /// Whether contacts are held.
    pub fn is_bilateral(&self) -> bool {
        self.pose.kind == Laws::Bilateral
    }

    /// The laws of contacts again.
    pub fn make_unilateral(&mut self) {
        if !self.is_bilateral() {
            return;
        }
        let (pose, active) = (&mut self.pose, self.set.active());
        pose.kind = Laws::Contact;
        let mut next = 0;
        for (k, &contact) in active.iter().enumerate() {
            let kind = self.set.contacts.kind(contact);
            // joints that rub keep their bound
            pose.laws[k] = if kind.has_gap() { kind.law() } else { pose.laws[next] };
            next += kind.dim();
        }
        pose.laws.truncate(active.len());
    }
}

impl Pose {
    /// Bounds with the P_N and the joint impulses found so far; whether those of the contacts stand.
    pub(super) fn update_bilateral(&mut self, set: &ActiveSet, dt: f64, P_b: &[f64]) -> bool {
        let (mut law, mut stands) = (0, true);
        for (row, contact) in set.each() {
            match set.contacts.kind(contact) {
                ContactKind::Unilateral { .. } | ContactKind::Spatial { .. } => {}
                ContactKind::Frictional { friction, .. } => {
                    law += 1;
                    let new = friction * self.P[row].max(0.0);
                    if let Some(bound) = self.laws[law].bound() {
                        stands &= (new - bound).abs() <= STANDS * new;
                        self.laws[law] = Law::dry(new);
                    }
                }
                ContactKind::Dry { constant, coefficient, rows, .. } => {
                    let bound = dt * constant + coefficient * norm(&P_b[rows.clone()]);
                    self.laws[law] = Law::dry(bound);
                }
            }
            law += 1;
        }
        stands
    }
}
