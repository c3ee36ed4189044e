//! Contacts as springs with dampers: no contact problem at all.        [Ebrahimi2007] §3.2.1, (3.7)–(3.10), (6.6), [70, 81, 84]
//!
//! ```text
//!   penalty (Kelvin–Voigt):     F_N = max(0, k δ + d δ̇)                                   δ = −g_N > 0            (3.7)
//!   hunt-crossley:              F_N = max(0, k δ^p (1 + χ δ̇))        hysteresis damping ζ = k χ                   (3.9)
//!   friction:                   F_T = −μ F_N φ(U_T/v_ε),             φ(x) = x, or x (2 − |x|) with `parabola`,
//!                                                                    and sgn x for |x| ≥ 1                 (3.10), (6.6)
//!   in space:                   F_T = −μ F_N φ(|U_T|/v_ε) U_T/|U_T|: the same, along the slip
//! ```
//!
//! by the classic Runge–Kutta method. Impacts last some steps, and the motion converges to that of the springs, not to
//! that of hard contacts, unless the springs get stiffer with the steps: with `stiffness` = 0, the default,
//!
//! ```text
//!   k = m (κ/dt)²,     or  k = m (κ/dt)² δ_s^{1−p},     1/m = W_Nᵀ M⁻¹ W_N,     κ = 0.3,     δ_s = |U⁻| dt/κ
//! ```
//!
//! a contact lasts some ten steps at every step size, penetrates by about |U⁻| dt/κ, and the error is of order 1. A
//! stiffness that is given needs dt < √(m/k), or the step is refused and repeated smaller.
//!
//! With `penetration` δ_max the stiffness is the one that lets a single impact go that deep, chosen when the contact closes. The
//! source has m (U⁻/δ_max)², (3.8), from the energy without damper and load; here both count, a being the acceleration with which
//! free forces press where the contact closes:
//!
//! ```text
//!   Kelvin–Voigt:    k = m [(g U⁻/δ_max)² + 2 a/δ_max],                    g = exp(−D/√(1−D²) · acos D): deepest point of the damped spring
//!   Hunt–Crossley:   k = (p + 1) m [U⁻² (y − ln(1 + y))/y² + a δ_max] / δ_max^{p+1}
//! ```
//!
//! exact without load or without damping, and otherwise on the safe side by some per cent (`tests/it/formulations.rs`). With a
//! `damping` that is given g and the bracket are those without damping, and contacts stay above δ_max. Loads that grow after
//! a contact has closed are not foreseen. (6.6) is printed for U_T ≥ 0; here it is odd. Its slope at zero is 2/v_ε: what should rest
//! creeps with half the speed, and the least v_ε is twice as large.
//!
//! Damping, unless given, is what gives e back in a single impact. Both relations are exact for contacts that do not pull,
//! where the source (and [84], ζ = 3 k (1 − e²)/4 |U⁻|) has them for e near 1:
//!
//! ```text
//!   Kelvin–Voigt, D = d/2√(k m):   ln e = −D/√(1−D²) · (π − atan2(2 D √(1−D²), 1 − 2 D²)),    D < 1, and likewise above
//!   Hunt–Crossley, y = χ |U⁻|:     (1 + e) y = ln((1 + y)/(1 − e y)),      whatever p
//! ```
//!
//! U⁻ is the velocity with which the contact closed; a step in which one closes is divided there, or the damper would
//! begin somewhere in the first stages and e be wrong by κ/10. e below 0.2 is taken for 0.2: less needs dampers that
//! these steps do not resolve. Joints that rub do so as in `runge_kutta`.
//!
//! Friction never sticks, as the source says: what should rest creeps with v_ε or less. v_ε is `slip_speed`, or what
//! friction can stop within a step, μ F_N dt/m, if that is more: a smaller one would turn the slip around in every step.

use super::implicit::report;
use super::refusal::refuse_tangential_restitution;
use super::runge_kutta::{CLASSIC, ContactRungeKutta, Contacts};
use super::{Parameter, SchemeError, SchemeInfo, Values};
use crate::{
    Configuration, ContactKind, ContactStage, ContactsTaken, Directions, ImpulseKind, Reactions, Scheme,
    State, StepError, StepReport, Stepper, System,
};
use std::f64::consts::PI;

