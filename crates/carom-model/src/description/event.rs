//! What is to be found where it happens.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A function of time and motion; the event is where it crosses zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// A continuous formula of `t`, parameters and channels, such as `"crank.angle - pi"`.
    pub when: String,
    /// Which crossings count: `rising`, `falling` or `any`.
    #[serde(default)]
    pub direction: Crossing,
    /// Whether the run ends there.
    #[serde(default)]
    pub stop: bool,
    /// What the words of the formula mean, as the file has it.
    #[serde(default, skip_serializing_if = "Terms::is_default")]
    #[schemars(skip)]
    pub terms: Terms,
}

/// In which direction a function crosses zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Crossing {
    /// Either.
    #[default]
    Any,
    /// From below.
    Rising,
    /// From above.
    Falling,
}

/// What the words of a formula mean. A description built in a program leaves it alone: no parameters, SI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// Numbers by name.
    pub parameters: IndexMap<String, f64>,
    /// The units of the formula: a length in m.
    pub length: f64,
    /// A time in s.
    pub time: f64,
    /// An angle in rad.
    pub angle: f64,
    /// An energy in J, or a torque in N m.
    pub energy: f64,
    /// A force in N.
    pub force: f64,
}

impl Default for Terms {
    fn default() -> Self {
        Self { parameters: IndexMap::new(), length: 1.0, time: 1.0, angle: 1.0, energy: 1.0, force: 1.0 }
    }
}

impl Terms {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Event {
    /// An event where a formula in SI crosses zero, in any direction.
    pub fn when(formula: &str) -> Self {
        Self { when: formula.into(), ..Self::default() }
    }
}
