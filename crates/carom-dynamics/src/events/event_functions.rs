//! Functions whose signs tell when the motion changes, watched over a step.
//!
//! ```text
//!   gap closes           g_N > 0                of contacts that are open
//!   release              λ_N > 0                of contacts that are closed
//!   stick → slip         μ λ_N − |λ_T| > 0      of contacts that stick;  b(λ) − |λ| of joints that rub and rest
//!   slip ends            s U_T > 0              of what slides;  d·U_T > 0 in space, d the direction where the step begins
//!   edge                 still on its piece     of contacts that are closed
//!   load switches, the model's own events       sign as at the beginning
//! ```
//!
//! All are positive while nothing happens. Positions inside the step are those of the quintic Hermite polynomial, velocities those
//! of the cubic: it does not turn back where a method of low order makes positions and velocities disagree. Forces belong to
//! both by the form of index 1. Signs are looked at at four points of the step, those of forces at its end;
//! what becomes negative and positive again between two points is not seen.

use super::locate::locate;
use crate::methods::{Knot, hermite, hermite_room, hermite_velocity};
use crate::motion::in_basis;
use crate::{
    Configuration, ContactKind, ContactMode, Crossing, Directions, Motion, State, StepError, System,
};

/// Where signs are looked at.
const POINTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// How often a point is halved in search of a positive value, where a function begins at zero.
const MOST_HALVINGS: usize = 40;
/// A relative velocity this small, relative to the fastest, is none.
const STILL: f64 = 1e-13;
/// A gap this small, relative to the mechanism, touches: keeping the others closed moves it that much.
const TOUCHING: f64 = 1e-12;
/// A reaction this small, relative to the largest, is none.
const WEAK: f64 = 1e-12;
/// A value of an event of the model's own this small, relative to the largest seen, has no sign: round-off of what rests.
const SIGNLESS: f64 = 1e-14;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Watched {
    /// The gap of an open contact.
    Gap(usize),
    /// A contact that slides, or a joint that rubs while it moves.
    Turn(usize),
    /// A closed contact stays on its piece.
    Edge(usize),
    /// A load.
    Switch(usize),
    /// An event of the model's own.
    Own(usize),
    /// λ_N of a closed contact, with its row.
    Press(usize, usize),
    /// Bound of a contact that sticks, with its normal row.
    Hold(usize, usize),
    /// Bound of a joint that rests, with its row.
    Grip(usize, usize),
}

/// An event inside a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub index: usize,
    pub kind: Watched,
    /// Where, as a part of the step; the sign has changed there.
    pub theta: f64,
}

/// The functions, and their values over a step.
#[derive(Debug)]
pub(super) struct EventFunctions {
    kinds: Vec<Watched>,
    /// How many of them, the first ones, need no forces.
    cheap: usize,
    /// Signs that loads and own events had when the step began; 1 for the others.
    sign: Vec<f64>,
    /// Signs that own events have had since they crossed last, 0 before they had any; values that are none; who crossed last.
    own_sign: Vec<f64>,
    own_noise: Vec<f64>,
    passed: Option<usize>,
    begin: Vec<f64>,
    noise: Vec<f64>,
    /// How much a gap that is open overlaps where the step begins: it counts from there.
    overlap: Vec<f64>,
    values: [Vec<f64>; 4],
    one: Vec<f64>,
    // room
    gaps: Vec<f64>,
    turning: Vec<usize>,
    slides: Vec<f64>,
    W: Directions,
    basis: Vec<[[f64; 3]; 2]>,
    switches: Vec<f64>,
    own: Vec<f64>,
    /// Angles of own events where the step begins, and where they are looked at.
    angles: Vec<f64>,
    angles_inside: Vec<f64>,
    pieces: Vec<u32>,
    at: Configuration,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    room: Vec<f64>,
}

impl EventFunctions {
    /// For one system.
    pub fn new(system: &dyn System, motion: &Motion, state: &State) -> Self {
        let sizes = system.structure().sizes;
        let (contacts, own) = (sizes.contacts, system.structure().events.len());
        let most = 3 * contacts + system.structure().switches + own;
        let room = || Vec::with_capacity(most);
        let v = vec![0.0; sizes.v];
        Self {
            kinds: Vec::with_capacity(most),
            cheap: 0,
            sign: room(),
            own_sign: vec![0.0; own],
            own_noise: vec![0.0; own],
            passed: None,
            begin: room(),
            noise: room(),
            values: [room(), room(), room(), room()],
            one: room(),
            overlap: room(),
            gaps: vec![0.0; contacts],
            turning: Vec::with_capacity(contacts),
            slides: Vec::with_capacity(contacts),
            W: Directions::with_room(2 * contacts, 2 * contacts * sizes.v.min(64)),
            basis: Vec::with_capacity(1),
            switches: vec![0.0; system.structure().switches],
            own: vec![0.0; own],
            angles: system.structure().event_angles.clone(),
            angles_inside: system.structure().event_angles.clone(),
            pieces: vec![0; contacts],
            at: Configuration::new(system, 0.0, &state.q, &v),
            a: v.clone(),
            lambda: vec![0.0; motion.most_rows()],
            q: state.q.clone(),
            v,
            room: hermite_room(system),
        }
    }

