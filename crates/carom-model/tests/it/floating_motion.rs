//! Motion of beams in a floating frame: what is conserved, what does not depend on the frame, limits and frequencies.
#![allow(non_snake_case)]

use carom_dynamics::{Configuration, Settings, Simulation, State, System, scheme};
use carom_model::description::*;
use carom_model::{Description, Model};
use std::f64::consts::PI;

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs and hands every state to `look`.
fn run(
    model: &Model,
    name: &str,
    parameters: &[(&str, f64)],
    (q, v): (Vec<f64>, Vec<f64>),
    (step, end): (f64, f64),
    mut look: impl FnMut(&State),
) {
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
    assert!((simulation.state().t - end).abs() < 1e-9, "stopped at {}", simulation.state().t);
}

fn start(model: &Model) -> (Vec<f64>, Vec<f64>) {
    let assembly = model.assemble().unwrap_or_else(|error| panic!("{error}"));
    (assembly.q, assembly.v)
}

/// Values of channels.
fn channels<const N: usize>(model: &Model, names: [&str; N]) -> impl Fn(&State) -> [f64; N] {
    let all = &model.structure().channels;
    let find =
        |name| all.iter().position(|c| c.name() == name).unwrap_or_else(|| panic!("no channel {name}"));
    let at = names.map(find);
    let count = all.len();
    move |state| {
        let mut out = vec![f64::NAN; count];
        model.observe(&Configuration::new(model, state.t, &state.q, &state.v), &mut out);
        at.map(|i| out[i])
    }
}

fn energy(model: &Model, state: &State) -> f64 {
    model.energy(&Configuration::new(model, state.t, &state.q, &state.v)).total()
}

/// E I = ρ A = L = 1: λ of the tables is Ω itself.
fn slender(elements: usize) -> Beam {
    Beam {
        length: 1.0,
        elements,
        young: 1e6,
        area: 1.0,
        second_moment: 1e-6,
        density: 1.0,
        ..Beam::default()
    }
}

fn alone(beam: Beam) -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    let mut body = Body { elastic: Some(Elastic::Beam(beam)), ..Body::default() };
    body.points.insert("root".into(), Point::At([0.0; 2]));
    d.bodies.insert("rod".into(), body);
    d
}

/// Hangs from its root, held out horizontally at the start.
fn pendulum(beam: Beam, g: f64) -> Description {
    let mut d = alone(beam);
    d.gravity = [0.0, -g];
    let length = if let Some(Elastic::Beam(beam)) = &d.bodies["rod"].elastic { beam.length } else { 1.0 };
    d.bodies["rod"].points.insert("tip".into(), Point::At([length, 0.0]));
    d.joints.insert("pivot".into(), Joint::revolute("ground", "rod.root"));
    d
}

#[test]
fn free_flight_keeps_momentum_and_energy() {
    for reference in [Reference::Clamped, Reference::Pinned, Reference::Articulated, Reference::MeanAxis] {
        let stiffening = matches!(reference, Reference::Clamped | Reference::Pinned);
        let beam = Beam { young: 1e3, second_moment: 1e-3, reference, stiffening, ..slender(2) };
        let mut d = alone(beam);
        d.bodies["rod"].velocity = [0.3, -0.1];
        d.bodies["rod"].angular_velocity = 1.5;
        let model = model(&d);
        let (mut q, mut v) = start(&model);
        for k in 3..q.len() {
            q[k] += 0.02 * (k as f64).sin();
            v[k] += 0.3 * (1.7 * k as f64).cos();
        }
        let pattern = &model.structure().pattern.mass;
        let momentum = |state: &State| {
            let mut M = vec![f64::NAN; pattern.len()];
            model.mass(&Configuration::new(&model, 0.0, &state.q, &state.v), &mut M);
            let mut p = [0.0; 3];
            for (&(i, j), m) in pattern.iter().zip(M) {
                let (i, j) = (i as usize, j as usize);
                if i < 3 {
                    p[i] += m * state.v[j];
                }
                if i != j && j < 3 {
                    p[j] += m * state.v[i];
                }
            }
            // p_θ is the angular momentum about the frame's origin
            [p[0], p[1], p[2] + state.q[0] * p[1] - state.q[1] * p[0]]
        };
        let mut first = None;
        run(&model, "half-explicit-4", &[], (q, v), (1e-4, 1.0), |state| {
            let now = (momentum(state), energy(&model, state));
            let (p, E) = *first.get_or_insert(now);
            for i in 0..3 {
                assert!(
                    (now.0[i] - p[i]).abs() < 1e-8,
                    "{reference:?}, {}: momentum {i} {:?} {p:?}",
                    state.t,
                    now.0
                );
            }
            assert!((now.1 / E - 1.0).abs() < 1e-7, "{reference:?}, {}: energy {} {E}", state.t, now.1);
        });
    }
}

