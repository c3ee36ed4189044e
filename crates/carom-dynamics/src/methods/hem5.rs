//! HEM5, half-explicit Runge–Kutta of order 5 in eight stages.         [Brasey1992], [Haddouni2015] (2.56)–(2.61), (2.137)–(2.141)
//!
//! ```text
//!   Q_{i+1} = q_n ⊕ dt Σ_{j≤i} a_{i+1,j} V_j,        V_{i+1} = v_n + dt Σ_{j≤i} a_{i+1,j} A_j        (a_{9,j} = b_j)
//!   M(Q_i) A_i = h(Q_i, V_i) + F(Q_i)ᵀ L_i,          G(Q_{i+1}) V_{i+1} + Φ_t = 0                     i = 1 … 8
//!   q_{n+1} = Q_9,  v_{n+1} = V_9
//! ```
//!
//! Velocities hold their rows to round-off at every stage. Error estimate [Haddouni2015] (2.126)–(2.128), for q and v:
//!
//! ```text
//!   e_1 = |y_{n+1} − Y_8|,   e_2 = |y_{n+1} − y_n − dt (5/2 f_7 − 3/2 f_8)|,   e = e_1² / (e_1 + 0.01 e_2) = O(dt⁵)
//! ```
//!
//! Dense output of order 4, which holds the rows too: a tenth stage, then with w_j(θ) of degree 4
//!
//! ```text
//!   q(θ) = q_n ⊕ dt Σ w_j V_j,     v(θ) = v_n + dt Σ_{j=4…8} w_j A_j + x,     j = 4 … 8, 10
//!   M(Q_10) x = dt w_10 h(Q_10, V_10) + F(Q_10)ᵀ m,      G(q(θ)) v(θ) + Φ_t = 0
//! ```
//!
//! w_10 vanishes at θ = 0, 2/5, 1, so x is solved for and never divided. The source prints A_9 in the place of x/(dt w_10);
//! see its errata. Order 5 in q and v, 5 in λ by the form of index 1 at the end of the step (`tests/it/methods_explicit.rs`).

use super::{Estimate, Integrator, Knot, Level, Method, hold_rows};
use crate::events::{EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST};
use crate::stages::sum_stages;
use crate::{Configuration, Formulation, Motion, SchemeInfo, StepError, System};

const STAGES: usize = 8;

/// Times of the stages, of the end, and of the tenth stage.
const C: [f64; 10] =
    [0.0, 0.1, 0.15, 0.361_478_734_657_362_47, 0.085_355_843_354_864_12, 0.5, 0.8, 1.0, 1.0, 0.05];
/// Rows of the stages 2 … 8, then the weights.
const ROWS: [&[f64]; 8] = [
    &[0.1],
    &[0.0375, 0.1125],
    &[0.322_216_923_621_600_2, -1.188_883_322_987_591_7, 1.228_145_134_023_354],
    &[-0.035_011_238_981_299_2, 0.372_542_060_108_615_57, -0.272_105_353_558_203_1, 0.019_930_375_785_750_87],
    &[
        -0.557_654_705_504_183_4,
        1.367_307_289_645_863_3,
        -1.732_236_360_460_688_3,
        0.458_777_200_746_754_6,
        0.963_806_575_572_253_7,
    ],
    &[
        0.086_545_171_935_642_19,
        -0.088_100_828_479_452_48,
        0.198_127_554_732_906_64,
        -0.464_542_267_933_107_9,
        0.161_517_009_110_999_8,
        0.906_453_360_633_011_7,
    ],
    &[
        0.0,
        0.0,
        0.0,
        3.624_477_248_753_871_5,
        -0.461_772_418_918_298_84,
        -3.198_024_628_164_324_8,
        1.035_319_798_328_751_9,
    ],
    &[
        0.0,
        0.0,
        0.0,
        0.246_776_066_763_679_03,
        0.210_659_408_748_972_46,
        0.176_921_814_912_501_8,
        0.306_444_644_414_793_4,
        0.059_198_065_160_053_284,
    ],
];
/// Coefficients of stages 6, 7 and of the end in the tenth stage: 907/3600, −139/360, 221/1200.
const A_10: [f64; 3] = [907.0 / 3600.0, -139.0 / 360.0, 221.0 / 1200.0];
/// w_j(θ) = Σ D_ij θ^i for the stages 4 … 8 and 10.
const D: [[f64; 6]; 4] = [
    [
        -0.266_126_238_711_904_94,
        -0.478_462_869_441_455_16,
        -0.084_922_471_158_000_88,
        0.250_058_829_842_471_4,
        -0.104_757_776_846_899_95,
        32.0 / 19.0,
    ],
    [
        2.963_408_265_226_129_8,
        5.405_521_925_135_885,
        0.912_916_564_948_509_4,
        -2.963_932_600_779_882,
        1.261_033_213_890_410_3,
        -144.0 / 19.0,
    ],
    [
        -4.141_333_547_261_829,
        -8.533_017_606_951_514,
        -0.863_378_456_773_008_8,
        6.403_467_289_691_523,
        -2.971_000_836_599_907_7,
        192.0 / 19.0,
    ],
    [
        1.690_827_587_511_283,
        3.816_617_960_006_057_2,
        0.212_306_177_895_002_17,
        -3.383_148_874_339_319_4,
        1.873_923_464_716_450_7,
        -80.0 / 19.0,
    ],
];
/// Weights of f_7 and f_8 in e_2, and of e_2 in e.
const W_7: f64 = 2.5;
const W_8: f64 = -1.5;
/// As published; the larger, the smaller the estimate (study `haddouni-hem5`).
pub(crate) const FACTOR: f64 = 0.01;

