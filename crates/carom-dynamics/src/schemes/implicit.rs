//! The Newton iteration that the implicit schemes share.
//!
//! A scheme gives its constants v_c, δ_c and coefficients; the step is
//!
//! ```text
//!   v_{n+1} = v_c + c_v x + w                      x = ṽ'_{n+1}: acceleration by the smooth forces
//!   q_{n+1} = q_n ⊕ (δ_c + c_a x + c_w w)          w: velocity jump by joints and contacts
//!   M x = h(t_{n+1}, q_{n+1}, v_{n+1})
//!   M̄ w = Ḡᵀ P_b + W P                             Ḡ = ½ (G_n + G_{n+1}), M̄ = ½ (M_n + M_{n+1}), or at n+1
//!   G v_{n+1} + ∂Φ/∂t = 0,      law(Wᵀ v_{n+1} + bias + e ∘ U_n, P)
//! ```
//!
//! with M, G, W at q_{n+1}. The literature takes Ḡ = G_{n+1}, which makes joints first order and costs ½ (ω dt)² of the
//! kinetic energy of a turning body per step; the mean makes the step symmetric in time and joints second order, for
//! one more evaluation of G (test `orders` in `tests/it/joints.rs`: 0.99 and 2.0). Where M changes, it must be averaged
//! with G, or joints are of first order again (the slider-crank in three angles, `crates/carom-systems/tests`). With
//! r₁ = M x − h and w, P_b the iterates, eliminating δx leaves one saddle point
//!
//! ```text
//!   (M + c_v C + c_a K) δv − Ḡᵀ δP_b = −c_v r₁ − M̄ w + Ḡᵀ P_b + W P,      Ḡ δv = −(G v + ∂Φ/∂t),
//! ```
//!
//! exact in its first row where c_a = c_v c_w (Moreau–Jean) and in its second, but for terms of order dt Ġ and dt Ṁ.
//! Otherwise, where the step is stiff (`STIFF`), the unknown is y, the change of the positions over c_a/c_v:
//!
//! ```text
//!   δv = y + σ δw,    σ = 1 − s,  s = c_v c_w / c_a,     (M + c_v C + c_a K) y = −c_v r₁ + s (−M̄ w + Ḡᵀ P_b + Ḡᵀ δP_b + W P)
//! ```
//!
//! which is exact again (`stage/delassus/compliant.rs`); where it is not stiff, (c_a − c_v c_w) K M⁻¹ is left out of the matrix. It is
//! factored once per step and again only if the iteration is slow; the residual is exact. Where a guess is so far off
//! that the matrix there is not positive definite (a beam pressed to half its length), it is taken where the step began. Where the system is soft over a step
//! (`FIXED_POINT`) C and K are left out of it: a fixed-point iteration, as in the sources. With a [`PositionLevel`] the same iteration also finds
//! the displacement ξ, added to δ, that makes joints and contacts hold in the positions. Linear systems need no iteration,
//! see `implicit/linear.rs`; bodies that turn in space have a matrix of their own, see `implicit/turned.rs`. How a step ends and the
//! next one begins is in `implicit/ending.rs`.

mod ending;
mod linear;
mod turned;

use super::parameters::{Parameter, Values};
use super::position::PositionLevel;
use crate::convergence::{Convergence, Rule, Stall, finite, not_converged};
use crate::{Along, Configuration, ContactStage, State, StepError, StepReport, System};
use turned::Turned;

