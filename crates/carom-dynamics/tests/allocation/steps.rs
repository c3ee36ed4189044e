//! No heap allocation in a warm step, for every scheme: in flight, at impacts, in sliding contact, with joints.

use crate::common::bar;
use crate::common::*;
use crate::counting::counted;
use carom_dynamics::*;

/// A linear bar that bounces, told to be linear or not.
#[test]
fn warm_steps_of_a_bar_do_not_allocate() {
    for says_constant in [true, false] {
        let mut bar = bar::Bar::new(30, 0.5);
        (bar.gravity, bar.says_constant) = (10.0, says_constant);
        let (mut q, v) = bar.thrown();
        q.fill(0.5);
        for (name, parameters) in ALL {
            let state = State::new(&bar, 0.0, q.clone(), v.clone());
            let scheme = scheme(name, parameters).unwrap();
            let solver = carom_solve::solver("auto").unwrap();
            let settings = Settings { step: 1e-3, end: 4.0, accuracy: None, output: Some(0.01) };
            let mut simulation = Simulation::new(&bar, &*scheme, solver, state, settings).unwrap();
            while simulation.state().t < 1.0 {
                simulation.advance();
            }
            let before = counted();
            while simulation.state().t < 2.0 {
                simulation.advance();
            }
            assert_eq!(counted() - before, 0, "{name}");
            assert!(simulation.summary().impacts > 1, "{name} touched the floor once only");
        }
    }
}

#[test]
fn warm_steps_do_not_allocate() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    let pendulum = Pendulum::new(2, 0.5_f64.sqrt(), 0.8);
    let slider = Slider::new(0.2, 0.5, 40.0, 1.0, 0.5);
    let systems: [(&dyn System, &[f64]); 3] =
        [(&ball, &[0.801]), (&pendulum, &[1.0, 0.0, 0.0]), (&slider, &[0.0, 0.1])];
    // the same where nothing bounces
    let ball = Ball::new(1.0, 10.0, 0.0);
    let pendulum = Pendulum::new(2, 0.5_f64.sqrt(), 0.0);
    let slider = Slider::new(0.2, 0.0, 40.0, 1.0, 0.5);
    let still: [(&dyn System, &[f64]); 3] =
        [(&ball, &[0.801]), (&pendulum, &[1.0, 0.0, 0.0]), (&slider, &[0.0, 0.1])];
    let bouncing = systems.into_iter().flat_map(|s| [(s, ALL), (s, SPRINGS)]);
    let runs = bouncing.chain(still.map(|s| (s, PLASTIC)));
    for ((system, q), schemes) in runs {
        for (name, parameters) in schemes {
            for projected in ["", PROJECTED] {
                let name = format!("{name}{projected}");
                let state = State::new(system, 0.0, q.to_vec(), vec![0.0; q.len()]);
                let scheme = scheme(&name, parameters).unwrap();
                let solver = carom_solve::solver("auto").unwrap();
                let settings = Settings { step: 1e-3, end: 4.0, accuracy: None, output: Some(0.01) };
                let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).unwrap();
                // warm: past the first impact
                while simulation.state().t < 1.0 {
                    simulation.advance();
                }
                let before = counted();
                while simulation.state().t < 3.0 {
                    simulation.advance();
                }
                let count = counted() - before;
                assert_eq!(count, 0, "{name} on a system with {} velocities", q.len());
            }
        }
    }
}
