//! Moreau–Jean θ-scheme, impulses over the step.                      [Chen2013] (32)–(35), [Haddouni2015] §2.1.2.1
//!
//! ```text
//!   v_{n+1} = v_n + dt [(1−θ) a_n + θ a_{n+1}] + w,       a = M⁻¹ h
//!   q_{n+1} = q_n ⊕ dt [(1−θ) v_n + θ v_{n+1}]
//!   M w = Ḡᵀ P_b + W P,    G v_{n+1} + ∂Φ/∂t = 0,    Ḡ = ½ (G_n + G_{n+1}) or G_{n+1}, see `implicit`
//!   0 ≤ U_{n+1} + e U_n ⊥ P ≥ 0          on { g(q_n ⊕ dt/2 · v_n) ≤ 0 }
//! ```
//!
//! M, h, G, W at (t_{n+1}, q_{n+1}, v_{n+1}) by Newton's iteration. θ = 1/2 is neutral in energy between impacts, θ = 1
//! is implicit Euler. Order 1 at impacts (`tests/it/ball.rs`), 2 between them for θ = 1/2 (`tests/it/minimal.rs`), with joints
//! too (`tests/it/joints.rs`). Departs from the sources in Ḡ; they have G_{n+1}, order 1 with joints.
//!
//! Elastic bodies in floating frames have an M that moves with them; then the step is that of `momentum`: momenta and forces
//! are added up, joints close in the positions. What is lost is G v_{n+1} = 0, which holds to O(dt²), and P_b/dt of a single
//! step alternates. `published` = 1 asks for the form above whatever the bodies are; it may blow up (a clamped beam under
//! its own weight: energy times 4e6 at T/240).
//!
//! In Gear–Gupta–Leimkuhler form, see `position`, joints and contacts hold in the positions too, and the law is asked on
//! { g(predicted q_{n+1}) ≤ 0 }: the end of the step, where positions must be right, decides. With a moving M joints hold in the
//! positions anyway, and contacts in velocities alone: to push them out of each other would store energy in the bodies.

use super::implicit::{Coefficients, END_JOINTS, Implicit, Joints, report};
use super::momentum::{Momentum, PUBLISHED, Weights};
use super::{Parameter, SchemeInfo};
use crate::{ContactStage, ContactsTaken, Scheme, State, StepError, StepReport, Stepper, System};

const THETA: Parameter = Parameter::number("theta", "1/2 trapezoidal rule, 1 implicit Euler", 0.5, 0.0..=1.0);
/// Below 1/2 the positions do not see the forces of the step in time to know which contacts close.
const THETA_GGL: Parameter = Parameter::number(THETA.name, THETA.meaning, 0.5, 0.5..=1.0);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "moreau-jean",
    summary: "Moreau–Jean θ-scheme; robust; theta = 1/2 is second order and energy-neutral between impacts",
    parameters: &[THETA, END_JOINTS, PUBLISHED],
    make: |values| {
        Ok(Box::new(MoreauJean {
            theta: values.number(&THETA),
            joints: Joints::of(values),
            positions: false,
            published: values.switch(&PUBLISHED),
        }))
    },
};

pub const GGL: SchemeInfo = SchemeInfo {
    name: "moreau-jean-ggl",
    summary: "Moreau–Jean in Gear–Gupta–Leimkuhler form: joints and contacts hold in positions and velocities, no drift, no penetration",
    parameters: &[THETA_GGL, PUBLISHED],
    make: |values| {
        Ok(Box::new(MoreauJean {
            theta: values.number(&THETA_GGL),
            joints: Joints::Mean,
            positions: true,
            published: values.switch(&PUBLISHED),
        }))
    },
};

/// The θ-scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoreauJean {
    /// θ in [0, 1].
    pub theta: f64,
    /// Along what the impulses of the joints act.
    pub joints: Joints,
    /// In Gear–Gupta–Leimkuhler form.
    pub positions: bool,
    /// Adds up accelerations whatever the bodies are.
    pub published: bool,
}

impl MoreauJean {
    /// Whether momenta are to be added up, where the system tells them.
    fn in_momenta(&self, system: &dyn System) -> bool {
        // an explicit step has no end to hold joints at
        !(self.published || self.theta == 0.0 || system.structure().mass_is_constant)
    }
}