    /// Finds out what to watch in the mode of a motion.
    pub fn arm(&mut self, system: &dyn System, motion: &Motion) {
        self.kinds.clear();
        self.turning.clear();
        let pieces = system.structure().has_pieces;
        for (contact, &mode) in motion.modes().iter().enumerate() {
            let dry = matches!(motion.kind(contact), ContactKind::Dry { .. });
            match mode {
                ContactMode::Open => self.kinds.push(Watched::Gap(contact)),
                ContactMode::Slide(_) | ContactMode::SlideAlong(_) => {
                    self.kinds.push(Watched::Turn(contact));
                    self.turning.push(contact);
                }
                _ => {}
            }
            if mode.is_closed() && pieces && !dry {
                self.kinds.push(Watched::Edge(contact));
            }
        }
        self.kinds.extend((0..self.switches.len()).map(Watched::Switch));
        self.kinds.extend((0..self.own.len()).map(Watched::Own));
        self.cheap = self.kinds.len();
        for row in motion.nc()..motion.rows() {
            let (contact, of_contact) = motion.held(row);
            if of_contact != 0 {
                continue;
            }
            if matches!(motion.kind(contact), ContactKind::Dry { .. }) {
                self.kinds.push(Watched::Grip(contact, row));
                continue;
            }
            self.kinds.push(Watched::Press(contact, row));
            if motion.modes()[contact] == ContactMode::Stick {
                self.kinds.push(Watched::Hold(contact, row));
            }
        }
        let n = self.kinds.len();
        for array in [&mut self.sign, &mut self.begin, &mut self.noise, &mut self.overlap, &mut self.one]
            .into_iter()
            .chain(&mut self.values)
        {
            array.clear();
            array.resize(n, 0.0);
        }
        self.sign.fill(1.0);
    }

    /// Takes the values where a step begins.
    pub fn begin(&mut self, system: &dyn System, motion: &Motion, from: &Knot) {
        if self.kinds.is_empty() {
            return;
        }
        self.sign.fill(1.0);
        self.overlap.fill(0.0);
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        self.evaluate_cheap(system, motion);
        self.angles.copy_from_slice(&self.angles_inside);
        self.evaluate_forces(motion, &from.lambda);
        self.begin.copy_from_slice(&self.one);
        let length = system.structure().length_scale;
        let grain = motion.grain();
        let strongest = from.lambda[..motion.rows()].iter().fold(0.0, |most: f64, l| most.max(l.abs()));
        for j in 0..self.kinds.len() {
            let begin = self.begin[j];
            self.noise[j] = match self.kinds[j] {
                // what touches is let out; only deeper counts
                Watched::Gap(_) if begin < TOUCHING.max(grain) * length => TOUCHING.max(grain) * length,
                Watched::Gap(_) => grain * length,
                Watched::Turn(_) => STILL.max(grain) * motion.fastest() * length,
                Watched::Press(..) | Watched::Hold(..) | Watched::Grip(..) => WEAK * strongest,
                Watched::Own(own) => self.see_own(own, begin),
                Watched::Edge(_) | Watched::Switch(_) => 0.0,
            };
            match self.kinds[j] {
                Watched::Gap(_) if begin < 0.0 => {
                    self.overlap[j] = -begin;
                    self.begin[j] = 0.0;
                }
                // zero has no sign yet; the first point inside the step will tell
                Watched::Switch(_) => {
                    self.sign[j] = if begin == 0.0 { 0.0 } else { begin.signum() };
                    self.begin[j] = begin.abs();
                }
                Watched::Own(own) => {
                    if begin.abs() > self.noise[j] {
                        let sign = &mut self.own_sign[own];
                        // a sign that changed in a direction that does not count is taken for what it is
                        if *sign == 0.0 || (*sign * begin < 0.0 && !counts(system, own, *sign)) {
                            *sign = begin.signum();
                        }
                    }
                    self.sign[j] = self.own_sign[own];
                    self.begin[j] = begin * signed(self.sign[j]);
                }
                _ => {}
            }
        }
    }

