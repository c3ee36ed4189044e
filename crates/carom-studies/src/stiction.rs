//! Does what should stick stick?
//!
//! ```text
//!   hold            block on an incline, tan α = 0.9 μ, 60 s: creep = 0; and thrown down it at v_0, it stops after
//!                   v_0² / (2 g (μ cos α − sin α)) and then holds
//!   critical angle  slides for tan α > μ, holds for less: bisected to 1e-6
//!   stick-slip      a mass on a belt against its closed form (file `belt`)
//! ```
//!
//! The block is a rectangle on two corners with friction each: one tangential reaction too many, as in life. It is seen
//! in the frame of the incline: the floor is level and gravity is tilted.
//!
//! It starts at gap 0 to the last bit, where a scheme that lets go of a contact by round-off would show a shift of g dt².

use crate::belt::{Belt, Cycle};
use crate::figure::{Panel, linear};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{Method, rubbing_schemes, start, watch};
use carom_dynamics::EventKind;
use carom_model::Description;
use carom_model::description::{Body, Contact, Ground, Shape};
use indexmap::IndexMap;

const GRAVITY: f64 = 9.81;
const SIZE: [f64; 2] = [0.2, 0.1];
const FRICTION: [f64; 3] = [0.1, 0.5, 1.0];
const STEP: f64 = 1e-3;
const MINUTE: f64 = 60.0;
/// Creep in a minute that counts as none (m): round-off of 60 000 steps on a block of 0.2 m.
const NO_CREEP: f64 = 1e-10;
/// How long a block is watched to see whether it slides, and how far it then has gone (m): in half a second an excess
/// of 1e-9 of the weight would move it that far.
const LOOK: f64 = 0.5;
const GONE: f64 = 1e-9;
/// Resolution of the critical tan α, relative.
const RESOLUTION: f64 = 1e-6;
/// Steps of the belt (s) and cycles watched.
const BELT_STEP: f64 = 1e-4;
const CYCLES: usize = 10;
/// c of the belt whose friction falls (N s/m).
const FALLING: f64 = 2.0;

/// A block on an incline of tan α = `slope`, moving along it at `speed`; x points down the incline.
fn incline(friction: f64, slope: f64, speed: f64) -> Description {
    let (sin, cos) = slope.atan().sin_cos();
    let block = Body {
        mass: 1.0,
        inertia: Some((SIZE[0].powi(2) + SIZE[1].powi(2)) / 12.0),
        position: [0.0, 0.5 * SIZE[1]],
        velocity: [speed, 0.0],
        shapes: IndexMap::from([("box".to_string(), Shape::Rectangle { center: [0.0; 2], size: SIZE })]),
        ..Default::default()
    };
    let floor = Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] };
    let contact = Contact {
        between: ["block.box".into(), "ground.floor".into()],
        restitution: 0.0,
        friction,
        ..Contact::default()
    };
    Description {
        version: 1,
        gravity: [GRAVITY * sin, -GRAVITY * cos],
        ground: Ground { shapes: IndexMap::from([("floor".to_string(), floor)]), ..Default::default() },
        bodies: IndexMap::from([("block".to_string(), block)]),
        contacts: IndexMap::from([("floor".to_string(), contact)]),
        ..Default::default()
    }
}

/// Where a block is along the incline after `end` seconds.
fn place(method: Method, friction: f64, slope: f64, end: f64) -> Result<f64, String> {
    let block = Mechanism::new(&incline(friction, slope, 0.0))?;
    let mut simulation = start(&block.model, method, block.start(), STEP, end)?;
    simulation.run(|_| true);
    Ok(simulation.state().q[0])
}

fn hold(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let (mu, slope) = (0.5, 0.45);
    let creep = place(method, mu, slope, MINUTE)?;
    report.compare(
        format!("{}: creep in 60 s at tan(alpha) = 0.9 mu", method.label),
        "0",
        format!("{creep:.1e} m"),
        creep.abs() < NO_CREEP,
        "it creeps",
    );
    // thrown down the incline
    let speed = 1.0;
    let block = Mechanism::new(&incline(mu, slope, speed))?;
    let (sin, cos) = slope.atan().sin_cos();
    let distance = speed * speed / (2.0 * GRAVITY * (mu * cos - sin));
    let stop = 2.0 * distance / speed;
    let mut after_stop = f64::NAN;
    let simulation = watch(&block.model, method, block.start(), STEP, MINUTE, |state, _| {
        if state.t < stop + 20.0 * STEP {
            after_stop = state.q[0];
        }
    })?;
    let error = after_stop - distance;
    let creep = simulation.state().q[0] - after_stop;
    report.compare(
        format!("{}: stopping distance of a block thrown at 1 m/s", method.label),
        format!("{distance:.5} m"),
        format!("{after_stop:.5} m"),
        // first order: a step at the initial speed
        error.abs() <= speed * STEP,
        "off by more than a step",
    );
    report.compare(
        format!("{}: creep in the rest of 60 s after it stopped", method.label),
        "0",
        format!("{creep:.1e} m"),
        creep.abs() < NO_CREEP,
        "it creeps",
    );
    Ok(())
}

