//! Functions that a formula may call and that the program around Carom supplies: a controller, a law of one's own, an input
//! that is held until somebody changes it.
//!
//! ```text
//!   f(x_1 ... x_n),    df/ds = [f(x + ε x') − f(x − ε x')] / 2ε,    ε |x_i'| = 6e-6 max(|x_i|, 1) for the x_i that allows least
//! ```
//!
//! Nobody knows their derivatives, so tangents of implicit schemes take the difference quotient along the arguments. Nor are
//! their kinks known: event-driven schemes integrate across them.

use indexmap::IndexMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Functions by the names that formulas call them by. Equal if they are the same ones.
#[derive(Clone, Debug, Default)]
pub struct Functions(pub IndexMap<String, Arc<dyn OuterFunction>>);

impl PartialEq for Functions {
    fn eq(&self, other: &Self) -> bool {
        let same = |(key, f): (&String, &Arc<dyn OuterFunction>)| {
            other.0.get(key).is_some_and(|g| Arc::ptr_eq(f, g))
        };
        self.0.len() == other.0.len() && self.0.iter().all(same)
    }
}

/// Most arguments of a function.
pub const MOST_ARGUMENTS: usize = 16;

/// Cube root of the rounding unit: where truncation and round-off of a central difference are of one size.
const STEP: f64 = 6e-6;

/// A function of numbers. Numbers are in the units of the model file, as they are in its formulas.
pub trait OuterFunction: Debug + Send + Sync {
    /// How many arguments it takes, at most [`MOST_ARGUMENTS`].
    fn arguments(&self) -> usize;

    /// Its value. Not a number ends the run.
    fn call(&self, x: &[f64]) -> f64;
}

/// df/ds where x changes by `rates` per s.
pub(crate) fn rate(function: &dyn OuterFunction, x: &[f64], rates: &[f64]) -> f64 {
    let allowed = x.iter().zip(rates).filter(|(_, r)| **r != 0.0).map(|(x, r)| x.abs().max(1.0) / r.abs());
    let e = STEP * allowed.fold(f64::INFINITY, f64::min);
    if e.is_infinite() {
        return 0.0;
    }
    let mut moved = [0.0; MOST_ARGUMENTS];
    let mut at = |e: f64| {
        for (moved, (x, r)) in moved.iter_mut().zip(x.iter().zip(rates)) {
            *moved = x + e * r;
        }
        function.call(&moved[..x.len()])
    };
    (at(e) - at(-e)) / (2.0 * e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Product;
    impl OuterFunction for Product {
        fn arguments(&self) -> usize {
            2
        }
        fn call(&self, x: &[f64]) -> f64 {
            x[0] * x[0] * x[1].sin()
        }
    }

    #[test]
    fn differences_are_the_derivative() {
        let (x, rates) = ([3.0, 0.4], [-2.0, 0.5]);
        let exact = 2.0 * x[0] * rates[0] * f64::sin(x[1]) + x[0] * x[0] * f64::cos(x[1]) * rates[1];
        assert!((rate(&Product, &x, &rates) / exact - 1.0).abs() < 1e-9);
        assert_eq!(rate(&Product, &x, &[0.0, 0.0]), 0.0);
    }
}
