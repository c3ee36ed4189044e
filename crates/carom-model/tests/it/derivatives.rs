//! Every derivative the model gives against central differences, over models that have everything, at random
//! configurations; and the power of the forces against the change of energy.

use crate::common::{self, Random};
use carom_dynamics::{Configuration, System, check_derivatives};
use carom_model::description::Joint;
use carom_model::{Description, Model};

/// Central differences with a step of 1e-6 are good to about 1e-9 of the values; curvature near corners costs more.
const TOLERANCE: f64 = 1e-6;

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks at random states and returns which contacts had a finite gap at least once.
fn check(description: &Description, seeds: u64, spread: f64) -> Vec<bool> {
    let model = model(description);
    let n = model.structure().sizes.q;
    let mut seen = vec![false; model.structure().sizes.contacts];
    for seed in 0..seeds {
        let mut random = Random::new(seed + 1);
        let q: Vec<f64> =
            model.described_position().iter().zip(random.vector(n, spread)).map(|(a, b)| a + b).collect();
        let v = random.vector(n, 2.0);
        let t = 0.5 + 0.3 * random.next();
        let wrong = check_derivatives(&model, t, &q, &v, TOLERANCE);
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");

        let at = Configuration::new(&model, t, &q, &v);
        let mut gaps = vec![f64::NAN; seen.len()];
        model.gaps(&at, &mut gaps);
        seen.iter_mut().zip(&gaps).for_each(|(seen, gap)| *seen |= gap.is_finite());
        power_balance(&model, &at);
    }
    seen
}

/// h·v = −d(potential + strain)/dt + power.
fn power_balance(model: &Model, at: &Configuration) {
    let mut h = vec![f64::NAN; at.v.len()];
    model.force(at, &mut h);
    let work: f64 = h.iter().zip(&at.v).map(|(h, v)| h * v).sum();
    let stored = |s: f64| {
        let delta: Vec<f64> = at.v.iter().map(|v| s * v).collect();
        let mut moved = at.clone();
        moved.retract_to(model, at.t(), at.q(), &delta);
        let energy = model.energy(&moved);
        energy.potential + energy.strain
    };
    let rate = (stored(1e-6) - stored(-1e-6)) / 2e-6;
    let power = model.power(at);
    let given = -rate + power.applied + power.damping;
    assert!((work - given).abs() <= 1e-7 * (1.0 + work.abs() + rate.abs()), "{work} against {given}");
    assert!(power.damping <= 0.0);
}

#[test]
fn flexible_bodies() {
    check(&common::bar(), 20, 0.05);
}

#[test]
fn joints() {
    check(&common::joints(), 20, 0.8);
}

#[test]
fn forces() {
    check(&common::forces(), 20, 0.8);
}

#[test]
fn contacts() {
    let description = common::contacts();
    let seen = check(&description, 200, 2.5);
    let model = model(&description);
    // of outlines, which have one name for all their places, some
    let seen_as =
        |name: &str| model.structure().contacts.iter().zip(&seen).any(|(c, seen)| c.name == name && *seen);
    let never: Vec<_> =
        model.structure().contacts.iter().map(|c| &c.name).filter(|name| !seen_as(name)).collect();
    assert!(never.is_empty(), "never finite: {never:?}");
}

#[test]
fn clearances_and_rubbing_joints() {
    check(&common::clearances(), 20, 0.3);
}

/// Gaps, directions and biases of stops.
#[test]
fn limits() {
    let mut description = common::joints();
    for joint in description.joints.values_mut() {
        match joint {
            Joint::Revolute(joint) if !joint.between.contains(&"p".to_string()) => {
                joint.limits = Some([-4.0, 5.0]);
            }
            Joint::Prismatic(joint) => joint.limits = Some([-6.0, 7.0]),
            _ => {}
        }
    }
    let seen = check(&description, 20, 0.8);
    let stops = model(&description).structure().contacts.iter().filter(|c| c.stop.is_some()).count();
    assert_eq!(stops, 10);
    assert!(seen.iter().filter(|seen| **seen).count() >= stops);
}

#[test]
fn entries_come_once() {
    for description in [common::joints(), common::forces(), common::contacts(), common::clearances()] {
        let pattern = model(&description).structure().pattern.clone();
        for mut entries in [pattern.jacobian, pattern.tangent] {
            let all = entries.len();
            entries.sort_unstable();
            entries.dedup();
            assert_eq!(entries.len(), all);
        }
    }
}

#[test]
fn gravity_alone_has_no_tangent() {
    let model = model(&common::three_bodies());
    assert!(model.structure().pattern.tangent.is_empty());
    assert!(!model.structure().has_power);
}
