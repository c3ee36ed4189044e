//! The rigid crank-slider with clearance of [Chen2013] §5.6.1 (Figs 16, 17).
//!
//! Crank, rod and slider as rigid bodies in absolute coordinates, three ideal pivots, a slider of 0.1 m × 0.05 m between
//! walls 0.052 m apart: four corner contacts without friction, e = 0.4, g = 10 m/s². The crank starts at 150 rad/s, the
//! rod at −75 rad/s, everything on the axis. The source prints pictures only; what its text says of them is checked, and
//! the runs of the three schemes at 1e-4 s are measured against Moreau–Jean at 1e-5 s, as there.
//!
//! Every `impact` is an event of the recorder: a contact that was open in the step before takes an impulse.
//!
//! Errata: the source swaps 2a and 2b against [RezaeiSchindler], and "centre of the crank" in Fig. 17 is taken as centre
//! of the slider.

use crate::figure::{Panel, linear};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{CHEN, MOREAU, Method, NONSMOOTH_NEWMARK, watch};
use carom_dynamics::{Configuration, EventKind, System};
use carom_model::Description;
use carom_model::description::{Body, Ground, Joint, Point, Prismatic, Revolute};
use indexmap::IndexMap;
use std::f64::consts::TAU;

const CRANK: f64 = 0.153;
const ROD: f64 = 0.306;
const SLIDER: [f64; 2] = [0.1, 0.05];
const CLEARANCE: f64 = 0.001;
const RESTITUTION: f64 = 0.4;
const OMEGA: [f64; 2] = [150.0, -75.0];
const STEP: f64 = 1e-4;
/// Long enough for two revolutions (s).
const END: f64 = 0.17;
/// A corner that is pressed over this many steps of 1e-4 s in a row is closed, not hit.
const CLOSED: f64 = 5.0 * STEP;

/// Generalized-α with joints along the mean of G.
const CENTRAL: Method = Method {
    label: "generalized-alpha, joints along the mean",
    scheme: "generalized-alpha",
    parameters: &[("rho", 0.8)],
};

fn crank_slider() -> Description {
    let bar = |mass: f64, inertia: f64, length: f64, left: f64, velocity: f64, omega: f64| Body {
        mass,
        inertia: Some(inertia),
        position: [left + 0.5 * length, 0.0],
        velocity: [0.0, velocity],
        angular_velocity: omega,
        points: IndexMap::from([
            ("left".to_string(), Point::At([-0.5 * length, 0.0])),
            ("right".to_string(), Point::At([0.5 * length, 0.0])),
        ]),
        ..Default::default()
    };
    let tip = OMEGA[0] * CRANK;
    let slider = Body {
        mass: 0.076,
        inertia: Some(2.7e-6),
        position: [CRANK + ROD, 0.0],
        points: IndexMap::from([("centre".to_string(), Point::At([0.0, 0.0]))]),
        ..Default::default()
    };
    let pivot = |a: &str, b: &str| {
        Joint::Revolute(Revolute {
            between: [a.into(), b.into()],
            clearance: None,
            restitution: 0.0,
            friction: 0.0,
            pin_radius: 0.0,
            friction_torque: 0.0,
            ..Revolute::default()
        })
    };
    let guide = Joint::Prismatic(Prismatic {
        between: ["ground.bearing".into(), "slider.centre".into()],
        clearance: Some(CLEARANCE),
        size: Some(SLIDER),
        restitution: RESTITUTION,
        friction: 0.0,
        friction_force: 0.0,
        ..Prismatic::default()
    });
    Description {
        version: 1,
        gravity: [0.0, -10.0],
        ground: Ground {
            points: IndexMap::from([("bearing".to_string(), Point::At([0.0, 0.0]))]),
            ..Default::default()
        },
        bodies: IndexMap::from([
            ("crank".to_string(), bar(0.038, 7.4e-5, CRANK, 0.0, 0.5 * tip, OMEGA[0])),
            ("rod".to_string(), bar(0.038, 5.9e-4, ROD, CRANK, tip + 0.5 * OMEGA[1] * ROD, OMEGA[1])),
            ("slider".to_string(), slider),
        ]),
        joints: IndexMap::from([
            ("bearing".to_string(), pivot("ground.bearing", "crank.left")),
            ("crank-pin".to_string(), pivot("crank.right", "rod.left")),
            ("wrist-pin".to_string(), pivot("rod.right", "slider.centre")),
            ("guide".to_string(), guide),
        ]),
        ..Default::default()
    }
}

