//! Steps through bytes, little end first, and never past the end.

use super::Fault;

/// Where a walk through the file stands.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    /// Address of the next byte.
    place: u64,
    /// Bytes of an address and of a length.
    widths: (usize, usize),
}

impl<'a> Cursor<'a> {
    pub fn new(rest: &'a [u8], place: u64, widths: (usize, usize)) -> Self {
        Self { rest, place, widths }
    }

    /// Address of the next byte.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        if count > self.rest.len() {
            return Err(format!("{count} bytes at address {} reach past the end", self.place));
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        self.place += count as u64;
        Ok(taken)
    }

    /// A reader of the next bytes alone.
    pub fn part(&mut self, count: usize) -> Result<Self, Fault> {
        let (place, widths) = (self.place, self.widths);
        Ok(Self { rest: self.take(count)?, place, widths })
    }

    pub fn skip(&mut self, count: usize) -> Result<(), Fault> {
        self.take(count).map(|_| ())
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    /// A whole number of up to 8 bytes.
    pub fn whole(&mut self, bytes: usize) -> Result<u64, Fault> {
        let taken = self.take(bytes)?;
        Ok(taken.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    /// A number of things that lie in the file or in memory.
    pub fn count(&mut self, bytes: usize) -> Result<usize, Fault> {
        let count = self.whole(bytes)?;
        usize::try_from(count).map_err(|_| format!("{count} are too many"))
    }

    pub fn address(&mut self) -> Result<u64, Fault> {
        self.whole(self.widths.0)
    }

    /// An address, unless it is the one that means nowhere.
    pub fn somewhere(&mut self) -> Result<Option<u64>, Fault> {
        let nowhere = u64::MAX >> (64 - 8 * self.widths.0);
        Ok(Some(self.address()?).filter(|address| *address != nowhere))
    }

    pub fn length(&mut self) -> Result<usize, Fault> {
        self.count(self.widths.1)
    }

    /// Four letters that a block begins with.
    pub fn letters(&mut self, wanted: &str) -> Result<(), Fault> {
        let place = self.place;
        let found = self.take(wanted.len())?;
        if found != wanted.as_bytes() {
            return Err(format!("{wanted} should stand at address {place}: the file is damaged"));
        }
        Ok(())
    }
}
