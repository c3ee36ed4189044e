//! Zip archives without compression, as `numpy.load` reads them. Time stamps inside are fixed, so same data give same bytes.
//!
//! ```text
//!   (PK 3 4, shared fields, name, data) per entry;  (PK 1 2, shared fields, offset, name) per entry;  PK 5 6, sizes
//!   shared fields    version, flags, method, time, date, checksum, packed and plain size, lengths of name and extra field
//! ```
//!
//! Read from the front, without the directory: of an archive that breaks off, the entries before that come back.

use std::io::{self, Write};

/// 1980-01-01, the first day a zip archive knows.
const DOS_DATE: u16 = 0x21;

/// An archive that is written entry by entry.
pub(crate) struct Zip<'a> {
    out: &'a mut dyn Write,
    written: u64,
    directory: Vec<u8>,
    entries: u64,
}

impl<'a> Zip<'a> {
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, written: 0, directory: Vec::new(), entries: 0 }
    }

    /// Adds an entry.
    pub fn store(&mut self, name: &str, data: &[u8]) -> io::Result<()> {
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

    /// Writes the directory.
    pub fn finish(mut self) -> io::Result<()> {
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
fn crc32(data: &[u8]) -> u32 {
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

/// An entry that was read.
pub(crate) struct Entry<'a> {
    pub name: String,
    pub data: &'a [u8],
    /// Whether the data are those that the checksum was made of.
    pub sound: bool,
}

/// The archive breaks off inside an entry, or packs it in a way that is not read here.
pub(crate) struct BreaksOff;

/// The entries of an archive, in their order.
pub(crate) fn entries(bytes: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, BreaksOff>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let entry = rest.strip_prefix(b"PK\x03\x04")?;
        let found = stored(entry);
        rest = found.as_ref().map_or(&[], |(_, after)| after);
        Some(found.map(|(entry, _)| entry).ok_or(BreaksOff))
    })
}

/// A stored entry behind its signature, and what comes after it.
fn stored(entry: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let half = |at: usize| Some(u16::from_le_bytes(entry.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(entry.get(at..at + 4)?.try_into().ok()?));
    // places in the local header, less the four bytes of the signature
    let (method, checksum, size) = (half(4)?, word(10)?, word(14)? as usize);
    let (name, extra) = (usize::from(half(22)?), usize::from(half(24)?));
    let from = 26 + name + extra;
    let data = entry.get(from..from.checked_add(size)?)?;
    let name = String::from_utf8_lossy(entry.get(26..26 + name)?).into_owned();
    let found = Entry { name, data, sound: crc32(data) == checksum };
    (method == 0).then_some((found, &entry[from + size..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_of_the_standard_test_string() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn what_is_written_comes_back_and_damage_is_seen() {
        let mut bytes = Vec::new();
        let mut zip = Zip::new(&mut bytes);
        zip.store("é.npy", b"abc").unwrap();
        zip.store("empty", b"").unwrap();
        zip.finish().unwrap();
        let read = |bytes: &[u8]| -> Vec<Option<(String, Vec<u8>, bool)>> {
            entries(bytes).map(|e| e.ok().map(|e| (e.name, e.data.to_vec(), e.sound))).collect()
        };
        let whole = [Some(("é.npy".into(), b"abc".to_vec(), true)), Some(("empty".into(), Vec::new(), true))];
        assert_eq!(read(&bytes), whole);
        let mut damaged = bytes.clone();
        let at = damaged.windows(3).position(|w| w == b"abc").expect("stored as it is");
        damaged[at] = b'x';
        assert_eq!(read(&damaged)[0], Some(("é.npy".into(), b"xbc".to_vec(), false)));
        assert_eq!(read(&bytes[..at + 1]), [None]);
    }
}
