//! RADAU5, the Radau IIA method with three stages.        [HairerWanner1996] IV.8, VII; [Ebrahimi2007] §2.5, (A.15)–(A.17)
//!
//! ```text
//!   V_i = v_n + dt Σ 𝔸_ij a_j,       Q_i = q_n ⊕ dt Σ 𝔸_ij (V_j + w_j),      M a_i = h + Fᵀ λ_i      at (Q_i, V_i), i = 1, 2, 3
//!   index 1:  G a_i + bias = 0,  w = 0              index 3:  Φ(Q_i) = 0,  w = 0
//!   index 2, after Gear, Gupta and Leimkuhler:  G V_i + Φ_t = 0,  Φ(Q_i) = 0,  Â w_i = Fᵀ μ_i
//!   v_{n+1} = V_3,  q_{n+1} = Q_3
//! ```
//!
//! The source iterates on the functions themselves, (A.16), which takes steps no longer than explicit methods do. Here one
//! matrix is factored, seldom twice in a step: Â = M + g C + g² K with g = dt/γ_0 and 1/γ_0 the real eigenvalue of 𝔸, and the
//! rows at one of the stages around it. With r_i the residuals, δa solves (1⊗M + dt 𝔸⊗C + dt² 𝔸²⊗K) δa = r, blended with itself times
//! s = (g/dt)² 𝔸⁻² r, as in the scheme `position-lcp-radau5`; rows are unmixed before they are solved:
//!
//! ```text
//!   δa_i = S (M S (r_i − s_i) + s_i),      S the inverse of Â on the rows
//!   G δa = −(G a + bias)   or   −𝔸⁻¹ (G V + Φ_t)/dt   or   −𝔸⁻² Φ/dt²,         G δw = −𝔸⁻¹ Φ/dt + (G V + Φ_t)
//! ```
//!
//! Exact for soft and for stiff springs, in between it contracts by 0.58 at most, where rows turn within the step by O(dt).
//! μ vanishes with the error of the step, so any metric will do in front of w: it is the one that is factored anyway. Rows
//! without position are held in their velocity, and w keeps along them.
//!
//! Error estimate of the published code: with e_i from (𝔸, γ_0), z_i = Q_i − q_n and V_i − v_n, and a_n by the form of index 1,
//!
//! ```text
//!   d_q = v_n + Σ e_i z_i^q/dt,    d_v = a_n + Σ e_i z_i^v/dt,    Â l_v = g M d_v − g² K d_q,  G l_v = 0,    l_q = g (d_q + l_v)
//! ```
//!
//! O(dt⁴). In index 3 velocities are worth a power of dt less, so dt l_v is measured as a position. The code filters the
//! estimate once more after a rejection; here a method does not know of it.
//!
//! Order 5 in q, v and λ by the form of index 1 for index 1 and 2; 5 in q, 3 in v, 3 to 5 in λ for index 3
//! (`tests/it/methods_implicit.rs`). Dense output: the collocation polynomial, error O(dt⁴).

use super::newton::{Next, Watch, add, factor, largest, unbalanced, unheld};
use super::{Estimate, Integrator, Knot, Level, Method};
use crate::events::{EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST};
use crate::radau_iia::{A, C, Square, Stages, inverse, mix, product};
use crate::{Configuration, Formulation, Motion, SchemeInfo, StepError, System};

/// γ_0 = 30/(6 + ∛81 − ∛9), the real eigenvalue of 𝔸⁻¹.
const GAMMA_0: f64 = 3.637_834_252_744_496;
/// −(13+7s)/3, (−13+7s)/3, −1/3.
const E: [f64; 3] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -1.0 / 3.0];
/// The stage whose rows are factored is evaluated last.
const ORDER: [usize; 3] = [0, 2, 1];
/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 200;
/// Iterations between two factorisations.
const PATIENCE: usize = 6;
/// The stages of a step that is longer than the one before by more than this factor are not guessed from it.
const MOST_GROWTH: f64 = 2.0;

pub const INFO: SchemeInfo = SchemeInfo {
    name: "radau5",
    summary: "event-driven: Radau IIA of order 5, joints in positions and velocities (index-2), or index-1, index-3; stiff systems",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
    make: |values| Ok(EventDriven::boxed(Radau5::default(), FrameOptions::projected(values))),
};

