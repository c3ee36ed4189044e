//! How a command can end badly, and the exit code that says so.

use std::fmt::Display;
use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// Bad input or usage; nothing was written. Exit code 2.
    Input(String),
    /// The simulation failed, or its results could not be written. Exit code 1.
    Run(String),
    /// Ctrl-C. Exit code 130, as shells have it.
    Interrupted(String),
}

/// What is wrong, and in lines of their own what would be right, as the reader of a terminal sees it. The only place that knows
/// how such a message is written.
#[derive(Debug)]
pub struct Said(String);

/// What is wrong.
pub fn wrong(what: impl Display) -> Said {
    Said(format!("error: {what}"))
}

impl Said {
    /// What others have said already.
    pub fn of(text: String) -> Self {
        Self(text.trim_end().into())
    }

    fn line(mut self, word: &str, text: impl Display) -> Self {
        let end = if self.0.is_empty() { "" } else { "\n" };
        self.0 += &format!("{end}  = {word}: {text}");
        self
    }

    /// What would be right.
    pub fn help(self, right: impl Display) -> Self {
        self.line("help", right)
    }

    /// A name that may have been meant, if there is one.
    pub fn did_you_mean(self, name: Option<impl Display>) -> Self {
        match name {
            Some(name) => self.help(format_args!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// What else there is to know.
    pub fn note(self, what: impl Display) -> Self {
        self.line("note", what)
    }

    /// Where the book says more.
    pub fn docs(self, topic: carom::Topic) -> Self {
        self.line("docs", topic)
    }

    /// As bad input.
    pub fn input(self) -> Failure {
        Failure::Input(self.0)
    }

    /// As a run that failed, or results that could not be written.
    pub fn run(self) -> Failure {
        Failure::Run(self.0)
    }
}

impl Failure {
    /// Bad input: what is wrong, what would be right, and where the book says more.
    pub fn input(what: impl AsRef<str>, right: impl AsRef<str>, docs: carom::Topic) -> Self {
        wrong(what.as_ref()).help(right.as_ref()).docs(docs).input()
    }

    /// For the shell.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Run(_) => 1,
            Failure::Input(_) => 2,
            Failure::Interrupted(_) => 130,
        })
    }

    /// For people.
    pub fn message(&self) -> &str {
        match self {
            Failure::Input(m) | Failure::Run(m) | Failure::Interrupted(m) => m,
        }
    }
}

impl From<carom::Diagnostics> for Failure {
    fn from(diagnostics: carom::Diagnostics) -> Self {
        Failure::Input(diagnostics.to_string())
    }
}
