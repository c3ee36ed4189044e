//! Every row of every joint against differences, and the freedoms that joints leave.

use super::coupled::whole_ratio;
use super::*;
use crate::geometry::space::V3;
use crate::geometry::space_rig::{Rig, V, check, close, somewhere};
use crate::geometry::{Vector, add, scale, sub};
use crate::model::Signal;
use crate::place::Marker;
use carom_dynamics::rotation::{cross, exp};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

const ALL: [(Holding, usize); 9] = [
    (Holding::Weld, 0),
    (Holding::Revolute, 1),
    (Holding::Prismatic, 1),
    (Holding::Cylindrical, 2),
    (Holding::Universal, 2),
    (Holding::ConstantVelocity, 2),
    (Holding::Planar, 3),
    (Holding::PointOnLine, 4),
    (Holding::PointOnPlane, 5),
];

/// Frames on everything that turns or does not, two at a time.
fn pairs(rig: &Rig) -> Vec<Pair> {
    let framed = |marker: &Marker<Space>, turn: V3| Framed::new(marker.clone(), exp(turn));
    let markers = rig.markers();
    let mut all = Vec::new();
    for first in &markers {
        for second in markers.iter().filter(|second| second.place.slot != first.place.slot) {
            all.push(Pair { a: framed(first, [0.3, -0.2, 0.5]), b: framed(second, [-0.7, 0.4, 0.1]) });
        }
    }
    all
}

fn check_rows(rig: &Rig, at: &Configuration, joint: &SpaceElement) {
    check(
        rig,
        at,
        joint.quantities().len(),
        &|at, phi| joint.residual(at, phi),
        &|at, entry| joint.jacobian(at, entry),
        &|at, b| joint.bias(at, b),
    );
}

#[test]
fn rows_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    for pair in pairs(&rig) {
        for (holding, _) in ALL {
            check_rows(&rig, &at, &SpaceElement::Held(Held { pair: pair.clone(), holding }));
        }
        let angle = || Coordinate::angle(pair.clone(), 0.4);
        let displacement = || Coordinate::displacement(pair.clone());
        for of in [angle(), displacement()] {
            check_rows(&rig, &at, &SpaceElement::Driven(Driven { of, function: Signal::Constant(0.3) }));
        }
        let screw = Coupled::screw(displacement(), angle(), 0.7, 0.1);
        let rack = Coupled::rack(displacement(), angle(), 0.4, 0.1);
        let gear = Coupled::gear(angle(), angle(), -1.75, 0.2).expect("a whole ratio");
        for coupled in [screw, rack, gear] {
            check_rows(&rig, &at, &SpaceElement::Coupled(coupled));
        }
        check_rows(
            &rig,
            &at,
            &SpaceElement::OnCurve(OnCurve { pair: pair.clone(), curve: SpaceCurve::Circle { radius: 0.8 } }),
        );
    }
}

/// c(u) = (cos u, sin u, u/2).
fn helix(u: f64) -> V3 {
    [u.cos(), u.sin(), 0.5 * u]
}

#[test]
fn rows_on_a_spline_are_differences() {
    let rig = Rig::new();
    let at = somewhere(&rig);
    for pair in pairs(&rig).into_iter().step_by(3) {
        // a curve that passes near the point
        let p = OnCurve { pair: pair.clone(), curve: SpaceCurve::Circle { radius: 1.0 } };
        let seen = p.pair.seen(&at);
        let local = seen.a.map(|e| e.dot(seen.d));
        for closed in [false, true] {
            let points: Vec<V3> = (0..9)
                .map(|i| {
                    let u = 0.6 * (i as f64 - 4.31);
                    let of = if closed { [u.cos(), u.sin(), 0.3 * (2.0 * u).sin()] } else { helix(u) };
                    add(add(local, [0.08, -0.06, 0.05]), sub(of, [1.0, 0.0, 0.0]))
                })
                .collect();
            let spline = SpaceSpline::new(&points, closed).expect("a smooth curve");
            let curve = SpaceCurve::Spline(Arc::new(spline));
            check_rows(&rig, &at, &SpaceElement::OnCurve(OnCurve { pair: pair.clone(), curve }));
        }
    }
}

