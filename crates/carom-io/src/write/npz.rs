//! `series.npz`: one array per channel, for `numpy.load`. A zip archive of `.npy` files, stored without compression;
//! the time stamps inside are fixed, so same bits give same bytes.

use carom_dynamics::Recording;
use std::io::{self, Write};

/// Writes every channel as a float64 array under its name.
pub fn series(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let mut zip = Zip { out, written: 0, directory: Vec::new(), entries: 0 };
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

/// 1980-01-01, the first day a zip archive knows.
const DOS_DATE: u16 = 0x21;

struct Zip<'a> {
    out: &'a mut dyn Write,
    written: u64,
    directory: Vec<u8>,
    entries: u64,
}

impl Zip<'_> {
    fn store(&mut self, name: &str, data: &[u8]) -> io::Result<()> {
        let offset = small(self.written)?;
        let size = small(data.len() as u64)?;
        let name_len = u16::try_from(name.len()).map_err(|_| too_large())?;
        // Fields that the local header and the directory share: flags (UTF-8 names), method 0, time, date, ...
        let mut shared = Vec::with_capacity(26);
        for half in [20u16, 0x0800, 0, 0, DOS_DATE] {
            shared.extend(half.to_le_bytes());
        }
        for word in [crc32(data), size, size] {
            shared.extend(word.to_le_bytes());
        }
        for half in [name_len, 0] {
            shared.extend(half.to_le_bytes());
        }
        self.put(b"PK\x03\x04")?;
        self.put(&shared)?;
        self.put(name.as_bytes())?;
        self.put(data)?;
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&shared);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let offset = small(self.written)?;
        let directory = std::mem::take(&mut self.directory);
        let entries = u16::try_from(self.entries).map_err(|_| too_large())?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend(entries.to_le_bytes());
        end.extend(entries.to_le_bytes());
        end.extend(small(directory.len() as u64)?.to_le_bytes());
        end.extend(offset.to_le_bytes());
        end.extend([0; 2]);
        self.put(&directory)?;
        self.put(&end)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn small(n: u64) -> io::Result<u32> {
    u32::try_from(n).map_err(|_| too_large())
}

fn too_large() -> io::Error {
    io::Error::other(
        "more than a plain zip archive can hold (4 GiB, 65535 channels); record less with simulation.output",
    )
}

/// CRC-32 of zip archives: reflected polynomial 0xEDB88320.
pub(crate) fn crc32(data: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    };
    !data.iter().fold(!0u32, |c, &byte| TABLE[((c ^ u32::from(byte)) & 0xFF) as usize] ^ (c >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_of_the_standard_test_string() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn array_data_is_aligned() {
        for len in [0, 1, 9, 10, 12345, 99_999_999] {
            assert_eq!(npy_header(len).len() % 64, 0);
        }
    }
}