/// κ = dt ω of a contact whose stiffness is chosen from the step: ten steps from closing to opening.
const KAPPA: f64 = 0.3;
/// The smallest e that dampers are made for.
const LEAST_RESTITUTION: f64 = 0.2;
/// A contact that is pressed without having hit is damped as if it had hit after a fall of so many 1/κ steps.
const PRESSED: f64 = 3.0;
/// A step is divided where contacts close, so many times at most, each found by so many trials.
const MOST_PARTS: usize = 8;
const TRIALS: usize = 6;
/// Parts shorter than this part of the step are not made.
const SHORT: f64 = 1e-6;
/// The least speed of closing, in slip speeds: something to divide by where nothing moves.
const LEAST_SPEED: f64 = 1e-3;
/// dt ω above which a step does not resolve a contact of given stiffness: three steps from closing to opening.
const RESOLVED: f64 = 1.0;
/// Entries of all directions up to which a system is small.
const SMALL: usize = 1 << 14;
/// Halvings of a search for a damping: to the last bit.
const HALVINGS: usize = 200;

const STIFFNESS: Parameter = Parameter::number(
    "stiffness",
    "of a contact; 0: as stiff as the step can resolve, from the mass it meets",
    0.0,
    0.0..=1e18,
)
.in_unit("N/m");
const STIFFNESS_TO_POWER: Parameter = STIFFNESS.in_unit("N").per_length_to(&EXPONENT);
const PENETRATION: Parameter = Parameter::number(
    "penetration",
    "how deep a single impact goes: the stiffness follows from it, from the mass and from the speed; 0: not asked for",
    0.0,
    0.0..=1e3,
)
.in_unit("m");
const DAMPING: Parameter = Parameter::number(
    "damping",
    "of a contact, or its hysteresis factor; 0: what gives its restitution back",
    0.0,
    0.0..=1e18,
)
.in_unit("N s/m");
const HYSTERESIS: Parameter = DAMPING.per_length_to(&EXPONENT);
const SLIP_SPEED: Parameter = Parameter::number(
    "slip_speed",
    "friction grows up to this speed of sliding, or to what it can stop in a step if that is more",
    1e-3,
    1e-12..=1e3,
)
.in_unit("m/s");
const PARABOLA: Parameter = Parameter::switch(
    "parabola",
    "friction over the slip speed, 1: grows by a parabola with no kink at its top, as published; 0: by a straight line",
    false,
);
const EXPONENT: Parameter = Parameter::number(
    "exponent",
    "power of the depth: 3/2 for spheres by Hertz, 1 for a linear spring",
    1.5,
    1.0..=3.0,
);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "penalty",
    summary: "contacts as springs with dampers (Kelvin–Voigt), friction over a slip speed; Runge–Kutta of order 4",
    parameters: &[STIFFNESS, DAMPING, SLIP_SPEED, PENETRATION, PARABOLA],
    make: |values| Ok(Box::new(Penalty { law: Spring::KelvinVoigt, options: SpringOptions::of(values)? })),
};

pub const HUNT_CROSSLEY: SchemeInfo = SchemeInfo {
    name: "hunt-crossley",
    summary: "contacts as springs with hysteresis (Hunt–Crossley), friction over a slip speed; Runge–Kutta of order 4",
    parameters: &[STIFFNESS_TO_POWER, HYSTERESIS, SLIP_SPEED, EXPONENT, PENETRATION, PARABOLA],
    make: |values| {
        let law = Spring::HuntCrossley { exponent: values.number(&EXPONENT) };
        Ok(Box::new(Penalty { law, options: SpringOptions::of(values)? }))
    },
};

/// The normal law.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spring {
    /// k δ + d δ̇.
    KelvinVoigt,
    /// k δ^p (1 + χ δ̇).
    HuntCrossley {
        /// p.
        exponent: f64,
    },
}

/// How stiff contacts are, and what friction grows like.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SpringOptions {
    /// k; zero: from the penetration, or else from the step.
    stiffness: f64,
    /// Depth of a single impact (m); zero: none is asked for.
    penetration: f64,
    /// d, or ζ; zero: from the restitution of each contact.
    damping: f64,
    /// v_ε at least (m/s).
    slip_speed: f64,
    /// Whether friction grows by a parabola; by a straight line if not.
    parabola: bool,
}

