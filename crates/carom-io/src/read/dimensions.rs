//! From the units of a file to SI: every number of a description is shown with its dimension by what has it
//! ([`Description::quantities`]); parameters of a scheme carry their units.

use super::formula::substitute;
use crate::units::{Dimension, Units};
use carom_dynamics::{Value, find_scheme};
use carom_model::description::{Expression, Simulation};
use carom_model::{AnyDescription, Numbers};

const NONE: Dimension = Dimension::NONE;
const TIME: Dimension = Dimension::TIME;

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
    /// Parameters of a scheme, which say their units themselves.
    fn scheme(&mut self, simulation: &mut Simulation) {
        let Simulation { scheme, parameters, .. } = simulation;
        let known = find_scheme(scheme).map_or(&[][..], |info| info.parameters);
        let metre = self.units.factor(Dimension::LENGTH);
        let given = parameters.clone();
        for (name, value) in parameters {
            let Value::Number(x) = value else { continue };
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else { continue };
            let unit = Dimension::of_unit(parameter.unit).expect("units of parameters are SI");
            self.number(x, unit);
            if let Some(exponent) = parameter.exponent {
                let given = given.get(exponent.name).and_then(Value::number).or(exponent.default());
                *x /= metre.powf(given.expect("an exponent has a default"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_dynamics::SCHEMES;

    #[test]
    fn units_of_scheme_parameters_are_known() {
        for parameter in SCHEMES.iter().flat_map(|scheme| scheme.parameters) {
            assert!(Dimension::of_unit(parameter.unit).is_some(), "{parameter:?}");
            assert!(parameter.exponent.is_none_or(|exponent| exponent.default().is_some()), "{parameter:?}");
        }
    }
}
