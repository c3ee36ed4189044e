//! The position level of the Gear–Gupta–Leimkuhler form.                        [Gear1985], [Acary2013], [Bruels2014]
//!
//! ```text
//!   q_{n+1} = q_n ⊕ (δ + ξ),      Â ξ = Ḡᵀ μ_b + W_N μ_N           δ: displacement of the base scheme
//!   Φ(t_{n+1}, q_{n+1}) = 0
//!   0 ≤ g_N(q_{n+1})  ⊥  μ_N − μ_least ≥ 0     on the active contacts,      g_N(q_{n+1}) ≥ 0 on all
//! ```
//!
//! Found in the iteration of `implicit`: after each velocity problem, with δ moved by dδ,
//!
//! ```text
//!   Ḡ dξ = −(Φ + G dδ),      0 ≤ g_N + W_Nᵀ (dδ + dξ)  ⊥  μ_N − μ_least ≥ 0
//! ```
//!
//! with the matrix already factored. Velocities hold G v and W_Nᵀ v where joints and contacts want them, so what is left
//! to move in these directions is ξ alone and the iteration contracts by O(dt), stiff or not. Â as metric moves what
//! stiff springs connect together; without tangents it is M. μ_N is corrected as a whole, so a contact pushed out too far
//! early in the iteration comes back.
//!
//! μ_least is 0, and −c_w P_N for a contact that pressed in the step before: it may take back the displacement c_w M⁻¹ W_N
//! P_N by which its impulse holds it open, so that what rests, rests at g = 0. For a contact that has just hit, the
//! displacement after the impact is kept: its mean over all times of impact within the step is the exact one, while an
//! end at g = 0, as in [Bruels2014], is too low by e u dt/2 in the mean.
//!
//! A contact that is not active and penetrates when everything has converged becomes active; the set only grows.

use super::projection::PROJECTION_TOLERANCE;
use crate::{Configuration, ContactStage, Extent, Quantity, State, StepError, System};

/// Where round-off stands above the tolerance, positions that no longer gain are accepted up to this many tolerances.
const MOST_ROUND_OFF: f64 = 1e3;

/// Unknowns and work arrays.
#[derive(Debug, Default)]
pub struct PositionLevel {
    /// |Φ| allowed, per row, and penetration allowed (m), at least and where positions were looked at last: never below round-off.
    least_tolerance: Vec<f64>,
    tolerance: Vec<f64>,
    gap_tolerance: f64,
    quantity: Vec<Quantity>,
    extent: Extent,
    length: f64,
    /// Round-off of lengths, relative to the mechanism.
    grain: f64,
    /// 1 over the displacement that counts as one, per velocity.
    weight: Vec<f64>,
    /// Φ and g_N at the iterate — computed by `measure`.
    phi: Vec<f64>,
    g_N: Vec<f64>,
    /// Largest violation in tolerances, now and one iteration before; the same in metres or radians.
    worst: f64,
    worst_before: f64,
    error: f64,
    /// Per contact: whether it pressed in the step before, is held at g = 0; μ_N and its bound; the gap to come.
    pressed: Vec<bool>,
    held: Vec<bool>,
    mu: Vec<f64>,
    least: Vec<f64>,
    gap: Vec<f64>,
    /// ξ and W_N μ_N of the last correction, size of v.
    xi: Vec<f64>,
    push: Vec<f64>,
    moved: f64,
    // size of v, of v, of Φ, of all rows of contacts
    d: Vec<f64>,
    r: Vec<f64>,
    c: Vec<f64>,
    guess: Vec<f64>,
}

impl PositionLevel {
    /// At a state.
    pub fn start(system: &dyn System, state: &State) -> Self {
        let (sizes, length) = (system.structure().sizes, system.structure().length_scale);
        let joints = system.structure().constraints.iter();
        let quantity: Vec<Quantity> =
            joints.flat_map(|joint| joint.quantities.iter().map(|(quantity, _)| *quantity)).collect();
        let allowed = |quantity: &Quantity| match quantity {
            Quantity::Length => PROJECTION_TOLERANCE * length,
            Quantity::Angle => PROJECTION_TOLERANCE,
        };
        let least_tolerance: Vec<f64> = quantity.iter().map(allowed).collect();
        let weight = |i: usize| match system.structure().velocities[i].quantity {
            Quantity::Length => 1.0 / length,
            Quantity::Angle => 1.0,
        };
        let zeros = |size: usize| vec![0.0; size];
        let mut new = Self {
            tolerance: least_tolerance.clone(),
            least_tolerance,
            quantity,
            extent: Extent::new(system),
            length,
            weight: (0..sizes.v).map(weight).collect(),
            phi: zeros(sizes.constraints),
            c: zeros(sizes.constraints),
            g_N: zeros(sizes.contacts),
            mu: zeros(sizes.contacts),
            least: zeros(sizes.contacts),
            gap: zeros(sizes.contacts),
            pressed: vec![false; sizes.contacts],
            held: vec![false; sizes.contacts],
            xi: zeros(sizes.v),
            push: zeros(sizes.v),
            d: zeros(sizes.v),
            r: zeros(sizes.v),
            guess: zeros(state.P.len()),
            ..Self::default()
        };
        new.look_at(&state.q);
        new
    }

    /// Tolerances at coordinates q.
    fn look_at(&mut self, q: &[f64]) {
        let (length, angle) = [Quantity::Length, Quantity::Angle].map(|of| self.extent.of(of, q)).into();
        self.grain = length / self.length;
        self.gap_tolerance = length.max(PROJECTION_TOLERANCE * self.length);
        for (row, quantity) in self.quantity.iter().enumerate() {
            let round_off = if *quantity == Quantity::Length { length } else { angle };
            self.tolerance[row] = self.least_tolerance[row].max(round_off);
        }
    }

