//! The `carom` command as a library: the binary calls it, and so does the Python package. Words in, words out; everything it
//! does is in the crates below.
#![allow(clippy::print_stdout, clippy::print_stderr)] // this is where words come out

mod animate;
pub mod answers;
mod args;
mod check;
mod colour;
mod completions;
mod convergence;
mod digest;
mod docs;
mod doctor;
mod failure;
mod figure;
mod folder;
mod gallery;
mod html;
mod interrupt;
mod list;
mod man;
mod model;
mod modes;
mod new;
mod picture;
mod plot;
mod progress;
mod report;
mod run;
mod solve;
mod spectrum;
mod statics;
mod study;
mod sweep;
mod table;

use args::{Cli, Command};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

pub use gallery::{FILES, GALLERY};

/// Runs the command with these words, the first of which is its own name, and answers its exit code. Ends the process where
/// the words ask for help, for the version, or are not understood.
pub fn run_command(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let outcome = match Cli::parse_from(words).command {
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::report(&args),
        Command::Plot(args) => plot::plot(&args),
        Command::Picture(args) => picture::picture(&args),
        Command::Animate(args) => animate::animate(&args),
        Command::Check(args) => check::check(&args),
        Command::List { what, json } => list::list(what, json),
        Command::Study(args) => study::study(&args),
        Command::Convergence(args) => convergence::convergence(&args),
        Command::Spectrum(args) => spectrum::spectrum(&args),
        Command::Modes(args) => modes::modes(&args),
        Command::Static(args) => statics::statics(&args),
        Command::Solve(args) => solve::solve(&args),
        Command::Docs(args) => docs::docs(&args),
        Command::Schema { space } => table::say(&carom::schema(space)),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::New(args) => new::new(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => man::man(&args),
        Command::Doctor(args) => doctor::doctor(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            colour::complain(failure.message());
            failure.code()
        }
    }
}
