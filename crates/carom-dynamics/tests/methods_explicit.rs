//! PHEM56, explicit Runge–Kutta, Verlet, SHAKE and RATTLE: orders, estimates, rows held; forms of the accelerations.
#![allow(non_snake_case)]

#[path = "common/dae.rs"]
mod dae;
use carom_dynamics::*;
use dae::*;

const NONE: &[ContactMode] = &[];

/// A method by name.
fn method(name: &str) -> Box<dyn Method> {
    match name {
        "phem56" => Box::new(Phem56::default()),
        "rk4" => Box::new(RungeKutta::rk4()),
        "rkf45" => Box::new(RungeKutta::rkf45(false)),
        "rkf45 fifth" => Box::new(RungeKutta::rkf45(true)),
        "dopri5" => Box::new(RungeKutta::dopri5()),
        "shake" => Box::new(Symplectic::shake()),
        "rattle" => Box::new(Symplectic::rattle()),
        "verlet" => Box::new(Symplectic::verlet()),
        _ => unreachable!("{name}"),
    }
}

/// Slope of log y over log x, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (x, y) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let up: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    up / logs.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// Slopes in q, v, λ at the end, in q and v inside the last step, and of the mean estimate; worst drifts.
struct Observed {
    slopes: [f64; 5],
    estimate: f64,
    phi: f64,
    phi_dot: f64,
}

/// Twelve step sizes, ratio 0.85, to t = 0.5; the last step is entered by 0.37 of it for what is inside.
fn observe(system: &Coded, name: &str, form: Formulation, fewest: usize) -> Observed {
    let mut points = [const { Vec::new() }; 6];
    let (mut phi, mut phi_dot): (f64, f64) = (0.0, 0.0);
    for k in 0..12 {
        let steps = (fewest as f64 / 0.85_f64.powi(k)).round() as usize;
        let dt = 0.5 / steps as f64;
        let mut trip = Trip::new(system, method(name), form, NONE);
        for _ in 0..steps {
            trip.step(dt);
            let drift = trip.drift();
            (phi, phi_dot) = (phi.max(drift.0), phi_dot.max(drift.1));
        }
        let [q, v, lambda] = &system.half;
        for (points, error) in points.iter_mut().zip([
            distance(&trip.to.q, q),
            distance(&trip.to.v, v),
            distance(&trip.to.lambda, lambda),
        ]) {
            points.push((dt, error));
        }
        points[5].push((dt, trip.estimates / steps as f64));
        let dt = 0.5 / (steps as f64 + 0.37);
        let mut trip = Trip::new(system, method(name), form, NONE);
        for _ in 0..=steps {
            trip.step(dt);
        }
        let (mut q_in, mut v_in) = (vec![0.0; system.n], vec![0.0; system.n]);
        let Trip { motion, method, from, to, .. } = &mut trip;
        let theta = (0.5 - from.t) / dt;
        method.inside(system, motion, from, to, theta, &mut q_in, &mut v_in).unwrap();
        points[3].push((dt, distance(&q_in, q)));
        points[4].push((dt, distance(&v_in, v)));
    }
    let [q, v, lambda, q_in, v_in, estimate] = points.map(|p| slope(&p));
    Observed { slopes: [q, v, lambda, q_in, v_in], estimate, phi, phi_dot }
}

#[test]
fn quick() {
    for name in ["phem56", "rk4", "rkf45", "rkf45 fifth", "dopri5", "shake", "rattle"] {
        for (system, fewest) in references().iter().zip([20, 20, 60, 10]) {
            let Observed { slopes, estimate, phi, phi_dot } =
                observe(system, name, Formulation::Index1, fewest);
            println!(
                "{name} {} {slopes:.2?} estimate {estimate:.2} drift {phi:.1e} {phi_dot:.1e}",
                system.name
            );
        }
    }
    for form in [Formulation::NullSpace, Formulation::PseudoInverse, Formulation::Partitioned] {
        for (system, fewest) in references().iter().zip([20, 20, 60, 10]) {
            let Observed { slopes, estimate, phi, phi_dot } = observe(system, "dopri5", form, fewest);
            println!(
                "{form} {} {slopes:.2?} estimate {estimate:.2} drift {phi:.1e} {phi_dot:.1e}",
                system.name
            );
        }
    }
}
