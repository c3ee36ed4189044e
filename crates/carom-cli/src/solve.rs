//! `carom solve`: stored contact problems through the solvers, and problems to store.
#![allow(non_snake_case)]

mod open;

use crate::args::positive;
use crate::colour::complain;
use crate::failure::{self, Failure};
use crate::progress::Bar;
use crate::table::{say, say_json, table};
use carom::fclib::{self, StoredAnswer};
use carom::solve::files::{self, FileProblem, Storage};
use carom::solve::generate::{GENERATORS, KEPT, generator, kept};
use carom::solve::{
    ContactProblem, Diagnosis, Limits, LocalForm, SolveStatus, StoredProblem, loading, natural_map_error,
    residual, solve_by_both,
};
use carom::{SOLVERS, Topic, suggest};
use clap::{Args, ValueEnum};
use open::Opened;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Rows up to which a generated problem of mixed laws is written, as JSON with a dense matrix: 32 MB of numbers.
const JSON_ROWS: usize = 2000;
/// All solvers.
const ALL: &str = "all";
/// Widest cell (characters).
const FOLD: usize = 60;

/// `carom solve`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 all solved; 1 some problem was not solved by some solver that was asked; 2 some file is no problem (the \
                  others are solved all the same)."
)]
pub struct Solve {
    /// Problems: .dat as Siconos writes them (friction local or global, complementarity, mixed), HDF5 as FCLIB does, or JSON
    /// as Carom does
    #[arg(required_unless_present = "generate")]
    pub files: Vec<PathBuf>,
    /// Which solver, or `all`; may be given several times (`carom list solvers`)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub solver: Vec<String>,
    /// Residual at which an answer is accepted
    #[arg(long, value_name = "R", default_value_t = 1e-8, value_parser = positive)]
    pub tol: f64,
    /// Longest time for each solver and problem (s)
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive)]
    pub time: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Give P with each answer in the JSON
    #[arg(long, requires = "json")]
    pub answers: bool,
    /// Make a problem instead: a kind and a number of contacts, such as `spheres:500`, or the name of a kept problem alone;
    /// solved unless written with --out
    #[arg(long, value_name = "NAME[:SIZE]")]
    pub generate: Vec<String>,
    /// Where to write what was generated, or what was read: FILE.dat, FILE.hdf5 (FCLIB), or FILE.json
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How to write the matrix in FILE.dat; in FILE.hdf5, `global` or not
    #[arg(long, value_enum, default_value_t = Form::Blocks)]
    pub storage: Form,
}

/// How a problem is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Form {
    /// Ŵ with all its entries
    Dense,
    /// Ŵ by blocks of contacts
    Blocks,
    /// Ŵ entry by entry
    Sparse,
    /// M and H, before velocities are eliminated; only for what has them
    Global,
}

/// What came out for a problem.
#[derive(Debug, Serialize)]
struct Outcome {
    file: String,
    contacts: usize,
    rows: usize,
    /// Numbers of Ŵ that are stored, or of what it is made of where it is not formed.
    entries: usize,
    rank: Option<usize>,
    hyperstatic: Option<bool>,
    frictionless: bool,
    warnings: Vec<String>,
    /// Answers that the file brought.
    stored: Vec<Stored>,
    answers: Vec<Answer>,
}

/// How good an answer from the file is.
#[derive(Debug, Serialize)]
struct Stored {
    name: String,
    residual: Option<f64>,
    natural_map_error: Option<f64>,
}

/// What a solver made of it.
#[derive(Debug, Serialize)]
struct Answer {
    solver: &'static str,
    /// Who answered, where a solver asks others.
    by: &'static str,
    status: SolveStatus,
    residual: Option<f64>,
    natural_map_error: Option<f64>,
    iterations: usize,
    fallbacks: usize,
    seconds: f64,
    /// Largest impulse against what the free velocity asks for.
    loading: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    P: Option<Vec<f64>>,
}

/// What came of a problem, solved or not.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Line {
    Looked(Outcome),
    Unreadable { file: String, error: String },
}

/// Where a problem comes from.
enum Source<'a> {
    File(&'a Path),
    Generated(&'a str),
}

impl Source<'_> {
    fn name(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Generated(wanted) => (*wanted).into(),
        }
    }

    fn open(&self) -> Result<Opened, Failure> {
        match self {
            Self::File(file) => open::open(file),
            Self::Generated(wanted) => generated(wanted).map(Opened::from),
        }
    }
}