impl SpringOptions {
    /// As the parameters say; the stiffness follows from the penetration, so not both are given.
    fn of(values: &Values) -> Result<Self, SchemeError> {
        let (stiffness, penetration) = (values.number(&STIFFNESS), values.number(&PENETRATION));
        if stiffness != 0.0 && penetration != 0.0 {
            let (first, second) = (STIFFNESS.name, PENETRATION.name);
            return Err(SchemeError::Twice { scheme: values.scheme.into(), first, second });
        }
        Ok(Self {
            stiffness,
            penetration,
            damping: values.number(&DAMPING),
            slip_speed: values.number(&SLIP_SPEED),
            parabola: values.switch(&PARABOLA),
        })
    }
}

/// Contacts as springs.
#[derive(Clone, Copy, Debug)]
struct Penalty {
    law: Spring,
    options: SpringOptions,
}

impl Penalty {
    fn name(&self) -> &'static str {
        match self.law {
            Spring::KelvinVoigt => "penalty",
            Spring::HuntCrossley { .. } => "hunt-crossley",
        }
    }
}

impl Scheme for Penalty {
    fn describe(&self) -> String {
        match self.law {
            Spring::HuntCrossley { exponent } => format!("{} (exponent = {exponent})", self.name()),
            Spring::KelvinVoigt => self.name().into(),
        }
    }

    /// Contacts are entered by design.
    fn takes_accuracy(&self) -> bool {
        false
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken { in_space: true, ..ContactsTaken::default() }
    }

    fn reactions(&self) -> Reactions {
        Reactions::Springs
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse_tangential_restitution(system, self.name())
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        self.check(system)?;
        let sizes = system.structure().sizes;
        let contacts = sizes.contacts;
        let with_joints = || vec![0.0; sizes.v + sizes.constraints];
        state.memory.clear();
        state.memory.resize(REMEMBERED * contacts, 0.0);
        let steps = Steps {
            method: ContactRungeKutta::start(CLASSIC, system, stage, state)?,
            springs: Springs::start(*self, system, state),
            begin: Configuration::new(system, state.t, &state.q, &state.v),
            g_begin: vec![0.0; contacts],
            made: 0.0,
            dry: (0..contacts).filter(|&contact| !stage.has_gap(contact)).collect(),
            pressed: Vec::with_capacity(contacts),
            rhs: with_joints(),
            solution: with_joints(),
            scratch: with_joints(),
            inverse: with_joints(),
        };
        Ok(Box::new(Workspace { steps, part: state.clone() }))
    }
}

/// Memory: of each contact |U⁻|, the inverse masses it meets along its normal and, the largest, in its tangential plane, and the
/// acceleration that presses it; zeros while it is open.
#[derive(Debug)]
struct Workspace {
    steps: Steps,
    /// Where a step that is made in parts has come to, with the impulses of its parts.
    part: State,
}

/// Makes a step in parts.
#[derive(Debug)]
struct Steps {
    method: ContactRungeKutta,
    springs: Springs,
    begin: Configuration,
    /// Gaps where the part began, and the length of the one made last.
    g_begin: Vec<f64>,
    made: f64,
    dry: Vec<usize>,
    pressed: Vec<usize>,
    /// Of the system with joints: right-hand side, solution, room.
    rhs: Vec<f64>,
    solution: Vec<f64>,
    scratch: Vec<f64>,
    inverse: Vec<f64>,
}

/// What a contact is made of while it is closed.
#[derive(Clone, Copy, Debug)]
struct Pair {
    contact: usize,
    /// First row among those of all contacts, and how many it has.
    row: usize,
    dim: usize,
    friction: Option<f64>,
    k: f64,
    /// d, or χ.
    d: f64,
    /// Slip that a unit of friction stops within a step (m/s/N).
    stops: f64,
}

/// Memory of one contact.
const REMEMBERED: usize = 4;

/// The springs of a step.
#[derive(Debug)]
struct Springs {
    law: Spring,
    options: SpringOptions,
    /// Damping that goes with each contact's restitution: D, or y.
    relative: Vec<f64>,
    memory: Vec<f64>,
    pairs: Vec<Pair>,
    /// Those inside at a stage: into `pairs`, and contacts.
    inside: Vec<usize>,
    list: Vec<usize>,
    W: Directions,
    g_N: Vec<f64>,
    /// F at the stage evaluated last, and its impulse over the step; rows of all contacts.
    F: Vec<f64>,
    P: Vec<f64>,
}

