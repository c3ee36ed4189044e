//! Absolute, relative and natural coordinates are three descriptions of one motion: exact identities at single
//! configurations, and the derivatives of each against central differences.
#![allow(non_snake_case)]

use crate::common::{self, Random, between, frame};
use carom_dynamics::{Configuration, Directions, Quantity, System, check_derivatives};
use carom_model::description::*;
use carom_model::{Description, Model, Natural, Relative};
use std::sync::Arc;

/// Central differences with a step of 1e-6 are good to about 1e-9 of the values; curvature near corners costs more.
const DIFFERENCES: f64 = 1e-6;

/// Round-off of a few dozen operations, and of the elimination of some fifty unknowns.
const ROUND_OFF: f64 = 1e-12;

fn model(description: &Description) -> Arc<Model> {
    Arc::new(Model::new(description).unwrap_or_else(|error| panic!("{error}")))
}

/// Trees with every hinge from either side, a floating branch, a chain through a point mass, loops, gears, motions, and
/// forces within and between the branches.
fn forest() -> Description {
    let mut d = Description { version: 1, gravity: [0.7, -9.81], ..Description::default() };
    d.ground.points.insert("anchor".into(), Point::At([0.3, -0.2]));
    d.ground.points.insert("rail".into(), frame([-0.1, 0.4], 0.7));
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -30.0], normal: [0.3, 2.0] });
    let mut number = 0.0;
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i"] {
        number += 1.0;
        let mut body = Body::rigid(0.5 + 0.3 * number, 0.05 * number, [number, 0.2 * number])
            .with_point("left", [-0.4, 0.1 * number])
            .with_point("right", [0.6, -0.2])
            .with_shape("disk", Shape::Disk { center: [0.1, -0.05], radius: 0.03 });
        body.points.insert("rail".into(), frame([0.1, 0.2], -0.4));
        body.angle = 0.3 * number;
        d.bodies.insert(name.into(), body);
    }
    d.bodies.insert("p".into(), Body::point_mass(0.4, [-0.6, 1.1]));
    d.bodies.insert("s".into(), Body::point_mass(0.6, [-1.6, 1.1]));
    d.bodies.insert("lone".into(), Body::rigid(1.0, 0.2, [9.0, 9.0]).with_point("tip", [0.1, 0.2]));
    d.bodies.insert("dust".into(), Body::point_mass(0.1, [-9.0, 9.0]));

    let mut join = |name: &str, joint: Joint| d.joints.insert(name.into(), joint);
    join("ground-a", Joint::revolute("ground.anchor", "a.left"));
    join("a-b", Joint::prismatic("a.rail", "b.left"));
    // the guide hangs on the slider
    join("c-b", Joint::prismatic("c.rail", "b.right"));
    join("weld", Joint::Weld(Weld { between: between("d.right", "b") }));
    join("e-d", Joint::revolute("e.left", "d.left"));
    join("p-e", Joint::revolute("p", "e.right"));
    join("f-p", Joint::revolute("f.left", "p"));
    join("rail-g", Joint::prismatic("ground.rail", "g.left"));
    // h floats and i hangs on it, with a point mass on a rail of i
    join("i-h", Joint::revolute("i.left", "h.right"));
    join("i-s", Joint::prismatic("i.rail", "s"));
    // loops and others that stay rows
    join("loop", Joint::revolute("g.right", "a.right"));
    join("rod", Joint::Distance(Distance { between: between("f.right", "h.left"), length: Some(2.0) }));
    join("gear", Joint::Gear(Gear { between: between("e", "i"), ratio: -1.5 }));
    join("drive", Joint::motion("e", Coordinate::Angle, "0.3*sin(4*t) + t^2"));
    join("lift", Joint::motion("f.right", Coordinate::Y, "exp(-t)"));

    let mut act = |name: &str, force: Force| d.forces.insert(name.into(), force);
    let spring = |a: &str, b: &str| {
        Force::Spring(Spring {
            between: between(a, b),
            stiffness: 30.0,
            damping: 1.5,
            length: Some(0.5),
            ..Spring::default()
        })
    };
    act("s1", spring("a.right", "f.right"));
    act("s2", spring("s", "e.left"));
    act("s3", spring("lone.tip", "g"));
    act("s4", spring("ground", "dust"));
    let torsion = Force::TorsionSpring(TorsionSpring {
        between: between("e", "h"),
        stiffness: 2.0,
        damping: 0.7,
        angle: 0.4,
        ..TorsionSpring::default()
    });
    act("t1", torsion);
    let force = [Expression::Formula("3*cos(5*t)".into()), Expression::Constant(-2.0)];
    act("push", Force::Force(AppliedForce { on: "f.right".into(), force, follows: true }));
    let torque = Expression::Formula("2*t".into());
    act("torque", Force::Torque(Torque { on: "i".into(), against: Some("c".into()), torque }));

    let mut touch = |name: &str, a: &str, b: &str| {
        let contact = Contact { friction: 0.3, restitution: 0.5, ..Contact::between(a, b) };
        d.contacts.insert(name.into(), contact);
    };
    touch("ff", "f.disk", "ground.floor");
    touch("fc", "f.disk", "c.disk");
    touch("is", "i.disk", "dust");
    touch("lh", "lone.tip", "h.disk");
    d
}