/// Solves, or writes.
pub fn solve(args: &Solve) -> Result<(), Failure> {
    let names = solvers(&args.solver)?;
    let files = args.files.iter().map(|file| Source::File(file));
    let sources: Vec<Source<'_>> = files.chain(args.generate.iter().map(|g| Source::Generated(g))).collect();
    if let Some(out) = &args.out {
        let [source] = &sources[..] else {
            return Err(Failure::input(
                format!("{} problems cannot go into one file", sources.len()),
                "give one problem with --out",
                Topic::Solve,
            ));
        };
        return write(out, &source.name(), &source.open()?, args.storage);
    }
    let bar = Bar::new(false);
    let mut lines = Vec::new();
    for (k, source) in sources.iter().enumerate() {
        let file = source.name();
        let part = |done: f64| (k as f64 + done) / sources.len() as f64;
        bar.part(part(0.0), &file);
        let tell = |done: f64, solver: &str| bar.part(part(done), &format!("{file}, {solver}"));
        let looked = source.open().and_then(|mut problem| {
            let stored = std::mem::take(&mut problem.answers);
            run(&file, problem.local(&file)?, &stored, &names, args, tell)
        });
        let line = match looked {
            // alone, a bad file is the whole answer; among others it is told and they go on
            Err(failure) if sources.len() == 1 => {
                bar.clear();
                return Err(failure);
            }
            Err(failure) => {
                bar.aside(|| complain(failure.message()));
                Line::Unreadable { file, error: failure.message().into() }
            }
            Ok(outcome) => {
                if !args.json {
                    bar.aside(|| say(&text(&outcome)))?;
                }
                Line::Looked(outcome)
            }
        };
        lines.push(line);
    }
    bar.clear();
    if args.json {
        say_json(&lines)?;
    }
    conclude(&lines, args.tol)
}

/// Exit code and last words: bad files count more than problems that were not solved.
fn conclude(lines: &[Line], tolerance: f64) -> Result<(), Failure> {
    let (mut unreadable, mut unsolved) = (Vec::new(), Vec::new());
    for line in lines {
        match line {
            Line::Unreadable { file, .. } => unreadable.push(file.clone()),
            Line::Looked(o) => {
                let somebody = o.answers.iter().any(|a| a.status == SolveStatus::Converged);
                let failed = o.answers.iter().filter(|a| !a.solved(somebody));
                unsolved.extend(failed.map(|a| format!("{} by {}", o.file, a.solver)));
            }
        }
    }
    let listed = |list: &[String]| match list {
        [one] => one.clone(),
        many => format!("{} and {} more", many[0], many.len() - 1),
    };
    if !unreadable.is_empty() {
        return Err(failure::wrong(format_args!("no problems: {}", listed(&unreadable))).input());
    }
    if !unsolved.is_empty() {
        return Err(failure::wrong(format_args!("not solved to {tolerance:e}: {}", listed(&unsolved))).run());
    }
    Ok(())
}

/// The names that were asked for, each once.
fn solvers(asked: &[String]) -> Result<Vec<&'static str>, Failure> {
    let mut names = Vec::new();
    for name in asked {
        let found: Vec<&'static str> =
            SOLVERS.iter().map(|s| s.name).filter(|known| name == ALL || name == known).collect();
        if found.is_empty() {
            let known: Vec<&str> = SOLVERS.iter().map(|s| s.name).chain([ALL]).collect();
            let help = suggest::choices(name, "solvers", &known);
            return Err(Failure::input(format!("there is no solver `{name}`"), help, Topic::Solve));
        }
        names.extend(found);
    }
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    Ok(names)
}

/// NAME:SIZE, or the name of a kept problem.
fn generated(wanted: &str) -> Result<FileProblem, Failure> {
    let names: Vec<&str> = GENERATORS.iter().map(|g| g.name).collect();
    let wrong = |what: String, right: String| Failure::input(what, right, Topic::Solve);
    if let Some(kept) = kept(wanted) {
        return Ok(FileProblem::Local(StoredProblem::from(&kept.problem())));
    }
    let Some((name, size)) = wanted.split_once(':') else {
        let kept: Vec<&str> = KEPT.iter().map(|kept| kept.name).collect();
        let right = format!(
            "NAME:SIZE, such as spheres:500; {}; or a kept problem, which has none; {}",
            suggest::choices(wanted, "names", &names),
            suggest::choices(wanted, "kept", &kept)
        );
        return Err(wrong(format!("`{wanted}` has no size"), right));
    };
    let Some(kind) = generator(name) else {
        let right = suggest::choices(name, "names", &names);
        return Err(wrong(format!("there is no kind of problem `{name}`"), right));
    };
    match size.parse::<usize>() {
        Ok(contacts) if (1..=kind.most).contains(&contacts) => {
            Ok(FileProblem::Global(kind.problem(contacts)))
        }
        _ => {
            Err(wrong(format!("`{size}` is no number of contacts"), format!("1 to {} for {name}", kind.most)))
        }
    }
}

