//! The formulations on plane elastic solids of the source: a disk that meets a wall, and a block on its path.
//!
//! ```text
//!   disk    one of the two disks of §5.6: equal disks that meet are each a disk that meets a wall with half the speed.
//!           Areal E and ρ as printed, 55 modes; the radius is not printed: 1 m; damping is not printed: 2 % of critical
//!   block   §4.4, example 1: 2 m × 1 m, one Q4, slides on incline, arc, incline with μ = 0.1
//! ```
//!
//! The block is soft and undamped, and vibrates by centimetres: its places are compared, not the times at which a corner
//! turns around.

use super::{BOUNCING, POSITION, RADAU, VELOCITY, method};
use crate::figure::{Panel, linear};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{Method, start};
use carom_dynamics::{State, Stiffness, Stop};
use carom_model::Description;
use carom_model::description::{
    Block, Body, Contact, Disk, Elastic, ElementKind, Ground, Modes, Origin, Piece, Reference, Shape, Solid,
};
use indexmap::IndexMap;
use std::f64::consts::{FRAC_PI_6, PI};
use std::time::{Duration, Instant};

const RADIUS: f64 = 1.0;
const RINGS: usize = 8;
const MODES: usize = 55;
/// Of the two disks together (m/s); each meets the wall between them with half of it.
const CLOSING: f64 = 0.5;
const YOUNG: f64 = 2e6;
const DENSITY: f64 = 10.0;
const POISSON: f64 = 0.3;
/// Share of critical damping.
const DAMPING: f64 = 0.02;
/// Ω of the step, of the fastest mode.
const OMEGA: f64 = 0.4;
/// Observed after the first touch, in travel times 2 R/c.
const WATCHED: f64 = 6.0;
/// The block: step, when its place is looked at, and end (s).
const BLOCK_STEP: f64 = 2e-3;
const BLOCK_LOOK: f64 = 3.0;
const BLOCK_END: f64 = 5.0;

/// A scheme of the house that is none of the formulations.
const HOUSE: Method = method("moreau-jean");

fn methods() -> impl Iterator<Item = Method> {
    BOUNCING.into_iter().chain([VELOCITY, POSITION, RADAU, HOUSE])
}

fn disk(gap: f64) -> Description {
    let solid = Solid {
        disk: Some(Disk { radius: RADIUS, rings: RINGS, element: ElementKind::Q4 }),
        thickness: 1.0,
        young: YOUNG,
        poisson: POISSON,
        density: DENSITY,
        reference: Reference::MeanAxis,
        modes: Some(Modes::Count(MODES)),
        damping_ratios: vec![DAMPING],
        ..Default::default()
    };
    let body = Body {
        elastic: Some(Elastic::Solid(Box::new(solid))),
        position: [RADIUS + gap, 0.0],
        velocity: [-0.5 * CLOSING, 0.0],
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
        bodies: IndexMap::from([("disk".to_string(), body)]),
        contacts: IndexMap::from([("wall".to_string(), Contact::between("disk.boundary", "ground.wall"))]),
        ..Default::default()
    }
}

/// What the disk did.
struct Meeting {
    back: f64,
    peak: f64,
    lasts: f64,
    /// Mean of |F_{k+1} − 2 F_k + F_{k−1}|/4 over the peak: what changes from step to step.
    rings: f64,
    iterations: f64,
    time: Duration,
    history: Vec<(f64, f64)>,
}

fn meet(method: Method) -> Result<Meeting, String> {
    let c = (YOUNG / DENSITY / (1.0 - POISSON * POISSON)).sqrt();
    let travel = 2.0 * RADIUS / c;
    let speed = 0.5 * CLOSING;
    let probe = Mechanism::new(&disk(1e-3))?;
    let state = State::new(&probe.model, 0.0, probe.q.clone(), probe.v.clone());
    let dt = OMEGA / Stiffness::new(&probe.model, &state, 1.0).vibration;
    let touch = 3.5 * dt;
    let body = Mechanism::new(&disk(touch * speed))?;
    let mut simulation = start(&body.model, method, body.start(), dt, touch + WATCHED * travel)?;
    let (mut impulse, mut first, mut last, mut time) = (0.0, f64::NAN, 0.0, Duration::ZERO);
    let mut history = Vec::new();
    while !simulation.is_done() {
        let clock = Instant::now();
        simulation.advance();
        time += clock.elapsed();
        let State { t, P, .. } = simulation.state();
        let force: f64 = P.iter().sum::<f64>() / dt;
        impulse += force * dt;
        if force > 0.0 {
            first = if first.is_nan() { t - dt } else { first };
            last = *t;
        }
        history.push(((t - touch) / travel, force));
    }
    let summary = simulation.summary();
    if let Stop::Failed(why) = summary.stop {
        return Err(why.to_string());
    }
    let peak = history.iter().fold(0.0_f64, |most, h| most.max(h.1));
    let jumps: f64 = history.windows(3).map(|w| (w[0].1 - 2.0 * w[1].1 + w[2].1).abs() / 4.0).sum();
    let pressed = history.iter().filter(|h| h.1 > 0.0).count() as f64;
    let mass = DENSITY * PI * RADIUS * RADIUS;
    Ok(Meeting {
        back: impulse / (mass * speed) - 1.0,
        peak,
        lasts: (last - first) / travel,
        rings: jumps / pressed.max(1.0) / peak,
        iterations: summary.newton_iterations as f64 / summary.steps as f64,
        time,
        history,
    })
}

