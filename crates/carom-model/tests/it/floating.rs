//! The equations of a floating frame against Lagrange's, quadrature of the velocity field, and differences.
#![allow(non_snake_case)]

use crate::common::{self, Random};
use carom_dynamics::{Configuration, System, check_derivatives};
use carom_model::description::*;
use carom_model::{Description, Model};

const REFERENCES: [Reference; 4] =
    [Reference::Clamped, Reference::Pinned, Reference::Articulated, Reference::MeanAxis];

/// Soft enough that no number dwarfs the others.
fn soft(reference: Reference) -> Beam {
    Beam {
        length: 1.3,
        elements: 3,
        young: 40.0,
        area: 0.2,
        second_moment: 0.05,
        density: 6.0,
        reference,
        ..Beam::default()
    }
}

fn with(beam: Beam, points: &[(String, [f64; 2])]) -> Model {
    let mut d = Description { version: 1, gravity: [0.7, -9.81], ..Description::default() };
    let mut body =
        Body { elastic: Some(Elastic::Beam(beam)), position: [0.3, -0.2], angle: 0.4, ..Body::default() };
    body.points.extend(points.iter().map(|(name, at)| (name.clone(), Point::At(*at))));
    d.bodies.insert("rod".into(), body);
    Model::new(&d).unwrap_or_else(|error| panic!("{error}"))
}

fn state(model: &Model, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (n, mut random) = (model.structure().sizes.q, Random::new(seed));
    let q = model.described_position().iter().zip(random.vector(n, 0.3)).map(|(a, b)| a + b).collect();
    (q, random.vector(n, 2.0))
}

/// M(q) v.
fn momentum(model: &Model, q: &[f64], v: &[f64]) -> Vec<f64> {
    let pattern = &model.structure().pattern.mass;
    let mut M = vec![f64::NAN; pattern.len()];
    model.mass(&Configuration::new(model, 0.0, q, v), &mut M);
    let mut p = vec![0.0; v.len()];
    for (&(i, j), m) in pattern.iter().zip(M) {
        p[i as usize] += m * v[j as usize];
        if i != j {
            p[j as usize] += m * v[i as usize];
        }
    }
    p
}

fn moved(q: &[f64], by: f64, along: &[f64]) -> Vec<f64> {
    q.iter().zip(along).map(|(q, a)| q + by * a).collect()
}

#[test]
fn tangents_are_those_of_the_forces() {
    for reference in REFERENCES {
        let nodal = matches!(reference, Reference::Clamped | Reference::Pinned);
        let damping = Damping { mass: 0.3, stiffness: 0.02, ..Damping::default() };
        let model = with(Beam { stiffening: nodal, damping, ..soft(reference) }, &[]);
        for seed in 1..6 {
            let (q, v) = state(&model, seed);
            let wrong = check_derivatives(&model, 0.0, &q, &v, 1e-6);
            assert!(wrong.is_empty(), "{reference:?}, seed {seed}: {wrong:#?}");
        }
    }
}

#[test]
fn everything_fixed_to_a_beam_has_exact_derivatives() {
    let modes = |chosen: ChosenModes| Some(Modes::Chosen(chosen));
    let interface =
        modes(ChosenModes { count: Some(2), interface: vec!["end".into()], ..ChosenModes::default() });
    let corrected =
        modes(ChosenModes { below: Some(3.0), correction: vec!["arm".into()], ..ChosenModes::default() });
    let plain = Beam { stiffening: false, ..common::soft_beam() };
    for beam in [
        common::soft_beam(),
        Beam { reference: Reference::Pinned, ..common::soft_beam() },
        Beam { reference: Reference::MeanAxis, rotary_inertia: RotaryInertia::Full, ..plain.clone() },
        Beam { modes: Some(Modes::Count(4)), ..plain.clone() },
        Beam { reference: Reference::Articulated, modes: corrected, ..plain.clone() },
        Beam { modes: interface, damping: Damping::default(), damping_ratios: vec![0.02], ..plain },
    ] {
        let model = Model::new(&common::beam(beam)).unwrap_or_else(|error| panic!("{error}"));
        for seed in 1..4 {
            let (q, v) = state(&model, seed);
            let wrong = check_derivatives(&model, 0.3, &q, &v, 1e-6);
            assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        }
    }
}

