//! `carom run --dump-problems`: contact problems of a run as files that `carom solve` reads.

use crate::args::Run;
use crate::failure::{self, Failure};
use carom::solve::files::{Storage, write_local};
use carom::solve::{SparseMatrix, StoredProblem};
use carom::{ProblemWatch, SeenProblem, Topic};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Files of a run, at most: a run of a million steps should not fill a disk.
pub const MOST: usize = 1000;

/// What was written, read when the run is over.
#[derive(Clone, Debug, Default)]
pub struct Dumped(Arc<Mutex<Tally>>);

#[derive(Debug, Default)]
struct Tally {
    /// Problems that were to be kept, of which some may be beyond [`MOST`] or not finite.
    met: usize,
    written: usize,
    /// The first thing that went wrong.
    trouble: Option<String>,
}

/// Keeps problems.
#[derive(Debug)]
struct Keeper {
    folder: PathBuf,
    all: bool,
    /// Step and number in it of the last problem kept.
    last: (usize, usize),
    tally: Dumped,
}

/// Who watches, and what it tells in the end.
type Keeping = (Box<dyn ProblemWatch>, Dumped);

/// Who keeps the problems, if the arguments ask for it, and what it will have written.
pub fn keeper(args: &Run) -> Result<Option<Keeping>, Failure> {
    let Some(folder) = args.dump_problems.clone() else { return Ok(None) };
    if folder.exists() && !folder.is_dir() {
        let wrong = format!("`{}` is a file, and problems need a folder", folder.display());
        return Err(Failure::input(wrong, "name another with --dump-problems", Topic::Run));
    }
    let tally = Dumped::default();
    let keeper = Keeper { folder, all: args.all_problems, last: (0, 0), tally: tally.clone() };
    Ok(Some((Box::new(keeper), tally)))
}

impl Dumped {
    /// What to say of it, or why files are missing.
    pub fn tell(&self, args: &Run) -> Result<String, Failure> {
        let tally = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trouble) = &tally.trouble {
            return Err(failure::wrong(trouble).help("choose another folder with --dump-problems").run());
        }
        let kind = if args.all_problems { "contact problems" } else { "hard contact problems" };
        let folder = args.dump_problems.clone().unwrap_or_default();
        Ok(match (tally.met, tally.written) {
            (0, _) => format!("No {kind}\n"),
            (met, written) if met > written => {
                format!("{written} of {met} {kind} are in {} (at most {MOST})\n", folder.display())
            }
            (_, written) => format!("{written} {kind} are in {}\n", folder.display()),
        })
    }
}

impl ProblemWatch for Keeper {
    fn see(&mut self, seen: &SeenProblem<'_>) {
        if !self.all && !seen.is_hard() {
            return;
        }
        let mut tally = self.tally.0.lock().unwrap_or_else(PoisonError::into_inner);
        tally.met += 1;
        if tally.written >= MOST || tally.trouble.is_some() {
            return;
        }
        // numbers that are not finite make no file that can be read
        let Some((text, ending)) = text(seen) else { return };
        let number = if self.last.0 == seen.step { self.last.1 + 1 } else { 1 };
        self.last = (seen.step, number);
        let name = format!("step-{:07}-t-{:.6e}-{number}.{ending}", seen.step, seen.t);
        match carom::write_bytes(&self.folder.join(name), text.as_bytes()) {
            Ok(()) => tally.written += 1,
            Err(e) => tally.trouble = Some(e.to_string()),
        }
    }
}

/// The problem as text and the ending of its name: `.dat` where that layout holds it, JSON where laws are mixed.
fn text(seen: &SeenProblem<'_>) -> Option<(String, &'static str)> {
    let problem = StoredProblem::<SparseMatrix>::from(&seen.problem);
    problem.check().ok()?;
    let storage = if seen.problem.W_hat.dense().is_some() { Storage::Dense } else { Storage::Blocks };
    Some(match write_local(&problem, storage) {
        Ok(text) => (text, "dat"),
        Err(_) => {
            (serde_json::to_string(&problem.dense()).expect("plain data with text keys") + "\n", "json")
        }
    })
}