/// n links in a row, each with its own size, from the ground.
fn chain(n: usize) -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
    for i in 0..n {
        let l = 0.3 + 0.1 * (i as f64).sin();
        let body = Body::rigid(1.0 + 0.5 * (3.0 * i as f64).cos(), 0.02 * l, [0.4 * i as f64, 0.0])
            .with_point("left", [-l, 0.05])
            .with_point("right", [l, -0.02]);
        d.bodies.insert(format!("b{i}"), body);
        let to = if i == 0 { "ground".to_string() } else { format!("b{}.right", i - 1) };
        d.joints.insert(format!("j{i}"), Joint::revolute(&to, &format!("b{i}.left")));
    }
    d
}

fn everything() -> Vec<Description> {
    vec![
        forest(),
        chain(6),
        common::joints(),
        common::forces(),
        common::contacts(),
        common::clearances(),
        common::bar(),
        common::beam(common::soft_beam()),
    ]
}

/// Random coordinates of a system, near the ones given.
fn near(q: &[f64], system: &dyn System, random: &mut Random, spread: f64) -> Vec<f64> {
    let mut out = q.to_vec();
    system.retract(q, &random.vector(system.structure().sizes.v, spread), &mut out);
    out
}

#[test]
fn derivatives_in_relative_coordinates() {
    for (number, description) in everything().iter().enumerate() {
        let relative = Relative::new(model(description));
        let n = relative.structure().sizes.v;
        for seed in 0..12 {
            let mut random = Random::new(seed + 1);
            let (q, v) = (random.vector(n, 1.2), random.vector(n, 2.0));
            let wrong = check_derivatives(&relative, 0.5 + 0.3 * random.next(), &q, &v, DIFFERENCES);
            assert!(wrong.is_empty(), "model {number}, seed {seed}: {wrong:#?}");
        }
    }
}

#[test]
fn derivatives_in_natural_coordinates() {
    for (number, description) in everything().iter().enumerate() {
        let model = model(description);
        let natural = Natural::new(model.clone());
        let (q_0, _) = natural.start(model.described_position(), model.described_velocity());
        for seed in 0..12 {
            let mut random = Random::new(seed + 1);
            // u is off its circle, and moves off it
            let q = near(&q_0, &natural, &mut random, 0.3);
            let v = random.vector(natural.structure().sizes.v, 2.0);
            let wrong = check_derivatives(&natural, 0.5 + 0.3 * random.next(), &q, &v, DIFFERENCES);
            assert!(wrong.is_empty(), "model {number}, seed {seed}: {wrong:#?}");
        }
    }
}

/// Accelerations from the saddle point [M Gᵀ; G 0].
fn accelerations(system: &dyn System, at: &Configuration) -> Vec<f64> {
    let mut x = saddle_point(system, at);
    x.truncate(system.structure().sizes.v);
    x
}

/// Accelerations and −λ, by elimination with pivoting.
fn saddle_point(system: &dyn System, at: &Configuration) -> Vec<f64> {
    let (sizes, pattern) = (system.structure().sizes, &system.structure().pattern);
    let (nv, n) = (sizes.v, sizes.v + sizes.constraints);
    let mut A = vec![vec![0.0; n]; n];
    let mut values = vec![0.0; pattern.mass.len()];
    system.mass(at, &mut values);
    for (&(i, j), m) in pattern.mass.iter().zip(&values) {
        A[i as usize][j as usize] = *m;
        A[j as usize][i as usize] = *m;
    }
    let (mut values, mut rates) = (vec![0.0; pattern.jacobian.len()], vec![0.0; sizes.constraints]);
    system.jacobian(at, &mut values, &mut rates);
    for (&(i, j), g) in pattern.jacobian.iter().zip(&values) {
        A[nv + i as usize][j as usize] += g;
        A[j as usize][nv + i as usize] += g;
    }
    let mut x = vec![0.0; n];
    system.force(at, &mut x[..nv]);
    system.constraint_bias(at, &mut rates);
    rates.iter().enumerate().for_each(|(i, bias)| x[nv + i] = -bias);
    solve(A, x)
}

