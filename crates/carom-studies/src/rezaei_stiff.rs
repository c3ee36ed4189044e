//! Three masses, the last on a stiff spring (a) or held by a joint (b).              [RezaeiSchindler] §2.8, Figs 15–18
//!
//! (a) says what a scheme does with a mode it cannot resolve (503.3 Hz at dt = 1e-3 s) beside modes that it resolves well.
//! (b) says what it does with a joint. The source starts generalized-α with accelerations that ignore the joint, (25);
//! its drift, its offset and the oscillation of its force come from there. Each scheme therefore runs from this start
//! and from a consistent one.

use crate::acceleration_level::Held;
use crate::figure::{Panel, between, linear};
use crate::report::{Series, StudyReport};
use crate::running::{Method, Trouble};
use crate::stiff_exact::{Modes, held};
use carom_dynamics::{Configuration, ContactStage, State, Stepper, System, scheme, spectrum};
use carom_systems::{Stiff3Dof, Wall};

const MASS: f64 = 1.0;
const GRAVITY: f64 = 9.81;
/// Model (a).
const SOFT_A: f64 = 1.0;
const STIFF: f64 = 1e7;
const STEP_A: f64 = 1e-3;
/// Model (b); k = 1 N/m is printed, but the printed 0.8717 Hz and dt/T = 0.0436 are those of 10 N/m and 0.05 s.
const SOFT_B: f64 = 10.0;
const STEP_B: f64 = 0.05;
const END: f64 = 10.0;
/// What is left of an oscillation that is gone.
const GONE: f64 = 0.01;
/// "A few time steps", for the verdict.
const FEW: usize = 10;

