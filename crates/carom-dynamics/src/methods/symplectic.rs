//! Störmer–Verlet, SHAKE and RATTLE: positions leap over velocities.    [Haddouni2015] (2.45)–(2.48), [Hairer2006] §VII.1
//!
//! ```text
//!   M(q_n) (v_{n+1/2} − v_n) = dt/2 (h(t_n, q_n, v_n) + F(q_n)ᵀ λ_n)
//!   q_{n+1} = q_n ⊕ dt v_{n+1/2},      Φ(t_{n+1}, q_{n+1}) = 0
//!   M(q_{n+1}) (v_{n+1} − v_{n+1/2}) = dt/2 (h(t_{n+1}, q_{n+1}, v_{n+1}) + F(q_{n+1})ᵀ μ_n)
//!   G(q_{n+1}) v_{n+1} + Φ_t = 0
//! ```
//!
//! That is RATTLE. Verlet is the same without rows, and refuses them. SHAKE leaves out the second kick: v_{n−1/2} is
//! remembered and kicked over the whole step, with dt and not dt/2 as printed (see the errata),
//!
//! ```text
//!   M(q_n) (v_{n+1/2} − v_{n−1/2}) = dt (h(t_n, q_n, v_n) + F(q_n)ᵀ λ_n),      v_{n+1} = v_{n+1/2} + dt/2 a_{n+1}
//! ```
//!
//! where a is that of index 1; its rows of velocity are off by O(dt²), which does not enter the next step. Where steps
//! change it kicks over the mean of both; after an event it begins with half a kick.
//!
//! With constant M and h(q) RATTLE and Verlet are symplectic: their energy error stays O(dt²) for ever. Forces of
//! velocity, and M(q) with the inertia forces in h, are taken explicitly in the first kick and implicitly, by fixed point
//! iteration, in the second: the step stays its own adjoint, of order 2, but is no longer symplectic. Energy is then kept
//! by symmetry as far as the motion is reversible. (The source's form with momenta would be symplectic; it needs ∂M/∂q,
//! which no system gives.) Rows of sticking have no position: they hold v_{n+1/2} along the mean of the rows at q_n and
//! q_{n+1}.
//!
//! Error estimate: q_{n+1} against q_n + dt v_n + dt²/3 a_n + dt²/6 a_{n+1}, [Haddouni2015] (2.125), O(dt³); of positions
//! only. Steps that change with it cost the symplectic methods what makes them good over long times.
//!
//! Order 2, and energy over a million steps, in `tests/it/methods_explicit.rs`. Position rows come to round-off by a chord
//! iteration on the matrix with G at the predicted q_{n+1}, factored once.

use super::{Estimate, Integrator, Knot, Level, Method};
use crate::events::{EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, REST};
use crate::{Configuration, ContactKind, Formulation, Motion, SchemeInfo, StepError, System};

/// Iterations for positions, and for velocities that forces depend on.
const MOST_ITERATIONS: usize = 50;
/// Positions, relative to the mechanism, and velocities, relative to the fastest, that change by less than this stand.
const STANDS: f64 = 1e-15;
/// What round-off may leave where a change does not shrink any more.
const ROUND_OFF: f64 = 1e-12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Verlet,
    Shake,
    Rattle,
}

pub const VERLET: SchemeInfo = SchemeInfo {
    name: "verlet",
    summary: "event-driven: Störmer–Verlet, symplectic, order 2; without joints",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
    make: |values| Ok(EventDriven::boxed(Symplectic::verlet(), FrameOptions::without_drift(values))),
};

pub const SHAKE: SchemeInfo = SchemeInfo {
    name: "shake",
    summary: "event-driven: SHAKE, symplectic, joints in positions; order 2, for long runs",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
    make: |values| Ok(EventDriven::boxed(Symplectic::shake(), FrameOptions::without_drift(values))),
};

pub const RATTLE: SchemeInfo = SchemeInfo {
    name: "rattle",
    summary: "event-driven: RATTLE, symplectic, joints in positions and velocities; order 2, for long runs",
    parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
    make: |values| Ok(EventDriven::boxed(Symplectic::rattle(), FrameOptions::without_drift(values))),
};

/// Störmer–Verlet, SHAKE or RATTLE.
#[derive(Clone, Copy, Debug)]
pub struct Symplectic {
    kind: Variant,
}

impl Symplectic {
    fn new(kind: Variant) -> Self {
        Self { kind }
    }

    /// Störmer–Verlet: no joints, no contacts that stay closed.
    pub fn verlet() -> Self {
        Self::new(Variant::Verlet)
    }

    /// SHAKE: positions hold their rows.
    pub fn shake() -> Self {
        Self::new(Variant::Shake)
    }

