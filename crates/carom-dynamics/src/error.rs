//! Why a run cannot begin, or a step cannot be made.
//!
//! An error keeps three things apart: what is wrong, what would be right, and whom it is about. Whoever shows it puts them where
//! they belong: in a sentence, in the margin of a model file, on the report page. Nobody reads one out of a sentence.

use crate::{SchemeError, System};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An error in words, with names in the place of indices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Complaint {
    /// When it went wrong (s), if it did on the way.
    pub t: Option<f64>,
    /// What is wrong.
    pub wrong: String,
    /// What would be right, if there is something particular to say.
    pub remedy: Option<String>,
    /// The velocity (`ball.vy`), contact or joint that it is about.
    pub subject: Option<String>,
}

impl Complaint {
    /// About nobody in particular, with no way out but the usual ones.
    pub fn new(wrong: impl Into<String>) -> Self {
        Self { wrong: wrong.into(), ..Self::default() }
    }

    /// The same with a way out.
    pub fn or(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same about somebody.
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(t) = self.t {
            write!(f, "at t = {t}: ")?;
        }
        write!(f, "{}", self.wrong)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

/// A sentence out of a file: the time stands first, the way out stays in it.
impl From<String> for Complaint {
    fn from(sentence: String) -> Self {
        let timed = sentence.strip_prefix("at t = ").and_then(|rest| rest.split_once(": "));
        match timed.and_then(|(t, wrong)| Some((t.parse().ok()?, wrong))) {
            Some((t, wrong)) => Self { t: Some(t), ..Self::new(wrong) },
            None => Self::new(sentence),
        }
    }
}

impl From<Complaint> for String {
    fn from(complaint: Complaint) -> Self {
        complaint.to_string()
    }
}

/// Why a step could not be made. The state is as it was before.
#[derive(Clone, Debug, PartialEq)]
pub enum StepError {
    /// Newton's iteration did not converge.
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
    TooStiff {
        /// Beginning of the step.
        t: f64,
        /// Index of the contact.
        contact: usize,
        /// The longest step that resolves it (s).
        most: f64,
    },
    /// A number is not finite.
    NotFinite {
        /// Beginning of the step.
        t: f64,
        /// Index of the velocity.
        velocity: usize,
    },
    /// A body turns too far for one step.
    TurnsTooFar {
        /// Beginning of the step.
        t: f64,
        /// Index of the first of its rates.
        velocity: usize,
    },
    /// The effective matrix is not positive definite.
    Singular {
        /// Beginning of the step.
        t: f64,
    },
    /// The projection onto the joints failed.
    Projection {
        /// Beginning of the step.
        t: f64,
        /// Largest |Φ| left.
        drift: f64,
    },
    /// Joints and contacts could not be closed in the positions.
    Positions {
        /// Beginning of the step.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Largest |Φ| or penetration left.
        error: f64,
    },
    /// A run ends with a joint as open as the mechanism is large.
    Open {
        /// Time.
        t: f64,
        /// Its name.
        joint: String,
        /// How far (m).
        drift: f64,
    },
    /// A joint that rubs with a bound that grows with its own reaction: no bound fits.
    JointBinds {
        /// Time.
        t: f64,
        /// Index of the joint that rubs.
        contact: usize,
    },
    /// Friction makes a contact press itself in: no accelerations, and no impact without collision either.
    Paradox {
        /// Time.
        t: f64,
        /// Index of the contact.
        contact: usize,
    },
    /// Contacts that slide in space share what presses them, and the motion depends on how.
    Undecided {
        /// Time.
        t: f64,
        /// Index of one of the contacts.
        contact: usize,
    },
    /// Events follow each other and time stands still.
    Endless {
        /// Time.
        t: f64,
        /// Events.
        events: usize,
    },
    /// A contact bounces lower and lower, and nothing lets it come to rest.
    Accumulation {
        /// Time.
        t: f64,
        /// Index of the contact.
        contact: usize,
    },
    /// A method for free motions meets a joint or a contact that stays closed.
    NotFree {
        /// Name of the method.
        method: &'static str,
        /// Methods that take them.
        remedy: &'static str,
    },
    /// Bodies in floating frames, in coordinates in which the system does not tell its momenta; told by [`Scheme::check`](crate::Scheme::check).
    NoMomenta {
        /// Name of the scheme.
        scheme: String,
    },
    /// The scheme is not made for a contact; told by [`Scheme::check`](crate::Scheme::check), before anything runs.
    NotFor {
        /// Name of the scheme.
        scheme: String,
        /// Index of the first such contact.
        contact: usize,
        /// What the scheme cannot do with it.
        reason: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
}

/// What the velocities and contacts of a system are called.
struct Names<'a>(Option<&'a dyn System>);

impl Names<'_> {
    fn velocity(&self, i: usize) -> String {
        self.0.map_or_else(
            || format!("velocity number {i}"),
            |system| system.structure().velocities[i].name.clone(),
        )
    }

    fn contact(&self, i: usize) -> String {
        let info = self.0.and_then(|system| system.structure().contacts.get(i));
        info.map_or_else(|| format!("contact number {i}"), |info| format!("contact {}", info.name))
    }
}

impl StepError {
    /// In words, with the names of the system.
    pub fn explain(&self, system: &dyn System) -> Complaint {
        Complaint { subject: self.subject(system), ..self.said(&Names(Some(system))) }
    }

