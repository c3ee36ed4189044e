//! Mechanics against closed forms: pendulum, gaps, levers, momentum, scaling, names.
#![allow(non_snake_case)]

use crate::common::{self, Random, between, frame};
use carom_dynamics::{Configuration, ContactKind, Directions, Quantity, System};
use carom_model::description::*;
use carom_model::{Description, Model};

fn build(d: &Description) -> Model {
    Model::new(d).unwrap_or_else(|error| panic!("{error}"))
}

fn gap(model: &Model, q: &[f64], contact: &str) -> f64 {
    let i = model.structure().contacts.iter().position(|c| c.name == contact).expect("the contact exists");
    let mut gaps = vec![f64::NAN; model.structure().sizes.contacts];
    model.gaps(&Configuration::new(model, 0.0, q, &vec![0.0; q.len()]), &mut gaps);
    gaps[i]
}

/// A ball of radius `rho` (a point mass if 0) against a shape of ground; named `c`.
fn ball_on(shape: Shape, rho: f64, position: [f64; 2]) -> Model {
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.shapes.insert("s".into(), shape);
    let body = if rho > 0.0 {
        Body::rigid(1.0, 1.0, position).with_shape("disk", Shape::Disk { center: [0.0; 2], radius: rho })
    } else {
        Body::point_mass(1.0, position)
    };
    d.bodies.insert("ball".into(), body);
    let name = if rho > 0.0 { "ball.disk" } else { "ball" };
    d.contacts.insert("c".into(), Contact { friction: 0.2, ..Contact::between(name, "ground.s") });
    build(&d)
}

#[test]
fn the_physical_pendulum_accelerates_as_it_should() {
    // φ'' = −m g l cos φ / (J + m l²) for a rod lying at φ from the horizontal; solve the KKT system by hand:
    // with G v' = −bias and M v' = h + Gᵀ λ, eliminate λ by the known φ'' and compare all rows.
    let (m, J, l, g) = (1.3, 0.2, 0.6, 9.81);
    let mut d = Description { version: 1, gravity: [0.0, -g], ..Description::default() };
    let phi: f64 = 0.4;
    let mut rod = Body::rigid(m, J, [l * phi.cos(), l * phi.sin()]).with_point("end", [-l, 0.0]);
    rod.angle = phi;
    d.bodies.insert("rod".into(), rod);
    d.joints.insert("pivot".into(), Joint::revolute("ground", "rod.end"));
    let model = build(&d);
    let omega = 1.7;
    let v = [-l * phi.sin() * omega, l * phi.cos() * omega, omega];
    let at = Configuration::new(&model, 0.0, model.described_position(), &v);
    let alpha = -m * g * l * phi.cos() / (J + m * l * l);
    let a = [
        l * (-phi.sin() * alpha - phi.cos() * omega * omega),
        l * (phi.cos() * alpha - phi.sin() * omega * omega),
        alpha,
    ];
    let pattern = &model.structure().pattern.jacobian;
    let (mut G, mut phi_t, mut bias, mut h) = (vec![0.0; pattern.len()], [0.0; 2], [0.0; 2], [0.0; 3]);
    model.jacobian(&at, &mut G, &mut phi_t);
    model.constraint_bias(&at, &mut bias);
    model.force(&at, &mut h);
    // G a + bias = 0
    let mut rows = bias;
    pattern.iter().zip(&G).for_each(|(&(i, j), g)| rows[i as usize] += g * a[j as usize]);
    assert!(rows.iter().all(|r| r.abs() < 1e-14), "{rows:?}");
    // The force of the pivot on the rod, from Newton's law for the centre of mass, gives Euler's law through Gᵀ.
    let force = [m * a[0] - h[0], m * a[1] - h[1]];
    // Φ = ground − rod, so the reaction on the rod is −λ.
    let torque: f64 =
        pattern.iter().zip(&G).filter(|(p, _)| p.1 == 2).map(|(&(i, _), g)| -g * force[i as usize]).sum();
    assert!((torque - J * alpha).abs() < 1e-13, "{torque} against {}", J * alpha);
}

