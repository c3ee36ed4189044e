//! `carom solve`: stored contact problems through the solvers, and problems to store.
#![allow(non_snake_case)]

mod open;

use crate::args::positive;
use crate::failure::Failure;
use crate::table::{say, say_json, table};
use carom::solve::files::{self, Storage};
use carom::solve::generate::{GENERATORS, generator};
use carom::solve::{
    ContactProblem, GlobalProblem, Limits, Nature, SolveReport, SolveStatus, SparseMatrix, StoredProblem,
    natural_map_error,
};
use carom::{SOLVERS, Topic, suggest};
use clap::{Args, ValueEnum};
use open::Opened;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Rows up to which a generated problem of mixed laws is written, as JSON with a dense matrix: 32 MB of numbers.
const JSON_ROWS: usize = 2000;
/// Rounds with a smaller tolerance where the answer is not yet good by the measure of Siconos, and what each aims at of it.
const TIGHTER: usize = 3;
const MARGIN: f64 = 0.5;
/// All solvers.
const ALL: &str = "all";
/// Widest cell (characters).
const FOLD: usize = 60;

/// `carom solve`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 all solved; 1 some problem was not solved by some solver that was asked; 2 bad input."
)]
pub struct Solve {
    /// Problems: .dat as Siconos writes them (friction local or global, complementarity, mixed), or JSON as Carom does
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
    /// Make a problem instead: a kind and a number of contacts, such as `spheres:500`; solved unless written with --out
    #[arg(long, value_name = "NAME:SIZE")]
    pub generate: Vec<String>,
    /// Where to write what was generated, or what was read: FILE.dat, or FILE.json
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How to write the matrix in FILE.dat
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
    /// Entries of Ŵ that are stored.
    entries: usize,
    rank: Option<usize>,
    hyperstatic: Option<bool>,
    frictionless: bool,
    warnings: Vec<String>,
    answers: Vec<Answer>,
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
}

/// Solves, or writes.
pub fn solve(args: &Solve) -> Result<(), Failure> {
    let names = solvers(&args.solver)?;
    let mut problems = Vec::new();
    for file in &args.files {
        problems.push((file.display().to_string(), open::open(file)?));
    }
    for wanted in &args.generate {
        problems.push((wanted.clone(), Opened::Global(generated(wanted)?)));
    }
    if let Some(out) = &args.out {
        let [(name, problem)] = &problems[..] else {
            return Err(Failure::input(
                format!("{} problems cannot go into one file", problems.len()),
                "give one problem with --out",
                Topic::Solve,
            ));
        };
        return write(out, name, problem, args.storage);
    }
    let mut outcomes = Vec::new();
    for (name, problem) in problems {
        let local = problem.local(&name)?;
        let outcome = run(name, &local, &names, args);
        if !args.json {
            say(&text(&outcome))?;
        }
        outcomes.push(outcome);
    }
    if args.json {
        say_json(&outcomes)?;
    }
    let unsolved: Vec<String> = outcomes
        .iter()
        .flat_map(|o| o.answers.iter().filter(|a| !a.solved()).map(|a| format!("{} by {}", o.file, a.solver)))
        .collect();
    match &unsolved[..] {
        [] => Ok(()),
        [one] => Err(Failure::Run(format!("error: not solved to {:e}: {one}", args.tol))),
        many => Err(Failure::Run(format!(
            "error: not solved to {:e}: {} and {} more",
            args.tol,
            many[0],
            many.len() - 1
        ))),
    }
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

/// NAME:SIZE.
fn generated(wanted: &str) -> Result<GlobalProblem, Failure> {
    let names: Vec<&str> = GENERATORS.iter().map(|g| g.name).collect();
    let wrong = |what: String, right: String| Failure::input(what, right, Topic::Solve);
    let Some((name, size)) = wanted.split_once(':') else {
        let right = format!("NAME:SIZE, such as spheres:500; {}", suggest::choices(wanted, "names", &names));
        return Err(wrong(format!("`{wanted}` has no size"), right));
    };
    let Some(kind) = generator(name) else {
        let right = suggest::choices(name, "names", &names);
        return Err(wrong(format!("there is no kind of problem `{name}`"), right));
    };
    match size.parse::<usize>() {
        Ok(contacts) if (1..=kind.most).contains(&contacts) => Ok(kind.problem(contacts)),
        _ => {
            Err(wrong(format!("`{size}` is no number of contacts"), format!("1 to {} for {name}", kind.most)))
        }
    }
}

/// Writes one problem.
fn write(out: &Path, name: &str, problem: &Opened, form: Form) -> Result<(), Failure> {
    let no_layout =
        |what: String| Failure::input(what, "JSON holds every problem: --out FILE.json", Topic::Solve);
    let text = if out.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        let local = problem.local(name)?;
        if local.U_free.len() > JSON_ROWS {
            let what =
                format!("{} rows are too many for JSON, which holds dense matrices", local.U_free.len());
            return Err(Failure::input(what, format!("at most {JSON_ROWS} rows, or FILE.dat"), Topic::Solve));
        }
        serde_json::to_string(&local.dense()).expect("plain data with text keys") + "\n"
    } else {
        match (form, problem) {
            (Form::Global, Opened::Global(global)) => {
                files::write_global(global).map_err(|e| no_layout(e.to_string()))?
            }
            (Form::Global, Opened::Local(_)) => {
                let what = format!("{name} has no global form: velocities are eliminated already");
                return Err(Failure::input(what, "--storage dense, blocks or sparse", Topic::Solve));
            }
            _ => {
                let storage = match form {
                    Form::Dense => Storage::Dense,
                    Form::Blocks | Form::Global => Storage::Blocks,
                    Form::Sparse => Storage::Sparse,
                };
                let local = problem.local(name)?;
                files::write_local(&local, storage).map_err(|e| no_layout(e.to_string()))?
            }
        }
    };
    carom::write_bytes(out, text.as_bytes()).map_err(|e| Failure::Run(format!("error: {e}")))?;
    say(&format!("{}\n", out.display()))
}

