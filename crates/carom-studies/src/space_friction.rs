//! Does what slides, rolls, sticks and bounces in space do so as Coulomb and Newton say?
//!
//! ```text
//!   ball on a table      slides for 2 v_0 / (7 μ g), then rolls at 5 v_0 / 7
//!   ball on an incline   rolls with 5/7 g sin α if μ ≥ 2/7 tan α; else it slides with g (sin α − μ cos α)
//!   block across         tan α = μ, thrown across at v_0: |v| + v_down = v_0; after 1 s (v_0 = 1, μ = 0.5) 0.151929 across, 0.457262 down
//!   box at rest          on four corners of an incline, tan α = 0.9 μ, 60 s: creep 0; reactions add up to the weight
//!   cubes tossed         the energy never grows
//!   rebound              −U⁺/U⁻ = e, radii 1 mm to 10 m, three steps
//! ```
//!
//! Inclines are seen in their own frame: the floor is level and gravity is tilted.

use crate::report::StudyReport;
use crate::running::{Method, start, watch};
use carom_dynamics::EventKind;
use carom_model::description::space::{Body, Contact, Description, Ground, Rotation, Shape};
use carom_model::{AnyDescription, AnyModel, ModelError};
use indexmap::IndexMap;

const GRAVITY: f64 = 9.81;
/// The schemes that are examined.
const METHODS: [Method; 4] = [
    Method { label: "moreau-jean", scheme: "moreau-jean", parameters: &[] },
    Method { label: "generalized-alpha", scheme: "generalized-alpha", parameters: &[] },
    Method { label: "bathe", scheme: "bathe", parameters: &[] },
    Method { label: "half-explicit", scheme: "half-explicit", parameters: &[] },
];
/// Usual step (s).
const STEP: f64 = 1e-3;
/// Creep in a minute that counts as none (m): round-off of 60 000 steps on a box of 0.2 m.
const NO_CREEP: f64 = 1e-10;
/// Of a sum of reactions over the weight: the tolerance of contact solves.
const BALANCED: f64 = 1e-6;
/// Round-off of an impact.
const EXACT: f64 = 1e-11;
/// Cubes tossed, and how long they are watched (s).
const TOSSES: usize = 6;
const TOSS: f64 = 1.0;
/// Their step (s). What a body of a kilogram gains while it falls for one step from rest, ½ (g dt)², may be booked a step late.
const TOSS_STEP: f64 = 2e-4;

