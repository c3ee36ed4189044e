//! What happens at an instant: impacts, and which contacts press, stick or slide from then on.
//!
//! ```text
//!   impact         M (v⁺ − v⁻) = Gᵀ Λ_b + W Λ,   law(U⁺ + e ∘ U⁻, Λ)      on all closed contacts, if one of them approaches
//!   mode           M a = h + Gᵀ λ_b + W λ,       law(U̇, λ)               on those that stay closed, U_N = 0
//! ```
//!
//! Both are problems of the common contact solver. Accelerations tell the next mode: a contact whose gap accelerates opens; one
//! with U_T ≠ 0 slides on; one at rest sticks if friction can hold it, else it slides as it accelerates. What an event has decided
//! already (a reaction that vanished, a bound that was reached) is forced, because at that instant the problem itself has two answers.
//!
//! **Rest.** Bounces that rise less than a given height, and impacts of one contact that follow each other within the least step,
//! are taken for plastic: infinitely many bounces in a finite time end there.
//!
//! **Painlevé.** Where the problem of accelerations has no solution, friction has made a contact press itself in while it slides. What
//! follows is an impact without collision: it sticks, U⁺ = 0 in both directions, with a Λ inside the friction cone. If there is none
//! the run ends with [`StepError::Paradox`].
//!
//! **Corners.** A contact that closes while another one of the same point is closed and slides into it has met a corner. With
//! Glocker's laws it passes without loss [Haddouni2015] (4.3)–(4.15): by reflection at the bisector of the two normals in the metric of
//! M⁻¹, or by turning the normal from one to the other in no time, which turns v in their plane by the angle between them.

use crate::schemes::Impulse;
use crate::{
    Acceleration, Configuration, ContactKind, ContactMode, ContactStage, Corner, Knot, Motion, NEAREST,
    Nature, StepError, System,
};

/// Relative velocities below this part of the fastest are none.
const STILL: f64 = 1e-13;
/// Rates below this part of the strongest are none.
const STEADY: f64 = 1e-9;
/// A reaction below this part of the strongest force presses nothing.
const WEAK: f64 = 1e-12;
/// A reaction is at its bound if it is closer than this, relatively.
const AT_BOUND: f64 = 1e-9;
/// How much more than the strongest acceleration a slip that is decided is asked for.
const DECIDED: f64 = 1e3;
/// A slide that is seen from accelerations is asked for this many times the accelerations.
const SLIDES: f64 = 1e9;
/// Impacts that follow from each other at one instant.
const MOST_IMPACTS: usize = 10;

/// What is to be settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Cause {
    /// Contacts that close now.
    pub closing: Vec<usize>,
    /// Modes that the event has decided.
    pub forced: Vec<(usize, ContactMode)>,
    /// Contacts that come to another piece.
    pub edges: Vec<(usize, u32)>,
}

/// When an impact counts as rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    /// A bounce that rises less (m).
    pub height: f64,
    /// Or follows the last impact of the contact within this time (s).
    pub time: f64,
}

/// Work arrays.
#[derive(Debug)]
pub(super) struct Settle {
    impulse: Impulse,
    acceleration: Acceleration,
    at: Configuration,
    jump: Vec<f64>,
    asked: Vec<f64>,
    gaps: Vec<f64>,
    pieces: Vec<u32>,
    active: Vec<usize>,
    modes: Vec<ContactMode>,
    bias: Vec<f64>,
    W: crate::Directions,
    last_impact: Vec<f64>,
    /// Whether a contact is in `closing`.
    closes: Vec<bool>,
    rests: Vec<bool>,
    n_1: Vec<f64>,
    n_2: Vec<f64>,
    /// Contacts that hit at this instant.
    pub hit: Vec<usize>,
    /// Impulses of the joints in the impacts of this step.
    pub joint_impulses: Vec<f64>,
}

