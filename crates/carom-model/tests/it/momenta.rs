//! Momenta and difference quotients as identities, and what steps made of them keep: energy, momentum, joints.
#![allow(non_snake_case)]

use crate::common::{self, Random, between};
use carom_dynamics::{Configuration, Momenta, Settings, Simulation, State, System, scheme};
use carom_model::description::*;
use carom_model::{Description, Model};

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
        let (n, mut random) = (model.structure().sizes.v, Random::new(seed));
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
            let (rows, pattern) = (model.structure().sizes.constraints, &model.structure().pattern.jacobian);
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
        let n = model.structure().sizes.v;
        let mut random = Random::new(9);
        let q: Vec<f64> =
            model.described_position().iter().zip(random.vector(n, 0.2)).map(|(a, b)| a + b).collect();
        let (v, a) = (random.vector(n, 2.0), random.vector(n, 5.0));
        let from = Configuration::new(model, 0.1, &q, &v);
        let (pattern, mut h) = (&model.structure().pattern.mass, vec![0.0; n]);
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
        model.add_secant_forces(&from, &to, 1.0, &mut f);
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
    let mut simulation = Simulation::new(model, &*scheme, solver, state, settings).expect("a good start");
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
    let mut phi = vec![0.0; model.structure().sizes.constraints];
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
    clamped(rod(reference, modes), g)
}

fn clamped(elastic: Elastic, g: f64) -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -g], ..Description::default() };
    let mut body = Body { elastic: Some(elastic), ..Body::default() };
    body.points.insert("root".into(), Point::Node { node: 0, angle: 0.0 });
    d.bodies.insert("beam".into(), body);
    d.joints.insert("clamp".into(), Joint::Weld(Weld { between: between("ground", "beam.root") }));
    d
}

#[test]
fn stiffening_does_the_work_of_its_potential() {
    for reference in [Reference::Clamped, Reference::Pinned] {
        let model = model(&common::beam(Beam { reference, ..common::soft_beam() }));
        let plain = Model::new(&common::beam(Beam { reference, stiffening: false, ..common::soft_beam() }));
        let plain = plain.expect("a beam");
        let pair = Pair::new(&model, 5, 0.3);
        let mut f = vec![0.0; pair.from.v.len()];
        model.add_secant_forces(&pair.from, &pair.to, 1.0, &mut f);
        let work: f64 = f.iter().zip(pair.to.q()).zip(pair.from.q()).map(|((f, b), a)| f * (b - a)).sum();
        // U_2 is what the strain energy has more than that of a beam that does not stiffen
        let U_2 = |at: &Configuration| {
            let other = Configuration::new(&plain, at.t(), at.q(), &at.v);
            model.energy(at).strain - plain.energy(&other).strain
        };
        let (a, b) = (U_2(&pair.from), U_2(&pair.to));
        assert!((work + (b - a)).abs() < 1e-12 * (a.abs() + b.abs()), "{reference:?}: {work} {}", a - b);
        assert!((b - a).abs() > 1e-3);
    }
}

