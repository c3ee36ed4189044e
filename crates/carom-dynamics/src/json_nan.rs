//! Numbers out of JSON, which has no word for not-a-number and infinity: they are written as `null` and read as NaN.

use serde::{Deserialize, Deserializer};

/// One number.
pub(crate) fn one<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// Two numbers.
pub(crate) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<(f64, f64), D::Error> {
    let (a, b) = <(Option<f64>, Option<f64>)>::deserialize(from)?;
    Ok((a.unwrap_or(f64::NAN), b.unwrap_or(f64::NAN)))
}