/// Writes one problem.
fn write(out: &Path, name: &str, problem: &Opened, form: Form) -> Result<(), Failure> {
    let no_layout =
        |what: String| Failure::input(what, "JSON holds every problem: --out FILE.json", Topic::Solve);
    let ends = |ending: &[&str]| {
        out.extension().is_some_and(|e| ending.iter().any(|ending| e.eq_ignore_ascii_case(ending)))
    };
    let no_global = || {
        let what = format!("{name} has no global form: velocities are eliminated already");
        Failure::input(what, "--storage dense, blocks or sparse", Topic::Solve)
    };
    let bytes = if ends(&["hdf5", "h5"]) {
        let written = match (form, &problem.problem) {
            (Form::Global, FileProblem::Local(_)) => return Err(no_global()),
            (Form::Global, global) => fclib::write(global),
            _ => fclib::write(&FileProblem::Local(problem.formed(name)?.into_owned())),
        };
        written.map_err(|e| no_layout(e.to_string()))?
    } else if ends(&["json"]) {
        if problem.rows() > JSON_ROWS {
            let what = format!("{} rows are too many for JSON, which holds dense matrices", problem.rows());
            return Err(Failure::input(what, format!("at most {JSON_ROWS} rows, or FILE.dat"), Topic::Solve));
        }
        let local = problem.formed(name)?;
        (serde_json::to_string(&local.dense()).expect("plain data with text keys") + "\n").into_bytes()
    } else {
        let text = match (form, &problem.problem) {
            (Form::Global, FileProblem::Global(global)) => files::write_global(global),
            (Form::Global, FileProblem::Local(_)) => return Err(no_global()),
            _ => {
                let storage = match form {
                    Form::Dense => Storage::Dense,
                    Form::Blocks | Form::Global => Storage::Blocks,
                    Form::Sparse => Storage::Sparse,
                };
                let local = problem.formed(name)?;
                files::write_local(&local, storage)
            }
        };
        text.map_err(|e| no_layout(e.to_string()))?.into_bytes()
    };
    carom::write_bytes(out, &bytes).map_err(|e| failure::wrong(e).run())?;
    say(&format!("{}\n", out.display()))
}

/// Every solver on one problem, each from zero.
fn run(
    file: &str,
    local: LocalForm,
    stored: &[StoredAnswer],
    names: &[&'static str],
    args: &Solve,
    tell: impl Fn(f64, &str),
) -> Result<Outcome, Failure> {
    let (nature, entries) = match &local {
        LocalForm::Formed(problem) => (Diagnosis::of(problem), problem.W_hat.entries()),
        LocalForm::Bodies(problem) => (Diagnosis::over_bodies(problem), problem.W_hat.entries()),
    };
    let form = local.for_solvers();
    let problem = form.as_problem();
    let rows = problem.U_free.len();
    if let Some(size) = beyond_squares(&problem) {
        let what = format!("{file}: numbers of the size of {size:.0e}, whose squares are lost");
        return Err(Failure::input(what, "other units: between 1e-140 and 1e140", Topic::Solve));
    }
    let answers = answers(&problem, names, args, tell);
    let mut warnings = warnings(&nature);
    warnings.extend(answers.iter().filter_map(pressed));
    let judged = |answer: &StoredAnswer| {
        let finite = |x: f64| x.is_finite().then_some(x);
        Stored {
            name: answer.name.clone(),
            residual: finite(residual(&problem, &answer.P)),
            natural_map_error: finite(natural_map_error(&problem, &answer.P)),
        }
    };
    Ok(Outcome {
        file: file.into(),
        contacts: problem.laws.len(),
        rows,
        entries,
        rank: nature.rank,
        hyperstatic: nature.hyperstatic(rows),
        frictionless: nature.frictionless,
        warnings,
        stored: stored.iter().map(judged).collect(),
        answers,
    })
}

/// The largest free velocity or diagonal entry, if its square is no number to reckon with.
fn beyond_squares(problem: &ContactProblem<'_>) -> Option<f64> {
    const LARGEST: f64 = 1e140;
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, |a: f64, b| a.max(b.abs()));
    let free = largest(&mut problem.U_free.iter().copied());
    let diagonal = largest(&mut (0..problem.U_free.len()).map(|i| problem.W_hat.entry(i, i)));
    [free, diagonal].into_iter().find(|size| *size > LARGEST || (*size > 0.0 && *size < 1.0 / LARGEST))
}

