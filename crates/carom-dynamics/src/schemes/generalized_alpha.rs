//! Nonsmooth generalized-α scheme.                                                  [Chen2013] (21)–(29), Algorithm 1
//!
//! ```text
//!   (1−α_m) a_{n+1} + α_m a_n = (1−α_f) x_{n+1} + α_f x_n,      x = M⁻¹ h  (ṽ' of the paper)
//!   v_{n+1} = v_n + dt (1−γ) a_n + dt γ a_{n+1} + w
//!   q_{n+1} = q_n ⊕ (dt v_n + dt² (½−β) a_n + dt² β a_{n+1} + dt/2 · w)
//!   M w = Ḡᵀ P_b + W P,    G v_{n+1} + ∂Φ/∂t = 0,    Ḡ = ½ (G_n + G_{n+1}) or G_{n+1}, see `implicit`
//!   0 ≤ U_{n+1} + e U_n ⊥ P ≥ 0          on { g(predicted q_{n+1}) ≤ 0 }
//! ```
//!
//! Parameters from ρ_∞ (optimal generalized-α), those of HHT and Newmark, or α_m, α_f, γ, β themselves. Order 1 at impacts (`tests/it/ball.rs`), 2
//! between them (`tests/it/minimal.rs`), with joints too (`tests/it/joints.rs`).
//!
//! Elastic bodies in floating frames, and elastic bodies in joints, are stepped in `momentum` form: a there is that of the body
//! with all its reactions. Above it is M⁻¹h of the free one, and q moves by dt² (β − γ/2) times its change under a load, so that
//! a weld of a loaded beam turns (0.34 rad where it should hold to round-off). Positions of the two forms differ by
//! dt² (β − γ/2) a. `published` = 1 asks for the form above whatever the bodies are.
//!
//! Departs from [Chen2013]: Ḡ, where the paper has G_{n+1} and order 1 with joints; friction is solved in the same Newton
//! iteration; the prediction carries the smooth accelerations of the last step on instead of setting ṽ' = 0, which
//! changes the predicted gap by O(dt²); the 2n unknowns (ṽ, v) are reduced to n, see `implicit`. Order 2 belongs to a
//! constant step: where the step changes, a_n stands for a slightly shifted time.

use super::implicit::{Coefficients, END_JOINTS, Implicit, Joints, report};
use super::momentum::{Momentum, PUBLISHED, Weights};
use super::{Parameter, SchemeError, SchemeInfo, Values};
use crate::{ContactStage, ContactsTaken, Scheme, State, StepError, StepReport, Stepper, System};

/// Of everything that damps as ρ_∞ says.
pub const RHO: Parameter =
    Parameter::number("rho", "spectral radius at infinity: 1 no damping, 0 most", 0.8, 0.0..=1.0);
pub const ALPHA_M: Parameter = Parameter::derived(
    "alpha_m",
    "α_m, in the place of rho; at most alpha_f, which is given with it",
    -1.0..=0.5,
);
pub const ALPHA_F: Parameter =
    Parameter::derived("alpha_f", "α_f, in the place of rho; given with alpha_m", -1.0..=0.5);
pub const GAMMA: Parameter = Parameter::derived(
    "gamma",
    "γ; left out it is 1/2 + alpha_f - alpha_m, order 2; more is order 1 and damps more",
    0.5..=2.0,
);
pub const BETA: Parameter = Parameter::derived(
    "beta",
    "β; left out it is (gamma + 1/2)²/4, the most damping at infinity; at least gamma/2",
    0.25..=2.0,
);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "generalized-alpha",
    summary: "nonsmooth generalized-α; second order between impacts, damps high frequencies",
    parameters: &[RHO, END_JOINTS, PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
    make: |values| {
        let (name, p) = family(values)?;
        Ok(GeneralizedAlpha::new(name, p, Joints::of(values)).with_published(values))
    },
};

const HHT_ALPHA: Parameter =
    Parameter::number("alpha", "α_f: 0 trapezoidal rule, 1/3 most damping", 0.1, 0.0..=1.0 / 3.0);