/// A spline through points of a circle is off it by O(h⁴), and its closed normals come back to themselves.
#[test]
fn splines_follow_a_circle() {
    let worst = |n: usize| {
        let points: Vec<V3> = (0..n)
            .map(|i| {
                let u = TAU * i as f64 / n as f64;
                [u.cos(), 0.6 * u.sin(), 0.8 * u.sin()]
            })
            .collect();
        let curve = SpaceCurve::Spline(Arc::new(SpaceSpline::new(&points, true).expect("smooth")));
        (0..97).fold(0.0_f64, |worst, i| {
            let u = TAU * (i as f64 + 0.3) / 97.0;
            let p = [1.1 * u.cos(), 0.66 * u.sin(), 0.88 * u.sin()];
            let foot = curve.foot(p);
            for n in foot.n {
                close(1.0, n[0].norm(), "unit");
                close(0.0, n[0].dot(foot.c[1]), "square");
            }
            worst.max((sub(p, foot.c[0]).norm() - 0.1).abs())
        })
    };
    let order = (worst(12) / worst(24)).log2();
    assert!((3.5..4.6).contains(&order), "order {order}");
    let back = SpaceSpline::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1e-3, 0.0]], false);
    assert!(matches!(back, Err(NoSpline::Cusp(_))));
    assert_eq!(SpaceSpline::new(&[[0.0; 3]; 2], false).err(), Some(NoSpline::Repeated(0)));
}

/// Two bodies in one place with frames that agree.
fn agreeing(rig: &Rig) -> (Configuration, Pair) {
    let places = rig.places();
    let marker = |i: usize| Marker { place: places[i].clone(), local: V3::ZERO };
    let mut q = somewhere(rig).q().to_vec();
    q.copy_within(0..7, 7);
    let pair = Pair { a: Framed::new(marker(1), exp([0.3; 3])), b: Framed::new(marker(2), exp([0.3; 3])) };
    (Configuration::new(rig, 0.0, &q, &[0.0; V]), pair)
}

fn dense(joint: &SpaceElement, at: &Configuration) -> Vec<Vec<f64>> {
    let mut G = vec![vec![0.0; V]; joint.quantities().len()];
    joint.jacobian(at, |i, j, value| G[i][j] += value);
    G
}

/// By elimination with the largest pivot.
fn rank(mut G: Vec<Vec<f64>>) -> usize {
    let mut rank = 0;
    while rank < G.len() {
        let size = |i: usize, j: usize, G: &Vec<Vec<f64>>| G[i][j].abs();
        let (mut i, mut j) = (rank, 0);
        for k in rank..G.len() {
            for l in 0..V {
                if size(k, l, &G) > size(i, j, &G) {
                    (i, j) = (k, l);
                }
            }
        }
        if size(i, j, &G) < 1e-9 {
            break;
        }
        G.swap(rank, i);
        for k in rank + 1..G.len() {
            let factor = G[k][j] / G[rank][j];
            for l in 0..V {
                G[k][l] -= factor * G[rank][l];
            }
        }
        rank += 1;
    }
    rank
}

#[test]
fn joints_leave_their_freedoms() {
    let rig = Rig::new();
    let (at, pair) = agreeing(&rig);
    for (holding, freedom) in ALL {
        let joint = SpaceElement::Held(Held { pair: pair.clone(), holding });
        // the arms of a universal joint are square where its frames agree
        let mut phi = vec![1.0; joint.quantities().len()];
        joint.residual(&at, &mut phi);
        phi.iter().for_each(|phi| close(0.0, *phi, "held"));
        assert_eq!(rank(dense(&joint, &at)), 6 - freedom, "{holding:?}");
    }
}

/// What a joint of one freedom leaves is the rate of its coordinate: with that row the rank is full, and a reaction is force and
/// torque on the first body in the frame of the joint.
#[test]
fn reactions_are_in_the_frame_of_the_joint() {
    let rig = Rig::new();
    let (at, pair) = agreeing(&rig);
    let weld = SpaceElement::Held(Held { pair: pair.clone(), holding: Holding::Weld });
    let G = dense(&weld, &at);
    let seen = pair.seen(&at);
    for k in 0..3 {
        // first body: velocities 0..3 are inertial, 3..6 along its own axes
        let force: V3 = std::array::from_fn(|i| G[k][i]);
        close(1.0, force.dot(seen.a[k]), "force");
        let frame = pair.a.place().frame(&at);
        let torque: V3 = std::array::from_fn(|i| G[3 + k][3 + i]);
        use crate::geometry::Geometry;
        close(1.0, Space::turn(&frame, torque).dot(seen.a[k]), "torque");
    }
    for (holding, of) in [
        (Holding::Revolute, Coordinate::angle(pair.clone(), 0.0)),
        (Holding::Prismatic, Coordinate::displacement(pair.clone())),
    ] {
        let mut G = dense(&SpaceElement::Held(Held { pair: pair.clone(), holding }), &at);
        let mut row = vec![0.0; V];
        of.row(&at, |i, value| row[i] += value);
        G.push(row);
        assert_eq!(rank(G), 6, "{holding:?}");
    }
}

