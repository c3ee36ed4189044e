//! Parameters of schemes: what can be chosen, what somebody gave, and the checked values that a scheme reads.
//!
//! A scheme declares its [`Parameter`]s beside its formulas and reads them back by the same names:
//!
//! ```text
//!   const THETA: Parameter = Parameter::number("theta", "1/2 trapezoidal rule, 1 implicit Euler", 0.5, 0.0..=1.0);
//!   values.number(&THETA)
//! ```

use super::SchemeError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// A parameter of a scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name, as in `--set simulation.parameters.theta=1`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// SI unit of its values; empty for a plain number.
    pub unit: &'static str,
    /// The parameter whose value is the power of a metre that the unit is divided by beside.
    pub exponent: Option<&'static Parameter>,
    /// What values it takes.
    pub kind: ParameterKind,
}

/// What values a parameter takes, and which one if it is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A number.
    Number {
        /// If left out.
        default: f64,
        /// Smallest admissible value.
        least: f64,
        /// Largest admissible value.
        most: f64,
    },
    /// A number that follows from other parameters if it is left out.
    Derived {
        /// Smallest admissible value.
        least: f64,
        /// Largest admissible value.
        most: f64,
    },
    /// A whole number.
    Whole {
        /// If left out.
        default: u32,
        /// Smallest admissible value.
        least: u32,
        /// Largest admissible value.
        most: u32,
    },
    /// On or off: `true` or `false`, or 1 or 0.
    Switch {
        /// If left out.
        default: bool,
    },
    /// One of some names, or its place among them, counted from 0. The first is taken if it is left out.
    Choice {
        /// The names.
        names: &'static [&'static str],
    },
}

impl ParameterKind {
    /// Name of the kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number { .. } => "number",
            Self::Derived { .. } => "derived",
            Self::Whole { .. } => "whole",
            Self::Switch { .. } => "switch",
            Self::Choice { .. } => "choice",
        }
    }
}

impl Parameter {
    const fn of(name: &'static str, meaning: &'static str, kind: ParameterKind) -> Self {
        Self { name, meaning, unit: "", exponent: None, kind }
    }

    /// With values in an SI unit.
    pub const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Its unit divided by a metre to the power of the value of another parameter.
    pub const fn per_length_to(self, exponent: &'static Self) -> Self {
        Self { exponent: Some(exponent), ..self }
    }

    /// Its unit as people write it.
    pub fn unit_in_words(&self) -> String {
        match self.exponent {
            Some(exponent) => format!("{}/m^{}", self.unit, exponent.name),
            None => self.unit.into(),
        }
    }

    /// A number in a range.
    pub const fn number(
        name: &'static str,
        meaning: &'static str,
        default: f64,
        range: RangeInclusive<f64>,
    ) -> Self {
        let kind = ParameterKind::Number { default, least: *range.start(), most: *range.end() };
        Self::of(name, meaning, kind)
    }

    /// A number in a range that follows from other parameters if it is left out.
    pub const fn derived(name: &'static str, meaning: &'static str, range: RangeInclusive<f64>) -> Self {
        let kind = ParameterKind::Derived { least: *range.start(), most: *range.end() };
        Self::of(name, meaning, kind)
    }

    /// A whole number in a range.
    pub const fn whole(
        name: &'static str,
        meaning: &'static str,
        default: u32,
        range: RangeInclusive<u32>,
    ) -> Self {
        let kind = ParameterKind::Whole { default, least: *range.start(), most: *range.end() };
        Self::of(name, meaning, kind)
    }

    /// On or off.
    pub const fn switch(name: &'static str, meaning: &'static str, default: bool) -> Self {
        Self::of(name, meaning, ParameterKind::Switch { default })
    }

    /// One of some names, the first unless told otherwise.
    pub const fn choice(name: &'static str, meaning: &'static str, names: &'static [&'static str]) -> Self {
        Self::of(name, meaning, ParameterKind::Choice { names })
    }

    /// Its value if it is left out, as a number; none if it then follows from others.
    pub fn default(&self) -> Option<f64> {
        match self.kind {
            ParameterKind::Number { default, .. } => Some(default),
            ParameterKind::Derived { .. } => None,
            ParameterKind::Whole { default, .. } => Some(f64::from(default)),
            ParameterKind::Switch { default } => Some(f64::from(u8::from(default))),
            ParameterKind::Choice { .. } => Some(0.0),
        }
    }

    /// The range of its values, as numbers.
    pub fn range(&self) -> RangeInclusive<f64> {
        match self.kind {
            ParameterKind::Number { least, most, .. } | ParameterKind::Derived { least, most } => {
                least..=most
            }
            ParameterKind::Whole { least, most, .. } => f64::from(least)..=f64::from(most),
            ParameterKind::Switch { .. } => 0.0..=1.0,
            ParameterKind::Choice { names } => 0.0..=names.len().saturating_sub(1) as f64,
        }
    }

    /// What is given, as the number that stands for it.
    fn read(&self, scheme: &str, given: &Value) -> Result<f64, SchemeError> {
        use ParameterKind::{Choice, Derived, Number, Switch, Whole};
        let wrong = || SchemeError::Value {
            scheme: scheme.into(),
            parameter: self.name,
            value: given.clone(),
            takes: self.takes(),
        };
        let value = match (given, self.kind) {
            (Value::Number(value), _) => *value,
            (Value::Switch(on), Switch { .. }) => f64::from(u8::from(*on)),
            (Value::Name(name), Choice { names }) => {
                names.iter().position(|known| known == name).ok_or_else(wrong)? as f64
            }
            (Value::Switch(_) | Value::Name(_), _) => return Err(wrong()),
        };
        let (range, scheme, parameter) = (self.range(), scheme.into(), self.name);
        let (least, most) = (*range.start(), *range.end());
        if !range.contains(&value) {
            return Err(SchemeError::Range { scheme, parameter, value, least, most });
        }
        match self.kind {
            Whole { .. } | Switch { .. } | Choice { .. } if value.fract() != 0.0 => {
                Err(SchemeError::Whole { scheme, parameter, value, least, most })
            }
            Number { .. } | Derived { .. } | Whole { .. } | Switch { .. } | Choice { .. } => Ok(value),
        }
    }

    /// What it takes, in words.
    fn takes(&self) -> String {
        match self.kind {
            ParameterKind::Number { .. } | ParameterKind::Derived { .. } => "a number".into(),
            ParameterKind::Whole { .. } => "a whole number".into(),
            ParameterKind::Switch { .. } => "true or false".into(),
            ParameterKind::Choice { names } => format!("one of {}", names.join(", ")),
        }
    }
}

