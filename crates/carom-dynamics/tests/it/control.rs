//! Error control, restart, determinism, and what happens when a step fails.

use crate::common::*;
use carom_dynamics::*;

/// With `accuracy` the work goes where it is needed and the result gets better with the tolerance.
#[test]
fn accuracy_is_obeyed() {
    let pendulum = Pendulum::new(1, 0.5_f64.sqrt(), 0.8);
    let start = [1.0, 0.0, 0.0];
    let fine = run(&pendulum, "generalized-alpha", &[], &start, &[0.0; 3], fixed(1e-6, 0.7));
    for (name, parameters) in [("moreau-jean", &[("theta", 1.0)][..]), ("generalized-alpha", &[])] {
        let mut errors = Vec::new();
        for accuracy in [1e-4, 1e-6] {
            let settings = Settings { step: 1e-3, end: 0.7, accuracy: Some(accuracy), output: None };
            let simulation = run(&pendulum, name, parameters, &start, &[0.0; 3], settings);
            let summary = simulation.summary();
            assert!(
                summary.step_range.1 > 1.3 * summary.step_range.0,
                "{name}: the step never changed, {summary:?}"
            );
            assert_eq!(simulation.state().t, 0.7);
            errors.push((simulation.state().q[2] - fine.state().q[2]).abs());
        }
        assert!(errors[1] < 0.3 * errors[0] && errors[1] < 2e-2, "{name}: {errors:?}");
    }
}

/// Free fall is integrated exactly with any step, so the difference of one step and two says nothing about the floor:
/// steps grew until one of them ended far below it.
#[test]
fn error_control_does_not_jump_over_an_impact() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    for accuracy in [1e-4, 1e-6] {
        let settings = Settings { step: 1e-3, end: 0.8, accuracy: Some(accuracy), output: None };
        let simulation = run(&ball, "moreau-jean", &[], &[1.0], &[0.0], settings);
        let (q, _) = Ball::exact(1.0, 10.0, 0.8, 0.8);
        let error = (simulation.state().q[0] - q).abs();
        assert!(error < 10.0 * accuracy, "{accuracy:e}: {error:e} m off after one impact");
        let penetration = simulation.summary().audit.penetration.value;
        // accuracy is per step, and the steps around an impact add up
        assert!(
            penetration <= 3.0 * accuracy * ball.structure().length_scale,
            "{accuracy:e}: {penetration:e} m deep"
        );
    }
}

/// Two runs give the same bits, and so does a run that is stopped, cloned and taken up again.
#[test]
fn same_bits() {
    let slider = Slider::new(0.2, 0.5, 40.0, 1.0, 0.5);
    for (name, parameters) in ALL {
        let go = || run(&slider, name, parameters, &[0.0, 0.1], &[0.3, 0.0], fixed(1e-3, 1.0));
        let (a, b) = (go(), go());
        assert_eq!(a.state(), b.state(), "{name}");
        assert_eq!(a.summary().digest, b.summary().digest, "{name}");

        // the same steps by hand, with a fresh stage half-way
        let mut state = State::new(&slider, 0.0, vec![0.0, 0.1], vec![0.3, 0.0]);
        let make = || (scheme(name, parameters).unwrap(), carom_solve::solver("auto").unwrap());
        let (method, solver) = make();
        let mut stage = ContactStage::new(&slider, solver);
        let mut stepper = method.start(&slider, &mut stage, &mut state).unwrap();
        for k in 0..1000 {
            if k == 500 {
                let saved = state.clone();
                let (fresh, solver) = make();
                stage = ContactStage::new(&slider, solver);
                stepper = fresh.start(&slider, &mut stage, &mut state).unwrap();
                state = saved;
            }
            stepper.step(&slider, &mut stage, &mut state, 1e-3).unwrap();
            state.t = f64::from(k + 1) * 1e-3;
        }
        assert_eq!(a.state(), &state, "{name}: restart");
    }
}

/// A step that cannot be made ends the run with a reason and keeps what was recorded.
#[test]
fn failure_is_told() {
    // a spring far too stiff for an explicit step: the numbers leave the range
    let slider = Slider::new(0.0, 0.0, 1e9, 0.0, 0.5);
    let state = State::new(&slider, 0.0, vec![0.0, 0.1], vec![0.0, 0.0]);
    let scheme = scheme("moreau-explicit", &[]).unwrap();
    let solver = carom_solve::solver("auto").unwrap();
    let mut simulation = Simulation::new(&slider, &*scheme, solver, state, fixed(1e-2, 10.0)).unwrap();
    let stop = simulation.run(|_| true);
    let Stop::Failed(reason) = stop else { panic!("it cannot succeed: {stop:?}") };
    assert!(reason.wrong.contains("velocity 0") && reason.t.is_some(), "{reason}");
    assert!(simulation.recording().samples() > 5);
    assert!(simulation.summary().audit.failures > 0);
}

