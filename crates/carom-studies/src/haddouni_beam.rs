//! Two stiff mechanisms: the beam on an eccentric axis and the run-up of a rotor.     [Haddouni2015] §3.2.3, Table 3.8, Figs 3.14–3.16
//!
//! The source prints no data of either; those of the gallery are chosen (`eccentric-beam`, `rotor-runup`), so ratios are compared,
//! not times. The beam is damped by a little of its stiffness, C = 1e-5 s · K: its fastest wave loses a quarter of its amplitude
//! in a swing, its bending nothing. Without, the half-explicit method pays for growth that nothing takes away:
//!
//! ```text
//!   |R(i y)| of HEM5 on y' = i ω y, y = ω dt:     1 + 2.2e-4 at y = 1,   0.975 at 2,   1 at 3.46,          > 1 for all y < 1.4
//!   |R(i y)| of RK4:                              1 − y⁶/144 + …                       1 at 2.83,          < 1 for all y < 2.83
//! ```
//!
//! Both go as far as the fastest wave lets them, whatever the tolerance: 3.46/2.83 = 1.22 is the ratio of their steps in Table 3.8.

use crate::figure::{Panel, linear};
use crate::measure::range;
use crate::mechanism::Mechanism;
use crate::mechanisms::run::{Contestant, Outcome, SAMPLES, Steps, run};
use crate::mechanisms::sets::gallery;
use crate::report::{Series, StudyReport};
use std::time::Duration;

/// Length of the run of the beam (s): steps times their mean in Table 3.8.
const END: f64 = 15.0;
/// Damping of the beam, of its stiffness (s).
const DAMPING: &str = "{ stiffness = 1e-5 }";
/// Tolerances of the table.
const TOLERANCES: [f64; 3] = [1e-2, 1e-4, 1e-6];
/// A ratio counts as the printed one within this factor: other data, another machine.
const CLOSE: f64 = 3.0;
/// Longest a run may take (s of computing).
const LIMIT: Duration = Duration::from_secs(60);
/// The first step a method tries is shorter; what it takes to find its pace does not count here.
const PART: f64 = 0.004;

/// A method of Table 3.8 with its printed (average h, t_s, accepted, rejected) per tolerance.
type Printed = [(f64, f64, u32, u32); 3];
const TABLE: [(Contestant, Printed); 5] = [
    (
        Contestant::new("hem5"),
        [(4.22e-4, 548.98, 34123, 1381), (4.20e-4, 549.70, 34364, 1393), (2.40e-4, 985.79, 62255, 179)],
    ),
    (
        Contestant::new("rk4"),
        [(3.38e-4, 384.13, 41428, 2903), (3.34e-4, 376.89, 41700, 2825), (3.37e-4, 398.29, 41562, 2876)],
    ),
    (
        alpha("alpha-dae, rho 0.99", &[("rho", 0.99)]),
        [(9.61e-2, 10.55, 156, 0), (8.01e-3, 86.32, 1869, 3), (2.35e-3, 264.80, 6371, 3)],
    ),
    (
        alpha("alpha-dae, rho 0.8", &[("rho", 0.8)]),
        [(9.61e-2, 10.69, 156, 0), (3.16e-2, 24.42, 474, 0), (6.15e-3, 109.83, 2437, 0)],
    ),
    (
        alpha("alpha-dae, rho 0.5", &[("rho", 0.5)]),
        [(9.61e-2, 11.29, 156, 0), (2.74e-2, 28.72, 538, 0), (5.50e-3, 123.09, 2714, 0)],
    ),
];

const fn alpha(label: &'static str, parameters: &'static [(&'static str, f64)]) -> Contestant {
    Contestant { label, scheme: "alpha-dae", parameters, form: None }
}

/// Runs the study.
pub fn run_study(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| fill(report, END, progress))
}

fn mechanism(text: &str, changes: &[(&str, &str)]) -> Result<Mechanism, String> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let loaded = carom_io::load_text("model.toml", text, &changes).map_err(|e| e.to_string())?;
    Mechanism::new(&loaded.description)
}

