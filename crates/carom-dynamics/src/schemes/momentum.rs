//! A step in momenta, for systems with elastic bodies: Moreau–Jean, and the α family.
//!
//! ```text
//!   x_{n+1} = x_n + dt [(1−θ) w_n + θ w_{n+1}]                           x, w, p, f, D, Ḡ of `momenta`
//!   D = dt [(1−γ) A_n + γ A_{n+1}] + dt f̄ + Ḡᵀ P_b + W(q̄) P               D = Δp − dt (slope of ½ w_nᵀ M w_{n+1})
//!   (1−α_m) A_{n+1} + α_m A_n = f(x_α + κ a_α, w_α)                      y_α = (1−α_f) y_{n+1} + α_f y_n
//!   w_{n+1} − w_n = dt [(1−γ) a_n + γ a_{n+1}]                           a_0 = 0, A_0 = f(x_0, w_0)
//!   Φ(t_{n+1}, q_{n+1}) = 0,      0 ≤ U_{n+1} + e U_n ⊥ P ≥ 0, friction    on { g(q_n ⊕ dt/2 · v_n) ≤ 0 }
//! ```
//!
//! Moreau–Jean has γ = θ and no α, no κ; the α family θ = ½, κ = dt² (β − γ/2). Newmark with γ = ½ is Moreau–Jean with
//! θ = ½. For a constant M this is the published α scheme seen from q_published − κ a: same eigenvalues, and one more,
//! −(1−γ)/γ, of a.
//!
//! Why not as published: M⁻¹h of a *free* body contains M⁻¹K q_f. Added up from two instants with different M it leaves
//! what no reaction cancels, and a clamped beam in a floating frame gains energy without end; and q moves by κ times the
//! acceleration of the free body under any load, so that welds turn. Here M⁻¹ of one instant never meets forces of
//! another, and a is kinematic: that of the body with all its reactions.
//!
//! What holds, whatever the step: linear and angular momentum, to the tolerance of the iteration; joints in the positions;
//! energy without contact for θ = ½ where forces are linear, or come as the difference quotient f̄ of their potential. U is that of the end of the step; impulses act at x̄, where two
//! bodies that collide share one contact point:
//!
//! ```text
//!   x̄ = ½ (x_n + x_{n+1}) − dt (θ − ½) ½ (w_n + w_{n+1}) = x_n + dt [(¾ − θ) w_n + ¼ w_{n+1}]
//! ```
//!
//! is the middle for θ = ½, and otherwise the place about which m Δṙ_c has the moment that the angular momentum changes by.
//!
//! What it costs: P_b/dt of one step alternates about the reaction, and only the mean of two steps is of order 2. G v_{n+1}
//! is zero to O(dt²) on resolved motion only. Low ρ_∞ overshoots in the first steps, as published.
//!
//! The iteration has w_{n+1} for its unknown. Its matrix is that of `implicit`, M(q̄) + c_v C + c_q K with Ḡ in the
//! coordinates q, sparse and symmetric; the residual is exact. With r the residual in rows of q,
//!
//! ```text
//!   (M̄ + c_v C + c_q K) δv − Ḡᵀ δP_b − W̄ P = −r,      Ḡ δv = −Φ/(θ dt),      δw = T δv
//! ```

use super::implicit::{MOST_ITERATIONS, NEWTON_TOLERANCE, ROUND_OFF, SLOW, STALL, STALLED, report};
use super::parameters::Parameter;
use crate::convergence::{Convergence, Rule, Stall, finite, not_converged};
use crate::{
    Configuration, ContactStage, DRIFT_OF_PRESSED, Momenta, Power, State, StepError, StepReport, System,
};

/// Where M moves the iteration stops when its estimated error, relative to the velocities in the norm of M, is below this: what
/// is kept is kept to this in every step. Where it does not, [`NEWTON_TOLERANCE`] is enough.
const TOLERANCE: f64 = 1e-12;
/// A last step that changed the velocities by less than this part of them is carried on as first guess.
const STEADY: f64 = 0.5;

