//! Implicit methods and multistep methods for the smooth motion: orders, estimates, rows held, stiff springs, contacts.
#![allow(non_snake_case)]

use crate::common::dae_implicit::*;
use carom_dynamics::*;

/// What a run with constant steps leaves.
struct Run {
    end: Knot,
    /// λ there as the method found it itself.
    own: Vec<f64>,
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
    method: &dyn Method,
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
    let mut method = method.begin(system, &mut motion, &from).unwrap();
    let own = vec![0.0; motion.rows()];
    let mut out = Run { end: from.clone(), own, estimate: 0.0, position: 0.0, velocity: 0.0, iterations: 0 };
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
    method.own_multipliers(1.0, &mut out.own);
    out.end = from;
    out
}

fn run(system: &Coded, method: &dyn Method, steps: usize, unequal: f64) -> Run {
    let dt = system.end / steps as f64;
    // longer and shorter by turns, with a sum that is the end
    let sum: f64 = (0..steps).map(|i| 1.0 + unequal * (1.7 * i as f64).sin()).sum();
    let dts = (0..steps).map(|i| dt * steps as f64 / sum * (1.0 + unequal * (1.7 * i as f64).sin()));
    run_modes(system, None, method, (&system.q, &system.v), dts)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Slope of log y over log x by least squares.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) =
        (x.iter().map(|x| x.ln()).collect(), y.iter().map(|y| y.ln()).collect());
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxy: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    sxy / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

type Make = dyn Fn() -> Box<dyn Method>;

/// Orders of q, v, λ by index 1, and of the estimate, over twelve step sizes from end/first on, each shorter by 1.15.
fn orders(system: &Coded, make: &Make, first: f64, unequal: f64) -> [f64; 4] {
    let mut dts = vec![];
    let mut errors: [Vec<f64>; 4] = Default::default();
    for k in 0..12 {
        let steps = (first * 1.15_f64.powi(k)).round() as usize;
        let out = run(system, &*make(), steps, unequal);
        dts.push(system.end / steps as f64);
        errors[0].push(distance(&out.end.q, &system.q_end));
        errors[1].push(distance(&out.end.v, &system.v_end));
        errors[2].push(distance(&out.end.lambda[..system.m], &system.lambda_end));
        errors[3].push(out.estimate);
    }
    errors.map(|e| slope(&dts, &e))
}

/// Orders of q and v (λ if asked for) and the estimate's are as they should be, on all four mechanisms.
fn assert_orders(
    name: &str,
    make: &Make,
    first: impl Fn(&str) -> f64,
    unequal: f64,
    expected: [Option<f64>; 4],
    tolerance: f64,
) {
    for (of, system, looser) in [
        ("pendulum", pendulum(), 1.0),
        ("slider crank", slider_crank(), 1.0),
        // its errors pass through zero as the step shrinks, and may fall faster
        ("four bar", four_bar(), 2.5),
        ("generic", generic(), 1.0),
    ] {
        let found = orders(&system, make, first(of), unequal);
        for (i, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            // estimates have no such excuse
            let tolerance = if i == 3 { 0.3 } else { looser * tolerance };
            if let Some(expected) = expected {
                let excess = if i < 3 && looser > 1.0 && found > expected { 0.0 } else { found - expected };
                assert!(excess.abs() < tolerance, "{name}, {of}: {found} in place of {expected}");
            }
        }
    }
}

/// How much finer the steps have to be until the order shows.
fn finer(of: &str) -> f64 {
    match of {
        "slider crank" => 2.0,
        "four bar" => 5.0,
        "generic" => 0.6,
        _ => 1.0,
    }
}

fn alpha(rho_inf: f64, formulation: Formulation) -> Alpha {
    let mut alpha = Alpha::new(rho_inf);
    alpha.set_formulation(formulation);
    alpha
}

#[test]
fn orders_of_alpha() {
    for formulation in [Formulation::Index2, Formulation::Index3] {
        for rho_inf in [0.0, 0.5, 0.8] {
            for unequal in [0.0, 0.25] {
                let name = format!("alpha {rho_inf} {formulation} unequal {unequal}");
                // in index 3 the estimate is that of the first steps until a has settled
                let e = if unequal == 0.0 { Some(3.0) } else { None };
                let expected = [Some(2.0), Some(2.0), Some(2.0), e];
                let make = move || Box::new(alpha(rho_inf, formulation)) as Box<dyn Method>;
                assert_orders(&name, &make, |of| 120.0 * finer(of), unequal, expected, 0.3);
            }
        }
    }
}

