//! Projection of the coordinates onto the joints after every step.           [Chen2013] (43), [Haddouni2015] (2.12)
//!
//! ```text
//!   min ½ δᵀ M δ   subject to   Φ(t, q ⊕ δ) = 0,      by Newton:   [M Gᵀ; G 0] (δ, μ) = (0, −Φ)
//! ```
//!
//! in the metric of the mass, so that nothing heavy is moved to please something light. Velocities stay: the next
//! step makes them consistent anyway.

use crate::{
    Configuration, ContactStage, ContactsTaken, Quantity, Reactions, Scheme, State, StepError, StepReport,
    Stepper, System,
};

/// |Φ| allowed after the projection, relative to the length scale (angles: absolutely); never below round-off.
pub const PROJECTION_TOLERANCE: f64 = 1e-13;
const MOST_ITERATIONS: usize = 10;

/// Any scheme, followed by the projection.
#[derive(Debug)]
pub struct Projected {
    base: Box<dyn Scheme>,
}

impl Projected {
    /// Puts the projection behind a scheme.
    pub fn new(base: Box<dyn Scheme>) -> Self {
        Self { base }
    }
}

impl Scheme for Projected {
    fn describe(&self) -> String {
        format!("{}, projected", self.base.describe())
    }

    fn takes_accuracy(&self) -> bool {
        self.base.takes_accuracy()
    }

    fn takes_contacts(&self) -> ContactsTaken {
        self.base.takes_contacts()
    }

    fn reactions(&self) -> Reactions {
        self.base.reactions()
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        self.base.check(system)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        let sizes = system.structure().sizes;
        let allowed = |quantity: Quantity| match quantity {
            Quantity::Length => (PROJECTION_TOLERANCE * system.structure().length_scale, quantity),
            Quantity::Angle => (PROJECTION_TOLERANCE, quantity),
        };
        let rows = system.structure().constraints.iter().flat_map(|joint| &joint.quantities);
        let with_joints = || vec![0.0; sizes.v + sizes.constraints];
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        Ok(Box::new(Workspace {
            base: self.base.start(system, stage, state)?,
            at,
            phi: vec![0.0; sizes.constraints],
            tolerance: rows.map(|&(quantity, _)| allowed(quantity)).collect(),
            delta: vec![0.0; sizes.v],
            rhs: with_joints(),
            solution: with_joints(),
            scratch: with_joints(),
            before: state.clone(),
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    base: Box<dyn Stepper>,
    at: Configuration,
    phi: Vec<f64>,
    /// |Φ| allowed and what is measured, per row.
    tolerance: Vec<(f64, Quantity)>,
    delta: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    scratch: Vec<f64>,
    /// The state before the step, to go back to.
    before: State,
}

impl Stepper for Workspace {
    fn stretch(&self, state: &mut State, ratio: f64) {
        self.base.stretch(state, ratio);
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        if self.phi.is_empty() {
            return self.base.step(system, stage, state, dt);
        }
        self.before.clone_from(state);
        let report = self.base.step(system, stage, state, dt)?;
        self.project(system, stage, state).inspect_err(|_| state.clone_from(&self.before))?;
        Ok(report)
    }
}

impl Workspace {
    fn project(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let at = &mut self.at;
        let n = self.delta.len();
        self.delta.fill(0.0);
        stage.operator.forget_jacobian();
        let extent = stage.extent();
        let round_off = [Quantity::Length, Quantity::Angle].map(|quantity| extent.of(quantity, &state.q));
        let allowed = |(least, quantity): (f64, Quantity)| {
            least.max(round_off[usize::from(quantity == Quantity::Angle)])
        };
        let mut drift = f64::INFINITY;
        for iteration in 0..=MOST_ITERATIONS {
            at.retract_to(system, state.t, &state.q, &self.delta);
            system.constraints(at, &mut self.phi);
            if self.phi.iter().zip(&self.tolerance).all(|(phi, &tolerance)| phi.abs() <= allowed(tolerance)) {
                state.q.copy_from_slice(at.q());
                return Ok(());
            }
            let now = self.phi.iter().fold(0.0, |most: f64, phi| most.max(phi.abs()));
            // round-off may stand above the tolerance where numbers are large: stop when nothing is gained
            let most = self.tolerance.iter().fold(0.0, |most: f64, &t| most.max(allowed(t)));
            if now >= 0.5 * drift && now <= 1e3 * most {
                state.q.copy_from_slice(at.q());
                return Ok(());
            }
            drift = now;
            if iteration == 0 || iteration % 3 == 0 {
                stage.operator.evaluate_mass(system, at, false);
                stage.operator.evaluate_jacobian(system, at);
                if !stage.operator.factor(system, at, 0.0, 0.0) {
                    return Err(StepError::Singular { t: state.t });
                }
            }
            for (rhs, phi) in self.rhs[n..].iter_mut().zip(&self.phi) {
                *rhs = -phi;
            }
            stage.operator.ldl().solve(&self.rhs, &mut self.solution, &mut self.scratch);
            system.chart_rate(&self.delta, &mut self.solution[..n]);
            for i in 0..n {
                self.delta[i] += self.solution[i];
            }
        }
        Err(StepError::Projection { t: state.t, drift })
    }
}
