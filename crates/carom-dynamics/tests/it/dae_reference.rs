//! Schemes for joints reach the states of exact motions, at the order that they claim: the problems of
//! `carom_systems::dae`, one of them with a row that moves with time.

use carom_dynamics::*;
use carom_systems::dae::{self, Problem};
use carom_systems::{FourBar, FourBarMinimal, SliderCrank1Dof, Values};

/// Largest error of q and v at the last state.
fn error<const N: usize, const M: usize>(
    system: &dyn System,
    problem: &Problem<N, M>,
    name: &str,
    steps: usize,
) -> f64 {
    let last = problem.at.last().expect("a state");
    let settings = Settings { step: last.t / steps as f64, end: last.t, accuracy: None, output: None };
    let state = State::new(system, 0.0, problem.q.to_vec(), problem.v.to_vec());
    let solver = carom_solve::solver("auto").expect("a known solver");
    let scheme = scheme(name, &[]).expect("a known scheme");
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).expect("a good start");
    assert_eq!(simulation.run(|_| true), Stop::Done);
    let found = simulation.state();
    let difference = |(a, b): (&f64, &f64)| (a - b).abs();
    let q = found.q.iter().zip(&last.q).map(difference);
    q.chain(found.v.iter().zip(&last.v).map(difference)).fold(0.0, f64::max)
}

/// Slope of log(error) over log(step) for twelve step counts from `steps`, neighbours apart by √√2 or so.
fn order<const N: usize, const M: usize>(
    system: &dyn System,
    problem: &Problem<N, M>,
    name: &str,
    steps: usize,
) -> f64 {
    let points: Vec<(f64, f64)> = (0..12)
        .map(|k| (steps as f64 * 1.19_f64.powi(k)).round() as usize)
        .map(|n| (-(n as f64).ln(), error(system, problem, name, n).ln()))
        .collect();
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x).powi(2))
}

#[test]
fn half_explicit_methods_have_their_orders_on_known_motions() {
    let pendulum = dae::Pendulum::default();
    let generic = dae::Generic::default();
    let crank = SliderCrank1Dof::of(&Values::defaults(SliderCrank1Dof::PARAMETERS));
    let linkage = FourBarMinimal::new(FourBar::default());
    for (name, expected) in [("half-explicit-3", 3.0), ("half-explicit-4", 4.0)] {
        let orders = [
            order(&pendulum, &dae::PENDULUM, name, 200),
            order(&generic, &dae::GENERIC, name, 20),
            order(&crank, &dae::SLIDER_CRANK, name, 100),
            order(&linkage, &dae::FOUR_BAR, name, 500),
        ];
        for order in orders {
            assert!((expected - 0.15..expected + 0.6).contains(&order), "{name}: {orders:?}");
        }
    }
    let close = error(&linkage, &dae::FOUR_BAR, "half-explicit-4", 4000);
    assert!(close < 1e-7, "{close:e}");
}
