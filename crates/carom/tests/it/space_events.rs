//! A spatial model's own events, at times known in closed form.

use crate::space::{read, run};
use std::f64::consts::PI;

/// Times of an event.
fn times(text: &str, scheme: &str, step: f64, end: f64, event: &str) -> Vec<f64> {
    let recording = run(&read(text), scheme, step, end);
    recording.events.iter().filter(|e| e.subject == event).map(|e| e.t).collect()
}

/// By schemes that find events, then by one that sees them at the end of a step.
fn happens(text: &str, event: &str, end: f64, exact: &[f64]) {
    for (scheme, step, tolerance) in
        [("dopri5", 1e-2, 1e-7), ("hem5", 1e-2, 1e-7), ("radau5", 1e-2, 1e-7), ("moreau-jean", 1e-4, 1.5e-4)]
    {
        let found = times(text, scheme, step, end, event);
        assert_eq!(found.len(), exact.len(), "{scheme} {event}: {found:?} {exact:?}");
        for (found, exact) in found.iter().zip(exact) {
            assert!((found - exact).abs() < tolerance, "{scheme} {event}: {found} {exact}");
        }
    }
}

#[test]
fn a_thrown_ball_passes_a_height() {
    let (v, g, z) = (4.0f64, 9.81, 0.5);
    let text = r#"
        gravity = [0, 0, -9.81]
        [parameters]
        height = 0.5
        [bodies.ball]
        mass = 0.2
        velocity = [1, 2, 4]
        [events.up]
        when = "ball.z - height"
        direction = "rising"
        [events.down]
        when = "ball.z - height"
        direction = "falling"
        [events.top]
        when = "ball.vz"
        [events.far]
        when = "distance(ball, ground) - 1.2"
    "#;
    let root = (v * v - 2.0 * g * z).sqrt();
    happens(text, "up", 1.0, &[(v - root) / g]);
    happens(text, "down", 1.0, &[(v + root) / g]);
    happens(text, "top", 1.0, &[v / g]);
    // |r|² = 5 t² + (4 t − g t²/2)² reaches 1.2² once, by bisection
    let off = |t: f64| 5.0 * t * t + (v * t - 0.5 * g * t * t).powi(2) - 1.44;
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..60 {
        let m = 0.5 * (a + b);
        if off(m) < 0.0 { a = m } else { b = m }
    }
    happens(text, "far", 1.0, &[a]);
}

/// A rotor under a constant torque: angle ½ (T/I) t², over more than one turn, turns counted.
#[test]
fn turns_of_a_joint_are_counted() {
    let text = |more: &str| {
        format!(
            r#"
        space = true
        [ground.points]
        axle = {{ at = [0, 0, 0], axis = [1, 2, 2] }}
        [bodies.rotor]
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [joints.axle]
        type = "revolute"
        between = ["ground.axle", "rotor"]
        [forces.drive]
        type = "motor"
        joint = "axle"
        torque = 1
        [events.half]
        when = "axle.angle - pi"
        [events.three]
        when = "axle.angle - 3*pi"
        direction = "rising"
        [events.back]
        when = "axle.angle + 1"
        [events.fast]
        when = "axle.rate - 5"
        {more}"#
        )
    };
    let at = |angle: f64| (2.0 * angle * 0.1).sqrt();
    happens(&text(""), "half", 1.5, &[at(PI)]);
    happens(&text(""), "three", 1.5, &[at(3.0 * PI)]);
    happens(&text(""), "back", 1.5, &[]);
    happens(&text(""), "fast", 1.5, &[0.5]);
    // a run that ends there
    let ends = text("[events.end]\nwhen = \"axle.angle - 7\"\nstop = true");
    let recording = run(&read(&ends), "dopri5", 1e-2, 1.5);
    let last = *recording.columns[0].last().unwrap();
    assert!((last - at(7.0)).abs() < 1e-7, "{last}");
}

/// A bar on a tilted hinge, let go level with it: it is lowest after K(sin θ_0/2)/ω, by the arithmetic-geometric mean.
#[test]
fn a_pendulum_reaches_the_bottom() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [ground.points]
        hinge = { at = [0, 0, 0], axis = [0.6, 0.8, 0] }
        [bodies.bar]
        mass = 2
        inertia = [0.06, 0.06, 0.06]
        position = [0.4, -0.3, 0]
        points.hole = { at = [-0.4, 0.3, 0], axis = [0.6, 0.8, 0] }
        [joints.hinge]
        type = "revolute"
        between = ["ground.hinge", "bar.hole"]
        [events.lowest]
        when = "abs(hinge.angle) - pi/2"
        direction = "rising"
        [events.level]
        when = "bar.hole.z - 1"
    "#;
    let omega = (9.81 * 2.0 * 0.5 / (0.06 + 2.0 * 0.25f64)).sqrt();
    let (mut a, mut b) = (1.0f64, (PI / 4.0).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    happens(text, "lowest", 0.6, &[PI / (2.0 * a * omega)]);
    happens(text, "level", 0.6, &[]);
}
