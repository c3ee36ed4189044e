//! The contact formulations of [Ebrahimi2007] side by side, on motions that are known.
//!
//! ```text
//!   ball       dropped without weight on a floor: −U⁺/U⁻ = e; without restitution, what comes back instead
//!   incline    tan α = 1.2 μ: x = ½ g (sin α − μ cos α) t²;     tan α = 0.9 μ: x = 0
//!   disks      two equal rigid disks, head on: they leave with (1 − e)/2 and (1 + e)/2 of the speed
//!   bar        an elastic bar meets a wall: force ρ c A v for 2 L/c, then it leaves as it came
//! ```
//!
//! The solids of the source follow in `solids`. The bar stands before them because the whole history of its force is known. Its steps are measured by Ω = dt ω of its highest frequency, √12 c/l. A
//! step *serves* if the run needs no smaller one in between and the bar leaves with the speed that the mesh gives it at
//! short steps, to [`SERVES`], for three places of the first touch in its step.

mod solids;

use crate::figure::{Panel, linear};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{Method, start, watch};
use crate::stack::Stack;
use carom_dynamics::{Settings, Simulation, State, Stop, scheme};
use carom_model::Description;
use carom_model::description::{Bar, Body, Contact, Damping, Elastic, Ground, Point, Shape};
use carom_solve::SOLVERS;
use indexmap::IndexMap;
use std::time::{Duration, Instant};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
const STEP: f64 = 1e-3;
/// What the speed of the bar may be off by.
const SERVES: f64 = 0.02;
/// Elements, length (m), Young's modulus (Pa), section (m²), density (kg/m³), speed (m/s).
const ELEMENTS: usize = 40;
const LENGTH: f64 = 1.0;
const YOUNG: f64 = 2e6;
const AREA: f64 = 1e-2;
const DENSITY: f64 = 10.0;
const SPEED: f64 = 0.5;
/// β ω of the highest frequency for the damped bar.
const DAMPED: f64 = 0.2;
/// Ω of the steps at which all are compared.
const COMMON: f64 = 0.4;
/// Steps tried: the largest, the ratio of neighbours, the smallest.
const LARGEST: f64 = 3.2;
const RATIO: f64 = 0.95;
const SMALLEST: f64 = 0.4;
/// The step of the reference.
const SHORT: f64 = 0.1;
/// Something bursts when it gets so many times faster than it came.
const BURSTS: f64 = 10.0;
/// Places of the first touch in its step.
const PHASES: [f64; 3] = [0.15, 0.5, 0.85];
/// Runs of which the fastest counts.
const REPEATS: usize = 5;
/// What quotients of times and steps are to show, beyond their scatter.
const SHOWN: f64 = 1.2;

const fn method(name: &'static str) -> Method {
    Method { label: name, scheme: name, parameters: &[] }
}

const VELOCITY: Method = method("velocity-lcp");
const POSITION: Method = method("position-lcp-rk4");
const RADAU: Method = method("position-lcp-radau5");
/// Those that know restitution.
const BOUNCING: [Method; 4] =
    [method("acceleration-lcp"), method("multiplier"), method("penalty"), method("hunt-crossley")];
/// Those that do not.
const PLASTIC: [Method; 4] = [VELOCITY, method("position-lcp-euler"), POSITION, RADAU];
/// Friction over a slip speed.
const CREEPING: [&str; 2] = ["penalty", "hunt-crossley"];

/// A scheme for comparison that is none of them.
const ALPHA: Method = method("generalized-alpha");

fn all() -> impl Iterator<Item = Method> {
    BOUNCING.into_iter().chain(PLASTIC)
}

/// −U⁺/U⁻ of a ball without weight that would arrive `part` of a step after one begins.
fn rebound(method: Method, e: f64, part: f64) -> Result<f64, String> {
    let ball = Stack::ball(2.0, 0.0, 0.0, e, 1.0);
    let speed = 3.0;
    let from = (10.0 + part) * STEP * speed;
    let done = watch(&ball, method, (&[from], &[-speed]), STEP, 0.1, |_, _| {})?;
    Ok(done.state().v[0] / speed)
}

