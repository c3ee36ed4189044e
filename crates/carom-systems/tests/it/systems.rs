//! Every coded system against differences, invariants, and motions known from elsewhere.
#![allow(non_snake_case)]

use crate::common::index_1;
use carom_dynamics::{
    Configuration, Quantity, Settings, Simulation, State, Stop, System, check_derivatives, scheme,
};
use carom_systems::{
    SYSTEMS, SliderCrank, SliderCrankBilateral, SliderCrankMinimal, Stiff3Dof, SystemError, SystemInfo, Wall,
    system,
};
use std::f64::consts::TAU;

/// (q, v).
type Start = (Vec<f64>, Vec<f64>);

fn run<'s>(system: &'s dyn System, name: &str, (q, v): Start, step: f64, end: f64) -> Simulation<'s> {
    let settings = Settings { step, end, accuracy: None, output: Some(step) };
    let state = State::new(system, 0.0, q, v);
    let solver = carom_solve::solver("auto").expect("a known solver");
    let scheme = scheme(name, &[]).expect("a known scheme");
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).expect("a good start");
    assert_eq!(simulation.run(|_| true), Stop::Done);
    simulation
}

/// Pseudo-random numbers in [-1, 1], the same every time.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 12345_u64;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Some (q, v): angles of any size, displacements below the size of the mechanism.
fn anywhere(system: &dyn System, speed: f64, x: &mut impl FnMut() -> f64) -> Start {
    let n = system.structure().sizes.v;
    let size = |i: usize| match system.structure().velocities[i].quantity {
        Quantity::Angle => 3.0,
        Quantity::Length => 0.3 * system.structure().length_scale,
    };
    // increments from where all quaternions are one
    let delta: Vec<f64> = (0..n).map(|i| size(i) * x()).collect();
    let mut from = vec![0.0; system.structure().sizes.q];
    system.structure().rotations.iter().for_each(|at| from[at.q] = 1.0);
    let mut q = from.clone();
    system.retract(&from, &delta, &mut q);
    (q, (0..n).map(|_| speed * x()).collect())
}

#[test]
fn derivatives_are_exact() {
    let mut x = numbers();
    for info in SYSTEMS {
        let coded = info.build(&[]).expect("defaults are fine");
        // speeds of the size of the start, and slow ones where gravity matters
        for speed in [1.0, 1.0, 10.0, 150.0] {
            let (q, v) = anywhere(&*coded.system, speed, &mut x);
            let wrong = check_derivatives(&*coded.system, 0.3, &q, &v, 1e-6);
            assert!(wrong.is_empty(), "{} at {q:?}, {v:?}: {wrong:#?}", info.name);
        }
    }
}

