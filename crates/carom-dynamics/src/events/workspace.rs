//! What is sized with the system: knots, the motion, and arrays to work in.

use super::event_functions::EventFunctions;
use super::impact_and_modes::{Cause, Settle};
use crate::chart::weights_of_q;
use crate::methods::{Knot, Level, hermite};
use crate::stepping::Work;
use crate::{Configuration, ContactMode, ContactStage, Directions, Drift, Motion, State, StepError, System};

/// Nodes and weights of Gauss' rule with three points on [0, 1].
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

#[derive(Debug)]
pub(super) struct Workspace {
    pub motion: Motion,
    pub watch: EventFunctions,
    pub settle: Settle,
    pub at: Configuration,
    /// Where the step made last began and ended, and where the next one begins: they differ by what was resolved.
    pub from: Knot,
    pub to: Knot,
    pub now: Knot,
    pub x: Vec<f64>,
    pub lambda: Vec<f64>,
    pub pieces: Vec<u32>,
    /// A place inside the step.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    rows: Vec<f64>,
    zero: Vec<f64>,
    gaps: Vec<f64>,
    W: Directions,
    pub basis: Vec<[[f64; 3]; 2]>,
    /// 1 over the error that counts as one, per coordinate.
    pub weight_q: Vec<f64>,
}

impl Workspace {
    /// For one system, nowhere yet.
    pub fn new(
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        drift: Drift,
    ) -> Result<Self, StepError> {
        let mut motion = Motion::new(system);
        motion.drift = drift;
        let settle = Settle::new(system, stage, &motion, state)?;
        let mut now = Knot::new(&motion);
        now.t = f64::NAN;
        let (m, contacts) = (motion.most_rows(), system.structure().sizes.contacts);
        Ok(Self {
            watch: EventFunctions::new(system, &motion, state),
            settle,
            at: motion.configuration(system, state.t, &state.q, &state.v),
            from: Knot::new(&motion),
            to: Knot::new(&motion),
            now,
            x: vec![0.0; motion.nv()],
            lambda: vec![0.0; m],
            pieces: vec![0; contacts],
            q: state.q.clone(),
            v: state.v.clone(),
            rows: vec![0.0; m],
            zero: vec![0.0; motion.nv()],
            gaps: vec![0.0; contacts],
            W: Directions::with_room(2, 2 * motion.nv()),
            basis: Vec::with_capacity(1),
            weight_q: weights_of_q(&system.structure().rotations, motion.weight()),
            motion,
        })
    }

    /// a and λ at the end of the step, and its projection onto the rows.
    pub fn complete(&mut self, system: &dyn System, project: bool, level: Level) -> Result<(), StepError> {
        let Self { motion, at, from, to, rows, zero, x, lambda, .. } = self;
        motion.place(system, to.t, &to.q, &to.v, at);
        motion.accelerations(system, at, &mut to.a, &mut to.lambda)?;
        if let Some(contact) = motion.undecided() {
            return Err(StepError::Undecided { t: to.t, contact });
        }
        let m = motion.rows();
        if !project || m == 0 || matches!(level, Level::Position | Level::Both) {
            return Ok(());
        }
        // with the factor at hand: M x = Gᵀ μ, G x = −Φ; forms without multipliers have none
        if motion.is_dense() && !motion.factor() {
            return Err(StepError::Singular { t: to.t });
        }
        let small = 0.25 * motion.grain() * system.structure().length_scale;
        for _ in 0..2 {
            motion.positions(system, at, rows);
            if rows[..m].iter().all(|phi| phi.abs() <= small) {
                break;
            }
            for phi in &mut rows[..m] {
                *phi = -*phi;
            }
            motion.solve(zero, &rows[..m], x, lambda);
            system.chart_rate(&to.delta, x);
            for (delta, x) in to.delta.iter_mut().zip(&*x) {
                *delta += x;
            }
            at.retract_to(system, to.t, &from.q, &to.delta);
        }
        to.q.copy_from_slice(at.q());
        motion.evaluate_rows(system, at);
        motion.velocities(&to.v, rows);
        for u in &mut rows[..m] {
            *u = -*u;
        }
        motion.solve(zero, &rows[..m], x, lambda);
        for (v, x) in to.v.iter_mut().zip(&*x) {
            *v += x;
        }
        at.v.copy_from_slice(&to.v);
        Ok(())
    }

    /// Gaps that are as good as closed when one of them closes: what is left of them goes within the tolerance.
    pub fn close_together(
        &mut self,
        system: &dyn System,
        first: usize,
        tolerance: f64,
        together: f64,
        cause: &mut Cause,
    ) {
        let Self { gaps, W, .. } = self;
        system.gaps(&self.at, gaps);
        let together = together.max(self.motion.grain() * system.structure().length_scale);
        for contact in 0..gaps.len() {
            if contact == first || self.motion.modes()[contact].is_closed() || !gaps[contact].is_finite() {
                continue;
            }
            W.clear();
            system.directions(&self.at, &[contact], W);
            let U_N = W.velocity(0, &self.to.v);
            // twice the tolerance: each was located to one
            if U_N < 0.0 && gaps[contact] <= together - 2.0 * tolerance * U_N {
                cause.closing.push(contact);
            }
        }
    }

    /// A closed contact passes an edge of its surface; `at` and `pieces` are a moment later. Where it shows nothing there, the one
    /// that touches takes over; where none does, it opens.
    pub fn pass_edge(&mut self, system: &dyn System, contact: usize, together: f64, cause: &mut Cause) {
        let Self { gaps, pieces, motion, .. } = self;
        system.gaps(&self.at, gaps);
        if gaps[contact].is_finite() {
            cause.edges.push((contact, pieces[contact]));
            return;
        }
        let open = (0..gaps.len()).filter(|&c| !motion.modes()[c].is_closed() && gaps[c].abs() <= together);
        match open.min_by(|&a, &b| gaps[a].abs().total_cmp(&gaps[b].abs())) {
            Some(next) => cause.handed.push((contact, next, pieces[next])),
            None => cause.forced.push((contact, ContactMode::Open)),
        }
    }

    /// Work of smooth forces between two times inside the step; `moves`: whether joints or surfaces are moved.
    pub fn work(&mut self, system: &dyn System, from: f64, to: f64, moves: bool) -> Result<Work, StepError> {
        let mut work = Work::default();
        let with_forces = moves || self.motion.slides();
        if !with_forces && !system.structure().has_power {
            return Ok(work);
        }
        let Self { motion, at, from: begin, to: end, x, lambda, q, v, .. } = self;
        let span = end.t - begin.t;
        for (node, weight) in GAUSS {
            let t = from + node * (to - from);
            let dt = weight * (to - from);
            hermite(system, begin, end, (t - begin.t) / span, q, v, motion.room());
            motion.place(system, t, q, v, at);
            if system.structure().has_power {
                let power = system.power(at);
                work.applied += dt * power.applied;
                work.damping -= dt * power.damping;
            }
            if with_forces {
                motion.accelerations(system, at, x, lambda)?;
                let (friction, prescribed) = motion.reaction_power(&at.v, lambda);
                work.friction += dt * friction;
                work.prescribed += dt * prescribed;
            }
        }
        Ok(work)
    }
}
