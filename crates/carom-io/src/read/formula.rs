//! Formulas in a model file: `"=l1/2"` where a number stands, and functions of `t` with the parameters put in.

use crate::diagnostic::{Diagnostic, Place, Source, Topic};
use carom_model::expression::{Formula, FormulaError};
use carom_model::suggest;
use indexmap::IndexMap;

/// Named numbers.
pub(crate) type Parameters = IndexMap<String, f64>;

/// Text of a formula in a source, without its `=`.
pub(crate) struct Written<'a> {
    pub text: &'a str,
    /// The whole text with its quotes.
    pub place: &'a Place,
    /// Characters before the formula inside the text: `=` and spaces.
    pub skipped: usize,
}

impl<'a> Written<'a> {
    /// Takes the `=` off.
    pub fn new(text: &'a str, place: &'a Place) -> Self {
        let inner = text.trim_start();
        let inner = inner.strip_prefix('=').unwrap_or(inner);
        Self { text: inner, place, skipped: text.chars().count() - inner.chars().count() }
    }

    /// Place of a column of the formula; the whole text if quotes and escapes make that uncertain.
    pub fn column(&self, sources: &[Source], column: usize, width: usize) -> Place {
        let Place { source, range } = self.place.clone();
        let raw = &sources[source].text[range.clone()];
        let opening = usize::from(raw.starts_with(['"', '\'']));
        if raw.contains('\\') || raw.starts_with("\"\"\"") || raw.starts_with("'''") {
            return self.place.clone();
        }
        let before: usize = raw.chars().take(opening + self.skipped + column - 1).map(char::len_utf8).sum();
        let start = (range.start + before).min(range.end.saturating_sub(1));
        Place { source, range: start..(start + width).min(range.end) }
    }

    /// Column (from 1) of a word that may have dots and dashes.
    pub fn find(&self, word: &str) -> Option<usize> {
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let whole =
            |at: &usize| !self.text[..*at].ends_with(part) && !self.text[at + word.len()..].starts_with(part);
        let at = self.text.match_indices(word).map(|(at, _)| at).find(whole)?;
        Some(self.text[..at].chars().count() + 1)
    }

    fn parse(&self, sources: &[Source]) -> Result<Formula, Diagnostic> {
        Formula::parse(self.text).map_err(|e| self.wrong(sources, &e))
    }

    fn wrong(&self, sources: &[Source], error: &FormulaError) -> Diagnostic {
        let place = self.column(sources, error.column, 1);
        Diagnostic::at(
            sources,
            &place,
            format!("in the formula: {}", error.message),
            format!("expected {}", error.expected),
            Topic::Parameters,
        )
    }

    /// Names that are no parameter, `pi` or `e`.
    fn unknown(&self, formula: &Formula, parameters: &[&str], sources: &[Source]) -> Option<Diagnostic> {
        let name = formula.names().find(|n| !parameters.contains(n) && !["pi", "e"].contains(n))?;
        let at = word_column(self.text, name);
        let place = self.column(sources, at, name.len());
        let help = suggest::choices(name, "parameters", parameters);
        let message = format!("unknown name `{name}` in the formula");
        Some(Diagnostic::at(sources, &place, message, help, Topic::Parameters))
    }

    /// Names of parameters the formula needs.
    pub fn needs(&self, parameters: &[&str], sources: &[Source]) -> Result<Vec<String>, Diagnostic> {
        let formula = self.parse(sources)?;
        if let Some(diagnostic) = self.unknown(&formula, parameters, sources) {
            return Err(diagnostic);
        }
        Ok(formula.names().filter(|n| parameters.contains(n)).map(str::to_string).collect())
    }

    /// Its value; a formula of `t` or a value that is no number is an error.
    pub fn evaluate(&self, parameters: &Parameters, sources: &[Source]) -> Result<f64, Diagnostic> {
        let formula = self.parse(sources)?;
        let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
        if let Some(diagnostic) = self.unknown(&formula, &names, sources) {
            return Err(diagnostic);
        }
        if !formula.is_constant() {
            let place = self.column(sources, word_column(self.text, "t"), 1);
            let help = "a formula of the parameters; only motions, forces and torques are functions of `t`";
            let message = "this number cannot depend on `t`";
            return Err(Diagnostic::at(sources, &place, message, help, Topic::Parameters));
        }
        let value = formula.evaluate(&|n| parameters.get(n).copied()).map_err(|e| self.wrong(sources, &e))?;
        if value.is_finite() {
            Ok(value)
        } else {
            let message = format!("the formula gives {value}, which is not a finite number");
            let help = "check for division by zero, roots and logarithms of negative numbers";
            Err(Diagnostic::at(sources, self.place, message, help, Topic::Parameters))
        }
    }