/// After so many iterations, if they do not contract and contacts are active, only half of each correction is made: contacts that
/// change their piece of a boundary to and fro settle in between.
const HALVED: usize = 12;
/// A contraction slower than this is none.
const STALLS: f64 = 0.6;

/// Of the schemes that take this form where bodies are elastic.
pub const PUBLISHED: Parameter = Parameter::switch(
    "published",
    "with elastic bodies, 1: accelerations are added up, as published; 0: momenta, see momentum.rs",
    false,
);

/// Weights of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// θ: of the end of the step in the positions.
    pub theta: f64,
    /// γ.
    pub gamma: f64,
    /// α_m.
    pub alpha_m: f64,
    /// α_f.
    pub alpha_f: f64,
    /// κ/dt².
    pub kappa: f64,
}

impl Weights {
    /// Whether forces are asked at the end of the step.
    fn at_end(&self) -> bool {
        self.alpha_f == 0.0 && self.kappa == 0.0
    }

    /// c_v, the weight of C in the matrix.
    fn of_velocities(&self, dt: f64) -> f64 {
        dt * self.gamma * (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// c_q, that of K.
    fn of_positions(&self, dt: f64) -> f64 {
        let kappa = self.kappa * dt * dt;
        self.of_velocities(dt) * (self.theta * dt + kappa / (self.gamma * dt))
    }
}

/// The momenta of a system that told them when the run began.
fn told(system: &dyn System) -> &dyn Momenta {
    system.momenta().expect("it told them when the run began")
}

/// Where a step asks.
#[derive(Debug)]
struct Places {
    from: Configuration,
    to: Configuration,
    middle: Configuration,
    /// Where forces are asked, if not at the end.
    between: Configuration,
}

/// Work arrays, each of the size of v unless said otherwise. Memory of the scheme: A, then a.
#[derive(Debug)]
pub struct Momentum {
    places: Places,
    x_n: Vec<f64>,
    w_n: Vec<f64>,
    /// x_{n+1} and w_{n+1}.
    x: Vec<f64>,
    w: Vec<f64>,
    dw: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
    dv: Vec<f64>,
    work: Vec<f64>,
    other: Vec<f64>,
    /// Largest mass on the diagonal of M, of velocities that are lengths.
    heaviest: f64,
    /// Size of q.
    q: Vec<f64>,
    /// Size of Φ.
    P_b: Vec<f64>,
    dP_b: Vec<f64>,
}

impl Momentum {
    /// Refuses bodies in floating frames in coordinates in which the system does not tell its momenta. `scheme` is who asks.
    pub fn check(system: &dyn System, scheme: &str) -> Result<(), StepError> {
        match system.momenta() {
            None if system.structure().floats => Err(StepError::NoMomenta { scheme: scheme.into() }),
            _ => Ok(()),
        }
    }

    /// Sizes everything and writes A_0 = f, a_0 = 0 into the memory; nothing where the system does not tell its momenta. `scheme`
    /// is who asks.
    pub fn start(
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        scheme: &str,
    ) -> Result<Option<Self>, StepError> {
        Self::check(system, scheme)?;
        let Some(momenta) = system.momenta() else { return Ok(None) };
        let (n, sizes) = (state.v.len(), system.structure().sizes);
        let at = stage.start_at(system, state)?;
        let zeros = || vec![0.0; n];
        let mut f = zeros();
        momenta.forces(&at, &mut f);
        state.memory.clear();
        state.memory.extend_from_slice(&f);
        state.memory.resize(2 * n, 0.0);
        let (to, middle, between) = (at.clone(), at.clone(), at.clone());
        Ok(Some(Self {
            places: Places { from: at, to, middle, between },
            x_n: zeros(),
            w_n: zeros(),
            x: zeros(),
            w: zeros(),
            dw: zeros(),
            v: zeros(),
            f,
            dv: zeros(),
            work: zeros(),
            other: zeros(),
            heaviest: stage.operator.heaviest(system),
            q: vec![0.0; sizes.q],
            P_b: vec![0.0; sizes.constraints],
            dP_b: vec![0.0; sizes.constraints],
        }))
    }

    /// One step.
    pub fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
        weights: Weights,
    ) -> Result<StepReport, StepError> {
        self.begin(system, stage, state, dt);
        let iterations = self.solve(system, stage, state, dt, weights)?;
        self.commit(system, stage, state, dt, weights);
        let work = system.structure().has_power.then(|| self.work(system, dt, weights.gamma));
        Ok(StepReport { work, ..report(stage, iterations) })
    }

    /// Work of forces without a potential over the step just made: along w̄, which is what moved. Velocities that the step does
    /// not resolve turn their sign from end to end, and know nothing of it.
    fn work(&mut self, system: &dyn System, dt: f64, gamma: f64) -> Power {
        let momenta = told(system);
        let Places { from, to, .. } = &mut self.places;
        for i in 0..self.w.len() {
            self.work[i] = 0.5 * (self.w_n[i] + self.w[i]);
        }
        let mut power = |at: &mut Configuration| {
            momenta.velocities(at, &self.work, &mut self.other);
            at.v.copy_from_slice(&self.other);
            system.power(at)
        };
        let (begin, end) = (power(from), power(to));
        let over = |begin: f64, end: f64| dt * ((1.0 - gamma) * begin + gamma * end);
        Power { applied: over(begin.applied, end.applied), damping: over(begin.damping, end.damping) }
    }

    /// Where the step begins, the active set, and the first guess.
    fn begin(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State, dt: f64) {
        let momenta = told(system);
        let Places { from, to, .. } = &mut self.places;
        stage.begin();
        from.move_to_state(system, state);
        momenta.coordinates(from, &mut self.x_n);
        momenta.rates(from, &state.v, &mut self.w_n);
        if stage.has_contacts() {
            for (delta, v) in self.work.iter_mut().zip(&state.v) {
                *delta = 0.5 * dt * v;
            }
            to.retract_to(system, state.t + 0.5 * dt, &state.q, &self.work);
            stage.activate(system, to);
            stage.keep_pressed(&state.P, DRIFT_OF_PRESSED * system.structure().length_scale);
            if stage.is_active() {
                stage.prepare(system, from, true, &state.P, 1.0);
            }
        }
        // a steady motion is carried on
        let (M, a) = (stage.operator.M_diag(), &state.memory[state.v.len()..]);
        let (mut change, mut size) = (0.0, 0.0);
        for i in 0..self.w.len() {
            change += M[i] * (dt * a[i]).powi(2);
            size += M[i] * self.w_n[i].powi(2);
        }
        let steady = !stage.has_closed_contacts() && change <= STEADY * STEADY * size;
        for i in 0..self.w.len() {
            self.w[i] = self.w_n[i] + if steady { dt * a[i] } else { 0.0 };
        }
    }

    /// Iterates until w_{n+1} stands. Returns the iterations.
    fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        weights: Weights,
    ) -> Result<usize, StepError> {
        let t = state.t;
        let c_v = weights.of_velocities(dt);
        let tolerance = if system.structure().mass_is_constant { NEWTON_TOLERANCE } else { TOLERANCE };
        // velocities that positions cannot tell from none
        let grain = stage.extent().grain(&state.q) / (weights.theta * dt) * self.heaviest.sqrt();
        self.P_b.fill(0.0);
        // what is left is round-off, which does not contract: of a stiff slender body, that of its matrix
        let stall = Stall { after: STALLED, rate: STALLS, below: STALL, both: true };
        let mut convergence = Convergence::new(Rule { stall, ..Rule::to(tolerance, SLOW) });
        let (mut refactor, mut halved, mut scale) = (true, false, 0.0_f64);
        for iteration in 1..=MOST_ITERATIONS {
            self.place(system, state.t + dt, dt, weights.theta);
            self.residual(system, state, dt, weights);
            self.press(system, stage, (t, dt), weights.theta, refactor);
            if refactor {
                self.factor(system, stage, t, (c_v, weights.of_positions(dt)), weights.at_end())?;
            }
            if iteration > 1 {
                self.add_reactions(system, stage);
            }
            self.correct(system, stage, t, weights.theta * dt, halved)?;
            let (change, size, push) = self.change(stage.operator.M_diag(), &state.v);
            scale = scale.max(size);
            // what rests has no size of its own, but its forces have, and the places it is found from
            let still = (ROUND_OFF * scale.max(c_v * push)).max(grain);
            finite(t, change, still, &self.w)?;
            let judged = convergence.judge(change, scale, still);
            if judged.settled {
                return Ok(iteration);
            }
            halved |= iteration >= HALVED && judged.rate > STALLS && stage.is_active();
            refactor = judged.slow;
        }
        Err(not_converged(t, MOST_ITERATIONS, stage.operator.M_diag(), &self.dv, &self.v))
    }