/// A driven angle and coupled angles go through many turns.
#[test]
fn turns_are_followed() {
    let rig = Rig::new();
    let (at, pair) = agreeing(&rig);
    let axis = pair.seen(&at).b[2];
    let turned = |angle: f64| {
        // the second body turned about the axis of the joint
        use crate::geometry::Geometry;
        let local = Space::to_local(&pair.b.place().frame(&at), axis);
        let mut delta = vec![0.0; V];
        (0..3).for_each(|i| delta[9 + i] = nearest_turn(angle) * local[i]);
        rig.moved(&at, &delta)
    };
    let angle = || Coordinate::angle(pair.clone(), 0.0);
    for total in [0.3, 3.0, 7.0, -40.0, 1234.5] {
        let at = turned(total);
        close(nearest_turn(total), angle().value(&at), "angle");
        close(total, Coordinate::angle(pair.clone(), total).value(&at), "angle about");
        let mut phi = [0.0];
        let driven = Driven { of: angle(), function: Signal::Constant(total - 0.01) };
        driven.residual(&at, &mut phi);
        close(0.01, phi[0], "driven");
    }
}

/// Two wheels on ground turn by φ and −φ/i: the coupling holds whatever φ is, and shows by how much it is off.
#[test]
fn gears_are_held_through_many_turns() {
    let rig = Rig::new();
    let places = rig.places();
    let framed = |i: usize| Framed::new(Marker { place: places[i].clone(), local: V3::ZERO }, exp([0.0; 3]));
    let pair = |i: usize| Pair { a: framed(0), b: framed(i) };
    let mut q = somewhere(&rig).q().to_vec();
    let p = exp([0.0; 3]);
    q[3..7].copy_from_slice(&p);
    q[10..14].copy_from_slice(&p);
    let at = Configuration::new(&rig, 0.0, &q, &[0.0; V]);
    for (p, q) in [(3_u32, 4_u32), (7, 1), (17, 61)] {
        let ratio = f64::from(p) / f64::from(q);
        let angle = |i: usize| Coordinate::angle(pair(i), 0.0);
        let gear = Coupled::gear(angle(1), angle(2), ratio, 0.01).expect("whole");
        for total in [0.3, 3.0, 7.0, -40.0, 1234.5] {
            let mut delta = vec![0.0; V];
            (delta[5], delta[11]) = (nearest_turn(total), nearest_turn(-total / ratio));
            let mut phi = [0.0];
            gear.residual(&rig.moved(&at, &delta), &mut phi);
            assert!((phi[0] + 0.01).abs() < 1e-11, "{p}/{q} {total}: {}", phi[0]);
        }
    }
}

fn nearest_turn(angle: f64) -> f64 {
    let rest = angle.rem_euclid(TAU);
    if rest > PI { rest - TAU } else { rest }
}

#[test]
fn ratios_of_whole_numbers_are_found() {
    assert_eq!(whole_ratio(1.75), Some((7, 4)));
    assert_eq!(whole_ratio(17.0 / 61.0), Some((17, 61)));
    assert_eq!(whole_ratio(1.0 / 3.0), Some((1, 3)));
    assert_eq!(whole_ratio(9973.0 / 9967.0), Some((9973, 9967)));
    assert_eq!(whole_ratio(2.0_f64.sqrt()), None);
    assert_eq!(whole_ratio(1e-9), None);
}

/// Constant velocity: with shafts at an angle the joint passes the rate on; a universal joint does not.
#[test]
fn constant_velocity_passes_the_rate_on() {
    let rig = Rig::new();
    let (at, pair) = agreeing(&rig);
    let seen = pair.seen(&at);
    use crate::geometry::Geometry;
    // the second shaft bent by 0.7 about an axis square to the first
    let axis = add(scale(0.6, seen.b[0]), scale(0.8, seen.b[1]));
    let local = Space::to_local(&pair.b.place().frame(&at), axis);
    let mut delta = vec![0.0; V];
    (0..3).for_each(|i| delta[9 + i] = 0.7 * local[i]);
    let at = rig.moved(&at, &delta);
    let seen = pair.seen(&at);
    let joint = SpaceElement::Held(Held { pair: pair.clone(), holding: Holding::ConstantVelocity });
    let mut phi = [1.0; 4];
    joint.residual(&at, &mut phi);
    phi.iter().for_each(|phi| close(0.0, *phi, "held"));
    // Ω_a = w e_2a and Ω_b = w e_2b fulfil the last row
    let mut v = [0.0; V];
    let spins = [(&pair.a, seen.a[2], 3), (&pair.b, seen.b[2], 9)];
    for (framed, axis, from) in spins {
        let omega = Space::to_local(&framed.place().frame(&at), axis);
        v[from..from + 3].copy_from_slice(&omega);
    }
    let G = dense(&joint, &at);
    close(0.0, G[3].iter().zip(&v).map(|(g, v)| g * v).sum(), "rate");
    assert!(cross(seen.a[2], seen.b[2]).norm() > 0.5);
}