/// M and h belong to one Lagrangian: with T = ½ vᵀ M v and the potential V from `energy`,
/// h = −Ṁ v + ∂T/∂q − ∂V/∂q (+ what is applied), by central differences.
#[test]
fn forces_are_those_of_the_energy() {
    let mut x = numbers();
    for info in SYSTEMS {
        // without what is applied, and with every part of the strain
        let given: Vec<(&str, f64)> = [("torque", 0.0), ("nonlinear", 1.0)]
            .into_iter()
            .filter(|(name, _)| info.parameters.iter().any(|p| p.name == *name))
            .collect();
        let coded = info.build(&given).expect("defaults are fine");
        let system = &*coded.system;
        // rates of rotations are no derivatives of coordinates: tops have tests of their own
        if !system.structure().is_flat() {
            continue;
        }
        let n = system.structure().sizes.v;
        let pattern = &system.structure().pattern.mass;
        let momentum = |q: &[f64], v: &[f64]| {
            let mut M = vec![0.0; pattern.len()];
            system.mass(&Configuration::new(system, 0.0, q, v), &mut M);
            let mut p = vec![0.0; n];
            for (&(i, j), m) in pattern.iter().zip(&M) {
                let (i, j) = (i as usize, j as usize);
                p[i] += m * v[j];
                if i != j {
                    p[j] += m * v[i];
                }
            }
            p
        };
        for _ in 0..4 {
            let (q, v) = anywhere(system, 5.0, &mut x);
            let lagrangian = |q: &[f64]| {
                let e = system.energy(&Configuration::new(system, 0.0, q, &v));
                e.kinetic - e.potential - e.strain
            };
            // ½ vᵀ p is the kinetic energy
            let p = momentum(&q, &v);
            let kinetic = system.energy(&Configuration::new(system, 0.0, &q, &v)).kinetic;
            let half: f64 = p.iter().zip(&v).map(|(p, v)| 0.5 * p * v).sum();
            assert!((kinetic - half).abs() < 1e-14 * kinetic, "{}: {kinetic} {half}", info.name);
            let eps = 1e-5;
            let along = |by: f64| q.iter().zip(&v).map(|(q, v)| q + by * v).collect::<Vec<_>>();
            let (later, sooner) = (momentum(&along(eps), &v), momentum(&along(-eps), &v));
            let mut h = vec![0.0; n];
            system.force(&Configuration::new(system, 0.0, &q, &v), &mut h);
            let size = h.iter().fold(0.0_f64, |m, h| m.max(h.abs()));
            for i in 0..n {
                let moved = |by: f64| {
                    let mut q = q.clone();
                    q[i] += by;
                    lagrangian(&q)
                };
                let expected =
                    (moved(eps) - moved(-eps)) / (2.0 * eps) - (later[i] - sooner[i]) / (2.0 * eps);
                assert!(
                    (h[i] - expected).abs() < 1e-7 * size,
                    "{}: h[{i}] = {}, from the energy {expected}",
                    info.name,
                    h[i]
                );
            }
        }
    }
}

