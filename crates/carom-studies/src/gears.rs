//! Two pairs of toothed wheels: one impact, and the rattle of a driven pair.                  [Ebrahimi2007] §7.3, Tables 7.1 and 7.2
//!
//! ```text
//!   one impact       m = 1/(r_b²/J_1 + r_b²/J_2),  v = r_b ω      F = v √(c m),   T = π √(m/c),   ω_1' = ω (J_1 − J_2)/(J_1 + J_2)
//!   driven rattle    m = J_2/r_b2²,  v = r_b1 ω                   first contact at j/(2 v), then every j/v + π √(m/c)
//! ```
//!
//! The source prints curves, no numbers. What is printed here are the closed forms; in the rattle two pairs carry on the other side,
//! m/(2 c) there. Elastic teeth are not known to Carom.

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
        rattle(report)?;
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

/// Without damping: closed forms. On the other side two pairs carry, as the teeth stand.
fn rattle(report: &mut StudyReport) -> Result<(), String> {
    let (J, c, play, speed) = (2.214e-2, 2.798508e8, 40e-6, 0.5);
    let base = 0.0975 * (PI / 9.0).cos();
    let (m, v) = (J / (base * base), 0.035 * (PI / 9.0).cos() * speed);
    let gear = GearPair {
        law: GearLaw::Spring,
        stiffness: Some(c),
        stiffness_ratio: Some(1.0),
        damping: Some(0.0),
        entry: Some(0.0),
        dedendum: [1.05; 2],
        play: Some(play),
        ..GearPair::between("first", "second", [14, 39], 5e-3)
    };
    let seen = see(&wheels(gear, 0.1325, [0.367e-3, J], speed, true), base, 1e-6, 0.06)?;
    let known = "the closed form has a constant stiffness";
    let force = v * f64::sqrt(2.0 * c * m);
    let close = (seen.most / force - 1.0).abs() < 1e-3;
    report.compare(
        "rattle: largest force (N)",
        format!("{force:.1}"),
        format!("{:.1}", seen.most),
        close,
        known,
    );
    let lasts = [1.0, 2.0].map(|pairs| PI * f64::sqrt(m / (pairs * c)));
    let mut begins = 0.5 * play / v;
    let mut contacts = 0;
    while begins < 0.06 {
        if contacts < 3 {
            let ours = seen.begun.get(contacts).copied().unwrap_or(f64::NAN);
            let what = format!("rattle: contact {} begins (ms)", contacts + 1);
            let close = (ours - begins).abs() < 3e-6;
            report.compare(what, format!("{:.3}", begins * 1e3), format!("{:.3}", ours * 1e3), close, known);
        }
        begins += lasts[contacts % 2] + play / v;
        contacts += 1;
    }
    let ours = seen.begun.len();
    report.compare(
        "rattle: contacts in 60 ms",
        contacts.to_string(),
        ours.to_string(),
        ours == contacts,
        known,
    );
    Ok(())
}
