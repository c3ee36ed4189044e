//! The second phase of an impact by Poisson's law, as a contact problem of its own.           [Haddouni2015] §2.1.2.2
//!
//! ```text
//!   P_N = e P_c,N + P_x,      0 ≤ U_N ⊥ P_x ≥ 0,      −P_T ∈ μ P_N Sgn(U_T)
//! ```
//!
//! P_c is the impulse of the compression. e P_c,N is given, so a contact with friction is a unilateral row P_x and a
//! dry row whose bound follows P_x from pass to pass. P_x is zero unless what other contacts give back drives this one
//! together again.

use super::ContactStage;
use crate::ContactKind;
use carom_solve::Law;

impl ContactStage {
    /// Whether an active contact approaches faster than `speed`, and it or another one gives something back. After
    /// [`Self::prepare`].
    pub fn bounces(&self, speed: f64) -> bool {
        if self.active.iter().all(|&contact| self.kinds[contact].restitution() == 0.0) {
            return false;
        }
        let mut row = 0;
        self.active.iter().any(|&contact| {
            let U_minus = self.U_minus[row];
            row += self.kinds[contact].dim();
            !matches!(self.kinds[contact], ContactKind::Dry { .. }) && U_minus < -speed
        })
    }

    /// Takes the P found for that of the compression and makes the active contacts ready for the decompression;
    /// `out` += W e P_c,N.
    pub fn decompress(&mut self, out: &mut [f64]) {
        self.P_c.clone_from(&self.P);
        self.given.clear();
        self.laws.clear();
        for &contact in &self.active {
            let kind = &self.kinds[contact];
            let row = self.given.len();
            let given = (kind.restitution() * self.P_c[row]).max(0.0);
            match kind {
                ContactKind::Unilateral { .. } => self.laws.push(Law::unilateral()),
                ContactKind::Frictional { friction, .. } => {
                    self.laws.extend([Law::unilateral(), Law::dry(friction * given)]);
                }
                ContactKind::Dry { .. } => self.laws.push(Law::dry(0.0)),
            }
            self.given.push(given);
            self.given.resize(row + kind.dim(), 0.0);
            let (columns, values) = self.W.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * given;
            }
        }
        self.P.fill(0.0);
        self.shift.fill(0.0);
    }

    /// After the decompression: P of both phases together, and the laws of a single one again; P_b of both phases.
    pub fn recompose(&mut self, P_b: &[f64]) {
        for row in 0..self.P.len() {
            self.P[row] += self.P_c[row] + self.given[row];
        }
        self.given.clear();
        self.laws.clear();
        for &contact in &self.active {
            self.laws.push(match &self.kinds[contact] {
                ContactKind::Unilateral { .. } => Law::unilateral(),
                ContactKind::Frictional { friction, .. } => Law::planar_coulomb(*friction),
                ContactKind::Dry { coefficient, rows, .. } => {
                    Law::dry(coefficient * norm(&P_b[rows.clone()]))
                }
            });
        }
    }

    /// Whether a bound of friction depends on a reaction that is yet to be found.
    pub fn bounds_depend_on_reactions(&self) -> bool {
        let frictional = |&c: &usize| matches!(self.kinds[c], ContactKind::Frictional { .. });
        self.bounds_depend_on_joints() || (self.is_decompressing() && self.active.iter().any(frictional))
    }

    pub(super) fn is_decompressing(&self) -> bool {
        !self.given.is_empty()
    }

    /// Bounds with the P_x and the joint impulses P_b found so far. An impact takes no time: constant bounds do nothing.
    pub(super) fn update_decompression(&mut self, P_b: &[f64]) {
        let (mut row, mut law) = (0, 0);
        for &contact in &self.active {
            match &self.kinds[contact] {
                ContactKind::Unilateral { .. } => {}
                ContactKind::Frictional { friction, .. } => {
                    self.laws[law + 1] = Law::dry(friction * (self.given[row] + self.P[row]).max(0.0));
                    law += 1;
                }
                ContactKind::Dry { coefficient, rows, .. } => {
                    self.laws[law] = Law::dry(coefficient * norm(&P_b[rows.clone()]));
                }
            }
            law += 1;
            row += self.kinds[contact].dim();
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