const fn alpha(label: &'static str, parameters: &'static [(&'static str, f64)]) -> Method {
    Method { label, scheme: "mixed-alpha", parameters }
}

const ALPHA_1: Method = alpha("mixed-alpha, rho = 1", &[("rho", 1.0), ("published", 1.0)]);
const ALPHA_08: Method = alpha("mixed-alpha, rho = 0.8", &[("rho", 0.8), ("published", 1.0)]);
const ALPHA_0: Method = alpha("mixed-alpha, rho = 0", &[("rho", 0.0), ("published", 1.0)]);
const BATHE: Method = Method { label: "bathe", scheme: "bathe", parameters: &[("published", 1.0)] };
const ED: Method = Method { label: "ed-alpha, rho = 0", scheme: "ed-alpha", parameters: &[("rho", 0.0)] };
const HALF: Method = Method { label: "half-explicit", scheme: "half-explicit", parameters: &[] };
const HALF_ACCELERATION: Method =
    Method { label: "half-explicit-acceleration", scheme: "half-explicit-acceleration", parameters: &[] };

/// The methods of Figs 15 and 16.
const FIGURE_15: [Method; 4] = [ALPHA_08, ALPHA_0, BATHE, ED];

/// Where a scheme gets its first accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    /// From all forces and the joints.
    Consistent,
    /// From the forces alone, as if there were no joint. (25)
    Published,
}

/// A state with the accelerations that belong to it: q, v, a, force of the joint (0 without one).
struct Sample {
    t: f64,
    q: [f64; 3],
    v: [f64; 3],
    a: [f64; 3],
    force: f64,
}

fn begin(system: &dyn System, method: Method) -> Result<(Box<dyn Stepper>, ContactStage, State), Trouble> {
    let mut state = State::new(system, 0.0, vec![0.0; 3], vec![0.0; 3]);
    let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
    let mut stage = ContactStage::new(system, solver);
    let scheme = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
    let stepper = scheme.start(system, &mut stage, &mut state).map_err(|e| e.to_string())?;
    Ok((stepper, stage, state))
}

/// Runs from rest and gives the ends of all steps. The published start is what the scheme remembers when it starts
/// on the same masses without the joint.
fn run_from(
    system: &Stiff3Dof,
    method: Method,
    from: Start,
    dt: f64,
    steps: usize,
) -> Result<Vec<Sample>, Trouble> {
    let (mut scheme, mut stage, mut state) = begin(system, method)?;
    if from == Start::Published {
        let free = Stiff3Dof::new(SOFT_B, MASS, GRAVITY, Wall::Spring(0.0));
        state.memory = begin(&free, method)?.2.memory;
    }
    let mut at = Configuration::new(system, 0.0, &state.q, &state.v);
    let mut samples = Vec::with_capacity(steps);
    let mut h = [0.0; 3];
    for n in 1..=steps {
        scheme.step(system, &mut stage, &mut state, dt).map_err(|e| e.to_string())?;
        state.t = n as f64 * dt;
        // m a = h + λ e3
        at.move_to(system, state.t, &state.q);
        at.v.copy_from_slice(&state.v);
        system.force(&at, &mut h);
        let force = state.lambda_b.first().copied().unwrap_or(0.0);
        let three = |x: &[f64]| [x[0], x[1], x[2]];
        let a = [h[0] / MASS, h[1] / MASS, (h[2] + force) / MASS];
        samples.push(Sample { t: state.t, q: three(&state.q), v: three(&state.v), a, force });
    }
    Ok(samples)
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    frequencies(report);
    soft_masses(report)?;
    progress(0.5);
    stiff_mass(report)?;
    progress(0.7);
    drift(report)?;
    progress(0.8);
    forces(report)?;
    report.note(
        "The published start of generalized-alpha, (25), computes a_0 without the force of the joint. The residual velocity \
         and the drift at acceleration level, the offset and the oscillating force at velocity level all come from it, \
         and none of them is there with a consistent start, which the schemes of the registry make. What is held in its \
         accelerations alone still drifts where the joint is not linear: see rezaei-orders.",
    );
    report.note(
        "Model (b) has springs of 10 N/m and steps of 0.05 s, as the printed frequency and dt/T need, not the printed 1 N/m.",
    );
    Ok(())
}

fn frequencies(report: &mut StudyReport) {
    let stiff = Modes::new(SOFT_A, STIFF, MASS, GRAVITY).highest();
    report.compare(
        "highest frequency of model (a) (Hz)",
        "503.3",
        format!("{stiff:.4}"),
        (stiff - 503.3).abs() < 0.05,
        "another frequency",
    );
    let of = |k: f64| (3.0 * k / MASS).sqrt() / std::f64::consts::TAU;
    report.compare(
        "highest frequency of model (b) (Hz), k = 10 N/m",
        "0.8717",
        format!("{:.4} (with the printed k = 1 N/m: {:.4})", of(SOFT_B), of(1.0)),
        (of(SOFT_B) - 0.8717).abs() < 5e-5,
        "another frequency",
    );
    let ratio = STEP_B * of(SOFT_B);
    report.compare(
        "dt/T of model (b), dt = 0.05 s",
        "0.0436",
        format!("{ratio:.4}"),
        (ratio - 0.0436).abs() < 5e-5,
        "another ratio",
    );
}

/// By how much later than the exact solution a curve runs, over the samples given: least squares of x − x_exact = −τ x'.
fn lag(samples: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
    let (above, below) =
        samples.fold((0.0, 0.0), |(a, b), (x, exact, rate)| (a + (x - exact) * rate, b + rate * rate));
    -above / below
}

/// Fig. 15.
fn soft_masses(report: &mut StudyReport) -> Result<(), Trouble> {
    for dt in [STEP_A, STEP_B] {
        let system = Stiff3Dof::new(SOFT_A, MASS, GRAVITY, Wall::Spring(STIFF));
        let modes = Modes::new(SOFT_A, STIFF, MASS, GRAVITY);
        let steps = (END / dt).round() as usize;
        let every = (steps / 500).max(1);
        let mut lags = Vec::new();
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for method in FIGURE_15 {
            let samples = run_from(&system, method, Start::Consistent, dt, steps)?;
            lags.push(lag(samples.iter().skip(steps / 4).map(|s| {
                let [q, v, _] = modes.at(s.t);
                (s.q[0], q[0], v[0])
            })));
            let kept = || samples.iter().skip(every - 1).step_by(every);
            if columns.is_empty() {
                let times: Vec<f64> = kept().map(|s| s.t).collect();
                for (level, name) in ["q", "v", "a"].iter().enumerate() {
                    for i in 0..2 {
                        let exact = times.iter().map(|t| modes.at(*t)[level][i]).collect();
                        columns.push((format!("{name}{}, exact", i + 1), exact));
                    }
                }
                columns.insert(0, ("t (s)".to_string(), times));
            }
            for i in 0..2 {
                let label = |name: &str| format!("{name}{}, {}", i + 1, method.label);
                columns.push((label("q"), kept().map(|s| s.q[i]).collect()));
                columns.push((label("v"), kept().map(|s| s.v[i]).collect()));
                columns.push((label("a"), kept().map(|s| s.a[i]).collect()));
            }
        }
        let listed: Vec<_> =
            FIGURE_15.iter().zip(&lags).map(|(m, lag)| format!("{} {lag:.1e}", m.label)).collect();
        let least = lags.iter().fold(f64::INFINITY, |least, lag| least.min(lag.abs()));
        report.compare(
            format!("phase shift of masses 1 and 2 smallest for ED-alpha, dt = {dt} s"),
            "yes (Fig. 15)",
            format!("mean delay over the last 3/4 of 10 s: {} s", listed.join(", ")),
            lags[3].abs() == least,
            "another scheme has less",
        );
        let mut series = Series::new(&format!("Fig. 15: masses 1 and 2, model (a), dt = {dt} s"), columns);
        for (name, up) in
            [("q1", "m"), ("q2", "m"), ("v1", "m/s"), ("v2", "m/s"), ("a1", "m/s²"), ("a2", "m/s²")]
        {
            let figure = format!("[RezaeiSchindler] Fig. 15: masses 1 and 2, model (a), dt = {dt} s");
            let panel = Panel::new(&figure, "", linear("t (s)"), linear(&format!("{name} ({up})"))).of(name);
            series = series.drawn(panel, |column| between(column, &format!("{name}, "), ""));
        }
        report.series.push(series);
    }
    Ok(())
}

/// Fig. 16.
fn stiff_mass(report: &mut StudyReport) -> Result<(), Trouble> {
    let system = Stiff3Dof::new(SOFT_A, MASS, GRAVITY, Wall::Spring(STIFF));
    let modes = Modes::new(SOFT_A, STIFF, MASS, GRAVITY);
    let steps = 200;
    let shown = 50;
    let mut columns = vec![("t (s)".to_string(), (1..=shown).map(|n| n as f64 * STEP_A).collect::<Vec<_>>())];
    columns.push(("exact (m)".into(), columns[0].1.iter().map(|t| modes.at(*t)[0][2]).collect()));
    for method in FIGURE_15 {
        let samples = run_from(&system, method, Start::Consistent, STEP_A, steps)?;
        // what is left of the vibration about the place where mass 3 would rest
        let amplitude = MASS * GRAVITY / STIFF;
        let left = |s: &Sample| {
            let rest = (MASS * GRAVITY + SOFT_A * s.q[1]) / (SOFT_A + STIFF);
            (s.q[2] - rest).abs() / amplitude
        };
        let last = samples.iter().rposition(|s| left(s) > GONE).map_or(0, |n| n + 1);
        let one = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
        let Omega_over_2pi = STEP_A * modes.highest();
        let radius =
            spectrum(one.as_ref(), 0.0, &[Omega_over_2pi]).map_err(|e| e.to_string())?.points[0].radius;
        let ours = if last < steps {
            format!(
                "below 1 % after {last} steps (spectral radius {radius:.3} at dt/T = {Omega_over_2pi:.3})"
            )
        } else {
            let most = samples[steps - 10..].iter().map(left).fold(0.0, f64::max);
            format!("{:.0} % after {steps} steps (spectral radius {radius:.3})", 100.0 * most)
        };
        let damps = method.label != ALPHA_08.label;
        report.compare(
            format!("vibration of mass 3 at 503.3 Hz, {}", method.label),
            if damps { "damped out in a few steps (Fig. 16)" } else { "represented (Fig. 16)" },
            ours,
            if damps { last <= FEW } else { last > FEW },
            "it takes more steps: at dt/T = 0.5 the scheme has not reached its high-frequency limit",
        );
        columns.push((format!("{} (m)", method.label), samples.iter().take(shown).map(|s| s.q[2]).collect()));
    }
    let figure_16 = || {
        let figure = "[RezaeiSchindler] Fig. 16: displacement of mass 3, model (a), dt = 1e-3 s";
        Panel::new(figure, "", linear("t (s)"), linear("q3 (m)"))
    };
    let series = Series::new("Fig. 16: displacement of mass 3, model (a), dt = 1e-3 s", columns);
    report.series.push(
        series.drawn(figure_16(), |name| {
            Some(name.trim_end_matches(" (m)").to_string()).filter(|n| n != "exact")
        }),
    );
    let half = scheme(HALF.scheme, HALF.parameters).map_err(|e| e.to_string())?;
    let radius = spectrum(half.as_ref(), 0.0, &[STEP_A * modes.highest()]).map_err(|e| e.to_string())?.points
        [0]
    .radius;
    report.fact(
        "half-explicit on model (a): spectral radius at 503.3 Hz, dt = 1e-3 s",
        format!(
            "{radius:.2}: {}",
            if radius > 1.0 { "unstable, the step is too large for it" } else { "stable" }
        ),
    );
    let fine: Vec<f64> = (0..=500).map(|n| f64::from(n) * 1e-4).collect();
    let exact = fine.iter().map(|t| modes.at(*t)[0][2]).collect();
    let series = Series::new(
        "Fig. 16: exact displacement of mass 3 every 1e-4 s",
        [("t (s)".to_string(), fine), ("exact (m)".to_string(), exact)],
    );
    report.series.push(series.drawn(figure_16(), |_| Some("exact".to_string())));
    Ok(())
}

fn model_b() -> Stiff3Dof {
    Stiff3Dof::new(SOFT_B, MASS, GRAVITY, Wall::Joint)
}

fn steps_b() -> usize {
    (END / STEP_B).round() as usize
}

/// Generalized-α at acceleration level on model (b).
fn at_acceleration_level(rho: f64, from: Start) -> Vec<Sample> {
    let mut samples = Vec::new();
    let model = Held { k: SOFT_B, m: MASS, gravity: GRAVITY };
    model.run(rho, from == Start::Consistent, STEP_B, steps_b(), &mut |t, q, v, a, force| {
        samples.push(Sample { t, q, v, a, force });
    });
    samples
}

/// Fig. 17.
fn drift(report: &mut StudyReport) -> Result<(), Trouble> {
    let system = model_b();
    let half = steps_b() / 2;
    let mut columns =
        vec![("t (s)".to_string(), (1..=steps_b()).map(|n| n as f64 * STEP_B).collect::<Vec<_>>())];
    let mut worst = 0.0_f64;
    for rho in [1.0, 0.8, 0.0] {
        let samples = at_acceleration_level(rho, Start::Published);
        let (middle, end) = (&samples[half - 1], &samples[2 * half - 1]);
        // transients of A die out like ρ^n; for ρ = 1 they alternate, so the mean counts
        let rate = (end.q[2] - middle.q[2]) / (end.t - middle.t);
        report.compare(
            format!("acceleration level, rho = {rho}: velocity of mass 3 constant, displacement linear"),
            "yes (Fig. 17)",
            format!("v3 {:.4} m/s at 5 s, {:.4} at 10 s; q3 grows by {rate:.4} m/s", middle.v[2], end.v[2]),
            rate.abs() > 1e-3 && (end.v[2] - middle.v[2]).abs() < 1e-6,
            "no residual velocity, or none that is constant",
        );
        let samples_consistent = at_acceleration_level(rho, Start::Consistent);
        worst = samples_consistent.iter().fold(worst, |most, s| most.max(s.q[2].abs()));
        if rho == 0.8 {
            for (name, samples) in [("published", &samples), ("consistent", &samples_consistent)] {
                columns.push((
                    format!("q3, acceleration level, {name} start (m)"),
                    samples.iter().map(|s| s.q[2]).collect(),
                ));
                columns.push((
                    format!("v3, acceleration level, {name} start (m/s)"),
                    samples.iter().map(|s| s.v[2]).collect(),
                ));
            }
        }
    }
    report.fact(
        "acceleration level, consistent a_0: largest |q3| for rho = 1, 0.8 and 0 (m)",
        format!("{worst:.0e}"),
    );
    let mut worst = 0.0_f64;
    for method in [ALPHA_1, ALPHA_08, ALPHA_0, BATHE, ED] {
        let samples = run_from(&system, method, Start::Published, STEP_B, steps_b())?;
        let (middle, end) = (&samples[half - 1], &samples[2 * half - 1]);
        let consistent = run_from(&system, method, Start::Consistent, STEP_B, steps_b())?;
        worst = consistent.iter().fold(worst, |most, s| most.max(s.q[2].abs()));
        if method.scheme == "mixed-alpha" && method.label != ALPHA_1.label {
            report.compare(
                format!("velocity level, {}: offset of mass 3 constant", method.label),
                "yes (Fig. 17)",
                format!("q3 {:.2e} m at 5 s, {:.2e} at 10 s; v3 {:.0e} m/s", middle.q[2], end.q[2], end.v[2]),
                (end.q[2] - middle.q[2]).abs() < 1e-9 && end.q[2].abs() > 1e-6 && end.v[2].abs() < 1e-12,
                "no offset, or none that is constant",
            );
        } else {
            report.fact(
                format!("velocity level, {}: offset of mass 3 (m)", method.label),
                format!("{:.0e}", end.q[2]),
            );
        }
        for (name, samples) in [("published", &samples), ("consistent", &consistent)] {
            columns.push((
                format!("q3, {}, {name} start (m)", method.label),
                samples.iter().map(|s| s.q[2]).collect(),
            ));
        }
    }
    report.fact("velocity level, consistent a_0: largest |q3| for all of them (m)", format!("{worst:.0e}"));
    for method in [HALF, HALF_ACCELERATION] {
        let samples = run_from(&system, method, Start::Consistent, STEP_B, steps_b())?;
        let worst = samples.iter().fold(0.0_f64, |most, s| most.max(s.q[2].abs()));
        report.fact(
            format!("{}, which remembers no acceleration: largest |q3| (m)", method.label),
            format!("{worst:.0e}"),
        );
    }
    let mut series = Series::new("Fig. 17: displacement of mass 3, model (b), dt = 0.05 s", columns);
    for start in ["published", "consistent"] {
        let figure = "[RezaeiSchindler] Fig. 17: displacement of mass 3, model (b), dt = 0.05 s";
        let panel = Panel::new(figure, &format!("{start} start"), linear("t (s)"), linear("q3 (m)"));
        series = series.drawn(panel, |name| between(name, "q3, ", &format!(", {start} start (m)")));
    }
    report.series.push(series);
    Ok(())
}

/// Amplitude of the part of e = λ − λ_exact that changes sign from step to step, largest over samples `range`.
fn sawtooth(samples: &[Sample], range: std::ops::Range<usize>) -> f64 {
    let error = |s: &Sample| s.force - held(SOFT_B, MASS, GRAVITY, s.t).1;
    let bend = |w: &[Sample]| (error(&w[0]) - 2.0 * error(&w[1]) + error(&w[2])).abs() / 4.0;
    samples[range].windows(3).map(bend).fold(0.0, f64::max)
}

/// Fig. 18.
fn forces(report: &mut StudyReport) -> Result<(), Trouble> {
    let system = model_b();
    let steps = steps_b();
    let second = (1.0 / STEP_B).round() as usize;
    let size = 2.0 * MASS * GRAVITY;
    let mut columns = vec![("t (s)".to_string(), (1..=steps).map(|n| n as f64 * STEP_B).collect::<Vec<_>>())];
    let exact = columns[0].1.iter().map(|t| held(SOFT_B, MASS, GRAVITY, *t).1).collect();
    columns.push(("exact (N)".into(), exact));
    for rho in [1.0, 0.0] {
        let samples = at_acceleration_level(rho, Start::Published);
        let oscillation = sawtooth(&samples, 0..steps);
        report.compare(
            format!("force of the joint, acceleration level, rho = {rho}: oscillates?"),
            "no, follows the reference (Fig. 18)",
            format!("alternating part at most {:.1} % of the mean force", 100.0 * oscillation / size),
            oscillation < 0.02 * size,
            "it oscillates",
        );
        columns.push((
            format!("acceleration level, rho = {rho} (N)"),
            samples.iter().map(|s| s.force).collect(),
        ));
    }
    for (method, oscillates) in [
        (ALPHA_1, Some(true)),
        (ALPHA_08, None),
        (ALPHA_0, Some(false)),
        (BATHE, Some(false)),
        (ED, Some(false)),
    ] {
        let samples = run_from(&system, method, Start::Published, STEP_B, steps)?;
        let consistent = run_from(&system, method, Start::Consistent, STEP_B, steps)?;
        // the first step carries the jump of the start in all of them
        let [first, last] = [1..second, steps - second..steps].map(|range| sawtooth(&samples, range));
        let percent = |x: f64| 100.0 * x / size;
        let ours = format!(
            "alternating part {:.2} % of the mean force in the first second, {:.2} % in the last; with a consistent start {:.2} % at most",
            percent(first),
            percent(last),
            percent(sawtooth(&consistent, 0..steps))
        );
        let what = format!("force of the joint, velocity level, {}: oscillates?", method.label);
        match oscillates {
            Some(true) => {
                report.compare(what, "yes (Fig. 18)", ours, last > 0.1 * size, "it does not oscillate");
            }
            Some(false) => {
                report.compare(what, "no (Fig. 18, text)", ours, last < 0.01 * size, "it oscillates");
            }
            None => report.fact(what, ours),
        }
        for (name, samples) in [("published", &samples), ("consistent", &consistent)] {
            columns.push((
                format!("{}, {name} start (N)", method.label),
                samples.iter().map(|s| s.force).collect(),
            ));
        }
    }
    let mut series = Series::new("Fig. 18: force of the joint, model (b), dt = 0.05 s", columns);
    for start in ["published", "consistent"] {
        let figure = "[RezaeiSchindler] Fig. 18: force of the joint, model (b), dt = 0.05 s";
        let panel = Panel::new(figure, &format!("{start} start"), linear("t (s)"), linear("force (N)"));
        series = series.drawn(panel, |name| between(name, "", &format!(", {start} start (N)")));
    }
    report.series.push(series);
    Ok(())
}
