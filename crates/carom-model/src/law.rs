//! A formula of time and motion as a number of the model, with its derivatives.
//!
//! ```text
//!   F(t, c_1 … c_n),  c_k = (s_k − s_0)/unit or ṡ_k/unit
//!   ∂F/∂δ_j = Σ ∂F/∂c_k ∂c_k/∂δ_j,    ∂F/∂v_j = Σ ∂F/∂c_k ∂c_k/∂v_j
//! ```
//!
//! The partial derivatives of F are exact, by first-order jets. A law allocates nothing when it is asked.

use crate::expression::Formula;
use crate::geometry::{Geometry, Plane};
use crate::measure::Measure;
use crate::model::Signal;
use carom_dynamics::Configuration;
use std::sync::Arc;

/// Most quantities of the motion that one formula may name: their values live on the stack.
pub(crate) const MOST: usize = 16;

/// What a word of a formula stands for.
#[derive(Clone, Debug)]
pub struct Known<S: Geometry = Plane> {
    pub of: Measure<S>,
    /// ṡ, not s.
    pub rate: bool,
    /// s_0.
    pub less: f64,
    /// One unit of the formula in SI.
    pub unit: f64,
}

impl<S: Geometry> Known<S> {
    /// c.
    pub fn value(&self, at: &Configuration) -> f64 {
        (if self.rate { self.of.rate(at) } else { self.of.value(at) } - self.less) / self.unit
    }

    /// Calls `entry(j, ∂c/∂δ_j, ∂c/∂v_j)`, times `factor`.
    fn row(&self, at: &Configuration, factor: f64, entry: &mut impl FnMut(usize, f64, f64)) {
        let factor = factor / self.unit;
        if self.rate {
            self.of.rate_row(at, |j, value| entry(j, factor * value, 0.0));
            self.of.row(at, |j, value| entry(j, 0.0, factor * value));
        } else {
            self.of.row(at, |j, value| entry(j, factor * value, 0.0));
        }
    }
}

/// A formula of time and motion.
#[derive(Clone, Debug)]
pub struct Law<S: Geometry = Plane> {
    pub formula: Formula,
    /// What channel number k of the formula stands for.
    pub known: Vec<Known<S>>,
    /// Unit of time in s.
    pub second: f64,
    /// One of what the formula gives, in SI.
    pub factor: f64,
}

/// ∂F/∂c_k.
pub type Slopes = [f64; MOST];

impl<S: Geometry> Law<S> {
    fn channels(&self, at: &Configuration) -> [f64; MOST] {
        let mut values = [0.0; MOST];
        values.iter_mut().zip(&self.known).for_each(|(value, known)| *value = known.value(at));
        values
    }

    /// F.
    pub fn value(&self, at: &Configuration) -> f64 {
        let values = self.channels(at);
        self.factor * self.formula.value(at.t() / self.second, &|k| values[k])
    }

    /// ∂F/∂c_k.
    pub fn slopes(&self, at: &Configuration) -> Slopes {
        let values = self.channels(at);
        let mut slopes = [0.0; MOST];
        for (k, slope) in slopes.iter_mut().enumerate().take(self.known.len()) {
            *slope = self.factor * self.formula.partial(at.t() / self.second, &values, k);
        }
        slopes
    }

    /// Calls `entry(j, ∂F/∂δ_j, ∂F/∂v_j)`; a column may come several times.
    pub fn row(&self, at: &Configuration, slopes: &Slopes, mut entry: impl FnMut(usize, f64, f64)) {
        for (known, slope) in self.known.iter().zip(slopes) {
            known.row(at, *slope, &mut entry);
        }
    }
}

/// A force or torque: a number, a function of time, or a law.
#[derive(Clone, Debug)]
pub enum Load<S: Geometry = Plane> {
    Given(Signal),
    Law(Arc<Law<S>>),
}

impl<S: Geometry> Load<S> {
    #[inline]
    pub fn value(&self, at: &Configuration) -> f64 {
        match self {
            Load::Given(signal) => signal.jet(at).value,
            Load::Law(law) => law.value(at),
        }
    }
}