    fn said(&self, names: &Names<'_>) -> Complaint {
        Complaint { t: self.t(), wrong: self.wrong(names), remedy: self.remedy(), subject: None }
    }

    /// When it happened; none for what is told before a run begins.
    fn t(&self) -> Option<f64> {
        match *self {
            StepError::Newton { t, .. }
            | StepError::Contact { t, .. }
            | StepError::TooStiff { t, .. }
            | StepError::NotFinite { t, .. }
            | StepError::TurnsTooFar { t, .. }
            | StepError::Singular { t }
            | StepError::Projection { t, .. }
            | StepError::Positions { t, .. }
            | StepError::Open { t, .. }
            | StepError::JointBinds { t, .. }
            | StepError::Paradox { t, .. }
            | StepError::Undecided { t, .. }
            | StepError::Endless { t, .. }
            | StepError::Accumulation { t, .. } => Some(t),
            StepError::NotFree { .. } | StepError::NoMomenta { .. } | StepError::NotFor { .. } => None,
        }
    }

    /// The velocity (`ball.vy`), contact or joint that it is about, if it is about one.
    fn subject(&self, system: &dyn System) -> Option<String> {
        match self {
            StepError::Newton { velocity, .. }
            | StepError::NotFinite { velocity, .. }
            | StepError::TurnsTooFar { velocity, .. } => {
                Some(system.structure().velocities[*velocity].name.clone())
            }
            StepError::Contact { contact, .. }
            | StepError::TooStiff { contact, .. }
            | StepError::JointBinds { contact, .. }
            | StepError::Paradox { contact, .. }
            | StepError::Undecided { contact, .. }
            | StepError::Accumulation { contact, .. }
            | StepError::NotFor { contact, .. } => {
                system.structure().contacts.get(*contact).map(|info| info.name.clone())
            }
            _ => None,
        }
    }

    fn wrong(&self, names: &Names<'_>) -> String {
        match self {
            StepError::Newton { iterations, change, velocity, .. } => format!(
                "Newton's iteration did not converge in {iterations} iterations (relative change {change:.1e}); {} moves \
                 the most",
                names.velocity(*velocity)
            ),
            StepError::Contact { contact, solver, residual, iterations, .. } => format!(
                "the contact problem was not solved (residual {residual:.1e} after {iterations} iterations of {solver}); {} \
                 is hit hardest",
                names.contact(*contact)
            ),
            StepError::TooStiff { contact, .. } => {
                format!("{} is too stiff for this step", names.contact(*contact))
            }
            StepError::NotFinite { velocity, .. } => {
                let first = names.velocity(*velocity);
                format!("the numbers leave the range of arithmetic, {first} first")
            }
            StepError::TurnsTooFar { velocity, .. } => {
                format!("a body turns by more than half a turn in one step ({})", names.velocity(*velocity))
            }
            StepError::Singular { .. } => {
                "the effective matrix is not positive definite; a mass is zero or negative, or the step is too large".into()
            }
            StepError::Projection { drift, .. } => {
                format!("the projection onto the joints did not converge (drift {drift:.1e})")
            }
            StepError::Positions { iterations, error, .. } => format!(
                "the positions did not come onto the joints and out of the contacts in {iterations} iterations (error \
                 {error:.1e}); joints may contradict each other, or the step is too large"
            ),
            StepError::Open { joint, drift, .. } => {
                format!("joint {joint} is open by {drift:.1e} m, as much as the mechanism is large")
            }
            StepError::JointBinds { contact, .. } => format!(
                "{} binds: its friction presses it together more than it can take",
                names.contact(*contact)
            ),
            StepError::Paradox { contact, .. } => format!(
                "no motion goes on from here: friction presses {} in while it slides (the paradox of Painlevé), and \
                 stopping it takes more than friction gives",
                names.contact(*contact)
            ),
            StepError::Undecided { contact, .. } => format!(
                "{} and its neighbours slide in different directions and carry more than they need to: the motion depends on how they \
                 share the load, which rigid bodies do not say",
                names.contact(*contact)
            ),
            StepError::Endless { events, .. } => {
                format!("{events} events followed each other without time going on")
            }
            StepError::Accumulation { contact, .. } => format!(
                "impacts accumulate: {} bounces lower than round-off, and `rest` = 0 lets nothing come to rest",
                names.contact(*contact)
            ),
            StepError::NotFree { method, .. } => {
                format!(
                    "method `{method}` moves what is free: it takes no joints and no contacts that stay closed"
                )
            }
            StepError::NoMomenta { scheme } => format!(
                "scheme `{scheme}` steps elastic bodies in floating frames in absolute coordinates only: added up in others, their \
                 accelerations make energy"
            ),
            StepError::NotFor { scheme, contact, reason, .. } => {
                format!("scheme `{scheme}` does not take {}: {reason}", names.contact(*contact))
            }
        }
    }

