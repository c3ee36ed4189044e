//! `carom doctor`: what this Carom is, what it finds around it, and whether a run gives what it must.
//!
//! The ball of the gallery falls h from rest and hits with √(2 g h); Newton's law says that it leaves with e times that. The step
//! that holds the impact spreads it over g dt, which is all that the two may differ by.

use crate::failure::{self, Failure};
use crate::gallery::GALLERY;
use crate::table::{say, say_json, table};
use carom::{EventKind, Setup, Stop};
use clap::Args;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Programs that make a clip, and that show a page.
pub const ENCODERS: [&str; 1] = ["ffmpeg"];
const BROWSERS: [&str; 8] =
    ["xdg-open", "open", "firefox", "chromium", "google-chrome", "chromium-browser", "safari", "msedge"];

/// `carom doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    found: String,
    /// Whether something is wrong; a missing encoder is not.
    ok: bool,
}

/// Looks, and says what it sees.
pub fn doctor(args: &Doctor) -> Result<(), Failure> {
    let mut list = build();
    list.extend(surroundings());
    list.extend(self_check());
    let ok = list.iter().all(|f| f.ok);
    if args.json {
        say_json(&serde_json::json!({ "ok": ok, "findings": list }))?;
    } else {
        let word = |ok: bool| if ok { "" } else { "  <- wrong" };
        let rows: Vec<_> =
            list.iter().map(|f| vec![f.what.into(), format!("{}{}", f.found, word(f.ok))]).collect();
        say(&format!(
            "{}\n{}\n",
            table(&rows, 90),
            if ok { "All is well." } else { "Something is wrong, see above." }
        ))?;
    }
    match ok {
        true => Ok(()),
        false => {
            Err(failure::wrong("not everything is as it must be").help("the lines marked `wrong`").run())
        }
    }
}

fn fact(what: &'static str, found: impl Into<String>) -> Finding {
    Finding { what, found: found.into(), ok: true }
}

fn build() -> Vec<Finding> {
    let profile = format!("{}, opt-level {}", env!("CAROM_PROFILE"), env!("CAROM_OPT_LEVEL"));
    let slow = if cfg!(debug_assertions) { ", with checks: build with --release for speed" } else { "" };
    let features = match env!("CAROM_FEATURES") {
        "" => "none",
        some => some,
    };
    vec![
        fact("version", env!("CARGO_PKG_VERSION")),
        fact("target", env!("CAROM_TARGET")),
        fact("build", format!("{profile}{slow}")),
        fact("compiler", env!("CAROM_RUSTC")),
        fact("features", features),
    ]
}

fn surroundings() -> Vec<Finding> {
    let threads = std::thread::available_parallelism().map_or_else(|_| "unknown".into(), |n| n.to_string());
    let terminal = if std::io::stderr().is_terminal() { "yes" } else { "no: no bar, no colour" };
    let path = |program: Option<PathBuf>, without: &str| {
        program.map_or_else(|| format!("none found: {without}"), |p| p.display().to_string())
    };
    let (writable, ok) = match writable() {
        Ok(()) => ("yes".to_string(), true),
        Err(e) => (format!("no: {e}; results need a folder, see --out"), false),
    };
    vec![
        fact("threads", threads),
        fact("terminal", terminal),
        fact("encoder", path(find(&ENCODERS), "clips as GIF and PNG only")),
        fact("browser", path(find(&BROWSERS), "open report.html by hand")),
        Finding { what: "folder can be written", found: writable, ok },
    ]
}

/// The first of the programs that lies on the search path.
pub fn find(programs: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = programs.iter().flat_map(|p| [(*p).to_string(), format!("{p}.exe")]);
    names
        .flat_map(|name| folders.iter().map(move |f| f.join(&name)).collect::<Vec<_>>())
        .find(|p| p.is_file())
}

/// Whether a file can be made here; it is taken away again.
fn writable() -> std::io::Result<()> {
    let probe = Path::new(".").join(format!(".carom-doctor-{}", std::process::id()));
    std::fs::write(&probe, b"")?;
    std::fs::remove_file(&probe)
}

/// Runs the ball and compares.
fn self_check() -> Vec<Finding> {
    let wrong = |found: String| vec![Finding { what: "self-check", found, ok: false }];
    let Some((name, text)) = GALLERY.iter().find(|(name, _)| *name == "ball") else {
        return wrong("the gallery has no ball".into());
    };
    let setup = match Setup::of_text(name, text, &[]) {
        Ok(setup) => setup,
        Err(e) => return wrong(e.to_string()),
    };
    let done = match setup.run(|_| true) {
        Ok(done) if done.summary.stop == Stop::Done => done,
        Ok(done) => return wrong(format!("{:?}", done.summary.stop)),
        Err(e) => return wrong(e.to_string()),
    };
    let p = |name: &str| setup.loaded().parameters.get(name).copied().unwrap_or(f64::NAN);
    let exact = p("e") * (2.0 * p("g") * (p("h0") - p("R"))).sqrt();
    let allowed = p("g") * setup.settings().step;
    let first = done.recording.events.iter().find(|event| event.kind == EventKind::Impact);
    let left = first.map_or(f64::NAN, |event| event.after);
    let error = (left - exact).abs();
    let found = format!(
        "after its first impact the ball of the gallery leaves with {left:.4} m/s; exact {exact:.4}, allowed ± {allowed:.2}"
    );
    let per_step = 1e6 * done.wall_seconds / done.summary.steps.max(1) as f64;
    vec![
        Finding { what: "self-check", found, ok: error <= allowed },
        fact("speed", format!("{per_step:.2} µs per step of that run")),
    ]
}