fn solve(mut A: Vec<Vec<f64>>, mut x: Vec<f64>) -> Vec<f64> {
    let n = x.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| A[a][i].abs().total_cmp(&A[b][i].abs())).unwrap();
        A.swap(i, pivot);
        x.swap(i, pivot);
        let (above, below) = A.split_at_mut(i + 1);
        for (k, row) in below.iter_mut().enumerate() {
            let f = row[i] / above[i][i];
            (i..n).for_each(|j| row[j] -= f * above[i][j]);
            x[i + 1 + k] -= f * x[i];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| A[i][j] * x[j]).sum();
        x[i] = (x[i] - sum) / A[i][i];
    }
    x
}

fn same(what: &str, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{what}");
    let size = a.iter().filter(|a| a.is_finite()).fold(1.0, |m: f64, x| m.max(x.abs()));
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(a == b || (a - b).abs() <= tolerance * size, "{what}[{i}]: {a:e} and {b:e}");
    }
}

/// What does not depend on coordinates: gaps, relative velocities, energies, power, channels.
fn observables(system: &dyn System, at: &Configuration) -> [Vec<f64>; 4] {
    let sizes = system.structure().sizes;
    let mut gaps = vec![0.0; sizes.contacts];
    system.gaps(at, &mut gaps);
    let active: Vec<usize> = (0..sizes.contacts).filter(|&i| gaps[i] < f64::INFINITY).collect();
    let mut W = Directions::default();
    system.directions(at, &active, &mut W);
    let velocities = (0..W.rows()).map(|row| W.velocity(row, &at.v)).collect();
    let (energy, power) = (system.energy(at), system.power(at));
    let scalars = vec![energy.kinetic, energy.potential, energy.strain, power.applied, power.damping];
    let mut out = vec![0.0; system.structure().channels.len()];
    system.observe(at, &mut out);
    [gaps, velocities, scalars, out]
}

/// U̇ of every contact that may close.
fn contact_accelerations(system: &dyn System, at: &Configuration, a: &[f64]) -> Vec<f64> {
    let mut gaps = vec![0.0; system.structure().sizes.contacts];
    system.gaps(at, &mut gaps);
    let active: Vec<usize> = (0..gaps.len()).filter(|&i| gaps[i] < f64::INFINITY).collect();
    let mut W = Directions::default();
    system.directions(at, &active, &mut W);
    let mut bias = vec![0.0; W.rows()];
    system.contact_bias(at, &active, &mut bias);
    (0..W.rows()).map(|row| W.velocity(row, a) - W.bias(row) + bias[row]).collect()
}

#[test]
fn three_descriptions_of_one_motion() {
    for (number, description) in
        [forest(), chain(8), common::forces(), common::clearances()].iter().enumerate()
    {
        let model = model(description);
        let (relative, natural) = (Relative::new(model.clone()), Natural::new(model.clone()));
        for seed in 0..10 {
            let mut random = Random::new(seed + 7);
            let n = relative.structure().sizes.v;
            let (q, v, t) = (random.vector(n, 1.0), random.vector(n, 2.0), 0.3);
            let (q_abs, v_abs) = relative.absolute(&q, &v);
            // there and back
            let (q_back, v_back) = relative.start(&q_abs, &v_abs).unwrap();
            same("q", &q, &q_back, ROUND_OFF);
            same("v", &v, &v_back, ROUND_OFF);
            let (q_nat, v_nat) = natural.start(&q_abs, &v_abs);
            let (q_again, v_again) = natural.absolute(&q_nat, &v_nat);
            same("q", &q_abs, &q_again, ROUND_OFF);
            same("v", &v_abs, &v_again, ROUND_OFF);

            let absolute = Configuration::new(&*model, t, &q_abs, &v_abs);
            let at_relative = Configuration::new(&relative, t, &q, &v);
            let at_natural = Configuration::new(&natural, t, &q_nat, &v_nat);
            let expected = observables(&*model, &absolute);
            for (name, other) in [
                ("relative", observables(&relative, &at_relative)),
                ("natural", observables(&natural, &at_natural)),
            ] {
                for (what, (a, b)) in
                    ["gaps", "U", "energies", "channels"].iter().zip(expected.iter().zip(&other))
                {
                    same(&format!("model {number}, seed {seed}: {name} {what}"), a, b, ROUND_OFF);
                }
            }

            // saddle points of these sizes have condition numbers of some hundreds
            let tolerance = 100.0 * ROUND_OFF;
            let a = accelerations(&*model, &absolute);
            let (e_dot, u_dot) =
                (accelerations(&relative, &at_relative), accelerations(&natural, &at_natural));
            let mut out = vec![0.0; a.len()];
            relative.absolute_acceleration(&at_relative, &e_dot, &mut out);
            same(&format!("model {number}, seed {seed}: relative a"), &a, &out, tolerance);
            natural.absolute_acceleration(&at_natural, &u_dot, &mut out);
            same(&format!("model {number}, seed {seed}: natural a"), &a, &out, tolerance);
            let expected = contact_accelerations(&*model, &absolute, &a);
            same(
                "relative dU/dt",
                &expected,
                &contact_accelerations(&relative, &at_relative, &e_dot),
                tolerance,
            );
            same(
                "natural dU/dt",
                &expected,
                &contact_accelerations(&natural, &at_natural, &u_dot),
                tolerance,
            );
        }
    }
}