/// The method, in one of its forms.
#[derive(Clone, Copy, Debug)]
pub struct Radau5 {
    formulation: Formulation,
}

impl Default for Radau5 {
    fn default() -> Self {
        Self::new(Formulation::Index2)
    }
}

impl Radau5 {
    /// In one of its forms.
    pub fn new(formulation: Formulation) -> Self {
        Self { formulation }
    }

    /// What makes its steps.
    pub(super) fn workspace(&self, system: &dyn System, motion: &Motion, near: &Knot) -> Workspace {
        let (n, most) = (motion.nv(), motion.most_rows());
        let of = |size: usize| vec![0.0; size];
        let three = |size: usize| [of(size), of(size), of(size)];
        let A_inv = inverse(&A);
        Workspace {
            formulation: self.formulation,
            at: motion.configuration(system, near.t, &near.q, &near.v),
            stages: Stages::new(system),
            A_inv,
            A_2_inv: product(&A_inv, &A_inv),
            a: three(n),
            w: three(n),
            lambda: three(most),
            V: three(n),
            delta: three(n),
            r: three(n),
            c: three(most),
            phi: three(most),
            a_before: three(n),
            dt_before: 0.0,
            dt: 0.0,
            x: of(n),
            work: of(n),
            s: of(n),
            right: of(most),
            dlambda: of(most),
        }
    }
}

impl Method for Radau5 {
    fn describe(&self) -> String {
        format!("radau5 ({})", self.formulation)
    }

    fn level(&self) -> Level {
        match self.formulation {
            Formulation::Index1 => Level::Acceleration,
            Formulation::Index3 => Level::Position,
            _ => Level::Both,
        }
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index2, Formulation::Index1, Formulation::Index3]
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
        Ok(Box::new(self.workspace(system, motion, near)))
    }
}

/// Arrays of three: one per stage.
#[derive(Debug)]
pub(super) struct Workspace {
    formulation: Formulation,
    at: Configuration,
    stages: Stages,
    /// 𝔸⁻¹, 𝔸⁻².
    A_inv: Square,
    A_2_inv: Square,
    a: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    lambda: [Vec<f64>; 3],
    /// V_i and δ_i where the residuals were evaluated last.
    V: [Vec<f64>; 3],
    delta: [Vec<f64>; 3],
    r: [Vec<f64>; 3],
    /// What the rows lack: acceleration, or velocity, and position.
    c: [Vec<f64>; 3],
    phi: [Vec<f64>; 3],
    /// Stages of the step accepted last, and its size, 0 after a restart.
    a_before: [Vec<f64>; 3],
    dt_before: f64,
    dt: f64,
    x: Vec<f64>,
    work: Vec<f64>,
    s: Vec<f64>,
    right: Vec<f64>,
    dlambda: Vec<f64>,
}

impl Workspace {
    /// The first guess: accelerations of the step before prolonged, else those at the beginning.
    fn guess(&mut self, motion: &Motion, from: &Knot, dt: f64) {
        let m = motion.rows();
        let ratio = dt / self.dt_before;
        for i in 0..3 {
            if self.dt_before > 0.0 && ratio <= MOST_GROWTH {
                let L = lagrange(&C, 1.0 + ratio * C[i]);
                for k in 0..from.v.len() {
                    self.a[i][k] = mix(&L, &self.a_before, k);
                }
            } else {
                self.a[i].copy_from_slice(&from.a);
            }
            self.w[i].fill(0.0);
            self.lambda[i][..m].copy_from_slice(&from.lambda[..m]);
        }
    }

    /// V_i and δ_i of all stages.
    fn place(&mut self, system: &dyn System, from: &Knot, dt: f64) {
        let Self { stages, a, w, V, delta, .. } = self;
        stages.place_all(system, dt, &from.v, (a, w), V, delta);
    }

    /// Residuals of stage i, which is placed.
    fn evaluate(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot, dt: f64, i: usize) {
        let at = &mut self.at;
        at.retract_to(system, from.t + C[i] * dt, &from.q, &self.delta[i]);
        at.v.copy_from_slice(&self.V[i]);
        unbalanced(system, motion, at, &self.a[i], &self.lambda[i], &mut self.r[i]);
        let m = motion.rows();
        if self.formulation == Formulation::Index1 {
            unheld(system, motion, at, &self.a[i], &mut self.c[i][..m], &mut self.right[..m]);
        } else {
            motion.velocities(&at.v, &mut self.c[i]);
            motion.positions(system, at, &mut self.phi[i]);
        }
    }

