//! A rig of everything that moves in space: every row, bias and tangent of places, coinciding points, distances and springs is
//! compared with differences along q ⊕ ε e_i.

use super::Space;
use super::space::V3;
use super::*;
use crate::forces::{Applied, Spring};
use crate::joints::{Along, Coincident, Distance};
use crate::model::Signal;
use crate::place::{Base, Carried, Carrier, First, Marker, Place, Shape};
use carom_dynamics::rotation::{cross, exp};
use carom_dynamics::{Configuration, Energy, Pattern, Rotation, Sizes, Structure, System};
use std::sync::Arc;

// --- a mechanism of ground, two rigid bodies, a point mass and a body with two shapes on a floating frame ---

/// First coordinate and first velocity of each body, and whether it is rigid or floats; the last has two shapes.
pub(crate) const BODIES: [(First, bool); 4] = [
    (First { q: 0, v: 0 }, true),
    (First { q: 7, v: 6 }, true),
    (First { q: 14, v: 12 }, false),
    (First { q: 17, v: 15 }, true),
];
pub(crate) const Q: usize = 26;
pub(crate) const V: usize = 23;

pub(crate) struct Rig {
    structure: Structure,
    carried: Vec<(u32, Arc<Carried<Space>>)>,
}

impl Rig {
    pub(crate) fn new() -> Self {
        let shape = |column: u32, S: V3, s: V3| Shape { column, S, s };
        let shapes = vec![
            shape(21, [0.3, -0.2, 0.5], [0.4, 0.9, -0.3]),
            shape(22, [0.1, 0.6, -0.4], [-0.7, 0.2, 0.5]),
        ];
        let base = Base { q: 17, v: 15, slot: 48 };
        let held = exp([0.3, -0.4, 0.2]);
        let origin = [0.4, 0.1, -0.3];
        let floating =
            Carried { floating: Some(base), origin, held, shapes: shapes.clone(), bends: true, lead: 3 };
        let fixed = Carried { floating: None, ..floating.clone() };
        let turning = BODIES.iter().filter(|(_, rigid)| *rigid);
        let rotations =
            turning.map(|(first, _)| Rotation { q: first.q as usize + 3, v: first.v as usize + 3 }).collect();
        let structure =
            Structure { derived_len: 84, rotations, ..Structure::new(sizes(), Pattern::default(), 1.0) };
        Self { structure, carried: vec![(60, Arc::new(floating)), (72, Arc::new(fixed))] }
    }

    /// Frames on everything: ground, rigid bodies, a point mass, shapes that float and shapes that do not.
    pub(crate) fn places(&self) -> Vec<Place<Space>> {
        let place = |body: u32, slot: u32, carrier| Place { body, slot, carrier };
        let mut all = vec![
            place(4, 0, Carrier::Ground),
            place(0, 12, Carrier::Rigid(BODIES[0].0)),
            place(1, 24, Carrier::Rigid(BODIES[1].0)),
            place(2, 36, Carrier::Point(BODIES[2].0)),
        ];
        for (slot, carried) in &self.carried {
            all.push(place(3, *slot, Carrier::Shapes(carried.clone())));
        }
        all
    }

    pub(crate) fn markers(&self) -> Vec<Marker<Space>> {
        let local = [0.2, -0.5, 0.7];
        self.places().into_iter().map(|place| Marker { place, local }).collect()
    }

    pub(crate) fn moved(&self, from: &Configuration, delta: &[f64]) -> Configuration {
        let mut at = from.clone();
        at.retract_to(self, 0.0, from.q(), delta);
        at
    }
}

fn sizes() -> Sizes {
    Sizes { q: Q, v: V, constraints: 0, contacts: 0 }
}