/// A scheme with its parameters, and whether it is neutral.
type Stepper = (&'static str, &'static [(&'static str, f64)], bool);

const IN_MOMENTA: [Stepper; 11] = [
    ("moreau-jean", &[], true),
    ("moreau-jean", &[("theta", 0.6)], false),
    ("moreau-jean", &[("theta", 1.0)], false),
    ("newmark", &[], true),
    ("newmark", &[("gamma", 0.7)], false),
    ("newmark", &[("gamma", 1.0)], false),
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

/// The fully implicit Newmark as published: M of one instant meets forces of the same, and its accelerations have the reactions
/// in them, so that nothing is made even though it adds up accelerations. What it loses is what its form in momenta loses.
#[test]
fn a_clamped_beam_makes_nothing_with_the_published_newmark() {
    for reference in FRAMES {
        let model = model(&cantilever(reference, None, 98.1));
        for step in [2e-5, 2e-4, 2e-3] {
            let lost = [0.0, 1.0].map(|published| {
                let (mut most, mut last, mut size) = (0.0_f64, 0.0, 0.0_f64);
                let parameters = [("published", published)];
                let done = run(
                    &model,
                    ("newmark-implicit", &parameters),
                    start(&model),
                    (step, 200.0 * step),
                    |state| {
                        let at = Configuration::new(&model, state.t, &state.q, &state.v);
                        last = energy(&model, state);
                        (most, size) = (most.max(last), size.max(model.energy(&at).strain));
                    },
                );
                let what = format!("{reference:?}, step {step}, published {published}");
                assert!(done && most <= 1e-9 * size, "{what}: made {most:e} of {size:e}");
                -last
            });
            assert!(
                lost[1] > 0.0 && (lost[1] / lost[0] - 1.0).abs() < 0.02,
                "{reference:?}, step {step}: lost {lost:?}"
            );
        }
    }
}

#[test]
fn a_clamped_beam_that_stiffens_keeps_its_energy() {
    let Elastic::Beam(beam) = rod(Reference::Clamped, None) else { panic!("a rod is a beam") };
    let model = model(&clamped(Elastic::Beam(Beam { stiffening: true, ..beam }), 98.1));
    for (name, parameters, neutral) in IN_MOMENTA {
        for step in [2e-4, 2e-3] {
            let (mut least, mut most, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
            let done = run(&model, (name, parameters), start(&model), (step, 200.0 * step), |state| {
                let E = energy(&model, state);
                let at = Configuration::new(&model, state.t, &state.q, &state.v);
                (least, most, size) = (least.min(E), most.max(E), size.max(model.energy(&at).strain));
            });
            let what = format!("{name} {parameters:?}, step {step}");
            assert!(done, "{what}: did not come to its end");
            // what the iteration leaves over, 1e-12 in velocities, weighs (ω dt)² ~ 1e5 in the energy of stretching
            assert!(most <= 1e-7 * size, "{what}: made {most:e} of {size:e}");
            assert!(!neutral || least >= -1e-7 * size, "{what}: lost {least:e} of {size:e}");
        }
    }
}

/// Linear and angular momentum about the origin of everything that moves, by M(q) v.
fn momentum(model: &Model, state: &State) -> [f64; 3] {
    let pattern = &model.structure().pattern.mass;
    let (mut M, mut p) = (vec![f64::NAN; pattern.len()], vec![0.0; state.v.len()]);
    model.mass(&Configuration::new(model, state.t, &state.q, &state.v), &mut M);
    for (&(i, j), m) in pattern.iter().zip(M) {
        let (i, j) = (i as usize, j as usize);
        p[i] += m * state.v[j];
        if i != j {
            p[j] += m * state.v[i];
        }
    }
    let mut sum = [0.0; 3];
    for name in model.body_names() {
        let i = model.coordinates_of(name).expect("a body").start;
        sum[0] += p[i];
        sum[1] += p[i + 1];
        sum[2] += p[i + 2] + state.q[i] * p[i + 1] - state.q[i + 1] * p[i];
    }
    sum
}

/// A soft rod with a disk on its end.
fn soft_rod(reference: Reference, elements: usize, young: f64) -> Body {
    let beam = Beam {
        length: 0.5,
        elements,
        young,
        area: 4e-4,
        second_moment: 1.3e-8,
        density: 1200.0,
        reference,
        ..Beam::default()
    };
    let body = Body { elastic: Some(Elastic::Beam(beam)), ..Body::default() };
    body.with_shape("tip", Shape::Disk { center: [0.5, 0.0], radius: 0.02 })
}

#[test]
fn two_rods_that_collide_keep_their_momentum() {
    for reference in FRAMES {
        for (name, parameters, _) in IN_MOMENTA {
            for (e, mu) in [(0.0, 0.0), (0.5, 0.0), (0.3, 0.4)] {
                for step in [1e-4, 1e-3] {
                    let mut d = Description { version: 1, ..Description::default() };
                    let mut a = soft_rod(reference, 4, 2e9);
                    (a.velocity, a.angular_velocity) = ([1.0, 0.2], 3.0);
                    d.bodies.insert("a".into(), a);
                    let mut b = soft_rod(Reference::Clamped, 4, 2e9);
                    (b.position, b.angle, b.angular_velocity) = ([1.1, 0.3], 3.6, -2.0);
                    d.bodies.insert("b".into(), b);
                    let contact =
                        Contact { restitution: e, friction: mu, ..Contact::between("a.tip", "b.tip") };
                    d.contacts.insert("hit".into(), contact);
                    let model = model(&d);
                    let (mut first, mut worst, mut most, mut pushed) = (None, [0.0_f64; 3], 0.0_f64, 0.0);
                    let what = format!("{name} {parameters:?}, {reference:?}, e {e}, mu {mu}, step {step}");
                    let done = run(&model, (name, parameters), start(&model), (step, 0.12), |state| {
                        let (p, E) = (momentum(&model, state), energy(&model, state));
                        let (p_0, E_0) = *first.get_or_insert((p, E));
                        worst = std::array::from_fn(|i| worst[i].max((p[i] - p_0[i]).abs()));
                        most = most.max(E / E_0 - 1.0);
                        pushed += state.P[0];
                    });
                    assert!(done && pushed > 0.05, "{what}: exchanged {pushed}");
                    let most_open = worst.iter().fold(0.0, |most: f64, p| most.max(*p));
                    assert!(most_open < 1e-8 * pushed, "{what}: {worst:?} of {pushed}");
                    assert!(most < 1e-3, "{what}: made {most:e}");
                }
            }
        }
    }
}

#[test]
fn a_cantilever_swings_as_the_series_of_its_modes_says() {
    // w(L, t) = −Σ c_i (1 − cos ω_i t),  c_i = g φ_i(L) ∫φ_i / (ω_i² ∫φ_i²), of Euler–Bernoulli's beam
    let (g, EI, rho_A): (f64, f64, f64) = (9.81, 2.1e11 * 1e-8 / 12.0, 0.78);
    let lambda = [1.875104068711961, 4.694091132974175, 7.854757438237613, 10.99554073487547];
    let terms = lambda.map(|l: f64| {
        let sigma = (l.cosh() + l.cos()) / (l.sinh() + l.sin());
        let shape = |x: f64| (l * x).cosh() - (l * x).cos() - sigma * ((l * x).sinh() - (l * x).sin());
        let n = 4000;
        let mean = (0..n).map(|k| shape((k as f64 + 0.5) / n as f64)).sum::<f64>() / n as f64;
        let omega = l * l * (EI / rho_A).sqrt();
        (omega, g * shape(1.0) * mean / (omega * omega))
    });
    let exact = |t: f64| -terms.iter().map(|(omega, c)| c * (1.0 - (omega * t).cos())).sum::<f64>();
    for (name, parameters, tolerance) in [
        ("moreau-jean", &[][..], 5e-3),
        ("newmark", &[], 5e-3),
        ("generalized-alpha", &[], 5e-3),
        ("hht", &[], 1e-2),
    ] {
        for reference in FRAMES {
            let mut d = cantilever(reference, None, g);
            d.bodies["beam"].points.insert("tip".into(), Point::At([1.0, 0.0]));
            let model = model(&d);
            let channel =
                model.structure().channels.iter().position(|c| c.name() == "beam.tip.y").expect("a channel");
            let mut out = vec![0.0; model.structure().channels.len()];
            let mut worst = 0.0_f64;
            run(&model, (name, parameters), start(&model), (2e-4, 0.3), |state| {
                model.observe(&Configuration::new(&model, state.t, &state.q, &state.v), &mut out);
                worst = worst.max((out[channel] - exact(state.t)).abs());
            });
            // of twice the sag; frames that turn shorten a bent rod in second order
            let sag = rho_A * g / (8.0 * EI);
            assert!(worst < 2.0 * tolerance * sag, "{name}, {reference:?}: {:e} of the sag", worst / sag);
        }
    }
}

#[test]
fn welds_hold_under_a_load() {
    // an exact beam, heavily loaded at its end
    for (name, parameters) in [
        ("generalized-alpha", &[][..]),
        ("hht", &[("alpha", 0.3)]),
        ("newmark", &[("gamma", 0.8)]),
        ("newmark", &[("gamma", 1.0)]),
        ("newmark-implicit", &[]),
    ] {
        let mut d = Description { version: 1, ..Description::default() };
        let beam = ExactBeam {
            length: 1.0,
            elements: 4,
            young: 2.1e11,
            poisson: 0.3,
            area: 1e-4,
            second_moment: 1e-8 / 12.0,
            shear_area: None,
            density: 7800.0,
            order: 1,
            lumped: false,
            damping: Damping::default(),
        };
        let mut body = Body { elastic: Some(Elastic::ExactBeam(beam)), ..Body::default() };
        body.points.insert("root".into(), Point::Node { node: 0, angle: 0.0 });
        body.points.insert("tip".into(), Point::Node { node: 4, angle: 0.0 });
        d.bodies.insert("beam".into(), body);
        d.joints.insert("clamp".into(), Joint::Weld(Weld { between: between("ground", "beam.root") }));
        let load = Expression::Formula("-300*min(t/0.2, 1)".into());
        let force = Force::Force(AppliedForce {
            on: "beam.tip".into(),
            force: [Expression::Constant(0.0), load],
            follows: false,
        });
        d.forces.insert("load".into(), force);
        let model = model(&d);
        let mut open = 0.0_f64;
        let done = run(&model, (name, parameters), start(&model), (1e-3, 0.4), |state| {
            open = open.max(drift(&model, state));
        });
        assert!(done && open < 1e-11, "{name}: open by {open:e}");
    }
}

/// Least squares of log(error) over log(step).
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in x.iter().zip(&y) {
        xy += (x - mx) * (y - my);
        xx += (x - mx) * (x - mx);
    }
    xy / xx
}

#[test]
fn orders_are_two() {
    // a soft rod swings about a pin in its middle
    for reference in FRAMES {
        let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
        let mut body = soft_rod(reference, 2, 5e7);
        body.points.insert("pin".into(), Point::At([0.125, 0.0]));
        body.angular_velocity = 4.0;
        d.bodies.insert("rod".into(), body);
        d.joints.insert("pin".into(), Joint::revolute("ground", "rod.pin"));
        let model = model(&d);
        // every vibration is resolved: at most 0.3 rad in a step, 60 in all
        let end = 0.02;
        let at_end = |name: &str, parameters: &[(&str, f64)], step: f64| {
            let mut last = None;
            assert!(run(&model, (name, parameters), start(&model), (step, end), |state| {
                last = Some((state.q.clone(), state.v.clone()));
            }));
            last.expect("a last state")
        };
        let (q, v) = at_end("radau5", &[], end / 2000.0);
        for (name, parameters, wanted) in [
            ("moreau-jean", &[][..], 2.0),
            ("moreau-jean", &[("theta", 1.0)], 1.0),
            ("generalized-alpha", &[], 2.0),
            ("hht", &[], 2.0),
        ] {
            let mut points = (Vec::new(), Vec::new());
            for k in 0..10 {
                let steps = (200.0 * 1.25_f64.powi(k)).round();
                let (q_h, v_h) = at_end(name, parameters, end / steps);
                let distance = |a: &[f64], b: &[f64]| {
                    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
                };
                points.0.push((end / steps, distance(&q[..3], &q_h[..3])));
                points.1.push((end / steps, distance(&v[..3], &v_h[..3])));
            }
            let (of_q, of_v) = (slope(&points.0), slope(&points.1));
            let what = format!("{name} {parameters:?}, {reference:?}: {of_q:.2}, {of_v:.2}");
            assert!((of_q - wanted).abs() < 0.25 && (of_v - wanted).abs() < 0.35, "{what}");
        }
    }
}
