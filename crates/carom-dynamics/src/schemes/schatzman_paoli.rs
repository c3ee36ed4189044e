//! Schatzman–Paoli: two steps, contacts and joints at position level.                    [Haddouni2015] (2.31), (2.32)
//!
//! ```text
//!   M (q_{n+1} − 2 q_n + q_{n−1}) = dt² h(t_{n+1}, q_{n+1}, v_{n+1}) + p,      v_{n+1} = (q_{n+1} − q_{n−1}) / 2 dt
//!   0 ≤ g(z) ⊥ P_N ≥ 0,       z = (q_{n+1} + e q_{n−1}) / (1 + e),     p / dt = Gᵀ P_b + W(z) P
//! ```
//!
//! With ν = (q_{n+1} ⊖ q_n)/dt as unknown and d = (q_n ⊖ q_{n−1})/dt,
//!
//! ```text
//!   M (ν − d) = dt h + Gᵀ P_b + W P,      v_{n+1} = ½ (ν + d),      z = q_n ⊕ dt (ν − e d) / (1 + e)
//!   (M + dt/2 C + dt² K) δν − Gᵀ δP_b = …,      G δν = −Φ(q_{n+1})/dt,      0 ≤ (1 + e) g(z)/dt + W_Nᵀ δν ⊥ P_N ≥ 0
//! ```
//!
//! by Newton's iteration, M, h, G, Φ at the end of the step, W where z is (one z for every e of the system), P an impulse
//! in N s. Contacts take part once an iterate has g(z) ≤ 0. The source has neither joints nor friction: joints keep
//! Φ(q_{n+1}) = 0, friction is Coulomb's for the displacement of the step, −P_T ∈ μ P_N Sgn(W_Tᵀ ν).
//!
//! Order 1 in position. v_{n+1} is the velocity at t_n, one step late, and does not converge in the step of an impact,
//! which takes two steps to turn the motion around; q may be inside by e dt |U| meanwhile. Joints do not drift
//! (`tests/it/classic.rs`). For the audit, impulses work on ½ (U⁻ + U⁺) = Wᵀ v_{n+1} with U⁻ = Wᵀ d, U⁺ = Wᵀ ν: exact for
//! the energy ½ νᵀ M ν between the instants.
//!
//! A first step has q_{−1} = q_0 − dt v_0 + ½ dt² a_0; where the step changes, likewise with the last velocity and
//! acceleration. No acceleration is remembered from a step with contacts.

use super::SchemeInfo;
use super::implicit::report;
use super::refusal::refuse_tangential_restitution;
use crate::convergence::{Convergence, Rule, finite, not_converged};
use crate::{
    Acceleration, Configuration, ContactKind, ContactStage, Pressing, Quantity, Scheme, State, StepError,
    StepReport, Stepper, System,
};

const NAME: &str = "schatzman-paoli";
/// The iteration stops when its estimated error, relative to the velocities in the norm of M, is below this: Φ is then
/// round-off.
const TOLERANCE: f64 = 1e-12;
/// Below this change the iteration has converged to round-off, whatever the rate looks like.
const ROUND_OFF: f64 = 1e-14;
/// More iterations than this count as failure; the step is then repeated smaller.
const MOST_ITERATIONS: usize = 50;
/// A contraction slower than this asks for a new factorisation.
const SLOW: f64 = 0.1;

/// Contacts with one coefficient of restitution, which share their z.
#[derive(Debug)]
struct Group {
    e: f64,
    contacts: Vec<usize>,
    /// Those of them that take part in the step.
    touching: Vec<usize>,
}

pub const INFO: SchemeInfo = SchemeInfo {
    name: NAME,
    summary: "Schatzman–Paoli; two steps, joints and contacts at position level: no drift; order 1",
    parameters: &[],
    make: |_| Ok(Box::new(SchatzmanPaoli)),
};

#[derive(Clone, Copy, Debug)]
struct SchatzmanPaoli;

impl Scheme for SchatzmanPaoli {
    fn describe(&self) -> String {
        NAME.into()
    }

    /// What is pushed out of a contact stores energy in a stiff body.
    fn needs_resolved_impacts(&self, _: &dyn System) -> bool {
        true
    }

    fn takes_accuracy(&self) -> bool {
        false
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse_tangential_restitution(system, NAME)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        self.check(system)?;
        let at = stage.start_at(system, state)?;
        let mut masses = [0.0; 2];
        for (i, M) in stage.operator.M_diag().iter().enumerate() {
            masses[usize::from(system.structure().velocities[i].quantity == Quantity::Angle)] += M;
        }
        // a_0 with joints and contacts
        let mut acceleration = Acceleration::start(system, state);
        acceleration.solve(system, stage, &at, Pressing::Resting)?;
        state.memory.clear();
        state.memory.extend_from_slice(&state.v);
        state.memory.extend_from_slice(&acceleration.a);
        state.memory.push(0.0);
        let sizes = system.structure().sizes;
        let (of_v, of_b) = (|| vec![0.0; sizes.v], || vec![0.0; sizes.constraints]);
        Ok(Box::new(Workspace {
            at,
            groups: groups(system),
            touching: Vec::with_capacity(sizes.contacts),
            g_z: vec![0.0; sizes.contacts],
            masses,
            round_off: 0.0,
            nu: of_v(),
            d: of_v(),
            delta: of_v(),
            h: of_v(),
            dv: of_v(),
            work: of_v(),
            q: vec![0.0; sizes.q],
            P_b: of_b(),
            dP_b: of_b(),
            phi: of_b(),
        }))
    }
}