/// Impulses against the free velocity from which on they are told.
const PRESSED: f64 = 1e3;

fn pressed(answer: &Answer) -> Option<String> {
    let converged = answer.status == SolveStatus::Converged;
    let loading = answer.loading.filter(|loading| converged && *loading > PRESSED)?;
    Some(format!(
        "impulses by {} are {loading:.0e} times what the free velocity asks for, as in tall stacks, between contacts that jam, or \
         where there is no answer; relative to it velocities may be off by {PRESSED:.0e} times the tolerance",
        answer.solver,
    ))
}

fn answers(
    problem: &ContactProblem<'_>,
    names: &[&'static str],
    args: &Solve,
    tell: impl Fn(f64, &str),
) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (k, name) in names.iter().enumerate() {
        tell(k as f64 / names.len() as f64, name);
        let mut solver = carom::solver(name).expect("the names come from the registry");
        let mut P = vec![0.0; problem.U_free.len()];
        let start = Instant::now();
        let limits = Limits { tolerance: args.tol, seconds: args.time };
        let both = solve_by_both(&mut *solver, problem, limits, &mut P);
        let (report, seconds) = (both.report, start.elapsed().as_secs_f64());
        let finite = |x: f64| x.is_finite().then_some(x);
        answers.push(Answer {
            solver: name,
            by: report.solver,
            status: report.status,
            residual: finite(report.residual),
            natural_map_error: finite(both.natural_map_error),
            iterations: report.iterations,
            fallbacks: report.fallbacks,
            seconds,
            loading: finite(loading(problem, &P)),
            P: args.answers.then_some(P),
        });
    }
    answers
}

impl Answer {
    /// A solver that says the problem is not of its kind has not failed, if somebody else solved it.
    fn solved(&self, by_somebody: bool) -> bool {
        match self.status {
            SolveStatus::Converged => true,
            SolveStatus::Unsupported => by_somebody,
            _ => false,
        }
    }
}

/// Rounding leaves less than this between Ŵ and its transpose.
const ASYMMETRY: f64 = 1e-10;

fn warnings(nature: &Diagnosis) -> Vec<String> {
    let mut warnings = Vec::new();
    if nature.asymmetry > ASYMMETRY {
        warnings
            .push(format!("the matrix is not symmetric, by {:.1e} of its largest entry", nature.asymmetry));
    }
    if nature.indefinite {
        warnings.push(
            "the matrix is not positive semidefinite: there may be no answer, and solvers may fail".into(),
        );
    }
    if nature.impossible.is_some() {
        warnings
            .push("there is no answer: contacts or joints ask for velocities that exclude each other".into());
    }
    warnings
}

/// The table of one problem.
fn text(outcome: &Outcome) -> String {
    let Outcome { file, contacts, rows, .. } = outcome;
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut about = vec![plural(*contacts, "contact"), plural(*rows, "row")];
    if outcome.frictionless {
        about.push("no friction".into());
    }
    if let (Some(true), Some(rank)) = (outcome.hyperstatic, outcome.rank) {
        about.push(format!("hyperstatic, rank {rank}"));
    }
    let mut text = format!("{file}: {}\n", about.join(", "));
    for warning in &outcome.warnings {
        text.push_str(&format!("warning: {warning}\n"));
    }
    let head = ["solver", "status", "residual", "Siconos error", "iterations", "time (s)", "answered by"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let number = |x: Option<f64>| x.map_or_else(|| "not finite".into(), |x| format!("{x:.1e}"));
    for s in &outcome.stored {
        let none = String::new;
        let (residual, error) = (number(s.residual), number(s.natural_map_error));
        cells.push(vec![s.name.clone(), "in the file".into(), residual, error, none(), none(), none()]);
    }
    for a in &outcome.answers {
        let status = serde_json::to_value(a.status).expect("a word");
        cells.push(vec![
            a.solver.into(),
            status.as_str().expect("a word").into(),
            number(a.residual),
            number(a.natural_map_error),
            a.iterations.to_string(),
            format!("{:.4}", a.seconds),
            answered_by(a),
        ]);
    }
    text + &table(&cells, FOLD) + "\n"
}

fn answered_by(answer: &Answer) -> String {
    match (answer.by == answer.solver, answer.fallbacks) {
        (true, _) => String::new(),
        (false, 0) => answer.by.into(),
        (false, before) => format!("{}, {before} before it gave up", answer.by),
    }
}