/// A value that somebody gave for a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Switch(bool),
    /// A number; for a switch 0 or 1.
    Number(f64),
    /// A name among several.
    Name(String),
}

impl Value {
    /// The number that stands for it; none for a name.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Switch(on) => Some(f64::from(u8::from(*on))),
            Self::Number(value) => Some(*value),
            Self::Name(_) => None,
        }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(on) => write!(f, "{on}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Name(name) => write!(f, "{name}"),
        }
    }
}

/// The values of all parameters of a scheme, given or left out, inside their ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Each with its value; none where it follows from others.
    each: Vec<(&'static str, Option<f64>)>,
}

impl Values {
    /// Checks what is given for the parameters of a scheme, and takes defaults for the rest. `asked` is how messages call it.
    pub(crate) fn new(
        scheme: &'static str,
        asked: &str,
        parameters: &[Parameter],
        given: &[(&str, Value)],
    ) -> Result<Self, SchemeError> {
        if let Some((name, _)) = given.iter().find(|(name, _)| !parameters.iter().any(|p| p.name == *name)) {
            let known = match parameters {
                [] => "it has none".to_string(),
                some => format!("it has {}", some.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")),
            };
            return Err(SchemeError::UnknownParameter {
                scheme: asked.into(),
                parameter: (*name).into(),
                known,
            });
        }
        let each = parameters
            .iter()
            .map(|p| {
                let value = match given.iter().find(|(name, _)| *name == p.name) {
                    Some((_, value)) => Some(p.read(asked, value)?),
                    None => p.default(),
                };
                Ok((p.name, value))
            })
            .collect::<Result<_, SchemeError>>()?;
        Ok(Self { scheme, each })
    }

    /// A number.
    pub fn number(&self, parameter: &Parameter) -> f64 {
        self.derived(parameter).expect("only derived parameters have no default")
    }

    /// A number, unless it is to follow from others.
    pub fn derived(&self, parameter: &Parameter) -> Option<f64> {
        let own = self.each.iter().find(|(name, _)| *name == parameter.name);
        own.expect("a scheme reads the parameters that it declares").1
    }

    /// A whole number.
    pub fn whole(&self, parameter: &Parameter) -> usize {
        self.number(parameter) as usize
    }

    /// Whether a switch is on.
    pub fn switch(&self, parameter: &Parameter) -> bool {
        self.number(parameter) != 0.0
    }

    /// Which of the names was chosen, counted from 0.
    pub fn choice(&self, parameter: &Parameter) -> usize {
        self.whole(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Parameter; 5] = [
        Parameter::number("x", "", 0.5, 0.0..=1.0),
        Parameter::derived("y", "", -1.0..=1.0),
        Parameter::whole("n", "", 4, 1..=6),
        Parameter::switch("on", "", false),
        Parameter::choice("shape", "", &["round", "square"]),
    ];

    fn values(given: &[(&str, Value)]) -> Result<Values, String> {
        Values::new("s", "s", &ALL, given).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let [x, y, n, on, shape] = &ALL;
        let values = values(&[]).unwrap();
        assert_eq!((values.number(x), values.derived(y), values.whole(n)), (0.5, None, 4));
        assert_eq!((values.switch(on), values.choice(shape)), (false, 0));
    }

    #[test]
    fn switches_and_choices_take_words_and_numbers() {
        let [.., on, shape] = &ALL;
        for (yes, square) in
            [(Value::Switch(true), Value::Name("square".into())), (Value::Number(1.0), Value::Number(1.0))]
        {
            let values = values(&[("on", yes), ("shape", square)]).unwrap();
            assert_eq!((values.switch(on), values.choice(shape)), (true, 1));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_would() {
        for (name, value, said) in [
            ("x", Value::Number(2.0), "must lie between 0 and 1"),
            ("y", Value::Number(f64::NAN), "must lie between -1 and 1"),
            ("n", Value::Number(2.5), "must be a whole number between 1 and 6"),
            ("on", Value::Number(0.5), "must be a whole number between 0 and 1"),
            ("x", Value::Switch(true), "it takes a number"),
            ("on", Value::Name("yes".into()), "it takes true or false"),
            ("shape", Value::Name("flat".into()), "it takes one of round, square"),
            ("z", Value::Number(0.0), "it has x, y, n, on, shape"),
        ] {
            let error = values(&[(name, value)]).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