impl Scheme for MoreauJean {
    fn describe(&self) -> String {
        let form = if self.positions { "-ggl" } else { "" };
        format!("moreau-jean{form} (theta = {})", self.theta)
    }

    /// In the positions: what is pushed out of a contact stores energy in a stiff body. Floating frames are not pushed.
    fn needs_resolved_impacts(&self, system: &dyn System) -> bool {
        self.positions && !system.structure().floats
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        if self.in_momenta(system) { Momentum::check(system, "moreau-jean") } else { Ok(()) }
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken { in_space: true, resisting: true, changing: !self.positions }
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        Ok(Box::new(Workspace::start(*self, system, stage, state)?))
    }
}

/// Memory: a_n, then w/dt of the last step and its rate.
#[derive(Debug)]
pub struct Workspace {
    theta: f64,
    form: Form,
}

/// What is added up over the step.
#[derive(Debug)]
enum Form {
    Accelerations(Box<Implicit>),
    Momenta(Box<Momentum>),
}

impl Workspace {
    /// At a state.
    pub fn start(
        options: MoreauJean,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Self, StepError> {
        let MoreauJean { theta, joints, positions, .. } = options;
        let momentum = match options.in_momenta(system) {
            true => Momentum::start(system, stage, state, "moreau-jean")?,
            false => None,
        };
        let form = match momentum {
            Some(momentum) => Form::Momenta(Box::new(momentum)),
            None => {
                let implicit = Implicit::start(joints, positions, system, stage, state)?;
                remember_first(&implicit, state);
                Form::Accelerations(Box::new(implicit))
            }
        };
        Ok(Self { theta, form })
    }

    /// Begins anew at a state.
    pub fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        match &mut self.form {
            Form::Accelerations(implicit) => {
                implicit.restart(system, stage, state)?;
                remember_first(implicit, state);
            }
            Form::Momenta(momentum) => {
                if let Some(new) = Momentum::start(system, stage, state, "moreau-jean")? {
                    **momentum = new;
                }
            }
        }
        Ok(())
    }
}

fn remember_first(implicit: &Implicit, state: &mut State) {
    state.memory.clear();
    state.memory.extend_from_slice(&implicit.x);
    state.memory.resize(3 * implicit.x.len(), 0.0);
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let theta = self.theta;
        let solve = match &mut self.form {
            Form::Accelerations(implicit) => &mut **implicit,
            Form::Momenta(momentum) => {
                let weights = Weights { theta, gamma: theta, alpha_m: 0.0, alpha_f: 0.0, kappa: 0.0 };
                return momentum.step(system, stage, state, dt, weights);
            }
        };
        let n = solve.x.len();
        let c = Coefficients { c_v: dt * theta, c_a: (dt * theta).powi(2), c_w: dt * theta, span: dt };
        stage.begin();
        // active: g(q_n ⊕ dt/2 · v_n) ≤ 0
        let positions = solve.has_positions();
        if stage.has_contacts() && !positions {
            solve.look_ahead(system, state, 0.5 * dt);
            stage.activate(system, solve.at());
            solve.recall_velocities(system, stage, state);
        }
        // constants, and the last step as first guess
        let (a_n, reactions) = state.memory.split_at(n);
        let (v_c, delta_c) = (&mut solve.v_c[..n], &mut solve.delta_c[..n]);
        let (v_n, a_n) = (&state.v[..n], &a_n[..n]);
        for i in 0..n {
            v_c[i] = v_n[i] + dt * (1.0 - theta) * a_n[i];
            delta_c[i] = dt * ((1.0 - theta) * v_n[i] + theta * v_c[i]);
        }
        solve.x.copy_from_slice(a_n);
        solve.turn_guess(system, v_n, dt);
        if positions {
            solve.activate_predicted(system, stage, state, dt, c);
        }
        solve.guess_reactions(dt, reactions);
        let iterations = solve.solve(system, stage, state, dt, c)?;
        solve.commit(system, stage, state, dt);
        let (a_n, reactions) = state.memory.split_at_mut(n);
        if theta == 0.0 {
            solve.acceleration(system, stage, (state.t, &state.q), a_n);
        } else {
            a_n.copy_from_slice(&solve.x);
        }
        solve.remember_reactions(system, stage, dt, reactions);
        Ok(report(stage, iterations))
    }
}
