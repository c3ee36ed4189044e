//! Tables that formulas of forces may call by their name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A curve through points: `torque` of `[tables.torque]` is a function of one number in formulas of forces,
/// `"=torque(shaft.rate)"`. Numbers are in the units of the file, as they are in its formulas. Between its points it is a cubic
/// spline, beyond its ends it goes on straight.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Table {
    /// Pairs of numbers, the first of each rising.
    pub points: Option<Vec<[f64; 2]>>,
    /// A CSV file with two columns instead, seen from the folder of the model file.
    pub file: Option<String>,
}