impl Springs {
    fn start(scheme: Penalty, system: &dyn System, state: &State) -> Self {
        let Penalty { law, options } = scheme;
        let (rows, contacts) = (state.P.len(), system.structure().sizes.contacts);
        let relative = |e: f64| match law {
            Spring::KelvinVoigt => kelvin_voigt(e),
            Spring::HuntCrossley { .. } => hunt_crossley(e),
        };
        let entries = rows * system.structure().sizes.v;
        Self {
            law,
            options,
            relative: system
                .structure()
                .contacts
                .iter()
                .map(|info| relative(info.kind.restitution()))
                .collect(),
            memory: vec![0.0; REMEMBERED * contacts],
            pairs: Vec::with_capacity(contacts),
            inside: Vec::with_capacity(contacts),
            list: Vec::with_capacity(contacts),
            W: Directions::with_room(rows, if entries <= SMALL { entries } else { 0 }),
            g_N: vec![0.0; contacts],
            F: vec![0.0; rows],
            P: vec![0.0; rows],
        }
    }

    /// out += W F at a configuration with its velocities, and P += weight · F.
    fn add(&mut self, system: &dyn System, weight: f64, at: &Configuration, out: &mut [f64]) {
        self.F.fill(0.0);
        self.list.clear();
        self.inside.clear();
        if self.pairs.is_empty() {
            return;
        }
        system.gaps(at, &mut self.g_N);
        for (index, pair) in self.pairs.iter().enumerate() {
            if self.g_N[pair.contact] < 0.0 {
                self.inside.push(index);
                self.list.push(pair.contact);
            }
        }
        self.W.clear();
        system.directions(at, &self.list, &mut self.W);
        let mut next = 0;
        for &index in &self.inside {
            let pair = self.pairs[index];
            let row = next;
            next += pair.dim;
            let (depth, approach) = (-self.g_N[pair.contact], -self.W.velocity(row, &at.v));
            let mut F = [0.0; 3];
            F[0] = match self.law {
                Spring::KelvinVoigt => pair.k * depth + pair.d * approach,
                Spring::HuntCrossley { exponent } => {
                    pair.k * depth.powf(exponent) * (1.0 + pair.d * approach)
                }
            }
            .max(0.0);
            if let Some(mu) = pair.friction {
                let SpringOptions { slip_speed, parabola, .. } = self.options;
                let slope = if parabola { 2.0 } else { 1.0 };
                let slip_speed = slip_speed.max(slope * mu * F[0] * pair.stops);
                let grown = |x: f64| if parabola { x * (2.0 - x.abs()) } else { x };
                if pair.dim == 2 {
                    let x = (self.W.velocity(row + 1, &at.v) / slip_speed).clamp(-1.0, 1.0);
                    F[1] = -mu * F[0] * grown(x);
                } else {
                    let U_T = [self.W.velocity(row + 1, &at.v), self.W.velocity(row + 2, &at.v)];
                    let slip = U_T[0].hypot(U_T[1]);
                    if slip > 0.0 {
                        let F_T = mu * F[0] * grown((slip / slip_speed).min(1.0));
                        (F[1], F[2]) = (-F_T * U_T[0] / slip, -F_T * U_T[1] / slip);
                    }
                }
            }
            for i in 0..next - row {
                self.F[pair.row + i] = F[i];
                self.P[pair.row + i] += weight * F[i];
                let (columns, values) = self.W.row(row + i);
                for (&column, w) in columns.iter().zip(values) {
                    out[column as usize] += w * F[i];
                }
            }
        }
    }