#[test]
fn orders_of_radau5() {
    for unequal in [0.0, 0.1] {
        for (formulation, v, lambda) in [
            (Formulation::Index1, 5.0, Some(5.0)),
            (Formulation::Index2, 5.0, Some(5.0)),
            // λ by index 1 is between the orders of q and v
            (Formulation::Index3, 3.0, None),
        ] {
            let name = format!("radau5 {formulation} unequal {unequal}");
            let make = move || Box::new(Radau5::new(formulation)) as Box<dyn Method>;
            let expected = [Some(5.0), Some(v), lambda, Some(4.0)];
            assert_orders(
                &name,
                &make,
                |of| if of == "four bar" { 100.0 } else { 16.0 * finer(of) },
                unequal,
                expected,
                0.3,
            );
        }
    }
}

/// Multipliers as the methods find them themselves.
#[test]
fn orders_of_own_multipliers() {
    for (of, system) in [("pendulum", pendulum()), ("four bar", four_bar())] {
        let mut dts = vec![];
        let mut errors: [Vec<f64>; 4] = Default::default();
        for k in 0..12 {
            let steps = (30.0 * finer(of) * 1.15_f64.powi(k)).round() as usize;
            dts.push(1.0 / steps as f64);
            let radau = [Radau5::new(Formulation::Index2), Radau5::new(Formulation::Index3)];
            let alpha = [alpha(0.5, Formulation::Index2), alpha(0.5, Formulation::Index3)];
            for i in 0..2 {
                let by_radau = run(&system, &radau[i], steps, 0.0);
                let by_alpha = run(&system, &alpha[i], 4 * steps, 0.0);
                errors[i].push(distance(&by_radau.own, &system.lambda_end));
                errors[2 + i].push(distance(&by_alpha.own, &system.lambda_end));
            }
        }
        let found = errors.map(|e| slope(&dts, &e));
        for (found, expected) in found.into_iter().zip([3.0, 2.0, 2.0, 2.0]) {
            assert!((found - expected).abs() < 0.3, "{of}: {found} in place of {expected}");
        }
    }
}

/// Errors of low orders come to their order late on mechanisms that turn over, those of high ones meet round-off early.
fn multistep(order: usize, of: &str) -> f64 {
    let more = match (order, of) {
        (_, "generic") => 1.0,
        (..=4, _) => 4.0,
        (6, "pendulum" | "four bar") => 1.0,
        _ => 1.5,
    };
    60.0 * finer(of) * more
}

#[test]
fn orders_of_bdf() {
    for unequal in [0.0, 0.1] {
        for k in 1..=if unequal > 0.0 { 5 } else { 6 } {
            let p = Some(k as f64);
            let name = format!("bdf {k} unequal {unequal}");
            let make = move || Box::new(Bdf::new(k)) as Box<dyn Method>;
            let expected = [p, p, None, Some(k as f64 + 1.0)];
            assert_orders(&name, &make, |of| multistep(k, of), unequal, expected, 0.35);
        }
    }
}

#[test]
fn orders_of_adams() {
    for unequal in [0.0, 0.3] {
        for corrections in 0..2 {
            for k in 1..=5 {
                let p = Some(k as f64);
                let name = format!("adams {k} corrected {corrections} unequal {unequal}");
                let make = move || Box::new(Adams::new(k, corrections)) as Box<dyn Method>;
                let expected = [p, p, None, Some(k as f64 + 1.0)];
                assert_orders(&name, &make, |of| multistep(k, of), unequal, expected, 0.35);
            }
        }
    }
}

/// Rows that a method holds are held, however short the step.
#[test]
fn rows_are_held() {
    for system in [pendulum(), slider_crank(), four_bar(), generic()] {
        for steps in [50, 200, 1000, 10_000] {
            let out = run(&system, &alpha(0.8, Formulation::Index2), steps, 0.2);
            assert!(out.velocity < 1e-13, "{steps}: {:e}", out.velocity);
            let out = run(&system, &alpha(0.8, Formulation::Index3), steps, 0.2);
            assert!(out.position < 1e-13, "{steps}: {:e}", out.position);
            let out = run(&system, &Radau5::new(Formulation::Index2), steps, 0.2);
            assert!(out.position < 1e-13 && out.velocity < 2e-13, "{:e} {:e}", out.position, out.velocity);
            let out = run(&system, &Radau5::new(Formulation::Index3), steps, 0.2);
            assert!(out.position < 1e-13, "{steps}: {:e}", out.position);
        }
    }
}

