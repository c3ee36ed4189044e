//! How a command can end badly, and the exit code that says so.

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

impl Failure {
    /// Bad input: what is wrong, what would be right, and where the book says more.
    pub fn input(wrong: impl AsRef<str>, right: impl AsRef<str>, docs: carom::Topic) -> Self {
        let (wrong, right) = (wrong.as_ref(), right.as_ref());
        Failure::Input(format!("error: {wrong}\n  = help: {right}\n  = docs: {docs}"))
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