/// The iteration stops when its estimated error, relative to the velocities in the norm of M, is below this.
pub const NEWTON_TOLERANCE: f64 = 1e-10;
/// More iterations than this count as failure; the step is then repeated smaller.
pub(crate) const MOST_ITERATIONS: usize = 30;
/// A contraction slower than this asks for a new factorisation.
pub(crate) const SLOW: f64 = 0.1;
/// Below this stiffness, c_v ‖M⁻¹ C‖ + c_a ‖M⁻¹ K‖, the iteration leaves the tangents out of its matrix: a fixed point
/// that contracts by about this factor, and needs no tangents.
const FIXED_POINT: f64 = 1e-4;
/// As long as the fixed point needs no more iterations than this; Newton's iteration needs two itself.
const SOFT_ITERATIONS: usize = 2;
/// The tolerance of the fixed point: its last iterate is no better than it says, while Newton's is.
const FIXED_POINT_TOLERANCE: f64 = 1e-13;
/// Above this c_a ‖M⁻¹ K‖ the step is stiff: reactions that move velocities more than positions are told apart.
const STIFF: f64 = 1.0;
/// A difference of c_a and c_v c_w smaller than this, relative to c_a, is rounding.
const UNEQUAL: f64 = 1e-9;
/// An iteration that no longer contracts after so many, and changes by less than this, has come to the round-off of its
/// matrix: of a slender solid its condition number times 1e-16.
pub(crate) const STALLED: usize = 8;
pub(crate) const STALL: f64 = 1e-8;
/// A contraction slower than this is none.
const STALLS: f64 = 0.5;
/// Below this change the iteration has converged to round-off, whatever the rate looks like.
pub(crate) const ROUND_OFF: f64 = 1e-14;

/// Coefficients of a step.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients {
    /// ∂v/∂x.
    pub c_v: f64,
    /// ∂δ/∂x.
    pub c_a: f64,
    /// ∂δ/∂w.
    pub c_w: f64,
    /// Time that the impulses stand for: P = span · λ.
    pub span: f64,
}

/// Along what the impulses of the joints act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joints {
    /// Ḡ = ½ (G_n + G_{n+1}): symmetric in time, order 2.
    #[default]
    Mean,
    /// G_{n+1}, as published: implicit Euler, order 1, and a loss of ½ (ω dt)² of the kinetic energy per step.
    End,
}

/// How the iteration is judged; a stiff slender body has more round-off than others: the solve itself is no better than that.
const RULE: Rule = Rule {
    tolerance: NEWTON_TOLERANCE,
    twice: NEWTON_TOLERANCE,
    stall: Stall { after: STALLED, rate: STALLS, below: STALL, both: true },
    slow: SLOW,
    slower_of_two: false,
};

/// What one iteration is like, and how far it has come.
#[derive(Debug)]
struct Newton {
    /// h depends on q or v, or M on q.
    stiff: bool,
    joints: bool,
    /// M̄ in the place of M where reactions act.
    mean_mass: bool,
    /// There are reactions.
    impulses: bool,
    /// C and K are in the matrix.
    tangents: bool,
    /// σ, 0 where it does not count.
    sigma: f64,
    /// The iteration of `implicit/turned.rs`.
    turned: bool,
    /// The matrix is to be factored anew.
    refactor: bool,
    /// It has begun again from no forces.
    from_rest: bool,
    /// The velocities have converged, and the positions stand.
    converged: bool,
    /// The largest size of velocities seen, in the norm of M.
    scale: f64,
    /// The last iteration that is made.
    last: usize,
    convergence: Convergence,
}

impl Newton {
    /// s = 1 − σ.
    fn share(&self) -> f64 {
        1.0 - self.sigma
    }
}

/// What an iterate has turned out to be.
enum Evaluated {
    /// A place where all is known, to go on from.
    All,
    /// The solution.
    Solution,
    /// The solution but for the positions, which are to be looked at.
    Positions,
}

pub const END_JOINTS: Parameter = Parameter::switch(
    "end_joints",
    "1: joint impulses along the directions at the end of the step, as published; 0: along their mean, order 2",
    false,
);

impl Joints {
    /// As the parameter `end_joints` says.
    pub fn of(values: &Values) -> Self {
        if values.switch(&END_JOINTS) { Self::End } else { Self::Mean }
    }
}

