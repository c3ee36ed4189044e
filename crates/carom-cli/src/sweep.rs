//! `carom sweep`: one model, many cases. The cases are the grid of all values of `--vary`, the last option the fastest; each is
//! a run of its own, so neither threads nor shards change a digit.

mod cases;
mod grid;
mod journal;
pub mod measure;
pub mod row;

use crate::args::{ModelArgs, SchemeArgs, number, positive};
use crate::failure::{self, Failure};
use crate::folder::{Folder, rescued, write_or_rescue};
use crate::gallery::Found;
use crate::progress::Bar;
use crate::run::quoted;
use crate::table::{ruled, say};
use crate::{gallery, interrupt, model};
use carom::{Effort, Formats, Stop, Topic};
use cases::Cases;
use clap::Args;
use grid::Axis;
use journal::Journal;
use measure::Measure;
use row::{Outcome, Row};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Rows that are printed; all of them are in the file.
const PRINTED: usize = 50;
/// Widest cell (characters).
const FOLD: usize = 48;

/// `carom sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Step size, in the unit of the model
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = positive)]
    pub step: Option<f64>,
    /// What to vary: KEY=a,b,c or KEY=from:to:count or KEY=from:to:count:log; several make a grid
    #[arg(long, value_name = "KEY=VALUES", required = true, allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// What to note of each run: CHANNEL:max, :min, :last, :mean or :rms; may be given several times
    #[arg(long, value_name = "CHANNEL:HOW", value_parser = measure::parse)]
    pub measure: Vec<Measure>,
    /// Folder for sweep.csv [default: MODEL.sweep, with the name of the model]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Only every n-th case, from the k-th on (k from 1 to n); rows go to sweep-k-of-n.csv
    #[arg(long, value_name = "K/N", value_parser = grid::shard)]
    pub shard: Option<(usize, usize)>,
    /// How many runs at a time [default: all cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Keep finished rows beside the table as they come, and go on from those that are there
    #[arg(long)]
    pub resume: bool,
    /// Keep the results of every run too, in DIR/case-0001 and so on
    #[arg(long)]
    pub keep: bool,
    /// Say nothing unless something is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// Runs the grid.
pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    let found = gallery::find(&args.model.model)?;
    let axes = args.vary.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>()?;
    grid::check_keys(&axes)?;
    let cases = Cases { found: &found, fixed: fixed(args), axes: &axes };
    let total = cases.count()?;
    let mine: Vec<usize> = match args.shard {
        Some((k, n)) => (k - 1..total).step_by(n).collect(),
        None => (0..total).collect(),
    };
    let jobs = args
        .jobs
        .map_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get), NonZeroUsize::get);
    let out = args.out.clone().unwrap_or_else(|| found.out.with_extension("sweep"));
    let folder = Folder::open(&out, "--out", Topic::Sweep)?;
    // all cases are read before the first one runs
    cases.check(&mine, jobs, &args.measure)?;

    let name = match args.shard {
        Some((k, n)) => format!("sweep-{k}-of-{n}.csv"),
        None => "sweep.csv".into(),
    };
    let journal = match args.resume {
        true => Some(Journal::open(&out.join(format!("{name}.rows")), &cases, &mine, &args.measure)?),
        false => None,
    };

    interrupt::listen();
    let (rows, cannot_write) = run_all(args, &cases, &mine, jobs, &out, journal.as_ref());
    let finished: Vec<&Row> = rows.iter().flatten().collect();
    let csv = row::csv(&axes, &args.measure, &finished);
    let write = |out: &Path| carom::write_bytes(&out.join(&name), csv.as_bytes());
    let (out, trouble) = write_or_rescue(&out, write)?;
    folder.keep();
    if let Some(why) = trouble {
        return Err(rescued(&why, &out));
    }
    let file = out.join(&name);
    if !args.quiet {
        say(&closing(&axes, &args.measure, &finished, &file))?;
    }
    let failed = finished.iter().filter(|row| row.reason.is_some()).count();
    if let Some(failure) = cannot_write {
        Err(failure)
    } else if finished.len() < mine.len() {
        let message = format!(
            "interrupted after {} of {} cases; their rows are in {}",
            finished.len(),
            mine.len(),
            file.display()
        );
        Err(Failure::Interrupted(message))
    } else if failed > 0 {
        let of = mine.len();
        Err(failure::wrong(format_args!("{failed} of {of} cases failed; {} says why", file.display())).run())
    } else {
        Ok(())
    }
}

/// What is the same in all cases.
fn fixed(args: &Sweep) -> Vec<(String, String)> {
    let mut changes = args.model.set.clone();
    changes.extend(args.scheme.changes());
    changes.extend(args.step.map(|h| ("simulation.step".to_string(), number(h))));
    changes
}

/// The rows in the order of the cases; none for a case that was not run to its end because somebody asked to stop, or
/// because results could not be written, and then why.
fn run_all(
    args: &Sweep,
    cases: &Cases<'_>,
    mine: &[usize],
    jobs: usize,
    out: &Path,
    journal: Option<&Journal>,
) -> (Vec<Option<Row>>, Option<Failure>) {
    let bar = Bar::new(args.quiet);
    let work = Work { done: AtomicUsize::new(0), parts: AtomicU64::new(0), of: mine.len() };
    let cannot_write = Mutex::new(None);
    let rows = each(jobs, mine, |index| {
        // what cannot be written now cannot be written later
        if interrupt::asked() || cannot_write.lock().expect("no thread panics while it holds this").is_some()
        {
            return None;
        }
        let mut told = 0;
        let row = match journal.and_then(|journal| journal.row(index)) {
            Some(row) => Ok(Some(row)),
            None => one(args, cases, index, out, &bar, &work, &mut told).and_then(|row| {
                if let Some((journal, row)) = journal.zip(row.as_ref()) {
                    journal.add(row)?;
                }
                Ok(row)
            }),
        };
        let n = work.done.fetch_add(1, Ordering::Relaxed) + 1;
        bar.part(work.tell(&mut told, 1.0), &format!("case {n} of {}", mine.len()));
        row.unwrap_or_else(|failure| {
            *cannot_write.lock().expect("no thread panics while it holds this") = Some(failure);
            None
        })
    });
    bar.clear();
    (rows, cannot_write.into_inner().expect("no thread panics while it holds this"))
}

