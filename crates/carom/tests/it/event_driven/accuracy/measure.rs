//! Runs with an accuracy beside a reference: `main.rs` here and `examples/accuracy_survey.rs`.
#![allow(dead_code)]

use carom::{Effort, Recording, Settings, Setup, Stop, SystemInfo};
use std::path::Path;
use std::time::{Duration, Instant};

/// Accuracies that are asked for.
pub const ACCURACIES: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// Schemes, one of each kind.
pub const SCHEMES: &[&str] = &[
    "hem5",
    "phem56",
    "rk4",
    "dopri5",
    "radau5",
    "bdf",
    "adams-moulton",
    "alpha-dae",
    "rattle",
    "hybrid",
    "moreau-jean",
    "moreau-midpoint",
    "moreau-jean-ggl",
    "generalized-alpha",
    "mixed-alpha",
    "half-explicit",
    "half-explicit-4",
];

/// Times at which runs are compared.
const SAMPLES: f64 = 60.0;
/// What the reference is asked for.
const FINEST: f64 = 1e-12;

/// A mechanism, up to some time.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Of the gallery, or of a coded system, or of a text below.
    pub name: &'static str,
    /// End time (s); 0: that of the model.
    pub end: f64,
}

const fn case(name: &'static str, end: f64) -> Case {
    Case { name, end }
}

/// Models that are not chaotic, up to a time that takes seconds.
pub const CASES: &[Case] = &[
    case("oscillator", 2.0),
    case("pendulum-stop", 2.0),
    case("parabola-plane", 0.0),
    case("plane-parabola", 0.0),
    case("incline", 0.0),
    case("belt", 1.0),
    case("ball", 2.0),
    case("ball-in-box", 0.8),
    case("oblique-disk", 1.5),
    case("three-balls", 0.0),
    case("four-bar", 0.0),
    case("gear-rack", 1.0),
    case("door-stop", 0.2),
    case("cam-flat-follower", 0.0),
    case("geneva-drive", 0.1),
    case("ratchet", 0.2),
    case("newtons-cradle", 0.3),
    case("woodpecker", 0.1),
    case("crank-slider-rigid", 0.02),
    case("slider-crank", 0.02),
    case("four-bar-clearance", 0.02),
    case("rotating-beam", 0.3),
    case("rotor-runup", 0.5),
    case("slider-crank-modal", 0.01),
    case("eccentric-beam", 0.5),
    case("bar", 0.2),
    case("disks", 0.002),
    case("slider-crank-1dof", 0.0),
    case("slider-crank-bilateral", 0.0),
    case("four-bar-minimal", 0.0),
    case("simeon-crank", 0.0),
    case("stiff-3dof-spring", 0.0),
    case("stiff-3dof-constraint", 0.0),
    case("slider-crank-minimal", 0.03),
    case("pendulum, 200 s", 0.0),
    case("spring, 100 periods", 0.0),
    case("bead in a bowl", 0.0),
    case("double four-bar", 0.0),
];

/// Mechanisms of this file.
const TEXTS: &[(&str, &str)] = &[
    ("pendulum, 200 s", include_str!("pendulum.toml")),
    ("spring, 100 periods", include_str!("spring.toml")),
    ("bead in a bowl", include_str!("bowl.toml")),
    ("double four-bar", include_str!("double-four-bar.toml")),
];

/// Opens a case with changes.
pub fn open(case: &Case, changes: &[(&str, &str)]) -> Result<Setup, String> {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string())).collect();
    let told = |e: carom::Diagnostics| e.to_string();
    if let Some((name, text)) = TEXTS.iter().find(|(name, _)| *name == case.name) {
        return Setup::of_text(&format!("{name}.toml"), text, &changes).map_err(told);
    }
    if let Some(info) = SystemInfo::find(case.name) {
        return Setup::of_system(info, &changes).map_err(told);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(case.name).join("model.toml");
    Setup::open(&path, &changes).map_err(told)
}

