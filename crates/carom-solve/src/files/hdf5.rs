//! As much of HDF5 as problem files need: groups by path, and lists of numbers in them.
//!
//! ```text
//!   superblock 0–3        →  object header of the root group
//!   object header 1, 2    →  messages: links of a group, or shape, number type and place of a dataset
//!   links                    in the header, in a symbol table (B-tree 1 and local heap), or dense (one block of a heap)
//!   data                     in the header, in one piece, or in chunks, deflated and shuffled or not
//! ```
//!
//! Whole and floating numbers of either byte order. Other storage is refused by name. Every place is checked against the
//! length of the file, every chain of blocks is bounded, and memory grows only with bytes that are there, so a damaged file
//! is an error and nothing worse. (HDF5 File Format Specification, version 3.0; checksums are not looked at.)

mod chunks;
mod cursor;
mod data;
mod group;
mod header;
mod write;

use cursor::Cursor;
use header::Header;
pub(super) use write::{Tree, write};

/// What every HDF5 file begins with.
pub(super) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// What is wrong, in words; who asked knows where.
pub(super) type Fault = String;

/// An open file: its bytes, the widths of numbers in it, and where the root group is.
#[derive(Clone, Copy, Debug)]
pub(super) struct File<'a> {
    bytes: &'a [u8],
    /// Bytes of an address and of a length.
    widths: (usize, usize),
    root: u64,
}

impl<'a> File<'a> {
    /// Reads the superblock.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Fault> {
        if !bytes.starts_with(SIGNATURE) {
            return Err("not an HDF5 file".into());
        }
        let mut file = Self { bytes, widths: (8, 8), root: 0 };
        let mut at = file.at(SIGNATURE.len() as u64)?;
        let version = at.byte()?;
        match version {
            0 | 1 => at.skip(4)?,
            2 | 3 => {}
            _ => return Err(format!("superblock version {version} is not known; 0 to 3 are")),
        }
        file.widths = (usize::from(at.byte()?), usize::from(at.byte()?));
        if ![2, 4, 8].contains(&file.widths.0) || ![2, 4, 8].contains(&file.widths.1) {
            let (a, b) = file.widths;
            return Err(format!("addresses of {a} and lengths of {b} bytes; 2, 4 or 8 are known"));
        }
        // Version 0: a reserved byte, two sizes of tree nodes, flags; version 1: one size more.
        at.skip(match version {
            0 => 1 + 4 + 4,
            1 => 1 + 4 + 4 + 4,
            _ => 1,
        })?;
        let mut at = file.at(at.place())?;
        let base = at.address()?;
        at.skip(file.widths.0)?;
        let end = at.address()?;
        if version <= 1 {
            // Driver information, and the name of the root, which is none.
            at.skip(2 * file.widths.0)?;
        }
        file.root = at.address()?;
        if base != 0 {
            return Err(format!("addresses are counted from {base}, not from the beginning of the file"));
        }
        if end > bytes.len() as u64 {
            return Err(format!("the file should have {end} bytes and has {}: it is cut off", bytes.len()));
        }
        Ok(file)
    }

    /// A reader that stands at an address.
    fn at(&self, address: u64) -> Result<Cursor<'a>, Fault> {
        match usize::try_from(address).ok().and_then(|place| self.bytes.get(place..)) {
            Some(rest) => Ok(Cursor::new(rest, address, self.widths)),
            None => Err(format!("address {address} lies outside the file")),
        }
    }

    /// Number of bytes.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// A tree with more entries than this is no tree: each takes two numbers of the file.
    fn most_entries(&self) -> usize {
        self.bytes.len() / 8
    }

    /// Header of the object at a path such as `a/b`, if there is one.
    fn find(&self, path: &str) -> Result<Option<Header<'a>>, Fault> {
        let mut header = Header::read(self, self.root)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            match group::child(self, &header, name)? {
                Some(address) => header = Header::read(self, address)?,
                None => return Ok(None),
            }
        }
        Ok(Some(header))
    }

    /// Whether there is anything at a path.
    pub fn has(&self, path: &str) -> Result<bool, Fault> {
        self.find(path).map(|found| found.is_some())
    }

    /// The numbers of the dataset at a path.
    pub fn numbers(&self, path: &str) -> Result<Vec<f64>, Fault> {
        let header = self.find(path)?.ok_or("is missing")?;
        data::numbers(self, &header)?.ok_or_else(|| "was never written".into())
    }
}