pub const HHT: SchemeInfo = SchemeInfo {
    name: "hht",
    summary: "nonsmooth Hilber–Hughes–Taylor",
    parameters: &[HHT_ALPHA, END_JOINTS, PUBLISHED],
    make: |values| {
        let alpha = values.number(&HHT_ALPHA);
        let (name, p) = (format!("hht (alpha = {alpha})"), AlphaParameters::hht(alpha));
        Ok(GeneralizedAlpha::new(name, p, Joints::of(values)).with_published(values))
    },
};

const NEWMARK_GAMMA: Parameter = Parameter::number("gamma", "1/2 no damping, 1 most", 0.5, 0.5..=1.0);

pub const NEWMARK: SchemeInfo = SchemeInfo {
    name: "newmark",
    summary: "nonsmooth Newmark; gamma = 1/2 trapezoidal rule, gamma = 1 most damping, order 1",
    parameters: &[NEWMARK_GAMMA, END_JOINTS, PUBLISHED, BETA],
    make: |values| {
        let (gamma, beta) = (values.number(&NEWMARK_GAMMA), values.derived(&BETA));
        let p = AlphaParameters::chosen(1.0, Some(0.0), Some(0.0), Some(gamma), beta);
        p.check(values.scheme)?;
        let said = beta.map_or(String::new(), |beta| format!(", beta = {beta}"));
        let name = format!("newmark (gamma = {gamma}{said})");
        Ok(GeneralizedAlpha::new(name, p, Joints::of(values)).with_published(values))
    },
};

pub const GGL: SchemeInfo = SchemeInfo {
    name: "generalized-alpha-ggl",
    summary: "nonsmooth generalized-α in Gear–Gupta–Leimkuhler form: no drift, no penetration",
    parameters: &[RHO, PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
    make: |values| {
        let (name, p) = family(values)?;
        let scheme = GeneralizedAlpha { positions: true, ..GeneralizedAlpha::new(name, p, Joints::Mean) };
        Ok(scheme.with_published(values))
    },
};

/// The α family by ρ_∞, or by α_m, α_f, γ, β where they are given, and its name with what was given. Refuses α_m without α_f, and
/// what is not stable at every step.
pub fn family(values: &Values) -> Result<(String, AlphaParameters), SchemeError> {
    let (rho, scheme) = (values.number(&RHO), values.scheme);
    let given = [&ALPHA_M, &ALPHA_F, &GAMMA, &BETA].map(|p| (p.name, values.derived(p)));
    let [alpha_m, alpha_f, gamma, beta] = given.map(|(_, value)| value);
    if alpha_m.is_some() != alpha_f.is_some() {
        let (given, missing) = if alpha_m.is_some() { (ALPHA_M, ALPHA_F) } else { (ALPHA_F, ALPHA_M) };
        return Err(SchemeError::Together { scheme, given: given.name, missing: missing.name });
    }
    let p = AlphaParameters::chosen(rho, alpha_m, alpha_f, gamma, beta);
    p.check(scheme)?;
    let by_rho = alpha_m.is_none().then_some(("rho", rho));
    let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let said: Vec<String> =
        by_rho.into_iter().chain(given).map(|(name, value)| format!("{name} = {value}")).collect();
    Ok((format!("{scheme} ({})", said.join(", ")), p))
}

/// Round-off of a condition of stability.
const STABILITY_ROUND_OFF: f64 = 1e-12;

/// α_m, α_f, β, γ of the family, with the name under which they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaParameters {
    /// α_m.
    pub alpha_m: f64,
    /// α_f.
    pub alpha_f: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
}

impl AlphaParameters {
    /// Optimal generalized-α with spectral radius ρ_∞ at infinity, in [0, 1]. [Chen2013] after (31)
    pub fn generalized(rho: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        Self::second_order(alpha_m, alpha_f)
    }

    /// Hilber–Hughes–Taylor, α_f in [0, 1/3].
    pub fn hht(alpha_f: f64) -> Self {
        Self::second_order(0.0, alpha_f)
    }

    /// Newmark with γ ≥ 1/2 and β = ¼ (γ + ½)²; γ = 1/2 is the trapezoidal rule, γ = 1 has the γ and β of
    /// `newmark_implicit`, but not its reactions.
    pub fn newmark(gamma: f64) -> Self {
        Self { alpha_m: 0.0, alpha_f: 0.0, beta: 0.25 * (gamma + 0.5).powi(2), gamma }
    }