    /// x_{n+1}, q_{n+1}, v_{n+1} with the w_{n+1} of now.
    fn place(&mut self, system: &dyn System, t_end: f64, dt: f64, theta: f64) {
        let (momenta, to) = (told(system), &mut self.places.to);
        for i in 0..self.w.len() {
            self.x[i] = self.x_n[i] + dt * ((1.0 - theta) * self.w_n[i] + theta * self.w[i]);
        }
        momenta.positions(&self.x, &mut self.q);
        to.move_to(system, t_end, &self.q);
        momenta.velocities(to, &self.w, &mut self.v);
        to.v.copy_from_slice(&self.v);
    }

    /// f at its place, and r = −D + dt [(1−γ) A_n + γ A_{n+1}] in rows of q.
    fn residual(&mut self, system: &dyn System, state: &State, dt: f64, weights: Weights) {
        let momenta = told(system);
        let Weights { gamma, alpha_m, alpha_f, kappa, .. } = weights;
        let n = self.w.len();
        let (A_n, a_n) = state.memory.split_at(n);
        let Places { from, to, between, .. } = &mut self.places;
        if weights.at_end() {
            momenta.forces(to, &mut self.f);
        } else {
            let kappa = kappa * dt * dt;
            for i in 0..n {
                let a = (self.w[i] - self.w_n[i] - dt * (1.0 - gamma) * a_n[i]) / (gamma * dt);
                let a_alpha = (1.0 - alpha_f) * a + alpha_f * a_n[i];
                self.work[i] = (1.0 - alpha_f) * self.x[i] + alpha_f * self.x_n[i] + kappa * a_alpha;
                self.other[i] = (1.0 - alpha_f) * self.w[i] + alpha_f * self.w_n[i];
            }
            momenta.positions(&self.work, &mut self.q);
            between.move_to(system, state.t + dt - alpha_f * dt, &self.q);
            momenta.velocities(between, &self.other, &mut self.work);
            between.v.copy_from_slice(&self.work);
            momenta.forces(between, &mut self.f);
        }
        momenta.change(from, to, dt, &mut self.dv);
        momenta.add_secant_forces(from, to, -dt, &mut self.dv);
        for i in 0..n {
            let A = (self.f[i] - alpha_m * A_n[i]) / (1.0 - alpha_m);
            self.dv[i] = dt * ((1.0 - gamma) * A_n[i] + gamma * A) - self.dv[i];
        }
        momenta.to_rows(from, to, &mut self.dv);
    }

