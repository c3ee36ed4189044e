//! Forces where a run begins, before any step has been made: those of the accelerations there, see
//! [`Acceleration`](crate::acceleration::Acceleration).

use crate::acceleration::{Acceleration, Pressing};
use crate::scheme::Reactions;
use crate::{Configuration, ContactStage, State, System};
use carom_solve::solver;

/// Writes λ_b and λ into a copy of the state that a run with steps dt begins with, and answers the accelerations. A contact that
/// approaches is about to hit and does not press yet. Where no accelerations go on from here all of them are NaN: nobody
/// knows them.
pub(crate) fn first_forces(
    system: &dyn System,
    state: &mut State,
    dt: f64,
    reactions: Reactions,
) -> Vec<f64> {
    // with means of its own: the run's are not disturbed
    let usual = solver("auto").expect("the usual solver is always there");
    let mut stage = ContactStage::new(system, usual);
    stage.list_contacts(system, state, dt);
    let mut acceleration = Acceleration::start(system, state);
    let at = Configuration::new(system, state.t, &state.q, &state.v);
    let pressing = match reactions {
        // springs that nothing has entered yet do not press
        Reactions::Springs => Pressing::None,
        Reactions::Impulses | Reactions::Forces => Pressing::Resting,
    };
    stage.begin();
    let definite = stage.operator.evaluate_mass(system, &at, true);
    if !definite || acceleration.solve(system, &mut stage, &at, pressing).is_err() {
        acceleration.lambda.fill(f64::NAN);
        acceleration.lambda_b.fill(f64::NAN);
        acceleration.a.fill(f64::NAN);
    }
    state.lambda.copy_from_slice(&acceleration.lambda);
    state.lambda_b.copy_from_slice(&acceleration.lambda_b);
    acceleration.a
}