/// Watching may stop a run; nothing recorded is lost.
#[test]
fn interruption_keeps_the_recording() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    let state = State::new(&ball, 0.0, vec![0.801], vec![0.0]);
    let solver = carom_solve::solver("auto").unwrap();
    let scheme = scheme("moreau-jean", &[]).unwrap();
    let mut simulation = Simulation::new(&ball, &*scheme, solver, state, fixed(1e-3, 4.0)).unwrap();
    let stop = simulation.run(|progress| progress.t < 1.0);
    assert_eq!(stop, Stop::Interrupted);
    let t = simulation.recording().column("t").unwrap().last().copied().unwrap();
    assert!((1.0..1.2).contains(&t));
}

/// Settings that make no sense are refused before anything runs.
#[test]
fn bad_settings_are_refused() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    for settings in [fixed(0.0, 1.0), fixed(-1e-3, 1.0), fixed(f64::NAN, 1.0), fixed(1e-3, 0.0)] {
        let state = State::new(&ball, 0.0, vec![0.801], vec![0.0]);
        let solver = carom_solve::solver("auto").unwrap();
        let refused = Simulation::new(&ball, &*scheme("hht", &[]).unwrap(), solver, state, settings).err();
        assert!(matches!(refused, Some(StartError::Setting { .. })), "{settings:?}");
    }
    assert!(matches!(scheme("hht", &[("alpha", 0.5)]), Err(SchemeError::Range { .. })));
    assert!(matches!(scheme("hht", &[("theta", 0.5)]), Err(SchemeError::UnknownParameter { .. })));
    assert!(matches!(scheme("moreau", &[]), Err(SchemeError::Unknown { .. })));
}

/// An output interval far below the step is a sample per step, neither an overflow nor an endless loop.
#[test]
fn an_interval_below_the_step_samples_every_step() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    for output in [1e-300, 1e-12] {
        let settings = Settings { step: 1e-2, end: 0.1, accuracy: None, output: Some(output) };
        let simulation = run(&ball, "moreau-jean", &[], &[1.0], &[0.0], settings);
        assert_eq!(simulation.recording().samples(), 11);
    }
}

/// A mass moved along x = t + 10 t²: all its kinetic energy comes from the motion, the first step included.
#[test]
fn the_work_of_a_motion_counts_from_the_first_step() {
    struct Driven(Structure);
    #[allow(non_snake_case)]
    impl System for Driven {
        fn structure(&self) -> &Structure {
            &self.0
        }
        fn mass(&self, _: &Configuration, M: &mut [f64]) {
            M[0] = 1.0;
        }
        fn force(&self, _: &Configuration, h: &mut [f64]) {
            h[0] = 0.0;
        }
        fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
            phi[0] = at.q()[0] - at.t() - 10.0 * at.t().powi(2);
        }
        fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
            (G[0], phi_t[0]) = (1.0, -1.0 - 20.0 * at.t());
        }
        fn energy(&self, at: &Configuration) -> Energy {
            Energy { kinetic: 0.5 * at.v[0] * at.v[0], ..Default::default() }
        }
        fn observe(&self, _: &Configuration, _: &mut [f64]) {}
    }
    let quantities = vec![(Quantity::Length, "x")];
    let sizes = Sizes { q: 1, v: 1, constraints: 1, contacts: 0 };
    let pattern = Pattern { mass: vec![(0, 0)], tangent: vec![], jacobian: vec![(0, 0)] };
    let driven = Driven(Structure {
        mass_is_constant: true,
        constraints: vec![ConstraintInfo { name: "drive".into(), rows: 0..1, quantities }],
        ..Structure::new(sizes, pattern, 1.0)
    });
    let audit = run(&driven, "moreau-jean", &[], &[0.0], &[1.0], fixed(1e-2, 0.1)).summary().audit;
    // from v = 1 to v = 3
    assert!((audit.prescribed_work - 4.0).abs() < 1e-12, "{}", audit.prescribed_work);
}

/// A box that rests under a force less than its weight stays closed and still for every scheme: one contact, no
/// sinking, and a verdict that does not grade round-off.
#[test]
fn rest_is_rest() {
    let slider = Slider::new(0.5, 0.3, 1.0, 0.0, 1e-3);
    for (name, parameters) in ALL {
        let simulation = run(&slider, name, parameters, &[0.0, 0.0], &[0.0, 0.0], fixed(1e-3, 1.0));
        let summary = simulation.summary();
        // a scheme that tells forces from impacts sees none
        assert!(summary.impacts <= 1, "{name}: the contact hit");
        let released = simulation.recording().events.iter().any(|e| e.kind == EventKind::Release);
        assert!(!released, "{name}: the contact let go");
        assert!(simulation.state().q[1].abs() < 1e-15, "{name}: {:?}", simulation.state().q);
        assert!(summary.audit.verdict.starts_with("Nothing moved"), "{name}: {}", summary.audit.verdict);
    }
}