    /// k and d or χ of a contact that closed with `speed` against the inverse mass `w`, pressed with the acceleration `a`; and dt ω.
    fn constants(&self, contact: usize, speed: f64, w: f64, a: f64, dt: f64) -> (f64, f64, f64) {
        let omega = KAPPA / dt;
        let SpringOptions { stiffness, penetration, damping, .. } = self.options;
        let relative = if damping > 0.0 { 0.0 } else { self.relative[contact] };
        let k = match self.law {
            _ if stiffness > 0.0 => stiffness,
            Spring::KelvinVoigt if penetration > 0.0 => {
                ((speed * depth_with(relative) / penetration).powi(2) + 2.0 * a / penetration) / w
            }
            Spring::HuntCrossley { exponent } if penetration > 0.0 => {
                let energy = speed * speed * energy_with(relative) + a * penetration;
                (exponent + 1.0) * energy / penetration.powf(exponent + 1.0) / w
            }
            Spring::KelvinVoigt => omega * omega / w,
            Spring::HuntCrossley { exponent } => omega * omega / w * (speed / omega).powf(1.0 - exponent),
        };
        let d = match self.law {
            Spring::KelvinVoigt if damping > 0.0 => damping,
            Spring::KelvinVoigt => 2.0 * relative * (k / w).sqrt(),
            Spring::HuntCrossley { .. } if damping > 0.0 => damping / k,
            Spring::HuntCrossley { .. } => relative / speed,
        };
        // the tangent of the spring where it is deepest
        let tangent = match self.law {
            Spring::KelvinVoigt => k,
            Spring::HuntCrossley { exponent } => {
                let deepest = ((exponent + 1.0) * 0.5 * speed * speed / (k * w)).powf(1.0 / (exponent + 1.0));
                k * exponent * deepest.powf(exponent - 1.0)
            }
        };
        (k, d, dt * (tangent * w).sqrt())
    }
}

