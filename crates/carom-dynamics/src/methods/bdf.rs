//! BDF 1 … 6, backward differentiation on the form of index 1.                        [Haddouni2015] (2.55), table A.1
//!
//! ```text
//!   P_y(t_{n+1−i}) = y_{n+1−i},  i = 0 … k,       P_y'(t_{n+1}) = y'_{n+1},       y = q, v
//!   q' = v,      M v' = h + Fᵀ λ,      G v' + bias = 0           at t_{n+1}
//! ```
//!
//! The polynomial goes through the times that were really met, so order k belongs to any steps; with equal ones these are the
//! formulas of the table, BDF5 with 60/137 in place of 30/137 (see the errata). With α_i = ℓ_i'(t_{n+1}) and b = 1/α_0
//!
//! ```text
//!   v_{n+1} = b (a − Σ α_i v_{n+1−i}),    δ = b (v_{n+1} − Σ α_i p_{n+1−i}),       p: positions seen from q_n
//!   ( M + b C + b² K ) δa = r + Fᵀ δλ,    G δa = −(G a + bias)
//! ```
//!
//! The prediction is the polynomial through the k+1 knots before. What it misses gives the error of the step, O(dt^{k+1}):
//!
//! ```text
//!   l = (y_{n+1} − y_predicted) / (α_0 (t_{n+1} − t_{n−k}))
//! ```
//!
//! The k steps after a restart are made by RADAU5 in index 1, whose error does not spoil the order. Orders by
//! `tests/it/methods_implicit.rs`. Where steps grow by the same factor again and again the formulas are not zero-stable beyond a
//! bound, 1 + √2 for k = 2 and less for each order more; order 6 is for constant steps.

use super::newton::{Next, Watch, add, factor, largest, unbalanced, unheld};
use super::{Estimate, Integrator, Knot, Level, Method, Radau5, radau5};
use crate::events::{
    BAUMGARTE, EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST,
};
use crate::{Configuration, Formulation, Motion, Parameter, SchemeInfo, StepError, System};

/// The highest order that is stable.
const MOST: usize = 6;
/// Steps that grow by more than this, per order, again and again, let errors grow without bound: 1 + √2, 1.618, 1.280, 1.127, 1.044.
const GROWTH: [f64; MOST] = [f64::INFINITY, 2.0, 1.5, 1.25, 1.1, 1.04];
/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 50;

/// Where an increment stands to round-off, and passes over it at most; each contracts by some dt |ω|/2.
const STANDS: f64 = 4.0 * f64::EPSILON;
const MOST_PASSES: usize = 60;

/// A knot of the past.
#[derive(Clone, Debug, Default)]
struct Past {
    t: f64,
    v: Vec<f64>,
    /// Its position, seen from the newest knot.
    p: Vec<f64>,
    /// Its position; empty in a vector space, where p moves with the newest knot by subtraction.
    q: Vec<f64>,
}

const ORDER: Parameter = Parameter::whole("order", "steps that are looked back on", 4, 1..=6);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "bdf",
    summary: "event-driven: backward differentiation of order 1 to 6 on accelerations; stiff systems with few events",
    parameters: &[ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| Ok(EventDriven::boxed(Bdf::new(values.whole(&ORDER)), FrameOptions::stabilised(values))),
};

/// The method.
#[derive(Clone, Copy, Debug)]
pub struct Bdf {
    order: usize,
}

impl Bdf {
    /// Of an order, 1 … 6.
    pub fn new(order: usize) -> Self {
        assert!((1..=MOST).contains(&order), "BDF is stable for orders 1 to {MOST}");
        Self { order }
    }
}

impl Default for Bdf {
    fn default() -> Self {
        Self::new(4)
    }
}

impl Method for Bdf {
    fn describe(&self) -> String {
        format!("bdf (order {})", self.order)
    }

    fn is_one_step(&self) -> bool {
        false
    }

    fn needs_resolved_impacts(&self) -> bool {
        true
    }