#[test]
fn gaps_of_lines_disks_and_holes() {
    let floor = Shape::Line { through: [0.0, 1.0], normal: [0.0, 3.0] };
    let model = ball_on(floor, 0.25, [5.0, 2.0]);
    assert_eq!(gap(&model, model.described_position(), "c"), 0.75);
    let disk = Shape::Disk { center: [0.0, 0.0], radius: 2.0 };
    let model = ball_on(disk, 0.5, [3.0, 4.0]);
    assert!((gap(&model, model.described_position(), "c") - 2.5).abs() < 1e-15);
    let model = build(&common::clearances());
    let q = model.described_position();
    // a.pin = (0.2, 0.5), b.pin = (0.2, 0.5): concentric, the gap is the clearance
    assert!((gap(&model, q, "pin") - 0.3).abs() < 1e-15);
    let mut off = q.to_vec();
    off[3] += 0.3;
    off[4] -= 0.4;
    assert!((gap(&model, &off, "pin") + 0.2).abs() < 1e-15);
}

#[test]
fn a_rolling_disk_does_not_slip_and_a_sliding_one_does() {
    let model = ball_on(Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] }, 0.5, [0.0, 0.5]);
    let velocity = |v: [f64; 3]| {
        let at = Configuration::new(&model, 0.0, model.described_position(), &v);
        let mut W = Directions::default();
        model.directions(&at, &[0], &mut W);
        [W.velocity(0, &v), W.velocity(1, &v)]
    };
    assert_eq!(velocity([2.0, 0.0, -4.0]), [0.0, 0.0]);
    assert_eq!(velocity([2.0, 0.0, 0.0]), [0.0, 2.0]);
    assert_eq!(velocity([0.0, -3.0, 1.0]), [-3.0, 0.5]);
}

#[test]
fn exchanging_the_partners_changes_nothing() {
    let mut d = common::contacts();
    d.contacts.retain(|name, _| name == "disk-disk");
    let first = build(&d);
    d.contacts["disk-disk"].between.reverse();
    let second = build(&d);
    let mut random = Random::new(3);
    let (mut q, v) = (random.vector(8, 3.0), random.vector(8, 2.0));
    // a's disk of radius 0.3 sits at (0.1, −0.05) on a; b's of radius 0.2 in the centre of b: let them touch
    let (s, c) = q[2].sin_cos();
    q[3] = q[0] + 0.1 * c + 0.05 * s + 0.5 * 0.6;
    q[4] = q[1] + 0.1 * s - 0.05 * c + 0.5 * 0.8;
    let ask = |model: &Model| {
        let at = Configuration::new(model, 0.0, &q, &v);
        let mut W = Directions::default();
        model.directions(&at, &[0], &mut W);
        let mut bias = [0.0; 2];
        model.contact_bias(&at, &[0], &mut bias);
        [gap(model, &q, "disk-disk"), W.velocity(0, &v), W.velocity(1, &v), bias[0]]
    };
    assert!(gap(&first, &q, "disk-disk").abs() < 1e-15);
    for (a, b) in ask(&first).iter().zip(ask(&second)) {
        assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{a} against {b}");
    }
}