    /// A formula that may name quantities of the motion: the model will read it. One of parameters alone is a number.
    pub fn of_motion(&self, parameters: &Parameters, sources: &[Source]) -> Result<InTime, Diagnostic> {
        let fixed = |name: &str| {
            (parameters.contains_key(name) || ["pi", "e"].contains(&name)) && !OF_FORCES.contains(&name)
        };
        match Formula::parse(self.text) {
            Ok(formula) if formula.is_constant() && formula.names().all(fixed) => {
                self.evaluate(parameters, sources).map(InTime::Constant)
            }
            _ => Ok(InTime::Formula(self.text.trim().to_string())),
        }
    }

    /// The formula with numbers in place of the parameters, a formula of `t` alone.
    pub fn in_time(&self, parameters: &Parameters, sources: &[Source]) -> Result<InTime, Diagnostic> {
        let formula = self.parse(sources)?;
        let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
        if let Some(diagnostic) = self.unknown(&formula, &names, sources) {
            return Err(diagnostic);
        }
        if formula.is_constant() {
            return self.evaluate(parameters, sources).map(InTime::Constant);
        }
        Ok(InTime::Formula(substitute(self.text.trim(), &|name| {
            parameters.get(name).map(|x| format!("({x:?})"))
        })))
    }
}

/// Words that a force has of its own, before any parameter.
const OF_FORCES: [&str; 5] = ["length", "stretch", "angle", "position", "rate"];

/// A number or a formula, of `t` or of the motion.
pub(crate) enum InTime {
    Constant(f64),
    Formula(String),
}

/// Replaces names (not functions, not exponents of numbers).
pub(crate) fn substitute(text: &str, replacement: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    for (start, word, is_name) in words(text) {
        let called = text[start + word.len()..].trim_start().starts_with('(');
        match replacement(word).filter(|_| is_name && !called) {
            Some(new) => out.push_str(&new),
            None => out.push_str(word),
        }
    }
    out
}

/// Names in a text, which may be a formula.
pub(crate) fn names(text: &str) -> impl Iterator<Item = String> {
    words(text).filter(|(_, _, is_name)| *is_name).map(|(_, word, _)| word.to_string())
}

/// Column (from 1) of the first use of a name.
fn word_column(text: &str, name: &str) -> usize {
    let found = words(text).find(|(_, word, is_name)| *is_name && *word == name);
    found.map_or(1, |(start, _, _)| text[..start].chars().count() + 1)
}

/// Splits a formula into names, numbers and single other characters: (start, text, whether it is a name).
fn words(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let run = |p: &dyn Fn(char) -> bool| rest.find(|c| !p(c)).unwrap_or(rest.len());
        let is_name = first.is_alphabetic() || first == '_';
        let len = if is_name {
            run(&|c| c.is_alphanumeric() || c == '_')
        } else if first.is_ascii_digit() || first == '.' {
            let digits = run(&|c| c.is_ascii_digit() || c == '.' || c == '_');
            // The exponent belongs to the number if digits follow it.
            let power = rest[digits..].strip_prefix(['e', 'E']).unwrap_or("");
            let sign = usize::from(power.starts_with(['+', '-']));
            let figures = &power[sign..];
            let count = figures.find(|c: char| !c.is_ascii_digit()).unwrap_or(figures.len());
            if count > 0 { digits + 1 + sign + count } else { digits }
        } else {
            first.len_utf8()
        };
        let start = at;
        at += len;
        Some((start, &rest[..len], is_name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_and_nothing_else() {
        let replace = |name: &str| match name {
            "e" => Some("(2.5)".into()),
            "a" => Some("(-1.0)".into()),
            "sin" => Some("wrong".into()),
            _ => None,
        };
        assert_eq!(
            substitute("a*sin (e*t)+1e3-2.e-4*ab + e", &replace),
            "(-1.0)*sin ((2.5)*t)+1e3-2.e-4*ab + (2.5)"
        );
        // a number that a letter of more than one byte follows, as in a reference to a part of a body
        assert_eq!(substitute("2к + 1.é + 3eм + a", &replace), "2к + 1.é + 3eм + (-1.0)");
    }
}
