//! Heun's method on the form of index 1, as an example of a method for the smooth motion written against the public API.
//!
//! ```text
//!   V_2 = v_n + dt a_n,      A_2 = a(t_{n+1}, q_n ⊕ dt v_n, V_2)
//!   q_{n+1} = q_n ⊕ dt/2 (v_n + V_2),      v_{n+1} = v_n + dt/2 (a_n + A_2)
//!   e = | dt/2 (V_2 − v_n, A_2 − a_n) | = O(dt²)                          against Euler's method, its companion
//! ```
//!
//! Order 2 in q and v. a_n belongs to the knot: the frame has found it where the step before ended, so a step costs one
//! evaluation here and one there.
#![allow(non_snake_case)]

use carom_dynamics::{
    Configuration, Estimate, Formulation, Integrator, Knot, Level, Method, Motion, StepError, System,
};

/// What people choose. Parameters would stand here; this method has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heun;

impl Method for Heun {
    fn describe(&self) -> String {
        "heun".into()
    }

    /// Only d²Φ/dt² = 0 is asked for; the frame projects the rest.
    fn level(&self) -> Level {
        Level::Acceleration
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index1]
    }

    /// Sizes everything, for all rows that may ever come: the only place that allocates.
    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        Ok(Box::new(Workspace {
            at: motion.configuration(system, near.t, &near.q, &near.v),
            V_2: vec![0.0; motion.nv()],
            A_2: vec![0.0; motion.nv()],
            lambda: vec![0.0; motion.most_rows()],
        }))
    }
}

/// What makes the steps.
#[derive(Debug)]
struct Workspace {
    at: Configuration,
    V_2: Vec<f64>,
    A_2: Vec<f64>,
    lambda: Vec<f64>,
}

impl Integrator for Workspace {
    /// e = O(dt²): the next step follows from the square root of what the accuracy leaves.
    fn exponent(&self) -> f64 {
        2.0
    }

    /// Begins anew, when the run begins and after every event: rows may have come or gone.
    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        Ok(())
    }

    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError> {
        let at = &mut self.at;
        let n = motion.nv();
        // Euler's step, and the acceleration where it ends
        for i in 0..n {
            to.delta[i] = dt * from.v[i];
            self.V_2[i] = from.v[i] + dt * from.a[i];
        }
        at.retract_to(system, from.t + dt, &from.q, &to.delta);
        at.v.copy_from_slice(&self.V_2);
        motion.accelerations(system, at, &mut self.A_2, &mut self.lambda)?;
        // the mean of both ends; a and λ there are found by the frame
        to.t = from.t + dt;
        for i in 0..n {
            to.delta[i] = 0.5 * dt * (from.v[i] + self.V_2[i]);
            to.v[i] = from.v[i] + 0.5 * dt * (from.a[i] + self.A_2[i]);
        }
        system.retract(&from.q, &to.delta, &mut to.q);
        motion.see_velocities(&to.v);
        let error =
            motion.error(|i| 0.5 * dt * (self.V_2[i] - from.v[i]), |i| 0.5 * dt * (self.A_2[i] - from.a[i]));
        Ok(Estimate { error, iterations: 1 })
    }
}