impl System for Rig {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        derived[..12].copy_from_slice(&Space::INERTIAL);
        for (k, (first, rigid)) in BODIES.iter().enumerate() {
            let own = &q[first.q as usize..];
            let frame = if *rigid { Space::of_rigid(own) } else { Space::of_point(V3::read(own)) };
            derived[12 * (k + 1)..12 * (k + 2)].copy_from_slice(&frame);
        }
        for (slot, carried) in &self.carried {
            let frame = carried.derive(q, derived);
            derived[*slot as usize..*slot as usize + 12].copy_from_slice(&frame);
        }
    }

    fn mass(&self, _: &Configuration, _: &mut [f64]) {}
    fn force(&self, _: &Configuration, _: &mut [f64]) {}
    fn energy(&self, _: &Configuration) -> Energy {
        Energy::default()
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

/// Somewhere, turned by much, moving.
pub(crate) fn somewhere(rig: &Rig) -> Configuration {
    let mut q = vec![0.0; Q];
    for (first, rigid) in BODIES {
        if rigid {
            q[first.q as usize + 3] = 1.0;
        }
    }
    let some = |i: usize, k: f64| (k * (i as f64 + 1.0) * 0.7318).sin();
    let delta: Vec<f64> = (0..V).map(|i| 1.3 * some(i, 1.0)).collect();
    let v: Vec<f64> = (0..V).map(|i| some(i, 2.3)).collect();
    let at = Configuration::new(rig, 0.0, &q, &v);
    rig.moved(&at, &delta)
}

/// Slope at zero by the central difference of fourth order.
pub(crate) fn slope(f: impl Fn(f64) -> f64) -> f64 {
    // at this distance round-off and the fifth derivative both cost some 1e-12
    const EPS: f64 = 1e-4;
    let across = |eps: f64| f(eps) - f(-eps);
    (8.0 * across(EPS) - across(2.0 * EPS)) / (12.0 * EPS)
}

/// Difference along direction i of q ⊕ ε e_i.
pub(crate) fn difference(rig: &Rig, at: &Configuration, i: usize, f: impl Fn(&Configuration) -> f64) -> f64 {
    slope(|eps| {
        let mut delta = vec![0.0; V];
        delta[i] = eps;
        f(&rig.moved(at, &delta))
    })
}

/// The rate of f along the motion, v held.
pub(crate) fn along_motion(rig: &Rig, at: &Configuration, f: impl Fn(&Configuration) -> f64) -> f64 {
    slope(|eps| {
        let delta: Vec<f64> = at.v.iter().map(|v| eps * v).collect();
        f(&rig.moved(at, &delta))
    })
}

pub(crate) fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 2e-9 * (1.0 + a.abs()), "{what}: {a} {b}");
}

pub(crate) fn row(entries: impl FnOnce(&mut dyn FnMut(usize, f64))) -> Vec<f64> {
    let mut row = vec![0.0; V];
    entries(&mut |i, value| row[i] += value);
    row
}

#[test]
fn rows_of_points_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    let d = [0.3, -0.8, 0.6];
    for marker in rig.markers() {
        let placed = marker.at(&at);
        let along = row(|entry| marker.place.row(&at, d, placed.arm, V3::ZERO, entry));
        let mut columns = row(|_| {});
        let mut rates = columns.clone();
        marker.columns(&at, &placed, |column| {
            columns[column.index] += dot(d, column.J);
            rates[column.index] += dot(d, column.J_dot);
        });
        for i in 0..V {
            let difference = |f: &dyn Fn(&Configuration) -> f64| difference(&rig, &at, i, f);
            close(along[i], difference(&|at| dot(d, marker.at(at).r)), "row");
            close(columns[i], along[i], "column");
            close(rates[i], difference(&|at| dot(d, marker.velocity(at, &marker.at(at)))), "rate of column");
        }
        let velocity = dot(d, marker.velocity(&at, &placed));
        close(velocity, along.iter().zip(&at.v).map(|(a, v)| a * v).sum(), "velocity");
        let bias = dot(d, marker.bias(&at, &placed));
        close(bias, along_motion(&rig, &at, |at| dot(d, marker.velocity(at, &marker.at(at)))), "bias");
    }
}

#[test]
fn rows_of_turning_are_the_rates_of_the_axes() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    let (w, l) = ([0.5, 0.1, -0.9], [0.4, 0.3, -0.2]);
    for place in rig.places() {
        let spin = row(|entry| place.turning_row(&at, w, entry));
        let omega: f64 = spin.iter().zip(&at.v).map(|(a, v)| a * v).sum();
        close(dot(w, place.omega(&at)), omega, "angular velocity");
        for i in 0..V {
            // d(A l)/dδ_i = s_i × A l
            let arm = Space::turn(&place.frame(&at), l);
            let s: V3 = std::array::from_fn(|k| row(|entry| place.turning_row(&at, V3::axis(k), entry))[i]);
            let turned = |at: &Configuration| dot(w, Space::turn(&place.frame(at), l));
            close(dot(w, cross(s, arm)), difference(&rig, &at, i, turned), "axes");
        }
    }
}

