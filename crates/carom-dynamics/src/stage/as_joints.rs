//! Contacts held for a moment as if they were joints.                                     [Ebrahimi2007] (3.11), (3.12)
//!
//! ```text
//!   U_N = 0,  P_N free,      −P_T ∈ μ max(P_N, 0) Sgn(U_T)
//! ```
//!
//! A contact with friction is a bilateral row and a dry row whose bound follows P_N from pass to pass.

use super::ContactStage;
use crate::ContactKind;
use carom_solve::Law;

/// Bounds that change by less than this, relatively, stand.
const STANDS: f64 = 1e-12;

impl ContactStage {
    /// After [`Self::prepare`]: the normal rows become joints until [`Self::contacts_again`].
    pub fn as_joints(&mut self) {
        self.joined = true;
        self.laws.clear();
        let mut row = 0;
        for &contact in &self.active {
            match &self.kinds[contact] {
                ContactKind::Unilateral { .. } => self.laws.push(Law::bilateral()),
                ContactKind::Frictional { friction, .. } => {
                    let bound = friction * self.P[row].max(0.0);
                    self.laws.extend([Law::bilateral(), Law::dry(bound)]);
                }
                ContactKind::Dry { constant, .. } => self.laws.push(Law::dry(*constant)),
            }
            row += self.kinds[contact].dim();
        }
    }

    /// Whether contacts are held.
    pub fn are_joints(&self) -> bool {
        self.joined
    }

    /// The laws of contacts again.
    pub fn contacts_again(&mut self) {
        if !std::mem::take(&mut self.joined) {
            return;
        }
        let mut next = 0;
        for k in 0..self.active.len() {
            let law = match &self.kinds[self.active[k]] {
                ContactKind::Unilateral { .. } => Law::unilateral(),
                ContactKind::Frictional { friction, .. } => {
                    next += 1;
                    Law::planar_coulomb(*friction)
                }
                ContactKind::Dry { .. } => self.laws[next],
            };
            self.laws[k] = law;
            next += 1;
        }
        self.laws.truncate(self.active.len());
    }

    /// Bounds with the P_N and the joint impulses found so far; whether those of the contacts stand.
    pub(super) fn update_as_joints(&mut self, dt: f64, P_b: &[f64]) -> bool {
        let (mut row, mut law, mut stands) = (0, 0, true);
        for &contact in &self.active {
            match &self.kinds[contact] {
                ContactKind::Unilateral { .. } => {}
                ContactKind::Frictional { friction, .. } => {
                    law += 1;
                    let new = friction * self.P[row].max(0.0);
                    if let Some(bound) = self.laws[law].bound() {
                        stands &= (new - bound).abs() <= STANDS * new;
                        self.laws[law] = Law::dry(new);
                    }
                }
                ContactKind::Dry { constant, coefficient, rows, .. } => {
                    let pressed = P_b[rows.clone()].iter().map(|p| p * p).sum::<f64>().sqrt();
                    self.laws[law] = Law::dry(dt * constant + coefficient * pressed);
                }
            }
            law += 1;
            row += self.kinds[contact].dim();
        }
        stands
    }
}
