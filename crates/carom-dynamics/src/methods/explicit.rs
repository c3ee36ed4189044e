//! Explicit Runge–Kutta methods on the form of index 1.                  [Haddouni2015] §2.2.2, (A.1)–(A.8), [Hairer1993] §II.5
//!
//! ```text
//!   Q_i = q_n ⊕ dt Σ_{j<i} a_ij V_j,       V_i = v_n + dt Σ_{j<i} a_ij A_j,       A_i = a(t_n + c_i dt, Q_i, V_i)
//!   q_{n+1} = q_n ⊕ dt Σ b_i V_i,          v_{n+1} = v_n + dt Σ b_i A_i
//!   e = | dt Σ (b_i − b̂_i) (V_i, A_i) |
//! ```
//!
//! V_j in a position equation is the rate of the increment δ_j that led to stage j, T⁻¹(δ_j) V_j where bodies turn in space
//! (`chart.rs`); so in all methods.
//!
//! a is [`Motion::accelerations`] in the form the motion is told to take; A_1 is that of the knot. In the form with
//! independent coordinates every stage, and the end, is settled: dependent q and v follow from the rows.
//!
//! | method | stages | order | estimate |
//! |---|---|---|---|
//! | RK4 | 4, and the end | 4 | dt (V_4 − V_5)/6 = O(dt⁴), the fifth stage at the end of the step |
//! | RKF45 | 6 | 4, or 5 on demand | Fehlberg's pair, O(dt⁵) |
//! | DOPRI5 | 7 | 5 | Dormand and Prince's pair, O(dt⁵) |
//!
//! RK4 has no embedded formula of its own. With the derivative at its end the weights (1/6, 1/3, 1/3, 0, 1/6) are of order 3,
//! since stages 4 and 5 share c = 1 and Σ a_ij c_j = 1/2; the estimate is the error of that companion, so it errs on the
//! safe side and costs one evaluation where halving the step costs seven. RKF45 goes on with the result of order 4, as in
//! the source, unless told to go on with the one of order 5.
//!
//! Dense output: Hermite, O(dt⁶) in q and O(dt⁵) in v, which no continuous extension of these methods surpasses. Nothing but
//! G v' + bias = 0 is held (but see the form with independent coordinates): rows drift by the error of the method.

use super::{Estimate, Integrator, Knot, Level, Method};
use crate::events::{
    BAUMGARTE, EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST,
};
use crate::stages::sum_stages;
use crate::{Configuration, Formulation, Motion, Parameter, SchemeInfo, StepError, System};

/// An explicit method with a companion for its error.
#[derive(Clone, Copy, Debug)]
struct Pair {
    name: &'static str,
    /// Of stages 2, 3, …; row i has i + 1 entries.
    c: &'static [f64],
    a: &'static [&'static [f64]],
    b: &'static [f64],
    /// b − b̂.
    error: &'static [f64],
    exponent: f64,
    /// See [`Integrator::latitude`].
    latitude: Option<f64>,
    /// Whether the last stage is where the step ends.
    ends_in_stage: bool,
}

const RK4: Pair = Pair {
    name: "rk4",
    c: &[0.5, 0.5, 1.0, 1.0],
    a: &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0], RK4_B],
    b: RK4_B,
    error: &[0.0, 0.0, 0.0, 1.0 / 6.0, -1.0 / 6.0],
    exponent: 4.0,
    latitude: Some(2.0),
    ends_in_stage: true,
};
const RK4_B: &[f64] = &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

const RKF45: Pair = Pair {
    name: "rkf45",
    c: &[0.25, 0.375, 12.0 / 13.0, 1.0, 0.5],
    a: &[
        &[0.25],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ],
    b: &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2, 0.0],
    error: RKF45_ERROR,
    exponent: 5.0,
    latitude: None,
    ends_in_stage: false,
};
const RKF45_ERROR: &[f64] = &[-1.0 / 360.0, 0.0, 128.0 / 4275.0, 2197.0 / 75240.0, -1.0 / 50.0, -2.0 / 55.0];

/// RKF45 that goes on with its result of order 5.
const RKF45_FIFTH: Pair = Pair {
    name: "rkf45 of order 5",
    latitude: Some(3.0),
    b: &[16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0],
    ..RKF45
};

const DOPRI5: Pair = Pair {
    name: "dopri5",
    c: &[0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    a: &[
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        DOPRI5_B,
    ],
    b: DOPRI5_B,
    error: &[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339_200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ],
    exponent: 5.0,
    latitude: Some(3.0),
    ends_in_stage: true,
};
const DOPRI5_B: &[f64] = &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];

pub const RK4_INFO: SchemeInfo = SchemeInfo {
    name: "rk4",
    summary: "event-driven: the classic Runge–Kutta method of order 4 on accelerations",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| Ok(EventDriven::boxed(RungeKutta::rk4(), FrameOptions::stabilised(values))),
};

const ORDER: Parameter =
    Parameter::whole("order", "of the formula that goes on: 4 as published, or 5", 4, 4..=5);

