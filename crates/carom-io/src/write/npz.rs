//! `series.npz`: one array per channel, for `numpy.load`. A zip archive of `.npy` files.

use crate::zip::Zip;
use carom_dynamics::Recording;
use std::io::{self, Write};

/// Writes every channel as a float64 array under its name.
pub fn series(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let mut zip = Zip::new(out);
    let mut array = Vec::new();
    for (channel, column) in recording.channels.iter().zip(&recording.columns) {
        array.clear();
        array.extend(npy_header(column.len()));
        for x in column {
            array.extend(x.to_le_bytes());
        }
        zip.store(&format!("{}.npy", channel.name()), &array)?;
    }
    zip.finish()
}

/// Header of a one-dimensional little-endian float64 array; the data begins at a multiple of 64 bytes.
fn npy_header(len: usize) -> Vec<u8> {
    let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({len},), }}");
    // magic (6) + version (2) + length (2) + text + newline
    let padding = 63 - (10 + text.len()) % 64;
    text.push_str(&" ".repeat(padding));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_data_is_aligned() {
        for len in [0, 1, 9, 10, 12345, 99_999_999] {
            assert_eq!(npy_header(len).len() % 64, 0);
        }
    }
}