fn critical(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let mut worst = 0.0_f64;
    let mut found = Vec::new();
    for mu in FRICTION {
        let (mut holds, mut slides) = (0.5 * mu, 2.0 * mu.min(0.9));
        if place(method, mu, holds, LOOK)?.abs() > GONE || place(method, mu, slides, LOOK)? < GONE {
            return Err(format!("at mu = {mu} it slides at half the slope, or holds at twice"));
        }
        while slides - holds > 0.2 * RESOLUTION * mu {
            let middle = 0.5 * (holds + slides);
            if place(method, mu, middle, LOOK)?.abs() > GONE { slides = middle } else { holds = middle }
        }
        let critical = 0.5 * (holds + slides);
        worst = worst.max((critical / mu - 1.0).abs());
        found.push(format!("{:.6} deg", critical.atan().to_degrees()));
    }
    report.compare(
        format!("{}: critical angle for mu = 0.1, 0.5, 1", method.label),
        FRICTION.map(|mu| format!("{:.6} deg", mu.atan().to_degrees())).join(", "),
        format!("{} (tan off by {worst:.1e} at most)", found.join(", ")),
        worst <= RESOLUTION,
        "another angle",
    );
    Ok(())
}

/// What was seen of a mass on a belt.
#[derive(Debug, Default)]
struct Seen {
    slips: Vec<f64>,
    sticks: Vec<f64>,
    /// Instants at which the spring force rises through μ m g.
    rises: Vec<f64>,
    /// Smallest and largest stretch, per cycle after the first slip.
    stretch: Vec<(f64, f64)>,
    curve: Vec<[f64; 3]>,
}

fn ride(belt: &Belt, method: Method, cycle: &Cycle) -> Result<Seen, String> {
    let period = cycle.slip + cycle.stick;
    let end = cycle.first_slip + (CYCLES as f64 + 0.2) * period;
    let mut seen = Seen { stretch: vec![(f64::INFINITY, f64::NEG_INFINITY); CYCLES], ..Default::default() };
    let level = belt.bound() / belt.stiffness;
    let (mut before, mut n) = ((0.0, 0.0), 0);
    let simulation = watch(belt, method, (&[0.0; 2], &[belt.speed, 0.0]), BELT_STEP, end, |state, _| {
        let (t, x) = (state.t, state.q[0]);
        if before.1 < level && x >= level {
            seen.rises.push(before.0 + (level - before.1) / (x - before.1) * (t - before.0));
        }
        let number = ((t - cycle.first_slip) / period).floor();
        if let Some(range) = (number >= 0.0).then(|| seen.stretch.get_mut(number as usize)).flatten() {
            *range = (range.0.min(x), range.1.max(x));
        }
        before = (t, x);
        if n % 100 == 0 {
            seen.curve.push([t, x, state.v[0]]);
        }
        n += 1;
    })?;
    for event in simulation.recording().events {
        match event.kind {
            EventKind::Slip => seen.slips.push(event.t),
            EventKind::Stick => seen.sticks.push(event.t),
            _ => {}
        }
    }
    Ok(seen)
}

