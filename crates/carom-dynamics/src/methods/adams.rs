//! Adams–Bashforth and Adams–Moulton 1 … 5 on the form of index 1.             [Haddouni2015] §2.2.2.4, tables A.2, A.3
//!
//! ```text
//!   y_{n+1} = y_n + ∫ P dt over the step,        y' = (v, a(t,q,v)),        y = (q, v)
//!   Adams–Bashforth, order k: P through y'_n … y'_{n+1−k}         Adams–Moulton, order k: P through y'_{n+1} … y'_{n+2−k}
//! ```
//!
//! The polynomials go through the times that were really met, so order k belongs to any steps; with equal ones these are the
//! formulas of the tables. Adams–Moulton predicts by Adams–Bashforth of the same order, evaluates, corrects, and the frame
//! evaluates where the step ends: PECE. More corrections are made on request; none leaves Adams–Bashforth.
//!
//! Error estimate, O(dt^{k+1}): with ω the product of (t − t_j) over the nodes,
//!
//! ```text
//!   corrected:  l = ∫ω_AM / (∫ω_AB − ∫ω_AM) · (y_AM − y_AB)            else:  l = y_AB of order k+1 − y_AB
//! ```
//!
//! The steps after a restart, until as many knots are known, are made by RADAU5 in index 1, whose error does not spoil the
//! order. Explicit: steps are limited by the fastest oscillation, the more the higher the order.

use super::{Estimate, Integrator, Knot, Level, Method, Radau5, radau5};
use crate::events::{
    BAUMGARTE, EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST,
};
use crate::{Configuration, Formulation, Motion, Parameter, SchemeInfo, StepError, System};

/// The highest order; an estimate takes one knot more.
const MOST: usize = 5;
/// Polynomials that are prolonged further than this past their knots say little.
const GROWTH: f64 = 2.0;
/// Nodes and weights of Gauss on [0, 1], exact to degree 5.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// A knot of the past.
#[derive(Clone, Debug)]
struct Past {
    t: f64,
    v: Vec<f64>,
    a: Vec<f64>,
    /// v as the rate of increments in the chart where the step begins, and the place; empty in a vector space.
    rate: Vec<f64>,
    q: Vec<f64>,
}

impl Past {
    /// What positions are added up from.
    fn rate(&self) -> &[f64] {
        if self.rate.is_empty() { &self.v } else { &self.rate }
    }
}

const ORDER: Parameter = Parameter::whole("order", "accelerations that are looked back on", 4, 1..=5);

