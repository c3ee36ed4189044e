//! From the units of a file to SI: every number of a description is shown with its dimension by what has it
//! ([`Description::quantities`]); parameters of a scheme are known here.

use super::formula::substitute;
use crate::units::{Dimension, Units};
use carom_dynamics::{PROJECTED, Value};
use carom_model::description::{Expression, Simulation};
use carom_model::{AnyDescription, Numbers};

const NONE: Dimension = Dimension::NONE;
const LENGTH: Dimension = Dimension::LENGTH;
const TIME: Dimension = Dimension::TIME;
const FORCE: Dimension = Dimension::FORCE;
const VELOCITY: Dimension = Dimension::VELOCITY;
/// The usual exponent of `hunt-crossley`.
const HERTZ: f64 = 1.5;

/// Converts a description to SI in place.
pub(crate) fn to_si(description: &mut AnyDescription, units: &Units) {
    if *units == Units::si() {
        return;
    }
    let mut scale = Scale { units };
    match description {
        AnyDescription::Plane(description) => description.quantities(&mut scale),
        AnyDescription::Space(description) => description.quantities(&mut scale),
    }
    scale.scheme(description.simulation_mut());
}

struct Scale<'a> {
    units: &'a Units,
}

impl Numbers for Scale<'_> {
    fn number(&mut self, x: &mut f64, dimension: Dimension) {
        if dimension != NONE {
            *x *= self.units.factor(dimension);
        }
    }

    /// f(t) in file units becomes factor · f(t / second).
    fn function(&mut self, function: &mut Expression, dimension: Dimension) {
        match function {
            Expression::Constant(x) => self.number(x, dimension),
            Expression::Formula(text) => {
                let second = self.units.factor(TIME);
                let factor = self.units.factor(dimension);
                if second != 1.0 {
                    *text = substitute(text, &|name| (name == "t").then(|| format!("(t/{second:?})")));
                }
                if factor != 1.0 {
                    *text = format!("{factor:?}*({text})");
                }
            }
        }
    }
}

impl Scale<'_> {
    /// Parameters of a scheme: the few that are no plain numbers.
    fn scheme(&mut self, simulation: &mut Simulation) {
        let Simulation { scheme, parameters, .. } = simulation;
        // N/m and N s/m, or per m^p
        let exponent = match scheme.trim_end_matches(PROJECTED) {
            "hunt-crossley" => parameters.get("exponent").and_then(Value::number).unwrap_or(HERTZ),
            _ => 1.0,
        };
        let per = self.units.factor(LENGTH).powf(exponent);
        for (name, value) in parameters {
            let Value::Number(x) = value else { continue };
            match name.as_str() {
                "penetration" => self.number(x, LENGTH),
                "slip_speed" => self.number(x, VELOCITY),
                "stiffness" => *x *= self.units.factor(FORCE) / per,
                "damping" if scheme.starts_with("hunt-crossley") => {
                    *x *= self.units.factor(FORCE.per(VELOCITY)) / per;
                }
                "damping" => self.number(x, FORCE.per(VELOCITY)),
                "least_step" | "most_step" | "event_tolerance" => self.number(x, TIME),
                "baumgarte" => self.number(x, Dimension::FREQUENCY),
                _ => {}
            }
        }
    }
}
