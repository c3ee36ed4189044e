//! The `carom` command: words in, words out. Everything it does is in the library.
#![allow(clippy::print_stdout, clippy::print_stderr)] // this is where words come out

mod args;
mod check;
mod convergence;
mod failure;
mod gallery;
mod interrupt;
mod list;
mod model;
mod modes;
mod progress;
mod report;
mod run;
mod spectrum;
mod study;
mod table;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::report(&args),
        Command::Check(args) => check::check(&args),
        Command::List { what, json } => list::list(what, json),
        Command::Study(args) => study::study(&args),
        Command::Convergence(args) => convergence::convergence(&args),
        Command::Spectrum(args) => spectrum::spectrum(&args),
        Command::Modes(args) => modes::modes(&args),
        Command::Schema => table::say(&carom::schema()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}", failure.message().trim_end());
            failure.code()
        }
    }
}