fn said(errors: Vec<ModelError>) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// A body on a floor, z up, gravity as given.
fn on_floor(body: Body, gravity: [f64; 3], friction: f64, restitution: f64) -> Result<AnyModel, String> {
    let floor = Shape::Plane { through: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let (restitution, friction) = (Some(restitution), Some(friction));
    let contact = Contact { restitution, friction, ..Contact::between("body.skin", "ground.floor") };
    let description = Description {
        version: 1,
        space: true,
        gravity,
        ground: Ground { shapes: IndexMap::from([("floor".to_string(), floor)]), ..Default::default() },
        bodies: IndexMap::from([("body".to_string(), body)]),
        contacts: IndexMap::from([("touch".to_string(), contact)]),
        ..Default::default()
    };
    AnyDescription::Space(description).build().map_err(said)
}

fn ball(radius: f64, height: f64) -> Body {
    let inertia = 0.4 * radius * radius;
    Body::rigid(1.0, [inertia; 3], [0.0, 0.0, radius + height])
        .with_shape("skin", Shape::Sphere { center: [0.0; 3], radius, hole: false })
}

fn cuboid([a, b, c]: [f64; 3]) -> Body {
    let inertia = [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| x / 12.0);
    Body::rigid(1.0, inertia, [0.0, 0.0, 0.5 * c])
        .with_shape("skin", Shape::Box { center: [0.0; 3], size: [a, b, c], rotation: None })
}

/// (x, y, z), velocity and angular velocity at the end.
fn end_of(model: &AnyModel, method: Method, dt: f64, end: f64) -> Result<(Vec<f64>, Vec<f64>), String> {
    let begin = model.assemble().map_err(|e| e.to_string())?;
    let simulation = watch(model.system(), method, (&begin.q, &begin.v), dt, end, |_, _| {})?;
    let state = simulation.state();
    Ok((state.q.clone(), state.v.clone()))
}

/// Gravity on an incline of this slope, x downhill.
fn tilted(slope: f64) -> [f64; 3] {
    let (sin, cos) = slope.atan().sin_cos();
    [GRAVITY * sin, 0.0, -GRAVITY * cos]
}

fn row(report: &mut StudyReport, what: String, wanted: f64, ours: f64, within: f64) {
    let agrees = (ours - wanted).abs() <= within;
    report.compare(
        what,
        format!("{wanted:.6}"),
        format!("{ours:.6} (off by {:.1e})", (ours - wanted).abs()),
        agrees,
        "further off than a step explains",
    );
}

/// A ball slides, then rolls.
fn slide_and_roll(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let (v_0, mu, r) = (2.0, 0.2, 0.1);
    let model = on_floor(Body { velocity: [v_0, 0.0, 0.0], ..ball(r, 0.0) }, [0.0, 0.0, -GRAVITY], mu, 0.0)?;
    let begin = model.assemble().map_err(|e| e.to_string())?;
    let mut rolls = f64::INFINITY;
    let simulation = watch(model.system(), method, (&begin.q, &begin.v), STEP, 0.6, |state, _| {
        if (state.v[0] - r * state.v[4]).abs() < 1e-6 {
            rolls = rolls.min(state.t);
        }
    })?;
    let label = method.label;
    row(
        report,
        format!("{label}: ball on a table slides for (s)"),
        2.0 * v_0 / (7.0 * mu * GRAVITY),
        rolls,
        2.0 * STEP,
    );
    // the step in which it begins to roll takes what is left of the slip: exact in the angular momentum
    row(report, format!("{label}: then rolls at (m/s)"), 5.0 / 7.0 * v_0, simulation.state().v[0], 1e-6);
    Ok(())
}

/// Down an incline, rolling or sliding.
fn down(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let slope = 0.7_f64;
    let (sin, cos) = slope.atan().sin_cos();
    for (mu, wanted, word) in
        [(0.3, 5.0 / 7.0 * GRAVITY * sin, "rolls"), (0.1, GRAVITY * (sin - 0.1 * cos), "slides")]
    {
        let model = on_floor(ball(0.1, 0.0), tilted(slope), mu, 0.0)?;
        let (_, v) = end_of(&model, method, STEP, 1.0)?;
        row(
            report,
            format!(
                "{}: ball on an incline of 0.7 with friction {mu} {word}, speed after 1 s (m/s)",
                method.label
            ),
            wanted,
            v[0],
            10.0 * STEP,
        );
    }
    Ok(())
}

/// Across an incline at the angle of friction.
fn across(report: &mut StudyReport, method: Method) -> Result<(), String> {
    // a flat block: four corners do not tilt it
    let model =
        on_floor(Body { velocity: [0.0, 1.0, 0.0], ..cuboid([0.2, 0.2, 1e-3]) }, tilted(0.5), 0.5, 0.0)?;
    let begin = model.assemble().map_err(|e| e.to_string())?;
    let mut worst = 0.0_f64;
    let simulation = watch(model.system(), method, (&begin.q, &begin.v), STEP, 1.0, |state, _| {
        let [x, y] = [state.v[0], state.v[1]];
        worst = worst.max((x.hypot(y) + x - 1.0).abs());
    })?;
    let q = &simulation.state().q;
    let label = method.label;
    row(report, format!("{label}: block thrown across, way across after 1 s (m)"), 0.151929, q[1], 3e-3);
    row(report, format!("{label}: and down (m)"), 0.457262, q[0], 3e-3);
    report.compare(
        format!("{label}: and speed + speed downhill - 1, at worst"),
        "0",
        format!("{worst:.1e}"),
        worst < 1e-2,
        "friction has a favoured direction",
    );
    Ok(())
}

/// Nothing creeps, and the floor carries the weight.
fn at_rest(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let mu = 0.5;
    let model = on_floor(cuboid([0.2, 0.2, 0.1]), tilted(0.9 * mu), mu, 0.0)?;
    let begin = model.assemble().map_err(|e| e.to_string())?;
    let (mut creep, mut sum) = (0.0_f64, 0.0);
    let step = 1e-2;
    let simulation = watch(model.system(), method, (&begin.q, &begin.v), step, 60.0, |state, _| {
        let off = |k: usize| state.q[k] - begin.q[k];
        creep = creep.max(off(0).hypot(off(1)));
        sum = state.P.iter().step_by(3).sum();
    })?;
    drop(simulation);
    let label = method.label;
    report.compare(
        format!("{label}: box on four corners of an incline of 0.9 of the friction, creep in 60 s (m)"),
        "0",
        format!("{creep:.1e}"),
        creep < NO_CREEP,
        "what should stick creeps",
    );
    let weight = GRAVITY * (0.9 * mu).atan().cos();
    let ratio = sum / (step * weight);
    report.compare(
        format!("{label}: its normal impulses over those of the weight, last step"),
        "1",
        format!("{ratio:.9}"),
        (ratio - 1.0).abs() < BALANCED,
        "the floor does not carry the weight",
    );
    Ok(())
}

/// Cubes that tumble.
fn tosses(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let mut most = f64::NEG_INFINITY;
    for k in 0..TOSSES {
        let s = k as f64;
        let body = Body {
            position: [0.0, 0.0, 0.3],
            velocity: [1.0 - 0.3 * s, 0.2 * s, -0.5],
            rotation: Some(Rotation::about([1.0, 2.0 - s, 0.5 * s], 0.4 + 0.5 * s)),
            angular_velocity: [8.0 - 3.0 * s, 4.0, 2.0 * s - 5.0],
            ..cuboid([0.1; 3])
        };
        let model = on_floor(body, [0.0, 0.0, -GRAVITY], 0.3, 0.5)?;
        let begin = model.assemble().map_err(|e| e.to_string())?;
        let inertia = 0.1_f64.powi(2) / 6.0;
        let mut last = f64::INFINITY;
        watch(model.system(), method, (&begin.q, &begin.v), TOSS_STEP, TOSS, |state, _| {
            let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
            let energy =
                0.5 * square(&state.v[..3]) + 0.5 * inertia * square(&state.v[3..6]) + GRAVITY * state.q[2];
            most = most.max(energy - last);
            last = energy;
        })?;
    }
    report.compare(
        format!("{}: greatest rise of the energy in a step of {TOSSES} tossed cubes (J)", method.label),
        "0, or what a step of falling gives",
        format!("{most:.1e}"),
        most < 0.5 * (GRAVITY * TOSS_STEP).powi(2),
        "an impact makes energy",
    );
    Ok(())
}

/// Newton's law for a ball of any size.
fn rebound(report: &mut StudyReport, method: Method) -> Result<(), String> {
    let mut worst = 0.0_f64;
    for radius in [1e-3, 1e-2, 0.1, 1.0, 10.0] {
        let fall = (2.0 * radius / GRAVITY).sqrt();
        for tenth in [0, 2, 5, 8, 10] {
            let e = f64::from(tenth) / 10.0;
            for dt in [1.037e-1, 1.037e-2, 1.037e-3] {
                let model = on_floor(ball(radius, radius), [0.0, 0.0, -GRAVITY], 0.3, e)?;
                let begin = model.assemble().map_err(|e| e.to_string())?;
                let mut simulation =
                    start(model.system(), method, (&begin.q, &begin.v), dt * fall, 1.4 * fall)?;
                while !simulation.is_done() {
                    simulation.advance();
                }
                let recording = simulation.recording();
                let impact = recording
                    .events
                    .iter()
                    .find(|e| e.kind == EventKind::Impact)
                    .ok_or("the ball never arrived")?;
                worst = worst.max((-impact.after / impact.before - e).abs());
            }
        }
    }
    report.compare(
        format!("{}: |-U+/U- - e| of balls of 1 mm to 10 m, e = 0 to 1, three steps, at worst", method.label),
        "0 (Newton's law)",
        format!("{worst:.1e}"),
        worst < EXACT,
        "the impact law is not met to round-off",
    );
    Ok(())
}

type Part = fn(&mut StudyReport, Method) -> Result<(), String>;

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let parts: [(&str, Part); 6] = [
        ("ball on a table", slide_and_roll),
        ("ball on an incline", down),
        ("block across", across),
        ("box at rest", at_rest),
        ("cubes", tosses),
        ("rebound", rebound),
    ];
    let total = (METHODS.len() * parts.len()) as f64;
    for (i, method) in METHODS.into_iter().enumerate() {
        for (k, (what, part)) in parts.iter().enumerate() {
            if let Err(why) = part(&mut report, method) {
                report.compare(format!("{}: {what}", method.label), "runs", why, false, "a run failed");
            }
            progress((i * parts.len() + k + 1) as f64 / total);
        }
    }
    report.note(format!("Steps: {STEP} s, 1e-2 s for the box at rest, 2e-4 s for the cubes."));
    report
}