impl Settle {
    /// For one system.
    pub fn new(
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        state: &crate::State,
    ) -> Result<Self, StepError> {
        let contacts = system.sizes().contacts;
        let mut impulse = Impulse::to_within(1e-14);
        impulse.start(system, stage, state)?;
        let mut acceleration = Acceleration::default();
        acceleration.start(system, state);
        let rows = state.P.len();
        Ok(Self {
            impulse,
            acceleration,
            at: motion.configuration(system, state.t, &state.q, &state.v),
            jump: vec![0.0; rows],
            asked: vec![0.0; rows],
            gaps: vec![0.0; contacts],
            pieces: vec![0; contacts],
            active: Vec::with_capacity(contacts),
            modes: vec![ContactMode::Open; contacts],
            bias: vec![0.0; rows],
            W: crate::Directions::with_room(rows, rows * motion.nv().min(64)),
            last_impact: vec![f64::NEG_INFINITY; contacts],
            closes: vec![false; contacts],
            rests: vec![false; contacts],
            n_1: vec![0.0; motion.nv()],
            n_2: vec![0.0; motion.nv()],
            hit: Vec::with_capacity(contacts),
            joint_impulses: vec![0.0; motion.nc()],
        })
    }

    /// Settles the instant of a knot: velocities jump, modes and pieces change in the motion, a and λ are computed anew.
    pub fn settle(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &mut Motion,
        knot: &mut Knot,
        cause: &Cause,
        rest: Rest,
    ) -> Result<(), StepError> {
        self.hit.clear();
        motion.see_velocities(&knot.v);
        if !motion.has_contacts() {
            return self.accelerate(system, motion, knot);
        }
        for &(contact, piece) in &cause.edges {
            motion.pieces[contact] = piece;
        }
        self.closes.fill(false);
        for &contact in &cause.closing {
            self.closes[contact] = true;
        }
        self.gather(system, stage, motion, knot, cause);
        for _ in 0..MOST_IMPACTS {
            if !self.impact(system, stage, motion, knot, cause, rest)? {
                break;
            }
        }
        self.decide(system, stage, motion, knot, cause)?;
        self.freeze(system, motion, knot);
        self.accelerate(system, motion, knot)
    }

    /// The contacts that are closed at this instant, and joints that rub, into `active`.
    fn gather(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        knot: &Knot,
        cause: &Cause,
    ) {
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        system.gaps(&self.at, &mut self.gaps);
        self.active.clear();
        for contact in 0..self.gaps.len() {
            let dry = matches!(motion.kind(contact), ContactKind::Dry { .. });
            let leaves = cause.forced.contains(&(contact, ContactMode::Open));
            let closed = motion.modes()[contact].is_closed() || self.gaps[contact] <= stage.round_off();
            if dry || ((closed || self.closes[contact]) && !leaves) {
                self.active.push(contact);
            }
        }
    }

    /// Normal velocity that counts as none (m/s).
    fn still(system: &dyn System, motion: &Motion) -> f64 {
        STILL * motion.fastest() * system.length_scale()
    }

