//! Period of a pendulum against its exact value, as an example of a study.
//!
//! ```text
//!   T(a) = T_0 / agm(1, cos(a/2)),      T_0 = 2π √(l/g)                              Gauss: exact for every amplitude a
//! ```

use carom_dynamics::{Settings, Simulation, State, scheme};
use carom_model::Model;
use carom_model::description::{Body, Description, Distance, Joint};
use carom_studies::{Row, Study, StudyReport, Verdict};

/// The line of the registry.
pub const PENDULUM: Study = Study {
    name: "pendulum-period",
    title: "Period of a pendulum at large amplitudes",
    source: "Gauss, arithmetic-geometric mean",
    run,
};

const GRAVITY: f64 = 9.81;
const LENGTH: f64 = 0.5;
const STEP: f64 = 2e-4;
/// Relative error that order 1 leaves at this step, with a margin of three.
const TOLERANCE: f64 = 1e-3;

fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    for (k, degrees) in [10.0, 60.0, 120.0, 170.0].into_iter().enumerate() {
        progress(k as f64 / 4.0);
        let exact = exact_period(f64::to_radians(degrees));
        let (ours, verdict) = match period(f64::to_radians(degrees), exact) {
            Ok(ours) if (ours / exact - 1.0).abs() < TOLERANCE => (format!("{ours:.4}"), Verdict::Agrees),
            Ok(ours) => (format!("{ours:.4}"), Verdict::Differs("the step is too long".into())),
            Err(why) => ("-".into(), Verdict::Differs(why)),
        };
        let what = format!("period at {degrees}° (s)");
        report.rows.push(Row { what, published: format!("{exact:.4}"), ours, verdict });
    }
    progress(1.0);
    report.notes.push(format!("step {STEP} s, generalized-alpha with default parameters"));
    report
}

/// Truth from outside: nothing of Carom in it.
fn exact_period(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU * (LENGTH / GRAVITY).sqrt() / a
}

/// A point mass on a rod, let go at rest: four times the time until it hangs straight down, between two steps.
fn period(amplitude: f64, expected: f64) -> Result<f64, String> {
    let bob = [LENGTH * amplitude.sin(), -LENGTH * amplitude.cos()];
    let mut description = Description { gravity: [0.0, -GRAVITY], ..Description::default() };
    description.bodies.insert("bob".into(), Body::point_mass(1.0, bob));
    let rod = Joint::Distance(Distance { between: ["ground".into(), "bob".into()], length: Some(LENGTH) });
    description.joints.insert("rod".into(), rod);
    let model = Model::new(&description).map_err(|e| e.to_string())?;
    let start = model.assemble().map_err(|e| e.to_string())?;
    let state = State::new(&model, 0.0, start.q, start.v);
    let scheme = scheme("generalized-alpha", &[]).map_err(|e| e.to_string())?;
    let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
    let settings = Settings { step: STEP, end: expected, accuracy: None, output: None };
    let mut simulation =
        Simulation::new(&model, &*scheme, solver, state, settings).map_err(|e| e.to_string())?;
    let mut before = (0.0, bob[0]);
    while !simulation.is_done() {
        simulation.advance();
        let now = (simulation.state().t, simulation.state().q[0]);
        if now.1 <= 0.0 {
            let part = before.1 / (before.1 - now.1);
            return Ok(4.0 * (before.0 + part * (now.0 - before.0)));
        }
        before = now;
    }
    Err("it never comes down".into())
}
