//! A method in the frame of events, as people choose it.

use super::{Driven, FrameOptions};
use crate::methods::Method;
use crate::{
    ContactStage, ContactsTaken, Drift, Formulation, Reactions, Scheme, SchemeError, State, StepError,
    Stepper, System,
};

/// A method in the frame of events.
#[derive(Debug)]
pub struct EventDriven {
    method: Box<dyn Method>,
    options: FrameOptions,
}

impl EventDriven {
    /// Puts a method into the frame.
    pub fn new(method: Box<dyn Method>, options: FrameOptions) -> Self {
        Self { method, options }
    }

    /// The same, for the registry.
    pub(crate) fn boxed(method: impl Method + 'static, options: FrameOptions) -> Box<dyn Scheme> {
        Box::new(Self::new(Box::new(method), options))
    }

    /// What makes the steps.
    pub(super) fn driven(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Driven, StepError> {
        Driven::start(&*self.method, self.options, system, stage, state)
    }
}

impl Scheme for EventDriven {
    fn describe(&self) -> String {
        let drift = match self.options.drift {
            Drift::None => ", rows not projected".into(),
            Drift::Projection => String::new(),
            Drift::Baumgarte { rate } => format!(", Baumgarte with {rate} 1/s"),
        };
        format!("{}, event-driven{drift}", self.method.describe())
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken { in_space: self.method.takes_space(), ..ContactsTaken::default() }
    }

    fn owns_steps(&self) -> bool {
        true
    }

    fn reactions(&self) -> Reactions {
        Reactions::Forces
    }

    fn has_spectrum(&self) -> bool {
        self.method.is_one_step()
    }

    fn needs_resolved_impacts(&self, _: &dyn System) -> bool {
        self.method.needs_resolved_impacts()
    }

    fn formulations(&self) -> &'static [Formulation] {
        self.method.formulations()
    }

    fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SchemeError> {
        let known = self.method.formulations();
        if !known.contains(&formulation) {
            return Err(SchemeError::Formulation {
                scheme: self.method.describe(),
                asked: formulation,
                known: known.iter().map(|f| f.name()).collect::<Vec<_>>().join(", "),
                others: crate::schemes::schemes_for(formulation),
            });
        }
        self.method.set_formulation(formulation);
        Ok(())
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        self.method.check(system)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        Ok(Box::new(self.driven(system, stage, state)?))
    }
}