/// What is kept of a run, at multiples of 1e-4 s until two revolutions are over.
#[derive(Debug, Default)]
struct Trace {
    t: Vec<f64>,
    crank_angle: Vec<f64>,
    crank_speed: Vec<f64>,
    slider_x: Vec<f64>,
    gaps: [Vec<f64>; 4],
    /// Impacts and longest time pressed per corner, within the two revolutions.
    impacts: [usize; 4],
    closed: [f64; 4],
    penetration: f64,
    /// Energy the scheme lost until the end of the run, relative to the energy at the start.
    loss: f64,
}

fn trace(mechanism: &Mechanism, method: Method, step: f64) -> Result<Trace, String> {
    let model = &mechanism.model;
    let crank = model.coordinates_of("crank").ok_or("no crank")?.start + 2;
    let slider = model.coordinates_of("slider").ok_or("no slider")?.start;
    let every = (STEP / step).round() as usize;
    let mut at = Configuration::new(model, 0.0, &mechanism.q, &mechanism.v);
    let mut trace = Trace::default();
    let mut pressed = [0.0; 4];
    let mut gaps = [0.0; 4];
    let mut n = 0;
    let simulation = watch(model, method, mechanism.start(), step, END, |state, _| {
        if state.q[crank] > 2.0 * TAU {
            return;
        }
        at.move_to(model, state.t, &state.q);
        model.gaps(&at, &mut gaps);
        for i in 0..4 {
            trace.penetration = trace.penetration.max(-gaps[i]);
            pressed[i] = if state.P[i] > 0.0 { pressed[i] + step } else { 0.0 };
            trace.closed[i] = trace.closed[i].max(pressed[i]);
        }
        if n % every == 0 {
            trace.t.push(state.t);
            trace.crank_angle.push(state.q[crank]);
            trace.crank_speed.push(state.v[crank]);
            trace.slider_x.push(state.q[slider]);
            for i in 0..4 {
                trace.gaps[i].push(gaps[i]);
            }
        }
        n += 1;
    })?;
    let over = trace.t.last().copied().unwrap_or(0.0);
    for event in simulation.recording().events {
        if event.kind == EventKind::Impact && event.t <= over {
            let corner = model.structure().contacts.iter().position(|c| c.name == event.subject);
            trace.impacts[corner.ok_or("an impact of no contact")?] += 1;
        }
    }
    let audit = simulation.summary().audit;
    trace.loss = audit.numerical_loss / audit.energy_start;
    Ok(trace)
}

/// Σ |a − b| / Σ |b| over the samples both have.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let top: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
    top / b.iter().zip(a).map(|(b, _)| b.abs()).sum::<f64>()
}

