//! Why there is no such scheme, or not with these parameters.

use super::{PROJECTED, Value};
use crate::{Complaint, Formulation};
use std::fmt;

/// Why a scheme could not be made.
#[derive(Clone, Debug, PartialEq)]
pub enum SchemeError {
    /// No such name.
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No such parameter.
    UnknownParameter {
        /// The scheme.
        scheme: String,
        /// What was asked for.
        parameter: String,
        /// What there is.
        known: String,
    },
    /// No such form of the equations.
    UnknownFormulation {
        /// What was asked for.
        name: String,
    },
    /// Not a form that this scheme takes.
    Formulation {
        /// The scheme.
        scheme: String,
        /// What was asked for.
        asked: Formulation,
        /// What it takes.
        known: String,
        /// Schemes that take what was asked for.
        others: String,
    },
    /// A scheme with a form of its own.
    NoFormulation {
        /// The scheme.
        scheme: String,
        /// What was asked for.
        asked: Formulation,
    },
    /// A scheme that projects by itself, or holds positions, has no `-projected`.
    ProjectsItself {
        /// The scheme.
        scheme: &'static str,
    },
    /// Half of a pair.
    Together {
        /// The scheme.
        scheme: &'static str,
        /// What is given.
        given: &'static str,
        /// What is not.
        missing: &'static str,
    },
    /// Parameters that let vibrations grow at some step.
    Unstable {
        /// The scheme.
        scheme: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// Its value, given or derived.
        value: f64,
        /// The admissible range, in words.
        range: String,
    },
    /// Not a whole number where one is counted or switched.
    Whole {
        /// The scheme.
        scheme: String,
        /// The parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// Smallest admissible value.
        least: f64,
        /// Largest admissible value.
        most: f64,
    },
    /// Two parameters that say the same thing.
    Twice {
        /// The scheme.
        scheme: String,
        /// One of them.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// Outside its range.
    Range {
        /// The scheme.
        scheme: String,
        /// The parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// Smallest admissible value.
        least: f64,
        /// Largest admissible value.
        most: f64,
    },
    /// Not the kind of value that a parameter takes.
    Value {
        /// The scheme.
        scheme: String,
        /// The parameter.
        parameter: &'static str,
        /// What was given.
        value: Value,
        /// What it takes, in words.
        takes: String,
    },
}

impl SchemeError {
    /// The parameter that it is about, if it is about one.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            SchemeError::UnknownParameter { parameter, .. } => Some(parameter),
            SchemeError::Range { parameter, .. }
            | SchemeError::Whole { parameter, .. }
            | SchemeError::Value { parameter, .. }
            | SchemeError::Unstable { parameter, .. }
            | SchemeError::Twice { second: parameter, .. }
            | SchemeError::Together { given: parameter, .. } => Some(parameter),
            _ => None,
        }
    }

    /// In words.
    pub fn complaint(&self) -> Complaint {
        let is = |parameter: &str, scheme: &str, value: f64| {
            Complaint::new(format!("parameter `{parameter}` of scheme `{scheme}` is {value}"))
        };
        match self {
            SchemeError::Unknown { name, known } => Complaint::new(format!("there is no scheme `{name}`")).or(format!(
                "the schemes are {known}, each also with `-projected` appended, and `auto` in a model"
            )),
            SchemeError::UnknownParameter { scheme, parameter, known } => {
                Complaint::new(format!("scheme `{scheme}` has no parameter `{parameter}`")).or(known)
            }
            SchemeError::UnknownFormulation { name } => {
                Complaint::new(format!("there is no form `{name}` of the equations")).or(
                    "the forms are index-3, index-2, index-1, null-space, partitioned and pseudo-inverse",
                )
            }
            SchemeError::Formulation { scheme, asked, known, others } => {
                Complaint::new(format!("scheme `{scheme}` does not take the form `{asked}` of the equations"))
                    .or(format!("it takes {known}, and {asked} is for {others}"))
            }
            SchemeError::NoFormulation { scheme, asked } => {
                Complaint::new(format!("scheme `{scheme}` has a form of its own and does not take `{asked}`")).or(
                    "the event-driven schemes do, such as radau5 (index-3, index-2, index-1) and dopri5 (index-1, null-space, \
                     partitioned, pseudo-inverse)",
                )
            }
            SchemeError::ProjectsItself { scheme } => Complaint::new(format!(
                "scheme `{scheme}` keeps its joints closed by itself, step by step between events"
            ))
            .or(format!("leave out `{PROJECTED}`, and see its parameter `projection`")),
            SchemeError::Together { scheme, given, missing } => Complaint::new(format!(
                "parameter `{given}` of scheme `{scheme}` is given without `{missing}`"
            ))
            .or("give both, or `rho`"),
            SchemeError::Unstable { scheme, parameter, value, range } => is(parameter, scheme, *value)
                .or(format!("it must be {range}, or vibrations grow that the step does not resolve")),
            SchemeError::Whole { scheme, parameter, value, least, most } => is(parameter, scheme, *value)
                .or(format!("it must be a whole number between {least} and {most}")),
            SchemeError::Value { scheme, parameter, value, takes } => {
                Complaint::new(format!("parameter `{parameter}` of scheme `{scheme}` is {value}"))
                    .or(format!("it takes {takes}"))
            }
            SchemeError::Twice { scheme, first, second } => Complaint::new(format!(
                "parameters `{first}` and `{second}` of scheme `{scheme}` say the same thing in two ways"
            ))
            .or("leave one of them out"),
            SchemeError::Range { scheme, parameter, value, least, most } => {
                is(parameter, scheme, *value).or(format!("it must lie between {least} and {most}"))
            }
        }
    }
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for SchemeError {}
