//! Implicit methods and multistep methods for the smooth motion: orders, estimates, rows held, stiff springs, contacts.
#![allow(non_snake_case)]

#[path = "common/dae_implicit.rs"]
mod dae;
use carom_dynamics::*;
use dae::*;

/// What a run with constant steps leaves.
struct Run {
    end: Knot,
    /// Mean of the estimates that behave as the method says; the largest |Φ| and |G v + Φ_t| where steps end.
    estimate: f64,
    position: f64,
    velocity: f64,
    iterations: usize,
}

fn begin(system: &dyn System, motion: &mut Motion, q: &[f64], v: &[f64]) -> Knot {
    let mut from = Knot::new(motion);
    from.q.copy_from_slice(q);
    from.v.copy_from_slice(v);
    let at = motion.configuration(system, 0.0, q, v);
    motion.accelerations(system, &at, &mut from.a, &mut from.lambda).unwrap();
    from
}

fn run_modes(
    system: &dyn System,
    modes: Option<ContactMode>,
    method: &mut dyn Method,
    (q, v): (&[f64], &[f64]),
    dts: impl Iterator<Item = f64>,
) -> Run {
    let mut motion = Motion::new(system);
    if let Some(mode) = modes {
        motion.set_modes(&[mode]);
    }
    let mut from = begin(system, &mut motion, q, v);
    let mut to = from.clone();
    let mut at = motion.configuration(system, 0.0, q, v);
    method.restart(system, &mut motion, &from).unwrap();
    let mut out = Run { end: from.clone(), estimate: 0.0, position: 0.0, velocity: 0.0, iterations: 0 };
    let (mut work, mut counted) = (vec![0.0; motion.most_rows()], 0);
    // those of a starter behave differently
    let mut exponent = 0.0;
    for dt in dts {
        let estimate = method.step(system, &mut motion, &from, dt, &mut to).unwrap();
        motion.place(system, to.t, &to.q, &to.v, &mut at);
        motion.accelerations(system, &at, &mut to.a, &mut to.lambda).unwrap();
        method.accept(&from, &to);
        if method.exponent() != exponent {
            (exponent, counted, out.estimate) = (method.exponent(), 0, 0.0);
        }
        out.estimate += estimate.error;
        counted += 1;
        out.iterations += estimate.iterations;
        let m = motion.rows();
        motion.velocities(&to.v, &mut work);
        out.velocity = work[..m].iter().fold(out.velocity, |most, x| most.max(x.abs()));
        motion.positions(system, &at, &mut work);
        out.position = work[..m].iter().fold(out.position, |most, x| most.max(x.abs()));
        std::mem::swap(&mut from, &mut to);
    }
    out.estimate /= f64::from(counted);
    out.end = from;
    out
}

fn run(system: &Coded, method: &mut dyn Method, steps: usize) -> Run {
    let dt = system.end / steps as f64;
    run_modes(system, None, method, (&system.q, &system.v), (0..steps).map(|_| dt))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Slope of log y over log x by least squares.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = (x.iter().map(|x| x.ln()).collect(), y.iter().map(|y| y.ln()).collect());
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxy: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    sxy / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

/// Orders of q, v, λ by index 1, and of the estimate, over twelve step sizes from end/first on, each shorter by 1.15.
fn orders(system: &Coded, make: &dyn Fn() -> Box<dyn Method>, first: f64) -> [f64; 4] {
    let mut dts = vec![];
    let mut errors: [Vec<f64>; 4] = Default::default();
    for k in 0..12 {
        let steps = (first * 1.15_f64.powi(k)).round() as usize;
        let out = run(system, &mut *make(), steps);
        dts.push(system.end / steps as f64);
        errors[0].push(distance(&out.end.q, &system.q_end));
        errors[1].push(distance(&out.end.v, &system.v_end));
        errors[2].push(distance(&out.end.lambda[..system.m], &system.lambda_end));
        errors[3].push(out.estimate);
        if std::env::var("CAROM_SHOW").is_ok() {
            println!(
                "  {steps:4} q {:.2e} v {:.2e} l {:.2e} e {:.2e} iterations {:.1} rows {:.1e} {:.1e}",
                errors[0][k as usize],
                errors[1][k as usize],
                errors[2][k as usize],
                errors[3][k as usize],
                out.iterations as f64 / steps as f64,
                out.position,
                out.velocity
            );
        }
    }
    errors.map(|e| slope(&dts, &e))
}

fn systems() -> [(&'static str, Coded); 4] {
    [("pendulum", pendulum()), ("slider crank", slider_crank()), ("four bar", four_bar()), ("generic", generic())]
}

#[test]
fn show_orders() {
    let methods: Vec<(&str, Box<dyn Fn() -> Box<dyn Method>>, f64)> = vec![
        ("alpha 2", Box::new(|| Box::new(Alpha::new(0.8))), 40.0),
        ("alpha 3", Box::new(|| {
            let mut m = Alpha::new(0.8);
            m.set_formulation(Formulation::Index3);
            Box::new(m)
        }), 40.0),
        ("radau 1", Box::new(|| Box::new(Radau5::new(Formulation::Index1))), 16.0),
        ("radau 2", Box::new(|| Box::new(Radau5::new(Formulation::Index2))), 16.0),
        ("radau 3", Box::new(|| Box::new(Radau5::new(Formulation::Index3))), 16.0),
    ];
    for (name, make, first) in &methods {
        for (of, system) in systems() {
            let o = orders(&system, make, *first);
            println!("{name} {of}: q {:.2} v {:.2} lambda {:.2} estimate {:.2}", o[0], o[1], o[2], o[3]);
        }
    }
    for k in 1..=6 {
        for (of, system) in systems() {
            let o = orders(&system, &|| Box::new(Bdf::new(k)), 60.0);
            println!("bdf {k} {of}: q {:.2} v {:.2} lambda {:.2} estimate {:.2}", o[0], o[1], o[2], o[3]);
        }
    }
    for c in 0..2 {
        for k in 1..=5 {
            for (of, system) in systems() {
                let o = orders(&system, &|| Box::new(Adams::new(k, c)), 60.0);
                println!("adams {k} {c} {of}: q {:.2} v {:.2} lambda {:.2} estimate {:.2}", o[0], o[1], o[2], o[3]);
            }
        }
    }
}
