//! A scheme advances a state by one step.

use crate::own_steps::{OwnSteps, Phase};
use crate::{ContactStage, Formulation, Power, SchemeError, State, System};
use std::fmt::Debug;
use thiserror::Error;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Newton iterations; 1 for an explicit step.
    pub newton_iterations: usize,
    /// Contact problems solved.
    pub contact_problems: usize,
    /// Iterations inside the contact solvers.
    pub contact_iterations: usize,
    /// Contact problems answered by a fallback solver.
    pub fallbacks: usize,
    /// Residual of the contact problem of the accepted iterate.
    pub contact_residual: f64,
    /// Work of forces without a potential, where the scheme knows it better than the ends of its step tell.
    pub work: Option<Power>,
}

/// Why a step could not be made. The state is as it was before.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// Newton's iteration did not converge.
    #[error(
        "at t = {t}: Newton's iteration did not converge in {iterations} iterations (relative change {change:.1e}); \
         velocity number {velocity} moves the most"
    )]
    Newton {
        /// Beginning of the step.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Last change relative to the velocity.
        change: f64,
        /// Index of the velocity that changed the most.
        velocity: usize,
    },
    /// No contact solver found an answer.
    #[error(
        "at t = {t}: the contact problem was not solved (residual {residual:.1e} after {iterations} iterations of \
         {solver}); contact number {contact} is hit hardest"
    )]
    Contact {
        /// Beginning of the step.
        t: f64,
        /// Index of the contact to look at.
        contact: usize,
        /// The solver that came closest.
        solver: &'static str,
        /// Its residual.
        residual: f64,
        /// Its iterations.
        iterations: usize,
    },
    /// A contact spring that lasts no more than some steps.
    #[error(
        "at t = {t}: contact number {contact} is too stiff for this step; take a step of at most {most:.1e} s, a lower stiffness, or a \
         larger penetration"
    )]
    TooStiff {
        /// Beginning of the step.
        t: f64,
        /// Index of the contact.
        contact: usize,
        /// The longest step that resolves it (s).
        most: f64,
    },
    /// A number is not finite.
    #[error(
        "at t = {t}: the numbers leave the range of arithmetic, velocity number {velocity} first; take a smaller step"
    )]
    NotFinite {
        /// Beginning of the step.
        t: f64,
        /// Index of the velocity.
        velocity: usize,
    },
    /// The effective matrix is not positive definite.
    #[error(
        "at t = {t}: the effective matrix is not positive definite; a mass is zero or negative, or the step is too large"
    )]
    Singular {
        /// Beginning of the step.
        t: f64,
    },
    /// The projection onto the joints failed.
    #[error("at t = {t}: the projection onto the joints did not converge (drift {drift:.1e})")]
    Projection {
        /// Beginning of the step.
        t: f64,
        /// Largest |Φ| left.
        drift: f64,
    },
    /// Joints and contacts could not be closed in the positions.
    #[error(
        "at t = {t}: the positions did not come onto the joints and out of the contacts in {iterations} iterations \
         (error {error:.1e}); joints may contradict each other, or the step is too large"
    )]
    Positions {
        /// Beginning of the step.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Largest |Φ| or penetration left.
        error: f64,
    },
    /// A run ends with a joint as open as the mechanism is large.
    #[error(
        "at t = {t}: joint {joint} is open by {drift:.1e} m, as much as the mechanism is large; take a smaller step"
    )]
    Open {
        /// Time.
        t: f64,
        /// Its name.
        joint: String,
        /// How far (m).
        drift: f64,
    },
    /// A joint that rubs with a bound that grows with its own reaction: no bound fits.
    #[error(
        "at t = {t}: contact number {contact} binds: its friction presses it together more than it can take"
    )]
    JointBinds {
        /// Time.
        t: f64,
        /// Index of the joint that rubs.
        contact: usize,
    },
    /// Friction makes a contact press itself in: no accelerations, and no impact without collision either.
    #[error(
        "at t = {t}: no motion goes on from here: friction presses contact number {contact} in while it slides (the paradox of \
         Painlevé), and stopping it takes more than friction gives; lower the friction, or take a time-stepping scheme"
    )]
    Paradox {
        /// Time.
        t: f64,
        /// Index of the contact.
        contact: usize,
    },
    /// Events follow each other and time stands still.
    #[error(
        "at t = {t}: {events} events followed each other without time going on; take `hybrid`, which steps over such crowds, or a \
         time-stepping scheme"
    )]
    Endless {
        /// Time.
        t: f64,
        /// Events.
        events: usize,
    },
    /// A contact bounces lower and lower, and nothing lets it come to rest.
    #[error(
        "at t = {t}: impacts accumulate: contact number {contact} bounces lower than round-off, and `rest` = 0 lets nothing come \
         to rest; leave `rest` at its default, or take `hybrid` or a time-stepping scheme"
    )]
    Accumulation {
        /// Time.
        t: f64,
        /// Index of the contact.
        contact: usize,
    },
    /// A method for free motions meets a joint or a contact that stays closed.
    #[error(
        "method `{method}` moves what is free: it takes no joints and no contacts that stay closed; {remedy} do"
    )]
    NotFree {
        /// Name of the method.
        method: &'static str,
        /// Methods that take them.
        remedy: &'static str,
    },
    /// Bodies in floating frames, in coordinates in which the system does not tell its momenta; told by `start`.
    #[error(
        "scheme `{scheme}` steps elastic bodies in floating frames in absolute coordinates only: added up in others, their \
         accelerations make energy; take `coordinates = \"absolute\"`, or a scheme such as `bathe` or `radau5`"
    )]
    NoMomenta {
        /// Name of the scheme.
        scheme: String,
    },
    /// The scheme is not made for a contact; told by `start`, before anything runs.
    #[error("scheme `{scheme}` does not take contact number {contact}: {reason}; {remedy}")]
    NotFor {
        /// Name of the scheme.
        scheme: &'static str,
        /// Index of the first such contact.
        contact: usize,
        /// What the scheme cannot do with it.
        reason: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
}