fn fill(report: &mut StudyReport, end: f64, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    beam(report, end, &mut |p| progress(0.8 * p))?;
    rotor(report, if end < END { 0.2 } else { 6.0 }, &mut |p| progress(0.8 + 0.2 * p))?;
    report.note(
        "The thesis prints no data of beam and rotor; those of the gallery are chosen so that explicit steps end where its table has \
         them. Ratios between the methods are compared, within a factor of three.",
    );
    report.note(
        "An undamped beam is where HEM5 and RK4 differ most: HEM5 lets every vibration with less than 1.4 rad per step grow, by \
         2e-4 per step at most, and its error control has to hold that down with ever shorter steps; RK4 damps all of them.",
    );
    Ok(())
}

/// Table 3.8.
fn beam(report: &mut StudyReport, end: f64, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let text = gallery!("eccentric-beam");
    let beam = mechanism(text, &[("bodies.beam.elastic.damping", DAMPING)])?;
    let accurate = run(&beam, Contestant::new("rk4"), Steps::Accuracy(1e-8), end, SAMPLES, LIMIT)?;
    let mut outcomes: Vec<Vec<Outcome>> = Vec::new();
    let total = (TABLE.len() * TOLERANCES.len() + 4) as f64;
    for (i, (contestant, printed)) in TABLE.iter().enumerate() {
        let mut row = Vec::new();
        for (j, tolerance) in TOLERANCES.into_iter().enumerate() {
            let outcome = run(&beam, *contestant, Steps::Accuracy(tolerance), end, SAMPLES, LIMIT)?;
            let (h, _, accepted, rejected) = printed[j];
            report.fact(
                format!("{} at {tolerance:.0e}: average h, accepted, rejected, error", contestant.label),
                format!(
                    "{} (printed {h:.2e} s, {accepted}, {rejected})",
                    told(&outcome, outcome.track.distance(&accurate.track))
                ),
            );
            row.push(outcome);
            progress((3 * i + j + 1) as f64 / total);
        }
        outcomes.push(row);
    }
    let step = |i: usize, j: usize| outcomes[i][j].mean_step();
    let ours = step(0, 1) / step(1, 1);
    report.compare(
        "step of HEM5 over that of RK4 at 1e-4",
        "1.26; by their stability on the imaginary axis 1.22",
        format!("{ours:.2}"),
        (ours / 1.22 - 1.0).abs() < 0.15,
        "they do not step along their limits of stability",
    );
    let of_alpha = |f: &dyn Fn(usize, usize, usize) -> f64| {
        let pairs = (2..TABLE.len()).flat_map(|i| (0..TOLERANCES.len()).map(move |j| (i, j)));
        range(pairs.flat_map(|(i, j)| [f(i, 0, j), f(i, 1, j)]))
    };
    let (least, most) = of_alpha(&|i, other, j| step(i, j) / step(other, j));
    report.compare(
        "steps of alpha-dae over those of HEM5 and RK4, over all tolerances",
        "10 to 100 (text), 7 to 284 (table)",
        format!("{least:.0} to {most:.0}"),
        least > 7.0,
        "it does not take longer steps",
    );
    let (least, most) =
        of_alpha(&|i, other, j| outcomes[other][j].seconds / outcomes[i][j].seconds.max(1e-9));
    report.compare(
        "times of HEM5 and RK4 over those of alpha-dae, over all tolerances",
        "up to 50 and 36 (text), 2 to 52 (table)",
        format!("{least:.0} to {most:.0}"),
        least > 2.0 && most > 36.0,
        "it does not win as much",
    );
    for (j, tolerance) in TOLERANCES.into_iter().enumerate() {
        for i in 2..TABLE.len() {
            let label = TABLE[i].0.label;
            for (other, name) in [(0, "HEM5"), (1, "RK4")] {
                let (theirs_h, theirs_t) =
                    (TABLE[i].1[j].0 / TABLE[other].1[j].0, TABLE[other].1[j].1 / TABLE[i].1[j].1);
                let ours_h = step(i, j) / step(other, j);
                let ours_t = outcomes[other][j].seconds / outcomes[i][j].seconds.max(1e-9);
                let close = |ours: f64, theirs: f64| (1.0 / CLOSE..=CLOSE).contains(&(ours / theirs));
                let failed = outcomes[i][j].trouble.is_some();
                report.compare(
                    format!("step of {label} over that of {name} at {tolerance:.0e}"),
                    format!("{theirs_h:.0}"),
                    format!("{ours_h:.0}"),
                    !failed && close(ours_h, theirs_h),
                    "another beam: steps of the implicit method follow its slow motion, slower here than there, those of the explicit ones its \
                     fastest wave",
                );
                report.compare(
                    format!("time of {name} over that of {label} at {tolerance:.0e}"),
                    format!("{theirs_t:.0}"),
                    format!("{ours_t:.0}"),
                    !failed && close(ours_t, theirs_t),
                    "the implicit method wins by more: its steps are longer, and one of them costs two to three steps of HEM5, in the source \
                     three to four",
                );
            }
        }
    }
    // forms and methods that the table does not have
    let index_3 = Contestant {
        label: "alpha-dae, index 3",
        form: Some(carom_dynamics::Formulation::Index3),
        ..Contestant::new("alpha-dae")
    };
    for contestant in [index_3, Contestant::new("radau5")] {
        for tolerance in TOLERANCES {
            let outcome = run(&beam, contestant, Steps::Accuracy(tolerance), end, SAMPLES, LIMIT)?;
            let error = outcome.track.distance(&accurate.track);
            report.fact(format!("{} at {tolerance:.0e}", contestant.label), told(&outcome, error));
        }
    }
    progress((total - 2.0) / total);
    let undamped = mechanism(text, &[])?;
    for (contestant, _) in &TABLE[..2] {
        let outcome = run(&undamped, *contestant, Steps::Accuracy(1e-4), 0.2 * end, SAMPLES, LIMIT)?;
        report.fact(
            format!("{} at 1e-4 without damping, over a fifth of the run: average h", contestant.label),
            format!("{:.2e} s{}", outcome.mean_step(), trouble(&outcome)),
        );
    }
    progress(1.0);
    Ok(())
}