#[test]
fn slider_corners_as_in_the_literature() {
    // g_N1 .. g_N4 of a slider 2a × 2b at height y, turned by θ, between walls at ±d/2.
    let (a, b, c) = (0.05, 0.025, 0.001);
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("slider".into(), Body::rigid(1.0, 1.0, [0.3, 0.0]));
    d.joints.insert(
        "guide".into(),
        Joint::Prismatic(Prismatic {
            between: between("ground", "slider"),
            clearance: Some(c),
            size: Some([2.0 * a, 2.0 * b]),
            restitution: 0.4,
            friction: 0.01,
            friction_force: 0.0,
            ..Prismatic::default()
        }),
    );
    let model = build(&d);
    let (y, theta) = (2e-4, 3e-3f64);
    let (s, co) = theta.sin_cos();
    let half = b + c;
    let exact = [
        half - y + a * s - b * co,
        half - y - a * s - b * co,
        half + y - a * s - b * co,
        half + y + a * s - b * co,
    ];
    for (i, exact) in exact.iter().enumerate() {
        let g = gap(&model, &[0.7, y, theta], &format!("guide.{}", i + 1));
        assert!((g - exact).abs() < 1e-16, "corner {}: {g} against {exact}", i + 1);
    }
    assert!(matches!(model.structure().contacts[0].kind, ContactKind::Frictional { friction: 0.01, .. }));
}

/// Distance to a hill (flat, half circle, flat) by brute force over a fine polyline.
#[test]
fn a_convex_path_is_one_contact_with_the_true_distance() {
    let hill = || Shape::Path {
        start: [-3.0, 0.0],
        pieces: vec![
            Piece::LineTo([-1.0, 1.0]),
            Piece::ArcTo { end: [1.0, 1.0], center: [0.0, 0.0], counterclockwise: false },
            Piece::LineTo([3.0, 0.5]),
        ],
    };
    let model = ball_on(hill(), 0.3, [0.0, 4.0]);
    // the corners at ±1 bend towards the free side: a ball touches both sides of one, never both of them
    assert_eq!(model.structure().sizes.contacts, 2);
    let smooth = Shape::Path {
        start: [-2.0, 1.0],
        pieces: vec![
            Piece::LineTo([0.0, 1.0]),
            Piece::ArcTo { end: [1.0, 0.0], center: [0.0, 0.0], counterclockwise: false },
            Piece::LineTo([1.0, -3.0]),
        ],
    };
    let model = ball_on(smooth, 0.3, [0.0, 4.0]);
    assert_eq!(model.structure().sizes.contacts, 1);
    let brute = |p: [f64; 2]| {
        let n = 200_000;
        (0..=n)
            .map(|i| {
                let s = i as f64 / n as f64 * 3.0;
                let at = if s < 1.0 {
                    [-2.0 + 2.0 * s, 1.0]
                } else if s < 2.0 {
                    let (y, x) = ((2.0 - s) * std::f64::consts::FRAC_PI_2).sin_cos();
                    [x, y]
                } else {
                    [1.0, -3.0 * (s - 2.0)]
                };
                (p[0] - at[0]).hypot(p[1] - at[1])
            })
            .fold(f64::INFINITY, f64::min)
    };
    for p in [[-1.0, 2.0], [1.0, 1.2], [0.1, 1.5], [3.0, -1.0], [-3.0, 1.5], [2.0, -4.0]] {
        let g = gap(&model, &[p[0], p[1], 0.0], "c") + 0.3;
        assert!((g - brute(p)).abs() < 1e-8, "{p:?}: {g} against {}", brute(p));
    }
    // inside the solid the distance is negative
    assert!((gap(&model, &[0.2, 0.3, 0.0], "c") + 0.3 + 1.0 - 0.2f64.hypot(0.3)).abs() < 1e-15);
}

#[test]
fn a_box_touches_on_two_sides_at_once() {
    let square = Shape::Path {
        start: [0.0, 0.0],
        pieces: [[2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]].map(Piece::LineTo).to_vec(),
    };
    let model = ball_on(square, 0.1, [1.0, 0.5]);
    // opposite sides share a contact: the ball is too small to touch both
    assert_eq!(model.structure().sizes.contacts, 2);
    let gaps = |x: f64, y: f64| {
        let mut gaps = [1, 2].map(|i| gap(&model, &[x, y, 0.0], &format!("c.{i}")));
        gaps.sort_by(f64::total_cmp);
        gaps
    };
    let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| *a == b || (a - b).abs() < 1e-15);
    for corner in [[0.1, 0.1], [1.9, 0.1], [0.1, 0.9], [1.9, 0.9]] {
        assert!(near(gaps(corner[0], corner[1]), [0.0, 0.0]), "{:?}", gaps(corner[0], corner[1]));
    }
    // a corner passed in one step: both sides see it
    assert!(near(gaps(-0.02, -0.03), [-0.13, -0.12]), "{:?}", gaps(-0.02, -0.03));
    // through one wall only
    assert!((gaps(1.0, -0.03)[0] + 0.13).abs() < 1e-15, "{:?}", gaps(1.0, -0.03));
    assert!(gaps(1.0, -0.03)[1] > 0.0, "{:?}", gaps(1.0, -0.03));
}