pub const RKF45_INFO: SchemeInfo = SchemeInfo {
    name: "rkf45",
    summary: "event-driven: Runge–Kutta–Fehlberg of order 4 or 5 on accelerations",
    parameters: &[ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| {
        let method = RungeKutta::rkf45(values.whole(&ORDER) == 5);
        Ok(EventDriven::boxed(method, FrameOptions::stabilised(values)))
    },
};

pub const DOPRI5_INFO: SchemeInfo = SchemeInfo {
    name: "dopri5",
    summary: "event-driven: Dormand–Prince of order 5 on accelerations",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| Ok(EventDriven::boxed(RungeKutta::dopri5(), FrameOptions::stabilised(values))),
};

/// RK4, RKF45 or DOPRI5.
#[derive(Clone, Copy, Debug)]
pub struct RungeKutta {
    pair: &'static Pair,
    formulation: Formulation,
}

impl RungeKutta {
    fn new(pair: &'static Pair) -> Self {
        Self { pair, formulation: Formulation::Index1 }
    }

    /// The classical method of order 4.
    pub fn rk4() -> Self {
        Self::new(&RK4)
    }

    /// Fehlberg's pair; it goes on with the result of order 4, or of order 5.
    pub fn rkf45(fifth: bool) -> Self {
        Self::new(if fifth { &RKF45_FIFTH } else { &RKF45 })
    }

    /// Dormand and Prince's pair of order 5.
    pub fn dopri5() -> Self {
        Self::new(&DOPRI5)
    }
}

impl Method for RungeKutta {
    fn describe(&self) -> String {
        match self.formulation {
            Formulation::Index1 => self.pair.name.into(),
            other => format!("{} in the {other} form", self.pair.name),
        }
    }

    fn level(&self) -> Level {
        match self.formulation {
            Formulation::Partitioned => Level::Both,
            _ => Level::Acceleration,
        }
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index1, Formulation::NullSpace, Formulation::PseudoInverse, Formulation::Partitioned]
    }

    fn set_formulation(&mut self, formulation: Formulation) {
        self.formulation = formulation;
    }

    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        let (n, stages) = (motion.nv(), self.pair.c.len() + 1);
        let of = |size: usize| vec![0.0; size];
        Ok(Box::new(Workspace {
            formulation: self.formulation,
            at: motion.configuration(system, near.t, &near.q, &near.v),
            stages: Stages {
                pair: self.pair,
                V: of(stages * n),
                A: of(stages * n),
                lambda: of(motion.most_rows()),
                delta: of(n),
            },
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    formulation: Formulation,
    at: Configuration,
    stages: Stages,
}

#[derive(Debug)]
struct Stages {
    pair: &'static Pair,
    /// V, as rates of increments, and A of the stages, one after the other.
    V: Vec<f64>,
    A: Vec<f64>,
    lambda: Vec<f64>,
    delta: Vec<f64>,
}

impl Stages {
    fn make(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
        at: &mut Configuration,
    ) -> Result<Estimate, StepError> {
        let (n, Pair { c, a, b, error, ends_in_stage, .. }) = (motion.nv(), *self.pair);
        motion.place(system, from.t, &from.q, &from.v, at);
        motion.part(system, at)?;
        self.V[..n].copy_from_slice(&from.v);
        self.A[..n].copy_from_slice(&from.a);
        for (i, (c, row)) in c.iter().zip(a).enumerate() {
            let stage = (i + 1) * n..(i + 2) * n;
            self.go(system, motion, from, dt, *c, row, at)?;
            self.V[stage.clone()].copy_from_slice(&at.v);
            system.chart_rate(&self.delta, &mut self.V[stage.clone()]);
            motion.accelerations(system, at, &mut self.A[stage], &mut self.lambda)?;
        }
        if !ends_in_stage {
            self.go(system, motion, from, dt, 1.0, b, at)?;
        }
        to.t = from.t + dt;
        to.q.copy_from_slice(at.q());
        to.v.copy_from_slice(&at.v);
        to.delta.copy_from_slice(&self.delta);
        if let Some(velocity) = to.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: from.t, velocity });
        }
        motion.see_velocities(&to.v);
        let sum =
            |x: &[f64], i: usize| dt * error.iter().enumerate().map(|(j, e)| e * x[j * n + i]).sum::<f64>();
        let error = motion.error(|i| sum(&self.V, i), |i| sum(&self.A, i));
        Ok(Estimate { error, iterations: 1 })
    }

    /// Moves `at` to the stage of a row of the pair, settled; `delta` led there from the knot.
    fn go(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        c: f64,
        row: &[f64],
        at: &mut Configuration,
    ) -> Result<(), StepError> {
        sum_stages(&mut self.delta, None, dt, row, &self.V);
        sum_stages(&mut at.v, Some(&from.v), dt, row, &self.A);
        at.retract_to(system, from.t + c * dt, &from.q, &self.delta);
        motion.settle(system, &from.q, &mut self.delta, at)
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        self.stages.pair.exponent
    }

    fn latitude(&self) -> Option<f64> {
        self.stages.pair.latitude
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        motion.set_formulation(self.formulation);
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        Ok(())
    }

    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError> {
        self.stages.make(system, motion, from, dt, to, &mut self.at)
    }
}