fn trouble(outcome: &Outcome) -> String {
    outcome.trouble.as_ref().map_or(String::new(), |why| format!("; {why}"))
}

fn told(outcome: &Outcome, error: f64) -> String {
    let s = &outcome.summary;
    format!("{:.2e} s, {}, {}, {error:.0e}{}", outcome.mean_step(), s.steps, s.rejected, trouble(outcome))
}

/// Figs 3.15 and 3.16.
fn rotor(report: &mut StudyReport, end: f64, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let rotor = mechanism(gallery!("rotor-runup"), &[])?;
    // methods that follow the fastest mode, over a part of the run
    for scheme in ["hem5", "rk4"] {
        let contestant = Contestant { parameters: &[("least_step", 1e-8)], ..Contestant::new(scheme) };
        let outcome = run(&rotor, contestant, Steps::Accuracy(1e-4), PART, SAMPLES, LIMIT)?;
        let steps = 6.0 / outcome.mean_step();
        report.compare(
            format!("rotor with {scheme} and steps of 1e-8 s at least"),
            "fails",
            format!("steps of {:.1e} s: {steps:.0e} for the run{}", outcome.mean_step(), trouble(&outcome)),
            outcome.trouble.is_some() || steps > 1e6,
            "it steps faster than that",
        );
    }
    progress(0.3);
    let step = 4e-4;
    let contestant = Contestant::new("alpha-dae");
    let samples = (end / step).round() as usize;
    let outcome = run(&rotor, contestant, Steps::Fixed(step), end, samples, LIMIT)?;
    report.compare(
        "rotor with alpha-dae and a step of 4e-4 s",
        "runs",
        format!("{} steps, {} repeated{}", outcome.summary.steps, outcome.summary.retries, trouble(&outcome)),
        outcome.trouble.is_none(),
        "it fails",
    );
    let (Some(y), Some(t)) = (outcome.recording.column("disk.y"), outcome.recording.column("t")) else {
        return Err("the disk has no y".into());
    };
    // largest |y| around each speed, ω = α t
    let alpha = 80.0;
    let window = (0.025 / step) as usize;
    let mut speed = Vec::new();
    let mut amplitude = Vec::new();
    for (y, t) in y.chunks(window).zip(t.chunks(window)) {
        speed.push(alpha * t[t.len() / 2]);
        amplitude.push(y.iter().fold(0.0_f64, |most, y| most.max(y.abs())));
    }
    if end > 4.0 {
        let peak =
            (0..amplitude.len()).fold(0, |best, i| if amplitude[i] > amplitude[best] { i } else { best });
        let critical = critical_speed();
        report.compare(
            "speed of the largest amplitude (rad/s)",
            format!("the critical one, {critical:.0} in closed form; passed at 80 rad/s², 270"),
            format!("{:.0}", speed[peak]),
            (speed[peak] / 270.0 - 1.0).abs() < 0.02,
            "the phase of 60 steps per swing is off",
        );
        report.compare(
            "largest amplitude (m)",
            "1.73e-4 by one degree of freedom; 2.2e-4 at a constant critical speed",
            format!("{:.2e}", amplitude[peak]),
            (amplitude[peak] / 1.7317e-4 - 1.0).abs() < 0.05,
            "numerical damping of a step of 4e-4 s",
        );
    }
    let panel = Panel::new(
        "[Haddouni2015] Fig. 3.16: amplitude of the rotor while it speeds up",
        "",
        linear("speed (rad/s)"),
        linear("amplitude (m)"),
    );
    let series = Series::new(
        "Amplitude of the rotor over its speed (Fig. 3.16)",
        [("speed (rad/s)".to_string(), speed), ("amplitude (m)".to_string(), amplitude)],
    );
    report.series.push(series.drawn(panel, |_| Some("ours".to_string())));
    progress(1.0);
    Ok(())
}

