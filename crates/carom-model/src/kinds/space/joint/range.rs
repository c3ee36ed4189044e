//! What joints with an axis have in common: ranges, and a pin in its bearing.

use crate::build::{Ends, SpaceBuilder};
use crate::check::{Check, number};
use crate::contacts::space::{WIDEST, pin_in_bearing};
use crate::error::{ModelError, Problem};
use crate::joints::Pair;
use crate::kinds::joint::limits;
use crate::outline::space::Solid;
use carom_dynamics::Quantity;

/// The middle of a range; zero without one.
pub(super) fn middle(range: Option<[f64; 2]>) -> f64 {
    range.map_or(0.0, |[lower, upper]| 0.5 * (lower + upper))
}

/// A range of an angle that is known up to whole turns.
pub(super) fn angle(key: &str, ends: &Ends, range: Option<[f64; 2]>, restitution: f64) -> Check {
    limits::check_as(key, ends.key, range, restitution, Quantity::Angle)?;
    match range {
        Some([lower, upper]) if upper - lower > WIDEST => {
            let message = format!(
                "the limits are {:.1}° apart; the angle of this joint is known up to whole turns, so there must be room \
                 behind each stop",
                (upper - lower).to_degrees()
            );
            let remedy =
                format!("limits at most {:.0}° apart; a screw counts its turns", WIDEST.to_degrees());
            Err(ModelError::new(&["joints", key, ends.key], Problem::BadJoint { message, remedy }))
        }
        _ => Ok(()),
    }
}

/// Play and length of a pin, one of which needs the other.
pub(super) fn pin(key: &str, clearance: Option<f64>, length: Option<f64>) -> Check {
    let at = |field| ["joints", key, field];
    if let Some(length) = length {
        number(length, "length of the pin", &at("length")).positive()?;
    }
    match (clearance, length) {
        (Some(clearance), Some(_)) => number(clearance, "clearance", &at("clearance")).positive(),
        (Some(_), None) => {
            let problem = Problem::Missing { key: "length", because: "clearance" };
            Err(ModelError::new(&at("clearance"), problem))
        }
        (None, Some(_)) => {
            let problem = Problem::Useless { key: "length", without: "clearance" };
            Err(ModelError::new(&at("length"), problem))
        }
        (None, None) => Ok(()),
    }
}

/// The two ends of a pin in its bore: contacts 1 and 2, and the pin as it is drawn.
pub(super) fn journal(
    key: &str,
    builder: &mut SpaceBuilder,
    pair: &Pair,
    size: [f64; 2],
    clearance: f64,
    surface: [f64; 2],
) {
    let [radius, half] = size;
    let (bearing, shaft) = (pair.a.mount(), pair.b.mount());
    let ends = pin_in_bearing(&bearing, &shaft, size, clearance, surface[1] > 0.0);
    for (number, facing) in ends.into_iter().enumerate() {
        let place = [0.0, 0.0, if number == 0 { -half } else { half }];
        let name = format!("{key}.{}", number + 1);
        builder.clearance(key, name, vec![facing], surface, (&pair.b, place, radius));
    }
    if radius > 0.0 {
        builder.draw(&pair.b, Solid::Cylinder { radius, length: 2.0 * half }, false);
    }
}