    /// x̄ where it is needed, Ḡ, W̄ and the bounds of friction.
    fn press(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        (t, dt): (f64, f64),
        theta: f64,
        refactor: bool,
    ) {
        let momenta = told(system);
        let Places { from, to, middle, .. } = &mut self.places;
        if stage.is_active() || refactor {
            for i in 0..self.w.len() {
                self.work[i] = self.x_n[i] + dt * ((0.75 - theta) * self.w_n[i] + 0.25 * self.w[i]);
            }
            momenta.positions(&self.work, &mut self.q);
            middle.move_to(system, t + 0.5 * dt, &self.q);
        }
        stage.operator.evaluate_secant(momenta, from, to);
        stage.evaluate_central(system, middle, to, &self.v);
        stage.update_bounds(dt, &self.P_b);
    }

    /// M(q̄) + c_v C + c_q K with Ḡ.
    fn factor(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        (c_v, c_q): (f64, f64),
        at_end: bool,
    ) -> Result<(), StepError> {
        let Places { from, to, middle, between } = &self.places;
        let forces_at = if at_end { to } else { between };
        // so far off that nothing holds there: the matrix of where the step begins
        for (mass_at, forces_at) in [(middle, forces_at), (from, from)] {
            let held = stage.operator.evaluate_mass(system, mass_at, false);
            if held && stage.operator.factor(system, forces_at, c_v, c_q) {
                return Ok(());
            }
        }
        Err(StepError::Singular { t })
    }

