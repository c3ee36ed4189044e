//! Painlevé's paradox: an impact without collision, see the head of [`super`].

use super::{AT_BOUND, Cause, Settle};
use crate::stage::MOST_ROWS;
use crate::{ContactKind, ContactMode, ContactStage, Knot, Motion, StepError, System};

impl Settle {
    /// An impact without collision: one contact that slides stops, or if that is not enough all of them do. Whether a Λ inside
    /// the cones does it.
    pub(super) fn stop_paradox(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &mut Motion,
        knot: &mut Knot,
    ) -> Result<bool, StepError> {
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        motion.evaluate_forces(system, &self.at);
        for k in 0..=self.active.len() {
            self.stop_one_or_all(system, motion, self.active.get(k).copied());
            self.stop_rows(system, motion, knot)?;
            if self.is_inside(motion) {
                self.jump(stage, motion, knot);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Modes of an impact without collision: one contact sticks, or all; the others go on as they did. Over no time a joint that
    /// rubs gives no impulse, so none is held.
    fn stop_one_or_all(&mut self, system: &dyn System, motion: &mut Motion, one: Option<usize>) {
        self.W.clear();
        system.directions(&self.at, &self.active, &mut self.W);
        self.modes.fill(ContactMode::Open);
        let mut row = 0;
        for k in 0..self.active.len() {
            let contact = self.active[k];
            let dim = motion.kind(contact).dim();
            let slides = self.speed(row, dim) > self.slow(system, motion, contact, &Cause::default());
            self.modes[contact] = match motion.kind(contact) {
                ContactKind::Unilateral { .. } => ContactMode::Closed,
                ContactKind::Dry { .. } => self.slide(system, contact, row, dim),
                _ if slides && one.is_some_and(|one| one != contact) => self.slide(system, contact, row, dim),
                _ => ContactMode::Stick,
            };
            row += dim;
        }
        motion.set_modes(&self.modes);
    }

    /// Whether the impulses found last press and stay inside the cones, and are any.
    fn is_inside(&self, motion: &Motion) -> bool {
        let (mut inside, mut most) = (true, 0.0_f64);
        for row in motion.nc()..motion.rows() {
            let (contact, of_contact) = motion.held(row);
            if of_contact != 0 {
                continue;
            }
            let imp_N = self.impulses[row];
            inside &= imp_N >= 0.0;
            most = most.max(imp_N);
            let bound = |friction: f64| friction * imp_N * (1.0 + AT_BOUND);
            match (motion.kind(contact), motion.modes()[contact]) {
                (ContactKind::Frictional { friction, .. }, ContactMode::Stick) => {
                    inside &= self.impulses[row + 1].abs() <= bound(*friction);
                }
                (ContactKind::Spatial { friction, .. }, ContactMode::Stick) => {
                    inside &= self.impulses[row + 1].hypot(self.impulses[row + 2]) <= bound(*friction);
                }
                _ => {}
            }
        }
        inside && most > 0.0
    }

    /// The jump found last happens.
    fn jump(&mut self, stage: &mut ContactStage, motion: &Motion, knot: &mut Knot) {
        let mut first = 0;
        for &contact in &self.active {
            let dim = motion.kind(contact).dim();
            let (mut U_minus, mut U_plus, mut bias, mut P) =
                ([0.0; MOST_ROWS], [0.0; MOST_ROWS], [0.0; MOST_ROWS], [0.0; MOST_ROWS]);
            for i in 0..dim {
                U_minus[i] = self.W.velocity(first + i, &knot.v);
                bias[i] = self.W.bias(first + i);
                U_plus[i] = U_minus[i] + self.W.velocity(first + i, &self.n_2) - bias[i];
            }
            for row in motion.nc()..motion.rows() {
                let (held, of_contact) = motion.held(row);
                if held == contact {
                    P[of_contact] = self.impulses[row];
                    match (motion.kind(contact), motion.modes()[contact]) {
                        (ContactKind::Frictional { friction, .. }, ContactMode::Slide(sign)) => {
                            P[1] = -sign * friction * P[0];
                        }
                        (ContactKind::Spatial { .. }, ContactMode::SlideAlong(_)) => {
                            let slope = motion.slope(row);
                            (P[1], P[2]) = (slope[0] * P[0], slope[1] * P[0]);
                        }
                        _ => {}
                    }
                }
            }
            if P[0] > 0.0 {
                self.hit.push(contact);
                self.last_impact[contact] = knot.t;
            }
            stage.record_jump(contact, U_minus, U_plus, bias, P);
            first += dim;
        }
        for (v, dv) in knot.v.iter_mut().zip(&self.n_2) {
            *v += dv;
        }
        for (sum, P_b) in self.joint_impulses.iter_mut().zip(&self.impulses) {
            *sum += P_b;
        }
    }
}
