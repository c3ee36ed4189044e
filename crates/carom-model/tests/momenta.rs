//! Momenta and difference quotients as identities, and what steps made of them keep: energy, momentum, joints.
#![allow(non_snake_case)]

mod common;

use carom_dynamics::{Configuration, Momenta, Settings, Simulation, State, System, scheme};
use carom_model::description::*;
use carom_model::{Description, Model};
use common::{Random, between};

const FRAMES: [Reference; 4] =
    [Reference::Clamped, Reference::Pinned, Reference::Articulated, Reference::MeanAxis];

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

/// Models that between them have every joint on every kind of body.
fn all() -> Vec<Model> {
    let soft = common::soft_beam;
    let mut all = vec![model(&common::joints()), model(&common::bar())];
    for reference in FRAMES {
        let nodal = matches!(reference, Reference::Clamped | Reference::Pinned);
        let beam = Beam { stiffening: nodal, reference, ..soft() };
        all.push(model(&common::beam(beam)));
    }
    all
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Two random states, and a step between them.
struct Pair {
    from: Configuration,
    to: Configuration,
    dt: f64,
    w: [Vec<f64>; 2],
}

impl Pair {
    /// x_{n+1} = x_n + dt/2 (w_n + w_{n+1}).
    fn new(model: &Model, seed: u64, dt: f64) -> Self {
        let (n, mut random) = (model.sizes().v, Random::new(seed));
        let q: Vec<f64> =
            model.described_position().iter().zip(random.vector(n, 0.2)).map(|(a, b)| a + b).collect();
        let from = Configuration::new(model, 0.1, &q, &random.vector(n, 2.0));
        let (mut x, mut w_n, w) = (vec![0.0; n], vec![0.0; n], random.vector(n, 2.0));
        model.coordinates(&from, &mut x);
        model.rates(&from, &from.v, &mut w_n);
        for i in 0..n {
            x[i] += 0.5 * dt * (w_n[i] + w[i]);
        }
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        model.positions(&x, &mut q);
        let mut to = Configuration::new(model, 0.1 + dt, &q, &vec![0.0; n]);
        model.velocities(&to, &w, &mut v);
        to.v.copy_from_slice(&v);
        Self { from, to, dt, w: [w_n, w] }
    }
}

#[test]
fn coordinates_and_rates_come_back() {
    for (k, model) in all().iter().enumerate() {
        let pair = Pair::new(model, 3, 0.3);
        let n = pair.from.v.len();
        let (mut x, mut q, mut w, mut v) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        model.coordinates(&pair.to, &mut x);
        model.positions(&x, &mut q);
        model.rates(&pair.to, &pair.to.v, &mut w);
        model.velocities(&pair.to, &w, &mut v);
        for i in 0..n {
            assert!((q[i] - pair.to.q()[i]).abs() < 1e-13, "model {k}, coordinate {i}");
            assert!((v[i] - pair.to.v[i]).abs() < 1e-13, "model {k}, velocity {i}");
            assert!((w[i] - pair.w[1][i]).abs() < 1e-13, "model {k}, rate {i}");
        }
        // w is the rate of x
        let h = 1e-6;
        let there = |s: f64| {
            let q: Vec<f64> = pair.to.q().iter().zip(&pair.to.v).map(|(q, v)| q + s * h * v).collect();
            let mut x = vec![0.0; n];
            model.coordinates(&Configuration::new(model, 0.0, &q, &pair.to.v), &mut x);
            x
        };
        for (i, (a, b)) in there(1.0).iter().zip(there(-1.0)).enumerate() {
            assert!(((a - b) / (2.0 * h) - w[i]).abs() < 1e-8 * (1.0 + w[i].abs()), "model {k}, rate {i}");
        }
    }
}

#[test]
fn secants_of_joints_end_where_the_joints_end() {
    for (k, model) in all().iter().enumerate() {
        for (seed, dt) in [(1, 1e-5), (2, 1e-3), (3, 0.1), (4, 0.8)] {
            let pair = Pair::new(model, seed, dt);
            let (rows, pattern) = (model.sizes().constraints, model.pattern().jacobian);
            let (mut G, mut moved) = (vec![f64::NAN; pattern.len()], vec![0.0; rows]);
            model.secant(&pair.from, &pair.to, &mut G, &mut vec![0.0; rows]);
            for (&(row, column), g) in pattern.iter().zip(&G) {
                let column = column as usize;
                moved[row as usize] += g * (pair.to.q()[column] - pair.from.q()[column]);
            }
            // with time standing still
            let still = Configuration::new(model, pair.from.t(), pair.to.q(), &pair.to.v);
            let (mut a, mut b) = (vec![0.0; rows], vec![0.0; rows]);
            model.constraints(&pair.from, &mut a);
            model.constraints(&still, &mut b);
            for row in 0..rows {
                let error = (moved[row] - (b[row] - a[row])).abs();
                assert!(error < 1e-14, "model {k}, dt {dt}, row {row}: {error:e}");
            }
        }
    }
}

#[test]
fn work_of_the_change_of_momenta_is_kinetic_energy() {
    for (k, model) in all().iter().enumerate() {
        for (seed, dt) in [(1, 1e-4), (2, 0.05), (3, 0.5), (4, 2.0)] {
            let pair = Pair::new(model, seed, dt);
            let n = pair.from.v.len();
            let mut D = vec![f64::NAN; n];
            model.change(&pair.from, &pair.to, pair.dt, &mut D);
            let mean: Vec<f64> = (0..n).map(|i| 0.5 * (pair.w[0][i] + pair.w[1][i])).collect();
            let (T_n, T_n1) = (model.energy(&pair.from).kinetic, model.energy(&pair.to).kinetic);
            let error = (dot(&mean, &D) - (T_n1 - T_n)).abs() / (T_n + T_n1);
            assert!(error < 1e-13, "model {k}, dt {dt}: {error:e}");
            // and rows of q do the same work along Δq
            let mut rows = D.clone();
            model.to_rows(&pair.from, &pair.to, &mut rows);
            let by_q: f64 = (0..n).map(|i| rows[i] * (pair.to.q()[i] - pair.from.q()[i])).sum();
            let error = (by_q / dt - (T_n1 - T_n)).abs() / (T_n + T_n1);
            assert!(error < 1e-12, "model {k}, dt {dt}, in rows of q: {error:e}");
        }
    }
}

#[test]
fn momenta_change_as_lagranges_equations_say() {
    // D/dt − f → M v' − h in rows of q, of order 1 in dt
    for (k, model) in all().iter().enumerate() {
        let n = model.sizes().v;
        let mut random = Random::new(9);
        let q: Vec<f64> =
            model.described_position().iter().zip(random.vector(n, 0.2)).map(|(a, b)| a + b).collect();
        let (v, a) = (random.vector(n, 2.0), random.vector(n, 5.0));
        let from = Configuration::new(model, 0.1, &q, &v);
        let (pattern, mut h) = (model.pattern().mass, vec![0.0; n]);
        let mut M = vec![0.0; pattern.len()];
        model.mass(&from, &mut M);
        model.force(&from, &mut h);
        let mut exact: Vec<f64> = h.iter().map(|h| -h).collect();
        for (&(i, j), m) in pattern.iter().zip(&M) {
            let (i, j) = (i as usize, j as usize);
            exact[i] += m * a[j];
            if i != j {
                exact[j] += m * a[i];
            }
        }
        let dt = 1e-6;
        let q: Vec<f64> = (0..n).map(|i| q[i] + dt * v[i] + 0.5 * dt * dt * a[i]).collect();
        let v: Vec<f64> = (0..n).map(|i| v[i] + dt * a[i]).collect();
        let to = Configuration::new(model, 0.1 + dt, &q, &v);
        let (mut D, mut f) = (vec![0.0; n], vec![0.0; n]);
        model.change(&from, &to, dt, &mut D);
        model.forces(&from, &mut f);
        for i in 0..n {
            D[i] = D[i] / dt - f[i];
        }
        model.to_rows(&from, &to, &mut D);
        let size = exact.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        for i in 0..n {
            assert!((D[i] - exact[i]).abs() < 1e-4 * size, "model {k}, row {i}: {} {}", D[i], exact[i]);
        }
    }
}

/// Runs and hands every state to `look`; whether it came to its end.
fn run(
    model: &Model,
    (name, parameters): (&str, &[(&str, f64)]),
    (q, v): (Vec<f64>, Vec<f64>),
    (step, end): (f64, f64),
    mut look: impl FnMut(&State),
) -> bool {
    let settings = Settings { step, end, accuracy: None, output: Some(end) };
    let state = State::new(model, 0.0, q, v);
    let scheme = scheme(name, parameters).expect("a scheme");
    let solver = carom_solve::solver("auto").expect("a solver");
    let mut simulation = Simulation::new(model, scheme, solver, state, settings).expect("a good start");
    look(simulation.state());
    while !simulation.is_done() {
        simulation.advance();
        look(simulation.state());
    }
    (simulation.state().t - end).abs() < 1e-9
}

fn start(model: &Model) -> (Vec<f64>, Vec<f64>) {
    let assembly = model.assemble().unwrap_or_else(|error| panic!("{error}"));
    (assembly.q, assembly.v)
}

fn energy(model: &Model, state: &State) -> f64 {
    model.energy(&Configuration::new(model, state.t, &state.q, &state.v)).total()
}

fn drift(model: &Model, state: &State) -> f64 {
    let mut phi = vec![0.0; model.sizes().constraints];
    model.constraints(&Configuration::new(model, state.t, &state.q, &state.v), &mut phi);
    phi.iter().fold(0.0, |most: f64, phi| most.max(phi.abs()))
}

/// A steel rod of 1 m, 10 x 10 mm.
fn rod(reference: Reference, modes: Option<Modes>) -> Elastic {
    Elastic::Beam(Beam {
        length: 1.0,
        elements: 8,
        young: 2.1e11,
        area: 1e-4,
        second_moment: 1e-8 / 12.0,
        density: 7800.0,
        reference,
        modes,
        ..Beam::default()
    })
}

fn cantilever(reference: Reference, modes: Option<Modes>, g: f64) -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -g], ..Description::default() };
    let mut body = Body { elastic: Some(rod(reference, modes)), ..Body::default() };
    body.points.insert("root".into(), Point::Node { node: 0, angle: 0.0 });
    d.bodies.insert("beam".into(), body);
    d.joints.insert("clamp".into(), Joint::Weld { between: between("ground", "beam.root") });
    d
}