#[test]
fn joints_of_points_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    let markers = rig.markers();
    for first in &markers {
        for second in markers.iter().filter(|second| second.place.slot != first.place.slot) {
            let (first, second) = (first.clone(), second.clone());
            let along = Along { of: first.clone(), axis: [0.6, 0.0, 0.8], function: Signal::Constant(0.3) };
            let ball = Coincident { first: first.clone(), second: second.clone() };
            let rod = Distance { first, second, length: 0.4 };
            assert_eq!(ball.quantities().len(), 3);
            check(
                &rig,
                &at,
                3,
                &|at, phi| ball.residual(at, phi),
                &|at, entry| ball.jacobian(at, entry),
                &|at, b| ball.bias(at, b),
            );
            check(
                &rig,
                &at,
                1,
                &|at, phi| rod.residual(at, phi),
                &|at, entry| rod.jacobian(at, entry),
                &|at, b| rod.bias(at, b),
            );
            check(
                &rig,
                &at,
                1,
                &|at, phi| along.residual(at, phi),
                &|at, entry| along.jacobian(at, entry),
                &|at, b| along.bias(at, b),
            );
        }
    }
}

pub(crate) type Entries<'a> = dyn FnMut(usize, usize, f64) + 'a;

/// G against differences of Φ, the bias against the rate of G v.
pub(crate) fn check(
    rig: &Rig,
    at: &Configuration,
    rows: usize,
    residual: &dyn Fn(&Configuration, &mut [f64]),
    jacobian: &dyn Fn(&Configuration, &mut Entries),
    bias: &dyn Fn(&Configuration, &mut [f64]),
) {
    let mut of_joint = vec![0.0; rows];
    bias(at, &mut of_joint);
    for r in 0..rows {
        let G = |at: &Configuration| {
            row(|entry| {
                jacobian(at, &mut |i, j, value| {
                    if i == r {
                        entry(j, value)
                    }
                })
            })
        };
        for i in 0..V {
            let phi = |at: &Configuration| {
                let mut phi = vec![0.0; rows];
                residual(at, &mut phi);
                phi[r]
            };
            close(G(at)[i], difference(rig, at, i, phi), "jacobian");
        }
        let rate = |at: &Configuration| G(at).iter().zip(&at.v).map(|(g, v)| g * v).sum();
        close(of_joint[r], along_motion(rig, at, rate), "bias of a joint");
    }
}

#[test]
fn tangents_of_forces_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    let markers = rig.markers();
    for first in &markers {
        for second in markers.iter().filter(|second| second.place.slot != first.place.slot) {
            let (first, second) = (first.clone(), second.clone());
            let force = [0.4, -0.3, 0.9].map(Signal::Constant).to_vec();
            let applied = Applied { on: first.clone(), force, follows: true };
            let spring = Spring { first, second, stiffness: 3.0, damping: 0.4, length: 0.6 };
            let h = |at: &Configuration| {
                let mut h = vec![0.0; V];
                spring.add(at, &mut h);
                applied.add(at, &mut h);
                h
            };
            let (mut K, mut C) = (vec![0.0; V * V], vec![0.0; V * V]);
            let mut entry = |i: usize, j: usize, k: f64, c: f64| {
                K[i * V + j] += k;
                C[i * V + j] += c;
            };
            spring.tangents(&at, &mut entry);
            applied.tangents(&at, &mut entry);
            for i in 0..V {
                for j in 0..V {
                    close(K[i * V + j], -difference(&rig, &at, j, |at| h(at)[i]), "K");
                    let faster = |eps: f64| {
                        let mut at = at.clone();
                        at.v[j] += eps;
                        h(&at)[i]
                    };
                    close(C[i * V + j], -(faster(1e-3) - faster(-1e-3)) / 2e-3, "C");
                }
            }
        }
    }
}

#[test]
fn tangents_complete_a_normal() {
    for n in [[1.0, -1.0, 1.0], [0.0, 0.0, 1.0], [-0.2, 0.9, 1e-12]] {
        let n = scale(1.0 / n.norm(), n);
        let [t, b] = Space::tangents(n);
        close(1.0, dot(cross(t, b), n), "basis");
    }
}