    /// Optimal parameters for ρ_∞, with those in their place that are given. γ and β follow α_m and α_f so that the order is 2 and
    /// the damping at infinity largest. [RezaeiSchindler] (100)
    pub fn chosen(
        rho: f64,
        alpha_m: Option<f64>,
        alpha_f: Option<f64>,
        gamma: Option<f64>,
        beta: Option<f64>,
    ) -> Self {
        let optimal = Self::generalized(rho);
        let (alpha_m, alpha_f) = (alpha_m.unwrap_or(optimal.alpha_m), alpha_f.unwrap_or(optimal.alpha_f));
        let gamma = gamma.unwrap_or(0.5 + alpha_f - alpha_m);
        Self { alpha_m, alpha_f, gamma, beta: beta.unwrap_or(0.25 * (gamma + 0.5).powi(2)) }
    }

    /// Refuses what is not stable at every step.
    fn check(&self, scheme: &'static str) -> Result<(), SchemeError> {
        match self.instability() {
            None => Ok(()),
            Some((parameter, value, range)) => Err(SchemeError::Unstable { scheme, parameter, value, range }),
        }
    }

    /// The first of the conditions of unconditional stability that does not hold: which parameter, its value, and the range it
    /// must be in.
    ///
    /// ```text
    ///   α_m ≤ α_f ≤ ½,      γ ≥ ½ + α_f − α_m,      β ≥ ½ γ;         equality in γ: order 2, and then β ≥ ¼ + ½ (α_f − α_m)
    /// ```
    ///
    /// Sufficient for every γ, and for order 2 necessary ([RezaeiSchindler] (100); test `free_parameters` of `spectrum`).
    pub fn instability(&self) -> Option<(&'static str, f64, String)> {
        let Self { alpha_m, alpha_f, beta, gamma } = *self;
        let (least_gamma, least_beta) = (0.5 + alpha_f - alpha_m, 0.5 * gamma);
        let below = |a: f64, b: f64| a < b - STABILITY_ROUND_OFF;
        if below(0.5, alpha_f) {
            Some(("alpha_f", alpha_f, "at most 1/2".into()))
        } else if below(alpha_f, alpha_m) {
            Some(("alpha_m", alpha_m, format!("at most alpha_f = {alpha_f}")))
        } else if below(gamma, least_gamma) {
            Some((
                "gamma",
                gamma,
                format!("at least 1/2 + alpha_f - alpha_m = {least_gamma}, where the order is 2"),
            ))
        } else if below(beta, least_beta) {
            Some(("beta", beta, format!("at least gamma/2 = {least_beta}")))
        } else {
            None
        }
    }

    fn second_order(alpha_m: f64, alpha_f: f64) -> Self {
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5).powi(2), gamma }
    }
}

/// The family.
#[derive(Clone, Debug)]
pub struct GeneralizedAlpha {
    /// How reports call it.
    pub name: String,
    /// α_m, α_f, β, γ.
    pub p: AlphaParameters,
    /// Along what the impulses of the joints act.
    pub joints: Joints,
    /// In Gear–Gupta–Leimkuhler form: joints and contacts hold in the positions too, see `position`.
    pub positions: bool,
    /// Adds up accelerations whatever the bodies are.
    pub published: bool,
}

impl GeneralizedAlpha {
    /// The usual form; `name` is how reports call it.
    pub fn new(name: String, p: AlphaParameters, joints: Joints) -> Self {
        Self { name, p, joints, positions: false, published: false }
    }

    /// Whether momenta are to be added up, where the system tells them.
    fn in_momenta(&self, system: &dyn System) -> bool {
        // contacts in the positions are for bodies that keep their M
        !(self.published || (self.positions && system.structure().mass_is_constant))
    }

    /// With the form that is asked for.
    fn with_published(self, values: &Values) -> Box<dyn Scheme> {
        Box::new(Self { published: values.switch(&PUBLISHED), ..self })
    }
}

impl Scheme for GeneralizedAlpha {
    fn describe(&self) -> String {
        self.name.clone()
    }