#[test]
fn motion_does_not_depend_on_the_frame_as_strains_get_small() {
    // A pendulum's tip; the frames differ by products of small rotations, so four times the stiffness brings the
    // paths sixteen times closer together.
    let path = |reference: Reference, stiffness: f64| {
        let beam = Beam { young: stiffness, second_moment: 1e-2, reference, ..slender(4) };
        let model = model(&pendulum(beam, 1.0));
        let mut tip = Vec::new();
        let place = channels(&model, ["rod.tip.x", "rod.tip.y"]);
        run(&model, "generalized-alpha", &[("rho", 0.9)], start(&model), (5e-4, 1.5), |state| {
            tip.push(place(state));
        });
        tip
    };
    let apart = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        a.iter().zip(b).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max)
    };
    let (soft, stiff) = (path(Reference::Clamped, 2e3), path(Reference::Clamped, 8e3));
    for other in [Reference::Pinned, Reference::Articulated, Reference::MeanAxis] {
        let (a, b) = (apart(&soft, &path(other, 2e3)), apart(&stiff, &path(other, 8e3)));
        assert!(a < 1e-4, "{other:?}: {a}");
        assert!(b < a / 6.0, "{other:?}: {a} then {b}");
    }
}

#[test]
fn stiff_beam_moves_like_a_rigid_body() {
    let (L, h, w, rho) = (0.8, 0.05, 0.02, 2700.0);
    let m = rho * h * w * L;
    let beam = Beam {
        length: L,
        elements: 4,
        young: 1e15,
        area: h * w,
        second_moment: w * h.powi(3) / 12.0,
        density: rho,
        rotary_inertia: RotaryInertia::Rigid,
        ..Beam::default()
    };
    let flexible = model(&pendulum(beam, 9.81));
    let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
    let body = Body::rigid(m, m * (L * L + h * h) / 12.0, [0.5 * L, 0.0])
        .with_point("root", [-0.5 * L, 0.0])
        .with_point("tip", [0.5 * L, 0.0]);
    d.bodies.insert("rod".into(), body);
    d.joints.insert("pivot".into(), Joint::revolute("ground", "rod.root"));
    let rigid = model(&d);
    // The same mechanism by other coordinates: the difference is that of the two discretisations, of order two in the
    // step, and nothing is left of it for a step of zero.
    let angles = |model: &Model, step: f64, every: usize| {
        let mut all = Vec::new();
        let angle = channels(model, ["rod.angle"]);
        run(model, "generalized-alpha", &[("rho", 0.8)], start(model), (step, 1.0), |state| {
            all.push(angle(state)[0]);
        });
        all.into_iter().step_by(every).collect::<Vec<f64>>()
    };
    let apart = |step: f64, every: usize| -> Vec<f64> {
        let (a, b) = (angles(&flexible, step, every), angles(&rigid, step, every));
        a.iter().zip(&b).map(|(a, b)| a - b).collect()
    };
    let largest = |x: &[f64]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let (coarse, fine) = (apart(1e-3, 1), apart(5e-4, 2));
    let left: Vec<f64> = coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect();
    assert!(largest(&coarse) < 1e-3);
    assert!(largest(&left) < 2e-2 * largest(&coarse), "{} left of {}", largest(&left), largest(&coarse));
}

#[test]
fn pendulum_keeps_its_energy() {
    // without numerical damping it stays, at any step: stiffening comes by the difference quotient of its energy
    let drift = |step: f64| {
        let beam = Beam { young: 2e3, second_moment: 1e-2, stiffening: true, ..slender(4) };
        let model = model(&pendulum(beam, 1.0));
        let (mut first, mut worst) = (None, 0.0f64);
        run(&model, "generalized-alpha", &[("rho", 1.0)], start(&model), (step, 2.0), |state| {
            let E = energy(&model, state);
            worst = worst.max((E - *first.get_or_insert(E)).abs());
        });
        worst
    };
    let (coarse, fine) = (drift(4e-3), drift(1e-3));
    assert!(coarse < 1e-9 && fine < 1e-9, "{coarse:e}, {fine:e}");
}