    /// Finds the contacts that pressed in the step before; those still closed become active.
    pub fn keep_pressed(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &mut Configuration,
        state: &State,
    ) {
        self.look_at(&state.q);
        for (contact, pressed) in self.pressed.iter_mut().enumerate() {
            *pressed = stage.has_pressed(&state.P, contact);
        }
        if self.pressed.contains(&true) {
            at.move_to(system, state.t, &state.q);
            stage.evaluate_gaps(system, at);
            stage.keep_pressed(&state.P, self.gap_tolerance);
        }
    }

    /// Begins an iteration with ξ = 0.
    pub fn begin(&mut self) {
        for array in [&mut self.xi, &mut self.push, &mut self.mu] {
            array.fill(0.0);
        }
        self.held.copy_from_slice(&self.pressed);
        self.worst = f64::INFINITY;
        self.moved = 0.0;
    }

    /// Φ and g_N at the iterate, and how far the active ones are from what they should be.
    pub fn measure(&mut self, system: &dyn System, stage: &ContactStage, at: &Configuration) {
        self.look_at(at.q());
        self.worst_before = self.worst;
        (self.worst, self.error) = (0.0, 0.0);
        if !self.phi.is_empty() {
            system.constraints(at, &mut self.phi);
        }
        for (phi, tolerance) in self.phi.iter().zip(&self.tolerance) {
            self.worst = self.worst.max(phi.abs() / tolerance);
            self.error = self.error.max(phi.abs());
        }
        if stage.has_contacts() {
            system.gaps(at, &mut self.g_N);
            for (_, contact) in stage.normals() {
                let error = violation(self.g_N[contact], self.held[contact]);
                self.worst = self.worst.max(error / self.gap_tolerance);
                self.error = self.error.max(error);
            }
        }
    }

    /// Whether joints and active contacts hold, to the tolerance or to round-off.
    pub fn holds(&self) -> bool {
        self.worst <= 1.0 || (self.worst >= 0.5 * self.worst_before && self.worst <= MOST_ROUND_OFF)
    }

    /// Largest |Φ| or violation of a gap.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Whether the last correction moved nothing by more than this, relative to the mechanism's size.
    pub fn stands(&self, tolerance: f64) -> bool {
        self.moved <= tolerance.max(self.grain)
    }

    /// Closes the contacts that are not active and penetrate; whether there are any.
    pub fn close_more(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &mut Configuration,
        state: &State,
    ) -> bool {
        let most = MOST_ROUND_OFF.min(self.worst.max(1.0)) * self.gap_tolerance;
        let enters = |stage: &ContactStage, contact: usize, g: f64| {
            stage.has_gap(contact) && g < -most && !stage.active().contains(&contact)
        };
        if !self.g_N.iter().enumerate().any(|(contact, &g)| enters(stage, contact, g)) {
            return false;
        }
        self.guess.fill(0.0);
        stage.scatter(1.0, &mut self.guess);
        for contact in 0..self.g_N.len() {
            if enters(stage, contact, self.g_N[contact]) {
                stage.close(contact);
            }
        }
        at.move_to_state(system, state);
        stage.prepare(system, at, true, &self.guess, 1.0);
        true
    }

    /// Corrects ξ after the velocity problem. `before` is the displacement at the iterate, ξ included; `delta` comes in as
    /// the new displacement of the base scheme and goes out with ξ.
    pub fn correct(
        &mut self,
        stage: &mut ContactStage,
        t: f64,
        c_w: f64,
        before: &[f64],
        delta: &mut [f64],
    ) -> Result<(), StepError> {
        let n = delta.len();
        for i in 0..n {
            self.d[i] = delta[i] - (before[i] - self.xi[i]);
            self.r[i] = -self.push[i];
        }
        // what Φ and the gaps will be without a correction
        let mut fine = true;
        if !self.phi.is_empty() {
            stage.operator.constraint_velocity(&self.d, &mut self.c);
            for (row, c) in self.c.iter_mut().enumerate() {
                *c = stage.operator.phi_t()[row] - *c - self.phi[row];
                fine &= c.abs() <= self.tolerance[row];
            }
        }
        for (row, contact) in stage.normals() {
            self.gap[contact] = self.g_N[contact] + stage.velocity(row, &self.d) - stage.bias(row);
            self.least[contact] = if self.pressed[contact] { -c_w * stage.impulse(row) } else { 0.0 };
            fine &= violation(self.gap[contact], self.held[contact]) <= self.gap_tolerance;
        }
        self.moved = 0.0;
        if !fine {
            stage.solve_positions(t, &self.gap, &self.least, &mut self.mu, &mut self.r, &mut self.c)?;
            self.push.fill(0.0);
            stage.add_normals(&self.mu, &mut self.push);
            for (_, contact) in stage.normals() {
                self.held[contact] = self.mu[contact] > self.least[contact];
            }
            for i in 0..n {
                self.xi[i] += self.r[i];
                self.moved = self.moved.max(self.weight[i] * self.r[i].abs());
            }
        }
        for (delta, xi) in delta.iter_mut().zip(&self.xi) {
            *delta += xi;
        }
        Ok(())
    }
}

/// How far a gap is from ≥ 0, or from 0 if it is held.
fn violation(gap: f64, held: bool) -> f64 {
    if held { gap.abs() } else { (-gap).max(0.0) }
}
