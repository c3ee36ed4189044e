//! Two pairs of toothed wheels: one impact, and the rattle of a driven pair.                  [Ebrahimi2007] §7.3, Tables 7.1 and 7.2
//!
//! ```text
//!   one impact       m = 1/(r_b²/J_1 + r_b²/J_2),  v = r_b ω      F = v √(c m),   T = π √(m/c),   ω_1' = ω (J_1 − J_2)/(J_1 + J_2)
//!   driven rattle    m = J_2/r_b2²,  v = r_b1 ω                   first contact at j/(2 v), then every j/v + π √(m/c)
//! ```
//!
//! The source prints curves, no numbers. What is printed here are the closed forms; with damping, an independent integration of one
//! mass between two springs. Elastic teeth are not known to Carom.

use crate::report::StudyReport;
use crate::running::{Method, watch};
use carom_dynamics::{Configuration, System};
use carom_model::Model;
use carom_model::description::{Body, Description, Expression, Flanks, GearLaw, GearPair, Joint, Revolute};
use carom_model::description::{Coordinate, Motion};
use std::f64::consts::PI;

const STEPPING: Method = Method { label: "moreau-jean", scheme: "moreau-jean", parameters: &[] };

pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        one_impact(report)?;
        progress(0.2);
        rattle(report, 0.0, [1.216, 3.954, 6.691], 446.7715, 22)?;
        progress(0.6);
        rattle(report, 0.05, [1.216, 4.354, 7.958], 416.1, 10)?;
        progress(1.0);
        report.note("elastic teeth of the same examples (39.78 kN, and 15 and 4 contacts) need coordinates of the teeth, which are not built");
        Ok::<(), String>(())
    })
}

/// Two wheels on pivots.
fn wheels(gear: GearPair, distance: f64, inertias: [f64; 2], speed: f64, driven: bool) -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    let first = Body { angular_velocity: speed, ..Body::rigid(1.0, inertias[0], [0.0; 2]) };
    d.bodies.insert("first".into(), first);
    d.bodies.insert("second".into(), Body::rigid(1.0, inertias[1], [distance, 0.0]));

    for (name, x) in [("first", 0.0), ("second", distance)] {
        d.ground.points.insert(format!("shaft-{name}"), carom_model::description::Point::At([x, 0.0]));
        let between = [format!("ground.shaft-{name}"), name.to_string()];
        d.joints
            .insert(format!("pivot-{name}"), Joint::Revolute(Revolute { between, ..Revolute::default() }));
    }
    if driven {
        let function = Expression::Formula(format!("{speed}*t"));
        let motion = Motion { of: "first".into(), coordinate: Coordinate::Angle, function };
        d.joints.insert("drive".into(), Joint::Motion(motion));
    }
    d.gears.insert("teeth".into(), gear);
    d
}

/// What a run showed: largest force between the teeth, when contacts began and ended, speeds at the end.
struct Seen {
    most: f64,
    begun: Vec<f64>,
    parted: Vec<f64>,
    speeds: [f64; 2],
}

/// Runs, and looks at the torque on the second wheel, whose base radius is given.
fn see(description: &Description, base: f64, step: f64, end: f64) -> Result<Seen, String> {
    let model = Model::new(description).map_err(|e| e.to_string())?;
    let start = model.assemble().map_err(|e| e.to_string())?;
    let mut seen = Seen { most: 0.0, begun: Vec::new(), parted: Vec::new(), speeds: [0.0; 2] };
    let mut touching = false;
    let mut h = vec![0.0; model.structure().sizes.v];
    watch(&model, STEPPING, (&start.q, &start.v), step, end, |state, _| {
        model.force(&Configuration::new(&model, state.t, &state.q, &state.v), &mut h);
        let force = h[5].abs() / base;
        seen.most = seen.most.max(force);
        if (force > 0.0) != touching {
            touching = !touching;
            if touching { &mut seen.begun } else { &mut seen.parted }.push(state.t);
        }
        seen.speeds = [state.v[2], state.v[5]];
    })?;
    Ok(seen)
}

fn one_impact(report: &mut StudyReport) -> Result<(), String> {
    let (J, omega, c) = ([2.27, 4.1], 1.745, 5.95e8);
    let base = 0.291 * (PI / 9.0).cos();
    let gear = GearPair {
        law: GearLaw::Spring,
        width: Some(0.05),
        shape_factor: Some(0.85),
        damping: Some(0.0),
        dedendum: [1.0315; 2],
        play: Some(2e-3),
        flanks: Flanks::Forward,
        ..GearPair::between("first", "second", [97, 97], 6e-3)
    };
    let seen = see(&wheels(gear, 0.582, J, omega, false), base, 1e-7, 1e-3)?;
    let m = 1.0 / (base * base * (1.0 / J[0] + 1.0 / J[1]));
    let mut row = |what: &str, published: f64, ours: f64, within: f64| {
        let agrees = (ours / published - 1.0).abs() < within;
        report.compare(
            what,
            format!("{published:.6}"),
            format!("{ours:.6}"),
            agrees,
            "the closed form has a constant stiffness",
        );
    };
    row("one impact: largest force (kN)", base * omega * f64::sqrt(c * m) * 1e-3, seen.most * 1e-3, 1e-4);
    let parted = seen.parted.first().copied().unwrap_or(f64::NAN);
    row("one impact: it lasts (ms)", PI * f64::sqrt(m / c) * 1e3, parted * 1e3, 5e-4);
    row(
        "one impact: speed of the first after it (rad/s)",
        omega * (J[0] - J[1]) / (J[0] + J[1]),
        seen.speeds[0],
        1e-4,
    );
    row(
        "one impact: speed of the second after it (rad/s)",
        -2.0 * omega * J[0] / (J[0] + J[1]),
        seen.speeds[1],
        1e-4,
    );
    Ok(())
}

fn rattle(
    report: &mut StudyReport,
    zeta: f64,
    begins: [f64; 3],
    force: f64,
    contacts: usize,
) -> Result<(), String> {
    let (J, c) = (2.214e-2, 2.798508e8);
    let base = 0.0975 * (PI / 9.0).cos();
    let m = J / (base * base);
    let gear = GearPair {
        law: GearLaw::Spring,
        stiffness: Some(c),
        stiffness_ratio: Some(1.0),
        damping: Some(2.0 * zeta * f64::sqrt(c * m)),
        dedendum: [1.05; 2],
        play: Some(40e-6),
        ..GearPair::between("first", "second", [14, 39], 5e-3)
    };
    let seen = see(&wheels(gear, 0.1325, [0.367e-3, J], 0.5, true), base, 1e-6, 0.06)?;
    let name = |what: &str| format!("rattle, damping ratio {zeta}: {what}");
    let known = "the closed form or the integration of one mass between two springs";
    report.compare(
        name("contacts in 60 ms"),
        contacts.to_string(),
        seen.begun.len().to_string(),
        seen.begun.len() == contacts,
        known,
    );
    report.compare(
        name("largest force (N)"),
        format!("{force:.1}"),
        format!("{:.1}", seen.most),
        (seen.most / force - 1.0).abs() < 1e-3,
        known,
    );
    for (k, begin) in begins.into_iter().enumerate() {
        let ours = seen.begun.get(k).copied().unwrap_or(f64::NAN) * 1e3;
        let what = name(&format!("contact {} begins (ms)", k + 1));
        report.compare(what, format!("{begin:.3}"), format!("{ours:.3}"), (ours - begin).abs() < 4e-3, known);
    }
    Ok(())
}