pub const INFO: SchemeInfo = SchemeInfo {
    name: "hem5",
    summary: "event-driven: half-explicit Runge–Kutta of order 5; few events, high accuracy, soft systems",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
    make: |values| Ok(EventDriven::boxed(Hem5::default(), FrameOptions::projected(values))),
};

/// The method.
#[derive(Clone, Copy, Debug)]
pub struct Hem5 {
    factor: f64,
}

impl Default for Hem5 {
    fn default() -> Self {
        Self { factor: FACTOR }
    }
}

impl Hem5 {
    /// With another weight of e_2 in the error estimate than 0.01.
    pub fn with_factor(factor: f64) -> Self {
        Self { factor }
    }
}

impl Method for Hem5 {
    fn describe(&self) -> String {
        "hem5".into()
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
            factor: self.factor,
            at: motion.configuration(system, near.t, &near.q, &near.v),
            stages: Stages {
                V: of(10 * n),
                found: of(if system.structure().is_flat() { 0 } else { 10 * n }),
                A: of(9 * n),
                L: of(9 * most),
                rows: motion.rows(),
                delta: of(n),
                base: of(n),
                right: of(most),
            },
            has_tenth: false,
            q_10: of(motion.nq()),
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    factor: f64,
    at: Configuration,
    stages: Stages,
    /// Whether the tenth stage of the step made last is known; its position.
    has_tenth: bool,
    q_10: Vec<f64>,
}

#[derive(Debug)]
struct Stages {
    /// V_1 … V_9, V_10 and A_1 … A_9, one after the other; L_1 … L_9, rows of the motion.
    V: Vec<f64>,
    A: Vec<f64>,
    L: Vec<f64>,
    /// V_1 … V_10 as rates of increments; empty in a vector space, where they are themselves.
    found: Vec<f64>,
    rows: usize,
    delta: Vec<f64>,
    base: Vec<f64>,
    right: Vec<f64>,
}

impl Stages {
    /// V_j as it is added up to positions.
    fn rates(&self) -> &[f64] {
        if self.found.is_empty() { &self.V } else { &self.found }
    }

    /// Finds the rate of stage j (from 0), which is at `delta`.
    fn find_rate(&mut self, system: &dyn System, j: usize) {
        if !self.found.is_empty() {
            let n = self.delta.len();
            let rate = &mut self.found[j * n..(j + 1) * n];
            rate.copy_from_slice(&self.V[j * n..(j + 1) * n]);
            system.chart_rate(&self.delta, rate);
        }
    }

    /// delta = dt Σ a_j V_j.
    fn move_by(&mut self, dt: f64, a: &[f64]) {
        let rates = if self.found.is_empty() { &self.V } else { &self.found };
        sum_stages(&mut self.delta, None, dt, a, rates);
    }

    /// Solves stage i (from 0) for A_i and L_i so that `base` + span A_i holds the rows evaluated last.
    fn hold(&mut self, motion: &mut Motion, t: f64, i: usize, span: f64) -> Result<(), StepError> {
        let (n, m) = (motion.nv(), self.rows);
        let (A, L) = (&mut self.A[i * n..(i + 1) * n], &mut self.L[i * m..(i + 1) * m]);
        hold_rows(motion, t, (&self.base, span), &mut self.right, A, L)
    }
}

impl Workspace {
    /// A_9, V_10 and Q_10 of the step made last.
    fn tenth(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
    ) -> Result<(), StepError> {
        let (n, dt) = (motion.nv(), to.t - from.t);
        let Self { at, stages, .. } = self;
        motion.place(system, to.t, &to.q, &to.v, at);
        motion.evaluate_forces(system, at);
        motion.evaluate_rows(system, at);
        motion.push_along_rows();
        for i in 0..n {
            let V = |j: usize| stages.rates()[(j - 1) * n + i];
            stages.delta[i] = dt * (A_10[0] * V(6) + A_10[1] * V(7) + A_10[2] * V(9));
            stages.base[i] = from.v[i] + dt * (A_10[0] * stages.A[5 * n + i] + A_10[1] * stages.A[6 * n + i]);
        }
        at.retract_to(system, from.t + C[9] * dt, &from.q, &stages.delta);
        self.q_10.copy_from_slice(at.q());
        motion.evaluate_rows(system, at);
        let span = dt * A_10[2];
        stages.hold(motion, from.t, 8, span)?;
        for i in 0..n {
            stages.V[9 * n + i] = stages.base[i] + span * stages.A[8 * n + i];
        }
        stages.find_rate(system, 9);
        self.has_tenth = true;
        Ok(())
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        5.0
    }

