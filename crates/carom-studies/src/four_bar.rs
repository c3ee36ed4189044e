//! Drift and order on the four-bar linkage of [Haddouni2015] §3.1.1 (Tables 3.2, 3.3).
//!
//! Three bars of 1 kg, l = 0.3, √0.13, 0.4 m, pivots 0.7 m apart, 6 N m on the first bar, from rest, in absolute
//! coordinates with four revolute joints. No contact: what is seen is how a scheme treats joints.
//!
//! ```text
//!   g_1 = l_1 cos φ_1 + l_2 cos φ_2 − l_3 cos φ_3 − d,      g_2 = l_1 sin φ_1 + l_2 sin φ_2 − l_3 sin φ_3        (3.1)
//! ```
//!
//! Truth for the motion: the same linkage in three angles, index-1 form, extrapolated midpoint rule of order 22 in 34
//! digits. Errata: the printed l_2 = 360.55 mm is rounded; √0.13 m closes the loop at the printed angles.

use crate::figure::Panel;
use crate::measure::{Order, within};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{ALPHA, Method, stepping_schemes, watch};
use carom_dynamics::{Configuration, System};
use carom_model::Description;
use carom_model::description::{Body, Expression, Force, Ground, Joint, Point, Revolute, Torque};
use indexmap::IndexMap;
use std::f64::consts::{FRAC_PI_3, PI};

const BASE: f64 = 0.7;
/// φ at 1 s.
pub const REFERENCE: [f64; 3] = [1.5582658243646008, -0.49123225116092795, 2.810850591618609];
/// Time of the reference (s).
pub const WINDOW: f64 = 1.0;
/// Steps in a second: about 1000 / 0.8^k, none a multiple of another.
const COUNTS: [u32; 12] = [1000, 1249, 1563, 1951, 2441, 3049, 3823, 4769, 5953, 7451, 9311, 11633];
/// Rows of Table 3.3 for the α-scheme at velocity level: mean step, |g_1|, |g_2| over 2 s.
const TABLE: [(f64, &str, [f64; 2]); 2] =
    [(6.07e-4, "1.00e-6, 4.65e-7", [1.00e-6, 4.65e-7]), (1.31e-4, "4.65e-8, 2.28e-8", [4.65e-8, 2.28e-8])];
/// Drift that counts as none after projection (m).
const NONE: f64 = 1e-12;

fn lengths() -> [f64; 3] {
    [0.3, 0.13_f64.sqrt(), 0.4]
}

/// The linkage.
pub fn four_bar() -> Description {
    let [l_1, l_2, l_3] = lengths();
    let phi = [FRAC_PI_3, (3.0_f64.sqrt() / 7.0).atan(), PI - FRAC_PI_3];
    let bar = |foot: [f64; 2], length: f64, angle: f64| Body {
        mass: 1.0,
        inertia: Some(length * length / 12.0),
        position: [foot[0] + 0.5 * length * angle.cos(), foot[1] + 0.5 * length * angle.sin()],
        angle,
        points: IndexMap::from([
            ("foot".to_string(), Point::At([-0.5 * length, 0.0])),
            ("head".to_string(), Point::At([0.5 * length, 0.0])),
        ]),
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
    let elbow = [l_1 * phi[0].cos(), l_1 * phi[0].sin()];
    let motor =
        Force::Torque(Torque { on: "crank".into(), against: None, torque: Expression::Constant(6.0) });
    Description {
        version: 1,
        gravity: [0.0, -9.81],
        ground: Ground {
            points: IndexMap::from([
                ("left".to_string(), Point::At([0.0, 0.0])),
                ("right".to_string(), Point::At([BASE, 0.0])),
            ]),
            ..Default::default()
        },
        bodies: IndexMap::from([
            ("crank".to_string(), bar([0.0, 0.0], l_1, phi[0])),
            ("coupler".to_string(), bar(elbow, l_2, phi[1])),
            ("rocker".to_string(), bar([BASE, 0.0], l_3, phi[2])),
        ]),
        joints: IndexMap::from([
            ("left".to_string(), pivot("ground.left", "crank.foot")),
            ("elbow".to_string(), pivot("crank.head", "coupler.foot")),
            ("knee".to_string(), pivot("coupler.head", "rocker.head")),
            ("right".to_string(), pivot("ground.right", "rocker.foot")),
        ]),
        forces: IndexMap::from([("motor".to_string(), motor)]),
        ..Default::default()
    }
}

/// What a run leaves.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    /// Largest |Φ| of the joints (m).
    drift: f64,
    /// Largest |g_1|, |g_2| of the angles (m).
    closure: [f64; 2],
    /// Largest error of the angles at the end, if that is 1 s (rad).
    error: f64,
}