    /// r += Ḡᵀ P_b, and what impulses in the middle are here beyond W̄ P, which is found anew.
    fn add_reactions(&mut self, system: &dyn System, stage: &mut ContactStage) {
        if !self.P_b.is_empty() {
            stage.operator.add_reactions(&self.P_b, &mut self.dv);
        }
        if stage.is_active() {
            let Places { from, to, middle, .. } = &self.places;
            self.work.fill(0.0);
            stage.add_contact_impulses(&mut self.work);
            self.other.copy_from_slice(&self.work);
            told(system).middle_to_rows(from, to, middle, &mut self.work);
            for i in 0..self.dv.len() {
                self.dv[i] += self.work[i] - self.other[i];
            }
        }
    }

    /// δv, δw, P_b and P; joints with Ḡ δv = −Φ/(θ dt).
    fn correct(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        span: f64,
        halved: bool,
    ) -> Result<(), StepError> {
        let to = &self.places.to;
        if !self.P_b.is_empty() {
            system.constraints(to, &mut self.dP_b);
            for c in &mut self.dP_b {
                *c /= -span;
            }
        }
        stage.solve(t, &self.v, &mut self.dv, &mut self.dP_b)?;
        if halved {
            self.dv.iter_mut().chain(&mut self.dP_b).for_each(|d| *d *= 0.5);
        }
        for (P, dP) in self.P_b.iter_mut().zip(&self.dP_b) {
            *P += dP;
        }
        told(system).rates(to, &self.dv, &mut self.dw);
        for (w, dw) in self.w.iter_mut().zip(&self.dw) {
            *w += dw;
        }
        Ok(())
    }

    /// ‖·‖ in the metric of M: the change, the velocities it is compared with, and the forces.
    fn change(&self, M: &[f64], v_n: &[f64]) -> (f64, f64, f64) {
        let (mut change, mut new, mut old, mut push) = (0.0_f64, 0.0_f64, 0.0, 0.0_f64);
        for i in 0..v_n.len() {
            change += M[i] * self.dv[i] * self.dv[i];
            new += M[i] * self.v[i] * self.v[i];
            old += M[i] * v_n[i] * v_n[i];
            push += self.f[i] * self.f[i] / M[i];
        }
        (change.sqrt(), new.max(old).sqrt(), push.sqrt())
    }

    /// Writes (t, q, v), the impulses and the memory.
    fn commit(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
        Weights { theta, gamma, alpha_m, .. }: Weights,
    ) {
        let n = self.w.len();
        self.place(system, state.t + dt, dt, theta);
        stage.leave_middle();
        stage.finish(&self.v, state);
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.P_b.copy_from_slice(&self.P_b);
        state.spread_impulses(dt);
        state.t += dt;
        let (A, a) = state.memory.split_at_mut(n);
        for i in 0..n {
            A[i] = (self.f[i] - alpha_m * A[i]) / (1.0 - alpha_m);
            a[i] = (self.w[i] - self.w_n[i] - dt * (1.0 - gamma) * a[i]) / (gamma * dt);
        }
    }
}