/// Schemes and whether they are neutral.
const IN_MOMENTA: [(&str, &[(&str, f64)], bool); 10] = [
    ("moreau-jean", &[], true),
    ("moreau-jean", &[("theta", 0.6)], false),
    ("moreau-jean", &[("theta", 1.0)], false),
    ("newmark", &[], true),
    ("newmark", &[("gamma", 0.7)], false),
    ("newmark-implicit", &[], false),
    ("hht", &[], false),
    ("generalized-alpha", &[], false),
    ("generalized-alpha", &[("rho", 1.0)], true),
    ("generalized-alpha", &[("rho", 0.5)], false),
];

#[test]
fn a_clamped_beam_keeps_its_energy_at_any_step() {
    let modes = || Some(Modes::Count(6));
    for reference in FRAMES {
        for modes in [None, modes()] {
            for (name, parameters, neutral) in IN_MOMENTA {
                for step in [2e-5, 2e-4, 2e-3] {
                    let model = model(&cantilever(reference, modes.clone(), 98.1));
                    let (mut least, mut most, mut open) = (0.0_f64, 0.0_f64, 0.0_f64);
                    let end = 200.0 * step;
                    // what swings: strain of the sag, in which the weight does as much work
                    let mut size = 0.0_f64;
                    let done = run(&model, (name, parameters), start(&model), (step, end), |state| {
                        let E = energy(&model, state);
                        let at = Configuration::new(&model, state.t, &state.q, &state.v);
                        size = size.max(model.energy(&at).strain);
                        (least, most, open) = (least.min(E), most.max(E), open.max(drift(&model, state)));
                    });
                    let what = format!(
                        "{name} {parameters:?}, {reference:?}, modal {}, step {step}",
                        modes.is_some()
                    );
                    assert!(done, "{what}: did not come to its end");
                    assert!(most <= 1e-9 * size, "{what}: made {most:e} of {size:e}");
                    assert!(!neutral || least >= -1e-9 * size, "{what}: lost {least:e} of {size:e}");
                    assert!(open <= 1e-12, "{what}: open by {open:e}");
                }
            }
        }
    }
}
