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
//! are taken for plastic: infinitely many bounces in a finite time end there. Where that is switched off, a contact whose bounces cannot
//! be told from round-off any more ends the run with [`StepError::Accumulation`].
//!
//! **Painlevé.** Where the problem of accelerations has no solution, friction has made a contact press itself in while it slides. What
//! follows is an impact without collision: it sticks, U⁺ = 0 in both directions, with a Λ inside the friction cone. One contact
//! alone can always stop so: with D = Wᵀ M⁻¹ W there are no accelerations because D_NN − μ s D_NT < 0, and the Λ that stops it has
//! |Λ_T|/Λ_N = D_NN/|D_NT| < μ. Of several each is tried by itself while the others slide on, then all together; if no Λ does it the
//! run ends with [`StepError::Paradox`].
//!
//! **Joints of surfaces.** A surface may be several contacts, one per piece. Where it goes on smoothly from one to the other the
//! contact is handed over, without an impact.
//!
//! **Corners.** A contact that closes while its body touches one other contact and slides into it has met a corner. With
//! Glocker's laws it passes without loss [Haddouni2015] (4.3)–(4.15): by reflection at the bisector of the two normals in the metric of
//! M⁻¹, or by turning the normal from one to the other in no time, which turns v in their plane by the angle between them.

mod corner;
mod paradox;

use crate::motion::{in_basis, in_space};
use crate::schemes::Impulse;
use crate::{
    Acceleration, Configuration, ContactKind, ContactMode, ContactStage, ImpulseKind, Knot, Motion, NEAREST,
    Quantity, StepError, System,
};

/// Relative velocities below this part of the fastest are none.
const STILL: f64 = 1e-13;
/// Rates below this part of the strongest are none.
const STEADY: f64 = 1e-11;
/// A reaction below this part of the strongest force presses nothing.
const WEAK: f64 = 1e-12;
/// A reaction is at its bound if it is closer than this, relatively.
const AT_BOUND: f64 = 1e-9;
/// How much more than the strongest acceleration a slip that is decided is asked for.
const DECIDED: f64 = 1e3;
/// A slide that is seen from accelerations is asked for this many times the accelerations.
const SLIDES: f64 = 1e6;
/// What the problem of accelerations may leave open, relative to the strongest: much more than solvers do where there is a solution.
const UNSOLVED: f64 = 1e-6;
/// A flight that ends with U_N and lasted at most this many times U_N over the acceleration was a bounce: it is 2 without round-off.
const FOLLOWS: f64 = 8.0;
/// Impacts that follow from each other at one instant; the last of them is plastic.
const MOST_IMPACTS: usize = 50;
/// Contacts that stop one after the other because accelerations have no solution.
const MOST_STOPS: usize = 10;

/// What is to be settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Cause {
    /// Contacts that close now.
    pub closing: Vec<usize>,
    /// Modes that the event has decided.
    pub forced: Vec<(usize, ContactMode)>,
    /// Contacts that come to another piece.
    pub edges: Vec<(usize, u32)>,
    /// Contacts that show nothing from now on, because another one, with this piece, goes on where they end.
    pub handed: Vec<(usize, usize, u32)>,
    /// Contacts whose slide in space ends: what is left of it is nothing.
    pub ended: Vec<usize>,
}

impl Cause {
    /// Takes room for all contacts.
    pub fn reserve(&mut self, contacts: usize) {
        self.closing.reserve(contacts);
        self.forced.reserve(contacts);
        self.edges.reserve(contacts);
        self.handed.reserve(contacts);
        self.ended.reserve(contacts);
    }

    /// Nothing.
    pub fn clear(&mut self) {
        self.closing.clear();
        self.forced.clear();
        self.edges.clear();
        self.handed.clear();
        self.ended.clear();
    }
}