fn ball(report: &mut StudyReport) -> Result<(), String> {
    let e = 0.6;
    for method in BOUNCING {
        let mut worst = 0.0_f64;
        for part in PHASES {
            worst = worst.max((rebound(method, e, part)? - e).abs());
        }
        // dampers of ten steps give e back to some parts in a thousand
        let allowed = if CREEPING.contains(&method.label) { 5e-3 } else { 1e-12 };
        report.compare(
            format!("ball: {}, |-U+/U- - e|", method.label),
            "0 (Newton's law)",
            format!("{worst:.1e}"),
            worst < allowed,
            "the rebound is not e",
        );
    }
    for method in PLASTIC {
        let back: Result<Vec<f64>, String> = PHASES.iter().map(|&part| rebound(method, 0.0, part)).collect();
        let list: Vec<String> = back?.iter().map(|b| format!("{b:.2}")).collect();
        report.fact(
            format!(
                "ball: {}, -U+/U- of a rigid one that touches after 0.15, 0.5, 0.85 of a step",
                method.label
            ),
            list.join(", "),
        );
    }
    Ok(())
}

/// A block on an incline of tan α = `slope`; x points down.
fn incline(slope: f64) -> Description {
    let (sin, cos) = slope.atan().sin_cos();
    let size = [0.2, 0.1];
    let block = Body {
        mass: 1.0,
        inertia: Some((size[0] * size[0] + size[1] * size[1]) / 12.0),
        position: [0.0, 0.5 * size[1]],
        shapes: IndexMap::from([("box".to_string(), Shape::Rectangle { center: [0.0; 2], size })]),
        ..Default::default()
    };
    let contact = Contact { friction: FRICTION, ..Contact::between("block.box", "ground.floor") };
    Description {
        version: 1,
        gravity: [GRAVITY * sin, -GRAVITY * cos],
        ground: Ground {
            shapes: IndexMap::from([(
                "floor".to_string(),
                Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] },
            )]),
            ..Default::default()
        },
        bodies: IndexMap::from([("block".to_string(), block)]),
        contacts: IndexMap::from([("floor".to_string(), contact)]),
        ..Default::default()
    }
}

fn slide(report: &mut StudyReport) -> Result<(), String> {
    let far = |slope: f64, method: Method, end: f64| -> Result<f64, String> {
        let block = Mechanism::new(&incline(slope))?;
        Ok(watch(&block.model, method, block.start(), STEP, end, |_, _| {})?.state().q[0])
    };
    let slope = 1.2 * FRICTION;
    let (sin, cos) = slope.atan().sin_cos();
    let exact = 0.5 * GRAVITY * (sin - FRICTION * cos);
    for method in all() {
        let x = far(slope, method, 1.0)?;
        let creeps = CREEPING.contains(&method.label);
        report.compare(
            format!("incline: {}, way in 1 s at tan(alpha) = 1.2 mu", method.label),
            format!("{exact:.4} m"),
            format!("{x:.4} m"),
            (x / exact - 1.0).abs() < if creeps { 0.02 } else { 5e-3 },
            "it does not slide as Coulomb's law says",
        );
        let creep = far(0.9 * FRICTION, method, 10.0)?;
        let what = format!("incline: {}, way in 10 s at tan(alpha) = 0.9 mu", method.label);
        if creeps {
            report.fact(what, format!("{creep:.1e} m: friction over a slip speed creeps"));
        } else {
            report.compare(what, "0", format!("{creep:.1e} m"), creep.abs() < 1e-9, "it creeps");
        }
    }
    Ok(())
}

/// Two equal rigid disks on a line, the left one moving.
fn two_disks(restitution: f64) -> Description {
    let radius = 0.1;
    let disk = |x: f64, speed: f64| Body {
        mass: 2.0,
        inertia: Some(0.01),
        position: [x, 0.0],
        velocity: [speed, 0.0],
        shapes: IndexMap::from([("rim".to_string(), Shape::Disk { center: [0.0; 2], radius })]),
        ..Default::default()
    };
    let contact = Contact { restitution, ..Contact::between("left.rim", "right.rim") };
    Description {
        version: 1,
        bodies: IndexMap::from([
            ("left".to_string(), disk(0.0, SPEED)),
            ("right".to_string(), disk(2.0 * radius + 0.0123, 0.0)),
        ]),
        contacts: IndexMap::from([("disks".to_string(), contact)]),
        ..Default::default()
    }
}