/// How far all cases are together, those that run at the same time included.
struct Work {
    /// Cases that are over.
    done: AtomicUsize,
    /// In parts of a case.
    parts: AtomicU64,
    /// All cases.
    of: usize,
}

impl Work {
    /// Parts of a case.
    const PARTS: f64 = 1e6;

    /// Notes how far one case is, 0 to 1, and answers how far all of them are; `told` is what was noted of it before.
    fn tell(&self, told: &mut u64, part: f64) -> f64 {
        let more = ((Self::PARTS * part.clamp(0.0, 1.0)) as u64).saturating_sub(*told);
        *told += more;
        let parts = self.parts.fetch_add(more, Ordering::Relaxed) + more;
        parts as f64 / (Self::PARTS * self.of as f64)
    }
}

/// One case, start to end.
fn one(
    args: &Sweep,
    cases: &Cases<'_>,
    index: usize,
    out: &Path,
    bar: &Bar,
    work: &Work,
    told: &mut u64,
) -> Result<Option<Row>, Failure> {
    let changes = cases.changes(index);
    let values = cases.values(index);
    let row = |outcome| Row::new(index, values, outcome);
    let Ok(setup) = model::set_up(cases.found, &changes) else {
        return Ok(Some(row(Outcome::NotStarted("the model changed while the sweep ran".into()))));
    };
    // accuracy is the result's; without it, single runs
    let effort = if setup.settings().accuracy.is_some() { Effort::Usual } else { Effort::Nothing };
    let run = setup.run_estimated(setup.settings(), effort, None, |progress| {
        if !progress.purpose.is_empty() {
            // the case is as good as done
        } else if work.of == 1 {
            bar.show(progress, &setup.loaded().units);
        } else {
            let part = work.tell(told, progress.t / progress.end);
            bar.part_with(part, || format!("case {} of {}", work.done.load(Ordering::Relaxed) + 1, work.of));
        }
        !interrupt::asked()
    });
    let run = match run {
        Ok(run) => run,
        Err(error) => return Ok(Some(row(Outcome::NotStarted(error.to_string())))),
    };
    if run.summary.stop == Stop::Interrupted {
        return Ok(None);
    }
    if args.keep {
        let folder = out.join(format!("case-{:04}", index + 1));
        let command = command(cases.found, &changes);
        setup
            .write(&folder, &run, &command, &Formats::default())
            .map_err(|e| failure::wrong(e).help("choose another folder with --out").run())?;
    }
    let shown = setup.loaded().units.present(&run.recording);
    let measures = args.measure.iter().map(|m| m.of(&shown)).collect();
    Ok(Some(row(Outcome::Ran { summary: Box::new(run.summary), measures })))
}

/// The command that repeats a case.
fn command(found: &Found, changes: &[(String, String)]) -> String {
    let set: Vec<String> =
        changes.iter().map(|(k, v)| format!(" --set {}", quoted(&format!("{k}={v}")))).collect();
    format!("carom run {}{}", quoted(&found.name), set.concat())
}

/// `work` on every entry by `jobs` threads; the answers are in the order of the entries.
fn each<T: Send>(jobs: usize, entries: &[usize], work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<T>>> = Mutex::new(entries.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(entries.len()) {
            scope.spawn(|| {
                while let Some((i, &entry)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    entries.get(i).map(|entry| (i, entry))
                } {
                    let answer = work(entry);
                    answers.lock().expect("no thread panics while it holds this")[i] = Some(answer);
                }
            });
        }
    });
    let answers = answers.into_inner().expect("no thread panics while it holds this");
    answers.into_iter().map(|answer| answer.expect("every entry was worked on")).collect()
}

/// The table, and what it comes down to.
fn closing(axes: &[Axis], measures: &[Measure], rows: &[&Row], file: &Path) -> String {
    let mut cells = vec![row::short_head(axes, measures)];
    cells.extend(rows.iter().take(PRINTED).map(|row| row.short_cells()));
    let mut text = ruled(&cells, FOLD, " | ");
    if rows.len() > PRINTED {
        text.push_str(&format!("... and {} more\n", rows.len() - PRINTED));
    }
    text.push('\n');
    let failed = rows.iter().filter(|row| row.reason.is_some()).count();
    text.push_str(&match failed {
        0 => format!("{} cases, all to the end\n", rows.len()),
        n => format!("{} cases, {n} failed\n", rows.len()),
    });
    for (m, measure) in measures.iter().enumerate() {
        text.push_str(&row::span(axes, rows, m, &measure.to_string()));
    }
    text.push_str(&format!("All rows are in {}\n", file.display()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_that_run_at_the_same_time_count_together() {
        let work = Work { done: AtomicUsize::new(0), parts: AtomicU64::new(0), of: 4 };
        let (mut a, mut b) = (0, 0);
        assert_eq!(work.tell(&mut a, 0.5), 0.125);
        assert_eq!(work.tell(&mut b, 0.5), 0.25);
        assert_eq!(work.tell(&mut a, 0.5), 0.25, "what was told is not told again");
        assert_eq!(work.tell(&mut b, f64::NAN), 0.25);
        assert_eq!(work.tell(&mut a, 1.0), 0.375);
    }
}
