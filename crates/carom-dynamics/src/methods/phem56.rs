//! PHEM56, partitioned half-explicit Runge–Kutta of order 5 in six stages.           [Murua1997], [Haddouni2015] (2.69)–(2.72)
//!
//! ```text
//!   V_1 = v_n,  A_1 = a_n,  and for i = 2 … 6
//!   Q_i = q_n ⊕ dt Σ_{j<i} a_ij V_j,            V_i = v_n + dt Σ_{j<i} a_ij A_j
//!   Q̄_i = q_n ⊕ dt Σ_{j≤i} ā_ij V_j,            V̄_i = v_n + dt Σ_{j≤i} ā_ij A_j
//!   M(Q_i) A_i = h(Q_i, V_i) + F(Q_i)ᵀ L_i,     G(Q̄_i) V̄_i + Φ_t = 0
//!   q_{n+1} = Q̄_6,  v_{n+1} = V̄_6
//! ```
//!
//! The first stage is explicit: a_n is the acceleration that belongs to the knot. (A, b) is the pair of Dormand and Prince.
//! Velocities hold their rows to round-off at the end of every step. Error estimate after [Haddouni2015] (2.129), of q and
//! of v; a seventh stage at the end of the step, with the rows held at Q̄_7, gives A_7:
//!
//! ```text
//!   q̃ = q_n ⊕ dt Σ_{j≤7} b̂_j V_j,        ṽ = v_n + dt Σ_{j≤7} b̂_j A_j + x
//!   M(q_{n+1}) x = F(q_{n+1})ᵀ m,         G(Q̄_7) x = −(G(q̃) ṽ + Φ_t)  before x is added
//!   e = |y_{n+1} − ỹ| = O(dt⁵)
//! ```
//!
//! Without x the part of v is only O(dt⁴). x comes from the matrix of the seventh stage: one solve, no factorisation.
//! Signs and the places of M, G and h follow the errata of the source, not its print. Order 5 in q, v, and in λ by the form
//! of index 1 at the end of the step (`tests/it/methods_explicit.rs`). Dense output: Hermite, which is better than the method's
//! own of order 4, and needs nothing that the knots do not have.

use super::{Estimate, Integrator, Knot, Level, Method, hold_rows};
use crate::events::{EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST};
use crate::stages::sum_stages;
use crate::{Configuration, Formulation, Motion, SchemeInfo, StepError, System};

const STAGES: usize = 6;