/// Mean distance of neighbours.
fn mean_gap(times: &[f64]) -> f64 {
    (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64
}

/// The limit cycle with falling friction: slip, stick, slip, ...
fn stick_slip(report: &mut StudyReport, method: Method) -> Result<Seen, String> {
    let belt = Belt::new(FALLING);
    let cycle = belt.cycle();
    let seen = ride(&belt, method, &cycle)?;
    let label = method.label;
    let period = cycle.slip + cycle.stick;
    if seen.slips.len() < CYCLES || seen.sticks.len() < CYCLES {
        return Err(format!("{} slips and {} sticks seen", seen.slips.len(), seen.sticks.len()));
    }
    // a first-order scheme damps or feeds the oscillation as if c were off by k dt; events are known to two steps
    let off = [-1.0, 1.0].map(|sign| Belt::new(FALLING + sign * belt.stiffness * BELT_STEP).cycle());
    let near = |ours: f64, what: &dyn Fn(&Cycle) -> f64, more: f64| {
        let exact = what(&cycle);
        let allowed = off.iter().map(|c| (what(c) - exact).abs()).fold(0.0, f64::max);
        (ours - exact).abs() <= allowed + more
    };
    let first = seen.slips[0];
    report.compare(
        format!("{label}: first slip on the belt"),
        format!("{:.4} s", cycle.first_slip),
        format!("{first:.4} s"),
        near(first, &|c| c.first_slip, 2.0 * BELT_STEP),
        "off by more than two steps",
    );
    let ours = mean_gap(&seen.slips);
    report.compare(
        format!("{label}: stick-slip period, falling friction"),
        format!("{period:.5} s"),
        format!("{ours:.5} s ({} cycles)", seen.slips.len() - 1),
        near(ours, &|c| c.slip + c.stick, BELT_STEP),
        "off by more than first order explains",
    );
    let stuck: Vec<f64> =
        seen.sticks.iter().zip(&seen.slips[1..]).map(|(stick, slip)| slip - stick).collect();
    let ours = stuck.iter().sum::<f64>() / stuck.len() as f64;
    report.compare(
        format!("{label}: time stuck per cycle"),
        format!("{:.5} s", cycle.stick),
        format!("{ours:.5} s"),
        near(ours, &|c| c.stick, 2.0 * BELT_STEP),
        "off by more than first order explains",
    );
    let (least, most) = seen.stretch[CYCLES - 1];
    let way = 2.0 * belt.speed * BELT_STEP;
    report.compare(
        format!("{label}: stretch of the spring in cycle {CYCLES}"),
        format!("{:.5} to {:.5} m", cycle.stretch.0, cycle.stretch.1),
        format!("{least:.5} to {most:.5} m"),
        near(least, &|c| c.stretch.0, way) && near(most, &|c| c.stretch.1, way),
        "off by more than first order explains",
    );
    Ok(seen)
}

/// Constant friction: the mass touches the belt's speed once per period and never sticks.
fn constant(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let belt = Belt::new(0.0);
    let cycle = belt.cycle();
    let seen = ride(&belt, method, &cycle)?;
    if seen.rises.len() < CYCLES {
        return Err(format!("the spring reached the bound {} times", seen.rises.len()));
    }
    let ours = mean_gap(&seen.rises);
    report.compare(
        format!("{}: period on the belt, constant friction", method.label),
        format!("{:.5} s", cycle.slip),
        format!("{ours:.5} s"),
        (ours - cycle.slip).abs() <= BELT_STEP,
        "off by more than a step",
    );
    let swing = 0.5 * (cycle.stretch.1 - cycle.stretch.0);
    let (least, most) = seen.stretch[CYCLES - 1];
    report.fact(
        format!("{}: swing left after {CYCLES} periods, constant friction (exact: all)", method.label),
        format!("{:.2} %", 50.0 * (most - least) / swing),
    );
    Ok(())
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let methods = rubbing_schemes();
    let total = methods.len() as f64;
    for (i, method) in methods.into_iter().enumerate() {
        let mut outcome = hold(&mut report, method);
        outcome = outcome.and_then(|()| critical(&mut report, method));
        let curve = outcome.and_then(|()| stick_slip(&mut report, method));
        match curve.and_then(|seen| constant(&mut report, method).map(|()| seen)) {
            Ok(seen) => {
                let column = |i: usize| seen.curve.iter().map(|x| x[i]).collect::<Vec<_>>();
                let columns = [
                    ("t (s)".to_string(), column(0)),
                    ("x (m)".to_string(), column(1)),
                    ("x' (m/s)".to_string(), column(2)),
                ];
                let figure = "Stick-slip of a mass on a belt";
                let named = |column: &str, name: &str| (column == name).then(|| method.label.to_string());
                report.series.push(
                    Series::new(&format!("mass on a belt, {}", method.label), columns)
                        .drawn(Panel::new(figure, "place", linear("t (s)"), linear("x (m)")), |n| {
                            named(n, "x (m)")
                        })
                        .drawn(Panel::new(figure, "velocity", linear("t (s)"), linear("x' (m/s)")), |n| {
                            named(n, "x' (m/s)")
                        }),
                );
            }
            Err(why) => report.compare(
                format!("{}: runs", method.label),
                "yes",
                why,
                false,
                "the run did not show what was to be measured",
            ),
        }
        progress((i + 1) as f64 / total);
    }
    report.note(
        "With one constant coefficient a mass on a belt does not stick for any time: it touches the belt's speed once \
         per period of the free oscillator. A finite time of sticking needs friction that falls with the sliding \
         speed; here it falls linearly, which keeps a closed form.",
    );
    report.note(format!("Steps: {STEP} s on the incline, {BELT_STEP} s on the belt."));
    report
}