fn disks(report: &mut StudyReport) -> Result<(), String> {
    let e = 0.8;
    for method in BOUNCING {
        let disks = Mechanism::new(&two_disks(e))?;
        let done = watch(&disks.model, method, disks.start(), STEP, 0.1, |_, _| {})?;
        let v = &done.state().v;
        let (left, right) = (v[0] / SPEED, v[3] / SPEED);
        let allowed = if CREEPING.contains(&method.label) { 5e-3 } else { 1e-9 };
        report.compare(
            format!("disks: {}, speeds after the impact", method.label),
            format!("{:.3}, {:.3}", 0.5 * (1.0 - e), 0.5 * (1.0 + e)),
            format!("{left:.3}, {right:.3}"),
            (left - 0.5 * (1.0 - e)).abs() < allowed && (left + right - 1.0).abs() < 1e-9,
            "not Newton's law, or momentum is lost",
        );
    }
    Ok(())
}

/// The same problems by every solver: complementarity by pivots, projection by iteration, Newton's.
fn solvers(report: &mut StudyReport) -> Result<(), String> {
    let block = Mechanism::new(&incline(1.2 * FRICTION))?;
    let method = BOUNCING[0];
    let end = 0.5;
    let mut found = Vec::new();
    for entry in SOLVERS {
        let scheme = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
        let state = State::new(&block.model, 0.0, block.q.clone(), block.v.clone());
        let settings = Settings { step: STEP, end, accuracy: None, output: Some(end) };
        let mut simulation = Simulation::new(&block.model, &*scheme, (entry.make)(), state, settings)
            .map_err(|e| e.to_string())?;
        if let Stop::Failed(why) = simulation.run(|_| true) {
            return Err(format!("{} by {}: {why}", method.label, entry.name));
        }
        let summary = simulation.summary();
        let iterations = summary.contact_iterations as f64 / summary.contact_problems as f64;
        found.push((entry.name, simulation.state().q[0], iterations));
    }
    let reference = found[0].1;
    for (name, x, iterations) in found {
        report.compare(
            format!("incline: {} by solver {name}, way in {end} s", method.label),
            format!("{reference:.6} m by {}, ours", SOLVERS[0].name),
            format!("{x:.6} m, {iterations:.1} iterations per contact problem"),
            (x - reference).abs() < 1e-9,
            "solvers of one problem disagree",
        );
    }
    Ok(())
}

/// Speed of sound and highest frequency of the bar.
fn sound() -> (f64, f64) {
    let c = (YOUNG / DENSITY).sqrt();
    (c, 12.0_f64.sqrt() * c * ELEMENTS as f64 / LENGTH)
}

/// The bar, `gap` away from a wall at x = 0 that it flies towards; `beta` of its stiffness is damping.
fn bar(gap: f64, beta: f64) -> Description {
    let elastic = Bar {
        length: LENGTH,
        elements: ELEMENTS,
        young: YOUNG,
        area: AREA,
        density: DENSITY,
        lumped: false,
        damping: Damping { mass: 0.0, stiffness: beta, ..Damping::default() },
    };
    let body = Body {
        elastic: Some(Elastic::Bar(elastic)),
        position: [gap, 0.0],
        velocity: [-SPEED, 0.0],
        points: IndexMap::from([("end".to_string(), Point::Node { node: 0, angle: 0.0 })]),
        ..Default::default()
    };
    Description {
        version: 1,
        ground: Ground {
            shapes: IndexMap::from([(
                "wall".to_string(),
                Shape::Line { through: [0.0; 2], normal: [1.0, 0.0] },
            )]),
            ..Default::default()
        },
        bodies: IndexMap::from([("bar".to_string(), body)]),
        contacts: IndexMap::from([("wall".to_string(), Contact::between("bar.end", "ground.wall"))]),
        ..Default::default()
    }
}

/// What the bar did.
#[derive(Debug, Default)]
struct Meeting {
    /// Speed of its centre when it is gone, over the one before.
    back: f64,
    /// Time from first to last force, over 2 L/c.
    lasts: f64,
    /// Root mean square of force − ρ c A v over the middle half of the contact, over ρ c A v.
    ripple: f64,
    /// Part of the energy that is gone.
    loss: f64,
    retries: usize,
    /// Per step.
    iterations: f64,
    time: Duration,
    /// Force over time.
    history: Vec<(f64, f64)>,
}

