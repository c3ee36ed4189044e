//! What is wrong with a file, where, and what would be right. Rendered by hand: forty lines, no colour, no dependency.

use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// A text that values come from: the model file, or one override from the command line.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// File name, or the option that carried the text.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// A piece of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Number of the source.
    pub source: usize,
    /// Bytes.
    pub range: Range<usize>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// File, or `--set` for a value from the command line.
    pub file: String,
    /// Line from 1; 0 if the file could not be read at all.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
    /// The line itself.
    #[serde(skip)]
    excerpt: String,
    /// How many characters of it are meant.
    #[serde(skip)]
    width: usize,
}

impl Diagnostic {
    /// Something wrong with a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: 0,
            column: 0,
            message: message.into(),
            help: help.into(),
            excerpt: String::new(),
            width: 0,
        }
    }

    /// A change from the command line whose key nothing answers to.
    pub fn of_change(key: &str, value: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        let sources = [Source { name: "--set".into(), text: format!("{key}={value}") }];
        Self::at(&sources, &Place { source: 0, range: 0..key.len() }, message, help)
    }

    pub(crate) fn at(
        sources: &[Source],
        place: &Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let source = &sources[place.source];
        let text = source.text.as_str();
        let start = floor_boundary(text, place.range.start);
        let end = floor_boundary(text, place.range.end.max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let excerpt = text[line_start..line_end].trim_end_matches('\r').replace('\t', " ");
        Self {
            file: source.name.clone(),
            line: text[..start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            message: message.into(),
            help: help.into(),
            excerpt,
            width: text[start..end.min(line_end).max(start)].trim_end().chars().count().max(1),
        }
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.message)?;
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        if self.line > 0 {
            writeln!(f, "{gutter}--> {}:{}:{}", self.file, self.line, self.column)?;
            writeln!(f, "{gutter} |")?;
            writeln!(f, "{number} | {}", self.excerpt)?;
            writeln!(f, "{gutter} | {}{}", " ".repeat(self.column - 1), "^".repeat(self.width))?;
        } else {
            writeln!(f, "{gutter}--> {}", self.file)?;
        }
        if !self.help.is_empty() {
            writeln!(f, "{gutter} = help: {}", self.help)?;
        }
        Ok(())
    }
}

/// Everything that is wrong, in the order of the file as far as it could be read. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Diagnostics {
    /// The list.
    pub list: Vec<Diagnostic>,
}

impl From<Diagnostic> for Diagnostics {
    fn from(one: Diagnostic) -> Self {
        Self { list: vec![one] }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_underlined() {
        let text = "title = \"Kräfte\"\nmass = -1.0 # é\n".to_string();
        let start = text.find("-1.0").unwrap();
        let sources = [Source { name: "a.toml".into(), text }];
        let place = Place { source: 0, range: start..start + 4 };
        let shown = Diagnostic::at(&sources, &place, "mass is negative", "a positive mass").to_string();
        let expected = "error: mass is negative\n --> a.toml:2:8\n  |\n2 | mass = -1.0 # é\n  |        ^^^^\n  = help: a positive mass\n";
        assert_eq!(shown, expected);
    }
}