    /// What would be right, where there is something particular to say.
    fn remedy(&self) -> Option<String> {
        let text = match self {
            StepError::TooStiff { most, .. } => {
                return Some(format!(
                    "take a step of at most {most:.1e} s, a lower stiffness, or a larger penetration"
                ));
            }
            StepError::NotFree { remedy, .. } => return Some(format!("{remedy} do")),
            StepError::NotFinite { .. } | StepError::Open { .. } | StepError::TurnsTooFar { .. } => {
                "take a smaller step"
            }
            StepError::Undecided { .. } => "take `hybrid` or a time-stepping scheme, which choose one way",
            StepError::Paradox { .. } => "lower the friction, or take a time-stepping scheme",
            StepError::Endless { .. } => {
                "take `hybrid`, which steps over such crowds, or a time-stepping scheme"
            }
            StepError::Accumulation { .. } => {
                "leave `rest` at its default, or take `hybrid` or a time-stepping scheme"
            }
            StepError::NoMomenta { .. } => {
                "take `coordinates = \"absolute\"`, or a scheme such as `bathe` or `radau5`"
            }
            StepError::NotFor { remedy, .. } => remedy,
            StepError::Newton { .. }
            | StepError::Contact { .. }
            | StepError::Singular { .. }
            | StepError::Projection { .. }
            | StepError::Positions { .. }
            | StepError::JointBinds { .. } => return None,
        };
        Some(text.into())
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said(&Names(None)).fmt(f)
    }
}

impl std::error::Error for StepError {}

/// A setting of a run, as a model file calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The step.
    Step,
    /// The end time.
    End,
    /// The accuracy.
    Accuracy,
    /// The time between samples.
    Output,
}

impl Setting {
    /// Its key under `simulation`.
    pub fn key(self) -> &'static str {
        match self {
            Setting::Step => "step",
            Setting::End => "end",
            Setting::Accuracy => "accuracy",
            Setting::Output => "output",
        }
    }

    /// What it is called in a sentence, and its unit with a space before it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Setting::Step => ("the step", " s"),
            Setting::End => ("the simulated time", " s"),
            Setting::Accuracy => ("the accuracy", ""),
            Setting::Output => ("the output interval", " s"),
        }
    }
}

/// Why a run could not begin.
#[derive(Clone, Debug, PartialEq)]
pub enum StartError {
    /// A setting makes no sense.
    Setting {
        /// Which.
        what: Setting,
        /// What was given.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// The state does not fit the system.
    Size {
        /// Coordinates or velocities.
        what: &'static str,
        /// Given.
        got: usize,
        /// Needed.
        want: usize,
    },
    /// There is no such scheme.
    Scheme(SchemeError),
    /// The scheme cannot choose its steps.
    NoAccuracy {
        /// Name of the scheme.
        scheme: String,
        /// Why it cannot.
        reason: &'static str,
        /// A scheme that can.
        instead: &'static str,
    },
    /// The solver does not know the law of a contact.
    Solver {
        /// Name of the solver.
        solver: &'static str,
        /// Name of the contact.
        contact: String,
        /// Which laws it takes.
        takes: String,
    },
    /// The shortest step is longer than the longest.
    Limits {
        /// The shortest (s).
        least: f64,
        /// The longest (s).
        most: f64,
    },
    /// The scheme could not make its first step ready.
    Step(Complaint),
}

impl StartError {
    /// In words.
    pub fn complaint(&self) -> Complaint {
        match self {
            StartError::Setting { what, value, must } => {
                let (name, unit) = what.words();
                Complaint::new(format!("{name} is {value}{unit}")).or(format!("it must be {must}"))
            }
            StartError::Size { what, got, want } => {
                Complaint::new(format!("the initial state has {got} {what}, the system has {want}"))
            }
            StartError::Scheme(error) => error.complaint(),
            StartError::NoAccuracy { scheme, reason, instead } => {
                Complaint::new(format!("{scheme} {reason}"))
                    .or(format!("give a step instead of an accuracy, or take {instead}"))
            }
            StartError::Solver { solver, contact, takes } => {
                let wrong = format!(
                    "solver `{solver}` does not take contact `{contact}`: it takes {takes}, and this one resists rolling or drilling"
                );
                Complaint::new(wrong).or("take `solver = \"auto\"`, or leave `rolling` and `drilling` out")
            }
            StartError::Limits { least, most } => {
                Complaint::new(format!("the least step {least} s is longer than the longest {most} s"))
                    .or("parameter `least_step` must not exceed `most_step`")
            }
            StartError::Step(complaint) => complaint.clone(),
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for StartError {}