fn meet(method: Method, Omega: f64, phase: f64, damping: f64) -> Result<Meeting, String> {
    let (c, omega) = sound();
    let dt = Omega / omega;
    let gap = (3.0 + phase) * dt * SPEED;
    let rod = Mechanism::new(&bar(gap, damping / omega))?;
    let (stays, full) = (2.0 * LENGTH / c, DENSITY * c * AREA * SPEED);
    let touch = gap / SPEED;
    let mut simulation = start(&rod.model, method, rod.start(), dt, touch + 1.6 * stays)?;
    let mut found = Meeting::default();
    let (mut impulse, mut first, mut last) = (0.0, f64::NAN, 0.0);
    let (mut squares, mut count) = (0.0, 0.0);
    let mut took = Duration::ZERO;
    while !simulation.is_done() {
        let clock = Instant::now();
        simulation.advance();
        took += clock.elapsed();
        let State { t, P, v, .. } = simulation.state();
        if v.iter().any(|v| v.abs() > BURSTS * SPEED) {
            return Err("bursts".into());
        }
        let force = P[0] / dt;
        impulse += P[0];
        if force > 1e-3 * full {
            first = if first.is_nan() { t - dt } else { first };
            last = *t;
        }
        if (0.25..0.75).contains(&((t - touch) / stays)) {
            squares += (force / full - 1.0).powi(2);
            count += 1.0;
        }
        found.history.push(((t - touch) / stays, force / full));
    }
    let summary = simulation.summary();
    if let Stop::Failed(why) = summary.stop {
        return Err(why.to_string());
    }
    let mass = DENSITY * AREA * LENGTH;
    found.back = impulse / (mass * SPEED) - 1.0;
    found.lasts = (last - first) / stays;
    found.ripple = (squares / f64::max(count, 1.0)).sqrt();
    found.loss = 1.0 - summary.audit.energy_end / summary.audit.energy_start;
    found.retries = summary.retries;
    found.iterations = summary.newton_iterations as f64 / summary.steps as f64;
    found.time = took;
    Ok(found)
}

/// The largest Ω that serves, searched from above; `back` is the speed that the bar should leave with.
fn largest(method: Method, back: f64) -> Option<f64> {
    let mut Omega = LARGEST;
    while Omega > SMALLEST {
        let serves = PHASES.iter().all(|&phase| {
            let met = meet(method, Omega, phase, DAMPED);
            met.is_ok_and(|met| met.retries == 0 && (met.back - back).abs() < SERVES)
        });
        if serves {
            return Some(Omega);
        }
        Omega *= RATIO;
    }
    None
}

