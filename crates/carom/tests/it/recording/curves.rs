//! Points on curves: beads on wires with known motions.

use super::{column, opened, run};
use std::f64::consts::PI;

const G: f64 = 9.81;

fn bead(wire: &str, position: [f64; 2], end: f64) -> String {
    format!(
        "version = 1\ngravity = [0, -9.81]\n[ground.shapes.wire]\n{wire}\n[bodies.bead]\nmass = 2\nposition = {position:?}\n\
         [joints]\nwire = {{ type = \"point-on-curve\", between = [\"bead\", \"ground.wire\"] }}\n\
         [simulation]\nscheme = \"radau5\"\naccuracy = 1e-7\nend = {end}\n"
    )
}

/// Times at which a channel crosses zero, by straight lines between samples.
fn zeros(t: &[f64], x: &[f64]) -> Vec<f64> {
    (1..t.len())
        .filter(|&k| x[k - 1] * x[k] < 0.0)
        .map(|k| t[k - 1] - x[k - 1] * (t[k] - t[k - 1]) / (x[k] - x[k - 1]))
        .collect()
}

/// Huygens: on a cycloid of rolling radius r the period is 4π √(r/g), however far it swings.
#[test]
fn the_cycloid_swings_in_one_time() {
    let r = 0.25;
    // x = r (φ + sin φ), y = −r (1 + cos φ): lowest at φ = 0, its ends left out
    let point = |phi: f64| [r * (phi + phi.sin()), -r * (1.0 + phi.cos())];
    let places: Vec<[f64; 2]> = (0..=80).map(|k| point(-2.9 + 5.8 * f64::from(k) / 80.0)).collect();
    let wire = format!(
        "type = \"path\"\nstart = {:?}\npieces = [{{ spline-through = {:?} }}]",
        places[0],
        &places[1..]
    );
    let period = 4.0 * PI * (r / G).sqrt();
    for start in [0.4, 1.5, 2.6] {
        let done = run(&bead(&wire, point(start), 1.2 * period), &[]);
        let (t, x) = (column(&done, "t"), column(&done, "bead.x"));
        let zeros = zeros(t, x);
        let found = 2.0 * (zeros[1] - zeros[0]);
        // the spline is off the cycloid by the fourth power of 1/80 of its length
        assert!((found / period - 1.0).abs() < 2e-4, "from φ = {start}: {found} against {period}");
    }
}

/// A bead on a circle is a pendulum: K(sin θ0/2) by the arithmetic-geometric mean.
#[test]
fn the_circle_is_a_pendulum() {
    let (radius, theta): (f64, f64) = (0.8, 2.0);
    let (mut a, mut b) = (1.0_f64, (theta / 2.0).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = 2.0 * PI * (radius / G).sqrt() / a;
    let start = [radius * theta.sin(), -radius * theta.cos()];
    let done = run(&bead(&format!("type = \"disk\"\nradius = {radius}"), start, 1.1 * period), &[]);
    let zeros = zeros(column(&done, "t"), column(&done, "bead.x"));
    let found = 2.0 * (zeros[1] - zeros[0]);
    assert!((found / period - 1.0).abs() < 1e-4, "{found} against {period}");
}

/// On an ellipse energy stays, and at the lowest point the wire carries m (v²/ρ + g), ρ = a²/b.
#[test]
fn the_ellipse_carries_weight_and_turning() {
    let (a, b) = (2.0, 1.0);
    let done = run(&bead("type = \"ellipse\"\nsemi_axes = [2, 1]", [a, 0.0], 3.0), &[]);
    let energy = column(&done, "energy.total");
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-5 * 2.0 * G * b));
    let (x, y) = (column(&done, "bead.x"), column(&done, "bead.y"));
    // on the wire to the accuracy asked for, 1e-7 of its size of 4.5 m; the function has slopes up to 2
    assert!(x.iter().zip(y).all(|(x, y)| ((x / a).powi(2) + (y / b).powi(2) - 1.0).abs() < 1e-6));
    let k = (0..x.len()).min_by(|&i, &j| y[i].total_cmp(&y[j])).unwrap();
    let v2 = 2.0 * G * -y[k];
    // the sample is near the lowest place, where the force is flat
    let carried = 2.0 * (v2 / (a * a / b) + G);
    let force = column(&done, "wire.force_normal")[k].abs();
    assert!((force / carried - 1.0).abs() < 1e-3, "{force} against {carried}");
}

/// The run ends where the wire ends; friction slows by μ times the normal force.
#[test]
fn a_bead_runs_off_its_wire() {
    let wire = "type = \"path\"\nstart = [0, 0]\npieces = [{ line-to = [3, -3] }]";
    let model = bead(wire, [0.0, 0.0], 9.0).replace("\"ground.wire\"]", "\"ground.wire\"], friction = 0.5");
    let model =
        model.replace("scheme = \"radau5\"\naccuracy = 1e-7", "scheme = \"moreau-jean\"\nstep = 1e-4");
    let done = run(&model, &[]);
    // s = a t²/2 = √18 with a = g (sin 45° − μ cos 45°)
    let t = (2.0 * 18f64.sqrt() / (G * 0.5_f64.sqrt() * 0.5)).sqrt();
    assert!((done.summary.t - t).abs() < 1e-3, "{} against {t}", done.summary.t);
    assert!(done.recording.events.iter().any(|event| event.subject == "wire.end"));
}

#[test]
fn what_cannot_lead_a_point_is_refused() {
    for (wire, word) in [
        ("type = \"rectangle\"\nsize = [1, 1]", "corners"),
        ("type = \"path\"\nstart = [0, 0]\npieces = [{ line-to = [1, 0] }, { line-to = [1, 1] }]", "corner"),
    ] {
        let error = opened(&bead(wire, [0.5, 0.0], 1.0)).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}