    /// The estimate is that of a result of order 4, and far above the error.
    fn latitude(&self) -> Option<f64> {
        Some(30.0)
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        self.stages.rows = motion.rows();
        self.has_tenth = false;
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
        let n = motion.nv();
        self.has_tenth = false;
        let Self { at, stages, .. } = self;
        motion.place(system, from.t, &from.q, &from.v, at);
        stages.V[..n].copy_from_slice(&from.v);
        stages.delta.fill(0.0);
        stages.find_rate(system, 0);
        motion.evaluate_rows(system, at);
        let mut outcome = Ok(());
        for i in 0..STAGES {
            // forces where the stage is, rows where the next one will be
            motion.push_along_rows();
            motion.evaluate_forces(system, at);
            let row = ROWS[i];
            stages.move_by(dt, row);
            at.retract_to(system, from.t + C[i + 1] * dt, &from.q, &stages.delta);
            motion.evaluate_rows(system, at);
            sum_stages(&mut stages.base, Some(&from.v), dt, &row[..i], &stages.A);
            let span = dt * row[i];
            outcome = stages.hold(motion, from.t, i, span);
            if outcome.is_err() {
                break;
            }
            let V = &mut stages.V[(i + 1) * n..(i + 2) * n];
            for k in 0..n {
                V[k] = stages.base[k] + span * stages.A[i * n + k];
            }
            at.v.copy_from_slice(V);
            stages.find_rate(system, i + 1);
        }
        to.t = from.t + dt;
        to.q.copy_from_slice(at.q());
        to.v.copy_from_slice(&at.v);
        to.delta.copy_from_slice(&stages.delta);
        outcome?;
        // e_1 and e_2; Q_8 by its increment, like q_{n+1}
        stages.move_by(dt, ROWS[6]);
        let (V, A) =
            (|j: usize, i: usize| stages.V[(j - 1) * n + i], |j: usize, i: usize| stages.A[(j - 1) * n + i]);
        let rate = |j: usize, i: usize| stages.rates()[(j - 1) * n + i];
        let e_1 = motion.error(|i| to.delta[i] - stages.delta[i], |i| to.v[i] - V(8, i));
        let e_2 = motion.error(
            |i| to.delta[i] - dt * (W_7 * rate(7, i) + W_8 * rate(8, i)),
            |i| to.v[i] - from.v[i] - dt * (W_7 * A(7, i) + W_8 * A(8, i)),
        );
        let sum = e_1 + self.factor * e_2;
        let error = if sum > 0.0 { e_1 * e_1 / sum } else { 0.0 };
        Ok(Estimate { error, iterations: 1 })
    }

    fn inside(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
        theta: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), StepError> {
        if !self.has_tenth {
            self.tenth(system, motion, from, to)?;
        }
        let (n, m, dt) = (motion.nv(), self.stages.rows, to.t - from.t);
        let w = |j: usize| theta * (D[0][j] + theta * (D[1][j] + theta * (D[2][j] + theta * D[3][j])));
        let w = [w(0), w(1), w(2), w(3), w(4), w(5)];
        // forces where the tenth stage is
        let Self { at, stages, q_10, .. } = self;
        motion.place(system, from.t + C[9] * dt, q_10, &stages.V[9 * n..], at);
        motion.evaluate_forces(system, at);
        motion.evaluate_rows(system, at);
        motion.push_along_rows();
        for i in 0..n {
            let V = |j: usize| stages.rates()[(j - 1) * n + i];
            let A = |j: usize| stages.A[(j - 1) * n + i];
            stages.delta[i] =
                dt * (w[0] * V(4) + w[1] * V(5) + w[2] * V(6) + w[3] * V(7) + w[4] * V(8) + w[5] * V(10));
            stages.base[i] =
                from.v[i] + dt * (w[0] * A(4) + w[1] * A(5) + w[2] * A(6) + w[3] * A(7) + w[4] * A(8));
        }
        at.retract_to(system, from.t + theta * dt, &from.q, &stages.delta);
        motion.evaluate_rows(system, at);
        q.copy_from_slice(at.q());
        if !motion.factor() {
            return Err(StepError::Singular { t: from.t });
        }
        motion.velocities(&stages.base, &mut stages.right);
        for right in &mut stages.right[..m] {
            *right = -*right;
        }
        motion.respond_scaled(from.t, dt * w[5], &stages.right[..m], v, &mut stages.L[8 * m..9 * m])?;
        for i in 0..n {
            v[i] += stages.base[i];
        }
        Ok(())
    }

    /// L_4 … L_8 interpolated, order 3, after [Haddouni2015] (2.141).
    fn own_multipliers(&self, theta: f64, lambda: &mut [f64]) -> bool {
        let Stages { L, rows, .. } = &self.stages;
        lambda[..*rows].fill(0.0);
        for j in 3..STAGES {
            let others = (3..STAGES).filter(|&k| k != j);
            let weight: f64 = others.map(|k| (theta - C[k]) / (C[j] - C[k])).product();
            for (out, L) in lambda.iter_mut().zip(&L[j * rows..(j + 1) * rows]) {
                *out += weight * L;
            }
        }
        true
    }
}
