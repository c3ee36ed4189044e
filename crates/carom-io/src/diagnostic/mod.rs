//! What is wrong with a file, where, what would be right, and where the book says more. Plain text: who prints it may add
//! colour, line by line.

mod excerpt;
mod topic;

pub use topic::Topic;

use annotate_snippets::{Level, Origin, Renderer};
use excerpt::Excerpt;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// Of a line with more cells than this only the surroundings of the piece are shown.
const WIDEST: usize = 120;

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

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing can be run.
    Error,
    /// It can be run, and is hardly what is meant.
    Warning,
    /// It is run as it stands; good to know before.
    Note,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// File, or `--set` for a value from the command line.
    pub file: String,
    /// Line from 1; 0 if the file could not be read at all.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
    /// The text that is meant, its first line.
    pub text: String,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Box<str>,
    /// Where the book explains it.
    pub docs: Topic,
    // boxed, as results are passed around that hold one of these
    #[serde(skip)]
    excerpt: Box<Excerpt>,
}

impl Diagnostic {
    /// Something wrong with a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, help: impl Into<String>, docs: Topic) -> Self {
        Self::new(file, Excerpt::default(), message, help, docs)
    }

    /// Something wrong with bytes `range` of a text.
    pub fn of_text(
        file: &str,
        text: &str,
        range: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
        docs: Topic,
    ) -> Self {
        Self::new(file, Excerpt::new(text, range), message, help, docs)
    }

    /// A change from the command line whose key nothing answers to.
    pub fn of_change(
        key: &str,
        value: &str,
        message: impl Into<String>,
        help: impl Into<String>,
        docs: Topic,
    ) -> Self {
        Self::of_text("--set", &format!("{key}={value}"), &(0..key.len()), message, help, docs)
    }

    pub(crate) fn at(
        sources: &[Source],
        place: &Place,
        message: impl Into<String>,
        help: impl Into<String>,
        docs: Topic,
    ) -> Self {
        let source = &sources[place.source];
        Self::of_text(&source.name, &source.text, &place.range, message, help, docs)
    }

    fn new(
        file: &str,
        excerpt: Excerpt,
        message: impl Into<String>,
        help: impl Into<String>,
        docs: Topic,
    ) -> Self {
        let (message, help) = (message.into(), help.into().into_boxed_str());
        debug_assert!(!help.is_empty(), "a message says what would be right: {message}");
        Self {
            severity: Severity::Error,
            file: file.into(),
            line: excerpt.line,
            column: excerpt.column,
            text: excerpt.text().into(),
            message,
            help,
            docs,
            excerpt: Box::new(excerpt),
        }
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The same as a note.
    #[must_use]
    pub fn as_note(mut self) -> Self {
        self.severity = Severity::Note;
        self
    }

    /// The lines that are shown.
    pub fn excerpt(&self) -> &str {
        &self.excerpt.lines
    }

    /// In one line, for where there is no room: `FILE:LINE: what is wrong; what would be right`.
    pub fn in_a_line(&self) -> String {
        let line = if self.line > 0 { format!("{}:", self.line) } else { String::new() };
        format!("{}:{line} {}; {}", self.file, self.message, self.help)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(&self.message);
        let shown = match self.line {
            0 => title.element(Origin::path(&self.file)),
            _ => title.element(self.excerpt.snippet(&self.file)),
        };
        let whole = shown
            .element(Level::HELP.message(&*self.help))
            .element(Level::NOTE.with_name("docs").message(self.docs.to_string()));
        writeln!(f, "{}", Renderer::plain().term_width(WIDEST).render(&[whole]))
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
        if let [one] = self.list.as_slice() {
            return write!(f, "{one}");
        }
        for diagnostic in &self.list {
            writeln!(f, "{diagnostic}")?;
        }
        let count = |severity| self.list.iter().filter(|d| d.severity == severity).count();
        let counts = [
            (count(Severity::Error), "error"),
            (count(Severity::Warning), "warning"),
            (count(Severity::Note), "note"),
        ];
        let said: Vec<String> = counts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}{}", if *n > 1 { "s" } else { "" }))
            .collect();
        writeln!(f, "{}", said.join(", "))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a piece of a text wrong.
    fn wrong(text: &str, piece: &str) -> Diagnostic {
        let start = text.find(piece).expect("it is there");
        let sources = [Source { name: "a.toml".into(), text: text.into() }];
        let place = Place { source: 0, range: start..start + piece.len() };
        Diagnostic::at(&sources, &place, "mass is negative", "a positive mass", Topic::Bodies)
    }

    #[test]
    fn the_place_is_underlined() {
        let one = wrong("title = \"Kräfte\"\nmass = -1.0 # é\n", "-1.0");
        let expected = "error: mass is negative\n --> a.toml:2:8\n  |\n2 | mass = -1.0 # é\n  |        ^^^^\n  |\n  \
                        = help: a positive mass\n  = docs: carom docs model-file#bodies\n";
        assert_eq!(one.to_string(), expected);
        let two = Diagnostics { list: vec![one.clone(), one.as_warning()] }.to_string();
        assert!(two.ends_with("\n1 error, 1 warning\n") && two.contains("warning: mass"), "{two}");
    }

    /// Cells of a terminal before the first of these letters.
    fn cells_before(line: &str, piece: &str) -> usize {
        let wide = |c: char| usize::from(('\u{4e00}'..='\u{9fff}').contains(&c));
        line[..line.find(piece).expect("it is shown")].chars().map(|c| 1 + wide(c)).sum()
    }

    #[test]
    fn the_underline_is_under_the_piece_whatever_stands_before_it() {
        let long = format!("a = [{} bad, {}]", "1.0, ".repeat(60), "2.0, ".repeat(60));
        let wide = format!("名前 = \"{}\" # {} bad", "球".repeat(20), "質".repeat(80));
        for text in ["mass = bad", "\tmass\t= bad", "名前 = bad", "é = bad # x", &long, &wide] {
            let one = wrong(text, "bad");
            assert_eq!((one.text.as_str(), one.line), ("bad", 1));
            let said = one.to_string();
            assert!(
                said.contains(&format!("a.toml:1:{}\n", one.column)),
                "one place, once as numbers: {said}"
            );
            let lines: Vec<&str> = said.lines().collect();
            assert_eq!(cells_before(lines[3], "bad"), cells_before(lines[4], "^^^"), "{said}");
            assert!(!lines[4].contains("^^^^") && lines[3].chars().count() <= WIDEST + 4, "{said}");
        }
        assert_eq!(wrong("名前 = bad", "bad").column, 6, "columns are counted in characters");
    }
}