#[test]
fn a_solid_block_is_not_penetrated_from_its_far_side() {
    let block = Shape::Rectangle { center: [0.0, 0.0], size: [2.0, 1.0] };
    let model = ball_on(block, 0.25, [0.0, 3.0]);
    assert_eq!(model.structure().sizes.contacts, 1);
    let at = |x: f64, y: f64| gap(&model, &[x, y, 0.0], "c");
    assert!((at(0.3, 0.8) - 0.05).abs() < 1e-15);
    assert!((at(0.3, -0.8) - 0.05).abs() < 1e-15);
    assert!((at(1.3, 0.9) - 0.25).abs() < 1e-15, "corner: 3-4-5 triangle");
    assert!((at(0.0, 0.4) + 0.35).abs() < 1e-15);
}

#[test]
fn inner_forces_change_neither_momentum_nor_angular_momentum() {
    let mut d = common::forces();
    d.gravity = [0.0; 2];
    d.forces.retain(|name, _| ["s1", "s3", "damper", "t1", "m1"].contains(&name.as_str()));
    let model = build(&d);
    let mut random = Random::new(9);
    let (q, v) = (random.vector(8, 1.0), random.vector(8, 2.0));
    let mut h = vec![0.0; 8];
    model.force(&Configuration::new(&model, 0.3, &q, &v), &mut h);
    // bodies a (0..3), b (3..6), point mass p (6..8)
    let push = [h[0] + h[3] + h[6], h[1] + h[4] + h[7]];
    let moment = |x: usize| q[x] * h[x + 1] - q[x + 1] * h[x];
    let twist = moment(0) + h[2] + moment(3) + h[5] + moment(6);
    let size = h.iter().fold(0.0, |m: f64, h| m.max(h.abs()));
    assert!(push.iter().chain([&twist]).all(|x| x.abs() < 1e-13 * size), "{push:?} {twist}");
}

#[test]
fn a_model_a_thousand_times_smaller_is_the_same_model() {
    let scaled = |s: f64| {
        let mut d = Description { version: 1, gravity: [0.0, -9.81 * s], ..Description::default() };
        d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -s], normal: [0.0, 1.0] });
        let mut b = Body::rigid(1.0, 0.3 * s * s, [0.2 * s, 0.4 * s]).with_point("end", [-0.5 * s, 0.0]);
        b.shapes.insert("disk".into(), Shape::Disk { center: [0.1 * s, 0.0], radius: 0.2 * s });
        d.bodies.insert("b".into(), b);
        d.contacts.insert("c".into(), Contact::between("b.disk", "ground.floor"));
        build(&d)
    };
    let (large, small) = (scaled(1.0), scaled(1e-3));
    let ratio = small.structure().length_scale / large.structure().length_scale;
    assert!((ratio - 1e-3).abs() < 1e-17);
    // A single point mass has the scale of its height.
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("p".into(), Body::point_mass(1.0, [0.0, 0.02]));
    assert_eq!(build(&d).structure().length_scale, 0.02);
}

