//! The schemes, and their registry: a scheme is its file and one line in [`SCHEMES`].
//!
//! A file of this folder, or of `methods` for those that step from event to event, holds the options of a scheme ([`Scheme`]), its
//! parameters and its line `INFO`, and the workspace that makes the steps ([`Stepper`](crate::Stepper)).

mod acceleration_lcp;
mod acceleration_radau;
mod anitescu_potra;
mod bathe;
mod constant_force;
mod ed_alpha;
mod error;
mod explicit;
mod generalized_alpha;
mod half_explicit;
mod half_explicit_acceleration;
mod implicit;
mod impulse;
mod mixed;
mod mixed_alpha;
mod momentum;
pub(crate) mod moreau_jean;
mod newmark_implicit;
mod parameters;
mod penalty;
mod poisson;
mod position;
mod projection;
mod radau;
mod refusal;
mod rough_start;
mod runge_kutta;
mod schatzman_paoli;
mod stewart_trinkle;
mod tableau;
mod two_stage;

pub use error::SchemeError;
pub use generalized_alpha::{AlphaParameters, GeneralizedAlpha};
pub use implicit::Joints;
pub use parameters::{Parameter, ParameterKind, Value, Values};
pub use projection::Projected;
pub use tableau::{Tableau, TableauError};

pub(crate) use generalized_alpha::RHO;
pub(crate) use implicit::report;
pub(crate) use impulse::Impulse;

use crate::methods::{adams, alpha, bdf, explicit as runge_kuttas, hem5, phem56, radau5, symplectic};
use crate::{Formulation, Scheme, events};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A scheme as the registry knows it.
#[derive(Clone, Copy, Debug)]
pub struct SchemeInfo {
    /// Name.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes it from their values; refuses those that do not go together.
    pub make: fn(&Values) -> Result<Box<dyn Scheme>, SchemeError>,
}

/// Every scheme.
pub const SCHEMES: &[SchemeInfo] = &[
    moreau_jean::INFO,
    explicit::CLASSIC,
    explicit::MIDPOINT,
    schatzman_paoli::INFO,
    stewart_trinkle::INFO,
    anitescu_potra::INFO,
    generalized_alpha::INFO,
    generalized_alpha::HHT,
    generalized_alpha::NEWMARK,
    newmark_implicit::INFO,
    moreau_jean::GGL,
    generalized_alpha::GGL,
    mixed_alpha::INFO,
    bathe::INFO,
    ed_alpha::INFO,
    half_explicit::INFO,
    half_explicit_acceleration::INFO,
    half_explicit::ORDER_3,
    half_explicit::ORDER_4,
    acceleration_lcp::INFO,
    acceleration_radau::INFO,
    acceleration_lcp::MULTIPLIER,
    constant_force::POSITION_EULER,
    constant_force::POSITION_RK4,
    constant_force::POSITION_RADAU5,
    constant_force::VELOCITY,
    penalty::INFO,
    penalty::HUNT_CROSSLEY,
    hem5::INFO,
    phem56::INFO,
    runge_kuttas::RK4_INFO,
    runge_kuttas::RKF45_INFO,
    runge_kuttas::DOPRI5_INFO,
    alpha::INFO,
    radau5::INFO,
    bdf::INFO,
    adams::BASHFORTH,
    adams::MOULTON,
    symplectic::VERLET,
    symplectic::SHAKE,
    symplectic::RATTLE,
    events::HYBRID,
];

/// Appended to any name: the coordinates are projected onto the joints after every step.
pub const PROJECTED: &str = "-projected";

/// A scheme as a file names it. Parameters that are left out have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchemeChoice {
    /// Name in the registry, [`PROJECTED`] appended or not.
    pub scheme: String,
    /// Parameters that are given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Value>,
    /// Form of the equations of the smooth motion, by name; the usual one of the scheme if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulation: Option<String>,
}

impl SchemeChoice {
    /// Makes the scheme.
    pub fn make(&self) -> Result<Box<dyn Scheme>, SchemeError> {
        let given: Vec<_> = self.parameters.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let mut scheme = make(&self.scheme, &given)?;
        if let Some(name) = &self.formulation {
            let unknown = || SchemeError::UnknownFormulation { name: name.clone() };
            scheme.set_formulation(Formulation::find(name).ok_or_else(unknown)?)?;
        }
        Ok(scheme)
    }
}

/// Makes a scheme by name, with the parameters given and defaults for the rest; switches are 0 or 1.
pub fn scheme(name: &str, parameters: &[(&str, f64)]) -> Result<Box<dyn Scheme>, SchemeError> {
    let given: Vec<_> = parameters.iter().map(|&(name, value)| (name, Value::Number(value))).collect();
    make(name, &given)
}

/// The scheme of a name, [`PROJECTED`] appended or not.
pub fn find_scheme(name: &str) -> Option<&'static SchemeInfo> {
    let plain = name.strip_suffix(PROJECTED).unwrap_or(name);
    SCHEMES.iter().find(|info| info.name == plain)
}

fn make(name: &str, given: &[(&str, Value)]) -> Result<Box<dyn Scheme>, SchemeError> {
    let info = find_scheme(name).ok_or_else(|| SchemeError::Unknown {
        name: name.into(),
        known: SCHEMES.iter().map(|s| s.name).collect::<Vec<_>>().join(", "),
    })?;
    let base = (info.make)(&Values::new(info.name, name, info.parameters, given)?)?;
    match name.ends_with(PROJECTED) {
        true if base.owns_steps() => Err(SchemeError::ProjectsItself { scheme: info.name }),
        true => Ok(Box::new(Projected::new(base))),
        false => Ok(base),
    }
}

/// Names of the schemes that take a form of the equations, in a row.
pub(crate) fn schemes_for(formulation: Formulation) -> String {
    let takes =
        |info: &&SchemeInfo| make(info.name, &[]).is_ok_and(|s| s.formulations().contains(&formulation));
    SCHEMES.iter().filter(takes).map(|info| info.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reads the parameters that it declares, and no two have one name.
    #[test]
    fn every_scheme_can_be_made() {
        for (i, info) in SCHEMES.iter().enumerate() {
            make(info.name, &[]).unwrap();
            assert!(!SCHEMES[..i].iter().any(|other| other.name == info.name), "{}", info.name);
        }
    }

    #[test]
    fn a_choice_is_read_back_as_it_was_written() {
        let text = r#"{"scheme":"moreau-jean","parameters":{"end_joints":true,"theta":0.75}}"#;
        let choice: SchemeChoice = serde_json::from_str(text).unwrap();
        assert_eq!(choice.make().unwrap().describe(), "moreau-jean (theta = 0.75)");
        assert_eq!(serde_json::to_string(&choice).unwrap(), text);
    }
}