/// Contacts by their coefficients of restitution, in the order of the first of each.
fn groups(system: &dyn System) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (contact, info) in system.structure().contacts.iter().enumerate() {
        let e = info.kind.restitution();
        match groups.iter_mut().find(|group| group.e == e) {
            Some(group) => group.contacts.push(contact),
            None => groups.push(Group { e, contacts: vec![contact], touching: Vec::new() }),
        }
    }
    for group in &mut groups {
        group.touching.reserve(group.contacts.len());
    }
    groups
}

/// Memory: ν + ½ dt a, then a, so that d = memory − ½ dt a of the step to come; then the longest step that
/// let in a contact that is still inside.
#[derive(Debug)]
struct Workspace {
    at: Configuration,
    groups: Vec<Group>,
    /// The contacts that take part, by groups; g(z) of all contacts.
    touching: Vec<usize>,
    g_z: Vec<f64>,
    /// Σ M_ii of the velocities that are lengths, and of those that are angles.
    masses: [f64; 2],
    /// Round-off of the coordinates in the norm of M; over dt it is that of ν.
    round_off: f64,
    nu: Vec<f64>,
    d: Vec<f64>,
    delta: Vec<f64>,
    h: Vec<f64>,
    dv: Vec<f64>,
    work: Vec<f64>,
    q: Vec<f64>,
    P_b: Vec<f64>,
    dP_b: Vec<f64>,
    phi: Vec<f64>,
}

impl Workspace {
    /// Moves to the z of a coefficient of restitution, at its time.
    fn move_to_z(&mut self, system: &dyn System, state: &State, dt: f64, e: f64) {
        for i in 0..self.nu.len() {
            self.delta[i] = dt * (self.nu[i] - e * self.d[i]) / (1.0 + e);
        }
        let at = &mut self.at;
        at.retract_to(system, state.t + dt * (1.0 - e) / (1.0 + e), &state.q, &self.delta);
    }

    /// Evaluates g(z) and takes in the contacts where it is not positive; whether there is a new one.
    fn touch(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State, dt: f64) -> bool {
        let mut grown = false;
        for k in 0..self.groups.len() {
            self.move_to_z(system, state, dt, self.groups[k].e);
            let at = &self.at;
            stage.evaluate_gaps(system, at);
            let Group { contacts, touching, .. } = &mut self.groups[k];
            for &contact in contacts.iter() {
                self.g_z[contact] = stage.gaps()[contact];
                if self.g_z[contact] <= stage.round_off() && !touching.contains(&contact) {
                    touching.push(contact);
                    grown = true;
                }
            }
        }
        if grown {
            self.touching.clear();
            for group in &self.groups {
                self.touching.extend_from_slice(&group.touching);
            }
            // U⁻ = W_nᵀ d
            let at = &mut self.at;
            at.move_to(system, state.t, &state.q);
            at.v.copy_from_slice(&self.d);
            stage.set_active(&self.touching);
            stage.prepare(system, at, false, &state.P, 1.0);
        }
        grown
    }

    /// W(z), and (1 + e) g(z)/dt − W_Nᵀ ν for the normal rows, to which the stage adds W_Nᵀ (ν + δν).
    fn evaluate_contacts(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State, dt: f64) {
        if self.touching.is_empty() {
            return;
        }
        stage.forget_directions();
        let (mut first, mut row) = (0, 0);
        for k in 0..self.groups.len() {
            let (e, count) = (self.groups[k].e, self.groups[k].touching.len());
            if count == 0 {
                continue;
            }
            self.move_to_z(system, state, dt, e);
            let at = &self.at;
            stage.add_directions(system, at, first..first + count);
            for &contact in &self.groups[k].touching {
                let kind = stage.kind(contact);
                let (dim, dry) = (kind.dim(), matches!(kind, ContactKind::Dry { .. }));
                if !dry {
                    let shift = (1.0 + e) * self.g_z[contact] / dt - stage.velocity(row, &self.nu);
                    stage.shift_mut()[row] = shift;
                }
                row += dim;
            }
            first += count;
        }
    }