/// √(k/m) of disk and shaft on the bearing, with the data of the gallery: 0.49 of the shaft's mass moves with the disk.
fn critical_speed() -> f64 {
    let (L, r, E, rho, M, k_b) = (0.4, 0.01_f64, 2e11, 7800.0, 16.47, 5e6);
    let (A, I) = (std::f64::consts::PI * r * r, 0.25 * std::f64::consts::PI * r.powi(4));
    let k = 1.0 / (L * L * L / (48.0 * E * I) + 1.0 / (4.0 * k_b));
    (k / (M + 0.49 * rho * A * L)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    /// A fifteenth of the run: explicit steps stand at their limits of stability, implicit ones are ten times longer at least.
    #[test]
    fn a_sample_has_the_steps_of_the_table() {
        let mut report = StudyReport::default();
        fill(&mut report, 1.0, &mut |_| ()).expect("the runs end");
        let verdict = |what: &str| {
            let row = report.rows.iter().find(|row| row.what.starts_with(what)).expect("it is in the table");
            row.verdict == Verdict::Agrees
        };
        assert!(verdict("step of HEM5 over that of RK4"));
        assert!(verdict("rotor with hem5") && verdict("rotor with rk4") && verdict("rotor with alpha-dae"));
        // round-off in positions is no reason to repeat a step (it was: at rest there are no velocities to measure by)
        let stiff =
            report.rows.iter().find(|row| row.what.starts_with("rotor with alpha-dae")).expect("it is there");
        assert_eq!(stiff.ours, "500 steps, 0 repeated");
        assert!((critical_speed() - 256.0).abs() < 1.0);
        let times_longer = |row: &&crate::Row| row.what.contains("alpha-dae, rho 0.8 over that of RK4");
        for row in report.rows.iter().filter(times_longer) {
            assert!(row.ours.parse::<f64>().expect("a number") > 5.0, "{row:?}");
        }
    }
}