impl StepError {
    /// The same sentence with names instead of numbers.
    pub fn explain(&self, system: &dyn System) -> String {
        let text = self.to_string();
        match self {
            StepError::Newton { velocity, .. } | StepError::NotFinite { velocity, .. } => {
                text.replace(&format!("velocity number {velocity}"), &system.velocity_name(*velocity))
            }
            StepError::Contact { contact, .. }
            | StepError::TooStiff { contact, .. }
            | StepError::JointBinds { contact, .. }
            | StepError::Paradox { contact, .. }
            | StepError::Accumulation { contact, .. }
            | StepError::NotFor { contact, .. } => match system.contact_info().get(*contact) {
                Some(info) => {
                    text.replace(&format!("contact number {contact}"), &format!("contact {}", info.name))
                }
                None => text,
            },
            _ => text,
        }
    }

    /// The velocity (`ball.vy`) or contact that it names, if it names one.
    pub fn subject(&self, system: &dyn System) -> Option<String> {
        match self {
            StepError::Newton { velocity, .. } | StepError::NotFinite { velocity, .. } => {
                Some(system.velocity_name(*velocity))
            }
            StepError::Contact { contact, .. }
            | StepError::TooStiff { contact, .. }
            | StepError::JointBinds { contact, .. }
            | StepError::Paradox { contact, .. }
            | StepError::Accumulation { contact, .. }
            | StepError::NotFor { contact, .. } => {
                system.contact_info().get(*contact).map(|info| info.name.clone())
            }
            _ => None,
        }
    }
}

/// What a scheme knows of the reactions of joints and contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reactions {
    /// Impulses over its steps; what is a force and what an impact is not told apart.
    #[default]
    Impulses,
    /// Forces at the ends of its steps, and the impulses of impacts apart from them.
    Forces,
    /// The same, with contacts that are springs.
    Springs,
}

/// Advances a state. Parameters sit in the struct, formulas in `step`; loops over time, files, factorisations and
/// contact solvers are not its business.
pub trait Scheme: Debug + Send {
    /// Name with parameters, for reports.
    fn describe(&self) -> String;

    /// Whether steps may be chosen by their error: not where contacts are regularly entered by a step's length.
    fn takes_accuracy(&self) -> bool {
        true
    }

    /// What it knows of reactions.
    fn reactions(&self) -> Reactions {
        Reactions::Impulses
    }

    /// Whether all that a step depends on is in the state: only then does it have an amplification matrix.
    fn has_spectrum(&self) -> bool {
        true
    }

    /// Whether impacts of elastic bodies make energy unless its step resolves all vibrations.
    fn needs_resolved_impacts(&self, system: &dyn System) -> bool {
        let _ = system;
        false
    }

    /// Whether it makes energy while bodies in floating frames turn, resolved or not.
    fn feeds_floating_frames(&self) -> bool {
        false
    }

    /// The forms of the equations of the smooth motion that it takes, the usual one first; none if it has a form of its own.
    fn formulations(&self) -> &'static [Formulation] {
        &[]
    }

    /// Takes the equations of the smooth motion in another form; told before `start`.
    fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SchemeError> {
        Err(SchemeError::NoFormulation { scheme: self.describe(), asked: formulation })
    }

    /// In which ways the run was made so far, where there are several.
    fn phases(&self) -> Vec<Phase> {
        Vec::new()
    }

    /// Factorisations that the stage does not know of.
    fn factorisations(&self) -> usize {
        0
    }

    /// Its own choice of steps, where it has one.
    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        None
    }

    /// The next step is `ratio` times as long as the one before: moves what the state remembers of a time within a step to where
    /// it then is. Called where the step changes with its error.
    fn stretch(&self, state: &mut State, ratio: f64) {
        let _ = (state, ratio);
    }

    /// Sizes everything and computes what the first step needs to remember.
    fn start(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError>;

    /// One step of size dt. On `Err` the state is as it was.
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError>;
}