    /// What δa_i has to do along row k.
    fn along(&self, holonomic: bool, dt: f64, i: usize, k: usize) -> f64 {
        match self.formulation {
            Formulation::Index1 => self.c[i][k],
            Formulation::Index3 if holonomic => -mix(&self.A_2_inv[i], &self.phi, k) / (dt * dt),
            _ => -mix(&self.A_inv[i], &self.c, k) / dt,
        }
    }

    /// Corrects a_i, λ_i and w_i; the largest weighed change of velocities, and where.
    fn correct(&mut self, motion: &mut Motion, dt: f64, i: usize) -> (f64, usize) {
        let (n, m) = (motion.nv(), motion.rows());
        if motion.has_tangents() {
            // what is blended, s, and the first solve
            let blend = 1.0 / (GAMMA_0 * GAMMA_0);
            for k in 0..n {
                self.s[k] = blend * mix(&self.A_2_inv[i], &self.r, k);
                self.work[k] = self.r[i][k] - self.s[k];
            }
            self.right[..m].fill(0.0);
            motion.solve(&self.work, &self.right[..m], &mut self.x, &mut self.dlambda[..m]);
            add(1.0, &self.dlambda[..m], &mut self.lambda[i]);
            motion.mul_mass(&self.x, &mut self.work);
            add(1.0, &self.s, &mut self.work);
        } else {
            self.work.copy_from_slice(&self.r[i]);
        }
        for k in 0..m {
            self.right[k] = self.along(motion.is_holonomic(k), dt, i, k);
        }
        motion.solve(&self.work, &self.right[..m], &mut self.x, &mut self.dlambda[..m]);
        add(1.0, &self.dlambda[..m], &mut self.lambda[i]);
        add(1.0, &self.x, &mut self.a[i]);
        let (change, velocity) = largest(motion.weight(), &self.x);
        let mut most = (dt * change, velocity);
        if self.formulation == Formulation::Index2 && m > 0 {
            for k in 0..m {
                let holonomic = motion.is_holonomic(k);
                let lacks = self.c[i][k] - mix(&self.A_inv[i], &self.phi, k) / dt;
                self.right[k] = if holonomic { lacks } else { 0.0 };
            }
            self.work.fill(0.0);
            motion.solve(&self.work, &self.right[..m], &mut self.x, &mut self.dlambda[..m]);
            add(1.0, &self.x, &mut self.w[i]);
            let (change, velocity) = largest(motion.weight(), &self.x);
            // below round-off in the positions it says nothing
            if change > most.0 && dt * change > 4.0 * f64::EPSILON {
                most = (change, velocity);
            }
        }
        most
    }

    /// Iterates until the stages stand.
    fn iterate(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
    ) -> Result<usize, StepError> {
        let g = dt / GAMMA_0;
        // whatever is held, round-off in positions makes velocities: at rest there are no others
        let floor = if self.formulation == Formulation::Index3 && motion.rows() > 0 { 2.0 } else { 0.0 };
        let mut watch =
            Watch::new(from.t, MOST_ITERATIONS).holding_positions(dt, floor, motion.grain_of_rows());
        watch.see(largest(motion.weight(), &from.v).0);
        let mut next = Next::Factor;
        while next != Next::Stop {
            self.place(system, from, dt);
            for i in ORDER {
                self.evaluate(system, motion, from, dt, i);
                watch.see(dt * motion.push());
            }
            // the blend, and rows that turn, are slow too: only now and then does it help to factor anew
            if next == Next::Factor
                && watch.iterations().is_multiple_of(PATIENCE)
                && !factor(system, motion, from, &mut self.at, g, g * g)
            {
                return Err(StepError::Singular { t: from.t });
            }
            let mut most = (0.0, 0);
            for i in 0..3 {
                let change = self.correct(motion, dt, i);
                if change.0 > most.0 {
                    most = change;
                }
                watch.see(dt * largest(motion.weight(), &self.a[i]).0);
            }
            next = watch.judge(most.0, most.1)?;
        }
        Ok(watch.iterations())
    }