/// Times of the stages, and of the rows they hold, from stage 2 on; the seventh last.
const C: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const C_BAR: [f64; 6] = [0.3, 0.375, 5.0 / 7.0, 1.0, 1.0, 19.0 / 30.0];
/// a_ij of the stages 2 … 6.
const ROWS: [&[f64]; 5] = [
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
];
/// ā_ij of the stages 2 … 7; the row of stage 6 holds the weights b.
const ROWS_BAR: [&[f64]; 6] = [
    &[3.0 / 40.0, 9.0 / 40.0],
    &[21.0 / 256.0, 45.0 / 256.0, 15.0 / 128.0],
    &[19235.0 / 98784.0, -225.0 / 392.0, 6235.0 / 6174.0, 2755.0 / 32928.0],
    &[-293.0 / 1152.0, 85.0 / 48.0, -2275.0 / 1908.0, 35.0 / 32.0, -2835.0 / 6784.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    &[
        10_752_038_939.0 / 66_307_507_200.0,
        -19259.0 / 50160.0,
        19_581_770_468.0 / 24_023_520_675.0,
        9_941_999.0 / 650_073_600.0,
        180_060_831.0 / 4_820_710_400.0,
        -11_331_659.0 / 439_538_400.0,
        1.0 / 76.0,
    ],
];
/// Weights of the result that the error is estimated with.
const B_HAT: [f64; 7] = [
    5179.0 / 57600.0,
    0.0,
    7571.0 / 16695.0,
    393.0 / 640.0,
    -92097.0 / 339_200.0,
    187.0 / 2100.0,
    1.0 / 40.0,
];

pub const INFO: SchemeInfo = SchemeInfo {
    name: "phem56",
    summary: "event-driven: partitioned half-explicit Runge–Kutta of order 5 in six stages; as hem5, cheaper by a quarter",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
    make: |values| Ok(EventDriven::boxed(Phem56, FrameOptions::projected(values))),
};

/// PHEM56. It has no parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phem56;

impl Method for Phem56 {
    fn describe(&self) -> String {
        "phem56".into()
    }

    fn level(&self) -> Level {
        Level::Velocity
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index2]
    }

    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        let (n, most) = (motion.nv(), motion.most_rows());
        let of = |size: usize| vec![0.0; size];
        Ok(Box::new(Workspace {
            at: motion.configuration(system, near.t, &near.q, &near.v),
            stages: Stages {
                V: of((STAGES + 1) * n),
                A: of((STAGES + 1) * n),
                L: of(most),
                delta: of(n),
                base: of(n),
                right: of(most),
            },
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    at: Configuration,
    stages: Stages,
}

#[derive(Debug)]
struct Stages {
    /// V_1 … V_7 as rates of increments, A_1 … A_7, one after the other; L of the stage solved last.
    V: Vec<f64>,
    A: Vec<f64>,
    L: Vec<f64>,
    delta: Vec<f64>,
    base: Vec<f64>,
    right: Vec<f64>,
}

impl Stages {
    /// A_i and L_i of stage i (from 0, second first) at `at`, so that V̄_i holds the rows at Q̄_i. Leaves `at` there, and its
    /// increment in `delta`.
    fn hold(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        i: usize,
        at: &mut Configuration,
    ) -> Result<(), StepError> {
        let (n, m, row) = (motion.nv(), motion.rows(), ROWS_BAR[i]);
        motion.evaluate_forces(system, at);
        motion.evaluate_rows(system, at);
        motion.push_along_rows();
        sum_stages(&mut self.delta, None, dt, row, &self.V);
        at.retract_to(system, from.t + C_BAR[i] * dt, &from.q, &self.delta);
        motion.evaluate_rows(system, at);
        // G (base + span A_i) + Φ_t = 0
        sum_stages(&mut self.base, Some(&from.v), dt, &row[..=i], &self.A);
        let A = &mut self.A[(i + 1) * n..(i + 2) * n];
        let base = (&self.base[..], dt * row[i + 1]);
        hold_rows(motion, from.t, base, &mut self.right, A, &mut self.L[..m])
    }

    fn make(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
        at: &mut Configuration,
    ) -> Result<Estimate, StepError> {
        let (n, m) = (motion.nv(), motion.rows());
        motion.place(system, from.t, &from.q, &from.v, at);
        self.V[..n].copy_from_slice(&from.v);
        self.A[..n].copy_from_slice(&from.a);
        for i in 0..STAGES - 1 {
            sum_stages(&mut at.v, Some(&from.v), dt, ROWS[i], &self.A);
            sum_stages(&mut self.delta, None, dt, ROWS[i], &self.V);
            let V = &mut self.V[(i + 1) * n..(i + 2) * n];
            V.copy_from_slice(&at.v);
            system.chart_rate(&self.delta, V);
            at.retract_to(system, from.t + C[i] * dt, &from.q, &self.delta);
            self.hold(system, motion, from, dt, i, at)?;
        }
        // the rows held last are those of the end
        to.t = from.t + dt;
        to.q.copy_from_slice(at.q());
        to.delta.copy_from_slice(&self.delta);
        sum_stages(&mut to.v, Some(&from.v), dt, ROWS_BAR[4], &self.A);
        // the seventh stage is there
        self.V[6 * n..7 * n].copy_from_slice(&to.v);
        system.chart_rate(&to.delta, &mut self.V[6 * n..7 * n]);
        at.v.copy_from_slice(&to.v);
        self.hold(system, motion, from, dt, 5, at)?;
        // rows at q̃ are asked for once; the matrix keeps those at Q̄_7
        sum_stages(&mut self.delta, None, dt, &B_HAT, &self.V);
        sum_stages(&mut self.base, Some(&from.v), dt, &B_HAT, &self.A);
        if m > 0 {
            at.retract_to(system, to.t, &from.q, &self.delta);
            motion.push_along_rows();
            motion.evaluate_rows(system, at);
            motion.velocities(&self.base, &mut self.right);
            motion.push_along_rows();
            for right in &mut self.right[..m] {
                *right = -*right;
            }
            // the second stage is over: its place is room for x, and at.v for zero
            at.v.fill(0.0);
            let x = &mut self.A[n..2 * n];
            motion.solve(&at.v, &self.right[..m], x, &mut self.L);
            for (base, x) in self.base.iter_mut().zip(x) {
                *base += *x;
            }
        }
        motion.see_velocities(&to.v);
        let error = motion.error(|i| to.delta[i] - self.delta[i], |i| to.v[i] - self.base[i]);
        Ok(Estimate { error, iterations: 1 })
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        5.0
    }

    /// The estimate is that of a result of order 4.
    fn latitude(&self) -> Option<f64> {
        Some(3.0)
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
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
