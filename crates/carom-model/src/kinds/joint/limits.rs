//! The range of a joint that has one freedom: a stop at either end.

use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use carom_dynamics::Quantity;

/// Ends of the range, and how its stops rebound.
pub(crate) struct Limits {
    /// Lower, upper.
    pub range: [f64; 2],
    /// e_N.
    pub restitution: f64,
}

impl Limits {
    /// From the keys of a joint.
    pub fn of(range: Option<[f64; 2]>, restitution: f64) -> Option<Self> {
        range.map(|range| Self { range, restitution })
    }
}

/// Shows the numbers.
pub(crate) fn quantities(
    limits: &mut Option<[f64; 2]>,
    restitution: &mut f64,
    of: Quantity,
    see: &mut dyn Numbers,
) {
    let dimension = match of {
        Quantity::Length => Dimension::LENGTH,
        Quantity::Angle => Dimension::ANGLE,
    };
    see.all(limits.iter_mut().flatten(), dimension);
    see.number(restitution, Dimension::NONE);
}

pub(crate) fn check(key: &str, limits: Option<[f64; 2]>, restitution: f64, of: Quantity) -> Check {
    check_as(key, "limits", limits, restitution, of)
}

/// The same of limits under another key.
pub(crate) fn check_as(
    key: &str,
    said: &str,
    limits: Option<[f64; 2]>,
    restitution: f64,
    of: Quantity,
) -> Check {
    let at = |field| ["joints", key, field];
    number(restitution, "restitution of the stops", &at("limit_restitution")).within(0.0, 1.0)?;
    let Some([lower, upper]) = limits else {
        if restitution > 0.0 {
            let problem = Problem::Useless { key: "limit_restitution", without: "limits" };
            return Err(ModelError::new(&at("limit_restitution"), problem));
        }
        return Ok(());
    };
    number(lower, "lower limit", &["joints", key, said]).finite()?;
    number(upper, "upper limit", &["joints", key, said]).finite()?;
    if lower < upper {
        Ok(())
    } else {
        Err(ModelError::new(&["joints", key, said], Problem::NoRange { lower, upper, unit: of.unit() }))
    }
}