    /// l_q in `s`, l_v in `x`.
    fn estimate(&mut self, motion: &mut Motion, from: &Knot, dt: f64) -> f64 {
        let (n, m, g) = (motion.nv(), motion.rows(), dt / GAMMA_0);
        for k in 0..n {
            let z = |i: usize| self.V[i][k] - from.v[k];
            self.x[k] = g * (from.a[k] + (E[0] * z(0) + E[1] * z(1) + E[2] * z(2)) / dt);
            self.s[k] = from.v[k] + mix(&E, &self.delta, k) / dt;
        }
        motion.mul_mass(&self.x, &mut self.work);
        motion.add_tangents(0.0, -g * g, &self.s, &mut self.work);
        self.right[..m].fill(0.0);
        motion.solve(&self.work, &self.right[..m], &mut self.x, &mut self.dlambda[..m]);
        for k in 0..n {
            self.s[k] = g * (self.s[k] + self.x[k]);
        }
        match self.formulation {
            Formulation::Index3 => motion.error(|k| self.s[k].hypot(dt * self.x[k]), |_| 0.0),
            _ => motion.error(|k| self.s[k], |k| self.x[k]),
        }
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        4.0
    }

    /// The estimate is of order 4, the result of order 5.
    fn latitude(&self) -> Option<f64> {
        Some(10.0)
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        self.dt_before = 0.0;
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        Ok(())
    }

    fn own_multipliers(&self, theta: f64, lambda: &mut [f64]) -> bool {
        if theta != 1.0 {
            return false;
        }
        // of order 3 for index 2, 2 for index 3
        lambda.iter_mut().zip(&self.lambda[2]).for_each(|(out, own)| *out = *own);
        true
    }

    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError> {
        self.guess(motion, from, dt);
        let iterations = self.iterate(system, motion, from, dt)?;
        self.place(system, from, dt);
        to.t = from.t + dt;
        to.v.copy_from_slice(&self.V[2]);
        to.delta.copy_from_slice(&self.delta[2]);
        system.retract(&from.q, &to.delta, &mut to.q);
        self.dt = dt;
        motion.see_velocities(&to.v);
        Ok(Estimate { error: self.estimate(motion, from, dt), iterations })
    }

    fn accept(&mut self, _: &Knot, _: &Knot) {
        std::mem::swap(&mut self.a, &mut self.a_before);
        self.dt_before = self.dt;
    }

    fn inside(
        &mut self,
        system: &dyn System,
        _: &mut Motion,
        from: &Knot,
        _: &Knot,
        theta: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), StepError> {
        // v is room for the increment until it is its own
        let L = lagrange(&[0.0, C[0], C[1], C[2]], theta);
        for k in 0..v.len() {
            v[k] = mix(&[L[1], L[2], L[3]], &self.delta, k);
        }
        system.retract(&from.q, v, q);
        for k in 0..v.len() {
            v[k] = L[0] * from.v[k] + mix(&[L[1], L[2], L[3]], &self.V, k);
        }
        Ok(())
    }
}

/// Values at t of the polynomials that are one at one node and zero at the others.
fn lagrange<const N: usize>(nodes: &[f64; N], t: f64) -> [f64; N] {
    std::array::from_fn(|j| {
        let others = (0..N).filter(|&k| k != j);
        others.map(|k| (t - nodes[k]) / (nodes[j] - nodes[k])).product()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// det(𝔸⁻¹ − γ_0) = 0; the weights e of the estimate integrate polynomials to degree 2 as γ_0 y'(0) asks for.
    #[test]
    fn coefficients() {
        let mut shifted = inverse(&A);
        for (i, row) in shifted.iter_mut().enumerate() {
            row[i] -= GAMMA_0;
        }
        let minor = |i: usize, j: usize| shifted[1][i] * shifted[2][j] - shifted[1][j] * shifted[2][i];
        let determinant =
            shifted[0][0] * minor(1, 2) - shifted[0][1] * minor(0, 2) + shifted[0][2] * minor(0, 1);
        assert!(determinant.abs() < 1e-11, "{determinant:e}");
        // y = t: y'(0) + Σ e z = 0 up to the part of y(0)' that Â takes; y = t², t³: nothing left
        for power in 1..=3 {
            let sum: f64 = (0..3).map(|i| E[i] * C[i].powi(power)).sum();
            let begins = if power == 1 { 1.0 } else { 0.0 };
            assert!((sum + begins).abs() < 1e-14, "power {power}: {sum}");
        }
    }
}