/// Unknowns and work arrays; each has the size of v unless said otherwise.
#[derive(Debug)]
pub struct Implicit {
    joints: Joints,
    position: Option<PositionLevel>,
    at: Configuration,
    /// Constants of the step, written by the scheme.
    pub v_c: Vec<f64>,
    /// Constants of the step, written by the scheme.
    pub delta_c: Vec<f64>,
    /// ṽ': first guess on entry, solution on return.
    pub x: Vec<f64>,
    /// w: first guess on entry, solution on return.
    pub w: Vec<f64>,
    /// v_{n+1} on return.
    pub v: Vec<f64>,
    /// q_n ⊕ δ = q_{n+1}, on return.
    pub delta: Vec<f64>,
    /// Size of q.
    q: Vec<f64>,
    h: Vec<f64>,
    dv: Vec<f64>,
    w_new: Vec<f64>,
    /// The part of w that the next solution finds anew: M̄⁻¹ W P of the contacts, or a guess.
    w_c: Vec<f64>,
    delta_new: Vec<f64>,
    work: Vec<f64>,
    /// Size of Φ.
    pub P_b: Vec<f64>,
    dP_b: Vec<f64>,
    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ where the run began, and whether it has been soft since.
    stiffness: (f64, f64),
    soft: bool,
    /// Where bodies turn in space.
    turned: Option<Turned>,
}

impl Implicit {
    /// At a state: sizes everything, evaluates M, and gives M⁻¹ h. With one of the rules for joints, and joints and contacts held in
    /// the positions too if `positions` says so.
    pub fn start(
        joints: Joints,
        positions: bool,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
    ) -> Result<Self, StepError> {
        let sizes = system.structure().sizes;
        let zeros = || vec![0.0; sizes.v];
        let mut new = Self {
            joints,
            position: positions.then(|| PositionLevel::start(system, state)),
            at: Configuration::new(system, state.t, &state.q, &state.v),
            v_c: zeros(),
            delta_c: zeros(),
            x: zeros(),
            w: zeros(),
            v: zeros(),
            delta: zeros(),
            q: vec![0.0; sizes.q],
            h: zeros(),
            dv: zeros(),
            w_new: zeros(),
            w_c: zeros(),
            delta_new: zeros(),
            work: zeros(),
            P_b: vec![0.0; sizes.constraints],
            dP_b: vec![0.0; sizes.constraints],
            stiffness: (0.0, 0.0),
            soft: true,
            turned: Turned::new(system.structure(), joints, positions),
        };
        new.evaluate(system, stage, state)?;
        Ok(new)
    }