/// Every solver on one problem, each from zero.
fn run(file: String, local: &StoredProblem<SparseMatrix>, names: &[&'static str], args: &Solve) -> Outcome {
    let nature = Nature::of(local);
    let rows = local.U_free.len();
    let answers = answers(&local.for_solvers().as_problem(), names, args);
    Outcome {
        file,
        contacts: local.laws.len(),
        rows,
        entries: local.W_hat.entries(),
        rank: nature.rank,
        hyperstatic: nature.hyperstatic(rows),
        frictionless: nature.frictionless,
        warnings: warnings(&nature),
        answers,
    }
}

fn answers(problem: &ContactProblem<'_>, names: &[&'static str], args: &Solve) -> Vec<Answer> {
    let mut answers = Vec::new();
    for name in names {
        let mut solver = carom::solver(name).expect("the names come from the registry");
        let mut P = vec![0.0; problem.U_free.len()];
        let start = Instant::now();
        let mut limits = Limits { tolerance: args.tol, seconds: args.time };
        let (mut iterations, mut error) = (0, f64::INFINITY);
        let mut best: Option<SolveReport> = None;
        for _ in 0..=TIGHTER {
            solver.limit(limits);
            let report = solver.solve(problem, &mut P);
            iterations += report.iterations;
            if best.is_some() && report.status != SolveStatus::Converged {
                break;
            }
            error = natural_map_error(problem, &P);
            best = Some(report);
            if report.status != SolveStatus::Converged || error <= args.tol {
                break;
            }
            // Good by one measure and not by the other: on from here, as much more as is missing.
            limits.tolerance = report.residual.min(limits.tolerance) * MARGIN * args.tol / error;
            limits.seconds = (args.time - start.elapsed().as_secs_f64()).max(0.0);
        }
        let report = best.expect("at least one round");
        let seconds = start.elapsed().as_secs_f64();
        answers.push(Answer {
            solver: name,
            by: report.solver,
            status: report.status,
            residual: report.residual.is_finite().then_some(report.residual),
            natural_map_error: error.is_finite().then_some(error),
            iterations,
            fallbacks: report.fallbacks,
            seconds,
        });
    }
    answers
}

impl Answer {
    /// A solver that says the problem is not of its kind has not failed.
    fn solved(&self) -> bool {
        matches!(self.status, SolveStatus::Converged | SolveStatus::Unsupported)
    }
}

/// Rounding leaves less than this between Ŵ and its transpose.
const ASYMMETRY: f64 = 1e-10;

fn warnings(nature: &Nature) -> Vec<String> {
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
