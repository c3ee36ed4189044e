//! `carom report`: the page of a run that is over, or of several to compare.

use crate::failure::{self, Failure};
use crate::table;
use carom::report::{PageRun, html, names, notes};
use carom::results::{self, ResultsError, Stored};
use clap::Args;
use std::path::{Path, PathBuf};

/// `carom report`.
#[derive(Debug, Args)]
pub struct Report {
    /// Result folders, as `carom run` writes them
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// File for the page [default: DIR/report.html, or comparison.html for several folders]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Reads result folders and writes their page.
pub fn report(args: &Report) -> Result<(), Failure> {
    let stored: Vec<Stored> =
        args.folders.iter().map(|folder| results::open(folder)).collect::<Result<_, ResultsError>>()?;
    let runs: Vec<PageRun<'_>> = stored.iter().map(Stored::page).collect();
    let file = match (&args.out, stored.as_slice()) {
        (Some(file), _) => file.clone(),
        (None, [one]) => one.folder.join("report.html"),
        (None, _) => Path::new("comparison.html").into(),
    };
    carom::write_bytes(&file, html(&runs).as_bytes())
        .map_err(|e| failure::wrong(e).help("choose another file with --out").run())?;
    table::say(&closing(&runs, &file))
}

/// What is wrong with the runs, and where to look.
fn closing(runs: &[PageRun<'_>], file: &Path) -> String {
    let mut text = String::new();
    for ((run, name), notes) in runs.iter().zip(names(runs)).zip(notes(runs)) {
        let folder = run.folder.as_deref().unwrap_or_default();
        if runs.len() > 1 {
            text.push_str(&format!("{folder}: {name}\n"));
        }
        for problem in run.problems.iter().chain(&notes) {
            text.push_str(&format!("  {problem}\n"));
        }
    }
    format!("{text}Open {}\n", file.display())
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Self {
        failure::wrong(error.message).help(error.help).input()
    }
}