    /// RATTLE: positions and velocities hold their rows.
    pub fn rattle() -> Self {
        Self::new(Variant::Rattle)
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Variant::Verlet => "verlet",
            Variant::Shake => "shake",
            Variant::Rattle => "rattle",
        }
    }
}

/// Verlet moves what is free alone.
fn check_rows(kind: Variant, some: bool) -> Result<(), StepError> {
    match kind {
        Variant::Verlet if some => {
            Err(StepError::NotFree { method: "verlet", remedy: "rattle, shake, hem5 and phem56" })
        }
        _ => Ok(()),
    }
}

impl Method for Symplectic {
    fn describe(&self) -> String {
        self.name().into()
    }

    fn is_one_step(&self) -> bool {
        self.kind != Variant::Shake
    }

    fn sees_velocities(&self) -> bool {
        // those of SHAKE do not enter the next step
        self.kind == Variant::Shake
    }

    fn level(&self) -> Level {
        match self.kind {
            Variant::Shake => Level::Position,
            Variant::Verlet | Variant::Rattle => Level::Both,
        }
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index3]
    }

    /// The second kick would have to turn friction with the velocities it looks for.
    fn takes_space(&self) -> bool {
        false
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        // joints that rub have rows, whatever they do
        let rubs =
            system.structure().contacts.iter().any(|info| matches!(info.kind, ContactKind::Dry { .. }));
        check_rows(self.kind, rubs || system.structure().sizes.constraints > 0)
    }

    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        check_rows(self.kind, motion.rows() > 0)?;
        let (n, most) = (motion.nv(), motion.most_rows());
        let of = |size: usize| vec![0.0; size];
        Ok(Box::new(Workspace {
            at: motion.configuration(system, near.t, &near.q, &near.v),
            kicks: Kicks {
                kind: self.kind,
                v_before: of(n),
                dt_before: None,
                v_half: of(n),
                dt: 0.0,
                h: of(n),
                base: of(n),
                x: of(n),
                delta: of(n),
                c: of(most),
                right: of(most),
                lambda: of(most),
            },
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    at: Configuration,
    kicks: Kicks,
}

#[derive(Debug)]
struct Kicks {
    kind: Variant,
    /// v_{n−1/2} and the step before, once there was one.
    v_before: Vec<f64>,
    dt_before: Option<f64>,
    /// v_{n+1/2} and dt of the step made last.
    v_half: Vec<f64>,
    dt: f64,
    h: Vec<f64>,
    base: Vec<f64>,
    x: Vec<f64>,
    delta: Vec<f64>,
    c: Vec<f64>,
    right: Vec<f64>,
    lambda: Vec<f64>,
}

impl Kicks {
    /// v_{n+1/2} = base + span x and the q_{n+1} it leads to; `at` goes there, `delta` with it. Returns iterations.
    fn leap(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        span: f64,
        at: &mut Configuration,
    ) -> Result<usize, StepError> {
        let (n, m, t) = (motion.nv(), motion.rows(), from.t + dt);
        // forces and their directions at q_n; the kick of index 1 as a prediction
        motion.place(system, from.t, &from.q, &from.v, at);
        if m > 0 {
            motion.evaluate_forces(system, at);
            self.h.copy_from_slice(motion.h());
            motion.evaluate_rows(system, at);
            motion.push_along_rows();
        }
        self.x.copy_from_slice(&from.a);
        self.fly(dt, span);
        at.retract_to(system, t, &from.q, &self.delta);
        if m == 0 {
            return Ok(1);
        }
        motion.evaluate_rows(system, at);
        if !motion.factor() {
            return Err(StepError::Singular { t: from.t });
        }
        motion.along_rows(&self.x, &mut self.c);
        let mut before = f64::INFINITY;
        // far from the origin positions stand where their round-off is
        let (stands, round_off) = (STANDS.max(0.25 * motion.grain()), ROUND_OFF.max(64.0 * motion.grain()));
        for iteration in 1..=MOST_ITERATIONS {
            // G x = c puts q_{n+1} onto the rows; c takes up what is missing
            motion.positions(system, at, &mut self.right);
            for row in 0..m {
                self.c[row] -= self.right[row] / (dt * span);
            }
            if (motion.nc()..m).any(|row| !motion.is_holonomic(row)) {
                // half of the velocity along the rows at q_n, half along those at q_{n+1}
                for _ in 0..2 {
                    motion.push_along_rows();
                    motion.velocities(&self.v_half, &mut self.right);
                    for row in (motion.nc()..m).filter(|&row| !motion.is_holonomic(row)) {
                        self.c[row] -= 0.5 * self.right[row] / span;
                    }
                }
            }
            motion.load(&self.h);
            self.base.copy_from_slice(&self.x);
            motion.respond(from.t, &self.c[..m], &mut self.x, &mut self.lambda)?;
            let w = motion.weight();
            let change = (0..n).fold(0.0, |most: f64, i| {
                let change = dt * span * w[i] * (self.x[i] - self.base[i]).abs();
                if change.is_nan() { f64::INFINITY } else { most.max(change) }
            });
            self.fly(dt, span);
            at.retract_to(system, t, &from.q, &self.delta);
            if change <= stands || (change <= round_off && change >= 0.5 * before) {
                return Ok(iteration);
            }
            if !change.is_finite() || iteration == MOST_ITERATIONS {
                return Err(StepError::Positions { t: from.t, iterations: iteration, error: change });
            }
            before = change;
        }
        unreachable!("the last iteration returns")
    }

    /// v_{n+1/2} and the increment from x.
    fn fly(&mut self, dt: f64, span: f64) {
        for i in 0..self.x.len() {
            self.v_half[i] = self.v_before[i] + span * self.x[i];
            self.delta[i] = dt * self.v_half[i];
        }
    }

    /// The second kick of Verlet and RATTLE: v_{n+1} into `to`, its acceleration into `x`. Returns iterations.
    fn land(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
        at: &mut Configuration,
    ) -> Result<usize, StepError> {
        let (n, m, half) = (motion.nv(), motion.rows(), 0.5 * dt);
        for i in 0..n {
            at.v[i] = self.v_half[i] + half * from.a[i];
        }
        motion.evaluate_forces(system, at);
        motion.evaluate_rows(system, at);
        motion.push_here();
        if !motion.factor() {
            return Err(StepError::Singular { t: to.t });
        }
        motion.velocities(&self.v_half, &mut self.c);
        for c in &mut self.c[..m] {
            *c /= -half;
        }
        let mut before = f64::INFINITY;
        for iteration in 1..=MOST_ITERATIONS {
            self.h.copy_from_slice(motion.h());
            motion.respond(to.t, &self.c[..m], &mut self.x, &mut self.lambda)?;
            for i in 0..n {
                to.v[i] = self.v_half[i] + half * self.x[i];
            }
            motion.see_velocities(&to.v);
            let mut velocity = 0;
            let mut change = 0.0;
            for i in 0..n {
                let own = motion.relative_speed(i, to.v[i] - at.v[i]);
                if own > change || own.is_nan() {
                    (velocity, change) = (i, own);
                }
            }
            at.v.copy_from_slice(&to.v);
            if change.is_nan() || !change.is_finite() {
                return Err(StepError::NotFinite { t: from.t, velocity });
            }
            // forces that do not depend on velocities are found unchanged
            motion.evaluate_forces(system, at);
            if motion.h() == self.h || change <= STANDS || (change <= ROUND_OFF && change >= 0.5 * before) {
                return Ok(iteration);
            }
            if iteration == MOST_ITERATIONS {
                return Err(StepError::Newton { t: from.t, iterations: iteration, change, velocity });
            }
            before = change;
        }
        unreachable!("the last iteration returns")
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
        let span = match (self.kind, self.dt_before) {
            (Variant::Shake, Some(before)) => 0.5 * (before + dt),
            _ => {
                self.v_before.copy_from_slice(&from.v);
                0.5 * dt
            }
        };
        let mut iterations = self.leap(system, motion, from, dt, span, at)?;
        to.t = from.t + dt;
        to.q.copy_from_slice(at.q());
        to.delta.copy_from_slice(&self.delta);
        if self.kind == Variant::Shake {
            for i in 0..motion.nv() {
                at.v[i] = self.v_half[i] + 0.5 * dt * from.a[i];
            }
            motion.accelerations(system, at, &mut self.x, &mut self.lambda)?;
            for i in 0..motion.nv() {
                to.v[i] = self.v_half[i] + 0.5 * dt * self.x[i];
            }
            motion.see_velocities(&to.v);
        } else {
            iterations = iterations.max(self.land(system, motion, from, dt, to, at)?);
        }
        self.dt = dt;
        let third = |i: usize| dt * (from.v[i] + dt * (from.a[i] / 3.0 + self.x[i] / 6.0));
        let error = motion.error(|i| to.delta[i] - third(i), |_| 0.0);
        Ok(Estimate { error, iterations })
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        3.0
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        check_rows(self.kicks.kind, motion.rows() > 0)?;
        self.kicks.dt_before = None;
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
        self.kicks.make(system, motion, from, dt, to, &mut self.at)
    }

    fn accept(&mut self, _: &Knot, _: &Knot) {
        let kicks = &mut self.kicks;
        if kicks.kind == Variant::Shake {
            std::mem::swap(&mut kicks.v_before, &mut kicks.v_half);
            kicks.dt_before = Some(kicks.dt);
        }
    }
}