/// A rod in place of which a spring stands, ω dt = 100: stable, and the slow motion is that of the rod.
#[test]
fn stiff_spring_is_a_rod() {
    let (dt, steps) = (0.01, 200);
    let k = (100.0_f64 / dt).powi(2) / 2.0;
    let (q, v) = ([0.6, -0.8, 1.4, -1.4], [0.0; 4]);
    let rods = Chain::new(None);
    let truth = Radau5::new(Formulation::Index2);
    let rigid = run_modes(&rods, None, &truth, (&q, &v), (0..4 * steps).map(|_| dt / 4.0));
    let spring = Chain::new(Some(k));
    let methods: [(&str, Box<dyn Method>, f64); 7] = [
        ("alpha index 2", Box::new(alpha(0.8, Formulation::Index2)), 0.02),
        ("alpha index 3", Box::new(alpha(0.8, Formulation::Index3)), 0.02),
        ("alpha 0", Box::new(alpha(0.0, Formulation::Index2)), 0.05),
        ("radau5 index 1", Box::new(Radau5::new(Formulation::Index1)), 2e-6),
        ("radau5 index 2", Box::new(Radau5::new(Formulation::Index2)), 2e-6),
        ("radau5 index 3", Box::new(Radau5::new(Formulation::Index3)), 2e-6),
        ("bdf 2", Box::new(Bdf::new(2)), 0.05),
    ];
    for (name, method, bound) in methods {
        let out = run_modes(&spring, None, &*method, (&q, &v), (0..steps).map(|_| dt));
        let error = distance(&out.end.q, &rigid.end.q);
        assert!(error < bound, "{name}: {error:e}");
    }
}

/// Name, how to make it, order of q.
type Entry = (String, Box<Make>, f64);

fn every() -> Vec<Entry> {
    let mut all: Vec<Entry> = vec![];
    for formulation in [Formulation::Index2, Formulation::Index3] {
        let make = move || Box::new(alpha(0.8, formulation)) as Box<dyn Method>;
        all.push((format!("alpha {formulation}"), Box::new(make), 2.0));
    }
    for formulation in [Formulation::Index1, Formulation::Index2, Formulation::Index3] {
        let make = move || Box::new(Radau5::new(formulation)) as Box<dyn Method>;
        all.push((format!("radau5 {formulation}"), Box::new(make), 5.0));
    }
    for k in [2, 4] {
        all.push((format!("bdf {k}"), Box::new(move || Box::new(Bdf::new(k))), k as f64));
        all.push((format!("adams {k}"), Box::new(move || Box::new(Adams::moulton(k))), k as f64));
    }
    all
}

/// Order of q in a bowl, against the angle at the end.
fn bowl_order(
    bowl: &Bowl,
    mode: ContactMode,
    angle: (f64, f64),
    end: (f64, f64),
    make: &Make,
    first: f64,
) -> f64 {
    let of = |angle: f64| [angle.sin(), -angle.cos()];
    let (q, v) = (of(angle.0), [angle.0.cos() * angle.1, angle.0.sin() * angle.1]);
    let (mut dts, mut errors) = (vec![], vec![]);
    for k in 0..12 {
        let steps = (first * 1.15_f64.powi(k)).round() as usize;
        let dt = end.0 / steps as f64;
        let out = run_modes(bowl, Some(mode), &*make(), (&q, &v), (0..steps).map(|_| dt));
        dts.push(dt);
        errors.push(distance(&out.end.q, &of(end.1)));
    }
    slope(&dts, &errors)
}

