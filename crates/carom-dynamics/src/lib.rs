//! Time integration of nonsmooth mechanical systems.
//!
//! ```text
//!   q' = Y(q) v
//!   M(q) v' = h(t,q,v) + Gᵀ λ + W_N λ_N + W_T λ_T
//!   Φ(t,q) = 0                      joints
//!   0 ≤ g_N ⊥ λ_N ≥ 0,  λ_T ∈ −μ λ_N Sgn(ġ_T),  and Newton's impact law with e_N, e_T
//! ```
//!
//! A [`System`] is what a scheme may ask of a mechanism. A [`Scheme`] advances a [`State`] by one step and leaves the
//! linear algebra and the contact problem to the shared [`ContactStage`]. A [`Simulation`] owns all three, retries
//! failed steps, and keeps a [`Recording`]: channels, events, and an [`Audit`] that says how far to trust the run.
//! Who writes a scheme of their own finds all it takes in [`write_a_scheme`].
#![allow(non_snake_case)]

mod acceleration;
mod accelerations;
mod audit;
mod candidates;
mod channel;
mod chart;
mod choose;
mod configuration;
mod convergence;
mod derivatives;
mod diagnostics;
mod diagonals;
pub mod equilibrium;
mod error;
mod estimate;
mod events;
mod extent;
mod first_forces;
mod json_nan;
mod mean;
mod methods;
mod momenta;
mod motion;
mod operator;
mod poison;
mod radau_iia;
mod record;
mod recorder;
pub mod rotation;
mod saddle;
mod scheme;
mod schemes;
mod simulation;
mod spectrum;
mod stage;
mod stages;
mod state;
mod stepping;
mod structure;
mod system;
pub mod write_a_scheme;

pub(crate) use acceleration::Pressing;
pub(crate) use candidates::ContactTable;
pub(crate) use extent::Extent;
pub(crate) use operator::{Along, Operator};
pub(crate) use poison::poison;
pub(crate) use scheme::ContactsTaken;
pub(crate) use stage::{ContactRecord, Coupling, DRIFT_OF_PRESSED};

pub use acceleration::Acceleration;
pub use audit::{Audit, Worst};
pub use candidates::{Candidates, ContactId};
pub use channel::{Channel, Purpose};
pub use chart::Rotation;
pub use choose::{AUTO, Choice, Stiffness, choose};
pub use configuration::{Configuration, NEAREST, Scratch};
pub use derivatives::check_derivatives;
pub use error::{Complaint, Setting, StartError, StepError};
pub use estimate::{Effort, ErrorEstimate, Runs, bands};
pub use events::{EventDriven, FrameOptions};
pub use methods::{
    Adams, Alpha, Bdf, Estimate, Hem5, Integrator, Knot, Level, Method, Phem56, Radau5, RungeKutta,
    Symplectic, hermite,
};
pub use momenta::Momenta;
pub use motion::{ContactMode, Drift, Formulation, Motion};
pub use record::{Event, EventKind, Recording, Stop, Summary};
pub use recorder::{recorded_channels, weights};
pub use scheme::{Reactions, Scheme, StepReport, Stepper};
pub use schemes::{
    AlphaParameters, GeneralizedAlpha, Joints, PROJECTED, Parameter, ParameterKind, Projected, SCHEMES,
    SchemeChoice, SchemeError, SchemeInfo, Tableau, TableauError, Value, Values, find_scheme, scheme,
};
pub use simulation::{Progress, Saved, Settings, Simulation};
pub use spectrum::{
    Amplification, Spectrum, SpectrumError, SpectrumPoint, Stability, eigenvalues, growth, spectrum,
};
pub use stage::{ContactStage, GAP_ROUND_OFF, ImpulseKind, ProblemWatch, SeenProblem};
pub use state::State;
pub use stepping::{Control, Phase, Work};
pub use structure::{Near, Pattern, Sizes, Structure, VelocityInfo};
pub use system::{
    ConstraintInfo, ContactInfo, ContactKind, Corner, Crossing, Directions, Energy, EventInfo, JointStop,
    Power, Quantity, Resistance, System,
};