    /// In the positions: what is pushed out of a contact stores energy in a stiff body. Floating frames are not pushed.
    fn needs_resolved_impacts(&self, system: &dyn System) -> bool {
        self.positions && !system.structure().floats
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        if self.in_momenta(system) { Momentum::check(system, &self.name) } else { Ok(()) }
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
        let Self { p, joints, positions, .. } = *self;
        if self.in_momenta(system)
            && let Some(momentum) = Momentum::start(system, stage, state, &self.name)?
        {
            return Ok(Box::new(InMomenta { p, momentum }));
        }
        let implicit = Implicit::start(joints, positions, system, stage, state)?;
        state.memory.clear();
        state.memory.extend_from_slice(&implicit.x);
        state.memory.extend_from_slice(&implicit.x);
        state.memory.resize(4 * implicit.x.len(), 0.0);
        Ok(Box::new(InAccelerations { p, implicit }))
    }
}

/// Momenta are added up over the step.
#[derive(Debug)]
struct InMomenta {
    p: AlphaParameters,
    momentum: Momentum,
}

impl Stepper for InMomenta {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let AlphaParameters { alpha_m, alpha_f, beta, gamma } = self.p;
        let kappa = beta - 0.5 * gamma;
        let weights = Weights { theta: 0.5, gamma, alpha_m, alpha_f, kappa };
        self.momentum.step(system, stage, state, dt, weights)
    }
}

/// Accelerations are. Memory: a_n, x_n, then w/dt of the last step and its rate.
#[derive(Debug)]
struct InAccelerations {
    p: AlphaParameters,
    implicit: Implicit,
}

impl Stepper for InAccelerations {
    /// a_n stands for x(t_n + (α_m − α_f) dt): a_n ← x_n + ratio (a_n − x_n).
    fn stretch(&self, state: &mut State, ratio: f64) {
        let (a_n, rest) = state.memory.split_at_mut(state.v.len());
        for (a, x) in a_n.iter_mut().zip(rest) {
            *a = *x + ratio * (*a - *x);
        }
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let AlphaParameters { alpha_m, alpha_f, beta, gamma } = self.p;
        let n = system.structure().sizes.v;
        let share = (1.0 - alpha_f) / (1.0 - alpha_m);
        let c =
            Coefficients { c_v: dt * gamma * share, c_a: dt * dt * beta * share, c_w: 0.5 * dt, span: dt };
        let solve = &mut self.implicit;
        // constants: a_{n+1} = share x_{n+1} + a_c; first guess: nothing changed
        let (a_n, rest) = state.memory.split_at(n);
        let (a_n, x_n, v_n) = (&a_n[..n], &rest[..n], &state.v[..n]);
        let (v_c, delta_c) = (&mut solve.v_c[..n], &mut solve.delta_c[..n]);
        for i in 0..n {
            let a_c = (alpha_f * x_n[i] - alpha_m * a_n[i]) / (1.0 - alpha_m);
            v_c[i] = v_n[i] + dt * ((1.0 - gamma) * a_n[i] + gamma * a_c);
            delta_c[i] = dt * v_n[i] + dt * dt * ((0.5 - beta) * a_n[i] + beta * a_c);
        }
        solve.x.copy_from_slice(x_n);
        solve.turn_guess(system, v_n, dt);
        stage.begin();
        // active: g(predicted q_{n+1}) ≤ 0, predicted without reactions: a contact must not hold itself open
        solve.activate_predicted(system, stage, state, dt, c);
        solve.guess_reactions(dt, &state.memory[2 * n..]);
        let iterations = solve.solve(system, stage, state, dt, c)?;
        solve.commit(system, stage, state, dt);
        let (a_n, rest) = state.memory.split_at_mut(n);
        let (x_n, reactions) = rest.split_at_mut(n);
        let (a_n, x) = (&mut a_n[..n], &solve.x[..n]);
        for i in 0..n {
            a_n[i] = share * x[i] + (alpha_f * x_n[i] - alpha_m * a_n[i]) / (1.0 - alpha_m);
        }
        x_n.copy_from_slice(x);
        solve.remember_reactions(system, stage, dt, reactions);
        Ok(report(stage, iterations))
    }
}
