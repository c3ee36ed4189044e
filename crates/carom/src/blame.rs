//! A run that cannot begin, or that fails: the line of the model file that it comes down to.

use crate::setup::split_remedy;
use crate::{Done, Setup, StartError, Stop};
use carom_io::Diagnostic;

/// The way out where the failure does not name one itself.
const SMALLER_STEP: &str = "take a smaller step, or another scheme";

impl Setup {
    /// Why the run cannot begin, at the line that asks for the impossible.
    pub fn diagnose_start(&self, error: &StartError) -> Diagnostic {
        let (message, help) = split_remedy(&error.to_string());
        let given = &self.loaded().description.simulation.parameters;
        let path = match error {
            StartError::Setting { what, .. } => simulation(match *what {
                "the step" => "step",
                "the accuracy" => "accuracy",
                "the output interval" => "output",
                _ => "end",
            }),
            StartError::Size { .. } => simulation("coordinates"),
            StartError::Step { subject: Some(subject), .. } => self.path_of(subject),
            StartError::Step { subject: None, .. } => simulation("scheme"),
            StartError::Scheme(said) => match given.keys().find(|name| said.contains(&format!("`{name}`"))) {
                Some(name) => ["simulation", "parameters", name].map(String::from).to_vec(),
                None if said.contains("accuracy") => simulation("accuracy"),
                None => simulation("scheme"),
            },
        };
        self.loaded().diagnose(&path, message, help)
    }

    /// Why a run failed, at the line of the body, joint or contact where it did; none if it did not fail.
    pub fn diagnose_failure(&self, done: &Done) -> Option<Diagnostic> {
        let Stop::Failed(why) = &done.summary.stop else { return None };
        let (message, help) = why.rsplit_once("; ").unwrap_or((why, SMALLER_STEP));
        // a sentence that ends with who moves most has no remedy of its own
        let (message, help) = if done.culprit.as_ref().is_some_and(|name| help.contains(name.as_str())) {
            (why.as_str(), SMALLER_STEP)
        } else {
            (message, help)
        };
        let audit = &done.summary.audit;
        let worst = [&audit.drift_length, &audit.drift_angle, &audit.penetration];
        let worst = worst.iter().find(|w| w.value > 0.0).map(|w| w.subject.as_str());
        let path = match done.culprit.as_deref().or(worst) {
            Some(subject) => self.path_of(subject),
            None => simulation("step"),
        };
        Some(self.loaded().diagnose(&path, format!("the simulation failed {message}"), help))
    }

    /// Keys of the thing that a channel, a velocity or a row belongs to: `guide.2` is one of the contacts of `joints.guide`.
    fn path_of(&self, subject: &str) -> Vec<String> {
        let d = &self.loaded().description;
        let sections = [
            ("contacts", d.contacts.keys().collect::<Vec<_>>()),
            ("joints", d.joints.keys().collect()),
            ("bodies", d.bodies.keys().collect()),
        ];
        // names have no dots: what stands before the first one is the thing
        let name = subject.split('.').next().unwrap_or(subject);
        let section = sections.iter().find(|(_, keys)| keys.iter().any(|k| *k == name));
        match section {
            Some((section, _)) => vec![(*section).to_string(), name.to_string()],
            None => simulation("scheme"),
        }
    }
}

fn simulation(key: &str) -> Vec<String> {
    ["simulation", key].map(String::from).to_vec()
}