    /// One impact, if a contact approaches. Whether there was one.
    fn impact(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        knot: &mut Knot,
        cause: &Cause,
        rest: Rest,
    ) -> Result<bool, StepError> {
        let still = Self::still(system, motion);
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        // what separates takes no part
        self.W.clear();
        system.directions(&self.at, &self.active, &mut self.W);
        let (mut row, mut hits) = (0, false);
        let (W, v, kinds, closes) = (&self.W, &knot.v, |c| motion.kind(c), &self.closes);
        self.active.retain(|&contact| {
            let (first, dry) = (row, matches!(kinds(contact), ContactKind::Dry { .. }));
            row += kinds(contact).dim();
            let U_N = W.velocity(first, v);
            hits |= !dry && (U_N < -still || (closes[contact] && U_N < 0.0));
            dry || U_N <= still
        });
        if !hits {
            return Ok(false);
        }
        if let Some(corner) = self.corner(system, motion, cause) {
            self.pass_corner(system, stage, motion, knot, corner)?;
            return Ok(true);
        }
        self.look_for_rest(system, motion, knot, rest);
        stage.set_active(&self.active);
        let at = self.impulse.at();
        motion.place(system, knot.t, &knot.q, &knot.v, at);
        self.jump.fill(0.0);
        stage.prepare(system, at, true, &self.jump, 0.0);
        let mut row = 0;
        for (k, &contact) in self.active.iter().enumerate() {
            if self.rests[k] {
                stage.shift_mut()[row] = 0.0;
            }
            row += motion.kind(contact).dim();
        }
        self.impulse.v.copy_from_slice(&knot.v);
        // over no time: what rubs with a constant force gives no impulse
        self.impulse.solve(system, stage, knot.t, 0.0)?;
        stage.scatter(1.0, &mut self.jump);
        stage.record(Nature::Impact, &self.impulse.v, &self.jump);
        knot.v.copy_from_slice(&self.impulse.v);
        for (sum, P_b) in self.joint_impulses.iter_mut().zip(&self.impulse.P_b) {
            *sum += P_b;
        }
        for &contact in &self.active {
            let dry = matches!(motion.kind(contact), ContactKind::Dry { .. });
            if !dry && self.jump[stage.offset(contact)] > 0.0 {
                self.last_impact[contact] = knot.t;
                self.hit.push(contact);
            }
        }
        // one that hit is closed now like any other
        self.closes.fill(false);
        Ok(true)
    }

    /// Which of the active contacts are to come to rest: slow bounces, with the accelerations before the impact.
    fn look_for_rest(&mut self, system: &dyn System, motion: &Motion, knot: &Knot, rest: Rest) {
        self.rests.clear();
        self.W.clear();
        system.directions(&self.at, &self.active, &mut self.W);
        let rows = self.W.rows();
        system.contact_bias(&self.at, &self.active, &mut self.bias[..rows]);
        let mut row = 0;
        for &contact in &self.active {
            let U_N = self.W.velocity(row, &knot.v);
            let rate = self.W.velocity(row, &knot.a) - self.W.bias(row) + self.bias[row];
            let up = motion.kind(contact).restitution() * U_N;
            let low = rate < 0.0 && up * up <= -2.0 * rate * rest.height;
            let soon = knot.t - self.last_impact[contact] <= rest.time;
            self.rests.push(low || soon);
            row += motion.kind(contact).dim();
        }
    }