#[test]
fn what_cannot_be_is_said_where() {
    let text = |beam: Beam| Model::new(&common::beam(beam)).expect_err("something is wrong").to_string();
    let good = common::soft_beam;
    for (beam, words) in [
        (Beam { young: -1.0, ..good() }, "bodies.beam.elastic.young: "),
        (Beam { elements: 0, ..good() }, "bodies.beam.elastic.elements: the body has no elements"),
        (Beam { height: Some(0.0), ..good() }, "bodies.beam.elastic.height: "),
        (
            Beam { section_forces: vec![7], ..good() },
            "bodies.beam.elastic.section_forces: there is no node 7",
        ),
        (
            Beam { damping_ratios: vec![0.1], ..good() },
            "bodies.beam.elastic.damping_ratios: the damping is given twice",
        ),
        (Beam { damping_ratios: vec![-0.1], ..good() }, "bodies.beam.elastic.damping_ratios.0: "),
        (Beam { reference: Reference::MeanAxis, ..good() }, "bodies.beam.elastic.stiffening: "),
        (Beam { modes: Some(Modes::Count(3)), ..good() }, "bodies.beam.elastic.stiffening: "),
        (Beam { modes: Some(Modes::Count(40)), ..good() }, "bodies.beam.elastic.modes: "),
    ] {
        let said = text(beam);
        assert!(said.starts_with(words), "{said}");
    }
    let chosen =
        |chosen: ChosenModes| text(Beam { stiffening: false, modes: Some(Modes::Chosen(chosen)), ..good() });
    let unknown = chosen(ChosenModes { interface: vec!["nowhere".into()], ..ChosenModes::default() });
    assert!(
        unknown.starts_with("bodies.beam.elastic.modes.interface.0: there is no point `nowhere`"),
        "{unknown}"
    );
    let twice = chosen(ChosenModes { count: Some(2), below: Some(3.0), ..ChosenModes::default() });
    assert!(twice.starts_with("bodies.beam.elastic.modes: eigenmodes are chosen in two ways"), "{twice}");
    let mut d = common::beam(good());
    d.bodies["beam"].points.insert("off".into(), Point::At([1.2, 0.0]));
    let off = Model::new(&d).expect_err("a point beyond the end").to_string();
    assert!(off.starts_with("bodies.beam.points.off: the point (1.2, 0) is not on the body"), "{off}");
}

#[test]
fn forces_are_those_of_lagrange() {
    // h = ∂(T − V)/∂q − d(M)/dt v, all by differences of energies and of M
    let rotary = [RotaryInertia::None, RotaryInertia::Rigid, RotaryInertia::Full, RotaryInertia::Full];
    for (reference, rotary_inertia) in REFERENCES.into_iter().zip(rotary) {
        let stiffening = matches!(reference, Reference::Clamped | Reference::Pinned);
        let model = with(Beam { stiffening, rotary_inertia, ..soft(reference) }, &[]);
        for seed in 1..4 {
            let (q, v) = state(&model, seed);
            let mut h = vec![f64::NAN; v.len()];
            model.force(&Configuration::new(&model, 0.0, &q, &v), &mut h);
            let lagrangian = |q: &[f64]| {
                let energy = model.energy(&Configuration::new(&model, 0.0, q, &v));
                energy.kinetic - energy.potential - energy.strain
            };
            let step = 1e-5;
            let (later, before) =
                (momentum(&model, &moved(&q, step, &v), &v), momentum(&model, &moved(&q, -step, &v), &v));
            for i in 0..q.len() {
                let mut unit = vec![0.0; q.len()];
                unit[i] = 1.0;
                let slope = (lagrangian(&moved(&q, step, &unit)) - lagrangian(&moved(&q, -step, &unit)))
                    / (2.0 * step);
                let expected = slope - (later[i] - before[i]) / (2.0 * step);
                let name = model.structure().velocities[i].name.clone();
                assert!(
                    (h[i] - expected).abs() < 1e-6 * (1.0 + h[i].abs()),
                    "{name}: {} and {expected}",
                    h[i]
                );
            }
        }
    }
}

