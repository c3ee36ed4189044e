//! Does a ball rebound as Newton's impact law says, whatever its mass, its size and the step?
//!
//! ```text
//!   −U⁺/U⁻ = e at the impact;     height of the rebound / height of the fall = e² + O(dt / t_fall),   t_fall = √(2 h / g)
//! ```
//!
//! e = 0, 0.1, ..., 1; dt / t_fall over three decades; masses and heights over six decades each at fixed gravity, where
//! the motion in units of the fall must not change at all. Every scheme of the registry that restores within one step.

use crate::figure::Panel;
use crate::measure::range;
use crate::report::{Series, StudyReport};
use crate::running::{Method, bouncing_schemes, start};
use crate::stack::Stack;
use carom_dynamics::EventKind;

const GRAVITY: f64 = 9.81;
/// dt / t_fall; no rebound is synchronous with such steps.
const STEPS: [f64; 4] = [1.037e-1, 1.037e-2, 1.037e-3, 1.037e-4];
/// The step at which masses (kg) and heights (m) are varied.
const USUAL: f64 = STEPS[1];
const DECADES: [f64; 7] = [1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3];
/// What may be left of the velocity ratio: round-off of a contact solve.
const EXACT: f64 = 1e-12;
/// What may be left between masses and heights: round-off summed over a run.
const SAME: f64 = 1e-9;
/// |height ratio − e²| may be this many dt / t_fall. The impact falls anywhere in its step, so both its place and its
/// speed are off by up to a step: each leaves up to 2 e² or so, and the scheme's free flight up to e (1 + e).
const PER_STEP: f64 = 5.0;

/// A drop and the first rebound.
#[derive(Clone, Copy, Debug)]
struct Rebound {
    /// −U⁺/U⁻.
    speeds: f64,
    /// Height of the rebound over height of the fall.
    heights: f64,
}

fn drop(method: Method, e: f64, dt: f64, mass: f64, height: f64) -> Result<Rebound, String> {
    let ball = Stack::ball(mass, GRAVITY, 0.0, e, height);
    let fall = (2.0 * height / GRAVITY).sqrt();
    let mut simulation = start(&ball, method, (&[height], &[0.0]), dt * fall, 3.5 * fall)?;
    let (mut hit, mut highest) = (false, 0.0_f64);
    while !simulation.is_done() {
        simulation.advance();
        let state = simulation.state();
        // from the impact until the rebound is over
        if state.P[0] > 0.0 {
            if hit {
                break;
            }
            hit = true;
        } else if hit {
            highest = highest.max(state.q[0]);
            if state.v[0] < 0.0 && state.t > fall {
                break;
            }
        }
    }
    let recording = simulation.recording();
    let impact =
        recording.events.iter().find(|e| e.kind == EventKind::Impact).ok_or("the ball never arrived")?;
    Ok(Rebound { speeds: -impact.after / impact.before, heights: highest / height })
}

/// What one scheme does.
#[derive(Debug, Default)]
struct Findings {
    worst_speed: f64,
    worst_height: f64,
    /// |heights − e²| at e = 0.5 for every step.
    at_half: Vec<f64>,
    spread: f64,
}

fn examine(method: Method, tick: &mut dyn FnMut()) -> Result<Findings, String> {
    let mut found = Findings::default();
    for tenth in 0..=10 {
        let e = f64::from(tenth) / 10.0;
        for dt in STEPS {
            let rebound = drop(method, e, dt, 1.0, 1.0)?;
            let off = (rebound.heights - e * e).abs();
            found.worst_speed = found.worst_speed.max((rebound.speeds - e).abs());
            found.worst_height = found.worst_height.max(off / dt);
            if tenth == 5 {
                found.at_half.push(off);
            }
        }
        let mut all = Vec::new();
        for mass in DECADES {
            for height in DECADES {
                let rebound = drop(method, e, USUAL, mass, height)?;
                found.worst_speed = found.worst_speed.max((rebound.speeds - e).abs());
                all.push(rebound.heights);
            }
        }
        let (least, most) = range(all);
        found.spread = found.spread.max(most - least);
        tick();
    }
    Ok(found)
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let methods = bouncing_schemes();
    let total = (11 * methods.len()) as f64;
    let mut done = 0.0;
    let mut curves = vec![("dt / t_fall".to_string(), STEPS.to_vec())];
    for method in methods {
        let found = examine(method, &mut || {
            done += 1.0;
            progress(done / total);
        });
        let label = method.label;
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                report.compare(format!("{label}: runs"), "yes", why, false, "a run failed");
                continue;
            }
        };
        report.compare(
            format!("{label}: |-U+/U- - e|, worst of all"),
            "0 (Newton's law)",
            format!("{:.1e}", found.worst_speed),
            found.worst_speed <= EXACT,
            "the impact law is not met to round-off",
        );
        report.compare(
            format!("{label}: |height ratio - e^2| over dt / t_fall, worst of all"),
            "bounded (first order)",
            format!("{:.2}", found.worst_height),
            found.worst_height < PER_STEP,
            "the rebound is off by more than steps explain",
        );
        report.compare(
            format!("{label}: spread of the height ratio over masses and heights"),
            "0 (no scale in the problem)",
            format!("{:.1e}", found.spread),
            found.spread <= SAME,
            "the motion depends on the units",
        );
        curves.push((label.to_string(), found.at_half));
    }
    let panel = Panel::orders(
        "Rebound with e = 0.5: how far the height is off",
        "",
        "dt / time of the fall",
        "|height ratio − e²|",
        &[1.0],
    );
    report.series.push(Series::new("|height ratio - e^2| for e = 0.5", curves).all_drawn(panel));
    report.note(format!(
        "e = 0, 0.1, ..., 1; dt / t_fall from {} to {}; masses and heights from 1e-3 to 1e3 at dt / t_fall = {USUAL}.",
        STEPS[0], STEPS[3]
    ));
    report
}
