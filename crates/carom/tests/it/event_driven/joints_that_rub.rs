//! Dry friction in joints: amplitudes that shrink by the same amount, rest, and the balance of energy.

use super::*;
use std::f64::consts::PI;

/// k θ + J θ'' = −T sign θ': half periods π/ω, amplitudes A − 2 n T/k, rest as soon as the spring is weaker than friction.
#[test]
fn torsion_spring_with_constant_friction() {
    let (k, inertia, torque, a) = (8.0_f64, 0.02_f64, 0.3_f64, 0.5_f64);
    let omega = (k / inertia).sqrt();
    let text = r#"
        [bodies.wheel]
        mass = 1
        inertia = 0.02
        angle = 0.5
        [joints.axle]
        type = "revolute"
        between = ["ground", "wheel"]
        friction_torque = 0.3
        [forces.spring]
        type = "torsion-spring"
        between = ["ground", "wheel"]
        stiffness = 8
        "#;
    // it sits at a turning point while |amplitude| k > T
    let turns = (0..).find(|&n| (a - 2.0 * f64::from(n) * torque / k) * k <= torque).unwrap();
    let rests = f64::from(turns) * PI / omega;
    let angle = (a - 2.0 * f64::from(turns) * torque / k) * if turns % 2 == 0 { 1.0 } else { -1.0 };
    for scheme in controlled() {
        let done = run(&model(text, &how(scheme, Some(1e-10), 1e-3, 2.0)));
        let list = &done.recording.events;
        assert_eq!(list.last().unwrap().kind, EventKind::Stick, "{scheme}");
        assert!(
            (list.last().unwrap().t - rests).abs() < 1e-8 * slack(scheme),
            "{scheme}: {} not {rests}",
            list.last().unwrap().t
        );
        assert!((last(&done, "wheel.angle") - angle).abs() < 1e-8 * slack(scheme), "{scheme}");
        assert!(last(&done, "wheel.omega").abs() < 1e-15, "{scheme}");
        let loss = done.summary.audit.relative_numerical_loss();
        assert!(loss.abs() < 1e-8 * slack(scheme), "{scheme}: {loss:.1e}");
        // all turning points on time
        for (n, event) in list.iter().enumerate() {
            let t = PI / omega * (n as f64 + 1.0);
            assert!((event.t - t).abs() < 1e-8 * slack(scheme), "{scheme}: event {n} at {} not {t}", event.t);
        }
    }
}

/// m g l (cos θ_{n+1} − cos θ_n) = −T (|θ_n| + |θ_{n+1}|): turning points of a pendulum, by the work of its friction.
#[test]
fn pendulum_with_constant_friction() {
    let (mgl, torque) = (10.0 * 0.4, 0.35);
    let text = r#"
        gravity = [0, -10]
        [bodies.bob]
        mass = 1
        inertia = 0.01
        angle = 1.2
        position = ["=0.4*sin(1.2)", "=-0.4*cos(1.2)"]
        points.pivot = [0, 0.4]
        [joints.pivot]
        type = "revolute"
        between = ["ground", "bob.pivot"]
        friction_torque = 0.35
        "#;
    let mut amplitudes = vec![1.2_f64];
    while mgl * amplitudes.last().unwrap().sin() > torque {
        let a = *amplitudes.last().unwrap();
        let balance = |b: f64| mgl * (b.cos() - a.cos()) - torque * (a + b);
        // past its own equilibrium it comes to rest on the same side
        if balance(0.0) < 0.0 {
            break;
        }
        amplitudes.push(zero(0.0, a, balance));
    }
    for scheme in ["hem5", "hybrid", "dopri5", "radau5"] {
        let done = run(&model(text, &how(scheme, Some(1e-10), 1e-3, 12.0)));
        // the first amplitude is the start, the last one is rest
        assert_eq!(events(&done, EventKind::Slip).len(), amplitudes.len() - 2, "{scheme}");
        let rest = last(&done, "bob.angle").abs();
        assert!(last(&done, "bob.omega").abs() < 1e-15, "{scheme}");
        assert!((rest - amplitudes.last().unwrap()).abs() < 1e-8, "{scheme}");
        assert!(done.summary.audit.relative_numerical_loss().abs() < 1e-9, "{scheme}");
    }
}

/// A slider pressed into its guide with N(t) = 20 N is braked by 1 N + 0.2 · 20 N; it stops after m v_0/5 N.
#[test]
fn guide_that_is_pressed() {
    let text = r#"
        [bodies.slider]
        mass = 2
        inertia = 0.1
        velocity = [3, 0]
        [joints.rail]
        type = "prismatic"
        between = ["ground", "slider"]
        friction = 0.2
        friction_force = 1
        [forces.press]
        type = "force"
        on = "slider"
        force = [0, -20]
        "#;
    let (stop, x) = (2.0 * 3.0 / 5.0, 3.0 * 3.0 * 2.0 / 10.0);
    for scheme in holding() {
        for accuracy in [Some(1e-8), None] {
            if accuracy.is_some() && !controlled().contains(&scheme) {
                continue;
            }
            let setup = model(text, &how(scheme, accuracy, 0.07, 4.0));
            let done = setup.run(|_| true).unwrap();
            let what = format!("{scheme} {accuracy:?}");
            assert!(done.reached_end(), "{what}: {:?}", done.summary.stop);
            let sticks = events(&done, EventKind::Stick);
            assert_eq!(sticks.len(), 1, "{what}");
            assert!((sticks[0].t - stop).abs() < 1e-9, "{what}");
            assert!((last(&done, "slider.x") - x).abs() < 1e-9, "{what}");
            assert!(last(&done, "slider.vx").abs() < 1e-15, "{what}");
            assert!((done.summary.audit.friction_loss - 9.0).abs() < 1e-8, "{what}");
        }
    }
}