/// Where a mechanism really is.
pub struct Reference {
    /// Made by.
    pub by: String,
    recording: Recording,
    /// Largest difference to the reference by another method.
    pub agree: f64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Two methods at the finest tolerance.
pub fn reference(case: &Case, limit: Duration) -> Result<Reference, String> {
    let clock = Instant::now();
    let mut found: Option<(String, Recording)> = None;
    let mut best: Option<Reference> = None;
    let mut why = String::new();
    for scheme in ["hem5", "radau5", "dopri5"] {
        match one(case, scheme, FINEST, false, 2 * limit) {
            Ok((setup, done)) => {
                if let Some((by, recording)) = &found {
                    let agree = distance(&setup, recording, &done.recording);
                    if best.as_ref().is_none_or(|best| agree < best.agree) {
                        let (by, recording) = (format!("{by}, {scheme}"), recording.clone());
                        best =
                            Some(Reference { by, recording, agree, seconds: clock.elapsed().as_secs_f64() });
                    }
                    if agree < 1e-9 {
                        break;
                    }
                }
                found = Some((scheme.into(), done.recording));
            }
            Err(e) => why += &format!("{scheme}: {e}; "),
        }
    }
    // one alone is better than none, and says so
    let alone = |(by, recording): (String, Recording)| {
        let by = format!("{by} alone ({why})");
        Reference { by, recording, agree: f64::NAN, seconds: clock.elapsed().as_secs_f64() }
    };
    best.or_else(|| found.map(alone)).ok_or_else(|| why.clone())
}

/// A run beside its reference.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Accuracy.
    pub asked: f64,
    /// Largest error of a position: lengths over the mechanism's size, angles in rad.
    pub error: f64,
    /// What the run says of it.
    pub claimed: f64,
    /// Whether it says that the accuracy was not met.
    pub missed: bool,
    /// Steps of the run that counts.
    pub steps: usize,
    /// Repetitions with a tighter tolerance.
    pub repeats: usize,
    /// Seconds of all runs together.
    pub seconds: f64,
    /// Anything else.
    pub remark: String,
}

/// Runs a case.
pub fn measure(
    case: &Case,
    scheme: &str,
    accuracy: f64,
    estimated: bool,
    reference: &Reference,
    limit: Duration,
) -> Result<Measured, String> {
    let (setup, done) = one(case, scheme, accuracy, estimated, limit)?;
    let estimate = done.summary.estimate.as_ref();
    let claimed = estimate.map_or(f64::NAN, |e| e.error);
    let mut remark = String::new();
    if estimate.is_some_and(|e| e.chaotic) {
        remark.push_str("chaotic");
    }
    let audit = &done.summary.audit;
    if audit.unmet > 0 {
        remark.push_str(&format!(
            " {} steps above it, {:.1e} in all, from {:.4} s on",
            audit.unmet, audit.unmet_error, audit.unmet_t
        ));
    }
    Ok(Measured {
        asked: accuracy,
        error: distance(&setup, &reference.recording, &done.recording),
        claimed,
        missed: estimate.is_some_and(|e| e.missed.is_some()),
        steps: done.summary.steps,
        repeats: estimate.map_or(0, |e| e.repeats),
        seconds: done.wall_seconds + done.estimate_seconds,
        remark,
    })
}

fn one(
    case: &Case,
    scheme: &str,
    accuracy: f64,
    estimated: bool,
    limit: Duration,
) -> Result<(Setup, carom::Done), String> {
    let setup = open(case, &[("simulation.scheme", scheme), ("simulation.accuracy", &accuracy.to_string())])
        .map_err(|e| format!("refused: {}", e.lines().next().unwrap_or_default()))?;
    let given = setup.settings();
    let end = if case.end > 0.0 { case.end } else { given.end };
    let settings = Settings { accuracy: Some(accuracy), end, output: Some(end / SAMPLES), ..given };
    let clock = Instant::now();
    let effort = if estimated { Effort::Usual } else { Effort::Nothing };
    let done = setup
        .run_estimated(settings, effort, None, |_| clock.elapsed() < limit)
        .map_err(|e| format!("refused: {e}"))?;
    match &done.summary.stop {
        Stop::Failed(why) => Err(format!("failed: {why}")),
        _ if clock.elapsed() >= limit => {
            let s = &done.summary;
            Err(format!(
                "{accuracy:.0e} not done after {:.0} s: t = {:.6} s, {} steps of {:.1e} to {:.1e} s, {} rejected",
                limit.as_secs_f64(),
                s.t,
                s.steps,
                s.step_range.0,
                s.step_range.1,
                s.rejected
            ))
        }
        _ => Ok((setup, done)),
    }
}

/// Largest difference of positions at the common samples: lengths over the mechanism's size, angles in rad.
pub fn distance(setup: &Setup, a: &Recording, b: &Recording) -> f64 {
    let length = setup.system().structure().length_scale;
    let mut most = 0.0_f64;
    for (i, channel) in a.channels.iter().enumerate() {
        let weight = match channel.unit.as_str() {
            "m" => 1.0 / length,
            "rad" => 1.0,
            _ => continue,
        };
        // positions of bodies: where a contact acts jumps from place to place
        let is_place = ["x", "y", "angle"].contains(&channel.quantity());
        if !is_place {
            continue;
        }
        let Some(j) = b.channels.iter().position(|c| c.name() == channel.name()) else { continue };
        if a.columns[i].len() != b.columns[j].len() {
            return f64::INFINITY;
        }
        for (x, y) in a.columns[i].iter().zip(&b.columns[j]) {
            // a full turn is no difference
            let turn = if channel.unit == "rad" { std::f64::consts::TAU } else { f64::INFINITY };
            let d = (x - y).abs();
            let d = weight * if turn.is_finite() { (d - turn * (d / turn).round()).abs() } else { d };
            most = if d <= most { most } else { d };
        }
    }
    most
}
