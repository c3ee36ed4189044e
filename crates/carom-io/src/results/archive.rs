//! `series.npz` as our own writer makes it: a zip archive of `.npy` arrays, stored without compression. Its entries are
//! walked from the front, so one that breaks off still gives the arrays before that.

use super::series::Columns;
use crate::write::npz::crc32;

/// The arrays with their names. The error is a clause.
pub(super) fn read(bytes: &[u8], problems: &mut Vec<String>) -> Result<Columns, String> {
    let mut found = Columns::default();
    let mut rest = bytes;
    while let Some(entry) = rest.strip_prefix(b"PK\x03\x04") {
        let Some((name, data, after)) = stored(entry) else {
            problems.push("series.npz breaks off; the arrays before that are shown.".into());
            break;
        };
        rest = after;
        let name = name.strip_suffix(".npy").unwrap_or(&name).to_string();
        match array(data.bytes).filter(|_| crc32(data.bytes) == data.checksum) {
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

struct Data<'a> {
    bytes: &'a [u8],
    checksum: u32,
}

/// Name and data of a stored entry behind its signature, and what comes after it.
fn stored(entry: &[u8]) -> Option<(String, Data<'_>, &[u8])> {
    let half = |at: usize| Some(u16::from_le_bytes(entry.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(entry.get(at..at + 4)?.try_into().ok()?));
    // places in the local header, less the four bytes of the signature
    let (method, checksum, size) = (half(4)?, word(10)?, word(14)? as usize);
    let (name, extra) = (usize::from(half(22)?), usize::from(half(24)?));
    let from = 26 + name + extra;
    let bytes = entry.get(from..from.checked_add(size)?)?;
    let name = String::from_utf8_lossy(entry.get(26..26 + name)?).into_owned();
    (method == 0).then_some((name, Data { bytes, checksum }, &entry[from + size..]))
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