#[test]
fn kinetic_energy_is_that_of_the_mass_matrix() {
    for description in everything() {
        let model = model(&description);
        let (relative, natural) = (Relative::new(model.clone()), Natural::new(model.clone()));
        let (q_0, _) = natural.start(model.described_position(), model.described_velocity());
        for seed in 0..5 {
            let mut random = Random::new(seed + 3);
            let n = relative.structure().sizes.v;
            let q_nat = near(&q_0, &natural, &mut random, 0.3);
            for (system, q) in
                [(&relative as &dyn System, random.vector(n, 1.0)), (&natural as &dyn System, q_nat)]
            {
                let at = Configuration::new(system, 0.1, &q, &random.vector(system.structure().sizes.v, 2.0));
                let pattern = &system.structure().pattern;
                let mut M = vec![f64::NAN; pattern.mass.len()];
                system.mass(&at, &mut M);
                let mut sum = 0.0;
                for (&(i, j), m) in pattern.mass.iter().zip(&M) {
                    let term = m * at.v[i as usize] * at.v[j as usize];
                    sum += if i == j { 0.5 * term } else { term };
                }
                same("kinetic energy", &[sum], &[system.energy(&at).kinetic], 10.0 * ROUND_OFF);
            }
        }
    }
}

#[test]
fn an_open_chain_has_no_rows() {
    let relative = Relative::new(model(&chain(12)));
    let sizes = relative.structure().sizes;
    assert_eq!((sizes.q, sizes.v, sizes.constraints), (12, 12, 0));
    assert_eq!(relative.structure().velocities[3].name.clone(), "j3.omega");
    // 4 coordinates and a row per body, and an angle beside
    let natural = Natural::new(model(&chain(12)));
    let sizes = natural.structure().sizes;
    assert_eq!((sizes.q, sizes.v, sizes.constraints), (60, 48, 24 + 12));
    assert!(natural.structure().mass_is_constant);
}

#[test]
fn loops_are_cut_and_the_rest_stays() {
    let relative = Relative::new(model(&forest()));
    let rows: Vec<&str> = relative.joints_as_rows().collect();
    assert_eq!(rows, ["loop", "rod", "gear", "drive", "lift"]);
    // a: 1, b: 1, c: 1, d: 0, e: 1, p: 0, f: 1, g: 1, h: 3, i: 1, s: 1, lone: 3, dust: 2
    assert_eq!(relative.structure().sizes.v, 16);
    let names: Vec<String> = (0..16).map(|i| relative.structure().velocities[i].name.clone()).collect();
    assert!(names.contains(&"rail-g.v".to_string()) && names.contains(&"h.omega".to_string()), "{names:?}");
    let slides = (0..16).filter(|&i| relative.structure().velocities[i].quantity == Quantity::Length).count();
    assert_eq!(slides, 10, "{names:?}");
}

#[test]
fn a_joint_whose_reaction_rubs_stays_a_row() {
    let mut d = chain(2);
    let rubbing = |friction: f64, torque: f64| {
        Joint::Revolute(Revolute {
            between: between("ground", "b0.left"),
            clearance: None,
            restitution: 0.0,
            friction,
            pin_radius: 0.1,
            friction_torque: torque,
            ..Revolute::default()
        })
    };
    d.joints.insert("j0".into(), rubbing(0.3, 0.2));
    let with_reaction = Relative::new(model(&d));
    assert_eq!(with_reaction.joints_as_rows().collect::<Vec<_>>(), ["j0"]);
    assert_eq!((with_reaction.structure().sizes.v, with_reaction.structure().sizes.constraints), (4, 2));
    // a constant bound needs no reaction
    d.joints.insert("j0".into(), rubbing(0.0, 0.2));
    let constant = Relative::new(model(&d));
    assert_eq!(
        (
            constant.structure().sizes.v,
            constant.structure().sizes.constraints,
            constant.structure().sizes.contacts
        ),
        (2, 0, 1)
    );
}

