//! A scheme advances a state by one step.

use crate::stepping::{OwnSteps, Phase};
use crate::{ContactStage, Formulation, Power, SchemeError, State, StepError, System};
use std::fmt::Debug;

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

/// Contacts that not every scheme takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactsTaken {
    /// Those in space: friction in two directions.
    pub in_space: bool,
    /// Those that resist turning.
    pub resisting: bool,
    /// Those that come and go: lists that are made anew where a step begins.
    pub changing: bool,
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

/// What people choose: a scheme with its options. It answers questions about itself and makes the workspace of a run.
pub trait Scheme: Debug + Send + Sync {
    /// Name with parameters, for reports.
    fn describe(&self) -> String;

    /// Whether steps may be chosen by their error: not where contacts are regularly entered by a step's length.
    fn takes_accuracy(&self) -> bool {
        true
    }

    /// Which contacts it takes beside those in the plane that are always there.
    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken::default()
    }

    /// Whether it chooses its steps itself, see [`Stepper::own_steps`].
    fn owns_steps(&self) -> bool {
        false
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

    /// Takes the equations of the smooth motion in another form.
    fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SchemeError> {
        Err(SchemeError::NoFormulation { scheme: self.describe(), asked: formulation })
    }

    /// Refuses a system that it is not made for, as `start` would.
    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        let _ = system;
        Ok(())
    }

    /// The workspace of a run that begins at `state`: sizes everything, and writes what the first step needs to remember into
    /// the state. The only place that allocates.
    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError>;
}

/// A scheme at work: advances a state, formulas in `step`. Loops over time, files, factorisations and contact solvers are not its
/// business.
pub trait Stepper: Debug + Send {
    /// One step of size dt. On `Err` the state is as it was.
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError>;

    /// Its own choice of steps, where it has one.
    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        None
    }

    /// In which ways the run was made so far, where there are several.
    fn phases(&self) -> Vec<Phase> {
        Vec::new()
    }

    /// Factorisations that the stage does not know of.
    fn factorisations(&self) -> usize {
        0
    }

    /// The next step is `ratio` times as long as the one before: moves what the state remembers of a time within a step to where
    /// it then is. Called where the step changes with its error.
    fn stretch(&self, state: &mut State, ratio: f64) {
        let _ = (state, ratio);
    }
}
