//! A run that cannot begin, or that fails: the line of the model file that it comes down to.

use crate::setup::path_of_scheme;
use crate::{Done, Setup, StartError, Stop};
use carom_io::Diagnostic;

/// The way out where the failure does not name one itself.
const SMALLER_STEP: &str = "take a smaller step, or another scheme";
/// The same where a run cannot begin.
const POSSIBLE: &str = "see there what is possible";

impl Setup {
    /// Why the run cannot begin, at the line that asks for the impossible.
    pub fn diagnose_start(&self, error: &StartError) -> Diagnostic {
        let said = error.complaint();
        let path = match error {
            StartError::Setting { what, .. } => simulation(what.key()),
            StartError::Size { .. } => simulation("coordinates"),
            StartError::NoAccuracy { .. } => simulation("accuracy"),
            StartError::Solver { .. } => simulation("solver"),
            StartError::Limits { .. } => self.path_of_limits(),
            StartError::Scheme(error) => path_of_scheme(error).into_iter().map(String::from).collect(),
            StartError::Step(complaint) => match &complaint.subject {
                Some(subject) => self.path_of(subject),
                None => simulation("scheme"),
            },
        };
        self.loaded().diagnose(&path, said.wrong, said.remedy.as_deref().unwrap_or(POSSIBLE))
    }

    /// Why a run failed, at the line of the body, joint or contact where it did; none if it did not fail.
    pub fn diagnose_failure(&self, done: &Done) -> Option<Diagnostic> {
        let Stop::Failed(said) = &done.summary.stop else { return None };
        let audit = &done.summary.audit;
        let worst = [&audit.drift_length, &audit.drift_angle, &audit.penetration];
        let worst = worst.iter().find(|w| w.value > 0.0).map(|w| w.subject.as_str());
        let path = match said.subject.as_deref().or(worst) {
            Some(subject) => self.path_of(subject),
            None => simulation("step"),
        };
        let when = said.t.map_or(String::new(), |t| format!("at t = {t}: "));
        let message = format!("the simulation failed {when}{}", said.wrong);
        Some(self.loaded().diagnose(&path, message, said.remedy.as_deref().unwrap_or(SMALLER_STEP)))
    }

    /// Keys of the limit of steps that the file gives; the scheme, whose own limit it is, if it gives none.
    fn path_of_limits(&self) -> Vec<String> {
        let given = &self.loaded().description.simulation().parameters;
        match ["least_step", "most_step"].iter().find(|name| given.contains_key(**name)) {
            Some(name) => ["simulation", "parameters", name].map(String::from).to_vec(),
            None => simulation("scheme"),
        }
    }

    /// Keys of the thing that a channel, a velocity or a row belongs to: `guide.2` is one of the contacts of `joints.guide`.
    fn path_of(&self, subject: &str) -> Vec<String> {
        let d = &self.loaded().description;
        let sections = [("contacts", d.contacts()), ("joints", d.joints()), ("bodies", d.bodies())];
        // names have no dots: what stands before the first one is the thing
        let name = subject.split('.').next().unwrap_or(subject);
        let section = sections.iter().find(|(_, keys)| keys.contains(&name));
        match section {
            Some((section, _)) => vec![(*section).to_string(), name.to_string()],
            None => simulation("scheme"),
        }
    }
}

fn simulation(key: &str) -> Vec<String> {
    ["simulation", key].map(String::from).to_vec()
}