#[test]
fn a_start_that_no_joint_coordinate_reaches_is_refused() {
    let model = model(&chain(3));
    let relative = Relative::new(model.clone());
    let (q, mut v) = relative.absolute(&[0.1, -0.2, 0.3], &[1.0, 2.0, 3.0]);
    assert!(relative.start(&q, &v).is_ok());
    v[4] += 0.5;
    let error = relative.start(&q, &v).unwrap_err();
    assert_eq!((error.body.as_str(), error.joint.as_str(), error.of_velocity), ("b1", "j1", true));
    assert!((error.difference - 0.5).abs() < 1e-12, "{error}");
}

#[test]
fn natural_angles_count_turns() {
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("top".into(), Body::rigid(1.0, 0.1, [0.0, 0.0]));
    let natural = Natural::new(model(&d));
    let (mut q, _) = natural.start(&[0.0, 0.0, 6.0], &[0.0; 3]);
    for step in 1..=100 {
        let u = [q[2], q[3]];
        let turn = [-0.3 * u[1], 0.3 * u[0]];
        let mut next = q.clone();
        natural.retract(&q, &[0.0, 0.0, turn[0], turn[1]], &mut next);
        q = next;
        let expected = 6.0 + f64::from(step) * 0.3_f64.atan();
        assert!((q[4] - expected).abs() < 1e-12, "{} {expected}", q[4]);
    }
}

#[test]
fn articulated_bodies_with_the_reactions_of_a_loop() {
    // a closed chain: the forces of the joints that were cut come from outside
    let relative = Relative::new(model(&forest()));
    let (n, pattern) = (relative.structure().sizes.v, &relative.structure().pattern);
    let mut random = Random::new(5);
    let at = Configuration::new(&relative, 0.2, &random.vector(n, 1.0), &random.vector(n, 2.0));
    let x = saddle_point(&relative, &at);
    let mut force = vec![0.0; n];
    relative.force(&at, &mut force);
    let (mut G, mut phi_t) =
        (vec![0.0; pattern.jacobian.len()], vec![0.0; relative.structure().sizes.constraints]);
    relative.jacobian(&at, &mut G, &mut phi_t);
    for (&(row, column), g) in pattern.jacobian.iter().zip(&G) {
        force[column as usize] -= g * x[n + row as usize];
    }
    let mut a = vec![f64::NAN; n];
    assert!(relative.forward_dynamics(&at, &force, &mut a));
    same("a", &x[..n], &a, 1e-10);
}

#[test]
fn articulated_bodies_invert_the_mass_matrix() {
    for description in [forest(), chain(40), common::joints(), common::contacts()] {
        let relative = Relative::new(model(&description));
        let (n, pattern) = (relative.structure().sizes.v, &relative.structure().pattern);
        for seed in 0..5 {
            let mut random = Random::new(seed + 11);
            let at = Configuration::new(&relative, 0.0, &random.vector(n, 1.5), &random.vector(n, 2.0));
            let force = random.vector(n, 5.0);
            let mut a = vec![f64::NAN; n];
            assert!(System::forward_dynamics(&relative, &at, &force, &mut a));
            let mut values = vec![0.0; pattern.mass.len()];
            relative.mass(&at, &mut values);
            let mut M = vec![vec![0.0; n]; n];
            for (&(i, j), m) in pattern.mass.iter().zip(&values) {
                M[i as usize][j as usize] = *m;
                M[j as usize][i as usize] = *m;
            }
            // M of a chain of 40 has a condition number of some 1e6
            same("a", &solve(M.clone(), force.clone()), &a, 1e-9);
            let back: Vec<f64> = M.iter().map(|row| row.iter().zip(&a).map(|(m, a)| m * a).sum()).collect();
            let scale = a.iter().fold(1.0, |most: f64, a| most.max(a.abs()));
            same("M a", &force, &back, 1e-12 * scale);
        }
    }
    // a flexible body has a mass of its own
    let flexible = Relative::new(model(&common::bar()));
    let n = flexible.structure().sizes.v;
    let at = Configuration::new(&flexible, 0.0, &vec![0.0; n], &vec![0.0; n]);
    assert!(!System::forward_dynamics(&flexible, &at, &vec![1.0; n], &mut vec![0.0; n]));
}