/// The block, its frame in the lower left corner at the upper end of the left incline.
fn block() -> Description {
    let solid = Solid {
        block: Some(Block {
            size: [2.0, 1.0],
            elements: [1, 1],
            element: ElementKind::Q4,
            origin: Origin::Corner,
        }),
        thickness: 1.0,
        young: 1000.0,
        poisson: POISSON,
        density: 2.0,
        reference: Reference::Pinned,
        ..Default::default()
    };
    let (sin, cos) = FRAC_PI_6.sin_cos();
    let foot = [10.0 * sin, -10.0 * cos];
    let top = [foot[0] + 10.0 * cos, foot[1] + 10.0 * sin];
    let path = Shape::Path {
        start: [-top[0], top[1]],
        pieces: vec![
            Piece::LineTo([-foot[0], foot[1]]),
            Piece::ArcTo { end: foot, center: [0.0; 2], counterclockwise: true },
            Piece::LineTo(top),
        ],
    };
    let body = Body {
        elastic: Some(Elastic::Solid(Box::new(solid))),
        position: [-top[0], top[1]],
        angle: -FRAC_PI_6,
        ..Default::default()
    };
    let contact = Contact { friction: 0.1, ..Contact::between("block.bottom", "ground.path") };
    Description {
        version: 1,
        gravity: [0.0, -9.81],
        ground: Ground { shapes: IndexMap::from([("path".to_string(), path)]), ..Default::default() },
        bodies: IndexMap::from([("block".to_string(), body)]),
        contacts: IndexMap::from([("path".to_string(), contact)]),
        ..Default::default()
    }
}

/// x of the block's frame on the arc, how far it comes, when, and the time it took.
fn slide(method: Method) -> Result<(f64, f64, f64, Duration), String> {
    let block = Mechanism::new(&block())?;
    let mut simulation = start(&block.model, method, block.start(), BLOCK_STEP, BLOCK_END)?;
    let clock = Instant::now();
    let (mut farthest, mut on_arc) = ((0.0, f64::NEG_INFINITY), f64::NAN);
    while !simulation.is_done() {
        simulation.advance();
        let state = simulation.state();
        if state.t < BLOCK_LOOK + 0.5 * BLOCK_STEP {
            on_arc = state.q[0];
        }
        if state.q[0] > farthest.1 {
            farthest = (state.t, state.q[0]);
        }
    }
    match simulation.summary().stop {
        Stop::Failed(why) => Err(why.to_string()),
        _ => Ok((on_arc, farthest.1, farthest.0, clock.elapsed())),
    }
}

/// Both examples.
pub fn run(report: &mut StudyReport, tick: &mut dyn FnMut()) {
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    let (mut unit, mut times) = (None, Vec::new());
    for method in methods() {
        let what = format!("disk, {MODES} modes: {}, at dt omega = {OMEGA}", method.label);
        match meet(method) {
            Ok(met) => {
                let unit = *unit.get_or_insert(met.time.as_secs_f64());
                report.fact(
                    what,
                    format!(
                        "leaves with {:.3} of its speed after {:.2} of 2 R/c, force up to {:.0} N, {:.3} of it from step to step, \
                         {:.1} iterations per step, {:.1} of the first one's time",
                        met.back,
                        met.lasts,
                        met.peak,
                        met.rings,
                        met.iterations,
                        met.time.as_secs_f64() / unit
                    ),
                );
                if curves.is_empty() {
                    curves.push((
                        "t c / 2 R from the first touch".into(),
                        met.history.iter().map(|h| h.0).collect(),
                    ));
                }
                times.push((method.label, met.time.as_secs_f64()));
                curves.push((method.label.into(), met.history.iter().map(|h| h.1).collect()));
            }
            Err(why) => report.fact(what, why),
        }
        tick();
    }
    let panel = Panel::new(
        "[Ebrahimi2007] Fig. 5.7: force of the wall on an elastic disk",
        "",
        linear("t c / 2 R from the first touch"),
        linear("force (N)"),
    );
    report.series.push(Series::new("Force of the wall on the disk (N)", curves).all_drawn(panel));
    let of = |method: Method| times.iter().find(|t| t.0 == method.label).map_or(f64::NAN, |t| t.1);
    let ratio = of(POSITION) / of(VELOCITY);
    report.compare(
        "disk: time of the position level over that of the velocity level, at one step",
        format!("below 1 (Fig. 5.7): at most {:.2} is asked for", 1.0 / super::SHOWN),
        format!("{ratio:.2}"),
        ratio * super::SHOWN <= 1.0,
        "the velocity level is not the dearer one here",
    );
    let mut unit = None;
    for method in methods() {
        let what = format!("block: {}, corner at {BLOCK_LOOK} s and where it turns around", method.label);
        match slide(method) {
            Ok((on_arc, farthest, t, time)) => {
                let unit = *unit.get_or_insert(time.as_secs_f64());
                report.fact(
                    what,
                    format!(
                        "x = {on_arc:.3} m, {farthest:.3} m at {t:.2} s ({:.1} of the first one's time)",
                        time.as_secs_f64() / unit
                    ),
                );
            }
            Err(why) => report.fact(what, why),
        }
        tick();
    }
}

/// Calls of `tick`.
pub const TICKS: f64 = 16.0;
