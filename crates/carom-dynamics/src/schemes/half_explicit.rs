//! Half-explicit methods as bases of a mixed scheme: forces of a stage from the law at the next one.
//!
//! ```text
//!   Q_l = q ⊕ dt Σ_{k<l} a_lk V_k,        V_l = v⁺ + dt Σ_{k<l} a_lk V'_k,        l = 1 .. s      (a_sk = b_k)
//!   M_k V'_k = h(t_k, Q_k, V_k) + G_kᵀ λ_b,k + W_k λ_k
//!   λ_{l−1}:  G(Q_l) V_l + ∂Φ/∂t = 0,     0 ≤ W(Q_l)ᵀ V_l ⊥ λ_{l−1} ≥ 0, friction
//!   q_{i+1} = Q_s,  v⁻_{i+1} = V_s
//! ```
//!
//! General, [Schindler2015] App. B (B.9)–(B.14) with tableaux of [BraseyHairer1993]; contacts closed at Q_l are active.
//! The trapezoidal rule of [Schindler2015] App. A differs in two places: M, h, W of its last stage are taken at q_{i+1}
//! instead of Q_1, and contacts closed at q_i are active in its first stage (or those closed at Q_1, (75)–(77)). A step
//! that ends in an impact has no contact forces, (55): V is computed again without them at the positions found, joints
//! staying in place.
//!
//! Departs from the source in that a contact that was open at q_i gets no force in this step. Closed at some stage but
//! not at the end it would lose part of its approach before it hits, and with it the restitution.
//!
//! Pressing along W_{l−1} and asking along W_l makes the contact problem unsymmetric; joints are iterated with the
//! symmetric matrix of G_{l−1}, which contracts like dt.

use super::impulse::Impulse;
use super::mixed::{Base, BaseStepper, Mixed, PARTS};
use super::tableau::Tableau;
use super::{Parameter, SchemeInfo};
use crate::stages::add_stages;
use crate::{Configuration, ContactStage, ImpulseKind, State, StepError, System};

const PREDICTED_CONTACTS: Parameter = Parameter::switch(
    "predicted_contacts",
    "1: contacts press in the first stage if closed at its predicted end too; 0: if closed where the step begins",
    false,
);

/// The trapezoidal rule of [Schindler2015].
pub const INFO: SchemeInfo = SchemeInfo {
    name: "half-explicit",
    summary: "mixed: half-explicit trapezoidal rule with forces, then impacts; cheap and second order, for soft systems",
    parameters: &[PREDICTED_CONTACTS, PARTS],
    make: |values| {
        let (name, contacts) = match values.switch(&PREDICTED_CONTACTS) {
            false => ("half-explicit", StageContacts::ClosedBefore),
            true => ("half-explicit (predicted contacts)", StageContacts::ClosedAfter),
        };
        let tableau = Tableau::order_2();
        Ok(Mixed::of(HalfExplicit { name, tableau, contacts, last_at_end: true }, values))
    },
};

pub const ORDER_3: SchemeInfo = SchemeInfo {
    name: "half-explicit-3",
    summary: "mixed: half-explicit Runge–Kutta method of order 3, then impacts",
    parameters: &[PARTS],
    make: |values| Ok(Mixed::of(HalfExplicit::new("half-explicit-3", Tableau::order_3()), values)),
};

pub const ORDER_4: SchemeInfo = SchemeInfo {
    name: "half-explicit-4",
    summary: "mixed: half-explicit Runge–Kutta method of order 4, then impacts; few impacts, high accuracy",
    parameters: &[PARTS],
    make: |values| Ok(Mixed::of(HalfExplicit::new("half-explicit-4", Tableau::order_4()), values)),
};

/// Tolerance of the passes over the joints, where the order is high.
const FINE: f64 = 1e-13;

/// Which contacts press in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageContacts {
    /// Those closed where the step begins.
    ClosedBefore,
    /// Of these, those still closed where the stage ends.
    ClosedAfter,
}

#[derive(Clone, Debug)]
struct HalfExplicit {
    name: &'static str,
    tableau: Tableau,
    contacts: StageContacts,
    /// Whether the last stage is evaluated at q_{i+1}.
    last_at_end: bool,
}

impl HalfExplicit {
    /// Any tableau, contacts by the positions of the stages.
    fn new(name: &'static str, tableau: Tableau) -> Self {
        Self { name, tableau, contacts: StageContacts::ClosedAfter, last_at_end: false }
    }
}