    /// Newton's iteration from the ν given, with the law of the contacts for a step `span`; ν, P_b and the stage's P hold the solution on return.
    fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        span: f64,
    ) -> Result<usize, StepError> {
        let t = state.t;
        let n = self.nu.len();
        let joints = !self.P_b.is_empty();
        let stiff = stage.operator.has_tangents() || !system.structure().mass_is_constant;
        self.P_b.fill(0.0);
        stage.operator.forget_jacobian();
        self.touch(system, stage, state, span);
        let mut convergence = Convergence::new(Rule::to(TOLERANCE, SLOW));
        let mut refactor = true;
        for iteration in 1..=MOST_ITERATIONS {
            self.evaluate_contacts(system, stage, state, span);
            for i in 0..n {
                self.delta[i] = dt * self.nu[i];
            }
            let at = &mut self.at;
            at.retract_to(system, t + dt, &state.q, &self.delta);
            for i in 0..n {
                at.v[i] = 0.5 * (self.nu[i] + self.d[i]);
                self.work[i] = self.d[i] - self.nu[i];
            }
            if !stage.operator.evaluate_mass(system, at, false) {
                return Err(StepError::Singular { t });
            }
            system.force(at, &mut self.h);
            stage.operator.evaluate_jacobian(system, at);
            stage.update_bounds(dt, &self.P_b);
            if refactor && !stage.operator.factor(system, at, 0.5 * dt, dt * dt) {
                return Err(StepError::Singular { t });
            }
            // r = dt h − M (ν − d) + Gᵀ P_b,  c = −Φ/dt
            stage.operator.mul_mass(&self.work, &mut self.dv);
            for i in 0..n {
                self.dv[i] += dt * self.h[i];
            }
            if joints {
                stage.operator.add_reactions(&self.P_b, &mut self.dv);
                system.constraints(at, &mut self.phi);
                for (c, phi) in self.dP_b.iter_mut().zip(&self.phi) {
                    *c = -phi / dt;
                }
            }
            stage.solve(t, &self.nu, &mut self.dv, &mut self.dP_b)?;
            for (P, dP) in self.P_b.iter_mut().zip(&self.dP_b) {
                *P += dP;
            }
            // ‖·‖² in the metric of M: change, and the velocities it is compared with
            let M = stage.operator.M_diag();
            let (mut change, mut new, mut old, mut push) = (0.0, 0.0, 0.0, 0.0);
            for i in 0..n {
                self.nu[i] += self.dv[i];
                change += M[i] * self.dv[i].powi(2);
                new += M[i] * self.nu[i].powi(2);
                old += M[i] * self.d[i].powi(2);
                push += (dt * self.h[i]).powi(2) / M[i];
            }
            let (change, scale) = (change.sqrt(), new.max(old).max(push).sqrt());
            finite(t, change, scale, &self.nu)?;
            // a contact that came in now begins another iteration
            let grown = self.touch(system, stage, state, span);
            let judged = convergence.judge(change, scale, ROUND_OFF * scale + self.round_off / dt);
            if (judged.settled || !(stiff || joints || stage.is_active())) && !grown {
                return Ok(iteration);
            }
            refactor = judged.slow;
            if grown {
                convergence.begin_anew();
            }
        }
        Err(not_converged(t, MOST_ITERATIONS, stage.operator.M_diag(), &self.dv, &self.nu))
    }
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let n = state.v.len();
        stage.begin();
        self.touching.clear();
        for group in &mut self.groups {
            group.touching.clear();
        }
        // d, and the last acceleration carried on as first guess
        let (ahead, rest) = state.memory.split_at(n);
        let (a, inside) = rest.split_at(n);
        // what a longer step let in is pushed out over that step, not over a shorter one
        let span = dt.max(inside[0]);
        for i in 0..n {
            self.d[i] = ahead[i] - 0.5 * dt * a[i];
            self.nu[i] = self.d[i] + dt * a[i];
        }
        let round_off =
            [Quantity::Length, Quantity::Angle].map(|quantity| stage.extent().of(quantity, &state.q));
        self.round_off =
            round_off[0].powi(2).mul_add(self.masses[0], round_off[1].powi(2) * self.masses[1]).sqrt();
        let iterations = self.solve(system, stage, state, dt, span)?;
        // commit
        for i in 0..n {
            self.delta[i] = dt * self.nu[i];
        }
        system.retract(&state.q, &self.delta, &mut self.q);
        stage.finish(&self.nu, state);
        state.q.copy_from_slice(&self.q);
        state.P_b.copy_from_slice(&self.P_b);
        state.spread_impulses(dt);
        let pressed = stage.has_closed_contacts();
        let at = &mut self.at;
        at.move_to(system, state.t + dt, &state.q);
        let still_inside = stage.penetrates(system, at);
        let (ahead, rest) = state.memory.split_at_mut(n);
        let (a, inside) = rest.split_at_mut(n);
        inside[0] = if still_inside { span } else { 0.0 };
        for i in 0..n {
            state.v[i] = 0.5 * (self.nu[i] + self.d[i]);
            a[i] = if pressed { 0.0 } else { (self.nu[i] - self.d[i]) / dt };
            ahead[i] = self.nu[i] + 0.5 * dt * a[i];
        }
        state.t += dt;
        Ok(report(stage, iterations))
    }
}
