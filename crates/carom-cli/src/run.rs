//! `carom run`.

mod problems;

use crate::args::{Format, Run, number};
use crate::failure::{self, Failure};
use crate::folder::{Folder, rescued, write_or_rescue};
use crate::gallery::Found;
use crate::progress::Bar;
use crate::{interrupt, model, table};
use carom::{Done, Effort, Formats, Setup, Stop, Topic};
use std::path::Path;

/// Runs a model and writes what came out of it.
pub fn run(args: &Run) -> Result<(), Failure> {
    let (found, setup) = model::open(&args.model.model, &args.changes())?;
    if args.format.contains(&Format::Gltf) && !in_space(&setup) {
        return Err(crate::figure::input(
            "--format gltf is for mechanisms in space, and this one is in the plane",
            "--format vtk, or `carom picture` and `carom animate` for images",
        ));
    }
    let talk = !args.quiet && !args.json;
    let out = args.out.clone().unwrap_or_else(|| found.out.clone());
    let folder = Folder::open(&out, "--out", Topic::Run)?;
    let (keeper, dumped) = problems::keeper(args)?.unzip();
    if !args.quiet {
        model::warn(&setup);
    }
    // from the first word on, Ctrl-C keeps what there is
    interrupt::listen();
    if talk {
        introduce(&setup)?;
    }
    let bar = Bar::new(args.quiet);
    let effort = match args.certify {
        _ if args.no_estimate => Effort::Nothing,
        Some(target) => Effort::Certify(target),
        None => Effort::Usual,
    };
    let done = setup.run_estimated(setup.settings(), effort, keeper, |progress| {
        bar.show(progress, &setup.loaded().units);
        !interrupt::asked()
    });
    bar.clear();
    let done = done.map_err(|e| model::cannot_start(&setup, &e))?;

    let command = repeat(args, &found);
    let write = |out: &Path| setup.write(out, &done, &command, &formats(args)).map(|_| ());
    let (out, trouble) = write_or_rescue(&out, write)?;
    folder.keep();
    if args.json {
        let (info, facts) = (setup.info(&done, &command), setup.facts());
        table::say(&carom::summary_json(&done.recording, &done.summary, &info, Some(&facts)))?;
    }
    if let Some(why) = trouble {
        return Err(rescued(&why, &out));
    }
    let dumped = dumped.map_or(Ok(String::new()), |dumped| dumped.tell(args))?;
    let kept = || format!("what was recorded up to then is in {}", out.display());
    match &done.summary.stop {
        Stop::Done if talk => table::say(&(closing(&setup, &done, &out, args) + &dumped)),
        Stop::Done => Ok(()),
        Stop::Interrupted => {
            let when = setup.loaded().units.speak(&format!("interrupted at t = {} s", done.summary.t));
            Err(Failure::Interrupted(format!("{when}; {}", kept())))
        }
        Stop::Failed(_) => {
            let said = setup.diagnose_failure(&done).map_or(String::new(), |d| d.to_string());
            let said = failure::Said::of(said).note(kept());
            Err(if dumped.is_empty() { said } else { said.note(dumped.trim_end()) }.run())
        }
    }
}

/// Whether there are solids to show: a drawing in space, or at least bodies that turn by quaternions.
fn in_space(setup: &Setup) -> bool {
    setup.drawing().space.is_some()
        || setup.system().structure().channels.iter().any(|c| c.quantity() == "qw")
}

/// What is about to be run.
fn introduce(setup: &Setup) -> Result<(), Failure> {
    let description = &setup.loaded().description;
    let mut lines = Vec::new();
    if !description.title().is_empty() {
        lines.push(description.title().to_string());
    }
    let changes = model::assembly_lines(setup);
    if !changes.is_empty() {
        lines.push("The parts did not fit as described and were assembled:".into());
        lines.extend(changes.into_iter().map(|line| format!("  {line}")));
    }
    let unused = setup.unused_parameters();
    if !unused.is_empty() {
        let scheme = &description.simulation().scheme;
        let whose = if setup.choice().is_some() { "" } else { " of the model's own scheme" };
        lines.push(format!("Not used by {scheme}: parameter {}{whose}", unused.join(", ")));
    }
    if lines.is_empty() { Ok(()) } else { table::say(&lines.join("\n")) }
}

fn formats(args: &Run) -> Formats {
    let asked = |format| args.format.contains(&format);
    Formats {
        csv: args.format.is_empty() || asked(Format::Csv),
        npz: asked(Format::Npz),
        vtk: asked(Format::Vtk),
        gltf: asked(Format::Gltf),
        report: !args.no_report,
        ..Formats::default()
    }
}

/// Verdict, counts, and where to look.
fn closing(setup: &Setup, done: &Done, out: &Path, args: &Run) -> String {
    let s = &done.summary;
    let mut text = format!(
        "{}\n{}: {} steps to t = {} s in {}{}, {} {}{}\n",
        s.audit.verdict,
        s.scheme,
        s.steps,
        s.t,
        seconds(done.wall_seconds),
        match s.estimate {
            Some(_) if done.estimate_seconds > 0.0 => {
                format!(", the estimate in {}", seconds(done.estimate_seconds))
            }
            Some(_) => " with all repetitions".into(),
            None => String::new(),
        },
        s.impacts,
        if s.impacts == 1 { "impact" } else { "impacts" },
        Some(s.iteration())
            .filter(|words| !words.is_empty())
            .map_or(String::new(), |words| format!(", {words}"))
    );
    for phase in s.phases.iter().filter(|phase| phase.steps > 0) {
        text.push_str(&format!("- {phase}\n"));
    }
    if let Some(choice) = setup.choice() {
        text.push_str(&format!("{choice}\n"));
    }
    text = setup.loaded().units.speak(&text);
    let show = if args.no_report { out.to_path_buf() } else { out.join("report.html") };
    let verb = if args.no_report { "Results are in" } else { "Open" };
    text.push_str(&format!("{verb} {}\n", show.display()));
    text
}

fn seconds(s: f64) -> String {
    if s < 1.0 { format!("{:.1} ms", 1e3 * s) } else { format!("{s:.2} s") }
}

/// The command that repeats the run.
fn repeat(args: &Run, found: &Found) -> String {
    let mut words = vec!["carom".to_string(), "run".into(), found.name.clone()];
    let options = [
        ("scheme", args.scheme.scheme.clone()),
        ("solver", args.scheme.solver.clone()),
        ("step", args.step.map(number)),
        ("end", args.scheme.end.map(number)),
        ("accuracy", args.accuracy.map(number)),
    ];
    for (name, value) in options {
        words.extend(value.into_iter().flat_map(|value| [format!("--{name}"), value]));
    }
    words.extend(args.certify.map(|target| format!("--certify={}", number(target))));
    for (key, value) in &args.model.set {
        words.extend(["--set".into(), format!("{key}={value}")]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