impl Base for HalfExplicit {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        self.name.into()
    }

    fn takes_space(&self) -> bool {
        true
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Workspace, StepError> {
        let (n, s) = (state.v.len(), self.tableau.stages());
        let zeros = |size: usize| vec![0.0; size];
        state.memory.clear();
        state.memory.resize(2 * n, 0.0);
        let from = Configuration::new(system, state.t, &state.q, &state.v);
        let impulse = match self.last_at_end {
            true => Impulse::start(system, stage, state)?,
            false => Impulse::to_within(FINE, system, stage, state)?,
        };
        Ok(Workspace {
            tableau: self.tableau.clone(),
            contacts: self.contacts,
            last_at_end: self.last_at_end,
            impulse,
            from,
            V: zeros((s + 1) * n),
            dV: zeros(s * n),
            rates: zeros(if system.structure().is_flat() { 0 } else { (s + 1) * n }),
            delta: zeros(s * n),
            base: zeros(n),
            h: zeros(n),
        })
    }
}

/// Memory: V'_0 of the last two steps, first guess where joints are iterated.
#[derive(Debug)]
struct Workspace {
    tableau: Tableau,
    contacts: StageContacts,
    last_at_end: bool,
    impulse: Impulse,
    /// Where the forces of a stage are; `impulse` is where its law is asked.
    from: Configuration,
    /// V_l and V'_l, one after the other.
    V: Vec<f64>,
    dV: Vec<f64>,
    /// V_l as rates of increments; empty in a vector space, where they are themselves.
    rates: Vec<f64>,
    /// Increments from q to Q_l, l = 1 .. s, one after the other.
    delta: Vec<f64>,
    base: Vec<f64>,
    h: Vec<f64>,
}

/// A row of the tableau: forces at stage k push so that the law holds at stage l = k + 1.
#[derive(Clone, Copy, Debug)]
struct Row {
    l: usize,
    /// dt a_lk, over which the force of stage k pushes.
    span: f64,
    dt: f64,
    /// The step ends with this stage.
    last: bool,
    /// Its forces are asked where it ends.
    same: bool,
}

impl Workspace {
    /// All stages; with contacts the positions are computed, without them they stay. Returns the passes.
    fn stages(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
        contacts: bool,
    ) -> Result<usize, StepError> {
        let n = state.v.len();
        let s = self.tableau.stages();
        end.P_b.fill(0.0);
        end.P.fill(0.0);
        end.lambda.fill(0.0);
        self.V[..n].copy_from_slice(&state.v);
        if !self.rates.is_empty() {
            self.rates[..n].copy_from_slice(&state.v);
        }
        stage.forget_initial_velocities();
        let mut passes = 0;
        for l in 1..=s {
            let last = l == s;
            let span = dt * self.tableau.row(l)[l - 1];
            let row = Row { l, span, dt, last, same: last && self.last_at_end };
            self.place(system, state, row, contacts);
            self.take_contacts(system, stage, state, row, contacts);
            if !end.P_b.is_empty() || stage.is_active() {
                passes += self.push(system, stage, state, row, end)?;
            } else {
                self.fly(system, stage, state, row)?;
            }
            if !self.rates.is_empty() {
                let rate = &mut self.rates[l * n..(l + 1) * n];
                rate.copy_from_slice(&self.V[l * n..(l + 1) * n]);
                system.chart_rate(&self.delta[(l - 1) * n..l * n], rate);
            }
        }
        if contacts {
            end.q.copy_from_slice(self.impulse.at().q());
        }
        end.v.copy_from_slice(&self.V[s * n..]);
        end.memory[n..].copy_from_slice(&state.memory[..n]);
        end.memory[..n].copy_from_slice(&self.dV[..n]);
        if stage.is_active() {
            stage.restore_initial_velocities();
        }
        stage.record(ImpulseKind::Force, &end.v, &end.P);
        Ok(passes.max(1))
    }

