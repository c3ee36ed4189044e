//! The five mechanisms with their exact motions and the steps they are run with.

use super::LOST;
use crate::four_bar;
use crate::measure::{L1, steps};
use crate::mechanism::Mechanism;
use crate::oscillator_exact::Exact;
use crate::running::{Method, Trouble, watch};
use crate::slider_crank_bilateral::{self, Bilateral};
use crate::slider_crank_unilateral::{self, Unilateral};
use crate::stack::Stack;
use crate::stiff_exact::Modes;
use carom_dynamics::{State, System};
use carom_systems::{SliderCrank, SliderCrankBilateral, SliderCrankMinimal, Stiff3Dof, Wall};

/// States that are compared in a run, at most about.
const SAMPLES: usize = 500;

/// Adds what a state is off by.
type Compare = dyn Fn(&State, &mut L1);

/// A mechanism to be measured on.
pub struct Case {
    pub name: &'static str,
    pub system: Box<dyn System>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub end: f64,
    /// Falling.
    pub steps: Vec<f64>,
    /// Two steps that tell the order.
    #[cfg_attr(not(test), allow(dead_code))]
    pub sample: (f64, f64),
    /// Adds what a state is off by.
    compare: Box<Compare>,
    /// Whether the state at the end alone is compared.
    end_only: bool,
}

impl Case {
    /// The relative L¹ error of a run; none if it fails.
    pub fn error(&self, method: Method, step: f64) -> Option<f64> {
        let count = (self.end / step * (1.0 + 1e-12)) as usize;
        let stride = (count / SAMPLES).max(1);
        let mut n = 0;
        let mut error = L1::default();
        watch(&*self.system, method, (&self.q, &self.v), step, self.end, |state, _| {
            if if self.end_only { n == count } else { n > 0 && n % stride == 0 } {
                (self.compare)(state, &mut error);
            }
            n += 1;
        })
        .ok()?;
        // a number that is not finite is not below either
        Some(error.relative()).filter(|e| *e < LOST)
    }
}

/// All five.
pub fn all() -> Result<Vec<Case>, Trouble> {
    Ok(vec![bilateral()?, minimal(), four_bar()?, oscillator(), stiff()])
}

/// Joints, no contact, 150 rad/s, M of the configuration.
fn bilateral() -> Result<Case, Trouble> {
    let case = slider_crank_bilateral::Case::table_1()?;
    let exact: Bilateral = case.exact;
    let system: SliderCrankBilateral = case.system;
    let compare = move |state: &State, error: &mut L1| {
        let place = exact.at(state.t);
        for i in 0..2 {
            error.add(state.q[i], place.theta[i]);
        }
    };
    Ok(Case {
        name: "slider-crank-bilateral",
        system: Box::new(system),
        q: case.q,
        v: case.v,
        end: slider_crank_bilateral::END,
        steps: steps(1e-3, 0.5, 11),
        sample: (2e-4, 1e-4),
        compare: Box::new(compare),
        end_only: false,
    })
}

/// The same with play: impacts, accumulations, sliding friction in four corners.
fn minimal() -> Case {
    let data = SliderCrank::default();
    let end = slider_crank_bilateral::END;
    let exact = Unilateral::new(&data, end, slider_crank_unilateral::Precision::default());
    let system = SliderCrankMinimal::new(data);
    let (q, v) = system.start();
    let compare = move |state: &State, error: &mut L1| {
        let place = exact.at(state.t);
        for i in 0..2 {
            error.add(state.q[i], place.theta[i]);
        }
    };
    Case {
        name: "slider-crank-minimal",
        system: Box::new(system),
        q,
        v,
        end,
        steps: steps(2e-4, 0.53, 11),
        sample: (1.3e-4, 1.1e-5),
        compare: Box::new(compare),
        end_only: false,
    }
}

/// Closed loop of bars in absolute coordinates, no contact.
fn four_bar() -> Result<Case, Trouble> {
    let Mechanism { model, q, v } = Mechanism::new(&four_bar::four_bar())?;
    let compare = |state: &State, error: &mut L1| {
        for (i, exact) in four_bar::REFERENCE.into_iter().enumerate() {
            error.add(state.q[3 * i + 2], exact);
        }
    };
    Ok(Case {
        name: "four-bar",
        system: Box::new(model),
        q,
        v,
        end: four_bar::WINDOW,
        steps: (0..10).map(|k| four_bar::WINDOW / f64::from(50 << k)).collect(),
        sample: (1e-2, 5e-3),
        compare: Box::new(compare),
        end_only: true,
    })
}

/// Impacts of a mass on a spring of 22.5 Hz.
fn oscillator() -> Case {
    const RESTITUTION: f64 = 0.8;
    const END: f64 = 1.0;
    let stack = Stack::oscillator(1.0, 10.0, 0.2, RESTITUTION, (1e4, 1.0));
    let start = [1.001, 2.001];
    let exact = Exact::new(&stack, RESTITUTION, start, END);
    let compare = move |state: &State, error: &mut L1| {
        let [q_1, _, q_2, _] = exact.at(state.t);
        error.add(state.q[0], q_1);
        error.add(state.q[1], q_2);
    };
    Case {
        name: "oscillator",
        system: Box::new(stack),
        q: start.to_vec(),
        v: vec![0.0; 2],
        end: END,
        steps: steps(5e-3, 0.53, 12),
        sample: (1e-3, 1.1e-4),
        compare: Box::new(compare),
        end_only: false,
    }
}

/// Soft springs of 0.2 Hz and one of 503 Hz, no contact. The coarser half of the steps does not resolve the latter.
fn stiff() -> Case {
    let (k, k0, m, gravity) = (1.0, 1e7, 1.0, 9.81);
    let modes = Modes::new(k, k0, m, gravity);
    let compare = move |state: &State, error: &mut L1| {
        let [q, ..] = modes.at(state.t);
        for i in 0..3 {
            error.add(state.q[i], q[i]);
        }
    };
    Case {
        name: "stiff-3dof-spring",
        system: Box::new(Stiff3Dof::new(k, m, gravity, Wall::Spring(k0))),
        q: vec![0.0; 3],
        v: vec![0.0; 3],
        end: 10.0,
        steps: steps(0.5, 0.5, 12),
        sample: (0.125, 0.0625),
        compare: Box::new(compare),
        end_only: false,
    }
}