/// RK4 on the acceleration-level form.
fn rk4(system: &dyn System, (q, v): Start, end: f64, steps: usize) -> Start {
    let n = v.len();
    let mut x = [q, v].concat();
    let rate = |x: &[f64]| [&x[n..], &index_1(system, 0.0, &x[..n], &x[n..]).0[..]].concat();
    let dt = end / steps as f64;
    for _ in 0..steps {
        let along = |k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
        let k1 = rate(&x);
        let k2 = rate(&along(&k1, 0.5 * dt));
        let k3 = rate(&along(&k2, 0.5 * dt));
        let k4 = rate(&along(&k3, dt));
        for i in 0..2 * n {
            x[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    (x[..n].to_vec(), x[n..].to_vec())
}

/// The equations of motion, integrated to round-off by a method of their own, keep the energy and the joints.
#[test]
fn energy_and_joints_are_kept_by_the_equations() {
    let flying = SliderCrankMinimal::new(SliderCrank { c: 10.0, ..SliderCrank::default() });
    let guided = SliderCrankBilateral::new(SliderCrank::default());
    let spring = Stiff3Dof::new(1.0, 1.0, 9.81, Wall::Spring(1e7));
    let joint = Stiff3Dof::new(10.0, 1.0, 9.81, Wall::Joint);
    let rest = || (vec![0.0; 3], vec![0.0; 3]);
    let cases: [(&str, &dyn System, Start, f64); 4] = [
        ("flying", &flying, flying.start(), 0.05),
        ("guided", &guided, guided.start().expect("it fits"), 0.05),
        ("spring", &spring, rest(), 0.2),
        ("joint", &joint, rest(), 5.0),
    ];
    for (what, system, start, end) in cases {
        let energy = |q: &[f64], v: &[f64]| system.energy(&Configuration::new(system, 0.0, q, v));
        let before = energy(&start.0, &start.1);
        let (q, v) = rk4(system, start, end, 10_000);
        let after = energy(&q, &v);
        let off = after.total() - before.total();
        assert!(off.abs() < 1e-9 * after.kinetic.max(after.strain), "{what}: {off:e}, {before:?}, {after:?}");
        let mut phi = vec![0.0; system.structure().sizes.constraints];
        system.constraints(&Configuration::new(system, 0.0, &q, &v), &mut phi);
        assert!(phi.iter().all(|phi| phi.abs() < 1e-10), "{what}: {phi:?}");
    }
}

/// The slider-crank without play as what it is, one degree of freedom, by RK4: I(θ1) ω1' = −½ I'(θ1) ω1² − V'(θ1), with
/// I and V from the velocities of the centres and θ2 = −asin(l1 sin θ1 / l2), not from the system's matrices.
fn one_degree_of_freedom(data: &SliderCrank, end: f64, steps: usize) -> [f64; 2] {
    let SliderCrank { l1, l2, m1, m2, m3, J1, J2, gravity: g, .. } = *data;
    // velocities of the three centres and of the rod per unit of ω1
    let inertia = |t1: f64| {
        let t2 = -(l1 * t1.sin() / l2).asin();
        let ratio = -l1 * t1.cos() / (l2 * t2.cos());
        let rod = [-l1 * t1.sin() - 0.5 * l2 * t2.sin() * ratio, l1 * t1.cos() + 0.5 * l2 * t2.cos() * ratio];
        let slider = -l1 * t1.sin() - l2 * t2.sin() * ratio;
        J1 + m1 * (0.5 * l1).powi(2)
            + m2 * (rod[0] * rod[0] + rod[1] * rod[1])
            + J2 * ratio * ratio
            + m3 * slider * slider
    };
    // heights: crank l1/2 sin, rod half of the pin's since the other end is on the axis
    let potential = |t1: f64| g * t1.sin() * (m1 * 0.5 * l1 + m2 * 0.5 * l1);
    // sixth order differences
    let derivative = |f: &dyn Fn(f64) -> f64, t: f64| {
        let h = 1e-3;
        let d = |k: f64| f(t + k * h) - f(t - k * h);
        (1.5 * d(1.0) - 0.3 * d(2.0) + d(3.0) / 30.0) / (2.0 * h)
    };
    let rate = |[t1, w1]: [f64; 2]| {
        let (dI, dV) = (derivative(&inertia, t1), derivative(&potential, t1));
        [w1, (-0.5 * dI * w1 * w1 - dV) / inertia(t1)]
    };
    let dt = end / steps as f64;
    let mut x = [data.angles[0], data.speeds[0]];
    for _ in 0..steps {
        let along = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let k1 = rate(x);
        let k2 = rate(along(k1, 0.5 * dt));
        let k3 = rate(along(k2, 0.5 * dt));
        let k4 = rate(along(k3, dt));
        x = [0, 1].map(|i| x[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
}

#[test]
fn the_bilateral_slider_crank_moves_as_with_one_coordinate() {
    let data = SliderCrank { angles: [0.3, 0.0, 0.0], ..SliderCrank::default() };
    let end = 0.05;
    let exact = one_degree_of_freedom(&data, end, 8000);
    let system = SliderCrankBilateral::new(data);
    let start = || system.start().expect("it fits");
    // the equations
    let (q, v) = rk4(&system, start(), end, 8000);
    assert!((q[0] - exact[0]).abs() < 1e-9 && (v[0] - exact[1]).abs() < 1e-7, "{q:?} {v:?} {exact:?}");
    let rod = -(data.l1 * q[0].sin() / data.l2).asin();
    assert!((q[1] - rod).abs() < 1e-9 && q[2].abs() < 1e-12, "{q:?} {rod}");
    // the schemes, of second order towards it although M changes
    for name in ["moreau-jean", "generalized-alpha", "hht", "newmark"] {
        let errors = [2e-5, 1e-5].map(|step| {
            let simulation = run(&system, name, start(), step, end);
            (simulation.state().q[0] - exact[0]).abs()
        });
        assert!(errors[1] < 1e-5 && (3.5..4.5).contains(&(errors[0] / errors[1])), "{name}: {errors:?}");
    }
}

/// c = 0 in the unilateral system: four closed corners without friction make the motion of the joints.
#[test]
fn four_closed_corners_are_a_guide() {
    let data = SliderCrank { c: 0.0, friction: 0.0, ..SliderCrank::default() };
    let exact = one_degree_of_freedom(&data, 0.02, 4000);
    let corners = SliderCrankMinimal::new(data);
    let errors = [4e-5, 1e-5].map(|step| {
        let simulation = run(&corners, "moreau-jean", corners.start(), step, 0.02);
        (simulation.state().q[0] - exact[0]).abs()
    });
    assert!(errors[1] < 1e-4 && errors[1] < 0.5 * errors[0], "{errors:?}");
}

/// Frequencies of M q̈ + K q = 0 from the zeros of det(K − ω² M), by bisection around the printed value.
#[test]
fn stiff_3dof_has_the_printed_frequencies() {
    for (name, given, n, printed, digit) in [
        ("stiff-3dof-spring", &[][..], 3, 503.3, 0.05),
        ("stiff-3dof-spring", &[("k", 10.0)], 3, 503.3, 0.05),
        ("stiff-3dof-constraint", &[], 2, 0.8717, 5e-5),
        ("stiff-3dof-constraint", &[("k", 1.0)], 2, 0.27566, 5e-6),
    ] {
        let coded = system(name, given).expect("a known system");
        let at = Configuration::new(&*coded.system, 0.0, &coded.q, &coded.v);
        let pattern = &coded.system.structure().pattern;
        let (mut K, mut C) = (vec![0.0; pattern.tangent.len()], vec![0.0; pattern.tangent.len()]);
        coded.system.tangents(&at, &mut K, &mut C);
        let mut M = [0.0; 3];
        coded.system.mass(&at, &mut M);
        let determinant = |frequency: f64| {
            let mut A = [[0.0; 3]; 3];
            for (&(i, j), k) in pattern.tangent.iter().zip(&K) {
                A[i as usize][j as usize] = *k;
            }
            for i in 0..3 {
                A[i][i] -= (TAU * frequency).powi(2) * M[i];
            }
            let minor = A[0][0] * A[1][1] - A[0][1] * A[1][0];
            // the joint takes the last row and column away
            if n == 2 { minor } else { minor * A[2][2] - A[0][0] * A[1][2] * A[2][1] }
        };
        let (low, high) = (determinant(printed - digit), determinant(printed + digit));
        assert!(low * high < 0.0, "{name} {given:?}: no frequency rounds to {printed} Hz");
        // and none above it
        assert!((2..50).all(|i| determinant(printed * f64::from(i)) * high > 0.0), "{name}");
    }
}

/// Model (b) has a closed form: q1 = q2 + ..., modes (1, 1) and (1, −1); the load m γ (1, 1) excites the first alone.
#[test]
fn stiff_3dof_with_a_joint_swings_as_one_mode() {
    let (k, m, gravity) = (10.0_f64, 1.0, 9.81);
    let system = Stiff3Dof::new(k, m, gravity, Wall::Joint);
    let simulation = run(&system, "moreau-jean", (vec![0.0; 3], vec![0.0; 3]), 1e-4, 2.0);
    let exact = m * gravity / k * (1.0 - (2.0 * (k / m).sqrt()).cos());
    let q = &simulation.state().q;
    assert!((q[0] - exact).abs() < 1e-7 && (q[1] - exact).abs() < 1e-7, "{q:?} {exact}");
    // the joint holds the weight of the third mass and the pull of the spring: λ = −(m γ + k q2)
    let force = simulation.state().P_b[0] / 1e-4;
    assert!((force + m * gravity + k * exact).abs() < 2e-3, "{force}");
}

#[test]
fn what_is_wrong_is_said() {
    let error = |name, given: &[(&str, f64)]| system(name, given).expect_err("refused").to_string();
    assert!(error("slider", &[]).contains("slider-crank-minimal"));
    let unknown = error("slider-crank-minimal", &[("l3", 1.0)]);
    assert!(unknown.contains("`l3`") && unknown.contains("tangential_restitution"), "{unknown}");
    for (name, value, range) in [
        ("restitution", 1.5, "between 0 and 1"),
        ("tangential_restitution", -1.5, "between -1 and 1"),
        ("m1", 0.0, "above 0"),
        ("c", -1e-3, "at least 0"),
        ("omega1", f64::NAN, "any finite number"),
        ("gravity", f64::INFINITY, "any finite number"),
    ] {
        let refused = error("slider-crank-minimal", &[(name, value)]);
        assert!(refused.contains(name) && refused.contains(range), "{refused}");
    }
    let inside = system("slider-crank-minimal", &[("angle1", 0.1)]).expect_err("the slider is too high");
    assert!(matches!(&inside, SystemError::Misfit { why, .. } if why.contains("guide.1")), "{inside}");
    let short = system("slider-crank-bilateral", &[("l2", 0.1), ("angle1", 1.5)]).expect_err("too short");
    assert!(short.to_string().contains("longer than"), "{short}");
}

#[test]
fn names_are_unique_and_channels_move_what_is_drawn() {
    for (i, info) in SYSTEMS.iter().enumerate() {
        assert_eq!(SystemInfo::find(info.name).map(|s| s.title), Some(info.title));
        assert!(SYSTEMS[..i].iter().all(|s| s.name != info.name));
        assert!(scheme(info.scheme, &[]).is_ok() && info.step > 0.0 && info.end > info.step);
        for (k, p) in info.parameters.iter().enumerate() {
            assert!(p.admits(p.default) && !p.meaning.is_empty(), "{p:?}");
            assert!(info.parameters[..k].iter().all(|other| other.name != p.name), "{p:?}");
        }
        let coded = info.build(&[]).expect("defaults are fine");
        let channels: Vec<String> =
            coded.system.structure().channels.iter().map(|c| c.name().to_string()).collect();
        for part in coded.sketch.parts.iter().filter(|p| p.body != "ground") {
            for what in ["x", "y"] {
                assert!(channels.contains(&format!("{}.{what}", part.body)), "{}: {}", info.name, part.body);
            }
        }
        let contacts: Vec<&str> = coded.system.structure().contacts.iter().map(|c| c.name.as_str()).collect();
        let corners: Vec<&str> = coded.sketch.corners.iter().map(|c| c.contact.as_str()).collect();
        assert_eq!(contacts, corners);
    }
}

/// Both partners of a pin see it at the same place, and a slider is on its guide's line.
#[test]
fn pins_are_where_both_partners_have_them() {
    for info in SYSTEMS {
        let coded = info.build(&[]).expect("defaults are fine");
        let channels: Vec<String> =
            coded.system.structure().channels.iter().map(|c| c.name().to_string()).collect();
        let at = Configuration::new(&*coded.system, 0.0, &coded.q, &coded.v);
        let mut out = vec![0.0; channels.len()];
        coded.system.observe(&at, &mut out);
        let value = |body: &str, what: &str| {
            let name = format!("{body}.{what}");
            channels.iter().position(|c| *c == name).map_or(0.0, |i| out[i])
        };
        let place = |(body, [x, y]): (&str, [f64; 2])| {
            let (s, c) = value(body, "angle").sin_cos();
            [value(body, "x") + c * x - s * y, value(body, "y") + s * x + c * y]
        };
        let names: Vec<&str> = coded.sketch.pivots.iter().map(|p| p.name).collect();
        let joints = coded
            .system
            .structure()
            .constraints
            .iter()
            .filter(|joint| joint.name != "drive" && joint.name != "wall")
            // nothing in space is drawn yet
            .filter(|_| coded.system.structure().is_flat());
        joints
            .for_each(|joint| assert!(names.contains(&joint.name.as_str()), "{}: {}", info.name, joint.name));
        // the sketch does not know that the elastic rod is stretched by 2e-5 m
        let slack = if info.name == "simeon-crank" { 1e-4 } else { 1e-9 };
        for pivot in &coded.sketch.pivots {
            let (a, b) = (place(pivot.of), place(pivot.to));
            let apart = if pivot.kind == "prismatic" { 0.0 } else { (a[0] - b[0]).abs() };
            assert!(apart + (a[1] - b[1]).abs() < slack, "{}: {} {a:?} {b:?}", info.name, pivot.name);
        }
    }
}