impl Steps {
    /// The contacts that are closed where a part of a step begins, and what those that are new meet.
    fn gather(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<(), StepError> {
        self.begin.move_to_state(system, state);
        self.springs.memory.copy_from_slice(&state.memory);
        self.springs.pairs.clear();
        self.springs.P.fill(0.0);
        system.gaps(&self.begin, &mut self.springs.g_N);
        let mut evaluated = false;
        let round_off = stage.extent().grain(&state.q);
        for contact in 0..self.springs.g_N.len() {
            if !stage.has_gap(contact) {
                continue;
            }
            let remembered = contact * REMEMBERED..(contact + 1) * REMEMBERED;
            if self.springs.g_N[contact] > round_off {
                self.springs.memory[remembered].fill(0.0);
                continue;
            }
            if self.springs.memory[remembered.start] == 0.0 {
                if !std::mem::replace(&mut evaluated, true) {
                    evaluate(system, stage, &self.begin, &mut self.rhs, &mut self.solution)?;
                }
                let met = self.meet(system, stage, contact, dt);
                self.springs.memory[remembered.clone()].copy_from_slice(&met);
            }
            let springs = &mut self.springs;
            let [speed, w, stops, pull] = std::array::from_fn(|k| springs.memory[remembered.start + k]);
            if w <= 0.0 {
                // nothing that it could move
                continue;
            }
            let (k, d, resolved) = springs.constants(contact, speed, w, pull, dt);
            if resolved > RESOLVED {
                return Err(StepError::TooStiff { t: state.t, contact, most: dt * RESOLVED / resolved });
            }
            let friction = match stage.kind(contact) {
                ContactKind::Frictional { friction, .. } | ContactKind::Spatial { friction, .. } => {
                    Some(*friction)
                }
                _ => None,
            };
            let (row, dim) = (stage.offset(contact), stage.kind(contact).dim());
            springs.pairs.push(Pair { contact, row, dim, friction, k, d, stops: dt * stops });
        }
        Ok(())
    }

    /// What a contact that is new meets, to be remembered: speed, inverse mass along the normal and along the tangent, and what
    /// pulls it.
    fn meet(
        &mut self,
        system: &dyn System,
        stage: &ContactStage,
        contact: usize,
        dt: f64,
    ) -> [f64; REMEMBERED] {
        let (W, n) = (&mut self.springs.W, self.begin.v.len());
        W.clear();
        system.directions(&self.begin, &[contact], W);
        let U = W.velocity(0, &self.begin.v);
        // what free forces make of it in some steps: a contact that closes slowly is pressed all the same
        let pull = -dot(W, 0, &self.solution[..n]);
        let fallen = pull * PRESSED * dt / KAPPA;
        let least = self.springs.options.slip_speed * LEAST_SPEED;
        // Wᵀ M⁻¹ W with the joints: its diagonal, and what couples the tangential rows
        let (mut D, mut coupled) = ([0.0; 3], 0.0);
        for i in 0..W.rows() {
            self.rhs.fill(0.0);
            let (columns, values) = W.row(i);
            for (&column, w) in columns.iter().zip(values) {
                self.rhs[column as usize] += w;
            }
            stage.operator.ldl().solve(&self.rhs, &mut self.inverse, &mut self.scratch);
            D[i] = dot(W, i, &self.inverse[..n]);
            if i == 2 {
                coupled = dot(W, 1, &self.inverse[..n]);
            }
        }
        let along_tangent = if W.rows() == 3 { largest(D[1], D[2], coupled) } else { D[1] };
        [(-U).max(fallen).max(least), D[0], along_tangent, pull.max(0.0)]
    }
}

/// M⁻¹ h and the factor of M with the joints, at a configuration.
fn evaluate(
    system: &dyn System,
    stage: &mut ContactStage,
    at: &Configuration,
    h: &mut [f64],
    x: &mut [f64],
) -> Result<(), StepError> {
    let n = at.v.len();
    let regular = stage.operator.evaluate_mass(system, at, false);
    stage.operator.forget_jacobian();
    stage.operator.evaluate_jacobian(system, at);
    if !regular || !stage.operator.factor(system, at, 0.0, 0.0) {
        return Err(StepError::Singular { t: at.t() });
    }
    system.force(at, &mut h[..n]);
    stage.operator.solve_mass(&h[..n], &mut x[..n]);
    Ok(())
}

/// The larger eigenvalue of [a c; c b]: the same in whatever directions the plane is spanned.
fn largest(a: f64, b: f64, c: f64) -> f64 {
    0.5 * (a + b) + (0.5 * (a - b)).hypot(c)
}

/// Wᵀ x of a row.
fn dot(W: &Directions, row: usize, x: &[f64]) -> f64 {
    W.velocity(row, x) - W.bias(row)
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let Self { steps, part } = self;
        stage.begin();
        part.clone_from(state);
        steps.in_parts(system, stage, part, dt)?;
        if let Some(velocity) = part.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: state.t, velocity });
        }
        // records: joints that rub, then springs that pressed
        let there = steps.method.there();
        let begin = &mut steps.begin;
        begin.move_to_state(system, state);
        steps.pressed.clear();
        let pressed = |&contact: &usize| !stage.has_gap(contact) || part.P[stage.offset(contact)] > 0.0;
        steps.pressed.extend((0..steps.g_begin.len()).filter(pressed));
        stage.set_active(&steps.pressed);
        stage.prepare(system, begin, false, &part.P, 1.0);
        stage.evaluate_directions(system, there);
        stage.update_bounds(dt, &part.P_b);
        stage.record(ImpulseKind::Force, &part.v, &part.P);
        state.clone_from(part);
        Ok(report(stage, 1))
    }
}

impl Steps {
    /// The step, divided where contacts close.
    fn in_parts(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        part: &mut State,
        dt: f64,
    ) -> Result<(), StepError> {
        let end = part.t + dt;
        let round_off = stage.extent().grain(&part.q);
        part.P_b.fill(0.0);
        part.P.fill(0.0);
        for parts in 1..=MOST_PARTS {
            let rest = end - part.t;
            if stage.has_contacts() {
                self.gather(system, stage, part, dt)?;
                self.g_begin.copy_from_slice(&self.springs.g_N);
            }
            self.try_part(system, stage, part, rest)?;
            // a bracket of where the first one closes, in parts of the rest; kept on the inner side
            let (mut open, mut closed) = (0.0, 1.0);
            let mut inside = self.closing(system, round_off);
            if parts < MOST_PARTS && rest > SHORT * dt {
                for _ in 0..TRIALS {
                    let Some((contact, g)) = inside else { break };
                    let g_open = if open == 0.0 { self.g_begin[contact] } else { 0.0 };
                    let ratio = if g_open > 0.0 { g_open / (g_open - g) } else { 0.5 };
                    let guess = open + (closed - open) * (ratio * (1.0 + SHORT)).min(1.0);
                    if closed - guess < SHORT {
                        break;
                    }
                    self.try_part(system, stage, part, guess * rest)?;
                    let now = self.closing(system, round_off);
                    if now.is_some() {
                        (closed, inside) = (guess, now);
                    } else {
                        open = guess;
                    }
                }
                if closed * rest != self.made {
                    self.try_part(system, stage, part, closed * rest)?;
                }
            }
            self.keep_part(part);
            if end - part.t <= SHORT * dt {
                part.t = end;
                return Ok(());
            }
        }
        Ok(())
    }