    /// Q_l, where the forces of stage k are, h there, and v⁺ + dt Σ_{j<k} a_lj V'_j.
    fn place(&mut self, system: &dyn System, state: &State, Row { l, dt, same, .. }: Row, moves: bool) {
        let (n, k, row) = (state.v.len(), l - 1, self.tableau.row(l));
        let delta = &mut self.delta[k * n..l * n];
        if moves {
            delta.fill(0.0);
            add_stages(delta, dt, row, if self.rates.is_empty() { &self.V } else { &self.rates });
        }
        let (from, to) = (&mut self.from, self.impulse.at());
        to.retract_to(system, state.t + dt * self.tableau.time(l), &state.q, delta);
        if same {
            from.clone_position_from(to);
        } else if k == 0 {
            from.move_to(system, state.t, &state.q);
        } else {
            let t_k = state.t + dt * self.tableau.time(k);
            from.retract_to(system, t_k, &state.q, &self.delta[(k - 1) * n..k * n]);
        }
        from.v.copy_from_slice(&self.V[k * n..l * n]);
        system.force(from, &mut self.h);
        self.base.copy_from_slice(&state.v);
        add_stages(&mut self.base, dt, &row[..k], &self.dV);
    }

    /// The contacts that press in this stage, and their law at Q_l.
    fn take_contacts(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        Row { l, span, last, same, .. }: Row,
        press: bool,
    ) {
        if !stage.has_contacts() {
            return;
        }
        let to = self.impulse.at();
        let look = last || self.contacts == StageContacts::ClosedAfter;
        stage.activate_closed(system, look.then_some(&*to));
        if !press {
            stage.open_all();
        }
        if stage.is_active() {
            to.v.copy_from_slice(&state.v);
            stage.prepare(system, to, false, &state.lambda, span);
            if !same {
                stage.set_force_directions(system, &self.from);
            }
            if l == 1 {
                stage.remember_initial_velocities(&state.v);
            }
        }
    }

    /// V_l and V'_k with the forces of joints and contacts, which are added to those of the step. Returns the passes.
    fn push(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        Row { l, span, dt, last, same }: Row,
        end: &mut State,
    ) -> Result<usize, StepError> {
        let (n, k) = (state.v.len(), l - 1);
        if !stage.operator.factor_at(system, &self.from) {
            return Err(StepError::Singular { t: state.t });
        }
        if same {
            stage.operator.hold_remembered();
        } else {
            stage.operator.evaluate_jacobian(system, self.impulse.at());
        }
        for (given, h) in self.impulse.given.iter_mut().zip(&self.h) {
            *given = span * h;
        }
        self.impulse.v_free.copy_from_slice(&self.base);
        self.impulse.v.copy_from_slice(&self.base);
        let turn = (!end.P_b.is_empty() && !same).then(|| stage.operator.turn());
        if turn.is_some() {
            // a guess that is good to second order saves a pass
            let v = &mut self.impulse.v;
            match k {
                0 => add_stages(v, span, &[2.0, -1.0], &state.memory),
                _ => add_stages(v, span, &[1.0], &self.dV[(k - 1) * n..k * n]),
            }
        }
        let passes = self.impulse.iterate(stage, state.t, span, turn)?;
        // λ = P / span, weighed with b over the step
        let weight = dt * self.tableau.b()[k] / span;
        for (sum, P) in end.P_b.iter_mut().zip(&self.impulse.P_b) {
            *sum += weight * P;
        }
        stage.scatter(weight, &mut end.P);
        if last {
            for (lambda, P) in end.lambda_b.iter_mut().zip(&self.impulse.P_b) {
                *lambda = P / span;
            }
            stage.scatter(1.0 / span, &mut end.lambda);
        }
        self.V[l * n..(l + 1) * n].copy_from_slice(&self.impulse.v);
        let dV = &mut self.dV[k * n..l * n];
        for ((dV, v), base) in dV.iter_mut().zip(&self.impulse.v).zip(&self.base) {
            *dV = (v - base) / span;
        }
        Ok(passes)
    }

    /// V_l and V'_k where nothing is held and nothing touches.
    fn fly(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        Row { l, span, .. }: Row,
    ) -> Result<(), StepError> {
        let (n, k) = (state.v.len(), l - 1);
        if !stage.operator.evaluate_mass(system, &self.from, false) {
            return Err(StepError::Singular { t: state.t });
        }
        let dV = &mut self.dV[k * n..l * n];
        stage.operator.solve_mass(&self.h, dV);
        let V = &mut self.V[l * n..(l + 1) * n];
        for ((V, base), dV) in V.iter_mut().zip(&self.base).zip(&*dV) {
            *V = base + span * dV;
        }
        Ok(())
    }
}

impl BaseStepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        self.stages(system, stage, state, dt, end, true)
    }

    fn at_end(&self) -> Option<&Configuration> {
        Some(self.impulse.there())
    }

    fn lets_go(&self) -> bool {
        true
    }

    fn let_go(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<(), StepError> {
        self.stages(system, stage, state, dt, end, false).map(|_| ())
    }
}