/// Of crank speed and slider position.
fn differences(a: &Trace, b: &Trace) -> (f64, f64) {
    (difference(&a.crank_speed, &b.crank_speed), difference(&a.slider_x, &b.slider_x))
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let mechanism = Mechanism::new(&crank_slider())?;
    let fine = trace(&mechanism, MOREAU, 0.1 * STEP)?;
    progress(0.4);
    let mut traces = Vec::new();
    for (i, method) in CHEN.into_iter().enumerate() {
        traces.push((method.label, trace(&mechanism, method, STEP)?));
        progress(0.4 + 0.1 * (i + 1) as f64);
    }
    let finest = trace(&mechanism, CHEN[0], 0.01 * STEP)?;
    progress(1.0);
    let all = traces.iter().map(|(label, t)| (format!("{label}, 1e-4 s"), t));
    let all: Vec<_> = all.chain([("Moreau-Jean, 1e-5 s".to_string(), &fine)]).collect();
    for (label, trace) in &all {
        let least = trace.impacts.iter().min().copied().unwrap_or(0);
        report.compare(
            format!("impacts at corners 1-4, {label}"),
            "several at each of the four (Fig. 16)",
            format!("{:?}", trace.impacts),
            least >= 2,
            "a corner is not hit more than once",
        );
        report.compare(
            format!("longest closed contact at corners 1-4, {label}"),
            "closed contacts at all four (Fig. 16)",
            trace.closed.map(|t| format!("{:.1} ms", 1e3 * t)).join(", "),
            trace.closed.iter().all(|t| *t >= CLOSED),
            "a corner never stays closed for 0.5 ms",
        );
    }
    for (label, trace) in &traces[1..] {
        let (speed, position) = differences(trace, &traces[0].1);
        report.compare(
            format!("difference to generalized-alpha at 1e-4 s, crank speed and slider position, {label}"),
            "the three schemes agree (Figs 16, 17)",
            format!("{speed:.1e} and {position:.1e} (relative, L1)"),
            speed < 0.01 && position < 0.01,
            "more than 1 %, which a figure would show",
        );
    }
    for (label, trace) in &traces {
        let (speed, position) = differences(trace, &fine);
        report.fact(
            format!("difference to Moreau-Jean at 1e-5 s, crank speed and slider position, {label}"),
            format!("{speed:.1e} and {position:.1e} (relative, L1)"),
        );
    }
    let twin = trace(&mechanism, NONSMOOTH_NEWMARK, STEP)?;
    let (speed, position) = differences(&twin, &traces[0].1);
    report.fact(
        format!(
            "difference to generalized-alpha at 1e-4 s, crank speed and slider position, {}",
            NONSMOOTH_NEWMARK.label
        ),
        format!("{speed:.1e} and {position:.1e} (relative, L1)"),
    );
    let (speed, position) = differences(&fine, &finest);
    report.fact(
        "difference of Moreau-Jean at 1e-5 s to generalized-alpha at 1e-6 s, crank speed and slider position",
        format!("{speed:.1e} and {position:.1e} (relative, L1)"),
    );
    let central = trace(&mechanism, CENTRAL, STEP)?;
    let more = [
        ("generalized-alpha, 1e-6 s".to_string(), &finest),
        (format!("{}, 1e-4 s", CENTRAL.label), &central),
    ];
    for (label, trace) in all.iter().chain(&more) {
        report.fact(
            format!("after two revolutions, {label}"),
            format!(
                "t = {:.4} s, crank speed {:.2} rad/s, deepest penetration {:.1e} m, energy lost by the scheme in {END} s {:.1} %",
                trace.t.last().copied().unwrap_or(f64::NAN),
                trace.crank_speed.last().copied().unwrap_or(f64::NAN),
                trace.penetration,
                1e2 * trace.loss
            ),
        );
    }
    for (label, trace) in all {
        let mut columns = vec![
            ("t (s)".to_string(), trace.t.clone()),
            ("crank angle (rad)".to_string(), trace.crank_angle.clone()),
            ("crank speed (rad/s)".to_string(), trace.crank_speed.clone()),
            ("slider x (m)".to_string(), trace.slider_x.clone()),
        ];
        for (i, gap) in trace.gaps.iter().enumerate() {
            columns.push((format!("gap of corner {} (m)", i + 1), gap.clone()));
        }
        let mut series = Series::new(&format!("Figs 16 and 17: {label}"), columns);
        for name in ["crank speed (rad/s)", "slider x (m)"] {
            let figure = "[Chen2013] Fig. 16: crank speed and place of the slider";
            let panel = Panel::new(figure, "", linear("t (s)"), linear(name)).of(name);
            series = series.drawn(panel, |column| (column == name).then(|| label.clone()));
        }
        for i in 1..=4 {
            let figure = "[Chen2013] Fig. 17: gaps of the four corners";
            let panel = Panel::new(figure, &format!("corner {i}"), linear("t (s)"), linear("gap (m)"));
            let name = format!("gap of corner {i} (m)");
            series = series.drawn(panel, |column| (column == name).then(|| label.clone()));
        }
        report.series.push(series);
    }
    report.note(
        "The figures of the source are pictures; what its text says of them is checked. Later impacts depend \
         sensitively on earlier ones, so numbers of impacts differ between schemes and steps.",
    );
    report.note(
        "Where gravity is the only smooth force all members of the nonsmooth family make the same step; the fully implicit Newmark, \
         which has reactions in its acceleration, does not. Joints act along G at the end of the step, as published, which costs \
         1/2 (omega h)^2 of the kinetic energy in a step; along the mean of both ends it does not.",
    );
    Ok(())
}
