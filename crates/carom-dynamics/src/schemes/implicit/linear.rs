//! The step of a linear system without joints, outright.
//!
//! With constant M, C, K the residual M x − h is affine in (x, w) and one solution of the linear problem with the law of
//! the contacts is the answer: no iteration, no factorisation as long as the step stays the same, no norm to watch. How
//! x and w are eliminated is told in `stage/delassus/constant.rs`. What could still depend on the answer are the directions of the
//! contacts; they are compared where the step ends, and where they turned the usual iteration goes on from here.

use super::{Coefficients, Implicit};
use crate::{ContactStage, State, StepError, System};

impl Implicit {
    /// Whether steps may be made outright.
    pub(super) fn is_linear(&self, stage: &ContactStage) -> bool {
        stage.operator.is_linear()
            && stage.operator.has_tangents()
            && self.P_b.is_empty()
            && self.position.is_none()
    }

    /// Solves; false if the directions of the contacts turned on the way.
    pub(super) fn solve_outright(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        c: Coefficients,
    ) -> Result<bool, StepError> {
        let t = state.t;
        let n = self.x.len();
        let at = &mut self.at;
        // slices of one length: the loops need no checks
        let (v_c, delta_c) = (&self.v_c[..n], &self.delta_c[..n]);
        let (x, v, delta) = (&mut self.x[..n], &mut self.v[..n], &mut self.delta[..n]);
        for i in 0..n {
            v[i] = v_c[i] + c.c_v * x[i];
            delta[i] = delta_c[i] + c.c_a * x[i];
        }
        at.retract_to(system, t + dt, &state.q, delta);
        at.v.copy_from_slice(v);
        system.force(at, &mut self.h);
        if !stage.operator.factor(system, at, c.c_v, c.c_a) {
            return Err(StepError::Singular { t });
        }
        // δv from −c_v (M x − h), and w
        stage.operator.mul_mass(x, &mut self.dv);
        for (dv, h) in self.dv.iter_mut().zip(&self.h) {
            *dv = c.c_v * (h - *dv);
        }
        let touching = stage.is_active();
        if touching {
            stage.evaluate_directions(system, at);
            stage.update_bounds(c.span, &self.P_b);
            let kappa = c.c_a - c.c_v * c.c_w;
            stage.solve_constant(t, v, kappa, &mut self.dv, &mut self.w)?;
        } else {
            self.w.fill(0.0);
            stage.solve(t, v, &mut self.dv, &mut self.dP_b)?;
        }
        let (dv, w) = (&self.dv[..n], &self.w[..n]);
        let per_c_v = 1.0 / c.c_v;
        for i in 0..n {
            x[i] += per_c_v * (dv[i] - w[i]);
            v[i] += dv[i];
            delta[i] = delta_c[i] + c.c_a * x[i] + c.c_w * w[i];
        }
        if let Some(velocity) = v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t, velocity });
        }
        if touching {
            at.retract_to(system, t + dt, &state.q, delta);
            return Ok(stage.directions_stand(system, at));
        }
        Ok(true)
    }
}
