//! `series.npz` as our own writer makes it: a zip archive of `.npy` arrays. One that breaks off still gives the arrays
//! before that.

use super::series::Columns;
use crate::zip::{self, Entry};

/// The arrays with their names. The error is a clause.
pub(super) fn read(bytes: &[u8], problems: &mut Vec<String>) -> Result<Columns, String> {
    let mut found = Columns::default();
    for entry in zip::entries(bytes) {
        let Ok(Entry { name, data, sound }) = entry else {
            problems.push("series.npz breaks off; the arrays before that are shown.".into());
            break;
        };
        let name = name.strip_suffix(".npy").unwrap_or(&name).to_string();
        match array(data).filter(|_| sound) {
            None => problems.push(format!("Array `{name}` in series.npz is damaged and left out.")),
            Some(column) if found.columns.first().is_some_and(|t| t.len() != column.len()) => {
                problems.push(format!("Array `{name}` in series.npz is not as long as `t` and left out."));
            }
            Some(column) => {
                found.names.push(name);
                found.columns.push(column);
            }
        }
    }
    if found.names.is_empty() { Err("series.npz holds no arrays that can be read".into()) } else { Ok(found) }
}

/// A one-dimensional array of little-endian float64.
fn array(bytes: &[u8]) -> Option<Vec<f64>> {
    let header = bytes.strip_prefix(b"\x93NUMPY\x01\x00")?;
    let length = usize::from(u16::from_le_bytes(header.get(..2)?.try_into().ok()?));
    let text = std::str::from_utf8(header.get(2..2 + length)?).ok()?;
    if !text.contains("'<f8'") {
        return None;
    }
    let (numbers, rest) = header[2 + length..].as_chunks();
    let finite = |x: f64| if x.is_finite() { x } else { f64::NAN };
    rest.is_empty().then(|| numbers.iter().map(|b| finite(f64::from_le_bytes(*b))).collect())
}
