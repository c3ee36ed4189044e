//! What a run made of energy and momentum, and how well its joints held.
#![allow(non_snake_case)]

use super::models::Case;
use carom::{Configuration, Setup, State, Stop, System};
use std::time::{Duration, Instant};

/// A run is given up where its energy has grown by this factor.
const EXPLODED: f64 = 1e3;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Refused before it ran, and why.
    pub refused: Option<String>,
    /// Warned of before it ran, or told to be near the limit of stability.
    pub warnings: Vec<String>,
    /// Largest energy over that of the start, relative to the energy that moves.
    pub made: f64,
    /// Largest rise over the least energy before it, likewise.
    pub rise: f64,
    /// Energy left at the end, likewise.
    pub left: f64,
    /// Largest change of linear and of angular momentum, relative; zero where they do not stay.
    pub linear: f64,
    pub angular: f64,
    /// Largest |Φ|.
    pub drift: f64,
    /// Steps that were repeated smaller.
    pub retries: usize,
    /// Why it ended before its end.
    pub failed: Option<String>,
    pub impacts: usize,
    pub steps: usize,
    pub seconds: f64,
}

/// Velocities of a rigid motion: along x, along y, and a turn about the origin; of floating frames, rigid bodies and
/// nodes in the inertial frame alike.
fn rigid_motions(system: &dyn System, q: &[f64]) -> [Vec<f64>; 3] {
    let names: Vec<String> = (0..q.len()).map(|i| system.structure().velocities[i].name.clone()).collect();
    let mut fields = [vec![0.0; q.len()], vec![0.0; q.len()], vec![0.0; q.len()]];
    let ends = |i: usize, words: [&str; 2]| {
        let (body, rest) = names[i].split_once('.').expect("a name is of a body");
        let frame = words.contains(&rest);
        // nodes of a body without a frame of its own
        let floats = names.iter().any(|other| other == &format!("{body}.x"));
        frame || (!floats && rest.starts_with("node ") && rest.ends_with(&format!(".{}", words[0])))
    };
    for i in 0..q.len() {
        if ends(i, ["x", "vx"]) {
            fields[0][i] = 1.0;
            fields[2][i] = -q[i + 1];
        } else if ends(i, ["y", "vy"]) {
            fields[1][i] = 1.0;
            fields[2][i] = q[i - 1];
        } else if ends(i, ["angle", "omega"]) {
            fields[2][i] = 1.0;
        }
    }
    fields
}

/// fᵀ M v for each field, by T(v + f) − T(v) − T(f), and the mass T(f) stands for.
fn momenta(system: &dyn System, at: &mut Configuration, v: &[f64]) -> ([f64; 3], f64) {
    let fields = rigid_motions(system, at.q());
    let mut kinetic = |v: &[f64], f: &[f64], sum: f64| {
        for (i, slot) in at.v.iter_mut().enumerate() {
            *slot = sum * v[i] + f[i];
        }
        system.energy(at).kinetic
    };
    let mut out = [0.0; 3];
    for (p, f) in out.iter_mut().zip(&fields) {
        // symmetric difference: what is quadratic in either drops out
        *p = 0.5 * (kinetic(v, f, 1.0) - kinetic(v, f, -1.0));
    }
    let mass = 2.0 * kinetic(v, &fields[0], 0.0);
    (out, mass)
}

/// A note that tells of swings of the energy.
fn near_limit(note: &carom::Diagnostic) -> bool {
    note.message.contains("limit of stability")
}

/// Runs a case with a scheme.
pub fn measure(case: &Case, scheme: &str, changes: &[(&str, &str)], limit: Duration) -> Measured {
    let text = format!(
        "{}[simulation]\nscheme = \"{scheme}\"\nstep = {:e}\nend = {:e}\n",
        case.text(),
        case.step(),
        case.end()
    );
    let changes: Vec<(String, String)> =
        changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let setup = match Setup::of_text("survey.toml", &text, &changes) {
        Ok(setup) => setup,
        Err(wrong) => return Measured { refused: Some(wrong.to_string()), ..Default::default() },
    };
    let mut found = Measured {
        warnings: setup
            .warnings()
            .into_iter()
            .chain(setup.notes().into_iter().filter(near_limit))
            .map(|w| w.message)
            .collect(),
        ..Default::default()
    };
    let clock = Instant::now();
    let system = setup.system();
    let mut simulation = match setup.simulation(setup.settings()) {
        Ok(simulation) => simulation,
        Err(error) => return Measured { refused: Some(error.to_string()), ..found },
    };
    let first: State = setup.state();
    let mut at = Configuration::new(system, 0.0, &first.q, &first.v);
    let start = system.energy(&at);
    let scale = case.energy().unwrap_or(start.total());
    let (begin, mass) =
        if case.scene.is_free() { momenta(system, &mut at, &first.v) } else { ([0.0; 3], 1.0) };
    let unit = (2.0 * mass * scale).sqrt();
    let mut least = start.total();
    while !simulation.is_done() {
        simulation.advance();
        let state = simulation.state();
        at.move_to(system, state.t, &state.q);
        at.v.copy_from_slice(&state.v);
        let energy = system.energy(&at).total();
        let worse = |old: f64, new: f64| if new <= old { old } else { new };
        found.made = worse(found.made, (energy - start.total()) / scale);
        found.rise = worse(found.rise, (energy - least) / scale);
        least = least.min(energy);
        found.left = energy / scale;
        if case.scene.is_free() {
            let (now, _) = momenta(system, &mut at, &state.v);
            let change: Vec<f64> = now.iter().zip(begin).map(|(a, b)| (a - b).abs() / unit).collect();
            found.linear = worse(found.linear, change[0].hypot(change[1]));
            found.angular = worse(found.angular, change[2]);
        }
        if found.made >= EXPLODED || found.made.is_nan() {
            found.failed = Some("energy exploded".into());
            break;
        }
        if clock.elapsed() > limit {
            found.failed = Some(format!("slow: at {:.2} of the end", state.t / case.end()));
            break;
        }
    }
    let summary = simulation.summary();
    if let Stop::Failed(why) = &summary.stop {
        found.failed = Some(why.to_string());
    }
    found.drift = summary.audit.drift_length.value.max(summary.audit.drift_angle.value);
    found.retries = summary.retries;
    found.impacts = summary.impacts;
    found.steps = summary.steps;
    found.seconds = clock.elapsed().as_secs_f64();
    found
}