#[test]
fn channels_and_names() {
    let model = build(&common::three_bodies());
    let names: Vec<_> =
        model.structure().channels.iter().map(|c| format!("{} {}", c.name(), c.unit)).collect();
    assert_eq!(
        names,
        [
            "a.x m",
            "a.y m",
            "a.angle rad",
            "a.vx m/s",
            "a.vy m/s",
            "a.omega rad/s",
            "a.left.x m",
            "a.left.y m",
            "a.left.vx m/s",
            "a.left.vy m/s",
            "a.right.x m",
            "a.right.y m",
            "a.right.vx m/s",
            "a.right.vy m/s",
            "a.rail.x m",
            "a.rail.y m",
            "a.rail.vx m/s",
            "a.rail.vy m/s",
            "b.x m",
            "b.y m",
            "b.angle rad",
            "b.vx m/s",
            "b.vy m/s",
            "b.omega rad/s",
            "b.left.x m",
            "b.left.y m",
            "b.left.vx m/s",
            "b.left.vy m/s",
            "b.right.x m",
            "b.right.y m",
            "b.right.vx m/s",
            "b.right.vy m/s",
            "b.slide.x m",
            "b.slide.y m",
            "b.slide.vx m/s",
            "b.slide.vy m/s",
            "p.x m",
            "p.y m",
            "p.vx m/s",
            "p.vy m/s",
        ]
    );
    let (q, v): (Vec<f64>, Vec<f64>) = ((0..8).map(f64::from).collect(), (10..18).map(f64::from).collect());
    let mut out = vec![f64::NAN; names.len()];
    model.observe(&Configuration::new(&model, 0.0, &q, &v), &mut out);
    assert_eq!(out[..6], [0., 1., 2., 10., 11., 12.]);
    assert_eq!(out[18..24], [3., 4., 5., 13., 14., 15.]);
    assert_eq!(out[36..], [6., 7., 16., 17.]);
    // a.left at (-0.4, 0.1) on a body at (0, 1), turned by 2 rad, that turns with 12 rad/s
    let (sin, cos) = 2f64.sin_cos();
    let arm = [-0.4 * cos - 0.1 * sin, -0.4 * sin + 0.1 * cos];
    let left = [arm[0], 1.0 + arm[1], 10.0 - 12.0 * arm[1], 11.0 + 12.0 * arm[0]];
    assert!(out[6..10].iter().zip(left).all(|(a, b)| (a - b).abs() < 1e-14), "{:?} {left:?}", &out[6..10]);
    assert_eq!(model.structure().velocities[5].name.clone(), "b.omega");
    assert_eq!(model.structure().velocities[6].name.clone(), "p.vx");
}

#[test]
fn joints_that_rub_say_what_presses_them() {
    let model = build(&common::clearances());
    let kind = |name: &str| model.structure().contacts.iter().find(|c| c.name == name).unwrap().kind.clone();
    assert_eq!(
        kind("pivot.friction"),
        ContactKind::Dry { constant: 0.3, coefficient: 0.1 * 0.02, rows: 0..2, quantity: Quantity::Angle }
    );
    assert_eq!(
        kind("slide.friction"),
        ContactKind::Dry { constant: 0.5, coefficient: 0.25, rows: 2..3, quantity: Quantity::Length }
    );
    assert_eq!(
        kind("pin.friction"),
        ContactKind::Dry { constant: 0.2, coefficient: 0.0, rows: 0..0, quantity: Quantity::Angle }
    );
}

#[test]
fn outlines_show_every_body_and_ground() {
    let mut d = common::contacts();
    d.ground.points.insert("far".into(), frame([0.0, 0.0], 0.0));
    let model = build(&d);
    let names: Vec<_> = model.outlines().iter().map(|o| o.body.as_str()).collect();
    assert_eq!(names, ["a", "b", "p", "ground"]);
    assert!(model.outlines().iter().all(|o| !o.polylines.is_empty() || !o.circles.is_empty()));
    // an arc is drawn on its circle
    let box_path = model.outlines()[3].polylines.iter().max_by_key(|p| p.len()).unwrap();
    assert!(box_path.iter().any(|p| (p[0].hypot(p[1] - 1.0) - 6.0).abs() < 1e-12 && p[1] > 6.9));
}