#[test]
fn kinetic_energy_is_that_of_the_velocity_field() {
    // five-point Gauss quadrature per element of ½ρA|ṙ|², velocities as recorded of points
    let (a, b) = ((10.0f64 / 7.0).sqrt(), 70f64.sqrt());
    let (x1, x2) = ((5.0 - 2.0 * a).sqrt() / 3.0, (5.0 + 2.0 * a).sqrt() / 3.0);
    let (w1, w2) = ((322.0 + 13.0 * b) / 900.0, (322.0 - 13.0 * b) / 900.0);
    let gauss = [(-x2, w2), (-x1, w1), (0.0, 128.0 / 225.0), (x1, w1), (x2, w2)];
    let (mut points, mut weights) = (Vec::new(), Vec::new());
    for e in 0..3 {
        for (x, w) in gauss {
            points.push((format!("p{}", points.len()), [1.3 / 3.0 * (e as f64 + 0.5 + 0.5 * x), 0.0]));
            weights.push(0.5 * w * 1.3 / 3.0 * 6.0 * 0.2);
        }
    }
    for reference in REFERENCES {
        let model = with(soft(reference), &points);
        let channels = &model.structure().channels;
        let find = |name: String| channels.iter().position(|c| c.name() == name).expect("a channel");
        for seed in 1..4 {
            let (q, v) = state(&model, seed);
            let at = Configuration::new(&model, 0.0, &q, &v);
            let mut out = vec![f64::NAN; channels.len()];
            model.observe(&at, &mut out);
            let (mut T, mut mass) = (0.0, 0.0);
            for ((name, _), weight) in points.iter().zip(&weights) {
                let [vx, vy] = ["vx", "vy"].map(|what| out[find(format!("rod.{name}.{what}"))]);
                T += 0.5 * weight * (vx * vx + vy * vy);
                mass += weight;
            }
            let kinetic = model.energy(&at).kinetic;
            assert!((kinetic - T).abs() < 1e-13 * T, "{reference:?}: {kinetic} and {T}");
            let p = momentum(&model, &q, &v);
            let by_matrix: f64 = 0.5 * p.iter().zip(&v).map(|(p, v)| p * v).sum::<f64>();
            assert!((kinetic - by_matrix).abs() < 1e-13 * T, "{reference:?}: {kinetic} and {by_matrix}");
            assert!((model.masses().next().unwrap().1 - mass).abs() < 1e-14);
        }
    }
}

#[test]
fn outputs_are_the_section_forces() {
    let model = with(Beam { height: Some(0.1), ..soft(Reference::Clamped) }, &[]);
    let channels = &model.structure().channels;
    let mut q = model.described_position().to_vec();
    // w = κx²/2, u = εx on a clamped beam: coordinates of nodes 1, 2, 3
    let (eps, kappa) = (0.01, 0.2);
    for node in 0..3 {
        let x = 1.3 / 3.0 * (node + 1) as f64;
        q[3 + 3 * node..6 + 3 * node].copy_from_slice(&[eps * x, 0.5 * kappa * x * x, kappa * x]);
    }
    let v = vec![0.0; q.len()];
    let mut out = vec![f64::NAN; channels.len()];
    model.observe(&Configuration::new(&model, 0.0, &q, &v), &mut out);
    let (EA, EI) = (40.0 * 0.2, 40.0 * 0.05);
    let strain = 0.5 * 1.3 * (EA * eps * eps + EI * kappa * kappa);
    for (name, unit, expected) in [
        ("rod.strain", "J", strain),
        ("rod.root.normal", "N", EA * eps),
        ("rod.root.shear", "N", 0.0),
        ("rod.root.moment", "N m", EI * kappa),
        ("rod.tip.moment", "N m", EI * kappa),
        ("rod.tip.top_stress", "Pa", 40.0 * (eps - 0.05 * kappa)),
    ] {
        let i = channels.iter().position(|c| c.name() == name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(channels[i].unit, unit);
        assert!((out[i] - expected).abs() < 1e-12, "{name}: {} and {expected}", out[i]);
    }
}
