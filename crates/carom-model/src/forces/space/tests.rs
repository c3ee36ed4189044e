//! Every force of space: tangents against differences, power against the rate of energy.

use super::*;
use crate::geometry::space_rig::{Rig, V, along_motion, close, somewhere};
use crate::joints::{Coordinate, Framed, Pair};
use crate::law::Load;
use crate::model::Signal;
use carom_dynamics::rotation::exp;

/// Of the differences of fourth order.
const EPS: f64 = 1e-4;

/// Symmetric and full.
fn matrix(k: f64) -> M6 {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { k + i as f64 } else { 0.3 * ((i + j) as f64).cos() })
    })
}

fn all(pair: &Pair) -> Vec<SpaceForce> {
    let signals = [0.4, -0.3, 0.9].map(|value| Load::Given(Signal::Constant(value)));
    let torque = |follows: bool| {
        let (on, against) = (pair.a.place().clone(), pair.b.place().clone());
        SpaceForce::Torque(SpaceTorque { on, against, torque: signals.clone(), follows })
    };
    let mut all = vec![torque(false), torque(true)];
    for of in [Coordinate::angle(pair.clone(), 0.2), Coordinate::displacement(pair.clone())] {
        let spring = CoordinateSpring { of: of.clone(), stiffness: 2.0, damping: 0.6, rest: 0.2 };
        all.push(SpaceForce::CoordinateSpring(spring));
        all.push(SpaceForce::Motor(Motor { of, force: Signal::Constant(0.7) }));
    }
    let (stiffness, damping) = (matrix(3.0), matrix(1.0));
    all.push(SpaceForce::Bushing(Box::new(Bushing { pair: pair.clone(), stiffness, damping })));
    all
}

fn pairs(rig: &Rig) -> Vec<Pair> {
    let markers = rig.markers();
    let mut all = Vec::new();
    for first in &markers {
        for second in markers.iter().filter(|second| second.place.slot != first.place.slot) {
            let a = Framed::new(first.clone(), exp([0.3, -0.2, 0.5]));
            let b = Framed::new(second.clone(), exp([-0.7, 0.4, 0.1]));
            all.push(Pair { a, b });
        }
    }
    all
}

fn h(force: &SpaceForce, at: &Configuration) -> Vec<f64> {
    let mut h = vec![0.0; V];
    force.add(at, &mut h);
    h
}

#[test]
fn tangents_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    for force in pairs(&rig).iter().flat_map(all) {
        let (mut K, mut C) = (vec![0.0; V * V], vec![0.0; V * V]);
        force.tangents(&at, |i, j, k, c| {
            K[i * V + j] += k;
            C[i * V + j] += c;
        });
        for j in 0..V {
            let faster = |eps: f64| {
                let mut at = at.clone();
                at.v[j] += eps;
                h(&force, &at)
            };
            let (plus, minus) = (faster(1e-3), faster(-1e-3));
            let moved = [-2.0, -1.0, 1.0, 2.0].map(|k| {
                let mut delta = vec![0.0; V];
                delta[j] = k * EPS;
                h(&force, &rig.moved(&at, &delta))
            });
            for i in 0..V {
                let across = 8.0 * (moved[2][i] - moved[1][i]) - (moved[3][i] - moved[0][i]);
                close(K[i * V + j], -across / (12.0 * EPS), "K");
                close(C[i * V + j], -(plus[i] - minus[i]) / 2e-3, "C");
            }
        }
    }
}

/// h·v is the power of what has none of the energy, less the rate of the energy.
#[test]
fn work_is_accounted_for() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    for force in pairs(&rig).iter().flat_map(all) {
        let work: f64 = h(&force, &at).iter().zip(&at.v).map(|(h, v)| h * v).sum();
        let mut power = Power::default();
        force.power(&at, &mut power);
        let stored = along_motion(&rig, &at, |at| force.strain(at));
        close(work, power.damping + power.applied - stored, "power");
        assert!(force.has_power() && power.damping <= 0.0);
    }
}
