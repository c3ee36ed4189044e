//! What a run says of its own error.

use carom::{Done, Setup, Stop};

fn run(text: &str, changes: &[(&str, &str)]) -> Done {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let setup = Setup::of_text("model.toml", text, &changes).unwrap_or_else(|e| panic!("{e}"));
    setup.run(|_| true).unwrap_or_else(|e| panic!("{e}"))
}

const DOUBLE: &str = r#"
    gravity = [0, -9.81]
    [ground.points]
    pivot = [0, 0]
    [bodies.upper]
    mass = 1
    inertia = 0.01
    position = [0.5, 0]
    points = { start = [-0.5, 0], end = [0.5, 0] }
    [bodies.lower]
    mass = 1
    inertia = 0.01
    position = [1, 0.5]
    angle = "=pi/2"
    points = { start = [-0.5, 0] }
    [joints]
    shoulder = { type = "revolute", between = ["ground.pivot", "upper.start"] }
    elbow = { type = "revolute", between = ["upper.end", "lower.start"] }
    [simulation]
    step = 1e-3
    end = 30
"#;

const BALL: &str = r#"
    gravity = [0, -10]
    [ground.shapes]
    floor = { type = "line", through = [0, 0], normal = [0, 1] }
    [bodies.ball]
    mass = 1
    position = [0, 1]
    points.foot = [0, 0]
    [contacts]
    floor = { between = ["ball.foot", "ground.floor"], restitution = 1 }
    [simulation]
    scheme = "moreau-jean"
    step = 0.02
    end = 20
"#;

/// A double pendulum that goes over the top is chaotic; a ball that bounces for ever is lost to a long step, and not to chaos.
#[test]
fn chaos_is_told_from_long_steps() {
    let estimate = run(DOUBLE, &[]).summary.estimate.expect("it is estimated");
    let t = estimate.horizon.expect("positions are lost");
    assert!(estimate.chaotic && (2.0..25.0).contains(&t), "{estimate:?}");
    let done = run(BALL, &[]);
    let estimate = done.summary.estimate.expect("it is estimated");
    assert!(!estimate.chaotic, "{estimate:?}");
    assert!(estimate.horizon.is_some() || estimate.error > 0.1, "{estimate:?}");
}

const SPRING: &str = r#"
    [ground.points]
    wall = [-0.5, 0]
    [bodies.mass]
    mass = 1
    position = [0.1, 0]
    [forces.spring]
    type = "spring"
    between = ["ground.wall", "mass"]
    stiffness = 100
    length = 0.5
    [simulation]
    scheme = "moreau-jean"
    step = 6.2
    end = 62
"#;

/// Ten periods in a step: it moves, and is not to be trusted.
#[test]
fn a_step_of_ten_periods_is_seen() {
    let done = run(SPRING, &[]);
    let estimate = done.summary.estimate.expect("it is estimated");
    assert!(!done.summary.audit.at_rest);
    assert!(estimate.error > 0.05, "{estimate:?}");
    let fine = run(SPRING, &[("simulation.step", "1e-3")]).summary.estimate.expect("it is estimated");
    // the trapezoidal rule is late by (ω h)²/12 of the way: 62 s of 10 rad/s
    let exact = 0.1 * 620.0 * 1e-4 / 12.0 / 0.6;
    assert!((0.3..10.0).contains(&(fine.error / exact)), "{} {exact}", fine.error);
}

/// Explicit steps that let a vibration grow: energy that is made is told, whatever else is lost.
#[test]
fn energy_that_is_made_is_not_set_off() {
    let audit = run(
        SPRING,
        &[("simulation.scheme", "moreau-explicit"), ("simulation.step", "1e-3"), ("simulation.end", "3")],
    )
    .summary
    .audit;
    // each step multiplies the energy by about 1 + (ω h)²
    let grown = (1.0_f64 + 1e-4).powi(3000) - 1.0;
    let share = audit.energy_made / audit.energy_start;
    assert!((share / grown - 1.0).abs() < 0.3, "{share} {grown}");
    assert!(audit.verdict.contains("made"), "{}", audit.verdict);
}

/// A run whose numbers leave the range of arithmetic, and one that ends with joints apart, fail.
#[test]
fn what_is_plainly_wrong_fails() {
    let wild =
        [("simulation.scheme", "moreau-explicit"), ("simulation.step", "1"), ("simulation.end", "4000")];
    let done = run(SPRING, &wild);
    assert!(matches!(done.summary.stop, Stop::Failed(_)), "{:?}", done.summary.stop);
    let coarse = [("simulation.scheme", "half-explicit-acceleration"), ("simulation.step", "0.2")];
    let done = run(DOUBLE, &coarse);
    let why = match done.summary.stop {
        Stop::Failed(why) => why,
        other => panic!("{other:?}, joints open by {:e} m", done.summary.audit.drift_length.value),
    };
    assert!(why.wrong.contains("open") || why.wrong.contains("range of arithmetic"), "{why}");
}