#[test]
fn all_modes_are_the_nodal_beam() {
    let path = |modes: Option<Modes>, reference: Reference| {
        let beam = Beam { young: 2e3, second_moment: 1e-2, modes, reference, ..slender(3) };
        let model = model(&pendulum(beam, 1.0));
        let tip = channels(&model, ["rod.tip.x", "rod.tip.y", "rod.root.moment", "rod.tip.shear"]);
        let mut path = Vec::new();
        run(&model, "mixed-alpha", &[("rho", 0.8)], start(&model), (5e-3, 0.5), |state| {
            path.push(tip(state))
        });
        path
    };
    for reference in [Reference::Clamped, Reference::MeanAxis] {
        let nodal = path(None, reference);
        let modal = path(Some(Modes::Chosen(ChosenModes::default())), reference);
        for (a, b) in nodal.iter().zip(&modal) {
            // Newton's tolerance, and the moments' differences of displacements times E
            let apart = [0, 1, 2, 3].map(|i| (a[i] - b[i]).abs());
            assert!(apart[0] < 1e-8 && apart[1] < 1e-8, "{reference:?}: {apart:?}");
            assert!(apart[2] < 1e-5 && apart[3] < 1e-4, "{reference:?}: {apart:?}");
        }
    }
}

#[test]
fn ratios_of_critical_damping_are_what_they_say() {
    // one mode of a clamped beam held still: amplitude falls by exp(−2πζ/√(1−ζ²)) in a period
    let zeta = 0.05;
    let beam = Beam { modes: Some(Modes::Count(1)), damping_ratios: vec![zeta], ..slender(6) };
    let mut d = alone(beam);
    d.joints.insert("wall".into(), Joint::Weld(Weld { between: ["ground".into(), "rod.root".into()] }));
    let model = model(&d);
    let (q, mut v) = start(&model);
    v[3] = 1e-3;
    let (mut peaks, mut before): (Vec<f64>, [f64; 2]) = (Vec::new(), [0.0; 2]);
    run(&model, "mixed-alpha", &[("rho", 1.0)], (q, v), (2e-3, 8.0), |state| {
        let now = state.q[3];
        if before[1] > before[0] && before[1] > now {
            peaks.push(before[1]);
        }
        before = [before[1], now];
    });
    assert!(peaks.len() >= 4, "{peaks:?}");
    let decrement = (peaks[0] / peaks[peaks.len() - 1]).ln() / (peaks.len() - 1) as f64;
    let exact = 2.0 * PI * zeta / (1.0 - zeta * zeta).sqrt();
    assert!((decrement / exact - 1.0).abs() < 1e-3, "{decrement} and {exact}");
}

/// Turned at a constant rate about its root, which is clamped to the hub; the tip starts across.
fn rotor(Omega: f64, stiffening: bool) -> Description {
    let mut d = alone(Beam { stiffening, ..slender(8) });
    d.bodies["rod"].angular_velocity = Omega;
    d.bodies["rod"].points.insert("tip".into(), Point::At([1.0, 0.0]));
    d.joints.insert("pivot".into(), Joint::revolute("ground", "rod.root"));
    d.joints.insert("turn".into(), Joint::motion("rod.root", Coordinate::Angle, &format!("{Omega}*t")));
    d
}

#[test]
fn rotating_beam_stiffens() {
    // chordwise ω² = flapping² − Ω², flapping 5.5850 at Ω = 4
    let (Omega, flapping) = (4.0, 5.5850f64);
    let exact = (flapping * flapping - Omega * Omega).sqrt();
    let model = model(&rotor(Omega, true));
    let (q, mut v) = start(&model);
    // first mode, roughly: the slope of w = x² (its velocity)
    for node in 0..8 {
        let x = (node + 1) as f64 / 8.0;
        v[3 + 3 * node + 1] = 2e-2 * x * x;
        v[3 + 3 * node + 2] = 4e-2 * x;
    }
    let mut samples: Vec<(f64, f64)> = Vec::new();
    run(&model, "mixed-alpha", &[("rho", 0.5)], (q, v), (5e-3, 12.0), |state| {
        samples.push((state.t, state.q[3 + 3 * 7 + 1]));
    });
    // zero crossings of the tip: half a period each
    let zeros: Vec<f64> = samples
        .windows(2)
        .skip(1)
        .filter(|w| w[0].1 * w[1].1 < 0.0)
        .map(|w| w[0].0 - w[0].1 * (w[1].0 - w[0].0) / (w[1].1 - w[0].1))
        .collect();
    let omega = PI * (zeros.len() - 1) as f64 / (zeros[zeros.len() - 1] - zeros[0]);
    assert!((omega / exact - 1.0).abs() < 3e-3, "{omega} and {exact}");
}

#[test]
fn linear_strain_loses_a_beam_that_turns_fast() {
    // without the tension, ω² = 3.516² − Ω² < 0: the known failure, so that the option means something
    let model = model(&rotor(4.0, false));
    let (q, mut v) = start(&model);
    v[3 + 3 * 7 + 1] = 1e-6;
    let mut tip = 0.0;
    run(&model, "generalized-alpha", &[("rho", 0.5)], (q, v), (5e-3, 6.0), |state| {
        tip = state.q[3 + 3 * 7 + 1]
    });
    assert!(tip.abs() > 1e-4, "{tip}");
}