    /// One part, without committing it.
    fn try_part(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        part: &State,
        dt: f64,
    ) -> Result<(), StepError> {
        stage.set_active(&self.dry);
        self.springs.P.fill(0.0);
        self.made = dt;
        let springs = &mut self.springs;
        let push = |weight: f64, at: &Configuration, out: &mut [f64]| springs.add(system, weight, at, out);
        self.method.step(system, stage, part, dt, Contacts::Press, push)
    }

    /// The contact that was open where the part began and is deepest where it ends, and its gap there.
    fn closing(&mut self, system: &dyn System, round_off: f64) -> Option<(usize, f64)> {
        if self.g_begin.is_empty() {
            return None;
        }
        let there = self.method.there();
        system.gaps(there, &mut self.springs.g_N);
        let g_N = &self.springs.g_N;
        let mut deepest = None;
        for contact in (0..g_N.len()).filter(|&c| self.g_begin[c] > round_off && g_N[c] < 0.0) {
            if deepest.is_none_or(|(_, g)| g_N[contact] < g) {
                deepest = Some((contact, g_N[contact]));
            }
        }
        deepest
    }

    /// Goes to the end of the part made last.
    fn keep_part(&mut self, part: &mut State) {
        let there = self.method.there();
        part.t += self.made;
        part.q.copy_from_slice(there.q());
        part.v.copy_from_slice(&self.method.v);
        part.lambda_b.copy_from_slice(&self.method.lambda_b);
        for (sum, P) in part.P_b.iter_mut().zip(&self.method.P_b) {
            *sum += P;
        }
        let springs = &self.springs;
        for row in 0..part.P.len() {
            part.P[row] += self.method.P[row] + springs.P[row];
            part.lambda[row] = self.method.lambda()[row] + springs.F[row];
        }
        part.memory.copy_from_slice(&springs.memory);
    }
}

/// D = d / 2√(k m) that gives e back, for a contact that opens when its force vanishes.
fn kelvin_voigt(e: f64) -> f64 {
    let e = e.max(LEAST_RESTITUTION);
    let back = |D: f64| {
        if D < 1.0 {
            let s = (1.0 - D * D).sqrt();
            (-D / s * (PI - (2.0 * D * s).atan2(1.0 - 2.0 * D * D))).exp()
        } else if D == 1.0 {
            (-2.0_f64).exp()
        } else {
            let s = (D * D - 1.0).sqrt();
            (-D / s * ((D + s) / (D - s)).ln()).exp()
        }
    };
    search(0.0, 1.0 / e, |D| back(D) > e)
}

/// Depth of a damped spring's first turn, over that without damper: exp(−D/√(1−D²) · acos D), and likewise for D ≥ 1.
fn depth_with(D: f64) -> f64 {
    let s = (1.0 - D * D).abs().sqrt();
    let turn = if s < 1e-6 { 1.0 } else { D / s * if D < 1.0 { D.acos() } else { D.acosh() } };
    (-turn).exp()
}

/// (y − ln(1 + y))/y²: share of m U² that the spring takes up until it is deepest.
fn energy_with(y: f64) -> f64 {
    if y < 1e-4 { 0.5 - y / 3.0 } else { (y - y.ln_1p()) / (y * y) }
}

/// y = χ |U⁻| that gives e back: ∫ v dv / (1 + χ v) from U⁻ to −e U⁻ vanishes.
fn hunt_crossley(e: f64) -> f64 {
    let e = e.max(LEAST_RESTITUTION);
    search(0.0, 1.0 / e, |y| (1.0 + e) * y > ((1.0 + y) / (1.0 - e * y)).ln())
}

/// Where `below` stops to hold.
fn search(mut from: f64, mut to: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if below(middle) {
            from = middle;
        } else {
            to = middle;
        }
    }
    from
}
