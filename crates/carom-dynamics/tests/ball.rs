//! The bouncing ball against its exact solution, for every scheme. [Chen2013] §5.1, Fig. 5

mod common;
use common::*;

/// Relative L¹ error of the position over [0, 4] s. [Chen2013] (42)
fn error(name: &str, parameters: &[(&str, f64)], step: f64) -> f64 {
    let ball = Ball::new(1.0, 10.0, 0.8);
    let h0 = 0.801;
    let simulation = run(&ball, name, parameters, &[h0], &[0.0], fixed(step, 4.0));
    let recording = simulation.recording();
    let (t, y) = (recording.column("t").unwrap(), recording.column("ball.y").unwrap());
    let mut sums = (0.0, 0.0);
    for (t, y) in t.iter().zip(y) {
        let (exact, _) = Ball::exact(h0, 10.0, 0.8, *t);
        sums = (sums.0 + (y - exact).abs(), sums.1 + exact.abs());
    }
    sums.0 / sums.1
}

/// Order 1 in L¹, fitted over twelve step sizes that are not multiples of each other.
#[test]
fn orders() {
    for (name, parameters) in ALL {
        let steps: Vec<f64> = (0..12).map(|k| 4e-3 * 0.7_f64.powi(k)).collect();
        let errors: Vec<f64> = steps.iter().map(|&step| error(name, parameters, step)).collect();
        let order = slope(&steps, &errors);

        assert!((0.8..1.4).contains(&order), "{name} {parameters:?}: order {order}");
        // two of the old ones have larger constants: one loses height like implicit Euler, one hits up to two steps late
        let most = if ["schatzman-paoli", "anitescu-potra"].contains(name) { 4e-3 } else { 2e-3 };
        assert!(errors[11] < most, "{name} {parameters:?}: {errors:?}");
    }
}