/// A contact that is held is a row: closed, it is the pendulum; sliding, with friction in the equation of the angle, which
/// Runge and Kutta integrate, and rubbing along a wire the same; sticking, it follows a bowl that turns.
#[test]
fn contacts_that_are_held() {
    let g = 9.81;
    // from the table of references
    let closed = (0.5, 0.365_008_200_464_060_3_f64.atan2(0.931_004_303_746_222_5));
    let start = 0.6_f64.atan2(0.8);
    // θ'' = −g sin θ − μ (θ'² + g cos θ), forwards
    let mu = 0.3;
    let f = |y: [f64; 2]| [y[1], -g * y[0].sin() - mu * (y[1] * y[1] + g * y[0].cos())];
    let (mut y, h) = ([start - 0.8, 3.0], 1e-4);
    for _ in 0..3000 {
        let at = |k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        let k1 = f(y);
        let k2 = f(at(k1, h / 2.0));
        let k3 = f(at(k2, h / 2.0));
        let k4 = f(at(k3, h));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    assert!(y[1] > 0.1, "it slides forwards to the end");
    let slides = (0.3, y[0]);
    let sticks = (0.8, start + 0.3 * 1.6_f64.sin());
    for (name, make, order) in every() {
        let first = if order > 3.0 { 12.0 } else { 60.0 };
        let first = if name.contains('4') { 40.0 } else { first };
        let found = [
            bowl_order(&Bowl::new(None, false), ContactMode::Closed, (start, 1.0), closed, &make, first),
            bowl_order(
                &Bowl::new(Some(mu), false),
                ContactMode::Slide(1.0),
                (start - 0.8, 3.0),
                slides,
                &make,
                first,
            ),
            bowl_order(&Bowl::wire(mu), ContactMode::Slide(1.0), (start - 0.8, 3.0), slides, &make, first),
            bowl_order(&Bowl::new(Some(mu), true), ContactMode::Stick, (start, 0.6), sticks, &make, first),
        ];
        for found in found {
            assert!((found - order).abs() < 0.4, "{name}: {found} in place of {order}");
        }
    }
}

/// Inside a step: the collocation polynomial of RADAU5, error O(dt⁴), against a step that ends there.
#[test]
fn inside_a_step() {
    let system = generic();
    let (mut dts, mut errors) = (vec![], vec![]);
    for k in 0..10 {
        let dt = 0.2 / 1.3_f64.powi(k);
        let mut motion = Motion::new(&system);
        let from = begin(&system, &mut motion, &system.q, &system.v);
        let (mut to, mut truth) = (from.clone(), from.clone());
        let mut radau = Radau5::default().begin(&system, &mut motion, &from).unwrap();
        radau.step(&system, &mut motion, &from, 0.4 * dt, &mut truth).unwrap();
        radau.step(&system, &mut motion, &from, dt, &mut to).unwrap();
        let (mut q, mut v) = (vec![0.0; 4], vec![0.0; 4]);
        radau.inside(&system, &mut motion, &from, &to, 0.4, &mut q, &mut v).unwrap();
        errors.push(distance(&q, &truth.q) + distance(&v, &truth.v));
        dts.push(dt);
        for (theta, knot) in [(0.0, &from), (1.0, &to)] {
            radau.inside(&system, &mut motion, &from, &to, theta, &mut q, &mut v).unwrap();
            assert!(distance(&q, &knot.q) < 1e-15 && distance(&v, &knot.v) < 1e-14);
        }
    }
    let order = slope(&dts, &errors);
    assert!((order - 4.0).abs() < 0.3, "{order}");
}

/// A step that is tried and given up leaves no trace: the accepted one is the same to the last bit.
#[test]
fn a_step_tried_is_forgotten() {
    let system = four_bar();
    for (name, make, _) in every() {
        let ends: Vec<Knot> = [false, true]
            .map(|tries| {
                let mut motion = Motion::new(&system);
                let mut from = begin(&system, &mut motion, &system.q, &system.v);
                let mut to = from.clone();
                let mut at = motion.configuration(&system, 0.0, &from.q, &from.v);
                let mut method = make().begin(&system, &mut motion, &from).unwrap();
                for _ in 0..20 {
                    if tries {
                        method.step(&system, &mut motion, &from, 0.02, &mut to).unwrap();
                    }
                    method.step(&system, &mut motion, &from, 0.005, &mut to).unwrap();
                    motion.place(&system, to.t, &to.q, &to.v, &mut at);
                    motion.accelerations(&system, &at, &mut to.a, &mut to.lambda).unwrap();
                    method.accept(&from, &to);
                    std::mem::swap(&mut from, &mut to);
                }
                from
            })
            .into();
        assert_eq!(ends[0].q, ends[1].q, "{name}");
        assert_eq!(ends[0].v, ends[1].v, "{name}");
    }
}

/// Rows that depend on each other share what they carry.
#[test]
fn two_rods_share() {
    let system = two_rods();
    for (name, make, order) in every() {
        let out = run(&system, &*make(), 200, 0.0);
        let bound = if order > 3.0 { 1e-7 } else { 1e-3 };
        let (q, lambda) =
            (distance(&out.end.q, &system.q_end), distance(&out.end.lambda, &system.lambda_end));
        assert!(q < bound && lambda < 30.0 * bound, "{name}: {q:e} {lambda:e}");
        assert!(out.velocity < 100.0 * bound, "{name}");
    }
    let out = run(&system, &Radau5::default(), 200, 0.0);
    assert!(out.velocity < 1e-12 && out.position < 1e-12, "{:e} {:e}", out.velocity, out.position);
    assert!(distance(&out.own, &system.lambda_end) < 1e-4);
}