pub const BASHFORTH: SchemeInfo = SchemeInfo {
    name: "adams-bashforth",
    summary: "event-driven: Adams–Bashforth of order 1 to 5 on accelerations; one evaluation per step, few events",
    parameters: &[ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| {
        Ok(EventDriven::boxed(Adams::bashforth(values.whole(&ORDER)), FrameOptions::stabilised(values)))
    },
};

pub const MOULTON: SchemeInfo = SchemeInfo {
    name: "adams-moulton",
    summary: "event-driven: Adams–Bashforth, corrected by Adams–Moulton, of order 1 to 5 on accelerations; few events",
    parameters: &[ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
    make: |values| {
        Ok(EventDriven::boxed(Adams::moulton(values.whole(&ORDER)), FrameOptions::stabilised(values)))
    },
};

/// The method.
#[derive(Clone, Copy, Debug)]
pub struct Adams {
    order: usize,
    corrections: usize,
}

impl Adams {
    /// Adams–Bashforth of an order, 1 … 5.
    pub fn bashforth(order: usize) -> Self {
        Self::new(order, 0)
    }

    /// Adams–Moulton of an order, 1 … 5, corrected once.
    pub fn moulton(order: usize) -> Self {
        Self::new(order, 1)
    }

    /// With any number of corrections; 0 for Adams–Bashforth.
    pub fn new(order: usize, corrections: usize) -> Self {
        assert!((1..=MOST).contains(&order), "Adams's formulas are there for orders 1 to {MOST}");
        Self { order, corrections }
    }
}

impl Default for Adams {
    fn default() -> Self {
        Self::moulton(4)
    }
}

impl Method for Adams {
    fn describe(&self) -> String {
        match self.corrections {
            0 => format!("adams-bashforth (order {})", self.order),
            1 => format!("adams-moulton (order {})", self.order),
            c => format!("adams-moulton (order {}, {c} corrections)", self.order),
        }
    }

    fn is_one_step(&self) -> bool {
        false
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
        let n = motion.nv();
        let of = |size: usize| vec![0.0; size];
        let (turning, nq) = if system.structure().is_flat() { (0, 0) } else { (n, motion.nq()) };
        Ok(Box::new(Workspace {
            order: self.order,
            corrections: self.corrections,
            starter: Radau5::new(Formulation::Index1).workspace(system, motion, near),
            at: motion.configuration(system, near.t, &near.q, &near.v),
            past: std::array::from_fn(|_| Past { t: 0.0, v: of(n), a: of(n), rate: of(turning), q: of(nq) }),
            known: 0,
            started: false,
            delta: of(n),
            v: of(n),
            a: of(n),
            lambda: of(motion.most_rows()),
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    order: usize,
    corrections: usize,
    starter: radau5::Workspace,
    at: Configuration,
    /// Knots, the newest first; how many are known.
    past: [Past; MOST + 1],
    known: usize,
    /// Whether the step made last was one of the starter.
    started: bool,
    /// y_AB, and a where the correction evaluates it.
    delta: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

impl Workspace {
    /// Knots that a step takes.
    fn needed(&self) -> usize {
        if self.corrections == 0 { self.order + 1 } else { self.order }
    }

    /// Times of the knots before, with 0 where the step begins and 1 where it ends.
    fn nodes(&self, dt: f64) -> [f64; MOST + 1] {
        std::array::from_fn(|i| (self.past[i].t - self.past[0].t) / dt)
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
        GROWTH
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        self.past[0].t = from.t;
        self.past[0].v.copy_from_slice(&from.v);
        self.past[0].a.copy_from_slice(&from.a);
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
        let (n, k) = (motion.nv(), self.order);
        self.started = self.known < self.needed();
        if self.started {
            return self.starter.step(system, motion, from, dt, to);
        }
        if !system.structure().is_flat() {
            for past in &mut self.past[..self.known] {
                system.difference(&from.q, &past.q, &mut self.delta);
                past.rate.copy_from_slice(&past.v);
                system.chart_rate(&self.delta, &mut past.rate);
            }
        }
        let nodes = self.nodes(dt);
        let b = weights(&nodes[..k]);
        to.t = from.t + dt;
        for i in 0..n {
            let sum = |x: fn(&Past) -> &[f64]| -> f64 {
                b[..k].iter().zip(&self.past).map(|(b, past)| b * x(past)[i]).sum()
            };
            self.delta[i] = dt * sum(Past::rate);
            self.v[i] = from.v[i] + dt * sum(|past| &past.a);
        }
        to.delta.copy_from_slice(&self.delta);
        to.v.copy_from_slice(&self.v);
        // nodes of the correction: the end, then the newest
        let mut ends = [1.0; MOST + 1];
        ends[1..].copy_from_slice(&nodes[..MOST]);
        let c = weights(&ends[..k]);
        for _ in 0..self.corrections {
            let at = &mut self.at;
            at.retract_to(system, to.t, &from.q, &to.delta);
            at.v.copy_from_slice(&to.v);
            motion.accelerations(system, at, &mut self.a, &mut self.lambda)?;
            for i in 0..n {
                let sum = |new: f64, x: fn(&Past) -> &[f64]| -> f64 {
                    let old = c[1..k].iter().zip(&self.past).map(|(c, past)| c * x(past)[i]);
                    c[0] * new + old.sum::<f64>()
                };
                to.v[i] = from.v[i] + dt * sum(self.a[i], |past| &past.a);
                // the rate at the end takes the place of a that is over
                self.a[i] = to.v[i];
            }
            system.chart_rate(&to.delta, &mut self.a);
            for i in 0..n {
                let old = c[1..k].iter().zip(&self.past).map(|(c, past)| c * past.rate()[i]);
                to.delta[i] = dt * (c[0] * self.a[i] + old.sum::<f64>());
            }
        }
        system.retract(&from.q, &to.delta, &mut to.q);
        if let Some(velocity) = to.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: from.t, velocity });
        }
        motion.see_velocities(&to.v);
        let error = if self.corrections > 0 {
            let (explicit, implicit) = (missed(&nodes[..k]), missed(&ends[..k]));
            let share = implicit / (explicit - implicit);
            motion.error(|i| share * (to.delta[i] - self.delta[i]), |i| share * (to.v[i] - self.v[i]))
        } else {
            let higher = weights(&nodes[..=k]);
            let l = |i: usize, x: fn(&Past) -> &[f64]| -> f64 {
                let sum = higher.iter().zip(&b).zip(&self.past).map(|((h, b), past)| (h - b) * x(past)[i]);
                dt * sum.sum::<f64>()
            };
            motion.error(|i| l(i, Past::rate), |i| l(i, |past| &past.a))
        };
        Ok(Estimate { error, iterations: self.corrections.max(1) })
    }

    fn accept(&mut self, from: &Knot, to: &Knot) {
        self.starter.accept(from, to);
        self.past.rotate_right(1);
        self.known = (self.known + 1).min(MOST + 1);
        self.past[0].t = to.t;
        self.past[0].v.copy_from_slice(&to.v);
        self.past[0].a.copy_from_slice(&to.a);
        if !self.past[0].q.is_empty() {
            self.past[0].q.copy_from_slice(&to.q);
        }
    }
}

/// ∫ ℓ_i over [0, 1]; zero past the last node.
fn weights(nodes: &[f64]) -> [f64; MOST + 1] {
    let mut b = [0.0; MOST + 1];
    for (i, b) in b[..nodes.len()].iter_mut().enumerate() {
        let l = |x: f64| -> f64 {
            let others = (0..nodes.len()).filter(|&j| j != i);
            others.map(|j| (x - nodes[j]) / (nodes[i] - nodes[j])).product()
        };
        *b = GAUSS.iter().map(|&(x, w)| w * l(x)).sum();
    }
    b
}

/// ∫ ω over [0, 1].
fn missed(nodes: &[f64]) -> f64 {
    GAUSS.iter().map(|&(x, w)| w * nodes.iter().map(|node| x - node).product::<f64>()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(b: &[f64], published: &[f64], over: f64) {
        for (i, b) in b.iter().enumerate() {
            let published = published.get(i).map_or(0.0, |p| p / over);
            assert!((b - published).abs() < 1e-12, "{b} {published}");
        }
    }

    /// Equal steps: tables A.2 and A.3.
    #[test]
    fn tables() {
        let past = [0.0, -1.0, -2.0, -3.0, -4.0];
        let published: [(&[f64], f64); 5] = [
            (&[1.0], 1.0),
            (&[3.0, -1.0], 2.0),
            (&[23.0, -16.0, 5.0], 12.0),
            (&[55.0, -59.0, 37.0, -9.0], 24.0),
            (&[1901.0, -2774.0, 2616.0, -1274.0, 251.0], 720.0),
        ];
        for (k, (b, over)) in published.iter().enumerate() {
            equal(&weights(&past[..=k]), b, *over);
        }
        let ends = [1.0, 0.0, -1.0, -2.0, -3.0];
        let published: [(&[f64], f64); 5] = [
            (&[1.0], 1.0),
            (&[1.0, 1.0], 2.0),
            (&[5.0, 8.0, -1.0], 12.0),
            (&[9.0, 19.0, -5.0, 1.0], 24.0),
            (&[251.0, 646.0, -264.0, 106.0, -19.0], 720.0),
        ];
        for (k, (b, over)) in published.iter().enumerate() {
            equal(&weights(&ends[..=k]), b, *over);
        }
    }
}
