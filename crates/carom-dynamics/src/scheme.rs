//! A scheme advances a state by one step.

use crate::own_steps::{OwnSteps, Phase};
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

/// Advances a state. Parameters sit in the struct, formulas in `step`; loops over time, files, factorisations and
/// contact solvers are not its business.
pub trait Scheme: Debug + Send {
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