    /// Counts the turns of a step that somebody else made.
    pub fn count_turns(&mut self, system: &dyn System, state: &State) {
        if !self.angles.is_empty() {
            self.at.move_to_state(system, state);
            system.event_values(&self.at, &mut self.angles, &mut self.own);
        }
    }

    /// Own events have the sign that they have: somebody else has seen them cross.
    pub fn forget(&mut self) {
        self.own_sign.fill(0.0);
        self.passed = None;
    }

    /// Takes note that an event was accepted: an own one has the other sign from now on.
    pub fn pass(&mut self, kind: Watched) {
        if let Watched::Own(own) = kind {
            self.own_sign[own] = -self.own_sign[own];
            self.passed = Some(own);
        }
    }

    /// What counts as zero for an own event that has a value now: round-off, and what its crossing was missed by.
    fn see_own(&mut self, own: usize, value: f64) -> f64 {
        let noise = &mut self.own_noise[own];
        *noise = noise.max(SIGNLESS * value.abs());
        if self.passed == Some(own) {
            self.passed = None;
            if value * self.own_sign[own] < 0.0 {
                *noise = noise.max(2.0 * value.abs());
            }
        }
        *noise
    }

    /// The first event inside the step between two knots, to a tolerance in time.
    pub fn find(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
        tolerance: f64,
        with_forces: bool,
    ) -> Result<Option<Found>, StepError> {
        if self.kinds.is_empty() {
            return Ok(None);
        }
        for k in 0..POINTS.len() {
            self.look(system, motion, from, to, POINTS[k]);
            if k + 1 == POINTS.len() {
                self.evaluate_forces(motion, &to.lambda);
            }
            for j in 0..self.cheap {
                // what began at zero has the sign it takes first
                if self.sign[j] == 0.0 && self.one[j].abs() > self.noise[j] {
                    self.sign[j] = self.one[j].signum();
                    self.one[j] = self.one[j].abs();
                    if let Watched::Own(own) = self.kinds[j] {
                        self.own_sign[own] = self.sign[j];
                    }
                }
            }
            std::mem::swap(&mut self.values[k], &mut self.one);
        }
        let mut first: Option<Found> = None;
        let least = tolerance / (to.t - from.t);
        for index in 0..if with_forces { self.kinds.len() } else { self.cheap } {
            if let Watched::Own(own) = self.kinds[index]
                && !counts(system, own, self.sign[index])
            {
                continue;
            }
            let points = if index < self.cheap { 0..POINTS.len() } else { POINTS.len() - 1..POINTS.len() };
            // a step that ends at a switch is polluted by what comes after it: zero counts
            let exact = matches!(self.kinds[index], Watched::Switch(_)) && self.begin[index] > 0.0;
            let changed = |value: f64| value < -self.noise[index] || (exact && value == 0.0);
            let Some(k) = points.clone().find(|&k| changed(self.values[k][index])) else {
                continue;
            };
            // nothing later than what is found already
            if first.is_some_and(|f| k > points.start && POINTS[k - 1] > f.theta) {
                continue;
            }
            let high = (POINTS[k], self.values[k][index]);
            let low = if k > points.start && self.values[k - 1][index] > 0.0 {
                Some((POINTS[k - 1], self.values[k - 1][index]))
            } else if k == points.start && self.begin[index] > self.noise[index] {
                Some((0.0, self.begin[index]))
            } else {
                self.search_down(system, motion, from, to, index, high.0, least)?
            };
            let theta = match low {
                // it never was positive: it happens where the step begins
                None => 0.0,
                Some(low) => locate(low, high, least.max(4.0 * f64::EPSILON), |theta| {
                    self.value(system, motion, from, to, index, theta)
                })?,
            };
            if first.is_none_or(|f| theta < f.theta) {
                first = Some(Found { index, kind: self.kinds[index], theta });
            }
        }
        Ok(first)
    }

    /// A point below `theta` where the function is positive.
    #[allow(clippy::too_many_arguments)]
    fn search_down(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
        index: usize,
        mut theta: f64,
        least: f64,
    ) -> Result<Option<(f64, f64)>, StepError> {
        for _ in 0..MOST_HALVINGS {
            theta *= 0.5;
            if theta < least {
                break;
            }
            let value = self.value(system, motion, from, to, index, theta)?;
            if value > 0.0 {
                return Ok(Some((theta, value)));
            }
        }
        Ok(None)
    }

    /// One function inside the step.
    pub fn value(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
        index: usize,
        theta: f64,
    ) -> Result<f64, StepError> {
        self.look(system, motion, from, to, theta);
        if index >= self.cheap {
            motion.accelerations(system, &self.at, &mut self.a, &mut self.lambda)?;
            let lambda = std::mem::take(&mut self.lambda);
            self.evaluate_forces(motion, &lambda);
            self.lambda = lambda;
        }
        Ok(self.one[index])
    }