    /// The modes of what is left in `active`, all with U_N = 0.
    fn decide(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &mut Motion,
        knot: &mut Knot,
        cause: &Cause,
    ) -> Result<(), StepError> {
        for _ in 0..MOST_IMPACTS {
            match self.solve_modes(system, stage, motion, knot, cause) {
                Ok(()) => return Ok(()),
                Err(error @ StepError::Contact { .. }) => {
                    if !self.stop_paradox(system, motion, knot)? {
                        return Err(match error {
                            StepError::Contact { t, contact, .. } => StepError::Paradox { t, contact },
                            other => other,
                        });
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(StepError::Paradox { t: knot.t, contact: self.active.first().copied().unwrap_or(0) })
    }

    /// Whether the modes of a motion are those that its contacts choose at a configuration: where reactions are not unique, this
    /// and not their signs tells whether a mode ends.
    pub fn agrees(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        at: &Configuration,
    ) -> Result<bool, StepError> {
        self.active.clear();
        for (contact, mode) in motion.modes().iter().enumerate() {
            if mode.is_closed() {
                self.active.push(contact);
            }
        }
        self.at.pieces.clone_from(&at.pieces);
        self.at.clone_position_from(at);
        self.at.v.copy_from_slice(&at.v);
        match self.modes_here(system, stage, motion, &Cause::default()) {
            Ok(()) => Ok(self.modes.iter().zip(motion.modes()).all(|(a, b)| a == b)),
            Err(StepError::Contact { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn solve_modes(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &mut Motion,
        knot: &Knot,
        cause: &Cause,
    ) -> Result<(), StepError> {
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        self.modes_here(system, stage, motion, cause)?;
        motion.set_modes(&self.modes);
        Ok(())
    }

    /// `modes` of the contacts in `active` at `self.at`, the others open.
    fn modes_here(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        cause: &Cause,
    ) -> Result<(), StepError> {
        self.modes.fill(ContactMode::Open);
        if self.active.is_empty() {
            return Ok(());
        }
        self.W.clear();
        system.directions(&self.at, &self.active, &mut self.W);
        // slides are asked for a moment later, slips that are decided by force
        self.acceleration.lambda.fill(0.0);
        let strongest = self.strongest(system, stage)?;
        self.asked.fill(0.0);
        let mut row = 0;
        for &contact in &self.active {
            let dim = motion.kind(contact).dim();
            let last = row + dim - 1;
            if let Some(sign) = self.sliding(system, motion, contact, last, cause) {
                let U_T = self.W.velocity(last, &self.at.v);
                let still = self.slow(system, motion, contact);
                let factor = if U_T.abs() > still { SLIDES } else { DECIDED };
                self.asked[stage.offset(contact) + dim - 1] = sign * factor * strongest;
            }
            row += dim;
        }
        stage.set_active(&self.active);
        self.acceleration.solve_active(system, stage, &self.at, &[], &self.asked, false)?;
        let (lambda, rates) = (&self.acceleration.lambda, &self.acceleration.rates);
        let weak = WEAK * self.n_1.iter().chain(lambda).fold(0.0, |most: f64, f| most.max(f.abs()));
        let mut row = 0;
        for &contact in &self.active {
            let (first, kind) = (stage.offset(contact), motion.kind(contact));
            let last = row + kind.dim() - 1;
            let sliding = self.sliding(system, motion, contact, last, cause);
            row += kind.dim();
            let tangential = first + kind.dim() - 1;
            self.modes[contact] = match kind {
                ContactKind::Dry { .. } => {
                    let bound = stage.bound_of(contact).unwrap_or(0.0);
                    rub(sliding, lambda[first], bound, rates[first], strongest)
                }
                // what accelerates away is open; what neither presses nor leaves stays what it was
                _ if rates[first] > STEADY * strongest * system.length_scale() => ContactMode::Open,
                _ if !motion.modes()[contact].is_closed() && lambda[first] <= weak => ContactMode::Open,
                ContactKind::Frictional { friction, .. } if *friction > 0.0 => rub(
                    sliding,
                    lambda[tangential],
                    friction * lambda[first],
                    rates[tangential],
                    strongest * system.length_scale(),
                ),
                _ => ContactMode::Closed,
            };
        }
        Ok(())
    }

    /// The strongest acceleration around, weighed: what rates are compared with.
    fn strongest(&mut self, system: &dyn System, stage: &mut ContactStage) -> Result<f64, StepError> {
        if !stage.operator.evaluate_mass(system, &self.at, false) {
            return Err(StepError::Singular { t: self.at.t() });
        }
        let mut h = std::mem::take(&mut self.n_1);
        let mut a = std::mem::take(&mut self.n_2);
        system.force(&self.at, &mut h);
        stage.operator.solve_mass(&h, &mut a);
        let length = system.length_scale();
        let mut most: f64 = 0.0;
        for (i, a) in a.iter().enumerate() {
            let weight =
                if system.velocity_quantity(i) == crate::Quantity::Length { 1.0 / length } else { 1.0 };
            most = most.max((a * weight).abs());
        }
        // what turns accelerates too
        for (i, v) in self.at.v.iter().enumerate() {
            let weight =
                if system.velocity_quantity(i) == crate::Quantity::Length { 1.0 / length } else { 1.0 };
            most = most.max((v * weight).powi(2));
        }
        (self.n_1, self.n_2) = (h, a);
        Ok(most)
    }

    /// A tangential velocity that counts as none: m/s, or rad/s in a pivot.
    fn slow(&self, system: &dyn System, motion: &Motion, contact: usize) -> f64 {
        match motion.kind(contact) {
            ContactKind::Dry { quantity: crate::Quantity::Angle, .. } => 1e3 * STILL * motion.fastest(),
            _ => 1e3 * Self::still(system, motion),
        }
    }

    /// The sign of a slide that goes on or was decided; none where it rests.
    fn sliding(
        &self,
        system: &dyn System,
        motion: &Motion,
        contact: usize,
        row: usize,
        cause: &Cause,
    ) -> Option<f64> {
        if matches!(motion.kind(contact), ContactKind::Unilateral { .. }) {
            return None;
        }
        let forced = cause.forced.iter().find_map(|&(c, mode)| match mode {
            ContactMode::Slide(sign) if c == contact => Some(sign),
            _ => None,
        });
        let U_T = self.W.velocity(row, &self.at.v);
        forced.or_else(|| (U_T.abs() > self.slow(system, motion, contact)).then(|| U_T.signum()))
    }

    /// An impact without collision: everything that slides stops. Whether a Λ inside the cone does it.
    fn stop_paradox(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        knot: &mut Knot,
    ) -> Result<bool, StepError> {
        for &contact in &self.active {
            self.modes[contact] = match motion.kind(contact) {
                ContactKind::Unilateral { .. } => ContactMode::Closed,
                _ => ContactMode::Stick,
            };
        }
        motion.set_modes(&self.modes);
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        motion.evaluate_forces(system, &self.at);
        motion.evaluate_rows(system, &self.at);
        motion.push_here();
        if !motion.factor() {
            return Err(StepError::Singular { t: knot.t });
        }
        let m = motion.rows();
        let mut right = vec![0.0; m];
        motion.velocities(&knot.v, &mut right);
        for right in &mut right {
            *right = -*right;
        }
        self.n_1.fill(0.0);
        motion.solve(&self.n_1, &right, &mut self.n_2, &mut knot.lambda);
        let (mut inside, mut size) = (true, 0.0_f64);
        for row in motion.nc()..m {
            let (contact, of_contact) = motion.held(row);
            if let (ContactKind::Frictional { friction, .. }, 0) = (motion.kind(contact), of_contact) {
                let (imp_N, imp_T) = (knot.lambda[row], knot.lambda[row + 1]);
                inside &= imp_N >= 0.0 && imp_T.abs() <= friction * imp_N * (1.0 + AT_BOUND);
                size = size.max(imp_N);
            }
        }
        if !inside || size == 0.0 {
            return Ok(false);
        }
        for (v, dv) in knot.v.iter_mut().zip(&self.n_2) {
            *v += dv;
        }
        self.hit.extend_from_slice(&self.active);
        Ok(true)
    }

    /// Closed contacts are seen on the piece they are at from now on, open ones wherever they are nearest.
    fn freeze(&mut self, system: &dyn System, motion: &mut Motion, knot: &Knot) {
        if !system.has_pieces() {
            return;
        }
        self.at.pieces.clear();
        self.at.move_to(system, knot.t, &knot.q);
        system.pieces(&self.at, &mut self.pieces);
        for contact in 0..self.pieces.len() {
            if !motion.modes()[contact].is_closed() {
                motion.pieces[contact] = NEAREST;
            } else if motion.pieces[contact] == NEAREST {
                motion.pieces[contact] = self.pieces[contact];
            }
        }
    }

    /// a and λ of the knot in its new mode.
    fn accelerate(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        knot: &mut Knot,
    ) -> Result<(), StepError> {
        motion.see_velocities(&knot.v);
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        motion.accelerations(system, &self.at, &mut knot.a, &mut knot.lambda)
    }

    /// The two contacts of a corner that one of Glocker's laws takes: the one left, the one met, and the law.
    fn corner(&self, system: &dyn System, motion: &Motion, cause: &Cause) -> Option<(usize, usize, Corner)> {
        let [met] = cause.closing[..] else { return None };
        let law = system.contact_info()[met].corner;
        if law == Corner::Newton {
            return None;
        }
        let mut closed = self.active.iter().copied().filter(|&c| {
            c != met && motion.modes()[c].is_closed() && !matches!(motion.kind(c), ContactKind::Dry { .. })
        });
        let left = closed.next()?;
        closed.next().is_none().then_some((left, met, law))
    }

    /// v⁺ past a corner.
    fn pass_corner(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        knot: &mut Knot,
        (left, met, law): (usize, usize, Corner),
    ) -> Result<(), StepError> {
        if !stage.operator.evaluate_mass(system, &self.at, false) {
            return Err(StepError::Singular { t: knot.t });
        }
        // unit normals in the metric of M⁻¹, as M⁻¹ n
        let nv = motion.nv();
        let mut G = [vec![0.0; nv], vec![0.0; nv]];
        for (G, contact) in G.iter_mut().zip([left, met]) {
            self.W.clear();
            system.directions(&self.at, &[contact], &mut self.W);
            let (columns, values) = self.W.row(0);
            for (&column, w) in columns.iter().zip(values) {
                G[column as usize] += w;
            }
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        stage.operator.solve_mass(&G[0], &mut self.n_1);
        stage.operator.solve_mass(&G[1], &mut self.n_2);
        let (size_1, size_2) = (dot(&G[0], &self.n_1).sqrt(), dot(&G[1], &self.n_2).sqrt());
        let (u_1, u_2) = (dot(&G[0], &knot.v) / size_1, dot(&G[1], &knot.v) / size_2);
        let cosine = (dot(&G[0], &self.n_2) / (size_1 * size_2)).clamp(-1.0, 1.0);
        let before = u_2 * size_2;
        match law {
            // v⁺ = v⁻ − 2 M⁻¹ n_P (n_Pᵀ v⁻) / (n_Pᵀ M⁻¹ n_P),   n_P = n_1 + n_2            (4.12)–(4.14)
            Corner::Reflection | Corner::Newton => {
                let share = 2.0 * (u_1 + u_2) / (2.0 + 2.0 * cosine);
                for i in 0..nv {
                    knot.v[i] -= share * (self.n_1[i] / size_1 + self.n_2[i] / size_2);
                }
            }
            // in the plane of n_1 and e ⊥ n_1, n_2 = cos φ n_1 + sin φ e: v turns by φ      (4.3)–(4.7)
            Corner::TimeScaling => {
                let sine = (1.0 - cosine * cosine).sqrt();
                if sine > 0.0 {
                    let u_e = (u_2 - cosine * u_1) / sine;
                    let (new_1, new_e) = (cosine * u_1 - sine * u_e, sine * u_1 + cosine * u_e);
                    let (d_1, d_e) = (new_1 - u_1, new_e - u_e);
                    for i in 0..nv {
                        let (n_1, n_2) = (self.n_1[i] / size_1, self.n_2[i] / size_2);
                        knot.v[i] += d_1 * n_1 + d_e * (n_2 - cosine * n_1) / sine;
                    }
                }
            }
        }
        stage.record_corner(met, before, dot(&G[1], &knot.v));
        self.hit.push(met);
        self.closes.fill(false);
        Ok(())
    }
}

/// What a frictional row does: slides on, sticks, or begins to slide.
fn rub(sliding: Option<f64>, lambda_T: f64, bound: f64, rate: f64, strongest: f64) -> ContactMode {
    match sliding {
        Some(sign) => ContactMode::Slide(sign),
        None if lambda_T.abs() >= bound * (1.0 - AT_BOUND) && rate.abs() > STEADY * strongest => {
            ContactMode::Slide(rate.signum())
        }
        None => ContactMode::Stick,
    }
}
