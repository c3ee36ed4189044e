//! All that it takes to write a scheme, in one place.
//!
//! A [`Scheme`] is what people choose. Its [`start`](Scheme::start) makes a [`Stepper`], the workspace of a run; its
//! [`step`](Stepper::step) writes formulas and commits to the [`State`] in its last lines. It asks a [`System`] at a
//! [`Configuration`], and finds what schemes have in common in the [`ContactStage`]:
//!
//! ```text
//!   stage.begin()                                         forgets the step before
//!   stage.activate(system, at)                            which contacts take part: g_N(at) ≤ 0
//!   stage.prepare(system, at, restitution, P, scale)      U⁻, laws, first guess
//!   stage.operator.evaluate_mass, .evaluate_jacobian      M, G and ∂Φ/∂t at a configuration
//!   stage.evaluate_directions, .update_bounds             W, and what friction may bear
//!   stage.operator.factor(system, at, c_v, c_q)           Â = M + c_v C + c_q K with the joints
//!   stage.solve(t, v, r, c)                               Â δv − Gᵀ δP_b = r + W P,  G δv = c,  law(Wᵀ (v + δv), P)
//!   stage.finish(v, state)                                impulses into the state, records for the audit
//! ```
//!
//! A scheme that chooses its steps itself, as event-driven ones do, answers [`Stepper::own_steps`] with its [`OwnSteps`]. The page
//! "How to add a scheme" of the book has a complete example.

pub use crate::candidates::ContactTable;
pub use crate::extent::Extent;
pub use crate::operator::{Along, Operator};
pub use crate::scheme::{ContactsTaken, Reactions, Scheme, StepReport, Stepper};
pub use crate::stage::{ContactRecord, ContactStage, ContactWork, Coupling, ImpulseKind};
pub use crate::stepping::{Advance, Control, EventRecord, OwnSteps, Phase};
pub use crate::{Configuration, Directions, State, StepError, System};