/// When an impact counts as rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    /// A bounce that rises less (m).
    pub height: f64,
    /// Or follows the last impact of the contact within this time (s).
    pub time: f64,
    /// What leaves so slowly that it rises less is caught, where nothing says how it came there: a run begins, or stepping ends.
    pub catches: bool,
    /// A bounce that rises less cannot be told from round-off (m).
    pub grain: f64,
    /// Contacts that close and are slower are at rest, whatever their accelerations; only where `catches` (m/s).
    pub slow: f64,
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
    /// Contacts that are closed at this instant, and those of them that are being settled.
    touching: Vec<usize>,
    active: Vec<usize>,
    modes: Vec<ContactMode>,
    bias: Vec<f64>,
    W: crate::Directions,
    basis: Vec<[[f64; 3]; 2]>,
    last_impact: Vec<f64>,
    /// Whether a contact is in `closing`.
    closes: Vec<bool>,
    rests: Vec<bool>,
    n_1: Vec<f64>,
    n_2: Vec<f64>,
    normal: [Vec<f64>; 2],
    lacks: Vec<f64>,
    impulses: Vec<f64>,
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
        let contacts = system.structure().sizes.contacts;
        let impulse = Impulse::to_within(1e-14, system, stage, state)?;
        let acceleration = Acceleration::start(system, state);
        let rows = state.P.len();
        Ok(Self {
            impulse,
            acceleration,
            at: motion.configuration(system, state.t, &state.q, &state.v),
            jump: vec![0.0; rows],
            asked: vec![0.0; rows],
            gaps: vec![0.0; contacts],
            pieces: vec![0; contacts],
            touching: Vec::with_capacity(contacts),
            active: Vec::with_capacity(contacts),
            modes: vec![ContactMode::Open; contacts],
            bias: vec![0.0; rows],
            W: crate::Directions::with_room(rows, rows * motion.nv().min(64)),
            basis: Vec::with_capacity(1),
            last_impact: vec![f64::NEG_INFINITY; contacts],
            closes: vec![false; contacts],
            rests: vec![false; contacts],
            n_1: vec![0.0; motion.nv()],
            n_2: vec![0.0; motion.nv()],
            normal: [vec![0.0; motion.nv()], vec![0.0; motion.nv()]],
            lacks: vec![0.0; motion.most_rows()],
            impulses: vec![0.0; motion.most_rows()],
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
        motion.see_positions(&knot.q);
        motion.see_velocities(&knot.v);
        if !motion.has_contacts() {
            return self.accelerate(system, motion, knot);
        }
        for &(contact, piece) in &cause.edges {
            motion.pieces[contact] = piece;
        }
        self.hand_over(system, motion, knot, cause)?;
        self.closes.fill(false);
        for &contact in &cause.closing {
            self.closes[contact] = true;
        }
        self.gather(system, stage, motion, knot, cause);
        let mut impacts = 0;
        while self.approach(system, motion, knot, rest) && impacts < MOST_IMPACTS {
            impacts += 1;
            self.impact(system, stage, motion, knot, cause, rest, impacts == MOST_IMPACTS)?;
        }
        self.decide(system, stage, motion, knot, cause)?;
        self.freeze(system, motion, knot);
        self.hold(system, motion, knot)?;
        self.accelerate(system, motion, knot)
    }

    /// Velocities along the rows of a mode to the last digit: what sticks does not creep, what begins to slide begins at rest.
    pub fn hold(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        knot: &mut Knot,
    ) -> Result<(), StepError> {
        let m = motion.rows();
        if m == 0 {
            return Ok(());
        }
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        motion.evaluate_forces(system, &self.at);
        self.stop_rows(system, motion, knot)?;
        for (v, dv) in knot.v.iter_mut().zip(&self.n_2) {
            *v += dv;
        }
        Ok(())
    }

    /// The jump of velocities in `n_2` that stops all rows at `self.at`, and its impulses in `impulses`; forces are evaluated.
    fn stop_rows(&mut self, system: &dyn System, motion: &mut Motion, knot: &Knot) -> Result<(), StepError> {
        motion.evaluate_rows(system, &self.at);
        motion.push_here();
        if !motion.factor() {
            return Err(StepError::Singular { t: knot.t });
        }
        let m = motion.rows();
        motion.velocities(&knot.v, &mut self.lacks);
        for u in &mut self.lacks[..m] {
            *u = -*u;
        }
        self.n_1.fill(0.0);
        motion.solve(&self.n_1, &self.lacks[..m], &mut self.n_2, &mut self.impulses);
        Ok(())
    }

    /// Contacts of one surface follow each other at a smooth joint: what one did the other goes on with.
    fn hand_over(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        knot: &mut Knot,
        cause: &Cause,
    ) -> Result<(), StepError> {
        if cause.handed.is_empty() {
            return Ok(());
        }
        self.modes.copy_from_slice(motion.modes());
        for &(from, to, piece) in &cause.handed {
            self.modes[to] = self.modes[from];
            self.modes[from] = ContactMode::Open;
            motion.pieces[from] = NEAREST;
            motion.pieces[to] = piece;
        }
        motion.set_modes(&self.modes);
        self.hold(system, motion, knot)
    }

    /// The contacts that are closed at this instant, and joints that rub, into `touching`.
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
        self.touching.clear();
        let touching = stage.extent().grain(&knot.q);
        for contact in 0..self.gaps.len() {
            let dry = matches!(motion.kind(contact), ContactKind::Dry { .. });
            let leaves = cause.forced.contains(&(contact, ContactMode::Open))
                || cause.handed.iter().any(|&(from, ..)| from == contact);
            let closed = motion.modes()[contact].is_closed() || self.gaps[contact] <= touching;
            if dry || ((closed || self.closes[contact]) && !leaves) {
                self.touching.push(contact);
            }
        }
    }

    /// Normal velocity that counts as none (m/s).
    fn still(system: &dyn System, motion: &Motion) -> f64 {
        STILL.max(motion.grain()) * motion.fastest() * system.structure().length_scale
    }

    /// Those of the contacts that touch which do not separate, into `active`: what left in one impact may come again by the next. Whether
    /// one of them approaches.
    fn approach(&mut self, system: &dyn System, motion: &Motion, knot: &Knot, rest: Rest) -> bool {
        let still = Self::still(system, motion);
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        self.active.clone_from(&self.touching);
        self.W.clear();
        system.directions(&self.at, &self.active, &mut self.W);
        let rows = self.W.rows();
        system.contact_bias(&self.at, &self.active, &mut self.bias[..rows]);
        let (mut row, mut hits) = (0, false);
        let (W, bias, closes) = (&self.W, &self.bias, &self.closes);
        self.active.retain(|&contact| {
            let (first, dry) = (row, matches!(motion.kind(contact), ContactKind::Dry { .. }));
            row += motion.kind(contact).dim();
            let U_N = W.velocity(first, &knot.v);
            let rate = W.velocity(first, &knot.a) - W.bias(first) + bias[first];
            // what was closed elsewhere is not hit by its round-off
            let closing = closes[contact] && !rest.catches;
            hits |= !dry && (U_N < -still || (closing && U_N < 0.0));
            let caught =
                rest.catches && (is_low(U_N, rate, rest.height) || (closes[contact] && U_N <= rest.slow));
            dry || U_N <= still || caught
        });
        hits
    }

    /// One impact of the active contacts; the `last` one is plastic, on all that touch.
    #[expect(clippy::too_many_arguments, reason = "what an instant is made of")]
    fn impact(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        knot: &mut Knot,
        cause: &Cause,
        rest: Rest,
        last: bool,
    ) -> Result<(), StepError> {
        if let Some(corner) = self.corner(system, motion, cause) {
            self.pass_corner(system, stage, motion, knot, corner)?;
            return Ok(());
        }
        if last {
            self.active.clone_from(&self.touching);
        }
        self.look_for_rest(system, motion, knot, rest)?;
        stage.set_active(&self.active);
        let at = self.impulse.at();
        motion.place(system, knot.t, &knot.q, &knot.v, at);
        self.jump.fill(0.0);
        stage.prepare(system, at, true, &self.jump, 0.0);
        let mut row = 0;
        for (k, &contact) in self.active.iter().enumerate() {
            if self.rests[k] || last {
                stage.shift_mut()[row] = 0.0;
            }
            row += motion.kind(contact).dim();
        }
        self.impulse.v.copy_from_slice(&knot.v);
        // over no time: what rubs with a constant force gives no impulse
        self.impulse.solve(system, stage, knot.t, 0.0)?;
        stage.scatter(1.0, &mut self.jump);
        stage.record(ImpulseKind::Impact, &self.impulse.v, &self.jump);
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
        Ok(())
    }

    /// Which of the active contacts are to come to rest: slow bounces, with the accelerations before the impact. Where none is to, a
    /// bounce that follows another one and is lost in round-off is an error: no event can be found behind it.
    fn look_for_rest(
        &mut self,
        system: &dyn System,
        motion: &Motion,
        knot: &Knot,
        rest: Rest,
    ) -> Result<(), StepError> {
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
            let since = knot.t - self.last_impact[contact];
            let kept = rest.catches && self.closes[contact] && U_N.abs() <= rest.slow;
            let rests = is_low(up, rate, rest.height) || since <= rest.time || kept;
            let bounced = self.closes[contact] && up < 0.0 && -rate * since <= FOLLOWS * -U_N;
            if !rests && bounced && is_low(up, rate, rest.grain) {
                return Err(StepError::Accumulation { t: knot.t, contact });
            }
            self.rests.push(rests);
            row += motion.kind(contact).dim();
        }
        Ok(())
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
        for _ in 0..MOST_STOPS {
            match self.solve_modes(system, stage, motion, knot, cause) {
                Ok(()) => return Ok(()),
                Err(error @ StepError::Contact { .. }) => {
                    if !self.stop_paradox(system, stage, motion, knot)? {
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
            Ok(()) => Ok(self.modes.iter().zip(motion.modes()).all(|(a, b)| a.is_like(*b))),
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
        self.acceleration.lambda.fill(0.0);
        let strongest = self.strongest(system, stage)?;
        self.ask(system, stage, motion, cause, strongest);
        stage.set_active(&self.active);
        self.acceleration.solve_active(system, stage, &self.at, &[], &self.asked, false)?;
        self.verify(system, stage, motion, cause, strongest)?;
        // levers have the round-off of places
        let steady = STEADY.max(motion.grain());
        let weak = WEAK
            * self.n_1.iter().chain(&self.acceleration.lambda).fold(0.0, |most: f64, f| most.max(f.abs()));
        let length = system.structure().length_scale;
        let mut row = 0;
        for k in 0..self.active.len() {
            let contact = self.active[k];
            let (first, kind) = (stage.offset(contact), motion.kind(contact));
            let sliding = self.sliding(system, motion, contact, row, cause);
            let (lambda, rates) = (&self.acceleration.lambda, &self.acceleration.rates);
            row += kind.dim();
            let tangential = first + kind.dim() - 1;
            self.modes[contact] = match kind {
                ContactKind::Dry { .. } => {
                    let bound = stage.bound_of(contact).unwrap_or(0.0);
                    rub(sign_of(sliding), lambda[first], bound, rates[first], strongest)
                }
                // what accelerates away is open; what neither presses nor leaves stays what it was
                _ if rates[first] > steady * strongest * length => ContactMode::Open,
                _ if !motion.modes()[contact].is_closed() && lambda[first] <= weak => ContactMode::Open,
                ContactKind::Frictional { friction, .. } if *friction > 0.0 => rub(
                    sign_of(sliding),
                    lambda[tangential],
                    friction * lambda[first],
                    rates[tangential],
                    strongest * length,
                ),
                ContactKind::Spatial { friction, .. } if *friction > 0.0 => match sliding {
                    Some(mode) => mode,
                    None => {
                        self.held_or_slides(system, contact, first, *friction, STEADY * strongest * length)
                    }
                },
                _ => ContactMode::Closed,
            };
        }
        Ok(())
    }

    /// What the laws of the contacts in `active` are asked for: slides a moment later, slips that are decided by force.
    fn ask(
        &mut self,
        system: &dyn System,
        stage: &ContactStage,
        motion: &Motion,
        cause: &Cause,
        strongest: f64,
    ) {
        self.asked.fill(0.0);
        let mut row = 0;
        for k in 0..self.active.len() {
            let contact = self.active[k];
            let dim = motion.kind(contact).dim();
            if let Some(sliding) = self.sliding(system, motion, contact, row, cause) {
                let still = self.slow(system, motion, contact, cause);
                let factor = if self.speed(row, dim) > still { SLIDES } else { DECIDED };
                let e = self.along(system, contact, sliding);
                let first = stage.offset(contact) + dim.min(2) - 1;
                for (asked, e) in self.asked[first..stage.offset(contact) + dim].iter_mut().zip(e) {
                    *asked = e * factor * strongest;
                }
            }
            row += dim;
        }
    }

    /// A contact in space that rests: whether friction holds it, or which way it begins to slide; `first` is its first row, and what
    /// accelerates less than `still` rests.
    fn held_or_slides(
        &mut self,
        system: &dyn System,
        contact: usize,
        first: usize,
        friction: f64,
        still: f64,
    ) -> ContactMode {
        let pair = |x: &[f64]| [x[first + 1], x[first + 2]];
        let (lambda, rates) = (&self.acceleration.lambda, &self.acceleration.rates);
        let (lambda_T, rate) = (pair(lambda), pair(rates));
        let size = rate[0].hypot(rate[1]);
        let held = lambda_T[0].hypot(lambda_T[1]) < friction * lambda[first] * (1.0 - AT_BOUND);
        if held || size <= still {
            return ContactMode::Stick;
        }
        self.basis.clear();
        system.contact_tangents(&self.at, &[contact], &mut self.basis);
        ContactMode::SlideAlong(in_space([rate[0] / size, rate[1] / size], &self.basis[0]))
    }

    /// Whether the accelerations found are a solution: what slides is asked for so much that a residual relative to it hides
    /// a contact that goes in, or friction that does not act.
    fn verify(
        &mut self,
        system: &dyn System,
        stage: &ContactStage,
        motion: &Motion,
        cause: &Cause,
        strongest: f64,
    ) -> Result<(), StepError> {
        let most = self.acceleration.lambda.iter().fold(0.0, |most: f64, l| most.max(l.abs()));
        let mut row = 0;
        for k in 0..self.active.len() {
            let contact = self.active[k];
            let (first, kind) = (stage.offset(contact), motion.kind(contact));
            let of_contact = row;
            row += kind.dim();
            if matches!(kind, ContactKind::Dry { .. }) {
                continue;
            }
            let sliding = self.sliding(system, motion, contact, of_contact, cause);
            let (lambda, rates) = (&self.acceleration.lambda, &self.acceleration.rates);
            let enters = rates[first] < -UNSOLVED * strongest * system.structure().length_scale;
            let hangs = match (kind, sliding) {
                (ContactKind::Frictional { friction, .. }, Some(ContactMode::Slide(sign))) => {
                    (lambda[first + 1] + sign * friction * lambda[first]).abs() > UNSOLVED * most
                }
                // how large it is; its direction is that of what was asked and of the accelerations
                (ContactKind::Spatial { friction, .. }, Some(_)) => {
                    let lambda_T = lambda[first + 1].hypot(lambda[first + 2]);
                    (lambda_T - friction * lambda[first]).abs() > UNSOLVED * most
                }
                _ => false,
            };
            if enters || hangs {
                let (t, solver, residual) = (self.at.t(), "the solver of accelerations", rates[first].abs());
                return Err(StepError::Contact { t, contact, solver, residual, iterations: 0 });
            }
        }
        Ok(())
    }

    /// The strongest acceleration around, weighed: what rates are compared with. What turns accelerates too.
    fn strongest(&mut self, system: &dyn System, stage: &mut ContactStage) -> Result<f64, StepError> {
        let most = strongest(system, stage, &self.at, &mut self.n_1, &mut self.n_2)
            .ok_or(StepError::Singular { t: self.at.t() })?;
        let turns = |most: f64, (i, v): (usize, &f64)| most.max((v * weight(system, i)).powi(2));
        Ok(self.at.v.iter().enumerate().fold(most, turns))
    }

    /// A tangential velocity that counts as none: m/s, or rad/s in a pivot.
    fn slow(&self, system: &dyn System, motion: &Motion, contact: usize, cause: &Cause) -> f64 {
        match motion.kind(contact) {
            ContactKind::Dry { quantity: Quantity::Angle, .. } => 1e3 * STILL * motion.fastest(),
            // where a slide ends it is not met to the last digit
            ContactKind::Spatial { .. } if cause.ended.contains(&contact) => {
                motion.slowest().max(1e3 * Self::still(system, motion))
            }
            _ => 1e3 * Self::still(system, motion),
        }
    }

    /// Whether a contact slides in space so slowly at a configuration with its velocities that it rests.
    pub fn rests(
        &mut self,
        system: &dyn System,
        motion: &Motion,
        at: &Configuration,
        contact: usize,
    ) -> bool {
        self.W.clear();
        system.directions(at, &[contact], &mut self.W);
        let U = |row: usize| self.W.velocity(row, &at.v);
        U(1).hypot(U(2)) <= motion.slowest().max(1e3 * Self::still(system, motion))
    }

    /// The tangential speed of a contact whose rows in `W` begin at `first`, at `self.at`; of a joint that rubs its speed.
    fn speed(&self, first: usize, dim: usize) -> f64 {
        let U = |row: usize| self.W.velocity(row, &self.at.v);
        if dim == 3 { U(first + 1).hypot(U(first + 2)) } else { U(first + dim - 1).abs() }
    }

    /// A slide that goes on or was decided; none where it rests. Rows of the contact in `W` begin at `first`.
    fn sliding(
        &mut self,
        system: &dyn System,
        motion: &Motion,
        contact: usize,
        first: usize,
        cause: &Cause,
    ) -> Option<ContactMode> {
        let dim = motion.kind(contact).dim();
        if matches!(motion.kind(contact), ContactKind::Unilateral { .. }) {
            return None;
        }
        let forced = cause.forced.iter().find_map(|&(c, mode)| match mode {
            ContactMode::Slide(_) | ContactMode::SlideAlong(_) if c == contact => Some(mode),
            _ => None,
        });
        let slides = self.speed(first, dim) > self.slow(system, motion, contact, cause);
        forced.or_else(|| slides.then(|| self.slide(system, contact, first, dim)))
    }

    /// The slide of a contact that has a tangential velocity at `self.at`.
    fn slide(&mut self, system: &dyn System, contact: usize, first: usize, dim: usize) -> ContactMode {
        let U = |row: usize| self.W.velocity(row, &self.at.v);
        if dim < 3 {
            return ContactMode::Slide(U(first + dim - 1).signum());
        }
        let speed = U(first + 1).hypot(U(first + 2));
        let e = [U(first + 1) / speed, U(first + 2) / speed];
        self.basis.clear();
        system.contact_tangents(&self.at, &[contact], &mut self.basis);
        ContactMode::SlideAlong(in_space(e, &self.basis[0]))
    }

    /// The direction of a slide along the tangential rows, at `self.at`.
    fn along(&mut self, system: &dyn System, contact: usize, mode: ContactMode) -> [f64; 2] {
        match mode {
            ContactMode::Slide(sign) => [sign, 0.0],
            ContactMode::SlideAlong(d) => {
                self.basis.clear();
                system.contact_tangents(&self.at, &[contact], &mut self.basis);
                in_basis(d, &self.basis[0])
            }
            _ => [0.0; 2],
        }
    }

    /// Closed contacts are seen on the piece they are at from now on, open ones wherever they are nearest.
    fn freeze(&mut self, system: &dyn System, motion: &mut Motion, knot: &Knot) {
        if !system.structure().has_pieces {
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

    /// a and λ of the knot in its mode.
    pub fn accelerate(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        knot: &mut Knot,
    ) -> Result<(), StepError> {
        motion.see_positions(&knot.q);
        motion.see_velocities(&knot.v);
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        motion.accelerations(system, &self.at, &mut knot.a, &mut knot.lambda)?;
        match motion.undecided() {
            Some(contact) => Err(StepError::Undecided { t: knot.t, contact }),
            None => Ok(()),
        }
    }
}

/// Whether what leaves with U_N comes back without having risen higher than what is at rest.
fn is_low(U_N: f64, rate: f64, height: f64) -> bool {
    rate < 0.0 && U_N * U_N <= -2.0 * rate * height
}

/// The sign of a slide.
fn sign_of(mode: Option<ContactMode>) -> Option<f64> {
    match mode {
        Some(ContactMode::Slide(sign)) => Some(sign),
        _ => None,
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

/// 1 over what counts as one in velocity i: lengths are compared with the size of the mechanism.
fn weight(system: &dyn System, i: usize) -> f64 {
    match system.structure().velocities[i].quantity {
        Quantity::Length => 1.0 / system.structure().length_scale,
        Quantity::Angle => 1.0,
    }
}

/// The strongest acceleration M⁻¹ h of the forces at a configuration, weighed (1/s²); `h` and `a` are filled with both. None
/// where M cannot be factored.
pub(super) fn strongest(
    system: &dyn System,
    stage: &mut ContactStage,
    at: &Configuration,
    h: &mut [f64],
    a: &mut [f64],
) -> Option<f64> {
    if !stage.operator.evaluate_mass(system, at, false) {
        return None;
    }
    system.force(at, h);
    stage.operator.solve_mass(h, a);
    Some(a.iter().enumerate().fold(0.0, |most: f64, (i, a)| most.max((a * weight(system, i)).abs())))
}