    fn level(&self) -> Level {
        Level::Acceleration
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index1]
    }

    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        let (n, most) = (motion.nv(), motion.most_rows());
        let of = |size: usize| vec![0.0; size];
        let nq = if system.structure().is_flat() { 0 } else { motion.nq() };
        Ok(Box::new(Workspace {
            order: self.order,
            starter: Radau5::new(Formulation::Index1).workspace(system, motion, near),
            at: motion.configuration(system, near.t, &near.q, &near.v),
            past: std::array::from_fn(|_| Past { t: 0.0, v: of(n), p: of(n), q: of(nq) }),
            known: 0,
            started: false,
            a: of(n),
            lambda: of(most),
            v_free: of(n),
            p_free: of(n),
            r: of(n),
            c: of(most),
            right: of(most),
            da: of(n),
            dlambda: of(most),
            rate: of(n),
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    order: usize,
    starter: radau5::Workspace,
    at: Configuration,
    /// Knots, the newest first; how many are known.
    past: [Past; MOST + 1],
    known: usize,
    /// Whether the step made last was one of the starter.
    started: bool,
    a: Vec<f64>,
    lambda: Vec<f64>,
    v_free: Vec<f64>,
    p_free: Vec<f64>,
    r: Vec<f64>,
    c: Vec<f64>,
    right: Vec<f64>,
    da: Vec<f64>,
    dlambda: Vec<f64>,
    rate: Vec<f64>,
}

/// α_0 and α_1 … α_k of a step to t, from the last k knots.
fn coefficients(past: &[Past], t: f64) -> (f64, [f64; MOST]) {
    let node = |i: usize| past[i].t;
    let alpha_0 = (0..past.len()).map(|i| 1.0 / (t - node(i))).sum();
    let mut alpha = [0.0; MOST];
    for (i, alpha) in alpha[..past.len()].iter_mut().enumerate() {
        let others = (0..past.len()).filter(|&j| j != i);
        let product: f64 = others.map(|j| (t - node(j)) / (node(i) - node(j))).product();
        *alpha = product / (node(i) - t);
    }
    (alpha_0, alpha)
}

/// δ = p + b T⁻¹(δ) v where bodies turn in space, by fixed point iteration from δ; `rate` is room.
fn turn(system: &dyn System, p: &[f64], b: f64, v: &[f64], delta: &mut [f64], rate: &mut [f64]) {
    for _ in 0..MOST_PASSES {
        rate.copy_from_slice(v);
        system.chart_rate(delta, rate);
        let (mut change, mut size) = (0.0_f64, 0.0_f64);
        for (delta, (p, rate)) in delta.iter_mut().zip(p.iter().zip(&*rate)) {
            let new = p + b * rate;
            change = change.max((new - *delta).abs());
            size = size.max(new.abs());
            *delta = new;
        }
        // what is not a number does not come back
        if change <= STANDS * size || !size.is_finite() {
            break;
        }
    }
}

/// The polynomials of the prediction at t, from the last k + 1 knots.
fn prediction(past: &[Past], t: f64) -> [f64; MOST + 1] {
    let n = past.len();
    let node = |i: usize| past[i].t;
    let mut L = [0.0; MOST + 1];
    for (i, L) in L[..n].iter_mut().enumerate() {
        *L = (0..n).filter(|&j| j != i).map(|j| (t - node(j)) / (node(i) - node(j))).product();
    }
    L
}

/// One of the arrays of a past knot.
type Part = fn(&Past) -> &[f64];

impl Workspace {
    /// Σ c_j x_j over the past, component i.
    fn sum(&self, c: &[f64], i: usize, x: Part) -> f64 {
        c.iter().zip(&self.past).map(|(c, past)| c * x(past)[i]).sum()
    }

    /// What is known of v and δ, and a at the prediction.
    fn predict(&mut self, alpha_0: f64, alpha: &[f64], L: &[f64]) {
        let b = 1.0 / alpha_0;
        for i in 0..self.a.len() {
            self.v_free[i] = -b * self.sum(alpha, i, |past| &past.v);
            self.p_free[i] = -b * self.sum(alpha, i, |past| &past.p);
            self.a[i] = (self.sum(L, i, |past| &past.v) - self.v_free[i]) * alpha_0;
        }
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        if self.started { self.starter.exponent() } else { self.order as f64 + 1.0 }
    }

    fn latitude(&self) -> Option<f64> {
        if self.started { self.starter.latitude() } else { None }
    }

    fn most_growth(&self) -> f64 {
        GROWTH[self.order - 1]
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        self.past[0].t = from.t;
        self.past[0].v.copy_from_slice(&from.v);
        self.past[0].p.fill(0.0);
        if !self.past[0].q.is_empty() {
            self.past[0].q.copy_from_slice(&from.q);
        }
        self.known = 1;
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        self.starter.restart(system, motion, from)
    }

    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError> {
        let (n, m, k) = (motion.nv(), motion.rows(), self.order);
        self.started = self.known <= k;
        if self.started {
            return self.starter.step(system, motion, from, dt, to);
        }
        let t = from.t + dt;
        let curved = !system.structure().is_flat();
        if curved {
            // the past in the chart where the step begins
            for past in &mut self.past[1..=k] {
                system.difference(&from.q, &past.q, &mut past.p);
            }
        }
        let (alpha_0, alpha) = coefficients(&self.past[..k], t);
        let L = prediction(&self.past[..=k], t);
        let b = 1.0 / alpha_0;
        self.predict(alpha_0, &alpha[..k], &L[..=k]);
        self.lambda[..m].copy_from_slice(&from.lambda[..m]);
        // round-off in positions makes velocities: at rest there are no others
        let mut watch =
            Watch::new(from.t, MOST_ITERATIONS).holding_positions(dt, 0.0, motion.grain_of_rows());
        watch.see(largest(motion.weight(), &from.v).0);
        let at = &mut self.at;
        let mut next = Next::Factor;
        let outcome = loop {
            for i in 0..n {
                at.v[i] = self.v_free[i] + b * self.a[i];
                to.delta[i] = self.p_free[i] + b * at.v[i];
            }
            if curved {
                turn(system, &self.p_free, b, &at.v, &mut to.delta, &mut self.rate);
            }
            at.retract_to(system, t, &from.q, &to.delta);
            if next == Next::Stop {
                break Ok(());
            }
            unbalanced(system, motion, at, &self.a, &self.lambda, &mut self.r);
            watch.see(b * motion.push());
            unheld(system, motion, at, &self.a, &mut self.c[..m], &mut self.right[..m]);
            if next == Next::Factor && !factor(system, motion, from, at, b, b * b) {
                break Err(StepError::Singular { t: from.t });
            }
            motion.solve(&self.r, &self.c[..m], &mut self.da, &mut self.dlambda[..m]);
            add(1.0, &self.da, &mut self.a);
            add(1.0, &self.dlambda[..m], &mut self.lambda);
            let (change, velocity) = largest(motion.weight(), &self.da);
            watch.see(b * largest(motion.weight(), &self.a).0);
            match watch.judge(b * change, velocity) {
                Ok(found) => next = found,
                Err(error) => break Err(error),
            }
        };
        to.t = t;
        to.q.copy_from_slice(at.q());
        to.v.copy_from_slice(&at.v);
        outcome?;
        motion.see_velocities(&to.v);
        let share = b / (t - self.past[k].t);
        let missed = |y: f64, i: usize, x: Part| share * (y - self.sum(&L[..=k], i, x));
        let error =
            motion.error(|i| missed(to.delta[i], i, |past| &past.p), |i| missed(to.v[i], i, |past| &past.v));
        Ok(Estimate { error, iterations: watch.iterations() })
    }

    fn accept(&mut self, from: &Knot, to: &Knot) {
        self.starter.accept(from, to);
        self.past.rotate_right(1);
        self.known = (self.known + 1).min(MOST + 1);
        for past in &mut self.past[1..] {
            add(-1.0, &to.delta, &mut past.p);
        }
        self.past[0].t = to.t;
        self.past[0].v.copy_from_slice(&to.v);
        self.past[0].p.fill(0.0);
        if !self.past[0].q.is_empty() {
            self.past[0].q.copy_from_slice(&to.q);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal steps: table A.1, as y_{n+1} = Σ c_i y_{n+1−i} + β dt y'.
    #[test]
    fn table() {
        let published: [(&[f64], f64); 6] = [
            (&[1.0], 1.0),
            (&[4.0 / 3.0, -1.0 / 3.0], 2.0 / 3.0),
            (&[18.0 / 11.0, -9.0 / 11.0, 2.0 / 11.0], 6.0 / 11.0),
            (&[48.0 / 25.0, -36.0 / 25.0, 16.0 / 25.0, -3.0 / 25.0], 12.0 / 25.0),
            (&[300.0 / 137.0, -300.0 / 137.0, 200.0 / 137.0, -75.0 / 137.0, 12.0 / 137.0], 60.0 / 137.0),
            (
                &[360.0 / 147.0, -450.0 / 147.0, 400.0 / 147.0, -225.0 / 147.0, 72.0 / 147.0, -10.0 / 147.0],
                60.0 / 147.0,
            ),
        ];
        for (k, (y, beta)) in published.iter().enumerate() {
            let dt = 0.25;
            let past: Vec<Past> =
                (0..=k).map(|i| Past { t: 1.0 - dt * i as f64, ..Past::default() }).collect();
            let (alpha_0, alpha) = coefficients(&past, 1.0 + dt);
            assert!((1.0 / alpha_0 - beta * dt).abs() < 1e-14);
            for (alpha, y) in alpha.iter().zip(*y) {
                assert!((-alpha / alpha_0 - y).abs() < 1e-13, "order {}", k + 1);
            }
        }
    }
}
