//! The shared contact stage: one place that factors, builds the Delassus operator, solves and substitutes back.
//!
//! Given the factored saddle point K of [`Operator`] and right-hand sides (r, c) it finds δv, δP_b and P with
//!
//! ```text
//!   K (δv, −δP_b) = (r + W P, c),       U = Wᵀ (v + δv) + bias,       law(U + e ∘ U⁻, P)
//! ```
//!
//! A step goes through its parts in this order: the active set (`set`), the problem as it is posed (`pose`: directions, laws,
//! restitution), Ŵ and U_free (`delassus`), the solver (`solve`), records for whoever watches (`ledger`).

mod delassus;
pub(crate) use delassus::free as free_units;
mod ledger;
mod listing;
mod observer;
mod pose;
mod set;
mod solve;

pub use delassus::Coupling;
pub use ledger::{ContactRecord, ImpulseKind, MOST_ROWS};
pub use observer::{ProblemWatch, SeenProblem};
pub use set::DRIFT_OF_PRESSED;
pub use solve::ContactWork;

use crate::{Configuration, Operator, State, StepError, System};
use carom_solve::ContactSolver;
use delassus::{DelassusMatrix, PositionProblem};
use ledger::Ledger;
use pose::Pose;
use set::ActiveSet;
use solve::Solver;

/// Gaps up to this, relative to the coordinates they are computed from, count as zero: some units in the last place.
pub const GAP_ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// Factors, builds, solves, substitutes back. Owned by the simulation, sized once, grows with the active set.
#[derive(Debug)]
pub struct ContactStage {
    /// The effective matrix with the joints: what a scheme writes its formulas with. The stage itself only substitutes with it.
    pub operator: Operator,
    set: ActiveSet,
    pose: Pose,
    delassus: DelassusMatrix,
    positions: PositionProblem,
    solver: Solver,
    ledger: Ledger,
    /// Where contacts come and go.
    listing: Option<Box<listing::Listing>>,
}

impl ContactStage {
    /// For one system and one solver.
    pub fn new(system: &dyn System, solver: Box<dyn ContactSolver>) -> Self {
        let operator = Operator::new(system);
        let set = ActiveSet::new(system);
        let (contacts, rows) = (set.contacts.len(), set.contacts.rows());
        let room = DelassusMatrix::room(&operator, rows);
        Self {
            pose: Pose::with_room(room, operator.nv()),
            delassus: DelassusMatrix::with_room(&operator, room),
            positions: PositionProblem::with_room(contacts),
            solver: Solver::new(solver),
            ledger: Ledger::with_room(contacts, rows),
            listing: None,
            set,
            operator,
        }
    }

    /// Looks for blocks of Ŵ from so many contacts on, where something else than the usual number is wanted.
    pub fn look_for_blocks_from(&mut self, contacts: usize) {
        self.delassus.look_for_blocks_from(contacts);
    }

    /// Where a run begins, with M there: what most schemes start from.
    pub fn start_at(&mut self, system: &dyn System, state: &State) -> Result<Configuration, StepError> {
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        match self.operator.evaluate_mass(system, &at, true) {
            true => Ok(at),
            false => Err(StepError::Singular { t: state.t }),
        }
    }

    /// Forgets the step before: call first in every step.
    pub fn begin(&mut self) {
        self.solver.begin();
        self.set.begin();
        self.pose.begin();
        self.delassus.begin();
        self.ledger.begin();
    }

    /// Finds δv, δP_b and P. On entry `dv` = r and `dP_b` = c; the contact law holds for the velocities v + δv.
    pub fn solve(&mut self, t: f64, v: &[f64], dv: &mut [f64], dP_b: &mut [f64]) -> Result<(), StepError> {
        let forward = self.delassus.forward(&mut self.operator, dv, dP_b);
        let formed = forward.form(&self.pose, &self.set, v);
        let solved = formed.solve((t, v), (&self.set, &mut self.pose), &mut self.solver)?;
        solved.backward(dv, dP_b);
        Ok(())
    }
}
