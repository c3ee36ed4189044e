//! HEM5, PHEM56, explicit Runge–Kutta, Verlet, SHAKE and RATTLE: orders, estimates, rows held; forms of the accelerations.
#![allow(non_snake_case)]

use crate::common::dae::*;
use carom_dynamics::*;

const NONE: &[ContactMode] = &[];

/// A method by name.
fn method(name: &str) -> Box<dyn Method> {
    match name {
        "hem5" => Box::new(Hem5::default()),
        "phem56" => Box::new(Phem56),
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

/// Slopes in q, v, (v', λ) at the end, in q and v inside the last step, and of the mean estimate; worst drifts.
struct Observed {
    slopes: [f64; 5],
    estimate: f64,
    phi: f64,
    phi_dot: f64,
}

/// Twelve step sizes, ratio 0.88, to the time of reference; the last step is entered by 0.37 of it for what is inside.
fn observe(system: &Coded, name: &str, form: Formulation, fewest: usize) -> Observed {
    let mut points = [const { Vec::new() }; 6];
    let (mut phi, mut phi_dot): (f64, f64) = (0.0, 0.0);
    for k in 0..12 {
        let steps = (fewest as f64 / 0.88_f64.powi(k)).round() as usize;
        let dt = system.t_1 / steps as f64;
        let mut trip = Trip::new(system, method(name), form, NONE);
        for _ in 0..steps {
            trip.step(dt);
            let drift = trip.drift();
            (phi, phi_dot) = (phi.max(drift.0), phi_dot.max(drift.1));
        }
        let [q, v, lambda] = &system.end;
        // λ alone has one component here and there, whose error passes through zero
        let at = trip.motion.configuration(system, system.t_1, q, v);
        let (mut a, mut same) = (vec![0.0; system.n], lambda.clone());
        trip.motion.accelerations(system, &at, &mut a, &mut same).unwrap();
        assert!(distance(&same, lambda) < 1e-10, "the {} has other forces", system.name);
        let of_force = distance(&trip.to.lambda, lambda).max(distance(&trip.to.a, &a));
        for (points, error) in
            points.iter_mut().zip([distance(&trip.to.q, q), distance(&trip.to.v, v), of_force])
        {
            points.push((dt, error));
        }
        points[5].push((dt, trip.estimates / steps as f64));
        let dt = system.t_1 / (steps as f64 + 0.37);
        let mut trip = Trip::new(system, method(name), form, NONE);
        for _ in 0..=steps {
            trip.step(dt);
        }
        let (mut q_in, mut v_in) = (vec![0.0; system.n], vec![0.0; system.n]);
        let Trip { motion, method, from, to, .. } = &mut trip;
        let theta = (system.t_1 - from.t) / dt;
        method.inside(system, motion, from, to, theta, &mut q_in, &mut v_in).unwrap();
        points[3].push((dt, distance(&q_in, q)));
        points[4].push((dt, distance(&v_in, v)));
    }
    let [q, v, lambda, q_in, v_in, estimate] = points.map(|p| slope(&p));
    Observed { slopes: [q, v, lambda, q_in, v_in], estimate, phi, phi_dot }
}

/// Where the errors of all methods are in their asymptotic range, and above round-off.
const FEWEST: [usize; 4] = [40, 60, 250, 8];
/// A fitted order may stay below the true one by this.
const SHORT: f64 = 0.5;

/// Orders in q, v, λ, and inside a step; the estimate behaves as the method says.
fn has_order(name: &str, order: f64) {
    for (system, fewest) in references().iter().zip(FEWEST) {
        let Observed { slopes, estimate, .. } = observe(system, name, Formulation::Index1, fewest);
        for (slope, what) in slopes.iter().zip(["q", "v", "λ", "q inside", "v inside"]) {
            assert!(
                *slope > order - SHORT && *slope < order + 1.3,
                "{name} on the {}: order {slope:.2} in {what}",
                system.name
            );
        }
        let exponent = Trip::new(system, method(name), Formulation::Index1, NONE).method.exponent();
        // that of HEM5 goes from 4 to 5 as one of its two parts takes over from the other
        let short = if name == "hem5" { 1.0 } else { 0.3 };
        assert!(
            estimate > exponent - short && estimate < exponent + 0.3,
            "{name} on the {}: estimate of order {estimate:.2}, not {exponent}",
            system.name
        );
    }
}

#[test]
fn half_explicit_methods_have_order_5() {
    has_order("hem5", 5.0);
    has_order("phem56", 5.0);
}

#[test]
fn rk4_has_order_4() {
    has_order("rk4", 4.0);
}

#[test]
fn rkf45_has_order_4_or_5() {
    has_order("rkf45", 4.0);
    has_order("rkf45 fifth", 5.0);
}

#[test]
fn dopri5_has_order_5() {
    has_order("dopri5", 5.0);
}

#[test]
fn shake_and_rattle_have_order_2() {
    has_order("shake", 2.0);
    has_order("rattle", 2.0);
}

/// Rows that a method holds by itself stay at round-off, in steps large enough for errors of 1e-9.
#[test]
fn rows_are_held() {
    for (system, fewest) in references().iter().zip(FEWEST) {
        for name in ["hem5", "phem56"] {
            let velocities = observe(system, name, Formulation::Index2, fewest).phi_dot;
            assert!(velocities < 1e-14, "{name} on the {}: {velocities:.1e}", system.name);
        }
        let positions = observe(system, "shake", Formulation::Index3, fewest).phi;
        assert!(positions < 1e-14, "shake on the {}: {positions:.1e}", system.name);
        let Observed { phi, phi_dot, .. } = observe(system, "rattle", Formulation::Index3, fewest);
        assert!(phi < 1e-14 && phi_dot < 1e-14, "rattle on the {}: {phi:.1e} {phi_dot:.1e}", system.name);
        let Observed { phi, phi_dot, .. } = observe(system, "dopri5", Formulation::Partitioned, fewest);
        assert!(phi < 1e-14 && phi_dot < 1e-14, "partitioned {}: {phi:.1e} {phi_dot:.1e}", system.name);
    }
}

const FORMS: [Formulation; 3] =
    [Formulation::NullSpace, Formulation::PseudoInverse, Formulation::Partitioned];

/// Orders do not depend on the form; the four-bar needs other independent coordinates twice on its way.
#[test]
fn orders_in_all_forms() {
    for form in FORMS {
        for (system, fewest) in references().iter().zip(FEWEST) {
            for slope in observe(system, "dopri5", form, fewest).slopes {
                assert!(slope > 5.0 - SHORT, "{form} form of the {}: order {slope:.2}", system.name);
            }
        }
    }
    let system = four_bar();
    let mut trip = Trip::new(&system, method("dopri5"), Formulation::Partitioned, NONE);
    for _ in 0..1000 {
        trip.step(1e-3);
    }
    let changes = trip.motion.repartitions();
    assert!((1..20).contains(&changes), "independent coordinates were chosen anew {changes} times");
}

/// Numbers in (−1, 1) that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// a and λ in every form at one place; they solve the equations, whatever they say of each other. Where rows depend on each
/// other the form of index 1 is regularised by 1e-8, so that half the digits of λ are left to it along what rows share.
fn compare_forms(system: &Coded, modes: &[ContactMode], q: &[f64], v: &[f64], rows_depend: bool) {
    let dependent = if rows_depend { 1e5 } else { 1.0 };
    let mut motion = Motion::new(system);
    motion.set_modes(modes);
    let at = motion.configuration(system, 0.3, q, v);
    let m = motion.rows();
    let mut of_index_1 = (vec![0.0; system.n], vec![0.0; motion.most_rows()]);
    motion.accelerations(system, &at, &mut of_index_1.0, &mut of_index_1.1).unwrap();
    let size = |x: &[f64]| x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let mut of_first: Option<Vec<f64>> = None;
    for form in FORMS {
        motion.set_formulation(form);
        let (mut a, mut lambda) = (vec![0.0; system.n], vec![0.0; motion.most_rows()]);
        motion.accelerations(system, &at, &mut a, &mut lambda).unwrap();
        let tolerance = 1e-11 * size(&a).max(size(&lambda[..m]));
        let off = distance(&a, &of_index_1.0);
        assert!(off < tolerance, "{form}, {} {modes:?}: a differs by {off:.1e} at {q:?}", system.name);
        let off = distance(&lambda[..m], &of_index_1.1[..m]) / dependent;
        assert!(off < tolerance, "{form}, {} {modes:?}: λ differs by {off:.1e} at {q:?}", system.name);
        let off = distance(&lambda[..m], of_first.get_or_insert(lambda.clone()));
        assert!(off < tolerance, "{form}, {} {modes:?}: λ differs by {off:.1e} at {q:?}", system.name);
        // M a = h + Fᵀ λ and G a + bias = 0, forces and rows as evaluated at the same place
        let (mut left, mut right) = (vec![0.0; system.n], vec![0.0; system.n]);
        motion.evaluate_forces(system, &at);
        motion.mul_mass(&a, &mut left);
        right.copy_from_slice(motion.h());
        motion.add_reactions(&lambda, &mut right);
        assert!(distance(&left, &right) < tolerance, "{form}, {} {modes:?}: forces", system.name);
        let (mut Ga, mut bias) = (vec![0.0; motion.most_rows()], vec![0.0; motion.most_rows()]);
        motion.along_rows(&a, &mut Ga);
        motion.acceleration_bias(system, &at, &mut bias);
        for row in 0..m {
            assert!((Ga[row] + bias[row]).abs() < tolerance, "{form}, {} {modes:?}: row {row}", system.name);
        }
    }
}

#[test]
fn all_forms_give_the_same() {
    let mut numbers = Numbers(7);
    for system in references().iter().chain([&double_pendulum()]) {
        for _ in 0..100 {
            let q: Vec<f64> = system.q_0.iter().map(|q| q + 0.5 * numbers.next()).collect();
            let v: Vec<f64> = system.q_0.iter().map(|_| 3.0 * numbers.next()).collect();
            compare_forms(system, NONE, &q, &v, false);
        }
    }
}

/// Five rows of rank 3, one of them an angle: λ is the smallest, torques measured by the length of the mechanism.
#[test]
fn all_forms_give_the_same_where_rows_depend() {
    let (system, mut numbers) = (parallelogram(), Numbers(8));
    for _ in 0..100 {
        let (turn, rate) = (3.0 * numbers.next(), 3.0 * numbers.next());
        compare_forms(&system, NONE, &[turn, turn, turn, 0.0], &[rate, rate, rate, 0.0], true);
    }
    for (name, form) in [("dopri5", Formulation::NullSpace), ("dopri5", Formulation::Partitioned)]
        .into_iter()
        .chain([("phem56", Formulation::Index2), ("rattle", Formulation::Index3)])
    {
        let mut trip = Trip::new(&system, method(name), form, NONE);
        let mut most: f64 = 0.0;
        for _ in 0..500 {
            trip.step(2e-3);
            most = most.max(trip.drift().1);
        }
        assert!(most < 1e-8, "{name} in the {form} form: rows of velocity off by {most:.1e}");
        assert!(trip.to.lambda.iter().all(|l| l.abs() < 1e3), "{name}: {:?}", trip.to.lambda);
    }
}

/// Closed, sticking and sliding corners, alone and with a joint that rubs.
#[test]
fn all_forms_give_the_same_with_contacts_held() {
    use ContactMode::*;
    let mut numbers = Numbers(9);
    let free: &[&[ContactMode]] = &[
        &[Closed, Open],
        &[Closed, Closed],
        &[Stick, Open],
        &[Slide(1.0), Open],
        &[Open, Slide(-1.0)],
        &[Slide(1.0), Slide(1.0)],
        &[Slide(-1.0), Closed],
    ];
    let on_rod: &[&[ContactMode]] = &[
        &[Open, Open, Open],
        &[Open, Open, Slide(1.0)],
        &[Open, Open, Stick],
        &[Slide(1.0), Open, Slide(-1.0)],
        &[Slide(1.0), Open, Stick],
        &[Open, Stick, Open],
        &[Closed, Open, Slide(1.0)],
    ];
    for (system, modes) in [(block(false), free), (block(true), on_rod)] {
        for modes in modes {
            for _ in 0..50 {
                let q = [0.3 + 0.1 * numbers.next(), 0.3 * numbers.next(), 0.3 * numbers.next()];
                let v = [numbers.next(), numbers.next(), numbers.next()];
                compare_forms(&system, modes, &q, &v, false);
            }
        }
    }
    // both corners at rest on the floor: one row too many, consistent where the block does not turn
    compare_forms(&block(false), &[Stick, Stick], &[0.1, 0.2, 0.0], &[0.0; 3], true);
}

/// A block that slides on both corners: x = v t − μ g t²/2, exactly for all methods, and the floor carries the weight.
#[test]
fn a_block_slides() {
    let system = block(false);
    let modes = [ContactMode::Slide(1.0); 2];
    let runs = FORMS.map(|form| ("dopri5", form));
    let more = ["phem56", "rk4", "rkf45", "shake", "rattle"].map(|name| (name, Formulation::Index1));
    for (name, form) in runs.into_iter().chain(more) {
        let mut trip = Trip::new(&system, method(name), form, &modes);
        for _ in 0..10 {
            trip.step(0.02);
        }
        let (t, braking) = (0.2, 0.3 * 9.81);
        let exact = [t - 0.5 * braking * t * t, 0.2, 0.0, 1.0 - braking * t, 0.0, 0.0];
        let off = distance(&trip.to.q, &exact[..3]).max(distance(&trip.to.v, &exact[3..]));
        assert!(off < 1e-13, "{name} in the {form} form: {off:.1e}");
        let carried = trip.to.lambda[0] + trip.to.lambda[1];
        assert!((carried - 2.0 * 9.81).abs() < 1e-11, "{name} in the {form} form carries {carried}");
    }
}

/// A block that tips about a corner that sticks, against the same as a pendulum with one angle.
#[test]
fn a_block_tips_about_a_corner() {
    let mut system = block(false);
    system.v_0 = vec![-0.2 * 1.5, 0.3 * 1.5, 1.5];
    let mut y = [0.0, 1.5];
    let inertia = 0.1 + 2.0 * (0.09 + 0.04);
    let f = |y: [f64; 2]| [y[1], -2.0 * 9.81 * (0.3 * y[0].cos() - 0.2 * y[0].sin()) / inertia];
    let dt = 0.1 / 2000.0;
    for _ in 0..2000 {
        let go = |k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        let k1 = f(y);
        let k2 = f(go(k1, 0.5 * dt));
        let k3 = f(go(k2, 0.5 * dt));
        let k4 = f(go(k3, dt));
        y = std::array::from_fn(|i| y[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let modes = [ContactMode::Stick, ContactMode::Open];
    for (name, order, fewest) in
        [("phem56", 5.0, 4), ("dopri5", 5.0, 4), ("rk4", 4.0, 6), ("shake", 2.0, 10), ("rattle", 2.0, 10)]
    {
        let points: Vec<(f64, f64)> = (0..12)
            .map(|k| {
                let steps = (fewest as f64 / 0.85_f64.powi(k)).round() as usize;
                let dt = 0.1 / steps as f64;
                let mut trip = Trip::new(&system, method(name), Formulation::Index1, &modes);
                for _ in 0..steps {
                    trip.step(dt);
                }
                (dt, (trip.to.q[2] - y[0]).abs().max((trip.to.v[2] - y[1]).abs()))
            })
            .collect();
        let slope = slope(&points);
        assert!(slope > order - SHORT && slope < order + 1.3, "{name}: order {slope:.2}, {points:?}");
    }
}

/// x'' = −x − 0.2 x', alone.
fn oscillator() -> Coded {
    Coded {
        mass: |_, M| M[0] = 1.0,
        mass_is_constant: true,
        force: |_, q, v, h| h[0] = -q[0] - 0.2 * v[0],
        potential: |q| 0.5 * q[0] * q[0],
        angles: false,
        q_0: vec![1.0],
        v_0: vec![0.0],
        ..bare("oscillator", 1)
    }
}

#[test]
fn verlet_has_order_2_and_takes_no_rows() {
    let system = oscillator();
    let points: Vec<(f64, f64)> = (0..12)
        .map(|k| {
            let steps = (10.0 / 0.85_f64.powi(k)).round() as usize;
            let dt = 2.0 / steps as f64;
            let mut trip = Trip::new(&system, method("verlet"), Formulation::Index3, NONE);
            for _ in 0..steps {
                trip.step(dt);
            }
            // damping 0.1, frequency √0.99
            let w = 0.99_f64.sqrt();
            let exact = (-0.2_f64).exp() * ((2.0 * w).cos() + 0.1 / w * (2.0 * w).sin());
            (dt, (trip.to.q[0] - exact).abs())
        })
        .collect();
    let order = slope(&points);
    assert!((order - 2.0).abs() < 0.2, "order {order:.2}");
    let (system, method) = (pendulum(), method("verlet"));
    let motion = Motion::new(&system);
    let from = Knot::new(&motion);
    let refusal = method.start(&system, &motion, &from).unwrap_err().to_string();
    assert!(refusal.contains("verlet") && refusal.contains("rattle"), "{refusal}");
}

/// A million steps of a double pendulum in chaos: the energy of RATTLE errs, and comes back; that of RK4 in the same steps goes.
#[test]
fn rattle_keeps_energy() {
    let system = double_pendulum();
    let look = |name: &str, steps: usize| {
        let mut trip = Trip::new(&system, method(name), Formulation::Index3, NONE);
        let start = -9.81 * 2.2;
        let (mut worst, mut first, mut last): (f64, f64, f64) = (0.0, 0.0, 0.0);
        let tenth = steps / 10;
        for k in 0..steps {
            trip.step(4e-3);
            let off = trip.energy() - start;
            worst = worst.max(off.abs());
            if k < tenth {
                first += off / tenth as f64;
            }
            if k >= steps - tenth {
                last += off / tenth as f64;
            }
        }
        (worst, first, last)
    };
    let (worst, first, last) = look("rattle", 1_000_000);
    assert!(worst < 5e-4, "energy errs by {worst:.1e}");
    assert!(
        (last - first).abs() < 0.02 * worst,
        "mean {first:.3e} in the first tenth, {last:.3e} in the last"
    );
    let (worst, first, last) = look("rk4", 100_000);
    assert!((last - first).abs() > 0.5 * worst, "RK4 keeps energy too: this proves nothing");
}

/// With M(q) RATTLE is symmetric only; that is enough for a slider-crank that swings.
#[test]
fn rattle_keeps_energy_where_the_mass_changes() {
    let system = slider_crank();
    let mut trip = Trip::new(&system, method("rattle"), Formulation::Index3, NONE);
    // at the start: (Σ M v v)/2, no height
    let start = 0.5 * (16.0 * (1.0 / 12.0 + 2.25) - 16.0 * 3.0 + 4.0 * (1.0 / 3.0 + 5.0));
    let mut mean = [0.0; 10];
    let mut worst: f64 = 0.0;
    for mean in &mut mean {
        for _ in 0..20_000 {
            trip.step(5e-3);
            let off = trip.energy() - start;
            *mean += off / 20_000.0;
            worst = worst.max(off.abs());
        }
    }
    assert!(worst < 5e-3, "energy errs by {worst:.1e}");
    let gone = (mean[9] - mean[0]).abs();
    assert!(gone < 0.01 * worst, "{gone:.1e} of {worst:.1e} is gone in 200000 steps");
}