fn outcome(linkage: &Mechanism, method: Method, step: f64, end: f64) -> Result<Outcome, String> {
    let model = &linkage.model;
    let [l_1, l_2, l_3] = lengths();
    let mut at = Configuration::new(model, 0.0, &linkage.q, &linkage.v);
    let mut phi = vec![0.0; model.structure().sizes.constraints];
    let mut outcome = Outcome::default();
    watch(model, method, linkage.start(), step, end, |state, _| {
        at.move_to(model, state.t, &state.q);
        model.constraints(&at, &mut phi);
        outcome.drift = phi.iter().fold(outcome.drift, |most, phi| most.max(phi.abs()));
        let angles = [state.q[2], state.q[5], state.q[8]];
        let [c, s] = [angles.map(f64::cos), angles.map(f64::sin)];
        let g = [l_1 * c[0] + l_2 * c[1] - l_3 * c[2] - BASE, l_1 * s[0] + l_2 * s[1] - l_3 * s[2]];
        outcome.closure = [outcome.closure[0].max(g[0].abs()), outcome.closure[1].max(g[1].abs())];
        outcome.error =
            angles.iter().zip(REFERENCE).fold(0.0, |most, (a, b): (&f64, f64)| most.max((a - b).abs()));
    })?;
    Ok(outcome)
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let linkage = Mechanism::new(&four_bar())?;
    for (step, published, theirs) in TABLE {
        let ours = outcome(&linkage, ALPHA, step, 2.0)?.closure;
        report.compare(
            format!("|g1|, |g2| over 2 s, generalized-alpha at {step:.2e} s"),
            format!("{published} m (Table 3.3)"),
            format!("{:.2e}, {:.2e} m", ours[0], ours[1]),
            within(2.0, ours[0], theirs[0]) && within(2.0, ours[1], theirs[1]),
            "theirs is the smooth index-2 scheme in three angles, ours has nine absolute coordinates and four joints; both \
             drift in proportion to dt²",
        );
    }
    let sizes: Vec<f64> = COUNTS.iter().map(|n| WINDOW / f64::from(*n)).collect();
    let methods = stepping_schemes();
    let total = (methods.len() * COUNTS.len()) as f64;
    let mut done = 0.0;
    let mut drifts = vec![("dt (s)".to_string(), sizes.clone())];
    let mut errors = drifts.clone();
    for method in methods {
        let mut found = Vec::new();
        for &step in &sizes {
            found.push(outcome(&linkage, method, step, WINDOW)?);
            done += 1.0;
            progress(done / total);
        }
        let (drift, error): (Vec<f64>, Vec<f64>) = found.iter().map(|o| (o.drift, o.error)).unzip();
        let label = method.label;
        let order = Order::fit(&sizes, &error);
        let expected = expected_order(label);
        report.compare(
            format!("{label}: order of the angles at 1 s"),
            if expected == 2.0 && !label.contains("explicit") {
                "2 (impulses along the mean of the joints' directions)".into()
            } else {
                expected.to_string()
            },
            format!("{order} (error at 1e-3 s: {:.1e} rad)", error[0]),
            order.is(expected),
            "another order",
        );
        report.fact(
            format!("{label}: drift of the joints in 1 s at 1e-3 s"),
            format!("{:.1e} m, order {}", drift[0], Order::fit(&sizes, &drift)),
        );
        drifts.push((label.to_string(), drift));
        errors.push((label.to_string(), error));
    }
    for method in PROJECTED {
        let drift = outcome(&linkage, method, sizes[0], WINDOW)?.drift;
        report.compare(
            format!("{}: drift of the joints in 1 s at 1e-3 s", method.label),
            "0",
            format!("{drift:.1e} m"),
            drift < NONE,
            "drift is left",
        );
    }
    let figure = "Drift of the joints and error of the angles over the step";
    let drift = Panel::orders(figure, "drift in 1 s", "dt (s)", "drift (m)", &[1.0, 2.0, 3.0, 4.0]);
    let error = Panel::orders(figure, "angles at 1 s", "dt (s)", "error (rad)", &[1.0, 2.0, 3.0, 4.0]);
    report.series.push(Series::new("Drift of the joints in 1 s (m)", drifts).all_drawn(drift));
    report.series.push(Series::new("Error of the angles at 1 s (rad)", errors).all_drawn(error));
    Ok(())
}

/// The fully implicit Newmark rule has the reactions inside its accelerations, along the joints where the step ends: order 1.
fn expected_order(label: &str) -> f64 {
    match label {
        "half-explicit-4" => 4.0,
        "half-explicit-3" => 3.0,
        "moreau-jean, theta = 1" | "moreau-explicit" | "moreau-midpoint" | "newmark-implicit" => 1.0,
        "schatzman-paoli" | "stewart-trinkle" | "anitescu-potra" => 1.0,
        _ => 2.0,
    }
}

/// With projection after every step.
const PROJECTED: [Method; 3] = [
    Method { label: "moreau-jean-projected", scheme: "moreau-jean-projected", parameters: &[] },
    Method { label: "moreau-midpoint-projected", scheme: "moreau-midpoint-projected", parameters: &[] },
    Method { label: "generalized-alpha-projected", scheme: "generalized-alpha-projected", parameters: &[] },
];