    /// One function at a knot, with its forces.
    pub fn value_at(&mut self, system: &dyn System, motion: &Motion, knot: &Knot, index: usize) -> f64 {
        motion.place(system, knot.t, &knot.q, &knot.v, &mut self.at);
        if index < self.cheap {
            self.evaluate_cheap(system, motion);
        } else {
            self.evaluate_forces(motion, &knot.lambda);
        }
        self.one[index]
    }

    /// What counts as zero for a function.
    pub fn noise(&self, index: usize) -> f64 {
        self.noise[index]
    }

    /// Goes inside the step and evaluates what needs no forces.
    fn look(&mut self, system: &dyn System, motion: &Motion, from: &Knot, to: &Knot, theta: f64) {
        let t = from.t + theta * (to.t - from.t);
        hermite(system, from, to, theta, &mut self.q, &mut self.v, &mut self.room);
        hermite_velocity(from, to, theta, &mut self.v);
        motion.place(system, t, &self.q, &self.v, &mut self.at);
        self.evaluate_cheap(system, motion);
    }

    fn evaluate_cheap(&mut self, system: &dyn System, motion: &Motion) {
        let kinds = &self.kinds[..self.cheap];
        let any = |wanted: fn(&Watched) -> bool| kinds.iter().any(wanted);
        if any(|kind| matches!(kind, Watched::Gap(_))) {
            system.gaps(&self.at, &mut self.gaps);
        }
        if any(|kind| matches!(kind, Watched::Edge(_))) {
            system.pieces(&self.at, &mut self.pieces);
        }
        if !self.switches.is_empty() {
            system.switch_values(&self.at, &mut self.switches);
        }
        if !self.own.is_empty() {
            self.angles_inside.copy_from_slice(&self.angles);
            system.event_values(&self.at, &mut self.angles_inside, &mut self.own);
        }
        if !self.turning.is_empty() {
            self.W.clear();
            system.directions(&self.at, &self.turning, &mut self.W);
            self.slides.clear();
            let mut row = 0;
            for &contact in &self.turning {
                row += motion.kind(contact).dim();
                self.slides.push(match motion.modes()[contact] {
                    ContactMode::Slide(sign) => sign * self.W.velocity(row - 1, &self.at.v),
                    ContactMode::SlideAlong(d) => {
                        self.basis.clear();
                        system.contact_tangents(&self.at, &[contact], &mut self.basis);
                        let d = in_basis(d, &self.basis[0]);
                        d[0] * self.W.velocity(row - 2, &self.at.v)
                            + d[1] * self.W.velocity(row - 1, &self.at.v)
                    }
                    _ => 1.0,
                });
            }
        }
        let mut slides = self.slides.iter();
        for (j, kind) in kinds.iter().enumerate() {
            self.one[j] = match *kind {
                Watched::Gap(contact) => self.gaps[contact] + self.overlap[j],
                Watched::Turn(_) => *slides.next().expect("one velocity for everything that slides"),
                Watched::Edge(contact) if self.pieces[contact] == motion.pieces[contact] => 1.0,
                Watched::Edge(_) => -1.0,
                Watched::Switch(i) => self.switches[i] * signed(self.sign[j]),
                Watched::Own(i) => self.own[i] * signed(self.sign[j]),
                Watched::Press(..) | Watched::Hold(..) | Watched::Grip(..) => 0.0,
            };
        }
    }

    fn evaluate_forces(&mut self, motion: &Motion, lambda: &[f64]) {
        for (j, kind) in self.kinds.iter().enumerate().skip(self.cheap) {
            self.one[j] = match *kind {
                Watched::Press(_, row) => lambda[row],
                Watched::Hold(contact, row) => match motion.kind(contact) {
                    ContactKind::Frictional { friction, .. } => {
                        friction * lambda[row] - lambda[row + 1].abs()
                    }
                    ContactKind::Spatial { friction, .. } => {
                        friction * lambda[row] - lambda[row + 1].hypot(lambda[row + 2])
                    }
                    _ => 1.0,
                },
                Watched::Grip(contact, row) => motion.bound(contact, lambda) - lambda[row].abs(),
                _ => unreachable!("forces come last"),
            };
        }
    }
}

/// A sign that is not known yet leaves a value as it is.
fn signed(sign: f64) -> f64 {
    if sign == 0.0 { 1.0 } else { sign }
}

/// Whether an own event that has a sign may cross in the direction that changes it.
fn counts(system: &dyn System, own: usize, sign: f64) -> bool {
    match system.structure().events[own].crossing {
        Crossing::Any => true,
        Crossing::Rising => sign < 0.0,
        Crossing::Falling => sign > 0.0,
    }
}