fn elastic(report: &mut StudyReport, tick: &mut dyn FnMut()) -> Result<(), String> {
    let mut curves = Vec::new();
    for method in all().chain([ALPHA]) {
        let met = meet(method, COMMON, PHASES[1], DAMPED);
        let what = format!("bar: {}, at dt omega = {COMMON}", method.label);
        match met {
            Ok(met) => {
                report.fact(
                    what,
                    format!(
                        "leaves with {:.3} of its speed after {:.3} of 2 L/c, force off by {:.3} r.m.s., {:.1} % of the energy gone",
                        met.back,
                        met.lasts,
                        met.ripple,
                        100.0 * met.loss
                    ),
                );
                if curves.is_empty() {
                    curves.push((
                        "t c / 2 L from the first touch".to_string(),
                        met.history.iter().map(|h| h.0).collect::<Vec<_>>(),
                    ));
                }
                curves.push((method.label.to_string(), met.history.iter().map(|h| h.1).collect()));
            }
            Err(why) => report.fact(what, why),
        }
        tick();
    }
    let panel = Panel::new(
        "Force of the wall on an elastic bar",
        "",
        linear("t c / 2 L from the first touch"),
        linear("force over ρ c A v"),
    );
    report.series.push(Series::new("Force of the wall on the bar, over rho c A v", curves).all_drawn(panel));
    for method in all().chain([ALPHA]) {
        let what = format!("bar, undamped: {}, at dt omega = {COMMON}", method.label);
        match meet(method, COMMON, PHASES[1], 0.0) {
            Ok(met) => report.fact(
                what,
                format!("leaves with {:.3} of its speed, force off by {:.3} r.m.s.", met.back, met.ripple),
            ),
            Err(why) => report.fact(what, why),
        }
        tick();
    }
    let reference = meet(BOUNCING[0], SHORT, PHASES[1], DAMPED)?.back;
    let mut served = Vec::new();
    for method in all().chain([ALPHA]) {
        let Omega = largest(method, reference);
        report.fact(
            format!("bar: {}, largest dt omega that serves", method.label),
            Omega.map_or(format!("none above {SMALLEST}"), |Omega| format!("{Omega:.2}")),
        );
        served.push((method.label, Omega));
        tick();
    }
    let of = |method: Method| {
        let served = served.iter().find(|s| s.0 == method.label).and_then(|s| s.1);
        served.ok_or(format!("no step serves {}", method.label))
    };
    let (position, velocity) = (of(POSITION)?, of(VELOCITY)?);
    report.compare(
        "bar: step of the position level over that of the velocity level, Runge-Kutta",
        format!("above 1 (Fig. 5.7): at least {SHOWN} is asked for"),
        format!("{:.2}", position / velocity),
        position >= SHOWN * velocity,
        "the node of a mesh meets all frequencies at once, and both levels go up to where Runge-Kutta itself bursts",
    );
    let time = |method: Method, Omega: f64| -> Result<f64, String> {
        let mut best = Duration::MAX;
        for _ in 0..REPEATS {
            best = best.min(meet(method, Omega, PHASES[1], DAMPED)?.time);
        }
        Ok(best.as_secs_f64())
    };
    let iterations =
        |method: Method, Omega: f64| meet(method, Omega, PHASES[1], DAMPED).map(|m| m.iterations);
    report.fact(
        "bar: iterations per step of position and velocity level, each at its largest step",
        format!("{:.1}, {:.1}", iterations(POSITION, position)?, iterations(VELOCITY, velocity)?),
    );
    let (slow, fast) = (time(VELOCITY, velocity)?, time(POSITION, position)?);
    report.compare(
        "bar: time of the position level over that of the velocity level, each at its largest step",
        format!("below 1 (Fig. 5.7): at most {:.2} is asked for", 1.0 / SHOWN),
        format!("{:.2}", fast / slow),
        fast * SHOWN <= slow,
        "the velocity level is not the dearer one here",
    );
    let implicit = time(RADAU, position)?;
    report.compare(
        "bar: time of RADAU5 over Runge-Kutta, both at position level and the same step",
        format!("above 1: at least {SHOWN} is asked for"),
        format!("{:.1}", implicit / fast),
        implicit >= SHOWN * fast,
        "RADAU5 is not the dearer one here",
    );
    tick();
    Ok(())
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let total = 4.0 + 3.0 * 9.0 + 1.0 + solids::TICKS;
    let mut done = 0.0;
    let mut tick = || {
        done += 1.0;
        progress(done / total);
    };
    for part in [ball, slide, disks, solvers] {
        if let Err(why) = part(&mut report) {
            report.compare("runs", "yes", why, false, "a run failed");
        }
        tick();
    }
    if let Err(why) = elastic(&mut report, &mut tick) {
        report.compare("runs", "yes", why, false, "a run failed");
    }
    solids::run(&mut report, &mut tick);
    progress(1.0);
    report.note(format!(
        "Bar of {ELEMENTS} elements with consistent mass; omega is its highest frequency. Damped: beta omega = {DAMPED}. A step \
         serves if no smaller one was needed and the bar leaves with the speed of short steps to {SERVES}, for three places of the \
         touch in the step."
    ));
    report.note(
        "With a force that is constant over a Runge-Kutta step the velocity at its end answers to it as 1 - (dt omega)^2/6, the \
         position as 1/2 - (dt omega)^2/24, and the iteration contracts by these quotients: twice as fast at position level. A single \
         vibration escapes the velocity level at dt omega = 2.45, before the method bursts at 2.83.",
    );
    report
}