    /// Begins anew at a state, with the arrays that there are.
    pub fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
    ) -> Result<(), StepError> {
        for array in [
            &mut self.v_c,
            &mut self.delta_c,
            &mut self.x,
            &mut self.w,
            &mut self.v,
            &mut self.delta,
            &mut self.q,
            &mut self.h,
            &mut self.dv,
            &mut self.w_new,
            &mut self.w_c,
            &mut self.delta_new,
            &mut self.work,
            &mut self.P_b,
            &mut self.dP_b,
        ] {
            array.fill(0.0);
        }
        if let Some(position) = &mut self.position {
            *position = PositionLevel::start(system, state);
        }
        self.at = Configuration::new(system, state.t, &state.q, &state.v);
        self.evaluate(system, stage, state)
    }

    /// M, M⁻¹ h and the stiffness where it begins.
    fn evaluate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
    ) -> Result<(), StepError> {
        if !stage.operator.evaluate_mass(system, &self.at, true) {
            return Err(StepError::Singular { t: state.t });
        }
        system.force(&self.at, &mut self.h);
        stage.operator.solve_mass(&self.h, &mut self.x);
        self.stiffness = stage.operator.stiffness(system, &self.at);
        self.soft = true;
        Ok(())
    }

    /// Whether joints and contacts hold in the positions too.
    pub fn has_positions(&self) -> bool {
        self.position.is_some()
    }

    /// Whether joints or contacts react in this step; w is zero without.
    #[inline]
    fn has_reactions(&self, stage: &ContactStage) -> bool {
        !self.P_b.is_empty() || stage.is_active()
    }

    /// Where questions are asked.
    pub fn at(&mut self) -> &mut Configuration {
        &mut self.at
    }

    /// Moves to q_n ⊕ (δ_c + c_a x + c_w w): what the step would be if nothing changed.
    pub fn predict(&mut self, system: &dyn System, state: &State, t: f64, c: Coefficients) {
        let n = self.x.len();
        let (delta, delta_c) = (&mut self.delta[..n], &self.delta_c[..n]);
        let (x, w) = (&self.x[..n], &self.w[..n]);
        for i in 0..n {
            delta[i] = delta_c[i] + c.c_a * x[i] + c.c_w * w[i];
        }
        let at = &mut self.at;
        at.retract_to(system, t, &state.q, &self.delta);
    }

    /// Moves to (t_n + span, q_n ⊕ span · v_n).
    pub fn look_ahead(&mut self, system: &dyn System, state: &State, span: f64) {
        for (delta, v) in self.delta.iter_mut().zip(&state.v) {
            *delta = span * v;
        }
        let at = &mut self.at;
        at.retract_to(system, state.t + span, &state.q, &self.delta);
    }

    /// Activates the contacts with g(predicted q_{n+1}) ≤ 0, predicted without reactions: a contact must not hold itself
    /// open. With positions also those that pressed in the step before and are closed, since what presses them may be a
    /// reaction.
    pub fn activate_predicted(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        c: Coefficients,
    ) {
        if stage.has_contacts() {
            self.w.fill(0.0);
            self.predict(system, state, state.t + dt, c);
            let at = &mut self.at;
            stage.activate(system, at);
            if let Some(position) = &mut self.position {
                position.keep_pressed(system, stage, at, state);
            }
            self.recall_velocities(system, stage, state);
        }
    }

    /// Iterates. The active set is already in the stage; P_b, x, w, v and the stage's P hold the solution on return.
    pub fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        c: Coefficients,
    ) -> Result<usize, StepError> {
        if self.is_linear(stage) && c.c_v > 0.0 && self.solve_outright(system, stage, state, dt, c)? {
            return Ok(1);
        }
        let mut newton = self.begin(system, stage, state, c);
        let mut iteration = 0;
        while iteration < newton.last {
            iteration += 1;
            if self.positions_hold(system, stage, state, dt, iteration, &mut newton) {
                return Ok(iteration - 1);
            }
            match self.evaluate_iterate(system, stage, state.t, c, iteration, &mut newton)? {
                Evaluated::All => {}
                Evaluated::Solution => return Ok(iteration),
                Evaluated::Positions => continue,
            }
            if newton.refactor && !self.factor(system, stage, state, dt, c, &mut newton)? {
                continue;
            }
            self.residual(stage, c, iteration, &newton);
            if newton.turned {
                self.turn_residual(system);
            }
            self.correct(stage, state.t, c, &newton)?;
            if self.judge(stage, state, c, iteration, &mut newton)? {
                return Ok(iteration);
            }
        }
        if let Some(position) = self.position.as_ref().filter(|_| newton.converged) {
            let (t, error) = (state.t, position.error());
            return Err(StepError::Positions { t, iterations: MOST_ITERATIONS, error });
        }
        Err(not_converged(state.t, MOST_ITERATIONS, stage.operator.M_diag(), &self.dv, &self.v))
    }

    /// What this iteration is like, and the first guess of v and δ.
    fn begin(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        c: Coefficients,
    ) -> Newton {
        let n = self.x.len();
        let joints = !self.P_b.is_empty();
        // a mass that changes is averaged with the directions, or joints would be of first order
        let mean_mass = joints && self.joints == Joints::Mean && !system.structure().mass_is_constant;
        let impulses = self.has_reactions(stage);
        if !impulses {
            self.w.fill(0.0);
        }
        if joints {
            self.P_b.fill(0.0);
            match self.joints {
                Joints::Mean => {
                    self.at.move_to(system, state.t, &state.q);
                    stage.operator.remember_jacobian(system, &self.at, Along::Mean);
                    if mean_mass {
                        stage.operator.remember_mass(system, &self.at);
                    }
                }
                Joints::End => stage.operator.forget_jacobian(),
            }
        }
        {
            // slices of one length: loops over them need no checks
            let (v_c, delta_c, x, w) = (&self.v_c[..n], &self.delta_c[..n], &self.x[..n], &self.w[..n]);
            let (v, delta) = (&mut self.v[..n], &mut self.delta[..n]);
            for i in 0..n {
                v[i] = v_c[i] + c.c_v * x[i] + w[i];
                delta[i] = delta_c[i] + c.c_a * x[i] + c.c_w * w[i];
            }
        }
        if let Some(position) = &mut self.position {
            position.begin();
        }
        let (by_C, by_K) = self.stiffness;
        let tangents = !self.soft || c.c_v * by_C + c.c_a * by_K > FIXED_POINT;
        // σ, where it counts
        let unequal = 1.0 - c.c_v * c.c_w / c.c_a;
        let counts = tangents && unequal > UNEQUAL && c.c_w > 0.0 && c.c_a * by_K > STIFF;
        stage.operator.use_mean_mass(mean_mass);
        if counts {
            self.w_c.copy_from_slice(&self.w);
        }
        Newton {
            stiff: stage.operator.has_tangents() || !system.structure().mass_is_constant,
            joints,
            mean_mass,
            impulses,
            tangents,
            sigma: if counts { unequal } else { 0.0 },
            turned: self.turned.is_some() && !stage.is_active(),
            refactor: true,
            from_rest: false,
            converged: false,
            scale: 0.0,
            last: MOST_ITERATIONS,
            convergence: Convergence::new(RULE),
        }
    }

    /// Goes to the iterate; whether the positions hold there after all has converged, with no contact to come.
    #[inline]
    fn positions_hold(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        iteration: usize,
        newton: &mut Newton,
    ) -> bool {
        let at = &mut self.at;
        at.retract_to(system, state.t + dt, &state.q, &self.delta);
        let Some(position) = &mut self.position else { return false };
        position.measure(system, stage, at);
        if !(newton.converged && position.holds()) {
            return false;
        }
        if !position.close_more(system, stage, at, state) {
            return true;
        }
        // a contact came into the set: on with the iteration from here
        at.retract_to(system, state.t + dt, &state.q, &self.delta);
        newton.impulses = true;
        newton.convergence.begin_anew();
        newton.last = iteration + MOST_ITERATIONS;
        false
    }

    /// M, h, G, W and bounds at the iterate.
    #[inline]
    fn evaluate_iterate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        c: Coefficients,
        iteration: usize,
        newton: &mut Newton,
    ) -> Result<Evaluated, StepError> {
        let at = &mut self.at;
        let n = self.x.len();
        if newton.stiff {
            at.v.copy_from_slice(&self.v);
            if !stage.operator.evaluate_mass(system, at, false)
                || (newton.mean_mass && !stage.operator.average_mass())
            {
                return Err(StepError::Singular { t });
            }
            system.force(at, &mut self.h);
        } else if iteration == 1 {
            // h depends on t alone: M x = h is solved once, outright
            system.force(at, &mut self.h);
            stage.operator.solve_mass(&self.h, &mut self.x);
            let (v_c, delta_c, x, w) = (&self.v_c[..n], &self.delta_c[..n], &self.x[..n], &self.w[..n]);
            let (v, delta) = (&mut self.v[..n], &mut self.delta[..n]);
            for i in 0..n {
                v[i] = v_c[i] + c.c_v * x[i] + w[i];
            }
            if !newton.impulses {
                for i in 0..n {
                    delta[i] = delta_c[i] + c.c_a * x[i];
                }
                if self.position.is_none() || !stage.has_contacts() {
                    return Ok(Evaluated::Solution);
                }
                newton.converged = true;
                newton.convergence.skip();
                return Ok(Evaluated::Positions);
            }
        }
        stage.operator.evaluate_jacobian(system, at);
        stage.evaluate_directions(system, at);
        stage.update_bounds(c.span, &self.P_b);
        Ok(Evaluated::All)
    }

    /// Factors the matrix at the iterate. False where it is not positive definite there for the first time: then the iteration
    /// begins again from no forces at all; where that does not help either, the matrix is that of where the step begins.
    #[inline]
    fn factor(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        c: Coefficients,
        newton: &mut Newton,
    ) -> Result<bool, StepError> {
        if newton.turned {
            // slow, or nothing spins: the usual way
            newton.turned = !newton.convergence.has_begun() && self.spins(stage);
            if newton.turned && self.factor_turned(stage) {
                return Ok(true);
            }
        }
        let at = &mut self.at;
        // slow without tangents: with them
        newton.tangents |= newton.convergence.has_begun();
        let (c_v, c_a) = if newton.tangents { (c.c_v, c.c_a) } else { (0.0, 0.0) };
        let epsilon = newton.sigma / newton.share();
        if stage.operator.factor_unequal(system, at, c_v, c_a, epsilon) {
            return Ok(true);
        }
        if !std::mem::replace(&mut newton.from_rest, true) {
            for array in [&mut self.x, &mut self.w, &mut self.w_c, &mut self.P_b] {
                array.fill(0.0);
            }
            self.v.copy_from_slice(&self.v_c);
            self.delta.copy_from_slice(&self.delta_c);
            newton.convergence.skip();
            return Ok(false);
        }
        at.move_to_state(system, state);
        if !stage.operator.factor_unequal(system, at, c_v, c_a, epsilon) {
            return Err(StepError::Singular { t: state.t });
        }
        at.retract_to(system, state.t + dt, &state.q, &self.delta);
        at.v.copy_from_slice(&self.v);
        Ok(true)
    }

    /// dv = r = −c_v (M x − h) + s (−M w + Gᵀ P_b),  dP_b = c = −(G v + ∂Φ/∂t).
    #[inline]
    fn residual(&mut self, stage: &mut ContactStage, c: Coefficients, iteration: usize, newton: &Newton) {
        let (n, share) = (self.x.len(), newton.share());
        if newton.stiff {
            let (work, x, w) = (&mut self.work[..n], &self.x[..n], &self.w[..n]);
            let of_w = if newton.mean_mass { 0.0 } else { share };
            for i in 0..n {
                work[i] = -(c.c_v * x[i] + of_w * w[i]);
            }
            stage.operator.mul_mass(&self.work, &mut self.dv);
            if newton.mean_mass {
                for i in 0..n {
                    self.work[i] = -share * self.w[i];
                }
                stage.operator.add_average_mass(&self.work, &mut self.dv);
            }
            add(c.c_v, &self.h, &mut self.dv);
        } else {
            for (work, w) in self.work.iter_mut().zip(&self.w) {
                *work = -w;
            }
            stage.operator.mul_mass(&self.work, &mut self.dv);
        }
        if newton.sigma != 0.0 {
            // v without what is found anew; `correct` puts it back
            add(-newton.sigma, &self.w_c, &mut self.v);
        }
        if newton.joints {
            if iteration > 1 {
                stage.operator.add_share_of_reactions(share, &self.P_b, &mut self.dv);
            }
            stage.operator.constraint_velocity(&self.v, &mut self.dP_b);
            for c in &mut self.dP_b {
                *c = -*c;
            }
        }
    }

    /// δv and δP_b from the residual, then P_b, w, x and δ.
    #[inline]
    fn correct(
        &mut self,
        stage: &mut ContactStage,
        t: f64,
        c: Coefficients,
        newton: &Newton,
    ) -> Result<(), StepError> {
        let (n, sigma) = (self.x.len(), newton.sigma);
        if sigma == 0.0 {
            stage.solve(t, &self.v, &mut self.dv, &mut self.dP_b)?;
        } else {
            stage.solve_compliant(t, &self.v, sigma, &mut self.dv, &mut self.dP_b)?;
            add(sigma, &self.w_c, &mut self.v);
        }
        for (P, dP) in self.P_b.iter_mut().zip(&self.dP_b) {
            *P += dP;
        }
        if newton.stiff {
            self.split(stage, c, newton);
        } else {
            // all of δv is δw
            add(1.0, &self.dv, &mut self.w);
        }
        // δ = δ_c + c_a x + c_w w, and ξ
        {
            let (delta, delta_c) = (&mut self.delta_new[..n], &self.delta_c[..n]);
            let (x, w) = (&self.x[..n], &self.w[..n]);
            for i in 0..n {
                delta[i] = delta_c[i] + c.c_a * x[i] + c.c_w * w[i];
            }
        }
        if let Some(position) = &mut self.position {
            position.correct(stage, t, c.c_w, &self.delta, &mut self.delta_new)?;
        }
        std::mem::swap(&mut self.delta, &mut self.delta_new);
        Ok(())
    }

    /// w = M⁻¹ (Gᵀ P_b + W P), x from what is left of δv.
    #[inline]
    fn split(&mut self, stage: &mut ContactStage, c: Coefficients, newton: &Newton) {
        let (n, sigma) = (self.x.len(), newton.sigma);
        if newton.impulses {
            self.work.fill(0.0);
            stage.operator.add_reactions(&self.P_b, &mut self.work);
            stage.add_contact_impulses(&mut self.work);
            stage.operator.solve_reaction_mass(&self.work, &mut self.w_new);
        } else {
            self.w_new.fill(0.0);
        }
        if sigma != 0.0 {
            for (dv, (new, old)) in self.dv.iter_mut().zip(self.w_new.iter().zip(&self.w)) {
                *dv += sigma * (new - old);
            }
            self.w_c.fill(0.0);
            if stage.is_active() {
                self.work.fill(0.0);
                stage.add_contact_impulses(&mut self.work);
                stage.operator.solve_reaction_mass(&self.work, &mut self.w_c);
            }
        }
        if c.c_v != 0.0 {
            let (x, dv) = (&mut self.x[..n], &self.dv[..n]);
            let (w_new, w) = (&self.w_new[..n], &self.w[..n]);
            for i in 0..n {
                x[i] += (dv[i] - (w_new[i] - w[i])) / c.c_v;
            }
        }
        std::mem::swap(&mut self.w, &mut self.w_new);
    }

    /// v += δv; whether all has converged and nothing is left to look at.
    #[inline]
    fn judge(
        &mut self,
        stage: &ContactStage,
        state: &State,
        c: Coefficients,
        iteration: usize,
        newton: &mut Newton,
    ) -> Result<bool, StepError> {
        let n = self.x.len();
        // ‖·‖² in the metric of M: change, and the velocities it is compared with
        let M = &stage.operator.M_diag()[..n];
        let (v, dv, v_n, x) = (&mut self.v[..n], &self.dv[..n], &state.v[..n], &self.x[..n]);
        let (mut change, mut new, mut old, mut push) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            v[i] += dv[i];
            change += M[i] * dv[i] * dv[i];
            new += M[i] * v[i] * v[i];
            old += M[i] * v_n[i] * v_n[i];
            push += M[i] * x[i] * x[i];
        }
        // the largest seen in this step: what comes to rest has no size of its own
        newton.scale = newton.scale.max(new.max(old).max(c.c_v * c.c_v * push).sqrt());
        let (change, scale) = (change.sqrt(), newton.scale);
        finite(state.t, change, scale, &self.v)?;
        let exact = newton.tangents || newton.turned || !newton.stiff;
        newton.convergence.rule.tolerance = if exact { NEWTON_TOLERANCE } else { FIXED_POINT_TOLERANCE };
        let judged = newton.convergence.judge(change, scale, ROUND_OFF * scale);
        // a fixed point that is not found at once says that the system is not soft any more
        self.soft &= newton.tangents || newton.turned || iteration <= SOFT_ITERATIONS;
        newton.refactor = judged.slow;
        newton.converged =
            judged.settled && self.position.as_ref().is_none_or(|p| p.stands(NEWTON_TOLERANCE));
        Ok(newton.converged && self.position.is_none())
    }

    /// U_n of the active contacts, for the impact law.
    #[inline]
    pub fn recall_velocities(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State) {
        if stage.is_active() {
            self.at.move_to_state(system, state);
            stage.prepare(system, &self.at, true, &state.P, 1.0);
        }
    }

    /// Makes the active contacts ready to press with forces from (q_n, v_n) on.
    pub fn prepare_forces(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        span: f64,
    ) {
        if stage.is_active() {
            let at = &mut self.at;
            at.move_to_state(system, state);
            stage.prepare(system, at, false, &state.lambda, span);
        }
    }
}

/// out += factor · x.
fn add(factor: f64, x: &[f64], out: &mut [f64]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out += factor * x;
    }
}

/// The report of a step: its iterations, and what the stage has counted since it began.
pub fn report(stage: &ContactStage, newton_iterations: usize) -> StepReport {
    let work = stage.work();
    StepReport {
        newton_iterations,
        contact_problems: work.problems,
        contact_iterations: work.iterations,
        fallbacks: work.fallbacks,
        contact_residual: work.residual,
        work: None,
    }
}
